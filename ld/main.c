/* SPDX-License-Identifier: MIT
 *
 * ld/main.c - amdld, the program: command line in, codeobj_link(), file out.
 *
 * On any error: exit status 1, no output file, an old one unharmed.
 */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static enum codeobj_status open_file(void *context, const char *path, const void **data, size_t *size)
{
    struct driver *d = context;
    const char *found = driver_find_script(d, path);
    if (!found)
        return CODEOBJ_IO;
    *DPUSH(d, d->dependencies) = driver_strndup(d, found, strlen(found));
    return driver_read(d, found, data, size) ? CODEOBJ_OK : CODEOBJ_IO;
}

/* Large images in huge pages: a page fault per 4 KiB would cost as much as the link. */
static void *image_alloc(void *context, size_t size)
{
    struct driver *d = context;
    if (size < (4u << 20))
        return driver_alloc(d, size);
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    madvise(p, size, MADV_HUGEPAGE);
    *DPUSH(d, d->maps) = (struct mapping){ p, size };
    return p;
}

static unsigned output_mode(const struct driver *d)
{
    return d->opt.kind == CODEOBJ_LINK_RELOCATABLE ? 0666 : 0777;
}

static bool image_begin(void *context, size_t size)
{
    struct driver *d = context;
    (void)size;
    d->streamed = driver_begin_file(d, &d->image, d->output, output_mode(d));
    if (!d->streamed)
        d->output_errno = errno;
    return d->streamed;
}

static bool image_write(void *context, uint64_t off, const void *data, size_t size)
{
    struct driver *d = context;
    bool ok = driver_write_piece(&d->image, off, data, size);
    if (!ok)
        d->output_errno = errno;
    return ok;
}

#define LIST(field) ((struct codeobj_link_list){ d->field.items, d->field.count })
#define TEXTS(field) ((struct codeobj_link_texts){ d->field.items, d->field.count })

static void finish_options(struct driver *d)
{
    struct codeobj_link_options *o = &d->opt;
    o->size = sizeof *o;
    o->error_limit = (uint32_t)d->error_limit;
    o->undefined = LIST(undefined);
    o->undefined_globs = LIST(undefined_globs);
    o->require_defined = LIST(require_defined);
    o->defsym = LIST(defsym);
    o->defsym_places = d->defsym_places.items;
    o->wrap = LIST(wrap);
    o->export_symbols = LIST(export_symbols);
    o->trace_symbols = LIST(trace_symbols);
    o->keep_unique = LIST(keep_unique);
    o->why_live = LIST(why_live);
    o->backrefs_exclude = LIST(backrefs_exclude);
    o->filters = LIST(filters);
    o->auxiliaries = LIST(auxiliaries);
    o->version_scripts = TEXTS(version_scripts);
    o->dynamic_lists = TEXTS(dynamic_lists);
    o->export_lists = TEXTS(export_lists);
    o->symbol_orderings = TEXTS(orderings);
    o->linker_scripts = TEXTS(linker_scripts);
    o->section_addresses = d->section_addresses.items;
    o->section_address_count = d->section_addresses.count;
    o->dead_relocs = d->dead_relocs.items;
    o->dead_reloc_count = d->dead_relocs.count;
    o->shuffles = d->shuffles.items;
    o->shuffle_count = d->shuffles.count;
    o->compressions = d->compressions.items;
    o->compression_count = d->compressions.count;
    if (!d->no_demangle)
        o->demangle = driver_demangle;
    o->open_file = open_file;
    o->image_alloc = image_alloc;
    if (driver_can_replace(d->output)) {
        o->image_begin = image_begin;
        o->image_write = image_write;
    }
    o->context = d;
    o->output_name = d->output;
    const char *version = getenv("LLD_VERSION");
    o->comment = version && *version ? version : driver_print(d, "Linker: %s", driver_version(d));
}

static void show_messages(struct driver *d, const struct codeobj_link_result *r)
{
    for (size_t i = 0; i < codeobj_link_result_message_count(r); i++) {
        struct codeobj_link_message m;
        if (codeobj_link_result_message(r, i, &m) == CODEOBJ_OK)
            driver_message(d, m.is_error, m.text);
    }
}

static void put_text(struct driver *d, const struct codeobj_link_result *r, enum codeobj_link_report which,
                     const char *path)
{
    size_t size;
    const char *text = codeobj_link_result_text(r, which, &size);
    if (!path || !strcmp(path, "-"))
        fwrite(text, 1, size, stdout);
    else if (!driver_write(d, path, text, size, 0666))
        driver_error(d, "cannot open %s%s: %s", which == CODEOBJ_LINK_TEXT_MAP ? "map file " : "", path, strerror(errno));
}

/* make(1) syntax: spaces, '#' and '$' are escaped. */
static void put_dependency_name(struct driver *d, char **at, const char *name)
{
    (void)d;
    char *p = *at;
    for (; *name; name++) {
        if (*name == ' ' || *name == '#')
            *p++ = '\\';
        else if (*name == '$')
            *p++ = '$';
        *p++ = *name;
    }
    *at = p;
}

static void put_dependencies(struct driver *d)
{
    size_t size = 2 * strlen(d->output) + 8;
    for (size_t i = 0; i < d->dependencies.count; i++)
        size += 4 * strlen(d->dependencies.items[i]) + 16;
    char *text = driver_alloc(d, size), *p = text;
    put_dependency_name(d, &p, d->output);
    *p++ = ':';
    for (size_t i = 0; i < d->dependencies.count; i++) {
        memcpy(p, " \\\n ", 4);
        p += 4;
        put_dependency_name(d, &p, d->dependencies.items[i]);
    }
    *p++ = '\n';
    for (size_t i = 0; i < d->dependencies.count; i++) { /* phony targets, so that a vanished file is no error */
        *p++ = '\n';
        put_dependency_name(d, &p, d->dependencies.items[i]);
        *p++ = ':';
        *p++ = '\n';
    }
    if (!driver_write(d, d->dependency_file, text, (size_t)(p - text), 0666))
        driver_error(d, "cannot open %s: %s", d->dependency_file, strerror(errno));
}

static void put_why_extract(struct driver *d, const struct codeobj_link_result *r)
{
    size_t size;
    const char *text = codeobj_link_result_text(r, CODEOBJ_LINK_TEXT_WHY_EXTRACT, &size);
    const char *all = driver_print(d, "reference\textracted\tsymbol\n%s", text);
    if (!strcmp(d->why_extract, "-"))
        fputs(all, stdout);
    else if (!driver_write(d, d->why_extract, all, strlen(all), 0666))
        driver_error(d, "cannot open --why-extract= file %s: %s", d->why_extract, strerror(errno));
}

static bool has_text(const struct codeobj_link_result *r, enum codeobj_link_report which)
{
    size_t size = 0;
    codeobj_link_result_text(r, which, &size);
    return size != 0;
}

/* What is known before an image is laid out: a link that fails later has it too, and it may say why. */
static void put_early_reports(struct driver *d, const struct codeobj_link_result *r)
{
    if (d->opt.flags & CODEOBJ_LINK_TRACE || d->trace_symbols.count)
        put_text(d, r, CODEOBJ_LINK_TEXT_TRACE, NULL);
    if (d->archive_stats && has_text(r, CODEOBJ_LINK_TEXT_ARCHIVES))
        put_text(d, r, CODEOBJ_LINK_TEXT_ARCHIVES, d->archive_stats);
    if (d->why_live.count)
        put_text(d, r, CODEOBJ_LINK_TEXT_WHY_LIVE, NULL);
    if (d->opt.flags & CODEOBJ_LINK_PRINT_GC)
        put_text(d, r, CODEOBJ_LINK_TEXT_GC, d->print_gc_file);
    if (d->opt.flags & CODEOBJ_LINK_PRINT_ICF)
        put_text(d, r, CODEOBJ_LINK_TEXT_ICF, NULL);
    if (d->why_extract)
        put_why_extract(d, r);
}

/* What needs addresses, which a link that fails may have as well. */
static void put_layout_reports(struct driver *d, const struct codeobj_link_result *r)
{
    if (has_text(r, CODEOBJ_LINK_TEXT_MAP))
        put_text(d, r, CODEOBJ_LINK_TEXT_MAP, d->map_file);
    if (has_text(r, CODEOBJ_LINK_TEXT_CREF))
        put_text(d, r, CODEOBJ_LINK_TEXT_CREF, NULL);
    if (has_text(r, CODEOBJ_LINK_TEXT_MEMORY))
        put_text(d, r, CODEOBJ_LINK_TEXT_MEMORY, NULL);
    if (has_text(r, CODEOBJ_LINK_TEXT_SYMBOL_ORDER))
        put_text(d, r, CODEOBJ_LINK_TEXT_SYMBOL_ORDER, d->print_order);
}

static void put_reports(struct driver *d, const struct codeobj_link_result *r)
{
    put_early_reports(d, r);
    put_layout_reports(d, r);
    if (d->dependency_file)
        put_dependencies(d);
}

/* Links; bitcode that turns up is compiled and the link done again with it. */
static struct codeobj_link_result *link_all(struct driver *d, enum codeobj_status *st)
{
    DVEC(struct codeobj_link_bitcode) compiled = { 0 };
    DVEC(struct codeobj_link_input) inputs = { 0 };
    *DPUSH(d, inputs) = (struct codeobj_link_input){ 0 }; /* for the compiled object */
    for (size_t i = 0; i < d->inputs.count; i++)
        *DPUSH(d, inputs) = d->inputs.items[i];
    for (;;) {
        struct codeobj_link_result *r = NULL;
        bool with = compiled.count != 0;
        d->opt.compiled = compiled.items;
        d->opt.compiled_count = compiled.count;
        *st = codeobj_link(inputs.items + !with, inputs.count - !with, &d->opt, &r);
        size_t n = r ? codeobj_link_result_bitcode_count(r) : 0;
        if (*st != CODEOBJ_UNSUPPORTED || !n) {
            if (*st == CODEOBJ_OK && d->lto_emit == EMIT_NOTHING)
                driver_emit_index(d);
            else if (*st == CODEOBJ_OK && d->lto_emit)
                driver_emit(d, compiled.items, compiled.count);
            return r;
        }
        for (size_t i = 0; i < n; i++) {
            struct codeobj_link_bitcode b;
            codeobj_link_result_bitcode(r, i, &b);
            b.name = driver_strndup(d, b.name, strlen(b.name));
            *DPUSH(d, compiled) = b;
        }
        codeobj_link_result_free(r);
        d->keep.count = 0;
        if (!driver_thinlto_compiles(d) || !driver_compile(d, compiled.items, compiled.count, &inputs.items[0])) {
            *st = CODEOBJ_UNSUPPORTED;
            return NULL;
        }
        d->opt.keep = LIST(keep);
    }
}

static void run(struct driver *d, int argc, char **argv)
{
    if (!driver_parse(d, argc, argv))
        return;
    finish_options(d);
    enum codeobj_status st;
    struct codeobj_link_result *r = link_all(d, &st);
    if (st == CODEOBJ_NO_MEMORY) {
        driver_error(d, "out of memory");
        return;
    }
    if (!r)
        return;
    show_messages(d, r);
    if (st == CODEOBJ_IO)
        driver_error(d, "cannot open output file %s: %s", d->output, strerror(d->output_errno));
    if (st == CODEOBJ_OK && !d->error_count && !d->lto_emit) {
        size_t size;
        const void *image = codeobj_link_result_image(r, &size);
        put_reports(d, r);
        if (!d->error_count && !(d->streamed ? driver_finish_file(&d->image, d->output)
                                             : driver_write(d, d->output, image, size, output_mode(d))))
            driver_error(d, "cannot open output file %s: %s", d->output, strerror(errno));
    } else {
        put_early_reports(d, r);
        put_layout_reports(d, r);
    }
    codeobj_link_result_free(r);
}

struct kept {
    struct kept *next;
    size_t pad;
};

static void *keep(struct driver *d, struct kept *k)
{
    if (!k) {
        driver_error(d, "out of memory");
        longjmp(d->fatal, 1);
    }
    k->next = d->kept;
    d->kept = k;
    return k + 1;
}

void *driver_alloc_raw(struct driver *d, size_t size)
{
    return keep(d, size > SIZE_MAX - sizeof(struct kept) ? NULL : malloc(sizeof(struct kept) + size));
}

void *driver_alloc(struct driver *d, size_t size)
{
    return keep(d, size > SIZE_MAX - sizeof(struct kept) ? NULL : calloc(1, sizeof(struct kept) + size));
}

void driver_grow(struct driver *d, void **items, size_t count, size_t *cap, size_t item_size)
{
    size_t n = *cap ? *cap * 2 : 8;
    void *p = driver_alloc(d, n * item_size);
    if (count)
        memcpy(p, *items, count * item_size);
    *items = p;
    *cap = n;
}

int main(int argc, char **argv)
{
    struct driver d = { .error_limit = 20, .output = "a.out" };
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    d.program = slash ? slash + 1 : argc > 0 ? argv[0] : "amdld";
    if (!setjmp(d.fatal))
        run(&d, argc, argv);
    int rc = d.error_count != 0;
    if (fflush(stdout) != 0)
        rc = 1;
    driver_drop_file(&d.image);
    driver_unmap(&d);
    while (d.kept) {
        struct kept *next = d.kept->next;
        free(d.kept);
        d.kept = next;
    }
    return rc;
}

/* SPDX-License-Identifier: MIT
 *
 * ld/link.c - codeobj_link(): the passes in their order, and its results.
 *
 * Each pass leaves an invariant that the later ones rely on; it is stated where
 * the pass is called.  Errors are collected; link() stops only at points where
 * going on would report consequences of what has been reported already.
 */
#include "ld.h"

#include <stdio.h>
#include <stdlib.h>

static void allocate_common(struct ld *ld, struct ld_symbol *s)
{
    s->kind = SYM_DEFINED;
    s->sec = co_ld_new_section(ld, "COMMON", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, s->value);
    s->sec->file = s->file;
    s->sec->size = s->size;
    s->value = 0;
    *PUSH(ld, ld->commons) = s->sec;
    co_ld_trace(ld, s, s->file->name, "definition of");
}

static bool has_common(const struct ld_file *f)
{
    struct codeobj_elf_symbol s;
    for (uint32_t n = f->first_global; f->kind == FILE_OBJECT && n < f->symbol_count; n++)
        if (f->sym_data ? ld_get16(f->sym_data + (size_t)n * SYM_SIZE + 6) == SHN_COMMON_
                        : codeobj_elf_symbol(f->elf, CODEOBJ_SYMTAB, n, &s) == CODEOBJ_OK && s.shndx == CODEOBJ_SHN_COMMON)
            return true;
    return false;
}

/* Each common symbol becomes a section of its own, so that --gc-sections can
 * drop it; they come in front of what objects have in .bss, in the order in which objects that have some name them. */
static void allocate_commons(struct ld *ld)
{
    if (ld->relocatable && (ld->opt.flags & CODEOBJ_LINK_NO_DEFINE_COMMON))
        return;
    size_t left = 0;
    EACH(i, ld->symbols)
        left += ld->symbols.items[i]->kind == SYM_COMMON;
    for (size_t i = 0; left && i < ld->files.count; i++) {
        const struct ld_file *f = ld->files.items[i];
        bool some = has_common(f);
        for (size_t n = f->first_global; some && n < f->symbol_count; n++)
            if (f->symbols[n] && f->symbols[n]->kind == SYM_COMMON) {
                allocate_common(ld, f->symbols[n]);
                left--;
            }
    }
}

static void add_comment(struct ld *ld)
{
    if (ld->relocatable)
        return;
    const char *text = ld->opt.comment;
    if (!text)
        text = co_ld_printf(ld, "Linker: amdld %s", codeobj_version());
    struct ld_section *s = co_ld_new_section(ld, ".comment", SHT_PROGBITS, SHF_MERGE | SHF_STRINGS, 1);
    s->entsize = 1;
    s->size = strlen(text) + 1;
    s->data = (const uint8_t *)text;
    *PUSH(ld, ld->sections) = s;
}

/* An object of ld.lld has one, empty, whatever the inputs have: GNU linkers ask for it. */
static void add_gnu_stack(struct ld *ld)
{
    if (ld->relocatable)
        *PUSH(ld, ld->sections) = co_ld_new_section(ld, ".note.GNU-stack", SHT_PROGBITS, 0, 1);
}

static void add_relro_padding(struct ld *ld)
{
    if (ld->relocatable || (ld->opt.flags & (CODEOBJ_LINK_NO_RELRO | CODEOBJ_LINK_OMAGIC | CODEOBJ_LINK_NMAGIC)))
        return;
    if (!co_ld_has_relro(ld) || !co_ld_script_pads_relro(ld))
        return;
    ld->s_relro_padding = co_ld_new_section(ld, ".relro_padding", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 1);
    co_ld_place_section(ld, ld->s_relro_padding, ".relro_padding");
}

static bool has_shared_input(const struct ld *ld)
{
    EACH(i, ld->files)
        if (ld->files.items[i]->kind == FILE_SHARED)
            return true;
    return false;
}

static void parse_scripts(struct ld *ld)
{
    for (size_t i = 0; i < ld->opt.dynamic_lists.count && !ld->error_count; i++)
        co_ld_parse_dynamic_list(ld, &ld->opt.dynamic_lists.items[i], false);
    for (size_t i = 0; i < ld->opt.export_lists.count && !ld->error_count; i++)
        co_ld_parse_dynamic_list(ld, &ld->opt.export_lists.items[i], true);
    for (size_t i = 0; i < ld->opt.version_scripts.count && !ld->error_count; i++)
        co_ld_parse_version_script(ld, &ld->opt.version_scripts.items[i]);
    if (!ld->error_count)
        co_ld_parse_scripts(ld);
    for (size_t i = 0; i < ld->opt.trace_symbols.count; i++) {
        const char *name = ld->opt.trace_symbols.items[i];
        co_ld_intern(ld, name, strlen(name))->traced = true;
    }
}

static void report_bitcode(struct ld *ld)
{
    EACH(i, ld->bitcode)
        co_ld_error(ld, "%s: LLVM bitcode: it must be compiled before it can be linked", ld->bitcode.items[i].name);
}

#define REPORTS (CODEOBJ_LINK_MAP | CODEOBJ_LINK_CREF | CODEOBJ_LINK_PRINT_MEMORY | CODEOBJ_LINK_PRINT_SYMBOL_ORDER)

/* What is asked for beside the image; a link that fails has it too where it came as far as to addresses. */
static void write_reports(struct ld *ld)
{
    if (ld->opt.flags & CODEOBJ_LINK_MAP)
        co_ld_write_map(ld);
    if (ld->opt.flags & CODEOBJ_LINK_CREF)
        co_ld_write_cref(ld);
    if (ld->opt.flags & CODEOBJ_LINK_PRINT_MEMORY)
        co_ld_write_memory_usage(ld);
}

/* ld.lld says of names that are there twice, or have versions that are not there, and no more.  What else is wrong with
 * the link is worth knowing in the same run, unless it is its words that are wanted. */
static bool is_over(const struct ld *ld)
{
    return ld->malformed || ld->bitcode.count ||
           (ld->error_count && (!ld->files.count || ld->stopped || (ld->opt.flags & CODEOBJ_LINK_NO_EXPLAIN)));
}

/* From inputs to what stays and how it is referred to.  False: nothing is to be laid out.  True with errors: those of
 * flags and relocations, beside which what is wrong with the layout is said in the same run. */
static bool resolve(struct ld *ld)
{
    parse_scripts(ld);
    if (ld->error_count)
        return false;

    /* One struct ld_symbol for each name, its definition found; ld->files and ld->sections in link order. */
    co_ld_read_inputs(ld);
    EACH(i, ld->files)
        ld->files.items[i]->order = i;
    if (ld->bitcode.count)
        report_bitcode(ld);
    if (is_over(ld) || (ld->opt.flags & CODEOBJ_LINK_RESOLVE_ONLY))
        return false;

    /* Every name has its last definition: the command line's, the linker's, the inputs'. */
    ld->has_dynamic = !ld->relocatable && (ld->pic || has_shared_input(ld));
    co_ld_apply_wrap(ld);
    add_comment(ld);
    add_gnu_stack(ld);
    co_ld_script_symbols(ld);
    co_ld_define_linker_symbols(ld);
    co_ld_script_late_symbols(ld);
    co_ld_trace_reserved(ld);
    allocate_commons(ld);

    /* What is exported, and what may be preempted, is final. */
    co_ld_assign_versions(ld);
    if (ld->opt.flags & CODEOBJ_LINK_ARCHIVE_STATS)
        co_ld_write_archive_stats(ld);
    co_ld_decide_exports(ld);
    co_ld_report_backrefs(ld);
    if (is_over(ld))
        return false;
    bool sound = !ld->error_count;

    /* e_flags, EI_OSABI and EI_ABIVERSION of the output are known. */
    co_ld_merge_flags(ld);

    /* sec->live and piece->live are final, merged strings have their places; folded sections have repl. */
    co_ld_script_match(ld);
    co_ld_split_pieces(ld);
    co_ld_gc(ld);
    size_t errors = ld->error_count;
    co_ld_script_check(ld);
    co_ld_script_discard(ld);
    bool placed = ld->error_count == errors;
    co_ld_check_encapsulation(ld);
    co_ld_merge_sections(ld); /* who asks for the same string may be the same function */
    co_ld_icf(ld);
    co_ld_trace_last(ld);

    /* Relocations are known to be applicable; GOT and dynamic relocations have their sizes. */
    co_ld_read_call_graph(ld);
    co_ld_scan_relocations(ld);
    co_ld_report_undefined(ld);
    return sound && placed && !ld->stopped;
}

static void link(struct ld *ld)
{
    if (!resolve(ld))
        return;
    size_t errors = ld->error_count;

    /* Contents of every input part are final in size. */
    if (!errors)
        co_ld_merge_notes(ld);

    /* Output sections exist, in file order, with sizes and indices. */
    co_ld_make_outputs(ld);
    co_ld_make_build_id(ld);
    co_ld_make_package_note(ld);
    co_ld_make_dynamic(ld);
    add_relro_padding(ld);
    co_ld_make_rela_outputs(ld);
    co_ld_make_symtab(ld);
    co_ld_report_orphans(ld);
    co_ld_sort_outputs(ld);
    co_ld_name_sections(ld);
    if (ld->error_count > errors) {
        co_ld_check_crossrefs(ld); /* which else comes where sections have found their regions */
        return;
    }

    /* Addresses and file offsets are final. */
    co_ld_assign_addresses(ld);
    if (ld->error_count > errors && (!ld->laid_out || ld->stopped))
        return;
    co_ld_place_linker_symbols(ld);
    co_ld_place_symbols(ld);
    if (!ld->error_count) {
        if (ld->relocatable)
            co_ld_fill_rela_outputs(ld); /* which may change contents: before they are compressed */
        co_ld_compress(ld);
    }
    write_reports(ld); /* with the sizes in the file */
    if (ld->error_count)
        return;

    co_ld_write(ld);
}

/* ---- results -------------------------------------------------------------------------- */

/* Everything the result hands out, in one block. */
static bool pack(const struct ld *ld, struct codeobj_link_result *r)
{
    size_t size = ld->messages.count * sizeof *r->messages + ld->bitcode.count * sizeof *r->bitcode;
    EACH(i, ld->messages)
        size += strlen(ld->messages.items[i].text) + 1;
    EACH(i, ld->bitcode)
        size += strlen(ld->bitcode.items[i].name) + 1;
    for (size_t i = 0; i < CODEOBJ_LINK_TEXT_COUNT; i++)
        size += ld->texts[i].count + 1;
    r->block = malloc(size ? size : 1);
    if (!r->block)
        return false;
    r->messages = r->block;
    r->bitcode = (struct codeobj_link_bitcode *)(r->messages + ld->messages.count);
    char *p = (char *)(r->bitcode + ld->bitcode.count);
    EACH(i, ld->messages) {
        size_t n = strlen(ld->messages.items[i].text) + 1;
        r->messages[i] = (struct codeobj_link_message){ ld->messages.items[i].is_error, p };
        memcpy(p, ld->messages.items[i].text, n);
        p += n;
    }
    EACH(i, ld->bitcode) {
        size_t n = strlen(ld->bitcode.items[i].name) + 1;
        r->bitcode[i] = ld->bitcode.items[i];
        r->bitcode[i].name = p;
        memcpy(p, ld->bitcode.items[i].name, n);
        p += n;
    }
    for (size_t i = 0; i < CODEOBJ_LINK_TEXT_COUNT; i++) {
        r->texts[i].text = p;
        r->texts[i].size = ld->texts[i].count;
        if (ld->texts[i].count)
            memcpy(p, ld->texts[i].data, ld->texts[i].count);
        p += ld->texts[i].count;
        *p++ = 0;
    }
    r->message_count = ld->messages.count;
    r->bitcode_count = ld->bitcode.count;
    return true;
}

static void clean(struct ld *ld)
{
    EACH(i, ld->all)
        codeobj_elf_free(ld->all.items[i]->elf);
    for (size_t i = 0; ld->opened && i < ld->input_count; i++)
        codeobj_elf_free(ld->opened[i]);
    for (unsigned i = 0; i < LD_MAX_THREADS; i++)
        codeobj_pool_free(ld->pools[i]);
    free(ld->loose);
    co_ld_arena_free(&ld->arena);
}

/* A caller built against an older, shorter struct gets zeros for the rest. */
static void copy_options(struct ld *ld, const struct codeobj_link_options *options)
{
    if (!options)
        return;
    memcpy(&ld->opt, options, options->size < sizeof ld->opt ? options->size : sizeof ld->opt);
}

/* Without section headers nothing finds what is not loaded: no symbols, no debug information, as ld.lld has it. */
static bool check_headers(struct ld *ld)
{
    if (!(ld->opt.flags & CODEOBJ_LINK_NO_SECTION_HEADERS))
        return true;
    ld->opt.strip = CODEOBJ_STRIP_ALL;
    if (ld->relocatable)
        co_ld_error(ld, "-r and -z nosectionheader may not be used together");
    if (ld->opt.flags & CODEOBJ_LINK_EMIT_RELOCS)
        co_ld_error(ld, "--strip-all and --emit-relocs may not be used together");
    return !ld->error_count;
}

static enum codeobj_status run(struct ld *ld, struct codeobj_link_result *r)
{
    if (setjmp(ld->no_memory))
        return CODEOBJ_NO_MEMORY;
    if (check_headers(ld))
        link(ld);
    if (!pack(ld, r))
        return CODEOBJ_NO_MEMORY;
    if (ld->bitcode.count)
        return CODEOBJ_UNSUPPORTED;
    if (ld->io_failed)
        return CODEOBJ_IO;
    if (ld->error_count)
        return ld->malformed ? CODEOBJ_MALFORMED : CODEOBJ_INVALID;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_link(const struct codeobj_link_input *inputs, size_t count,
                                 const struct codeobj_link_options *options, struct codeobj_link_result **out)
{
    struct ld *ld = calloc(1, sizeof *ld);
    struct codeobj_link_result *r = calloc(1, sizeof *r);
    enum codeobj_status st = CODEOBJ_NO_MEMORY;
    if (ld && r) {
        copy_options(ld, options);
        ld->inputs = inputs;
        ld->input_count = count;
        ld->shared = ld->opt.kind == CODEOBJ_LINK_SHARED;
        ld->pic = ld->shared || ld->opt.kind == CODEOBJ_LINK_PIE;
        ld->relocatable = ld->opt.kind == CODEOBJ_LINK_RELOCATABLE;
        if (ld->relocatable) /* what an object is for needs its symbols */
            ld->opt.strip = CODEOBJ_STRIP_NONE;
        ld->page = ld->opt.max_page_size ? ld->opt.max_page_size : 4096;
        ld->common_page = ld->opt.common_page_size ? ld->opt.common_page_size : 4096;
        if (ld->common_page > ld->page)
            ld->common_page = ld->page;
        ld->output_name = ld->opt.output_name ? ld->opt.output_name : "";
        st = run(ld, r);
        r->image = ld->image;
        r->image_size = (size_t)ld->image_size;
        r->image_owned = !ld->opt.image_alloc;
        if (st != CODEOBJ_OK) {
            if (r->image_owned)
                free(r->image);
            r->image = NULL;
            r->image_size = 0;
        }
        clean(ld);
    }
    free(ld);
    if (st == CODEOBJ_NO_MEMORY) {
        if (r)
            free(r->block);
        free(r);
        return st;
    }
    *out = r;
    return st;
}

void codeobj_link_result_free(struct codeobj_link_result *r)
{
    if (!r)
        return;
    if (r->image_owned)
        free(r->image);
    free(r->block);
    free(r);
}

const void *codeobj_link_result_image(const struct codeobj_link_result *r, size_t *size)
{
    if (size)
        *size = r->image_size;
    return r->image;
}

size_t codeobj_link_result_message_count(const struct codeobj_link_result *r)
{
    return r->message_count;
}

enum codeobj_status codeobj_link_result_message(const struct codeobj_link_result *r, size_t idx,
                                                struct codeobj_link_message *out)
{
    if (idx >= r->message_count)
        return CODEOBJ_NOT_FOUND;
    *out = r->messages[idx];
    return CODEOBJ_OK;
}

const char *codeobj_link_result_text(const struct codeobj_link_result *r, enum codeobj_link_report which, size_t *size)
{
    if ((unsigned)which >= CODEOBJ_LINK_TEXT_COUNT) {
        if (size)
            *size = 0;
        return "";
    }
    if (size)
        *size = r->texts[which].size;
    return r->texts[which].text;
}

size_t codeobj_link_result_bitcode_count(const struct codeobj_link_result *r)
{
    return r->bitcode_count;
}

enum codeobj_status codeobj_link_result_bitcode(const struct codeobj_link_result *r, size_t idx,
                                                struct codeobj_link_bitcode *out)
{
    if (idx >= r->bitcode_count)
        return CODEOBJ_NOT_FOUND;
    *out = r->bitcode[idx];
    return CODEOBJ_OK;
}

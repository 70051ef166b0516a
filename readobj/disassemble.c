/* SPDX-License-Identifier: MIT
 *
 * readobj/disassemble.c - the disassembly listing: which sections, which symbols.
 *
 * Layout and choice of symbols follow llvm-objdump: of several symbols at one
 * address the last by name heads the lines, and a section without a symbol at its
 * start has its own name there.  The wave size is each kernel's own; code that
 * belongs to no kernel gets the one that all kernels of the object agree on.
 */
#include "disassemble.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHF_ALLOC_ 2u
#define SHF_EXECINSTR_ 4u
#define SHT_NOBITS_ 8u
#define STT_SECTION_ 3
#define STT_FILE_ 4
#define ET_REL_ 1

struct wave_of {
    const char *name;
    size_t name_size;
    unsigned wave;
};

struct listing {
    struct ro *ro;
    const struct ro_object *obj;
    const struct codeobj_processor *processor;
    struct codeobj_isa *isa[2]; /* wave32, wave64; NULL until wanted */
    unsigned forced_wave, common_wave;
    struct wave_of *waves;      /* of kernels, by name */
    size_t wave_count;
    char **names; /* demangled ones, owned */
    size_t name_count, name_room;
    bool rel;
    bool out_of_memory;
};

static bool enlarge(void **array, size_t *room, size_t count, size_t item)
{
    if (count < *room)
        return true;
    size_t more = *room ? *room * 2 : 64;
    void *p = realloc(*array, more * item);
    if (!p)
        return false;
    *array = p;
    *room = more;
    return true;
}

/* ---- decoders and wave sizes --------------------------------------------------------- */
static const struct codeobj_isa *decoder(struct listing *l, unsigned wave)
{
    struct codeobj_isa_options options = {.size = sizeof options};
    struct codeobj_diag diag = {0};
    unsigned which = wave == 64;

    if (!l->isa[which]) {
        options.wave = (uint8_t)wave;
        if (codeobj_isa_new(l->processor, &options, &l->isa[which], &diag) != CODEOBJ_OK) {
            ro_diag(l->ro, l->obj->name, &diag);
            return NULL;
        }
    }
    return l->isa[which];
}

static int by_kernel_name(const void *a, const void *b)
{
    const struct wave_of *x = a, *y = b;
    size_t n = x->name_size < y->name_size ? x->name_size : y->name_size;
    int c = memcmp(x->name, y->name, n);

    return c ? c : (x->name_size > y->name_size) - (x->name_size < y->name_size);
}

static void find_waves(struct listing *l)
{
    size_t count = codeobj_kernel_count(l->obj->elf), room = 0;
    unsigned normal = l->processor->features & CODEOBJ_FEATURE_WAVE32 ? 32 : 64;
    struct codeobj_kernel kernel;

    l->common_wave = 0;
    for (size_t i = 0; i < count; i++) {
        if (codeobj_kernel_at(l->obj->elf, i, &kernel, NULL) != CODEOBJ_OK || !(kernel.has_descriptor || kernel.has_kernel_code))
            continue;
        if (!enlarge((void **)&l->waves, &room, l->wave_count, sizeof *l->waves)) {
            l->out_of_memory = true;
            return;
        }
        unsigned wave = kernel.descriptor.wave_size == 32 ? 32 : 64;
        if (!(l->processor->features & (wave == 32 ? CODEOBJ_FEATURE_WAVE32 : CODEOBJ_FEATURE_WAVE64)))
            wave = normal;
        l->waves[l->wave_count++] = (struct wave_of){kernel.name, kernel.name_size, wave};
        l->common_wave = i == 0 || l->common_wave == wave ? wave : normal;
    }
    if (!l->common_wave)
        l->common_wave = normal;
    if (l->wave_count)
        qsort(l->waves, l->wave_count, sizeof *l->waves, by_kernel_name);
}

static const struct codeobj_isa *decoder_for(struct listing *l, const char *symbol)
{
    struct wave_of key = {symbol, strlen(symbol), 0}, *found = NULL;

    if (l->forced_wave)
        return decoder(l, l->forced_wave);
    if (l->wave_count)
        found = bsearch(&key, l->waves, l->wave_count, sizeof *l->waves, by_kernel_name);
    return decoder(l, found ? found->wave : l->common_wave);
}

/* The name as it is shown. */
static const char *shown_name(struct listing *l, const char *name)
{
    char *demangled = ro_demangle(l->ro, name);

    if (!demangled)
        return name;
    if (!enlarge((void **)&l->names, &l->name_room, l->name_count, sizeof *l->names)) {
        free(demangled);
        l->out_of_memory = true;
        return name;
    }
    return l->names[l->name_count++] = demangled;
}

/* ---- symbols and relocations ----------------------------------------------------------- */
static int by_address(const void *a, const void *b)
{
    const struct dis_symbol *x = a, *y = b;
    int c;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    c = strcmp(x->name, y->name);
    return c ? c : (int)x->type - (int)y->type;
}

/* Symbols of a section, its own name in front when none stands at its start. */
static struct dis_symbol *section_symbols(struct listing *l, const struct codeobj_elf_section *s, size_t *count)
{
    const struct codeobj_elf *elf = l->obj->elf;
    enum codeobj_elf_symtab table = codeobj_elf_symtab_section(elf, CODEOBJ_SYMTAB) ? CODEOBJ_SYMTAB : CODEOBJ_DYNSYM;
    uint64_t start = l->rel ? 0 : s->addr;
    struct dis_symbol *symbols = NULL;
    size_t room = 0, n = 0;
    struct codeobj_elf_symbol symbol;

    for (size_t i = 1; i < codeobj_elf_symbol_count(elf, table); i++) {
        if (codeobj_elf_symbol(elf, table, i, &symbol) != CODEOBJ_OK || symbol.shndx != s->idx || !*symbol.name ||
            symbol.type == STT_SECTION_ || symbol.type == STT_FILE_ || symbol.value - start > s->size)
            continue;
        if (!enlarge((void **)&symbols, &room, n + 1, sizeof *symbols))
            goto fail;
        symbols[n++] = (struct dis_symbol){symbol.value, symbol.name, symbol.type, symbol.name};
    }
    if (!enlarge((void **)&symbols, &room, n, sizeof *symbols))
        goto fail;
    qsort(symbols, n, sizeof *symbols, by_address);
    if (!n || symbols[0].addr != start) {
        memmove(symbols + 1, symbols, n * sizeof *symbols);
        symbols[0] = (struct dis_symbol){start, s->name, 2, s->name};
        n++;
    }
    for (size_t i = 0; i < n; i++)
        symbols[i].name = shown_name(l, symbols[i].stored);
    *count = n;
    return symbols;
fail:
    free(symbols);
    l->out_of_memory = true;
    *count = 0;
    return NULL;
}

static int by_place(const void *a, const void *b)
{
    const struct dis_relocation *x = a, *y = b;

    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static struct dis_relocation *section_relocations(struct listing *l, const struct codeobj_elf_section *s, size_t *count)
{
    const struct codeobj_elf *elf = l->obj->elf;
    struct dis_relocation *relocations = NULL;
    size_t room = 0, n = 0;

    for (size_t i = 1; l->rel && i < codeobj_elf_section_count(elf); i++) {
        struct codeobj_elf_section table;

        if (codeobj_elf_section(elf, i, &table) != CODEOBJ_OK || table.info != s->idx)
            continue;
        for (size_t k = 0; k < codeobj_elf_relocation_count(elf, i); k++) {
            struct codeobj_elf_relocation r;
            struct codeobj_elf_symbol symbol = {.name = ""};
            struct codeobj_elf_section of;

            if (codeobj_elf_relocation(elf, i, k, &r) != CODEOBJ_OK || r.offset >= s->size)
                continue;
            codeobj_elf_symbol(elf, CODEOBJ_SYMTAB, r.symbol, &symbol);
            if (symbol.type == STT_SECTION_ && codeobj_elf_section(elf, symbol.shndx, &of) == CODEOBJ_OK)
                symbol.name = of.name;
            if (!enlarge((void **)&relocations, &room, n, sizeof *relocations)) {
                l->out_of_memory = true;
                break;
            }
            relocations[n++] = (struct dis_relocation){r.offset, r.type, r.symbol ? shown_name(l, symbol.name) : "", r.addend};
        }
    }
    if (n)
        qsort(relocations, n, sizeof *relocations, by_place);
    *count = n;
    return relocations;
}

static void run(struct listing *l, const struct dis_section *section, const struct dis_piece *pieces, size_t piece_count)
{
    unsigned threads = section->source ? 1 : ro_thread_count(l->ro); /* source lines come in order */

    l->out_of_memory |= !dis_run(l->ro->out, threads, section, pieces, piece_count);
}

/* ---- sections ---------------------------------------------------------------------------- */
/* What the options name is marked as met where it is. */
static bool wanted_symbol(const struct ro *ro, const struct dis_symbol *symbol)
{
    const struct ro_strings *names = &ro->opt->disassemble_symbols;
    bool met = false;

    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], symbol->name) == 0 || strcmp(names->items[i], symbol->stored) == 0) {
            met = true;
            if (ro->met)
                ro->met[1 + i] = 1;
        }
    return met || names->count == 0;
}

static bool wanted_section(const struct ro *ro, const char *name)
{
    if (ro->opt->section && strcmp(ro->opt->section, name) != 0)
        return false;
    if (ro->met)
        ro->met[0] = 1;
    return true;
}

void ro_disassembly_begin(struct ro *ro)
{
    const struct ro_options *opt = ro->opt;

    if (opt->views & RO_VIEW_DISASSEMBLY && !opt->json && !opt->raw && (opt->section || opt->disassemble_symbols.count))
        ro->met = calloc(1 + opt->disassemble_symbols.count, 1);
}

void ro_disassembly_end(struct ro *ro, bool any_object)
{
    const struct ro_options *opt = ro->opt;

    if (!ro->met)
        return;
    if (any_object && opt->section && !ro->met[0])
        ro_error(ro, "--section=%s: no such section that is loaded; --sections lists what there is", opt->section);
    for (size_t i = 0; any_object && i < opt->disassemble_symbols.count; i++)
        if (!ro->met[1 + i])
            ro_error(ro, "--symbol=%s: no such symbol%s; --symbols lists what there is", opt->disassemble_symbols.items[i],
                     opt->section ? " in that section" : "");
    free((void *)ro->met);
    ro->met = NULL;
}

/* The kernel whose amd_kernel_code_t lies at addr (V1, V2). */
static bool kernel_code_at(const struct listing *l, uint64_t addr, struct codeobj_kernel *kernel)
{
    for (size_t i = 0; i < codeobj_kernel_count(l->obj->elf); i++)
        if (codeobj_kernel_at(l->obj->elf, i, kernel, NULL) == CODEOBJ_OK && kernel->has_kernel_code && kernel->descriptor_addr == addr)
            return true;
    return false;
}

static void add_piece(struct listing *l, struct dis_piece **pieces, size_t *count, size_t *room, struct dis_piece piece)
{
    if (!enlarge((void **)pieces, room, *count, sizeof **pieces)) {
        l->out_of_memory = true;
        return;
    }
    (*pieces)[(*count)++] = piece;
}

/* Cuts the section at its symbols. */
static struct dis_piece *make_pieces(struct listing *l, const struct dis_section *s, bool old_kernels, size_t *count)
{
    struct dis_piece *pieces = NULL;
    size_t room = 0;

    *count = 0;
    for (size_t i = 0; i < s->symbol_count && !l->out_of_memory; i++) {
        size_t next = i + 1;
        const struct dis_symbol *last = &s->symbols[i];
        bool shown = wanted_symbol(l->ro, last);

        while (next < s->symbol_count && s->symbols[next].addr == s->symbols[i].addr) {
            last = &s->symbols[next++];
            shown |= wanted_symbol(l->ro, last);
        }
        const char *head = last->name;
        uint64_t begin = s->symbols[i].addr, end = next < s->symbol_count ? s->symbols[next].addr : s->addr + s->size;
        const struct codeobj_isa *isa = shown && begin < end ? decoder_for(l, last->stored) : NULL;
        struct codeobj_kernel kernel;

        i = next - 1;
        if (!isa)
            continue;
        if (old_kernels && end - begin > CODEOBJ_KERNEL_CODE_SIZE && kernel_code_at(l, begin, &kernel)) {
            /* The directives go out with a piece of no bytes; see list_section(). */
            add_piece(l, &pieces, count, &room, (struct dis_piece){isa, begin, begin, begin, head, {0}});
            begin += CODEOBJ_KERNEL_CODE_SIZE;
            head = NULL;
        }
        if (begin < end)
            add_piece(l, &pieces, count, &room, (struct dis_piece){isa, begin, end, end, head, {0}});
    }
    return pieces;
}

/* Runs the pieces up to each old kernel, then its directives. */
static void run_with_kernels(struct listing *l, const struct dis_section *s, struct dis_piece *pieces, size_t count)
{
    size_t from = 0;

    for (size_t i = 0; i <= count; i++) {
        struct dis_text text = {0};
        struct codeobj_kernel kernel;

        if (i < count && pieces[i].begin != pieces[i].end)
            continue;
        if (i > from)
            run(l, s, pieces + from, i - from);
        from = i + 1;
        if (i == count || !kernel_code_at(l, pieces[i].begin, &kernel))
            continue;
        dis_lines(s, &pieces[i], SIZE_MAX, &text, &pieces[i]);
        dis_kernel(&kernel, l->obj->elf, &text);
        dis_text_write(&text, l->ro->out);
        free(text.buf);
    }
}

static void list_section(struct listing *l, const struct codeobj_elf_section *section, struct dis_source *source)
{
    struct dis_section s = {.addr = l->rel ? 0 : section->addr, .source = source,
                            .no_encoding = l->ro->opt->no_encoding, .no_addresses = l->ro->opt->no_addresses,
                            .explain = l->ro->opt->explain};
    size_t size, count;
    struct dis_symbol *symbols;
    struct dis_relocation *relocations = NULL;
    struct dis_piece *pieces;
    bool old_kernels = false;

    s.bytes = codeobj_elf_section_data(l->obj->elf, section->idx, &size);
    s.size = size;
    if (!s.bytes || !size || size > UINT64_MAX - s.addr)
        return;
    symbols = section_symbols(l, section, &s.symbol_count);
    s.symbols = symbols;
    if (l->ro->opt->inline_relocations)
        relocations = section_relocations(l, section, &s.relocation_count);
    s.relocations = relocations;
    for (size_t i = 0; i < s.symbol_count; i++)
        old_kernels |= s.symbols[i].type == 10; /* STT_AMDGPU_HSA_KERNEL */
    pieces = make_pieces(l, &s, old_kernels, &count);
    if (count) {
        fputs("\nDisassembly of section ", l->ro->out);
        ro_name(l->ro, section->name, strlen(section->name));
        fputs(":\n", l->ro->out);
        dis_source_section(source, section->idx);
        if (old_kernels)
            run_with_kernels(l, &s, pieces, count);
        else
            run(l, &s, pieces, count);
    }
    free(pieces);
    free(symbols);
    free(relocations);
}

/* The kernel whose descriptor lies at addr, and its symbol's name there. */
static bool descriptor_at(const struct listing *l, uint32_t shndx, uint64_t addr, struct codeobj_kernel *kernel)
{
    for (size_t i = 0; i < codeobj_kernel_count(l->obj->elf); i++)
        if (codeobj_kernel_at(l->obj->elf, i, kernel, NULL) == CODEOBJ_OK && kernel->has_descriptor && !kernel->has_kernel_code &&
            kernel->symbol.shndx == shndx && kernel->symbol.value == addr)
            return true;
    return false;
}

/* A section that is no code: descriptors as directives, headed by their symbols, and if all is asked for what else
 * there is as if it were code. */
static void list_data(struct listing *l, const struct codeobj_elf_section *section)
{
    struct dis_section s = {.addr = l->rel ? 0 : section->addr, .no_encoding = l->ro->opt->no_encoding,
                            .no_addresses = l->ro->opt->no_addresses, .explain = l->ro->opt->explain};
    struct dis_text text = {0};
    struct codeobj_kernel kernel;
    struct dis_symbol *symbols;
    struct dis_piece *pieces;
    size_t size, count, descriptors = 0;

    s.bytes = codeobj_elf_section_data(l->obj->elf, section->idx, &size);
    s.size = size;
    if (!s.bytes || !size || size > UINT64_MAX - s.addr)
        return;
    symbols = section_symbols(l, section, &s.symbol_count);
    s.symbols = symbols;
    pieces = make_pieces(l, &s, false, &count);
    for (size_t i = 0; i < count; i++) {
        bool descriptor = descriptor_at(l, section->idx, pieces[i].begin, &kernel);

        descriptors += descriptor;
        if (descriptor) {
            dis_text_printf(&text, "\n%016llx <", (unsigned long long)pieces[i].begin);
            dis_text_name(&text, pieces[i].heading, strlen(pieces[i].heading));
            dis_text_printf(&text, ">:\n");
            dis_kernel(&kernel, l->obj->elf, &text);
        } else if (l->ro->opt->disassemble_all) {
            dis_lines(&s, &pieces[i], SIZE_MAX, &text, &pieces[i]);
        }
    }
    if (descriptors || (l->ro->opt->section && text.len)) {
        fputs("\nDisassembly of section ", l->ro->out);
        ro_name(l->ro, section->name, strlen(section->name));
        fputs(":\n", l->ro->out);
        dis_text_write(&text, l->ro->out);
    }
    l->out_of_memory |= text.failed;
    free(text.buf);
    free(pieces);
    free(symbols);
}

static const struct codeobj_processor *processor_of(struct ro *ro, const struct ro_object *obj)
{
    struct codeobj_target target = {0};

    if (ro->opt->mcpu) {
        const struct codeobj_processor *p = codeobj_processor_by_name(ro->opt->mcpu);

        if (!p)
            ro_error(ro, "--mcpu: unknown processor '%s'", ro->opt->mcpu);
        return p;
    }
    codeobj_elf_target(obj->elf, &target);
    if (!target.processor)
        ro_error(ro, "%s: the processor is not known; name it with --mcpu", obj->name);
    return target.processor;
}

static void finish(struct listing *l)
{
    if (l->out_of_memory)
        ro_error(l->ro, "%s: out of memory", l->obj->name);
    codeobj_isa_free(l->isa[0]);
    codeobj_isa_free(l->isa[1]);
    free(l->waves);
    for (size_t i = 0; i < l->name_count; i++)
        free(l->names[i]);
    free(l->names);
}

void ro_disassembly_text(struct ro *ro, const struct ro_object *obj)
{
    const struct ro_options *opt = ro->opt;
    struct listing l = {.ro = ro, .obj = obj, .forced_wave = (unsigned)opt->wave_size};
    struct codeobj_elf_header header;
    struct dis_source *source = NULL;

    l.processor = processor_of(ro, obj);
    if (!l.processor)
        return;
    codeobj_elf_header(obj->elf, &header);
    l.rel = header.type == ET_REL_;
    find_waves(&l);
    if (opt->show_line_numbers || opt->show_source)
        source = dis_source_open(obj, opt->show_line_numbers, opt->show_source);
    for (size_t i = 1; i < codeobj_elf_section_count(obj->elf) && !l.out_of_memory; i++) {
        struct codeobj_elf_section section;

        if (codeobj_elf_section(obj->elf, i, &section) != CODEOBJ_OK || !(section.flags & SHF_ALLOC_) ||
            section.type == SHT_NOBITS_ || !wanted_section(ro, section.name))
            continue;
        if (section.flags & SHF_EXECINSTR_)
            list_section(&l, &section, source);
        else if (opt->disassemble_all || opt->section || opt->disassemble_symbols.count)
            list_data(&l, &section);
    }
    dis_source_free(source);
    finish(&l);
}

/* Whole file, owned; NULL after a message. */
static uint8_t *read_file(struct ro *ro, const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t room = 0, n = 0;

    if (!f) {
        ro_error(ro, "%s: %s", path, strerror(errno));
        return NULL;
    }
    do {
        if (n == room) {
            uint8_t *p = realloc(bytes, room = room ? room * 2 : 1u << 16);

            if (!p)
                break;
            bytes = p;
        }
        n += fread(bytes + n, 1, room - n, f);
    } while (n == room);
    if (!bytes || ferror(f) || n == room) {
        ro_error(ro, "%s: cannot read", path);
        free(bytes);
        bytes = NULL;
    }
    fclose(f);
    *size = n;
    return bytes;
}

/* A file of nothing but instructions. */
void ro_disassemble_raw(struct ro *ro)
{
    for (size_t i = 0; i < ro->opt->files.count; i++) {
        struct ro_object obj = {.name = ro->opt->files.items[i], .file = ro->opt->files.items[i]};
        struct listing l = {.ro = ro, .obj = &obj, .forced_wave = (unsigned)ro->opt->wave_size};
        struct dis_symbol start = {0, "raw", 2, "raw"};
        struct dis_section s = {.symbols = &start, .symbol_count = 1, .no_encoding = ro->opt->no_encoding,
                                .no_addresses = ro->opt->no_addresses, .explain = ro->opt->explain};
        size_t size = 0, count = 0;
        uint8_t *bytes;
        struct dis_piece *pieces;

        l.processor = ro->opt->mcpu ? codeobj_processor_by_name(ro->opt->mcpu) : NULL;
        if (!l.processor) {
            ro_error(ro, ro->opt->mcpu ? "--mcpu: unknown processor '%s'" : "--raw needs --mcpu", ro->opt->mcpu);
            return;
        }
        bytes = read_file(ro, obj.file, &size);
        if (!bytes)
            continue;
        l.common_wave = l.processor->features & CODEOBJ_FEATURE_WAVE32 ? 32 : 64;
        s.bytes = bytes;
        s.size = size;
        pieces = size ? make_pieces(&l, &s, false, &count) : NULL;
        run(&l, &s, pieces, count);
        free(pieces);
        free(bytes);
        finish(&l);
    }
}

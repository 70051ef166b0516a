/* SPDX-License-Identifier: MIT
 *
 * ld/input.c - pass 1: every input is opened, and archive members are pulled in.
 *
 * Invariant afterwards: ld->files holds the objects of the link in their final
 * order, each global name has one struct ld_symbol, and what was lazy and is
 * not needed is not in ld->files.
 *
 * Order: an object's definitions come first, then its references in symbol
 * order; a reference that is met by an archive member takes that member in at
 * once, before the rest of the references and before the next input.  ld.lld
 * does this by recursion; here ld->pending is the stack, so that a chain of a
 * million members needs no more stack than one.
 */
#include "ld.h"

bool co_ld_is_bitcode(const uint8_t *data, size_t size)
{
    return size >= 4 && (!memcmp(data, "BC\xc0\xde", 4) || !memcmp(data, "\xde\xc0\x17\x0b", 4));
}

struct ld_file *co_ld_new_file(struct ld *ld, const char *name, const uint8_t *data, size_t size)
{
    struct ld_file *f = co_ld_alloc(ld, sizeof *f);
    f->name = name;
    f->data = data;
    f->size = size;
    *PUSH(ld, ld->all) = f;
    return f;
}

static void add_bitcode(struct ld *ld, struct ld_file *file)
{
    file->kind = FILE_BITCODE;
    for (size_t i = 0; i < ld->opt.compiled_count; i++)
        if (ld->opt.compiled[i].data == file->data)
            return;
    *PUSH(ld, ld->bitcode) = (struct codeobj_link_bitcode){ file->name, file->data, file->size };
}

/* Machine and class are looked at before anything else of the file. */
static bool right_machine(struct ld *ld, const struct ld_file *file)
{
    if (file->size >= 20 && file->data[4] == 2 && file->data[5] == 1 && ld_get16(file->data + 18) == EM_AMDGPU_)
        return true;
    if (file->size < 20) {
        co_ld_error(ld, "%s: not an ELF file: it ends inside the header", file->name);
        return false;
    }
    co_ld_error(ld, "%s is incompatible with %s", file->name,
                ld->files.count ? ld->files.items[0]->name : "elf64_amdgpu");
    return false;
}

static struct codeobj_pool *make_pool(struct ld *ld, unsigned i)
{
    if (!ld->pools[i] && codeobj_pool_new(&ld->pools[i]) != CODEOBJ_OK)
        co_ld_no_memory(ld);
    return ld->pools[i];
}

bool co_ld_open_elf(struct ld *ld, struct ld_file *file)
{
    if (file->elf)
        return true;
    struct codeobj_elf_options o = { .size = sizeof o, .name = file->name, .pool = make_pool(ld, 0) };
    struct codeobj_diag diag = { 0 };
    struct codeobj_elf *elf = NULL;
    enum codeobj_status st = codeobj_elf_open_memory(file->data, file->size, &o, &elf, &diag);
    if (st == CODEOBJ_NO_MEMORY)
        co_ld_no_memory(ld);
    if (st != CODEOBJ_OK) {
        char text[1024];
        codeobj_diag_format(&diag, text, sizeof text);
        bool named = !strncmp(text, file->name, strlen(file->name));
        co_ld_error(ld, "%s%s%s", named ? "" : file->name, named ? "" : ": ", text);
        ld->malformed = true;
        return false;
    }
    file->elf = elf;
    codeobj_elf_header(elf, &file->header);
    return true;
}

static bool is_alphanumeric(char c)
{
    return (unsigned)(c - '0') < 10 || (unsigned)((c | 32) - 'a') < 26;
}

/* _binary_NAME_start, _end and _size, where what is no letter or digit of the name becomes `_`. */
static void define_edge(struct ld *ld, struct ld_file *file, const char *what, struct ld_section *sec, uint64_t value)
{
    char *name = co_ld_printf(ld, "_binary_%s_%s", file->name, what);
    for (char *p = name; *p; p++)
        if (!is_alphanumeric(*p))
            *p = '_';
    struct codeobj_elf_symbol def = { .name = name, .value = value, .binding = STB_GLOBAL, .type = STT_OBJECT,
                                      .shndx = sec ? 1 : CODEOBJ_SHN_ABS };
    co_ld_define(ld, co_ld_intern(ld, name, strlen(name)), file, sec, &def);
}

void co_ld_add_binary(struct ld *ld, struct ld_file *file)
{
    struct ld_section *sec = co_ld_new_section(ld, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8);
    file->kind = FILE_BINARY;
    sec->file = file;
    sec->data = file->data;
    sec->size = file->size;
    *PUSH(ld, ld->binaries) = sec;
    if (ld->opt.flags & CODEOBJ_LINK_TRACE)
        co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_TRACE], "%s\n", file->name);
    define_edge(ld, file, "start", sec, 0);
    define_edge(ld, file, "end", sec, file->size);
    define_edge(ld, file, "size", NULL, file->size);
}

void co_ld_add_just_symbols(struct ld *ld, struct ld_file *file)
{
    if (file->size < 4 || memcmp(file->data, "\177ELF", 4)) {
        co_ld_error(ld, "%s: not an ELF file", file->name);
        return;
    }
    if (!right_machine(ld, file) || !co_ld_open_elf(ld, file))
        return;
    file->just_symbols = true;
    co_ld_add_object(ld, file);
}

void co_ld_add_bytes(struct ld *ld, struct ld_file *file, bool lazy)
{
    const uint8_t *d = file->data;
    if (file->size == 0)
        return; /* an empty file is an empty linker script */
    if (co_ld_is_bitcode(d, file->size)) {
        add_bitcode(ld, file);
        return;
    }
    if (file->size >= 8 && (!memcmp(d, "!<arch>\n", 8) || !memcmp(d, "!<thin>\n", 8))) {
        if (file->parent)
            co_ld_warn(ld, "%s: an archive in an archive is passed over", file->name);
        else
            co_ld_add_archive(ld, file);
        return;
    }
    if (file->size < 4 || memcmp(d, "\177ELF", 4)) {
        if (file->parent)
            co_ld_warn(ld, "%s: archive member '%s' is neither ET_REL nor LLVM bitcode", file->archive,
                       file->member_name);
        else
            co_ld_error(ld, "%s: unknown file type", file->name);
        return;
    }
    if (!right_machine(ld, file) || !co_ld_open_elf(ld, file))
        return;
    if (file->header.type == ET_DYN_) {
        if (file->parent)
            co_ld_warn(ld, "%s: archive member '%s' is neither ET_REL nor LLVM bitcode", file->archive,
                       file->member_name);
        else if (ld->relocatable || (ld->opt.flags & (CODEOBJ_LINK_NMAGIC | CODEOBJ_LINK_OMAGIC)))
            co_ld_error(ld, "attempted static link of dynamic object %s", file->name);
        else
            co_ld_add_shared(ld, file);
    } else if (file->header.type != ET_REL_) {
        co_ld_error(ld, "%s: unknown file type", file->name);
    } else if (lazy) {
        co_ld_add_lazy_object(ld, file);
    } else {
        co_ld_add_object(ld, file);
    }
}

/* Pulls in what stands behind a lazy symbol. */
void co_ld_extract(struct ld *ld, struct ld_symbol *sym, const char *why)
{
    struct ld_file *file = sym->file;
    uint64_t off = sym->value;
    sym->kind = SYM_UNDEF; /* until the object defines it */
    sym->value = 0;
    size_t before = ld->files.count;
    if (file->kind == FILE_ARCHIVE) {
        co_ld_extract_member(ld, file, off);
    } else if (!file->extracted) {
        file->extracted = true;
        file->lazy = false;
        co_ld_add_object(ld, file);
    }
    if (why && (ld->opt.flags & CODEOBJ_LINK_WHY_EXTRACT) && ld->files.count > before)
        co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_WHY_EXTRACT], "%s\t%s\t%s\n", why,
                       ld->files.items[before]->name, co_ld_show(ld, sym));
}

/* A definition in a section that stays out.  If there is no other the symbol is undefined, weakly so if that definition
 * is weak, whatever refers to it: as ld.lld has it. */
static void lose(struct ld_symbol *sym, struct ld_file *file, const struct codeobj_elf_symbol *def)
{
    if (!ld_is_undef(sym) || (sym->in_discarded && (sym->binding != STB_WEAK || def->binding == STB_WEAK)))
        return;
    sym->in_discarded = true;
    sym->file = file;
    sym->binding = def->binding;
}

void co_ld_resolve_pending(struct ld *ld)
{
    while (ld->pending.count) {
        struct ld_file *f = ld->pending.items[ld->pending.count - 1];
        size_t depth = ld->pending.count;
        while (f->next_undef < f->symbol_count && ld->pending.count == depth) {
            uint32_t i = f->next_undef++;
            struct codeobj_elf_symbol s;
            if (i + 8 < f->symbol_count)
                __builtin_prefetch(f->symbols[i + 8]);
            if (f->sym_data) { /* most are definitions */
                uint32_t shndx = ld_get16(f->sym_data + (size_t)i * SYM_SIZE + 6);
                if (shndx && shndx < SHN_LORESERVE && shndx < f->section_count && f->sections[shndx]->kept)
                    continue;
            }
            if (!f->symbols[i] || codeobj_elf_symbol(f->elf, CODEOBJ_SYMTAB, i, &s) != CODEOBJ_OK)
                continue;
            bool lost = s.shndx < f->section_count && s.shndx && !f->sections[s.shndx]->kept;
            if (s.shndx != CODEOBJ_SHN_UNDEF && !lost)
                continue;
            co_ld_refer(ld, f->symbols[i], f, &s);
            if (lost)
                lose(f->symbols[i], f, &s);
        }
        if (f->next_undef >= f->symbol_count && ld->pending.count == depth)
            ld->pending.count--;
    }
}

/* ---- opening ahead -------------------------------------------------------------- */

enum { INPUTS_A_PART = 16, PARALLEL_FROM = 64 };

struct opening {
    const struct codeobj_link_input *inputs;
    size_t count;
    struct codeobj_elf **opened;
    struct codeobj_pool **pools; /* one for each thread */
    size_t defined[LD_MAX_THREADS]; /* global symbols, as each of them has found */
};

static bool is_object(const struct codeobj_link_input *in)
{
    const uint8_t *d = in->data;
    return in->size >= 20 && !memcmp(d, "\177ELF\2\1", 6) && ld_get16(d + 18) == EM_AMDGPU_;
}

static size_t count_defined(const struct codeobj_elf *elf)
{
    size_t size = 0, count = 0;
    const uint8_t *p = codeobj_elf_section_data(elf, codeobj_elf_symtab_section(elf, CODEOBJ_SYMTAB), &size);
    for (; p && size >= SYM_SIZE; p += SYM_SIZE, size -= SYM_SIZE)
        count += p[4] >> 4 != STB_LOCAL && ld_get16(p + 6);
    return count;
}

/* What cannot be opened is opened again in its turn, for the message. */
static void open_part(void *context, unsigned worker, size_t part)
{
    struct opening *o = context;
    size_t end = (part + 1) * INPUTS_A_PART;
    for (size_t i = part * INPUTS_A_PART; i < end && i < o->count; i++) {
        struct codeobj_elf_options options = { .size = sizeof options, .name = o->inputs[i].name, .pool = o->pools[worker] };
        struct codeobj_diag diag = { 0 };
        if (!is_object(&o->inputs[i]))
            continue;
        if (codeobj_elf_open_memory(o->inputs[i].data, o->inputs[i].size, &options, &o->opened[i], &diag) == CODEOBJ_OK)
            o->defined[worker] += count_defined(o->opened[i]);
        else
            o->opened[i] = NULL;
    }
}

static struct codeobj_elf **open_ahead(struct ld *ld)
{
    struct opening o = { .inputs = ld->inputs, .count = ld->input_count };
    if (o.count < PARALLEL_FROM)
        return NULL;
    o.opened = co_ld_array(ld, o.count, sizeof(struct codeobj_elf *));
    for (unsigned i = 0; i < co_ld_thread_count(ld); i++)
        make_pool(ld, i);
    o.pools = ld->pools;
    co_ld_parallel(ld, (o.count + INPUTS_A_PART - 1) / INPUTS_A_PART, open_part, &o);
    ld->opened = o.opened;
    size_t names = 0;
    for (unsigned i = 0; i < LD_MAX_THREADS; i++)
        names += o.defined[i];
    if (!ld->table.count) /* most names are defined by an object, each by one */
        co_ld_names_reserve(ld, &ld->table, names);
    return o.opened;
}

void co_ld_read_inputs(struct ld *ld)
{
    struct codeobj_elf **opened = open_ahead(ld);
    co_ld_undefined_symbols(ld);
    uint32_t group = 0;
    for (size_t i = 0; i < ld->input_count && !ld->stopped; i++) {
        const struct codeobj_link_input *in = &ld->inputs[i];
        struct ld_file *f = co_ld_new_file(ld, in->name ? in->name : "<memory>", in->data, in->size);
        f->flags = in->flags;
        group += !(in->flags & CODEOBJ_LINK_INPUT_SAME_GROUP);
        f->group = group;
        if (opened && opened[i]) {
            f->elf = opened[i];
            opened[i] = NULL;
            codeobj_elf_header(f->elf, &f->header);
        }
        if (in->flags & CODEOBJ_LINK_INPUT_BINARY)
            co_ld_add_binary(ld, f);
        else if (in->flags & CODEOBJ_LINK_INPUT_JUST_SYMBOLS)
            co_ld_add_just_symbols(ld, f);
        else
            co_ld_add_bytes(ld, f, (in->flags & CODEOBJ_LINK_INPUT_LAZY) != 0);
        co_ld_resolve_pending(ld);
    }
    co_ld_command_line_symbols(ld);
    co_ld_script_declare(ld);
    co_ld_resolve_pending(ld);
    if (ld->error_count)
        ld->backrefs.count = 0; /* nothing is warned of beside errors */
    EACH(i, ld->binaries) { /* behind all that objects have */
        *PUSH(ld, ld->files) = ld->binaries.items[i]->file;
        *PUSH(ld, ld->sections) = ld->binaries.items[i];
    }
    if (!ld->files.count && !ld->error_count && !ld->bitcode.count && ld->input_count == 0)
        co_ld_error(ld, "no input files");
    if (ld->binaries.count && ld->binaries.count == ld->files.count && !ld->opt.osabi) /* nothing says for what processor */
        co_ld_error(ld, "target emulation unknown: -m or at least one .o file required");
}

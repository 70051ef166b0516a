/* SPDX-License-Identifier: MIT
 *
 * elf/builder.c - the model of an object being written: sections, symbols,
 * relocations, notes.  write.c lays it out.
 *
 * Rules: System V ABI (gABI); LLVM's User Guide for AMDGPU Backend, ELF Code Object.
 *
 * Relocation sections hold encoded entries that name symbols by the builder's
 * index; write.c renumbers them once, when the order of symbols is known.
 */
#include "elf/builder.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/link.h>

#include "base/diag.h"
#include "base/options.h"

enum { EM_AMDGPU_ = 224, OSABI_AMDHSA = 64, MAX_ALIGN = 1 << 24 };

/* ---- making one ------------------------------------------------------------------ */

static struct co_bsection *new_section(struct codeobj_builder *b)
{
    if (b->section_count == b->section_cap) {
        uint32_t cap = b->section_cap ? b->section_cap * 2 : 16;
        struct co_bsection *grown = cap > b->section_cap ? realloc(b->sections, cap * sizeof *grown) : NULL;
        if (!grown)
            return NULL;
        b->sections = grown;
        b->section_cap = cap;
    }
    struct co_bsection *s = &b->sections[b->section_count];
    *s = (struct co_bsection){ .header = { .idx = b->section_count, .name = "" } };
    b->section_count++;
    return s;
}

static struct codeobj_elf_symbol *new_symbol(struct codeobj_builder *b)
{
    if (b->symbol_count == b->symbol_cap) {
        uint32_t cap = b->symbol_cap ? b->symbol_cap * 2 : 16;
        struct codeobj_elf_symbol *symbols = cap > b->symbol_cap ? realloc(b->symbols, cap * sizeof *symbols) : NULL;
        if (!symbols)
            return NULL;
        b->symbols = symbols;
        struct co_bsymbol_state *states = realloc(b->symbol_states, cap * sizeof *states);
        if (!states)
            return NULL;
        b->symbol_states = states;
        b->symbol_cap = cap;
    }
    b->symbol_states[b->symbol_count] = (struct co_bsymbol_state){ .in_symtab = true };
    struct codeobj_elf_symbol *s = &b->symbols[b->symbol_count];
    *s = (struct codeobj_elf_symbol){ .name = "", .idx = b->symbol_count };
    b->symbol_count++;
    return s;
}

enum codeobj_status codeobj_builder_set_target(struct codeobj_builder *b, const struct codeobj_target *target, int version,
                                               struct codeobj_diag *diag)
{
    if (!target->processor)
        return co_fail(diag, CODEOBJ_INVALID, "the processor is not known");
    if (b->header.osabi == OSABI_AMDHSA) {
        if (version < 3 || version > 6)
            return co_fail(diag, CODEOBJ_INVALID, "code object version: found %d, expected 3 to 6", version);
        if (target->generic_version && version < 6)
            return co_fail(diag, CODEOBJ_INVALID, "%s needs code object version 6: found %d", target->processor->name, version);
        b->header.abi_version = (uint8_t)(version - 2);
        b->header.code_object_version = version;
    }
    if ((target->processor->gen == CODEOBJ_GEN_R600) != b->is32)
        return co_fail(diag, CODEOBJ_INVALID, "%s does not fit the object's ELF class", target->processor->name);
    b->header.flags = codeobj_target_to_flags(target, b->header.osabi, b->header.abi_version);
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_new(const struct codeobj_builder_options *options, struct codeobj_builder **out,
                                        struct codeobj_diag *diag)
{
    CO_OPTIONS(struct codeobj_builder_options, opt, options);
    if (opt.type != ET_REL && opt.type != ET_DYN)
        return co_fail(diag, CODEOBJ_INVALID, "object type %u: expected ET_REL or ET_DYN", opt.type);
    if (opt.osabi == OSABI_AMDHSA && opt.target.processor && opt.target.processor->gen < CODEOBJ_GEN_GFX6)
        return co_fail(diag, CODEOBJ_INVALID, "amdhsa has no %s: r600 processors have other OS ABIs", opt.target.processor->name);
    struct codeobj_builder *b = calloc(1, sizeof *b);
    if (!b)
        return co_no_memory(diag);
    b->is32 = opt.target.processor && opt.target.processor->gen == CODEOBJ_GEN_R600;
    b->rela = opt.osabi == OSABI_AMDHSA;
    b->link = opt.type == ET_DYN;
    b->header = (struct codeobj_elf_header){ .elf_class = b->is32 ? ELFCLASS32 : ELFCLASS64, .osabi = opt.osabi,
                                             .type = ET_REL, .machine = EM_AMDGPU_, .version = EV_CURRENT };
    enum codeobj_status st = codeobj_builder_set_target(b, &opt.target, opt.code_object_version, diag);
    if (!st && (!new_section(b) || !new_symbol(b)))
        st = co_no_memory(diag);
    b->symbols_changed = b->sections_changed = true;
    if (st) {
        codeobj_builder_free(b);
        return st;
    }
    *out = b;
    return CODEOBJ_OK;
}

struct named {
    const char *name;
    uint32_t idx;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->idx > y->idx) - (x->idx < y->idx);
}

/* Finds the symbol of .symtab that a dynamic one is; those without become symbols of .dynsym alone. */
static enum codeobj_status pair_dynamic_symbols(struct codeobj_builder *b, struct codeobj_diag *diag)
{
    size_t count = codeobj_elf_symbol_count(b->elf, CODEOBJ_DYNSYM), used = 0;
    b->dynsym = b->segment_count ? codeobj_elf_symtab_section(b->elf, CODEOBJ_DYNSYM) : 0;
    if (!b->dynsym)
        return CODEOBJ_OK;
    struct named *names = calloc(b->symbol_count + 1u, sizeof *names);
    if (!names)
        return co_no_memory(diag);
    for (uint32_t i = 1; i < b->symbol_count; i++)
        if (b->symbols[i].binding != STB_LOCAL)
            names[used++] = (struct named){ b->symbols[i].name, i };
    qsort(names, used, sizeof *names, by_name);
    enum codeobj_status st = CODEOBJ_OK;
    for (size_t i = 1; !st && i < count; i++) {
        struct codeobj_elf_symbol d;
        codeobj_elf_symbol(b->elf, CODEOBJ_DYNSYM, i, &d);
        struct named key = { d.name, 0 };
        size_t low = 0, high = used;
        while (low < high) {
            size_t mid = low + (high - low) / 2;
            if (by_name(&names[mid], &key) < 0)
                low = mid + 1;
            else
                high = mid;
        }
        while (low < used && !strcmp(names[low].name, d.name) && b->symbol_states[names[low].idx].in_dynsym)
            low++;
        uint32_t idx = low < used && !strcmp(names[low].name, d.name) ? names[low].idx : 0;
        if (!idx) {
            struct codeobj_elf_symbol *s = new_symbol(b);
            if (s) {
                idx = s->idx;
                *s = d;
                s->idx = idx;
                b->symbol_states[idx].in_symtab = false;
            } else {
                st = co_no_memory(diag);
            }
        }
        if (idx) {
            b->symbol_states[idx].in_dynsym = true;
            b->symbol_states[idx].dynamic = (uint32_t)i;
        }
    }
    free(names);
    return st;
}

static enum codeobj_status copy_elf(struct codeobj_builder *b, struct codeobj_diag *diag)
{
    enum codeobj_status st;
    b->segment_count = codeobj_elf_segment_count(b->elf);
    for (size_t i = 0; i < codeobj_elf_section_count(b->elf); i++) {
        struct co_bsection *s = new_section(b);
        if (!s)
            return co_no_memory(diag);
        codeobj_elf_section(b->elf, i, &s->header);
        size_t size;
        const void *data = codeobj_elf_section_data(b->elf, i, &size);
        s->stored = co_span_make(data, size);
        if (i == 0) {
            continue; /* whatever its header says: not a section */
        } else if (s->header.type == SHT_SYMTAB && !b->symtab) {
            b->symtab = (uint32_t)i;
            b->strtab = s->header.link;
        } else if (s->header.type == SHT_SYMTAB_SHNDX) {
            b->xindex = (uint32_t)i;
        } else if (s->header.type == SHT_RELA) {
            b->rela = true;
        }
    }
    for (size_t i = 0; i < codeobj_elf_symbol_count(b->elf, CODEOBJ_SYMTAB); i++) {
        struct codeobj_elf_symbol *s = new_symbol(b);
        if (!s)
            return co_no_memory(diag);
        codeobj_elf_symbol(b->elf, CODEOBJ_SYMTAB, i, s);
    }
    /* Files without section headers get them when something is added. */
    if ((!b->symbol_count && !new_symbol(b)) || (!b->section_count && !new_section(b)))
        return co_no_memory(diag);
    if ((st = pair_dynamic_symbols(b, diag)))
        return st;
    b->shstrtab = b->header.shstrndx < b->section_count ? b->header.shstrndx : 0;
    b->segments = calloc(b->segment_count + 1, sizeof *b->segments);
    if (!b->segments)
        return co_no_memory(diag);
    for (size_t i = 0; i < b->segment_count; i++)
        codeobj_elf_segment(b->elf, i, &b->segments[i]);
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_open(const struct codeobj_elf *elf, struct codeobj_builder **out, struct codeobj_diag *diag)
{
    struct codeobj_diag finding;
    co_diag_file(diag, codeobj_elf_name(elf));
    if (!codeobj_elf_finding(elf, 0, &finding))
        return co_fail(diag, CODEOBJ_INVALID, "a damaged object cannot be edited: %s", finding.text);
    struct codeobj_builder *b = calloc(1, sizeof *b);
    if (!b)
        return co_no_memory(diag);
    b->elf = elf;
    codeobj_elf_header(elf, &b->header);
    b->is32 = b->header.elf_class == ELFCLASS32;
    b->rela = b->header.osabi == OSABI_AMDHSA;
    enum codeobj_status st = copy_elf(b, diag);
    if (st) {
        codeobj_builder_free(b);
        return st;
    }
    *out = b;
    return CODEOBJ_OK;
}

void codeobj_builder_free(struct codeobj_builder *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; i < b->section_count; i++)
        co_buffer_free(&b->sections[i].data);
    free(b->sections);
    free(b->symbols);
    free(b->symbol_states);
    free(b->segments);
    free(b->dynamic_relocations);
    co_arena_free(&b->arena);
    free(b);
}

/* ---- sections -------------------------------------------------------------------------- */

bool co_bsection_own(struct co_bsection *s)
{
    if (s->owned)
        return true;
    co_buffer_add(&s->data, s->stored.data, s->stored.size);
    s->owned = !s->data.failed;
    return s->owned;
}

static enum codeobj_status check_idx(const struct codeobj_builder *b, uint32_t idx, struct codeobj_diag *diag)
{
    if (!idx || idx >= b->section_count || b->sections[idx].removed)
        return co_fail(diag, CODEOBJ_INVALID, "no section %u", idx);
    return CODEOBJ_OK;
}

/* Sections that nothing but .dynamic and program headers leads to: they may go elsewhere. */
static bool is_movable(const struct co_bsection *s)
{
    switch (s->header.type) {
    case SHT_NOTE:
    case SHT_DYNSYM:
    case SHT_STRTAB:
    case SHT_HASH:
    case SHT_GNU_HASH:
    case SHT_GNU_versym:
    case SHT_GNU_verdef:
    case SHT_GNU_verneed:
    case SHT_REL:
    case SHT_RELA:
    case SHT_RELR: return true;
    default: return false;
    }
}

/* A section that a segment holds is to take more bytes than it has there. */
static enum codeobj_status outgrow(struct co_bsection *s, uint64_t size, struct codeobj_diag *diag)
{
    if (!is_movable(s))
        return co_fail(diag, CODEOBJ_INVALID,
                       "section \"%.60s\" cannot grow from 0x%llx to 0x%llx bytes: a segment holds it, and code refers to what is in it and behind it",
                       s->header.name, (unsigned long long)s->header.size, (unsigned long long)size);
    s->moved = true;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_section_add(struct codeobj_builder *b, const struct codeobj_builder_section *section,
                                                uint32_t *idx, struct codeobj_diag *diag)
{
    if (section->align & (section->align - 1))
        return co_fail(diag, CODEOBJ_INVALID, "alignment 0x%llx is not a power of two", (unsigned long long)section->align);
    if (b->segment_count && (section->flags & SHF_ALLOC) && (section->flags & SHF_TLS))
        return co_fail(diag, CODEOBJ_INVALID, "section \"%.60s\": a linked object takes no more thread-local sections", section->name);
    const char *name = co_arena_strndup(&b->arena, section->name, strlen(section->name));
    struct co_bsection *s = name ? new_section(b) : NULL;
    if (!s)
        return co_no_memory(diag);
    s->header.name = name;
    s->header.type = section->type;
    s->header.flags = section->flags;
    s->header.align = section->align ? section->align : 1;
    s->header.entsize = section->entsize;
    s->header.link = section->link;
    s->header.info = section->info;
    s->owned = true;
    s->added = true;
    b->sections_changed = true;
    *idx = s->header.idx;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_section_by_name(const struct codeobj_builder *b, const char *name, uint32_t *idx)
{
    for (uint32_t i = 1; i < b->section_count; i++)
        if (!b->sections[i].removed && !strcmp(b->sections[i].header.name, name)) {
            *idx = i;
            return CODEOBJ_OK;
        }
    return CODEOBJ_NOT_FOUND;
}

enum codeobj_status codeobj_builder_section_append(struct codeobj_builder *b, uint32_t idx, const void *data, uint64_t size,
                                                   uint64_t align, uint64_t *offset, struct codeobj_diag *diag)
{
    enum codeobj_status st = check_idx(b, idx, diag);
    if (st)
        return st;
    struct co_bsection *s = &b->sections[idx];
    if ((align & (align - 1)) || align > MAX_ALIGN)
        return co_fail(diag, CODEOBJ_INVALID, "alignment 0x%llx is not a power of two up to 0x%x", (unsigned long long)align, MAX_ALIGN);
    if (co_bsection_is_placed(b, s) && (st = outgrow(s, co_bsection_bytes(s).size + size, diag)))
        return st;
    if (s->header.type == SHT_NOBITS) {
        uint64_t at = align > 1 ? (s->header.size + align - 1) & ~(align - 1) : s->header.size;
        if (size > UINT64_MAX / 2 - at)
            return co_fail(diag, CODEOBJ_INVALID, "section \"%.60s\": size 0x%llx", s->header.name, (unsigned long long)size);
        s->header.size = at + size;
        if (offset)
            *offset = at;
    } else {
        if (!co_bsection_own(s))
            return co_no_memory(diag);
        /* Code is padded with s_nop, which may be run through; other things with zeros. */
        if ((s->header.flags & SHF_EXECINSTR) && s->data.size % 4 == 0)
            while (align > 4 && s->data.size % align && !s->data.failed)
                co_buffer_add(&s->data, "\x00\x00\x80\xbf", 4);
        else
            co_buffer_align(&s->data, (size_t)align);
        if (offset)
            *offset = s->data.size;
        if (size > SIZE_MAX / 2)
            return co_no_memory(diag);
        if (data)
            co_buffer_add(&s->data, data, (size_t)size);
        else
            co_buffer_fill(&s->data, 0, (size_t)size);
        if (s->data.failed)
            return co_no_memory(diag);
    }
    if (align > s->header.align)
        s->header.align = align;
    s->resized = true;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_section_set(struct codeobj_builder *b, uint32_t idx, const void *data, size_t size,
                                                struct codeobj_diag *diag)
{
    enum codeobj_status st = check_idx(b, idx, diag);
    if (st)
        return st;
    struct co_bsection *s = &b->sections[idx];
    size_t old = co_bsection_bytes(s).size;
    if (s->header.type == SHT_NOBITS)
        return co_fail(diag, CODEOBJ_INVALID, "section \"%.60s\" has no bytes to set", s->header.name);
    if (co_bsection_is_placed(b, s) && size > s->header.size && (st = outgrow(s, size, diag)))
        return st;
    struct co_buffer fresh = { 0 };
    co_buffer_add(&fresh, data, size);
    if (fresh.failed)
        return co_no_memory(diag);
    co_buffer_free(&s->data);
    s->data = fresh;
    s->owned = true;
    if (size != old)
        s->resized = true;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_section_remove(struct codeobj_builder *b, uint32_t idx, struct codeobj_diag *diag)
{
    enum codeobj_status st = check_idx(b, idx, diag);
    if (st)
        return st;
    struct co_bsection *s = &b->sections[idx];
    if (co_bsection_is_placed(b, s))
        return co_fail(diag, CODEOBJ_INVALID, "section \"%.60s\" is held by a segment", s->header.name);
    if ((st = co_builder_dynamic_check_unused(b, idx, 0, diag)))
        return st;
    if (idx == b->rela_dyn)
        return co_fail(diag, CODEOBJ_INVALID, "section \"%.60s\" holds dynamic relocations", s->header.name);
    for (uint32_t i = 1; i < b->section_count; i++) {
        const struct co_bsection *t = &b->sections[i];
        if (!t->removed && i != idx && t->header.link == idx)
            return co_fail(diag, CODEOBJ_INVALID, "section \"%.60s\" is still needed by \"%.60s\"", s->header.name, t->header.name);
        if (!t->removed && t->header.type == SHT_GROUP)
            for (size_t at = 4; at + 4 <= co_bsection_bytes(t).size; at += 4)
                if (co_load32(co_bsection_bytes(t).data + at) == idx)
                    return co_fail(diag, CODEOBJ_INVALID, "section \"%.60s\" belongs to a section group", s->header.name);
    }
    for (uint32_t i = 1; i < b->symbol_count; i++)
        if (!b->symbol_states[i].removed && b->symbols[i].shndx == idx && b->symbols[i].type != STT_SECTION)
            return co_fail(diag, CODEOBJ_INVALID, "section \"%.60s\" still defines symbol \"%.60s\"", s->header.name, b->symbols[i].name);
    for (uint32_t i = 1; i < b->symbol_count; i++)
        if (b->symbols[i].shndx == idx && !b->symbol_states[i].removed && (st = codeobj_builder_symbol_remove(b, i, diag)))
            return st;
    for (uint32_t i = 1; i < b->section_count; i++)
        if (co_bsection_is_relocations(&b->sections[i]) && b->sections[i].header.info == idx && !(b->sections[i].header.flags & SHF_ALLOC))
            b->sections[i].removed = true;
    s->removed = true;
    b->sections_changed = true;
    return CODEOBJ_OK;
}

/* The section of relocations for it is called after it. */
static enum codeobj_status rename_relocations(struct codeobj_builder *b, uint32_t idx, const char *name, struct codeobj_diag *diag)
{
    for (uint32_t i = 1; i < b->section_count; i++) {
        struct co_bsection *t = &b->sections[i];
        const char *prefix = t->header.type == SHT_RELA ? ".rela" : ".rel", *now = b->sections[idx].header.name;
        if (t->removed || !co_bsection_is_relocations(t) || (t->header.flags & SHF_ALLOC) || t->header.info != idx ||
            strncmp(t->header.name, prefix, strlen(prefix)) || strcmp(t->header.name + strlen(prefix), now))
            continue;
        char *both = co_arena_alloc(&b->arena, strlen(prefix) + strlen(name) + 1);
        if (!both)
            return co_no_memory(diag);
        strcpy(strcpy(both, prefix) + strlen(prefix), name);
        t->header.name = both;
    }
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_section_rename(struct codeobj_builder *b, uint32_t idx, const char *name, struct codeobj_diag *diag)
{
    enum codeobj_status st = check_idx(b, idx, diag);
    if (st)
        return st;
    const char *copy = co_arena_strndup(&b->arena, name, strlen(name));
    if (!copy)
        return co_no_memory(diag);
    if ((st = rename_relocations(b, idx, copy, diag)))
        return st;
    b->sections[idx].header.name = copy;
    b->sections_changed = true;
    return CODEOBJ_OK;
}

/* ---- symbols -------------------------------------------------------------------------------- */

static enum codeobj_status fill_symbol(struct codeobj_builder *b, struct codeobj_elf_symbol *place,
                                       const struct codeobj_elf_symbol *symbol, struct codeobj_diag *diag)
{
    bool reserved = symbol->shndx >= 0xffffff00u;
    if (!reserved && symbol->shndx && check_idx(b, symbol->shndx, NULL))
        return co_fail(diag, CODEOBJ_INVALID, "symbol \"%.60s\": no section %u", symbol->name, symbol->shndx);
    const char *name = co_arena_strndup(&b->arena, symbol->name, strlen(symbol->name));
    if (!name)
        return co_no_memory(diag);
    uint32_t idx = place->idx;
    *place = *symbol;
    place->idx = idx;
    place->name = name;
    place->other = (uint8_t)((symbol->other & ~3u) | (symbol->visibility & 3u));
    b->symbols_changed = true;
    return CODEOBJ_OK;
}

/* Would a linker put it into .dynsym? */
static bool is_exported(const struct codeobj_builder *b, const struct codeobj_elf_symbol *s)
{
    return b->dynsym && s->binding != STB_LOCAL && (s->visibility == STV_DEFAULT || s->visibility == STV_PROTECTED) && s->type != STT_SECTION &&
           s->type != STT_FILE && s->name[0];
}

static size_t entry_size(const struct codeobj_builder *b, uint32_t type)
{
    return b->is32 ? (type == SHT_RELA ? 12 : 8) : (type == SHT_RELA ? 24 : 16);
}

/* INVALID when a relocation that goes with symbol table `symtab` names its entry `idx`. */
static enum codeobj_status check_unnamed(const struct codeobj_builder *b, uint32_t symtab, uint32_t idx, const char *name,
                                         struct codeobj_diag *diag)
{
    for (uint32_t i = 1; i < b->section_count; i++) {
        const struct co_bsection *s = &b->sections[i];
        if (s->removed || s->header.link != symtab || !co_bsection_is_relocations(s)) /* both 0 in a new object */
            continue;
        struct co_span bytes = co_bsection_bytes(s);
        size_t entry = entry_size(b, s->header.type);
        for (size_t at = 0; at + entry <= bytes.size; at += entry)
            if ((b->is32 ? co_load32(bytes.data + at + 4) >> 8 : co_load32(bytes.data + at + 12)) == idx)
                return co_fail_at(diag, CODEOBJ_INVALID, s->header.name, at, "symbol \"%.60s\" is named by a relocation", name);
    }
    return CODEOBJ_OK;
}

/* It is to leave .dynsym. */
static enum codeobj_status check_hidable(const struct codeobj_builder *b, uint32_t idx, struct codeobj_diag *diag)
{
    const struct co_bsymbol_state *state = &b->symbol_states[idx];
    return state->in_dynsym && state->dynamic ? check_unnamed(b, b->dynsym, state->dynamic, b->symbols[idx].name, diag) : CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_symbol_add(struct codeobj_builder *b, const struct codeobj_elf_symbol *symbol, uint32_t *idx,
                                               struct codeobj_diag *diag)
{
    struct codeobj_elf_symbol *s = new_symbol(b);
    if (!s)
        return co_no_memory(diag);
    enum codeobj_status st = fill_symbol(b, s, symbol, diag);
    if (st) {
        b->symbol_count--;
        return st;
    }
    struct co_bsymbol_state *state = &b->symbol_states[s->idx];
    state->in_dynsym = is_exported(b, s);
    state->in_symtab = b->symtab || !state->in_dynsym; /* a stripped object stays so */
    b->dynamic_changed |= state->in_dynsym;
    if (idx)
        *idx = s->idx;
    return CODEOBJ_OK;
}

static enum codeobj_status check_symbol(const struct codeobj_builder *b, uint32_t idx, struct codeobj_diag *diag)
{
    if (!idx || idx >= b->symbol_count || b->symbol_states[idx].removed)
        return co_fail(diag, CODEOBJ_INVALID, "no symbol %u", idx);
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_symbol_set(struct codeobj_builder *b, uint32_t idx, const struct codeobj_elf_symbol *symbol,
                                               struct codeobj_diag *diag)
{
    enum codeobj_status st = check_symbol(b, idx, diag);
    bool exported = is_exported(b, symbol);
    if (!st && !exported)
        st = check_hidable(b, idx, diag);
    if (!st)
        st = fill_symbol(b, &b->symbols[idx], symbol, diag);
    if (st)
        return st;
    struct co_bsymbol_state *state = &b->symbol_states[idx];
    b->dynamic_changed |= state->in_dynsym || exported;
    state->in_dynsym = exported;
    state->in_symtab |= !exported;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_symbol_remove(struct codeobj_builder *b, uint32_t idx, struct codeobj_diag *diag)
{
    enum codeobj_status st = check_symbol(b, idx, diag);
    for (uint32_t i = 1; !st && i < b->section_count; i++)
        if (!b->sections[i].removed && b->sections[i].header.link == b->symtab && b->sections[i].header.type == SHT_GROUP &&
            b->sections[i].header.info == idx)
            return co_fail(diag, CODEOBJ_INVALID, "symbol \"%.60s\" names section group %u", b->symbols[idx].name, i);
    if (!st)
        st = co_builder_dynamic_check_unused(b, 0, idx, diag);
    if (!st)
        st = check_hidable(b, idx, diag);
    if (!st && b->symbol_states[idx].in_symtab)
        st = check_unnamed(b, b->symtab, idx, b->symbols[idx].name, diag);
    if (!st) {
        b->symbol_states[idx].removed = true;
        b->symbols_changed = true;
        b->dynamic_changed |= b->symbol_states[idx].in_dynsym;
    }
    return st;
}

enum codeobj_status codeobj_builder_symbol_by_name(const struct codeobj_builder *b, const char *name, uint32_t *idx,
                                                   struct codeobj_elf_symbol *out)
{
    for (uint32_t i = 1; i < b->symbol_count; i++)
        if (!b->symbol_states[i].removed && !strcmp(b->symbols[i].name, name)) {
            *idx = i;
            if (out)
                *out = b->symbols[i];
            return CODEOBJ_OK;
        }
    return CODEOBJ_NOT_FOUND;
}

/* ---- relocations ------------------------------------------------------------------------------ */

/* The section of relocations for `section`, made when there is none. */
static enum codeobj_status relocation_section(struct codeobj_builder *b, uint32_t section, uint32_t *idx, struct codeobj_diag *diag)
{
    uint32_t known = b->sections[section].relocations;
    if (known && !b->sections[known].removed) {
        *idx = known;
        return CODEOBJ_OK;
    }
    for (uint32_t i = 1; i < b->section_count; i++)
        if (!b->sections[i].removed && co_bsection_is_relocations(&b->sections[i]) && b->sections[i].header.info == section) {
            *idx = b->sections[section].relocations = i;
            return CODEOBJ_OK;
        }
    struct co_buffer name = { 0 };
    co_buffer_text(&name, b->rela ? ".rela" : ".rel");
    co_buffer_text(&name, b->sections[section].header.name);
    co_buffer_byte(&name, 0);
    uint32_t type = b->rela ? SHT_RELA : SHT_REL;
    struct codeobj_builder_section s = { (const char *)name.data, type, SHF_INFO_LINK, b->is32 ? 4 : 8, entry_size(b, type), b->symtab, section };
    enum codeobj_status st = name.failed ? co_no_memory(diag) : codeobj_builder_section_add(b, &s, idx, diag);
    co_buffer_free(&name);
    if (!st)
        b->sections[section].relocations = *idx;
    return st;
}

/* SHT_REL: the addend goes where the relocation applies. */
static enum codeobj_status store_addend(struct codeobj_builder *b, uint32_t section, const struct codeobj_elf_relocation *r,
                                        struct codeobj_diag *diag)
{
    struct co_bsection *s = &b->sections[section];
    const struct codeobj_relocation_info *info = codeobj_relocation_info(r->type);
    if (!co_bsection_own(s))
        return co_no_memory(diag);
    if (!info || !co_span_has(co_span_make(s->data.data, s->data.size), r->offset, info->bytes))
        return co_fail(diag, CODEOBJ_INVALID, "relocation of type %u at 0x%llx: outside section \"%.60s\"", r->type,
                       (unsigned long long)r->offset, s->header.name);
    for (unsigned i = 0; i < info->bytes; i++)
        s->data.data[r->offset + i] = (uint8_t)((uint64_t)r->addend >> (8 * i));
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_relocation_add(struct codeobj_builder *b, uint32_t section, const struct codeobj_elf_relocation *r,
                                                   struct codeobj_diag *diag)
{
    enum codeobj_status st = check_idx(b, section, diag);
    uint32_t idx;
    if (st)
        return st;
    if (r->symbol && (st = check_symbol(b, r->symbol, diag)))
        return st;
    if (b->segment_count)
        return co_builder_dynamic_relocation_add(b, section, r, diag);
    if ((st = relocation_section(b, section, &idx, diag)))
        return st;
    struct co_bsection *s = &b->sections[idx];
    bool rela = s->header.type == SHT_RELA;
    if (!rela && (st = store_addend(b, section, r, diag)))
        return st;
    if (!co_bsection_own(s))
        return co_no_memory(diag);
    uint8_t e[24];
    if (b->is32) {
        co_store32(e, (uint32_t)r->offset);
        co_store32(e + 4, r->symbol << 8 | (r->type & 0xff));
        co_store32(e + 8, (uint32_t)r->addend);
    } else {
        co_store64(e, r->offset);
        co_store32(e + 8, r->type);
        co_store32(e + 12, r->symbol);
        co_store64(e + 16, (uint64_t)r->addend);
    }
    co_buffer_add(&s->data, e, entry_size(b, s->header.type));
    s->resized = true;
    return s->data.failed ? co_no_memory(diag) : CODEOBJ_OK;
}

/* ---- notes --------------------------------------------------------------------------------------- */

static size_t pad4(size_t n) { return (n + 3) & ~(size_t)3; }

static void put_note(struct co_buffer *out, const char *owner, uint32_t type, const void *desc, size_t size)
{
    uint8_t head[12];
    size_t n = strlen(owner) + 1;
    co_store32(head, (uint32_t)n);
    co_store32(head + 4, (uint32_t)size);
    co_store32(head + 8, type);
    co_buffer_add(out, head, sizeof head);
    co_buffer_add(out, owner, n);
    co_buffer_align(out, 4);
    co_buffer_add(out, desc, size);
    co_buffer_align(out, 4);
}

/* Copies the notes of s that are not (owner, type); *place: where the first of those stood, else the end. */
static bool copy_other_notes(struct co_span s, const char *owner, uint32_t type, struct co_buffer *out, size_t *place)
{
    bool found = false;
    size_t owner_size = strlen(owner) + 1;
    for (size_t at = 0; co_span_has(s, at, 12);) {
        size_t namesz = co_load32(s.data + at), descsz = co_load32(s.data + at + 4);
        size_t size = 12 + pad4(namesz) + pad4(descsz);
        if (!co_span_has(s, at, size))
            size = s.size - at;
        if (co_load32(s.data + at + 8) == type && namesz == owner_size && co_span_has(s, at + 12, owner_size) &&
            !memcmp(s.data + at + 12, owner, owner_size)) {
            if (!found)
                *place = out->size;
            found = true;
        } else {
            co_buffer_add(out, s.data + at, size);
        }
        at += size;
    }
    if (!found)
        *place = out->size;
    return found;
}

/* The note section to put (owner, type) in: one that has it, else .note. */
static enum codeobj_status note_section(struct codeobj_builder *b, const char *owner, uint32_t type, uint32_t *idx, struct codeobj_diag *diag)
{
    for (uint32_t i = 1; i < b->section_count; i++) {
        if (b->sections[i].removed || b->sections[i].header.type != SHT_NOTE)
            continue;
        struct co_buffer scratch = { 0 };
        size_t place;
        bool has = copy_other_notes(co_bsection_bytes(&b->sections[i]), owner, type, &scratch, &place);
        co_buffer_free(&scratch);
        if (has) {
            *idx = i;
            return CODEOBJ_OK;
        }
    }
    if (!codeobj_builder_section_by_name(b, ".note", idx))
        return CODEOBJ_OK;
    struct codeobj_builder_section s = { ".note", SHT_NOTE, b->header.osabi == OSABI_AMDHSA ? SHF_ALLOC : 0, 4, 0, 0, 0 };
    return codeobj_builder_section_add(b, &s, idx, diag);
}

enum codeobj_status codeobj_builder_note_set(struct codeobj_builder *b, const char *owner, uint32_t type, const void *desc, size_t size,
                                             struct codeobj_diag *diag)
{
    uint32_t idx;
    if (size > UINT32_MAX)
        return co_fail(diag, CODEOBJ_INVALID, "note of 0x%zx bytes", size);
    enum codeobj_status st = note_section(b, owner, type, &idx, diag);
    if (st)
        return st;
    struct co_buffer kept = { 0 }, all = { 0 };
    size_t place = 0;
    copy_other_notes(co_bsection_bytes(&b->sections[idx]), owner, type, &kept, &place);
    co_buffer_add(&all, kept.data, place);
    if (desc)
        put_note(&all, owner, type, desc, size);
    if (kept.size > place)
        co_buffer_add(&all, kept.data + place, kept.size - place);
    st = kept.failed || all.failed ? co_no_memory(diag) : codeobj_builder_section_set(b, idx, all.data, all.size, diag);
    co_buffer_free(&kept);
    co_buffer_free(&all);
    return st;
}

/* ---- finish ----------------------------------------------------------------------------------------- */

/* The last message of a failed link, on one line. */
static enum codeobj_status link_failure(const struct codeobj_link_result *result, enum codeobj_status st, struct codeobj_diag *diag)
{
    struct codeobj_link_message message;
    char text[400] = "linking failed";
    for (size_t i = 0; result && !codeobj_link_result_message(result, i, &message); i++)
        if (message.is_error) {
            size_t n = strcspn(message.text, "\n");
            n = n < sizeof text ? n : sizeof text - 1;
            memcpy(text, message.text, n);
            text[n] = 0;
            break;
        }
    return co_fail(diag, st, "%s", text);
}

static enum codeobj_status link_object(struct co_buffer *object, void **out, size_t *size, struct codeobj_diag *diag)
{
    struct codeobj_link_input input = { .name = "builder", .data = object->data, .size = object->size };
    struct codeobj_link_options options = { .size = sizeof options, .kind = CODEOBJ_LINK_SHARED };
    struct codeobj_link_result *result = NULL;
    enum codeobj_status st = codeobj_link(&input, 1, &options, &result);
    size_t n = 0;
    const void *image = result ? codeobj_link_result_image(result, &n) : NULL;
    if (!st && image) {
        void *copy = malloc(n ? n : 1);
        if (copy) {
            memcpy(copy, image, n);
            *out = copy;
            *size = n;
        } else {
            st = co_no_memory(diag);
        }
    } else {
        st = link_failure(result, st ? st : CODEOBJ_INVALID, diag);
    }
    codeobj_link_result_free(result);
    return st;
}

enum codeobj_status codeobj_builder_finish(struct codeobj_builder *b, void **out, size_t *size, struct codeobj_diag *diag)
{
    enum codeobj_status st = b->before_finish ? b->before_finish(b, diag) : CODEOBJ_OK;
    struct co_buffer object = { 0 };
    if (!st)
        st = co_builder_write(b, &object, diag);
    if (!st && object.failed)
        st = co_no_memory(diag);
    if (!st && b->link) {
        st = link_object(&object, out, size, diag);
    } else if (!st) {
        *out = object.data;
        *size = object.size;
        return CODEOBJ_OK;
    }
    co_buffer_free(&object);
    return st;
}

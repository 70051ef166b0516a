/* SPDX-License-Identifier: MIT
 *
 * elf/relocs.c - relocation sections, section groups, the relocation table.
 *
 * Rules: System V ABI, Relocation and Section Groups; LLVM's User Guide for
 * AMDGPU Backend, Relocation Records.
 *
 * Objects for HSA use SHT_RELA, those for PAL, Mesa and no OS use SHT_REL.
 */
#include <codeobj/elf.h>

#include <elf.h>

#include "base/diag.h"
#include "elf/elf.h"

static const struct codeobj_relocation_info infos[] = {
#define RELOC(id, code, size) [code] = { .name = #id, .type = code, .bytes = size },
#include "elf/relocs.def"
#undef RELOC
};

const struct codeobj_relocation_info *codeobj_relocation_info(uint32_t type)
{
    return type < sizeof infos / sizeof *infos && infos[type].name ? &infos[type] : NULL;
}

static size_t entry_size(const struct codeobj_elf *elf, uint32_t sh_type)
{
    return sh_type == SHT_RELA ? co_rela_size(elf) : sh_type == SHT_REL ? co_rel_size(elf) : 0;
}

size_t codeobj_elf_relocation_count(const struct codeobj_elf *elf, size_t section_idx)
{
    if (section_idx >= elf->section_count)
        return 0;
    size_t entry = entry_size(elf, elf->sections[section_idx].type);
    return entry ? elf->section_bytes[section_idx].size / entry : 0;
}

static void load_relocation(const struct codeobj_elf *elf, const uint8_t *p, bool rela, struct codeobj_elf_relocation *out)
{
    if (elf->is32) {
        uint32_t info = co_load32(p + 4);
        *out = (struct codeobj_elf_relocation){ co_load32(p), info & 0xff, info >> 8, rela ? (int32_t)co_load32(p + 8) : 0 };
    } else {
        *out = (struct codeobj_elf_relocation){ co_load64(p), co_load32(p + 8), co_load32(p + 12),
                                                rela ? (int64_t)co_load64(p + 16) : 0 };
    }
}

enum codeobj_status codeobj_elf_relocation(const struct codeobj_elf *elf, size_t section_idx, size_t idx,
                                           struct codeobj_elf_relocation *out)
{
    if (idx >= codeobj_elf_relocation_count(elf, section_idx))
        return CODEOBJ_INVALID;
    uint32_t type = elf->sections[section_idx].type;
    load_relocation(elf, elf->section_bytes[section_idx].data + idx * entry_size(elf, type), type == SHT_RELA, out);
    return CODEOBJ_OK;
}

/* ---- checks ---------------------------------------------------------------------- */

/* The symbol table that relocations of s name, or NULL. */
static const struct co_symtab *linked_symbols(const struct codeobj_elf *elf, const struct codeobj_elf_section *s)
{
    for (int i = 0; i < 2; i++)
        if (s->link && elf->symtabs[i].present && elf->symtabs[i].section_idx == s->link)
            return &elf->symtabs[i];
    return NULL;
}

/* Bytes that relocations of section idx may point into; of a compressed one those it unpacks to. */
static uint64_t relocated_size(const struct codeobj_elf *elf, uint32_t idx)
{
    const struct codeobj_elf_section *s = &elf->sections[idx];
    size_t header = elf->is32 ? sizeof(Elf32_Chdr) : sizeof(Elf64_Chdr);
    if (!(s->flags & SHF_COMPRESSED) || elf->section_bytes[idx].size < header)
        return s->size;
    return elf->is32 ? co_load32(elf->section_bytes[idx].data + 4) : co_load64(elf->section_bytes[idx].data + 8);
}

static enum codeobj_status check_entries(struct codeobj_elf *elf, const struct codeobj_elf_section *s, struct codeobj_diag *diag)
{
    const struct co_symtab *symbols = linked_symbols(elf, s);
    size_t symbol_count = symbols ? symbols->count : 0, entry = entry_size(elf, s->type);
    size_t count = codeobj_elf_relocation_count(elf, s->idx);
    /* Offsets are into a section only in ET_REL, where sh_info names it. */
    bool in_section = elf->header.type == ET_REL && s->info && s->info < elf->section_count;
    uint64_t limit = in_section ? relocated_size(elf, s->info) : UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_relocation r;
        load_relocation(elf, elf->section_bytes[s->idx].data + i * entry, s->type == SHT_RELA, &r);
        const struct codeobj_relocation_info *info = codeobj_relocation_info(r.type);
        uint64_t bytes = info ? info->bytes : 0;
        enum codeobj_status st = CODEOBJ_OK;
        if (r.symbol && r.symbol >= symbol_count)
            st = co_elf_problem(elf, diag, s->name, i * entry, "relocation %zu: symbol %u of %zu", i, r.symbol, symbol_count);
        else if (r.offset > limit || bytes > limit - r.offset)
            st = co_elf_problem(elf, diag, s->name, i * entry, "relocation %zu: offset 0x%llx lies outside section %u of 0x%llx bytes",
                                i, (unsigned long long)r.offset, s->info, (unsigned long long)limit);
        if (st)
            return st;
    }
    return CODEOBJ_OK;
}

enum codeobj_status co_elf_check_relocations(struct codeobj_elf *elf, struct codeobj_diag *diag)
{
    for (size_t i = 1; i < elf->section_count; i++) {
        const struct codeobj_elf_section *s = &elf->sections[i];
        size_t entry = entry_size(elf, s->type);
        if (!entry)
            continue;
        enum codeobj_status st = CODEOBJ_OK;
        if (s->entsize && s->entsize != entry)
            st = co_elf_problem(elf, diag, s->name, 0, "relocation entry size: found 0x%llx, expected 0x%zx",
                                (unsigned long long)s->entsize, entry);
        else if (elf->section_bytes[i].size % entry)
            st = co_elf_problem(elf, diag, s->name, s->size, "relocation section size 0x%llx is not a multiple of 0x%zx",
                                (unsigned long long)s->size, entry);
        else if (s->info >= elf->section_count)
            st = co_elf_problem(elf, diag, s->name, 0, "relocated section: index %u of %zu sections", s->info, elf->section_count);
        else
            st = check_entries(elf, s, diag);
        if (st)
            return st;
    }
    return CODEOBJ_OK;
}

enum codeobj_status co_elf_check_groups(struct codeobj_elf *elf, struct codeobj_diag *diag)
{
    for (size_t i = 1; i < elf->section_count; i++) {
        const struct codeobj_elf_section *s = &elf->sections[i];
        if (s->type != SHT_GROUP)
            continue;
        struct co_span b = elf->section_bytes[i];
        enum codeobj_status st = CODEOBJ_OK;
        if (b.size < 4 || b.size % 4)
            st = co_elf_problem(elf, diag, s->name, 0, "section group size 0x%zx: not a flag word and whole indices", b.size);
        else if (s->info >= elf->symtabs[CODEOBJ_SYMTAB].count)
            st = co_elf_problem(elf, diag, s->name, 0, "signature of the section group: symbol %u of %zu", s->info,
                                elf->symtabs[CODEOBJ_SYMTAB].count);
        for (size_t at = 4; !st && at + 4 <= b.size; at += 4) {
            uint32_t member = co_load32(b.data + at);
            if (member == 0 || member >= elf->section_count)
                st = co_elf_problem(elf, diag, s->name, at, "member of the section group: index %u of %zu sections", member,
                                    elf->section_count);
        }
        if (st)
            return st;
    }
    return CODEOBJ_OK;
}

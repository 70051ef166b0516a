/* SPDX-License-Identifier: MIT
 *
 * elf/builder_dynamic.c - dynamic relocations added to a linked object.
 *
 * Rules: System V ABI (gABI), Dynamic Section; LLVM's User Guide for AMDGPU
 * Backend, Relocation Records.
 *
 * The entry is made room for when it is asked for, so that layout knows its
 * size, and filled in after layout, because what it says depends on addresses:
 * one against a symbol that nobody outside can replace is a RELATIVE64.
 *
 * An object without dynamic relocations gets .rela.dyn and three tags.  .dynamic
 * has no room for them and moves; a copy that nothing leads to stays behind.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "elf/write.h"

enum { ENTRY = sizeof(Elf64_Rela), TAG = sizeof(Elf64_Dyn), NEW_TAGS = 3 };
enum { ABS32_LO = 1, ABS32_HI = 2, ABS64 = 3, RELATIVE64 = 13 };

/* ---- asked for -------------------------------------------------------------------------- */

static void put_tag(struct co_buffer *out, int64_t tag, uint64_t value)
{
    uint8_t e[TAG];
    co_store64(e, (uint64_t)tag);
    co_store64(e + 8, value);
    co_buffer_add(out, e, TAG);
}

/* Room in .dynamic for the tags that lead to .rela.dyn. */
static enum codeobj_status add_tags(struct codeobj_builder *b, struct codeobj_diag *diag)
{
    size_t at = codeobj_elf_dynamic_count(b->elf) * TAG;
    for (uint32_t i = 1; i < b->section_count; i++) {
        struct co_bsection *s = &b->sections[i];
        if (s->removed || s->header.type != SHT_DYNAMIC || !co_bsection_is_placed(b, s) || at > co_bsection_bytes(s).size)
            continue;
        struct co_buffer tags = { 0 };
        co_buffer_add(&tags, co_bsection_bytes(s).data, at);
        put_tag(&tags, DT_RELA, 0);
        put_tag(&tags, DT_RELASZ, 0);
        put_tag(&tags, DT_RELAENT, ENTRY);
        put_tag(&tags, DT_NULL, 0);
        if (tags.failed) {
            co_buffer_free(&tags);
            return co_no_memory(diag);
        }
        co_plan_replace(s, tags);
        s->moved = true;
        b->has_new_tags = true;
        b->new_tags = at;
        return CODEOBJ_OK;
    }
    return co_fail(diag, CODEOBJ_INVALID, "the object has no dynamic section");
}

/* The section that DT_RELA leads to; 0: none. */
static uint32_t rela_section(const struct codeobj_builder *b, bool *has_tag)
{
    struct codeobj_elf_dynamic d;
    for (size_t n = 0; !codeobj_elf_dynamic(b->elf, n, &d); n++)
        for (uint32_t i = 1; d.tag == DT_RELA && i < b->section_count; i++) {
            const struct co_bsection *s = &b->sections[i];
            *has_tag = true;
            if (!s->removed && !s->added && s->header.type == SHT_RELA && (s->header.flags & SHF_ALLOC) && s->header.addr == d.value &&
                s->header.link == b->dynsym && s->header.entsize == ENTRY)
                return i;
        }
    return 0;
}

static enum codeobj_status ensure_rela(struct codeobj_builder *b, struct codeobj_diag *diag)
{
    struct codeobj_builder_section fresh = { ".rela.dyn", SHT_RELA, SHF_ALLOC, 8, ENTRY, b->dynsym, 0 };
    bool has_tag = false;
    if (b->rela_dyn)
        return CODEOBJ_OK;
    uint32_t idx = rela_section(b, &has_tag);
    if (idx) {
        b->sections[idx].moved = true;
        b->rela_dyn = idx;
        return CODEOBJ_OK;
    }
    if (has_tag)
        return co_fail(diag, CODEOBJ_INVALID, "no section holds the dynamic relocations that DT_RELA leads to");
    enum codeobj_status st = codeobj_builder_section_add(b, &fresh, &idx, diag);
    if (!st && (st = add_tags(b, diag)))
        b->sections[idx].removed = true;
    if (!st)
        b->rela_dyn = idx;
    return st;
}

/* The bytes that it fills in are the section's. */
static enum codeobj_status check_inside(const struct co_bsection *s, const struct codeobj_elf_relocation *r, struct codeobj_diag *diag)
{
    uint64_t size = s->header.type == SHT_NOBITS ? s->header.size : co_bsection_bytes(s).size, bytes = codeobj_relocation_info(r->type)->bytes;
    if (bytes > size || r->offset > size - bytes)
        return co_fail_at(diag, CODEOBJ_INVALID, s->header.name, r->offset,
                          "a dynamic relocation of type %u outside the section: found 0x%llx bytes, expected 0x%llx of them at this offset", r->type,
                          (unsigned long long)size, (unsigned long long)bytes);
    return CODEOBJ_OK;
}

static enum codeobj_status check_place(const struct codeobj_builder *b, uint32_t section, const struct codeobj_elf_relocation *r,
                                       struct codeobj_diag *diag)
{
    const struct co_bsection *s = &b->sections[section];
    const struct codeobj_relocation_info *info = codeobj_relocation_info(r->type);
    if (!info || (r->type != ABS64 && r->type != RELATIVE64 && r->type != ABS32_LO && r->type != ABS32_HI))
        return co_fail(diag, CODEOBJ_INVALID, "relocation of type %u: loaders know R_AMDGPU_ABS64, RELATIVE64, ABS32_LO and ABS32_HI", r->type);
    if (r->type != RELATIVE64 && !r->symbol)
        return co_fail(diag, CODEOBJ_INVALID, "a dynamic %s names a symbol", info->name);
    if (!(s->header.flags & SHF_ALLOC) || !(s->header.flags & SHF_WRITE))
        return co_fail(diag, CODEOBJ_INVALID, "section \"%.60s\" is not writable in memory: the loader has nothing to relocate there",
                       s->header.name);
    enum codeobj_status st = check_inside(s, r, diag);
    if (st)
        return st;
    if (b->is32 || !b->dynsym)
        return co_fail(diag, CODEOBJ_INVALID, "dynamic relocations are for 64-bit objects with dynamic symbols");
    return CODEOBJ_OK;
}

enum codeobj_status co_builder_dynamic_relocation_add(struct codeobj_builder *b, uint32_t section, const struct codeobj_elf_relocation *r,
                                                      struct codeobj_diag *diag)
{
    enum codeobj_status st = check_place(b, section, r, diag);
    if (st)
        return st;
    if (b->dynamic_relocation_count == b->dynamic_relocation_cap) {
        size_t cap = b->dynamic_relocation_cap ? b->dynamic_relocation_cap * 2 : 16;
        struct co_bdynamic_relocation *grown = realloc(b->dynamic_relocations, cap * sizeof *grown);
        if (!grown)
            return co_no_memory(diag);
        b->dynamic_relocations = grown;
        b->dynamic_relocation_cap = cap;
    }
    if ((st = ensure_rela(b, diag)))
        return st;
    struct co_bsection *rela = &b->sections[b->rela_dyn];
    size_t at = co_bsection_bytes(rela).size;
    if (!co_bsection_own(rela))
        return co_no_memory(diag);
    co_buffer_fill(&rela->data, 0, ENTRY);
    if (rela->data.failed)
        return co_no_memory(diag);
    rela->resized = true;
    b->dynamic_relocations[b->dynamic_relocation_count++] = (struct co_bdynamic_relocation){ *r, section, at };
    return CODEOBJ_OK;
}

enum codeobj_status co_builder_dynamic_check_unused(const struct codeobj_builder *b, uint32_t section, uint32_t symbol, struct codeobj_diag *diag)
{
    for (size_t i = 0; i < b->dynamic_relocation_count; i++) {
        const struct co_bdynamic_relocation *d = &b->dynamic_relocations[i];
        if (section && d->section == section)
            return co_fail(diag, CODEOBJ_INVALID, "a dynamic relocation applies to section \"%.60s\"", b->sections[section].header.name);
        if (symbol && d->r.symbol == symbol)
            return co_fail(diag, CODEOBJ_INVALID, "symbol \"%.60s\" is named by a dynamic relocation", b->symbols[symbol].name);
    }
    return CODEOBJ_OK;
}

/* ---- settled ------------------------------------------------------------------------------- */

/* The builder's symbols to their places in the final .dynsym; 0: not in it.  NULL: no memory. */
static uint32_t *dynamic_places(const struct plan *p)
{
    const struct codeobj_builder *b = p->b;
    uint32_t *places = calloc(b->symbol_count + 1u, sizeof *places);
    for (uint32_t i = 1; places && p->dynamic_order && i < p->dynamic_size; i++)
        places[p->dynamic_order[i]] = i;
    for (uint32_t i = 1; places && !p->dynamic_order && i < b->symbol_count; i++)
        places[i] = b->symbol_states[i].dynamic;
    return places;
}

/* Makes *r what the file holds: an address as offset, an index of .dynsym as symbol. */
static enum codeobj_status settle(const struct plan *p, const uint32_t *places, const struct co_bdynamic_relocation *d, struct codeobj_elf_relocation *r)
{
    const struct codeobj_elf_symbol *s = &p->b->symbols[d->r.symbol];
    uint64_t addr = 0;
    *r = d->r;
    r->offset += p->b->sections[d->section].header.addr;
    if (!r->symbol)
        return CODEOBJ_OK;
    bool here = co_plan_symbol_address(p, s, &addr), ours = here && (!places[r->symbol] || s->visibility != STV_DEFAULT);
    if (r->type == RELATIVE64 ? here : r->type == ABS64 && ours) {
        r->type = RELATIVE64;
        r->addend = (int64_t)((uint64_t)r->addend + addr);
        r->symbol = 0;
        return CODEOBJ_OK;
    }
    r->symbol = places[r->symbol];
    if (r->type == RELATIVE64 || !r->symbol)
        return co_fail(p->diag, CODEOBJ_INVALID, "symbol \"%.60s\": a relocation of type %u needs %s", s->name, r->type,
                       r->type == RELATIVE64 ? "an address in the object" : "a dynamic symbol");
    return CODEOBJ_OK;
}

/* Sections may have been given other bytes since: the place that is relocated and the entry's own are still there. */
static enum codeobj_status check_entry(const struct plan *p, size_t idx)
{
    const struct codeobj_builder *b = p->b;
    const struct co_bdynamic_relocation *d = &b->dynamic_relocations[idx];
    const struct codeobj_elf_section *rela = &b->sections[b->rela_dyn].header;
    uint64_t least = idx ? d[-1].entry + ENTRY : 0;
    if (d->entry > rela->size || rela->size - d->entry < ENTRY)
        return co_fail_at(p->diag, CODEOBJ_INVALID, rela->name, d->entry,
                          "the section was cut after relocation %zu was added: found 0x%llx bytes, expected at least 0x%llx", idx,
                          (unsigned long long)rela->size, (unsigned long long)d->entry + ENTRY);
    if (d->entry < least || d->entry % ENTRY)
        return co_fail_at(p->diag, CODEOBJ_INVALID, rela->name, d->entry,
                          "the section was changed before relocation %zu was added: found room for it at 0x%llx, expected a multiple of %d from 0x%llx on",
                          idx, (unsigned long long)d->entry, (int)ENTRY, (unsigned long long)least);
    return check_inside(&b->sections[d->section], &d->r, p->diag);
}

/* Values of the tags that lead to the section of relocations, which .dynamic got room for. */
static enum codeobj_status fill_tags(struct plan *p, const struct codeobj_elf_segment *dynamic)
{
    static const int64_t expected[NEW_TAGS] = { DT_RELA, DT_RELASZ, DT_RELAENT };
    const struct codeobj_builder *b = p->b;
    const struct codeobj_elf_section *rela = &b->sections[b->rela_dyn].header;
    const uint64_t values[NEW_TAGS] = { rela->addr, rela->size, ENTRY };
    struct co_span bytes = { 0 };
    co_span_sub(co_span_make(p->out->data, p->out->size), dynamic->offset, dynamic->filesz, &bytes);
    for (size_t i = 0; i < NEW_TAGS; i++) {
        size_t at = b->new_tags + i * TAG;
        if (!co_span_has(bytes, at, TAG))
            return co_fail_at(p->diag, CODEOBJ_INVALID, ".dynamic", at, "no room for a tag that leads to dynamic relocations: found 0x%zx bytes, expected at least 0x%zx",
                              bytes.size, b->new_tags + NEW_TAGS * TAG);
        int64_t found = (int64_t)co_load64(bytes.data + at);
        if (found != expected[i])
            return co_fail_at(p->diag, CODEOBJ_INVALID, ".dynamic", at, "the tags that lead to dynamic relocations were replaced: found tag 0x%llx, expected 0x%llx",
                              (unsigned long long)found, (unsigned long long)expected[i]);
        uint8_t word[8];
        co_store64(word, values[i]);
        co_plan_patch(p, dynamic->offset + at + 8, word, 8);
    }
    return CODEOBJ_OK;
}

enum codeobj_status co_plan_dynamic_relocations(struct plan *p)
{
    const struct codeobj_builder *b = p->b;
    enum codeobj_status st = CODEOBJ_OK;
    if (!b->dynamic_relocation_count)
        return CODEOBJ_OK;
    uint32_t *places = dynamic_places(p);
    if (!places)
        return co_no_memory(p->diag);
    const struct codeobj_elf_section *rela = &b->sections[b->rela_dyn].header;
    for (size_t i = 0; !st && i < b->dynamic_relocation_count; i++) {
        struct codeobj_elf_relocation r;
        uint8_t e[ENTRY];
        if ((st = check_entry(p, i)) || (st = settle(p, places, &b->dynamic_relocations[i], &r)))
            break;
        co_store64(e, r.offset);
        co_store32(e + 8, r.type);
        co_store32(e + 12, r.symbol);
        co_store64(e + 16, (uint64_t)r.addend);
        co_plan_patch(p, rela->offset + b->dynamic_relocations[i].entry, e, ENTRY);
    }
    free(places);
    for (size_t i = 0; !st && b->has_new_tags && i < p->segment_count; i++)
        if (p->segments[i].type == PT_DYNAMIC)
            st = fill_tags(p, &p->segments[i]);
    return st;
}

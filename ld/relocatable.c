/* SPDX-License-Identifier: MIT
 *
 * ld/relocatable.c - relocations in the output: -r and --emit-relocs.
 *
 * -r joins objects into one: sections of a name are concatenated, relocations
 * keep their symbols, section symbols become those of the output sections (with
 * the input's place added to the addend), and group sections are written anew.
 * --emit-relocs gives the finished image and the relocations it was made with,
 * addresses for offsets.
 */
#include "ld.h"

#include <stdlib.h>

static bool wanted(const struct ld *ld)
{
    return ld->relocatable || (ld->opt.flags & CODEOBJ_LINK_EMIT_RELOCS);
}

/* flags: of the sections of relocations that it is made of. */
static void make_rela(struct ld *ld, struct ld_out *o, uint64_t count, uint64_t seq, uint64_t flags)
{
    const char *name = co_ld_printf(ld, ".rel%s%s", o->rel ? "" : "a", o->name);
    flags = SHF_INFO_LINK | (ld->relocatable ? flags & SHF_GROUP : 0);
    struct ld_section *s = co_ld_new_section(ld, name, o->rel ? SHT_REL : SHT_RELA, flags, 8);
    s->entsize = o->rel ? REL_SIZE : RELA_SIZE;
    s->size = count * s->entsize;
    s->buf = co_ld_alloc(ld, (size_t)s->size);
    s->data = s->buf;
    s->stands_alone = true;
    o->rela = co_ld_place_at(ld, s, name, seq);
    o->rela->flags |= SHF_INFO_LINK;
    o->rela->info_out = o;
}

static void mark_symbols(struct ld *ld, struct ld_section *sec)
{
    size_t n = co_ld_reloc_count(sec);
    struct ld_reloc r;
    for (size_t k = 0; k < n; k++)
        if (co_ld_reloc_at(ld, sec, k, &r))
            r.sym->in_reloc = true;
}

/* The output sections of a group's members, each once, in the order of the group: how many there are; with `at`, their
 * indices are written there. */
static uint64_t put_members(struct ld *ld, const struct ld_section *head, uint8_t *at)
{
    size_t size = 0;
    uint64_t count = 0;
    const uint8_t *d = codeobj_elf_section_data(head->file->elf, head->idx, &size);
    uint64_t stamp = ++ld->group_stamp;
    for (size_t k = 4; k + 4 <= size; k += 4) {
        uint32_t idx = ld_get32(d + k);
        const struct ld_section *m = idx < head->file->section_count ? head->file->sections[idx] : NULL;
        bool is_rela = m && (m->type == SHT_RELA || m->type == SHT_REL);
        if (is_rela && m->info < head->file->section_count && head->file->sections[m->info]->rel_idx == idx)
            m = head->file->sections[m->info];
        else if (is_rela)
            continue;
        struct ld_out *o = m && m->live ? m->out : NULL;
        uint64_t *mark = o ? is_rela ? &o->rela_stamp : &o->stamp : NULL;
        if (!o || *mark == stamp)
            continue;
        *mark = stamp;
        if (at)
            ld_put32(at + 4 * count, is_rela ? o->rela->idx : o->idx);
        count++;
    }
    return count;
}

/* Before output sections are sorted. */
void co_ld_make_rela_outputs(struct ld *ld)
{
    if (!wanted(ld))
        return;
    size_t count = ld->outs.count;
    for (size_t i = 0; i < count; i++) {
        struct ld_out *o = ld->outs.items[i];
        uint64_t n = 0, seq = UINT64_MAX, flags = 0;
        o->rel = true; /* where all are: else addends need the room */
        EACH(k, o->secs) {
            struct ld_section *sec = o->secs.items[k];
            if (sec->file && sec->rel_idx) {
                n += co_ld_reloc_count(sec);
                *PUSH(ld, o->relocated) = sec;
                flags |= sec->file->sections[sec->rel_idx]->flags;
                o->rel &= sec->file->sections[sec->rel_idx]->type == SHT_REL;
                if (co_ld_seq(ld, sec, sec->rel_idx) < seq)
                    seq = co_ld_seq(ld, sec, sec->rel_idx);
                mark_symbols(ld, sec);
            }
            if (sec->type == SHT_GROUP) {
                sec->size = 4 + 4 * put_members(ld, sec, NULL);
                sec->buf = co_ld_alloc(ld, (size_t)sec->size);
                sec->data = sec->buf;
                if (sec->file && sec->info < sec->file->symbol_count && sec->file->symbols[sec->info])
                    sec->file->symbols[sec->info]->in_reloc = true;
            }
        }
        if (n)
            make_rela(ld, o, n, seq, flags);
    }
}

static uint32_t symbol_index(const struct ld_symbol *s)
{
    if (s->type == STT_SECTION && s->kind == SYM_DEFINED && s->sec) {
        const struct ld_section *sec = s->sec->merge ? co_ld_merged_section(s->sec) : s->sec;
        return sec->out && sec->out->section_symbol ? sec->out->section_symbol->symtab : 0;
    }
    return s->symtab;
}

/* The bytes of a place that are not the input's; NULL: it lies outside. */
static uint8_t *own_place(struct ld *ld, struct ld_section *sec, const struct ld_reloc *r)
{
    if (!sec->data || r->off > sec->size || sec->size - r->off < co_ld_reloc_size(r->type))
        return NULL;
    if (!sec->buf) {
        sec->buf = co_ld_alloc(ld, (size_t)sec->size);
        memcpy(sec->buf, sec->data, (size_t)sec->size);
        sec->data = sec->buf;
    }
    return sec->buf + r->off;
}

static void fill_section(struct ld *ld, struct ld_section *sec, bool rel, uint8_t **dst)
{
    size_t n = co_ld_reloc_count(sec);
    uint64_t base = (ld->relocatable ? 0 : sec->out->addr) + sec->out_off;
    bool debug = !strncmp(sec->name, ".debug", 6);
    for (size_t k = 0; k < n; k++, *dst += rel ? REL_SIZE : RELA_SIZE) {
        struct ld_reloc r;
        if (!co_ld_reloc_at(ld, sec, k, &r))
            continue;
        int64_t addend = r.addend;
        uint32_t idx = symbol_index(r.sym), type = r.type;
        if (r.sym->type == STT_SECTION && r.sym->kind == SYM_DEFINED && r.sym->sec) {
            if (r.sym->sec->merge) {
                const struct ld_section *m = co_ld_merged_section(r.sym->sec);
                addend = (int64_t)(co_ld_addr(r.sym->sec, r.sym->value + (uint64_t)addend) - (m->out ? m->out->addr : 0));
            } else {
                addend += (int64_t)r.sym->sec->out_off;
            }
        }
        if (!idx && r.sym->type == STT_SECTION && r.sym->kind == SYM_DEFINED && r.sym->sec) { /* what it named is gone */
            type = 0;
            addend = r.addend;
        }
        ld_put64(*dst, base + r.off);
        ld_put64(*dst + 8, (uint64_t)idx << 32 | type);
        uint8_t *p;
        if (r.sym->discarded && !debug && ld->relocatable && r.sym->type == STT_SECTION && r.sym->sec)
            co_ld_warn(ld, "relocation refers to a discarded section: %s\n>>> referenced by %s:(%s+0x%llx)", r.sym->sec->name,
                       sec->file->name, sec->file->sections[sec->rel_idx]->name, (unsigned long long)(base + r.off));
        uint64_t gone;
        if (ld->relocatable && co_ld_tombstone(ld, sec, &r, &gone) && (gone || rel) && (p = own_place(ld, sec, &r)))
            co_ld_put_addend(r.type, (int64_t)gone, p);
        if (!rel)
            ld_put64(*dst + 16, (uint64_t)addend);
        else if (addend != r.addend && ld->relocatable && (p = own_place(ld, sec, &r))) /* else the place holds the result */
            co_ld_put_addend(type, addend, p);
    }
}

static void fill_group(struct ld *ld, struct ld_section *head)
{
    size_t size = 0;
    const uint8_t *old = codeobj_elf_section_data(head->file->elf, head->idx, &size);
    uint8_t *p = head->buf;
    ld_put32(p, size >= 4 ? ld_get32(old) : 0);
    put_members(ld, head, p + 4);
    head->out->link_out = ld->s_symtab ? ld->s_symtab->out : NULL;
    if (head->info < head->file->symbol_count && head->file->symbols[head->info])
        head->out->info = symbol_index(head->file->symbols[head->info]);
}

static int by_link_order(const void *a, const void *b)
{
    const struct ld_section *x = *(struct ld_section *const *)a, *y = *(struct ld_section *const *)b;
    uint32_t p = x->file->sections[x->rel_idx]->eqclass, q = y->file->sections[y->rel_idx]->eqclass;
    if (p != q)
        return p < q ? -1 : 1;
    if (x->file->order != y->file->order)
        return x->file->order < y->file->order ? -1 : 1;
    return x->rel_idx < y->rel_idx ? -1 : x->rel_idx > y->rel_idx;
}

/* Relocations stand in the order of the link, even where the sections have been sorted (but sections of relocations have a
 * rank of their own under --shuffle-sections); those of a section that a memory
 * region had no room for stand where it first was, as with ld.lld. */
struct ld_section **co_ld_relocated_sections(const struct ld_out *o, size_t *count)
{
    struct ld_section **secs = o->relocated.items;
    if (o->relocated.count > 1)
        qsort(secs, o->relocated.count, sizeof *secs, by_link_order);
    *count = o->relocated.count;
    return secs;
}

static void fill_output(struct ld *ld, struct ld_out *o)
{
    size_t n;
    struct ld_section **secs = co_ld_relocated_sections(o, &n);
    uint8_t *dst = o->rela->secs.items[0]->buf;
    for (size_t i = 0; i < n; i++)
        fill_section(ld, secs[i], o->rel, &dst);
    o->rela->info_out = secs[0]->out; /* which is o, but for what has moved */
}

void co_ld_fill_rela_outputs(struct ld *ld)
{
    if (!wanted(ld))
        return;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (o->rela) {
            fill_output(ld, o);
            o->rela->link_out = ld->s_symtab ? ld->s_symtab->out : NULL;
        }
        EACH(k, o->secs)
            if (o->secs.items[k]->type == SHT_GROUP && o->secs.items[k]->file)
                fill_group(ld, o->secs.items[k]);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * ld/icf.c - --icf: identical functions are stored once.
 *
 * Candidates are live sections of code and of read-only data.  What may have its
 * address compared is left alone: exported symbols, those that an object lists
 * in .llvm_addrsig, and all of an object without such a list.  (Kernels are
 * exported.)  --icf=all folds functions in spite of that, data not.
 *
 * Two sections are the same if flags, bytes and relocations are and they go to one output section, where a relocation's
 * target may also be another pair of sections that are the same.  That is the
 * coarsest partition which no relocation tells apart: start with a hash of all
 * that does not depend on other candidates, refine by the classes of the
 * targets until nothing splits any more.  Hashes only propose; same() compares.
 */
#include "ld.h"

#include <stdlib.h>

struct icf {
    struct ld *ld;
    VEC(struct ld_section *) secs;
    uint64_t *next;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
    uint64_t pair[2] = { h, v };
    return co_ld_hash(pair, sizeof pair);
}

static uint64_t hash_of_name(const char *name)
{
    return co_ld_hash(name, strlen(name));
}

/* What a section is called in hashes: the same in every run. */
static uint64_t identity(const struct ld_section *sec)
{
    return mix(sec->file ? sec->file->order : UINT64_MAX, sec->idx);
}

/* --icf=all folds functions although their addresses are taken, but not data. */
static void keep_unique(const struct ld *ld, const struct ld_symbol *s)
{
    if (s && s->kind == SYM_DEFINED && s->sec && (ld->opt.icf == CODEOBJ_ICF_SAFE || !(s->sec->flags & SHF_EXECINSTR)))
        s->sec->address_taken = true;
}

/* .llvm_addrsig: ULEB128 symbol indices. */
static bool read_addrsig(const struct ld *ld, const struct ld_file *f)
{
    for (uint32_t i = 1; i < f->section_count; i++) {
        const struct ld_section *sec = f->sections[i];
        if (sec->type != SHT_LLVM_ADDRSIG || sec->link != f->symtab_idx)
            continue;
        size_t size = 0;
        const uint8_t *p = codeobj_elf_section_data(f->elf, i, &size);
        for (size_t k = 0; k < size;) {
            uint64_t v = 0;
            unsigned shift = 0;
            uint8_t b;
            do {
                b = p[k++];
                v |= shift < 64 ? (uint64_t)(b & 0x7f) << shift : 0;
                shift += 7;
            } while ((b & 0x80) && k < size);
            if (v < f->symbol_count)
                keep_unique(ld, f->symbols[v]);
        }
        return true;
    }
    return false;
}

static void find_unique(struct ld *ld)
{
    for (size_t i = 0; i < ld->opt.keep_unique.count; i++) {
        const struct ld_symbol *s = co_ld_find(ld, ld->opt.keep_unique.items[i]);
        if (!s || s->kind != SYM_DEFINED || !s->sec)
            co_ld_warn(ld, "could not find symbol %s to keep unique", ld->opt.keep_unique.items[i]);
        else
            s->sec->address_taken = true;
    }
    if (ld->opt.icf == CODEOBJ_ICF_ALL && (ld->opt.flags & CODEOBJ_LINK_ICF_DATA))
        return;
    EACH(i, ld->symbols)
        if (ld->symbols.items[i]->in_dynsym)
            keep_unique(ld, ld->symbols.items[i]);
    EACH(i, ld->files) {
        const struct ld_file *f = ld->files.items[i];
        if (f->kind != FILE_OBJECT || read_addrsig(ld, f))
            continue;
        for (size_t k = 1; k < f->symbol_count; k++)
            keep_unique(ld, f->symbols[k]);
    }
}

static bool is_relro_data(const char *name)
{
    return !strncmp(name, ".data.rel.ro", 12) && (!name[12] || name[12] == '.');
}

/* Notes are left to notes.c.  A section with a C identifier for a name may be enumerated by __start_ and __stop_. */
static bool is_candidate(const struct ld_section *sec)
{
    return sec->live && sec->file && (sec->flags & SHF_ALLOC) && (!(sec->flags & SHF_WRITE) || is_relro_data(sec->name)) &&
           !(sec->flags & SHF_LINK_ORDER) && sec->type == SHT_PROGBITS && (sec->data || !sec->size) && !sec->merge &&
           !sec->address_taken && strcmp(sec->name, ".init") && strcmp(sec->name, ".fini") &&
           !co_ld_is_c_name(sec->name);
}

/* The candidate that a relocation leads to, or NULL. */
static struct ld_section *target(const struct ld_reloc *r)
{
    struct ld_section *sec = r->sym && r->sym->kind == SYM_DEFINED && !r->sym->preemptible ? r->sym->sec : NULL;
    return sec && sec->icf_class ? sec : NULL;
}

/* What a relocation leads to: equal for two that lead to the same place.  Different names can do that, unless a loader,
 * a script or the linker has the last word on them. */
struct aim {
    enum { AIM_SYMBOL, AIM_CANDIDATE, AIM_SECTION, AIM_NUMBER } kind;
    const void *of; /* the symbol; the section, which may be a merged one */
    uint64_t off;   /* with the addend */
};

/* The piece of a mergeable section is the one at a named symbol, whatever the addend; that of a section's symbol is
 * found with it. */
static struct aim aim_merged(const struct ld_reloc *r)
{
    const struct ld_section *sec = r->sym->sec;
    uint64_t addend = (uint64_t)r->addend, off = r->sym->value + (r->sym->type == STT_SECTION ? addend : 0);
    const struct ld_piece *piece = co_ld_piece_at(sec, off);
    return (struct aim){ AIM_SECTION, co_ld_merged_section(sec), piece->out_off + r->sym->value + addend - piece->in_off };
}

static struct aim aim(const struct ld_reloc *r)
{
    const struct ld_symbol *s = r->sym;
    uint64_t off = s->value + (uint64_t)r->addend;
    if (target(r))
        return (struct aim){ AIM_CANDIDATE, NULL, off };
    if (s->kind != SYM_DEFINED || s->preemptible || s->discarded || !s->file)
        return (struct aim){ AIM_SYMBOL, s, (uint64_t)r->addend };
    if (!s->sec)
        return (struct aim){ AIM_NUMBER, NULL, off };
    return s->sec->merge ? aim_merged(r) : (struct aim){ AIM_SECTION, s->sec, off };
}

static uint64_t hash_of_aim(const struct ld_reloc *r)
{
    const struct ld_symbol *s = r->sym;
    struct aim a = aim(r);
    uint64_t h = mix(a.kind, a.off);
    if (a.kind == AIM_SYMBOL)
        return mix(h, s->local && s->file ? mix(s->file->order, (uint64_t)(s - s->file->locals)) : hash_of_name(s->name));
    return a.kind == AIM_SECTION && !s->sec->merge ? mix(h, identity(s->sec)) : h;
}

static uint64_t fixed_part(struct ld *ld, const struct ld_section *sec)
{
    uint64_t h = mix(co_ld_hash(sec->data, (size_t)sec->size), sec->size);
    size_t n = co_ld_reloc_count(sec);
    struct ld_reloc r;
    h = mix(mix(h, sec->flags & ~(uint64_t)SHF_GROUP), n);
    h = mix(h, sec->input_cmd ? co_ld_script_target(sec) : hash_of_name(co_ld_output_name(ld, sec)));
    for (size_t i = 0; i < n; i++) {
        if (!co_ld_reloc_at(ld, sec, i, &r))
            return mix(h, identity(sec)); /* invalid: like nothing else */
        h = mix(mix(mix(h, r.off), r.type), hash_of_aim(&r));
    }
    return h ? h : 1;
}

static uint64_t refined(struct ld *ld, const struct ld_section *sec)
{
    uint64_t h = sec->icf_class;
    size_t n = co_ld_reloc_count(sec);
    struct ld_reloc r;
    for (size_t i = 0; i < n; i++)
        if (co_ld_reloc_at(ld, sec, i, &r) && target(&r))
            h = mix(h, target(&r)->icf_class);
    return h ? h : 1;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static size_t class_count(struct icf *icf)
{
    EACH(i, icf->secs)
        icf->next[i] = icf->secs.items[i]->icf_class;
    qsort(icf->next, icf->secs.count, sizeof *icf->next, by_number);
    size_t n = 0;
    EACH(i, icf->secs)
        n += i == 0 || icf->next[i] != icf->next[i - 1];
    return n;
}

static bool same(struct ld *ld, const struct ld_section *a, const struct ld_section *b)
{
    size_t n = co_ld_reloc_count(a);
    struct ld_reloc x, y;
    if (co_ld_script_target(a) != co_ld_script_target(b) ||
        (!a->input_cmd && strcmp(co_ld_output_name(ld, a), co_ld_output_name(ld, b))))
        return false; /* they belong to different output sections */
    if (a->size != b->size || ((a->flags ^ b->flags) & ~SHF_GROUP) || n != co_ld_reloc_count(b) || (a->size && memcmp(a->data, b->data, (size_t)a->size)))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!co_ld_reloc_at(ld, a, i, &x) || !co_ld_reloc_at(ld, b, i, &y) || x.off != y.off || x.type != y.type)
            return false;
        struct aim to = aim(&x), other = aim(&y);
        if (to.kind != other.kind || to.of != other.of || to.off != other.off)
            return false;
        if (to.kind == AIM_CANDIDATE && target(&x)->icf_class != target(&y)->icf_class)
            return false;
    }
    return true;
}

struct proposal {
    uint64_t class;
    size_t seq;
    struct ld_section *sec;
};

static int by_class(const void *a, const void *b)
{
    const struct proposal *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void fold(struct icf *icf)
{
    struct ld *ld = icf->ld;
    struct proposal *p = co_ld_array(ld, icf->secs.count, sizeof *p);
    EACH(i, icf->secs)
        p[i] = (struct proposal){ icf->secs.items[i]->icf_class, i, icf->secs.items[i] };
    qsort(p, icf->secs.count, sizeof *p, by_class);
    for (size_t i = 0; i < icf->secs.count;) {
        struct ld_section *first = p[i].sec;
        struct ld_section **tail = &first->folded;
        for (i++; i < icf->secs.count && p[i].class == first->icf_class; i++) {
            struct ld_section *sec = p[i].sec;
            if (!same(ld, first, sec))
                continue;
            sec->repl = first;
            for (struct ld_section *d = sec->dependents; d; d = d->next_dependent)
                d->live = false; /* they were about the copy */
            *tail = sec;
            tail = &sec->folded;
            if (sec->align > first->align)
                first->align = sec->align;
        }
    }
}

static void report(struct icf *icf)
{
    struct ld_text *text = &icf->ld->texts[CODEOBJ_LINK_TEXT_ICF];
    EACH(i, icf->secs) {
        const struct ld_section *first = icf->secs.items[i];
        if (first->repl || !first->folded)
            continue;
        co_ld_text_add(icf->ld, text, "selected section %s:(%s)\n", first->file->name, first->name);
        for (const struct ld_section *s = first->folded; s; s = s->folded)
            co_ld_text_add(icf->ld, text, "  removing identical section %s:(%s)\n", s->file->name, s->name);
    }
}

void co_ld_icf(struct ld *ld)
{
    if (ld->opt.icf == CODEOBJ_ICF_NONE || ld->relocatable)
        return;
    find_unique(ld);
    struct icf icf = { .ld = ld };
    EACH(i, ld->sections)
        if (is_candidate(ld->sections.items[i])) {
            ld->sections.items[i]->icf_class = 1;
            *PUSH(ld, icf.secs) = ld->sections.items[i];
        }
    if (icf.secs.count < 2)
        return;
    icf.next = co_ld_array(ld, icf.secs.count, sizeof *icf.next);
    EACH(i, icf.secs)
        icf.next[i] = fixed_part(ld, icf.secs.items[i]);
    for (size_t before = 0, now = 1; now != before;) {
        EACH(i, icf.secs)
            icf.secs.items[i]->icf_class = icf.next[i];
        before = now;
        now = class_count(&icf);
        EACH(i, icf.secs)
            icf.next[i] = refined(ld, icf.secs.items[i]);
    }
    fold(&icf);
    if (ld->opt.flags & CODEOBJ_LINK_PRINT_ICF)
        report(&icf);
}

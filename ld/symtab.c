/* SPDX-License-Identifier: MIT
 *
 * ld/symtab.c - .symtab, .strtab, .shstrtab, and string tables as such.
 *
 * Order: local symbols of each object (what became local through visibility or
 * a version script right behind its object's own), then the linker's, then
 * globals in the order in which the link met their names.
 */
#include "script.h"

#include <stdlib.h>

struct ld_strtab {
    char *data;
    size_t size, cap;
    bool dedup;
    struct ld_names seen;
};

struct seen_string {
    const char *name;
    uint32_t off;
};

struct ld_strtab *co_ld_strtab_new(struct ld *ld, bool dedup)
{
    struct ld_strtab *t = co_ld_alloc(ld, sizeof *t);
    t->dedup = dedup;
    t->cap = 64;
    t->data = co_ld_alloc(ld, t->cap);
    t->size = 1;
    return t;
}

uint32_t co_ld_strtab_append(struct ld *ld, struct ld_strtab *t, const char *s, size_t len)
{
    if (!len)
        return 0;
    if (len > UINT32_MAX - 1 - t->size)
        co_ld_no_memory(ld); /* offsets are 32 bits wide */
    while (t->cap - t->size < len + 1)
        co_ld_grow(ld, (void **)&t->data, t->size, &t->cap, 1);
    uint32_t off = (uint32_t)t->size;
    memcpy(t->data + off, s, len);
    t->data[off + len] = 0;
    t->size += len + 1;
    return off;
}

uint32_t co_ld_strtab_add(struct ld *ld, struct ld_strtab *t, const char *s, size_t len)
{
    if (!len || !t->dedup)
        return co_ld_strtab_append(ld, t, s, len);
    void **place = co_ld_names_place(ld, &t->seen, s, len);
    if (!*place) {
        struct seen_string *n = co_ld_alloc(ld, sizeof *n);
        *place = n;
        n->name = s;
        n->off = co_ld_strtab_append(ld, t, s, len);
    }
    return ((struct seen_string *)*place)->off;
}

const char *co_ld_strtab_data(const struct ld_strtab *t, size_t *size)
{
    *size = t->size;
    return t->data;
}

static bool is_defined(const struct ld_symbol *s)
{
    return s->kind == SYM_DEFINED || s->kind == SYM_COMMON;
}

/* -r gives common symbols room and has them common all the same. */
static bool is_common(const struct ld *ld, const struct ld_symbol *s)
{
    return ld->relocatable && s->kind == SYM_DEFINED && s->sec && s->sec->file && !s->sec->idx &&
           s->sec->file->kind == FILE_OBJECT;
}

/* Section header index as st_shndx has it; real ones may be beyond SHN_LORESERVE. */
uint32_t co_ld_symbol_shndx(const struct ld *ld, const struct ld_symbol *s)
{
    if (s->kind == SYM_COMMON)
        return ld->relocatable && !s->sec ? SHN_COMMON_ : 0;
    if (s->kind != SYM_DEFINED)
        return 0;
    if (s->out)
        return s->out->idx;
    if (is_common(ld, s))
        return SHN_COMMON_;
    if (!s->sec)
        return s->in_output ? 1 : SHN_ABS_; /* the location counter in front of all sections: the first one's */
    const struct ld_section *sec = co_ld_final_section(s->sec);
    return sec->out ? sec->out->idx : 0;
}

uint64_t co_ld_symbol_value(const struct ld *ld, const struct ld_symbol *s)
{
    if (s->kind == SYM_COMMON)
        return s->value;
    if (is_common(ld, s))
        return s->sec->align;
    uint64_t v = co_ld_symbol_addr(ld, s);
    if (s->type == STT_TLS && s->kind == SYM_DEFINED && s->sec)
        EACH(i, ld->phdrs)
            if (ld->phdrs.items[i].type == PT_TLS)
                v -= ld->phdrs.items[i].addr;
    return v;
}

/* ---- which symbols ------------------------------------------------------------------- */

static bool keep_local(const struct ld *ld, const struct ld_symbol *s)
{
    if (s->type == STT_SECTION || s->kind != SYM_DEFINED)
        return false;
    if (s->sec && (!s->sec->live || !s->sec->kept))
        return false;
    if (s->sec && s->sec->merge && !co_ld_piece_at(s->sec, s->value)->live)
        return false;
    if (s->in_reloc)
        return true;
    switch (ld->opt.discard) {
    case CODEOBJ_DISCARD_ALL:
        return false;
    case CODEOBJ_DISCARD_NONE:
        return true;
    default:
        break;
    }
    bool dot_l = s->name[0] == '.' && s->name[1] == 'L';
    return !dot_l || (ld->opt.discard != CODEOBJ_DISCARD_LOCALS && !(s->sec && (s->sec->flags & SHF_MERGE)));
}

static bool keep_global(const struct ld *ld, const struct ld_symbol *s)
{
    if (!s->used || s->kind == SYM_NONE)
        return false;
    if (!is_defined(s))
        return s->referenced && (s->marked || !ld->collecting);
    return !s->sec || s->sec->live;
}

struct group {
    VEC(struct ld_symbol *) syms;
};

/* To ld.lld each assignment of a script is a file of its own. */
static bool is_assigned(const struct ld_symbol *s)
{
    return s->kind == SYM_DEFINED && !s->file && !s->linker_defined && s->type != STT_SECTION;
}

static void add_grouped(struct ld *ld, struct group *groups, size_t *count, size_t *group_of, struct ld_symbol *s)
{
    bool of_file = s->file && (s->file->kind == FILE_OBJECT || s->file->kind == FILE_BINARY);
    size_t f = of_file ? s->file->order + 1 : 0, g = *count;
    if (!is_assigned(s) && group_of[f])
        g = group_of[f] - 1;
    else
        ++*count;
    if (!is_assigned(s))
        group_of[f] = g + 1;
    *PUSH(ld, groups[g].syms) = s;
}

/* -r: a default version is part of the name still. */
static void name_symbol(struct ld *ld, struct ld_symbol *s)
{
    const char *name = s->name;
    if (ld->relocatable && s->default_version && s->at_version)
        name = co_ld_printf(ld, "%s@@%s", name, s->at_version);
    s->str_name = co_ld_strtab_add(ld, ld->strtab, name, strlen(name));
}

static int by_seq(const void *a, const void *b)
{
    const struct ld_out *x = *(struct ld_out *const *)a, *y = *(struct ld_out *const *)b;
    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

/* What makes an output section one that relocations may name: a section of an object, or merged strings. */
static const struct ld_section *first_named(struct ld_section *const *secs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct ld_section *sec = secs[i];
        if (sec->idx || (sec->flags & SHF_MERGE) || (sec->file && sec->file->kind == FILE_BINARY))
            return sec;
    }
    return NULL;
}

/* Which one says to what object the section symbol belongs: where a script has several commands, the last that found some. */
static const struct ld_section *named_section(const struct ld_out *o)
{
    const struct ld_section *found = NULL;
    if (o->type == SHT_RELA || o->type == SHT_REL)
        return NULL;
    if (!o->desc)
        return first_named(o->secs.items, o->secs.count);
    EACH(i, o->desc->cmds) {
        const struct ld_input_cmd *in = o->desc->cmds.items[i].input;
        const struct ld_section *sec = in ? first_named(in->secs.items, in->secs.count) : NULL;
        found = sec ? sec : found;
    }
    return found;
}

/* Section symbols, one for each output section that relocations may name (-r,
 * --emit-relocs), among the locals of the object whose section comes first. */
static void add_section_symbols(struct ld *ld, struct group *groups, size_t *count, size_t *group_of)
{
    if (!ld->relocatable && !(ld->opt.flags & CODEOBJ_LINK_EMIT_RELOCS))
        return;
    struct ld_out **outs = co_ld_array(ld, ld->outs.count, sizeof *outs);
    EACH(i, ld->outs)
        outs[i] = ld->outs.items[i];
    if (ld->outs.count)
        qsort(outs, ld->outs.count, sizeof *outs, by_seq);
    EACH(i, ld->outs) {
        struct ld_out *o = outs[i];
        const struct ld_section *first = named_section(o);
        if (!first)
            continue;
        struct ld_symbol *s = co_ld_alloc(ld, sizeof *s);
        *s = (struct ld_symbol){ .name = "", .kind = SYM_DEFINED, .type = STT_SECTION, .out = o, .local = true };
        s->file = first->file;
        o->section_symbol = s;
        add_grouped(ld, groups, count, group_of, s);
    }
}

static void collect(struct ld *ld)
{
    size_t assigned = 0;
    EACH(i, ld->symbols)
        assigned += is_assigned(ld->symbols.items[i]);
    struct group *groups = co_ld_array(ld, ld->files.count + 1 + assigned, sizeof *groups);
    size_t *group_of = co_ld_array(ld, ld->files.count + 1, sizeof *group_of), count = 0;
    EACH(i, ld->files) {
        struct ld_file *f = ld->files.items[i];
        for (uint32_t k = 1; f->kind == FILE_OBJECT && k < f->first_global && k < f->symbol_count; k++)
            if (keep_local(ld, &f->locals[k])) {
                name_symbol(ld, &f->locals[k]);
                add_grouped(ld, groups, &count, group_of, &f->locals[k]);
            }
    }
    add_section_symbols(ld, groups, &count, group_of);
    EACH(i, ld->symbols) {
        struct ld_symbol *s = ld->symbols.items[i];
        if (!keep_global(ld, s))
            continue;
        name_symbol(ld, s);
        if (co_ld_is_local(ld, s))
            add_grouped(ld, groups, &count, group_of, s);
    }
    for (size_t g = 0; g < count; g++)
        EACH(i, groups[g].syms)
            *PUSH(ld, ld->symtab_syms) = groups[g].syms.items[i];
    ld->first_global_symtab = (uint32_t)ld->symtab_syms.count + 1;
    EACH(i, ld->symbols) {
        struct ld_symbol *s = ld->symbols.items[i];
        if (keep_global(ld, s) && !co_ld_is_local(ld, s))
            *PUSH(ld, ld->symtab_syms) = s;
    }
}

static struct ld_section *table_section(struct ld *ld, const char *name, uint32_t type, uint64_t align, uint64_t entsize)
{
    struct ld_section *s = co_ld_new_section(ld, name, type, 0, align);
    s->entsize = entsize;
    co_ld_place_section(ld, s, name);
    return s;
}

static void set_data(struct ld_section *s, const struct ld_strtab *t)
{
    size_t size;
    s->data = (const uint8_t *)co_ld_strtab_data(t, &size);
    s->size = size;
}

/* Sizes; called when the list of output sections is complete but for these. */
void co_ld_make_symtab(struct ld *ld)
{
    bool symtab = ld->opt.strip != CODEOBJ_STRIP_ALL;
    if (symtab) {
        ld->strtab = co_ld_strtab_new(ld, false);
        collect(ld);
        EACH(i, ld->symtab_syms)
            ld->symtab_syms.items[i]->symtab = (uint32_t)i + 1;
        ld->s_symtab = table_section(ld, ".symtab", SHT_SYMTAB, 8, SYM_SIZE);
        ld->s_symtab->size = (uint64_t)(ld->symtab_syms.count + 1) * SYM_SIZE;
        ld->s_symtab->buf = co_ld_alloc(ld, (size_t)ld->s_symtab->size);
        ld->s_symtab->data = ld->s_symtab->buf;
        if (ld->outs.count + 4 >= SHN_LORESERVE) {
            ld->s_symtab_shndx = table_section(ld, ".symtab_shndx", SHT_SYMTAB_SHNDX, 4, 4);
            ld->s_symtab_shndx->size = (uint64_t)(ld->symtab_syms.count + 1) * 4;
            ld->s_symtab_shndx->buf = co_ld_alloc(ld, (size_t)ld->s_symtab_shndx->size);
            ld->s_symtab_shndx->data = ld->s_symtab_shndx->buf;
            ld->s_symtab_shndx->out->link_out = ld->s_symtab->out;
        }
    }
    if (!(ld->opt.flags & CODEOBJ_LINK_NO_SECTION_HEADERS))
        ld->s_shstrtab = table_section(ld, ".shstrtab", SHT_STRTAB, 1, 0);
    if (symtab) {
        ld->s_strtab = table_section(ld, ".strtab", SHT_STRTAB, 1, 0);
        set_data(ld->s_strtab, ld->strtab);
        ld->s_symtab->out->link_out = ld->s_strtab->out;
        ld->s_symtab->out->info = ld->first_global_symtab;
    }
}

/* The sections are in order. */
void co_ld_name_sections(struct ld *ld)
{
    if (!ld->s_shstrtab)
        return;
    ld->shstrtab = co_ld_strtab_new(ld, true);
    EACH(i, ld->outs)
        ld->outs.items[i]->name_off =
            co_ld_strtab_add(ld, ld->shstrtab, ld->outs.items[i]->name, strlen(ld->outs.items[i]->name));
    set_data(ld->s_shstrtab, ld->shstrtab);
    ld->s_shstrtab->out->size = ld->s_shstrtab->size;
}

void co_ld_fill_symtab(struct ld *ld)
{
    if (!ld->s_symtab)
        return;
    uint8_t *p = ld->s_symtab->buf + SYM_SIZE;
    EACH(i, ld->symtab_syms) {
        const struct ld_symbol *s = ld->symtab_syms.items[i];
        uint32_t shndx = co_ld_symbol_shndx(ld, s);
        bool wide = shndx >= SHN_LORESERVE && shndx != SHN_ABS_ && shndx != SHN_COMMON_;
        wide |= s->kind == SYM_DEFINED && (s->out || s->sec) && shndx >= SHN_LORESERVE && !is_common(ld, s);
        if (wide)
            ld_put32(ld->s_symtab_shndx->buf + (i + 1) * 4, shndx);
        ld_put32(p, s->str_name);
        p[4] = (uint8_t)(co_ld_binding(ld, s) << 4 | (s->type & 15));
        p[5] = (uint8_t)((s->other & ~3) | s->vis);
        ld_put16(p + 6, wide ? SHN_XINDEX : shndx);
        ld_put64(p + 8, co_ld_symbol_value(ld, s));
        ld_put64(p + 16, is_defined(s) || ld->relocatable ? s->size : 0);
        p += SYM_SIZE;
    }
}

/* SPDX-License-Identifier: MIT
 *
 * ld/shuffle.c - --shuffle-sections, --symbol-ordering-file and --randomize-section-padding: other orders and places,
 * so that what depends on them by chance is found.
 *
 * The numbers are those of MT19937 (Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8, 1998), which
 * C++ calls std::mt19937, and are drawn in ld.lld's order: a seed gives ld.lld's output.
 */
#include "script.h"

#include <stdlib.h>

/* ---- MT19937 ---------------------------------------------------------------------------- */

enum { MT_SIZE = 624, MT_SHIFT = 397 };

struct twister {
    uint32_t word[MT_SIZE];
    unsigned used;
};

static void mt_seed(struct twister *t, uint32_t seed)
{
    t->word[0] = seed;
    for (uint32_t i = 1; i < MT_SIZE; i++)
        t->word[i] = 1812433253u * (t->word[i - 1] ^ t->word[i - 1] >> 30) + i;
    t->used = MT_SIZE;
}

static void mt_refill(struct twister *t)
{
    for (unsigned i = 0; i < MT_SIZE; i++) {
        uint32_t y = (t->word[i] & 0x80000000u) | (t->word[(i + 1) % MT_SIZE] & 0x7fffffffu);
        t->word[i] = t->word[(i + MT_SHIFT) % MT_SIZE] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    t->used = 0;
}

static uint32_t mt_next(struct twister *t)
{
    if (t->used == MT_SIZE)
        mt_refill(t);
    uint32_t y = t->word[t->used++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

/* ---- ranks ---------------------------------------------------------------------------------- */

typedef VEC(struct ld_section *) section_list;

struct ordered {
    const char *name; /* first: struct ld_names */
    uint32_t rank;
    bool present;
};

struct ordering {
    struct ld_names names;
    VEC(struct ordered *) all;
    uint32_t offset; /* of their ranks */
    bool warns;
};

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || !c;
}

const char *co_ld_next_line(const char **at, const char *end, size_t *len)
{
    for (const char *p = *at, *stop; p < end; p = stop + (stop < end)) {
        stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        const char *e = stop;
        while (p < e && is_blank(*p))
            p++;
        while (p < e && is_blank(e[-1]))
            e--;
        if (p == e || *p == '#')
            continue;
        *at = stop + (stop < end);
        *len = (size_t)(e - p);
        return p;
    }
    return NULL;
}

/* --symbol-ordering-file: a name on each line, which may have blanks within. */
static void read_names(struct ld *ld, struct ordering *o, const struct codeobj_link_text *text)
{
    const char *at = text->text, *end = at + text->size, *line;
    size_t len;
    while ((line = co_ld_next_line(&at, end, &len))) {
        const char *name = co_ld_strndup(ld, line, len);
        void **place = co_ld_names_place(ld, &o->names, name, len);
        if (*place && o->warns)
            co_ld_warn(ld, "%s: duplicate ordered symbol: %s", text->name, name);
        if (*place)
            continue;
        struct ordered *entry = *place = co_ld_alloc(ld, sizeof *entry);
        *entry = (struct ordered){ name, (uint32_t)o->all.count + 1, false };
        *PUSH(ld, o->all) = entry;
    }
}

static const char *assigned_by(struct ld *ld, const struct ld_assign *a, const struct ld_symbol *s)
{
    if (!a || a->sym != s)
        return NULL;
    return strcmp(a->at.file, "--defsym") ? co_ld_printf(ld, "%s:%u", a->at.file, a->at.line) : a->at.file;
}

/* Who says what the symbol is: an input, --defsym, a line of a script. */
static const char *defined_by(struct ld *ld, const struct ld_symbol *s)
{
    const char *by = NULL;
    const struct ld_script *script = s->file ? NULL : ld->script;
    for (size_t i = 0; script && !by && i < script->steps.count; i++)
        by = assigned_by(ld, script->steps.items[i].assign, s);
    for (size_t i = 0; script && i < script->descs.count; i++)
        for (size_t k = 0; !by && k < script->descs.items[i]->cmds.count; k++)
            by = assigned_by(ld, script->descs.items[i]->cmds.items[k].assign, s);
    return by ? by : co_ld_file_name(s->kind == SYM_LAZY ? NULL : s->file);
}

bool co_ld_ignores_undefined(const struct ld *ld)
{
    return ld->opt.unresolved == CODEOBJ_UNRESOLVED_IGNORE || (ld->shared && ld->opt.unresolved == CODEOBJ_UNRESOLVED_DEFAULT);
}

struct ld_section *co_ld_folded_into(struct ld_section *sec)
{
    while (sec && sec->repl)
        sec = sec->repl;
    return sec;
}

const char *co_ld_unorderable(const struct ld *ld, const struct ld_symbol *s)
{
    bool of_part = !strcmp(s->name, "_DYNAMIC") || !strcmp(s->name, "_GLOBAL_OFFSET_TABLE_");
    if (s->kind == SYM_SHARED)
        return "shared";
    if (s->kind != SYM_DEFINED)
        return s->in_discarded ? "discarded" : co_ld_ignores_undefined(ld) ? NULL : "undefined";
    if (s->linker_defined)
        return of_part ? NULL : "synthetic";
    if (!s->sec)
        return s->in_output || s->out ? "synthetic" : "absolute";
    if (co_ld_folded_into(s->sec)->live)
        return NULL;
    bool common = !s->sec->idx; /* which ld.lld does not know any more when it is gone */
    return !common ? "discarded" : co_ld_ignores_undefined(ld) ? NULL : "undefined";
}

static void rank_symbol(struct ld *ld, const struct ordering *o, struct ld_symbol *s)
{
    struct ordered *entry = co_ld_names_find(&o->names, s->name, strlen(s->name));
    if (!entry)
        return;
    entry->present = true;
    const char *why = co_ld_unorderable(ld, s);
    if (why && o->warns)
        co_ld_warn(ld, "%s: unable to order %s symbol: %s", defined_by(ld, s), why, s->name);
    struct ld_section *sec = s->kind == SYM_DEFINED ? co_ld_folded_into(s->sec) : NULL;
    uint32_t rank = o->offset + entry->rank;
    if (sec && (!sec->eqclass || rank < sec->eqclass))
        sec->eqclass = rank;
}

/* The sections of the symbols that --symbol-ordering-file names. */
static void rank_by_symbols(struct ld *ld, const struct ordering *o)
{
    if (!o->all.count)
        return;
    EACH(i, ld->symbols)
        if (ld->symbols.items[i]->kind != SYM_NONE)
            rank_symbol(ld, o, ld->symbols.items[i]);
    EACH(i, ld->files) {
        const struct ld_file *f = ld->files.items[i];
        for (uint32_t k = 1; f->kind == FILE_OBJECT && k < f->first_global && k < f->symbol_count; k++)
            if (f->locals[k].name)
                rank_symbol(ld, o, &f->locals[k]);
    }
    EACH(i, o->all)
        if (!o->all.items[i]->present && o->warns)
            co_ld_warn(ld, "symbol ordering file: no such symbol: %s", o->all.items[i]->name);
}

/* Sections of the symbols that a file names, then those that calls bring together; the next rank that is free.  hfsort leaves
 * out functions that are empty: ld.lld keeps places for them, but in front, so that as many of the named ones meet the first of
 * the others there, rank by rank. */
static uint32_t rank_as_said(struct ld *ld)
{
    struct ordering o = { .warns = !(ld->opt.flags & CODEOBJ_LINK_NO_WARN_ORDERING) };
    for (size_t i = 0; i < ld->opt.symbol_orderings.count; i++)
        read_names(ld, &o, &ld->opt.symbol_orderings.items[i]);
    if (ld->relocatable)
        return 1;
    struct ld_call_order calls = co_ld_order_by_calls(ld);
    size_t first_two = o.all.count + calls.count, last = first_two > calls.function_count ? first_two : calls.function_count;
    o.offset = (uint32_t)(last - first_two);
    for (size_t i = 0; i < calls.count; i++)
        calls.secs[i]->eqclass = (uint32_t)(last - calls.function_count + i + 1);
    rank_by_symbols(ld, &o);
    return (uint32_t)last + 1;
}

/* Sections of relocations count where they become sections of the output (--emit-relocs), each in its place in the object. */
static void add_relocations(struct ld *ld, section_list *all, const struct ld_file *f)
{
    for (size_t i = 1; f->kind == FILE_OBJECT && i < f->section_count; i++) {
        struct ld_section *sec = f->sections[i];
        bool relocates = (sec->type == SHT_RELA || sec->type == SHT_REL) && sec->info < f->section_count && f->sections[sec->info]->kept;
        if (relocates || (sec->kept && !co_ld_is_mergeable(ld, sec)))
            *PUSH(ld, *all) = sec;
    }
}

/* All that can be moved, in the order of the link: of the inputs, what is not in the output too, but not what has been
 * cut into pieces; then the parts that the linker makes.  Its .comment is of strings with any -O. */
static section_list movable(struct ld *ld)
{
    section_list all = { 0 };
    EACH(i, ld->commons)
        *PUSH(ld, all) = ld->commons.items[i];
    bool with_relocations = ld->opt.flags & CODEOBJ_LINK_EMIT_RELOCS;
    for (size_t i = 0; with_relocations && i < ld->files.count; i++)
        add_relocations(ld, &all, ld->files.items[i]);
    for (size_t i = 0; !with_relocations && i < ld->sections.count; i++)
        if (!co_ld_is_mergeable(ld, ld->sections.items[i]) && ld->sections.items[i]->file)
            *PUSH(ld, all) = ld->sections.items[i];
    struct ld_section *padding = ld->s_relro_padding;
    if (!padding && co_ld_script_pads_relro(ld) &&
        !(ld->opt.flags & (CODEOBJ_LINK_NO_RELRO | CODEOBJ_LINK_OMAGIC | CODEOBJ_LINK_NMAGIC)))
        padding = co_ld_new_section(ld, ".relro_padding", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 1); /* counts, needed or not */
    struct ld_section *const parts[] = { ld->s_build_id, ld->s_dynsym, ld->s_versym, ld->s_verdef, ld->s_gnu_hash,
                                         ld->s_hash, ld->s_dynamic, ld->s_dynstr, ld->s_rela, ld->s_relr, ld->s_package,
                                         ld->s_got, padding, ld->s_symtab, ld->s_symtab_shndx, ld->s_shstrtab,
                                         ld->s_strtab };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i])
            *PUSH(ld, all) = parts[i];
    return all;
}

static void swap(struct ld_section **a, struct ld_section **b)
{
    struct ld_section *t = *a;
    *a = *b;
    *b = t;
}

/* Those whose names match change places among themselves. */
static void shuffle(section_list *all, const struct codeobj_link_section_address *rule, size_t *matched)
{
    size_t n = 0, len = strlen(rule->name);
    EACH(i, *all) {
        const char *name = all->items[i]->name;
        if (co_ld_glob(rule->name, len, name, strlen(name)))
            matched[n++] = i;
    }
    if ((uint32_t)rule->addr == CODEOBJ_SHUFFLE_REVERSE) {
        for (size_t i = 0; i < n / 2; i++)
            swap(&all->items[matched[i]], &all->items[matched[n - 1 - i]]);
        return;
    }
    struct twister t;
    mt_seed(&t, (uint32_t)rule->addr);
    for (size_t i = 0; i + 1 < n; i++)
        swap(&all->items[matched[i]], &all->items[matched[i + mt_next(&t) % (n - i)]]);
}

static bool rank_by_chance(struct ld *ld, uint32_t rank)
{
    if (!ld->opt.shuffle_count)
        return false;
    section_list all = movable(ld);
    size_t *matched = co_ld_array(ld, all.count, sizeof *matched);
    for (size_t i = 0; i < ld->opt.shuffle_count; i++)
        shuffle(&all, &ld->opt.shuffles[i], matched);
    EACH(i, all)
        if (!all.items[i]->eqclass)
            all.items[i]->eqclass = rank++;
    return true;
}

/* ---- order ------------------------------------------------------------------------------------ */

/* What has no rank comes last, as it was. */
static void order(struct ld *ld, struct ld_section **secs, size_t n)
{
    struct ld_ranked *r = co_ld_array(ld, n, sizeof *r);
    for (size_t i = 0; i < n; i++)
        r[i] = (struct ld_ranked){ secs[i], secs[i]->eqclass - 1, i };
    if (n)
        qsort(r, n, sizeof *r, co_ld_by_rank);
    for (size_t i = 0; i < n; i++)
        secs[i] = r[i].sec;
}

/* The sections of an output section that a script describes: description for description. */
static void order_described(struct ld *ld, struct ld_out *o)
{
    size_t n = 0;
    EACH(i, o->desc->cmds) {
        struct ld_input_cmd *in = o->desc->cmds.items[i].input;
        if (!in)
            continue;
        order(ld, in->secs.items, in->secs.count);
        for (size_t k = 0; k < in->secs.count; k++)
            o->secs.items[n++] = in->secs.items[k];
    }
}

/* Before output sections are laid out: input sections in the order that the command line asks for. */
void co_ld_apply_ordering(struct ld *ld)
{
    uint32_t rank = rank_as_said(ld);
    if (ld->relocatable || (!rank_by_chance(ld, rank) && rank == 1))
        return;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (!strcmp(o->name, ".init") || !strcmp(o->name, ".fini"))
            continue;
        if (o->desc)
            order_described(ld, o);
        else
            order(ld, o->secs.items, o->secs.count);
    }
}

/* ---- --randomize-section-padding ----------------------------------------------------------------- */

struct padder {
    struct ld *ld;
    struct twister chance;
    int load; /* the PT_LOAD at hand */
};

static bool takes_padding(const struct ld_out *o)
{
    static const char *const names[] = { ".bss", ".data", ".data.rel.ro", ".lbss", ".ldata", ".lrodata", ".ltext", ".rodata" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(o->name, names[i]))
            return true;
    return !strncmp(o->name, ".text", 5);
}

static void add_padding(struct padder *p, struct ld_out *o, section_list *to, uint64_t size)
{
    struct ld_section *pad = co_ld_new_section(p->ld, ".padding", SHT_PROGBITS, SHF_ALLOC, 1);
    pad->size = size;
    pad->is_padding = true;
    pad->out = o;
    *PUSH(p->ld, *to) = pad;
}

/* Sections that stand together in the script, or in the output section. */
static section_list padded(struct padder *p, struct ld_out *o, struct ld_section **secs, size_t n)
{
    section_list all = { 0 };
    if (o->load != p->load) {
        add_padding(p, o, &all, mt_next(&p->chance) % co_ld_load_align(p->ld));
        p->load = o->load;
    }
    for (size_t i = 0; i < n; i++) {
        if (mt_next(&p->chance) % 16 == 0)
            add_padding(p, o, &all, secs[i]->align);
        *PUSH(p->ld, all) = secs[i];
    }
    return all;
}

static void pad_out(struct padder *p, struct ld_out *o)
{
    section_list all = { 0 };
    if (!o->desc)
        all = padded(p, o, o->secs.items, o->secs.count);
    for (size_t i = 0; o->desc && i < o->desc->cmds.count; i++) {
        struct ld_input_cmd *in = o->desc->cmds.items[i].input;
        if (!in)
            continue;
        section_list part = padded(p, o, in->secs.items, in->secs.count);
        in->secs.items = part.items;
        in->secs.count = part.count;
        in->secs.cap = part.cap;
        EACH(k, part)
            *PUSH(p->ld, all) = part.items[k];
    }
    o->secs.items = all.items;
    o->secs.count = all.count;
    o->secs.cap = all.cap;
}

/* Once it is known which sections share a segment: some bytes at the start of each segment and, with a chance of 1 in 16,
 * in front of a section as many as its alignment. */
void co_ld_pad_sections(struct ld *ld)
{
    struct padder p = { .ld = ld, .load = -1 };
    mt_seed(&p.chance, (uint32_t)ld->opt.padding_seed);
    EACH(i, ld->outs)
        if (takes_padding(ld->outs.items[i]))
            pad_out(&p, ld->outs.items[i]);
}

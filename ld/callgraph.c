/* SPDX-License-Identifier: MIT
 *
 * ld/callgraph.c - a profile of calls, and the order of sections that follows from it.
 *
 * The profile is --call-graph-ordering-file, lines of `FROM TO WEIGHT`, or what objects bring themselves in sections of type
 * SHT_LLVM_CALL_GRAPH_PROFILE (the assembler's .cg_profile): 64-bit weights, each with two relocations at its place of which
 * only the symbols count.  It is read when it is known what stays and what has been folded, as ld.lld does: symbols
 * that get their section only with the layout, a script's among them, have none yet.
 */
#include "callgraph.h"

#include <limits.h>

struct ld_call { /* from one section to another, all calls together */
    struct ld_section *ends[2];
    uint64_t weight;
};

struct ld_calls {
    VEC(struct ld_call *) all; /* in the order of first mention */
    struct ld_names by_ends;
};

static void add_call(struct ld *ld, struct ld_section *from, struct ld_section *to, uint64_t weight)
{
    struct ld_section *ends[2] = { from, to };
    struct ld_call *call = co_ld_names_find(&ld->calls->by_ends, (const char *)ends, sizeof ends);
    if (!call) {
        call = co_ld_alloc(ld, sizeof *call);
        *call = (struct ld_call){ { from, to }, 0 };
        *co_ld_names_place(ld, &ld->calls->by_ends, (const char *)call->ends, sizeof call->ends) = call;
        *PUSH(ld, ld->calls->all) = call;
    }
    call->weight += weight;
}

/* Where the symbol is, live or not; NULL: in no section of an input. */
static struct ld_section *section_of(const struct ld_symbol *s)
{
    if (s->kind != SYM_DEFINED || s->linker_defined || s->discarded || !s->file)
        return NULL;
    return co_ld_folded_into(s->sec);
}

/* ---- --call-graph-ordering-file ------------------------------------------------------------------------------ */

struct call_file {
    const struct codeobj_link_text *text;
    struct ld_names symbols; /* of objects, struct named */
    bool warns;
};

struct named {
    const struct ld_symbol *sym; /* the last of that name, local or not */
    const struct ld_file *first; /* which has the name first */
};

/* As ld.lld sees it: without the version. */
static size_t name_length(const struct ld *ld, const struct ld_symbol *s)
{
    return s->local || ld->relocatable ? strlen(s->name) : strcspn(s->name, "@");
}

static void collect_symbols(struct ld *ld, struct call_file *c)
{
    EACH(i, ld->files) {
        const struct ld_file *f = ld->files.items[i];
        for (size_t k = 0; f->kind == FILE_OBJECT && k < f->symbol_count; k++) {
            const struct ld_symbol *s = f->symbols[k];
            if (!s)
                continue;
            void **place = co_ld_names_place(ld, &c->symbols, s->name, name_length(ld, s));
            struct named *n = *place;
            if (!n) {
                n = *place = co_ld_alloc(ld, sizeof *n);
                n->first = f;
            }
            n->sym = s;
        }
    }
}

/* Why a symbol has no section to move, or NULL.  What enumerates sections, and _DYNAMIC, is defined later. */
static const char *unorderable(const struct ld *ld, const struct ld_symbol *s)
{
    if (s->kind == SYM_LAZY)
        return NULL;
    if (s->kind != SYM_DEFINED)
        return co_ld_unorderable(ld, s);
    if (s->linker_defined)
        return !co_ld_is_late_name(s->name) ? "synthetic" : co_ld_ignores_undefined(ld) ? NULL : "undefined";
    if (!s->file || !s->sec)
        return "absolute";
    return co_ld_folded_into(s->sec)->live ? NULL : "discarded";
}

/* For "%.*s". */
static int shown(size_t len)
{
    return len < INT_MAX ? (int)len : INT_MAX;
}

static struct ld_section *find_section(struct ld *ld, const struct call_file *c, const char *name, size_t len)
{
    const struct named *named = co_ld_names_find(&c->symbols, name, len);
    if (!named) {
        if (c->warns)
            co_ld_warn(ld, "%s: no such symbol: %.*s", c->text->name, shown(len), name);
        return NULL;
    }
    const struct ld_symbol *s = named->sym;
    const char *why = c->warns ? unorderable(ld, s) : NULL;
    if (why) {
        const struct ld_file *by = !s->file && !strcmp(why, "undefined") ? named->first : s->file;
        co_ld_warn(ld, "%s: unable to order %s symbol: %.*s", co_ld_file_name(by), why, shown(len), name);
    }
    return section_of(s);
}

/* 64 bits, decimal or with 0x, 0b, 0o or 0 in front. */
static bool parse_weight(const char *p, const char *end, uint64_t *weight)
{
    unsigned base = 10;
    uint64_t v = 0;
    if (end - p > 1 && *p == '0') {
        char mark = p[1];
        base = (mark | 32) == 'x' ? 16 : (mark | 32) == 'b' ? 2 : mark == 'o' || (mark >= '0' && mark <= '9') ? 8 : 10;
        p += base == 10 ? 0 : mark >= '0' && mark <= '9' ? 1 : 2;
    }
    if (p == end)
        return false;
    for (; p < end; p++) {
        unsigned d = *p >= '0' && *p <= '9' ? (unsigned)(*p - '0') : (*p | 32) >= 'a' && (*p | 32) <= 'z' ? (unsigned)((*p | 32) - 'a') + 10 : 99;
        if (d >= base || v > (UINT64_MAX - d) / base)
            return false;
        v = v * base + d;
    }
    *weight = v;
    return true;
}

/* One blank between the fields; the first of them is not empty, as the line does not begin with one. */
static bool read_line(struct ld *ld, const struct call_file *c, const char *line, size_t len)
{
    const char *end = line + len, *to = memchr(line, ' ', len);
    const char *number = to ? memchr(to + 1, ' ', (size_t)(end - to - 1)) : NULL;
    uint64_t weight;
    if (!number || memchr(number + 1, ' ', (size_t)(end - number - 1)) || !parse_weight(number + 1, end, &weight)) {
        co_ld_error(ld, "%s: parse error", c->text->name);
        return false;
    }
    struct ld_section *a = find_section(ld, c, line, (size_t)(to - line));
    struct ld_section *b = a ? find_section(ld, c, to + 1, (size_t)(number - to - 1)) : NULL;
    if (b)
        add_call(ld, a, b, weight);
    return true;
}

static void read_file(struct ld *ld)
{
    struct call_file c = { .text = ld->opt.call_graph, .warns = !(ld->opt.flags & CODEOBJ_LINK_NO_WARN_ORDERING) };
    if (!c.text->text) {
        co_ld_error(ld, "cannot open %s", c.text->name);
        return;
    }
    collect_symbols(ld, &c);
    const char *at = c.text->text, *end = at + c.text->size, *line;
    size_t len;
    while ((line = co_ld_next_line(&at, end, &len)))
        if (!read_line(ld, &c, line, len))
            return;
}

/* ---- what objects have ------------------------------------------------------------------------------------------ */

static const struct ld_section *profile_of(const struct ld_file *f)
{
    const struct ld_section *found = NULL;
    for (size_t i = 1; i < f->section_count; i++) {
        const struct ld_section *s = f->sections[i];
        if (s->type == SHT_LLVM_CALL_GRAPH_PROFILE && (s->flags & SHF_EXCLUDE) && !s->discarded)
            found = s;
    }
    return found;
}

/* The section of the k-th relocation's symbol.  False: there is no such symbol. */
static bool section_at(struct ld *ld, const struct ld_file *f, const struct ld_section *profile, size_t k,
                       struct ld_section **out)
{
    size_t entry = profile->is_rel ? REL_SIZE : RELA_SIZE;
    uint64_t idx = ld_get64(profile->rel_data + k * entry + 8) >> 32;
    if (idx >= f->symbol_count || !f->symbols[idx]) {
        co_ld_error(ld, "%s: invalid symbol index", f->name);
        return false;
    }
    *out = section_of(f->symbols[idx]);
    return true;
}

static void read_object(struct ld *ld, const struct ld_file *f)
{
    enum { WEIGHT_SIZE = 8 };
    const struct ld_section *profile = profile_of(f);
    if (!profile)
        return;
    if (profile->entsize != WEIGHT_SIZE) {
        co_ld_error(ld, "section [index %u] has invalid sh_entsize: expected 8, but got %llu", profile->idx,
                    (unsigned long long)profile->entsize);
        return;
    }
    if (profile->size % WEIGHT_SIZE) {
        co_ld_error(ld, "section [index %u] has an invalid sh_size (%llu) which is not a multiple of its sh_entsize (8)",
                    profile->idx, (unsigned long long)profile->size);
        return;
    }
    if (!profile->rel_count) {
        co_ld_warn(ld, "SHT_LLVM_CALL_GRAPH_PROFILE exists, but relocation section doesn't");
        return;
    }
    if (!profile->data || profile->rel_count != profile->size / WEIGHT_SIZE * 2) {
        co_ld_error(ld, "number of relocations doesn't match Weights");
        return;
    }
    for (size_t i = 0; i < profile->size / WEIGHT_SIZE; i++) {
        struct ld_section *from, *to;
        if (!section_at(ld, f, profile, 2 * i, &from) || !section_at(ld, f, profile, 2 * i + 1, &to))
            return;
        if (from && to)
            add_call(ld, from, to, ld_get64(profile->data + i * WEIGHT_SIZE));
    }
}

/* sec->live and sec->repl are final. */
void co_ld_read_call_graph(struct ld *ld)
{
    if (ld->opt.call_graph_sort == CODEOBJ_CALL_GRAPH_SORT_NONE || ld->error_count)
        return;
    ld->calls = co_ld_alloc(ld, sizeof *ld->calls);
    if (ld->opt.call_graph)
        read_file(ld);
    else if (!ld->relocatable) /* whose output has the profiles as they are */
        EACH(i, ld->files)
            if (ld->files.items[i]->kind == FILE_OBJECT)
                read_object(ld, ld->files.items[i]);
}

/* ---- the order ------------------------------------------------------------------------------------------------------ */

struct sections { /* those that calls lead from or to, numbered */
    VEC(struct ld_section *) all;
    struct ld_names numbers;
};

static const struct ld_out *out_of(const struct ld_section *s)
{
    return s->live ? co_ld_final_section(s)->out : NULL;
}

struct numbered {
    const struct ld_section *sec;
    uint32_t number;
};

static uint32_t number(struct ld *ld, struct sections *s, struct ld_section *sec)
{
    struct numbered *n = co_ld_names_find(&s->numbers, (const char *)&sec, sizeof sec);
    if (n)
        return n->number;
    n = co_ld_alloc(ld, sizeof *n);
    *n = (struct numbered){ sec, (uint32_t)s->all.count };
    *co_ld_names_place(ld, &s->numbers, (const char *)&n->sec, sizeof n->sec) = n;
    *PUSH(ld, s->all) = sec;
    return n->number;
}

/* Calls within an output section; cdsort does not see those without weight. */
static void make_graph(struct ld *ld, struct sections *s, struct ld_graph *g)
{
    struct ld_arc *arcs = co_ld_array(ld, ld->calls->all.count, sizeof *arcs);
    EACH(i, ld->calls->all) {
        const struct ld_call *c = ld->calls->all.items[i];
        if (out_of(c->ends[0]) != out_of(c->ends[1]) ||
            (!c->weight && ld->opt.call_graph_sort == CODEOBJ_CALL_GRAPH_SORT_CDSORT))
            continue;
        uint32_t from = number(ld, s, c->ends[0]), to = number(ld, s, c->ends[1]);
        arcs[g->arc_count++] = (struct ld_arc){ from, to, c->weight };
    }
    uint64_t *sizes = co_ld_array(ld, s->all.count, sizeof *sizes);
    EACH(i, s->all)
        sizes[i] = s->all.items[i]->size;
    g->arcs = arcs;
    g->sizes = sizes;
    g->node_count = s->all.count;
}

struct symbol_list {
    const struct ld_symbol *sym;
    struct symbol_list *next;
};

/* --print-symbol-order: what the sections define, in the order of their files' symbol tables. */
static void print_order(struct ld *ld, const struct sections *s, const uint32_t *order, size_t count)
{
    struct symbol_list ***last = co_ld_array(ld, s->all.count, sizeof *last);
    struct symbol_list **first = co_ld_array(ld, s->all.count, sizeof *first);
    EACH(i, s->all)
        last[i] = &first[i];
    EACH(i, ld->files) {
        const struct ld_file *f = ld->files.items[i];
        for (size_t k = 0; f->kind == FILE_OBJECT && k < f->symbol_count; k++) {
            const struct ld_symbol *sym = f->symbols[k];
            const struct ld_section *sec = sym && sym->type != STT_SECTION ? section_of(sym) : NULL;
            const struct numbered *n =
                sec && sec->live && sec->file == f ? co_ld_names_find(&s->numbers, (const char *)&sec, sizeof sec) : NULL;
            if (!n)
                continue;
            struct symbol_list *item = *last[n->number] = co_ld_alloc(ld, sizeof *item);
            item->sym = sym;
            last[n->number] = &item->next;
        }
    }
    for (size_t i = 0; i < count; i++)
        for (const struct symbol_list *l = first[order[i]]; l; l = l->next)
            co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_SYMBOL_ORDER], "%.*s\n",
                           shown(name_length(ld, l->sym)), l->sym->name);
}

struct ld_call_order co_ld_order_by_calls(struct ld *ld)
{
    if (!ld->calls || !ld->calls->all.count || ld->relocatable)
        return (struct ld_call_order){ 0 };
    bool cdsort = ld->opt.call_graph_sort == CODEOBJ_CALL_GRAPH_SORT_CDSORT;
    struct sections s = { 0 };
    struct ld_graph g = { 0 };
    make_graph(ld, &s, &g);
    uint32_t *order = co_ld_array(ld, g.node_count, sizeof *order);
    struct ld_call_order result = { .function_count = g.node_count };
    result.count = (cdsort ? co_ld_cdsort : co_ld_hfsort)(ld, &g, order);
    result.secs = co_ld_array(ld, result.count, sizeof(struct ld_section *));
    for (size_t i = 0; i < result.count; i++)
        result.secs[i] = s.all.items[order[i]];
    if (!cdsort && (ld->opt.flags & CODEOBJ_LINK_PRINT_SYMBOL_ORDER))
        print_order(ld, &s, order, result.count);
    return result;
}

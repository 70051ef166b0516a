/* SPDX-License-Identifier: MIT
 *
 * ld/script.c - what a linker script says about symbols and about which input
 * sections go where.
 *
 * Each input section goes to the first description that matches it; what none
 * matches ("orphans") goes to the output section of its name, made where the
 * script has none.  Orphans are placed as lld does: behind the last section
 * of the script that is most like it (permissions, relro, NOBITS), so that
 * it can share that section's segment.
 *
 * Invariants: after co_ld_script_match, sec->input_cmd is final; after
 * co_ld_script_order, script->steps and ld->outs are in the order of the file.
 */
#include "script.h"

#include <stdlib.h>

/* ---- symbols ------------------------------------------------------------------------- */

static void refer(struct ld *ld, const char *name)
{
    struct ld_symbol *s = co_ld_intern(ld, name, strlen(name));
    co_ld_trace(ld, s, "<internal>", "reference to");
    s->used = s->referenced = true;
    if (s->root == ROOT_NONE)
        s->root = ROOT_SCRIPT;
    if (s->kind == SYM_NONE) {
        s->kind = SYM_UNDEF;
        s->binding = STB_GLOBAL;
    } else if (s->kind == SYM_LAZY) {
        co_ld_extract(ld, s, "linker script");
        co_ld_resolve_pending(ld);
    }
}

static void each_expr(struct ld *ld, const struct ld_assign *a, const struct ld_expr *e, void (*f)(struct ld *, const char *))
{
    if (a && !a->provide)
        co_ld_expr_symbols(ld, a->expr, f);
    co_ld_expr_symbols(ld, e, f);
}

static void declare_desc(struct ld *ld, const struct ld_desc *d)
{
    const struct ld_expr *const own[] = { d->addr, d->lma, d->align, d->subalign, d->fill_expr };
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        co_ld_expr_symbols(ld, own[k], refer);
    EACH(k, d->cmds)
        each_expr(ld, d->cmds.items[k].assign, d->cmds.items[k].expr, refer);
}

/* Archive members that meet what expressions name are taken in, as for --require-defined. */
void co_ld_script_declare(struct ld *ld)
{
    if (!ld->script)
        return;
    EACH(i, ld->script->steps) {
        const struct ld_step *step = &ld->script->steps.items[i];
        each_expr(ld, step->assign, step->assertion, refer);
        if (step->desc)
            declare_desc(ld, step->desc);
    }
}

/* Will the value be a place in the output, and not a number? */
static bool is_place(const struct ld *ld, const struct ld_expr *e)
{
    const struct ld_symbol *s;
    switch (e->op) {
    case EXPR_DOT:
    case EXPR_ADDR:
    case EXPR_DATA_END:
        return true;
    case EXPR_SYMBOL:
        s = co_ld_names_find(&ld->table, e->name, strlen(e->name));
        if (s && (s->kind == SYM_UNDEF || s->kind == SYM_LAZY))
            return co_ld_is_linker_name(ld, e->name);
        return s && s->kind == SYM_DEFINED && !ld_is_absolute(s);
    case EXPR_ADD:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
        return is_place(ld, e->a) || is_place(ld, e->b);
    case EXPR_SUB:
        return is_place(ld, e->a) && !is_place(ld, e->b);
    case EXPR_ALIGN_OF_VALUE:
        return is_place(ld, e->a);
    case EXPR_CHOICE:
        return is_place(ld, e->b) || is_place(ld, e->c);
    default:
        return false;
    }
}

static void assign_symbol(struct ld *ld, struct ld_assign *a, const struct ld_desc *d)
{
    if (!a || !strcmp(a->name, "."))
        return;
    struct ld_symbol *s = co_ld_find(ld, a->name);
    if (a->provide) {
        if (!s || !s->used || (s->kind != SYM_UNDEF && s->kind != SYM_LAZY && s->kind != SYM_SHARED))
            return;
        co_ld_expr_symbols(ld, a->expr, refer);
    }
    if (!s)
        s = co_ld_intern(ld, a->name, strlen(a->name));
    s->late = d && d->overwrite && !s->referenced && s->kind != SYM_DEFINED;
    struct ld_term zero = { 0 };
    co_ld_set_symbol(s, &zero);
    s->in_output = is_place(ld, a->expr);
    if (!s->in_output && a->expr->op == EXPR_NUMBER)
        s->value = a->expr->number;
    co_ld_merge_visibility(s, a->hidden ? STV_HIDDEN : STV_DEFAULT);
    a->sym = s;
    co_ld_trace(ld, s, "<internal>", "definition of");
}

static const char *place_of(struct ld *ld, const struct ld_where *at)
{
    return !strcmp(at->file, "--defsym") ? at->file : co_ld_printf(ld, "%s:%u", at->file, at->line);
}

static void trace_assign(struct ld *ld, const struct ld_assign *a)
{
    if (a && a->sym && a->sym->traced)
        co_ld_trace(ld, a->sym, place_of(ld, &a->at), "definition of");
}

/* Once more, where their values are known. */
void co_ld_script_trace(struct ld *ld)
{
    for (size_t i = 0; ld->script && i < ld->script->steps.count; i++) {
        const struct ld_step *step = &ld->script->steps.items[i];
        trace_assign(ld, step->assign);
        for (size_t k = 0; step->desc && k < step->desc->cmds.count; k++)
            trace_assign(ld, step->desc->cmds.items[k].assign);
    }
}

static const struct ld_where *assigned_at(const struct ld_assign *a, const struct ld_symbol *sym, const struct ld_where *before)
{
    return a && a->sym == sym ? &a->at : before;
}

/* FILE:LINE of the last assignment to a symbol, "--defsym"; NULL: a script does not define it. */
const char *co_ld_script_assigned_at(struct ld *ld, const struct ld_symbol *sym)
{
    const struct ld_where *at = NULL;
    for (size_t i = 0; ld->script && i < ld->script->steps.count; i++) {
        const struct ld_step *step = &ld->script->steps.items[i];
        at = assigned_at(step->assign, sym, at);
        for (size_t k = 0; step->desc && k < step->desc->cmds.count; k++)
            at = assigned_at(step->desc->cmds.items[k].assign, sym, at);
    }
    return at ? place_of(ld, at) : NULL;
}

/* New names of OVERWRITE_SECTIONS come behind those of the linker. */
void co_ld_script_late_symbols(struct ld *ld)
{
    for (size_t i = 0; ld->script && i < ld->script->descs.count; i++) {
        const struct ld_desc *d = ld->script->descs.items[i];
        for (size_t k = 0; d->overwrite && k < d->cmds.count; k++)
            if (d->cmds.items[k].assign && !d->cmds.items[k].assign->sym)
                assign_symbol(ld, d->cmds.items[k].assign, d);
    }
}

void co_ld_script_symbols(struct ld *ld)
{
    if (!ld->script)
        return;
    EACH(i, ld->script->steps) {
        assign_symbol(ld, ld->script->steps.items[i].assign, NULL);
        struct ld_desc *d = ld->script->steps.items[i].desc;
        if (d)
            EACH(k, d->cmds)
                if (!d->overwrite || (d->cmds.items[k].assign && co_ld_find(ld, d->cmds.items[k].assign->name)))
                    assign_symbol(ld, d->cmds.items[k].assign, d);
    }
}

/* ---- matching ------------------------------------------------------------------------------ */

static bool glob(const char *pattern, const char *text)
{
    if (*pattern == 1) /* was quoted */
        return !strcmp(pattern + 1, text);
    if (pattern[0] == '*' && !pattern[1])
        return true;
    return co_ld_glob(pattern, strlen(pattern), text, strlen(text));
}

static bool any(const struct ld_globs *globs, const char *text)
{
    EACH(i, globs->items)
        if (glob(globs->items.items[i], text))
            return true;
    return false;
}

/* A member is "ARCHIVE:MEMBER" in scripts. */
static const char *script_name(struct ld *ld, const struct ld_file *f)
{
    if (!f)
        return "";
    return f->archive ? co_ld_printf(ld, "%s:%s", f->archive, f->member_name) : f->name;
}

/* "ARCHIVE:" is all of an archive, ":FILE" a file of none. */
static bool file_matches(struct ld *ld, const char *pattern, const struct ld_file *f)
{
    size_t n = strlen(pattern);
    if (!strcmp(pattern, "*"))
        return true;
    if (n > 1 && pattern[n - 1] == ':')
        return f && f->archive && co_ld_glob(pattern, n - 1, f->archive, strlen(f->archive));
    if (n > 1 && pattern[0] == ':')
        return f && !f->archive && glob(pattern + 1, f->name);
    return glob(pattern, script_name(ld, f));
}

static bool file_excluded(struct ld *ld, const struct ld_pattern *p, const struct ld_file *f)
{
    EACH(i, p->excluded.items)
        if (file_matches(ld, p->excluded.items.items[i], f))
            return true;
    return false;
}

static bool fits(struct ld *ld, const struct ld_input_cmd *in, const struct ld_pattern *p, const struct ld_section *sec)
{
    return any(&p->names, sec->name) && (sec->flags & in->with) == in->with && !(sec->flags & in->without) &&
           file_matches(ld, in->file, sec->file) && !file_excluded(ld, p, sec->file);
}

struct found {
    struct ld_section *sec;
    uint64_t key;
    size_t seq;
};

static int by_key(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static int by_name(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    int d = strcmp(x->sec->name, y->sec->name);
    return d ? d : x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void sort_found(struct ld *ld, struct ld_section **secs, size_t n, enum ld_sort how)
{
    if (n < 2 || how == SORT_DEFAULT || how == SORT_NONE)
        return;
    struct found *f = co_ld_array(ld, n, sizeof *f);
    for (size_t i = 0; i < n; i++) {
        uint64_t key = how == SORT_ALIGNMENT ? UINT64_MAX - secs[i]->align
                       : how == SORT_REVERSE ? n - i
                                             : co_ld_init_priority(secs[i]->name);
        f[i] = (struct found){ secs[i], key, i };
    }
    qsort(f, n, sizeof *f, how == SORT_NAME ? by_name : by_key);
    for (size_t i = 0; i < n; i++)
        secs[i] = f[i].sec;
}

/* --sort-section */
static enum ld_sort sort_section(const struct ld *ld)
{
    return ld->opt.sort_section == CODEOBJ_SORT_NAME        ? SORT_NAME
           : ld->opt.sort_section == CODEOBJ_SORT_ALIGNMENT ? SORT_ALIGNMENT
                                                            : SORT_DEFAULT;
}

/* Runs of patterns without SORT are in the order of the link, whichever pattern matched. */
static void sort_by_input(struct ld *ld, struct ld_section **secs, size_t n)
{
    struct found *f = co_ld_array(ld, n, sizeof *f);
    for (size_t i = 0; i < n; i++)
        f[i] = (struct found){ secs[i], secs[i]->link_seq, i };
    if (n > 1)
        qsort(f, n, sizeof *f, by_key);
    for (size_t i = 0; i < n; i++)
        secs[i] = f[i].sec;
    sort_found(ld, secs, n, sort_section(ld));
}

static void take(struct ld *ld, struct ld_input_cmd *in, const struct ld_pattern *p, struct ld_section *sec)
{
    if (!sec->kept || sec->is_merged || !fits(ld, in, p, sec))
        return;
    struct ld_section *found = co_ld_claim(ld, in, sec);
    if (found)
        *PUSH(ld, in->found) = found;
}

static void find_inputs(struct ld *ld, struct ld_input_cmd *in)
{
    size_t sorted = 0;
    if (in->class_name) {
        co_ld_find_of_class(ld, in);
        return;
    }
    EACH(k, in->patterns) {
        const struct ld_pattern *p = &in->patterns.items[k];
        size_t before = in->found.count;
        EACH(i, ld->commons)
            take(ld, in, p, ld->commons.items[i]);
        EACH(i, ld->sections)
            take(ld, in, p, ld->sections.items[i]);
        if (p->outer == SORT_DEFAULT)
            continue;
        if (sorted < before)
            sort_by_input(ld, in->found.items + sorted, before - sorted);
        if (p->outer != SORT_NONE) {
            enum ld_sort inner = p->inner == SORT_DEFAULT ? sort_section(ld) : (enum ld_sort)p->inner;
            sort_found(ld, in->found.items + before, in->found.count - before, inner);
            sort_found(ld, in->found.items + before, in->found.count - before, (enum ld_sort)p->outer);
        }
        sorted = in->found.count;
    }
    if (sorted < in->found.count)
        sort_by_input(ld, in->found.items + sorted, in->found.count - sorted);
}

static void discard(struct ld_section *sec)
{
    sec->kept = sec->live = false;
    sec->discarded = true;
    for (struct ld_section *d = sec->dependents; d; d = d->next_dependent)
        if (d->kept)
            discard(d);
}

/* ONLY_IF_RO, ONLY_IF_RW: a description that does not hold gives back what it matched. */
static bool constraint_holds(const struct ld_desc *d)
{
    if (!d->only_ro && !d->only_rw)
        return true;
    bool writes = false;
    EACH(k, d->cmds) {
        const struct ld_input_cmd *in = d->cmds.items[k].input;
        for (size_t i = 0; in && i < in->found.count; i++)
            writes |= (in->found.items[i]->flags & SHF_WRITE) != 0;
    }
    return writes == d->only_rw;
}

static void apply_subalign(struct ld *ld, const struct ld_desc *d, struct ld_section *sec)
{
    struct ld_term t = co_ld_eval(ld, d->subalign, true);
    uint64_t v = co_ld_term_value(&t);
    if (v & (v - 1))
        co_ld_error(ld, "%s:%u: alignment must be power of 2", d->at.file, d->at.line);
    else if (v)
        sec->align = v;
}

static void finish_desc(struct ld *ld, struct ld_desc *d)
{
    bool holds = constraint_holds(d);
    d->rejected = !holds;
    EACH(k, d->cmds) {
        struct ld_input_cmd *in = d->cmds.items[k].input;
        for (size_t i = 0; in && i < in->found.count; i++) {
            struct ld_section *sec = in->found.items[i];
            if (!holds)
                co_ld_release(sec);
            else if (d->subalign)
                apply_subalign(ld, d, sec);
        }
        if (in && !holds)
            in->found.count = 0;
    }
}

/* What names a section of /DISCARD/ names nothing that there will be. */
static void forget_symbols(struct ld *ld)
{
    EACH(i, ld->files) {
        struct ld_file *f = ld->files.items[i];
        for (size_t k = 1; f->kind == FILE_OBJECT && k < f->symbol_count; k++) {
            struct ld_symbol *s = f->symbols[k];
            if (s && s->kind == SYM_DEFINED && s->sec && s->sec->discarded && s->sec->input_cmd)
                s->discarded = true;
        }
    }
}

/* OVERWRITE_SECTIONS: d has its sections; the first one of that name goes where the script has the name. */
static void overwrite(struct ld *ld, struct ld_desc *d)
{
    EACH(i, ld->script->descs) {
        const struct ld_desc *other = ld->script->descs.items[i];
        if (other == d)
            break;
        if (other->overwrite && !other->rejected && !strcmp(other->name, d->name)) {
            co_ld_warn(ld, "OVERWRITE_SECTIONS specifies duplicate %s", d->name);
            return;
        }
    }
    EACH(i, ld->script->steps) {
        struct ld_step *step = &ld->script->steps.items[i];
        if (step->desc == d && d->placed)
            step->desc = NULL;
        if (!step->desc || step->desc->overwrite || strcmp(step->desc->name, d->name))
            continue;
        EACH(k, step->desc->cmds) /* what it assigns stays 0, as with ld.lld */
            if (step->desc->cmds.items[k].assign && step->desc->cmds.items[k].assign->sym)
                step->desc->cmds.items[k].assign->sym->in_output = false;
        step->desc->rejected = true;
        step->desc = d;
        d->placed = true;
    }
}

void co_ld_script_match(struct ld *ld)
{
    struct ld_script *script = ld->script;
    if (!script)
        return;
    uint64_t seq = 0;
    bool overwrites = script->descs.count && script->descs.items[0]->overwrite;
    if ((ld->opt.flags & CODEOBJ_LINK_NON_CONTIGUOUS) && overwrites)
        co_ld_error(ld, "OVERWRITE_SECTIONS cannot be used with --enable-non-contiguous-regions");
    EACH(i, ld->commons)
        ld->commons.items[i]->link_seq = seq++;
    EACH(i, ld->sections)
        ld->sections.items[i]->link_seq = seq++;
    EACH(i, script->descs) {
        struct ld_desc *d = script->descs.items[i];
        if (d->rejected && !d->is_class) /* overwritten */
            continue;
        EACH(k, d->cmds)
            if (d->cmds.items[k].input)
                find_inputs(ld, d->cmds.items[k].input);
        if (d->is_class)
            continue;
        finish_desc(ld, d);
        if (d->overwrite && !d->rejected && !d->discard)
            overwrite(ld, d);
    }
}

/* Behind --gc-sections: what a section that is thrown away refers to stays. */
void co_ld_script_discard(struct ld *ld)
{
    bool any = false;
    for (size_t i = 0; ld->script && i < ld->script->descs.count; i++) {
        const struct ld_desc *d = ld->script->descs.items[i];
        for (size_t k = 0; d->discard && !d->rejected && k < d->cmds.count; k++) {
            const struct ld_input_cmd *in = d->cmds.items[k].input;
            for (size_t n = 0; in && n < in->found.count; n++)
                discard(in->found.items[n]);
            any = true;
        }
    }
    if (any)
        forget_symbols(ld);
}

bool co_ld_script_keeps(const struct ld *ld, const struct ld_section *sec)
{
    if (!ld->script)
        return false;
    EACH(i, ld->script->kept) {
        const struct ld_input_cmd *in = ld->script->kept.items[i];
        EACH(k, in->patterns)
            if (fits((struct ld *)(uintptr_t)ld, in, &in->patterns.items[k], sec))
                return true;
    }
    return false;
}

/* ---- placing --------------------------------------------------------------------------------- */

static void append(struct ld *ld, struct ld_input_cmd *in, struct ld_section *sec)
{
    const struct ld_section *real = ld_places(sec)->spill_of ? ld_places(sec)->spill_of : sec;
    if (!real->live || real->repl)
        return;
    struct ld_section *part = sec;
    if (sec->merge) {
        part = co_ld_merged_section(sec);
        if (!co_ld_merge_place(sec))
            return;
        if (part != sec && ld_places(sec)->spills)
            co_ld_places(ld, part)->spills = ld_places(sec)->spills; /* the first one's places are those of all */
    }
    part->input_cmd = in;
    *PUSH(ld, in->secs) = part;
    co_ld_append(ld, in->desc->out, part);
}

/* Of OVERWRITE_SECTIONS, and nothing else in the script has its name. */
static bool is_loose(const struct ld_desc *d)
{
    return d && d->overwrite && !d->placed;
}

void co_ld_script_place(struct ld *ld)
{
    if (!ld->script)
        return;
    EACH(i, ld->script->descs) {
        struct ld_desc *d = ld->script->descs.items[i];
        if (d->rejected || d->discard)
            continue;
        d->out = co_ld_new_out(ld, d->name, SHT_PROGBITS, (ld->script->has_sections ? 0 : (uint64_t)ld->files.count + 2) << 32 | i);
        d->out->desc = d;
        EACH(k, d->cmds) {
            struct ld_input_cmd *in = d->cmds.items[k].input;
            for (size_t n = 0; in && n < in->found.count; n++)
                append(ld, in, in->found.items[n]);
        }
    }
    for (size_t i = 0; ld->script->has_sections && i < ld->script->steps.count; i++) { /* OVERWRITE_SECTIONS may stand elsewhere */
        struct ld_desc *d = ld->script->steps.items[i].desc;
        if (d && d->out)
            d->out->seq = is_loose(d) ? ld->script->steps.count + i : i;
    }
}

/* An orphan whose name the script has: behind all that the description has. */
void co_ld_script_adopt(struct ld *ld, struct ld_desc *d, struct ld_section *sec)
{
    struct ld_cmd *last = d->cmds.count ? &d->cmds.items[d->cmds.count - 1] : NULL;
    if (!last || last->kind != CMD_INPUT) {
        struct ld_input_cmd *in = co_ld_alloc(ld, sizeof *in);
        in->file = "";
        in->desc = d;
        *PUSH(ld, d->cmds) = (struct ld_cmd){ .kind = CMD_INPUT, .input = in };
        last = &d->cmds.items[d->cmds.count - 1];
    }
    sec->input_cmd = last->input;
    sec->adopted = true;
    *PUSH(ld, last->input->secs) = sec;
    co_ld_append(ld, d->out, sec);
}

static bool any_fits(struct ld *ld, const struct ld_input_cmd *in, const struct ld_section *sec)
{
    EACH(i, in->patterns)
        if (fits(ld, in, &in->patterns.items[i], sec))
            return true;
    return false;
}

static bool class_fits(struct ld *ld, const struct ld_input_cmd *in, const struct ld_section *sec)
{
    const struct ld_desc *c = co_ld_class_of(ld, in);
    for (size_t i = 0; c && i < c->cmds.count; i++)
        if (any_fits(ld, c->cmds.items[i].input, sec))
            return true;
    return false;
}

/* One description, and a part that may be for it; false: it may not be where the description has put it. */
static bool take_part(struct ld *ld, struct ld_desc *d, struct ld_input_cmd *in, struct ld_section *sec)
{
    bool matches = in->class_name ? class_fits(ld, in, sec) : any_fits(ld, in, sec);
    if (d->is_class) {
        if (matches && !ld_places(sec)->section_class && !sec->input_cmd)
            co_ld_places(ld, sec)->section_class = d;
        return true;
    }
    if (!co_ld_claims_part(ld, in, sec, matches))
        return true;
    if (d->discard) {
        co_ld_error(ld, "discarding %s section is not allowed", sec->name);
        return false;
    }
    struct ld_section *claimed = co_ld_claim_part(ld, in, sec);
    if (!claimed) {
        co_ld_error(ld, "the linker script has too many places for the same sections");
        return false;
    }
    if (d->subalign)
        apply_subalign(ld, d, claimed);
    *PUSH(ld, in->secs) = claimed;
    co_ld_append(ld, d->out, claimed);
    return true;
}

/* A part that the linker makes may be named in a script too. */
struct ld_out *co_ld_script_take(struct ld *ld, struct ld_section *sec)
{
    if (!ld->script || sec->file || sec->is_merged || sec->stands_alone)
        return NULL; /* merged sections of objects have been matched */
    EACH(i, ld->script->descs) {
        struct ld_desc *d = ld->script->descs.items[i];
        EACH(k, d->cmds) {
            struct ld_input_cmd *in = d->cmds.items[k].input;
            if (in && (d->is_class || !d->rejected) && !take_part(ld, d, in, sec))
                return NULL;
        }
    }
    if (ld_places(sec)->section_class && !sec->input_cmd)
        co_ld_error(ld, "section class '%s' is unreferenced", ld_places(sec)->section_class->name);
    return sec->input_cmd ? sec->out : NULL;
}

/* ---- the order of the file ----------------------------------------------------------------------- */

/* Would the section be missed?  If not, it is as if the script did not have it. */
static bool is_discardable(const struct ld_desc *d)
{
    if (d->uses_symbols || d->in_expression)
        return false;
    EACH(i, d->cmds) {
        const struct ld_cmd *c = &d->cmds.items[i];
        if (c->kind == CMD_ASSIGN && strcmp(c->assign->name, ".") && !c->assign->sym)
            continue;
        if (c->kind != CMD_INPUT)
            return false;
    }
    return true;
}

typedef VEC(struct ld_step) step_list;

static void propagate_phdrs(struct ld_out *o, struct ld_names_list *current)
{
    if (!o->phdrs.items.count) {
        if (o->flags & SHF_ALLOC)
            o->phdrs = *current;
    } else {
        *current = o->phdrs;
    }
}

static void align_desc(struct ld *ld, struct ld_desc *d)
{
    if (!d->align)
        return;
    struct ld_term t = co_ld_eval(ld, d->align, true);
    uint64_t v = co_ld_term_value(&t);
    if (v & (v - 1))
        co_ld_error(ld, "%s:%u: alignment must be power of 2", d->at.file, d->at.line);
    else if (v > d->out->align)
        d->out->align = v;
}

/* ld.lld has a .bss of its own, which is gone when it is empty: what would have held it is writable and NOBITS. */
static bool holds_bss(const struct ld_desc *d)
{
    EACH(i, d->cmds) {
        const struct ld_input_cmd *in = d->cmds.items[i].input;
        for (size_t k = 0; in && k < in->patterns.count; k++)
            if (any(&in->patterns.items[k].names, ".bss") || any(&in->patterns.items[k].names, ".bss.rel.ro"))
                return true;
    }
    return false;
}

/* Empty sections go, or get the flags of their neighbour. */
static void adjust(struct ld *ld, step_list *steps)
{
    uint64_t flags = SHF_ALLOC;
    struct ld_names_list current = { 0 };
    size_t n = 0;
    EACH(i, *steps) {
        struct ld_out *o = steps->items[i].out;
        struct ld_desc *d = o ? o->desc : NULL;
        if (d && !o->secs.count && holds_bss(d)) {
            flags = SHF_ALLOC | SHF_WRITE;
            if (!d->has_type)
                o->type = SHT_NOBITS;
        }
        if (d && !o->secs.count)
            o->flags = flags & ((d->non_alloc ? 0 : SHF_ALLOC) | SHF_WRITE);
        else if (o)
            flags = o->flags;
        if (d) {
            align_desc(ld, d);
            propagate_phdrs(o, &current);
            o->removed = !o->secs.count && is_discardable(d);
        }
        if (!o || !o->removed)
            steps->items[n++] = steps->items[i];
    }
    steps->count = n;
}

static int by_rank(const void *a, const void *b)
{
    const struct ld_out *x = *(struct ld_out *const *)a, *y = *(struct ld_out *const *)b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

/* How alike: the number of equal bits at the top of the ranks; -1: no section to go by. */
static int proximity(const struct ld_out *a, const struct ld_step *step)
{
    if (!step->out || !step->out->secs.count)
        return -1;
    uint32_t differ = a->rank ^ step->out->rank;
    return differ ? __builtin_clz(differ) : 32;
}

static bool with_inputs(const struct ld_step *s)
{
    return s->out && s->out->secs.count;
}

/* A symbol assignment: an orphan goes behind it.  One to the location counter stays in front of its section. */
static bool passes_over(const struct ld_step *s)
{
    return s->assign && strcmp(s->assign->name, ".");
}

static size_t orphan_position(const struct ld *ld, const step_list *steps, size_t first, const struct ld_out *o)
{
    size_t n = steps->count, at = n;
    int most = 0;
    if (!(o->flags & SHF_ALLOC))
        return n;
    if (ld->s_relro_padding && o == ld->s_relro_padding->out)
        for (size_t i = first; i < n; i++)
            if (steps->items[i].assign && steps->items[i].assign->relro_end)
                return i;
    for (size_t i = first; i < n; i++) {
        int p = proximity(o, &steps->items[i]);
        if (p > most || (p == most && p >= 0 && steps->items[i].out->rank <= o->rank)) {
            most = p;
            at = i;
        }
    }
    if (at == n)
        return n;
    bool after = ld->script->phdrs.count || ld->script->regions.count;
    if (steps->items[at].out->rank <= o->rank || after) {
        size_t i = ++at;
        for (; i < n; i++) {
            if (!with_inputs(&steps->items[i]))
                continue;
            if (proximity(o, &steps->items[i]) != most)
                break;
            at = i + 1;
        }
    } else {
        while (at > first && !with_inputs(&steps->items[at - 1]))
            at--;
    }
    size_t rest = at;
    while (rest < n && !with_inputs(&steps->items[rest]))
        rest++;
    if (rest == n)
        return n;
    while (at < n && passes_over(&steps->items[at]))
        at++;
    return at;
}

/* Room for n steps at `at`. */
static struct ld_step *make_room(struct ld *ld, step_list *steps, size_t at, size_t n)
{
    size_t tail = steps->count - at;
    for (size_t i = 0; i < n; i++)
        *PUSH(ld, *steps) = (struct ld_step){ 0 };
    if (tail)
        memmove(&steps->items[at + n], &steps->items[at], tail * sizeof *steps->items);
    return &steps->items[at];
}

static void place_orphans(struct ld *ld, step_list *steps, struct ld_out **orphans, size_t count)
{
    size_t first = 0;
    /* A location counter that is set in front of everything stays in front of everything. */
    while (first < steps->count && passes_over(&steps->items[first]))
        first++;
    if (first < steps->count && !steps->items[first].out) /* an assertion counts as one that sets it */
        first++;
    for (size_t i = 0; i < count;) {
        size_t at = orphan_position(ld, steps, first, orphans[i]);
        size_t n = 1;
        while (i + n < count && orphans[i + n]->rank == orphans[i]->rank)
            n++;
        struct ld_step *room = make_room(ld, steps, at, n);
        for (size_t k = 0; k < n; k++)
            room[k] = (struct ld_step){ .out = orphans[i + k] };
        i += n;
    }
}

static size_t step_of(const step_list *steps, const char *name)
{
    size_t i = 0;
    while (i < steps->count && !(steps->items[i].out && !strcmp(steps->items[i].out->name, name)))
        i++;
    return i;
}

static void apply_inserts(struct ld *ld, step_list *steps)
{
    EACH(i, ld->script->inserts) {
        const struct ld_insert *in = &ld->script->inserts.items[i];
        step_list moved = { 0 };
        EACH(k, in->names.items) {
            size_t from = step_of(steps, in->names.items.items[k]);
            if (from == steps->count)
                continue;
            *PUSH(ld, moved) = steps->items[from];
            memmove(&steps->items[from], &steps->items[from + 1], (steps->count - from - 1) * sizeof *steps->items);
            steps->count--;
        }
        size_t to = step_of(steps, in->where);
        if (to == steps->count) {
            co_ld_error(ld, "unable to insert %s%s%s", in->names.items.items[0], in->after ? " after " : " before ",
                        in->where);
            return;
        }
        if (moved.count)
            memcpy(make_room(ld, steps, to + in->after, moved.count), moved.items, moved.count * sizeof *moved.items);
    }
}

static void name_regions(struct ld *ld, const step_list *steps)
{
    struct ld_script *script = ld->script;
    struct ld_region *hint = NULL;
    EACH(i, *steps) {
        struct ld_out *o = steps->items[i].out;
        if (!o)
            continue;
        const struct ld_desc *d = o->desc;
        const char *lma = d ? d->lma_region_name : NULL, *name = d ? d->region_name : NULL;
        if (lma && !(o->lma_region = co_ld_find_region(ld, lma)))
            co_ld_error(ld, "memory region '%s' not declared", lma);
        if (!(o->flags & SHF_ALLOC)) {
            if (name && o->secs.count)
                co_ld_warn(ld, "ignoring memory region assignment for non-allocatable section '%s'", o->name);
            hint = NULL;
            continue;
        }
        if (name) {
            if (!(hint = o->region = co_ld_find_region(ld, name)))
                co_ld_error(ld, "memory region '%s' not declared", name);
            continue;
        }
        if (!script->regions.count)
            continue;
        if (!d && hint) {
            o->region = hint;
            continue;
        }
        hint = NULL;
        for (size_t k = 0; k < script->regions.count && !o->region; k++) {
            struct ld_region *r = script->regions.items[k];
            if ((o->flags & r->neg_flags) || (~o->flags & r->neg_inv_flags))
                continue;
            if ((o->flags & r->flags) || (~o->flags & r->inv_flags))
                o->region = r;
        }
        if (!o->region)
            co_ld_error(ld, "no memory region specified for section '%s'", o->name);
    }
}

static void default_phdrs(struct ld *ld, const step_list *steps)
{
    struct ld_names_list current = { 0 };
    EACH(i, ld->script->phdrs)
        if (ld->script->phdrs.items[i].type == PT_LOAD) {
            *PUSH(ld, current.items) = ld->script->phdrs.items[i].name;
            break;
        }
    EACH(i, *steps)
        if (steps->items[i].out)
            propagate_phdrs(steps->items[i].out, &current);
}

/* What a description says about its section as a whole. */
static void apply_desc(struct ld_out *o)
{
    const struct ld_desc *d = o->desc;
    if (!d)
        return;
    o->phdrs = d->phdrs;
    if (d->has_type)
        o->type = d->type;
    if (d->non_alloc)
        o->flags &= ~SHF_ALLOC;
}

static void set_ranks(struct ld *ld)
{
    EACH(i, ld->outs)
        ld->outs.items[i]->rank = ld->relocatable ? 0 : co_ld_rank(ld, ld->outs.items[i]);
}

/* They are adjusted behind the script's own sections, and placed with the orphans. */
static size_t adjust_with_loose(struct ld *ld, step_list *steps, struct ld_out **orphans, size_t count)
{
    size_t n = 0;
    EACH(i, ld->script->descs)
        if (is_loose(ld->script->descs.items[i]) && ld->script->descs.items[i]->out)
            *PUSH(ld, *steps) = (struct ld_step){ .out = ld->script->descs.items[i]->out };
    adjust(ld, steps);
    while (steps->count && steps->items[steps->count - 1].out && is_loose(steps->items[steps->count - 1].out->desc))
        orphans[count + n++] = steps->items[--steps->count].out;
    return count + n;
}

/* The script's own sections in its order; without SECTIONS all by rank, until INSERT moves some. */
static step_list first_order(struct ld *ld, struct ld_out **orphans, size_t count)
{
    step_list steps = { 0 };
    bool sections = ld->script->has_sections;
    for (size_t i = 0; !sections && i < count; i++)
        *PUSH(ld, steps) = (struct ld_step){ .out = orphans[i] };
    EACH(i, ld->script->steps) {
        struct ld_step s = ld->script->steps.items[i];
        if (s.desc && (!sections || !s.desc->out || is_loose(s.desc)))
            continue;
        if (!s.desc && !s.assign && !s.assertion)
            continue;
        if (s.desc)
            s.out = s.desc->out;
        *PUSH(ld, steps) = s;
    }
    return steps;
}

/* -r: the script's sections in its order and then the orphans; without SECTIONS the other way round. */
static step_list order_of_object(struct ld *ld, struct ld_out *const *orphans, size_t count)
{
    step_list steps = first_order(ld, NULL, 0);
    for (size_t i = 0; ld->script->has_sections && i < ld->script->descs.count; i++)
        if (is_loose(ld->script->descs.items[i]) && ld->script->descs.items[i]->out)
            *PUSH(ld, steps) = (struct ld_step){ .out = ld->script->descs.items[i]->out };
    if (ld->script->has_sections)
        adjust(ld, &steps);
    struct ld_step *room = make_room(ld, &steps, ld->script->has_sections ? steps.count : 0, count);
    for (size_t i = 0; i < count; i++)
        room[i] = (struct ld_step){ .out = orphans[i] };
    EACH(i, ld->script->descs)
        if (!ld->script->has_sections && ld->script->descs.items[i]->out)
            *PUSH(ld, steps) = (struct ld_step){ .out = ld->script->descs.items[i]->out };
    if (!ld->script->has_sections)
        adjust(ld, &steps);
    return steps;
}

static step_list order_of_image(struct ld *ld, struct ld_out **orphans, size_t count)
{
    step_list steps = first_order(ld, orphans, count);
    apply_inserts(ld, &steps);
    if (ld->script->has_sections)
        count = adjust_with_loose(ld, &steps, orphans, count);
    else
        adjust(ld, &steps);
    set_ranks(ld);
    if (ld->script->has_sections) {
        if (count)
            qsort(orphans, count, sizeof *orphans, by_rank);
        place_orphans(ld, &steps, orphans, count);
    }
    return steps;
}

void co_ld_script_order(struct ld *ld)
{
    struct ld_script *script = ld->script;
    struct ld_out **orphans = co_ld_array(ld, ld->outs.count, sizeof *orphans);
    size_t count = 0;
    EACH(i, ld->outs) {
        apply_desc(ld->outs.items[i]);
        if ((!script->has_sections && !ld->relocatable) || !ld->outs.items[i]->desc)
            orphans[count++] = ld->outs.items[i];
    }
    set_ranks(ld);
    if (count)
        qsort(orphans, count, sizeof *orphans, by_rank);
    step_list steps = ld->relocatable ? order_of_object(ld, orphans, count) : order_of_image(ld, orphans, count);
    bool relro = false;
    EACH(i, steps)
        relro |= steps.items[i].out && steps.items[i].out->relro &&
                 (!ld->s_relro_padding || steps.items[i].out != ld->s_relro_padding->out);
    ld->outs.count = 0;
    EACH(i, steps) {
        struct ld_out *o = steps.items[i].out;
        if (o && !relro && ld->s_relro_padding && o == ld->s_relro_padding->out) {
            steps.items[i].out = NULL;
            ld->s_relro_padding = NULL;
        } else if (o) {
            *PUSH(ld, ld->outs) = o;
        }
    }
    if (!ld->relocatable)
        name_regions(ld, &steps);
    default_phdrs(ld, &steps);
    script->steps.items = steps.items;
    script->steps.count = steps.count;
    script->steps.cap = steps.cap;
}

bool co_ld_script_has_sections(const struct ld *ld)
{
    return ld->script && ld->script->has_sections;
}

bool co_ld_script_pads_relro(const struct ld *ld)
{
    return !co_ld_script_has_sections(ld) || ld->script->relro_end;
}

const char *co_ld_script_output(const struct ld_section *sec)
{
    return sec->input_cmd ? sec->input_cmd->desc->name : NULL;
}

const char *co_ld_script_output_at(const struct ld *ld, size_t idx)
{
    if (!ld->script || idx >= ld->script->descs.count)
        return NULL;
    return ld->script->descs.items[idx]->is_class ? "" : ld->script->descs.items[idx]->name;
}

bool co_ld_script_enumerates(struct ld *ld, const char *name)
{
    bool found = false;
    for (size_t i = 0; ld->script && i < ld->script->descs.count; i++) {
        struct ld_desc *d = ld->script->descs.items[i];
        if (d->rejected || d->discard || strcmp(d->name, name))
            continue;
        d->in_expression = found = true;
    }
    return found;
}

uint32_t co_ld_script_target(const struct ld_section *sec)
{
    return sec->input_cmd ? sec->input_cmd->desc->idx + 1 : 0;
}

struct ld_region *co_ld_find_region(const struct ld *ld, const char *name)
{
    for (size_t i = 0; ld->script && i < ld->script->regions.count; i++)
        if (!strcmp(ld->script->regions.items[i]->name, name))
            return ld->script->regions.items[i];
    for (size_t i = 0; ld->script && i < ld->script->aliases.count; i++)
        if (!strcmp(ld->script->aliases.items[i].name, name))
            return ld->script->aliases.items[i].region;
    return NULL;
}

/* ---- --orphan-handling -------------------------------------------------------------------------------- */

static void report_orphan(struct ld *ld, const struct ld_section *sec, const char *name)
{
    if (!sec || !sec->live || (sec->input_cmd && !sec->adopted) || sec->repl || sec->is_merged)
        return;
    const char *text = co_ld_printf(ld, "%s:(%s) is being placed in '%s'", co_ld_file_name(sec->file), sec->name, name);
    if (ld->opt.orphan_handling == CODEOBJ_ORPHANS_ERROR)
        co_ld_error(ld, "%s", text);
    else
        co_ld_warn(ld, "%s", text);
}

/* What the script says nothing about.  The order of the parts that the linker makes is ld.lld's. */
void co_ld_report_orphans(struct ld *ld)
{
    if (ld->opt.orphan_handling == CODEOBJ_ORPHANS_PLACE || !co_ld_script_has_sections(ld))
        return;
    const struct ld_section *const parts[] = { ld->s_build_id, ld->s_dynsym, ld->s_versym, ld->s_verdef, ld->s_gnu_hash,
                                               ld->s_hash, ld->s_dynamic, ld->s_dynstr, ld->s_rela, ld->s_relr,
                                               ld->s_package, ld->s_got, ld->s_symtab, ld->s_symtab_shndx, ld->s_shstrtab,
                                               ld->s_strtab };
    EACH(i, ld->commons)
        report_orphan(ld, ld->commons.items[i], ld->relocatable ? "COMMON" : ".bss");
    EACH(i, ld->sections)
        report_orphan(ld, ld->sections.items[i], ld->sections.items[i]->name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        report_orphan(ld, parts[i], parts[i] ? parts[i]->name : "");
}

/* SPDX-License-Identifier: MIT
 *
 * ld/spill.c - input sections that more than one place of a script may take: section classes
 * (CLASS(name) { ... }, and CLASS(name) where inputs stand) and --enable-non-contiguous-regions.
 *
 * The first output section that matches gets the section; every later one gets a stand-in: a section without
 * contents that remembers where the section may go.  Stand-ins count for what kind of output section it is and
 * whether it is empty, as in ld.lld.  When a memory region overflows, sections move from the end of it to
 * their next stand-in; when the layout is done, the other stand-ins go.
 *
 * A class is a struct ld_desc with is_class, which is never placed itself.
 */
#include "script.h"

enum { MAX_STAND_INS = 1 << 20 };

/* ---- reading ------------------------------------------------------------------------------- */

/* "(" name ")" */
const char *co_ld_parse_class_name(struct ld_lexer *lx)
{
    co_ld_lex_expect(lx, "(");
    const char *name = co_ld_lex_next(lx);
    if (!*name && !lx->quoted)
        co_ld_lex_fail(lx, "unexpected EOF", "");
    co_ld_lex_expect(lx, ")");
    return name;
}

/* NULL: there is none of that name (yet) */
static struct ld_desc *find_class(const struct ld *ld, const char *name)
{
    return co_ld_names_find(&ld->script->classes, name, strlen(name));
}

/* (name) { inputs... }; words that are no input description are passed over, as ld.lld does. */
void co_ld_parse_class(struct ld_lexer *lx)
{
    const char *name = co_ld_parse_class_name(lx);
    if (!lx->failed && find_class(lx->ld, name))
        co_ld_lex_fail(lx, co_ld_printf(lx->ld, "section class '%s' already defined", name), "");
    if (lx->failed)
        return;
    struct ld_desc *d = co_ld_new_desc(lx, name);
    *co_ld_names_place(lx->ld, &lx->ld->script->classes, name, strlen(name)) = d;
    d->is_class = d->rejected = true;
    d->discard = false;
    co_ld_lex_expect(lx, "{");
    while (!lx->failed && !co_ld_lex_take(lx, "}")) {
        const char *word = co_ld_lex_next(lx);
        if (!*word && !lx->quoted) {
            co_ld_lex_fail(lx, "unexpected EOF", "");
        } else if (!lx->quoted && (!strcmp(word, "(") || !strcmp(word, ")"))) {
            co_ld_lex_fail(lx, "expected filename pattern", "");
        } else if (co_ld_lex_is(lx, "(")) {
            struct ld_input_cmd *in = co_ld_parse_input(lx, word, d);
            if (in->class_name)
                co_ld_lex_fail(lx, co_ld_printf(lx->ld, "section class '%s' references class '%s'", name, in->class_name), "");
            *PUSH(lx->ld, d->cmds) = (struct ld_cmd){ .kind = CMD_INPUT, .input = in };
        }
    }
}

/* ---- matching ---------------------------------------------------------------------------------- */

static bool contiguous(const struct ld *ld)
{
    return !(ld->opt.flags & CODEOBJ_LINK_NON_CONTIGUOUS);
}

static void complain(struct ld *ld, const struct ld_section *sec, const char *text)
{
    *PUSH(ld, ld->script->complaints) = (struct ld_complaint){ text, sec };
}

const struct ld_places co_ld_no_places;

struct ld_places *co_ld_places(struct ld *ld, struct ld_section *sec)
{
    if (!sec->places)
        sec->places = co_ld_alloc(ld, sizeof *sec->places);
    return sec->places;
}

/* NULL where a script has so many that it is meant to exhaust the memory. */
static struct ld_section *stand_in(struct ld *ld, struct ld_input_cmd *in, struct ld_section *sec)
{
    if (ld->script->stand_ins == MAX_STAND_INS) {
        complain(ld, NULL, "the linker script has too many places for the same sections");
        return NULL;
    }
    ld->script->stand_ins++;
    struct ld_section *s = co_ld_new_section(ld, sec->name, sec->type, sec->flags, sec->align);
    s->file = sec->file;
    s->idx = sec->idx;
    s->entsize = sec->align; /* as in ld.lld, whose output section shows it */
    s->link_seq = sec->link_seq;
    s->input_cmd = in;
    struct ld_places *p = co_ld_places(ld, sec);
    co_ld_places(ld, s)->spill_of = sec;
    if (p->spills)
        co_ld_places(ld, p->last_spill)->next_spill = s;
    else
        p->spills = s;
    p->last_spill = s;
    return s;
}

/* A section that matches: itself, a stand-in, or NULL when it is not for this description. */
struct ld_section *co_ld_claim(struct ld *ld, struct ld_input_cmd *in, struct ld_section *sec)
{
    bool placed = sec->input_cmd || ld_places(sec)->section_class;
    if (placed && (contiguous(ld) || ld_places(sec)->last_cmd == in || in->desc->discard))
        return NULL;
    struct ld_places *p = co_ld_places(ld, sec);
    p->last_cmd = in;
    if (in->desc->is_class) {
        if (!placed)
            p->section_class = in->desc;
        return sec;
    }
    if (sec->input_cmd)
        return stand_in(ld, in, sec);
    p->section_class = NULL;
    sec->input_cmd = in;
    return sec;
}

static bool has_flags(const struct ld_input_cmd *in, const struct ld_section *sec)
{
    return (sec->flags & in->with) == in->with && !(sec->flags & in->without);
}

/* The class that the description names and that stands in front of it, or NULL. */
struct ld_desc *co_ld_class_of(const struct ld *ld, const struct ld_input_cmd *in)
{
    struct ld_desc *c = find_class(ld, in->class_name);
    return c && c->idx < in->desc->idx ? c : NULL;
}

/* What CLASS(name) stands for here. */
void co_ld_find_of_class(struct ld *ld, struct ld_input_cmd *in)
{
    const struct ld_desc *c = find_class(ld, in->class_name);
    if (!co_ld_class_of(ld, in)) {
        complain(ld, NULL, c ? co_ld_printf(ld, "section class '%s' referenced by '%s' before class definition", in->class_name,
                                            in->desc->name)
                             : co_ld_printf(ld, "undefined section class '%s'", in->class_name));
        return;
    }
    EACH(i, c->cmds)
        EACH(k, c->cmds.items[i].input->found) {
            struct ld_section *sec = c->cmds.items[i].input->found.items[k];
            if (!has_flags(in, sec))
                continue;
            bool gone = sec->discarded || (!sec->input_cmd && !ld_places(sec)->section_class);
            if (gone || (sec->input_cmd && in->desc->discard)) {
                complain(ld, sec, co_ld_printf(ld, "section '%s' cannot spill from/to /DISCARD/", sec->name));
            } else if (sec->input_cmd) {
                struct ld_section *s = stand_in(ld, in, sec);
                if (!s)
                    return;
                *PUSH(ld, in->found) = s;
            } else {
                co_ld_places(ld, sec)->section_class = NULL;
                sec->input_cmd = in;
                *PUSH(ld, in->found) = sec;
            }
        }
}

/* May this input description have the part that the linker makes, which matches its patterns or the class's? */
bool co_ld_claims_part(const struct ld *ld, const struct ld_input_cmd *in, const struct ld_section *sec, bool fits)
{
    if (in->class_name)
        return has_flags(in, sec) && (contiguous(ld) ? ld_places(sec)->section_class == co_ld_class_of(ld, in) : fits);
    return fits && ld_places(sec)->last_cmd != in && (!contiguous(ld) || (!sec->input_cmd && !ld_places(sec)->section_class));
}

struct ld_section *co_ld_claim_part(struct ld *ld, struct ld_input_cmd *in, struct ld_section *sec)
{
    co_ld_places(ld, sec)->last_cmd = in;
    if (sec->input_cmd)
        return stand_in(ld, in, sec);
    sec->input_cmd = in;
    return sec;
}

/* A description that does not hold gives its sections back. */
void co_ld_release(struct ld_section *sec)
{
    if (ld_places(sec)->spill_of)
        sec->discarded = true;
    else
        sec->input_cmd = NULL;
}

/* ---- mistakes --------------------------------------------------------------------------------------- */

static bool is_unreferenced(const struct ld_desc *c)
{
    EACH(i, c->cmds)
        EACH(k, c->cmds.items[i].input->found) {
            const struct ld_section *sec = c->cmds.items[i].input->found.items[k];
            if (sec->live && ld_places(sec)->section_class == c && !sec->input_cmd)
                return true;
        }
    return false;
}

static void check_insert(struct ld *ld, const char *name)
{
    EACH(i, ld->script->descs) {
        const struct ld_desc *d = ld->script->descs.items[i];
        if (d->is_class || strcmp(d->name, name))
            continue;
        EACH(k, d->cmds) {
            const struct ld_input_cmd *in = d->cmds.items[k].input;
            for (size_t n = 0; in && n < in->found.count; n++) {
                const struct ld_section *sec = in->found.items[n];
                const struct ld_places *p = ld_places(sec);
                const struct ld_section *real = p->spill_of ? p->spill_of : sec;
                if (real->live && (p->spill_of || p->spills))
                    co_ld_error(ld, "section '%s' cannot spill from/to INSERT section '%s'", sec->name, name);
            }
        }
    }
}

/* It is known which sections live; parts of the linker are looked at when they are made. */
void co_ld_script_check(struct ld *ld)
{
    struct ld_script *s = ld->script;
    if (!s || s->failed)
        return;
    EACH(i, s->complaints)
        if (!s->complaints.items[i].sec || s->complaints.items[i].sec->live || s->complaints.items[i].sec->discarded)
            co_ld_error(ld, "%s", s->complaints.items[i].text);
    for (size_t i = 0; s->stand_ins && i < s->inserts.count; i++)
        EACH(k, s->inserts.items[i].names.items)
            check_insert(ld, s->inserts.items[i].names.items.items[k]);
    EACH(i, s->descs)
        if (s->descs.items[i]->is_class && is_unreferenced(s->descs.items[i]))
            co_ld_error(ld, "section class '%s' is unreferenced", s->descs.items[i]->name);
    for (size_t i = 0; !contiguous(ld) && i < s->inserts.count; i++)
        co_ld_error(ld, "INSERT cannot be used with --enable-non-contiguous-regions");
}

/* ---- moving ----------------------------------------------------------------------------------------- */

static bool overflowed(const struct ld_region *m)
{
    return m && m->cur - m->start > m->size;
}

static bool is_over(const struct ld_out *o)
{
    return overflowed(o->region) || overflowed(o->lma_region);
}

/* Another place in what has overflowed is no help. */
static bool helps(const struct ld_out *from, const struct ld_section *place)
{
    const struct ld_out *to = place->out;
    if (!to || place->discarded)
        return false;
    return !(overflowed(from->region) && to->region == from->region) &&
           !(overflowed(from->lma_region) && to->lma_region == from->lma_region);
}

static void move(struct ld_section *sec, const struct ld_section *place)
{
    struct ld_input_cmd *in = place->input_cmd;
    EACH(i, in->secs)
        if (in->secs.items[i] == place)
            in->secs.items[i] = sec;
    sec->input_cmd = in;
    sec->out = place->out;
    sec->align = place->align;
}

/* The last sections of the description, as long as there is too much; true: some have gone. */
static bool spill_inputs(struct ld_out *o, struct ld_input_cmd *in)
{
    bool any = false;
    for (size_t i = in->secs.count; i-- > 0;) {
        struct ld_section *sec = in->secs.items[i], *place;
        struct ld_places *p = sec->places;
        if (p && p->spill_of)
            continue;
        if (!p || !p->spills)
            break;
        do {
            place = p->spills;
            p->spills = ld_places(place)->next_spill;
        } while (!helps(o, place) && p->spills);
        if (!helps(o, place))
            continue;
        move(sec, place);
        memmove(&in->secs.items[i], &in->secs.items[i + 1], (in->secs.count - i - 1) * sizeof *in->secs.items);
        in->secs.count--;
        any = true;
        o->region->cur -= sec->size;
        if (o->lma_region)
            o->lma_region->cur -= sec->size;
        if (!is_over(o))
            break;
    }
    return any;
}

/* From regions that the last round of the layout has overflowed, from behind; true: something has moved. */
bool co_ld_spill(struct ld *ld)
{
    bool any = false;
    if (!ld->script->stand_ins)
        return false;
    for (size_t i = ld->script->steps.count; i-- > 0;) {
        struct ld_out *o = ld->script->steps.items[i].out;
        if (!o || !o->region || !o->desc)
            continue;
        for (size_t k = o->desc->cmds.count; k-- > 0 && is_over(o);)
            if (o->desc->cmds.items[k].input)
                any |= spill_inputs(o, o->desc->cmds.items[k].input);
    }
    return any;
}

/* Nothing moves any more: the stand-ins that are left go. */
void co_ld_end_spilling(struct ld *ld)
{
    if (!ld->script || !ld->script->stand_ins)
        return;
    ld->script->stand_ins = 0;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (!o->desc)
            continue;
        o->secs.count = 0;
        EACH(k, o->desc->cmds) {
            struct ld_input_cmd *in = o->desc->cmds.items[k].input;
            size_t n = 0;
            for (size_t m = 0; in && m < in->secs.count; m++)
                if (!ld_places(in->secs.items[m])->spill_of) {
                    in->secs.items[n++] = in->secs.items[m];
                    *PUSH(ld, o->secs) = in->secs.items[m];
                }
            if (in)
                in->secs.count = n;
        }
    }
}

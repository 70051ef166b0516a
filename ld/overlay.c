/* SPDX-License-Identifier: MIT
 *
 * ld/overlay.c - OVERLAY of SECTIONS: output sections that share addresses and are loaded behind one another.
 *
 *     overlay = OVERLAY [addr] ":" [NOCROSSREFS] [AT(e)] "{" {NAME "{" inputs... "}" {:phdr}} "}" [>region]
 *
 * As ld.lld has it: each member but the first has the address of the first and a load address behind that of
 * the member in front of it, and the location counter is behind the largest at the end.  There are no symbols
 * __load_start_NAME.
 */
#include "script.h"

struct ld_overlay {
    VEC(struct ld_desc *) members;
};

static struct ld_expr *new_expr(struct ld_lexer *lx, enum ld_op op, const struct ld_desc *desc)
{
    struct ld_expr *e = co_ld_alloc(lx->ld, sizeof *e);
    *e = (struct ld_expr){ .op = (uint8_t)op, .depth = 1, .desc = desc, .at = { lx->file, lx->line } };
    return e;
}

/* NAME "{" inputs... "}" {:phdr} */
static struct ld_desc *member(struct ld_lexer *lx)
{
    const char *name = co_ld_lex_next(lx);
    if (!*name && !lx->quoted)
        co_ld_lex_fail(lx, "unexpected EOF", "");
    struct ld_desc *d = co_ld_new_desc(lx, name);
    d->in_overlay = true;
    co_ld_lex_expect(lx, "{");
    while (!lx->failed && !co_ld_lex_take(lx, "}")) {
        const char *word = co_ld_lex_next(lx);
        if (!*word && !lx->quoted)
            co_ld_lex_fail(lx, "unexpected EOF", "");
        else
            *PUSH(lx->ld, d->cmds) = (struct ld_cmd){ .kind = CMD_INPUT, .input = co_ld_parse_input(lx, word, d) };
    }
    co_ld_parse_phdr_names(lx, d);
    return d;
}

static void members(struct ld_lexer *lx, struct ld_overlay *o, const struct ld_expr *addr, const struct ld_expr *lma)
{
    struct ld *ld = lx->ld;
    while (!lx->failed && !co_ld_lex_take(lx, "}")) {
        struct ld_desc *d = member(lx);
        d->addr = o->members.count ? new_expr(lx, EXPR_MEMBER_ADDR, o->members.items[0]) : addr;
        d->lma = o->members.count ? new_expr(lx, EXPR_MEMBER_LOAD_END, o->members.items[o->members.count - 1]) : lma;
        d->first_in_overlay = !o->members.count;
        *PUSH(ld, o->members) = d;
        *PUSH(ld, ld->script->steps) = (struct ld_step){ .desc = d };
    }
}

/* The word OVERLAY has been read. */
void co_ld_parse_overlay(struct ld_lexer *lx)
{
    struct ld *ld = lx->ld;
    struct ld_overlay *o = co_ld_alloc(ld, sizeof *o);
    const struct ld_expr *addr = NULL, *lma = NULL;
    lx->expr = true;
    if (!co_ld_lex_is(lx, ":"))
        addr = co_ld_parse_expr(lx);
    co_ld_lex_expect(lx, ":");
    bool no_crossrefs = co_ld_lex_take(lx, "NOCROSSREFS");
    if (co_ld_lex_take(lx, "AT"))
        lma = co_ld_parse_in_parentheses(lx);
    lx->expr = false;
    co_ld_lex_expect(lx, "{");
    members(lx, o, addr, lma);
    if (co_ld_lex_take(lx, ">")) {
        const char *region = co_ld_lex_next(lx);
        EACH(i, o->members)
            o->members.items[i]->region_name = region;
    }
    if (no_crossrefs) {
        struct ld_no_crossrefs rule = { 0 };
        EACH(i, o->members)
            *PUSH(ld, rule.names.items) = o->members.items[i]->name;
        *PUSH(ld, ld->script->no_crossrefs) = rule;
    }
    struct ld_expr *end = new_expr(lx, EXPR_OVERLAY_END, NULL);
    end->overlay = o;
    end->a = addr;
    struct ld_assign *a = co_ld_alloc(ld, sizeof *a);
    *a = (struct ld_assign){ .name = ".", .expr = end, .at = { lx->file, lx->line }, .text = "" };
    *PUSH(ld, ld->script->steps) = (struct ld_step){ .assign = a };
}

/* ---- values ------------------------------------------------------------------------------- */

uint64_t co_ld_load_address(const struct ld *ld, const struct ld_out *o)
{
    const struct ld_out *first = o->load >= 0 ? ld->phdrs.items[o->load].first : NULL;
    return o->addr + (first ? first->lma_offset : 0);
}

struct ld_term co_ld_eval_overlay(struct ld *ld, const struct ld_expr *e)
{
    struct ld_out *o = e->desc ? e->desc->out : NULL;
    uint64_t largest = 0;
    switch (e->op) {
    case EXPR_MEMBER_ADDR:
        return (struct ld_term){ .out = o };
    case EXPR_MEMBER_LOAD_END: /* of a section that is not in the output: 0 */
        return (struct ld_term){ .value = o && !o->removed ? co_ld_load_address(ld, o) + o->size : 0 };
    default:
        break;
    }
    const struct ld_overlay *all = e->overlay;
    EACH(i, all->members)
        if (all->members.items[i]->out && all->members.items[i]->out->size > largest)
            largest = all->members.items[i]->out->size;
    if (all->members.count)
        return (struct ld_term){ .value = largest, .out = all->members.items[0]->out };
    if (e->a)
        return co_ld_eval(ld, e->a, false);
    return (struct ld_term){ .value = ld->script->dot };
}

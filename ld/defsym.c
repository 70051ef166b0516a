/* SPDX-License-Identifier: MIT
 *
 * ld/defsym.c - --defsym=NAME=EXPRESSION is an assignment of a linker script
 * that has nothing else, and stands among the others where the command line has it.
 */
#include "script.h"

static void one(struct ld *ld, const char *text)
{
    struct ld_lexer lx = { .ld = ld, .file = "--defsym", .text = text, .p = text, .end = text + strlen(text), .line = 1,
                           .expr = true };
    const char *name = co_ld_lex_next(&lx);
    co_ld_lex_expect(&lx, "=");
    if (lx.failed)
        return;
    const struct ld_expr *e = co_ld_parse_expr(&lx);
    if (!lx.failed && *co_ld_lex_next(&lx))
        co_ld_lex_fail(&lx, "EOF expected, but got ", lx.tok);
    struct ld_assign *a = co_ld_alloc(ld, sizeof *a);
    *a = (struct ld_assign){ .name = name, .expr = e, .at = { lx.file, 1 }, .text = "" };
    if (!lx.failed)
        *PUSH(ld, ld->script->steps) = (struct ld_step){ .assign = a };
}

void co_ld_parse_defsym(struct ld *ld, size_t place)
{
    for (size_t i = 0; i < ld->opt.defsym.count; i++)
        if ((ld->opt.defsym_places ? ld->opt.defsym_places[i] : 0) == place)
            one(ld, ld->opt.defsym.items[i]);
}

/* SPDX-License-Identifier: MIT
 *
 * ld/crossrefs.c - NOCROSSREFS and NOCROSSREFS_TO of linker scripts.
 *
 *     NOCROSSREFS(a b ...)     no section of the list may refer to another one of it
 *     NOCROSSREFS_TO(a b ...)  the others may not refer to the first one
 *
 * Names are those of output sections.  Relocations of the inputs are looked at, as
 * ld.lld does: what a script computes is no reference.
 */
#include "script.h"

/* The word has been read. */
void co_ld_parse_no_crossrefs(struct ld_lexer *lx, bool to_first)
{
    struct ld *ld = lx->ld;
    struct ld_no_crossrefs rule = { .to_first = to_first };
    co_ld_lex_expect(lx, "(");
    while (!lx->failed && !co_ld_lex_take(lx, ")")) {
        const char *word = co_ld_lex_next(lx);
        if (!*word && !lx->quoted)
            co_ld_lex_fail(lx, "unexpected EOF", "");
        *PUSH(ld, rule.names.items) = word;
    }
    if (lx->failed)
        return;
    if (rule.names.items.count < 2)
        co_ld_warn(ld, "%s:%u: ignored with fewer than 2 output sections", lx->file, lx->line);
    else
        *PUSH(ld, ld->script->no_crossrefs) = rule;
}

/* Place in the list; its length: it is not there. */
static size_t find(const struct ld_no_crossrefs *rule, const char *name)
{
    size_t i = 0;
    while (i < rule->names.items.count && strcmp(rule->names.items.items[i], name))
        i++;
    return i;
}

static bool forbidden_target(const struct ld_no_crossrefs *rule, const struct ld_out *to)
{
    size_t i = find(rule, to->name);
    return rule->to_first ? i == 0 : i < rule->names.items.count;
}

static const struct ld_out *target_of(const struct ld_symbol *sym)
{
    if (sym->kind != SYM_DEFINED || !sym->sec)
        return sym->kind == SYM_DEFINED ? sym->out : NULL;
    return co_ld_final_section(sym->sec)->out;
}

static void check_section(struct ld *ld, const struct ld_no_crossrefs *rule, const struct ld_out *from,
                          const struct ld_section *sec)
{
    size_t n = co_ld_reloc_count(sec);
    struct ld_reloc r;
    for (size_t i = 0; i < n; i++) {
        if (!co_ld_reloc_at(ld, sec, i, &r) || !r.sym)
            continue;
        const struct ld_out *to = target_of(r.sym);
        if (!to || to == from || !forbidden_target(rule, to))
            continue;
        const char *name = r.sym->type == STT_SECTION && r.sym->sec ? r.sym->sec->name : co_ld_show(ld, r.sym);
        co_ld_error_or_warn(ld, "%s: prohibited cross reference from '%s' to '%s' in '%s'", co_ld_place_long(ld, sec, r.off),
                            from->name, name, to->name);
    }
}

/* Once, when nothing moves to another output section any more. */
void co_ld_check_crossrefs(struct ld *ld)
{
    for (size_t i = 0; ld->script && ld->script->no_crossrefs.count && i < ld->outs.count; i++) {
        const struct ld_out *from = ld->outs.items[i];
        EACH(k, ld->script->no_crossrefs) {
            const struct ld_no_crossrefs *rule = &ld->script->no_crossrefs.items[k];
            size_t at = find(rule, from->name);
            if (at == rule->names.items.count || (rule->to_first && at == 0))
                continue;
            EACH(n, from->secs)
                if (from->secs.items[n]->file)
                    check_section(ld, rule, from, from->secs.items[n]);
        }
    }
    if (ld->script)
        ld->script->no_crossrefs.count = 0;
}

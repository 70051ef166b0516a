/* SPDX-License-Identifier: MIT
 *
 * ld/trace.c - --trace-symbol and --warn-backrefs: how names came to what they are.
 */
#include "ld.h"

#include <stdlib.h>

/* ---- --warn-backrefs ------------------------------------------------------------------ */

void co_ld_note_backref(struct ld *ld, struct ld_symbol *sym, const struct ld_file *from, const char *to)
{
    if (sym->backref || sym->binding == STB_WEAK) /* a weak definition may yet be overridden */
        return;
    sym->backref = true;
    *PUSH(ld, ld->backrefs) = (struct ld_backref){ sym, from, to };
}

static bool is_excluded(const struct ld *ld, const char *name)
{
    const struct codeobj_link_list *list = &ld->opt.backrefs_exclude;
    for (size_t i = 0; i < list->count; i++)
        if (co_ld_glob(list->items[i], strlen(list->items[i]), name, strlen(name)))
            return true;
    return false;
}

void co_ld_report_backrefs(struct ld *ld)
{
    EACH(i, ld->backrefs) {
        const struct ld_backref *b = &ld->backrefs.items[i];
        if (b->sym->backref && !is_excluded(ld, b->to))
            co_ld_warn(ld, "backward reference detected: %s in %s refers to %s", b->sym->name, b->from->name, b->to);
    }
}

/* ---- --trace-symbol --------------------------------------------------------------------
 *
 * Every reference is told of, and of definitions those that take the place of what there was.  The linker's own are
 * told of in the end, as all of them are made behind the inputs. */

void co_ld_trace(struct ld *ld, const struct ld_symbol *sym, const char *where, const char *what)
{
    if (sym->traced)
        co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_TRACE], "%s: %s %s\n", where, what, sym->name);
}

static void trace_own(struct ld *ld, const char *name)
{
    const struct ld_symbol *s = co_ld_find(ld, name);
    if (s && s->linker_defined)
        co_ld_trace(ld, s, "<internal>", "definition of");
}

/* What has no definition after all: nothing needed it, or its section is left out. */
static void trace_lost(struct ld *ld)
{
    EACH(i, ld->symbols) {
        const struct ld_symbol *s = ld->symbols.items[i];
        if (s->kind == SYM_LAZY || (s->kind == SYM_SHARED && !s->file->needed))
            co_ld_trace(ld, s, "<internal>", "reference to");
        else if (s->kind == SYM_DEFINED && s->sec && s->file && !s->sec->live)
            co_ld_trace(ld, s, s->file->name, "reference to");
    }
}

void co_ld_trace_reserved(struct ld *ld)
{
    static const char *const names[] = {
        "_GLOBAL_OFFSET_TABLE_", "__ehdr_start", "__executable_start", "__dso_handle", "__bss_start", "end", "_end",
        "etext", "_etext", "edata", "_edata",
    };
    for (size_t i = 0; ld->opt.trace_symbols.count && i < sizeof names / sizeof *names; i++)
        trace_own(ld, names[i]);
}

void co_ld_trace_last(struct ld *ld)
{
    static const char *const names[] = {
        "__preinit_array_start", "__preinit_array_end", "__init_array_start", "__init_array_end", "__fini_array_start",
        "__fini_array_end",
    };
    if (!ld->opt.trace_symbols.count)
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        trace_own(ld, names[i]);
    EACH(i, ld->symbols)
        if (!strncmp(ld->symbols.items[i]->name, "__start_", 8) || !strncmp(ld->symbols.items[i]->name, "__stop_", 7))
            trace_own(ld, ld->symbols.items[i]->name);
    trace_own(ld, "_DYNAMIC");
    trace_lost(ld);
    co_ld_script_trace(ld);
}

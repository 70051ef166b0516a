/* SPDX-License-Identifier: MIT
 *
 * ld/why_live.c - --why-live: the chain of reasons that --gc-sections keeps a symbol for.
 *
 * The collector notes the first reason of each section, and of the symbol by which it
 * was reached.  Layout and words are ld.lld's: one line a symbol, then one for each
 * step to a root; a reference is shown as the symbol around it where one is.
 */
#include "ld.h"

struct known {
    const char *key; /* first: struct ld_names; the bytes of `thing` */
    const void *thing;
    struct ld_reason reason;
};

static void note(struct ld *ld, struct ld_why *why, const void *thing, struct ld_reason reason)
{
    struct known *k = co_ld_alloc(ld, sizeof *k);
    *k = (struct known){ .key = (const char *)&k->thing, .thing = thing, .reason = reason };
    void **place = co_ld_names_place(ld, &why->reasons, k->key, sizeof k->thing);
    if (!*place)
        *place = k;
}

void co_ld_why_symbol(struct ld *ld, struct ld_why *why, const struct ld_symbol *sym, struct ld_reason reason)
{
    note(ld, why, sym, reason);
}

void co_ld_why_section(struct ld *ld, struct ld_why *why, const struct ld_section *sec, const struct ld_symbol *sym,
                       struct ld_reason reason)
{
    if (sym)
        note(ld, why, sym, reason);
    note(ld, why, sec, sym ? (struct ld_reason){ .what = "contained live symbol", .sym = sym } : reason);
}

static const struct ld_reason *reason_of(const struct ld_why *why, const void *thing)
{
    const struct known *k = co_ld_names_find(&why->reasons, (const char *)&thing, sizeof thing);
    return k ? &k->reason : NULL;
}

/* Defined by the linker, but not before sections are known to stay: until then it is of who refers to it. */
static bool is_late(const struct ld_symbol *sym)
{
    return sym->linker_defined &&
           (!strncmp(sym->name, "__start_", 8) || !strncmp(sym->name, "__stop_", 7) || !strcmp(sym->name, "_DYNAMIC"));
}

static const char *file_of(struct ld *ld, const struct ld_symbol *sym)
{
    if (sym->kind == SYM_LAZY && sym->file)
        return co_ld_lazy_name(ld, sym);
    if (sym->file || !is_late(sym))
        return co_ld_file_name(sym->file);
    EACH(i, ld->files) {
        const struct ld_file *f = ld->files.items[i];
        for (size_t k = f->first_global; k < f->symbol_count; k++)
            if (f->symbols[k] == sym)
                return f->name;
    }
    return co_ld_file_name(NULL);
}

static void show(struct ld *ld, const char *file, const char *name)
{
    co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_WHY_LIVE], "%s:(%s)", file, name);
}

/* The chain ends at a reason that names nothing further, which stands in parentheses. */
static void explain(struct ld *ld, const struct ld_why *why, const struct ld_symbol *sym)
{
    struct ld_text *t = &ld->texts[CODEOBJ_LINK_TEXT_WHY_LIVE];
    const struct ld_section *sec = NULL;
    co_ld_text_add(ld, t, "live symbol: ");
    show(ld, file_of(ld, sym), co_ld_show(ld, sym));
    for (;;) {
        const struct ld_reason *r = reason_of(why, sym ? (const void *)sym : sec);
        struct ld_reason next = { .what = "no section" };
        if (r)
            next = *r;
        else if (sym && sym->kind == SYM_DEFINED && sym->sec)
            next = (struct ld_reason){ .what = "in live section", .sec = sym->sec };
        else if (!sym)
            break; /* a section that is not collected at all */
        if (!next.sec && !next.sym) {
            co_ld_text_add(ld, t, " (%s)", next.what);
            break;
        }
        sec = next.sec;
        sym = next.is_place ? co_ld_enclosing(sec, next.off) : next.sym;
        co_ld_text_add(ld, t, "\n>>> %s: ", next.what);
        show(ld, sym ? file_of(ld, sym) : co_ld_file_name(sec->file), sym ? co_ld_show(ld, sym) : sec->name);
    }
    co_ld_text_add(ld, t, "\n");
}

static void consider(struct ld *ld, const struct ld_why *why, const struct ld_symbol *sym)
{
    const struct codeobj_link_list *globs = &ld->opt.why_live;
    if ((sym->kind == SYM_DEFINED && sym->sec && !sym->sec->live) || (is_late(sym) && !sym->referenced))
        return;
    for (size_t i = 0; i < globs->count; i++)
        if (co_ld_glob(globs->items[i], strlen(globs->items[i]), sym->name, strlen(sym->name))) {
            explain(ld, why, sym);
            return;
        }
}

void co_ld_write_why_live(struct ld *ld, const struct ld_why *why)
{
    EACH(i, ld->symbols)
        consider(ld, why, ld->symbols.items[i]);
    EACH(i, ld->files) {
        const struct ld_file *f = ld->files.items[i];
        for (size_t k = 1; f->kind == FILE_OBJECT && k < f->first_global && k < f->symbol_count; k++)
            if (f->symbols[k] && f->symbols[k]->name && *f->symbols[k]->name && f->symbols[k]->type != STT_SECTION)
                consider(ld, why, f->symbols[k]);
    }
}

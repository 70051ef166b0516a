/* SPDX-License-Identifier: MIT
 *
 * ld/spelling.c - "did you mean": a defined name like one that is not.
 *
 * The candidates and their order are ld.lld's: one character more, another one, two
 * exchanged, one less; then upper and lower case; then extern "C" forgotten on one
 * side.  Local symbols of the object that refers to the name come before global ones.
 */
#include "ld.h"

enum { MAX_NAME = 1000 }; /* the candidates' bytes are a square of it, and an input may have names of megabytes */

struct speller {
    struct ld *ld;
    const char *name;
    size_t len;
    const struct ld_file *file; /* who refers to it; or NULL */
    struct ld_names locals;
};

/* What --gc-sections or a script has thrown away is of no use to anybody. */
static bool is_there(const struct ld_symbol *s)
{
    return s->kind != SYM_DEFINED || !s->sec || s->sec->live;
}

static bool counts(const struct ld_symbol *s)
{
    return s->kind >= SYM_SHARED && (!s->linker_defined || s->referenced) && is_there(s);
}

static bool is_local(const struct ld_symbol *s)
{
    return s && s->kind == SYM_DEFINED && is_there(s) && s->type != STT_SECTION && s->name && *s->name;
}

static void collect_locals(struct speller *sp)
{
    const struct ld_file *f = sp->file;
    for (size_t i = 1; f && f->kind == FILE_OBJECT && i < f->first_global && i < f->symbol_count; i++) {
        struct ld_symbol *s = f->symbols[i];
        if (!is_local(s))
            continue;
        void **place = co_ld_names_place(sp->ld, &sp->locals, s->name, strlen(s->name));
        if (!*place)
            *place = s;
    }
}

static const struct ld_symbol *suggest(const struct speller *sp, const char *name, size_t len)
{
    const struct ld_symbol *s = co_ld_names_find(&sp->locals, name, len);
    if (s)
        return s;
    s = co_ld_names_find(&sp->ld->table, name, len);
    return s && counts(s) ? s : NULL;
}

/* With each character in turn at `i`. */
static const struct ld_symbol *any_at(const struct speller *sp, char *word, size_t len, size_t i)
{
    const struct ld_symbol *s = NULL;
    for (char c = '0'; c <= 'z' && !s; c++) {
        word[i] = c;
        s = suggest(sp, word, len);
    }
    return s;
}

static const struct ld_symbol *one_edit(const struct speller *sp)
{
    const char *name = sp->name;
    size_t n = sp->len;
    if (n > MAX_NAME)
        return NULL;
    char *word = co_ld_alloc(sp->ld, n + 2);
    const struct ld_symbol *s = NULL;
    for (size_t i = 0; i <= n && !s; i++) {
        memcpy(word, name, i);
        memcpy(word + i + 1, name + i, n - i);
        if ((s = any_at(sp, word, n + 1, i)) || i == n)
            break;
        memcpy(word, name, n);
        if ((s = any_at(sp, word, n, i)))
            break;
        if (i + 1 < n) {
            word[i] = name[i + 1];
            word[i + 1] = name[i];
            if ((s = suggest(sp, word, n)))
                break;
        }
        memcpy(word + i, name + i + 1, n - i - 1);
        s = suggest(sp, word, n - 1);
    }
    return s;
}

static bool same_letters(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        bool letter = (unsigned)((*a | 32) - 'a') < 26u;
        if (*a != *b && !(letter && (*a ^ *b) == 32))
            return false;
    }
    return *a == *b;
}

/* The first symbol, local ones of the object first, for which f holds. */
static const struct ld_symbol *first(const struct speller *sp, bool (*f)(const struct speller *, const struct ld_symbol *))
{
    const struct ld_file *file = sp->file;
    for (size_t i = 1; file && file->kind == FILE_OBJECT && i < file->first_global && i < file->symbol_count; i++)
        if (is_local(file->symbols[i]) && f(sp, file->symbols[i]))
            return file->symbols[i];
    EACH(i, sp->ld->symbols)
        if (counts(sp->ld->symbols.items[i]) && f(sp, sp->ld->symbols.items[i]))
            return sp->ld->symbols.items[i];
    return NULL;
}

static bool other_case(const struct speller *sp, const struct ld_symbol *s)
{
    return same_letters(sp->name, s->name);
}

/* Of a C++ function's name what stands in front of the parameters. */
static size_t function_name(struct ld *ld, const char *mangled, const char **out)
{
    *out = co_ld_demangled(ld, mangled);
    const char *open = *out ? strchr(*out, '(') : NULL;
    return open ? (size_t)(open - *out) : 0;
}

static bool is_cxx_of(const struct speller *sp, const struct ld_symbol *s)
{
    const char *name;
    size_t n = function_name(sp->ld, s->name, &name);
    return n && n == sp->len && !memcmp(name, sp->name, n); /* an undefined symbol may have an empty name */
}

static const char *say(struct ld *ld, const char *before, const struct ld_symbol *s, const char *after)
{
    const char *place = s->file ? NULL : co_ld_script_assigned_at(ld, s);
    return co_ld_printf(ld, "\n>>> did you mean%s%s%s\n>>> defined in: %s", before, co_ld_show(ld, s), after,
                        place ? place : co_ld_file_name(s->file));
}

const char *co_ld_spelling_hint(struct ld *ld, const struct ld_symbol *sym)
{
    struct speller sp = { .ld = ld, .name = sym->name, .len = strlen(sym->name), .file = sym->file };
    collect_locals(&sp);
    const struct ld_symbol *s = one_edit(&sp);
    if (!s)
        s = first(&sp, other_case);
    if (s)
        return say(ld, ": ", s, "");
    if (!strncmp(sp.name, "_Z", 2)) {
        const char *name;
        size_t n = function_name(ld, sp.name, &name);
        s = n ? suggest(&sp, name, n) : NULL;
        return s ? say(ld, ": extern \"C\" ", s, "") : "";
    }
    s = first(&sp, is_cxx_of);
    return s ? say(ld, " to declare ", s, " as extern \"C\"?") : "";
}

/* SPDX-License-Identifier: MIT
 *
 * ld/options_script.c - an input that is text is a linker script.
 *
 * What it says about files and names is done here: INPUT, GROUP, AS_NEEDED,
 * SEARCH_DIR, ENTRY, EXTERN, OUTPUT, VERSION; OUTPUT_FORMAT, OUTPUT_ARCH and
 * TARGET are read and checked.  A script that says something about the layout
 * (SECTIONS, MEMORY, PHDRS, ASSERT, assignments) is handed to codeobj_link()
 * as well, which passes over the rest; INCLUDE is followed by both.
 */
#include "options.h"

#include <string.h>

struct script {
    struct driver *d;
    const char *path, *text, *p, *end;
    const char *at; /* where the last word stands */
    unsigned line, last_line; /* of the last word that there was */
    char *tok;
    bool failed, layout;
};

enum { MAX_INCLUDES = 256 };

/* The line in question follows, with a mark under the word. */
static void fail(struct script *s, const char *what, const char *word)
{
    const char *at = s->at ? s->at : s->p, *start = at, *stop = at;
    while (start > s->text && start[-1] != '\n')
        start--;
    while (stop < s->end && *stop != '\n')
        stop++;
    if (!s->failed)
        driver_error(s->d, "%s:%u: %s%s\n>>> %.*s\n>>> %*s^", s->path, s->line, what, word, (int)(stop - start), start,
                     (int)(at - start), "");
    s->failed = true;
}

static void fail_at_end(struct script *s)
{
    if (!s->failed)
        driver_error(s->d, "%s:%u: unexpected EOF", s->path, s->last_line);
    s->failed = true;
}

static void blank(struct script *s)
{
    while (s->p < s->end) {
        if (*s->p == '\n')
            s->line++;
        if (*s->p == ' ' || (*s->p >= '\t' && *s->p <= '\r')) {
            s->p++;
        } else if (*s->p == '#') {
            while (s->p < s->end && *s->p != '\n')
                s->p++;
        } else if (s->end - s->p >= 2 && s->p[0] == '/' && s->p[1] == '*') {
            const char *close = s->p + 2;
            while (s->end - close >= 2 && (close[0] != '*' || close[1] != '/'))
                s->line += *close++ == '\n';
            if (s->end - close < 2) {
                fail(s, "unclosed comment in a linker script", "");
                s->p = s->end;
                return;
            }
            s->p = close + 2;
        } else {
            return;
        }
    }
}

/* NULL at the end. */
static const char *next(struct script *s)
{
    blank(s);
    s->tok = NULL;
    s->at = s->p;
    if (s->p >= s->end || s->failed)
        return NULL;
    s->last_line = s->line;
    const char *start = s->p;
    if (*s->p == '"') {
        const char *close = memchr(s->p + 1, '"', (size_t)(s->end - s->p - 1));
        if (!close) {
            fail(s, "unclosed quote", "");
            return NULL;
        }
        s->p = close + 1;
        return s->tok = driver_strndup(s->d, start + 1, (size_t)(close - start - 1));
    }
    if (strchr("(){};,=", *s->p) && *s->p) {
        s->p++;
    } else {
        while (s->p < s->end && *s->p && !strchr(" \t\n\v\f\r(){};,=\"", *s->p))
            s->p++;
        if (s->p == start)
            s->p++;
    }
    return s->tok = driver_strndup(s->d, start, (size_t)(s->p - start));
}

static bool expect(struct script *s, const char *want)
{
    const char *t = next(s);
    if (t && !strcmp(t, want))
        return true;
    if (!t)
        fail_at_end(s);
    fail(s, driver_print(s->d, "%s expected, but got ", want), t);
    return false;
}

static void add(struct script *s, const char *name)
{
    struct driver *d = s->d;
    if (name[0] == '-' && name[1] == 'l') {
        driver_add_library(d, name + 2);
        return;
    }
    if (name[0] == '/' && d->sysroot && !strncmp(s->path, d->sysroot, strlen(d->sysroot))) {
        driver_add_file(d, driver_print(d, "%s%s", d->sysroot, name));
        return;
    }
    const char *slash = strrchr(s->path, '/');
    const char *beside = slash ? driver_print(d, "%.*s/%s", (int)(slash - s->path), s->path, name) : NULL;
    const char *found = beside && name[0] != '/' && driver_find_script(d, beside) ? beside : driver_find_script(d, name);
    driver_add_file(d, found ? found : name);
}

/* ( FILE... AS_NEEDED ( FILE... ) ... ) */
static void inputs(struct script *s)
{
    int depth = 0;
    bool as_needed = s->d->state.as_needed;
    const char *t;
    while ((t = next(s))) {
        if (!strcmp(t, "("))
            depth++;
        else if (!strcmp(t, ")")) {
            if (--depth == 0)
                break;
            s->d->state.as_needed = as_needed;
        } else if (depth == 0) {
            fail(s, "( expected, but got ", t);
        } else if (!strcmp(t, "AS_NEEDED"))
            s->d->state.as_needed = true;
        else if (strcmp(t, ","))
            add(s, t);
    }
    s->d->state.as_needed = as_needed;
    if (!t)
        fail_at_end(s);
}

static void group(struct script *s)
{
    bool within = s->d->in_group;
    s->d->in_group = true;
    inputs(s);
    s->d->in_group = within;
    s->d->group += !within;
}

static const char *in_parentheses(struct script *s)
{
    if (!expect(s, "("))
        return NULL;
    const char *t = next(s);
    return t && expect(s, ")") ? t : NULL;
}

/* ( NAME ) or ( NAME , BIG , LITTLE ): -EB and -EL say which.  The first of a link counts. */
static void format(struct script *s)
{
    struct driver *d = s->d;
    if (!expect(s, "("))
        return;
    const char *name = next(s), *t = name ? next(s) : NULL;
    if (!t) {
        fail_at_end(s);
        return;
    }
    if (strcmp(t, ")")) {
        const char *big, *little;
        if (strcmp(t, ",")) {
            fail(s, ", expected, but got ", t);
            return;
        }
        if (!(big = next(s)) || !expect(s, ",") || !(little = next(s))) {
            fail_at_end(s);
            return;
        }
        name = d->little_endian ? little : d->big_endian ? big : name;
        blank(s);
        if (s->p < s->end && *s->p == ')') /* it may be missing */
            next(s);
    }
    if (!name || d->has_format)
        return;
    d->has_format = true;
    if (!strcmp(name, "binary"))
        d->opt.flags |= CODEOBJ_LINK_BINARY;
    else if (strcmp(name, "elf64-amdgpu") && strcmp(name, "elf64-amdgcn"))
        fail(s, "unknown output format name: ", name);
}

/* VERSION { ... } is handed on as it stands. */
static void version(struct script *s)
{
    if (!expect(s, "{"))
        return;
    const char *start = s->p, *t;
    int depth = 1;
    while ((t = next(s))) {
        depth += !strcmp(t, "{") ? 1 : !strcmp(t, "}") ? -1 : 0;
        if (depth == 0)
            break;
    }
    if (!t) {
        fail_at_end(s);
        return;
    }
    struct driver *d = s->d;
    *DPUSH(d, d->version_scripts) = (struct codeobj_link_text){ s->path, start, (size_t)(s->p - 1 - start) };
}

static void names(struct script *s)
{
    struct driver *d = s->d;
    const char *t;
    if (!expect(s, "("))
        return;
    while ((t = next(s)) && strcmp(t, ")"))
        *DPUSH(d, d->undefined) = t;
}

/* Passes over what is in a pair of brackets. */
static void skip(struct script *s, const char *open, const char *close)
{
    int depth = 0;
    const char *t;
    if (!expect(s, open))
        return;
    for (depth = 1; depth && (t = next(s));)
        depth += !strcmp(t, open) ? 1 : !strcmp(t, close) ? -1 : 0;
    if (depth)
        fail_at_end(s);
}

/* NAME = EXPRESSION ; with = or one of the compound operators. */
static bool assignment(struct script *s)
{
    static const char *const operators[] = { "+", "-", "*", "/", "&", "|", "^", "<<", ">>" };
    const char *t = next(s);
    for (size_t i = 0; t && i < sizeof operators / sizeof *operators; i++)
        if (!strcmp(t, operators[i])) {
            t = next(s);
            break;
        }
    if (!t || strcmp(t, "="))
        return false;
    while ((t = next(s)) && strcmp(t, ";"))
        continue;
    return true;
}

static void read_script(struct script *s);

/* Searched for like a library; what it says about the layout is read with the script that names it. */
static void include(struct script *s)
{
    struct driver *d = s->d;
    const char *name = next(s), *found = name ? driver_find_script(d, name) : NULL;
    struct script in = { .d = d, .path = found, .line = 1, .layout = true };
    size_t size = 0;
    if (found)
        driver_log(d, driver_remapped(d, found));
    if (!found || ++d->includes > MAX_INCLUDES || !(in.text = driver_read_text(d, found, &size))) {
        fail(s, "cannot find linker script ", name ? name : "");
        return;
    }
    in.p = in.text;
    in.end = in.text + size;
    s->layout = true;
    read_script(&in);
}

/* What codeobj_link() will read; false: no such command. */
static bool layout_command(struct script *s, const char *t)
{
    static const char *const braced[] = { "SECTIONS", "OVERWRITE_SECTIONS", "MEMORY", "PHDRS" };
    static const char *const called[] = { "ASSERT", "PROVIDE", "PROVIDE_HIDDEN", "HIDDEN", "REGION_ALIAS",
                                          "NOCROSSREFS", "NOCROSSREFS_TO" };
    s->layout = true;
    for (size_t i = 0; i < sizeof braced / sizeof *braced; i++)
        if (!strcmp(t, braced[i])) {
            skip(s, "{", "}");
            return true;
        }
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        if (!strcmp(t, called[i])) {
            skip(s, "(", ")");
            return true;
        }
    if (!strcmp(t, "INSERT")) { /* AFTER or BEFORE, and where */
        next(s);
        next(s);
        return true;
    }
    const char *at = s->at;
    unsigned line = s->line;
    if (assignment(s))
        return true;
    s->at = at;
    s->line = line;
    return false;
}

static void read_script(struct script *s)
{
    struct driver *d = s->d;
    const char *t;
    while (!s->failed && (t = next(s))) {
        if (!strcmp(t, ";"))
            continue;
        if (!strcmp(t, "INPUT"))
            inputs(s);
        else if (!strcmp(t, "GROUP"))
            group(s);
        else if (!strcmp(t, "OUTPUT_FORMAT"))
            format(s);
        else if (!strcmp(t, "OUTPUT_ARCH") || !strcmp(t, "TARGET"))
            in_parentheses(s);
        else if (!strcmp(t, "SEARCH_DIR")) {
            const char *dir = in_parentheses(s);
            if (dir)
                *DPUSH(d, d->library_paths) = dir;
        } else if (!strcmp(t, "ENTRY")) {
            const char *name = in_parentheses(s);
            if (name && !d->opt.entry)
                d->opt.entry = name;
        } else if (!strcmp(t, "OUTPUT")) {
            const char *name = in_parentheses(s);
            if (name)
                d->output = name;
        } else if (!strcmp(t, "EXTERN"))
            names(s);
        else if (!strcmp(t, "VERSION"))
            version(s);
        else if (!strcmp(t, "INCLUDE"))
            include(s);
        else if (!layout_command(s, t))
            fail(s, "unknown directive: ", t);
    }
}

void driver_read_script(struct driver *d, const char *path, const char *text, size_t size)
{
    struct script s = { .d = d, .path = path, .text = text, .p = text, .end = text + size, .line = 1 };
    read_script(&s);
    if (s.layout && !s.failed)
        *DPUSH(d, d->linker_scripts) = (struct codeobj_link_text){ driver_strndup(d, path, strlen(path)), text, size };
}

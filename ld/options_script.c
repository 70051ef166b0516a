/* SPDX-License-Identifier: MIT
 *
 * ld/options_script.c - an input that is text is a linker script.
 *
 * What libraries use is done: INPUT, GROUP, AS_NEEDED, SEARCH_DIR, ENTRY,
 * EXTERN, OUTPUT, INCLUDE, VERSION; OUTPUT_FORMAT, OUTPUT_ARCH and TARGET are
 * read and checked.  SECTIONS, MEMORY and PHDRS are refused by name: loaders of
 * code objects need the layout that the linker makes by itself.
 */
#include "options.h"

#include <string.h>

struct script {
    struct driver *d;
    const char *path, *text, *p, *end;
    const char *at; /* where the last word stands */
    unsigned line;
    char *tok;
    bool failed;
};

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
    fail(s, driver_print(s->d, "%s expected, but got ", want), t ? t : "end of file");
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
        fail(s, "unexpected end of file", "");
}

static const char *in_parentheses(struct script *s)
{
    if (!expect(s, "("))
        return NULL;
    const char *t = next(s);
    return t && expect(s, ")") ? t : NULL;
}

static void format(struct script *s)
{
    if (!expect(s, "("))
        return;
    const char *first = next(s), *t;
    if (first && strcmp(first, "elf64-amdgpu") && strcmp(first, "elf64-amdgcn"))
        fail(s, "unknown output format name: ", first);
    while ((t = next(s)) && strcmp(t, ")"))
        continue;
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
        fail(s, "unexpected end of file", "");
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

/* A symbol assignment at the top level: NAME = EXPRESSION ; */
static bool assignment(struct script *s, const char *name)
{
    const char *was = s->p, *at = s->at;
    unsigned line = s->line;
    const char *t = next(s);
    if (!t || strcmp(t, "=")) {
        s->p = was;
        s->at = at;
        s->line = line;
        return false;
    }
    const char *start = s->p, *semi = memchr(start, ';', (size_t)(s->end - start));
    if (!semi) {
        fail(s, "; expected, but got ", "end of file");
        return true;
    }
    struct driver *d = s->d;
    *DPUSH(d, d->defsym) = driver_print(d, "%s=%.*s", name, (int)(semi - start), start);
    s->p = semi + 1;
    return true;
}

void driver_read_script(struct driver *d, const char *path, const char *text, size_t size)
{
    struct script s = { .d = d, .path = path, .text = text, .p = text, .end = text + size, .line = 1 };
    const char *t;
    while (!s.failed && (t = next(&s))) {
        if (!strcmp(t, ";"))
            continue;
        if (!strcmp(t, "INPUT") || !strcmp(t, "GROUP"))
            inputs(&s);
        else if (!strcmp(t, "OUTPUT_FORMAT"))
            format(&s);
        else if (!strcmp(t, "OUTPUT_ARCH") || !strcmp(t, "TARGET"))
            in_parentheses(&s);
        else if (!strcmp(t, "SEARCH_DIR")) {
            const char *dir = in_parentheses(&s);
            if (dir)
                *DPUSH(d, d->library_paths) = dir;
        } else if (!strcmp(t, "ENTRY")) {
            const char *name = in_parentheses(&s);
            if (name && !d->opt.entry)
                d->opt.entry = name;
        } else if (!strcmp(t, "OUTPUT")) {
            const char *name = in_parentheses(&s);
            if (name)
                d->output = name;
        } else if (!strcmp(t, "EXTERN"))
            names(&s);
        else if (!strcmp(t, "VERSION"))
            version(&s);
        else if (!strcmp(t, "SECTIONS") || !strcmp(t, "MEMORY") || !strcmp(t, "PHDRS"))
            fail(&s, t, " is not supported: a code object has the layout that its loaders expect");
        else if (!assignment(&s, t))
            fail(&s, "unknown directive: ", t);
    }
}

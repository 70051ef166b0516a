/* SPDX-License-Identifier: MIT
 *
 * ld/options_internalize.c - bitcode of a whole program: what is hidden is nobody else's.
 *
 * LLVM's link step makes definitions internal that the output does not export, before it optimises: a hidden variable that
 * nothing writes becomes its value, a hidden function is inlined and gone. clang has no option that says so. But clang
 * writes the linked modules as text, and there a definition's linkage is a word in front of its line:
 *
 *     define weak_odr hidden i32 @f(...) {        becomes    define internal i32 @f(...) {
 *     @g = hidden local_unnamed_addr global ...   becomes    @g = internal local_unnamed_addr global ...
 *
 * Grammar: LLVM Language Reference, "Functions" and "Global Variables": linkage, preemption specifier, visibility, in
 * this order.  Definitions of other visibility stay: what a version script makes local is optimised as if it were exported.
 */
#include "options.h"

#include <string.h>

struct word {
    const char *start;
    size_t len;
};

static struct word next_word(const char **p, const char *end)
{
    struct word w = { *p, 0 };
    while (*p < end && **p != ' ')
        (*p)++;
    w.len = (size_t)(*p - w.start);
    if (*p < end)
        (*p)++;
    return w;
}

static bool is(struct word w, const char *text)
{
    return w.len == strlen(text) && !memcmp(w.start, text, w.len);
}

static bool is_any(struct word w, const char *const *words)
{
    for (; *words; words++)
        if (is(w, *words))
            return true;
    return false;
}

/* The name behind the first `@` from p on that is not within quotes. */
static struct word name_at(const char *p, const char *end)
{
    bool quoted = false;
    while (p < end && (quoted || *p != '@'))
        quoted ^= *p++ == '"';
    struct word w = { p < end ? p + 1 : end, 0 };
    if (w.start < end && *w.start == '"') {
        w.start++;
        const char *close = memchr(w.start, '"', (size_t)(end - w.start));
        w.len = close ? (size_t)(close - w.start) : 0;
    } else {
        while (w.start + w.len < end && !strchr(" (,)=", w.start[w.len]))
            w.len++;
    }
    return w;
}

/* Names that the command line asks for. */
static bool is_asked_for(const struct driver *d, struct word name)
{
    const char *const single[] = { d->opt.entry ? d->opt.entry : "_start", d->opt.init ? d->opt.init : "_init",
                                   d->opt.fini ? d->opt.fini : "_fini", NULL };
    if (is_any(name, single))
        return true;
    for (size_t i = 0; i < d->undefined.count; i++)
        if (is(name, d->undefined.items[i]))
            return true;
    for (size_t i = 0; i < d->require_defined.count; i++)
        if (is(name, d->require_defined.items[i]))
            return true;
    return false;
}

/* Where the words of a definition begin; NULL: the line is none. */
static const char *definition(const char *line, const char *end)
{
    static const char word[] = "define ";
    if ((size_t)(end - line) > sizeof word && !memcmp(line, word, sizeof word - 1))
        return line + sizeof word - 1;
    if (line == end || *line != '@')
        return NULL;
    struct word name = name_at(line, end);
    const char *p = name.start + name.len;
    p += p < end && *p == '"';
    return (size_t)(end - p) > 3 && !memcmp(p, " = ", 3) ? p + 3 : NULL;
}

/* Writes the line to *out as it is to be; true: it is another one. */
static bool rewrite(const struct driver *d, const char *line, const char *end, char **out)
{
    static const char *const outside[] = { "linkonce", "linkonce_odr", "weak", "weak_odr", "common", NULL };
    static const char *const preemption[] = { "dso_local", "dso_preemptable", NULL };
    const char *words = definition(line, end), *rest = words;
    if (!words)
        return false;
    const char *p = rest;
    struct word w = next_word(&p, end), dso = { 0 };
    if (is_any(w, outside)) {
        rest = p;
        w = next_word(&p, end);
    }
    if (is_any(w, preemption)) {
        dso = w;
        rest = p;
        w = next_word(&p, end);
    }
    struct word name = name_at(*line == '@' ? line : p, end);
    if (!is(w, "hidden") || is_asked_for(d, name) || (name.len > 5 && !memcmp(name.start, "llvm.", 5)))
        return false;
    const struct word parts[] = { { line, (size_t)(words - line) }, { "internal ", 9 }, dso, { " ", dso.len ? 1 : 0 },
                                  { p, (size_t)(end - p) } };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].len)
            memcpy(*out, parts[i].start, parts[i].len);
        *out += parts[i].len;
    }
    return true;
}

static bool has_elf(const struct codeobj_link_input *in)
{
    if (in->flags & CODEOBJ_LINK_INPUT_BINARY)
        return false;
    bool archive = in->size >= 8 && !memcmp(in->data, "!<arch>\n", 8), thin = in->size >= 8 && !memcmp(in->data, "!<thin>\n", 8);
    return thin || (in->size >= 4 && !memcmp(in->data, "\177ELF", 4)) || (archive && memmem(in->data, in->size, "\177ELF", 4));
}

bool driver_has_objects(const struct driver *d)
{
    for (size_t i = 0; i < d->inputs.count; i++)
        if (has_elf(&d->inputs.items[i]))
            return true;
    return false;
}

bool driver_may_internalize(const struct driver *d)
{
    return d->opt.kind != CODEOBJ_LINK_RELOCATABLE && !d->undefined_globs.count && !d->defsym.count && !d->wrap.count &&
           !d->linker_scripts.count && !driver_has_objects(d);
}

const char *driver_internalize(struct driver *d, const char *text, size_t size, size_t *new_size)
{
    const char *end = text + size;
    size_t lines = 1;
    for (const char *p = text; (p = memchr(p, '\n', (size_t)(end - p))); p++)
        lines++;
    char *out = driver_alloc_raw(d, size + lines * 8), *at = out; /* "internal" is longer than "hidden" */
    for (const char *line = text; line < end;) {
        const char *nl = memchr(line, '\n', (size_t)(end - line)), *stop = nl ? nl : end, *next = nl ? nl + 1 : end;
        if (!rewrite(d, line, stop, &at)) {
            memcpy(at, line, (size_t)(stop - line));
            at += stop - line;
        }
        if (nl)
            *at++ = '\n';
        line = next;
    }
    *new_size = (size_t)(at - out);
    return out;
}

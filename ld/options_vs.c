/* SPDX-License-Identifier: MIT
 *
 * ld/options_vs.c - --vs-diagnostics: messages begin with "FILE(LINE)", where Visual Studio goes when one is clicked.
 *
 * Messages have no place of their own; it is found in their text, by the shapes that ld.lld looks for and in its order.
 */
#include "options.h"

#include <string.h>

enum { LONGEST = 16384 }; /* bytes of a line in which a place is looked for: it may be full of parentheses */

struct place {
    const char *file, *line;
    int file_len, line_len; /* no line: 0 */
};

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Behind `prefix`, or NULL. */
static const char *after(const char *text, const char *prefix)
{
    size_t n = strlen(prefix);
    return text && !strncmp(text, prefix, n) ? text + n : NULL;
}

static const char *next_line(const char *text)
{
    const char *nl = text ? strchr(text, '\n') : NULL;
    return nl ? nl + 1 : NULL;
}

/* FILE:LINE without blanks at the beginning of p: the last colon that digits follow; closed: and a parenthesis behind them. */
static bool file_and_line(const char *p, bool closed, struct place *out)
{
    const char *end = p;
    while (*end && !is_space(*end))
        end++;
    for (const char *colon = end; colon-- > p + 1;) {
        const char *digits = colon + 1, *stop = digits;
        while (stop < end && is_digit(*stop))
            stop++;
        if (*colon == ':' && stop > digits && (!closed || (stop < end && *stop == ')'))) {
            *out = (struct place){ p, digits, (int)(colon - p), (int)(stop - digits) };
            return true;
        }
    }
    return false;
}

/* "WHERE (FILE:LINE)": the last such parenthesis of the line. */
static bool in_parentheses(const char *p, struct place *out)
{
    size_t n = strcspn(p, "\n");
    for (size_t i = n < LONGEST ? n : 0; i-- > 1;)
        if (p[i] == '(' && file_and_line(p + i + 1, true, out))
            return true;
    return false;
}

static bool either(const char *p, struct place *out)
{
    return p && (in_parentheses(p, out) || file_and_line(p, false, out));
}

/* "undefined symbol:", "undefined hidden symbol:" ... */
static bool of_undefined(const char *text, struct place *out)
{
    const char *p = after(text, "undefined ");
    bool plain = after(p, "symbol:") != NULL;
    if (p && !plain) {
        size_t n = strcspn(p, " \n");
        p = n && p[n] == ' ' && after(p + n + 1, "symbol:") ? p : NULL;
    }
    const char *by = p ? after(next_line(text), ">>> referenced by ") : NULL;
    if (either(by, out))
        return true;
    for (size_t i = by && plain ? strcspn(by, "\n") : 0; i-- > 0;) /* no line is known: the object */
        if (by[i] == ':') {
            *out = (struct place){ by, "", (int)i, 0 };
            return true;
        }
    return false;
}

static bool of_duplicate(const char *text, struct place *out)
{
    const char *first = after(text, "duplicate symbol: ") ? next_line(text) : NULL;
    const char *in = after(first, ">>> defined in ");
    size_t n = in ? strcspn(in, " \t\n\v\f\r") : 0;
    if (n && in[n] == '\n' && after(in + n + 1, ">>> defined in")) {
        *out = (struct place){ in, "", (int)n, 0 };
        return true;
    }
    return either(after(first, ">>> defined at "), out);
}

/* Any other message whose lines say where a symbol is defined and, next, who refers to it. */
static bool of_reference(const char *text, struct place *out)
{
    for (int parentheses = 1; parentheses >= 0; parentheses--)
        for (const char *line = next_line(text); line; line = next_line(line)) {
            const char *by = after(line, ">>> defined in ") ? after(next_line(line), ">>> referenced by ") : NULL;
            if (by && (parentheses ? in_parentheses(by, out) : file_and_line(by, false, out)))
                return true;
        }
    return false;
}

static bool of_quote(const char *text, struct place *out)
{
    const char *found = strstr(text, ": unclosed quote");
    return found && file_and_line(text, false, out) && out->line + out->line_len == found;
}

const char *driver_vs_place(struct driver *d, const char *text)
{
    struct place p;
    if (!of_undefined(text, &p) && !of_duplicate(text, &p) && !of_reference(text, &p) && !of_quote(text, &p))
        return d->program;
    if (!p.line_len)
        return driver_strndup(d, p.file, (size_t)p.file_len);
    return driver_print(d, "%.*s(%.*s)", p.file_len, p.file, p.line_len, p.line);
}

bool driver_vs_split(struct driver *d, const char *text, const char **first, const char **second)
{
    const char *lines[5] = { text };
    struct place p;
    for (int i = 1; i < 5; i++)
        lines[i] = next_line(lines[i - 1]);
    if (!after(text, "duplicate symbol: ") || !lines[4] || next_line(lines[4]) || !after(lines[2], ">>>") || !after(lines[4], ">>>"))
        return false;
    for (int i = 1; i < 5; i += 2) {
        const char *at = after(lines[i], ">>> defined at ");
        if (!at || !file_and_line(at, false, &p))
            return false;
    }
    *first = driver_strndup(d, text, (size_t)(lines[3] - 1 - text));
    *second = driver_print(d, "%.*s%s", (int)(lines[1] - text), text, lines[3]);
    return true;
}

bool driver_vs_full(const struct driver *d, bool is_error, const char **text)
{
    if (is_error && d->error_limit && d->error_count == d->error_limit)
        *text = "too many errors emitted, stopping now (use --error-limit=0 to see all errors)";
    return d->error_limit && d->error_count > d->error_limit;
}

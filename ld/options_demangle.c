/* SPDX-License-Identifier: MIT
 *
 * ld/options_demangle.c - names as they are in the source, C++ (_Z) and Rust (_R), by libiberty, in LLVM's spelling.
 *
 * A name may refer to parts of itself, so that a short one stands for terabytes: beyond a limit it is shown as it is.
 */
#include "options.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_LIMIT = 4096, TIMES_LONGER = 32 };

struct text {
    char *bytes;
    size_t count, cap, limit;
    char *prefix; /* of the name */
    jmp_buf stop; /* nothing else ends a demangler early */
};

static void put(const char *s, size_t n, void *context)
{
    struct text *t = context;
    if (n > t->limit - t->count)
        longjmp(t->stop, 1);
    if (t->count + n + 1 > t->cap) {
        size_t cap = 2 * (t->count + n) + 64;
        char *bytes = realloc(t->bytes, cap);
        if (!bytes)
            longjmp(t->stop, 1);
        t->bytes = bytes;
        t->cap = cap;
    }
    for (size_t i = 0; i < n; i++) {
        size_t have = t->count;
        bool angle = s[i] == '>' || s[i] == '<';
        if (angle && have > 1 && t->bytes[have - 1] == ' ' && t->bytes[have - 2] == s[i]) /* "> >" is of C++98, "<< <" of an operator */
            t->count--;
        t->bytes[t->count++] = s[i];
    }
    t->bytes[t->count] = 0;
}

/* "f() [clone .a] [clone .b]" becomes "f() (.a.b)". */
static void join_suffixes(char *text)
{
    static const char clone[] = " [clone ";
    char *from = strstr(text, clone), *to = from;
    if (!from)
        return;
    for (char *next; (next = strstr(from, clone)); from = next + strcspn(next, "]") + 1) {
        size_t n = strcspn(next + sizeof clone - 1, "]");
        if (to == next) {
            memcpy(to, " (", 2);
            to += 2;
        }
        memmove(to, next + sizeof clone - 1, n);
        to += n;
    }
    memcpy(to, ")", 2);
}

static bool spell(struct text *t, const char *name)
{
    if (setjmp(t->stop))
        return false;
    bool rust = name[1] == 'R';
    const char *suffix = strstr(name, rust ? "." : "E.");
    bool known = rust ? rust_demangle_callback(name, 0, put, t) : cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, put, t);
    if (!known && !rust && suffix) { /* which libiberty knows of functions with parameters only */
        suffix++;
        t->prefix = strndup(name, (size_t)(suffix - name));
        known = t->prefix && cplus_demangle_v3_callback(t->prefix, DMGL_PARAMS | DMGL_ANSI, put, t);
    } else if (!rust) {
        suffix = NULL;
    }
    if (known && suffix) {
        put(" (", 2, t);
        put(suffix, strlen(suffix), t);
        put(")", 1, t);
    }
    if (known && t->count)
        join_suffixes(t->bytes);
    return known && t->count;
}

char *driver_demangle(const char *name)
{
    struct text t = { .limit = MIN_LIMIT + TIMES_LONGER * strlen(name) };
    bool done = spell(&t, name);
    free(t.prefix);
    if (done)
        return t.bytes;
    free(t.bytes);
    return NULL;
}

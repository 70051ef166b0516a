/* SPDX-License-Identifier: MIT
 *
 * ld/glob.c - shell-style patterns: scripts, lists of symbols and options have the same rules, ld.lld's.
 */
#include "glob.h"

#include <string.h>

/* [...] at p (behind the bracket); returns behind the closing one, or NULL.  ']' is a member where it is the first
 * character behind '['; "[!]" and "[^]" exclude nothing and match any character. */
static const char *bracket(const char *p, const char *end, char c, bool *hit)
{
    bool invert = p < end && (*p == '!' || *p == '^');
    bool found = false, first = !invert;
    if (invert)
        p++;
    for (; p < end && (first || *p != ']'); first = false) {
        char lo = *p++, hi = lo;
        if (end - p >= 2 && p[0] == '-' && p[1] != ']') {
            hi = p[1];
            p += 2;
        }
        found |= (unsigned char)lo <= (unsigned char)c && (unsigned char)c <= (unsigned char)hi;
    }
    if (p >= end)
        return NULL;
    *hit = found != invert;
    return p + 1;
}

/* Shell-style match; linear but for the last star, so no input makes it explode. */
bool co_ld_glob(const char *p, size_t plen, const char *t, size_t tlen)
{
    const char *pend = p + plen, *tend = t + tlen, *star = NULL, *mark = NULL;
    while (t < tend) {
        bool hit = false;
        const char *after = p;
        if (p < pend && *p == '*') {
            star = ++p;
            mark = t;
            continue;
        }
        if (p < pend) {
            if (*p == '?') {
                hit = true;
                after = p + 1;
            } else if (*p == '[' && (after = bracket(p + 1, pend, *t, &hit))) {
                /* hit says it */
            } else {
                if (*p == '\\' && p + 1 < pend)
                    p++;
                hit = *p == *t;
                after = p + 1;
            }
        }
        if (hit) {
            p = after;
            t++;
        } else if (star) {
            p = star;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pend && *p == '*')
        p++;
    return p == pend;
}

/* Whether each range of "a-z" in [p, end) goes upwards. */
static bool ranges_rise(const char *p, const char *end)
{
    while (end - p >= 3) {
        if (p[1] == '-' && (unsigned char)p[0] > (unsigned char)p[2])
            return false;
        p += p[1] == '-' ? 3 : 1;
    }
    return true;
}

enum glob_mistake co_ld_glob_mistake(const char *p)
{
    for (; *p; p++) {
        if (*p == '\\') {
            if (!*++p)
                return GLOB_STRAY;
            continue;
        }
        if (*p != '[')
            continue;
        const char *first = p + 1, *close = *first ? strchr(first + 1, ']') : NULL;
        if (!close)
            return GLOB_UNMATCHED;
        if (!ranges_rise(first + (*first == '!' || *first == '^'), close))
            return GLOB_RANGE;
        p = close;
    }
    return GLOB_GOOD;
}

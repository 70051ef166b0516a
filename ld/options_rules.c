/* SPDX-License-Identifier: MIT
 *
 * ld/options_rules.c - options whose value is GLOB=SOMETHING: --remap-inputs and its file, --compress-sections,
 * -z dead-reloc-in-nonalloc; and --package-metadata, whose value is percent-encoded.
 */
#include "glob.h"
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return *text && !*end && !errno && *text != '-';
}

/* A pattern that is wrong is said to be, in ld.lld's words; true: it was.  `shown` stands behind, where it is not NULL. */
static bool bad_glob(struct driver *d, const char *option, const char *glob, const char *shown)
{
    enum glob_mistake mistake = co_ld_glob_mistake(glob);
    const char *colon = shown ? ": " : "";
    shown = shown ? shown : "";
    if (mistake == GLOB_UNMATCHED)
        driver_error(d, "%s: invalid glob pattern, unmatched '['%s%s", option, colon, shown);
    else if (mistake == GLOB_STRAY)
        driver_error(d, "%s: invalid glob pattern, stray '\\'%s%s", option, colon, shown);
    else if (mistake == GLOB_RANGE)
        driver_error(d, "%s: invalid glob pattern: %s%s%s", option, glob + strcspn(glob, "?*[{\\"), colon, shown);
    return mistake != GLOB_GOOD;
}

/* ---- --remap-inputs ------------------------------------------------------------------- */

/* where: what stands before a message. */
static bool add_remap(struct driver *d, const char *where, const char *rule)
{
    const char *eq = strchr(rule, '=');
    if (!eq || !eq[1] || strchr(eq + 1, '=')) {
        driver_error(d, "%s: parse error, not 'from-glob=to-file'", where);
        return false;
    }
    const char *from = driver_strndup(d, rule, (size_t)(eq - rule));
    bool pattern = strpbrk(from, "?*[") != NULL;
    if (pattern && bad_glob(d, where, from, from))
        return false;
    *DPUSH(d, d->remaps) = (struct remap){ from, eq + 1, pattern };
    return true;
}

void driver_remap(struct driver *d, const char *rule)
{
    add_remap(d, "--remap-inputs", rule);
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A rule on each line; # begins a comment, blank lines are passed over.  Messages count the rules only, and the first
 * one that is wrong ends the file: as ld.lld has it. */
void driver_remap_file(struct driver *d, const char *path)
{
    size_t size = 0;
    const char *p = driver_read_text(d, path, &size);
    if (!p) {
        driver_error(d, "cannot open %s: %s", path, strerror(errno));
        return;
    }
    unsigned line = 0;
    for (const char *end = p + size; p < end;) {
        const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end, *next = nl ? nl + 1 : end;
        while (p < stop && is_blank(*p))
            p++;
        while (stop > p && is_blank(stop[-1]))
            stop--;
        if (p < stop && *p != '#' &&
            !add_remap(d, driver_print(d, "%s:%u", path, ++line), driver_strndup(d, p, (size_t)(stop - p))))
            return;
        p = next;
    }
}

static bool matches(const char *glob, const char *path)
{
    return co_ld_glob(glob, strlen(glob), path, strlen(path));
}

/* Names beat patterns; the last rule of a name and the first pattern that matches count. */
const char *driver_remapped(const struct driver *d, const char *path)
{
    const char *to = NULL;
    for (size_t i = 0; i < d->remaps.count; i++)
        if (!d->remaps.items[i].pattern && !strcmp(d->remaps.items[i].from, path))
            to = d->remaps.items[i].to;
    for (size_t i = 0; i < d->remaps.count && !to; i++)
        if (d->remaps.items[i].pattern && matches(d->remaps.items[i].from, path))
            to = d->remaps.items[i].to;
    return to ? to : path;
}

/* ---- --compress-sections ----------------------------------------------------------------- */

void driver_compress_sections(struct driver *d, const char *v)
{
    static const char *const methods[] = { "none", "zlib", "zstd" };
    const char *eq = strchr(v, '=');
    if (!eq || strchr(eq + 1, '=')) {
        driver_error(d, "--compress-sections: parse error, not 'section-glob=[none|zlib|zstd]'");
        return;
    }
    struct codeobj_link_compression c = { .glob = driver_strndup(d, v, (size_t)(eq - v)), .method = UINT8_MAX };
    size_t n = strcspn(eq + 1, ":");
    const char *level = eq[1 + n] ? eq + 2 + n : NULL;
    uint64_t value = 0;
    for (uint8_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strlen(methods[i]) == n && !memcmp(methods[i], eq + 1, n))
            c.method = i;
    if (c.method == UINT8_MAX)
        driver_error(d, "unknown --compress-sections value: %s", driver_strndup(d, eq + 1, n));
    if (level && !number(level, &value))
        driver_error(d, "--compress-sections: expected a non-negative integer compression level, but got '%s'", level);
    else if (c.method == CODEOBJ_COMPRESS_ZLIB && value > 9)
        driver_error(d, "--compress-sections: deflateInit2 returned -2");
    bad_glob(d, "--compress-sections", c.glob, NULL);
    c.level = value < 22 ? (int)value : 22;
    *DPUSH(d, d->compressions) = c;
}

/* ---- -z dead-reloc-in-nonalloc= ------------------------------------------------------------ */

void driver_dead_reloc(struct driver *d, const char *v)
{
    static const char name[] = "-z dead-reloc-in-nonalloc=";
    const char *eq = strchr(v, '=');
    uint64_t value = 0;
    if (!eq || eq == v) {
        driver_error(d, "%s: expected <section_glob>=<value>", name);
        return;
    }
    const char *glob = driver_strndup(d, v, (size_t)(eq - v));
    if (!number(eq + 1, &value))
        driver_error(d, "%s: expected a non-negative integer, but got '%s'", name, eq + 1);
    else if (!bad_glob(d, name, glob, glob))
        *DPUSH(d, d->dead_relocs) = (struct codeobj_link_section_address){ glob, value };
}

/* ---- --why-live ----------------------------------------------------------------------------- */

void driver_why_live(struct driver *d, const char *glob)
{
    if (!bad_glob(d, "--why-live", glob, NULL))
        *DPUSH(d, d->why_live) = glob;
}

/* ---- --package-metadata -------------------------------------------------------------------- */

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

void driver_package_metadata(struct driver *d, const char *v)
{
    char *text = driver_alloc(d, strlen(v) + 1), *p = text;
    for (size_t i = 0; v[i]; i++) {
        if (v[i] != '%') {
            *p++ = v[i];
        } else if (hex(v[i + 1]) < 0 || hex(v[i + 2]) < 0) {
            driver_error(d, "--package-metadata=: invalid %% escape at byte %zu; supports only %%[0-9a-fA-F][0-9a-fA-F]", i);
            return;
        } else {
            *p++ = (char)(hex(v[i + 1]) << 4 | hex(v[i + 2]));
            i += 2;
        }
    }
    d->opt.package_metadata = text;
}

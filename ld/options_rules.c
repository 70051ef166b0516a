/* SPDX-License-Identifier: MIT
 *
 * ld/options_rules.c - options whose value is GLOB=SOMETHING: --remap-inputs and its file, --compress-sections,
 * -z dead-reloc-in-nonalloc; and --package-metadata, whose value is percent-encoded.
 */
#include "options.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return *text && !*end && !errno && *text != '-';
}

/* The one mistake a pattern can have. */
static bool unmatched(const char *glob)
{
    for (const char *p = glob; *p; p++) {
        if (*p == '\\' && p[1])
            p++;
        else if (*p == '[' && !(p = strchr(p + 1, ']')))
            return true;
    }
    return false;
}

/* ---- --remap-inputs ------------------------------------------------------------------- */

static void add_remap(struct driver *d, const char *from, const char *to)
{
    bool pattern = strpbrk(from, "?*[") != NULL;
    if (unmatched(from))
        driver_error(d, "--remap-inputs: invalid glob pattern, unmatched '[': %s", from);
    else
        *DPUSH(d, d->remaps) = (struct remap){ from, to, pattern };
}

void driver_remap(struct driver *d, const char *v)
{
    const char *eq = strchr(v, '=');
    if (!eq || strchr(eq + 1, '='))
        driver_error(d, "--remap-inputs: parse error, not 'from-glob=to-file'");
    else
        add_remap(d, driver_strndup(d, v, (size_t)(eq - v)), eq + 1);
}

/* A rule on each line; # begins a comment, blank lines are passed over. */
void driver_remap_file(struct driver *d, const char *path)
{
    size_t size;
    const char *text = driver_read_text(d, path, &size), *end = text + size;
    unsigned line = 1;
    if (!text) {
        driver_error(d, "cannot open %s: %s", path, strerror(errno));
        return;
    }
    for (const char *p = text; p < end; line++) {
        const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end;
        char *rule = driver_strndup(d, p, (size_t)(stop - p)), *eq = strchr(rule, '=');
        p = nl ? nl + 1 : end;
        if (!*rule || *rule == '#')
            continue;
        if (!eq || strchr(eq + 1, '=')) {
            driver_error(d, "%s:%u: parse error, not 'from-glob=to-file'", path, line);
            return;
        }
        *eq = 0;
        add_remap(d, rule, eq + 1);
    }
}

/* Names beat patterns; the last rule of a name and the first pattern that matches count. */
const char *driver_remapped(const struct driver *d, const char *path)
{
    const char *to = NULL;
    for (size_t i = 0; i < d->remaps.count; i++)
        if (!d->remaps.items[i].pattern && !strcmp(d->remaps.items[i].from, path))
            to = d->remaps.items[i].to;
    for (size_t i = 0; i < d->remaps.count && !to; i++)
        if (d->remaps.items[i].pattern && !fnmatch(d->remaps.items[i].from, path, 0))
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
    if (unmatched(c.glob))
        driver_error(d, "--compress-sections: invalid glob pattern, unmatched '['");
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
    else if (unmatched(glob))
        driver_error(d, "%s: invalid glob pattern, unmatched '[': %s", name, glob);
    else
        *DPUSH(d, d->dead_relocs) = (struct codeobj_link_section_address){ glob, value };
}

/* ---- --why-live ----------------------------------------------------------------------------- */

void driver_why_live(struct driver *d, const char *glob)
{
    if (unmatched(glob))
        driver_error(d, "--why-live: invalid glob pattern, unmatched '['");
    else
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

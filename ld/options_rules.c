/* SPDX-License-Identifier: MIT
 *
 * ld/options_rules.c - what values of options look like: numbers, one of several words, and GLOB=SOMETHING
 * (--remap-inputs and its file, --compress-sections, -z dead-reloc-in-nonalloc, --shuffle-sections); --package-metadata, which
 * is percent-encoded.
 */
#include "glob.h"
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* ---- numbers and words ---------------------------------------------------------------------- */

static unsigned digit(char c)
{
    return (unsigned)(c - '0') < 10 ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') < 26 ? (unsigned)((c | 32) - 'a') + 10 : 99;
}

/* Base 0: 0x, 0b, 0o and a 0 in front of digits say which; LLVM's rules, which know no sign and no blanks. */
bool driver_number(const char *text, unsigned base, uint64_t *out)
{
    uint64_t v = 0;
    if (!base) {
        char mark = text[0] == '0' ? text[1] : 0;
        base = (mark | 32) == 'x' ? 16 : (mark | 32) == 'b' ? 2 : mark == 'o' || digit(mark) < 10 ? 8 : 10;
        text += base == 10 ? 0 : digit(mark) < 10 ? 1 : 2;
    }
    if (!*text)
        return false;
    for (; *text; text++) {
        unsigned d = digit(*text);
        if (d >= base || v > (UINT64_MAX - d) / base)
            return false;
        v = v * base + d;
    }
    *out = v;
    return true;
}

/* 64 bits with a minus in front of negative ones. */
bool driver_signed_number(const char *text, unsigned base, int64_t *out)
{
    bool negative = *text == '-';
    uint64_t v;
    if (!driver_number(text + negative, base, &v) || v > (uint64_t)INT64_MAX + negative)
        return false;
    *out = (int64_t)(negative ? 0 - v : v);
    return true;
}

bool driver_choose(struct driver *d, const char *v, const char *const *words, uint8_t *out, const char *message)
{
    for (uint8_t i = 0; words[i]; i++)
        if (!strcmp(words[i], v)) {
            *out = i;
            return true;
        }
    driver_error(d, "%s: %s", message, v);
    return false;
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
    driver_log(d, driver_remapped(d, path));
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
    static const char *const methods[] = { "none", "zlib", "zstd", NULL };
    const char *eq = strchr(v, '=');
    if (!eq || strchr(eq + 1, '=')) {
        driver_error(d, "--compress-sections: parse error, not 'section-glob=[none|zlib|zstd]'");
        return;
    }
    struct codeobj_link_compression c = { .glob = driver_strndup(d, v, (size_t)(eq - v)) };
    size_t n = strcspn(eq + 1, ":");
    const char *level = eq[1 + n] ? eq + 2 + n : NULL;
    uint64_t value = 0;
    driver_choose(d, driver_strndup(d, eq + 1, n), methods, &c.method, "unknown --compress-sections value");
    if (level && (!driver_number(level, 0, &value) || value > UINT32_MAX))
        driver_error(d, "--compress-sections: expected a non-negative integer compression level, but got '%s'", level);
    bad_glob(d, "--compress-sections", c.glob, NULL);
    c.level = (int)(uint32_t)value; /* what the method makes of it, negative ones included, is seen where it compresses */
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
    if (!driver_number(eq + 1, 0, &value))
        driver_error(d, "%s: expected a non-negative integer, but got '%s'", name, eq + 1);
    else if (!bad_glob(d, name, glob, glob))
        *DPUSH(d, d->dead_relocs) = (struct codeobj_link_section_address){ glob, value };
}

/* ---- --shuffle-sections ---------------------------------------------------------------------- */

static uint32_t random_seed(struct driver *d)
{
    uint32_t seed = 0;
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, &seed, sizeof seed) != sizeof seed)
        driver_error(d, "entropy source failure");
    if (fd >= 0)
        close(fd);
    return seed == CODEOBJ_SHUFFLE_REVERSE ? 0 : seed;
}

void driver_shuffle(struct driver *d, const char *v)
{
    static const char name[] = "--shuffle-sections=";
    const char *eq = strchr(v, '=');
    int64_t seed = 0;
    if (!eq || eq == v || !eq[1]) {
        driver_error(d, "%s: expected <section_glob>=<seed>, but got '%s'", name, v);
        return;
    }
    const char *glob = driver_strndup(d, v, (size_t)(eq - v));
    if (!driver_signed_number(eq + 1, 0, &seed))
        driver_error(d, "%s: expected an integer, but got '%s'", name, eq + 1);
    else if (!bad_glob(d, name, glob, glob))
        *DPUSH(d, d->shuffles) =
            (struct codeobj_link_section_address){ glob, (uint32_t)seed ? (uint32_t)seed : random_seed(d) };
}

/* ---- --why-live ----------------------------------------------------------------------------- */

void driver_why_live(struct driver *d, const char *glob)
{
    if (!bad_glob(d, "--why-live", glob, NULL))
        *DPUSH(d, d->why_live) = glob;
}

void driver_exclude_backrefs(struct driver *d, const char *glob)
{
    if (!bad_glob(d, "--warn-backrefs-exclude", glob, glob))
        *DPUSH(d, d->backrefs_exclude) = glob;
}

/* ---- --package-metadata -------------------------------------------------------------------- */

void driver_package_metadata(struct driver *d, const char *v)
{
    char *text = driver_alloc(d, strlen(v) + 1), *p = text;
    for (size_t i = 0; v[i]; i++) {
        if (v[i] != '%') {
            *p++ = v[i];
        } else if (digit(v[i + 1]) > 15 || digit(v[i + 2]) > 15) {
            driver_error(d, "--package-metadata=: invalid %% escape at byte %zu; supports only %%[0-9a-fA-F][0-9a-fA-F]", i);
            return;
        } else {
            *p++ = (char)(digit(v[i + 1]) << 4 | digit(v[i + 2]));
            i += 2;
        }
    }
    d->opt.package_metadata = text;
    d->opt.package_metadata_size = (size_t)(p - text);
}

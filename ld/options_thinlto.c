/* SPDX-License-Identifier: MIT
 *
 * ld/options_thinlto.c - the --thinlto-* options of ld.lld.
 *
 * All bitcode is one module here (options_lto.c), so there is no thin link, whose index files a distributed build hands
 * to its compilers.  What only names, prunes or lists files of such a build is read, checked in ld.lld's words
 * and has no effect; what asks for those files stops the link when there is bitcode.  Without bitcode
 * --thinlto-index-only and --thinlto-single-module do as in ld.lld: names are resolved, and no image is made.
 */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* name: without dashes; shown: as it is written, up to the value. */
void driver_thinlto(struct driver *d, const char *name, const char *shown, const char *v)
{
    struct thinlto *t = &d->thinlto;
    if (!strcmp(name, "thinlto-index-only")) {
        t->index_only = true;
        t->index_file = v;
    } else if (!strcmp(name, "thinlto-single-module")) {
        t->single_module = true;
    } else if (!strcmp(name, "thinlto-emit-index-files")) {
        t->emit_index = true;
    } else if (!strcmp(name, "thinlto-cache-policy")) {
        t->cache_policy = v;
    } else if (!strcmp(name, "thinlto-prefix-replace")) {
        t->prefix = v;
        t->prefix_shown = shown;
    } else {
        t->suffix = v;
        t->suffix_shown = shown;
    }
}

/* ---- --thinlto-cache-policy ------------------------------------------------------------------ */

static bool is_number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static const char *without_last(struct driver *d, const char *v)
{
    size_t n = strlen(v);
    return driver_strndup(d, v, n ? n - 1 : 0);
}

/* What is wrong with it, or NULL. */
static const char *bad_duration(struct driver *d, const char *v)
{
    uint64_t n;
    const char *digits = without_last(d, v);
    if (!*v)
        return "Duration must not be empty";
    if (!is_number(digits, &n))
        return driver_print(d, "'%s' not an integer", digits);
    return strchr("smh", v[strlen(v) - 1]) ? NULL : driver_print(d, "'%s' must end with one of 's', 'm' or 'h'", v);
}

static const char *bad_percentage(struct driver *d, const char *v)
{
    uint64_t n;
    const char *digits = without_last(d, v);
    if (!*v || v[strlen(v) - 1] != '%')
        return driver_print(d, "'%s' must be a percentage", v);
    if (!is_number(digits, &n))
        return driver_print(d, "'%s' not an integer", digits);
    return n <= 100 ? NULL : driver_print(d, "'%s' must be between 0 and 100", digits);
}

static const char *bad_rule(struct driver *d, const char *key, const char *v)
{
    uint64_t n;
    if (!strcmp(key, "prune_interval") || !strcmp(key, "prune_after"))
        return bad_duration(d, v);
    if (!strcmp(key, "cache_size"))
        return bad_percentage(d, v);
    if (!strcmp(key, "cache_size_bytes")) {
        bool unit = *v && strchr("kmgKMG", v[strlen(v) - 1]);
        return is_number(unit ? without_last(d, v) : v, &n) ? NULL : driver_print(d, "'%s' not an integer", unit ? without_last(d, v) : v);
    }
    if (!strcmp(key, "cache_size_files"))
        return is_number(v, &n) ? NULL : driver_print(d, "'%s' not an integer", v);
    return driver_print(d, "Unknown key: '%s'", key);
}

/* KEY=VALUE:KEY=VALUE... */
static void check_policy(struct driver *d, const char *v)
{
    while (*v) {
        size_t n = strcspn(v, ":"), k = strcspn(v, "=:");
        const char *key = driver_strndup(d, v, k);
        const char *bad = bad_rule(d, key, k < n ? driver_strndup(d, v + k + 1, n - k - 1) : "");
        if (bad) {
            driver_error(d, "--thinlto-cache-policy: invalid cache policy: %s", bad);
            return;
        }
        v += n + (v[n] != 0);
    }
}

/* ---- the whole line ------------------------------------------------------------------------------ */

static void check_pair(struct driver *d, const char *shown, const char *v)
{
    if (v && !strchr(v, ';'))
        driver_error(d, "%s expects 'old;new' format, but got %s", shown, v);
}

/* The last of each option counts. */
void driver_check_thinlto(struct driver *d)
{
    const struct thinlto *t = &d->thinlto;
    if (t->cache_policy)
        check_policy(d, t->cache_policy);
    check_pair(d, t->suffix_shown, t->suffix);
    check_pair(d, t->prefix_shown, t->prefix);
    if (t->emit_index && !t->index_only && (t->suffix || t->prefix))
        driver_error(d, "--thinlto-%s-replace is not supported with --thinlto-emit-index-files",
                     t->suffix ? "object-suffix" : "prefix");
    const char *second = t->prefix ? strchr(t->prefix, ';') : NULL;
    second = second ? strchr(second + 1, ';') : NULL;
    if (second && second[1] && !(t->index_file && *t->index_file))
        driver_error(d, "--thinlto-prefix-replace=old_dir;new_dir;obj_dir must be used with --thinlto-index-only=");
    if (t->index_only || t->single_module) {
        d->lto_emit = EMIT_NOTHING;
        d->opt.flags |= CODEOBJ_LINK_RESOLVE_ONLY;
    }
}

/* There is bitcode: false, with a message, where an option asks for what only a thin link makes. */
bool driver_thinlto_compiles(struct driver *d)
{
    const struct thinlto *t = &d->thinlto;
    const char *option = t->index_only ? "index-only" : t->single_module ? "single-module" : t->emit_index ? "emit-index-files" : NULL;
    if (option)
        driver_error(d, "--thinlto-%s is not supported with bitcode: it is compiled as one module, without a thin link", option);
    return !option;
}

/* --thinlto-index-only=FILE lists the objects that compilers will make of bitcode: none. */
void driver_emit_index(struct driver *d)
{
    const char *path = d->thinlto.index_file;
    if (path && *path && !driver_write(d, path, "", 0, 0666))
        driver_error(d, "cannot open %s: %s", path, strerror(errno));
}

/* SPDX-License-Identifier: MIT
 *
 * ld/options.c - reading the command line.
 *
 * Spelling is ld.lld's: long options take one or two dashes (those that begin
 * with o two, because -oNAME is -o NAME), a value behind `=` or as the next
 * argument; @FILE stands for the arguments in FILE, nested, with quotes and
 * backslashes as a shell has them, or with --rsp-quoting=windows as the C runtime of Windows.  `-flavor gnu` may stand first.
 */
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RESPONSES = 10000, RESPONSES_FAILED }; /* the latter follows the former */

typedef DVEC(const char *) args_list;

const char *driver_version(struct driver *d)
{
    return driver_print(d, "amdld %s, in place of LLD 22.1.8", codeobj_version());
}

/* ---- response files --------------------------------------------------------------- */

struct response {
    const char *name;
    const struct response *within;
};

static void expand(struct driver *d, args_list *out, const char *arg, const struct response *within);

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || !c;
}

/* A word as a shell has it, into `word`; the place behind it. */
static const char *posix_word(const char *p, const char *end, char *word, size_t *n)
{
    char quote = 0;
    for (; p < end && (quote || !is_space(*p)); p++) {
        if (*p == '\\' && p + 1 < end && quote != '\'')
            word[(*n)++] = *++p;
        else if (quote ? *p == quote : *p == '"' || *p == '\'')
            quote = quote ? 0 : *p;
        else
            word[(*n)++] = *p;
    }
    return p;
}

/* As the C runtime of Windows reads a command line: backslashes are special in front of double quotes alone, where two stand
 * for one and an odd one takes the quote's meaning; two quotes within quotes are one. */
static const char *windows_word(const char *p, const char *end, char *word, size_t *n)
{
    bool quoted = false;
    while (p < end && (quoted || !is_space(*p))) {
        size_t slashes = 0;
        while (p < end && *p == '\\')
            p++, slashes++;
        bool quote = p < end && *p == '"';
        for (size_t i = 0; i < (quote ? slashes / 2 : slashes); i++)
            word[(*n)++] = '\\';
        if (quote && slashes % 2) {
            word[(*n)++] = *p++;
        } else if (quote && quoted && p + 1 < end && p[1] == '"') {
            word[(*n)++] = '"';
            p += 2;
        } else if (quote) {
            quoted = !quoted;
            p++;
        } else if (!slashes) {
            word[(*n)++] = *p++;
        }
    }
    return p;
}

static void tokenize(struct driver *d, args_list *out, const char *p, size_t size, const struct response *within)
{
    const char *end = p + size;
    char *word = driver_alloc(d, size + 1);
    while (p < end) {
        while (p < end && is_space(*p))
            p++;
        if (p == end)
            break;
        size_t n = 0;
        p = d->windows_quoting ? windows_word(p, end, word, &n) : posix_word(p, end, word, &n);
        if (n || d->windows_quoting) /* with a shell's quotes, "" is nothing to ld.lld */
            expand(d, out, driver_strndup(d, word, n), within);
    }
}

/* --rsp-quoting of the line itself: the last one. */
static void read_quoting(struct driver *d, int argc, char **argv)
{
    static const char name[] = "--rsp-quoting";
    size_t n = strlen(name);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], name, n) || (argv[i][n] && argv[i][n] != '='))
            continue;
        const char *v = argv[i][n] ? argv[i] + n + 1 : i + 1 < argc ? argv[i + 1] : "";
        d->windows_quoting = !strcmp(v, "windows");
    }
}

/* Files may name files; one that names itself, or a few that double one another, would have no end. */
static bool may_expand(struct driver *d, const struct response *r)
{
    if (d->responses == RESPONSES_FAILED)
        return false;
    const char *what = d->responses++ == MAX_RESPONSES ? "too many response files" : NULL;
    for (const struct response *w = r->within; w && !what; w = w->within)
        if (!strcmp(w->name, r->name))
            what = "recursive expansion of";
    if (!what)
        return true;
    driver_error(d, "%s: '%s'", what, r->name);
    d->responses = RESPONSES_FAILED;
    return false;
}

static void expand(struct driver *d, args_list *out, const char *arg, const struct response *within)
{
    const void *data;
    size_t size;
    if (arg[0] == '@' && arg[1] && driver_read(d, arg + 1, &data, &size)) {
        struct response r = { arg + 1, within };
        if (may_expand(d, &r))
            tokenize(d, out, data, size, &r);
        return;
    }
    *DPUSH(d, *out) = arg;
}

/* ---- values ------------------------------------------------------------------------- */

/* A list or script.  Version scripts are searched for as linker scripts are; the others stand where they are said to. */
static void add_text(struct driver *d, const char *path, bool searched, struct codeobj_link_text *out)
{
    size_t size = 0;
    const char *found = searched ? driver_find_script(d, path) : path;
    const char *text = found ? driver_read_text(d, found, &size) : NULL;
    if (!text && searched)
        driver_error(d, "cannot find version script %s", path);
    else if (!text)
        driver_error(d, "cannot open %s: %s", path, strerror(errno));
    *out = (struct codeobj_link_text){ path, text ? text : "", size };
}

static void build_id(struct driver *d, const char *v)
{
    struct codeobj_link_options *o = &d->opt;
    if (!v || !strcmp(v, "sha1") || !strcmp(v, "tree"))
        o->build_id = CODEOBJ_BUILD_ID_SHA1;
    else if (!strcmp(v, "md5"))
        o->build_id = CODEOBJ_BUILD_ID_MD5;
    else if (!strcmp(v, "fast"))
        o->build_id = CODEOBJ_BUILD_ID_FAST;
    else if (!strcmp(v, "none"))
        o->build_id = CODEOBJ_BUILD_ID_NONE;
    else if (!strcmp(v, "uuid")) {
        unsigned char *bytes = driver_alloc(d, 16);
        int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
        if (fd < 0 || read(fd, bytes, 16) != 16)
            driver_error(d, "entropy source failure");
        if (fd >= 0)
            close(fd);
        o->build_id = CODEOBJ_BUILD_ID_BYTES;
        o->build_id_bytes = bytes;
        o->build_id_size = 16;
    } else if (!strncmp(v, "0x", 2) || !strncmp(v, "0X", 2)) {
        unsigned char *bytes = driver_alloc(d, strlen(v));
        size_t n = 0;
        for (const char *p = v + 2; *p; p++) {
            int digit = *p >= '0' && *p <= '9' ? *p - '0' : (*p | 32) >= 'a' && (*p | 32) <= 'f' ? (*p | 32) - 'a' + 10 : -1;
            if (*p == '-' || *p == ':')
                continue;
            if (digit < 0) {
                driver_error(d, "not a hexadecimal value: %s", v + 2);
                return;
            }
            bytes[n / 2] = (unsigned char)(bytes[n / 2] << 4 | digit);
            n++;
        }
        o->build_id = CODEOBJ_BUILD_ID_BYTES;
        o->build_id_bytes = bytes;
        o->build_id_size = (n + 1) / 2;
    } else {
        driver_error(d, "unknown --build-id style: %s", v);
    }
}

/* ---- -z ------------------------------------------------------------------------------- */

#define DT_FLAG(n) ((uint64_t)(n))
#define DT_FLAG_1(n) ((uint64_t)(n) << 32)

static const struct {
    const char *name;
    uint64_t set, clear; /* CODEOBJ_LINK_* */
    uint64_t dt;
} z_flags[] = {
    { "relro", 0, CODEOBJ_LINK_NO_RELRO, 0 },
    { "norelro", CODEOBJ_LINK_NO_RELRO, 0, 0 },
    { "text", 0, CODEOBJ_LINK_TEXTREL, 0 },
    { "notext", CODEOBJ_LINK_TEXTREL, 0, 0 },
    { "now", CODEOBJ_LINK_NOW, 0, 0 },
    { "lazy", 0, CODEOBJ_LINK_NOW, 0 },
    { "execstack", CODEOBJ_LINK_EXECSTACK, CODEOBJ_LINK_NO_GNU_STACK, 0 },
    { "noexecstack", 0, CODEOBJ_LINK_EXECSTACK | CODEOBJ_LINK_NO_GNU_STACK, 0 },
    { "nognustack", CODEOBJ_LINK_NO_GNU_STACK, 0, 0 },
    { "keep-text-section-prefix", CODEOBJ_LINK_KEEP_TEXT_PREFIX, 0, 0 },
    { "nokeep-text-section-prefix", 0, CODEOBJ_LINK_KEEP_TEXT_PREFIX, 0 },
    { "start-stop-gc", 0, CODEOBJ_LINK_KEEP_START_STOP, 0 },
    { "nostart-stop-gc", CODEOBJ_LINK_KEEP_START_STOP, 0, 0 },
    { "combreloc", 0, CODEOBJ_LINK_NO_COMBRELOC, 0 },
    { "nocombreloc", CODEOBJ_LINK_NO_COMBRELOC, 0, 0 },
    { "muldefs", CODEOBJ_LINK_ALLOW_MULTIPLE, 0, 0 },
    { "sectionheader", 0, CODEOBJ_LINK_NO_SECTION_HEADERS, 0 },
    { "nosectionheader", CODEOBJ_LINK_NO_SECTION_HEADERS, 0, 0 },
    { "origin", 0, 0, DT_FLAG(1) | DT_FLAG_1(0x80) },
    { "nodelete", 0, 0, DT_FLAG_1(8) },
    { "initfirst", 0, 0, DT_FLAG_1(0x20) },
    { "nodlopen", 0, 0, DT_FLAG_1(0x40) },
    { "interpose", 0, 0, DT_FLAG_1(0x400) },
    { "nodefaultlib", 0, 0, DT_FLAG_1(0x800) },
    { "global", 0, 0, DT_FLAG_1(2) },
    /* nothing to do on AMDGPU */
    { "copyreloc", 0, 0, 0 },
    { "nocopyreloc", 0, 0, 0 },
    { "rel", CODEOBJ_LINK_REL, 0, 0 },
    { "rela", 0, CODEOBJ_LINK_REL, 0 },
    { "rodynamic", CODEOBJ_LINK_RODYNAMIC, 0, 0 },
    { "shstk", 0, 0, 0 },
    { "force-ibt", 0, 0, 0 },
    { "hazardplt", 0, 0, 0 },
    { "retpolineplt", 0, 0, 0 },
    { "wxneeded", 0, 0, 0 },
    { "nobtcfi", 0, 0, 0 },
    { "keep-data-section-prefix", 0, 0, 0 },
    { "nokeep-data-section-prefix", 0, 0, 0 },
    { "dynamic-undefined-weak", 0, 0, 0 },
    { "nodynamic-undefined-weak", 0, 0, 0 },
};

/* Keywords of other machines. */
static bool z_refused(struct driver *d, const char *v)
{
    static const char *const aarch64[] = { "force-bti", "pac-plt", "gcs=" };
    for (size_t i = 0; i < sizeof aarch64 / sizeof *aarch64; i++) {
        size_t n = strlen(aarch64[i]);
        if (!strncmp(v, aarch64[i], n) && (aarch64[i][n - 1] == '=' || !v[n])) {
            driver_error(d, "-z %.*s only supported on AArch64", (int)strcspn(v, "="), v);
            return true;
        }
    }
    return false;
}

static bool z_ignored(const char *v)
{
    static const char *const with_value[] = { "bti-report=", "cet-report=", "pauth-report=" };
    for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++)
        if (!strncmp(v, with_value[i], strlen(with_value[i])))
            return true;
    return false;
}

static void z_visibility(struct driver *d, const char *v)
{
    static const char *const all[] = { "default", "internal", "hidden", "protected", NULL };
    uint8_t i;
    if (driver_choose(d, v, all, &i, "unknown -z start-stop-visibility= value"))
        d->opt.start_stop_visibility = (i + 1) & 3;
}

static void z_option(struct driver *d, const char *v)
{
    uint64_t n;
    if (z_refused(d, v) || z_ignored(v))
        return;
    for (size_t i = 0; i < sizeof z_flags / sizeof *z_flags; i++)
        if (!strcmp(v, z_flags[i].name)) {
            d->opt.flags = (d->opt.flags | z_flags[i].set) & ~z_flags[i].clear;
            d->opt.dt_flags |= z_flags[i].dt;
            return;
        }
    if (!strcmp(v, "pack-relative-relocs") || !strcmp(v, "nopack-relative-relocs"))
        d->pack_relative = v[0] == 'p';
    else if (!strcmp(v, "defs"))
        d->opt.unresolved = CODEOBJ_UNRESOLVED_ERROR;
    else if (!strcmp(v, "undefs"))
        d->opt.unresolved = CODEOBJ_UNRESOLVED_IGNORE;
    else if (!strcmp(v, "separate-code"))
        d->opt.separate = CODEOBJ_SEPARATE_CODE;
    else if (!strcmp(v, "separate-loadable-segments"))
        d->opt.separate = CODEOBJ_SEPARATE_LOADABLE;
    else if (!strcmp(v, "noseparate-code"))
        d->opt.separate = CODEOBJ_SEPARATE_NONE;
    else if (!strncmp(v, "max-page-size=", 14) || !strncmp(v, "common-page-size=", 17)) {
        bool max = v[0] == 'm';
        const char *text = strchr(v, '=') + 1;
        const char *name = max ? "max-page-size" : "common-page-size";
        if (!driver_number(text, 0, &n))
            driver_error(d, "invalid %s: %s", name, text);
        else if (!n || (n & (n - 1)) || n > (1ull << 40))
            driver_error(d, "%s: value isn't a power of 2", name);
        else
            *(max ? &d->opt.max_page_size : &d->opt.common_page_size) = n;
    } else if (!strncmp(v, "dead-reloc-in-nonalloc=", 23)) {
        driver_dead_reloc(d, v + 23);
    } else if (!strncmp(v, "start-stop-visibility=", 22)) {
        z_visibility(d, v + 22);
    } else if (!strncmp(v, "stack-size=", 11)) {
        if (!driver_number(v + 11, 0, &d->opt.stack_size))
            driver_error(d, "invalid stack-size: %s", v + 11);
    } else {
        *DPUSH(d, d->unknown_z) = v; /* said behind all else that there is to say about options */
    }
}

/* ---- positional state --------------------------------------------------------------------- */

static void state(struct driver *d, const struct option *o)
{
    switch (o->b) {
    case 0: d->state.whole_archive = true; break;
    case 1: d->state.whole_archive = false; break;
    case 2:
        if (d->in_lib)
            driver_error(d, "nested --start-lib");
        if (d->in_group)
            driver_error(d, "may not nest --start-lib in --start-group");
        d->in_lib = d->in_group = true;
        break;
    case 3:
        if (!d->in_lib)
            driver_error(d, "stray --end-lib");
        d->in_lib = d->in_group = false;
        d->group++;
        break;
    case 4: *DPUSH(d, d->states) = d->state; break;
    case 5:
        if (d->states.count)
            d->state = d->states.items[--d->states.count];
        else
            driver_error(d, "unbalanced --push-state/--pop-state");
        break;
    case 6: d->state.as_needed = true; break;
    case 7: d->state.as_needed = false; break;
    case 8: d->state.is_static = true; break;
    case 10:
        if (d->in_group)
            driver_error(d, "nested --start-group");
        d->in_group = true;
        break;
    case 11:
        if (!d->in_group)
            driver_error(d, "stray --end-group");
        d->in_group = false;
        d->group++;
        break;
    default: d->state.is_static = false; break;
    }
}

static void split_list(struct driver *d, const char *v)
{
    while (*v) {
        const char *e = v + strcspn(v, ",:");
        const char *one = driver_strndup(d, v, (size_t)(e - v));
        if (!strcmp(one, "ALL"))
            d->exclude_all = true;
        *DPUSH(d, d->exclude_libs) = one;
        v = *e ? e + 1 : e;
    }
}

/* A list of names, one a line, is a version script that makes all others local. */
static void retain_file(struct driver *d, const char *path)
{
    struct codeobj_link_text t;
    add_text(d, path, false, &t);
    char *script = driver_print(d, "{ global:");
    const char *p = t.text, *end = t.text + t.size;
    while (p < end) {
        const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end;
        while (p < stop && (*p == ' ' || *p == '\t'))
            p++;
        while (stop > p && (stop[-1] == ' ' || stop[-1] == '\r' || stop[-1] == '\t'))
            stop--;
        if (stop > p && *p != '#')
            script = driver_print(d, "%s \"%.*s\";", script, (int)(stop - p), p);
        p = nl ? nl + 1 : end;
    }
    script = driver_print(d, "%s local: *; };", script);
    *DPUSH(d, d->version_scripts) = (struct codeobj_link_text){ path, script, strlen(script) };
}

/* An option and its value; arg is the word that the option is, with the value in it or not. */
static const char *as_written(struct driver *d, const char *arg, const char *v)
{
    size_t n = strlen(arg), m = strlen(v);
    return n >= m && arg + n - m == v ? arg : driver_print(d, "%s %s", arg, v);
}

/* shown: the option and its value as they are written. */
static void section_address(struct driver *d, const char *name, const char *value, const char *shown)
{
    uint64_t n;
    const char *text = !strncmp(value, "0x", 2) || !strncmp(value, "0X", 2) ? value + 2 : value;
    if (!driver_number(text, 16, &n))
        driver_error(d, "invalid argument: %s", shown);
    else
        *DPUSH(d, d->section_addresses) = (struct codeobj_link_section_address){ name, n };
}

static void lto_level(struct driver *d, const char *option, const char *v, bool codegen)
{
    uint64_t n;
    if (!driver_number(v, 10, &n))
        driver_error(d, "%s%s: number expected, but got '%s'", option, v, v);
    else if (n > 3)
        driver_error(d, "invalid %soptimization level for LTO: %s", codegen ? "codegen " : "", v);
    else
        *(codegen ? &d->lto_cg_opt : &d->lto_opt) = v;
}

static void check_jobs(struct driver *d, const char *v)
{
    uint64_t n;
    if (*v && strcmp(v, "all") && !driver_number(v, 10, &n))
        driver_error(d, "--thinlto-jobs: invalid job count: %s", v);
}

/* Values that change nothing here, and must make sense all the same. */
static void checked(struct driver *d, const char *name, const char *v)
{
    static const struct {
        const char *option, *words, *text;
    } all[] = {
        { "lto", "full thin", "unknown LTO mode: %s" },
        { "rsp-quoting", "posix windows", "invalid response file quoting: %s" },
    };
    uint64_t n;
    if (!strcmp(name, "thinlto-jobs"))
        check_jobs(d, v);
    bool partitions = !strcmp(name, "lto-partitions"), no_number = partitions && !driver_number(v, 10, &n);
    if (no_number)
        driver_error(d, "--lto-partitions=%s: number expected, but got '%s'", v, v);
    if (partitions && (no_number || !n))
        driver_error(d, "--lto-partitions: number of threads must be > 0");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t len = strlen(v);
        if (strcmp(all[i].option, name))
            continue;
        for (const char *w = all[i].words; *w; w += strcspn(w, " "), w += *w == ' ')
            if (strcspn(w, " ") == len && !memcmp(w, v, len))
                return;
        driver_error(d, all[i].text, v);
    }
}

/* Those of ld.lld's --plugin-opt= that change nothing. */
static bool plugin_ignored(struct driver *d, const char *v)
{
    static const char *const words[] = { "cs-profile-generate", "debug-pass-manager", "disable-verify",
                                         "opt-remarks-with-hotness", "lto-partitions", "cs-profile-path=", "sample-profile=",
                                         "dwo_dir=", "obj-path=", "lto-partitions=", "opt-remarks-filename=",
                                         "opt-remarks-passes=", "opt-remarks-format=", "opt-remarks-hotness-threshold=",
                                         "stats-file=", "time-trace=" };
    if (!strncmp(v, "thinlto", 7)) /* whatever follows */
        return true;
    if (!strncmp(v, "jobs=", 5)) {
        check_jobs(d, v + 5);
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (!strncmp(v, words[i], n) && (words[i][n - 1] == '=' || !v[n]))
            return true;
    }
    return false;
}

/* Those that are other names of --thinlto-*. */
static bool plugin_thinlto(struct driver *d, const char *option, const char *v)
{
    static const char *const names[] = { "thinlto-index-only", "thinlto-prefix-replace", "thinlto-object-suffix-replace" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(v, names[i], n) || (v[n] != '=' && (v[n] || i)))
            continue;
        driver_thinlto(d, names[i], driver_print(d, "%s=%s=", option, names[i]), v[n] ? v + n + 1 : NULL);
        return true;
    }
    return false;
}

static void plugin_option(struct driver *d, const char *option, const char *v)
{
    if (plugin_thinlto(d, option, v))
        return;
    if (!strncmp(v, "mcpu=", 5))
        d->mcpu = v + 5;
    else if (!strncmp(v, "-mattr=", 7))
        d->mattr = v + 7;
    else if (v[0] == 'O' && v[1])
        lto_level(d, driver_print(d, "%s=O", option), v + 1, false);
    else if (!strcmp(v, "save-temps"))
        d->save_temps = true;
    else if (!strcmp(v, "emit-asm") || !strcmp(v, "emit-llvm"))
        d->lto_emit = v[5] == 'a' ? EMIT_ASSEMBLY : EMIT_BITCODE;
    else if (v[0] == '-' && strncmp(v, "-mcpu=", 6) && strncmp(v, "-fresolution=", 13) && strncmp(v, "-pass-through=", 14))
        *DPUSH(d, d->mllvm) = v;
    else if (v[0] != '-' && !plugin_ignored(d, v))
        driver_error(d, "%s=: unknown plugin option '%s'", option, v);
}

static void unresolved(struct driver *d, const struct option *o, const char *v)
{
    if (o->b == 0 || !strcmp(v, "report-all"))
        d->opt.unresolved = CODEOBJ_UNRESOLVED_ERROR;
    else if (!strcmp(v, "ignore-all") || !strcmp(v, "ignore-in-object-files"))
        d->opt.unresolved = CODEOBJ_UNRESOLVED_IGNORE;
    else if (!strcmp(v, "ignore-in-shared-libs"))
        d->opt.unresolved = CODEOBJ_UNRESOLVED_ERROR;
    else
        driver_error(d, "unknown --unresolved-symbols value: %s", v);
}

static void unknown(struct driver *d, const char *arg)
{
    const char *near = option_nearest(d, arg);
    if (near)
        driver_error(d, "unknown argument '%s', did you mean '%s'", arg, near);
    else
        driver_error(d, "unknown argument '%s'", arg);
}

static void section_padding(struct driver *d, const char *arg, const char *v)
{
    int64_t n = 0;
    if (!driver_signed_number(v, 10, &n))
        driver_error(d, "%s: number expected, but got '%s'", arg, v);
    d->opt.random_padding = true;
    d->opt.padding_seed = (uint64_t)n;
}

static void output_call(struct driver *d, const struct option *o, const char *arg, const char *v)
{
    static const char *const hashes[] = { "both", "sysv", "gnu", NULL };
    static const char *const sorts[] = { "none", "name", "alignment", NULL };
    static const char *const methods[] = { "none", "zlib", "zstd", NULL };
    static const char *const orphans[] = { "place", "warn", "error", NULL };
    uint64_t n;
    switch (o->a) {
    case CALL_HASH_STYLE: driver_choose(d, v, hashes, &d->opt.hash, "unknown --hash-style"); break;
    case CALL_SORT_SECTION: driver_choose(d, v, sorts, &d->opt.sort_section, "unknown --sort-section rule"); break;
    case CALL_ORPHANS: driver_choose(d, v, orphans, &d->opt.orphan_handling, "unknown --orphan-handling mode"); break;
    case CALL_COMPRESS_SECTIONS: driver_compress_sections(d, v); break;
    case CALL_PACKAGE: driver_package_metadata(d, v); break;
    case CALL_WHY_LIVE: driver_why_live(d, v); break;
    case CALL_BACKREFS: driver_exclude_backrefs(d, v); break;
    case CALL_SHUFFLE: driver_shuffle(d, v); break;
    case CALL_THINLTO: driver_thinlto(d, o->name, driver_print(d, "--%s=", o->name), v); break;
    case CALL_PADDING: section_padding(d, arg, v); break;
    case CALL_COMPRESS:
        driver_choose(d, v, methods, &d->opt.compress_debug, "unknown --compress-debug-sections value");
        break;
    case CALL_OPTIMIZE:
        if (!v || !driver_number(v, 10, &n))
            driver_error(d, "%s: number expected, but got '%s'", arg, v ? v : "");
        else
            d->opt.merge = n == 0 ? CODEOBJ_MERGE_NONE : n == 1 ? CODEOBJ_MERGE_DEFAULT : CODEOBJ_MERGE_TAILS;
        break;
    case CALL_IMAGE_BASE:
        if (!driver_number(v, 0, &n))
            driver_error(d, "--image-base: number expected, but got %s", v);
        else {
            d->image_base = v;
            d->opt.image_base = n;
            d->opt.has_image_base = true;
        }
        break;
    case CALL_SECTION_START: {
        const char *eq = strrchr(v, '=');
        if (!eq)
            driver_error(d, "invalid argument: %s", as_written(d, arg, v));
        else
            section_address(d, driver_strndup(d, v, (size_t)(eq - v)), eq + 1, as_written(d, arg, v));
        break;
    }
    case CALL_TEXT: section_address(d, ".text", v, as_written(d, arg, v)); break;
    case CALL_DATA: section_address(d, ".data", v, as_written(d, arg, v)); break;
    case CALL_BSS: section_address(d, ".bss", v, as_written(d, arg, v)); break;
    case CALL_OFORMAT:
        if (!strcmp(v, "binary"))
            d->opt.flags |= CODEOBJ_LINK_BINARY;
        else if (strncmp(v, "elf", 3))
            driver_error(d, "unknown --oformat value: %s", v);
        break;
    case CALL_PACK:
        if (!strcmp(v, "none") || !strcmp(v, "relr") || !strcmp(v, "android") || !strcmp(v, "android+relr"))
            d->opt.flags = (d->opt.flags & ~(CODEOBJ_LINK_PACK_RELR | CODEOBJ_LINK_PACK_ANDROID)) |
                           (strstr(v, "relr") ? CODEOBJ_LINK_PACK_RELR : 0) |
                           (v[0] == 'a' ? CODEOBJ_LINK_PACK_ANDROID : 0);
        else
            driver_error(d, "unknown --pack-dyn-relocs format: %s", v);
        break;
    case CALL_DEFSYM:
        *DPUSH(d, d->defsym) = v;
        *DPUSH(d, d->defsym_places) = d->linker_scripts.count;
        break;
    case CALL_RPATH:
        d->opt.rpath = d->opt.rpath ? driver_print(d, "%s:%s", d->opt.rpath, v) : v;
        break;
    case CALL_STRIP: d->opt.strip = d->opt.strip == CODEOBJ_STRIP_ALL ? d->opt.strip : (uint8_t)o->b; break;
    default: break;
    }
}

static void linker_script(struct driver *d, const char *path)
{
    size_t size;
    const char *found = driver_find_script(d, path);
    if (found)
        driver_log(d, driver_remapped(d, found));
    const char *text = found ? driver_read_text(d, found, &size) : NULL;
    if (text)
        driver_read_script(d, found, text, size);
    else
        driver_error(d, "cannot find linker script %s", path);
}

static void file_call(struct driver *d, const struct option *o, const char *v)
{
    struct codeobj_link_text t;
    switch (o->a) {
    case CALL_VERSION_SCRIPT:
        add_text(d, v, true, &t);
        *DPUSH(d, d->version_scripts) = t;
        break;
    case CALL_DYNAMIC_LIST:
        add_text(d, v, false, &t);
        *DPUSH(d, d->dynamic_lists) = t;
        break;
    case CALL_EXPORT_LIST:
        add_text(d, v, false, &t);
        *DPUSH(d, d->export_lists) = t;
        break;
    case CALL_SYMBOL_ORDER:
        add_text(d, v, false, &t);
        d->orderings.count = 0; /* the last one counts */
        *DPUSH(d, d->orderings) = t;
        break;
    case CALL_RETAIN: retain_file(d, v); break;
    case CALL_SCRIPT:
        d->scripts_read = true;
        linker_script(d, v);
        break;
    case CALL_LIBRARY: driver_add_library(d, v); break;
    case CALL_JUST_SYMBOLS: driver_add_just_symbols(d, v); break;
    default: break;
    }
}

/* arg: the option as it is written. */
static void call(struct driver *d, const struct option *o, const char *arg, const char *v)
{
    static const char *const machines[] = { "ARM targets", "AArch64", "PowerPC64 targets", "RISC-V targets", "AArch64 targets" };
    uint64_t n;
    switch (o->a) {
    case CALL_SHARED: d->want_shared = true; break;
    case CALL_PIE: d->want_pie = true; break;
    case CALL_NO_PIE: d->want_pie = false; break;
    case CALL_RELOCATABLE: d->want_relocatable = true; break;
    case CALL_Z: z_option(d, v); break;
    case CALL_BUILD_ID: build_id(d, v); break;
    case CALL_STATE: state(d, o); break;
    case CALL_EMULATION:
        if (strcmp(v, "elf64_amdgpu"))
            driver_error(d, "unknown emulation: %s", v);
        d->opt.osabi = 64; /* ELFOSABI_AMDGPU_HSA */
        d->emulation = v;
        break;
    case CALL_ERROR_LIMIT:
        if (v[0] == '-' && driver_number(v + 1, 10, &n))
            d->error_limit = 0; /* as ld.lld has it */
        else if (!driver_number(v, 10, &n))
            driver_error(d, "%s: number expected, but got '%s'", arg, v);
        else
            d->error_limit = n > 0xffffffffu ? 0 : (unsigned long)n;
        break;
    case CALL_UNRESOLVED: unresolved(d, o, v); break;
    case CALL_PLUGIN_OPT: plugin_option(d, driver_print(d, "%.*s", (int)strcspn(arg, "="), arg), v); break;
    case CALL_MAP:
        d->opt.flags |= CODEOBJ_LINK_MAP;
        d->map_file = v;
        break;
    case CALL_REPRODUCE: driver_error(d, "--reproduce is not supported: keep the inputs and the command line"); break;
    case CALL_NO_CALL_GRAPH: d->call_graph_sort = "none"; break;
    case CALL_CHECKED: checked(d, o->name, v); break;
    case CALL_OTHER_MACHINE: driver_error(d, "--%s is only supported on %s", o->name, machines[o->b]); break;
    case CALL_INPUT_FORMAT:
        d->binary_inputs = !strcmp(v, "binary");
        if (!d->binary_inputs && strcmp(v, "elf") && strcmp(v, "default"))
            driver_error(d, "unknown --format value: %s (supported formats: elf, default, binary)", v);
        break;
    case CALL_DEMANGLE: d->no_demangle = !o->b; break;
    case CALL_THREADS:
        if (!driver_number(v, 10, &n) || !n)
            driver_error(d, "--threads: expected a positive integer, but got '%s'", v);
        check_jobs(d, v);
        d->opt.threads = n < 1024 ? (uint32_t)n : 1024;
        break;
    case CALL_LTO: lto_level(d, o->b ? "--lto-CGO" : "--lto-O", v ? v : "", o->b); break;
    case CALL_LTO_EMIT: d->lto_emit = (uint8_t)o->b; break;
    case CALL_SAVE_TEMPS: d->save_temps = true; break;
    case CALL_PRINT_GC:
        d->opt.flags |= CODEOBJ_LINK_PRINT_GC;
        d->print_gc_file = v;
        break;
    case CALL_FORMAT:
        if (!o->b && v && strcmp(v, "auto") && strcmp(v, "always") && strcmp(v, "never"))
            driver_error(d, "unknown option: --color-diagnostics=%s", v);
        break;
    default:
        output_call(d, o, arg, v);
        file_call(d, o, v);
    }
}

/* ---- one option --------------------------------------------------------------------------- */

struct list {
    const char **items;
    size_t count, cap;
};

static void apply(struct driver *d, const struct option *o, const char *arg, const char *v)
{
    switch (o->action) {
    case ACT_FLAG: d->opt.flags |= 1ull << o->a; break;
    case ACT_UNFLAG: d->opt.flags &= ~(1ull << o->a); break;
    case ACT_BYTE: *((uint8_t *)&d->opt + o->a) = (uint8_t)o->b; break;
    case ACT_STRING: memcpy((char *)&d->opt + o->a, &v, sizeof v); break;
    case ACT_DRIVER_STRING: memcpy((char *)d + o->a, &v, sizeof v); break;
    case ACT_DRIVER_BOOL: *((bool *)d + o->a) = o->b != 0; break;
    case ACT_LIST: {
        void *place = (char *)d + o->a;
        struct list *l = place; /* every list of strings in struct driver has this shape */
        *DPUSH(d, *l) = v;
        break;
    }
    case ACT_CALL: call(d, o, arg, v); break;
    default: break;
    }
}

/* What the line says is heard in this order: what is no option at all, what holds for the whole line, inputs with what
 * holds from where it stands. */
enum phase { SPELLING, SETTINGS, INPUTS };

static enum phase phase_of(const struct option *o)
{
    static const uint8_t inputs[] = { CALL_STATE, CALL_LIBRARY, CALL_SCRIPT, CALL_JUST_SYMBOLS, CALL_INPUT_FORMAT, CALL_DEFSYM };
    return o->action == ACT_CALL && memchr(inputs, (int)o->a, sizeof inputs) ? INPUTS : SETTINGS;
}

/* Handles args[*i]; moves *i past a separate value. */
static void one_option(struct driver *d, const args_list *args, size_t *i, enum phase phase)
{
    const char *arg = args->items[*i];
    bool two = arg[1] == '-';
    const char *name = arg + 1 + two, *value = NULL;
    size_t len = strcspn(name, "=");
    const struct option *o = NULL;
    if (two || name[0] != 'o')
        o = option_find(name, strlen(name), two); /* --icf=all is a name */
    if (!o && (two || name[0] != 'o'))
        o = option_find(name, len, two);
    if (o && name[len] == '=' && !o->name[len])
        value = name + len + 1;
    if (o && (o->arg == ARG_ADJOINED || (o->arg == ARG_NONE || o->arg == ARG_SEPARATE ? value != NULL : o->arg == ARG_JOINED && !value)))
        o = NULL;
    if (o && o->two == 3 && value && !two)
        o = NULL;
    if (!o && two)
        o = option_adjoined(name, &value);
    if (!o && !two && (o = option_short(name[0]))) {
        if ((o->arg == ARG_NONE || o->arg == ARG_SEPARATE) && name[1])
            o = NULL;
        else if (name[1])
            value = name + 1;
    }
    if (!o) {
        if (phase == SPELLING)
            unknown(d, arg);
        return;
    }
    if (!value && (o->arg == ARG_VALUE || o->arg == ARG_SEPARATE)) {
        if (*i + 1 >= args->count) {
            if (phase == SPELLING)
                driver_error(d, "%s: missing argument", arg);
            return;
        }
        value = args->items[++*i];
    }
    if (phase_of(o) == phase)
        apply(d, o, arg, value);
}

/* All arguments in one of the phases; is there an input among them? */
static bool read_arguments(struct driver *d, const args_list *args, size_t first, enum phase phase,
                           const struct ahead_file *ahead)
{
    bool files = false;
    for (size_t i = first; i < args->count; i++) {
        const char *a = args->items[i];
        if (a[0] == '-' && a[1]) {
            one_option(d, args, &i, phase);
            continue;
        }
        files = true;
        if (phase != INPUTS)
            continue;
        d->ahead = ahead ? &ahead[i] : NULL;
        driver_add_file(d, a);
        d->ahead = NULL;
    }
    return files;
}

/* What excludes each other, and what kind of output that leaves. */
static void decide_kind(struct driver *d)
{
    uint64_t flags = d->opt.flags;
    if (d->pack_relative) /* which beats --pack-dyn-relocs */
        d->opt.flags = (d->opt.flags & ~CODEOBJ_LINK_PACK_ANDROID) | CODEOBJ_LINK_PACK_RELR;
    if ((flags & CODEOBJ_LINK_NO_SECTION_HEADERS) && !d->want_relocatable)
        d->opt.strip = CODEOBJ_STRIP_ALL;
    const struct {
        bool a, b;
        const char *text;
    } pairs[] = {
        { d->want_shared, d->want_pie, "-shared and -pie" },
        { d->want_relocatable, d->want_shared, "-r and -shared" },
        { d->want_relocatable, d->want_pie, "-r and -pie" },
        { d->want_relocatable, d->opt.icf, "-r and --icf" },
        { d->want_relocatable, d->want_shared || (flags & CODEOBJ_LINK_EXPORT_DYNAMIC), "-r and --export-dynamic" },
        { d->want_relocatable, flags & CODEOBJ_LINK_NO_SECTION_HEADERS, "-r and -z nosectionheader" },
        { d->opt.strip == CODEOBJ_STRIP_ALL && !d->want_relocatable, flags & CODEOBJ_LINK_EMIT_RELOCS, "--strip-all and --emit-relocs" },
    };
    if (d->call_graph && d->orderings.count)
        driver_error(d, "--symbol-ordering-file and --call-graph-order-file may not be used together");
    if (!d->want_shared && d->filters.count)
        driver_error(d, "-F may not be used without -shared");
    if (!d->want_shared && d->auxiliaries.count)
        driver_error(d, "-f may not be used without -shared");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].a && pairs[i].b)
            driver_error(d, "%s may not be used together", pairs[i].text);
    if (flags & (CODEOBJ_LINK_NMAGIC | CODEOBJ_LINK_OMAGIC)) {
        if (d->opt.max_page_size)
            driver_warn(d, "-z max-page-size set, but paging disabled by omagic or nmagic");
        if (d->opt.common_page_size)
            driver_warn(d, "-z common-page-size set, but paging disabled by omagic or nmagic");
    }
    if (d->image_base && !(flags & (CODEOBJ_LINK_NMAGIC | CODEOBJ_LINK_OMAGIC)) &&
        d->opt.image_base % (d->opt.max_page_size ? d->opt.max_page_size : 4096))
        driver_warn(d, "--image-base: address isn't multiple of page size: %s", d->image_base);
    d->opt.kind = d->want_relocatable ? CODEOBJ_LINK_RELOCATABLE
                  : d->want_shared    ? CODEOBJ_LINK_SHARED
                  : d->want_pie       ? CODEOBJ_LINK_PIE
                                      : CODEOBJ_LINK_EXEC;
}

const char *driver_early_value(const char *arg, const char *after, char letter, const char *long_name)
{
    size_t n = strlen(long_name);
    if (arg[0] != '-')
        return NULL;
    if (letter && arg[1] == letter && strncmp(arg + 1, long_name, n))
        return arg[2] ? arg + 2 : after;
    arg += 1 + (arg[1] == '-');
    if (strncmp(arg, long_name, n) || (arg[n] && arg[n] != '='))
        return NULL;
    return arg[n] ? arg + n + 1 : after;
}

/* What holds for the whole line wherever it stands: how messages look (before
 * the first of them), where libraries are searched, and whether this program does the link. */
static void early_option(struct driver *d, const char *arg, const char *after)
{
    const char *name = arg[0] == '-' ? arg + 1 + (arg[1] == '-') : "", *value;
    if ((value = driver_early_value(arg, after, 'L', "library-path")))
        *DPUSH(d, d->library_paths) = value;
    else if ((value = driver_early_value(arg, after, 0, "sysroot")))
        d->sysroot = value;
    else if (!strncmp(arg, "--", 2) && (value = driver_early_value(arg, after, 0, "remap-inputs"))) /* no other spelling */
        driver_remap(d, value);
    else if ((value = driver_early_value(arg, after, 0, "exclude-libs")))
        split_list(d, value);
    else if ((value = driver_early_value(arg, after, 0, "compress-debug-sections")))
        d->wants_zstd |= !strcmp(value, "zstd");
    else if ((value = driver_early_value(arg, after, 0, "compress-sections")))
        d->wants_zstd |= strstr(value, "=zstd") != NULL;
    else if ((value = driver_early_value(arg, after, 0, "threads")) && value[0] == '1' && !value[1])
        d->opt.threads = 1;
    d->big_endian |= !strcmp(name, "EB");
    d->little_endian |= !strcmp(name, "EL");
    if (!strcmp(arg, "-w") || !strcmp(name, "no-warnings"))
        d->warnings_off = true;
    else if (!strcmp(name, "fatal-warnings"))
        d->warnings_fatal = true;
    else if (!strcmp(name, "no-fatal-warnings"))
        d->warnings_fatal = false;
    else if (!strncmp(arg, "--color-diagnostics", 19))
        d->color = !arg[19] || !strcmp(arg + 19, "=always") || (d->color && strcmp(arg + 19, "=never"));
    else if (!strcmp(arg, "--no-color-diagnostics"))
        d->color = false;
    else if (!strcmp(arg, "--vs-diagnostics"))
        d->vs_diagnostics = true;
    else if (arg[0] == '-' && !strcmp(name, "verbose"))
        d->verbose = true;
}

/* --Map= and the like, without a name, are as if they were not there. */
static void forget_empty(struct driver *d)
{
    const char **const names[] = { &d->map_file, &d->dependency_file, &d->why_extract, &d->print_gc_file, &d->archive_stats, &d->print_order };
    if (d->map_file && !*d->map_file)
        d->opt.flags &= ~CODEOBJ_LINK_MAP;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*names[i] && !**names[i])
            *names[i] = NULL;
    if (!*d->output)
        d->output = "a.out";
}

/* --help, --version and -v; true: that is all. */
static bool says_who(struct driver *d, bool files)
{
    if (d->help) {
        printf("usage: %s [option...] file...\n\nLinks AMDGPU objects.\n\n", d->program);
        option_help();
        printf("\n%s: supported targets: elf64_amdgpu\n%s: supported emulations: elf64_amdgpu\n", d->program, d->program);
        return true;
    }
    if (d->version || d->show_version)
        printf("%s (compatible with GNU linkers)\n", driver_version(d));
    return d->version || (d->show_version && !files);
}

bool driver_parse(struct driver *d, int argc, char **argv)
{
    args_list args = { 0 };
    read_quoting(d, argc, argv);
    for (int i = 1; i < argc; i++)
        expand(d, &args, argv[i], NULL);
    if (d->responses == RESPONSES_FAILED)
        return false;
    size_t first = 0;
    if (args.count && (!strcmp(args.items[0], "-flavor") || !strcmp(args.items[0], "--flavor"))) {
        if (args.count < 2 || (strcmp(args.items[1], "gnu") && strcmp(args.items[1], "ld") && strcmp(args.items[1], "ld.lld"))) {
            driver_error(d, "-flavor: only gnu is known");
            return false;
        }
        first = 2;
    }
    d->color = isatty(2);
    for (size_t i = first; i < args.count; i++)
        early_option(d, args.items[i], i + 1 < args.count ? args.items[i + 1] : NULL);
    if (d->wants_zstd && !d->error_count && !driver_hand_over(d, argv)) /* before any input is read: it may be a pipe */
        return false;
    for (size_t i = first; i < args.count; i++) /* behind the rules of the line itself, which apply to these files too */
        if (!strncmp(args.items[i], "--remap-inputs-file=", 20))
            driver_remap_file(d, args.items[i] + 20);
    read_arguments(d, &args, first, SPELLING, NULL);
    driver_log_lists(d, args.items + first, args.count - first);
    bool files = read_arguments(d, &args, first, SETTINGS, NULL);
    if (says_who(d, files))
        return false;
    for (size_t i = 0; i < d->unknown_z.count; i++)
        driver_warn(d, "unknown -z value: %s", d->unknown_z.items[i]);
    const struct ahead_file *ahead = driver_read_ahead(d, args.items, args.count);
    read_arguments(d, &args, first, INPUTS, ahead);
    forget_empty(d);
    driver_check_thinlto(d);
    if (d->default_script && !d->scripts_read)
        linker_script(d, d->default_script);
    driver_call_graph(d);
    decide_kind(d);
    if (d->why_extract)
        d->opt.flags |= CODEOBJ_LINK_WHY_EXTRACT;
    if (d->archive_stats)
        d->opt.flags |= CODEOBJ_LINK_ARCHIVE_STATS;
    if (d->lto_emit) /* what of the bitcode is needed, and no more */
        d->opt.flags |= CODEOBJ_LINK_RESOLVE_ONLY;
    if (!d->inputs.count && !files && !d->error_count)
        driver_error(d, "no input files");
    return d->error_count == 0;
}

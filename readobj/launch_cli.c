/* SPDX-License-Identifier: MIT
 *
 * readobj/launch_cli.c - --run=KERNEL with --grid, --workgroup, --arg.
 */
#include "launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool wrong(struct ro *ro, const char *option, const char *arg, const char *problem)
{
    ro_error(ro, "--%s=%s: %s", option, arg, problem);
    return false;
}

/* One to three numbers with commas; the rest is 1.  Returns how many, 0 when wrong. */
static unsigned extent(const char *s, uint32_t out[3])
{
    unsigned n = 0;
    out[0] = out[1] = out[2] = 1;
    for (;; s++) {
        char *end;
        unsigned long long v = *s >= '0' && *s <= '9' ? strtoull(s, &end, 0) : 0;
        if (n == 3 || v == 0 || v > UINT32_MAX)
            return 0;
        out[n++] = (uint32_t)v;
        s = end;
        if (*s != ',')
            return *s ? 0 : n;
    }
}

static bool size_number(const char *s, size_t len, uint64_t *out)
{
    char text[32], *end;
    if (len == 0 || len >= sizeof text || *s < '0' || *s > '9')
        return false;
    memcpy(text, s, len);
    text[len] = 0;
    *out = strtoull(text, &end, 0);
    return !*end;
}

/* SIZE[:FILE[:SAVE]] */
static const char *buffer(struct launch_arg *a, const char *s)
{
    size_t n = strcspn(s, ":");
    if (!size_number(s, n, &a->size) || a->size == 0 || a->size > (uint64_t)1 << 40)
        return "the size of the buffer is not a number above 0";
    if (!s[n])
        return NULL;
    s += n + 1;
    n = strcspn(s, ":");
    if (s[n] && s[n + 1] && !(a->save = strdup(s + n + 1)))
        return "out of memory";
    char *path = strndup(s, n);
    if (!path)
        return "out of memory";
    const char *bad = n ? launch_read_file(path, &a->bytes) : NULL;
    free(path);
    if (a->bytes.size > a->size)
        a->bytes.size = (size_t)a->size;
    return bad;
}

static const char *values(struct launch_arg *a, enum launch_type type, const char *s)
{
    a->kind = ARG_VALUE;
    for (;;) {
        char text[64];
        size_t n = strcspn(s, ",");
        if (n >= sizeof text)
            return "the number is too long";
        memcpy(text, s, n);
        text[n] = 0;
        const char *bad = launch_append(&a->bytes, type, text);
        if (bad)
            return bad;
        if (!s[n])
            return NULL;
        s += n + 1;
    }
}

static bool argument(struct ro *ro, struct launch *launch, const char *text)
{
    struct launch_arg *a = launch_add_arg(launch);
    size_t n = strcspn(text, ":");
    char kind[16] = "";
    if (!a)
        return wrong(ro, "arg", text, "out of memory");
    if (n < sizeof kind && text[n]) {
        memcpy(kind, text, n);
        kind[n] = 0;
    }
    const char *rest = text[n] ? text + n + 1 : "", *bad;
    enum launch_type type = launch_type_by_name(kind);
    if (strcmp(kind, "buffer") == 0) {
        bad = buffer(a, rest);
    } else if (strcmp(kind, "bytes") == 0) {
        a->kind = ARG_VALUE;
        bad = launch_parse_hex(rest, &a->bytes);
    } else if (strcmp(kind, "local") == 0) {
        a->kind = ARG_LOCAL;
        bad = size_number(rest, strlen(rest), &a->size) && a->size <= UINT32_MAX ? NULL : "the size is not a number";
    } else if (type < TYPE_COUNT) {
        bad = values(a, type, rest);
    } else {
        bad = "expected buffer:SIZE[:FILE[:SAVE]], bytes:HEX, local:SIZE or TYPE:VALUE with a type of " LAUNCH_TYPE_NAMES;
    }
    if (!bad && a->kind == ARG_VALUE && a->bytes.size == 0)
        bad = "is empty";
    return bad ? wrong(ro, "arg", text, bad) : true;
}

bool launch_from_options(struct ro *ro, struct launch *out)
{
    const struct ro_options *opt = ro->opt;
    if (opt->files.count != 1) {
        ro_error(ro, "--run takes one file, %zu given", opt->files.count);
        return false;
    }
    out->kernel = strdup(opt->mode_arg);
    out->code_object = strdup(opt->files.items[0]);
    if (!out->kernel || !out->code_object) {
        ro_error(ro, "out of memory");
        return false;
    }
    if (!opt->grid || !opt->workgroup) {
        ro_error(ro, "--run needs --grid and --workgroup");
        return false;
    }
    out->dims = extent(opt->grid, out->grid);
    if (!out->dims)
        return wrong(ro, "grid", opt->grid, "expected one to three numbers above 0 with commas between");
    unsigned dims = extent(opt->workgroup, out->workgroup);
    if (!dims)
        return wrong(ro, "workgroup", opt->workgroup, "expected one to three numbers above 0 with commas between");
    if (dims > out->dims)
        out->dims = dims;
    if (opt->dynamic_lds > UINT32_MAX) {
        ro_error(ro, "--dynamic-lds: %" PRIu64 " is too large", opt->dynamic_lds);
        return false;
    }
    out->dynamic_lds = (uint32_t)opt->dynamic_lds;
    for (size_t i = 0; i < opt->args.count; i++)
        if (!argument(ro, out, opt->args.items[i]))
            return false;
    return true;
}

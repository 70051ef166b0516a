/* SPDX-License-Identifier: MIT
 *
 * readobj/launch_yaml.c - the launch file, amdreadobj-launch(5).
 *
 * libyaml gives a tree of nodes with their places; each key is looked up in the
 * table of the map it stands in, so that an unknown, doubled or missing key and
 * a value of the wrong kind are all reported as FILE:LINE:COLUMN: ...
 */
#include "launch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct reader {
    struct ro *ro;
    const char *path;
    yaml_document_t doc;
    struct launch *launch;
    struct launch_arg *arg; /* the one being read */
};

static bool wrong(struct reader *r, const yaml_node_t *at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool wrong(struct reader *r, const yaml_node_t *at, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    ro_error(r->ro, "%s:%zu:%zu: %s", r->path, at->start_mark.line + 1, at->start_mark.column + 1, text);
    return false;
}

static const yaml_node_t *node(struct reader *r, int index)
{
    return yaml_document_get_node(&r->doc, index);
}

/* ---- scalars ---- */

/* NULL (and a message) when n is no scalar or holds a NUL. */
static const char *scalar(struct reader *r, const yaml_node_t *n, const char *what)
{
    if (n->type != YAML_SCALAR_NODE) {
        wrong(r, n, "%s: expected a single value", what);
        return NULL;
    }
    const char *s = (const char *)n->data.scalar.value;
    if (strlen(s) != n->data.scalar.length) {
        wrong(r, n, "%s: holds a NUL character", what);
        return NULL;
    }
    return s;
}

static bool number(struct reader *r, const yaml_node_t *n, const char *what, uint64_t most, uint64_t *out)
{
    uint8_t bytes[8];
    const char *s = scalar(r, n, what);
    if (!s)
        return false;
    const char *bad = launch_type_parse(TYPE_U64, s, bytes);
    if (bad)
        return wrong(r, n, "%s: '%s' is %s", what, s, bad);
    uint64_t v = 0;
    for (unsigned i = 8; i-- > 0;)
        v = v << 8 | bytes[i];
    if (v > most)
        return wrong(r, n, "%s: %" PRIu64 " is more than %" PRIu64, what, v, most);
    *out = v;
    return true;
}

static bool real(struct reader *r, const yaml_node_t *n, const char *what, double *out)
{
    const char *s = scalar(r, n, what);
    if (!s)
        return false;
    char *end;
    double v = strtod(s, &end);
    if (end == s || *end || !(v >= 0))
        return wrong(r, n, "%s: '%s' is not a number of 0 or more", what, s);
    *out = v;
    return true;
}

static bool string(struct reader *r, const yaml_node_t *n, const char *what, char **out)
{
    const char *s = scalar(r, n, what);
    if (!s)
        return false;
    if (!*s)
        return wrong(r, n, "%s: is empty", what);
    free(*out);
    *out = strdup(s);
    return *out ? true : wrong(r, n, "out of memory");
}

/* A path, relative to the launch file's folder. */
static bool path(struct reader *r, const yaml_node_t *n, const char *what, char **out)
{
    const char *s = scalar(r, n, what);
    if (!s)
        return false;
    if (!*s)
        return wrong(r, n, "%s: is empty", what);
    const char *slash = strrchr(r->path, '/');
    size_t folder = s[0] != '/' && slash ? (size_t)(slash - r->path) + 1 : 0;
    char *p = malloc(folder + strlen(s) + 1);
    if (!p)
        return wrong(r, n, "out of memory");
    memcpy(p, r->path, folder);
    strcpy(p + folder, s);
    free(*out);
    *out = p;
    return true;
}

static bool type(struct reader *r, const yaml_node_t *n, const char *what, enum launch_type *out)
{
    const char *s = scalar(r, n, what);
    if (!s)
        return false;
    *out = launch_type_by_name(s);
    return *out < TYPE_COUNT ? true : wrong(r, n, "%s: unknown type '%s', expected one of " LAUNCH_TYPE_NAMES, what, s);
}

/* A number or a list of them. */
static bool data(struct reader *r, const yaml_node_t *n, enum launch_type t, struct launch_bytes *out)
{
    const yaml_node_item_t *item = NULL, *end = NULL;
    if (n->type == YAML_SEQUENCE_NODE) {
        item = n->data.sequence.items.start;
        end = n->data.sequence.items.top;
    }
    const yaml_node_t *element = n;
    do {
        if (n->type == YAML_SEQUENCE_NODE) {
            if (item == end)
                break;
            element = node(r, *item++);
        }
        const char *s = scalar(r, element, "data");
        if (!s)
            return false;
        const char *bad = launch_append(out, t, s);
        if (bad)
            return wrong(r, element, "data: '%s' is %s (type %s)", s, bad, launch_type_name(t));
    } while (item != end);
    return true;
}

static bool file(struct reader *r, const yaml_node_t *n, const char *what, struct launch_bytes *out)
{
    char *p = NULL;
    if (!path(r, n, what, &p))
        return false;
    const char *bad = launch_read_file(p, out);
    if (bad)
        wrong(r, n, "%s: cannot read '%s': %s", what, p, bad);
    free(p);
    return !bad;
}

/* ---- maps ---- */

enum { MAX_KEYS = 10 };

/* Finds the values of the keys in names (NULL-terminated) among n's pairs. */
static bool keys(struct reader *r, const yaml_node_t *n, const char *what, const char *const *names,
                 const yaml_node_t *values[MAX_KEYS])
{
    memset(values, 0, MAX_KEYS * sizeof *values);
    if (n->type != YAML_MAPPING_NODE)
        return wrong(r, n, "%s: expected a map of keys and values", what);
    for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
        const yaml_node_t *key = node(r, p->key);
        const char *s = scalar(r, key, "key");
        if (!s)
            return false;
        size_t k = 0;
        while (names[k] && strcmp(names[k], s) != 0)
            k++;
        if (!names[k]) {
            char list[256] = "";
            for (size_t i = 0; names[i]; i++)
                snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
            return wrong(r, key, "unknown key '%s' in %s, expected %s", s, what, list);
        }
        if (values[k])
            return wrong(r, key, "key '%s' is given twice", s);
        values[k] = node(r, p->value);
    }
    return true;
}

/* One to three numbers; the rest is 1. */
static bool extent(struct reader *r, const yaml_node_t *n, const char *what, uint32_t out[3], unsigned *dims)
{
    const yaml_node_item_t *item = NULL;
    size_t count = 1;
    if (n->type == YAML_SEQUENCE_NODE) {
        item = n->data.sequence.items.start;
        count = (size_t)(n->data.sequence.items.top - item);
    }
    if (count < 1 || count > 3)
        return wrong(r, n, "%s: %zu numbers, expected one to three", what, count);
    out[0] = out[1] = out[2] = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t v;
        const yaml_node_t *element = item ? node(r, item[i]) : n;
        if (!number(r, element, what, UINT32_MAX, &v))
            return false;
        if (v == 0)
            return wrong(r, element, "%s: is 0", what);
        out[i] = (uint32_t)v;
    }
    *dims = (unsigned)count;
    return true;
}

static bool buffer(struct reader *r, const yaml_node_t *n)
{
    enum { SIZE, FILE_, FILL, TYPE, DATA };
    static const char *const names[] = { "size", "file", "fill", "type", "data", NULL };
    const yaml_node_t *v[MAX_KEYS];
    struct launch_arg *a = r->arg;
    uint64_t fill = 0;
    enum launch_type t;
    if (!keys(r, n, "buffer", names, v))
        return false;
    if (v[FILE_] && v[DATA])
        return wrong(r, v[DATA], "buffer: file and data do not go together");
    if ((v[DATA] != NULL) != (v[TYPE] != NULL))
        return wrong(r, n, "buffer: type and data go together");
    if (v[FILE_] && !file(r, v[FILE_], "file", &a->bytes))
        return false;
    if (v[DATA] && (!type(r, v[TYPE], "type", &t) || !data(r, v[DATA], t, &a->bytes)))
        return false;
    if (v[FILL] && !number(r, v[FILL], "fill", 255, &fill))
        return false;
    a->fill = (uint8_t)fill;
    a->size = a->bytes.size;
    if (v[SIZE] && !number(r, v[SIZE], "size", (uint64_t)1 << 40, &a->size))
        return false;
    if (!v[SIZE] && !v[FILE_] && !v[DATA])
        return wrong(r, n, "buffer: needs size, file or data");
    if (a->size < a->bytes.size && v[DATA])
        return wrong(r, v[SIZE], "size: %" PRIu64 " is less than the %zu bytes of data", a->size, a->bytes.size);
    if (a->size < a->bytes.size)
        a->bytes.size = (size_t)a->size; /* a file may be longer: its first bytes are used */
    if (a->size == 0)
        return wrong(r, v[SIZE] ? v[SIZE] : n, "buffer: is empty");
    return true;
}

static bool value(struct reader *r, const yaml_node_t *n)
{
    static const char *const names[] = { "type", "data", NULL };
    const yaml_node_t *v[MAX_KEYS];
    enum launch_type t;
    r->arg->kind = ARG_VALUE;
    if (!keys(r, n, "value", names, v))
        return false;
    if (!v[0] || !v[1])
        return wrong(r, n, "value: needs type and data");
    if (!type(r, v[0], "type", &t) || !data(r, v[1], t, &r->arg->bytes))
        return false;
    return r->arg->bytes.size ? true : wrong(r, v[1], "data: is empty");
}

static bool bytes(struct reader *r, const yaml_node_t *n)
{
    const char *s = scalar(r, n, "bytes");
    r->arg->kind = ARG_VALUE;
    if (!s)
        return false;
    const char *bad = launch_parse_hex(s, &r->arg->bytes);
    if (bad)
        return wrong(r, n, "bytes: '%.40s' is %s", s, bad);
    return r->arg->bytes.size ? true : wrong(r, n, "bytes: is empty");
}

static bool expect(struct reader *r, const yaml_node_t *n)
{
    enum { FILE_, DATA, TYPE, ULP, ABS, REL };
    static const char *const names[] = { "file", "data", "type", "ulp", "abs", "rel", NULL };
    const yaml_node_t *v[MAX_KEYS];
    struct launch_expect *e = &r->arg->expect;
    if (!keys(r, n, "expect", names, v))
        return false;
    if (!v[TYPE] || (v[FILE_] != NULL) == (v[DATA] != NULL))
        return wrong(r, n, "expect: needs type, and either file or data");
    if (!type(r, v[TYPE], "type", &e->type))
        return false;
    if (!(v[FILE_] ? file(r, v[FILE_], "file", &e->bytes) : data(r, v[DATA], e->type, &e->bytes)))
        return false;
    if (v[ULP] && !number(r, v[ULP], "ulp", UINT32_MAX, &e->ulp))
        return false;
    if ((v[ABS] && !real(r, v[ABS], "abs", &e->abs)) || (v[REL] && !real(r, v[REL], "rel", &e->rel)))
        return false;
    e->present = true;
    e->has_ulp = v[ULP];
    e->has_abs = v[ABS];
    e->has_rel = v[REL];
    if (e->bytes.size == 0 || e->bytes.size % launch_type_size(e->type))
        return wrong(r, n, "expect: %zu bytes are not whole elements of type %s", e->bytes.size,
                     launch_type_name(e->type));
    if (e->bytes.size > r->arg->size)
        return wrong(r, n, "expect: %zu bytes are more than the buffer's %" PRIu64, e->bytes.size, r->arg->size);
    return true;
}

static bool argument(struct reader *r, const yaml_node_t *n)
{
    enum { BUFFER, VALUE, BYTES, LOCAL, SAVE, EXPECT };
    static const char *const names[] = { "buffer", "value", "bytes", "local", "save", "expect", NULL };
    const yaml_node_t *v[MAX_KEYS];
    if (!keys(r, n, "argument", names, v))
        return false;
    if (!!v[BUFFER] + !!v[VALUE] + !!v[BYTES] + !!v[LOCAL] != 1)
        return wrong(r, n, "argument: needs one of buffer, value, bytes, local");
    if (!v[BUFFER] && (v[SAVE] || v[EXPECT]))
        return wrong(r, v[SAVE] ? v[SAVE] : v[EXPECT], "save and expect are for buffers");
    r->arg = launch_add_arg(r->launch);
    if (!r->arg)
        return wrong(r, n, "out of memory");
    if (v[VALUE])
        return value(r, v[VALUE]);
    if (v[BYTES])
        return bytes(r, v[BYTES]);
    if (v[LOCAL]) {
        r->arg->kind = ARG_LOCAL;
        return number(r, v[LOCAL], "local", UINT32_MAX, &r->arg->size);
    }
    if (!buffer(r, v[BUFFER]))
        return false;
    return (!v[SAVE] || path(r, v[SAVE], "save", &r->arg->save)) && (!v[EXPECT] || expect(r, v[EXPECT]));
}

static bool root(struct reader *r, const yaml_node_t *n)
{
    enum { CODE_OBJECT, TARGET, KERNEL, GRID, WORKGROUP, DYNAMIC_LDS, ARGS };
    static const char *const names[] = { "code-object", "target", "kernel", "grid", "workgroup", "dynamic-lds", "args", NULL };
    const yaml_node_t *v[MAX_KEYS];
    struct launch *l = r->launch;
    unsigned workgroup_dims;
    uint64_t lds = 0;
    if (!keys(r, n, "launch file", names, v))
        return false;
    for (size_t k = CODE_OBJECT; k <= WORKGROUP; k++)
        if (!v[k] && k != TARGET)
            return wrong(r, n, "key '%s' is missing", names[k]);
    if (!path(r, v[CODE_OBJECT], names[CODE_OBJECT], &l->code_object) || !string(r, v[KERNEL], names[KERNEL], &l->kernel))
        return false;
    if (v[TARGET] && !string(r, v[TARGET], names[TARGET], &l->target))
        return false;
    if (!extent(r, v[GRID], names[GRID], l->grid, &l->dims) ||
        !extent(r, v[WORKGROUP], names[WORKGROUP], l->workgroup, &workgroup_dims))
        return false;
    if (workgroup_dims > l->dims)
        l->dims = workgroup_dims;
    if (v[DYNAMIC_LDS] && !number(r, v[DYNAMIC_LDS], names[DYNAMIC_LDS], UINT32_MAX, &lds))
        return false;
    l->dynamic_lds = (uint32_t)lds;
    if (!v[ARGS] || (v[ARGS]->type == YAML_SCALAR_NODE && v[ARGS]->data.scalar.length == 0))
        return true;
    if (v[ARGS]->type != YAML_SEQUENCE_NODE)
        return wrong(r, v[ARGS], "args: expected a list");
    const yaml_node_t *args = v[ARGS];
    for (const yaml_node_item_t *i = args->data.sequence.items.start; i < args->data.sequence.items.top; i++)
        if (!argument(r, node(r, *i)))
            return false;
    return true;
}

bool launch_from_yaml(struct ro *ro, const char *path_, struct launch *out)
{
    struct reader r = { .ro = ro, .path = path_, .launch = out };
    yaml_parser_t parser;
    FILE *f = fopen(path_, "rb");
    if (!f) {
        ro_error(ro, "%s: %s", path_, strerror(errno));
        return false;
    }
    if (!yaml_parser_initialize(&parser)) {
        fclose(f);
        ro_error(ro, "out of memory");
        return false;
    }
    yaml_parser_set_input_file(&parser, f);
    bool ok = yaml_parser_load(&parser, &r.doc);
    if (!ok) {
        ro_error(ro, "%s:%zu:%zu: %s", path_, parser.problem_mark.line + 1, parser.problem_mark.column + 1,
                 parser.problem ? parser.problem : "not YAML");
    } else {
        yaml_node_t *n = yaml_document_get_root_node(&r.doc);
        if (n) {
            ok = root(&r, n);
        } else {
            ro_error(ro, "%s:1:1: the file is empty", path_);
            ok = false;
        }
        yaml_document_delete(&r.doc);
    }
    yaml_parser_delete(&parser);
    fclose(f);
    return ok;
}

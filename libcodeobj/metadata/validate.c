/* SPDX-License-Identifier: MIT
 *
 * metadata/validate.c - missing, unknown and mistyped keys of a document.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend, Code Object Metadata: keys.def.
 *
 * The guide calls some keys boolean that LLVM writes as integers (for example
 * .workgroup_processor_mode); keys.def marks them FLAG and both are taken.
 */
#include <codeobj/metadata.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "metadata/metadata.h"

enum map_id {
    NONE, HSA3, KERNEL3, ARG3, HSA2, KERNEL2, ATTRS2, PROPS2, ARG2, PAL, PIPELINE, SHADERS, SHADER, STAGES, STAGE, FUNCTIONS, FUNCTION, COMPUTE, GRAPHICS, CACHE,
};
enum { STR, UINT, BOOL, FLAG, STRS, BIN, ANY, REGS, INTS2, INTS3, MAP_, MAPS_ };
enum { OPT, REQ };

struct key {
    uint8_t map, type, of, need; /* of: the map inside MAP_ and MAPS_ */
    const char *name, *values;
};

#define ANYKEY ""
#define INTS(n) INTS##n, NONE
#define MAP(id) MAP_, id
#define MAPS(id) MAPS_, id
static const struct key keys[] = {
#define KEY(map, key, type, need, values) KEY_(map, key, need, values, type, NONE)
#define KEY_(map, key, need, values, ...) KEY__(map, key, need, values, __VA_ARGS__)
#define KEY__(map, key, need, values, type, of, ...) /* of is NONE where type brings no map */ { map, type, of, need, key, values },
#include "metadata/keys.def"
#undef KEY
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

struct checker {
    codeobj_metadata_report report;
    void *user;
    char path[256];
    bool stop;
};

static void say(struct checker *c, enum codeobj_metadata_problem problem, const struct codeobj_value *value, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static void say(struct checker *c, enum codeobj_metadata_problem problem, const struct codeobj_value *value, const char *fmt, ...)
{
    struct codeobj_metadata_finding f = { .problem = problem, .path = c->path, .value = value };
    va_list ap;
    if (c->stop)
        return;
    va_start(ap, fmt);
    vsnprintf(f.text, sizeof f.text, fmt, ap);
    va_end(ap);
    c->stop = !c->report(c->user, &f);
}

/* Appends to the path; returns the old length, for leave(). */
static size_t enter(struct checker *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static size_t enter(struct checker *c, const char *fmt, ...)
{
    size_t n = strlen(c->path);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(c->path + n, sizeof c->path - n, fmt, ap);
    va_end(ap);
    return n;
}

static void leave(struct checker *c, size_t n) { c->path[n] = 0; }

static size_t enter_key(struct checker *c, const char *key)
{
    return enter(c, "%s%.100s", c->path[0] && key[0] != '.' ? "." : "", key);
}

static const char *kind_name(const struct codeobj_value *v)
{
    static const char *const names[] = { "nil", "a boolean", "an integer", "a negative integer", "a float", "a string", "binary", "an array", "a map" };
    return names[v->kind];
}

static void check_map(struct checker *c, const struct codeobj_value *map, enum map_id id);

static void expect(struct checker *c, const struct codeobj_value *v, bool good, const char *what)
{
    if (!good)
        say(c, CODEOBJ_METADATA_MISTYPED, v, "found %s, expected %s", kind_name(v), what);
}

static void check_word(struct checker *c, const struct codeobj_value *v, const char *words)
{
    char pattern[64];
    if (!words[0] || v->kind != CODEOBJ_VALUE_STRING)
        return;
    if (v->size + 3 <= sizeof pattern && !memchr(v->bytes, '|', v->size)) {
        snprintf(pattern, sizeof pattern, "|%s|", v->bytes);
        if (strstr(words, pattern))
            return;
    }
    say(c, CODEOBJ_METADATA_BAD_VALUE, v, "unknown value \"%.60s\"", v->bytes);
}

static void check_ints(struct checker *c, const struct codeobj_value *v, size_t count)
{
    bool good = v->kind == CODEOBJ_VALUE_ARRAY && v->size == count;
    for (size_t i = 0; good && i < count; i++)
        good = v->items[i].kind == CODEOBJ_VALUE_UINT;
    expect(c, v, good, count == 2 ? "an array of 2 integers" : "an array of 3 integers");
}

static void check_strings(struct checker *c, const struct codeobj_value *v, const char *words)
{
    expect(c, v, v->kind == CODEOBJ_VALUE_ARRAY, "an array of strings");
    for (size_t i = 0; v->kind == CODEOBJ_VALUE_ARRAY && i < v->size && !c->stop; i++) {
        size_t n = enter(c, "[%zu]", i);
        expect(c, &v->items[i], v->items[i].kind == CODEOBJ_VALUE_STRING, "a string");
        check_word(c, &v->items[i], words);
        leave(c, n);
    }
}

static void check_maps(struct checker *c, const struct codeobj_value *v, enum map_id of)
{
    expect(c, v, v->kind == CODEOBJ_VALUE_ARRAY, "an array of maps");
    for (size_t i = 0; v->kind == CODEOBJ_VALUE_ARRAY && i < v->size && !c->stop; i++) {
        size_t n = enter(c, "[%zu]", i);
        check_map(c, &v->items[i], of);
        leave(c, n);
    }
}

static void check_registers(struct checker *c, const struct codeobj_value *v)
{
    bool good = v->kind == CODEOBJ_VALUE_MAP;
    for (size_t i = 0; good && i < 2 * v->size; i++)
        good = v->items[i].kind == CODEOBJ_VALUE_UINT && v->items[i].uint <= UINT32_MAX;
    expect(c, v, good, "a map of 32-bit integers to 32-bit integers");
}

static void check_value(struct checker *c, const struct codeobj_value *v, const struct key *key)
{
    switch (key->type) {
    case STR:
        expect(c, v, v->kind == CODEOBJ_VALUE_STRING, "a string");
        check_word(c, v, key->values);
        break;
    case UINT: expect(c, v, v->kind == CODEOBJ_VALUE_UINT, "an integer"); break;
    case BOOL: expect(c, v, v->kind == CODEOBJ_VALUE_BOOL, "a boolean"); break;
    case FLAG: expect(c, v, v->kind == CODEOBJ_VALUE_BOOL || (v->kind == CODEOBJ_VALUE_UINT && v->uint <= 1), "a boolean, 0 or 1"); break;
    case BIN: expect(c, v, v->kind == CODEOBJ_VALUE_BINARY, "binary"); break;
    case STRS: check_strings(c, v, key->values); break;
    case REGS: check_registers(c, v); break;
    case INTS2: check_ints(c, v, 2); break;
    case INTS3: check_ints(c, v, 3); break;
    case MAP_: check_map(c, v, key->of); break;
    case MAPS_: check_maps(c, v, key->of); break;
    default: break;
    }
}

static const struct key *find_key(enum map_id id, const struct codeobj_value *key)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (keys[i].map == id && key->kind == CODEOBJ_VALUE_STRING &&
            (!keys[i].name[0] || (key->size == strlen(keys[i].name) && !memcmp(key->bytes, keys[i].name, key->size))))
            return &keys[i];
    return NULL;
}

/* keys.def nests maps a fixed number of times, so this recursion ends. */
static void check_map(struct checker *c, const struct codeobj_value *map, enum map_id id)
{
    expect(c, map, map->kind == CODEOBJ_VALUE_MAP, "a map");
    if (map->kind != CODEOBJ_VALUE_MAP)
        return;
    for (size_t i = 0; i < map->size && !c->stop; i++) {
        const struct codeobj_value *k = &map->items[2 * i];
        const struct key *key = find_key(id, k);
        size_t n = enter_key(c, k->kind == CODEOBJ_VALUE_STRING ? k->bytes : "?");
        if (key)
            check_value(c, k + 1, key);
        else if (k->kind == CODEOBJ_VALUE_STRING)
            say(c, CODEOBJ_METADATA_UNKNOWN, k + 1, "unknown key");
        else
            say(c, CODEOBJ_METADATA_MISTYPED, k, "key: found %s, expected a string", kind_name(k));
        leave(c, n);
    }
    for (size_t i = 0; i < KEY_COUNT && !c->stop; i++)
        if (keys[i].map == id && keys[i].need == REQ && !codeobj_value_get(map, keys[i].name)) {
            size_t n = enter_key(c, keys[i].name);
            say(c, CODEOBJ_METADATA_MISSING, NULL, "missing key");
            leave(c, n);
        }
}

/* V4 brought amdhsa.target, which the table cannot say. */
static void check_hsa_version(struct checker *c, const struct codeobj_value *root)
{
    const struct codeobj_value *version = codeobj_value_get(root, "amdhsa.version");
    if (!version || version->kind != CODEOBJ_VALUE_ARRAY || version->size != 2)
        return;
    uint64_t major = version->items[0].uint, minor = version->items[1].uint;
    if (major == 1 && minor >= 1 && !codeobj_value_get(root, "amdhsa.target")) {
        size_t n = enter_key(c, "amdhsa.target");
        say(c, CODEOBJ_METADATA_MISSING, NULL, "missing key: metadata version 1.%llu has it", (unsigned long long)minor);
        leave(c, n);
    }
    if (major != 1 || minor > 2) {
        size_t n = enter_key(c, "amdhsa.version");
        say(c, CODEOBJ_METADATA_BAD_VALUE, version, "found %llu.%llu, expected 1.0 to 1.2", (unsigned long long)major, (unsigned long long)minor);
        leave(c, n);
    }
}

void codeobj_metadata_validate(const struct codeobj_metadata *m, codeobj_metadata_report report, void *user)
{
    static const enum map_id roots[] = { [CO_FORM_HSA_V2] = HSA2, [CO_FORM_HSA_V3] = HSA3, [CO_FORM_PAL] = PAL };
    struct checker c = { .report = report, .user = user };
    check_map(&c, m->root, roots[m->form]);
    if (m->form == CO_FORM_HSA_V3)
        check_hsa_version(&c, m->root);
}

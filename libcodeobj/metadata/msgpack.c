/* SPDX-License-Identifier: MIT
 *
 * metadata/msgpack.c - MessagePack into the document tree.
 *
 * Rules: the MessagePack specification; LLVM's User Guide for AMDGPU Backend,
 * Code Object V3 and Above Note Records.
 *
 * msgpack-c's parser is a template for whom its own tree does not suit: instantiated
 * here it calls us for each item, and the document is built as it is read.
 *
 * The parser believes what a container's header says and we allocate for that many
 * elements at once, so five bytes could ask for 64 GiB.  But each element takes a byte
 * at least: all containers together cannot have more of them than there are bytes.
 * What the parser refuses explain() walks again, to say where and why.
 */
#include <msgpack/sysdep.h>
#include <msgpack/unpack.h>
#include <msgpack/unpack_define.h>
#include <string.h>

#include "base/diag.h"
#include "metadata/metadata.h"

/* One item's header: bytes of it with its payload, and how many items follow inside. */
struct item {
    uint64_t bytes, children;
};

static bool read_item(struct co_span s, uint64_t at, struct item *out)
{
    static const struct {
        uint8_t length, fixed; /* bytes of a length field; payload besides the length's count */
        uint8_t kind;          /* 0: payload bytes, 1: array, 2: map */
    } wide[32] = {
        /* c0 nil, c1 never used, c2 false, c3 true */
        [0x00] = { 0, 0, 0 }, [0x02] = { 0, 0, 0 }, [0x03] = { 0, 0, 0 },
        [0x04] = { 1, 0, 0 }, [0x05] = { 2, 0, 0 }, [0x06] = { 4, 0, 0 }, /* bin */
        [0x07] = { 1, 1, 0 }, [0x08] = { 2, 1, 0 }, [0x09] = { 4, 1, 0 }, /* ext: one type byte */
        [0x0a] = { 0, 4, 0 }, [0x0b] = { 0, 8, 0 },                      /* float */
        [0x0c] = { 0, 1, 0 }, [0x0d] = { 0, 2, 0 }, [0x0e] = { 0, 4, 0 }, [0x0f] = { 0, 8, 0 }, /* uint */
        [0x10] = { 0, 1, 0 }, [0x11] = { 0, 2, 0 }, [0x12] = { 0, 4, 0 }, [0x13] = { 0, 8, 0 }, /* int */
        [0x14] = { 0, 2, 0 }, [0x15] = { 0, 3, 0 }, [0x16] = { 0, 5, 0 }, [0x17] = { 0, 9, 0 }, [0x18] = { 0, 17, 0 }, /* fixext */
        [0x19] = { 1, 0, 0 }, [0x1a] = { 2, 0, 0 }, [0x1b] = { 4, 0, 0 }, /* str */
        [0x1c] = { 2, 0, 1 }, [0x1d] = { 4, 0, 1 }, [0x1e] = { 2, 0, 2 }, [0x1f] = { 4, 0, 2 },
    };
    uint8_t tag;
    if (!co_span_u8(s, at, &tag) || tag == 0xc1)
        return false;
    *out = (struct item){ 1, 0 };
    if (tag < 0x80 || tag >= 0xe0)
        return true;
    if (tag < 0x90) {
        out->children = (tag & 15u) * 2;
    } else if (tag < 0xa0) {
        out->children = tag & 15u;
    } else if (tag < 0xc0) {
        out->bytes += tag & 31u;
    } else {
        unsigned n = wide[tag - 0xc0].length;
        uint64_t count = 0;
        if (!co_span_has(s, at + 1, n))
            return false;
        for (unsigned i = 0; i < n; i++)
            count = count << 8 | s.data[at + 1 + i];
        out->bytes += n + wide[tag - 0xc0].fixed;
        if (wide[tag - 0xc0].kind)
            out->children = count * wide[tag - 0xc0].kind;
        else
            out->bytes += count;
    }
    return co_span_has(s, at, out->bytes);
}

/* What is wrong with the first document of s; CODEOBJ_OK: nothing. */
static enum codeobj_status explain(struct co_span s, const char *where, struct codeobj_diag *diag)
{
    uint64_t left[CO_METADATA_DEPTH + 1] = { 1 }, at = 0;
    unsigned depth = 0;
    for (;;) {
        while (left[depth] == 0) {
            if (depth == 0)
                return CODEOBJ_OK;
            depth--;
        }
        struct item item;
        if (!read_item(s, at, &item))
            return co_fail_at(diag, CODEOBJ_MALFORMED, where, at, at < s.size ? "MessagePack item with code 0x%02x is cut off or unknown"
                                                                               : "MessagePack data ends in the middle (code 0x%02x)",
                              at < s.size ? s.data[at] : 0);
        left[depth]--;
        uint64_t start = at;
        at += item.bytes;
        if (!item.children)
            continue;
        if (item.children > s.size - at)
            return co_fail_at(diag, CODEOBJ_MALFORMED, where, start, "MessagePack container of %llu items in %llu bytes",
                              (unsigned long long)item.children, (unsigned long long)(s.size - at));
        if (depth == CO_METADATA_DEPTH)
            return co_fail_at(diag, CODEOBJ_MALFORMED, where, start, "MessagePack containers nest deeper than %d", CO_METADATA_DEPTH);
        left[++depth] = item.children;
    }
}

/* Keys and most string values come again and again: the last short one of each
 * hash is remembered, and used again when it is the same. */
enum { CACHE_SLOTS = 256, CACHE_LONGEST = 32 };

/* The document is filled in from front to back: where the next value goes, and
 * how far that container reaches. */
struct places {
    struct codeobj_value *next, *end;
};

struct reader {
    struct co_arena *arena;
    bool no_memory;
    size_t bytes_left; /* that are no container's element yet */
    struct places open[CO_METADATA_DEPTH + 1], *top;
    struct {
        const char *text;
        size_t size;
    } cache[CACHE_SLOTS];
};

/* The first and the last up to eight bytes of s, which overlap in short strings. */
static inline void ends_of(const char *s, size_t size, uint64_t *first, uint64_t *last)
{
    const uint8_t *p = (const uint8_t *)s;
    if (size >= 8) {
        memcpy(first, p, 8);
        memcpy(last, p + size - 8, 8);
    } else if (size >= 4) {
        *first = co_load32(p);
        *last = co_load32(p + size - 4);
    } else {
        *first = p[0];
        *last = p[size / 2] | (unsigned)p[size - 1] << 8;
    }
}

/* Are two strings of this size, at most CACHE_LONGEST, the same?  Their first and last words are. */
static inline bool same_middle(const char *a, const char *b, size_t size)
{
    uint64_t x, y;
    for (size_t at = 8; at + 8 < size; at += 8) {
        memcpy(&x, a + at, 8);
        memcpy(&y, b + at, 8);
        if (x != y)
            return false;
    }
    return true;
}

static const char *keep_string(struct reader *r, const char *p, size_t size)
{
    if (size == 0 || size > CACHE_LONGEST)
        return co_arena_strndup(r->arena, size ? p : "", size);
    uint64_t first, last, seen_first, seen_last;
    ends_of(p, size, &first, &last);
    unsigned hash = (unsigned)(((first ^ last * 0x9e3779b97f4a7c15 ^ size) * 0xbf58476d1ce4e5b9) >> 56) % CACHE_SLOTS;
    for (unsigned i = 0; i < 2; i++) {
        if (r->cache[hash].size == size) {
            ends_of(r->cache[hash].text, size, &seen_first, &seen_last);
            if (seen_first == first && seen_last == last && same_middle(r->cache[hash].text, p, size))
                return r->cache[hash].text;
        }
        hash ^= r->cache[hash].size != 0; /* or in the place beside */
    }
    const char *text = co_arena_strndup(r->arena, p, size);
    if (text) {
        r->cache[hash].text = text;
        r->cache[hash].size = size;
    }
    return text;
}

/* ---- msgpack-c's parser, with these for its events: negative results end it ---- */

/* Values go where they stay, so what the parser hands about is nothing. */
typedef char nothing;

static inline struct codeobj_value *place(struct reader *r)
{
    while (r->top->next == r->top->end)
        r->top--;
    return r->top->next++;
}

static inline int take_uint(struct reader *r, uint64_t v)
{
    struct codeobj_value *o = place(r);
    o->kind = CODEOBJ_VALUE_UINT;
    o->uint = v;
    return 0;
}

static inline int take_int(struct reader *r, int64_t v)
{
    struct codeobj_value *o = place(r);
    o->kind = v < 0 ? CODEOBJ_VALUE_INT : CODEOBJ_VALUE_UINT;
    o->sint = v;
    return 0;
}

static inline int take_real(struct reader *r, double v, size_t size)
{
    struct codeobj_value *o = place(r);
    o->kind = CODEOBJ_VALUE_FLOAT;
    o->size = size;
    o->real = v;
    return 0;
}

static inline int take_bool(struct reader *r, bool v)
{
    struct codeobj_value *o = place(r);
    o->kind = CODEOBJ_VALUE_BOOL;
    o->boolean = v;
    return 0;
}

static inline int take_bytes(struct reader *r, enum codeobj_value_kind kind, const char *p, size_t size)
{
    struct codeobj_value *o = place(r);
    o->kind = kind;
    o->size = size;
    o->bytes = keep_string(r, p, size);
    r->no_memory |= !o->bytes;
    return o->bytes ? 0 : -1;
}

static inline int take_container(struct reader *r, enum codeobj_value_kind kind, size_t count)
{
    struct codeobj_value *o = place(r);
    size_t items = (kind == CODEOBJ_VALUE_MAP ? 2 : 1) * count;
    if (items > r->bytes_left || (items && r->top == r->open + CO_METADATA_DEPTH))
        return -1;
    r->bytes_left -= items;
    struct codeobj_value *first = co_arena_array(r->arena, items, sizeof *first);
    r->no_memory |= !first;
    if (!first)
        return -1;
    o->kind = kind;
    o->size = count;
    o->items = first;
    if (count)
        *++r->top = (struct places){ first, first + items };
    return 0;
}

#define msgpack_unpack_struct(name) struct template##name
#define msgpack_unpack_func(ret, name) static ret template##name
#define msgpack_unpack_callback(name) on##name
#define msgpack_unpack_object nothing
#define msgpack_unpack_user struct reader *

#define EVENT(name, params, body)                                                                                              \
    static inline int on##name params                                                                                          \
    {                                                                                                                          \
        *o = 0;                                                                                                                \
        return body;                                                                                                           \
    }
EVENT(_nil, (struct reader **r, nothing *o), (place(*r), 0)) /* the arena is zeroed */
EVENT(_true, (struct reader **r, nothing *o), take_bool(*r, true))
EVENT(_false, (struct reader **r, nothing *o), take_bool(*r, false))
EVENT(_uint8, (struct reader **r, uint8_t v, nothing *o), take_uint(*r, v))
EVENT(_uint16, (struct reader **r, uint16_t v, nothing *o), take_uint(*r, v))
EVENT(_uint32, (struct reader **r, uint32_t v, nothing *o), take_uint(*r, v))
EVENT(_uint64, (struct reader **r, uint64_t v, nothing *o), take_uint(*r, v))
EVENT(_int8, (struct reader **r, int8_t v, nothing *o), take_int(*r, v))
EVENT(_int16, (struct reader **r, int16_t v, nothing *o), take_int(*r, v))
EVENT(_int32, (struct reader **r, int32_t v, nothing *o), take_int(*r, v))
EVENT(_int64, (struct reader **r, int64_t v, nothing *o), take_int(*r, v))
EVENT(_float, (struct reader **r, float v, nothing *o), take_real(*r, (double)v, 4))
EVENT(_double, (struct reader **r, double v, nothing *o), take_real(*r, v, 8))
EVENT(_str, (struct reader **r, const char *all, const char *p, unsigned n, nothing *o), ((void)all, take_bytes(*r, CODEOBJ_VALUE_STRING, p, n)))
EVENT(_bin, (struct reader **r, const char *all, const char *p, unsigned n, nothing *o), ((void)all, take_bytes(*r, CODEOBJ_VALUE_BINARY, p, n)))
/* Behind the byte of an extension's type, which the parser counts: 2^32 - 1 bytes and that one are 0 to it. */
EVENT(_ext, (struct reader **r, const char *all, const char *p, unsigned n, nothing *o),
      ((void)all, n ? take_bytes(*r, CODEOBJ_VALUE_BINARY, p + 1, n - 1) : -1))
EVENT(_array, (struct reader **r, unsigned n, nothing *o), take_container(*r, CODEOBJ_VALUE_ARRAY, n))
EVENT(_map, (struct reader **r, unsigned n, nothing *o), take_container(*r, CODEOBJ_VALUE_MAP, n))
EVENT(_array_item, (struct reader **r, nothing *o, nothing item), ((void)r, (void)item, 0))
EVENT(_map_item, (struct reader **r, nothing *o, nothing key, nothing item), ((void)r, (void)key, (void)item, 0))
static inline nothing on_root(struct reader **r) { return (void)r, 0; }

#include <msgpack/unpack_template.h>

enum codeobj_status co_msgpack_parse(struct co_arena *arena, struct co_span bytes, const char *where, struct codeobj_value **out,
                                     struct codeobj_diag *diag)
{
    if (!bytes.size)
        return explain(bytes, where, diag);
    struct codeobj_value *root = co_arena_alloc(arena, sizeof *root);
    if (!root)
        return co_no_memory(diag);
    struct reader r = { .arena = arena, .bytes_left = bytes.size, .open[0] = { root, root + 1 }, .top = r.open };
    struct template_context context;
    size_t off = 0;
    template_init(&context);
    context.user = &r;
    int rc = template_execute(&context, (const char *)bytes.data, (size_t)bytes.size, &off);
    if (r.no_memory)
        return co_no_memory(diag);
    if (rc != 1 || template_data(&context)) {
        enum codeobj_status st = explain(bytes, where, diag);
        return st ? st : co_fail_at(diag, CODEOBJ_MALFORMED, where, off, "MessagePack data cannot be read");
    }
    *out = root;
    return CODEOBJ_OK;
}

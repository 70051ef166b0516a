/* SPDX-License-Identifier: MIT
 *
 * metadata/msgpack.c - MessagePack into the document tree.
 *
 * Rules: the MessagePack specification; LLVM's User Guide for AMDGPU Backend,
 * Code Object V3 and Above Note Records.
 *
 * msgpack-c believes what a container's header says and allocates for that many
 * elements at once, so five bytes could ask for 64 GiB.  measure() walks the
 * encoding first, without allocating, and lets only input through whose every
 * container has at least a byte for each element.
 */
#include <msgpack.h>
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

/* Checks the first document of s as a whole; *used: its bytes. */
static enum codeobj_status measure(struct co_span s, const char *where, uint64_t *used, struct codeobj_diag *diag)
{
    uint64_t left[CO_METADATA_DEPTH + 1] = { 1 }, at = 0;
    unsigned depth = 0;
    for (;;) {
        while (left[depth] == 0) {
            if (depth == 0) {
                *used = at;
                return CODEOBJ_OK;
            }
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

struct reader {
    struct co_arena *arena;
    struct {
        const char *text;
        size_t size;
    } cache[CACHE_SLOTS];
};

/* From its length and its ends, which tell the keys apart. */
static unsigned hash_of(const char *p, size_t size)
{
    uint64_t first = 0, last = 0;
    size_t n = size < 8 ? size : 8;
    memcpy(&first, p, n);
    memcpy(&last, p + size - n, n);
    uint64_t h = (first ^ last * 0x9e3779b97f4a7c15 ^ size) * 0xbf58476d1ce4e5b9;
    return (unsigned)(h >> 56) % CACHE_SLOTS;
}

static const char *keep_string(struct reader *r, const char *p, size_t size)
{
    if (size == 0 || size > CACHE_LONGEST)
        return co_arena_strndup(r->arena, p ? p : "", size);
    unsigned hash = hash_of(p, size);
    for (unsigned i = 0; i < 2; i++) {
        if (r->cache[hash].size == size && memcmp(r->cache[hash].text, p, size) == 0)
            return r->cache[hash].text;
        hash ^= r->cache[hash].size != 0; /* or in the place beside */
    }
    const char *text = co_arena_strndup(r->arena, p, size);
    if (text) {
        r->cache[hash].text = text;
        r->cache[hash].size = size;
    }
    return text;
}

static bool convert_bytes(struct reader *r, struct codeobj_value *out, enum codeobj_value_kind kind, const char *p, size_t size)
{
    out->kind = kind;
    out->size = size;
    out->bytes = keep_string(r, p, size);
    return out->bytes != NULL;
}

/* Depth is bounded by measure(). */
static bool convert(struct reader *r, const msgpack_object *o, struct codeobj_value *out)
{
    struct codeobj_value *items;
    switch (o->type) {
    case MSGPACK_OBJECT_BOOLEAN:
        out->kind = CODEOBJ_VALUE_BOOL;
        out->boolean = o->via.boolean;
        return true;
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        out->kind = CODEOBJ_VALUE_UINT;
        out->uint = o->via.u64;
        return true;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        out->kind = CODEOBJ_VALUE_INT;
        out->sint = o->via.i64;
        return true;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64:
        out->kind = CODEOBJ_VALUE_FLOAT;
        out->real = o->via.f64;
        out->size = o->type == MSGPACK_OBJECT_FLOAT32 ? 4 : 8;
        return true;
    case MSGPACK_OBJECT_STR:
        return convert_bytes(r, out, CODEOBJ_VALUE_STRING, o->via.str.ptr, o->via.str.size);
    case MSGPACK_OBJECT_BIN:
        return convert_bytes(r, out, CODEOBJ_VALUE_BINARY, o->via.bin.ptr, o->via.bin.size);
    case MSGPACK_OBJECT_EXT:
        return convert_bytes(r, out, CODEOBJ_VALUE_BINARY, o->via.ext.ptr, o->via.ext.size);
    case MSGPACK_OBJECT_ARRAY:
        out->kind = CODEOBJ_VALUE_ARRAY;
        out->size = o->via.array.size;
        out->items = items = co_arena_array(r->arena, out->size, sizeof *items);
        for (size_t i = 0; items && i < out->size; i++)
            if (!convert(r, &o->via.array.ptr[i], &items[i]))
                return false;
        return items != NULL;
    case MSGPACK_OBJECT_MAP:
        out->kind = CODEOBJ_VALUE_MAP;
        out->size = o->via.map.size;
        out->items = items = co_arena_array(r->arena, out->size, 2 * sizeof *items);
        for (size_t i = 0; items && i < out->size; i++)
            if (!convert(r, &o->via.map.ptr[i].key, &items[2 * i]) || !convert(r, &o->via.map.ptr[i].val, &items[2 * i + 1]))
                return false;
        return items != NULL;
    default:
        out->kind = CODEOBJ_VALUE_NIL;
        return true;
    }
}

enum codeobj_status co_msgpack_parse(struct co_arena *arena, struct co_span bytes, const char *where, struct codeobj_value **out,
                                     struct codeobj_diag *diag)
{
    uint64_t used = 0;
    enum codeobj_status st = measure(bytes, where, &used, diag);
    if (st)
        return st;
    msgpack_unpacked unpacked;
    msgpack_unpacked_init(&unpacked);
    size_t off = 0;
    msgpack_unpack_return rc = msgpack_unpack_next(&unpacked, (const char *)bytes.data, (size_t)used, &off);
    if (rc == MSGPACK_UNPACK_NOMEM_ERROR) {
        st = co_no_memory(diag);
    } else if (rc != MSGPACK_UNPACK_SUCCESS) {
        st = co_fail_at(diag, CODEOBJ_MALFORMED, where, off, "MessagePack data cannot be read");
    } else {
        struct codeobj_value *root = co_arena_alloc(arena, sizeof *root);
        struct reader r = { .arena = arena };
        if (!root || !convert(&r, &unpacked.data, root))
            st = co_no_memory(diag);
        else
            *out = root;
    }
    msgpack_unpacked_destroy(&unpacked);
    return st;
}

/* SPDX-License-Identifier: MIT
 *
 * bundle/clang_bundle.c - plain offload bundles, binary and text.
 *
 * Source: Clang Offload Bundler, Bundled Binary File Layout and Bundled Text
 * File Layout.  A binary bundle does not say how long it is: it ends where its
 * last entry ends.
 */
#include "bundle/walk.h"

#include <inttypes.h>

enum { MAGIC = 24, ENTRY = 24 };

struct entry {
    uint64_t offset, size;
    const char *id;
    size_t id_size;
};

/* Reads the entry at *pos and moves on; false when it is cut off. */
static bool read_entry(struct co_span s, uint64_t *pos, struct entry *e)
{
    uint64_t n;
    struct co_span id;
    if (!co_span_u64(s, *pos, &e->offset) || !co_span_u64(s, *pos + 8, &e->size) || !co_span_u64(s, *pos + 16, &n) ||
        !co_span_sub(s, *pos + ENTRY, n, &id))
        return false;
    e->id = (const char *)id.data;
    e->id_size = id.size;
    *pos += ENTRY + n;
    return true;
}

size_t co_bundle_extent(struct co_span s)
{
    uint64_t count, pos = MAGIC + 8, end = pos;
    struct entry e;
    if (!co_span_u64(s, MAGIC, &count) || count > s.size / ENTRY)
        return 0;
    for (uint64_t i = 0; i < count; i++) {
        if (!read_entry(s, &pos, &e) || !co_span_has(s, e.offset, e.size))
            return 0;
        if (end < e.offset + e.size)
            end = e.offset + e.size;
    }
    return (size_t)(end < pos ? pos : end);
}

void co_enter_bundle(struct co_walk *w, const struct co_place *place, struct co_span s)
{
    uint64_t count = 0, pos = MAGIC + 8;
    if (!co_span_u64(s, MAGIC, &count) || count > s.size / ENTRY) {
        co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data + MAGIC,
                        "bundle: number of entries: found %" PRIu64 ", which %zu bytes cannot hold", count, s.size);
        return;
    }
    for (uint64_t i = 0; i < count && !w->stopped; i++) {
        struct entry e;
        struct co_span payload;
        uint64_t at = pos;
        if (!read_entry(s, &pos, &e)) {
            co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data + at, "bundle: entry %" PRIu64 " of %" PRIu64 " is cut off",
                            i, count);
            return;
        }
        if (!co_span_sub(s, e.offset, e.size, &payload))
            co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data + at,
                            "bundle: entry '%.*s': found offset 0x%" PRIx64 " and size 0x%" PRIx64 ", the bundle has 0x%zx bytes",
                            (int)(e.id_size < 96 ? e.id_size : 96), e.id, e.offset, e.size, s.size);
        else
            co_walk_child(w, place, payload, e.id, e.id_size, true);
    }
}

/* ---- text bundles ---- */

static const char start_mark[] = "__CLANG_OFFLOAD_BUNDLE____START__ ", end_mark[] = "__CLANG_OFFLOAD_BUNDLE____END__ ";

static const uint8_t *find(struct co_span s, size_t from, const char *what)
{
    return from < s.size ? memmem(s.data + from, s.size - from, what, strlen(what)) : NULL;
}

/* The rest of a line: the entry ID. */
static size_t line_length(struct co_span s, size_t at)
{
    size_t n = 0;
    while (at + n < s.size && s.data[at + n] != '\n' && s.data[at + n] != '\r')
        n++;
    return n;
}

void co_enter_text_bundle(struct co_walk *w, const struct co_place *place, struct co_span s)
{
    size_t at = 0;
    while (!w->stopped) {
        const uint8_t *start = find(s, at, start_mark);
        if (!start)
            return;
        size_t id = (size_t)(start - s.data) + strlen(start_mark), n = line_length(s, id);
        size_t body = id + n;
        body += body < s.size; /* the line's end */
        const uint8_t *end = find(s, body, end_mark);
        if (!end) {
            co_walk_finding(w, place, CODEOBJ_MALFORMED, start, "text bundle: entry '%.*s' has no end",
                            (int)(n < 96 ? n : 96), (const char *)s.data + id);
            return;
        }
        /* The comment sign stands in front of the mark, on a line of its own. */
        size_t stop = (size_t)(end - s.data);
        while (stop > body && s.data[stop - 1] != '\n')
            stop--;
        co_walk_child(w, place, (struct co_span){ s.data + body, stop - body }, (const char *)s.data + id, n, true);
        at = (size_t)(end - s.data) + strlen(end_mark);
    }
}

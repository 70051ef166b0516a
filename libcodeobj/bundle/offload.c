/* SPDX-License-Identifier: MIT
 *
 * bundle/offload.c - LLVM offload binaries.
 *
 * Source: Offloading Design & Internals, OffloadBinary.  u32 magic, u32 version,
 * u64 size, u64 entry offset, u64 entry size; the entry: u16 image kind, u16
 * offload kind, u32 flags, u64 string table offset, u64 number of strings, u64
 * image offset, u64 image size; strings: u64 key offset, u64 value offset.  All
 * offsets count from the magic.  One image each; several stand one behind the
 * other.  The strings "triple" and "arch" name the target.
 */
#include "bundle/walk.h"

#include <inttypes.h>
#include <stdio.h>

enum { HEADER = 32, ENTRY = 40, MAX_STRINGS = 64 };

size_t co_offload_extent(struct co_span s)
{
    uint64_t size, entry;
    if (s.size < HEADER || co_load32(s.data + 4) == 0 || co_load32(s.data + 4) > 255)
        return 0;
    size = co_load64(s.data + 8);
    entry = co_load64(s.data + 16);
    if (size < HEADER + ENTRY || size > s.size || entry > size - ENTRY)
        return 0;
    return (size_t)size;
}

static const char *producer(uint16_t kind)
{
    switch (kind) {
    case 1: return "openmp";
    case 2: return "cuda";
    case 4: return "hip";
    case 8: return "sycl";
    default: return "none";
    }
}

/* Value of a string; NULL when there is none (or the table is broken: *broken). */
static const char *string(struct co_span s, const uint8_t *entry, const char *key, bool *broken)
{
    uint64_t table = co_load64(entry + 8), count = co_load64(entry + 16);
    if (count > MAX_STRINGS || !co_span_has(s, table, count * 16)) {
        *broken = true;
        return NULL;
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *pair = s.data + table + i * 16;
        const char *k = co_span_str(s, co_load64(pair)), *v = co_span_str(s, co_load64(pair + 8));
        if (!k || !v)
            *broken = true;
        else if (strcmp(k, key) == 0)
            return v;
    }
    return NULL;
}

void co_enter_offload(struct co_walk *w, const struct co_place *place, struct co_span s)
{
    size_t extent = co_offload_extent(s);
    struct co_span image;
    if (!extent) {
        co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data, "offload binary: its header is broken or points outside");
        return;
    }
    s.size = extent;
    const uint8_t *entry = s.data + co_load64(s.data + 16);
    bool broken = false;
    const char *triple = string(s, entry, "triple", &broken), *arch = string(s, entry, "arch", &broken);
    if (broken)
        co_walk_finding(w, place, CODEOBJ_MALFORMED, entry + 8, "offload binary: its strings point outside");
    if (!co_span_sub(s, co_load64(entry + 24), co_load64(entry + 32), &image)) {
        co_walk_finding(w, place, CODEOBJ_MALFORMED, entry + 24,
                        "offload binary: image: found offset 0x%" PRIx64 " and size 0x%" PRIx64 ", the binary has 0x%zx bytes",
                        co_load64(entry + 24), co_load64(entry + 32), s.size);
        return;
    }
    /* As an entry ID with a triple of four parts. */
    char id[256];
    unsigned dashes = 0;
    for (const char *p = triple ? triple : ""; *p; p++)
        dashes += *p == '-';
    snprintf(id, sizeof id, "%s-%s%s%s", producer(co_load16(entry + 2)), triple ? triple : "unknown--",
             dashes < 3 ? "--" : "-", arch ? arch : "");
    co_walk_child(w, place, image, id, strlen(id), true);
}

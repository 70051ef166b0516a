/* SPDX-License-Identifier: MIT
 *
 * bundle/offload.c - LLVM offload binaries.
 *
 * Source: Offloading Design & Internals, OffloadBinary.  u32 magic, u32 version,
 * u64 size, u64 offset of the entries, then
 *   1: u64 size of the one entry; strings are {u64 key offset, u64 value offset}
 *   2: u64 number of entries; strings are {u64 key offset, u64 value offset, u64 value size}
 *   3: the same, then u64 size when unpacked: unless that is 0 all from the entries
 *      on is one zlib or zstd stream
 * An entry: u16 image kind, u16 offload kind, u32 flags, u64 string table offset, u64
 * number of strings, u64 image offset, u64 image size.  All offsets count from the
 * magic (of the unpacked binary).  Several binaries stand one behind the other.
 * The strings "triple" and "arch" name the target.
 */
#include "bundle/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEADER = 32, HEADER_V3 = 40, ENTRY = 40, MAX_STRINGS = 64, NEWEST = 3, MAX_VERSION = 255 };

/* Versions to come are recognised, and nothing is known of them but the size. */
bool co_offload_read(struct co_span s, struct co_offload *out)
{
    if (s.size < HEADER)
        return false;
    struct co_offload o = { .version = co_load32(s.data + 4), .size = co_load64(s.data + 8), .entries_off = co_load64(s.data + 16) };
    if (!o.version || o.version > MAX_VERSION || o.size < HEADER || o.size > s.size)
        return false;
    if (o.version > NEWEST) {
        *out = o;
        return true;
    }
    o.count = o.version == 1 ? 1 : co_load64(s.data + 24);
    if (o.entries_off > o.size || (o.version == 3 && o.size < HEADER_V3))
        return false;
    o.unpacked = o.version == 3 ? co_load64(s.data + 32) : 0;
    if (o.unpacked) {
        struct co_span in = { s.data + o.entries_off, (size_t)(o.size - o.entries_off) };
        if (o.entries_off < HEADER_V3 || o.unpacked < o.entries_off)
            return false;
        o.method = in.size >= 4 && co_load32(in.data) == 0xfd2fb528u ? 2 : 1;
    } else if (!o.count || o.count > (o.size - o.entries_off) / ENTRY) {
        return false;
    }
    *out = o;
    return true;
}

size_t co_offload_extent(struct co_span s)
{
    struct co_offload o;
    return co_offload_read(s, &o) ? (size_t)o.size : 0;
}

enum codeobj_status co_offload_unpack(struct co_span s, const struct co_offload *o, uint64_t limit, uint8_t **out, size_t *size,
                                      const char **problem)
{
    static const uint8_t none[8];
    struct co_span in = { s.data + o->entries_off, (size_t)(o->size - o->entries_off) };
    uint8_t *body, *all;
    size_t head = (size_t)o->entries_off, body_size;
    *problem = "unpacks to more than a file of this size may";
    if (o->unpacked > limit)
        return CODEOBJ_LIMIT;
    enum codeobj_status st = co_unpack(in, o->method, o->unpacked - head, limit - head, &body, &body_size, problem);
    if (st != CODEOBJ_OK)
        return st;
    all = realloc(body, head + body_size);
    if (!all) {
        free(body);
        *problem = "out of memory";
        return CODEOBJ_NO_MEMORY;
    }
    memmove(all + head, all, body_size);
    memcpy(all, s.data, head);
    for (unsigned i = 0; i < 8; i++)
        all[8 + i] = (uint8_t)(o->unpacked >> 8 * i); /* its size now */
    memcpy(all + HEADER, none, 8);
    *out = all;
    *size = head + body_size;
    return CODEOBJ_OK;
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

/* Value of a string, copied; false when there is none (or the table is broken: *broken). */
static bool string(struct co_span s, const uint8_t *entry, uint32_t version, const char *key, char *out, size_t size, bool *broken)
{
    uint64_t table = co_load64(entry + 8), count = co_load64(entry + 16), stride = version == 1 ? 16 : 24;
    if (count > MAX_STRINGS || !co_span_has(s, table, count * stride)) {
        *broken = true;
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *pair = s.data + table + i * stride;
        const char *k = co_span_str(s, co_load64(pair)), *v = version == 1 ? co_span_str(s, co_load64(pair + 8)) : NULL;
        struct co_span value = { (const uint8_t *)v, v ? strlen(v) : 0 };
        if (!k || (version == 1 ? !v : !co_span_sub(s, co_load64(pair + 8), co_load64(pair + 16), &value))) {
            *broken = true;
        } else if (strcmp(k, key) == 0) {
            snprintf(out, size, "%.*s", value.size < size ? (int)value.size : (int)size, (const char *)value.data);
            return true;
        }
    }
    return false;
}

static void enter_image(struct co_walk *w, const struct co_place *place, struct co_span s, uint32_t version, const uint8_t *entry)
{
    struct co_span image;
    bool broken = false;
    char triple[128], arch[96];
    bool has_triple = string(s, entry, version, "triple", triple, sizeof triple, &broken);
    bool has_arch = string(s, entry, version, "arch", arch, sizeof arch, &broken);
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
    for (const char *p = has_triple ? triple : ""; *p; p++)
        dashes += *p == '-';
    snprintf(id, sizeof id, "%s-%s%s%s", producer(co_load16(entry + 2)), has_triple ? triple : "unknown--",
             dashes < 3 ? "--" : "-", has_arch ? arch : "");
    co_walk_child(w, place, image, id, strlen(id), true);
}

void co_enter_offload(struct co_walk *w, const struct co_place *place, struct co_span s)
{
    struct co_offload o;
    if (!co_offload_read(s, &o) || o.unpacked) {
        co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data, "offload binary: its header is broken or points outside");
        return;
    }
    if (o.version > NEWEST) {
        co_walk_finding(w, place, CODEOBJ_UNSUPPORTED, s.data + 4, "offload binary: found version %u, expected 1 to %d", o.version, NEWEST);
        return;
    }
    s.size = (size_t)o.size;
    for (uint64_t i = 0; i < o.count && !w->stopped; i++)
        enter_image(w, place, s, o.version, s.data + o.entries_off + i * ENTRY);
}

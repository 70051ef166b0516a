/* SPDX-License-Identifier: MIT
 *
 * ld/compress.c - --compress-debug-sections and --compress-sections.
 *
 * As ld.lld does it, byte for byte: contents are cut into shards of 1 MiB, which are compressed by themselves, on several
 * threads.  zlib: raw deflate, each shard but the last flushed to a byte boundary, between one header and one checksum
 * (RFC 1950); zstd: a frame for each shard, which decoders read one after the other (RFC 8878).
 *
 * With AMDLD_COMPANION there is no zstd here: the program hands such links over (options_companion.c).
 */
#include "ld.h"

#include <zlib.h>
#ifndef AMDLD_COMPANION
#include <zstd.h>
#endif

enum { CHDR_SIZE = 24, SHARD = 1 << 20, ZLIB_HEADER = 2, ZLIB_TRAILER = 4, FLUSH_ROOM = 64 };

struct shard {
    const uint8_t *src;
    uint8_t *dst;
    size_t size, room, packed; /* packed: 0 where it has failed */
    bool last;
    uint32_t adler;
};

struct packing {
    const struct codeobj_link_compression *how;
    struct shard *shards;
    size_t count;
};

static size_t deflate_shard(const struct shard *s, int level)
{
    z_stream z = { .next_in = (uint8_t *)(uintptr_t)s->src, .avail_in = (uInt)s->size, .next_out = s->dst, .avail_out = (uInt)s->room };
    if (deflateInit2(&z, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    int rc = deflate(&z, s->last ? Z_FINISH : Z_SYNC_FLUSH);
    size_t n = s->room - z.avail_out;
    bool done = !z.avail_in && z.avail_out && rc == (s->last ? Z_STREAM_END : Z_OK);
    deflateEnd(&z);
    return done ? n : 0;
}

#ifdef AMDLD_COMPANION
static size_t zstd_room(size_t size) { return size; }
static size_t zstd_shard(const struct shard *s, int level) { return (void)s, (void)level, 0; }
#else
static size_t zstd_room(size_t size) { return ZSTD_compressBound(size); }

static size_t zstd_shard(const struct shard *s, int level)
{
    size_t n = ZSTD_compress(s->dst, s->room, s->src, s->size, level);
    return ZSTD_isError(n) ? 0 : n;
}
#endif

static void pack_shard(void *context, unsigned worker, size_t part)
{
    const struct packing *p = context;
    struct shard *s = &p->shards[part];
    (void)worker;
    if (p->how->method == CODEOBJ_COMPRESS_ZSTD) {
        s->packed = zstd_shard(s, p->how->level ? p->how->level : 3);
        return;
    }
    s->packed = deflate_shard(s, p->how->level ? p->how->level : Z_BEST_SPEED);
    s->adler = (uint32_t)adler32(1, s->src, (uInt)s->size);
}

/* The compressed bytes behind a compression header; NULL: it cannot be done. */
static uint8_t *pack(struct ld *ld, const struct codeobj_link_compression *how, const uint8_t *src, size_t size, size_t *packed)
{
    bool zlib = how->method == CODEOBJ_COMPRESS_ZLIB;
    struct packing p = { .how = how, .count = (size + SHARD - 1) / SHARD };
    p.shards = co_ld_array(ld, p.count, sizeof *p.shards);
    for (size_t i = 0; i < p.count; i++) {
        struct shard *s = &p.shards[i];
        s->src = src + i * SHARD;
        s->size = size - i * SHARD < SHARD ? size - i * SHARD : SHARD;
        s->last = i + 1 == p.count;
        s->room = (zlib ? compressBound((uLong)s->size) : zstd_room(s->size)) + FLUSH_ROOM;
        s->dst = co_ld_alloc(ld, s->room);
    }
    co_ld_parallel(ld, p.count, pack_shard, &p);
    size_t n = CHDR_SIZE + (zlib ? ZLIB_HEADER + ZLIB_TRAILER : 0);
    for (size_t i = 0; i < p.count; i++) {
        if (!p.shards[i].packed)
            return NULL;
        n += p.shards[i].packed;
    }
    uint8_t *out = co_ld_alloc(ld, n), *at = out + CHDR_SIZE;
    uLong adler = 1;
    if (zlib) {
        *at++ = 0x78;
        *at++ = 0x01; /* "fastest", whatever the level: a hint that nobody reads */
    }
    for (size_t i = 0; i < p.count; i++) {
        memcpy(at, p.shards[i].dst, p.shards[i].packed);
        at += p.shards[i].packed;
        adler = adler32_combine(adler, p.shards[i].adler, (z_off_t)p.shards[i].size);
    }
    for (int shift = 24; zlib && shift >= 0; shift -= 8)
        *at++ = (uint8_t)(adler >> shift);
    *packed = n;
    return out;
}

/* What zlib says to a level that it does not have; zstd takes the nearest of its own. */
static bool bad_level(struct ld *ld, const struct codeobj_link_compression *how)
{
    bool bad = how->method == CODEOBJ_COMPRESS_ZLIB && (how->level < Z_DEFAULT_COMPRESSION || how->level > Z_BEST_COMPRESSION);
    if (bad)
        co_ld_error(ld, "--compress-sections: deflateInit2 returned %d", Z_STREAM_ERROR);
    return bad;
}

/* What the options say about a section; false: it stays as it is. */
static bool compression(struct ld *ld, const struct ld_out *o, struct codeobj_link_compression *how)
{
    bool debug = !(o->flags & SHF_ALLOC) && !strncmp(o->name, ".debug_", 7);
    bool tables = o->type == SHT_SYMTAB || o->type == SHT_STRTAB || o->type == SHT_SYMTAB_SHNDX || o->type == SHT_RELA ||
                  o->type == SHT_REL || o->type == SHT_GROUP;
    how->method = debug ? ld->opt.compress_debug : CODEOBJ_COMPRESS_NONE;
    how->level = ld->opt.compress_level;
    for (size_t i = 0; i < ld->opt.compression_count; i++) {
        const struct codeobj_link_compression *rule = &ld->opt.compressions[i];
        if (co_ld_glob(rule->glob, strlen(rule->glob), o->name, strlen(o->name)))
            *how = *rule;
    }
    if (how->method == CODEOBJ_COMPRESS_NONE)
        return false;
    if (o->flags & SHF_ALLOC)
        co_ld_error_or_warn(ld, "--compress-sections: section '%s' with the SHF_ALLOC flag cannot be compressed", o->name);
    return !tables && !(o->flags & (SHF_ALLOC | SHF_COMPRESSED)) && o->type != SHT_NOBITS && o->size;
}

/* Addresses are known: what is to be compressed is relocated, then compressed where
 * that makes it smaller.  Offsets must be assigned again afterwards. */
void co_ld_compress(struct ld *ld)
{
    if (!ld->opt.compression_count && ld->opt.compress_debug == CODEOBJ_COMPRESS_NONE)
        return;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        struct codeobj_link_compression how;
        if (!compression(ld, o, &how) || bad_level(ld, &how))
            continue;
        uint64_t size = o->size;
        o->align = 1; /* as ld.lld has it: no padding in front of what need not be aligned in the file, compressed or not */
        if (size <= CHDR_SIZE)
            continue;
        size_t n = 0;
        uint8_t *plain = co_ld_alloc(ld, (size_t)size);
        co_ld_put_contents(ld, o, plain);
        o->contents = plain;
        uint8_t *packed = pack(ld, &how, plain, (size_t)size, &n);
        if (!packed || n >= size)
            continue;
        ld_put32(packed, how.method == CODEOBJ_COMPRESS_ZSTD ? 2 : 1);
        ld_put64(packed + 8, size);
        ld_put64(packed + 16, o->align);
        o->contents = packed;
        o->size = n;
        o->flags |= SHF_COMPRESSED;
    }
    co_ld_assign_addresses(ld);
}

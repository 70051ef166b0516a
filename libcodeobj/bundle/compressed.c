/* SPDX-License-Identifier: MIT
 *
 * bundle/compressed.c - compressed offload bundles (CCOB).
 *
 * Source: Clang Offload Bundler, Compressed Bundle.  "CCOB", u16 version, u16
 * method (0 zlib, 1 zstd), then
 *   1: u32 unpacked size, u64 hash
 *   2: u32 total size, u32 unpacked size, u64 hash
 *   3: u64 total size, u64 unpacked size, u64 hash
 * The total counts the header.  The hash is the low half of the MD5 of the
 * unpacked bytes.  Version 1 does not say how long it is.
 */
#include "bundle/walk.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

/* Memory follows the output, not the header's promise. */
enum { FIRST_ROOM = 1 << 20 };

bool co_ccob_read(struct co_span s, struct co_ccob *out, const char **problem)
{
    static const uint8_t header_size[4] = { 0, 20, 24, 32 };
    *problem = "the header is cut off";
    if (s.size < 8)
        return false;
    struct co_ccob c = { .version = co_load16(s.data + 4) };
    uint16_t method = co_load16(s.data + 6);
    *problem = "unknown version, expected 1 to 3";
    if (c.version < 1 || c.version > 3)
        return false;
    *problem = "unknown compression method, expected 0 (zlib) or 1 (zstd)";
    if (method > 1)
        return false;
    c.method = (uint8_t)(method + 1);
    c.header = header_size[c.version];
    *problem = "the header is cut off";
    if (s.size < c.header)
        return false;
    const uint8_t *p = s.data + 8;
    c.total = c.version == 1 ? s.size : c.version == 2 ? co_load32(p) : co_load64(p);
    c.unpacked = c.version == 1 ? co_load32(p) : c.version == 2 ? co_load32(p + 4) : co_load64(p + 8);
    c.hash = co_load64(s.data + c.header - 8);
    *problem = "its total size points outside";
    if (c.total < c.header || c.total > s.size)
        return false;
    *out = c;
    return true;
}

size_t co_ccob_extent(struct co_span s)
{
    struct co_ccob c;
    const char *problem;
    if (!co_ccob_read(s, &c, &problem))
        return 0;
    if (c.version > 1 || c.method == 1)
        return (size_t)c.total;
    size_t frame = ZSTD_findFrameCompressedSize(s.data + c.header, s.size - c.header);
    return ZSTD_isError(frame) ? 0 : c.header + frame;
}

struct output {
    uint8_t *data;
    size_t size, room, most;
};

/* Room for more; false at the end of the allowance or of memory. */
static bool grow(struct output *o, const char **problem, enum codeobj_status *status)
{
    if (o->room >= o->most) {
        *status = CODEOBJ_LIMIT;
        *problem = "unpacks to more than a file of this size may";
        return false;
    }
    size_t room = o->room ? o->room * 2 : FIRST_ROOM;
    if (room > o->most)
        room = o->most;
    uint8_t *data = realloc(o->data, room ? room : 1);
    if (!data) {
        *status = CODEOBJ_NO_MEMORY;
        *problem = "out of memory";
        return false;
    }
    o->data = data;
    o->room = room;
    return true;
}

static enum codeobj_status unpack_zlib(struct co_span in, struct output *o, const char **problem)
{
    z_stream z;
    enum codeobj_status st = CODEOBJ_OK;
    memset(&z, 0, sizeof z);
    *problem = "out of memory";
    if (inflateInit(&z) != Z_OK)
        return CODEOBJ_NO_MEMORY;
    size_t left = in.size;
    int rc = Z_OK;
    z.next_in = (Bytef *)in.data;
    while (rc != Z_STREAM_END) {
        if (o->size == o->room && !grow(o, problem, &st))
            break;
        /* avail_* are 32 bits wide */
        uInt give = left > 1u << 30 ? 1u << 30 : (uInt)left;
        size_t space = o->room - o->size;
        uInt take = space > 1u << 30 ? 1u << 30 : (uInt)space;
        z.avail_in = give;
        z.next_out = o->data + o->size;
        z.avail_out = take;
        rc = inflate(&z, Z_NO_FLUSH);
        left -= give - z.avail_in;
        o->size += take - z.avail_out;
        if (rc == Z_MEM_ERROR) {
            st = CODEOBJ_NO_MEMORY;
            break;
        }
        if ((rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR) ||
            (rc != Z_STREAM_END && left == 0 && z.avail_out)) {
            *problem = "the zlib stream is broken or cut off";
            st = CODEOBJ_MALFORMED;
            break;
        }
    }
    inflateEnd(&z);
    return st;
}

static enum codeobj_status unpack_zstd(struct co_span in, struct output *o, const char **problem)
{
    enum codeobj_status st = CODEOBJ_OK;
    ZSTD_DStream *z = ZSTD_createDStream();
    *problem = "out of memory";
    if (!z)
        return CODEOBJ_NO_MEMORY;
    ZSTD_inBuffer src = { in.data, in.size, 0 };
    for (size_t rc = 1; rc != 0;) {
        if (o->size == o->room && !grow(o, problem, &st))
            break;
        ZSTD_outBuffer dst = { o->data, o->room, o->size };
        rc = ZSTD_decompressStream(z, &dst, &src);
        o->size = dst.pos;
        if (ZSTD_isError(rc) || (rc && src.pos == src.size && dst.pos < dst.size)) {
            *problem = "the zstd stream is broken or cut off";
            st = CODEOBJ_MALFORMED;
            break;
        }
    }
    ZSTD_freeDStream(z);
    return st;
}

enum codeobj_status co_unpack(struct co_span in, uint8_t method, uint64_t unpacked, uint64_t limit, uint8_t **out, size_t *size, const char **problem)
{
    /* One byte more than promised shows that there is more. */
    uint64_t most = unpacked < limit ? unpacked + 1 : limit;
    struct output o = { .most = most > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)most };
    *problem = "unpacks to more than a file of this size may";
    enum codeobj_status st = unpacked > limit ? CODEOBJ_LIMIT : method == 1 ? unpack_zlib(in, &o, problem) : unpack_zstd(in, &o, problem);
    if ((st == CODEOBJ_OK && o.size != unpacked) || (st == CODEOBJ_LIMIT && unpacked < limit)) {
        *problem = "the unpacked size is not what the header says";
        st = CODEOBJ_MALFORMED;
    }
    if (st != CODEOBJ_OK) {
        free(o.data);
        return st;
    }
    *out = o.data;
    *size = o.size;
    return CODEOBJ_OK;
}

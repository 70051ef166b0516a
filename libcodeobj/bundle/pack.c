/* SPDX-License-Identifier: MIT
 *
 * bundle/pack.c - writes bundles, compressed bundles, offload binaries, archives.
 *
 * Sources as in the readers beside it.  What is written here is what
 * clang-offload-bundler, clang-offload-packager and ar write and read.
 */
#include "bundle/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/options.h"

struct buffer {
    uint8_t *data;
    size_t size, room;
    bool failed; /* out of memory; later appends do nothing */
};

static void append(struct buffer *b, const void *p, size_t n)
{
    if (b->failed || n > SIZE_MAX / 4 - b->size) {
        b->failed = true;
        return;
    }
    if (b->size + n > b->room) {
        size_t room = b->room ? b->room : 4096;
        while (room < b->size + n)
            room *= 2;
        uint8_t *data = realloc(b->data, room);
        if (!data) {
            b->failed = true;
            return;
        }
        b->data = data;
        b->room = room;
    }
    if (n)
        memcpy(b->data + b->size, p, n);
    b->size += n;
}

static void append16(struct buffer *b, uint16_t v)
{
    uint8_t p[2];
    co_store16(p, v);
    append(b, p, sizeof p);
}

static void append32(struct buffer *b, uint32_t v)
{
    uint8_t p[4];
    co_store32(p, v);
    append(b, p, sizeof p);
}

static void append64(struct buffer *b, uint64_t v)
{
    uint8_t p[8];
    co_store64(p, v);
    append(b, p, sizeof p);
}

static void pad(struct buffer *b, size_t align)
{
    static const uint8_t zeros[64];
    while (!b->failed && b->size % align) {
        size_t n = align - b->size % align;
        append(b, zeros, n < sizeof zeros ? n : sizeof zeros);
    }
}

/* ---- plain bundles ---- */

static void write_bundle(struct buffer *b, const struct codeobj_pack_entry *entries, size_t count, uint64_t align)
{
    uint64_t at = 24 + 8;
    for (size_t i = 0; i < count; i++)
        at += 24 + strlen(entries[i].id);
    append(b, "__CLANG_OFFLOAD_BUNDLE__", 24);
    append64(b, count);
    for (size_t i = 0; i < count; i++) {
        at = (at + align - 1) & ~(align - 1);
        append64(b, at);
        append64(b, entries[i].size);
        append64(b, strlen(entries[i].id));
        append(b, entries[i].id, strlen(entries[i].id));
        at += entries[i].size;
    }
    for (size_t i = 0; i < count; i++) {
        pad(b, (size_t)align);
        append(b, entries[i].data, entries[i].size);
    }
}

/* ---- compressed bundles ---- */

static enum codeobj_status squeeze(const struct buffer *in, const struct codeobj_pack_options *o, struct buffer *out,
                                   struct codeobj_diag *diag)
{
    if (o->compression == 1) {
        uLongf size = compressBound(in->size);
        out->data = malloc(size);
        int rc = out->data ? compress2(out->data, &size, in->data, in->size, o->level ? o->level : Z_BEST_COMPRESSION) : Z_MEM_ERROR;
        out->size = size;
        if (rc == Z_STREAM_ERROR)
            return co_fail(diag, CODEOBJ_INVALID, "zlib has no compression level %u", o->level);
        return rc == Z_OK ? CODEOBJ_OK : co_no_memory(diag);
    }
    size_t room = ZSTD_compressBound(in->size);
    ZSTD_CCtx *z = ZSTD_createCCtx();
    out->data = malloc(room);
    if (!out->data || !z) {
        ZSTD_freeCCtx(z);
        return co_no_memory(diag);
    }
    ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, o->level ? o->level : ZSTD_CLEVEL_DEFAULT);
    /* The code objects of a bundle resemble each other over megabytes. */
    ZSTD_CCtx_setParameter(z, ZSTD_c_enableLongDistanceMatching, 1);
    out->size = ZSTD_compress2(z, out->data, room, in->data, in->size);
    ZSTD_freeCCtx(z);
    return ZSTD_isError(out->size) ? co_no_memory(diag) : CODEOBJ_OK;
}

static enum codeobj_status write_compressed(struct buffer *b, const struct buffer *plain,
                                            const struct codeobj_pack_options *o, struct codeobj_diag *diag)
{
    static const uint8_t header_size[4] = { 0, 20, 24, 32 };
    unsigned version = o->ccob_version ? o->ccob_version : 3;
    struct buffer z = { 0 };
    uint8_t md5[16];
    if (version > 3)
        return co_fail(diag, CODEOBJ_INVALID, "compressed bundles have versions 1 to 3, found %u", version);
    enum codeobj_status st = squeeze(plain, o, &z, diag);
    uint64_t total = header_size[version] + z.size;
    if (st == CODEOBJ_OK && version < 3 && (plain->size > UINT32_MAX || total > UINT32_MAX))
        st = co_fail(diag, CODEOBJ_INVALID, "version %u of compressed bundles holds at most 4 GiB, found %zu bytes", version,
                     plain->size);
    if (st == CODEOBJ_OK) {
        md5_buffer((const char *)plain->data, plain->size, md5);
        append(b, "CCOB", 4);
        append16(b, (uint16_t)version);
        append16(b, o->compression == 1 ? 0 : 1);
        if (version == 2)
            append32(b, (uint32_t)total);
        if (version == 3)
            append64(b, total);
        if (version == 3)
            append64(b, plain->size);
        else
            append32(b, (uint32_t)plain->size);
        append(b, md5, 8);
        append(b, z.data, z.size);
    }
    free(z.data);
    return st;
}

/* ---- offload binaries ---- */

static uint16_t producer(const char *kind)
{
    static const struct {
        const char *name;
        uint16_t value;
    } kinds[] = { { "openmp", 1 }, { "cuda", 2 }, { "hip", 4 }, { "hipv4", 4 }, { "sycl", 8 } };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kind, kinds[i].name) == 0)
            return kinds[i].value;
    return 0;
}

static uint16_t image_kind(const struct codeobj_pack_entry *e)
{
    struct co_span s = co_span_make(e->data, e->size);
    if (s.size > 4 && co_sniff(s) == CODEOBJ_ITEM_BITCODE)
        return 2;
    return co_is_amdgpu_elf(s) && co_load16(s.data + 16) == 1 ? 1 : 0; /* ET_REL: an object; else unspecified */
}

static enum codeobj_status write_offload(struct buffer *b, const struct codeobj_pack_entry *e, struct codeobj_diag *diag)
{
    struct codeobj_entry_id id;
    enum codeobj_status st = codeobj_entry_id_parse(e->id, &id, diag);
    if (st != CODEOBJ_OK)
        return st;
    /* clang writes triples without the empty environment here */
    size_t n = strlen(id.triple);
    while (n && id.triple[n - 1] == '-')
        id.triple[--n] = 0;
    const char *keys[2] = { "arch", "triple" }, *values[2] = { id.target_text, id.triple };
    uint64_t table = 32 + 40, text = table + 2 * 16, at = text;
    uint64_t offsets[4];
    for (unsigned i = 0; i < 4; i++) {
        offsets[i] = at;
        at += strlen(i % 2 ? values[i / 2] : keys[i / 2]) + 1;
    }
    uint64_t image = (at + 7) & ~(uint64_t)7, size = (image + e->size + 7) & ~(uint64_t)7;
    append(b, "\x10\xff\x10\xad", 4);
    append32(b, 1);
    append64(b, size);
    append64(b, 32);
    append64(b, 40);
    append16(b, image_kind(e));
    append16(b, producer(id.kind));
    append32(b, 0);
    append64(b, table);
    append64(b, 2);
    append64(b, image);
    append64(b, e->size);
    for (unsigned i = 0; i < 4; i++)
        append64(b, offsets[i]);
    for (unsigned i = 0; i < 4; i++) {
        const char *s = i % 2 ? values[i / 2] : keys[i / 2];
        append(b, s, strlen(s) + 1);
    }
    /* Binaries start at multiples of 8, so padding the whole pads each. */
    pad(b, 8);
    append(b, e->data, e->size);
    pad(b, 8);
    return CODEOBJ_OK;
}

/* ---- archives (GNU, without symbol table: nothing links device code by one) ---- */

static void archive_header(struct buffer *b, const char *name, size_t size)
{
    char h[80];
    snprintf(h, sizeof h, "%-16.16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644u, size);
    append(b, h, 60);
}

/* Names that a reader takes for those of tables, or that end where they should not. */
static bool archive_can_name(const char *name)
{
    return name[0] && strcmp(name, "/") != 0 && strncmp(name, "__.SYMDEF", 9) != 0 && !strchr(name, '\n');
}

/* In the table of long names; a blank at the end of a field would be padding. */
static bool is_long_name(const char *name)
{
    size_t n = strlen(name);
    return n > 15 || strchr(name, '/') || name[n - 1] == ' ';
}

static enum codeobj_status write_archive(struct buffer *b, const struct codeobj_pack_entry *entries, size_t count,
                                         struct codeobj_diag *diag)
{
    struct buffer names = { 0 };
    append(b, "!<arch>\n", 8);
    for (size_t i = 0; i < count; i++) {
        if (entries[i].size > 9999999999u || !archive_can_name(entries[i].id)) {
            free(names.data);
            return co_fail(diag, CODEOBJ_INVALID, entries[i].size > 9999999999u ? "'%.64s' is too large for an archive" :
                           "'%.64s' is no name for a member of an archive", entries[i].id);
        }
        if (is_long_name(entries[i].id)) {
            append(&names, entries[i].id, strlen(entries[i].id));
            append(&names, "/\n", 2);
        }
    }
    if (names.size) {
        archive_header(b, "//", names.size);
        append(b, names.data, names.size);
        if (names.size % 2)
            append(b, "\n", 1);
    }
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        char name[32];
        size_t n = strlen(entries[i].id);
        if (is_long_name(entries[i].id)) {
            snprintf(name, sizeof name, "/%zu", at);
            at += n + 2;
        } else {
            snprintf(name, sizeof name, "%s/", entries[i].id);
        }
        archive_header(b, name, entries[i].size);
        append(b, entries[i].data, entries[i].size);
        if (entries[i].size % 2)
            append(b, "\n", 1);
    }
    b->failed |= names.failed;
    free(names.data);
    return CODEOBJ_OK;
}

static enum codeobj_status check_entries(const struct codeobj_pack_entry *entries, size_t count, bool is_bundle, struct codeobj_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        if (!entries[i].id || (!entries[i].data && entries[i].size))
            return co_fail(diag, CODEOBJ_INVALID, "entry %zu has no ID or no data", i);
        for (size_t k = 0; is_bundle && k < i; k++)
            if (strcmp(entries[i].id, entries[k].id) == 0)
                return co_fail(diag, CODEOBJ_INVALID, "entry ID '%.96s' is given twice", entries[i].id);
    }
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_pack(const struct codeobj_pack_entry *entries, size_t count,
                                 const struct codeobj_pack_options *options, void **out, size_t *size,
                                 struct codeobj_diag *diag)
{
    CO_OPTIONS(struct codeobj_pack_options, o, options);
    struct buffer b = { 0 }, plain = { 0 };
    enum codeobj_status st = CODEOBJ_OK;
    if (!o.alignment)
        o.alignment = 4096;
    if ((o.alignment & (o.alignment - 1)) || o.compression > 2)
        return co_fail(diag, CODEOBJ_INVALID, o.compression > 2 ? "unknown compression method %u" : "alignment %u is not a power of two",
                       o.compression > 2 ? o.compression : o.alignment);
    /* Archives may hold members of one name and offload binaries, which are put one behind the other, images for one
     * target, as a linker leaves them; a bundle may not. */
    bool is_bundle = o.format == CODEOBJ_PACK_BUNDLE || o.format == CODEOBJ_PACK_COMPRESSED_BUNDLE;
    if ((st = check_entries(entries, count, is_bundle, diag)) != CODEOBJ_OK)
        return st;
    switch ((enum codeobj_pack_format)o.format) {
    case CODEOBJ_PACK_BUNDLE: write_bundle(&b, entries, count, o.alignment); break;
    case CODEOBJ_PACK_COMPRESSED_BUNDLE:
        write_bundle(&plain, entries, count, o.alignment);
        st = plain.failed ? co_no_memory(diag) : write_compressed(&b, &plain, &o, diag);
        free(plain.data);
        break;
    case CODEOBJ_PACK_OFFLOAD_BINARY:
        for (size_t i = 0; i < count && st == CODEOBJ_OK; i++)
            if (entries[i].size) /* the empty host entry of bundles has no place here */
                st = write_offload(&b, &entries[i], diag);
        break;
    case CODEOBJ_PACK_ARCHIVE: st = write_archive(&b, entries, count, diag); break;
    default: return co_fail(diag, CODEOBJ_INVALID, "unknown format %u", o.format);
    }
    if (st == CODEOBJ_OK && (b.failed || !b.data))
        st = b.failed ? co_no_memory(diag) : co_fail(diag, CODEOBJ_INVALID, "there is nothing to pack");
    if (st != CODEOBJ_OK) {
        free(b.data);
        return st;
    }
    *out = b.data;
    *size = b.size;
    return CODEOBJ_OK;
}

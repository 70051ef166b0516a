/* SPDX-License-Identifier: MIT
 *
 * elf/contents.c - section bytes with SHF_COMPRESSED undone.
 *
 * Rules: System V ABI, Section Compression (ELFCOMPRESS_ZLIB 1, _ZSTD 2).
 *
 * The header names the size that comes out, so a bomb is a header that claims
 * too much: the claim is checked against what the packed bytes can possibly
 * give before anything is allocated (deflate at most 1032:1; for zstd the
 * frame's own figure must agree and the ratio is capped).
 */
#include <codeobj/elf.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/diag.h"
#include "elf/elf.h"

enum { MAX_ZLIB_RATIO = 1032, MAX_ZSTD_RATIO = 32768 };
#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

static enum codeobj_status inflate_section(const char *name, struct co_span packed, uint8_t *out, size_t size,
                                           struct codeobj_diag *diag)
{
    uLongf got = size;
    uLong used = packed.size;
    int rc = uncompress2(out, &got, packed.data, &used);
    if (rc == Z_MEM_ERROR)
        return co_no_memory(diag);
    if (rc != Z_OK || got != size)
        return co_fail_at(diag, CODEOBJ_MALFORMED, name, 0, "zlib data is damaged or not 0x%zx bytes long", size);
    return CODEOBJ_OK;
}

static enum codeobj_status unzstd_section(const char *name, struct co_span packed, uint8_t *out, size_t size,
                                          struct codeobj_diag *diag)
{
    size_t got = ZSTD_decompress(out, size, packed.data, packed.size);
    if (ZSTD_isError(got))
        return co_fail_at(diag, CODEOBJ_MALFORMED, name, 0, "zstd data is damaged: %s", ZSTD_getErrorName(got));
    if (got != size)
        return co_fail_at(diag, CODEOBJ_MALFORMED, name, 0, "zstd data: found 0x%zx bytes, expected 0x%zx", got, size);
    return CODEOBJ_OK;
}

static enum codeobj_status unpack(const struct codeobj_elf *elf, const struct codeobj_elf_section *s, struct co_span stored,
                                  void **out, size_t *size, struct codeobj_diag *diag)
{
    size_t header = elf->is32 ? sizeof(Elf32_Chdr) : sizeof(Elf64_Chdr);
    if (stored.size < header)
        return co_fail_at(diag, CODEOBJ_MALFORMED, s->name, 0, "compression header: %zu of %zu bytes", stored.size, header);
    uint32_t type = co_load32(stored.data);
    uint64_t want = elf->is32 ? co_load32(stored.data + 4) : co_load64(stored.data + 8);
    struct co_span packed = { stored.data + header, stored.size - header };
    if (type != ELFCOMPRESS_ZLIB && type != ELFCOMPRESS_ZSTD)
        return co_fail_at(diag, CODEOBJ_UNSUPPORTED, s->name, 0, "compression type: found %u, expected 1 (zlib) or 2 (zstd)", type);
    uint64_t ratio = type == ELFCOMPRESS_ZLIB ? MAX_ZLIB_RATIO : MAX_ZSTD_RATIO;
    if (want / ratio > packed.size)
        return co_fail_at(diag, CODEOBJ_MALFORMED, s->name, elf->is32 ? 4 : 8,
                          "uncompressed size 0x%llx cannot come from 0x%zx bytes", (unsigned long long)want, packed.size);
    uint8_t *bytes = malloc(want ? (size_t)want : 1);
    if (!bytes)
        return co_no_memory(diag);
    enum codeobj_status st = type == ELFCOMPRESS_ZLIB ? inflate_section(s->name, packed, bytes, (size_t)want, diag)
                                                      : unzstd_section(s->name, packed, bytes, (size_t)want, diag);
    if (st) {
        free(bytes);
        return st;
    }
    *out = bytes;
    *size = (size_t)want;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_elf_section_contents(const struct codeobj_elf *elf, size_t idx, void **out, size_t *size,
                                                 struct codeobj_diag *diag)
{
    co_diag_file(diag, elf->name);
    if (idx >= elf->section_count)
        return co_fail(diag, CODEOBJ_INVALID, "section %zu of %zu", idx, elf->section_count);
    struct co_span stored = elf->section_bytes[idx];
    if (elf->sections[idx].flags & SHF_COMPRESSED)
        return unpack(elf, &elf->sections[idx], stored, out, size, diag);
    void *copy = malloc(stored.size ? stored.size : 1);
    if (!copy)
        return co_no_memory(diag);
    if (stored.size)
        memcpy(copy, stored.data, stored.size);
    *out = copy;
    *size = stored.size;
    return CODEOBJ_OK;
}

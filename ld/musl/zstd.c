/* SPDX-License-Identifier: MIT
 *
 * ld/musl/zstd.c - in place of libzstd's decoders of its formats 0.5 to 0.7.
 *
 * They are older than RFC 8878, which is what an ELF file has, and would be an eighth of the program.  libzstd calls them
 * by these names where it is built with them (its lib/legacy/zstd_legacy.h, 1.5).  It asks how long such a frame is
 * before all else; the answer makes it as unknown as any other bytes, and the rest is there to be linked.
 */
#include <stddef.h>
#include <zstd_errors.h>

#define UNKNOWN ((size_t)-ZSTD_error_prefix_unknown)
#define NONE(type, value, name, ...)                                                                                   \
    __attribute__((const)) type name(__VA_ARGS__);                                                                     \
    type name(__VA_ARGS__)                                                                                             \
    {                                                                                                                  \
        return value;                                                                                                  \
    }
#define VERSION(v)                                                                                                     \
    void ZSTD##v##_findFrameSizeInfoLegacy(const void *src, size_t size, size_t *frame, unsigned long long *bound);    \
    void ZSTD##v##_findFrameSizeInfoLegacy(const void *src, size_t size, size_t *frame, unsigned long long *bound)     \
    {                                                                                                                  \
        (void)src, (void)size;                                                                                         \
        *frame = UNKNOWN;                                                                                              \
        *bound = 0ull - 2; /* ZSTD_CONTENTSIZE_ERROR */                                                                \
    }                                                                                                                  \
    NONE(void *, NULL, ZSTD##v##_createDCtx, void)                                                                     \
    NONE(size_t, 0, ZSTD##v##_freeDCtx, void)                                                                          \
    NONE(size_t, UNKNOWN, ZSTD##v##_getFrameParams, void)                                                              \
    NONE(size_t, UNKNOWN, ZSTD##v##_decompress_usingDict, void)                                                        \
    NONE(void *, NULL, ZBUFF##v##_createDCtx, void)                                                                    \
    NONE(size_t, 0, ZBUFF##v##_freeDCtx, void)                                                                         \
    NONE(size_t, UNKNOWN, ZBUFF##v##_decompressInitDictionary, void)                                                   \
    NONE(size_t, UNKNOWN, ZBUFF##v##_decompressContinue, void)

VERSION(v05)
VERSION(v06)
VERSION(v07)

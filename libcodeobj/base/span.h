/* SPDX-License-Identifier: MIT
 *
 * base/span.h - checked byte spans.
 *
 * A span is a borrowed run of bytes.  All reads of input bytes in the library
 * go through it: each accessor checks its range first, without arithmetic that
 * can wrap, and reads little-endian without alignment demands.
 */
#ifndef CO_BASE_SPAN_H
#define CO_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct co_span {
    const uint8_t *data;
    size_t size;
};

static inline struct co_span co_span_make(const void *data, size_t size)
{
    return (struct co_span){ data, size };
}

/* True if [off, off+count) lies inside. */
static inline bool co_span_has(struct co_span s, uint64_t off, uint64_t count)
{
    return off <= s.size && count <= s.size - off;
}

/* The sub-span, or false and *out untouched. */
static inline bool co_span_sub(struct co_span s, uint64_t off, uint64_t count, struct co_span *out)
{
    if (!co_span_has(s, off, count))
        return false;
    *out = (struct co_span){ s.size ? s.data + off : s.data, (size_t)count };
    return true;
}

/* Unchecked little-endian loads and stores for places that are known to be inside. */
static inline uint16_t co_load16(const void *p)
{
    const uint8_t *b = p;
    return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t co_load32(const void *p)
{
    const uint8_t *b = p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t co_load64(const void *p)
{
    return co_load32(p) | (uint64_t)co_load32((const uint8_t *)p + 4) << 32;
}

static inline void co_store16(void *p, uint16_t v)
{
    uint8_t *b = p;
    b[0] = (uint8_t)v;
    b[1] = (uint8_t)(v >> 8);
}

static inline void co_store32(void *p, uint32_t v)
{
    uint8_t *b = p;
    co_store16(b, (uint16_t)v);
    co_store16(b + 2, (uint16_t)(v >> 16));
}

static inline void co_store64(void *p, uint64_t v)
{
    uint8_t *b = p;
    co_store32(b, (uint32_t)v);
    co_store32(b + 4, (uint32_t)(v >> 32));
}

/* Checked loads: false and *out untouched when out of range. */
static inline bool co_span_u8(struct co_span s, uint64_t off, uint8_t *out)
{
    if (!co_span_has(s, off, 1))
        return false;
    *out = s.data[off];
    return true;
}

static inline bool co_span_u16(struct co_span s, uint64_t off, uint16_t *out)
{
    if (!co_span_has(s, off, 2))
        return false;
    *out = co_load16(s.data + off);
    return true;
}

static inline bool co_span_u32(struct co_span s, uint64_t off, uint32_t *out)
{
    if (!co_span_has(s, off, 4))
        return false;
    *out = co_load32(s.data + off);
    return true;
}

static inline bool co_span_u64(struct co_span s, uint64_t off, uint64_t *out)
{
    if (!co_span_has(s, off, 8))
        return false;
    *out = co_load64(s.data + off);
    return true;
}

/* The NUL-terminated string at off; NULL when it starts or ends outside. */
static inline const char *co_span_str(struct co_span s, uint64_t off)
{
    if (off >= s.size || !memchr(s.data + off, 0, s.size - (size_t)off))
        return NULL;
    return (const char *)s.data + off;
}

#endif

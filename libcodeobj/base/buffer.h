/* SPDX-License-Identifier: MIT
 *
 * base/buffer.h - bytes that grow.
 *
 * Writers append without checking; the first failed allocation sets `failed`,
 * drops what follows and is reported once, at the end.
 */
#ifndef CO_BASE_BUFFER_H
#define CO_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct co_buffer {
    uint8_t *data;
    size_t size, cap;
    bool failed;
};

/* Room for `more` bytes at data + size: the common case is here, the rest in the other. */
bool co_buffer_grow(struct co_buffer *buffer, size_t more);
static inline bool co_buffer_reserve(struct co_buffer *buffer, size_t more)
{
    return more <= buffer->cap - buffer->size || co_buffer_grow(buffer, more);
}

/* memcpy() for what is mostly a word long, without a call. */
static inline void co_copy_short(uint8_t *to, const uint8_t *from, size_t size)
{
    if (size > 32)
        memcpy(to, from, size);
    else if (size >= 16) { /* two pieces that overlap */
        memcpy(to, from, 16);
        memcpy(to + size - 16, from + size - 16, 16);
    } else if (size >= 8) {
        memcpy(to, from, 8);
        memcpy(to + size - 8, from + size - 8, 8);
    } else if (size >= 4) {
        memcpy(to, from, 4);
        memcpy(to + size - 4, from + size - 4, 4);
    } else {
        for (size_t i = 0; i < size; i++)
            to[i] = from[i];
    }
}

static inline void co_buffer_add(struct co_buffer *buffer, const void *data, size_t size)
{
    if (size && co_buffer_reserve(buffer, size)) {
        memcpy(buffer->data + buffer->size, data, size);
        buffer->size += size;
    }
}

static inline void co_buffer_text(struct co_buffer *buffer, const char *text)
{
    co_buffer_add(buffer, text, strlen(text));
}

static inline void co_buffer_byte(struct co_buffer *buffer, uint8_t byte)
{
    if (co_buffer_reserve(buffer, 1))
        buffer->data[buffer->size++] = byte;
}

void co_buffer_fill(struct co_buffer *buffer, uint8_t byte, size_t count);
/* Appends zeros up to a multiple of align (a power of two; 0 is 1). */
void co_buffer_align(struct co_buffer *buffer, size_t align);
void co_buffer_format(struct co_buffer *buffer, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void co_buffer_free(struct co_buffer *buffer);

#endif

/* SPDX-License-Identifier: MIT
 *
 * base/buffer.c - bytes that grow.
 */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct co_buffer *b, size_t more)
{
    if (b->failed || more > SIZE_MAX / 2 - b->size) {
        b->failed = true;
        return false;
    }
    if (more <= b->cap - b->size)
        return true;
    size_t cap = b->cap ? b->cap : 256;
    while (cap - b->size < more)
        cap *= 2;
    uint8_t *grown = realloc(b->data, cap);
    if (!grown) {
        b->failed = true;
        return false;
    }
    b->data = grown;
    b->cap = cap;
    return true;
}

void co_buffer_add(struct co_buffer *b, const void *data, size_t size)
{
    if (size && reserve(b, size)) {
        memcpy(b->data + b->size, data, size);
        b->size += size;
    }
}

void co_buffer_text(struct co_buffer *b, const char *text) { co_buffer_add(b, text, strlen(text)); }

void co_buffer_byte(struct co_buffer *b, uint8_t byte) { co_buffer_add(b, &byte, 1); }

void co_buffer_fill(struct co_buffer *b, uint8_t byte, size_t count)
{
    if (count && reserve(b, count)) {
        memset(b->data + b->size, byte, count);
        b->size += count;
    }
}

void co_buffer_align(struct co_buffer *b, size_t align)
{
    if (align > 1)
        co_buffer_fill(b, 0, (align - b->size % align) % align);
}

void co_buffer_format(struct co_buffer *b, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    co_buffer_add(b, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void co_buffer_free(struct co_buffer *b)
{
    free(b->data);
    *b = (struct co_buffer){ 0 };
}

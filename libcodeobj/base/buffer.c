/* SPDX-License-Identifier: MIT
 *
 * base/buffer.c - bytes that grow.
 */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool co_buffer_grow(struct co_buffer *b, size_t more)
{
    size_t cap = b->cap ? b->cap : 256;
    uint8_t *grown = NULL;
    if (!b->failed && more <= SIZE_MAX / 2 - b->size) {
        while (cap - b->size < more)
            cap *= 2;
        grown = realloc(b->data, cap);
    }
    if (!grown) { /* nothing has room from now on */
        b->failed = true;
        b->cap = b->size;
        return false;
    }
    b->data = grown;
    b->cap = cap;
    return true;
}

void co_buffer_fill(struct co_buffer *b, uint8_t byte, size_t count)
{
    if (count && co_buffer_reserve(b, count)) {
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

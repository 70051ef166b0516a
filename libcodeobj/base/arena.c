/* SPDX-License-Identifier: MIT
 *
 * base/arena.c - a list of blocks, bumped from the newest.  They begin small,
 * because thousands of objects may be open at once, and grow.
 */
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 2048, LARGEST = 65536, ALIGN = 16 };

struct co_arena_block {
    struct co_arena_block *next;
    size_t used, size; /* of data[] */
    _Alignas(ALIGN) unsigned char data[];
};

void *co_arena_alloc(struct co_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    struct co_arena_block *b = arena->blocks;
    if (!b || size > b->size - b->used) {
        size_t want = !b ? SMALLEST : b->size < LARGEST ? b->size * 2 : b->size;
        bool own = size > want / 2; /* a block of its own; the newest stays in use */
        struct co_arena_block *fresh = calloc(1, sizeof *fresh + (own ? size : want));
        if (!fresh)
            return NULL;
        fresh->size = own ? size : want;
        if (own && b) {
            fresh->used = size;
            fresh->next = b->next;
            b->next = fresh;
            return fresh->data;
        }
        fresh->next = b;
        arena->blocks = b = fresh;
    }
    void *p = b->data + b->used;
    b->used += size;
    return p;
}

void *co_arena_array(struct co_arena *arena, size_t count, size_t size)
{
    return size && count > SIZE_MAX / size ? NULL : co_arena_alloc(arena, count * size);
}

char *co_arena_strndup(struct co_arena *arena, const char *s, size_t n)
{
    char *p = n < SIZE_MAX / 2 ? co_arena_alloc(arena, n + 1) : NULL;
    if (p)
        memcpy(p, s, n);
    return p;
}

void co_arena_free(struct co_arena *arena)
{
    for (struct co_arena_block *b = arena->blocks; b;) {
        struct co_arena_block *next = b->next;
        free(b);
        b = next;
    }
    arena->blocks = NULL;
}

/* SPDX-License-Identifier: MIT
 *
 * base/arena.c - a list of blocks, bumped from the newest.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 16384, ALIGN = 16 };

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
        size_t want = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        b = calloc(1, sizeof *b + want);
        if (!b)
            return NULL;
        b->size = want;
        b->next = arena->blocks;
        arena->blocks = b;
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

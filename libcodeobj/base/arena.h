/* SPDX-License-Identifier: MIT
 *
 * base/arena.h - allocation that is freed in one go.
 *
 * A handle owns one arena; everything it hands out lives as long as the handle.
 */
#ifndef CO_BASE_ARENA_H
#define CO_BASE_ARENA_H

#include <stddef.h>

struct co_arena_block;

struct co_arena {
    struct co_arena_block *blocks;
};

/* size bytes, zeroed, aligned for any type; NULL when memory is out.  size 0 gives a valid pointer. */
void *co_arena_alloc(struct co_arena *arena, size_t size);

/* An array of count elements; NULL also when count * size would wrap. */
void *co_arena_array(struct co_arena *arena, size_t count, size_t size);

/* A terminated copy of n bytes. */
char *co_arena_strndup(struct co_arena *arena, const char *s, size_t n);

void co_arena_free(struct co_arena *arena);

#endif

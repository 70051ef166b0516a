/* SPDX-License-Identifier: MIT
 *
 * base/arena.c - a list of blocks, bumped from the newest.  They begin small,
 * because thousands of objects may be open at once, and grow; large ones are
 * mapped, in huge pages where the system has them: taking small pages one by one
 * would be a third of the time in which a large file is read.
 */
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SMALLEST = 2048, MIDDLE = 256 * 1024, HUGE_PAGE = 2 * 1024 * 1024, LARGEST = 16 * HUGE_PAGE, ALIGN = 16 };

struct co_arena_block {
    struct co_arena_block *next;
    size_t used, size; /* of data[] */
    size_t mapped;     /* bytes of the whole block that are mapped, and zero; 0: from malloc */
    _Alignas(ALIGN) unsigned char data[];
};

/* A block with at least size bytes of data. */
static struct co_arena_block *new_block(size_t size)
{
    size_t whole = size + sizeof(struct co_arena_block);
    struct co_arena_block *b;
    if (whole < HUGE_PAGE) {
        b = malloc(whole);
        if (b)
            *b = (struct co_arena_block){ .size = size };
        return b;
    }
    whole = (whole + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    b = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(b, whole, MADV_HUGEPAGE);
#endif
    b->mapped = whole;
    b->size = whole - sizeof *b;
    return b;
}

/* What the next block holds. */
static size_t next_size(const struct co_arena_block *newest)
{
    if (!newest)
        return SMALLEST;
    size_t twice = newest->size * 2;
    return twice <= MIDDLE ? twice : twice <= HUGE_PAGE ? HUGE_PAGE - sizeof *newest : twice < LARGEST ? twice : LARGEST;
}

void *co_arena_alloc(struct co_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    struct co_arena_block *b = arena->blocks;
    if (!b || size > b->size - b->used) {
        size_t want = next_size(b);
        bool own = size > want / 2; /* a block of its own; the newest stays in use */
        struct co_arena_block *fresh = new_block(own ? size : want);
        if (!fresh)
            return NULL;
        if (own && b) {
            fresh->used = size;
            fresh->next = b->next;
            b->next = fresh;
            return fresh->mapped ? fresh->data : memset(fresh->data, 0, size);
        }
        fresh->next = b;
        arena->blocks = b = fresh;
    }
    void *p = b->data + b->used;
    b->used += size;
    return b->mapped ? p : memset(p, 0, size);
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
        if (b->mapped)
            munmap(b, b->mapped);
        else
            free(b);
        b = next;
    }
    arena->blocks = NULL;
}

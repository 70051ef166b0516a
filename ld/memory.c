/* SPDX-License-Identifier: MIT
 *
 * ld/memory.c - the arena of a link, and the containers in it.
 *
 * Blocks are zeroed.  Chunks come from mmap and grow with the link: the first is
 * small, because most links are; later ones are large enough for huge pages,
 * which save most of the page faults of a large link.
 */
#include "ld.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MANY_INPUTS = 64, FIRST = 128 * 1024, HUGE_PAGE = 2 * 1024 * 1024, LARGEST = 16 * HUGE_PAGE };

struct ld_chunk {
    struct ld_chunk *next;
    size_t size; /* whole */
};

void co_ld_no_memory(struct ld *ld)
{
    longjmp(ld->no_memory, 1);
}

static void *new_chunk(struct ld *ld, size_t size)
{
    struct ld_chunk *c;
    if (size > SIZE_MAX / 2)
        co_ld_no_memory(ld);
    if (size < HUGE_PAGE) {
        c = calloc(1, size);
        if (!c)
            co_ld_no_memory(ld);
    } else {
        size = (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
        c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (c == MAP_FAILED)
            co_ld_no_memory(ld);
        madvise(c, size, MADV_HUGEPAGE);
    }
    c->next = ld->arena.chunks;
    c->size = size;
    ld->arena.chunks = c;
    return c;
}

void *co_ld_alloc(struct ld *ld, size_t size)
{
    if (size > SIZE_MAX / 4)
        co_ld_no_memory(ld);
    size = size ? (size + 15) & ~(size_t)15 : 16;
    if (size > ld->arena.left) {
        size_t chunk = ld->arena.chunks ? ld->arena.chunks->size * 2 : ld->input_count < MANY_INPUTS ? FIRST : HUGE_PAGE;
        if (chunk > LARGEST)
            chunk = LARGEST;
        size_t head = sizeof(struct ld_chunk);
        if (size + head > chunk / 2) { /* its own; what is left of the current chunk stays in use */
            struct ld_chunk *own = new_chunk(ld, size + head);
            return own + 1;
        }
        struct ld_chunk *c = new_chunk(ld, chunk);
        ld->arena.cur = (char *)(c + 1);
        ld->arena.left = c->size - head;
    }
    void *p = ld->arena.cur;
    ld->arena.cur += size;
    ld->arena.left -= size;
    return p;
}

void *co_ld_array(struct ld *ld, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        co_ld_no_memory(ld);
    return co_ld_alloc(ld, count * size);
}

void co_ld_grow(struct ld *ld, void **items, size_t count, size_t *cap, size_t item_size)
{
    size_t n = *cap ? *cap * 2 : 8;
    void *p = co_ld_array(ld, n, item_size);
    if (count)
        memcpy(p, *items, count * item_size);
    *items = p;
    *cap = n;
}

char *co_ld_strndup(struct ld *ld, const char *s, size_t n)
{
    char *p = co_ld_alloc(ld, n + 1);
    memcpy(p, s, n);
    return p;
}

char *co_ld_vprintf(struct ld *ld, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    char *p = co_ld_alloc(ld, n < 0 ? 1 : (size_t)n + 1);
    if (n > 0)
        vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

char *co_ld_printf(struct ld *ld, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *p = co_ld_vprintf(ld, fmt, ap);
    va_end(ap);
    return p;
}

void co_ld_arena_free(struct ld_arena *arena)
{
    struct ld_chunk *c = arena->chunks;
    while (c) {
        struct ld_chunk *next = c->next;
        if (c->size < HUGE_PAGE)
            free(c);
        else
            munmap(c, c->size);
        c = next;
    }
    *arena = (struct ld_arena){ 0 };
}

void co_ld_text_add(struct ld *ld, struct ld_text *text, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n > 0) {
        size_t need = text->count + (size_t)n + 1;
        if (need > text->cap) {
            size_t cap = text->cap ? text->cap : 256;
            while (cap < need)
                cap *= 2;
            char *p = co_ld_alloc(ld, cap);
            if (text->count)
                memcpy(p, text->data, text->count);
            text->data = p;
            text->cap = cap;
        }
        vsnprintf(text->data + text->count, (size_t)n + 1, fmt, again);
        text->count += (size_t)n;
    }
    va_end(again);
}

/* Eight bytes a step, multiply and fold (128-bit product, halves xored). */
uint64_t co_ld_hash(const void *data, size_t size)
{
    const uint8_t *p = data;
    uint64_t h = 0x9e3779b97f4a7c15ull ^ size;
    while (size >= 8) {
        unsigned __int128 m = (unsigned __int128)(h ^ ld_get64(p)) * 0xd6e8feb86659fd93ull;
        h = (uint64_t)m ^ (uint64_t)(m >> 64);
        p += 8;
        size -= 8;
    }
    uint64_t tail = 0;
    for (size_t i = 0; i < size; i++)
        tail |= (uint64_t)p[i] << (8 * i);
    unsigned __int128 m = (unsigned __int128)(h ^ tail ^ 0xa0761d6478bd642full) * 0xe7037ed1a0b428dbull;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static struct ld_slot *probe(const struct ld_names *names, const char *name, size_t len, uint64_t hash)
{
    size_t i = (size_t)hash & names->mask;
    for (;; i = (i + 1) & names->mask) {
        struct ld_slot *s = &names->slots[i];
        if (!s->thing)
            return s;
        if (s->hash == (uint32_t)hash && s->name_len == len && !memcmp(s->name, name, len))
            return s;
    }
}

void *co_ld_names_find(const struct ld_names *names, const char *name, size_t len)
{
    return names->slots ? probe(names, name, len, co_ld_hash(name, len))->thing : NULL;
}

void **co_ld_names_place(struct ld *ld, struct ld_names *names, const char *name, size_t len)
{
    return co_ld_names_place_hashed(ld, names, name, len, co_ld_hash(name, len));
}

void co_ld_names_prefetch(const struct ld_names *names, uint64_t hash)
{
    if (names->slots)
        __builtin_prefetch(&names->slots[(size_t)hash & names->mask]);
}

void co_ld_names_prefetch_name(const struct ld_names *names, uint64_t hash)
{
    if (!names->slots)
        return;
    const struct ld_slot *s = &names->slots[(size_t)hash & names->mask];
    if (s->hash != (uint32_t)hash)
        s = &names->slots[((size_t)hash + 1) & names->mask];
    if (s->hash != (uint32_t)hash)
        return;
    __builtin_prefetch(s->name);
    __builtin_prefetch(s->thing);
}

/* The hash in a slot has 32 bits: so have places, and names whose length has more are none. */
static void resize(struct ld *ld, struct ld_names *names, size_t mask)
{
    struct ld_names bigger = { .mask = mask, .count = names->count };
    if (mask > UINT32_MAX)
        co_ld_no_memory(ld);
    bigger.slots = co_ld_array(ld, mask + 1, sizeof *bigger.slots);
    for (size_t i = 0; names->slots && i <= names->mask; i++) {
        struct ld_slot *s = &names->slots[i];
        if (!s->thing)
            continue;
        size_t k = s->hash & mask;
        while (bigger.slots[k].thing)
            k = (k + 1) & mask;
        bigger.slots[k] = *s;
    }
    *names = bigger;
}

void co_ld_names_reserve(struct ld *ld, struct ld_names *names, size_t count)
{
    size_t mask = 255;
    while (mask / 2 < count)
        mask = mask * 2 + 1;
    resize(ld, names, mask);
}

void **co_ld_names_place_hashed(struct ld *ld, struct ld_names *names, const char *name, size_t len, uint64_t hash)
{
    if (len > UINT32_MAX)
        co_ld_no_memory(ld);
    if (!names->slots || names->count * 2 > names->mask)
        resize(ld, names, names->slots ? names->mask * 2 + 1 : 255);
    struct ld_slot *s = probe(names, name, len, hash);
    if (!s->thing) {
        s->hash = (uint32_t)hash;
        s->name = name;
        s->name_len = (uint32_t)len;
        names->count++;
    }
    return &s->thing;
}

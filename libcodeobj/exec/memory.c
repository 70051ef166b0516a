/* SPDX-License-Identifier: MIT
 *
 * exec/memory.c - the device's address space.
 *
 * Allocations are placed upwards with unmapped room between them and addresses are
 * never used twice, so that an overrun or a stale pointer meets nothing.  The host
 * sees zeros until somebody writes: results do not depend on what malloc returned.
 */
#include "exec/device.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/diag.h"

#define FIRST_ADDR 0x0000700000000000u
#define LAST_ADDR 0x00007f0000000000u
#define GAP 0x10000u /* unmapped bytes behind each allocation, at least */

void co_memory_init(struct co_memory *m, uint64_t limit)
{
    *m = (struct co_memory){ .next_addr = FIRST_ADDR, .limit = limit };
}

void co_memory_free(struct co_memory *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->allocs[i].owns_host)
            free(m->allocs[i].host);
    free(m->allocs);
    *m = (struct co_memory){ 0 };
}

/* Index of the first allocation that starts above addr. */
static size_t upper(const struct co_memory *m, uint64_t addr)
{
    size_t lo = 0, hi = m->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (m->allocs[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct co_alloc *co_memory_find(const struct co_memory *m, uint64_t addr)
{
    size_t i = upper(m, addr);
    if (i == 0 || addr - m->allocs[i - 1].addr >= m->allocs[i - 1].size)
        return NULL;
    return &m->allocs[i - 1];
}

const struct co_alloc *co_memory_nearest(const struct co_memory *m, uint64_t addr)
{
    size_t i = upper(m, addr);
    const struct co_alloc *below = i ? &m->allocs[i - 1] : NULL, *above = i < m->count ? &m->allocs[i] : NULL;
    if (!below || !above)
        return below ? below : above;
    uint64_t end = below->addr + below->size;
    uint64_t past = addr < end ? 0 : addr - end;
    return past <= above->addr - addr ? below : above;
}

uint64_t co_memory_place(struct co_memory *m, uint64_t size, uint64_t align)
{
    uint64_t at = (m->next_addr + align - 1) & ~(align - 1);
    if (size > LAST_ADDR - FIRST_ADDR || at > LAST_ADDR - size)
        return 0;
    m->next_addr = (at + size + GAP + 0xffff) & ~(uint64_t)0xffff;
    return at;
}

/* Zeroed, with room to spare, so that a wide host copy near the end stays inside.  A large buffer asks for huge pages
 * before anything is touched: a kernel that streams through it, and whoever fills it, would be kept waiting by small ones. */
static uint8_t *zeroed(uint64_t size)
{
    uint8_t *p = calloc(1, size + 64);
#ifdef MADV_HUGEPAGE
    const uintptr_t huge = 2 * 1024 * 1024;
    if (p && size >= 2 * huge) {
        uintptr_t begin = ((uintptr_t)p + huge - 1) & ~(huge - 1), end = ((uintptr_t)p + size) & ~(huge - 1);
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    }
#endif
    return p;
}

enum codeobj_status co_memory_add(struct co_memory *m, const struct co_alloc *alloc, struct codeobj_diag *diag)
{
    if (alloc->size > m->limit - m->used || m->used > m->limit)
        return co_fail(diag, CODEOBJ_LIMIT, "device memory: %llu bytes wanted, %llu of %llu in use",
                       (unsigned long long)alloc->size, (unsigned long long)m->used, (unsigned long long)m->limit);
    if (m->count == m->capacity) {
        size_t capacity = m->capacity ? 2 * m->capacity : 16;
        struct co_alloc *grown = realloc(m->allocs, capacity * sizeof *grown);
        if (!grown)
            return co_no_memory(diag);
        m->allocs = grown;
        m->capacity = capacity;
    }
    struct co_alloc entry = *alloc;
    if (!entry.host) {
        entry.host = zeroed(entry.size);
        if (!entry.host)
            return co_no_memory(diag);
        entry.owns_host = true;
    }
    size_t i = upper(m, entry.addr);
    memmove(m->allocs + i + 1, m->allocs + i, (m->count - i) * sizeof *m->allocs);
    m->allocs[i] = entry;
    m->count++;
    m->used += entry.size;
    return CODEOBJ_OK;
}

enum codeobj_status co_memory_remove(struct co_memory *m, uint64_t addr, bool user)
{
    size_t i = upper(m, addr);
    if (i == 0 || m->allocs[i - 1].addr != addr || (user && !m->allocs[i - 1].is_user))
        return CODEOBJ_NOT_FOUND;
    struct co_alloc gone = m->allocs[--i];
    memmove(m->allocs + i, m->allocs + i + 1, (m->count - i - 1) * sizeof *m->allocs);
    m->count--;
    m->used -= gone.size;
    if (gone.owns_host)
        free(gone.host);
    return CODEOBJ_OK;
}

uint8_t *co_memory_host(const struct co_memory *m, uint64_t addr, uint64_t size, uint32_t perm)
{
    const struct co_alloc *a = co_memory_find(m, addr);
    if (!a || size > a->size - (addr - a->addr) || (perm & ~a->perm))
        return NULL;
    return a->host + (addr - a->addr);
}

/* ---- what handlers call -------------------------------------------------------- */

uint8_t *co_mem_find(struct co_wave *w, unsigned slot, uint64_t addr, uint64_t size, uint32_t perm)
{
    struct co_view view;
    for (unsigned i = 0; i < CO_VIEWS; i++) {
        const uint64_t in = addr - w->views[i].addr;
        if (in < w->views[i].size && size <= w->views[i].size - in && !(perm & ~w->views[i].perm)) {
            /* Where it was it stays: operations that share a buffer would take it from each other. */
            view = w->views[i];
            w->views[CO_VIEWS - 1] = w->views[slot];
            w->views[slot] = view;
            return view.host + in;
        }
    }
    if (addr - CO_SCRATCH_ADDR < CO_SCRATCH_SPAN) {
        view = (struct co_view){ CO_SCRATCH_ADDR, (uint64_t)w->scratch_size * w->lanes, w->scratch,
                                 CO_PERM_READ | CO_PERM_WRITE };
    } else {
        const struct co_alloc *a = co_memory_find(&co_device_of(w->device)->memory, addr);
        if (!a)
            return NULL;
        view = (struct co_view){ a->addr, a->size, a->host, a->perm };
    }
    uint64_t off = addr - view.addr;
    if (off >= view.size || size > view.size - off || (perm & ~view.perm))
        return NULL;
    w->views[CO_VIEWS - 1] = w->views[slot]; /* not lost at once */
    w->views[slot] = view;
    return view.host + off;
}

enum co_fault_kind co_mem_why(struct co_wave *w, uint64_t addr, uint64_t size, enum co_fault_kind asked)
{
    if (addr - CO_SCRATCH_ADDR < CO_SCRATCH_SPAN)
        return CO_FAULT_SCRATCH;
    const struct co_alloc *a = co_memory_find(&co_device_of(w->device)->memory, addr);
    if (a && size <= a->size - (addr - a->addr) && asked != CO_FAULT_READ && !(a->perm & CO_PERM_WRITE))
        return CO_FAULT_READ_ONLY;
    return asked;
}

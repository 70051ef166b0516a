/* SPDX-License-Identifier: MIT
 *
 * exec/mem.h - what memory handlers see of memory.
 *
 * Three kinds:
 *
 * - Device memory: co_mem() gives a host pointer for an address range, or NULL;
 *   the handler then returns co_fault(w, op, CO_FAULT_READ ..., lane, addr, size, NULL).
 *   The ranges that were hit last are kept in the wave, so that a run of lanes in one
 *   allocation costs a compare each; lanes/memory.c looks up a whole row at once.
 * - LDS: co_lds() gives a pointer or NULL; out of range reads 0 and drops writes, as
 *   the hardware does, and is counted (no fault).
 * - Private memory (scratch): dword-interleaved by lane, as the hardware's swizzle
 *   lays it out: dword d of lane l lies at scratch[(d * lanes + l) * 4].  A kernel
 *   sees it in three ways, all of them this memory: offsets of scratch_*
 *   instructions (co_scratch()), addresses in the private aperture of FLAT
 *   (co_scratch() with the low half), and, before gfx11 and gfx942, swizzled buffers
 *   whose base lies in the range at CO_SCRATCH_ADDR, which co_mem() maps to the
 *   scratch of the wave that asks.
 *
 * FLAT addresses are told apart by their high 32 bits: CO_APERTURE_SHARED and
 * CO_APERTURE_PRIVATE, which src_shared_base and src_private_base hand out.
 *
 * Multi-dword accesses to scratch go dword by dword; addresses need not be aligned
 * in device memory and LDS (unaligned access mode is on), but atomics must be.
 */
#ifndef CO_EXEC_MEM_H
#define CO_EXEC_MEM_H

#include <string.h>

#include "exec/op.h"

#define CO_PERM_READ 1u
#define CO_PERM_WRITE 2u
#define CO_PERM_EXEC 4u

/* High dwords of the apertures; their low dword is 0. */
#define CO_APERTURE_SHARED 0x00010000u
#define CO_APERTURE_PRIVATE 0x00020000u

#define CO_SCRATCH_ADDR 0x0000200000000000u /* swizzled scratch as device addresses, each wave its own */
#define CO_SCRATCH_SPAN 0x0000001000000000u

/* Slow path of co_mem(): looks addr up and keeps the range in w->views[slot]. */
uint8_t *co_mem_find(struct co_wave *w, unsigned slot, uint64_t addr, uint64_t size, uint32_t perm);

/* Host memory of [addr, addr + size), or NULL when that is not one allocation with these permissions.  slot: which of
 * w->views is looked at first; an operation that has one of its own keeps its buffer there. */
static inline uint8_t *co_mem_at(struct co_wave *w, unsigned slot, uint64_t addr, uint64_t size, uint32_t perm)
{
    const struct co_view *view = &w->views[slot];
    uint64_t off = addr - view->addr;
    if (__builtin_expect(off < view->size && size <= view->size - off && !(perm & ~view->perm), 1))
        return view->host + off;
    return co_mem_find(w, slot, addr, size, perm);
}

static inline uint8_t *co_mem(struct co_wave *w, uint64_t addr, uint64_t size, uint32_t perm)
{
    return co_mem_at(w, 0, addr, size, perm);
}

/* Tells the memory hook of an access by lanes, or of one by the wave (lanes 0, one address).  CO_NEXT, or CO_STOP
 * when the hook wants no more (fault.c). */
int co_watch(struct co_wave *w, const struct co_op *op, enum codeobj_exec_space space, enum codeobj_exec_access access,
             uint32_t bytes, const uint64_t *addr, uint64_t lanes);

static inline int co_watched(struct co_wave *w, const struct co_op *op, enum codeobj_exec_space space,
                             enum codeobj_exec_access access, uint32_t bytes, const uint64_t *addr, uint64_t lanes)
{
    return __builtin_expect(!w->watch, 1) ? CO_NEXT : co_watch(w, op, space, access, bytes, addr, lanes);
}

/* Which fault a NULL of co_mem() is: READ/WRITE/ATOMIC as asked, or READ_ONLY. */
enum co_fault_kind co_mem_why(struct co_wave *w, uint64_t addr, uint64_t size, enum co_fault_kind asked);

/* LDS [off, off + size), or NULL, which is noted as a lane's miss. */
static inline uint8_t *co_lds(struct co_wave *w, const struct co_op *op, unsigned lane, uint32_t off, uint32_t size)
{
    const struct co_group *g = w->group;
    if (__builtin_expect(off <= g->lds_size && size <= g->lds_size - off, 1))
        return g->lds + off;
    co_lds_missed(w, op, lane, off, size);
    return NULL;
}

/* A barrier in LDS (gfx1250) after `count` arrivals (mem_ds.c). */
uint64_t co_lds_barrier_arrive(uint64_t state, uint32_t count);

/* The dword that holds byte off of a lane's private segment, or NULL: CO_FAULT_SCRATCH.
 * A 2- or 1-byte access inside it is at + (off & 3). */
static inline uint8_t *co_scratch(struct co_wave *w, unsigned lane, uint32_t off)
{
    if (__builtin_expect(off >= w->scratch_size, 0))
        return NULL;
    return w->scratch + ((size_t)(off >> 2) * w->lanes + lane) * 4;
}

#endif

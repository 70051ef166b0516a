/* SPDX-License-Identifier: MIT
 *
 * exec/smem.c - scalar memory: loads, stores and atomics through the scalar cache.
 *
 * AMD's ISA documents, chapter "Scalar memory operations".  What surprises:
 *  - Addresses are dword-aligned: the low two bits are dropped before the access (but
 *    for the byte and halfword loads of gfx12).
 *  - Buffer forms use base, stride and num_records of the descriptor only; what lies out of
 *    range reads 0 and is not written.
 *  - The immediate offset counts dwords on gfx6 and gfx7, bytes elsewhere.
 *  - s_scratch_* multiply their offset by the wave size: private memory lies in dwords of all lanes, one behind the other.
 */
#include "exec/mem.h"
#include "exec/registry.h"
#include "isa/semantics.h"

#define HANDLER(name) static int name(struct co_wave *w, const struct co_op *op)

/* src[0]: base; src[1]: offset register; imm: immediate offset; dst or data_row: first data register;
 * flags: bits 8-12 dwords, bit 13 buffer, bit 14 scale the offset register, bit 15 scratch. */
#define DWORDS(op) ((op)->flags >> 8 & 31)
#define BUFFER 0x2000u
#define SCRATCH 0x8000u
#define SCALED 0x4000u /* the offset register counts what is loaded (gfx1250) */

static uint64_t base_of(const struct co_wave *w, const struct co_op *op)
{
    const uint32_t *s = &w->s[op->src[0].reg];
    uint64_t base = s[0] | (uint64_t)s[1] << 32;
    return op->flags & BUFFER ? base & 0xffffffffffffu : base;
}

static uint64_t offset_of(const struct co_wave *w, const struct co_op *op)
{
    uint64_t reg = co_scalar(w, &op->src[1]);
    const uint64_t offset = (uint64_t)op->imm + (op->flags & SCALED ? reg * op->dst2 : reg);
    return op->flags & SCRATCH ? offset * w->lanes : offset;
}

/* Bytes that a buffer descriptor lets through. */
static uint64_t buffer_size(const struct co_wave *w, const struct co_op *op)
{
    const uint32_t *s = &w->s[op->src[0].reg];
    uint32_t stride = s[1] >> 16 & 0x3fff;
    return stride ? (uint64_t)stride * s[2] : s[2];
}

HANDLER(load)
{
    unsigned n = DWORDS(op);
    uint64_t off = offset_of(w, op), base = base_of(w, op);
    if (op->flags & BUFFER) {
        uint32_t value[16] = { 0 };
        uint64_t size = buffer_size(w, op);
        off &= ~(uint64_t)3;
        for (unsigned i = 0; i < n; i++) {
            if (off + 4 * i + 4 > size)
                continue;
            const uint64_t at = (base & ~(uint64_t)3) + off + 4 * i;
            if (co_watched(w, op, CODEOBJ_EXEC_DEVICE, CODEOBJ_EXEC_READ, 4, &at, 0) != CO_NEXT)
                return CO_STOP;
            const uint8_t *p = co_mem(w, at, 4, CO_PERM_READ);
            if (!p)
                return co_fault(w, op, CO_FAULT_READ, 255, base + off + 4 * i, 4, NULL);
            memcpy(&value[i], p, 4);
        }
        memcpy(&w->s[op->dst], value, 4 * n);
    } else {
        uint64_t addr = (base + off) & ~(uint64_t)3;
        if (co_watched(w, op, CODEOBJ_EXEC_DEVICE, CODEOBJ_EXEC_READ, 4 * n, &addr, 0) != CO_NEXT)
            return CO_STOP;
        const uint8_t *p = co_mem_at(w, CO_VIEW_SCALAR, addr, 4 * n, CO_PERM_READ);
        if (!p)
            return co_fault(w, op, co_mem_why(w, addr, 4 * n, CO_FAULT_READ), 255, addr, 4 * n, NULL);
        memcpy(&w->s[op->dst], p, 4 * n);
    }
    if (op->flags & CO_OP_EXEC_DST)
        co_exec_changed(w);
    return CO_NEXT;
}

/* Where n dwords are that have no buffer, no register in the offset and not EXEC for a destination; NULL: not where the last
 * ones were, or somebody wants to know. */
static inline const uint8_t *plain_place(const struct co_wave *w, const struct co_op *op, unsigned n)
{
    const uint32_t *s = &w->s[op->src[0].reg];
    const uint64_t addr = ((s[0] | (uint64_t)s[1] << 32) + (uint64_t)op->imm) & ~(uint64_t)3;
    const struct co_view *const view = &w->views[CO_VIEW_SCALAR];
    const uint64_t in = addr - view->addr;
    return in < view->size && 4 * n <= view->size - in && view->perm & CO_PERM_READ && !w->watch ? view->host + in : NULL;
}

static inline int load_plain(struct co_wave *w, const struct co_op *op, unsigned n)
{
    const uint8_t *const p = plain_place(w, op, n);
    if (!p)
        return load(w, op);
    memcpy(&w->s[op->dst], p, 4 * n);
    return CO_NEXT;
}
HANDLER(load_1) { return load_plain(w, op, 1); }
HANDLER(load_2) { return load_plain(w, op, 2); }
HANDLER(load_4) { return load_plain(w, op, 4); }
HANDLER(load_8) { return load_plain(w, op, 8); }
HANDLER(load_any) { return load_plain(w, op, DWORDS(op)); }

static co_handler *plain_load(unsigned dwords)
{
    switch (dwords) {
    case 1: return load_1;
    case 2: return load_2;
    case 4: return load_4;
    case 8: return load_8;
    default: return load_any;
    }
}

/* Byte and halfword loads of gfx12: data is the width in bytes, negative when signed. */
static int load_small(struct co_wave *w, const struct co_op *op, unsigned bytes, bool sign)
{
    uint64_t off = offset_of(w, op), addr = base_of(w, op) + off;
    uint32_t value = 0;
    if (!(op->flags & BUFFER) || off + bytes <= buffer_size(w, op)) {
        if (co_watched(w, op, CODEOBJ_EXEC_DEVICE, CODEOBJ_EXEC_READ, bytes, &addr, 0) != CO_NEXT)
            return CO_STOP;
        const uint8_t *p = co_mem(w, addr, bytes, CO_PERM_READ);
        if (!p)
            return co_fault(w, op, CO_FAULT_READ, 255, addr, bytes, NULL);
        memcpy(&value, p, bytes);
    }
    if (sign)
        value = bytes == 1 ? (uint32_t)(int8_t)value : (uint32_t)(int16_t)value;
    co_scalar_put(w, op, value);
    return CO_NEXT;
}
HANDLER(load_u8) { return load_small(w, op, 1, false); }
HANDLER(load_i8) { return load_small(w, op, 1, true); }
HANDLER(load_u16) { return load_small(w, op, 2, false); }
HANDLER(load_i16) { return load_small(w, op, 2, true); }

HANDLER(store)
{
    unsigned n = DWORDS(op);
    uint64_t off = offset_of(w, op), addr = (base_of(w, op) + off) & ~(uint64_t)3;
    if (op->flags & BUFFER) {
        uint64_t size = buffer_size(w, op);
        while (n && (off & ~(uint64_t)3) + 4 * n > size)
            n--;
        if (!n)
            return CO_NEXT;
    }
    if (co_watched(w, op, CODEOBJ_EXEC_DEVICE, CODEOBJ_EXEC_WRITE, 4 * n, &addr, 0) != CO_NEXT)
        return CO_STOP;
    uint8_t *p = co_mem(w, addr, 4 * n, CO_PERM_WRITE);
    if (!p)
        return co_fault(w, op, co_mem_why(w, addr, 4 * n, CO_FAULT_WRITE), 255, addr, 4 * n, NULL);
    memcpy(p, &w->s[op->data_row], 4 * n);
    return CO_NEXT;
}

/* ---- atomics ------------------------------------------------------------------------------- */

enum { A_SWAP, A_CMPSWAP, A_ADD, A_SUB, A_SMIN, A_UMIN, A_SMAX, A_UMAX, A_AND, A_OR, A_XOR, A_INC, A_DEC };

static uint64_t combine(unsigned what, uint64_t old, uint64_t data, uint64_t compare, bool wide)
{
    int64_t so = wide ? (int64_t)old : (int32_t)old, sd = wide ? (int64_t)data : (int32_t)data;
    switch (what) {
    case A_SWAP: return data;
    case A_CMPSWAP: return old == compare ? data : old;
    case A_ADD: return old + data;
    case A_SUB: return old - data;
    case A_SMIN: return so < sd ? old : data;
    case A_UMIN: return old < data ? old : data;
    case A_SMAX: return so > sd ? old : data;
    case A_UMAX: return old > data ? old : data;
    case A_AND: return old & data;
    case A_OR: return old | data;
    case A_XOR: return old ^ data;
    case A_INC: return old >= data ? 0 : old + 1;
    default: return old == 0 || old > data ? data : old - 1;
    }
}

HANDLER(atomic)
{
    unsigned what = (unsigned)(op->flags >> 16 & 15);
    bool wide = op->flags >> 20 & 1, returns = op->flags >> 21 & 1;
    unsigned bytes = wide ? 8 : 4;
    uint64_t off = offset_of(w, op), addr = (base_of(w, op) + off) & ~(uint64_t)3;
    const uint32_t *s = &w->s[op->data_row];
    uint64_t data = s[0], compare = s[1], old;
    if (wide) {
        data = s[0] | (uint64_t)s[1] << 32;
        compare = s[2] | (uint64_t)s[3] << 32;
    }
    if ((op->flags & BUFFER) && off + bytes > buffer_size(w, op)) {
        old = 0;
    } else {
        if (co_watched(w, op, CODEOBJ_EXEC_DEVICE, CODEOBJ_EXEC_ATOMIC, bytes, &addr, 0) != CO_NEXT)
            return CO_STOP;
        uint8_t *p = co_mem(w, addr, bytes, CO_PERM_WRITE);
        if (!p)
            return co_fault(w, op, co_mem_why(w, addr, bytes, CO_FAULT_ATOMIC), 255, addr, bytes, NULL);
        if ((uintptr_t)p & (bytes - 1))
            return co_fault(w, op, CO_FAULT_MISALIGNED, 255, addr, bytes, NULL);
        if (wide) {
            _Atomic uint64_t *cell = (_Atomic uint64_t *)(void *)p;
            old = atomic_load(cell);
            while (!atomic_compare_exchange_weak(cell, &old, combine(what, old, data, compare, true)))
                ;
        } else {
            _Atomic uint32_t *cell = (_Atomic uint32_t *)(void *)p;
            uint32_t old32 = atomic_load(cell);
            while (!atomic_compare_exchange_weak(cell, &old32, (uint32_t)combine(what, old32, data, compare, false)))
                ;
            old = old32;
        }
    }
    if (returns) {
        w->s[op->data_row] = (uint32_t)old;
        if (wide)
            w->s[op->data_row + 1] = (uint32_t)(old >> 32);
    }
    return CO_NEXT;
}

/* ---- builders --------------------------------------------------------------------------------- */

static enum codeobj_status build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->fn = b->row->fn;
    const struct codeobj_isa_operand *base = co_operand_of(b, inst, CODEOBJ_ROLE_SADDR);
    const struct codeobj_isa_operand *soff = co_operand_of(b, inst, CODEOBJ_ROLE_SOFFSET);
    const struct codeobj_isa_operand *data = co_operand_of(b, inst, CODEOBJ_ROLE_DATA0);
    enum codeobj_status status = co_build_operands(b, inst, op);
    if (!base || base->kind != CODEOBJ_OPERAND_SGPR || status) {
        b->why = b->why ? b->why : "scalar memory without a base";
        return status ? status : CODEOBJ_UNSUPPORTED;
    }
    op->src_count = 2;
    status = co_build_src(b, base, &op->src[0]);
    if (status == CODEOBJ_OK)
        status = co_build_src(b, soff, &op->src[1]);
    if (op->src[1].kind == CO_SRC_SGPR && op->src[1].reg == CO_S_ZERO)
        op->src[1].kind = CO_SRC_NONE; /* NULL: off */
    op->imm = inst->mod.offset;
    if (b->processor->gen <= CODEOBJ_GEN_GFX7)
        op->imm *= 4;
    if (inst->mod.scale_offset) {
        /* dst2 is free here: bytes of one datum. */
        unsigned small = b->row->fn == load_u8 || b->row->fn == load_i8 ? 1 : b->row->fn == load_u16 || b->row->fn == load_i16 ? 2 : 0;
        op->dst2 = (uint16_t)(small ? small : 4u * op->dst_dwords);
        op->flags |= SCALED;
    }
    op->flags |= (uint32_t)b->row->data | (base->dwords == 4 ? BUFFER : 0);
    if (op->dst_kind == CO_DST_SGPR && !data && !(b->row->data >> 16)) {
        op->flags |= (uint32_t)op->dst_dwords << 8;
        if (op->fn == load && op->src[1].kind == CO_SRC_NONE && !(op->flags & (BUFFER | SCRATCH | CO_OP_EXEC_DST)))
            op->fn = plain_load(op->dst_dwords);
    } else if (data || op->dst_kind == CO_DST_SGPR) {
        const struct codeobj_isa_operand *o = data ? data : co_operand_of(b, inst, CODEOBJ_ROLE_DSTSRC);
        if (!o || o->kind != CODEOBJ_OPERAND_SGPR || o->reg + o->dwords > 128) {
            b->why = "scalar data operand";
            return CODEOBJ_UNSUPPORTED;
        }
        op->data_row = o->reg;
        op->flags |= (uint32_t)o->dwords << 8;
        if (!data)
            op->flags |= 1u << 21;
    }
    return status;
}

#define ROW(sem, fn, data) CO_ROW(CO_SEM_##sem, build, fn, NULL, data, false)
#define LOADS(p) \
    ROW(p##_dword, load, 0), ROW(p##_dwordx2, load, 0), ROW(p##_dwordx4, load, 0)
#define STORES(p) ROW(p##_dword, store, 0), ROW(p##_dwordx2, store, 0), ROW(p##_dwordx4, store, 0)
#define ATOMIC(name, what)                                                                               \
    ROW(s_atomic_##name, atomic, (what) << 16 | 1u << 22), ROW(s_atomic_##name##_x2, atomic, (what) << 16 | 1u << 20 | 1u << 22), \
        ROW(s_buffer_atomic_##name, atomic, (what) << 16 | 1u << 22),                                     \
        ROW(s_buffer_atomic_##name##_x2, atomic, (what) << 16 | 1u << 20 | 1u << 22)

void co_family_smem(struct co_sem_row *rows)
{
    LOADS(s_load), ROW(s_load_dwordx3, load, 0), ROW(s_load_dwordx8, load, 0), ROW(s_load_dwordx16, load, 0),
    LOADS(s_buffer_load), ROW(s_buffer_load_dwordx3, load, 0), ROW(s_buffer_load_dwordx8, load, 0),
    ROW(s_buffer_load_dwordx16, load, 0),
    ROW(s_load_u8, load_u8, 0), ROW(s_load_i8, load_i8, 0), ROW(s_load_u16, load_u16, 0), ROW(s_load_i16, load_i16, 0),
    ROW(s_buffer_load_u8, load_u8, 0), ROW(s_buffer_load_i8, load_i8, 0), ROW(s_buffer_load_u16, load_u16, 0),
    ROW(s_buffer_load_i16, load_i16, 0),
    STORES(s_store), STORES(s_buffer_store),
    ROW(s_scratch_load_dword, load, SCRATCH), ROW(s_scratch_load_dwordx2, load, SCRATCH), ROW(s_scratch_load_dwordx4, load, SCRATCH),
    ROW(s_scratch_store_dword, store, SCRATCH), ROW(s_scratch_store_dwordx2, store, SCRATCH), ROW(s_scratch_store_dwordx4, store, SCRATCH),
    ATOMIC(swap, A_SWAP), ATOMIC(cmpswap, A_CMPSWAP), ATOMIC(add, A_ADD), ATOMIC(sub, A_SUB), ATOMIC(smin, A_SMIN),
    ATOMIC(umin, A_UMIN), ATOMIC(smax, A_SMAX), ATOMIC(umax, A_UMAX), ATOMIC(and, A_AND), ATOMIC(or, A_OR),
    ATOMIC(xor, A_XOR), ATOMIC(inc, A_INC), ATOMIC(dec, A_DEC);
}

/* SPDX-License-Identifier: MIT
 *
 * exec/mem_ds.c - LDS instructions.
 *
 * The address is addr + offset in 32 bits; two-address forms have two 8-bit offsets
 * in elements, or in 64 elements.  Out of range reads give 0 and writes are dropped.
 * Lanes go in order, so that of several writes to one place the highest lane's
 * stays and atomics see each other's results.
 *
 * Rules: ISA documents, "Data share operations".  ds_cmpst (to gfx10) has comparand
 * and new value the other way round than ds_cmpstore (gfx11 on).
 */
#include "exec/access.h"
#include "exec/registry.h"
#include "isa/semantics.h"

#include <codeobj/subgroup.h>

struct plan {
    struct co_access access;
    struct co_rows rows;
    co_move_fn *move;    /* NULL: the first of two results would land on what the second needs */
    uint32_t offset[2];
    uint8_t group;       /* lanes that ds_permute and ds_bpermute span */
    bool fetch_inactive, rotate_fft;
    uint8_t element;     /* transposing loads: bits */
};

static void ds_addresses(struct co_wave *w, const struct co_op *op, uint32_t offset, uint64_t *addr)
{
    const uint32_t *row = co_row(w, op, 0);
    for (unsigned i = 0; i < w->lanes; i++)
        addr[i] = row[i] + offset;
}

/* All lanes at once, if they are within LDS. */
static bool ds_move(struct co_wave *w, const struct co_op *op, const struct plan *p, uint32_t offset, struct co_rows rows)
{
    return p->move && p->move(w, CO_SPACE_LDS, &p->access, &(struct co_lanes_at){ .base = offset, .off = co_row(w, op, 0) }, rows);
}

static int ds_access(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    uint64_t addr[CO_LANES_MAX];
    if (ds_move(w, op, p, p->offset[0], p->rows))
        return CO_NEXT;
    ds_addresses(w, op, p->offset[0], addr);
    return co_access(w, op, CO_SPACE_LDS, &p->access, addr, co_on(w), p->rows);
}

/* Loads and exchanges of two elements: results one behind the other.  Stores: data0, then data1. */
static int ds_access2(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    const unsigned dwords = p->access.bytes / 4;
    uint64_t addr[2][CO_LANES_MAX];
    struct co_rows second = p->rows;
    second.data = p->rows.cmp;
    if (second.dst != CO_NO_ROW)
        second.dst = (uint16_t)(second.dst + dwords);
    const bool first_done = ds_move(w, op, p, p->offset[0], p->rows);
    if (first_done && ds_move(w, op, p, p->offset[1], second))
        return CO_NEXT;
    ds_addresses(w, op, p->offset[0], addr[0]); /* before a result lands on the address */
    ds_addresses(w, op, p->offset[1], addr[1]);
    if (p->access.kind == CO_ACCESS_ATOMIC) {
        /* The first result must not land on the second operand. */
        struct co_rows first = p->rows;
        first.dst = CO_ROW_TMP;
        if (co_access(w, op, CO_SPACE_LDS, &p->access, addr[0], co_on(w), first) != CO_NEXT ||
            co_access(w, op, CO_SPACE_LDS, &p->access, addr[1], co_on(w), second) != CO_NEXT)
            return CO_STOP;
        unsigned lane;
        for (unsigned r = 0; r < dwords; r++)
            CO_EACH_ON(lane, co_on(w))
                w->v[p->rows.dst + r][lane] = w->v[CO_ROW_TMP + r][lane];
        return CO_NEXT;
    }
    if (!first_done && co_access(w, op, CO_SPACE_LDS, &p->access, addr[0], co_on(w), p->rows) != CO_NEXT)
        return CO_STOP;
    return co_access(w, op, CO_SPACE_LDS, &p->access, addr[1], co_on(w), second);
}

/* ds_{read,write}_addtid: M0 + offset + lane * 4; the low half of M0 counts. */
static int ds_addtid(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    uint64_t addr[CO_LANES_MAX];
    for (unsigned i = 0; i < w->lanes; i++)
        addr[i] = (w->s[op->dst2] & 0xffff) + p->offset[0] + 4 * i;
    return co_access(w, op, CO_SPACE_LDS, &p->access, addr, co_on(w), p->rows);
}

/* ds_append, ds_consume: one counter moves by the number of active lanes, all get its old value. */
static int ds_append(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    const uint64_t exec = co_on(w);
    uint32_t old = 0, count = codeobj_bcnt(exec);
    const uint64_t where = (w->s[op->dst2] & 0xffff) + p->offset[0];
    unsigned lane;
    if (co_watched(w, op, CODEOBJ_EXEC_LDS, CODEOBJ_EXEC_ATOMIC, 4, &where, 0) != CO_NEXT)
        return CO_STOP;
    uint8_t *at = co_lds(w, op, 255, (uint32_t)where, 4);
    if (at) {
        memcpy(&old, at, 4);
        uint32_t now = p->access.atomic == CO_ATOMIC_ADD ? old + count : old - count;
        memcpy(at, &now, 4);
    }
    CO_EACH_ON(lane, exec)
        w->v[p->rows.dst][lane] = old;
    return CO_NEXT;
}

/* ---- lanes through the LDS crossbar ---------------------------------------------- */

static int put_map(struct co_wave *w, const struct plan *p, const struct codeobj_lane_map *map, const uint32_t *src)
{
    codeobj_lane_map_apply(map, w->lanes, src, w->v[p->rows.dst], w->v[p->rows.dst]);
    return CO_NEXT;
}

static int ds_swizzle(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    struct codeobj_lane_map map;
    codeobj_ds_swizzle_map(p->offset[0], p->rotate_fft, co_on(w), w->lanes, &map);
    return put_map(w, p, &map, co_row(w, op, 0));
}

static int ds_bpermute(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    struct codeobj_lane_map map;
    codeobj_ds_bpermute_map(co_row(w, op, 0), p->offset[0], p->fetch_inactive, co_on(w), w->lanes, p->group, &map);
    return put_map(w, p, &map, w->v[p->rows.data]);
}

static int ds_permute(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    struct codeobj_lane_map map;
    codeobj_ds_permute_map(co_row(w, op, 0), p->offset[0], co_on(w), w->lanes, p->group, &map);
    return put_map(w, p, &map, w->v[p->rows.data]);
}

/* ---- src2 forms (gfx9, gfx1010): LDS onto LDS -------------------------------------- */

/* Operand B lies (signed) dwords from operand A: offset[14:0] of them, or, with offset[15], as many as the top 15
 * bits of the address say, whose low 17 bits then are A. */
static int ds_src2(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    const uint32_t *row = co_row(w, op, 0);
    const unsigned bytes = p->access.bytes;
    const uint32_t offset = p->offset[0];
    unsigned lane;
    CO_EACH_ON(lane, co_on(w)) {
        const int32_t distance = offset & 0x8000 ? (int32_t)row[lane] >> 17 : (int32_t)(offset << 17) >> 17;
        const uint32_t at = offset & 0x8000 ? row[lane] & 0x1ffff : row[lane];
        const uint64_t where[2] = { at, at + 4 * (uint32_t)distance };
        uint64_t x = 0, y = 0;
        if (co_watched(w, op, CODEOBJ_EXEC_LDS, CODEOBJ_EXEC_READ, bytes, &where[1], 0) != CO_NEXT ||
            co_watched(w, op, CODEOBJ_EXEC_LDS, CODEOBJ_EXEC_WRITE, bytes, &where[0], 0) != CO_NEXT)
            return CO_STOP;
        uint8_t *a = co_lds(w, op, lane, at, bytes), *b = co_lds(w, op, lane, at + 4 * (uint32_t)distance, bytes);
        if (a)
            memcpy(&x, a, bytes);
        if (b)
            memcpy(&y, b, bytes);
        x = co_atomic_apply(p->access.atomic, bytes, x, y, 0);
        if (a)
            memcpy(a, &x, bytes);
    }
    return CO_NEXT;
}

/* ---- transposing loads (gfx950) ------------------------------------------------------ */

/* The elements that 16 lanes load, one lane's behind the other's, are rows of 16; lane i of the sixteen gets column i. */
static int ds_transposed(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    const unsigned bits = p->element, bytes = p->access.bytes, count = 8 * bytes / bits;
    const uint32_t *row = co_row(w, op, 0);
    const uint64_t exec = co_on(w);
    uint64_t where[CO_LANES_MAX];
    for (unsigned i = 0; i < w->lanes; i++)
        where[i] = (uint32_t)(row[i] + p->offset[0]);
    if (exec && co_watched(w, op, CODEOBJ_EXEC_LDS, CODEOBJ_EXEC_READ, bytes, where, exec) != CO_NEXT)
        return CO_STOP;
    for (unsigned group = 0; group < w->lanes; group += 16) {
        uint8_t in[16 * 12 + 8] = { 0 };
        for (unsigned i = 0; i < 16; i++) {
            const uint8_t *at = exec >> (group + i) & 1 ? co_lds(w, op, group + i, row[group + i] + p->offset[0], bytes) : NULL;
            if (at)
                memcpy(in + i * bytes, at, bytes);
        }
        for (unsigned i = 0; i < 16; i++) {
            uint32_t out[3] = { 0 };
            if (!(exec >> (group + i) & 1))
                continue;
            for (unsigned r = 0; r < count; r++) {
                const unsigned from = (16 * r + i) * bits, to = r * bits;
                uint32_t v = in[from / 8] | (uint32_t)in[from / 8 + 1] << 8 | (uint32_t)in[from / 8 + 2] << 16;
                uint64_t placed = (uint64_t)(v >> from % 8 & ((1u << bits) - 1)) << to % 32;
                out[to / 32] |= (uint32_t)placed;
                if (placed >> 32)
                    out[to / 32 + 1] |= (uint32_t)(placed >> 32);
            }
            for (unsigned d = 0; d < bytes / 4; d++)
                w->v[p->rows.dst + d][group + i] = out[d];
        }
    }
    return CO_NEXT;
}

/* gfx1250 */
static int ds_transposed32(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    const unsigned dwords = p->access.bytes / 4u;
    const struct co_rows rows = { CO_ROW_TMP, CO_NO_ROW, CO_NO_ROW };
    uint64_t addr[CO_LANES_MAX];
    ds_addresses(w, op, p->offset[0], addr);
    if (!co_on(w))
        return CO_NEXT;
    int step = co_access(w, op, CO_SPACE_LDS, &p->access, addr, w->lane_mask, rows);
    if (step == CO_NEXT)
        co_access_transpose(w, p->element, dwords, CO_ROW_TMP, p->rows.dst);
    return step;
}

/* ---- barriers in LDS (gfx1250) ------------------------------------------------------- */

/* [28:0] arrivals that are left, [31:29] phase, [60:32] what is left when a phase begins: one less than the arrivals
 * that end it.  An arrival at 0 left ends the phase: the borrow goes into its number. */
#define LEFT 0x1fffffffu
uint64_t co_lds_barrier_arrive(uint64_t state, uint32_t count)
{
    const uint64_t each = (state >> 32 & LEFT) + 1;
    uint32_t left = (uint32_t)state & LEFT, phase = (uint32_t)state >> 29;
    if (count <= left) {
        left -= count;
    } else {
        const uint64_t over = count - left - 1u;
        phase -= 1u + (uint32_t)(over / each);
        left = (uint32_t)(each - 1 - over % each);
    }
    return (state & ~(uint64_t)0xffffffffu) | phase << 29 | left;
}

/* What has been copied asynchronously is there already, so both forms arrive at once, lane by lane; one without data
 * arrives once. */
static int ds_arrive(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    const uint32_t *row = co_row(w, op, 0);
    uint32_t at[CO_LANES_MAX];
    unsigned lane;
    memcpy(at, row, sizeof at); /* results may land on the addresses */
    uint64_t where[CO_LANES_MAX];
    for (unsigned i = 0; i < w->lanes; i++)
        where[i] = (uint32_t)(at[i] + p->offset[0]);
    if (co_on(w) && co_watched(w, op, CODEOBJ_EXEC_LDS, CODEOBJ_EXEC_ATOMIC, 8, where, co_on(w)) != CO_NEXT)
        return CO_STOP;
    CO_EACH_ON(lane, co_on(w)) {
        uint8_t *cell = co_lds(w, op, lane, at[lane] + p->offset[0], 8);
        uint64_t old = 0;
        if (cell) {
            memcpy(&old, cell, 8);
            const uint64_t now = co_lds_barrier_arrive(old, p->rows.data == CO_NO_ROW ? 1 : w->v[p->rows.data][lane]);
            memcpy(cell, &now, 8);
        }
        if (p->rows.dst != CO_NO_ROW) {
            w->v[p->rows.dst][lane] = (uint32_t)old;
            w->v[p->rows.dst + 1][lane] = (uint32_t)(old >> 32);
        }
    }
    return CO_NEXT;
}

static int ds_nop(struct co_wave *w, const struct co_op *op)
{
    (void)w;
    (void)op;
    return CO_NEXT;
}

/* ---- builders ------------------------------------------------------------------------ */

static enum codeobj_status build_plan(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op,
                                      struct plan **out)
{
    if (inst->mod.gds) {
        b->why = "global data share";
        return CODEOBJ_UNSUPPORTED;
    }
    struct plan *p = co_arena_alloc(b->arena, sizeof *p);
    if (!p)
        return CODEOBJ_NO_MEMORY;
    p->access = co_access_unpack(b->row->data);
    p->offset[0] = (uint32_t)inst->mod.offset & 0xffff;
    enum codeobj_status status = CODEOBJ_OK;
    if (b->row->fn != ds_src2)
        status = co_access_rows(b, inst, &p->access, &p->rows);
    const struct codeobj_isa_operand *addr = co_operand_of(b, inst, CODEOBJ_ROLE_ADDR);
    if (status == CODEOBJ_OK)
        status = co_build_src(b, addr, &op->src[0]);
    op->src_count = 1;
    op->dst2 = (uint16_t)co_reg_m0(b);
    op->aux = p;
    op->fn = b->row->fn ? b->row->fn : ds_access;
    p->move = co_mover_for(b)->move;
    *out = p;
    return status;
}

static enum codeobj_status build_ds(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct plan *p;
    enum codeobj_status status = build_plan(b, inst, op, &p);
    if (status != CODEOBJ_OK)
        return status;
    if (b->row->data & CO_ACCESS_SWAP_DATA) { /* comparand in data0, new value in data1 */
        uint16_t data = p->rows.data;
        p->rows.data = p->rows.cmp;
        p->rows.cmp = data;
    }
    return status;
}

static enum codeobj_status build_ds2(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct plan *p;
    enum codeobj_status status = build_plan(b, inst, op, &p);
    if (status != CODEOBJ_OK)
        return status;
    const uint32_t unit = p->access.bytes * (b->row->data & CO_ACCESS_STRIDE64 ? 64u : 1u);
    p->offset[1] = ((uint32_t)inst->mod.offset >> 8 & 0xff) * unit;
    p->offset[0] = ((uint32_t)inst->mod.offset & 0xff) * unit;
    const unsigned dwords = p->access.bytes / 4u;
    if (p->rows.dst != CO_NO_ROW) {
        co_build_touches(b, p->rows.dst, 2 * dwords);
        if (p->access.kind == CO_ACCESS_ATOMIC ||
            (op->src[0].kind == CO_SRC_ROW && op->src[0].reg >= p->rows.dst && op->src[0].reg < p->rows.dst + dwords))
            p->move = NULL;
    }
    op->fn = ds_access2;
    return status;
}

static enum codeobj_status build_permute(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct plan *p;
    enum codeobj_status status = build_plan(b, inst, op, &p);
    if (status != CODEOBJ_OK)
        return status;
    p->group = (uint8_t)codeobj_permute_group(b->processor, b->wave);
    p->rotate_fft = b->processor->gen >= CODEOBJ_GEN_GFX9;
    p->fetch_inactive = b->row->data & CO_ACCESS_FI;
    return status;
}

/* Forms that find all they need in the plan. */
static enum codeobj_status build_bare(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct plan *p;
    return build_plan(b, inst, op, &p);
}

static enum codeobj_status build_transposed(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct plan *p;
    enum codeobj_status status = build_plan(b, inst, op, &p);
    if (status == CODEOBJ_OK)
        p->element = (uint8_t)(b->row->data >> 40);
    return status;
}

static enum codeobj_status build_nop(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    (void)b;
    (void)inst;
    op->fn = ds_nop;
    return CODEOBJ_OK;
}

#define ROW(name, build, fn, kind, bytes, ext, atomic, flags) \
    CO_ROW(CO_SEM_##name, build, fn, NULL,                                                                      \
           CO_ACCESS_DATA(CO_ACCESS_##kind, bytes, CO_EXT_##ext, CO_ATOMIC_##atomic) | (flags), false)
#define LOAD(name, bytes, ext) ROW(name, build_ds, NULL, LOAD, bytes, ext, NONE, 0)
#define STORE(name, bytes, ext) ROW(name, build_ds, NULL, STORE, bytes, ext, NONE, 0)
#define ATOMIC(name, bytes, atomic) ROW(name, build_ds, NULL, ATOMIC, bytes, NONE, atomic, 0)
#define COMPARE(name, bytes, atomic, flags) ROW(name, build_ds, NULL, ATOMIC, bytes, NONE, atomic, flags)
#define PAIR(name, kind, bytes, atomic, flags) ROW(name, build_ds2, NULL, kind, bytes, NONE, atomic, flags)
#define SRC2(name, bytes, atomic) ROW(name, build_bare, ds_src2, ATOMIC, bytes, NONE, atomic, 0)
#define TRANSPOSED(name, bytes, bits) \
    ROW(name, build_transposed, ds_transposed, LOAD, bytes, NONE, NONE, CO_ACCESS_ELEMENT(bits))
#define TRANSPOSED32(name, bytes, bits) \
    ROW(name, build_transposed, ds_transposed32, LOAD, bytes, NONE, NONE, CO_ACCESS_ELEMENT(bits))

void co_family_ds(struct co_sem_row *rows)
{
    LOAD(ds_load_u8, 1, U8),
    LOAD(ds_load_i8, 1, I8),
    LOAD(ds_load_u16, 2, U16),
    LOAD(ds_load_i16, 2, I16),
    LOAD(ds_load_u8_d16, 1, U8_LO),
    LOAD(ds_load_u8_d16_hi, 1, U8_HI),
    LOAD(ds_load_i8_d16, 1, I8_LO),
    LOAD(ds_load_i8_d16_hi, 1, I8_HI),
    LOAD(ds_load_u16_d16, 2, B16_LO),
    LOAD(ds_load_u16_d16_hi, 2, B16_HI),
    LOAD(ds_load_b32, 4, NONE),
    LOAD(ds_load_b64, 8, NONE),
    LOAD(ds_load_b96, 12, NONE),
    LOAD(ds_load_b128, 16, NONE),
    STORE(ds_store_b8, 1, NONE),
    STORE(ds_store_b16, 2, NONE),
    STORE(ds_store_b8_d16_hi, 1, U8_HI),
    STORE(ds_store_b16_d16_hi, 2, B16_HI),
    STORE(ds_store_b32, 4, NONE),
    STORE(ds_store_b64, 8, NONE),
    STORE(ds_store_b96, 12, NONE),
    STORE(ds_store_b128, 16, NONE),
    PAIR(ds_load_2addr_b32, LOAD, 4, NONE, 0),
    PAIR(ds_load_2addr_stride64_b32, LOAD, 4, NONE, CO_ACCESS_STRIDE64),
    PAIR(ds_store_2addr_b32, STORE, 4, NONE, 0),
    PAIR(ds_store_2addr_stride64_b32, STORE, 4, NONE, CO_ACCESS_STRIDE64),
    PAIR(ds_storexchg_2addr_rtn_b32, ATOMIC, 4, SWAP, 0),
    PAIR(ds_storexchg_2addr_stride64_rtn_b32, ATOMIC, 4, SWAP, CO_ACCESS_STRIDE64),
    PAIR(ds_load_2addr_b64, LOAD, 8, NONE, 0),
    PAIR(ds_load_2addr_stride64_b64, LOAD, 8, NONE, CO_ACCESS_STRIDE64),
    PAIR(ds_store_2addr_b64, STORE, 8, NONE, 0),
    PAIR(ds_store_2addr_stride64_b64, STORE, 8, NONE, CO_ACCESS_STRIDE64),
    PAIR(ds_storexchg_2addr_rtn_b64, ATOMIC, 8, SWAP, 0),
    PAIR(ds_storexchg_2addr_stride64_rtn_b64, ATOMIC, 8, SWAP, CO_ACCESS_STRIDE64),
    ATOMIC(ds_add_u32, 4, ADD),
    ATOMIC(ds_add_rtn_u32, 4, ADD),
    ATOMIC(ds_add_u64, 8, ADD),
    ATOMIC(ds_add_rtn_u64, 8, ADD),
    ATOMIC(ds_sub_u32, 4, SUB),
    ATOMIC(ds_sub_rtn_u32, 4, SUB),
    ATOMIC(ds_sub_u64, 8, SUB),
    ATOMIC(ds_sub_rtn_u64, 8, SUB),
    ATOMIC(ds_rsub_u32, 4, RSUB),
    ATOMIC(ds_rsub_rtn_u32, 4, RSUB),
    ATOMIC(ds_rsub_u64, 8, RSUB),
    ATOMIC(ds_rsub_rtn_u64, 8, RSUB),
    ATOMIC(ds_inc_u32, 4, INC),
    ATOMIC(ds_inc_rtn_u32, 4, INC),
    ATOMIC(ds_inc_u64, 8, INC),
    ATOMIC(ds_inc_rtn_u64, 8, INC),
    ATOMIC(ds_dec_u32, 4, DEC),
    ATOMIC(ds_dec_rtn_u32, 4, DEC),
    ATOMIC(ds_dec_u64, 8, DEC),
    ATOMIC(ds_dec_rtn_u64, 8, DEC),
    ATOMIC(ds_min_i32, 4, SMIN),
    ATOMIC(ds_min_rtn_i32, 4, SMIN),
    ATOMIC(ds_min_i64, 8, SMIN),
    ATOMIC(ds_min_rtn_i64, 8, SMIN),
    ATOMIC(ds_max_i32, 4, SMAX),
    ATOMIC(ds_max_rtn_i32, 4, SMAX),
    ATOMIC(ds_max_i64, 8, SMAX),
    ATOMIC(ds_max_rtn_i64, 8, SMAX),
    ATOMIC(ds_min_u32, 4, UMIN),
    ATOMIC(ds_min_rtn_u32, 4, UMIN),
    ATOMIC(ds_min_u64, 8, UMIN),
    ATOMIC(ds_min_rtn_u64, 8, UMIN),
    ATOMIC(ds_max_u32, 4, UMAX),
    ATOMIC(ds_max_rtn_u32, 4, UMAX),
    ATOMIC(ds_max_u64, 8, UMAX),
    ATOMIC(ds_max_rtn_u64, 8, UMAX),
    ATOMIC(ds_and_b32, 4, AND),
    ATOMIC(ds_and_rtn_b32, 4, AND),
    ATOMIC(ds_and_b64, 8, AND),
    ATOMIC(ds_and_rtn_b64, 8, AND),
    ATOMIC(ds_or_b32, 4, OR),
    ATOMIC(ds_or_rtn_b32, 4, OR),
    ATOMIC(ds_or_b64, 8, OR),
    ATOMIC(ds_or_rtn_b64, 8, OR),
    ATOMIC(ds_xor_b32, 4, XOR),
    ATOMIC(ds_xor_rtn_b32, 4, XOR),
    ATOMIC(ds_xor_b64, 8, XOR),
    ATOMIC(ds_xor_rtn_b64, 8, XOR),
    ATOMIC(ds_mskor_b32, 4, MSKOR),
    ATOMIC(ds_mskor_rtn_b32, 4, MSKOR),
    ATOMIC(ds_mskor_b64, 8, MSKOR),
    ATOMIC(ds_mskor_rtn_b64, 8, MSKOR),
    ATOMIC(ds_storexchg_rtn_b32, 4, SWAP),
    COMPARE(ds_cmpst_b32, 4, CMPSWAP, CO_ACCESS_SWAP_DATA),
    COMPARE(ds_cmpstore_b32, 4, CMPSWAP, 0),
    COMPARE(ds_cmpst_rtn_b32, 4, CMPSWAP, CO_ACCESS_SWAP_DATA),
    COMPARE(ds_cmpstore_rtn_b32, 4, CMPSWAP, 0),
    COMPARE(ds_cmpst_f32, 4, FCMPSWAP, CO_ACCESS_SWAP_DATA),
    COMPARE(ds_cmpstore_f32, 4, FCMPSWAP, 0),
    COMPARE(ds_cmpst_rtn_f32, 4, FCMPSWAP, CO_ACCESS_SWAP_DATA),
    COMPARE(ds_cmpstore_rtn_f32, 4, FCMPSWAP, 0),
    ATOMIC(ds_add_f32, 4, FADD),
    ATOMIC(ds_min_f32, 4, FMIN),
    ATOMIC(ds_max_f32, 4, FMAX),
    ATOMIC(ds_min_num_f32, 4, FMIN),
    ATOMIC(ds_max_num_f32, 4, FMAX),
    ATOMIC(ds_add_rtn_f32, 4, FADD),
    ATOMIC(ds_min_rtn_f32, 4, FMIN),
    ATOMIC(ds_max_rtn_f32, 4, FMAX),
    ATOMIC(ds_min_num_rtn_f32, 4, FMIN),
    ATOMIC(ds_max_num_rtn_f32, 4, FMAX),
    ATOMIC(ds_storexchg_rtn_b64, 8, SWAP),
    COMPARE(ds_cmpst_b64, 8, CMPSWAP, CO_ACCESS_SWAP_DATA),
    COMPARE(ds_cmpstore_b64, 8, CMPSWAP, 0),
    COMPARE(ds_cmpst_rtn_b64, 8, CMPSWAP, CO_ACCESS_SWAP_DATA),
    COMPARE(ds_cmpstore_rtn_b64, 8, CMPSWAP, 0),
    COMPARE(ds_cmpst_f64, 8, FCMPSWAP, CO_ACCESS_SWAP_DATA),
    COMPARE(ds_cmpstore_f64, 8, FCMPSWAP, 0),
    COMPARE(ds_cmpst_rtn_f64, 8, FCMPSWAP, CO_ACCESS_SWAP_DATA),
    COMPARE(ds_cmpstore_rtn_f64, 8, FCMPSWAP, 0),
    ATOMIC(ds_add_f64, 8, FADD),
    ATOMIC(ds_min_f64, 8, FMIN),
    ATOMIC(ds_max_f64, 8, FMAX),
    ATOMIC(ds_min_num_f64, 8, FMIN),
    ATOMIC(ds_max_num_f64, 8, FMAX),
    ATOMIC(ds_add_rtn_f64, 8, FADD),
    ATOMIC(ds_min_rtn_f64, 8, FMIN),
    ATOMIC(ds_max_rtn_f64, 8, FMAX),
    ATOMIC(ds_min_num_rtn_f64, 8, FMIN),
    ATOMIC(ds_max_num_rtn_f64, 8, FMAX),
    ATOMIC(ds_pk_add_f16, 4, PK_ADD_F16),
    ATOMIC(ds_pk_add_bf16, 4, PK_ADD_BF16),
    ATOMIC(ds_cond_sub_u32, 4, COND_SUB),
    ATOMIC(ds_sub_clamp_u32, 4, SUB_CLAMP),
    ATOMIC(ds_pk_add_rtn_f16, 4, PK_ADD_F16),
    ATOMIC(ds_pk_add_rtn_bf16, 4, PK_ADD_BF16),
    ATOMIC(ds_cond_sub_rtn_u32, 4, COND_SUB),
    ATOMIC(ds_sub_clamp_rtn_u32, 4, SUB_CLAMP),
    ATOMIC(ds_wrap_rtn_b32, 4, WRAP),
    ATOMIC(ds_condxchg32_rtn_b64, 8, CONDXCHG32),
    SRC2(ds_add_src2_u32, 4, ADD),
    SRC2(ds_add_src2_u64, 8, ADD),
    SRC2(ds_sub_src2_u32, 4, SUB),
    SRC2(ds_sub_src2_u64, 8, SUB),
    SRC2(ds_rsub_src2_u32, 4, RSUB),
    SRC2(ds_rsub_src2_u64, 8, RSUB),
    SRC2(ds_inc_src2_u32, 4, INC),
    SRC2(ds_inc_src2_u64, 8, INC),
    SRC2(ds_dec_src2_u32, 4, DEC),
    SRC2(ds_dec_src2_u64, 8, DEC),
    SRC2(ds_min_src2_i32, 4, SMIN),
    SRC2(ds_min_src2_i64, 8, SMIN),
    SRC2(ds_max_src2_i32, 4, SMAX),
    SRC2(ds_max_src2_i64, 8, SMAX),
    SRC2(ds_min_src2_u32, 4, UMIN),
    SRC2(ds_min_src2_u64, 8, UMIN),
    SRC2(ds_max_src2_u32, 4, UMAX),
    SRC2(ds_max_src2_u64, 8, UMAX),
    SRC2(ds_and_src2_b32, 4, AND),
    SRC2(ds_and_src2_b64, 8, AND),
    SRC2(ds_or_src2_b32, 4, OR),
    SRC2(ds_or_src2_b64, 8, OR),
    SRC2(ds_xor_src2_b32, 4, XOR),
    SRC2(ds_xor_src2_b64, 8, XOR),
    SRC2(ds_write_src2_b32, 4, SWAP),
    SRC2(ds_min_src2_f32, 4, FMIN),
    SRC2(ds_max_src2_f32, 4, FMAX),
    SRC2(ds_write_src2_b64, 8, SWAP),
    SRC2(ds_min_src2_f64, 8, FMIN),
    SRC2(ds_max_src2_f64, 8, FMAX),
    SRC2(ds_add_src2_f32, 4, FADD),
    ROW(ds_load_addtid_b32, build_ds, ds_addtid, LOAD, 4, NONE, NONE, 0),
    ROW(ds_store_addtid_b32, build_ds, ds_addtid, STORE, 4, NONE, NONE, 0),
    ROW(ds_append, build_ds, ds_append, LOAD, 4, NONE, ADD, 0),
    ROW(ds_consume, build_ds, ds_append, LOAD, 4, NONE, SUB, 0),
    ROW(ds_swizzle_b32, build_permute, ds_swizzle, LOAD, 4, NONE, NONE, 0),
    ROW(ds_permute_b32, build_permute, ds_permute, LOAD, 4, NONE, NONE, 0),
    ROW(ds_bpermute_b32, build_permute, ds_bpermute, LOAD, 4, NONE, NONE, 0),
    ROW(ds_bpermute_fi_b32, build_permute, ds_bpermute, LOAD, 4, NONE, NONE, CO_ACCESS_FI),
    ROW(ds_nop, build_nop, NULL, LOAD, 0, NONE, NONE, 0),
    TRANSPOSED(ds_load_b64_tr_b16, 8, 16),
    TRANSPOSED(ds_load_b64_tr_b8, 8, 8),
    TRANSPOSED(ds_load_b64_tr_b4, 8, 4),
    TRANSPOSED(ds_load_b96_tr_b6, 12, 6),
    TRANSPOSED32(ds_load_tr16_b128, 16, 16),
    TRANSPOSED32(ds_load_tr8_b64, 8, 8),
    TRANSPOSED32(ds_load_tr6_b96, 12, 6),
    TRANSPOSED32(ds_load_tr4_b64, 8, 4),
    ROW(ds_atomic_async_barrier_arrive_b64, build_bare, ds_arrive, LOAD, 8, NONE, NONE, CO_ACCESS_LDS),
    ROW(ds_atomic_barrier_arrive_rtn_b64, build_bare, ds_arrive, ATOMIC, 8, NONE, NONE, 0);
}

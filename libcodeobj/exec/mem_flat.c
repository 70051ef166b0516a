/* SPDX-License-Identifier: MIT
 *
 * exec/mem_flat.c - FLAT, GLOBAL and SCRATCH instructions.
 *
 * Addresses (ISA documents, "Flat memory instructions"):
 *     FLAT     vaddr64 + offset; gfx125x also saddr64 + vaddr32 + offset
 *     GLOBAL   vaddr64 + offset, or saddr64 + vaddr32 (unsigned) + offset
 *     SCRATCH  vaddr32 + saddr32 + offset, each of the first two present or not
 * ADDTID forms replace vaddr by four times the lane number.  With scale_offset
 * (gfx125x) the 32-bit vaddr counts elements.
 */
#include "exec/access.h"
#include "exec/mem_build.h"
#include "isa/semantics.h"

static void flat_addresses(struct co_wave *w, const struct co_op *op, const struct co_flat *p, uint64_t *addr)
{
    uint64_t base = (uint64_t)op->imm;
    if (op->src[1].kind != CO_SRC_NONE)
        base += p->space == CO_SPACE_SCRATCH ? co_scalar(w, &op->src[1]) : co_scalar64(w, &op->src[1]);
    if (p->addtid) {
        for (unsigned i = 0; i < w->lanes; i++)
            addr[i] = base + 4 * i;
        return;
    }
    if (op->src[0].kind != CO_SRC_ROW) {
        for (unsigned i = 0; i < w->lanes; i++)
            addr[i] = base;
        return;
    }
    const uint32_t *lo = w->v[op->src[0].reg];
    if (p->wide) {
        const uint32_t *hi = w->v[op->src[0].reg + 1];
        for (unsigned i = 0; i < w->lanes; i++)
            addr[i] = base + (lo[i] | (uint64_t)hi[i] << 32);
        return;
    }
    for (unsigned i = 0; i < w->lanes; i++)
        addr[i] = base + ((uint64_t)lo[i] << p->scale);
}

static int flat_access(struct co_wave *w, const struct co_op *op)
{
    const struct co_flat *p = op->aux;
    uint64_t addr[CO_LANES_MAX];
    if (p->move && !p->addtid) {
        struct co_lanes_at at = { .base = (uint64_t)op->imm, .scale = p->scale };
        if (op->src[1].kind != CO_SRC_NONE)
            at.base += p->space == CO_SPACE_SCRATCH ? co_scalar(w, &op->src[1]) : co_scalar64(w, &op->src[1]);
        if (op->src[0].kind == CO_SRC_ROW)
            at.off = w->v[op->src[0].reg];
        if (p->wide)
            at.high = at.off + CO_LANES_MAX;
        if (p->move(w, p->space, &p->access, &at, p->rows))
            return CO_NEXT;
    }
    flat_addresses(w, op, p, addr);
    if (p->space == CO_SPACE_SCRATCH) /* offsets of the private segment are 32 bits wide */
        for (unsigned i = 0; i < w->lanes; i++)
            addr[i] = (uint32_t)addr[i];
    return co_access(w, op, p->space, &p->access, addr, co_on(w), p->rows);
}

/* Loads that go to LDS: at M0 + offset + lane * size, the size rounded up to dwords. */
static int flat_load_lds(struct co_wave *w, const struct co_op *op)
{
    const struct co_flat *p = op->aux;
    uint64_t addr[CO_LANES_MAX];
    flat_addresses(w, op, p, addr);
    return co_access_to_lds(w, op, p->space, &p->access, addr, co_on(w), w->s[op->dst2] + (uint32_t)op->imm);
}

/* Asynchronous copies: a register holds each lane's LDS address, the offset counts on both sides.  They are done at
 * once: nothing can tell, since a program must wait before it looks. */
static int flat_async(struct co_wave *w, const struct co_op *op)
{
    const struct co_flat *p = op->aux;
    const unsigned dwords = (p->access.bytes + 3u) / 4;
    const struct co_rows rows = { CO_ROW_TMP, CO_ROW_TMP, CO_NO_ROW };
    struct co_access load = p->access, store = p->access;
    uint64_t memory[CO_LANES_MAX], lds[CO_LANES_MAX];
    const bool to_lds = p->access.kind == CO_ACCESS_LOAD;
    flat_addresses(w, op, p, memory);
    for (unsigned i = 0; i < w->lanes; i++)
        lds[i] = w->v[p->rows.data][i] + (uint32_t)op->imm;
    for (unsigned d = 0; d < dwords; d++)
        memset(w->v[CO_ROW_TMP + d], 0, sizeof w->v[0]);
    load.kind = CO_ACCESS_LOAD;
    load.ext = load.bytes == 1 ? CO_EXT_U8 : CO_EXT_NONE;
    store.kind = CO_ACCESS_STORE;
    int step = co_access(w, op, to_lds ? CO_SPACE_GLOBAL : CO_SPACE_LDS, &load, to_lds ? memory : lds, co_on(w), rows);
    if (step == CO_NEXT)
        step = co_access(w, op, to_lds ? CO_SPACE_LDS : CO_SPACE_GLOBAL, &store, to_lds ? lds : memory, co_on(w), rows);
    return step;
}

/* gfx12's block forms: M0 says which of 32 registers move; register i is 4 * i behind the address. */
static int flat_block(struct co_wave *w, const struct co_op *op)
{
    const struct co_flat *p = op->aux;
    uint64_t addr[CO_LANES_MAX], at[CO_LANES_MAX];
    flat_addresses(w, op, p, addr);
    for (unsigned r = 0; r < 32; r++) {
        if (!(w->s[op->dst2] >> r & 1))
            continue;
        struct co_rows rows = p->rows;
        for (unsigned i = 0; i < w->lanes; i++)
            at[i] = p->space == CO_SPACE_SCRATCH ? (uint32_t)(addr[i] + 4 * r) : addr[i] + 4 * r;
        rows.dst = (uint16_t)(rows.dst + r);
        rows.data = (uint16_t)(rows.data + r);
        int step = co_access(w, op, p->space, &p->access, at, co_on(w), rows);
        if (step != CO_NEXT)
            return step;
    }
    return CO_NEXT;
}

static int flat_transposed(struct co_wave *w, const struct co_op *op)
{
    const struct co_flat *p = op->aux;
    const unsigned dwords = p->access.bytes / 4u;
    const struct co_rows rows = { CO_ROW_TMP, CO_NO_ROW, CO_NO_ROW };
    uint64_t addr[CO_LANES_MAX];
    flat_addresses(w, op, p, addr);
    if (!co_on(w))
        return CO_NEXT;
    /* wave64: the addresses of the lower half alone */
    int step = co_access(w, op, CO_SPACE_GLOBAL, &p->access, addr, w->lane_mask & 0xffffffffu, rows);
    if (step == CO_NEXT)
        co_access_transpose(w, p->element, dwords, CO_ROW_TMP, p->rows.dst);
    return step;
}

/* ---- builders ------------------------------------------------------------------- */

static enum codeobj_status build_plan(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op,
                                      struct co_flat **out)
{
    struct co_flat *p = co_arena_alloc(b->arena, sizeof *p);
    if (!p)
        return CODEOBJ_NO_MEMORY;
    const struct codeobj_isa_operand *vaddr = co_operand_of(b, inst, CODEOBJ_ROLE_ADDR);
    const struct codeobj_isa_operand *saddr = co_operand_of(b, inst, CODEOBJ_ROLE_SADDR);
    p->space = inst->format == CODEOBJ_FMT_GLOBAL    ? CO_SPACE_GLOBAL
               : inst->format == CODEOBJ_FMT_SCRATCH ? CO_SPACE_SCRATCH
               : b->processor->gen == CODEOBJ_GEN_GFX12 && b->processor->minor >= 5 ? CO_SPACE_FLAT125
                                                                                     : CO_SPACE_FLAT;
    p->access = co_access_unpack(b->row->data);
    p->addtid = b->row->data & CO_ACCESS_ADDTID;
    enum codeobj_status status = co_access_rows(b, inst, &p->access, &p->rows);
    if (status == CODEOBJ_OK && vaddr)
        status = co_build_src(b, vaddr, &op->src[0]);
    if (status == CODEOBJ_OK && saddr && saddr->kind == CODEOBJ_OPERAND_SGPR)
        status = co_build_src(b, saddr, &op->src[1]);
    if (op->src[1].kind == CO_SRC_SGPR && op->src[1].reg == CO_S_ZERO)
        op->src[1].kind = CO_SRC_NONE; /* NULL: off */
    op->src_count = 2;
    p->wide = vaddr && vaddr->dwords == 2;
    if (!(b->row->data & CO_ACCESS_LDS) && (!p->wide || op->src[0].kind == CO_SRC_ROW))
        p->move = co_mover_for(b)->move;
    if (inst->mod.scale_offset && !p->wide)
        p->scale = (uint8_t)__builtin_ctz(p->access.bytes & -p->access.bytes);
    op->imm = inst->mod.offset;
    op->aux = p;
    *out = p;
    return status;
}

/* Lanes one behind the other, the usual case, have handlers of their own. */
static void build_run(const struct co_builder *b, struct co_op *op, struct co_flat *p)
{
    const struct co_mover *const mover = co_mover_for(b);
    const unsigned step = (unsigned)p->access.bytes >> p->scale;
    p->steps = mover->steps(step);
    if (!p->steps)
        return;
    p->span = (b->wave - 1) * step;
    p->size = b->wave * p->access.bytes;
    op->fn = mover->flat_run(p, b->wave);
}

enum codeobj_status co_build_flat(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct co_flat *p;
    enum codeobj_status status = build_plan(b, inst, op, &p);
    op->fn = flat_access;
    if (status)
        return status;
    p->otherwise = flat_access;
    p->slot = co_view_slot(b);
    if (p->move && !p->addtid && p->access.kind != CO_ACCESS_ATOMIC && p->space != CO_SPACE_SCRATCH && op->src[0].kind == CO_SRC_ROW &&
        (op->src[1].kind == CO_SRC_NONE || (op->src[1].kind == CO_SRC_SGPR && !p->wide)))
        build_run(b, op, p);
    return status;
}

enum codeobj_status co_build_flat_lds(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct co_flat *p;
    op->fn = flat_load_lds;
    op->dst2 = (uint16_t)co_reg_m0(b);
    return build_plan(b, inst, op, &p);
}

enum codeobj_status co_build_flat_block(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct co_flat *p;
    op->fn = flat_block;
    op->dst2 = (uint16_t)co_reg_m0(b);
    return build_plan(b, inst, op, &p);
}

enum codeobj_status co_build_flat_transposed(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct co_flat *p;
    enum codeobj_status status = build_plan(b, inst, op, &p);
    if (status == CODEOBJ_OK)
        p->element = (uint8_t)(b->row->data >> 40);
    op->fn = flat_transposed;
    return status;
}

enum codeobj_status co_build_flat_async(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct co_flat *p;
    enum codeobj_status status = build_plan(b, inst, op, &p);
    if (status == CODEOBJ_OK && p->rows.data == CO_NO_ROW) {
        b->why = "asynchronous copy without its LDS address";
        return CODEOBJ_UNSUPPORTED;
    }
    op->fn = flat_async;
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * exec/cross.c - instructions that read or write other lanes.
 *
 * What they do is said by the functions of codeobj/subgroup.h; the handlers here
 * only find the operands.  v_readlane, v_writelane and the swaps ignore EXEC.
 */
#include "exec/access.h"
#include "exec/modified.h"
#include "exec/op.h"
#include "exec/registry.h"
#include "isa/semantics.h"

#include <codeobj/subgroup.h>

/* ---- one lane ----------------------------------------------------------------- */

static int readlane(struct co_wave *w, const struct co_op *op)
{
    co_scalar_put(w, op, codeobj_readlane(co_row(w, op, 0), co_scalar_or_lds(w, &op->src[1]), w->lanes));
    return CO_NEXT;
}

static int readfirstlane(struct co_wave *w, const struct co_op *op)
{
    co_scalar_put(w, op, codeobj_readfirstlane(co_row(w, op, 0), co_on(w), w->lanes));
    return CO_NEXT;
}

static int writelane(struct co_wave *w, const struct co_op *op)
{
    codeobj_writelane(w->v[op->dst], co_scalar_or_lds(w, &op->src[0]), co_scalar_or_lds(w, &op->src[1]), w->lanes);
    return CO_NEXT;
}

/* ---- permlane -------------------------------------------------------------------- */

#define FETCH_INACTIVE 0x100u
#define BOUND_CTRL 0x200u

static int move(struct co_wave *w, const struct co_op *op, const struct codeobj_lane_map *map)
{
    codeobj_lane_map_apply(map, w->lanes, co_row(w, op, 0), w->v[op->dst], w->v[op->dst]);
    return CO_NEXT;
}

static int permlane16(struct co_wave *w, const struct co_op *op)
{
    struct codeobj_lane_map map;
    const uint64_t select = co_scalar_or_lds(w, &op->src[1]) | (uint64_t)co_scalar_or_lds(w, &op->src[2]) << 32;
    codeobj_permlane16_map(select, op->imm, op->flags & FETCH_INACTIVE, op->flags & BOUND_CTRL, co_on(w), w->lanes,
                           &map);
    return move(w, op, &map);
}

static int permlane16_var(struct co_wave *w, const struct co_op *op)
{
    struct codeobj_lane_map map;
    codeobj_permlane16_var_map(co_row(w, op, 1), op->imm, op->flags & FETCH_INACTIVE, op->flags & BOUND_CTRL,
                               co_on(w), w->lanes, &map);
    return move(w, op, &map);
}

static int permlane64(struct co_wave *w, const struct co_op *op)
{
    struct codeobj_lane_map map;
    codeobj_permlane64_map(co_on(w), w->lanes, &map);
    return move(w, op, &map);
}

static int permlane_group(struct co_wave *w, const struct co_op *op)
{
    struct codeobj_lane_map map;
    codeobj_permlane_group_map((enum codeobj_permlane_kind)op->imm, co_scalar_or_lds(w, &op->src[1]),
                               co_scalar_or_lds(w, &op->src[2]), co_on(w), w->lanes, &map);
    return move(w, op, &map);
}

static int permlane_idx_gen(struct co_wave *w, const struct co_op *op)
{
    codeobj_permlane_idx_gen(co_row(w, op, 0), co_scalar_or_lds(w, &op->src[1]), co_on(w), w->lanes, w->v[op->dst]);
    return CO_NEXT;
}

static int permlane_swap(struct co_wave *w, const struct co_op *op)
{
    codeobj_permlane_swap((unsigned)op->imm, w->lanes, w->v[op->dst], w->v[op->src[0].reg]);
    return CO_NEXT;
}

/* One value of LDS for all lanes, from gfx11 on an instruction. */
static int lds_direct_load(struct co_wave *w, const struct co_op *op)
{
    const uint32_t value = co_lds_direct(w, 125);
    for (unsigned i = 0; i < w->lanes; i++)
        if (co_on(w) >> i & 1)
            w->v[op->dst][i] = value;
    return CO_NEXT;
}

/* ---- counts ------------------------------------------------------------------------ */

static int mbcnt_lo(struct co_wave *w, const struct co_op *op)
{
    codeobj_mbcnt(false, co_row(w, op, 0), co_row(w, op, 1), co_on(w), w->lanes, w->v[op->dst]);
    return CO_NEXT;
}

static int mbcnt_hi(struct co_wave *w, const struct co_op *op)
{
    codeobj_mbcnt(true, co_row(w, op, 0), co_row(w, op, 1), co_on(w), w->lanes, w->v[op->dst]);
    return CO_NEXT;
}

/* ---- builders ------------------------------------------------------------------------ */

/* The row's data goes to imm. */
static enum codeobj_status build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = co_build_operands(b, inst, op);
    op->fn = b->row->fn;
    op->imm = (int64_t)b->row->data;
    return status;
}

static enum codeobj_status build_permlane(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = build(b, inst, op);
    op->flags |= inst->mod.op_sel & 1 ? FETCH_INACTIVE : 0;
    op->flags |= inst->mod.op_sel & 2 ? BOUND_CTRL : 0;
    return status;
}

static enum codeobj_status build_swap(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = build(b, inst, op);
    if (status == CODEOBJ_OK && (op->src[0].kind != CO_SRC_ROW || op->dst_kind != CO_DST_ROW)) {
        b->why = "swap of something that is not a vector register";
        return CODEOBJ_UNSUPPORTED;
    }
    co_build_touches(b, op->src[0].reg, 1);
    return status;
}

void co_family_cross(struct co_sem_row *rows)
{
    CO_ROW(CO_SEM_v_readlane_b32, build, readlane, NULL, 0, false),
    CO_ROW(CO_SEM_v_readfirstlane_b32, build, readfirstlane, NULL, 0, false),
    CO_ROW(CO_SEM_v_writelane_b32, build, writelane, NULL, 0, false),
    CO_ROW(CO_SEM_v_permlane16_b32, build_permlane, permlane16, NULL, 0, true),
    CO_ROW(CO_SEM_v_permlanex16_b32, build_permlane, permlane16, NULL, 1, true),
    CO_ROW(CO_SEM_v_permlane16_var_b32, build_permlane, permlane16_var, NULL, 0, true),
    CO_ROW(CO_SEM_v_permlanex16_var_b32, build_permlane, permlane16_var, NULL, 1, true),
    CO_ROW(CO_SEM_v_permlane64_b32, build, permlane64, NULL, 0, false),
    CO_ROW(CO_SEM_v_permlane16_swap_b32, build_swap, permlane_swap, NULL, 16, true),
    CO_ROW(CO_SEM_v_permlane32_swap_b32, build_swap, permlane_swap, NULL, 32, true),
    CO_ROW(CO_SEM_v_permlane_bcast_b32, build, permlane_group, NULL, CODEOBJ_PERMLANE_BCAST, false),
    CO_ROW(CO_SEM_v_permlane_up_b32, build, permlane_group, NULL, CODEOBJ_PERMLANE_UP, false),
    CO_ROW(CO_SEM_v_permlane_down_b32, build, permlane_group, NULL, CODEOBJ_PERMLANE_DOWN, false),
    CO_ROW(CO_SEM_v_permlane_xor_b32, build, permlane_group, NULL, CODEOBJ_PERMLANE_XOR, false),
    CO_ROW(CO_SEM_v_permlane_idx_gen_b32, build, permlane_idx_gen, NULL, 0, false),
    CO_ROW(CO_SEM_lds_direct_load, build, lds_direct_load, NULL, 0, false),
    CO_ROW(CO_SEM_v_mbcnt_lo_u32_b32, co_build_vector, mbcnt_lo, NULL, 0, false),
    CO_ROW(CO_SEM_v_mbcnt_hi_u32_b32, co_build_vector, mbcnt_hi, NULL, 0, false);
}

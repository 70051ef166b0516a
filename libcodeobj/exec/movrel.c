/* SPDX-License-Identifier: MIT
 *
 * exec/movrel.c - swaps, and vector moves whose register numbers M0 is added to.
 *
 * AMD's ISA documents, VOP1: v_movrel*, v_swaprel.  A number that leaves the register
 * file reads 0 and is not written.  dst and src[0].reg are the rows of the instruction;
 * imm: number of M0.
 */
#include "exec/op.h"
#include "exec/registry.h"
#include "isa/semantics.h"

static uint32_t *row_at(struct co_wave *w, unsigned row)
{
    return row < CO_ROW_A ? w->v[row] : NULL;
}

static int move(struct co_wave *w, uint32_t *d, const uint32_t *s)
{
    for (unsigned i = 0; d && i < w->lanes; i++)
        if (w->mask[i])
            d[i] = s ? s[i] : 0;
    return CO_NEXT;
}

static uint32_t m0(const struct co_wave *w, const struct co_op *op)
{
    return w->s[op->imm];
}

static int movreld(struct co_wave *w, const struct co_op *op)
{
    return move(w, row_at(w, op->dst + m0(w, op)), co_row(w, op, 0));
}

static int movrels(struct co_wave *w, const struct co_op *op)
{
    return move(w, row_at(w, op->dst), row_at(w, op->src[0].reg + m0(w, op)));
}

static int movrelsd(struct co_wave *w, const struct co_op *op)
{
    return move(w, row_at(w, op->dst + m0(w, op)), row_at(w, op->src[0].reg + m0(w, op)));
}

static int movrelsd_2(struct co_wave *w, const struct co_op *op)
{
    uint32_t m = m0(w, op);
    return move(w, row_at(w, op->dst + (m >> 16 & 0x3ff)), row_at(w, op->src[0].reg + (m & 0x3ff)));
}

static int swaprel(struct co_wave *w, const struct co_op *op)
{
    uint32_t m = m0(w, op), *d = row_at(w, op->dst + (m >> 16 & 0x3ff)), *s = row_at(w, op->src[0].reg + (m & 0x3ff));
    for (unsigned i = 0; d && s && i < w->lanes; i++)
        if (w->mask[i]) {
            uint32_t t = d[i];
            d[i] = s[i];
            s[i] = t;
        }
    return CO_NEXT;
}

/* The plain swaps; of halves, flags say which are the high ones. */
#define HALF_D 0x100u
#define HALF_S 0x200u

static int swap(struct co_wave *w, const struct co_op *op)
{
    uint32_t *d = w->v[op->dst], *s = w->v[op->src[0].reg];
    for (unsigned i = 0; i < w->lanes; i++)
        if (w->mask[i]) {
            uint32_t t = d[i];
            d[i] = s[i];
            s[i] = t;
        }
    return CO_NEXT;
}

static int swap16(struct co_wave *w, const struct co_op *op)
{
    uint32_t *d = w->v[op->dst], *s = w->v[op->src[0].reg];
    const unsigned at = op->flags & HALF_D ? 16 : 0, from = op->flags & HALF_S ? 16 : 0;
    for (unsigned i = 0; i < w->lanes; i++)
        if (w->mask[i]) {
            const uint32_t a = d[i] >> at & 0xffff, b = s[i] >> from & 0xffff;
            d[i] = (d[i] & ~(0xffffu << at)) | b << at;
            s[i] = (s[i] & ~(0xffffu << from)) | a << from; /* after d: both may be halves of one register */
        }
    return CO_NEXT;
}

static enum codeobj_status build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    /* The destination may be listed as a register that is read; its place is the first. */
    if (inst->operand_count < 2 || inst->operands[0].kind != CODEOBJ_OPERAND_VGPR) {
        b->why = "relative move without a vector destination";
        return CODEOBJ_UNSUPPORTED;
    }
    op->fn = b->row->fn;
    op->dst = co_row_of(&inst->operands[0]);
    op->dst_kind = CO_DST_ROW;
    op->dst_dwords = 1;
    op->src_count = 1;
    op->imm = (int64_t)co_reg_m0(b);
    enum codeobj_status status = co_build_src(b, &inst->operands[1], &op->src[0]);
    if (status == CODEOBJ_OK && b->row->data && op->src[0].kind != CO_SRC_ROW) {
        b->why = "relative move without a vector source";
        return CODEOBJ_UNSUPPORTED;
    }
    for (unsigned k = 0; k < 2; k++)
        if (inst->operands[k].flags & CODEOBJ_OPERAND_HI)
            op->flags |= k ? HALF_S : HALF_D;
    /* Any register may be written. */
    co_build_touches(b, CO_ROW_V, b->processor->features & CODEOBJ_FEATURE_1K_VGPRS ? 1024 : 256);
    return status;
}

void co_family_movrel(struct co_sem_row *rows)
{
    CO_ROW(CO_SEM_v_movreld_b32, build, movreld, NULL, 0, true),
    CO_ROW(CO_SEM_v_movrels_b32, build, movrels, NULL, 1, true),
    CO_ROW(CO_SEM_v_movrelsd_b32, build, movrelsd, NULL, 1, true),
    CO_ROW(CO_SEM_v_movrelsd_2_b32, build, movrelsd_2, NULL, 1, true),
    CO_ROW(CO_SEM_v_swaprel_b32, build, swaprel, NULL, 1, true),
    CO_ROW(CO_SEM_v_swap_b32, build, swap, NULL, 1, true),
    CO_ROW(CO_SEM_v_swap_b16, build, swap16, NULL, 1, true);
}

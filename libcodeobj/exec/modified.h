/* SPDX-License-Identifier: MIT
 *
 * exec/modified.h - operations whose operands are not plain registers.
 *
 * A modified operation fetches its sources into rows of their own (permuted,
 * selected, sign-extended, negated), runs the bare operation on those, and writes back
 * (scaled, clamped, merged into half a register).  The bare operation is the same handler
 * that plain operands use.  What each step does is decided when the instruction is decoded.
 *
 * AMD's ISA documents, chapters "VALU operands", "SDWA", "DPP", "Output modifiers".
 */
#ifndef CO_EXEC_MODIFIED_H
#define CO_EXEC_MODIFIED_H

#include "exec/op.h"

#include <codeobj/subgroup.h>

/* How a source gets from its register to its row. */
enum co_fetch_kind {
    CO_FETCH_COPY = 0,
    CO_FETCH_BITS,   /* dword `which`: (x & keep) ^ flip */
    CO_FETCH_HALF,   /* one half of a dword, then (x & keep) ^ flip */
    CO_FETCH_PACKED, /* halves chosen one by one, then (x & keep) ^ flip */
    CO_FETCH_PACKED32, /* two dwords chosen one by one; flip for the low, keep (as a flip) for the high one */
    CO_FETCH_MIX16,  /* half chosen, f16 to f32, then (x & keep) ^ flip */
    CO_FETCH_BYTES   /* SDWA: shift, mask, sign-extended or not, then (x & keep) ^ flip */
};

struct co_fetch {
    struct co_src src;
    uint16_t row;      /* CO_ROW_TMP + n */
    uint8_t kind;      /* enum co_fetch_kind */
    uint8_t which;     /* BITS: dword; HALF, MIX16: half; PACKED: bit 0 low's half, bit 1 high's half */
    uint8_t shift, width;
    bool sext, permute; /* permute: through co_modified.lane first */
    uint32_t keep, flip;
};

/* What happens to the result. */
enum co_put_kind {
    CO_PUT_NONE = 0, /* the bare operation writes the destination itself */
    CO_PUT_32,       /* f32 or a plain copy of dst_dwords rows */
    CO_PUT_64,       /* f64 */
    CO_PUT_PK16,     /* packed f16 */
    CO_PUT_16        /* into one half, the other one kept (keep_half) or cleared */
};

struct co_modified {
    struct co_op bare;
    struct co_fetch fetch[CO_OP_SRC_MAX];
    uint8_t fetch_count, put, omod;
    bool clamp, high_half, keep_half, bf16;
    bool omod_in_ieee;                           /* gfx12 has no IEEE bit that could turn omod off */
    bool has_dpp, fetch_inactive, bound_zero, is_compare;
    uint8_t sdwa_shift, sdwa_width, sdwa_unused; /* SDWA destination; width 0: none */
    uint16_t tmp;                                /* row that the bare operation writes */
    struct codeobj_lane_map full;                /* DPP under a full EXEC */
    uint64_t full_written;                       /* its lanes that are written */
};

/* VOPD.  dwords 0: the first half writes its destination itself. */
struct co_dual {
    struct co_op half[2];
    uint16_t real; /* where the first half's result goes at the end */
    uint8_t dwords;
};

/* Are there modifiers that the bare handler does not know? */
bool co_is_modified(const struct co_builder *b, const struct codeobj_isa_inst *inst);
enum codeobj_status co_build_modified(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op);
/* Is this what runs modified (or dual) operations? */
bool co_is_modified_handler(co_handler *fn);
/* Builder of vector instructions: operands by role, clamp of integers through row->alt. */
enum codeobj_status co_build_vector(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op);
/* VOPD: two operations, both read before either writes. */
enum codeobj_status co_build_dual(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op);

#endif

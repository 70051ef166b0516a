/* SPDX-License-Identifier: MIT
 *
 * isa/state.c - what an instruction leaves behind for the decoding of the next ones: the high bits of register
 * numbers that s_set_vgpr_msb of gfx1250 sets.
 *
 *   simm16  1:0 src0 and addresses   3:2 src1 and data   5:4 src2 and second data   7:6 destinations and buffer data
 *
 * Compilers set the bits before the first use in every basic block, so LLVM's listing, which this follows, forgets
 * them behind a branch, behind the end of a program and at words that are no instruction; a call keeps them.
 */
#include "isa/decoder.h"
#include "isa/semantics.h"

enum { MSB_NONE = 8 };

/* Where the two bits of an operand lie; third: it follows the literal of v_fmamk. */
static unsigned msb_shift(const struct codeobj_isa_inst *inst, const struct codeobj_isa_operand *o, bool third)
{
    bool buffer = inst->format == CODEOBJ_FMT_MUBUF || inst->format == CODEOBJ_FMT_MTBUF;
    /* Of an asynchronous load to LDS: in front of the address, where loads have their destination. */
    bool lds_address = inst->format == CODEOBJ_FMT_GLOBAL && o == inst->operands;
    switch (o->role) {
    case CODEOBJ_ROLE_DST:
    case CODEOBJ_ROLE_DSTSRC: return 6;
    case CODEOBJ_ROLE_SRC0:
    case CODEOBJ_ROLE_ADDR: return 0;
    case CODEOBJ_ROLE_SRC1: return third ? 4 : 2;
    case CODEOBJ_ROLE_SRC2: return 4;
    case CODEOBJ_ROLE_DATA0: return buffer || lds_address ? 6 : 2;
    case CODEOBJ_ROLE_DATA1: return 4;
    default: return MSB_NONE; /* scales are in the first 256 registers */
    }
}

static void apply(const struct codeobj_isa_state *state, struct codeobj_isa_inst *inst)
{
    bool third = false;
    unsigned half = 0;
    if (co_isa_rows[inst->row].sem == CO_SEM_v_wmma_ld_scale_paired_b32 ||
        co_isa_rows[inst->row].sem == CO_SEM_v_wmma_ld_scale16_paired_b64)
        return;
    for (unsigned i = 0; i < inst->operand_count; i++) {
        struct codeobj_isa_operand *o = &inst->operands[i];
        if (half != (o->flags & CODEOBJ_OPERAND_Y)) {
            half = o->flags & CODEOBJ_OPERAND_Y;
            third = false;
        }
        third |= o->role == CODEOBJ_ROLE_K;
        unsigned shift = o->kind == CODEOBJ_OPERAND_VGPR ? msb_shift(inst, o, third) : MSB_NONE;
        if (shift != MSB_NONE)
            o->reg = (uint16_t)(o->reg + 256u * (state->vgpr_msb >> shift & 3u));
    }
}

static bool ends_block(unsigned sem, const struct codeobj_isa_inst *inst)
{
    switch (sem) {
    case CO_SEM_s_call_b64:
    case CO_SEM_s_swappc_b64:
    case CO_SEM_s_call_i64:
    case CO_SEM_s_swap_pc_i64:
    case CO_SEM_s_trap:
    case CO_SEM_s_rfe_b64:
    case CO_SEM_s_rfe_i64:
        return false;
    default:
        return codeobj_isa_is_terminator(inst);
    }
}

static enum codeobj_status next_gfx1250(const struct codeobj_isa *isa, struct codeobj_isa_state *state, const void *code,
                                        size_t size, struct codeobj_isa_inst *out, struct codeobj_diag *diag)
{
    enum codeobj_status status = codeobj_isa_decode(isa, code, size, out, diag);
    if (status != CODEOBJ_OK) {
        state->vgpr_msb = 0;
        return status;
    }
    unsigned sem = co_isa_rows[out->row].sem;
    if (sem == CO_SEM_s_set_vgpr_msb)
        state->vgpr_msb = (uint8_t)out->words[0];
    else if (state->vgpr_msb && ends_block(sem, out))
        state->vgpr_msb = 0;
    else if (state->vgpr_msb)
        apply(state, out);
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_isa_decode_next(const struct codeobj_isa *isa, struct codeobj_isa_state *state,
                                            const void *code, size_t size, struct codeobj_isa_inst *out,
                                            struct codeobj_diag *diag)
{
    return isa->gfx1250 ? next_gfx1250(isa, state, code, size, out, diag) : codeobj_isa_decode(isa, code, size, out, diag);
}

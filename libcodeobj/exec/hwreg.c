/* SPDX-License-Identifier: MIT
 *
 * exec/hwreg.c - hardware registers: s_getreg, s_setreg, and what else writes MODE.
 *
 * AMD's ISA documents, "Wave state registers" (numbers and fields moved between generations); AMD's trap handlers in the
 * Linux kernel for the units of GPR_ALLOC and LDS_ALLOC, IB_STS2 and the fields of gfx12.5.  What surprises:
 *  - gfx12 has taken STATUS apart: SCC, priority and the completed barriers are in STATE_PRIV.
 *  - A wave writes MODE and its exception flags only; the rest is for trap handlers, and such writes are dropped.
 *  - No exceptions are raised here: the flags are what the wave has written.
 *  - On gfx1250 a write of MODE takes the high bits of VGPR numbers along whatever field is named, and s_setreg_imm32
 *    swallows an s_set_vgpr_msb right behind it (READINGS.md).
 */
#include "exec/device.h"
#include "exec/mem.h"
#include "exec/registry.h"
#include "isa/semantics.h"

#define HANDLER(name) static int name(struct co_wave *w, const struct co_op *op)

enum { HW_NONE, HW_MODE, HW_MODE_GFX12, HW_MODE_GFX125, HW_MODE_GFX1250, HW_STATUS, HW_STATUS_GFX11, HW_STATUS_GFX12, HW_STATE_PRIV, HW_FLAGS, HW_FLAGS_GFX12,
       HW_ID, HW_ID2, HW_GPR_ALLOC, HW_GPR_ALLOC_GFX11, HW_LDS_ALLOC, HW_LDS_ALLOC_GFX12, HW_LDS_ALLOC_GFX125, HW_SCRATCH_LO, HW_SCRATCH_HI, HW_CYCLES,
       HW_CYCLES_LO, HW_CYCLES_HI, HW_SH_BASES, HW_IB_STS2 };

static unsigned mode_role(const struct codeobj_processor *p)
{
    if (p->features & CODEOBJ_FEATURE_1K_VGPRS)
        return p->stepping == 0 ? HW_MODE_GFX1250 : HW_MODE_GFX125;
    return p->gen >= CODEOBJ_GEN_GFX12 ? HW_MODE_GFX12 : HW_MODE;
}

static unsigned hwreg_role(const struct codeobj_processor *p, unsigned id)
{
    const bool gfx10 = p->gen >= CODEOBJ_GEN_GFX10, gfx11 = p->gen >= CODEOBJ_GEN_GFX11, gfx12 = p->gen >= CODEOBJ_GEN_GFX12;
    switch (id) {
    case 1: return mode_role(p);
    case 2: return gfx12 ? HW_STATUS_GFX12 : gfx11 ? HW_STATUS_GFX11 : HW_STATUS;
    case 3: return gfx12 ? HW_NONE : HW_FLAGS;
    case 4: return gfx12 ? HW_STATE_PRIV : p->gen <= CODEOBJ_GEN_GFX9 ? HW_ID : HW_NONE;
    case 5: return p->features & CODEOBJ_FEATURE_UNIFIED_VGPR ? HW_NONE : gfx11 ? HW_GPR_ALLOC_GFX11 : HW_GPR_ALLOC;
    case 6: return !gfx12 ? HW_LDS_ALLOC : p->minor >= 5 ? HW_LDS_ALLOC_GFX125 : HW_LDS_ALLOC_GFX12;
    case 15: return p->gen >= CODEOBJ_GEN_GFX9 && !gfx12 ? HW_SH_BASES : HW_NONE;
    case 18: return gfx12 ? HW_FLAGS_GFX12 : HW_NONE;
    case 20: return gfx10 ? HW_SCRATCH_LO : HW_NONE;
    case 21: return gfx10 ? HW_SCRATCH_HI : HW_NONE;
    case 23: return gfx10 ? HW_ID : HW_NONE;
    case 24: return gfx10 ? HW_ID2 : HW_NONE;
    case 28: return gfx10 && !gfx12 ? HW_IB_STS2 : HW_NONE;
    case 29: return gfx12 ? HW_CYCLES_LO : gfx10 ? HW_CYCLES : HW_NONE;
    case 30: return gfx12 ? HW_CYCLES_HI : HW_NONE;
    default: return HW_NONE;
    }
}

/* DX10_CLAMP and IEEE, which gfx12 does not have and which stay on inside (launch.c). */
#define MODE_OLD 0x300u
/* gfx1250: high bits of VGPR numbers in MODE: dst 13:12, src0 15:14, src1 17:16, src2 19:18. */
#define MODE_MSB 0xff000u

static uint32_t msb_to_mode(uint32_t msb)
{
    return (msb >> 6 | (msb & 0x3f) << 2) << 12;
}
static uint8_t mode_to_msb(uint32_t mode)
{
    return (uint8_t)((mode >> 14 & 0x3f) | (mode >> 12 & 3) << 6);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* EXECZ, VCCZ, IN_WG and VALID lie where they always lay. */
static uint32_t status(const struct co_wave *w)
{
    return (uint32_t)(co_mask_get(w, CO_S_EXEC) == 0) << 9 | (uint32_t)(co_mask_get(w, CO_S_VCC) == 0) << 10 |
           (uint32_t)(w->group->wave_count > 1) << 11 | 1u << 16;
}
static uint32_t status_old(const struct co_wave *w)
{
    return status(w) | w->s[CO_S_SCC] | (uint32_t)w->priority << 3;
}
static uint32_t state_priv(const struct co_wave *w)
{
    return (uint32_t)(w->complete & CO_WAIT_BARRIER ? 1 : 0) << 2 | (uint32_t)(w->complete & CO_WAIT_NAMED ? 1 : 0) << 3 |
           w->s[CO_S_SCC] << 9 | (uint32_t)w->priority << 12 | (uint32_t)(w->scratch_size != 0) << 18;
}
/* LDS_SIZE: what 512-byte blocks the work-group has, in units. */
static uint32_t lds_alloc(const struct co_wave *w, unsigned unit)
{
    const unsigned block = unit < 512 ? 512 : unit;
    return (w->group->lds_size + block - 1) / block * (block / unit) << 12;
}

static uint32_t hwreg_get(const struct co_wave *w, unsigned role)
{
    switch (role) {
    case HW_MODE: return w->mode.bits;
    case HW_MODE_GFX12: return w->mode.bits & ~MODE_OLD;
    case HW_MODE_GFX125:
    case HW_MODE_GFX1250: return (w->mode.bits & ~(MODE_OLD | MODE_MSB)) | msb_to_mode(w->vgpr_msb);
    case HW_STATUS: return status_old(w);
    case HW_STATUS_GFX11: return status_old(w) | (uint32_t)(w->scratch_size != 0) << 29;
    case HW_STATUS_GFX12: return status(w) | (uint32_t)(w->lanes == 64) << 29 | (uint32_t)w->dynamic_vgprs << 30;
    case HW_STATE_PRIV: return state_priv(w);
    case HW_FLAGS:
    case HW_FLAGS_GFX12: return w->exception_flags;
    case HW_ID: return w->index & 15;
    case HW_GPR_ALLOC: return (uint32_t)w->vgpr_granules << 8;
    case HW_GPR_ALLOC_GFX11: return (uint32_t)w->vgpr_granules << 12;
    case HW_LDS_ALLOC: return lds_alloc(w, 256);
    case HW_LDS_ALLOC_GFX12: return lds_alloc(w, 512);
    case HW_LDS_ALLOC_GFX125: return lds_alloc(w, 1024);
    case HW_SH_BASES: return (CO_APERTURE_PRIVATE >> 16) | (CO_APERTURE_SHARED >> 16) << 16;
    case HW_SCRATCH_LO: return (uint32_t)CO_SCRATCH_ADDR; /* as src_flat_scratch_base, with scratch and without */
    case HW_SCRATCH_HI: return (uint32_t)(CO_SCRATCH_ADDR >> 32);
    case HW_IB_STS2: return (uint32_t)(w->lanes == 64) << 11;
    case HW_CYCLES: return (uint32_t)w->clock & 0xfffff;
    case HW_CYCLES_LO: return (uint32_t)w->clock;
    case HW_CYCLES_HI: return (uint32_t)(w->clock >> 32);
    default: return 0;
    }
}

/* op->imm: id, offset, size of the field; above them bytes of code to leave out afterwards.  op->flags >> 8: role. */
#define LEAVE_OUT_SHIFT 16

static unsigned field_shift(const struct co_op *op)
{
    return (unsigned)(op->imm >> 6 & 31);
}
static uint32_t field_mask(const struct co_op *op)
{
    unsigned size = (unsigned)(op->imm >> 11 & 31) + 1;
    return (size == 32 ? ~0u : (1u << size) - 1) << field_shift(op);
}

HANDLER(s_getreg_b32)
{
    uint32_t value = hwreg_get(w, op->flags >> 8);
    co_scalar_put(w, op, (value & field_mask(op)) >> field_shift(op));
    return CO_NEXT;
}

/* ---- writing ------------------------------------------------------------------------------ */

static uint64_t behind(const struct co_op *op)
{
    return op->pc + 4u * op->dwords + (uint64_t)(op->imm >> LEAVE_OUT_SHIFT);
}

/* The high bits of VGPR numbers decide which set of operations runs. */
static int set_msb(struct co_wave *w, const struct co_op *op, uint8_t msb)
{
    if (msb == w->vgpr_msb && !(op->imm >> LEAVE_OUT_SHIFT))
        return CO_NEXT;
    w->vgpr_msb = msb;
    return co_jump_to(w, op, behind(op));
}

static int set_mode(struct co_wave *w, const struct co_op *op, unsigned role)
{
    const uint32_t mask = field_mask(op), source = co_scalar(w, &op->src[0]), value = source << field_shift(op);
    uint32_t mode = (w->mode.bits & ~mask) | (value & mask);
    if (role != HW_MODE)
        mode |= MODE_OLD;
    const int step = co_mode_write(w, mode);
    switch (role) {
    case HW_MODE_GFX1250: return set_msb(w, op, mode_to_msb(source)); /* whatever the field is: see READINGS.md */
    case HW_MODE_GFX125: return set_msb(w, op, mode_to_msb((msb_to_mode(w->vgpr_msb) & ~mask) | (value & mask)));
    default: return step;
    }
}

HANDLER(s_setreg_b32)
{
    const unsigned role = op->flags >> 8;
    const uint32_t writable = role == HW_FLAGS ? 0x1ff : role == HW_FLAGS_GFX12 ? 0xc000007f : 0;
    if (role >= HW_MODE && role <= HW_MODE_GFX1250)
        return set_mode(w, op, role);
    /* The scratch base is where it is; the rest is not writable for a wave. */
    const uint32_t mask = field_mask(op) & writable;
    w->exception_flags = (w->exception_flags & ~mask) | (co_scalar(w, &op->src[0]) << field_shift(op) & mask);
    return CO_NEXT;
}
HANDLER(s_set_vgpr_msb)
{
    w->vgpr_msb = (uint8_t)(op->flags >> 8);
    if (!op->link)
        return co_fetch_fault(w, op, (uint64_t)op->imm);
    w->op = op->link;
    return CO_JUMP;
}
HANDLER(s_round_mode)
{
    co_mode_set(w, (w->mode.bits & ~0xfu) | ((uint32_t)op->imm & 0xf));
    return CO_NEXT;
}
HANDLER(s_denorm_mode)
{
    co_mode_set(w, (w->mode.bits & ~0xf0u) | ((uint32_t)op->imm & 0xf) << 4);
    return CO_NEXT;
}

/* ---- builders ------------------------------------------------------------------------------ */

static enum codeobj_status build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->fn = b->row->fn;
    return co_build_operands(b, inst, op);
}

static bool msb_follows(const struct co_builder *b, const struct codeobj_isa_inst *inst)
{
    struct codeobj_isa_inst next;
    return co_code_inst(b->code, b->vgpr_msb, b->pc + inst->size, &next) && co_isa_row_sem(next.row) == CO_SEM_s_set_vgpr_msb;
}

static enum codeobj_status build_hwreg(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = build(b, inst, op);
    const unsigned role = hwreg_role(b->processor, inst->words[0] & 63);
    /* The immediate is the encoding's, whatever the printed order is. */
    op->imm = inst->words[0] & 0xffff;
    op->flags |= role << 8;
    if (role == HW_CYCLES || role == HW_CYCLES_LO || role == HW_CYCLES_HI)
        op->flags |= CO_OP_ALONE;
    if (role == HW_MODE && b->row->sem != CO_SEM_s_getreg_b32 && field_mask(op) & co_mode_switches(b->processor) & CO_MODE_GPR_IDX)
        co_build_touches(b, CO_ROW_V, 256); /* as s_set_gpr_idx_on */
    if (status == CODEOBJ_OK && b->row->sem == CO_SEM_s_setreg_imm32_b32) {
        op->src_count = 1;
        op->src[0] = (struct co_src){ .kind = CO_SRC_CONST, .dwords = 1, .row = co_build_const(b, inst->words[1]) };
        if (!op->src[0].row)
            status = CODEOBJ_NO_MEMORY;
        if (role == HW_MODE_GFX1250 && msb_follows(b, inst))
            op->imm |= 4 << LEAVE_OUT_SHIFT;
    }
    return status;
}

/* simm16[15:8] tell a trap handler the bits before; imm: the address behind. */
static enum codeobj_status build_vgpr_msb(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    const uint8_t msb = (uint8_t)inst->words[0];
    op->fn = b->row->fn;
    op->flags |= (uint32_t)msb << 8;
    op->imm = (int64_t)(b->pc + inst->size);
    op->link = co_code_at(b->code, msb, b->pc + inst->size);
    return CODEOBJ_OK;
}

void co_family_hwreg(struct co_sem_row *rows)
{
    CO_ROW(CO_SEM_s_getreg_b32, build_hwreg, s_getreg_b32, NULL, 0, false),
    CO_ROW(CO_SEM_s_setreg_b32, build_hwreg, s_setreg_b32, NULL, 0, false),
    CO_ROW(CO_SEM_s_setreg_imm32_b32, build_hwreg, s_setreg_b32, NULL, 0, false),
    CO_ROW(CO_SEM_s_set_vgpr_msb, build_vgpr_msb, s_set_vgpr_msb, NULL, 0, false),
    CO_ROW(CO_SEM_s_round_mode, build, s_round_mode, NULL, 0, false),
    CO_ROW(CO_SEM_s_denorm_mode, build, s_denorm_mode, NULL, 0, false);
}

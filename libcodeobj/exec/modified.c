/* SPDX-License-Identifier: MIT
 *
 * exec/modified.c - building operations whose operands are not plain registers.
 *
 * modified.h says how they run; lanes/modified.c runs them.  What surprises:
 *  - 16-bit results keep the other half of the register from gfx10 on; before, they
 *    clear it, but for the instructions that gfx9 gave an op_sel.
 *  - In packed instructions abs does not exist; neg is a bit for each half.
 *  - FMA_MIX uses op_sel_hi to choose the type and neg_hi for abs.
 *  - A DPP source without a valid lane leaves the destination lane alone, or reads 0
 *    with bound_ctrl; row_mask and bank_mask leave lanes alone in any case.
 */
#include "exec/modified.h"

#include "exec/device.h"
#include "isa/semantics.h"

co_handler co_run_modified_base, co_run_dual_base;
#if defined(__x86_64__) || defined(__amd64__)
co_handler co_run_modified_avx2, co_run_dual_avx2, co_run_modified_avx512, co_run_dual_avx512;
#endif

static co_handler *choose(const struct co_builder *b, bool dual)
{
#if defined(__x86_64__) || defined(__amd64__)
    switch (co_device_of(b->code->device)->lanes) {
    case CO_LANES_AVX2: return dual ? co_run_dual_avx2 : co_run_modified_avx2;
    case CO_LANES_AVX512: return dual ? co_run_dual_avx512 : co_run_modified_avx512;
    default: break;
    }
#else
    (void)b;
#endif
    return dual ? co_run_dual_base : co_run_modified_base;
}

bool co_is_modified_handler(co_handler *fn)
{
#if defined(__x86_64__) || defined(__amd64__)
    if (fn == co_run_modified_avx2 || fn == co_run_dual_avx2 || fn == co_run_modified_avx512 || fn == co_run_dual_avx512)
        return true;
#endif
    return fn == co_run_modified_base || fn == co_run_dual_base;
}

/* ---- types -------------------------------------------------------------------------- */

static bool is_16(unsigned type)
{
    return type == CODEOBJ_TYPE_F16 || type == CODEOBJ_TYPE_BF16 || type == CODEOBJ_TYPE_I16 ||
           type == CODEOBJ_TYPE_U16 || type == CODEOBJ_TYPE_B16;
}

static bool is_packed16(unsigned type)
{
    return type == CODEOBJ_TYPE_PK_F16 || type == CODEOBJ_TYPE_PK_BF16 || type == CODEOBJ_TYPE_PK_I16 ||
           type == CODEOBJ_TYPE_PK_U16 || type == CODEOBJ_TYPE_PK_B16;
}

static bool is_float(unsigned type)
{
    return type == CODEOBJ_TYPE_F16 || type == CODEOBJ_TYPE_BF16 || type == CODEOBJ_TYPE_F32 ||
           type == CODEOBJ_TYPE_F64 || type == CODEOBJ_TYPE_PK_F16 || type == CODEOBJ_TYPE_PK_BF16 ||
           type == CODEOBJ_TYPE_PK_F32;
}

static bool is_mix(unsigned sem)
{
    switch (sem) {
    case CO_SEM_v_mad_mix_f32: case CO_SEM_v_mad_mixlo_f16: case CO_SEM_v_mad_mixhi_f16:
    case CO_SEM_v_fma_mix_f32: case CO_SEM_v_fma_mixlo_f16: case CO_SEM_v_fma_mixhi_f16:
    case CO_SEM_v_fma_mix_f32_bf16: case CO_SEM_v_fma_mixlo_bf16: case CO_SEM_v_fma_mixhi_bf16: return true;
    default: return false;
    }
}

static bool is_mix_hi(unsigned sem)
{
    return sem == CO_SEM_v_mad_mixhi_f16 || sem == CO_SEM_v_fma_mixhi_f16 || sem == CO_SEM_v_fma_mixhi_bf16;
}

/* Does a 16-bit result leave the other half of the register alone? */
static bool keeps_half(const struct co_builder *b)
{
    if (b->processor->gen >= CODEOBJ_GEN_GFX10)
        return true;
    switch (b->row->sem) {
    case CO_SEM_v_mad_f16: case CO_SEM_v_fma_f16: case CO_SEM_v_mad_u16: case CO_SEM_v_mad_i16:
    case CO_SEM_v_div_fixup_f16: case CO_SEM_v_mac_f16: case CO_SEM_v_fmac_f16: case CO_SEM_v_madak_f16:
    case CO_SEM_v_madmk_f16: case CO_SEM_v_mad_mixlo_f16: case CO_SEM_v_mad_mixhi_f16:
    case CO_SEM_v_fma_mixlo_f16: case CO_SEM_v_fma_mixhi_f16: case CO_SEM_v_cvt_sr_f16_f32: case CO_SEM_v_cvt_sr_bf16_f32:
        return b->processor->gen == CODEOBJ_GEN_GFX9;
    default: return false;
    }
}

static bool is_dpp(unsigned encoding)
{
    return encoding == CODEOBJ_ENC_DPP16 || encoding == CODEOBJ_ENC_DPP8 || encoding == CODEOBJ_ENC_E64_DPP16 ||
           encoding == CODEOBJ_ENC_E64_DPP8;
}

static const struct codeobj_isa_operand *dst_of(const struct co_builder *b, const struct codeobj_isa_inst *inst)
{
    const struct codeobj_isa_operand *o = co_operand_of(b, inst, CODEOBJ_ROLE_DST);
    return o ? o : co_operand_of(b, inst, CODEOBJ_ROLE_DSTSRC);
}

static bool is_packed_inst(const struct codeobj_isa_inst *inst)
{
    return inst->format == CODEOBJ_FMT_VOP3P;
}

/* A dword or half that is read is the destination of v_fmac: op_sel and DPP do not touch it. */
static bool source_modified(const struct co_builder *b, const struct codeobj_isa_inst *inst,
                            const struct codeobj_isa_operand *o, unsigned n)
{
    if (o->type == CODEOBJ_TYPE_MASK)
        return false;
    if (is_mix(b->row->sem))
        return true;
    if (is_packed_inst(inst)) {
        unsigned sel = inst->mod.op_sel >> n & 1, hi = inst->mod.op_sel_hi >> n & 1;
        if ((inst->mod.neg_lo | inst->mod.neg_hi) >> n & 1)
            return true;
        if (is_packed16(o->type) || o->type == CODEOBJ_TYPE_PK_F32 || o->type == CODEOBJ_TYPE_PK_B32)
            return sel != 0 || hi == 0;
        return false;
    }
    if (o->flags & (CODEOBJ_OPERAND_NEG | CODEOBJ_OPERAND_ABS | CODEOBJ_OPERAND_SEXT | CODEOBJ_OPERAND_HI))
        return true;
    return inst->encoding == CODEOBJ_ENC_SDWA && o->role <= CODEOBJ_ROLE_SRC1 && o->sdwa_sel != 6;
}

static bool is_source(const struct co_builder *b, const struct codeobj_isa_operand *o)
{
    if (!!(o->flags & CODEOBJ_OPERAND_Y) != b->half_y || co_is_implicit(o))
        return false;
    return (o->role >= CODEOBJ_ROLE_SRC0 && o->role <= CODEOBJ_ROLE_SRC4) || o->role == CODEOBJ_ROLE_K;
}

/* gfx1250's conversions from fp8 have the bit for another format (lanes/convert.c). */
static bool clamps(const struct co_builder *b, const struct codeobj_isa_inst *inst, const struct codeobj_isa_operand *dst)
{
    const bool format = b->processor->gen == CODEOBJ_GEN_GFX12 && (b->row->sem == CO_SEM_v_cvt_f32_fp8 || b->row->sem == CO_SEM_v_cvt_f16_fp8);
    return inst->mod.clamp && is_float(dst->type) && !format;
}

bool co_is_modified(const struct co_builder *b, const struct codeobj_isa_inst *inst)
{
    const struct codeobj_isa_operand *dst = dst_of(b, inst);
    if (is_dpp(inst->encoding) || inst->mod.omod)
        return true;
    if (dst && (dst->kind == CODEOBJ_OPERAND_VGPR || dst->kind == CODEOBJ_OPERAND_AGPR)) {
        if (clamps(b, inst, dst))
            return true;
        if (is_16(dst->type) && ((dst->flags & CODEOBJ_OPERAND_HI) || keeps_half(b)))
            return true;
    }
    if (inst->encoding == CODEOBJ_ENC_SDWA && inst->mod.sdwa_dst_sel != 6 && inst->format != CODEOBJ_FMT_VOPC)
        return true;
    for (unsigned i = 0, n = 0; i < inst->operand_count; i++)
        if (is_source(b, &inst->operands[i]) && source_modified(b, inst, &inst->operands[i], n++))
            return true;
    return false;
}

/* ---- fetching ------------------------------------------------------------------------- */

static void sign_masks(struct co_fetch *f, bool abs, bool neg, uint32_t sign)
{
    f->keep = abs ? ~sign : ~0u;
    f->flip = neg ? sign : 0;
}

static void fetch_sdwa(struct co_fetch *f, const struct codeobj_isa_operand *o)
{
    f->kind = CO_FETCH_BYTES;
    f->shift = o->sdwa_sel < 4 ? (uint8_t)(8 * o->sdwa_sel) : o->sdwa_sel == 5 ? 16 : 0;
    f->width = o->sdwa_sel < 4 ? 8 : o->sdwa_sel < 6 ? 16 : 32;
    f->sext = o->flags & CODEOBJ_OPERAND_SEXT;
    sign_masks(f, o->flags & CODEOBJ_OPERAND_ABS, o->flags & CODEOBJ_OPERAND_NEG, is_16(o->type) ? 0x8000u : 0x80000000u);
}

static void fetch_packed(struct co_fetch *f, const struct codeobj_isa_inst *inst, const struct codeobj_isa_operand *o,
                         unsigned n)
{
    unsigned lo = inst->mod.op_sel >> n & 1, hi = inst->mod.op_sel_hi >> n & 1;
    bool neg_lo = inst->mod.neg_lo >> n & 1, neg_hi = inst->mod.neg_hi >> n & 1;
    f->which = (uint8_t)(lo | hi << 1);
    if (o->type == CODEOBJ_TYPE_PK_F32 || o->type == CODEOBJ_TYPE_PK_B32) {
        f->kind = CO_FETCH_PACKED32;
        f->flip = neg_lo ? 0x80000000u : 0;
        f->keep = neg_hi ? 0x80000000u : 0;
    } else if (is_packed16(o->type)) {
        f->kind = CO_FETCH_PACKED;
        f->keep = ~0u;
        f->flip = (neg_lo ? 0x8000u : 0) | (neg_hi ? 0x80000000u : 0);
    } else if (is_16(o->type)) {
        f->kind = CO_FETCH_HALF;
        f->which = (uint8_t)lo;
        sign_masks(f, neg_hi, neg_lo, 0x8000u);
    } else {
        f->kind = CO_FETCH_BITS;
        f->which = (uint8_t)(o->dwords > 1);
        sign_masks(f, neg_hi, neg_lo, 0x80000000u);
    }
}

static void fetch_mix(struct co_fetch *f, const struct codeobj_isa_inst *inst, const struct codeobj_isa_operand *o,
                      unsigned n, unsigned sem)
{
    bool half = inst->mod.op_sel_hi >> n & 1;
    f->which = inst->mod.op_sel >> n & 1;
    f->kind = CO_FETCH_BITS;
    if (half) {
        f->kind = CO_FETCH_MIX16;
        f->width = sem == CO_SEM_v_fma_mix_f32_bf16 || sem == CO_SEM_v_fma_mixlo_bf16 || sem == CO_SEM_v_fma_mixhi_bf16;
    } else {
        f->which = 0;
    }
    bool abs = (o->flags & CODEOBJ_OPERAND_ABS) || (inst->mod.neg_hi >> n & 1);
    bool neg = (o->flags & CODEOBJ_OPERAND_NEG) || (inst->mod.neg_lo >> n & 1);
    sign_masks(f, abs, neg, 0x80000000u);
}

static void fetch_plain(struct co_fetch *f, const struct codeobj_isa_operand *o)
{
    bool abs = o->flags & CODEOBJ_OPERAND_ABS, neg = o->flags & CODEOBJ_OPERAND_NEG;
    if (is_16(o->type) || (o->flags & CODEOBJ_OPERAND_HI)) {
        f->kind = CO_FETCH_HALF;
        f->which = (o->flags & CODEOBJ_OPERAND_HI) != 0;
        sign_masks(f, abs, neg, 0x8000u);
    } else {
        f->kind = CO_FETCH_BITS;
        f->which = (uint8_t)(o->dwords > 1 ? o->dwords - 1 : 0);
        sign_masks(f, abs, neg, 0x80000000u);
    }
}

static bool dpp_applies(const struct codeobj_isa_inst *inst, const struct codeobj_isa_operand *o)
{
    return is_dpp(inst->encoding) && o->role == CODEOBJ_ROLE_SRC0;
}

static enum codeobj_status add_fetch(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_modified *m,
                                     struct codeobj_isa_operand *o, unsigned n, uint16_t *tmp)
{
    struct co_fetch *f = &m->fetch[m->fetch_count];
    struct codeobj_isa_operand plain = *o;
    if (m->fetch_count == CO_OP_SRC_MAX)
        return CODEOBJ_UNSUPPORTED;
    *f = (struct co_fetch){ .keep = ~0u };
    plain.flags = 0;
    enum codeobj_status status = co_build_src(b, &plain, &f->src);
    if (status)
        return status;
    if (!source_modified(b, inst, o, n))
        f->kind = CO_FETCH_COPY;
    else if (is_mix(b->row->sem))
        fetch_mix(f, inst, o, n, b->row->sem);
    else if (inst->encoding == CODEOBJ_ENC_SDWA)
        fetch_sdwa(f, o);
    else if (is_packed_inst(inst))
        fetch_packed(f, inst, o, n);
    else
        fetch_plain(f, o);
    f->permute = dpp_applies(inst, o);
    f->row = *tmp;
    unsigned dwords = o->dwords ? o->dwords : 1;
    *tmp = (uint16_t)(*tmp + dwords);
    m->fetch_count++;
    /* The bare operation sees a register. */
    *o = (struct codeobj_isa_operand){ .kind = CODEOBJ_OPERAND_VGPR, .role = o->role, .type = o->type,
                                       .dwords = (uint8_t)dwords, .reg = f->row, .flags = o->flags & CODEOBJ_OPERAND_Y };
    return CODEOBJ_OK;
}

/* ---- DPP --------------------------------------------------------------------------------- */

static enum codeobj_status set_dpp(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_modified *m)
{
    const struct codeobj_dpp dpp = { inst->mod.dpp_ctrl, inst->mod.dpp_row_mask, inst->mod.dpp_bank_mask,
                                     inst->mod.dpp_bound_ctrl, inst->mod.dpp_fi };
    m->has_dpp = true;
    m->fetch_inactive = dpp.fi;
    memset(m->full.from, CODEOBJ_LANE_KEEP, sizeof m->full.from);
    if (inst->encoding == CODEOBJ_ENC_DPP8 || inst->encoding == CODEOBJ_ENC_E64_DPP8) {
        codeobj_dpp8_map(inst->mod.dpp8, dpp.fi, UINT64_MAX, b->wave, &m->full);
        m->bound_zero = true;
    } else if (!codeobj_dpp_valid(dpp.ctrl, b->processor)) {
        b->why = "DPP control that this processor does not have";
        return CODEOBJ_UNSUPPORTED;
    } else {
        codeobj_dpp16_map(&dpp, UINT64_MAX, b->wave, &m->full);
        m->bound_zero = dpp.bound_ctrl;
    }
    struct codeobj_lane_map same;
    m->full_written = codeobj_dpp_narrow(&m->full, true, m->bound_zero, UINT64_MAX, b->wave, &same);
    return CODEOBJ_OK;
}

/* ---- results ------------------------------------------------------------------------------ */

static void set_put(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_modified *m,
                    struct codeobj_isa_operand *dst)
{
    bool vector = dst->kind == CODEOBJ_OPERAND_VGPR || dst->kind == CODEOBJ_OPERAND_AGPR;
    if (!vector)
        return;
    m->omod = inst->mod.omod;
    m->omod_in_ieee = b->processor->gen == CODEOBJ_GEN_GFX12;
    m->clamp = clamps(b, inst, dst);
    if (inst->encoding == CODEOBJ_ENC_SDWA && inst->mod.sdwa_dst_sel != 6) {
        unsigned sel = inst->mod.sdwa_dst_sel;
        m->sdwa_shift = sel < 4 ? (uint8_t)(8 * sel) : sel == 5 ? 16 : 0;
        m->sdwa_width = sel < 4 ? 8 : 16;
        m->sdwa_unused = inst->mod.sdwa_dst_unused;
    }
    m->bf16 = dst->type == CODEOBJ_TYPE_BF16 || dst->type == CODEOBJ_TYPE_PK_BF16;
    if (is_16(dst->type)) {
        m->high_half = (dst->flags & CODEOBJ_OPERAND_HI) || is_mix_hi(b->row->sem);
        m->keep_half = keeps_half(b) || m->high_half;
        if (m->omod || m->clamp || m->keep_half || m->sdwa_width)
            m->put = CO_PUT_16;
    } else if (m->omod || m->clamp || m->sdwa_width) {
        m->put = dst->type == CODEOBJ_TYPE_F64                    ? CO_PUT_64
                 : is_packed16(dst->type) && is_float(dst->type) ? CO_PUT_PK16
                                                                  : CO_PUT_32;
    }
}

enum codeobj_status co_build_modified(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct co_modified *m = co_arena_alloc(b->arena, sizeof *m);
    if (!m)
        return CODEOBJ_NO_MEMORY;
    struct codeobj_isa_inst bare = *inst;
    uint16_t tmp = CO_ROW_TMP;
    enum codeobj_status status = CODEOBJ_OK;
    struct codeobj_isa_operand *dst = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < bare.operand_count && status == CODEOBJ_OK; i++) {
        struct codeobj_isa_operand *o = &bare.operands[i];
        if (is_source(b, o)) {
            if (source_modified(b, inst, o, n) || dpp_applies(inst, o))
                status = add_fetch(b, inst, m, o, n, &tmp);
            n++;
        } else if ((o->role == CODEOBJ_ROLE_DST || o->role == CODEOBJ_ROLE_DSTSRC) &&
                   !!(o->flags & CODEOBJ_OPERAND_Y) == b->half_y && !(o->flags & CODEOBJ_OPERAND_HIDDEN)) {
            dst = o;
        }
    }
    if (status == CODEOBJ_OK && is_dpp(inst->encoding))
        status = set_dpp(b, inst, m);
    if (status)
        return status;
    struct codeobj_isa_operand real = { 0 };
    if (dst) {
        real = *dst;
        set_put(b, inst, m, dst);
        if (m->put != CO_PUT_NONE) {
            m->tmp = tmp;
            *dst = (struct codeobj_isa_operand){ .kind = CODEOBJ_OPERAND_VGPR, .role = CODEOBJ_ROLE_DST, .type = real.type,
                                                 .dwords = real.dwords, .reg = tmp, .flags = real.flags & CODEOBJ_OPERAND_Y };
        }
    }
    bare.mod.omod = 0;
    bare.mod.clamp = m->clamp ? 0 : inst->mod.clamp;
    if (is_packed_inst(inst)) {
        bare.mod.op_sel = bare.mod.neg_lo = bare.mod.neg_hi = 0;
        bare.mod.op_sel_hi = 7;
    }
    bare.encoding = CODEOBJ_ENC_E64;
    m->bare = (struct co_op){ .pc = op->pc, .dst2 = CO_S_SINK, .sem = op->sem };
    status = b->row->build(b, &bare, &m->bare);
    if (status)
        return status;
    if (m->put != CO_PUT_NONE) {
        /* What the instruction reads of its destination is the real register, op_sel's half of it. */
        op->dst = co_row_of(&real);
        op->dst_kind = CO_DST_ROW;
        op->dst_dwords = real.dwords ? real.dwords : 1;
        co_build_touches(b, op->dst, op->dst_dwords);
        if (real.role == CODEOBJ_ROLE_DSTSRC && m->bare.src_count < CO_OP_SRC_MAX) {
            struct co_src *src = &m->bare.src[m->bare.src_count++];
            real.flags &= (uint8_t)~CODEOBJ_OPERAND_HIDDEN;
            if (m->high_half && m->fetch_count < CO_OP_SRC_MAX) {
                struct co_fetch *f = &m->fetch[m->fetch_count++];
                *f = (struct co_fetch){ .kind = CO_FETCH_HALF, .which = 1, .keep = ~0u, .row = (uint16_t)(tmp + 4) };
                status = co_build_src(b, &real, &f->src);
                *src = (struct co_src){ .kind = CO_SRC_ROW, .reg = f->row, .dwords = 1 };
            } else {
                status = co_build_src(b, &real, src);
            }
        }
    } else {
        op->dst = m->bare.dst;
        op->dst_kind = m->bare.dst_kind;
        op->dst_dwords = m->bare.dst_dwords;
    }
    op->dst2 = m->bare.dst2;
    op->fn = choose(b, false);
    op->aux = m;
    return status;
}

/* ---- VOPD ------------------------------------------------------------------------------------- */

enum codeobj_status co_build_dual(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct co_dual *d = co_arena_alloc(b->arena, sizeof *d);
    if (!d)
        return CODEOBJ_NO_MEMORY;
    for (unsigned i = 0; i < 2; i++) {
        unsigned sem = co_isa_row_sem(i ? inst->row_y : inst->row);
        b->half_y = i;
        b->row = co_code_row(b->code, sem);
        d->half[i] = (struct co_op){ .pc = op->pc, .dst2 = CO_S_SINK, .sem = (uint16_t)sem };
        if (!b->row) {
            b->why = "half of a dual instruction without semantics";
            return CODEOBJ_UNSUPPORTED;
        }
        enum codeobj_status status = !b->row->raw && co_is_modified(b, inst)
                                         ? co_build_modified(b, inst, &d->half[i])
                                         : b->row->build(b, inst, &d->half[i]);
        if (status)
            return status;
    }
    /* X must not overwrite what Y reads: its result waits in a row of its own. */
    struct co_op *x = &d->half[0], *y = &d->half[1];
    bool clash = y->aux != NULL;
    for (unsigned i = 0; i < y->src_count; i++)
        for (unsigned k = 0; k < x->dst_dwords; k++)
            clash |= y->src[i].kind == CO_SRC_ROW && x->dst + k >= y->src[i].reg && x->dst + k < y->src[i].reg + y->src[i].dwords;
    if (clash && x->dst_kind == CO_DST_ROW) {
        d->real = x->dst;
        d->dwords = x->dst_dwords;
        x->dst = CO_ROW_TMP + CO_ROW_TMP_COUNT - 4;
        struct co_modified *m = (struct co_modified *)(uintptr_t)x->aux;
        if (m && m->put == CO_PUT_NONE)
            m->bare.dst = x->dst;
    }
    op->fn = choose(b, true);
    op->aux = d;
    return CODEOBJ_OK;
}

/* SPDX-License-Identifier: MIT
 *
 * isa/decode_vop3p.c - VOP3P: packed, mixed-precision, dot-product and matrix instructions.
 *
 *   31:23 = 110100111 (gfx8, gfx9), 110011000 (gfx10), 31:24 = 11001100 (gfx11 on)
 *   op 22:16 (gfx11 on: 23:16)  clamp 15  op_sel_hi2 14  op_sel 13:11  neg_hi 10:8  vdst 7:0
 *   neg_lo 63:61  op_sel_hi 60:59  src2 58:50  src1 49:41  src0 40:32
 *
 * The same bits mean different things in four kinds of rows:
 *   packed   as above; without op_sel (dot products of bytes) op_sel is 0
 *   mixed    neg_hi is abs; op_sel_hi says which sources are 16-bit, op_sel which half
 *   MFMA     blgp 63:61  acc 60:59 (A and B are AGPRs)  acc_cd 15 (C and D are)  abid 14:11  cbsz 10:8;
 *            the AGPRs of gfx908 are a file of their own: C and D are always there
 *   WMMA     from gfx12: op_sel is 0 and op_sel_hi 7, but for index_key 12:11, matrix_a_reuse 13 and
 *            matrix_b_reuse 14; register counts are for wave32, half of them in wave64.  In f8f6f4 op_sel
 *            and op_sel_hi are the formats of A and B
 *
 * A scaled MFMA or WMMA is two of these, the first of which holds the scale operands.  Of gfx1250's:
 *   matrix_b_scale_fmt 9:8  matrix_a_scale 11  matrix_a_reuse 13  matrix_b_reuse 14
 *   matrix_a_scale_fmt 62:61  matrix_b_scale 59  src2 = v0; it can also stand alone
 */
#include "isa/decoder.h"

enum { SRC_DPP8 = 233, SRC_DPP8_FI = 234, SRC_DPP = 250 };

struct fields {
    unsigned vdst, src[3];
    unsigned neg_lo, neg_hi, op_sel, op_sel_hi; /* three bits each */
    bool acc_cd;
    unsigned acc;
};

static unsigned dwords_of(const struct codeobj_isa *isa, const struct co_isa_opspec *s)
{
    return s->flags & CO_OPF_WAVE && isa->wave == 64 && s->dwords > 1 ? s->dwords / 2 : s->dwords;
}

/* ---- matrix instructions of gfx908 to gfx950 ----------------------------------------------- */

/* Dwords of an A (n = 0) or B operand of 128 elements in these formats: fp8, bf8, fp6, bf6, fp4.  Of a WMMA both have
 * as many as there can be when one of the two formats is none of them. */
unsigned co_f8f6f4_dwords(const struct codeobj_isa *isa, const struct codeobj_isa_modifiers *m, unsigned n)
{
    unsigned format = n ? m->blgp : m->cbsz;
    if (isa->gfx1250 && (m->cbsz > 4 || m->blgp > 4))
        return 8;
    return format == 2 || format == 3 ? 6 : format == 4 ? 4 : 8;
}

static const char *put_vector(struct co_decode *d, bool agpr, unsigned reg, unsigned type, unsigned dwords, unsigned role)
{
    co_operand(d, agpr ? CODEOBJ_OPERAND_AGPR : CODEOBJ_OPERAND_VGPR, role, type, dwords)->reg = (uint16_t)reg;
    return agpr && reg + dwords > 256 ? "agpr" : NULL;
}

/* Scalar registers as A or B, where none can be: LLVM reads as many as there can be and then names as many as the
 * format takes, of the trap registers of gfx1250 all. */
static const char *put_scalar_ab(struct co_decode *d, unsigned code, const struct co_isa_opspec *s, unsigned role)
{
    struct co_isa_opspec all = *s;
    if (d->row->ops[1].type == CODEOBJ_TYPE_BN)
        all.dwords = d->isa->gfx1250 ? 16 : 8;
    const char *why = co_put_scalar(d, code, &all, role);
    struct codeobj_isa_operand *o = &d->in->operands[d->n - 1];
    if (!why && !(d->isa->gfx1250 && o->kind == CODEOBJ_OPERAND_SGPR && o->reg >= 108 && o->reg < 124))
        o->dwords = s->dwords;
    return why;
}

static const char *mai_operands(struct co_decode *d, const struct fields *f)
{
    const struct codeobj_isa *isa = d->isa;
    bool f8f6f4 = d->row->ops[1].type == CODEOBJ_TYPE_BN, cd = !isa->gfx90a || f->acc_cd;
    unsigned n = 0;
    const char *why = NULL;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && d->row->ops[i].kind && !why; i++) {
        struct co_isa_opspec s = d->row->ops[i];
        unsigned role = CODEOBJ_ROLE_SRC0 + n, code = n < 3 ? f->src[n] : 0;
        switch (s.kind) {
        case CO_OPK_AD:
        case CO_OPK_ADR:
            why = put_vector(d, cd, f->vdst, s.type, s.dwords, s.kind == CO_OPK_AD ? CODEOBJ_ROLE_DST : CODEOBJ_ROLE_DSTSRC);
            if (!why && isa->align2 && s.dwords > 1 && f->vdst & 1)
                co_remark(d, s.kind == CO_OPK_ADR ? CO_REMARK_AV : cd ? CO_REMARK_AREG : CO_REMARK_VREG);
            break;
        case CO_OPK_ADST:
            put_vector(d, true, f->vdst, s.type, 1, CODEOBJ_ROLE_DST);
            break;
        case CO_OPK_D:
            put_vector(d, false, f->vdst, s.type, 1, CODEOBJ_ROLE_DST);
            break;
        case CO_OPK_AS:
            if (f8f6f4)
                s.dwords = (uint8_t)co_f8f6f4_dwords(d->isa, &d->in->mod, n);
            if (code < 256) {
                why = put_scalar_ab(d, code, &s, role);
                if (!why)
                    co_check_class(d, CO_REMARK_AV);
            } else {
                why = put_vector(d, f->acc >> n & 1, code - 256, s.type, s.dwords, role);
                if (!why && isa->align2 && s.dwords > 1 && code & 1)
                    co_remark(d, CO_REMARK_AV);
            }
            n++;
            break;
        case CO_OPK_AC:
        case CO_OPK_ASRC:
            if (code < 256) {
                why = co_put_scalar(d, code, &s, role);
                if (!why && (s.kind == CO_OPK_ASRC || d->in->operands[d->n - 1].kind == CODEOBJ_OPERAND_SGPR ||
                             d->in->operands[d->n - 1].kind == CODEOBJ_OPERAND_SPECIAL))
                    co_check_class(d, s.kind == CO_OPK_ASRC || cd ? CO_REMARK_AREG : CO_REMARK_VREG);
            } else {
                why = put_vector(d, s.kind == CO_OPK_ASRC || cd, code - 256, s.type, s.dwords, role);
                if (!why && isa->align2 && s.dwords > 1 && code & 1)
                    co_remark(d, cd ? CO_REMARK_AREG : CO_REMARK_VREG);
            }
            n++;
            break;
        case CO_OPK_S:
            if (n >= 3) /* scales, which lie elsewhere */
                break;
            /* fall through */
        case CO_OPK_AIDX:
            why = co_put_source(d, code, &s, role);
            if (!why && s.kind == CO_OPK_AIDX)
                co_check_class(d, CO_REMARK_VREG);
            n++;
            break;
        default:
            return "row";
        }
    }
    return why;
}

static const char *mai(struct co_decode *d, const struct fields *f)
{
    struct codeobj_isa_modifiers *m = &d->in->mod;
    uint32_t w = d->w0, x = d->w1;
    unsigned first = d->row->ops[0].kind;

    if (first == CO_OPK_D || first == CO_OPK_ADST) { /* v_accvgpr_read, v_accvgpr_write */
        if (co_bits(w, 8, 6) || co_bits(x, 29, 3))
            return co_bits(w, 8, 3) ? "cbsz" : co_bits(w, 11, 3) ? "abid" : "blgp";
        d->dont_care |= f->src[1] || f->src[2] || f->op_sel_hi != 7; /* an assembler writes ones there */
        return mai_operands(d, f);
    }
    m->cbsz = (uint8_t)co_bits(w, 8, 3);
    m->abid = (uint8_t)co_bits(w, 11, 4);
    m->blgp = (uint8_t)co_bits(x, 29, 3);
    if (d->row->ops[1].type == CODEOBJ_TYPE_BN && m->abid)
        return "abid";
    if (first == CO_OPK_ADR && m->blgp)
        return "blgp";
    return mai_operands(d, f);
}

/* ---- packed, mixed, WMMA -------------------------------------------------------------------- */

/* C of a WMMA may be a constant; a literal is read as one value, not as a pair. */
static bool constant_c(struct co_decode *d)
{
    struct codeobj_isa_operand *o = &d->in->operands[d->n - 1];
    if (d->isa->gen == CODEOBJ_GEN_GFX11 && o->kind == CODEOBJ_OPERAND_LITERAL) /* the bits, whatever they mean */
        o->type = CODEOBJ_TYPE_B32;
    if (o->kind == CODEOBJ_OPERAND_LITERAL && o->type == CODEOBJ_TYPE_PK_F16)
        o->type = CODEOBJ_TYPE_F16;
    if (o->kind == CODEOBJ_OPERAND_LITERAL && o->type == CODEOBJ_TYPE_PK_BF16)
        o->type = CODEOBJ_TYPE_BF16;
    return o->kind == CODEOBJ_OPERAND_LITERAL || o->kind == CODEOBJ_OPERAND_INLINE;
}

static const char *operands(struct co_decode *d, const struct fields *f)
{
    bool mix = d->row->flags & CO_ROW_MIX;
    unsigned n = 0;
    const char *why = NULL;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && d->row->ops[i].kind && !why; i++) {
        struct co_isa_opspec s = d->row->ops[i];
        s.dwords = (uint8_t)dwords_of(d->isa, &s);
        if (n >= 3) /* scales, which lie elsewhere */
            break;
        if (s.type == CODEOBJ_TYPE_BN) /* half the lanes of an MFMA, so twice the registers */
            s.dwords = (uint8_t)(2 * co_f8f6f4_dwords(d->isa, &d->in->mod, n));
        switch (s.kind) {
        case CO_OPK_D:
        case CO_OPK_DR:
            why = co_put_vgpr(d, f->vdst, &s, s.kind == CO_OPK_DR ? CODEOBJ_ROLE_DSTSRC : CODEOBJ_ROLE_DST);
            break;
        case CO_OPK_S:
        case CO_OPK_V:
        case CO_OPK_WIDX:
            why = f->src[n] < 256 && s.type == CODEOBJ_TYPE_BN ? put_scalar_ab(d, f->src[n], &s, CODEOBJ_ROLE_SRC0 + n)
                                                               : co_put_source(d, f->src[n], &s, CODEOBJ_ROLE_SRC0 + n);
            if (!why && (s.kind != CO_OPK_S || (d->row->ops[i].dwords > 2 && !constant_c(d))))
                co_check_class(d, CO_REMARK_VREG);
            if (!why && ((mix && n == 1) || (d->row->flags & CO_ROW_WMMA && n)) && d->in->encoding >= CODEOBJ_ENC_DPP16)
                co_check_class(d, CO_REMARK_VREG);
            if (!why && s.dwords > 2 && d->in->operands[d->n - 1].sdwa_sel == CO_REMARK_VS) /* C of a WMMA */
                co_remark(d, CO_REMARK_VREG);
            if (!why && mix) {
                struct codeobj_isa_operand *o = &d->in->operands[d->n - 1];
                o->flags |= (f->neg_lo >> n & 1 ? CODEOBJ_OPERAND_NEG : 0) | (f->neg_hi >> n & 1 ? CODEOBJ_OPERAND_ABS : 0);
            }
            n++;
            break;
        default:
            return "row";
        }
    }
    return why;
}

static bool is_float(unsigned type)
{
    return type == CODEOBJ_TYPE_F32 || type == CODEOBJ_TYPE_PK_F16 || type == CODEOBJ_TYPE_PK_BF16 ||
           type == CODEOBJ_TYPE_F16 || type == CODEOBJ_TYPE_BF16;
}

/* WMMA and SWMMAC from gfx12 on: which bits an instruction has follows from its types. */
static const char *wmma(struct co_decode *d, struct fields *f)
{
    const struct co_isa_opspec *ops = d->row->ops;
    struct codeobj_isa_modifiers *m = &d->in->mod;
    bool sparse = ops[3].kind == CO_OPK_WIDX, reuse = d->row->flags & CO_ROW_REUSE;
    bool half = ops[1].type == CODEOBJ_TYPE_PK_F16 || ops[1].type == CODEOBJ_TYPE_PK_BF16;
    bool sign = ops[1].type == CODEOBJ_TYPE_PK_I8 || ops[1].type == CODEOBJ_TYPE_PK_I4;
    bool c = !sparse && is_float(ops[3].type);
    unsigned lo = (half || sign || ops[1].type == CODEOBJ_TYPE_F32 ? 3 : 0) | (c ? 4 : 0), hi = (half ? 3 : 0) | (c ? 4 : 0);

    if (f->neg_lo & ~lo || f->neg_hi & ~hi)
        return "neg";
    unsigned keys = sparse ? (d->isa->wave == 64 ? ops[3].flags >> 2 & 3 : ops[3].flags & 3) : 0, key_mask = (1u << keys) - 1;
    m->index_key = (uint8_t)(f->op_sel & key_mask);
    unsigned rest = f->op_sel & ~key_mask, high = f->op_sel_hi;
    if (ops[1].type == CODEOBJ_TYPE_BN) {
        m->cbsz = (uint8_t)rest;
        m->blgp = (uint8_t)high;
        rest = 0;
        high = 7;
    }
    if (reuse) {
        m->matrix_a_reuse = rest >> 2 & 1;
        m->matrix_b_reuse = high >> 2 & 1;
        rest &= ~4u;
        high |= 4;
    }
    if (rest)
        return "op_sel";
    if (high != 7)
        return "op_sel_hi";
    m->neg_lo = (uint8_t)f->neg_lo;
    m->neg_hi = (uint8_t)f->neg_hi;
    return operands(d, f);
}

static const char *packed(struct co_decode *d, struct fields *f)
{
    struct codeobj_isa_modifiers *m = &d->in->mod;
    uint32_t flags = d->row->flags;
    unsigned all = (1u << d->shape.sources) - 1;
    bool mix = flags & CO_ROW_MIX;

    if ((f->neg_lo | f->neg_hi | f->op_sel) & ~all)
        return "neg or op_sel";
    if (f->op_sel && !(flags & CO_ROW_OS) && !mix)
        return "op_sel";
    if (!mix && (f->op_sel_hi & all) != all && !(flags & CO_ROW_OS))
        d->dont_care = true;
    if (d->shape.sources < 3 && (f->src[2] || (f->op_sel_hi | all) != 7)) /* an assembler writes ones there */
        d->dont_care = true;
    m->op_sel = (uint8_t)f->op_sel;
    m->op_sel_hi = flags & CO_ROW_OS || mix ? (uint8_t)(f->op_sel_hi & all) : (uint8_t)all;
    if (!mix && !(flags & CO_ROW_NN)) {
        m->neg_lo = (uint8_t)f->neg_lo;
        m->neg_hi = (uint8_t)f->neg_hi;
    }
    d->dont_care |= flags & CO_ROW_NN && (f->neg_lo | f->neg_hi);
    return operands(d, f);
}

static const char *dpp(struct co_decode *d, struct fields *f)
{
    struct codeobj_isa_modifiers *m = &d->in->mod;
    unsigned code = f->src[0];
    if (!(d->row->flags & CO_ROW_DPP3))
        return "src0";
    if (!co_need(d, 3))
        return "length";
    uint32_t w = co_load32(d->code + 8);
    f->src[0] = 256 + (w & 0xff);
    if (code == SRC_DPP) {
        d->dont_care |= co_bits(w, 17, 1) || co_bits(w, 20, 4);
        d->in->encoding = CODEOBJ_ENC_E64_DPP16;
        m->dpp_ctrl = (uint16_t)co_bits(w, 8, 9);
        m->dpp_fi = (uint8_t)co_bits(w, 18, 1);
        m->dpp_bound_ctrl = (uint8_t)co_bits(w, 19, 1);
        m->dpp_bank_mask = (uint8_t)co_bits(w, 24, 4);
        m->dpp_row_mask = (uint8_t)co_bits(w, 28, 4);
    } else {
        d->in->encoding = CODEOBJ_ENC_E64_DPP8;
        m->dpp8 = w >> 8;
        m->dpp_fi = code == SRC_DPP8_FI;
    }
    return NULL;
}

static void take_fields(struct fields *f, uint32_t w, uint32_t x)
{
    f->vdst = w & 0xff;
    f->src[0] = co_bits(x, 0, 9);
    f->src[1] = co_bits(x, 9, 9);
    f->src[2] = co_bits(x, 18, 9);
    f->neg_lo = co_bits(x, 29, 3);
    f->neg_hi = co_bits(w, 8, 3);
    f->op_sel = co_bits(w, 11, 3);
    f->op_sel_hi = co_bits(x, 27, 2) | co_bits(w, 14, 1) << 2;
    f->acc_cd = co_bits(w, 15, 1);
    f->acc = co_bits(x, 27, 2);
}

enum { OP_LD_SCALE = 0x2c, OP_SCALED = 0x80 };

/* v_mfma_ld_scale_b32: scale operands in src0 and src1.  When an MFMA of f8f6f4 follows, the two are one instruction
 * of four dwords; its row has OP_SCALED added to the opcode. */
static const char *scaled_mfma(struct co_decode *d)
{
    uint32_t w = d->w0, x = d->w1, w2 = 0, x2 = 0;
    struct codeobj_isa_modifiers *m = &d->in->mod;
    if (d->size >= 16) {
        w2 = co_load32(d->code + 8);
        x2 = co_load32(d->code + 12);
    }
    unsigned row = w2 >> 23 == 0x1a7 ? d->isa->vop3p[OP_SCALED | co_bits(w2, 16, 7)] : 0;
    struct fields scale, f;
    take_fields(&scale, w, x);
    if (row && co_bits(w2, 11, 4) == 1) { /* abid says that there are scales */
        co_need(d, 4);
        const char *why = co_start(d, row);
        if (why)
            return why;
        take_fields(&f, w2, x2);
        m->cbsz = (uint8_t)f.neg_hi;
        m->blgp = (uint8_t)f.neg_lo;
        why = mai_operands(d, &f);
        for (unsigned i = 0; i < 2 && !why; i++) {
            why = co_put_source(d, scale.src[i], &d->row->ops[4 + i], CODEOBJ_ROLE_SRC3 + i);
            if (!why)
                co_check_class(d, CO_REMARK_VREG);
        }
        m->op_sel = scale.op_sel & 3;
        m->op_sel_hi = scale.op_sel_hi & 3;
        if (!why)
            return NULL;
        /* The scales alone are an instruction, too. */
        *m = (struct codeobj_isa_modifiers){ 0 };
        d->in->verdict = CODEOBJ_VERDICT_CANONICAL;
        d->in->has_literal = 0;
        d->in->literal = 0;
        d->dont_care = false;
        d->n = 0;
        d->words = 2;
    }
    const char *why = co_start(d, d->isa->vop3p[OP_LD_SCALE]);
    if (why)
        return why;
    if (scale.vdst || scale.neg_hi & 4 || scale.op_sel & 4 || scale.acc_cd || scale.neg_lo & 4)
        return "reserved";
    m->op_sel = (uint8_t)scale.op_sel;
    m->op_sel_hi = scale.op_sel_hi & 3;
    d->dont_care |= scale.src[2] || scale.neg_lo || scale.neg_hi || !(scale.op_sel_hi & 4);
    return operands(d, &scale);
}

enum { OP_WMMA_SCALE = 0x35, OP_WMMA_SCALE16 = 0x3a, OP_WMMA_SCALED = 0x100, OP_WMMA_SCALED16 = 0x140 };

/* Scales of a WMMA: the first half, or all of it. */
static const char *wmma_scales(struct co_decode *d, const struct fields *f, const struct co_isa_opspec *ops)
{
    struct codeobj_isa_modifiers *m = &d->in->mod;
    if (f->src[2] != 256 || f->neg_hi & 4 || f->op_sel & 2 || f->neg_lo & 4 || f->op_sel_hi & 2 || f->acc_cd)
        return "reserved";
    m->matrix_a_scale = f->op_sel & 1;
    m->matrix_b_scale = f->op_sel_hi & 1;
    m->matrix_a_reuse = f->op_sel >> 2 & 1;
    m->matrix_b_reuse = f->op_sel_hi >> 2 & 1;
    m->matrix_a_scale_fmt = f->neg_lo & 3;
    m->matrix_b_scale_fmt = f->neg_hi & 3;
    const char *why = NULL;
    for (unsigned i = 0; i < 2 && !why; i++) {
        why = co_put_source(d, f->src[i], &ops[i], CODEOBJ_ROLE_SRC3 + i);
        if (!why && d->in->operands[d->n - 1].sdwa_sel == CO_REMARK_VS)
            co_remark(d, CO_REMARK_VS_LO256);
    }
    return why;
}

/* v_wmma_ld_scale*: when a WMMA of f8f6f4 or f4 follows, the two are one instruction; its row has OP_WMMA_SCALED*
 * added to the opcode. */
static const char *scaled_wmma(struct co_decode *d, unsigned op)
{
    struct fields scale, f;
    unsigned row = 0;
    take_fields(&scale, d->w0, d->w1);
    bool literal = scale.src[0] == 254 || scale.src[0] == 255 || scale.src[1] == 254 || scale.src[1] == 255;
    if (d->size >= 16 && !literal) {
        uint32_t w2 = co_load32(d->code + 8), x2 = co_load32(d->code + 12);
        if (w2 >> 24 == 0xcc)
            row = d->isa->vop3p[(op == OP_WMMA_SCALE ? OP_WMMA_SCALED : OP_WMMA_SCALED16) + co_bits(w2, 16, 8)];
        take_fields(&f, w2, x2);
    }
    if (row) {
        const struct co_decode before = *d;
        co_need(d, 4);
        const char *why = co_start(d, row);
        if (!why && f.acc_cd)
            why = "clamp";
        if (!why)
            why = wmma(d, &f);
        if (!why && !(why = wmma_scales(d, &scale, &d->row->ops[4]))) {
            d->dont_care |= scale.vdst != 0;
            return NULL;
        }
        *d = before;
        d->in->mod = (struct codeobj_isa_modifiers){ 0 };
        d->in->verdict = CODEOBJ_VERDICT_CANONICAL;
    }
    const char *why = co_start(d, d->isa->vop3p[op]);
    if (why)
        return why;
    return scale.vdst ? "vdst" : wmma_scales(d, &scale, d->row->ops);
}

const char *co_decode_vop3p(struct co_decode *d)
{
    const struct codeobj_isa *isa = d->isa;
    if (!co_need(d, 2))
        return "length";
    if (isa->gen == CODEOBJ_GEN_GFX9 && co_bits(d->w0, 16, 7) == OP_LD_SCALE)
        return scaled_mfma(d);
    if (isa->gfx1250 && (co_bits(d->w0, 16, 8) == OP_WMMA_SCALE || co_bits(d->w0, 16, 8) == OP_WMMA_SCALE16))
        return scaled_wmma(d, co_bits(d->w0, 16, 8));
    const char *why = co_start(d, isa->vop3p[isa->gen >= CODEOBJ_GEN_GFX11 ? co_bits(d->w0, 16, 8) : co_bits(d->w0, 16, 7)]);
    if (why)
        return why;
    struct fields f;
    take_fields(&f, d->w0, d->w1);
    if (d->row->flags & CO_ROW_MAI)
        return mai(d, &f);
    d->in->mod.clamp = f.acc_cd;
    if (f.acc_cd && !(d->row->flags & CO_ROW_CL)) {
        if (d->row->flags & CO_ROW_WMMA || isa->gen >= CODEOBJ_GEN_GFX11)
            return "clamp";
        d->in->mod.clamp = 0;
        d->dont_care = true;
    }
    if (isa->gen >= CODEOBJ_GEN_GFX11 && (f.src[0] == SRC_DPP || f.src[0] == SRC_DPP8 || f.src[0] == SRC_DPP8_FI)) {
        why = dpp(d, &f);
        if (why)
            return why;
    }
    return d->row->flags & CO_ROW_WMMA ? wmma(d, &f) : packed(d, &f);
}

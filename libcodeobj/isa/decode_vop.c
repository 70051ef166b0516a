/* SPDX-License-Identifier: MIT
 *
 * isa/decode_vop.c - VOP1, VOP2, VOPC and VOP3 with their SDWA and DPP forms.
 *
 *   VOP2  31 = 0              op 30:25  vdst 24:17  vsrc1 16:9   src0 8:0
 *   VOPC  31:25 = 0111110     op 24:17              vsrc1 16:9   src0 8:0
 *   VOP1  31:25 = 0111111     vdst 24:17            op 16:9      src0 8:0
 *   VOP3  31:26 = 110100 (gfx6-9), 110101 (gfx10 on)   op 25:16 (gfx6, gfx7: 25:17)
 *         clamp 15 (gfx6, gfx7: 11)  op_sel 14:11  abs 10:8  vdst 7:0
 *         VOP3SD: sdst 14:8 in place of op_sel and abs
 *         neg 63:61  omod 60:59  src2 58:50  src1 49:41  src0 40:32
 *
 * src0 says what follows: 249 SDWA, 250 DPP16, 233 and 234 DPP8, 255 a literal.
 *
 *   SDWA  src0 7:0  dst_sel 10:8  dst_unused 12:11  clamp 13  omod 15:14 (gfx9 on)
 *         src0_sel 18:16  sext 19  neg 20  abs 21  s0 23   src1_sel 26:24  sext 27  neg 28  abs 29  s1 31
 *         VOPC from gfx9: sdst 14:8, sd 15
 *   DPP16 src0 7:0  ctrl 16:8  fi 18  bound_ctrl 19  neg0 20  abs0 21  neg1 22  abs1 23  bank_mask 27:24  row_mask 31:28
 *   DPP8  src0 7:0  lanes 31:8
 *
 * Bits that an instruction does not use must be 0 where LLVM says so: neg, abs,
 * omod and clamp.  op_sel and unused source fields are ignored.
 */
#include "isa/decoder.h"

#include <string.h>

enum { VCC = 106, EXEC = 126 };
enum { SRC_DPP8 = 233, SRC_DPP8_FI = 234, SRC_SDWA = 249, SRC_DPP = 250 };

/* ---- operands of a row from the fields ---------------------------------------- */

static const char *implied_mask(struct co_decode *d, unsigned reg, unsigned role)
{
    co_put_sgpr(d, reg, d->isa->mask_dwords, CODEOBJ_TYPE_MASK, role);
    d->in->operands[d->n - 1].flags |= CODEOBJ_OPERAND_IMPLIED;
    return NULL;
}

static bool half_operand(const struct co_decode *d, const struct co_isa_opspec *s)
{
    return d->isa->true16 && !d->whole && (d->row->flags & CO_ROW_T16) && co_type_is_16(s->type);
}

/* gfx12: short forms have room for v0 to v127 as 16-bit operands. */
static bool beyond_fake16(const struct co_decode *d, const struct co_vop_fields *f, const struct co_isa_opspec *s,
                          unsigned code)
{
    return d->isa->fake16 && !f->e64 && (d->row->flags & CO_ROW_T16) && co_type_is_16(s->type) && code >= 128;
}

/* LDS_DIRECT is no source of the instructions that swap their sources. */
static bool reversed(const struct co_decode *d)
{
    return d->row->format == CODEOBJ_FMT_VOP2 && strstr(d->row->mnemonic, "rev_");
}

/* Sources of gfx950's conversions of 16 and 32 values are VGPRs.  LLVM reads six SGPRs as five, six trap registers
 * as eight. */
static const char *long_tuple(struct co_decode *d, struct codeobj_isa_operand *o, const struct co_isa_opspec *s)
{
    bool null = o->kind == CODEOBJ_OPERAND_SGPR && o->reg == 125, trap = o->reg >= 108 && o->reg < 124;
    if (o->kind == CODEOBJ_OPERAND_SPECIAL)
        return CO_AT_OPERAND;
    if (o->kind == CODEOBJ_OPERAND_SGPR && s->dwords == 6 && !null) {
        if (trap && o->reg + 8 > 124)
            return CO_AT_OPERAND;
        o->dwords = trap ? 8 : 5;
    }
    if (o->kind != CODEOBJ_OPERAND_VGPR || o->sdwa_sel == CO_REMARK_VS)
        co_check_class(d, CO_REMARK_VREG);
    if (o->sdwa_sel == CO_REMARK_VS)
        o->sdwa_sel = CO_REMARK_VREG;
    return NULL;
}

/* A source that may be a register half: reg carries the half in bit 7 in short forms. */
static const char *source(struct co_decode *d, const struct co_vop_fields *f, const struct co_isa_opspec *s, unsigned n)
{
    unsigned code = f->src[n];
    d->at = (uint8_t)(CODEOBJ_ROLE_SRC0 + n);
    if (s->kind == CO_OPK_L && !f->e64) { /* gfx6 and gfx7 alone have short forms */
        if (n)
            code &= 255; /* vsrc1 holds a scalar code */
        if (code >= 255 || (n && code == 254))
            return CO_AT_OPERAND;
    }
    if (d->isa->gen <= CODEOBJ_GEN_GFX7 && code < (s->kind == CO_OPK_V ? 256 : s->kind == CO_OPK_VL ? 254 : 0))
        return CO_AT_OPERAND;
    if (code == 254 && d->isa->gen <= CODEOBJ_GEN_GFX7 && reversed(d))
        return CO_AT_OPERAND;
    bool half = half_operand(d, s), hi = false;
    bool high128 = code >= 256 && beyond_fake16(d, f, s, code - 256);
    if (half && code >= 256) {
        if (f->e64) {
            hi = f->op_sel >> n & 1;
        } else {
            hi = code >> 7 & 1;
            code &= ~128u;
        }
    }
    const uint8_t verdict = d->in->verdict;
    const char *why = co_put_source(d, code, s, CODEOBJ_ROLE_SRC0 + n);
    if (why)
        return why;
    struct codeobj_isa_operand *o = &d->in->operands[d->n - 1];
    if (o->sdwa_sel == CO_REMARK_VS && n == 1 && d->row->ops[2].kind == CO_OPK_K) { /* v_fmamk_f64: any tuple */
        o->sdwa_sel = 0;
        d->in->verdict = verdict;
    }
    if (s->kind != CO_OPK_S) {
        enum co_remark lane = d->isa->gen >= CODEOBJ_GEN_GFX10 && d->row->ops[0].kind == CO_OPK_DR && !n
                                  ? CO_REMARK_SREG_OR_LDS
                                  : CO_REMARK_SREG;
        if (s->kind != CO_OPK_L || o->kind == CODEOBJ_OPERAND_VGPR || o->kind == CODEOBJ_OPERAND_SPECIAL) /* lane numbers may be constants */
            co_check_class(d, s->kind == CO_OPK_V ? half ? CO_REMARK_VGPR16 : CO_REMARK_VREG : s->kind == CO_OPK_VL ? CO_REMARK_VREG_OR_LDS : lane);
    }
    if (s->dwords >= (d->isa->gfx1250 ? 3 : 6)) {
        why = long_tuple(d, o, s);
        if (why)
            return why;
    }
    if (o->sdwa_sel == CO_REMARK_VS && ((!f->e64 && n == 1) || (!n && d->in->encoding >= CODEOBJ_ENC_DPP16)))
        co_remark(d, CO_REMARK_VREG);
    if (high128)
        co_remark(d, n || d->in->encoding >= CODEOBJ_ENC_DPP16 ? CO_REMARK_VGPR_LO128 : CO_REMARK_VS_LO128);
    if (half && code >= 256)
        o->flags |= CODEOBJ_OPERAND_HALF;
    if (hi || (f->e64 && (f->op_sel >> n & 1)))
        o->flags |= CODEOBJ_OPERAND_HI;
    if (s->flags & CO_OPF_MODS) {
        if (f->neg >> n & 1)
            o->flags |= CODEOBJ_OPERAND_NEG;
        if (f->abs >> n & 1)
            o->flags |= CODEOBJ_OPERAND_ABS;
    }
    return NULL;
}

static const char *vdst(struct co_decode *d, const struct co_vop_fields *f, const struct co_isa_opspec *s)
{
    bool half = half_operand(d, s), hi = f->e64 && f->op_sel >> 3 & 1;
    unsigned reg = f->vdst;
    bool high128 = beyond_fake16(d, f, s, reg);
    if (high128)
        return "vdst";
    if (half && !f->e64) {
        hi = reg >> 7 & 1;
        reg &= 127;
    }
    const char *why = co_put_vgpr(d, reg, s, s->kind == CO_OPK_DR ? CODEOBJ_ROLE_DSTSRC : CODEOBJ_ROLE_DST);
    if (!why)
        d->in->operands[d->n - 1].flags |= (half ? CODEOBJ_OPERAND_HALF : 0) | (hi ? CODEOBJ_OPERAND_HI : 0);
    return why;
}

static const char *literal_k(struct co_decode *d, const struct co_isa_opspec *s)
{
    const char *why = co_take_literal_k(d, s->type == CODEOBJ_TYPE_F64 ? 8 : 4);
    co_operand(d, CODEOBJ_OPERAND_LITERAL, CODEOBJ_ROLE_K, s->type, s->dwords)->value = d->in->literal;
    return why;
}

/* Is the last operand a constant? */
static bool constant(const struct co_decode *d)
{
    unsigned kind = d->in->operands[d->n - 1].kind;
    return kind == CODEOBJ_OPERAND_INLINE || kind == CODEOBJ_OPERAND_LITERAL;
}

/* A scalar register in the vdst field.  That has 8 bits, and LLVM reads the codes above 127 as for a source. */
static const char *scalar_dst(struct co_decode *d, unsigned code, const struct co_isa_opspec *s)
{
    const struct codeobj_isa *isa = d->isa;
    unsigned kind = isa->src_kind[code];
    /* LLVM reads a literal even here, but fails where the long form of gfx8 and gfx9 has none */
    bool literal = isa->gen >= CODEOBJ_GEN_GFX10 || (isa->gfx90a && isa->processor->minor >= 5) ||
                   (isa->gen >= CODEOBJ_GEN_GFX8 && d->words == 1);
    if (kind == CO_SRC_BAD || (kind == CO_SRC_LITERAL && !literal))
        return "sdst";
    const char *why = co_put_scalar(d, code, s, CODEOBJ_ROLE_DST);
    if (!why && constant(d))
        co_remark(d, CO_REMARK_IMMEDIATE);
    if (!why && !constant(d) && (code == (isa->gen >= CODEOBJ_GEN_GFX11 ? 125 : 124) || code == 254) && d->row->ops[1].kind == CO_OPK_VL) { /* M0, LDS_DIRECT */
        if (isa->gen <= CODEOBJ_GEN_GFX7)
            return "sdst";
        co_remark(d, CO_REMARK_XM0);
    } else if (!why && !constant(d) && d->row->ops[1].kind != CO_OPK_VL && s->type != CODEOBJ_TYPE_MASK && (code == EXEC || code == EXEC + 1 || code == 254)) {
        co_remark(d, CO_REMARK_XEXEC);
    }
    return why;
}

static const char *mask_dst(struct co_decode *d, unsigned code)
{
    const struct co_isa_opspec mask = { CO_OPK_MD, CODEOBJ_TYPE_MASK, d->isa->mask_dwords, 0 };
    return scalar_dst(d, code, &mask);
}

static const char *operands(struct co_decode *d, const struct co_vop_fields *f)
{
    const struct co_isa_opspec *spec = d->row->ops;
    unsigned n = 0;
    const char *why = NULL;

    for (unsigned i = 0; i < CO_ISA_OPSPECS && spec[i].kind && !why; i++) {
        const struct co_isa_opspec *s = &spec[i];
        switch (s->kind) {
        case CO_OPK_D:
        case CO_OPK_DR:
            why = vdst(d, f, s);
            break;
        case CO_OPK_SD:
            why = scalar_dst(d, f->vdst, s);
            break;
        case CO_OPK_MD:
        case CO_OPK_MX:
            if (s->kind == CO_OPK_MX && d->isa->gen >= CODEOBJ_GEN_GFX10) {
                /* EXEC is written whatever the field says; LLVM 15 wrote 0 there, later ones EXEC. */
                if (f->e64 && f->vdst != EXEC)
                    d->dont_care = true;
                why = implied_mask(d, EXEC, CODEOBJ_ROLE_DST);
                d->in->operands[d->n - 1].flags |= CODEOBJ_OPERAND_HIDDEN;
            } else if (f->e64) {
                why = mask_dst(d, f->vdst);
            } else {
                why = implied_mask(d, VCC, CODEOBJ_ROLE_DST);
            }
            break;
        case CO_OPK_MC:
            why = f->e64 ? co_put_sgpr(d, f->sdst, d->isa->mask_dwords, CODEOBJ_TYPE_MASK, CODEOBJ_ROLE_DST2)
                         : implied_mask(d, VCC, CODEOBJ_ROLE_DST2);
            break;
        case CO_OPK_MI:
            if (f->e64) {
                const struct co_isa_opspec mask = { CO_OPK_SS, CODEOBJ_TYPE_MASK, d->isa->mask_dwords, 0 };
                if (f->src[2] >= 128 && d->isa->gen <= CODEOBJ_GEN_GFX7)
                    return "src2";
                why = co_put_source(d, f->src[2], &mask, CODEOBJ_ROLE_SRC2);
                if (!why && constant(d))
                    co_remark(d, CO_REMARK_IMMEDIATE);
            } else {
                why = implied_mask(d, VCC, CODEOBJ_ROLE_SRC2);
            }
            break;
        case CO_OPK_K:
            why = literal_k(d, s);
            break;
        case CO_OPK_ADST:
        case CO_OPK_ASRC: {
            bool dst = s->kind == CO_OPK_ADST;
            unsigned reg = dst ? f->vdst : f->src[0];
            if (!dst && reg < 256) {
                why = co_put_scalar(d, reg, s, CODEOBJ_ROLE_SRC0);
                if (!why)
                    co_check_class(d, CO_REMARK_AREG);
                break;
            }
            co_operand(d, CODEOBJ_OPERAND_AGPR, dst ? CODEOBJ_ROLE_DST : CODEOBJ_ROLE_SRC0, s->type, 1)->reg = (uint8_t)reg;
            break;
        }
        case CO_OPK_S:
        case CO_OPK_V:
        case CO_OPK_VL:
        case CO_OPK_L:
            why = source(d, f, s, n++);
            break;
        case CO_OPK_NOSRC:
        case CO_OPK_BSEL:
        case CO_OPK_BSELD:
        case CO_OPK_SSEL:
        case CO_OPK_BITOP3:
        case CO_OPK_FIBC:
            break;
        default:
            return "row";
        }
    }
    return why;
}

/* ---- short forms ---------------------------------------------------------------- */

static const char *sdwa_reserved(struct co_decode *d, const struct co_vop_fields *f, uint32_t w)
{
    const struct co_row_shape s = d->shape;
    bool gfx9 = d->isa->gen >= CODEOBJ_GEN_GFX9;
    unsigned sext = co_bits(w, 19, 1) | co_bits(w, 27, 1) << 1, all = (1u << s.sources) - 1;

    unsigned dst = d->row->ops[0].type, src = d->row->ops[1].type;
    bool fp8 = src == CODEOBJ_TYPE_PK_FP8 || src == CODEOBJ_TYPE_PK_BF8 || src == CODEOBJ_TYPE_FP8 || src == CODEOBJ_TYPE_BF8;
    bool omod = d->row->flags & CO_ROW_OM && (fp8 || dst == CODEOBJ_TYPE_F32 || dst == CODEOBJ_TYPE_F16 || dst == CODEOBJ_TYPE_PK_F16);
    if (d->in->mod.omod && !omod) {
        if (gfx9)
            return "omod";
        d->dont_care = true;
    }
    if (!gfx9) {
        d->dont_care |= d->in->mod.omod != 0;
        d->in->mod.omod = 0;
    }
    d->dont_care |= co_bits(w, 22, 1) || co_bits(w, 30, 1) || (!gfx9 && (co_bits(w, 23, 1) || co_bits(w, 31, 1)));
    if (d->row->format == CODEOBJ_FMT_VOPC) /* sdst without sd, dst_sel and dst_unused of a mask */
        d->dont_care |= gfx9 ? co_bits(w, 8, 8) && !co_bits(w, 15, 1) : co_bits(w, 8, 5) != 0;
    if (fp8) { /* writes all of the destination */
        if (d->in->mod.sdwa_dst_sel != 6)
            return "dst_sel";
        d->dont_care |= d->in->mod.sdwa_dst_unused != 0;
    }
    if ((f->neg | f->abs) & ~s.mods)
        return "neg or abs";
    if (sext & (s.mods | ~all))
        return "sext";
    if (s.sources < 2 && (co_bits(w, 24, 3) || (gfx9 && co_bits(w, 31, 1))))
        return "src1";
    if (gfx9 && co_bits(w, 15, 1) && d->row->format == CODEOBJ_FMT_VOPC && d->isa->gen >= CODEOBJ_GEN_GFX10 &&
        d->row->ops[0].kind == CO_OPK_MX)
        return "sd";
    return NULL;
}

static const char *sdwa(struct co_decode *d, struct co_vop_fields *f)
{
    const struct codeobj_isa *isa = d->isa;
    if (!co_need(d, 2))
        return "length";
    bool mac = d->shape.tied && d->row->ops[0].type != CODEOBJ_TYPE_PK_F16;
    if (!(d->row->flags & CO_ROW_SDWA) || (mac && isa->gen >= CODEOBJ_GEN_GFX9))
        return "src0";
    uint32_t w = d->w1;
    bool compare = d->row->format == CODEOBJ_FMT_VOPC, gfx9 = isa->gen >= CODEOBJ_GEN_GFX9;
    struct codeobj_isa_modifiers *m = &d->in->mod;
    d->in->encoding = CODEOBJ_ENC_SDWA;

    f->src[0] = (uint16_t)((w & 0xff) | (gfx9 && co_bits(w, 23, 1) ? 0 : 256));
    if (gfx9 && co_bits(w, 31, 1))
        f->src[1] &= 255;
    f->neg = (uint8_t)(co_bits(w, 20, 1) | co_bits(w, 28, 1) << 1);
    f->abs = (uint8_t)(co_bits(w, 21, 1) | co_bits(w, 29, 1) << 1);
    if (compare && gfx9) {
        if (co_bits(w, 15, 1)) {
            f->e64 = true; /* the mask goes to sdst */
            f->vdst = (uint16_t)co_bits(w, 8, 7);
        }
    } else {
        if (!compare) {
            m->sdwa_dst_sel = (uint8_t)co_bits(w, 8, 3);
            m->sdwa_dst_unused = (uint8_t)co_bits(w, 11, 2);
        }
        m->clamp = (uint8_t)co_bits(w, 13, 1);
        m->omod = (uint8_t)co_bits(w, 14, 2);
    }
    const char *why = sdwa_reserved(d, f, w);
    if (f->src[0] == 255 || f->src[1] == 255)
        return "literal";
    if (!why)
        why = operands(d, f);
    /* byte and word selects, and sign extension of integer sources */
    for (unsigned i = 0; i < d->n && !why; i++) {
        struct codeobj_isa_operand *o = &d->in->operands[i];
        if (o->flags & CODEOBJ_OPERAND_IMPLIED || o->type == CODEOBJ_TYPE_MASK)
            continue;
        if (o->role == CODEOBJ_ROLE_SRC0 || o->role == CODEOBJ_ROLE_SRC1) {
            unsigned at = o->role == CODEOBJ_ROLE_SRC0 ? 16 : 24;
            o->sdwa_sel = (uint8_t)co_bits(w, at, 3);
            if (o->sdwa_sel > 6)
                why = "src_sel";
            if (co_bits(w, at + 3, 1))
                o->flags |= CODEOBJ_OPERAND_SEXT;
            if (o->type == CODEOBJ_TYPE_PK_F16) { /* there are bits, and nothing reads them */
                d->dont_care |= (o->flags & (CODEOBJ_OPERAND_NEG | CODEOBJ_OPERAND_ABS)) != 0;
                o->flags &= (uint8_t)~(CODEOBJ_OPERAND_NEG | CODEOBJ_OPERAND_ABS);
            }
        } else {
            o->sdwa_sel = m->sdwa_dst_sel;
        }
    }
    if (m->sdwa_dst_sel > 6)
        return "dst_sel";
    if (m->sdwa_dst_unused > 2)
        d->dont_care = true;
    return why;
}

/* Has the row a DPP form on this processor? */
static bool dpp_allowed(const struct co_decode *d, unsigned code, bool short_form)
{
    const struct codeobj_isa *isa = d->isa;
    uint32_t flags = d->row->flags;
    if (!(flags & (short_form ? CO_ROW_DPP : CO_ROW_DPP3)))
        return false;
    if (d->row->format == CODEOBJ_FMT_VOPC && isa->gen < CODEOBJ_GEN_GFX11)
        return false;
    if (d->shape.wide && isa->gen >= CODEOBJ_GEN_GFX10)
        return isa->dpp64 && code == SRC_DPP && !(flags & CO_ROW_ND64);
    return true;
}

/* Takes the fields of the DPP dword at words[at]. */
static const char *dpp(struct co_decode *d, struct co_vop_fields *f, unsigned at, bool with_mods)
{
    const struct codeobj_isa *isa = d->isa;
    unsigned code = f->src[0];
    if (!dpp_allowed(d, code, at == 1))
        return "src0";
    for (unsigned i = 1; isa->lit64 && i < d->shape.sources; i++)
        if (f->src[i] == 254) /* no room for 64 bits */
            return "literal";
    if (!co_need(d, at + 1u))
        return "length";
    uint32_t w = co_load32(d->code + 4u * at);
    struct codeobj_isa_modifiers *m = &d->in->mod;

    f->src[0] = (uint16_t)(256 + (w & 0xff));
    if (code == SRC_DPP) {
        d->dont_care |= co_bits(w, 17, 1) || (isa->gen < CODEOBJ_GEN_GFX10 && co_bits(w, 18, 1)) || (!with_mods && co_bits(w, 20, 4));
        d->in->encoding = at == 1 ? CODEOBJ_ENC_DPP16 : CODEOBJ_ENC_E64_DPP16;
        m->dpp_ctrl = (uint16_t)co_bits(w, 8, 9);
        m->dpp_fi = isa->gen >= CODEOBJ_GEN_GFX10 ? (uint8_t)co_bits(w, 18, 1) : 0;
        m->dpp_bound_ctrl = (uint8_t)co_bits(w, 19, 1);
        m->dpp_bank_mask = (uint8_t)co_bits(w, 24, 4);
        m->dpp_row_mask = (uint8_t)co_bits(w, 28, 4);
        if (with_mods) {
            f->neg = (uint8_t)(co_bits(w, 20, 1) | co_bits(w, 22, 1) << 1);
            f->abs = (uint8_t)(co_bits(w, 21, 1) | co_bits(w, 23, 1) << 1);
            unsigned ignored = d->shape.imods;
            if (isa->true16 && d->row->flags & CO_ROW_T16) /* halves come with modifier fields */
                ignored = (1u << d->shape.sources) - 1;
            if ((f->neg | f->abs) & ~(d->shape.mods | ignored))
                return "neg or abs";
            d->dont_care |= ((f->neg | f->abs) & ~d->shape.mods) != 0;
        }
    } else {
        d->in->encoding = at == 1 ? CODEOBJ_ENC_DPP8 : CODEOBJ_ENC_E64_DPP8;
        m->dpp8 = w >> 8;
        m->dpp_fi = code == SRC_DPP8_FI;
    }
    return NULL;
}

static bool is_dpp(const struct codeobj_isa *isa, unsigned code)
{
    return (code == SRC_DPP && isa->gen >= CODEOBJ_GEN_GFX8) ||
           ((code == SRC_DPP8 || code == SRC_DPP8_FI) && isa->gen >= CODEOBJ_GEN_GFX10);
}

/* v_nop with a DPP or SDWA dword, if that is one. */
static bool v_nop_control(struct co_decode *d, struct co_vop_fields *f)
{
    if (is_dpp(d->isa, f->src[0])) {
        bool modifiers = f->src[0] == SRC_DPP && co_bits(d->w1, 20, 4);
        return !modifiers && !dpp(d, f, 1, true);
    }
    return f->src[0] == SRC_SDWA && d->size >= 8 && !d->w1 && co_need(d, 2);
}

static const char *short_form(struct co_decode *d, struct co_vop_fields *f)
{
    const struct codeobj_isa *isa = d->isa;
    d->in->encoding = d->row->flags & (CO_ROW_NO64 | CO_ROW_NOSUF) ? CODEOBJ_ENC_DEFAULT : CODEOBJ_ENC_E32;
    if (!d->shape.sources && !d->row->ops[0].kind) { /* v_nop: no field means anything */
        d->in->encoding = CODEOBJ_ENC_DEFAULT;
        if (d->row->format == CODEOBJ_FMT_VOP2)
            return d->w0 ? "opcode" : NULL; /* v_illegal: the word 0 alone */
        if (isa->gen >= CODEOBJ_GEN_GFX8 && isa->gen <= CODEOBJ_GEN_GFX10 && !co_bits(d->w0, 9, 8) && !f->vdst && v_nop_control(d, f))
            return NULL;
        d->dont_care |= f->src[0] != 0;
        return !d->shape.dst && f->vdst ? "vdst" : operands(d, f);
    }
    if (f->src[0] == SRC_SDWA && isa->gen >= CODEOBJ_GEN_GFX8 && isa->gen <= CODEOBJ_GEN_GFX10)
        return sdwa(d, f);
    if (is_dpp(isa, f->src[0])) {
        const char *why = dpp(d, f, 1, true);
        if (why)
            return why;
    }
    return operands(d, f);
}

const char *co_decode_vop1(struct co_decode *d)
{
    uint32_t w = d->w0;
    const char *why = co_start(d, d->isa->vop1[co_bits(w, 9, 8)]);
    struct co_vop_fields f = { .vdst = (uint16_t)co_bits(w, 17, 8), .src = { (uint16_t)co_bits(w, 0, 9) } };
    return why ? why : short_form(d, &f);
}

const char *co_decode_vop2(struct co_decode *d)
{
    uint32_t w = d->w0;
    const char *why = co_start(d, d->isa->vop2[co_bits(w, 25, 6)]);
    struct co_vop_fields f = { .vdst = (uint16_t)co_bits(w, 17, 8),
                               .src = { (uint16_t)co_bits(w, 0, 9), (uint16_t)(256 + co_bits(w, 9, 8)) } };
    return why ? why : short_form(d, &f);
}

const char *co_decode_vopc(struct co_decode *d)
{
    uint32_t w = d->w0;
    const char *why = co_start(d, d->isa->vopc[co_bits(w, 17, 8)]);
    struct co_vop_fields f = { .src = { (uint16_t)co_bits(w, 0, 9), (uint16_t)(256 + co_bits(w, 9, 8)) } };
    return why ? why : short_form(d, &f);
}

/* ---- the long form ---------------------------------------------------------------- */

/* Takes the bits that mean something else in this row; the rest goes on as usual. */
static const char *extra(struct co_decode *d, struct co_vop_fields *f)
{
    struct codeobj_isa_modifiers *m = &d->in->mod;
    switch (d->shape.extra) {
    case CO_OPK_BSEL:
        m->byte_sel = (uint8_t)((f->op_sel & 1) << 1 | (f->op_sel >> 1 & 1));
        f->op_sel &= (uint8_t)~3u;
        if (is_dpp(d->isa, f->src[0]) && !(d->row->flags & CO_ROW_OS))
            f->op_sel = 0;
        return f->op_sel & 4 || (f->op_sel && !(d->row->flags & CO_ROW_OS)) ? "op_sel" : NULL;
    case CO_OPK_BSELD:
        m->byte_sel = f->op_sel >> 2;
        f->op_sel &= 3;
        if (f->op_sel && is_dpp(d->isa, f->src[0]) && !(d->row->flags & CO_ROW_OS)) {
            f->op_sel = 0; /* LLVM looks at them in the form without DPP alone */
            d->dont_care = true;
        }
        return f->op_sel && !(d->row->flags & CO_ROW_OS) ? "op_sel" : NULL;
    case CO_OPK_SSEL:
        m->scale_sel = f->op_sel;
        f->op_sel = 0;
        return NULL;
    case CO_OPK_BITOP3:
        m->bitop3 = (uint8_t)(m->omod << 6 | f->abs << 3 | f->neg);
        m->omod = f->abs = f->neg = 0;
        return f->op_sel && !(d->row->flags & CO_ROW_OS) ? "op_sel" : NULL;
    case CO_OPK_FIBC:
        m->dpp_fi = f->op_sel & 1;
        m->dpp_bound_ctrl = f->op_sel >> 1 & 1;
        f->op_sel = 0;
        return NULL;
    default:
        return NULL;
    }
}

/* Bits that must be 0 and are not. */
static const char *reserved(struct co_decode *d, const struct co_vop_fields *f)
{
    const struct codeobj_isa *isa = d->isa;
    const struct co_row_shape s = d->shape;
    uint32_t flags = d->row->flags;
    struct codeobj_isa_modifiers *m = &d->in->mod;
    unsigned no_source = ~((1u << s.sources) - 1) & 7u, op_sel_reserved = f->op_sel & (no_source | (s.vdst ? 0u : 8u));
    bool half = isa->true16 && (flags & CO_ROW_T16);
    if (half && !(flags & (CO_ROW_OS | CO_ROW_HALVES)) && op_sel_reserved) {
        /* LLVM then reads it as the form that has no halves, and no op_sel. */
        d->whole = true;
        half = false;
    }
    bool op_sel = flags & CO_ROW_OS || half;
    /* Integer sources of instructions with op_sel have modifier fields that nothing reads. */
    unsigned ignored = d->row->format == CODEOBJ_FMT_VOPC && isa->gen < CODEOBJ_GEN_GFX10 ? 0 : s.imods;
    if (op_sel && isa->gen >= CODEOBJ_GEN_GFX11)
        ignored = s.plain & ~(unsigned)s.mods;

    if ((f->abs | f->neg) & ~(s.mods | ignored))
        return "neg or abs";
    if ((f->abs | f->neg) & ignored)
        d->dont_care = true;
    if (m->clamp && !(flags & CO_ROW_CL))
        return "clamp";
    if (m->omod && !(flags & CO_ROW_OM))
        return "omod";
    if (!s.dst && f->vdst)
        return "vdst";
    if (op_sel) {
        if (!s.plain) { /* v_permlane16: fi and bound_ctrl */
            d->dont_care |= f->op_sel > 3;
            m->op_sel = f->op_sel & 3;
            return s.sources == 2 && f->op_sel & 4 ? "op_sel" : NULL;
        }
        if (op_sel_reserved)
            return "op_sel";
        m->op_sel = f->op_sel & (uint8_t)~(co_type_is_16(d->row->ops[0].type) ? s.packed : 0);
        d->dont_care |= m->op_sel != f->op_sel;
    } else if (f->op_sel) {
        /* gfx950: LLVM looks at the bits of v_cvt_pk_bf16_f32 like at those of its neighbours, which have op_sel */
        const struct co_isa_opspec *dst = &d->row->ops[0];
        if (dst->type == CODEOBJ_TYPE_PK_BF16 && dst->dwords == 1 && isa->gen == CODEOBJ_GEN_GFX9 && f->op_sel & no_source)
            return "op_sel";
        d->dont_care = true;
    }
    return NULL;
}

/* v_interp_* in the long form: attr 37:32  chan 39:38  high 40  vsrc or parameter 49:41  src2 58:50; the modifiers
 * of the one source are those of src1. */
static const char *interp(struct co_decode *d, struct co_vop_fields *f, uint32_t x)
{
    struct codeobj_isa_modifiers *m = &d->in->mod;
    uint32_t flags = d->row->flags;
    unsigned n = 1, allowed = 0;
    bool f16 = flags & CO_ROW_HIGH;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && d->row->ops[i].kind; i++)
        allowed |= d->row->ops[i].kind == CO_OPK_V ? (allowed ? 4u : 2u) : 0;
    m->attr = (uint8_t)co_bits(x, 0, 6);
    m->attr_chan = (uint8_t)co_bits(x, 6, 2);
    m->interp_high = (uint8_t)co_bits(x, 8, 1);
    if (m->interp_high && !f16)
        return "high";
    if ((f->neg | f->abs) & ~allowed)
        return "neg or abs";
    if (m->omod && !(flags & CO_ROW_OM))
        return "omod";
    m->op_sel = flags & CO_ROW_OS ? f->op_sel & 13 : 0; /* src1 is the attribute */
    d->dont_care |= m->op_sel != f->op_sel;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && d->row->ops[i].kind; i++) {
        const struct co_isa_opspec *s = &d->row->ops[i];
        const char *why = NULL;
        struct codeobj_isa_operand *o;
        switch (s->kind) {
        case CO_OPK_V:
            why = co_put_source(d, f->src[n], s, CODEOBJ_ROLE_SRC0 + (n - 1));
            if (why)
                return why;
            co_check_class(d, CO_REMARK_VREG);
            o = &d->in->operands[d->n - 1];
            o->flags |= (f->neg >> n & 1 ? CODEOBJ_OPERAND_NEG : 0) | (f->abs >> n & 1 ? CODEOBJ_OPERAND_ABS : 0);
            n++;
            break;
        case CO_OPK_ATTR:
            o = co_operand(d, CODEOBJ_OPERAND_SPECIAL, CODEOBJ_ROLE_IMM, s->type, 0);
            o->reg = CODEOBJ_SPECIAL_ATTR;
            break;
        case CO_OPK_PARAM:
            o = co_operand(d, CODEOBJ_OPERAND_SPECIAL, CODEOBJ_ROLE_SRC0, s->type, 1);
            o->reg = CODEOBJ_SPECIAL_PARAM;
            o->value = f->src[1];
            break;
        default:
            why = vdst(d, f, s);
            if (why)
                return why;
        }
    }
    for (n = n < 2 && d->row->ops[1].kind == CO_OPK_PARAM ? 2 : n; n < 3; n++)
        d->dont_care |= f->src[n] != 0;
    return NULL;
}

/* Does the row read a lane mask in src2? */
static bool has_mask(const struct co_isa_row *row)
{
    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++)
        if (row->ops[i].kind == CO_OPK_MI)
            return true;
    return false;
}

/* Sources that have a field: those with text. */
static unsigned named_sources(const struct co_isa_row *row)
{
    unsigned n = 0;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++)
        n += row->ops[i].kind == CO_OPK_S || row->ops[i].kind == CO_OPK_V || row->ops[i].kind == CO_OPK_VL ||
             row->ops[i].kind == CO_OPK_L;
    return n;
}

static bool is_float(unsigned type)
{
    return type == CODEOBJ_TYPE_F16 || type == CODEOBJ_TYPE_F32 || type == CODEOBJ_TYPE_F64 || type == CODEOBJ_TYPE_PK_F16;
}

/* What the long form of gfx6 and gfx7 lacks: clamp of integers and comparisons, literals; and its bits without meaning. */
static const char *old_long_form(struct co_decode *d, const struct co_vop_fields *f)
{
    unsigned sources = d->shape.sources;
    const struct co_isa_opspec *ops = d->row->ops;
    if (d->in->mod.clamp && !is_float(ops[0].type)) /* gfx8 and later clamp those too */
        return "clamp";
    for (unsigned i = 0; i < sources; i++)
        if (f->src[i] == 255)
            return "literal";
    if (co_bits(d->w0, 12, d->shape.sdst ? 0 : 3) || co_bits(d->w0, 15, 2))
        d->dont_care = true;
    return NULL;
}

uint8_t co_vop3_encoding(const struct co_isa_row *row)
{
    return (row->format == CODEOBJ_FMT_VOP3 && !(row->flags & CO_ROW_SUF)) || row->flags & CO_ROW_NOSUF || !row->ops[0].kind
               ? CODEOBJ_ENC_DEFAULT
               : CODEOBJ_ENC_E64;
}

const char *co_decode_vop3(struct co_decode *d)
{
    const struct codeobj_isa *isa = d->isa;
    struct codeobj_isa_modifiers *m = &d->in->mod;
    if (!co_need(d, 2))
        return "length";
    uint32_t w = d->w0, x = d->w1;
    bool old = isa->gen <= CODEOBJ_GEN_GFX7;
    const char *why = co_start(d, isa->vop3[old ? co_bits(w, 17, 9) : co_bits(w, 16, 10)]);
    if (why)
        return why;

    const struct co_row_shape s = d->shape;
    struct co_vop_fields f = { .vdst = (uint16_t)co_bits(w, 0, 8),
                               .src = { (uint16_t)co_bits(x, 0, 9), (uint16_t)co_bits(x, 9, 9), (uint16_t)co_bits(x, 18, 9) },
                               .neg = (uint8_t)co_bits(x, 29, 3),
                               .e64 = true };
    if (s.sdst) {
        f.sdst = (uint16_t)co_bits(w, 8, 7);
    } else {
        f.abs = (uint8_t)co_bits(w, 8, 3);
        f.op_sel = old ? 0 : (uint8_t)co_bits(w, 11, 4);
    }
    m->clamp = (uint8_t)co_bits(w, old ? 11 : 15, 1);
    if (old && s.sdst)
        m->clamp = 0;
    m->omod = (uint8_t)co_bits(x, 27, 2);
    d->in->encoding = co_vop3_encoding(d->row);
    if (d->row->ops[1].kind == CO_OPK_PARAM || d->row->ops[2].kind == CO_OPK_ATTR)
        return interp(d, &f, x);
    if (old)
        why = old_long_form(d, &f);
    if (why)
        return why;
    why = s.extra ? extra(d, &f) : NULL;
    if (!why)
        why = reserved(d, &f);
    if (why)
        return why;
    if (isa->gen >= CODEOBJ_GEN_GFX11 && is_dpp(isa, f.src[0]) && d->row->ops[0].kind) {
        why = dpp(d, &f, 2, false);
        if (why)
            return why;
    }
    for (unsigned i = named_sources(d->row); i < 3; i++) /* fields of sources that there are not */
        if (f.src[i] && !(i == 2 && has_mask(d->row)))
            d->dont_care = true;
    d->dont_care |= !d->row->ops[0].kind; /* v_nop and v_clrexcp have a short form */
    f.op_sel = m->op_sel;
    return operands(d, &f);
}

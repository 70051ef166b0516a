/* SPDX-License-Identifier: MIT
 *
 * isa/decode_vopd.c - dual-issue instructions.
 *
 *   VOPD  31:26 = 110010    opx 25:22  opy 21:17  vsrcx1 16:9  srcx0 8:0
 *         vdstx 63:56  vdsty 55:49  vsrcy1 48:41  srcy0 40:32   one literal may follow
 *   VOPD3 31:24 = 11001111  opx 23:18  opy 17:12  srcx0 8:0
 *         vsrcx2 63:56  vsrcx1 55:48  negy 46:44  negx 43:41  srcy0 40:32
 *         vdsty 95:88  vsrcy2 87:80  vsrcy1 79:72  vdstx 71:64
 *
 * The two destinations of VOPD are in different banks: vdsty's lowest bit is not
 * stored, it is the complement of vdstx's.  Both halves share literals.
 */
#include "isa/decoder.h"

enum { VCC = 106 };

struct half {
    unsigned vdst, src[3], neg;
    unsigned flags; /* CODEOBJ_OPERAND_Y or 0 */
    bool three;     /* VOPD3 */
};

static const char *operands(struct co_decode *d, const struct co_isa_row *row, const struct half *h)
{
    unsigned n = 0, first = d->n;
    const char *why = NULL;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind && !why; i++) {
        const struct co_isa_opspec *s = &row->ops[i];
        const struct co_isa_opspec mask = { CO_OPK_SS, CODEOBJ_TYPE_MASK, d->isa->mask_dwords, 0 };
        switch (s->kind) {
        case CO_OPK_D:
        case CO_OPK_DR:
            why = co_put_vgpr(d, h->vdst, s, s->kind == CO_OPK_D ? CODEOBJ_ROLE_DST : CODEOBJ_ROLE_DSTSRC);
            break;
        case CO_OPK_S:
            why = co_put_source(d, h->src[n], s, CODEOBJ_ROLE_SRC0 + n);
            if (!why && s->flags & CO_OPF_MODS && h->neg >> n & 1)
                d->in->operands[d->n - 1].flags |= CODEOBJ_OPERAND_NEG;
            if (!why && n && d->in->operands[d->n - 1].sdwa_sel == CO_REMARK_VS)
                co_remark(d, CO_REMARK_VREG);
            n++;
            break;
        case CO_OPK_K:
            why = co_take_literal_k(d, 4);
            co_operand(d, CODEOBJ_OPERAND_LITERAL, CODEOBJ_ROLE_K, s->type, 1)->value = d->in->literal;
            break;
        case CO_OPK_MI:
            if (h->three) {
                if ((h->src[2] & 255) == CO_CODE_LITERAL64) /* no room */
                    return "literal";
                why = co_put_scalar(d, h->src[2] & 255, &mask, CODEOBJ_ROLE_SRC2);
                if (!why && (d->in->operands[d->n - 1].kind == CODEOBJ_OPERAND_INLINE ||
                             d->in->operands[d->n - 1].kind == CODEOBJ_OPERAND_LITERAL))
                    co_remark(d, CO_REMARK_IMMEDIATE);
            } else {
                why = co_put_sgpr(d, VCC, mask.dwords, CODEOBJ_TYPE_MASK, CODEOBJ_ROLE_SRC2);
                d->in->operands[d->n - 1].flags |= CODEOBJ_OPERAND_IMPLIED | CODEOBJ_OPERAND_HIDDEN;
            }
            break;
        case CO_OPK_BITOP3:
            d->in->mod.bitop3 = (uint8_t)h->src[2];
            break;
        default:
            return "row";
        }
    }
    for (unsigned i = first; i < d->n; i++)
        d->in->operands[i].flags |= (uint8_t)h->flags;
    return why;
}

/* neg bits must be 0 where there is no float source. */
static bool neg_reserved(const struct codeobj_isa *isa, unsigned row, unsigned neg)
{
    return neg & ~(unsigned)isa->shape[row].mods;
}

/* Fields of sources that the row does not have must be 0. */
static bool unused_reserved(const struct codeobj_isa *isa, unsigned row, const struct half *h)
{
    unsigned sources = isa->shape[row].sources;
    bool third = sources == 3;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && co_isa_rows[row].ops[i].kind; i++)
        third |= co_isa_rows[row].ops[i].kind == CO_OPK_MI || co_isa_rows[row].ops[i].kind == CO_OPK_BITOP3;
    return (sources < 2 && h->src[1] != 256) || (h->three && !third && h->src[2] != 256);
}

static bool takes(unsigned row, unsigned kind)
{
    for (unsigned i = 0; i < CO_ISA_OPSPECS && co_isa_rows[row].ops[i].kind; i++)
        if (co_isa_rows[row].ops[i].kind == kind)
            return true;
    return false;
}

enum { OPX_DOT2ACC_BF16 = 13 };

/* gfx1250 has both forms, and its assembler takes the short one where that has room for the instruction: the mask of
 * v_dual_cndmask is VCC there, which the text then does not show, and v_dual_dot2acc_f32_bf16 is never its first half. */
static bool fits_vopd(unsigned opx, unsigned rx, unsigned ry, const struct half *x, const struct half *y)
{
    unsigned flags_x = co_isa_rows[rx].flags, flags_y = co_isa_rows[ry].flags;

    return opx < 16 && opx != OPX_DOT2ACC_BF16 && !(flags_x & (CO_ROW_YONLY | CO_ROW_V3ONLY)) && !(flags_y & CO_ROW_V3ONLY) &&
           !takes(rx, CO_OPK_MI) && !takes(ry, CO_OPK_MI) && !x->neg && !y->neg && (x->vdst ^ y->vdst) & 1;
}

static const char *both(struct co_decode *d, unsigned rx, unsigned ry, const struct half *x, const struct half *y)
{
    if (!ry)
        return "opy";
    const char *why = co_start(d, rx);
    if (why)
        return "opx";
    if (unused_reserved(d->isa, rx, x) || unused_reserved(d->isa, ry, y))
        return "vsrc";
    d->in->row_y = (uint16_t)ry;
    why = operands(d, &co_isa_rows[rx], x);
    return why ? why : operands(d, &co_isa_rows[ry], y);
}

const char *co_decode_vopd(struct co_decode *d)
{
    if (!co_need(d, 2))
        return "length";
    uint32_t w = d->w0, v = d->w1;
    unsigned rx = d->isa->vopd[co_bits(w, 22, 4)], ry = d->isa->vopd[co_bits(w, 17, 5)];
    if (co_isa_rows[rx].flags & (CO_ROW_YONLY | CO_ROW_V3ONLY))
        return "opx";
    if (co_isa_rows[ry].flags & CO_ROW_V3ONLY)
        return "opy";
    struct half x = { .vdst = co_bits(v, 24, 8), .src = { co_bits(w, 0, 9), 256 + co_bits(w, 9, 8), 0 } };
    struct half y = { .vdst = co_bits(v, 17, 7) * 2 + (~x.vdst & 1), .src = { co_bits(v, 0, 9), 256 + co_bits(v, 9, 8), 0 },
                      .flags = CODEOBJ_OPERAND_Y };
    const char *why = both(d, rx, ry, &x, &y);
    d->dont_care |= !why && d->isa->gfx1250 && co_bits(w, 22, 4) == OPX_DOT2ACC_BF16 && !takes(ry, CO_OPK_MI) &&
                    !d->in->has_literal; /* VOPD3 then */
    return why;
}

const char *co_decode_vopd3(struct co_decode *d)
{
    if (!co_need(d, 3))
        return "length";
    uint32_t w = d->w0, v = d->w1, u = co_load32(d->code + 8);
    unsigned rx = d->isa->vopd[co_bits(w, 18, 6)], ry = d->isa->vopd[co_bits(w, 12, 6)];
    struct half x = { .vdst = co_bits(u, 0, 8), .src = { co_bits(w, 0, 9), 256 + co_bits(v, 16, 8), 256 + co_bits(v, 24, 8) },
                      .neg = co_bits(v, 9, 3), .three = true };
    struct half y = { .vdst = co_bits(u, 24, 8), .src = { co_bits(v, 0, 9), 256 + co_bits(u, 8, 8), 256 + co_bits(u, 16, 8) },
                      .neg = co_bits(v, 12, 3), .three = true, .flags = CODEOBJ_OPERAND_Y };
    for (unsigned i = 0; i < 2; i++) /* no room for a literal */
        for (const struct co_isa_opspec *o = co_isa_rows[i ? ry : rx].ops; o->kind; o++)
            if (o->kind == CO_OPK_K)
                return "op";
    if (neg_reserved(d->isa, rx, x.neg) || neg_reserved(d->isa, ry, y.neg))
        return "neg";
    if (co_bits(w, 12, 6) >= 32) /* f64 */
        return "opy";
    unsigned opx = co_bits(w, 18, 6);
    if (opx == 18 || opx == 23 || opx == 24) /* v_dual_bitop2_b32, v_dual_max_i32, v_dual_min_i32 */
        return "opx";
    d->dont_care |= co_bits(w, 9, 3) || co_bits(v, 15, 1) || fits_vopd(opx, rx, ry, &x, &y);
    return both(d, rx, ry, &x, &y);
}

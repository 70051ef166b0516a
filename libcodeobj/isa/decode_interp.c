/* SPDX-License-Identifier: MIT
 *
 * isa/decode_interp.c - parameter interpolation and LDS parameter loads.
 *
 *   VINTRP (gfx8, gfx9)           31:26 = 110101  vdst 25:18  op 17:16  attr 15:10  chan 9:8  vsrc 7:0
 *   VINTRP (gfx6, gfx7, gfx10)    31:26 = 110010
 *   VINTERP (gfx11 on)            31:24 = 11001101  op 20:16  clamp 15  op_sel 14:11  wait_exp 10:8  vdst 7:0
 *                                 neg 63:61  src2 58:50  src1 49:41  src0 40:32
 *   LDSDIR, VDSDIR (gfx11, gfx12) 31:24 = 11001110  wait_vm_vsrc 23 (gfx12)  op 21:20  wait_va_vdst 19:16
 *                                 attr 15:10  chan 9:8  vdst 7:0
 */
#include "isa/decoder.h"

static void put_attr(struct co_decode *d, unsigned attr, unsigned chan)
{
    d->in->mod.attr = (uint8_t)attr;
    d->in->mod.attr_chan = (uint8_t)chan;
    co_operand(d, CODEOBJ_OPERAND_SPECIAL, CODEOBJ_ROLE_IMM, CODEOBJ_TYPE_B32, 0)->reg = CODEOBJ_SPECIAL_ATTR;
}

const char *co_decode_vintrp(struct co_decode *d)
{
    uint32_t w = d->w0;
    const char *why = co_start(d, d->isa->vintrp[co_bits(w, 16, 2)]);
    if (why)
        return why;
    d->in->encoding = d->isa->gen >= CODEOBJ_GEN_GFX8 ? CODEOBJ_ENC_E32 : CODEOBJ_ENC_DEFAULT;
    for (unsigned i = 0; i < 3 && !why; i++) {
        const struct co_isa_opspec *s = &d->row->ops[i];
        if (s->kind == CO_OPK_D || s->kind == CO_OPK_DR) {
            why = co_put_vgpr(d, co_bits(w, 18, 8), s, s->kind == CO_OPK_D ? CODEOBJ_ROLE_DST : CODEOBJ_ROLE_DSTSRC);
        } else if (s->kind == CO_OPK_V) {
            why = co_put_vgpr(d, w & 0xff, s, CODEOBJ_ROLE_SRC0);
        } else if (s->kind == CO_OPK_PARAM) {
            struct codeobj_isa_operand *o = co_operand(d, CODEOBJ_OPERAND_SPECIAL, CODEOBJ_ROLE_SRC0, s->type, 1);
            o->reg = CODEOBJ_SPECIAL_PARAM;
            o->value = w & 0xff;
            if (o->value > 2 && d->isa->gen <= CODEOBJ_GEN_GFX7) /* later LLVM shows invalid_param_N */
                return "vsrc";
        } else {
            put_attr(d, co_bits(w, 10, 6), co_bits(w, 8, 2));
        }
    }
    return why;
}

const char *co_decode_vinterp(struct co_decode *d)
{
    struct codeobj_isa_modifiers *m = &d->in->mod;
    if (!co_need(d, 2))
        return "length";
    uint32_t w = d->w0, x = d->w1;
    const char *why = co_start(d, d->isa->vinterp[co_bits(w, 16, 5)]);
    if (why)
        return why;
    if (co_bits(w, 21, 2)) {
        if (d->isa->gen < CODEOBJ_GEN_GFX12)
            return "opcode";
        d->dont_care = true;
    }
    m->clamp = (uint8_t)co_bits(w, 15, 1);
    m->wait_exp = (uint8_t)co_bits(w, 8, 3);
    unsigned op_sel = co_bits(w, 11, 4), neg = co_bits(x, 29, 3), code[3] = { co_bits(x, 0, 9), co_bits(x, 9, 9), co_bits(x, 18, 9) };
    if (d->row->flags & CO_ROW_OS)
        m->op_sel = (uint8_t)op_sel;
    else
        d->dont_care |= op_sel != 0;
    for (unsigned i = 0; i < 4 && !why; i++) {
        const struct co_isa_opspec *s = &d->row->ops[i];
        bool half = d->isa->true16 && d->row->flags & CO_ROW_T16 && co_type_is_16(s->type);
        if (i && half) { /* bit 8 of the source code is not looked at */
            d->dont_care |= code[i - 1] < 256;
            code[i - 1] |= 256;
        }
        why = i ? co_put_source(d, code[i - 1], s, CODEOBJ_ROLE_SRC0 + i - 1) : co_put_vgpr(d, w & 0xff, s, CODEOBJ_ROLE_DST);
        if (why)
            break;
        struct codeobj_isa_operand *o = &d->in->operands[d->n - 1];
        if (i)
            co_check_class(d, CO_REMARK_VREG);
        if (half && o->kind == CODEOBJ_OPERAND_VGPR)
            o->flags |= CODEOBJ_OPERAND_HALF;
        if (m->op_sel >> (i ? i - 1 : 3) & 1)
            o->flags |= CODEOBJ_OPERAND_HI;
        if (i && neg >> (i - 1) & 1)
            o->flags |= CODEOBJ_OPERAND_NEG;
    }
    return why;
}

const char *co_decode_ldsdir(struct co_decode *d)
{
    uint32_t w = d->w0;
    struct codeobj_isa_modifiers *m = &d->in->mod;
    const char *why = co_start(d, d->isa->ldsdir[co_bits(w, 20, 2)]);
    if (why)
        return why;
    if (co_bits(w, 22, 1) || (d->isa->gen < CODEOBJ_GEN_GFX12 && co_bits(w, 23, 1)))
        return "reserved";
    m->wait_va_vdst = (uint8_t)co_bits(w, 16, 4);
    m->wait_vm_vsrc = d->isa->gen >= CODEOBJ_GEN_GFX12 ? (uint8_t)co_bits(w, 23, 1) : 0;
    why = co_put_vgpr(d, w & 0xff, &d->row->ops[0], CODEOBJ_ROLE_DST);
    if (!why && d->row->ops[1].kind == CO_OPK_ATTR)
        put_attr(d, co_bits(w, 10, 6), co_bits(w, 8, 2));
    else
        d->dont_care |= co_bits(w, 8, 8) != 0;
    return why;
}

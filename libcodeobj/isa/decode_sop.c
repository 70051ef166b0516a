/* SPDX-License-Identifier: MIT
 *
 * isa/decode_sop.c - the scalar formats.
 *
 *   SOP2  31:30 = 10         op 29:23  sdst 22:16  ssrc1 15:8  ssrc0 7:0
 *   SOPK  31:28 = 1011       op 27:23  sdst 22:16  simm16 15:0
 *   SOP1  31:23 = 101111101  sdst 22:16  op 15:8   ssrc0 7:0
 *   SOPC  31:23 = 101111110  op 22:16  ssrc1 15:8  ssrc0 7:0
 *   SOPP  31:23 = 101111111  op 22:16  simm16 15:0
 *
 * The opcodes of SOP2 end where those of the others begin.  A literal (source
 * code 255) follows; two sources can share it.
 */
#include "isa/decoder.h"

/* Are bits set in fields that this row does not have?  Only SOP1 and SOPC ask for the source fields. */
static bool unused_fields(const struct co_decode *d, unsigned sdst, unsigned ssrc0)
{
    const struct co_isa_opspec *spec = d->row->ops;
    bool has_sdst = false, has_source = false;

    for (unsigned i = 0; i < CO_ISA_OPSPECS && spec[i].kind; i++) {
        unsigned k = spec[i].kind;
        has_sdst |= k == CO_OPK_SD || k == CO_OPK_SDR || k == CO_OPK_SK;
        has_source |= k == CO_OPK_SS || k == CO_OPK_SR || k == CO_OPK_IMM;
    }
    return (sdst && !has_sdst) || (ssrc0 && !has_source);
}

unsigned co_waitcnt_unused(unsigned gen)
{
    switch (gen) {
    case CODEOBJ_GEN_GFX6:
    case CODEOBJ_GEN_GFX7:
    case CODEOBJ_GEN_GFX8: return 0xf080;
    case CODEOBJ_GEN_GFX9: return 0x3080;
    case CODEOBJ_GEN_GFX10: return 0x0080;
    default: return 0x0008;
    }
}

/* Fills the operands of the row from the fields of any scalar format. */
static const char *operands(struct co_decode *d, unsigned sdst, const uint8_t ssrc[2], unsigned simm16)
{
    const struct co_isa_opspec *spec = d->row->ops;
    unsigned sources = 0;
    const char *why = NULL;

    for (unsigned i = 0; i < CO_ISA_OPSPECS && spec[i].kind && !why; i++) {
        const struct co_isa_opspec *s = &spec[i];
        unsigned role = CODEOBJ_ROLE_SRC0 + sources;
        switch (s->kind) {
        case CO_OPK_SD:
            why = co_put_sgpr(d, sdst, s->dwords, s->type, CODEOBJ_ROLE_DST);
            break;
        case CO_OPK_SDR:
            why = co_put_sgpr(d, sdst, s->dwords, s->type, CODEOBJ_ROLE_DSTSRC);
            break;
        case CO_OPK_SK:
            why = co_put_sgpr(d, sdst, s->dwords, s->type, role);
            sources++;
            break;
        case CO_OPK_SS:
        case CO_OPK_SR:
            if (ssrc[sources] == CO_CODE_LITERAL && s->flags & CO_OPF_NOLIT && d->isa->gen <= CODEOBJ_GEN_GFX7)
                return "literal";
            why = co_put_scalar(d, ssrc[sources], s, role);
            if (!why && (s->kind == CO_OPK_SR || (ssrc[sources] == 254 && !(s->flags & CO_OPF_ANY)))) {
                struct codeobj_isa_operand *o = &d->in->operands[d->n - 1];
                if (o->kind == CODEOBJ_OPERAND_INLINE || (o->kind == CODEOBJ_OPERAND_LITERAL && s->kind == CO_OPK_SR))
                    o->type = CODEOBJ_TYPE_B32; /* constants where none can be are shown as 32 bits */
                if (o->kind == CODEOBJ_OPERAND_SPECIAL && s->dwords > 1 && d->isa->gen <= CODEOBJ_GEN_GFX7)
                    return CO_AT_OPERAND; /* no text for them; LLVM's decoder, from gfx8 on, lets them pass */
                if (s->kind == CO_OPK_SR || o->kind == CODEOBJ_OPERAND_SPECIAL)
                    co_check_class(d, CO_REMARK_SREG);
            }
            if (!why && s->flags & CO_OPF_ANY && d->in->operands[d->n - 1].kind != CODEOBJ_OPERAND_INLINE &&
                ssrc[sources] != co_m0_code(d->isa)) /* barriers: a number or M0 */
                d->dont_care = true;
            sources++;
            break;
        case CO_OPK_K:
            why = co_take_literal_k(d, 4);
            co_operand(d, CODEOBJ_OPERAND_LITERAL, CODEOBJ_ROLE_K, s->type, 1)->value = d->in->literal;
            break;
        case CO_OPK_IMM:
            if (s->type == CO_IMM_LABEL)
                co_operand(d, CODEOBJ_OPERAND_LABEL, CODEOBJ_ROLE_IMM, 0, 0)->value =
                    (uint64_t)((int64_t)(int16_t)simm16 * 4);
            else
                co_operand(d, CODEOBJ_OPERAND_IMMEDIATE, CODEOBJ_ROLE_IMM, 0, 0)->value = simm16;
            break;
        default:
            return "row";
        }
    }
    return why;
}

const char *co_decode_sop2(struct co_decode *d)
{
    const char *why = co_start(d, d->isa->sop2[co_bits(d->w0, 23, 7)]);
    uint8_t ssrc[2] = { (uint8_t)d->w0, (uint8_t)(d->w0 >> 8) };
    if (why)
        return why;
    d->dont_care |= unused_fields(d, co_bits(d->w0, 16, 7), 0);
    return operands(d, co_bits(d->w0, 16, 7), ssrc, 0);
}

const char *co_decode_sopk(struct co_decode *d)
{
    const char *why = co_start(d, d->isa->sopk[co_bits(d->w0, 23, 5)]);
    if (why)
        return why;
    d->dont_care |= unused_fields(d, co_bits(d->w0, 16, 7), 0);
    return operands(d, co_bits(d->w0, 16, 7), NULL, d->w0 & 0xffff);
}

const char *co_decode_sop1(struct co_decode *d)
{
    const char *why = co_start(d, d->isa->sop1[co_bits(d->w0, 8, 8)]);
    uint8_t ssrc[2] = { (uint8_t)d->w0, 0 };
    if (why)
        return why;
    d->dont_care |= unused_fields(d, co_bits(d->w0, 16, 7), ssrc[0]);
    return operands(d, co_bits(d->w0, 16, 7), ssrc, d->w0 & 0xff);
}

const char *co_decode_sopc(struct co_decode *d)
{
    const char *why = co_start(d, d->isa->sopc[co_bits(d->w0, 16, 7)]);
    uint8_t ssrc[2] = { (uint8_t)d->w0, (uint8_t)(d->w0 >> 8) };
    return why ? why : operands(d, 0, ssrc, d->w0 >> 8 & 0xff);
}

const char *co_decode_sopp(struct co_decode *d)
{
    const char *why = co_start(d, d->isa->sopp[co_bits(d->w0, 16, 7)]);
    if (why)
        return why;
    if (!d->row->ops[0].kind && (d->w0 & 0xffff))
        return "simm16";
    const struct co_isa_opspec *imm = &d->row->ops[0];
    if (imm->kind == CO_OPK_IMM && imm->type == CO_IMM_WAITCNT)
        d->dont_care |= (d->w0 & co_waitcnt_unused(d->isa->gen)) != 0;
    if (imm->kind == CO_OPK_IMM && imm->type == CO_IMM_DELAY_ALU)
        d->dont_care |= (d->w0 & CO_DELAY_ALU_UNUSED) != 0;
    if (imm->kind == CO_OPK_IMM && imm->type == CO_IMM_SENDMSG && d->isa->gen <= CODEOBJ_GEN_GFX10)
        d->dont_care |= (d->w0 & 0xfc80) != 0;
    return operands(d, 0, NULL, d->w0 & 0xffff);
}

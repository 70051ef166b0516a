/* SPDX-License-Identifier: MIT
 *
 * isa/operand.c - source codes, scalar registers and literals.
 *
 * Source: "scalar operands" and "operand" tables of AMD's ISA documents; where
 * LLVM accepts more than they list, LLVM is followed.
 */
#include "isa/decoder.h"

bool co_type_is_16(unsigned type)
{
    return type == CODEOBJ_TYPE_F16 || type == CODEOBJ_TYPE_BF16 || type == CODEOBJ_TYPE_I16 ||
           type == CODEOBJ_TYPE_U16 || type == CODEOBJ_TYPE_B16;
}

/* ---- inline constants --------------------------------------------------------- */

/* 240 to 248: 0.5 -0.5 1.0 -1.0 2.0 -2.0 4.0 -4.0 1/(2 pi) */
static const uint16_t inline_f16[9] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118 };
static const uint16_t inline_bf16[9] = { 0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e22 };
static const uint32_t inline_f32[9] = { 0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                        0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983 };
static const uint64_t inline_f64[9] = { 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                        0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                        0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882 };

uint64_t co_inline_value(unsigned code, enum codeobj_isa_type type)
{
    bool wide = type == CODEOBJ_TYPE_F64 || type == CODEOBJ_TYPE_I64 || type == CODEOBJ_TYPE_U64 ||
                type == CODEOBJ_TYPE_B64;
    if (code < 240) {
        int64_t v = code <= 192 ? (int64_t)code - 128 : 192 - (int64_t)code;
        return wide ? (uint64_t)v : co_type_is_16(type) ? (uint16_t)v : (uint32_t)v;
    }
    unsigned i = code - 240;
    switch (type) {
    case CODEOBJ_TYPE_F16:
    case CODEOBJ_TYPE_I16:
    case CODEOBJ_TYPE_U16:
    case CODEOBJ_TYPE_B16:
    case CODEOBJ_TYPE_PK_F16: /* the low half only */
        return inline_f16[i];
    case CODEOBJ_TYPE_BF16:
    case CODEOBJ_TYPE_PK_BF16:
        return inline_bf16[i];
    case CODEOBJ_TYPE_F64:
    case CODEOBJ_TYPE_I64:
    case CODEOBJ_TYPE_U64:
    case CODEOBJ_TYPE_B64:
        return inline_f64[i];
    default:
        return inline_f32[i];
    }
}

/* ---- what the codes mean on this processor --------------------------------------- */
static void kinds(struct codeobj_isa *isa, unsigned from, unsigned to, enum co_src_kind kind)
{
    for (unsigned i = from; i <= to; i++)
        isa->src_kind[i] = (uint8_t)kind;
}

static void special(struct codeobj_isa *isa, unsigned code, enum codeobj_isa_special what)
{
    isa->src_kind[code] = CO_SRC_SPECIAL;
    isa->src_value[code] = (uint8_t)what;
}

void co_source_kinds(struct codeobj_isa *isa)
{
    kinds(isa, 0, 127, CO_SRC_SGPR);
    if (isa->gen == CODEOBJ_GEN_GFX6)
        kinds(isa, 104, 105, CO_SRC_BAD);
    if (isa->gen <= CODEOBJ_GEN_GFX7) /* NULL came later; LLVM's decoder shows it from gfx8 on */
        kinds(isa, 125, 125, CO_SRC_BAD);
    kinds(isa, 128, 208, CO_SRC_INLINE);
    kinds(isa, 240, isa->gen >= CODEOBJ_GEN_GFX8 ? 248 : 247, CO_SRC_INLINE);
    if (isa->gen >= CODEOBJ_GEN_GFX8) { /* gfx8 has none of them, but LLVM reads them */
        special(isa, 230, CODEOBJ_SPECIAL_FLAT_SCRATCH_BASE_LO);
        special(isa, 231, CODEOBJ_SPECIAL_FLAT_SCRATCH_BASE_HI);
        special(isa, 235, CODEOBJ_SPECIAL_SHARED_BASE);
        special(isa, 236, CODEOBJ_SPECIAL_SHARED_LIMIT);
        special(isa, 237, CODEOBJ_SPECIAL_PRIVATE_BASE);
        special(isa, 238, CODEOBJ_SPECIAL_PRIVATE_LIMIT);
        special(isa, 239, CODEOBJ_SPECIAL_POPS_EXITING_WAVE_ID);
    }
    special(isa, 251, CODEOBJ_SPECIAL_VCCZ);
    special(isa, 252, CODEOBJ_SPECIAL_EXECZ);
    special(isa, 253, CODEOBJ_SPECIAL_SCC);
    special(isa, 254, CODEOBJ_SPECIAL_LDS_DIRECT);
    if (isa->lit64)
        isa->src_kind[254] = CO_SRC_LITERAL64;
    isa->src_kind[255] = CO_SRC_LITERAL;
}

/* ---- operands ------------------------------------------------------------------ */

/* Makes a literal of 32 bits, which a source has taken, one of 64. */
static const char *extend_literal(struct co_decode *d)
{
    unsigned at = d->words;
    if (!co_need(d, at + 1))
        return "literal";
    d->in->has_literal = 8;
    d->in->literal |= (uint64_t)co_load32(d->code + 4u * at) << 32;
    for (unsigned i = 0; i < d->n && !d->literal_fixed; i++)
        if (d->in->operands[i].kind == CODEOBJ_OPERAND_LITERAL && d->in->operands[i].dwords > 1)
            d->in->operands[i].value = d->in->literal;
    return NULL;
}

/* Reads the literal behind the words so far, once per instruction.  On gfx1250 sources may ask for one of 32 and one
 * of 64 bits: they share the long one, as in LLVM; no assembler writes that. */
const char *co_take_literal(struct co_decode *d, unsigned bytes)
{
    if (d->in->has_literal) {
        if (d->in->has_literal == bytes)
            return NULL;
        d->dont_care = true;
        return bytes == 8 && !d->literal_fixed ? extend_literal(d) : NULL;
    }
    unsigned at = d->words;
    if (at + bytes / 4 > CODEOBJ_ISA_WORDS_MAX - 1 && bytes == 8) /* gfx1250 has no longer instruction */
        return "literal";
    if (!co_need(d, at + bytes / 4))
        return "literal";
    d->in->has_literal = (uint8_t)bytes;
    d->in->literal = bytes == 8 ? co_load64(d->code + 4u * at) : co_load32(d->code + 4u * at);
    return NULL;
}

/* The literal of v_fmamk and its like, which is a field of the encoding; sources of its size may share it. */
const char *co_take_literal_k(struct co_decode *d, unsigned bytes)
{
    if (d->in->has_literal > bytes)
        return "literal";
    for (unsigned i = 0; i < d->n; i++)
        if (d->in->operands[i].kind == CODEOBJ_OPERAND_LITERAL && d->in->operands[i].reg == CO_CODE_LITERAL64 && bytes == 4)
            return "literal";
    d->literal_fixed = true;
    if (d->in->has_literal == 4 && bytes == 8) /* a source of 32 bits has the low half */
        return extend_literal(d);
    return co_take_literal(d, bytes);
}

/* Can a tuple start at this named register?  Pairs: at the low half of VCC, EXEC, ...; longer ones only lie in
 * ttmp.  NULL stands for a tuple of any length, M0 for none. */
static const char *named_tuple(const struct codeobj_isa *isa, unsigned reg, unsigned dwords, unsigned *start)
{
    unsigned null = isa->gen >= CODEOBJ_GEN_GFX11 ? 124 : 125, ttmp = isa->gen <= CODEOBJ_GEN_GFX8 ? 112 : 108;
    unsigned align = dwords >= 3 ? 4 : 2;
    *start = reg;
    if (reg == null)
        return NULL;
    if (reg >= ttmp && reg < 124) {
        *start = ttmp + ((reg - ttmp) & ~(align - 1));
        /* LLVM has ttmp0 to ttmp15 on gfx8 too, where there are codes for twelve. */
        return *start + dwords <= (isa->gen == CODEOBJ_GEN_GFX8 ? 128 : 124) ? NULL : CO_AT_OPERAND;
    }
    if (dwords == 2 && reg != 124 && reg != 125 && !(reg & 1))
        return NULL;
    return CO_AT_OPERAND;
}

const char *co_put_sgpr(struct co_decode *d, unsigned reg, unsigned dwords, unsigned type, unsigned role)
{
    unsigned start = reg;
    d->at = (uint8_t)role;
    if (d->isa->src_kind[reg] == CO_SRC_BAD)
        return CO_AT_OPERAND;
    if (dwords > 16) /* there are no longer tuples; an operand that asks for one is remarked on */
        dwords = 16;
    if (dwords > 1) {
        unsigned last = d->isa->sgprs - 1;
        if (reg <= last) {
            /* Tuples start at multiples of 2 or 4; the low bits are not looked at. */
            start = dwords >= 3 ? reg & ~3u : reg & ~1u;
            if (start + dwords > 106)
                return CO_AT_OPERAND;
        } else {
            bool triple = dwords == 3 && reg >= 108 && reg < 124; /* LLVM reads eight, and remarks on them */
            const char *why = named_tuple(d->isa, reg, triple ? 8 : dwords, &start);
            if (why)
                return why;
            if (triple) {
                co_operand(d, CODEOBJ_OPERAND_SGPR, role, type, 8)->reg = (uint16_t)start;
                co_remark(d, CO_REMARK_SREG);
                return NULL;
            }
        }
        if (start != reg)
            d->dont_care = true;
    }
    struct codeobj_isa_operand *o = co_operand(d, CODEOBJ_OPERAND_SGPR, role, type, dwords);
    o->reg = (uint16_t)start;
    return NULL;
}

const char *co_put_vgpr(struct co_decode *d, unsigned reg, const struct co_isa_opspec *spec, unsigned role)
{
    if (d->isa->gen <= CODEOBJ_GEN_GFX7 && reg + spec->dwords > 256) /* no text for them; later LLVM prints v[255:256] */
        return "vgpr";
    struct codeobj_isa_operand *o = co_operand(d, CODEOBJ_OPERAND_VGPR, role, spec->type, spec->dwords);
    o->reg = (uint16_t)reg;
    if (spec->dwords > 1 && d->isa->align2 && (reg & 1) && spec->type != CODEOBJ_TYPE_MASK)
        co_remark(d, spec->kind == CO_OPK_S && role != CODEOBJ_ROLE_DST && role != CODEOBJ_ROLE_DSTSRC ? CO_REMARK_VS
                                                                                                    : CO_REMARK_VREG);
    return NULL;
}

void co_check_class(struct co_decode *d, enum co_remark remark)
{
    const struct codeobj_isa_operand *o = &d->in->operands[d->n - 1];
    bool lds = o->kind == CODEOBJ_OPERAND_SPECIAL && o->reg == CODEOBJ_SPECIAL_LDS_DIRECT;
    switch (o->kind) {
    case CODEOBJ_OPERAND_INLINE:
    case CODEOBJ_OPERAND_LITERAL:
        co_remark(d, CO_REMARK_IMMEDIATE);
        return;
    case CODEOBJ_OPERAND_SPECIAL: /* LLVM lets these pass everywhere */
        if (lds && remark != CO_REMARK_VREG_OR_LDS && remark != CO_REMARK_SREG_OR_LDS)
            co_remark(d, remark);
        return;
    case CODEOBJ_OPERAND_VGPR:
        if (remark == CO_REMARK_SREG || remark == CO_REMARK_SREG_OR_LDS || remark == CO_REMARK_AREG)
            co_remark(d, remark);
        return;
    case CODEOBJ_OPERAND_SGPR:
        if (o->reg == (d->isa->gen >= CODEOBJ_GEN_GFX11 ? 124 : 125)) /* NULL */
            return;
        if (remark != CO_REMARK_SREG && remark != CO_REMARK_SREG_OR_LDS)
            co_remark(d, remark);
        return;
    default:
        return;
    }
}

/* A scalar source code, 0 to 255. */
const char *co_put_scalar(struct co_decode *d, unsigned code, const struct co_isa_opspec *spec, unsigned role)
{
    d->at = (uint8_t)role;
    switch ((enum co_src_kind)d->isa->src_kind[code]) {
    case CO_SRC_SGPR:
        return co_put_sgpr(d, code, spec->dwords, spec->type, role);
    case CO_SRC_INLINE: {
        struct codeobj_isa_operand *o = co_operand(d, CODEOBJ_OPERAND_INLINE, role, spec->type, spec->dwords);
        o->reg = (uint16_t)code;
        o->value = co_inline_value(code, spec->type);
        return NULL;
    }
    case CO_SRC_SPECIAL: {
        if (spec->dwords > 1 && (code == 231 || code == 254 || spec->dwords > 2))
            return CO_AT_OPERAND;
        struct codeobj_isa_operand *o = co_operand(d, CODEOBJ_OPERAND_SPECIAL, role, spec->type, spec->dwords);
        o->reg = d->isa->src_value[code];
        return NULL;
    }
    case CO_SRC_LITERAL:
    case CO_SRC_LITERAL64: {
        const char *why = co_take_literal(d, d->isa->src_kind[code] == CO_SRC_LITERAL64 ? 8 : 4);
        if (why)
            return why;
        struct codeobj_isa_operand *o = co_operand(d, CODEOBJ_OPERAND_LITERAL, role, spec->type, spec->dwords);
        if (code == CO_CODE_LITERAL64 && spec->dwords < 2) /* half of it is not read */
            d->dont_care = true;
        o->reg = (uint16_t)code;
        o->value = spec->dwords > 1 ? d->in->literal : (uint32_t)d->in->literal;
        if (spec->type == CODEOBJ_TYPE_F64 && d->in->has_literal == 4)
            o->value <<= 32;
        return NULL;
    }
    case CO_SRC_BAD:
        break;
    }
    return CO_AT_OPERAND;
}

/* A 9-bit source code: above 255 a VGPR. */
const char *co_put_source(struct co_decode *d, unsigned code, const struct co_isa_opspec *spec, unsigned role)
{
    return code >= 256 ? co_put_vgpr(d, code - 256, spec, role) : co_put_scalar(d, code, spec, role);
}

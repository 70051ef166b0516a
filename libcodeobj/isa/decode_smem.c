/* SPDX-License-Identifier: MIT
 *
 * isa/decode_smem.c - scalar memory.
 *
 *   SMRD (gfx6, gfx7)  31:27 = 11000   op 26:22  sdst 21:15  sbase 14:9  imm 8  offset 7:0
 *   SMEM (gfx8, gfx9)  31:26 = 110000  op 25:18  imm 17  glc 16  (gfx9: nv 15, soffset_en 14)
 *                      sdata 12:6  sbase 5:0   offset 52:32   soffset 63:57
 *   SMEM (gfx10)       31:26 = 111101  op 25:18  glc 16  dlc 14;  gfx11: glc 14  dlc 13
 *   SMEM (gfx12)       31:26 = 111101  th 24:23  scope 22:21  nv 20  op 18:13
 *                      offset 55:32  scale_offset 56
 *
 * sbase counts pairs of SGPRs.  Offsets are in bytes, but in dwords on gfx6 and
 * gfx7; gfx8's is unsigned.  From gfx10 soffset is there unless it is NULL.
 */
#include "isa/decoder.h"

struct smem_fields {
    unsigned sdata, sbase;
    int32_t offset;
    int soffset;      /* source code, -1: none */
    bool has_imm;
    unsigned imm_bits;
};

static const char *offset_operand(struct co_decode *d, const struct smem_fields *f)
{
    d->in->mod.offset = f->offset;
    if (f->soffset >= 0) {
        static const struct co_isa_opspec spec = { CO_OPK_SS, CODEOBJ_TYPE_B32, 1, 0 };
        return co_put_scalar(d, (unsigned)f->soffset, &spec, CODEOBJ_ROLE_SOFFSET);
    }
    co_operand(d, CODEOBJ_OPERAND_IMMEDIATE, CODEOBJ_ROLE_IMM, 0, 0)->value = (uint64_t)(int64_t)f->offset;
    return NULL;
}

/* M0 and EXEC are no data registers; LLVM says so behind the name. */
static void check_data(struct co_decode *d)
{
    const struct codeobj_isa_operand *o = &d->in->operands[d->n - 1];
    unsigned m0 = d->isa->gen >= CODEOBJ_GEN_GFX11 ? 125 : 124;

    if (o->kind == CODEOBJ_OPERAND_SGPR && o->dwords <= 2 && (o->reg >= 126 || (o->dwords == 1 && o->reg == m0)))
        co_remark(d, CO_REMARK_SDATA);
}

static const char *operands(struct co_decode *d, const struct smem_fields *f)
{
    const struct co_isa_opspec *spec = d->row->ops;
    const char *why = NULL;

    for (unsigned i = 0; i < CO_ISA_OPSPECS && spec[i].kind && !why; i++) {
        const struct co_isa_opspec *s = &spec[i];
        switch (s->kind) {
        case CO_OPK_SD:
            why = co_put_sgpr(d, f->sdata, s->dwords, s->type, CODEOBJ_ROLE_DST);
            if (!why)
                check_data(d);
            break;
        case CO_OPK_SDATA:
            why = co_put_sgpr(d, f->sdata, s->dwords, s->type, CODEOBJ_ROLE_DATA0);
            if (!why)
                check_data(d);
            break;
        case CO_OPK_SATOM:
            why = co_put_sgpr(d, f->sdata, s->dwords, s->type,
                              d->in->mod.glc ? CODEOBJ_ROLE_DSTSRC : CODEOBJ_ROLE_DATA0);
            if (!why)
                check_data(d);
            break;
        case CO_OPK_SPROBE:
            if (d->isa->gen >= CODEOBJ_GEN_GFX12 && f->sdata > 31)
                return "sdata";
            co_operand(d, CODEOBJ_OPERAND_IMMEDIATE, CODEOBJ_ROLE_DATA0, 0, 0)->value = f->sdata;
            break;
        case CO_OPK_SBASE:
            why = co_put_sgpr(d, f->sbase * 2, s->dwords, s->type, CODEOBJ_ROLE_SADDR);
            break;
        case CO_OPK_SOFF:
            why = offset_operand(d, f);
            break;
        case CO_OPK_SOFFM:
            why = co_put_sgpr(d, (unsigned)f->soffset, 1, CODEOBJ_TYPE_B32, CODEOBJ_ROLE_SOFFSET);
            break;
        case CO_OPK_IMM:
            d->in->mod.offset = f->offset;
            co_operand(d, CODEOBJ_OPERAND_IMMEDIATE, CODEOBJ_ROLE_IMM, 0, 0)->value = (uint64_t)(int64_t)f->offset;
            break;
        default:
            return "row";
        }
    }
    return why;
}

static int32_t sign_extend(uint32_t v, unsigned bits)
{
    return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

const char *co_decode_smrd(struct co_decode *d)
{
    uint32_t w = d->w0;
    const char *why = co_start(d, d->isa->smem[co_bits(w, 22, 5)]);
    if (why)
        return why;
    struct smem_fields f = { .sdata = co_bits(w, 15, 7), .sbase = co_bits(w, 9, 6), .soffset = -1 };
    if (co_bits(w, 8, 1))
        f.offset = (int32_t)(w & 0xff);
    else
        f.soffset = (int)(w & 0xff);
    const uint8_t kinds[2] = { d->row->ops[0].kind, d->row->ops[1].kind };
    if (kinds[1] == CO_OPK_SBASE) {
        /* A register or, on gfx7, a literal; constants have the immediate form. */
        if (f.soffset >= 128 && (f.soffset != 255 || d->isa->gen == CODEOBJ_GEN_GFX6))
            return "offset";
        if (f.soffset == 255 && d->size >= 8 && d->w1 <= 255) /* would have had room in the short form */
            d->dont_care = true;
    } else { /* s_memtime and cache instructions */
        d->dont_care |= co_bits(w, 0, 15) != 0 || (!kinds[0] && f.sdata);
    }
    return operands(d, &f);
}

/* Which bits of the two words mean something. */
static uint64_t smem_used(const struct co_decode *d, const struct smem_fields *f, bool cache_bits, bool has_off)
{
    const struct codeobj_isa *isa = d->isa;
    bool g12 = isa->gen >= CODEOBJ_GEN_GFX12;
    uint64_t used = g12 ? 0xfc000000u | 0x3f << 13 : 0xfffc0000u; /* encoding and opcode */

    for (unsigned i = 0; i < CO_ISA_OPSPECS && d->row->ops[i].kind; i++) {
        unsigned k = d->row->ops[i].kind;
        used |= k == CO_OPK_SBASE ? 0x3f : k == CO_OPK_SOFF || k == CO_OPK_SOFFM || k == CO_OPK_IMM ? 0 : 0x1fc0;
    }
    if (g12) {
        used |= cache_bits ? 0x1f00000 | (isa->gfx1250 ? 1ull << 56 : 0) : 0;
        return used | (has_off ? 0xffffffull << 32 | 0x7full << 57 : 0);
    }
    if (isa->gen >= CODEOBJ_GEN_GFX10) {
        used |= !cache_bits ? 0 : isa->gen == CODEOBJ_GEN_GFX11 ? 0x6000 : 0x14000;
        return used | (has_off ? 0x1fffffull << 32 | 0x7full << 57 : 0);
    }
    bool soe = isa->gen == CODEOBJ_GEN_GFX9 && co_bits(d->w0, 14, 1);
    used |= (cache_bits ? 0x10000 : 0) | (has_off ? 0x20000 : 0) | (isa->gen == CODEOBJ_GEN_GFX9 && has_off ? 0x4000 : 0);
    if (f->has_imm)
        used |= (isa->gen == CODEOBJ_GEN_GFX9 ? 0x1fffffull : 0xfffffull) << 32;
    else if (has_off && !soe)
        used |= 0x7full << 32;
    return used | (soe ? 0x7full << 57 : 0);
}

const char *co_decode_smem(struct co_decode *d)
{
    const struct codeobj_isa *isa = d->isa;
    struct codeobj_isa_modifiers *m = &d->in->mod;
    if (!co_need(d, 2))
        return "length";
    uint32_t w = d->w0, x = d->w1;
    unsigned op = isa->gen >= CODEOBJ_GEN_GFX12 ? co_bits(w, 13, 6) : co_bits(w, 18, 8);
    const char *why = co_start(d, isa->smem[op]);
    if (why)
        return why;

    struct smem_fields f = { .sdata = co_bits(w, 6, 7), .sbase = co_bits(w, 0, 6), .soffset = -1 };
    bool has_off = false, mem = false;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && d->row->ops[i].kind; i++) {
        unsigned k = d->row->ops[i].kind;
        has_off |= k == CO_OPK_SOFF || k == CO_OPK_SOFFM;
        mem |= k == CO_OPK_SOFF;
    }
    const bool offset = mem;
    if (d->row->ops[0].kind == CO_OPK_SPROBE || d->row->ops[0].kind == CO_OPK_SBASE)
        mem = false; /* probes and discards have no cache bits */

    if (isa->gen >= CODEOBJ_GEN_GFX12) {
        f.offset = sign_extend(co_bits(x, 0, 24), 24);
        bool buffer = false;
        for (unsigned i = 0; i < CO_ISA_OPSPECS && d->row->ops[i].kind; i++)
            buffer |= d->row->ops[i].kind == CO_OPK_SBASE && d->row->ops[i].dwords == 4;
        if (buffer && f.offset < 0)
            return "offset";
        f.soffset = (int)co_bits(x, 25, 7);
        if (mem) {
            m->th = (uint8_t)co_bits(w, 23, 2);
            m->scope = (uint8_t)co_bits(w, 21, 2);
            m->nv = (uint8_t)co_bits(w, 20, 1);
            m->scale_offset = (uint8_t)co_bits(x, 24, 1);
        }
        if (f.soffset == 124 && offset)
            f.soffset = -1;
    } else if (isa->gen >= CODEOBJ_GEN_GFX10) {
        bool g11 = isa->gen == CODEOBJ_GEN_GFX11;
        if (mem) {
            m->glc = (uint8_t)co_bits(w, g11 ? 14 : 16, 1);
            m->dlc = (uint8_t)co_bits(w, g11 ? 13 : 14, 1);
        } else if (g11 && co_bits(w, 13, 2)) {
            return "cache bits";
        }
        f.offset = sign_extend(co_bits(x, 0, 21), 21);
        f.soffset = (int)co_bits(x, 25, 7);
        if (f.soffset == (g11 ? 124 : 125) && f.offset)
            f.soffset = -1; /* without an offset LLVM shows the null register */
    } else {
        bool imm = co_bits(w, 17, 1), soe = isa->gen >= CODEOBJ_GEN_GFX9 && co_bits(w, 14, 1);
        if (mem)
            m->glc = (uint8_t)co_bits(w, 16, 1);
        else if (co_bits(w, 16, 1) && d->row->ops[0].kind != CO_OPK_SD && !has_off)
            d->dont_care = true;
        if (imm)
            f.offset = isa->gen >= CODEOBJ_GEN_GFX9 ? sign_extend(co_bits(x, 0, 21), 21) : (int32_t)co_bits(x, 0, 20);
        if (soe)
            f.soffset = (int)co_bits(x, 25, 7);
        else if (!imm)
            f.soffset = (int)co_bits(x, 0, 7);
        if (imm && !has_off)
            return "imm";
        f.has_imm = imm;
    }
    bool long_way = isa->gen == CODEOBJ_GEN_GFX9 && co_bits(w, 14, 1) && !f.has_imm; /* an SGPR alone has a shorter spelling */
    if (long_way || ((uint64_t)x << 32 | w) & ~smem_used(d, &f, mem, has_off))
        d->dont_care = true;
    return operands(d, &f);
}

/* SPDX-License-Identifier: MIT
 *
 * isa/plan.c - making decode plans from the rows of the instruction table.
 *
 * Where fields lie is written at the head of each decode_*.c.  What makes an
 * operand plain is asked of operand.c: every code is tried once in tuples of each
 * length, so there is no second list of what registers there are.
 */
#include "isa/plan.h"

#include "isa/decoder.h"

#include <stdlib.h>

enum { VCC = 106, EXEC = 126 };

struct builder {
    const struct codeobj_isa *isa;
    struct co_plans *plans;
    unsigned index; /* next free place of plans->at */
};

static uint64_t field(unsigned lo, unsigned bits)
{
    return (((uint64_t)1 << bits) - 1) << lo;
}

/* ---- operand codes --------------------------------------------------------------- */

static const struct {
    uint8_t dwords;
    uint16_t is;
} tuples[] = { { 2, CO_IS_NO_PAIR }, { 3, CO_IS_NO_TRIPLE }, { 4, CO_IS_NO_QUAD }, { 8, CO_IS_NO_8 }, { 16, CO_IS_NO_16 } };

enum { TUPLES = sizeof tuples / sizeof *tuples };

/* Is the tuple as it stands there, without ignored bits and without a remark? */
static bool plain_tuple(const struct codeobj_isa *isa, unsigned code, unsigned dwords)
{
    struct codeobj_isa_inst inst;
    const struct co_isa_opspec spec = { CO_OPK_S, CODEOBJ_TYPE_B32, (uint8_t)dwords, 0 };
    struct co_decode d = { .isa = isa, .in = &inst };

    inst.verdict = CODEOBJ_VERDICT_CANONICAL;
    return !co_put_source(&d, code, &spec, CODEOBJ_ROLE_SRC0) && !d.dont_care &&
           inst.verdict == CODEOBJ_VERDICT_CANONICAL && inst.operands[0].reg == (code & 255);
}

static unsigned what_is(const struct codeobj_isa *isa, unsigned code)
{
    unsigned is = CO_IS_VGPR;

    if (code < CO_CODE_VGPR) {
        switch ((enum co_src_kind)isa->src_kind[code]) {
        case CO_SRC_SGPR: is = CO_IS_SGPR; break;
        case CO_SRC_INLINE: return CO_IS_INLINE;
        case CO_SRC_LITERAL: return CO_IS_LITERAL | CO_IS_LITERAL_HERE;
        default: return CO_IS_OTHER;
        }
        is |= code == co_m0_code(isa) ? CO_IS_M0 : 0;
        is |= code >= EXEC ? CO_IS_EXEC : 0;
    }
    for (unsigned i = 0; i < TUPLES; i++)
        is |= plain_tuple(isa, code, tuples[i].dwords) ? 0 : tuples[i].is;
    return is;
}

static void set_code(struct co_plans *p, unsigned code, unsigned is, unsigned kind, unsigned reg)
{
    p->operand[code].is = (uint16_t)is;
    p->operand[code].kind = (uint8_t)kind;
    p->operand[code].reg = (uint16_t)reg;
}

static void make_codes(struct builder *b)
{
    static const uint8_t types[CO_CODE_CLASSES] = { CODEOBJ_TYPE_B32, CODEOBJ_TYPE_F16, CODEOBJ_TYPE_PK_F16, CODEOBJ_TYPE_F64 };
    struct co_plans *p = b->plans;

    for (unsigned code = 0; code < CO_CODE_RANGE; code++) {
        unsigned is = what_is(b->isa, code);
        unsigned kind = is & CO_IS_VGPR     ? CODEOBJ_OPERAND_VGPR
                        : is & CO_IS_SGPR   ? CODEOBJ_OPERAND_SGPR
                        : is & CO_IS_INLINE ? CODEOBJ_OPERAND_INLINE
                                            : CODEOBJ_OPERAND_LITERAL;

        for (unsigned c = 0; c < CO_CODE_CLASSES; c++) {
            set_code(p, c * CO_CODE_RANGE + code, is, kind, code & 255);
            if (is & CO_IS_INLINE)
                p->operand[c * CO_CODE_RANGE + code].value = co_inline_value(code, types[c]);
        }
    }
    for (unsigned n = 0; n < 64; n++)
        set_code(p, CO_CODE_PAIR + n, p->operand[2 * n].is, CODEOBJ_OPERAND_SGPR, 2 * n);
    for (unsigned n = 0; n < 32; n++)
        set_code(p, CO_CODE_QUAD + n, 4 * n + 4 <= 100 ? p->operand[4 * n].is : CO_IS_OTHER, CODEOBJ_OPERAND_SGPR, 4 * n);
    for (unsigned n = 0; n < 128; n++) {
        if (n == b->isa->mem.scalar_off)
            continue;
        set_code(p, CO_CODE_SADDR + n, n & 1 || n >= 100 ? CO_IS_OTHER : CO_IS_SGPR, CODEOBJ_OPERAND_SGPR, n);
        p->operand[CO_CODE_SADDR + n].type = CODEOBJ_TYPE_B64;
        p->operand[CO_CODE_SADDR + n].dwords = 2;
    }
}

/* Where the codes of a type begin; CO_CODE_OFF: no plans for it. */
static unsigned range_of(unsigned type)
{
    switch (type) {
    case CODEOBJ_TYPE_BF16:
    case CODEOBJ_TYPE_PK_BF16: return CO_CODE_OFF;
    case CODEOBJ_TYPE_PK_F16: return 2 * CO_CODE_RANGE;
    case CODEOBJ_TYPE_F64:
    case CODEOBJ_TYPE_I64:
    case CODEOBJ_TYPE_U64:
    case CODEOBJ_TYPE_B64: return 3 * CO_CODE_RANGE;
    default: return co_type_is_16(type) ? CO_CODE_RANGE : 0;
    }
}

/* ---- slots ------------------------------------------------------------------------- */

/* Appends an operand; false when tuples of its length have no bit. */
static bool slot(struct co_plan *p, unsigned shift, unsigned bits, unsigned base, unsigned role, unsigned type, unsigned dwords,
                 unsigned forbid)
{
    unsigned i = 0, range = range_of(type);

    if (p->inst.operand_count == CO_PLAN_SLOTS || range == CO_CODE_OFF)
        return false;
    if (dwords > 1) {
        while (i < TUPLES && tuples[i].dwords != dwords)
            i++;
        if (i == TUPLES)
            return false;
        forbid |= tuples[i].is;
    }
    p->slots[p->inst.operand_count++] = (struct co_slot){
        .head = { 0, (uint8_t)role, (uint8_t)type, (uint8_t)dwords, 0, 0, 0 },
        .forbid = (uint16_t)(forbid | CO_IS_OTHER | CO_IS_LITERAL_HERE), .base = (uint16_t)(base < CO_CODE_RANGE ? base + range : base),
        .mask = (uint16_t)field(0, bits), .shift = (uint8_t)shift };
    return true;
}

static struct co_operand_head *last_head(struct co_plan *p)
{
    return &p->slots[p->inst.operand_count - 1].head;
}

/* An immediate: no register, and a kind of its own. */
static bool immediate(struct co_plan *p, unsigned kind)
{
    if (!slot(p, 0, 0, CO_CODE_OFF, CODEOBJ_ROLE_IMM, 0, 0, 0))
        return false;
    last_head(p)->kind = (uint8_t)kind;
    return true;
}

/* Registers of a memory instruction: any tuple of VGPRs. */
static uint8_t type_of(unsigned dwords)
{
    static const uint8_t types[] = { CODEOBJ_TYPE_B32, CODEOBJ_TYPE_B32, CODEOBJ_TYPE_B64, CODEOBJ_TYPE_B96, CODEOBJ_TYPE_B128 };

    return dwords < sizeof types ? types[dwords] : CODEOBJ_TYPE_BN;
}

static void mem_vgpr(struct co_plan *p, unsigned shift, unsigned role, unsigned dwords)
{
    slot(p, shift, 8, CO_CODE_VGPR, role, type_of(dwords), 1, 0);
    last_head(p)->dwords = (uint8_t)dwords;
}

/* ---- scalar formats ------------------------------------------------------------------ */

static bool plan_sop(const struct codeobj_isa *isa, const struct co_isa_row *row, struct co_plan *p)
{
    unsigned sources = 0;
    bool sdst = false, any = false, wide_op = row->format == CODEOBJ_FMT_SOPP;

    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++) {
        const struct co_isa_opspec *s = &row->ops[i];
        bool ok = true;

        any |= s->kind == CO_OPK_SS || s->kind == CO_OPK_SR;
        sdst |= s->kind == CO_OPK_SD || s->kind == CO_OPK_SDR || s->kind == CO_OPK_SK;
        switch (s->kind) {
        case CO_OPK_SD:
        case CO_OPK_SDR:
            ok = slot(p, 16, 7, 0, s->kind == CO_OPK_SD ? CODEOBJ_ROLE_DST : CODEOBJ_ROLE_DSTSRC, s->type, s->dwords, 0);
            break;
        case CO_OPK_SK:
            ok = slot(p, 16, 7, 0, CODEOBJ_ROLE_SRC0 + sources++, s->type, s->dwords, 0);
            break;
        case CO_OPK_SS:
        case CO_OPK_SR:
            if (sources > 1 || s->flags & CO_OPF_ANY)
                return false;
            ok = slot(p, 8 * sources, 8, 0, CODEOBJ_ROLE_SRC0 + sources, s->type, s->dwords,
                      s->kind == CO_OPK_SR ? CO_IS_INLINE | CO_IS_LITERAL : s->flags & CO_OPF_NOLIT ? CO_IS_LITERAL : 0);
            sources++;
            break;
        case CO_OPK_IMM:
            if (row->format != CODEOBJ_FMT_SOPP && row->format != CODEOBJ_FMT_SOPK)
                return false;
            p->extra = s->type == CO_IMM_LABEL ? CO_EXTRA_LABEL : CO_EXTRA_IMM;
            ok = immediate(p, s->type == CO_IMM_LABEL ? CODEOBJ_OPERAND_LABEL : CODEOBJ_OPERAND_IMMEDIATE);
            p->reserved |= s->type == CO_IMM_WAITCNT ? co_waitcnt_unused(isa->gen) : 0;
            p->reserved |= s->type == CO_IMM_SENDMSG ? 0xfc80 : s->type == CO_IMM_DELAY_ALU ? CO_DELAY_ALU_UNUSED : 0;
            any = true;
            break;
        default:
            return false;
        }
        if (!ok || (p->extra && row->ops[i].kind != CO_OPK_IMM))
            return false;
    }
    if (!wide_op && !sdst && row->format != CODEOBJ_FMT_SOPC)
        p->reserved |= field(16, 7);
    if (!any && row->format == CODEOBJ_FMT_SOP1)
        p->reserved |= field(0, 8);
    if (!row->ops[0].kind && row->format == CODEOBJ_FMT_SOPP)
        p->reserved |= field(0, 16);
    p->inst.size = 4;
    return true;
}

/* ---- vector formats -------------------------------------------------------------------- */

struct vop_form {
    bool e64, masked;    /* masked: vdst holds a mask */
    unsigned vdst, src[3], src_bits[3], src_base[3]; /* where the fields are */
};

static bool vop_source(const struct codeobj_isa *isa, const struct co_isa_opspec *s, const struct vop_form *f, struct co_plan *p,
                       unsigned n)
{
    unsigned forbid = f->e64 ? CO_IS_LITERAL : 0;

    if (n > 2 || (!f->e64 && (n > 1 || s->kind == CO_OPK_L)))
        return false;
    if (s->kind == CO_OPK_V || s->kind == CO_OPK_VL || s->dwords >= 3)
        forbid |= CO_IS_SGPR | CO_IS_INLINE | CO_IS_LITERAL;
    if (s->kind == CO_OPK_L)
        forbid |= CO_IS_VGPR;
    (void)isa;
    return slot(p, f->src[n], f->src_bits[n], f->src_base[n], CODEOBJ_ROLE_SRC0 + n, s->type, s->dwords, forbid);
}

/* A lane mask: implied in the short form, a scalar register in the long one. */
static bool vop_mask(const struct codeobj_isa *isa, const struct vop_form *f, struct co_plan *p, unsigned kind)
{
    unsigned role = kind == CO_OPK_MI ? CODEOBJ_ROLE_SRC2 : kind == CO_OPK_MC ? CODEOBJ_ROLE_DST2 : CODEOBJ_ROLE_DST;
    bool cmpx = kind == CO_OPK_MX && isa->gen >= CODEOBJ_GEN_GFX10;
    unsigned forbid = CO_IS_INLINE | CO_IS_LITERAL | CO_IS_VGPR;

    if (f->e64 && cmpx)
        return false;
    if (!f->e64) {
        if (!slot(p, 0, 0, cmpx ? EXEC : VCC, role, CODEOBJ_TYPE_MASK, isa->mask_dwords, 0))
            return false;
        last_head(p)->flags = CODEOBJ_OPERAND_IMPLIED | (cmpx ? CODEOBJ_OPERAND_HIDDEN : 0);
        return true;
    }
    if (kind == CO_OPK_MC)
        return slot(p, 8, 7, 0, role, CODEOBJ_TYPE_MASK, isa->mask_dwords, forbid);
    if (kind == CO_OPK_MI)
        return slot(p, f->src[2], 9, 0, role, CODEOBJ_TYPE_MASK, isa->mask_dwords, forbid);
    return slot(p, f->vdst, 8, 0, role, CODEOBJ_TYPE_MASK, isa->mask_dwords, forbid | CO_IS_M0);
}

static bool vop_operands(const struct codeobj_isa *isa, const struct co_isa_row *row, const struct vop_form *f, struct co_plan *p)
{
    unsigned n = 0;

    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++) {
        const struct co_isa_opspec *s = &row->ops[i];
        bool ok, short16 = row->flags & CO_ROW_T16 && co_type_is_16(s->type);

        if (short16 && (isa->true16 || (isa->fake16 && !f->e64)))
            return false; /* register halves, fewer registers */
        switch (s->kind) {
        case CO_OPK_D:
        case CO_OPK_DR:
            ok = slot(p, f->vdst, 8, CO_CODE_VGPR, s->kind == CO_OPK_D ? CODEOBJ_ROLE_DST : CODEOBJ_ROLE_DSTSRC, s->type,
                      s->dwords, 0);
            break;
        case CO_OPK_SD:
            ok = slot(p, f->vdst, 8, 0, CODEOBJ_ROLE_DST, s->type, s->dwords, CO_IS_INLINE | CO_IS_LITERAL | CO_IS_M0 | CO_IS_EXEC);
            break;
        case CO_OPK_MD:
        case CO_OPK_MX:
        case CO_OPK_MC:
        case CO_OPK_MI:
            ok = vop_mask(isa, f, p, s->kind);
            break;
        case CO_OPK_S:
        case CO_OPK_V:
        case CO_OPK_VL:
        case CO_OPK_L:
            ok = vop_source(isa, s, f, p, n++);
            break;
        default:
            ok = false;
        }
        if (!ok)
            return false;
    }
    return p->inst.operand_count > 0;
}

static bool plan_vop_short(const struct codeobj_isa *isa, const struct co_isa_row *row, struct co_plan *p)
{
    const struct vop_form f = { .vdst = 17, .src = { 0, 9 }, .src_bits = { 9, 8 }, .src_base = { 0, CO_CODE_VGPR } };

    p->inst.encoding = row->flags & (CO_ROW_NO64 | CO_ROW_NOSUF) ? CODEOBJ_ENC_DEFAULT : CODEOBJ_ENC_E32;
    p->inst.size = 4;
    return vop_operands(isa, row, &f, p);
}

static bool plan_vop3(const struct codeobj_isa *isa, const struct co_isa_row *row, struct co_plan *p)
{
    const struct vop_form f = { .e64 = true, .vdst = 0, .src = { 32, 41, 50 }, .src_bits = { 9, 9, 9 } };
    const struct co_row_shape *s = &isa->shape[row - co_isa_rows];

    if (isa->gen <= CODEOBJ_GEN_GFX7 || s->extra)
        return false;
    p->inst.encoding = co_vop3_encoding(row);
    p->inst.size = 8;
    p->extra = CO_EXTRA_VOP3;
    p->place = !s->sdst;
    p->reserved = (s->sdst ? 0 : field(11, 4) | field(8, 3)) | field(61, 3);
    for (unsigned n = 0; n < 3; n++)
        if (s->mods >> n & 1)
            p->reserved &= ~(field(61 + n, 1) | (s->sdst ? 0 : field(8 + n, 1)));
    p->reserved |= (row->flags & CO_ROW_CL ? 0 : field(15, 1)) | (row->flags & CO_ROW_OM ? 0 : field(59, 2)) |
                   (s->dst ? 0 : field(0, 8));
    bool mask = false;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++)
        mask |= row->ops[i].kind == CO_OPK_MI;
    for (unsigned n = s->sources; n < 3; n++)
        p->reserved |= n == 2 && mask ? 0 : field(32 + 9 * n, 9);
    return vop_operands(isa, row, &f, p);
}

/* Packed instructions and dot products; mixed precision, matrices and DPP are not plain. */
static bool plan_vop3p(const struct codeobj_isa *isa, const struct co_isa_row *row, struct co_plan *p)
{
    const struct vop_form f = { .e64 = true, .vdst = 0, .src = { 32, 41, 50 }, .src_bits = { 9, 9, 9 } };
    unsigned sources = isa->shape[row - co_isa_rows].sources;
    uint64_t beyond = field(0, 3) & ~field(0, sources);

    if (row->flags & (CO_ROW_MIX | CO_ROW_MAI | CO_ROW_WMMA | CO_ROW_NN) || !sources)
        return false;
    if (!isa->shape[row - co_isa_rows].dst) /* scales: the first half of another instruction */
        return false;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++)
        if ((row->ops[i].kind != CO_OPK_D && row->ops[i].kind != CO_OPK_DR && row->ops[i].kind != CO_OPK_S && row->ops[i].kind != CO_OPK_V) ||
            row->ops[i].dwords > 2 || row->ops[i].type == CODEOBJ_TYPE_BN || row->ops[i].flags & CO_OPF_WAVE)
            return false;
    p->inst.size = 8;
    p->extra = row->flags & CO_ROW_OS ? CO_EXTRA_VOP3P : CO_EXTRA_DOT;
    p->place = (uint8_t)field(0, sources);
    p->reserved = beyond << 61 | beyond << 8 | (row->flags & CO_ROW_OS ? beyond : 7) << 11 |
                  (row->flags & CO_ROW_CL ? 0 : field(15, 1)) | (sources < 3 ? field(50, 9) : 0) | (sources < 2 ? field(41, 9) : 0);
    return vop_operands(isa, row, &f, p);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Loads with an immediate offset. */
static bool plan_smem(const struct codeobj_isa *isa, const struct co_isa_row *row, struct co_plan *p)
{
    const struct co_isa_opspec *ops = row->ops;
    bool gfx11 = isa->gen == CODEOBJ_GEN_GFX11, old = isa->gen <= CODEOBJ_GEN_GFX9;
    unsigned no_data = ops[0].dwords <= 2 ? CO_IS_EXEC | (ops[0].dwords == 1 ? CO_IS_M0 : 0) : 0;

    if (isa->gen < CODEOBJ_GEN_GFX8 || isa->gen > CODEOBJ_GEN_GFX11 || ops[0].kind != CO_OPK_SD || ops[1].kind != CO_OPK_SBASE ||
        ops[2].kind != CO_OPK_SOFF || ops[3].kind)
        return false;
    if (!slot(p, 6, 7, 0, CODEOBJ_ROLE_DST, ops[0].type, ops[0].dwords, no_data) ||
        !slot(p, 0, 6, CO_CODE_PAIR, CODEOBJ_ROLE_SADDR, ops[1].type, ops[1].dwords, 0) || !immediate(p, CODEOBJ_OPERAND_IMMEDIATE))
        return false;
    p->inst.size = 8;
    p->extra = CO_EXTRA_SMEM;
    p->place = 2;
    p->reserved = ~(field(0, 13) | field(18, 14) | field(32, isa->gen == CODEOBJ_GEN_GFX8 ? 20 : 21) |
                    (old ? field(16, 2) : field(57, 7) | field(gfx11 ? 13 : 14, 1) | field(gfx11 ? 14 : 16, 1)));
    return true;
}

/* Loads and stores of FLAT and GLOBAL. */
static bool plan_flat(const struct codeobj_isa *isa, const struct co_isa_row *row, struct co_plan *p)
{
    enum co_family family = isa->mem.family;
    bool global = row->format == CODEOBJ_FMT_GLOBAL, load = co_mem_kind_of(row) == CO_MEM_LOAD;
    uint64_t used = field(32, 8) | field(18, 7) | field(26, 6);

    if (family < CO_G9 || family > CO_G11 || (!load && co_mem_kind_of(row) != CO_MEM_STORE) || row->format == CODEOBJ_FMT_SCRATCH ||
        row->flags & (CO_MEM_ADDTID | CO_MEM_TRANSPOSE | CO_MEM_FATOMIC) || (co_mem_dst(row) != 0) != load || (co_mem_data(row) != 0) == load)
        return false;
    if (load)
        mem_vgpr(p, 56, row->flags & CO_MEM_D16 ? CODEOBJ_ROLE_DSTSRC : CODEOBJ_ROLE_DST, co_mem_dst(row));
    p->place = p->inst.operand_count;
    mem_vgpr(p, 32, CODEOBJ_ROLE_ADDR, 2);
    if (!load)
        mem_vgpr(p, 40, CODEOBJ_ROLE_DATA0, co_mem_data(row));
    if (global)
        slot(p, 48, 7, CO_CODE_SADDR, CODEOBJ_ROLE_SADDR, 0, 0, 0);
    used |= load ? field(56, 8) : field(40, 8);
    if (global || family >= CO_G10)
        used |= field(48, 7);
    used |= family == CO_G11 ? field(0, 18) : field(14, 4) | field(0, 13) | (isa->mem.agpr ? field(25, 1) : 0);
    p->inst.size = 8;
    p->extra = global ? CO_EXTRA_GLOBAL : CO_EXTRA_FLAT;
    p->reserved = ~used;
    return true;
}

static bool plan_ds(const struct codeobj_isa *isa, const struct co_isa_row *row, struct co_plan *p)
{
    enum co_family family = isa->mem.family;
    bool vi = family >= CO_G8 && family <= CO_G940;
    uint64_t used = field(0, 16) | field(vi ? 17 : 18, 8) | field(26, 6);

    if (family < CO_G8 || row->flags & (CO_MEM_SWIZZLE | CO_MEM_GDS_ONLY) || !(co_mem_dst(row) || co_mem_data(row)))
        return false;
    if (co_mem_dst(row))
        mem_vgpr(p, 56, row->flags & CO_MEM_D16 ? CODEOBJ_ROLE_DSTSRC : CODEOBJ_ROLE_DST, co_mem_dst(row));
    if (co_mem_addr(row))
        mem_vgpr(p, 32, CODEOBJ_ROLE_ADDR, 1);
    if (co_mem_data(row))
        mem_vgpr(p, 40, CODEOBJ_ROLE_DATA0, co_mem_data(row));
    if (co_mem_data1(row))
        mem_vgpr(p, 48, CODEOBJ_ROLE_DATA1, co_mem_data1(row));
    used |= (co_mem_dst(row) ? field(56, 8) : 0) | (co_mem_addr(row) ? field(32, 8) : 0) |
            (co_mem_data(row) ? field(40, 8) : 0) | (co_mem_data1(row) ? field(48, 8) : 0);
    p->inst.size = 8;
    p->extra = CO_EXTRA_DS;
    p->reserved = ~used;
    return true;
}

/* Loads and stores of buffers; not typed ones. */
static bool plan_buffer(const struct codeobj_isa *isa, const struct co_isa_row *row, struct co_plan *p)
{
    enum co_family family = isa->mem.family;
    bool load = co_mem_kind_of(row) == CO_MEM_LOAD, g11 = family == CO_G11, g10 = family == CO_G10;
    uint64_t used = field(0, 15) | field(18, family >= CO_G10 ? 8 : 7) | field(26, 6) | field(32, 21) | field(56, 8);

    if (family < CO_G9 || family > CO_G11 || (!load && co_mem_kind_of(row) != CO_MEM_STORE) || !co_mem_data(row))
        return false;
    mem_vgpr(p, 40, !load ? CODEOBJ_ROLE_DATA0 : row->flags & CO_MEM_D16 ? CODEOBJ_ROLE_DSTSRC : CODEOBJ_ROLE_DST, co_mem_data(row));
    p->place = 1;
    mem_vgpr(p, 32, CODEOBJ_ROLE_ADDR, 1);
    slot(p, 48, 5, CO_CODE_QUAD, CODEOBJ_ROLE_RSRC, type_of(4), 4, 0);
    slot(p, 56, 8, 0, CODEOBJ_ROLE_SOFFSET, CODEOBJ_TYPE_B32, 1, CO_IS_LITERAL);
    if (g11)
        used |= field(54, 2);
    else
        used |= g10 ? field(15, 1) | field(54, 1) : field(17, 1) | (isa->mem.agpr ? field(15, 1) : 0);
    p->inst.size = 8;
    p->extra = CO_EXTRA_BUFFER;
    p->reserved = ~used;
    return true;
}

/* ---- the tables ------------------------------------------------------------------------------ */

typedef bool plan_fn(const struct codeobj_isa *isa, const struct co_isa_row *row, struct co_plan *p);

static uint16_t add(struct builder *b, unsigned row, plan_fn *fn)
{
    struct co_plan *p = &b->plans->plan[b->plans->count];

    *p = (struct co_plan){ .inst = { .row = (uint16_t)row, .format = co_isa_rows[row].format } };
    if (!row || !fn(b->isa, &co_isa_rows[row], p))
        return 0;
    for (unsigned i = p->inst.operand_count; i < CO_PLAN_SLOTS; i++)
        p->slots[i] = (struct co_slot){ .base = CO_CODE_OFF };
    return (uint16_t)b->plans->count++;
}

/* Plans of `count` opcodes that lie at `shift` of the words which `decode` decodes. */
static void index_format(struct builder *b, co_decode_fn *decode, const uint16_t *rows, unsigned count, unsigned shift, plan_fn *fn)
{
    for (unsigned i = 0; i < count; i++)
        b->plans->at[b->index + i] = add(b, rows[i], fn);
    for (unsigned t = 0; t < 512; t++)
        if (b->isa->top[t] == decode)
            b->plans->top[t] = (struct co_plan_top){ (uint16_t)b->index, (uint16_t)(count - 1), (uint16_t)shift, 0 };
    b->index += count;
}

/* The opcode is above the segment, and in gfx9 and gfx10 two cache bits are between them. */
static void index_flat(struct builder *b)
{
    bool g11 = b->isa->mem.family == CO_G11;
    unsigned between = g11 ? 1 : 4;

    for (unsigned op = 0; op < 128; op++)
        for (unsigned seg = 0; seg < 4; seg++) {
            uint16_t plan = seg < 3 ? add(b, b->isa->mem.flat[seg][op], plan_flat) : 0;

            for (unsigned x = 0; x < between; x++)
                b->plans->at[b->index + (op * between + x) * 4 + seg] = plan;
        }
    for (unsigned t = 0; t < 512; t++)
        if (b->isa->top[t] == co_decode_flat)
            b->plans->top[t] = (struct co_plan_top){ (uint16_t)b->index, (uint16_t)(512 * between - 1), g11 ? 16 : 14, 0 };
    b->index += 512 * between;
}

static void place_fields(const struct codeobj_isa *isa, struct co_plan_fields *f)
{
    enum co_family family = isa->mem.family;
    bool g10 = family == CO_G10, g11 = family == CO_G11;

    /* A bit that a family does not have is looked for where it has to be 0. */
    f->smem_offset_bits = isa->gen == CODEOBJ_GEN_GFX8 ? 32 : 21;
    f->smem_glc = g11 ? 14 : 16;
    f->smem_dlc = g11 ? 13 : 14;
    f->flat_offset_bits = g10 ? 12 : 13;
    f->flat_glc = g11 ? 14 : 16;
    f->flat_slc = g11 ? 15 : 17;
    f->flat_dlc = g10 ? 12 : 13;
    f->buffer_offen = g11 ? 54 : 12;
    f->buffer_idxen = g11 ? 55 : 13;
    f->buffer_slc = g11 ? 12 : g10 ? 54 : 17;
    f->buffer_dlc = g11 ? 13 : g10 ? 15 : 16;
    f->buffer_scc = isa->mem.agpr ? 15 : 16;
}

/* At most this many plans: two for each row, the short and the long form. */
static size_t rows_here(const struct codeobj_isa *isa)
{
    size_t n = 1;

    for (unsigned i = 1; i < co_isa_row_total; i++)
        n += co_isa_rows[i].op[isa->column] >= 0 && co_isa_needs(co_isa_rows[i].needs, isa->processor) ? 2 : 0;
    return n;
}

struct co_plans *co_plans_new(const struct codeobj_isa *isa)
{
    struct co_plans *p = calloc(1, sizeof *p + (rows_here(isa) + 1) * sizeof p->plan[0]);
    struct builder b = { isa, p, 1 };
    bool vi = isa->mem.family >= CO_G8 && isa->mem.family <= CO_G940;

    if (!p)
        return NULL;
    p->plan = (struct co_plan *)(p + 1);
    p->count = 1;
    make_codes(&b);
    place_fields(isa, &p->fields);
    index_format(&b, co_decode_sop1, isa->sop1, 256, 8, plan_sop);
    index_format(&b, co_decode_sop2, isa->sop2, 128, 23, plan_sop);
    index_format(&b, co_decode_sopc, isa->sopc, 128, 16, plan_sop);
    index_format(&b, co_decode_sopk, isa->sopk, 32, 23, plan_sop);
    index_format(&b, co_decode_sopp, isa->sopp, 128, 16, plan_sop);
    index_format(&b, co_decode_smem, isa->smem, 256, 18, plan_smem);
    index_format(&b, co_decode_vop1, isa->vop1, 256, 9, plan_vop_short);
    index_format(&b, co_decode_vop2, isa->vop2, 64, 25, plan_vop_short);
    index_format(&b, co_decode_vopc, isa->vopc, 256, 17, plan_vop_short);
    index_format(&b, co_decode_vop3, isa->vop3, 1024, 16, plan_vop3);
    index_format(&b, co_decode_vop3p, isa->vop3p, isa->gen >= CODEOBJ_GEN_GFX11 ? 256 : 128, 16, plan_vop3p);
    index_format(&b, co_decode_ds, isa->mem.ds, 256, vi ? 17 : 18, plan_ds);
    if (isa->mem.family <= CO_G11) {
        index_format(&b, co_decode_buffer, isa->mem.mubuf, isa->mem.family >= CO_G10 ? 256 : 128, 18, plan_buffer);
        index_flat(&b);
        for (unsigned t = 0x3a << 3; t < 0x3b << 3; t++) /* typed buffers have another layout */
            p->top[t] = (struct co_plan_top){ 0 };
    }
    return p;
}

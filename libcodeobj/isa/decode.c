/* SPDX-License-Identifier: MIT
 *
 * isa/decode.c - codeobj_isa_decode(): by a plan if the words are plain, else by the function of their format.
 */
#include "isa/plan.h"

#include "isa/decoder.h"

_Static_assert(offsetof(struct codeobj_isa_operand, value) == sizeof(struct co_operand_head), "an operand begins with its head");
_Static_assert(offsetof(struct codeobj_isa_inst, verdict) == sizeof(struct co_inst_head), "an instruction begins with its head");

/* An operand in one register. */
typedef uint64_t pair __attribute__((vector_size(16)));
enum { IS_AT = 6 };
_Static_assert(sizeof(pair) == sizeof(struct codeobj_isa_operand), "an operand is 16 bytes");

static inline unsigned bit(uint64_t w, unsigned at)
{
    return (unsigned)(w >> at) & 1;
}

_Static_assert(sizeof(struct co_code_operand) == sizeof(pair) && sizeof(struct co_slot) == sizeof(pair) &&
                   offsetof(struct co_code_operand, is) == IS_AT && offsetof(struct co_slot, forbid) == 8 + IS_AT,
               "what a code is and what a slot forbids lie one above the other");

/* One operand; adds what its code is and should not be to *odd, in the place of `is`. */
static inline __attribute__((always_inline)) void operand(const struct co_plans *plans, const struct co_slot *slot, uint64_t w,
                                                          struct codeobj_isa_operand *o, pair *odd)
{
    static const pair clear = { ~(UINT64_C(0xffff) << 8 * IS_AT), ~UINT64_C(0) };
    unsigned code = ((unsigned)(w >> slot->shift) & slot->mask) + slot->base;
    pair what, head = { 0, 0 }, forbid = { 0, 0 };

    memcpy(&head, &slot->head, sizeof slot->head);
    memcpy(&forbid, (const char *)slot + 8, 8);
    memcpy(&what, &plans->operand[code], sizeof what);
    *odd |= what & forbid;
    what = (what & clear) | head; /* no byte is set in both */
    memcpy(o, &what, sizeof what);
}

/* The literal behind the words goes to the operands that ask for it. */
static bool literal(const struct co_plan *plan, const uint8_t *code, size_t size, struct codeobj_isa_inst *out)
{
    if (size < plan->inst.size + 4u)
        return false;
    out->has_literal = 4;
    out->literal = co_load32(code + plan->inst.size);
    out->words[plan->inst.size / 4] = (uint32_t)out->literal;
    out->size = (uint8_t)(plan->inst.size + 4);
    for (unsigned i = 0; i < plan->inst.operand_count; i++) {
        struct codeobj_isa_operand *o = &out->operands[i];

        if (o->kind == CODEOBJ_OPERAND_LITERAL)
            o->value = out->literal << (o->type == CODEOBJ_TYPE_F64 ? 32 : 0);
    }
    return true;
}

static void neg_abs(const struct co_plan *plan, unsigned neg, unsigned abs, struct codeobj_isa_inst *out)
{
    for (unsigned i = 0; i < plan->inst.operand_count; i++) {
        struct codeobj_isa_operand *o = &out->operands[i];
        unsigned n = (unsigned)o->role - CODEOBJ_ROLE_SRC0;

        if (n < 3)
            o->flags |= (uint8_t)((neg >> n & 1 ? CODEOBJ_OPERAND_NEG : 0) | (abs >> n & 1 ? CODEOBJ_OPERAND_ABS : 0));
    }
}

static bool extra(const struct codeobj_isa *isa, const struct co_plan *plan, uint64_t w, struct codeobj_isa_inst *out)
{
    const struct co_plan_fields *f = &isa->plans->fields;
    struct codeobj_isa_modifiers *m = &out->mod;
    struct codeobj_isa_operand *o = &out->operands[plan->place];
    unsigned a;

    switch ((enum co_plan_extra)plan->extra) {
    case CO_EXTRA_NONE:
        return true;
    case CO_EXTRA_IMM:
        out->operands[plan->inst.operand_count - 1].value = w & 0xffff;
        return true;
    case CO_EXTRA_LABEL:
        out->operands[plan->inst.operand_count - 1].value = (uint64_t)((int64_t)(int16_t)w * 4);
        return true;
    case CO_EXTRA_VOP3:
        m->clamp = (uint8_t)bit(w, 15);
        m->omod = (uint8_t)(w >> 59 & 3);
        a = plan->place ? (unsigned)(w >> 8) & 7 : 0;
        if (a | (unsigned)(w >> 61))
            neg_abs(plan, (unsigned)(w >> 61), a, out);
        return true;
    case CO_EXTRA_VOP3P:
    case CO_EXTRA_DOT:
        m->clamp = (uint8_t)bit(w, 15);
        m->op_sel = (uint8_t)(w >> 11 & 7);
        a = ((unsigned)(w >> 59 & 3) | bit(w, 14) << 2) & plan->place;
        m->op_sel_hi = (uint8_t)a;
        m->neg_lo = (uint8_t)(w >> 61);
        m->neg_hi = (uint8_t)(w >> 8 & 7);
        if ((~w >> 59 & 3 & ~(uint64_t)plan->place) || (!bit(w, 14) && !(plan->place & 4))) /* of sources that there are not */
            return false;
        return plan->extra == CO_EXTRA_VOP3P || a == plan->place;
    case CO_EXTRA_SMEM:
        m->offset = co_sign_extend(w >> 32 & 0x1fffff, f->smem_offset_bits);
        m->glc = (uint8_t)bit(w, f->smem_glc);
        m->dlc = (uint8_t)bit(w, f->smem_dlc);
        if (isa->gen <= CODEOBJ_GEN_GFX9) {
            if (!bit(w, 17)) /* a register */
                return false;
        } else {
            if (w >> 57 != isa->mem.scalar_off)
                return false;
            if (!m->offset) { /* then it shows the null register */
                *o = (struct codeobj_isa_operand){ .kind = CODEOBJ_OPERAND_SGPR, .role = CODEOBJ_ROLE_SOFFSET, .dwords = 1,
                                                   .reg = isa->mem.scalar_off };
                return true;
            }
        }
        o->value = (uint64_t)(int64_t)m->offset;
        return true;
    case CO_EXTRA_FLAT:
    case CO_EXTRA_GLOBAL:
        m->glc = (uint8_t)bit(w, f->flat_glc);
        m->slc = (uint8_t)bit(w, f->flat_slc);
        m->dlc = (uint8_t)bit(w, f->flat_dlc);
        m->scc = (uint8_t)bit(w, 25);
        a = (unsigned)(w >> 48 & 127);
        if (plan->extra == CO_EXTRA_FLAT) {
            m->offset = (int32_t)(w & ((1u << f->flat_offset_bits) - 1));
            return isa->mem.family < CO_G10 || a == isa->mem.scalar_off;
        }
        m->offset = co_sign_extend(w, f->flat_offset_bits);
        if (a != isa->mem.scalar_off) { /* the VGPR is an offset */
            o->type = CODEOBJ_TYPE_B32;
            o->dwords = 1;
        }
        return true;
    case CO_EXTRA_DS:
        m->offset = (int32_t)(w & 0xffff);
        return true;
    case CO_EXTRA_BUFFER:
        m->offset = (int32_t)(w & 0xfff);
        m->glc = (uint8_t)bit(w, 14);
        m->slc = (uint8_t)bit(w, f->buffer_slc);
        m->dlc = (uint8_t)bit(w, f->buffer_dlc);
        m->scc = (uint8_t)bit(w, f->buffer_scc);
        m->offen = (uint8_t)bit(w, f->buffer_offen);
        m->idxen = (uint8_t)bit(w, f->buffer_idxen);
        a = m->offen + (unsigned)m->idxen;
        o->dwords = (uint8_t)a;
        o->type = a == 2 ? CODEOBJ_TYPE_B64 : CODEOBJ_TYPE_B32;
        if (a)
            return true;
        o->kind = CODEOBJ_OPERAND_NONE;
        return !o->reg;
    }
    return false;
}

/* What is left to do where there is more than operands. */
static enum codeobj_status finish(const struct codeobj_isa *isa, const uint8_t *code, size_t size, struct codeobj_isa_inst *out,
                                  struct codeobj_diag *diag, const struct co_plan *plan)
{
    if (extra(isa, plan, co_load64(code), out))
        return CODEOBJ_OK;
    return co_decode_careful(isa, code, size, out, diag);
}

/* A literal follows.  None of the formats that may have one has an extra. */
static enum codeobj_status finish_literal(const struct codeobj_isa *isa, const uint8_t *code, size_t size,
                                          struct codeobj_isa_inst *out, struct codeobj_diag *diag, const struct co_plan *plan)
{
    if (!plan->extra && literal(plan, code, size, out))
        return CODEOBJ_OK;
    return co_decode_careful(isa, code, size, out, diag);
}

/* Without calls on its way, so that it needs few registers.  The length is an argument for the sake of the branch
 * that chooses it: the processor then goes on to the next instruction before this one's tables have been read. */
static inline __attribute__((always_inline)) enum codeobj_status run(const struct codeobj_isa *isa, const uint8_t *code, size_t size, struct codeobj_isa_inst *out,
                                      struct codeobj_diag *diag, const struct co_plan *plan, uint64_t w, unsigned length)
{
    const struct co_plans *plans = isa->plans;
    pair all = { 0, 0 };

    co_clear(out);
    memcpy(out, &plan->inst, sizeof plan->inst);
    out->size = (uint8_t)length;
    out->words[0] = (uint32_t)w;
    if (length > 4)
        out->words[1] = (uint32_t)(w >> 32);
    operand(plans, &plan->slots[0], w, &out->operands[0], &all);
    operand(plans, &plan->slots[1], w, &out->operands[1], &all);
    operand(plans, &plan->slots[2], w, &out->operands[2], &all);
    if (plan->inst.operand_count > 3) {
        operand(plans, &plan->slots[3], w, &out->operands[3], &all);
        operand(plans, &plan->slots[4], w, &out->operands[4], &all);
    }
    unsigned odd = (unsigned)(all[0] >> 8 * IS_AT);
    if (odd)
        return odd == CO_IS_LITERAL_HERE ? finish_literal(isa, code, size, out, diag, plan)
                                         : co_decode_careful(isa, code, size, out, diag);
    if (length == 4 && plan->extra == CO_EXTRA_IMM) { /* s_nop, s_waitcnt: the most frequent ones */
        out->operands[plan->inst.operand_count - 1].value = w & 0xffff;
        return CODEOBJ_OK;
    }
    return plan->extra ? finish(isa, code, size, out, diag, plan) : CODEOBJ_OK;
}

static inline __attribute__((always_inline)) enum codeobj_status decode(const struct codeobj_isa *isa, const void *code, size_t size,
                                                                        struct codeobj_isa_inst *out, struct codeobj_diag *diag)
{
    const struct co_plans *plans = isa->plans;

    if (size < 8)
        return co_decode_careful(isa, code, size, out, diag);
    uint64_t w = co_load64(code);
    const struct co_plan_top *top = &plans->top[(uint32_t)w >> 23];
    const struct co_plan *plan = &plans->plan[plans->at[top->first + ((uint32_t)w >> top->shift & top->mask)]];

    if (w & plan->reserved)
        return co_decode_careful(isa, code, size, out, diag);
    if (plan->inst.size == 4)
        return run(isa, code, size, out, diag, plan, w, 4);
    if (plan->inst.size == 8)
        return run(isa, code, size, out, diag, plan, w, 8);
    return co_decode_careful(isa, code, size, out, diag); /* no plan */
}

/* Shorter for processors that shift by any register and clear 32 bytes at once. */
CO_WIDE static enum codeobj_status decode_wide(const struct codeobj_isa *isa, const void *code, size_t size,
                                               struct codeobj_isa_inst *out, struct codeobj_diag *diag)
{
    return decode(isa, code, size, out, diag);
}

enum codeobj_status codeobj_isa_decode(const struct codeobj_isa *isa, const void *code, size_t size,
                                       struct codeobj_isa_inst *out, struct codeobj_diag *diag)
{
    return isa->wide ? decode_wide(isa, code, size, out, diag) : decode(isa, code, size, out, diag);
}

/* SPDX-License-Identifier: MIT
 *
 * isa/text.c - codeobj_isa_disassemble(): the text of plain words from tables, of others by decoding and printing.
 */
#include "isa/text.h"

#include "isa/print.h"
#include "isa/semantics.h"

#include <stdlib.h>

/* ---- the tables ---------------------------------------------------------------------------- */

static void add_name(struct co_texts *t, unsigned table, unsigned at, const struct codeobj_isa *isa, unsigned dwords)
{
    char text[128] = "";
    struct co_name *name = &t->name[table][at];
    const struct codeobj_isa_operand o = { .kind = CODEOBJ_OPERAND_INLINE, .reg = (uint16_t)at, .dwords = 1 };
    char *end = at >= 256 ? co_put_reg(text, 'v', at - 256, dwords) : at < 128 ? co_put_sreg(text, isa, at, dwords)
                                                                               : co_put_operand(text, isa, NULL, &o);

    memcpy(name->text, text, sizeof name->text);
    name->length = (uint8_t)(end - text);
}

static void make_names(struct co_texts *t, const struct codeobj_isa *isa)
{
    static const uint8_t dwords[CO_NAMES_COUNT] = { 1, 1, 2, 3, 4, 8, 16 };

    for (unsigned table = 0; table < CO_NAMES_COUNT; table++) {
        for (unsigned i = 0; i + dwords[table] <= 128; i++)
            add_name(t, table, i, isa, dwords[table]);
        for (unsigned i = 128; i <= (table == CO_NAMES_1_OF_16 ? 239 : 247); i++)
            if (isa->src_kind[i] == CO_SRC_INLINE)
                add_name(t, table, i, isa, 1);
        for (unsigned i = 0; i + dwords[table] <= 256; i += isa->align2 && dwords[table] > 1 ? 2 : 1)
            add_name(t, table, 256 + i, isa, dwords[table]);
        t->name[table][CO_NAME_OFF] = (struct co_name){ "off", 3 };
    }
    for (unsigned code = 0; code < CO_CODE_COUNT; code++) {
        const struct co_code_operand *o = &isa->plans->operand[code];

        t->code[code].is = o->is;
        t->code[code].name = CO_NAME_NONE;
        if (o->kind == CODEOBJ_OPERAND_VGPR)
            t->code[code].name = (uint16_t)(256 + o->reg);
        else if (o->kind == CODEOBJ_OPERAND_SGPR || o->kind == CODEOBJ_OPERAND_INLINE)
            t->code[code].name = o->reg;
    }
    t->code[CO_CODE_SADDR + isa->mem.scalar_off].name = CO_NAME_OFF;
}

static bool names_of(const struct co_slot *slot, uint8_t *table)
{
    switch (slot->head.dwords) {
    case 1: *table = co_type_is_16(slot->head.type) || slot->head.type == CODEOBJ_TYPE_PK_B16 ? CO_NAMES_1_OF_16 : CO_NAMES_1; return true;
    case 2: *table = CO_NAMES_2; return true;
    case 3: *table = CO_NAMES_3; return true;
    case 4: *table = CO_NAMES_4; return true;
    case 8: *table = CO_NAMES_8; return true;
    case 16: *table = CO_NAMES_16; return true;
    default: return false;
    }
}

static uint64_t bit_at(unsigned n)
{
    return (uint64_t)1 << n;
}

/* The modifiers: those that are printed here have a kind, of the others the plain value is asked for. */
static bool modifiers(const struct codeobj_isa *isa, const struct co_plan *plan, const struct co_isa_row *row, struct co_text *t)
{
    const struct co_plan_fields *f = &isa->plans->fields;
    uint64_t off = (uint64_t)isa->mem.scalar_off;

    t->kind = CO_TEXT_PLAIN;
    switch ((enum co_plan_extra)plan->extra) {
    case CO_EXTRA_NONE: return true;
    case CO_EXTRA_IMM: t->kind = CO_TEXT_IMM; return true;
    case CO_EXTRA_LABEL: t->kind = CO_TEXT_LABEL; return true;
    case CO_EXTRA_VOP3:
        t->mask |= bit_at(15) | 3ull << 59 | 7ull << 61 | (plan->place ? 7u << 8 : 0);
        if (!plan->place) /* bits 8 to 15 are sdst and clamp */
            t->mask |= bit_at(15);
        return true;
    case CO_EXTRA_VOP3P:
    case CO_EXTRA_DOT:
        t->mask |= 0xff00u | 3ull << 59 | 7ull << 61;
        t->value |= 3ull << 59 | bit_at(14);
        return true;
    case CO_EXTRA_SMEM:
        t->kind = CO_TEXT_SMEM;
        t->mask |= bit_at(f->smem_glc) | bit_at(f->smem_dlc);
        if (isa->gen <= CODEOBJ_GEN_GFX9) {
            t->mask |= bit_at(17);
            t->value |= bit_at(17);
        } else {
            t->mask |= 127ull << 57;
            t->value |= off << 57;
        }
        return true;
    case CO_EXTRA_FLAT:
    case CO_EXTRA_GLOBAL:
        t->kind = plan->extra == CO_EXTRA_FLAT ? CO_TEXT_FLAT : CO_TEXT_GLOBAL;
        t->mask |= bit_at(f->flat_glc) | bit_at(f->flat_slc) | bit_at(f->flat_dlc) | bit_at(25);
        if (plan->extra == CO_EXTRA_FLAT && isa->mem.family >= CO_G10) {
            t->mask |= 127ull << 48;
            t->value |= off << 48;
        }
        return true;
    case CO_EXTRA_DS:
        t->kind = row->flags & CO_MEM_OFF2 ? CO_TEXT_DS2 : CO_TEXT_DS;
        return true;
    case CO_EXTRA_BUFFER:
        t->kind = CO_TEXT_BUFFER;
        t->mask |= bit_at(14) | bit_at(f->buffer_slc) | bit_at(f->buffer_dlc) | bit_at(f->buffer_scc);
        return true;
    }
    return false;
}

static enum co_imm imm_of(const struct co_isa_row *row)
{
    unsigned i = 0;

    while (row->ops[i].kind != CO_OPK_IMM)
        i++;
    return (enum co_imm)row->ops[i].type;
}

static bool make_text(const struct codeobj_isa *isa, const struct co_plan *plan, struct co_text *t)
{
    const struct co_isa_row *row = &co_isa_rows[plan->inst.row];
    char text[128] = "", *end;

    if (!plan->inst.size || row->sem == CO_SEM_s_set_vgpr_msb)
        return false;
    t->mask = plan->reserved;
    t->size = plan->inst.size;
    t->format = plan->inst.format;
    t->place = plan->place;
    for (unsigned i = 0; i < plan->inst.operand_count; i++) {
        const struct co_slot *s = &plan->slots[i];

        if (s->head.kind) /* an immediate or a label: always the last */
            continue;
        if (s->head.flags & CODEOBJ_OPERAND_HIDDEN)
            continue;
        if (!names_of(s, &t->slots[t->count].names))
            return false;
        t->slots[t->count].base = s->base;
        t->slots[t->count].mask = s->mask;
        t->slots[t->count].forbid = s->forbid | CO_IS_LITERAL;
        t->slots[t->count++].shift = s->shift;
    }
    if (!modifiers(isa, plan, row, t))
        return false;
    t->imm = t->kind == CO_TEXT_IMM ? (uint8_t)imm_of(row) : 0;
    end = co_put_mnemonic(text, row);
    end = co_put_suffix(end, plan->inst.encoding);
    if (t->count || t->kind != CO_TEXT_PLAIN)
        *end++ = ' ';
    t->length = (uint8_t)(end - text);
    if (t->length > sizeof t->mnemonic)
        return false;
    memcpy(t->mnemonic, text, sizeof t->mnemonic);
    return true;
}

struct co_texts *co_texts_new(const struct codeobj_isa *isa)
{
    struct co_texts *t = calloc(1, sizeof *t + isa->plans->count * sizeof t->text[0]);

    if (!t)
        return NULL;
    make_names(t, isa);
    for (size_t i = 1; i < isa->plans->count; i++)
        if (!make_text(isa, &isa->plans->plan[i], &t->text[i]))
            t->text[i] = (struct co_text){ 0 };
    return t;
}

/* ---- plain words ----------------------------------------------------------------------------- */

static char *put_offset(char *p, int32_t offset)
{
    return offset ? co_put_sdec(CO_PUT(p, " offset:"), offset) : p;
}

/* "v1, " */
static inline __attribute__((always_inline)) char *put_slot(char *p, const struct codeobj_isa *isa, const struct co_text_slot *slot,
                                                            unsigned names, uint64_t w, unsigned *odd)
{
    const struct co_texts *t = isa->texts;
    const struct co_text_code *code = &t->code[((unsigned)(w >> slot->shift) & slot->mask) + slot->base];
    const struct co_name *name = &t->name[names][code->name];

    *odd |= (code->is & slot->forbid) | !name->length;
    p = co_put_name(p, name);
    memcpy(p, ", ", 2);
    return p + 2;
}

/* Operands of memory instructions whose address has one register or two, as other fields say. */
static char *put_mem(char *p, const struct codeobj_isa *isa, const struct co_text *t, uint64_t w, unsigned *odd)
{
    const struct co_plan_fields *f = &isa->plans->fields;
    bool buffer = t->kind == CO_TEXT_BUFFER;
    unsigned offen = (unsigned)(w >> f->buffer_offen) & 1, idxen = (unsigned)(w >> f->buffer_idxen) & 1;
    unsigned registers = buffer ? offen + idxen : (w >> 48 & 127) == isa->mem.scalar_off ? 2 : 1;

    for (unsigned i = 0; i < t->count; i++) {
        if (i == t->place && !registers) {
            *odd |= w >> t->slots[i].shift & t->slots[i].mask;
            p = CO_PUT(p, "off, ");
        } else {
            p = put_slot(p, isa, &t->slots[i], i != t->place ? t->slots[i].names : registers == 2 ? CO_NAMES_2 : CO_NAMES_1, w, odd);
        }
    }
    p -= 2;
    if (!buffer)
        return put_offset(p, co_sign_extend(w, f->flat_offset_bits));
    p = co_put_flag(p, idxen, " idxen");
    p = co_put_flag(p, offen, " offen");
    return put_offset(p, (int32_t)(w & 0xfff));
}

static char *put_smem_offset(char *p, const struct codeobj_isa *isa, uint64_t w)
{
    int32_t offset = co_sign_extend(w >> 32 & 0x1fffff, isa->plans->fields.smem_offset_bits);

    if (!offset && isa->gen >= CODEOBJ_GEN_GFX10)
        return co_put_sreg(p, isa, isa->mem.scalar_off, 1);
    if (offset < 0)
        *p++ = '-';
    return co_put_hex(p, offset < 0 ? 0 - (uint64_t)(int64_t)offset : (uint64_t)offset);
}

static char *put_ds2(char *p, unsigned offsets)
{
    if (offsets & 255)
        p = co_put_dec(CO_PUT(p, " offset0:"), offsets & 255);
    return offsets >> 8 ? co_put_dec(CO_PUT(p, " offset1:"), offsets >> 8) : p;
}

/* What follows the registers; p is behind the blank or comma there. */
static char *put_rest(char *p, const struct codeobj_isa *isa, const struct co_text *t, uint64_t w, struct codeobj_isa_text *out)
{
    switch ((enum co_text_kind)t->kind) {
    case CO_TEXT_IMM:
        if (t->imm == CO_IMM_ENDPGM && !(w & 0xffff))
            return p - 1;
        return t->imm == CO_IMM_DEC ? co_put_dec(p, w & 0xffff) : co_put_imm(p, isa, (enum co_imm)t->imm, (uint16_t)w);
    case CO_TEXT_LABEL:
        out->has_distance = 1;
        out->distance = (int64_t)(int16_t)w * 4;
        return co_put_dec(p, w & 0xffff);
    case CO_TEXT_SMEM: return put_smem_offset(p, isa, w);
    case CO_TEXT_FLAT: return put_offset(p - 2, (int32_t)(w & ((1u << isa->plans->fields.flat_offset_bits) - 1)));
    case CO_TEXT_DS: return put_offset(p - 2, (int32_t)(w & 0xffff));
    case CO_TEXT_DS2: return put_ds2(p - 2, w & 0xffff);
    default: return p;
    }
}

/* False when the words are not plain.  The size is an argument for the reason given at run() in decode.c. */
static inline __attribute__((always_inline)) bool put_plain(const struct codeobj_isa *isa, const struct co_text *t, uint64_t w,
                                                            unsigned size, char *buf, struct codeobj_isa_text *out)
{
    unsigned odd = 0;
    char *p = buf + t->length;

    *out = (struct codeobj_isa_text){ .size = (uint8_t)size, .format = t->format };
    memcpy(buf, t->mnemonic, sizeof t->mnemonic);
    if (t->kind == CO_TEXT_GLOBAL || t->kind == CO_TEXT_BUFFER) {
        p = put_mem(p, isa, t, w, &odd);
    } else {
        for (unsigned i = 0; i < t->count; i++)
            p = put_slot(p, isa, &t->slots[i], t->slots[i].names, w, &odd);
        if (t->kind != CO_TEXT_PLAIN)
            p = put_rest(p, isa, t, w, out);
        else
            p -= t->count ? 2 : 0;
    }
    *p = 0;
    out->length = (size_t)(p - buf);
    return !odd;
}

/* ---- any words ------------------------------------------------------------------------------- */

static enum codeobj_status careful(const struct codeobj_isa *isa, struct codeobj_isa_state *state, const void *code, size_t size,
                                   char *buf, size_t room, struct codeobj_isa_text *out, struct codeobj_diag *diag)
{
    struct codeobj_isa_inst inst;
    enum codeobj_status status = codeobj_isa_decode_next(isa, state, code, size, &inst, diag);

    *out = (struct codeobj_isa_text){ .size = inst.size };
    if (status != CODEOBJ_OK)
        return status;
    out->format = inst.format;
    out->verdict = inst.verdict;
    for (unsigned i = 0; i < inst.operand_count; i++)
        if (inst.operands[i].kind == CODEOBJ_OPERAND_LABEL) {
            out->has_distance = 1;
            out->distance = (int64_t)inst.operands[i].value;
        }
    out->length = codeobj_isa_print(isa, &inst, buf, room);
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_isa_disassemble(const struct codeobj_isa *isa, struct codeobj_isa_state *state, const void *code,
                                            size_t size, char *buf, size_t room, struct codeobj_isa_text *out,
                                            struct codeobj_diag *diag)
{
    const struct co_plans *plans = isa->plans;

    if (size < 8 || room < CO_TEXT_MAX || state->vgpr_msb)
        return careful(isa, state, code, size, buf, room, out, diag);
    uint64_t w = co_load64(code);
    const struct co_plan_top *top = &plans->top[(uint32_t)w >> 23];
    const struct co_text *t = &isa->texts->text[plans->at[top->first + ((uint32_t)w >> top->shift & top->mask)]];

    if (!t->kind || (w & t->mask) != t->value)
        return careful(isa, state, code, size, buf, room, out, diag);
    if (t->size == 4 ? put_plain(isa, t, w, 4, buf, out) : put_plain(isa, t, w, 8, buf, out))
        return CODEOBJ_OK;
    return careful(isa, state, code, size, buf, room, out, diag);
}

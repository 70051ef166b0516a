/* SPDX-License-Identifier: MIT
 *
 * isa/print.c - the text of an instruction: mnemonic, suffix, operands, modifiers.
 */
#include "isa/print.h"

static const struct co_name suffixes[CODEOBJ_ENC_COUNT] = {
    [CODEOBJ_ENC_DEFAULT] = { "", 0 },     [CODEOBJ_ENC_E32] = { "_e32", 4 }, [CODEOBJ_ENC_E64] = { "_e64", 4 },
    [CODEOBJ_ENC_SDWA] = { "_sdwa", 5 },   [CODEOBJ_ENC_DPP16] = { "_dpp", 4 }, [CODEOBJ_ENC_DPP8] = { "_dpp", 4 },
    [CODEOBJ_ENC_E64_DPP16] = { "_e64_dpp", 8 }, [CODEOBJ_ENC_E64_DPP8] = { "_e64_dpp", 8 },
};

char *co_put_suffix(char *p, unsigned encoding)
{
    return co_put_name(p, &suffixes[encoding]);
}

static char *signed_hex(char *p, int64_t v)
{
    if (v < 0) {
        *p++ = '-';
        return co_put_hex(p, 0 - (uint64_t)v);
    }
    return co_put_hex(p, (uint64_t)v);
}

/* The kind of the row's immediate. */
static enum co_imm imm_kind(const struct co_isa_row *row)
{
    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++)
        if (row->ops[i].kind == CO_OPK_IMM)
            return (enum co_imm)row->ops[i].type;
    return CO_IMM_SIMM16;
}

static bool is_scalar(unsigned format)
{
    return format >= CODEOBJ_FMT_SOP1 && format <= CODEOBJ_FMT_SOPP;
}

static char *operand(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                     const struct co_isa_row *row, const struct codeobj_isa_operand *o)
{
    if (o->kind == CODEOBJ_OPERAND_IMMEDIATE) {
        if (is_scalar(row->format))
            return co_put_imm(p, isa, imm_kind(row), (uint16_t)o->value);
        if (row->format == CODEOBJ_FMT_SMEM)
            return o->role == CODEOBJ_ROLE_IMM ? signed_hex(p, (int64_t)o->value) : co_put_inline_int(p, o->value, 32);
    }
    return co_put_operand(p, isa, inst, o);
}

char *co_put_scope(char *p, unsigned scope)
{
    static const char *const names[4] = { "", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS" };
    return co_put_str(p, names[scope & 3]);
}

char *co_print_smem(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                    const struct co_isa_row *row)
{
    const struct codeobj_isa_modifiers *m = &inst->mod;
    static const char *const th[4] = { "", " th:TH_LOAD_NT", " th:TH_LOAD_HT", " th:TH_LOAD_LU" };
    bool soffset = false, prefetch = false;
    (void)row;
    for (unsigned i = 0; i < inst->operand_count; i++) {
        soffset |= inst->operands[i].role == CODEOBJ_ROLE_SOFFSET;
        prefetch |= inst->operands[i].role == CODEOBJ_ROLE_IMM;
    }
    if (soffset && !prefetch) {
        bool shown = isa->gen >= CODEOBJ_GEN_GFX12 ||
                     (isa->gen >= CODEOBJ_GEN_GFX10 ? m->offset != 0
                                                    : isa->gen == CODEOBJ_GEN_GFX9 && inst->words[0] >> 17 & 1);
        if (shown) {
            p = CO_PUT(p, " offset:");
            p = signed_hex(p, m->offset);
        }
    }
    if (isa->gen >= CODEOBJ_GEN_GFX12) {
        p = co_put_flag(p, m->scale_offset, " scale_offset");
        p = m->th == 3 && m->scope == 3 ? CO_PUT(p, " th:TH_LOAD_BYPASS") : co_put_str(p, th[m->th]);
        p = co_put_scope(p, m->scope);
        return co_put_flag(p, m->nv, " nv");
    }
    p = co_put_flag(p, m->glc, " glc");
    return co_put_flag(p, m->dlc, " dlc");
}

static char *put_bitop2(char *p, const struct co_isa_row *row, unsigned table)
{
    bool on = false;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++)
        on |= row->ops[i].kind == CO_OPK_BITOP3;
    if (!on || !table)
        return p;
    p = CO_PUT(p, " bitop3:");
    return table <= 10 ? co_put_dec(p, table) : co_put_hex(p, table);
}

/* Between the halves of a pair. */
char *co_print_vopd(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                    const struct co_isa_row *row)
{
    p = put_bitop2(p, row, inst->mod.bitop3);
    p = CO_PUT(p, " :: ");
    (void)isa;
    return co_put_mnemonic(p, &co_isa_rows[inst->row_y]);
}

static co_print_fn *modifiers(unsigned format)
{
    switch (format) {
    case CODEOBJ_FMT_SMEM:
        return co_print_smem;
    case CODEOBJ_FMT_VOP1:
    case CODEOBJ_FMT_VOP2:
    case CODEOBJ_FMT_VOPC:
    case CODEOBJ_FMT_VOP3:
        return co_print_vop;
    case CODEOBJ_FMT_VOP3P:
        return co_print_vop3p;
    case CODEOBJ_FMT_VINTERP:
    case CODEOBJ_FMT_LDSDIR:
        return co_print_interp;
    default:
        return NULL;
    }
}

/* LLVM prints no suffix for SDWA compares of gfx8 and for compares with DPP. */
static bool bare_compare(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    if (row->format != CODEOBJ_FMT_VOPC)
        return false;
    return (inst->encoding == CODEOBJ_ENC_SDWA && isa->gen == CODEOBJ_GEN_GFX8) ||
           inst->encoding == CODEOBJ_ENC_DPP16 || inst->encoding == CODEOBJ_ENC_DPP8;
}

/* Are there no modifiers behind the operands?  A short way for most vector instructions. */
static bool no_modifiers(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst)
{
    const struct codeobj_isa_modifiers *m = &inst->mod;
    return inst->encoding == CODEOBJ_ENC_E32 ||
           (inst->encoding == CODEOBJ_ENC_E64 && !(m->clamp | m->omod | m->op_sel | m->interp_high) && !isa->shape[inst->row].extra);
}

static char *put_pair(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    bool comma = false, second = false;
    for (unsigned i = 0; i < inst->operand_count; i++) {
        const struct codeobj_isa_operand *o = &inst->operands[i];
        if (o->flags & CODEOBJ_OPERAND_HIDDEN)
            continue;
        if (o->flags & CODEOBJ_OPERAND_Y && !second) { /* the other half */
            second = true;
            p = co_print_vopd(p, isa, inst, row);
            comma = false;
        }
        if (comma)
            *p++ = ',';
        *p++ = ' ';
        comma = true;
        p = operand(p, isa, inst, row, o);
    }
    return put_bitop2(p, &co_isa_rows[inst->row_y], inst->mod.bitop3);
}

/* SOPP: an immediate at most. */
static char *put_sopp(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    const struct codeobj_isa_operand *o = inst->operands;
    if (!inst->operand_count || (row->ops[0].type == CO_IMM_ENDPGM && !o->value))
        return p;
    *p++ = ' ';
    if (row->ops[0].type == CO_IMM_DEC) /* s_nop */
        return co_put_dec(p, (uint16_t)o->value);
    return operand(p, isa, inst, row, o);
}

static char *put_inst(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst)
{
    const struct co_isa_row *row = &co_isa_rows[inst->row];
    if (!inst->row) {
        p = CO_PUT(p, ".long ");
        return co_put_hex(p, inst->words[0]);
    }
    p = co_put_mnemonic(p, row);
    if (inst->encoding <= CODEOBJ_ENC_E64 || (!bare_compare(isa, inst, row) && row->ops[0].kind))
        p = co_put_name(p, &suffixes[inst->encoding]);
    if (row->format >= CODEOBJ_FMT_DS)
        return co_print_mem(p, isa, inst, row);
    if (row->format == CODEOBJ_FMT_VOPD)
        return put_pair(p, isa, inst, row);
    if (row->format == CODEOBJ_FMT_SOPP)
        return put_sopp(p, isa, inst, row);
    char *start = p;
    for (unsigned i = 0; i < inst->operand_count; i++) {
        const struct codeobj_isa_operand *o = &inst->operands[i];
        const struct co_name *name = co_name_of(isa, o);
        if (o->flags & CODEOBJ_OPERAND_HIDDEN)
            continue;
        if (p != start)
            *p++ = ',';
        *p++ = ' ';
        p = name ? co_put_name(p, name) : operand(p, isa, inst, row, o);
    }
    if (no_modifiers(isa, inst))
        return p;
    co_print_fn *fn = modifiers(row->format);
    return fn ? fn(p, isa, inst, row) : p;
}

/* Copies what fits, terminated. */
static size_t copy_out(const char *text, size_t n, char *buf, size_t size)
{
    if (size) {
        size_t take = n < size ? n : size - 1;
        memcpy(buf, text, take);
        buf[take] = 0;
    }
    return n;
}

static size_t print_cut(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, char *buf, size_t size)
{
    char text[CO_TEXT_MAX];
    return copy_out(text, (size_t)(put_inst(text, isa, inst) - text), buf, size);
}

size_t codeobj_isa_print(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, char *buf, size_t size)
{
    if (size < CO_TEXT_MAX)
        return print_cut(isa, inst, buf, size);
    char *end = put_inst(buf, isa, inst); /* room for any text: no copy */
    *end = 0;
    return (size_t)(end - buf);
}

size_t codeobj_isa_sgpr_name(const struct codeobj_isa *isa, unsigned reg, unsigned dwords, char *buf, size_t size)
{
    char text[CO_TEXT_MAX];
    return copy_out(text, (size_t)(co_put_sreg(text, isa, reg, dwords) - text), buf, size);
}

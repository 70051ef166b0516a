/* SPDX-License-Identifier: MIT
 *
 * isa/print.h - putting text together.
 *
 * Every function appends at p and returns the new end.  The buffer has room for
 * CO_TEXT_MAX bytes, more than any instruction takes, so nothing is checked on
 * the way; codeobj_isa_print() cuts to the caller's size.
 */
#ifndef CO_ISA_PRINT_H
#define CO_ISA_PRINT_H

#include <string.h>

#include "isa/decoder.h"

#define CO_TEXT_MAX 4096

/* LIT("text") is a string with its length. */
#define CO_PUT(p, text) ((char *)memcpy((p), (text), sizeof(text) - 1) + sizeof(text) - 1)

static inline char *co_put_str(char *p, const char *s)
{
    size_t n = strlen(s);
    memcpy(p, s, n);
    return p + n;
}

/* A row's mnemonic, a copy of fixed size. */
static inline char *co_put_mnemonic(char *p, const struct co_isa_row *row)
{
    memcpy(p, row->mnemonic, CO_MNEMONIC_MAX);
    return p + row->length;
}

/* 0 to 255, and the number of digits behind them. */
struct co_digits {
    char text[3];
    uint8_t length;
};
extern const struct co_digits co_digits[256];

char *co_put_big(char *p, uint64_t v);

/* Decimal; registers and small constants are most of it. */
static inline char *co_put_dec(char *p, uint64_t v)
{
    if (v > 255)
        return co_put_big(p, v);
    memcpy(p, &co_digits[v], sizeof co_digits[v]);
    return p + co_digits[v].length;
}
char *co_put_sdec(char *p, int64_t v);
char *co_put_hex(char *p, uint64_t v); /* with 0x */

/* name when on */
static inline char *co_put_flag(char *p, unsigned on, const char *name)
{
    return on ? co_put_str(p, name) : p;
}

/* " name:[a,b,c]" of the low n bits, first source first. */
char *co_put_bits(char *p, const char *name, unsigned bits, unsigned n);

/* print_operand.c */
static inline char *co_put_reg(char *p, char file, unsigned reg, unsigned dwords) /* v1, s[2:3], a[0:15] */
{
    *p++ = file;
    if (dwords <= 1)
        return co_put_dec(p, reg);
    *p++ = '[';
    p = co_put_dec(p, reg);
    *p++ = ':';
    p = co_put_dec(p, reg + dwords - 1);
    *p++ = ']';
    return p;
}
char *co_put_sreg(char *p, const struct codeobj_isa *isa, unsigned reg, unsigned dwords);
char *co_put_operand(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                     const struct codeobj_isa_operand *o);

/* The text of an operand that is a register or pair, or an inline constant, and nothing more; else NULL. */
static inline const struct co_name *co_name_of(const struct codeobj_isa *isa, const struct codeobj_isa_operand *o)
{
    unsigned marks = CODEOBJ_OPERAND_NEG | CODEOBJ_OPERAND_ABS | CODEOBJ_OPERAND_SEXT | CODEOBJ_OPERAND_HALF;
    unsigned pair = o->dwords - 1u, at = o->reg;

    if (o->flags & marks || o->sdwa_sel >= CO_REMARK_IMMEDIATE || pair > 1)
        return NULL;
    if (o->kind == CODEOBJ_OPERAND_VGPR)
        at += 256;
    else if (o->kind == CODEOBJ_OPERAND_INLINE ? at >= 240 && (at == 248 || co_type_is_16(o->type) || o->type == CODEOBJ_TYPE_PK_B16) : o->kind != CODEOBJ_OPERAND_SGPR)
        return NULL;
    return at < 512 ? &isa->name[pair][at] : NULL;
}

static inline char *co_put_name(char *p, const struct co_name *name)
{
    memcpy(p, name, sizeof *name);
    return p + name->length;
}
char *co_put_suffix(char *p, unsigned encoding); /* "_e64" */
char *co_put_inline_int(char *p, uint64_t v, unsigned bits); /* -16..64 decimal, else hexadecimal */

/* print_imm.c: simm16 with names. */
char *co_put_imm(char *p, const struct codeobj_isa *isa, enum co_imm kind, uint16_t v);

/* Modifiers behind the operands, one function a family of formats. */
typedef char *co_print_fn(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                          const struct co_isa_row *row);
co_print_fn co_print_smem, co_print_vop, co_print_vop3p, co_print_vopd, co_print_interp;

/* print_mem.c: operands and modifiers of memory, image and export formats. */
co_print_fn co_print_mem;

/* print_vop.c: shared by the vector formats. */
char *co_put_dpp(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst);

/* print_cache.c: " glc slc", " sc0 nt", " th:TH_LOAD_NT scope:SCOPE_SE". */
char *co_put_scope(char *p, unsigned scope);

#endif

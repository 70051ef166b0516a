/* SPDX-License-Identifier: MIT
 *
 * isa/print_operand.c - registers, constants and literals as LLVM spells them.
 *
 * A literal that could also be an inline constant is written lit(0x...), so that
 * assembling the text gives the same bytes.
 */
#include "isa/print.h"

/* Numbers of n digits by their last one, behind those that are given (each with its comma) */
#define DIGIT(n, d, ...) { { __VA_ARGS__ d }, n }
#define TENS(n, ...)                                                                                                          \
    DIGIT(n, '0', __VA_ARGS__), DIGIT(n, '1', __VA_ARGS__), DIGIT(n, '2', __VA_ARGS__), DIGIT(n, '3', __VA_ARGS__),           \
        DIGIT(n, '4', __VA_ARGS__), DIGIT(n, '5', __VA_ARGS__), DIGIT(n, '6', __VA_ARGS__), DIGIT(n, '7', __VA_ARGS__),       \
        DIGIT(n, '8', __VA_ARGS__), DIGIT(n, '9', __VA_ARGS__)
const struct co_digits co_digits[256] = {
    TENS(1, ),
    TENS(2, '1', ), TENS(2, '2', ), TENS(2, '3', ), TENS(2, '4', ), TENS(2, '5', ),
    TENS(2, '6', ), TENS(2, '7', ), TENS(2, '8', ), TENS(2, '9', ),
    TENS(3, '1', '0', ), TENS(3, '1', '1', ), TENS(3, '1', '2', ), TENS(3, '1', '3', ), TENS(3, '1', '4', ),
    TENS(3, '1', '5', ), TENS(3, '1', '6', ), TENS(3, '1', '7', ), TENS(3, '1', '8', ), TENS(3, '1', '9', ),
    TENS(3, '2', '0', ), TENS(3, '2', '1', ), TENS(3, '2', '2', ), TENS(3, '2', '3', ), TENS(3, '2', '4', ),
    DIGIT(3, '0', '2', '5', ), DIGIT(3, '1', '2', '5', ), DIGIT(3, '2', '2', '5', ),
    DIGIT(3, '3', '2', '5', ), DIGIT(3, '4', '2', '5', ), DIGIT(3, '5', '2', '5', ),
};

char *co_put_big(char *p, uint64_t v)
{
    char t[20];
    int n = 0;
    do {
        t[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    while (n)
        *p++ = t[--n];
    return p;
}

char *co_put_sdec(char *p, int64_t v)
{
    if (v < 0) {
        *p++ = '-';
        return co_put_dec(p, 0 - (uint64_t)v);
    }
    return co_put_dec(p, (uint64_t)v);
}

char *co_put_hex(char *p, uint64_t v)
{
    unsigned shift = 60;
    p = CO_PUT(p, "0x");
    while (shift && !(v >> shift & 15))
        shift -= 4;
    for (;; shift -= 4) {
        *p++ = "0123456789abcdef"[v >> shift & 15];
        if (!shift)
            return p;
    }
}

char *co_put_inline_int(char *p, uint64_t v, unsigned bits)
{
    int64_t s = bits == 16 ? (int16_t)v : bits == 32 ? (int32_t)v : (int64_t)v;
    if (s >= -16 && s <= 64)
        return co_put_sdec(p, s);
    return co_put_hex(p, v);
}

char *co_put_bits(char *p, const char *name, unsigned bits, unsigned n)
{
    p = co_put_str(p, name);
    for (unsigned i = 0; i < n; i++) {
        *p++ = i ? ',' : '[';
        *p++ = (char)('0' + (bits >> i & 1));
    }
    *p++ = ']';
    return p;
}

static char *ttmp(char *p, unsigned n, unsigned dwords)
{
    p = CO_PUT(p, "ttmp");
    if (dwords <= 1)
        return co_put_dec(p, n);
    *p++ = '[';
    p = co_put_dec(p, n);
    *p++ = ':';
    p = co_put_dec(p, n + dwords - 1);
    *p++ = ']';
    return p;
}

/* Names of the scalar registers that are not s0, s1, ...; the low half and the pair. */
static const char *sreg_name(const struct codeobj_isa *isa, unsigned reg, unsigned dwords)
{
    bool old = isa->gen <= CODEOBJ_GEN_GFX9, g11 = isa->gen >= CODEOBJ_GEN_GFX11, pair = dwords == 2;
    switch (reg) {
    case 102:
        return isa->gen == CODEOBJ_GEN_GFX8 || isa->gen == CODEOBJ_GEN_GFX9 ? pair ? "flat_scratch" : "flat_scratch_lo" : NULL;
    case 103:
        return isa->gen == CODEOBJ_GEN_GFX8 || isa->gen == CODEOBJ_GEN_GFX9 ? "flat_scratch_hi" : NULL;
    case 104:
        if (isa->gen == CODEOBJ_GEN_GFX7)
            return pair ? "flat_scratch" : "flat_scratch_lo";
        return old && isa->gen >= CODEOBJ_GEN_GFX8 ? pair ? "xnack_mask" : "xnack_mask_lo" : NULL;
    case 105:
        if (isa->gen == CODEOBJ_GEN_GFX7)
            return "flat_scratch_hi";
        return old && isa->gen >= CODEOBJ_GEN_GFX8 ? "xnack_mask_hi" : NULL;
    case 106: return pair ? "vcc" : "vcc_lo";
    case 107: return "vcc_hi";
    case 108: return isa->gen <= CODEOBJ_GEN_GFX8 ? pair ? "tba" : "tba_lo" : NULL;
    case 109: return isa->gen <= CODEOBJ_GEN_GFX8 ? "tba_hi" : NULL;
    case 110: return isa->gen <= CODEOBJ_GEN_GFX8 ? pair ? "tma" : "tma_lo" : NULL;
    case 111: return isa->gen <= CODEOBJ_GEN_GFX8 ? "tma_hi" : NULL;
    case 124: return g11 ? "null" : "m0";
    case 125: return g11 ? "m0" : "null";
    case 126: return pair ? "exec" : "exec_lo";
    case 127: return "exec_hi";
    default: return NULL;
    }
}

char *co_put_sreg(char *p, const struct codeobj_isa *isa, unsigned reg, unsigned dwords)
{
    if (reg < 102)
        return co_put_reg(p, 's', reg, dwords);
    const char *name = sreg_name(isa, reg, dwords);
    if (name)
        return co_put_str(p, name);
    unsigned first = isa->gen <= CODEOBJ_GEN_GFX8 ? 112 : 108;
    if (reg >= first && reg < 124)
        return ttmp(p, reg - first, dwords);
    return co_put_reg(p, 's', reg, dwords);
}

static const char *const specials[CODEOBJ_SPECIAL_COUNT] = {
    [CODEOBJ_SPECIAL_SHARED_BASE] = "src_shared_base",
    [CODEOBJ_SPECIAL_SHARED_LIMIT] = "src_shared_limit",
    [CODEOBJ_SPECIAL_PRIVATE_BASE] = "src_private_base",
    [CODEOBJ_SPECIAL_PRIVATE_LIMIT] = "src_private_limit",
    [CODEOBJ_SPECIAL_POPS_EXITING_WAVE_ID] = "src_pops_exiting_wave_id",
    [CODEOBJ_SPECIAL_VCCZ] = "src_vccz",
    [CODEOBJ_SPECIAL_EXECZ] = "src_execz",
    [CODEOBJ_SPECIAL_SCC] = "src_scc",
    [CODEOBJ_SPECIAL_LDS_DIRECT] = "src_lds_direct",
    [CODEOBJ_SPECIAL_FLAT_SCRATCH_BASE_LO] = "src_flat_scratch_base_lo",
    [CODEOBJ_SPECIAL_FLAT_SCRATCH_BASE_HI] = "src_flat_scratch_base_hi",
};

/* ---- constants ------------------------------------------------------------------ */

static const char *const inline_floats[9] = { "0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494" };

static char *put_inline(char *p, const struct codeobj_isa_operand *o)
{
    unsigned code = o->reg;
    if (code < 240)
        return co_put_sdec(p, code <= 192 ? (int)code - 128 : 192 - (int)code);
    bool integer16 = o->type == CODEOBJ_TYPE_I16 || o->type == CODEOBJ_TYPE_U16 || o->type == CODEOBJ_TYPE_B16;
    /* Halves of v_cvt_pk_fp8_f16: LLVM reads the constants of 32 bits, and its assembler writes no others. */
    if ((integer16 || o->type == CODEOBJ_TYPE_PK_B16) && o->sdwa_sel != CO_REMARK_IMMEDIATE)
        return co_put_hex(p, o->value);
    if (code == 248 && o->sdwa_sel != CO_REMARK_IMMEDIATE && (o->type == CODEOBJ_TYPE_F64 || o->type == CODEOBJ_TYPE_I64 || o->type == CODEOBJ_TYPE_U64 ||
                        o->type == CODEOBJ_TYPE_B64))
        return CO_PUT(p, "0.15915494309189532");
    return co_put_str(p, inline_floats[code - 240]);
}

static void set_name(struct co_name *name, const char *text, size_t length)
{
    memcpy(name->text, text, length < sizeof name->text ? length : sizeof name->text);
    name->length = (uint8_t)length;
}

void co_make_names(struct codeobj_isa *isa)
{
    char text[64]; /* longer than any, and than what copies of fixed size reach */

    for (unsigned pair = 0; pair < 2; pair++) {
        for (unsigned i = 0; i < 128; i++)
            set_name(&isa->name[pair][i], text, (size_t)(co_put_sreg(text, isa, i, pair + 1) - text));
        for (unsigned i = 128; i <= 247; i++) {
            const struct codeobj_isa_operand o = { .kind = CODEOBJ_OPERAND_INLINE, .reg = (uint16_t)i, .dwords = 1 };

            if (isa->src_kind[i] == CO_SRC_INLINE)
                set_name(&isa->name[pair][i], text, (size_t)(put_inline(text, &o) - text));
        }
        for (unsigned i = 0; i < 256; i++)
            set_name(&isa->name[pair][256 + i], text, (size_t)(co_put_reg(text, 'v', i, pair + 1) - text));
    }
}

static bool inline_float(const struct codeobj_isa *isa, uint64_t v, enum codeobj_isa_type type, unsigned *code)
{
    unsigned last = isa->gen >= CODEOBJ_GEN_GFX8 ? 248 : 247;
    for (unsigned c = 240; c <= last; c++)
        if (co_inline_value(c, type) == v) {
            *code = c;
            return true;
        }
    return false;
}

static bool small(int64_t v)
{
    return v >= -16 && v <= 64;
}

static char *lit(char *p, bool inlinable, uint64_t v, unsigned bytes)
{
    if (!inlinable || !bytes)
        return bytes || (int32_t)v < -16 || (int32_t)v > 64 ? co_put_hex(p, v) : co_put_sdec(p, (int32_t)v);
    p = bytes == 8 ? CO_PUT(p, "lit64(") : CO_PUT(p, "lit(");
    p = co_put_hex(p, v);
    *p++ = ')';
    return p;
}

/* Whose float constants a literal is compared with. */
static enum codeobj_isa_type own_float(unsigned type)
{
    switch (type) {
    case CODEOBJ_TYPE_PK_B16: return CODEOBJ_TYPE_PK_F16;
    case CODEOBJ_TYPE_PK_F16:
    case CODEOBJ_TYPE_PK_BF16: return (enum codeobj_isa_type)type;
    default: return CODEOBJ_TYPE_F32;
    }
}

/* Could a pair of halves be an inline constant?  In VOPD3 those of 32 bits count, too, and the low half alone. */
static bool inline_pair(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, uint64_t raw,
                        enum codeobj_isa_type type)
{
    unsigned code;
    if (inline_float(isa, raw, type, &code))
        return true;
    bool low = inline_float(isa, raw & 0xffff, type, &code) || small((int16_t)raw);
    return inst->words[0] >> 24 == 0xcf && (low || inline_float(isa, raw, CODEOBJ_TYPE_F32, &code));
}

static char *put_literal(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                         const struct codeobj_isa_operand *o)
{
    unsigned code, bytes = inst->has_literal;
    uint64_t raw = o->dwords > 1 ? inst->literal : (uint32_t)inst->literal;
    if (inst->literal <= UINT32_MAX && (o->reg == CO_CODE_LITERAL64 || (o->role == CODEOBJ_ROLE_K && bytes == 8)))
        return lit(p, true, raw, 8);
    if (o->sdwa_sel == CO_REMARK_IMMEDIATE) { /* no constant can be there, and LLVM prints what it has as a plain number */
        if (inline_float(isa, (uint32_t)raw, CODEOBJ_TYPE_F32, &code))
            return co_put_str(p, inline_floats[code - 240]);
        return co_put_inline_int(p, (uint32_t)raw, 32);
    }
    bool wide = o->type == CODEOBJ_TYPE_F64 || o->type == CODEOBJ_TYPE_I64 || o->type == CODEOBJ_TYPE_U64 ||
                o->type == CODEOBJ_TYPE_B64;
    if (bytes == 8 && o->reg == CO_CODE_LITERAL && inst->format == CODEOBJ_FMT_VOP2) { /* low half of v_fmamk_f64's */
        raw = (uint32_t)raw;
        bytes = 4;
    } else if (bytes == 8 && o->reg == CO_CODE_LITERAL) { /* shared with a source that asks for 64 bits */
        if (inst->literal > UINT32_MAX && !wide) {
            bool f16 = o->type == CODEOBJ_TYPE_F16, bf16 = o->type == CODEOBJ_TYPE_BF16;
            bool inlinable = f16 || bf16 ? small((int16_t)raw) || inline_float(isa, raw & 0xffff, o->type, &code)
                                         : small((int32_t)raw) || inline_float(isa, (uint32_t)raw, own_float(o->type), &code);
            return inlinable ? lit(p, true, inst->literal, 4) : co_put_hex(p, co_type_is_16(o->type) && !bf16 ? raw & 0xffff : (uint32_t)raw);
        }
        bytes = inst->literal > UINT32_MAX ? 8 : 4;
    }
    if (bytes == 8 && !wide) { /* only the low half is read */
        bytes = 0;
        raw = (uint32_t)raw;
        if (o->type != CODEOBJ_TYPE_F16 && o->type != CODEOBJ_TYPE_BF16 && inline_float(isa, raw, own_float(o->type), &code))
            return co_put_str(p, inline_floats[code - 240]);
    }
    if (isa->gen <= CODEOBJ_GEN_GFX7 && inst->format == CODEOBJ_FMT_SMEM)
        return co_put_hex(p, raw);
    /* "2.0" would be assembled as a double, whose low half is 0: LLVM's own text only where it disassembles. */
    if (o->role == CODEOBJ_ROLE_K && inst->format == CODEOBJ_FMT_SOPK && isa->gen >= CODEOBJ_GEN_GFX8 &&
        inline_float(isa, raw, CODEOBJ_TYPE_F32, &code))
        return co_put_str(p, inline_floats[code - 240]);
    if (o->role == CODEOBJ_ROLE_K && o->type == CODEOBJ_TYPE_F64 && !(uint32_t)raw) /* the high half alone */
        return co_put_hex(p, raw >> 32);
    if (o->role == CODEOBJ_ROLE_K) /* s_setreg_imm32: like a constant */
        return inst->format == CODEOBJ_FMT_SOPK ? co_put_inline_int(p, raw, 32) : co_put_hex(p, raw);
    if (isa->gen == CODEOBJ_GEN_GFX11 && inst->format == CODEOBJ_FMT_VOP3P && o->dwords > 4) /* C of a WMMA in wave32 */
        return raw ? co_put_hex(p, raw) : CO_PUT(p, "0");
    switch (o->type) {
    case CODEOBJ_TYPE_F16:
    case CODEOBJ_TYPE_BF16:
        if (!bytes && small((int16_t)raw))
            return co_put_sdec(p, (int16_t)raw);
        if (!bytes && inline_float(isa, raw & 0xffff, o->type, &code))
            return co_put_str(p, inline_floats[code - 240]);
        if (small((int16_t)raw) || inline_float(isa, raw & 0xffff, o->type, &code))
            return lit(p, true, raw, bytes);
        return co_put_hex(p, o->type == CODEOBJ_TYPE_BF16 ? raw : raw & 0xffff);
    case CODEOBJ_TYPE_I16:
    case CODEOBJ_TYPE_U16:
    case CODEOBJ_TYPE_B16:
        if (small((int32_t)raw) || inline_float(isa, (uint32_t)raw, CODEOBJ_TYPE_F32, &code))
            return lit(p, true, raw, bytes);
        return co_put_hex(p, raw & 0xffff);
    case CODEOBJ_TYPE_F64:
        if (isa->gen <= CODEOBJ_GEN_GFX7 && (small((int32_t)raw) || inline_float(isa, o->value, o->type, &code))) /* the plain number would become an inline constant */
            return lit(p, true, raw, bytes);
        if (bytes == 8 && small((int64_t)raw))
            return co_put_sdec(p, (int64_t)raw);
        if (raw == 0)
            return CO_PUT(p, "0");
        if (bytes == 8 && !(uint32_t)raw && !inline_float(isa, raw, o->type, &code)) /* the high half alone */
            return co_put_hex(p, raw >> 32);
        if (inline_float(isa, bytes == 8 ? raw : o->value, o->type, &code)) {
            struct codeobj_isa_operand c = *o;
            c.reg = (uint16_t)code;
            return put_inline(p, &c);
        }
        return co_put_hex(p, raw);
    case CODEOBJ_TYPE_I64:
    case CODEOBJ_TYPE_U64:
    case CODEOBJ_TYPE_B64:
        if (bytes == 8)
            return lit(p, raw <= UINT32_MAX || small((int64_t)raw) || inline_float(isa, raw, CODEOBJ_TYPE_F64, &code),
                       raw, bytes);
        return lit(p, raw <= 64 /* zero-extended */, raw, bytes);
    case CODEOBJ_TYPE_PK_B16:
    case CODEOBJ_TYPE_PK_F16:
    case CODEOBJ_TYPE_PK_BF16:
        return lit(p, small((int32_t)raw) || inline_pair(isa, inst, raw, own_float(o->type)), raw, bytes);
    default:
        return lit(p, small((int32_t)raw) || inline_float(isa, raw, CODEOBJ_TYPE_F32, &code), raw, bytes);
    }
}

/* ---- operands -------------------------------------------------------------------- */

/* "/" "*Invalid register, operand has 'VReg_64' register class*" "/" */
static char *put_remark(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_operand *o, unsigned dwords)
{
    static const struct {
        const char *one, *more;
    } names[] = {
        [CO_REMARK_VREG - 16] = { "VGPR_32", "VReg_" },           [CO_REMARK_VS - 16] = { "VS_32", "VS_" },
        [CO_REMARK_AV - 16] = { "AV_32", "AV_" },                 [CO_REMARK_AREG - 16] = { "AGPR_32", "AReg_" },
        [CO_REMARK_VREG_OR_LDS - 16] = { "VRegOrLds_32", "VReg_" }, [CO_REMARK_SREG - 16] = { "SReg_32", "SReg_" },
        [CO_REMARK_SREG_OR_LDS - 16] = { "SRegOrLds_32", "SReg_" }, [CO_REMARK_VGPR_LO128 - 16] = { "VGPR_32_Lo128", "" },
        [CO_REMARK_VS_LO256 - 16] = { "", "VS_" },          [CO_REMARK_VS_LO128 - 16] = { "VS_32_Lo128", "" },
        [CO_REMARK_XM0 - 16] = { "SReg_32_XM0", "" },        [CO_REMARK_SDATA - 16] = { "SReg_32_XM0_XEXEC", "" },
        [CO_REMARK_XEXEC - 16] = { "SReg_32_XEXEC", "" },    [CO_REMARK_VGPR16 - 16] = { "VGPR_16_Lo128", "" },
    };
    if (o->sdwa_sel == CO_REMARK_SDATA && o->dwords == 2)
        return CO_PUT(p, "/*Invalid register, operand has 'SReg_64_XEXEC' register class*/");
    if (o->sdwa_sel == CO_REMARK_IMMEDIATE)
        return CO_PUT(p, "/*Invalid immediate*/");
    p = CO_PUT(p, "/*Invalid register, operand has '");
    if (o->dwords <= 1) {
        p = co_put_str(p, names[o->sdwa_sel - 16].one);
    } else {
        p = co_put_str(p, names[o->sdwa_sel - 16].more);
        p = co_put_dec(p, 32u * dwords);
        if (o->sdwa_sel == CO_REMARK_VS_LO256)
            p = CO_PUT(p, "_Lo256");
        else if (isa->align2 && o->sdwa_sel != CO_REMARK_SREG)
            p = CO_PUT(p, "_Align2");
    }
    return CO_PUT(p, "' register class*/");
}

static char *unmarked(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                  const struct codeobj_isa_operand *o)
{
    switch (o->kind) {
    case CODEOBJ_OPERAND_VGPR:
        p = co_put_reg(p, 'v', o->reg & 255u, o->dwords);
        if (o->reg > 255) { /* "v1" "/" "*v257*" "/": as encoded, and with the bits of s_set_vgpr_msb */
            p = CO_PUT(p, " /*");
            p = co_put_reg(p, 'v', o->reg, o->dwords);
            p = CO_PUT(p, "*/");
        }
        if (o->flags & CODEOBJ_OPERAND_HALF) {
            *p++ = '.';
            *p++ = o->flags & CODEOBJ_OPERAND_HI ? 'h' : 'l';
        }
        return p;
    case CODEOBJ_OPERAND_AGPR:
        return co_put_reg(p, 'a', o->reg, o->dwords);
    case CODEOBJ_OPERAND_SGPR:
        return co_put_sreg(p, isa, o->reg, o->dwords);
    case CODEOBJ_OPERAND_SPECIAL:
        if (o->reg == CODEOBJ_SPECIAL_ATTR) {
            p = CO_PUT(p, "attr");
            p = co_put_dec(p, inst->mod.attr);
            *p++ = '.';
            *p++ = "xyzw"[inst->mod.attr_chan & 3];
            return p;
        }
        if (o->reg == CODEOBJ_SPECIAL_PARAM) {
            static const char *const params[3] = { "p10", "p20", "p0" };
            if (o->value < 3)
                return co_put_str(p, params[o->value]);
            p = CO_PUT(p, "invalid_param_");
            return co_put_dec(p, o->value);
        }
        return co_put_str(p, specials[o->reg]);
    case CODEOBJ_OPERAND_INLINE:
        return put_inline(p, o);
    case CODEOBJ_OPERAND_LITERAL:
        return put_literal(p, isa, inst, o);
    case CODEOBJ_OPERAND_LABEL: /* as a distance in dwords; listings put a symbol there */
        return co_put_dec(p, (uint16_t)((int64_t)o->value / 4));
    case CODEOBJ_OPERAND_IMMEDIATE:
        return co_put_hex(p, o->value);
    default:
        return CO_PUT(p, "off");
    }
}

static char *bare(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                  const struct codeobj_isa_operand *o)
{
    p = unmarked(p, isa, inst, o);
    if (o->sdwa_sel < 16)
        return p;
    if (o->kind == CODEOBJ_OPERAND_LITERAL && o->reg == CO_CODE_LITERAL64 && inst->literal <= UINT32_MAX)
        return p; /* lit64(...) stands anywhere */
    /* The class has the length that the row asks for; there are fewer SGPRs than 32 in a tuple. */
    unsigned dwords = o->dwords;
    size_t i = (size_t)(o - inst->operands);
    if (o->kind == CODEOBJ_OPERAND_SGPR && dwords >= 5 && i < CO_ISA_OPSPECS) {
        unsigned wanted = co_isa_rows[inst->row].ops[i].dwords;
        if ((wanted == 6 && inst->format == CODEOBJ_FMT_VOP3) ||
            wanted == 3 || (wanted == 32 && !(co_isa_rows[inst->row].ops[i].flags & CO_OPF_WAVE)))
            dwords = wanted;
        if (isa->gfx1250 && inst->format == CODEOBJ_FMT_VOP3P && co_isa_rows[inst->row].ops[i].type == CODEOBJ_TYPE_BN)
            dwords = 2 * co_f8f6f4_dwords(isa, &inst->mod, o->role == CODEOBJ_ROLE_SRC1);
    }
    return put_remark(p, isa, o, dwords);
}

/* How the literal begins: "lit(0x...)" is negated without parentheses. */
static const char *literal_start(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                                 const struct codeobj_isa_operand *o)
{
    char text[64];
    put_literal(text, isa, inst, o);
    return *text == 'l' ? "l" : "0";
}

char *co_put_operand(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                     const struct codeobj_isa_operand *o)
{
    unsigned flags = o->flags & (CODEOBJ_OPERAND_NEG | CODEOBJ_OPERAND_ABS | CODEOBJ_OPERAND_SEXT);
    if (!flags)
        return bare(p, isa, inst, o);
    /* "-1" would be another constant than the negation of 1. */
    bool neg = flags & CODEOBJ_OPERAND_NEG, abs = flags & CODEOBJ_OPERAND_ABS;
    bool wrap = neg && !abs && (o->kind == CODEOBJ_OPERAND_INLINE ||
                                (o->kind == CODEOBJ_OPERAND_LITERAL && *literal_start(isa, inst, o) != 'l'));
    if (flags & CODEOBJ_OPERAND_SEXT)
        p = CO_PUT(p, "sext(");
    if (wrap)
        p = CO_PUT(p, "neg(");
    else if (neg)
        *p++ = '-';
    if (abs)
        *p++ = '|';
    p = bare(p, isa, inst, o);
    if (abs)
        *p++ = '|';
    if (wrap)
        *p++ = ')';
    if (flags & CODEOBJ_OPERAND_SEXT)
        *p++ = ')';
    return p;
}

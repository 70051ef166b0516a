/* SPDX-License-Identifier: MIT
 *
 * subgroup/parse.c - the text form of cross-lane operations.
 *
 *     mnemonic operand, operand ... modifier modifier ...
 *
 * Operands are numbers in the order the assembler has them; vector registers and
 * other names say nothing about lanes and are skipped, so that a line can be
 * pasted from a disassembly.  Modifiers are spelt as in LLVM's "Syntax of AMDGPU
 * Instruction Modifiers".  The vendor-neutral and HIP forms follow the same shape
 * (parentheses count as blanks).
 */
#include <ctype.h>
#include <stdlib.h>

#include "base/diag.h"
#include "subgroup/subgroup.h"

#define NUMBERS_MAX 4

struct cursor {
    const char *text, *at;
    struct codeobj_diag *diag;
};

static enum codeobj_status bad(struct cursor *c, const char *what)
{
    return co_fail_at(c->diag, CODEOBJ_MALFORMED, NULL, (uint64_t)(c->at - c->text), "%s", what);
}

static void skip_blank(struct cursor *c)
{
    while (isspace((unsigned char)*c->at) || *c->at == ',' || *c->at == '(' || *c->at == ')' || *c->at == ';')
        c->at++;
}

static bool word_char(char ch)
{
    return isalnum((unsigned char)ch) || ch == '_' || ch == '.';
}

/* The next word, cut to size; its length in all. */
static size_t take_word(struct cursor *c, char *out, size_t size)
{
    size_t n = 0;
    for (; word_char(*c->at); c->at++, n++)
        if (n + 1 < size)
            out[n] = *c->at;
    out[n < size ? n : size - 1] = 0;
    return n;
}

static bool take_char(struct cursor *c, char ch)
{
    while (isspace((unsigned char)*c->at))
        c->at++;
    if (*c->at != ch)
        return false;
    c->at++;
    return true;
}

static enum codeobj_status take_number(struct cursor *c, uint64_t *out)
{
    while (isspace((unsigned char)*c->at))
        c->at++;
    bool negative = *c->at == '-';
    const char *digits = c->at + negative;
    if (!isdigit((unsigned char)*digits))
        return bad(c, "expected a number");
    char *end;
    /* No errno: strtoull gives the largest value on overflow, which no field takes. */
    uint64_t v = strtoull(digits, &end, 0);
    if (word_char(*end))
        return bad(c, "expected a number");
    c->at = end;
    *out = negative ? 0 - v : v;
    return CODEOBJ_OK;
}

static enum codeobj_status take_limited(struct cursor *c, uint64_t low, uint64_t high, uint64_t *out)
{
    const char *start = c->at;
    enum codeobj_status st = take_number(c, out);
    if (st == CODEOBJ_OK && (*out < low || *out > high)) {
        c->at = start;
        return co_fail_at(c->diag, CODEOBJ_MALFORMED, NULL, (uint64_t)(start - c->text),
                          "number out of range: found %llu, expected %llu to %llu", (unsigned long long)*out,
                          (unsigned long long)low, (unsigned long long)high);
    }
    return st;
}

/* [a,b,...]: n numbers up to high, packed `bits` apart. */
static enum codeobj_status take_list(struct cursor *c, unsigned n, unsigned bits, uint64_t high, uint64_t *out)
{
    uint64_t packed = 0;
    if (!take_char(c, '['))
        return bad(c, "expected '['");
    for (unsigned i = 0; i < n; i++) {
        uint64_t v;
        enum codeobj_status st = take_limited(c, 0, high, &v);
        if (st != CODEOBJ_OK)
            return st;
        packed |= v << (bits * i);
        if (!take_char(c, i + 1 < n ? ',' : ']'))
            return bad(c, i + 1 < n ? "expected ','" : "expected ']'");
    }
    *out = packed;
    return CODEOBJ_OK;
}

/* ---- swizzle(...) ---- */

static enum codeobj_status take_bitmask(struct cursor *c, uint32_t *offset)
{
    uint32_t and_mask = 0, or_mask = 0, xor_mask = 0;
    if (!take_char(c, '"'))
        return bad(c, "expected '\"'");
    for (int b = 4; b >= 0; b--) { /* the first letter is bit 4 */
        switch (*c->at) {
        case '0': break;
        case '1': or_mask |= 1u << b; break;
        case 'p': and_mask |= 1u << b; break;
        case 'i': and_mask |= 1u << b; xor_mask |= 1u << b; break;
        default: return bad(c, "expected five of '0', '1', 'p', 'i'");
        }
        c->at++;
    }
    if (!take_char(c, '"'))
        return bad(c, "expected '\"'");
    *offset = and_mask | or_mask << 5 | xor_mask << 10;
    return CODEOBJ_OK;
}

static enum codeobj_status take_power(struct cursor *c, uint64_t low, uint64_t high, uint64_t *out)
{
    const char *start = c->at;
    enum codeobj_status st = take_limited(c, low, high, out);
    if (st == CODEOBJ_OK && *out & (*out - 1)) {
        c->at = start;
        return bad(c, "expected a power of two");
    }
    return st;
}

static enum codeobj_status take_swizzle(struct cursor *c, uint32_t *offset)
{
    char mode[16];
    uint64_t a = 0, b = 0;
    enum codeobj_status st = CODEOBJ_OK;
    if (!take_char(c, '('))
        return bad(c, "expected '('");
    skip_blank(c);
    const char *start = c->at;
    take_word(c, mode, sizeof mode);
    if (!take_char(c, ','))
        return bad(c, "expected ','");
    if (!strcmp(mode, "BITMASK_PERM")) {
        st = take_bitmask(c, offset);
    } else if (!strcmp(mode, "QUAD_PERM")) {
        *offset = 0x8000;
        for (unsigned i = 0; i < 4 && st == CODEOBJ_OK; i++) {
            if (i && !take_char(c, ','))
                return bad(c, "expected ','");
            if ((st = take_limited(c, 0, 3, &a)) == CODEOBJ_OK)
                *offset |= (uint32_t)a << 2 * i;
        }
    } else if (!strcmp(mode, "BROADCAST")) {
        st = take_power(c, 2, 32, &a);
        if (st == CODEOBJ_OK && !take_char(c, ','))
            return bad(c, "expected ','");
        if (st == CODEOBJ_OK && (st = take_limited(c, 0, a - 1, &b)) == CODEOBJ_OK)
            *offset = (uint32_t)(32 - a) | (uint32_t)b << 5;
    } else if (!strcmp(mode, "SWAP")) {
        if ((st = take_power(c, 1, 16, &a)) == CODEOBJ_OK)
            *offset = 0x1f | (uint32_t)a << 10;
    } else if (!strcmp(mode, "REVERSE")) {
        if ((st = take_power(c, 2, 32, &a)) == CODEOBJ_OK)
            *offset = 0x1f | (uint32_t)(a - 1) << 10;
    } else if (!strcmp(mode, "ROTATE")) {
        st = take_limited(c, 0, 1, &a);
        if (st == CODEOBJ_OK && !take_char(c, ','))
            return bad(c, "expected ','");
        if (st == CODEOBJ_OK && (st = take_limited(c, 0, 31, &b)) == CODEOBJ_OK)
            *offset = 0xc000 | (uint32_t)a << 10 | (uint32_t)b << 5;
    } else if (!strcmp(mode, "FFT")) {
        if ((st = take_limited(c, 0, 31, &a)) == CODEOBJ_OK)
            *offset = 0xe000 | (uint32_t)a;
    } else {
        c->at = start;
        return bad(c, "unknown swizzle mode");
    }
    if (st == CODEOBJ_OK && !take_char(c, ')'))
        return bad(c, "expected ')'");
    return st;
}

/* ---- modifiers ---- */

struct parsed {
    struct codeobj_lanes_op *op;
    bool dpp16, dpp8, offset;
    uint64_t numbers[NUMBERS_MAX];
    unsigned count;
};

struct control {
    const char *name;
    uint16_t ctrl;
    uint8_t low, high; /* argument range; 0, 0: none */
};

static const struct control controls[] = {
    { "row_shl", CODEOBJ_DPP_ROW_SHL, 1, 15 },       { "row_shr", CODEOBJ_DPP_ROW_SHR, 1, 15 },
    { "row_ror", CODEOBJ_DPP_ROW_ROR, 1, 15 },       { "wave_shl", CODEOBJ_DPP_WAVE_SHL, 1, 1 },
    { "wave_rol", CODEOBJ_DPP_WAVE_ROL, 1, 1 },      { "wave_shr", CODEOBJ_DPP_WAVE_SHR, 1, 1 },
    { "wave_ror", CODEOBJ_DPP_WAVE_ROR, 1, 1 },      { "row_mirror", CODEOBJ_DPP_ROW_MIRROR, 0, 0 },
    { "row_share", CODEOBJ_DPP_ROW_SHARE, 0, 15 },   { "row_half_mirror", CODEOBJ_DPP_ROW_HALF_MIRROR, 0, 0 },
    { "row_xmask", CODEOBJ_DPP_ROW_XMASK, 0, 15 },   { "row_newbcast", CODEOBJ_DPP_ROW_SHARE, 0, 15 },
    { "row_bcast", 0, 15, 31 },
};

static enum codeobj_status set_control(struct cursor *c, struct parsed *p, const struct control *k)
{
    uint64_t n = 0;
    if (k->high) {
        const char *start = c->at;
        if (!take_char(c, ':'))
            return bad(c, "expected ':'");
        enum codeobj_status st = take_limited(c, k->low, k->high, &n);
        if (st != CODEOBJ_OK)
            return st;
        if (k->ctrl == 0 && n != 15 && n != 31) {
            c->at = start;
            return bad(c, "row_bcast takes 15 or 31");
        }
    }
    bool whole = k->ctrl >= CODEOBJ_DPP_WAVE_SHL && k->ctrl <= CODEOBJ_DPP_WAVE_ROR;
    p->op->dpp.ctrl = k->ctrl == 0  ? n == 15 ? CODEOBJ_DPP_ROW_BCAST15 : CODEOBJ_DPP_ROW_BCAST31
                      : whole       ? k->ctrl
                                    : (uint16_t)(k->ctrl + n);
    p->dpp16 = true;
    return CODEOBJ_OK;
}

/* name:value, or false in *known when this is no modifier. */
static enum codeobj_status take_modifier(struct cursor *c, struct parsed *p, const char *name, bool *known)
{
    struct codeobj_lanes_op *op = p->op;
    enum codeobj_status st;
    uint64_t v = 0;
    *known = true;
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
        if (!strcmp(name, controls[i].name))
            return set_control(c, p, &controls[i]);
    if (!strcmp(name, "swizzle")) {
        p->offset = true;
        return take_swizzle(c, &op->offset);
    }
    static const char *const with_value[] = { "quad_perm", "row_mask", "bank_mask", "bound_ctrl", "fi",
                                              "dpp8",      "offset",   "op_sel" };
    size_t which = 0;
    while (which < sizeof with_value / sizeof *with_value && strcmp(name, with_value[which]))
        which++;
    if (which == sizeof with_value / sizeof *with_value) {
        *known = false;
        return CODEOBJ_OK;
    }
    if (!take_char(c, ':'))
        return bad(c, "expected ':'");
    switch (which) {
    case 0:
        p->dpp16 = true;
        if ((st = take_list(c, 4, 2, 3, &v)) == CODEOBJ_OK)
            op->dpp.ctrl = (uint16_t)v;
        return st;
    case 1:
        if ((st = take_limited(c, 0, 15, &v)) == CODEOBJ_OK)
            op->dpp.row_mask = (uint8_t)v;
        return st;
    case 2:
        if ((st = take_limited(c, 0, 15, &v)) == CODEOBJ_OK)
            op->dpp.bank_mask = (uint8_t)v;
        return st;
    case 3:
        if ((st = take_limited(c, 0, 1, &v)) == CODEOBJ_OK) {
            op->dpp.bound_ctrl = op->bound_ctrl = true;
            op->bound_ctrl_0 = v == 0;
        }
        return st;
    case 4:
        if ((st = take_limited(c, 0, 1, &v)) == CODEOBJ_OK)
            op->dpp.fi = op->fi = v != 0;
        return st;
    case 5:
        p->dpp8 = true;
        if ((st = take_list(c, 8, 3, 7, &v)) == CODEOBJ_OK)
            op->dpp8 = (uint32_t)v;
        return st;
    case 6:
        p->offset = true;
        skip_blank(c);
        if (!strncmp(c->at, "swizzle", 7)) {
            c->at += 7;
            return take_swizzle(c, &op->offset);
        }
        if ((st = take_limited(c, 0, 0xffff, &v)) == CODEOBJ_OK)
            op->offset = (uint32_t)v;
        return st;
    default: /* op_sel of permlane: fetch inactive, bound control */
        if ((st = take_list(c, 2, 1, 1, &v)) == CODEOBJ_OK) {
            op->fi = v & 1;
            op->bound_ctrl = v >> 1 & 1;
        }
        return st;
    }
}

static enum codeobj_status take_operands(struct cursor *c, struct parsed *p)
{
    for (skip_blank(c); *c->at; skip_blank(c)) {
        enum codeobj_status st;
        if (isdigit((unsigned char)*c->at) || *c->at == '-') {
            if (p->count == NUMBERS_MAX)
                return bad(c, "too many numbers");
            if ((st = take_number(c, &p->numbers[p->count])) != CODEOBJ_OK)
                return st;
            p->count++;
            continue;
        }
        char name[24];
        const char *start = c->at;
        bool known = false;
        if (!take_word(c, name, sizeof name))
            return bad(c, "unexpected character");
        if ((st = take_modifier(c, p, name, &known)) != CODEOBJ_OK)
            return st;
        if (known)
            continue;
        if (*c->at == ':') {
            c->at = start;
            return bad(c, "unknown modifier");
        }
        if (*c->at == '[') /* v[0:1] */
            while (*c->at && *c->at++ != ']')
                ;
    }
    return CODEOBJ_OK;
}

/* ---- mnemonics ---- */

struct mnemonic {
    const char *name;
    uint8_t kind; /* enum codeobj_lanes_kind */
    uint8_t sub;  /* shuffle, permlane or reduce kind; swap width */
    uint8_t flag; /* cross (permlane), fi (bpermute) */
    uint8_t numbers; /* how many it needs */
};

static const struct mnemonic mnemonics[] = {
    { "v_readlane", CODEOBJ_LANES_READLANE, 0, 0, 1 },
    { "v_readfirstlane", CODEOBJ_LANES_READFIRSTLANE, 0, 0, 0 },
    { "v_writelane", CODEOBJ_LANES_WRITELANE, 0, 0, 1 },
    { "ds_swizzle", CODEOBJ_LANES_SWIZZLE, 0, 0, 0 },
    { "ds_bpermute", CODEOBJ_LANES_BPERMUTE, 0, 0, 0 },
    { "ds_bpermute_fi", CODEOBJ_LANES_BPERMUTE, 0, 1, 0 },
    { "ds_permute", CODEOBJ_LANES_PERMUTE, 0, 0, 0 },
    { "v_permlane16", CODEOBJ_LANES_PERMLANE16, 0, 0, 2 },
    { "v_permlanex16", CODEOBJ_LANES_PERMLANE16, 0, 1, 2 },
    { "v_permlane16_var", CODEOBJ_LANES_PERMLANE16_VAR, 0, 0, 0 },
    { "v_permlanex16_var", CODEOBJ_LANES_PERMLANE16_VAR, 0, 1, 0 },
    { "v_permlane64", CODEOBJ_LANES_PERMLANE64, 0, 0, 0 },
    { "v_permlane16_swap", CODEOBJ_LANES_PERMLANE_SWAP, 16, 0, 0 },
    { "v_permlane32_swap", CODEOBJ_LANES_PERMLANE_SWAP, 32, 0, 0 },
    { "v_permlane_bcast", CODEOBJ_LANES_PERMLANE_GROUP, CODEOBJ_PERMLANE_BCAST, 0, 1 },
    { "v_permlane_up", CODEOBJ_LANES_PERMLANE_GROUP, CODEOBJ_PERMLANE_UP, 0, 1 },
    { "v_permlane_down", CODEOBJ_LANES_PERMLANE_GROUP, CODEOBJ_PERMLANE_DOWN, 0, 1 },
    { "v_permlane_xor", CODEOBJ_LANES_PERMLANE_GROUP, CODEOBJ_PERMLANE_XOR, 0, 1 },
    { "v_permlane_idx_gen", CODEOBJ_LANES_PERMLANE_IDX_GEN, 0, 0, 1 },
    { "v_mbcnt_lo_u32", CODEOBJ_LANES_MBCNT_LO, 0, 0, 0 },
    { "v_mbcnt_hi_u32", CODEOBJ_LANES_MBCNT_HI, 0, 0, 0 },
    { "mbcnt_lo", CODEOBJ_LANES_MBCNT_LO, 0, 0, 0 },
    { "mbcnt_hi", CODEOBJ_LANES_MBCNT_HI, 0, 0, 0 },
    { "s_wqm", CODEOBJ_LANES_WQM, 0, 0, 1 },
    { "s_quadmask", CODEOBJ_LANES_QUADMASK, 0, 0, 1 },
    { "ballot", CODEOBJ_LANES_BALLOT, 0, 0, 0 },
    { "__ballot", CODEOBJ_LANES_BALLOT, 0, 0, 0 },
    { "inverse_ballot", CODEOBJ_LANES_INVERSE_BALLOT, 0, 0, 1 },
    { "__any", CODEOBJ_LANES_HIP_ANY, 0, 0, 0 },
    { "__all", CODEOBJ_LANES_HIP_ALL, 0, 0, 0 },
    { "__shfl", CODEOBJ_LANES_HIP_SHUFFLE, CODEOBJ_SHUFFLE_IDX, 0, 1 },
    { "__shfl_up", CODEOBJ_LANES_HIP_SHUFFLE, CODEOBJ_SHUFFLE_UP, 0, 1 },
    { "__shfl_down", CODEOBJ_LANES_HIP_SHUFFLE, CODEOBJ_SHUFFLE_DOWN, 0, 1 },
    { "__shfl_xor", CODEOBJ_LANES_HIP_SHUFFLE, CODEOBJ_SHUFFLE_XOR, 0, 1 },
    { "redfirstidx.32b", CODEOBJ_LANES_REDFIRSTIDX, 0, 0, 1 },
};

struct reduce_name {
    const char *name;
    uint8_t op;
};

static const struct reduce_name wave_reduces[] = {
    { "add", CODEOBJ_REDUCE_ADD },   { "sub", CODEOBJ_REDUCE_SUB },   { "min", CODEOBJ_REDUCE_MIN },
    { "max", CODEOBJ_REDUCE_MAX },   { "umin", CODEOBJ_REDUCE_UMIN }, { "umax", CODEOBJ_REDUCE_UMAX },
    { "and", CODEOBJ_REDUCE_AND },   { "or", CODEOBJ_REDUCE_OR },     { "xor", CODEOBJ_REDUCE_XOR },
    { "fadd", CODEOBJ_REDUCE_FADD }, { "fmin", CODEOBJ_REDUCE_FMIN }, { "fmax", CODEOBJ_REDUCE_FMAX },
    { NULL, 0 },
};
static const struct reduce_name float_reduces[] = {
    { "min", CODEOBJ_REDUCE_FMIN },
    { "max", CODEOBJ_REDUCE_FMAX },
    { "absmax", CODEOBJ_REDUCE_FABSMAX },
    { NULL, 0 },
};
static const struct reduce_name int_reduces[] = {
    { "sum", CODEOBJ_REDUCE_ADD },   { "smin", CODEOBJ_REDUCE_MIN },  { "smax", CODEOBJ_REDUCE_MAX },
    { "umin", CODEOBJ_REDUCE_UMIN }, { "umax", CODEOBJ_REDUCE_UMAX }, { "and", CODEOBJ_REDUCE_AND },
    { "or", CODEOBJ_REDUCE_OR },     { "xor", CODEOBJ_REDUCE_XOR },   { "absmax", CODEOBJ_REDUCE_ABSMAX },
    { NULL, 0 },
};

/* Takes `prefix` off the front of *s. */
static bool eat(const char **s, const char *prefix)
{
    size_t n = strlen(prefix);
    if (strncmp(*s, prefix, n))
        return false;
    *s += n;
    return true;
}

/* Takes a name up to the next '.' or the end. */
static bool eat_reduce(const char **s, const struct reduce_name *names, enum codeobj_reduce *out)
{
    size_t n = strcspn(*s, ".");
    for (; names->name; names++)
        if (strlen(names->name) == n && !strncmp(*s, names->name, n)) {
            *s += n;
            *out = names->op;
            return true;
        }
    return false;
}

/* fred.OP[.nanp].FORMAT, ired.OP.BITS, shfl.OP[.sg].32b, wave_reduce_OP. */
static bool dotted(const char *name, struct codeobj_lanes_op *op, unsigned *need)
{
    const char *s = name;
    *need = 1;
    if (eat(&s, "fred.")) {
        op->kind = CODEOBJ_LANES_FRED;
        if (!eat_reduce(&s, float_reduces, &op->reduce))
            return false;
        op->nanp = eat(&s, ".nanp");
        op->packed = strlen(s) > 2 && !strcmp(s + strlen(s) - 2, "x2");
        static const char *const formats[] = { ".f", ".hf", ".bf", ".hfx2", ".bfx2" };
        static const uint8_t ids[] = { CODEOBJ_FLOAT_F32, CODEOBJ_FLOAT_F16, CODEOBJ_FLOAT_BF16, CODEOBJ_FLOAT_F16,
                                       CODEOBJ_FLOAT_BF16 };
        for (unsigned i = 0; i < 5; i++)
            if (!strcmp(s, formats[i])) {
                op->format = ids[i];
                return true;
            }
        return false;
    }
    if (eat(&s, "ired.")) {
        op->kind = CODEOBJ_LANES_IRED;
        if (!eat_reduce(&s, int_reduces, &op->reduce))
            return false;
        op->width = !strcmp(s, ".16b") ? 16 : 32;
        return op->width == 16 || !strcmp(s, ".32b");
    }
    if (eat(&s, "shfl.")) {
        op->kind = CODEOBJ_LANES_SHFL;
        op->shuffle = eat(&s, "up")    ? CODEOBJ_SHUFFLE_UP
                      : eat(&s, "dn")  ? CODEOBJ_SHUFFLE_DOWN
                      : eat(&s, "xor") ? CODEOBJ_SHUFFLE_XOR
                                       : CODEOBJ_SHUFFLE_IDX;
        if (op->shuffle == CODEOBJ_SHUFFLE_IDX && !eat(&s, "idx"))
            return false;
        op->segmented = eat(&s, ".sg");
        *need = 2;
        return !strcmp(s, ".32b");
    }
    *need = 0;
    if (eat(&s, "wave_reduce_") || eat(&s, "wave_reduce.") || eat(&s, "wave.reduce.") ||
        eat(&s, "llvm.amdgcn.wave.reduce.")) {
        op->kind = CODEOBJ_LANES_REDUCE;
        op->width = 32;
        if (!eat_reduce(&s, wave_reduces, &op->reduce))
            return false;
        return !*s || !strcmp(s, ".i32") || !strcmp(s, ".u32") || !strcmp(s, ".f32");
    }
    return false;
}

static bool drop_suffix(char *name, const char *suffix)
{
    size_t n = strlen(name), k = strlen(suffix);
    if (n <= k || strcmp(name + n - k, suffix))
        return false;
    name[n - k] = 0;
    return true;
}

/* What the numbers mean. */
static void place_numbers(const struct parsed *p, const struct mnemonic *m, struct codeobj_lanes_op *op)
{
    const uint64_t *n = p->numbers;
    switch (op->kind) {
    case CODEOBJ_LANES_READLANE: op->offset = (uint32_t)n[0]; break;
    case CODEOBJ_LANES_WRITELANE: /* value, lane; or the lane alone */
        op->offset = (uint32_t)n[p->count - 1];
        op->control = p->count > 1 ? (uint32_t)n[0] : 0;
        break;
    case CODEOBJ_LANES_PERMLANE16: op->mask = (uint32_t)n[0] | n[1] << 32; break;
    case CODEOBJ_LANES_PERMLANE_SWAP: op->width = m->sub; break;
    case CODEOBJ_LANES_PERMLANE_GROUP:
        op->offset = (uint32_t)n[0];
        op->width = p->count > 1 ? (uint32_t)n[1] : 0;
        break;
    case CODEOBJ_LANES_PERMLANE_IDX_GEN: op->width = (uint32_t)n[0]; break;
    case CODEOBJ_LANES_WQM:
    case CODEOBJ_LANES_QUADMASK:
    case CODEOBJ_LANES_INVERSE_BALLOT:
    case CODEOBJ_LANES_FRED:
    case CODEOBJ_LANES_IRED:
    case CODEOBJ_LANES_REDFIRSTIDX: op->mask = n[0]; break;
    case CODEOBJ_LANES_HIP_SHUFFLE:
        op->offset = (uint32_t)n[0];
        op->width = p->count > 1 ? (uint32_t)n[1] : 0;
        break;
    case CODEOBJ_LANES_SHFL:
        op->control = (uint32_t)n[0];
        op->mask = n[1];
        break;
    default: break;
    }
}

static const struct mnemonic *find_mnemonic(const char *name)
{
    for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++)
        if (!strcmp(name, mnemonics[i].name))
            return &mnemonics[i];
    return NULL;
}

enum codeobj_status codeobj_lanes_parse(const char *text, struct codeobj_lanes_op *out, struct codeobj_diag *diag)
{
    struct cursor c = { text, text, diag };
    struct codeobj_lanes_op op = { 0 };
    struct parsed p = { .op = &op };
    char name[64];
    op.dpp.row_mask = op.dpp.bank_mask = 15;

    skip_blank(&c);
    if (!take_word(&c, name, sizeof name))
        return bad(&c, "expected a mnemonic");
    enum codeobj_status st = take_operands(&c, &p);
    if (st != CODEOBJ_OK)
        return st;

    unsigned need = 0;
    const struct mnemonic *m = NULL;
    if (p.dpp16 || p.dpp8) { /* any vector instruction: what moves is its first source */
        if (p.dpp16 && p.dpp8)
            return bad(&c, "dpp8 excludes other DPP controls");
        op.kind = p.dpp8 ? CODEOBJ_LANES_DPP8 : CODEOBJ_LANES_DPP16;
        *out = op;
        return CODEOBJ_OK;
    }
    if (!dotted(name, &op, &need)) {
        static const char *const suffixes[] = { "_e64", "_e32", "_b32", "_b64", "_sync" };
        m = find_mnemonic(name);
        for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && !m; i++)
            if (drop_suffix(name, suffixes[i]))
                m = find_mnemonic(name);
        if (!m)
            return co_fail(diag, CODEOBJ_NOT_FOUND, "not a cross-lane operation: \"%s\"", name);
        op.kind = m->kind;
        op.shuffle = m->sub;
        op.permlane = m->sub;
        op.cross = m->flag;
        op.fi = op.fi || (m->flag && m->kind == CODEOBJ_LANES_BPERMUTE);
        need = m->numbers;
    }
    if (p.count < need)
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, (uint64_t)(c.at - text),
                          "too few numbers: found %u, expected %u", p.count, need);
    place_numbers(&p, m, &op);
    *out = op;
    return CODEOBJ_OK;
}

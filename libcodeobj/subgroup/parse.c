/* SPDX-License-Identifier: MIT
 *
 * subgroup/parse.c - the text form of cross-lane operations.
 *
 *     mnemonic operand, operand ... modifier modifier ...
 *
 * Operands are numbers in the order the assembler has them; registers say nothing
 * about lanes and are skipped, as are comments, so that a line can be pasted from a disassembly.
 * Modifiers are spelt as in LLVM's "Syntax of AMDGPU Instruction Modifiers".  The
 * vendor-neutral and HIP forms follow the same shape (parentheses count as blanks).
 * What an operation does not take is refused, so that no typing mistake passes.
 */
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "base/diag.h"
#include "subgroup/subgroup.h"

#define NUMBERS_MAX 6

struct cursor {
    const char *text, *at;
    struct codeobj_diag *diag;
};

static enum codeobj_status bad(struct cursor *c, const char *what)
{
    return co_fail_at(c->diag, CODEOBJ_MALFORMED, NULL, (uint64_t)(c->at - c->text), "%s", what);
}

/* Past a comment; false when there is none.  The disassembler writes v0 for v256 and says so in one. */
static bool skip_comment(struct cursor *c)
{
    if (c->at[0] != '/' || (c->at[1] != '*' && c->at[1] != '/'))
        return false;
    const char *end = c->at[1] == '*' ? strstr(c->at + 2, "*/") : c->at + strcspn(c->at, "\n") - 2;
    if (!end)
        return false;
    c->at = end + 2;
    return true;
}

static void skip_blank(struct cursor *c)
{
    do
        c->at += strspn(c->at, " \t\n\v\f\r,();");
    while (skip_comment(c));
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

/* strtoull gives the largest value for what is larger too (and errno is not for libraries). */
static bool is_largest(const char *digits, const char *end)
{
    const char *largest = "18446744073709551615";
    if (digits[0] == '0') { /* 0x; octal ones are never written so */
        largest = "ffffffffffffffff";
        digits += 2;
        digits += strspn(digits, "0");
    }
    return (size_t)(end - digits) == strlen(largest) && !strncasecmp(digits, largest, strlen(largest));
}

/* Decimal, 0x or 0 numbers, with a sign; "-1" is 64 ones. */
static enum codeobj_status take_number(struct cursor *c, uint64_t *out)
{
    while (isspace((unsigned char)*c->at))
        c->at++;
    bool negative = *c->at == '-';
    const char *digits = c->at + negative;
    if (!isdigit((unsigned char)*digits))
        return bad(c, "expected a number");
    char *end;
    uint64_t v = strtoull(digits, &end, 0);
    if (word_char(*end))
        return bad(c, "expected a number");
    if (v == UINT64_MAX && !is_largest(digits, end))
        return bad(c, "expected a number of 64 bits");
    c->at = end;
    *out = negative ? 0 - v : v;
    return CODEOBJ_OK;
}

static enum codeobj_status take_limited(struct cursor *c, uint64_t low, uint64_t high, uint64_t *out)
{
    const char *start = c->at;
    enum codeobj_status st = take_number(c, out);
    if (st == CODEOBJ_OK && (*out < low || *out > high)) {
        const int length = (int)(c->at - start);
        c->at = start;
        return co_fail_at(c->diag, CODEOBJ_MALFORMED, NULL, (uint64_t)(start - c->text),
                          "number out of range: found %.*s, expected %llu to %llu", length, start,
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
    unsigned modifiers;           /* CO_MOD_* that were there */
    const char *modifier_at[7];   /* where each of them was last */
    uint64_t numbers[NUMBERS_MAX];
    const char *number_at[NUMBERS_MAX];
    unsigned count, registers;
    bool op_sel_fi, op_sel_bc;    /* op_sel as permlanes have it */
    const char *word;             /* the first operand that is no register, or NULL */
    const char *fraction;         /* the first one like 0.5, or NULL */
};

static void saw(struct parsed *p, unsigned modifier, const char *at)
{
    p->modifiers |= modifier;
    p->modifier_at[__builtin_ctz(modifier)] = at;
}

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
    p->op->row_share = !strcmp(k->name, "row_share");
    p->op->row_newbcast = !strcmp(k->name, "row_newbcast");
    bool whole = k->ctrl >= CODEOBJ_DPP_WAVE_SHL && k->ctrl <= CODEOBJ_DPP_WAVE_ROR;
    if (p->modifiers & CO_MOD_DPP && p->op->dpp.ctrl != UINT16_MAX)
        return bad(c, "a second DPP control");
    p->op->dpp.ctrl = k->ctrl == 0  ? n == 15 ? CODEOBJ_DPP_ROW_BCAST15 : CODEOBJ_DPP_ROW_BCAST31
                      : whole       ? k->ctrl
                                    : (uint16_t)(k->ctrl + n);
    return CODEOBJ_OK;
}

enum modifier {
    MOD_QUAD_PERM = 0,
    MOD_ROW_MASK,
    MOD_BANK_MASK,
    MOD_BOUND_CTRL,
    MOD_FI,
    MOD_DPP8,
    MOD_OFFSET,
    MOD_OP_SEL,
    MOD_NAMES /* the rest modifies values, not lanes */
};
static const char *const with_value[] = { "quad_perm", "row_mask", "bank_mask", "bound_ctrl",  "fi",     "dpp8",  "offset",
                                          "op_sel",    "mul",      "div",       "op_sel_hi",   "neg_lo", "neg_hi",
                                          "bitop3",    "byte_sel" };
enum { WITH_VALUE = sizeof with_value / sizeof *with_value };

static enum codeobj_status take_offset(struct cursor *c, struct codeobj_lanes_op *op)
{
    uint64_t v = 0;
    skip_blank(c);
    if (!strncmp(c->at, "swizzle", 7)) {
        c->at += 7;
        return take_swizzle(c, &op->offset);
    }
    enum codeobj_status st = take_limited(c, 0, 0xffff, &v);
    op->offset = (uint32_t)v;
    return st;
}

/* The value of a modifier; the colon has been taken. */
static enum codeobj_status take_value(struct cursor *c, struct parsed *p, size_t which, const char *at)
{
    struct codeobj_lanes_op *op = p->op;
    enum codeobj_status st = CODEOBJ_OK;
    uint64_t v = 0;
    switch (which) {
    case MOD_QUAD_PERM:
        if (op->dpp.ctrl != UINT16_MAX)
            return bad(c, "a second DPP control");
        saw(p, CO_MOD_DPP, at);
        st = take_list(c, 4, 2, 3, &v);
        op->dpp.ctrl = (uint16_t)v;
        return st;
    case MOD_ROW_MASK:
    case MOD_BANK_MASK:
        saw(p, CO_MOD_DPP, at);
        st = take_limited(c, 0, 15, &v);
        *(which == MOD_ROW_MASK ? &op->dpp.row_mask : &op->dpp.bank_mask) = (uint8_t)v;
        return st;
    case MOD_BOUND_CTRL:
        saw(p, CO_MOD_FI_BC, at);
        st = take_limited(c, 0, 1, &v);
        op->dpp.bound_ctrl = op->bound_ctrl = true;
        op->bound_ctrl_0 = v == 0;
        return st;
    case MOD_FI:
        saw(p, CO_MOD_FI_BC, at);
        st = take_limited(c, 0, 1, &v);
        op->dpp.fi = op->fi = v != 0;
        return st;
    case MOD_DPP8:
        saw(p, CO_MOD_DPP8, at);
        st = take_list(c, 8, 3, 7, &v);
        op->dpp8 = (uint32_t)v;
        return st;
    case MOD_OFFSET: saw(p, CO_MOD_OFFSET, at); return take_offset(c, op);
    default: break;
    }
    if (which >= MOD_NAMES)
        saw(p, CO_MOD_VALUES, at);
    if (*c->at != '[') /* mul:2, div:2, bitop3:0x96 */
        return take_limited(c, 0, 255, &v);
    const char *end = strchr(c->at, ']');
    if (!end)
        return bad(c, "expected ']'");
    if (which == MOD_OP_SEL) {
        /* Of a permlane, two bits (more may follow): fetch inactive, bound control.  Others select halves. */
        unsigned commas = 0;
        for (const char *s = c->at; s < end; s++)
            commas += *s == ',';
        saw(p, CO_MOD_OP_SEL, at);
        st = take_list(c, commas > 3 ? 4 : commas + 1, 1, 1, &v);
        p->op_sel_fi = v & 1;
        p->op_sel_bc = v >> 1 & 1;
        return st;
    }
    c->at = end + 1;
    return CODEOBJ_OK;
}

/* name:value, or false in *known when this is no modifier. */
static enum codeobj_status take_modifier(struct cursor *c, struct parsed *p, const char *name, const char *at,
                                         bool *known)
{
    *known = true;
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
        if (!strcmp(name, controls[i].name)) {
            enum codeobj_status st = set_control(c, p, &controls[i]);
            saw(p, CO_MOD_DPP, at);
            return st;
        }
    if (!strcmp(name, "swizzle")) {
        saw(p, CO_MOD_SWIZZLE, at);
        return take_swizzle(c, &p->op->offset);
    }
    if (!strcmp(name, "clamp") || !strcmp(name, "gds")) {
        saw(p, *name == 'c' ? CO_MOD_VALUES : CO_MOD_OFFSET, at);
        return CODEOBJ_OK;
    }
    size_t which = 0;
    while (which < WITH_VALUE && strcmp(name, with_value[which]))
        which++;
    if (which == WITH_VALUE) {
        *known = false;
        return CODEOBJ_OK;
    }
    if (!take_char(c, ':'))
        return bad(c, "expected ':'");
    return take_value(c, p, which, at);
}

static enum codeobj_status unknown_modifier(struct cursor *c, const char *name, const char *start)
{
    const char *near = NULL;
    unsigned best = 4;
    for (size_t i = 0; i < sizeof controls / sizeof *controls + WITH_VALUE; i++) {
        const size_t n = sizeof controls / sizeof *controls;
        const char *candidate = i < n ? controls[i].name : with_value[i - n];
        const unsigned d = codeobj_name_distance(name, candidate);
        if (d < best && d < strlen(candidate)) {
            near = candidate;
            best = d;
        }
    }
    c->at = start;
    return co_fail_at(c->diag, CODEOBJ_MALFORMED, NULL, (uint64_t)(start - c->text), "unknown modifier \"%s\"%s%s%s", name,
                      near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* v0, v1.l, s[2:3], a4, ttmp5, vcc_lo, exec, m0, null, off, scc, src_shared_base. */
static bool is_register(const char *name, bool bracket)
{
    static const char *const names[] = { "vcc", "exec", "xnack_mask", "flat_scratch", "tba", "tma", "m0", "null", "off", "scc" };
    enum { PAIRS = 6 }; /* those in front are pairs, with _lo and _hi */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        if (!strncmp(name, names[i], n) && (!name[n] || (i < PAIRS && (!strcmp(name + n, "_lo") || !strcmp(name + n, "_hi")))))
            return true;
    }
    if (!strncmp(name, "src_", 4))
        return true;
    const char *s = name + (strncmp(name, "ttmp", 4) ? 1 : 4);
    if (*name != 'v' && *name != 's' && *name != 'a' && s == name + 1)
        return false;
    if (bracket)
        return !*s;
    const size_t digits = strspn(s, "0123456789");
    return digits && (!s[digits] || !strcmp(s + digits, ".l") || !strcmp(s + digits, ".h"));
}

/* A word: modifier, register or, for HIP, anything. */
static enum codeobj_status take_operand(struct cursor *c, struct parsed *p)
{
    char name[24];
    const char *start = c->at;
    bool known = false;
    if (!take_word(c, name, sizeof name))
        return bad(c, "unexpected character");
    enum codeobj_status st = take_modifier(c, p, name, start, &known);
    if (st != CODEOBJ_OK || known)
        return st;
    if (*c->at == ':')
        return unknown_modifier(c, name, start);
    if (*c->at == '(' && (!strcmp(name, "lit") || !strcmp(name, "lit64")))
        return CODEOBJ_OK; /* the number follows */
    const bool bracket = *c->at == '[';
    if (is_register(name, bracket))
        p->registers++;
    else if (!p->word)
        p->word = start;
    if (bracket) { /* v[0:1] */
        const char *end = strchr(c->at, ']');
        if (!end)
            return bad(c, "expected ']'");
        c->at = end + 1;
    }
    return CODEOBJ_OK;
}

/* 1.0, -0.5, 0.15915494: a constant of the instruction, which names no lane. */
static bool take_fraction(struct cursor *c, struct parsed *p)
{
    const char *s = c->at + (*c->at == '-');
    s += strspn(s, "0123456789");
    if (*s != '.' || !isdigit((unsigned char)s[1]))
        return false;
    s += 1 + strspn(s + 1, "0123456789");
    if (word_char(*s))
        return false;
    p->fraction = p->fraction ? p->fraction : c->at;
    c->at = s;
    return true;
}

static enum codeobj_status take_operands(struct cursor *c, struct parsed *p)
{
    for (skip_blank(c); *c->at; skip_blank(c)) {
        enum codeobj_status st;
        const bool minus = *c->at == '-' && !isdigit((unsigned char)c->at[1]);
        if (minus || *c->at == '|') { /* -v1, |v1| */
            c->at++;
        } else if (isdigit((unsigned char)*c->at) || *c->at == '-') {
            if (take_fraction(c, p))
                continue;
            if (p->count == NUMBERS_MAX)
                return bad(c, "too many numbers");
            p->number_at[p->count] = c->at;
            if ((st = take_number(c, &p->numbers[p->count])) != CODEOBJ_OK)
                return st;
            p->count++;
        } else if ((st = take_operand(c, p)) != CODEOBJ_OK) {
            return st;
        }
    }
    return CODEOBJ_OK;
}

/* ---- what the numbers mean ---- */

static enum codeobj_status number32(struct cursor *c, const struct parsed *p, unsigned k, uint32_t *out)
{
    const uint64_t v = p->numbers[k];
    if (v > UINT32_MAX && v < UINT64_MAX - INT32_MAX) {
        c->at = p->number_at[k];
        return bad(c, "expected a number of 32 bits");
    }
    *out = (uint32_t)v;
    return CODEOBJ_OK;
}

/* Which operands hold numbers 32 bits wide, and where they go. */
static enum codeobj_status place_small(struct cursor *c, const struct parsed *p, struct codeobj_lanes_op *op,
                                       const uint32_t n[NUMBERS_MAX])
{
    switch (op->kind) {
    case CODEOBJ_LANES_READLANE: op->offset = n[0]; break;
    case CODEOBJ_LANES_WRITELANE: /* value, lane; or the lane alone */
        op->offset = n[p->count - 1];
        op->control = p->count > 1 ? n[0] : 0;
        break;
    case CODEOBJ_LANES_PERMLANE16: op->mask = n[0] | (uint64_t)n[1] << 32; break;
    case CODEOBJ_LANES_PERMLANE_GROUP:
        op->offset = n[0];
        op->width = p->count > 1 ? n[1] : 0;
        break;
    case CODEOBJ_LANES_PERMLANE_IDX_GEN: op->width = n[0]; break;
    case CODEOBJ_LANES_MBCNT_LO:
    case CODEOBJ_LANES_MBCNT_HI: /* mask, addend; a lone number after two registers is the latter */
        op->has_mask = p->count == 2 || (p->count == 1 && p->registers < 2);
        op->mask = op->has_mask ? n[0] : 0;
        op->offset = p->count == 2 ? n[1] : p->count && !op->has_mask ? n[0] : 0;
        break;
    case CODEOBJ_LANES_FRED:
    case CODEOBJ_LANES_IRED:
    case CODEOBJ_LANES_REDFIRSTIDX: op->mask = n[0]; break;
    case CODEOBJ_LANES_SHFL:
        op->control = n[0];
        op->mask = n[1];
        break;
    case CODEOBJ_LANES_WAVE_ID:
        if (p->count != 1 && p->count != 6)
            return bad(c, "expected one number (of the work-item), or six (x, y, z and the sizes of the work-group)");
        for (unsigned i = 0; i < 3; i++) {
            op->workitem[i] = p->count == 6 || i == 0 ? n[i] : 0;
            op->workgroup[i] = p->count == 6 ? n[3 + i] : 1;
        }
        break;
    default: break;
    }
    return CODEOBJ_OK;
}

static enum codeobj_status place_numbers(struct cursor *c, const struct parsed *p, struct codeobj_lanes_op *op)
{
    uint32_t n[NUMBERS_MAX] = { 0 };
    enum codeobj_status st;
    unsigned first = 0; /* number of 32 bits */
    switch (op->kind) {
    case CODEOBJ_LANES_WQM:
    case CODEOBJ_LANES_QUADMASK:
    case CODEOBJ_LANES_BITREPLICATE:
    case CODEOBJ_LANES_BCNT:
        if (op->width == 32 && (st = number32(c, p, 0, &n[0])) != CODEOBJ_OK)
            return st;
        op->mask = op->width == 32 ? n[0] : p->numbers[0];
        return CODEOBJ_OK;
    case CODEOBJ_LANES_INVERSE_BALLOT: op->mask = p->numbers[0]; return CODEOBJ_OK;
    default: break;
    }
    if (op->sync)
        op->mask = p->numbers[first++];
    for (unsigned i = first; i < p->count; i++)
        if ((st = number32(c, p, i, &n[i - first])) != CODEOBJ_OK)
            return st;
    if (op->kind != CODEOBJ_LANES_HIP_SHUFFLE)
        return place_small(c, p, op, n);
    op->offset = n[0];
    if (p->count - first > 1) {
        op->width = n[1];
        if (n[1] == 0 || n[1] > CODEOBJ_LANES_MAX || n[1] & (n[1] - 1)) {
            c->at = p->number_at[first + 1];
            return bad(c, "width: expected a power of two up to the wave size");
        }
    }
    return CODEOBJ_OK;
}

/* Nothing is there that the operation does not take. */
static enum codeobj_status check_form(struct cursor *c, const struct parsed *p, const struct co_lanes_form *form)
{
    const unsigned wrong = p->modifiers & ~(unsigned)form->modifiers;
    if (wrong) {
        c->at = p->modifier_at[__builtin_ctz(wrong)];
        return bad(c, "this operation has no such modifier");
    }
    if (p->word && !form->words) {
        c->at = p->word;
        return bad(c, "expected a register, a number or a modifier");
    }
    if (p->fraction && !form->words && !(form->modifiers & CO_MOD_VALUES)) {
        c->at = p->fraction;
        return bad(c, "expected a whole number");
    }
    if (p->count < form->low)
        return co_fail_at(c->diag, CODEOBJ_MALFORMED, NULL, (uint64_t)(c->at - c->text),
                          "too few numbers: found %u, expected %u", p->count, form->low);
    if (p->count > form->high) {
        c->at = p->number_at[form->high];
        return co_fail_at(c->diag, CODEOBJ_MALFORMED, NULL, (uint64_t)(c->at - c->text),
                          "too many numbers: found %u, expected %u", p->count, form->high);
    }
    return CODEOBJ_OK;
}

/* Any vector instruction with DPP: what moves is its first source. */
static enum codeobj_status finish_dpp(struct cursor *c, const struct parsed *p, struct codeobj_lanes_op *op)
{
    const bool dpp8 = p->modifiers & CO_MOD_DPP8;
    const struct co_lanes_form form = { 0, 2, (uint8_t)(CO_MOD_FI_BC | CO_MOD_OP_SEL | CO_MOD_VALUES | (dpp8 ? CO_MOD_DPP8 : CO_MOD_DPP)), false };
    if (dpp8 && p->modifiers & CO_MOD_DPP)
        return bad(c, "dpp8 excludes other DPP controls");
    if (!dpp8 && op->dpp.ctrl == UINT16_MAX)
        return bad(c, "expected a DPP control such as row_ror:1");
    op->kind = dpp8 ? CODEOBJ_LANES_DPP8 : CODEOBJ_LANES_DPP16;
    return check_form(c, p, &form);
}

enum codeobj_status codeobj_lanes_parse(const char *text, struct codeobj_lanes_op *out, struct codeobj_diag *diag)
{
    struct cursor c = { text, text, diag };
    struct codeobj_lanes_op op = { 0 };
    struct parsed p = { .op = &op };
    struct co_lanes_form form;
    char name[64], near[64];
    op.dpp.row_mask = op.dpp.bank_mask = 15;
    op.dpp.ctrl = UINT16_MAX;

    skip_blank(&c);
    if (!take_word(&c, name, sizeof name))
        return bad(&c, "expected a mnemonic");
    struct codeobj_lanes_op named = { 0 };
    const bool known = co_lanes_name(name, &named, &form);
    enum codeobj_status st = take_operands(&c, &p);
    const size_t length = strlen(name);
    const bool is_dpp = p.modifiers & (CO_MOD_DPP | CO_MOD_DPP8) || (length > 4 && !strcmp(name + length - 4, "_dpp"));
    if (st == CODEOBJ_OK && !known && is_dpp) {
        if (name[0] != 'v' || name[1] != '_')
            return co_fail(diag, CODEOBJ_NOT_FOUND, "not a vector instruction: \"%s\"", name);
        st = finish_dpp(&c, &p, &op);
    } else if (st == CODEOBJ_OK && !known) {
        co_lanes_nearest(name, near, sizeof near);
        return co_fail(diag, CODEOBJ_NOT_FOUND, "not a cross-lane operation: \"%s\"%s%s%s", name,
                       *near ? ", did you mean \"" : "", near, *near ? "\"?" : "");
    } else if (st == CODEOBJ_OK) {
        named.dpp = op.dpp;
        named.offset = op.offset;
        named.fi = named.fi || op.fi || p.op_sel_fi;
        named.bound_ctrl = op.bound_ctrl || p.op_sel_bc;
        op = named;
        st = check_form(&c, &p, &form);
        if (st == CODEOBJ_OK)
            st = place_numbers(&c, &p, &op);
    }
    if (st == CODEOBJ_OK)
        *out = op;
    return st;
}

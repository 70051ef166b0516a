/* SPDX-License-Identifier: MIT
 *
 * exec/salu.c - scalar integer arithmetic: SOP1, SOP2, SOPC, SOPK.
 *
 * AMD's ISA documents, chapter "Scalar ALU instructions".  What surprises:
 *  - SCC means carry, overflow, "chose the first" or "not zero", by instruction; moves,
 *    multiplies, bit masks and bit searches leave it alone.
 *  - Shift counts are taken modulo the width.
 *  - A 64-bit s_bfe has a width field of 7 bits: 64 and more is the whole register.
 */
#include "exec/registry.h"
#include "isa/semantics.h"

#include <codeobj/subgroup.h>

#define HANDLER(name) static int name(struct co_wave *w, const struct co_op *op)
#define A32 co_scalar(w, &op->src[0])
#define B32 co_scalar(w, &op->src[1])
#define A64 co_scalar64(w, &op->src[0])
#define B64 co_scalar64(w, &op->src[1])
#define SCC w->s[CO_S_SCC]

/* D = expression of a and b; SCC = expression that may use r, a, b (or stays). */
#define ONE(name, type, load, put, expr)  \
    HANDLER(name)                          \
    {                                      \
        const type a = (type)load;         \
        put(w, op, expr);                  \
        return CO_NEXT;                    \
    }
#define ONE_SCC(name, type, load, rtype, put, expr) \
    HANDLER(name)                                   \
    {                                               \
        const type a = (type)load;                  \
        const rtype r = (rtype)(expr);              \
        SCC = r != 0;                               \
        put(w, op, r);                              \
        return CO_NEXT;                             \
    }
#define TWO32(name, type, expr, scc)                   \
    HANDLER(name)                                      \
    {                                                  \
        const type a = (type)A32, b = (type)B32;       \
        const uint32_t r = (uint32_t)(expr);           \
        const uint32_t c = (scc);                      \
        SCC = c;                                       \
        co_scalar_put(w, op, r);                       \
        return CO_NEXT;                                \
    }
#define TWO64(name, type, expr, scc)                   \
    HANDLER(name)                                      \
    {                                                  \
        const type a = (type)A64, b = (type)B64;       \
        const uint64_t r = (uint64_t)(expr);           \
        const uint32_t c = (scc);                      \
        SCC = c;                                       \
        co_scalar_put64(w, op, r);                     \
        return CO_NEXT;                                \
    }
#define SHIFT64(name, type, expr)                      \
    HANDLER(name)                                      \
    {                                                  \
        const type a = (type)A64;                      \
        const uint32_t b = B32 & 63;                   \
        const uint64_t r = (uint64_t)(expr);           \
        SCC = r != 0;                                  \
        co_scalar_put64(w, op, r);                     \
        return CO_NEXT;                                \
    }

/* ---- arithmetic --------------------------------------------------------------------- */

TWO32(s_add_u32, uint32_t, a + b, r < a)
TWO32(s_sub_u32, uint32_t, a - b, a < b)
TWO32(s_add_i32, uint32_t, a + b, ((~(a ^ b) & (a ^ r)) >> 31))
TWO32(s_sub_i32, uint32_t, a - b, (((a ^ b) & (a ^ r)) >> 31))
TWO32(s_addc_u32, uint32_t, a + b + SCC, ((uint64_t)a + b + SCC) >> 32 != 0)
TWO32(s_subb_u32, uint32_t, a - b - SCC, (uint64_t)a < (uint64_t)b + SCC)
TWO32(s_min_i32, int32_t, a < b ? a : b, a < b)
TWO32(s_min_u32, uint32_t, a < b ? a : b, a < b)
TWO32(s_max_i32, int32_t, a >= b ? a : b, a >= b)
TWO32(s_max_u32, uint32_t, a >= b ? a : b, a >= b)
TWO32(s_mul_i32, uint32_t, a * b, SCC)
TWO32(s_mul_hi_u32, uint32_t, (uint64_t)a * b >> 32, SCC)
TWO32(s_mul_hi_i32, int32_t, (uint64_t)((int64_t)a * b) >> 32, SCC)
TWO32(s_absdiff_i32, uint32_t, (int32_t)(a - b) < 0 ? b - a : a - b, r != 0)
TWO32(s_lshl1_add_u32, uint32_t, (a << 1) + b, ((uint64_t)a << 1) + b > UINT32_MAX)
TWO32(s_lshl2_add_u32, uint32_t, (a << 2) + b, ((uint64_t)a << 2) + b > UINT32_MAX)
TWO32(s_lshl3_add_u32, uint32_t, (a << 3) + b, ((uint64_t)a << 3) + b > UINT32_MAX)
TWO32(s_lshl4_add_u32, uint32_t, (a << 4) + b, ((uint64_t)a << 4) + b > UINT32_MAX)
TWO64(s_add_nc_u64, uint64_t, a + b, SCC)
TWO64(s_sub_nc_u64, uint64_t, a - b, SCC)
TWO64(s_mul_u64, uint64_t, a * b, SCC)

/* ---- logic ----------------------------------------------------------------------------- */

#define LOGIC(name, expr)                         \
    TWO32(s_##name##_b32, uint32_t, expr, r != 0) \
    TWO64(s_##name##_b64, uint64_t, expr, r != 0)
LOGIC(and, a & b)
LOGIC(or, a | b)
LOGIC(xor, a ^ b)
LOGIC(andn2, a & ~b)
LOGIC(orn2, a | ~b)
LOGIC(nand, ~(a & b))
LOGIC(nor, ~(a | b))
LOGIC(xnor, ~(a ^ b))

TWO32(s_lshl_b32, uint32_t, a << (b & 31), r != 0)
TWO32(s_lshr_b32, uint32_t, a >> (b & 31), r != 0)
TWO32(s_ashr_i32, int32_t, a >> (b & 31), r != 0)
SHIFT64(s_lshl_b64, uint64_t, a << b)
SHIFT64(s_lshr_b64, uint64_t, a >> b)
SHIFT64(s_ashr_i64, int64_t, a >> b)

TWO32(s_bfm_b32, uint32_t, ((1u << (a & 31)) - 1) << (b & 31), SCC)
HANDLER(s_bfm_b64)
{
    uint32_t a = A32 & 63, b = B32 & 63;
    co_scalar_put64(w, op, (((uint64_t)1 << a) - 1) << b);
    return CO_NEXT;
}

static uint64_t field_u64(uint64_t x, unsigned offset, unsigned width, unsigned bits)
{
    x >>= offset;
    return width >= bits ? x : x & (((uint64_t)1 << width) - 1);
}

static uint64_t field_i64(uint64_t x, unsigned offset, unsigned width, unsigned bits)
{
    if (width == 0)
        return 0;
    x = field_u64(x, offset, width, bits);
    if (width >= bits)
        width = bits - offset; /* what is left above offset keeps its sign */
    unsigned up = 64 - width;
    return (uint64_t)((int64_t)(x << up) >> up);
}

TWO32(s_bfe_u32, uint32_t, field_u64(a, b & 31, b >> 16 & 127, 32), r != 0)
TWO32(s_bfe_i32, uint32_t, field_i64(a, b & 31, b >> 16 & 127, 32), r != 0)
HANDLER(s_bfe_u64)
{
    uint32_t b = B32;
    uint64_t r = field_u64(A64, b & 63, b >> 16 & 127, 64);
    SCC = r != 0;
    co_scalar_put64(w, op, r);
    return CO_NEXT;
}
HANDLER(s_bfe_i64)
{
    uint32_t b = B32;
    uint64_t r = field_i64(A64, b & 63, b >> 16 & 127, 64);
    SCC = r != 0;
    co_scalar_put64(w, op, r);
    return CO_NEXT;
}

TWO32(s_pack_ll_b32_b16, uint32_t, (a & 0xffff) | b << 16, SCC)
TWO32(s_pack_lh_b32_b16, uint32_t, (a & 0xffff) | (b & 0xffff0000u), SCC)
TWO32(s_pack_hh_b32_b16, uint32_t, a >> 16 | (b & 0xffff0000u), SCC)
TWO32(s_pack_hl_b32_b16, uint32_t, a >> 16 | b << 16, SCC)

/* ---- moves ------------------------------------------------------------------------------ */

TWO32(s_cselect_b32, uint32_t, SCC ? a : b, SCC)
TWO64(s_cselect_b64, uint64_t, SCC ? a : b, SCC)
ONE(s_mov_b32, uint32_t, A32, co_scalar_put, a)
ONE(s_mov_b64, uint64_t, A64, co_scalar_put64, a)
HANDLER(s_cmov_b32)
{
    if (SCC)
        co_scalar_put(w, op, A32);
    return CO_NEXT;
}
HANDLER(s_cmov_b64)
{
    if (SCC)
        co_scalar_put64(w, op, A64);
    return CO_NEXT;
}

/* Relative moves: the register number that M0 is added to is kept in imm (source) and dst. */
static unsigned reg_at(const struct co_wave *w, unsigned reg)
{
    (void)w;
    return reg < CO_S_VCC ? reg : CO_S_SINK; /* beyond the SGPRs: nothing there */
}

HANDLER(s_movrels_b32)
{
    unsigned reg = (unsigned)(op->src[0].reg + w->s[op->imm]);
    co_scalar_put(w, op, reg < CO_S_VCC ? w->s[reg] : 0);
    return CO_NEXT;
}
HANDLER(s_movrels_b64)
{
    unsigned reg = (unsigned)(op->src[0].reg + w->s[op->imm]);
    co_scalar_put64(w, op, reg + 1 < CO_S_VCC ? w->s[reg] | (uint64_t)w->s[reg + 1] << 32 : 0);
    return CO_NEXT;
}
HANDLER(s_movreld_b32)
{
    w->s[reg_at(w, (unsigned)(op->dst + w->s[op->imm]))] = A32;
    return CO_NEXT;
}
HANDLER(s_movreld_b64)
{
    uint64_t a = A64;
    unsigned reg = reg_at(w, (unsigned)(op->dst + w->s[op->imm]));
    w->s[reg] = (uint32_t)a;
    w->s[reg + 1] = (uint32_t)(a >> 32);
    return CO_NEXT;
}
HANDLER(s_movrelsd_2_b32)
{
    uint32_t m0 = w->s[op->imm];
    unsigned from = op->src[0].reg + (m0 & 0x3ff), to = op->dst + (m0 >> 16 & 0x3ff);
    w->s[reg_at(w, to)] = from < CO_S_VCC ? w->s[from] : 0;
    return CO_NEXT;
}

/* ---- bits --------------------------------------------------------------------------------- */

static uint32_t reverse32(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

/* Distance of the first bit that differs from the sign; -1 when none does. */
static int sign_run(uint64_t x, unsigned bits)
{
    uint64_t sign = x >> (bits - 1) & 1 ? ~(uint64_t)0 : 0, diff = (x ^ sign) << (64 - bits);
    return diff ? __builtin_clzll(diff) : -1;
}

ONE_SCC(s_not_b32, uint32_t, A32, uint32_t, co_scalar_put, ~a)
ONE_SCC(s_not_b64, uint64_t, A64, uint64_t, co_scalar_put64, ~a)
ONE_SCC(s_wqm_b32, uint32_t, A32, uint32_t, co_scalar_put, codeobj_wqm(a))
ONE_SCC(s_wqm_b64, uint64_t, A64, uint64_t, co_scalar_put64, codeobj_wqm(a))
ONE_SCC(s_quadmask_b32, uint32_t, A32, uint32_t, co_scalar_put, codeobj_quadmask(a))
ONE_SCC(s_quadmask_b64, uint64_t, A64, uint64_t, co_scalar_put64, codeobj_quadmask(a))
ONE_SCC(s_bcnt0_i32_b32, uint32_t, A32, uint32_t, co_scalar_put, codeobj_bcnt0(a, 32))
ONE_SCC(s_bcnt0_i32_b64, uint64_t, A64, uint32_t, co_scalar_put, codeobj_bcnt0(a, 64))
ONE_SCC(s_bcnt1_i32_b32, uint32_t, A32, uint32_t, co_scalar_put, codeobj_bcnt(a))
ONE_SCC(s_bcnt1_i32_b64, uint64_t, A64, uint32_t, co_scalar_put, codeobj_bcnt(a))
ONE_SCC(s_abs_i32, uint32_t, A32, uint32_t, co_scalar_put, (int32_t)a < 0 ? 0u - a : a)
ONE(s_brev_b32, uint32_t, A32, co_scalar_put, reverse32(a))
ONE(s_brev_b64, uint64_t, A64, co_scalar_put64, (uint64_t)reverse32((uint32_t)a) << 32 | reverse32((uint32_t)(a >> 32)))
ONE(s_ff0_i32_b32, uint32_t, A32, co_scalar_put, (uint32_t)(~a ? __builtin_ctz(~a) : -1))
ONE(s_ff0_i32_b64, uint64_t, A64, co_scalar_put, (uint32_t)(~a ? __builtin_ctzll(~a) : -1))
ONE(s_ff1_i32_b32, uint32_t, A32, co_scalar_put, (uint32_t)(a ? __builtin_ctz(a) : -1))
ONE(s_ff1_i32_b64, uint64_t, A64, co_scalar_put, (uint32_t)(a ? __builtin_ctzll(a) : -1))
ONE(s_flbit_i32_b32, uint32_t, A32, co_scalar_put, (uint32_t)(a ? __builtin_clz(a) : -1))
ONE(s_flbit_i32_b64, uint64_t, A64, co_scalar_put, (uint32_t)(a ? __builtin_clzll(a) : -1))
ONE(s_flbit_i32, uint32_t, A32, co_scalar_put, (uint32_t)sign_run(a, 32))
ONE(s_flbit_i32_i64, uint64_t, A64, co_scalar_put, (uint32_t)sign_run(a, 64))
ONE(s_sext_i32_i8, uint32_t, A32, co_scalar_put, (uint32_t)(int8_t)a)
ONE(s_sext_i32_i16, uint32_t, A32, co_scalar_put, (uint32_t)(int16_t)a)
ONE(s_bitreplicate_b64_b32, uint32_t, A32, co_scalar_put64, codeobj_bitreplicate(a))
/* src[1] is what the destination held. */
ONE(s_bitset0_b32, uint32_t, A32, co_scalar_put, B32 & ~(1u << (a & 31)))
ONE(s_bitset1_b32, uint32_t, A32, co_scalar_put, B32 | 1u << (a & 31))
ONE(s_bitset0_b64, uint32_t, A32, co_scalar_put64, B64 & ~((uint64_t)1 << (a & 63)))
ONE(s_bitset1_b64, uint32_t, A32, co_scalar_put64, B64 | (uint64_t)1 << (a & 63))

/* ---- EXEC ------------------------------------------------------------------------------------ */

/* D = EXEC; EXEC = expression of s and e; SCC = EXEC != 0. */
#define SAVEEXEC(name, expr, saved)                         \
    HANDLER(s_##name##_b64)                                 \
    {                                                       \
        const uint64_t s = A64, e = co_exec(w), r = (expr); \
        co_scalar_put64(w, op, saved);                      \
        co_exec_set(w, r);                                  \
        SCC = r != 0;                                       \
        return CO_NEXT;                                     \
    }                                                       \
    HANDLER(s_##name##_b32)                                 \
    {                                                       \
        const uint32_t s = A32, e = w->s[CO_S_EXEC], r = (expr); \
        co_scalar_put(w, op, saved);                        \
        w->s[CO_S_EXEC] = r;                                \
        co_exec_changed(w);                                 \
        SCC = r != 0;                                       \
        return CO_NEXT;                                     \
    }
SAVEEXEC(and_saveexec, s & e, e)
SAVEEXEC(or_saveexec, s | e, e)
SAVEEXEC(xor_saveexec, s ^ e, e)
SAVEEXEC(andn2_saveexec, s & ~e, e)
SAVEEXEC(orn2_saveexec, s | ~e, e)
SAVEEXEC(nand_saveexec, ~(s & e), e)
SAVEEXEC(nor_saveexec, ~(s | e), e)
SAVEEXEC(xnor_saveexec, ~(s ^ e), e)
SAVEEXEC(andn1_saveexec, ~s & e, e)
SAVEEXEC(orn1_saveexec, ~s | e, e)
SAVEEXEC(andn1_wrexec, ~s & e, r)
SAVEEXEC(andn2_wrexec, s & ~e, r)

/* ---- compares ----------------------------------------------------------------------------------- */

#define COMPARE(name, type, a_, b_, expr) \
    HANDLER(name)                         \
    {                                     \
        const type a = (type)(a_), b = (type)(b_); \
        SCC = (expr);                     \
        return CO_NEXT;                   \
    }
#define COMPARES(name, expr)                                   \
    COMPARE(s_cmp_##name##_i32, int32_t, A32, B32, expr)       \
    COMPARE(s_cmp_##name##_u32, uint32_t, A32, B32, expr)      \
    COMPARE(s_cmpk_##name##_i32, int32_t, A32, (int16_t)op->imm, expr) \
    COMPARE(s_cmpk_##name##_u32, uint32_t, A32, (uint16_t)op->imm, expr)
COMPARES(eq, a == b)
COMPARES(lg, a != b)
COMPARES(gt, a > b)
COMPARES(ge, a >= b)
COMPARES(lt, a < b)
COMPARES(le, a <= b)
COMPARE(s_cmp_eq_u64, uint64_t, A64, B64, a == b)
COMPARE(s_cmp_lg_u64, uint64_t, A64, B64, a != b)
COMPARE(s_bitcmp0_b32, uint32_t, A32, B32, (a >> (b & 31) & 1) == 0)
COMPARE(s_bitcmp1_b32, uint32_t, A32, B32, (a >> (b & 31) & 1) == 1)
COMPARE(s_bitcmp0_b64, uint64_t, A64, B32, (a >> (b & 63) & 1) == 0)
COMPARE(s_bitcmp1_b64, uint64_t, A64, B32, (a >> (b & 63) & 1) == 1)

/* ---- SOPK: src[0] is the register, imm the immediate ------------------------------------------------ */

HANDLER(s_movk_i32)
{
    co_scalar_put(w, op, (uint32_t)(int16_t)op->imm);
    return CO_NEXT;
}
HANDLER(s_cmovk_i32)
{
    if (SCC)
        co_scalar_put(w, op, (uint32_t)(int16_t)op->imm);
    return CO_NEXT;
}
HANDLER(s_addk_i32)
{
    uint32_t a = A32, b = (uint32_t)(int16_t)op->imm, r = a + b;
    SCC = (~(a ^ b) & (a ^ r)) >> 31;
    co_scalar_put(w, op, r);
    return CO_NEXT;
}
HANDLER(s_mulk_i32)
{
    co_scalar_put(w, op, A32 * (uint32_t)(int16_t)op->imm);
    return CO_NEXT;
}

/* ---- builders ---------------------------------------------------------------------------------------- */

static enum codeobj_status build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->fn = b->row->fn;
    enum codeobj_status status = co_build_operands(b, inst, op);
    if (status == CODEOBJ_OK && op->dst_kind == CO_DST_ROW) {
        b->why = "scalar instruction with a vector destination";
        status = CODEOBJ_UNSUPPORTED;
    }
    return status;
}

static enum codeobj_status build_relative(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    /* s_movreld's destination is listed as a register that is read. */
    enum codeobj_status status = build(b, inst, op);
    if (status == CODEOBJ_OK && op->dst_kind == CO_DST_NONE && inst->operand_count == 2) {
        op->dst = inst->operands[0].reg & 127;
        op->dst_kind = CO_DST_SGPR;
        op->src_count = 1;
        status = co_build_src(b, &inst->operands[1], &op->src[0]);
    }
    op->imm = (int64_t)co_reg_m0(b);
    return status;
}

#define S(name) CO_ROW(CO_SEM_##name, build, name, NULL, 0, false)
#define S2(name) S(name##_b32), S(name##_b64)
#define R(name) CO_ROW(CO_SEM_##name, build_relative, name, NULL, 0, false)
#define CMP(name) S(s_cmp_##name##_i32), S(s_cmp_##name##_u32), S(s_cmpk_##name##_i32), S(s_cmpk_##name##_u32)

void co_family_salu(struct co_sem_row *rows)
{
    S(s_add_u32), S(s_sub_u32), S(s_add_i32), S(s_sub_i32), S(s_addc_u32), S(s_subb_u32),
    S(s_min_i32), S(s_min_u32), S(s_max_i32), S(s_max_u32), S(s_mul_i32), S(s_mul_hi_u32), S(s_mul_hi_i32),
    S(s_absdiff_i32), S(s_lshl1_add_u32), S(s_lshl2_add_u32), S(s_lshl3_add_u32), S(s_lshl4_add_u32),
    S(s_add_nc_u64), S(s_sub_nc_u64), S(s_mul_u64),
    S2(s_and), S2(s_or), S2(s_xor), S2(s_andn2), S2(s_orn2), S2(s_nand), S2(s_nor), S2(s_xnor),
    S2(s_lshl), S2(s_lshr), S(s_ashr_i32), S(s_ashr_i64), S2(s_bfm),
    S(s_bfe_u32), S(s_bfe_i32), S(s_bfe_u64), S(s_bfe_i64),
    S(s_pack_ll_b32_b16), S(s_pack_lh_b32_b16), S(s_pack_hh_b32_b16), S(s_pack_hl_b32_b16),
    S2(s_cselect), S2(s_mov), S2(s_cmov), R(s_movrels_b32), R(s_movrels_b64), R(s_movreld_b32), R(s_movreld_b64),
    R(s_movrelsd_2_b32),
    S2(s_not), S2(s_wqm), S2(s_quadmask), S2(s_bcnt0_i32), S2(s_bcnt1_i32), S(s_abs_i32), S2(s_brev),
    S2(s_ff0_i32), S2(s_ff1_i32), S2(s_flbit_i32), S(s_flbit_i32), S(s_flbit_i32_i64),
    S(s_sext_i32_i8), S(s_sext_i32_i16), S(s_bitreplicate_b64_b32), S2(s_bitset0), S2(s_bitset1),
    S2(s_and_saveexec), S2(s_or_saveexec), S2(s_xor_saveexec), S2(s_andn2_saveexec), S2(s_orn2_saveexec),
    S2(s_nand_saveexec), S2(s_nor_saveexec), S2(s_xnor_saveexec), S2(s_andn1_saveexec), S2(s_orn1_saveexec),
    S2(s_andn1_wrexec), S2(s_andn2_wrexec),
    CMP(eq), CMP(lg), CMP(gt), CMP(ge), CMP(lt), CMP(le), S(s_cmp_eq_u64), S(s_cmp_lg_u64),
    S2(s_bitcmp0), S2(s_bitcmp1),
    S(s_movk_i32), S(s_cmovk_i32), S(s_addk_i32), S(s_mulk_i32);
}

/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/dot.c - dot products of packed operands.
 *
 * AMD's ISA documents, VOP3P chapter.  Integer sums are exact and wrap, or saturate once at the
 * end with clamp.  The float forms add one product after the other to the accumulator, each
 * product exact, each sum rounded.  In the IU8 and IU4 forms the neg bits say which source is
 * signed (op->imm).
 */
#include "exec/lanes/float.h"

co_family CO_LANES_NAME(co_family_dot);

static inline uint32_t wrap(int64_t x) { return (uint32_t)x; }
static inline uint32_t sat_i(int64_t x) { return x > INT32_MAX ? (uint32_t)INT32_MAX : x < INT32_MIN ? 0x80000000u : (uint32_t)x; }
static inline uint32_t sat_u(int64_t x) { return x > UINT32_MAX ? UINT32_MAX : x < 0 ? 0 : (uint32_t)x; }

static inline int64_t part(uint32_t x, unsigned k, unsigned bits, bool sign)
{
    uint32_t up = x << (32 - bits * (k + 1));
    return sign ? (int64_t)((int32_t)up >> (32 - bits)) : (int64_t)(up >> (32 - bits));
}
static inline int64_t dot(uint32_t a, uint32_t b, unsigned bits, bool sa, bool sb)
{
    int64_t sum = 0;
    for (unsigned k = 0; k < 32 / bits; k++)
        sum += part(a, k, bits, sa) * part(b, k, bits, sb);
    return sum;
}

#define DOT(name, bits, sign, ctype, sat)                                                         \
    LANES3(name, uint32_t, wrap(dot(a, b, bits, sign, sign) + (ctype)c))                          \
    LANES3(name##_sat, uint32_t, sat(dot(a, b, bits, sign, sign) + (ctype)c))
DOT(dot2_i, 16, true, int32_t, sat_i)
DOT(dot2_u, 16, false, uint32_t, sat_u)
DOT(dot4_i, 8, true, int32_t, sat_i)
DOT(dot4_u, 8, false, uint32_t, sat_u)
DOT(dot8_i, 4, true, int32_t, sat_i)
DOT(dot8_u, 4, false, uint32_t, sat_u)
#define SA (op->imm & 1)
#define SB (op->imm >> 1 & 1)
LANES3(dot4_iu, uint32_t, wrap(dot(a, b, 8, SA, SB) + (int32_t)c))
LANES3(dot4_iu_sat, uint32_t, sat_i(dot(a, b, 8, SA, SB) + (int32_t)c))
LANES3(dot8_iu, uint32_t, wrap(dot(a, b, 4, SA, SB) + (int32_t)c))
LANES3(dot8_iu_sat, uint32_t, sat_i(dot(a, b, 4, SA, SB) + (int32_t)c))

#define F32 (&co_fmt_f32)
static inline uint64_t widen(const struct co_fmt *from, uint64_t x) { return co_fp_cvt(F32, from, x, CO_FP_RNE, CO_FP_RNE); }
static inline uint64_t dot_f32(const struct co_fmt *fa, const struct co_fmt *fb, uint64_t a, uint64_t b, uint64_t c,
                               unsigned count, struct co_fp m)
{
    for (unsigned k = 0; k < count; k++)
        c = co_fp_fma(F32, widen(fa, a >> (k * fa->bits) & (((uint64_t)1 << fa->bits) - 1)),
                      widen(fb, b >> (k * fb->bits) & (((uint64_t)1 << fb->bits) - 1)), c, m);
    return c;
}
SOFT3(dot2_f32_f16, CO_GET32_, CO_PUT32_, co_mode32, dot_f32(&co_fmt_f16, &co_fmt_f16, x, y, z, 2, m))
SOFT3(dot2_f32_bf16, CO_GET32_, CO_PUT32_, co_mode32, dot_f32(&co_fmt_bf16, &co_fmt_bf16, x, y, z, 2, m))
SOFT3(dot4_fp8_fp8, CO_GET32_, CO_PUT32_, co_mode32, dot_f32(&co_fmt_fp8, &co_fmt_fp8, x, y, z, 4, m))
SOFT3(dot4_fp8_bf8, CO_GET32_, CO_PUT32_, co_mode32, dot_f32(&co_fmt_fp8, &co_fmt_bf8, x, y, z, 4, m))
SOFT3(dot4_bf8_fp8, CO_GET32_, CO_PUT32_, co_mode32, dot_f32(&co_fmt_bf8, &co_fmt_fp8, x, y, z, 4, m))
SOFT3(dot4_bf8_bf8, CO_GET32_, CO_PUT32_, co_mode32, dot_f32(&co_fmt_bf8, &co_fmt_bf8, x, y, z, 4, m))
static inline uint64_t dot2_16(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, struct co_fp m)
{
    c = co_fp_fma(f, a & 0xffff, b & 0xffff, c & 0xffff, m);
    return co_fp_fma(f, a >> 16, b >> 16, c, m);
}
SOFT3(dot2_f16, CO_GET32_, CO_PUT32_, co_mode64, dot2_16(&co_fmt_f16, x, y, z, m))
SOFT3(dot2_bf16, CO_GET32_, CO_PUT32_, co_mode32, dot2_16(&co_fmt_bf16, x, y, z, m))

static enum codeobj_status build_iu(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct codeobj_isa_inst bare = *inst;
    for (unsigned i = 0; i < bare.operand_count; i++)
        bare.operands[i].flags &= (uint8_t)~CODEOBJ_OPERAND_NEG;
    enum codeobj_status status = co_build_vector(b, &bare, op);
    op->imm = inst->mod.neg_lo & 3;
    return status;
}

#define V(sem, fn) CO_ROW(CO_SEM_##sem, co_build_vector, fn, NULL, 0, false)
#define VC(sem, fn) CO_ROW(CO_SEM_##sem, co_build_vector, fn, fn##_sat, 0, false)

void CO_LANES_NAME(co_family_dot)(struct co_sem_row *rows)
{
    VC(v_dot2_i32_i16, dot2_i), VC(v_dot2_u32_u16, dot2_u), VC(v_dot4_i32_i8, dot4_i), VC(v_dot4_u32_u8, dot4_u),
    VC(v_dot8_i32_i4, dot8_i), VC(v_dot8_u32_u4, dot8_u), VC(v_dot2c_i32_i16, dot2_i), VC(v_dot4c_i32_i8, dot4_i),
    VC(v_dot8c_i32_i4, dot8_i),
    CO_ROW(CO_SEM_v_dot4_i32_iu8, build_iu, dot4_iu, dot4_iu_sat, 0, true),
    CO_ROW(CO_SEM_v_dot8_i32_iu4, build_iu, dot8_iu, dot8_iu_sat, 0, true),
    V(v_dot2_f32_f16, dot2_f32_f16), V(v_dot2c_f32_f16, dot2_f32_f16), V(v_dot2_f32_bf16, dot2_f32_bf16),
    V(v_dot2c_f32_bf16, dot2_f32_bf16), V(v_dot2_f16_f16, dot2_f16), V(v_dot2_bf16_bf16, dot2_bf16),
    V(v_dot4_f32_bf8_fp8, dot4_bf8_fp8), V(v_dot4_f32_fp8_fp8, dot4_fp8_fp8), V(v_dot4_f32_fp8_bf8, dot4_fp8_bf8),
    V(v_dot4_f32_bf8_bf8, dot4_bf8_bf8);
}

/* SPDX-License-Identifier: MIT
 *
 * exec/fp.h - floating point: every NaN, denormal and rounding is decided here.
 *
 * Two ways to the same bits. Where MODE says nearest even and keeps denormals, the
 * host's own +, *, fma do, and only NaN results are looked at again (co_nan*): hosts
 * and compilers differ in which NaN they hand on.  Any other mode goes through the
 * soft functions (co_fp_*), exact integer arithmetic with one rounding, which also
 * serve the formats that hosts lack.
 *
 * Choices, where documents are silent:
 *  - A NaN result is the first NaN operand in order (src0, src1, src2) with its quiet
 *    bit set; without a NaN operand it is the positive quiet NaN (0x7fc00000 ...).
 *  - Flushed denormals keep their sign.  A result is denormal when it is so after
 *    rounding.
 *  - Compiled with -ffp-contract=off; nothing here depends on errno or the host's
 *    rounding mode, which must be nearest even.
 */
#ifndef CO_EXEC_FP_H
#define CO_EXEC_FP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* How to round and what to flush: one format's share of MODE. */
struct co_fp {
    uint8_t round;  /* 0 nearest even, 1 up, 2 down, 3 toward 0 */
    uint8_t denorm; /* bit 0: denormal inputs kept, bit 1: denormal results kept */
    bool saturate;  /* FP16_OVFL: overflow gives the largest number; true infinities stay */
};
#define CO_FP_RNE ((struct co_fp){ 0, 3, false })
#define CO_FP_RTZ ((struct co_fp){ 3, 3, false })

/* A binary format. */
struct co_fmt {
    uint8_t bits, mant, exp; /* total, fraction and exponent bits */
    int16_t bias;
    uint8_t kind;            /* CO_FMT_* */
};
enum {
    CO_FMT_IEEE = 0, /* infinities and NaNs at the top exponent */
    CO_FMT_FN,       /* e4m3fn: no infinity, NaN is all ones */
    CO_FMT_FNUZ,     /* fp8/bf8 of gfx942: no infinity, no -0, NaN is 0x80 */
    CO_FMT_FINITE    /* fp6, fp4: nothing but numbers */
};
extern const struct co_fmt co_fmt_f16, co_fmt_bf16, co_fmt_f32, co_fmt_f64;
extern const struct co_fmt co_fmt_fp8, co_fmt_bf8, co_fmt_fp8_fnuz, co_fmt_bf8_fnuz;
extern const struct co_fmt co_fmt_e5m3; /* 8 bits without a sign: a ninth bit has it, to be dropped */
extern const struct co_fmt co_fmt_fp6, co_fmt_bf6, co_fmt_fp4;

/* ---- soft arithmetic on bit patterns of one format ------------------------------- */

uint64_t co_fp_add(const struct co_fmt *f, uint64_t a, uint64_t b, struct co_fp m);
uint64_t co_fp_mul(const struct co_fmt *f, uint64_t a, uint64_t b, struct co_fp m);
uint64_t co_fp_fma(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, struct co_fp m);
/* (a * b + c) * 2^scale with one rounding. */
uint64_t co_fp_fma_scaled(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, int scale, struct co_fp m);
uint64_t co_fp_div(const struct co_fmt *f, uint64_t a, uint64_t b, struct co_fp m);
uint64_t co_fp_sqrt(const struct co_fmt *f, uint64_t a, struct co_fp m);
uint64_t co_fp_ldexp(const struct co_fmt *f, uint64_t a, int64_t exp, struct co_fp m);
/* Rounds to an integer of the same format: the mode is m.round. */
uint64_t co_fp_rint(const struct co_fmt *f, uint64_t a, struct co_fp m);
/* One format into another.  in: flushing of inputs. */
uint64_t co_fp_cvt(const struct co_fmt *to, const struct co_fmt *from, uint64_t a, struct co_fp in, struct co_fp out);
/* The same, times 2^scale before the one rounding.  Denormal inputs are kept; with out.saturate the infinity of a format
 * of 8 bits becomes its largest number too. */
uint64_t co_fp_cvt_scaled(const struct co_fmt *to, const struct co_fmt *from, uint64_t a, int scale, struct co_fp out);
/* Stochastic rounding, times 2^scale: noise is added to the 32 bits below the last one kept, and those are cut off. */
uint64_t co_fp_cvt_sr(const struct co_fmt *to, const struct co_fmt *from, uint64_t a, int scale, uint32_t noise, struct co_fp in,
                      bool saturate);
/* The NaN of a format (the largest number where it has none) with a sign, where it has one. */
uint64_t co_fp_nan_of_sign(const struct co_fmt *f, bool sign);
uint64_t co_fp_from_int(const struct co_fmt *f, bool negative, uint64_t magnitude, struct co_fp m);
/* Truncates toward 0 (or as m.round says) and saturates to [lo, hi]; NaN gives 0. */
int64_t co_fp_to_int(const struct co_fmt *f, uint64_t a, int64_t lo, uint64_t hi, struct co_fp m);
/* A host double (the result of a libm function, or an exact value) rounded once more. */
uint64_t co_fp_from_double(const struct co_fmt *f, double x, struct co_fp m);
double co_fp_to_double(const struct co_fmt *f, uint64_t a);
uint64_t co_fp_flush(const struct co_fmt *f, uint64_t a); /* denormal to zero of its sign */

/* Correctly rounded functions. */
enum co_func { CO_FUNC_RCP, CO_FUNC_RSQ, CO_FUNC_SQRT, CO_FUNC_EXP2, CO_FUNC_LOG2, CO_FUNC_SIN, CO_FUNC_COS, CO_FUNC_TANH };
uint64_t co_fp_func(const struct co_fmt *f, enum co_func func, uint64_t a, struct co_fp m);

/* ---- instructions that are the same in every format --------------------------------- */

/* Which rules minimum and maximum follow. */
enum co_minmax {
    CO_MINMAX_IEEE_OFF, /* the number wins over a NaN */
    CO_MINMAX_IEEE,     /* the same, but a signalling NaN wins over everything */
    CO_MINMAX_NUM,      /* gfx12 v_min_num: as the first, two NaNs give the first, quiet */
    CO_MINMAX_PROPAGATE /* gfx12 v_minimum: a NaN wins */
};
uint64_t co_fp_min(const struct co_fmt *f, uint64_t a, uint64_t b, enum co_minmax rule, struct co_fp m);
uint64_t co_fp_max(const struct co_fmt *f, uint64_t a, uint64_t b, enum co_minmax rule, struct co_fp m);
uint64_t co_fp_med3(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, enum co_minmax rule, struct co_fp m);
uint64_t co_fp_fract(const struct co_fmt *f, uint64_t a, struct co_fp m);
uint64_t co_fp_frexp_mant(const struct co_fmt *f, uint64_t a, struct co_fp m);
int32_t co_fp_frexp_exp(const struct co_fmt *f, uint64_t a, struct co_fp m);
/* num / den, one of them being s0: what to multiply it by, so that the division's steps do not
 * over- or underflow; *flag: v_div_fmas has to undo it. */
uint64_t co_fp_div_scale(const struct co_fmt *f, uint64_t s0, uint64_t den, uint64_t num, bool *flag, struct co_fp m);
uint64_t co_fp_div_fmas(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, bool flag, struct co_fp m);
uint64_t co_fp_div_fixup(const struct co_fmt *f, uint64_t quotient, uint64_t den, uint64_t num, struct co_fp m);
/* Rounded product, rounded sum, denormals flushed throughout: v_mad. */
uint64_t co_fp_mad(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, struct co_fp m);
/* 0 times anything is 0. */
uint64_t co_fp_mul_legacy(const struct co_fmt *f, uint64_t a, uint64_t b, struct co_fp m);

/* v_prng_b32: the next of a row of random numbers. */
static inline uint32_t co_prng(uint32_t x)
{
    return x << 1 ^ (x >> 31 ? 197u : 0);
}

/* ---- bits ---------------------------------------------------------------------------- */

static inline float co_f32(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static inline uint32_t co_b32(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static inline double co_f64(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

static inline uint64_t co_b64(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, 8);
    return bits;
}

static inline bool co_isnan32(uint32_t a) { return (a & 0x7fffffffu) > 0x7f800000u; }
static inline bool co_isnan64(uint64_t a) { return (a & 0x7fffffffffffffffu) > 0x7ff0000000000000u; }
static inline bool co_isnan16(uint32_t a) { return (a & 0x7fffu) > 0x7c00u; }
static inline bool co_issnan32(uint32_t a) { return co_isnan32(a) && !(a & 0x00400000u); }
static inline bool co_issnan64(uint64_t a) { return co_isnan64(a) && !(a & 0x0008000000000000u); }
static inline bool co_issnan16(uint32_t a) { return co_isnan16(a) && !(a & 0x0200u); }
static inline uint32_t co_quiet32(uint32_t a) { return a | 0x00400000u; }
static inline uint64_t co_quiet64(uint64_t a) { return a | 0x0008000000000000u; }
static inline uint32_t co_quiet16(uint32_t a) { return a | 0x0200u; }

/* What a NaN result is. */
static inline uint32_t co_nan32(uint32_t a, uint32_t b, uint32_t c)
{
    return co_isnan32(a) ? co_quiet32(a) : co_isnan32(b) ? co_quiet32(b) : co_isnan32(c) ? co_quiet32(c) : 0x7fc00000u;
}

static inline uint64_t co_nan64(uint64_t a, uint64_t b, uint64_t c)
{
    return co_isnan64(a) ? co_quiet64(a) : co_isnan64(b) ? co_quiet64(b) : co_isnan64(c) ? co_quiet64(c) : 0x7ff8000000000000u;
}

static inline uint32_t co_nan16(uint32_t a, uint32_t b, uint32_t c)
{
    return co_isnan16(a) ? co_quiet16(a) : co_isnan16(b) ? co_quiet16(b) : co_isnan16(c) ? co_quiet16(c) : 0x7e00u;
}

/* f16 <-> f32, nearest even, denormals kept; NaN payloads are kept as far as they fit. */
static inline uint32_t co_f16_to_b32(uint32_t h)
{
    uint32_t sign = (h & 0x8000u) << 16, mag = h & 0x7fffu;
    uint32_t finite = co_b32(co_f32(mag << 13) * 0x1p112f);
    uint32_t special = 0x7f800000u | (mag & 0x3ffu) << 13;
    special |= (mag & 0x3ffu) ? 0x00400000u : 0;
    return sign | (mag >= 0x7c00u ? special : finite);
}

static inline float co_f16(uint32_t h)
{
    return co_f32(co_f16_to_b32(h));
}

static inline uint32_t co_b32_to_f16(uint32_t x)
{
    uint32_t sign = x >> 16 & 0x8000u, a = x & 0x7fffffffu;
    uint32_t normal = (a - 0x38000000u + 0xfffu + (a >> 13 & 1)) >> 13;
    uint32_t denormal = co_b32(co_f32(a) + 0.5f) - 0x3f000000u;
    uint32_t big = a > 0x7f800000u ? 0x7e00u | (a >> 13 & 0x1ffu) : 0x7c00u;
    return sign | (a >= 0x47800000u ? big : a >= 0x38800000u ? normal : denormal);
}

static inline uint32_t co_b16(float f)
{
    return co_b32_to_f16(co_b32(f));
}

#endif

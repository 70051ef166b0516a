/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/float16.c - half precision and bfloat16, single and packed.
 *
 * AMD's ISA documents, vector ALU and VOP3P chapters.  f16 shares its rounding and
 * denormal mode with f64.  Handlers read the low half of their sources and write the result
 * into the low half, with zeros above: modified.c merges it where the other half is kept.
 */
#include "exec/lanes/float.h"

co_family CO_LANES_NAME(co_family_float16);

#define F (&co_fmt_f16)
#define SIGN 0x8000u

#define ONE(name, expr) SOFT1(name, CO_GET16_, CO_PUT32_, co_mode16, expr)
#define TWO(name, expr) SOFT2(name, CO_GET16_, CO_GET16_, CO_PUT32_, co_mode16, expr)
#define THREE(name, expr) SOFT3(name, CO_GET16_, CO_PUT32_, co_mode16, expr)

FAST16_2(add, a + b, co_fp_add(F, x, y, m))
FAST16_2(sub, a + -b, co_fp_add(F, x, co_isnan16((uint32_t)y) ? y : y ^ SIGN, m))
FAST16_2(subrev, -a + b, co_fp_add(F, co_isnan16((uint32_t)x) ? x : x ^ SIGN, y, m))
FAST16_2(mul, a * b, co_fp_mul(F, x, y, m))

THREE(fma_soft, co_fp_fma(F, x, y, z, m))
/* The product is exact in f64, and so is every sum that could round the wrong way. */
LANE_HANDLER(fma_)
{
    if (!w->mode.plain16)
        return fma_soft(w, op);
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1), *pc = co_row(w, op, 2);
    uint32_t *d = w->v[op->dst];
    for (unsigned at = 0; at < w->lanes; at += 32) {
        _Alignas(64) uint32_t r[32];
        _Alignas(64) float f[32], fa[32], fb[32], fc[32];
        co_from_halves(fa, pa + at);
        co_from_halves(fb, pb + at);
        co_from_halves(fc, pc + at);
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
        {
            /* To f32 with the lost bits kept in the last one, then to f16: one rounding. */
            const uint64_t s = co_b64((double)fa[i] * (double)fb[i] + (double)fc[i]), lost = s & 0x1fffffff;
            f[i] = (float)co_f64((s ^ lost) | (uint64_t)(lost != 0) << 29);
        }
        co_to_halves(r, f);
        if (__builtin_expect(co_any_nan16(r), 0))
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
                r[i] = co_isnan16(r[i]) ? co_nan16(pa[at + i] & 0xffffu, pb[at + i] & 0xffffu, pc[at + i] & 0xffffu) : r[i];
        co_put_block(w, d, r, at);
    }
    return CO_NEXT;
}
THREE(mad, co_fp_mad(F, x, y, z, m))

#define RULE co_minmax_rule(w)
#define MINMAX(name, pick, soft) TWO(name##_soft, soft) CHOICE16_2(name, pick(a, b))
MINMAX(min, co_min16, co_fp_min(F, x, y, RULE, m))
MINMAX(max, co_max16, co_fp_max(F, x, y, RULE, m))
MINMAX(min_num, co_min16, co_fp_min(F, x, y, CO_MINMAX_NUM, m))
MINMAX(max_num, co_max16, co_fp_max(F, x, y, CO_MINMAX_NUM, m))
MINMAX(minimum, co_min16, co_fp_min(F, x, y, CO_MINMAX_PROPAGATE, m))
MINMAX(maximum, co_max16, co_fp_max(F, x, y, CO_MINMAX_PROPAGATE, m))
#define CHAIN(name, first, second, rule)                                                              \
    THREE(name##_soft, co_fp_##second(F, co_fp_##first(F, x, y, rule, m), z, rule, m))                \
    CHOICE16_3(name, co_##second##16(co_##first##16(a, b), c))
CHAIN(min3, min, min, RULE)
CHAIN(max3, max, max, RULE)
CHAIN(minmax, min, max, RULE)
CHAIN(maxmin, max, min, RULE)
CHAIN(min3_num, min, min, CO_MINMAX_NUM)
CHAIN(max3_num, max, max, CO_MINMAX_NUM)
CHAIN(minmax_num, min, max, CO_MINMAX_NUM)
CHAIN(maxmin_num, max, min, CO_MINMAX_NUM)
CHAIN(minimum3, min, min, CO_MINMAX_PROPAGATE)
CHAIN(maximum3, max, max, CO_MINMAX_PROPAGATE)
CHAIN(minimummaximum, min, max, CO_MINMAX_PROPAGATE)
CHAIN(maximumminimum, max, min, CO_MINMAX_PROPAGATE)
#define MED3(name, rule)                                     \
    THREE(name##_soft, co_fp_med3(F, x, y, z, rule, m))      \
    CHOICE16_3(name, co_max16(co_min16(a, b), co_min16(co_max16(a, b), c)))
MED3(med3, RULE)
MED3(med3_num, CO_MINMAX_NUM)

#define ROUND(n) ((struct co_fp){ n, w->mode.denorm64, false })
FAST16_1(trunc_, __builtin_truncf(a), co_fp_rint(F, x, ROUND(3)))
FAST16_1(ceil_, __builtin_ceilf(a), co_fp_rint(F, x, ROUND(1)))
FAST16_1(rndne, __builtin_rintf(a), co_fp_rint(F, x, ROUND(0)))
FAST16_1(floor_, __builtin_floorf(a), co_fp_rint(F, x, ROUND(2)))
ONE(fract, co_fp_fract(F, x, m))
ONE(frexp_mant, co_fp_frexp_mant(F, x, m))
ONE(frexp_exp, co_fp_frexp_exp(F, x, m) & 0xffff)
TWO(ldexp_, co_fp_ldexp(F, x, (int16_t)y, m))
ONE(rcp, co_fp_func(F, CO_FUNC_RCP, x, m))
ONE(rsq, co_fp_func(F, CO_FUNC_RSQ, x, m))
ONE(sqrt_, co_fp_func(F, CO_FUNC_SQRT, x, m))
ONE(exp_, co_fp_func(F, CO_FUNC_EXP2, x, m))
ONE(log_, co_fp_func(F, CO_FUNC_LOG2, x, m))
ONE(sin_, co_fp_func(F, CO_FUNC_SIN, x, m))
ONE(cos_, co_fp_func(F, CO_FUNC_COS, x, m))
ONE(tanh_, co_fp_func(F, CO_FUNC_TANH, x, m))
THREE(div_fixup, co_fp_div_fixup(F, x, y, z, m))

PACKED(pk_add, add)
PACKED(pk_mul, mul)
PACKED(pk_fma, fma_)
PACKED(pk_min, min)
PACKED(pk_max, max)
PACKED(pk_min_num, min_num)
PACKED(pk_max_num, max_num)
PACKED(pk_minimum, minimum)
PACKED(pk_maximum, maximum)
PACKED(pk_min3_num, min3_num)
PACKED(pk_max3_num, max3_num)
PACKED(pk_minimum3, minimum3)
PACKED(pk_maximum3, maximum3)

/* ---- bfloat16: rounded as f32 is, by the f32 mode -------------------------------------------- */

#define B (&co_fmt_bf16)
#define BF1(name, expr) SOFT1(name, CO_GET16_, CO_PUT32_, co_mode32, expr)
#define BF2(name, expr) SOFT2(name, CO_GET16_, CO_GET16_, CO_PUT32_, co_mode32, expr)
#define BF3(name, expr) SOFT3(name, CO_GET16_, CO_PUT32_, co_mode32, expr)
BF2(b_add, co_fp_add(B, x, y, m))
BF2(b_mul, co_fp_mul(B, x, y, m))
BF3(b_fma, co_fp_fma(B, x, y, z, m))
BF2(b_min, co_fp_min(B, x, y, CO_MINMAX_NUM, m))
BF2(b_max, co_fp_max(B, x, y, CO_MINMAX_NUM, m))
BF1(b_rcp, co_fp_func(B, CO_FUNC_RCP, x, m))
BF1(b_rsq, co_fp_func(B, CO_FUNC_RSQ, x, m))
BF1(b_sqrt, co_fp_func(B, CO_FUNC_SQRT, x, m))
BF1(b_exp, co_fp_func(B, CO_FUNC_EXP2, x, m))
BF1(b_log, co_fp_func(B, CO_FUNC_LOG2, x, m))
BF1(b_sin, co_fp_func(B, CO_FUNC_SIN, x, m))
BF1(b_cos, co_fp_func(B, CO_FUNC_COS, x, m))
BF1(b_tanh, co_fp_func(B, CO_FUNC_TANH, x, m))
PACKED(pkb_add, b_add)
PACKED(pkb_mul, b_mul)
PACKED(pkb_fma, b_fma)
PACKED(pkb_min, b_min)
PACKED(pkb_max, b_max)

/* ---- mixed precision: sources are f32 by now (modified.c) ---------------------------------------- */

#define MODE32 co_mode32(w)
SOFT3(mix_mad, CO_GET32_, CO_PUT32_, co_mode32, co_fp_mad(&co_fmt_f32, x, y, z, m))
SOFT3(mix_mad16, CO_GET32_, CO_PUT32_, co_mode16,
      co_fp_cvt(F, &co_fmt_f32, co_fp_mad(&co_fmt_f32, x, y, z, MODE32), CO_FP_RNE, m))
FAST32_3(mix_fma, CO_HOST_FUSED, __builtin_fmaf(a, b, c), co_fp_fma(&co_fmt_f32, x, y, z, m))
SOFT3(mix_fma16_soft, CO_GET32_, CO_PUT32_, co_mode16,
      co_fp_cvt(F, &co_fmt_f32, co_fp_fma(&co_fmt_f32, x, y, z, MODE32), CO_FP_RNE, m))
LANE_HANDLER(mix_fma16)
{
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2);
    _Alignas(64) uint32_t r[CO_LANES_MAX];
    bool soft = !w->mode.plain16 || !w->mode.plain32;
    for (unsigned at = 0; at < w->lanes && !soft; at += 32) {
        _Alignas(64) float f[32];
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
            f[i] = __builtin_fmaf(co_f32(pa[at + i]), co_f32(pb[at + i]), co_f32(pc[at + i]));
        soft = co_any_nan32((const uint32_t *)(const void *)f);
        co_to_halves(r + at, f);
    }
    if (soft)
        return mix_fma16_soft(w, op);
    for (unsigned at = 0; at < w->lanes; at += 32)
        co_put_block(w, w->v[op->dst], r + at, at);
    return CO_NEXT;
}
SOFT3(mix_fmab16, CO_GET32_, CO_PUT32_, co_mode32,
      co_fp_cvt(B, &co_fmt_f32, co_fp_fma(&co_fmt_f32, x, y, z, m), CO_FP_RNE, m))

#define V(sem, fn) CO_ROW(CO_SEM_##sem, co_build_vector, fn, NULL, 0, false)

void CO_LANES_NAME(co_family_float16)(struct co_sem_row *rows)
{
    V(v_add_f16, add), V(v_sub_f16, sub), V(v_subrev_f16, subrev), V(v_mul_f16, mul), V(v_fma_f16, fma_),
    V(v_fma_legacy_f16, fma_), V(v_fmac_f16, fma_), V(v_fmaak_f16, fma_), V(v_fmamk_f16, fma_),
    V(v_mac_f16, mad), V(v_mad_f16, mad), V(v_mad_legacy_f16, mad), V(v_madak_f16, mad), V(v_madmk_f16, mad),
    V(v_min_f16, min), V(v_max_f16, max), V(v_min_num_f16, min_num), V(v_max_num_f16, max_num), V(v_minimum_f16, minimum),
    V(v_maximum_f16, maximum), V(v_min3_f16, min3), V(v_max3_f16, max3), V(v_med3_f16, med3), V(v_minmax_f16, minmax),
    V(v_maxmin_f16, maxmin), V(v_min3_num_f16, min3_num), V(v_max3_num_f16, max3_num), V(v_med3_num_f16, med3_num),
    V(v_minmax_num_f16, minmax_num), V(v_maxmin_num_f16, maxmin_num), V(v_minimum3_f16, minimum3),
    V(v_maximum3_f16, maximum3), V(v_minimummaximum_f16, minimummaximum), V(v_maximumminimum_f16, maximumminimum),
    V(v_trunc_f16, trunc_), V(v_ceil_f16, ceil_), V(v_rndne_f16, rndne), V(v_floor_f16, floor_), V(v_fract_f16, fract),
    V(v_frexp_mant_f16, frexp_mant), V(v_frexp_exp_i16_f16, frexp_exp), V(v_ldexp_f16, ldexp_), V(v_rcp_f16, rcp),
    V(v_rsq_f16, rsq), V(v_sqrt_f16, sqrt_), V(v_exp_f16, exp_), V(v_log_f16, log_), V(v_sin_f16, sin_), V(v_cos_f16, cos_),
    V(v_tanh_f16, tanh_), V(v_div_fixup_f16, div_fixup), V(v_div_fixup_legacy_f16, div_fixup),
    V(v_pk_add_f16, pk_add), V(v_pk_mul_f16, pk_mul), V(v_pk_fma_f16, pk_fma), V(v_pk_fmac_f16, pk_fma),
    V(v_pk_min_f16, pk_min), V(v_pk_max_f16, pk_max), V(v_pk_min_num_f16, pk_min_num), V(v_pk_max_num_f16, pk_max_num),
    V(v_pk_minimum_f16, pk_minimum), V(v_pk_maximum_f16, pk_maximum), V(v_pk_min3_num_f16, pk_min3_num),
    V(v_pk_max3_num_f16, pk_max3_num), V(v_pk_minimum3_f16, pk_minimum3), V(v_pk_maximum3_f16, pk_maximum3),
    V(v_rcp_bf16, b_rcp), V(v_rsq_bf16, b_rsq), V(v_sqrt_bf16, b_sqrt), V(v_exp_bf16, b_exp), V(v_log_bf16, b_log),
    V(v_sin_bf16, b_sin), V(v_cos_bf16, b_cos), V(v_tanh_bf16, b_tanh), V(v_pk_add_bf16, pkb_add),
    V(v_pk_mul_bf16, pkb_mul), V(v_pk_fma_bf16, pkb_fma), V(v_pk_min_num_bf16, pkb_min), V(v_pk_max_num_bf16, pkb_max),
    V(v_mad_mix_f32, mix_mad), V(v_mad_mixlo_f16, mix_mad16), V(v_mad_mixhi_f16, mix_mad16), V(v_fma_mix_f32, mix_fma),
    V(v_fma_mixlo_f16, mix_fma16), V(v_fma_mixhi_f16, mix_fma16), V(v_fma_mix_f32_bf16, mix_fma),
    V(v_fma_mixlo_bf16, mix_fmab16), V(v_fma_mixhi_bf16, mix_fmab16);
}

/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/float64.c - double precision.
 *
 * AMD's ISA documents, vector ALU chapters; fp.h for rounding, denormals and NaN.
 */
#include "exec/lanes/float.h"

extern const struct co_sem_row CO_LANES_NAME(co_family_float64)[];

#define F (&co_fmt_f64)
#define ONE(name, expr) SOFT1(name, CO_GET64_, CO_PUT64_, co_mode64, expr)
#define TWO(name, expr) SOFT2(name, CO_GET64_, CO_GET64_, CO_PUT64_, co_mode64, expr)
#define THREE(name, expr) SOFT3(name, CO_GET64_, CO_PUT64_, co_mode64, expr)
#define RULE co_minmax_rule(w)
#define ROUND(n) ((struct co_fp){ n, w->mode.denorm64, false })

FAST64_2(add, a + b, co_fp_add(F, x, y, m))
FAST64_2(mul, a * b, co_fp_mul(F, x, y, m))
FAST64_3(fma_, __builtin_fma(a, b, c), co_fp_fma(F, x, y, z, m))
TWO(min, co_fp_min(F, x, y, RULE, m))
TWO(max, co_fp_max(F, x, y, RULE, m))
TWO(min_num, co_fp_min(F, x, y, CO_MINMAX_NUM, m))
TWO(max_num, co_fp_max(F, x, y, CO_MINMAX_NUM, m))
TWO(minimum, co_fp_min(F, x, y, CO_MINMAX_PROPAGATE, m))
TWO(maximum, co_fp_max(F, x, y, CO_MINMAX_PROPAGATE, m))
FAST64_1(trunc_, __builtin_trunc(a), co_fp_rint(F, x, ROUND(3)))
FAST64_1(ceil_, __builtin_ceil(a), co_fp_rint(F, x, ROUND(1)))
FAST64_1(rndne, __builtin_rint(a), co_fp_rint(F, x, ROUND(0)))
FAST64_1(floor_, __builtin_floor(a), co_fp_rint(F, x, ROUND(2)))
ONE(fract, co_fp_fract(F, x, m))
ONE(frexp_mant, co_fp_frexp_mant(F, x, m))
SOFT1(frexp_exp, CO_GET64_, CO_PUT32_, co_mode64, co_fp_frexp_exp(F, x, m))
SOFT2(ldexp_, CO_GET64_, CO_GET32_, CO_PUT64_, co_mode64, co_fp_ldexp(F, x, (int32_t)y, m))
FAST64_1(rcp, 1.0 / a, co_fp_func(F, CO_FUNC_RCP, x, m))
FAST64_1(sqrt_, __builtin_sqrt(a), co_fp_func(F, CO_FUNC_SQRT, x, m))
ONE(rsq, co_fp_func(F, CO_FUNC_RSQ, x, m))
static inline uint64_t clamped(uint64_t r) { return (r & 0x7fffffffffffffffu) == 0x7ff0000000000000u ? r - 1 : r; }
ONE(rcp_clamp, clamped(co_fp_func(F, CO_FUNC_RCP, x, m)))
ONE(rsq_clamp, clamped(co_fp_func(F, CO_FUNC_RSQ, x, m)))

LANE_HANDLER(div_scale)
{
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1), *pc = co_row(w, op, 2);
    uint32_t *d = w->v[op->dst];
    uint64_t flags = 0;
    for (unsigned i = 0; i < w->lanes; i++)
        if (w->mask[i]) {
            bool flag;
            uint64_t r = co_fp_div_scale(F, co_wide(pa, i), co_wide(pb, i), co_wide(pc, i), &flag, co_mode64(w));
            co_wide_put(d, i, ~0u, r);
            flags |= (uint64_t)flag << i;
        }
    co_mask_put(w, op->dst2, flags);
    return CO_NEXT;
}
THREE(div_fmas, co_fp_div_fmas(F, x, y, z, co_mask_get(w, CO_S_VCC) >> i & 1, m))
THREE(div_fixup, co_fp_div_fixup(F, x, y, z, m))

/* 2/pi, 1201 bits behind the binary point, most significant first. */
static const uint32_t two_over_pi[38] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
};

/* 53 bits of 2/pi, starting so far below the point that a large argument's high bits drop out. */
static inline uint64_t trig_preop_of(uint64_t x, uint64_t y)
{
    int exp = (int)(x >> 52 & 0x7ff), shift = (int)(y & 31) * 53;
    if (exp > 1077)
        shift += exp - 1077;
    uint64_t bits = 0;
    for (int k = 0; k < 53; k++) {
        int at = shift + k;
        uint64_t bit = at < 1201 ? two_over_pi[at / 32] >> (31 - at % 32) & 1 : 0;
        bits = bits << 1 | bit;
    }
    int scale = -53 - shift;
    if (exp >= 1968)
        scale += 128;
    return co_fp_ldexp(F, co_b64((double)bits), scale, CO_FP_RNE);
}
SOFT2(trig_preop, CO_GET64_, CO_GET32_, CO_PUT64_, co_mode64, trig_preop_of(x, y))

#define V(sem, fn) { CO_SEM_##sem, co_build_vector, fn, NULL, 0, false }

const struct co_sem_row CO_LANES_NAME(co_family_float64)[] = {
    V(v_add_f64, add), V(v_mul_f64, mul), V(v_fma_f64, fma_), V(v_fmac_f64, fma_), V(v_fmaak_f64, fma_),
    V(v_fmamk_f64, fma_), V(v_min_f64, min), V(v_max_f64, max), V(v_min_num_f64, min_num), V(v_max_num_f64, max_num),
    V(v_minimum_f64, minimum), V(v_maximum_f64, maximum), V(v_trunc_f64, trunc_), V(v_ceil_f64, ceil_), V(v_rndne_f64, rndne),
    V(v_floor_f64, floor_), V(v_fract_f64, fract), V(v_frexp_mant_f64, frexp_mant), V(v_frexp_exp_i32_f64, frexp_exp),
    V(v_ldexp_f64, ldexp_), V(v_rcp_f64, rcp), V(v_sqrt_f64, sqrt_), V(v_rsq_f64, rsq), V(v_rcp_clamp_f64, rcp_clamp),
    V(v_rsq_clamp_f64, rsq_clamp), V(v_div_scale_f64, div_scale), V(v_div_fmas_f64, div_fmas),
    V(v_div_fixup_f64, div_fixup), V(v_trig_preop_f64, trig_preop),
    { 0 }
};

/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/float64.c - double precision.
 *
 * AMD's ISA documents, vector ALU chapters; fp.h for rounding, denormals and NaN.
 */
#include "exec/lanes/float.h"

co_family CO_LANES_NAME(co_family_float64);

#define F (&co_fmt_f64)
#define ONE(name, expr) SOFT1(name, CO_GET64_, CO_PUT64_, co_mode64, expr)
#define TWO(name, expr) SOFT2(name, CO_GET64_, CO_GET64_, CO_PUT64_, co_mode64, expr)
#define THREE(name, expr) SOFT3(name, CO_GET64_, CO_PUT64_, co_mode64, expr)
#define RULE co_minmax_rule(w)
#define ROUND(n) ((struct co_fp){ n, w->mode.denorm64, false })

FAST64_2(add, CO_HOST_ROUNDS, a + b, co_fp_add(F, x, y, m))
FAST64_2(mul, CO_HOST_ROUNDS, a * b, co_fp_mul(F, x, y, m))
FAST64_3(fma_, CO_HOST_FUSED, __builtin_fma(a, b, c), co_fp_fma(F, x, y, z, m))
#define MINMAX(name, pick, soft) TWO(name##_soft, soft) CHOICE64_2(name, pick(a, b))
MINMAX(min, co_min64, co_fp_min(F, x, y, RULE, m))
MINMAX(max, co_max64, co_fp_max(F, x, y, RULE, m))
MINMAX(min_num, co_min64, co_fp_min(F, x, y, CO_MINMAX_NUM, m))
MINMAX(max_num, co_max64, co_fp_max(F, x, y, CO_MINMAX_NUM, m))
MINMAX(minimum, co_min64, co_fp_min(F, x, y, CO_MINMAX_PROPAGATE, m))
MINMAX(maximum, co_max64, co_fp_max(F, x, y, CO_MINMAX_PROPAGATE, m))
FAST64_1(trunc_, CO_HOST_EXACT, __builtin_trunc(a), co_fp_rint(F, x, ROUND(3)))
FAST64_1(ceil_, CO_HOST_EXACT, __builtin_ceil(a), co_fp_rint(F, x, ROUND(1)))
FAST64_1(rndne, CO_HOST_EXACT, __builtin_rint(a), co_fp_rint(F, x, ROUND(0)))
FAST64_1(floor_, CO_HOST_EXACT, __builtin_floor(a), co_fp_rint(F, x, ROUND(2)))
ONE(fract, co_fp_fract(F, x, m))
ONE(frexp_mant, co_fp_frexp_mant(F, x, m))
SOFT1(frexp_exp, CO_GET64_, CO_PUT32_, co_mode64, co_fp_frexp_exp(F, x, m))
SOFT2(ldexp_, CO_GET64_, CO_GET32_, CO_PUT64_, co_mode64, co_fp_ldexp(F, x, (int32_t)y, m))
FAST64_1(rcp, CO_HOST_ROUNDS, 1.0 / a, co_fp_func(F, CO_FUNC_RCP, x, m))
FAST64_1(sqrt_, CO_HOST_ROUNDS, __builtin_sqrt(a), co_fp_func(F, CO_FUNC_SQRT, x, m))
#if defined(__FMA__)
/* The nearest to 1/sqrt(x), from an estimate of 50 bits and what is missing to it; *sure: not so near to the middle between
 * two numbers that the error of the second could decide. */
static inline double rsq_nearest(double x, bool *sure)
{
    const double y = 1.0 / __builtin_sqrt(x), p = x * y, low = __builtin_fma(x, y, -p);
    const double rest = __builtin_fma(-p, y, 1.0) - low * y, more = 0.5 * y * rest;
    const double r = y + more, lost = (y - r) + more;
    /* lost is at most half a unit of r's last place (a quarter below a power of two). */
    const double half = co_f64((co_b64(r) & 0x7ff0000000000000u) - (UINT64_C(53) << 52)), far = __builtin_fabs(lost);
    *sure = (x > 0x1p-900) & (x < 0x1p900) & (far < half * (1 - 0x1p-30)) & (__builtin_fabs(far - 0.5 * half) > half * 0x1p-30);
    return r;
}
#endif
ONE(rsq_soft, co_fp_func(F, CO_FUNC_RSQ, x, m))
LANE_HANDLER(rsq)
{
#if defined(__FMA__)
    const uint32_t *const pa = co_row(w, op, 0);
    for (unsigned at = 0; at < w->lanes && w->mode.round64 == 0; at += 32) {
        _Alignas(64) uint32_t lo[32], hi[32], known[32];
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
        {
            bool sure;
            const uint64_t r = co_b64(rsq_nearest(co_f64(CO_WIDE_(pa)), &sure));
            lo[i] = (uint32_t)r;
            hi[i] = (uint32_t)(r >> 32);
            known[i] = sure ? ~0u : 0;
        }
        for (uint32_t left = ~co_bits32(known) & (uint32_t)(co_exec(w) >> at); left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            const uint64_t r = co_fp_func(F, CO_FUNC_RSQ, CO_WIDE_(pa), co_mode64(w));
            lo[i] = (uint32_t)r;
            hi[i] = (uint32_t)(r >> 32);
        }
        co_put_block(w, w->v[op->dst], lo, at);
        co_put_block(w, w->v[op->dst + 1], hi, at);
    }
    return w->mode.round64 == 0 ? CO_NEXT : rsq_soft(w, op);
#else
    return rsq_soft(w, op);
#endif
}
static inline uint64_t clamped(uint64_t r) { return (r & 0x7fffffffffffffffu) == 0x7ff0000000000000u ? r - 1 : r; }
ONE(rcp_clamp, clamped(co_fp_func(F, CO_FUNC_RCP, x, m)))
ONE(rsq_clamp, clamped(co_fp_func(F, CO_FUNC_RSQ, x, m)))

/* High dwords of numbers so far from the ends of the range that nothing has to be scaled. */
static inline bool unscaled(uint32_t den, uint32_t num)
{
    const int en = (int)(num >> 20 & 2047), ed = (int)(den >> 20 & 2047);
    return (en > 53) & (en < 2047) & (ed > 0) & (ed < 2045) & (en - ed < 768) & (en - ed > -1022);
}

LANE_HANDLER(div_scale)
{
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2);
    uint64_t flags = 0;
    for (unsigned at = 0; at < w->lanes; at += 32) {
        _Alignas(64) uint32_t plain[32], lo[32], hi[32];
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
        {
            plain[i] = unscaled(pb[CO_LANES_MAX + at + i], pc[CO_LANES_MAX + at + i]) ? ~0u : 0;
            lo[i] = pa[at + i];
            hi[i] = pa[CO_LANES_MAX + at + i];
        }
        for (uint32_t left = ~co_bits32(plain) & (uint32_t)(co_exec(w) >> at); left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            bool flag = false;
            const uint64_t r = co_fp_div_scale(F, CO_WIDE_(pa), CO_WIDE_(pb), CO_WIDE_(pc), &flag, co_mode64(w));
            lo[i] = (uint32_t)r;
            hi[i] = (uint32_t)(r >> 32);
            flags |= (uint64_t)flag << (at + i);
        }
        co_put_block(w, w->v[op->dst], lo, at);
        co_put_block(w, w->v[op->dst + 1], hi, at);
    }
    co_mask_put(w, op->dst2, flags);
    return CO_NEXT;
}
THREE(div_fmas_soft, co_fp_div_fmas(F, x, y, z, co_mask_get(w, CO_S_VCC) >> i & 1, m))
LANE_HANDLER(div_fmas)
{
    return co_mask_get(w, CO_S_VCC) & co_exec(w) ? div_fmas_soft(w, op) : fma_(w, op);
}
LANE_HANDLER(div_fixup)
{
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2);
    for (unsigned at = 0; at < w->lanes; at += 32) {
        _Alignas(64) uint32_t plain[32], lo[32], hi[32];
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
        {
            const uint32_t x = pa[CO_LANES_MAX + at + i], y = pb[CO_LANES_MAX + at + i], z = pc[CO_LANES_MAX + at + i];
            plain[i] = ((uint32_t)unscaled(y, z) & ((x & 0x7ff00000u) != 0x7ff00000u)) ? ~0u : 0;
            lo[i] = pa[at + i];
            hi[i] = ((y ^ z) & 0x80000000u) | (x & 0x7fffffffu);
        }
        for (uint32_t left = ~co_bits32(plain) & (uint32_t)(co_exec(w) >> at); left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            const uint64_t r = co_fp_div_fixup(F, CO_WIDE_(pa), CO_WIDE_(pb), CO_WIDE_(pc), co_mode64(w));
            lo[i] = (uint32_t)r;
            hi[i] = (uint32_t)(r >> 32);
        }
        co_put_block(w, w->v[op->dst], lo, at);
        co_put_block(w, w->v[op->dst + 1], hi, at);
    }
    return CO_NEXT;
}

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

#define V(sem, fn) CO_ROW(CO_SEM_##sem, co_build_vector, fn, NULL, 0, false)

void CO_LANES_NAME(co_family_float64)(struct co_sem_row *rows)
{
    V(v_add_f64, add), V(v_mul_f64, mul), V(v_fma_f64, fma_), V(v_fmac_f64, fma_), V(v_fmaak_f64, fma_),
    V(v_fmamk_f64, fma_), V(v_min_f64, min), V(v_max_f64, max), V(v_min_num_f64, min_num), V(v_max_num_f64, max_num),
    V(v_minimum_f64, minimum), V(v_maximum_f64, maximum), V(v_trunc_f64, trunc_), V(v_ceil_f64, ceil_), V(v_rndne_f64, rndne),
    V(v_floor_f64, floor_), V(v_fract_f64, fract), V(v_frexp_mant_f64, frexp_mant), V(v_frexp_exp_i32_f64, frexp_exp),
    V(v_ldexp_f64, ldexp_), V(v_rcp_f64, rcp), V(v_sqrt_f64, sqrt_), V(v_rsq_f64, rsq), V(v_rcp_clamp_f64, rcp_clamp),
    V(v_rsq_clamp_f64, rsq_clamp), V(v_div_scale_f64, div_scale), V(v_div_fmas_f64, div_fmas),
    V(v_div_fixup_f64, div_fixup), V(v_trig_preop_f64, trig_preop);
}

/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/float32.c - single precision.
 *
 * AMD's ISA documents, vector ALU chapters; fp.h for rounding, denormals and NaN.
 * v_mad, v_mac (gfx6 to gfx9, gfx1010) round twice and flush denormals whatever MODE says.
 */
#include "exec/lanes/float.h"

co_family CO_LANES_NAME(co_family_float32);

#define F (&co_fmt_f32)
#define SIGN 0x80000000u

/* ---- sums and products -------------------------------------------------------------------- */

FAST32_2(add, CO_HOST_ROUNDS, a + b, co_fp_add(F, x, y, m))
FAST32_2(sub, CO_HOST_ROUNDS, a + -b, co_fp_add(F, x, co_isnan32((uint32_t)y) ? y : y ^ SIGN, m))
FAST32_2(subrev, CO_HOST_ROUNDS, -a + b, co_fp_add(F, co_isnan32((uint32_t)x) ? x : x ^ SIGN, y, m))
FAST32_2(mul, CO_HOST_ROUNDS, a * b, co_fp_mul(F, x, y, m))
FAST32_3(fma_, CO_HOST_FUSED, __builtin_fmaf(a, b, c), co_fp_fma(F, x, y, z, m))

static inline float flushed(float x)
{
    uint32_t u = co_b32(x);
    return co_f32(u & 0x7f800000u ? u : u & SIGN);
}
/* Plain rounding: the flushing is done by hand. */
static inline float mad_flush(float a, float b, float c)
{
    return flushed(flushed(flushed(a) * flushed(b)) + flushed(c));
}
FAST32_3(mad, CO_HOST_NEAREST, mad_flush(a, b, c), co_fp_mad(F, x, y, z, m))

/* DX9 rules: 0 times anything is +0. */
SOFT2(mul_legacy, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, co_fp_mul_legacy(F, x, y, m))
static inline uint64_t mad_legacy_of(uint64_t x, uint64_t y, uint64_t z, struct co_fp m)
{
    m.denorm = 0;
    return co_fp_add(F, co_fp_mul_legacy(F, x, y, m), z, m);
}
SOFT3(mad_legacy, CO_GET32_, CO_PUT32_, co_mode32, mad_legacy_of(x, y, z, m))
static inline uint64_t fma_legacy_of(uint64_t x, uint64_t y, uint64_t z, struct co_fp m)
{
    if (co_fp_mul_legacy(F, x, y, m) == 0 && ((x & 0x7fffffffu) == 0 || (y & 0x7fffffffu) == 0))
        return co_fp_add(F, z, SIGN, m);
    return co_fp_fma(F, x, y, z, m);
}
SOFT3(fma_legacy, CO_GET32_, CO_PUT32_, co_mode32, fma_legacy_of(x, y, z, m))

static inline uint64_t mullit_of(uint64_t x, uint64_t y, uint64_t z, struct co_fp m)
{
    float b = co_f32((uint32_t)y), c = co_f32((uint32_t)z);
    if (!(b > -0x1.fffffep127f) || !(c > 0))
        return 0xff7fffffu;
    return co_fp_mul_legacy(F, x, y, m);
}
SOFT3(mullit, CO_GET32_, CO_PUT32_, co_mode32, mullit_of(x, y, z, m))

/* ---- minimum, maximum ------------------------------------------------------------------------ */

#define MINMAX(name, pick, soft)                                         \
    SOFT2(name##_soft, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, soft) \
    CHOICE32_2(name, pick(a, b))
MINMAX(min, co_min32, co_fp_min(F, x, y, co_minmax_rule(w), m))
MINMAX(max, co_max32, co_fp_max(F, x, y, co_minmax_rule(w), m))
MINMAX(min_num, co_min32, co_fp_min(F, x, y, CO_MINMAX_NUM, m))
MINMAX(max_num, co_max32, co_fp_max(F, x, y, CO_MINMAX_NUM, m))
MINMAX(minimum, co_min32, co_fp_min(F, x, y, CO_MINMAX_PROPAGATE, m))
MINMAX(maximum, co_max32, co_fp_max(F, x, y, CO_MINMAX_PROPAGATE, m))

/* "legacy": the comparison as written, a NaN chooses src1. */
LANES2(min_legacy, uint32_t, co_f32(a) < co_f32(b) ? a : b)
LANES2(max_legacy, uint32_t, co_f32(a) >= co_f32(b) ? a : b)

#define THREE(name, first, second, rule)                                                                               \
    SOFT3(name##_soft, CO_GET32_, CO_PUT32_, co_mode32, co_fp_##second(F, co_fp_##first(F, x, y, rule, m), z, rule, m)) \
    CHOICE32_3(name, co_##second##32(co_##first##32(a, b), c))
#define RULE co_minmax_rule(w)
THREE(min3, min, min, RULE)
THREE(max3, max, max, RULE)
THREE(minmax, min, max, RULE)
THREE(maxmin, max, min, RULE)
THREE(min3_num, min, min, CO_MINMAX_NUM)
THREE(max3_num, max, max, CO_MINMAX_NUM)
THREE(minmax_num, min, max, CO_MINMAX_NUM)
THREE(maxmin_num, max, min, CO_MINMAX_NUM)
THREE(minimum3, min, min, CO_MINMAX_PROPAGATE)
THREE(maximum3, max, max, CO_MINMAX_PROPAGATE)
THREE(minimummaximum, min, max, CO_MINMAX_PROPAGATE)
THREE(maximumminimum, max, min, CO_MINMAX_PROPAGATE)
#define MED3(name, rule)                                                                    \
    SOFT3(name##_soft, CO_GET32_, CO_PUT32_, co_mode32, co_fp_med3(F, x, y, z, rule, m))   \
    CHOICE32_3(name, co_max32(co_min32(a, b), co_min32(co_max32(a, b), c)))
MED3(med3, RULE)
MED3(med3_num, CO_MINMAX_NUM)

/* ---- rounding, parts ---------------------------------------------------------------------------- */

#define ROUND(n) ((struct co_fp){ n, w->mode.denorm32, false })
FAST32_1(trunc_, CO_HOST_EXACT, __builtin_truncf(a), co_fp_rint(F, x, ROUND(3)))
FAST32_1(ceil_, CO_HOST_EXACT, __builtin_ceilf(a), co_fp_rint(F, x, ROUND(1)))
FAST32_1(rndne, CO_HOST_EXACT, __builtin_rintf(a), co_fp_rint(F, x, ROUND(0)))
FAST32_1(floor_, CO_HOST_EXACT, __builtin_floorf(a), co_fp_rint(F, x, ROUND(2)))
static inline float fract_of(float x)
{
    const float r = x - __builtin_floorf(x);
    return r >= 1 ? 0x1.fffffep-1f : r;
}
FAST32_1(fract, CO_HOST_NEAREST, fract_of(a), co_fp_fract(F, x, m))

/* A denormal number as one 2^32 times as large. */
static inline uint32_t normal(uint32_t x) { return x & 0x7f800000u ? x : co_b32(co_f32(x) * 0x1p32f); }
static inline uint32_t mantissa(uint32_t x)
{
    const uint32_t special = co_isnan32(x) ? co_quiet32(x) : x;
    return (x & 0x7fffffffu) - 1 < 0x7f7fffffu ? (normal(x) & 0x807fffffu) | 0x3f000000u : special;
}
static inline uint32_t exponent(uint32_t x)
{
    const uint32_t e = (normal(x) >> 23 & 255) - 126 - (x & 0x7f800000u ? 0 : 32);
    return (x & 0x7fffffffu) - 1 < 0x7f7fffffu ? e : 0;
}
LANES1(frexp_mant_keep, uint32_t, mantissa(a))
LANES1(frexp_mant_flush, uint32_t, mantissa(co_flush32(a, false)))
LANES1(frexp_exp_keep, uint32_t, exponent(a))
LANES1(frexp_exp_flush, uint32_t, exponent(co_flush32(a, false)))
LANE_HANDLER(frexp_mant) { return w->mode.denorm32 & 1 ? frexp_mant_keep(w, op) : frexp_mant_flush(w, op); }
LANE_HANDLER(frexp_exp) { return w->mode.denorm32 & 1 ? frexp_exp_keep(w, op) : frexp_exp_flush(w, op); }

/* In f64, where the product with a power of two is exact. */
static inline uint32_t ldexp_of(uint32_t x, int32_t n)
{
    const int32_t k = n > 300 ? 300 : n < -300 ? -300 : n;
    return co_isnan32(x) ? co_quiet32(x) : co_b32((float)((double)co_f32(x) * co_f64((uint64_t)(1023 + k) << 52)));
}
LANES2(ldexp_plain, uint32_t, ldexp_of(a, (int32_t)b))
SOFT2(ldexp_soft, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, co_fp_ldexp(F, x, (int32_t)y, m))
LANE_HANDLER(ldexp_) { return w->mode.plain32 ? ldexp_plain(w, op) : ldexp_soft(w, op); }

/* ---- functions ------------------------------------------------------------------------------------ */

FAST32_1(rcp, CO_HOST_ROUNDS, 1.0f / a, co_fp_func(F, CO_FUNC_RCP, x, m))
FAST32_1(sqrt_, CO_HOST_ROUNDS, __builtin_sqrtf(a), co_fp_func(F, CO_FUNC_SQRT, x, m))
/* Two roundings in f64 and one to f32: exact integer arithmetic over all 2^24 significands of two
 * binades finds no result that is not the nearest. */
static inline float rsq_of(float a)
{
    return a == 0 ? 1.0f / a : (float)(1.0 / __builtin_sqrt((double)a));
}
FAST32_1(rsq, CO_HOST_NEAREST, rsq_of(a), co_fp_func(F, CO_FUNC_RSQ, x, m))

/* In double, to 2^-48 or better of what the function is; rounded to f32 that is the nearest number unless it lies so close
 * to the middle between two that the error could decide (or is no ordinary number: *sure).  Then, one lane in a hundred
 * thousand, co_fp_func() does. */
static inline double exp_near(double x, bool *sure)
{
    const double shifted = x + 0x1.8p52, y = 0x1.62e42fefa39efp-1 * (x - (shifted - 0x1.8p52));
    /* Taylor's series of e^y, |y| < 0.35 */
    double p = 1.0 / 479001600;
    p = p * y + 1.0 / 39916800, p = p * y + 1.0 / 3628800, p = p * y + 1.0 / 362880, p = p * y + 1.0 / 40320;
    p = p * y + 1.0 / 5040, p = p * y + 1.0 / 720, p = p * y + 1.0 / 120, p = p * y + 1.0 / 24, p = p * y + 1.0 / 6;
    p = p * y + 0.5, p = p * y + 1.0, p = p * y + 1.0;
    *sure = (x > -125) & (x < 127);
    return co_f64(co_b64(p) + (co_b64(shifted) << 52));
}
static inline double log_near(double x, bool *sure)
{
    const uint64_t e = (co_b64(x) - 0x3fe6a09e667f3bcdu) & 0xfff0000000000000u; /* x = m * 2^e, m around 1 */
    const double m = co_f64(co_b64(x) - e), s = (m - 1.0) / (m + 1.0), z = s * s;
    /* The exponent as a number: the low bits of 1.5 * 2^52 hold an integer. */
    const double k = co_f64(0x4338000000000000u + (e >> 52) - (e >> 63 << 12)) - 0x1.8p52;
    /* ln m = 2 artanh s */
    double p = 1.0 / 21;
    p = p * z + 1.0 / 19, p = p * z + 1.0 / 17, p = p * z + 1.0 / 15, p = p * z + 1.0 / 13, p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9, p = p * z + 1.0 / 7, p = p * z + 1.0 / 5, p = p * z + 1.0 / 3, p = p * z + 1.0;
    *sure = (x >= 0x1p-126) & (x < 0x1p128);
    return k + 0x1.71547652b82fep1 * s * p;
}
/* Sine of a quarter of a turn at most. */
static inline double sin_quarter(double turns)
{
    const double y = 0x1.921fb54442d18p2 * turns, z = y * y;
    double p = 1.0 / 51090942171709440000.0;
    p = p * z - 1.0 / 121645100408832000, p = p * z + 1.0 / 355687428096000, p = p * z - 1.0 / 1307674368000;
    p = p * z + 1.0 / 6227020800, p = p * z - 1.0 / 39916800, p = p * z + 1.0 / 362880, p = p * z - 1.0 / 5040;
    p = p * z + 1.0 / 120, p = p * z - 1.0 / 6;
    return y + y * z * p;
}
static inline double turn(double x) { return x - ((x + 0x1.8p52) - 0x1.8p52); } /* exact, in [-1/2, 1/2] */
static inline double sin_near(double x, bool *sure)
{
    const double r = turn(x), a = __builtin_fabs(r), b = a > 0.25 ? 0.5 - a : a;
    *sure = (__builtin_fabs(x) < 0x1p40) & (b > 0x1p-100);
    return sin_quarter(r < 0 ? -b : b);
}
static inline double cos_near(double x, bool *sure)
{
    const double b = 0.25 - __builtin_fabs(turn(x));
    *sure = (__builtin_fabs(x) < 0x1p40) & (b != 0);
    return sin_quarter(b);
}
#define NEAR(name, near, func)                                                                           \
    SOFT1(name##soft, CO_GET32_, CO_PUT32_, co_mode32, co_fp_func(F, CO_FUNC_##func, x, m))              \
    LANE_HANDLER(name)                                                                                   \
    {                                                                                                    \
        const uint32_t *const pa = co_row(w, op, 0);                                                     \
        const bool in = w->mode.denorm32 & 1;                                                            \
        if (w->mode.round32)                                                                             \
            return name##soft(w, op);                                                                    \
        for (unsigned at = 0; at < w->lanes; at += 32) {                                                 \
            _Alignas(64) uint32_t r[32], known[32];                                                      \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                                                \
            {                                                                                            \
                bool sure;                                                                               \
                const double v = near((double)co_f32(CO_IN32_(pa[at + i])), &sure);                      \
                const uint32_t cut = (uint32_t)co_b64(v) & 0x1fffffffu; /* what f32 has no room for */   \
                known[i] = sure & ((cut < 0x0ffff000u) | (cut > 0x10001000u)) ? ~0u : 0;                 \
                r[i] = co_b32((float)v);                                                                 \
            }                                                                                            \
            for (uint32_t left = ~co_bits32(known) & (uint32_t)(co_exec(w) >> at); left; left &= left - 1) { \
                const unsigned i = (unsigned)__builtin_ctz(left);                                        \
                r[i] = (uint32_t)co_fp_func(F, CO_FUNC_##func, pa[at + i], co_mode32(w));                \
            }                                                                                            \
            co_put_block(w, w->v[op->dst], r, at);                                                       \
        }                                                                                                \
        return CO_NEXT;                                                                                  \
    }
NEAR(exp_, exp_near, EXP2)
NEAR(log_, log_near, LOG2)
NEAR(sin_, sin_near, SIN)
NEAR(cos_, cos_near, COS)
SOFT1(tanh_, CO_GET32_, CO_PUT32_, co_mode32, co_fp_func(F, CO_FUNC_TANH, x, m))
/* gfx6 and gfx7: infinities become the largest number; "legacy" gives 0 for the infinity of 0. */
static inline uint64_t clamped(uint64_t r) { return (r & 0x7fffffffu) == 0x7f800000u ? r - 1 : r; }
static inline uint64_t legacy(uint64_t r) { return (r & 0x7fffffffu) == 0x7f800000u ? 0 : r; }
SOFT1(rcp_clamp, CO_GET32_, CO_PUT32_, co_mode32, clamped(co_fp_func(F, CO_FUNC_RCP, x, m)))
SOFT1(rsq_clamp, CO_GET32_, CO_PUT32_, co_mode32, clamped(co_fp_func(F, CO_FUNC_RSQ, x, m)))
SOFT1(log_clamp, CO_GET32_, CO_PUT32_, co_mode32, clamped(co_fp_func(F, CO_FUNC_LOG2, x, m)))
SOFT1(rcp_legacy, CO_GET32_, CO_PUT32_, co_mode32, legacy(co_fp_func(F, CO_FUNC_RCP, x, m)))
SOFT1(rsq_legacy, CO_GET32_, CO_PUT32_, co_mode32, legacy(co_fp_func(F, CO_FUNC_RSQ, x, m)))

/* ---- division ---------------------------------------------------------------------------------------- */

/* Numbers so far from the ends of the range that nothing has to be scaled. */
static inline bool unscaled(uint32_t den, uint32_t num)
{
    const int en = (int)(num >> 23 & 255), ed = (int)(den >> 23 & 255);
    return (en > 23) & (en < 255) & (ed > 0) & (ed < 253) & (en - ed < 96) & (en - ed > -126);
}

LANE_HANDLER(div_scale)
{
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2);
    uint32_t *const d = w->v[op->dst];
    uint64_t flags = 0;
    for (unsigned at = 0; at < w->lanes; at += 32) {
        _Alignas(64) uint32_t plain[32], r[32];
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
        {
            plain[i] = unscaled(pb[at + i], pc[at + i]) ? ~0u : 0;
            r[i] = pa[at + i];
        }
        for (uint32_t left = ~co_bits32(plain) & (uint32_t)(co_exec(w) >> at); left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            bool flag = false;
            r[i] = (uint32_t)co_fp_div_scale(F, pa[at + i], pb[at + i], pc[at + i], &flag, co_mode32(w));
            flags |= (uint64_t)flag << (at + i);
        }
        co_put_block(w, d, r, at);
    }
    co_mask_put(w, op->dst2, flags);
    return CO_NEXT;
}
SOFT3(div_fmas_soft, CO_GET32_, CO_PUT32_, co_mode32, co_fp_div_fmas(F, x, y, z, co_mask_get(w, CO_S_VCC) >> i & 1, m))
LANE_HANDLER(div_fmas)
{
    return co_mask_get(w, CO_S_VCC) & co_exec(w) ? div_fmas_soft(w, op) : fma_(w, op);
}
LANE_HANDLER(div_fixup)
{
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2);
    uint32_t *const d = w->v[op->dst];
    for (unsigned at = 0; at < w->lanes; at += 32) {
        _Alignas(64) uint32_t plain[32], r[32];
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
        {
            const uint32_t x = pa[at + i], y = pb[at + i], z = pc[at + i];
            plain[i] = ((uint32_t)unscaled(y, z) & !co_isnan32(x)) ? ~0u : 0;
            r[i] = ((y ^ z) & SIGN) | (x & ~SIGN);
        }
        for (uint32_t left = ~co_bits32(plain) & (uint32_t)(co_exec(w) >> at); left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            r[i] = (uint32_t)co_fp_div_fixup(F, pa[at + i], pb[at + i], pc[at + i], co_mode32(w));
        }
        co_put_block(w, d, r, at);
    }
    return CO_NEXT;
}

/* ---- cube maps ------------------------------------------------------------------------------------------ */

/* 0: x is the major axis, 1: y, 2: z. */
static inline int major_axis(float x, float y, float z)
{
    x = __builtin_fabsf(x);
    y = __builtin_fabsf(y);
    z = __builtin_fabsf(z);
    return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}
static inline float cube_id(float x, float y, float z)
{
    int axis = major_axis(x, y, z);
    return 2.0f * (float)axis + ((axis == 2 ? z : axis == 1 ? y : x) < 0 ? 1.0f : 0.0f);
}
static inline float cube_s(float x, float y, float z)
{
    int axis = major_axis(x, y, z);
    return axis == 2 ? (z < 0 ? -x : x) : axis == 1 ? x : x < 0 ? z : -z;
}
static inline float cube_t(float x, float y, float z)
{
    return major_axis(x, y, z) == 1 ? (y < 0 ? -z : z) : -y;
}
static inline float cube_ma(float x, float y, float z)
{
    int axis = major_axis(x, y, z);
    return 2.0f * (axis == 2 ? z : axis == 1 ? y : x);
}
#define CUBE(name) LANES3(name##_, uint32_t, co_b32(name(co_f32(a), co_f32(b), co_f32(c))))
CUBE(cube_id)
CUBE(cube_s)
CUBE(cube_t)
CUBE(cube_ma)

/* ---- packed: two dwords a lane ---------------------------------------------------------------------------- */

/* The handler of one dword, run on both. */
static int twice(struct co_wave *w, const struct co_op *op, co_handler *one)
{
    struct co_op half = *op;
    /* The low result may land in a row that the high half still reads. */
    uint32_t low[CO_LANES_MAX];
    half.dst = CO_ROW_TMP + CO_ROW_TMP_COUNT - 6;
    one(w, &half);
    memcpy(low, w->v[half.dst], sizeof low);
    for (unsigned k = 0; k < op->src_count; k++) {
        if (half.src[k].kind == CO_SRC_ROW || (half.src[k].kind == CO_SRC_SGPR && half.src[k].dwords > 1))
            half.src[k].reg++;
        else if (half.src[k].kind == CO_SRC_CONST)
            half.src[k].row += half.src[k].row[CO_LANES_MAX] ? CO_LANES_MAX : 0;
        half.src[k].dwords = 1;
    }
    half.dst = (uint16_t)(op->dst + 1);
    one(w, &half);
    uint32_t *d = w->v[op->dst];
    const uint32_t *m = w->mask;
    EACH_LANE(i, w) d[i] = (low[i] & m[i]) | (d[i] & ~m[i]);
    return CO_NEXT;
}
/* The high dwords of a source; a 32-bit constant or register serves both. */
static const uint32_t *high_row(const struct co_op *op, unsigned n, const uint32_t *low)
{
    const struct co_src *src = &op->src[n];
    if (src->kind == CO_SRC_CONST)
        return low[CO_LANES_MAX] ? low + CO_LANES_MAX : low;
    return src->kind == CO_SRC_ROW || src->dwords > 1 ? low + CO_LANES_MAX : low;
}

/* Plain MODE: both dwords of a block of lanes are computed before either is written. */
#define PK32(name, count, one, expr)                                                                           \
    LANE_HANDLER(name)                                                                                         \
    {                                                                                                          \
        if (!w->mode.plain32)                                                                                  \
            return twice(w, op, one);                                                                          \
        const uint32_t *p[3][2];                                                                               \
        for (unsigned n = 0; n < 3; n++) {                                                                     \
            p[n][0] = n < (count) ? co_row(w, op, n) : p[0][0];                                                \
            p[n][1] = n < (count) ? high_row(op, n, p[n][0]) : p[0][1];                                        \
        }                                                                                                      \
        uint32_t *const d = w->v[op->dst];                                                                     \
        for (unsigned at = 0; at < w->lanes; at += 32) {                                                       \
            _Alignas(64) uint32_t r[2][32];                                                                    \
            for (unsigned k = 0; k < 2; k++) {                                                                 \
                const uint32_t *const pa = p[0][k] + at, *const pb = p[1][k] + at, *const pc = p[2][k] + at;   \
                CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                                                  \
                {                                                                                              \
                    const float a = co_f32(pa[i]), b = co_f32(pb[i]), c = co_f32(pc[i]);                       \
                    (void)c;                                                                                   \
                    r[k][i] = co_b32(expr);                                                                    \
                }                                                                                              \
                const bool bad = co_any_nan32(r[k]);                                                           \
                for (unsigned i = 0; bad && i < 32; i++)                                                       \
                    if (co_isnan32(r[k][i]))                                                                   \
                        r[k][i] = co_nan32(pa[i], pb[i], (count) > 2 ? pc[i] : 0);                             \
            }                                                                                                  \
            co_put_block(w, d, r[0], at);                                                                      \
            co_put_block(w, d + CO_LANES_MAX, r[1], at);                                                       \
        }                                                                                                      \
        return CO_NEXT;                                                                                        \
    }
PK32(pk_add, 2, add, a + b)
PK32(pk_mul, 2, mul, a * b)
PK32(pk_fma, 3, fma_, __builtin_fmaf(a, b, c))

/* The low dword from src0, the high one from src1; imm: which dword of each. */
LANE_HANDLER(pk_mov)
{
    const uint32_t *a = co_row(w, op, 0), *b = co_row(w, op, 1), *m = w->mask;
    uint32_t *d = w->v[op->dst], low[CO_LANES_MAX], high[CO_LANES_MAX];
    memcpy(low, a + (op->imm & 1 ? CO_LANES_MAX : 0), sizeof low);
    memcpy(high, b + (op->imm & 2 ? CO_LANES_MAX : 0), sizeof high);
    EACH_LANE(i, w)
    {
        d[i] = (low[i] & m[i]) | (d[i] & ~m[i]);
        d[CO_LANES_MAX + i] = (high[i] & m[i]) | (d[CO_LANES_MAX + i] & ~m[i]);
    }
    return CO_NEXT;
}

static enum codeobj_status build_pk_mov(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->fn = b->row->fn;
    op->imm = inst->mod.op_sel & 3;
    enum codeobj_status status = co_build_operands(b, inst, op);
    for (unsigned k = 0; k < op->src_count; k++)
        if (op->src[k].kind == CO_SRC_CONST) /* a constant is one dword */
            op->imm &= ~(int64_t)(1 << k);
    return status;
}

#define V(sem, fn) CO_ROW(CO_SEM_##sem, co_build_vector, fn, NULL, 0, false)

void CO_LANES_NAME(co_family_float32)(struct co_sem_row *rows)
{
    V(v_add_f32, add), V(v_sub_f32, sub), V(v_subrev_f32, subrev), V(v_mul_f32, mul), V(v_mul_legacy_f32, mul_legacy),
    V(v_mac_f32, mad), V(v_mad_f32, mad), V(v_madak_f32, mad), V(v_madmk_f32, mad), V(v_mac_legacy_f32, mad_legacy),
    V(v_mad_legacy_f32, mad_legacy), V(v_fma_f32, fma_), V(v_fmac_f32, fma_), V(v_fmaak_f32, fma_), V(v_fmamk_f32, fma_),
    V(v_fma_legacy_f32, fma_legacy), V(v_fmac_legacy_f32, fma_legacy), V(v_mullit_f32, mullit),
    V(v_min_f32, min), V(v_max_f32, max), V(v_min_num_f32, min_num), V(v_max_num_f32, max_num),
    V(v_minimum_f32, minimum), V(v_maximum_f32, maximum), V(v_min_legacy_f32, min_legacy), V(v_max_legacy_f32, max_legacy),
    V(v_min3_f32, min3), V(v_max3_f32, max3), V(v_med3_f32, med3), V(v_minmax_f32, minmax), V(v_maxmin_f32, maxmin),
    V(v_min3_num_f32, min3_num), V(v_max3_num_f32, max3_num), V(v_med3_num_f32, med3_num), V(v_minmax_num_f32, minmax_num),
    V(v_maxmin_num_f32, maxmin_num), V(v_minimum3_f32, minimum3), V(v_maximum3_f32, maximum3),
    V(v_minimummaximum_f32, minimummaximum), V(v_maximumminimum_f32, maximumminimum),
    V(v_trunc_f32, trunc_), V(v_ceil_f32, ceil_), V(v_rndne_f32, rndne), V(v_floor_f32, floor_), V(v_fract_f32, fract),
    V(v_frexp_mant_f32, frexp_mant), V(v_frexp_exp_i32_f32, frexp_exp), V(v_ldexp_f32, ldexp_),
    V(v_rcp_f32, rcp), V(v_rcp_iflag_f32, rcp), V(v_sqrt_f32, sqrt_), V(v_rsq_f32, rsq), V(v_exp_f32, exp_), V(v_log_f32, log_),
    V(v_exp_legacy_f32, exp_), V(v_log_legacy_f32, log_), V(v_sin_f32, sin_), V(v_cos_f32, cos_), V(v_tanh_f32, tanh_),
    V(v_rcp_clamp_f32, rcp_clamp), V(v_rsq_clamp_f32, rsq_clamp), V(v_log_clamp_f32, log_clamp),
    V(v_rcp_legacy_f32, rcp_legacy), V(v_rsq_legacy_f32, rsq_legacy),
    V(v_div_scale_f32, div_scale), V(v_div_fmas_f32, div_fmas), V(v_div_fixup_f32, div_fixup),
    V(v_cubeid_f32, cube_id_), V(v_cubesc_f32, cube_s_), V(v_cubetc_f32, cube_t_), V(v_cubema_f32, cube_ma_),
    V(v_pk_add_f32, pk_add), V(v_pk_mul_f32, pk_mul), V(v_pk_fma_f32, pk_fma),
    CO_ROW(CO_SEM_v_pk_mov_b32, build_pk_mov, pk_mov, NULL, 0, true);
}

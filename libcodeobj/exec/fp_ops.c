/* SPDX-License-Identifier: MIT
 *
 * exec/fp_ops.c - float instructions that read the same in every format, on bit patterns.
 *
 * AMD's ISA documents.  v_div_scale's tests for a denormal quotient or reciprocal look at
 * exponents only; the reading taken here (and the factors of v_div_fmas) is the one that
 * fits all results known from hardware, where the published text contradicts itself.
 */
#include "exec/fp.h"

static inline uint64_t ones(unsigned n)
{
    return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

static inline uint64_t sign_bit(const struct co_fmt *f) { return (uint64_t)1 << (f->bits - 1); }
static inline uint64_t magnitude(const struct co_fmt *f, uint64_t a) { return a & ones(f->bits - 1); }
static inline uint64_t inf(const struct co_fmt *f) { return ones(f->exp) << f->mant; }
static inline int exponent(const struct co_fmt *f, uint64_t a) { return (int)(a >> f->mant & ones(f->exp)); }
static inline bool is_nan(const struct co_fmt *f, uint64_t a) { return magnitude(f, a) > inf(f); }
static inline bool is_snan(const struct co_fmt *f, uint64_t a) { return is_nan(f, a) && !(a >> (f->mant - 1) & 1); }
static inline uint64_t quiet(const struct co_fmt *f, uint64_t a) { return a | (uint64_t)1 << (f->mant - 1); }
static inline uint64_t in(const struct co_fmt *f, uint64_t a, struct co_fp m) { return m.denorm & 1 ? a : co_fp_flush(f, a); }
static inline uint64_t out(const struct co_fmt *f, uint64_t a, struct co_fp m) { return m.denorm & 2 ? a : co_fp_flush(f, a); }

/* -0 is less than +0; no NaN comes here. */
static bool less(const struct co_fmt *f, uint64_t a, uint64_t b)
{
    bool na = a & sign_bit(f), nb = b & sign_bit(f);
    return na != nb ? na : na ? magnitude(f, a) > magnitude(f, b) : magnitude(f, a) < magnitude(f, b);
}

static uint64_t choose(const struct co_fmt *f, uint64_t a, uint64_t b, enum co_minmax rule, struct co_fp m, bool want_max)
{
    a = in(f, a, m);
    b = in(f, b, m);
    if (rule == CO_MINMAX_IEEE || rule == CO_MINMAX_PROPAGATE) {
        if (is_snan(f, a))
            return quiet(f, a);
        if (is_snan(f, b))
            return quiet(f, b);
    }
    bool na = is_nan(f, a), nb = is_nan(f, b);
    if (rule == CO_MINMAX_PROPAGATE && (na || nb))
        return na ? a : b;
    if (na && nb)
        return rule == CO_MINMAX_NUM ? quiet(f, a) : a;
    if (na || nb)
        return out(f, na ? b : a, m);
    return out(f, less(f, a, b) != want_max ? a : b, m);
}

uint64_t co_fp_min(const struct co_fmt *f, uint64_t a, uint64_t b, enum co_minmax rule, struct co_fp m)
{
    return choose(f, a, b, rule, m, false);
}

uint64_t co_fp_max(const struct co_fmt *f, uint64_t a, uint64_t b, enum co_minmax rule, struct co_fp m)
{
    return choose(f, a, b, rule, m, true);
}

uint64_t co_fp_med3(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, enum co_minmax rule, struct co_fp m)
{
    if (is_nan(f, a) || is_nan(f, b) || is_nan(f, c))
        return co_fp_min(f, co_fp_min(f, a, b, rule, m), c, rule, m);
    uint64_t lo = co_fp_min(f, a, b, rule, m), hi = co_fp_max(f, a, b, rule, m);
    return co_fp_max(f, lo, co_fp_min(f, hi, c, rule, m), rule, m);
}

uint64_t co_fp_fract(const struct co_fmt *f, uint64_t a, struct co_fp m)
{
    uint64_t x = in(f, a, m);
    if (is_nan(f, x))
        return quiet(f, x);
    if (magnitude(f, x) == inf(f))
        return quiet(f, inf(f));
    uint64_t whole = co_fp_rint(f, x, (struct co_fp){ 2, 3, false });
    uint64_t r = co_fp_add(f, x, whole ^ sign_bit(f), m);
    if (magnitude(f, whole) == 0 && magnitude(f, x) == 0)
        return 0;
    uint64_t below_one = ((uint64_t)f->bias << f->mant) - 1;
    return magnitude(f, r) > below_one ? below_one : r;
}

uint64_t co_fp_frexp_mant(const struct co_fmt *f, uint64_t a, struct co_fp m)
{
    uint64_t x = in(f, a, m);
    if (is_nan(f, x))
        return quiet(f, x);
    if (magnitude(f, x) == inf(f) || magnitude(f, x) == 0)
        return x;
    return co_fp_ldexp(f, x, -co_fp_frexp_exp(f, x, m), m);
}

int32_t co_fp_frexp_exp(const struct co_fmt *f, uint64_t a, struct co_fp m)
{
    uint64_t x = magnitude(f, in(f, a, m));
    if (x >= inf(f) || x == 0)
        return 0;
    int e = exponent(f, x);
    if (e == 0)
        e = 1 - (f->mant - (63 - __builtin_clzll(x)));
    return e - f->bias + 1;
}

uint64_t co_fp_div_scale(const struct co_fmt *f, uint64_t s0, uint64_t den, uint64_t num, bool *flag, struct co_fp m)
{
    bool wide = f->bits == 64;
    int up = wide ? 128 : 64, apart = wide ? 768 : 96, low = wide ? 53 : 23;
    const uint64_t x0 = in(f, s0, m), d = in(f, den, m), n = in(f, num, m);
    int en = exponent(f, n), ed = exponent(f, d);
    bool rcp_denormal = ed >= 2 * f->bias - 1 && ed <= 2 * f->bias, quotient_denormal = en - ed <= 1 - f->bias;
    bool is_den = x0 == d, is_num = x0 == n;
    *flag = false;
    if (magnitude(f, n) == 0 || magnitude(f, d) == 0) {
        *flag = true;
        return quiet(f, inf(f));
    }
    if (is_nan(f, x0) || en == (int)ones(f->exp) || ed == (int)ones(f->exp))
        return s0; /* v_div_fixup decides; nothing to scale */
    if (en - ed >= apart) {
        *flag = true;
        return is_den ? co_fp_ldexp(f, x0, up, m) : s0;
    }
    if (ed == 0)
        return co_fp_ldexp(f, x0, up, m);
    if (rcp_denormal && quotient_denormal) {
        /* Down: the quotient then is 2^64 times too large, which v_div_fmas undoes for small ones. */
        *flag = true;
        return is_den ? co_fp_ldexp(f, x0, -up, m) : s0;
    }
    if (rcp_denormal)
        return co_fp_ldexp(f, x0, -up, m);
    if (quotient_denormal) {
        *flag = true;
        return is_num ? co_fp_ldexp(f, x0, up, m) : s0;
    }
    return en <= low ? co_fp_ldexp(f, x0, up, m) : s0;
}

uint64_t co_fp_div_fmas(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, bool flag, struct co_fp m)
{
    /* Scaled before it is rounded: a denormal quotient is rounded once. */
    int up = f->bits == 64 ? 128 : 64;
    return co_fp_fma_scaled(f, a, b, c, !flag ? 0 : exponent(f, in(f, c, m)) > f->bias ? up : -up, m);
}

uint64_t co_fp_div_fixup(const struct co_fmt *f, uint64_t quotient, uint64_t den, uint64_t num, struct co_fp m)
{
    uint64_t sign = (den ^ num) & sign_bit(f);
    uint64_t d = magnitude(f, in(f, den, m)), n = magnitude(f, in(f, num, m));
    if (is_nan(f, n))
        return quiet(f, num);
    if (is_nan(f, d))
        return quiet(f, den);
    if ((d == 0 && n == 0) || (d == inf(f) && n == inf(f)))
        return sign_bit(f) | quiet(f, inf(f));
    if (d == 0 || n == inf(f))
        return sign | inf(f);
    if (d == inf(f) || n == 0)
        return sign;
    int apart = exponent(f, n) - exponent(f, d);
    /* "Underflow": below half of the smallest denormal, which only an upward rounding makes a number. */
    if (f->bits > 16 && apart < -(f->bias + f->mant)) {
        bool away = sign ? m.round == 2 : m.round == 1;
        return sign | (away && (m.denorm & 2) ? 1 : 0);
    }
    if (is_nan(f, quotient))
        return sign | inf(f);
    return sign | magnitude(f, quotient);
}

uint64_t co_fp_mad(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, struct co_fp m)
{
    m.denorm = 0;
    /* The NaN of a product of numbers (0 times infinity) gives way to one that is an operand. */
    if (is_nan(f, c) && !is_nan(f, a) && !is_nan(f, b))
        return quiet(f, c);
    return co_fp_add(f, co_fp_mul(f, a, b, m), c, m);
}

uint64_t co_fp_mul_legacy(const struct co_fmt *f, uint64_t a, uint64_t b, struct co_fp m)
{
    if (magnitude(f, in(f, a, m)) == 0 || magnitude(f, in(f, b, m)) == 0)
        return 0;
    return co_fp_mul(f, a, b, m);
}

/* SPDX-License-Identifier: MIT
 *
 * Basic arithmetic in every MODE: four rounding modes, denormals kept or flushed on either side, DX10_CLAMP, IEEE,
 * FP16_OVFL, beside an oracle that shares nothing with the executor.  f32 and f64 come from the host's own arithmetic in the
 * rounding mode at hand (fenv.h), f16 from integers in units of 2^-48, rounded by a search in the list of all its values.
 * bfloat16 (gfx1250; gfx950 has the conversion) comes from the host's double, rounded to odd and then to 8 bits.  Random
 * patterns, most of them near the ends of the exponents; fixtures/machine/modes.s and modes_bf16.s are the kernels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/codeobj.h>

enum { LANES = 64, ROUNDS = 4 };

static uint64_t random_state = 0x9e3779b97f4a7c15u;
static uint64_t random64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* MODE at hand. */
static unsigned mode_round32, mode_round64, mode_denorm32, mode_denorm64;
static bool dx10, ieee, ovfl;

/* ---- f32 and f64: the host's arithmetic --------------------------------------------- */

static void host_rounding(unsigned mode)
{
    static const int modes[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    fesetround(modes[mode]);
}

static float f32(uint64_t x) { uint32_t w = (uint32_t)x; float f; memcpy(&f, &w, 4); return f; }
static double f64(uint64_t x) { double d; memcpy(&d, &x, 8); return d; }
static uint64_t b32(float f) { uint32_t w; memcpy(&w, &f, 4); return w; }
static uint64_t b64(double d) { uint64_t w; memcpy(&w, &d, 8); return w; }

static uint64_t flush32(uint64_t x, bool keep) { return !keep && !(x & 0x7f800000) ? x & 0x80000000 : x & 0xffffffff; }
static uint64_t flush64(uint64_t x, bool keep) { return !keep && !(x & 0x7ff0000000000000) ? x & 0x8000000000000000 : x; }
static float in32(uint64_t x) { return f32(flush32(x, mode_denorm32 & 1)); }
static double in64(uint64_t x) { return f64(flush64(x, mode_denorm64 & 1)); }
static uint64_t out32(float f) { return flush32(b32(f), mode_denorm32 & 2); }
static uint64_t out64(double d) { return flush64(b64(d), mode_denorm64 & 2); }

typedef uint64_t oracle(uint64_t a, uint64_t b, uint64_t c);
/* volatile: nothing may be computed at compile time, in another rounding mode. */
#define HOST32(name, expr)                                        \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c)      \
    {                                                             \
        volatile float x = in32(a), y = in32(b), z = in32(c), r;  \
        host_rounding(mode_round32);                              \
        r = (float)(expr);                                        \
        host_rounding(0);                                         \
        (void)x, (void)y, (void)z;                                \
        return out32(r);                                          \
    }
#define HOST64(name, expr)                                        \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c)      \
    {                                                             \
        volatile double x = in64(a), y = in64(b), z = in64(c), r; \
        host_rounding(mode_round64);                              \
        r = expr;                                                 \
        host_rounding(0);                                         \
        (void)x, (void)y, (void)z;                                \
        return out64(r);                                          \
    }
HOST32(add32, x + y)
HOST32(sub32, x - y)
HOST32(mul32, x * y)
HOST32(fma32, fmaf(x, y, z))
HOST32(negadd32, y - x)
HOST32(mulabs32, x * fabsf(y))
HOST64(add64, x + y)
HOST64(mul64, x * y)
HOST64(fma64, fma(x, y, z))

static uint64_t cvt_f32_f64(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    volatile double x = in64(a);
    host_rounding(mode_round32);
    volatile float r = (float)x;
    host_rounding(0);
    return out32(r);
}
static uint64_t cvt_f64_f32(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    return b64((double)in32(a));
}
static uint64_t cvt_f32_u32(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    volatile uint32_t x = (uint32_t)a;
    host_rounding(mode_round32);
    volatile float r = (float)x;
    host_rounding(0);
    return b32(r);
}
static uint64_t cvt_f32_i32(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    volatile int32_t x = (int32_t)(uint32_t)a;
    host_rounding(mode_round32);
    volatile float r = (float)x;
    host_rounding(0);
    return b32(r);
}
static int64_t low_bits(uint64_t c, unsigned bits)
{
    return (int64_t)(c >> 32 << (64 - bits)) >> (64 - bits);
}
static uint64_t ldexp32(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b;
    volatile double x = (double)in32(a); /* exact; one rounding at the end */
    volatile double scaled = x * ldexp(1.0, (int)low_bits(c, 7));
    host_rounding(mode_round32);
    volatile float r = (float)scaled;
    host_rounding(0);
    return out32(r);
}
static uint64_t ldexp64(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b;
    volatile double x = in64(a);
    volatile int n = (int)low_bits(c, 12);
    host_rounding(mode_round64);
    volatile double r = ldexp(x, n);
    host_rounding(0);
    return out64(r);
}

/* Where nothing but the format's own range decides: NaN to 0 with DX10_CLAMP. */
static uint64_t clamp32(uint64_t x)
{
    float f = f32(x);
    return f != f ? (dx10 ? 0 : x) : f > 1 ? b32(1) : f > 0 ? x : 0;
}
static uint64_t clamp64(uint64_t x)
{
    double f = f64(x);
    return f != f ? (dx10 ? 0 : x) : f > 1 ? b64(1) : f > 0 ? x : 0;
}
static uint64_t addclamp32(uint64_t a, uint64_t b, uint64_t c) { return clamp32(add32(a, b, c)); }
static uint64_t addclamp64(uint64_t a, uint64_t b, uint64_t c) { return clamp64(add64(a, b, c)); }
/* Output modifiers: not with IEEE, not where denormal results are kept; -0 becomes +0. */
static uint64_t mul2_32(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = mul32(a, b, c);
    if (ieee || mode_denorm32 & 2)
        return x;
    x = flush32(b32(f32(x) * 2), false);
    return x == 0x80000000 ? 0 : x;
}
static uint64_t mul4_64(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = fma64(a, b, c);
    if (ieee || mode_denorm64 & 2)
        return x;
    x = flush64(b64(f64(x) * 4), false);
    return x == 0x8000000000000000 ? 0 : x;
}

/* ---- f16: integers ------------------------------------------------------------------------- */

typedef __int128 wide;
#define UNIT 48
static wide magnitude[0x7c01]; /* of each pattern, in units of 2^-48; the last: where infinity begins */

static void make_magnitudes(void)
{
    for (unsigned i = 0; i <= 0x7c00; i++) {
        const unsigned e = i >> 10, m = i & 0x3ff;
        magnitude[i] = (wide)(e ? m | 0x400 : m) << ((e ? e : 1) - 25 + UNIT);
    }
}

static bool nan16(unsigned x) { return (x & 0x7fff) > 0x7c00; }
static bool inf16(unsigned x) { return (x & 0x7fff) == 0x7c00; }
static unsigned in16(uint64_t x)
{
    x &= 0xffff;
    return (unsigned)(!(mode_denorm64 & 1) && !(x & 0x7c00) ? x & 0x8000 : x);
}
static wide value16(unsigned x) { return x & 0x8000 ? -magnitude[x & 0x7fff] : magnitude[x]; }

/* v / 2^UNIT, plus a bit below if `more`, rounded. */
static unsigned round16(wide v, bool more, bool negative, unsigned mode)
{
    const unsigned sign = negative ? 0x8000 : 0;
    unsigned lo = 0, hi = 0x7c00;
    if (v >= magnitude[0x7c00]) {
        bool away = mode == 0 || (mode == 1 && !sign) || (mode == 2 && sign);
        return sign | (away && !ovfl ? 0x7c00 : 0x7bff);
    }
    while (hi - lo > 1) {
        unsigned mid = (lo + hi) / 2;
        if (magnitude[mid] <= v)
            lo = mid;
        else
            hi = mid;
    }
    const wide twice = 2 * (v - magnitude[lo]), gap = magnitude[lo + 1] - magnitude[lo];
    const bool exact = twice == 0 && !more;
    bool up = mode == 0 ? twice > gap || (twice == gap && (more || lo & 1)) : mode == 1 ? !exact && !sign : mode == 2 ? !exact && sign : false;
    unsigned r = lo + up;
    if (r == 0x7c00 && ovfl)
        r = 0x7bff;
    if (!(r & 0x7c00) && !(mode_denorm64 & 2))
        r = 0;
    return sign | r;
}

static unsigned sum16(wide v, bool zero_negative)
{
    return v == 0 ? (zero_negative ? 0x8000 : 0) : round16(v < 0 ? -v : v, false, v < 0, mode_round64);
}

static unsigned fma16(unsigned a, unsigned b, unsigned c)
{
    const unsigned sign = (a ^ b) & 0x8000;
    if (nan16(a) || nan16(b) || nan16(c))
        return 0x7e00;
    if (inf16(a) || inf16(b)) {
        if (!(a & 0x7fff) || !(b & 0x7fff) || (inf16(c) && (c & 0x8000) != sign))
            return 0x7e00;
        return sign | 0x7c00;
    }
    if (inf16(c))
        return c;
    /* Both factors in units of 2^-24. */
    const wide product = (value16(a) >> (UNIT - 24)) * (value16(b) >> (UNIT - 24));
    const bool zeros = product == 0 && !(c & 0x7fff);
    return sum16(product + value16(c), zeros ? (sign == (c & 0x8000) ? sign != 0 : mode_round64 == 2) : mode_round64 == 2);
}
static unsigned add16(unsigned a, unsigned b)
{
    return fma16(a, 0x3c00, b);
}
static unsigned mul16(unsigned a, unsigned b)
{
    const unsigned sign = (a ^ b) & 0x8000;
    const unsigned r = fma16(a, b, sign); /* a zero of the product's sign changes nothing */
    return r;
}
static uint64_t op_add16(uint64_t a, uint64_t b, uint64_t c) { (void)c; return add16(in16(a), in16(b)); }
static uint64_t op_mul16(uint64_t a, uint64_t b, uint64_t c) { (void)c; return mul16(in16(a), in16(b)); }
static uint64_t op_fma16(uint64_t a, uint64_t b, uint64_t c) { return fma16(in16(a), in16(b), in16(c)); }
static uint64_t pk_add16(uint64_t a, uint64_t b, uint64_t c) { return op_add16(a, b, c) | op_add16(a >> 16, b >> 16, 0) << 16; }
static uint64_t pk_mul16(uint64_t a, uint64_t b, uint64_t c) { return op_mul16(a, b, c) | op_mul16(a >> 16, b >> 16, 0) << 16; }
static uint64_t pk_fma16(uint64_t a, uint64_t b, uint64_t c) { return op_fma16(a, b, c) | op_fma16(a >> 16, b >> 16, c >> 16) << 16; }
static unsigned clamp16(unsigned x) { return nan16(x) ? (dx10 ? 0 : x) : x & 0x8000 ? 0 : x > 0x3c00 ? 0x3c00 : x; }
static uint64_t addclamp16(uint64_t a, uint64_t b, uint64_t c) { return clamp16((unsigned)op_add16(a, b, c)); }
static uint64_t half16(uint64_t a, uint64_t b, uint64_t c)
{
    unsigned x = (unsigned)op_mul16(a, b, c);
    if (ieee || mode_denorm64 & 2 || nan16(x) || inf16(x))
        return x;
    x = (x & 0x7c00) > 0x400 ? x - 0x400 : 0; /* halves below the smallest normal number are flushed */
    return x;
}

static uint64_t cvt_f16_f32(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    const float x = in32(a);
    const bool negative = (a >> 31 & 1) != 0;
    if (x != x)
        return 0x7e00;
    if (isinf(x))
        return negative ? 0xfc00 : 0x7c00;
    if (x == 0)
        return negative ? 0x8000 : 0;
    const double scaled = ldexp(fabs((double)x), UNIT); /* exact; below 2^100 or so */
    if (scaled >= 0x1p100)
        return round16((wide)1 << 100, false, negative, mode_round64);
    const wide v = (wide)scaled;
    return round16(v, (double)v != scaled, negative, mode_round64);
}
static uint64_t cvt_f32_f16(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    const unsigned x = in16(a);
    const uint64_t sign = (uint64_t)(x & 0x8000) << 16;
    if (nan16(x))
        return 0x7fc00000;
    return inf16(x) ? sign | 0x7f800000 : sign | b32((float)ldexp((double)magnitude[x & 0x7fff], -UNIT));
}
static uint64_t cvt_f16_u16(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    return sum16((wide)(a & 0xffff) << UNIT, false);
}
static uint64_t cvt_f16_i16(uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    return sum16((wide)(int16_t)(uint16_t)a * ((wide)1 << UNIT), false);
}

/* ---- bfloat16: sums in double, rounded to odd, so that the second rounding is the only one that counts ------------ */

static bool nanbf(unsigned x) { return (x & 0x7fff) > 0x7f80; }
static double bf(uint64_t x) { return f32((x & 0xffff) << 16); }
static double inbf(uint64_t x) { return f32(flush32((x & 0xffff) << 16, mode_denorm32 & 1)); }

/* a * b + c; the last bit is set where the sum is not exact. */
static double odd(double a, double b, double c)
{
    volatile double x = a, y = b, z = c, r;
    fesetround(FE_TOWARDZERO);
    feclearexcept(FE_ALL_EXCEPT);
    r = fma(x, y, z);
    const bool inexact = fetestexcept(FE_INEXACT);
    fesetround(FE_TONEAREST);
    if (r == 0) {
        const bool product = signbit(x) != signbit(y), sum = product == !!signbit(z) ? product : mode_round32 == 2;
        return sum ? -0.0 : 0.0;
    }
    return isfinite(r) && inexact ? f64(b64(r) | 1) : r;
}
static unsigned roundbf(double v, unsigned mode, bool keep)
{
    const unsigned sign = signbit(v) ? 0x8000 : 0;
    if (v != v)
        return 0x7fc0;
    if (v == 0 || isinf(v))
        return sign | (v == 0 ? 0 : 0x7f80);
    int e = ilogb(v);
    const int unit = (e < -126 ? -126 : e) - 7;
    const double scaled = ldexp(fabs(v), -unit), low = floor(scaled), rest = scaled - low;
    const bool up = mode == 0 ? rest > 0.5 || (rest == 0.5 && fmod(low, 2) != 0) : mode == 1 ? rest > 0 && !sign : mode == 2 ? rest > 0 && sign : false;
    const double r = ldexp(low + up, unit);
    if (r >= 0x1p128)
        return sign | (mode == 0 || (mode == 1 && !sign) || (mode == 2 && sign) ? 0x7f80 : 0x7f7f);
    const unsigned x = (unsigned)(b32((float)r) >> 16);
    return sign | (!keep && !(x & 0x7f80) ? 0 : x);
}
static unsigned outbf(double v) { return roundbf(v, mode_round32, mode_denorm32 & 2); }
static unsigned addbf(uint64_t a, uint64_t b) { return outbf(odd(inbf(a), 1, inbf(b))); }
static unsigned mulbf(uint64_t a, uint64_t b)
{
    const double x = inbf(a), y = inbf(b);
    return outbf(odd(x, y, signbit(x) != signbit(y) ? -0.0 : 0.0));
}
static unsigned fmabf(uint64_t a, uint64_t b, uint64_t c) { return outbf(odd(inbf(a), inbf(b), inbf(c))); }
/* The number where one is a NaN; -0 is less than +0. */
static unsigned lessbf(uint64_t a, uint64_t b, bool larger)
{
    const double x = inbf(a), y = inbf(b);
    if (x != x || y != y)
        return outbf(x != x ? y : x);
    const bool first = x == y ? !!signbit(x) : x < y;
    return outbf(first != larger ? x : y);
}
static uint64_t pair(unsigned low, unsigned high) { return low | (uint64_t)high << 16; }
static uint64_t pkadd(uint64_t a, uint64_t b, uint64_t c) { (void)c; return pair(addbf(a, b), addbf(a >> 16, b >> 16)); }
static uint64_t pkmul(uint64_t a, uint64_t b, uint64_t c) { (void)c; return pair(mulbf(a, b), mulbf(a >> 16, b >> 16)); }
static uint64_t pkfma(uint64_t a, uint64_t b, uint64_t c) { return pair(fmabf(a, b, c), fmabf(a >> 16, b >> 16, c >> 16)); }
static uint64_t pkaddneg(uint64_t a, uint64_t b, uint64_t c) { return pkadd(a ^ 0x8000, b ^ 0x80000000, c); }
static unsigned clampbf(unsigned x) { return nanbf(x) || x & 0x8000 ? 0 : x > 0x3f80 ? 0x3f80 : x; }
static uint64_t pkfmaclamp(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t x = pkfma(a, b, c);
    return pair(clampbf((unsigned)x & 0xffff), clampbf((unsigned)(x >> 16)));
}
static uint64_t pkmin(uint64_t a, uint64_t b, uint64_t c) { (void)c; return pair(lessbf(a, b, false), lessbf(a >> 16, b >> 16, false)); }
static uint64_t pkmax(uint64_t a, uint64_t b, uint64_t c) { (void)c; return pair(lessbf(a, b, true), lessbf(a >> 16, b >> 16, true)); }
/* The conversion rounds to nearest and keeps denormals whatever MODE says. */
static uint64_t cvtpkbf(uint64_t a, uint64_t b, uint64_t c) { (void)c; return pair(roundbf(f32(a), 0, true), roundbf(f32(b), 0, true)); }
static uint64_t cvtpkneg(uint64_t a, uint64_t b, uint64_t c) { return cvtpkbf(a ^ 0x80000000, b & 0x7fffffff, c); }
static uint64_t cvt32bf(uint64_t a, uint64_t b, uint64_t c) { (void)b, (void)c; return b32((float)bf(a)); }
/* Two factors of 16 bits, a sum of 32. */
static uint64_t mixbf(uint64_t a, uint64_t b, uint64_t c) { return fma32(b32((float)bf(a)), b32((float)bf(b)), c); }
static uint64_t mixlobf(uint64_t a, uint64_t b, uint64_t c) { return outbf(f32(mixbf(a, b, c))); }

struct operation {
    const char *name;
    oracle *f;
    unsigned kind; /* 16, 17 (bfloat16), 32, 64: where a NaN may be; 1616, 1717: in either half */
};

/* In the kernel's order. */
static const struct operation bf_ops[] = {
    { "v_cvt_pk_bf16_f32", cvtpkbf, 1717 }, { "v_cvt_pk_bf16_f32 -, ||", cvtpkneg, 1717 }, /* gfx950 has these two */
    { "v_pk_add_bf16", pkadd, 1717 }, { "v_pk_mul_bf16", pkmul, 1717 }, { "v_pk_fma_bf16", pkfma, 1717 },
    { "v_pk_add_bf16 neg", pkaddneg, 1717 }, { "v_pk_fma_bf16 clamp", pkfmaclamp, 1717 },
    { "v_pk_min_num_bf16", pkmin, 1717 }, { "v_pk_max_num_bf16", pkmax, 1717 },
    { "v_cvt_f32_bf16", cvt32bf, 32 }, { "v_fma_mix_f32_bf16", mixbf, 32 }, { "v_fma_mixlo_bf16", mixlobf, 17 },
};
enum { BF_OPS = sizeof bf_ops / sizeof *bf_ops, BF_CONVERSIONS = 2 };

/* In the kernel's order. */
static const struct operation ops[] = {
    { "v_add_f32", add32, 32 }, { "v_sub_f32", sub32, 32 }, { "v_mul_f32", mul32, 32 }, { "v_fma_f32", fma32, 32 },
    { "v_add_f64", add64, 64 }, { "v_mul_f64", mul64, 64 }, { "v_fma_f64", fma64, 64 },
    { "v_add_f16", op_add16, 16 }, { "v_mul_f16", op_mul16, 16 }, { "v_fma_f16", op_fma16, 16 },
    { "v_pk_add_f16", pk_add16, 1616 }, { "v_pk_mul_f16", pk_mul16, 1616 }, { "v_pk_fma_f16", pk_fma16, 1616 },
    { "v_cvt_f16_f32", cvt_f16_f32, 16 }, { "v_cvt_f32_f16", cvt_f32_f16, 32 }, { "v_cvt_f32_f64", cvt_f32_f64, 32 },
    { "v_cvt_f64_f32", cvt_f64_f32, 64 }, { "v_cvt_f32_u32", cvt_f32_u32, 32 }, { "v_cvt_f32_i32", cvt_f32_i32, 32 },
    { "v_cvt_f16_u16", cvt_f16_u16, 16 }, { "v_cvt_f16_i16", cvt_f16_i16, 16 },
    { "v_ldexp_f32", ldexp32, 32 }, { "v_ldexp_f64", ldexp64, 64 },
    { "v_add_f32 clamp", addclamp32, 32 }, { "v_mul_f32 mul:2", mul2_32, 32 }, { "v_add_f64 clamp", addclamp64, 64 },
    { "v_add_f16 clamp", addclamp16, 16 }, { "v_mul_f16 div:2", half16, 16 }, { "v_fma_f64 mul:4", mul4_64, 64 },
    { "v_add_f32_sdwa", negadd32, 32 }, { "v_mul_f32_dpp", mulabs32, 32 },
};
enum { OPS = sizeof ops / sizeof *ops };

/* ---- inputs ------------------------------------------------------------------------------------ */

/* Patterns that are interesting in every width that looks at them. */
static uint64_t pattern(void)
{
    uint64_t x = random64();
    switch (random64() % 12) {
    case 0: return x & 0x8000000080008000; /* zeros */
    case 1: return (x & 0x800fffff807f83ff) | 0x7ff000007f807c00; /* NaNs */
    case 2: return (x & 0x8000000080008000) | 0x7ff000007f807c00;
    case 3: return x & 0x800fffff807f83ff; /* denormal */
    case 4: return (x & 0x801fffff80ff87ff); /* next to the denormals */
    case 5: return (x & 0x801fffff80ff87ff) | 0x7fe000007f007800; /* next to the infinities */
    case 6: return (x & 0x803fffff81ff8fff) | 0x3fd000003f003800; /* around 1 */
    case 7: return (x & 0x8000000780000007) | 0x3ff000003f803c00;
    case 8: return (x & 0x800000008000803f) | 0x47f0000033003800; /* few bits: ties */
    default: return x;
    }
}

static bool same(unsigned kind, uint64_t got, uint64_t want)
{
    if (kind == 1616)
        return same(16, got & 0xffff, want & 0xffff) && same(16, got >> 16, want >> 16);
    if (kind == 1717)
        return same(17, got & 0xffff, want & 0xffff) && same(17, got >> 16, want >> 16);
    if (kind == 17 && nanbf((unsigned)want))
        return (got & ~UINT64_C(0x8000)) >> 6 == 0x7fc0 >> 6;
    if (kind == 16 && nan16((unsigned)want))
        return (got & ~UINT64_C(0x8000)) >> 9 == 0x7e00 >> 9;
    if (kind == 32 && f32(want) != f32(want))
        return f32(got) != f32(got) && got & 0x400000 && got >> 32 == 0;
    if (kind == 64 && f64(want) != f64(want))
        return f64(got) != f64(got) && got & 0x8000000000000;
    return got == want;
}

struct machine {
    const struct operation *ops;
    unsigned op_count;
    struct codeobj_elf *elf;
    struct codeobj_device *device;
    uint64_t in, out;
};

static void run_mode(struct machine *m, const char *cpu, uint64_t (*in)[3], unsigned mode, unsigned *wrong)
{
    struct {
        uint64_t in, out;
        uint32_t mode, ovfl;
    } args = { m->in, m->out, mode, ovfl };
    static uint64_t got[OPS][LANES];
    struct codeobj_diag diag = { 0 };
    const struct codeobj_dispatch d = { .size = sizeof d, .kernel = "modes", .grid = { LANES }, .workgroup = { LANES }, .kernarg = &args,
                                        .kernarg_size = sizeof args, .threads = 1 };
    codeobj_device_write(m->device, m->in, in, LANES * 24, NULL);
    if (codeobj_device_dispatch(m->device, &d, NULL, &diag) != CODEOBJ_OK)
        fail_msg("%s: %s", cpu, diag.text);
    codeobj_device_read(m->device, m->out, got, sizeof got, NULL);
    for (unsigned o = 0; o < m->op_count; o++)
        for (unsigned i = 0; i < LANES; i++) {
            const uint64_t want = m->ops[o].f(in[i][0], in[i][1], in[i][2]);
            if (!same(m->ops[o].kind, got[o][i], want) && (*wrong)++ < 20)
                print_message("# %s %s, MODE 0x%x, ovfl %d: %016llx %016llx %016llx: got %llx, expected %llx\n", cpu, m->ops[o].name, mode, ovfl,
                              (unsigned long long)in[i][0], (unsigned long long)in[i][1], (unsigned long long)in[i][2],
                              (unsigned long long)got[o][i], (unsigned long long)want);
        }
}

static void all_modes(const char *cpu, const char *kernels, const struct operation *list, unsigned count)
{
    struct machine m = { .ops = list, .op_count = count };
    struct codeobj_target target;
    char path[80];
    unsigned wrong = 0;
    snprintf(path, sizeof path, "fixtures/machine/%s-%s.co", kernels, cpu);
    assert_int_equal(codeobj_elf_open_file(path, NULL, &m.elf, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_target_parse(cpu, &target, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_new(&target, NULL, &m.device, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_load(m.device, m.elf, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_alloc(m.device, LANES * 24, "in", &m.in, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_alloc(m.device, OPS * 512, "out", &m.out, NULL), CODEOBJ_OK);
    for (unsigned mode = 0; mode < 1024; mode++) {
        uint64_t in[LANES][3];
        mode_round32 = mode & 3, mode_round64 = mode >> 2 & 3, mode_denorm32 = mode >> 4 & 3, mode_denorm64 = mode >> 6 & 3;
        dx10 = mode >> 8 & 1, ieee = mode >> 9 & 1, ovfl = random64() & 1;
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned k = 0; k < 3; k++)
                in[i][k] = pattern();
        for (unsigned i = 0; i < LANES; i += 8) /* sums that cancel */
            in[i][1] = in[i][0] ^ 0x8000000080008000 ^ (random64() & 3);
        run_mode(&m, cpu, in, mode, &wrong);
    }
    codeobj_device_free(m.device);
    codeobj_elf_free(m.elf);
    assert_int_equal(wrong, 0);
}

static void gfx900(void **state) { (void)state; all_modes("gfx900", "modes", ops, OPS); }
static void gfx90a(void **state) { (void)state; all_modes("gfx90a", "modes", ops, OPS); }
static void gfx950(void **state) { (void)state; all_modes("gfx950", "modes", ops, OPS); }

static void bf16_gfx950(void **state) { (void)state; all_modes("gfx950", "modes_bf16", bf_ops, BF_CONVERSIONS); }
static void bf16_gfx1250(void **state) { (void)state; all_modes("gfx1250", "modes_bf16", bf_ops, BF_OPS); }

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(gfx900), cmocka_unit_test(gfx90a), cmocka_unit_test(gfx950),
                                        cmocka_unit_test(bf16_gfx950), cmocka_unit_test(bf16_gfx1250) };
    make_magnitudes();
    return cmocka_run_group_tests_name("exec_modes", tests, NULL, NULL) != 0;
}

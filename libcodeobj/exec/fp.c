/* SPDX-License-Identifier: MIT
 *
 * exec/fp.c - exact arithmetic with one rounding, for every format.
 *
 * A number is unpacked into sign, exponent and a 128-bit integer significand
 * (value = sig * 2^exp), worked on without loss (lost bits are ORed into bit 0, which
 * lies far below any rounding position) and packed with one rounding.
 *
 * IEEE 754-2019 rules the results; fp.h lists what it leaves open.
 */
#include "exec/fp.h"

typedef unsigned __int128 u128;

const struct co_fmt co_fmt_f16 = { 16, 10, 5, 15, CO_FMT_IEEE };
const struct co_fmt co_fmt_bf16 = { 16, 7, 8, 127, CO_FMT_IEEE };
const struct co_fmt co_fmt_f32 = { 32, 23, 8, 127, CO_FMT_IEEE };
const struct co_fmt co_fmt_f64 = { 64, 52, 11, 1023, CO_FMT_IEEE };
const struct co_fmt co_fmt_fp8 = { 8, 3, 4, 7, CO_FMT_FN };
const struct co_fmt co_fmt_bf8 = { 8, 2, 5, 15, CO_FMT_IEEE };
const struct co_fmt co_fmt_e5m3 = { 9, 3, 5, 15, CO_FMT_FN };
const struct co_fmt co_fmt_fp8_fnuz = { 8, 3, 4, 8, CO_FMT_FNUZ };
const struct co_fmt co_fmt_bf8_fnuz = { 8, 2, 5, 16, CO_FMT_FNUZ };
const struct co_fmt co_fmt_fp6 = { 6, 3, 2, 1, CO_FMT_FINITE };
const struct co_fmt co_fmt_bf6 = { 6, 2, 3, 3, CO_FMT_FINITE };
const struct co_fmt co_fmt_fp4 = { 4, 1, 2, 1, CO_FMT_FINITE };

enum cls { ZERO, FINITE, INF, NAN_ };

struct num {
    enum cls cls;
    bool sign;
    int exp;     /* FINITE: value = sig * 2^exp */
    u128 sig;
    uint64_t payload; /* NAN: fraction bits, aligned to the top of 52 */
};

static inline uint64_t ones(unsigned n)
{
    return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

static inline uint64_t sign_bit(const struct co_fmt *f)
{
    return (uint64_t)1 << (f->bits - 1);
}

static int top_bit(u128 x)
{
    uint64_t hi = (uint64_t)(x >> 64);
    return hi ? 127 - __builtin_clzll(hi) : 63 - __builtin_clzll((uint64_t)x);
}

static u128 shift_jam(u128 x, int n)
{
    if (n <= 0)
        return x;
    if (n > 127)
        return x != 0;
    return x >> n | ((x & (((u128)1 << n) - 1)) != 0);
}

static struct num unpack(const struct co_fmt *f, uint64_t a, struct co_fp m)
{
    struct num n = { .sign = a >> (f->bits - 1) & 1 };
    uint64_t frac = a & ones(f->mant), exp = a >> f->mant & ones(f->exp);
    bool top = exp == ones(f->exp);
    if (f->kind == CO_FMT_FNUZ && (a & ones(f->bits)) == sign_bit(f)) {
        n.cls = NAN_;
        n.sign = false;
    } else if ((f->kind == CO_FMT_IEEE && top && frac) || (f->kind == CO_FMT_FN && top && frac == ones(f->mant))) {
        n.cls = NAN_;
        n.payload = frac << (52 - f->mant);
    } else if (f->kind == CO_FMT_IEEE && top) {
        n.cls = INF;
    } else if (exp == 0 && (frac == 0 || !(m.denorm & 1))) {
        n.cls = ZERO;
    } else {
        n.cls = FINITE;
        n.sig = frac | (exp ? (uint64_t)1 << f->mant : 0);
        n.exp = (int)(exp ? exp : 1) - f->bias - f->mant;
    }
    return n;
}

static uint64_t pack_nan(const struct co_fmt *f, const struct num *n)
{
    if (f->kind == CO_FMT_FNUZ)
        return sign_bit(f);
    if (f->kind == CO_FMT_FN)
        return (n->sign ? sign_bit(f) : 0) | ones(f->bits - 1);
    if (f->kind == CO_FMT_FINITE)
        return (n->sign ? sign_bit(f) : 0) | ones(f->bits - 1); /* fp6 and fp4 have none: the largest */
    uint64_t frac = n->payload >> (52 - f->mant) | (uint64_t)1 << (f->mant - 1);
    return (n->sign ? sign_bit(f) : 0) | ones(f->exp) << f->mant | frac;
}

/* Largest finite pattern, without sign. */
static uint64_t max_finite(const struct co_fmt *f)
{
    switch (f->kind) {
    case CO_FMT_IEEE: return (ones(f->exp) << f->mant) - 1;
    case CO_FMT_FN: return ones(f->bits - 1) - 1;
    default: return ones(f->bits - 1);
    }
}

static uint64_t pack_inf(const struct co_fmt *f, bool sign)
{
    uint64_t s = sign ? sign_bit(f) : 0;
    switch (f->kind) {
    case CO_FMT_IEEE: return s | ones(f->exp) << f->mant;
    case CO_FMT_FN: return s | ones(f->bits - 1); /* overflow is NaN */
    case CO_FMT_FNUZ: return sign_bit(f);
    default: return s | max_finite(f);
    }
}

static uint64_t pack_zero(const struct co_fmt *f, bool sign)
{
    return sign && f->kind != CO_FMT_FNUZ ? sign_bit(f) : 0;
}

/* Should the magnitude grow by one?  rest: the bits cut off, half: their middle. */
static bool round_up(struct co_fp m, bool sign, bool odd, u128 rest, u128 half)
{
    switch (m.round) {
    case 0: return rest > half || (rest == half && odd);
    case 1: return !sign && rest;
    case 2: return sign && rest;
    default: return false;
    }
}

static uint64_t pack(const struct co_fmt *f, bool sign, int exp, u128 sig, struct co_fp m)
{
    if (sig == 0)
        return pack_zero(f, sign);
    int emin = 1 - f->bias, e = exp + top_bit(sig);
    int lsb = (e < emin ? emin : e) - f->mant;
    u128 q;
    if (lsb <= exp) {
        q = sig << (exp - lsb); /* exact; fits: e - lsb <= mant */
    } else {
        int n = lsb - exp;
        u128 rest, half;
        if (n > 127) {
            q = 0;
            rest = 1; /* below half of the smallest denormal */
            half = 2;
        } else {
            q = sig >> n;
            rest = sig & (((u128)1 << n) - 1);
            half = (u128)1 << (n - 1);
        }
        if (round_up(m, sign, q & 1, rest, half))
            q++;
    }
    uint64_t s = pack_zero(f, sign);
    /* With the hidden bit added in, a carry moves into the exponent by itself. */
    uint64_t mag = (uint64_t)q;
    bool huge = e - emin > (int)ones(f->exp); /* would not fit above the fraction */
    if (e >= emin && !huge)
        mag += (uint64_t)(e - emin) << f->mant;
    if (huge || mag > max_finite(f)) {
        bool away = !m.saturate && (m.round == 0 || (m.round == 1 && !sign) || (m.round == 2 && sign));
        return away ? pack_inf(f, sign) : (sign ? sign_bit(f) : 0) | max_finite(f);
    }
    if (mag >> f->mant == 0 && !(m.denorm & 2))
        return s;
    if (mag == 0)
        return s;
    return (sign ? sign_bit(f) : 0) | mag;
}

static uint64_t pack_num(const struct co_fmt *f, const struct num *n, struct co_fp m)
{
    switch (n->cls) {
    case ZERO: return pack_zero(f, n->sign);
    case INF: return pack_inf(f, n->sign);
    case NAN_: return pack_nan(f, n);
    default: return pack(f, n->sign, n->exp, n->sig, m);
    }
}

static uint64_t default_nan(const struct co_fmt *f)
{
    struct num n = { .cls = NAN_ };
    return pack_nan(f, &n);
}

/* Moves the top bit to bit `to`, without loss. */
static void normalize(struct num *n, int to)
{
    int up = to - top_bit(n->sig);
    n->sig = up >= 0 ? n->sig << up : shift_jam(n->sig, -up);
    n->exp -= up;
}

static struct num add(struct num a, struct num b, struct co_fp m)
{
    if (a.cls == INF || b.cls == INF)
        return a.cls == INF ? a : b;
    if (a.cls == ZERO && b.cls == ZERO) {
        a.sign = a.sign == b.sign ? a.sign : m.round == 2;
        return a;
    }
    if (a.cls == ZERO || b.cls == ZERO)
        return a.cls == ZERO ? b : a;
    normalize(&a, 125);
    normalize(&b, 125);
    if (a.exp < b.exp) {
        struct num t = a;
        a = b;
        b = t;
    }
    b.sig = shift_jam(b.sig, a.exp - b.exp);
    if (a.sign == b.sign) {
        a.sig += b.sig;
    } else if (a.sig > b.sig) {
        a.sig -= b.sig;
    } else if (a.sig < b.sig) {
        a.sig = b.sig - a.sig;
        a.sign = b.sign;
    } else {
        a.cls = ZERO;
        a.sign = m.round == 2;
    }
    return a;
}

static bool invalid_add(const struct num *a, const struct num *b)
{
    return a->cls == INF && b->cls == INF && a->sign != b->sign;
}

static struct num multiply(struct num a, struct num b)
{
    struct num r = { .sign = a.sign != b.sign };
    if (a.cls == INF || b.cls == INF) {
        r.cls = INF;
    } else if (a.cls == ZERO || b.cls == ZERO) {
        r.cls = ZERO;
    } else {
        r.cls = FINITE;
        r.sig = a.sig * b.sig; /* 53 bits each at most */
        r.exp = a.exp + b.exp;
    }
    return r;
}

static bool invalid_mul(const struct num *a, const struct num *b)
{
    return (a->cls == INF && b->cls == ZERO) || (a->cls == ZERO && b->cls == INF);
}

uint64_t co_fp_add(const struct co_fmt *f, uint64_t a, uint64_t b, struct co_fp m)
{
    struct num x = unpack(f, a, m), y = unpack(f, b, m);
    if (x.cls == NAN_ || y.cls == NAN_)
        return pack_nan(f, x.cls == NAN_ ? &x : &y);
    if (invalid_add(&x, &y))
        return default_nan(f);
    struct num r = add(x, y, m);
    return pack_num(f, &r, m);
}

uint64_t co_fp_mul(const struct co_fmt *f, uint64_t a, uint64_t b, struct co_fp m)
{
    struct num x = unpack(f, a, m), y = unpack(f, b, m);
    if (x.cls == NAN_ || y.cls == NAN_)
        return pack_nan(f, x.cls == NAN_ ? &x : &y);
    if (invalid_mul(&x, &y))
        return default_nan(f);
    struct num r = multiply(x, y);
    return pack_num(f, &r, m);
}

uint64_t co_fp_fma(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, struct co_fp m)
{
    return co_fp_fma_scaled(f, a, b, c, 0, m);
}

uint64_t co_fp_fma_scaled(const struct co_fmt *f, uint64_t a, uint64_t b, uint64_t c, int scale, struct co_fp m)
{
    struct num x = unpack(f, a, m), y = unpack(f, b, m), z = unpack(f, c, m);
    if (x.cls == NAN_ || y.cls == NAN_ || z.cls == NAN_)
        return pack_nan(f, x.cls == NAN_ ? &x : y.cls == NAN_ ? &y : &z);
    if (invalid_mul(&x, &y))
        return default_nan(f);
    struct num p = multiply(x, y);
    if (invalid_add(&p, &z))
        return default_nan(f);
    struct num r = add(p, z, m);
    r.exp += scale;
    return pack_num(f, &r, m);
}

uint64_t co_fp_div(const struct co_fmt *f, uint64_t a, uint64_t b, struct co_fp m)
{
    struct num x = unpack(f, a, m), y = unpack(f, b, m);
    if (x.cls == NAN_ || y.cls == NAN_)
        return pack_nan(f, x.cls == NAN_ ? &x : &y);
    bool sign = x.sign != y.sign;
    if ((x.cls == INF && y.cls == INF) || (x.cls == ZERO && y.cls == ZERO))
        return default_nan(f);
    if (x.cls == INF || y.cls == ZERO)
        return pack_inf(f, sign);
    if (x.cls == ZERO || y.cls == INF)
        return pack_zero(f, sign);
    normalize(&x, 126);
    normalize(&y, 60);
    u128 q = x.sig / y.sig, rest = x.sig % y.sig;
    return pack(f, sign, x.exp - y.exp, q | (rest != 0), m);
}

uint64_t co_fp_sqrt(const struct co_fmt *f, uint64_t a, struct co_fp m)
{
    struct num x = unpack(f, a, m);
    if (x.cls == NAN_)
        return pack_nan(f, &x);
    if (x.cls == ZERO)
        return pack_zero(f, x.sign);
    if (x.sign)
        return default_nan(f);
    if (x.cls == INF)
        return pack_inf(f, false);
    normalize(&x, 124);
    if (x.exp & 1) {
        x.sig <<= 1;
        x.exp--;
    }
    /* Integer square root, a bit at a time. */
    u128 root = 0, rest = x.sig;
    for (u128 bit = (u128)1 << 126; bit; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    /* Two more bits of room for the remainder's. */
    return pack(f, false, x.exp / 2 - 2, root << 2 | (rest != 0), m);
}

uint64_t co_fp_ldexp(const struct co_fmt *f, uint64_t a, int64_t exp, struct co_fp m)
{
    struct num x = unpack(f, a, m);
    if (x.cls == FINITE)
        x.exp += exp > 5000 ? 5000 : exp < -5000 ? -5000 : (int)exp;
    return pack_num(f, &x, m);
}

/* Magnitude of x as an integer, rounded. */
static u128 to_integer(const struct num *x, struct co_fp m)
{
    if (x->exp >= 0)
        return x->exp > 120 - top_bit(x->sig) ? (u128)1 << 120 : x->sig << x->exp;
    int n = -x->exp;
    if (n > 127)
        return round_up(m, x->sign, false, 1, 2);
    u128 q = x->sig >> n;
    return q + round_up(m, x->sign, q & 1, x->sig & (((u128)1 << n) - 1), (u128)1 << (n - 1));
}

uint64_t co_fp_rint(const struct co_fmt *f, uint64_t a, struct co_fp m)
{
    struct num x = unpack(f, a, m);
    if (x.cls != FINITE || x.exp >= 0)
        return pack_num(f, &x, m);
    return pack(f, x.sign, 0, to_integer(&x, m), m);
}

uint64_t co_fp_cvt(const struct co_fmt *to, const struct co_fmt *from, uint64_t a, struct co_fp in, struct co_fp out)
{
    struct num x = unpack(from, a, in);
    return pack_num(to, &x, out);
}

/* FP16_OVFL leaves true infinities alone in f16, but not in formats of 8 bits. */
static uint64_t pack_inf_saturated(const struct co_fmt *f, const struct num *n, bool saturate)
{
    if (saturate && f->bits < 16)
        return (n->sign ? sign_bit(f) : 0) | max_finite(f);
    return pack_inf(f, n->sign);
}

uint64_t co_fp_cvt_scaled(const struct co_fmt *to, const struct co_fmt *from, uint64_t a, int scale, struct co_fp out)
{
    struct num x = unpack(from, a, CO_FP_RNE);
    x.exp += scale;
    return x.cls == INF ? pack_inf_saturated(to, &x, out.saturate) : pack_num(to, &x, out);
}

uint64_t co_fp_cvt_sr(const struct co_fmt *to, const struct co_fmt *from, uint64_t a, int scale, uint32_t noise, struct co_fp in,
                      bool saturate)
{
    struct num x = unpack(from, a, in);
    if (x.cls == INF)
        return pack_inf_saturated(to, &x, saturate);
    if (x.cls != FINITE)
        return pack_num(to, &x, CO_FP_RNE);
    x.exp += scale;
    int e = x.exp + top_bit(x.sig), emin = 1 - to->bias, lsb = (e < emin ? emin : e) - to->mant;
    int low = lsb - 32;
    if (x.exp > low) {
        x.sig <<= x.exp - low;
        x.exp = low;
    }
    if (low - x.exp < 64)
        x.sig += (u128)noise << (low - x.exp);
    u128 q = lsb - x.exp > 127 ? 0 : x.sig >> (lsb - x.exp);
    /* Cut off already: only an overflow is left to decide. */
    return pack(to, x.sign, lsb, q, (struct co_fp){ 0, 3, saturate });
}

uint64_t co_fp_nan_of_sign(const struct co_fmt *f, bool sign)
{
    struct num n = { .cls = NAN_, .sign = sign };
    return pack_nan(f, &n);
}

uint64_t co_fp_from_int(const struct co_fmt *f, bool negative, uint64_t magnitude, struct co_fp m)
{
    return magnitude ? pack(f, negative, 0, magnitude, m) : 0;
}

int64_t co_fp_to_int(const struct co_fmt *f, uint64_t a, int64_t lo, uint64_t hi, struct co_fp m)
{
    struct num x = unpack(f, a, m);
    if (x.cls == NAN_ || x.cls == ZERO)
        return 0;
    uint64_t below = (uint64_t)-lo; /* magnitude of the lower end */
    u128 mag = x.cls == INF ? (u128)1 << 120 : to_integer(&x, m);
    if (x.sign)
        return mag > below ? lo : (int64_t)-(uint64_t)mag;
    return mag > hi ? (int64_t)hi : (int64_t)(uint64_t)mag;
}

uint64_t co_fp_from_double(const struct co_fmt *f, double x, struct co_fp m)
{
    struct num n = unpack(&co_fmt_f64, co_b64(x), CO_FP_RNE);
    return pack_num(f, &n, m);
}

double co_fp_to_double(const struct co_fmt *f, uint64_t a)
{
    return co_f64(co_fp_cvt(&co_fmt_f64, f, a, CO_FP_RNE, CO_FP_RNE));
}

uint64_t co_fp_flush(const struct co_fmt *f, uint64_t a)
{
    return (a >> f->mant & ones(f->exp)) == 0 ? a & sign_bit(f) : a;
}

/* ---- functions ------------------------------------------------------------------------ */

/* x / 2 turns in, sine out: the argument is reduced exactly, so that the result is good to
 * the last bits near its zeros too. */
static long double sin_turns(double x)
{
    double r = x - rint(x); /* exact, in [-1/2, 1/2] */
    double s = r < 0 ? -1 : 1;
    r = fabs(r);
    if (r > 0.25)
        r = 0.5 - r;
    return s * sinl(6.283185307179586476925286766559L * (long double)r);
}

static long double cos_turns(double x)
{
    double r = fabs(x - rint(x));
    return r > 0.125 && r < 0.375 ? sinl(6.283185307179586476925286766559L * (0.25L - (long double)r))
           : r <= 0.125           ? cosl(6.283185307179586476925286766559L * (long double)r)
                                  : -cosl(6.283185307179586476925286766559L * (0.5L - (long double)r));
}

static long double evaluate(enum co_func func, double x)
{
    switch (func) {
    case CO_FUNC_EXP2: return exp2l((long double)x);
    case CO_FUNC_LOG2: return log2l((long double)x);
    case CO_FUNC_SIN: return sin_turns(x);
    case CO_FUNC_COS: return cos_turns(x);
    case CO_FUNC_TANH: return tanhl((long double)x);
    default: return 0;
    }
}

/* A long double to a double that rounds on to f as the long double would: odd in its last
 * bit when it is not exact. */
static double to_odd(long double v)
{
    double d = (double)v;
    if ((long double)d == v || isinf(d))
        return d;
    uint64_t bits = co_b64(d);
    if (!(bits & 1)) {
        long double gone = v - (long double)d;
        bits = (gone > 0) == (d > 0 || (d == 0 && v > 0)) ? bits + 1 : bits - 1;
    }
    return co_f64(bits);
}

static uint64_t transcendental(const struct co_fmt *f, enum co_func func, struct num n, uint64_t a, struct co_fp m)
{
    if (n.cls == INF) {
        switch (func) {
        case CO_FUNC_EXP2: return n.sign ? 0 : pack_inf(f, false);
        case CO_FUNC_LOG2: return n.sign ? default_nan(f) : pack_inf(f, false);
        case CO_FUNC_TANH: return co_fp_from_double(f, n.sign ? -1 : 1, m);
        default: return default_nan(f);
        }
    }
    if (func == CO_FUNC_LOG2 && n.cls == ZERO)
        return pack_inf(f, true);
    if (func == CO_FUNC_LOG2 && n.sign)
        return default_nan(f);
    if (n.cls == ZERO && (func == CO_FUNC_SIN || func == CO_FUNC_TANH))
        return pack_zero(f, n.sign);
    double x = n.cls == ZERO ? 0 : co_fp_to_double(f, a);
    if (func == CO_FUNC_EXP2 && (x > 2000 || x < -2000))
        return x > 0 ? pack(f, false, 4000, 1, m) : pack(f, false, -4000, 1, m);
    return co_fp_from_double(f, to_odd(evaluate(func, x)), m);
}

uint64_t co_fp_func(const struct co_fmt *f, enum co_func func, uint64_t a, struct co_fp m)
{
    struct num n = unpack(f, a, m);
    if (n.cls == NAN_)
        return pack_nan(f, &n);
    uint64_t one = (uint64_t)f->bias << f->mant;
    switch (func) {
    case CO_FUNC_RCP: return co_fp_div(f, one, a, m);
    case CO_FUNC_SQRT: return co_fp_sqrt(f, a, m);
    case CO_FUNC_RSQ: {
        if (n.cls == ZERO)
            return pack_inf(f, n.sign);
        if (n.sign)
            return default_nan(f);
        if (n.cls == INF)
            return 0;
        /* 1/sqrt(x) = sqrt(1/x): the quotient to 120 bits, its root to 60. */
        normalize(&n, 63);
        int exp = -n.exp;
        u128 q = ~(u128)0 / n.sig; /* 2^128 / sig, 65 bits at most */
        exp -= 128;
        int up = 125 - top_bit(q);
        q <<= up;
        exp -= up;
        struct num r = { .cls = FINITE, .sig = q, .exp = exp };
        normalize(&r, 124);
        if (r.exp & 1) {
            r.sig <<= 1;
            r.exp--;
        }
        u128 root = 0, rest = r.sig;
        for (u128 bit = (u128)1 << 126; bit; bit >>= 2) {
            if (rest >= root + bit) {
                rest -= root + bit;
                root = (root >> 1) + bit;
            } else {
                root >>= 1;
            }
        }
        /* Exact only for powers of four, where the quotient's truncation shows: 0x7fff... */
        bool exact = (n.sig & (n.sig - 1)) == 0 && ((-n.exp - 63) & 1) == 0;
        if (exact)
            return pack(f, false, (-n.exp - 63) / 2, 1, m);
        return pack(f, false, r.exp / 2 - 2, root << 2 | 1, m);
    }
    default: return transcendental(f, func, n, a, m);
    }
}

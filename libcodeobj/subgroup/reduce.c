/* SPDX-License-Identifier: MIT
 *
 * subgroup/reduce.c - reductions over the lanes of a wave.
 *
 * Float comparisons work on the bit patterns: a pattern with its lower bits
 * flipped when negative orders as a signed integer does, which puts -0 below +0
 * and is the same for every format.
 */
#include "subgroup/subgroup.h"

/* ---- integers ---- */

/* One step in `bits` bits; a and b have no bits above them. */
static uint64_t step_int(enum codeobj_reduce op, unsigned bits, uint64_t a, uint64_t b)
{
    const unsigned up = 64 - bits;
    const int64_t sa = (int64_t)(a << up), sb = (int64_t)(b << up);
    switch (op) {
    case CODEOBJ_REDUCE_ADD: return a + b;
    case CODEOBJ_REDUCE_SUB: return a - b;
    case CODEOBJ_REDUCE_MIN: return sb < sa ? b : a;
    case CODEOBJ_REDUCE_MAX: return sb > sa ? b : a;
    case CODEOBJ_REDUCE_UMIN: return b < a ? b : a;
    case CODEOBJ_REDUCE_UMAX: return b > a ? b : a;
    case CODEOBJ_REDUCE_AND: return a & b;
    case CODEOBJ_REDUCE_OR: return a | b;
    case CODEOBJ_REDUCE_XOR: return a ^ b;
    default: break;
    }
    /* ABSMAX: a is a magnitude already.  Negating the most negative value gives itself. */
    uint64_t magnitude = (sb < 0 ? 0 - b : b) << up >> up;
    return magnitude > a ? magnitude : a;
}

static uint64_t identity_int(enum codeobj_reduce op, unsigned bits)
{
    const uint64_t all = ~UINT64_C(0) >> (64 - bits);
    switch (op) {
    case CODEOBJ_REDUCE_MIN: return all >> 1;
    case CODEOBJ_REDUCE_MAX: return all ^ all >> 1;
    case CODEOBJ_REDUCE_UMIN:
    case CODEOBJ_REDUCE_AND: return all;
    default: return 0;
    }
}

/* ---- floats ---- */

struct layout {
    unsigned bits;
    uint64_t infinity, quiet_nan;
};

static const struct layout layouts[] = {
    [CODEOBJ_FLOAT_F32] = { 32, 0x7f800000, 0x7fc00000 },
    [CODEOBJ_FLOAT_F16] = { 16, 0x7c00, 0x7e00 },
    [CODEOBJ_FLOAT_BF16] = { 16, 0x7f80, 0x7fc0 },
};
static const struct layout layout_f64 = { 64, UINT64_C(0x7ff) << 52, UINT64_C(0xfff) << 51 };

static uint64_t sign_bit(const struct layout *f)
{
    return UINT64_C(1) << (f->bits - 1);
}

static bool is_nan(const struct layout *f, uint64_t x)
{
    return (x & ~sign_bit(f)) > f->infinity;
}

static bool float_less(const struct layout *f, uint64_t a, uint64_t b)
{
    const unsigned up = 64 - f->bits;
    int64_t x = (int64_t)(a << up), y = (int64_t)(b << up);
    return (x < 0 ? x ^ INT64_MAX : x) < (y < 0 ? y ^ INT64_MAX : y);
}

/* The minimum or maximum of the lanes of mask; a quiet NaN when there is no number. */
static uint64_t reduce_minmax(enum codeobj_reduce op, const struct layout *f, bool nanp, const uint64_t *value,
                              uint64_t mask)
{
    bool have = false, nan = false;
    uint64_t best = 0;
    for (unsigned i = 0; i < CODEOBJ_LANES_MAX; i++) {
        if (!co_lane_in(mask, i))
            continue;
        uint64_t x = op == CODEOBJ_REDUCE_FABSMAX ? value[i] & ~sign_bit(f) : value[i];
        if (is_nan(f, x)) {
            nan = true;
            continue;
        }
        if (!have || (op == CODEOBJ_REDUCE_FMIN ? float_less(f, x, best) : float_less(f, best, x)))
            best = x;
        have = true;
    }
    return (nan && nanp) || !have ? f->quiet_nan : best;
}

static uint32_t add_f32(uint32_t a, uint32_t b, bool subtract)
{
    float x, y;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    x = subtract ? x - y : x + y;
    memcpy(&a, &x, 4);
    return a;
}

static uint64_t add_f64(uint64_t a, uint64_t b, bool subtract)
{
    double x, y;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x = subtract ? x - y : x + y;
    memcpy(&a, &x, 8);
    return a;
}

/* Sum, or difference from 0 (subtract), of the lanes of mask in their order.  The first NaN stays, made quiet. */
static uint64_t reduce_fadd(bool subtract, unsigned bits, const uint64_t *value, uint64_t mask)
{
    const struct layout *f = bits == 64 ? &layout_f64 : &layouts[CODEOBJ_FLOAT_F32];
    uint64_t acc = subtract ? 0 : sign_bit(f);
    for (unsigned i = 0; i < CODEOBJ_LANES_MAX && !is_nan(f, acc); i++) {
        if (!co_lane_in(mask, i))
            continue;
        if (is_nan(f, value[i])) {
            acc = value[i] | f->quiet_nan;
            continue;
        }
        const uint64_t next = bits == 64 ? add_f64(acc, value[i], subtract) : add_f32((uint32_t)acc, (uint32_t)value[i], subtract);
        acc = is_nan(f, next) ? f->quiet_nan : next; /* of infinities */
    }
    return acc;
}

/* ---- the wave's reductions ---- */

static uint64_t reduce(enum codeobj_reduce op, unsigned bits, const uint64_t *value, uint64_t mask)
{
    const struct layout *f = bits == 64 ? &layout_f64 : &layouts[CODEOBJ_FLOAT_F32];
    switch (op) {
    case CODEOBJ_REDUCE_FADD:
    case CODEOBJ_REDUCE_FSUB: return reduce_fadd(op == CODEOBJ_REDUCE_FSUB, bits, value, mask);
    case CODEOBJ_REDUCE_FMIN:
    case CODEOBJ_REDUCE_FMAX:
    case CODEOBJ_REDUCE_FABSMAX: return reduce_minmax(op, f, false, value, mask);
    default: break;
    }
    const uint64_t all = ~UINT64_C(0) >> (64 - bits);
    uint64_t acc = identity_int(op, bits);
    for (unsigned i = 0; i < CODEOBJ_LANES_MAX; i++)
        if (co_lane_in(mask, i))
            acc = step_int(op, bits, acc, value[i] & all) & all;
    return acc;
}

static void widen(const uint32_t *src, uint64_t mask, unsigned shift, uint32_t keep, uint64_t *out)
{
    for (unsigned i = 0; i < CODEOBJ_LANES_MAX; i++)
        out[i] = co_lane_in(mask, i) ? src[i] >> shift & keep : 0;
}

uint32_t codeobj_reduce_u32(enum codeobj_reduce op, const uint32_t *value, uint64_t active, unsigned wave)
{
    uint64_t wide[CODEOBJ_LANES_MAX];
    active &= codeobj_lanes_all(wave);
    widen(value, active, 0, UINT32_MAX, wide);
    return (uint32_t)reduce(op, 32, wide, active);
}

uint64_t codeobj_reduce_u64(enum codeobj_reduce op, const uint64_t *value, uint64_t active, unsigned wave)
{
    uint64_t wide[CODEOBJ_LANES_MAX] = { 0 };
    memcpy(wide, value, wave * sizeof *wide);
    return reduce(op, 64, wide, active & codeobj_lanes_all(wave));
}

/* ---- vendor-neutral ---- */

static void spread(uint32_t result, uint32_t part, uint32_t *out)
{
    for (unsigned i = 0; i < 32; i++)
        if (co_lane_in(part, i))
            out[i] = result;
}

void codeobj_fred(enum codeobj_reduce op, enum codeobj_float_format format, bool packed, bool nanp,
                  const uint32_t *src, uint32_t mask, uint32_t active, uint32_t *out)
{
    const struct layout *f = &layouts[format];
    const uint32_t part = mask & active;
    uint64_t wide[CODEOBJ_LANES_MAX];
    widen(src, part, 0, f->bits == 32 ? UINT32_MAX : 0xffff, wide);
    uint32_t result = (uint32_t)reduce_minmax(op, f, nanp, wide, part);
    if (packed && f->bits == 16) {
        widen(src, part, 16, 0xffff, wide);
        result |= (uint32_t)reduce_minmax(op, f, nanp, wide, part) << 16;
    }
    spread(result, part, out);
}

void codeobj_ired(enum codeobj_reduce op, unsigned bits, const uint32_t *src, uint32_t mask, uint32_t active,
                  uint32_t *out)
{
    const uint32_t part = mask & active;
    uint64_t wide[CODEOBJ_LANES_MAX];
    widen(src, part, 0, bits == 16 ? 0xffff : UINT32_MAX, wide);
    spread((uint32_t)reduce(op, bits == 16 ? 16 : 32, wide, part), part, out);
}

void codeobj_redfirstidx(uint32_t mask, uint32_t active, uint32_t *out)
{
    const uint32_t part = mask & active;
    if (part)
        spread((uint32_t)__builtin_ctz(part), part, out);
}

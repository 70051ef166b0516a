/* SPDX-License-Identifier: MIT
 *
 * readobj/launch_types.c - element types of launch files: read, print, measure.
 */
#include "launch.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum kind { UNSIGNED, SIGNED, FLOAT };

static const struct {
    const char *name;
    uint8_t size, kind;
    uint8_t exponent, mantissa; /* bits, floats only */
} types[TYPE_COUNT] = {
    [TYPE_U8] = { "u8", 1, UNSIGNED, 0, 0 },   [TYPE_U16] = { "u16", 2, UNSIGNED, 0, 0 },
    [TYPE_U32] = { "u32", 4, UNSIGNED, 0, 0 }, [TYPE_U64] = { "u64", 8, UNSIGNED, 0, 0 },
    [TYPE_I8] = { "i8", 1, SIGNED, 0, 0 },     [TYPE_I16] = { "i16", 2, SIGNED, 0, 0 },
    [TYPE_I32] = { "i32", 4, SIGNED, 0, 0 },   [TYPE_I64] = { "i64", 8, SIGNED, 0, 0 },
    [TYPE_F16] = { "f16", 2, FLOAT, 5, 10 },   [TYPE_BF16] = { "bf16", 2, FLOAT, 8, 7 },
    [TYPE_F32] = { "f32", 4, FLOAT, 8, 23 },   [TYPE_F64] = { "f64", 8, FLOAT, 11, 52 },
};

enum launch_type launch_type_by_name(const char *name)
{
    enum launch_type t = 0;
    while (t < TYPE_COUNT && strcmp(types[t].name, name) != 0)
        t++;
    return t;
}

const char *launch_type_name(enum launch_type type)
{
    return types[type].name;
}

unsigned launch_type_size(enum launch_type type)
{
    return types[type].size;
}

bool launch_type_is_float(enum launch_type type)
{
    return types[type].kind == FLOAT;
}

static uint64_t load(enum launch_type type, const uint8_t *p)
{
    uint64_t v = 0;
    for (unsigned i = types[type].size; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static void store(enum launch_type type, uint64_t v, uint8_t *p)
{
    for (unsigned i = 0; i < types[type].size; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static int64_t sign_extend(enum launch_type type, uint64_t v)
{
    unsigned shift = 64 - 8u * types[type].size;
    return (int64_t)(v << shift) >> shift;
}

/* The bits of v in a binary format that is narrower than double, rounded to nearest even. */
static uint64_t narrow(double v, unsigned exponent_bits, unsigned mantissa_bits)
{
    uint64_t sign = signbit(v) ? (uint64_t)1 << (exponent_bits + mantissa_bits) : 0;
    uint64_t inf = (((uint64_t)1 << exponent_bits) - 1) << mantissa_bits;
    if (isnan(v))
        return sign | inf | (uint64_t)1 << (mantissa_bits - 1);
    v = fabs(v);
    if (v == 0 || isinf(v))
        return sign | (v == 0 ? 0 : inf);
    int bias = (1 << (exponent_bits - 1)) - 1, e;
    frexp(v, &e); /* v = m * 2^e, 0.5 <= m < 1: the exponent field would be e - 1 + bias */
    int least = 1 - bias; /* smaller exponents are denormal */
    int scale = e - 1 < least ? least : e - 1;
    uint64_t m = (uint64_t)nearbyint(ldexp(v, (int)mantissa_bits - scale));
    uint64_t field = (uint64_t)(scale + bias);
    /* A normal m has its leading bit at mantissa_bits; adding lets rounding carry into the exponent. */
    uint64_t bits = m < (uint64_t)1 << mantissa_bits ? m : ((field - 1) << mantissa_bits) + m;
    return sign | (bits < inf ? bits : inf);
}

static const char *parse_float(enum launch_type type, const char *text, uint8_t out[8])
{
    char *end;
    /* YAML writes .inf and .nan */
    const char *body = text + (*text == '-' || *text == '+');
    bool negative = *text == '-';
    double v;
    if (strcasecmp(body, ".inf") == 0 || strcasecmp(body, ".nan") == 0) {
        v = body[1] == 'i' || body[1] == 'I' ? INFINITY : NAN;
        v = negative ? -v : v;
    } else if (type == TYPE_F32) {
        float f = strtof(text, &end);
        v = (double)f;
        if (end == text || *end)
            return "not a number";
    } else {
        v = strtod(text, &end);
        if (end == text || *end)
            return "not a number";
    }
    uint64_t bits;
    if (type == TYPE_F64)
        memcpy(&bits, &v, 8);
    else
        bits = narrow(v, types[type].exponent, types[type].mantissa);
    store(type, bits, out);
    return NULL;
}

const char *launch_type_parse(enum launch_type type, const char *text, uint8_t out[8])
{
    char *end;
    if (types[type].kind == FLOAT)
        return parse_float(type, text, out);
    errno = 0;
    bool negative = *text == '-';
    if (!*text || strspn(text, " \t"))
        return "not an integer";
    uint64_t v = strtoull(text + negative, &end, 0);
    if (*end || end == text + negative || text[negative] == '-' || text[negative] == '+')
        return "not an integer";
    unsigned bits = 8u * types[type].size;
    uint64_t most = UINT64_MAX >> (64 - bits);
    if (types[type].kind == SIGNED)
        most = (most >> 1) + negative;
    if (errno || v > most || (negative && v && types[type].kind == UNSIGNED))
        return "out of range for its type";
    store(type, negative ? 0 - v : v, out);
    return NULL;
}

double launch_type_real(enum launch_type type, const uint8_t *p)
{
    uint64_t bits = load(type, p);
    if (type == TYPE_F64) {
        double v;
        memcpy(&v, &bits, 8);
        return v;
    }
    unsigned mb = types[type].mantissa, eb = types[type].exponent;
    uint64_t m = bits & (((uint64_t)1 << mb) - 1);
    int e = (int)(bits >> mb & ((1u << eb) - 1)), bias = (1 << (eb - 1)) - 1;
    double v;
    if (e == (1 << eb) - 1)
        v = m ? NAN : INFINITY;
    else if (e == 0)
        v = ldexp((double)m, 1 - bias - (int)mb);
    else
        v = ldexp((double)(m | (uint64_t)1 << mb), e - bias - (int)mb);
    return bits >> (mb + eb) & 1 ? -v : v;
}

void launch_type_print(enum launch_type type, const uint8_t *p, char buf[static 48])
{
    uint64_t v = load(type, p);
    switch ((enum kind)types[type].kind) {
    case UNSIGNED: snprintf(buf, 48, "%" PRIu64, v); break;
    case SIGNED: snprintf(buf, 48, "%" PRId64, sign_extend(type, v)); break;
    case FLOAT:
        snprintf(buf, 48, "%.*g (0x%0*" PRIx64 ")", type == TYPE_F64 ? 17 : 9, launch_type_real(type, p),
                 2 * types[type].size, v);
        break;
    }
}

/* Floats in the order of their values as integers; both zeros are 0. */
static int64_t ordered(enum launch_type type, uint64_t bits)
{
    uint64_t sign = (uint64_t)1 << (8u * types[type].size - 1);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

uint64_t launch_type_ulps(enum launch_type type, const uint8_t *a, const uint8_t *b)
{
    uint64_t x = load(type, a), y = load(type, b);
    if (types[type].kind == FLOAT) {
        bool nan_a = isnan(launch_type_real(type, a)), nan_b = isnan(launch_type_real(type, b));
        if (nan_a || nan_b)
            return nan_a && nan_b ? 0 : UINT64_MAX;
        int64_t p = ordered(type, x), q = ordered(type, y);
        return p > q ? (uint64_t)p - (uint64_t)q : (uint64_t)q - (uint64_t)p;
    }
    if (types[type].kind == SIGNED) {
        int64_t p = sign_extend(type, x), q = sign_extend(type, y);
        return p > q ? (uint64_t)p - (uint64_t)q : (uint64_t)q - (uint64_t)p;
    }
    return x > y ? x - y : y - x;
}

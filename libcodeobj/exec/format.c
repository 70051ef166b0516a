/* SPDX-License-Identifier: MIT
 *
 * exec/format.c - conversions of typed buffers; see format.h.
 *
 * Choices: normalised and scaled numbers are computed in f64, where they are exact
 * or correctly rounded, and rounded to the register's format to nearest even; a
 * stored value is clamped to its range and rounded to nearest even.
 */
#include "exec/format.h"

#include <math.h>
#include <string.h>

#include "exec/fp.h"

#include <codeobj/target.h>

/* Component widths by data format, gfx6-gfx9 numbers; names list them from the top. */
static const uint8_t widths[15][4] = {
    { 0 },
    { 8 },
    { 16 },
    { 8, 8 },
    { 32 },
    { 16, 16 },
    { 11, 11, 10 },    /* 10_11_11 */
    { 10, 11, 11 },    /* 11_11_10 */
    { 2, 10, 10, 10 }, /* 10_10_10_2 */
    { 10, 10, 10, 2 }, /* 2_10_10_10 */
    { 8, 8, 8, 8 },
    { 32, 32 },
    { 16, 16, 16, 16 },
    { 32, 32, 32 },
    { 32, 32, 32, 32 },
};

/* Runs of unified formats: first number, data format, which numbers follow (bit per enum co_number). */
struct run {
    uint8_t first, data, numbers;
};
#define NORMS 0x3f  /* UNORM to SINT */
#define ALL 0x7f
#define WORDS 0x70  /* UINT, SINT, FLOAT */
static const struct run gfx10_runs[] = {
    { 1, 1, NORMS },   { 7, 2, ALL },    { 14, 3, NORMS }, { 20, 4, WORDS },  { 23, 5, ALL },
    { 30, 6, ALL },    { 37, 7, ALL },   { 44, 8, NORMS }, { 50, 9, NORMS },  { 56, 10, NORMS },
    { 62, 11, WORDS }, { 65, 12, ALL },  { 72, 13, WORDS }, { 75, 14, WORDS }, { 78, 0, 0 },
};
static const struct run gfx11_runs[] = {
    { 1, 1, NORMS },  { 7, 2, ALL },    { 14, 3, NORMS },  { 20, 4, WORDS }, { 23, 5, ALL },
    { 30, 6, 0x40 },  { 31, 7, 0x40 },  { 32, 8, 0x33 },   { 36, 9, NORMS }, { 42, 10, NORMS },
    { 48, 11, WORDS }, { 51, 12, ALL }, { 58, 13, WORDS }, { 61, 14, WORDS }, { 64, 0, 0 },
};

static struct co_format make(unsigned data, unsigned number)
{
    struct co_format f = { .number = (uint8_t)number };
    for (; f.count < 4 && widths[data][f.count]; f.count++)
        f.width[f.count] = widths[data][f.count];
    return f;
}

struct co_format co_format_of(unsigned gen, unsigned raw)
{
    const struct co_format none = { 0 };
    if (gen < CODEOBJ_GEN_GFX10) {
        unsigned data = raw & 15, nfmt = raw >> 4 & 7;
        return data > 14 || nfmt == 6 ? none : make(data, nfmt == 7 ? CO_NUM_FLOAT : nfmt);
    }
    const struct run *r = gen == CODEOBJ_GEN_GFX10 ? gfx10_runs : gfx11_runs;
    for (; r->data; r++) {
        if (raw < r->first || raw >= r[1].first)
            continue;
        unsigned left = raw - r->first;
        for (unsigned n = 0; n <= CO_NUM_FLOAT; n++)
            if (r->numbers >> n & 1 && left-- == 0)
                return make(r->data, n);
    }
    return none;
}

unsigned co_format_bytes(const struct co_format *f)
{
    unsigned bits = 0;
    for (unsigned c = 0; c < f->count; c++)
        bits += f->width[c];
    return bits / 8;
}

/* 10- and 11-bit floats: no sign, five exponent bits. */
static const struct co_fmt *float_format(unsigned width)
{
    return width == 32 ? &co_fmt_f32 : &co_fmt_f16;
}

static uint64_t float_pattern(unsigned width, uint64_t v)
{
    return width == 10 || width == 11 ? v << (15 - width) : v;
}

static uint32_t to_register(double x, bool d16)
{
    return (uint32_t)co_fp_from_double(d16 ? &co_fmt_f16 : &co_fmt_f32, x, CO_FP_RNE);
}

static uint32_t load_one(unsigned number, unsigned width, uint64_t v, bool d16)
{
    const int64_t s = (int64_t)(v << (64 - width)) >> (64 - width);
    const double top = (double)((UINT64_C(1) << width) - 1), stop = (double)((UINT64_C(1) << (width - 1)) - 1);
    switch (number) {
    case CO_NUM_UNORM: return to_register((double)v / top, d16);
    case CO_NUM_SNORM: return to_register(stop == 0 ? (double)s : fmax((double)s / stop, -1.0), d16);
    case CO_NUM_USCALED: return to_register((double)v, d16);
    case CO_NUM_SSCALED: return to_register((double)s, d16);
    case CO_NUM_UINT: return d16 ? (uint16_t)v : (uint32_t)v;
    case CO_NUM_SINT: return d16 ? (uint16_t)s : (uint32_t)s;
    default: break;
    }
    const struct co_fmt *from = float_format(width);
    return (uint32_t)co_fp_cvt(d16 ? &co_fmt_f16 : &co_fmt_f32, from, float_pattern(width, v), CO_FP_RNE, CO_FP_RNE);
}

uint32_t co_format_one(const struct co_format *f, bool d16)
{
    if (f->number == CO_NUM_UINT || f->number == CO_NUM_SINT)
        return 1;
    return d16 ? 0x3c00 : 0x3f800000;
}

static uint64_t take_bits(const uint8_t *memory, unsigned at, unsigned width)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < width; i += 8 - (at + i) % 8)
        v |= (uint64_t)(memory[(at + i) / 8] >> (at + i) % 8) << i;
    return v & (~UINT64_C(0) >> (64 - width));
}

static void put_bits(uint8_t *memory, unsigned at, unsigned width, uint64_t v)
{
    for (unsigned i = 0; i < width; i++)
        memory[(at + i) / 8] = (uint8_t)((memory[(at + i) / 8] & ~(1u << (at + i) % 8)) | (v >> i & 1) << (at + i) % 8);
}

void co_format_load(const struct co_format *f, const uint8_t *memory, bool d16, uint32_t value[4])
{
    unsigned at = 0;
    value[0] = value[1] = value[2] = 0;
    value[3] = co_format_one(f, d16);
    for (unsigned c = 0; c < f->count; c++) {
        value[c] = load_one(f->number, f->width[c], take_bits(memory, at, f->width[c]), d16);
        at += f->width[c];
    }
}

/* x clamped to [low, high] and rounded to nearest even; NaN gives 0. */
static uint64_t clamp_round(double x, double low, double high)
{
    if (!(x == x))
        return 0;
    return (uint64_t)(int64_t)rint(x < low ? low : x > high ? high : x);
}

static uint64_t store_float(unsigned width, const struct co_fmt *from, uint32_t v)
{
    uint64_t h = co_fp_cvt(float_format(width), from, v, CO_FP_RNE, CO_FP_RNE);
    if (width != 10 && width != 11)
        return h;
    if (h & 0x8000) /* no sign: negative numbers are 0, NaN stays one */
        h = (h & 0x7fff) > 0x7c00 ? h & 0x7fff : 0;
    return h >> (15 - width);
}

static uint64_t store_one(unsigned number, unsigned width, uint32_t v, bool d16)
{
    const double top = (double)((UINT64_C(1) << width) - 1), stop = (double)((UINT64_C(1) << (width - 1)) - 1);
    const struct co_fmt *from = d16 ? &co_fmt_f16 : &co_fmt_f32;
    if (number == CO_NUM_UINT)
        return v > top ? (uint64_t)top : v;
    if (number == CO_NUM_SINT) {
        double s = d16 ? (double)(int16_t)v : (double)(int32_t)v;
        return (uint64_t)(int64_t)(s > stop ? stop : s < -stop - 1 ? -stop - 1 : s);
    }
    if (number == CO_NUM_FLOAT)
        return store_float(width, from, v);
    const double x = co_fp_to_double(from, v);
    switch (number) {
    case CO_NUM_UNORM: return clamp_round(x * top, 0, top);
    case CO_NUM_SNORM: return clamp_round(x * stop, -stop, stop);
    case CO_NUM_USCALED: return clamp_round(x, 0, top);
    default: return clamp_round(x, -stop - 1, stop);
    }
}

void co_format_store(const struct co_format *f, const uint32_t value[4], unsigned have, bool d16, uint8_t *memory)
{
    unsigned at = 0;
    for (unsigned c = 0; c < f->count; c++) {
        uint64_t v = c < have ? store_one(f->number, f->width[c], value[c], d16) : 0;
        put_bits(memory, at, f->width[c], v);
        at += f->width[c];
    }
}

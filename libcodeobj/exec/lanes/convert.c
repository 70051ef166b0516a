/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/convert.c - conversions between number formats.
 *
 * AMD's ISA documents, vector ALU chapters.  What surprises:
 *  - To an integer: toward zero, saturated at the ends of the range, NaN gives 0.
 *  - To a float: as MODE says for the format of the result.
 *  - Normalised integers round to nearest even; -1.0 is -32767.
 *  - 8-bit floats are the OCP formats, but on gfx940 to gfx942, whose zero has no sign and
 *    whose NaN is 0x80.
 */
#include "exec/lanes/float.h"

co_family CO_LANES_NAME(co_family_convert);

#define F16 (&co_fmt_f16)
#define F32 (&co_fmt_f32)
#define F64 (&co_fmt_f64)
#define BF16 (&co_fmt_bf16)

/* ---- between floats ------------------------------------------------------------------- */

static inline uint64_t to16(const struct co_wave *w, uint64_t x, struct co_fp out)
{
    return co_fp_cvt(F16, F32, x, co_mode32(w), out);
}
SOFT1(f16_f32_soft, CO_GET32_, CO_PUT32_, co_mode16, to16(w, x, m))
LANE_HANDLER(f16_f32)
{
    if (!w->mode.plain16) /* f32's denormals are 0 either way */
        return f16_f32_soft(w, op);
    const uint32_t *pa = co_row(w, op, 0);
    uint32_t *d = w->v[op->dst];
    LANES_BODY_(w, d, const uint32_t a = pa[i];, co_b32_to_f16(a))
}
SOFT1(f32_f16_soft, CO_GET16_, CO_PUT32_, co_mode64, co_fp_cvt(F32, F16, x, m, co_mode32(w)))
LANE_HANDLER(f32_f16)
{
    if (!(w->mode.denorm64 & 1)) /* nothing is rounded */
        return f32_f16_soft(w, op);
    const uint32_t *pa = co_row(w, op, 0);
    uint32_t *d = w->v[op->dst];
    LANES_BODY_(w, d, const uint32_t a = pa[i];, co_f16_to_b32(a & 0xffffu))
}
/* Any NaN in the row: in software, which knows what becomes of it. */
SOFT1(f32_f64_soft, CO_GET64_, CO_PUT32_, co_mode32, co_fp_cvt(F32, F64, x, co_mode64(w), m))
LANE_HANDLER(f32_f64)
{
    const uint32_t *const pa = co_row(w, op, 0);
    _Alignas(64) uint32_t r[CO_LANES_MAX];
    bool nan = !w->mode.plain32 || !w->mode.plain64;
    for (unsigned at = 0; at < w->lanes && !nan; at += 32) {
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) r[at + i] = co_b32((float)co_f64(CO_WIDE_(pa)));
        nan = co_any_nan32(r + at);
    }
    if (nan)
        return f32_f64_soft(w, op);
    for (unsigned at = 0; at < w->lanes; at += 32)
        co_put_block(w, w->v[op->dst], r + at, at);
    return CO_NEXT;
}

/* D = a f64 of one dword, exact. */
#define TO64(name, setup, value)                                                        \
    LANE_HANDLER(name)                                                                  \
    {                                                                                   \
        const uint32_t *const pa = co_row(w, op, 0);                                    \
        setup for (unsigned at = 0; at < w->lanes; at += 32)                            \
        {                                                                               \
            _Alignas(64) uint32_t lo[32], hi[32];                                       \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                               \
            {                                                                           \
                const uint32_t a = pa[at + i];                                          \
                const uint64_t r = co_b64(value);                                       \
                lo[i] = (uint32_t)r;                                                    \
                hi[i] = (uint32_t)(r >> 32);                                            \
            }                                                                           \
            co_put_block(w, w->v[op->dst], lo, at);                                     \
            co_put_block(w, w->v[op->dst + 1], hi, at);                                 \
        }                                                                               \
        return CO_NEXT;                                                                 \
    }
SOFT1(f64_f32_soft, CO_GET32_, CO_PUT64_, co_mode64, co_fp_cvt(F64, F32, x, co_mode32(w), m))
static bool any_nan(const struct co_wave *w, const uint32_t *row)
{
    return co_any_nan32(row) || (w->lanes == 64 && co_any_nan32(row + 32));
}
TO64(f64_f32, if (!w->mode.plain32 || any_nan(w, pa)) return f64_f32_soft(w, op);, (double)co_f32(a))
LANES1(f32_bf16, uint32_t, co_isnan32(a << 16) ? co_quiet32(a << 16) : a << 16)

/* To f16 toward zero, denormals kept. */
static inline uint32_t rtz16(uint32_t x)
{
    const uint32_t sign = x >> 16 & 0x8000u, a = x & 0x7fffffffu;
    const float small = co_f32(a < 0x38800000u ? a : 0) * 0x1p24f;
    const uint32_t big = a > 0x7f800000u ? 0x7e00u | (a >> 13 & 0x1ffu) : a == 0x7f800000u ? 0x7c00u : 0x7bffu;
    return sign | (a >= 0x47800000u ? big : a >= 0x38800000u ? (a - 0x38000000u) >> 13 : (uint32_t)(int32_t)small);
}
SOFT2(pkrtz_soft, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode64,
      co_fp_cvt(F16, F32, x, co_mode32(w), ((struct co_fp){ 3, m.denorm, false })) |
          co_fp_cvt(F16, F32, y, co_mode32(w), ((struct co_fp){ 3, m.denorm, false })) << 16)
LANE_HANDLER(pkrtz)
{
    if (!(w->mode.denorm64 & 2))
        return pkrtz_soft(w, op);
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1);
    uint32_t *const d = w->v[op->dst];
    LANES_BODY_(w, d, , rtz16(pa[i]) | rtz16(pb[i]) << 16)
}
SOFT2(pk_f16_f32_soft, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode16, to16(w, x, m) | to16(w, y, m) << 16)
LANE_HANDLER(pk_f16_f32)
{
    if (!w->mode.plain16)
        return pk_f16_f32_soft(w, op);
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1);
    uint32_t *const d = w->v[op->dst];
    LANES_BODY_(w, d, , co_b32_to_f16(pa[i]) | co_b32_to_f16(pb[i]) << 16)
}
/* Does not read MODE. */
static inline uint32_t bf16(uint32_t x)
{
    return (co_isnan32(x) ? co_quiet32(x) : x + 0x7fffu + (x >> 16 & 1)) >> 16;
}
LANES2(pk_bf16_f32, uint32_t, bf16(a) | bf16(b) << 16)

/* ---- integers to floats ------------------------------------------------------------------ */

#define FROM_INT(f, type, v, m) co_fp_from_int(f, (type)(v) < 0, (type)(v) < 0 ? -(uint64_t)(int64_t)(type)(v) : (uint64_t)(type)(v), m)
FAST32_1(f32_i32, CO_HOST_INTEGER, (float)(int32_t)co_b32(a), FROM_INT(F32, int32_t, x, m))
FAST32_1(f32_u32, CO_HOST_INTEGER, (float)co_b32(a), co_fp_from_int(F32, false, x, m))
TO64(f64_i32, , (double)(int32_t)a)
TO64(f64_u32, , (double)(int32_t)(a ^ 0x80000000u) + 0x1p31)
#define TO16(name, value, soft)                                                 \
    SOFT1(name##_soft, CO_GET16_, CO_PUT32_, co_mode16, soft)                   \
    LANE_HANDLER(name)                                                          \
    {                                                                           \
        if (!w->mode.plain16)                                                   \
            return name##_soft(w, op);                                          \
        const uint32_t *const pa = co_row(w, op, 0);                            \
        uint32_t *const d = w->v[op->dst];                                      \
        LANES_BODY_(w, d, const uint32_t a = pa[i];, co_b16((float)(value)))    \
    }
TO16(f16_i16, (int16_t)a, FROM_INT(F16, int16_t, x, m))
TO16(f16_u16, (int32_t)(a & 0xffffu), co_fp_from_int(F16, false, x, m))
LANES1(ubyte0, uint32_t, co_b32((float)(a & 255)))
LANES1(ubyte1, uint32_t, co_b32((float)(a >> 8 & 255)))
LANES1(ubyte2, uint32_t, co_b32((float)(a >> 16 & 255)))
LANES1(ubyte3, uint32_t, co_b32((float)(a >> 24)))
/* Sixteenths, -8/16 to 7/16. */
LANES1(off_i4, uint32_t, co_b32((float)((int32_t)(a << 28) >> 28) * 0.0625f))

/* ---- floats to integers ------------------------------------------------------------------- */

/* In range: the host's conversion truncates.  The ends are powers of two, exact in f32. */
static inline uint32_t trunc_i32(float a)
{
    const float in = a >= -0x1p31f ? a < 0x1p31f ? a : 0 : 0;
    const uint32_t r = (uint32_t)(int32_t)in;
    return a >= 0x1p31f ? 0x7fffffffu : a < -0x1p31f ? 0x80000000u : r;
}
static inline uint32_t trunc_u32(float a)
{
    const float in = a > 0 ? a < 0x1p32f ? a : 0 : 0, low = in >= 0x1p31f ? in - 0x1p31f : in;
    const uint32_t r = (uint32_t)(int32_t)low ^ (in >= 0x1p31f ? 0x80000000u : 0);
    return a >= 0x1p32f ? 0xffffffffu : r;
}
static inline uint32_t trunc_i32_64(double a)
{
    const double in = a > -0x1p31 - 1 ? a < 0x1p31 ? a : 0 : 0;
    const uint32_t r = (uint32_t)(int32_t)in;
    return a >= 0x1p31 ? 0x7fffffffu : a <= -0x1p31 - 1 ? 0x80000000u : r;
}
static inline uint32_t trunc_u32_64(double a)
{
    const double in = a > 0 ? a < 0x1p32 ? a : 0 : 0, low = in >= 0x1p31 ? in - 0x1p31 : in;
    const uint32_t r = (uint32_t)(int32_t)low ^ (in >= 0x1p31 ? 0x80000000u : 0);
    return a >= 0x1p32 ? 0xffffffffu : r;
}
#define FROM64(name, value)                                                             \
    LANE_HANDLER(name)                                                                  \
    {                                                                                   \
        const uint32_t *const pa = co_row(w, op, 0);                                    \
        for (unsigned at = 0; at < w->lanes; at += 32) {                                \
            _Alignas(64) uint32_t r[32];                                                \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) r[i] = value(co_f64(CO_WIDE_(pa))); \
            co_put_block(w, w->v[op->dst], r, at);                                      \
        }                                                                               \
        return CO_NEXT;                                                                 \
    }
FROM64(i32_f64, trunc_i32_64)
FROM64(u32_f64, trunc_u32_64)
LANES1(i32_f32, uint32_t, trunc_i32(co_f32(a)))
LANES1(u32_f32, uint32_t, trunc_u32(co_f32(a)))
/* Down. */
static inline uint32_t floor_i32(float a)
{
    const uint32_t r = trunc_i32(a);
    return r - (uint32_t)(((float)(int32_t)r > a) & (a >= -0x1p31f));
}
/* Half up: floor(x + 1/2), the sum not rounded. */
static inline uint32_t nearest_up(float x)
{
    const double d = (double)x + 0.5;
    const uint32_t r = trunc_i32_64(d);
    return r - (uint32_t)(((double)(int32_t)r > d) & (d >= -0x1p31));
}
LANES1(flr, uint32_t, floor_i32(co_f32(a)))
LANES1(rpi, uint32_t, nearest_up(co_f32(a)))
static inline uint32_t clamp_i16(int32_t x) { return (uint32_t)(x > 32767 ? 32767 : x < -32768 ? -32768 : x) & 0xffff; }
static inline uint32_t most(uint32_t x, uint32_t limit) { return x < limit ? x : limit; }
#define HALF(x) co_f32(co_f16_to_b32((x) & 0xffffu))
LANES1(i16_f16, uint32_t, clamp_i16((int32_t)trunc_i32(HALF(a))))
LANES1(u16_f16, uint32_t, most(trunc_u32(HALF(a)), 0xffff))
LANES2(pk_i16_f32, uint32_t, clamp_i16((int32_t)trunc_i32(co_f32(a))) | clamp_i16((int32_t)trunc_i32(co_f32(b))) << 16)
LANES2(pk_u16_f32, uint32_t, most(trunc_u32(co_f32(a)), 0xffff) | most(trunc_u32(co_f32(b)), 0xffff) << 16)

/* The product is exact; the sum rounds it to an integer, which ends up in the low bits. */
static inline uint32_t norm(double d, double scale, double lo)
{
    d = d >= lo ? d <= 1 ? d : 1 : d < lo ? lo : 0;
    return (uint32_t)co_b64(d * scale + 0x1.8p52) & 0xffff;
}
static inline uint32_t snorm(float x) { return norm((double)x, 32767, -1); }
static inline uint32_t unorm(float x) { return norm((double)x, 65535, 0); }
LANES1(norm_i16_f16, uint32_t, snorm(HALF(a)))
LANES1(norm_u16_f16, uint32_t, unorm(HALF(a)))
LANES2(pknorm_i16_f32, uint32_t, snorm(co_f32(a)) | snorm(co_f32(b)) << 16)
LANES2(pknorm_u16_f32, uint32_t, unorm(co_f32(a)) | unorm(co_f32(b)) << 16)
LANES2(pknorm_i16_f16, uint32_t, snorm(HALF(a)) | snorm(HALF(b)) << 16)
LANES2(pknorm_u16_f16, uint32_t, unorm(HALF(a)) | unorm(HALF(b)) << 16)

LANES2(pk_u16_u32, uint32_t, (a > 65535 ? 65535 : a) | (b > 65535 ? 65535 : b) << 16)
LANES2(pk_i16_i32, int32_t, clamp_i16(a) | clamp_i16(b) << 16)

static inline uint32_t put_byte(uint32_t x, uint32_t sel, uint32_t old)
{
    const uint32_t shift = 8 * (sel & 3);
    return (old & ~(0xffu << shift)) | most(trunc_u32(co_f32(x)), 0xff) << shift;
}
LANES3(pk_u8_f32, uint32_t, put_byte(a, b, c))
LANES2(pkaccum_u8_f32, uint32_t, put_byte(a, b, d[i])) /* into what is there */

/* ---- 8-bit floats ---------------------------------------------------------------------------- */

/* op->aux: the format; op->imm: bit of the register where the source or the result begins. */
#define FMT ((const struct co_fmt *)op->aux)
/* From 8 bits: op->aux is the table of all values. */
#define VALUES ((const uint32_t *)op->aux)
LANES1(from_fp8, uint32_t, VALUES[a >> op->imm & 0xff])
LANES1(pk_f16_from_fp8, uint32_t, VALUES[a >> op->imm & 0xff] | VALUES[a >> (op->imm + 8) & 0xff] << 16)
LANE_HANDLER(pk_from_fp8)
{
    const uint32_t *const pa = co_row(w, op, 0), *const table = VALUES;
    for (unsigned at = 0; at < w->lanes; at += 32) {
        _Alignas(64) uint32_t lo[32], hi[32];
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
        {
            lo[i] = table[pa[at + i] >> op->imm & 0xff];
            hi[i] = table[pa[at + i] >> (op->imm + 8) & 0xff];
        }
        co_put_block(w, w->v[op->dst], lo, at);
        co_put_block(w, w->v[op->dst + 1], hi, at);
    }
    return CO_NEXT;
}

/* Overflow: NaN or infinity, or the largest number with FP16_OVFL. */
static inline uint32_t fp8_of(const struct co_wave *w, const struct co_fmt *f, const struct co_fmt *from, uint64_t x)
{
    return (uint32_t)co_fp_cvt_scaled(f, from, x, 0, (struct co_fp){ 0, 3, w->mode.fp16_ovfl }) & 0xff;
}
static inline uint32_t merge(uint32_t old, uint32_t bits, unsigned at, unsigned width)
{
    uint32_t mask = (width == 32 ? ~0u : (1u << width) - 1) << at;
    return (old & ~mask) | (bits << at & mask);
}
SOFT2(pk_fp8_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32,
      merge(d[i], fp8_of(w, FMT, F32, x) | fp8_of(w, FMT, F32, y) << 8, (unsigned)op->imm, 16))
SOFT1(pk_fp8_f16, CO_GET32_, CO_PUT32_, co_mode32,
      merge(d[i], fp8_of(w, FMT, F16, x & 0xffff) | fp8_of(w, FMT, F16, x >> 16) << 8, (unsigned)op->imm, 16))
/* Stochastic rounding: the noise is added below the last kept bit, then cut off. */
static inline uint32_t sr_of(const struct co_wave *w, const struct co_fmt *f, const struct co_fmt *from, uint64_t x, uint64_t noise)
{
    return (uint32_t)co_fp_cvt_sr(f, from, x, 0, (uint32_t)noise, CO_FP_RNE, w->mode.fp16_ovfl);
}
SOFT2(sr_fp8_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, merge(d[i], sr_of(w, FMT, F32, x, y), (unsigned)op->imm, 8))
SOFT2(sr_fp8_f16, CO_GET16_, CO_GET32_, CO_PUT32_, co_mode32, merge(d[i], sr_of(w, FMT, F16, x, y), (unsigned)op->imm, 8))
SOFT2(sr_f16_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, sr_of(w, F16, F32, x, y))
SOFT2(sr_bf16_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, sr_of(w, BF16, F32, x, y))

/* The upper half with the number behind the lower one's. */
SOFT3(sr_pk_f16_f32, CO_GET32_, CO_PUT32_, co_mode32, sr_of(w, F16, F32, x, z) | sr_of(w, F16, F32, y, co_prng((uint32_t)z)) << 16)
SOFT3(sr_pk_bf16_f32, CO_GET32_, CO_PUT32_, co_mode32, sr_of(w, BF16, F32, x, z) | sr_of(w, BF16, F32, y, co_prng((uint32_t)z)) << 16)

static const struct co_fmt *small_format(const struct co_builder *b, bool bf8)
{
    bool fnuz = b->processor->gen == CODEOBJ_GEN_GFX9 && b->processor->minor == 4;
    return fnuz ? (bf8 ? &co_fmt_bf8_fnuz : &co_fmt_fp8_fnuz) : bf8 ? &co_fmt_bf8 : &co_fmt_fp8;
}

/* data: bit 0 bf8, bit 1 to f16 and not f32; bits 8..: 1 source byte, 2 source word, 3 destination byte, 4 destination word */
enum { SRC_BYTE = 1, SRC_WORD, DST_BYTE, DST_WORD };

/* Where the source is 8 bits: what all of them are. */
static const uint32_t *values_of(struct co_builder *b, const struct co_fmt *from)
{
    uint32_t *table = co_arena_alloc(b->arena, 256 * sizeof *table);
    for (unsigned x = 0; table && x < 256; x++)
        table[x] = (uint32_t)co_fp_cvt(b->row->data & 2 ? F16 : F32, from, x, CO_FP_RNE, CO_FP_RNE);
    return table;
}

static enum codeobj_status build_fp8(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct codeobj_isa_inst bare = *inst;
    bare.mod.clamp = 0; /* saturation is FP16_OVFL's */
    enum codeobj_status status = co_build_vector(b, &bare, op);
    /* gfx1250's clamp bit asks for E5M3 instead of fp8. */
    op->aux = inst->mod.clamp && b->processor->gen == CODEOBJ_GEN_GFX12 && !(b->row->data & 1) ? &co_fmt_e5m3 : small_format(b, b->row->data & 1);
    const uint64_t where = b->row->data >> 8;
    if (where == SRC_BYTE || where == SRC_WORD) {
        op->aux = values_of(b, op->aux);
        if (!op->aux)
            return CODEOBJ_NO_MEMORY;
    }
    switch (where) {
    case SRC_BYTE: op->imm = 8 * (inst->mod.byte_sel & 3); break;
    case DST_BYTE:
        op->imm = b->processor->gen == CODEOBJ_GEN_GFX9 ? 8 * (inst->mod.op_sel >> 2 & 3) : 8 * (inst->mod.byte_sel & 3);
        break;
    case DST_WORD: op->imm = inst->mod.op_sel >> 3 & 1 ? 16 : 0; break;
    default: op->imm = 0; break;
    }
    /* The rest of the destination is kept through its own row: nothing else reads it. */
    return status;
}

#define V(sem, fn) CO_ROW(CO_SEM_##sem, co_build_vector, fn, NULL, 0, false)
#define VC(sem, fn) CO_ROW(CO_SEM_##sem, co_build_vector, fn, fn, 0, false)
#define P(sem, fn, bf8, where) CO_ROW(CO_SEM_##sem, build_fp8, fn, NULL, (bf8) | (uint64_t)(where) << 8, false)

void CO_LANES_NAME(co_family_convert)(struct co_sem_row *rows)
{
    V(v_cvt_f16_f32, f16_f32), V(v_cvt_f32_f16, f32_f16), V(v_cvt_f32_f64, f32_f64), V(v_cvt_f64_f32, f64_f32),
    V(v_cvt_f32_bf16, f32_bf16), V(v_cvt_pkrtz_f16_f32, pkrtz), V(v_cvt_pk_f16_f32, pk_f16_f32),
    V(v_cvt_pk_bf16_f32, pk_bf16_f32), V(v_cvt_f32_i32, f32_i32), V(v_cvt_f32_u32, f32_u32), V(v_cvt_f64_i32, f64_i32),
    V(v_cvt_f64_u32, f64_u32), V(v_cvt_f16_i16, f16_i16), V(v_cvt_f16_u16, f16_u16), V(v_cvt_f32_ubyte0, ubyte0),
    V(v_cvt_f32_ubyte1, ubyte1), V(v_cvt_f32_ubyte2, ubyte2), V(v_cvt_f32_ubyte3, ubyte3), V(v_cvt_off_f32_i4, off_i4),
    VC(v_cvt_i32_f32, i32_f32), VC(v_cvt_u32_f32, u32_f32), VC(v_cvt_i32_f64, i32_f64), VC(v_cvt_u32_f64, u32_f64),
    VC(v_cvt_flr_i32_f32, flr), VC(v_cvt_rpi_i32_f32, rpi), VC(v_cvt_i16_f16, i16_f16), VC(v_cvt_u16_f16, u16_f16),
    V(v_cvt_pk_i16_f32, pk_i16_f32), V(v_cvt_pk_u16_f32, pk_u16_f32), VC(v_cvt_norm_i16_f16, norm_i16_f16),
    VC(v_cvt_norm_u16_f16, norm_u16_f16), V(v_cvt_pknorm_i16_f32, pknorm_i16_f32), V(v_cvt_pknorm_u16_f32, pknorm_u16_f32),
    V(v_cvt_pknorm_i16_f16, pknorm_i16_f16), V(v_cvt_pknorm_u16_f16, pknorm_u16_f16), V(v_cvt_pk_u16_u32, pk_u16_u32),
    V(v_cvt_pk_i16_i32, pk_i16_i32), V(v_cvt_pk_u8_f32, pk_u8_f32), V(v_cvt_pkaccum_u8_f32, pkaccum_u8_f32),
    P(v_cvt_f32_fp8, from_fp8, 0, SRC_BYTE), P(v_cvt_f32_bf8, from_fp8, 1, SRC_BYTE),
    P(v_cvt_f16_fp8, from_fp8, 2, SRC_BYTE), P(v_cvt_f16_bf8, from_fp8, 3, SRC_BYTE),
    P(v_cvt_pk_f32_fp8, pk_from_fp8, 0, SRC_WORD), P(v_cvt_pk_f32_bf8, pk_from_fp8, 1, SRC_WORD),
    P(v_cvt_pk_f16_fp8, pk_f16_from_fp8, 2, SRC_WORD), P(v_cvt_pk_f16_bf8, pk_f16_from_fp8, 3, SRC_WORD),
    P(v_cvt_pk_fp8_f32, pk_fp8_f32, 0, DST_WORD), P(v_cvt_pk_bf8_f32, pk_fp8_f32, 1, DST_WORD),
    P(v_cvt_pk_fp8_f16, pk_fp8_f16, 0, DST_WORD), P(v_cvt_pk_bf8_f16, pk_fp8_f16, 1, DST_WORD),
    P(v_cvt_sr_fp8_f32, sr_fp8_f32, 0, DST_BYTE), P(v_cvt_sr_bf8_f32, sr_fp8_f32, 1, DST_BYTE),
    P(v_cvt_sr_fp8_f16, sr_fp8_f16, 0, DST_BYTE), P(v_cvt_sr_bf8_f16, sr_fp8_f16, 1, DST_BYTE),
    V(v_cvt_sr_f16_f32, sr_f16_f32), V(v_cvt_sr_bf16_f32, sr_bf16_f32), V(v_cvt_sr_pk_f16_f32, sr_pk_f16_f32),
    V(v_cvt_sr_pk_bf16_f32, sr_pk_bf16_f32);
}

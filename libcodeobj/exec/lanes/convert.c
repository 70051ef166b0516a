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

extern const struct co_sem_row CO_LANES_NAME(co_family_convert)[];

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
    if (!w->mode.plain16 || !w->mode.plain32)
        return f16_f32_soft(w, op);
    const uint32_t *pa = co_row(w, op, 0);
    uint32_t *d = w->v[op->dst];
    LANES_BODY_(w, d, const uint32_t a = pa[i];, co_b32_to_f16(a))
}
SOFT1(f32_f16_soft, CO_GET16_, CO_PUT32_, co_mode64, co_fp_cvt(F32, F16, x, m, co_mode32(w)))
LANE_HANDLER(f32_f16)
{
    if (!w->mode.plain64)
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
SOFT2(pkrtz, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode64,
      co_fp_cvt(F16, F32, x, co_mode32(w), ((struct co_fp){ 3, m.denorm, false })) |
          co_fp_cvt(F16, F32, y, co_mode32(w), ((struct co_fp){ 3, m.denorm, false })) << 16)
SOFT2(pk_f16_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode16, to16(w, x, m) | to16(w, y, m) << 16)
/* Does not read MODE. */
SOFT2(pk_bf16_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32,
      co_fp_cvt(BF16, F32, x, CO_FP_RNE, CO_FP_RNE) | co_fp_cvt(BF16, F32, y, CO_FP_RNE, CO_FP_RNE) << 16)

/* ---- integers to floats ------------------------------------------------------------------ */

#define FROM_INT(f, type, v, m) co_fp_from_int(f, (type)(v) < 0, (type)(v) < 0 ? -(uint64_t)(int64_t)(type)(v) : (uint64_t)(type)(v), m)
FAST32_1(f32_i32, CO_HOST_INTEGER, (float)(int32_t)co_b32(a), FROM_INT(F32, int32_t, x, m))
FAST32_1(f32_u32, CO_HOST_INTEGER, (float)co_b32(a), co_fp_from_int(F32, false, x, m))
TO64(f64_i32, , (double)(int32_t)a)
TO64(f64_u32, , (double)(int32_t)(a ^ 0x80000000u) + 0x1p31)
SOFT1(f16_i16, CO_GET16_, CO_PUT32_, co_mode16, FROM_INT(F16, int16_t, x, m))
SOFT1(f16_u16, CO_GET16_, CO_PUT32_, co_mode16, co_fp_from_int(F16, false, x, m))
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
#define TO(name, get, f, lo, hi, rounding) \
    SOFT1(name, get, CO_PUT32_, co_mode32, (uint32_t)co_fp_to_int(f, x, lo, hi, ((struct co_fp){ rounding, 3, false })))
TO(flr, CO_GET32_, F32, INT32_MIN, INT32_MAX, 2)
/* Half up: floor(x + 1/2), the sum not rounded. */
static inline uint32_t nearest_up(uint64_t x)
{
    double d = co_fp_to_double(F32, x);
    return (uint32_t)co_fp_to_int(F64, co_b64(floor(d + 0.5)), INT32_MIN, INT32_MAX, CO_FP_RTZ);
}
SOFT1(rpi, CO_GET32_, CO_PUT32_, co_mode32, nearest_up(x))
#define I16_OF(f, v) ((uint32_t)co_fp_to_int(f, v, -32768, 32767, CO_FP_RTZ) & 0xffff)
#define U16_OF(f, v) ((uint32_t)co_fp_to_int(f, v, 0, 65535, CO_FP_RTZ))
SOFT1(i16_f16, CO_GET16_, CO_PUT32_, co_mode64, I16_OF(F16, x))
SOFT1(u16_f16, CO_GET16_, CO_PUT32_, co_mode64, U16_OF(F16, x))
SOFT2(pk_i16_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, I16_OF(F32, x) | I16_OF(F32, y) << 16)
SOFT2(pk_u16_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, U16_OF(F32, x) | U16_OF(F32, y) << 16)

static inline uint32_t norm(double d, double scale, double lo)
{
    d = d != d ? 0 : d < lo ? lo : d > 1 ? 1 : d;
    return (uint32_t)(int32_t)rint(d * scale) & 0xffff;
}
static inline uint32_t snorm(const struct co_fmt *f, uint64_t x) { return norm(co_fp_to_double(f, x), 32767, -1); }
static inline uint32_t unorm(const struct co_fmt *f, uint64_t x) { return norm(co_fp_to_double(f, x), 65535, 0); }
SOFT1(norm_i16_f16, CO_GET16_, CO_PUT32_, co_mode64, snorm(F16, x))
SOFT1(norm_u16_f16, CO_GET16_, CO_PUT32_, co_mode64, unorm(F16, x))
SOFT2(pknorm_i16_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, snorm(F32, x) | snorm(F32, y) << 16)
SOFT2(pknorm_u16_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, unorm(F32, x) | unorm(F32, y) << 16)
SOFT2(pknorm_i16_f16, CO_GET16_, CO_GET16_, CO_PUT32_, co_mode64, snorm(F16, x) | snorm(F16, y) << 16)
SOFT2(pknorm_u16_f16, CO_GET16_, CO_GET16_, CO_PUT32_, co_mode64, unorm(F16, x) | unorm(F16, y) << 16)

static inline uint32_t clamp_i16(int32_t x) { return (uint32_t)(x > 32767 ? 32767 : x < -32768 ? -32768 : x) & 0xffff; }
LANES2(pk_u16_u32, uint32_t, (a > 65535 ? 65535 : a) | (b > 65535 ? 65535 : b) << 16)
LANES2(pk_i16_i32, int32_t, clamp_i16(a) | clamp_i16(b) << 16)

static inline uint32_t put_byte(uint64_t x, uint64_t sel, uint64_t old)
{
    unsigned shift = 8 * (sel & 3);
    uint32_t byte = (uint32_t)co_fp_to_int(F32, x, 0, 255, CO_FP_RTZ);
    return ((uint32_t)old & ~(0xffu << shift)) | byte << shift;
}
SOFT3(pk_u8_f32, CO_GET32_, CO_PUT32_, co_mode32, put_byte(x, y, z))
SOFT2(pkaccum_u8_f32, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, put_byte(x, y, d[i])) /* into what is there */

/* ---- 8-bit floats ---------------------------------------------------------------------------- */

/* op->aux: the format; op->imm: bit of the register where the source or the result begins. */
#define FMT ((const struct co_fmt *)op->aux)
SOFT1(from_fp8, CO_GET32_, CO_PUT32_, co_mode32, co_fp_cvt(F32, FMT, x >> op->imm & 0xff, CO_FP_RNE, CO_FP_RNE))
SOFT1(f16_from_fp8, CO_GET32_, CO_PUT32_, co_mode32, co_fp_cvt(F16, FMT, x >> op->imm & 0xff, CO_FP_RNE, CO_FP_RNE))
SOFT1(pk_from_fp8, CO_GET32_, CO_PUT64_, co_mode32,
      co_fp_cvt(F32, FMT, x >> op->imm & 0xff, CO_FP_RNE, CO_FP_RNE) |
          co_fp_cvt(F32, FMT, x >> (op->imm + 8) & 0xff, CO_FP_RNE, CO_FP_RNE) << 32)
SOFT1(pk_f16_from_fp8, CO_GET32_, CO_PUT32_, co_mode32,
      co_fp_cvt(F16, FMT, x >> op->imm & 0xff, CO_FP_RNE, CO_FP_RNE) |
          co_fp_cvt(F16, FMT, x >> (op->imm + 8) & 0xff, CO_FP_RNE, CO_FP_RNE) << 16)

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

/* data: bit 0 bf8; bits 8..: 1 source byte, 2 source word, 3 destination byte, 4 destination word */
enum { SRC_BYTE = 1, SRC_WORD, DST_BYTE, DST_WORD };
static enum codeobj_status build_fp8(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct codeobj_isa_inst bare = *inst;
    bare.mod.clamp = 0; /* saturation is FP16_OVFL's */
    enum codeobj_status status = co_build_vector(b, &bare, op);
    /* gfx1250's clamp bit asks for E5M3 instead of fp8. */
    op->aux = inst->mod.clamp && b->processor->gen == CODEOBJ_GEN_GFX12 && !(b->row->data & 1) ? &co_fmt_e5m3 : small_format(b, b->row->data & 1);
    switch (b->row->data >> 8) {
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

#define V(sem, fn) { CO_SEM_##sem, co_build_vector, fn, NULL, 0, false }
#define VC(sem, fn) { CO_SEM_##sem, co_build_vector, fn, fn, 0, false }
#define P(sem, fn, bf8, where) { CO_SEM_##sem, build_fp8, fn, NULL, (bf8) | (uint64_t)(where) << 8, false }

const struct co_sem_row CO_LANES_NAME(co_family_convert)[] = {
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
    P(v_cvt_f16_fp8, f16_from_fp8, 0, SRC_BYTE), P(v_cvt_f16_bf8, f16_from_fp8, 1, SRC_BYTE),
    P(v_cvt_pk_f32_fp8, pk_from_fp8, 0, SRC_WORD), P(v_cvt_pk_f32_bf8, pk_from_fp8, 1, SRC_WORD),
    P(v_cvt_pk_f16_fp8, pk_f16_from_fp8, 0, SRC_WORD), P(v_cvt_pk_f16_bf8, pk_f16_from_fp8, 1, SRC_WORD),
    P(v_cvt_pk_fp8_f32, pk_fp8_f32, 0, DST_WORD), P(v_cvt_pk_bf8_f32, pk_fp8_f32, 1, DST_WORD),
    P(v_cvt_pk_fp8_f16, pk_fp8_f16, 0, DST_WORD), P(v_cvt_pk_bf8_f16, pk_fp8_f16, 1, DST_WORD),
    P(v_cvt_sr_fp8_f32, sr_fp8_f32, 0, DST_BYTE), P(v_cvt_sr_bf8_f32, sr_fp8_f32, 1, DST_BYTE),
    P(v_cvt_sr_fp8_f16, sr_fp8_f16, 0, DST_BYTE), P(v_cvt_sr_bf8_f16, sr_fp8_f16, 1, DST_BYTE),
    V(v_cvt_sr_f16_f32, sr_f16_f32), V(v_cvt_sr_bf16_f32, sr_bf16_f32), V(v_cvt_sr_pk_f16_f32, sr_pk_f16_f32),
    V(v_cvt_sr_pk_bf16_f32, sr_pk_bf16_f32),
    { 0 }
};

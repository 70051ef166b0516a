/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/scaled.c - conversions between floats and small formats (fp8, bf8, fp6, bf6, fp4) with a scale.
 *
 * gfx950: AMD's CDNA4 ISA document, V_CVT_SCALEF32_*; gfx1250: the same names over 8 and 16 elements,
 * and V_CVT_SCALE_*, known from LLVM and MLIR.  What surprises:
 *  - Of an f32 scale only the exponent counts: it is 2^(exponent - 127), all ones are a NaN.  Narrowing
 *    divides by it, widening multiplies.
 *  - Elements lie one behind the other, the first in the lowest bits; two wide sources are interleaved.
 *  - The scales of V_CVT_SCALE_* are bytes in one half of the wave, which both halves read.
 *  - Each element rounds once: to nearest even, or stochastically, each with a number of its own (v_prng_b32 of the one before).
 * READINGS.md says what was chosen beyond the documents.
 */
#include "exec/lanes/float.h"

co_family CO_LANES_NAME(co_family_scaled);

#define ELEMENTS_MAX 32
#define DWORDS_MAX 32

enum { TWO = 1, /* two sources, interleaved */
       SR = 2,  /* stochastic: noise before the scale */
       SEL = 4  /* scale bytes, chosen by scale_sel */ };

struct scaled {
    const struct co_fmt *from, *to;
    uint8_t count, flags;
    uint8_t scale;              /* which source */
    uint8_t src_at, dst_at;     /* bit of the first register where the elements begin */
    uint8_t src_dwords, dst_dwords;
    bool neg[2], abs[2];
    uint8_t lane[CO_LANES_MAX]; /* SEL: whose scale, and which byte of it */
    uint8_t byte[CO_LANES_MAX];
};

static inline uint32_t bits_at(const uint32_t *words, unsigned at, unsigned bits)
{
    uint64_t two = words[at / 32];
    if (at % 32 + bits > 32)
        two |= (uint64_t)words[at / 32 + 1] << 32;
    return (uint32_t)(two >> at % 32) & (bits == 32 ? ~0u : (1u << bits) - 1);
}

static inline void bits_put(uint32_t *words, unsigned at, unsigned bits, uint32_t value)
{
    const uint64_t mask = (bits == 32 ? 0xffffffffu : (1u << bits) - 1);
    const uint64_t keep = ~(mask << at % 32), put = (uint64_t)value << at % 32;
    words[at / 32] = (words[at / 32] & (uint32_t)keep) | (uint32_t)put;
    if (at % 32 + bits > 32)
        words[at / 32 + 1] = (words[at / 32 + 1] & (uint32_t)(keep >> 32)) | (uint32_t)(put >> 32);
}

static uint32_t convert(const struct co_wave *w, const struct scaled *s, uint32_t x, int exponent, uint32_t noise)
{
    const bool narrow = s->from->bits > s->to->bits;
    const struct co_fp out = { 0, 3, w->mode.fp16_ovfl && s->to != &co_fmt_f32 && s->to != &co_fmt_bf16 };
    if (exponent == 255)
        return (uint32_t)co_fp_nan_of_sign(s->to, x >> (s->from->bits - 1) & 1);
    const int scale = narrow ? 127 - exponent : exponent - 127;
    if (s->flags & SR)
        return (uint32_t)co_fp_cvt_sr(s->to, s->from, x, scale, noise, CO_FP_RNE, out.saturate);
    return (uint32_t)co_fp_cvt_scaled(s->to, s->from, x, scale, out);
}

/* One lane: words of the sources in, words of the destination out. */
static void convert_lane(const struct co_wave *w, const struct scaled *s, const uint32_t (*in)[DWORDS_MAX], int exponent,
                         uint32_t noise, uint32_t *out)
{
    const unsigned from = s->from->bits, to = s->to->bits, sources = s->flags & TWO ? 2 : 1;
    const uint32_t sign = 1u << (from - 1);
    for (unsigned e = 0; e < s->count; e++) {
        const unsigned source = e % sources;
        uint32_t x = bits_at(in[source], s->src_at + e / sources * from, from);
        if (s->abs[source])
            x &= ~sign;
        if (s->neg[source])
            x ^= sign;
        bits_put(out, s->dst_at + e * to, to, convert(w, s, x, exponent, noise));
        noise = co_prng(noise);
    }
}

LANE_HANDLER(scaled)
{
    const struct scaled *const s = op->aux;
    const uint32_t *src[CO_OP_SRC_MAX] = { NULL };
    for (unsigned k = 0; k <= s->scale; k++)
        src[k] = co_row(w, op, k);
    uint32_t *const d = w->v[op->dst];
    uint32_t scales[CO_LANES_MAX];
    memcpy(scales, src[s->scale], sizeof scales); /* of other lanes, whose registers may be written first */
    for (unsigned i = 0; i < w->lanes; i++) {
        if (!w->mask[i])
            continue;
        uint32_t in[2][DWORDS_MAX], out[DWORDS_MAX];
        for (unsigned n = 0; n <= (s->flags & TWO); n++)
            for (unsigned k = 0; k < s->src_dwords; k++)
                in[n][k] = src[n][k * CO_LANES_MAX + i];
        for (unsigned k = 0; k < s->dst_dwords; k++)
            out[k] = d[k * CO_LANES_MAX + i];
        const int exponent = s->flags & SEL ? scales[s->lane[i]] >> (8 * s->byte[i]) & 255 : scales[i] >> 23 & 255;
        convert_lane(w, s, (const uint32_t(*)[DWORDS_MAX])in, exponent, s->flags & SR ? src[1][i] : 0, out);
        for (unsigned k = 0; k < s->dst_dwords; k++)
            d[k * CO_LANES_MAX + i] = out[k];
    }
    return CO_NEXT;
}

/* scale_sel: bit 0: blocks of 16 instead of 32; then the first byte (fp8: bits 1 and 2; else bit 1), then the half of
 * the wave that holds the scales.  Lane L reads lane L % 16 of that half. */
static void select_scales(struct scaled *s, unsigned sel)
{
    const bool fp8 = s->from->bits == 8, block16 = sel & 1;
    const unsigned half = sel >> (fp8 ? 3 : 2) & 1, field = fp8 ? sel >> 1 & 3 : sel >> 1 & 1;
    const unsigned first = fp8 || block16 ? field : 2 * field;
    const unsigned step = fp8 ? block16 : block16 ? 2 : 1;
    for (unsigned i = 0; i < CO_LANES_MAX; i++) {
        s->lane[i] = (uint8_t)(16 * half + i % 16);
        s->byte[i] = (uint8_t)((first + (i >> 4 & 1) * step) & 3);
    }
}

static unsigned dwords_of(unsigned bits)
{
    return (bits + 31) / 32;
}

/* Where op_sel puts a part of a register: halves by the bit next to the destination's or the first, bytes by two. */
static void select_parts(struct scaled *s, unsigned op_sel)
{
    const unsigned src = s->from->bits * s->count, dst = s->to->bits * s->count;
    s->src_at = (uint8_t)(src == 16 ? 16 * (op_sel & 1) : src == 8 ? 8 * (op_sel & 3) : 0);
    s->dst_at = (uint8_t)(dst == 16 ? 16 * (op_sel >> 3 & 1) : dst == 8 ? 8 * (op_sel >> 2 & 3) : 0);
}

/* row->data: formats and count, then flags. */
#define SHAPE(from, to, count, flags) ((uint64_t)(from) | (uint64_t)(to) << 8 | (uint64_t)(count) << 16 | (uint64_t)(flags) << 24)
enum { F32, F16, BF16, FP8, BF8, FP6, BF6, FP4 };
static const struct co_fmt *const formats[] = { &co_fmt_f32, &co_fmt_f16, &co_fmt_bf16, &co_fmt_fp8,
                                                &co_fmt_bf8, &co_fmt_fp6, &co_fmt_bf6, &co_fmt_fp4 };

static enum codeobj_status build_scaled(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct scaled *s = co_arena_alloc(b->arena, sizeof *s);
    if (!s)
        return CODEOBJ_NO_MEMORY;
    const uint64_t shape = b->row->data;
    *s = (struct scaled){ .from = formats[shape & 255], .to = formats[shape >> 8 & 255],
                          .count = (uint8_t)(shape >> 16), .flags = (uint8_t)(shape >> 24) };
    const unsigned sources = s->flags & TWO ? 2 : 1;
    s->scale = s->flags & (TWO | SR) ? 2 : 1;
    s->src_dwords = (uint8_t)dwords_of(s->from->bits * s->count / sources);
    s->dst_dwords = (uint8_t)dwords_of(s->to->bits * s->count);
    if (s->flags & SEL)
        select_scales(s, inst->mod.scale_sel);
    else
        select_parts(s, inst->mod.op_sel);
    enum codeobj_status status = co_build_operands(b, inst, op);
    if (status)
        return status;
    if (op->src_count <= s->scale || op->dst_kind != CO_DST_ROW) {
        b->why = "operands of a scaled conversion";
        return CODEOBJ_UNSUPPORTED;
    }
    for (unsigned n = 0; n < sources; n++) {
        const struct codeobj_isa_operand *o = co_operand_of(b, inst, (enum codeobj_isa_role)(CODEOBJ_ROLE_SRC0 + n));
        s->neg[n] = o && (o->flags & CODEOBJ_OPERAND_NEG);
        s->abs[n] = o && (o->flags & CODEOBJ_OPERAND_ABS);
        if (s->src_dwords > 2 && op->src[n].kind != CO_SRC_ROW) {
            b->why = "wide operand that is not in vector registers";
            return CODEOBJ_UNSUPPORTED;
        }
    }
    op->aux = s;
    op->fn = b->row->fn;
    return CODEOBJ_OK;
}

#define C(sem, from, to, count, flags) CO_ROW(CO_SEM_##sem, build_scaled, scaled, NULL, SHAPE(from, to, count, flags), true)
/* Small formats from all floats: nearest and stochastic. */
#define NARROW(n, small, to, count)                                                                        \
    C(v_cvt_scalef32_##n##_##small##_f16, F16, to, count, 0), C(v_cvt_scalef32_##n##_##small##_bf16, BF16, to, count, 0)
#define NARROW_SR(n, small, to, count)                                                                     \
    C(v_cvt_scalef32_sr_##n##small##_f32, F32, to, count, SR), C(v_cvt_scalef32_sr_##n##small##_f16, F16, to, count, SR), \
    C(v_cvt_scalef32_sr_##n##small##_bf16, BF16, to, count, SR)
#define WIDEN(prefix, small, from, count, flags)                                                           \
    C(prefix##_f32_##small, from, F32, count, flags), C(prefix##_f16_##small, from, F16, count, flags),    \
    C(prefix##_bf16_##small, from, BF16, count, flags)
#define BOTH_1250(n, small, to, count)                                                                     \
    C(v_cvt_scalef32_##n##_##small##_f32, F32, to, count, 0), NARROW(n, small, to, count),                 \
    NARROW_SR(n##_, small, to, count), WIDEN(v_cvt_scale_##n, small, to, count, SEL)

void CO_LANES_NAME(co_family_scaled)(struct co_sem_row *rows)
{
    /* gfx950 */
    C(v_cvt_scalef32_pk_fp8_f32, F32, FP8, 2, TWO), C(v_cvt_scalef32_pk_bf8_f32, F32, BF8, 2, TWO),
    C(v_cvt_scalef32_pk_fp4_f32, F32, FP4, 2, TWO),
    NARROW(pk, fp8, FP8, 2), NARROW(pk, bf8, BF8, 2), NARROW(pk, fp4, FP4, 2),
    NARROW_SR(, fp8, FP8, 1), NARROW_SR(, bf8, BF8, 1), NARROW_SR(pk_, fp4, FP4, 2),
    WIDEN(v_cvt_scalef32_pk, fp8, FP8, 2, 0), WIDEN(v_cvt_scalef32_pk, bf8, BF8, 2, 0), WIDEN(v_cvt_scalef32_pk, fp4, FP4, 2, 0),
    C(v_cvt_scalef32_f32_fp8, FP8, F32, 1, 0), C(v_cvt_scalef32_f32_bf8, BF8, F32, 1, 0),
    C(v_cvt_scalef32_f16_fp8, FP8, F16, 1, 0), C(v_cvt_scalef32_f16_bf8, BF8, F16, 1, 0),
    C(v_cvt_scalef32_2xpk16_fp6_f32, F32, FP6, 32, TWO), C(v_cvt_scalef32_2xpk16_bf6_f32, F32, BF6, 32, TWO),
    NARROW(pk32, fp6, FP6, 32), NARROW(pk32, bf6, BF6, 32), NARROW_SR(pk32_, fp6, FP6, 32), NARROW_SR(pk32_, bf6, BF6, 32),
    WIDEN(v_cvt_scalef32_pk32, fp6, FP6, 32, 0), WIDEN(v_cvt_scalef32_pk32, bf6, BF6, 32, 0),
    /* gfx1250 */
    BOTH_1250(pk8, fp8, FP8, 8), BOTH_1250(pk8, bf8, BF8, 8), BOTH_1250(pk8, fp4, FP4, 8),
    BOTH_1250(pk16, fp6, FP6, 16), BOTH_1250(pk16, bf6, BF6, 16);
}

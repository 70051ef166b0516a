/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/float.h - shapes of float loops.
 *
 * FAST*: the host's arithmetic, in blocks of 32 lanes; a block with a NaN result is looked at
 * again, since hosts differ in the NaN they hand on.  Where MODE is plain (nearest even, denormals
 * kept) nothing else is to be done; else denormals are flushed by hand and the host is told to round
 * as MODE does, if the expression allows for that (enum co_hosted).  Otherwise, and for SOFT*, the
 * functions of fp.h, lane by lane.
 */
#ifndef CO_EXEC_LANES_FLOAT_H
#define CO_EXEC_LANES_FLOAT_H

#include "exec/fp.h"
#include "exec/lanes/lanes.h"

static inline struct co_fp co_mode32(const struct co_wave *w)
{
    return (struct co_fp){ w->mode.round32, w->mode.denorm32, false };
}

static inline struct co_fp co_mode64(const struct co_wave *w)
{
    return (struct co_fp){ w->mode.round64, w->mode.denorm64, false };
}

/* f16 shares f64's mode, and has FP16_OVFL. */
static inline struct co_fp co_mode16(const struct co_wave *w)
{
    return (struct co_fp){ w->mode.round64, w->mode.denorm64, w->mode.fp16_ovfl };
}

static inline enum co_minmax co_minmax_rule(const struct co_wave *w)
{
    return w->mode.ieee ? CO_MINMAX_IEEE : CO_MINMAX_IEEE_OFF;
}

/* Expressions of x, y, z (bits: up to 64) and m (struct co_fp) for each lane that is on. */
#define SOFT_LANES_(w, load, put, expr)                 \
    for (unsigned i = 0; i < (w)->lanes; i++)           \
        if ((w)->mask[i]) {                             \
            load put(d, i, expr);                       \
        }
#define CO_PUT32_(d, i, v) d[i] = (uint32_t)(v)
#define CO_PUT64_(d, i, v) co_wide_put(d, i, ~0u, v)
#define CO_GET32_(p) p[i]
#define CO_GET16_(p) (p[i] & 0xffffu)
#define CO_GET64_(p) co_wide(p, i)

#define SOFT1(name, get, put, mode, expr)                             \
    LANE_HANDLER(name)                                                \
    {                                                                 \
        const uint32_t *const pa = co_row(w, op, 0);                  \
        uint32_t *const d = w->v[op->dst];                            \
        const struct co_fp m = mode(w);                               \
        (void)m;                                                      \
        SOFT_LANES_(w, const uint64_t x = get(pa);, put, expr)        \
        return CO_NEXT;                                               \
    }
#define SOFT2(name, get, getb, put, mode, expr)                                                  \
    LANE_HANDLER(name)                                                                           \
    {                                                                                            \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1);               \
        uint32_t *const d = w->v[op->dst];                                                       \
        const struct co_fp m = mode(w);                                                          \
        (void)m;                                                                                 \
        SOFT_LANES_(w, const uint64_t x = get(pa); const uint64_t y = getb(pb);, put, expr)      \
        return CO_NEXT;                                                                          \
    }
#define SOFT3(name, get, put, mode, expr)                                                                        \
    LANE_HANDLER(name)                                                                                           \
    {                                                                                                            \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2); \
        uint32_t *const d = w->v[op->dst];                                                                       \
        const struct co_fp m = mode(w);                                                                          \
        (void)m;                                                                                                 \
        SOFT_LANES_(w, const uint64_t x = get(pa); const uint64_t y = get(pb); const uint64_t z = get(pc);, put, expr) \
        return CO_NEXT;                                                                                          \
    }

/* ---- the host in other modes ------------------------------------------------------------------- */

/* What may be left to the host when MODE is not plain. */
enum co_hosted {
    CO_HOST_ROUNDS,  /* one rounding: any mode */
    CO_HOST_EXACT,   /* none: whatever the mode; the host rounds to nearest */
    CO_HOST_NEAREST, /* right only when rounded to nearest */
    CO_HOST_INTEGER, /* the same, of integers: no input is a denormal */
    CO_HOST_FUSED    /* as ROUNDS, where the host has fused multiply-adds */
};

static inline bool co_host_can(enum co_hosted hosted, unsigned round)
{
    if (round == 0 || hosted == CO_HOST_EXACT)
        return true;
#if defined(__SSE2__) && defined(__FMA__)
    return hosted == CO_HOST_ROUNDS || hosted == CO_HOST_FUSED;
#elif defined(__SSE2__)
    return hosted == CO_HOST_ROUNDS;
#else
    return false;
#endif
}

/* Tells the host how to round (as MODE counts) between these two.  What lies between works on memory, which the
 * compiler must not carry across. */
static inline void co_host_round(enum co_hosted hosted, unsigned round)
{
#if defined(__SSE2__)
    static const unsigned bits[4] = { _MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN, _MM_ROUND_TOWARD_ZERO };
    if (round && hosted != CO_HOST_EXACT)
        _mm_setcsr((_mm_getcsr() & ~(unsigned)_MM_ROUND_MASK) | bits[round & 3]);
#else
    (void)hosted;
    (void)round;
#endif
    __asm__ volatile("" : : : "memory");
}

static inline void co_host_nearest(enum co_hosted hosted, unsigned round)
{
    __asm__ volatile("" : : : "memory");
#if defined(__SSE2__)
    if (round && hosted != CO_HOST_EXACT)
        _mm_setcsr(_mm_getcsr() & ~(unsigned)_MM_ROUND_MASK);
#else
    (void)hosted;
    (void)round;
#endif
}

#define CO_WIDE_(p) co_wide((p) + at, i) /* in blocks: lane at + i */

/* Denormals to zeros of their sign, unless they are kept. */
static inline uint32_t co_flush32(uint32_t x, bool keep)
{
    const uint32_t zero = x & (keep ? ~0u : 0x80000000u);
    return x & 0x7f800000u ? x : zero;
}
/* Reads the low half. */
static inline uint32_t co_flush16(uint32_t x, bool keep)
{
    const uint32_t zero = x & (keep ? 0xffffu : 0x8000u);
    return x & 0x7c00u ? x & 0xffffu : zero;
}
static inline uint64_t co_flush64(uint64_t x, bool keep)
{
    const uint64_t zero = x & (keep ? ~UINT64_C(0) : 0x8000000000000000u);
    return x & 0x7ff0000000000000u ? x : zero;
}

/* ---- f32 ----------------------------------------------------------------------------------- */

/* Handler `name` from rows, loads (with a way to read a lane's bits), a float of a, b, c, and what a NaN is.  The plain
 * way keeps a block's results in registers until it knows that none is a NaN; name_careful does the rest of the row else. */
#define FAST32_(name, hosted, rows, loads, fast, nan)                                     \
    static __attribute__((noinline)) int name##_careful(struct co_wave *w, const struct co_op *op, unsigned at) \
    {                                                                                     \
        const bool in = (w->mode.denorm32 & 1) || (hosted) == CO_HOST_INTEGER, out = w->mode.denorm32 & 2; \
        if (!co_host_can(hosted, w->mode.round32))                                        \
            return name##_soft(w, op);                                                    \
        rows uint32_t *const d = w->v[op->dst];                                           \
        co_host_round(hosted, w->mode.round32);                                           \
        for (; at < w->lanes; at += 32) {                                                 \
            _Alignas(64) uint32_t r[32];                                                  \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                                 \
            {                                                                             \
                loads(CO_IN32_) r[i] = co_flush32(co_b32(fast), out);                     \
            }                                                                             \
            if (co_any_nan32(r))                                                          \
                CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) r[i] = co_isnan32(r[i]) ? nan : r[i]; \
            co_put_block(w, d, r, at);                                                    \
        }                                                                                 \
        co_host_nearest(hosted, w->mode.round32);                                         \
        return CO_NEXT;                                                                   \
    }                                                                                     \
    LANE_HANDLER(name)                                                                    \
    {                                                                                     \
        if (__builtin_expect(!w->mode.plain32, 0))                                        \
            return name##_careful(w, op, 0);                                              \
        rows uint32_t *const d = w->v[op->dst];                                           \
        for (unsigned at = 0; at < w->lanes; at += 32) {                                  \
            _Alignas(64) uint32_t r[32];                                                  \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                                 \
            {                                                                             \
                loads(CO_AS_IS_) r[i] = co_b32(fast);                                     \
            }                                                                             \
            if (__builtin_expect(co_any_nan32(r), 0))                                     \
                return name##_careful(w, op, at);                                         \
            co_put_block(w, d, r, at);                                                    \
        }                                                                                 \
        return CO_NEXT;                                                                   \
    }
#define CO_AS_IS_(x) (x)
#define CO_IN32_(x) co_flush32(x, in)
#define CO_ROWS1_ const uint32_t *const pa = co_row(w, op, 0);
#define CO_ROWS2_ CO_ROWS1_ const uint32_t *const pb = co_row(w, op, 1);
#define CO_ROWS3_ CO_ROWS2_ const uint32_t *const pc = co_row(w, op, 2);
#define CO_LOADS1_(get) const float a = co_f32(get(pa[at + i]));
#define CO_LOADS2_(get) CO_LOADS1_(get) const float b = co_f32(get(pb[at + i]));
#define CO_LOADS3_(get) CO_LOADS2_(get) const float c = co_f32(get(pc[at + i]));

#define FAST32_1(name, hosted, fast, soft)                            \
    SOFT1(name##_soft, CO_GET32_, CO_PUT32_, co_mode32, soft)         \
    FAST32_(name, hosted, CO_ROWS1_, CO_LOADS1_, fast, co_nan32(pa[at + i], 0, 0))
#define FAST32_2(name, hosted, fast, soft)                                   \
    SOFT2(name##_soft, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, soft)     \
    FAST32_(name, hosted, CO_ROWS2_, CO_LOADS2_, fast, co_nan32(pa[at + i], pb[at + i], 0))
#define FAST32_3(name, hosted, fast, soft)                            \
    SOFT3(name##_soft, CO_GET32_, CO_PUT32_, co_mode32, soft)         \
    FAST32_(name, hosted, CO_ROWS3_, CO_LOADS3_, fast, co_nan32(pa[at + i], pb[at + i], pc[at + i]))

/* ---- minimum, maximum, median: in any format by the order of the bits ------------------------- */

/* Order as integers: the sign flips the rest.  -0 lies below +0. */
static inline int32_t co_key32(uint32_t x) { return (int32_t)(x ^ (uint32_t)((int32_t)x >> 31) >> 1); }
static inline int64_t co_key64(uint64_t x) { return (int64_t)(x ^ (uint64_t)((int64_t)x >> 63) >> 1); }
static inline int32_t co_key16(uint32_t x) { return (int16_t)(x ^ ((uint32_t)(int16_t)x >> 31 ? 0x7fffu : 0)); }

static inline uint32_t co_min32(uint32_t a, uint32_t b) { return co_key32(a) < co_key32(b) ? a : b; }
static inline uint32_t co_max32(uint32_t a, uint32_t b) { return co_key32(a) < co_key32(b) ? b : a; }
static inline uint64_t co_min64(uint64_t a, uint64_t b) { return co_key64(a) < co_key64(b) ? a : b; }
static inline uint64_t co_max64(uint64_t a, uint64_t b) { return co_key64(a) < co_key64(b) ? b : a; }
static inline uint32_t co_min16(uint32_t a, uint32_t b) { return co_key16(a) < co_key16(b) ? a : b; }
static inline uint32_t co_max16(uint32_t a, uint32_t b) { return co_key16(a) < co_key16(b) ? b : a; }

/* Handler `name`: an expression of bits a, b, c (32 or 16 of them, flushed as MODE says), which chooses one; a block with a
 * NaN in any operand, where the rules differ, is done by `name`_soft. */
#define CHOICE_(name, rows, loads, is_nan, flush, denorm, expr)                           \
    LANE_HANDLER(name)                                                                    \
    {                                                                                     \
        const bool in = w->mode.denorm & 1, out = w->mode.denorm & 2;                     \
        uint32_t *const d = w->v[op->dst];                                                \
        _Alignas(64) uint32_t r[CO_LANES_MAX], nan[32];                                   \
        uint32_t nans = 0;                                                                \
        rows                                                                              \
        for (unsigned at = 0; at < w->lanes; at += 32) {                                  \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                                 \
            {                                                                             \
                loads(flush)                                                              \
                r[at + i] = flush(expr, out);                                             \
                nan[i] = is_nan ? ~0u : 0;                                                \
            }                                                                             \
            nans |= co_bits32(nan);                                                       \
        }                                                                                 \
        if (__builtin_expect(nans, 0))                                                    \
            return name##_soft(w, op);                                                    \
        for (unsigned at = 0; at < w->lanes; at += 32)                                    \
            co_put_block(w, d, r + at, at);                                               \
        return CO_NEXT;                                                                   \
    }
#define CO_BITS2_(flush) const uint32_t a = flush(pa[at + i], in), b = flush(pb[at + i], in);
#define CO_BITS3_(flush) CO_BITS2_(flush) const uint32_t c = flush(pc[at + i], in);
#define CHOICE32_2(name, expr) \
    CHOICE_(name, CO_ROWS2_, CO_BITS2_, ((uint32_t)co_isnan32(a) | co_isnan32(b)), co_flush32, denorm32, expr)
#define CHOICE32_3(name, expr) \
    CHOICE_(name, CO_ROWS3_, CO_BITS3_, ((uint32_t)co_isnan32(a) | co_isnan32(b) | co_isnan32(c)), co_flush32, denorm32, expr)
#define CHOICE16_2(name, expr) \
    CHOICE_(name, CO_ROWS2_, CO_BITS2_, ((uint32_t)co_isnan16(a) | co_isnan16(b)), co_flush16, denorm64, expr)
#define CHOICE16_3(name, expr) \
    CHOICE_(name, CO_ROWS3_, CO_BITS3_, ((uint32_t)co_isnan16(a) | co_isnan16(b) | co_isnan16(c)), co_flush16, denorm64, expr)

/* The same of two f64. */
#define CHOICE64_2(name, expr)                                                            \
    LANE_HANDLER(name)                                                                    \
    {                                                                                     \
        const bool in = w->mode.denorm64 & 1, out = w->mode.denorm64 & 2;                 \
        _Alignas(64) uint32_t lo[CO_LANES_MAX], hi[CO_LANES_MAX], nan[32];                \
        uint32_t nans = 0;                                                                \
        CO_ROWS2_                                                                         \
        for (unsigned at = 0; at < w->lanes; at += 32) {                                  \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                                 \
            {                                                                             \
                const uint64_t a = co_flush64(CO_WIDE_(pa), in), b = co_flush64(CO_WIDE_(pb), in), r = co_flush64(expr, out); \
                lo[at + i] = (uint32_t)r;                                                 \
                hi[at + i] = (uint32_t)(r >> 32);                                         \
                nan[i] = ((uint32_t)co_isnan64(a) | co_isnan64(b)) ? ~0u : 0;             \
            }                                                                             \
            nans |= co_bits32(nan);                                                       \
        }                                                                                 \
        if (__builtin_expect(nans, 0))                                                    \
            return name##_soft(w, op);                                                    \
        for (unsigned at = 0; at < w->lanes; at += 32) {                                  \
            co_put_block(w, w->v[op->dst], lo + at, at);                                  \
            co_put_block(w, w->v[op->dst + 1], hi + at, at);                              \
        }                                                                                 \
        return CO_NEXT;                                                                   \
    }

/* ---- f16: worked on as f32, rounded once more, which is exact for one operation --------------- */

/* The low halves of 32 dwords as floats, and back with zeros above. */
static inline void co_from_halves(float *f, const uint32_t *h)
{
#if defined(__AVX512F__)
    for (unsigned k = 0; k < 32; k += 16)
        _mm512_storeu_ps(f + k, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_loadu_si512(h + k))));
#elif defined(__F16C__) && defined(__AVX2__)
    for (unsigned k = 0; k < 32; k += 8) {
        const __m256i x = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)(h + k)), _mm256_set1_epi32(0xffff));
        _mm256_storeu_ps(f + k, _mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1))));
    }
#else
    CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) f[i] = co_f16(h[i] & 0xffffu);
#endif
}
static inline void co_to_halves(uint32_t *h, const float *f)
{
#if defined(__AVX512F__)
    for (unsigned k = 0; k < 32; k += 16)
        _mm512_storeu_si512(h + k, _mm512_cvtepu16_epi32(_mm512_cvtps_ph(_mm512_loadu_ps(f + k), _MM_FROUND_TO_NEAREST_INT)));
#elif defined(__F16C__) && defined(__AVX2__)
    for (unsigned k = 0; k < 32; k += 8)
        _mm256_storeu_si256((__m256i *)(void *)(h + k),
                            _mm256_cvtepu16_epi32(_mm256_cvtps_ph(_mm256_loadu_ps(f + k), _MM_FROUND_TO_NEAREST_INT)));
#else
    CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) h[i] = co_b16(f[i]);
#endif
}
/* Whether any of them is a NaN. */
static inline bool co_any_nan16(const uint32_t *h)
{
    _Alignas(64) uint32_t nan[32];
    CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) nan[i] = (h[i] & 0x7fffu) > 0x7c00u ? ~0u : 0;
    return co_bits32(nan) != 0;
}

#define FAST16_BODY_(loads, values, fast, nan)                               \
    for (unsigned at = 0; at < w->lanes; at += 32) {                         \
        _Alignas(64) uint32_t r[32];                                         \
        _Alignas(64) float f[32], fa[32], fb[32];                            \
        (void)fb;                                                            \
        loads                                                                \
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                        \
        {                                                                    \
            values f[i] = fast;                                              \
        }                                                                    \
        co_to_halves(r, f);                                                  \
        if (__builtin_expect(co_any_nan16(r), 0))                            \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) r[i] = co_isnan16(r[i]) ? nan : r[i]; \
        co_put_block(w, d, r, at);                                           \
    }
#define FAST16_1(name, fast, soft)                                                     \
    SOFT1(name##_soft, CO_GET16_, CO_PUT32_, co_mode16, soft)                          \
    LANE_HANDLER(name)                                                                 \
    {                                                                                  \
        if (!w->mode.plain16)                                                          \
            return name##_soft(w, op);                                                 \
        const uint32_t *const pa = co_row(w, op, 0);                                   \
        uint32_t *const d = w->v[op->dst];                                             \
        FAST16_BODY_(co_from_halves(fa, pa + at);, const float a = fa[i];, fast, co_nan16(pa[at + i] & 0xffffu, 0, 0)) \
        return CO_NEXT;                                                                \
    }
#define FAST16_2(name, fast, soft)                                                                     \
    SOFT2(name##_soft, CO_GET16_, CO_GET16_, CO_PUT32_, co_mode16, soft)                               \
    LANE_HANDLER(name)                                                                                 \
    {                                                                                                  \
        if (!w->mode.plain16)                                                                          \
            return name##_soft(w, op);                                                                 \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1);                     \
        uint32_t *const d = w->v[op->dst];                                                             \
        FAST16_BODY_(co_from_halves(fa, pa + at); co_from_halves(fb, pb + at);, const float a = fa[i]; const float b = fb[i];, \
                     fast, co_nan16(pa[at + i] & 0xffffu, pb[at + i] & 0xffffu, 0))                    \
        return CO_NEXT;                                                                                \
    }

/* ---- f64 -------------------------------------------------------------------------------------------- */

/* As for f32.  A NaN that arithmetic makes is quiet; where it may be handed on as it is, infinities are looked at again too. */
#define FAST64_(name, hosted, rows, loads, fast, nan)                                     \
    static __attribute__((noinline)) int name##_careful(struct co_wave *w, const struct co_op *op, unsigned at) \
    {                                                                                     \
        const bool in = w->mode.denorm64 & 1, out = w->mode.denorm64 & 2;                 \
        if (!co_host_can(hosted, w->mode.round64))                                        \
            return name##_soft(w, op);                                                    \
        rows uint32_t *const d = w->v[op->dst];                                           \
        co_host_round(hosted, w->mode.round64);                                           \
        for (; at < w->lanes; at += 32) {                                                 \
            _Alignas(64) uint32_t lo[32], hi[32], top[32];                                \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                                 \
            {                                                                             \
                loads(CO_IN64_) const uint64_t r = co_flush64(co_b64(fast), out);         \
                lo[i] = (uint32_t)r;                                                      \
                hi[i] = (uint32_t)(r >> 32);                                              \
            }                                                                             \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) top[i] = (hi[i] & 0x7ff00000u) == 0x7ff00000u ? ~0u : 0; \
            for (uint32_t left = co_bits32(top); left; left &= left - 1) {                \
                const unsigned i = (unsigned)__builtin_ctz(left);                         \
                const uint64_t was = lo[i] | (uint64_t)hi[i] << 32, r = co_isnan64(was) ? nan : was; \
                lo[i] = (uint32_t)r;                                                      \
                hi[i] = (uint32_t)(r >> 32);                                              \
            }                                                                             \
            co_put_block(w, d, lo, at);                                                   \
            co_put_block(w, d + CO_LANES_MAX, hi, at);                                    \
        }                                                                                 \
        co_host_nearest(hosted, w->mode.round64);                                         \
        return CO_NEXT;                                                                   \
    }                                                                                     \
    LANE_HANDLER(name)                                                                    \
    {                                                                                     \
        if (__builtin_expect(!w->mode.plain64, 0))                                        \
            return name##_careful(w, op, 0);                                              \
        rows uint32_t *const d = w->v[op->dst];                                           \
        const uint32_t top_bits = (hosted) == CO_HOST_EXACT ? 0x7ff00000u : 0x7ff80000u;  \
        for (unsigned at = 0; at < w->lanes; at += 32) {                                  \
            _Alignas(64) uint32_t lo[32], hi[32], top[32];                                \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                                 \
            {                                                                             \
                loads(CO_AS_IS_) const uint64_t r = co_b64(fast);                         \
                lo[i] = (uint32_t)r;                                                      \
                hi[i] = (uint32_t)(r >> 32);                                              \
            }                                                                             \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) top[i] = (hi[i] & top_bits) == top_bits ? ~0u : 0; \
            if (__builtin_expect(co_bits32(top), 0))                                      \
                return name##_careful(w, op, at);                                         \
            co_put_block(w, d, lo, at);                                                   \
            co_put_block(w, d + CO_LANES_MAX, hi, at);                                    \
        }                                                                                 \
        return CO_NEXT;                                                                   \
    }
#define CO_IN64_(x) co_flush64(x, in)
#define CO_WIDES1_(get) const double a = co_f64(get(CO_WIDE_(pa)));
#define CO_WIDES2_(get) CO_WIDES1_(get) const double b = co_f64(get(CO_WIDE_(pb)));
#define CO_WIDES3_(get) CO_WIDES2_(get) const double c = co_f64(get(CO_WIDE_(pc)));

#define FAST64_1(name, hosted, fast, soft)                            \
    SOFT1(name##_soft, CO_GET64_, CO_PUT64_, co_mode64, soft)         \
    FAST64_(name, hosted, CO_ROWS1_, CO_WIDES1_, fast, co_nan64(CO_WIDE_(pa), 0, 0))
#define FAST64_2(name, hosted, fast, soft)                                   \
    SOFT2(name##_soft, CO_GET64_, CO_GET64_, CO_PUT64_, co_mode64, soft)     \
    FAST64_(name, hosted, CO_ROWS2_, CO_WIDES2_, fast, co_nan64(CO_WIDE_(pa), CO_WIDE_(pb), 0))
#define FAST64_3(name, hosted, fast, soft)                            \
    SOFT3(name##_soft, CO_GET64_, CO_PUT64_, co_mode64, soft)         \
    FAST64_(name, hosted, CO_ROWS3_, CO_WIDES3_, fast, co_nan64(CO_WIDE_(pa), CO_WIDE_(pb), CO_WIDE_(pc)))

/* ---- packed 16 bits ------------------------------------------------------------------------------------ */

/* Runs a 16-bit handler on the low and on the high halves. */
static inline int co_packed(struct co_wave *w, const struct co_op *op, co_handler *one)
{
    struct co_op half = *op;
    const uint32_t *src[CO_OP_SRC_MAX];
    const unsigned low = CO_ROW_TMP + CO_ROW_TMP_COUNT - 16, high = low + 1, in = low + 2;
    for (unsigned k = 0; k < op->src_count; k++) {
        src[k] = co_row(w, op, k);
        half.src[k] = (struct co_src){ .kind = CO_SRC_ROW, .reg = (uint16_t)(in + k), .dwords = 1 };
        const uint32_t *s = src[k];
        uint32_t *t = w->v[in + k];
        EACH_LANE(i, w) t[i] = s[i] & 0xffffu;
    }
    half.dst = (uint16_t)low;
    one(w, &half);
    for (unsigned k = 0; k < op->src_count; k++) {
        const uint32_t *s = src[k];
        uint32_t *t = w->v[in + k];
        EACH_LANE(i, w) t[i] = s[i] >> 16;
    }
    half.dst = (uint16_t)high;
    one(w, &half);
    const uint32_t *lo = w->v[low], *hi = w->v[high], *m = w->mask;
    uint32_t *d = w->v[op->dst];
    EACH_LANE(i, w) d[i] = (((lo[i] & 0xffffu) | hi[i] << 16) & m[i]) | (d[i] & ~m[i]);
    return CO_NEXT;
}
#define PACKED(name, one) \
    LANE_HANDLER(name) { return co_packed(w, op, one); }

#endif

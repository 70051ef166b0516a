/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/lanes.h - loops over lanes, built once per instruction set.
 *
 * Each file of this folder is compiled for base, AVX2 and AVX-512; CO_LANES names
 * the variant and CO_LANES_NAME(x) makes its symbols differ.  What leaves a file is
 * co_family_NAME, a function that enters its rows and that lanes/table.c of the same
 * variant lists; besides, what the rest reaches without a row: co_pairs of int64.c,
 * co_mover of memory.c, and handlers that builders choose (co_run_...).
 *
 * EACH_LANE(i, w) { ... } runs i over the lanes of the wave in blocks of 32.  Lanes
 * do not depend on each other: a lane reads its own element of source rows and
 * writes its own of the destination, which may be the same row.
 */
#ifndef CO_EXEC_LANES_H
#define CO_EXEC_LANES_H

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "exec/modified.h"
#include "exec/op.h"
#include "isa/semantics.h"

#define CO_LANES_CAT2(a, b) a##_##b
#define CO_LANES_CAT(a, b) CO_LANES_CAT2(a, b)
#define CO_LANES_NAME(x) CO_LANES_CAT(x, CO_LANES)

#if defined(__clang__)
#define CO_NO_DEPS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define CO_NO_DEPS _Pragma("GCC ivdep")
#else
#define CO_NO_DEPS
#endif

#define EACH_LANE(i, w)                                                                      \
    for (ptrdiff_t block_##i = 0, lanes_##i = (w)->lanes; block_##i < lanes_##i; block_##i += 32) \
        CO_NO_DEPS for (ptrdiff_t i = block_##i; i < block_##i + 32; i++)

#define LANE_HANDLER(name) static int name(struct co_wave *w, const struct co_op *op)

/* As many lanes as a register of the host holds.  Copies go by these and not by memcpy(), which compilers turn into
 * moves of 16 bytes that the wide stores before them cannot be forwarded to. */
#if defined(__AVX512F__)
#define CO_VECTOR 64
#elif defined(__AVX2__)
#define CO_VECTOR 32
#else
#define CO_VECTOR 16
#endif
typedef uint32_t co_vector __attribute__((vector_size(CO_VECTOR), aligned(4), may_alias));

/* r[] (32 lanes from lane `at` on) into the destination row, where EXEC says so.  Indices are signed and begin
 * at 0: unsigned ones may wrap, which keeps compilers from using vectors. */
static inline void co_put_block(const struct co_wave *w, uint32_t *row, const uint32_t *r, unsigned at)
{
    co_vector *const d = (co_vector *)(row + at);
    const co_vector *const s = (const co_vector *)r;
    if (w->full) {
        for (unsigned k = 0; k < 128 / CO_VECTOR; k++)
            d[k] = s[k];
    } else {
        const co_vector *const m = (const co_vector *)(w->mask + at);
        for (unsigned k = 0; k < 128 / CO_VECTOR; k++)
            d[k] = (s[k] & m[k]) | (d[k] & ~m[k]);
    }
}

/* Vector k of the destination row, where EXEC says so. */
static inline void co_put_vector(const struct co_wave *w, co_vector *row, unsigned k, co_vector value)
{
    if (w->full) {
        row[k] = value;
    } else {
        const co_vector m = ((const co_vector *)w->mask)[k];
        row[k] = (value & m) | (row[k] & ~m);
    }
}

/* A source of one dword a lane as vectors of CO_VECTOR bytes: *step is 1, or 0 where one vector stands for all of them.
 * n: which of w->splat[] may be written. */
static inline const co_vector *co_vectors(struct co_wave *w, const struct co_src *src, unsigned n, size_t *step)
{
    *step = 1;
    if (__builtin_expect(src->kind == CO_SRC_ROW, 1))
        return (const co_vector *)w->v[src->reg];
    if (src->kind == CO_SRC_CONST)
        return (const co_vector *)src->row;
    co_vector *const one = (co_vector *)w->splat[n];
    *one = (co_vector){ 0 } + (src->kind == CO_SRC_SGPR ? w->s[src->reg] : co_scalar_or_lds(w, src));
    *step = 0;
    return one;
}

/* The highest bit of each element. */
static inline uint32_t co_vector_bits(co_vector v)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    return _mm512_movepi32_mask((__m512i)v);
#elif defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps((__m256)v);
#elif defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)v);
#else
    uint32_t bits = 0;
    for (unsigned i = 0; i < CO_VECTOR / 4; i++)
        bits |= v[i] >> 31 << i;
    return bits;
#endif
}

/* D = expression of a, b, c: one dword each, read as `type`. */
#define LANES_BODY_(w, d, setup, expr)                          \
    if ((w)->full) {                                            \
        EACH_LANE(i, w) { setup d[i] = (uint32_t)(expr); }      \
    } else {                                                    \
        const uint32_t *const m = (w)->mask;                    \
        EACH_LANE(i, w)                                         \
        {                                                       \
            setup const uint32_t r = (uint32_t)(expr);          \
            d[i] = (r & m[i]) | (d[i] & ~m[i]);                 \
        }                                                       \
    }                                                           \
    return CO_NEXT;
#define LANES1(name, type, expr)                                              \
    LANE_HANDLER(name)                                                        \
    {                                                                         \
        const uint32_t *const pa = co_row(w, op, 0);                          \
        uint32_t *const d = w->v[op->dst];                                    \
        LANES_BODY_(w, d, const type a = (type)pa[i];, expr)                  \
    }
#define LANES2(name, type, expr)                                                               \
    LANE_HANDLER(name)                                                                         \
    {                                                                                          \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1);             \
        uint32_t *const d = w->v[op->dst];                                                     \
        LANES_BODY_(w, d, const type a = (type)pa[i]; const type b = (type)pb[i];, expr)       \
    }
#define LANES3(name, type, expr)                                                                       \
    LANE_HANDLER(name)                                                                                 \
    {                                                                                                  \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2); \
        uint32_t *const d = w->v[op->dst];                                                             \
        LANES_BODY_(w, d, const type a = (type)pa[i]; const type b = (type)pb[i]; const type c = (type)pc[i];, expr) \
    }

/* Two-dword operands: the high dwords lie a row further. */
static inline uint64_t co_wide(const uint32_t *row, ptrdiff_t i)
{
    return row[i] | (uint64_t)row[CO_LANES_MAX + i] << 32;
}

static inline void co_wide_put(uint32_t *row, ptrdiff_t i, uint32_t mask, uint64_t value)
{
    row[i] = ((uint32_t)value & mask) | (row[i] & ~mask);
    row[CO_LANES_MAX + i] = ((uint32_t)(value >> 32) & mask) | (row[CO_LANES_MAX + i] & ~mask);
}

/* The lowest bit of each of 32 elements, which are 0 or ~0. */
static inline uint32_t co_bits32(const uint32_t *r)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    return (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(r)) | (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(r + 16)) << 16;
#elif defined(__AVX2__)
    uint32_t bits = 0;
    for (unsigned k = 0; k < 4; k++)
        bits |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)(const void *)(r + 8 * k)))) << (8 * k);
    return bits;
#elif defined(__SSE2__)
    uint32_t bits = 0;
    for (unsigned k = 0; k < 8; k++)
        bits |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(const void *)(r + 4 * k)))) << (4 * k);
    return bits;
#else
    uint32_t bits = 0;
    for (unsigned i = 0; i < 32; i++)
        bits |= (r[i] & 1) << i;
    return bits;
#endif
}

/* Whether any of 32 floats is a NaN. */
static inline bool co_any_nan32(const uint32_t *r)
{
#if defined(__AVX512F__)
    const __m512 a = _mm512_loadu_ps(r), b = _mm512_loadu_ps(r + 16);
    return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q) != 0;
#elif defined(__AVX2__)
    const float *f = (const float *)(const void *)r;
    const __m256 a = _mm256_cmp_ps(_mm256_loadu_ps(f), _mm256_loadu_ps(f + 8), _CMP_UNORD_Q);
    const __m256 b = _mm256_cmp_ps(_mm256_loadu_ps(f + 16), _mm256_loadu_ps(f + 24), _CMP_UNORD_Q);
    return _mm256_movemask_ps(_mm256_or_ps(a, b)) != 0;
#elif defined(__SSE2__)
    const float *f = (const float *)(const void *)r;
    __m128 any = _mm_setzero_ps();
    for (unsigned k = 0; k < 32; k += 8)
        any = _mm_or_ps(any, _mm_cmpunord_ps(_mm_loadu_ps(f + k), _mm_loadu_ps(f + k + 4)));
    return _mm_movemask_ps(any) != 0;
#else
    uint32_t bad = 0;
    for (unsigned i = 0; i < 32; i++)
        bad |= (r[i] & 0x7fffffffu) > 0x7f800000u;
    return bad;
#endif
}

/* A lane mask as a row of 0 and ~0. */
static inline void co_expand(uint32_t *row, uint64_t bits, unsigned lanes)
{
    for (unsigned half = 0; half < lanes; half += 32) {
        const uint32_t b = (uint32_t)(bits >> half);
        uint32_t *const d = row + half;
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
            d[i] = (uint32_t)((int32_t)(b << (31 - i)) >> 31);
    }
}

/* A mask operand of any kind. */
static inline uint64_t co_mask_src(const struct co_wave *w, const struct co_src *src)
{
    if (src->kind == CO_SRC_SGPR)
        return co_mask_get(w, src->reg);
    return co_scalar64(w, src);
}

#endif

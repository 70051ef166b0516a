/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/float.h - shapes of float loops.
 *
 * FAST*: the host's arithmetic where MODE is plain (nearest even, denormals kept), in blocks of
 * 32 lanes; a block with a NaN result is looked at again, since hosts differ in the NaN they hand
 * on.  Otherwise, and for SOFT*, the functions of fp.h, lane by lane.
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

/* ---- f32 ----------------------------------------------------------------------------------- */

/* fast: a float of a, b, c; soft: bits of x, y, z, m; nan: arguments of co_nan32. */
#define FAST32_BODY_(loads, fast, nan)                                       \
    for (unsigned at = 0; at < w->lanes; at += 32) {                         \
        _Alignas(64) uint32_t r[32];                                         \
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                        \
        {                                                                    \
            loads r[i] = co_b32(fast);                                       \
        }                                                                    \
        if (__builtin_expect(co_any_nan32(r), 0))                            \
            for (unsigned i = 0; i < 32; i++)                                \
                r[i] = co_isnan32(r[i]) ? nan : r[i];                        \
        co_put_block(w, d, r, at);                                           \
    }

#define FAST32_1(name, fast, soft)                                                     \
    SOFT1(name##_soft, CO_GET32_, CO_PUT32_, co_mode32, soft)                          \
    LANE_HANDLER(name)                                                                 \
    {                                                                                  \
        if (!w->mode.plain32)                                                          \
            return name##_soft(w, op);                                                 \
        const uint32_t *const pa = co_row(w, op, 0);                                   \
        uint32_t *const d = w->v[op->dst];                                             \
        FAST32_BODY_(const float a = co_f32(pa[at + i]);, fast, co_nan32(pa[at + i], 0, 0)) \
        return CO_NEXT;                                                                \
    }
#define FAST32_2(name, fast, soft)                                                                     \
    SOFT2(name##_soft, CO_GET32_, CO_GET32_, CO_PUT32_, co_mode32, soft)                               \
    LANE_HANDLER(name)                                                                                 \
    {                                                                                                  \
        if (!w->mode.plain32)                                                                          \
            return name##_soft(w, op);                                                                 \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1);                     \
        uint32_t *const d = w->v[op->dst];                                                             \
        FAST32_BODY_(const float a = co_f32(pa[at + i]); const float b = co_f32(pb[at + i]);, fast,    \
                     co_nan32(pa[at + i], pb[at + i], 0))                                              \
        return CO_NEXT;                                                                                \
    }
#define FAST32_3(name, fast, soft)                                                                               \
    SOFT3(name##_soft, CO_GET32_, CO_PUT32_, co_mode32, soft)                                                    \
    LANE_HANDLER(name)                                                                                           \
    {                                                                                                            \
        if (!w->mode.plain32)                                                                                    \
            return name##_soft(w, op);                                                                           \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2); \
        uint32_t *const d = w->v[op->dst];                                                                       \
        FAST32_BODY_(const float a = co_f32(pa[at + i]); const float b = co_f32(pb[at + i]);                     \
                     const float c = co_f32(pc[at + i]);, fast, co_nan32(pa[at + i], pb[at + i], pc[at + i]))    \
        return CO_NEXT;                                                                                          \
    }

/* ---- f16: worked on as f32, rounded once more, which is exact for one operation --------------- */

#define FAST16_BODY_(loads, fast, nan)                                       \
    for (unsigned at = 0; at < w->lanes; at += 32) {                         \
        _Alignas(64) uint32_t r[32];                                         \
        uint32_t bad = 0;                                                    \
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                        \
        {                                                                    \
            loads r[i] = co_b16(fast);                                       \
            bad |= (r[i] & 0x7fffu) > 0x7c00u;                               \
        }                                                                    \
        if (__builtin_expect(bad, 0))                                        \
            for (unsigned i = 0; i < 32; i++)                                \
                r[i] = co_isnan16(r[i]) ? nan : r[i];                        \
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
        FAST16_BODY_(const float a = co_f16(pa[at + i] & 0xffffu);, fast, co_nan16(pa[at + i] & 0xffffu, 0, 0)) \
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
        FAST16_BODY_(const float a = co_f16(pa[at + i] & 0xffffu); const float b = co_f16(pb[at + i] & 0xffffu);, fast, \
                     co_nan16(pa[at + i] & 0xffffu, pb[at + i] & 0xffffu, 0))                          \
        return CO_NEXT;                                                                                \
    }

/* ---- f64 -------------------------------------------------------------------------------------------- */

#define FAST64_LOOP_(loads, fast, nan)                                       \
    for (unsigned i = 0; i < w->lanes; i++) {                                \
        loads uint64_t r = co_b64(fast);                                     \
        if (co_isnan64(r))                                                   \
            r = nan;                                                         \
        co_wide_put(d, i, w->mask[i], r);                                    \
    }
#define FAST64_1(name, fast, soft)                                                     \
    SOFT1(name##_soft, CO_GET64_, CO_PUT64_, co_mode64, soft)                          \
    LANE_HANDLER(name)                                                                 \
    {                                                                                  \
        if (!w->mode.plain64)                                                          \
            return name##_soft(w, op);                                                 \
        const uint32_t *const pa = co_row(w, op, 0);                                   \
        uint32_t *const d = w->v[op->dst];                                             \
        FAST64_LOOP_(const double a = co_f64(co_wide(pa, i));, fast, co_nan64(co_wide(pa, i), 0, 0)) \
        return CO_NEXT;                                                                \
    }
#define FAST64_2(name, fast, soft)                                                                     \
    SOFT2(name##_soft, CO_GET64_, CO_GET64_, CO_PUT64_, co_mode64, soft)                               \
    LANE_HANDLER(name)                                                                                 \
    {                                                                                                  \
        if (!w->mode.plain64)                                                                          \
            return name##_soft(w, op);                                                                 \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1);                     \
        uint32_t *const d = w->v[op->dst];                                                             \
        FAST64_LOOP_(const double a = co_f64(co_wide(pa, i)); const double b = co_f64(co_wide(pb, i));, fast, \
                     co_nan64(co_wide(pa, i), co_wide(pb, i), 0))                                      \
        return CO_NEXT;                                                                                \
    }
#define FAST64_3(name, fast, soft)                                                                               \
    SOFT3(name##_soft, CO_GET64_, CO_PUT64_, co_mode64, soft)                                                    \
    LANE_HANDLER(name)                                                                                           \
    {                                                                                                            \
        if (!w->mode.plain64)                                                                                    \
            return name##_soft(w, op);                                                                           \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2); \
        uint32_t *const d = w->v[op->dst];                                                                       \
        FAST64_LOOP_(const double a = co_f64(co_wide(pa, i)); const double b = co_f64(co_wide(pb, i));           \
                     const double c = co_f64(co_wide(pc, i));, fast,                                             \
                     co_nan64(co_wide(pa, i), co_wide(pb, i), co_wide(pc, i)))                                   \
        return CO_NEXT;                                                                                          \
    }

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

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
    return (struct co_fp){ w->mode.round32, w->mode.denorm32 };
}

static inline struct co_fp co_mode64(const struct co_wave *w)
{
    return (struct co_fp){ w->mode.round64, w->mode.denorm64 };
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
        uint32_t bad = 0;                                                    \
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                        \
        {                                                                    \
            loads r[i] = co_b32(fast);                                       \
            bad |= (r[i] & 0x7fffffffu) > 0x7f800000u;                       \
        }                                                                    \
        if (__builtin_expect(bad, 0))                                        \
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

#endif

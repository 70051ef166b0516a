/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/modified.c - running operations with modifiers: fetch, bare operation, put back.
 *
 * See ../modified.h.
 */
#include "exec/lanes/lanes.h"

#include "exec/fp.h"
#include "exec/modified.h"

co_handler CO_LANES_NAME(co_run_modified), CO_LANES_NAME(co_run_dual);

/* ---- fetch ------------------------------------------------------------------------------ */

static void permute(const struct codeobj_lane_map *map, const uint32_t *s, uint32_t *d)
{
    uint32_t copy[CO_LANES_MAX];
    memcpy(copy, s, sizeof copy);
    for (unsigned i = 0; i < CO_LANES_MAX; i++) {
        int from = map->from[i];
        uint32_t v = copy[from & (CO_LANES_MAX - 1)];
        d[i] = from >= 0 ? v : 0;
    }
}

static inline uint32_t bytes_of(uint32_t x, const struct co_fetch *f)
{
    uint32_t v = x << (32 - f->shift - f->width);
    return f->sext ? (uint32_t)((int32_t)v >> (32 - f->width)) : v >> (32 - f->width);
}

static void fetch(struct co_wave *w, const struct codeobj_lane_map *map, const struct co_fetch *f, unsigned n)
{
    const uint32_t *s = f->src.kind == CO_SRC_ROW ? w->v[f->src.reg] : f->src.kind == CO_SRC_CONST ? f->src.row : co_splat(w, &f->src, n);
    uint32_t *d = w->v[f->row];
    unsigned dwords = f->src.dwords ? f->src.dwords : 1;
    if (f->permute) {
        for (unsigned k = 0; k < dwords; k++)
            permute(map, s + k * CO_LANES_MAX, d + k * CO_LANES_MAX);
        s = d;
    }
    const uint32_t keep = f->keep, flip = f->flip;
    switch (f->kind) {
    case CO_FETCH_COPY:
        if (s != d)
            memcpy(d, s, dwords * CO_LANES_MAX * 4);
        break;
    case CO_FETCH_BITS:
        for (unsigned k = 0; k < dwords; k++, s += CO_LANES_MAX, d += CO_LANES_MAX) {
            uint32_t and = k == f->which ? keep : ~0u, xor = k == f->which ? flip : 0;
            EACH_LANE(i, w) d[i] = (s[i] & and) ^ xor;
        }
        break;
    case CO_FETCH_HALF: {
        unsigned shift = f->which ? 16 : 0;
        EACH_LANE(i, w) d[i] = ((s[i] >> shift & 0xffffu) & keep) ^ flip;
        break;
    }
    case CO_FETCH_PACKED: {
        unsigned lo = f->which & 1 ? 16 : 0, hi = f->which & 2 ? 16 : 0;
        EACH_LANE(i, w) d[i] = (((s[i] >> lo & 0xffffu) | s[i] >> hi << 16) & keep) ^ flip;
        break;
    }
    case CO_FETCH_PACKED32: {
        const uint32_t *lo = s + (f->which & 1 ? CO_LANES_MAX : 0), *hi = s + (f->which & 2 ? CO_LANES_MAX : 0);
        uint32_t *d1 = d + CO_LANES_MAX;
        if (dwords == 1) /* a 32-bit constant or register serves both */
            hi = lo = s;
        EACH_LANE(i, w)
        {
            uint32_t a = lo[i] ^ flip, b = hi[i] ^ keep;
            d[i] = a;
            d1[i] = b;
        }
        break;
    }
    case CO_FETCH_MIX16: {
        unsigned shift = f->which ? 16 : 0;
        if (f->width)
            EACH_LANE(i, w) d[i] = ((s[i] >> shift << 16) & keep) ^ flip;
        else
            EACH_LANE(i, w) d[i] = (co_f16_to_b32(s[i] >> shift & 0xffffu) & keep) ^ flip;
        break;
    }
    case CO_FETCH_BYTES:
        EACH_LANE(i, w) d[i] = (bytes_of(s[i], f) & keep) ^ flip;
        break;
    }
}

/* ---- put ---------------------------------------------------------------------------------- */

static const float omod_factor[4] = { 1.0f, 2.0f, 4.0f, 0.5f };

static inline uint32_t clamp32(uint32_t x, bool nan_zero)
{
    if (co_isnan32(x))
        return nan_zero ? 0 : x;
    return co_f32(x) > 0.0f ? co_f32(x) < 1.0f ? x : 0x3f800000u : 0;
}

static inline uint32_t clamp16(uint32_t x, bool nan_zero)
{
    if (co_isnan16(x))
        return nan_zero ? 0 : x;
    return x & 0x8000u ? 0 : x < 0x3c00u ? x : 0x3c00u;
}

static inline uint32_t clamp_bf16(uint32_t x, bool nan_zero)
{
    return clamp32(x << 16, nan_zero) >> 16;
}

/* omod works only where denormal results are flushed and IEEE is off; -0 becomes +0. */
static bool omod_on(const struct co_modified *m, bool ieee, unsigned denorm)
{
    return m->omod && (!ieee || m->omod_in_ieee) && !(denorm & 2);
}

/* The factor is a power of two: the exponent moves, and a result below the normal numbers is 0 even if rounding would
 * bring it back. */
static inline uint32_t scale32(uint32_t x, float factor)
{
    if (co_isnan32(x))
        return x;
    uint32_t r = co_b32(co_f32(x) * factor);
    return (r & 0x7f800000u) && !(factor < 1 && (x & 0x7f800000u) <= 0x00800000u) ? r : 0;
}

static inline uint32_t scale16(uint32_t x, float factor, bool saturate)
{
    if (co_isnan16(x))
        return x;
    uint32_t r = co_b16(co_f16(x & 0xffffu) * factor);
    if (saturate && (r & 0x7fffu) == 0x7c00u && (x & 0x7fffu) != 0x7c00u)
        r--;
    return (r & 0x7c00u) && !(factor < 1 && (x & 0x7c00u) <= 0x0400u) ? r : 0;
}

static void put32(struct co_wave *w, const struct co_modified *m, uint32_t *t)
{
    if (omod_on(m, w->mode.ieee, w->mode.denorm32)) {
        float factor = omod_factor[m->omod];
        EACH_LANE(i, w) t[i] = scale32(t[i], factor);
    }
    if (m->clamp) {
        bool zero = w->mode.dx10_clamp;
        for (unsigned k = 0; k < (m->bare.dst_dwords == 2 ? 2u : 1u); k++, t += CO_LANES_MAX)
            EACH_LANE(i, w) t[i] = clamp32(t[i], zero);
    }
}

static void put64(struct co_wave *w, const struct co_modified *m, uint32_t *t)
{
    bool scaled = omod_on(m, w->mode.ieee, w->mode.denorm64), zero = w->mode.dx10_clamp;
    uint32_t *h = t + CO_LANES_MAX;
    for (unsigned i = 0; i < w->lanes; i++) {
        uint64_t x = t[i] | (uint64_t)h[i] << 32;
        if (scaled && !co_isnan64(x)) {
            bool below = m->omod == 3 && (x & 0x7ff0000000000000u) <= 0x0010000000000000u;
            x = co_b64(co_f64(x) * (double)omod_factor[m->omod]);
            x = (x & 0x7ff0000000000000u) && !below ? x : 0;
        }
        if (m->clamp)
            x = co_isnan64(x) ? (zero ? 0 : x) : co_f64(x) > 0 ? co_f64(x) < 1 ? x : 0x3ff0000000000000u : 0;
        t[i] = (uint32_t)x;
        h[i] = (uint32_t)(x >> 32);
    }
}

static void put16(struct co_wave *w, const struct co_modified *m, uint32_t *t)
{
    bool zero = w->mode.dx10_clamp;
    if (omod_on(m, w->mode.ieee, w->mode.denorm64)) {
        float factor = omod_factor[m->omod];
        EACH_LANE(i, w) t[i] = scale16(t[i], factor, w->mode.fp16_ovfl);
    }
    if (m->clamp && m->bf16)
        EACH_LANE(i, w) t[i] = clamp_bf16(t[i] & 0xffffu, zero);
    else if (m->clamp)
        EACH_LANE(i, w) t[i] = clamp16(t[i] & 0xffffu, zero);
}

static void put_packed(struct co_wave *w, const struct co_modified *m, uint32_t *t)
{
    bool zero = w->mode.dx10_clamp;
    if (m->clamp && m->bf16)
        EACH_LANE(i, w) t[i] = clamp_bf16(t[i] & 0xffffu, zero) | clamp_bf16(t[i] >> 16, zero) << 16;
    else if (m->clamp)
        EACH_LANE(i, w) t[i] = clamp16(t[i] & 0xffffu, zero) | clamp16(t[i] >> 16, zero) << 16;
}

/* SDWA: into a byte or word of the destination, the rest cleared, sign-filled or kept. */
static inline uint32_t sdwa_merge(uint32_t old, uint32_t x, const struct co_modified *m)
{
    uint32_t mask = (m->sdwa_width == 8 ? 0xffu : 0xffffu) << m->sdwa_shift, v = x << m->sdwa_shift & mask;
    if (m->sdwa_unused == 2)
        return (old & ~mask) | v;
    if (m->sdwa_unused == 1) {
        unsigned up = 32u - m->sdwa_shift - m->sdwa_width;
        return (uint32_t)((int32_t)(v << up) >> up);
    }
    return v;
}

static void put(struct co_wave *w, const struct co_op *op, const struct co_modified *m)
{
    uint32_t *t = w->v[m->tmp], *d = w->v[op->dst];
    const uint32_t *mask = w->mask;
    switch (m->put) {
    case CO_PUT_32: put32(w, m, t); break;
    case CO_PUT_64: put64(w, m, t); break;
    case CO_PUT_16: put16(w, m, t); break;
    case CO_PUT_PK16: put_packed(w, m, t); break;
    default: break;
    }
    if (m->sdwa_width) {
        EACH_LANE(i, w) d[i] = mask[i] ? sdwa_merge(d[i], t[i], m) : d[i];
        return;
    }
    if (m->put == CO_PUT_16) {
        uint32_t keep = !m->keep_half ? 0 : m->high_half ? 0xffffu : 0xffff0000u;
        unsigned shift = m->high_half ? 16 : 0;
        EACH_LANE(i, w) d[i] = mask[i] ? (d[i] & keep) | (t[i] & 0xffffu) << shift : d[i];
        return;
    }
    for (unsigned k = 0; k < op->dst_dwords; k++, d += CO_LANES_MAX, t += CO_LANES_MAX)
        EACH_LANE(i, w) d[i] = (t[i] & mask[i]) | (d[i] & ~mask[i]);
}

int CO_LANES_NAME(co_run_modified)(struct co_wave *w, const struct co_op *op)
{
    const struct co_modified *m = op->aux;
    uint64_t exec = co_exec(w);
    const struct codeobj_lane_map *map = &m->full;
    struct codeobj_lane_map narrow;
    uint64_t written = m->full_written;
    if (m->has_dpp && (~exec & codeobj_lanes_all(w->lanes))) {
        narrow = m->full;
        written = codeobj_dpp_narrow(&m->full, m->fetch_inactive, m->bound_zero, exec, w->lanes, &narrow);
        map = &narrow;
    }
    for (unsigned n = 0; n < m->fetch_count; n++)
        fetch(w, map, &m->fetch[n], n);
    if (m->has_dpp)
        co_exec_set(w, written);
    co_handler *fn = atomic_load_explicit(&m->bare.fn, memory_order_relaxed);
    int step = fn(w, &m->bare);
    if (m->put != CO_PUT_NONE)
        put(w, op, m);
    if (m->has_dpp && !(m->bare.flags & CO_OP_EXEC_DST))
        co_exec_set(w, exec);
    return step;
}

int CO_LANES_NAME(co_run_dual)(struct co_wave *w, const struct co_op *op)
{
    const struct co_dual *d = op->aux;
    for (unsigned i = 0; i < 2; i++) {
        co_handler *fn = atomic_load_explicit(&d->half[i].fn, memory_order_relaxed);
        int step = fn(w, &d->half[i]);
        if (step != CO_NEXT)
            return step;
    }
    if (d->dwords) {
        const uint32_t *t = w->v[d->half[0].dst], *mask = w->mask;
        uint32_t *r = w->v[d->real];
        for (unsigned k = 0; k < d->dwords; k++, t += CO_LANES_MAX, r += CO_LANES_MAX)
            EACH_LANE(i, w) r[i] = (t[i] & mask[i]) | (r[i] & ~mask[i]);
    }
    return CO_NEXT;
}

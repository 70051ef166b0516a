/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/memory.c - loads, stores and atomics whose lanes all lie within one allocation.
 *
 * The registers that hold the addresses are surveyed first: lowest and highest place, and whether the lanes lie one behind
 * the other.  One look-up then covers all of them, and a run moves as a block.  What does not fit goes lane by lane through
 * co_access(), which also knows what is a fault.
 */
#include "exec/access.h"
#include "exec/lanes/lanes.h"

extern const struct co_mover CO_LANES_NAME(co_mover);
extern const struct co_pair CO_LANES_NAME(co_pairs)[];

struct survey {
    uint32_t min, max; /* of the offsets of lanes that are on */
    uint32_t bits;     /* that any of them has */
};

#define RAMP4(i, step) (i) * (step), ((i) + 1) * (step), ((i) + 2) * (step), ((i) + 3) * (step)
#define RAMP16(i, step) RAMP4(i, step), RAMP4((i) + 4, step), RAMP4((i) + 8, step), RAMP4((i) + 12, step)
#define RAMP64(step) { RAMP16(0, step), RAMP16(16, step), RAMP16(32, step), RAMP16(48, step) }

/* i * step of lane i; NULL: no access is as wide. */
static inline const uint32_t *ramp(unsigned step)
{
    static const _Alignas(64) uint32_t ramps[][CO_LANES_MAX] = { RAMP64(1), RAMP64(2), RAMP64(3), RAMP64(4), RAMP64(8), RAMP64(12), RAMP64(16) };
    static const uint8_t which[17] = { [1] = 1, [2] = 2, [3] = 3, [4] = 4, [8] = 5, [12] = 6, [16] = 7 };
    return which[step] ? ramps[which[step] - 1] : NULL;
}

/* No bit is set in 32 dwords' worth of vectors that were or-ed into one. */
static inline bool is_zero(co_vector v)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) == 0;
#elif defined(__AVX2__)
    return _mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    uint32_t any = 0;
    for (unsigned i = 0; i < CO_VECTOR / 4; i++)
        any |= v[i];
    return any == 0;
#endif
}

/* Each lane of the wave lies `step` behind the one before. */
static inline bool is_run(const struct co_wave *w, const uint32_t *off, const uint32_t *high, unsigned step)
{
    const uint32_t *const steps = ramp(step), first = off[0], last = off[w->lanes - 1];
    if (!steps || last - first != (w->lanes - 1) * step || last < first)
        return false;
    const co_vector *const o = (const co_vector *)off, *const s = (const co_vector *)steps, *const h = (const co_vector *)high;
    co_vector differ = { 0 };
    const unsigned count = w->lanes * 4 / CO_VECTOR;
    for (unsigned k = 0; k < count; k++)
        differ |= (o[k] - s[k]) ^ first;
    if (high) {
        const uint32_t top = high[0];
        for (unsigned k = 0; k < count; k++)
            differ |= h[k] ^ top;
    }
    return is_zero(differ);
}

static inline struct survey survey(const struct co_wave *w, const uint32_t *off)
{
    uint32_t min = UINT32_MAX, max = 0, bits = 0;
    const uint32_t *const m = w->mask;
    EACH_LANE(i, w)
    {
        const uint32_t x = off[i], low = x | ~m[i], high = x & m[i];
        min = low < min ? low : min;
        max = high > max ? high : max;
        bits |= high;
    }
    return (struct survey){ min, max, bits };
}

/* The high dwords are the same in all lanes that are on: those of lane `on`. */
static inline bool same_high(const struct co_wave *w, const uint32_t *high, unsigned on)
{
    uint32_t differ = 0;
    const uint32_t first = high[on];
    const uint32_t *const m = w->mask;
    EACH_LANE(i, w) differ |= (high[i] ^ first) & m[i];
    return differ == 0;
}

/* ---- runs --------------------------------------------------------------------------- */

/* Device memory need not be aligned for the host. */
typedef uint32_t unaligned32 __attribute__((aligned(1), may_alias));
typedef uint16_t unaligned16 __attribute__((aligned(1), may_alias));
typedef uint32_t unaligned_vector __attribute__((vector_size(CO_VECTOR), aligned(1), may_alias));

/* A dword of each of 32 lanes. */
static inline void copy_row32(void *to, const void *from)
{
    for (unsigned k = 0; k < 128 / CO_VECTOR; k++)
        ((unaligned_vector *)to)[k] = ((const unaligned_vector *)from)[k];
}

/* A dword of each lane. */
static inline void copy_row(const struct co_wave *w, uint8_t *to, const uint8_t *from)
{
    for (unsigned at = 0; at < w->lanes; at += 32)
        copy_row32(to + 4 * at, from + 4 * at);
}

/* Rows of `n` dwords a lane, interleaved in memory. */
static inline void split(const struct co_wave *w, uint32_t *rows, unsigned n, const unaligned32 *from)
{
    for (unsigned at = 0; at < w->lanes; at += 32, from += 32 * n)
        for (unsigned r = 0; r < n; r++) {
            _Alignas(64) uint32_t row[32];
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) row[i] = from[i * n + r];
            co_put_block(w, rows + r * CO_LANES_MAX, row, at);
        }
}

static inline void join(const struct co_wave *w, const uint32_t *rows, unsigned n, unaligned32 *to)
{
    for (unsigned at = 0; at < w->lanes; at += 32, to += 32 * n)
        for (unsigned r = 0; r < n; r++) {
            const uint32_t *const row = rows + r * CO_LANES_MAX + at;
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) to[i * n + r] = row[i];
        }
}

static void load_run(struct co_wave *w, const struct co_access *a, uint32_t *rows, const uint8_t *p)
{
    const unaligned32 *const from = (const unaligned32 *)(const void *)p;
    switch (a->bytes) {
    case 4: copy_row(w, (uint8_t *)rows, p); return;
    case 8: split(w, rows, 2, from); return;
    case 12: split(w, rows, 3, from); return;
    case 16: split(w, rows, 4, from); return;
    default: break;
    }
    for (unsigned at = 0; at < w->lanes; at += 32) {
        _Alignas(64) uint32_t raw[32];
        if (a->bytes == 1)
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) raw[i] = p[at + i];
        else
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) raw[i] = ((const unaligned16 *)(const void *)p)[at + i];
        if (a->ext != CO_EXT_U8 && a->ext != CO_EXT_U16)
            for (unsigned i = 0; i < 32; i++)
                raw[i] = co_extend(a->ext, raw[i], rows[at + i]);
        co_put_block(w, rows, raw, at);
    }
}

/* All lanes are on. */
static void store_run(const struct co_wave *w, const struct co_access *a, const uint32_t *rows, uint8_t *p)
{
    unaligned32 *const to = (unaligned32 *)(void *)p;
    const unsigned shift = a->ext >= CO_EXT_U8_HI ? 16 : 0;
    switch (a->bytes) {
    case 4: copy_row(w, p, (const uint8_t *)rows); return;
    case 8: join(w, rows, 2, to); return;
    case 12: join(w, rows, 3, to); return;
    case 16: join(w, rows, 4, to); return;
    case 1: EACH_LANE(i, w) p[i] = (uint8_t)(rows[i] >> shift); return;
    default: EACH_LANE(i, w) ((unaligned16 *)(void *)p)[i] = (uint16_t)(rows[i] >> shift); return;
    }
}

/* ---- lane by lane --------------------------------------------------------------------- */

#define EACH_ON(lane, w) CO_EACH_ON(lane, co_on(w))

/* p: where offset 0 would be, which need not exist. */
static void load_lanes(struct co_wave *w, const struct co_access *a, uint32_t *rows, uintptr_t p, const uint32_t *off, unsigned scale)
{
    unsigned lane;
    if (a->bytes < 4) {
        EACH_ON(lane, w) {
            uint32_t raw = 0;
            memcpy(&raw, (const void *)(p + ((uintptr_t)off[lane] << scale)), a->bytes == 1 ? 1 : 2);
            rows[lane] = co_extend(a->ext, raw, rows[lane]);
        }
        return;
    }
    const unsigned dwords = a->bytes / 4;
    if (dwords == 1) {
        EACH_ON(lane, w)
            memcpy(&rows[lane], (const void *)(p + ((uintptr_t)off[lane] << scale)), 4);
        return;
    }
    EACH_ON(lane, w) {
        const uintptr_t at = p + ((uintptr_t)off[lane] << scale);
        for (unsigned r = 0; r < dwords; r++)
            memcpy(&rows[r * CO_LANES_MAX + lane], (const void *)(at + 4 * r), 4);
    }
}

static void store_lanes(const struct co_wave *w, const struct co_access *a, const uint32_t *rows, uintptr_t p, const uint32_t *off,
                        unsigned scale)
{
    unsigned lane;
    if (a->bytes < 4) {
        EACH_ON(lane, w) {
            const uint32_t raw = rows[lane] >> (a->ext >= CO_EXT_U8_HI ? 16 : 0);
            memcpy((void *)(p + ((uintptr_t)off[lane] << scale)), &raw, a->bytes == 1 ? 1 : 2);
        }
        return;
    }
    const unsigned dwords = a->bytes / 4;
    if (dwords == 1) {
        EACH_ON(lane, w)
            memcpy((void *)(p + ((uintptr_t)off[lane] << scale)), &rows[lane], 4);
        return;
    }
    EACH_ON(lane, w) {
        const uintptr_t at = p + ((uintptr_t)off[lane] << scale);
        for (unsigned r = 0; r < dwords; r++)
            memcpy((void *)(at + 4 * r), &rows[r * CO_LANES_MAX + lane], 4);
    }
}

/* ---- atomics ------------------------------------------------------------------------------ */

/* One of 32 bits, lane after lane, where no other thread can come between.  false: not one of these. */
static bool atomics_alone(struct co_wave *w, enum co_atomic atomic, struct co_rows rows, uintptr_t p, const uint32_t *off, unsigned scale)
{
    const uint32_t *const data = w->v[rows.data], *const cmp = rows.cmp == CO_NO_ROW ? data : w->v[rows.cmp];
    uint32_t *const dst = rows.dst == CO_NO_ROW ? NULL : w->v[rows.dst];
    unsigned lane;
#define EACH(name, expr)                                                          \
    case CO_ATOMIC_##name:                                                        \
        EACH_ON(lane, w) {                                                        \
            void *const at = (void *)(p + ((uintptr_t)off[lane] << scale));       \
            const uint32_t x = data[lane], c = cmp[lane];                         \
            uint32_t old, r;                                                      \
            memcpy(&old, at, 4);                                                  \
            r = (expr);                                                           \
            (void)x, (void)c;                                                     \
            memcpy(at, &r, 4);                                                    \
            if (dst)                                                              \
                dst[lane] = old;                                                  \
        }                                                                         \
        return true;
    switch (atomic) {
        EACH(ADD, old + x)
        EACH(SUB, old - x)
        EACH(AND, old & x)
        EACH(OR, old | x)
        EACH(XOR, old ^ x)
        EACH(SWAP, x)
        EACH(CMPSWAP, old == c ? x : old)
        EACH(UMIN, x < old ? x : old)
        EACH(UMAX, x > old ? x : old)
        EACH(SMIN, (int32_t)x < (int32_t)old ? x : old)
        EACH(SMAX, (int32_t)x > (int32_t)old ? x : old)
    default: return false;
    }
#undef EACH
}

/* The same beside other threads. */
static bool atomics_shared(struct co_wave *w, enum co_atomic atomic, struct co_rows rows, uintptr_t p, const uint32_t *off, unsigned scale)
{
    const uint32_t *const data = w->v[rows.data];
    uint32_t *const dst = rows.dst == CO_NO_ROW ? NULL : w->v[rows.dst];
    unsigned lane;
#define EACH(name, function)                                                          \
    case CO_ATOMIC_##name:                                                            \
        EACH_ON(lane, w) {                                                            \
            uint32_t *const at = (uint32_t *)(p + ((uintptr_t)off[lane] << scale));   \
            const uint32_t old = function(at, data[lane], __ATOMIC_SEQ_CST);          \
            if (dst)                                                                  \
                dst[lane] = old;                                                      \
        }                                                                             \
        return true;
    switch (atomic) {
        EACH(ADD, __atomic_fetch_add)
        EACH(SUB, __atomic_fetch_sub)
        EACH(AND, __atomic_fetch_and)
        EACH(OR, __atomic_fetch_or)
        EACH(XOR, __atomic_fetch_xor)
        EACH(SWAP, __atomic_exchange_n)
    default: return false;
    }
#undef EACH
}

/* ---- all of them ------------------------------------------------------------------------ */

/* Every lane at the same offset of its private segment: rows of memory are rows of lanes (mem.h). */
static bool move_scratch(struct co_wave *w, const struct co_access *a, const struct co_lanes_at *at, uint32_t *rows)
{
    uint32_t base = (uint32_t)at->base;
    if (at->off) {
        const struct survey s = survey(w, at->off);
        if (s.min != s.max)
            return false;
        base += s.min << at->scale;
    }
    if (a->bytes < 4 || (base & 3) || (uint64_t)base + a->bytes > w->scratch_size)
        return false;
    for (unsigned r = 0; r < a->bytes / 4u; r++, rows += CO_LANES_MAX) {
        uint32_t *const p = (uint32_t *)(void *)(w->scratch + (size_t)(base / 4 + r) * w->lanes * 4);
        for (unsigned half = 0; half < w->lanes; half += 32)
            co_put_block(w, a->kind == CO_ACCESS_LOAD ? rows : p, (a->kind == CO_ACCESS_LOAD ? p : rows) + half, half);
    }
    return true;
}

/* All at one place. */
static void spread(struct co_wave *w, const struct co_access *a, uint32_t *rows, const uint8_t *p)
{
    for (unsigned r = 0; r < a->bytes / 4u; r++, rows += CO_LANES_MAX) {
        _Alignas(64) uint32_t row[32];
        uint32_t value;
        memcpy(&value, p + 4 * r, 4);
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++) row[i] = value;
        for (unsigned at = 0; at < w->lanes; at += 32)
            co_put_block(w, rows, row, at);
    }
}

/* Host memory of [addr, addr + size) in LDS or the device, or NULL. */
static inline uint8_t *place(struct co_wave *w, enum co_space space, unsigned slot, uint64_t addr, uint64_t size, uint32_t perm)
{
    if (space == CO_SPACE_LDS)
        return addr + size <= w->group->lds_size ? w->group->lds + addr : NULL;
    if (space == CO_SPACE_FLAT125 && addr - CO_SCRATCH_ADDR < CO_SCRATCH_SPAN)
        return NULL;
    return co_mem_at(w, slot, addr, size, perm);
}

/* The usual load or store: all lanes on, one behind the other. */
static inline bool move_run(struct co_wave *w, enum co_space space, const struct co_access *a, const struct co_lanes_at *at,
                            unsigned slot, uint32_t *row)
{
    const bool load = a->kind == CO_ACCESS_LOAD;
    if (!is_run(w, at->off, at->high, (unsigned)a->bytes >> at->scale))
        return false;
    const uint64_t addr = at->base + ((uint64_t)at->off[0] << at->scale) + (at->high ? (uint64_t)at->high[0] << 32 : 0);
    uint8_t *const p = place(w, space, slot, addr, (uint64_t)a->bytes * w->lanes, load ? CO_PERM_READ : CO_PERM_WRITE);
    if (!p)
        return false;
    if (load && a->bytes == 4)
        copy_row(w, (uint8_t *)row, p);
    else if (load)
        load_run(w, a, row, p);
    else if (a->bytes == 4)
        copy_row(w, p, (const uint8_t *)row);
    else
        store_run(w, a, row, p);
    return true;
}

/* Lane k's offset is the first one's and steps[k] more, for 32 lanes; bits that are otherwise. */
static inline co_vector off_run(const uint32_t *off, const uint32_t *steps, uint32_t first)
{
    const co_vector *const o = (const co_vector *)off, *const s = (const co_vector *)steps;
    co_vector differ = (o[0] - s[0]) ^ first;
    for (unsigned k = 1; k < 128 / CO_VECTOR; k++)
        differ |= (o[k] - s[k]) ^ first;
    return differ;
}

static inline co_vector off_same(const uint32_t *row, uint32_t value)
{
    const co_vector *const r = (const co_vector *)row;
    co_vector differ = r[0] ^ value;
    for (unsigned k = 1; k < 128 / CO_VECTOR; k++)
        differ |= r[k] ^ value;
    return differ;
}

/* Where the run of a load or store begins; false: not all lanes are on, or they do not lie one behind the other, or somebody
 * wants to know.  The address is 64 bits of a vector register (`wide`) or an offset of 32 bits, scaled, and scalar registers. */
static inline __attribute__((always_inline)) bool run_address(const struct co_wave *w, const struct co_op *op, const struct co_flat *p,
                                                              unsigned lanes, bool wide, uint64_t *addr)
{
    const uint32_t *const off = w->v[op->src[0].reg], first = off[0];
    uint64_t at = (uint64_t)first << (wide ? 0 : p->scale);
    if (!w->full || w->watch || (uint64_t)first + p->span != off[lanes - 1])
        return false;
    co_vector differ = off_run(off, p->steps, first);
    if (lanes == 64)
        differ |= off_run(off + 32, p->steps + 32, first);
    if (wide) {
        const uint32_t *const high = off + CO_LANES_MAX, top = high[0];
        differ |= off_same(high, top);
        if (lanes == 64)
            differ |= off_same(high + 32, top);
        at += (uint64_t)top << 32;
    }
    if (!is_zero(differ))
        return false;
    if (!wide && op->src[1].kind == CO_SRC_SGPR)
        at += w->s[op->src[1].reg] | (uint64_t)w->s[op->src[1].reg + 1] << 32;
    *addr = at + (uint64_t)op->imm;
    return p->space != CO_SPACE_FLAT125 || *addr - CO_SCRATCH_ADDR >= CO_SCRATCH_SPAN;
}

/* No run within the buffer that the operation met last: the turn of another buffer, after which it begins again, or of the
 * general way. */
static __attribute__((noinline)) int run_elsewhere(struct co_wave *w, const struct co_op *op)
{
    const struct co_flat *const p = op->aux;
    const uint32_t perm = p->access.kind == CO_ACCESS_LOAD ? CO_PERM_READ : CO_PERM_WRITE;
    uint64_t addr;
    if (run_address(w, op, p, w->lanes == 32 ? 32 : 64, p->wide, &addr) && co_mem_find(w, p->slot, addr, p->size, perm))
        return atomic_load_explicit(&op->fn, memory_order_relaxed)(w, op);
    return p->otherwise(w, op);
}

/* The next waves will want what lies behind: asked for so many waves early. */
#define AHEAD 8

static inline __attribute__((always_inline)) void ask_ahead(const uint8_t *at, uint32_t bytes)
{
    for (uint32_t k = 0; k < bytes; k += 64)
        __builtin_prefetch(at + (size_t)AHEAD * bytes + k);
}

/* Nothing is called on the way but what ends it: a handler that calls and goes on spends as much on keeping its registers as
 * on the look-up. */
static inline __attribute__((always_inline)) int run_one(struct co_wave *w, const struct co_op *op, unsigned lanes, bool wide, bool load,
                                                         bool dwords)
{
    const struct co_flat *const p = op->aux;
    const struct co_view *const view = &w->views[p->slot];
    uint64_t addr;
    if (!run_address(w, op, p, lanes, wide, &addr))
        return run_elsewhere(w, op);
    const uint64_t in = addr - view->addr, size = dwords ? 4 * lanes : p->size;
    if (in >= view->size || size > view->size - in || !(view->perm & (load ? CO_PERM_READ : CO_PERM_WRITE)))
        return run_elsewhere(w, op);
    uint8_t *const at = view->host + in;
    uint32_t *const row = w->v[load ? p->rows.dst : p->rows.data];
    if (load)
        ask_ahead(at, (uint32_t)size);
    if (!dwords && load) {
        load_run(w, &p->access, row, at);
    } else if (!dwords) {
        store_run(w, &p->access, row, at);
    } else {
        for (unsigned k = 0; k < lanes; k += 32)
            copy_row32(load ? (void *)(row + k) : at + 4 * k, load ? at + 4 * k : (const void *)(row + k));
    }
    return CO_NEXT;
}

#define RUN(name, lanes, wide, load, dwords) \
    LANE_HANDLER(name) { return run_one(w, op, lanes, wide, load, dwords); }
#define RUNS(lanes)                              \
    RUN(store_##lanes, lanes, false, false, false)  \
    RUN(store_wide_##lanes, lanes, true, false, false) \
    RUN(load_##lanes, lanes, false, true, false)    \
    RUN(load_wide_##lanes, lanes, true, true, false)   \
    RUN(store_dword_##lanes, lanes, false, false, true)  \
    RUN(store_dword_wide_##lanes, lanes, true, false, true) \
    RUN(load_dword_##lanes, lanes, false, true, true)    \
    RUN(load_dword_wide_##lanes, lanes, true, true, true)
RUNS(32)
RUNS(64)

static co_handler *flat_run(const struct co_flat *p, unsigned lanes)
{
#define BOTH(name) lanes == 32 ? name##_32 : name##_64
    const bool load = p->access.kind == CO_ACCESS_LOAD;
    if (p->access.bytes == 4 && p->wide)
        return load ? BOTH(load_dword_wide) : BOTH(store_dword_wide);
    if (p->access.bytes == 4)
        return load ? BOTH(load_dword) : BOTH(store_dword);
    if (p->wide)
        return load ? BOTH(load_wide) : BOTH(store_wide);
    return load ? BOTH(load) : BOTH(store);
#undef BOTH
}

static bool move(struct co_wave *w, enum co_space space, const struct co_access *a, const struct co_lanes_at *at,
                 struct co_rows rows)
{
    const bool load = a->kind == CO_ACCESS_LOAD, atomic = a->kind == CO_ACCESS_ATOMIC;
    const uint64_t on = w->full ? w->lane_mask : co_on(w);
    static const uint32_t zeros[CO_LANES_MAX];
    const uint32_t *const off = at->off ? at->off : zeros;
    uint32_t *const row = w->v[load ? rows.dst : rows.data];
    uint64_t base = at->base;
    if (!on)
        return true;
    if (w->watch) /* the general way tells the hook */
        return false;
    if (atomic && (a->bytes != 4 || space == CO_SPACE_SCRATCH))
        return false;
    if (space == CO_SPACE_SCRATCH)
        return move_scratch(w, a, at, row);
    if (!atomic && w->full && at->off && move_run(w, space, a, at, 0, row))
        return true;
    struct survey s = { 0, 0, 0 };
    if (at->off)
        s = survey(w, at->off);
    if (at->high) {
        const unsigned first = (unsigned)__builtin_ctzll(on);
        if (!same_high(w, at->high, first))
            return false;
        base += (uint64_t)at->high[first] << 32;
    }
    const uint64_t low = (uint64_t)s.min << at->scale, size = ((uint64_t)(s.max - s.min) << at->scale) + a->bytes;
    if (atomic && ((base | (uint64_t)s.bits << at->scale) & 3))
        return false;
    uint8_t *const p = place(w, space, 0, base + low, size,
                             load ? CO_PERM_READ : atomic ? CO_PERM_READ | CO_PERM_WRITE : CO_PERM_WRITE);
    if (!p)
        return false;
    const uintptr_t first = (uintptr_t)p - (uintptr_t)low;
    if (atomic && (w->alone || space == CO_SPACE_LDS))
        return atomics_alone(w, a->atomic, rows, first, off, at->scale);
    if (atomic)
        return atomics_shared(w, a->atomic, rows, first, off, at->scale);
    if (load && s.min == s.max && a->bytes >= 4) {
        spread(w, a, row, p);
    } else if (load) {
        load_lanes(w, a, row, first, off, at->scale);
    } else {
        store_lanes(w, a, row, first, off, at->scale);
    }
    return true;
}

/* Not with memcpy() and memset(), which take as long to begin as this takes; and of a row no more than has lanes. */
#define COPY_FIELDS(w, first, from, to)                                                                     \
    do {                                                                                                    \
        co_vector *const d_ = (co_vector *)(void *)((uint8_t *)(w) + offsetof(struct co_wave, from));       \
        const co_vector *const s_ = (const co_vector *)(const void *)((const uint8_t *)(first) + offsetof(struct co_wave, from)); \
        UNROLL for (size_t k = 0; k < (offsetof(struct co_wave, to) - offsetof(struct co_wave, from)) / CO_VECTOR; k++) d_[k] = s_[k]; \
    } while (0)
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 64")
#else
#define UNROLL
#endif

static void begin(struct co_wave *w, const struct co_wave *first, uint32_t rows)
{
    const bool same_mask = w->full && first->full; /* w->mask is that of w->lanes, which do not change */
    COPY_FIELDS(w, first, op, mask);
    if (!same_mask)
        COPY_FIELDS(w, first, mask, s);
    /* The sink and the zeros behind the registers never need it. */
    COPY_FIELDS(w, first, s, s[CO_S_SINK]);
    COPY_FIELDS(w, first, s[CO_S_SCC], splat);
    co_vector *row = (co_vector *)(void *)w->v[0];
    for (uint32_t r = 0; r < rows; r++, row += 256 / CO_VECTOR) {
        UNROLL for (unsigned k = 0; k < 128 / CO_VECTOR; k++) row[k] = (co_vector){ 0 };
        if (w->lanes == 64)
            UNROLL for (unsigned k = 128 / CO_VECTOR; k < 256 / CO_VECTOR; k++) row[k] = (co_vector){ 0 };
    }
}

static void count_up(uint32_t *row, uint32_t from, uint32_t lanes)
{
    co_vector *d = (co_vector *)row;
    const co_vector *s = (const co_vector *)ramp(1);
    for (uint32_t at = 0; at < lanes; at += 32)
        for (unsigned k = 0; k < 128 / CO_VECTOR; k++)
            *d++ = *s++ + from;
}

const struct co_mover CO_LANES_NAME(co_mover) = { move, flat_run, ramp, begin, count_up, CO_LANES_NAME(co_pairs) };

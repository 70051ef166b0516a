/* SPDX-License-Identifier: MIT
 *
 * exec/access.c - loads, stores and atomics of a wave; see access.h.
 *
 * Lane by lane, with every check: what lanes/memory.c could not do in one go.
 * The host is little-endian, as device memory is.
 */
#include "exec/access.h"

#include "exec/fp.h"

/* ---- atomics ----------------------------------------------------------------- */

static uint64_t atomic_float(enum co_atomic atomic, unsigned bytes, uint64_t old, uint64_t data)
{
    const struct co_fp keep = CO_FP_RNE;
    if (atomic == CO_ATOMIC_FADD) {
        if (bytes == 8) {
            double sum = co_f64(old) + co_f64(data);
            return sum != sum ? co_nan64(old, data, data) : co_b64(sum);
        }
        float sum = co_f32((uint32_t)old) + co_f32((uint32_t)data);
        return sum != sum ? co_nan32((uint32_t)old, (uint32_t)data, (uint32_t)data) : co_b32(sum);
    }
    if (atomic == CO_ATOMIC_PK_ADD_F16 || atomic == CO_ATOMIC_PK_ADD_BF16) {
        const struct co_fmt *f = atomic == CO_ATOMIC_PK_ADD_F16 ? &co_fmt_f16 : &co_fmt_bf16;
        uint64_t lo = co_fp_add(f, old & 0xffff, data & 0xffff, keep);
        return lo | co_fp_add(f, old >> 16 & 0xffff, data >> 16 & 0xffff, keep) << 16;
    }
    /* Minimum and maximum: a NaN gives way to a number; -0 is below +0. */
    const uint64_t sign = bytes == 8 ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
    bool old_nan = bytes == 8 ? co_isnan64(old) : co_isnan32((uint32_t)old);
    bool data_nan = bytes == 8 ? co_isnan64(data) : co_isnan32((uint32_t)data);
    if (old_nan || data_nan)
        return old_nan && data_nan ? (bytes == 8 ? co_quiet64(old) : co_quiet32((uint32_t)old)) : old_nan ? data : old;
    uint64_t a = old & sign ? ~old : old | sign, b = data & sign ? ~data : data | sign;
    if (bytes == 4) {
        a &= UINT32_MAX;
        b &= UINT32_MAX;
    }
    return (atomic == CO_ATOMIC_FMIN ? b < a : b > a) ? data : old;
}

static bool float_equal(unsigned bytes, uint64_t a, uint64_t b)
{
    return bytes == 8 ? co_f64(a) == co_f64(b) : co_f32((uint32_t)a) == co_f32((uint32_t)b);
}

uint64_t co_atomic_apply(enum co_atomic atomic, unsigned bytes, uint64_t old, uint64_t data, uint64_t cmp)
{
    const unsigned up = 64 - 8 * bytes;
    const int64_t so = (int64_t)(old << up), sd = (int64_t)(data << up);
    uint64_t r = old;
    switch (atomic) {
    case CO_ATOMIC_SWAP: r = data; break;
    case CO_ATOMIC_CMPSWAP: r = old == cmp ? data : old; break;
    case CO_ATOMIC_ADD: r = old + data; break;
    case CO_ATOMIC_SUB: r = old - data; break;
    case CO_ATOMIC_RSUB: r = data - old; break;
    case CO_ATOMIC_CSUB:
    case CO_ATOMIC_SUB_CLAMP: r = old < data ? 0 : old - data; break;
    case CO_ATOMIC_COND_SUB: r = old < data ? old : old - data; break;
    case CO_ATOMIC_SMIN: r = sd < so ? data : old; break;
    case CO_ATOMIC_SMAX: r = sd > so ? data : old; break;
    case CO_ATOMIC_UMIN: r = data < old ? data : old; break;
    case CO_ATOMIC_UMAX: r = data > old ? data : old; break;
    case CO_ATOMIC_AND: r = old & data; break;
    case CO_ATOMIC_OR: r = old | data; break;
    case CO_ATOMIC_XOR: r = old ^ data; break;
    case CO_ATOMIC_INC: r = old >= data ? 0 : old + 1; break;
    case CO_ATOMIC_DEC: r = old == 0 || old > data ? data : old - 1; break;
    case CO_ATOMIC_MSKOR: r = (old & ~data) | cmp; break;
    case CO_ATOMIC_WRAP: r = old >= data ? old - data : old + cmp; break;
    case CO_ATOMIC_FCMPSWAP: r = float_equal(bytes, old, cmp) ? data : old; break;
    case CO_ATOMIC_CONDXCHG32: { /* each half has its own "write" flag in the sign bit */
        uint64_t lo = data & 0x80000000u ? data & 0x7fffffffu : old & UINT32_MAX;
        uint64_t hi = data >> 63 ? data >> 32 & 0x7fffffffu : old >> 32;
        r = lo | hi << 32;
        break;
    }
    case CO_ATOMIC_NONE: break;
    default: r = atomic_float(atomic, bytes, old, data); break;
    }
    return r << up >> up;
}

/* Device memory is shared with other threads; LDS and scratch are this thread's. */
static uint64_t atomic_at(void *p, bool shared, const struct co_access *a, uint64_t data, uint64_t cmp)
{
    const enum co_atomic atomic = a->atomic;
    if (a->bytes == 4) {
        uint32_t old;
        if (!shared) {
            memcpy(&old, p, 4);
            uint32_t r = (uint32_t)co_atomic_apply(atomic, 4, old, data, cmp);
            memcpy(p, &r, 4);
            return old;
        }
        uint32_t *at = p;
        switch (atomic) {
        case CO_ATOMIC_ADD: return __atomic_fetch_add(at, (uint32_t)data, __ATOMIC_SEQ_CST);
        case CO_ATOMIC_OR: return __atomic_fetch_or(at, (uint32_t)data, __ATOMIC_SEQ_CST);
        case CO_ATOMIC_SWAP: return __atomic_exchange_n(at, (uint32_t)data, __ATOMIC_SEQ_CST);
        default: break;
        }
        old = __atomic_load_n(at, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(at, &old, (uint32_t)co_atomic_apply(atomic, 4, old, data, cmp), false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            ;
        return old;
    }
    uint64_t old;
    if (!shared) {
        memcpy(&old, p, 8);
        uint64_t r = co_atomic_apply(atomic, 8, old, data, cmp);
        memcpy(p, &r, 8);
        return old;
    }
    uint64_t *at = p;
    old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(at, &old, co_atomic_apply(atomic, 8, old, data, cmp), false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
        ;
    return old;
}

static bool has_comparand(enum co_atomic atomic)
{
    return atomic == CO_ATOMIC_CMPSWAP || atomic == CO_ATOMIC_FCMPSWAP || atomic == CO_ATOMIC_MSKOR ||
           atomic == CO_ATOMIC_WRAP;
}

static uint64_t row_value(const struct co_wave *w, unsigned row, unsigned lane, unsigned bytes)
{
    return w->v[row][lane] | (bytes == 8 ? (uint64_t)w->v[row + 1][lane] << 32 : 0);
}

static int atomic_fault(struct co_wave *w, const struct co_op *op, unsigned lane, uint64_t addr, uint32_t bytes)
{
    return co_fault(w, op, co_mem_why(w, addr, bytes, CO_FAULT_ATOMIC), lane, addr, bytes, NULL);
}

/* The lane whose private segment an address means. */
static inline unsigned owner(uint64_t addr, unsigned lane)
{
    return addr >> 32 ? (unsigned)(addr >> 32) - 1 : lane;
}

static int run_atomic(struct co_wave *w, const struct co_op *op, enum co_space space, const struct co_access *a,
                      const uint64_t *addr, uint64_t lanes, struct co_rows rows)
{
    unsigned lane;
    CO_EACH_ON(lane, lanes) {
        const uint64_t value = row_value(w, rows.data, lane, a->bytes);
        const uint64_t cmp = has_comparand(a->atomic) ? row_value(w, rows.cmp, lane, a->bytes) : 0;
        uint64_t old = 0, pair = 0;
        uint8_t *p;
        if (addr[lane] & (a->bytes - 1)) {
            const char *where = space == CO_SPACE_LDS ? "LDS" : space == CO_SPACE_SCRATCH ? "the private segment" : NULL;
            return co_fault(w, op, CO_FAULT_MISALIGNED, lane, where ? (uint32_t)addr[lane] : addr[lane], a->bytes, where);
        }
        switch (space) {
        case CO_SPACE_LDS:
            p = co_lds(w, op, lane, (uint32_t)addr[lane], a->bytes);
            old = p ? atomic_at(p, false, a, value, cmp) : 0;
            break;
        case CO_SPACE_SCRATCH: {
            const unsigned of = owner(addr[lane], lane);
            uint8_t *hi = a->bytes == 8 ? co_scratch(w, of, (uint32_t)addr[lane] + 4) : NULL;
            p = co_scratch(w, of, (uint32_t)addr[lane]);
            if (!p || (a->bytes == 8 && !hi))
                return co_fault(w, op, CO_FAULT_SCRATCH, lane, addr[lane], a->bytes, NULL);
            memcpy(&pair, p, 4);
            if (hi)
                memcpy((uint8_t *)&pair + 4, hi, 4);
            old = atomic_at(&pair, false, a, value, cmp);
            memcpy(p, &pair, 4);
            if (hi)
                memcpy(hi, (uint8_t *)&pair + 4, 4);
            break;
        }
        default:
            p = co_mem(w, addr[lane], a->bytes, CO_PERM_READ | CO_PERM_WRITE);
            if (!p)
                return atomic_fault(w, op, lane, addr[lane], a->bytes);
            old = atomic_at(p, true, a, value, cmp);
            break;
        }
        if (rows.dst != CO_NO_ROW) {
            w->v[rows.dst][lane] = (uint32_t)old;
            if (a->bytes == 8)
                w->v[rows.dst + 1][lane] = (uint32_t)(old >> 32);
        }
    }
    return CO_NEXT;
}

/* ---- device memory ------------------------------------------------------------- */

static void load_lane(struct co_wave *w, const struct co_access *a, unsigned dst, unsigned lane, const uint8_t *p)
{
    if (a->bytes < 4) {
        uint32_t raw = 0;
        memcpy(&raw, p, a->bytes);
        w->v[dst][lane] = co_extend(a->ext, raw, w->v[dst][lane]);
        return;
    }
    for (unsigned r = 0; r < a->bytes / 4u; r++)
        memcpy(&w->v[dst + r][lane], p + 4 * r, 4);
}

static void store_lane(const struct co_wave *w, const struct co_access *a, unsigned data, unsigned lane, uint8_t *p)
{
    if (a->bytes < 4) {
        uint32_t raw = w->v[data][lane];
        if (a->ext >= CO_EXT_U8_HI)
            raw >>= 16;
        memcpy(p, &raw, a->bytes);
        return;
    }
    for (unsigned r = 0; r < a->bytes / 4u; r++)
        memcpy(p + 4 * r, &w->v[data + r][lane], 4);
}

static int run_global(struct co_wave *w, const struct co_op *op, const struct co_access *a, const uint64_t *addr,
                      uint64_t lanes, struct co_rows rows)
{
    const bool load = a->kind == CO_ACCESS_LOAD;
    const uint32_t perm = load ? CO_PERM_READ : CO_PERM_WRITE;
    unsigned lane;
    CO_EACH_ON(lane, lanes) {
        uint8_t *p = co_mem(w, addr[lane], a->bytes, perm);
        if (__builtin_expect(!p, 0)) {
            enum co_fault_kind asked = load ? CO_FAULT_READ : CO_FAULT_WRITE;
            return co_fault(w, op, co_mem_why(w, addr[lane], a->bytes, asked), lane, addr[lane], a->bytes, NULL);
        }
        if (load)
            load_lane(w, a, rows.dst, lane, p);
        else
            store_lane(w, a, rows.data, lane, p);
    }
    return CO_NEXT;
}

/* ---- LDS -------------------------------------------------------------------------- */

static int run_lds(struct co_wave *w, const struct co_op *op, const struct co_access *a, const uint64_t *addr, uint64_t lanes,
                   struct co_rows rows)
{
    static const uint8_t zeros[16];
    const bool load = a->kind == CO_ACCESS_LOAD;
    unsigned lane;
    CO_EACH_ON(lane, lanes) {
        uint8_t *p = co_lds(w, op, lane, (uint32_t)addr[lane], a->bytes);
        if (load)
            load_lane(w, a, rows.dst, lane, p ? p : zeros);
        else if (p)
            store_lane(w, a, rows.data, lane, p);
    }
    return CO_NEXT;
}

/* ---- scratch ------------------------------------------------------------------------ */

static int scratch_fault(struct co_wave *w, const struct co_op *op, const struct co_access *a, unsigned lane,
                         uint64_t addr)
{
    return co_fault(w, op, CO_FAULT_SCRATCH, lane, addr, a->bytes, NULL);
}

static int run_scratch(struct co_wave *w, const struct co_op *op, const struct co_access *a, const uint64_t *addr,
                       uint64_t lanes, struct co_rows rows)
{
    const bool load = a->kind == CO_ACCESS_LOAD;
    uint8_t buf[16] = { 0 };
    unsigned lane;
    CO_EACH_ON(lane, lanes) {
        const uint32_t off = (uint32_t)addr[lane];
        if (!load)
            store_lane(w, a, rows.data, lane, buf);
        /* Byte by byte where the access is not aligned: it may touch more dwords than it has. */
        for (unsigned i = 0; i < a->bytes;) {
            unsigned step = (off + i) % 4 == 0 && a->bytes - i >= 4 ? 4 : 1;
            uint8_t *p = off + i < off ? NULL : co_scratch(w, owner(addr[lane], lane), off + i);
            if (!p)
                return scratch_fault(w, op, a, lane, addr[lane]);
            p += step == 4 ? 0 : (off + i) & 3;
            memcpy(load ? buf + i : p, load ? p : buf + i, step);
            i += step;
        }
        if (load)
            load_lane(w, a, rows.dst, lane, buf);
    }
    return CO_NEXT;
}

/* ---- all of them ---------------------------------------------------------------------- */

/* gfx125x: private memory lies at CO_SCRATCH_ADDR in the address space, the lane in bits 56:52 (LLVM's user guide,
 * "globally accessible scratch"). */
#define SCRATCH_LANE_SHIFT 52

static int run_flat(struct co_wave *w, const struct co_op *op, bool addressed, const struct co_access *a,
                    const uint64_t *addr, uint64_t lanes, struct co_rows rows)
{
    uint64_t shared = 0, private = 0, low[CO_LANES_MAX];
    for (unsigned i = 0; i < w->lanes; i++) {
        const uint32_t high = (uint32_t)(addr[i] >> 32);
        const uint64_t scratch = (addr[i] & ((UINT64_C(1) << SCRATCH_LANE_SHIFT) - 1)) - CO_SCRATCH_ADDR;
        low[i] = (uint32_t)addr[i];
        shared |= (uint64_t)(high == CO_APERTURE_SHARED) << i;
        if (addressed && scratch < CO_SCRATCH_SPAN) {
            private |= UINT64_C(1) << i;
            low[i] = (uint32_t)scratch | CO_SCRATCH_OF(addr[i] >> SCRATCH_LANE_SHIFT & (w->lanes - 1));
        } else {
            private |= (uint64_t)(high == CO_APERTURE_PRIVATE) << i;
        }
    }
    shared &= lanes;
    private &= lanes;
    const uint64_t global = lanes & ~shared & ~private;
    int step = CO_NEXT;
    if (global)
        step = co_access(w, op, CO_SPACE_GLOBAL, a, addr, global, rows);
    if (step == CO_NEXT && shared)
        step = co_access(w, op, CO_SPACE_LDS, a, low, shared, rows);
    if (step == CO_NEXT && private)
        step = co_access(w, op, CO_SPACE_SCRATCH, a, low, private, rows);
    return step;
}

int co_access(struct co_wave *w, const struct co_op *op, enum co_space space, const struct co_access *a,
              const uint64_t *addr, uint64_t lanes, struct co_rows rows)
{
    if (!lanes)
        return CO_NEXT;
    if (space >= CO_SPACE_FLAT)
        return run_flat(w, op, space == CO_SPACE_FLAT125, a, addr, lanes, rows);
    if (co_watched(w, op, space == CO_SPACE_LDS ? CODEOBJ_EXEC_LDS : space == CO_SPACE_SCRATCH ? CODEOBJ_EXEC_SCRATCH : CODEOBJ_EXEC_DEVICE,
                   a->kind == CO_ACCESS_LOAD ? CODEOBJ_EXEC_READ : a->kind == CO_ACCESS_STORE ? CODEOBJ_EXEC_WRITE : CODEOBJ_EXEC_ATOMIC,
                   a->bytes, addr, lanes) != CO_NEXT)
        return CO_STOP;
    if (a->kind == CO_ACCESS_ATOMIC)
        return run_atomic(w, op, space, a, addr, lanes, rows);
    switch (space) {
    case CO_SPACE_LDS: return run_lds(w, op, a, addr, lanes, rows);
    case CO_SPACE_SCRATCH: return run_scratch(w, op, a, addr, lanes, rows);
    default: return run_global(w, op, a, addr, lanes, rows);
    }
}

int co_access_to_lds(struct co_wave *w, const struct co_op *op, enum co_space space, const struct co_access *a,
                     const uint64_t *addr, uint64_t lanes, uint32_t base)
{
    const struct co_rows rows = { .dst = CO_ROW_TMP, .data = CO_NO_ROW, .cmp = CO_NO_ROW };
    const unsigned dwords = (a->bytes + 3u) / 4;
    const struct co_access put = { .kind = CO_ACCESS_STORE, .bytes = (uint8_t)(4 * dwords) };
    uint64_t at[CO_LANES_MAX];
    int step = co_access(w, op, space, a, addr, lanes, rows);
    for (unsigned i = 0; i < w->lanes; i++)
        at[i] = base + 4 * dwords * i;
    if (step == CO_NEXT)
        step = co_access(w, op, CO_SPACE_LDS, &put, at, lanes, (struct co_rows){ CO_NO_ROW, CO_ROW_TMP, CO_NO_ROW });
    return step;
}

/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/int64.c - carries, 64-bit integers.
 *
 * AMD's ISA documents, vector ALU instruction chapters.  Carry-out bits of lanes that are
 * off are written as 0.
 */
#include "exec/lanes/lanes.h"

co_family CO_LANES_NAME(co_family_int64);
extern const struct co_pair CO_LANES_NAME(co_pairs)[];

/* ---- carries ------------------------------------------------------------------------------ */

/* value: the sum; out: whether it carries.  Half a wave at a time, so that both rows of masks stay small. */
#define CARRY(name, in, value, out)                                                             \
    LANE_HANDLER(name)                                                                          \
    {                                                                                           \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1);              \
        const uint64_t carries_in = (in) ? co_mask_src(w, &op->src[2]) : 0;                     \
        uint64_t carries = 0;                                                                   \
        for (unsigned at = 0; at < w->lanes; at += 32) {                                        \
            _Alignas(64) uint32_t carry[32], cin[32], sum[32];                                  \
            if (in)                                                                             \
                co_expand(cin, carries_in >> at, 32);                                           \
            CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)                                       \
            {                                                                                   \
                const uint32_t a = pa[at + i], b = pb[at + i], c = (in) ? cin[i] & 1 : 0;       \
                const uint32_t r = (value);                                                     \
                carry[i] = -(uint32_t)(out);                                                    \
                sum[i] = r;                                                                     \
            }                                                                                   \
            co_put_block(w, w->v[op->dst], sum, at);                                            \
            carries |= (uint64_t)co_bits32(carry) << at;                                        \
        }                                                                                       \
        co_mask_put(w, op->dst2, carries & co_exec(w));                                         \
        return CO_NEXT;                                                                         \
    }
#if defined(__AVX512F__)
/* Addresses are made with these: carries stay in mask registers. */
static inline int add_carry(struct co_wave *w, const struct co_op *op, uint64_t carries_in)
{
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1);
    uint32_t *const d = w->v[op->dst];
    const uint64_t exec = co_exec(w);
    uint64_t carries = 0;
    for (unsigned at = 0; at < w->lanes; at += 16) {
        const __m512i a = _mm512_loadu_si512(pa + at), b = _mm512_loadu_si512(pb + at), sum = _mm512_add_epi32(a, b);
        const __mmask16 in = (__mmask16)(carries_in >> at);
        const __m512i r = _mm512_mask_sub_epi32(sum, in, sum, _mm512_set1_epi32(-1));
        const unsigned out = (unsigned)_mm512_cmplt_epu32_mask(r, a) | (_mm512_cmpeq_epi32_mask(r, a) & (unsigned)in);
        _mm512_mask_storeu_epi32(d + at, (__mmask16)(exec >> at), r);
        carries |= (uint64_t)out << at;
    }
    co_mask_put(w, op->dst2, carries & exec);
    return CO_NEXT;
}
LANE_HANDLER(add_co) { return add_carry(w, op, 0); }
LANE_HANDLER(addc_co) { return add_carry(w, op, co_mask_src(w, &op->src[2])); }
#else
CARRY(add_co, false, a + b + c, r < a)
CARRY(addc_co, true, a + b + c, (r < a) | ((r == a) & c))
#endif
/* A 64-bit sum in halves: what its operands are, and what it carries. */
struct halves {
    const co_vector *a, *b, *c, *d; /* low, low, high, high */
    size_t step[4];                 /* see co_vectors() */
    bool wanted;                    /* carries of the high half */
    uint64_t between, carries;      /* of all lanes */
};

/* lo = a + b, hi = c + d + carry.  The carry becomes a mask of bits only where it is left behind. */
static inline __attribute__((always_inline)) void add_halves_as(const struct co_wave *w, uint32_t *low, uint32_t *high, struct halves *h,
                                                                bool full, bool wanted)
{
    const co_vector *a = h->a, *b = h->b, *c = h->c, *d = h->d;
    co_vector *lo = (co_vector *)low, *hi = (co_vector *)high;
    const co_vector *mask = (const co_vector *)w->mask;
    uint64_t between = 0, carries = 0;
    for (unsigned at = 0; at < w->lanes; at += CO_VECTOR / 4, lo++, hi++, mask++) {
        const co_vector x = *a, y = *c, z = *d, r = x + *b;
#if defined(__AVX512F__)
        const __mmask16 in = _mm512_cmplt_epu32_mask((__m512i)r, (__m512i)x);
        const __m512i sum = (__m512i)(y + z);
        const co_vector s = (co_vector)_mm512_mask_sub_epi32(sum, in, sum, _mm512_set1_epi32(-1));
        between |= (uint64_t)in << at;
#else
        const co_vector in = (co_vector)(r < x), s = y + z - in;
        between |= (uint64_t)co_vector_bits(in) << at;
#endif
        if (wanted) /* both have the highest bit, or one has it and the sum not */
            carries |= (uint64_t)co_vector_bits((y & z) | ((y | z) & ~s)) << at;
        if (full) {
            *lo = r;
            *hi = s;
        } else {
            *lo = (r & *mask) | (*lo & ~*mask);
            *hi = (s & *mask) | (*hi & ~*mask);
        }
        a += h->step[0];
        b += h->step[1];
        c += h->step[2];
        d += h->step[3];
    }
    h->between = between;
    h->carries = carries;
}

static inline void add_halves(const struct co_wave *w, uint32_t *low, uint32_t *high, struct halves *h)
{
    if (w->full && !h->wanted)
        add_halves_as(w, low, high, h, true, false);
    else if (w->full)
        add_halves_as(w, low, high, h, true, true);
    else
        add_halves_as(w, low, high, h, false, true);
}

/* v_add_co with the v_addc_co that takes its carry. */
LANE_HANDLER(add_both)
{
    const struct co_op *const high = op->link;
    struct halves h = { .wanted = high->dst2 != CO_S_SINK };
    const uint64_t exec = co_exec(w);
    h.a = co_vectors(w, &op->src[0], 0, &h.step[0]);
    h.b = co_vectors(w, &op->src[1], 1, &h.step[1]);
    h.c = co_vectors(w, &high->src[0], 2, &h.step[2]);
    h.d = co_vectors(w, &high->src[1], 3, &h.step[3]);
    add_halves(w, w->v[op->dst], w->v[high->dst], &h);
    co_mask_put(w, op->dst2, h.between & exec);
    if (h.wanted)
        co_mask_put(w, high->dst2, h.carries & exec);
    return CO_NEXT;
}

static bool is_plain(const struct co_src *src, const struct co_op *after)
{
    if (src->kind == CO_SRC_SGPR)
        return src->dwords == 1 && src->reg != after->dst2 && src->reg != after->dst2 + 1;
    return src->kind == CO_SRC_CONST || (src->kind == CO_SRC_ROW && src->reg != after->dst);
}

/* The second takes the carry of the first and nothing else of it. */
static bool carry_fits(const struct co_op *head, const struct co_op *tail)
{
    const struct co_src *const in = &tail->src[2];
    return !((head->flags | tail->flags) & CO_OP_EXEC_DST) && head->dst != tail->dst && in->kind == CO_SRC_SGPR && in->reg == head->dst2 &&
           head->src[0].kind != CO_SRC_LDS && head->src[1].kind != CO_SRC_LDS && is_plain(&tail->src[0], head) && is_plain(&tail->src[1], head);
}

/* Of an address: both halves of a base in scalar registers, of an offset in vector registers, and no carry left of the high one. */
static bool base_fits(const struct co_op *head, const struct co_op *tail)
{
    return carry_fits(head, tail) && tail->dst2 == CO_S_SINK && head->src[0].kind == CO_SRC_SGPR && tail->src[0].kind == CO_SRC_SGPR &&
           head->src[1].kind == CO_SRC_ROW && tail->src[1].kind == CO_SRC_ROW;
}

/* x and y, in all lanes the same, and b and d: the halves of an address, and what is carried between them. */
static inline __attribute__((always_inline)) uint64_t add_base_as(uint32_t *low, uint32_t *high, co_vector x, co_vector y,
                                                                  const uint32_t *b, const uint32_t *d, unsigned lanes)
{
    uint64_t carries = 0;
#if defined(__AVX2__) && !defined(__AVX512F__)
    /* There are no unsigned comparisons, but a maximum, which tells where nothing is carried. */
    const co_vector more = y + 1;
    for (unsigned at = 0; at < lanes; at += CO_VECTOR / 4) {
        const co_vector r = x + *(const co_vector *)(b + at);
        const co_vector none = (co_vector)_mm256_cmpeq_epi32(_mm256_max_epu32((__m256i)r, (__m256i)x), (__m256i)r);
        *(co_vector *)(high + at) = more + *(const co_vector *)(d + at) + none;
        *(co_vector *)(low + at) = r;
        carries |= (uint64_t)co_vector_bits(none) << at;
    }
    return ~carries;
#else
    for (unsigned at = 0; at < lanes; at += CO_VECTOR / 4) {
        const co_vector r = x + *(const co_vector *)(b + at), sum = y + *(const co_vector *)(d + at);
#if defined(__AVX512F__)
        const __mmask16 in = _mm512_cmplt_epu32_mask((__m512i)r, (__m512i)x);
        *(co_vector *)(high + at) = (co_vector)_mm512_mask_sub_epi32((__m512i)sum, in, (__m512i)sum, _mm512_set1_epi32(-1));
        carries |= (uint64_t)in << at;
#else
        const co_vector in = (co_vector)(r < x);
        *(co_vector *)(high + at) = sum - in;
        carries |= (uint64_t)co_vector_bits(in) << at;
#endif
        *(co_vector *)(low + at) = r;
    }
    return carries;
#endif
}

LANE_HANDLER(add_base)
{
    const struct co_op *const tail = op->link;
    if (!w->full)
        return add_both(w, op);
    const co_vector x = (co_vector){ 0 } + w->s[op->src[0].reg], y = (co_vector){ 0 } + w->s[tail->src[0].reg];
    uint32_t *const low = w->v[op->dst], *const high = w->v[tail->dst];
    const uint32_t *const b = w->v[op->src[1].reg], *const d = w->v[tail->src[1].reg];
    const uint64_t carries = w->lanes == 32 ? add_base_as(low, high, x, y, b, d, 32) : add_base_as(low, high, x, y, b, d, 64);
    co_mask_put(w, op->dst2, carries);
    return CO_NEXT;
}

CARRY(sub_co, false, a - b - c, a < b)
CARRY(subrev_co, false, b - a - c, b < a)
CARRY(subb_co, true, a - b - c, (a < b) | ((a == b) & c))
CARRY(subbrev_co, true, b - a - c, (b < a) | ((a == b) & c))
/* With clamp the result stays in range; the carry still says that it would not have. */
CARRY(add_co_sat, false, a + b < a ? UINT32_MAX : a + b + c, (uint64_t)a + b > UINT32_MAX)
CARRY(sub_co_sat, false, a < b ? 0 : a - b - c, a < b)
CARRY(subrev_co_sat, false, b < a ? 0 : b - a - c, b < a)
CARRY(addc_co_sat, true, (uint64_t)a + b + c > UINT32_MAX ? UINT32_MAX : a + b + c, (uint64_t)a + b + c > UINT32_MAX)
CARRY(subb_co_sat, true, a < (uint64_t)b + c ? 0 : a - b - c, a < (uint64_t)b + c)
CARRY(subbrev_co_sat, true, b < (uint64_t)a + c ? 0 : b - a - c, b < (uint64_t)a + c)

/* ---- 64 bits --------------------------------------------------------------------------------- */

#define WIDE(name, load_a, load_b, load_c, expr)                                     \
    LANE_HANDLER(name)                                                               \
    {                                                                                \
        const uint32_t *const pa = co_row(w, op, 0);                                 \
        const uint32_t *const pb = op->src_count > 1 ? co_row(w, op, 1) : pa;        \
        const uint32_t *const pc = op->src_count > 2 ? co_row(w, op, 2) : pa;        \
        uint32_t *const d = w->v[op->dst];                                           \
        const uint32_t *const m = w->mask;                                           \
        (void)pb;                                                                    \
        (void)pc;                                                                    \
        EACH_LANE(i, w)                                                              \
        {                                                                            \
            const uint64_t a = load_a, b = load_b, c = load_c;                       \
            (void)b;                                                                 \
            (void)c;                                                                 \
            co_wide_put(d, (unsigned)i, m[i], expr);                                 \
        }                                                                            \
        return CO_NEXT;                                                              \
    }
#define WA co_wide(pa, (unsigned)i)
#define WB co_wide(pb, (unsigned)i)
#define WC co_wide(pc, (unsigned)i)
WIDE(mov64, WA, 0, 0, a)
WIDE(add64, WA, WB, 0, a + b)
WIDE(sub64, WA, WB, 0, a - b)
WIDE(mul64, WA, WB, 0, a * b)
WIDE(add64_sat, WA, WB, 0, a + b < a ? UINT64_MAX : a + b)
WIDE(sub64_sat, WA, WB, 0, a < b ? 0 : a - b)
/* The same in all lanes, and no more than a look at the wave away. */
static inline bool is_uniform(const struct co_src *src)
{
    return src->kind == CO_SRC_CONST || src->kind == CO_SRC_SGPR;
}

/* By the same in all lanes: vectors at a time. */
static inline __attribute__((always_inline)) void shift_left(const struct co_wave *w, uint32_t *to, const uint32_t *from, unsigned n, bool full)
{
    const unsigned count = w->lanes * 4 / CO_VECTOR, k = n & 31;
    for (unsigned i = 0; i < count; i++) {
        co_vector *const d = (co_vector *)to + i, *const e = (co_vector *)(to + CO_LANES_MAX) + i;
        const co_vector lo = ((const co_vector *)from)[i], hi = ((const co_vector *)(from + CO_LANES_MAX))[i];
        co_vector l = lo << k, h = l;
        if (n < 32)
            h = hi << k | lo >> 1 >> (k ^ 31);
        else
            l = (co_vector){ 0 };
        if (full) {
            *d = l;
            *e = h;
        } else {
            const co_vector m = ((const co_vector *)w->mask)[i];
            *d = (l & m) | (*d & ~m);
            *e = (h & m) | (*e & ~m);
        }
    }
}

/* Each lane by its own. */
static __attribute__((noinline)) int lshlrev64_any(struct co_wave *w, const struct co_op *op)
{
    uint32_t *const d = w->v[op->dst];
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1);
    for (unsigned at = 0; at < w->lanes; at += 32) {
        _Alignas(64) uint32_t lo[32], hi[32];
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
        {
            const uint32_t n = pa[at + i] & 63, k = n & 31, crosses = -(n >> 5);
            const uint32_t l = pb[at + i] << k, h = pb[CO_LANES_MAX + at + i] << k | pb[at + i] >> 1 >> (k ^ 31);
            lo[i] = l & ~crosses;
            hi[i] = (l & crosses) | (h & ~crosses);
        }
        co_put_block(w, d, lo, at);
        co_put_block(w, d + CO_LANES_MAX, hi, at);
    }
    return CO_NEXT;
}

/* Addresses are made with this one: in halves, since shifts of 64-bit lanes cost more than twice as much. */
LANE_HANDLER(lshlrev64)
{
    uint32_t *const d = w->v[op->dst];
    if (!is_uniform(&op->src[0]) || op->src[1].kind != CO_SRC_ROW)
        return lshlrev64_any(w, op);
    const uint32_t *const from = w->v[op->src[1].reg];
    const unsigned n = co_scalar(w, &op->src[0]) & 63;
    if (w->full && n < 32)
        shift_left(w, d, from, n, true);
    else
        shift_left(w, d, from, n, false);
    return CO_NEXT;
}
/* The same on gfx940 up. */
LANE_HANDLER(lshl_add64)
{
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2);
    uint32_t *const d = w->v[op->dst];
    for (unsigned at = 0; at < w->lanes; at += 32) {
        _Alignas(64) uint32_t lo[32], hi[32];
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
        {
            const uint32_t n = pb[at + i] & 7, l = pa[at + i] << n, r = l + pc[at + i];
            hi[i] = (pa[CO_LANES_MAX + at + i] << n | pa[at + i] >> 1 >> (n ^ 31)) + pc[CO_LANES_MAX + at + i] + (r < l);
            lo[i] = r;
        }
        co_put_block(w, d, lo, at);
        co_put_block(w, d + CO_LANES_MAX, hi, at);
    }
    return CO_NEXT;
}
WIDE(lshrrev64, pa[i], WB, 0, b >> (a & 63))
WIDE(ashrrev64, pa[i], WB, 0, (uint64_t)((int64_t)b >> (a & 63)))
WIDE(lshl64, WA, pb[i], 0, a << (b & 63))
WIDE(lshr64, WA, pb[i], 0, a >> (b & 63))
WIDE(ashr64, WA, pb[i], 0, (uint64_t)((int64_t)a >> (b & 63)))
WIDE(min_i64, WA, WB, 0, (int64_t)a < (int64_t)b ? a : b)
WIDE(max_i64, WA, WB, 0, (int64_t)a > (int64_t)b ? a : b)
WIDE(min_u64, WA, WB, 0, a < b ? a : b)
WIDE(max_u64, WA, WB, 0, a > b ? a : b)
WIDE(mad_nc_u64, pa[i], pb[i], WC, a * b + c)
WIDE(mad_nc_i64, (uint64_t)(int32_t)pa[i], (uint64_t)(int32_t)pb[i], WC, a * b + c)

/* 32 x 32 + 64 bits; the mask destination gets bit 64 of the exact sum.  Unsigned, that is the carry; signed, it is the
 * sign of the sum, or of the product where the sum does not fit into 64 bits. */
static inline int mad64(struct co_wave *w, const struct co_op *op, bool sign, bool saturate)
{
    const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1), *const pc = co_row(w, op, 2);
    uint32_t *const d = w->v[op->dst];
    uint64_t carries = 0;
    for (unsigned at = 0; at < w->lanes; at += 32) {
        _Alignas(64) uint32_t lo[32], hi[32], carry[32];
        CO_NO_DEPS for (ptrdiff_t i = 0; i < 32; i++)
        {
            const uint64_t a = sign ? (uint64_t)(int32_t)pa[at + i] : pa[at + i], b = sign ? (uint64_t)(int32_t)pb[at + i] : pb[at + i];
            const uint64_t c = pc[at + i] | (uint64_t)pc[CO_LANES_MAX + at + i] << 32, product = a * b, sum = product + c;
            const uint64_t over = sign ? (product ^ sum) & (c ^ sum) : (uint64_t)(sum < product) << 63;
            const uint64_t limit = sign ? (uint64_t)INT64_MAX + (product >> 63) : UINT64_MAX;
            const uint64_t top = sign ? ((over & product) | (~over & sum)) : over;
            const uint64_t r = saturate && over >> 63 ? limit : sum;
            lo[i] = (uint32_t)r;
            hi[i] = (uint32_t)(r >> 32);
            carry[i] = (uint32_t)((int32_t)(top >> 32) >> 31);
        }
        co_put_block(w, d, lo, at);
        co_put_block(w, d + CO_LANES_MAX, hi, at);
        carries |= (uint64_t)co_bits32(carry) << at;
    }
    co_mask_put(w, op->dst2, carries & co_exec(w));
    return CO_NEXT;
}
/* What begins an address: the index of a work-group times its size, plus that of the work-item. */
LANE_HANDLER(mad_u64_u32)
{
    const struct co_src *const addend = &op->src[2];
    if (!is_uniform(&op->src[0]) || !is_uniform(&op->src[1]) || addend->kind != CO_SRC_ROW)
        return mad64(w, op, false, false);
    const uint64_t product = (uint64_t)co_scalar(w, &op->src[0]) * co_scalar(w, &op->src[1]);
    const uint32_t *const row = w->v[addend->reg];
    const co_vector low = (co_vector){ 0 } + (uint32_t)product, high = (co_vector){ 0 } + (uint32_t)(product >> 32);
    uint32_t *const d = w->v[op->dst];
    if (w->full && op->dst2 == CO_S_SINK && w->lanes == 32) {
        add_base_as(d, d + CO_LANES_MAX, low, high, row, row + CO_LANES_MAX, 32);
        return CO_NEXT;
    }
    struct halves h = { .a = &low, .b = (const co_vector *)row, .c = &high, .d = (const co_vector *)(row + CO_LANES_MAX),
                        .step = { 0, 1, 0, 1 }, .wanted = op->dst2 != CO_S_SINK };
    add_halves(w, d, d + CO_LANES_MAX, &h);
    co_mask_put(w, op->dst2, h.carries & co_exec(w));
    return CO_NEXT;
}
LANE_HANDLER(mad_u64_u32_sat) { return mad64(w, op, false, true); }
LANE_HANDLER(mad_i64_i32) { return mad64(w, op, true, false); }
LANE_HANDLER(mad_i64_i32_sat) { return mad64(w, op, true, true); }

/* Look-up in a table of 16 elements of 4, 6 or 8 bits, src0 above src1: 16 indices of 4 bits in src2. */
static void perm_pk16(struct co_wave *w, const struct co_op *op, unsigned bits)
{
    const uint32_t *const high = co_row(w, op, 0), *const low = co_row(w, op, 1), *const index = co_row(w, op, 2);
    const unsigned low_dwords = bits == 4 ? 1 : 2, dwords = bits / 2;
    uint32_t *const d = w->v[op->dst];
    for (unsigned i = 0; i < w->lanes; i++) {
        if (!w->mask[i])
            continue;
        unsigned __int128 table = 0, result = 0;
        for (unsigned k = 0; k < dwords; k++)
            table |= (unsigned __int128)(k < low_dwords ? low[k * CO_LANES_MAX + i] : high[(k - low_dwords) * CO_LANES_MAX + i]) << (32 * k);
        const uint64_t which = co_wide(index, i);
        for (unsigned e = 0; e < 16; e++)
            result |= (table >> ((which >> (4 * e) & 15) * bits) & ((1u << bits) - 1)) << (e * bits);
        for (unsigned k = 0; k < dwords; k++)
            d[k * CO_LANES_MAX + i] = (uint32_t)(result >> (32 * k));
    }
}
LANE_HANDLER(perm_pk16_b4) { perm_pk16(w, op, 4); return CO_NEXT; }
LANE_HANDLER(perm_pk16_b6) { perm_pk16(w, op, 6); return CO_NEXT; }
LANE_HANDLER(perm_pk16_b8) { perm_pk16(w, op, 8); return CO_NEXT; }

#define V(sem, fn) CO_ROW(CO_SEM_##sem, co_build_vector, fn, NULL, 0, false)
#define VC(sem, fn, clamped) CO_ROW(CO_SEM_##sem, co_build_vector, fn, clamped, 0, false)

void CO_LANES_NAME(co_family_int64)(struct co_sem_row *rows)
{
    VC(v_add_co_u32, add_co, add_co_sat), VC(v_sub_co_u32, sub_co, sub_co_sat), VC(v_subrev_co_u32, subrev_co, subrev_co_sat),
    VC(v_addc_co_u32, addc_co, addc_co_sat), VC(v_subb_co_u32, subb_co, subb_co_sat),
    VC(v_subbrev_co_u32, subbrev_co, subbrev_co_sat),
    V(v_mov_b64, mov64), VC(v_add_nc_u64, add64, add64_sat), VC(v_sub_nc_u64, sub64, sub64_sat), V(v_mul_u64, mul64),
    V(v_lshlrev_b64, lshlrev64), V(v_lshrrev_b64, lshrrev64), V(v_ashrrev_i64, ashrrev64),
    V(v_lshl_b64, lshl64), V(v_lshr_b64, lshr64), V(v_ashr_i64, ashr64), V(v_lshl_add_u64, lshl_add64),
    V(v_min_i64, min_i64), V(v_max_i64, max_i64), V(v_min_u64, min_u64), V(v_max_u64, max_u64),
    VC(v_mad_u64_u32, mad_u64_u32, mad_u64_u32_sat), VC(v_mad_i64_i32, mad_i64_i32, mad_i64_i32_sat),
    V(v_perm_pk16_b4_u4, perm_pk16_b4), V(v_perm_pk16_b6_u4, perm_pk16_b6), V(v_perm_pk16_b8_u4, perm_pk16_b8),
    V(v_mad_nc_u64_u32, mad_nc_u64), V(v_mad_nc_i64_i32, mad_nc_i64);
}

const struct co_pair CO_LANES_NAME(co_pairs)[] = {
    { add_co, addc_co, CO_SEM_v_addc_co_u32, base_fits, add_base },
    { add_co, addc_co, CO_SEM_v_addc_co_u32, carry_fits, add_both },
    { NULL, NULL, 0, NULL, NULL }
};

/* SPDX-License-Identifier: MIT
 *
 * Atomics on global memory and LDS.  What a single one returns depends on order,
 * so only results that do not are kept.
 */
#include "kernel.h"

KERNEL void atomics_global(GLOBAL const u32 *in, GLOBAL u32 *w, GLOBAL i32 *s, GLOBAL u64 *l, GLOBAL i64 *sl, u32 bins)
{
    u32 i = global_id(0), v = in[i], b = v % bins;
    u64 v64 = (u64)v * 0x9e3779b97f4a7c15;
    ATOMIC_ADD(&w[b], v);
    ATOMIC_SUB(&w[bins + b], v ^ i);
    ATOMIC_XOR(&w[2 * bins + b], v);
    ATOMIC_OR(&w[3 * bins + b], 1u << (v >> 27));
    ATOMIC_AND(&w[4 * bins + b], ~(1u << (v >> 27)));
    ATOMIC_MIN(&w[5 * bins + b], v);
    ATOMIC_MAX(&w[6 * bins + b], v);
    ATOMIC_MIN(&s[b], (i32)v);
    ATOMIC_MAX(&s[bins + b], (i32)v);
    ATOMIC_ADD(&l[b], v64);
    ATOMIC_SUB(&l[bins + b], v64 >> 3);
    ATOMIC_XOR(&l[2 * bins + b], v64);
    ATOMIC_OR(&l[3 * bins + b], (u64)1 << (v >> 26));
    ATOMIC_AND(&l[4 * bins + b], ~((u64)1 << (v >> 26)));
    ATOMIC_MIN(&l[5 * bins + b], v64);
    ATOMIC_MAX(&l[6 * bins + b], v64);
    ATOMIC_MIN(&sl[b], (i64)v64);
    ATOMIC_MAX(&sl[bins + b], (i64)v64);
}
CASE(atomics_global, (a[0].p, a[1].p, a[2].p, a[3].p, a[4].p, (u32)a[5].u), .grid = { 2000 }, .group = { 200 },
     .args = { BUF(BITS, 8000), BUF(BITS, 7 * 13 * 4), BUF(BITS, 2 * 13 * 4), BUF(BITS, 7 * 13 * 8), BUF(BITS, 2 * 13 * 8),
               VAL_U32(13) })

/* What the atomics return, summed: every value from 0 up is returned exactly once. */
KERNEL void atomics_tickets(GLOBAL u32 *counter, GLOBAL u32 *seen, GLOBAL u64 *sum)
{
    u32 t = ATOMIC_ADD(counter, 1);
    ATOMIC_ADD(&seen[t], 1);
    ATOMIC_ADD(sum, (u64)t * t);
    if (global_id(0) % 3 == 0)
        ATOMIC_ADD(&seen[ATOMIC_SUB(counter + 1, 2) >> 1 & 1023], 0x10000);
}
CASE(atomics_tickets, (a[0].p, a[1].p, a[2].p), .grid = { 1000 }, .group = { 125 },
     .args = { BUF(ZERO, 8), BUF(ZERO, 4096), BUF(ZERO, 8) })

LDS u32 bins32[64];
LDS u64 bins64[16];
LDS i32 extremes[2];

KERNEL void atomics_lds(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u64 *out64)
{
    u32 lid = local_id(0), i = global_id(0), v = in[i];
    if (lid < 64)
        bins32[lid] = lid * 7;
    if (lid < 16)
        bins64[lid] = lid;
    if (lid == 0)
        extremes[0] = 0x7fffffff, extremes[1] = -0x7fffffff;
    barrier();
    ATOMIC_ADD(&bins32[v & 15], v >> 4);
    ATOMIC_XOR(&bins32[16 + (v & 15)], v);
    ATOMIC_OR(&bins32[32 + (v >> 28)], 1u << (v & 31));
    ATOMIC_MAX(&bins32[48 + (v & 7)], v);
    ATOMIC_MIN(&bins32[56 + (v & 7)], v >> 9);
    ATOMIC_ADD(&bins64[v & 7], (u64)v << 17);
    ATOMIC_MAX(&bins64[8 + (v & 7)], (u64)v * v);
    ATOMIC_MIN(&extremes[0], (i32)v);
    ATOMIC_MAX(&extremes[1], (i32)v);
    barrier();
    if (lid < 64)
        out[group_id(0) * 66 + lid] = bins32[lid];
    if (lid < 2)
        out[group_id(0) * 66 + 64 + lid] = (u32)extremes[lid];
    if (lid < 16)
        out64[group_id(0) * 16 + lid] = bins64[lid];
}
CASE(atomics_lds, (a[0].p, a[1].p, a[2].p), .grid = { 1024 }, .group = { 256 },
     .args = { BUF(BITS, 4096), BUF(ZERO, 4 * 264), BUF(ZERO, 4 * 128) })

/* Compare-and-swap loops: products and saturating sums, which commute. */
KERNEL void atomics_cas(GLOBAL const u32 *in, GLOBAL u32 *w, GLOBAL u64 *l, GLOBAL f32 *f)
{
    u32 i = global_id(0), v = in[i] | 1, b = i % 5;
    u32 old = w[b], want;
    do
        want = old * v;
    while (!__atomic_compare_exchange_n(&w[b], &old, want, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    u64 old64 = l[b], want64;
    do
        want64 = old64 * (((u64)v << 20) | 1);
    while (!__atomic_compare_exchange_n(&l[b], &old64, want64, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    /* sums of small integers are exact in any order */
    GLOBAL u32 *p = (GLOBAL u32 *)&f[b];
    u32 bits = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &bits, bits_f32(f32_bits(bits) + (f32)(v & 63)), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}
CASE(atomics_cas, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { 320 }, .group = { 64 },
     .args = { BUF(BITS, 1280), BUF(IOTA, 20), BUF(IOTA, 40), BUF(ZERO, 20) })

/* Exchange: what goes in comes out somewhere. */
KERNEL void atomics_exchange_closed(GLOBAL const u32 *in, GLOBAL u32 *slots, GLOBAL u64 *sum)
{
    u32 v = in[local_id(0)] >> 3;
    u32 got = __atomic_exchange_n(&slots[0], v, __ATOMIC_RELAXED);
    ATOMIC_ADD(sum, (u64)got);
    barrier();
    if (local_id(0) == 0) {
        ATOMIC_ADD(sum, (u64)slots[0]);
        slots[0] = 0;
    }
}
CASE(atomics_exchange_closed, (a[0].p, a[1].p, a[2].p), .grid = { 256 }, .group = { 256 },
     .args = { BUF(BITS, 1024), BUF(ZERO, 4), BUF(ZERO, 8) })

/* Sums of floats that are exact in any order. */
KERNEL void atomics_float(GLOBAL const u32 *in, GLOBAL f32 *f, GLOBAL f64 *d)
{
    u32 v = in[global_id(0)];
    ATOMIC_ADD(&f[v & 7], (f32)(v >> 20));
    ATOMIC_ADD(&d[v & 7], (f64)(v >> 3) * 0.125);
}
CASE(atomics_float, (a[0].p, a[1].p, a[2].p), .grid = { 512 }, .group = { 128 },
     .args = { BUF(BITS, 2048), BUF(ZERO, 32), BUF(ZERO, 64) })

/* The group that finishes last adds up what all have left. */
LDS u32 is_last;
KERNEL void atomics_last_block(GLOBAL const u32 *in, GLOBAL u32 *partial, GLOBAL u32 *ticket, GLOBAL u32 *out, u32 groups)
{
    u32 lid = local_id(0);
    if (lid == 0)
        partial[group_id(0)] = 0;
    barrier();
    ATOMIC_ADD(&partial[group_id(0)], in[global_id(0)] >> 4);
    barrier();
    if (lid == 0) {
        u32 t = __atomic_fetch_add(ticket, 1, __ATOMIC_ACQ_REL);
        is_last = t == groups - 1;
    }
    barrier();
    if (is_last && lid == 0) {
        u32 sum = 0;
        for (u32 g = 0; g < groups; g++)
            sum += __atomic_load_n(&partial[g], __ATOMIC_ACQUIRE) * (g + 1);
        *out = sum;
    }
}
CASE(atomics_last_block, (a[0].p, a[1].p, a[2].p, a[3].p, (u32)a[4].u), .grid = { 1024 }, .group = { 64 },
     .args = { BUF(BITS, 4096), BUF(ZERO, 64), BUF(ZERO, 4), BUF(ZERO, 4), VAL_U32(16) })

/* A hash set with open addressing: which slot holds which key depends on order, the set does not. */
KERNEL void atomics_hash_set(GLOBAL const u32 *in, GLOBAL u32 *table, GLOBAL u32 *distinct, u32 mask)
{
    u32 key = in[global_id(0)] + 1, at = (key * 2654435761u) & mask;
    for (;;) {
        u32 expected = 0;
        if (__atomic_compare_exchange_n(&table[at], &expected, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            ATOMIC_ADD(&distinct[0], 1);
            ATOMIC_ADD(&distinct[1], key);
            break;
        }
        if (expected == key)
            break;
        at = (at + 1) & mask;
    }
    barrier();
    /* one work-group: now empty it again */
    for (u32 k = local_id(0); k <= mask; k += group_size(0)) {
        ATOMIC_XOR(&distinct[2], table[k]);
        table[k] = 0;
    }
}
CASE(atomics_hash_set, (a[0].p, a[1].p, a[2].p, (u32)a[3].u), .grid = { 512 }, .group = { 512 },
     .args = { BUF_BELOW(300, 2048), BUF(ZERO, 4096), BUF(ZERO, 12), VAL_U32(1023) })

/* SPDX-License-Identifier: MIT
 *
 * Scans, compaction and reductions in LDS.
 */
#include "kernel.h"

LDS u32 row[2][256];

/* Hillis and Steele. */
KERNEL void scan_inclusive(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 lid = local_id(0), i = global_id(0), side = 0;
    row[0][lid] = in[i];
    barrier();
    for (u32 step = 1; step < 256; step *= 2) {
        row[side ^ 1][lid] = row[side][lid] + (lid >= step ? row[side][lid - step] : 0);
        side ^= 1;
        barrier();
    }
    out[i] = row[side][lid];
}
CASE(scan_inclusive, (a[0].p, a[1].p), .grid = { 1024 }, .group = { 256 }, .args = { BUF(BITS, 4096), BUF(ZERO, 4096) })

/* Blelloch: up and down a tree, two elements each, in dynamic LDS with padding against bank conflicts. */
DYNAMIC_LDS(u64, tree);
#define PAD(k) ((k) + (k) / 32)

KERNEL void scan_exclusive(GLOBAL const u64 *in, GLOBAL u64 *out)
{
    u32 lid = local_id(0), n = 2 * group_size(0), base = group_id(0) * n;
    tree[PAD(2 * lid)] = in[base + 2 * lid], tree[PAD(2 * lid + 1)] = in[base + 2 * lid + 1];
    u32 offset = 1;
    for (u32 d = n / 2; d > 0; d /= 2) {
        barrier();
        if (lid < d)
            tree[PAD(offset * (2 * lid + 2) - 1)] += tree[PAD(offset * (2 * lid + 1) - 1)];
        offset *= 2;
    }
    if (lid == 0)
        tree[PAD(n - 1)] = 0;
    for (u32 d = 1; d < n; d *= 2) {
        offset /= 2;
        barrier();
        if (lid < d) {
            u32 x = PAD(offset * (2 * lid + 1) - 1), y = PAD(offset * (2 * lid + 2) - 1);
            u64 t = tree[x];
            tree[x] = tree[y];
            tree[y] += t;
        }
    }
    barrier();
    out[base + 2 * lid] = tree[PAD(2 * lid)], out[base + 2 * lid + 1] = tree[PAD(2 * lid + 1)];
}
CASE(scan_exclusive, (a[0].p, a[1].p), .grid = { 512 }, .group = { 128 }, .dynamic_lds = 264 * 8,
     .args = { BUF(BITS, 8192), BUF(ZERO, 8192) })

LDS u32 keep[128];

/* Moves the elements that pass a test to the front, in order. */
KERNEL void scan_compact(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u32 *counts, u32 modulus)
{
    u32 lid = local_id(0), v = in[global_id(0)], mine = v % modulus < modulus / 2;
    keep[lid] = mine;
    barrier();
    for (u32 step = 1; step < 128; step *= 2) {
        u32 t = lid >= step ? keep[lid - step] : 0;
        barrier();
        keep[lid] += t;
        barrier();
    }
    if (mine)
        out[group_id(0) * 128 + keep[lid] - 1] = v;
    if (lid == 127)
        counts[group_id(0)] = keep[127];
}
CASE(scan_compact, (a[0].p, a[1].p, a[2].p, (u32)a[3].u), .grid = { 640 }, .group = { 128 },
     .args = { BUF(BITS, 2560), BUF(ZERO, 2560), BUF(ZERO, 20), VAL_U32(10) })

LDS f32 sums[64];
LDS i32 places[64];

/* Sum, least element and its place; the order of the additions is fixed. */
KERNEL void scan_argmin(GLOBAL const f32 *in, GLOBAL f32 *out, GLOBAL i32 *where, u32 per_item)
{
    u32 lid = local_id(0);
    f32 sum = 0, best = 1e30f;
    i32 place = -1;
    for (u32 k = 0; k < per_item; k++) {
        u32 j = (group_id(0) * per_item + k) * 64 + lid;
        sum += in[j];
        if (in[j] < best)
            best = in[j], place = (i32)j;
    }
    sums[lid] = best, places[lid] = place;
    barrier();
    for (u32 step = 32; step > 0; step >>= 1) {
        if (lid < step && (sums[lid + step] < sums[lid] || (sums[lid + step] == sums[lid] && places[lid + step] < places[lid])))
            sums[lid] = sums[lid + step], places[lid] = places[lid + step];
        barrier();
    }
    if (lid == 0)
        where[group_id(0)] = places[0];
    barrier();
    sums[lid] = sum;
    barrier();
    for (u32 step = 32; step > 0; step >>= 1) {
        f32 t = sums[(lid + step) & 63];
        barrier();
        sums[lid] += t;
        barrier();
    }
    out[group_id(0) * 64 + lid] = sums[lid];
}
CASE(scan_argmin, (a[0].p, a[1].p, a[2].p, (u32)a[3].u), .grid = { 256 }, .group = { 64 },
     .args = { BUF(F32, 4 * 64 * 9 * 4), BUF(ZERO, 1024), BUF(ZERO, 16), VAL_U32(9) })

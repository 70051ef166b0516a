/* SPDX-License-Identifier: MIT
 *
 * Sorting networks, radix and merge sorts.
 */
#include "kernel.h"

LDS u32 keys[512];
LDS u32 values[512];

KERNEL void sort_bitonic(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u32 *order)
{
    u32 lid = local_id(0), base = group_id(0) * 512;
    for (u32 k = lid; k < 512; k += 256)
        keys[k] = in[base + k], values[k] = k;
    for (u32 size = 2; size <= 512; size *= 2) {
        for (u32 step = size / 2; step > 0; step /= 2) {
            barrier();
            u32 x = 2 * lid - (lid & (step - 1)), y = x + step;
            u32 kx = keys[x], ky = keys[y];
            int up = (x & size) == 0;
            if ((kx > ky || (kx == ky && values[x] > values[y])) == up) {
                u32 t = values[x];
                keys[x] = ky, keys[y] = kx, values[x] = values[y], values[y] = t;
            }
        }
    }
    barrier();
    for (u32 k = lid; k < 512; k += 256)
        out[base + k] = keys[k], order[base + k] = values[k];
}
CASE(sort_bitonic, (a[0].p, a[1].p, a[2].p), .grid = { 512 }, .group = { 256 },
     .args = { BUF_BELOW(100000, 4096), BUF(ZERO, 4096), BUF(ZERO, 4096) })

LDS u32 ping[256], pong[256], count0[256];

/* Least significant digit first, one bit at a time: stable splits by a scan. */
KERNEL void sort_radix(GLOBAL const u32 *in, GLOBAL u32 *out, u32 bits)
{
    u32 lid = local_id(0), i = global_id(0);
    ping[lid] = in[i];
    for (u32 b = 0; b < bits; b++) {
        barrier();
        u32 v = ping[lid], zero = !(v >> b & 1);
        count0[lid] = zero;
        barrier();
        for (u32 step = 1; step < 256; step *= 2) {
            u32 t = lid >= step ? count0[lid - step] : 0;
            barrier();
            count0[lid] += t;
            barrier();
        }
        u32 zeros = count0[255], to = zero ? count0[lid] - 1 : zeros + lid - count0[lid];
        pong[to] = v;
        barrier();
        ping[lid] = pong[lid];
    }
    barrier();
    out[i] = ping[lid];
}
CASE(sort_radix, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 512 }, .group = { 256 },
     .args = { BUF_BELOW(4096, 2048), BUF(ZERO, 2048), VAL_U32(12) })

/* Each work-item places its element by counting: any type, ties by index. */
KERNEL void sort_rank(GLOBAL const f32 *in, GLOBAL f32 *out, GLOBAL const i64 *in64, GLOBAL i64 *out64, u32 n)
{
    u32 i = global_id(0), rank = 0, rank64 = 0;
    if (i >= n)
        return;
    f32 v = in[i];
    i64 w = in64[i];
    for (u32 k = 0; k < n; k++) {
        rank += in[k] < v || (in[k] == v && k < i);
        rank64 += in64[k] < w || (in64[k] == w && k < i);
    }
    out[rank] = v, out64[rank64] = w;
}
CASE(sort_rank, (a[0].p, a[1].p, a[2].p, a[3].p, (u32)a[4].u), .grid = { 256 }, .group = { 64 },
     .args = { BUF(F32, 800), BUF(ZERO, 800), BUF(LONG_ANY, 1600), BUF(ZERO, 1600), VAL_U32(200) })

/* Bottom-up merges in global memory, one run for each work-item. */
KERNEL void sort_merge(GLOBAL u32 *x, GLOBAL u32 *y, u32 n)
{
    u32 lid = local_id(0);
    GLOBAL u32 *from = x, *to = y;
    for (u32 width = 1; width < n; width *= 2) {
        for (u32 lo = lid * 2 * width; lo < n; lo += group_size(0) * 2 * width) {
            u32 mid = lo + width < n ? lo + width : n, hi = lo + 2 * width < n ? lo + 2 * width : n;
            u32 p = lo, q = mid;
            for (u32 k = lo; k < hi; k++)
                to[k] = p < mid && (q >= hi || from[p] <= from[q]) ? from[p++] : from[q++];
        }
        GLOBAL u32 *t = from;
        from = to, to = t;
        barrier();
    }
}
CASE(sort_merge, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 64 }, .group = { 64 },
     .args = { BUF(BITS, 4000), BUF(ZERO, 4000), VAL_U32(1000) })

/* Odd-even transposition of halves and bytes. */
LDS u16 shorts[128];
LDS u8 bytes[128];
KERNEL void sort_transpose(GLOBAL const u16 *in, GLOBAL u16 *out, GLOBAL const u8 *in8, GLOBAL u8 *out8)
{
    u32 lid = local_id(0), at = 2 * lid;
    for (u32 k = lid; k < 128; k += 64)
        shorts[k] = in[group_id(0) * 128 + k], bytes[k] = in8[group_id(0) * 128 + k];
    barrier();
    for (u32 round = 0; round < 128; round++) {
        u32 x = at + (round & 1);
        if (x + 1 < 128) {
            u16 p = shorts[x], q = shorts[x + 1];
            if (p > q)
                shorts[x] = q, shorts[x + 1] = p;
            u8 b = bytes[x], c = bytes[x + 1];
            if ((i8)b > (i8)c)
                bytes[x] = c, bytes[x + 1] = b;
        }
        barrier();
    }
    for (u32 k = lid; k < 128; k += 64)
        out[group_id(0) * 128 + k] = shorts[k], out8[group_id(0) * 128 + k] = bytes[k];
}
CASE(sort_transpose, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { 128 }, .group = { 64 },
     .args = { BUF(BITS, 512), BUF(ZERO, 512), BUF(BITS, 256), BUF(ZERO, 256) })

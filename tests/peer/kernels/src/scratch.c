/* SPDX-License-Identifier: MIT
 *
 * Private memory: arrays with computed indices, of every element size, pointers
 * into them, large frames, arrays of variable length.
 */
#include "kernel.h"

KERNEL void scratch_sizes(GLOBAL const u32 *in, GLOBAL u64 *out)
{
    u32 i = global_id(0);
    u8 b[37];
    u16 h[19];
    u32 w[23];
    u64 l[11];
    f64 d[7];
    for (u32 k = 0; k < 37; k++)
        b[k] = (u8)(in[(i + k) & 255] >> (k & 7));
    for (u32 k = 0; k < 19; k++)
        h[k] = (u16)(b[(k * 5 + i) % 37] * 259 + k);
    for (u32 k = 0; k < 23; k++)
        w[k] = h[(k * 3 + i) % 19] << 16 | h[(i ^ k) % 19];
    for (u32 k = 0; k < 11; k++)
        l[k] = (u64)w[(i * k) % 23] << 32 | w[(i + k) % 23];
    for (u32 k = 0; k < 7; k++)
        d[k] = (f64)(i64)l[(i + k * k) % 11] * 0.5;
    u64 sum = 0;
    for (u32 k = 0; k < 64; k++) {
        u32 j = in[k & 255] + i;
        b[j % 37] ^= (u8)sum, h[j % 19] += (u16)k, w[j % 23] -= j, l[j % 11] *= 5, d[j % 7] += 1.0;
        sum = sum * 31 + b[(j + 1) % 37] + (u64)(i64)(i16)h[j % 19] + w[j % 23] + l[j % 11] + bits_f64(d[j % 7]) + (u64)(i64)(i8)b[j % 37];
    }
    out[i] = sum;
}
CASE(scratch_sizes, (a[0].p, a[1].p), .grid = { 256 }, .group = { 128 }, .args = { BUF(BITS, 1024), BUF(ZERO, 2048) })

static NOINLINE void reverse(u32 *p, u32 n)
{
    for (u32 k = 0; k < n / 2; k++) {
        u32 t = p[k];
        p[k] = p[n - 1 - k], p[n - 1 - k] = t;
    }
}
static NOINLINE u32 *pick(u32 *a, u32 *b, u32 which)
{
    return which & 1 ? a : b;
}
/* Addresses of private memory passed to functions: generic accesses. */
KERNEL void scratch_pointers(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), x[32], y[32];
    for (u32 k = 0; k < 32; k++)
        x[k] = in[(i * 3 + k) & 255], y[k] = k * i;
    reverse(pick(x, y, i), 3 + (i & 15));
    reverse(pick(x, y, i >> 1) + (i & 7), 17);
    u32 *p = pick(x, y, i >> 2), r = 0;
    for (u32 k = 0; k < 32; k++)
        r = r * 17 + p[k] + (x[k] ^ y[31 - k]);
    out[i] = r;
}
CASE(scratch_pointers, (a[0].p, a[1].p), .grid = { 256 }, .group = { 64 }, .args = { BUF(BITS, 1024), BUF(ZERO, 1024) })

/* A frame of 12,000 bytes a work-item: offsets beyond any immediate field. */
KERNEL void scratch_large(GLOBAL u32 *out, u32 n)
{
    u32 i = global_id(0), table[3000], r = i + 1;
    for (u32 k = 0; k < n; k++)
        table[k] = k * 2654435761u;
    for (u32 k = 0; k < 500; k++) {
        r = r * 1664525 + 1013904223;
        u32 j = (r >> 8) % n;
        table[j] += r, table[n - 1 - j] ^= table[j] >> 3;
    }
    u32 sum = 0;
    for (u32 k = 0; k < n; k += 7)
        sum = sum * 3 + table[k];
    out[i] = sum;
}
CASE(scratch_large, (a[0].p, (u32)a[1].u), .grid = { 64 }, .group = { 64 }, .args = { BUF(ZERO, 256), VAL_U32(3000) })

/* Quick sort by recursion on a private array. */
static NOINLINE void quick_sort(u32 *p, i32 lo, i32 hi)
{
    while (lo < hi) {
        u32 pivot = p[(lo + hi) / 2];
        i32 l = lo, h = hi;
        while (l <= h) {
            while (p[l] < pivot)
                l++;
            while (p[h] > pivot)
                h--;
            if (l <= h) {
                u32 t = p[l];
                p[l++] = p[h], p[h--] = t;
            }
        }
        if (h - lo < hi - l) {
            quick_sort(p, lo, h);
            lo = l;
        } else {
            quick_sort(p, l, hi);
            hi = h;
        }
    }
}
KERNEL void scratch_quick_sort(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), v[48];
    for (u32 k = 0; k < 48; k++)
        v[k] = in[i * 48 + k];
    quick_sort(v, 0, 47 - (i32)(i & 7));
    for (u32 k = 0; k < 48; k++)
        out[i * 48 + k] = v[k];
}
CASE(scratch_quick_sort, (a[0].p, a[1].p), .grid = { 128 }, .group = { 64 },
     .args = { BUF(BITS, 128 * 192), BUF(ZERO, 128 * 192) })

/* Arrays of a length known only at run time, the same in each lane. */
static NOINLINE u32 variable(u32 n, u32 x)
{
    u32 v[n];
    for (u32 k = 0; k < n; k++)
        v[k] = x + k * 5;
    for (u32 k = 1; k < n; k++)
        v[k] ^= v[(x + k) % n] >> 1;
    return v[n - 1] + v[x % n];
}
KERNEL void scratch_variable(GLOBAL const u32 *in, GLOBAL u32 *out, u32 n)
{
    u32 i = global_id(0), r = 0;
    for (u32 k = 1; k < n; k += 3)
        r = r * 7 + variable(k, in[i] + k);
    out[i] = r;
}
CASE(scratch_variable, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 128 }, .group = { 64 },
     .args = { BUF(BITS, 512), BUF(ZERO, 512), VAL_U32(30) })

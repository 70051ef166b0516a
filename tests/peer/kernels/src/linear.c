/* SPDX-License-Identifier: MIT
 *
 * Linear algebra: dense and sparse products, factorisation, inverse.
 */
#include "kernel.h"

#define TILE 16
LDS f32 ta[TILE][TILE + 1], tb[TILE][TILE + 1];

/* Tiled product with ragged edges, two-dimensional groups. */
KERNEL void linear_gemm(GLOBAL const f32 *a, GLOBAL const f32 *b, GLOBAL f32 *c, u32 m, u32 n, u32 k, f32 alpha, f32 beta)
{
    u32 x = local_id(0), y = local_id(1), col = group_id(0) * TILE + x, row = group_id(1) * TILE + y;
    f32 sum = 0;
    for (u32 t = 0; t < k; t += TILE) {
        ta[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        tb[y][x] = col < n && t + y < k ? b[(t + y) * n + col] : 0;
        barrier();
        for (u32 j = 0; j < TILE; j++)
            sum = __builtin_fmaf(ta[y][j], tb[j][x], sum);
        barrier();
    }
    if (row < m && col < n)
        c[row * n + col] = alpha * sum + beta * c[row * n + col];
}
CASE(linear_gemm, (a[0].p, a[1].p, a[2].p, (u32)a[3].u, (u32)a[4].u, (u32)a[5].u, a[6].f, a[7].f), .grid = { 48, 32 },
     .group = { 16, 16 },
     .args = { BUF(F32, 30 * 37 * 4), BUF(F32, 37 * 41 * 4), BUF(F32, 30 * 41 * 4), VAL_U32(30), VAL_U32(41), VAL_U32(37),
               VAL_F32(0x3fc00000), VAL_F32(0xbf000000) })

/* Small products of other types, one element of the result for each work-item. */
KERNEL void linear_gemm_types(GLOBAL const f64 *a, GLOBAL const f64 *b, GLOBAL f64 *c, GLOBAL const i8 *p, GLOBAL const i8 *q,
                              GLOBAL i32 *r, GLOBAL const f16 *s, GLOBAL const f16 *t, GLOBAL f16 *u, u32 n)
{
    u32 x = global_id(0), y = global_id(1);
    f64 sum = 0;
    i32 isum = 0;
    f16 hsum = 0;
    for (u32 k = 0; k < n; k++) {
        sum = __builtin_fma(a[y * n + k], b[k * n + x], sum);
        isum += p[y * n + k] * q[k * n + x];
        hsum = hsum + s[y * n + k] * t[k * n + x];
    }
    c[y * n + x] = sum, r[y * n + x] = isum, u[y * n + x] = canon_f16(hsum);
}
CASE(linear_gemm_types, (a[0].p, a[1].p, a[2].p, a[3].p, a[4].p, a[5].p, a[6].p, a[7].p, a[8].p, (u32)a[9].u),
     .grid = { 24, 24 }, .group = { 8, 8 },
     .args = { BUF(F64, 4608), BUF(F64, 4608), BUF(ZERO, 4608), BUF(BITS, 576), BUF(BITS, 576), BUF(ZERO, 2304), BUF(F16, 1152),
               BUF(F16, 1152), BUF(ZERO, 1152), VAL_U32(24) })

/* Compressed rows whose lengths differ; the pattern is made here from the row number. */
KERNEL void linear_sparse(GLOBAL const f32 *x, GLOBAL const f32 *values, GLOBAL f32 *y, u32 n)
{
    u32 row = global_id(0);
    if (row >= n)
        return;
    u32 begin = row * 7 - row % 5, end = (row + 1) * 7 - (row + 1) % 5;
    f32 sum = 0;
    for (u32 k = begin; k < end; k++)
        sum += values[k] * x[(k * 2654435761u >> 7) % n];
    y[row] = sum;
}
CASE(linear_sparse, (a[0].p, a[1].p, a[2].p, (u32)a[3].u), .grid = { 512 }, .group = { 128 },
     .args = { BUF(F32, 2000), BUF(F32, 14004), BUF(ZERO, 2000), VAL_U32(500) })

/* One row of a compressed matrix for each 32 work-items, summed across in LDS. */
LDS f64 part[128];
KERNEL void linear_sparse_vector(GLOBAL const f64 *x, GLOBAL const f64 *values, GLOBAL const u32 *column, GLOBAL f64 *y)
{
    u32 lid = local_id(0), row = global_id(0) / 32, lane = lid & 31, begin = row * 50, length = 20 + row % 31;
    f64 sum = 0;
    for (u32 k = lane; k < length; k += 32)
        sum += values[begin + k] * x[column[begin + k]];
    part[lid] = sum;
    for (u32 step = 16; step > 0; step /= 2) {
        barrier();
        if (lane < step)
            part[lid] += part[lid + step];
    }
    if (lane == 0)
        y[row] = part[lid];
}
CASE(linear_sparse_vector, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { 1024 }, .group = { 128 },
     .args = { BUF(F64, 800), BUF(F64, 32 * 50 * 8), BUF_BELOW(100, 32 * 50 * 4), BUF(ZERO, 256) })

/* Gauss and Jordan with pivoting in private memory: one 6 by 6 matrix for each work-item. */
KERNEL void linear_inverse(GLOBAL const f64 *in, GLOBAL f64 *out)
{
    u32 i = global_id(0);
    f64 m[6][12];
    for (u32 r = 0; r < 6; r++)
        for (u32 c = 0; c < 12; c++)
            m[r][c] = c < 6 ? in[i * 36 + r * 6 + c] : c - 6 == r;
    for (u32 k = 0; k < 6; k++) {
        u32 pivot = k;
        for (u32 r = k + 1; r < 6; r++)
            if (__builtin_fabs(m[r][k]) > __builtin_fabs(m[pivot][k]))
                pivot = r;
        for (u32 c = 0; c < 12; c++) {
            f64 t = m[k][c];
            m[k][c] = m[pivot][c], m[pivot][c] = t;
        }
        f64 d = 1 / m[k][k];
        for (u32 c = 0; c < 12; c++)
            m[k][c] *= d;
        for (u32 r = 0; r < 6; r++) {
            f64 f = m[r][k];
            for (u32 c = 0; c < 12 && r != k; c++)
                m[r][c] -= f * m[k][c];
        }
    }
    for (u32 r = 0; r < 6; r++)
        for (u32 c = 0; c < 6; c++)
            out[i * 36 + r * 6 + c] = canon_f64(m[r][c + 6]);
}
CASE(linear_inverse, (a[0].p, a[1].p), .grid = { 64 }, .group = { 64 }, .args = { BUF(F64, 64 * 288), BUF(ZERO, 64 * 288) })

/* LU in LDS by one group; forward and back substitution. */
LDS f32 lu[32][33];
LDS f32 rhs[32];
KERNEL void linear_lu(GLOBAL const f32 *in, GLOBAL const f32 *b, GLOBAL f32 *out, GLOBAL f32 *x)
{
    u32 c = local_id(0), g = group_id(0);
    for (u32 r = 0; r < 32; r++)
        lu[r][c] = in[(g * 32 + r) * 32 + c] + (r == c ? 1000.0f : 0.0f);
    rhs[c] = b[g * 32 + c];
    barrier();
    for (u32 k = 0; k < 31; k++) {
        if (c > k)
            lu[c][k] /= lu[k][k];
        barrier();
        for (u32 r = k + 1; r < 32; r++)
            if (c > k)
                lu[r][c] -= lu[r][k] * lu[k][c];
        barrier();
    }
    for (u32 k = 0; k < 32; k++) {
        if (c > k)
            rhs[c] -= lu[c][k] * rhs[k];
        barrier();
    }
    for (u32 k = 32; k-- > 0;) {
        if (c == k)
            rhs[k] /= lu[k][k];
        barrier();
        if (c < k)
            rhs[c] -= lu[c][k] * rhs[k];
        barrier();
    }
    for (u32 r = 0; r < 32; r++)
        out[(g * 32 + r) * 32 + c] = lu[r][c];
    x[g * 32 + c] = rhs[c];
}
CASE(linear_lu, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { 96 }, .group = { 32 },
     .args = { BUF(F32, 3 * 4096), BUF(F32, 384), BUF(ZERO, 3 * 4096), BUF(ZERO, 384) })

/* Transpose through LDS, each element type. */
LDS u32 square[16][17];
KERNEL void linear_transpose(GLOBAL const u32 *in, GLOBAL u32 *out, u32 w, u32 h)
{
    u32 x = group_id(0) * 16 + local_id(0), y = group_id(1) * 16 + local_id(1);
    if (x < w && y < h)
        square[local_id(1)][local_id(0)] = in[y * w + x];
    barrier();
    u32 tx = group_id(1) * 16 + local_id(0), ty = group_id(0) * 16 + local_id(1);
    if (tx < h && ty < w)
        out[ty * h + tx] = square[local_id(0)][local_id(1)];
}
CASE(linear_transpose, (a[0].p, a[1].p, (u32)a[2].u, (u32)a[3].u), .grid = { 64, 48 }, .group = { 16, 16 },
     .args = { BUF(BITS, 50 * 35 * 4), BUF(ZERO, 50 * 35 * 4), VAL_U32(50), VAL_U32(35) })

/* SPDX-License-Identifier: MIT
 *
 * exec_kernels.h - the programs of bench_exec.c, for both machines.
 *
 * Each is a function of the work-item's number.  clang-22 makes kernels of them
 * (exec_kernels.c); bench_exec.c includes them as loops for the host compiler,
 * so that both run the same arithmetic.
 */
#ifndef BENCH_EXEC_KERNELS_H
#define BENCH_EXEC_KERNELS_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef float f32;
typedef double f64;
typedef f32 f32x4 __attribute__((vector_size(16)));

#ifdef __AMDGCN__
#define GLOBAL __attribute__((address_space(1)))
#else
#define GLOBAL
#endif

static inline u32 mandelbrot_item(u32 i, u32 width, u32 limit)
{
    f32 cx = -2.0f + (f32)(i % width) * (3.0f / 512.0f), cy = -1.125f + (f32)(i / width) * (2.25f / 384.0f), x = 0, y = 0;
    u32 n = 0;
    while (n < limit) {
        f32 xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = 2.0f * x * y + cy, x = xx - yy + cx;
        n++;
    }
    return n;
}

/* out: acceleration of body i, three floats */
static inline void nbody_item(u32 i, GLOBAL const f32 *pos, GLOBAL f32 *out, u32 n)
{
    f32 px = pos[i * 4], py = pos[i * 4 + 1], pz = pos[i * 4 + 2], ax = 0, ay = 0, az = 0;
    for (u32 k = 0; k < n; k++) {
        f32 dx = pos[k * 4] - px, dy = pos[k * 4 + 1] - py, dz = pos[k * 4 + 2] - pz;
        f32 r2 = dx * dx + dy * dy + dz * dz + 0.01f, inv = 1.0f / __builtin_sqrtf(r2), s = pos[k * 4 + 3] * inv * inv * inv;
        ax += dx * s, ay += dy * s, az += dz * s;
    }
    out[i * 3] = ax, out[i * 3 + 1] = ay, out[i * 3 + 2] = az;
}

static const u32 bench_sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

#define BENCH_ROTR(x, n) ((x) >> (n) | (x) << (32 - (n)))
/* The compression function over a block made from i, `blocks` times; the whole schedule in registers. */
static inline u32 sha256_item(u32 i, u32 blocks)
{
    u32 h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    for (u32 b = 0; b < blocks; b++) {
        u32 w[16], s[8];
        for (u32 k = 0; k < 16; k++)
            w[k] = (i + b) * 0x9e3779b9 + k * 0x85ebca6b;
        for (u32 k = 0; k < 8; k++)
            s[k] = h[k];
#pragma GCC unroll 64
        for (u32 k = 0; k < 64; k++) {
            if (k >= 16) {
                u32 w1 = w[(k + 1) & 15], w14 = w[(k + 14) & 15];
                w[k & 15] += (BENCH_ROTR(w1, 7) ^ BENCH_ROTR(w1, 18) ^ w1 >> 3) + w[(k + 9) & 15] +
                             (BENCH_ROTR(w14, 17) ^ BENCH_ROTR(w14, 19) ^ w14 >> 10);
            }
            u32 t1 = s[7] + (BENCH_ROTR(s[4], 6) ^ BENCH_ROTR(s[4], 11) ^ BENCH_ROTR(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                     bench_sha_k[k] + w[k & 15];
            u32 t2 = (BENCH_ROTR(s[0], 2) ^ BENCH_ROTR(s[0], 13) ^ BENCH_ROTR(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + t1, s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = t1 + t2;
        }
        for (u32 k = 0; k < 8; k++)
            h[k] += s[k];
    }
    return h[0] ^ h[7];
}

/* ---- memory ---------------------------------------------------------------------------------- */

static inline void stream_item(u32 i, GLOBAL const f32 *a, GLOBAL const f32 *b, GLOBAL f32 *c)
{
    c[i] = a[i] + b[i];
}

static inline void stream_checked_item(u32 i, GLOBAL const u32 *a, GLOBAL const u32 *b, GLOBAL u32 *c, u32 n)
{
    if (i < n)
        c[i] = a[i] + b[i];
}

static inline void stream4_item(u32 i, GLOBAL const f32x4 *a, GLOBAL const f32x4 *b, GLOBAL f32x4 *c)
{
    c[i] = a[i] + b[i];
}

static inline void bytes_item(u32 i, GLOBAL const u8 *a, GLOBAL const u8 *b, GLOBAL u8 *c)
{
    c[i] = (u8)(a[i] + b[i]);
}

static inline void strided_item(u32 i, GLOBAL const u32 *a, GLOBAL u32 *c)
{
    c[i] = a[i * 8] + a[i * 8 + 5];
}

static inline void gather_item(u32 i, GLOBAL const u32 *a, GLOBAL const u32 *where, GLOBAL u32 *c)
{
    c[i] = a[where[i]];
}

/* ---- control flow, other types ---------------------------------------------------------------- */

/* Steps of the Collatz sequence: neighbours take different ways and different times. */
static inline u32 branchy_item(u32 i)
{
    u32 x = i * 7 + 1, n = 0;
    while (x != 1 && n < 200) {
        if (x & 1)
            x = x * 3 + 1;
        else if (x & 2)
            x >>= 1;
        else
            x >>= 2, n++;
        n++;
    }
    return n;
}

static inline f64 mandelbrot64_item(u32 i, u32 width, u32 limit)
{
    f64 cx = -2.0 + (f64)(i % width) * (3.0 / 512.0), cy = -1.125 + (f64)(i / width) * (2.25 / 384.0), x = 0, y = 0;
    u32 n = 0;
    while (n < limit) {
        f64 xx = x * x, yy = y * y;
        if (xx + yy > 4.0)
            break;
        y = 2.0 * x * y + cy, x = xx - yy + cx;
        n++;
    }
    return x + y + n;
}

/* Quotients and roots: what compilers make long sequences of. */
static inline f64 divide64_item(u32 i, u32 rounds)
{
    f64 x = 1.0 + i;
    for (u32 k = 0; k < rounds; k++)
        x = 0.5 * (x + (i + 2.0) / x) + __builtin_sqrt(x);
    return x;
}

static inline f32 divide32_item(u32 i, u32 rounds)
{
    f32 x = 1.0f + (f32)i;
    for (u32 k = 0; k < rounds; k++)
        x = 0.5f * (x + ((f32)i + 2.0f) / x) + 0.25f;
    return x;
}

/* One element of a product of n by n matrices. */
static inline f32 gemm_item(u32 i, GLOBAL const f32 *a, GLOBAL const f32 *b, u32 n)
{
    u32 row = i / n, col = i % n;
    f32 sum = 0;
    for (u32 k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    return sum;
}

#endif

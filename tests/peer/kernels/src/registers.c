/* SPDX-License-Identifier: MIT
 *
 * More values at a time than a wave has registers for: gfx1250 uses its 1024 (s_set_vgpr_msb),
 * the others accumulation registers or scratch.
 */
#include "kernel.h"

#ifdef __AMDGCN__
#define ALL_REGISTERS __attribute__((amdgpu_flat_work_group_size(64, 64), amdgpu_waves_per_eu(1, 1)))
#else
#define ALL_REGISTERS
#endif
#define UNROLL _Pragma("clang loop unroll(full)")

/* Two ways through each round, which meet with other high bits set. */
#define WIDE 320
KERNEL ALL_REGISTERS void registers_mix(GLOBAL const u32 *in, GLOBAL u32 *out, u32 rounds)
{
    u32 id = global_id(0), a[WIDE];
    UNROLL for (u32 i = 0; i < WIDE; i++)
        a[i] = in[(id + 97 * i) % 4096];
    for (u32 r = 0; r < rounds; r++) {
        if ((r + group_id(0)) & 1) {
            UNROLL for (u32 i = 0; i < WIDE; i++)
                a[i] = a[i] * a[(i + 1) % WIDE] + a[(i * 7 + 3) % WIDE];
        } else {
            UNROLL for (u32 i = 0; i < WIDE; i++)
                a[i] ^= a[(i + WIDE / 2) % WIDE] >> (i & 15);
        }
        if (a[17] & 1) {
            UNROLL for (u32 i = 0; i < WIDE; i += 5)
                a[i] += a[WIDE - 1 - i];
        }
    }
    UNROLL for (u32 i = 0; i < WIDE; i++)
        out[id + 128 * i] = a[i];
}
CASE(registers_mix, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 128 }, .group = { 64 },
     .args = { BUF(BITS, 16384), BUF(ZERO, 128 * 4 * WIDE), VAL_U32(5) })

/* A call while most of them hold something. */
static NOINLINE u32 stir(u32 x, u32 y)
{
    for (u32 k = 0; k < (y & 3) + 1; k++)
        x = (x ^ x >> 15) * 0x2c1b3c6du + y;
    return x;
}
KERNEL ALL_REGISTERS void registers_call(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 id = global_id(0), a[280];
    UNROLL for (u32 i = 0; i < 280; i++)
        a[i] = in[(id + 61 * i) % 4096] + i;
    UNROLL for (u32 i = 0; i < 280; i += 40)
        a[i] = stir(a[i], a[(i + 139) % 280]);
    u32 sum = 0;
    UNROLL for (u32 i = 0; i < 280; i++)
        sum = sum * 31 + (a[i] ^ a[(i * 3 + 1) % 280]);
    out[id] = sum;
}
CASE(registers_call, (a[0].p, a[1].p), .grid = { 128 }, .group = { 64 }, .args = { BUF(BITS, 16384), BUF(ZERO, 512) })

/* Wide loads and stores, 64-bit and packed arithmetic, LDS, comparisons. */
KERNEL ALL_REGISTERS void registers_wide(GLOBAL const u32x4 *in, GLOBAL u32x4 *out)
{
    LDS u32 shared[64];
    u32 id = global_id(0), lid = local_id(0);
    u32x4 v[72];
    f64 sum[40];
    UNROLL for (u32 i = 0; i < 72; i++)
        v[i] = in[(id + 13 * i) % 1024];
    UNROLL for (u32 i = 0; i < 40; i++)
        sum[i] = (f64)(i32)v[i][1] * 0.25 + (f64)v[i + 32][2];
    u64 product = 1;
    UNROLL for (u32 i = 0; i < 72; i++) {
        product = product * (v[i][0] | (u64)v[71 - i][3] << 32 | 1) + i;
        v[i][2] = v[i][2] > v[71 - i][1] ? v[i][2] - v[71 - i][1] : v[i][0] ^ i;
    }
    shared[lid] = (u32)product;
    barrier();
    UNROLL for (u32 i = 0; i < 72; i++)
        v[i][3] += shared[(lid + i) & 63];
    UNROLL for (u32 i = 0; i < 40; i++)
        v[i][1] ^= (u32)bits_f64(sum[i] * sum[39 - i]) ^ (u32)(bits_f64(sum[i] + 1.0) >> 32);
    UNROLL for (u32 i = 0; i < 72; i++)
        out[id + 128 * i] = v[i];
}
CASE(registers_wide, (a[0].p, a[1].p), .grid = { 128 }, .group = { 64 },
     .args = { BUF(BITS, 16384), BUF(ZERO, 128 * 16 * 72) })

/* Single precision: fused and not, with denormals, minima and divisions. */
KERNEL ALL_REGISTERS void registers_float(GLOBAL const f32 *in, GLOBAL f32 *out)
{
    u32 id = global_id(0);
    f32 a[300];
    UNROLL for (u32 i = 0; i < 300; i++)
        a[i] = in[(id * 3 + 41 * i) % 4096];
    UNROLL for (u32 i = 0; i < 300; i++)
        a[i] = __builtin_fmaf(a[(i + 150) % 300], a[(i + 77) % 300], a[i]);
    UNROLL for (u32 i = 0; i < 300; i++)
        a[i] = i % 3 == 0 ? a[i] * a[299 - i] : i % 3 == 1 ? a[i] - a[(i + 9) % 300] : a[i] / 3.0f;
    UNROLL for (u32 i = 0; i < 300; i++)
        out[id + 128 * i] = canon_f32(a[i]);
}
CASE(registers_float, (a[0].p, a[1].p), .grid = { 128 }, .group = { 64 },
     .args = { BUF(F32, 16384), BUF(ZERO, 128 * 4 * 300) })

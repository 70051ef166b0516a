/* SPDX-License-Identifier: MIT
 *
 * exec_kernels.c - the GPU side of bench_exec.c.
 */
#include "exec_kernels.h"

#define KERNEL __attribute__((amdgpu_kernel, visibility("protected")))

static inline u32 item(void)
{
    return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
}

KERNEL void bench_mandelbrot(GLOBAL u32 *out, u32 width, u32 limit) { out[item()] = mandelbrot_item(item(), width, limit); }
KERNEL void bench_nbody(GLOBAL const f32 *pos, GLOBAL f32 *out, u32 n) { nbody_item(item(), pos, out, n); }
KERNEL void bench_sha256(GLOBAL u32 *out, u32 blocks) { out[item()] = sha256_item(item(), blocks); }
KERNEL void bench_stream(GLOBAL const f32 *a, GLOBAL const f32 *b, GLOBAL f32 *c) { stream_item(item(), a, b, c); }
KERNEL void bench_gemm(GLOBAL const f32 *a, GLOBAL const f32 *b, GLOBAL f32 *c, u32 n) { c[item()] = gemm_item(item(), a, b, n); }
KERNEL void bench_tiny(GLOBAL u32 *out) { out[item()] = 1; }

/* Dependent additions and fused multiply-adds; `mask` picks the lanes that take part. */
KERNEL void bench_valu(GLOBAL f32 *out, u32 rounds, u32 mask, f32 a, f32 b)
{
    u32 i = item(), u = i, v = i ^ 0x55;
    f32 x = (f32)i, y = 1.0f;
    if (mask >> (i & 31) & 1) {
#pragma clang loop unroll_count(8)
        for (u32 k = 0; k < rounds; k++) {
            x = __builtin_fmaf(x, a, b);
            u += v;
            y = y + x;
            v = u ^ v;
            x = __builtin_fmaf(y, b, x);
        }
        out[i] = x + y + (f32)u;
    }
}

/* c[m][n] = sum of a[m][k] * b[n][k]: a wave makes 64 by 64 elements of it, operands straight from memory. */
#if defined(__gfx942__) || defined(__gfx950__)
typedef f32 f32x16 __attribute__((ext_vector_type(16)));
typedef __bf16 bf16x4 __attribute__((ext_vector_type(4)));
typedef short i16x4 __attribute__((ext_vector_type(4)));

#define MFMA_GEMM(name, element, operand, step, mfma)                                                              \
    KERNEL void name(GLOBAL const element *a, GLOBAL const element *b, GLOBAL f32 *c, u32 n)                       \
    {                                                                                                              \
        u32 lane = __builtin_amdgcn_workitem_id_x() & 63, wave = item() >> 6, tiles = n / 64;                      \
        u32 row = wave / tiles * 64, col = wave % tiles * 64, per_lane = step / 2;                                 \
        f32x16 sum[2][2] = { { 0 } };                                                                              \
        for (u32 k = lane / 32 * per_lane; k < n; k += step) {                                                     \
            operand p[2], q[2];                                                                                    \
            for (u32 t = 0; t < 2; t++) {                                                                          \
                p[t] = *(GLOBAL const operand *)(a + (row + t * 32 + lane % 32) * n + k);                          \
                q[t] = *(GLOBAL const operand *)(b + (col + t * 32 + lane % 32) * n + k);                          \
            }                                                                                                      \
            for (u32 t = 0; t < 4; t++)                                                                            \
                sum[t / 2][t % 2] = mfma(p[t / 2], q[t % 2], sum[t / 2][t % 2], 0, 0, 0);                          \
        }                                                                                                          \
        for (u32 t = 0; t < 4; t++)                                                                                \
            for (u32 v = 0; v < 16; v++)                                                                           \
                c[(row + t / 2 * 32 + 8 * (v / 4) + 4 * (lane / 32) + v % 4) * n + col + t % 2 * 32 + lane % 32] = sum[t / 2][t % 2][v]; \
    }
MFMA_GEMM(bench_mfma_bf16, u16, i16x4, 8, __builtin_amdgcn_mfma_f32_32x32x8bf16_1k)
MFMA_GEMM(bench_mfma_fp8, u8, long, 16, __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8)
#endif

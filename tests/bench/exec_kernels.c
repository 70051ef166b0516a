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

KERNEL void bench_stream_checked(GLOBAL const u32 *a, GLOBAL const u32 *b, GLOBAL u32 *c, u32 n) { stream_checked_item(item(), a, b, c, n); }
KERNEL void bench_stream4(GLOBAL const f32x4 *a, GLOBAL const f32x4 *b, GLOBAL f32x4 *c) { stream4_item(item(), a, b, c); }
KERNEL void bench_bytes(GLOBAL const u8 *a, GLOBAL const u8 *b, GLOBAL u8 *c) { bytes_item(item(), a, b, c); }
KERNEL void bench_strided(GLOBAL const u32 *a, GLOBAL u32 *c) { strided_item(item(), a, c); }
KERNEL void bench_gather(GLOBAL const u32 *a, GLOBAL const u32 *where, GLOBAL u32 *c) { gather_item(item(), a, where, c); }
KERNEL void bench_branchy(GLOBAL u32 *out) { out[item()] = branchy_item(item()); }
KERNEL void bench_mandelbrot64(GLOBAL f64 *out, u32 width, u32 limit) { out[item()] = mandelbrot64_item(item(), width, limit); }
KERNEL void bench_divide64(GLOBAL f64 *out, u32 rounds) { out[item()] = divide64_item(item(), rounds); }
KERNEL void bench_divide32(GLOBAL f32 *out, u32 rounds) { out[item()] = divide32_item(item(), rounds); }
KERNEL void bench_histogram(GLOBAL const u8 *a, GLOBAL u32 *bins) { __atomic_fetch_add(&bins[a[item()]], 1, __ATOMIC_RELAXED); }

/* Sums of 256 elements by halving, all in LDS. */
KERNEL void bench_reduce(GLOBAL const u32 *a, GLOBAL u32 *out)
{
    static __attribute__((address_space(3), loader_uninitialized)) u32 part[256];
    u32 i = __builtin_amdgcn_workitem_id_x();
    part[i] = a[item()];
    for (u32 half = 128; half; half /= 2) {
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
        if (i < half)
            part[i] += part[i + half];
    }
    if (i == 0)
        out[__builtin_amdgcn_workgroup_id_x()] = part[0];
}

/* Tiles of 16 by 16 go through LDS, whose rows are 17 long. */
KERNEL void bench_transpose(GLOBAL const u32 *a, GLOBAL u32 *out, u32 n)
{
    static __attribute__((address_space(3), loader_uninitialized)) u32 tile[16 * 17];
    u32 x = __builtin_amdgcn_workitem_id_x() % 16, y = __builtin_amdgcn_workitem_id_x() / 16;
    u32 group = __builtin_amdgcn_workgroup_id_x(), tx = group % (n / 16) * 16, ty = group / (n / 16) * 16;
    tile[y * 17 + x] = a[(ty + y) * n + tx + x];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    out[(tx + y) * n + ty + x] = tile[x * 17 + y];
}

/* ---- rates: a loop of one kind of instruction; `mask` picks the lanes that take part ------------ */

/* Writes MODE: rounding of f32 and f64, denormals of f32 and f64, two bits each. */
static inline void set_mode(u32 mode) { __builtin_amdgcn_s_setreg(1 | 0 << 6 | 7 << 11, mode); }

#define RATE(name, setup, body, result)                                     \
    KERNEL void name(GLOBAL u32 *out, u32 rounds, u32 mask, u32 mode, f32 a, f32 b) \
    {                                                                       \
        u32 i = item(), u = i, v = i ^ 0x55;                                \
        f32 x = (f32)i, y = 1.0f;                                           \
        (void)u, (void)v, (void)x, (void)y;                                 \
        setup                                                               \
        set_mode(mode);                                                     \
        if (mask >> (i & 31) & 1) {                                         \
            _Pragma("clang loop unroll_count(8)")                           \
            for (u32 k = 0; k < rounds; k++) {                              \
                body                                                        \
            }                                                               \
            out[i] = (u32)(result);                                         \
        }                                                                   \
    }
typedef _Float16 f16x2 __attribute__((ext_vector_type(2)));
/* Dependent additions and fused multiply-adds. */
RATE(bench_valu, , x = __builtin_fmaf(x, a, b); u += v; y = y + x; v = u ^ v; x = __builtin_fmaf(y, b, x);, x + y + (f32)u)
RATE(bench_f32, , x = __builtin_fmaf(x, a, b); y = y + x; x = x * b; y = y - a;, x + y)
RATE(bench_f64, f64 p = i; f64 q = a; f64 r = b;, p = __builtin_fma(p, q, r); r = r + q; p = p * r; r = p - q;, p + r)
RATE(bench_pk16, f16x2 p = (_Float16)x; f16x2 q = (_Float16)a; f16x2 r = (_Float16)b;,
     p = __builtin_elementwise_fma(p, q, r); r = r + q; p = p * r; r = p - q;, p.x + r.y)
RATE(bench_functions, , x = __builtin_amdgcn_exp2f(x * b); x = __builtin_amdgcn_logf(x + a); y = __builtin_amdgcn_sinf(y + x);
     x = __builtin_amdgcn_cosf(y) + x;, x + y)
RATE(bench_med3, , x = __builtin_amdgcn_fmed3f(x, a, y); y = __builtin_fminf(__builtin_fminf(x, y), b) + a;
     x = __builtin_fmaxf(__builtin_fmaxf(x, y), b);, x + y)
RATE(bench_convert, , u = (u32)x + v; x = (f32)u * a; v = (u32)(int)x; y = y + (f32)(_Float16)x;, y + (f32)(u + v))
/* Uniform: scalar instructions only. */
RATE(bench_salu, u = mask | 1; v = rounds;, u = u * 1664525 + k; v = (v << 3 ^ u >> 5) + 7; __asm__ volatile("" : "+s"(u), "+s"(v));, u + v)

/* Forms that the compiler would not choose: registers are the kernel's own, with numbers that stay as they are. */
#define FIXED "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27"
#define SET __asm__ volatile("v_mov_b32 v21, 1.0\n v_mov_b32 v22, 2.0\n v_mov_b32 v24, 0.5\n v_mov_b32 v27, 4.0" ::: FIXED);
RATE(bench_dpp, SET, __asm__ volatile("v_add_f32_dpp v20, v21, v22 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n"
                                      "v_mov_b32_dpp v23, v24 row_shr:1 row_mask:0xf bank_mask:0xf\n"
                                      "v_max_u32_dpp v25, v24, v27 row_ror:4 row_mask:0xf bank_mask:0xf\n"
                                      "v_mul_f32_dpp v26, v21, v27 row_half_mirror row_mask:0xf bank_mask:0xf" ::: FIXED);, x)
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
RATE(bench_dpp8, SET, __asm__ volatile("v_add_f32_dpp v20, v21, v22 dpp8:[7,6,5,4,3,2,1,0]\n"
                                       "v_mov_b32_dpp v23, v24 dpp8:[1,0,3,2,5,4,7,6]" ::: FIXED);, x)
#endif
#if (defined(__GFX11__) || defined(__GFX12__)) && !defined(WAVE64)
/* A pair counts as one instruction. */
RATE(bench_vopd, SET, __asm__ volatile("v_dual_mul_f32 v20, v21, v22 :: v_dual_add_f32 v23, v24, v27\n"
                                       "v_dual_mov_b32 v26, v24 :: v_dual_lshlrev_b32 v25, 1, v27\n"
                                       "v_dual_fmac_f32 v20, v21, v22 :: v_dual_cndmask_b32 v23, v24, v27" ::: FIXED);, x)
#endif
#if defined(__GFX11__)
RATE(bench_true16, SET, __asm__ volatile("v_add_f16_e32 v20.l, v21.h, v22.h\n v_mul_f16_e32 v20.h, v21.h, v24.l\n"
                                         "v_mov_b16_e32 v23.h, v22.l\n v_fma_f16 v25.h, v21.l, v22.h, v24.l\n v_add_nc_u16 v26.l, v24.h, v27.l" ::: FIXED);, x)
#endif

/* ---- matrix instructions --------------------------------------------------------------------------- */

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

/* SPDX-License-Identifier: MIT
 *
 * Every operator on every floating type, over all classes of values.  The sign
 * of a zero that min and max give for two zeros is not looked at: C leaves it open.
 */
#include "kernel.h"

#ifdef __AMDGCN__
#define fma_f16 __builtin_elementwise_fma
#else
/* Exact in 113 bits, then rounded once; the compiler would go through f32 and round twice. */
static f16 fma_f16(f16 x, f16 y, f16 z)
{
    return (f16)((__float128)x * y + z);
}
#endif
#define fma_f32 __builtin_fmaf
#define fma_f64 __builtin_fma

#define KERNELS(T, CANON)                                                                     \
    static inline T zero_##T(T x) { return x == 0 ? (T)0 : CANON(x); }                                \
    KERNEL void arith_##T(GLOBAL const T *a, GLOBAL const T *b, GLOBAL const T *c, GLOBAL T *out)     \
    {                                                                                                 \
        u32 i = global_id(0);                                                                         \
        T x = a[i], y = b[i], z = c[i];                                                               \
        GLOBAL T *o = out + i * 24;                                                                   \
        *o++ = CANON(x + y), *o++ = CANON(x - y), *o++ = CANON(x * y), *o++ = CANON(x / y);           \
        *o++ = CANON(x * y + z), *o++ = CANON(z - x * y);                                             \
        *o++ = CANON(fma_##T(x, y, z)), *o++ = CANON(fma_##T(-x, y, -z)); \
        *o++ = CANON(__builtin_elementwise_sqrt(x)), *o++ = CANON(-x);                                \
        *o++ = CANON(__builtin_elementwise_abs(x)), *o++ = CANON(__builtin_elementwise_copysign(x, y)); \
        *o++ = CANON(__builtin_elementwise_floor(x)), *o++ = CANON(__builtin_elementwise_ceil(x));    \
        *o++ = CANON(__builtin_elementwise_trunc(x)), *o++ = CANON(__builtin_elementwise_rint(x));    \
        *o++ = x < y ? x + (T)1 : CANON(y + z);                                                       \
        *o++ = zero_##T(x != x ? y : y != y ? x : x < y ? x : y);                                     \
        *o++ = zero_##T(x != x ? y : y != y ? x : x > y ? x : y);                                     \
        *o++ = (T)((x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 | (x >= y) << 5); \
        *o++ = (T)(!(x < y) | !(x <= y) << 1 | !(x > y) << 2 | !(x >= y) << 3 | __builtin_isunordered(x, y) << 4); \
        *o++ = CANON((T)1 / x), *o++ = CANON(x * x * x - y * y + z), *o++ = CANON((x + y) * (T)0.5 - (T)2 * z); \
    }

KERNELS(f16, canon_f16)
KERNELS(f32, canon_f32)
KERNELS(f64, canon_f64)

#define N 2048
#define LAUNCH(T, fill, bytes)                                                                          \
    CASE(arith_##T, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { N }, .group = { 256 },                  \
         .args = { BUF(fill, N * bytes), BUF(fill, N * bytes), BUF(fill, N * bytes), BUF(ZERO, N * bytes * 24) })
LAUNCH(f16, F16_ANY, 2)
LAUNCH(f32, F32_ANY, 4)
LAUNCH(f64, F64_ANY, 8)

/* min and max by the builtins, quiet inputs. */
KERNEL void float_minmax(GLOBAL const f32 *a, GLOBAL const f32 *b, GLOBAL const f64 *c, GLOBAL const f64 *d,
                         GLOBAL f32 *out, GLOBAL f64 *out64)
{
    u32 i = global_id(0);
    f32 x = a[i], y = b[i];
    f64 p = c[i], q = d[i];
    f32 lo = __builtin_fminf(x, y), hi = __builtin_fmaxf(x, y);
    f32 clamped = __builtin_fminf(__builtin_fmaxf(x, -2.0f), 3.5f);
    f64 lo64 = __builtin_fmin(p, q), hi64 = __builtin_fmax(p, q);
    out[i * 3] = lo == 0 ? 0 : canon_f32(lo), out[i * 3 + 1] = hi == 0 ? 0 : canon_f32(hi), out[i * 3 + 2] = canon_f32(clamped);
    out64[i * 2] = lo64 == 0 ? 0 : canon_f64(lo64), out64[i * 2 + 1] = hi64 == 0 ? 0 : canon_f64(hi64);
}
CASE(float_minmax, (a[0].p, a[1].p, a[2].p, a[3].p, a[4].p, a[5].p), .grid = { 1024 }, .group = { 64 },
     .args = { BUF(F32_ANY, 4096), BUF(F32_ANY, 4096), BUF(F64_ANY, 8192), BUF(F64_ANY, 8192), BUF(ZERO, 12288),
               BUF(ZERO, 16384) })

/* Splitting and scaling by powers of two. */
KERNEL void float_parts(GLOBAL const f32 *a, GLOBAL const f64 *b, GLOBAL const u32 *e, GLOBAL u32 *out, GLOBAL u64 *out64)
{
    u32 i = global_id(0);
    f32 x = a[i];
    f64 y = b[i];
    i32 n = (i32)(e[i] % 601) - 300, m = (i32)(e[i] % 4601) - 2300;
    out[i * 4] = bits_f32(canon_f32(__builtin_ldexpf(x, n)));
    out[i * 4 + 1] = (u32)(__builtin_isfinite(x) | __builtin_isinf(x) << 1);
    out[i * 4 + 2] = (u32)__builtin_fpclassify(0, 1, 2, 3, 4, x) | (u32)__builtin_fpclassify(0, 1, 2, 3, 4, y) << 4;
    out[i * 4 + 3] = (u32)(__builtin_signbit(x) != 0) | (u32)(__builtin_isinf_sign(y) + 1) << 1 | (u32)!!__builtin_isnormal(x) << 3;
    out64[i * 2] = bits_f64(canon_f64(__builtin_ldexp(y, m)));
    int ex = 0;
    f64 fr = y == y && y - y == 0 ? __builtin_frexp(y, &ex) : 0.25;
    out64[i * 2 + 1] = bits_f64(fr) ^ (u64)(i64)ex;
}
CASE(float_parts, (a[0].p, a[1].p, a[2].p, a[3].p, a[4].p), .grid = { 1024 }, .group = { 128 },
     .args = { BUF(F32_ANY, 4096), BUF(F64_ANY, 8192), BUF(BITS, 4096), BUF(ZERO, 16384), BUF(ZERO, 16384) })

/* Long dependent chains: an error of one bit anywhere would show. */
KERNEL void float_chain(GLOBAL const f32 *a, GLOBAL const f64 *b, GLOBAL f32 *out, GLOBAL f64 *out64)
{
    u32 i = global_id(0);
    f32 x = a[i], s = 0.7f;
    f64 y = b[i], t = 0.7;
    for (u32 k = 1; k < 200; k++) {
        s = s * 0.99f + x / (f32)k;
        s = s - __builtin_floorf(s * 0.125f) * 8.0f;
        s = __builtin_fmaf(s, 1.0009765f, -0.001f) + __builtin_sqrtf(__builtin_fabsf(s));
        t = t * 0.99 + y / (f64)k;
        t = t - __builtin_floor(t * 0.125) * 8.0;
        t = __builtin_fma(t, 1.0009765625, -0.001) + __builtin_sqrt(__builtin_fabs(t));
    }
    out[i] = s, out64[i] = t;
}
CASE(float_chain, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { 256 }, .group = { 64 },
     .args = { BUF(F32, 1024), BUF(F64, 2048), BUF(ZERO, 1024), BUF(ZERO, 2048) })

/* SPDX-License-Identifier: MIT
 *
 * Every operator on every integer type, on corners and random values.
 */
#include "kernel.h"

/* Division of the type's least value by -1 is left out: C leaves it undefined. */
#define OPS_UNSIGNED(T, bits)                                          \
    {                                                                  \
        T x = a[i], y = b[i], *o = r;                                  \
        u32 s = (u32)y & (bits - 1);                                   \
        *o++ = (T)(x + y), *o++ = (T)(x - y), *o++ = (T)(x * y);       \
        *o++ = (T)(y ? x / y : 77), *o++ = (T)(y ? x % y : 78);        \
        *o++ = x & y, *o++ = x | y, *o++ = x ^ y, *o++ = (T)~x;        \
        *o++ = (T)(x << s), *o++ = (T)(x >> s), *o++ = (T)-x;          \
        *o++ = x < y ? x : y, *o++ = x > y ? x : y;                    \
        *o++ = (T)((x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 | (x >= y) << 5); \
        *o++ = (T)((T)(x << s) | (T)(x >> ((bits - s) & (bits - 1)))); \
    }
#define OPS_SIGNED(T, U, bits)                                                          \
    {                                                                                   \
        T x = (T)a[i], y = (T)b[i], *o = (T *)r;                                        \
        u32 s = (u32)y & (bits - 1);                                                    \
        int safe = y != 0 && !(y == -1 && x == (T)((U)1 << (bits - 1)));                \
        *o++ = (T)(x + y), *o++ = (T)(x - y), *o++ = (T)(x * y);                        \
        *o++ = (T)(safe ? x / y : 77), *o++ = (T)(safe ? x % y : 78);                   \
        *o++ = (T)(x >> s), *o++ = (T)-x, *o++ = (T)(x < 0 ? -x : x);                   \
        *o++ = x < y ? x : y, *o++ = x > y ? x : y;                                     \
        *o++ = (T)((x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 | (x >= y) << 5); \
        *o++ = (T)__builtin_elementwise_add_sat(x, y), *o++ = (T)__builtin_elementwise_sub_sat(x, y);       \
    }
#define KERNELS(U, S, bits)                                                                   \
    KERNEL void arith_u##bits(GLOBAL const U *a, GLOBAL const U *b, GLOBAL U *out)            \
    {                                                                                         \
        u32 i = global_id(0);                                                                 \
        U r[16];                                                                              \
        OPS_UNSIGNED(U, bits)                                                                 \
        for (u32 k = 0; k < 16; k++)                                                          \
            out[i * 16 + k] = r[k];                                                           \
    }                                                                                         \
    KERNEL void arith_i##bits(GLOBAL const U *a, GLOBAL const U *b, GLOBAL U *out)            \
    {                                                                                         \
        u32 i = global_id(0);                                                                 \
        U r[13];                                                                              \
        OPS_SIGNED(S, U, bits)                                                                \
        for (u32 k = 0; k < 13; k++)                                                          \
            out[i * 16 + k] = r[k];                                                           \
    }

KERNELS(u8, i8, 8)
KERNELS(u16, i16, 16)
KERNELS(u32, i32, 32)
KERNELS(u64, i64, 64)

#define N 1024
#define LAUNCH(k, fill, bytes)                                                          \
    CASE(k, (a[0].p, a[1].p, a[2].p), .grid = { N }, .group = { 128 },                  \
         .args = { BUF(fill, N * bytes), BUF(fill, N * bytes), BUF(ZERO, N * bytes * 16) })
LAUNCH(arith_u8, BITS, 1)
LAUNCH(arith_i8, BITS, 1)
LAUNCH(arith_u16, BITS, 2)
LAUNCH(arith_i16, BITS, 2)
LAUNCH(arith_u32, INT_ANY, 4)
LAUNCH(arith_i32, INT_ANY, 4)
LAUNCH(arith_u64, LONG_ANY, 8)
LAUNCH(arith_i64, LONG_ANY, 8)

/* High halves, wide products, 24-bit and 128-bit arithmetic. */
KERNEL void arith_wide(GLOBAL const u64 *a, GLOBAL const u64 *b, GLOBAL u64 *out)
{
    u32 i = global_id(0);
    u64 x = a[i], y = b[i];
    unsigned __int128 p = (unsigned __int128)x * y;
    __int128 q = (__int128)(i64)x * (i64)y;
    unsigned __int128 big = (unsigned __int128)x << 64 | y;
    u64 carry = x + y < x;
    GLOBAL u64 *o = out + i * 12;
    o[0] = (u64)(p >> 64), o[1] = (u64)p, o[2] = (u64)((unsigned __int128)q >> 64);
    o[3] = (u64)((u32)x) * (u32)y, o[4] = (u64)((i64)(i32)x * (i32)y);
    o[5] = ((u32)x & 0xffffff) * ((u32)y & 0xffffff);
    o[6] = (u64)((i64)((i32)((u32)x << 8) >> 8) * ((i32)((u32)y << 8) >> 8));
    o[7] = carry, o[8] = (u64)(big / ((u32)x | 1)), o[9] = (u64)(big % ((u32)y | 3));
    o[10] = (u64)(big >> (x & 127)), o[11] = (u64)((big << (y & 127)) >> 64);
}
CASE(arith_wide, (a[0].p, a[1].p, a[2].p), .grid = { 512 }, .group = { 64 },
     .args = { BUF(LONG_ANY, 512 * 8), BUF(LONG_ANY, 512 * 8), BUF(ZERO, 512 * 96) })

/* Division by constants: multiplications and shifts the compiler chooses. */
KERNEL void arith_const_division(GLOBAL const u32 *a, GLOBAL u32 *out)
{
    u32 i = global_id(0), x = a[i];
    i32 s = (i32)x;
    GLOBAL u32 *o = out + i * 12;
    o[0] = x / 3, o[1] = x % 7, o[2] = x / 10, o[3] = x / 641, o[4] = x % 1000003;
    o[5] = (u32)(s / 3), o[6] = (u32)(s % 7), o[7] = (u32)(s / -5), o[8] = (u32)(s / 16), o[9] = (u32)(s % 32);
    o[10] = (u32)(((u64)x * 0x100000001u) / 1000000007u), o[11] = (u32)(s / 0x7fffffff);
}
CASE(arith_const_division, (a[0].p, a[1].p), .grid = { 1024 }, .group = { 256 },
     .args = { BUF(INT_ANY, 4096), BUF(ZERO, 1024 * 48) })

/* The same word operations on values that are the same in every lane: the scalar unit. */
KERNEL void arith_uniform(GLOBAL const u32 *a, GLOBAL u32 *out, u32 n, u32 p, i32 q, u64 big, i16 h, u8 c)
{
    u64 acc = big;
    for (u32 k = 0; k < n; k++) {
        u32 x = a[k], y = a[n - 1 - k] ^ p;
        i32 sx = (i32)x, sy = (i32)y;
        acc = acc * 6364136223846793005 + x;
        acc ^= (u64)(sx > sy ? sx - sy : sy - sx) << (y & 31);
        acc += (u64)((i64)sx * q) >> (x & 15);
        acc ^= (u64)__builtin_popcount(x) << 7 | (u64)__builtin_popcountl(acc);
        acc += (u64)(x ? __builtin_clz(x) : 32) + (u64)(y ? __builtin_ctz(y) : 32);
        acc = (acc << (x & 63)) | (acc >> (-x & 63));
        acc ^= (u64)(i64)(i16)y + (u64)(i64)(i8)x + (u64)(i64)h * c;
        acc -= (x & ~y) | ~(x | y) << 3 | ~(x ^ y) >> 5;
        acc += (u64)__builtin_bitreverse32(x) << 32 | __builtin_bitreverse32(y);
        acc += (y >> (x & 31) & ((1u << (y & 15)) - 1));
        if (acc & 1)
            acc += sx < 0 ? big : (u64)(i64)sy;
        if ((acc >> 32 & 0xff) < (y & 0xff))
            acc ^= 0x5bd1e995;
    }
    out[global_id(0)] = (u32)acc, out[global_id(0) + grid_size(0)] = (u32)(acc >> 32);
}
CASE(arith_uniform, (a[0].p, a[1].p, (u32)a[2].u, (u32)a[3].u, (i32)a[4].u, a[5].u, (i16)a[6].u, (u8)a[7].u),
     .grid = { 64 }, .group = { 64 },
     .args = { BUF(INT_ANY, 4096), BUF(ZERO, 512), VAL_U32(1024), VAL_U32(0x9e3779b9), VAL_U32(-12345),
               VAL_U64(0x0123456789abcdef), VAL_U16(-321), VAL_U8(200) })

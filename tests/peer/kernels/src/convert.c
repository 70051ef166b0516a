/* SPDX-License-Identifier: MIT
 *
 * Conversions between all types.  Float to integer only where the value fits:
 * C leaves the rest undefined.
 */
#include "kernel.h"

KERNEL void convert_int_float(GLOBAL const u64 *a, GLOBAL u64 *out)
{
    u32 i = global_id(0);
    u64 x = a[i];
    GLOBAL u64 *o = out + i * 20;
    o[0] = bits_f32((f32)(u8)x), o[1] = bits_f32((f32)(i8)x), o[2] = bits_f32((f32)(u16)x), o[3] = bits_f32((f32)(i16)x);
    o[4] = bits_f32((f32)(u32)x), o[5] = bits_f32((f32)(i32)x), o[6] = bits_f32((f32)x), o[7] = bits_f32((f32)(i64)x);
    o[8] = bits_f64((f64)(u8)x), o[9] = bits_f64((f64)(i16)x), o[10] = bits_f64((f64)(u32)x), o[11] = bits_f64((f64)(i32)x);
    o[12] = bits_f64((f64)x), o[13] = bits_f64((f64)(i64)x);
    o[14] = bits_f16((f16)(u8)x), o[15] = bits_f16((f16)(i8)x), o[16] = bits_f16((f16)((i16)x / 2)), o[17] = bits_f16((f16)((u16)x / 2));
    o[18] = bits_f16((f16)(i32)((i32)x >> 16)), o[19] = bits_f32((f32)(u8)(x >> 8)) ^ bits_f32((f32)(u8)(x >> 24));
}
CASE(convert_int_float, (a[0].p, a[1].p), .grid = { 1024 }, .group = { 64 }, .args = { BUF(LONG_ANY, 8192), BUF(ZERO, 163840) })

KERNEL void convert_float_int(GLOBAL const f32 *a, GLOBAL const f64 *b, GLOBAL const f16 *c, GLOBAL u64 *out)
{
    u32 i = global_id(0);
    f32 x = a[i];
    f64 y = b[i];
    f16 h = c[i];
    GLOBAL u64 *o = out + i * 12;
    o[0] = x > -2147483648.0f && x < 2147483648.0f ? (u64)(i64)(i32)x : 1;
    o[1] = x > -1.0f && x < 4294967296.0f ? (u32)x : 2;
    o[2] = x > -9.2e18f && x < 9.2e18f ? (u64)(i64)x : 3;
    o[3] = x > -1.0f && x < 1.8e19f ? (u64)x : 4;
    o[4] = y > -2147483649.0 && y < 2147483648.0 ? (u64)(i64)(i32)y : 5;
    o[5] = y > -1.0 && y < 4294967296.0 ? (u32)y : 6;
    o[6] = y > -9.2e18 && y < 9.2e18 ? (u64)(i64)y : 7;
    o[7] = y > -1.0 && y < 1.8e19 ? (u64)y : 8;
    o[8] = h > (f16)-60000.0f && h < (f16)60000.0f ? (u64)(i64)(i32)h : 9;
    o[9] = h > (f16)-1.0f && h < (f16)60000.0f ? (u16)h : 10;
    o[10] = x > -129.0f && x < 128.0f ? (u64)(i64)(i8)x : 11;
    o[11] = x > -1.0f && x < 65536.0f ? (u16)x : 12;
}
CASE(convert_float_int, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { 2048 }, .group = { 256 },
     .args = { BUF(F32_ANY, 8192), BUF(F64_ANY, 16384), BUF(F16_ANY, 4096), BUF(ZERO, 2048 * 96) })

KERNEL void convert_float_float(GLOBAL const f32 *a, GLOBAL const f64 *b, GLOBAL const f16 *c, GLOBAL u64 *out)
{
    u32 i = global_id(0);
    f32 x = a[i];
    f64 y = b[i];
    f16 h = c[i];
    GLOBAL u64 *o = out + i * 8;
    o[0] = bits_f64(canon_f64((f64)x)), o[1] = bits_f32(canon_f32((f32)y)), o[2] = bits_f32(canon_f32((f32)h));
    o[3] = bits_f16(canon_f16((f16)x)), o[4] = bits_f16(canon_f16((f16)y)), o[5] = bits_f64(canon_f64((f64)h));
    /* A product that is rounded to f16 at once becomes v_fma_mixlo with +0 as addend, which loses the sign of a zero:
     * hence + 0.0f here and below. */
    /* values near those that f16 and f32 can hold, rounding both ways */
    o[6] = bits_f16(canon_f16((f16)((f32)h * 1.00048828125f + 0.0f)));
    o[7] = bits_f32(canon_f32((f32)((f64)x * (1.0 + 0x1p-24))));
}
CASE(convert_float_float, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { 2048 }, .group = { 256 },
     .args = { BUF(F32_ANY, 8192), BUF(F64_ANY, 16384), BUF(F16_ANY, 4096), BUF(ZERO, 2048 * 64) })

/* All 65536 halves. */
KERNEL void convert_all_halves(GLOBAL u32 *out)
{
    u32 i = global_id(0);
    f16 h = f16_bits((u16)i);
    f32 f = canon_f32((f32)h);
    out[i] = bits_f32(f) ^ (u32)bits_f16(canon_f16((f16)(f * 0.3333f + 0.0f))) ^ (u32)bits_f16(canon_f16(h * h + (f16)1)) << 16;
}
CASE(convert_all_halves, (a[0].p), .grid = { 65536 }, .group = { 256 }, .args = { BUF(ZERO, 262144) })

/* Sign and zero extension, truncation, bytes in and out of words. */
KERNEL void convert_bytes(GLOBAL const u8 *in, GLOBAL u32 *out, GLOBAL u8 *bytes)
{
    u32 i = global_id(0);
    GLOBAL const u8 *p = in + i * 16;
    i8 s = (i8)p[0];
    i16 t = (i16)(p[1] | p[2] << 8);
    u32 w = p[3] | (u32)p[4] << 8 | (u32)p[5] << 16 | (u32)p[6] << 24;
    i64 l = (i64)((u64)w << 32 | p[7]);
    out[i * 4] = (u32)(s + t), out[i * 4 + 1] = (u32)(l >> 29) + (u32)(i32)s, out[i * 4 + 2] = (u32)(i64)(i16)(w >> (s & 31)) + p[8];
    out[i * 4 + 3] = (u32)(i32)(i8)(w >> 13) ^ (u32)(u16)(l >> 31);
    bytes[i * 3] = (u8)(w >> 5), bytes[i * 3 + 1] = (u8)(t * s), bytes[i * 3 + 2] = (u8)(l >> 37);
}
CASE(convert_bytes, (a[0].p, a[1].p, a[2].p), .grid = { 500 }, .group = { 100 },
     .args = { BUF(BITS, 8000), BUF(ZERO, 8000), BUF(ZERO, 1500) })

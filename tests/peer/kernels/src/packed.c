/* SPDX-License-Identifier: MIT
 *
 * Short vectors: packed halves and shorts, bytes, wide loads and stores of every width.
 */
#include "kernel.h"

KERNEL void packed_shorts(GLOBAL const u16x2 *a, GLOBAL const u16x2 *b, GLOBAL u16x2 *out)
{
    u32 i = global_id(0);
    u16x2 x = a[i], y = b[i], s = y & (u16)15;
    i16x2 p = __builtin_bit_cast(i16x2, x), q = __builtin_bit_cast(i16x2, y);
    GLOBAL u16x2 *o = out + i * 14;
    o[0] = x + y, o[1] = x - y, o[2] = x * y, o[3] = x << s, o[4] = x >> s, o[5] = x * y + s;
    o[6] = __builtin_bit_cast(u16x2, (i16x2)(p >> __builtin_bit_cast(i16x2, s)));
    o[7] = __builtin_elementwise_min(x, y), o[8] = __builtin_elementwise_max(x, y);
    o[9] = __builtin_bit_cast(u16x2, __builtin_elementwise_min(p, q)), o[10] = __builtin_bit_cast(u16x2, __builtin_elementwise_max(p, q));
    o[11] = __builtin_elementwise_add_sat(x, y), o[12] = __builtin_elementwise_sub_sat(x, y);
    o[13] = __builtin_bit_cast(u16x2, __builtin_elementwise_add_sat(p, q)).yx + x.y;
}
CASE(packed_shorts, (a[0].p, a[1].p, a[2].p), .grid = { 1024 }, .group = { 64 },
     .args = { BUF(INT_ANY, 4096), BUF(INT_ANY, 4096), BUF(ZERO, 4096 * 14) })

static inline f16x2 canon2(f16x2 v) { return (f16x2){ canon_f16(v.x), canon_f16(v.y) }; }
KERNEL void packed_halves(GLOBAL const f16x2 *a, GLOBAL const f16x2 *b, GLOBAL f16x2 *out)
{
    u32 i = global_id(0);
    f16x2 x = a[i], y = b[i];
    GLOBAL f16x2 *o = out + i * 8;
    o[0] = canon2(x + y), o[1] = canon2(x - y), o[2] = canon2(x * y), o[3] = canon2(-x * y + y);
    o[4] = canon2(x.yx + y), o[5] = canon2(x.xx * y.yx), o[6] = canon2(x * (f16)0.5f + (f16)3), o[7] = canon2(x / y);
}
CASE(packed_halves, (a[0].p, a[1].p, a[2].p), .grid = { 1024 }, .group = { 64 },
     .args = { BUF(F16_ANY, 4096), BUF(F16_ANY, 4096), BUF(ZERO, 4096 * 8) })

/* Pairs of floats: packed f32 instructions where the processor has them. */
KERNEL void packed_floats(GLOBAL const f32x2 *a, GLOBAL const f32x2 *b, GLOBAL f32x2 *out)
{
    u32 i = global_id(0);
    f32x2 x = a[i], y = b[i], r[5];
    r[0] = x + y, r[1] = x * y, r[2] = x - y.yx, r[3] = x * y.xx + x.yy;
    r[4] = (f32x2){ __builtin_fmaf(x.x, y.y, x.y), __builtin_fmaf(x.y, y.x, -x.x) };
    for (u32 k = 0; k < 5; k++)
        out[i * 5 + k] = (f32x2){ canon_f32(r[k].x), canon_f32(r[k].y) };
}
CASE(packed_floats, (a[0].p, a[1].p, a[2].p), .grid = { 512 }, .group = { 64 },
     .args = { BUF(F32_ANY, 4096), BUF(F32_ANY, 4096), BUF(ZERO, 4096 * 5) })

/* Sums of byte products and absolute differences, as image code has them. */
KERNEL void packed_bytes(GLOBAL const u8x4 *a, GLOBAL const u8x4 *b, GLOBAL u32 *out)
{
    u32 i = global_id(0), sad = i, dotu = i;
    i32 doti = (i32)i;
    u8x4 x = a[i], y = b[i], avg;
    for (u32 k = 0; k < 4; k++) {
        sad += x[k] > y[k] ? x[k] - y[k] : y[k] - x[k];
        dotu += x[k] * y[k];
        doti += (i8)x[k] * (i8)y[k];
        avg[k] = (u8)((x[k] + y[k] + 1) >> 1);
    }
    GLOBAL u32 *o = out + i * 6;
    o[0] = sad, o[1] = dotu, o[2] = (u32)doti, o[3] = __builtin_bit_cast(u32, avg);
    o[4] = __builtin_bit_cast(u32, (u8x4)(x + y)), o[5] = __builtin_bit_cast(u32, (u8x4)__builtin_shufflevector(x, y, 6, 1, 3, 4));
}
CASE(packed_bytes, (a[0].p, a[1].p, a[2].p), .grid = { 512 }, .group = { 128 },
     .args = { BUF(BITS, 2048), BUF(BITS, 2048), BUF(ZERO, 512 * 24) })

LDS u32 staged[64 * 16];
/* 64, 96 and 128 bits at once, global and LDS, strided and mixed. */
KERNEL void packed_wide(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 lid = local_id(0), i = global_id(0);
    GLOBAL const u32x4 *p4 = (GLOBAL const u32x4 *)in;
    u32x4 v = p4[i], w = p4[i ^ 5];
    u32x2 h = ((GLOBAL const u32x2 *)in)[i + 3];
    u32x3 t = { v.x + h.x, w.y ^ h.y, v.z };
    *(LOCAL u32x4 *)&staged[lid * 16] = v + w;
    *(LOCAL u32x2 *)&staged[lid * 16 + 4] = h;
    *(LOCAL u32x3 *)&staged[lid * 16 + 8] = t;
    /* a vector of three may be stored as one of four */
    staged[lid * 16 + 11] = lid ^ 9, staged[lid * 16 + 6] = lid, staged[lid * 16 + 7] = i, staged[lid * 16 + 12] = v.w;
    staged[lid * 16 + 13] = w.x, staged[lid * 16 + 14] = ~w.x, staged[lid * 16 + 15] = 3;
    barrier();
    u32 q = (lid * 7 + 1) & 63;
    u32x4 r = *(LOCAL u32x4 *)&staged[q * 16 + 8];
    u32x2 far0 = *(LOCAL u32x2 *)&staged[q * 16], far1 = *(LOCAL u32x2 *)&staged[(q ^ 32) * 16 + 12];
    u32x3 mid = *(LOCAL u32x3 *)&staged[q * 16 + 4];
    *(GLOBAL u32x4 *)(out + i * 16) = r.wzyx;
    *(GLOBAL u32x2 *)(out + i * 16 + 4) = far0 + far1;
    *(GLOBAL u32x3 *)(out + i * 16 + 8) = mid * 3;
    out[i * 16 + 11] = i, out[i * 16 + 12] = staged[(q + lid) & 1023];
}
CASE(packed_wide, (a[0].p, a[1].p), .grid = { 256 }, .group = { 64 }, .args = { BUF(BITS, 4096), BUF(ZERO, 16384) })

/* Loads and stores of bytes and shorts into parts of registers; addresses that are not aligned. */
struct __attribute__((packed)) odd { u8 a; u32 b; u16 c; u64 d; u8 e; };
KERNEL void packed_unaligned(GLOBAL const u8 *in, GLOBAL struct odd *out, GLOBAL u16 *halves)
{
    u32 i = global_id(0);
    struct odd o;
    __builtin_memcpy(&o, in + i, sizeof o);
    o.b += o.c, o.d ^= (u64)o.b << 13, o.a += (u8)(i8)o.e, o.c = (u16)(o.c << 8 | o.e);
    out[i] = o;
    i16 s = (i16)(in[i] << 8 | in[i + 1]);
    halves[2 * i] = (u16)(s >> 3), halves[2 * i + 1] = (u16)((i8)in[i + 2] * 3);
}
CASE(packed_unaligned, (a[0].p, a[1].p, a[2].p), .grid = { 300 }, .group = { 60 },
     .args = { BUF(BITS, 320), BUF(ZERO, 300 * 16), BUF(ZERO, 1200) })

/* Structures by value among the arguments, and arguments of every size. */
struct settings { u8 a; f32 b; u16 c[3]; u64 d; f64 e; } __attribute__((aligned(16)));
KERNEL void packed_arguments(u8 b, GLOBAL u64 *out, struct settings s, u16 h, u32 w, i64 l, f32 f, f64 d)
{
    u32 i = global_id(0);
    u64 r = (b + i) * 3 + s.a + bits_f32(s.b) + s.c[i % 3] + s.d * i + bits_f64(s.e) + h;
    out[i] = r * 31 + w + (u64)(l >> (i & 31)) + bits_f32(f * (f32)i) + bits_f64(d + i);
}
#ifndef __AMDGCN__
static const struct settings some_settings = { 7, 1.5f, { 1, 500, 65000 }, 0x1234567890, -2.25 };
#endif
CASE(packed_arguments, ((u8)a[0].u, a[1].p, *(const struct settings *)a[2].p, (u16)a[3].u, (u32)a[4].u, (i64)a[5].u, a[6].f, a[7].d),
     .grid = { 100 }, .group = { 50 },
     .args = { VAL_U8(250), BUF(ZERO, 800), VAL_BYTES(some_settings), VAL_U16(60000), VAL_U32(0xdeadbeef),
               VAL_U64(-123456789012345), VAL_F32(0x40490fdb), VAL_F64(0x400921fb54442d18) })

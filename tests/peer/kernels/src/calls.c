/* SPDX-License-Identifier: MIT
 *
 * Functions: many arguments, structures by value, recursion, pointers to
 * functions that differ between lanes, variable arguments.
 */
#include "kernel.h"

#include <stdarg.h>

struct pair { u64 a; u32 b; f32 c; };
struct big { u32 w[20]; };

static NOINLINE u32 many(u32 a, u64 b, u8 c, i16 d, f32 e, f64 f, u32 g, u32 h, u64 i, u32 j, u32 k, u32 l, u32 m, u64 n,
                         u32 o, u32 p, u32 q, u32 r, u32 s, u32 t, u32 u, u32 v, u32 w, u32 x, u64 y, u8 z,
                         u32 a2, u32 b2, u32 c2, u32 d2, u32 e2, u32 f2, u32 g2, u32 h2, u16 i2, u32 j2)
{
    u64 sum = a + b * 3 + c * 5 + (u64)(i64)d * 7 + bits_f32(e) + bits_f64(f) * 11 + g * 13 + h;
    sum = sum * 31 + i + j * 17 + k * 19 + l + m + n * 23 + o + p + q * 29 + r + s + t + u * 37 + v + w + x + y * 41 + z;
    return (u32)(sum ^ sum >> 32) + a2 + b2 * 3 + c2 + d2 * 5 + e2 + f2 + g2 * 7 + h2 + i2 * 9 + j2;
}
static NOINLINE struct pair swap_pair(struct pair p, u32 n)
{
    struct pair r = { p.b + n, (u32)(p.a >> 7), p.c * 2.0f };
    return r;
}
static NOINLINE struct big mix_big(struct big x, u32 n)
{
    for (u32 i = 0; i < 20; i++)
        x.w[i] = x.w[(i * 7 + n) % 20] * 3 + i;
    return x;
}
KERNEL void calls_arguments(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), v = in[i];
    struct pair p = { v * 0x100000001ull, v ^ 77, (f32)(v >> 8) };
    struct big b;
    for (u32 k = 0; k < 20; k++)
        b.w[k] = v + k * k;
    p = swap_pair(swap_pair(p, v), 3);
    b = mix_big(mix_big(b, 3), v & 15);
    u32 r = many(v, v * 3ull, (u8)v, (i16)v, (f32)v, (f64)v, 1, v, 2, 3, v, 4, 5, v * 9ull, 6, 7, v, 8, 9, 10, 11, v, 12, 13, v, (u8)(v >> 9),
                 1, v, 3, 4, v, 6, 7, 8, (u16)v, 10);
    out[i] = r ^ (u32)p.a ^ p.b ^ bits_f32(p.c) ^ b.w[3] ^ b.w[19] << 1;
}
CASE(calls_arguments, (a[0].p, a[1].p), .grid = { 256 }, .group = { 128 }, .args = { BUF(BITS, 1024), BUF(ZERO, 1024) })

static NOINLINE u32 fib(u32 n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
static NOINLINE u32 ackermann(u32 m, u32 n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static NOINLINE int is_odd(u32 n);
static NOINLINE int is_even(u32 n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}
static NOINLINE int is_odd(u32 n)
{
    return n == 0 ? 0 : is_even(n - 1);
}
static NOINLINE u32 hanoi(u32 n, u32 from, u32 to, u32 via)
{
    if (n == 0)
        return 0;
    u32 moves = hanoi(n - 1, from, via, to);
    return hanoi(n - 1, via, to, from) * 3 + moves + from * 4 + to;
}
KERNEL void calls_recursion(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), n = in[i];
    out[i * 4] = fib(n % 9), out[i * 4 + 1] = ackermann(n & 1, n % 7);
    out[i * 4 + 2] = (u32)is_even(n % 19), out[i * 4 + 3] = hanoi(n % 6, 0, 1, 2);
}
CASE(calls_recursion, (a[0].p, a[1].p), .grid = { 192 }, .group = { 96 }, .args = { BUF(BITS, 768), BUF(ZERO, 3072) })

static NOINLINE u32 op_add(u32 a, u32 b) { return a + b; }
static NOINLINE u32 op_xor(u32 a, u32 b) { return a ^ b << 1; }
static NOINLINE u32 op_mul(u32 a, u32 b) { return a * (b | 1); }
static NOINLINE u32 op_rot(u32 a, u32 b) { return a << (b & 31) | a >> (-b & 31); }
static NOINLINE u32 op_fib(u32 a, u32 b) { return a + fib(b % 7); }
typedef u32 binary(u32, u32);
static binary *const table[] = { op_add, op_xor, op_mul, op_rot, op_fib };

static NOINLINE u32 apply(binary *f, u32 a, u32 b, u32 times)
{
    while (times--)
        a = f(a, b + times);
    return a;
}
KERNEL void calls_pointers(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), v = in[i], r = i;
    for (u32 k = 0; k < 6; k++)
        r = apply(table[(v >> k * 3 & 7) % 5], r, v + k, 1 + (v >> (20 + k) & 1));
    if (i % 3 == 0)
        r = table[(i / 3) % 5](r, v);
    out[i] = r;
}
CASE(calls_pointers, (a[0].p, a[1].p), .grid = { 256 }, .group = { 64 }, .args = { BUF(BITS, 1024), BUF(ZERO, 1024) })

static NOINLINE u64 sum_of(u32 count, ...)
{
    va_list ap;
    u64 sum = 0;
    va_start(ap, count);
    for (u32 k = 0; k < count; k++) {
        switch (k % 3) {
        case 0: sum += va_arg(ap, u32); break;
        case 1: sum = sum * 3 + va_arg(ap, u64); break;
        default: sum ^= bits_f64(va_arg(ap, f64)); break;
        }
    }
    va_end(ap);
    return sum;
}
KERNEL void calls_varargs(GLOBAL const u32 *in, GLOBAL u64 *out)
{
    u32 i = global_id(0), v = in[i];
    out[i] = sum_of(v % 7, v, (u64)v << 20, (f64)v, v + 1, (u64)v * v, 0.5 * v) + sum_of(1, 5);
}
CASE(calls_varargs, (a[0].p, a[1].p), .grid = { 128 }, .group = { 64 }, .args = { BUF(BITS, 512), BUF(ZERO, 1024) })

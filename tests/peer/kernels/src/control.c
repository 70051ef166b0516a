/* SPDX-License-Identifier: MIT
 *
 * Control flow that work-items take differently.
 */
#include "kernel.h"

KERNEL void control_collatz(GLOBAL const u32 *in, GLOBAL u32 *steps, GLOBAL u64 *peak)
{
    u32 i = global_id(0), n = 0;
    u64 x = in[i] | 1, top = x;
    while (x != 1 && n < 2000) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        if (x > top)
            top = x;
        n++;
    }
    steps[i] = n, peak[i] = top;
}
CASE(control_collatz, (a[0].p, a[1].p, a[2].p), .grid = { 1000 }, .group = { 250 },
     .args = { BUF_BELOW(1000000, 4000), BUF(ZERO, 4000), BUF(ZERO, 8000) })

/* A little machine: dense switch, sparse switch, early return. */
KERNEL void control_switch(GLOBAL const u32 *code, GLOBAL u32 *out, u32 count)
{
    u32 i = global_id(0), acc = i, other = 0x1234567;
    for (u32 pc = i % 17; pc < count; pc++) {
        u32 op = code[pc] + i;
        switch (op % 12) {
        case 0: acc += op; break;
        case 1: acc ^= op << 3; /* falls through */
        case 2: acc -= 7; break;
        case 3: acc = acc << 5 | acc >> 27; break;
        case 4: { u32 t = acc; acc = other, other = t; break; }
        case 5: pc += acc & 3; break;
        case 6: acc *= 0x9e3779b1; break;
        case 7: if (acc & 0x100) continue; acc |= 0x100; break;
        case 8: other += acc; break;
        case 9: if ((acc & 0xfff) == 0x123) { out[i] = acc; return; } break;
        default: acc = ~acc; break;
        }
        switch (acc & 0xffff) {
        case 3: case 77: case 1024: acc += 1; break;
        case 40000: acc += 2; break;
        case 65535: acc = 0; break;
        default: if (acc == 0xdeadbeef) return;
        }
    }
    out[i] = acc ^ other;
}
CASE(control_switch, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 512 }, .group = { 192 },
     .args = { BUF(BITS, 1200), BUF(ZERO, 2048), VAL_U32(300) })

/* Nested loops with break and continue out of several levels, and goto into a tail. */
KERNEL void control_nested(GLOBAL const u32 *in, GLOBAL u32 *out, u32 n)
{
    u32 i = global_id(0), sum = 0;
    if (i >= n)
        return;
    u32 limit = in[i] % 23 + 3;
    for (u32 a = 0; a < limit; a++) {
        for (u32 b = a; b < limit; b += 1 + (in[b] & 1)) {
            u32 c = 0;
            do {
                if (((a * b + c) ^ i) % 13 == 5)
                    goto next_a;
                if ((a + b + c) % 7 == i % 7)
                    continue;
                if (sum > 100000)
                    goto done;
                sum += a * 31 + b * 7 + c;
            } while (++c < (i & 7));
            if (sum % 11 == 10)
                break;
        }
        sum = sum * 3 + 1;
    next_a:
        sum ^= a << 4;
    }
done:
    out[i] = sum;
}
CASE(control_nested, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 640 }, .group = { 64 },
     .args = { BUF(BITS, 2400), BUF(ZERO, 2400), VAL_U32(600) })

/* Short-circuit chains, ternaries, and a loop whose bounds differ in each lane. */
KERNEL void control_predicates(GLOBAL const i32 *a, GLOBAL const f32 *f, GLOBAL u32 *out)
{
    u32 i = global_id(0), r = 0;
    i32 x = a[i], y = a[i ^ 1], z = a[i ^ 3];
    f32 p = f[i], q = f[i ^ 2];
    r |= (u32)((x > 0 && y > 0) || (z < 0 && x != y));
    r |= (u32)(p < q && !(p < 0) && q != p) << 1;
    r |= (u32)((x < y ? y < z : z < y) ? (p > 1.0f || q > 1.0f) : (p < -1.0f)) << 2;
    r |= (u32)(!(p >= q) || x == 7) << 3;
    for (i32 k = x & 15; k < (y & 31); k++)
        if (z & (1 << k) && (k & 1 || p > (f32)k))
            r += 16;
    for (u32 k = 0; r & 0x80 && k < 5; k++)
        r = r * 5 + 3;
    out[i] = r;
}
CASE(control_predicates, (a[0].p, a[1].p, a[2].p), .grid = { 1024 }, .group = { 128 },
     .args = { BUF(INT_ANY, 4096), BUF(F32_ANY, 4096), BUF(ZERO, 4096) })

/* N queens by bit masks with an explicit stack: deep divergence. */
KERNEL void control_queens(GLOBAL u32 *out, u32 n)
{
    u32 i = global_id(0), all = (1u << n) - 1, count = 0, depth = 0;
    u32 cols[10], left[10], right[10], open[10];
    u32 first = 1u << (i % n), second = 1u << (i / n % n);
    cols[0] = first | second, left[0] = (first << 1 | second) << 1, right[0] = (first >> 1 | second) >> 1;
    if (second & (first | first << 1 | first >> 1)) {
        out[i] = 0;
        return;
    }
    open[0] = all & ~(cols[0] | left[0] | right[0]);
    for (;;) {
        if (open[depth] == 0) {
            if (depth == 0)
                break;
            depth--;
            continue;
        }
        u32 bit = open[depth] & -open[depth];
        open[depth] ^= bit;
        u32 c = cols[depth] | bit;
        if (c == all) {
            count++;
            continue;
        }
        u32 l = (left[depth] | bit) << 1, r = (right[depth] | bit) >> 1;
        depth++;
        cols[depth] = c, left[depth] = l, right[depth] = r, open[depth] = all & ~(c | l | r);
    }
    out[i] = count;
}
CASE(control_queens, (a[0].p, (u32)a[1].u), .grid = { 64 }, .group = { 64 }, .args = { BUF(BITS, 256), VAL_U32(8) })

/* SPDX-License-Identifier: MIT
 *
 * Integer programs: primes, big numbers, random numbers, bits, graphs, automata.
 */
#include "kernel.h"

/* Sieve in global memory: marking is idempotent, so its order does not matter. */
KERNEL void integer_sieve(GLOBAL u8 *composite, GLOBAL u32 *count, u32 n)
{
    u32 lid = local_id(0);
    for (u32 p = 2; p * p < n; p++) {
        if (!composite[p])
            for (u32 k = p * p + lid * p; k < n; k += group_size(0) * p)
                composite[k] = 1;
        barrier();
    }
    u32 mine = 0;
    for (u32 k = 2 + lid; k < n; k += group_size(0))
        mine += !composite[k];
    ATOMIC_ADD(count, mine);
}
CASE(integer_sieve, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 256 }, .group = { 256 },
     .args = { BUF(ZERO, 8000), BUF(ZERO, 4), VAL_U32(8000) })

/* 512-bit products and remainders by schoolbook methods in 32-bit limbs. */
KERNEL void integer_big(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), a[8], b[8], p[16];
    for (u32 k = 0; k < 8; k++)
        a[k] = in[i * 16 + k], b[k] = in[i * 16 + 8 + k];
    for (u32 k = 0; k < 16; k++)
        p[k] = 0;
    for (u32 x = 0; x < 8; x++) {
        u64 carry = 0;
        for (u32 y = 0; y < 8; y++) {
            carry += (u64)a[x] * b[y] + p[x + y];
            p[x + y] = (u32)carry, carry >>= 32;
        }
        p[x + 8] = (u32)carry;
    }
    u64 rest = 0;
    u32 d = b[0] | 1;
    for (u32 k = 16; k-- > 0;) {
        rest = rest << 32 | p[k];
        p[k] = (u32)(rest / d), rest %= d;
    }
    for (u32 k = 0; k < 16; k++)
        out[i * 17 + k] = p[k];
    out[i * 17 + 16] = (u32)rest;
}
CASE(integer_big, (a[0].p, a[1].p), .grid = { 128 }, .group = { 64 }, .args = { BUF(BITS, 8192), BUF(ZERO, 128 * 68) })

/* Powers modulo an odd 63-bit number, through 128-bit products; Miller and Rabin's test. */
static u64 mul_mod(u64 a, u64 b, u64 m) { return (u64)((unsigned __int128)a * b % m); }
static u64 pow_mod(u64 b, u64 e, u64 m)
{
    u64 r = 1;
    for (b %= m; e; e >>= 1, b = mul_mod(b, b, m))
        if (e & 1)
            r = mul_mod(r, b, m);
    return r;
}
KERNEL void integer_primality(GLOBAL const u32 *in, GLOBAL u64 *out)
{
    u32 i = global_id(0);
    u64 n = (in[i] >> (i & 15)) | 1, d = n - 1, prime = n > 2;
    u32 s = 0;
    for (; d && !(d & 1); d >>= 1)
        s++;
    for (u64 base = 2; base < 8 && n > 8 && prime; base += base == 2 ? 1 : 2) {
        u64 x = pow_mod(base, d, n);
        if (x == 1 || x == n - 1)
            continue;
        u32 r = 1;
        for (; r < s && x != n - 1; r++)
            x = mul_mod(x, x, n);
        prime = x == n - 1;
    }
    out[i] = prime << 63 ^ pow_mod(in[i], 0x10001, 0x1fffffffffffffff);
}
CASE(integer_primality, (a[0].p, a[1].p), .grid = { 128 }, .group = { 64 }, .args = { BUF(BITS, 512), BUF(ZERO, 1024) })

/* Five generators; a Mersenne twister in private memory among them. */
KERNEL void integer_random(GLOBAL u64 *out, u32 rounds)
{
    u32 i = global_id(0), xs = i + 1, mt[64];
    u64 pcg = i * 2 + 1, split = i, lcg = i, acc = 0;
    u32 ph[4] = { i, 1, 2, 3 }, key[2] = { 0xdeadbeef, i };
    mt[0] = i + 5;
    for (u32 k = 1; k < 64; k++)
        mt[k] = 1812433253 * (mt[k - 1] ^ mt[k - 1] >> 30) + k;
    for (u32 r = 0; r < rounds; r++) {
        xs ^= xs << 13, xs ^= xs >> 17, xs ^= xs << 5;
        u64 old = pcg;
        pcg = old * 6364136223846793005 + (i | 1);
        u32 x = (u32)((old >> 18 ^ old) >> 27), rot = (u32)(old >> 59);
        acc += x >> rot | x << (-rot & 31);
        split += 0x9e3779b97f4a7c15;
        u64 z = (split ^ split >> 30) * 0xbf58476d1ce4e5b9;
        acc ^= (z ^ z >> 27) * 0x94d049bb133111eb;
        lcg = lcg * 2862933555777941757 + 3037000493;
        u64 p0 = (u64)ph[0] * 0xd2511f53, p1 = (u64)ph[2] * 0xcd9e8d57;
        u32 n0 = (u32)(p1 >> 32) ^ ph[1] ^ key[0], n2 = (u32)(p0 >> 32) ^ ph[3] ^ key[1];
        ph[1] = (u32)p1, ph[3] = (u32)p0, ph[0] = n0, ph[2] = n2, key[0] += 0x9e3779b9, key[1] += 0xbb67ae85;
        u32 y = (mt[r & 63] & 0x80000000) | (mt[(r + 1) & 63] & 0x7fffffff);
        mt[r & 63] = mt[(r + 37) & 63] ^ y >> 1 ^ (y & 1 ? 0x9908b0df : 0);
        acc = acc * 3 + xs + (lcg >> 33) + ph[0] + mt[r & 63];
    }
    out[i] = acc;
}
CASE(integer_random, (a[0].p, (u32)a[1].u), .grid = { 256 }, .group = { 64 }, .args = { BUF(ZERO, 2048), VAL_U32(100) })

KERNEL void integer_bits(GLOBAL const u64 *in, GLOBAL u64 *out)
{
    u32 i = global_id(0);
    u64 x = in[i], y = in[i ^ 1];
    u32 w = (u32)x, v = (u32)y;
    GLOBAL u64 *o = out + i * 20;
    o[0] = (u64)__builtin_popcount(w) | (u64)__builtin_popcountl(x) << 8;
    o[1] = (u64)(w ? __builtin_clz(w) : 32) | (u64)(x ? __builtin_clzl(x) : 64) << 8;
    o[2] = (u64)(w ? __builtin_ctz(w) : 32) | (u64)(x ? __builtin_ctzl(x) : 64) << 8;
    o[3] = __builtin_bitreverse32(w) | (u64)__builtin_bitreverse16((u16)w) << 32 | (u64)__builtin_bitreverse8((u8)w) << 48;
    o[4] = __builtin_bitreverse64(x), o[5] = (u64)__builtin_bswap32(w) << 32 | __builtin_bswap32((u32)(x >> 32)), o[6] = __builtin_bswap32(w) | (u64)__builtin_bswap16((u16)w) << 32;
    o[7] = (u64)__builtin_rotateleft32(w, v) | (u64)__builtin_rotateright32(v, w) << 32;
    o[8] = __builtin_rotateleft64(x, y), o[9] = (u32)(x >> (v & 31));
    o[10] = (w >> (v & 31)) & ((1u << (v >> 8 & 31)) - 1);
    o[11] = (u64)(i64)((i32)(w << (v & 31)) >> (v >> 8 & 31));
    o[12] = (w & 0x00ff00ff) << 8 | (w >> 8 & 0x00ff00ff), o[13] = (w & v) | (~w & 0x5a5a5a5a);
    o[14] = (u64)(__builtin_clrsb((i32)w)) | (u64)__builtin_parity(v) << 8 | (u64)__builtin_ffs((i32)w) << 16;
    o[15] = x & -x, o[16] = x & (x - 1), o[17] = x ^ (x >> 1), o[18] = ((w ^ v) & ~(w & 0xff00)) ^ ((w & v) | (w & 0xf) | (v & 0xf0));
    u64 m = (w | (u64)w << 16) & 0x0000ffff0000ffff; /* Morton */
    m = (m | m << 8) & 0x00ff00ff00ff00ff, m = (m | m << 4) & 0x0f0f0f0f0f0f0f0f;
    m = (m | m << 2) & 0x3333333333333333, m = (m | m << 1) & 0x5555555555555555;
    o[19] = m;
}
CASE(integer_bits, (a[0].p, a[1].p), .grid = { 512 }, .group = { 128 }, .args = { BUF(LONG_ANY, 4096), BUF(ZERO, 512 * 160) })

/* Life on a torus, several generations in LDS. */
LDS u8 cells[2][32][32];
KERNEL void integer_life(GLOBAL const u8 *in, GLOBAL u8 *out, u32 generations)
{
    u32 x = local_id(0), y0 = local_id(1), side = 0, g = group_id(0);
    for (u32 y = y0; y < 32; y += group_size(1))
        cells[0][y][x] = in[g * 1024 + y * 32 + x] & 1;
    for (u32 n = 0; n < generations; n++, side ^= 1) {
        barrier();
        for (u32 y = y0; y < 32; y += group_size(1)) {
            u32 sum = 0;
            for (u32 k = 0; k < 9; k++)
                sum += k == 4 ? 0 : cells[side][(y + k / 3 + 31) & 31][(x + k % 3 + 31) & 31];
            cells[side ^ 1][y][x] = sum == 3 || (sum == 2 && cells[side][y][x]);
        }
    }
    barrier();
    for (u32 y = y0; y < 32; y += group_size(1))
        out[g * 1024 + y * 32 + x] = cells[side][y][x];
}
CASE(integer_life, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 64, 8 }, .group = { 32, 8 },
     .args = { BUF(BITS, 2048), BUF(BITS, 2048), VAL_U32(9) })

/* All shortest paths (Floyd and Warshall) in one group, and reachability as bit sets. */
LDS u32 dist[32][32];
LDS u32 reach[32];
KERNEL void integer_paths(GLOBAL const u32 *w, GLOBAL u32 *out, GLOBAL u32 *closure)
{
    u32 x = local_id(0), y = local_id(1), g = group_id(0);
    u32 v = w[(g * 32 + y) * 32 + x];
    dist[y][x] = x == y ? 0 : v % 5 ? 1000000 : v % 997 + 1;
    if (y == 0)
        reach[x] = 1u << x;
    barrier();
    if (dist[y][x] < 1000000)
        ATOMIC_OR(&reach[y], 1u << x);
    for (u32 k = 0; k < 32; k++) {
        barrier();
        u32 through = dist[y][k] + dist[k][x];
        u32 row = reach[y], add = reach[k];
        barrier();
        if (through < dist[y][x])
            dist[y][x] = through;
        if (x == 0 && row >> k & 1)
            reach[y] = row | add;
    }
    barrier();
    out[(g * 32 + y) * 32 + x] = dist[y][x];
    if (x == 0)
        closure[g * 32 + y] = reach[y];
}
CASE(integer_paths, (a[0].p, a[1].p, a[2].p), .grid = { 32, 64 }, .group = { 32, 32 },
     .args = { BUF(BITS, 8192), BUF(ZERO, 8192), BUF(ZERO, 256) })

/* The greatest common divisor two ways, and inverses by the extended one. */
KERNEL void integer_gcd(GLOBAL const u64 *in, GLOBAL u64 *out)
{
    u32 i = global_id(0);
    u64 a = in[2 * i] >> 3, b = in[2 * i + 1] >> 5, x = a, y = b;
    while (y) {
        u64 t = x % y;
        x = y, y = t;
    }
    u64 p = a, q = b;
    if (p && q) {
        u32 shift = (u32)__builtin_ctzl(p | q);
        p >>= __builtin_ctzl(p);
        while (q) {
            q >>= __builtin_ctzl(q);
            if (p > q) {
                u64 t = p;
                p = q, q = t;
            }
            q -= p;
        }
        p <<= shift;
    } else {
        p |= q;
    }
    i64 r0 = 1000000007, r1 = (i64)(a % 1000000007), s0 = 0, s1 = 1;
    while (r1) {
        i64 f = r0 / r1, t = r0 - f * r1;
        r0 = r1, r1 = t, t = s0 - f * s1, s0 = s1, s1 = t;
    }
    out[i * 3] = x, out[i * 3 + 1] = p ^ x, out[i * 3 + 2] = (u64)(s0 < 0 ? s0 + 1000000007 : s0);
}
CASE(integer_gcd, (a[0].p, a[1].p), .grid = { 192 }, .group = { 64 }, .args = { BUF(LONG_ANY, 3072), BUF(BITS, 192 * 24) })

/* A small stack machine that runs programs from memory: data-dependent everything. */
KERNEL void integer_machine(GLOBAL const u8 *program, GLOBAL u32 *out, u32 size, u32 budget)
{
    u32 i = global_id(0), stack[16], sp = 0, pc = i % size, acc = i;
    for (u32 k = 0; k < 16; k++)
        stack[k] = k * i;
    for (u32 n = 0; n < budget; n++) {
        u8 op = program[pc];
        pc = pc + 1 == size ? 0 : pc + 1;
        switch (op >> 4) {
        case 0: stack[sp++ & 15] = acc; break;
        case 1: acc = stack[--sp & 15]; break;
        case 2: acc += stack[(sp - (op & 7)) & 15]; break;
        case 3: acc ^= stack[(sp + op) & 15] << (op & 15); break;
        case 4: acc = acc / ((op & 15) + 1); break;
        case 5: pc = acc & 8 ? (pc + (op & 15)) % size : pc; break;
        case 6: pc = (u32)((i32)acc < 0 ? (pc + size - (op & 15)) % size : pc); break;
        case 7: acc = ~acc; break;
        case 8: acc = acc * 0x01000193 + op; break;
        case 9: stack[op & 15] -= acc; break;
        case 10: sp += op & 3; break;
        case 11: { u32 t = stack[sp & 15]; stack[sp & 15] = acc, acc = t; break; }
        case 12: acc = acc << (op & 15) | acc >> 16; break;
        case 13: acc += n; break;
        case 14: if (acc == op) n = budget; break;
        default: acc = (u32)__builtin_popcount(acc) + (acc & ~7u); break;
        }
    }
    for (u32 k = 0; k < 16; k++)
        acc = acc * 31 + stack[k];
    out[i] = acc;
}
CASE(integer_machine, (a[0].p, a[1].p, (u32)a[2].u, (u32)a[3].u), .grid = { 256 }, .group = { 64 },
     .args = { BUF(BITS, 333), BUF(ZERO, 1024), VAL_U32(333), VAL_U32(300) })

/* Run lengths and Huffman-like prefix codes: bit streams out and in. */
KERNEL void integer_codes(GLOBAL const u32 *in, GLOBAL u32 *stream, GLOBAL u32 *out)
{
    u32 i = global_id(0), used = 0, word = 0, place = 0;
    GLOBAL u32 *s = stream + i * 24;
    for (u32 k = 0; k < 32; k++) { /* Elias gamma of values 1 .. 256, low bit first */
        u32 v = (in[(i + k) & 255] >> (k & 15) & 255) + 1, n = 31 - (u32)__builtin_clz(v);
        u64 code = ((u64)(v ^ 1u << n) << 1 | 1) << n;
        u64 both = word | code << used;
        used += 2 * n + 1, word = (u32)both;
        if (used >= 32)
            s[place++] = word, word = (u32)(both >> 32), used -= 32;
    }
    s[place] = word;
    u32 at = 0, sum = 0;
    for (u32 k = 0; k < 32; k++) {
        u32 n = 0, v = 1;
        while (!(s[at >> 5] >> (at & 31) & 1))
            n++, at++;
        at++;
        v = 1u << n;
        for (u32 b = 0; b < n; b++, at++)
            v |= (s[at >> 5] >> (at & 31) & 1) << b;
        sum = sum * 257 + v;
    }
    out[i] = sum;
}
CASE(integer_codes, (a[0].p, a[1].p, a[2].p), .grid = { 128 }, .group = { 64 },
     .args = { BUF(BITS, 1024), BUF(ZERO, 128 * 96), BUF(ZERO, 512) })

/* SPDX-License-Identifier: MIT
 *
 * Lanes of a wave reading each other.  Where lanes are inactive, only what the
 * documents define is looked at.
 */
#include "kernel.h"

KERNEL void wave_shuffle(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), lane = lane_id(), v = in[i], half = lane & 32;
    u32 a = wave_read(v, half | ((lane * 5 + 3) & 31)), b = wave_read(v, lane ^ 1), c = wave_read(a, half | (31 - (lane & 31)));
    out[i] = a + b * 3 + c * 5 + lane;
}
CASE(wave_shuffle, (a[0].p, a[1].p), .grid = { 256 }, .group = { 128 }, .args = { BUF(BITS, 1024), BUF(ZERO, 1024) })

KERNEL void wave_ballots(GLOBAL const u32 *in, GLOBAL u64 *out)
{
    u32 i = global_id(0), v = in[i];
    u64 odd = wave_ballot(v & 1), big = wave_ballot(v > 0x80000000), all = wave_ballot(1);
    u64 below = ((u64)1 << lane_id()) - 1;
    out[i * 2] = odd ^ big << 1, out[i * 2 + 1] = (u64)__builtin_popcountl(odd & below) << 32 | (u64)__builtin_popcountl(all);
}
CASE(wave_ballots, (a[0].p, a[1].p), .grid = { 192 }, .group = { 64 }, .args = { BUF(BITS, 768), BUF(ZERO, 3072) })

/* Butterfly sums and scans within 16 lanes, and the first lane's value. */
KERNEL void wave_scans(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), lane = lane_id(), v = in[i], sum = v, scan = v;
    for (u32 step = 1; step < 16; step *= 2) {
        sum += wave_read(sum, lane ^ step);
        u32 below = wave_read(scan, (lane & 48) | ((lane - step) & 15));
        scan += (lane & 15) >= step ? below : 0;
    }
    out[i * 3] = sum, out[i * 3 + 1] = scan, out[i * 3 + 2] = wave_first(v);
}
CASE(wave_scans, (a[0].p, a[1].p), .grid = { 256 }, .group = { 64 }, .args = { BUF(BITS, 1024), BUF(ZERO, 3072) })

/* Lane moves in the operand of an instruction: quads, rows of 16. */
#ifdef __AMDGCN__
#define DPP(v, old, ctrl, bound) ((u32)__builtin_amdgcn_update_dpp((i32)(old), (i32)(v), ctrl, 15, 15, bound))
#define SWIZZLE(v, pattern) ((u32)__builtin_amdgcn_ds_swizzle((i32)(v), pattern))
#else
static u32 dpp(u32 v, u32 old, u32 ctrl, int bound)
{
    u32 lane = lane_id(), row = lane & ~15u, at = lane & 15, n = ctrl & 15;
    int valid = 1;
    u32 from = lane;
    if (ctrl < 0x100)
        from = (lane & ~3u) | (ctrl >> 2 * (lane & 3) & 3);
    else if (ctrl < 0x110)
        valid = at + n < 16, from = row | (at + n);
    else if (ctrl < 0x120)
        valid = at >= n, from = row | (at - n);
    else if (ctrl < 0x130)
        from = row | ((at - n) & 15);
    else if (ctrl == 0x140)
        from = row | (15 - at);
    else if (ctrl == 0x141)
        from = (lane & ~7u) | (7 - (lane & 7));
    u32 r = wave_read(v, valid ? from : lane);
    return valid ? r : bound ? 0 : old;
}
#define DPP(v, old, ctrl, bound) dpp(v, old, ctrl, bound)
static u32 swizzle(u32 v, u32 off)
{
    u32 lane = lane_id();
    u32 from = off & 0x8000 ? (lane & ~3u) | (off >> 2 * (lane & 3) & 3)
                            : (lane & 32) | ((((lane & 31) & (off & 31)) | (off >> 5 & 31)) ^ (off >> 10 & 31));
    return wave_read(v, from);
}
#define SWIZZLE(v, pattern) swizzle(v, pattern)
#endif
KERNEL void wave_dpp(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), v = in[i], old = v ^ 0x55555555;
    GLOBAL u32 *o = out + i * 16;
    o[0] = DPP(v, old, 0x1b, 0), o[1] = DPP(v, old, 0xe4, 0), o[2] = DPP(v, old, 0x00, 0), o[3] = DPP(v, old, 0x39, 1);
    o[4] = DPP(v, old, 0x101, 0), o[5] = DPP(v, old, 0x10f, 1), o[6] = DPP(v, old, 0x111, 0), o[7] = DPP(v, old, 0x118, 1);
    o[8] = DPP(v, old, 0x121, 0), o[9] = DPP(v, old, 0x12f, 0), o[10] = DPP(v, old, 0x140, 0), o[11] = DPP(v, old, 0x141, 1);
    o[12] = SWIZZLE(v, 0x041f), o[13] = SWIZZLE(v, 0x7c1f), o[14] = SWIZZLE(v, 0x801b), o[15] = SWIZZLE(v, 0x00f8);
}
CASE(wave_dpp, (a[0].p, a[1].p), .grid = { 128 }, .group = { 64 }, .args = { BUF(BITS, 512), BUF(ZERO, 128 * 64) })

/* Sums by DPP folded into the additions: the compiler merges the move. */
KERNEL void wave_row_sum(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL f32 *fout)
{
    u32 i = global_id(0), v = in[i], s = v;
    s += DPP(s, 0, 0x111, 1), s += DPP(s, 0, 0x112, 1), s += DPP(s, 0, 0x114, 1), s += DPP(s, 0, 0x118, 1);
    f32 f = (f32)(v & 1023);
    f += f32_bits(DPP(bits_f32(f), 0, 0x121, 1)), f += f32_bits(DPP(bits_f32(f), 0, 0x122, 1));
    f = f * f32_bits(DPP(bits_f32(f), 0, 0x141, 1)) - f32_bits(DPP(bits_f32(f), 0, 0xb1, 1));
    u32 m = v, t = DPP(m, m, 0x4e, 0);
    m = m < t ? m : t;
    out[i * 2] = s, out[i * 2 + 1] = m, fout[i] = f;
}
CASE(wave_row_sum, (a[0].p, a[1].p, a[2].p), .grid = { 192 }, .group = { 64 },
     .args = { BUF(BITS, 768), BUF(ZERO, 1536), BUF(ZERO, 768) })

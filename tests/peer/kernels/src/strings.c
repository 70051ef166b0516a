/* SPDX-License-Identifier: MIT
 *
 * Bytes and text.
 */
#include "kernel.h"

/* Words, letters and longest word of each line of text; lines are cut at fixed places. */
KERNEL void strings_count(GLOBAL const u8 *text, GLOBAL u32 *out, u32 width, u32 size)
{
    u32 i = global_id(0), at = i * width, words = 0, longest = 0, run = 0, vowels = 0;
    if (at >= size)
        return;
    for (u32 k = at; k < at + width && k < size; k++) {
        u8 c = text[k];
        if (c == ' ') {
            words += run > 0, longest = run > longest ? run : longest, run = 0;
        } else {
            run++;
            vowels += c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
        }
    }
    out[i] = (words + (run > 0)) << 20 | (run > longest ? run : longest) << 10 | vowels;
}
CASE(strings_count, (a[0].p, a[1].p, (u32)a[2].u, (u32)a[3].u), .grid = { 128 }, .group = { 64 },
     .args = { BUF(TEXT, 8000), BUF(ZERO, 512), VAL_U32(67), VAL_U32(8000) })

/* Where each needle of the text's own pieces first occurs. */
KERNEL void strings_find(GLOBAL const u8 *text, GLOBAL u32 *out, u32 size)
{
    u32 i = global_id(0), length = 2 + (i & 3), from = i * 31 % (size - 8);
    for (u32 at = 0; at + length <= size; at++) {
        u32 k = 0;
        while (k < length && text[at + k] == text[from + k])
            k++;
        if (k == length) {
            out[i] = at;
            break;
        }
    }
}
CASE(strings_find, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 256 }, .group = { 64 },
     .args = { BUF(TEXT, 1000), BUF(BITS, 1024), VAL_U32(1000) })

/* Numbers to decimal and hexadecimal text and back. */
KERNEL void strings_numbers(GLOBAL const u64 *in, GLOBAL u8 *text, GLOBAL u64 *back)
{
    u32 i = global_id(0), n = 0;
    u64 x = in[i], y = x;
    u8 buf[24];
    GLOBAL u8 *o = text + i * 48;
    do
        buf[n++] = (u8)('0' + y % 10);
    while (y /= 10);
    for (u32 k = 0; k < n; k++)
        o[k] = buf[n - 1 - k];
    o[n] = 0;
    for (u32 k = 0; k < 16; k++)
        o[24 + k] = "0123456789abcdef"[x >> (60 - 4 * k) & 15];
    u64 v = 0, w = 0;
    for (u32 k = 0; o[k]; k++)
        v = v * 10 + (o[k] - '0');
    for (u32 k = 24; k < 40; k++)
        w = w << 4 | (o[k] <= '9' ? o[k] - '0' : o[k] - 'a' + 10u);
    back[i * 2] = v, back[i * 2 + 1] = w;
}
CASE(strings_numbers, (a[0].p, a[1].p, a[2].p), .grid = { 128 }, .group = { 128 },
     .args = { BUF(LONG_ANY, 1024), BUF(ZERO, 6144), BUF(ZERO, 2048) })

/* Edit distance of neighbouring pieces, two rows in private memory. */
KERNEL void strings_distance(GLOBAL const u8 *text, GLOBAL u32 *out)
{
    u32 i = global_id(0), row[17];
    GLOBAL const u8 *p = text + i * 16, *q = text + (i + 1) * 16;
    for (u32 k = 0; k <= 16; k++)
        row[k] = k;
    for (u32 r = 1; r <= 16; r++) {
        u32 diagonal = row[0];
        row[0] = r;
        for (u32 c = 1; c <= 16; c++) {
            u32 cost = diagonal + (p[r - 1] != q[c - 1]);
            diagonal = row[c];
            u32 least = row[c] < row[c - 1] ? row[c] : row[c - 1];
            row[c] = least + 1 < cost ? least + 1 : cost;
        }
    }
    out[i] = row[16];
}
CASE(strings_distance, (a[0].p, a[1].p), .grid = { 192 }, .group = { 64 }, .args = { BUF(TEXT, 193 * 16), BUF(BITS, 768) })

/* Base64 there and back, with padding. */
static const u8 alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
KERNEL void strings_base64(GLOBAL const u8 *in, GLOBAL u8 *out, GLOBAL u8 *back)
{
    u32 i = global_id(0), length = 18 - i % 3;
    for (u32 k = 0, o = i * 24; k < length; k += 3, o += 4) {
        u32 left = length - k, w = (u32)in[i * 18 + k] << 16;
        w |= left > 1 ? (u32)in[i * 18 + k + 1] << 8 : 0;
        w |= left > 2 ? in[i * 18 + k + 2] : 0;
        out[o] = alphabet[w >> 18], out[o + 1] = alphabet[w >> 12 & 63];
        out[o + 2] = left > 1 ? alphabet[w >> 6 & 63] : '=', out[o + 3] = left > 2 ? alphabet[w & 63] : '=';
    }
    for (u32 k = 0; k < 24; k += 4) {
        u32 w = 0;
        for (u32 j = 0; j < 4; j++) {
            u8 c = out[i * 24 + k + j];
            u32 v = c >= 'a' ? c - 'a' + 26u : c >= 'A' ? c - 'A' : c >= '0' ? c - '0' + 52u : c == '+' ? 62 : 63;
            w = w << 6 | (c == '=' ? 0 : v);
        }
        back[i * 18 + k / 4 * 3] = (u8)(w >> 16), back[i * 18 + k / 4 * 3 + 1] = (u8)(w >> 8), back[i * 18 + k / 4 * 3 + 2] = (u8)w;
    }
}
CASE(strings_base64, (a[0].p, a[1].p, a[2].p), .grid = { 96 }, .group = { 32 },
     .args = { BUF(BITS, 1728), BUF(ZERO, 2304), BUF(ZERO, 1728) })

/* Patterns with ? and * against pieces of text. */
static int matches(const u8 *p, GLOBAL const u8 *s, u32 length)
{
    u32 pi = 0, si = 0, star = ~0u, mark = 0;
    while (si < length) {
        if (p[pi] && (p[pi] == '?' || p[pi] == s[si])) {
            pi++, si++;
        } else if (p[pi] == '*') {
            star = pi++, mark = si;
        } else if (star != ~0u) {
            pi = star + 1, si = ++mark;
        } else {
            return 0;
        }
    }
    while (p[pi] == '*')
        pi++;
    return p[pi] == 0;
}
KERNEL void strings_match(GLOBAL const u8 *text, GLOBAL u32 *out)
{
    static const u8 patterns[6][12] = { "*a*e*", "??*", "*x?z*", "a*", "* *", "*th*" };
    u32 i = global_id(0), r = 0;
    for (u32 k = 0; k < 6; k++)
        r |= (u32)matches(patterns[k], text + i * 11, 11 + (i & 15)) << k;
    out[i] = r;
}
CASE(strings_match, (a[0].p, a[1].p), .grid = { 320 }, .group = { 64 }, .args = { BUF(TEXT, 3600), BUF(BITS, 1280) })

/* Copies of every length and alignment, overlapping ones downwards. */
KERNEL void strings_copy(GLOBAL const u8 *in, GLOBAL u8 *out)
{
    u32 i = global_id(0), length = i % 29, from = i % 8, to = i / 8 % 8;
    GLOBAL u8 *o = out + i * 48;
    for (u32 k = 0; k < length; k++)
        o[to + k] = in[i * 3 + from + k];
    for (u32 k = length; k-- > 0;)
        o[to + k + 3] = o[to + k];
    __builtin_memcpy(o + 40, in + i, 7);
    __builtin_memset(o + 47, (int)(i & 255), 1);
}
CASE(strings_copy, (a[0].p, a[1].p), .grid = { 512 }, .group = { 128 }, .args = { BUF(BITS, 2048), BUF(ZERO, 512 * 48) })

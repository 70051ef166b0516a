/* SPDX-License-Identifier: MIT
 *
 * bundle/md5.c - MD5 (RFC 1321), for the hash in compressed bundles.
 */
#include "bundle/walk.h"

static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
static const uint8_t shifts[4][4] = { { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 } };

static uint32_t rotate(uint32_t v, unsigned n)
{
    return v << n | v >> (32 - n);
}

static void block(uint32_t state[4], const uint8_t *p)
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (unsigned i = 0; i < 64; i++) {
        uint32_t f;
        unsigned g;
        switch (i / 16) {
        case 0: f = (b & c) | (~b & d); g = i; break;
        case 1: f = (d & b) | (~d & c); g = 5 * i + 1; break;
        case 2: f = b ^ c ^ d; g = 3 * i + 5; break;
        default: f = c ^ (b | ~d); g = 7 * i; break;
        }
        uint32_t sum = a + f + sines[i] + co_load32(p + 4 * (g % 16));
        a = d;
        d = c;
        c = b;
        b += rotate(sum, shifts[i / 16][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void co_md5(const void *data, size_t size, uint8_t out[16])
{
    uint32_t state[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
    const uint8_t *p = data;
    size_t left = size;
    for (; left >= 64; left -= 64, p += 64)
        block(state, p);
    /* The rest, a 1 bit, zeros, and the length in bits. */
    uint8_t tail[128] = { 0 };
    if (left)
        memcpy(tail, p, left);
    tail[left] = 0x80;
    size_t padded = left < 56 ? 64 : 128;
    co_store64(tail + padded - 8, (uint64_t)size << 3);
    block(state, tail);
    if (padded == 128)
        block(state, tail + 64);
    for (unsigned i = 0; i < 4; i++)
        co_store32(out + 4 * i, state[i]);
}

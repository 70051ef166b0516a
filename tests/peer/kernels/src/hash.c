/* SPDX-License-Identifier: MIT
 *
 * Hashes and ciphers: long chains of word operations in which nothing may be lost.
 */
#include "kernel.h"

static inline u32 rotl(u32 x, u32 n) { return x << n | x >> (32 - n); }
static inline u64 rotl64(u64 x, u32 n) { return x << n | x >> (64 - n); }

static const u32 sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};
/* FIPS 180-4, one 55-byte message for each work-item. */
KERNEL void hash_sha256(GLOBAL const u8 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), w[64], h[8];
    static const u32 start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    for (u32 k = 0; k < 14; k++) {
        w[k] = 0;
        for (u32 b = 0; b < 4; b++)
            w[k] = w[k] << 8 | (k * 4 + b < 55 ? in[i * 55 + k * 4 + b] : 0x80);
    }
    w[14] = 0, w[15] = 55 * 8;
    for (u32 k = 16; k < 64; k++)
        w[k] = w[k - 16] + (rotl(w[k - 15], 25) ^ rotl(w[k - 15], 14) ^ w[k - 15] >> 3) + w[k - 7] +
               (rotl(w[k - 2], 15) ^ rotl(w[k - 2], 13) ^ w[k - 2] >> 10);
    for (u32 k = 0; k < 8; k++)
        h[k] = start[k];
    u32 a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], hh = h[7];
    for (u32 k = 0; k < 64; k++) {
        u32 t1 = hh + (rotl(e, 26) ^ rotl(e, 21) ^ rotl(e, 7)) + ((e & f) ^ (~e & g)) + sha_k[k] + w[k];
        u32 t2 = (rotl(a, 30) ^ rotl(a, 19) ^ rotl(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
        hh = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    GLOBAL u32 *o = out + i * 8;
    o[0] = h[0] + a, o[1] = h[1] + b, o[2] = h[2] + c, o[3] = h[3] + d, o[4] = h[4] + e, o[5] = h[5] + f, o[6] = h[6] + g, o[7] = h[7] + hh;
}
CASE(hash_sha256, (a[0].p, a[1].p), .grid = { 256 }, .group = { 64 }, .args = { BUF(BITS, 256 * 55), BUF(ZERO, 8192) })

/* RFC 1321, chained over blocks of 64 bytes. */
static const u32 md5_k[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
    0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453,
    0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942,
    0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
    0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d,
    0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391
};
KERNEL void hash_md5(GLOBAL const u32 *in, GLOBAL u32 *out, u32 blocks)
{
    static const u8 shift[4][4] = { { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 } };
    u32 i = global_id(0), a0 = 0x67452301, b0 = 0xefcdab89, c0 = 0x98badcfe, d0 = 0x10325476;
    for (u32 blk = 0; blk < blocks; blk++) {
        GLOBAL const u32 *m = in + (i * blocks + blk) * 16;
        u32 a = a0, b = b0, c = c0, d = d0;
        for (u32 k = 0; k < 64; k++) {
            u32 f, g;
            if (k < 16)
                f = (b & c) | (~b & d), g = k;
            else if (k < 32)
                f = (d & b) | (~d & c), g = (5 * k + 1) & 15;
            else if (k < 48)
                f = b ^ c ^ d, g = (3 * k + 5) & 15;
            else
                f = c ^ (b | ~d), g = (7 * k) & 15;
            f += a + md5_k[k] + m[g];
            a = d, d = c, c = b, b += rotl(f, shift[k >> 4][k & 3]);
        }
        a0 += a, b0 += b, c0 += c, d0 += d;
    }
    out[i * 4] = a0, out[i * 4 + 1] = b0, out[i * 4 + 2] = c0, out[i * 4 + 3] = d0;
}
CASE(hash_md5, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 128 }, .group = { 64 },
     .args = { BUF(BITS, 128 * 128), BUF(ZERO, 2048), VAL_U32(2) })

LDS u32 crc_table[256];
/* CRC-32 by a table that the group makes, and CRC-16 bit by bit. */
KERNEL void hash_crc(GLOBAL const u8 *in, GLOBAL u32 *out, u32 length)
{
    u32 i = global_id(0);
    for (u32 n = local_id(0); n < 256; n += group_size(0)) {
        u32 c = n;
        for (u32 k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
        crc_table[n] = c;
    }
    barrier();
    u32 crc = ~0u;
    u16 crc16 = 0xffff;
    for (u32 k = 0; k < length - (i & 7); k++) {
        u8 b = in[i * length + k];
        crc = crc_table[(crc ^ b) & 255] ^ crc >> 8;
        crc16 ^= (u16)(b << 8);
        for (u32 j = 0; j < 8; j++)
            crc16 = (u16)(crc16 & 0x8000 ? crc16 << 1 ^ 0x1021 : crc16 << 1);
    }
    out[i] = ~crc ^ (u32)crc16 << 7;
}
CASE(hash_crc, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 200 }, .group = { 100 },
     .args = { BUF(BITS, 200 * 50), BUF(ZERO, 800), VAL_U32(50) })

static inline u64 xx_round(u64 acc, u64 x)
{
    return rotl64(acc + x * 0xc2b2ae3d27d4eb4f, 31) * 0x9e3779b185ebca87;
}
static inline u64 sip_word(u64 *v, u64 m, u32 rounds)
{
    v[3] ^= m;
    while (rounds--) {
        v[0] += v[1], v[1] = rotl64(v[1], 13) ^ v[0], v[0] = rotl64(v[0], 32);
        v[2] += v[3], v[3] = rotl64(v[3], 16) ^ v[2];
        v[0] += v[3], v[3] = rotl64(v[3], 21) ^ v[0];
        v[2] += v[1], v[1] = rotl64(v[1], 17) ^ v[2], v[2] = rotl64(v[2], 32);
    }
    v[0] ^= m;
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
/* xxHash64's and SipHash's rounds, FNV-1a and Murmur's finish: 64-bit products and rotations. */
KERNEL void hash_64(GLOBAL const u64 *in, GLOBAL u64 *out, u32 words)
{
    u32 i = global_id(0);
    u64 h = 0x27d4eb2f165667c5 + words * 8, fnv = 0xcbf29ce484222325;
    u64 v[4] = { 0x736f6d6570736575, 0x646f72616e646f6d ^ i, 0x6c7967656e657261, 0x7465646279746573 };
    for (u32 k = 0; k < words; k++) {
        u64 x = in[i * words + k];
        h = rotl64(h ^ xx_round(0, x), 27) * 0x9e3779b185ebca87 + 0x85ebca77c2b2ae63;
        sip_word(v, x, 2);
        for (u32 b = 0; b < 8; b++)
            fnv = (fnv ^ (x >> b * 8 & 255)) * 0x100000001b3;
    }
    h = (h ^ h >> 33) * 0xc2b2ae3d27d4eb4f, h = (h ^ h >> 29) * 0x165667b19e3779f9;
    fnv = (fnv ^ fnv >> 33) * 0xff51afd7ed558ccd, fnv = (fnv ^ fnv >> 33) * 0xc4ceb9fe1a85ec53;
    out[i * 3] = h ^ h >> 32, out[i * 3 + 1] = sip_word(v, 0xff, 4), out[i * 3 + 2] = fnv ^ fnv >> 33;
}
CASE(hash_64, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 192 }, .group = { 64 },
     .args = { BUF(BITS, 192 * 72), BUF(ZERO, 192 * 24), VAL_U32(9) })

#define QUARTER(a, b, c, d)                                                                                 \
    x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 16), x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 12), x[a] += x[b],   \
        x[d] = rotl(x[d] ^ x[a], 8), x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 7)
/* ChaCha20 (RFC 8439), the block counter from the work-item. */
KERNEL void hash_chacha(GLOBAL const u32 *key, GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 i = global_id(0), s[16] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 }, x[16];
    for (u32 k = 0; k < 8; k++)
        s[4 + k] = key[k];
    s[12] = i, s[13] = key[8], s[14] = key[9], s[15] = key[10];
    for (u32 k = 0; k < 16; k++)
        x[k] = s[k];
    for (u32 r = 0; r < 10; r++) {
        QUARTER(0, 4, 8, 12);
        QUARTER(1, 5, 9, 13);
        QUARTER(2, 6, 10, 14);
        QUARTER(3, 7, 11, 15);
        QUARTER(0, 5, 10, 15);
        QUARTER(1, 6, 11, 12);
        QUARTER(2, 7, 8, 13);
        QUARTER(3, 4, 9, 14);
    }
    for (u32 k = 0; k < 16; k++)
        out[i * 16 + k] = in[i * 16 + k] ^ (x[k] + s[k]);
}
CASE(hash_chacha, (a[0].p, a[1].p, a[2].p), .grid = { 64 }, .group = { 64 },
     .args = { BUF(BITS, 44), BUF(BITS, 4096), BUF(ZERO, 4096) })

LDS u8 sbox[256];
/* AES's S-box made in the group, then rounds of SubBytes, ShiftRows, MixColumns with a simple key schedule. */
static inline u8 xtime(u8 x) { return (u8)(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }
KERNEL void hash_aes_rounds(GLOBAL const u8 *in, GLOBAL u8 *out, u32 rounds)
{
    for (u32 n = local_id(0); n < 256; n += group_size(0)) {
        u8 inv = 0;
        for (u32 c = 1; c < 256 && n; c++) { /* inverse in GF(256) by search */
            u8 p = 0, x = (u8)n, y = (u8)c;
            for (; y; y >>= 1, x = xtime(x))
                if (y & 1)
                    p ^= x;
            if (p == 1) {
                inv = (u8)c;
                break;
            }
        }
        u8 s = inv;
        for (u32 k = 0; k < 4; k++)
            inv = (u8)(inv << 1 | inv >> 7), s ^= inv;
        sbox[n] = s ^ 0x63;
    }
    barrier();
    u32 i = global_id(0);
    u8 st[16], t[16];
    for (u32 k = 0; k < 16; k++)
        st[k] = in[i * 16 + k];
    for (u32 r = 0; r < rounds; r++) {
        for (u32 k = 0; k < 16; k++)
            t[k] = sbox[st[(k + 4 * (k & 3)) & 15]];
        for (u32 c = 0; c < 4; c++) {
            u8 *p = t + c * 4, all = p[0] ^ p[1] ^ p[2] ^ p[3], first = p[0];
            for (u32 k = 0; k < 4; k++)
                st[c * 4 + k] = (u8)(p[k] ^ all ^ xtime(p[k] ^ (k == 3 ? first : p[k + 1])) ^ (r * 16 + c * 4 + k));
        }
    }
    for (u32 k = 0; k < 16; k++)
        out[i * 16 + k] = st[k];
}
CASE(hash_aes_rounds, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 64 }, .group = { 64 },
     .args = { BUF(BITS, 1024), BUF(ZERO, 1024), VAL_U32(10) })

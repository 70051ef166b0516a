/* SPDX-License-Identifier: MIT
 *
 * ld/shard.c - the order of merged strings is ld.lld's.
 *
 * ld.lld shares the strings of a section out among 32 parts, by the five bits below bit 32 of a hash, and puts the
 * parts one behind the other.  The hash is XXH3 (64 bits, no seed), as its specification has it: "XXH3 algorithm
 * overview" of the xxHash project.  Four ways of hashing, by length: up to 16 bytes, up to 128, up to 240, beyond.
 */
#include "ld.h"

#define PRIME32_1 0x9e3779b1u
#define PRIME32_2 0x85ebca77u
#define PRIME32_3 0xc2b2ae3du
#define PRIME64_1 0x9e3779b185ebca87ull
#define PRIME64_2 0xc2b2ae3d27d4eb4full
#define PRIME64_3 0x165667b19e3779f9ull
#define PRIME64_4 0x85ebca77c2b2ae63ull
#define PRIME64_5 0x27d4eb2f165667c5ull
#define PRIME_MX1 0x165667919e3779f9ull
#define PRIME_MX2 0x9fb21c651e98df25ull

enum { SECRET_SIZE = 192, STRIPE = 64, LANES = 8, STRIPES_A_BLOCK = (SECRET_SIZE - STRIPE) / 8 };

static const uint8_t secret[SECRET_SIZE] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

/* Both halves of a 128-bit product, one on the other. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    uint64_t low = al * bl, mid1 = ah * bl, mid2 = al * bh, high = ah * bh;
    uint64_t carry = (low >> 32) + (mid1 & 0xffffffffu) + mid2;
    return ((carry << 32) | (low & 0xffffffffu)) ^ (high + (mid1 >> 32) + (carry >> 32));
}

static uint64_t avalanche(uint64_t h)
{
    h ^= h >> 37;
    h *= PRIME_MX1;
    return h ^ h >> 32;
}

static uint64_t avalanche64(uint64_t h)
{
    h ^= h >> 33;
    h *= PRIME64_2;
    h ^= h >> 29;
    h *= PRIME64_3;
    return h ^ h >> 32;
}

static uint64_t rotate(uint64_t v, unsigned n)
{
    return v << n | v >> (64 - n);
}

static uint64_t swap64(uint64_t v)
{
    return __builtin_bswap64(v);
}

static uint64_t up_to_16(const uint8_t *p, size_t n)
{
    if (n > 8) {
        uint64_t lo = ld_get64(p) ^ (ld_get64(secret + 24) ^ ld_get64(secret + 32));
        uint64_t hi = ld_get64(p + n - 8) ^ (ld_get64(secret + 40) ^ ld_get64(secret + 48));
        return avalanche(n + swap64(lo) + hi + fold(lo, hi));
    }
    if (n >= 4) {
        uint64_t v = ld_get32(p + n - 4) + ((uint64_t)ld_get32(p) << 32);
        uint64_t h = v ^ (ld_get64(secret + 8) ^ ld_get64(secret + 16));
        h ^= rotate(h, 49) ^ rotate(h, 24);
        h *= PRIME_MX2;
        h ^= (h >> 35) + n;
        h *= PRIME_MX2;
        return h ^ h >> 28;
    }
    if (n) {
        uint32_t v = (uint32_t)p[0] << 16 | (uint32_t)p[n >> 1] << 24 | p[n - 1] | (uint32_t)n << 8;
        return avalanche64((uint64_t)v ^ (uint64_t)(ld_get32(secret) ^ ld_get32(secret + 4)));
    }
    return avalanche64(ld_get64(secret + 56) ^ ld_get64(secret + 64));
}

static uint64_t mix16(const uint8_t *p, const uint8_t *key)
{
    return fold(ld_get64(p) ^ ld_get64(key), ld_get64(p + 8) ^ ld_get64(key + 8));
}

static uint64_t up_to_128(const uint8_t *p, size_t n)
{
    uint64_t acc = n * PRIME64_1;
    for (size_t i = (n - 1) / 32 + 1; i-- > 0;) {
        acc += mix16(p + 16 * i, secret + 32 * i);
        acc += mix16(p + n - 16 * (i + 1), secret + 32 * i + 16);
    }
    return avalanche(acc);
}

static uint64_t up_to_240(const uint8_t *p, size_t n)
{
    enum { FIRST = 8, START = 3, LAST = 17, SMALLEST_SECRET = 136 };
    uint64_t acc = n * PRIME64_1;
    for (size_t i = 0; i < FIRST; i++)
        acc += mix16(p + 16 * i, secret + 16 * i);
    acc = avalanche(acc);
    for (size_t i = FIRST; i < n / 16; i++)
        acc += mix16(p + 16 * i, secret + 16 * (i - FIRST) + START);
    acc += mix16(p + n - 16, secret + SMALLEST_SECRET - LAST);
    return avalanche(acc);
}

static void stripe(uint64_t *acc, const uint8_t *p, const uint8_t *key)
{
    for (size_t i = 0; i < LANES; i++) {
        uint64_t v = ld_get64(p + 8 * i), k = v ^ ld_get64(key + 8 * i);
        acc[i ^ 1] += v;
        acc[i] += (k & 0xffffffffu) * (k >> 32);
    }
}

static void scramble(uint64_t *acc)
{
    for (size_t i = 0; i < LANES; i++) {
        uint64_t a = acc[i];
        a ^= a >> 47;
        a ^= ld_get64(secret + SECRET_SIZE - STRIPE + 8 * i);
        acc[i] = a * PRIME32_1;
    }
}

static uint64_t beyond_240(const uint8_t *p, size_t n)
{
    enum { LAST_KEY = 7, MERGE_KEY = 11, BLOCK = STRIPE * STRIPES_A_BLOCK };
    uint64_t acc[LANES] = { PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1 };
    size_t blocks = (n - 1) / BLOCK, stripes = (n - 1 - BLOCK * blocks) / STRIPE;
    for (size_t b = 0; b < blocks; b++) {
        for (size_t i = 0; i < STRIPES_A_BLOCK; i++)
            stripe(acc, p + b * BLOCK + i * STRIPE, secret + 8 * i);
        scramble(acc);
    }
    for (size_t i = 0; i < stripes; i++)
        stripe(acc, p + blocks * BLOCK + i * STRIPE, secret + 8 * i);
    stripe(acc, p + n - STRIPE, secret + SECRET_SIZE - STRIPE - LAST_KEY);
    uint64_t h = n * PRIME64_1;
    for (size_t i = 0; i < LANES / 2; i++)
        h += fold(acc[2 * i] ^ ld_get64(secret + MERGE_KEY + 16 * i), acc[2 * i + 1] ^ ld_get64(secret + MERGE_KEY + 16 * i + 8));
    return avalanche(h);
}

/* Of a string without its terminator, or of a constant: below LD_SHARDS. */
unsigned co_ld_shard(const uint8_t *p, size_t n)
{
    uint64_t h = n <= 16 ? up_to_16(p, n) : n <= 128 ? up_to_128(p, n) : n <= 240 ? up_to_240(p, n) : beyond_240(p, n);
    return (uint32_t)h >> 27;
}

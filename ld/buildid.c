/* SPDX-License-Identifier: MIT
 *
 * ld/buildid.c - .note.gnu.build-id: a name for the image that is made of its bytes.
 *
 * MD5 is RFC 1321, SHA-1 is RFC 3174; "fast" is the hash of the symbol table.
 * Neither serves security here: they tell builds apart.
 */
#include "ld.h"

static uint32_t rotl(uint32_t v, unsigned n)
{
    return v << n | v >> (32 - n);
}

/* floor(2^32 * |sin(i + 1)|) of RFC 1321 */
static const uint32_t md5_k[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static void md5_block(uint32_t *h, const uint8_t *p)
{
    static const uint8_t shift[4][4] = { { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 } };
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
    for (unsigned i = 0; i < 64; i++) {
        uint32_t f;
        unsigned g;
        switch (i / 16) {
        case 0: f = (b & c) | (~b & d); g = i; break;
        case 1: f = (d & b) | (~d & c); g = (5 * i + 1) & 15; break;
        case 2: f = b ^ c ^ d; g = (3 * i + 5) & 15; break;
        default: f = c ^ (b | ~d); g = (7 * i) & 15; break;
        }
        uint32_t t = d;
        d = c;
        c = b;
        b += rotl(a + f + md5_k[i] + ld_get32(p + 4 * g), shift[i / 16][i & 3]);
        a = t;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
}

static uint32_t big32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void sha1_block(uint32_t *h, const uint8_t *p)
{
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (unsigned i = 0; i < 80; i++)
        w[i] = i < 16 ? big32(p + 4 * i) : rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (unsigned i = 0; i < 80; i++) {
        uint32_t f, k;
        switch (i / 20) {
        case 0: f = (b & c) | (~b & d); k = 0x5a827999; break;
        case 1: f = b ^ c ^ d; k = 0x6ed9eba1; break;
        case 2: f = (b & c) | (b & d) | (c & d); k = 0x8f1bbcdc; break;
        default: f = b ^ c ^ d; k = 0xca62c1d6; break;
        }
        uint32_t t = rotl(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = rotl(b, 30);
        b = a;
        a = t;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

/* Both pad with 0x80, zeros and the length in bits, little- or big-endian. */
static void digest(const uint8_t *data, size_t size, bool sha1, uint8_t *out)
{
    uint32_t h[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
    void (*block)(uint32_t *, const uint8_t *) = sha1 ? sha1_block : md5_block;
    size_t i = 0;
    for (; size - i >= 64; i += 64)
        block(h, data + i);
    uint8_t tail[128] = { 0 };
    size_t left = size - i, end = left < 56 ? 64 : 128;
    if (left)
        memcpy(tail, data + i, left);
    tail[left] = 0x80;
    for (unsigned k = 0; k < 8; k++)
        tail[end - 8 + k] = (uint8_t)((uint64_t)size * 8 >> (sha1 ? 56 - 8 * k : 8 * k));
    block(h, tail);
    if (end == 128)
        block(h, tail + 64);
    for (unsigned k = 0; k < (sha1 ? 20u : 16u); k++)
        out[k] = (uint8_t)(h[k / 4] >> (sha1 ? 24 - 8 * (k % 4) : 8 * (k % 4)));
}

static size_t id_size(const struct ld *ld)
{
    switch (ld->opt.build_id) {
    case CODEOBJ_BUILD_ID_FAST:
        return 8;
    case CODEOBJ_BUILD_ID_MD5:
        return 16;
    case CODEOBJ_BUILD_ID_SHA1:
        return 20;
    case CODEOBJ_BUILD_ID_BYTES:
        return ld->opt.build_id_size;
    default:
        return 0;
    }
}

void co_ld_make_build_id(struct ld *ld)
{
    size_t n = id_size(ld);
    if (ld->opt.build_id == CODEOBJ_BUILD_ID_NONE || ld->relocatable)
        return;
    struct ld_section *s = co_ld_new_section(ld, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4);
    s->size = 16 + ld_align(n, 4);
    s->buf = co_ld_alloc(ld, (size_t)s->size);
    s->data = s->buf;
    ld_put32(s->buf, 4);
    ld_put32(s->buf + 4, n);
    ld_put32(s->buf + 8, 3); /* NT_GNU_BUILD_ID */
    memcpy(s->buf + 12, "GNU", 4);
    ld->s_build_id = s;
    co_ld_place_at(ld, s, s->name, 0);
}

/* The image is complete but for the ID itself, which is zero while it is made. */
void co_ld_put_build_id(struct ld *ld)
{
    if (!ld->s_build_id || !ld->s_build_id->out)
        return;
    uint8_t id[20];
    const uint8_t *src = id;
    if (ld->opt.build_id == CODEOBJ_BUILD_ID_BYTES)
        src = ld->opt.build_id_bytes;
    else if (ld->opt.build_id == CODEOBJ_BUILD_ID_FAST)
        ld_put64(id, co_ld_hash(ld->image, (size_t)ld->image_size));
    else
        digest(ld->image, (size_t)ld->image_size, ld->opt.build_id == CODEOBJ_BUILD_ID_SHA1, id);
    size_t n = id_size(ld);
    if (n)
        memcpy(ld->image + ld->s_build_id->out->off + ld->s_build_id->out_off + 16, src, n);
}

/* SPDX-License-Identifier: MIT
 *
 * tests/peer/isa_formats.c - AMDGPU encodings as bit fields, and how they are
 * filled with random but telling values.
 *
 * A field list goes from bit 0 up.  Each token is a width and a kind:
 *   oN  opcode, enumerated; several pieces join, low ones first
 *   sN  scalar register or source (5 to 9 bits)
 *   vN  VGPR number
 *   bN  any bits      mN  zero half of the time     zN  nearly always zero
 *   =N:V  fixed bits
 * What follows the fields is filled with literals and DPP/SDWA control words.
 * LLVM rejects values other than zero in fields that an instruction does not
 * use, so most vectors have a random half of their fields zero.
 * Source: AMD's ISA manuals, chapter "Microcode formats".
 */
#include "isa_peer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ALL 0x3ffu
#define GE8 (ALL & ~(P6 | P7))
#define GFX9S (P9 | P90A | P940)
#define GE10 (P10 | P11 | P12 | P125)
#define GE11 (P11 | P12 | P125)
#define GE12 (P12 | P125)
#define SRCS "s9 s9 s9"

const struct format formats[] = {
    {"SOP2", ALL, "s8 s8 s7 o7 =2:2"},
    {"SOPK", ALL, "b16 s7 o5 =4:11"},
    {"SOP1", ALL, "s8 o8 s7 =9:381"},
    {"SOPC", ALL, "s8 s8 o7 =9:382"},
    {"SOPP", ALL, "b16 o7 =9:383"},
    {"SMEM", P6 | P7, "b8 b1 s6 s7 o5 =5:24"},
    {"SMEM", P8 | GFX9S, "s6 s7 z1 b1 m1 b1 b1 o8 =6:48 b21 z4 s7"},
    {"SMEM", P10 | P11, "s6 s7 m1 m1 z1 m1 z1 o8 =6:61 b21 z4 s7"},
    {"SMEM", GE12, "s6 s7 o6 z1 m1 m2 m2 z1 =6:61 b24 z1 s7"},
    {"VOP2", ALL, "s9 v8 v8 o6 =1:0"},
    {"VOP1", ALL, "s9 o8 v8 =7:63"},
    {"VOPC", ALL, "s9 v8 o8 =7:62"},
    {"VOP3", P6 | P7, "v8 b3 b1 z5 o9 =6:52 " SRCS " m2 b3"},
    {"VOP3", P8 | GFX9S, "v8 b3 m4 m1 o10 =6:52 " SRCS " m2 b3"},
    {"VOP3", GE10, "v8 b3 m4 m1 o10 =6:53 " SRCS " m2 b3"},
    /* the same as carry-out forms: the upper bits are a scalar destination */
    {"VOP3SD", P6 | P7, "v8 s7 z2 o9 =6:52 " SRCS " m2 b3"},
    {"VOP3SD", P8 | GFX9S, "v8 s7 m1 o10 =6:52 " SRCS " m2 b3"},
    {"VOP3SD", GE10, "v8 s7 m1 o10 =6:53 " SRCS " m2 b3"},
    {"VOP3P", GFX9S, "v8 b3 b3 b1 b1 o7 =9:423 " SRCS " b2 b3"},
    {"VOP3P", GE10, "v8 b3 b3 b1 b1 o7 =9:408 " SRCS " b2 b3"},
    {"VOP3PX", P940, "v8 b3 b3 b1 b1 =7:44 =9:423 " SRCS " b2 b3 v8 b3 b3 b1 b1 o7 =9:423 " SRCS " b2 b3"},
    {"VOP3PX", P125, "v8 b3 b3 b1 b1 =7:53 =9:408 " SRCS " b2 b3 v8 b3 b3 b1 b1 o7 =9:408 " SRCS " b2 b3"},
    {"VOP3PX", P125, "v8 b3 b3 b1 b1 =7:58 =9:408 " SRCS " b2 b3 v8 b3 b3 b1 b1 o7 =9:408 " SRCS " b2 b3"},
    {"VOPD", GE11, "s9 v8 o5 o4 =6:50 s9 v8 b7 v8"},
    {"VOPD3", P125, "s9 b3 o6 o6 =8:207 s9 b3 b2 b2 v8 v8 v8 v8 v8 v8"},
    {"VINTRP", P6 | P7 | P10, "v8 b2 b6 o2 v8 =6:50"},
    {"VINTRP", P8 | P9, "v8 b2 b6 o2 v8 =6:53"},
    {"VINTERP", GE11, "v8 b3 b4 b1 o7 z1 =8:205 " SRCS " z2 b3"},
    {"LDSDIR", GE11, "v8 b2 b6 b4 o2 m1 m1 =8:206"},
    {"DS", P6 | P7, "b8 b8 z1 b1 o8 =6:54 v8 v8 v8 v8"},
    {"DS", P8 | GFX9S, "b8 b8 m1 o8 m1 =6:54 v8 v8 v8 v8"},
    {"DS", GE10, "b8 b8 z1 m1 o8 =6:54 v8 v8 v8 v8"},
    {"FLAT", P7 | P8, "z16 b1 b1 o7 z1 =6:55 v8 v8 z7 b1 v8"},
    {"FLAT", GFX9S, "b13 b1 b2 b1 b1 o7 m1 =6:55 v8 v8 s7 m1 v8"},
    {"FLAT", P10, "b12 b1 b1 b2 b1 b1 o7 z1 =6:55 v8 v8 s7 z1 v8"},
    {"FLAT", P11, "b13 b1 b1 b1 b2 o7 z1 =6:55 v8 v8 s7 m1 v8"},
    {"FLAT", GE12, "s7 m1 z6 o8 z2 b2 =6:59 v8 z9 m1 b2 b3 v8 z1 v8 b24"},
    {"MUBUF", P6 | P7, "b12 b1 b1 b1 m1 m1 z1 o7 z1 =6:56 v8 v8 s5 z1 b1 m1 s8"},
    {"MUBUF", P8, "b12 b1 b1 b1 z1 m1 b1 o7 z1 =6:56 v8 v8 s5 z2 m1 s8"},
    {"MUBUF", GFX9S, "b12 b1 b1 b1 b1 m1 b1 o7 z1 =6:56 v8 v8 s5 z2 m1 s8"},
    {"MUBUF", P10, "b12 b1 b1 b1 b1 m1 z1 o8 =6:56 v8 v8 s5 z1 b1 m1 s8"},
    {"MUBUF", P11, "b12 b1 b1 b1 z3 o8 =6:56 v8 v8 s5 m1 b1 b1 s8"},
    {"VBUFFER", GE12, "s7 m1 z6 o8 b1 z3 =6:49 v8 z1 s9 b2 b3 b7 b1 b1 v8 b24"},
    {"MTBUF", P6 | P7, "b12 b1 b1 b1 m1 o3 b4 b3 =6:58 v8 v8 s5 z1 b1 m1 s8"},
    {"MTBUF", P8 | GFX9S, "b12 b1 b1 b1 o4 b4 b3 =6:58 v8 v8 s5 m1 b1 m1 s8"},
    {"MTBUF", P10, "b12 b1 b1 b1 b1 o3 b7 =6:58 v8 v8 s5 o1 b1 m1 s8"},
    {"MTBUF", P11, "b12 b1 b1 b1 o4 b7 =6:58 v8 v8 s5 m1 b1 b1 s8"},
    {"MIMG", P6 | P7 | P8, "z8 b4 b1 b1 b1 b1 m1 m1 o7 b1 =6:60 v8 v8 s5 s5 z5 m1"},
    {"MIMG", GFX9S, "o1 z6 b1 b4 b1 b1 b1 b1 m1 m1 o7 b1 =6:60 v8 v8 s5 s5 z5 m1"},
    {"MIMG", P10, "o1 b2 b3 z1 b1 b4 b1 b1 b1 b1 m1 m1 o7 b1 =6:60 v8 v8 s5 s5 z3 z1 m1 m1"},
    {"MIMG", P11, "b1 z1 b3 z2 b1 b4 b1 b1 b1 z1 m1 m1 o8 =6:60 v8 v8 s5 b1 b1 z3 s5 z1"},
    {"VIMAGE", GE12, "b3 z1 b1 b1 b1 m1 z6 o8 b4 =6:52 v8 z1 s9 b2 b3 b1 v8 v8 v8 v8 v8"},
    {"VSAMPLE", GE12, "b3 b1 b1 b1 b1 m1 z5 b1 o8 b4 =6:57 v8 b1 s9 b2 b3 s9 v8 v8 v8 v8"},
    {"EXP", P8 | GFX9S, "b4 b6 b1 b1 b1 z13 =6:49 v8 v8 v8 v8"},
    {"EXP", (ALL & ~(P8 | GFX9S)), "b4 b6 m1 b1 m1 b1 z12 =6:62 v8 v8 v8 v8"},
};
const size_t format_count = sizeof formats / sizeof *formats;

uint32_t rng_next(struct rng *rng)
{
    /* splitmix64 */
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 16);
}

uint32_t rng_below(struct rng *rng, uint32_t n)
{
    return rng_next(rng) % n;
}

/* Scalar sources where something changes: end of the SGPRs, VCC, ttmp, M0 and
 * NULL, EXEC, both ends of the inline constants, float constants, special
 * values, and all the markers (SDWA, DPP, DPP8, literals). */
static uint32_t scalar_value(struct rng *rng, unsigned bits)
{
    uint32_t v;

    switch (rng_below(rng, 8)) {
    case 0: v = rng_below(rng, 108); break;
    case 1: v = 98 + rng_below(rng, 32); break;
    case 2: v = 124 + rng_below(rng, 6); break;
    case 3: v = 188 + rng_below(rng, 26); break;
    case 4: v = 208 + rng_below(rng, 48); break;
    case 5: v = 232 + rng_below(rng, 24); break;
    case 6: v = rng_below(rng, 32) * 4; break;
    default: v = rng_next(rng); break;
    }
    if (bits == 9 && rng_below(rng, 3) == 0) {
        v = 256 + (rng_below(rng, 2) ? rng_below(rng, 256) : rng_below(rng, 128) * 2);
    } else if (bits == 7 && rng_below(rng, 4) == 0) {
        v = 100 + rng_below(rng, 28);
    } else if (bits < 7) {
        v = rng_next(rng);
    }
    return v & ((1u << bits) - 1);
}

static uint32_t field_value(struct rng *rng, char kind, unsigned bits)
{
    static const uint8_t edge[] = {0, 1, 2, 126, 126, 127, 128, 129, 252, 253, 254, 255}; /* 126: EXEC */
    uint32_t all = bits < 32 ? (1u << bits) - 1 : 0xffffffffu;

    switch (kind) {
    case 's': return scalar_value(rng, bits);
    case 'v':
        switch (rng_below(rng, 4)) {
        case 0: return edge[rng_below(rng, sizeof edge)] & all;
        case 1: return (rng_next(rng) & ~1u) & all;
        default: return rng_next(rng) & all;
        }
    case 'm': return rng_below(rng, 2) ? rng_next(rng) & all : 0;
    case 'z': return rng_below(rng, 12) == 0 ? rng_next(rng) & all : 0;
    default:
        switch (rng_below(rng, 8)) {
        case 0: return 0;
        case 1: return all;
        default: return rng_next(rng) & all;
        }
    }
}

/* A word that may stand behind an instruction: literal, DPP or SDWA control. */
static uint32_t extra_word(struct rng *rng)
{
    static const uint32_t literals[] = {
        0,          1,          64,         65,         0xffffffff, 0xfffffff0, 0xffffffef, 0x3f000000, 0x3f800000,
        0xbf800000, 0x40000000, 0x40800000, 0xc0800000, 0x3e22f983, 0x00003c00, 0x0000bc00, 0x00003118, 0x3c003c00,
        0x00003f80, 0x3f803f80, 0x3fc45f30, 0x6dc9c882, 0x3ff00000, 0xbff00000, 0x00010000, 0x0000ffff, 0x7fffffff,
        0x80000000, 0x12345678, 0x3f717273, 0xaf123456, 0x0000fe0b, 0x01020304,
    };
    static const uint16_t dpp_ctrl[] = {0x00, 0xe4, 0x1b, 0xff, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f, 0x130,
                                        0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143, 0x150, 0x15f, 0x160, 0x16f};
    uint32_t v;

    switch (rng_below(rng, 4)) {
    case 0: return literals[rng_below(rng, sizeof literals / sizeof *literals)];
    case 1: return rng_next(rng);
    case 2: /* DPP16 */
        v = rng_below(rng, 256);
        v |= (rng_below(rng, 4) ? dpp_ctrl[rng_below(rng, sizeof dpp_ctrl / sizeof *dpp_ctrl)] : rng_below(rng, 512)) << 8;
        v |= (rng_below(rng, 8) == 0) << 17;
        v |= rng_below(rng, 4) << 18;
        v |= field_value(rng, 'm', 4) << 20;
        v |= (rng_below(rng, 2) ? 0xffu : rng_below(rng, 256)) << 24;
        return v;
    default: /* SDWA */
        v = rng_below(rng, 2) ? rng_below(rng, 256) : rng_below(rng, 128);
        v |= rng_below(rng, 7) << 8;
        v |= rng_below(rng, 3) << 11;
        v |= field_value(rng, 'm', 3) << 13;
        v |= rng_below(rng, 7) << 16;
        v |= field_value(rng, 'm', 3) << 19;
        v |= field_value(rng, 'm', 1) << 23;
        v |= rng_below(rng, 7) << 24;
        v |= field_value(rng, 'm', 3) << 27;
        v |= field_value(rng, 'm', 1) << 31;
        return v;
    }
}

/* Next token of a field list: kind, width and, for '=', the fixed value. */
static bool next_field(const char **at, char *kind, unsigned *bits, unsigned *value)
{
    const char *p = *at;
    char *end;

    while (*p == ' ') {
        p++;
    }
    if (!*p) {
        return false;
    }
    *kind = *p++;
    *bits = (unsigned)strtoul(p, &end, 10);
    *value = *end == ':' ? (unsigned)strtoul(end + 1, &end, 10) : 0;
    *at = end;
    return true;
}

unsigned format_opcodes(const struct format *format)
{
    const char *at = format->fields;
    unsigned bits, value, total = 0;
    char kind;

    while (next_field(&at, &kind, &bits, &value)) {
        total += kind == 'o' ? bits : 0;
    }
    return 1u << total;
}

void format_fill(const struct format *format, unsigned opcode, struct rng *rng, uint32_t words[VECTOR_WORDS])
{
    const char *at = format->fields;
    unsigned bits, value, pos = 0;
    char kind;
    /* How many quarters of the fields are zero in this vector. */
    unsigned sparse = rng_below(rng, 4);

    memset(words, 0, VECTOR_WORDS * sizeof *words);
    while (next_field(&at, &kind, &bits, &value)) {
        uint64_t v = value;

        if (kind == 'o') {
            v = opcode & ((1u << bits) - 1);
            opcode >>= bits;
        } else if (kind != '=') {
            v = field_value(rng, kind, bits);
            if (rng_below(rng, 4) < sparse) {
                v = kind == 's' && bits >= 7 && rng_below(rng, 8) == 0 ? 124 : 0;
            }
        }
        v <<= pos % 32;
        words[pos / 32] |= (uint32_t)v;
        if (v >> 32) {
            words[pos / 32 + 1] |= (uint32_t)(v >> 32);
        }
        pos += bits;
    }
    for (unsigned i = pos / 32; i < VECTOR_WORDS; i++) {
        words[i] = extra_word(rng);
    }
}

void format_vary(const struct format *format, const uint32_t base[VECTOR_WORDS], struct rng *rng, uint32_t words[VECTOR_WORDS])
{
    const char *at = format->fields;
    unsigned bits, value, pos = 0;
    char kind;

    while (next_field(&at, &kind, &bits, &value)) {
        bool keep = rng_below(rng, 6) != 0;

        for (unsigned i = pos; keep && i < pos + bits; i++) {
            words[i / 32] = (words[i / 32] & ~(1u << i % 32)) | (base[i / 32] & (1u << i % 32));
        }
        pos += bits;
    }
    for (unsigned i = pos / 32; i < VECTOR_WORDS; i++) {
        words[i] = rng_below(rng, 2) ? base[i] : words[i];
    }
}

/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/int16.c - 16-bit integers, single and packed.
 *
 * AMD's ISA documents, vector ALU and VOP3P chapters.  Handlers read the low half of their
 * sources and write zeros above the result: modified.c merges it where the other half is kept.
 * Packed sources come with their halves already chosen.
 */
#include "exec/lanes/lanes.h"

co_family CO_LANES_NAME(co_family_int16);

#define H(x) ((uint32_t)(x) & 0xffffu)
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))

static inline uint32_t sat_i(int32_t x) { return H(x > 32767 ? 32767 : x < -32768 ? -32768 : x); }
static inline uint32_t sat_u(int32_t x) { return x < 0 ? 0 : x > 65535 ? 65535u : (uint32_t)x; }
static inline uint32_t sat_u64(uint64_t x) { return x > 65535 ? 65535u : (uint32_t)x; }
static inline uint32_t sat_i64(int64_t x) { return H(x > 32767 ? 32767 : x < -32768 ? -32768 : x); }

#define ONE16(name, type, expr) LANES1(name, type, H(expr))
/* A single form (S), a packed one (P), or both of the same expression. */
#define OF2(name, type, expr) static inline uint32_t name##_of(type a, type b) { return H(expr); }
#define OF3(name, type, expr) static inline uint32_t name##_of(type a, type b, type c) { return H(expr); }
#define ALONE2(name, type) LANES2(name, uint32_t, name##_of((type)a, (type)b))
#define ALONE3(name, type) LANES3(name, uint32_t, name##_of((type)a, (type)b, (type)c))
#define PAIR2(name, type) LANES2(pk_##name, uint32_t, name##_of((type)a, (type)b) | name##_of((type)(a >> 16), (type)(b >> 16)) << 16)
#define PAIR3(name, type) \
    LANES3(pk_##name, uint32_t, \
           name##_of((type)a, (type)b, (type)c) | name##_of((type)(a >> 16), (type)(b >> 16), (type)(c >> 16)) << 16)
#define TWO16S(name, type, expr) OF2(name, type, expr) ALONE2(name, type)
#define TWO16(name, type, expr) OF2(name, type, expr) ALONE2(name, type) PAIR2(name, type)
#define THREE16S(name, type, expr) OF3(name, type, expr) ALONE3(name, type)
#define THREE16P(name, type, expr) OF3(name, type, expr) PAIR3(name, type)
#define THREE16(name, type, expr) OF3(name, type, expr) ALONE3(name, type) PAIR3(name, type)

TWO16(add, uint16_t, a + b)
TWO16(sub, uint16_t, a - b)
TWO16S(subrev, uint16_t, b - a)
TWO16(add_sat_u, uint16_t, sat_u(a + b))
TWO16(sub_sat_u, uint16_t, sat_u(a - b))
TWO16S(subrev_sat_u, uint16_t, sat_u(b - a))
TWO16(add_sat_i, int16_t, sat_i(a + b))
TWO16(sub_sat_i, int16_t, sat_i(a - b))
TWO16(mul_lo, uint16_t, (uint32_t)a * b)
TWO16(min_i, int16_t, MIN(a, b))
TWO16(max_i, int16_t, MAX(a, b))
TWO16(min_u, uint16_t, MIN(a, b))
TWO16(max_u, uint16_t, MAX(a, b))
TWO16(lshlrev, uint16_t, (uint32_t)b << (a & 15))
TWO16(lshrrev, uint16_t, b >> (a & 15))
TWO16(ashrrev, int16_t, b >> (a & 15))
TWO16S(and, uint16_t, a & b)
TWO16S(or, uint16_t, a | b)
TWO16S(xor, uint16_t, a ^ b)
THREE16(mad, uint16_t, (uint32_t)a * b + c)
THREE16(mad_sat_u, uint16_t, sat_u64((uint64_t)a * b + c))
THREE16(mad_sat_i, int16_t, sat_i64((int64_t)a * b + c))
THREE16(min3_i, int16_t, MIN(MIN(a, b), c))
THREE16(max3_i, int16_t, MAX(MAX(a, b), c))
THREE16S(med3_i, int16_t, MAX(MIN(a, b), MIN(MAX(a, b), c)))
THREE16(min3_u, uint16_t, MIN(MIN(a, b), c))
THREE16(max3_u, uint16_t, MAX(MAX(a, b), c))
THREE16S(med3_u, uint16_t, MAX(MIN(a, b), MIN(MAX(a, b), c)))
/* The sum saturates whether the clamp bit is set or not. */
THREE16P(add_max_sat_i, int16_t, MAX((int16_t)sat_i(a + b), c))
THREE16P(add_min_sat_i, int16_t, MIN((int16_t)sat_i(a + b), c))
THREE16P(add_max_sat_u, uint16_t, MAX((uint16_t)sat_u(a + b), c))
THREE16P(add_min_sat_u, uint16_t, MIN((uint16_t)sat_u(a + b), c))

ONE16(mov, uint16_t, a)
ONE16(not, uint16_t, ~(uint32_t)a)
LANES2(pack, uint32_t, H(a) | b << 16)
LANES1(sext, int16_t, (int32_t)a)
LANES1(zext, uint16_t, a)

LANE_HANDLER(cndmask)
{
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1);
    uint32_t *d = w->v[op->dst], pick[CO_LANES_MAX];
    const uint32_t *m = w->mask;
    co_expand(pick, co_mask_src(w, &op->src[2]), w->lanes);
    EACH_LANE(i, w) d[i] = (H(pick[i] ? pb[i] : pa[i]) & m[i]) | (d[i] & ~m[i]);
    return CO_NEXT;
}

/* The truth table is op->imm; a counts 4, b 2, c 1. */
LANE_HANDLER(bitop3)
{
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1), *pc = co_row(w, op, 2), *m = w->mask;
    uint32_t *d = w->v[op->dst];
    for (unsigned i = 0; i < w->lanes; i++) {
        uint32_t r = 0;
        for (unsigned k = 0; k < 8; k++)
            if (op->imm >> k & 1)
                r |= (k & 4 ? pa[i] : ~pa[i]) & (k & 2 ? pb[i] : ~pb[i]) & (k & 1 ? pc[i] : ~pc[i]);
        d[i] = (H(r) & m[i]) | (d[i] & ~m[i]);
    }
    return CO_NEXT;
}

static enum codeobj_status build_bitop3(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = co_build_vector(b, inst, op);
    op->imm = inst->mod.bitop3;
    return status;
}

#define V(sem, fn) CO_ROW(CO_SEM_##sem, co_build_vector, fn, NULL, 0, false)
#define VC(sem, fn, clamped) CO_ROW(CO_SEM_##sem, co_build_vector, fn, clamped, 0, false)

void CO_LANES_NAME(co_family_int16)(struct co_sem_row *rows)
{
    VC(v_add_u16, add, add_sat_u), VC(v_sub_u16, sub, sub_sat_u), VC(v_subrev_u16, subrev, subrev_sat_u),
    VC(v_add_i16, add, add_sat_i), VC(v_sub_i16, sub, sub_sat_i), V(v_mul_lo_u16, mul_lo), V(v_min_i16, min_i),
    V(v_max_i16, max_i), V(v_min_u16, min_u), V(v_max_u16, max_u), V(v_lshlrev_b16, lshlrev), V(v_lshrrev_b16, lshrrev),
    V(v_ashrrev_i16, ashrrev), V(v_and_b16, and), V(v_or_b16, or), V(v_xor_b16, xor),
    VC(v_mad_u16, mad, mad_sat_u), VC(v_mad_i16, mad, mad_sat_i), VC(v_mad_legacy_u16, mad, mad_sat_u),
    VC(v_mad_legacy_i16, mad, mad_sat_i), V(v_min3_i16, min3_i), V(v_max3_i16, max3_i), V(v_med3_i16, med3_i),
    V(v_min3_u16, min3_u), V(v_max3_u16, max3_u), V(v_med3_u16, med3_u), V(v_mov_b16, mov), V(v_not_b16, not),
    V(v_pack_b32_f16, pack), V(v_cvt_i32_i16, sext), V(v_cvt_u32_u16, zext), V(v_cndmask_b16, cndmask),
    CO_ROW(CO_SEM_v_bitop3_b16, build_bitop3, bitop3, NULL, 0, false),
    VC(v_pk_add_u16, pk_add, pk_add_sat_u), VC(v_pk_sub_u16, pk_sub, pk_sub_sat_u), VC(v_pk_add_i16, pk_add, pk_add_sat_i),
    VC(v_pk_sub_i16, pk_sub, pk_sub_sat_i), V(v_pk_mul_lo_u16, pk_mul_lo), V(v_pk_min_i16, pk_min_i),
    V(v_pk_max_i16, pk_max_i), V(v_pk_min_u16, pk_min_u), V(v_pk_max_u16, pk_max_u), V(v_pk_lshlrev_b16, pk_lshlrev),
    V(v_pk_lshrrev_b16, pk_lshrrev), V(v_pk_ashrrev_i16, pk_ashrrev), VC(v_pk_mad_u16, pk_mad, pk_mad_sat_u),
    VC(v_pk_mad_i16, pk_mad, pk_mad_sat_i), V(v_pk_min3_i16, pk_min3_i), V(v_pk_max3_i16, pk_max3_i),
    V(v_pk_min3_u16, pk_min3_u), V(v_pk_max3_u16, pk_max3_u), VC(v_pk_add_max_i16, pk_add_max_sat_i, pk_add_max_sat_i),
    VC(v_pk_add_min_i16, pk_add_min_sat_i, pk_add_min_sat_i), VC(v_pk_add_max_u16, pk_add_max_sat_u, pk_add_max_sat_u),
    VC(v_pk_add_min_u16, pk_add_min_sat_u, pk_add_min_sat_u);
}

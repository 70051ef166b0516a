/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/int32.c - 32-bit integers: moves, logic, shifts, sums, products, fields, bytes.
 *
 * AMD's ISA documents, vector ALU instruction chapters.  The carry and 64-bit forms are
 * in int64.c, 16-bit and packed ones in int16.c.
 */
#include "exec/fp.h"
#include "exec/lanes/lanes.h"

co_family CO_LANES_NAME(co_family_int32);

/* ---- moves, logic, shifts ------------------------------------------------------------ */

LANES1(mov, uint32_t, a)
LANES1(not, uint32_t, ~a)
LANES2(and, uint32_t, a & b)
LANES2(or, uint32_t, a | b)
LANES2(xor, uint32_t, a ^ b)
LANES2(xnor, uint32_t, ~(a ^ b))
LANES3(or3, uint32_t, a | b | c)
LANES3(xor3, uint32_t, a ^ b ^ c)
LANES3(and_or, uint32_t, (a & b) | c)
LANES3(bfi, uint32_t, (a & b) | (~a & c))
LANES2(lshlrev, uint32_t, b << (a & 31))
LANES2(lshrrev, uint32_t, b >> (a & 31))
LANES2(ashrrev, uint32_t, (int32_t)b >> (a & 31))
LANES2(lshl, uint32_t, a << (b & 31))
LANES2(lshr, uint32_t, a >> (b & 31))
LANES2(ashr, uint32_t, (int32_t)a >> (b & 31))
LANES3(lshl_or, uint32_t, a << (b & 31) | c)
LANES3(lshl_add, uint32_t, (a << (b & 31)) + c)
LANES3(add_lshl, uint32_t, (a + b) << (c & 31))
LANES3(xad, uint32_t, (a ^ b) + c)
LANES2(bfm, uint32_t, ((1u << (a & 31)) - 1) << (b & 31))
/* A field of width 0 is 0. */
LANES3(bfe_u, uint32_t, a >> (b & 31) & ((1u << (c & 31)) - 1))

static inline uint32_t field_signed(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t width = c & 31, x = a >> (b & 31), sign = width ? 1u << (width - 1) : 0, mask = (1u << width) - 1;
    /* A field that sticks out at the top is filled with the register's sign. */
    uint32_t filled = (uint32_t)((int32_t)a >> (b & 31));
    x = (b & 31) + width > 31 ? filled : x;
    return width ? ((x & mask) ^ sign) - sign : 0;
}
LANES3(bfe_i, uint32_t, field_signed(a, b, c))

/* The truth table is op->imm; a counts 4, b 2, c 1. */
LANE_HANDLER(bitop3)
{
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1), *pc = co_row(w, op, 2), *m = w->mask;
    uint32_t *d = w->v[op->dst], t[8];
    for (unsigned k = 0; k < 8; k++)
        t[k] = op->imm >> k & 1 ? ~0u : 0;
    EACH_LANE(i, w)
    {
        uint32_t a = pa[i], b = pb[i], c = pc[i];
        uint32_t r = (~a & ((~b & ((~c & t[0]) | (c & t[1]))) | (b & ((~c & t[2]) | (c & t[3]))))) |
                     (a & ((~b & ((~c & t[4]) | (c & t[5]))) | (b & ((~c & t[6]) | (c & t[7])))));
        d[i] = (r & m[i]) | (d[i] & ~m[i]);
    }
    return CO_NEXT;
}

LANES3(alignbit, uint32_t, (((uint64_t)a << 32 | b) >> (c & 31)))
LANES3(alignbyte, uint32_t, (((uint64_t)a << 32 | b) >> (8 * (c & 3))))

static inline uint32_t reverse(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}
LANES1(bfrev, uint32_t, reverse(a))
LANES1(ffbh_u, uint32_t, a ? __builtin_clz(a) : -1)
LANES1(ffbl, uint32_t, a ? __builtin_ctz(a) : -1)
LANES1(ffbh_i, uint32_t, a ^ (uint32_t)((int32_t)a >> 31) ? __builtin_clz(a ^ (uint32_t)((int32_t)a >> 31)) : -1)
LANES2(bcnt, uint32_t, (uint32_t)__builtin_popcount(a) + b)
LANES1(prng, uint32_t, co_prng(a))

static inline uint32_t permuted_byte(uint64_t data, uint32_t sel)
{
    if (sel >= 13)
        return 0xff;
    if (sel == 12)
        return 0;
    if (sel >= 8) /* the sign of every other byte, from byte 1 up */
        return data >> (16 * (sel - 8) + 15) & 1 ? 0xff : 0;
    return data >> (8 * sel) & 0xff;
}
static inline uint32_t permute_bytes(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t data = (uint64_t)a << 32 | b;
    return permuted_byte(data, c & 0xff) | permuted_byte(data, c >> 8 & 0xff) << 8 | permuted_byte(data, c >> 16 & 0xff) << 16 |
           permuted_byte(data, c >> 24) << 24;
}
LANES3(perm, uint32_t, permute_bytes(a, b, c))

/* ---- sums -------------------------------------------------------------------------------- */

static inline uint32_t sat_u(uint64_t x) { return x > UINT32_MAX ? UINT32_MAX : (uint32_t)x; }
static inline uint32_t sat_i(int64_t x) { return x > INT32_MAX ? (uint32_t)INT32_MAX : x < INT32_MIN ? 0x80000000u : (uint32_t)x; }

LANES2(add, uint32_t, a + b)
LANES2(sub, uint32_t, a - b)
LANES2(subrev, uint32_t, b - a)
LANES2(add_sat_u, uint32_t, a + b < a ? UINT32_MAX : a + b)
LANES2(sub_sat_u, uint32_t, a < b ? 0 : a - b)
LANES2(subrev_sat_u, uint32_t, b < a ? 0 : b - a)
LANES2(add_sat_i, int32_t, sat_i((int64_t)a + b))
LANES2(sub_sat_i, int32_t, sat_i((int64_t)a - b))
LANES3(add3, uint32_t, a + b + c)

LANES2(min_i, int32_t, a < b ? a : b)
LANES2(max_i, int32_t, a > b ? a : b)
LANES2(min_u, uint32_t, a < b ? a : b)
LANES2(max_u, uint32_t, a > b ? a : b)
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
LANES3(min3_i, int32_t, MIN(MIN(a, b), c))
LANES3(max3_i, int32_t, MAX(MAX(a, b), c))
LANES3(med3_i, int32_t, MAX(MIN(a, b), MIN(MAX(a, b), c)))
LANES3(min3_u, uint32_t, MIN(MIN(a, b), c))
LANES3(max3_u, uint32_t, MAX(MAX(a, b), c))
LANES3(med3_u, uint32_t, MAX(MIN(a, b), MIN(MAX(a, b), c)))
LANES3(minmax_i, int32_t, MAX(MIN(a, b), c))
LANES3(maxmin_i, int32_t, MIN(MAX(a, b), c))
LANES3(minmax_u, uint32_t, MAX(MIN(a, b), c))
LANES3(maxmin_u, uint32_t, MIN(MAX(a, b), c))
/* gfx1250: the sum is not clamped by itself. */
/* The sum saturates whether the clamp bit is set or not. */
LANES3(add_max_sat_i, int32_t, MAX((int32_t)sat_i((int64_t)a + b), c))
LANES3(add_min_sat_i, int32_t, MIN((int32_t)sat_i((int64_t)a + b), c))
LANES3(add_max_sat_u, uint32_t, MAX(sat_u((uint64_t)a + b), c))
LANES3(add_min_sat_u, uint32_t, MIN(sat_u((uint64_t)a + b), c))

/* ---- products ------------------------------------------------------------------------------ */

#define I24(x) ((int32_t)((uint32_t)(x) << 8) >> 8)
#define U24(x) ((uint32_t)(x) & 0xffffffu)
LANES2(mul_lo, uint32_t, a * b)
LANES2(mul_hi_u, uint32_t, (uint64_t)a * b >> 32)
LANES2(mul_hi_i, int32_t, (uint64_t)((int64_t)a * b) >> 32)
LANES2(mul_i24, uint32_t, (uint32_t)I24(a) * (uint32_t)I24(b))
LANES2(mul_u24, uint32_t, U24(a) * U24(b))
LANES2(mul_hi_i24, uint32_t, (uint64_t)((int64_t)I24(a) * I24(b)) >> 32)
LANES2(mul_hi_u24, uint32_t, (uint64_t)U24(a) * U24(b) >> 32)
LANES3(mad_i24, uint32_t, (uint32_t)I24(a) * (uint32_t)I24(b) + c)
LANES3(mad_u24, uint32_t, U24(a) * U24(b) + c)
LANES3(mad_i24_sat, uint32_t, sat_i((int64_t)I24(a) * I24(b) + (int32_t)c))
LANES3(mad_u24_sat, uint32_t, sat_u((uint64_t)U24(a) * U24(b) + c))
LANES3(mad_u, uint32_t, a * b + c)
LANES3(mad_i32_i16, uint32_t, (uint32_t)((int16_t)a * (int16_t)b) + c)
LANES3(mad_u32_u16, uint32_t, (a & 0xffff) * (b & 0xffff) + c)
LANES3(mad_i32_i16_sat, uint32_t, sat_i((int64_t)((int16_t)a * (int16_t)b) + (int32_t)c))
LANES3(mad_u32_u16_sat, uint32_t, sat_u((uint64_t)(a & 0xffff) * (b & 0xffff) + c))

/* ---- bytes ------------------------------------------------------------------------------------ */

static inline uint32_t absdiff(uint32_t x, uint32_t y) { return x > y ? x - y : y - x; }
static inline uint32_t sad4(uint32_t a, uint32_t b)
{
    return absdiff(a & 255, b & 255) + absdiff(a >> 8 & 255, b >> 8 & 255) + absdiff(a >> 16 & 255, b >> 16 & 255) +
           absdiff(a >> 24, b >> 24);
}
/* Bytes of b that are 0 do not count. */
static inline uint32_t msad4(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (unsigned k = 0; k < 32; k += 8)
        sum += b >> k & 255 ? absdiff(a >> k & 255, b >> k & 255) : 0;
    return sum;
}
static inline uint32_t lerp4(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < 32; k += 8)
        r |= ((a >> k & 255) + (b >> k & 255) + (c >> k & 1)) >> 1 << k;
    return r;
}
LANES3(sad_u8, uint32_t, sad4(a, b) + c)
LANES3(sad_hi_u8, uint32_t, (sad4(a, b) << 16) + c)
LANES3(sad_u16, uint32_t, absdiff(a & 0xffff, b & 0xffff) + absdiff(a >> 16, b >> 16) + c)
LANES3(sad_u32, uint32_t, absdiff(a, b) + c)
LANES3(sad_u8_sat, uint32_t, sat_u((uint64_t)sad4(a, b) + c))
LANES3(sad_hi_u8_sat, uint32_t, sat_u(((uint64_t)sad4(a, b) << 16) + c))
LANES3(sad_u16_sat, uint32_t, sat_u((uint64_t)absdiff(a & 0xffff, b & 0xffff) + absdiff(a >> 16, b >> 16) + c))
LANES3(sad_u32_sat, uint32_t, sat_u((uint64_t)absdiff(a, b) + c))
LANES3(msad_u8, uint32_t, msad4(a, b) + c)
LANES3(msad_u8_sat, uint32_t, sat_u((uint64_t)msad4(a, b) + c))
LANES3(lerp, uint32_t, lerp4(a, b, c))

/* Four windows of four bytes each, a byte apart, against b; sums of 16 bits. */
static inline uint64_t qsad(uint64_t a, uint32_t b, uint64_t c, bool masked, bool saturate)
{
    uint64_t r = 0;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t window = (uint32_t)(a >> (8 * k));
        uint32_t sum = (masked ? msad4(window, b) : sad4(window, b)) + (uint32_t)(c >> (16 * k) & 0xffff);
        if (saturate && sum > 0xffff)
            sum = 0xffff;
        r |= (uint64_t)(sum & 0xffff) << (16 * k);
    }
    return r;
}
static int run_qsad(struct co_wave *w, const struct co_op *op, bool masked, bool saturate)
{
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1), *pc = co_row(w, op, 2);
    uint32_t *d = w->v[op->dst];
    for (unsigned i = 0; i < w->lanes; i++)
        co_wide_put(d, i, w->mask[i], qsad(co_wide(pa, i), pb[i], co_wide(pc, i), masked, saturate));
    return CO_NEXT;
}
LANE_HANDLER(qsad_u16) { return run_qsad(w, op, false, false); }
LANE_HANDLER(qsad_u16_sat) { return run_qsad(w, op, false, true); }
LANE_HANDLER(mqsad_u16) { return run_qsad(w, op, true, false); }
LANE_HANDLER(mqsad_u16_sat) { return run_qsad(w, op, true, true); }
static int run_mqsad32(struct co_wave *w, const struct co_op *op, bool saturate)
{
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1), *pc = co_row(w, op, 2);
    for (unsigned i = 0; i < w->lanes; i++) {
        uint64_t a = co_wide(pa, i);
        uint32_t r[4];
        for (unsigned k = 0; k < 4; k++) {
            uint64_t sum = (uint64_t)msad4((uint32_t)(a >> (8 * k)), pb[i]) + pc[k * CO_LANES_MAX + i];
            r[k] = saturate ? sat_u(sum) : (uint32_t)sum;
        }
        for (unsigned k = 0; w->mask[i] && k < 4; k++)
            w->v[op->dst + k][i] = r[k];
    }
    return CO_NEXT;
}
LANE_HANDLER(mqsad_u32) { return run_mqsad32(w, op, false); }
LANE_HANDLER(mqsad_u32_sat) { return run_mqsad32(w, op, true); }

static inline uint32_t sat_byte(int32_t x, int32_t lo, int32_t hi) { return (uint32_t)(x < lo ? lo : x > hi ? hi : x) & 0xff; }
LANES1(sat_pk_u8_i16, uint32_t, sat_byte((int16_t)a, 0, 255) | sat_byte((int16_t)(a >> 16), 0, 255) << 8)
static inline uint32_t sat_nibbles(uint32_t a, bool sign)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t byte = a >> (8 * k) & 255;
        const uint32_t nibble = sign ? (uint32_t)((int8_t)byte < -8 ? -8 : (int8_t)byte > 7 ? 7 : (int8_t)byte) & 15
                                     : byte > 15 ? 15 : byte;
        r |= nibble << (4 * k);
    }
    return r;
}
LANES1(sat_pk4_i4, uint32_t, sat_nibbles(a, true))
LANES1(sat_pk4_u4, uint32_t, sat_nibbles(a, false))
LANES3(ashr_pk_i8, uint32_t, sat_byte((int32_t)a >> (c & 31), -128, 127) | sat_byte((int32_t)b >> (c & 31), -128, 127) << 8)
LANES3(ashr_pk_u8, uint32_t, sat_byte((int32_t)a >> (c & 31), 0, 255) | sat_byte((int32_t)b >> (c & 31), 0, 255) << 8)

/* ---- by mask, by lane -------------------------------------------------------------------------------- */

LANE_HANDLER(cndmask)
{
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1), *m = w->mask;
    uint32_t *d = w->v[op->dst], pick[CO_LANES_MAX];
    co_expand(pick, co_mask_src(w, &op->src[2]), w->lanes);
    if (w->full)
        EACH_LANE(i, w) d[i] = (pb[i] & pick[i]) | (pa[i] & ~pick[i]);
    else
        EACH_LANE(i, w) d[i] = (((pb[i] & pick[i]) | (pa[i] & ~pick[i])) & m[i]) | (d[i] & ~m[i]);
    return CO_NEXT;
}

LANE_HANDLER(nop)
{
    (void)w;
    (void)op;
    return CO_NEXT;
}

static enum codeobj_status build_bitop3(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = co_build_vector(b, inst, op);
    op->imm = inst->mod.bitop3;
    return status;
}

/* The third input is 0. */
static enum codeobj_status build_bitop2(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = build_bitop3(b, inst, op);
    if (status == CODEOBJ_OK && op->src_count == 2) {
        op->src[2] = (struct co_src){ .kind = CO_SRC_CONST, .row = co_build_const(b, 0), .dwords = 1 };
        op->src_count = 3;
        if (!op->src[2].row)
            status = CODEOBJ_NO_MEMORY;
    }
    return status;
}

#define V(sem, fn) CO_ROW(CO_SEM_##sem, co_build_vector, fn, NULL, 0, false)
#define VC(sem, fn, clamped) CO_ROW(CO_SEM_##sem, co_build_vector, fn, clamped, 0, false)

void CO_LANES_NAME(co_family_int32)(struct co_sem_row *rows)
{
    V(v_nop, nop), V(v_pipeflush, nop), V(v_clrexcp, nop),
    V(v_mov_b32, mov), V(v_accvgpr_read_b32, mov), V(v_accvgpr_write_b32, mov), V(v_accvgpr_mov_b32, mov),
    V(v_not_b32, not), V(v_and_b32, and), V(v_or_b32, or), V(v_xor_b32, xor), V(v_xnor_b32, xnor), V(v_or3_b32, or3),
    V(v_xor3_b32, xor3), V(v_and_or_b32, and_or), V(v_bfi_b32, bfi),
    V(v_lshlrev_b32, lshlrev), V(v_lshrrev_b32, lshrrev), V(v_ashrrev_i32, ashrrev),
    V(v_lshl_b32, lshl), V(v_lshr_b32, lshr), V(v_ashr_i32, ashr),
    V(v_lshl_or_b32, lshl_or), V(v_lshl_add_u32, lshl_add), V(v_add_lshl_u32, add_lshl), V(v_xad_u32, xad),
    V(v_bfm_b32, bfm), V(v_bfe_u32, bfe_u), V(v_bfe_i32, bfe_i),
    CO_ROW(CO_SEM_v_bitop3_b32, build_bitop3, bitop3, NULL, 0, false),
    CO_ROW(CO_SEM_v_bitop2_b32, build_bitop2, bitop3, NULL, 0, false),
    V(v_alignbit_b32, alignbit), V(v_alignbyte_b32, alignbyte), V(v_bfrev_b32, bfrev), V(v_ffbh_u32, ffbh_u),
    V(v_ffbl_b32, ffbl), V(v_ffbh_i32, ffbh_i), V(v_bcnt_u32_b32, bcnt), V(v_prng_b32, prng), V(v_perm_b32, perm),
    VC(v_add_u32, add, add_sat_u), VC(v_sub_u32, sub, sub_sat_u), VC(v_subrev_u32, subrev, subrev_sat_u),
    VC(v_add_i32, add, add_sat_i), VC(v_sub_i32, sub, sub_sat_i), V(v_add3_u32, add3),
    V(v_min_i32, min_i), V(v_max_i32, max_i), V(v_min_u32, min_u), V(v_max_u32, max_u),
    V(v_min3_i32, min3_i), V(v_max3_i32, max3_i), V(v_med3_i32, med3_i), V(v_min3_u32, min3_u), V(v_max3_u32, max3_u),
    V(v_med3_u32, med3_u), V(v_minmax_i32, minmax_i), V(v_maxmin_i32, maxmin_i), V(v_minmax_u32, minmax_u),
    V(v_maxmin_u32, maxmin_u), VC(v_add_max_i32, add_max_sat_i, add_max_sat_i), VC(v_add_min_i32, add_min_sat_i, add_min_sat_i),
    VC(v_add_max_u32, add_max_sat_u, add_max_sat_u), VC(v_add_min_u32, add_min_sat_u, add_min_sat_u),
    V(v_mul_lo_u32, mul_lo), V(v_mul_lo_i32, mul_lo), V(v_mul_hi_u32, mul_hi_u), V(v_mul_hi_i32, mul_hi_i),
    VC(v_mul_i32_i24, mul_i24, mul_i24), VC(v_mul_u32_u24, mul_u24, mul_u24), V(v_mul_hi_i32_i24, mul_hi_i24),
    V(v_mul_hi_u32_u24, mul_hi_u24), VC(v_mad_i32_i24, mad_i24, mad_i24_sat), VC(v_mad_u32_u24, mad_u24, mad_u24_sat),
    V(v_mad_u32, mad_u), VC(v_mad_i32_i16, mad_i32_i16, mad_i32_i16_sat), VC(v_mad_u32_u16, mad_u32_u16, mad_u32_u16_sat),
    VC(v_sad_u8, sad_u8, sad_u8_sat), VC(v_sad_hi_u8, sad_hi_u8, sad_hi_u8_sat), VC(v_sad_u16, sad_u16, sad_u16_sat),
    VC(v_sad_u32, sad_u32, sad_u32_sat), VC(v_msad_u8, msad_u8, msad_u8_sat), V(v_lerp_u8, lerp),
    VC(v_qsad_pk_u16_u8, qsad_u16, qsad_u16_sat), VC(v_mqsad_pk_u16_u8, mqsad_u16, mqsad_u16_sat),
    VC(v_mqsad_u32_u8, mqsad_u32, mqsad_u32_sat), V(v_sat_pk_u8_i16, sat_pk_u8_i16),
    V(v_sat_pk4_i4_i8, sat_pk4_i4), V(v_sat_pk4_u4_u8, sat_pk4_u4),
    V(v_ashr_pk_i8_i32, ashr_pk_i8), V(v_ashr_pk_u8_i32, ashr_pk_u8),
    V(v_cndmask_b32, cndmask);
}

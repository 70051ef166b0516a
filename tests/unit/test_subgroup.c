/* SPDX-License-Identifier: MIT
 *
 * Cross-lane operations against values worked out by hand from the manuals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include <codeobj/subgroup.h>

#define ALL64 UINT64_MAX
#define K CODEOBJ_LANE_KEEP
#define Z CODEOBJ_LANE_ZERO

static void map_is(const struct codeobj_lane_map *map, unsigned first, unsigned count, const int8_t *want)
{
    for (unsigned i = 0; i < count; i++)
        if (map->from[first + i] != want[i])
            fail_msg("lane %u: from %d, expected %d", first + i, map->from[first + i], want[i]);
}
#define MAP_IS(map, first, ...)                                                        \
    do {                                                                               \
        static const int8_t want_[] = { __VA_ARGS__ };                                 \
        map_is(map, first, sizeof want_, want_);                                       \
    } while (0)

static struct codeobj_lane_map dpp(unsigned ctrl, unsigned rows, unsigned banks, bool bound, bool fi, uint64_t active,
                                   unsigned wave)
{
    struct codeobj_dpp d = { (uint16_t)ctrl, (uint8_t)rows, (uint8_t)banks, bound, fi };
    struct codeobj_lane_map map;
    memset(&map, 99, sizeof map);
    codeobj_dpp16_map(&d, active, wave, &map);
    return map;
}

static void dpp_quad_perm(void **state)
{
    (void)state;
    /* quad_perm:[3,0,1,1]: 3 | 0 << 2 | 1 << 4 | 1 << 6 */
    struct codeobj_lane_map m = dpp(0x53, 15, 15, false, false, ALL64, 64);
    MAP_IS(&m, 0, 3, 0, 1, 1, 7, 4, 5, 5);
    MAP_IS(&m, 60, 63, 60, 61, 61);
}

static void dpp_row_shifts(void **state)
{
    (void)state;
    struct codeobj_lane_map m = dpp(0x101, 15, 15, false, false, ALL64, 64); /* row_shl:1 */
    MAP_IS(&m, 0, 1, 2, 3);
    MAP_IS(&m, 13, 14, 15, K, 17);
    m = dpp(0x113, 15, 15, true, false, ALL64, 64); /* row_shr:3, bound_ctrl */
    MAP_IS(&m, 0, Z, Z, Z, 0, 1);
    MAP_IS(&m, 16, Z, Z, Z, 16);
    m = dpp(0x121, 15, 15, false, false, ALL64, 64); /* row_ror:1 */
    MAP_IS(&m, 0, 15, 0, 1);
    MAP_IS(&m, 48, 63, 48);
    m = dpp(0x12f, 15, 15, false, false, ALL64, 32); /* row_ror:15 is one to the left */
    MAP_IS(&m, 0, 1, 2);
    MAP_IS(&m, 15, 0, 17);
    MAP_IS(&m, 31, 16);
}

static void dpp_wave_shifts(void **state)
{
    (void)state;
    struct codeobj_lane_map m = dpp(0x130, 15, 15, false, false, ALL64, 64);
    MAP_IS(&m, 0, 1, 2);
    MAP_IS(&m, 15, 16);
    MAP_IS(&m, 62, 63, K);
    m = dpp(0x134, 15, 15, false, false, ALL64, 64);
    MAP_IS(&m, 62, 63, 0);
    m = dpp(0x138, 15, 15, true, false, ALL64, 64);
    MAP_IS(&m, 0, Z, 0, 1);
    m = dpp(0x13c, 15, 15, false, false, ALL64, 64);
    MAP_IS(&m, 0, 63, 0);
    MAP_IS(&m, 32, 31);
}

static void dpp_mirrors_and_broadcasts(void **state)
{
    (void)state;
    struct codeobj_lane_map m = dpp(0x140, 15, 15, false, false, ALL64, 64);
    MAP_IS(&m, 0, 15, 14);
    MAP_IS(&m, 31, 16);
    m = dpp(0x141, 15, 15, false, false, ALL64, 64);
    MAP_IS(&m, 0, 7, 6, 5, 4, 3, 2, 1, 0, 15);
    m = dpp(0x142, 15, 15, false, false, ALL64, 64); /* row_bcast:15 */
    MAP_IS(&m, 0, K, K);
    MAP_IS(&m, 16, 15, 15);
    MAP_IS(&m, 31, 15, 31, 31);
    MAP_IS(&m, 63, 47);
    m = dpp(0x143, 12, 15, false, false, ALL64, 64); /* row_bcast:31 row_mask:0xc */
    MAP_IS(&m, 31, K, 31);
    MAP_IS(&m, 63, 31);
    m = dpp(0x153, 15, 15, false, false, ALL64, 64); /* row_share:3, row_newbcast:3 */
    MAP_IS(&m, 0, 3, 3);
    MAP_IS(&m, 47, 35, 51);
    m = dpp(0x165, 15, 15, false, false, ALL64, 32); /* row_xmask:5 */
    MAP_IS(&m, 0, 5, 4, 7, 6, 1, 0);
    MAP_IS(&m, 16, 21);
}

static void dpp_masks(void **state)
{
    (void)state;
    /* row_mask 0xa writes rows 1 and 3; bank_mask 0x4 writes lanes 8-11 of a row. */
    struct codeobj_lane_map m = dpp(0x101, 0xa, 0x4, true, false, ALL64, 64);
    MAP_IS(&m, 8, K, K, K, K);
    MAP_IS(&m, 23, K, 25, 26, 27, 28, K);
    MAP_IS(&m, 56, 57);
    /* Masks do not touch the source: lane 27 reads lane 28, which is not written. */
    assert_int_equal(m.from[27], 28);
}

static void dpp_inactive_sources(void **state)
{
    (void)state;
    /* Lane 1 is off.  row_shr:1: lane 2 has no source. */
    struct codeobj_lane_map m = dpp(0x111, 15, 15, false, false, ~UINT64_C(2), 64);
    MAP_IS(&m, 0, K, K, K, 2);
    m = dpp(0x111, 15, 15, true, false, ~UINT64_C(2), 64);
    MAP_IS(&m, 0, Z, K, Z, 2);
    m = dpp(0x111, 15, 15, false, true, ~UINT64_C(2), 64); /* fetch inactive: only the end of the row is left */
    MAP_IS(&m, 0, K, K, 1, 2);
    m = dpp(0x111, 15, 15, true, true, ~UINT64_C(2), 64);
    MAP_IS(&m, 0, Z, K, 1, 2);
    m = dpp(0x111, 15, 15, true, true, 0, 64);
    MAP_IS(&m, 0, K, K, K, K);
}

static void dpp8_selects(void **state)
{
    (void)state;
    struct codeobj_lane_map m;
    /* dpp8:[7,6,5,4,3,2,1,0] */
    uint32_t sel = 7 | 6 << 3 | 5 << 6 | 4 << 9 | 3 << 12 | 2 << 15 | 1 << 18;
    codeobj_dpp8_map(sel, false, ~UINT64_C(0x80), 32, &m);
    MAP_IS(&m, 0, Z, 6, 5, 4, 3, 2, 1, K, 15, 14);
    codeobj_dpp8_map(sel, true, ~UINT64_C(0x80), 32, &m);
    MAP_IS(&m, 0, 7, 6, 5, 4, 3, 2, 1, K, 15, 14);
}

static void dpp_valid_by_processor(void **state)
{
    (void)state;
    const struct codeobj_processor *gfx803 = codeobj_processor_by_name("gfx803");
    const struct codeobj_processor *gfx906 = codeobj_processor_by_name("gfx906");
    const struct codeobj_processor *gfx90a = codeobj_processor_by_name("gfx90a");
    const struct codeobj_processor *gfx942 = codeobj_processor_by_name("gfx942");
    const struct codeobj_processor *gfx1030 = codeobj_processor_by_name("gfx1030");
    const struct codeobj_processor *gfx701 = codeobj_processor_by_name("gfx701");
    assert_true(codeobj_dpp_valid(0x142, gfx803));
    assert_true(codeobj_dpp_valid(0x138, gfx906));
    assert_false(codeobj_dpp_valid(0x151, gfx906));
    assert_true(codeobj_dpp_valid(0x151, gfx90a));
    assert_true(codeobj_dpp_valid(0x151, gfx942));
    assert_false(codeobj_dpp_valid(0x161, gfx942));
    assert_true(codeobj_dpp_valid(0x161, gfx1030));
    assert_false(codeobj_dpp_valid(0x142, gfx1030));
    assert_false(codeobj_dpp_valid(0x130, gfx1030));
    assert_false(codeobj_dpp_valid(0x1b, gfx701));
    assert_false(codeobj_dpp_valid(0x100, NULL)); /* a shift by 0 is not encoded */
    assert_false(codeobj_dpp_valid(0x131, NULL));
    assert_false(codeobj_dpp_valid(0x170, NULL));
}

static void one_lane(void **state)
{
    (void)state;
    uint32_t v[64];
    for (unsigned i = 0; i < 64; i++)
        v[i] = 100 + i;
    assert_int_equal(codeobj_readlane(v, 37, 64), 137);
    assert_int_equal(codeobj_readlane(v, 37, 32), 105); /* modulo the wave */
    assert_int_equal(codeobj_readfirstlane(v, 0xff00, 64), 108);
    assert_int_equal(codeobj_readfirstlane(v, 0, 64), 100);
    assert_int_equal(codeobj_readfirstlane(v, UINT64_C(1) << 40, 32), 100); /* only bits that exist */
    codeobj_writelane(v, 7, 65, 64);
    assert_int_equal(v[1], 7);
}

static void permutes_example(void **state)
{
    (void)state;
    /* The manual's example: lanes {A,B,C,D}, addresses {0,0,12,4}. */
    uint32_t addr[64] = { 0, 0, 12, 4 };
    struct codeobj_lane_map m;
    uint32_t src[64] = { 'A', 'B', 'C', 'D' }, old[64] = { '-', '-', '-', '-' }, out[64];
    codeobj_ds_bpermute_map(addr, 0, false, 0xf, 64, 64, &m);
    assert_int_equal(codeobj_lane_map_apply(&m, 64, src, old, out), 0xf);
    assert_memory_equal(out, ((uint32_t[]){ 'A', 'A', 'D', 'B' }), 16);
    codeobj_ds_bpermute_map(addr, 0, false, 0xa, 64, 64, &m);
    assert_int_equal(codeobj_lane_map_apply(&m, 64, src, old, out), 0xa);
    assert_memory_equal(out, ((uint32_t[]){ '-', 0, '-', 'B' }), 16);
    codeobj_ds_bpermute_map(addr, 0, true, 0xa, 64, 64, &m); /* fetch inactive */
    codeobj_lane_map_apply(&m, 64, src, old, out);
    assert_memory_equal(out, ((uint32_t[]){ '-', 'A', '-', 'B' }), 16);
    codeobj_ds_permute_map(addr, 0, 0xf, 64, 64, &m);
    codeobj_lane_map_apply(&m, 64, src, old, out);
    assert_memory_equal(out, ((uint32_t[]){ 'B', 'D', 0, 'C' }), 16);
    codeobj_ds_permute_map(addr, 0, 0xa, 64, 64, &m);
    codeobj_lane_map_apply(&m, 64, src, old, out);
    assert_memory_equal(out, ((uint32_t[]){ '-', 'D', '-', 0 }), 16);
}

static void permutes_wrap(void **state)
{
    (void)state;
    uint32_t addr[64];
    struct codeobj_lane_map m;
    for (unsigned i = 0; i < 64; i++)
        addr[i] = 4 * (i + 40) + 3; /* the low two bits do not count */
    codeobj_ds_bpermute_map(addr, 0, false, ALL64, 64, 64, &m);
    assert_int_equal(m.from[0], 40);
    assert_int_equal(m.from[63], 39);
    codeobj_ds_bpermute_map(addr, 0, false, ALL64, 64, 32, &m); /* two halves */
    assert_int_equal(m.from[0], 8);
    assert_int_equal(m.from[63], 32 + 7);
    codeobj_ds_bpermute_map(addr, 0xfffc, false, ALL64, 32, 32, &m); /* the offset is added before wrapping */
    assert_int_equal(m.from[0], 7);
    addr[5] = 0xfffffffc; /* 32-bit sum wraps to lane 0 */
    codeobj_ds_bpermute_map(addr, 4, false, ALL64, 32, 32, &m);
    assert_int_equal(m.from[5], 0);
    codeobj_ds_permute_map(addr, 0, ALL64, 64, 32, &m);
    assert_int_equal(m.from[32 + 8], 32); /* lane 32 sends to 72 mod 32 = 8 of its half */
    assert_int_equal(codeobj_permute_group(codeobj_processor_by_name("gfx90a"), 64), 64);
    assert_int_equal(codeobj_permute_group(codeobj_processor_by_name("gfx1030"), 64), 32);
    assert_int_equal(codeobj_permute_group(codeobj_processor_by_name("gfx1100"), 64), 32);
    assert_int_equal(codeobj_permute_group(codeobj_processor_by_name("gfx1201"), 64), 64);
    assert_int_equal(codeobj_permute_group(codeobj_processor_by_name("gfx1201"), 32), 32);
}

static void swizzles(void **state)
{
    (void)state;
    struct codeobj_lane_map m;
    codeobj_ds_swizzle_map(0x041f, true, ALL64, 64, &m); /* xor 1 */
    MAP_IS(&m, 0, 1, 0, 3, 2);
    MAP_IS(&m, 62, 63, 62);
    codeobj_ds_swizzle_map(0x401f, true, ALL64, 64, &m); /* SWAP,16 */
    MAP_IS(&m, 0, 16);
    MAP_IS(&m, 32, 48);
    codeobj_ds_swizzle_map(0x01e0, true, ALL64, 64, &m); /* BROADCAST,32,15: and 0, or 15 */
    MAP_IS(&m, 0, 15, 15);
    MAP_IS(&m, 31, 15, 47);
    codeobj_ds_swizzle_map(0x101f, true, ALL64, 64, &m); /* xor 4 */
    MAP_IS(&m, 0, 4, 5, 6, 7, 0);
    codeobj_ds_swizzle_map(0x801b, true, ALL64, 64, &m); /* QUAD_PERM,3,2,1,0 */
    MAP_IS(&m, 0, 3, 2, 1, 0, 7);
    codeobj_ds_swizzle_map(0xc020, true, ALL64, 64, &m); /* rotate by 1, mask 0: lane i reads i + 1 */
    MAP_IS(&m, 0, 1);
    MAP_IS(&m, 31, 0, 33);
    MAP_IS(&m, 63, 32);
    codeobj_ds_swizzle_map(0xc420, true, ALL64, 64, &m); /* the other way */
    MAP_IS(&m, 0, 31, 0);
    codeobj_ds_swizzle_map(0xc038, true, ALL64, 64, &m); /* by 1 within eight lanes: mask 0x18 keeps bits 4:3 */
    MAP_IS(&m, 7, 0, 9);
    codeobj_ds_swizzle_map(0xe000, true, ALL64, 64, &m); /* FFT: the manual's table has lane + 1 */
    MAP_IS(&m, 0, 0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26);
    codeobj_ds_swizzle_map(0xe010, true, ALL64, 64, &m);
    MAP_IS(&m, 0, 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15, 16, 24, 20);
    codeobj_ds_swizzle_map(0xe01f, true, ALL64, 64, &m);
    MAP_IS(&m, 0, 0, 1, 2, 3);
    codeobj_ds_swizzle_map(0xc01b, false, ALL64, 64, &m); /* gfx8: a quad permutation */
    MAP_IS(&m, 0, 3, 2, 1, 0);
    codeobj_ds_swizzle_map(0x041f, true, 0xfffe, 64, &m); /* lane 0 off */
    MAP_IS(&m, 0, K, Z, 3, 2);
}

static void permlanes(void **state)
{
    (void)state;
    struct codeobj_lane_map m;
    codeobj_permlane16_map(UINT64_C(0x0123456789abcdef), false, false, false, ALL64, 64, &m); /* reversed rows */
    MAP_IS(&m, 0, 15, 14);
    MAP_IS(&m, 16, 31);
    codeobj_permlane16_map(UINT64_C(0xfedcba9876543210), true, false, false, ALL64, 64, &m); /* swapped rows */
    MAP_IS(&m, 0, 16, 17);
    MAP_IS(&m, 16, 0);
    MAP_IS(&m, 32, 48);
    MAP_IS(&m, 63, 47);
    /* Lane 3 off: readers of it keep, get 0 (bound_ctrl) or its value (fi). */
    uint64_t off3 = ~UINT64_C(8);
    codeobj_permlane16_map(0x3333, false, false, false, off3, 32, &m);
    MAP_IS(&m, 0, K, K, K, K, 0);
    codeobj_permlane16_map(0x3333, false, false, true, off3, 32, &m);
    MAP_IS(&m, 0, Z, Z, Z, K, 0);
    codeobj_permlane16_map(0x3333, false, true, true, off3, 32, &m);
    MAP_IS(&m, 0, 3, 3, 3, K, 0);
    uint32_t sel[64];
    for (unsigned i = 0; i < 64; i++)
        sel[i] = i * 3 + 0x50;
    codeobj_permlane16_var_map(sel, true, false, false, ALL64, 32, &m);
    MAP_IS(&m, 0, 16, 19, 22);
    MAP_IS(&m, 16, 0, 3); /* 48 + 0x50 = 128, low four bits 0 */
    codeobj_permlane64_map(0xff, 64, &m);
    MAP_IS(&m, 0, 32, 33);
    MAP_IS(&m, 8, K);
    codeobj_permlane64_map(ALL64, 32, &m);
    MAP_IS(&m, 0, K);
}

static void permlane_swaps(void **state)
{
    (void)state;
    uint32_t a[64], b[64];
    for (unsigned i = 0; i < 64; i++)
        a[i] = 100 + i, b[i] = 200 + i;
    codeobj_permlane_swap(16, 64, a, b);
    assert_int_equal(a[0], 100);
    assert_int_equal(a[16], 200);
    assert_int_equal(b[0], 116);
    assert_int_equal(b[16], 216);
    assert_int_equal(a[63], 247);
    assert_int_equal(b[47], 163);
    for (unsigned i = 0; i < 64; i++)
        a[i] = 100 + i, b[i] = 200 + i;
    codeobj_permlane_swap(32, 64, a, b);
    assert_int_equal(a[31], 131);
    assert_int_equal(a[32], 200);
    assert_int_equal(b[31], 163);
    assert_int_equal(b[32], 232);
    codeobj_permlane_swap(32, 32, a, b); /* nothing to swap */
    assert_int_equal(a[0], 100);
}

static void permlane_groups(void **state)
{
    (void)state;
    struct codeobj_lane_map m;
    codeobj_permlane_group_map(CODEOBJ_PERMLANE_BCAST, 10, 8, ALL64, 32, &m);
    MAP_IS(&m, 0, 2, 2);
    MAP_IS(&m, 31, 26);
    codeobj_permlane_group_map(CODEOBJ_PERMLANE_UP, 3, 8, ALL64, 32, &m);
    MAP_IS(&m, 8, 8, 9, 10, 8, 9);
    codeobj_permlane_group_map(CODEOBJ_PERMLANE_DOWN, 3, 8, ALL64, 32, &m);
    MAP_IS(&m, 3, 6, 7, 5, 6, 7, 11);
    codeobj_permlane_group_map(CODEOBJ_PERMLANE_XOR, 9, 8, ALL64, 32, &m);
    MAP_IS(&m, 0, 0, 1);
    codeobj_permlane_group_map(CODEOBJ_PERMLANE_XOR, 9, 0, ALL64, 32, &m); /* no width: the wave */
    MAP_IS(&m, 0, 9, 8);
    uint32_t v[64], out[64] = { 0 };
    for (unsigned i = 0; i < 64; i++)
        v[i] = i * 3 + 1;
    codeobj_permlane_idx_gen(v, 8, ~UINT64_C(1), 32, out);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 4 << 2);
    assert_int_equal(out[10], (8 + 7) << 2); /* 31 mod 8 = 7 of the second eight */
}

static void masks(void **state)
{
    (void)state;
    uint32_t v[64] = { 1, 0, 2, 3 }, add[64], out[64];
    v[40] = 9;
    assert_int_equal(codeobj_ballot(v, ALL64, 64), (UINT64_C(1) << 40) | 0xd);
    assert_int_equal(codeobj_ballot(v, 0x7, 64), 0x5);
    assert_int_equal(codeobj_ballot(v, ALL64, 32), 0xd);
    for (unsigned i = 0; i < 64; i++)
        add[i] = 10, v[i] = 0xf0f00001, out[i] = 77;
    codeobj_mbcnt(false, v, add, ~UINT64_C(4), 64, out);
    assert_int_equal(out[0], 10);
    assert_int_equal(out[1], 11);
    assert_int_equal(out[2], 77);
    assert_int_equal(out[22], 13); /* bit 0 and bits 20, 21 */
    assert_int_equal(out[63], 19);
    codeobj_mbcnt(true, v, add, ALL64, 64, out);
    assert_int_equal(out[31], 10);
    assert_int_equal(out[32], 10);
    assert_int_equal(out[33], 11);
    assert_int_equal(out[63], 18); /* bit 31 is lane 63 itself */
    assert_int_equal(codeobj_wqm(0x8000000000000021), UINT64_C(0xf0000000000000ff));
    assert_int_equal(codeobj_quadmask(UINT64_C(0x8000000000000021)), 0x8003);
    assert_int_equal(codeobj_bitreplicate(0x80000005), UINT64_C(0xc000000000000033));
    assert_int_equal(codeobj_bcnt(0x8000000000000021), 3);
    codeobj_inverse_ballot(5, 0xf, 64, out);
    assert_int_equal(out[0], 1);
    assert_int_equal(out[1], 0);
    assert_int_equal(out[2], 1);
    assert_int_equal(out[4], 10);
}

static void reductions(void **state)
{
    (void)state;
    uint32_t v[64] = { 5, (uint32_t)-7, 0x80000000, 3 };
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_ADD, v, 0xb, 64), 1);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_SUB, v, 0xb, 64), (uint32_t)-1);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_MIN, v, 0xf, 64), 0x80000000);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_MAX, v, 0xf, 64), 5);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_UMIN, v, 0xf, 64), 3);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_UMAX, v, 0xf, 64), (uint32_t)-7);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_AND, v, 0x9, 64), 1);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_OR, v, 0x9, 64), 7);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_XOR, v, 0x9, 64), 6);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_ABSMAX, v, 0xb, 64), 7);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_ABSMAX, v, 0xf, 64), 0x80000000);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_AND, v, 0, 64), UINT32_MAX);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_MIN, v, 0, 64), INT32_MAX);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_MAX, v, 0, 64), 0x80000000);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_MAX, v, UINT64_C(0xf00000000), 32), 0x80000000);
    uint64_t w[64] = { UINT64_C(1) << 63, 1, 2 };
    assert_int_equal(codeobj_reduce_u64(CODEOBJ_REDUCE_MIN, w, 7, 64), UINT64_C(1) << 63);
    assert_int_equal(codeobj_reduce_u64(CODEOBJ_REDUCE_UMIN, w, 7, 64), 1);
    assert_int_equal(codeobj_reduce_u64(CODEOBJ_REDUCE_ADD, w, 7, 64), (UINT64_C(1) << 63) + 3);
    /* 1e8 + 1 - 1e8 in lane order: the 1 is lost */
    uint32_t f[64] = { 0x4cbebc20, 0x3f800000, 0xccbebc20 };
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_FADD, f, 7, 32), 0);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_FADD, f, 0, 32), 0x80000000);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_FMIN, f, 7, 32), 0xccbebc20);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_FMIN, f, 0, 32), 0x7fc00000);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_FMAX, f, 0, 32), 0x7fc00000);
    /* 0 - 1 - 1 - (-2): exact */
    uint32_t h[64] = { 0x3f800000, 0x3f800000, 0xc0000000 };
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_FSUB, h, 3, 32), 0xc0000000);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_FSUB, h, 7, 32), 0);
    assert_int_equal(codeobj_reduce_u32(CODEOBJ_REDUCE_FSUB, h, 0, 32), 0);
    uint64_t d[64] = { UINT64_C(0x3ff0000000000000), UINT64_C(0x4000000000000000), UINT64_C(0x7ff8000000000001) };
    assert_int_equal(codeobj_reduce_u64(CODEOBJ_REDUCE_FADD, d, 3, 64), UINT64_C(0x4008000000000000));
    assert_int_equal(codeobj_reduce_u64(CODEOBJ_REDUCE_FMAX, d, 7, 64), UINT64_C(0x4000000000000000));
}

static void hip_shuffles(void **state)
{
    (void)state;
    uint32_t arg[64];
    struct codeobj_lane_map m;
    for (unsigned i = 0; i < 64; i++)
        arg[i] = 3;
    codeobj_hip_shuffle_map(CODEOBJ_SHUFFLE_IDX, arg, 8, ALL64, 64, 64, &m);
    MAP_IS(&m, 7, 3, 11);
    codeobj_hip_shuffle_map(CODEOBJ_SHUFFLE_UP, arg, 8, ALL64, 64, 64, &m);
    MAP_IS(&m, 8, 8, 9, 10, 8, 9);
    codeobj_hip_shuffle_map(CODEOBJ_SHUFFLE_DOWN, arg, 8, ALL64, 64, 64, &m);
    MAP_IS(&m, 4, 7, 5, 6, 7, 11);
    for (unsigned i = 0; i < 64; i++)
        arg[i] = 8;
    codeobj_hip_shuffle_map(CODEOBJ_SHUFFLE_XOR, arg, 8, ALL64, 64, 64, &m);
    MAP_IS(&m, 0, 0);  /* 8 is beyond the first eight */
    MAP_IS(&m, 8, 0, 1); /* 0 is below the second eight: reached */
    for (unsigned i = 0; i < 64; i++)
        arg[i] = 19;
    codeobj_hip_shuffle_map(CODEOBJ_SHUFFLE_IDX, arg, 32, 0xffff0000, 32, 32, &m);
    MAP_IS(&m, 15, K, 19);
    codeobj_hip_shuffle_map(CODEOBJ_SHUFFLE_IDX, arg, 16, 0xffff0000ffff0000, 64, 64, &m);
    MAP_IS(&m, 16, 19);
    codeobj_hip_shuffle_map(CODEOBJ_SHUFFLE_IDX, arg, 32, 0xffff, 32, 32, &m); /* the source is off */
    MAP_IS(&m, 0, Z);
    codeobj_hip_shuffle_map(CODEOBJ_SHUFFLE_IDX, arg, 64, ALL64, 64, 32, &m); /* gfx10, gfx11 in wave64 */
    MAP_IS(&m, 31, 19, 51);
    uint32_t p[64] = { 1, 1, 0, 1 };
    assert_true(codeobj_hip_any(p, 0xc, 64));
    assert_false(codeobj_hip_any(p, 0x4, 64));
    assert_true(codeobj_hip_all(p, 0xb, 64));
    assert_false(codeobj_hip_all(p, 0xf, 64));
    uint64_t match[64];
    codeobj_hip_match_any(p, 0xf, 64, match);
    assert_int_equal(match[0], 0xb);
    assert_int_equal(match[2], 0x4);
    assert_int_equal(codeobj_hip_match_all(p, 0xb, 64), 0xb);
    assert_int_equal(codeobj_hip_match_all(p, 0xf, 64), 0);
    assert_int_equal(codeobj_hip_match_all(p, 0, 64), 0);
    assert_int_equal(codeobj_hip_activemask(UINT64_C(0xf0000000f), 32), 0xf);
    assert_int_equal(codeobj_hip_activemask(UINT64_C(0xf0000000f), 64), UINT64_C(0xf0000000f));
    assert_true(codeobj_hip_all(p, 0, 64));
    assert_false(codeobj_hip_any(p, 0, 64));
}

/* Lanes 0, 1 and 5 form one group, lanes 2 and 3 another one. */
static void hip_sync(void **state)
{
    (void)state;
    const uint64_t active = 0x2f;
    uint64_t mask[64] = { 0x23, 0x23, 0xc, 0xc, 0x99, 0x23 }, votes[64];
    uint32_t pred[64] = { 1, 0, 7, 1, 1, 1 }, out[64];
    assert_true(codeobj_hip_sync_valid(mask, active, 32));
    assert_true(codeobj_hip_sync_valid(mask, active, 64));
    memset(votes, 0xee, sizeof votes);
    codeobj_hip_ballot_sync(pred, mask, active, 32, votes);
    assert_int_equal(votes[0], 0x21);
    assert_int_equal(votes[1], 0x21);
    assert_int_equal(votes[2], 0xc);
    assert_int_equal(votes[4], UINT64_C(0xeeeeeeeeeeeeeeee)); /* not active */
    codeobj_hip_any_sync(pred, mask, active, 32, out);
    assert_int_equal(out[1], 1);
    codeobj_hip_all_sync(pred, mask, active, 32, out);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[3], 1);
    pred[0] = pred[5] = 0;
    codeobj_hip_any_sync(pred, mask, active, 32, out);
    assert_int_equal(out[5], 0);
    mask[3] |= UINT64_C(1) << 40; /* wave32 does not look there */
    assert_true(codeobj_hip_sync_valid(mask, active, 32));
    assert_false(codeobj_hip_sync_valid(mask, active, 64));
    mask[3] = 0x8; /* lane 2 waits for lane 3 */
    assert_false(codeobj_hip_sync_valid(mask, active, 32));
    mask[3] = 0x1c; /* lane 4 is off */
    mask[2] = 0x1c;
    assert_false(codeobj_hip_sync_valid(mask, active, 32));
    mask[2] = mask[3] = 0; /* not in its own mask */
    assert_false(codeobj_hip_sync_valid(mask, active, 32));
    assert_true(codeobj_hip_sync_valid(mask, 0, 32));
}

static void the_wave(void **state)
{
    (void)state;
    /* Work-groups of 10 x 3 x 4: work-item (7, 2, 3) is number 7 + 10 * (2 + 3 * 3) = 117. */
    const uint32_t size[3] = { 10, 3, 4 };
    assert_int_equal(codeobj_wave_id((uint32_t[]){ 7, 2, 3 }, size, 64), 1);
    assert_int_equal(codeobj_wave_id((uint32_t[]){ 7, 2, 3 }, size, 32), 3);
    assert_int_equal(codeobj_wave_id((uint32_t[]){ 31, 0, 0 }, (uint32_t[]){ 64, 0, 0 }, 32), 0);
    assert_int_equal(codeobj_wave_id((uint32_t[]){ 32, 0, 0 }, (uint32_t[]){ 64, 0, 0 }, 32), 1);
    struct codeobj_lane_map m;
    memset(&m, 5, sizeof m);
    codeobj_wave_barrier_map(0xf0, 32, &m);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(m.from[i], K);
    assert_int_equal(m.from[32], 5);
    assert_int_equal(codeobj_bcnt0(UINT64_C(0xff00000001), 32), 31);
    assert_int_equal(codeobj_bcnt0(UINT64_C(0xff00000001), 64), 55);
    assert_int_equal(codeobj_bcnt0(0, 32), 32);
}

/* A map narrowed from the full one is the map of that mask. */
static void dpp_narrowed(void **state)
{
    (void)state;
    static const unsigned ctrls[] = { 0x1b, 0x101, 0x113, 0x12f, 0x130, 0x13c, 0x141, 0x142, 0x155, 0x163 };
    uint64_t active = UINT64_C(0x0123456789abcdef);
    for (unsigned c = 0; c < sizeof ctrls / sizeof *ctrls; c++)
        for (unsigned bits = 0; bits < 8; bits++, active = active * 5 + 3) {
            const bool bound = bits & 1, fi = bits & 2;
            const unsigned wave = bits & 4 ? 64 : 32;
            struct codeobj_lane_map full = dpp(ctrls[c], 0xb, 0x7, bound, fi, ALL64, wave), narrow;
            const struct codeobj_lane_map want = dpp(ctrls[c], 0xb, 0x7, bound, fi, active, wave);
            uint64_t written = codeobj_dpp_narrow(&full, fi, bound, active, wave, &narrow);
            for (unsigned i = 0; i < wave; i++) {
                assert_int_equal(narrow.from[i], want.from[i]);
                assert_int_equal(written >> i & 1, want.from[i] != K);
            }
        }
}

static void neutral_fred(void **state)
{
    (void)state;
    uint32_t v[32] = { 0x3f800000, 0xc0400000, 0x7fc12345, 0x40000000 }, out[32]; /* 1, -3, NaN, 2 */
    memset(out, 0xee, sizeof out);
    codeobj_fred(CODEOBJ_REDUCE_FMIN, CODEOBJ_FLOAT_F32, false, false, v, 0xf, 0xffffffff, out);
    assert_int_equal(out[0], 0xc0400000);
    assert_int_equal(out[3], 0xc0400000);
    assert_int_equal(out[4], 0xeeeeeeee); /* not in the mask */
    codeobj_fred(CODEOBJ_REDUCE_FMAX, CODEOBJ_FLOAT_F32, false, false, v, 0xf, 0x3, out);
    assert_int_equal(out[0], 0x3f800000);
    assert_int_equal(out[2], 0xc0400000); /* not active: kept */
    codeobj_fred(CODEOBJ_REDUCE_FABSMAX, CODEOBJ_FLOAT_F32, false, false, v, 0xf, 0xf, out);
    assert_int_equal(out[0], 0x40400000);
    codeobj_fred(CODEOBJ_REDUCE_FMAX, CODEOBJ_FLOAT_F32, false, true, v, 0xf, 0xf, out);
    assert_int_equal(out[1], 0x7fc00000);
    codeobj_fred(CODEOBJ_REDUCE_FMAX, CODEOBJ_FLOAT_F32, false, false, v, 0x4, 0xf, out); /* all are NaN */
    assert_int_equal(out[2], 0x7fc00000);
    uint32_t z[32] = { 0x00000000, 0x80000000 };
    codeobj_fred(CODEOBJ_REDUCE_FMIN, CODEOBJ_FLOAT_F32, false, false, z, 3, 3, out);
    assert_int_equal(out[0], 0x80000000);
    codeobj_fred(CODEOBJ_REDUCE_FMAX, CODEOBJ_FLOAT_F32, false, false, z, 3, 3, out);
    assert_int_equal(out[0], 0);
    /* halves: {1.0, -2.0}, {NaN, 4.0} */
    uint32_t h[32] = { 0xc0003c00, 0x44007e01 };
    codeobj_fred(CODEOBJ_REDUCE_FMAX, CODEOBJ_FLOAT_F16, true, false, h, 3, 3, out);
    assert_int_equal(out[0], 0x44003c00);
    codeobj_fred(CODEOBJ_REDUCE_FMAX, CODEOBJ_FLOAT_F16, true, true, h, 3, 3, out);
    assert_int_equal(out[0], 0x44007e00);
    codeobj_fred(CODEOBJ_REDUCE_FMIN, CODEOBJ_FLOAT_F16, false, false, h, 1, 3, out);
    assert_int_equal(out[0], 0x3c00);
    uint32_t b[32] = { 0x00003f80, 0x0000ff81 }; /* bf16 1.0, NaN */
    codeobj_fred(CODEOBJ_REDUCE_FMAX, CODEOBJ_FLOAT_BF16, false, true, b, 3, 3, out);
    assert_int_equal(out[0], 0x7fc0);
}

static void neutral_ired(void **state)
{
    (void)state;
    uint32_t v[32] = { 0x80000000, 5, 0xfffffff0, 0x1fffe }, out[32] = { 0 };
    codeobj_ired(CODEOBJ_REDUCE_ABSMAX, 32, v, 0xf, 0xf, out);
    assert_int_equal(out[0], 0x80000000);
    codeobj_ired(CODEOBJ_REDUCE_ABSMAX, 32, v, 0xe, 0xf, out);
    assert_int_equal(out[1], 0x1fffe);
    codeobj_ired(CODEOBJ_REDUCE_ADD, 32, v, 0x6, 0xf, out);
    assert_int_equal(out[1], 0xfffffff5);
    codeobj_ired(CODEOBJ_REDUCE_ADD, 16, v, 0xe, 0xf, out); /* 5 - 16 - 2 mod 2^16 */
    assert_int_equal(out[1], 0xfff3);
    codeobj_ired(CODEOBJ_REDUCE_MIN, 16, v, 0xe, 0xf, out);
    assert_int_equal(out[1], 0xfff0);
    codeobj_ired(CODEOBJ_REDUCE_MAX, 16, v, 0xe, 0xf, out);
    assert_int_equal(out[1], 5);
    uint32_t m[32] = { 0x8000, 0x7fff };
    codeobj_ired(CODEOBJ_REDUCE_ABSMAX, 16, m, 3, 3, out);
    assert_int_equal(out[0], 0x8000);
    memset(out, 0xee, sizeof out);
    codeobj_redfirstidx(0xfff0, 0xff00, out);
    assert_int_equal(out[8], 8);
    assert_int_equal(out[15], 8);
    assert_int_equal(out[7], 0xeeeeeeee);
    codeobj_redfirstidx(0xf0, 0x0f, out); /* nobody */
    assert_int_equal(out[0], 0xeeeeeeee);
}

static void neutral_shfl(void **state)
{
    (void)state;
    struct codeobj_lane_map m;
    codeobj_shfl_map(CODEOBJ_SHUFFLE_DOWN, false, 2, UINT32_MAX, UINT32_MAX, &m);
    MAP_IS(&m, 28, 30, 31, 30, 31);
    /* offset 2, clamp 0x1d, segments of eight: clampLane = (i & 0x18) | 5 */
    codeobj_shfl_map(CODEOBJ_SHUFFLE_DOWN, true, 0x00181d02, UINT32_MAX, UINT32_MAX, &m);
    MAP_IS(&m, 0, 2, 3, 4, 5, 4, 5, 6, 7, 10);
    codeobj_shfl_map(CODEOBJ_SHUFFLE_UP, false, 3, UINT32_MAX, UINT32_MAX, &m);
    MAP_IS(&m, 0, 0, 1, 2, 0, 1);
    /* up, clamp 2, segments of eight: in bounds from lane (i & 0x18) | 2 */
    codeobj_shfl_map(CODEOBJ_SHUFFLE_UP, true, 0x00180201, UINT32_MAX, UINT32_MAX, &m);
    MAP_IS(&m, 8, 8, 9, 10, 10, 11);
    codeobj_shfl_map(CODEOBJ_SHUFFLE_XOR, false, 16, UINT32_MAX, UINT32_MAX, &m);
    MAP_IS(&m, 0, 16);
    codeobj_shfl_map(CODEOBJ_SHUFFLE_XOR, true, 0x00180f08, UINT32_MAX, UINT32_MAX, &m); /* never leaves its eight upwards */
    MAP_IS(&m, 0, 0);
    MAP_IS(&m, 8, 0);
    codeobj_shfl_map(CODEOBJ_SHUFFLE_IDX, true, 0x00181f0b, UINT32_MAX, UINT32_MAX, &m);
    MAP_IS(&m, 0, 3);
    MAP_IS(&m, 9, 11);
    /* a source that does not take part gives the lane its own value */
    codeobj_shfl_map(CODEOBJ_SHUFFLE_DOWN, false, 1, 0xfffffffd, 0xffff, &m);
    MAP_IS(&m, 0, 0, K, 3);
    MAP_IS(&m, 14, 15, 15, K);
    codeobj_shfl_map(CODEOBJ_SHUFFLE_IDX, false, 7, UINT32_MAX, UINT32_MAX, &m);
    MAP_IS(&m, 31, 7);
}

/* The source lane as the definition has it, one lane at a time. */
static int8_t shfl_source(unsigned kind, bool segmented, int offset, int clamp, int seg, uint32_t part, int lane)
{
    if (!(part >> lane & 1))
        return K;
    if (!segmented) {
        clamp = kind == CODEOBJ_SHUFFLE_UP ? 0 : 0x1f;
        seg = 0;
    }
    const int clamp_lane = (lane & seg) | (clamp & ~seg & 31), min_lane = lane & seg;
    int source = 0;
    bool inside;
    if (kind == CODEOBJ_SHUFFLE_UP) {
        source = lane - offset;
        inside = source >= clamp_lane;
    } else {
        source = kind == CODEOBJ_SHUFFLE_DOWN ? lane + offset : kind == CODEOBJ_SHUFFLE_XOR ? lane ^ offset : min_lane | (offset & ~seg & 31);
        inside = source <= clamp_lane;
    }
    if (!inside || !(part >> source & 1))
        source = lane;
    return (int8_t)source;
}

/* Every offset, clamp and segment mask of every form. */
static void neutral_shfl_all(void **state)
{
    (void)state;
    static const uint32_t parts[] = { UINT32_MAX, 0x5a3c96e1 };
    struct codeobj_lane_map m;
    for (unsigned form = 0; form < 16; form++)
        for (unsigned bits = 0; bits < 32 * 32 * 32; bits++) {
            const unsigned kind = form & 3, offset = bits & 31, clamp = bits >> 5 & 31, seg = bits >> 10;
            const uint32_t part = parts[form >> 3];
            codeobj_shfl_map((enum codeobj_shuffle)kind, form & 4, offset | clamp << 8 | seg << 16 | 0xff00e0e0u, part,
                             UINT32_MAX, &m);
            for (int i = 0; i < 32; i++)
                if (m.from[i] != shfl_source(kind, form & 4, (int)offset, (int)clamp, (int)seg, part, i))
                    fail_msg("form %u, control %u, lane %d: %d", form, bits, i, m.from[i]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dpp_quad_perm),
        cmocka_unit_test(dpp_row_shifts),
        cmocka_unit_test(dpp_wave_shifts),
        cmocka_unit_test(dpp_mirrors_and_broadcasts),
        cmocka_unit_test(dpp_masks),
        cmocka_unit_test(dpp_inactive_sources),
        cmocka_unit_test(dpp8_selects),
        cmocka_unit_test(dpp_valid_by_processor),
        cmocka_unit_test(one_lane),
        cmocka_unit_test(permutes_example),
        cmocka_unit_test(permutes_wrap),
        cmocka_unit_test(swizzles),
        cmocka_unit_test(permlanes),
        cmocka_unit_test(permlane_swaps),
        cmocka_unit_test(permlane_groups),
        cmocka_unit_test(masks),
        cmocka_unit_test(reductions),
        cmocka_unit_test(hip_shuffles),
        cmocka_unit_test(neutral_fred),
        cmocka_unit_test(neutral_ired),
        cmocka_unit_test(neutral_shfl),
        cmocka_unit_test(neutral_shfl_all),
        cmocka_unit_test(hip_sync),
        cmocka_unit_test(the_wave),
        cmocka_unit_test(dpp_narrowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

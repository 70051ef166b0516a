/* SPDX-License-Identifier: MIT
 *
 * Matrix register layouts: spot values from AMD's documentation, and that every
 * element of every operand lies in exactly one place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include <codeobj/subgroup.h>

static void place_is(const char *name, const char *processor, enum codeobj_matrix_operand operand, unsigned wave,
                     unsigned lane, unsigned element, unsigned block, unsigned row, unsigned col)
{
    const struct codeobj_matrix *m = codeobj_matrix_find(name, codeobj_processor_by_name(processor));
    assert_non_null(m);
    struct codeobj_matrix_place p;
    enum codeobj_matrix_type t = codeobj_matrix_operand_type(m, operand, 0);
    assert_true(codeobj_matrix_element(m, operand, t, wave, lane, element, &p));
    if (p.block != block || p.row != row || p.col != col)
        fail_msg("%s operand %d lane %u element %u: block %u (%u, %u), expected %u (%u, %u)", name, operand, lane,
                 element, p.block, p.row, p.col, block, row, col);
}

static void mfma_layouts(void **state)
{
    (void)state;
    const enum codeobj_matrix_operand A = CODEOBJ_MATRIX_A, B = CODEOBJ_MATRIX_B, D = CODEOBJ_MATRIX_D;
    place_is("v_mfma_f32_32x32x8f16", "gfx90a", A, 64, 33, 2, 0, 1, 6);
    place_is("v_mfma_f32_32x32x8_f16", "gfx942", B, 64, 33, 2, 0, 1, 6);
    place_is("v_mfma_f32_32x32x8_f16", "gfx942", D, 64, 33, 5, 0, 13, 1);
    place_is("v_mfma_f32_16x16x16_f16", "gfx942", A, 64, 17, 3, 0, 1, 7);
    place_is("v_mfma_f32_16x16x16_f16", "gfx942", D, 64, 17, 3, 0, 7, 1);
    place_is("v_mfma_f32_32x32x1_2b_f32", "gfx942", A, 64, 40, 0, 1, 8, 0);
    place_is("v_mfma_f32_32x32x1_2b_f32", "gfx942", D, 64, 40, 17, 1, 5, 8);
    place_is("v_mfma_f32_16x16x4_4b_f16", "gfx942", A, 64, 35, 1, 2, 3, 1);
    place_is("v_mfma_f32_16x16x4_4b_f16", "gfx942", D, 64, 35, 9, 2, 9, 3);
    place_is("v_mfma_f32_4x4x4_16b_f16", "gfx942", A, 64, 9, 3, 2, 1, 3);
    place_is("v_mfma_f32_4x4x4_16b_f16", "gfx942", D, 64, 9, 3, 2, 3, 1);
    place_is("v_mfma_f64_16x16x4_f64", "gfx942", A, 64, 18, 0, 0, 2, 1);
    place_is("v_mfma_f64_16x16x4_f64", "gfx942", D, 64, 18, 2, 0, 9, 2);
    place_is("v_mfma_f64_4x4x4_4b_f64", "gfx942", A, 64, 37, 0, 1, 1, 2);
    place_is("v_mfma_f64_4x4x4_4b_f64", "gfx942", D, 64, 37, 0, 1, 2, 1);
    place_is("v_mfma_f32_16x16x32_fp8_fp8", "gfx942", A, 64, 16, 7, 0, 0, 15);
    place_is("v_mfma_f32_16x16x128_f8f6f4", "gfx950", A, 64, 16, 0, 0, 0, 16);
    place_is("v_mfma_f32_16x16x128_f8f6f4", "gfx950", A, 64, 16, 16, 0, 0, 80);
    place_is("v_smfmac_f32_16x16x32_f16", "gfx942", A, 64, 16, 2, 0, 0, 12);
    place_is("v_smfmac_f32_16x16x32_f16", "gfx942", B, 64, 16, 2, 0, 0, 10);
}

static void wmma_layouts(void **state)
{
    (void)state;
    const enum codeobj_matrix_operand A = CODEOBJ_MATRIX_A, D = CODEOBJ_MATRIX_D;
    place_is("v_wmma_f32_16x16x16_f16", "gfx1100", A, 32, 20, 9, 0, 4, 9);
    place_is("v_wmma_f32_16x16x16_f16", "gfx1100", D, 32, 20, 3, 0, 7, 4);
    place_is("v_wmma_f32_16x16x16_f16", "gfx1100", D, 64, 36, 3, 0, 14, 4);
    place_is("v_wmma_f32_16x16x16_f16", "gfx1200", A, 32, 20, 5, 0, 4, 13);
    place_is("v_wmma_f32_16x16x16_f16", "gfx1200", D, 32, 20, 3, 0, 11, 4);
    place_is("v_wmma_f32_16x16x16_f16", "gfx1200", A, 64, 36, 1, 0, 4, 9);
    place_is("v_wmma_f32_16x16x16_f16", "gfx1200", D, 64, 36, 1, 0, 5, 4);
    place_is("v_wmma_f32_16x16x16_fp8_fp8", "gfx1200", A, 64, 36, 1, 0, 4, 5);
    place_is("v_swmmac_f32_16x16x32_f16", "gfx1200", A, 32, 16, 2, 0, 0, 12);
    place_is("v_swmmac_f32_16x16x32_f16", "gfx1200", CODEOBJ_MATRIX_B, 32, 16, 9, 0, 0, 25);
    /* Half of a wave64 holds a 16x16 operand of 4 bits. */
    const struct codeobj_matrix *m = codeobj_matrix_find("v_wmma_i32_16x16x16_iu4", codeobj_processor_by_name("gfx1200"));
    struct codeobj_matrix_place p;
    assert_true(codeobj_matrix_element(m, A, CODEOBJ_MATRIX_IU4, 64, 31, 0, &p));
    assert_false(codeobj_matrix_element(m, A, CODEOBJ_MATRIX_IU4, 64, 32, 0, &p));
    /* 16-bit results have a register each on RDNA3, half of one on RDNA4. */
    m = codeobj_matrix_find("v_wmma_f16_16x16x16_f16", codeobj_processor_by_name("gfx1100"));
    assert_int_equal(codeobj_matrix_bit(m, D, CODEOBJ_MATRIX_F16, 3), 96);
    m = codeobj_matrix_find("v_wmma_f16_16x16x16_f16", codeobj_processor_by_name("gfx1200"));
    assert_int_equal(codeobj_matrix_bit(m, D, CODEOBJ_MATRIX_F16, 3), 48);
}

/* Each element of the operand is held once (RDNA3 inputs: once in every 16 lanes). */
static void covers(const struct codeobj_matrix *m, enum codeobj_matrix_operand operand, unsigned format, unsigned wave)
{
    static uint8_t seen[16][32][128];
    memset(seen, 0, sizeof seen);
    enum codeobj_matrix_type t = codeobj_matrix_operand_type(m, operand, format);
    unsigned n = codeobj_matrix_elements(m, operand, t, wave), total = 0;
    for (unsigned lane = 0; lane < wave; lane++)
        for (unsigned e = 0; e < n; e++) {
            struct codeobj_matrix_place p;
            if (!codeobj_matrix_element(m, operand, t, wave, lane, e, &p))
                continue;
            bool pair = operand == CODEOBJ_MATRIX_A && m->sparse;
            assert_true(p.block < 16 && p.row < 32 && p.col < 128);
            seen[p.block][p.row][p.col + (pair ? e & 1 : 0)]++;
            total++;
        }
    bool input = operand == CODEOBJ_MATRIX_A || operand == CODEOBJ_MATRIX_B;
    unsigned repeat = input && m->family == CODEOBJ_MATRIX_WMMA_GFX11 ? wave / 16 : 1;
    unsigned rows = operand == CODEOBJ_MATRIX_B ? m->n : m->m, cols = input ? m->k : m->n;
    bool pair = operand == CODEOBJ_MATRIX_A && m->sparse;
    for (unsigned b = 0; b < m->blocks; b++)
        for (unsigned r = 0; r < rows; r++)
            for (unsigned c = 0; c < cols; c++) {
                unsigned want = pair && c % 4 > 1 ? 0 : repeat;
                if (seen[b][r][c] != want)
                    fail_msg("%s operand %d wave%u: (%u, %u) of block %u is held %u times", m->name, operand, wave, r,
                             c, b, seen[b][r][c]);
            }
    assert_int_equal(total, m->blocks * rows * (pair ? cols / 2 : cols) * repeat);
}

static void every_element_once(void **state)
{
    (void)state;
    for (size_t i = 0; codeobj_matrix_at(i); i++) {
        const struct codeobj_matrix *m = codeobj_matrix_at(i);
        bool w32 = m->family != CODEOBJ_MATRIX_MFMA, w64 = m->family != CODEOBJ_MATRIX_WMMA_GFX1250;
        for (unsigned wave = w32 ? 32 : 64; wave <= (w64 ? 64 : 32); wave += 32)
            for (int operand = CODEOBJ_MATRIX_A; operand <= CODEOBJ_MATRIX_D; operand++)
                for (unsigned format = 0; format < 5; format++)
                    covers(m, operand, format, wave);
    }
}

static void modifiers(void **state)
{
    (void)state;
    assert_int_equal(codeobj_matrix_blgp_lane(40, 1), 8);
    assert_int_equal(codeobj_matrix_blgp_lane(8, 2), 40);
    assert_int_equal(codeobj_matrix_blgp_lane(60, 3), 12);
    assert_int_equal(codeobj_matrix_blgp_lane(60, 6), 44);
    assert_int_equal(codeobj_matrix_broadcast_block(6, 0, 3), 6);
    assert_int_equal(codeobj_matrix_broadcast_block(6, 1, 1), 7);
    assert_int_equal(codeobj_matrix_broadcast_block(6, 2, 1), 5);
    const struct codeobj_matrix *m = codeobj_matrix_find("v_smfmac_f32_16x16x32_f16", codeobj_processor_by_name("gfx942"));
    /* four elements a lane: a set of eight bits */
    assert_int_equal(codeobj_matrix_index_bit(m, CODEOBJ_MATRIX_F16, 64, 1, 2), 18);
    assert_null(codeobj_matrix_find("v_mfma_f32_32x32x8_f16", codeobj_processor_by_name("gfx1100")));
    assert_null(codeobj_matrix_find("v_add_f32", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mfma_layouts),
        cmocka_unit_test(wmma_layouts),
        cmocka_unit_test(every_element_once),
        cmocka_unit_test(modifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

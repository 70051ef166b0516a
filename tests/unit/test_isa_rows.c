/* SPDX-License-Identifier: MIT
 *
 * The instruction table walked in every direction: each row is found where it
 * says it is, and no two rows claim the same opcode of one processor.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <codeobj/isa.h>

#include "isa/row.h"

enum { SLOTS = 4096 };

static void one_row_per_opcode(void **state)
{
    (void)state;
    for (size_t p = 0; codeobj_processor_at(p); p++) {
        const struct codeobj_processor *processor = codeobj_processor_at(p);
        struct codeobj_isa *isa;
        if (codeobj_isa_new(processor, NULL, &isa, NULL) != CODEOBJ_OK)
            continue;
        static uint16_t owner[CODEOBJ_FMT_COUNT][SLOTS];
        memset(owner, 0, sizeof owner);
        for (unsigned r = 1; r < codeobj_isa_row_count(); r++) {
            int op = codeobj_isa_row_opcode(isa, r);
            unsigned format = codeobj_isa_row_format(r);
            if (op < 0)
                continue;
            assert_in_range(op, 0, SLOTS - 1);
            if (owner[format][op])
                fail_msg("%s: %s and %s both have opcode %d of %s", processor->name, codeobj_isa_row_mnemonic(r),
                         codeobj_isa_row_mnemonic(owner[format][op]), op, codeobj_isa_format_name(format));
            owner[format][op] = (uint16_t)r;
        }
        codeobj_isa_free(isa);
    }
}

/* Every row belongs to some processor, and has semantics or a reason. */
static void rows_are_reachable(void **state)
{
    (void)state;
    assert_in_range(codeobj_isa_row_count(), 1000, 8192);
    for (unsigned r = 1; r < codeobj_isa_row_count(); r++) {
        bool found = false;
        for (size_t p = 0; codeobj_processor_at(p) && !found; p++) {
            const struct codeobj_processor *processor = codeobj_processor_at(p);
            if (processor->gen >= CODEOBJ_GEN_GFX6)
                found = co_isa_needs(co_isa_rows[r].needs, processor) &&
                        co_isa_rows[r].op[processor->gen - CODEOBJ_GEN_GFX6] >= 0;
        }
        if (!found)
            fail_msg("row %u (%s) is on no processor", r, codeobj_isa_row_mnemonic(r));
        bool semantic = codeobj_isa_row_semantic(r)[0] != 0, reason = codeobj_isa_row_reason(r)[0] != 0;
        if (semantic == reason)
            fail_msg("row %u (%s): semantics and reason", r, codeobj_isa_row_mnemonic(r));
    }
}

static void facts_from_the_manuals(void **state)
{
    (void)state;
    struct codeobj_isa *isa;
    assert_int_equal(codeobj_isa_new(codeobj_processor_by_name("gfx900"), NULL, &isa, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_isa_wave(isa), 64);
    unsigned seen = 0;
    for (unsigned r = 1; r < codeobj_isa_row_count(); r++) {
        const char *m = codeobj_isa_row_mnemonic(r);
        int op = codeobj_isa_row_opcode(isa, r);
        if (!strcmp(m, "v_add_f32")) {
            assert_int_equal(op, 1);
            seen++;
        }
        if (!strcmp(m, "s_load_dwordx4")) {
            assert_int_equal(op, 2);
            seen++;
        }
        if (!strcmp(m, "v_mfma_f32_4x4x1f32"))
            assert_int_equal(op, -1);
        /* renamed on gfx11, same meaning */
        if (!strcmp(m, "s_ctz_i32_b32")) {
            assert_string_equal(codeobj_isa_row_semantic(r), "s_ff1_i32_b32");
            seen++;
        }
    }
    assert_int_equal(seen, 3);
    codeobj_isa_free(isa);
}

static void new_checks_its_arguments(void **state)
{
    (void)state;
    struct codeobj_isa *isa = NULL;
    struct codeobj_isa_options wave32 = { sizeof wave32, 32 }, wave48 = { sizeof wave48, 48 };
    const struct codeobj_processor *gfx900 = codeobj_processor_by_name("gfx900");
    assert_int_equal(codeobj_isa_new(NULL, NULL, &isa, NULL), CODEOBJ_INVALID);
    assert_int_equal(codeobj_isa_new(codeobj_processor_by_name("r600"), NULL, &isa, NULL), CODEOBJ_UNSUPPORTED);
    assert_int_equal(codeobj_isa_new(gfx900, &wave32, &isa, NULL), CODEOBJ_INVALID);
    assert_int_equal(codeobj_isa_new(gfx900, &wave48, &isa, NULL), CODEOBJ_INVALID);
    assert_null(isa);
    assert_int_equal(codeobj_isa_new(codeobj_processor_by_name("gfx1100"), &wave32, &isa, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_isa_wave(isa), 32);
    codeobj_isa_free(isa);
    codeobj_isa_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row_per_opcode),
        cmocka_unit_test(rows_are_reachable),
        cmocka_unit_test(facts_from_the_manuals),
        cmocka_unit_test(new_checks_its_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

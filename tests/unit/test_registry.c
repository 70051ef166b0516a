/* SPDX-License-Identifier: MIT
 *
 * Every row of the instruction table has a handler or a stated reason; no semantic has two
 * families.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/registry.h"
#include "isa/row.h"

/* Each family alone: its rows are as many as the semantics it fills. */
static void count(co_family *const *families, unsigned *seen)
{
    for (; *families; families++) {
        struct co_sem_row *rows = calloc(CO_SEM_COUNT, sizeof *rows);
        assert_non_null(rows);
        (*families)(rows);
        unsigned filled = 0;
        for (unsigned sem = 1; sem < CO_SEM_COUNT; sem++) {
            if (!rows[sem].sem)
                continue;
            filled++;
            assert_int_equal(rows[sem].sem, sem);
            assert_non_null(rows[sem].build);
            if (seen[sem]++)
                fail_msg("semantic %u appears in two families", sem);
        }
        assert_int_equal(filled, rows[0].data);
        free(rows);
    }
}

static void each_semantic_once(void **state)
{
    (void)state;
    for (unsigned lanes = 0; lanes < 3; lanes++) {
        unsigned *seen = calloc(CO_SEM_COUNT, sizeof *seen);
        assert_non_null(seen);
        count(co_families, seen);
        count(co_lane_families(lanes), seen);
        free(seen);
    }
}

static void rows_without_semantics(void **state)
{
    (void)state;
    unsigned *seen = calloc(CO_SEM_COUNT, sizeof *seen), missing = 0;
    assert_non_null(seen);
    count(co_families, seen);
    count(co_lane_families(0), seen);
    for (unsigned row = 1; row < co_isa_row_total; row++) {
        unsigned sem = co_isa_rows[row].sem;
        if (seen[sem]++ || codeobj_isa_row_reason(row)[0])
            continue;
        print_message("# no handler: %s\n", codeobj_isa_row_semantic(row));
        missing++;
    }
    free(seen);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_semantic_once), cmocka_unit_test(rows_without_semantics) };
    int failed = cmocka_run_group_tests_name("registry", tests, NULL, NULL);
    return failed != 0;
}

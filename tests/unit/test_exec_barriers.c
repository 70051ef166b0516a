/* SPDX-License-Identifier: MIT
 *
 * Several waves of one work-group at the barriers of gfx12 (the work-group's, named ones, the cluster's), and the numbers that
 * waves of gfx12 find in their TTMPs.  fixtures/machine/barriers.s is what runs; its comments say where results lie.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <codeobj/codeobj.h>

enum { WAVES = 4, DWORDS = 256 };

static const struct build {
    const char *file, *processor;
    unsigned lanes;
    bool named;
} builds[] = {
    { "fixtures/machine/barriers-gfx1250.co", "gfx1250", 32, true },
    { "fixtures/machine/barriers-gfx1200.co", "gfx1200", 32, false },
    { "fixtures/machine/barriers-gfx1200-w64.co", "gfx1200", 64, false },
};

/* The results of a kernel; `group` work-items in each work-group, `groups` work-groups in each dimension. */
static enum codeobj_status run(const struct build *b, const char *kernel, unsigned group, unsigned groups, uint32_t out[DWORDS],
                               struct codeobj_diag *diag)
{
    struct codeobj_elf *elf;
    struct codeobj_target target;
    struct codeobj_device *device;
    uint64_t buffer;
    memset(out, 0, DWORDS * sizeof *out);
    assert_int_equal(codeobj_elf_open_file(b->file, NULL, &elf, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_target_parse(b->processor, &target, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_new(&target, NULL, &device, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_load(device, elf, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_alloc(device, DWORDS * sizeof *out, "results", &buffer, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_write(device, buffer, out, DWORDS * sizeof *out, NULL), CODEOBJ_OK);
    const struct codeobj_dispatch d = { .size = sizeof d, .kernel = kernel, .grid = { group * groups, groups, groups }, .workgroup = { group, 1, 1 },
                                        .kernarg = &buffer, .kernarg_size = sizeof buffer, .max_instructions = 1000000 };
    *diag = (struct codeobj_diag){ 0 };
    enum codeobj_status status = codeobj_device_dispatch(device, &d, NULL, diag);
    assert_int_equal(codeobj_device_read(device, buffer, out, DWORDS * sizeof *out, NULL), CODEOBJ_OK);
    codeobj_device_free(device);
    codeobj_elf_free(elf);
    return status;
}

static void run_well(const struct build *b, const char *kernel, unsigned groups, uint32_t out[DWORDS])
{
    struct codeobj_diag diag;
    if (run(b, kernel, WAVES * b->lanes, groups, out, &diag) != CODEOBJ_OK)
        fail_msg("%s: %s: %s", b->file, kernel, diag.text);
}

#define EACH_BUILD(b) for (const struct build *b = builds; b < builds + sizeof builds / sizeof *builds; b++)

static void numbers(void **state)
{
    (void)state;
    static const char *const kernels[] = { "ids_wgp", "ids_cu" };
    uint32_t out[DWORDS];
    EACH_BUILD(b)
        for (unsigned k = 0; k < 2; k++) {
            run_well(b, kernels[k], 2, out);
            for (uint32_t i = 0; i < DWORDS; i++) {
                const uint32_t wave = i % WAVES, x = i / 4 & 1, y = i / 8 & 1, z = i / 16 & 1;
                assert_int_equal(out[i], i < 8 * WAVES ? x | y << 4 | z << 8 | wave << 12 | 1u << 31 : 0);
            }
        }
}

/* Each wave has what the one beside it had put there in each of three rounds; one wave of `of` is the first in each round. */
static void three_rounds(const uint32_t out[DWORDS], unsigned of)
{
    uint32_t firsts[WAVES] = { 0 };
    for (unsigned w = 0; w < WAVES; w++) {
        assert_int_equal(out[w], 300 + 3 * (w ^ 1));
        firsts[w / of] += out[4 + w];
    }
    for (unsigned g = 0; g < WAVES / of; g++)
        assert_int_equal(firsts[g], 3);
}

static void of_the_work_group(void **state)
{
    (void)state;
    uint32_t out[DWORDS];
    EACH_BUILD(b) {
        run_well(b, "exchange", 1, out);
        three_rounds(out, WAVES);
    }
}

static void counts(void **state)
{
    (void)state;
    uint32_t out[DWORDS];
    EACH_BUILD(b) {
        run_well(b, "counts", 1, out);
        assert_int_equal(out[0], 1u | WAVES << 4 | 1u << 16);
        for (unsigned w = 0; w < WAVES; w++) {
            assert_int_equal(out[4 + w], 1);
            assert_int_equal(out[8 + w], w < 3);
            assert_int_equal(out[12 + w], w < 3 ? 16 : 0);
        }
    }
}

static void named(void **state)
{
    (void)state;
    uint32_t out[DWORDS];
    EACH_BUILD(b) {
        if (!b->named)
            continue;
        run_well(b, "pairs", 1, out);
        three_rounds(out, 2);
        run_well(b, "leave", 1, out);
        const uint32_t want[16] = { [0] = 1, [1] = 1, [8 + 2] = 1, [12 + 2] = 1u | 2u << 4 };
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(out[i], want[i]);
    }
}

static void of_the_cluster(void **state)
{
    (void)state;
    uint32_t out[DWORDS];
    EACH_BUILD(b) {
        if (!b->named)
            continue;
        run_well(b, "cluster", 1, out);
        for (unsigned i = 0; i < 12; i++)
            assert_int_equal(out[i], i < WAVES ? 1 : 0);
    }
}

static void that_nobody_completes(void **state)
{
    (void)state;
    uint32_t out[DWORDS];
    struct codeobj_diag diag;
    assert_int_equal(run(&builds[0], "forever", 32, 1, out, &diag), CODEOBJ_FAULT);
    if (!strstr(diag.text, "s_barrier_wait"))
        fail_msg("%s", diag.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(numbers), cmocka_unit_test(of_the_work_group), cmocka_unit_test(counts),
                                        cmocka_unit_test(named), cmocka_unit_test(of_the_cluster), cmocka_unit_test(that_nobody_completes) };
    return cmocka_run_group_tests_name("exec_barriers", tests, NULL, NULL) != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * target/target.c and processor.c.  e_flags are those LLVM 22 (and, for V3, 14)
 * wrote for the target IDs beside them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include <codeobj/target.h>

enum { HSA = 64, PAL = 65 };

static const struct {
    const char *id;
    uint8_t osabi, abi;
    uint32_t flags;
} coded[] = {
    { "gfx803", HSA, 2, 0x2a },          { "gfx900:xnack-", HSA, 2, 0x22c },
    { "gfx900", HSA, 4, 0x12c },         { "gfx906:sramecc-:xnack-", HSA, 2, 0xa2f },
    { "gfx906:xnack-", HSA, 2, 0x62f },  { "gfx908:xnack-", HSA, 2, 0x630 },
    { "gfx90a", HSA, 3, 0x53f },         { "gfx90a:xnack-", HSA, 2, 0x63f },
    { "gfx90a:xnack+", HSA, 2, 0x73f },  { "gfx90a:sramecc-", HSA, 2, 0x93f },
    { "gfx90a:sramecc+", HSA, 2, 0xd3f }, { "gfx90a:sramecc-:xnack+", HSA, 3, 0xb3f },
    { "gfx90a:sramecc+:xnack-", HSA, 2, 0xe3f }, { "gfx90a:sramecc+:xnack+", HSA, 4, 0xf3f },
    { "gfx1030", HSA, 2, 0x36 },         { "gfx1010", HSA, 4, 0x133 },
    { "gfx942", HSA, 4, 0x54c },         { "gfx950", HSA, 4, 0x54f },
    { "gfx1250", HSA, 4, 0x549 },        { "gfx1251", HSA, 4, 0x55a },
    { "gfx9-generic", HSA, 4, 0x1000151 }, { "gfx9-4-generic", HSA, 4, 0x100055f },
    { "gfx10-1-generic", HSA, 4, 0x1000152 }, { "gfx10-3-generic", HSA, 4, 0x1000053 },
    { "gfx11-generic", HSA, 4, 0x1000054 }, { "gfx12-generic", HSA, 4, 0x1000059 },
    { "gfx1152", HSA, 4, 0x55 },         { "gfx1153", HSA, 4, 0x58 },
    { "gfx900:xnack+", HSA, 1, 0x12c },  { "gfx906:sramecc+:xnack+", HSA, 1, 0x32f },
    { "gfx900:xnack-", HSA, 1, 0x2c },   { "gfx1030", PAL, 0, 0x36 },
    { "gfx1250", PAL, 0, 0x349 },        { "gfx1251", PAL, 0, 0x35a },
};

static void test_flags(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof coded / sizeof *coded; i++) {
        struct codeobj_target t, back;
        char text[64];
        assert_int_equal(codeobj_target_parse(coded[i].id, &t, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_target_to_flags(&t, coded[i].osabi, coded[i].abi), coded[i].flags);
        codeobj_target_from_flags(coded[i].flags, coded[i].osabi, coded[i].abi, &back);
        assert_int_equal(codeobj_target_to_flags(&back, coded[i].osabi, coded[i].abi), coded[i].flags);
        assert_int_equal(codeobj_target_format(&back, text, sizeof text), strlen(coded[i].id));
        assert_string_equal(text, coded[i].id);
        assert_ptr_equal(back.processor, t.processor);
        assert_int_equal(back.generic_version, t.generic_version);
    }
}

static void test_unknown_mach(void **state)
{
    (void)state;
    struct codeobj_target t;
    char text[64];
    codeobj_target_from_flags(0x577, HSA, 4, &t);
    assert_null(t.processor);
    assert_int_equal(t.xnack, CODEOBJ_MODE_ANY);
    codeobj_target_format(&t, text, sizeof text);
    assert_string_equal(text, "unknown");
}

static void parses_to(const char *text, const char *canonical)
{
    struct codeobj_target t;
    char buf[64];
    assert_int_equal(codeobj_target_parse(text, &t, NULL), CODEOBJ_OK);
    codeobj_target_format(&t, buf, sizeof buf);
    assert_string_equal(buf, canonical);
}

static void fails(const char *text, enum codeobj_status want, const char *words)
{
    struct codeobj_target t = { .generic_version = 77 };
    struct codeobj_diag diag;
    assert_int_equal(codeobj_target_parse(text, &t, &diag), want);
    assert_non_null(strstr(diag.text, words));
    assert_int_equal(t.generic_version, 77); /* untouched */
}

static void test_parse(void **state)
{
    (void)state;
    parses_to("gfx90a:xnack-:sramecc+", "gfx90a:sramecc+:xnack-");
    parses_to("amdgcn-amd-amdhsa--gfx906:xnack-", "gfx906:xnack-");
    parses_to("amdgcn-amd-amdhsa-gfx906", "gfx906");
    parses_to("amdgcn-amd-amdhsa-unknown-gfx9-4-generic", "gfx9-4-generic");
    parses_to("amdgcn-amd-amdhsa--gfx10-1-generic:xnack+", "gfx10-1-generic:xnack+");
    parses_to("fiji", "gfx803");
    parses_to("tahiti", "gfx600");
    parses_to("r600-unknown-unknown--cedar", "cedar");
    fails("gfx999", CODEOBJ_NOT_FOUND, "unknown processor \"gfx999\"");
    fails("", CODEOBJ_NOT_FOUND, "unknown processor");
    fails("gfx90a:xnack", CODEOBJ_INVALID, "with + or -");
    fails("gfx90a:", CODEOBJ_INVALID, "with + or -");
    fails("gfx90a:xnack+:xnack-", CODEOBJ_INVALID, "twice");
    fails("gfx1030:xnack+", CODEOBJ_INVALID, "gfx1030 does not have it");
    fails("gfx900:sramecc+", CODEOBJ_INVALID, "gfx900 does not have it");
    fails("gfx90a:wavefront+", CODEOBJ_INVALID, "expected xnack or sramecc");
    fails("amdgcn-amd", CODEOBJ_NOT_FOUND, "unknown processor");
}

static bool compatible(const char *code, const char *device, const char *words)
{
    struct codeobj_target c, d;
    struct codeobj_diag diag = { 0 };
    assert_int_equal(codeobj_target_parse(code, &c, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_target_parse(device, &d, NULL), CODEOBJ_OK);
    bool ok = codeobj_target_compatible(&c, &d, &diag);
    if (!ok)
        assert_non_null(strstr(diag.text, words));
    return ok;
}

static void test_compatible(void **state)
{
    (void)state;
    assert_true(compatible("gfx90a", "gfx90a:xnack+", ""));
    assert_true(compatible("gfx90a:xnack-", "gfx90a:sramecc+:xnack-", ""));
    assert_true(compatible("gfx90a:xnack-", "gfx90a", ""));
    assert_false(compatible("gfx90a:xnack-", "gfx90a:xnack+", "needs it off, the device has it on"));
    assert_false(compatible("gfx90a:sramecc+", "gfx90a:sramecc-", "sramecc mismatch"));
    assert_false(compatible("gfx906", "gfx908", "the code is for gfx906, the device is gfx908"));
    assert_true(compatible("gfx9-generic", "gfx90c", ""));
    assert_false(compatible("gfx9-generic", "gfx908", "mismatch"));
    assert_true(compatible("gfx9-4-generic", "gfx950:xnack+", ""));
    assert_true(compatible("gfx11-generic", "gfx1153", ""));
    assert_false(compatible("gfx12-generic", "gfx1250", "mismatch"));
    assert_false(compatible("gfx1030", "gfx10-3-generic", "mismatch"));
    struct codeobj_target old, device;
    codeobj_target_parse("gfx12-generic", &old, NULL);
    codeobj_target_parse("gfx1201", &device, NULL);
    old.generic_version = 0;
    assert_false(codeobj_target_compatible(&old, &device, NULL));
}

static void test_table(void **state)
{
    (void)state;
    size_t n = 0;
    for (const struct codeobj_processor *p; (p = codeobj_processor_at(n)); n++) {
        assert_ptr_equal(codeobj_processor_by_mach(p->mach), p); /* mach values are unique */
        assert_ptr_equal(codeobj_processor_by_name(p->name), p);
        assert_int_equal(codeobj_processor_index(p), n);
    }
    assert_true(n >= 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flags), cmocka_unit_test(test_unknown_mach), cmocka_unit_test(test_parse),
        cmocka_unit_test(test_compatible), cmocka_unit_test(test_table),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * elf/packed.c on tables written by hand, from the gABI's text on RELR and from Android's format.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "elf/packed.h"

struct seen {
    struct codeobj_elf_relocation r[200];
    size_t count, stop_at;
    bool in_place;
};

static enum codeobj_status see(void *user, const struct codeobj_elf_relocation *r, bool in_place)
{
    struct seen *s = user;
    assert_true(s->count < 200);
    s->r[s->count++] = *r;
    s->in_place = in_place;
    return s->count == s->stop_at ? CODEOBJ_LIMIT : CODEOBJ_OK;
}

static void test_relr(void **state)
{
    (void)state;
    /* A place; of the 63 words behind it the first and the third; of the 63 behind those the first; another place; one that no bit
     * names; all 63 words behind that. */
    const uint64_t words[] = { 0x1000, 0xb, 0x3, 0x4000, 0x1, 0x5000, UINT64_MAX };
    static const uint64_t first[] = { 0x1000, 0x1008, 0x1018, 0x1200, 0x4000, 0x5000 };
    struct seen s = { 0 };
    assert_int_equal(co_packed_relr(co_span_make(words, sizeof words), see, &s), CODEOBJ_OK);
    assert_int_equal(s.count, 6 + 63);
    for (size_t i = 0; i < s.count; i++) {
        assert_int_equal(s.r[i].offset, i < 6 ? first[i] : 0x5008 + (i - 6) * 8);
        assert_int_equal(s.r[i].type, 13);
    }
    assert_true(s.in_place);
    s = (struct seen){ .stop_at = 2 };
    assert_int_equal(co_packed_relr(co_span_make(words, sizeof words), see, &s), CODEOBJ_LIMIT);
    assert_int_equal(s.count, 2);
    s = (struct seen){ 0 };
    assert_int_equal(co_packed_relr(co_span_make(words, 7), see, &s), CODEOBJ_OK); /* no whole word */
    assert_int_equal(s.count, 0);
}

/* 5 relocations from 0x10 on.  Two with step 8 and type 13: addends +0x100, -8.  One by itself: step 0x1000, symbol 3, type
 * 3, addend +8.  Two of symbol 2, type 3, without addends: steps 8 and -0x10. */
static const char table[] = "APS2" "\x05\x10"
                            "\x02\x0b" "\x08\x0d" "\x80\x02" "\x78"
                            "\x01\x08" "\x80\x20" "\x83\x80\x80\x80\x30" "\x08"
                            "\x02\x01" "\x83\x80\x80\x80\x20" "\x08" "\x70";

static void test_android(void **state)
{
    (void)state;
    static const struct codeobj_elf_relocation expected[] = {
        { 0x18, 13, 0, 0x100 }, { 0x20, 13, 0, 0xf8 }, { 0x1020, 3, 3, 0x100 }, { 0x1028, 3, 2, 0 }, { 0x1018, 3, 2, 0 },
    };
    struct seen s = { 0 };
    struct codeobj_diag diag = { 0 };
    assert_int_equal(co_packed_android(co_span_make(table, sizeof table - 1), true, 5, see, &s, &diag), CODEOBJ_OK);
    assert_int_equal(s.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(s.r[i].offset, expected[i].offset);
        assert_int_equal(s.r[i].type, expected[i].type);
        assert_int_equal(s.r[i].symbol, expected[i].symbol);
        assert_int_equal(s.r[i].addend, expected[i].addend);
    }
    assert_false(s.in_place);
    /* An addend for the whole group. */
    static const char grouped[] = "APS2" "\x02\x00" "\x02\x0f" "\x08\x0d\x28";
    s = (struct seen){ 0 };
    assert_int_equal(co_packed_android(co_span_make(grouped, sizeof grouped - 1), true, 2, see, &s, &diag), CODEOBJ_OK);
    assert_int_equal(s.count, 2);
    assert_int_equal(s.r[1].offset, 0x10);
    assert_int_equal(s.r[1].addend, 0x28);
    /* Those that keep addends in the places. */
    static const char rel[] = "APS2" "\x01\x00" "\x01\x01" "\x0d\x40";
    s = (struct seen){ 0 };
    assert_int_equal(co_packed_android(co_span_make(rel, sizeof rel - 2), false, 1, see, &s, &diag), CODEOBJ_MALFORMED); /* cut short */
    assert_int_equal(s.count, 0);
    static const char one[] = "APS2" "\x01\x00" "\x01\x01" "\x0d\xc0\x00";
    assert_int_equal(co_packed_android(co_span_make(one, sizeof one - 1), false, 1, see, &s, &diag), CODEOBJ_OK);
    assert_int_equal(s.r[0].offset, 0x40);
    assert_true(s.in_place);
}

static void refused(const char *bytes, size_t size, uint64_t most, const char *text)
{
    struct seen s = { 0 };
    struct codeobj_diag diag = { 0 };
    assert_int_equal(co_packed_android(co_span_make(bytes, size), true, most, see, &s, &diag), CODEOBJ_MALFORMED);
    if (!strstr(diag.text, text))
        fail_msg("%s, expected %s", diag.text, text);
}

static void test_damage(void **state)
{
    (void)state;
    refused("APS1\0\0", 6, 9, "do not begin with \"APS2\"");
    refused("APS", 3, 9, "do not begin with \"APS2\"");
    refused(table, sizeof table - 1, 4, "5 of them, more than 4 bytes have places");
    refused("APS2\x02\x00\x03\x0f\x08\x0d\x00", 11, 9, "packed relocations+0x6: a group of 3, with 2 left");
    refused("APS2\x02\x00\x00\x0f\x08\x0d\x00", 11, 9, "packed relocations+0x6: a group of 0, with 2 left");
    refused("APS2\x02\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 17, 9, "a number is too large");
    for (size_t size = 4; size < sizeof table - 1; size++)
        refused(table, size, 5, "they end inside a number");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_relr), cmocka_unit_test(test_android), cmocka_unit_test(test_damage) };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

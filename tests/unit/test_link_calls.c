/* SPDX-License-Identifier: MIT
 *
 * codeobj_link() with profiles of calls: where they come from, what the default is, what is reported.
 * That the orders are ld.lld's is what tests/golden/ld_cases.txt is for.
 */
#include <codeobj/codeobj.h>
#include <codeobj/link.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "link_input.h"

static struct codeobj_link_input inputs[2];

static struct codeobj_link_result *link_calls(struct codeobj_link_options o, enum codeobj_status expected)
{
    struct codeobj_link_result *r = NULL;
    o.kind = CODEOBJ_LINK_SHARED;
    assert_int_equal(codeobj_link(inputs, 2, &o, &r), expected);
    assert_non_null(r);
    return r;
}

/* Whether the addresses of these symbols ascend. */
static bool in_this_order(const struct codeobj_link_result *r, const char *const *wanted, size_t count)
{
    size_t size;
    const void *image = codeobj_link_result_image(r, &size);
    struct codeobj_elf *elf;
    assert_non_null(image);
    assert_int_equal(codeobj_elf_open_memory(image, size, NULL, &elf, NULL), CODEOBJ_OK);
    uint64_t last = 0;
    bool in_order = true;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < codeobj_elf_symbol_count(elf, CODEOBJ_SYMTAB); k++) {
            struct codeobj_elf_symbol s;
            assert_int_equal(codeobj_elf_symbol(elf, CODEOBJ_SYMTAB, k, &s), CODEOBJ_OK);
            if (!s.name || strcmp(s.name, wanted[i]))
                continue;
            in_order = in_order && s.value > last;
            last = s.value;
        }
    codeobj_elf_free(elf);
    return in_order && last;
}

static const char *const as_written[] = { "main_loop", "setup", "twin", "leaf", "large", "shared_helper" };
static const char *const by_calls[] = { "large", "elsewhere", "leaf", "main_loop", "shared_helper", "twin" };
/* A large function calls setup: the two, then what the file does not name. */
static const char *const by_file[] = { "setup", "large", "cold_one", "main_loop", "twin" };
static const char *const by_file_hfsort[] = { "large", "setup", "cold_one", "main_loop", "twin" };
#define ORDER(r, names) in_this_order(r, names, sizeof names / sizeof *names)

static void test_default(void **state)
{
    (void)state;
    struct codeobj_link_result *r = link_calls((struct codeobj_link_options){ .size = sizeof(struct codeobj_link_options) }, CODEOBJ_OK);
    assert_false(ORDER(r, as_written));
    assert_true(ORDER(r, by_calls));
    codeobj_link_result_free(r);
    /* a caller of before there were profiles */
    r = link_calls((struct codeobj_link_options){ .size = offsetof(struct codeobj_link_options, call_graph_sort) }, CODEOBJ_OK);
    assert_true(ORDER(r, by_calls));
    codeobj_link_result_free(r);
}

static void test_none(void **state)
{
    (void)state;
    const struct codeobj_link_text text = { .name = "calls", .text = "nonsense\n", .size = 9 };
    struct codeobj_link_result *r =
        link_calls((struct codeobj_link_options){ .size = sizeof(struct codeobj_link_options), .call_graph = &text,
                                                  .call_graph_sort = CODEOBJ_CALL_GRAPH_SORT_NONE },
                   CODEOBJ_OK);
    assert_true(ORDER(r, as_written));
    assert_int_equal(codeobj_link_result_message_count(r), 0);
    codeobj_link_result_free(r);
}

static void test_file(void **state)
{
    (void)state;
    const struct codeobj_link_text text = { .name = "calls", .text = "large setup 0x10", .size = 16 };
    for (int sort = CODEOBJ_CALL_GRAPH_SORT_CDSORT; sort <= CODEOBJ_CALL_GRAPH_SORT_HFSORT; sort++) {
        struct codeobj_link_result *r = link_calls(
            (struct codeobj_link_options){ .size = sizeof(struct codeobj_link_options), .call_graph = &text,
                                           .call_graph_sort = (uint8_t)sort, .flags = CODEOBJ_LINK_PRINT_SYMBOL_ORDER },
            CODEOBJ_OK);
        bool hfsort = sort == CODEOBJ_CALL_GRAPH_SORT_HFSORT;
        assert_int_equal(ORDER(r, by_file), !hfsort);
        assert_int_equal(ORDER(r, by_file_hfsort), hfsort);
        size_t size;
        const char *order = codeobj_link_result_text(r, CODEOBJ_LINK_TEXT_SYMBOL_ORDER, &size);
        assert_string_equal(order, hfsort ? "large\nsetup\n" : "");
        assert_int_equal(size, strlen(order));
        codeobj_link_result_free(r);
    }
}

static void expect_error(const char *text, size_t size, const char *name, const char *message)
{
    const struct codeobj_link_text calls = { .name = name, .text = text, .size = size };
    struct codeobj_link_result *r = link_calls(
        (struct codeobj_link_options){ .size = sizeof(struct codeobj_link_options), .call_graph = &calls }, CODEOBJ_INVALID);
    struct codeobj_link_message m;
    assert_int_equal(codeobj_link_result_message_count(r), 1);
    assert_int_equal(codeobj_link_result_message(r, 0, &m), CODEOBJ_OK);
    assert_true(m.is_error);
    assert_string_equal(m.text, message);
    codeobj_link_result_free(r);
}

static void test_errors(void **state)
{
    (void)state;
    expect_error(NULL, 0, "calls: no such file", "cannot open calls: no such file");
    expect_error("leaf twin 12", 10, "calls", "calls: parse error"); /* the text ends where its size says */
}

static void test_weights(void **state)
{
    static const struct {
        const char *line;
        bool good;
    } cases[] = {
        { "leaf twin 0", true },     { "leaf twin 017", true },  { "leaf twin 08", false },  { "leaf twin 0x", false },
        { "leaf twin 0xfF", true },  { "leaf twin 0b12", false }, { "leaf twin 0o17", true }, { "leaf twin +1", false },
        { "leaf twin 18446744073709551615", true }, { "leaf twin 18446744073709551616", false },
        { "leaf\ttwin 1", false },   { "leaf twin 1 1", false },  { "leaf  twin 1", false },  { "  leaf twin 1\t\r", true },
        { "#leaf", true },           { "leaf", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct codeobj_link_text calls = { .name = "calls", .text = cases[i].line, .size = strlen(cases[i].line) };
        codeobj_link_result_free(link_calls(
            (struct codeobj_link_options){ .size = sizeof(struct codeobj_link_options), .call_graph = &calls },
            cases[i].good ? CODEOBJ_OK : CODEOBJ_INVALID));
    }
}

static int set_up(void **state)
{
    (void)state;
    inputs[0] = input("fixtures/ld/calls.o");
    inputs[1] = input("fixtures/ld/calls-more.o");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    release(&inputs[0]);
    release(&inputs[1]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default), cmocka_unit_test(test_none),    cmocka_unit_test(test_file),
        cmocka_unit_test(test_errors),  cmocka_unit_test(test_weights),
    };
    int failed_tests = cmocka_run_group_tests_name("link, profiles of calls", tests, set_up, tear_down);
    return failed_tests != 0;
}

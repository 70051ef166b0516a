/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out while objects are linked.
 */
#include <codeobj/link.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "exhaust.h"
#include "link_input.h"

enum { INPUTS = 5 };
static struct codeobj_link_input inputs[INPUTS], script;

static bool take_piece(void *context, uint64_t off, const void *data, size_t size)
{
    (void)context;
    (void)off;
    return size == 0 || data != NULL;
}

static enum codeobj_status path_link(void *context)
{
    struct codeobj_link_options o = *(struct codeobj_link_options *)context;
    struct codeobj_link_result *r = NULL;
    o.flags |= CODEOBJ_LINK_NOINHIBIT;
    enum codeobj_status st = codeobj_link(inputs, INPUTS, &o, &r);
    assert_true(st == CODEOBJ_NO_MEMORY ? r == NULL : r != NULL);
    codeobj_link_result_free(r);
    return st;
}

static void run(struct codeobj_link_options o)
{
    o.size = sizeof o;
    exhaust(path_link, &o);
}

static void test_plain(void **state) { (void)state, run((struct codeobj_link_options){ 0 }); }
static void test_map(void **state) { (void)state, run((struct codeobj_link_options){ .flags = CODEOBJ_LINK_GC_SECTIONS | CODEOBJ_LINK_MAP }); }
static void test_emit_relocs(void **state) { (void)state, run((struct codeobj_link_options){ .flags = CODEOBJ_LINK_EMIT_RELOCS }); }
static void test_pieces(void **state) { (void)state, run((struct codeobj_link_options){ .image_write = take_piece }); }

static void test_script(void **state)
{
    const struct codeobj_link_text text = { script.name, script.data, script.size };
    (void)state;
    run((struct codeobj_link_options){ .linker_scripts = { &text, 1 } });
}

static void test_calls(void **state)
{
    static const char lines[] = "ka kb 5\nkb helper 7\nhelper nobody 1\nkb ka 3\n";
    const struct codeobj_link_text text = { "calls", lines, sizeof lines - 1 };
    (void)state;
    run((struct codeobj_link_options){ .call_graph = &text });
    run((struct codeobj_link_options){ .call_graph = &text, .call_graph_sort = CODEOBJ_CALL_GRAPH_SORT_HFSORT,
                                       .flags = CODEOBJ_LINK_PRINT_SYMBOL_ORDER });
}

static int set_up(void **state)
{
    static const char *const files[INPUTS] = { "fixtures/ld/a.o", "fixtures/ld/b.o", "fixtures/ld/c.o", "fixtures/objects/debug-zlib.o",
                                               "fixtures/ld/lib.a" };
    (void)state;
    for (size_t i = 0; i < INPUTS; i++)
        inputs[i] = input(files[i]);
    script = input("fixtures/ld/gnu.lds");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (size_t i = 0; i < INPUTS; i++)
        release(&inputs[i]);
    release(&script);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),  cmocka_unit_test(test_map),    cmocka_unit_test(test_emit_relocs),
        cmocka_unit_test(test_pieces), cmocka_unit_test(test_script), cmocka_unit_test(test_calls),
    };
    int failed_tests = cmocka_run_group_tests_name("link, allocation failure", tests, set_up, tear_down);
    return failed_tests != 0;
}

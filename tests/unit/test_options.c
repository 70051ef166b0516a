/* SPDX-License-Identifier: MIT
 *
 * Options of callers that were built against older, shorter structures: what these do not have is zero, whatever lies
 * behind them; and of newer, longer ones.  (Each is a block of its own: reading past it is an error under a sanitizer.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <codeobj/exec.h>
#include <codeobj/link.h>
#include <codeobj/load.h>

#include "objects.h"

/* A copy of the first `size` bytes, which is what it says; 0 bytes more than the struct: all of it, and garbage behind. */
static void *cut(const void *options, size_t whole, size_t size)
{
    char *copy = malloc(size);
    assert_non_null(copy);
    memset(copy, 0x5a, size);
    memcpy(copy, options, size < whole ? size : whole);
    memcpy(copy, &size, sizeof size);
    return copy;
}
#define CUT(o, member) cut(&(o), sizeof(o), offsetof(__typeof__(o), member))
#define LONGER(o) cut(&(o), sizeof(o), sizeof(o) + 64)

static void test_open(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co"), *again;
    size_t size;
    const void *bytes = codeobj_elf_bytes(elf, &size);
    struct codeobj_elf_options o = { .flags = CODEOBJ_ELF_LENIENT, .name = "not read" };
    void *older = CUT(o, name), *newer = LONGER(o);
    struct codeobj_diag diag = { 0 };
    assert_int_equal(codeobj_elf_open_memory(bytes, 8, older, &again, &diag), CODEOBJ_MALFORMED);
    assert_string_equal(diag.file, "");
    assert_int_equal(codeobj_elf_open_memory(bytes, 8, newer, &again, &diag), CODEOBJ_MALFORMED);
    assert_string_equal(diag.file, "not read");
    free(older);
    free(newer);

    struct codeobj_load_options l = { .base = 0x100000 };
    struct codeobj_image *image;
    older = CUT(l, resolve), newer = LONGER(l);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(codeobj_image_load(elf, i ? newer : older, &image, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_image_address(image, 0), 0x100000);
        codeobj_image_free(image);
    }
    free(older);
    free(newer);
    codeobj_elf_free(elf);
}

static enum codeobj_walk_verdict count(void *user, const struct codeobj_item *item)
{
    ++*(size_t *)user;
    return item->kind == CODEOBJ_ITEM_CODE_OBJECT ? CODEOBJ_WALK_ON : CODEOBJ_WALK_STOP;
}

static bool note(void *user, const struct codeobj_check_finding *f)
{
    (void)f;
    ++*(size_t *)user;
    return true;
}

static void test_bundle(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    size_t size, items = 0, findings = 0, packed;
    const void *bytes = codeobj_elf_bytes(elf, &size);
    struct codeobj_walk_options w = { .user = &items, .visit = count };
    void *older = CUT(w, finding), *oldest = CUT(w, visit), *out;
    assert_int_equal(codeobj_walk_memory(bytes, size, "x", older, NULL), CODEOBJ_OK);
    assert_int_equal(items, 1);
    assert_int_equal(codeobj_walk_memory(bytes, size, "x", oldest, NULL), CODEOBJ_INVALID);
    free(older);
    free(oldest);

    struct codeobj_pack_options p = { .format = CODEOBJ_PACK_BUNDLE, .alignment = 3 };
    struct codeobj_pack_entry e = { .id = "hipv4-amdgcn-amd-amdhsa--gfx900", .data = bytes, .size = size };
    older = CUT(p, alignment);
    assert_int_equal(codeobj_pack(&e, 1, older, &out, &packed, NULL), CODEOBJ_OK);
    free(out);
    assert_int_equal(codeobj_pack(&e, 1, &(struct codeobj_pack_options){ .size = sizeof p, .alignment = 3 }, &out, &packed, NULL), CODEOBJ_INVALID);
    free(older);

    struct codeobj_target other;
    assert_int_equal(codeobj_target_parse("gfx1100", &other, NULL), CODEOBJ_OK);
    struct codeobj_check_options c = { .device = &other };
    older = CUT(c, device);
    assert_int_equal(codeobj_check_memory(bytes, size, "x", older, note, &findings, NULL), CODEOBJ_OK);
    assert_int_equal(findings, 0);
    free(older);
    older = CUT(c, newest_version);
    assert_int_equal(codeobj_check_memory(bytes, size, "x", older, note, &findings, NULL), CODEOBJ_OK);
    assert_true(findings > 0);
    free(older);
    codeobj_elf_free(elf);
}

static void test_decode_and_run(void **state)
{
    (void)state;
    const struct codeobj_processor *processor = codeobj_processor_by_name("gfx1200");
    struct codeobj_isa_options o = { .wave = 64, .halves = 1 };
    struct codeobj_isa *isa;
    struct codeobj_isa_inst inst;
    static const uint32_t add[] = { 0x64020501 }; /* v_add_f16 of gfx12 */
    void *older = CUT(o, halves), *oldest = CUT(o, wave);
    char text[2][64];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(codeobj_isa_new(processor, i ? (void *)&(struct codeobj_isa_options){ .size = sizeof o, .halves = 1 } : older, &isa, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_isa_decode(isa, add, sizeof add, &inst, NULL), CODEOBJ_OK);
        codeobj_isa_print(isa, &inst, text[i], sizeof text[i]);
        codeobj_isa_free(isa);
    }
    assert_string_not_equal(text[0], text[1]); /* halves were not read */
    assert_int_equal(codeobj_isa_new(processor, oldest, &isa, NULL), CODEOBJ_OK);
    codeobj_isa_free(isa);
    free(older);
    free(oldest);

    struct codeobj_device_options d = { .memory_limit = 1 << 20, .lanes = "no such" };
    struct codeobj_device *device;
    struct codeobj_target t;
    assert_int_equal(codeobj_target_parse("gfx1200", &t, NULL), CODEOBJ_OK);
    older = CUT(d, lanes);
    assert_int_equal(codeobj_device_new(&t, older, &device, NULL), CODEOBJ_OK);
    codeobj_device_free(device);
    free(older);
}

static void test_build(void **state)
{
    (void)state;
    static const uint32_t code[] = { 0xbf810000 };
    struct codeobj_kernel_descriptor d = { .granulated_workitem_vgpr_count = 1 };
    struct codeobj_builder_options o = { .type = 1, .osabi = 64, .code_object_version = 5 };
    struct codeobj_builder_kernel k = { .name = "k", .code = code, .code_size = sizeof code, .descriptor = &d };
    struct codeobj_builder *b;
    assert_int_equal(codeobj_target_parse("gfx900", &o.target, NULL), CODEOBJ_OK);
    void *newer = LONGER(o), *older = CUT(k, args), *oldest = CUT(k, descriptor);
    assert_int_equal(codeobj_builder_new(newer, &b, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_kernel_add(b, older, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_kernel_add(b, oldest, NULL), CODEOBJ_INVALID); /* it has none */
    void *out;
    struct codeobj_elf *elf = finish_object(b, &out);
    assert_int_equal(codeobj_kernel_count(elf), 1);
    codeobj_elf_free(elf);
    free(out);
    free(newer);
    free(older);
    free(oldest);
    codeobj_builder_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_open), cmocka_unit_test(test_bundle), cmocka_unit_test(test_decode_and_run),
                                        cmocka_unit_test(test_build) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0;
}

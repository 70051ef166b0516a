/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out: each path is run again and again, with the first, the
 * second, ... the n-th allocation failing, until nothing fails any more.  No
 * crash, NO_MEMORY as the answer, and nothing left allocated.  Address
 * sanitizers bring their own allocator, so there the test has nothing to do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "objects.h"

#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
#define CAN_FAIL 1
#else
#define CAN_FAIL 0
#endif

static bool armed;
#if CAN_FAIL
static long countdown = -1; /* allocations until one fails; negative: none fails */
static long live, failed;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *p, size_t size);
void free(void *p);

static bool fails(void)
{
    if (!armed || countdown < 0)
        return false;
    if (countdown-- > 0)
        return false;
    failed++;
    return true;
}

static void *counted(void *p)
{
    if (p && armed)
        live++;
    return p;
}

void *malloc(size_t size) { return fails() ? NULL : counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : counted(__libc_calloc(count, size)); }

void *realloc(void *p, size_t size)
{
    if (fails())
        return NULL;
    void *q = __libc_realloc(p, size);
    if (!p)
        counted(q);
    return q;
}

void free(void *p)
{
    if (p && armed)
        live--;
    __libc_free(p);
}
#endif

static const uint8_t *bytes;
static size_t bytes_size;

static bool count_key(void *user, const struct codeobj_metadata_finding *f)
{
    (void)f;
    ++*(int *)user;
    return true;
}

static bool count_finding(void *user, const struct codeobj_check_finding *f)
{
    (void)f;
    ++*(int *)user;
    return true;
}

static enum codeobj_status use_metadata(const struct codeobj_elf *elf)
{
    struct codeobj_metadata *m;
    void *packed = NULL;
    char *text = NULL;
    size_t size;
    int keys = 0;
    enum codeobj_status st = codeobj_metadata_read(elf, &m, NULL);
    if (st)
        return st == CODEOBJ_NOT_FOUND ? CODEOBJ_OK : st;
    codeobj_metadata_validate(m, count_key, &keys);
    st = codeobj_metadata_to_yaml(m, &text, &size, NULL);
    if (!st)
        st = codeobj_value_to_msgpack(codeobj_metadata_root(m), &packed, &size, NULL);
    free(text);
    free(packed);
    codeobj_metadata_free(m);
    return st;
}

/* Opening and reading everything. */
static enum codeobj_status path_read(void)
{
    struct codeobj_elf *elf;
    struct codeobj_elf_symbol s;
    struct codeobj_kernel k;
    struct codeobj_image *image;
    struct codeobj_elf_section section;
    struct codeobj_diag diag;
    void *contents;
    size_t size;
    enum codeobj_status st = codeobj_elf_open_memory(bytes, bytes_size, NULL, &elf, &diag);
    if (st)
        return st;
    /* Look-ups do without their index when there is no memory for one. */
    assert_int_equal(codeobj_elf_symbol_by_name(elf, "vadd.kd", &s), CODEOBJ_OK);
    assert_int_equal(codeobj_kernel_count(elf), 5);
    assert_int_equal(codeobj_kernel_at(elf, 4, &k, NULL), CODEOBJ_OK);
    st = use_metadata(elf);
    struct codeobj_load_options load = { .size = sizeof load };
    if (!st && !(st = codeobj_image_load(elf, &load, &image, NULL)))
        codeobj_image_free(image);
    if (!st && !codeobj_elf_section_by_name(elf, ".text", &section) && !(st = codeobj_elf_section_contents(elf, section.idx, &contents, &size, NULL)))
        free(contents);
    codeobj_elf_free(elf);
    return st;
}

static enum codeobj_status path_lenient(void)
{
    struct codeobj_elf_options options = { .size = sizeof options, .flags = CODEOBJ_ELF_LENIENT };
    struct codeobj_elf *elf;
    enum codeobj_status st = codeobj_elf_open_memory(bytes, bytes_size - 3000, &options, &elf, NULL);
    if (!st)
        codeobj_elf_free(elf);
    return st;
}

/* Dynamic symbols, an allocated section, a kernel. */
static enum codeobj_status edit_linked(struct codeobj_builder *b)
{
    static const uint32_t endpgm[] = { 0xbf810000 };
    struct codeobj_kernel_descriptor d = { .granulated_workitem_vgpr_count = 1 };
    struct codeobj_builder_kernel k = { .size = sizeof k, .name = "added_kernel", .code = endpgm, .code_size = sizeof endpgm, .descriptor = &d };
    struct codeobj_builder_section section = { .name = ".mine", .type = 1, .flags = 3 };
    struct codeobj_elf_symbol s;
    uint32_t idx;
    enum codeobj_status st = codeobj_builder_section_add(b, &section, &idx, NULL);
    if (!st)
        st = codeobj_builder_section_append(b, idx, NULL, 100, 16, NULL, NULL);
    if (!st && !(st = codeobj_builder_symbol_by_name(b, "vadd", &idx, &s))) {
        s.name = "longer_than_vadd";
        st = codeobj_builder_symbol_set(b, idx, &s, NULL);
    }
    if (!st && !(st = codeobj_builder_symbol_by_name(b, "empty", &idx, NULL)))
        st = codeobj_builder_symbol_remove(b, idx, NULL);
    return st ? st : codeobj_builder_kernel_add(b, &k, NULL);
}

static enum codeobj_status path_edit(void)
{
    struct codeobj_elf *elf;
    struct codeobj_builder *b;
    struct codeobj_elf_symbol s = { .name = "added", .shndx = CODEOBJ_SHN_ABS };
    void *out;
    size_t size;
    enum codeobj_status st = codeobj_elf_open_memory(bytes, bytes_size, NULL, &elf, NULL);
    if (st)
        return st;
    st = codeobj_builder_open(elf, &b, NULL);
    if (!st) {
        if (!(st = codeobj_builder_symbol_add(b, &s, NULL, NULL)) &&
            !(st = codeobj_builder_note_set(b, "AMDGPU", 32, bytes, 4000, NULL)) && !(st = codeobj_builder_finish(b, &out, &size, NULL)))
            free(out);
        if (!st && !(st = edit_linked(b)) && !(st = codeobj_builder_finish(b, &out, &size, NULL)))
            free(out);
        codeobj_builder_free(b);
    }
    codeobj_elf_free(elf);
    return st;
}

static enum codeobj_status path_build(void)
{
    static const uint32_t endpgm[] = { 0xbf810000 };
    struct codeobj_builder_options options = { .size = sizeof options, .type = 1, .osabi = 64, .code_object_version = 5 };
    struct codeobj_kernel_descriptor d = { .kernarg_size = 8 };
    struct codeobj_builder_arg arg = { .name = "p", .value_kind = "global_buffer", .size = 8 };
    struct codeobj_builder_kernel k = { .size = sizeof k, .name = "k", .code = endpgm, .code_size = 4, .descriptor = &d, .args = &arg, .arg_count = 1 };
    struct codeobj_builder *b;
    void *out;
    size_t size;
    codeobj_target_parse("gfx900", &options.target, NULL);
    enum codeobj_status st = codeobj_builder_new(&options, &b, NULL);
    if (st)
        return st;
    if (!(st = codeobj_builder_kernel_add(b, &k, NULL)) && !(st = codeobj_builder_finish(b, &out, &size, NULL)))
        free(out);
    codeobj_builder_free(b);
    return st;
}

static enum codeobj_status path_yaml(void)
{
    static const char text[] = "Version: [1, 0]\nKernels:\n  - Name: k\n    SymbolName: 'k@kd'\n    Args:\n      - {Size: 8, Align: 8, ValueKind: ByValue}\n";
    struct codeobj_metadata *m;
    enum codeobj_status st = codeobj_metadata_parse_yaml(text, sizeof text - 1, &m, NULL);
    if (!st)
        codeobj_metadata_free(m);
    return st;
}

/* No finding may be lost for want of memory without its being said. */
static enum codeobj_status path_check(void)
{
    static int all = -1;
    struct codeobj_check_options options = { .size = sizeof options };
    struct codeobj_target device;
    int findings = 0;
    codeobj_target_parse("gfx1100", &device, NULL);
    options.device = &device;
    enum codeobj_status st = codeobj_check_memory(bytes, bytes_size, "x", &options, count_finding, &findings, NULL);
    if (all < 0) {
        bool was = armed;
        armed = false; /* once undisturbed */
        all = 0;
        assert_int_equal(codeobj_check_memory(bytes, bytes_size, "x", &options, count_finding, &all, NULL), CODEOBJ_OK);
        assert_true(all > 0);
        armed = was;
    }
    if (!st)
        assert_int_equal(findings, all);
    return st;
}

static void exhaust(enum codeobj_status (*path)(void))
{
#if CAN_FAIL
    for (long n = 0; n < 20000; n++) {
        countdown = n;
        live = failed = 0;
        armed = true;
        enum codeobj_status st = path();
        armed = false;
        countdown = -1;
        assert_true(st == CODEOBJ_OK || st == CODEOBJ_NO_MEMORY);
        assert_int_equal(live, 0);
        if (!failed) {
            assert_int_equal(st, CODEOBJ_OK);
            assert_true(n > 2); /* the hooks were in place */
            return;
        }
    }
    fail_msg("still failing after 20,000 allocations");
#else
    assert_int_equal(path(), CODEOBJ_OK);
    print_message("the sanitizer's allocator cannot be made to fail\n");
#endif
}

static void test_read(void **state) { (void)state, exhaust(path_read); }
static void test_lenient(void **state) { (void)state, exhaust(path_lenient); }
static void test_edit(void **state) { (void)state, exhaust(path_edit); }
static void test_build(void **state) { (void)state, exhaust(path_build); }
static void test_yaml(void **state) { (void)state, exhaust(path_yaml); }
static void test_check(void **state) { (void)state, exhaust(path_check); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),  cmocka_unit_test(test_lenient), cmocka_unit_test(test_edit),
        cmocka_unit_test(test_build), cmocka_unit_test(test_yaml),    cmocka_unit_test(test_check),
    };
    static uint8_t buffer[1 << 16];
    FILE *f = fopen("fixtures/objects/kernels-gfx900-v6.co", "rb");
    if (!f)
        return 1;
    bytes_size = fread(buffer, 1, sizeof buffer, f);
    bytes = buffer;
    fclose(f);
    int bad = cmocka_run_group_tests(tests, NULL, NULL);
    return bad != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * load/image.c: segments and dynamic relocations of linked objects.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "objects.h"

static uint64_t word(const struct codeobj_image *image, uint64_t addr)
{
    size_t size;
    const uint8_t *bytes = codeobj_image_bytes(image, &size);
    uint64_t at = addr - codeobj_image_base(image), v;
    assert_true(at + 8 <= size);
    memcpy(&v, bytes + at, 8);
    return v;
}

/* As llvm-readelf 22 shows kernels-gfx900-v6.co: RELATIVE64 at 0x4b10 of 0x4b08 (pointer of counter). */
static void test_relative(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_load_options options = { .size = sizeof options, .base = 0x7f0000000000 };
    struct codeobj_image *image;
    struct codeobj_image_segment s;
    uint64_t size, align, addr, bytes;
    assert_int_equal(codeobj_load_extent(elf, &size, &align, NULL), CODEOBJ_OK);
    assert_int_equal(align, 4096);
    assert_int_equal(size, 0x5000);
    assert_int_equal(codeobj_image_load(elf, &options, &image, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_image_symbol(image, "pointer", &addr, &bytes), CODEOBJ_OK);
    assert_int_equal(addr, 0x7f0000004b10);
    assert_int_equal(bytes, 8);
    assert_true(word(image, addr) == 0x7f0000004b08);
    assert_int_equal(word(image, 0x7f0000004b08) & 0xffffffff, 7); /* counter */
    /* The entry offset in a descriptor was resolved by the linker. */
    assert_true(word(image, 0x7f0000000fc0 + 16) == 0x2200 - 0xfc0);
    assert_int_equal(codeobj_image_segment_count(image), 4);
    assert_int_equal(codeobj_image_segment(image, 1, &s), CODEOBJ_OK);
    assert_int_equal(s.addr, 0x7f0000002200);
    assert_int_equal(s.size, 0x858);
    assert_int_equal(s.flags, 5);
    assert_int_equal(codeobj_image_segment(image, 4, &s), CODEOBJ_INVALID);
    assert_int_equal(codeobj_image_symbol(image, "nothing", &addr, &bytes), CODEOBJ_NOT_FOUND);
    codeobj_image_free(image);
    options.base = 0x100;
    assert_int_equal(codeobj_image_load(elf, &options, &image, NULL), CODEOBJ_INVALID);
    options.base = UINT64_MAX - 0x4fff; /* the image ends with the address space */
    assert_int_equal(codeobj_image_load(elf, &options, &image, NULL), CODEOBJ_OK);
    codeobj_image_free(image);
    options.base += 0x1000;
    assert_int_equal(codeobj_image_load(elf, &options, &image, NULL), CODEOBJ_INVALID);
    codeobj_elf_free(elf);
}

static void test_refusals(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.o");
    struct codeobj_diag diag;
    uint64_t size, align;
    assert_int_equal(codeobj_load_extent(elf, &size, &align, &diag), CODEOBJ_UNSUPPORTED);
    assert_string_equal(diag.text, "relocatable object: link it first");
    assert_string_equal(diag.file, "fixtures/objects/kernels-gfx900-v6.o");
    codeobj_elf_free(elf);
}

static void patch_word(uint8_t *p, uint64_t v) { memcpy(p, &v, 8); }

/* One byte image after another, made of a linked object. */
static enum codeobj_status load_patched(size_t at, uint64_t value, char *text)
{
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co"), *bad;
    struct codeobj_elf_options lenient = { .size = sizeof lenient, .flags = CODEOBJ_ELF_LENIENT };
    struct codeobj_load_options options = { .size = sizeof options };
    struct codeobj_image *image;
    struct codeobj_diag diag = { 0 };
    size_t size;
    const void *bytes = codeobj_elf_bytes(elf, &size);
    uint8_t *copy = malloc(size);
    memcpy(copy, bytes, size);
    patch_word(copy + at, value);
    assert_int_equal(codeobj_elf_open_memory(copy, size, &lenient, &bad, NULL), CODEOBJ_OK);
    enum codeobj_status st = codeobj_image_load(bad, &options, &image, &diag);
    if (!st)
        codeobj_image_free(image);
    strcpy(text, diag.text);
    codeobj_elf_free(bad);
    codeobj_elf_free(elf);
    free(copy);
    return st;
}

static void test_hostile_segments(void **state)
{
    (void)state;
    enum { LOAD2 = 64 + 2 * 56, RELA = 0xf78, DYNAMIC = 0x1a58 };
    char text[512];
    assert_int_equal(load_patched(LOAD2 + 16, 0x1000, text), CODEOBJ_MALFORMED); /* p_vaddr inside the first */
    assert_non_null(strstr(text, "segment 2 at 0x1000: overlaps the one before, which ends at 0x1110"));
    assert_int_equal(load_patched(LOAD2 + 40, UINT64_MAX - 0x100, text), CODEOBJ_MALFORMED); /* p_memsz */
    assert_int_equal(load_patched(LOAD2 + 40, (uint64_t)1 << 33, text), CODEOBJ_MALFORMED);
    assert_int_equal(load_patched(RELA, 0x5000, text), CODEOBJ_MALFORMED); /* place behind the image */
    assert_non_null(strstr(text, "R_AMDGPU_RELATIVE64 at 0x5000: outside"));
    assert_int_equal(load_patched(RELA, 0x4ff9, text), CODEOBJ_MALFORMED);
    assert_int_equal(load_patched(RELA, 0x4ff8, text), CODEOBJ_OK);
    assert_int_equal(load_patched(RELA + 8, 99, text), CODEOBJ_UNSUPPORTED); /* type */
    assert_non_null(strstr(text, "unknown type 99"));
    assert_int_equal(load_patched(RELA + 8, 9, text), CODEOBJ_UNSUPPORTED);
    assert_non_null(strstr(text, "not a dynamic relocation"));
    assert_int_equal(load_patched(RELA + 8, (uint64_t)77 << 32 | 3, text), CODEOBJ_MALFORMED);
    assert_non_null(strstr(text, "symbol 77 of 16"));
    assert_int_equal(load_patched(DYNAMIC + 24, (uint64_t)1 << 40, text), CODEOBJ_MALFORMED); /* DT_RELASZ */
}

static bool resolve(void *user, const char *name, uint64_t *addr)
{
    ++*(int *)user;
    *addr = 0x1234500000;
    return !strcmp(name, "external");
}

/* A linked object with an undefined symbol, a symbolic and a weak reference. */
static void test_symbolic(void **state)
{
    (void)state;
    struct codeobj_builder_options options = { .size = sizeof options, .type = 3, .osabi = 64, .code_object_version = 5 };
    struct codeobj_builder_section data = { .name = ".data", .type = 1, .flags = 3, .align = 8 };
    struct codeobj_builder *b;
    struct codeobj_elf *elf;
    struct codeobj_image *image;
    struct codeobj_diag diag;
    uint32_t idx, external, weak, own;
    uint64_t addr, bytes;
    void *out;
    size_t size;
    int calls = 0;
    codeobj_target_parse("gfx900", &options.target, NULL);
    assert_int_equal(codeobj_builder_new(&options, &b, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_add(b, &data, &idx, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_append(b, idx, NULL, 24, 8, NULL, NULL), CODEOBJ_OK);
    struct codeobj_elf_symbol s = { .name = "external", .binding = 1 };
    codeobj_builder_symbol_add(b, &s, &external, NULL);
    s = (struct codeobj_elf_symbol){ .name = "maybe", .binding = 2 };
    codeobj_builder_symbol_add(b, &s, &weak, NULL);
    s = (struct codeobj_elf_symbol){ .name = "own", .binding = 1, .type = 1, .shndx = idx, .value = 0, .size = 24 };
    codeobj_builder_symbol_add(b, &s, &own, NULL);
    struct codeobj_elf_relocation r[] = { { 0, 3, external, 8 }, { 8, 3, weak, 0 }, { 16, 3, own, 4 } };
    for (int i = 0; i < 3; i++)
        assert_int_equal(codeobj_builder_relocation_add(b, idx, &r[i], NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_finish(b, &out, &size, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_open_memory(out, size, NULL, &elf, NULL), CODEOBJ_OK);
    struct codeobj_load_options load = { .size = sizeof load, .base = 0x10000000, .resolve = resolve, .user = &calls };
    assert_int_equal(codeobj_image_load(elf, &load, &image, NULL), CODEOBJ_OK);
    assert_int_equal(calls, 2);
    assert_int_equal(codeobj_image_symbol(image, "own", &addr, &bytes), CODEOBJ_OK);
    assert_true(word(image, addr) == 0x1234500008);
    assert_true(word(image, addr + 8) == 0);        /* weak and unknown */
    assert_true(word(image, addr + 16) == addr + 4); /* preemptible, defined here */
    codeobj_image_free(image);
    load.resolve = NULL;
    assert_int_equal(codeobj_image_load(elf, &load, &image, &diag), CODEOBJ_NOT_FOUND);
    assert_string_equal(diag.text, "undefined symbol \"external\"");
    codeobj_elf_free(elf);
    codeobj_builder_free(b);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relative), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_hostile_segments), cmocka_unit_test(test_symbolic),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0;
}

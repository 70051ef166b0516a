/* SPDX-License-Identifier: MIT
 *
 * Every entry point that allocates and that the other tests of exhausted memory
 * leave out: files, the device and its dispatches, decoders, metadata from bytes,
 * and the changes of a builder one by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "objects.h"

#include "exhaust.h"


static enum codeobj_walk_verdict visit(void *user, const struct codeobj_item *item)
{
    (void)user;
    (void)item;
    return CODEOBJ_WALK_ON;
}

static enum codeobj_status path_files(void *context)
{
    (void)context;
    struct codeobj_walk_options options = { .size = sizeof options, .visit = visit };
    struct codeobj_elf *elf;
    enum codeobj_status st = codeobj_elf_open_file("fixtures/objects/kernels-gfx900-v6.co", NULL, &elf, NULL);
    if (st)
        return st;
    struct codeobj_kernel k;
    struct codeobj_elf_symbol s;
    st = codeobj_kernel_by_name(elf, "reduce", &k, NULL);
    if (!st)
        st = codeobj_elf_dynamic_symbol_by_name(elf, "vadd.kd", &s);
    codeobj_elf_free(elf);
    return st ? st : codeobj_walk_file("fixtures/containers/v3.ccob", &options, NULL);
}

/* vadd adds two floats and 1, 2, 3 or 4, over a buffer that all arguments share. */
static enum codeobj_status dispatch(struct codeobj_device *device)
{
    struct { uint64_t a, b, c; uint32_t n; } args = { .n = 64 };
    struct codeobj_dispatch d = { .size = sizeof d, .kernel = "vadd", .grid = { 64 }, .workgroup = { 64 }, .kernarg = &args, .kernarg_size = 28, .threads = 1 };
    uint64_t addr, size;
    float data[64], sum[64];
    enum codeobj_status st = codeobj_device_alloc(device, sizeof data, "data", &args.a, NULL);
    for (int i = 0; i < 64; i++)
        data[i] = (float)i;
    args.b = args.c = args.a;
    if (!st)
        st = codeobj_device_write(device, args.a, data, sizeof data, NULL);
    if (!st)
        st = codeobj_device_symbol(device, "vadd.kd", &addr, &size);
    if (!st)
        st = codeobj_device_dispatch(device, &d, NULL, NULL);
    if (!st)
        st = codeobj_device_read(device, args.c, sum, sizeof sum, NULL);
    if (!st)
        assert_true(sum[63] == 63 + 63 + 4);
    return st ? st : codeobj_device_release(device, args.a);
}

/* The object is opened in here: it keeps what was looked up in it. */
static enum codeobj_status path_device(void *context)
{
    (void)context;
    struct codeobj_target target;
    struct codeobj_device *device;
    struct codeobj_elf *elf;
    enum codeobj_status st = codeobj_elf_open_file("fixtures/objects/kernels-gfx900-v6.co", NULL, &elf, NULL);
    if (st)
        return st;
    codeobj_elf_target(elf, &target);
    st = codeobj_device_new(&target, NULL, &device, NULL);
    if (!st) {
        st = codeobj_device_load(device, elf, NULL);
        if (!st)
            st = dispatch(device);
        codeobj_device_free(device);
    }
    codeobj_elf_free(elf);
    return st;
}

static enum codeobj_status path_decoder(void *context)
{
    (void)context;
    static const uint32_t word = 0xbf810000;
    struct codeobj_isa *isa;
    struct codeobj_isa_inst inst;
    enum codeobj_status st = codeobj_isa_new(codeobj_processor_by_name("gfx1100"), NULL, &isa, NULL);
    if (st)
        return st;
    codeobj_isa_decode(isa, &word, sizeof word, &inst, NULL);
    codeobj_isa_free(isa);
    return st;
}

static enum codeobj_status path_msgpack(void *context)
{
    const struct codeobj_elf *elf = context;
    enum codeobj_status st = CODEOBJ_OK;
    for (size_t i = 0; !st && i < codeobj_elf_note_count(elf); i++) {
        struct codeobj_elf_note n;
        struct codeobj_metadata *m;
        codeobj_elf_note(elf, i, &n);
        if (n.type == 32 && !(st = codeobj_metadata_parse_msgpack(n.desc, n.desc_size, &m, NULL)))
            codeobj_metadata_free(m);
    }
    return st;
}

/* Sections, relocations, target and metadata of a relocatable object. */
static enum codeobj_status change(struct codeobj_builder *b, const struct codeobj_elf *elf)
{
    static const char yaml[] = "amdhsa.version: [1, 2]\namdhsa.kernels: []\n";
    struct codeobj_builder_section section = { .name = ".mine", .type = 1, .flags = 3 };
    struct codeobj_elf_relocation r = { .offset = 8, .type = 3, .addend = 4 };
    struct codeobj_target target;
    struct codeobj_metadata *m;
    uint32_t idx, text;
    enum codeobj_status st = codeobj_builder_section_add(b, &section, &idx, NULL);
    if (!st)
        st = codeobj_builder_section_set(b, idx, yaml, 32, NULL);
    if (!st)
        st = codeobj_builder_symbol_by_name(b, "vadd", &r.symbol, NULL);
    if (!st)
        st = codeobj_builder_relocation_add(b, idx, &r, NULL);
    codeobj_target_parse("gfx906:xnack-", &target, NULL);
    if (!st)
        st = codeobj_builder_set_target(b, &target, 5, NULL);
    if (!st)
        st = codeobj_builder_metadata_yaml(b, yaml, sizeof yaml - 1, NULL);
    if (!st && !(st = codeobj_metadata_read(elf, &m, NULL))) {
        st = codeobj_builder_metadata_set(b, codeobj_metadata_root(m), NULL);
        codeobj_metadata_free(m);
    }
    if (!st && !(st = codeobj_builder_section_by_name(b, ".mine", &text)))
        st = codeobj_builder_section_remove(b, text, NULL);
    return st;
}

/* A table of pointers, a renamed section that shrank and a renamed symbol of a linked object. */
static enum codeobj_status change_linked(struct codeobj_builder *b)
{
    struct codeobj_builder_section section = { .name = ".mine", .type = 1, .flags = 3 };
    struct codeobj_elf_relocation r = { .offset = 8, .type = 3, .addend = 4 };
    struct codeobj_elf_symbol s;
    uint32_t idx, text;
    enum codeobj_status st = codeobj_builder_section_add(b, &section, &idx, NULL);
    if (!st)
        st = codeobj_builder_section_append(b, idx, NULL, 32, 8, NULL, NULL);
    if (!st)
        st = codeobj_builder_symbol_by_name(b, "vadd", &r.symbol, &s);
    for (int i = 0; !st && i < 20; i++)
        st = codeobj_builder_relocation_add(b, idx, &r, NULL);
    s.name = "a_longer_name_than_it_had_before";
    if (!st)
        st = codeobj_builder_symbol_set(b, r.symbol, &s, NULL);
    if (!st)
        st = codeobj_builder_section_by_name(b, ".text", &text);
    if (!st)
        st = codeobj_builder_section_set(b, text, "\0\0\x81\xbf", 4, NULL); /* the rest of its place is filled */
    return st ? st : codeobj_builder_section_rename(b, text, ".code", NULL);
}

static uint32_t whole; /* check sum of what the builder writes when memory is there; 0: not seen yet */

static enum codeobj_status path_builder(void *context)
{
    const struct codeobj_elf *elf = context;
    struct codeobj_builder *b;
    void *out;
    size_t size;
    enum codeobj_status st = codeobj_builder_open(elf, &b, NULL);
    if (st)
        return st;
    struct codeobj_elf_header h;
    codeobj_elf_header(elf, &h);
    st = h.type == 3 ? change_linked(b) : change(b, elf);
    if (!st && !(st = codeobj_builder_finish(b, &out, &size, NULL))) {
        uint32_t sum = 1;
        for (size_t i = 0; i < size; i++)
            sum = (sum ^ ((const uint8_t *)out)[i]) * 0x01000193;
        free(out);
        if (!whole)
            whole = sum;
        assert_true(sum == whole); /* whole, or none */
    }
    codeobj_builder_free(b);
    return st;
}

/* The first time memory is there. */
static void with_builder(const char *name)
{
    struct codeobj_elf *elf = open_object(name);
    whole = 0;
    assert_int_equal(path_builder(elf), CODEOBJ_OK);
    exhaust(path_builder, elf);
    codeobj_elf_free(elf);
}

static void with_object(enum codeobj_status (*path)(void *context), const char *name)
{
    struct codeobj_elf *elf = open_object(name);
    exhaust(path, elf);
    codeobj_elf_free(elf);
}

static void test_files(void **state) { (void)state, exhaust(path_files, NULL); }
static void test_device(void **state) { (void)state, exhaust(path_device, NULL); }
static void test_decoder(void **state) { (void)state, exhaust(path_decoder, NULL); }
static void test_msgpack(void **state) { (void)state, with_object(path_msgpack, "kernels-gfx900-v6.co"); }
static void test_builder(void **state) { (void)state, with_builder("kernels-gfx900-v6.o"); }
static void test_builder_linked(void **state) { (void)state, with_builder("kernels-gfx900-v6.co"); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files), cmocka_unit_test(test_device), cmocka_unit_test(test_decoder), cmocka_unit_test(test_msgpack),
        cmocka_unit_test(test_builder), cmocka_unit_test(test_builder_linked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * The loader in memory: two objects are linked by codeobj_link() and a kernel of
 * the result runs, without a file being written.  Also what the options and
 * results of codeobj_link() promise.
 */
#include <codeobj/codeobj.h>
#include <codeobj/link.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "link_input.h"

/* histogram calls bucket_of() (REL32) and counts in items_seen (GOT), both of
 * the other object. */
static void link_and_run(const char *folder, uint64_t flags, int bsymbolic)
{
    char kernels[100], helpers[100];
    snprintf(kernels, sizeof kernels, "fixtures/demo/%s/kernels.o", folder);
    snprintf(helpers, sizeof helpers, "fixtures/demo/%s/helpers.o", folder);
    const struct codeobj_link_input in[] = { input(kernels), input(helpers) };
    const struct codeobj_link_options options = { .size = sizeof options, .flags = flags, .bsymbolic = bsymbolic, .unresolved = CODEOBJ_UNRESOLVED_ERROR };
    struct codeobj_link_result *r = NULL;
    assert_int_equal(codeobj_link(in, 2, &options, &r), CODEOBJ_OK);
    assert_int_equal(codeobj_link_result_message_count(r), 0);
    size_t size;
    const void *image = codeobj_link_result_image(r, &size);
    assert_non_null(image);
    release(&in[0]); /* the image stands by itself */
    release(&in[1]);

    struct codeobj_diag diag = { 0 };
    struct codeobj_elf *elf;
    struct codeobj_target target;
    struct codeobj_device *device;
    assert_int_equal(codeobj_elf_open_memory(image, size, NULL, &elf, &diag), CODEOBJ_OK);
    codeobj_elf_target(elf, &target);
    assert_int_equal(codeobj_device_new(&target, NULL, &device, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_load(device, elf, &diag), CODEOBJ_OK);
    uint8_t bytes[700];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    uint32_t bins[256] = { 0 }, seen = 0, sum = 0;
    struct {
        uint64_t in, bins;
        uint32_t n;
    } args = { .n = sizeof bytes };
    assert_int_equal(codeobj_device_alloc(device, sizeof bytes, "in", &args.in, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_alloc(device, sizeof bins, "bins", &args.bins, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_write(device, args.in, bytes, sizeof bytes, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_write(device, args.bins, bins, sizeof bins, &diag), CODEOBJ_OK);
    struct codeobj_dispatch d = { .size = sizeof d, .kernel = "histogram", .grid = { 768 }, .workgroup = { 256 },
                                  .kernarg = &args, .kernarg_size = 20 };
    enum codeobj_status st = codeobj_device_dispatch(device, &d, NULL, &diag);
    if (st != CODEOBJ_OK)
        print_message("%s\n", diag.text);
    assert_int_equal(st, CODEOBJ_OK);
    assert_int_equal(codeobj_device_read(device, args.bins, bins, sizeof bins, &diag), CODEOBJ_OK);
    for (unsigned i = 0; i < 256; i++)
        sum += bins[i];
    assert_int_equal(sum, sizeof bytes);
    struct {
        uint64_t out;
    } out = { args.bins };
    d = (struct codeobj_dispatch){ .size = sizeof d, .kernel = "read_items_seen", .grid = { 1 }, .workgroup = { 1 },
                                   .kernarg = &out, .kernarg_size = sizeof out };
    assert_int_equal(codeobj_device_dispatch(device, &d, NULL, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_read(device, args.bins, &seen, sizeof seen, &diag), CODEOBJ_OK);
    assert_int_equal(seen, sizeof bytes);
    codeobj_device_free(device);
    codeobj_elf_free(elf);
    codeobj_link_result_free(r);
}

static void test_run_wave64(void **state)
{
    (void)state;
    link_and_run("gfx900", 0, 0);
}

static void test_run_wave32(void **state)
{
    (void)state;
    link_and_run("gfx1100", 0, 0);
}

/* The GOT slot that histogram reads is filled by a relocation of either kind in each of the forms they can have. */
static void test_run_packed(void **state)
{
    (void)state;
    static const uint64_t forms[] = { CODEOBJ_LINK_PACK_RELR, CODEOBJ_LINK_PACK_ANDROID, CODEOBJ_LINK_REL,
                                      CODEOBJ_LINK_PACK_ANDROID | CODEOBJ_LINK_REL, CODEOBJ_LINK_PACK_RELR | CODEOBJ_LINK_ANDROID_RELR,
                                      CODEOBJ_LINK_PACK_RELR | CODEOBJ_LINK_PACK_ANDROID };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (int bsymbolic = 0; bsymbolic < 2; bsymbolic++)
            link_and_run("gfx900", forms[i], bsymbolic ? CODEOBJ_BSYMBOLIC_ALL : CODEOBJ_BSYMBOLIC_NONE);
}

/* Several links at a time, of the same inputs and with messages: nothing is shared. */
struct one_of_many {
    pthread_t thread;
    const struct codeobj_link_input *in;
    size_t in_count, size, messages, sum;
    bool same;
};

static void *link_often(void *arg)
{
    struct one_of_many *t = arg;
    t->same = true;
    for (unsigned i = 0; i < 20; i++) {
        const struct codeobj_link_options options = { .size = sizeof options, .unresolved = CODEOBJ_UNRESOLVED_ERROR };
        struct codeobj_link_result *r = NULL;
        size_t size = 0, sum = 0;
        codeobj_link(t->in, t->in_count, &options, &r);
        const unsigned char *image = codeobj_link_result_image(r, &size);
        for (size_t at = 0; at < size; at++)
            sum = sum * 31 + image[at];
        t->same &= i == 0 || (size == t->size && sum == t->sum && codeobj_link_result_message_count(r) == t->messages);
        t->size = size;
        t->sum = sum;
        t->messages = codeobj_link_result_message_count(r);
        codeobj_link_result_free(r);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    const struct codeobj_link_input in[] = { input("fixtures/demo/gfx900/kernels.o"), input("fixtures/demo/gfx900/helpers.o") };
    struct one_of_many t[6];
    for (unsigned i = 0; i < 6; i++) { /* the odd ones miss an object */
        t[i] = (struct one_of_many){ .in = in, .in_count = i & 1 ? 1 : 2 };
        assert_int_equal(pthread_create(&t[i].thread, NULL, link_often, &t[i]), 0);
    }
    for (unsigned i = 0; i < 6; i++)
        pthread_join(t[i].thread, NULL);
    for (unsigned i = 0; i < 6; i++) {
        assert_true(t[i].same);
        assert_int_equal(t[i].sum, t[i & 1].sum);
        assert_int_equal(t[i].messages > 0, i & 1);
        assert_int_equal(t[i].size > 0, !(i & 1));
    }
    release(&in[0]);
    release(&in[1]);
}

static void test_messages(void **state)
{
    (void)state;
    const struct codeobj_link_input in = input("fixtures/ld/a.o");
    const struct codeobj_link_options o = { .size = sizeof o };
    struct codeobj_link_result *r = NULL;
    struct codeobj_link_message m;
    assert_int_equal(codeobj_link(&in, 1, &o, &r), CODEOBJ_INVALID);
    assert_int_equal(codeobj_link_result_message_count(r), 2);
    assert_int_equal(codeobj_link_result_message(r, 0, &m), CODEOBJ_OK);
    assert_true(m.is_error);
    assert_string_equal(m.text, "undefined hidden symbol: helper\n>>> referenced by fixtures/ld/a.o:(ka)\n"
                                ">>> referenced by fixtures/ld/a.o:(ka)\n>>> needed by kernel ka");
    assert_int_equal(codeobj_link_result_message(r, 2, &m), CODEOBJ_NOT_FOUND);
    size_t size = 1;
    assert_null(codeobj_link_result_image(r, &size));
    assert_int_equal(size, 0);
    codeobj_link_result_free(r);

    /* None, and nonsense. */
    assert_int_equal(codeobj_link(NULL, 0, NULL, &r), CODEOBJ_INVALID);
    codeobj_link_result_free(r);
    const struct codeobj_link_input junk = { "junk", "junk", 4, 0 };
    assert_int_equal(codeobj_link(&junk, 1, NULL, &r), CODEOBJ_INVALID);
    codeobj_link_result_free(r);
    codeobj_link_result_free(NULL);
    release(&in);
}

/* An options struct of an older, shorter library. */
static void test_short_options(void **state)
{
    (void)state;
    const struct codeobj_link_input in = input("fixtures/ld/lib3.o");
    struct codeobj_link_options o;
    memset(&o, 0xff, sizeof o);
    o.size = offsetof(struct codeobj_link_options, unresolved);
    o.kind = CODEOBJ_LINK_SHARED;
    struct codeobj_link_result *r = NULL;
    assert_int_equal(codeobj_link(&in, 1, &o, &r), CODEOBJ_OK);
    codeobj_link_result_free(r);
    release(&in);
}

static enum codeobj_status link_three(struct codeobj_link_input *in, const struct codeobj_link_options *o, size_t *sum)
{
    struct codeobj_link_result *r = NULL;
    enum codeobj_status st = codeobj_link(in, 3, o, &r);
    size_t size = 0;
    const unsigned char *image = codeobj_link_result_image(r, &size);
    *sum = size;
    for (size_t i = 0; i < size; i++)
        *sum = *sum * 31 + image[i];
    codeobj_link_result_free(r);
    return st;
}

/* An object that is collected loses what nothing needs, and what is to be kept stays; all collected is --gc-sections. */
static void test_collect(void **state)
{
    (void)state;
    const char *const names[] = { "unused" };
    struct codeobj_link_input in[] = { input("fixtures/ld/a.o"), input("fixtures/ld/b.o"), input("fixtures/ld/d.o") };
    struct codeobj_link_options o = { .size = sizeof o };
    size_t sum, all;
    assert_int_equal(link_three(in, &o, &sum), CODEOBJ_INVALID); /* d.o's function needs a symbol that is nowhere */
    in[2].flags = CODEOBJ_LINK_INPUT_COLLECT;
    assert_int_equal(link_three(in, &o, &sum), CODEOBJ_OK);
    o.keep = (struct codeobj_link_list){ names, 1 };
    assert_int_equal(link_three(in, &o, &sum), CODEOBJ_INVALID);
    o.keep.count = 0;
    in[0].flags = in[1].flags = CODEOBJ_LINK_INPUT_COLLECT;
    assert_int_equal(link_three(in, &o, &sum), CODEOBJ_OK);
    in[0].flags = in[1].flags = in[2].flags = 0;
    o.flags = CODEOBJ_LINK_GC_SECTIONS;
    assert_int_equal(link_three(in, &o, &all), CODEOBJ_OK);
    assert_int_equal(sum, all);
    for (unsigned i = 0; i < 3; i++)
        release(&in[i]);
}

static void test_bitcode(void **state)
{
    (void)state;
    const struct codeobj_link_input in = input("fixtures/containers/vadd.bc");
    struct codeobj_link_result *r = NULL;
    struct codeobj_link_bitcode b;
    assert_int_equal(codeobj_link(&in, 1, NULL, &r), CODEOBJ_UNSUPPORTED);
    assert_int_equal(codeobj_link_result_bitcode_count(r), 1);
    assert_int_equal(codeobj_link_result_bitcode(r, 0, &b), CODEOBJ_OK);
    assert_ptr_equal(b.data, in.data);
    assert_string_equal(b.name, "fixtures/containers/vadd.bc");
    codeobj_link_result_free(r);

    /* Compiled meanwhile: passed over. */
    const struct codeobj_link_input both[] = { input("fixtures/containers/vadd.gfx900.o"), in };
    const struct codeobj_link_options o = { .size = sizeof o, .compiled = &b, .compiled_count = 1 };
    assert_int_equal(codeobj_link(both, 2, &o, &r), CODEOBJ_OK);
    codeobj_link_result_free(r);
    release(&both[0]);
    release(&in);
}

/* Metadata of several objects: kernels of all, in link order, in one note. */
static void test_metadata(void **state)
{
    (void)state;
    const struct codeobj_link_input in[] = { input("fixtures/ld/b.o"), input("fixtures/ld/a.o") };
    struct codeobj_link_result *r = NULL;
    assert_int_equal(codeobj_link(in, 2, NULL, &r), CODEOBJ_OK);
    size_t size;
    const void *image = codeobj_link_result_image(r, &size);
    struct codeobj_elf *elf;
    struct codeobj_metadata *metadata;
    struct codeobj_metadata_kernel k;
    assert_int_equal(codeobj_elf_open_memory(image, size, NULL, &elf, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_note_count(elf), 1);
    assert_int_equal(codeobj_metadata_read(elf, &metadata, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_kernel_count(metadata), 2);
    assert_int_equal(codeobj_metadata_kernel(metadata, 0, &k), CODEOBJ_OK);
    assert_string_equal(k.symbol, "kb.kd");
    assert_int_equal(codeobj_metadata_kernel(metadata, 1, &k), CODEOBJ_OK);
    assert_string_equal(k.symbol, "ka.kd");
    assert_int_equal(k.vgpr_count, 8);
    const struct codeobj_value *formats = codeobj_value_get(codeobj_metadata_root(metadata), "amdhsa.printf");
    assert_non_null(formats);
    assert_int_equal(formats->size, 2);
    codeobj_metadata_free(metadata);
    codeobj_elf_free(elf);
    codeobj_link_result_free(r);
    release(&in[0]);
    release(&in[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_wave64), cmocka_unit_test(test_run_wave32), cmocka_unit_test(test_run_packed),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_collect), cmocka_unit_test(test_bitcode),    cmocka_unit_test(test_short_options), cmocka_unit_test(test_metadata),
    };
    int failed = cmocka_run_group_tests_name("link_run", tests, NULL, NULL);
    return failed != 0;
}

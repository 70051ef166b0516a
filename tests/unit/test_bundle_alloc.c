/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out while containers are packed and walked.
 */
#include <codeobj/bundle.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "exhaust.h"

struct walked {
    struct codeobj_pack_options pack;
    void *out; /* of the pack that had all memory it wanted */
    size_t size, objects;
};

static enum codeobj_walk_verdict visit(void *user, const struct codeobj_item *item)
{
    ((struct walked *)user)->objects += item->kind == CODEOBJ_ITEM_CODE_OBJECT;
    return CODEOBJ_WALK_ON;
}

/* A code object's header; enough for a walk. */
static const unsigned char object[64] = { 0x7f, 'E', 'L', 'F', 2, 1, 1, 64, 4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 224, 0, 1 };

static enum codeobj_status pack(const struct walked *w, void **out, size_t *size)
{
    const struct codeobj_pack_entry e = { "hipv4-amdgcn-amd-amdhsa--gfx900", object, sizeof object };
    *out = NULL;
    enum codeobj_status st = codeobj_pack(&e, 1, &w->pack, out, size, NULL);
    assert_true(st == CODEOBJ_OK || !*out);
    return st;
}

static enum codeobj_status path_pack(void *context)
{
    void *out;
    size_t size;
    enum codeobj_status st = pack(context, &out, &size);
    free(out);
    return st;
}

static enum codeobj_status path_walk(void *context)
{
    struct walked *w = context;
    struct codeobj_walk_options o = { .size = sizeof o, .user = w, .visit = visit };
    w->objects = 0;
    enum codeobj_status st = codeobj_walk_memory(w->out, w->size, "f", &o, NULL);
    assert_true(st != CODEOBJ_OK || w->objects == 1);
    /* A decompressor reports its own failed allocations as a broken stream. */
    return st == CODEOBJ_MALFORMED ? CODEOBJ_NO_MEMORY : st;
}

static void run(uint8_t format, uint8_t compression)
{
    struct walked w = { .pack = { .size = sizeof w.pack, .format = format, .compression = compression } };
    exhaust(path_pack, &w);
    assert_int_equal(pack(&w, &w.out, &w.size), CODEOBJ_OK);
    exhaust(path_walk, &w);
    free(w.out);
}

static void test_bundle(void **state) { (void)state, run(CODEOBJ_PACK_BUNDLE, 0); }
static void test_zlib(void **state) { (void)state, run(CODEOBJ_PACK_COMPRESSED_BUNDLE, 1); }
static void test_zstd(void **state) { (void)state, run(CODEOBJ_PACK_COMPRESSED_BUNDLE, 2); }
static void test_offload_binary(void **state) { (void)state, run(CODEOBJ_PACK_OFFLOAD_BINARY, 0); }
static void test_archive(void **state) { (void)state, run(CODEOBJ_PACK_ARCHIVE, 0); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bundle),         cmocka_unit_test(test_zlib),    cmocka_unit_test(test_zstd),
        cmocka_unit_test(test_offload_binary), cmocka_unit_test(test_archive),
    };
    int failed_tests = cmocka_run_group_tests_name("bundle, allocation failure", tests, NULL, NULL);
    return failed_tests != 0;
}

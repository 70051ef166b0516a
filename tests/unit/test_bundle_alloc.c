/* SPDX-License-Identifier: MIT
 *
 * Walking and packing when the n-th allocation fails, for every n: no crash, no
 * output, and a status that says so.
 */
#include <codeobj/bundle.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t n);

static long countdown; /* allocations until one fails; 0: never */

static bool fails(void)
{
    return countdown && --countdown == 0;
}

void *malloc(size_t n)
{
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return fails() ? NULL : __libc_realloc(p, n);
}

static enum codeobj_walk_verdict visit(void *user, const struct codeobj_item *item)
{
    *(size_t *)user += item->kind == CODEOBJ_ITEM_CODE_OBJECT;
    return CODEOBJ_WALK_ON;
}

/* A code object's header; enough for a walk. */
static const unsigned char object[64] = { 0x7f, 'E', 'L', 'F', 2, 1, 1, 64, 4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 224, 0, 1 };

static void each_allocation_fails(void **state)
{
    (void)state;
    const struct codeobj_pack_entry e = { "hipv4-amdgcn-amd-amdhsa--gfx900", object, sizeof object };
    static const struct {
        uint8_t format, compression;
    } cases[] = { { CODEOBJ_PACK_BUNDLE, 0 }, { CODEOBJ_PACK_COMPRESSED_BUNDLE, 1 }, { CODEOBJ_PACK_COMPRESSED_BUNDLE, 2 },
                  { CODEOBJ_PACK_OFFLOAD_BINARY, 0 }, { CODEOBJ_PACK_ARCHIVE, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct codeobj_pack_options o = { .size = sizeof o, .format = cases[i].format, .compression = cases[i].compression };
        void *out = NULL;
        size_t size = 0, objects = 0;
        enum codeobj_status st = CODEOBJ_NO_MEMORY;
        for (long n = 1; st != CODEOBJ_OK; n++) {
            assert_true(n < 1000);
            out = NULL;
            countdown = n;
            st = codeobj_pack(&e, 1, &o, &out, &size, NULL);
            countdown = 0;
            assert_true(st == CODEOBJ_OK || (st == CODEOBJ_NO_MEMORY && !out));
        }
        struct codeobj_walk_options w = { .size = sizeof w, .user = &objects, .visit = visit };
        st = CODEOBJ_NO_MEMORY;
        for (long n = 1; st != CODEOBJ_OK; n++) {
            assert_true(n < 1000);
            objects = 0;
            countdown = n;
            st = codeobj_walk_memory(out, size, "f", &w, NULL);
            countdown = 0;
            /* a decompressor reports its own failed allocations as a broken stream */
            assert_true(st == CODEOBJ_OK || st == CODEOBJ_NO_MEMORY || st == CODEOBJ_MALFORMED);
            assert_true(st != CODEOBJ_OK || objects == 1);
        }
        free(out);
    }
}
#else
static void each_allocation_fails(void **state)
{
    (void)state;
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_allocation_fails) };
    int failed = cmocka_run_group_tests_name("bundle, allocation failure", tests, NULL, NULL);
    return failed != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * Linking when the n-th allocation fails, for every n: NO_MEMORY and nothing
 * else, until the link succeeds.
 */
#include <codeobj/link.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
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

static struct codeobj_link_input input(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *data = malloc(1 << 16);
    assert_non_null(data);
    size_t size = fread(data, 1, 1 << 16, f);
    fclose(f);
    return (struct codeobj_link_input){ path, data, size, 0 };
}

static bool take_piece(void *context, uint64_t off, const void *data, size_t size)
{
    (void)context;
    (void)off;
    return size == 0 || data != NULL;
}

static void each_allocation_fails(void **state)
{
    (void)state;
    struct codeobj_link_input in[] = { input("fixtures/ld/a.o"), input("fixtures/ld/b.o"), input("fixtures/ld/c.o"),
                                       input("fixtures/objects/debug-zlib.o"), input("fixtures/ld/lib.a") };
    static const uint64_t flags[] = { 0, CODEOBJ_LINK_GC_SECTIONS | CODEOBJ_LINK_MAP, CODEOBJ_LINK_EMIT_RELOCS, 0, 0 };
    struct codeobj_link_input script = input("fixtures/ld/gnu.lds");
    const struct codeobj_link_text text = { script.name, script.data, script.size };
    for (size_t i = 0; i < 5; i++) {
        enum codeobj_status st = CODEOBJ_NO_MEMORY;
        for (long n = 1; st == CODEOBJ_NO_MEMORY; n++) {
            assert_true(n < 10000);
            struct codeobj_link_options o = { .size = sizeof o, .flags = flags[i] | CODEOBJ_LINK_NOINHIBIT };
            struct codeobj_link_result *r = NULL;
            if (i == 3)
                o.linker_scripts = (struct codeobj_link_texts){ &text, 1 };
            if (i == 4)
                o.image_write = take_piece;
            countdown = n;
            st = codeobj_link(in, 5, &o, &r);
            countdown = 0;
            assert_true(st == CODEOBJ_NO_MEMORY ? r == NULL : r != NULL);
            codeobj_link_result_free(r);
        }
    }
    for (size_t i = 0; i < 5; i++)
        free((void *)(uintptr_t)in[i].data);
    free((void *)(uintptr_t)script.data);
}

#else
static void each_allocation_fails(void **state)
{
    (void)state;
    skip(); /* the sanitizer has the allocator */
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_allocation_fails) };
    int failed = cmocka_run_group_tests_name("link_alloc", tests, NULL, NULL);
    return failed != 0;
}

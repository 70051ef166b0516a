/* SPDX-License-Identifier: MIT
 *
 * unit/exhaust.h - memory that runs out: a path is run again and again, with the
 * first, the second, ... the n-th allocation failing, until nothing fails any
 * more.  No crash, NO_MEMORY as the answer, and nothing left allocated.  Address
 * sanitizers bring their own allocator, so there the path runs once, undisturbed.
 *
 * Included by one file of a program: it replaces malloc and its relatives.
 */
#ifndef TESTS_UNIT_EXHAUST_H
#define TESTS_UNIT_EXHAUST_H

#include <stdbool.h>
#include <stdlib.h>

#include <codeobj/base.h>

#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
#define CAN_FAIL 1
#else
#define CAN_FAIL 0
#endif

static bool armed __attribute__((unused)); /* failing and counting; a path may rest it for a while */
#if CAN_FAIL
static long countdown = -1; /* allocations until one fails; negative: none fails */
static long live, failed;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
/* Seen by libraries too: what strndup or zlib allocates can fail as well. */
__attribute__((visibility("default"))) void *malloc(size_t size);
__attribute__((visibility("default"))) void *calloc(size_t count, size_t size);
__attribute__((visibility("default"))) void *realloc(void *p, size_t size);
__attribute__((visibility("default"))) void *aligned_alloc(size_t align, size_t size);
__attribute__((visibility("default"))) int posix_memalign(void **p, size_t align, size_t size);
__attribute__((visibility("default"))) void free(void *p);

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

void *aligned_alloc(size_t align, size_t size) { return fails() ? NULL : counted(__libc_memalign(align, size)); }

int posix_memalign(void **p, size_t align, size_t size)
{
    void *q = aligned_alloc(align, size);
    if (q)
        *p = q;
    return q ? 0 : 12; /* ENOMEM */
}

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

static void exhaust(enum codeobj_status (*path)(void *context), void *context)
{
#if CAN_FAIL
    for (long n = 0; n < 20000; n++) {
        countdown = n;
        live = failed = 0;
        armed = true;
        enum codeobj_status st = path(context);
        armed = false;
        countdown = -1;
        assert_true(st == CODEOBJ_OK || st == CODEOBJ_NO_MEMORY);
        assert_int_equal(live, 0);
        if (!failed) {
            assert_int_equal(st, CODEOBJ_OK);
            assert_true(n > 0); /* the hooks were in place */
            return;
        }
    }
    fail_msg("still failing after 20,000 allocations");
#else
    assert_int_equal(path(context), CODEOBJ_OK);
    print_message("the sanitizer's allocator cannot be made to fail\n");
#endif
}

#endif

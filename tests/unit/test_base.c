/* SPDX-License-Identifier: MIT
 *
 * base/: diagnostics, spans, arenas, buffers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <cmocka.h>

#include <codeobj/threads.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/span.h"

static void test_diag(void **state)
{
    (void)state;
    struct codeobj_diag d = { 0 };
    char text[64], name[400];
    co_diag_file(&d, "a.o");
    assert_int_equal(co_fail_at(&d, CODEOBJ_MALFORMED, ".text", 0x10, "found %d", 5), CODEOBJ_MALFORMED);
    assert_int_equal(codeobj_diag_format(&d, text, sizeof text), strlen("a.o: .text+0x10: found 5"));
    assert_string_equal(text, "a.o: .text+0x10: found 5");
    /* A short buffer is terminated, the length is that of the whole. */
    assert_int_equal(codeobj_diag_format(&d, text, 8), 24);
    assert_string_equal(text, "a.o: .t");
    /* A later failure keeps the file and drops the place. */
    co_fail(&d, CODEOBJ_IO, "gone");
    codeobj_diag_format(&d, text, sizeof text);
    assert_string_equal(text, "a.o: gone");
    co_fail_at(&d, CODEOBJ_MALFORMED, NULL, 255, "bad");
    codeobj_diag_format(&d, text, sizeof text);
    assert_string_equal(text, "a.o: 0xff: bad");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    co_diag_file(&d, name);
    assert_int_equal(strlen(d.file), sizeof d.file - 1);
    assert_string_equal(d.file + sizeof d.file - 4, "...");
    assert_int_equal(co_fail(NULL, CODEOBJ_LIMIT, "nobody listens"), CODEOBJ_LIMIT);
    for (int i = 0; i < CODEOBJ_STATUS_COUNT; i++)
        assert_true(codeobj_status_text(i)[0]);
    assert_string_equal(codeobj_status_text(99), "unknown status");
    assert_non_null(strchr(codeobj_version(), '.'));
}

static void test_span(void **state)
{
    (void)state;
    static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 0x80 };
    struct co_span s = co_span_make(bytes, sizeof bytes), t;
    uint16_t h = 7;
    uint32_t w = 7;
    uint64_t d = 7;
    uint8_t b = 7;
    assert_true(co_span_has(s, 0, 9));
    assert_true(co_span_has(s, 9, 0));
    assert_false(co_span_has(s, 9, 1));
    assert_false(co_span_has(s, 10, 0));
    assert_false(co_span_has(s, UINT64_MAX, 2)); /* would wrap */
    assert_false(co_span_has(s, 2, UINT64_MAX));
    assert_true(co_span_u16(s, 1, &h) && h == 0x0302);
    assert_true(co_span_u32(s, 5, &w) && w == 0x80080706u);
    assert_true(co_span_u64(s, 1, &d) && d == 0x8008070605040302u);
    assert_false(co_span_u64(s, 2, &d));
    assert_true(d == 0x8008070605040302u); /* untouched */
    assert_true(co_span_u8(s, 8, &b) && b == 0x80);
    assert_false(co_span_u8(s, 9, &b));
    assert_true(co_span_sub(s, 4, 5, &t) && t.size == 5 && t.data == bytes + 4);
    assert_false(co_span_sub(s, 5, 5, &t));
    assert_true(co_span_sub((struct co_span){ NULL, 0 }, 0, 0, &t));
    assert_null(co_span_str(s, 0)); /* no NUL inside */
    assert_string_equal(co_span_str(co_span_make("ab\0c", 4), 1), "b");
    assert_null(co_span_str(co_span_make("ab\0c", 4), 3));
    assert_null(co_span_str(co_span_make("ab\0c", 4), 4));
    uint8_t out[8];
    co_store64(out, 0x0102030405060708);
    assert_int_equal(out[0], 8);
    assert_true(co_load64(out) == 0x0102030405060708);
}

static void test_arena(void **state)
{
    (void)state;
    struct co_arena a = { 0 };
    char *small = co_arena_alloc(&a, 1), *empty = co_arena_alloc(&a, 0), *big = co_arena_alloc(&a, 100000);
    assert_non_null(small);
    assert_non_null(empty);
    assert_non_null(big);
    assert_int_equal((uintptr_t)big % 16, 0);
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(big[i], 0);
    memset(big, 1, 100000);
    assert_null(co_arena_array(&a, SIZE_MAX / 8, 16)); /* would wrap */
    assert_null(co_arena_alloc(&a, SIZE_MAX - 8));
    assert_string_equal(co_arena_strndup(&a, "abcdef", 3), "abc");
    co_arena_free(&a);
    assert_null(a.blocks);
}

/* Bytes of address space the process has mapped. */
static size_t mapped(void)
{
    size_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%zu", &pages), 1);
    fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Blocks of the arena's own of all sizes, the large ones of which are mapped, and allocations that take one for themselves,
 * below, at and above the 2 MiB from which it is mapped.  Together 75 MiB. */
static void test_arena_large(void **state)
{
    (void)state;
    enum { KIB = 1024, MIB = 1024 * KIB, SMALL = 400, COUNT = SMALL + 8 };
    static const size_t large[COUNT - SMALL] = { 2 * MIB - 4096, 2 * MIB - 32, 2 * MIB, 2 * MIB + 1, 3 * MIB, 7, 5 * MIB - 8, 9 * MIB };
    struct co_arena a = { 0 };
    static unsigned char *p[COUNT];
    static size_t size[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        size[i] = i < SMALL ? 1 + i * 7919 % (256 * KIB) : large[i - SMALL];
        p[i] = co_arena_alloc(&a, size[i]);
        assert_non_null(p[i]);
        assert_int_equal((uintptr_t)p[i] % _Alignof(max_align_t), 0);
        assert_int_equal(p[i][0], 0);
        assert_memory_equal(p[i], p[i] + 1, size[i] - 1); /* all zero */
        memset(p[i], (int)(i % 255 + 1), size[i]);
    }
    for (size_t i = 0; i < COUNT; i++) { /* no other was written over it */
        assert_int_equal(p[i][0], i % 255 + 1);
        assert_memory_equal(p[i], p[i] + 1, size[i] - 1);
    }
    co_arena_free(&a);
    assert_null(a.blocks);
}

/* Mapped blocks go back to the system.  That an address is free again proves nothing: a sanitizer's own memory takes the place. */
static void test_arena_unmaps(void **state)
{
    (void)state;
    enum { ROUNDS = 40, MIB = 1024 * 1024 };
    size_t before = mapped();
    for (int i = 0; i < ROUNDS; i++) {
        struct co_arena a = { 0 };
        assert_non_null(co_arena_alloc(&a, 9 * MIB));
        assert_non_null(co_arena_alloc(&a, 3 * MIB));
        co_arena_free(&a);
    }
    assert_true(mapped() < before + ROUNDS * 12 * (size_t)MIB / 4);
}

static void test_buffer(void **state)
{
    (void)state;
    struct co_buffer b = { 0 };
    co_buffer_text(&b, "abc");
    co_buffer_align(&b, 8);
    assert_int_equal(b.size, 8);
    co_buffer_align(&b, 8);
    co_buffer_align(&b, 0);
    assert_int_equal(b.size, 8);
    co_buffer_format(&b, "%d", 42);
    co_buffer_byte(&b, 0);
    assert_string_equal((char *)b.data + 8, "42");
    for (int i = 0; i < 1000; i++)
        co_buffer_fill(&b, (uint8_t)i, 10);
    assert_int_equal(b.size, 11 + 10000);
    assert_int_equal(b.data[b.size - 1], 999 & 255);
    assert_false(b.failed);
    co_buffer_fill(&b, 0, SIZE_MAX - 4);
    assert_true(b.failed);
    co_buffer_text(&b, "dropped");
    assert_int_equal(b.size, 11 + 10000);
    co_buffer_free(&b);
    assert_null(b.data);
}

struct calls {
    pthread_t caller;
    atomic_uint of[CODEOBJ_THREADS_MAX], inside, most;
    atomic_bool first_elsewhere;
};

static void note_call(void *context, unsigned i)
{
    struct calls *c = context;
    unsigned inside = atomic_fetch_add(&c->inside, 1) + 1, most = atomic_load(&c->most);
    while (inside > most && !atomic_compare_exchange_weak(&c->most, &most, inside))
        ;
    atomic_fetch_add(&c->of[i], 1);
    if ((i == 0) != (pthread_equal(pthread_self(), c->caller) != 0))
        atomic_store(&c->first_elsewhere, true);
    for (unsigned turns = 0; turns < 10000 && atomic_load(&c->most) < 2; turns++)
        usleep(1000); /* until another is there as well */
    atomic_fetch_sub(&c->inside, 1);
}

static void test_threads(void **state)
{
    (void)state;
    for (unsigned count = 0; count <= 5; count++) {
        struct calls c = { .caller = pthread_self(), .most = count < 2 ? 2 : 0 };
        codeobj_on_threads(count, note_call, &c);
        for (unsigned i = 0; i < CODEOBJ_THREADS_MAX; i++)
            assert_int_equal(c.of[i], i < count);
        assert_int_equal(c.inside, 0);
        assert_false(c.first_elsewhere);
        assert_true(c.most >= 2);
    }
    assert_in_range(codeobj_thread_count(), 1, CODEOBJ_THREADS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diag), cmocka_unit_test(test_span), cmocka_unit_test(test_arena), cmocka_unit_test(test_arena_large),
        cmocka_unit_test(test_arena_unmaps),
        cmocka_unit_test(test_buffer), cmocka_unit_test(test_threads),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0;
}

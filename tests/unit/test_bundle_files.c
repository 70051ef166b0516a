/* SPDX-License-Identifier: MIT
 *
 * Damaged containers that LLVM's tools wrote: cut at many lengths, bytes of
 * their headers changed.  The corpus of the fuzz target is replayed too.
 * LONG=1 takes every length.
 */
#include <codeobj/bundle.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static enum codeobj_walk_verdict visit(void *user, const struct codeobj_item *item)
{
    const unsigned char *p = item->data;
    if (p && item->size)
        *(unsigned *)user += p[0] + p[item->size - 1];
    return CODEOBJ_WALK_ON;
}

static void walk(const unsigned char *data, size_t size)
{
    unsigned sum = 0;
    struct codeobj_walk_options o = { .size = sizeof o, .user = &sum, .visit = visit, .unpack_limit = 1 << 20 };
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    codeobj_walk_memory(copy, size, "f", &o, NULL);
    free(copy);
}

static unsigned char *read_file(const char *folder, const char *name, size_t *size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    unsigned char *data = malloc(1 << 20);
    assert_non_null(data);
    *size = f ? fread(data, 1, 1 << 20, f) : 0;
    if (f)
        fclose(f);
    return data;
}

static void damaged(void **state)
{
    (void)state;
    static const char *const files[] = { "plain.hipfb", "v2.ccob", "v3.ccob", "packaged.bin", "gnu.a", "thin.a", "host.o", "host.obj", "kpack.o",
                                         "wrapper.o", "wrapper-big-endian.o", "wrapper.so", "wrapper-relr.so", "wrapper.exe", "wrapper.obj", "wrapper.dll" };
    bool all = getenv("LONG");
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        size_t size;
        unsigned char *data = read_file("fixtures/containers", files[i], &size);
        assert_true(size > 0);
        for (size_t n = 0; n < size; n += all ? 1 : 1 + size / 97)
            walk(data, n);
        size_t tail = size > 700 ? size - 700 : 0; /* section headers stand at the end */
        for (size_t at = 0; at < size; at = at == 300 && tail > at ? tail : at + 1) {
            unsigned char old = data[at];
            data[at] ^= 0x80;
            walk(data, size);
            data[at] = 0xff;
            walk(data, size);
            data[at] = old;
        }
        free(data);
    }
}

static void corpus(void **state)
{
    (void)state;
    static const char folder[] = "tests/fuzz/corpus/container";
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t size;
        unsigned char *data = read_file(folder, e->d_name, &size);
        walk(data, size);
        free(data);
    }
    if (d)
        closedir(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(damaged), cmocka_unit_test(corpus) };
    int failed = cmocka_run_group_tests_name("damaged containers", tests, NULL, NULL);
    return failed != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * Damaged objects: cut at every length, every header field changed, the corpora
 * of the fuzz targets.  LONG=1 takes all lengths and more values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <dirent.h>
#include <cmocka.h>

#include "../fuzz/exercise.h"

static const char *const objects[] = {
    "kernels-gfx900-v6.co", "kernels-gfx90a-v6.o", "kernels-gfx1250-v6.co", "kernel-v2.o", "metadata.o", "pal-gfx1030.o",
    "pal-legacy-gfx900.o", "r600-cedar.o", "debug-zlib.o", "debug-zstd.o", "finalizer-v1.o", "calls-gfx900.co",
};
enum { OBJECTS = sizeof objects / sizeof *objects };

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    uint8_t *data = malloc(1 << 20);
    assert_non_null(data);
    *size = fread(data, 1, 1 << 20, f);
    fclose(f);
    return data;
}

static uint8_t *read_object(const char *name, size_t *size)
{
    char path[300];
    snprintf(path, sizeof path, "fixtures/objects/%s", name);
    return read_file(path, size);
}

/* A copy of its own size, so that a sanitizer catches the first byte read behind it. */
static void exercise_copy(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    exercise_object(copy, size);
    free(copy);
}

static void test_prefixes(void **state)
{
    (void)state;
    for (int i = 0; i < OBJECTS; i++) {
        size_t size;
        uint8_t *data = read_object(objects[i], &size);
        size_t step = getenv("LONG") ? 1 : 61;
        for (size_t n = 0; n <= size; n += n < 64 ? 1 : step)
            exercise_copy(data, n);
        exercise_copy(data, size);
        free(data);
    }
}

static void flip_range(uint8_t *data, size_t size, size_t from, size_t count, size_t step)
{
    static const uint8_t values[] = { 0xff, 0x00, 0x7f, 0x80, 0x01 };
    int kinds = getenv("LONG") ? 5 : 1;
    for (size_t at = from; at < from + count && at < size; at += step) {
        uint8_t old = data[at];
        for (int v = 0; v < kinds; v++) {
            data[at] = values[v];
            exercise_object(data, size);
        }
        data[at] = old ^ 1;
        exercise_object(data, size);
        data[at] = old;
    }
}

static void test_header_fields(void **state)
{
    (void)state;
    for (int i = 0; i < OBJECTS; i++) {
        size_t size;
        uint8_t *data = read_object(objects[i], &size);
        struct codeobj_elf *elf;
        struct codeobj_elf_header h;
        assert_int_equal(codeobj_elf_open_memory(data, size, NULL, &elf, NULL), CODEOBJ_OK);
        codeobj_elf_header(elf, &h);
        codeobj_elf_free(elf);
        flip_range(data, size, 0, 64, 1);
        /* Low and high bytes of each field of both tables. */
        flip_range(data, size, (size_t)h.phoff, h.phnum * 56, 4);
        flip_range(data, size, (size_t)h.shoff, h.shnum * (h.elf_class == 1 ? 40 : 64), getenv("LONG") ? 1 : 4);
        flip_range(data, size, (size_t)h.shoff + 3, h.shnum * (h.elf_class == 1 ? 40 : 64), getenv("LONG") ? 1 : 8);
        free(data);
    }
}

static void test_section_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < OBJECTS; i++) {
        size_t size;
        uint8_t *data = read_object(objects[i], &size);
        flip_range(data, size, 64, size - 64, getenv("LONG") ? 3 : 149);
        free(data);
    }
}

static void replay(const char *folder, int (*one)(const uint8_t *, size_t))
{
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (struct dirent *e; (e = readdir(dir));) {
        char path[600];
        size_t size;
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        uint8_t *data = read_file(path, &size);
        one(data, size);
        free(data);
    }
    closedir(dir);
}

static void test_corpora(void **state)
{
    (void)state;
    replay("tests/fuzz/corpus/object", exercise_object);
    replay("tests/fuzz/corpus/metadata", exercise_metadata);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_header_fields),
        cmocka_unit_test(test_section_bytes),
        cmocka_unit_test(test_corpora),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0;
}

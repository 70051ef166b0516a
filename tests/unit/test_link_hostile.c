/* SPDX-License-Identifier: MIT
 *
 * Damaged objects and archives given to the linker: cut at every length, bytes
 * changed at places that a fixed generator picks, headers and tables above all.
 * No crash, no output that does not open.  LONG=1 does more of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "../fuzz/link_exercise.h"

static const char *const names[] = { "a.o", "b.o", "c.o", "branch-near.o", "debug.o", "versions.o", "lib.a", "noindex.a", "calls-more.o" };
enum { NAMES = sizeof names / sizeof *names };

static uint8_t *read_file(const char *name, size_t *size)
{
    char path[300];
    snprintf(path, sizeof path, "fixtures/ld/%s", name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    uint8_t *data = malloc(1 << 20);
    assert_non_null(data);
    *size = fread(data, 1, 1 << 20, f);
    fclose(f);
    return data;
}

/* Links a copy of its own size beside a sound object. */
static void try_bytes(const uint8_t *data, size_t size, const uint8_t *good, size_t good_size, unsigned choice)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    if (size)
        memcpy(copy, data, size);
    const struct codeobj_link_input inputs[] = { { "x", copy, size, 0 }, { "good.o", good, good_size, 0 } };
    link_exercise(inputs, 2, choice);
    free(copy);
}

static void test_prefixes(void **state)
{
    (void)state;
    size_t good_size, size;
    uint8_t *good = read_file("b.o", &good_size);
    for (int i = 0; i < NAMES; i++) {
        uint8_t *data = read_file(names[i], &size);
        for (size_t n = 0; n <= size; n += getenv("LONG") ? 1 : 37)
            try_bytes(data, n, good, good_size, (unsigned)n);
        free(data);
    }
    free(good);
}

static uint32_t next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static void test_changed_bytes(void **state)
{
    (void)state;
    static const uint8_t values[] = { 0, 1, 2, 0x7f, 0x80, 0xff, 0xfe, 0x10 };
    size_t good_size, size;
    uint8_t *good = read_file("b.o", &good_size);
    int rounds = getenv("LONG") ? 20000 : 600;
    for (int i = 0; i < NAMES; i++) {
        uint8_t *data = read_file(names[i], &size), *copy = malloc(size);
        assert_non_null(copy);
        uint32_t seed = 12345u + (uint32_t)i;
        for (int n = 0; n < rounds; n++) {
            memcpy(copy, data, size);
            unsigned changes = 1 + next(&seed) % 3;
            for (unsigned k = 0; k < changes; k++) {
                /* Half of the time in the header and in what lies last: section headers and tables. */
                size_t at = next(&seed) % size;
                if (next(&seed) & 1)
                    at = next(&seed) & 1 ? at % 64 : size - 1 - at % (size < 2048 ? size : 2048);
                copy[at] = next(&seed) & 1 ? values[next(&seed) % sizeof values] : (uint8_t)next(&seed);
            }
            try_bytes(copy, size, good, good_size, next(&seed));
        }
        free(copy);
        free(data);
    }
    free(good);
}

/* Scripts are input too. */
static void test_scripts(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "", "{", "{ global", "{ global:", "{ global: *", "{ *; }", "};", "V1", "V1 {", "V1 { a; } V0", "V1 { extern \"C++\" { a",
        "{ [; [a; [a-; *[!]*; };", "{ global: \"", "{ /* };", "V1 { a; }; V1 { b; };", "{ local: *; }; V2 { a; };", "\"\" { ; };",
        "{ ::; : ; };", "{ ************a; };",
    };
    size_t size;
    uint8_t *data = read_file("versions.o", &size);
    const struct codeobj_link_input input = { "v.o", data, size, 0 };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct codeobj_link_text text = { "s", scripts[i], strlen(scripts[i]) };
        struct codeobj_link_options o = { .size = sizeof o, .version_scripts = { &text, 1 }, .dynamic_lists = { &text, 1 } };
        struct codeobj_link_result *r = NULL;
        codeobj_link(&input, 1, &o, &r);
        assert_non_null(r);
        codeobj_link_result_free(r);
    }
    static const char *const defsyms[] = { "a=", "=1", "a", "a=1+", "a=((((((((((((1", "a=1/0", "a=0x", "a=b%0", "a=1<<99", "a=bar+bar-bar",
                                           "a=~-+~1", "a=bar)", "a=1 2" };
    for (size_t i = 0; i < sizeof defsyms / sizeof *defsyms; i++) {
        struct codeobj_link_options o = { .size = sizeof o, .defsym = { &defsyms[i], 1 } };
        struct codeobj_link_result *r = NULL;
        codeobj_link(&input, 1, &o, &r);
        assert_non_null(r);
        codeobj_link_result_free(r);
    }
    char deep[3000] = "a=";
    memset(deep + 2, '(', sizeof deep - 3);
    const char *p = deep;
    struct codeobj_link_options o = { .size = sizeof o, .defsym = { &p, 1 } };
    struct codeobj_link_result *r = NULL;
    assert_int_equal(codeobj_link(&input, 1, &o, &r), CODEOBJ_INVALID);
    codeobj_link_result_free(r);
    free(data);
}

static void link_with_script(const char *text, size_t size)
{
    static uint8_t *data[2];
    static size_t sizes[2];
    for (int i = 0; i < 2; i++)
        if (!data[i])
            data[i] = read_file(i ? "b.o" : "a.o", &sizes[i]);
    const struct codeobj_link_input inputs[] = { { "a.o", data[0], sizes[0], 0 }, { "b.o", data[1], sizes[1], 0 } };
    const struct codeobj_link_text script = { "s", text, size };
    for (unsigned kind = 0; kind < 3; kind++) {
        struct codeobj_link_options o = { .size = sizeof o, .kind = (uint8_t)kind, .error_limit = 20,
                                          .unresolved = CODEOBJ_UNRESOLVED_IGNORE, .linker_scripts = { &script, 1 } };
        struct codeobj_link_result *r = NULL;
        enum codeobj_status st = codeobj_link(inputs, 2, &o, &r);
        size_t image_size = 0;
        assert_non_null(r);
        assert_int_equal(codeobj_link_result_image(r, &image_size) != NULL, st == CODEOBJ_OK);
        assert_true(image_size < (1u << 28));
        codeobj_link_result_free(r);
    }
}

/* Linker scripts: cut at each byte, and with bytes and words exchanged. */
static void test_linker_scripts(void **state)
{
    (void)state;
    static const char *const files[] = { "kernel.lds", "memory.lds", "phdrs.lds", "insert.lds", "relro.lds", "sort.lds",
                                         "expressions.lds", "data.lds", "gnu.lds" };
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t size;
        uint8_t *text = read_file(files[i], &size);
        for (size_t cut = 0; cut <= size; cut++)
            link_with_script((const char *)text, cut);
        for (unsigned n = 0; n < 400; n++) {
            static const char bytes[] = "(){};:=.*<>&|+-/ 0x9A~!,\"#\n\1\377";
            uint8_t *copy = malloc(size);
            assert_non_null(copy);
            memcpy(copy, text, size);
            for (unsigned k = 0; k < 1 + n % 4; k++) {
                seed = seed * 1664525 + 1013904223;
                size_t at = (seed >> 8) % size, from = (seed >> 4) % size, len = 1 + (seed >> 24) % 12;
                if (n & 1)
                    copy[at] = (uint8_t)bytes[(seed >> 20) % (sizeof bytes - 1)];
                else if (at + len <= size && from + len <= size)
                    memmove(copy + at, text + from, len);
            }
            link_with_script((const char *)copy, size);
            free(copy);
        }
        free(text);
    }
}

/* The alignment of a compressed section is in its own header, and is looked at like any other. */
static void test_compressed_alignment(void **state)
{
    (void)state;
    enum { SHF_COMPRESSED = 1 << 11 };
    size_t size;
    uint8_t *data = read_file("../objects/debug-zlib.o", &size);
    uint64_t table, flags, off = 0, align = 3;
    uint16_t count;
    memcpy(&table, data + 40, sizeof table);
    memcpy(&count, data + 60, sizeof count);
    bool found = false;
    for (uint64_t i = 0; i < count && !found; i++) {
        memcpy(&flags, data + table + i * 64 + 8, sizeof flags);
        memcpy(&off, data + table + i * 64 + 24, sizeof off);
        found = flags & SHF_COMPRESSED;
    }
    assert_true(found);
    memcpy(data + off + 16, &align, sizeof align);
    const struct codeobj_link_input input = { "x", data, size, 0 };
    struct codeobj_link_options o = { .size = sizeof o, .kind = CODEOBJ_LINK_RELOCATABLE };
    struct codeobj_link_result *r = NULL;
    assert_int_not_equal(codeobj_link(&input, 1, &o, &r), CODEOBJ_OK);
    struct codeobj_link_message m;
    assert_int_equal(codeobj_link_result_message(r, 0, &m), CODEOBJ_OK);
    assert_non_null(strstr(m.text, "sh_addralign is not a power of 2: 3"));
    codeobj_link_result_free(r);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_changed_bytes),
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_linker_scripts),
        cmocka_unit_test(test_compressed_alignment),
    };
    int failed = cmocka_run_group_tests_name("link_hostile", tests, NULL, NULL);
    return failed != 0;
}

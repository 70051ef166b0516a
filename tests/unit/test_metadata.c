/* SPDX-License-Identifier: MIT
 *
 * metadata/: both readers, the typed model, YAML, validation, MessagePack.
 * metadata.yaml is what llvm-readelf 22 --notes prints for metadata.o.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <locale.h>
#include <cmocka.h>

#include "metadata/metadata.h"
#include "objects.h"

static struct codeobj_metadata *read_metadata(const char *object, struct codeobj_elf **elf)
{
    struct codeobj_metadata *m = NULL;
    *elf = open_object(object);
    assert_int_equal(codeobj_metadata_read(*elf, &m, NULL), CODEOBJ_OK);
    return m;
}

static void test_model_v3(void **state)
{
    (void)state;
    struct codeobj_elf *elf;
    struct codeobj_metadata *m = read_metadata("kernels-gfx900-v6.co", &elf);
    struct codeobj_metadata_kernel k;
    struct codeobj_metadata_arg a;
    size_t idx;
    assert_int_equal(codeobj_metadata_kernel_count(m), 5);
    assert_int_equal(codeobj_metadata_kernel_by_name(m, "reduce", &idx), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_kernel(m, idx, &k), CODEOBJ_OK);
    assert_string_equal(k.name, "reduce");
    assert_string_equal(k.symbol, "reduce.kd");
    assert_string_equal(k.language, "OpenCL C");
    assert_int_equal(k.group_segment_fixed_size, 1024);
    assert_int_equal(k.kernarg_segment_size, 32);
    assert_int_equal(k.kernarg_segment_align, 16);
    assert_int_equal(k.wavefront_size, 64);
    assert_int_equal(k.max_flat_workgroup_size, 128);
    assert_true(k.has_reqd_workgroup_size);
    assert_int_equal(k.reqd_workgroup_size[0], 64);
    assert_int_equal(k.reqd_workgroup_size[1], 2);
    assert_false(k.has_workgroup_size_hint);
    assert_int_equal(k.arg_count, 3);
    assert_int_equal(codeobj_metadata_arg(m, idx, 1, &a), CODEOBJ_OK);
    assert_string_equal(a.value_kind, "dynamic_shared_pointer");
    assert_string_equal(a.address_space, "local");
    assert_int_equal(a.offset, 8);
    assert_int_equal(a.size, 4);
    assert_false(a.is_hidden);
    assert_int_equal(codeobj_metadata_arg(m, idx, 3, &a), CODEOBJ_INVALID);
    assert_int_equal(codeobj_metadata_kernel_by_name(m, "vadd.kd", &idx), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_kernel_by_symbol(m, "vadd", &idx), CODEOBJ_NOT_FOUND);
    assert_int_equal(codeobj_metadata_kernel_by_symbol(m, "vadd.kd", &idx), CODEOBJ_OK);
    codeobj_metadata_arg(m, idx, 0, &a);
    assert_true(a.is_const);
    assert_true(a.is_restrict);
    assert_string_equal(a.type_name, "float*");
    assert_int_equal(codeobj_metadata_kernel_by_name(m, "fib", &idx), CODEOBJ_NOT_FOUND);
    codeobj_metadata_free(m);
    codeobj_elf_free(elf);
}

static void test_model_v2(void **state)
{
    (void)state;
    struct codeobj_elf *elf;
    struct codeobj_metadata *m = read_metadata("kernel-v2.o", &elf);
    struct codeobj_metadata_kernel k;
    struct codeobj_metadata_arg a;
    size_t idx;
    assert_int_equal(codeobj_metadata_kernel_count(m), 1);
    assert_int_equal(codeobj_metadata_kernel_by_symbol(m, "old", &idx), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_kernel(m, 0, &k), CODEOBJ_OK);
    assert_string_equal(k.symbol, "old@kd");
    assert_int_equal(k.kernarg_segment_size, 24);
    assert_int_equal(k.group_segment_fixed_size, 512);
    assert_int_equal(k.sgpr_count, 14);
    assert_int_equal(k.vgpr_count, 5);
    assert_int_equal(k.wavefront_size, 64);
    assert_true(k.has_reqd_workgroup_size);
    assert_true(k.has_language_version);
    assert_int_equal(k.language_version[1], 2);
    struct codeobj_metadata_header h;
    struct codeobj_metadata_printf f;
    codeobj_metadata_header(m, &h);
    assert_int_equal(h.version[0], 1);
    assert_null(h.target);
    assert_true(h.is_yaml);
    assert_int_equal(h.printf_count, 1);
    assert_int_equal(codeobj_metadata_printf(m, 0, &f), CODEOBJ_OK);
    assert_true(f.is_valid);
    assert_int_equal(f.id, 1);
    assert_int_equal(f.arg_count, 1);
    assert_int_equal(f.arg_sizes[0], 4);
    assert_string_equal(f.format, "value=%d\\n");
    assert_int_equal(codeobj_metadata_printf(m, 1, &f), CODEOBJ_INVALID);
    assert_int_equal(k.arg_count, 3);
    codeobj_metadata_arg(m, 0, 0, &a);
    assert_string_equal(a.value_kind, "by_value");
    assert_int_equal(a.offset, 0);
    codeobj_metadata_arg(m, 0, 1, &a);
    assert_string_equal(a.value_kind, "global_buffer");
    assert_string_equal(a.actual_access, "read_only");
    assert_string_equal(a.name, "p");
    assert_true(a.is_const);
    assert_int_equal(a.offset, 8); /* behind one byte, aligned to 8 */
    codeobj_metadata_arg(m, 0, 2, &a);
    assert_string_equal(a.value_kind, "hidden_global_offset_x");
    assert_true(a.is_hidden);
    assert_int_equal(a.offset, 16);
    codeobj_metadata_free(m);
    codeobj_elf_free(elf);
}

static void test_yaml_like_llvm(void **state)
{
    (void)state;
    struct codeobj_elf *elf;
    struct codeobj_metadata *m = read_metadata("metadata.o", &elf);
    char *text, want[8192];
    size_t size;
    FILE *f = fopen("fixtures/objects/metadata.yaml", "rb");
    assert_non_null(f);
    size_t n = fread(want, 1, sizeof want - 1, f);
    fclose(f);
    want[n] = 0;
    assert_int_equal(codeobj_metadata_to_yaml(m, &text, &size, NULL), CODEOBJ_OK);
    assert_int_equal(size, strlen(text));
    assert_string_equal(text, want);
    free(text);
    codeobj_metadata_free(m);
    codeobj_elf_free(elf);
}

/* Strings and containers whose printed form was taken from llvm-readelf 22. */
/* Plain scalars become what llvm-mc 22 makes of them in .amdgpu_metadata. */
static void test_yaml_numbers(void **state)
{
    (void)state;
    static const struct { const char *text; int kind; uint64_t uint; double real; } c[] = {
        { "8", CODEOBJ_VALUE_UINT, 8, 0 },      { "0x8", CODEOBJ_VALUE_UINT, 8, 0 },     { "0X1f", CODEOBJ_VALUE_UINT, 31, 0 },
        { "0b1000", CODEOBJ_VALUE_UINT, 8, 0 }, { "0B1", CODEOBJ_VALUE_UINT, 1, 0 },     { "0o10", CODEOBJ_VALUE_UINT, 8, 0 },
        { "010", CODEOBJ_VALUE_UINT, 8, 0 },    { "0", CODEOBJ_VALUE_UINT, 0, 0 },       { "0xFFFFFFFFFFFFFFFF", CODEOBJ_VALUE_UINT, UINT64_MAX, 0 },
        { "-8", CODEOBJ_VALUE_INT, (uint64_t)-8, 0 }, { "-0x8", CODEOBJ_VALUE_INT, (uint64_t)-8, 0 },
        { "-9223372036854775808", CODEOBJ_VALUE_INT, (uint64_t)1 << 63, 0 }, { "18446744073709551616", CODEOBJ_VALUE_FLOAT, 0, 18446744073709551616.0 },
        { "09", CODEOBJ_VALUE_FLOAT, 0, 9 },    { "+8", CODEOBJ_VALUE_FLOAT, 0, 8 },     { ".5", CODEOBJ_VALUE_FLOAT, 0, 0.5 },
        { "5.", CODEOBJ_VALUE_FLOAT, 0, 5 },    { "-1.5e3", CODEOBJ_VALUE_FLOAT, 0, -1500 }, { "0x1p3", CODEOBJ_VALUE_FLOAT, 0, 8 },
        { "1e", CODEOBJ_VALUE_STRING, 0, 0 },   { "0x", CODEOBJ_VALUE_STRING, 0, 0 },    { "1.5f", CODEOBJ_VALUE_STRING, 0, 0 },
        { "1_0", CODEOBJ_VALUE_STRING, 0, 0 },  { "True", CODEOBJ_VALUE_STRING, 0, 0 },  { "on", CODEOBJ_VALUE_STRING, 0, 0 },
        { "-", CODEOBJ_VALUE_STRING, 0, 0 },    { "'8'", CODEOBJ_VALUE_STRING, 0, 0 },   { "nan", CODEOBJ_VALUE_STRING, 0, 0 }, /* a name here */
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        struct codeobj_metadata *m;
        char text[80];
        int n = snprintf(text, sizeof text, "{x: %s}\n", c[i].text);
        assert_int_equal(codeobj_metadata_parse_yaml(text, (size_t)n, &m, NULL), CODEOBJ_OK);
        const struct codeobj_value *v = codeobj_value_get(codeobj_metadata_root(m), "x");
        assert_non_null(v);
        if (v->kind != c[i].kind)
            fail_msg("%s: kind %d, expected %d", c[i].text, v->kind, c[i].kind);
        if (v->kind == CODEOBJ_VALUE_UINT || v->kind == CODEOBJ_VALUE_INT)
            assert_true(v->uint == c[i].uint);
        if (v->kind == CODEOBJ_VALUE_FLOAT)
            assert_true(v->real == c[i].real);
        codeobj_metadata_free(m);
    }
}

static void test_yaml_corners(void **state)
{
    (void)state;
    static const struct {
        const char *packed;
        size_t size;
        const char *text;
    } cases[] = {
        { "\x81\xa1x\xa0", 4, "x:               !str ''" },
        { "\x81\xa1x\xc0", 4, "x:               !nil ''" },
        { "\x81\xa1x\xa1-", 5, "x:               '-'" },
        { "\x81\xa1x\xa1\0", 5, "x:               !str \"\\0\"" },
        { "\x81\xa1x\xa2\x07\x1b", 6, "x:               \"\\a\\e\"" },
        { "\x81\xa1x\xa3inf", 7, "x:               !str inf" },
        { "\x81\xa1x\xa2\xc2\x85", 6, "x:               \"\\N\"" },
        { "\x81\xa1x\xa2\xc3\xa9", 6, "x:               \"\xc3\xa9\"" },
        { "\x81\xa1x\xa2 5", 6, "x:               !str ' 5'" },
        { "\x81\xa1x\xa4true", 8, "x:               !str 'true'" },
        { "\x81\xa1x\xa4True", 8, "x:               'True'" },
        { "\x81\xa1x\x90", 4, "x:               []" },
        { "\x81\xa1x\x80", 4, "x:               {}" },
        { "\x81\xa1x\x92\x90\x01", 6, "x:\n[]\n  - 1" },
        { "\x81\xa1x\x91\x91\x05", 6, "x:\n  - - 5" },
        { "\x81\xa1x\xcb\x3f\xf8\0\0\0\0\0\0", 12, "x:               1.500000e+00" },
        { "\x81\xa1x\xcf\xff\xff\xff\xff\xff\xff\xff\xff", 12, "x:               18446744073709551615" },
        { "\x82\xa1z\x01\x05\x02", 6, "5:               2\nz:               1" }, /* numbers sort first */
        { "\x81\xa1x\xa3""a\xff""b", 7, "x:               \"a\xef\xbf\xbd""b\"" },   /* not UTF-8: our own rule */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct codeobj_metadata *m;
        char *text, want[200];
        size_t size;
        assert_int_equal(codeobj_metadata_parse_msgpack(cases[i].packed, cases[i].size, &m, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_metadata_to_yaml(m, &text, &size, NULL), CODEOBJ_OK);
        snprintf(want, sizeof want, "---\n%s\n...\n", cases[i].text);
        assert_string_equal(text, want);
        free(text);
        codeobj_metadata_free(m);
    }
}

/* A locale with a comma for the dot, made in a directory of its own; false: there is none to be had. */
static bool enter_comma_locale(void)
{
    char dir[] = "/tmp/codeobj-locale-XXXXXX", line[200];
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        return true;
    assert_non_null(mkdtemp(dir));
    snprintf(line, sizeof line, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", dir);
    bool made = system(line) == 0;
    setenv("LOCPATH", dir, 1);
    made = made && setlocale(LC_NUMERIC, "de_DE.UTF-8");
    unsetenv("LOCPATH");
    snprintf(line, sizeof line, "rm -rf %s", dir);
    assert_int_equal(system(line), 0);
    return made;
}

/* Numbers have a dot in YAML, whatever the program has set. */
static void test_yaml_locale(void **state)
{
    (void)state;
    static const char text[] = "a: 1.5\nb: 1,5\nc: -0.25\n", packed[] = "\x82\xa1x\xcb\xbf\xf8\0\0\0\0\0\0\xcb\x3f\xe0\0\0\0\0\0\0\x01";
    char point[8], *out;
    struct codeobj_metadata *m;
    size_t size;
    if (!enter_comma_locale()) {
        print_message("no locale has a comma here: localedef or its de_DE is missing\n");
        skip();
    }
    snprintf(point, sizeof point, "%.1f", 0.5);
    assert_string_equal(point, "0,5");
    assert_int_equal(codeobj_metadata_parse_yaml(text, sizeof text - 1, &m, NULL), CODEOBJ_OK);
    const struct codeobj_value *a = codeobj_value_get(codeobj_metadata_root(m), "a"), *c = codeobj_value_get(codeobj_metadata_root(m), "c");
    assert_int_equal(a->kind, CODEOBJ_VALUE_FLOAT);
    assert_true(a->real == 1.5);
    assert_true(c->kind == CODEOBJ_VALUE_FLOAT && c->real == -0.25);
    assert_int_equal(codeobj_value_get(codeobj_metadata_root(m), "b")->kind, CODEOBJ_VALUE_STRING);
    codeobj_metadata_free(m);
    /* As a value and as a key. */
    assert_int_equal(codeobj_metadata_parse_msgpack(packed, sizeof packed - 1, &m, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_to_yaml(m, &out, &size, NULL), CODEOBJ_OK);
    assert_string_equal(out, "---\n5.000000e-01:    1\nx:               -1.500000e+00\n...\n");
    assert_int_equal(size, strlen(out));
    free(out);
    codeobj_metadata_free(m);
    setlocale(LC_NUMERIC, "C");
}

struct pieces {
    char *text;
    size_t size, count, at_most; /* pieces; how many are wanted */
};

static bool take_piece(void *user, const char *text, size_t size)
{
    struct pieces *p = user;
    assert_true(p->count < p->at_most);
    assert_true(size > 0 && size < 64 * 1024);
    p->text = realloc(p->text, p->size + size);
    assert_non_null(p->text);
    memcpy(p->text + p->size, text, size);
    p->size += size;
    return ++p->count < p->at_most;
}

/* A sequence of 60,000 numbers, which is several pieces long: together they are the whole text, and false ends them. */
static void test_yaml_in_pieces(void **state)
{
    (void)state;
    enum { COUNT = 60000 };
    uint8_t *packed = malloc(4 + 3 + COUNT);
    assert_non_null(packed);
    memcpy(packed, "\x81\xa1x\xdc", 4);
    packed[4] = COUNT >> 8;
    packed[5] = COUNT & 255;
    for (size_t i = 0; i < COUNT; i++)
        packed[6 + i] = (uint8_t)(i % 100);
    struct codeobj_metadata *m;
    assert_int_equal(codeobj_metadata_parse_msgpack(packed, 6 + COUNT, &m, NULL), CODEOBJ_OK);

    char *whole;
    size_t size;
    assert_int_equal(codeobj_metadata_to_yaml(m, &whole, &size, NULL), CODEOBJ_OK);
    struct pieces all = { .at_most = SIZE_MAX }, two = { .at_most = 2 };
    assert_int_equal(codeobj_metadata_write_yaml(m, take_piece, &all, NULL), CODEOBJ_OK);
    assert_true(all.count > 5);
    assert_int_equal(all.size, size);
    assert_memory_equal(all.text, whole, size);
    assert_int_equal(codeobj_metadata_write_yaml(m, take_piece, &two, NULL), CODEOBJ_OK);
    assert_int_equal(two.count, 2);
    assert_memory_equal(two.text, whole, two.size);
    free(all.text);
    free(two.text);
    free(whole);
    free(packed);
    codeobj_metadata_free(m);
}

static bool is_kept_text(void *user, const char *text, size_t size)
{
    const struct codeobj_metadata *m = user;
    assert_ptr_equal(text, m->text); /* no copy of it */
    assert_int_equal(size, m->text_size);
    return true;
}

/* A V2 document comes as it is kept. */
static void test_yaml_v2_in_one_piece(void **state)
{
    (void)state;
    struct codeobj_elf *elf;
    struct codeobj_metadata *m = read_metadata("kernel-v2.o", &elf);
    char *whole;
    size_t size;
    assert_non_null(m->text);
    assert_int_equal(codeobj_metadata_write_yaml(m, is_kept_text, m, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_to_yaml(m, &whole, &size, NULL), CODEOBJ_OK);
    assert_int_equal(size, m->text_size);
    assert_memory_equal(whole, m->text, size);
    free(whole);
    codeobj_metadata_free(m);
    codeobj_elf_free(elf);
}

static void bad_msgpack(const char *bytes, size_t size, uint64_t offset, const char *words)
{
    struct codeobj_metadata *m = NULL;
    struct codeobj_diag diag = { 0 };
    assert_int_equal(codeobj_metadata_parse_msgpack(bytes, size, &m, &diag), CODEOBJ_MALFORMED);
    assert_null(m);
    assert_non_null(strstr(diag.text, words));
    assert_int_equal(diag.offset, offset);
}

static void test_msgpack_bombs(void **state)
{
    (void)state;
    char deep[64];
    bad_msgpack("", 0, 0, "ends in the middle");
    bad_msgpack("\xdd\xff\xff\xff\xff", 5, 0, "container of 4294967295 items in 0 bytes");
    bad_msgpack("\xdf\xff\xff\xff\xff\xa0\xa0", 7, 0, "container of 8589934590 items in 2 bytes");
    bad_msgpack("\x81\xa1x\xdc\xff\xff\x01", 7, 3, "container of 65535 items");
    bad_msgpack("\x81\xa1x\xdb\xff\xff\xff\xff""abc", 11, 3, "cut off");
    bad_msgpack("\x81\xa1x\xc9\xff\xff\xff\xff\x01""abc", 12, 3, "cut off"); /* with the byte of its type, 2^32 bytes */
    bad_msgpack("\x81\xa1x\xc9\xff\xff\xff\xff", 8, 3, "cut off");
    bad_msgpack("\x81\xa1x\xc1", 4, 3, "code 0xc1");
    bad_msgpack("\x81\xa1x", 3, 3, "ends in the middle");
    bad_msgpack("\x05", 1, 0, "not a map");
    memset(deep, '\x91', sizeof deep);
    bad_msgpack(deep, sizeof deep, 30, "nest deeper than 30");
}

static void bad_yaml(const char *text, const char *words)
{
    struct codeobj_metadata *m = NULL;
    struct codeobj_diag diag = { 0 };
    assert_int_equal(codeobj_metadata_parse_yaml(text, strlen(text), &m, &diag), CODEOBJ_MALFORMED);
    assert_null(m);
    assert_non_null(strstr(diag.text, words));
}

/* Every item of the MessagePack specification, where containers stand in keys as well, and strings of all lengths
 * that share their first and last bytes. */
static void test_msgpack_items(void **state)
{
    (void)state;
    static const char bytes[] = "\x88"
        "\x91\x01\xa1x"                              /* [1]: "x" */
        "\xa1" "b\x93\xc0\x80\xe0"                     /* b: [nil, {}, -32] */
        "\x81\xc3\x90\xcb\x3f\xf8\0\0\0\0\0\0"         /* {true: []}: 1.5 */
        "\xa1" "d\xc7\x02\x07pq"                       /* d: ext of type 7 */
        "\xd0\x05\xd1\xff\x00"                         /* 5 (int 8): -256 */
        "\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xc4\x00"   /* 2^64 - 1: no bytes */
        "\xd9\x01h\xca\x3f\x80\0\0"                    /* h: 1.0 as a float */
        "\xa1z\xdc\0\x02\xc2\xa0";                       /* z: [false, ""] */
    struct codeobj_metadata *m;
    assert_int_equal(codeobj_metadata_parse_msgpack(bytes, sizeof bytes - 1, &m, NULL), CODEOBJ_OK);
    const struct codeobj_value *root = codeobj_metadata_root(m), *v = root->items;
    assert_int_equal(root->size, 8);
    assert_int_equal(v[0].kind, CODEOBJ_VALUE_ARRAY);
    assert_int_equal(v[0].items[0].uint, 1);
    assert_string_equal(v[1].bytes, "x");
    assert_string_equal(v[2].bytes, "b");
    assert_int_equal(v[3].size, 3);
    assert_int_equal(v[3].items[0].kind, CODEOBJ_VALUE_NIL);
    assert_int_equal(v[3].items[1].kind, CODEOBJ_VALUE_MAP);
    assert_int_equal(v[3].items[1].size, 0);
    assert_int_equal(v[3].items[2].kind, CODEOBJ_VALUE_INT);
    assert_int_equal(v[3].items[2].sint, -32);
    assert_int_equal(v[4].kind, CODEOBJ_VALUE_MAP);
    assert_true(v[4].items[0].boolean);
    assert_int_equal(v[4].items[1].size, 0);
    assert_true(v[5].kind == CODEOBJ_VALUE_FLOAT && v[5].size == 8 && v[5].real == 1.5);
    assert_true(v[7].kind == CODEOBJ_VALUE_BINARY && v[7].size == 2 && !memcmp(v[7].bytes, "pq", 3));
    assert_true(v[8].kind == CODEOBJ_VALUE_UINT && v[8].uint == 5);
    assert_true(v[9].kind == CODEOBJ_VALUE_INT && v[9].sint == -256);
    assert_true(v[10].uint == UINT64_MAX);
    assert_true(v[11].kind == CODEOBJ_VALUE_BINARY && v[11].size == 0);
    assert_true(v[13].kind == CODEOBJ_VALUE_FLOAT && v[13].size == 4 && v[13].real == 1.0);
    assert_true(v[15].size == 2 && v[15].items[0].kind == CODEOBJ_VALUE_BOOL && !v[15].items[0].boolean);
    assert_true(v[15].items[1].kind == CODEOBJ_VALUE_STRING && v[15].items[1].size == 0);
    codeobj_metadata_free(m);
    /* {"k": [two strings of each length, that differ in one byte]} */
    for (size_t n = 1; n <= 40; n++)
        for (size_t at = 0; at < n; at++) {
            char pair[256] = "\x81\xa1k\x93", *p = pair + 4;
            for (int i = 0; i < 3; i++) {
                *p++ = (char)0xd9;
                *p++ = (char)n;
                memset(p, 'a', n);
                p[at] = i == 1 ? 'b' : 'a';
                p += n;
            }
            assert_int_equal(codeobj_metadata_parse_msgpack(pair, (size_t)(p - pair), &m, NULL), CODEOBJ_OK);
            v = codeobj_metadata_root(m)->items[1].items;
            assert_memory_equal(v[0].bytes, pair + 6, n);
            assert_memory_equal(v[1].bytes, pair + 8 + n, n);
            assert_string_equal(v[0].bytes, v[2].bytes);
            assert_string_not_equal(v[0].bytes, v[1].bytes);
            codeobj_metadata_free(m);
        }
}

static void test_yaml_bombs(void **state)
{
    (void)state;
    char deep[2001];
    bad_yaml("", "empty");
    bad_yaml("a: &x [1]\nb: *x\n", "aliases");
    bad_yaml("a: [1\nb: 2\n", "line 2");
    bad_yaml("- a\n", "not a map");
    memset(deep, '[', 2000);
    deep[2000] = 0;
    bad_yaml(deep, "nest too deep");
}

static void test_pal(void **state)
{
    (void)state;
    struct codeobj_elf *elf;
    struct codeobj_metadata *m = read_metadata("pal-gfx1030.o", &elf);
    const struct codeobj_value *pipelines = codeobj_value_get(codeobj_metadata_root(m), "amdpal.pipelines");
    assert_non_null(pipelines);
    assert_int_equal(pipelines->size, 1);
    const struct codeobj_value *stages = codeobj_value_get(&pipelines->items[0], ".hardware_stages");
    const struct codeobj_value *cs = codeobj_value_get(stages, ".cs");
    assert_string_equal(codeobj_value_get(cs, ".entry_point")->bytes, "_amdgpu_cs_main");
    assert_int_equal(codeobj_value_get(cs, ".vgpr_count")->uint, 3);
    assert_int_equal(codeobj_metadata_kernel_count(m), 0);
    codeobj_metadata_free(m);
    codeobj_elf_free(elf);
}

struct log {
    char text[2000];
};

static bool collect(void *user, const struct codeobj_metadata_finding *f)
{
    struct log *log = user;
    size_t n = strlen(log->text);
    snprintf(log->text + n, sizeof log->text - n, "%d %s: %s\n", f->problem, f->path, f->text);
    return true;
}

/* Strings that are not of the form are kept whole, hostile counts included. */
static void test_printf(void **state)
{
    (void)state;
    static const struct {
        const char *text, *format;
        bool valid;
        size_t args;
    } cases[] = {
        { "7:0:hello", "hello", true, 0 }, { "1:2:4:8:a:b", "a:b", true, 2 }, { "1:2:4:x", "1:2:4:x", false, 0 },
        { "1:4294967295:4:x", "1:4294967295:4:x", false, 0 }, { "99999999999:0:x", "99999999999:0:x", false, 0 },
        { "", "", false, 0 }, { ":1:2", ":1:2", false, 0 }, { "1:1:", "1:1:", false, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char doc[200];
        struct codeobj_metadata *m;
        struct codeobj_metadata_printf f;
        int n = snprintf(doc, sizeof doc, "Printf:\n  - '%s'\n", cases[i].text);
        assert_int_equal(codeobj_metadata_parse_yaml(doc, (size_t)n, &m, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_metadata_printf(m, 0, &f), CODEOBJ_OK);
        assert_int_equal(f.is_valid, cases[i].valid);
        assert_int_equal(f.arg_count, cases[i].args);
        assert_string_equal(f.format, cases[i].format);
        codeobj_metadata_free(m);
    }
}

static void test_validate(void **state)
{
    (void)state;
    static const char *const good[] = { "kernels-gfx900-v6.co", "kernels-gfx90a-modes-v4.co", "kernels-gfx1250-v6.co", "kernel-v2.o",
                                        "pal3-gfx1100.o" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct codeobj_elf *elf;
        struct log log = { "" };
        struct codeobj_metadata *m = read_metadata(good[i], &elf);
        codeobj_metadata_validate(m, collect, &log);
        assert_string_equal(log.text, "");
        codeobj_metadata_free(m);
        codeobj_elf_free(elf);
    }
    static const char text[] =
        "amdhsa.version: [1, 2]\n"
        "amdhsa.kernels:\n"
        "  - .name: k\n"
        "    .symbol: 5\n"
        "    .kind: weird\n"
        "    .kernarg_segment_size: 8\n"
        "    .group_segment_fixed_size: 0\n"
        "    .private_segment_fixed_size: 0\n"
        "    .kernarg_segment_align: 8\n"
        "    .wavefront_size: 64\n"
        "    .sgpr_count: -1\n"
        "    .vgpr_count: 1\n"
        "    .reqd_workgroup_size: [1, 2]\n"
        "    .uniform_work_group_size: 1\n"
        "    .args: [{.offset: 0, .size: 8, .value_kind: pointer, .is_const: 1, .colour: red}]\n";
    struct codeobj_builder_options options = { .size = sizeof options, .type = 1, .osabi = 64, .code_object_version = 5 };
    struct codeobj_builder *b;
    struct codeobj_elf *elf;
    struct codeobj_metadata *m;
    struct log log = { "" };
    void *bytes;
    size_t size;
    codeobj_target_parse("gfx900", &options.target, NULL);
    assert_int_equal(codeobj_builder_new(&options, &b, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_metadata_yaml(b, text, sizeof text - 1, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_finish(b, &bytes, &size, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_open_memory(bytes, size, NULL, &elf, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_read(elf, &m, NULL), CODEOBJ_OK);
    codeobj_metadata_validate(m, collect, &log);
    assert_string_equal(log.text,
        "2 amdhsa.kernels[0].symbol: found an integer, expected a string\n"
        "3 amdhsa.kernels[0].kind: unknown value \"weird\"\n"
        "2 amdhsa.kernels[0].sgpr_count: found a negative integer, expected an integer\n"
        "2 amdhsa.kernels[0].reqd_workgroup_size: found an array, expected an array of 3 integers\n"
        "3 amdhsa.kernels[0].args[0].value_kind: unknown value \"pointer\"\n"
        "2 amdhsa.kernels[0].args[0].is_const: found an integer, expected a boolean\n"
        "1 amdhsa.kernels[0].args[0].colour: unknown key\n"
        "0 amdhsa.kernels[0].max_flat_workgroup_size: missing key\n"
        "0 amdhsa.target: missing key: metadata version 1.2 has it\n");
    codeobj_metadata_free(m);
    codeobj_elf_free(elf);
    codeobj_builder_free(b);
    free(bytes);
}

/* Reading and writing MessagePack is the identity on what LLVM wrote. */
static void test_msgpack_identity(void **state)
{
    (void)state;
    static const char *const objects[] = { "kernels-gfx900-v6.co", "kernels-gfx1250-v6.o", "metadata.o", "pal-gfx1030.o" };
    for (size_t i = 0; i < 4; i++) {
        struct codeobj_elf *elf = open_object(objects[i]);
        struct codeobj_elf_note n;
        struct codeobj_metadata *m;
        void *packed;
        size_t size, at = 0;
        while (!codeobj_elf_note(elf, at, &n) && n.type != 32)
            at++;
        assert_int_equal(codeobj_metadata_parse_msgpack(n.desc, n.desc_size, &m, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_value_to_msgpack(codeobj_metadata_root(m), &packed, &size, NULL), CODEOBJ_OK);
        assert_int_equal(size, n.desc_size);
        assert_memory_equal(packed, n.desc, size);
        free(packed);
        codeobj_metadata_free(m);
        codeobj_elf_free(elf);
    }
}

/* Two notes, as a linker leaves them: kernels of both, in order. */
static void test_merged_notes(void **state)
{
    (void)state;
    static const char one[] = "\x82\xae""amdhsa.kernels\x91\x82\xa5.name\xa1""a\xa7.symbol\xa4""a.kd\xae""amdhsa.version\x92\x01\x02";
    static const char two[] = "\x83\xae""amdhsa.kernels\x91\x82\xa5.name\xa1""b\xa7.symbol\xa4""b.kd\xadvendor.second\x07\xae""amdhsa.version\x92\x01\x01";
    struct codeobj_builder_options options = { .size = sizeof options, .type = 1, .osabi = 64, .code_object_version = 5 };
    struct codeobj_builder_section note = { .name = ".note", .type = 7, .flags = 2, .align = 4 };
    struct codeobj_builder *b;
    struct codeobj_elf *elf;
    struct codeobj_metadata *m;
    struct codeobj_metadata_kernel k;
    uint32_t idx;
    void *bytes;
    size_t size;
    codeobj_target_parse("gfx900", &options.target, NULL);
    codeobj_builder_new(&options, &b, NULL);
    assert_int_equal(codeobj_builder_section_add(b, &note, &idx, NULL), CODEOBJ_OK);
    for (int i = 0; i < 2; i++) {
        const char *doc = i ? two : one;
        uint32_t n = (uint32_t)(i ? sizeof two : sizeof one) - 1, head[3] = { 7, n, 32 };
        codeobj_builder_section_append(b, idx, head, 12, 4, NULL, NULL);
        codeobj_builder_section_append(b, idx, "AMDGPU\0", 8, 1, NULL, NULL);
        codeobj_builder_section_append(b, idx, doc, n, 1, NULL, NULL);
        codeobj_builder_section_append(b, idx, NULL, 0, 4, NULL, NULL);
    }
    assert_int_equal(codeobj_builder_finish(b, &bytes, &size, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_open_memory(bytes, size, NULL, &elf, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_read(elf, &m, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_kernel_count(m), 2);
    codeobj_metadata_kernel(m, 0, &k);
    assert_string_equal(k.name, "a");
    codeobj_metadata_kernel(m, 1, &k);
    assert_string_equal(k.symbol, "b.kd");
    assert_int_equal(codeobj_value_get(codeobj_metadata_root(m), "vendor.second")->uint, 7);
    assert_int_equal(codeobj_value_get(codeobj_metadata_root(m), "amdhsa.version")->items[1].uint, 2);
    codeobj_metadata_free(m);
    codeobj_elf_free(elf);
    codeobj_builder_free(b);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model_v3),      cmocka_unit_test(test_model_v2),
        cmocka_unit_test(test_yaml_like_llvm), cmocka_unit_test(test_yaml_corners), cmocka_unit_test(test_yaml_numbers), cmocka_unit_test(test_yaml_locale), cmocka_unit_test(test_yaml_in_pieces), cmocka_unit_test(test_yaml_v2_in_one_piece),
        cmocka_unit_test(test_msgpack_bombs), cmocka_unit_test(test_msgpack_items), cmocka_unit_test(test_yaml_bombs),
        cmocka_unit_test(test_pal),           cmocka_unit_test(test_validate),
        cmocka_unit_test(test_printf),
        cmocka_unit_test(test_msgpack_identity), cmocka_unit_test(test_merged_notes),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0;
}

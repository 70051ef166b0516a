/* SPDX-License-Identifier: MIT
 *
 * Containers: entry IDs, archives, bundles, host files; hostile ones too.
 */
#include <codeobj/bundle.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

/* ---- building inputs by hand ---- */

struct bytes {
    unsigned char data[8192];
    size_t size;
};

static void put(struct bytes *b, const void *p, size_t n)
{
    assert_true(b->size + n <= sizeof b->data);
    memcpy(b->data + b->size, p, n);
    b->size += n;
}

static void text(struct bytes *b, const char *s)
{
    put(b, s, strlen(s));
}

static void num(struct bytes *b, uint64_t v, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        unsigned char c = i < 8 ? (unsigned char)(v >> (8 * i)) : 0;
        put(b, &c, 1);
    }
}

static void zeros(struct bytes *b, size_t n)
{
    while (n--)
        put(b, "", 1);
}

/* An ELF64 header for EM_AMDGPU, ET_DYN, OS/ABI amdhsa, no tables. */
static struct bytes elf(uint32_t flags, unsigned abi)
{
    struct bytes b = { .size = 0 };
    put(&b, "\177ELF\2\1\1\x40", 8);
    num(&b, abi, 8);
    num(&b, 3, 2);
    num(&b, 224, 2);
    num(&b, 1, 4);
    num(&b, 0, 8 * 3);
    num(&b, flags, 4);
    num(&b, 64, 2);
    num(&b, 56, 2);
    num(&b, 0, 2);
    num(&b, 64, 2);
    num(&b, 0, 4);
    assert_int_equal(b.size, 64);
    return b;
}

enum { GFX900 = 0x12c, GFX90A_XNACK_ON = 0x73f, GFX1100 = 0x41 };

static void member(struct bytes *b, const char *name, const struct bytes *data)
{
    char h[80];
    snprintf(h, sizeof h, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", name, 0, 0, 0, 644, data->size);
    text(b, h);
    put(b, data->data, data->size);
    if (data->size % 2)
        text(b, "\n");
}

/* A plain bundle: ids and payloads, the latter at multiples of 8. */
static struct bytes bundle(size_t count, const char *const *ids, const struct bytes *payloads)
{
    struct bytes b = { .size = 0 };
    size_t at = 32;
    for (size_t i = 0; i < count; i++)
        at += 24 + strlen(ids[i]);
    text(&b, "__CLANG_OFFLOAD_BUNDLE__");
    num(&b, count, 8);
    size_t pos = at;
    for (size_t i = 0; i < count; i++) {
        pos = (pos + 7) & ~(size_t)7;
        num(&b, pos, 8);
        num(&b, payloads[i].size, 8);
        num(&b, strlen(ids[i]), 8);
        text(&b, ids[i]);
        pos += payloads[i].size;
    }
    for (size_t i = 0; i < count; i++) {
        zeros(&b, (8 - b.size % 8) % 8);
        put(&b, payloads[i].data, payloads[i].size);
    }
    return b;
}

/* ---- walking into a list of lines ---- */

struct seen {
    char lines[4096], note[128]; /* the note of the last item that has one */
    size_t findings, objects;
    struct codeobj_diag first;
};

static enum codeobj_walk_verdict visit(void *user, const struct codeobj_item *item)
{
    struct seen *s = user;
    char target[64] = "-";
    if (item->has_target)
        codeobj_target_format(&item->target, target, sizeof target);
    size_t n = strlen(s->lines);
    snprintf(s->lines + n, sizeof s->lines - n, "%s|%s|%s|%llu|%zu\n", codeobj_item_kind_name(item->kind), item->name, target,
             (unsigned long long)item->offset, item->size);
    if (item->note[0])
        snprintf(s->note, sizeof s->note, "%s", item->note);
    s->objects += item->kind == CODEOBJ_ITEM_CODE_OBJECT;
    return CODEOBJ_WALK_ON;
}

static void finding(void *user, const struct codeobj_diag *diag)
{
    struct seen *s = user;
    if (s->findings++ == 0)
        s->first = *diag;
}

static enum codeobj_status walk(const void *data, size_t size, struct seen *s)
{
    struct codeobj_walk_options o = { .size = sizeof o, .user = s, .visit = visit, .finding = finding };
    memset(s, 0, sizeof *s);
    /* An exact copy on the heap, so that a sanitizer sees every read past the end. */
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    enum codeobj_status st = codeobj_walk_memory(copy, size, "f", &o, NULL);
    free(copy);
    return st;
}

/* ---- entry IDs ---- */

static void entry_ids(void **state)
{
    (void)state;
    static const struct {
        const char *text, *kind, *triple, *target;
        bool host, known;
    } cases[] = {
        { "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", "hipv4", "amdgcn-amd-amdhsa-", "gfx90a:xnack+", false, true },
        { "hip-amdgcn-amd-amdhsa-gfx906:sramecc-:xnack-", "hip", "amdgcn-amd-amdhsa", "gfx906:sramecc-:xnack-", false, true },
        { "hip-amdgcn-amd-amdhsa-unknown-gfx906", "hip", "amdgcn-amd-amdhsa-unknown", "gfx906", false, true },
        { "hipv4-amdgcn-amd-amdhsa--gfx9-4-generic:xnack-", "hipv4", "amdgcn-amd-amdhsa-", "gfx9-4-generic:xnack-", false, true },
        { "hip-amdgcn-amd-amdhsa-gfx10-3-generic", "hip", "amdgcn-amd-amdhsa", "gfx10-3-generic", false, true },
        { "openmp-amdgcn-amd-amdhsa", "openmp", "amdgcn-amd-amdhsa", "", false, false },
        { "host-x86_64-unknown-linux", "host", "x86_64-unknown-linux", "", true, false },
        { "host-x86_64-unknown-linux-gnu-", "host", "x86_64-unknown-linux-gnu", "", true, false },
        { "hip-spirv64-amd-amdhsa--amdgcnspirv", "hip", "spirv64-amd-amdhsa-", "amdgcnspirv", false, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct codeobj_entry_id id;
        assert_int_equal(codeobj_entry_id_parse(cases[i].text, &id, NULL), CODEOBJ_OK);
        assert_string_equal(id.kind, cases[i].kind);
        assert_string_equal(id.triple, cases[i].triple);
        assert_string_equal(id.target_text, cases[i].target);
        assert_int_equal(id.is_host, cases[i].host);
        assert_int_equal(id.has_target, cases[i].known);
    }
    static const char *const bad[] = { "", "hip", "-amdgcn-amd-amdhsa", "hip-amdgcn", "hip-amdgcn-amd" };
    for (size_t i = 0; i < 4; i++) {
        struct codeobj_entry_id id;
        assert_int_equal(codeobj_entry_id_parse(bad[i], &id, NULL), CODEOBJ_INVALID);
    }
}

static bool selects(const char *request, const char *code)
{
    struct codeobj_target r, c;
    assert_int_equal(codeobj_target_parse(request, &r, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_target_parse(code, &c, NULL), CODEOBJ_OK);
    return codeobj_target_selects(&r, &c);
}

static void selection(void **state)
{
    (void)state;
    assert_true(selects("gfx90a", "gfx90a:xnack+"));
    assert_true(selects("gfx90a", "gfx90a:xnack-"));
    assert_true(selects("gfx90a:xnack+", "gfx90a:xnack+"));
    assert_true(selects("gfx90a:xnack+", "gfx90a"));
    assert_false(selects("gfx90a:xnack+", "gfx90a:xnack-"));
    assert_false(selects("gfx90a:xnack+:sramecc-", "gfx90a:sramecc+"));
    assert_false(selects("gfx90a", "gfx908"));
    assert_true(selects("gfx1030", "gfx10-3-generic"));
    assert_true(selects("gfx906:xnack-", "gfx9-generic:xnack-"));
    assert_false(selects("gfx906:xnack+", "gfx9-generic:xnack-"));
    assert_false(selects("gfx90a", "gfx9-generic"));
    assert_false(selects("gfx10-3-generic", "gfx1030"));
    assert_true(selects("gfx10-3-generic", "gfx10-3-generic"));
    assert_true(selects("gfx950:sramecc+", "gfx9-4-generic:sramecc+:xnack-"));
    assert_false(selects("gfx950:sramecc+", "gfx9-4-generic:sramecc-"));
    assert_true(selects("gfx1153", "gfx11-generic"));
    assert_false(selects("gfx1250", "gfx12-generic"));
    assert_false(selects("gfx11-generic", "gfx10-3-generic"));
    assert_true(selects("gfx1250", "gfx1250"));
}

/* ---- good files ---- */

static void plain_object(void **state)
{
    (void)state;
    struct bytes e = elf(GFX900, 4);
    struct seen s;
    assert_int_equal(walk(e.data, e.size, &s), CODEOBJ_OK);
    assert_string_equal(s.lines, "code object|f|gfx900|0|64\n");
}

static void bundles(void **state)
{
    (void)state;
    static const char *const ids[] = { "host-x86_64-unknown-linux", "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+" };
    struct bytes p[2] = { { .size = 0 }, elf(GFX90A_XNACK_ON, 4) };
    struct bytes b = bundle(2, ids, p);
    struct seen s;
    assert_int_equal(walk(b.data, b.size, &s), CODEOBJ_OK);
    /* 32 + 24 + 25 + 24 + 39 = 144: the header's end and the offset of both */
    assert_string_equal(s.lines, "bundle|f|-|0|208\n"
                                 "host code|f(host-x86_64-unknown-linux)|-|144|0\n"
                                 "code object|f(hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+)|gfx90a:xnack+|144|64\n");
    /* Two of them with padding between: offsets count from the file's start. */
    struct bytes two = b;
    zeros(&two, 512 - two.size);
    put(&two, b.data, b.size);
    assert_int_equal(walk(two.data, two.size, &s), CODEOBJ_OK);
    assert_string_equal(s.lines, "raw|f|-|0|720\n"
                                 "bundle|f(+0x0)|-|0|208\n"
                                 "host code|f(+0x0)(host-x86_64-unknown-linux)|-|144|0\n"
                                 "code object|f(+0x0)(hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+)|gfx90a:xnack+|144|64\n"
                                 "bundle|f(+0x200)|-|512|208\n"
                                 "host code|f(+0x200)(host-x86_64-unknown-linux)|-|656|0\n"
                                 "code object|f(+0x200)(hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+)|gfx90a:xnack+|656|64\n");
}

/* An offload binary with an image for each target, as OffloadBinary.h has the version: of version 1 there is one image. */
static struct bytes offload(unsigned version, size_t count, const char *const *arches, const struct bytes *images)
{
    struct bytes b = { .size = 0 };
    size_t header = version == 3 ? 40 : 32, stride = version == 1 ? 16 : 24, strings = header + count * 40, words = strings + count * 2 * stride;
    size_t image = words + 64 + count * 24, size = image;
    for (size_t i = 0; i < count; i++)
        size += images[i].size;
    put(&b, "\x10\xff\x10\xad", 4);
    num(&b, version, 4);
    num(&b, size, 8);
    num(&b, header, 8);
    num(&b, version == 1 ? 40 : count, 8);
    if (version == 3)
        num(&b, 0, 8);
    for (size_t i = 0, at = image; i < count; at += images[i++].size) {
        num(&b, 1, 2);
        num(&b, 4, 2); /* HIP */
        num(&b, 0, 4);
        num(&b, strings + i * 2 * stride, 8);
        num(&b, 2, 8);
        num(&b, at, 8);
        num(&b, images[i].size, 8);
    }
    for (size_t i = 0; i < count; i++) {
        num(&b, words, 8); /* "triple" */
        num(&b, words + 7, 8);
        if (version > 1)
            num(&b, 17, 8);
        num(&b, words + 32, 8); /* "arch" */
        num(&b, words + 64 + i * 24, 8);
        if (version > 1)
            num(&b, strlen(arches[i]), 8);
    }
    put(&b, "triple\0amdgcn-amd-amdhsa\0\0\0\0\0\0\0", 32);
    put(&b, "arch\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32);
    for (size_t i = 0; i < count; i++) {
        text(&b, arches[i]);
        if (version > 1)
            text(&b, "?"); /* the size ends it */
        zeros(&b, words + 64 + (i + 1) * 24 - b.size);
    }
    for (size_t i = 0; i < count; i++)
        put(&b, images[i].data, images[i].size);
    assert_int_equal(b.size, size);
    return b;
}

/* Version 3, all behind the header one stream. */
static struct bytes packed_offload(const struct bytes *plain, bool zstd)
{
    struct bytes b = { .size = 0 };
    unsigned char stream[4096];
    uLongf n = sizeof stream;
    if (zstd)
        n = ZSTD_compress(stream, sizeof stream, plain->data + 40, plain->size - 40, 3);
    else
        assert_int_equal(compress(stream, &n, plain->data + 40, plain->size - 40), Z_OK);
    put(&b, plain->data, 8);
    num(&b, 40 + n, 8);
    put(&b, plain->data + 16, 16);
    num(&b, plain->size, 8);
    put(&b, stream, n);
    return b;
}

static void offload_binaries(void **state)
{
    (void)state;
    static const char *const arches[] = { "gfx900", "gfx1100" };
    struct bytes p[2] = { elf(GFX900, 4), elf(GFX1100, 4) }, b;
    struct seen s;
    b = offload(1, 1, arches, p);
    assert_int_equal(walk(b.data, b.size, &s), CODEOBJ_OK);
    assert_string_equal(s.lines, "offload binary|f|-|0|256\ncode object|f(hip-amdgcn-amd-amdhsa--gfx900)|gfx900|192|64\n");
    b = offload(2, 2, arches, p);
    assert_int_equal(walk(b.data, b.size, &s), CODEOBJ_OK);
    assert_string_equal(s.lines, "offload binary|f|-|0|448\n"
                                 "code object|f(hip-amdgcn-amd-amdhsa--gfx900)|gfx900|320|64\n"
                                 "code object|f(hip-amdgcn-amd-amdhsa--gfx1100)|gfx1100|384|64\n");
    b = offload(3, 2, arches, p);
    assert_int_equal(walk(b.data, b.size, &s), CODEOBJ_OK);
    assert_string_equal(s.lines, "offload binary|f|-|0|456\n"
                                 "code object|f(hip-amdgcn-amd-amdhsa--gfx900)|gfx900|328|64\n"
                                 "code object|f(hip-amdgcn-amd-amdhsa--gfx1100)|gfx1100|392|64\n");
    for (int zstd = 0; zstd < 2; zstd++) { /* the same, offsets counted in what is unpacked */
        char plain[sizeof s.lines];
        walk(b.data, b.size, &s);
        memcpy(plain, s.lines, sizeof plain);
        struct bytes c = packed_offload(&b, zstd), two = c;
        assert_int_equal(walk(c.data, c.size, &s), CODEOBJ_OK);
        assert_string_equal(s.lines, plain);
        zeros(&two, 8 - two.size % 8);
        struct bytes one = offload(1, 1, arches, p);
        put(&two, one.data, one.size); /* one behind the other */
        assert_int_equal(walk(two.data, two.size, &s), CODEOBJ_OK);
        assert_int_equal(s.objects, 3);
        c.data[32] ^= 1; /* another size than what comes out */
        assert_int_equal(walk(c.data, c.size, &s), CODEOBJ_MALFORMED);
        assert_int_equal(s.objects, 0);
        c.data[32] ^= 1;
        c.data[38] = 1; /* a bomb's */
        assert_int_equal(walk(c.data, c.size, &s), CODEOBJ_LIMIT);
    }
    b.data[24] = 200; /* more entries than there is room for */
    assert_int_equal(walk(b.data, b.size, &s), CODEOBJ_MALFORMED);
    b = offload(3, 2, arches, p);
    b.data[4] = 4;
    assert_int_equal(walk(b.data, b.size, &s), CODEOBJ_UNSUPPORTED);
    assert_string_equal(s.first.text, "offload binary: found version 4, expected 1 to 3");
}

/* An archive as an entry: its members' targets are their own. */
static void archive_in_entry(void **state)
{
    (void)state;
    const char *id = "hip-amdgcn-amd-amdhsa--gfx900";
    struct bytes own = elf(0x36, 4), same = elf(GFX900, 4), ar = { .size = 0 };
    struct seen s;
    text(&ar, "!<arch>\n");
    member(&ar, "a.o/", &own);
    member(&ar, "b.o/", &same);
    struct bytes b = bundle(1, &id, &ar);
    assert_int_equal(walk(b.data, b.size, &s), CODEOBJ_OK);
    assert_non_null(strstr(s.lines, "(a.o)|gfx1030|"));
    assert_non_null(strstr(s.lines, "(b.o)|gfx900|"));
    assert_non_null(strstr(s.lines, "archive|f(hip-amdgcn-amd-amdhsa--gfx900)|gfx900|"));
    assert_int_equal(s.objects, 2);
}

/* Magic bytes inside a sized payload are payload. */
static void magic_in_payload(void **state)
{
    (void)state;
    static const char *const ids[] = { "hip-amdgcn-amd-amdhsa--gfx900" };
    struct bytes p = elf(GFX900, 4);
    text(&p, "__CLANG_OFFLOAD_BUNDLE__CCOB");
    struct bytes inner = elf(GFX1100, 4);
    put(&p, inner.data, inner.size);
    struct bytes b = bundle(1, ids, &p);
    struct seen s;
    assert_int_equal(walk(b.data, b.size, &s), CODEOBJ_OK);
    assert_int_equal(s.objects, 1);
    assert_null(strstr(s.lines, "gfx1100"));
}

static void text_bundle(void **state)
{
    (void)state;
    static const char t[] = "\n# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx900\n\ts_endpgm\n"
                            "\n# __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx900\n";
    struct seen s;
    assert_int_equal(walk(t, sizeof t - 1, &s), CODEOBJ_OK);
    assert_string_equal(s.lines, "text bundle|f|-|0|142\nother|f(hip-amdgcn-amd-amdhsa--gfx900)|gfx900|67|11\n");
}

static void archives(void **state)
{
    (void)state;
    struct bytes e = elf(GFX900, 4), odd = { .size = 0 }, table = { .size = 0 }, names = { .size = 0 };
    struct seen s;
    text(&odd, "odd");
    num(&table, 0, 4);
    text(&names, "a_name_that_is_long.o/\nsecond_long_name.o/\n");
    /* GNU: symbol table, long names, odd size */
    struct bytes a = { .size = 0 };
    text(&a, "!<arch>\n");
    member(&a, "/", &table);
    member(&a, "//", &names);
    member(&a, "/0", &e);
    member(&a, "x.txt/", &odd);
    member(&a, "/23", &e);
    assert_int_equal(walk(a.data, a.size, &s), CODEOBJ_OK);
    assert_string_equal(s.lines, "archive|f|-|0|488\n"
                                 "code object|f(a_name_that_is_long.o)|gfx900|236|64\n"
                                 "other|f(x.txt)|-|360|3\n"
                                 "code object|f(second_long_name.o)|gfx900|424|64\n");
    /* BSD: the name in front of the data; 64-bit symbol table of GNU; a last member without its padding */
    struct bytes bsd = { .size = 0 }, named = { .size = 0 };
    text(&named, "long name.o\0");
    zeros(&named, 12 - named.size);
    put(&named, e.data, e.size);
    text(&bsd, "!<arch>\n");
    member(&bsd, "__.SYMDEF", &table);
    member(&bsd, "/SYM64/", &table);
    member(&bsd, "#1/12", &named);
    member(&bsd, "plain", &odd);
    bsd.size--;
    assert_int_equal(walk(bsd.data, bsd.size, &s), CODEOBJ_OK);
    assert_string_equal(s.lines, "archive|f|-|0|335\n"
                                 "code object|f(long name.o)|gfx900|208|64\n"
                                 "other|f(plain)|-|332|3\n");
    /* nested */
    struct bytes outer = { .size = 0 };
    text(&outer, "!<arch>\n");
    member(&outer, "in.a/", &a);
    assert_int_equal(walk(outer.data, outer.size, &s), CODEOBJ_OK);
    assert_non_null(strstr(s.lines, "code object|f(in.a)(second_long_name.o)|gfx900|492|64\n"));
    /* empty */
    assert_int_equal(walk("!<arch>\n", 8, &s), CODEOBJ_OK);
    assert_string_equal(s.lines, "archive|f|-|0|8\n");
}

static bool fetch(void *user, const char *path, const void **data, size_t *size)
{
    static struct bytes e;
    (void)user;
    e = elf(GFX900, 4);
    *data = e.data;
    *size = e.size;
    return strcmp(path, "dir/k.o") == 0;
}

static void thin_archive(void **state)
{
    (void)state;
    struct bytes a = { .size = 0 }, names = { .size = 0 };
    struct seen s;
    memset(&s, 0, sizeof s);
    char h[80];
    text(&a, "!<thin>\n");
    text(&names, "dir/k.o/\nmissing/\n");
    member(&a, "//", &names);
    snprintf(h, sizeof h, "%-16s%-12d%-6d%-6d%-8d%-10d`\n", "/0", 0, 0, 0, 644, 64);
    text(&a, h);
    snprintf(h, sizeof h, "%-16s%-12d%-6d%-6d%-8d%-10d`\n", "/9", 0, 0, 0, 644, 100);
    text(&a, h);
    struct codeobj_walk_options o = { .size = sizeof o, .user = &s, .visit = visit, .finding = finding, .fetch = fetch };
    assert_int_equal(codeobj_walk_memory(a.data, a.size, "f", &o, NULL), CODEOBJ_IO);
    assert_string_equal(s.lines, "thin archive|f|-|0|206\ncode object|f(dir/k.o)|gfx900|0|64\n");
    assert_int_equal(s.findings, 1);
    assert_string_equal(s.first.text, "thin archive: cannot read member 'missing'");
}

/* A minimal x86-64 ELF with two data sections: one called .hip_fatbin, one .rodata with a bare image. */
static struct bytes host_elf(const struct bytes *fat, const struct bytes *rodata)
{
    static const char names[] = "\0.hip_fatbin\0.rodata\0.shstrtab";
    struct bytes b = { .size = 0 };
    size_t fat_off = 64, ro_off = fat_off + fat->size, str_off = ro_off + rodata->size, sh_off = str_off + sizeof names;
    put(&b, "\177ELF\2\1\1\0", 8);
    num(&b, 0, 8);
    num(&b, 3, 2);
    num(&b, 62, 2);
    num(&b, 1, 4);
    num(&b, 0, 8);
    num(&b, 0, 8);
    num(&b, sh_off, 8);
    num(&b, 0, 4);
    num(&b, 64, 2);
    num(&b, 0, 4);
    num(&b, 64, 2);
    num(&b, 4, 2);
    num(&b, 3, 2);
    put(&b, fat->data, fat->size);
    put(&b, rodata->data, rodata->size);
    put(&b, names, sizeof names);
    zeros(&b, 64);
    const size_t offs[3] = { fat_off, ro_off, str_off }, sizes[3] = { fat->size, rodata->size, sizeof names };
    const uint32_t name_offs[3] = { 1, 13, 21 }, types[3] = { 1, 1, 3 };
    for (int i = 0; i < 3; i++) {
        num(&b, name_offs[i], 4);
        num(&b, types[i], 4);
        num(&b, i < 2 ? 2 : 0, 8);
        num(&b, 0, 8);
        num(&b, offs[i], 8);
        num(&b, sizes[i], 8);
        num(&b, 0, 8);
        num(&b, 1, 8);
        num(&b, 0, 8);
    }
    return b;
}

static void host_file(void **state)
{
    (void)state;
    static const char *const ids[] = { "hipv4-amdgcn-amd-amdhsa--gfx900" };
    struct bytes e = elf(GFX900, 4), fat = bundle(1, ids, &e), rodata = { .size = 0 }, image = elf(GFX1100, 4);
    struct seen s;
    text(&rodata, "__CLANG_OFFLOAD_BUNDLE__ is a string here, CCOB too ");
    put(&rodata, image.data, image.size);
    text(&rodata, "after");
    struct bytes h = host_elf(&fat, &rodata);
    assert_int_equal(walk(h.data, h.size, &s), CODEOBJ_OK);
    assert_string_equal(s.lines, "host ELF|f|-|0|624\n"
                                 "section|f(.hip_fatbin)|-|64|152\n"
                                 "bundle|f(.hip_fatbin+0x0)|-|64|152\n"
                                 "code object|f(.hip_fatbin+0x0)(hipv4-amdgcn-amd-amdhsa--gfx900)|gfx900|152|64\n"
                                 "section|f(.rodata)|-|216|121\n"
                                 "code object|f(.rodata+0x34)|gfx1100|268|64\n");
}

/* Sections for device code hold anything: archives among bundles, or one thing of another kind. */
static void host_file_with_others(void **state)
{
    (void)state;
    static const char *const ids[] = { "hipv4-amdgcn-amd-amdhsa--gfx900" };
    struct bytes e = elf(GFX900, 4), f = elf(GFX1100, 4), ar = { .size = 0 }, fat = bundle(1, ids, &e), rodata = { .size = 0 };
    struct seen s;
    text(&ar, "!<arch>\n");
    member(&ar, "a.o/", &f);
    member(&ar, "b.o/", &e);
    zeros(&fat, 256 - fat.size);
    put(&fat, ar.data, ar.size);
    zeros(&fat, 512 - fat.size % 512);
    size_t last = fat.size;
    put(&fat, e.data, e.size);
    text(&rodata, "the magic of archives is !<arch>\n, an archive");
    put(&rodata, ar.data, ar.size);
    struct bytes h = host_elf(&fat, &rodata);
    assert_int_equal(walk(h.data, h.size, &s), CODEOBJ_OK);
    char want[1024];
    snprintf(want, sizeof want,
             "host ELF|f|-|0|%zu\n"
             "section|f(.hip_fatbin)|-|64|%zu\n"
             "bundle|f(.hip_fatbin+0x0)|-|64|152\n"
             "code object|f(.hip_fatbin+0x0)(hipv4-amdgcn-amd-amdhsa--gfx900)|gfx900|152|64\n"
             "archive|f(.hip_fatbin+0x100)|-|320|256\n"
             "code object|f(.hip_fatbin+0x100)(a.o)|gfx1100|388|64\n"
             "code object|f(.hip_fatbin+0x100)(b.o)|gfx900|512|64\n"
             "code object|f(.hip_fatbin+0x%zx)|gfx900|%zu|64\n"
             "section|f(.rodata)|-|%zu|%zu\n"
             "archive|f(.rodata+0x2d)|-|%zu|256\n"
             "code object|f(.rodata+0x2d)(a.o)|gfx1100|%zu|64\n"
             "code object|f(.rodata+0x2d)(b.o)|gfx900|%zu|64\n",
             h.size, fat.size, last, 64 + last, 64 + fat.size, rodata.size, 64 + fat.size + 45, 64 + fat.size + 45 + 68,
             64 + fat.size + 45 + 192);
    assert_string_equal(s.lines, want);
    /* Another host file, a text bundle, bitcode. */
    struct bytes none = { .size = 0 }, inner_fat = bundle(1, ids, &e), inner = host_elf(&inner_fat, &none);
    h = host_elf(&inner, &none);
    assert_int_equal(walk(h.data, h.size, &s), CODEOBJ_OK);
    assert_non_null(strstr(s.lines, "code object|f(.hip_fatbin+0x0)(.hip_fatbin+0x0)(hipv4-amdgcn-amd-amdhsa--gfx900)|gfx900|"));
    text(&none, "BC\xc0\xde");
    h = host_elf(&none, &rodata);
    assert_int_equal(walk(h.data, h.size, &s), CODEOBJ_OK);
    assert_non_null(strstr(s.lines, "bitcode|f(.hip_fatbin+0x0)|-|64|4\n"));
    /* An archive whose second member is cut off reaches to the end of the first. */
    struct bytes cut = ar;
    cut.size -= 70;
    h = host_elf(&cut, &none);
    assert_int_equal(walk(h.data, h.size, &s), CODEOBJ_OK);
    assert_non_null(strstr(s.lines, "archive|f(.hip_fatbin+0x0)|-|64|132\n"));
}

static enum codeobj_entry_fit fit(const char *entry, const char *object, bool one_bit)
{
    struct codeobj_target e, o;
    assert_int_equal(codeobj_target_parse(entry, &e, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_target_parse(object, &o, NULL), CODEOBJ_OK);
    return codeobj_entry_fit(&e, &o, one_bit);
}

/* Entry IDs beside e_flags. */
static void entries_fit(void **state)
{
    (void)state;
    assert_int_equal(fit("gfx900", "gfx900", false), CODEOBJ_ENTRY_FITS);
    assert_int_equal(fit("gfx900", "gfx906", false), CODEOBJ_ENTRY_DISAGREES);
    assert_int_equal(fit("gfx9-generic", "gfx900", false), CODEOBJ_ENTRY_DISAGREES);
    assert_int_equal(fit("gfx90a:xnack+", "gfx90a:xnack+", false), CODEOBJ_ENTRY_FITS);
    assert_int_equal(fit("gfx90a:xnack+", "gfx90a", false), CODEOBJ_ENTRY_NARROWER);
    assert_int_equal(fit("gfx90a:xnack+", "gfx90a:xnack-", false), CODEOBJ_ENTRY_DISAGREES);
    assert_int_equal(fit("gfx90a", "gfx90a:xnack-", false), CODEOBJ_ENTRY_DISAGREES);
    assert_int_equal(fit("gfx90a:sramecc+", "gfx90a:sramecc-:xnack+", false), CODEOBJ_ENTRY_DISAGREES);
    assert_int_equal(fit("gfx908", "gfx908:sramecc-:xnack-", true), CODEOBJ_ENTRY_FITS);
    assert_int_equal(fit("gfx908:xnack+", "gfx908:sramecc-:xnack-", true), CODEOBJ_ENTRY_DISAGREES);
}

/* ---- packing and reading back ---- */

static void pack_round_trip(void **state)
{
    (void)state;
    struct bytes a = elf(GFX900, 4), b = elf(GFX90A_XNACK_ON, 4);
    zeros(&a, 100); /* something to compress */
    const struct codeobj_pack_entry entries[] = {
        { "host-x86_64-unknown-linux-gnu-", "", 0 },
        { "hipv4-amdgcn-amd-amdhsa--gfx900", a.data, a.size },
        { "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", b.data, b.size },
    };
    for (unsigned format = 0; format < 4; format++) {
        for (unsigned version = 1; version <= 3; version++) {
            for (unsigned method = 1; method <= 2; method++) {
                struct codeobj_pack_options o = { .size = sizeof o, .format = (uint8_t)format, .ccob_version = (uint8_t)version,
                                                  .compression = (uint8_t)method, .alignment = 16 };
                struct seen s;
                void *out;
                size_t size;
                assert_int_equal(codeobj_pack(entries, 3, &o, &out, &size, NULL), CODEOBJ_OK);
                if (walk(out, size, &s) != CODEOBJ_OK)
                    fail_msg("format %u version %u method %u: %s", format, version, method, s.first.text);
                assert_int_equal(s.objects, 2);
                assert_non_null(strstr(s.lines, "|gfx900|"));
                assert_non_null(strstr(s.lines, "|gfx90a:xnack+|"));
                free(out);
            }
        }
    }
    struct codeobj_pack_entry twice[] = { entries[1], entries[1] };
    void *out = NULL;
    size_t size;
    struct codeobj_diag diag;
    assert_int_equal(codeobj_pack(twice, 2, NULL, &out, &size, &diag), CODEOBJ_INVALID);
    assert_null(out);
    assert_string_equal(diag.text, "entry ID 'hipv4-amdgcn-amd-amdhsa--gfx900' is given twice");
}

/* ---- bad files ---- */

/* Names of members come back as they were, or are refused. */
static void archive_names(void **state)
{
    (void)state;
    static const char *const good[] = { "a/b", "//", "/1", "#1/3", "x/", "fifteen letters", "sixteen letters!", "/SYM64/", " in front", "behind ", "a b/" },
        *const bad[] = { "", "/", "__.SYMDEF", "__.SYMDEF SORTED", "a\nb", "a long name with a\nline break" };
    struct codeobj_pack_options o = { .size = sizeof o, .format = CODEOBJ_PACK_ARCHIVE };
    void *out;
    size_t size;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const struct codeobj_pack_entry e = { good[i], "abcd", 4 };
        struct codeobj_archive_cursor c = { 0 };
        struct codeobj_archive_member m;
        assert_int_equal(codeobj_pack(&e, 1, &o, &out, &size, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_archive_next(out, size, &c, &m, NULL), CODEOBJ_OK);
        assert_int_equal(m.name_size, strlen(good[i]));
        assert_memory_equal(m.name, good[i], m.name_size);
        assert_memory_equal(m.data, "abcd", 4);
        assert_int_equal(codeobj_archive_next(out, size, &c, &m, NULL), CODEOBJ_NOT_FOUND);
        free(out);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct codeobj_pack_entry e = { bad[i], "abcd", 4 };
        assert_int_equal(codeobj_pack(&e, 1, &o, &out, &size, NULL), CODEOBJ_INVALID);
    }
}

static void *packed(unsigned method, unsigned version, size_t *size)
{
    struct bytes a = elf(GFX900, 4);
    zeros(&a, 3000);
    const struct codeobj_pack_entry e = { "hipv4-amdgcn-amd-amdhsa--gfx900", a.data, a.size };
    struct codeobj_pack_options o = { .size = sizeof o, .format = CODEOBJ_PACK_COMPRESSED_BUNDLE,
                                      .ccob_version = (uint8_t)version, .compression = (uint8_t)method, .alignment = 8 };
    void *out;
    assert_int_equal(codeobj_pack(&e, 1, &o, &out, size, NULL), CODEOBJ_OK);
    return out;
}

static void wrong_hash_and_size(void **state)
{
    (void)state;
    size_t size;
    struct seen s;
    unsigned char *c = packed(2, 3, &size);
    c[24] ^= 1; /* the hash: shown all the same, but a finding */
    assert_int_equal(walk(c, size, &s), CODEOBJ_MALFORMED);
    assert_int_equal(s.objects, 1);
    assert_int_equal(s.first.offset, 24);
    assert_non_null(strstr(s.first.text, "hash"));
    c[24] ^= 1;
    c[16] ^= 1; /* the unpacked size */
    assert_int_equal(walk(c, size, &s), CODEOBJ_MALFORMED);
    assert_int_equal(s.objects, 0);
    assert_non_null(strstr(s.first.text, "size"));
    free(c);
}

/* A promise of 2^40 bytes must not be believed, nor 200 MB of zeros unpacked from 20 KB. */
static void bombs(void **state)
{
    (void)state;
    size_t size, big = (size_t)200 << 20;
    struct seen s;
    unsigned char *c = packed(1, 3, &size);
    c[21] = 1;
    assert_int_equal(walk(c, size, &s), CODEOBJ_LIMIT);
    assert_int_equal(s.objects, 0);
    free(c);
    void *data = calloc(1, big), *out;
    assert_non_null(data);
    const struct codeobj_pack_entry e = { "hip-amdgcn-amd-amdhsa--gfx900", data, big };
    struct codeobj_pack_options o = { .size = sizeof o, .format = CODEOBJ_PACK_COMPRESSED_BUNDLE };
    assert_int_equal(codeobj_pack(&e, 1, &o, &out, &size, NULL), CODEOBJ_OK);
    assert_true(size < 100000);
    assert_int_equal(walk(out, size, &s), CODEOBJ_LIMIT);
    free(out);
    free(data);
}

/* Entries that all point at the whole file again: depth and work are bounded. */
static void self_reference(void **state)
{
    (void)state;
    struct bytes b = { .size = 0 };
    struct seen s;
    text(&b, "__CLANG_OFFLOAD_BUNDLE__");
    num(&b, 60, 8);
    for (int i = 0; i < 60; i++) {
        num(&b, 0, 8);
        num(&b, 32 + 60 * 25, 8);
        num(&b, 1, 8);
        text(&b, "x");
    }
    assert_int_equal(b.size, 32 + 60 * 25);
    assert_int_equal(walk(b.data, b.size, &s), CODEOBJ_LIMIT);
}

/* Every prefix and every byte changed: no crash, no read outside (the copy is exact). */
static void mutate(const unsigned char *data, size_t size)
{
    static unsigned char copy[16384];
    struct seen s;
    assert_true(size <= sizeof copy);
    for (size_t n = 0; n < size; n++)
        walk(data, n, &s);
    memcpy(copy, data, size);
    for (size_t i = 0; i < size && i < 400; i++) {
        static const unsigned char values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
        for (size_t v = 0; v < sizeof values; v++) {
            copy[i] = values[v];
            walk(copy, size, &s);
        }
        copy[i] = data[i];
    }
}

/* A /bigobj COFF object, field by field as winnt.h has it: one section with a bundle, one with its wrapper. */
static void bigobj(void **state)
{
    (void)state;
    static const unsigned char class_id[16] = { 0xc7, 0xa1, 0xba, 0xd1, 0xee, 0xba, 0xa9, 0x4b, 0xaf, 0x20, 0xfa, 0xf6, 0x6a, 0xa4, 0xdc, 0xb8 };
    enum { HEADERS = 56 + 2 * 40, WRAPPER = 24, RELOCATION = 10 };
    const char *id = "hipv4-amdgcn-amd-amdhsa--gfx900";
    struct bytes object = elf(0x12c, 4), fat = bundle(1, &id, &object), f = { .size = 0 };
    size_t fat_off = HEADERS + WRAPPER + RELOCATION;
    num(&f, 0, 2), num(&f, 0xffff, 2), num(&f, 2, 2), num(&f, 0x8664, 2), num(&f, 0, 4);
    put(&f, class_id, 16), zeros(&f, 16), num(&f, 2, 4), num(&f, fat_off + fat.size, 4), num(&f, 1, 4);
    put(&f, ".hip_fat", 8), zeros(&f, 8), num(&f, fat.size, 4), num(&f, fat_off, 4), zeros(&f, 12), num(&f, 0x40000040, 4);
    put(&f, ".hipFatB", 8), zeros(&f, 8), num(&f, WRAPPER, 4), num(&f, HEADERS, 4), num(&f, HEADERS + WRAPPER, 4), zeros(&f, 4), num(&f, 1, 4),
        num(&f, 0xc0000040, 4);
    num(&f, 0x48495046, 4), num(&f, 1, 4), zeros(&f, 16);
    num(&f, 8, 4), num(&f, 0, 4), num(&f, 1, 2); /* ADDR64 of symbol 0 */
    put(&f, fat.data, fat.size);
    put(&f, ".hip_fat", 8), num(&f, 0, 4), num(&f, 1, 4), num(&f, 0, 2), num(&f, 3, 1), num(&f, 0, 1);
    num(&f, 4, 4); /* string table */
    struct seen s;
    assert_int_equal(walk(f.data, f.size, &s), CODEOBJ_OK);
    assert_non_null(strstr(s.lines, "host COFF|f|"));
    assert_non_null(strstr(s.lines, "f(.hip_fat+0x0)(hipv4-amdgcn-amd-amdhsa--gfx900)|gfx900|"));
    assert_string_equal(s.note, "HIPF version 1, for .hip_fat+0x0");
    mutate(f.data, f.size);
}

static void mutations(void **state)
{
    (void)state;
    static const char *const ids[] = { "host-x86_64-unknown-linux", "hipv4-amdgcn-amd-amdhsa--gfx900" };
    struct bytes p[2] = { { .size = 0 }, elf(GFX900, 4) };
    struct bytes b = bundle(2, ids, p), none = { .size = 0 }, h = host_elf(&b, &p[1]), a = { .size = 0 }, names = { .size = 0 };
    text(&names, "long_name_of_a_member.o/\n");
    text(&a, "!<arch>\n");
    member(&a, "//", &names);
    member(&a, "/0", &p[1]);
    member(&a, "#1/3", &b);
    mutate(b.data, b.size);
    mutate(h.data, h.size);
    mutate(a.data, a.size);
    mutate(none.data, none.size);
    for (unsigned version = 1; version <= 3; version++) {
        size_t size;
        void *c = packed(1 + version % 2, version, &size);
        mutate(c, size);
        free(c);
    }
    const struct codeobj_pack_entry e = { "hip-amdgcn-amd-amdhsa--gfx900", p[1].data, p[1].size };
    struct codeobj_pack_options o = { .size = sizeof o, .format = CODEOBJ_PACK_OFFLOAD_BINARY };
    void *out;
    size_t size;
    assert_int_equal(codeobj_pack(&e, 1, &o, &out, &size, NULL), CODEOBJ_OK);
    mutate(out, size);
    free(out);
    static const char *const arches[] = { "gfx900", "gfx1100" };
    struct bytes two[2] = { elf(GFX900, 4), elf(GFX1100, 4) };
    for (unsigned version = 1; version <= 3; version++) {
        struct bytes f = offload(version, version == 1 ? 1 : 2, arches, two);
        mutate(f.data, f.size);
        for (int zstd = 0; version == 3 && zstd < 2; zstd++) {
            struct bytes c = packed_offload(&f, zstd);
            mutate(c.data, c.size);
        }
    }
}

static void bad_offsets(void **state)
{
    (void)state;
    static const char *const ids[] = { "hip-amdgcn-amd-amdhsa--gfx900", "hip-amdgcn-amd-amdhsa--gfx1100" };
    struct bytes p[2] = { elf(GFX900, 4), elf(GFX1100, 4) };
    struct bytes b = bundle(2, ids, p);
    struct seen s;
    b.data[32 + 7] = 0x80; /* the first entry's offset: the second one is still shown */
    assert_int_equal(walk(b.data, b.size, &s), CODEOBJ_MALFORMED);
    assert_int_equal(s.findings, 1);
    assert_int_equal(s.first.offset, 32);
    assert_non_null(strstr(s.lines, "gfx1100"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entry_ids),     cmocka_unit_test(selection),    cmocka_unit_test(plain_object),
        cmocka_unit_test(bundles),       cmocka_unit_test(offload_binaries), cmocka_unit_test(magic_in_payload), cmocka_unit_test(archive_in_entry), cmocka_unit_test(text_bundle),
        cmocka_unit_test(archives),      cmocka_unit_test(thin_archive), cmocka_unit_test(host_file), cmocka_unit_test(host_file_with_others), cmocka_unit_test(entries_fit),
        cmocka_unit_test(bigobj), cmocka_unit_test(pack_round_trip), cmocka_unit_test(archive_names), cmocka_unit_test(wrong_hash_and_size), cmocka_unit_test(bombs),
        cmocka_unit_test(self_reference), cmocka_unit_test(mutations),   cmocka_unit_test(bad_offsets),
    };
    int failed = cmocka_run_group_tests_name("bundle", tests, NULL, NULL);
    return failed != 0;
}

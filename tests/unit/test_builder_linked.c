/* SPDX-License-Identifier: MIT
 *
 * Editing linked objects: dynamic symbols, sections, notes, kernels.  What is
 * written is looked at as a loader does: hash tables by the rules of the gABI and
 * of the GNU C library, segments, and by running it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "objects.h"

static const char *const linked[] = {
    "kernels-gfx1030-v6.co", "kernels-gfx11-generic-v6.co", "kernels-gfx1100-v6.co", "kernels-gfx1200-v6.co", "kernels-gfx1250-v6.co",
    "kernels-gfx700-v6.co", "kernels-gfx803-v6.co", "kernels-gfx900-v6.co", "kernels-gfx906-v5.co", "kernels-gfx90a-modes-v4.co",
    "kernels-gfx90a-v6.co", "calls-gfx900.co", "calls-stripped-gfx900.co",
};
enum { LINKED = sizeof linked / sizeof *linked };

/* ---- as a loader looks ---- */

static const uint8_t *at_address(const struct codeobj_elf *elf, uint64_t addr)
{
    struct codeobj_elf_segment s;
    size_t size;
    for (size_t i = 0; !codeobj_elf_segment(elf, i, &s); i++)
        if (s.type == 1 && addr >= s.vaddr && addr - s.vaddr < s.filesz)
            return (const uint8_t *)codeobj_elf_segment_data(elf, i, &size) + (addr - s.vaddr);
    return NULL;
}

static uint64_t tag(const struct codeobj_elf *elf, int64_t which)
{
    struct codeobj_elf_dynamic d;
    for (size_t i = 0; !codeobj_elf_dynamic(elf, i, &d); i++)
        if (d.tag == which)
            return d.value;
    return 0;
}

static uint32_t u32(const uint8_t *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24; }
static uint64_t u64(const uint8_t *p) { return u32(p) | (uint64_t)u32(p + 4) << 32; }

/* Name and value of a dynamic symbol by PT_DYNAMIC alone. */
static const char *symbol_name(const struct codeobj_elf *elf, uint32_t i) { return (const char *)at_address(elf, tag(elf, 5) + u32(at_address(elf, tag(elf, 6)) + 24 * i)); }

static bool find_sysv(const struct codeobj_elf *elf, const char *name, uint64_t *value)
{
    const uint8_t *h = at_address(elf, tag(elf, 4));
    uint32_t hash = 0;
    assert_non_null(h);
    for (const char *c = name; *c; c++) {
        hash = (hash << 4) + (uint8_t)*c;
        uint32_t top = hash & 0xf0000000;
        hash = (hash ^ top >> 24) & ~top;
    }
    for (uint32_t i = u32(h + 8 + 4 * (hash % u32(h))); i; i = u32(h + 8 + 4 * (u32(h) + i)))
        if (!strcmp(symbol_name(elf, i), name)) {
            *value = u64(at_address(elf, tag(elf, 6)) + 24 * i + 8);
            return true;
        }
    return false;
}

static bool find_gnu(const struct codeobj_elf *elf, const char *name, uint64_t *value)
{
    const uint8_t *h = at_address(elf, tag(elf, 0x6ffffef5));
    uint32_t hash = 5381;
    assert_non_null(h);
    for (const char *c = name; *c; c++)
        hash = (hash << 5) + hash + (uint8_t)*c;
    uint32_t buckets = u32(h), first = u32(h + 4), words = u32(h + 8), shift = u32(h + 12);
    uint64_t word = u64(h + 16 + 8 * (hash / 64 % words));
    if (!(word >> hash % 64 & 1) || !(word >> (hash >> shift) % 64 & 1))
        return false;
    const uint8_t *bucket = h + 16 + 8 * words, *chain = bucket + 4 * buckets;
    uint32_t i = u32(bucket + 4 * (hash % buckets));
    for (; i >= first && i; i++) {
        uint32_t entry = u32(chain + 4 * (i - first));
        if ((entry | 1) == (hash | 1) && !strcmp(symbol_name(elf, i), name)) {
            *value = u64(at_address(elf, tag(elf, 6)) + 24 * i + 8);
            return true;
        }
        if (entry & 1)
            break;
    }
    return false;
}

static void expect_symbol(const struct codeobj_elf *elf, const char *name, uint64_t value)
{
    uint64_t sysv = 1, gnu = 1;
    if (!find_sysv(elf, name, &sysv) || !find_gnu(elf, name, &gnu))
        fail_msg("%s is not found", name);
    assert_int_equal(sysv, value);
    assert_int_equal(gnu, value);
}

static void expect_no_symbol(const struct codeobj_elf *elf, const char *name)
{
    uint64_t v;
    assert_false(find_sysv(elf, name, &v));
    assert_false(find_gnu(elf, name, &v));
}

/* All dynamic symbols of `before` but `except` are found in `after`, with the same values. */
static void expect_same_symbols(const struct codeobj_elf *before, const struct codeobj_elf *after, const char *except)
{
    struct codeobj_elf_symbol s;
    for (size_t i = 1; !codeobj_elf_symbol(before, CODEOBJ_DYNSYM, i, &s); i++)
        if (s.shndx && (!except || strcmp(s.name, except)))
            expect_symbol(after, s.name, s.value);
}

/* It loads, with each word that dynamic relocations fill as before. */
static void expect_same_image(const struct codeobj_elf *before, const struct codeobj_elf *after)
{
    struct codeobj_load_options load = { .size = sizeof load };
    struct codeobj_image *a, *b;
    struct codeobj_diag diag = { 0 };
    struct codeobj_elf_section s;
    size_t a_size, b_size;
    assert_int_equal(codeobj_image_load(before, &load, &a, NULL), CODEOBJ_OK);
    if (codeobj_image_load(after, &load, &b, &diag))
        fail_msg("load: %s", diag.text);
    const uint8_t *x = codeobj_image_bytes(a, &a_size), *y = codeobj_image_bytes(b, &b_size);
    assert_true(b_size >= a_size);
    for (size_t i = 1; !codeobj_elf_section(before, i, &s); i++)
        if (s.flags & 2 && (s.type == 1 || s.type == 8)) /* PROGBITS, NOBITS */
            assert_memory_equal(x + s.addr, y + s.addr, s.size);
    codeobj_image_free(a);
    codeobj_image_free(b);
}

/* Nothing speaks against it. */
static bool complain(void *user, const struct codeobj_check_finding *f)
{
    (void)user;
    if (f->severity != CODEOBJ_CHECK_NOTE)
        fail_msg("%s: %s: %s", f->code, f->where, f->found);
    return true;
}

static void expect_sound(const struct codeobj_elf *elf)
{
    struct codeobj_elf_segment s, last = { 0 };
    codeobj_check_elf(elf, NULL, complain, NULL, NULL);
    for (size_t i = 0; !codeobj_elf_segment(elf, i, &s); i++) {
        if (s.type != 1)
            continue;
        assert_int_equal(s.offset % s.align, s.vaddr % s.align);
        assert_true(s.vaddr >= last.vaddr + last.memsz); /* in order, apart */
        last = s;
    }
}

/* ---- edits ---- */

static void set_name(struct codeobj_builder *b, const char *from, const char *to)
{
    struct codeobj_elf_symbol s;
    uint32_t idx;
    assert_int_equal(codeobj_builder_symbol_by_name(b, from, &idx, &s), CODEOBJ_OK);
    s.name = to;
    assert_int_equal(codeobj_builder_symbol_set(b, idx, &s, NULL), CODEOBJ_OK);
}

static void test_rename(void **state)
{
    (void)state;
    for (int i = 0; i < LINKED; i++) {
        struct codeobj_elf *elf = open_object(linked[i]), *again;
        struct codeobj_builder *b = edit_object(elf);
        struct codeobj_elf_symbol s;
        void *bytes;
        const char *from = strstr(linked[i], "calls") ? "calls" : "vadd";
        assert_int_equal(codeobj_elf_dynamic_symbol_by_name(elf, from, &s), CODEOBJ_OK);
        set_name(b, from, "a_rather_longer_name_of_the_kernels_code");
        again = finish_object(b, &bytes);
        expect_symbol(again, "a_rather_longer_name_of_the_kernels_code", s.value);
        expect_no_symbol(again, from);
        expect_same_symbols(elf, again, from);
        expect_same_image(elf, again);
        bool stripped = strstr(linked[i], "stripped");
        assert_int_equal(codeobj_elf_symbol_count(again, CODEOBJ_SYMTAB), stripped ? 0 : codeobj_elf_symbol_count(elf, CODEOBJ_SYMTAB));
        codeobj_elf_free(again);
        free(bytes);
        /* Finished again it is the same, and the edited object can be edited. */
        void *twice;
        size_t first_size, second_size;
        assert_int_equal(codeobj_builder_finish(b, &bytes, &first_size, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_finish(b, &twice, &second_size, NULL), CODEOBJ_OK);
        assert_int_equal(first_size, second_size);
        assert_memory_equal(bytes, twice, first_size);
        codeobj_builder_free(b);
        assert_int_equal(codeobj_elf_open_memory(bytes, first_size, NULL, &again, NULL), CODEOBJ_OK);
        b = edit_object(again);
        set_name(b, "a_rather_longer_name_of_the_kernels_code", from);
        free(twice);
        struct codeobj_elf *back = finish_object(b, &twice);
        expect_same_symbols(elf, back, NULL);
        expect_no_symbol(back, "a_rather_longer_name_of_the_kernels_code");
        expect_same_image(elf, back);
        expect_sound(back);
        codeobj_elf_free(back);
        codeobj_elf_free(again);
        free(twice);
        free(bytes);
        codeobj_builder_free(b);
        codeobj_elf_free(elf);
    }
}

static void test_export_and_hide(void **state)
{
    (void)state;
    for (int i = 0; i < LINKED; i++) {
        struct codeobj_elf *elf = open_object(linked[i]), *again;
        struct codeobj_builder *b = edit_object(elf);
        const char *hidden = strstr(linked[i], "calls") ? "outer" : "empty";
        struct codeobj_elf_symbol s, old, added = { .name = "exported_value", .binding = 1, .type = 0, .shndx = CODEOBJ_SHN_ABS, .value = 0x1234 };
        struct codeobj_elf_symbol wanted = { .name = "wanted", .binding = 2 }; /* weak, undefined */
        uint32_t idx;
        void *bytes;
        assert_int_equal(codeobj_elf_dynamic_symbol_by_name(elf, hidden, &old), CODEOBJ_OK);
        if (strcmp(hidden, "outer")) { /* the GOT names that one */
            assert_int_equal(codeobj_builder_symbol_by_name(b, hidden, &idx, &s), CODEOBJ_OK);
            s.visibility = 2;
            assert_int_equal(codeobj_builder_symbol_set(b, idx, &s, NULL), CODEOBJ_OK);
        }
        assert_int_equal(codeobj_builder_symbol_add(b, &added, NULL, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_symbol_add(b, &wanted, NULL, NULL), CODEOBJ_OK);
        again = finish_object(b, &bytes);
        expect_symbol(again, "exported_value", 0x1234);
        uint64_t v;
        assert_false(find_gnu(again, "wanted", &v)); /* undefined ones are not in it */
        assert_true(find_sysv(again, "wanted", &v));
        assert_int_equal(codeobj_elf_dynamic_symbol_by_name(again, "exported_value", &s), CODEOBJ_OK);
        if (strcmp(hidden, "outer")) {
            expect_no_symbol(again, hidden);
            expect_same_symbols(elf, again, hidden);
            assert_int_equal(codeobj_elf_symbol_by_name(again, hidden, &s), CODEOBJ_OK); /* in .symtab */
            assert_int_equal(s.value, old.value);
            assert_int_equal(s.visibility, 2);
        }
        expect_same_image(elf, again);
        codeobj_elf_free(again);
        free(bytes);
        codeobj_builder_free(b);
        codeobj_elf_free(elf);
    }
}

static void test_refused(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("calls-gfx900.co");
    struct codeobj_builder *b = edit_object(elf);
    struct codeobj_elf_symbol s;
    struct codeobj_elf_relocation r = { .type = 3 };
    struct codeobj_builder_section tls = { .name = ".tdata", .type = 1, .flags = 0x402 };
    struct codeobj_diag diag;
    char big[9000] = { 0 };
    uint32_t idx;
    assert_int_equal(codeobj_builder_symbol_by_name(b, "outer", &idx, &s), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_symbol_remove(b, idx, &diag), CODEOBJ_INVALID);
    assert_string_equal(diag.text, "symbol \"outer\" is named by a relocation");
    assert_string_equal(diag.section, ".rela.dyn");
    s.visibility = 2;
    assert_int_equal(codeobj_builder_symbol_set(b, idx, &s, &diag), CODEOBJ_INVALID);
    assert_int_equal(codeobj_builder_section_by_name(b, ".text", &idx), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_set(b, idx, big, sizeof big, &diag), CODEOBJ_INVALID);
    assert_non_null(strstr(diag.text, "section \".text\" cannot grow from 0x"));
    assert_int_equal(codeobj_builder_section_append(b, idx, big, 4, 4, NULL, &diag), CODEOBJ_INVALID);
    r.symbol = 1;
    assert_int_equal(codeobj_builder_relocation_add(b, idx, &r, &diag), CODEOBJ_INVALID); /* code is not writable */
    assert_non_null(strstr(diag.text, "section \".text\" is not writable in memory"));
    assert_int_equal(codeobj_builder_section_add(b, &tls, &idx, &diag), CODEOBJ_INVALID);
    /* After all of that it is still the same object. */
    size_t size, old_size;
    void *out;
    const void *old = codeobj_elf_bytes(elf, &old_size);
    assert_int_equal(codeobj_builder_finish(b, &out, &size, NULL), CODEOBJ_OK);
    assert_int_equal(size, old_size);
    assert_memory_equal(out, old, size);
    free(out);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
}

static uint32_t add_section(struct codeobj_builder *b, const char *name, uint32_t type, uint64_t flags, uint64_t align, const char *text)
{
    struct codeobj_builder_section s = { .name = name, .type = type, .flags = flags, .align = align };
    uint32_t idx = 0;
    assert_int_equal(codeobj_builder_section_add(b, &s, &idx, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_append(b, idx, type == 8 ? NULL : text, type == 8 ? 100 : strlen(text) + 1, 1, NULL, NULL), CODEOBJ_OK);
    return idx;
}

static void test_sections(void **state)
{
    (void)state;
    for (int i = 0; i < LINKED; i++) {
        struct codeobj_elf *elf = open_object(linked[i]), *again;
        struct codeobj_builder *b = edit_object(elf);
        struct codeobj_elf_symbol s = { .name = "in_data", .binding = 1, .type = 1, .value = 3, .size = 4 };
        struct codeobj_elf_section h[5];
        struct codeobj_elf_segment g;
        static const char *const names[] = { ".mine.ro", ".mine.text", ".mine.data", ".mine.bss", ".mine.aligned" };
        static const uint32_t access[] = { 4, 5, 6, 6, 4 };
        void *bytes;
        size_t size;
        add_section(b, names[0], 1, 2, 1, "read only");
        add_section(b, names[1], 1, 6, 256, "code");
        s.shndx = add_section(b, names[2], 1, 3, 16, "data here");
        add_section(b, names[3], 8, 3, 64, NULL);
        add_section(b, names[4], 1, 2, 16384, "far");
        assert_int_equal(codeobj_builder_symbol_add(b, &s, NULL, NULL), CODEOBJ_OK);
        again = finish_object(b, &bytes);
        for (int k = 0; k < 5; k++) {
            bool held = false;
            assert_int_equal(codeobj_elf_section_by_name(again, names[k], &h[k]), CODEOBJ_OK);
            for (size_t n = 0; !codeobj_elf_segment(again, n, &g); n++)
                if (g.type == 1 && h[k].addr >= g.vaddr && h[k].addr + h[k].size <= g.vaddr + g.memsz) {
                    assert_int_equal(g.flags, access[k]);
                    held = true;
                }
            assert_true(held);
        }
        assert_int_equal(h[1].addr % 256, 0);
        assert_int_equal(h[4].addr % 16384, 0);
        expect_symbol(again, "in_data", h[2].addr + 3);
        assert_string_equal(at_address(again, h[2].addr), "data here");
        assert_string_equal(codeobj_elf_section_data(again, h[0].idx, &size), "read only");
        assert_int_equal(codeobj_elf_symbol_by_name(again, "in_data", &s), CODEOBJ_OK);
        assert_int_equal(s.value, h[2].addr + 3);
        expect_same_symbols(elf, again, NULL);
        expect_same_image(elf, again);
        expect_sound(again);
        codeobj_elf_free(again);
        free(bytes);
        codeobj_builder_free(b);
        codeobj_elf_free(elf);
    }
}

/* Pointers in a table that is added: to a symbol of the object, to one that is added, to one that others may replace, to
 * one that is not there, and to a bare address.  The loader finds them by DT_RELA and fills them in. */
static bool resolve(void *user, const char *name, uint64_t *addr)
{
    (void)user;
    *addr = 0x123456789000;
    return !strcmp(name, "elsewhere");
}

static void test_dynamic_relocations(void **state)
{
    (void)state;
    for (int i = 0; i <= LINKED; i++) {
        /* The last has no dynamic relocations yet: .dynamic gets tags for them, and moves. */
        const char *file = i < LINKED ? linked[i] : "../lanes/builtins-gfx900-w64.co";
        struct codeobj_elf *elf = open_object(file), *again;
        struct codeobj_builder *b = edit_object(elf);
        struct codeobj_kernel first;
        assert_true((i < LINKED) == (tag(elf, 7) != 0));
        assert_int_equal(codeobj_kernel_at(elf, 0, &first, NULL), CODEOBJ_OK);
        char kernel[100];
        snprintf(kernel, sizeof kernel, "%.*s", (int)first.name_size, first.name);
        struct codeobj_elf_symbol code, s;
        struct codeobj_elf_section table, at;
        uint32_t data = add_section(b, ".mine.data", 1, 3, 8, "0123456789012345678901234567890123456789"), bss = add_section(b, ".mine.bss", 8, 3, 8, NULL);
        uint32_t idx, added, free_one, elsewhere;
        s = (struct codeobj_elf_symbol){ .name = "mine_hidden", .binding = 1, .visibility = 2, .type = 1, .shndx = bss, .value = 16, .size = 4 };
        assert_int_equal(codeobj_builder_symbol_add(b, &s, &added, NULL), CODEOBJ_OK);
        s = (struct codeobj_elf_symbol){ .name = "mine_preemptible", .binding = 1, .type = 1, .shndx = data, .value = 8, .size = 8 };
        assert_int_equal(codeobj_builder_symbol_add(b, &s, &free_one, NULL), CODEOBJ_OK);
        s = (struct codeobj_elf_symbol){ .name = "elsewhere", .binding = 1 };
        assert_int_equal(codeobj_builder_symbol_add(b, &s, &elsewhere, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_symbol_by_name(b, kernel, &idx, &code), CODEOBJ_OK);
        const struct codeobj_elf_relocation r[] = { { 0, 3, idx, 4 }, { 8, 3, added, 1 }, { 16, 3, free_one, 0 }, { 24, 3, elsewhere, 2 }, { 32, 13, 0, 0x40 } };
        for (size_t k = 0; k < 5; k++)
            assert_int_equal(codeobj_builder_relocation_add(b, data, &r[k], NULL), CODEOBJ_OK);
        struct codeobj_diag diag;
        assert_int_equal(codeobj_builder_section_remove(b, data, &diag), CODEOBJ_INVALID);
        assert_string_equal(diag.text, "a dynamic relocation applies to section \".mine.data\"");
        assert_int_equal(codeobj_builder_symbol_remove(b, elsewhere, &diag), CODEOBJ_INVALID);
        assert_string_equal(diag.text, "symbol \"elsewhere\" is named by a dynamic relocation");
        struct codeobj_elf_relocation bad = { 34, 3, idx, 0 };
        assert_int_equal(codeobj_builder_relocation_add(b, data, &bad, NULL), CODEOBJ_INVALID); /* the table has 41 bytes */
        bad = (struct codeobj_elf_relocation){ 0, 10, idx, 0 };
        assert_int_equal(codeobj_builder_relocation_add(b, data, &bad, NULL), CODEOBJ_INVALID);
        void *bytes, *twice;
        size_t size, size2;
        again = finish_object(b, &bytes);
        codeobj_elf_bytes(again, &size);
        assert_int_equal(codeobj_builder_finish(b, &twice, &size2, NULL), CODEOBJ_OK);
        assert_int_equal(size, size2);
        assert_memory_equal(bytes, twice, size);
        free(twice);
        assert_int_equal(codeobj_elf_section_by_name(again, ".mine.data", &table), CODEOBJ_OK);
        assert_int_equal(codeobj_elf_section_by_name(again, ".mine.bss", &at), CODEOBJ_OK);
        /* Those that nobody can replace are relative, as linkers write them; the tags say where and how many. */
        assert_true(tag(again, 7) != 0);
        assert_int_equal(tag(again, 9), 24);
        size_t relative = 0, symbolic = 0;
        for (uint64_t n = 0; n < tag(again, 8); n += 24) {
            const uint8_t *e = at_address(again, tag(again, 7) + n);
            bool ours = u64(e) >= table.addr && u64(e) < table.addr + table.size;
            relative += ours && u32(e + 8) == 13 && u32(e + 12) == 0;
            symbolic += ours && u32(e + 8) == 3 && u32(e + 12) != 0;
        }
        assert_int_equal(relative, code.visibility ? 3 : 2);
        assert_int_equal(symbolic, code.visibility ? 2 : 3);
        struct codeobj_load_options load = { .size = sizeof load, .base = 0x7000000000, .resolve = resolve };
        struct codeobj_image *image;
        if (codeobj_image_load(again, &load, &image, &diag))
            fail_msg("%s: %s", file, diag.text);
        const uint8_t *p = (const uint8_t *)codeobj_image_bytes(image, &size) + (codeobj_image_address(image, table.addr) - codeobj_image_base(image));
        assert_true(u64(p) == codeobj_image_address(image, code.value + 4));
        assert_true(u64(p + 8) == codeobj_image_address(image, at.addr + 17));
        assert_true(u64(p + 16) == codeobj_image_address(image, table.addr + 8));
        assert_true(u64(p + 24) == 0x123456789002);
        assert_true(u64(p + 32) == codeobj_image_address(image, 0x40));
        codeobj_image_free(image);
        if (!codeobj_elf_symbol_by_name(again, "_DYNAMIC", &s)) {
            struct codeobj_elf_segment g;
            for (size_t n = 0; !codeobj_elf_segment(again, n, &g); n++)
                if (g.type == 2)
                    assert_int_equal(s.value, g.vaddr);
        }
        expect_same_symbols(elf, again, NULL);
        codeobj_elf_free(again);
        free(bytes);
        codeobj_builder_free(b);
        codeobj_elf_free(elf);
    }
}

/* What relocations were added for is taken away again, before one is added or after: finish() says so and writes nothing. */
static void test_dynamic_relocations_cut(void **state)
{
    (void)state;
    static const struct { const char *section; size_t size; bool before; uint64_t offset; const char *text; } cuts[] = {
        { ".mine", 8, false, 56, "found 0x8 bytes, expected 0x8 of them at this offset" },
        { ".mine", 63, false, 56, "found 0x3f bytes, expected 0x8 of them at this offset" },
        { ".rela.dyn", 0, false, 0, "found 0x0 bytes, expected at least 0x18" },
        { ".rela.dyn", 47, false, 24, "found 0x2f bytes, expected at least 0x30" },
        { ".rela.dyn", 0, true, 0, "expected a multiple of 24 from 0x18 on" },
        { ".rela.dyn", 25, true, 25, "expected a multiple of 24 from 0x18 on" },
        { ".dynamic", 16, false, 0, "found 0x10 bytes, expected at least 0x" },
        { ".dynamic", 4096, false, 0, "found tag 0x0, expected 0x7" },
        { ".dynamic", 0, false, 0, "found 0x0 bytes, expected at least 0x" },
    };
    struct codeobj_elf *elf = open_object("../lanes/builtins-gfx900-w64.co"); /* has no .rela.dyn of its own */
    size_t tags = 0;
    for (struct codeobj_elf_dynamic d; !codeobj_elf_dynamic(elf, tags, &d);)
        tags++;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        struct codeobj_builder *b = edit_object(elf);
        struct codeobj_diag diag = { 0 };
        static const char zeros[4096];
        void *bytes = NULL;
        size_t size;
        uint32_t mine = add_section(b, ".mine", 1, 3, 8, ""), idx;
        struct codeobj_elf_relocation r = { 0, 13, 0, 0x1000 };
        assert_int_equal(codeobj_builder_section_set(b, mine, zeros, 64, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_relocation_add(b, mine, &r, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_section_by_name(b, cuts[i].section, &idx), CODEOBJ_OK);
        if (cuts[i].before)
            assert_int_equal(codeobj_builder_section_set(b, idx, zeros, cuts[i].size, NULL), CODEOBJ_OK);
        r.offset = 56;
        assert_int_equal(codeobj_builder_relocation_add(b, mine, &r, NULL), CODEOBJ_OK);
        if (!cuts[i].before)
            assert_int_equal(codeobj_builder_section_set(b, idx, zeros, cuts[i].size, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_finish(b, &bytes, &size, &diag), CODEOBJ_INVALID);
        assert_null(bytes);
        assert_string_equal(diag.section, cuts[i].section);
        if (!strstr(diag.text, cuts[i].text))
            fail_msg("cut %zu: %s", i, diag.text);
        assert_int_equal(diag.offset, strcmp(cuts[i].section, ".dynamic") ? cuts[i].offset : 16 * tags);
        codeobj_builder_free(b);
    }
    codeobj_elf_free(elf);
}

/* .dynamic in another order, and with less in it than it had: what moves is followed in the tags that are written. */
static void test_dynamic_replaced(void **state)
{
    (void)state;
    for (int i = 0; i < LINKED; i++) {
        struct codeobj_elf *elf = open_object(linked[i]), *again;
        struct codeobj_builder *b = edit_object(elf);
        struct codeobj_elf_dynamic d[40];
        struct codeobj_elf_symbol added = { .name = "one_more_that_makes_tables_grow", .binding = 1, .shndx = CODEOBJ_SHN_ABS, .value = 0x1234 };
        uint8_t fresh[40 * 16] = { 0 };
        size_t count = 0, left = 0;
        uint32_t idx;
        void *bytes;
        while (count < 39 && !codeobj_elf_dynamic(elf, count, &d[count]))
            count++;
        for (size_t k = count; k-- > 0;)
            if (d[k].tag != 0 && d[k].tag != 0x6ffffff9) { /* DT_RELACOUNT may go */
                for (int n = 0; n < 8; n++) {
                    fresh[16 * left + (size_t)n] = (uint8_t)((uint64_t)d[k].tag >> 8 * n);
                    fresh[16 * left + 8 + (size_t)n] = (uint8_t)(d[k].value >> 8 * n);
                }
                left++;
            }
        assert_int_equal(codeobj_builder_section_by_name(b, ".dynamic", &idx), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_section_set(b, idx, fresh, 16 * (left + 1), NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_symbol_add(b, &added, NULL, NULL), CODEOBJ_OK);
        again = finish_object(b, &bytes);
        expect_symbol(again, "one_more_that_makes_tables_grow", 0x1234);
        expect_same_symbols(elf, again, NULL);
        for (size_t k = 0; k < left; k++) { /* the others are as they were set */
            struct codeobj_elf_dynamic now;
            assert_int_equal(codeobj_elf_dynamic(again, k, &now), CODEOBJ_OK);
            assert_int_equal(now.tag, u64(fresh + 16 * k));
        }
        codeobj_elf_free(again);
        free(bytes);
        codeobj_builder_free(b);
        codeobj_elf_free(elf);
    }
}

/* Stripped as llvm-strip does, sections under other names: it loads as before. */
static void test_strip_and_rename(void **state)
{
    (void)state;
    static const char *const gone[] = { ".symtab", ".strtab", ".comment" };
    for (int i = 0; i < LINKED; i++) {
        struct codeobj_elf *elf = open_object(linked[i]), *again;
        struct codeobj_builder *b = edit_object(elf);
        struct codeobj_elf_section h;
        uint32_t idx;
        void *bytes;
        for (size_t k = 0; k < sizeof gone / sizeof *gone; k++)
            if (!codeobj_builder_section_by_name(b, gone[k], &idx))
                assert_int_equal(codeobj_builder_section_remove(b, idx, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_section_by_name(b, ".text", &idx), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_section_rename(b, idx, ".text.of.kernels", NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_section_by_name(b, ".text", &idx), CODEOBJ_NOT_FOUND);
        again = finish_object(b, &bytes);
        assert_int_equal(codeobj_elf_section_by_name(again, ".text.of.kernels", &h), CODEOBJ_OK);
        for (size_t k = 0; k < sizeof gone / sizeof *gone; k++)
            assert_int_equal(codeobj_elf_section_by_name(again, gone[k], &h), CODEOBJ_NOT_FOUND);
        assert_int_equal(codeobj_elf_symbol_count(again, CODEOBJ_SYMTAB), 0);
        assert_int_equal(codeobj_kernel_count(again), codeobj_kernel_count(elf));
        expect_same_symbols(elf, again, NULL);
        expect_same_image(elf, again);
        expect_sound(again);
        codeobj_elf_free(again);
        free(bytes);
        codeobj_builder_free(b);
        codeobj_elf_free(elf);
    }
    /* In a relocatable object the section of relocations goes along. */
    struct codeobj_elf *elf = open_object("calls-gfx900.o"), *again;
    struct codeobj_builder *b = edit_object(elf);
    struct codeobj_elf_section h, old;
    uint32_t idx;
    void *bytes;
    assert_int_equal(codeobj_elf_section_by_name(elf, ".rela.text", &old), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_by_name(b, ".text", &idx), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_rename(b, idx, ".code", NULL), CODEOBJ_OK);
    again = finish_object(b, &bytes);
    assert_int_equal(codeobj_elf_section_by_name(again, ".rela.code", &h), CODEOBJ_OK);
    assert_int_equal(h.info, idx);
    assert_int_equal(h.size, old.size);
    assert_int_equal(codeobj_elf_section_by_name(again, ".rela.text", &h), CODEOBJ_NOT_FOUND);
    codeobj_elf_free(again);
    free(bytes);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
}

/* The one note of that owner and type by PT_NOTE alone. */
static const uint8_t *note(const struct codeobj_elf *elf, const char *owner, uint32_t type, uint32_t *size)
{
    struct codeobj_elf_segment g;
    const uint8_t *found = NULL;
    for (size_t i = 0; !codeobj_elf_segment(elf, i, &g); i++) {
        size_t n;
        const uint8_t *p = codeobj_elf_segment_data(elf, i, &n);
        for (size_t at = 0; g.type == 4 && at + 12 <= n; at += 12 + ((u32(p + at) + 3) & ~3u) + ((u32(p + at + 4) + 3) & ~3u))
            if (u32(p + at + 8) == type && !strcmp((const char *)p + at + 12, owner)) {
                assert_null(found);
                found = p + at + 12 + ((u32(p + at) + 3) & ~3u);
                *size = u32(p + at + 4);
                assert_ptr_equal(at_address(elf, g.vaddr + (uint64_t)(found - p)), found); /* loaded there */
            }
    }
    return found;
}

/* Two note sections in one segment: the build ID stays beside metadata that grows or shrinks. */
static void test_notes_together(void **state)
{
    (void)state;
    struct codeobj_elf *object = open_object("kernels-gfx900-v6.o"), *elf, *again;
    struct codeobj_link_input input = { .name = "o" };
    struct codeobj_link_options options = { .size = sizeof options, .kind = CODEOBJ_LINK_SHARED, .build_id = CODEOBJ_BUILD_ID_SHA1 };
    struct codeobj_link_result *result;
    input.data = codeobj_elf_bytes(object, &input.size);
    assert_int_equal(codeobj_link(&input, 1, &options, &result), CODEOBJ_OK);
    size_t image_size;
    const void *image = codeobj_link_result_image(result, &image_size);
    assert_int_equal(codeobj_elf_open_memory(image, image_size, NULL, &elf, NULL), CODEOBJ_OK);
    uint32_t size = 0;
    uint8_t id[20];
    const uint8_t *n = note(elf, "GNU", 3, &size);
    assert_non_null(n);
    assert_int_equal(size, 20);
    memcpy(id, n, 20);
    for (int longer = 0; longer < 2; longer++) {
        struct codeobj_builder *b = edit_object(elf);
        struct codeobj_metadata *m;
        char text[9000];
        void *bytes;
        int k = snprintf(text, sizeof text, "amdhsa.version: [1, 2]\namdhsa.kernels: []\nvendor.note: '%*d'\n", longer ? 8000 : 5, 1);
        assert_int_equal(codeobj_builder_metadata_yaml(b, text, (size_t)k, NULL), CODEOBJ_OK);
        again = finish_object(b, &bytes);
        n = note(again, "GNU", 3, &size);
        assert_non_null(n);
        assert_memory_equal(n, id, 20);
        assert_non_null(note(again, "AMDGPU", 32, &size));
        assert_int_equal(codeobj_metadata_read(again, &m, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_value_get(codeobj_metadata_root(m), "vendor.note")->size, longer ? 8000 : 5);
        codeobj_metadata_free(m);
        expect_same_image(elf, again);
        expect_same_symbols(elf, again, NULL);
        codeobj_elf_free(again);
        free(bytes);
        codeobj_builder_free(b);
    }
    /* A note of another section comes with a segment of its own. */
    struct codeobj_builder *b = edit_object(elf);
    static const unsigned char extra[] = { 4, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, 'X', 'Y', 'Z', 0, 1, 2, 3, 4 };
    struct codeobj_builder_section s = { .name = ".note.mine", .type = 7, .flags = 2, .align = 4 };
    uint32_t idx;
    void *bytes;
    assert_int_equal(codeobj_builder_section_add(b, &s, &idx, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_append(b, idx, extra, sizeof extra, 4, NULL, NULL), CODEOBJ_OK);
    again = finish_object(b, &bytes);
    n = note(again, "XYZ", 9, &size);
    assert_non_null(n);
    assert_int_equal(u32(n), 0x04030201);
    assert_non_null(note(again, "GNU", 3, &size));
    expect_same_image(elf, again);
    codeobj_elf_free(again);
    free(bytes);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
    codeobj_link_result_free(result);
    codeobj_elf_free(object);
}

/* ---- running what was edited ---- */

static void run_vadd(const struct codeobj_elf *elf, const char *kernel, float third)
{
    struct codeobj_target t;
    struct codeobj_device *device;
    struct codeobj_diag diag = { 0 };
    float a[64], b[64], c[64];
    struct { uint64_t a, b, c; uint32_t n; } args = { .n = 64 };
    codeobj_elf_target(elf, &t);
    assert_int_equal(codeobj_device_new(&t, NULL, &device, NULL), CODEOBJ_OK);
    for (int i = 0; i < 64; i++) {
        a[i] = (float)i;
        b[i] = 0.5f;
        c[i] = -1;
    }
    if (codeobj_device_load(device, elf, &diag))
        fail_msg("load: %s", diag.text);
    uint64_t *where[] = { &args.a, &args.b, &args.c };
    float *from[] = { a, b, c };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(codeobj_device_alloc(device, sizeof a, NULL, where[i], NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_device_write(device, *where[i], from[i], sizeof a, NULL), CODEOBJ_OK);
    }
    struct codeobj_dispatch d = { .size = sizeof d, .kernel = kernel, .grid = { 64, 1, 1 }, .workgroup = { 64, 1, 1 }, .kernarg = &args,
                                  .kernarg_size = 28, .threads = 1 };
    if (codeobj_device_dispatch(device, &d, NULL, &diag))
        fail_msg("%s: %s", kernel, diag.text);
    codeobj_device_read(device, args.c, c, sizeof c, NULL);
    assert_true(c[2] == third);
    codeobj_device_free(device);
}

/* A kernel renamed in symbols and metadata, and a second one, of raw words, added beside it. */
static void test_run(void **state)
{
    (void)state;
    /* s_endpgm; what an added kernel does is seen by what it does not do. */
    static const uint32_t nothing[] = { 0xbf810000 };
    /* global_load_dwordx2 of the third pointer by s[4:5], then c[lane] = 9: hand-assembled for gfx900 (vadd passes its
     * arguments in s[4:5]): s_load_dwordx2 s[0:1], s[4:5], 0x10; v_lshlrev_b32 v0, 2, v0; v_mov_b32 v1, 0x41100000;
     * s_waitcnt lgkmcnt(0); global_store_dword v0, v1, s[0:1]; s_endpgm */
    static const uint32_t nine[] = { 0xc0060002, 0x00000010, 0x24000082, 0x7e0202ff, 0x41100000, 0xbf8cc07f, 0xdc708000, 0x00000100, 0xbf810000 };
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co"), *again;
    struct codeobj_builder *b = edit_object(elf);
    struct codeobj_kernel k;
    struct codeobj_diag diag = { 0 };
    void *bytes;
    run_vadd(elf, "vadd", 5.5f);
    assert_int_equal(codeobj_kernel_by_name(elf, "vadd", &k, NULL), CODEOBJ_OK);
    struct codeobj_builder_arg args[] = { { .value_kind = "global_buffer", .offset = 0, .size = 8 }, { .value_kind = "global_buffer", .offset = 8, .size = 8 },
                                          { .value_kind = "global_buffer", .offset = 16, .size = 8 }, { .value_kind = "by_value", .offset = 24, .size = 4 } };
    struct codeobj_builder_kernel add = { .size = sizeof add, .name = "an_added_kernel", .code = nine, .code_size = sizeof nine,
                                          .descriptor = &k.descriptor, .args = args, .arg_count = 4, .max_flat_workgroup_size = 256 };
    if (codeobj_builder_kernel_add(b, &add, &diag))
        fail_msg("%s", diag.text);
    add.name = "another";
    add.code = nothing;
    add.code_size = sizeof nothing;
    assert_int_equal(codeobj_builder_kernel_add(b, &add, &diag), CODEOBJ_OK);
    again = finish_object(b, &bytes);
    assert_int_equal(codeobj_kernel_count(again), 7);
    expect_same_symbols(elf, again, NULL);
    expect_same_image(elf, again);
    expect_sound(again);
    run_vadd(again, "vadd", 5.5f);
    run_vadd(again, "an_added_kernel", 9);
    run_vadd(again, "another", -1);
    /* And renamed: symbols here, metadata through its tree. */
    struct codeobj_metadata *m;
    struct codeobj_builder *b2 = edit_object(again);
    char *yaml;
    size_t size;
    set_name(b2, "an_added_kernel", "renamed");
    set_name(b2, "an_added_kernel.kd", "renamed.kd");
    assert_int_equal(codeobj_metadata_read(again, &m, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_to_yaml(m, &yaml, &size, NULL), CODEOBJ_OK);
    for (char *p = yaml; (p = strstr(p, "an_added_kernel"));)
        memmove(p, "renamed", 7), memmove(p + 7, p + 15, strlen(p + 15) + 1);
    assert_int_equal(codeobj_builder_metadata_yaml(b2, yaml, strlen(yaml), &diag), CODEOBJ_OK);
    void *bytes2;
    struct codeobj_elf *third = finish_object(b2, &bytes2);
    expect_sound(third);
    run_vadd(third, "renamed", 9);
    run_vadd(third, "vadd", 5.5f);
    codeobj_elf_free(third);
    free(bytes2);
    free(yaml);
    codeobj_metadata_free(m);
    codeobj_builder_free(b2);
    codeobj_elf_free(again);
    free(bytes);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rename),   cmocka_unit_test(test_export_and_hide), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_sections), cmocka_unit_test(test_dynamic_relocations),
        cmocka_unit_test(test_dynamic_relocations_cut), cmocka_unit_test(test_dynamic_replaced), cmocka_unit_test(test_strip_and_rename), cmocka_unit_test(test_notes_together),  cmocka_unit_test(test_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

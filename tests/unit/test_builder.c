/* SPDX-License-Identifier: MIT
 *
 * elf/builder.c, write.c and kernel/builder_kernel.c: new objects, changed ones,
 * unchanged ones.  tests/peer/builder.sh shows the results to LLVM 22.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "objects.h"

static const char *const all_objects[] = {
    "debug-none.o", "debug-zlib.o", "debug-zstd.o", "kernel-v2.o", "kernels-gfx1030-v6.co", "kernels-gfx1030-v6.o",
    "kernels-gfx11-generic-v6.co", "kernels-gfx1100-v6.co", "kernels-gfx1200-v6.co", "kernels-gfx1250-v6.o", "kernels-gfx700-v6.co",
    "kernels-gfx803-v6.o", "kernels-gfx900-v6.co", "kernels-gfx906-v5.co", "kernels-gfx90a-modes-v4.co", "kernels-gfx90a-v6.o",
    "mesa-gfx900.o", "metadata.o", "pal-gfx1030.o", "pal3-gfx1100.o", "pal-legacy-gfx900.o", "r600-cedar.o", "finalizer-v1.o", "calls-gfx900.co", "calls-gfx1250.o",
};
enum { OBJECTS = sizeof all_objects / sizeof *all_objects };

static void test_identity(void **state)
{
    (void)state;
    for (int i = 0; i < OBJECTS; i++) {
        struct codeobj_elf *elf = open_object(all_objects[i]);
        struct codeobj_builder *b = edit_object(elf);
        void *out;
        size_t size, old_size;
        const void *old = codeobj_elf_bytes(elf, &old_size);
        assert_int_equal(codeobj_builder_finish(b, &out, &size, NULL), CODEOBJ_OK);
        assert_int_equal(size, old_size);
        assert_memory_equal(out, old, size);
        free(out);
        codeobj_builder_free(b);
        codeobj_elf_free(elf);
    }
}

/* Sections, symbols and relocations of two objects are the same, however numbered. */
static void assert_same_content(struct codeobj_elf *a, struct codeobj_elf *b)
{
    for (size_t i = 1; i < codeobj_elf_section_count(a); i++) {
        struct codeobj_elf_section s, t;
        struct codeobj_elf_relocation r, q;
        struct codeobj_elf_symbol x, y;
        size_t n, m;
        codeobj_elf_section(a, i, &s);
        assert_int_equal(codeobj_elf_section(b, i, &t), CODEOBJ_OK);
        assert_string_equal(s.name, t.name);
        assert_int_equal(s.type, t.type);
        assert_int_equal(s.flags, t.flags);
        assert_int_equal(s.addr, t.addr);
        assert_int_equal(s.align, t.align);
        size_t count = codeobj_elf_relocation_count(a, i);
        assert_int_equal(count, codeobj_elf_relocation_count(b, i));
        for (size_t k = 0; k < count; k++) {
            codeobj_elf_relocation(a, i, k, &r);
            codeobj_elf_relocation(b, i, k, &q);
            assert_int_equal(r.offset, q.offset);
            assert_int_equal(r.type, q.type);
            assert_int_equal(r.addend, q.addend);
            enum codeobj_elf_symtab table = s.link == codeobj_elf_symtab_section(a, CODEOBJ_DYNSYM) ? CODEOBJ_DYNSYM : CODEOBJ_SYMTAB;
            if (r.symbol) {
                codeobj_elf_symbol(a, table, r.symbol, &x);
                codeobj_elf_symbol(b, table, q.symbol, &y);
                assert_string_equal(x.name, y.name);
                assert_int_equal(x.value, y.value);
                assert_int_equal(x.shndx, y.shndx);
            }
        }
        if (s.type != 1 && s.type != 7 && s.type != 6) /* PROGBITS, NOTE, DYNAMIC are untouched */
            continue;
        const void *p = codeobj_elf_section_data(a, i, &n), *o = codeobj_elf_section_data(b, i, &m);
        assert_int_equal(n, m);
        if (n)
            assert_memory_equal(p, o, n);
    }
}

/* Adding a symbol makes tables anew and moves what comes behind; all else stays the same. */
static void test_add_symbol(void **state)
{
    (void)state;
    for (int i = 0; i < OBJECTS; i++) {
        struct codeobj_elf *elf = open_object(all_objects[i]), *again;
        struct codeobj_builder *b = edit_object(elf);
        struct codeobj_elf_symbol s = { .name = "local_one", .shndx = CODEOBJ_SHN_ABS, .value = 42 }, found;
        void *bytes;
        assert_int_equal(codeobj_builder_symbol_add(b, &s, NULL, NULL), CODEOBJ_OK);
        again = finish_object(b, &bytes);
        assert_int_equal(codeobj_elf_symbol_by_name(again, "local_one", &found), CODEOBJ_OK);
        assert_int_equal(found.value, 42);
        assert_int_equal(found.shndx, CODEOBJ_SHN_ABS);
        assert_int_equal(codeobj_elf_symbol_count(again, CODEOBJ_SYMTAB), codeobj_elf_symbol_count(elf, CODEOBJ_SYMTAB) + 1);
        assert_same_content(elf, again);
        codeobj_elf_free(again);
        free(bytes);
        codeobj_builder_free(b);
        codeobj_elf_free(elf);
    }
}

static void test_remove_section(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co"), *again;
    struct codeobj_builder *b = edit_object(elf);
    struct codeobj_elf_section s;
    struct codeobj_elf_symbol x;
    struct codeobj_image *image;
    struct codeobj_load_options load = { .size = sizeof load };
    struct codeobj_diag diag;
    uint32_t idx;
    void *bytes;
    assert_int_equal(codeobj_builder_section_by_name(b, ".text", &idx), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_remove(b, idx, &diag), CODEOBJ_INVALID);
    assert_string_equal(diag.text, "section \".text\" is held by a segment");
    assert_int_equal(codeobj_builder_section_by_name(b, ".comment", &idx), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_remove(b, idx, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_remove(b, idx, NULL), CODEOBJ_INVALID);
    again = finish_object(b, &bytes);
    assert_int_equal(codeobj_elf_section_count(again), 16);
    assert_int_equal(codeobj_elf_section_by_name(again, ".comment", &s), CODEOBJ_NOT_FOUND);
    /* Indices behind it moved along. */
    assert_int_equal(codeobj_elf_symbol_by_name(again, "counter", &x), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_section(again, x.shndx, &s), CODEOBJ_OK);
    assert_string_equal(s.name, ".data");
    assert_int_equal(codeobj_image_load(again, &load, &image, NULL), CODEOBJ_OK);
    codeobj_image_free(image);
    codeobj_elf_free(again);
    free(bytes);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
}

static void test_symbol_edits(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx90a-v6.o"), *again;
    struct codeobj_builder *b = edit_object(elf);
    struct codeobj_elf_symbol s;
    struct codeobj_diag diag;
    uint32_t idx;
    void *bytes;
    /* A relocation names it. */
    assert_int_equal(codeobj_builder_symbol_by_name(b, "counter", &idx, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_symbol_remove(b, idx, &diag), CODEOBJ_INVALID);
    assert_string_equal(diag.section, ".rela.data");
    assert_int_equal(codeobj_builder_symbol_by_name(b, "vadd.num_vgpr", &idx, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_symbol_remove(b, idx, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_symbol_by_name(b, "vadd", &idx, &s), CODEOBJ_OK);
    s.name = "renamed";
    s.binding = 0; /* local: moves before the globals */
    assert_int_equal(codeobj_builder_symbol_set(b, idx, &s, NULL), CODEOBJ_OK);
    again = finish_object(b, &bytes);
    assert_int_equal(codeobj_elf_symbol_by_name(again, "vadd.num_vgpr", &s), CODEOBJ_NOT_FOUND);
    assert_int_equal(codeobj_elf_symbol_by_name(again, "vadd", &s), CODEOBJ_NOT_FOUND);
    assert_int_equal(codeobj_elf_symbol_by_name(again, "renamed", &s), CODEOBJ_OK);
    assert_int_equal(s.binding, 0);
    /* Its relocation (the descriptor's entry) followed it. */
    struct codeobj_elf_section rela, symtab;
    struct codeobj_elf_relocation r;
    codeobj_elf_section_by_name(again, ".rela.rodata", &rela);
    codeobj_elf_relocation(again, rela.idx, 0, &r);
    assert_int_equal(r.symbol, s.idx);
    codeobj_elf_section(again, codeobj_elf_symtab_section(again, CODEOBJ_SYMTAB), &symtab);
    assert_true(symtab.info > s.idx);
    for (size_t i = 0; i < codeobj_elf_symbol_count(again, CODEOBJ_SYMTAB); i++) {
        codeobj_elf_symbol(again, CODEOBJ_SYMTAB, i, &s);
        assert_true((s.binding == 0) == (i < symtab.info));
    }
    codeobj_elf_free(again);
    free(bytes);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
}

/* Metadata that grows in a linked object moves to a new segment; the program still loads. */
static void test_note_outgrows(void **state)
{
    (void)state;
    for (int longer = 0; longer < 2; longer++) {
        struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co"), *again;
        struct codeobj_builder *b = edit_object(elf);
        struct codeobj_metadata *m;
        struct codeobj_image *image;
        struct codeobj_load_options load = { .size = sizeof load };
        struct codeobj_elf_section s;
        char text[9000];
        void *bytes;
        uint64_t addr, size;
        int n = snprintf(text, sizeof text, "amdhsa.version: [1, 2]\namdhsa.kernels: []\nvendor.note: '%*d'\n", longer ? 8000 : 5, 1);
        assert_int_equal(codeobj_builder_metadata_yaml(b, text, (size_t)n, NULL), CODEOBJ_OK);
        again = finish_object(b, &bytes);
        assert_int_equal(codeobj_elf_segment_count(again), longer ? 10 : 9);
        assert_int_equal(codeobj_metadata_read(again, &m, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_value_get(codeobj_metadata_root(m), "vendor.note")->size, longer ? 8000 : 5);
        assert_int_equal(codeobj_metadata_kernel_count(m), 0);
        codeobj_metadata_free(m);
        assert_int_equal(codeobj_image_load(again, &load, &image, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_image_symbol(image, "pointer", &addr, &size), CODEOBJ_OK);
        assert_int_equal(addr, 0x4b10); /* nothing else moved */
        /* PT_NOTE follows the section. */
        codeobj_elf_section_by_name(again, ".note", &s);
        for (size_t i = 0; i < codeobj_elf_segment_count(again); i++) {
            struct codeobj_elf_segment p;
            codeobj_elf_segment(again, i, &p);
            if (p.type == 4) {
                assert_int_equal(p.offset, s.offset);
                assert_int_equal(p.filesz, s.size);
                assert_int_equal(p.vaddr, s.addr);
            }
        }
        codeobj_image_free(image);
        codeobj_elf_free(again);
        free(bytes);
        codeobj_builder_free(b);
        codeobj_elf_free(elf);
    }
}

static void test_retarget(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx90a-v6.o"), *again;
    struct codeobj_builder *b = edit_object(elf);
    struct codeobj_target t;
    struct codeobj_elf_header h;
    void *bytes;
    codeobj_target_parse("gfx90a:sramecc+:xnack-", &t, NULL);
    assert_int_equal(codeobj_builder_set_target(b, &t, 4, NULL), CODEOBJ_OK);
    again = finish_object(b, &bytes);
    codeobj_elf_header(again, &h);
    assert_int_equal(h.flags, 0xe3f);
    assert_int_equal(h.abi_version, 2);
    codeobj_elf_free(again);
    free(bytes);
    codeobj_target_parse("gfx9-generic", &t, NULL);
    assert_int_equal(codeobj_builder_set_target(b, &t, 5, NULL), CODEOBJ_INVALID);
    codeobj_target_parse("cedar", &t, NULL);
    assert_int_equal(codeobj_builder_set_target(b, &t, 5, NULL), CODEOBJ_INVALID);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
}

/* A kernel from raw words, for every processor and version there is. */
static void build_kernel(const struct codeobj_processor *p, int version, uint16_t type)
{
    static const uint32_t endpgm[] = { 0xbf810000 };
    struct codeobj_builder_options options = { .size = sizeof options, .type = type, .osabi = 64, .code_object_version = version };
    struct codeobj_kernel_descriptor d = { .kernarg_size = 16, .group_segment_fixed_size = 256, .granulated_workitem_vgpr_count = 1,
                                           .accum_offset = 8, .enable_sgpr_kernarg_segment_ptr = 1, .user_sgpr_count = 2,
                                           .enable_sgpr_workgroup_id_x = 1, .enable_wavefront_size32 = p->gen >= CODEOBJ_GEN_GFX10 };
    struct codeobj_builder_arg args[] = { { .name = "p", .value_kind = "global_buffer", .address_space = "global", .size = 8 },
                                          { .value_kind = "by_value", .offset = 8, .size = 4 } };
    struct codeobj_builder_kernel k = { .size = sizeof k, .name = "first", .code = endpgm, .code_size = sizeof endpgm, .descriptor = &d,
                                        .args = args, .arg_count = 2, .max_flat_workgroup_size = 256 };
    struct codeobj_builder *b;
    struct codeobj_elf *elf;
    struct codeobj_elf_header h;
    struct codeobj_target t;
    struct codeobj_kernel found;
    struct codeobj_metadata *m;
    struct codeobj_metadata_kernel mk;
    void *bytes;
    codeobj_target_default(p, &options.target);
    assert_int_equal(codeobj_builder_new(&options, &b, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_kernel_add(b, &k, NULL), CODEOBJ_OK);
    k.name = "second";
    assert_int_equal(codeobj_builder_kernel_add(b, &k, NULL), CODEOBJ_OK);
    elf = finish_object(b, &bytes);
    codeobj_elf_header(elf, &h);
    codeobj_elf_target(elf, &t);
    assert_ptr_equal(t.processor, p);
    assert_int_equal(h.code_object_version, version);
    assert_int_equal(h.type, type);
    assert_int_equal(codeobj_kernel_count(elf), 2);
    assert_int_equal(codeobj_kernel_by_name(elf, "second", &found, NULL), CODEOBJ_OK);
    assert_int_equal(found.code_size, 4);
    assert_int_equal(found.entry_addr % 256, 0);
    assert_int_equal(found.descriptor.kernarg_size, 16);
    assert_int_equal(found.descriptor.user_sgpr_count, 2);
    assert_int_equal(codeobj_metadata_read(elf, &m, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_metadata_kernel_count(m), 2);
    codeobj_metadata_kernel(m, 1, &mk);
    assert_string_equal(mk.symbol, "second.kd");
    assert_int_equal(mk.kernarg_segment_size, 16);
    assert_int_equal(mk.arg_count, 2);
    assert_int_equal(mk.wavefront_size, found.descriptor.wave_size);
    codeobj_metadata_free(m);
    codeobj_elf_free(elf);
    free(bytes);
    codeobj_builder_free(b);
}

static void test_kernels(void **state)
{
    (void)state;
    for (size_t i = 0; codeobj_processor_at(i); i++) {
        const struct codeobj_processor *p = codeobj_processor_at(i);
        for (int version = 3; p->gen != CODEOBJ_GEN_R600 && version <= 6; version++) {
            if (p->generic_version && version < 6)
                continue;
            build_kernel(p, version, 1);
            if (version == 6 || i % 8 == 0)
                build_kernel(p, version, 3);
        }
    }
}

/* r600: 32-bit classes throughout; other OS ABIs: SHT_REL with the addend in the place. */
static void test_other_abis(void **state)
{
    (void)state;
    static const struct {
        const char *cpu;
        uint8_t osabi;
    } cases[] = { { "cedar", 0 }, { "gfx1030", 65 }, { "gfx900", 66 }, { "gfx1100", 0 } };
    struct codeobj_builder_options none = { .size = sizeof none, .type = 1, .osabi = 64, .code_object_version = 5 };
    struct codeobj_builder *refused;
    codeobj_target_parse("cedar", &none.target, NULL);
    assert_int_equal(codeobj_builder_new(&none, &refused, NULL), CODEOBJ_INVALID); /* amdhsa is amdgcn's */
    for (int i = 0; i < 4; i++) {
        struct codeobj_builder_options options = { .size = sizeof options, .type = 1, .osabi = cases[i].osabi };
        struct codeobj_builder_section text = { .name = ".text", .type = 1, .flags = 6, .align = 4 };
        struct codeobj_elf_symbol s = { .name = "target", .binding = 1 };
        struct codeobj_builder *b;
        struct codeobj_elf *elf;
        struct codeobj_elf_section sec;
        struct codeobj_elf_relocation r = { .offset = 4, .type = 4, .addend = -4 };
        uint32_t idx;
        void *bytes;
        size_t size;
        codeobj_target_parse(cases[i].cpu, &options.target, NULL);
        assert_int_equal(codeobj_builder_new(&options, &b, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_section_add(b, &text, &idx, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_section_append(b, idx, "abcdefgh", 8, 4, NULL, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_symbol_add(b, &s, &r.symbol, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_relocation_add(b, idx, &r, NULL), CODEOBJ_OK);
        r.offset = 5; /* reaches behind the section */
        assert_int_equal(codeobj_builder_relocation_add(b, idx, &r, NULL), CODEOBJ_INVALID);
        elf = finish_object(b, &bytes);
        assert_int_equal(codeobj_elf_section_by_name(elf, ".rel.text", &sec), CODEOBJ_OK);
        assert_int_equal(codeobj_elf_relocation_count(elf, sec.idx), 1);
        assert_int_equal(codeobj_elf_relocation(elf, sec.idx, 0, &r), CODEOBJ_OK);
        assert_int_equal(r.offset, 4);
        assert_int_equal(r.type, 4);
        codeobj_elf_section_by_name(elf, ".text", &sec);
        assert_memory_equal(codeobj_elf_section_data(elf, sec.idx, &size), "abcd\xfc\xff\xff\xff", 8);
        codeobj_elf_free(elf);
        free(bytes);
        codeobj_builder_free(b);
    }
}

static void test_misuse(void **state)
{
    (void)state;
    struct codeobj_builder_options options = { .size = sizeof options, .type = 2, .osabi = 64, .code_object_version = 5 };
    struct codeobj_builder_section s = { .name = "x", .type = 1, .align = 3 };
    struct codeobj_elf_symbol y = { .name = "y", .shndx = 7 };
    struct codeobj_elf_relocation r = { .symbol = 9 };
    struct codeobj_builder *b = NULL;
    struct codeobj_diag diag;
    uint32_t idx;
    codeobj_target_parse("gfx900", &options.target, NULL);
    assert_int_equal(codeobj_builder_new(&options, &b, &diag), CODEOBJ_INVALID);
    options.type = 1;
    options.code_object_version = 2;
    assert_int_equal(codeobj_builder_new(&options, &b, &diag), CODEOBJ_INVALID);
    assert_string_equal(diag.text, "code object version: found 2, expected 3 to 6");
    options.code_object_version = 5;
    options.target.processor = NULL;
    assert_int_equal(codeobj_builder_new(&options, &b, &diag), CODEOBJ_INVALID);
    assert_null(b);
    codeobj_target_parse("gfx900", &options.target, NULL);
    assert_int_equal(codeobj_builder_new(&options, &b, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_add(b, &s, &idx, &diag), CODEOBJ_INVALID);
    assert_int_equal(codeobj_builder_symbol_add(b, &y, &idx, &diag), CODEOBJ_INVALID);
    assert_string_equal(diag.text, "symbol \"y\": no section 7");
    assert_int_equal(codeobj_builder_section_append(b, 5, "x", 1, 1, NULL, &diag), CODEOBJ_INVALID);
    s.align = 4;
    assert_int_equal(codeobj_builder_section_add(b, &s, &idx, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_relocation_add(b, idx, &r, &diag), CODEOBJ_INVALID);
    assert_string_equal(diag.text, "no symbol 9");
    codeobj_builder_free(b);
    codeobj_builder_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identity),     cmocka_unit_test(test_add_symbol),  cmocka_unit_test(test_remove_section),
        cmocka_unit_test(test_symbol_edits), cmocka_unit_test(test_note_outgrows), cmocka_unit_test(test_retarget),
        cmocka_unit_test(test_kernels),      cmocka_unit_test(test_other_abis),  cmocka_unit_test(test_misuse),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * elf/open.c, symbols.c, relocs.c, notes.c, contents.c on objects that LLVM 22
 * made.  Expected values are those llvm-readelf 22 prints for the same files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <pthread.h>

#include "objects.h"

static void test_header(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_elf_header h;
    struct codeobj_target t;
    codeobj_elf_header(elf, &h);
    assert_int_equal(h.elf_class, 2);
    assert_int_equal(h.osabi, 64);
    assert_int_equal(h.abi_version, 4);
    assert_int_equal(h.type, 3);
    assert_int_equal(h.machine, 224);
    assert_int_equal(h.flags, 0x12c);
    assert_int_equal(h.phoff, 64);
    assert_int_equal(h.shoff, 9728);
    assert_int_equal(h.phnum, 9);
    assert_int_equal(h.shnum, 17);
    assert_int_equal(h.shstrndx, 15);
    assert_int_equal(h.code_object_version, 6);
    codeobj_elf_target(elf, &t);
    assert_string_equal(t.processor->name, "gfx900");
    assert_int_equal(t.xnack, CODEOBJ_MODE_ANY);
    assert_int_equal(t.sramecc, CODEOBJ_MODE_UNSUPPORTED);
    codeobj_elf_free(elf);
}

static void test_tables(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_elf_section s;
    struct codeobj_elf_segment p;
    struct codeobj_elf_dynamic d;
    struct codeobj_elf_relocation r;
    size_t size;
    assert_int_equal(codeobj_elf_section_count(elf), 17);
    assert_int_equal(codeobj_elf_section_by_name(elf, ".text", &s), CODEOBJ_OK);
    assert_int_equal(s.idx, 8);
    assert_int_equal(s.addr, 0x2200);
    assert_int_equal(s.offset, 0x1200);
    assert_int_equal(s.size, 0x858);
    assert_int_equal(s.align, 256);
    assert_int_equal(s.flags, 6);
    assert_non_null(codeobj_elf_section_data(elf, 8, &size));
    assert_int_equal(size, 0x858);
    assert_int_equal(codeobj_elf_section(elf, 10, &s), CODEOBJ_OK);
    assert_string_equal(s.name, ".relro_padding");
    assert_string_equal(codeobj_elf_section_type_name(s.type), "SHT_NOBITS");
    assert_null(codeobj_elf_section_data(elf, 10, &size));
    assert_int_equal(codeobj_elf_section(elf, 17, &s), CODEOBJ_INVALID);
    assert_int_equal(codeobj_elf_section_by_name(elf, ".none", &s), CODEOBJ_NOT_FOUND);
    assert_int_equal(codeobj_elf_segment_count(elf), 9);
    assert_int_equal(codeobj_elf_segment(elf, 3, &p), CODEOBJ_OK);
    assert_int_equal(p.vaddr, 0x3a58);
    assert_int_equal(p.memsz, 0x5a8);
    assert_int_equal(p.filesz, 0xb0);
    assert_int_equal(codeobj_elf_dynamic_count(elf), 10);
    assert_int_equal(codeobj_elf_dynamic(elf, 3, &d), CODEOBJ_OK);
    assert_string_equal(codeobj_elf_dynamic_tag_name(d.tag), "DT_RELACOUNT");
    assert_int_equal(d.value, 1);
    assert_int_equal(codeobj_elf_relocation_count(elf, 6), 1);
    assert_int_equal(codeobj_elf_relocation(elf, 6, 0, &r), CODEOBJ_OK);
    assert_int_equal(r.offset, 0x4b10);
    assert_int_equal(r.addend, 0x4b08);
    assert_string_equal(codeobj_relocation_info(r.type)->name, "R_AMDGPU_RELATIVE64");
    codeobj_elf_free(elf);
}

static void test_symbols(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_elf_symbol s;
    assert_int_equal(codeobj_elf_symbol_count(elf, CODEOBJ_SYMTAB), 61);
    assert_int_equal(codeobj_elf_symbol_count(elf, CODEOBJ_DYNSYM), 16);
    assert_int_equal(codeobj_elf_symtab_section(elf, CODEOBJ_DYNSYM), 2);
    assert_int_equal(codeobj_elf_symbol(elf, CODEOBJ_SYMTAB, 28, &s), CODEOBJ_OK);
    assert_string_equal(s.name, "recursive.num_vgpr");
    assert_int_equal(s.shndx, CODEOBJ_SHN_ABS);
    assert_int_equal(s.value, 0x2b);
    assert_int_equal(codeobj_elf_symbol_by_name(elf, "recursive.kd", &s), CODEOBJ_OK);
    assert_int_equal(s.value, 0x1080);
    assert_int_equal(s.size, 64);
    assert_int_equal(s.shndx, 7);
    assert_string_equal(codeobj_elf_symbol_type_name(s.type), "STT_OBJECT");
    assert_string_equal(codeobj_elf_visibility_name(s.visibility), "STV_PROTECTED");
    assert_int_equal(codeobj_elf_symbol_by_name(elf, "counter", &s), CODEOBJ_OK);
    assert_string_equal(codeobj_elf_binding_name(s.binding), "STB_LOCAL");
    assert_int_equal(codeobj_elf_dynamic_symbol_by_name(elf, "counter", &s), CODEOBJ_NOT_FOUND);
    assert_int_equal(codeobj_elf_dynamic_symbol_by_name(elf, "vadd.kd", &s), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_symbol_by_name(elf, "vad", &s), CODEOBJ_NOT_FOUND);
    assert_int_equal(codeobj_elf_symbol_by_name(elf, "", &s), CODEOBJ_NOT_FOUND);
    codeobj_elf_free(elf);
}

static void test_relocations(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx90a-v6.o");
    struct codeobj_elf_section s;
    struct codeobj_elf_relocation r;
    struct codeobj_elf_symbol y;
    assert_int_equal(codeobj_elf_section_by_name(elf, ".rela.text", &s), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_relocation_count(elf, s.idx), 14);
    assert_int_equal(codeobj_elf_relocation(elf, s.idx, 13, &r), CODEOBJ_OK);
    assert_int_equal(r.offset, 0x63c);
    assert_int_equal(r.type, 11);
    assert_int_equal(r.addend, 12);
    assert_int_equal(codeobj_elf_symbol(elf, CODEOBJ_SYMTAB, r.symbol, &y), CODEOBJ_OK);
    assert_string_equal(y.name, "pointer");
    assert_int_equal(codeobj_elf_relocation(elf, s.idx, 14, &r), CODEOBJ_INVALID);
    assert_int_equal(codeobj_elf_relocation_count(elf, 1), 0);
    assert_null(codeobj_relocation_info(12));
    assert_null(codeobj_relocation_info(99));
    assert_int_equal(codeobj_relocation_info(14)->bytes, 2);
    codeobj_elf_free(elf);
}

static void test_r600(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("r600-cedar.o");
    struct codeobj_elf_header h;
    struct codeobj_target t;
    struct codeobj_elf_section s;
    struct codeobj_elf_symbol y;
    codeobj_elf_header(elf, &h);
    assert_int_equal(h.elf_class, 1);
    assert_int_equal(h.shoff, 472);
    assert_int_equal(h.code_object_version, 0);
    codeobj_elf_target(elf, &t);
    assert_string_equal(t.processor->name, "cedar");
    assert_int_equal(codeobj_elf_section(elf, 3, &s), CODEOBJ_OK);
    assert_string_equal(s.name, ".AMDGPU.config");
    assert_int_equal(s.size, 0x18);
    assert_int_equal(codeobj_elf_symbol(elf, CODEOBJ_SYMTAB, 1, &y), CODEOBJ_OK);
    assert_string_equal(y.name, "f");
    assert_int_equal(y.size, 48);
    assert_int_equal(y.shndx, 2);
    codeobj_elf_free(elf);
}

static void test_v2(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernel-v2.o");
    struct codeobj_elf_header h;
    struct codeobj_target t;
    struct codeobj_elf_note n;
    codeobj_elf_header(elf, &h);
    assert_int_equal(h.code_object_version, 2);
    codeobj_elf_target(elf, &t);
    assert_string_equal(t.processor->name, "gfx900");
    assert_int_equal(t.xnack, CODEOBJ_MODE_OFF); /* one bit: not set is off */
    assert_int_equal(codeobj_elf_note_count(elf), 4);
    assert_int_equal(codeobj_elf_note(elf, 1, &n), CODEOBJ_OK);
    assert_int_equal(n.type, 3);
    assert_int_equal(n.desc_size, 27);
    assert_int_equal(n.owner_size, 3);
    assert_memory_equal(n.owner, "AMD", 3);
    assert_string_equal(codeobj_elf_note_type_name(n.owner, n.owner_size, n.type), "NT_AMD_HSA_ISA_VERSION");
    codeobj_elf_free(elf);
}

/* A core file of the debugger: program headers alone, its notes in PT_NOTE. */
static void test_core_file(void **state)
{
    (void)state;
    uint8_t file[64 + 56 + 24] = { 0x7f, 'E', 'L', 'F', 2, 1, 1, 64, 3, [16] = 4, [18] = 224, [20] = 1, [32] = 64, [52] = 64, [54] = 56, [56] = 1 };
    static const uint8_t note[24] = { 7, 0, 0, 0, 2, 0, 0, 0, 33, 0, 0, 0, 'A', 'M', 'D', 'G', 'P', 'U', 0, 0, 1, 2, 0, 0 };
    uint8_t *phdr = file + 64;
    struct codeobj_elf *elf;
    struct codeobj_elf_header h;
    struct codeobj_elf_note n;
    uint64_t size, align;
    phdr[0] = 4;  /* PT_NOTE */
    phdr[8] = 120; /* p_offset */
    phdr[32] = 24; /* p_filesz */
    memcpy(file + 120, note, 24);
    assert_int_equal(codeobj_elf_open_memory(file, sizeof file, NULL, &elf, NULL), CODEOBJ_OK);
    codeobj_elf_header(elf, &h);
    assert_string_equal(codeobj_elf_type_name(h.type), "ET_CORE");
    assert_int_equal(codeobj_elf_note_count(elf), 1);
    assert_int_equal(codeobj_elf_note(elf, 0, &n), CODEOBJ_OK);
    assert_int_equal(n.section_idx, 0);
    assert_int_equal(n.offset, 120);
    assert_int_equal(n.desc_size, 2);
    assert_string_equal(codeobj_elf_note_type_name(n.owner, n.owner_size, n.type), "NT_AMDGPU_KFD_CORE_STATE");
    assert_int_equal(codeobj_load_extent(elf, &size, &align, NULL), CODEOBJ_UNSUPPORTED);
    codeobj_elf_free(elf);
}

/* Targets of V1 and V2, from LLVM's table of ISA versions. */
static void noted(uint32_t version, const uint32_t isa[3], uint32_t flags, bool finalizer, int want_version, const char *want)
{
    enum { NOTES = 0x204, ISA = 0x21c }; /* of kernel-v2.o */
    struct codeobj_elf *elf = open_object("kernel-v2.o"), *changed;
    struct codeobj_elf_header h;
    struct codeobj_target t;
    char id[64];
    size_t size;
    const void *bytes = codeobj_elf_bytes(elf, &size);
    uint8_t *copy = malloc(size);
    memcpy(copy, bytes, size);
    memcpy(copy + NOTES + 16, &version, 4);
    memcpy(copy + ISA + 20, isa, 12);
    memcpy(copy + 48, &flags, 4);
    if (finalizer)
        copy[0x248 + 8] = 2; /* the ISA name note becomes an HSAIL note */
    assert_int_equal(codeobj_elf_open_memory(copy, size, NULL, &changed, NULL), CODEOBJ_OK);
    codeobj_elf_header(changed, &h);
    codeobj_elf_target(changed, &t);
    codeobj_target_format(&t, id, sizeof id);
    assert_int_equal(h.code_object_version, want_version);
    assert_string_equal(id, want);
    codeobj_elf_free(changed);
    codeobj_elf_free(elf);
    free(copy);
}

static void test_old_targets(void **state)
{
    (void)state;
    noted(1, (uint32_t[]){ 7, 0, 0 }, 0, true, 1, "gfx700");
    noted(1, (uint32_t[]){ 8, 0, 0 }, 0, true, 1, "gfx802");
    noted(1, (uint32_t[]){ 8, 0, 4 }, 0, true, 1, "gfx803");
    noted(1, (uint32_t[]){ 9, 0, 0 }, 1, true, 1, "gfx900:xnack+"); /* 1 is r600's mach as well */
    noted(2, (uint32_t[]){ 8, 0, 1 }, 0, false, 2, "gfx801:xnack+");
    noted(2, (uint32_t[]){ 9, 0, 1 }, 0, false, 2, "gfx900:xnack+");
    noted(2, (uint32_t[]){ 9, 0, 7 }, 0, false, 2, "gfx906:sramecc-:xnack+");
    noted(2, (uint32_t[]){ 9, 0, 12 }, 0, false, 2, "gfx90c:xnack-");
    noted(2, (uint32_t[]){ 9, 0, 0 }, 0x32f, false, 2, "gfx906:sramecc+:xnack+"); /* e_flags know more */
    noted(2, (uint32_t[]){ 5, 0, 0 }, 0, false, 2, "unknown");
}

static void check_uncompressed(const char *name)
{
    struct codeobj_elf *elf = open_object(name), *plain = open_object("debug-none.o");
    struct codeobj_elf_section s, t;
    void *a, *b;
    size_t a_size, b_size;
    assert_int_equal(codeobj_elf_section_by_name(elf, ".debug_str", &s), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_section_by_name(plain, ".debug_str", &t), CODEOBJ_OK);
    assert_true(s.flags & 0x800);
    assert_true(s.size < t.size);
    assert_int_equal(codeobj_elf_section_contents(elf, s.idx, &a, &a_size, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_section_contents(plain, t.idx, &b, &b_size, NULL), CODEOBJ_OK);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a, b, b_size);
    free(a);
    free(b);
    codeobj_elf_free(elf);
    codeobj_elf_free(plain);
}

static void test_compressed(void **state)
{
    (void)state;
    check_uncompressed("debug-zlib.o");
    check_uncompressed("debug-zstd.o");
}

/* A header that claims 1 TiB for a few packed bytes is refused before anything is allocated. */
static void test_compression_bomb(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("debug-zlib.o"), *bomb;
    struct codeobj_elf_section s;
    struct codeobj_diag diag;
    size_t size;
    const void *bytes = codeobj_elf_bytes(elf, &size);
    uint8_t *copy = malloc(size);
    memcpy(copy, bytes, size);
    codeobj_elf_section_by_name(elf, ".debug_str", &s);
    copy[s.offset + 8 + 5] = 1;
    assert_int_equal(codeobj_elf_open_memory(copy, size, NULL, &bomb, NULL), CODEOBJ_OK);
    void *out = NULL;
    assert_int_equal(codeobj_elf_section_contents(bomb, s.idx, &out, &size, &diag), CODEOBJ_MALFORMED);
    assert_non_null(strstr(diag.text, "cannot come from"));
    assert_null(out);
    codeobj_elf_free(bomb);
    codeobj_elf_free(elf);
    free(copy);
}

/* Changed bytes of a good object: status, offset and words of the diagnostic; and a lenient open goes on. */
static void damaged(size_t at, uint8_t byte, enum codeobj_status want, uint64_t offset, const char *section, const char *words)
{
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co"), *bad = NULL;
    struct codeobj_elf_options lenient = { .size = sizeof lenient, .flags = CODEOBJ_ELF_LENIENT };
    struct codeobj_diag diag = { 0 };
    size_t size;
    const void *bytes = codeobj_elf_bytes(elf, &size);
    uint8_t *copy = malloc(size);
    memcpy(copy, bytes, size);
    copy[at] = byte;
    assert_int_equal(codeobj_elf_open_memory(copy, size, NULL, &bad, &diag), want);
    assert_null(bad);
    assert_non_null(strstr(diag.text, words));
    assert_true(diag.has_offset);
    assert_int_equal(diag.offset, offset);
    assert_string_equal(diag.section, section);
    if (at >= 20) {
        struct codeobj_diag finding;
        assert_int_equal(codeobj_elf_open_memory(copy, size, &lenient, &bad, &diag), CODEOBJ_OK);
        assert_int_equal(codeobj_elf_finding(bad, 0, &finding), CODEOBJ_OK);
        assert_string_equal(finding.text, diag.text[0] ? diag.text : finding.text);
        codeobj_elf_free(bad);
    }
    codeobj_elf_free(elf);
    free(copy);
}

static void test_damage_has_a_place(void **state)
{
    (void)state;
    enum { SHOFF = 9728, SHDR = 64, PHDR = 56 };
    damaged(0, 'E', CODEOBJ_MALFORMED, 0, "", "not an ELF file");
    damaged(4, 3, CODEOBJ_MALFORMED, 4, "", "ELF class: found 3");
    damaged(5, 2, CODEOBJ_UNSUPPORTED, 5, "", "data encoding: found 2");
    damaged(18, 62, CODEOBJ_UNSUPPORTED, 18, "", "machine: found 62");
    damaged(20, 7, CODEOBJ_MALFORMED, 20, "", "ELF version: found 7");
    damaged(58, 63, CODEOBJ_MALFORMED, 58, "", "section header size: found 63, expected 64");
    damaged(54, 55, CODEOBJ_MALFORMED, 54, "", "program header size: found 55, expected 56");
    damaged(43, 9, CODEOBJ_MALFORMED, SHOFF + (9 << 24), "", "section header table of 17 entries");
    damaged(62, 99, CODEOBJ_MALFORMED, 62, "", "section name table: index 99 of 17");
    damaged(62, 8, CODEOBJ_MALFORMED, 62, "", "section 8 has type 0x1, expected SHT_STRTAB");
    /* .text: size, alignment, name */
    damaged(SHOFF + 8 * SHDR + 34, 1, CODEOBJ_MALFORMED, SHOFF + 8 * SHDR, "", "section 8: bytes 0x1200");
    damaged(SHOFF + 8 * SHDR + 48, 3, CODEOBJ_MALFORMED, SHOFF + 8 * SHDR, "", "alignment 0x103 is not a power of two");
    damaged(SHOFF + 8 * SHDR + 2, 1, CODEOBJ_MALFORMED, SHOFF + 8 * SHDR, "", "name of section 8");
    /* .dynsym: link and entry size; its second entry's name and section */
    damaged(SHOFF + 2 * SHDR + 56, 25, CODEOBJ_MALFORMED, 0, ".dynsym", "symbol table entry size: found 0x19, expected 0x18");
    damaged(SHOFF + 2 * SHDR + 40, 4, CODEOBJ_MALFORMED, 0, ".dynsym", "section 4 is not SHT_STRTAB");
    damaged(0xc10 + 24 + 1, 0x77, CODEOBJ_MALFORMED, 24, ".dynsym", "name of symbol 1");
    damaged(0xc10 + 24 + 6, 200, CODEOBJ_MALFORMED, 24, ".dynsym", "section of symbol 1: index 200 of 17");
    /* .rela.dyn: symbol of its entry */
    damaged(0xf78 + 12, 16, CODEOBJ_MALFORMED, 0, ".rela.dyn", "relocation 0: symbol 16 of 16");
    /* the note: descriptor size */
    damaged(0x238 + 6, 1, CODEOBJ_MALFORMED, 0, ".note", "reaches past the end");
    /* PT_LOAD 1: file size more than memory size; then outside the file */
    damaged(64 + 1 * PHDR + 40, 0x0f, CODEOBJ_MALFORMED, 64 + PHDR, "", "file size 0x1110 is more than memory size 0x110f");
    damaged(64 + 1 * PHDR + 11, 0x70, CODEOBJ_MALFORMED, 64 + PHDR, "", "lie outside the file");
}

/* More sections than 16 bits can count: e_shnum 0, SHN_XINDEX in e_shstrndx and in symbols. */
static void test_many_sections(void **state)
{
    (void)state;
    struct codeobj_builder_options options = { .size = sizeof options, .type = 1, .osabi = 64, .code_object_version = 5 };
    struct codeobj_builder *b;
    struct codeobj_elf *elf;
    struct codeobj_elf_header h;
    struct codeobj_elf_symbol s;
    struct codeobj_elf_section section;
    void *bytes;
    size_t size;
    uint32_t idx = 0;
    assert_int_equal(codeobj_target_parse("gfx900", &options.target, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_new(&options, &b, NULL), CODEOBJ_OK);
    for (int i = 0; i < 66000; i++) {
        struct codeobj_builder_section add = { .name = i == 65999 ? ".last" : ".x", .type = 1, .align = 1 };
        assert_int_equal(codeobj_builder_section_add(b, &add, &idx, NULL), CODEOBJ_OK);
    }
    struct codeobj_elf_symbol last = { .name = "in_last", .binding = 1, .shndx = idx, .value = 0 };
    assert_int_equal(codeobj_builder_symbol_add(b, &last, NULL, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_finish(b, &bytes, &size, NULL), CODEOBJ_OK);
    assert_int_equal(((uint8_t *)bytes)[60] | ((uint8_t *)bytes)[61], 0); /* e_shnum */
    assert_int_equal(((uint8_t *)bytes)[62] & ((uint8_t *)bytes)[63], 0xff); /* e_shstrndx */
    assert_int_equal(codeobj_elf_open_memory(bytes, size, NULL, &elf, NULL), CODEOBJ_OK);
    codeobj_elf_header(elf, &h);
    assert_true(h.shnum > 66000);
    assert_int_equal(codeobj_elf_symbol_by_name(elf, "in_last", &s), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_section(elf, s.shndx, &section), CODEOBJ_OK);
    assert_string_equal(section.name, ".last");
    codeobj_elf_free(elf);
    codeobj_builder_free(b);
    free(bytes);
}

/* Linkers write SHN_XINDEX into .dynsym and no index table for it: the symbol is defined, and that is all a loader asks. */
static void test_unknown_section(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co"), *wide;
    struct codeobj_elf_symbol kd, other;
    struct codeobj_elf_section dynsym, symtab;
    struct codeobj_kernel k;
    size_t size;
    const void *bytes = codeobj_elf_bytes(elf, &size);
    uint8_t *copy = malloc(size);
    memcpy(copy, bytes, size);
    assert_int_equal(codeobj_elf_dynamic_symbol_by_name(elf, "vadd.kd", &kd), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_section_by_name(elf, ".dynsym", &dynsym), CODEOBJ_OK);
    memset(copy + dynsym.offset + kd.idx * 24 + 6, 0xff, 2);
    assert_int_equal(codeobj_elf_open_memory(copy, size, NULL, &wide, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_dynamic_symbol_by_name(wide, "vadd.kd", &other), CODEOBJ_OK);
    assert_int_equal(other.shndx, CODEOBJ_SHN_UNKNOWN);
    assert_int_equal(other.value, kd.value);
    codeobj_elf_free(wide);
    memset(copy + 40, 0, 8); /* and without section headers: all is found through PT_DYNAMIC */
    memset(copy + 60, 0, 4);
    assert_int_equal(codeobj_elf_open_memory(copy, size, NULL, &wide, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_kernel_by_name(wide, "vadd", &k, NULL), CODEOBJ_OK);
    assert_int_equal(k.descriptor.kernarg_size, 28);
    codeobj_elf_free(wide);
    memcpy(copy, bytes, size);
    assert_int_equal(codeobj_elf_section_by_name(elf, ".symtab", &symtab), CODEOBJ_OK);
    memset(copy + symtab.offset + 24 + 6, 0xff, 2); /* in .symtab it is a defect */
    assert_int_equal(codeobj_elf_open_memory(copy, size, NULL, &wide, NULL), CODEOBJ_MALFORMED);
    codeobj_elf_free(elf);
    free(copy);
}

/* Without section headers a loader still finds symbols, and so do we. */
static void test_without_sections(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co"), *bare;
    size_t size;
    const void *bytes = codeobj_elf_bytes(elf, &size);
    uint8_t *copy = malloc(size);
    memcpy(copy, bytes, size);
    memset(copy + 40, 0, 8); /* e_shoff */
    memset(copy + 60, 0, 4); /* e_shnum, e_shstrndx */
    for (int gnu = 0; gnu < 2; gnu++) {
        struct codeobj_kernel k;
        struct codeobj_metadata *m;
        assert_int_equal(codeobj_elf_open_memory(copy, size, NULL, &bare, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_elf_section_count(bare), 0);
        assert_int_equal(codeobj_elf_symbol_count(bare, CODEOBJ_DYNSYM), 16);
        assert_int_equal(codeobj_kernel_count(bare), 5);
        assert_int_equal(codeobj_kernel_by_name(bare, "vadd", &k, NULL), CODEOBJ_OK);
        assert_int_equal(k.entry_addr, 0x2200);
        assert_int_equal(k.descriptor.kernarg_size, 28);
        assert_int_equal(codeobj_metadata_read(bare, &m, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_metadata_kernel_count(m), 5);
        codeobj_metadata_free(m);
        codeobj_elf_free(bare);
        copy[0x1a58 + 9 * 16] = 0x78; /* DT_HASH becomes unknown: the GNU table has to do */
    }
    free(copy);
    codeobj_elf_free(elf);
}

/* Any thread may be the first to look something up. */
static void *look_up(void *elf)
{
    struct codeobj_elf_symbol s;
    struct codeobj_kernel k;
    for (int i = 0; i < 200; i++)
        if (codeobj_elf_symbol_by_name(elf, "scratch.kd", &s) || codeobj_kernel_at(elf, 4, &k, NULL) || k.entry_addr != 0x2900)
            return elf;
    return NULL;
}

/* Handles in a pool are as others, also behind one that could not be opened, and are freed in any order. */
static void test_pool(void **state)
{
    (void)state;
    static const char *const names[] = { "kernels-gfx900-v6.co", "kernels-gfx1100-v6.co" };
    struct codeobj_elf *plain[2], *pooled[2], *damaged = NULL;
    struct codeobj_pool *pool = NULL;
    assert_int_equal(codeobj_pool_new(&pool), CODEOBJ_OK);
    struct codeobj_elf_options o = { .size = sizeof o, .name = "pooled", .pool = pool };
    for (int i = 0; i < 2; i++) {
        size_t size;
        plain[i] = open_object(names[i]);
        const void *bytes = codeobj_elf_bytes(plain[i], &size);
        assert_int_equal(codeobj_elf_open_memory(bytes, size - 1, &o, &damaged, NULL), CODEOBJ_MALFORMED);
        assert_null(damaged);
        assert_int_equal(codeobj_elf_open_memory(bytes, size, &o, &pooled[i], NULL), CODEOBJ_OK);
    }
    for (int i = 0; i < 2; i++) {
        struct codeobj_elf_section a, b;
        struct codeobj_elf_symbol s, t;
        size_t n = codeobj_elf_section_count(plain[i]);
        assert_string_equal(codeobj_elf_name(pooled[i]), "pooled");
        assert_int_equal(codeobj_elf_section_count(pooled[i]), n);
        for (uint32_t k = 0; k < n; k++) {
            assert_int_equal(codeobj_elf_section(plain[i], k, &a), CODEOBJ_OK);
            assert_int_equal(codeobj_elf_section(pooled[i], k, &b), CODEOBJ_OK);
            assert_string_equal(a.name, b.name);
            assert_int_equal(a.offset, b.offset);
        }
        n = codeobj_elf_symbol_count(plain[i], CODEOBJ_SYMTAB);
        assert_int_equal(codeobj_elf_symbol_count(pooled[i], CODEOBJ_SYMTAB), n);
        for (uint32_t k = 0; k < n; k++) {
            assert_int_equal(codeobj_elf_symbol(plain[i], CODEOBJ_SYMTAB, k, &s), CODEOBJ_OK);
            assert_int_equal(codeobj_elf_symbol(pooled[i], CODEOBJ_SYMTAB, k, &t), CODEOBJ_OK);
            assert_string_equal(s.name, t.name);
            assert_int_equal(s.value, t.value);
        }
        assert_int_equal(codeobj_elf_symbol_by_name(pooled[i], "no such symbol", &s), CODEOBJ_NOT_FOUND);
        codeobj_elf_free(pooled[i]);
        codeobj_elf_free(plain[i]);
    }
    codeobj_pool_free(pool);
    codeobj_pool_free(NULL);
}

static void test_threads(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, look_up, elf), 0);
        for (int i = 0; i < 4; i++) {
            void *failed;
            pthread_join(threads[i], &failed);
            assert_null(failed);
        }
        codeobj_elf_free(elf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_symbols),       cmocka_unit_test(test_relocations),
        cmocka_unit_test(test_r600),          cmocka_unit_test(test_v2),
        cmocka_unit_test(test_old_targets),   cmocka_unit_test(test_core_file),
        cmocka_unit_test(test_compressed),    cmocka_unit_test(test_compression_bomb),
        cmocka_unit_test(test_damage_has_a_place), cmocka_unit_test(test_many_sections), cmocka_unit_test(test_unknown_section),
        cmocka_unit_test(test_without_sections), cmocka_unit_test(test_threads), cmocka_unit_test(test_pool),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * fuzz/exercise.h - everything that reads an object, on any bytes.
 *
 * Shared by the fuzz targets, the replay of their corpora and the tests of
 * damaged files.  Besides not crashing, answers have to keep their promises:
 * spans inside the file, strings terminated, indices in range.
 */
#ifndef TESTS_FUZZ_EXERCISE_H
#define TESTS_FUZZ_EXERCISE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/codeobj.h>

#define PROMISE(x) ((x) ? (void)0 : (fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #x), abort()))

/* Reads every byte so that a sanitizer sees them. */
static unsigned exercise_bytes(const void *data, size_t size)
{
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += ((const unsigned char *)data)[i];
    return sum;
}

static bool exercise_finding(void *user, const struct codeobj_metadata_finding *f)
{
    PROMISE(f->path && strlen(f->text) < sizeof f->text);
    return ++*(unsigned *)user < 100;
}

static void exercise_document(const struct codeobj_metadata *m)
{
    struct codeobj_diag diag;
    unsigned findings = 0;
    char *text;
    void *packed;
    size_t size;
    codeobj_metadata_validate(m, exercise_finding, &findings);
    if (!codeobj_metadata_to_yaml(m, &text, &size, &diag)) {
        PROMISE(text[size] == 0);
        free(text);
    }
    if (!codeobj_value_to_msgpack(codeobj_metadata_root(m), &packed, &size, &diag))
        free(packed);
    for (size_t k = 0; k < codeobj_metadata_kernel_count(m); k++) {
        struct codeobj_metadata_kernel kernel;
        struct codeobj_metadata_arg arg;
        size_t idx;
        PROMISE(!codeobj_metadata_kernel(m, k, &kernel));
        if (kernel.name)
            PROMISE(!codeobj_metadata_kernel_by_name(m, kernel.name, &idx));
        for (size_t a = 0; a < kernel.arg_count; a++) {
            PROMISE(!codeobj_metadata_arg(m, k, a, &arg));
            if (arg.value_kind)
                exercise_bytes(arg.value_kind, strlen(arg.value_kind));
        }
    }
}

static void exercise_sections(const struct codeobj_elf *elf)
{
    size_t file_size, size;
    const char *file = codeobj_elf_bytes(elf, &file_size);
    for (size_t i = 0; i < codeobj_elf_section_count(elf); i++) {
        struct codeobj_elf_section s;
        struct codeobj_elf_relocation r;
        PROMISE(!codeobj_elf_section(elf, i, &s));
        exercise_bytes(s.name, strlen(s.name));
        const char *data = codeobj_elf_section_data(elf, i, &size);
        PROMISE(!size || (data >= file && size <= file_size && (size_t)(data - file) <= file_size - size));
        for (size_t n = 0; n < codeobj_elf_relocation_count(elf, i); n++)
            PROMISE(!codeobj_elf_relocation(elf, i, n, &r));
        void *contents;
        if ((s.flags & 0x800) && !codeobj_elf_section_contents(elf, i, &contents, &size, NULL))
            free(contents);
    }
    for (size_t i = 0; i < codeobj_elf_segment_count(elf); i++) {
        struct codeobj_elf_segment s;
        PROMISE(!codeobj_elf_segment(elf, i, &s));
        const char *data = codeobj_elf_segment_data(elf, i, &size);
        PROMISE(!size || (data >= file && size <= file_size && (size_t)(data - file) <= file_size - size));
    }
}

static void exercise_symbols(const struct codeobj_elf *elf)
{
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; i < codeobj_elf_symbol_count(elf, t); i++) {
            struct codeobj_elf_symbol s, found;
            PROMISE(!codeobj_elf_symbol(elf, t, i, &s));
            size_t n = strlen(s.name);
            if (i && i < 200 && n && n < 300 && s.shndx && s.type != 3 && s.type != 4)
                PROMISE(!codeobj_elf_symbol_by_name(elf, s.name, &found) && !strcmp(found.name, s.name));
        }
    struct codeobj_kernel k;
    struct codeobj_kernel_field field;
    struct codeobj_kernel_reserved reserved;
    struct codeobj_target target;
    codeobj_elf_target(elf, &target);
    for (size_t i = 0; i < codeobj_kernel_count(elf) && i < 200; i++) {
        PROMISE(!codeobj_kernel_at(elf, i, &k, NULL));
        for (size_t n = 0; !codeobj_kernel_descriptor_field(&k.descriptor, target.processor, n, &field); n++)
            PROMISE(field.name);
        if (k.has_descriptor && !k.has_kernel_code)
            for (size_t n = 0; !codeobj_kernel_descriptor_reserved(k.descriptor_bytes, 64, target.processor, n, &reserved); n++)
                PROMISE(reserved.found & reserved.mask);
    }
}

static void exercise_notes(const struct codeobj_elf *elf)
{
    struct codeobj_metadata *m;
    for (size_t i = 0; i < codeobj_elf_note_count(elf); i++) {
        struct codeobj_elf_note n;
        PROMISE(!codeobj_elf_note(elf, i, &n));
        exercise_bytes(n.owner, n.owner_size);
        exercise_bytes(n.desc, n.desc_size);
        codeobj_elf_note_type_name(n.owner, n.owner_size, n.type);
    }
    for (size_t i = 0; i < codeobj_elf_dynamic_count(elf); i++) {
        struct codeobj_elf_dynamic d;
        PROMISE(!codeobj_elf_dynamic(elf, i, &d));
    }
    if (!codeobj_metadata_read(elf, &m, NULL)) {
        exercise_document(m);
        codeobj_metadata_free(m);
    }
}

static bool exercise_resolve(void *user, const char *name, uint64_t *addr)
{
    (void)user;
    *addr = strlen(name) * 4096;
    return true;
}

static void exercise_image(const struct codeobj_elf *elf, size_t file_size)
{
    struct codeobj_load_options options = { .size = sizeof options, .resolve = exercise_resolve };
    struct codeobj_image *image;
    uint64_t extent, align;
    if (codeobj_load_extent(elf, &extent, &align, NULL) || extent > 16 * file_size + (1 << 20))
        return; /* huge .bss is legal, and slow */
    options.base = align;
    if (!codeobj_image_load(elf, &options, &image, NULL)) {
        size_t size;
        const void *bytes = codeobj_image_bytes(image, &size);
        exercise_bytes(bytes, size);
        codeobj_image_free(image);
    }
}

/* What moves tables: sections, exported symbols, longer names, a kernel. */
static void exercise_edits(const struct codeobj_elf *elf, struct codeobj_builder *b)
{
    static const uint32_t endpgm[] = { 0xbf810000 };
    struct codeobj_kernel_descriptor d = { .granulated_workitem_vgpr_count = 1 };
    struct codeobj_builder_kernel k = { .size = sizeof k, .name = "added", .code = endpgm, .code_size = sizeof endpgm, .descriptor = &d };
    struct codeobj_elf_symbol s, symbol = { .name = "exported", .binding = 1, .value = 3 };
    uint32_t idx;
    for (uint32_t flags = 2; flags < 8; flags++) { /* SHF_ALLOC, with and without SHF_WRITE and SHF_EXECINSTR */
        struct codeobj_builder_section section = { .name = ".mine", .type = flags == 3 ? 8 : 1, .flags = flags & 2 ? flags : 0, .align = 64 };
        if (codeobj_builder_section_add(b, &section, &symbol.shndx, NULL))
            break;
        codeobj_builder_section_append(b, symbol.shndx, NULL, 100, 8, NULL, NULL);
    }
    codeobj_builder_symbol_add(b, &symbol, NULL, NULL);
    for (size_t i = 1; i < 8 && !codeobj_elf_symbol(elf, CODEOBJ_DYNSYM, i, &s); i++) {
        if (codeobj_builder_symbol_by_name(b, s.name, &idx, &s))
            continue;
        s.name = i & 1 ? "a_longer_name_than_that" : s.name;
        s.visibility = i & 2;
        codeobj_builder_symbol_set(b, idx, &s, NULL);
        if (i == 5)
            codeobj_builder_symbol_remove(b, idx, NULL);
    }
    codeobj_builder_kernel_add(b, &k, NULL);
}

static void exercise_builder(const struct codeobj_elf *elf)
{
    struct codeobj_builder *b;
    if (codeobj_builder_open(elf, &b, NULL))
        return;
    struct codeobj_elf_symbol symbol = { .name = "added", .shndx = CODEOBJ_SHN_ABS };
    void *out;
    size_t size, old_size;
    const void *old = codeobj_elf_bytes(elf, &old_size);
    /* Nothing changed: the same bytes. */
    if (!codeobj_builder_finish(b, &out, &size, NULL)) {
        PROMISE(size == old_size && !memcmp(out, old, size));
        free(out);
    }
    codeobj_builder_note_set(b, "AMDGPU", 32, "\x80", 1, NULL);
    if (!codeobj_builder_symbol_add(b, &symbol, NULL, NULL) && !codeobj_builder_finish(b, &out, &size, NULL))
        free(out);
    exercise_edits(elf, b);
    if (!codeobj_builder_finish(b, &out, &size, NULL))
        free(out);
    codeobj_builder_free(b);
}

static bool exercise_report(void *user, const struct codeobj_check_finding *f)
{
    PROMISE(f->code && f->code[0] && f->repair && f->where[0] && f->found[0]);
    return ++*(unsigned *)user < 1000;
}

static int exercise_object(const uint8_t *data, size_t size)
{
    for (int pass = 0; pass < 2; pass++) {
        struct codeobj_elf_options options = { .size = sizeof options, .flags = pass ? CODEOBJ_ELF_LENIENT | CODEOBJ_ELF_ANY_MACHINE : 0 };
        struct codeobj_elf *elf;
        struct codeobj_diag diag = { 0 };
        char text[1200];
        if (codeobj_elf_open_memory(data, size, &options, &elf, &diag)) {
            PROMISE(diag.status && diag.text[0]);
            PROMISE(codeobj_diag_format(&diag, text, sizeof text) < sizeof text);
            continue;
        }
        exercise_sections(elf);
        exercise_symbols(elf);
        exercise_notes(elf);
        exercise_image(elf, size);
        exercise_builder(elf);
        codeobj_elf_free(elf);
    }
    struct codeobj_check_options options = { .size = sizeof options };
    unsigned findings = 0;
    codeobj_check_memory(data, size, "fuzz", &options, exercise_report, &findings, NULL);
    return 0;
}

static int exercise_metadata(const uint8_t *data, size_t size)
{
    struct codeobj_metadata *m;
    for (int yaml = 0; yaml < 2; yaml++)
        if (!(yaml ? codeobj_metadata_parse_yaml((const char *)data, size, &m, NULL) : codeobj_metadata_parse_msgpack(data, size, &m, NULL))) {
            exercise_document(m);
            codeobj_metadata_free(m);
        }
    return 0;
}

#endif

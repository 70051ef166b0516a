/* SPDX-License-Identifier: MIT
 *
 * check/: objects that are right say nothing, and each defect says its code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "objects.h"

struct log {
    char text[12000];
};

/* Findings that a test has brought about. */
static bool seen[200];

static void remember(const char *code)
{
    const char *known;
    for (size_t i = 0; (known = codeobj_check_code(i, NULL, NULL)); i++)
        seen[i] |= !strcmp(known, code);
}

static bool note(void *user, const struct codeobj_check_finding *f)
{
    struct log *log = user;
    size_t n = strlen(log->text);
    remember(f->code);
    assert_true(f->repair && f->repair[0] && f->where[0] && f->found[0] && f->needed[0]);
    /* Findings of descriptors have their place as well; the tests here are about the words. */
    char place[32] = "";
    if (f->has_offset && !strcmp(f->where, "file"))
        snprintf(place, sizeof place, " at 0x%llx", (unsigned long long)f->offset);
    snprintf(log->text + n, sizeof log->text - n, "%s: %s%s: %s (%s)\n", f->code, f->where, place, f->found, f->needed);
    return true;
}

static void run(const void *data, size_t size, const char *device, struct log *log)
{
    struct codeobj_target t;
    struct codeobj_check_options options = { .size = sizeof options };
    log->text[0] = 0;
    if (device) {
        assert_int_equal(codeobj_target_parse(device, &t, NULL), CODEOBJ_OK);
        options.device = &t;
    }
    assert_int_equal(codeobj_check_memory(data, size, "x", &options, note, log, NULL), CODEOBJ_OK);
}

static void expect(const struct log *log, const char *line)
{
    if (!strstr(log->text, line))
        fail_msg("expected \"%s\" in:\n%s", line, log->text);
}

/* An object with bytes changed. */
static void run_patched(const char *object, size_t at, const void *bytes, size_t count, const char *device, struct log *log)
{
    struct codeobj_elf *elf = open_object(object);
    size_t size;
    const void *data = codeobj_elf_bytes(elf, &size);
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    memcpy(copy + at, bytes, count);
    run(copy, size, device, log);
    free(copy);
    codeobj_elf_free(elf);
}

static void test_good(void **state)
{
    (void)state;
    static const char *const good[] = { "kernels-gfx700-v6.co", "kernels-gfx803-v6.co", "kernels-gfx900-v6.co", "kernels-gfx906-v5.co",
                                        "kernels-gfx90a-v6.co", "kernels-gfx90a-modes-v4.co", "kernels-gfx1030-v6.co" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct log log;
        run_patched(good[i], 0, "\x7f", 1, NULL, &log);
        assert_string_equal(log.text, "");
    }
}

static void test_kind_of_file(void **state)
{
    (void)state;
    struct log log;
    run("#!/bin/sh\n", 10, NULL, &log);
    expect(&log, "not-a-code-object: file: not an ELF file: found 23 21 2f 62");
    run_patched("kernels-gfx900-v6.co", 18, "\x3e", 1, NULL, &log);
    expect(&log, "wrong-machine: ELF header: machine: found 62");
    run_patched("kernels-gfx900-v6.o", 0, "\x7f", 1, NULL, &log);
    assert_string_equal(log.text, "relocatable: ELF header: ET_REL (ET_DYN)\n");
    run_patched("kernels-gfx900-v6.co", 7, "\x41", 1, NULL, &log);
    expect(&log, "wrong-osabi: ELF header: amdpal (65) (amdhsa (64))");
    run_patched("kernels-gfx900-v6.co", 8, "\x09", 1, NULL, &log);
    expect(&log, "version-newer: ELF header: code object V11 (EI_ABIVERSION 9) (at most V6 (EI_ABIVERSION 4))");
    run_patched("r600-cedar.o", 0, "\x7f", 1, NULL, &log);
    expect(&log, "wrong-class: ELF header: ELFCLASS32");
    run_patched("kernels-gfx900-v6.co", 62, "\x08", 1, NULL, &log);
    expect(&log, "malformed: file at 0x3e: section name table: section 8 has type 0x1");
}

static void test_container(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co"), *other = open_object("kernels-gfx90a-modes-v4.co");
    struct codeobj_pack_entry entries[2] = { { .id = "hipv4-amdgcn-amd-amdhsa--gfx900" }, { .id = "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-" } };
    struct codeobj_pack_options options = { .size = sizeof options };
    struct log log;
    void *bundle;
    size_t size;
    entries[0].data = codeobj_elf_bytes(elf, &entries[0].size);
    entries[1].data = codeobj_elf_bytes(other, &entries[1].size);
    assert_int_equal(codeobj_pack(entries, 2, &options, &bundle, &size, NULL), CODEOBJ_OK);
    run(bundle, size, NULL, &log);
    expect(&log, "is-a-container: file: ");
    expect(&log, "with 2 code objects: gfx900, gfx90a:sramecc+:xnack-");
    assert_null(strstr(log.text, "entry-id"));
    memset((char *)bundle + 32, 0xff, 8); /* the first entry's offset */
    run(bundle, size, NULL, &log);
    expect(&log, "container-malformed: file at 0x20: bundle: entry 'hipv4-amdgcn-amd-amdhsa--gfx900'");
    free(bundle);
    codeobj_elf_free(elf);
    codeobj_elf_free(other);
}

/* An entry ID that is not what the object says: of a bundle, and of an object that was taken out of one. */
static void test_entry_id(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co"), *modes = open_object("kernels-gfx90a-modes-v4.co");
    struct codeobj_pack_entry entries[] = { { .id = "hipv4-amdgcn-amd-amdhsa--gfx906" }, { .id = "hip-amdgcn-amd-amdhsa--gfx900:xnack+" },
                                            { .id = "hipv4-amdgcn-amd-amdhsa--gfx90a" }, { .id = "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-" } };
    struct codeobj_pack_options options = { .size = sizeof options };
    struct codeobj_check_options check = { .size = sizeof check };
    struct log log;
    void *bundle;
    size_t size;
    entries[0].data = entries[1].data = codeobj_elf_bytes(elf, &entries[0].size);
    entries[1].size = entries[0].size;
    entries[2].data = entries[3].data = codeobj_elf_bytes(modes, &entries[2].size);
    entries[3].size = entries[2].size;
    assert_int_equal(codeobj_pack(entries, 4, &options, &bundle, &size, NULL), CODEOBJ_OK);
    run(bundle, size, NULL, &log);
    expect(&log, "entry-id-disagrees: x(hipv4-amdgcn-amd-amdhsa--gfx906): entry ID \"hipv4-amdgcn-amd-amdhsa--gfx906\" (gfx900, as e_flags say)");
    expect(&log, "entry-id-narrower: x(hip-amdgcn-amd-amdhsa--gfx900:xnack+): entry ID \"hip-amdgcn-amd-amdhsa--gfx900:xnack+\" (gfx900, as e_flags say)");
    expect(&log, "entry-id-disagrees: x(hipv4-amdgcn-amd-amdhsa--gfx90a): entry ID \"hipv4-amdgcn-amd-amdhsa--gfx90a\" (gfx90a:sramecc+:xnack-, as e_flags say)");
    assert_null(strstr(log.text, "entry ID \"hipv4-amdgcn-amd-amdhsa--gfx90a:"));
    for (size_t i = 0; i < 4; i++) {
        log.text[0] = 0;
        check.entry_id = entries[i].id;
        assert_int_equal(codeobj_check_elf(i < 2 ? elf : modes, &check, note, &log, NULL), CODEOBJ_OK);
        if (i == 3)
            assert_null(strstr(log.text, "entry-id"));
        else
            expect(&log, i == 1 ? "entry-id-narrower: ELF header: entry ID \"hip-" : "entry-id-disagrees: ELF header: entry ID \"hipv4-");
    }
    free(bundle);
    /* IDs that no device asks for: a processor that nobody knows, features the processor has not, a setting cut off. */
    static const char *const none[] = { "hip-amdgcn-amd-amdhsa--gfx9999", "hipv4-amdgcn-amd-amdhsa--gfx900:sramecc+", "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack" };
    for (size_t i = 0; i < 3; i++) {
        log.text[0] = 0;
        check.entry_id = none[i];
        assert_int_equal(codeobj_check_elf(i < 2 ? elf : modes, &check, note, &log, NULL), CODEOBJ_OK);
        expect(&log, "entry-id-disagrees: ELF header: entry ID \"hip");
    }
    static const char *const open[] = { "openmp-amdgcn-amd-amdhsa", "hip-spirv64-amd-amdhsa--amdgcnspirv", "device" };
    for (size_t i = 0; i < 3; i++) {
        log.text[0] = 0;
        check.entry_id = open[i];
        assert_int_equal(codeobj_check_elf(elf, &check, note, &log, NULL), CODEOBJ_OK);
        assert_string_equal(log.text, "");
    }
    struct codeobj_pack_entry unknown = { .id = none[0] };
    unknown.data = codeobj_elf_bytes(elf, &unknown.size);
    assert_int_equal(codeobj_pack(&unknown, 1, &options, &bundle, &size, NULL), CODEOBJ_OK);
    run(bundle, size, NULL, &log);
    expect(&log, "entry-id-disagrees: x(hip-amdgcn-amd-amdhsa--gfx9999): ");
    free(bundle);
    codeobj_elf_free(elf);
    codeobj_elf_free(modes);
}

static void test_target(void **state)
{
    (void)state;
    struct log log;
    run_patched("kernels-gfx900-v6.co", 0, "\x7f", 1, "gfx906", &log);
    assert_string_equal(log.text, "processor-mismatch: ELF header: gfx900 (gfx906)\n");
    run_patched("kernels-gfx90a-modes-v4.co", 0, "\x7f", 1, "gfx90a:sramecc-:xnack+", &log);
    expect(&log, "xnack-mismatch: ELF header: xnack off (xnack on, as the device has it)");
    expect(&log, "sramecc-mismatch: ELF header: sramecc on (sramecc off, as the device has it)");
    run_patched("kernels-gfx90a-modes-v4.co", 0, "\x7f", 1, "gfx90a:sramecc+:xnack-", &log);
    assert_string_equal(log.text, "");
    run_patched("kernels-gfx900-v6.co", 48, "\x50", 1, NULL, &log);
    expect(&log, "processor-unknown: ELF header: 0x50");
    run_patched("kernels-gfx900-v6.co", 48, "\x2d", 1, NULL, &log);
    expect(&log, "target-disagrees: amdhsa.target: gfx900 (gfx902)");
}

static void test_loading(void **state)
{
    (void)state;
    enum { PHDR = 64, ENTRY = 56, NOTE = 8, DYNAMIC = 5, DYN = 0x1a58, RELA = 0xf78 };
    struct log log;
    run_patched("kernels-gfx900-v6.co", PHDR + DYNAMIC * ENTRY, "\x00", 1, NULL, &log);
    expect(&log, "no-dynamic-segment: program headers: none (a PT_DYNAMIC segment)");
    run_patched("kernels-gfx900-v6.co", PHDR + NOTE * ENTRY, "\x00", 1, NULL, &log);
    expect(&log, "no-note-segment: program headers: none");
    run_patched("kernels-gfx900-v6.co", 56, "\x00", 1, NULL, &log); /* e_phnum */
    expect(&log, "no-load-segment: program headers: none");
    run_patched("kernels-gfx900-v6.co", RELA + 8, "\x63", 1, NULL, &log);
    expect(&log, "bad-dynamic-relocation: dynamic relocations: dynamic relocation of unknown type 99 at 0x4b10");
    run_patched("kernels-gfx900-v6.co", 0x238 + 8, "\x21", 1, NULL, &log); /* note type */
    expect(&log, "no-metadata: notes: none, with 5 kernels (an NT_AMDGPU_METADATA note)");
    run_patched("kernels-gfx900-v6.co", 0x238 + 20, "\xc1", 1, NULL, &log);
    expect(&log, "malformed-metadata: .note: MessagePack item with code 0xc1");
}

static void test_descriptor(void **state)
{
    (void)state;
    enum { VADD = 0xfc0, DYNSYM = 0xc10 };
    struct log log;
    run_patched("kernels-gfx900-v6.co", VADD + 8, "\x20", 1, NULL, &log);
    assert_string_equal(log.text, "kernarg-size-disagrees: kernel \"vadd\": kernarg_size 32 in the descriptor (28, as the metadata says)\n");
    run_patched("kernels-gfx900-v6.co", VADD + 13, "\x05", 1, NULL, &log);
    assert_string_equal(log.text, "reserved-bits: kernel \"vadd\": bytes 12-15: 0x5 of the bits 0xff at descriptor+13 (0)\n");
    run_patched("kernels-gfx900-v6.co", VADD + 49, "\x04", 1, NULL, &log);
    expect(&log, "loader-field-set: kernel \"vadd\": priority");
    run_patched("kernels-gfx900-v6.co", VADD + 16, "\x44", 1, NULL, &log);
    expect(&log, "entry-misaligned: kernel \"vadd\": entry at 0x2204 (a multiple of 256)");
    run_patched("kernels-gfx900-v6.co", VADD + 18, "\x40", 1, NULL, &log);
    expect(&log, "entry-outside-code: kernel \"vadd\": entry at 0x402200");
    run_patched("kernels-gfx900-v6.co", VADD + 52, "\x84", 1, NULL, &log); /* user_sgpr_count 2 */
    expect(&log, "user-sgpr-count: kernel \"vadd\": user_sgpr_count 2 (at least 6)");
    run_patched("kernels-gfx900-v6.co", VADD + 1, "\x00\x02", 2, NULL, &log); /* 128 KiB of LDS */
    expect(&log, "lds-too-big: kernel \"vadd\": 131072 bytes of LDS (at most 65536 bytes)");
    expect(&log, "lds-size-disagrees: kernel \"vadd\"");
    run_patched("kernels-gfx900-v6.co", VADD + 48, "\x40", 1, NULL, &log); /* 4 VGPRs */
    expect(&log, "vgpr-count-disagrees: kernel \"vadd\"");
    expect(&log, "code-uses-more-vgprs: kernel \"vadd\": v");
    expect(&log, "(at most 4 VGPRs)");
    run_patched("kernels-gfx900-v6.co", VADD + 4, "\x10", 1, NULL, &log);
    expect(&log, "scratch-not-enabled: kernel \"vadd\": private_segment_fixed_size 16");
    run_patched("kernels-gfx900-v6.co", VADD + 57, "\x08", 1, NULL, &log);
    expect(&log, "dynamic-stack-disagrees: kernel \"vadd\": uses_dynamic_stack 1");
    run_patched("kernels-gfx1030-v6.co", 0x1040 + 57, "\x00", 1, NULL, &log); /* wave64 */
    expect(&log, "wave-size-disagrees: kernel \"vadd\": wave size 64 in the descriptor (32, as the metadata says)");
    run_patched("kernels-gfx1030-v6.co", 0x1040 + 48, "\x80", 1, NULL, &log); /* what compilers before LLVM 15 wrote */
    assert_string_equal(log.text, "sgpr-count-ignored: kernel \"vadd\": granulated_wavefront_sgpr_count 2 (0)\n");
    /* vadd.kd taken out of .dynsym (its name now is vadd's). */
    run_patched("kernels-gfx900-v6.co", DYNSYM + 2 * 24, "\x01", 1, NULL, &log);
    expect(&log, "descriptor-not-exported: kernel \"vadd\": vadd.kd is global with protected visibility; the kernel's code is exported");
}

/* A kernel allocates for what it calls: through the GOT, by distance, as a tail call, linked or not, stripped or not. */
static void test_calls(void **state)
{
    (void)state;
    struct log log;
    static const struct { const char *file; size_t rsrc1; const char *line; } c[] = {
        { "calls-gfx900.co", 0x4c0 + 48, "code-uses-more-vgprs: kernel \"calls\": v70 at \"inner\"+0x" },
        { "calls-gfx900.o", 0x280 + 48, "code-uses-more-vgprs: kernel \"calls\": v70 at \"inner\"+0x" },
        { "calls-gfx1250.co", 0x4c0 + 48, "code-uses-more-vgprs: kernel \"calls\": v70 at \"inner\"+0x" },
        { "calls-gfx1250.o", 0x500 + 48, "code-uses-more-vgprs: kernel \"calls\": v70 at \"inner\"+0x" },
        { "calls-stripped-gfx900.co", 0x4c0 + 48, "code-uses-more-vgprs: kernel \"calls\": v70 at 0x15" },
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        run_patched(c[i].file, c[i].rsrc1, "\x81", 1, NULL, &log); /* 8 or 24 VGPRs, 24 SGPRs where they are counted */
        expect(&log, c[i].line);
        bool gfx9 = strstr(c[i].file, "gfx900");
        expect(&log, gfx9 ? "(at most 8 VGPRs)" : "(at most 32 VGPRs)");
    }
    run_patched("calls-gfx900.co", 0x4c0 + 48, "\x40\x00", 2, NULL, &log); /* 16 SGPRs */
    expect(&log, "code-uses-more-sgprs: kernel \"calls\": s");
    run_patched("calls-stripped-gfx900.co", 0, "\x7f", 1, NULL, &log);
    assert_string_equal(log.text, "");
    run_patched("calls-gfx1250.co", 0, "\x7f", 1, NULL, &log);
    assert_string_equal(log.text, "");
}

/* Where a call leads of which nothing is known is said, where it is known followed. */
static void test_pointers(void **state)
{
    (void)state;
    static const uint32_t called[] = { 0xbe9e1e06, 0xbf810000 },  /* s_swappc_b64 s[30:31], s[6:7]; s_endpgm */
        jumped[] = { 0xbe801d06, 0xbf810000 },                     /* s_setpc_b64 s[6:7] */
        twice[] = { 0xbe861c00, 0x8006ff06, 24, 0x82078007,        /* s_getpc_b64 s[6:7]; s_add_u32 s6, s6, 24; s_addc_u32 s7, s7, 0 */
                    0xbe9e1e06, 0xbe9e1e06, 0xbf810000,            /* the call, the same again; s_endpgm */
                    0x7e8c0280, 0xbe801d1e };                      /* v_mov_b32_e32 v70, 0; s_setpc_b64 s[30:31], which returns */
    static const struct { const uint32_t *words; size_t size; const char *said; } c[] = {
        { called, sizeof called, "code-calls-pointer: kernel \"k\": 1 call or jump through a pointer of which nothing is known, the first at entry+0x0" },
        { jumped, sizeof jumped, "code-calls-pointer: kernel \"k\": 1 call or jump through a pointer of which nothing is known, the first at entry+0x0" },
        { twice, sizeof twice, "code-uses-more-vgprs: kernel \"k\": v70 at entry+0x1c" },
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        struct codeobj_builder_options options = { .size = sizeof options, .type = 3, .osabi = 64, .code_object_version = 5 };
        struct codeobj_kernel_descriptor d = { .granulated_workitem_vgpr_count = 1, .granulated_wavefront_sgpr_count = 4 };
        struct codeobj_builder_kernel k = { .size = sizeof k, .name = "k", .code = c[i].words, .code_size = c[i].size, .descriptor = &d };
        struct codeobj_builder *b;
        struct log log;
        void *out;
        size_t size;
        codeobj_target_parse("gfx900", &options.target, NULL);
        assert_int_equal(codeobj_builder_new(&options, &b, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_kernel_add(b, &k, NULL), CODEOBJ_OK);
        assert_int_equal(codeobj_builder_finish(b, &out, &size, NULL), CODEOBJ_OK);
        run(out, size, NULL, &log);
        expect(&log, c[i].said);
        if (c[i].words == twice)
            assert_null(strstr(log.text, "code-calls-pointer"));
        free(out);
        codeobj_builder_free(b);
    }
    /* A function of another object is called by its name, whose address comes through the GOT. */
    static const char *const others[] = { "../demo/gfx900/kernels.o", "../demo/gfx1100/kernels.o" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct log log;
        run_patched(others[i], 0, "\x7f", 1, NULL, &log);
        assert_null(strstr(log.text, "code-calls-pointer"));
    }
}

/* Metadata replaced through the builder. */
static void run_metadata(const char *kernels, struct log *log)
{
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_builder *b;
    char text[3000];
    void *out;
    size_t size;
    assert_int_equal(codeobj_builder_open(elf, &b, NULL), CODEOBJ_OK);
    int n = snprintf(text, sizeof text, "amdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--gfx900\namdhsa.kernels:\n%s", kernels);
    assert_int_equal(codeobj_builder_metadata_yaml(b, text, (size_t)n, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_finish(b, &out, &size, NULL), CODEOBJ_OK);
    run(out, size, NULL, log);
    free(out);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
}

#define COMMON ".private_segment_fixed_size: 0, .kernarg_segment_align: 8, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 1, .group_segment_fixed_size: 0, "

static void test_metadata(void **state)
{
    (void)state;
    struct log log;
    run_metadata("  - {.name: vadd, .symbol: vadd.kd, .kernarg_segment_size: 28, .max_flat_workgroup_size: 2048, .reqd_workgroup_size: [64, 64, 1], " COMMON
                 ".args: [{.offset: 0, .size: 8, .value_kind: global_buffer}, {.offset: 4, .size: 8, .value_kind: global_buffer},"
                 " {.offset: 24, .size: 8, .value_kind: by_value}]}\n"
                 "  - {.name: gone, .symbol: gone.kd, .kernarg_segment_size: 0, .max_flat_workgroup_size: 64, " COMMON ".args: []}\n", &log);
    expect(&log, "workgroup-size: kernel \"vadd\": max_flat_workgroup_size 2048 (at most 1024)");
    expect(&log, "workgroup-size: kernel \"vadd\": reqd_workgroup_size 64 x 64 x 1, at most 2048");
    expect(&log, "argument-overlap: kernel \"vadd\", argument 1: offset 4 lies in argument 0, which takes 8 bytes at 0");
    expect(&log, "argument-misaligned: kernel \"vadd\", argument 1");
    expect(&log, "argument-outside-kernarg: kernel \"vadd\", argument 2: 8 bytes at offset 24 in a kernarg segment of 28");
    expect(&log, "descriptor-missing: kernel \"gone\": no such symbol (gone.kd)");
    expect(&log, "kernel-without-metadata: kernel \"reduce\": none (an entry in amdhsa.kernels with .symbol \"reduce.kd\")");
    run_metadata("  - {.name: vadd, .symbol: vadd.kd, .kernarg_segment_size: 284, .max_flat_workgroup_size: 64, " COMMON
                 ".args: [{.offset: 0, .size: 28, .value_kind: by_value}, {.offset: 32, .size: 4, .value_kind: hidden_block_count_x},"
                 " {.offset: 44, .size: 4, .value_kind: hidden_group_size_x}, {.offset: 100, .size: 2, .value_kind: hidden_grid_dims},"
                 " {.offset: 200, .size: 4, .value_kind: hidden_strange}]}\n"
                 "  - {.name: vadd, .symbol: vadd.kd, .max_flat_workgroup_size: 64, " COMMON ".args: []}\n", &log);
    expect(&log, "hidden-argument-size: kernel \"vadd\", argument 2: hidden_group_size_x of 4 bytes (2 bytes)");
    expect(&log, "hidden-argument-place: kernel \"vadd\", argument 3: hidden_grid_dims at offset 100 (offset 96)");
    expect(&log, "metadata-value: amdhsa.kernels[0].args[4].value_kind: unknown value \"hidden_strange\"");
    expect(&log, "metadata-key-missing: amdhsa.kernels[1].kernarg_segment_size: missing key");
    expect(&log, "duplicate-kernel: kernel \"vadd\": several");
    assert_null(strstr(log.text, "argument 1:")); /* offset 32 is the block's start, rounded up from 28 */
}

/* A linked object with an undefined symbol says who uses it. */
static void test_undefined(void **state)
{
    (void)state;
    struct codeobj_builder_options options = { .size = sizeof options, .type = 3, .osabi = 64, .code_object_version = 5 };
    struct codeobj_builder_section data = { .name = ".data", .type = 1, .flags = 3, .align = 8 };
    struct codeobj_builder *b;
    struct log log;
    uint32_t idx, external;
    void *out;
    size_t size;
    codeobj_target_parse("gfx900", &options.target, NULL);
    codeobj_builder_new(&options, &b, NULL);
    codeobj_builder_section_add(b, &data, &idx, NULL);
    codeobj_builder_section_append(b, idx, NULL, 16, 8, NULL, NULL);
    struct codeobj_elf_symbol s = { .name = "external", .binding = 1 }, own = { .name = "table", .binding = 1, .type = 1, .shndx = idx, .size = 16 };
    codeobj_builder_symbol_add(b, &s, &external, NULL);
    codeobj_builder_symbol_add(b, &own, NULL, NULL);
    struct codeobj_elf_relocation r = { 8, 3, external, 0 };
    codeobj_builder_relocation_add(b, idx, &r, NULL);
    s.name = "unused"; /* harmless: compilers leave such for LDS variables */
    codeobj_builder_symbol_add(b, &s, NULL, NULL);
    assert_int_equal(codeobj_builder_finish(b, &out, &size, NULL), CODEOBJ_OK);
    run(out, size, NULL, &log);
    expect(&log, "undefined-symbol: symbol \"external\": undefined, used by \"table\"+0x8 (a definition)");
    /* Where no symbol is, the section is named. */
    struct codeobj_builder *b2;
    struct codeobj_elf *elf;
    void *out2;
    assert_int_equal(codeobj_elf_open_memory(out, size, NULL, &elf, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_open(elf, &b2, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_symbol_by_name(b2, "table", &idx, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_symbol_remove(b2, idx, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_finish(b2, &out2, &size, NULL), CODEOBJ_OK);
    run(out2, size, NULL, &log);
    expect(&log, "undefined-symbol: symbol \"external\": undefined, used by .data+0x8 (a definition)");
    free(out2);
    codeobj_builder_free(b2);
    codeobj_elf_free(elf);
    expect(&log, "no-kernels: symbols");
    assert_null(strstr(log.text, "undefined-symbol: symbol \"unused\""));
    free(out);
    codeobj_builder_free(b);
}

/* A symbol that code reaches through the GOT is used by that code. */
static void test_undefined_got(void **state)
{
    (void)state;
    static const uint32_t code[] = { 0xbf800000, 0xbe841c00, 0x8004ff04, 0, 0x8205ff05, 0, /* s_nop; s_getpc_b64 s[4:5]; s_add_u32; s_addc_u32 */
                                     0xc0060102, 0, 0xbf8cc07f, 0xbe9e1e04, 0xbf810000 };  /* s_load_dwordx2 s[4:5], s[4:5], 0; the call */
    struct codeobj_builder_options options = { .size = sizeof options, .type = 3, .osabi = 64, .code_object_version = 5 };
    struct codeobj_kernel_descriptor d = { .granulated_workitem_vgpr_count = 1, .granulated_wavefront_sgpr_count = 4 };
    struct codeobj_builder_kernel k = { .size = sizeof k, .name = "caller", .code = code, .code_size = sizeof code, .descriptor = &d };
    struct codeobj_elf_symbol external = { .name = "external", .binding = 1 };
    struct codeobj_check_options without = { .size = sizeof without, .skip_code = true };
    struct codeobj_builder *b;
    struct log log;
    uint32_t symbol, text;
    void *out;
    size_t size;
    codeobj_target_parse("gfx900", &options.target, NULL);
    assert_int_equal(codeobj_builder_new(&options, &b, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_kernel_add(b, &k, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_symbol_add(b, &external, &symbol, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_by_name(b, ".text", &text), CODEOBJ_OK);
    struct codeobj_elf_relocation low = { 12, 8, symbol, 4 }, high = { 20, 9, symbol, 12 }; /* R_AMDGPU_GOTPCREL32_LO, _HI */
    assert_int_equal(codeobj_builder_relocation_add(b, text, &low, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_relocation_add(b, text, &high, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_finish(b, &out, &size, NULL), CODEOBJ_OK);
    run(out, size, NULL, &log);
    expect(&log, "undefined-symbol: symbol \"external\": undefined, used by \"caller\"+0x18 (a definition)"); /* the load */
    log.text[0] = 0;
    assert_int_equal(codeobj_check_memory(out, size, "x", &without, note, &log, NULL), CODEOBJ_OK);
    expect(&log, "undefined-symbol: symbol \"external\": undefined, used by .got+0x0 (a definition)");
    free(out);
    codeobj_builder_free(b);
}

/* A symbol with another value and size, in .symtab and .dynsym. */
static void run_symbol(const char *name, uint64_t value, uint64_t size, struct log *log)
{
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_elf_symbol s;
    struct codeobj_builder *b;
    uint32_t idx;
    void *out;
    size_t out_size;
    assert_int_equal(codeobj_builder_open(elf, &b, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_symbol_by_name(b, name, &idx, &s), CODEOBJ_OK);
    s.value = value;
    s.size = size;
    assert_int_equal(codeobj_builder_symbol_set(b, idx, &s, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_finish(b, &out, &out_size, NULL), CODEOBJ_OK);
    run(out, out_size, NULL, log);
    free(out);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
}

static void test_symbols(void **state)
{
    (void)state;
    struct log log;
    run_symbol("vadd.kd", 0x100000, 64, &log);
    expect(&log, "descriptor-unreadable: kernel \"vadd\": symbol at 0x100000 (64 bytes in a loaded segment)");
    run_symbol("vadd.kd", 0xfc8, 64, &log);
    expect(&log, "descriptor-misaligned: kernel \"vadd\": descriptor at 0xfc8 (a multiple of 64)");
    run_symbol("vadd.kd", 0xfc0, 32, &log);
    assert_string_equal(log.text, "descriptor-size: kernel \"vadd\": 32 bytes (64 bytes)\n");
}

/* What is wrong with the file as a whole, one field changed for each. */
static void test_file(void **state)
{
    (void)state;
    enum { PHDR = 64, ENTRY = 56, DYN = 0x1a58, TEXT = 0x1200, DYNSYM_TYPE = 4 };
    struct log log;
    run_patched("kernels-gfx900-v6.co", 16, "\x04", 1, NULL, &log);
    expect(&log, "wrong-type: ELF header: ET_CORE (4) (ET_DYN)");
    run_patched("kernel-v2.o", 0, "\x7f", 1, NULL, &log);
    expect(&log, "version-old: ELF header: code object V2 (V3 or above)");
    run_patched("kernels-gfx11-generic-v6.co", 51, "\x00", 1, "gfx1100", &log);
    expect(&log, "generic-version-old: ELF header: gfx11-generic, version 0 (generic version 1, which brought gfx1100)");
    run_patched("kernels-gfx11-generic-v6.co", 0, "\x7f", 1, "gfx1100", &log);
    assert_string_equal(log.text, "");
    run_patched("kernels-gfx900-v6.co", PHDR + 2 * ENTRY + 16, "\x00\x02\x00", 3, NULL, &log); /* the second PT_LOAD into the first */
    expect(&log, "bad-load-segments: program headers: ");
    run_patched("kernels-gfx900-v6.co", TEXT + 8, "\xff\xff\xff\xff", 4, NULL, &log);
    expect(&log, "code-undecodable: kernel \"vadd\": 1 word is no instruction of gfx900, the first at entry+0x8");
    run_patched("kernels-gfx1100-v6.co", 0x1040 + 56, "\x09", 1, NULL, &log);
    expect(&log, "scratch-sgprs-enabled: kernel \"");
    run_patched("kernels-gfx90a-v6.co", 0x1040 + 58, "\x10\x00", 2, NULL, &log);
    expect(&log, "preload-past-kernarg: kernel \"");
}

/* The symbols are there, and hosts do not find them. */
static void test_not_found(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_elf_section dynsym, hash, gnu;
    struct codeobj_elf_symbol kd;
    struct log log;
    assert_int_equal(codeobj_elf_dynamic_symbol_by_name(elf, "vadd.kd", &kd), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_section_by_name(elf, ".dynsym", &dynsym), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_section_by_name(elf, ".hash", &hash), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_section_by_name(elf, ".gnu.hash", &gnu), CODEOBJ_OK);
    size_t entry = dynsym.offset + kd.idx * 24;
    run_patched("kernels-gfx900-v6.co", entry + 4, "\x01", 1, NULL, &log); /* STB_LOCAL */
    expect(&log, "descriptor-not-exported: kernel \"vadd\": vadd.kd is local with protected visibility in the dynamic symbol table;");
    run_patched("kernels-gfx900-v6.co", entry + 5, "\x02", 1, NULL, &log); /* STV_HIDDEN */
    expect(&log, "descriptor-not-exported: kernel \"vadd\": vadd.kd is global with hidden visibility in the dynamic symbol table;");
    run_patched("kernels-gfx900-v6.co", hash.offset, "\x00\x00\x00\x00", 4, NULL, &log); /* no bucket */
    expect(&log, "hash-table-misses: symbol \"vadd.kd\": DT_HASH does not lead to it (each exported symbol in its bucket)");
    uint8_t ones[64];
    memset(ones, 0xff, sizeof ones);
    run_patched("kernels-gfx900-v6.co", hash.offset + 8, ones, sizeof ones, NULL, &log); /* buckets that lead nowhere */
    expect(&log, "hash-table-misses: symbol \"");
    assert_null(strstr(log.text, "GNU"));
    run_patched("kernels-gfx900-v6.co", gnu.offset + 16, "\0\0\0\0\0\0\0\0", 8, NULL, &log); /* an empty word of the Bloom filter */
    expect(&log, "hash-table-misses: symbol \"vadd\": DT_GNU_HASH does not lead to it");
    run_patched("kernels-gfx900-v6.co", gnu.offset, "\xff\xff\xff\xff", 4, NULL, &log); /* buckets past the end */
    expect(&log, "hash-table-misses: symbol \"vadd.kd\": DT_GNU_HASH does not lead to it");
    codeobj_elf_free(elf);
}

/* Tables that the dynamic section misplaces. */
static void test_bad_dynamic(void **state)
{
    (void)state;
    static const struct { int64_t tag; const char *expected; } c[] = {
        { 5, "bad-dynamic-section: PT_DYNAMIC: DT_STRTAB 0x7000000, " },
        { 6, "bad-dynamic-section: PT_DYNAMIC: DT_SYMTAB 0x7000000, 384 bytes (addresses of tables in loaded segments)" },
        { 4, "bad-dynamic-section: PT_DYNAMIC: DT_HASH 0x7000000 " },
        { 0x6ffffef5, "bad-dynamic-section: PT_DYNAMIC: DT_GNU_HASH 0x7000000 " },
    };
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_elf_section dynamic, dynsym;
    struct codeobj_elf_dynamic d;
    struct log log;
    assert_int_equal(codeobj_elf_section_by_name(elf, ".dynamic", &dynamic), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_section_by_name(elf, ".dynsym", &dynsym), CODEOBJ_OK);
    for (size_t n = 0; n < sizeof c / sizeof *c; n++)
        for (size_t i = 0; !codeobj_elf_dynamic(elf, i, &d); i++)
            if (d.tag == c[n].tag) {
                run_patched("kernels-gfx900-v6.co", dynamic.offset + i * 16 + 8, "\0\0\0\x07", 4, NULL, &log);
                expect(&log, c[n].expected);
                run_patched("kernels-gfx900-v6.co", dynamic.offset + i * 16, "\x01\0\0\x60", 4, NULL, &log); /* a tag that means nothing */
                if (d.tag == 5 || d.tag == 6)
                    expect(&log, d.tag == 5 ? "bad-dynamic-section: PT_DYNAMIC: no DT_STRTAB (DT_STRTAB)" : "bad-dynamic-section: PT_DYNAMIC: no DT_SYMTAB (DT_SYMTAB)");
                else
                    assert_string_equal(log.text, ""); /* one of the two is enough */
                if (d.tag == 6) { /* inside a segment, and not where .dynsym is */
                    run_patched("kernels-gfx900-v6.co", dynamic.offset + i * 16 + 8, "\x00\x02", 2, NULL, &log);
                    expect(&log, "bad-dynamic-section: PT_DYNAMIC: DT_SYMTAB 0x200 (0x");
                }
            }
    codeobj_elf_free(elf);
    /* PT_NOTE that leads elsewhere: the ninth program header's p_offset. */
    elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_elf_segment s;
    for (size_t i = 0; !codeobj_elf_segment(elf, i, &s); i++)
        if (s.type == 4) {
            run_patched("kernels-gfx900-v6.co", 64 + i * 56 + 8, "\0\x10\0\0", 4, NULL, &log);
            expect(&log, "no-note-segment: program headers: PT_NOTE without the metadata (a PT_NOTE segment with the metadata in it)");
        }
    codeobj_elf_free(elf);
}

/* Tags of the dynamic section made into ones that mean nothing, or into another. */
static void run_tag(int64_t from, int64_t to, bool hide_dynsym, const char *expected)
{
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_elf_section dynamic, dynsym;
    struct codeobj_elf_header h;
    struct codeobj_elf_dynamic d;
    struct log log;
    size_t size;
    const void *data = codeobj_elf_bytes(elf, &size);
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    codeobj_elf_header(elf, &h);
    assert_int_equal(codeobj_elf_section_by_name(elf, ".dynamic", &dynamic), CODEOBJ_OK);
    assert_int_equal(codeobj_elf_section_by_name(elf, ".dynsym", &dynsym), CODEOBJ_OK);
    for (size_t i = 0; !codeobj_elf_dynamic(elf, i, &d); i++)
        if (d.tag == from || (from == 4 && d.tag == 0x6ffffef5)) /* DT_HASH with DT_GNU_HASH */
            memcpy(copy + dynamic.offset + i * 16, &to, 8);
    if (hide_dynsym)
        copy[h.shoff + dynsym.idx * 64 + 4] = 1; /* SHT_PROGBITS */
    run(copy, size, NULL, &log);
    expect(&log, expected);
    free(copy);
    codeobj_elf_free(elf);
}

static void test_dynamic(void **state)
{
    (void)state;
    run_tag(4, 0x60000001, false, "no-hash-table: PT_DYNAMIC: neither (DT_HASH or DT_GNU_HASH)");
    run_tag(6, 0x60000001, true, "no-dynamic-symbols: PT_DYNAMIC: none (a dynamic symbol table)");
    run_tag(0x6ffffff9, 22, false, "text-relocation: PT_DYNAMIC: relocations change read-only segments (no DT_TEXTREL)");
    run_tag(0x6ffffff9, 1, false, "needed-library: PT_DYNAMIC: vadd (no DT_NEEDED)"); /* DT_RELACOUNT was 1 */
    run_tag(0x6ffffff9, 36, false, "packed-relocations: PT_DYNAMIC: DT_RELR (DT_RELA)");
    run_tag(7, 1, false, "bad-dynamic-section: PT_DYNAMIC: DT_NEEDED 0xf78 (a place in DT_STRTAB)");
}

static void test_more_metadata(void **state)
{
    (void)state;
    struct log log;
    run_metadata("  - {.name: vadd, .symbol: scratch.kd, .kernarg_segment_size: 28, .max_flat_workgroup_size: 64, .strange: 1, .vgpr_spill_count: many, " COMMON
                 ".args: [{.offset: 0, .size: 8, .value_kind: hidden_global_offset_x}, {.offset: 8, .size: 8, .value_kind: by_value}]}\n"
                 "  - {.name: empty, .symbol: empty.kd, .kernarg_segment_size: 0, .max_flat_workgroup_size: 64, .private_segment_fixed_size: 0,"
                 " .kernarg_segment_align: 8, .wavefront_size: 64, .sgpr_count: 200, .vgpr_count: 1, .group_segment_fixed_size: 0, .args: [],"
                 " .max_num_workgroups_x: 3, .max_num_work_groups_y: 4, .cluster_dims: [2, 1, 1]}\n", &log);
    assert_null(strstr(log.text, "max_num_work")); /* both spellings are in use */
    assert_null(strstr(log.text, "cluster_dims"));
    expect(&log, "kernel-name-disagrees: kernel \"vadd\": .symbol \"scratch.kd\" (vadd)");
    expect(&log, "metadata-key-unknown: amdhsa.kernels[0].strange: ");
    expect(&log, "metadata-key-mistyped: amdhsa.kernels[0].vgpr_spill_count: ");
    expect(&log, "hidden-argument-order: kernel \"vadd\", argument 1: it follows a hidden argument (explicit arguments before hidden ones)");
    expect(&log, "sgpr-count-disagrees: kernel \"empty\": 200 SGPRs in the metadata, ");
    run_metadata("  - {.name: vadd, .symbol: vadd.kd, .kernarg_segment_size: 28, .max_flat_workgroup_size: 0, .private_segment_fixed_size: 0,"
                 " .kernarg_segment_align: 3, .wavefront_size: 48, .sgpr_count: 8, .vgpr_count: 1, .group_segment_fixed_size: 0, .reqd_workgroup_size: [8, 0, 1], .args: []}\n", &log);
    expect(&log, "metadata-value: amdhsa.kernels[0].max_flat_workgroup_size: 0 (1 to 1024)");
    expect(&log, "metadata-value: amdhsa.kernels[0].kernarg_segment_align: 3 (a power of two)");
    expect(&log, "metadata-value: amdhsa.kernels[0].wavefront_size: 48 (32 or 64)");
    expect(&log, "metadata-value: amdhsa.kernels[0].reqd_workgroup_size[1]: 0 (at least 1)");
    assert_null(strstr(log.text, "metadata-version"));
    run_patched("kernels-gfx900-v6.co", 8, "\x02", 1, NULL, &log); /* V4, whose metadata says 1.1 */
    expect(&log, "metadata-version: amdhsa.version: 1.2 (1.1, as V4 has it)");
}

/* An argument that reaches out of the segment is looked at all the same, and one may lie in another that began long before. */
static void test_arguments(void **state)
{
    (void)state;
    struct log log;
    run_metadata("  - {.name: vadd, .symbol: vadd.kd, .kernarg_segment_size: 28, .max_flat_workgroup_size: 64, " COMMON
                 ".args: [{.offset: 24, .size: 8, .value_kind: by_value}, {.offset: 0, .size: 28, .value_kind: by_value},"
                 " {.offset: 4, .size: 4, .value_kind: by_value}, {.offset: 12, .size: 4, .value_kind: by_value},"
                 " {.offset: 32, .size: 8, .value_kind: hidden_block_count_x}, {.offset: 0xffffffff00000000, .size: 0xffffffff00000000, .value_kind: by_value}]}\n", &log);
    expect(&log, "argument-outside-kernarg: kernel \"vadd\", argument 0: 8 bytes at offset 24 in a kernarg segment of 28");
    expect(&log, "argument-outside-kernarg: kernel \"vadd\", argument 5: ");
    expect(&log, "argument-overlap: kernel \"vadd\", argument 0: offset 24 lies in argument 1, which takes 28 bytes at 0");
    expect(&log, "argument-overlap: kernel \"vadd\", argument 2: offset 4 lies in argument 1, ");
    expect(&log, "argument-overlap: kernel \"vadd\", argument 3: offset 12 lies in argument 1, ");
    expect(&log, "hidden-argument-size: kernel \"vadd\", argument 4: hidden_block_count_x of 8 bytes (4 bytes)");
}

/* Up to V4 hidden arguments have 8 bytes each, in the guide's order; what V5 added is not there. */
static void test_old_hidden_arguments(void **state)
{
    (void)state;
    static const char text[] = "amdhsa.version: [1, 1]\namdhsa.target: amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-\namdhsa.kernels:\n"
        "  - {.name: vadd, .symbol: vadd.kd, .kernarg_segment_size: 84, .max_flat_workgroup_size: 64, " COMMON
        ".args: [{.offset: 0, .size: 28, .value_kind: by_value}, {.offset: 32, .size: 8, .value_kind: hidden_global_offset_x},"
        " {.offset: 48, .size: 8, .value_kind: hidden_global_offset_y}, {.offset: 56, .size: 4, .value_kind: hidden_hostcall_buffer},"
        " {.offset: 64, .size: 8, .value_kind: hidden_default_queue}, {.offset: 72, .size: 8, .value_kind: hidden_block_count_x},"
        " {.offset: 80, .size: 8, .value_kind: hidden_multigrid_sync_arg}]}\n";
    struct codeobj_elf *elf = open_object("kernels-gfx90a-modes-v4.co");
    struct codeobj_builder *b = edit_object(elf);
    struct log log;
    void *out;
    size_t size;
    assert_int_equal(codeobj_builder_metadata_yaml(b, text, sizeof text - 1, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_finish(b, &out, &size, NULL), CODEOBJ_OK);
    run(out, size, NULL, &log);
    assert_null(strstr(log.text, "argument 1:"));
    expect(&log, "hidden-argument-place: kernel \"vadd\", argument 2: hidden_global_offset_y at offset 48 (offset 40)");
    expect(&log, "hidden-argument-size: kernel \"vadd\", argument 3: hidden_hostcall_buffer of 4 bytes (8 bytes)");
    assert_null(strstr(log.text, "hidden-argument-place: kernel \"vadd\", argument 3:"));
    assert_null(strstr(log.text, "argument 4:"));
    expect(&log, "hidden-argument-place: kernel \"vadd\", argument 5: hidden_block_count_x, which V4 does not have (code object V5 or above)");
    assert_null(strstr(log.text, "hidden-argument-place: kernel \"vadd\", argument 6:"));
    expect(&log, "argument-outside-kernarg: kernel \"vadd\", argument 6: ");
    free(out);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
}

/* Names of C++ kernels reach ten thousand characters: nothing of them may be cut off. */
static void test_long_names(void **state)
{
    (void)state;
    enum { LENGTH = 10000 };
    static const uint32_t code[] = { 0x7e1202ff, 0x41100000, 0xbf810000 }; /* v_mov_b32 v9, 9.0; s_endpgm */
    static const struct codeobj_kernel_descriptor descriptor = { .float_denorm_mode_16_64 = 3, .enable_dx10_clamp = 1, .enable_ieee_mode = 1,
                                                                 .granulated_workitem_vgpr_count = 0 };
    char *name = malloc(LENGTH + 1);
    memset(name, 'n', LENGTH);
    name[LENGTH] = 0;
    for (uint16_t type = 1; type <= 3; type += 2) {
        struct codeobj_builder_options options = { .size = sizeof options, .type = type, .osabi = 64, .code_object_version = 5 };
        struct codeobj_builder_kernel kernel = { .size = sizeof kernel, .name = name, .code = code, .code_size = sizeof code, .descriptor = &descriptor };
        struct codeobj_builder *b;
        struct codeobj_elf *elf;
        struct codeobj_kernel k;
        struct log log;
        void *bytes;
        codeobj_target_parse("gfx900", &options.target, NULL);
        assert_int_equal(codeobj_builder_new(&options, &b, NULL), CODEOBJ_OK);
        for (int i = 0; i < 20; i++) { /* more than are looked for one by one, apart in their last letter */
            name[LENGTH - 1] = (char)('a' + i);
            assert_int_equal(codeobj_builder_kernel_add(b, &kernel, NULL), CODEOBJ_OK);
        }
        elf = finish_object(b, &bytes);
        for (int i = 0; i < 20; i++) {
            name[LENGTH - 1] = (char)('a' + i);
            assert_int_equal(codeobj_kernel_by_name(elf, name, &k, NULL), CODEOBJ_OK);
            assert_int_equal(k.code_size, sizeof code);
            assert_int_equal(k.name_size, LENGTH);
            assert_memory_equal(k.name, name, LENGTH);
        }
        size_t size;
        const void *data = codeobj_elf_bytes(elf, &size);
        run(data, size, NULL, &log);
        assert_null(strstr(log.text, "descriptor-missing"));
        assert_null(strstr(log.text, "descriptor-not-exported"));
        expect(&log, "code-uses-more-vgprs: kernel \"nnnn"); /* v9, with 4 allocated: the code is found in a relocatable object too */
        codeobj_elf_free(elf);
        free(bytes);
        codeobj_builder_free(b);
    }
    free(name);
}

/* A second note, as linkers leave one for each input. */
static void test_two_notes(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_builder_section section = { .name = ".note.more", .type = 7, .flags = 2, .align = 4 };
    static const uint8_t more[] = "\x07\0\0\0\x11\0\0\0\x20\0\0\0AMDGPU\0\0\x81\xae" "amdhsa.kernels" "\x90\0\0";
    struct codeobj_builder *b;
    struct log log;
    uint32_t idx;
    void *out;
    size_t size;
    assert_int_equal(codeobj_builder_open(elf, &b, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_add(b, &section, &idx, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_section_append(b, idx, more, sizeof more, 4, NULL, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_finish(b, &out, &size, NULL), CODEOBJ_OK);
    run(out, size, NULL, &log);
    assert_string_equal(log.text, "several-metadata-notes: notes: 2 (one NT_AMDGPU_METADATA note)\n");
    free(out);
    codeobj_builder_free(b);
    codeobj_elf_free(elf);
}

/* Kernels that all reach to the end of a large section: the time it takes follows the file's size all the same. */
static void test_overlapping_code(void **state)
{
    (void)state;
    enum { CODE = 1 << 20, KERNELS = 100 };
    struct codeobj_builder_options options = { .size = sizeof options, .type = 3, .osabi = 64, .code_object_version = 5 };
    struct codeobj_builder_section text = { .name = ".text", .type = 1, .flags = 6, .align = 256 }, rodata = { .name = ".rodata", .type = 1, .flags = 2, .align = 64 };
    struct codeobj_builder *b;
    struct log log;
    uint32_t *code = malloc(CODE), text_idx, rodata_idx, symbol;
    void *out;
    size_t size;
    assert_non_null(code);
    for (size_t i = 0; i < CODE / 4; i++)
        code[i] = 0xbf800000; /* s_nop */
    codeobj_target_parse("gfx900", &options.target, NULL);
    codeobj_builder_new(&options, &b, NULL);
    codeobj_builder_section_add(b, &text, &text_idx, NULL);
    codeobj_builder_section_append(b, text_idx, code, CODE, 256, NULL, NULL);
    codeobj_builder_section_add(b, &rodata, &rodata_idx, NULL);
    codeobj_builder_section_append(b, rodata_idx, NULL, 64 * KERNELS, 64, NULL, NULL);
    for (uint32_t i = 0; i < KERNELS; i++) {
        char name[16], kd[16];
        snprintf(name, sizeof name, "k%u", i);
        snprintf(kd, sizeof kd, "k%u.kd", i);
        struct codeobj_elf_symbol s = { .name = name, .binding = 1, .type = 2, .visibility = 3, .shndx = text_idx, .value = 256 * i, .size = CODE - 256 * i };
        struct codeobj_elf_symbol d = { .name = kd, .binding = 1, .type = 1, .visibility = 3, .shndx = rodata_idx, .value = 64 * i, .size = 64 };
        codeobj_builder_symbol_add(b, &s, &symbol, NULL);
        codeobj_builder_symbol_add(b, &d, NULL, NULL);
        struct codeobj_elf_relocation r = { 64 * i + 16, 5, symbol, 16 };
        codeobj_builder_relocation_add(b, rodata_idx, &r, NULL);
    }
    assert_int_equal(codeobj_builder_finish(b, &out, &size, NULL), CODEOBJ_OK);
    run(out, size, NULL, &log);
    expect(&log, "code-not-judged: kernel \"k");
    free(out);
    free(code);
    codeobj_builder_free(b);
}

/* Is the code in the manual page, where hyphens carry a backslash? */
static bool is_documented(const char *page, const char *code)
{
    char word[128] = "\n";
    size_t n = 1;
    for (; *code && n + 3 < sizeof word; code++) {
        if (*code == '-')
            word[n++] = '\\';
        word[n++] = *code;
    }
    const char *at = strstr(page, word);
    return at && (at[n] == ',' || at[n] == '.');
}

/* Codes are unique, in lower case, documented, and have a repair. */
static void test_codes(void **state)
{
    (void)state;
    const char *repair;
    static char page[1 << 16];
    FILE *f = fopen("man/libcodeobj.3", "rb");
    assert_non_null(f);
    page[fread(page, 1, sizeof page - 1, f)] = 0;
    fclose(f);
    for (size_t i = 0; codeobj_check_code(i, NULL, NULL); i++) {
        const char *code = codeobj_check_code(i, NULL, &repair);
        assert_int_equal(strspn(code, "abcdefghijklmnopqrstuvwxyz-"), strlen(code));
        assert_true(repair[0]);
        if (!is_documented(page, code))
            fail_msg("%s is not in libcodeobj(3)", code);
        if (!seen[i])
            fail_msg("no test brings about %s", code);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(code, codeobj_check_code(j, NULL, NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),       cmocka_unit_test(test_kind_of_file), cmocka_unit_test(test_container),
        cmocka_unit_test(test_target),     cmocka_unit_test(test_loading),      cmocka_unit_test(test_descriptor), cmocka_unit_test(test_calls), cmocka_unit_test(test_pointers), cmocka_unit_test(test_entry_id),
        cmocka_unit_test(test_metadata),   cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_undefined_got),    cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_file),       cmocka_unit_test(test_dynamic), cmocka_unit_test(test_not_found), cmocka_unit_test(test_bad_dynamic),     cmocka_unit_test(test_more_metadata), cmocka_unit_test(test_two_notes),
        cmocka_unit_test(test_overlapping_code), cmocka_unit_test(test_arguments), cmocka_unit_test(test_old_hidden_arguments),
        cmocka_unit_test(test_long_names), cmocka_unit_test(test_codes),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0;
}

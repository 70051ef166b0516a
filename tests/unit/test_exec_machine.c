/* SPDX-License-Identifier: MIT
 *
 * Kernels that go wrong: each message has kernel, work-group, wave, lane, PC, instruction, address and the nearest
 * allocation, as far as there are such; how waves end; objects without metadata and of version 2.  fixtures/machine is what runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/codeobj.h>

enum { SIZE = 4096 };

struct machine {
    struct codeobj_elf *elf;
    struct codeobj_device *device;
    uint64_t buffer;
    char warning[512];
    unsigned warnings;
    struct codeobj_dispatch_stats stats;
};

static int open_machine(void **state)
{
    struct machine *m = calloc(1, sizeof *m);
    struct codeobj_target target;
    if (!m || codeobj_elf_open_file("fixtures/machine/machine-gfx900.co", NULL, &m->elf, NULL) != CODEOBJ_OK ||
        codeobj_target_parse("gfx900", &target, NULL) != CODEOBJ_OK ||
        codeobj_device_new(&target, NULL, &m->device, NULL) != CODEOBJ_OK || codeobj_device_load(m->device, m->elf, NULL) != CODEOBJ_OK ||
        codeobj_device_alloc(m->device, SIZE, "results", &m->buffer, NULL) != CODEOBJ_OK)
        return -1;
    *state = m;
    return 0;
}

static int close_machine(void **state)
{
    struct machine *m = *state;
    codeobj_device_free(m->device);
    codeobj_elf_free(m->elf);
    free(m);
    return 0;
}

static void warn(void *user, const char *text)
{
    struct machine *m = user;
    m->warnings++;
    snprintf(m->warning, sizeof m->warning, "%s", text);
}

static enum codeobj_status run(struct machine *m, const char *kernel, unsigned items, unsigned group, struct codeobj_diag *diag)
{
    const struct codeobj_dispatch d = { .size = sizeof d, .kernel = kernel, .grid = { items }, .workgroup = { group },
                                        .kernarg = &m->buffer, .kernarg_size = sizeof m->buffer, .max_instructions = 100000,
                                        .warning = warn, .warning_user = m };
    m->warnings = 0;
    *diag = (struct codeobj_diag){ 0 };
    return codeobj_device_dispatch(m->device, &d, &m->stats, diag);
}

static uint32_t result(const struct machine *m, unsigned i)
{
    uint32_t v = 0;
    assert_int_equal(codeobj_device_read(m->device, m->buffer + 4 * i, &v, 4, NULL), CODEOBJ_OK);
    return v;
}

/* The parts, in order. */
static void contains(const char *text, const char *const *parts, size_t count)
{
    const char *at = text;
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(at, parts[i]);
        if (!found)
            fail_msg("no \"%s\" (in order) in \"%s\"", parts[i], text);
        at = found + strlen(parts[i]);
    }
}
#define CONTAINS(text, ...)                                     \
    do {                                                        \
        const char *const parts_[] = { __VA_ARGS__ };           \
        contains(text, parts_, sizeof parts_ / sizeof *parts_); \
    } while (0)

/* ---- LDS ------------------------------------------------------------------------------- */

static void lds_out_of_range(void **state)
{
    struct machine *m = *state;
    struct codeobj_diag diag;
    assert_int_equal(run(m, "lds_miss", 192, 64, &diag), CODEOBJ_OK);
    for (unsigned g = 0; g < 3; g++)
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(result(m, 64 * g + i), i < 16 ? 100 + i : 0);
    assert_int_equal(m->warnings, 1);
    /* Three work-groups of 48 lanes, a write and a read each; the first one in order is named. */
    CONTAINS(m->warning, "kernel \"lds_miss\", work-group (0,0,0), wave 0, lane 16, pc 0x", "(+0x", "\"ds_write_b32 v1, v3\": 4 bytes of LDS at 0x40: the work-group has 64",
             "; 288 such accesses");
    /* Nobody to tell: no matter. */
    const struct codeobj_dispatch d = { .size = sizeof d, .kernel = "lds_miss", .grid = { 64 }, .workgroup = { 64 }, .kernarg = &m->buffer, .kernarg_size = 8 };
    assert_int_equal(codeobj_device_dispatch(m->device, &d, NULL, &diag), CODEOBJ_OK);
    /* In range: silence. */
    assert_int_equal(run(m, "lds_miss", 16, 16, &diag), CODEOBJ_OK);
    assert_int_equal(m->warnings, 0);
}

/* ---- faults ------------------------------------------------------------------------------- */

static void memory_faults(void **state)
{
    struct machine *m = *state;
    struct codeobj_diag diag;
    char address[40];
    assert_int_equal(run(m, "misaligned", 128, 64, &diag), CODEOBJ_FAULT);
    snprintf(address, sizeof address, "at 0x%llx", (unsigned long long)m->buffer + 0x12);
    CONTAINS(diag.text, "kernel \"misaligned\", work-group (0,0,0), wave 0, lane 5, pc 0x", "(+0x", "\"global_atomic_add v2, v3, s[4:5]\": misaligned atomic of 4 bytes ", address,
             "; inside \"results\" [0x", "+4096), at +18");
    assert_int_equal(run(m, "misaligned_lds", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "wave 0, lane 4, pc 0x", "\"ds_add_u64 v1, v[2:3] offset:4\": misaligned atomic of 8 bytes at 0x14 of LDS");
    assert_null(strstr(diag.text, "nearest"));
    assert_int_equal(run(m, "misaligned_private", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "wave 0, lane 0, pc 0x", "\"flat_atomic_add v[2:3], v4\": misaligned atomic of 4 bytes at 0x6 of the private segment");
    assert_int_equal(run(m, "null_read", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "kernel \"null_read\", work-group (0,0,0), wave 0, lane 3, pc 0x", "\"global_load_dwordx2 v[4:5], v[2:3], off\": read of 8 bytes at 0x0: no memory there; nearest is \"");
    assert_int_equal(run(m, "null_write", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "wave 0, lane 0, pc 0x", "write of 4 bytes at 0x8: no memory there");
    assert_int_equal(run(m, "past_end", 64, 64, &diag), CODEOBJ_FAULT);
    snprintf(address, sizeof address, "at 0x%llx", (unsigned long long)m->buffer + 0xfff);
    CONTAINS(diag.text, "lane 0, ", "read of 4 bytes ", address, "\"results\"");
    assert_int_equal(run(m, "stack", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "kernel \"stack\", work-group (0,0,0), wave 0, lane 0, pc 0x", "\"scratch_store_dword v2, v0, off offset:4\": scratch access at 0x10: beyond the work-item's private segment (stack overflow)");
    assert_int_equal(run(m, "into_code", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "kernel \"into_code\", ", "write of 4 bytes at 0x", "the memory is read-only");
}

static void flow_faults(void **state)
{
    struct machine *m = *state;
    struct codeobj_diag diag;
    assert_int_equal(run(m, "forever", 128, 64, &diag), CODEOBJ_LIMIT);
    CONTAINS(diag.text, "kernel \"forever\", work-group (", "wave 0, pc 0x", "\"s_branch ", "instruction budget used up");
    assert_int_equal(run(m, "deadlock", 128, 128, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "kernel \"deadlock\", work-group (0,0,0), wave 0, pc 0x", "\"ds_gws_sema_p gds\": deadlock: every wave of the work-group waits");
    /* The function lies in front of the kernel. */
    assert_int_equal(run(m, "in_front", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "kernel \"in_front\", ", "(-0x", "\"global_load_dword v4, v[2:3], off\": read of 4 bytes at 0x10: no memory there");
    assert_null(strstr(diag.text, "0xffffffff"));
    assert_int_equal(run(m, "nowhere", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "kernel \"nowhere\", ", "\"s_setpc_b64 s[6:7]\": instruction fetch at 0x1000: not in an executable segment");
    assert_int_equal(run(m, "trap_abort", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "\"s_trap 2\": trap: s_trap 2 (abort");
    assert_int_equal(run(m, "trap_other", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "\"s_trap 1\": trap: s_trap without a trap handler");
    assert_int_equal(run(m, "trap_debug", 64, 64, &diag), CODEOBJ_OK);
    assert_int_equal(run(m, "halt", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "halted by s_sethalt");
    assert_int_equal(run(m, "message_halt", 64, 64, &diag), CODEOBJ_FAULT);
    CONTAINS(diag.text, "halted by s_sendmsghalt");
    assert_int_equal(run(m, "tiled", 64, 64, &diag), CODEOBJ_UNSUPPORTED);
    CONTAINS(diag.text, "image_load", "tiled images are not modelled");
}

/* ---- ends and meetings ------------------------------------------------------------------ */

static void ends(void **state)
{
    struct machine *m = *state;
    struct codeobj_diag diag;
    static const char *const kernels[] = { "saved", "ordered" };
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(run(m, kernels[k], 256, 128, &diag), CODEOBJ_OK);
        assert_int_equal(m->stats.waves, 4);
        assert_int_equal(m->stats.workgroups, 2);
        assert_int_equal(m->stats.wave_instructions, 4 * 4); /* the load, a shift, a wait, the end */
    }
    const uint32_t ones[64] = { [0 ... 63] = 0xffffffff };
    codeobj_device_write(m->device, m->buffer, ones, sizeof ones, NULL);
    assert_int_equal(run(m, "divergent", 64, 64, &diag), CODEOBJ_OK);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(result(m, i), i < 10 ? i : 0xffffffff);
}

static void wave_sync(void **state)
{
    struct machine *m = *state;
    struct codeobj_diag diag;
    assert_int_equal(run(m, "sync", 256, 256, &diag), CODEOBJ_OK);
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(result(m, i), 40 + (i / 64 + 1) % 4);
    assert_int_equal(run(m, "sync", 512, 256, &diag), CODEOBJ_UNSUPPORTED);
    CONTAINS(diag.text, "ds_gws_init", "global wave sync between work-groups is not modelled");
}

/* ---- modes of gfx9 ------------------------------------------------------------------------- */

/* The usual loop notices what s_setreg switches on.  v6 + v9 = 0 with a carry, v6 + v9 + 1 = 1; then v4 + v9 = 6. */
static void modes_by_register(void **state)
{
    struct machine *m = *state;
    struct codeobj_diag diag;
    assert_int_equal(run(m, "indexed_by_mode", 128, 128, &diag), CODEOBJ_OK);
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(result(m, i), 0x060100);
    assert_int_equal(run(m, "skipped_by_mode", 128, 128, &diag), CODEOBJ_OK);
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(result(m, i), 0x109);
}

/* ---- code object V2 ---------------------------------------------------------------------- */

static struct machine open_object(const char *name, const char *cpu)
{
    struct machine m = { 0 };
    struct codeobj_target target;
    char path[64];
    snprintf(path, sizeof path, "fixtures/machine/%s-%s.co", name, cpu);
    assert_int_equal(codeobj_elf_open_file(path, NULL, &m.elf, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_target_parse(cpu, &target, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_new(&target, NULL, &m.device, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_load(m.device, m.elf, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_device_alloc(m.device, SIZE, "results", &m.buffer, NULL), CODEOBJ_OK);
    return m;
}

/* An explicit argument, a pointer, a hidden argument; amd_kernel_code_t instead of a descriptor. */
static void old_object(const char *cpu)
{
    struct machine m = open_object("v2", cpu);
    struct codeobj_diag diag = { 0 };
    const struct {
        uint32_t add, pad;
        uint64_t buffer;
    } args = { 1000, 0, m.buffer };
    const struct codeobj_dispatch d = { .size = sizeof d, .kernel = "number", .grid = { 256 }, .workgroup = { 64 }, .kernarg = &args,
                                        .kernarg_size = sizeof args };
    if (codeobj_device_dispatch(m.device, &d, NULL, &diag) != CODEOBJ_OK)
        fail_msg("%s: %s", cpu, diag.text);
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(result(&m, i), 1000 + i);
    codeobj_device_free(m.device);
    codeobj_elf_free(m.elf);
}

static void version_2(void **state)
{
    (void)state;
    old_object("gfx803");
    old_object("gfx900");
}

/* ---- arguments in scalar registers ---------------------------------------------------------- */

/* dwords: at least so many are. */
static void preloaded(const char *cpu, unsigned dwords)
{
    struct machine m = open_object("preload", cpu);
    struct codeobj_diag diag = { 0 };
    struct codeobj_kernel kernel;
    struct {
        uint64_t out;
        uint32_t values[16];
    } args = { .out = m.buffer };
    for (unsigned i = 0; i < 16; i++)
        args.values[i] = 1000 + i;
    assert_int_equal(codeobj_kernel_by_name(m.elf, "preload", &kernel, NULL), CODEOBJ_OK);
    assert_true(kernel.descriptor.kernarg_preload_length >= dwords);
    const struct codeobj_dispatch d = { .size = sizeof d, .kernel = "preload", .grid = { 1 }, .workgroup = { 1 }, .kernarg = &args,
                                        .kernarg_size = sizeof args };
    if (codeobj_device_dispatch(m.device, &d, NULL, &diag) != CODEOBJ_OK)
        fail_msg("%s: %s", cpu, diag.text);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(result(&m, i), 1000 + i);
    codeobj_device_free(m.device);
    codeobj_elf_free(m.elf);
}

static void preloaded_arguments(void **state)
{
    (void)state;
    preloaded("gfx90a", 8);
    preloaded("gfx950", 8);
    preloaded("gfx1250", 17);
}

/* ---- who looks at the clock, or is the instruction at hand --------------------------------------------- */

static bool go_on(void *user, const struct codeobj_exec_event *event)
{
    (void)user;
    (void)event;
    return true;
}

/* Encodings from llvm-mc.  The clock counts the wave's instructions: 1 before the first look, 6 more before the second.  The
 * miss of LDS_DIRECT is its own, with instructions before it and behind. */
static void clock_and_lds_direct(void **state)
{
    (void)state;
    static const uint32_t code[] = {
        0xc0060080, 0x00000000, /* s_load_dwordx2 s[2:3], s[0:1], 0x0 */
        0xc0900100, 0x00000000, /* s_memtime s[4:5] */
        0xbf800000,             /* s_nop 0 */
        0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
        0x7e000280,             /* v_mov_b32_e32 v0, 0 */
        0xbefc00c2,             /* s_mov_b32 m0, -2 */
        0x7e0a02fe,             /* v_mov_b32_e32 v5, src_lds_direct */
        0xc0900180, 0x00000000, /* s_memtime s[6:7] */
        0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
        0x80880406,             /* s_sub_u32 s8, s6, s4 */
        0x7e020208,             /* v_mov_b32_e32 v1, s8 */
        0x7e040204,             /* v_mov_b32_e32 v2, s4 */
        0xdc748000, 0x00020100, /* global_store_dwordx2 v0, v[1:2], s[2:3] */
        0xbf810000,             /* s_endpgm */
    };
    const struct codeobj_kernel_descriptor kd = { .kernarg_size = 8, .granulated_workitem_vgpr_count = 1, .enable_sgpr_kernarg_segment_ptr = 1,
                                                  .user_sgpr_count = 2 };
    const struct codeobj_builder_kernel k = { .size = sizeof k, .name = "looks", .code = code, .code_size = sizeof code, .descriptor = &kd };
    struct codeobj_builder_options options = { .size = sizeof options, .type = 3 /* ET_DYN */, .osabi = 64, .code_object_version = 5 };
    struct machine m = { 0 };
    struct codeobj_builder *b;
    struct codeobj_diag diag = { 0 };
    void *bytes;
    size_t size;
    assert_int_equal(codeobj_target_parse("gfx900", &options.target, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_new(&options, &b, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_kernel_add(b, &k, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_builder_finish(b, &bytes, &size, &diag), CODEOBJ_OK);
    codeobj_builder_free(b);
    assert_int_equal(codeobj_elf_open_memory(bytes, size, NULL, &m.elf, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_new(&options.target, NULL, &m.device, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_load(m.device, m.elf, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_alloc(m.device, SIZE, "results", &m.buffer, &diag), CODEOBJ_OK);
    for (unsigned traced = 0; traced < 2; traced++) {
        const struct codeobj_dispatch d = { .size = sizeof d, .kernel = "looks", .grid = { 64 }, .workgroup = { 64 }, .kernarg = &m.buffer,
                                            .kernarg_size = 8, .threads = 1, .warning = warn, .warning_user = &m, .trace = traced ? go_on : NULL };
        m.warnings = 0;
        assert_int_equal(codeobj_device_dispatch(m.device, &d, &m.stats, &diag), CODEOBJ_OK);
        assert_int_equal(m.stats.wave_instructions, 14);
        assert_int_equal(result(&m, 0), 6);
        assert_int_equal(result(&m, 1), 1);
        assert_int_equal(m.warnings, 1);
        CONTAINS(m.warning, "\"v_mov_b32_e32 v5, src_lds_direct\": ", "4 bytes of LDS at 0xfffe");
    }
    codeobj_device_free(m.device);
    codeobj_elf_free(m.elf);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lds_out_of_range), cmocka_unit_test(memory_faults), cmocka_unit_test(flow_faults), cmocka_unit_test(ends),
        cmocka_unit_test(wave_sync), cmocka_unit_test(modes_by_register), cmocka_unit_test(version_2), cmocka_unit_test(preloaded_arguments),
        cmocka_unit_test(clock_and_lds_direct),
    };
    return cmocka_run_group_tests_name("exec_machine", tests, open_machine, close_machine) != 0;
}

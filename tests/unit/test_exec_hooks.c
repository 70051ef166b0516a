/* SPDX-License-Identifier: MIT
 *
 * What watches the executor: hooks for memory and dispatches, where a fault stopped, and
 * the records of printf.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <codeobj/codeobj.h>

struct machine {
    struct codeobj_elf *elf;
    struct codeobj_device *device;
    uint64_t buffer; /* 256 bytes */
};

static void must(enum codeobj_status status, const struct codeobj_diag *diag)
{
    if (status != CODEOBJ_OK)
        fail_msg("%s", diag->text);
}

static void machine_open(struct machine *m, const char *path, const char *cpu)
{
    struct codeobj_diag diag = { 0 };
    struct codeobj_target target;
    must(codeobj_elf_open_file(path, NULL, &m->elf, &diag), &diag);
    must(codeobj_target_parse(cpu, &target, &diag), &diag);
    must(codeobj_device_new(&target, NULL, &m->device, &diag), &diag);
    must(codeobj_device_load(m->device, m->elf, &diag), &diag);
    must(codeobj_device_alloc(m->device, 256, "the buffer", &m->buffer, &diag), &diag);
}

static void machine_close(struct machine *m)
{
    codeobj_device_free(m->device);
    codeobj_elf_free(m->elf);
}

static enum codeobj_status run(struct machine *m, struct codeobj_dispatch *d, const char *kernel,
                               struct codeobj_dispatch_stats *stats, struct codeobj_diag *diag)
{
    d->size = sizeof *d;
    d->kernel = kernel;
    d->grid[0] = d->grid[0] ? d->grid[0] : 64;
    d->workgroup[0] = d->grid[0] < 64 ? d->grid[0] : 64;
    d->kernarg = &m->buffer;
    d->kernarg_size = sizeof m->buffer;
    d->max_instructions = d->max_instructions ? d->max_instructions : 1000;
    return codeobj_device_dispatch(m->device, d, stats, diag);
}

/* ---- faults ---------------------------------------------------------------------------- */

static const struct {
    const char *kernel;
    enum codeobj_status status;
    int lane;            /* -1: none */
    unsigned after;      /* the instruction's offset from the kernel, gfx900 */
    const char *contains[3];
} faults[] = {
    { "read", CODEOBJ_FAULT, 4, 0x20, { "read of 4 bytes at 0x", "no memory there; nearest is \"the buffer\" [0x", "+256), 0 bytes past its end" } },
    { "write", CODEOBJ_FAULT, 0, 0x24, { "write of 4 bytes at 0x7777", "no memory there; nearest is", NULL } },
    { "atomic", CODEOBJ_FAULT, 0, 0x24, { "atomic of 4 bytes at 0x7777", "no memory there; nearest is", NULL } },
    { "null", CODEOBJ_FAULT, 0, 0x20, { "read of 4 bytes at 0x0: no memory there", NULL, NULL } },
    { "read_only", CODEOBJ_FAULT, 0, 0x20, { "write of 4 bytes at 0x", "the memory is read-only", "r-x\"" } },
    { "misaligned", CODEOBJ_FAULT, 0, 0x20, { "misaligned atomic of 4 bytes at 0x", "inside \"the buffer\"", "at +1" } },
    { "stack", CODEOBJ_FAULT, 0, 0x2c, { "scratch access at 0x7ffffff0", "stack overflow", NULL } },
    { "fetch", CODEOBJ_FAULT, -1, 0x24, { "s_setpc_b64 s[4:5]", "instruction fetch at 0x1000: not in an executable segment", NULL } },
    { "illegal", CODEOBJ_FAULT, -1, 0x1c, { ".long 0xffffffff", "illegal instruction", NULL } },
    { "unsupported", CODEOBJ_UNSUPPORTED, -1, 0x1c, { "image_sample", "instruction without semantics: ", NULL } },
    { "trap", CODEOBJ_FAULT, -1, 0x1c, { "s_trap 2", "trap: ", NULL } },
    { "endless", CODEOBJ_LIMIT, -1, 0x1c, { "s_branch", "instruction budget used up", NULL } },
    { "deadlock", CODEOBJ_FAULT, -1, 0x1c, { "s_barrier_wait", "deadlock: every wave of the work-group waits", NULL } },
};

static void each_fault(const char *path, const char *cpu)
{
    struct machine m;
    machine_open(&m, path, cpu);
    const bool gfx12 = codeobj_processor_by_name(cpu)->gen == CODEOBJ_GEN_GFX12;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct codeobj_dispatch d = { .grid = { strcmp(faults[i].kernel, "endless") ? 64 : 32 } }; /* one wave loops */
        struct codeobj_dispatch_stats stats;
        struct codeobj_diag diag = { 0 };
        char place[96];
        uint64_t entry, size;
        if (!gfx12 && !strcmp(faults[i].kernel, "deadlock"))
            continue;
        must(codeobj_device_symbol(m.device, faults[i].kernel, &entry, &size), &diag);
        assert_int_equal(run(&m, &d, faults[i].kernel, &stats, &diag), faults[i].status);
        snprintf(place, sizeof place, "kernel \"%s\", work-group (0,0,0), wave 0", faults[i].kernel);
        if (!strstr(diag.text, place))
            fail_msg("%s: no \"%s\" in \"%s\"", cpu, place, diag.text);
        for (unsigned k = 0; k < 3 && faults[i].contains[k]; k++)
            if (!strstr(diag.text, faults[i].contains[k]))
                fail_msg("%s: no \"%s\" in \"%s\"", cpu, faults[i].contains[k], diag.text);
        assert_true(stats.has_stop);
        assert_int_equal(stats.has_stop_lane, faults[i].lane >= 0);
        assert_int_equal(stats.stop_lane, faults[i].lane >= 0 ? faults[i].lane : 0);
        if (stats.stop_pc != entry + faults[i].after)
            fail_msg("%s of %s: stopped at +0x%x, expected +0x%x", faults[i].kernel, cpu, (unsigned)(stats.stop_pc - entry),
                     faults[i].after);
        snprintf(place, sizeof place, "pc 0x%llx (+0x%x)", (unsigned long long)stats.stop_pc, faults[i].after);
        assert_non_null(strstr(diag.text, place));
    }
    machine_close(&m);
}

static void faults_gfx900(void **state)
{
    (void)state;
    each_fault("fixtures/faults/faults-gfx900.co", "gfx900");
}

static void faults_gfx1201(void **state)
{
    (void)state;
    each_fault("fixtures/faults/faults-gfx1201.co", "gfx1201");
}

/* ---- hooks -------------------------------------------------------------------------------- */

struct seen {
    unsigned begins, ends, scalar, reads, writes, instructions;
    uint64_t kernarg, entry, instructions_told;
    struct codeobj_device *device;
    struct codeobj_exec_memory_event last;
    uint64_t addr[CODEOBJ_LANES_MAX];
    unsigned stop_after; /* accesses; 0: never */
    bool refuse;
};

static bool on_dispatch(void *user, const struct codeobj_exec_dispatch_event *e)
{
    struct seen *s = user;
    if (e->is_end) {
        s->ends++;
        s->instructions_told = e->wave_instructions;
        return true;
    }
    s->begins++;
    assert_int_equal(e->status, CODEOBJ_OK);
    assert_int_equal(e->grid[0], 128);
    assert_int_equal(e->workgroup[0], 64);
    assert_int_equal(e->workgroup_count, 2);
    assert_int_equal(e->wave_size * e->waves_per_workgroup, 64);
    assert_int_equal(e->kernarg_size, 8);
    s->entry = e->entry;
    assert_int_equal(codeobj_device_read(s->device, e->kernarg_addr, &s->kernarg, 8, NULL), CODEOBJ_OK);
    return !s->refuse;
}

static bool on_memory(void *user, const struct codeobj_exec_memory_event *e)
{
    struct seen *s = user;
    s->scalar += e->is_scalar;
    s->reads += !e->is_scalar && e->access == CODEOBJ_EXEC_READ;
    s->writes += !e->is_scalar && e->access == CODEOBJ_EXEC_WRITE;
    s->last = *e;
    memcpy(s->addr, e->addr, (e->is_scalar ? 1 : CODEOBJ_LANES_MAX) * sizeof *s->addr);
    return !s->stop_after || s->scalar + s->reads + s->writes < s->stop_after;
}

static bool on_instruction(void *user, const struct codeobj_exec_event *e)
{
    struct seen *s = user;
    s->instructions += e->pc >= s->entry;
    return true;
}

static void hooks_see(void **state)
{
    (void)state;
    struct machine m;
    struct codeobj_diag diag = { 0 };
    struct codeobj_dispatch_stats stats;
    machine_open(&m, "fixtures/faults/faults-gfx900.co", "gfx900");
    struct seen s = { .device = m.device };
    struct codeobj_dispatch d = { .grid = { 128 }, .user = &s, .dispatched = on_dispatch, .memory = on_memory,
                                  .trace = on_instruction };
    /* The atomic kernel loads its argument and goes to memory that is not there: the hook sees both. */
    assert_int_equal(run(&m, &d, "atomic", &stats, &diag), CODEOBJ_FAULT);
    assert_int_equal(s.begins, 1);
    assert_int_equal(s.ends, 1);
    assert_int_equal(s.kernarg, m.buffer);
    assert_int_equal(s.scalar, 1);
    assert_int_equal(s.reads + s.writes, 0);
    assert_int_equal(s.last.access, CODEOBJ_EXEC_ATOMIC);
    assert_int_equal(s.last.space, CODEOBJ_EXEC_DEVICE);
    assert_int_equal(s.last.bytes, 4);
    assert_int_equal(s.last.lanes, UINT64_MAX);
    assert_int_equal(s.addr[63], (UINT64_C(0x7777) << 32 | (uint32_t)m.buffer) + 252);
    assert_int_equal(s.last.pc, stats.stop_pc);
    assert_int_equal(s.addr[0], stats.stop_addr);
    assert_int_equal(s.instructions_told, stats.wave_instructions);
    assert_int_equal(s.instructions, 6); /* the one that faults has not run */
    /* FLAT to private memory */
    assert_int_equal(run(&m, &d, "stack", &stats, &diag), CODEOBJ_FAULT);
    assert_int_equal(s.last.space, CODEOBJ_EXEC_SCRATCH);
    assert_int_equal(s.addr[5], 0x7ffffff0);
    machine_close(&m);
}

static void hooks_stop(void **state)
{
    (void)state;
    struct machine m;
    struct codeobj_diag diag = { 0 };
    struct codeobj_dispatch_stats stats;
    machine_open(&m, "fixtures/faults/faults-gfx900.co", "gfx900");
    struct seen s = { .device = m.device, .stop_after = 1 };
    struct codeobj_dispatch d = { .grid = { 128 }, .user = &s, .dispatched = on_dispatch, .memory = on_memory };
    assert_int_equal(run(&m, &d, "read", &stats, &diag), CODEOBJ_LIMIT);
    assert_non_null(strstr(diag.text, "stopped by the memory function"));
    assert_int_equal(stats.stop_pc, s.entry);
    s.refuse = true;
    assert_int_equal(run(&m, &d, "read", &stats, &diag), CODEOBJ_LIMIT);
    assert_non_null(strstr(diag.text, "stopped by the dispatch function"));
    assert_int_equal(s.begins, 2);
    assert_int_equal(s.ends, 1); /* what never began has no end */
    machine_close(&m);
}

/* ---- printf --------------------------------------------------------------------------------- */

struct text {
    char bytes[2048];
    size_t length;
};

static void collect(void *user, const char *text, size_t length)
{
    struct text *t = user;
    assert_in_range(t->length + length, 0, sizeof t->bytes - 1);
    memcpy(t->bytes + t->length, text, length);
    t->bytes[t->length += length] = 0;
}

/* The number of the call whose format begins so. */
static uint32_t call(const struct codeobj_metadata *m, const char *begin)
{
    struct codeobj_metadata_printf f;
    for (size_t i = 0; codeobj_metadata_printf(m, i, &f) == CODEOBJ_OK; i++)
        if (!strncmp(f.format, begin, strlen(begin)))
            return f.id;
    fail_msg("no format begins with %s", begin);
    return 0;
}

static void printf_records(void **state)
{
    (void)state;
    struct codeobj_elf *elf;
    struct codeobj_metadata *m;
    struct codeobj_diag diag = { 0 };
    struct text t = { 0 };
    uint32_t buffer[64] = { 0, sizeof buffer };
    must(codeobj_elf_open_file("fixtures/printf/print-gfx90a.co", NULL, &elf, &diag), &diag);
    must(codeobj_metadata_read(elf, &m, &diag), &diag);
    must(codeobj_exec_printf(m, buffer, sizeof buffer, collect, &t, &diag), &diag);
    assert_int_equal(t.length, 0);
    /* "%hhd %hhu %hd %hu\n": promoted to int; "%v4hlf|%v2hld|%v4hhx|%v2hd\n" */
    const uint32_t records[] = { call(m, "%hhd"), 0x1ff, 0x1ff, 0x18001, 0x18001,
                                 call(m, "no argument"),
                                 call(m, "%v4hlf"), 0x3f800000, 0xc0000000, 0x7f800000, 0x80000000, 7, (uint32_t)-7, 0xfa030201,
                                 0x0004fffd };
    buffer[0] = sizeof records;
    memcpy(buffer + 2, records, sizeof records);
    must(codeobj_exec_printf(m, buffer, sizeof buffer, collect, &t, &diag), &diag);
    assert_string_equal(t.bytes, "-1 255 -32767 32769\nno argument\n1.000000,-2.000000,inf,-0.000000|7,-7|1,2,3,fa|-3,4\n");
    /* cut short in the last record: what precedes it is printed */
    t.length = 0;
    buffer[0] -= 4;
    assert_int_equal(codeobj_exec_printf(m, buffer, sizeof buffer, collect, &t, &diag), CODEOBJ_MALFORMED);
    assert_string_equal(t.bytes, "-1 255 -32767 32769\nno argument\n");
    assert_int_equal(diag.offset, 8 + 24);
    /* a call that is not there, records beyond the buffer, no room for a header */
    buffer[0] = 4;
    buffer[2] = 77;
    assert_int_equal(codeobj_exec_printf(m, buffer, sizeof buffer, collect, &t, &diag), CODEOBJ_MALFORMED);
    buffer[0] = 2;
    assert_int_equal(codeobj_exec_printf(m, buffer, sizeof buffer, collect, &t, &diag), CODEOBJ_MALFORMED);
    buffer[0] = sizeof buffer;
    assert_int_equal(codeobj_exec_printf(m, buffer, sizeof buffer, collect, &t, &diag), CODEOBJ_MALFORMED);
    buffer[0] = UINT32_MAX;
    assert_int_equal(codeobj_exec_printf(m, buffer, sizeof buffer, collect, &t, &diag), CODEOBJ_MALFORMED);
    assert_int_equal(codeobj_exec_printf(m, buffer, 7, collect, &t, &diag), CODEOBJ_INVALID);
    codeobj_metadata_free(m);
    codeobj_elf_free(elf);
}

/* Without a buffer, and with a hostcall, a kernel stops with the name of what it wanted. */
static void host_services(void **state)
{
    (void)state;
    struct machine m;
    struct codeobj_diag diag = { 0 };
    machine_open(&m, "fixtures/printf/print-gfx90a.co", "gfx90a");
    struct codeobj_dispatch d = { 0 };
    assert_int_equal(run(&m, &d, "hostcall", NULL, &diag), CODEOBJ_UNSUPPORTED);
    assert_non_null(strstr(diag.text, "hidden_hostcall_buffer, which is not implemented"));
    assert_int_equal(run(&m, &d, "vectors", NULL, &diag), CODEOBJ_UNSUPPORTED);
    assert_non_null(strstr(diag.text, "printf: the dispatch has no buffer for hidden_printf_buffer"));
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_gfx900), cmocka_unit_test(faults_gfx1201), cmocka_unit_test(hooks_see),
        cmocka_unit_test(hooks_stop),    cmocka_unit_test(printf_records), cmocka_unit_test(host_services),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

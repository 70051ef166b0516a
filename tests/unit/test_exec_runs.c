/* SPDX-License-Identifier: MIT
 *
 * Loads and stores whose lanes lie one behind the other, and such as nearly do: in each build of the lane loops, in waves of
 * 32 and 64, against a lane-by-lane model of what memory, registers and a fault are afterwards.
 *
 * Runs begin anywhere in and around a buffer, unaligned too, and cross its end in the middle; a buffer lies across a border
 * of 4 GiB, one is read-only, one is empty.  Encodings from llvm-mc for gfx1030.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/device.h"

enum { CODE = 0x10000, SIZE = 4096, BUFFERS = 4, ROWS = 12 };
#define BORDER UINT64_C(0x700100000000)

static const char *const builds[] = { "base", "avx2", "avx512" };

static const struct buffer {
    uint64_t addr, size;
    uint32_t perm;
} buffers[BUFFERS] = {
    { BORDER - 0x700, SIZE, CO_PERM_READ | CO_PERM_WRITE }, /* across the border */
    { BORDER + 0x20000, SIZE, CO_PERM_READ | CO_PERM_WRITE },
    { BORDER + 0x40000, SIZE, CO_PERM_READ },
    { BORDER + 0x60000, 0, CO_PERM_READ | CO_PERM_WRITE },
};

/* Address: v[2:3], or s[4:5] and v2; data or result from v`row` on. */
static const struct access {
    const char *text;
    uint32_t words[2];
    unsigned bytes, row;
    bool load, scalar;
    int offset;
} accesses[] = {
    { "global_load_dword v4, v[2:3], off", { 0xdc308000, 0x047d0002 }, 4, 4, true, false, 0 },
    { "global_store_dword v[2:3], v4, off", { 0xdc708000, 0x007d0402 }, 4, 4, false, false, 0 },
    { "global_load_dwordx2 v[2:3], v[2:3], off", { 0xdc348000, 0x027d0002 }, 8, 2, true, false, 0 },
    { "global_load_dwordx3 v[4:6], v[2:3], off", { 0xdc3c8000, 0x047d0002 }, 12, 4, true, false, 0 },
    { "global_store_dwordx3 v[2:3], v[4:6], off", { 0xdc7c8000, 0x007d0402 }, 12, 4, false, false, 0 },
    { "global_load_dwordx4 v[4:7], v[2:3], off", { 0xdc388000, 0x047d0002 }, 16, 4, true, false, 0 },
    { "global_store_dwordx4 v[2:3], v[4:7], off", { 0xdc788000, 0x007d0402 }, 16, 4, false, false, 0 },
    { "global_load_ubyte v4, v[2:3], off", { 0xdc208000, 0x047d0002 }, 1, 4, true, false, 0 },
    { "global_store_short v[2:3], v4, off", { 0xdc688000, 0x007d0402 }, 2, 4, false, false, 0 },
    { "global_load_dword v4, v2, s[4:5]", { 0xdc308000, 0x04040002 }, 4, 4, true, true, 0 },
    { "global_store_dword v2, v4, s[4:5]", { 0xdc708000, 0x00040402 }, 4, 4, false, true, 0 },
    { "global_load_dword v2, v[2:3], off offset:16", { 0xdc308010, 0x027d0002 }, 4, 2, true, false, 16 },
};
enum { ACCESSES = sizeof accesses / sizeof *accesses };

struct machine {
    struct codeobj_device *device;
    struct co_code *code;
    struct co_wave *wave;
    struct co_group group;
    uint32_t words[2 * ACCESSES];
};

/* What an access works on, and what it should leave. */
struct state {
    uint8_t memory[BUFFERS][SIZE];
    uint32_t v[ROWS][CO_LANES_MAX];
    uint64_t exec;
    uint32_t s[2];
    bool stops;
    unsigned lane;
    uint64_t addr;
    enum co_fault_kind kind;
};

/* false: not on this CPU. */
static bool open_machine(struct machine *m, unsigned build, unsigned lanes)
{
    struct codeobj_diag diag = { 0 };
    struct codeobj_target target;
    const struct codeobj_device_options options = { .size = sizeof options, .lanes = builds[build] };
    *m = (struct machine){ 0 };
    assert_int_equal(codeobj_target_parse("gfx1030", &target, &diag), CODEOBJ_OK);
    const enum codeobj_status status = codeobj_device_new(&target, &options, &m->device, &diag);
    if (status == CODEOBJ_UNSUPPORTED)
        return false;
    assert_int_equal(status, CODEOBJ_OK);
    for (unsigned i = 0; i < ACCESSES; i++)
        memcpy(m->words + 2 * i, accesses[i].words, sizeof accesses[i].words);
    for (unsigned i = 0; i < BUFFERS; i++) {
        const struct co_alloc a = { .addr = buffers[i].addr, .size = buffers[i].size, .perm = buffers[i].perm };
        assert_int_equal(co_memory_add(&m->device->memory, &a, &diag), CODEOBJ_OK);
    }
    assert_int_equal(co_device_code(m->device, lanes, &m->code, &diag), CODEOBJ_OK);
    assert_int_equal(co_code_add(m->code, CODE, sizeof m->words, (const uint8_t *)m->words, &diag), CODEOBJ_OK);
    m->wave = aligned_alloc(64, (sizeof *m->wave + 63) & ~(size_t)63);
    assert_non_null(m->wave);
    memset(m->wave, 0, sizeof *m->wave);
    m->wave->v = aligned_alloc(64, (size_t)CO_ROW_COUNT * sizeof *m->wave->v);
    assert_non_null(m->wave->v);
    memset(m->wave->v, 0, (size_t)CO_ROW_COUNT * sizeof *m->wave->v);
    m->group = (struct co_group){ .waves = m->wave, .wave_count = 1 };
    m->wave->lanes = lanes;
    m->wave->lane_mask = lanes == 64 ? UINT64_MAX : 0xffffffffu;
    m->wave->group = &m->group;
    m->wave->device = (const struct co_device *)(const void *)m->device;
    m->wave->code = m->code;
    return true;
}

static void close_machine(struct machine *m)
{
    free(m->wave->v);
    free(m->wave);
    codeobj_device_free(m->device);
}

/* ---- the model ----------------------------------------------------------------------------- */

static void stop(struct state *s, enum co_fault_kind kind, unsigned lane, uint64_t addr)
{
    s->stops = true;
    s->kind = kind;
    s->lane = lane;
    s->addr = addr;
}

static void expect(struct state *s, const struct access *a, unsigned lanes)
{
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint8_t bytes[16] = { 0 }, *place = NULL;
        if (!(s->exec >> lane & 1))
            continue;
        uint64_t addr = s->v[2][lane] + (uint64_t)(int64_t)a->offset;
        addr += a->scalar ? s->s[0] | (uint64_t)s->s[1] << 32 : (uint64_t)s->v[3][lane] << 32;
        for (unsigned i = 0; i < BUFFERS; i++) {
            if (addr - buffers[i].addr >= buffers[i].size || a->bytes > buffers[i].size - (addr - buffers[i].addr))
                continue;
            if (!a->load && !(buffers[i].perm & CO_PERM_WRITE)) {
                stop(s, CO_FAULT_READ_ONLY, lane, addr);
                return;
            }
            place = s->memory[i] + (addr - buffers[i].addr);
        }
        if (!place) {
            stop(s, a->load ? CO_FAULT_READ : CO_FAULT_WRITE, lane, addr);
            return;
        }
        for (unsigned r = 0; r < (a->bytes + 3) / 4 && !a->load; r++)
            memcpy(bytes + 4 * r, &s->v[a->row + r][lane], 4);
        memcpy(a->load ? bytes : place, a->load ? place : bytes, a->bytes);
        for (unsigned r = 0; r < (a->bytes + 3) / 4 && a->load; r++)
            memcpy(&s->v[a->row + r][lane], bytes + 4 * r, 4);
    }
}

/* ---- one access ------------------------------------------------------------------------------ */

static void begin(struct machine *m, const struct state *s)
{
    struct co_wave *const w = m->wave;
    for (unsigned i = 0; i < BUFFERS; i++)
        if (buffers[i].size)
            memcpy(co_memory_host(&m->device->memory, buffers[i].addr, SIZE, 0), s->memory[i], SIZE);
    memcpy(w->v, s->v, sizeof s->v);
    memcpy(w->s + 4, s->s, sizeof s->s);
    w->fault = (struct co_fault){ 0 };
    co_mode_set(w, 0xf0);
    co_exec_set(w, s->exec);
}

static int step(struct machine *m, unsigned which)
{
    for (;;) {
        const struct co_op *const op = co_code_at(m->code, 0, CODE + 8 * which);
        assert_non_null(op);
        const int result = atomic_load(&op->fn)(m->wave, op);
        if (result != CO_REDO) /* else it has been decoded now */
            return result;
    }
}

static void check(struct machine *m, const struct state *s, unsigned which, unsigned build)
{
    static struct state want;
    const struct access *const a = &accesses[which];
    const struct co_wave *const w = m->wave;
    want = *s;
    expect(&want, a, w->lanes);
    begin(m, s);
    const int result = step(m, which);
    if (result != (want.stops ? CO_STOP : CO_NEXT))
        fail_msg("%s, %s, %u lanes, EXEC %llx, v[2:3] of lane 0 %08x %08x: step %d", builds[build], a->text, w->lanes,
                 (unsigned long long)s->exec, s->v[2][0], s->v[3][0], result);
    if (want.stops) {
        assert_int_equal(w->fault.kind, want.kind);
        assert_int_equal(w->fault.lane, want.lane);
        assert_int_equal(w->fault.addr, want.addr);
        assert_int_equal(w->fault.size, a->bytes);
        assert_int_equal(w->fault.pc, CODE + 8 * which);
    }
    for (unsigned r = 0; r < ROWS; r++)
        for (unsigned lane = 0; lane < w->lanes; lane++)
            if (w->v[r][lane] != want.v[r][lane])
                fail_msg("%s, %s, %u lanes, EXEC %llx, v[2:3] of lane 0 %08x %08x: v%u of lane %u is %08x, expected %08x", builds[build],
                         a->text, w->lanes, (unsigned long long)s->exec, s->v[2][0], s->v[3][0], r, lane, w->v[r][lane], want.v[r][lane]);
    for (unsigned i = 0; i < BUFFERS; i++)
        if (buffers[i].size)
            assert_memory_equal(co_memory_host(&m->device->memory, buffers[i].addr, SIZE, 0), want.memory[i], SIZE);
}

/* ---- places -------------------------------------------------------------------------------- */

static uint64_t random_state = 0x2545f4914f6cdd1du;
static uint32_t random32(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

enum { SHAPES = 6 };

/* Lane i of a run that begins at addr; other shapes are a run but for one thing. */
static uint64_t lane_addr(uint64_t addr, unsigned bytes, unsigned lanes, unsigned i, unsigned shape, unsigned odd)
{
    switch (shape) {
    case 1: return addr + (uint64_t)(lanes - 1 - i) * bytes;                 /* backwards */
    case 2: return addr + (uint64_t)(i == odd ? odd ^ 1 : i) * bytes;        /* two lanes at one place */
    case 3: return addr + (uint64_t)i * bytes + (i == odd ? UINT64_C(1) << 32 : 0); /* one elsewhere by its high half */
    case 4: return addr;                                                     /* all at one place */
    case 5: return (addr & ~UINT64_C(0xffffffff)) | (uint32_t)(addr + (uint64_t)i * bytes); /* low halves begin anew, high ones stay */
    default: return addr + (uint64_t)i * bytes;
    }
}

static void place(struct state *s, const struct access *a, unsigned lanes, uint64_t addr, unsigned shape)
{
    const unsigned odd = random32() % lanes;
    addr -= (uint64_t)(int64_t)a->offset;
    s->s[0] = (uint32_t)(addr - 0x1000);
    s->s[1] = (uint32_t)((addr - 0x1000) >> 32);
    for (unsigned i = 0; i < lanes; i++) {
        const uint64_t at = lane_addr(addr, a->bytes, lanes, i, shape, odd);
        s->v[2][i] = a->scalar ? (uint32_t)(at - (addr - 0x1000)) : (uint32_t)at;
        s->v[3][i] = (uint32_t)(at >> 32);
    }
}

/* Where in and around a buffer a run of `size` bytes begins. */
static uint64_t start(const struct buffer *b, unsigned size, unsigned n)
{
    switch (n) {
    case 0: return b->addr;
    case 1: return b->addr + 64;
    case 2: return b->addr + 1 + random32() % 63;             /* not aligned */
    case 3: return b->addr + b->size - size;                  /* up to the end */
    case 4: return b->addr + b->size - size + 1;              /* one byte too far */
    case 5: return b->addr + b->size - size / 2;              /* the end in the middle */
    case 6: return b->addr - 4;                               /* from before */
    case 7: return b->addr + b->size;
    case 8: return BORDER - size / 2;                         /* where low halves begin anew */
    default: return b->addr + random32() % SIZE;
    }
}

static void around_buffers(unsigned lanes)
{
    static struct state s;
    for (unsigned build = 0; build < 3; build++) {
        struct machine m;
        if (!open_machine(&m, build, lanes))
            break;
        for (unsigned round = 0; round < 10 * BUFFERS * SHAPES * 4; round++)
            for (unsigned which = 0; which < ACCESSES; which++) {
                const struct access *const a = &accesses[which];
                for (unsigned i = 0; i < BUFFERS * SIZE / 4; i++)
                    ((uint32_t *)(void *)s.memory)[i] = i * 0x9e3779b9u + round;
                for (unsigned r = 0; r < ROWS; r++)
                    for (unsigned i = 0; i < CO_LANES_MAX; i++)
                        s.v[r][i] = r << 24 ^ i * 0x01010101u ^ round;
                place(&s, a, lanes, start(&buffers[round / 10 % BUFFERS], lanes * a->bytes, round % 10), round / 10 / BUFFERS % SHAPES);
                const uint64_t some = random32() | (uint64_t)random32() << 32, on[4] = { UINT64_MAX, some, 0, ~(UINT64_C(1) << some % lanes) };
                s.exec = on[round / 10 / BUFFERS / SHAPES] & m.wave->lane_mask;
                check(&m, &s, which, build);
            }
        close_machine(&m);
    }
}

static void wave32(void **state) { (void)state; around_buffers(32); }
static void wave64(void **state) { (void)state; around_buffers(64); }

/* ---- the memory hook ------------------------------------------------------------------------- */

struct told {
    unsigned count;
    uint64_t lanes;
};

static bool on_memory(void *user, const struct codeobj_exec_memory_event *e)
{
    struct told *const t = user;
    t->count++;
    t->lanes = e->lanes;
    return true;
}

/* A run is told as any access is, by all its lanes at once. */
static void hook_sees_runs(void **state)
{
    (void)state;
    static struct state s;
    struct machine m;
    assert_true(open_machine(&m, 0, 32));
    for (unsigned which = 0; which < ACCESSES; which++) {
        struct told told = { 0 };
        const struct codeobj_dispatch d = { .size = sizeof d, .memory = on_memory, .user = &told };
        s.exec = 0xffffffffu;
        place(&s, &accesses[which], 32, buffers[1].addr + 64, 0);
        check(&m, &s, which, 0); /* its buffer is known */
        begin(&m, &s);
        m.wave->watch = &d;
        assert_int_equal(step(&m, which), CO_NEXT);
        m.wave->watch = NULL;
        assert_int_equal(told.count, 1);
        assert_int_equal(told.lanes, 0xffffffffu);
    }
    close_machine(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(wave32), cmocka_unit_test(wave64), cmocka_unit_test(hook_sees_runs) };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

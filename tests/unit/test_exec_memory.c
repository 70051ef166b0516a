/* SPDX-License-Identifier: MIT
 *
 * Memory instructions one by one, on every address space and six processors:
 * fixtures/memory's kernels against values worked out by hand.  A case says what
 * a lane's memory, data operands and result are before and after.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <codeobj/codeobj.h>

#define DIR "fixtures/memory/"
#define D 0xdddddddd /* what the result registers hold before */
enum { LANES = 32 };

/* Per lane: four dwords each. */
struct state {
    uint32_t memory[64][4], a[64][4], b[64][4], result[64][4];
};

struct machine {
    const char *cpu;
    struct codeobj_elf *elf;
    struct codeobj_device *device;
    uint64_t addr[4]; /* memory, a, b, result */
};

static void open_machine(struct machine *m, const char *cpu)
{
    struct codeobj_diag diag = { 0 };
    struct codeobj_target target;
    char path[96];
    snprintf(path, sizeof path, DIR "memory-%s.co", cpu);
    m->cpu = cpu;
    assert_int_equal(codeobj_elf_open_file(path, NULL, &m->elf, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_target_parse(cpu, &target, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_new(&target, NULL, &m->device, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_load(m->device, m->elf, &diag), CODEOBJ_OK);
    for (unsigned i = 0; i < 4; i++)
        codeobj_device_alloc(m->device, 1024, i ? "operand" : "memory", &m->addr[i], NULL);
}

static void close_machine(struct machine *m)
{
    codeobj_device_free(m->device);
    codeobj_elf_free(m->elf);
}

/* false: this processor has no such instruction. */
static bool run(struct machine *m, const char *kernel, struct state *s)
{
    struct codeobj_diag diag = { 0 };
    char descriptor[64];
    uint64_t addr, size;
    snprintf(descriptor, sizeof descriptor, "%s.kd", kernel);
    if (codeobj_device_symbol(m->device, descriptor, &addr, &size) != CODEOBJ_OK)
        return false;
    codeobj_device_write(m->device, m->addr[0], s->memory, 1024, NULL);
    codeobj_device_write(m->device, m->addr[1], s->a, 1024, NULL);
    codeobj_device_write(m->device, m->addr[2], s->b, 1024, NULL);
    const struct codeobj_dispatch d = { .size = sizeof d, .kernel = kernel, .grid = { LANES }, .workgroup = { LANES },
                                        .kernarg = m->addr, .kernarg_size = sizeof m->addr, .threads = 1 };
    if (codeobj_device_dispatch(m->device, &d, NULL, &diag) != CODEOBJ_OK)
        fail_msg("%s on %s: %s", kernel, m->cpu, diag.text);
    codeobj_device_read(m->device, m->addr[0], s->memory, 1024, NULL);
    codeobj_device_read(m->device, m->addr[3], s->result, 1024, NULL);
    return true;
}

/* ---- atomics --------------------------------------------------------------------------- */

struct atomic_case {
    const char *op;
    unsigned bits;
    uint64_t old, a, b, now;
};

#define F(x) UINT64_C(x)
static const struct atomic_case atomics[] = {
    { "swap", 32, 5, 7, 0, 7 },
    { "swap", 64, 5, F(0x700000001), 0, F(0x700000001) },
    { "add", 32, 0xffffffff, 2, 0, 1 },
    { "add", 64, 0xffffffff, 2, 0, F(0x100000001) },
    { "sub", 32, 1, 3, 0, 0xfffffffe },
    { "sub", 64, F(0x100000000), 1, 0, 0xffffffff },
    { "rsub", 32, 3, 1, 0, 0xfffffffe },
    { "rsub", 64, 1, F(0x100000000), 0, 0xffffffff },
    { "smin", 32, 5, 0xfffffff0, 0, 0xfffffff0 },
    { "smin", 32, 0x80000000, 0x7fffffff, 0, 0x80000000 },
    { "smin", 64, 5, F(0x8000000000000000), 0, F(0x8000000000000000) },
    { "umin", 32, 5, 0xfffffff0, 0, 5 },
    { "umin", 64, 5, F(0x8000000000000000), 0, 5 },
    { "smax", 32, 5, 0xfffffff0, 0, 5 },
    { "smax", 64, 5, F(0x8000000000000000), 0, 5 },
    { "umax", 32, 5, 0xfffffff0, 0, 0xfffffff0 },
    { "umax", 64, 5, F(0x8000000000000000), 0, F(0x8000000000000000) },
    { "and", 32, 0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00 },
    { "and", 64, F(0xff00000000ff), F(0x0f00000000f0), 0, F(0x0f00000000f0) },
    { "or", 32, 0xff00ff00, 0x0ff00ff0, 0, 0xfff0fff0 },
    { "or", 64, F(0xff0000000000), 1, 0, F(0xff0000000001) },
    { "xor", 32, 0xff00ff00, 0x0ff00ff0, 0, 0xf0f0f0f0 },
    { "xor", 64, F(0xff0000000001), 1, 0, F(0xff0000000000) },
    { "inc", 32, 6, 7, 0, 7 },           /* wraps once it has reached the limit */
    { "inc", 32, 7, 7, 0, 0 },
    { "inc", 32, 9, 7, 0, 0 },
    { "inc", 64, 0xffffffff, F(0x1ffffffff), 0, F(0x100000000) },
    { "dec", 32, 6, 7, 0, 5 },           /* 0 and what is above the limit become the limit */
    { "dec", 32, 0, 7, 0, 7 },
    { "dec", 32, 9, 7, 0, 7 },
    { "dec", 64, F(0x100000000), F(0x1ffffffff), 0, 0xffffffff },
    { "mskor", 32, 0x12345678, 0x0000ff00, 0x00009900, 0x12349978 },
    { "mskor", 64, F(0x1234567800000000), F(0xff00000000), F(0x9900000000), F(0x1234569900000000) },
    { "cmpswap", 32, 5, 7, 5, 7 },       /* data: new value, then comparand */
    { "cmpswap", 32, 6, 7, 5, 6 },
    { "cmpswap", 64, F(0x500000005), F(0x700000007), F(0x500000005), F(0x700000007) },
    { "cmpswap", 64, F(0x500000005), F(0x700000007), F(0x400000005), F(0x500000005) },
    { "cmpst", 32, 5, 5, 7, 7 },         /* data0 is the comparand */
    { "cmpst", 32, 6, 5, 7, 6 },
    { "cmpst", 64, F(0x500000005), F(0x500000005), F(0x700000007), F(0x700000007) },
    { "cmpstore", 32, 5, 7, 5, 7 },      /* data0 is the new value */
    { "cmpstore", 32, 6, 7, 5, 6 },
    { "cmpstore", 64, F(0x500000005), F(0x700000007), F(0x500000005), F(0x700000007) },
    { "csub", 32, 9, 7, 0, 2 },
    { "csub", 32, 5, 7, 0, 0 },
    { "cond_sub", 32, 9, 7, 0, 2 },
    { "cond_sub", 32, 5, 7, 0, 5 },
    { "wrap", 32, 9, 7, 100, 2 },
    { "wrap", 32, 5, 7, 100, 105 },
    { "fadd", 32, 0x3f800000, 0x40000000, 0, 0x40400000 },
    { "fadd", 32, 0x3f800000, 0x33800000, 0, 0x3f800000 }, /* 1 + 2^-24: half way, to even */
    { "fadd", 32, 0x3f800001, 0x33800000, 0, 0x3f800002 },
    { "fadd", 32, 0x7f800000, 0xff800000, 0, 0x7fc00000 },
    { "fadd", 64, F(0x3ff0000000000000), F(0x4000000000000000), 0, F(0x4008000000000000) },
    { "fmin", 32, 0x3f800000, 0xc0000000, 0, 0xc0000000 },
    { "fmin", 32, 0x00000000, 0x80000000, 0, 0x80000000 },
    { "fmin", 32, 0x7fc00000, 0x3f800000, 0, 0x3f800000 },
    { "fmin", 64, F(0x3ff0000000000000), F(0xc000000000000000), 0, F(0xc000000000000000) },
    { "fmax", 32, 0x3f800000, 0xc0000000, 0, 0x3f800000 },
    { "fmax", 32, 0x80000000, 0x00000000, 0, 0x00000000 },
    { "fmax", 32, 0xbf800000, 0x7fc00000, 0, 0xbf800000 },
    { "fmax", 64, F(0x3ff0000000000000), F(0xc000000000000000), 0, F(0x3ff0000000000000) },
    { "fcmpst", 32, 0x80000000, 0x00000000, 0x3f800000, 0x3f800000 }, /* -0 equals +0 */
    { "fcmpst", 32, 0x7fc00000, 0x7fc00000, 0x3f800000, 0x7fc00000 }, /* a NaN equals nothing */
    { "fcmpst", 64, F(0x8000000000000000), 0, 7, 7 },
    { "fcmpstore", 32, 0x80000000, 0x3f800000, 0x00000000, 0x3f800000 },
    { "fcmpstore", 32, 0x7fc00000, 0x3f800000, 0x7fc00000, 0x7fc00000 },
    { "fcmpstore", 64, F(0x8000000000000000), 7, 0, 7 },
    { "pk_add_f16", 32, 0x3c004000, 0x40003c00, 0, 0x42004200 }, /* {2, 1} + {1, 2} */
    { "pk_add_f16", 32, 0x7bff0001, 0x7bff0001, 0, 0x7c000002 },
    { "pk_add_bf16", 32, 0x3f804000, 0x40003f80, 0, 0x40404040 },
    { "condxchg32", 64, F(0x1111111122222222), F(0x8000000533333333), 0, F(0x0000000522222222) },
};

static uint64_t pair(const uint32_t *p, unsigned bits)
{
    return p[0] | (bits == 64 ? (uint64_t)p[1] << 32 : 0);
}

static void check_atomic(struct machine *m, const char *space, const struct atomic_case *c, unsigned *ran)
{
    static struct state s;
    char kernel[64];
    memset(&s, 0, sizeof s);
    for (unsigned i = 0; i < 64; i++) {
        s.memory[i][1] = s.memory[i][2] = s.memory[i][3] = 0xcccccccc;
        s.memory[i][0] = (uint32_t)c->old;
        if (c->bits == 64)
            s.memory[i][1] = (uint32_t)(c->old >> 32);
        memcpy(s.a[i], &c->a, 8);
        memcpy(s.b[i], &c->b, 8);
    }
    snprintf(kernel, sizeof kernel, "%s_%s_%u", space, c->op, c->bits);
    if (!run(m, kernel, &s))
        return;
    ++*ran;
    for (unsigned i = 0; i < LANES; i++) {
        const uint64_t now = pair(s.memory[i], c->bits), result = pair(s.result[i], c->bits);
        if (now != c->now || result != c->old)
            fail_msg("%s on %s lane %u: memory 0x%llx, result 0x%llx, expected 0x%llx, 0x%llx", kernel, m->cpu, i,
                     (unsigned long long)now, (unsigned long long)result, (unsigned long long)c->now,
                     (unsigned long long)c->old);
        assert_int_equal(s.memory[i][2], 0xcccccccc);
        if (c->bits == 32) {
            assert_int_equal(s.memory[i][1], 0xcccccccc);
            assert_int_equal(s.result[i][1], D);
        }
    }
}

static void atomics_everywhere(const char *cpu)
{
    static const char *const spaces[] = { "ds", "global", "flat", "buffer" };
    struct machine m;
    unsigned ran = 0;
    open_machine(&m, cpu);
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++)
        for (unsigned k = 0; k < 4; k++)
            check_atomic(&m, spaces[k], &atomics[i], &ran);
    close_machine(&m);
    assert_true(ran >= 100);
}

/* ---- loads and stores -------------------------------------------------------------------- */

struct move_case {
    const char *name; /* behind the space's prefix; "=": the whole name */
    uint32_t want[4]; /* result of a load, memory after a store */
};
static const uint32_t pattern[4] = { 0x8f92a3b4, 0x15263748, 0x99aabbcc, 0x7d6e5f40 };
static const uint32_t operand[4] = { 0x01020384, 0x11121394, 0x212223a4, 0x313233b4 };

static const struct move_case loads[] = {
    { "load_u8", { 0xb4, D, D, D } },
    { "load_i8", { 0xffffffb4, D, D, D } },
    { "load_u16", { 0xa3b4, D, D, D } },
    { "load_i16", { 0xffffa3b4, D, D, D } },
    { "load_b32", { 0x8f92a3b4, D, D, D } },
    { "load_b64", { 0x8f92a3b4, 0x15263748, D, D } },
    { "load_b96", { 0x8f92a3b4, 0x15263748, 0x99aabbcc, D } },
    { "load_b128", { 0x8f92a3b4, 0x15263748, 0x99aabbcc, 0x7d6e5f40 } },
    { "load_d16_u8", { 0xdddd00b4, D, D, D } },
    { "load_d16_hi_u8", { 0x00b4dddd, D, D, D } },
    { "load_d16_i8", { 0xddddffb4, D, D, D } },
    { "load_d16_hi_i8", { 0xffb4dddd, D, D, D } },
    { "load_d16_b16", { 0xdddda3b4, D, D, D } },
    { "load_d16_hi_b16", { 0xa3b4dddd, D, D, D } },
    { "=buffer_load_tfe", { 0x8f92a3b4, 0, D, D } },
    { "=ds_load2_b32", { 0x15263748, 0x7d6e5f40, D, D } },
    { "=ds_load2_b64", { 0x99aabbcc, 0x7d6e5f40, 0x8f92a3b4, 0x15263748 } },
};
static const struct move_case stores[] = {
    { "store_b8", { 0x8f92a384, 0x15263748, 0x99aabbcc, 0x7d6e5f40 } },
    { "store_b16", { 0x8f920384, 0x15263748, 0x99aabbcc, 0x7d6e5f40 } },
    { "store_b32", { 0x01020384, 0x15263748, 0x99aabbcc, 0x7d6e5f40 } },
    { "store_b64", { 0x01020384, 0x11121394, 0x99aabbcc, 0x7d6e5f40 } },
    { "store_b96", { 0x01020384, 0x11121394, 0x212223a4, 0x7d6e5f40 } },
    { "store_b128", { 0x01020384, 0x11121394, 0x212223a4, 0x313233b4 } },
    { "store_d16_hi_b8", { 0x8f92a302, 0x15263748, 0x99aabbcc, 0x7d6e5f40 } },
    { "store_d16_hi_b16", { 0x8f920102, 0x15263748, 0x99aabbcc, 0x7d6e5f40 } },
    { "=ds_store2_b32", { 0x8f92a3b4, 0xb1b2b3b4, 0x99aabbcc, 0x01020384 } },
    { "=ds_store2_b64", { 0xb1b2b3b4, 0xc1c2c3c4, 0x01020384, 0x11121394 } },
};

static void check_move(struct machine *m, const char *space, const struct move_case *c, bool load, unsigned *ran)
{
    static const uint32_t second[4] = { 0xb1b2b3b4, 0xc1c2c3c4, 0, 0 };
    static struct state s;
    char kernel[64];
    for (unsigned i = 0; i < 64; i++) {
        memcpy(s.memory[i], pattern, 16);
        memcpy(s.a[i], operand, 16);
        memcpy(s.b[i], second, 16);
    }
    if (c->name[0] == '=')
        snprintf(kernel, sizeof kernel, "%s", c->name + 1);
    else
        snprintf(kernel, sizeof kernel, "%s_%s", space, c->name);
    if (!run(m, kernel, &s))
        return;
    ++*ran;
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned k = 0; k < 4; k++) {
            const uint32_t got = load ? s.result[i][k] : s.memory[i][k], other = load ? s.memory[i][k] : s.result[i][k];
            if (got != c->want[k])
                fail_msg("%s on %s lane %u dword %u: 0x%08x, expected 0x%08x", kernel, m->cpu, i, k, got, c->want[k]);
            assert_int_equal(other, load ? pattern[k] : D);
        }
}

static void moves_everywhere(const char *cpu)
{
    static const char *const spaces[] = { "ds", "global", "flat", "buffer", "saddr" };
    struct machine m;
    unsigned ran = 0;
    open_machine(&m, cpu);
    for (unsigned k = 0; k < 5; k++) {
        for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
            check_move(&m, spaces[k], &loads[i], true, &ran);
        for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
            check_move(&m, spaces[k], &stores[i], false, &ran);
    }
    close_machine(&m);
    assert_true(ran >= 90);
}

/* ---- the rest: counters, ranges, descriptors, formats ------------------------------------------ */

static void fill_counting(struct state *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < 64; i++)
        for (unsigned k = 0; k < 4; k++) {
            s->memory[i][k] = 1000 + 4 * i + k;
            s->a[i][k] = 2000 + 4 * i + k;
        }
}

static void counters_and_ranges(const char *cpu)
{
    static struct state s;
    struct machine m;
    open_machine(&m, cpu);
    fill_counting(&s);
    assert_true(run(&m, "ds_append", &s)); /* all lanes get the old value; M0 is 16: lane 1's first dword */
    assert_int_equal(s.result[0][0], 1004);
    assert_int_equal(s.result[31][0], 1004);
    assert_int_equal(s.memory[1][0], 1004 + LANES);
    fill_counting(&s);
    assert_true(run(&m, "ds_consume", &s));
    assert_int_equal(s.result[7][0], 1005);
    assert_int_equal(s.memory[1][1], 1005 - LANES);
    fill_counting(&s);
    assert_true(run(&m, "ds_out_of_range", &s)); /* reads 0, drops the write */
    assert_int_equal(s.result[3][0], 0);
    assert_int_equal(s.memory[3][0], 1012);
    fill_counting(&s);
    assert_true(run(&m, "buffer_out_of_range", &s)); /* 64 * 16 bytes are the buffer */
    assert_int_equal(s.result[3][0], 0);
    assert_int_equal(s.memory[3][0], 1012);
    fill_counting(&s);
    assert_true(run(&m, "buffer_index", &s)); /* stride 16, 20 records, offset 4 */
    assert_int_equal(s.result[5][0], 1021);
    assert_int_equal(s.result[19][0], 1077);
    assert_int_equal(s.result[20][0], 0);
    fill_counting(&s);
    if (run(&m, "ds_swap2_b32", &s)) { /* data0 to dword 2, data1 to dword 0 */
        assert_int_equal(s.result[1][0], 1006);
        assert_int_equal(s.result[1][1], 1004);
        assert_int_equal(s.memory[1][2], 2004);
        assert_int_equal(s.memory[1][0], 0);
    }
    close_machine(&m);
}

/* Forms that few processors have. */
static void special_forms(const char *cpu)
{
    static struct state s;
    struct machine m;
    open_machine(&m, cpu);
    fill_counting(&s);
    if (run(&m, "load_lds", &s)) /* lane i's dword to LDS 4 * i */
        assert_int_equal(s.result[5][0], 1020);
    fill_counting(&s);
    if (run(&m, "load_block", &s)) { /* M0 is 0b1011 */
        static const uint32_t want[4] = { 1012, 1013, D, 1015 };
        assert_memory_equal(s.result[3], want, sizeof want);
    }
    fill_counting(&s);
    if (run(&m, "addtid", &s)) /* base + 8 + 4 * lane */
        assert_int_equal(s.result[3][0], 1005);
    fill_counting(&s);
    if (run(&m, "src2_add", &s)) /* the next dword is added */
        assert_int_equal(s.result[3][0], 1012 + 1013);
    fill_counting(&s);
    if (run(&m, "src2_write", &s)) /* the dword before: lane 2's last */
        assert_int_equal(s.result[3][0], 1011);
    /* Element h of lane l is 8 * l + h: lane i gets column i of rows of 16 elements. */
    for (unsigned i = 0; i < 64; i++)
        for (unsigned k = 0; k < 4; k++)
            s.memory[i][k] = (8 * i + 2 * k) | (8 * i + 2 * k + 1) << 16;
    if (run(&m, "ds_tr_b16", &s)) {
        assert_int_equal(s.result[0][0], 0 | (4 * 8) << 16);          /* lanes 0 and 4 */
        assert_int_equal(s.result[0][1], (8 * 8) | (12 * 8) << 16);
        assert_int_equal(s.result[22][0], (17 * 8 + 2) | (21 * 8 + 2) << 16); /* column 6: lane 1, element 2 */
    }
    for (unsigned i = 0; i < 64; i++)
        for (unsigned k = 0; k < 16; k++)
            ((uint8_t *)s.memory[i])[k] = (uint8_t)(8 * i + k);
    if (run(&m, "ds_tr_b8", &s)) { /* column 9: lanes 1, 3, 5, 7 ..., element 1 */
        assert_int_equal(s.result[9][0], 9 | 25 << 8 | 41 << 16 | 57u << 24);
        assert_int_equal(s.result[9][1], 73 | 89 << 8 | 105 << 16 | 121u << 24);
    }
    close_machine(&m);
}

struct format_case {
    const char *name;
    uint32_t memory[2], value[4]; /* loaded from memory; storing value gives memory back */
};
static const struct format_case formats[] = {
    { "unorm8", { 0xff800100, 0 }, { 0, 0x3b808081, 0x3f008081, 0x3f800000 } },       /* 0, 1/255, 128/255, 1 */
    { "snorm16", { 0x80017fff, 0 }, { 0x3f800000, 0xbf800000, 0, 0x3f800000 } },       /* 1, -1 */
    /* x 11 bits: 1.0 is 0x3c0; y 11 bits: 2.0 is 0x400; z 10 bits: 0.5 is 0x1c0 */
    { "float11", { 0x3c0u | 0x400u << 11 | 0x1c0u << 22, 0 }, { 0x3f800000, 0x40000000, 0x3f000000, 0x3f800000 } },
    { "uint10", { 1u | 2u << 10 | 1023u << 20 | 3u << 30, 0 }, { 1, 2, 1023, 3 } },
    { "half4", { 0xc0003c00, 0x00017bff }, { 0x3f800000, 0xc0000000, 0x477fe000, 0x33800000 } },
};

static void typed_buffers(const char *cpu)
{
    static struct state s;
    struct machine m;
    char kernel[64];
    open_machine(&m, cpu);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const struct format_case *f = &formats[i];
        const bool wide = !strcmp(f->name, "half4");
        fill_counting(&s);
        for (unsigned k = 0; k < 64; k++)
            memcpy(s.memory[k], f->memory, 8);
        snprintf(kernel, sizeof kernel, "tbuffer_load_%s", f->name);
        if (!run(&m, kernel, &s))
            continue;
        for (unsigned c = 0; c < 4; c++)
            if (s.result[9][c] != f->value[c])
                fail_msg("%s on %s component %u: 0x%08x, expected 0x%08x", kernel, cpu, c, s.result[9][c], f->value[c]);
        fill_counting(&s);
        for (unsigned k = 0; k < 64; k++)
            memcpy(s.a[k], f->value, 16);
        snprintf(kernel, sizeof kernel, "tbuffer_store_%s", f->name);
        assert_true(run(&m, kernel, &s));
        if (s.memory[9][0] != f->memory[0] || s.memory[9][1] != (wide ? f->memory[1] : 1037))
            fail_msg("%s on %s: 0x%08x 0x%08x", kernel, cpu, s.memory[9][0], s.memory[9][1]);
    }
    close_machine(&m);
}

#define PROCESSORS(X) X(gfx900) X(gfx90a) X(gfx942) X(gfx950) X(gfx1100) X(gfx1201)
#define TEST(cpu)                                                                        \
    static void atomics_##cpu(void **state) { (void)state; atomics_everywhere(#cpu); }    \
    static void moves_##cpu(void **state) { (void)state; moves_everywhere(#cpu); }        \
    static void counters_##cpu(void **state) { (void)state; counters_and_ranges(#cpu); }  \
    static void special_##cpu(void **state) { (void)state; special_forms(#cpu); }         \
    static void typed_##cpu(void **state) { (void)state; typed_buffers(#cpu); }
PROCESSORS(TEST)

int main(void)
{
#define LIST(cpu) \
    cmocka_unit_test(atomics_##cpu), cmocka_unit_test(moves_##cpu), cmocka_unit_test(counters_##cpu), cmocka_unit_test(typed_##cpu), \
    cmocka_unit_test(special_##cpu),
    const struct CMUnitTest tests[] = { PROCESSORS(LIST) };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * The executor against the specification: kernels of fixtures/lanes, built for every
 * processor, give what codeobj/subgroup.h says, for random inputs and masks (fixed seed).
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
#include <codeobj/subgroup.h>

#define DIR "fixtures/lanes/"
enum { ROUNDS = 40, LANES = CODEOBJ_LANES_MAX };

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint32_t random32(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

/* ---- one object on a device -------------------------------------------------------- */

struct object {
    const struct codeobj_processor *processor;
    unsigned wave;
    struct codeobj_elf *elf;
    struct codeobj_device *device;
    uint64_t out, a, b, old;
};

struct lanes {
    uint32_t a[LANES], b[LANES], old[LANES], out[LANES];
    uint64_t mask;
};

static void must(enum codeobj_status status, const struct codeobj_diag *diag, const char *what)
{
    char text[1024];
    if (status == CODEOBJ_OK)
        return;
    codeobj_diag_format(diag, text, sizeof text);
    fail_msg("%s: %s", what, text);
}

static void open_object(struct object *o, const char *kind, const char *cpu, unsigned wave)
{
    struct codeobj_diag diag = { 0 };
    char path[128];
    snprintf(path, sizeof path, DIR "%s-%s-w%u.co", kind, cpu, wave);
    *o = (struct object){ .processor = codeobj_processor_by_name(cpu), .wave = wave };
    must(codeobj_elf_open_file(path, NULL, &o->elf, &diag), &diag, path);
    struct codeobj_target target;
    must(codeobj_target_parse(cpu, &target, &diag), &diag, cpu);
    must(codeobj_device_new(&target, NULL, &o->device, &diag), &diag, cpu);
    must(codeobj_device_load(o->device, o->elf, &diag), &diag, path);
    uint64_t *const buffers[] = { &o->out, &o->a, &o->b, &o->old };
    for (unsigned i = 0; i < 4; i++)
        must(codeobj_device_alloc(o->device, LANES * 4, "lanes", buffers[i], &diag), &diag, "alloc");
}

static void close_object(struct object *o)
{
    codeobj_device_free(o->device);
    codeobj_elf_free(o->elf);
}

static void run(struct object *o, const char *kernel, struct lanes *l)
{
    struct codeobj_diag diag = { 0 };
    uint64_t kernarg[5] = { o->out, o->a, o->b, o->old, l->mask };
    codeobj_device_write(o->device, o->a, l->a, sizeof l->a, NULL);
    codeobj_device_write(o->device, o->b, l->b, sizeof l->b, NULL);
    codeobj_device_write(o->device, o->old, l->old, sizeof l->old, NULL);
    const struct codeobj_dispatch d = { .size = sizeof d, .kernel = kernel, .grid = { o->wave }, .workgroup = { o->wave },
                                        .kernarg = kernarg, .kernarg_size = sizeof kernarg, .threads = 1 };
    enum codeobj_status status = codeobj_device_dispatch(o->device, &d, NULL, &diag);
    if (status != CODEOBJ_OK)
        must(status, &diag, o->processor->name);
    codeobj_device_read(o->device, o->out, l->out, sizeof l->out, NULL);
}

/* Inputs of a round: full, empty, one lane, then anything; small numbers as well as large. */
static void fill(struct lanes *l, unsigned round, unsigned wave)
{
    for (unsigned i = 0; i < LANES; i++) {
        l->a[i] = round & 1 ? random32() : random32() % 5;
        l->b[i] = round & 1 ? random32() : random32() % 256;
        l->old[i] = random32();
    }
    const uint64_t any = (uint64_t)random32() << 32 | random32();
    l->mask = round == 0 ? UINT64_MAX : round == 1 ? 0 : round == 2 ? UINT64_C(1) << (any % wave) : any;
    l->mask &= codeobj_lanes_all(wave);
}

static void compare(const struct object *o, const char *kernel, const struct lanes *l, const uint32_t *want)
{
    for (unsigned i = 0; i < o->wave; i++)
        if (l->out[i] != want[i])
            fail_msg("%s of %s wave%u, mask 0x%llx, lane %u: 0x%08x, expected 0x%08x", kernel, o->processor->name,
                     o->wave, (unsigned long long)l->mask, i, l->out[i], want[i]);
}

/* ---- ops.list: one instruction a kernel ----------------------------------------------- */

static void expect_op(const struct object *o, const char *spec, const struct lanes *l, uint32_t *want)
{
    struct codeobj_lanes_op op;
    struct codeobj_lanes_result r;
    struct codeobj_diag diag = { 0 };
    const bool scalar = !strncmp(spec, "scalar ", 7), ignore = !strncmp(spec, "ignore-exec ", 12);
    spec += scalar ? 7 : ignore ? 12 : 0;
    must(codeobj_lanes_parse(spec, &op, &diag), &diag, spec);
    must(codeobj_lanes_eval(&op, o->processor, l->mask, o->wave, l->a, l->b, l->old, &r, &diag), &diag, spec);
    for (unsigned i = 0; i < o->wave; i++) {
        want[i] = scalar ? (uint32_t)r.scalar : r.value[i];
        if (ignore && !(l->mask >> i & 1))
            want[i] = l->old[i]; /* the copy that follows does look at EXEC */
    }
}

static bool has_kernel(const struct object *o, const char *name)
{
    char descriptor[520];
    snprintf(descriptor, sizeof descriptor, "%s.kd", name);
    uint64_t addr, size;
    return codeobj_device_symbol(o->device, descriptor, &addr, &size) == CODEOBJ_OK;
}

static void trim(char *s)
{
    size_t n = strlen(s);
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\n'))
        s[--n] = 0;
}

static void prove_ops(const char *cpu, unsigned wave)
{
    struct object o;
    struct lanes l;
    char line[512];
    unsigned kernels = 0;
    open_object(&o, "ops", cpu, wave);
    FILE *list = fopen(DIR "ops.list", "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        char *where = strchr(line, '|'), *spec = strrchr(line, '|');
        assert_true(where && spec && where != spec);
        *where = 0;
        spec++;
        spec += strspn(spec, " ");
        trim(line);
        trim(spec);
        if (!has_kernel(&o, line))
            continue;
        kernels++;
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint32_t want[LANES];
            fill(&l, round, wave);
            run(&o, line, &l);
            expect_op(&o, spec, &l, want);
            compare(&o, line, &l, want);
        }
    }
    fclose(list);
    close_object(&o);
    assert_true(kernels >= 45); /* nothing went missing */
}

/* ---- compose.c ------------------------------------------------------------------------------ */

static void keep(const struct lanes *l, uint32_t *want)
{
    memcpy(want, l->old, sizeof l->old);
}

static void spread(const struct lanes *l, uint64_t lanes, uint32_t value, uint32_t *want)
{
    for (unsigned i = 0; i < LANES; i++)
        want[i] = lanes >> i & 1 ? value : l->old[i];
}

static void expect_map(const struct lanes *l, unsigned wave, const struct codeobj_lane_map *map, uint32_t *want)
{
    keep(l, want);
    codeobj_lane_map_apply(map, wave, l->a, want, want);
}

static void expect_rotate(const struct object *o, const struct lanes *l, uint32_t *want)
{
    struct codeobj_lane_map map;
    for (unsigned i = 0; i < o->wave; i++) {
        unsigned from = (i + o->wave - 1) % o->wave;
        bool on = l->mask >> i & 1, source = l->mask >> from & 1;
        map.from[i] = (int8_t)(!on ? CODEOBJ_LANE_KEEP : source ? (int)from : CODEOBJ_LANE_ZERO);
    }
    expect_map(l, o->wave, &map, want);
}

/* Sum of the lanes of 32 (both halves of a wave64 by themselves), and prefix sums. */
static void expect_sums(const struct object *o, const struct lanes *l, bool prefix, uint32_t *want)
{
    keep(l, want);
    for (unsigned half = 0; half < o->wave; half += 32) {
        uint32_t sum = 0;
        for (unsigned i = half; i < half + 32; i++) {
            sum += l->mask >> i & 1 ? l->a[i] : 0;
            if (prefix && (l->mask >> i & 1))
                want[i] = sum;
        }
        for (unsigned i = half; i < half + 32 && !prefix; i++)
            if (l->mask >> i & 1)
                want[i] = sum;
    }
}

static void expect_compact(const struct object *o, const struct lanes *l, uint32_t *want)
{
    unsigned n = 0;
    keep(l, want);
    for (unsigned i = 0; i < o->wave; i++)
        if (l->mask >> i & 1 && l->b[i] & 1)
            want[n++] = l->a[i];
}

static void expect_equal(const struct object *o, const struct lanes *l, uint32_t *want)
{
    uint32_t first = codeobj_readfirstlane(l->a, l->mask, o->wave);
    bool equal = true;
    for (unsigned i = 0; i < o->wave; i++)
        equal = equal && (!(l->mask >> i & 1) || l->a[i] == first);
    spread(l, l->mask, equal, want);
}

/* A vendor-neutral operation by its text form; name is the kernel's, '_' for '.'. */
static void expect_neutral(const struct lanes *l, const char *name, uint32_t *want)
{
    char text[128], dotted[64];
    struct codeobj_lanes_op op;
    struct codeobj_lanes_result r;
    struct codeobj_diag diag = { 0 };
    snprintf(dotted, sizeof dotted, "%s", name);
    for (char *p = dotted; *p; p++)
        *p = *p == '_' ? '.' : *p;
    if (!strncmp(name, "shfl", 4))
        snprintf(text, sizeof text, "%s 0x%x, 0x%x", dotted, l->b[0], (uint32_t)l->mask);
    else
        snprintf(text, sizeof text, "%s 0x%x", dotted, (uint32_t)l->mask);
    must(codeobj_lanes_parse(text, &op, &diag), &diag, text);
    must(codeobj_lanes_eval(&op, NULL, UINT32_MAX, 32, l->a, NULL, l->old, &r, &diag), &diag, text);
    keep(l, want);
    memcpy(want, r.value, 32 * sizeof *want);
}

static void expect_hip(const struct object *o, const struct lanes *l, const char *name, uint32_t *want)
{
    static const char *const names[] = { "hip_shfl", "hip_shfl_up", "hip_shfl_down", "hip_shfl_xor" };
    struct codeobj_lane_map map;
    uint32_t arg[LANES], odd[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        arg[i] = l->b[0];
        odd[i] = l->b[i] & 1;
    }
    for (unsigned k = 0; k < 4; k++)
        if (!strcmp(name, names[k])) {
            codeobj_hip_shuffle_map((enum codeobj_shuffle)k, arg, 16, l->mask, o->wave, &map);
            expect_map(l, o->wave, &map, want);
            return;
        }
    spread(l, l->mask,
           !strcmp(name, "hip_any") ? codeobj_hip_any(odd, l->mask, o->wave) : codeobj_hip_all(odd, l->mask, o->wave), want);
}

static void expect_swap(const struct object *o, const struct lanes *l, const char *name, uint32_t *want)
{
    struct codeobj_lane_map map;
    codeobj_ds_swizzle_map((unsigned)strtoul(name + 5, NULL, 16), true, l->mask, o->wave, &map);
    expect_map(l, o->wave, &map, want);
}

static void expect_reduce(const struct object *o, const struct lanes *l, const char *name, uint32_t *want)
{
    static const char *const names[CODEOBJ_REDUCE_COUNT] = { "add", "sub", "min", "max", "umin", "umax", "and", "or",
                                                             "xor", "", "fadd", "fmin", "fmax", "" };
    const bool wide = !strncmp(name, "reduce64_", 9);
    uint64_t value[LANES];
    unsigned op = 0;
    while (strcmp(name + (wide ? 9 : 8), names[op]))
        op++;
    for (unsigned i = 0; i < LANES; i++)
        value[i] = l->a[i] | (uint64_t)l->b[i] << 32;
    const uint64_t r = codeobj_reduce_u64((enum codeobj_reduce)op, value, l->mask, o->wave);
    const uint32_t folded = (uint32_t)r + 31 * (uint32_t)(r >> 32);
    spread(l, l->mask, wide ? folded : codeobj_reduce_u32((enum codeobj_reduce)op, l->a, l->mask, o->wave), want);
}

/* false: a kernel without expectation. */
static bool expect(const struct object *o, const char *name, struct lanes *l, uint32_t *want)
{
    static const struct {
        const char *name;
        enum codeobj_reduce op;
    } reductions[] = { { "sum_wave_reduce", CODEOBJ_REDUCE_ADD },
                       { "umax_wave_reduce", CODEOBJ_REDUCE_UMAX },
                       { "min_wave_reduce", CODEOBJ_REDUCE_MIN },
                       { "xor_wave_reduce", CODEOBJ_REDUCE_XOR } };
    for (unsigned i = 0; i < 4; i++)
        if (!strcmp(name, reductions[i].name)) {
            spread(l, l->mask, codeobj_reduce_u32(reductions[i].op, l->a, l->mask, o->wave), want);
            return true;
        }
    if (!strncmp(name, "ired", 4) || !strncmp(name, "fred", 4) || !strncmp(name, "shfl", 4) ||
        !strncmp(name, "redfirst", 8))
        expect_neutral(l, name, want);
    else if (!strncmp(name, "hip_", 4))
        expect_hip(o, l, name, want);
    else if (!strncmp(name, "reduce", 6))
        expect_reduce(o, l, name, want);
    else if (!strncmp(name, "swap_", 5))
        expect_swap(o, l, name, want);
    else if (!strcmp(name, "rotate_bpermute"))
        expect_rotate(o, l, want);
    else if (!strcmp(name, "sum_shuffle") || !strcmp(name, "sum_dpp"))
        expect_sums(o, l, false, want);
    else if (!strcmp(name, "scan_up"))
        expect_sums(o, l, true, want);
    else if (!strcmp(name, "compact"))
        expect_compact(o, l, want);
    else if (!strcmp(name, "all_equal"))
        expect_equal(o, l, want);
    else if (!strcmp(name, "rotate_dpp")) {
        struct codeobj_lane_map map;
        const struct codeobj_dpp dpp = { CODEOBJ_DPP_WAVE_ROR, 15, 15, false, false };
        codeobj_dpp16_map(&dpp, l->mask, o->wave, &map);
        expect_map(l, o->wave, &map, want);
    } else {
        return false;
    }
    return true;
}

/* What a kernel's inputs have to be like. */
static void shape(const char *name, struct lanes *l, unsigned round)
{
    if (!strncmp(name, "hip_shfl", 8))
        l->b[0] %= 32;
    if (!strncmp(name, "reducef", 7)) /* numbers of moderate size */
        for (unsigned i = 0; i < LANES; i++)
            l->a[i] = (random32() & 0x83ffffff) | 0x3c000000;
    if (!strcmp(name, "all_equal") && round % 3 == 0)
        for (unsigned i = 0; i < LANES; i++)
            l->a[i] = 77;
    if (!strncmp(name, "fred", 4) && round % 3 == 0) /* NaNs and zeros of both signs */
        for (unsigned i = 0; i < LANES; i++) {
            static const uint32_t special[] = { 0, 0x80008000, 0x7fc17fc1, 0xff81ff81, 0x7f807f80, 0x3c003c00, 0xc000c000 };
            l->a[i] = special[random32() % 7];
        }
}

static void prove_compositions(const char *cpu, unsigned wave)
{
    struct object o;
    struct lanes l;
    unsigned kernels = 0;
    open_object(&o, "compose", cpu, wave);
    for (size_t i = 0; i < codeobj_elf_symbol_count(o.elf, CODEOBJ_DYNSYM); i++) {
        struct codeobj_elf_symbol symbol;
        if (codeobj_elf_symbol(o.elf, CODEOBJ_DYNSYM, i, &symbol) != CODEOBJ_OK)
            continue;
        char name[64];
        size_t n = strlen(symbol.name);
        if (n < 4 || strcmp(symbol.name + n - 3, ".kd") || n >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(n - 3), symbol.name);
        kernels++;
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint32_t want[LANES];
            fill(&l, round, wave);
            shape(name, &l, round);
            run(&o, name, &l);
            if (!expect(&o, name, &l, want))
                fail_msg("kernel %s is not expected", name);
            compare(&o, name, &l, want);
        }
    }
    close_object(&o);
    assert_true(kernels >= 70);
}

#define PROOF(what, cpu, wave)                                                         \
    static void what##_##cpu##_w##wave(void **state)                                   \
    {                                                                                  \
        (void)state;                                                                   \
        prove_##what(#cpu, wave);                                                      \
    }
#define CDNA(X, what) X(what, gfx900, 64) X(what, gfx90a, 64) X(what, gfx942, 64) X(what, gfx950, 64)
#define RDNA(X, what) \
    X(what, gfx1030, 32) X(what, gfx1030, 64) X(what, gfx1100, 32) X(what, gfx1100, 64) X(what, gfx1201, 32) X(what, gfx1201, 64)
CDNA(PROOF, ops)
RDNA(PROOF, ops)
CDNA(PROOF, compositions)
RDNA(PROOF, compositions)

int main(void)
{
#define TEST(what, cpu, wave) cmocka_unit_test(what##_##cpu##_w##wave),
    const struct CMUnitTest tests[] = { CDNA(TEST, ops) RDNA(TEST, ops) CDNA(TEST, compositions)
                                            RDNA(TEST, compositions) };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

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
    bool masked; /* the kernels store nothing in lanes that are off */
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

/* Numbers of moderate size, infinities, zeros and quiet NaNs. */
static void fill_floats(struct lanes *l, unsigned round)
{
    static const uint32_t special[] = { 0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc12345, 0xffc00001, 0x00000001 };
    for (unsigned i = 0; i < LANES; i++) {
        l->a[i] = (random32() & 0x83ffffff) | 0x3c000000;
        if (round % 4 == 3 || (round % 4 == 2 && random32() % 16 == 0))
            l->a[i] = special[random32() % 7];
    }
}

static void compare(const struct object *o, const char *kernel, const struct lanes *l, const uint32_t *want)
{
    for (unsigned i = 0; i < o->wave; i++)
        if (l->out[i] != want[i])
            fail_msg("%s of %s wave%u, mask 0x%llx, lane %u: 0x%08x, expected 0x%08x", kernel, o->processor->name,
                     o->wave, (unsigned long long)l->mask, i, l->out[i], want[i]);
}

/* ---- ops.list and builtins.list: one operation a kernel --------------------------------- */

static bool eat(const char **s, const char *prefix)
{
    const size_t n = strlen(prefix);
    const bool is = !strncmp(*s, prefix, n);
    *s += is ? n : 0;
    return is;
}

/* "KIND WIDTH [MASK]": HIP's shuffle with an argument for each lane. */
static void expect_hip_lanes(const struct object *o, const char *spec, const struct lanes *l, uint32_t *want)
{
    unsigned kind, width, mask = UINT32_MAX;
    uint32_t arg[LANES];
    struct codeobj_lane_map map;
    assert_in_range(sscanf(spec, "%u %u %u", &kind, &width, &mask), 2, 3);
    for (unsigned i = 0; i < LANES; i++)
        arg[i] = l->b[i] & mask;
    codeobj_hip_shuffle_map((enum codeobj_shuffle)kind, arg, width, l->mask, o->wave, codeobj_permute_group(o->processor, o->wave),
                            &map);
    memcpy(want, l->old, sizeof l->old);
    codeobj_lane_map_apply(&map, o->wave, l->a, want, want);
}

static void expect_op(const struct object *o, const char *spec, const struct lanes *l, uint32_t *want)
{
    struct codeobj_lanes_op op;
    struct codeobj_lanes_result r;
    struct codeobj_diag diag = { 0 };
    char text[128];
    if (eat(&spec, "hip-lanes ")) {
        expect_hip_lanes(o, spec, l, want);
        return;
    }
    const bool high = eat(&spec, "scalar-hi "), scalar = eat(&spec, "scalar ") || high, second = eat(&spec, "second ");
    const bool ignore = eat(&spec, "ignore-exec ");
    const char *ballot = strstr(spec, "$ballot");
    if (ballot)
        snprintf(text, sizeof text, "%.*s0x%llx", (int)(ballot - spec), spec,
                 (unsigned long long)codeobj_ballot(l->a, l->mask, strstr(spec, "b32 $") || strstr(spec, "replicate") ? 32 : o->wave));
    else
        snprintf(text, sizeof text, "%s", spec);
    must(codeobj_lanes_parse(text, &op, &diag), &diag, text);
    must(codeobj_lanes_eval(&op, o->processor, l->mask, o->wave, l->a, l->b, l->old, &r, &diag), &diag, text);
    assert_int_equal(r.has_scalar, scalar);
    for (unsigned i = 0; i < o->wave; i++) {
        const bool on = l->mask >> i & 1;
        want[i] = scalar ? (uint32_t)(r.scalar >> (high ? 32 : 0)) : second && on ? r.second[i] : r.value[i];
        if ((second || ignore || (scalar && o->masked)) && !on)
            want[i] = l->old[i]; /* what follows does look at EXEC */
    }
}

static bool has_kernel(const struct object *o, const char *name)
{
    char descriptor[520];
    snprintf(descriptor, sizeof descriptor, "%s.kd", name);
    uint64_t addr, size;
    return codeobj_device_symbol(o->device, descriptor, &addr, &size) == CODEOBJ_OK;
}

static unsigned kernel_count(const struct object *o)
{
    unsigned count = 0;
    for (size_t i = 0; i < codeobj_elf_symbol_count(o->elf, CODEOBJ_DYNSYM); i++) {
        struct codeobj_elf_symbol symbol;
        if (codeobj_elf_symbol(o->elf, CODEOBJ_DYNSYM, i, &symbol) != CODEOBJ_OK)
            continue;
        const size_t n = strlen(symbol.name);
        count += n > 3 && !strcmp(symbol.name + n - 3, ".kd");
    }
    return count;
}

static void trim(char *s)
{
    size_t n = strlen(s);
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\n'))
        s[--n] = 0;
}

static void prove_list(const char *kind, const char *cpu, unsigned wave)
{
    struct object o;
    struct lanes l;
    char line[512], path[64];
    unsigned kernels = 0;
    open_object(&o, kind, cpu, wave);
    o.masked = !strcmp(kind, "builtins");
    snprintf(path, sizeof path, DIR "%s.list", kind);
    FILE *list = fopen(path, "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        char *where = strchr(line, '|');
        const char *spec = strrchr(line, '|');
        assert_true(where && spec && where != spec);
        trim(line);
        *where = 0;
        spec++;
        spec += strspn(spec, " ");
        trim(line);
        if (!has_kernel(&o, line))
            continue;
        kernels++;
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint32_t want[LANES];
            fill(&l, round, wave);
            if (strstr(spec, "_reduce_f"))
                fill_floats(&l, round);
            run(&o, line, &l);
            expect_op(&o, spec, &l, want);
            if (l.mask || !strstr(spec, "reduce")) /* with no lane at all, none looks at the result */
                compare(&o, line, &l, want);
        }
    }
    fclose(list);
    assert_int_equal(kernels, kernel_count(&o)); /* nothing went missing */
    close_object(&o);
}

static void prove_ops(const char *cpu, unsigned wave)
{
    prove_list("ops", cpu, wave);
}

static void prove_builtins(const char *cpu, unsigned wave)
{
    prove_list("builtins", cpu, wave);
}

/* The page's example, run: lanes {A,B,C,D}, addresses {0,0,12,4}, EXEC 0xf and 0xa. */
static void prove_example(const char *cpu, unsigned wave)
{
    static const uint32_t want[2][2][4] = { { { 'A', 'A', 'D', 'B' }, { '-', 0, '-', 'B' } },
                                            { { 'B', 'D', 0, 'C' }, { '-', 'D', '-', 0 } } };
    struct object o;
    struct lanes l = { .a = { 'A', 'B', 'C', 'D' }, .b = { 0, 0, 12, 4 }, .old = { '-', '-', '-', '-' } };
    open_object(&o, "ops", cpu, wave);
    for (unsigned push = 0; push < 2; push++)
        for (unsigned partial = 0; partial < 2; partial++) {
            l.mask = partial ? 0xa : 0xf;
            run(&o, push ? "permute" : "bpermute", &l);
            assert_memory_equal(l.out, want[push][partial], sizeof want[push][partial]);
        }
    close_object(&o);
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

/* The _sync forms of HIP: the lanes of each value of b & 3 form a group. */
static bool expect_sync(const struct object *o, const struct lanes *l, const char *name, uint32_t *want)
{
    uint32_t odd[LANES], flags[LANES];
    uint64_t group[LANES], votes[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        odd[i] = l->a[i] & 1;
        group[i] = votes[i] = 0;
        for (unsigned j = 0; j < o->wave; j++)
            group[i] |= (uint64_t)((l->mask >> j & 1) && (l->b[j] & 3) == (l->b[i] & 3)) << j;
    }
    assert_true(codeobj_hip_sync_valid(group, l->mask, o->wave));
    keep(l, want);
    if (!strcmp(name, "hip_any_sync") || !strcmp(name, "hip_all_sync")) {
        (name[5] == 'n' ? codeobj_hip_any_sync : codeobj_hip_all_sync)(odd, group, l->mask, o->wave, flags);
        for (unsigned i = 0; i < o->wave; i++)
            want[i] = l->mask >> i & 1 ? flags[i] : want[i];
        return true;
    }
    if (!strcmp(name, "hip_ballot_sync"))
        codeobj_hip_ballot_sync(odd, group, l->mask, o->wave, votes);
    else if (!strcmp(name, "hip_activemask_sync"))
        memcpy(votes, group, sizeof votes);
    else if (!strcmp(name, "hip_match_any_sync"))
        for (unsigned i = 0; i < o->wave; i++) {
            uint64_t match[LANES] = { 0 };
            codeobj_hip_match_any(l->a, group[i], o->wave, match);
            votes[i] = match[i];
        }
    else
        return false;
    for (unsigned i = 0; i < o->wave; i++)
        if (l->mask >> i & 1)
            want[i] = (uint32_t)votes[i] + 31 * (uint32_t)(votes[i] >> 32);
    return true;
}

static bool expect_sync_shuffle(const struct object *o, const struct lanes *l, const char *name, uint32_t *want)
{
    static const char *const names[] = { "hip_shfl_sync", "hip_shfl_up_sync", "hip_shfl_down_sync", "hip_shfl_xor_sync" };
    struct codeobj_lane_map map;
    uint32_t arg[LANES];
    for (unsigned i = 0; i < LANES; i++)
        arg[i] = 5;
    for (unsigned k = 0; k < 4; k++)
        if (!strcmp(name, names[k])) {
            codeobj_hip_shuffle_map((enum codeobj_shuffle)k, arg, 16, l->mask, o->wave, codeobj_permute_group(o->processor, o->wave),
                            &map);
            expect_map(l, o->wave, &map, want);
            return true;
        }
    return false;
}

static void expect_swap(const struct object *o, const struct lanes *l, const char *name, uint32_t *want)
{
    struct codeobj_lane_map map;
    codeobj_ds_swizzle_map((unsigned)strtoul(name + 5, NULL, 16), true, l->mask, o->wave, &map);
    expect_map(l, o->wave, &map, want);
}

/* false: a kernel without expectation. */
static bool expect(const struct object *o, const char *name, struct lanes *l, uint32_t *want)
{
    if (!strcmp(name, "sum_wave_reduce") || !strcmp(name, "sum_dpp_wave")) {
        spread(l, l->mask, codeobj_reduce_u32(CODEOBJ_REDUCE_ADD, l->a, l->mask, o->wave), want);
        return true;
    }
    if (!strcmp(name, "writelane_17")) {
        uint32_t all[LANES];
        memcpy(all, l->a, sizeof all);
        codeobj_writelane(all, 0x1234, 17, o->wave);
        for (unsigned i = 0; i < o->wave; i++)
            want[i] = l->mask >> i & 1 ? all[i] : l->old[i];
        return true;
    }
    if (!strncmp(name, "hip_", 4))
        return expect_sync(o, l, name, want) || expect_sync_shuffle(o, l, name, want);
    if (!strncmp(name, "ired", 4) || !strncmp(name, "fred", 4) || !strncmp(name, "shfl", 4) ||
        !strncmp(name, "redfirst", 8))
        expect_neutral(l, name, want);
    else if (!strncmp(name, "swap_", 5))
        expect_swap(o, l, name, want);
    else if (!strcmp(name, "rotate_bpermute") || !strcmp(name, "wave_barrier_lds"))
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
    if (!strcmp(name, "all_equal") && round % 3 == 0)
        for (unsigned i = 0; i < LANES; i++)
            l->a[i] = 77;
    if (!strncmp(name, "fred", 4) && round % 3 == 0) /* NaNs and zeros of both signs */
        for (unsigned i = 0; i < LANES; i++) {
            static const uint32_t special[] = { 0, 0x80008000, 0x7fc17fc1, 0xff81ff81, 0x7f807f80, 0x3c003c00, 0xc000c000 };
            l->a[i] = special[random32() % 7];
        }
}

/* Kernels whose grid is not one wave have proofs of their own. */
static bool has_own_proof(const char *name)
{
    return !strncmp(name, "sweep_", 6) || !strncmp(name, "wave_id_", 8);
}

static void prove_compositions(const char *cpu, unsigned wave)
{
    struct object o;
    struct lanes l;
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
        if (has_own_proof(name))
            continue;
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
}

/* ---- larger grids ------------------------------------------------------------------------------ */

enum { CONTROLS = 32 * 32 };

static void dispatch(struct object *o, const char *kernel, uint64_t out, uint64_t controls, uint64_t mask,
                     const uint32_t grid[3], const uint32_t workgroup[3])
{
    struct codeobj_diag diag = { 0 };
    uint64_t kernarg[5] = { out, o->a, controls, o->old, mask };
    struct codeobj_dispatch d = { .size = sizeof d, .kernel = kernel, .kernarg = kernarg,
                                  .kernarg_size = sizeof kernarg, .threads = 1 };
    memcpy(d.grid, grid, sizeof d.grid);
    memcpy(d.workgroup, workgroup, sizeof d.workgroup);
    must(codeobj_device_dispatch(o->device, &d, NULL, &diag), &diag, kernel);
}

/* Every clamp and segment mask (every offset where there are none) of every shfl, with random offsets, unused
 * bits and masks. */
static void prove_shfl(const char *cpu, unsigned wave)
{
    static const char *const names[] = { "idx", "up", "dn", "xor" }; /* enum codeobj_shuffle */
    struct object o;
    struct lanes l;
    struct codeobj_diag diag = { 0 };
    uint64_t out, controls;
    static uint32_t control[CONTROLS], got[CONTROLS * LANES];
    open_object(&o, "compose", cpu, wave);
    must(codeobj_device_alloc(o.device, sizeof got, "out", &out, &diag), &diag, "alloc");
    must(codeobj_device_alloc(o.device, sizeof control, "controls", &controls, &diag), &diag, "alloc");
    for (unsigned form = 0; form < 8 * 3; form++) {
        const bool segmented = form & 1;
        const enum codeobj_shuffle kind = (enum codeobj_shuffle)(form / 2 % 4);
        char name[32];
        snprintf(name, sizeof name, "sweep_shfl_%s%s", names[kind], segmented ? "_sg" : "");
        fill(&l, form / 8 == 0 ? 0 : 3, wave);
        codeobj_device_write(o.device, o.a, l.a, sizeof l.a, NULL);
        codeobj_device_write(o.device, o.old, l.old, sizeof l.old, NULL);
        for (unsigned g = 0; g < CONTROLS; g++) {
            control[g] = (random32() & 0xffe0e0e0) | (random32() & 31) | (g & 31) << 8 | (g >> 5) << 16;
            if (!segmented)
                control[g] = (control[g] & ~31u) | (g & 31);
        }
        codeobj_device_write(o.device, controls, control, sizeof control, NULL);
        dispatch(&o, name, out, controls, l.mask, (uint32_t[]){ CONTROLS * wave, 1, 1 }, (uint32_t[]){ wave, 1, 1 });
        codeobj_device_read(o.device, out, got, sizeof got, NULL);
        for (unsigned g = 0; g < CONTROLS; g++) {
            struct codeobj_lane_map map;
            uint32_t want[LANES];
            codeobj_shfl_map(kind, segmented, control[g], (uint32_t)l.mask, UINT32_MAX, &map);
            keep(&l, want);
            codeobj_lane_map_apply(&map, 32, l.a, want, want);
            memcpy(l.out, got + g * wave, wave * sizeof *got);
            compare(&o, name, &l, want);
        }
    }
    close_object(&o);
}

/* Work-groups of 16 x 4 x 4: as many wave numbers as there are waves. */
static void prove_wave_id(const char *cpu, unsigned wave)
{
    const uint32_t size[3] = { 16, 4, 4 };
    struct object o;
    struct codeobj_diag diag = { 0 };
    uint64_t out;
    uint32_t got[256];
    open_object(&o, "compose", cpu, wave);
    must(codeobj_device_alloc(o.device, sizeof got, "out", &out, &diag), &diag, "alloc");
    assert_int_equal(has_kernel(&o, "wave_id_ttmp"), o.processor->gen >= CODEOBJ_GEN_GFX12);
    for (unsigned which = 0; which < 2; which++) {
        const char *name = which ? "wave_id_ttmp" : "wave_id_divided";
        if (!has_kernel(&o, name))
            continue;
        memset(got, 0xee, sizeof got);
        codeobj_device_write(o.device, out, got, sizeof got, NULL);
        dispatch(&o, name, out, out, 0, size, size);
        codeobj_device_read(o.device, out, got, sizeof got, NULL);
        for (unsigned i = 0; i < 256; i++) {
            const uint32_t item[3] = { i % 16, i / 16 % 4, i / 64 };
            assert_int_equal(got[i], codeobj_wave_id(item, size, wave));
            assert_int_equal(got[i], i / wave);
        }
    }
    close_object(&o);
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
#define ALL(X) \
    CDNA(X, ops) RDNA(X, ops) CDNA(X, builtins) RDNA(X, builtins) CDNA(X, example) RDNA(X, example) \
    CDNA(X, compositions) RDNA(X, compositions) CDNA(X, shfl) RDNA(X, shfl) CDNA(X, wave_id) RDNA(X, wave_id)
ALL(PROOF)

int main(void)
{
#define TEST(what, cpu, wave) cmocka_unit_test(what##_##cpu##_w##wave),
    const struct CMUnitTest tests[] = { ALL(TEST) };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

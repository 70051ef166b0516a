/* SPDX-License-Identifier: MIT
 *
 * The builds of the lane loops (base, AVX2, AVX-512) beside each other: every vector instruction of tests/unit/exec, in
 * every mode that chooses other loops, over edge values and random ones, with all lanes on and with some.  All registers,
 * scalars, and EXEC are the same afterwards.  Builds that this CPU cannot run are left out; the handlers are called
 * directly, without a dispatch.
 *
 * Instructions that one step of the executor's loop does together are run that way and one by one.
 *
 * In the same way every memory instruction of the cases is seen to tell the memory hook what its name says: which memory,
 * whether it is read, written or both, how many bytes, by which lanes; and to stop when the hook says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/device.h"
#include "exec/fp.h"

#define CASES "tests/unit/exec/"
enum { INSTRUCTIONS_MAX = 1 << 16, V_ROWS = 72, A_ROWS = 40, LDS = 1024, BASE_ADDR = 0x10000, ROUNDS = 2, POOL = 1 << 16 };

/* ---- instructions, by processor ------------------------------------------------------ */

struct set {
    char target[24]; /* "gfx1030-w64" */
    uint32_t *words;
    size_t count;
};
static struct set sets[64];
static unsigned set_count;

static struct set *set_of(const char *target)
{
    for (unsigned i = 0; i < set_count; i++)
        if (strcmp(sets[i].target, target) == 0)
            return &sets[i];
    assert_true(set_count < sizeof sets / sizeof *sets);
    struct set *s = &sets[set_count++];
    snprintf(s->target, sizeof s->target, "%s", target);
    s->words = calloc(INSTRUCTIONS_MAX, sizeof *s->words);
    assert_non_null(s->words);
    return s;
}

/* "hex gfx900 gfx90a : 0123abcd 00000000 / ..." */
static void read_line(char *line)
{
    uint32_t words[64];
    unsigned n = 0;
    char *colon = strchr(line, ':'), *save = NULL;
    if (strncmp(line, "hex ", 4) || !colon)
        return;
    *colon = 0;
    for (char *t = strtok_r(colon + 1, " /\n", &save); t && n < 64; t = strtok_r(NULL, " /\n", &save))
        words[n++] = (uint32_t)strtoul(t, NULL, 16);
    for (char *t = strtok_r(line + 4, " ", &save); t; t = strtok_r(NULL, " ", &save)) {
        struct set *s = set_of(t);
        assert_true(s->count + n <= INSTRUCTIONS_MAX);
        memcpy(s->words + s->count, words, n * sizeof *words);
        s->count += n;
    }
}

static int read_cases(void **state)
{
    (void)state;
    DIR *dir = opendir(CASES);
    struct dirent *e;
    if (!dir)
        return -1;
    while ((e = readdir(dir))) {
        char path[300], line[1024];
        if (!strstr(e->d_name, ".cases"))
            continue;
        snprintf(path, sizeof path, CASES "%s", e->d_name);
        FILE *f = fopen(path, "r");
        if (!f)
            return -1;
        while (fgets(line, sizeof line, f))
            read_line(line);
        fclose(f);
    }
    closedir(dir);
    return 0;
}

static int free_cases(void **state)
{
    (void)state;
    for (unsigned i = 0; i < set_count; i++)
        free(sets[i].words);
    return 0;
}

/* ---- values --------------------------------------------------------------------------- */

static uint64_t random_state = 0x9e3779b97f4a7c15u;
static uint32_t random32(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

/* Edges of f32, f64 (high dwords), pairs of f16, bf16, bytes of fp8, integers. */
static uint32_t edge(void)
{
    static const uint32_t values[] = {
        0, 1, 2, 31, 32, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe,
        0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0x40490fdb, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
        0x7fc00000, 0xffc00001, 0x7f800001, 0xffbfffff, 0x7fa5a5a5, 0x00800000, 0x007fffff, 0x00000001, 0x80000001, 0x807fffff, 0x80800000,
        0x4b000000, 0x4b800001, 0x4f000000, 0x4effffff, 0x4f800000, 0xcf000000, 0xcf000001, 0x5f000000, 0x33800000, 0x33800001, 0x477fe000,
        0x477ff000, 0x477fefff, 0x38800000, 0x387fffff, 0x33000000, 0x33000001, 0x42fe0000, 0xc3180000,
        0x3ff00000, 0xbff00000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x7fefffff, 0x00100000, 0x000fffff, 0x3fefffff, 0x43300000, 0x41dfffff,
        0x41e00000, 0xc1e00000, 0x36a00000, 0x380fffff, 0x47efffff,
        0x3c003c00, 0x3c00bc00, 0x7bff7bff, 0x7c00fc00, 0x7e007d01, 0x00010001, 0x03ff0400, 0x83ff8001, 0x7e01fe02, 0x80000001, 0x38013bff,
        0x3f803f80, 0x7f807f81, 0x7fc0ff80, 0x00800001, 0x7f7fff7f, 0x7e7f7f7e, 0x80818283, 0x77787980, 0xfcfbfaf9, 0x00010204, 0x0708090a,
    };
    return values[random32() % (sizeof values / sizeof *values)];
}

static uint32_t value(void)
{
    const uint32_t kind = random32() % 8;
    if (kind < 5)
        return edge();
    if (kind == 5) /* exponents where sums and products meet */
        return (random32() & 0x80ffffffu) | (120 + random32() % 16) << 23;
    return random32();
}

/* ---- a build ---------------------------------------------------------------------------- */

struct build {
    struct codeobj_device *device;
    struct co_code *code;
    struct co_wave *wave;
    struct co_group group;
    uint8_t lds[LDS + 64];
};
static const char *const names[CO_LANES_COUNT] = { "base", "avx2", "avx512" };

/* false: not on this CPU. */
static bool open_build(struct build *b, const struct set *s, unsigned which, unsigned lanes, const char *cpu)
{
    struct codeobj_diag diag = { 0 };
    struct codeobj_target target;
    const struct codeobj_device_options options = { .size = sizeof options, .lanes = names[which] };
    *b = (struct build){ 0 };
    assert_int_equal(codeobj_target_parse(cpu, &target, &diag), CODEOBJ_OK);
    enum codeobj_status status = codeobj_device_new(&target, &options, &b->device, &diag);
    if (status == CODEOBJ_UNSUPPORTED)
        return false;
    assert_int_equal(status, CODEOBJ_OK);
    assert_int_equal(co_device_code(b->device, lanes, &b->code, &diag), CODEOBJ_OK);
    assert_int_equal(co_code_add(b->code, BASE_ADDR, s->count * 4, (const uint8_t *)s->words, &diag), CODEOBJ_OK);
    b->wave = aligned_alloc(64, (sizeof *b->wave + 63) & ~(size_t)63);
    assert_non_null(b->wave);
    memset(b->wave, 0, sizeof *b->wave);
    b->wave->v = aligned_alloc(64, (size_t)CO_ROW_COUNT * sizeof *b->wave->v);
    assert_non_null(b->wave->v);
    memset(b->wave->v, 0, (size_t)CO_ROW_COUNT * sizeof *b->wave->v);
    b->group = (struct co_group){ .waves = b->wave, .wave_count = 1, .lds = b->lds, .lds_size = LDS };
    b->wave->lanes = lanes;
    b->wave->lane_mask = lanes == 64 ? UINT64_MAX : 0xffffffffu;
    b->wave->group = &b->group;
    b->wave->device = (const struct co_device *)(const void *)b->device;
    b->wave->code = b->code;
    return true;
}

static void close_build(struct build *b)
{
    free(b->wave->v);
    free(b->wave);
    codeobj_device_free(b->device);
}

/* ---- one instruction ----------------------------------------------------------------------- */

struct input {
    uint32_t v[V_ROWS][CO_LANES_MAX], a[A_ROWS][CO_LANES_MAX], s[CO_S_EXEC];
    uint64_t exec;
    uint32_t mode, scc;
};

static void fill(struct input *in, unsigned mode, unsigned round)
{
    static uint32_t pool[POOL + CO_LANES_MAX]; /* drawing all anew each time would be most of the work */
    if (!pool[0])
        for (size_t i = 0; i < POOL + CO_LANES_MAX; i++)
            pool[i] = i ? value() : 1;
    for (unsigned r = 0; r < V_ROWS; r++)
        memcpy(in->v[r], pool + random32() % POOL, sizeof in->v[r]);
    for (unsigned r = 0; r < A_ROWS; r++)
        memcpy(in->a[r], pool + random32() % POOL, sizeof in->a[r]);
    for (unsigned i = 0; i < CO_S_EXEC; i++)
        in->s[i] = value();
    in->s[124] = round & 1 ? 0 : random32() % 8; /* M0: an index; NULL from gfx11 on */
    in->s[125] = in->s[124];
    in->exec = round & 1 ? random32() | (uint64_t)random32() << 32 : UINT64_MAX;
    in->scc = round & 1;
    in->mode = mode;
}

static void begin(struct build *b, const struct input *in)
{
    struct co_wave *w = b->wave;
    memcpy(w->v, in->v, sizeof in->v);
    memcpy(w->v + CO_ROW_A, in->a, sizeof in->a);
    memset(w->v + CO_ROW_TMP, 0, CO_ROW_TMP_COUNT * sizeof *w->v);
    memcpy(w->s, in->s, sizeof in->s);
    memset(w->s + CO_S_SINK, 0, (CO_S_COUNT - CO_S_SINK) * sizeof *w->s);
    w->s[CO_S_SCC] = in->scc;
    w->fault = (struct co_fault){ 0 };
    w->vgpr_msb = 0;
    co_mode_set(w, in->mode);
    co_exec_set(w, in->exec & w->lane_mask);
}

static int run(struct build *b, const struct input *in, uint64_t pc)
{
    struct co_wave *w = b->wave;
    begin(b, in);
    for (unsigned tries = 0;; tries++) {
        const struct co_op *op = co_code_at(b->code, 0, pc);
        assert_non_null(op);
        co_handler *fn = atomic_load(&op->fn);
        w->op = op + atomic_load(&op->dwords);
        int step = fn(w, op);
        if (step != CO_REDO || tries)
            return step;
    }
}

static void same(const struct build *x, const struct build *y, unsigned which, const struct set *s, const struct input *in,
                 uint64_t pc)
{
    const struct co_wave *a = x->wave, *b = y->wave;
    char text[200];
    co_code_text(x->code, 0, pc, text, sizeof text);
    for (unsigned r = 0; r < CO_ROW_TMP; r = r + 1 == V_ROWS ? CO_ROW_A : r + 1 == CO_ROW_A + A_ROWS ? CO_ROW_TMP : r + 1)
        for (unsigned i = 0; i < a->lanes; i++)
            if (a->v[r][i] != b->v[r][i])
                fail_msg("%s: %s: MODE %x, EXEC %llx: %c%u of lane %u: %s %08x, %s %08x", s->target, text, in->mode,
                         (unsigned long long)in->exec, r < CO_ROW_A ? 'v' : 'a', r < CO_ROW_A ? r : r - CO_ROW_A, i, names[0],
                         a->v[r][i], names[which], b->v[r][i]);
    for (unsigned i = 0; i < CO_S_COUNT; i++)
        if (a->s[i] != b->s[i] && (i < CO_S_SINK || i >= CO_S_ZERO))
            fail_msg("%s: %s: MODE %x, EXEC %llx: scalar %u: %s %08x, %s %08x", s->target, text, in->mode,
                     (unsigned long long)in->exec, i, names[0], a->s[i], names[which], b->s[i]);
    assert_memory_equal(a->mask, b->mask, a->lanes * sizeof *a->mask);
    assert_int_equal(a->full, b->full);
}

/* MODE: rounding and denormals of f32 and f64, DX10_CLAMP, IEEE, FP16_OVFL. */
static const uint32_t modes[] = { 0xf0, 0x3f0, 0xc0, 0x300, 0x1f5, 0x2fa, 0xff, 0x0f, 0x35a, 0x8000f0, 0x8003c5 };

static unsigned run_set(const struct set *s)
{
    static struct input in;
    struct build builds[CO_LANES_COUNT];
    char cpu[24];
    const size_t length = strcspn(s->target, "-");
    snprintf(cpu, sizeof cpu, "%.*s", (int)length, s->target);
    const struct codeobj_processor *p = codeobj_processor_by_name(cpu);
    if (!p)
        return 0;
    const unsigned lanes = p->gen < CODEOBJ_GEN_GFX10 || strstr(s->target, "-w64") ? 64 : 32;
    unsigned count = 0, done = 0;
    size_t last = SIZE_MAX; /* the instruction before, which often is the same with other values */
    while (count < CO_LANES_COUNT && open_build(&builds[count], s, count, lanes, cpu))
        count++;
    for (size_t at = 0; at < s->count;) {
        const uint64_t pc = BASE_ADDR + 4 * at;
        struct codeobj_isa_inst inst;
        if (!co_code_inst(builds[0].code, 0, pc, &inst)) {
            at++;
            continue;
        }
        const size_t before = last;
        last = at;
        at += inst.size / 4;
        if (inst.format < CODEOBJ_FMT_VOP1 || inst.format > CODEOBJ_FMT_VOPD)
            continue;
        if (before != SIZE_MAX && at - last == last - before && memcmp(s->words + before, s->words + last, inst.size) == 0)
            continue;
        done++;
        for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++)
            for (unsigned round = 0; round < ROUNDS; round++) {
                fill(&in, modes[m], round);
                const int step = run(&builds[0], &in, pc);
                for (unsigned i = 1; i < count; i++) {
                    assert_int_equal(run(&builds[i], &in, pc), step);
                    same(&builds[0], &builds[i], i, s, &in, pc);
                }
            }
    }
    for (unsigned i = 0; i < count; i++)
        close_build(&builds[i]);
    return done;
}

static void builds_agree(void **state)
{
    (void)state;
    unsigned done = 0;
    for (unsigned i = 0; i < set_count; i++)
        done += run_set(&sets[i]);
    print_message("# %u vector instructions\n", done);
    assert_true(done > 1000);
}

/* ---- beside the functions of fp.h ---------------------------------------------------------------- */

/* What is expected of v0, v1, v2, v3 ... of a lane (doubles: v0:1, v2:3, v6:7), in the low dword or both. */
typedef uint64_t oracle(const struct co_mode *m, const uint32_t *v);
static struct co_fp in32(const struct co_mode *m) { return (struct co_fp){ m->round32, m->denorm32, false }; }
static struct co_fp in64(const struct co_mode *m) { return (struct co_fp){ m->round64, m->denorm64, false }; }
static struct co_fp in16(const struct co_mode *m) { return (struct co_fp){ m->round64, m->denorm64, m->fp16_ovfl }; }
static uint64_t pair(const uint32_t *v, unsigned n) { return v[n] | (uint64_t)v[n + 1] << 32; }
static uint32_t norm_of(double d, double lo, double scale)
{
    return (uint32_t)(int32_t)rint((d != d ? 0 : d < lo ? lo : d > 1 ? 1 : d) * scale) & 0xffff;
}
static uint64_t mad_of(const uint32_t *v, bool saturate)
{
    const __int128 sum = (__int128)(int32_t)v[0] * (int32_t)v[1] + (int64_t)pair(v, 6);
    return saturate && sum != (int64_t)sum ? (sum < 0 ? (uint64_t)INT64_MIN : (uint64_t)INT64_MAX) : (uint64_t)sum;
}
#define F16 (&co_fmt_f16)
#define BF16 (&co_fmt_bf16)
#define F32 (&co_fmt_f32)
#define F64 (&co_fmt_f64)
#define O(name, expr) \
    static uint64_t name(const struct co_mode *m, const uint32_t *v) { (void)m, (void)v; return expr; }
#define BOTH(one) (one(v[0]) | (uint64_t)one(v[1]) << 16)
#define TO_BF16(x) co_fp_cvt(BF16, F32, x, CO_FP_RNE, CO_FP_RNE)
#define TO_RTZ(x) co_fp_cvt(F16, F32, x, in32(m), ((struct co_fp){ 3, m->denorm64, false }))
#define SNORM(x) norm_of((double)co_f32(x), -1, 32767)
#define UNORM(x) norm_of((double)co_f32(x), 0, 65535)
#define HALF(x) co_fp_to_double(F16, (x) & 0xffff)
O(pk_bf16, BOTH(TO_BF16))
O(pkrtz, BOTH(TO_RTZ))
O(pknorm_i16, BOTH(SNORM))
O(pknorm_u16, BOTH(UNORM))
O(f16_f32, co_fp_cvt(F16, F32, v[0], in32(m), in16(m)))
O(f32_f16, co_fp_cvt(F32, F16, v[0] & 0xffff, in64(m), in32(m)))
O(f16_i16, co_fp_from_int(F16, (int16_t)v[0] < 0, (uint64_t)abs((int16_t)v[0]), in16(m)))
O(f16_u16, co_fp_from_int(F16, false, v[0] & 0xffff, in16(m)))
O(i16_f16, (uint32_t)co_fp_to_int(F16, v[0] & 0xffff, -32768, 32767, CO_FP_RTZ) & 0xffff)
O(u16_f16, (uint32_t)co_fp_to_int(F16, v[0] & 0xffff, 0, 65535, CO_FP_RTZ))
O(rpi, (uint32_t)co_fp_to_int(F64, co_b64(floor(co_fp_to_double(F32, v[0]) + 0.5)), INT32_MIN, INT32_MAX, CO_FP_RTZ))
O(flr, (uint32_t)co_fp_to_int(F32, v[0], INT32_MIN, INT32_MAX, ((struct co_fp){ 2, 3, false })))
O(norm_i16, norm_of(HALF(v[0]), -1, 32767))
O(norm_u16, norm_of(HALF(v[0]), 0, 65535))
O(fract, co_fp_fract(F32, v[0], in32(m)))
O(frexp_mant, co_fp_frexp_mant(F32, v[0], in32(m)))
O(frexp_exp, (uint32_t)co_fp_frexp_exp(F32, v[0], in32(m)))
O(ldexp_of, co_fp_ldexp(F32, v[0], (int32_t)v[1], in32(m)))
O(fma16, co_fp_fma(F16, v[0] & 0xffff, v[1] & 0xffff, v[3] & 0xffff, in16(m)))
O(fma32, co_fp_fma(F32, v[0], v[1], v[3], in32(m)))
O(pk_u8, (v[3] & ~(0xffu << 8 * (v[1] & 3))) | (uint32_t)co_fp_to_int(F32, v[0], 0, 255, CO_FP_RTZ) << 8 * (v[1] & 3))
O(fma64, co_fp_fma(F64, pair(v, 0), pair(v, 2), pair(v, 6), in64(m)))
O(add64, co_fp_add(F64, pair(v, 0), pair(v, 2), in64(m)))
O(mad_u64, (uint64_t)v[0] * v[1] + pair(v, 6))
O(mad_i64, mad_of(v, false))
O(mad_i64_clamp, mad_of(v, true))

/* gfx950, as LLVM encodes them. */
static const struct { uint32_t words[2]; oracle *expected; unsigned dst, bits; const char *name; } peers[] = {
    { { 0xd2680002, 0x00020300 }, pk_bf16, 2, 32, "v_cvt_pk_bf16_f32" },
    { { 0xd2960002, 0x00020300 }, pkrtz, 2, 32, "v_cvt_pkrtz_f16_f32" },
    { { 0xd2940002, 0x00020300 }, pknorm_i16, 2, 32, "v_cvt_pknorm_i16_f32" },
    { { 0xd2950002, 0x00020300 }, pknorm_u16, 2, 32, "v_cvt_pknorm_u16_f32" },
    { { 0x7e041500, 0 }, f16_f32, 2, 32, "v_cvt_f16_f32" },
    { { 0x7e041700, 0 }, f32_f16, 2, 32, "v_cvt_f32_f16" },
    { { 0x7e047500, 0 }, f16_i16, 2, 32, "v_cvt_f16_i16" },
    { { 0x7e047300, 0 }, f16_u16, 2, 32, "v_cvt_f16_u16" },
    { { 0x7e047900, 0 }, i16_f16, 2, 32, "v_cvt_i16_f16" },
    { { 0x7e047700, 0 }, u16_f16, 2, 32, "v_cvt_u16_f16" },
    { { 0x7e041900, 0 }, rpi, 2, 32, "v_cvt_rpi_i32_f32" },
    { { 0x7e041b00, 0 }, flr, 2, 32, "v_cvt_flr_i32_f32" },
    { { 0x7e049b00, 0 }, norm_i16, 2, 32, "v_cvt_norm_i16_f16" },
    { { 0x7e049d00, 0 }, norm_u16, 2, 32, "v_cvt_norm_u16_f16" },
    { { 0x7e043700, 0 }, fract, 2, 32, "v_fract_f32" },
    { { 0x7e046900, 0 }, frexp_mant, 2, 32, "v_frexp_mant_f32" },
    { { 0x7e046700, 0 }, frexp_exp, 2, 32, "v_frexp_exp_i32_f32" },
    { { 0xd2880002, 0x00020300 }, ldexp_of, 2, 32, "v_ldexp_f32" },
    { { 0xd2060002, 0x040e0300 }, fma16, 2, 16, "v_fma_f16" },
    { { 0xd1cb0002, 0x040e0300 }, fma32, 2, 32, "v_fma_f32" },
    { { 0xd1dd0002, 0x040e0300 }, pk_u8, 2, 32, "v_cvt_pk_u8_f32" },
    { { 0xd1cc0004, 0x041a0500 }, fma64, 4, 64, "v_fma_f64" },
    { { 0xd2800004, 0x00020500 }, add64, 4, 64, "v_add_f64" },
    { { 0xd1e86a04, 0x041a0300 }, mad_u64, 4, 64, "v_mad_u64_u32" },
    { { 0xd1e96a04, 0x041a0300 }, mad_i64, 4, 64, "v_mad_i64_i32" },
    { { 0xd1e9ea04, 0x041a0300 }, mad_i64_clamp, 4, 64, "v_mad_i64_i32 clamp" },
};

/* Whole rows against one number at a time; IEEE and DX10_CLAMP matter to neither. */
static void rows_and_numbers(void **state)
{
    (void)state;
    static struct input in;
    static const uint32_t bits[] = { 0xf0, 0xc0, 0x30, 0x00, 0xf5, 0xfa, 0xff, 0x0a, 0x8000f0, 0x8000c5 };
    for (unsigned which = 0; which < CO_LANES_COUNT; which++) {
        struct build b;
        uint32_t words[2 * sizeof peers / sizeof *peers];
        struct set s = { "gfx950", words, sizeof words / sizeof *words };
        for (size_t i = 0; i < sizeof peers / sizeof *peers; i++)
            memcpy(words + 2 * i, peers[i].words, sizeof peers[i].words);
        if (!open_build(&b, &s, which, 64, s.target))
            break;
        for (size_t i = 0; i < sizeof peers / sizeof *peers; i++)
            for (unsigned n = 0; n < 40 * sizeof bits / sizeof *bits; n++) {
                fill(&in, bits[n % (sizeof bits / sizeof *bits)], 0);
                assert_int_equal(run(&b, &in, BASE_ADDR + 8 * i), CO_NEXT);
                for (unsigned lane = 0; lane < 64; lane++) {
                    uint32_t v[8];
                    for (unsigned k = 0; k < 8; k++)
                        v[k] = in.v[k][lane];
                    const uint64_t want = peers[i].expected(&b.wave->mode, v);
                    const uint64_t got = b.wave->v[peers[i].dst][lane] | (uint64_t)b.wave->v[peers[i].dst + 1][lane] << 32;
                    if ((got ^ want) << (64 - peers[i].bits))
                        fail_msg("%s, %s, MODE %x: v0-v3 %08x %08x %08x %08x, v6-v7 %08x %08x: %llx, expected %llx", names[which],
                                 peers[i].name, in.mode, v[0], v[1], v[2], v[3], v[6], v[7], (unsigned long long)got,
                                 (unsigned long long)want);
                }
            }
        close_build(&b);
    }
}

/* ---- several instructions in one step ---------------------------------------------------------- */

static uint64_t halves(const uint32_t *low, const uint32_t *high) { return *low | (uint64_t)*high << 32; }
static uint64_t sum(const uint32_t *v, const uint32_t *s) { (void)s; return halves(&v[0], &v[1]) + halves(&v[4], &v[5]); }
static uint64_t sum_s0(const uint32_t *v, const uint32_t *s) { return halves(&v[0], &v[1]) + halves(&s[0], &v[3]); }
static uint64_t sum_s4(const uint32_t *v, const uint32_t *s) { return halves(&v[0], &v[1]) + halves(&s[4], &s[5]); }
static uint64_t sum_8(const uint32_t *v, const uint32_t *s) { (void)s; return halves(&v[0], &v[1]) + 8; }
static uint64_t mad_s6(const uint32_t *v, const uint32_t *s) { return halves(&v[6], &v[7]) + UINT64_C(7) * s[6]; }
static uint64_t shl_4(const uint32_t *v, const uint32_t *s) { (void)s; return halves(&v[6], &v[7]) << 4; }
static uint64_t shl_31(const uint32_t *v, const uint32_t *s) { (void)s; return halves(&v[6], &v[7]) << 31; }
static uint64_t shl_40(const uint32_t *v, const uint32_t *s) { (void)s; return halves(&v[6], &v[7]) << 40; }
static uint64_t shl_s6(const uint32_t *v, const uint32_t *s) { return halves(&v[6], &v[7]) << (s[6] & 63); }

/* Encodings from llvm-mc.  steps: calls of co_op.run; expected: low and high dword of lanes that are on, in these registers. */
static const struct together {
    const char *name;
    const char *cpu; /* gfx1100 is taken in wave32, the others in wave64 */
    uint32_t words[6];
    unsigned instructions, steps;
    uint64_t (*expected)(const uint32_t *v, const uint32_t *s);
    unsigned low, high;
} togethers[] = {
    { "vcc, sgpr", "gfx90a", { 0x32040000, 0x38060303 }, 2, 1, sum_s0, 2, 3 },
    { "vcc, waits", "gfx90a", { 0x32040900, 0xbf800000, 0x38060b01, 0xbf8c0f70 }, 4, 1, sum, 2, 3 },
    { "sgprs", "gfx90a", { 0xd1190a02, 0x00020900, 0xd11c0c03, 0x002a0b01 }, 2, 1, sum, 2, 3 },
    { "in place", "gfx90a", { 0x32000900, 0x38020b01 }, 2, 1, sum, 0, 1 },
    { "over a source", "gfx90a", { 0x32040900, 0x38000b01 }, 2, 1, sum, 2, 0 },
    { "constants", "gfx90a", { 0x32040088, 0x38060280 }, 2, 1, sum_8, 2, 3 },
    { "reads the low half", "gfx90a", { 0x32040900, 0x38060b02 }, 2, 2, NULL, 0, 0 },
    { "another carry", "gfx90a", { 0x32040900, 0xd11c6a03, 0x002a0b01 }, 2, 2, NULL, 0, 0 },
    { "same register", "gfx90a", { 0x32040900, 0x38040b01 }, 2, 2, NULL, 0, 0 },
    { "null, hint", "gfx1100", { 0xd7006a02, 0x00020004, 0xbf870001, 0xd5207c03, 0x01aa0205 }, 3, 1, sum_s4, 2, 3 },
    { "null, wave64", "gfx1101", { 0xd7006a02, 0x00020004, 0xd5207c03, 0x01aa0205 }, 2, 1, sum_s4, 2, 3 },
    { "null, in place", "gfx1100", { 0xd7006a00, 0x00020004, 0xd5207c01, 0x01aa0205 }, 2, 1, sum_s4, 0, 1 },
    { "null, in place, wave64", "gfx1101", { 0xd7006a00, 0x00020004, 0xd5207c01, 0x01aa0205 }, 2, 1, sum_s4, 0, 1 },
    { "sgprs, wave32", "gfx1100", { 0xd7000a02, 0x00020900, 0xd5200b03, 0x002a0b01 }, 2, 1, sum, 2, 3 },
    { "reads the carry", "gfx1100", { 0xd7006a02, 0x00020900, 0xd5207c03, 0x01aa0a6a }, 2, 2, NULL, 0, 0 },
    { "v_mad_u64_u32 of scalars", "gfx90a", { 0xd1e86a04, 0x04180c87 }, 1, 1, mad_s6, 4, 5 },
    { "v_lshlrev_b64 by 4", "gfx90a", { 0xd28f0004, 0x00020c84 }, 1, 1, shl_4, 4, 5 },
    { "v_lshlrev_b64 by 40", "gfx90a", { 0xd28f0004, 0x00020ca8 }, 1, 1, shl_40, 4, 5 },
    { "v_lshlrev_b64 by s6", "gfx90a", { 0xd28f0004, 0x00020c06 }, 1, 1, shl_s6, 4, 5 },
    { "v_lshlrev_b64 by 31, in place", "gfx90a", { 0xd28f0006, 0x00020c9f }, 1, 1, shl_31, 6, 7 },
    { "v_lshlrev_b64 by 31, in place, wave32", "gfx1100", { 0xd73c0006, 0x00020c9f }, 1, 1, shl_31, 6, 7 },
    { "v_lshlrev_b64 a register down", "gfx1100", { 0xd73c0005, 0x00020c84 }, 1, 1, shl_4, 5, 6 },
    { "v_lshlrev_b64 a register up", "gfx1100", { 0xd73c0007, 0x00020c84 }, 1, 1, shl_4, 7, 8 },
    { "v_mad_u64_u32, null", "gfx1100", { 0xd6fe7c04, 0x04190e06 }, 1, 1, mad_s6, 4, 5 },
    { "v_mad_u64_u32, null, wave64", "gfx1101", { 0xd6fe7c04, 0x04190e06 }, 1, 1, mad_s6, 4, 5 },
    { "v_mad_u64_u32, null, a register down", "gfx1100", { 0xd6fe7c05, 0x04190e06 }, 1, 1, mad_s6, 5, 6 },
    { "v_mad_u64_u32, null, a register up", "gfx1100", { 0xd6fe7c07, 0x04190e06 }, 1, 1, mad_s6, 7, 8 },
    { "v_mad_u64_u32, carries, wave32", "gfx1100", { 0xd6fe6a04, 0x04190e06 }, 1, 1, mad_s6, 4, 5 },
};

/* From the first instruction on; returns how many steps it took. */
static unsigned run_together(struct build *b, const struct input *in, unsigned instructions, bool joined)
{
    const struct co_op *op = co_code_at(b->code, 0, BASE_ADDR);
    unsigned steps = 0;
    begin(b, in);
    for (unsigned done = 0; done < instructions;) {
        co_handler *const fn = joined ? atomic_load(&op->run) : atomic_load(&op->fn);
        const int step = fn(b->wave, op);
        if (step == CO_REDO) /* it has been decoded now */
            continue;
        assert_int_equal(step, CO_NEXT);
        steps++;
        done += joined ? op->count : 1;
        op = joined ? op->next : op + atomic_load(&op->dwords);
    }
    return steps;
}

static void together(void **state)
{
    (void)state;
    static struct input in;
    for (unsigned which = 0; which < CO_LANES_COUNT; which++)
        for (const struct together *t = togethers; t < togethers + sizeof togethers / sizeof *togethers; t++) {
            struct build b, one;
            uint32_t words[8];
            struct set s = { "", words, 8 };
            const unsigned lanes = strcmp(t->cpu, "gfx1100") ? 64 : 32;
            for (unsigned i = 0; i < 8; i++)
                words[i] = i < 6 && t->words[i] ? t->words[i] : 0x7e120309; /* v_mov_b32 v9, v9 */
            if (!open_build(&b, &s, which, lanes, t->cpu))
                break;
            assert_true(open_build(&one, &s, which, lanes, t->cpu));
            for (unsigned round = 0; round < 200; round++) {
                fill(&in, 0xf0, round);
                if (round % 3 == 0)
                    memset(in.v[round % 6], 0xff, sizeof in.v[0]);
                const unsigned steps = run_together(&b, &in, t->instructions, true);
                if (steps != t->steps)
                    fail_msg("%s: %u steps, expected %u", t->name, steps, t->steps);
                run_together(&one, &in, t->instructions, false);
                same(&one, &b, which, &s, &in, BASE_ADDR);
                for (unsigned lane = 0; lane < lanes && t->expected; lane++) {
                    uint32_t v[8];
                    for (unsigned k = 0; k < 8; k++)
                        v[k] = in.v[k][lane];
                    const bool on = in.exec >> lane & 1;
                    const uint64_t got = halves(&b.wave->v[t->low][lane], &b.wave->v[t->high][lane]);
                    const uint64_t want = on ? t->expected(v, in.s) : halves(&in.v[t->low][lane], &in.v[t->high][lane]);
                    if (got != want)
                        fail_msg("%s, %s: lane %u: %llx, expected %llx", names[which], t->name, lane, (unsigned long long)got, (unsigned long long)want);
                }
            }
            close_build(&one);
            close_build(&b);
        }
}

/* ---- the memory hook ------------------------------------------------------------------------- */

struct told {
    unsigned count;
    bool go_on;
    struct codeobj_exec_memory_event first;
};

static bool on_memory(void *user, const struct codeobj_exec_memory_event *e)
{
    struct told *t = user;
    if (!t->count++)
        t->first = *e;
    return t->go_on;
}

static bool has(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strstr(text, *words))
            return true;
    return false;
}

/* Caches, waits, other lanes, counters of the chip; what goes through both memories is looked at for its first access. */
static bool is_quiet(const char *name)
{
    static const char *const words[] = { "_inv", "_wb", "dcache", "gl0_", "gl1_", "prefetch", "time", "swizzle", "permute", "gws", "ds_nop", "probe",
                                         "discard", "barrier", "waveid", "addtid_", "ordered_count", "_gs_reg", "bvh", "resinfo",
                                         "get_lod", "sample", "gather4", "ds_param", "ds_direct", "perf", "ttrace", "monitor", NULL };
    return has(name, words);
}

static enum codeobj_exec_access access_of(const char *name)
{
    static const char *const atomics[] = { "atomic", "append", "consume", "condxchg", "wrxchg", "storexchg", "cmpstore", NULL };
    static const char *const reads[] = { "load", "ds_read", NULL }, *const writes[] = { "store", "ds_write", NULL };
    if (has(name, atomics))
        return CODEOBJ_EXEC_ATOMIC;
    return has(name, reads) ? CODEOBJ_EXEC_READ : has(name, writes) ? CODEOBJ_EXEC_WRITE : CODEOBJ_EXEC_ATOMIC; /* ds_add_u32 */
}

static void tell(struct build *b, const struct set *s, uint64_t pc, const struct codeobj_isa_inst *inst)
{
    static struct input in;
    char text[200], name[64];
    co_code_text(b->code, 0, pc, text, sizeof text);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " "), text);
    if (is_quiet(name))
        return;
    const bool gfx10 = b->device->target.processor->gen >= CODEOBJ_GEN_GFX10;
    memset(&in, 0, sizeof in);
    for (unsigned i = 0; i < CO_S_EXEC; i++)
        in.s[i] = i % 4 == 2 ? 0xffffff : i % 4 == 3 ? 0xfac | (gfx10 ? 20u << 12 : 4u << 12 | 4u << 15) : 0xff0; /* a buffer of dwords */
    in.exec = b->wave->lanes == 64 ? UINT64_C(0xf0f0f0f00f0f0f0f) : 0x0f0f0ff0;
    in.mode = 0xf0;
    for (unsigned go_on = 0; go_on < 2; go_on++) {
        struct told told = { .go_on = go_on };
        const struct codeobj_dispatch d = { .size = sizeof d, .memory = on_memory, .user = &told };
        b->wave->watch = &d;
        const int step = run(b, &in, pc);
        b->wave->watch = NULL;
        if (step == CO_STOP && b->wave->fault.kind == CO_FAULT_UNSUPPORTED)
            return; /* with its reason */
        if (!told.count)
            fail_msg("%s: %s: the memory hook is not told", s->target, text);
        if (!go_on && (step != CO_STOP || told.count != 1))
            fail_msg("%s: %s: goes on when the memory hook says no", s->target, text);
        const enum codeobj_exec_space space = inst->format == CODEOBJ_FMT_DS        ? CODEOBJ_EXEC_LDS
                                              : inst->format == CODEOBJ_FMT_SCRATCH ? CODEOBJ_EXEC_SCRATCH
                                                                                    : CODEOBJ_EXEC_DEVICE;
        const struct codeobj_exec_memory_event *const e = &told.first;
        static const char *const from_lds[] = { "src2", "async_from_lds", "store_async", "store_lds", NULL };
        if (!has(name, from_lds) && (e->space != space || e->access != access_of(name)))
            fail_msg("%s: %s: space %d, access %d", s->target, text, (int)e->space, (int)e->access);
        const bool whole = strstr(name, "load_tr"); /* gfx12: EXEC is all or nothing, and 32 lanes name the matrix */
        if (!e->is_scalar && e->lanes != (whole ? 0xffffffff : in.exec) && !has(name, (const char *const[]){ "append", "consume", NULL }))
            fail_msg("%s: %s: lanes %llx", s->target, text, (unsigned long long)e->lanes);
        static const struct { const char *word; unsigned bytes; } sizes[] = { { "dwordx4", 16 }, { "b128", 16 }, { "dwordx3", 12 }, { "b96", 12 },
                                                                              { "ubyte", 1 }, { "sbyte", 1 }, { "ushort", 2 }, { "sshort", 2 } };
        for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
            if (strstr(name, sizes[k].word) && (inst->format == CODEOBJ_FMT_GLOBAL || inst->format == CODEOBJ_FMT_FLAT) && !has(name, from_lds) && e->bytes != sizes[k].bytes)
                fail_msg("%s: %s: %u bytes", s->target, text, e->bytes);
        assert_int_equal(e->pc, pc);
    }
}

static void memory_hook(void **state)
{
    (void)state;
    unsigned done = 0;
    for (unsigned i = 0; i < set_count; i++) {
        struct build b;
        char cpu[24];
        const struct set *s = &sets[i];
        snprintf(cpu, sizeof cpu, "%.*s", (int)strcspn(s->target, "-"), s->target);
        const struct codeobj_processor *p = codeobj_processor_by_name(cpu);
        if (!p || !open_build(&b, s, CO_LANES_BASE, p->gen < CODEOBJ_GEN_GFX10 || strstr(s->target, "-w64") ? 64 : 32, cpu))
            continue;
        for (size_t at = 0; at < s->count;) {
            const uint64_t pc = BASE_ADDR + 4 * at;
            struct codeobj_isa_inst inst;
            if (!co_code_inst(b.code, 0, pc, &inst)) {
                at++;
                continue;
            }
            at += inst.size / 4;
            if (inst.format == CODEOBJ_FMT_SMEM || (inst.format >= CODEOBJ_FMT_DS && inst.format <= CODEOBJ_FMT_SCRATCH && inst.format != CODEOBJ_FMT_MIMG)) {
                tell(&b, s, pc, &inst);
                done++;
            }
        }
        close_build(&b);
    }
    print_message("# %u memory instructions\n", done);
    assert_true(done > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(builds_agree), cmocka_unit_test(rows_and_numbers), cmocka_unit_test(together),
                                         cmocka_unit_test(memory_hook) };
    return cmocka_run_group_tests(tests, read_cases, free_cases);
}

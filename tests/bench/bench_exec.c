/* SPDX-License-Identifier: MIT
 *
 * bench_exec.c - the executor's speed beside the host compiler's code for the
 * same source, turn about in one run.
 *
 * usage: bench_exec [--lanes=base|avx2|avx512] [--brief] [--only=WORDS] OBJECT...      (code objects of exec_kernels.c)
 *
 * A ratio is ours over native, in processor time of one thread each, the least of several
 * turns; a rate is millions of wave instructions a second.  Results are compared, so that
 * nothing is measured that did not happen.  --brief: rates and streams only; --only: lines
 * with these words.
 */
#include <codeobj/codeobj.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exec_kernels.h"

#define TURNS 5
#define ARGS_MAX 6

static const char *only; /* --only */

static bool wanted(const char *what)
{
    return !only || strstr(what, only);
}

static double clock_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* This thread's processor time: what other programs do in between does not count. */
static double cpu(void) { return clock_of(CLOCK_THREAD_CPUTIME_ID); }
static double wall(void) { return clock_of(CLOCK_MONOTONIC); }

static void die(const char *what, const struct codeobj_diag *diag)
{
    char text[1024] = "";
    if (diag)
        codeobj_diag_format(diag, text, sizeof text);
    fprintf(stderr, "bench_exec: %s: %s\n", what, text);
    exit(1);
}

/* ---- the executor --------------------------------------------------------- */

struct gpu {
    struct codeobj_elf *elf;
    struct codeobj_device *device;
    char name[32];
};

static struct gpu open_gpu(const char *path, const char *lanes)
{
    struct gpu g;
    struct codeobj_diag diag = { 0 };
    struct codeobj_target target;
    struct codeobj_device_options options = { .size = sizeof options, .lanes = lanes };
    if (codeobj_elf_open_file(path, NULL, &g.elf, &diag) != CODEOBJ_OK)
        die(path, &diag);
    codeobj_elf_target(g.elf, &target);
    const char *slash = strrchr(path, '/');
    snprintf(g.name, sizeof g.name, "%.*s", (int)strcspn(slash ? slash + 1 : path, "."), slash ? slash + 1 : path);
    if (codeobj_device_new(&target, &options, &g.device, &diag) != CODEOBJ_OK || codeobj_device_load(g.device, g.elf, &diag) != CODEOBJ_OK)
        die(path, &diag);
    return g;
}

static uint64_t buffer(struct gpu *g, const void *data, size_t size)
{
    struct codeobj_diag diag = { 0 };
    uint64_t addr;
    if (codeobj_device_alloc(g->device, size, NULL, &addr, &diag) != CODEOBJ_OK ||
        (data && codeobj_device_write(g->device, addr, data, size, &diag) != CODEOBJ_OK))
        die("buffer", &diag);
    return addr;
}

struct launch {
    const char *kernel;
    u32 grid, group;
    unsigned threads;
    int pointers;           /* this many of args are addresses, the rest 32-bit values */
    int count;
    uint64_t args[ARGS_MAX];
};

static void dispatch(struct gpu *g, const struct launch *l, struct codeobj_dispatch_stats *stats)
{
    unsigned char kernarg[ARGS_MAX * 8];
    size_t at = 0;
    struct codeobj_diag diag = { 0 };
    for (int i = 0; i < l->count; i++) {
        size_t size = i < l->pointers ? 8 : 4;
        memcpy(kernarg + at, &l->args[i], size);
        at += size;
    }
    struct codeobj_dispatch d = { .size = sizeof d, .kernel = l->kernel, .dims = 1, .grid = { l->grid, 1, 1 },
                                  .workgroup = { l->group, 1, 1 }, .kernarg = kernarg, .kernarg_size = at, .threads = l->threads };
    if (codeobj_device_dispatch(g->device, &d, stats, &diag) != CODEOBJ_OK)
        die(l->kernel, &diag);
}

/* Seconds of one dispatch: processor time of one thread, the clock's when there are more. */
static double run(struct gpu *g, const struct launch *l, struct codeobj_dispatch_stats *stats)
{
    double (*const clock)(void) = l->threads == 1 ? cpu : wall;
    const double t0 = clock();
    dispatch(g, l, stats);
    return clock() - t0;
}

static void compare(struct gpu *g, const char *what, uint64_t addr, const void *expected, size_t size)
{
    void *got = malloc(size);
    if (!got || codeobj_device_read(g->device, addr, got, size, NULL) != CODEOBJ_OK)
        die(what, NULL);
    if (memcmp(got, expected, size) != 0)
        die(what, &(struct codeobj_diag){ .text = "results differ" });
    free(got);
}

/* ---- ratios --------------------------------------------------------------- */

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* What a kernel works on: up to three buffers, then 32-bit numbers.  The last buffer is the result. */
struct data {
    void *p[3];
    u32 n[2];
};

/* How a buffer begins. */
enum fill { RESULT, FLOATS, INTS, INDICES };

struct row {
    const char *what, *kernel;
    double target;
    u32 items;
    struct { size_t size; enum fill fill; } buffer[3];
    int numbers;
    u32 n[2];
    void (*native)(const struct data *d, u32 from, u32 to);
};

#define NATIVE(name, statement)                                          \
    static void name(const struct data *d, u32 from, u32 to)             \
    {                                                                    \
        const u32 *const n = d->n;                                       \
        (void)n;                                                         \
        for (u32 i = from; i < to; i++) {                                \
            statement;                                                   \
        }                                                                \
    }
#define P(type, k) ((type *)d->p[k])
NATIVE(mandelbrot, P(u32, 0)[i] = mandelbrot_item(i, n[0], n[1]))
NATIVE(mandelbrot64, P(f64, 0)[i] = mandelbrot64_item(i, n[0], n[1]))
NATIVE(nbody, nbody_item(i, d->p[0], d->p[1], n[0]))
NATIVE(sha256, P(u32, 0)[i] = sha256_item(i, n[0]))
NATIVE(gemm, P(f32, 2)[i] = gemm_item(i, d->p[0], d->p[1], n[0]))
NATIVE(branchy, P(u32, 0)[i] = branchy_item(i))
NATIVE(divide64, P(f64, 0)[i] = divide64_item(i, n[0]))
NATIVE(divide32, P(f32, 0)[i] = divide32_item(i, n[0]))
NATIVE(stream, stream_item(i, d->p[0], d->p[1], d->p[2]))
NATIVE(stream_checked, stream_checked_item(i, d->p[0], d->p[1], d->p[2], n[0]))
NATIVE(stream4, stream4_item(i, d->p[0], d->p[1], d->p[2]))
NATIVE(bytes, bytes_item(i, d->p[0], d->p[1], d->p[2]))
NATIVE(strided, strided_item(i, d->p[0], d->p[1]))
NATIVE(gather, gather_item(i, d->p[0], d->p[1], d->p[2]))
NATIVE(histogram, P(u32, 1)[P(unsigned char, 0)[i]]++)
NATIVE(reduce, P(u32, 1)[i / 256] = (i % 256 ? P(u32, 1)[i / 256] : 0) + P(u32, 0)[i])
NATIVE(transpose, P(u32, 1)[(i % n[0]) * n[0] + i / n[0]] = P(u32, 0)[i])

enum { W = 512, H = 384, LIMIT = 256, BODIES = 1536, HASHES = 8192, BLOCKS = 8, GEMM = 192, STREAM = 1 << 21, SIDE = 1024 };

static const struct row compute[] = {
    { "mandelbrot", "bench_mandelbrot", 10, W * H, { { W * H * 4, RESULT } }, 2, { W, LIMIT }, mandelbrot },
    { "n-body", "bench_nbody", 10, BODIES, { { BODIES * 16, FLOATS }, { BODIES * 12, RESULT } }, 1, { BODIES }, nbody },
    { "SHA-256", "bench_sha256", 10, HASHES, { { HASHES * 4, RESULT } }, 1, { BLOCKS }, sha256 },
    { "GEMM f32, plain", "bench_gemm", 10, GEMM * GEMM, { { GEMM * GEMM * 4, FLOATS }, { GEMM * GEMM * 4, FLOATS }, { GEMM * GEMM * 4, RESULT } }, 1, { GEMM }, gemm },
    { "branches", "bench_branchy", 15, 1 << 16, { { 4 << 16, RESULT } }, 0, { 0 }, branchy },
    { "mandelbrot, f64", "bench_mandelbrot64", 10, W * H / 4, { { W * H * 2, RESULT } }, 2, { W, LIMIT }, mandelbrot64 },
    { "division, f32", "bench_divide32", 15, 1 << 13, { { 4 << 13, RESULT } }, 1, { 100 }, divide32 },
    { "division, root, f64", "bench_divide64", 15, 1 << 13, { { 8 << 13, RESULT } }, 1, { 100 }, divide64 },
    { 0 }
};
static const struct row memory[] = {
    { "streaming add", "bench_stream", 8, STREAM, { { STREAM * 4, FLOATS }, { STREAM * 4, FLOATS }, { STREAM * 4, RESULT } }, 0, { 0 }, stream },
    { "streaming add, int, checked", "bench_stream_checked", 8, STREAM, { { STREAM * 4, INTS }, { STREAM * 4, INTS }, { STREAM * 4, RESULT } }, 1, { STREAM }, stream_checked },
    { "streaming add, float4", "bench_stream4", 8, STREAM / 4, { { STREAM * 4, FLOATS }, { STREAM * 4, FLOATS }, { STREAM * 4, RESULT } }, 0, { 0 }, stream4 },
    { "streaming add, bytes", "bench_bytes", 15, STREAM, { { STREAM, INTS }, { STREAM, INTS }, { STREAM, RESULT } }, 0, { 0 }, bytes },
    { "strided loads", "bench_strided", 15, STREAM / 8, { { STREAM * 4, INTS }, { STREAM / 2, RESULT } }, 0, { 0 }, strided },
    { "gather", "bench_gather", 15, STREAM / 8, { { STREAM / 2, INTS }, { STREAM / 2, INDICES }, { STREAM / 2, RESULT } }, 0, { 0 }, gather },
    { "histogram, atomics", "bench_histogram", 15, STREAM / 4, { { STREAM / 4, INTS }, { 1024, RESULT } }, 0, { 0 }, histogram },
    { "sums of 256 in LDS", "bench_reduce", 0, STREAM / 4, { { STREAM, INTS }, { STREAM / 256, RESULT } }, 0, { 0 }, reduce },
    { "transpose through LDS", "bench_transpose", 15, SIDE * SIDE, { { SIDE * SIDE * 4, INTS }, { SIDE * SIDE * 4, RESULT } }, 1, { SIDE }, transpose },
    { 0 }
};

static void fill(void *buffer, size_t size, enum fill how)
{
    u32 s = 1, *p = buffer;
    for (size_t i = 0; i < size / 4; i++) {
        s = s * 1664525 + 1013904223;
        f32 f = (f32)(s >> 8) * 0x1p-20f - 8.0f;
        p[i] = how == INTS ? s >> 3 : how == INDICES ? (s >> 8) % (u32)(size / 4) : 0;
        if (how == FLOATS)
            memcpy(&p[i], &f, 4);
    }
}

/* Buffers on both sides, and the launch. */
static struct launch prepare(struct gpu *g, const struct row *r, struct data *d)
{
    struct launch l = { r->kernel, r->items, 256, 1, 0, 0, { 0 } };
    *d = (struct data){ .n = { r->n[0], r->n[1] } };
    for (int i = 0; i < 3 && r->buffer[i].size; i++) {
        d->p[i] = malloc(r->buffer[i].size);
        if (!d->p[i])
            die("memory", NULL);
        fill(d->p[i], r->buffer[i].size, r->buffer[i].fill);
        l.args[l.count++] = buffer(g, d->p[i], r->buffer[i].size);
        l.pointers = l.count;
    }
    for (int i = 0; i < r->numbers; i++)
        l.args[l.count++] = r->n[i];
    return l;
}

static void release(struct gpu *g, const struct launch *l, struct data *d)
{
    for (int i = 0; i < l->pointers; i++) {
        codeobj_device_release(g->device, l->args[i]);
        free(d->p[i]);
    }
}

static void bench_ratio(struct gpu *g, const struct row *r)
{
    struct data d;
    if (!wanted(r->what))
        return;
    struct launch l = prepare(g, r, &d);
    const int last = l.pointers - 1;
    double ours = 1e9, native = 1e9;
    for (int turn = 0; turn < TURNS; turn++) {
        ours = least(ours, run(g, &l, NULL));
        const double t0 = cpu();
        r->native(&d, 0, r->items);
        native = least(native, cpu() - t0);
    }
    compare(g, r->what, l.args[last], d.p[last], r->buffer[last].size);
    printf("%-28s %-14s %9.2f ms %9.2f ms %6.2fx", r->what, g->name, ours * 1e3, native * 1e3, ours / native);
    printf(r->target ? "  (at most %gx)\n" : "\n", r->target);
    fflush(stdout);
    release(g, &l, &d);
}

/* ---- two threads ----------------------------------------------------------- */

struct shared {
    const struct row *row;
    const struct data *data;
    atomic_uint next;
};

static void *native_thread(void *arg)
{
    struct shared *s = arg;
    for (u32 at; (at = atomic_fetch_add(&s->next, 256)) < s->row->items;)
        s->row->native(s->data, at, at + 256);
    return NULL;
}

static double native_threads(const struct row *r, const struct data *d, unsigned threads)
{
    struct shared s = { r, d, 0 };
    pthread_t other;
    const double t0 = wall();
    if (threads > 1 && pthread_create(&other, NULL, native_thread, &s))
        die("thread", NULL);
    native_thread(&s);
    if (threads > 1)
        pthread_join(other, NULL);
    return wall() - t0;
}

/* What two processes, each with data of its own, do of the same work in the time of one: seconds a run takes in each of them. */
static double native_processes(const struct row *r, const struct data *d, unsigned processes)
{
    int ends[2];
    double sum = 0, t;
    if (pipe(ends))
        die("pipe", NULL);
    for (unsigned i = 0; i < processes; i++) {
        const pid_t child = fork();
        if (child < 0)
            die("fork", NULL);
        if (child)
            continue;
        r->native(d, 0, r->items); /* its own pages from now on */
        const double t0 = wall();
        for (int turn = 0; turn < TURNS; turn++)
            r->native(d, 0, r->items);
        t = (wall() - t0) / TURNS;
        _exit(write(ends[1], &t, sizeof t) != sizeof t);
    }
    close(ends[1]);
    for (unsigned i = 0; i < processes; i++) {
        if (read(ends[0], &t, sizeof t) != sizeof t)
            die("read", NULL);
        sum += t;
    }
    close(ends[0]);
    while (wait(NULL) > 0)
        ;
    return sum / processes;
}

/* By the clock, with the same division of native work beside it: what this machine gives at the time. */
static void bench_threads(struct gpu *g, const struct row *r)
{
    struct data d;
    if (!wanted("threads"))
        return;
    struct launch l = prepare(g, r, &d);
    double ours[2] = { 1e9, 1e9 }, native[2] = { 1e9, 1e9 }, alone[2] = { 1e9, 1e9 };
    for (int turn = 0; turn < 3 * TURNS; turn++)
        for (unsigned k = 0; k < 2; k++) {
            l.threads = k + 1;
            const double t0 = wall();
            dispatch(g, &l, NULL);
            ours[k] = least(ours[k], wall() - t0);
            native[k] = least(native[k], native_threads(r, &d, k + 1));
            alone[k] = least(alone[k], native_processes(r, &d, k + 1));
        }
    printf("%-12s 1 and 2 threads %-14s %9.2f ms %9.2f ms %6.2fx  (at least 1.8x; native code: %.2fx, as two processes %.2fx)\n", r->what,
           g->name, ours[0] * 1e3, ours[1] * 1e3, ours[0] / ours[1], native[0] / native[1], 2 * alone[0] / alone[1]);
    fflush(stdout);
    release(g, &l, &d);
}

/* ---- rates ---------------------------------------------------------------- */

/* Forms that a processor does not have have no kernel. */
static bool has_kernel(const struct gpu *g, const char *name)
{
    struct codeobj_kernel kernel;
    return codeobj_kernel_by_name(g->elf, name, &kernel, NULL) == CODEOBJ_OK;
}

static void bench_rates(struct gpu *g)
{
    enum { PLAIN = 0xf0, FLUSH = 0xc0, UPWARD = 0xf5 }; /* MODE 7:0 */
    static const struct { const char *what, *kernel; u32 rounds, mask, mode; double target; } kinds[] = {
        { "VALU, full EXEC", "bench_valu", 40000, ~0u, PLAIN, 60 },
        { "VALU, partial EXEC", "bench_valu", 40000, 0x5555aaa5, PLAIN, 30 },
        { "VALU, f32 denormals flushed", "bench_f32", 20000, ~0u, FLUSH, 0 },
        { "VALU, f32 rounded upwards", "bench_f32", 20000, ~0u, UPWARD, 0 },
        { "VALU, f64", "bench_f64", 10000, ~0u, PLAIN, 0 },
        { "VALU, packed f16", "bench_pk16", 10000, ~0u, PLAIN, 0 },
        { "VALU, exp log sin cos", "bench_functions", 1000, ~0u, PLAIN, 0 },
        { "VALU, med3 min3 max3", "bench_med3", 10000, ~0u, PLAIN, 0 },
        { "VALU, conversions", "bench_convert", 10000, ~0u, PLAIN, 0 },
        { "VALU, DPP", "bench_dpp", 10000, ~0u, PLAIN, 0 },
        { "VALU, DPP8", "bench_dpp8", 10000, ~0u, PLAIN, 0 },
        { "VALU, pairs (VOPD)", "bench_vopd", 10000, ~0u, PLAIN, 0 },
        { "VALU, true 16 bits", "bench_true16", 10000, ~0u, PLAIN, 0 },
        { "SALU", "bench_salu", 100000, ~0u, PLAIN, 0 },
    };
    uint64_t o = buffer(g, NULL, 4096 * 4);
    u32 a, b;
    memcpy(&a, &(f32){ 0.5f }, 4), memcpy(&b, &(f32){ 0.25f }, 4);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct launch l = { kinds[k].kernel, 256, 256, 1, 1, 6, { o, kinds[k].rounds, kinds[k].mask, kinds[k].mode, a, b } };
        struct codeobj_dispatch_stats stats = { 0 };
        double t = 1e9;
        if (!wanted(kinds[k].what) || !has_kernel(g, kinds[k].kernel))
            continue;
        for (int turn = 0; turn < TURNS; turn++)
            t = least(t, run(g, &l, &stats));
        printf("%-28s %-14s %9.1f million wave instructions/s, %.2f ns each", kinds[k].what, g->name,
               (double)stats.wave_instructions / t * 1e-6, t * 1e9 / (double)stats.wave_instructions);
        printf(kinds[k].target ? "  (at least %g million)\n" : "\n", kinds[k].target);
        fflush(stdout);
    }
    struct launch tiny = { "bench_tiny", 64, 64, 1, 1, 1, { o } };
    double t = 1e9;
    for (int turn = 0; turn < 200; turn++)
        t = least(t, run(g, &tiny, NULL));
    printf("%-28s %-14s %9.1f us  (at most 200)\n", "launch of a tiny kernel", g->name, t * 1e6);
}

/* Small integers, so that every product and sum is exact in any order. */
static void bench_matrix(struct gpu *g, const char *what, const char *kernel, unsigned element)
{
    enum { N = 1024 };
    if (!wanted(what))
        return;
    unsigned char *a = malloc(N * N * 2), *b = malloc(N * N * 2);
    f32 *c = malloc(N * N * sizeof *c);
    static const u16 bf16[4] = { 0x0000, 0x3f80, 0xbf80, 0x4000 }; /* 0, 1, -1, 2 */
    static const unsigned char fp8[4] = { 0x00, 0x40, 0xc0, 0x48 }; /* the same in E4M3 FNUZ (gfx942) */
    static const int value[4] = { 0, 1, -1, 2 };
    if (!a || !b || !c)
        die("memory", NULL);
    for (u32 i = 0; i < N * N; i++) {
        u32 x = (i * 2654435761u >> 13) & 3, y = (i * 40503u >> 7) & 3;
        memcpy(a + i * element, element == 2 ? (const void *)&bf16[x] : &fp8[x], element);
        memcpy(b + i * element, element == 2 ? (const void *)&bf16[y] : &fp8[y], element);
    }
    uint64_t da = buffer(g, a, N * N * element), db = buffer(g, b, N * N * element), dc = buffer(g, NULL, N * N * 4);
    struct launch l = { kernel, (N / 64) * (N / 64) * 64, 256, 2, 3, 4, { da, db, dc, N } };
    double t = least(run(g, &l, NULL), run(g, &l, NULL));
    codeobj_device_read(g->device, dc, c, N * N * 4, NULL);
    for (u32 probe = 0; probe < 2000; probe++) {
        u32 row = probe * 37 % N, col = probe * 101 % N;
        int sum = 0;
        for (u32 k = 0; k < N; k++)
            sum += value[((row * N + k) * 2654435761u >> 13) & 3] * value[((col * N + k) * 40503u >> 7) & 3];
        if (c[row * N + col] != (f32)sum)
            die(what, &(struct codeobj_diag){ .text = "results differ" });
    }
    printf("%-28s %-14s %9.3f s on two threads  (under 1)\n", what, g->name, t);
    fflush(stdout);
    free(a), free(b), free(c);
}

int main(int argc, char **argv)
{
    const char *lanes = NULL;
    bool brief = false;
    for (; argc > 1 && strncmp(argv[1], "--", 2) == 0; argc--, argv++) {
        brief |= strcmp(argv[1], "--brief") == 0;
        if (strncmp(argv[1], "--lanes=", 8) == 0)
            lanes = argv[1] + 8;
        if (strncmp(argv[1], "--only=", 7) == 0)
            only = argv[1] + 7;
    }
    printf("%-28s %-14s %12s %12s %7s\n", lanes ? lanes : "", "", "ours", "native", "ratio");
    for (int i = 1; i < argc; i++) {
        struct gpu g = open_gpu(argv[i], lanes);
        bench_rates(&g);
        for (const struct row *r = compute; r->what && !brief; r++)
            bench_ratio(&g, r);
        for (const struct row *r = memory; r->what && (!brief || r < memory + 3); r++)
            bench_ratio(&g, r);
        if (!brief)
            bench_threads(&g, &compute[0]), bench_threads(&g, &memory[0]);
        if (strcmp(g.name, "gfx942") == 0) {
            bench_matrix(&g, "MFMA GEMM 1024, bf16", "bench_mfma_bf16", 2);
            bench_matrix(&g, "MFMA GEMM 1024, fp8", "bench_mfma_fp8", 1);
        }
        codeobj_device_free(g.device);
        codeobj_elf_free(g.elf);
    }
    return 0;
}

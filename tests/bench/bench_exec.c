/* SPDX-License-Identifier: MIT
 *
 * bench_exec.c - the executor's speed beside the host compiler's code for the
 * same source, turn about in one run.
 *
 * usage: bench_exec OBJECT...      (code objects of exec_kernels.c)
 *
 * A ratio is ours over native, one thread each, the least of several turns; a
 * rate is millions of wave instructions a second.  Results are compared, so that
 * nothing is measured that did not happen.
 */
#include <codeobj/codeobj.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exec_kernels.h"

#define TURNS 5
#define ARGS_MAX 5

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

static struct gpu open_gpu(const char *path)
{
    struct gpu g;
    struct codeobj_diag diag = { 0 };
    struct codeobj_target target;
    if (codeobj_elf_open_file(path, NULL, &g.elf, &diag) != CODEOBJ_OK)
        die(path, &diag);
    codeobj_elf_target(g.elf, &target);
    snprintf(g.name, sizeof g.name, "%s", target.processor->name);
    if (codeobj_device_new(&target, NULL, &g.device, &diag) != CODEOBJ_OK || codeobj_device_load(g.device, g.elf, &diag) != CODEOBJ_OK)
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

/* Seconds of one dispatch. */
static double run(struct gpu *g, const struct launch *l, struct codeobj_dispatch_stats *stats)
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
    double t0 = now();
    if (codeobj_device_dispatch(g->device, &d, stats, &diag) != CODEOBJ_OK)
        die(l->kernel, &diag);
    return now() - t0;
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

static void print_ratio(const struct gpu *g, const char *what, double ours, double native, double target)
{
    printf("%-28s %-8s %9.2f ms %9.2f ms %6.2fx  (at most %gx)\n", what, g->name, ours * 1e3, native * 1e3, ours / native, target);
    fflush(stdout);
}

#define ALTERNATE(g, l, ours, native, statement)    \
    double ours = 1e9, native = 1e9;                \
    for (int turn = 0; turn < TURNS; turn++) {      \
        ours = least(ours, run(g, &(l), NULL));     \
        double t0_ = now();                         \
        statement;                                  \
        native = least(native, now() - t0_);        \
    }

static void *filled(size_t floats)
{
    f32 *p = malloc(floats * sizeof *p);
    u32 s = 1;
    if (!p)
        die("memory", NULL);
    for (size_t i = 0; i < floats; i++) {
        s = s * 1664525 + 1013904223;
        p[i] = (f32)(s >> 8) * 0x1p-20f - 8.0f;
    }
    return p;
}

static void bench_compute(struct gpu *g)
{
    enum { W = 512, H = 384, LIMIT = 256, BODIES = 1536, BLOCKS = 8, HASHES = 8192, N = 192 };
    u32 *out = malloc(W * H * sizeof *out);
    f32 *acc = malloc(BODIES * 3 * sizeof *acc), *pos = filled(BODIES * 4);
    uint64_t o = buffer(g, NULL, W * H * 4), p = buffer(g, pos, BODIES * 16), q = buffer(g, NULL, BODIES * 12);
    struct launch m = { "bench_mandelbrot", W * H, 256, 1, 1, 3, { o, W, LIMIT } };
    ALTERNATE(g, m, mine, theirs, for (u32 i = 0; i < W * H; i++) out[i] = mandelbrot_item(i, W, LIMIT));
    compare(g, "mandelbrot", o, out, W * H * 4);
    print_ratio(g, "mandelbrot", mine, theirs, 10);
    struct launch n = { "bench_nbody", BODIES, 256, 1, 2, 3, { p, q, BODIES } };
    ALTERNATE(g, n, mine2, theirs2, for (u32 i = 0; i < BODIES; i++) nbody_item(i, pos, acc, BODIES));
    compare(g, "n-body", q, acc, BODIES * 12);
    print_ratio(g, "n-body", mine2, theirs2, 10);
    struct launch h = { "bench_sha256", HASHES, 256, 1, 1, 2, { o, BLOCKS } };
    ALTERNATE(g, h, mine3, theirs3, for (u32 i = 0; i < HASHES; i++) out[i] = sha256_item(i, BLOCKS));
    compare(g, "sha256", o, out, HASHES * 4);
    print_ratio(g, "SHA-256", mine3, theirs3, 10);
    f32 *a = filled(N * N), *c = malloc(N * N * sizeof *c);
    uint64_t da = buffer(g, a, N * N * 4), dc = buffer(g, NULL, N * N * 4);
    struct launch mm = { "bench_gemm", N * N, 256, 1, 3, 4, { da, da, dc, N } };
    ALTERNATE(g, mm, mine4, theirs4, for (u32 i = 0; i < N * N; i++) c[i] = gemm_item(i, a, a, N));
    compare(g, "gemm", dc, c, N * N * 4);
    print_ratio(g, "GEMM f32, plain", mine4, theirs4, 10);
    double one = 1e9, two = 1e9;
    struct launch m2 = m;
    m2.threads = 2;
    for (int turn = 0; turn < TURNS; turn++) {
        one = least(one, run(g, &m, NULL));
        two = least(two, run(g, &m2, NULL));
    }
    printf("%-28s %-8s %9.2f ms %9.2f ms %6.2fx  (at least 1.8x)\n", "mandelbrot, 1 and 2 threads", g->name, one * 1e3, two * 1e3, one / two);
    free(out), free(acc), free(pos), free(a), free(c);
}

static void bench_stream(struct gpu *g)
{
    enum { N = 1 << 22 };
    f32 *a = filled(N), *b = filled(N), *c = malloc(N * sizeof *c);
    uint64_t da = buffer(g, a, N * 4), db = buffer(g, b, N * 4), dc = buffer(g, NULL, N * 4);
    struct launch l = { "bench_stream", N, 256, 1, 3, 3, { da, db, dc } };
    ALTERNATE(g, l, ours, native, for (u32 i = 0; i < N; i++) stream_item(i, a, b, c));
    compare(g, "stream", dc, c, N * 4);
    print_ratio(g, "streaming add", ours, native, 8);
    free(a), free(b), free(c);
}

/* ---- rates ---------------------------------------------------------------- */

static void bench_valu(struct gpu *g)
{
    uint64_t o = buffer(g, NULL, 4096 * 4);
    u32 a, b;
    memcpy(&a, &(f32){ 0.5f }, 4), memcpy(&b, &(f32){ 0.25f }, 4);
    struct { const char *what; u32 mask; double target; } kinds[] = { { "VALU, full EXEC", ~0u, 60 }, { "VALU, partial EXEC", 0x5555aaa5, 30 } };
    for (int k = 0; k < 2; k++) {
        struct launch l = { "bench_valu", 256, 256, 1, 1, 5, { o, 80000, kinds[k].mask, a, b } };
        struct codeobj_dispatch_stats stats = { 0 };
        double t = 1e9;
        for (int turn = 0; turn < TURNS; turn++)
            t = least(t, run(g, &l, &stats));
        printf("%-28s %-8s %9.1f million wave instructions/s, %.2f ns each  (at least %g million)\n", kinds[k].what,
               g->name, (double)stats.wave_instructions / t * 1e-6, t * 1e9 / (double)stats.wave_instructions,
               kinds[k].target);
        fflush(stdout);
    }
    struct launch tiny = { "bench_tiny", 64, 64, 1, 1, 1, { o } };
    double t = 1e9;
    for (int turn = 0; turn < 200; turn++)
        t = least(t, run(g, &tiny, NULL));
    printf("%-28s %-8s %9.1f us  (at most 200)\n", "launch of a tiny kernel", g->name, t * 1e6);
}

/* Small integers, so that every product and sum is exact in any order. */
static void bench_matrix(struct gpu *g, const char *what, const char *kernel, unsigned element)
{
    enum { N = 1024 };
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
    printf("%-28s %-8s %9.3f s on two threads  (under 1)\n", what, g->name, t);
    fflush(stdout);
    free(a), free(b), free(c);
}

int main(int argc, char **argv)
{
    printf("%-28s %-8s %12s %12s %7s\n", "", "", "ours", "native", "ratio");
    for (int i = 1; i < argc; i++) {
        struct gpu g = open_gpu(argv[i]);
        bench_valu(&g);
        bench_compute(&g);
        bench_stream(&g);
        if (strcmp(g.name, "gfx942") == 0) {
            bench_matrix(&g, "MFMA GEMM 1024, bf16", "bench_mfma_bf16", 2);
            bench_matrix(&g, "MFMA GEMM 1024, fp8", "bench_mfma_fp8", 1);
        }
        codeobj_device_free(g.device);
        codeobj_elf_free(g.elf);
    }
    return 0;
}

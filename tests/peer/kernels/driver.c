/* SPDX-License-Identifier: MIT
 *
 * driver.c - runs the cases that are linked into it on the CPU and, from code
 * objects, on the executor, and compares every buffer bit by bit.
 *
 * usage: driver [-d DIR] [-w WAVE] [-l LANES] [-t THREADS] [-n LABEL] [-v] [NAME ...]
 *
 *   -d DIR   where UNIT.co lie; without it only the CPU runs (twice, and must agree with itself)
 *   -s       list the cases: "unit name"
 *   NAME     a case or a unit; default: all whose object is in DIR
 *
 * Prints TAP.  Cases run in a child process, so that one which brings the
 * executor down costs only itself.
 */
#include "host.h"

#include <codeobj/codeobj.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARGS_MAX 12
#define CASE_SECONDS 120

extern const struct kernel_case *const __start_kernel_cases[], *const __stop_kernel_cases[];

static struct {
    const char *dir, *lanes, *label;
    unsigned threads, wave;
    int verbose;
} opt = { .label = "", .wave = 64, .threads = 1 };

/* ---- what buffers hold before the run ------------------------------------- */

static u64 next_random(u64 *s)
{
    u64 z = (*s += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static u64 seed_of(const char *name, unsigned arg)
{
    u64 h = 0xcbf29ce484222325;
    for (; *name; name++)
        h = (h ^ (u8)*name) * 0x100000001b3;
    return h + arg;
}

/* A float of `ebits` exponent bits and `mbits` fraction bits: corners half of the time. */
static u64 any_float(u64 *s, unsigned ebits, unsigned mbits)
{
    u64 emax = ((u64)1 << ebits) - 1, mmask = ((u64)1 << mbits) - 1, bias = emax >> 1;
    u64 r = next_random(s), frac = next_random(s) & mmask, e;
    switch (r & 31) {
    case 0: return (r >> 63) << (ebits + mbits);                                  /* zero */
    case 1: e = emax, frac = 0; break;                                            /* infinity */
    case 2: e = emax, frac |= (u64)1 << (mbits - 1); break;                       /* quiet NaN */
    case 3: e = 0; break;                                                         /* denormal */
    case 4: e = 0, frac = 1; break;
    case 5: e = 0, frac = mmask; break;
    case 6: e = 1, frac = 0; break;                                               /* smallest normal */
    case 7: e = emax - 1, frac = mmask; break;                                    /* largest */
    case 8: e = bias, frac = 0; break;                                            /* one */
    case 9: e = bias + mbits, frac &= ~(u64)1; break;                             /* integers about 2^mbits */
    case 10: e = bias - 1, frac = 0; break;                                       /* a half */
    case 11: e = bias + 31; break;                                                /* about 2^31 */
    case 12: e = 1 + (frac & 3); break;
    case 13: e = emax - 1 - (frac & 3); break;
    default: e = (r & 16) ? next_random(s) & emax : bias - 8 + (next_random(s) & 15);
    }
    if (e > emax) /* f16 has no 2^31 */
        e = emax - 1;
    if (e == emax && frac) /* no signalling NaN: quieting it is tested elsewhere */
        frac |= (u64)1 << (mbits - 1);
    return ((r >> 63) << ebits | e) << mbits | frac;
}

static u64 any_int(u64 *s)
{
    static const u64 corner[] = { 0, 1, 2, 31, 32, 33, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 65536,
                                  0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000 };
    u64 r = next_random(s), c = corner[(r >> 8) % (sizeof corner / sizeof corner[0])];
    switch (r & 7) {
    case 0: return c;
    case 1: return 0 - c;
    case 2: return c + (r >> 61);
    case 3: return (u64)1 << (r >> 58);
    case 4: return next_random(s) >> (r >> 58);
    default: return next_random(s);
    }
}

/* in (-limit, limit), on a grid that any format with 11 bits of fraction or more can hold in part */
static f64 some_real(u64 *s, f64 limit)
{
    return ((f64)(next_random(s) >> 11) * 0x1p-53 * 2 - 1) * limit;
}

static void fill_elements(void *buf, const struct kernel_arg *a, u64 seed)
{
    u64 s = seed;
    u8 *b = buf;
    u16 *h = buf;
    u32 *w = buf;
    u64 *l = buf;
    for (u64 i = 0; i < a->size; i++) {
        if (a->fill == FILL_BITS)
            b[i] = (u8)(next_random(&s) >> 32);
        else if (a->fill == FILL_TEXT)
            b[i] = "abcdefghijklmnopqrstuvwxyz      "[next_random(&s) >> 59];
    }
    for (u64 i = 0; i < a->size / 2; i++) {
        if (a->fill == FILL_F16)
            h[i] = bits_f16((f16)some_real(&s, 8));
        else if (a->fill == FILL_F16_ANY)
            h[i] = (u16)any_float(&s, 5, 10);
    }
    for (u64 i = 0; i < a->size / 4; i++) {
        switch (a->fill) {
        case FILL_BELOW: w[i] = (u32)((next_random(&s) >> 32) * a->param >> 32); break;
        case FILL_IOTA:
        case FILL_PERM: w[i] = (u32)i; break;
        case FILL_F32: w[i] = bits_f32((f32)some_real(&s, 100)); break;
        case FILL_F32_ANY: w[i] = (u32)any_float(&s, 8, 23); break;
        case FILL_INT_ANY: w[i] = (u32)any_int(&s); break;
        default: break;
        }
    }
    for (u64 i = a->size / 4; a->fill == FILL_PERM && i > 1; i--) {
        u64 j = next_random(&s) % i;
        u32 t = w[i - 1];
        w[i - 1] = w[j], w[j] = t;
    }
    for (u64 i = 0; i < a->size / 8; i++) {
        switch (a->fill) {
        case FILL_F64: l[i] = bits_f64(some_real(&s, 100)); break;
        case FILL_F64_ANY: l[i] = any_float(&s, 11, 52); break;
        case FILL_LONG_ANY: l[i] = any_int(&s); break;
        default: break;
        }
    }
}

/* ---- the CPU -------------------------------------------------------------- */

static void *new_buffer(const struct kernel_case *c, unsigned arg)
{
    /* room to a multiple of 8, so that the fills above may speak of whole elements */
    void *p = calloc(1, (c->args[arg].size + 15) & ~(u64)7);
    if (!p) {
        perror("calloc");
        exit(2);
    }
    fill_elements(p, &c->args[arg], seed_of(c->name, arg));
    return p;
}

/* Runs c on the CPU; buffers are owned by the caller (free). */
static void run_on_cpu(const struct kernel_case *c, void *buffers[ARGS_MAX])
{
    union host_arg args[ARGS_MAX];
    u64 lds = (c->dynamic_lds + 15u) & ~15u;
    memset(args, 0, sizeof args);
    for (unsigned i = 0; i < ARGS_MAX && c->args[i].kind != ARG_END; i++) {
        const struct kernel_arg *a = &c->args[i];
        buffers[i] = NULL;
        if (a->kind == ARG_BUFFER)
            args[i].p = buffers[i] = new_buffer(c, i);
        else if (a->kind == ARG_LOCAL)
            args[i].p = (u8 *)host_dynamic_lds + lds, lds += (a->size + 15) & ~(u64)15;
        else if (a->bytes)
            args[i].p = (void *)(uintptr_t)a->bytes;
        else
            args[i].u = a->value;
    }
    host_run(c, args, opt.wave);
}

/* First difference of two buffers, in words; true when equal. */
static int same_buffer(unsigned arg, const void *got, const void *expected, u64 size)
{
    const u8 *g = got, *e = expected;
    u64 first = size, bad = 0;
    for (u64 i = 0; i < size; i++) {
        if (g[i] != e[i]) {
            if (first == size)
                first = i;
            bad++;
        }
    }
    if (bad == 0)
        return 1;
    printf("# argument %u: %lu of %lu bytes differ\n", arg, bad, size);
    u64 shown = 0;
    for (u64 w = first / 4; w * 4 + 4 <= size && shown < 8; w++) {
        u32 x, y;
        memcpy(&x, g + w * 4, 4), memcpy(&y, e + w * 4, 4);
        if (x != y) {
            printf("#   dword %lu: got 0x%08x, expected 0x%08x\n", w, x, y);
            shown++;
        }
    }
    return 0;
}

/* ---- the executor --------------------------------------------------------- */

struct run {
    struct codeobj_elf *elf;
    struct codeobj_device *device;
    struct codeobj_diag diag;
    u64 addr[ARGS_MAX];
    u8 kernarg[1024];
    size_t kernarg_size;
    u32 dynamic_lds;
    struct codeobj_dispatch_stats stats;
};

/* Arguments at natural alignment in order (AMDHSA kernel arguments). */
static enum codeobj_status put_arguments(struct run *r, const struct kernel_case *c)
{
    struct codeobj_kernel kernel;
    enum codeobj_status found = codeobj_kernel_by_name(r->elf, c->name, &kernel, &r->diag);
    if (found != CODEOBJ_OK)
        return found;
    u32 fixed = (kernel.descriptor.group_segment_fixed_size + 15) & ~15u, lds = (c->dynamic_lds + 15u) & ~15u;
    size_t at = 0;
    for (unsigned i = 0; i < ARGS_MAX && c->args[i].kind != ARG_END; i++) {
        const struct kernel_arg *a = &c->args[i];
        size_t size = a->kind == ARG_BUFFER ? 8 : a->kind == ARG_LOCAL ? 4 : a->size;
        size_t align = a->kind == ARG_VALUE && a->bytes ? 16 : size;
        at = (at + align - 1) / align * align;
        if (a->kind == ARG_BUFFER) {
            void *init = new_buffer(c, i);
            char name[32];
            snprintf(name, sizeof name, "argument %u", i);
            enum codeobj_status s = codeobj_device_alloc(r->device, a->size, name, &r->addr[i], &r->diag);
            if (s == CODEOBJ_OK)
                s = codeobj_device_write(r->device, r->addr[i], init, a->size, &r->diag);
            free(init);
            if (s != CODEOBJ_OK)
                return s;
            memcpy(r->kernarg + at, &r->addr[i], 8);
        } else if (a->kind == ARG_LOCAL) {
            u32 offset = fixed + lds;
            memcpy(r->kernarg + at, &offset, 4);
            lds += (a->size + 15) & ~15u;
        } else {
            memcpy(r->kernarg + at, a->bytes ? a->bytes : &a->value, a->size);
        }
        at += size;
    }
    r->kernarg_size = at;
    /* what lies between the fixed part and the first dynamic byte counts too */
    r->dynamic_lds = lds ? lds + fixed - kernel.descriptor.group_segment_fixed_size : 0;
    return CODEOBJ_OK;
}

static enum codeobj_status open_device(struct run *r, const char *path)
{
    struct codeobj_target target;
    enum codeobj_status s = codeobj_elf_open_file(path, NULL, &r->elf, &r->diag);
    if (s != CODEOBJ_OK)
        return s;
    codeobj_elf_target(r->elf, &target);
    struct codeobj_device_options options = { .size = sizeof options, .lanes = opt.lanes };
    s = codeobj_device_new(&target, &options, &r->device, &r->diag);
    if (s == CODEOBJ_OK)
        s = codeobj_device_load(r->device, r->elf, &r->diag);
    return s;
}

static enum codeobj_status run_on_device(struct run *r, const struct kernel_case *c, const char *path)
{
    enum codeobj_status s = open_device(r, path);
    if (s == CODEOBJ_OK)
        s = put_arguments(r, c);
    if (s != CODEOBJ_OK)
        return s;
    struct codeobj_dispatch d = { .size = sizeof d,
                                  .kernel = c->name,
                                  .dims = c->grid[2] > 1 ? 3 : c->grid[1] > 1 ? 2 : 1,
                                  .dynamic_lds = r->dynamic_lds,
                                  .kernarg = r->kernarg,
                                  .kernarg_size = r->kernarg_size,
                                  .max_instructions = (u64)1 << 33,
                                  .threads = opt.threads };
    for (int i = 0; i < 3; i++) {
        d.grid[i] = c->grid[i] ? c->grid[i] : 1;
        d.workgroup[i] = c->group[i] ? c->group[i] : 1;
    }
    return codeobj_device_dispatch(r->device, &d, &r->stats, &r->diag);
}

/* Whether the kernel changed any buffer: one that does not proves nothing. */
static int did_something(const struct kernel_case *c, void *const buffers[ARGS_MAX])
{
    int changed = 0;
    for (unsigned i = 0; i < ARGS_MAX && c->args[i].kind != ARG_END; i++) {
        if (c->args[i].kind != ARG_BUFFER)
            continue;
        void *init = new_buffer(c, i);
        changed |= memcmp(init, buffers[i], c->args[i].size) != 0;
        free(init);
    }
    return changed;
}

/* Compares with a second run on the CPU. */
static int repeat_on_cpu(const struct kernel_case *c, void *const expected[ARGS_MAX])
{
    void *again[ARGS_MAX];
    int good = 1;
    run_on_cpu(c, again);
    for (unsigned i = 0; i < ARGS_MAX && c->args[i].kind != ARG_END; i++) {
        if (c->args[i].kind == ARG_BUFFER)
            good &= same_buffer(i, again[i], expected[i], c->args[i].size);
        free(again[i]);
    }
    return good;
}

static int compare_with_device(const struct kernel_case *c, void *const expected[ARGS_MAX])
{
    struct run r;
    char path[4096], text[1024];
    struct timespec t0, t1;
    int good = 1;
    memset(&r, 0, sizeof r);
    snprintf(path, sizeof path, "%s/%s.co", opt.dir, c->unit);
    clock_gettime(CLOCK_MONOTONIC, &t0);
    enum codeobj_status s = run_on_device(&r, c, path);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    if (s != CODEOBJ_OK) {
        codeobj_diag_format(&r.diag, text, sizeof text);
        printf("# %s: %s\n", codeobj_status_text(s), text);
        good = 0;
    }
    for (unsigned i = 0; s == CODEOBJ_OK && i < ARGS_MAX && c->args[i].kind != ARG_END; i++) {
        if (c->args[i].kind != ARG_BUFFER)
            continue;
        void *got = malloc(c->args[i].size + 1);
        if (!got || codeobj_device_read(r.device, r.addr[i], got, c->args[i].size, &r.diag) != CODEOBJ_OK) {
            printf("# argument %u cannot be read back\n", i);
            good = 0;
        } else {
            good &= same_buffer(i, got, expected[i], c->args[i].size);
        }
        free(got);
    }
    if (opt.verbose && s == CODEOBJ_OK) {
        f64 seconds = (f64)(t1.tv_sec - t0.tv_sec) + (f64)(t1.tv_nsec - t0.tv_nsec) * 1e-9;
        printf("# %s: %lu wave instructions, %.1f million a second\n", c->name, (u64)r.stats.wave_instructions,
               (f64)r.stats.wave_instructions / seconds * 1e-6);
    }
    codeobj_device_free(r.device);
    codeobj_elf_free(r.elf);
    return good;
}

static int run_case(const struct kernel_case *c)
{
    void *expected[ARGS_MAX];
    run_on_cpu(c, expected);
    int good = did_something(c, expected);
    if (!good)
        printf("# the kernel changed nothing on the CPU\n");
    good &= opt.dir ? compare_with_device(c, expected) : repeat_on_cpu(c, expected);
    for (unsigned i = 0; i < ARGS_MAX && c->args[i].kind != ARG_END; i++)
        free(expected[i]);
    return good;
}

/* ---- which, and in what process ------------------------------------------- */

/* Code object version of an object; 0 when it cannot be read. */
static int version_of(const char *path)
{
    struct codeobj_elf *elf;
    struct codeobj_elf_header h = { 0 };
    if (codeobj_elf_open_file(path, NULL, &elf, NULL) != CODEOBJ_OK)
        return 0;
    codeobj_elf_header(elf, &h);
    codeobj_elf_free(elf);
    return h.code_object_version;
}

static int selected(const struct kernel_case *c, char **names)
{
    char path[4096];
    if (*names) {
        int found = 0;
        for (; *names && !found; names++)
            found = strcmp(*names, c->name) == 0 || strcmp(*names, c->unit) == 0;
        if (!found)
            return 0;
    }
    if (!opt.dir)
        return 1;
    if (c->needs) { /* the label starts with the processor */
        size_t n = strcspn(opt.label, " -");
        const char *p = c->needs;
        for (; *p; p += strcspn(p, " "), p += strspn(p, " "))
            if (strncmp(p, opt.label, n) == 0 && (p[n] == ' ' || p[n] == 0))
                break;
        if (!*p)
            return 0;
    }
    snprintf(path, sizeof path, "%s/%s.co", opt.dir, c->unit);
    if (access(path, R_OK) != 0)
        return *names != NULL;
    return c->version == 0 || version_of(path) >= c->version;
}

static void report(const struct kernel_case *c, int good)
{
    printf("%s - %s %s\n", good ? "ok" : "not ok", opt.label, c->name);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int o, failed = 0;
    while ((o = getopt(argc, argv, "d:w:l:t:n:vs")) != -1) {
        switch (o) {
        case 'd': opt.dir = optarg; break;
        case 'w': opt.wave = (unsigned)atoi(optarg); break;
        case 'l': opt.lanes = optarg; break;
        case 't': opt.threads = (unsigned)atoi(optarg); break;
        case 'n': opt.label = optarg; break;
        case 'v': opt.verbose = 1; break;
        case 's':
            for (const struct kernel_case *const *c = __start_kernel_cases; c < __stop_kernel_cases; c++)
                printf("%s %s\n", (*c)->unit, (*c)->name);
            return 0;
        default: return 2;
        }
    }
    size_t count = (size_t)(__stop_kernel_cases - __start_kernel_cases);
    struct progress {
        size_t at;
        int failed;
    } *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 2;
    while (p->at < count) {
        fflush(stdout);
        pid_t child = fork();
        if (child < 0)
            return 2;
        if (child == 0) {
            for (; p->at < count; p->at++) {
                const struct kernel_case *c = __start_kernel_cases[p->at];
                if (!selected(c, argv + optind))
                    continue;
                alarm(CASE_SECONDS);
                int good = run_case(c);
                p->failed |= !good;
                report(c, good);
            }
            exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (p->at < count) { /* it died on this one */
            printf("# ended by %s %d\n", WIFSIGNALED(status) ? "signal" : "exit status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            report(__start_kernel_cases[p->at], 0);
            failed = 1;
            p->at++;
        }
    }
    return failed || p->failed;
}

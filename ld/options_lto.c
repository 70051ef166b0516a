/* SPDX-License-Identifier: MIT
 *
 * ld/options_lto.c - bitcode inputs, by way of a clang.
 *
 * HIP -fgpu-rdc, OpenMP offload and rustc hand the linker LLVM bitcode.  All of
 * it is made one object by one run of clang's compiler proper, which links
 * modules (-mlink-bitcode-file) before it optimises and generates code, so that
 * calls across modules are inlined and their registers counted.
 *
 * LLVM's own link step first makes internal what is not exported (options_internalize.c),
 * and drops what is neither exported nor used.  Here each
 * function and variable gets a section, and codeobj_link() leaves out those that
 * nothing needs.  What __attribute__((used)) names must stay, and leaves no trace
 * in an AMDGPU object: the names are read from the modules' text.
 *
 * Which clang: --lto-clang=PATH, the environment's AMDLD_CLANG, clang beside
 * this program, then clang-22, clang, amdclang in PATH.
 */
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *in_path(struct driver *d, const char *name)
{
    const char *p = getenv("PATH");
    while (p && *p) {
        size_t n = strcspn(p, ":");
        const char *full = driver_print(d, "%.*s/%s", (int)n, p, name);
        if (n && access(full, X_OK) == 0)
            return full;
        p += n + (p[n] != 0);
    }
    return NULL;
}

static const char *find_clang(struct driver *d)
{
    static const char *const names[] = { "clang-22", "clang", "amdclang" };
    const char *given = d->lto_clang ? d->lto_clang : getenv("AMDLD_CLANG");
    if (given && *given)
        return strchr(given, '/') ? given : in_path(d, given);
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = 0;
        char *slash = strrchr(self, '/');
        if (slash) {
            *slash = 0;
            const char *beside = driver_print(d, "%s/clang", self);
            if (access(beside, X_OK) == 0)
                return beside;
        }
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *found = in_path(d, names[i]);
        if (found)
            return found;
    }
    return NULL;
}

struct job {
    char *dir;
    DVEC(const char *) files;
    DVEC(char *) argv;
};

static void clean(struct job *j)
{
    for (size_t i = 0; i < j->files.count; i++)
        unlink(j->files.items[i]);
    if (j->dir)
        rmdir(j->dir);
}

static void arg(struct driver *d, struct job *j, const char *text)
{
    *DPUSH(d, j->argv) = driver_strndup(d, text, strlen(text));
}

static void features(struct driver *d, struct job *j)
{
    const char *p = d->mattr;
    while (p && *p) {
        size_t n = strcspn(p, ",");
        if (n) {
            arg(d, j, "-target-feature");
            *DPUSH(d, j->argv) = driver_strndup(d, p, n);
        }
        p += n + (p[n] != 0);
    }
}

static bool write_modules(struct driver *d, struct job *j, const struct codeobj_link_bitcode *modules, size_t count)
{
    const char *tmp = getenv("TMPDIR");
    j->dir = driver_print(d, "%s/amdld-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(j->dir)) {
        driver_error(d, "cannot make a temporary folder %s: %s", j->dir, strerror(errno));
        j->dir = NULL;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const char *path = driver_print(d, "%s/%zu.bc", j->dir, i);
        if (!driver_write(d, path, modules[i].data, modules[i].size, 0600)) {
            driver_error(d, "cannot write %s: %s", path, strerror(errno));
            return false;
        }
        *DPUSH(d, j->files) = path;
    }
    return true;
}

static bool spawn(struct driver *d, struct job *j)
{
    pid_t pid;
    int status = 0;
    *DPUSH(d, j->argv) = NULL;
    if (d->verbose) {
        for (size_t i = 0; j->argv.items[i]; i++)
            fprintf(stderr, "%s%s", i ? " " : "", j->argv.items[i]);
        fputc('\n', stderr);
    }
    int rc = posix_spawn(&pid, j->argv.items[0], NULL, NULL, j->argv.items, environ);
    if (rc) {
        driver_error(d, "cannot run %s: %s", j->argv.items[0], strerror(rc));
        return false;
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    driver_error(d, "compiling bitcode failed: %s ended with %s %d", j->argv.items[0],
                 WIFEXITED(status) ? "status" : "signal", WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return false;
}

static void compiler(struct driver *d, struct job *j, const char *clang, const char *what)
{
    const char *const fixed[] = { clang, "-cc1", "-triple", "amdgcn-amd-amdhsa", what, "-mrelocation-model", "pic",
                                  "-disable-free", "-Wno-override-module" };
    j->argv.count = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        arg(d, j, fixed[i]);
}

/* The first module, with the others linked into it, and where the result goes. */
static bool finish(struct driver *d, struct job *j, size_t count, const char *out)
{
    for (size_t i = 1; i < count; i++) {
        arg(d, j, "-mlink-bitcode-file");
        arg(d, j, j->files.items[i]);
    }
    arg(d, j, "-x");
    arg(d, j, "ir");
    arg(d, j, j->files.items[0]);
    arg(d, j, "-o");
    arg(d, j, out);
    *DPUSH(d, j->files) = out;
    return spawn(d, j);
}

/* Puts the names of `@LIST = appending ... [N x ptr] [ptr @a, ptr addrspacecast (... @"b c" ...)]` into d->keep. */
static void read_list(struct driver *d, const char *text, size_t size, const char *list)
{
    const char *end = text + size, *at = memmem(text, size, list, strlen(list));
    while (at && at > text && at[-1] != '\n')
        at = memmem(at + 1, (size_t)(end - at - 1), list, strlen(list));
    if (!at)
        return;
    const char *nl = memchr(at, '\n', (size_t)(end - at));
    end = nl ? nl : end;
    for (const char *p = memchr(at + 1, '@', (size_t)(end - at - 1)); p; p = memchr(p, '@', (size_t)(end - p))) {
        bool quoted = ++p < end && *p == '"';
        p += quoted;
        const char *stop = p;
        while (stop < end && (quoted ? *stop != '"' : !strchr(" ,)]", *stop)))
            stop++;
        *DPUSH(d, d->keep) = driver_strndup(d, p, (size_t)(stop - p));
        p = stop;
    }
}

/* All modules as one text, where it is needed: to find out what must stay, and to make what is hidden internal, which
 * leaves one module to compile. */
static bool merge_text(struct driver *d, struct job *j, const char *clang, const struct codeobj_link_bitcode *modules,
                       size_t *count)
{
    static const char name[] = ".used"; /* names are plain bytes in bitcode's string table */
    const void *text;
    size_t size;
    bool used = false, internalize = driver_may_internalize(d);
    for (size_t i = 0; i < *count; i++)
        used |= memmem(modules[i].data, modules[i].size, name, sizeof name - 1) != NULL;
    if (!used && !internalize)
        return true;
    const char *path = driver_print(d, "%s/all.ll", j->dir);
    compiler(d, j, clang, "-emit-llvm");
    arg(d, j, "-disable-llvm-passes");
    if (!finish(d, j, *count, path))
        return false;
    if (!driver_read(d, path, &text, &size)) {
        driver_error(d, "cannot open %s: %s", path, strerror(errno));
        return false;
    }
    d->keep.count = 0;
    read_list(d, text, size, "@llvm.compiler.used = ");
    read_list(d, text, size, "@llvm.used = ");
    if (!internalize)
        return true;
    text = driver_internalize(d, text, size, &size);
    if (!driver_write(d, path, text, size, 0600)) {
        driver_error(d, "cannot write %s: %s", path, strerror(errno));
        return false;
    }
    const char *first = j->files.items[0];
    j->files.items[0] = path; /* the one module */
    *DPUSH(d, j->files) = first;
    *count = 1;
    return true;
}

/* what: the option of clang -cc1 that says what to make. */
static bool compile(struct driver *d, struct job *j, const char *clang, size_t count, const char *what, const char *object)
{
    const char *level = d->lto_cg_opt ? d->lto_cg_opt : d->lto_opt ? d->lto_opt : "2";
    compiler(d, j, clang, what);
    arg(d, j, "-ffunction-sections");
    arg(d, j, "-fdata-sections");
    arg(d, j, driver_print(d, "-O%s", level));
    if (d->mcpu) {
        arg(d, j, "-target-cpu");
        arg(d, j, d->mcpu);
    }
    features(d, j);
    for (size_t i = 0; i < d->mllvm.count; i++)
        if (strcmp(d->mllvm.items[i], "-amdgpu-internalize-symbols") || !driver_has_objects(d)) {
            arg(d, j, "-mllvm");
            arg(d, j, d->mllvm.items[i]);
        }
    return finish(d, j, count, object);
}

bool driver_compile(struct driver *d, const struct codeobj_link_bitcode *modules, size_t count,
                    struct codeobj_link_input *out)
{
    struct job j = { 0 };
    const char *clang = find_clang(d);
    if (!clang) {
        driver_error(d, "%s: LLVM bitcode needs a clang to compile it, and there is none\n"
                        ">>> name one with --lto-clang=PATH or the environment variable AMDLD_CLANG, or put clang into PATH",
                     modules[0].name);
        return false;
    }
    bool ok = write_modules(d, &j, modules, count);
    const char *object = j.dir ? driver_print(d, "%s/lto.o", j.dir) : "";
    ok = ok && merge_text(d, &j, clang, modules, &count) && compile(d, &j, clang, count, "-emit-obj", object);
    if (ok && !driver_read(d, object, &out->data, &out->size)) {
        driver_error(d, "cannot open %s: %s", object, strerror(errno));
        ok = false;
    }
    out->name = driver_print(d, "%s.lto.o", d->output);
    out->flags = CODEOBJ_LINK_INPUT_COLLECT;
    if (ok && d->save_temps && !driver_write(d, out->name, out->data, out->size, 0666))
        driver_error(d, "cannot open %s: %s", out->name, strerror(errno));
    clean(&j);
    return ok;
}

void driver_emit(struct driver *d, const struct codeobj_link_bitcode *modules, size_t count)
{
    struct job j = { 0 };
    const char *clang = find_clang(d);
    bool text = d->lto_emit == EMIT_ASSEMBLY;
    const void *data;
    size_t size;
    if (!clang || !count) /* without a clang, nothing has been compiled */
        return;
    bool ok = write_modules(d, &j, modules, count);
    const char *made = j.dir ? driver_print(d, "%s/lto.%s", j.dir, text ? "s" : "bc") : "";
    ok = ok && merge_text(d, &j, clang, modules, &count) && compile(d, &j, clang, count, text ? "-S" : "-emit-llvm-bc", made);
    const char *path = text ? driver_print(d, "%s.lto.s", d->output) : d->output;
    if (ok && !driver_read(d, made, &data, &size))
        driver_error(d, "cannot open %s: %s", made, strerror(errno));
    else if (ok && !driver_write(d, path, data, size, 0666))
        driver_error(d, "cannot open output file %s: %s", path, strerror(errno));
    clean(&j);
}

/* SPDX-License-Identifier: MIT
 *
 * ld/options_lto.c - bitcode inputs, by way of a clang.
 *
 * HIP -fgpu-rdc, OpenMP offload and rustc hand the linker LLVM bitcode.  All of
 * it is made one object by one run of clang's compiler proper, which links
 * modules (-mlink-bitcode-file) before it optimises and generates code, so that
 * calls across modules are inlined and their registers counted.
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

/* An object may need what only the bitcode defines: nothing may be internalized then. */
static bool has_objects(const struct driver *d)
{
    for (size_t i = 0; i < d->inputs.count; i++)
        if (d->inputs.items[i].size >= 4 && !memcmp(d->inputs.items[i].data, "\177ELF", 4))
            return true;
    return false;
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
    const char *level = d->lto_cg_opt ? d->lto_cg_opt : d->lto_opt ? d->lto_opt : "2";
    const char *object = j.dir ? driver_print(d, "%s/lto.o", j.dir) : "";
    if (ok) {
        const char *const fixed[] = { clang, "-cc1", "-triple", "amdgcn-amd-amdhsa", "-emit-obj", "-mrelocation-model", "pic",
                                      "-disable-free", "-Wno-override-module" };
        for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
            arg(d, &j, fixed[i]);
        arg(d, &j, driver_print(d, "-O%s", level));
        if (d->mcpu) {
            arg(d, &j, "-target-cpu");
            arg(d, &j, d->mcpu);
        }
        features(d, &j);
        for (size_t i = 0; i < d->mllvm.count; i++)
            if (strcmp(d->mllvm.items[i], "-amdgpu-internalize-symbols") || !has_objects(d)) {
                arg(d, &j, "-mllvm");
                arg(d, &j, d->mllvm.items[i]);
            }
        for (size_t i = 1; i < count; i++) {
            arg(d, &j, "-mlink-bitcode-file");
            arg(d, &j, j.files.items[i]);
        }
        arg(d, &j, "-x");
        arg(d, &j, "ir");
        arg(d, &j, j.files.items[0]);
        arg(d, &j, "-o");
        arg(d, &j, object);
        *DPUSH(d, j.files) = object;
        ok = spawn(d, &j);
    }
    if (ok && !driver_read(d, object, &out->data, &out->size)) {
        driver_error(d, "cannot open %s: %s", object, strerror(errno));
        ok = false;
    }
    out->name = driver_print(d, "%s.lto.o", d->output);
    out->flags = 0;
    if (ok && d->save_temps && !driver_write(d, out->name, out->data, out->size, 0666))
        driver_error(d, "cannot open %s: %s", out->name, strerror(errno));
    clean(&j);
    return ok;
}

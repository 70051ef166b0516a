/* SPDX-License-Identifier: MIT
 *
 * ld/options_companion.c - links that another program does.
 *
 * libzstd's compressor is larger than all of the linker, and hardly any link needs it.  With AMDLD_COMPANION the
 * program is built without it (Makefile): a command line that asks for zstd is handed over, as it is, to amdld-zstd,
 * which is this program with the compressor, linked with the system's shared libraries.  Its place is AMDLD_COMPANION
 * below a prefix; it may also lie beside the program, as it does where it is built.
 */
#include "options.h"

#ifndef AMDLD_COMPANION
bool driver_hand_over(struct driver *d, char **argv)
{
    (void)d, (void)argv;
    return true;
}
#else
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define NAME "amdld-zstd"

/* Does not come back where PATH is a program; false: something is there and cannot be run, as a message has said. */
static bool try(struct driver *d, const char *path, char **argv)
{
    execv(path, argv);
    int why = errno;
    if (access(path, F_OK) != 0)
        return true;
    driver_error(d, "cannot compress with zstd: cannot run %s: %s", path, strerror(why));
    return false;
}

/* The folder of the running program, without links on the way; NULL: it cannot be told. */
static const char *own_folder(struct driver *d)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    while (n > 0 && path[n - 1] != '/')
        n--;
    return n > 0 ? driver_strndup(d, path, (size_t)n - 1) : NULL;
}

bool driver_hand_over(struct driver *d, char **argv)
{
    const char *folder = own_folder(d), *last = AMDLD_PREFIX "/" AMDLD_COMPANION, *where = last;
    if (folder) {
        const char *slash = strrchr(folder, '/');
        const char *beside = driver_print(d, "%s/" NAME, folder);
        const char *below = driver_print(d, "%.*s/" AMDLD_COMPANION, slash ? (int)(slash - folder) : 0, folder);
        if (!try(d, beside, argv) || !try(d, below, argv))
            return false;
        where = driver_print(d, strcmp(below, last) ? "%s, %s or %s" : "%s or %s", beside, below, last);
    }
    if (!try(d, last, argv))
        return false;
    driver_error(d, "cannot compress with zstd: the program for it is missing: no %s; '--compress-debug-sections=zlib' needs none", where);
    return false;
}
#endif

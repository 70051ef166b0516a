/* SPDX-License-Identifier: MIT
 *
 * ld/options_files.c - files of the command line: found, read, written; and
 * messages to the terminal.
 *
 * Output: a regular file is written under a temporary name in the same folder
 * and renamed, so that a link that fails, or is killed, leaves the old file as
 * it was; a hard-linked or read-only old file, and a symbolic link, are
 * replaced.  What exists and is no regular file (/dev/null, a pipe) is written
 * in place.  "-" is standard output.
 */
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- messages ------------------------------------------------------------------ */

void driver_message(struct driver *d, bool is_error, const char *text)
{
    if (!is_error && d->warnings_off)
        return;
    if (!is_error && d->warnings_fatal)
        is_error = true;
    const char *first, *second;
    if (is_error && d->vs_diagnostics && driver_vs_split(d, text, &first, &second)) {
        driver_message(d, true, first);
        driver_message(d, true, second);
        return;
    }
    if (d->vs_diagnostics && driver_vs_full(d, is_error, &text))
        return;
    fflush(stdout);
    if (d->last_was_long)
        fputc('\n', stderr);
    d->last_was_long = strchr(text, '\n') != NULL;
    const char *kind = is_error ? "error" : "warning";
    const char *who = d->vs_diagnostics ? driver_vs_place(d, text) : d->program;
    if (d->color)
        fprintf(stderr, "%s: \033[0;%dm%s: \033[0m%s\n", who, is_error ? 31 : 35, kind, text);
    else
        fprintf(stderr, "%s: %s: %s\n", who, kind, text);
    d->error_count += is_error;
}

void driver_error(struct driver *d, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    driver_message(d, true, text);
}

void driver_warn(struct driver *d, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    driver_message(d, false, text);
}

char *driver_strndup(struct driver *d, const char *s, size_t n)
{
    char *p = driver_alloc(d, n + 1);
    memcpy(p, s, n);
    return p;
}

char *driver_print(struct driver *d, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *p = driver_alloc(d, n < 0 ? 1 : (size_t)n + 1);
    if (n > 0)
        vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

/* ---- reading --------------------------------------------------------------------- */

enum { POOL_FROM = 1 << 20, POOL_SIZE = 8 << 20 };

/* Room for a file's bytes.  Many small files share large blocks. */
static char *room(struct driver *d, size_t size)
{
    d->bytes_read += size;
    if (d->bytes_read < POOL_FROM || size > POOL_SIZE / 16)
        return driver_alloc_raw(d, size);
    if (size > d->pool_left) {
        void *p = mmap(NULL, POOL_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            return driver_alloc_raw(d, size);
        madvise(p, POOL_SIZE, MADV_HUGEPAGE);
        *DPUSH(d, d->maps) = (struct mapping){ p, POOL_SIZE };
        d->pool = p;
        d->pool_left = POOL_SIZE;
    }
    char *p = d->pool;
    size = (size + 15) & ~(size_t)15;
    size = size < d->pool_left ? size : d->pool_left;
    d->pool += size;
    d->pool_left -= size;
    return p;
}

/* known: the size of a regular file, or 0. */
static bool read_whole(struct driver *d, int fd, size_t known, const void **data, size_t *size)
{
    size_t cap = (known ? known : 65536) + 1, n = 0;
    char *p = room(d, cap);
    for (;;) {
        ssize_t k = read(fd, p + n, cap - n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        if (k == 0)
            break;
        n += (size_t)k;
        if (n == known && known) /* as long as the file was said to be: no call to hear that it ends */
            break;
        if (n == cap)
            driver_grow(d, (void **)&p, n, &cap, 1);
    }
    *data = p;
    *size = n;
    return true;
}

bool driver_read(struct driver *d, const char *path, const void **data, size_t *size)
{
    if (d->ahead && d->ahead->data && d->ahead->path == path) {
        *data = d->ahead->data;
        *size = d->ahead->size;
        return true;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct stat st;
    bool ok = fstat(fd, &st) == 0;
    if (ok && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        ok = false;
    } else if (ok && S_ISREG(st.st_mode) && st.st_size >= DRIVER_READ_BELOW) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        ok = p != MAP_FAILED;
        if (ok) {
            *DPUSH(d, d->maps) = (struct mapping){ p, (size_t)st.st_size };
            *data = p;
            *size = (size_t)st.st_size;
#ifdef MADV_POPULATE_READ
            /* An object is read whole; of an archive, perhaps, little. */
            if (!memcmp(p, "\177ELF", 4))
                madvise(p, (size_t)st.st_size, MADV_POPULATE_READ);
#endif
        }
    } else if (ok) {
        ok = read_whole(d, fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, data, size);
    }
    int saved = errno;
    close(fd);
    errno = saved;
    return ok;
}

void driver_unmap(struct driver *d)
{
    for (size_t i = 0; i < d->maps.count; i++)
        munmap(d->maps.items[i].data, d->maps.items[i].size);
}

const char *driver_read_text(struct driver *d, const char *path, size_t *size)
{
    const void *data;
    path = driver_remapped(d, path);
    if (!driver_read(d, path, &data, size))
        return NULL;
    *DPUSH(d, d->dependencies) = driver_strndup(d, path, strlen(path));
    return data;
}

/* What sorts by calls, and the file of calls.  If that cannot be read, the link says so, where ld.lld does. */
void driver_call_graph(struct driver *d)
{
    static const char *const words[] = { "cdsort", "hfsort", "none", NULL };
    if (d->call_graph_sort)
        driver_choose(d, d->call_graph_sort, words, &d->opt.call_graph_sort, "unknown --call-graph-profile-sort= value");
    if (d->print_order)
        d->opt.flags |= CODEOBJ_LINK_PRINT_SYMBOL_ORDER;
    if (!d->call_graph || d->opt.call_graph_sort == CODEOBJ_CALL_GRAPH_SORT_NONE)
        return;
    const char *path = driver_remapped(d, d->call_graph);
    const void *data = NULL;
    size_t size = 0;
    if (driver_read(d, path, &data, &size))
        d->call_graph_text = (struct codeobj_link_text){ path, data ? data : "", size };
    else
        d->call_graph_text.name = driver_print(d, "%s: %s", path, strerror(errno));
    d->opt.call_graph = &d->call_graph_text;
}

static bool is_text(const unsigned char *p, size_t n)
{
    if (n >= 4 && (!memcmp(p, "\177ELF", 4) || !memcmp(p, "BC\xc0\xde", 4) || !memcmp(p, "\xde\xc0\x17\x0b", 4)))
        return false;
    if (n >= 8 && (!memcmp(p, "!<arch>\n", 8) || !memcmp(p, "!<thin>\n", 8)))
        return false;
    return !memchr(p, 0, n < 1024 ? n : 1024);
}

static bool excluded(const struct driver *d, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    if (d->exclude_all)
        return true;
    for (size_t i = 0; i < d->exclude_libs.count; i++)
        if (!strcmp(d->exclude_libs.items[i], base))
            return true;
    return false;
}

/* Reads an input of the command line, perhaps another one (--remap-inputs); its name as messages have it, or NULL with an
 * error. */
static const char *read_input(struct driver *d, const char *path, const void **data, size_t *size)
{
    path = driver_remapped(d, path);
    driver_log(d, path);
    if (!driver_read(d, path, data, size)) {
        driver_error(d, "cannot open %s: %s", path, strerror(errno));
        return NULL;
    }
    path = driver_strndup(d, path, strlen(path));
    *DPUSH(d, d->dependencies) = path;
    return path;
}

/* Each input is a group, but for what stands within --start-group, --start-lib and a script's GROUP. */
static void push_input(struct driver *d, struct codeobj_link_input in)
{
    if (d->inputs.count && d->group == d->last_group)
        in.flags |= CODEOBJ_LINK_INPUT_SAME_GROUP;
    d->last_group = d->group;
    d->group += !d->in_group;
    *DPUSH(d, d->inputs) = in;
}

void driver_add_just_symbols(struct driver *d, const char *path)
{
    struct codeobj_link_input in = { .flags = CODEOBJ_LINK_INPUT_JUST_SYMBOLS };
    if ((in.name = read_input(d, path, &in.data, &in.size)))
        push_input(d, in);
}

void driver_add_file(struct driver *d, const char *path)
{
    struct codeobj_link_input in = { 0 };
    if (!(in.name = read_input(d, path, &in.data, &in.size)))
        return;
    if (!d->binary_inputs && is_text(in.data, in.size)) {
        if (in.size)
            driver_read_script(d, in.name, in.data, in.size);
        return;
    }
    bool archive = in.size >= 8 && (!memcmp(in.data, "!<arch>\n", 8) || !memcmp(in.data, "!<thin>\n", 8));
    if (d->binary_inputs)
        in.flags = CODEOBJ_LINK_INPUT_BINARY;
    else
        in.flags = (d->state.whole_archive ? CODEOBJ_LINK_INPUT_WHOLE_ARCHIVE : 0) |
                   (d->state.as_needed ? CODEOBJ_LINK_INPUT_AS_NEEDED : 0) |
                   (d->in_lib ? CODEOBJ_LINK_INPUT_LAZY : 0) |
                   (archive && excluded(d, in.name) ? CODEOBJ_LINK_INPUT_NO_EXPORT : 0);
    push_input(d, in);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* -L=DIR and -L$SYSROOT/DIR mean the sysroot's */
static const char *in_sysroot(struct driver *d, const char *dir)
{
    if (d->sysroot && dir[0] == '=')
        return driver_print(d, "%s%s", d->sysroot, dir + 1);
    return dir;
}

void driver_add_library(struct driver *d, const char *name)
{
    for (size_t i = 0; i < d->library_paths.count; i++) {
        const char *dir = in_sysroot(d, d->library_paths.items[i]), *path;
        if (name[0] == ':') {
            if (exists(path = driver_print(d, "%s/%s", dir, name + 1))) {
                driver_add_file(d, path);
                return;
            }
            continue;
        }
        if (!d->state.is_static && exists(path = driver_print(d, "%s/lib%s.so", dir, name))) {
            driver_add_file(d, path);
            return;
        }
        if (exists(path = driver_print(d, "%s/lib%s.a", dir, name))) {
            driver_add_file(d, path);
            return;
        }
    }
    driver_error(d, "unable to find library -l%s", name);
}

const char *driver_find_script(struct driver *d, const char *name)
{
    if (exists(name))
        return name;
    for (size_t i = 0; i < d->library_paths.count; i++) {
        const char *path = driver_print(d, "%s/%s", in_sysroot(d, d->library_paths.items[i]), name);
        if (exists(path))
            return path;
    }
    return NULL;
}

/* ---- writing ------------------------------------------------------------------------ */

static bool write_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t k = write(fd, p, n < (1u << 30) ? n : 1u << 30);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

static bool write_in_place(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = write_all(fd, data, size);
    int saved = errno;
    if (close(fd) != 0 && ok)
        return false;
    errno = saved;
    return ok;
}

bool driver_can_replace(const char *path)
{
    struct stat st;
    return strcmp(path, "-") && (stat(path, &st) != 0 || S_ISREG(st.st_mode));
}

/* A link that is interrupted takes its unfinished file with it.  One name is enough: the image is written longest. */
static const char *volatile unfinished;

static void interrupted(int sig)
{
    const char *name = unfinished;
    if (name)
        unlink(name);
    signal(sig, SIG_DFL);
    raise(sig);
}

static void remove_when_interrupted(const char *name)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            signal(signals[i], interrupted);
    }
    signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is an error like a full disk */
    unfinished = name;
}

static void forget_unfinished(const struct new_file *f)
{
    if (unfinished == f->temporary)
        unfinished = NULL;
}

bool driver_begin_file(struct driver *d, struct new_file *f, const char *path, unsigned mode)
{
    f->fd = -1;
    for (unsigned i = 0; f->fd < 0 && i < 100; i++) {
        f->temporary = driver_print(d, "%s.tmp%lx%x", path, (unsigned long)getpid(), i);
        f->fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (f->fd < 0 && errno != EEXIST)
            break;
    }
    if (f->fd < 0)
        f->temporary = NULL;
    else if (!unfinished)
        remove_when_interrupted(f->temporary);
    return f->fd >= 0;
}

bool driver_write_piece(const struct new_file *f, uint64_t off, const void *data, size_t size)
{
    const char *p = data;
    while (size) {
        ssize_t k = pwrite(f->fd, p, size < (1u << 30) ? size : 1u << 30, (off_t)off);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        p += k;
        off += (uint64_t)k;
        size -= (size_t)k;
    }
    return true;
}

void driver_drop_file(struct new_file *f)
{
    int saved = errno;
    if (!f->temporary)
        return;
    if (f->fd >= 0)
        close(f->fd);
    unlink(f->temporary);
    forget_unfinished(f);
    f->temporary = NULL;
    errno = saved;
}

/* Swapping names is as atomic as replacing one, and file systems that write a replacing file out at once (ext4) do not
 * do so for it: no build needs its outputs to survive a power cut, and it would cost more than a large link. */
static bool replace(const char *from, const char *to)
{
#ifdef SYS_renameat2
    enum { EXCHANGE = 1 << 1 }; /* RENAME_EXCHANGE; not every C library has the call */
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, EXCHANGE) == 0)
        return unlink(from) == 0;
#endif
    return rename(from, to) == 0;
}

bool driver_finish_file(struct new_file *f, const char *path)
{
    int fd = f->fd;
    f->fd = -1;
    bool ok = close(fd) == 0 && replace(f->temporary, path);
    if (ok) {
        forget_unfinished(f);
        f->temporary = NULL;
    }
    driver_drop_file(f);
    return ok;
}

bool driver_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool driver_write(struct driver *d, const char *path, const void *data, size_t size, unsigned mode)
{
    struct new_file f;
    if (!strcmp(path, "-")) {
        fflush(stdout);
        return write_all(STDOUT_FILENO, data, size);
    }
    if (driver_is_folder(path)) {
        errno = EISDIR;
        return false;
    }
    if (!driver_can_replace(path))
        return write_in_place(path, data, size);
    if (!driver_begin_file(d, &f, path, mode))
        return false;
    if (driver_write_piece(&f, 0, data, size))
        return driver_finish_file(&f, path);
    driver_drop_file(&f);
    return false;
}

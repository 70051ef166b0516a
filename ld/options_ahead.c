/* SPDX-License-Identifier: MIT
 *
 * ld/options_ahead.c - many small inputs are read by several threads, before
 * their turn on the command line comes.  A large part of a link of a thousand
 * objects is the kernel's work of opening them.
 *
 * Only files below a size are taken, no pipes or devices; all else, and what cannot be read,
 * is left to driver_read in its turn, messages included.
 */
#include "options.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <codeobj/threads.h>

enum { WORKERS = 4, ARGS_A_PART = 16, WORTH_IT = 64, BLOCK = 4 << 20, MAX_BLOCKS = 64 };

/* What one thread has read lies in blocks of its own. */
struct worker {
    struct mapping blocks[MAX_BLOCKS];
    size_t block_count, left;
    char *at;
};

struct ahead_work {
    struct ahead_file *files;
    const char *const *args;
    size_t count;
    atomic_size_t next;
    struct worker workers[WORKERS];
};

static char *room(struct worker *w, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > w->left) {
        if (w->block_count == MAX_BLOCKS)
            return NULL;
        void *p = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            return NULL;
        madvise(p, BLOCK, MADV_HUGEPAGE);
        w->blocks[w->block_count++] = (struct mapping){ p, BLOCK };
        w->at = p;
        w->left = BLOCK;
    }
    char *p = w->at;
    w->at += size;
    w->left -= size;
    return p;
}

/* In as few calls as can be: what has no end to be found (pipes) or none above 0 (devices) is left alone, no process is
 * started meanwhile that could inherit the file, and a pipe without a writer must not stop us. */
static void read_one(struct worker *w, const char *path, struct ahead_file *out)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    if (fd < 0)
        return;
    off_t end = lseek(fd, 0, SEEK_END);
    size_t n = 0, size = end > 0 && end < DRIVER_READ_BELOW ? (size_t)end : 0;
    char *p = size ? room(w, size) : NULL;
    while (p && n < size) {
        ssize_t k = pread(fd, p + n, size - n, (off_t)n);
        if (k <= 0)
            break;
        n += (size_t)k;
    }
    if (p && n == size)
        *out = (struct ahead_file){ path, p, size };
    close(fd);
}

static void run(void *context, unsigned worker)
{
    struct ahead_work *work = context;
    struct worker *w = &work->workers[worker];
    for (size_t first; (first = atomic_fetch_add(&work->next, ARGS_A_PART)) < work->count;)
        for (size_t i = first; i < first + ARGS_A_PART && i < work->count; i++)
            if (work->args[i][0] != '-')
                read_one(w, work->args[i], &work->files[i]);
}

struct ahead_file *driver_read_ahead(struct driver *d, const char *const *args, size_t count)
{
    size_t plain = 0;
    for (size_t i = 0; i < count; i++)
        plain += args[i][0] != '-';
    unsigned workers = d->opt.threads ? d->opt.threads : codeobj_thread_count();
    if (plain < WORTH_IT || workers < 2)
        return NULL;
    if (workers > WORKERS)
        workers = WORKERS;
    struct ahead_work *work = driver_alloc(d, sizeof *work);
    work->files = driver_alloc(d, count * sizeof *work->files);
    work->args = args;
    work->count = count;
    codeobj_on_threads(workers, run, work);
    for (unsigned i = 0; i < workers; i++)
        for (size_t k = 0; k < work->workers[i].block_count; k++)
            *DPUSH(d, d->maps) = work->workers[i].blocks[k];
    return work->files;
}

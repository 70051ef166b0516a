/* SPDX-License-Identifier: MIT
 *
 * ld/parallel.c - work that is cut into independent parts, on several threads.
 *
 * What the parts do must not depend on their order or on who does them: they
 * write to places of their own, allocate nothing from the arena and report
 * nothing.  So results are the same on any number of threads, and where no
 * thread can be started the caller does all of it.
 */
#include "ld.h"

#include <stdatomic.h>

#include <codeobj/threads.h>

struct shared {
    ld_work *work;
    void *context;
    size_t count;
    atomic_size_t next;
};

static void take_parts(void *context, unsigned worker)
{
    struct shared *s = context;
    for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < s->count;)
        s->work(s->context, worker, i);
}

unsigned co_ld_thread_count(const struct ld *ld)
{
    unsigned n = ld->opt.threads ? ld->opt.threads : codeobj_thread_count();
    return n > LD_MAX_THREADS ? LD_MAX_THREADS : n;
}

void co_ld_parallel(const struct ld *ld, size_t count, ld_work *work, void *context)
{
    struct shared s = { .work = work, .context = context, .count = count };
    unsigned wanted = co_ld_thread_count(ld);
    codeobj_on_threads(wanted > count ? (unsigned)count : wanted, take_parts, &s);
}

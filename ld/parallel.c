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

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct shared {
    ld_work *work;
    void *context;
    size_t count;
    atomic_size_t next;
    atomic_uint workers;
};

static void *take_parts(void *arg)
{
    struct shared *s = arg;
    unsigned worker = atomic_fetch_add(&s->workers, 1);
    for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < s->count;)
        s->work(s->context, worker, i);
    return NULL;
}

unsigned co_ld_thread_count(const struct ld *ld)
{
    unsigned n = ld->opt.threads;
    cpu_set_t set;
    if (!n)
        n = sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
    return n < 1 ? 1 : n > LD_MAX_THREADS ? LD_MAX_THREADS : n;
}

void co_ld_parallel(const struct ld *ld, size_t count, ld_work *work, void *context)
{
    struct shared s = { .work = work, .context = context, .count = count };
    pthread_t threads[LD_MAX_THREADS];
    unsigned started = 0, wanted = count > 1 ? co_ld_thread_count(ld) - 1 : 0;
    if (wanted > count - 1)
        wanted = (unsigned)(count - 1);
    while (started < wanted && pthread_create(&threads[started], NULL, take_parts, &s) == 0)
        started++;
    take_parts(&s);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

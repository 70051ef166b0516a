/* SPDX-License-Identifier: MIT
 *
 * base/threads.c - threads for work of a few milliseconds.
 */
#include <codeobj/threads.h>

#include <pthread.h>
#include <sched.h>

struct one {
    codeobj_thread_work *work;
    void *context;
    unsigned i;
    pthread_t id;
};

unsigned codeobj_thread_count(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n < 1 ? 1 : (unsigned)n < CODEOBJ_THREADS_MAX ? (unsigned)n : CODEOBJ_THREADS_MAX;
}

static void *run(void *arg)
{
    struct one *one = arg;
    one->work(one->context, one->i);
    return NULL;
}

/* Moves threads that were just started off the caller's processor.  Some kernels (of virtual machines that keep
 * processors free on purpose) leave a new thread waiting behind its creator until the next balancing, milliseconds
 * later, when all is done.  Afterwards they may run anywhere again. */
static void spread(const struct one *threads, unsigned count)
{
    cpu_set_t all, others;
    int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    others = all;
    CPU_CLR(here, &others);
    if (CPU_COUNT(&others) == 0)
        return;
    for (unsigned i = 0; i < count; i++)
        if (pthread_setaffinity_np(threads[i].id, sizeof others, &others) == 0)
            pthread_setaffinity_np(threads[i].id, sizeof all, &all);
}

void codeobj_on_threads(unsigned count, codeobj_thread_work *work, void *context)
{
    struct one threads[CODEOBJ_THREADS_MAX];
    unsigned started = 0;
    if (!count)
        return;
    for (unsigned i = 1; i < count && i < CODEOBJ_THREADS_MAX; i++) {
        threads[started] = (struct one){ .work = work, .context = context, .i = i };
        if (pthread_create(&threads[started].id, NULL, run, &threads[started]) != 0)
            break;
        started++;
    }
    if (started)
        spread(threads, started);
    work(context, 0);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i].id, NULL);
}

/* SPDX-License-Identifier: MIT
 *
 * readobj/parallel.c - printing on all cores, with the text in order.
 *
 * A job prints as always, but to a struct ro of its own whose text and messages
 * stay in memory; they come out when those of all jobs before it have.
 */
#include "readobj.h"

#include <pthread.h>
#include <stdlib.h>

#include <codeobj/threads.h>

struct part {
    struct ro ro;
    char *text, *messages; /* owned */
    size_t text_size, messages_size;
    bool done;
};

struct parts {
    struct ro *ro;
    ro_job *job;
    void *user;
    struct part *parts;
    size_t count;
    size_t next; /* to be taken; this and `done` are under the lock */
    pthread_mutex_t lock;
    pthread_cond_t progress;
};

unsigned ro_thread_count(const struct ro *ro)
{
    uint64_t n = ro->opt->threads ? ro->opt->threads : codeobj_thread_count();
    return (unsigned)(n > CODEOBJ_THREADS_MAX ? CODEOBJ_THREADS_MAX : n);
}

static void run_part(struct parts *p, size_t i)
{
    struct part *part = &p->parts[i];
    part->ro = (struct ro){ .opt = p->ro->opt, .color = p->ro->color, .met = p->ro->met };
    part->ro.out = open_memstream(&part->text, &part->text_size);
    part->ro.messages = open_memstream(&part->messages, &part->messages_size);
    if (part->ro.out && part->ro.messages)
        p->job(&part->ro, i, p->user);
    bool bad = !part->ro.out || !part->ro.messages || ferror(part->ro.out);
    bad |= part->ro.out && fclose(part->ro.out) != 0;
    bad |= part->ro.messages && fclose(part->ro.messages) != 0;
    part->ro.out = part->ro.messages = NULL;
    part->ro.out_of_memory = bad;
    free(part->ro.field_lines);
}

/* Takes and runs a part; false when there is none left.  Called with the lock held. */
static bool take(struct parts *p)
{
    if (p->next == p->count)
        return false;
    size_t i = p->next++;
    pthread_mutex_unlock(&p->lock);
    run_part(p, i);
    pthread_mutex_lock(&p->lock);
    p->parts[i].done = true;
    pthread_cond_broadcast(&p->progress);
    return true;
}

static void write_part(struct ro *ro, struct part *part)
{
    fwrite(part->text, 1, part->text_size, ro->out);
    if (part->messages_size) {
        fflush(ro->out);
        fwrite(part->messages, 1, part->messages_size, ro->messages ? ro->messages : stderr);
    }
    if (part->ro.out_of_memory)
        ro_error(ro, "out of memory");
    ro->failed |= part->ro.failed;
    free(part->text);
    free(part->messages);
}

/* Writes what is done, in order, and runs a part itself where that is not yet. */
static void write_all(struct parts *p)
{
    for (size_t i = 0; i < p->count; i++) {
        while (!p->parts[i].done)
            if (!take(p))
                pthread_cond_wait(&p->progress, &p->lock);
        pthread_mutex_unlock(&p->lock);
        write_part(p->ro, &p->parts[i]);
        pthread_mutex_lock(&p->lock);
    }
}

static void work(void *context, unsigned thread)
{
    struct parts *p = context;
    pthread_mutex_lock(&p->lock);
    if (thread == 0)
        write_all(p);
    else
        while (take(p))
            continue;
    pthread_mutex_unlock(&p->lock);
}

void ro_in_order(struct ro *ro, size_t count, ro_job *job, void *user)
{
    unsigned threads = count > 1 ? ro_thread_count(ro) : 1;
    struct parts p = { .ro = ro, .job = job, .user = user, .count = count, .lock = PTHREAD_MUTEX_INITIALIZER,
                       .progress = PTHREAD_COND_INITIALIZER };

    if (threads > 1)
        p.parts = calloc(count, sizeof *p.parts);
    if (!p.parts) {
        for (size_t i = 0; i < count; i++)
            job(ro, i, user);
        return;
    }
    codeobj_on_threads(threads < count ? threads : (unsigned)count, work, &p);
    free(p.parts);
}

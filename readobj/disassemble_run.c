/* SPDX-License-Identifier: MIT
 *
 * readobj/disassemble_run.c - the listing on one thread or several, its text in order.
 *
 * Work is cut every 16 KiB of code, wherever that is.  Who takes a share finds out from the code
 * in front of it where its first line starts (dis_start_at()); if that code does not tell, as in
 * tables of equal words, it waits for the share before to end.  Each thread has buffers of its own,
 * which fit into the cache of its processor and are used again while they are there.  Whoever
 * finds that the first share which is not yet written is listed, writes it.
 */
#include "disassemble.h"

#include <pthread.h>
#include <stdlib.h>

#include <codeobj/threads.h>

#define SHARE_BYTES (16u << 10)
#define FLUSH_BYTES (128u << 10) /* of text, on one thread */
#define BUFFERS 4u /* of a thread */

/* A place in the pieces. */
struct place {
    size_t piece;
    uint64_t addr; /* in it */
};

/* From one place to another. */
struct share {
    struct place from, to;
};

struct buffer {
    struct dis_text text;
    bool busy; /* being filled, or not yet written */
};

/* A share that has been taken: by its number. */
struct slot {
    size_t ended;          /* number of the share whose last line `rest` tells, SIZE_MAX: none yet */
    struct dis_piece rest; /* wanted until the next share has begun */
    struct buffer *full;   /* to be written */
};

struct lister {
    struct buffer buffers[BUFFERS];
};

struct work {
    FILE *out;
    const struct dis_section *section;
    const struct dis_piece *pieces;
    size_t count;
    pthread_mutex_t lock; /* for what follows, and `busy` */
    pthread_cond_t progress;
    struct place next;     /* what has not been taken */
    size_t taken, written; /* shares */
    struct slot *slots;
    size_t slot_count;     /* twice as many as there are buffers */
    unsigned waiting;      /* threads */
    bool writing, failed;
    struct lister *listers; /* one for each thread */
};

static void wait_for_progress(struct work *w)
{
    w->waiting++;
    pthread_cond_wait(&w->progress, &w->lock);
    w->waiting--;
}

static void progress(struct work *w)
{
    if (w->waiting)
        pthread_cond_broadcast(&w->progress);
}

static struct share take(struct work *w)
{
    struct share share = {w->next, w->next};
    uint64_t bytes = 0;

    while (w->next.piece < w->count && bytes < SHARE_BYTES) {
        const struct dis_piece *piece = &w->pieces[w->next.piece];
        uint64_t left = piece->end - w->next.addr;

        if (left <= SHARE_BYTES - bytes) {
            bytes += left;
            w->next.piece++;
            w->next.addr = w->next.piece < w->count ? w->pieces[w->next.piece].begin : 0;
        } else {
            /* Lines start at multiples of four from where the piece begins. */
            w->next.addr += (SHARE_BYTES - bytes + 3) & ~3u;
            bytes = SHARE_BYTES;
        }
    }
    share.to = w->next;
    return share;
}

/* Where a share ends.  Called with the lock held. */
static struct dis_piece end_of(struct work *w, size_t number)
{
    const struct slot *slot = &w->slots[number % w->slot_count];

    while (slot->ended != number)
        wait_for_progress(w);
    return slot->rest;
}

/* Lists the next share; called with the lock held, which it gives back meanwhile. */
static void list(struct work *w, struct buffer *buffer)
{
    size_t number = w->taken++;
    struct share share = take(w);
    struct slot *slot = &w->slots[number % w->slot_count];
    struct dis_piece rest = {0};
    struct dis_text text = buffer->text; /* on this thread's stack, alone in its cache lines */

    buffer->busy = true;
    pthread_mutex_unlock(&w->lock);
    text.len = 0;
    for (size_t i = share.from.piece; i <= share.to.piece && i < w->count; i++) {
        struct dis_piece piece = w->pieces[i];

        if (i == share.to.piece)
            piece.stop = share.to.addr;
        if (i == share.from.piece && share.from.addr != piece.begin && !dis_start_at(w->section, &piece, share.from.addr)) {
            uint64_t stop = piece.stop;

            pthread_mutex_lock(&w->lock);
            piece = end_of(w, number - 1);
            pthread_mutex_unlock(&w->lock);
            piece.stop = stop;
        }
        rest = piece;
        if (piece.begin < piece.stop)
            dis_lines(w->section, &piece, SIZE_MAX, &text, &rest);
    }
    pthread_mutex_lock(&w->lock);
    slot->ended = number;
    slot->rest = rest;
    buffer->text = text;
    slot->full = buffer;
    w->failed |= text.failed;
    progress(w);
}

static void write_next(struct work *w)
{
    struct slot *slot = &w->slots[w->written % w->slot_count];
    struct buffer *buffer = slot->full;

    slot->full = NULL;
    w->writing = true;
    pthread_mutex_unlock(&w->lock);
    dis_text_write(&buffer->text, w->out);
    pthread_mutex_lock(&w->lock);
    buffer->busy = w->writing = false;
    w->written++;
    progress(w);
}

static struct buffer *idle_buffer(struct lister *l)
{
    for (unsigned i = 0; i < BUFFERS; i++)
        if (!l->buffers[i].busy)
            return &l->buffers[i];
    return NULL;
}

static void lister(void *context, unsigned thread)
{
    struct work *w = context;
    struct lister *l = &w->listers[thread];

    pthread_mutex_lock(&w->lock);
    for (;;) {
        bool more = w->next.piece < w->count;
        struct buffer *buffer = idle_buffer(l);

        if (!w->writing && w->slots[w->written % w->slot_count].full)
            write_next(w);
        else if (more && buffer)
            list(w, buffer);
        else if (!more && w->written == w->taken)
            break;
        else
            wait_for_progress(w);
    }
    pthread_mutex_unlock(&w->lock);
    for (unsigned i = 0; i < BUFFERS; i++)
        free(l->buffers[i].text.buf);
}

/* Through one buffer. */
static bool run_alone(FILE *out, const struct dis_section *section, const struct dis_piece *pieces, size_t count)
{
    struct dis_text text = {0};

    for (size_t i = 0; i < count; i++) {
        struct dis_piece rest = pieces[i];

        do {
            dis_lines(section, &rest, FLUSH_BYTES, &text, &rest);
            if (text.len >= FLUSH_BYTES) {
                dis_text_write(&text, out);
                text.len = 0;
            }
        } while (rest.begin < rest.stop);
    }
    dis_text_write(&text, out);
    free(text.buf);
    return !text.failed;
}

bool dis_run(FILE *out, unsigned threads, const struct dis_section *section, const struct dis_piece *pieces, size_t count)
{
    struct work w = {.out = out, .section = section, .pieces = pieces, .count = count, .next = {0, count ? pieces[0].begin : 0},
                     .lock = PTHREAD_MUTEX_INITIALIZER, .progress = PTHREAD_COND_INITIALIZER};

    if (threads <= 1 || section->size < 8 * SHARE_BYTES)
        return run_alone(out, section, pieces, count);
    w.listers = calloc(threads, sizeof *w.listers);
    w.slot_count = 2 * BUFFERS * (size_t)threads;
    w.slots = calloc(w.slot_count, sizeof *w.slots);
    w.failed = !w.listers || !w.slots;
    if (!w.failed) {
        for (size_t i = 0; i < w.slot_count; i++)
            w.slots[i].ended = SIZE_MAX;
        codeobj_on_threads(threads, lister, &w);
    }
    free(w.listers);
    free(w.slots);
    return !w.failed;
}

/* SPDX-License-Identifier: MIT
 *
 * exec/run.c - running a dispatch: threads, work-groups, waves, the loop.
 *
 * Work-groups are handed out in order, a few at a time, to as many threads as there are
 * cores; a thread runs the waves of its group in turns, each until it waits, ends or has
 * used up its slice.  Nothing a kernel can see depends on the thread: the same launch gives
 * the same result on any number of them, unless the kernel itself races between work-groups.
 *
 * When a group faults, groups behind it are no longer started, those before it run on,
 * and the fault of the first group in order is the one reported.
 */
#include "exec/access.h"
#include "exec/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <codeobj/threads.h>

#include "base/diag.h"
#include "base/options.h"
#include "exec/modified.h"
#include "isa/semantics.h"

#define SLICE_ALONE 65536u /* wave instructions between looks at the budget */
#define SLICE_SHARED 4096u /* a wave that spins hands over after so many */
#define DEFAULT_BUDGET ((uint64_t)1 << 40)
#define SCRATCH_CLEAR_MAX 65536u /* above, pages are given back instead of cleared */

/* The rows of a wave, and some cache lines more: the same row of all waves of a group would compete for one place in the
 * host's cache.  2432 is half a row more than a multiple of one, since wave32 uses the first half of each. */
#define ROWS_BYTES ((size_t)CO_ROW_COUNT * CO_LANES_MAX * 4 + 2432)

#define BATCH_MAX 64u              /* work-groups that a thread takes at once, at most ... */
#define BATCHES_PER_THREAD 32u     /* ... and so many times, at least, that the threads end together */
#define BUDGET_STEP ((uint64_t)1 << 22) /* wave instructions that a thread takes off the budget at once, at most */

struct co_run {
    const struct co_launch *launch;
    uint64_t batch;                    /* work-groups */
    unsigned threads;
    /* What threads write lies apart from what they read. */
    _Alignas(64) atomic_uint_fast64_t next_group;   /* handed out next */
    _Alignas(64) atomic_uint_fast64_t budget;       /* wave instructions that no thread has taken */
    _Alignas(64) atomic_uint_fast64_t stop_before;  /* groups from here on are not started */
    pthread_mutex_t lock;              /* of what follows */
    struct co_fault fault;             /* of the first group in order */
    uint64_t fault_group;
    uint32_t fault_wave, fault_id[3];
    struct co_lds_miss miss;           /* of the first group in order that has one; counts all */
    uint64_t miss_group;
    uint32_t miss_id[3];
};

/* ---- the loop ------------------------------------------------------------------------- */

/* After one instruction: counts it and sets w->op to where the wave goes on. */
static int advance(struct co_wave *w, const struct co_op *op, int step)
{
    if (step == CO_REDO)
        return step;
    w->clock++;
    if (step != CO_JUMP && !(step == CO_WAIT && w->wait == CO_WAIT_GWS))
        w->op = op + atomic_load_explicit(&op->dwords, memory_order_relaxed);
    if (step == CO_JUMP)
        return CO_NEXT;
    if (step != CO_NEXT)
        w->last_op = op;
    return step;
}

/* ---- VGPR indexing and skipping (gfx8, gfx9) ---- */

/* Adds idx to the register of a source when M0 names it (bit 12 + n). */
static bool shift_source(struct co_src *src, unsigned n, uint32_t m0)
{
    if (n < 3 && (m0 >> (12 + n) & 1) && src->kind == CO_SRC_ROW && src->reg < 256)
        src->reg = (uint16_t)(src->reg + (m0 & 0xff));
    return src->kind != CO_SRC_ROW || src->reg >= CO_ROW_A || src->reg + src->dwords <= 256;
}

/* Sources of an operation with modifiers are fetched into rows of their own; which one is which source says the row. */
static bool shift_modified(struct co_modified *m, uint32_t m0)
{
    bool inside = true;
    for (unsigned n = 0; n < m->bare.src_count; n++) {
        struct co_src *src = &m->bare.src[n];
        for (unsigned k = 0; k < m->fetch_count; k++)
            if (src->kind == CO_SRC_ROW && m->fetch[k].row == src->reg)
                inside &= shift_source(&m->fetch[k].src, n, m0);
        inside &= shift_source(src, n, m0);
    }
    return inside;
}

/* In VGPR indexing mode vector ALU operations run as copies with other register numbers.  Lane reads and writes are not indexed. */
static int run_indexed(struct co_wave *w, const struct co_op *op, co_handler *fn)
{
    const uint32_t m0 = w->s[124];
    if (!(op->flags & CO_OP_VALU) || op->sem == CO_SEM_v_readlane_b32 || op->sem == CO_SEM_v_writelane_b32 ||
        op->sem == CO_SEM_v_readfirstlane_b32)
        return fn(w, op);
    struct co_op copy;
    struct co_modified modified;
    memcpy(&copy.pc, &op->pc, sizeof copy - offsetof(struct co_op, pc));
    bool inside = true;
    if (co_is_modified_handler(fn)) {
        memcpy(&modified, op->aux, sizeof modified); /* no dual operations on these processors */
        inside = shift_modified(&modified, m0);
        copy.aux = &modified;
    }
    for (unsigned n = 0; n < copy.src_count; n++)
        inside &= shift_source(&copy.src[n], n, m0);
    if (m0 >> 15 & 1 && copy.dst_kind == CO_DST_ROW) {
        copy.dst = (uint16_t)(copy.dst + (m0 & 0xff));
        if (co_is_modified_handler(fn) && modified.put == CO_PUT_NONE)
            modified.bare.dst = copy.dst;
    }
    if (copy.dst_kind == CO_DST_ROW && copy.dst < CO_ROW_A && copy.dst + copy.dst_dwords > 256)
        inside = false;
    if (!inside)
        return co_fault(w, op, CO_FAULT_OTHER, 255, 0, 0, "VGPR index out of range");
    return fn(w, &copy);
}

/* One operation with the modes that only few programs switch on. */
static int run_one(struct co_wave *w, const struct co_op *op, co_handler *fn)
{
    if (w->mode.vskip && op->flags & (CO_OP_VALU | CO_OP_MEMORY))
        return CO_NEXT;
    return w->mode.gpr_idx ? run_indexed(w, op, fn) : fn(w, op);
}

/* Up to clock `end`, each instruction by itself; with modes_only as long as one of these modes is on. */
static int run_singly(struct co_wave *w, uint64_t end, bool modes_only)
{
    while (w->clock < end && (!modes_only || co_mode_singly(w))) {
        const struct co_op *op = w->op;
        co_handler *fn = atomic_load_explicit(&op->fn, memory_order_acquire);
        const int step = advance(w, op, run_one(w, op, fn));
        if (step != CO_NEXT && step != CO_REDO)
            return step;
    }
    return CO_NEXT;
}

/* The usual loop.  What the next operation is comes from the one before and nowhere else, and nothing is written to the wave
 * between two of them: a store costs the host as much as a few instructions.  Operations that want to find the clock or
 * themselves there say CO_ALONE.  A slice ends exactly where it does when each instruction runs by itself. */
static int run_slice(struct co_wave *w, uint64_t slice)
{
    const struct co_op *op = w->op;
    const uint64_t end = w->clock + slice, joined_end = end < CO_JOINED_MAX ? 0 : end - CO_JOINED_MAX + 1;
    uint64_t clock = w->clock, written = clock;
    while (clock < joined_end) {
        co_handler *run = atomic_load_explicit(&op->run, memory_order_acquire);
        int step = run(w, op);
        if (__builtin_expect(step == CO_NEXT, 1)) {
            clock += op->count;
            op = op->next;
            continue;
        }
        w->clock += clock - written; /* the handler may have counted, too */
        if (step != CO_JUMP && step != CO_REDO)
            w->op = op;
        if (step == CO_ALONE)
            step = atomic_load_explicit(&op->fn, memory_order_acquire)(w, op);
        const int after = advance(w, op, step);
        if (after != CO_NEXT && after != CO_REDO)
            return after;
        op = w->op;
        clock = written = w->clock;
    }
    w->clock += clock - written;
    w->op = op;
    return run_singly(w, end, false);
}

/* The same with a look at each instruction. */
static int run_traced(const struct co_launch *l, struct co_wave *w, uint64_t slice)
{
    uint64_t end = w->clock + slice;
    while (w->clock < end) {
        const struct co_op *op = w->op;
        co_handler *fn = atomic_load_explicit(&op->fn, memory_order_acquire);
        const unsigned msb = w->vgpr_msb;
        const int step = advance(w, op, run_one(w, op, fn));
        if (step == CO_REDO)
            continue;
        struct codeobj_isa_inst inst;
        if (step != CO_STOP && co_code_inst(w->code, msb, op->pc, &inst)) {
            struct codeobj_exec_event event = { { w->group->id[0], w->group->id[1], w->group->id[2] }, w->index, op->pc,
                                                &inst, (const struct codeobj_exec_wave *)(const void *)w };
            if (!l->dispatch->trace(l->dispatch->user, &event))
                return co_fault(w, op, CO_FAULT_LIMIT, 255, 0, 0, "stopped by the trace function");
        }
        if (step != CO_NEXT)
            return step;
    }
    return CO_NEXT;
}

/* ---- a work-group --------------------------------------------------------------------------- */

/* How many rows may hold something that a wave must not see. */
static uint32_t rows_to_clear(struct co_thread *t)
{
    const struct co_launch *l = t->run->launch;
    const uint32_t touched = atomic_load_explicit(&l->code->touched, memory_order_relaxed);
    const uint32_t touched_a = atomic_load_explicit(&l->code->touched_a, memory_order_relaxed);
    t->touched = touched > t->touched ? touched : t->touched < 3 ? 3 : t->touched;
    t->touched_a = touched_a > t->touched_a ? touched_a : t->touched_a;
    /* Registers that the kernel has not allocated are cleared once a dispatch: only a broken kernel uses them. */
    return !t->fresh && l->kd.vgpr_count && l->kd.vgpr_count < t->touched ? l->kd.vgpr_count : t->touched;
}

/* As waves begin, without what earlier ones of this thread may have left behind. */
static void begin_wave(const struct co_thread *t, struct co_wave *w, uint32_t rows)
{
    t->run->launch->mover->begin(w, &t->first, rows);
    if (t->touched_a)
        memset(w->v[CO_ROW_A], 0, (size_t)t->touched_a * sizeof *w->v);
    if (!w->scratch_size)
        return;
    const size_t bytes = (size_t)w->scratch_size * w->lanes;
    if (bytes <= SCRATCH_CLEAR_MAX)
        memset(w->scratch, 0, bytes);
    else
        madvise(w->scratch, bytes, MADV_DONTNEED);
}

/* Readies the places where this thread's waves run, once a dispatch. */
static void start_waves(struct co_thread *t)
{
    const struct co_launch *l = t->run->launch;
    const size_t stride = t->scratch_bytes / t->wave_capacity;
    for (uint32_t i = 0; i < l->waves_per_group; i++) {
        struct co_wave *w = &t->waves[i];
        memset(w->views, 0, sizeof w->views);
        w->lane_mask = t->first.lane_mask;
        w->lanes = l->lanes;
        w->full = false; /* the mask is not that of so many lanes */
        w->index = i;
        w->group = &t->group;
        w->device = (const struct co_device *)(const void *)l->device;
        w->code = l->code;
        w->scratch = t->scratch + i * stride;
        w->scratch_size = l->scratch_size;
        w->alone = t->run->threads == 1;
        w->watch = l->dispatch->memory ? l->dispatch : NULL;
    }
}

/* Work-group number `linear` and the extent that is left for it. */
static void place_group(const struct co_launch *l, struct co_group *g, uint64_t linear, uint32_t extent[3])
{
    g->linear_id = linear;
    g->id[0] = (uint32_t)linear;
    if (linear >= l->groups[0]) {
        g->id[0] = (uint32_t)(linear % l->groups[0]);
        g->id[1] = (uint32_t)(linear / l->groups[0] % l->groups[1]);
        g->id[2] = (uint32_t)(linear / l->groups[0] / l->groups[1]);
    }
    uint32_t items = 1;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t left = l->grid[i] - (uint64_t)g->id[i] * l->group[i];
        extent[i] = left < l->group[i] ? (uint32_t)left : l->group[i];
        items *= extent[i];
    }
    g->wave_count = (items + l->lanes - 1) / l->lanes;
}

static void start_group(struct co_thread *t, uint64_t linear)
{
    const struct co_launch *l = t->run->launch;
    struct co_group *g = &t->group;
    uint32_t extent[3];
    uint8_t *const lds = g->lds;
    memset(g, 0, g->gws_used ? sizeof *g : offsetof(struct co_group, gws));
    g->thread = t;
    g->waves = t->waves;
    g->lds = lds;
    g->lds_size = l->lds_size;
    g->alone = l->group_total == 1;
    place_group(l, g, linear, extent);
    if (l->lds_size)
        memset(g->lds, 0, l->lds_size);
    const uint32_t rows = rows_to_clear(t);
    if (t->fresh)
        start_waves(t);
    co_launch_group(l, g, &t->first);
    for (uint32_t i = 0; i < g->wave_count; i++) {
        begin_wave(t, &t->waves[i], rows);
        co_launch_wave(l, &t->waves[i], extent);
    }
    t->fresh = false;
}

static void report_fault(struct co_run *run, const struct co_wave *w)
{
    const struct co_group *g = w->group;
    pthread_mutex_lock(&run->lock);
    if (run->fault.kind == CO_FAULT_NONE || g->linear_id < run->fault_group) {
        run->fault = w->fault;
        run->fault_group = g->linear_id;
        run->fault_wave = w->index;
        memcpy(run->fault_id, g->id, sizeof run->fault_id);
    }
    pthread_mutex_unlock(&run->lock);
    uint64_t before = atomic_load(&run->stop_before);
    while (g->linear_id < before && !atomic_compare_exchange_weak(&run->stop_before, &before, g->linear_id))
        ;
}

/* Adds a group's accesses beyond LDS to the dispatch's. */
static void report_misses(struct co_run *run, const struct co_group *g)
{
    if (!g->lds_miss.count)
        return;
    pthread_mutex_lock(&run->lock);
    const uint64_t count = (uint64_t)run->miss.count + g->lds_miss.count;
    if (!run->miss.count || g->linear_id < run->miss_group) {
        run->miss = g->lds_miss;
        run->miss_group = g->linear_id;
        memcpy(run->miss_id, g->id, sizeof run->miss_id);
    }
    run->miss.count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    pthread_mutex_unlock(&run->lock);
}

/* Sees to it that the thread has some of the budget; false when it is used up. */
static bool take_budget(struct co_run *run, struct co_thread *t)
{
    uint64_t left = atomic_load_explicit(&run->budget, memory_order_relaxed), step;
    if (t->budget)
        return true;
    do {
        /* Not all of a small one: others must not run dry for what this thread keeps. */
        step = left / (2 * run->threads) + 1;
        step = step > left ? left : step > BUDGET_STEP ? BUDGET_STEP : step;
    } while (!atomic_compare_exchange_weak(&run->budget, &left, left - step));
    t->budget = step;
    return step != 0;
}

/* One turn of a wave; false when the group is over. */
static bool turn(struct co_thread *t, struct co_wave *w)
{
    struct co_run *run = t->run;
    const struct co_launch *l = run->launch;
    struct co_group *g = w->group;
    uint64_t slice = g->wave_count - g->ended_count > 1 ? SLICE_SHARED : SLICE_ALONE, before = w->clock;
    if (!take_budget(run, t)) {
        co_fault(w, w->op, CO_FAULT_LIMIT, 255, 0, 0, NULL);
        report_fault(run, w);
        return false;
    }
    if (slice > t->budget)
        slice = t->budget;
    int step = l->dispatch->trace ? run_traced(l, w, slice)
               : co_mode_singly(w) ? run_singly(w, w->clock + slice, true)
                                   : run_slice(w, slice);
    const uint64_t cost = w->clock - before;
    t->instructions += cost;
    t->budget -= cost < t->budget ? cost : t->budget;
    if (step == CO_NEXT && !take_budget(run, t))
        step = co_fault(w, w->op, CO_FAULT_LIMIT, 255, 0, 0, NULL);
    if (step == CO_STOP) {
        report_fault(run, w);
        return false;
    }
    if (step == CO_END) {
        w->ended = true;
        g->ended_count++;
        t->waves_run++;
        co_barrier_check(g); /* the others may have waited for this one */
    }
    return true;
}

/* Runs all waves in turns until all have ended; false on a fault. */
static bool run_group(struct co_thread *t)
{
    struct co_group *g = &t->group;
    while (g->ended_count < g->wave_count) {
        bool progress = false;
        for (uint32_t i = 0; i < g->wave_count; i++) {
            struct co_wave *w = &g->waves[i];
            if (w->ended)
                continue;
            if (w->wait & (CO_WAIT_NAMED | CO_WAIT_BARRIER)) {
                if (!(w->complete & w->wait))
                    continue;
                w->complete &= (uint8_t)~w->wait;
                w->wait = CO_WAIT_NONE;
            }
            if (w->wait == CO_WAIT_GWS) {
                if (w->gws_seen == g->gws_changes)
                    continue;
                w->wait = CO_WAIT_NONE;
            }
            progress = true;
            if (!turn(t, w))
                return false;
        }
        if (!progress) {
            for (uint32_t i = 0; i < g->wave_count; i++)
                if (!g->waves[i].ended) {
                    co_fault(&g->waves[i], g->waves[i].last_op, CO_FAULT_DEADLOCK, 255, 0, 0, NULL);
                    report_fault(t->run, &g->waves[i]);
                    return false;
                }
        }
    }
    return true;
}

static void run_thread(void *context, unsigned i)
{
    const struct codeobj_device *device = context;
    struct co_thread *t = device->threads[i];
    struct co_run *run = t->run;
    for (;;) {
        const uint64_t first = atomic_fetch_add(&run->next_group, run->batch);
        for (uint64_t g = first; g < first + run->batch; g++) {
            if (g >= atomic_load_explicit(&run->stop_before, memory_order_relaxed)) {
                atomic_fetch_add(&run->budget, t->budget); /* what others may still need */
                return;
            }
            start_group(t, g);
            if (run_group(t))
                t->groups_run++;
            report_misses(run, &t->group);
        }
    }
}

/* ---- threads ---------------------------------------------------------------------------------- */

static void *map_zeros(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void co_thread_free(struct co_thread *t)
{
    if (!t)
        return;
    if (t->rows)
        munmap(t->rows, t->wave_capacity * ROWS_BYTES);
    if (t->scratch)
        munmap(t->scratch, t->scratch_bytes);
    free(t->group.lds);
    free(t->waves);
    free(t);
}

/* A thread's state with room for the launch at hand; kept between dispatches. */
static struct co_thread *thread_for(struct codeobj_device *device, size_t idx, const struct co_launch *l)
{
    struct co_thread *t = device->threads[idx];
    size_t scratch = (size_t)l->scratch_size * l->lanes;
    scratch = (scratch + 4095) & ~(size_t)4095;
    uint32_t waves = l->waves_per_group;
    if (t && (t->wave_capacity < waves || t->lds_bytes < l->lds_size || t->scratch_bytes / t->wave_capacity < scratch)) {
        co_thread_free(t);
        t = device->threads[idx] = NULL;
    }
    if (t)
        return t;
    t = aligned_alloc(64, sizeof *t); /* no cache line in common with another thread's */
    if (!t)
        return NULL;
    memset(t, 0, sizeof *t);
    t->wave_capacity = waves;
    t->scratch_bytes = scratch * waves;
    t->lds_bytes = l->lds_size;
    t->rows = map_zeros(waves * ROWS_BYTES);
    t->scratch = t->scratch_bytes ? map_zeros(t->scratch_bytes) : NULL;
    t->group.lds = calloc(1, (size_t)l->lds_size + 64);
    t->waves = aligned_alloc(64, waves * sizeof *t->waves);
    if (!t->rows || (t->scratch_bytes && !t->scratch) || !t->group.lds || !t->waves) {
        co_thread_free(t);
        return NULL;
    }
    for (uint32_t i = 0; i < waves; i++) {
        memset(&t->waves[i], 0, sizeof t->waves[i]);
        t->waves[i].v = (uint32_t(*)[CO_LANES_MAX])(void *)(t->rows + i * ROWS_BYTES);
    }
    device->threads[idx] = t;
    return t;
}

static unsigned thread_count(const struct co_launch *l)
{
    unsigned n = l->dispatch->threads;
    if (l->dispatch->trace || l->dispatch->memory)
        return 1;
    if (!n)
        n = codeobj_thread_count();
    if (n > CODEOBJ_THREADS_MAX)
        n = CODEOBJ_THREADS_MAX;
    return n > l->group_total ? (unsigned)l->group_total : n;
}

static enum codeobj_status start_threads(struct co_run *run, unsigned *count, struct codeobj_diag *diag)
{
    struct codeobj_device *device = run->launch->device;
    unsigned n = thread_count(run->launch);
    if (n > device->thread_count) {
        struct co_thread **grown = realloc(device->threads, n * sizeof *grown);
        if (!grown)
            return co_no_memory(diag);
        memset(grown + device->thread_count, 0, (n - device->thread_count) * sizeof *grown);
        device->threads = grown;
        device->thread_count = n;
    }
    for (unsigned i = 0; i < n; i++) {
        struct co_thread *t = thread_for(device, i, run->launch);
        if (!t) {
            if (i == 0)
                return co_no_memory(diag);
            n = i; /* go on with fewer */
            break;
        }
        t->run = run;
        t->fresh = true;
        memset(&t->first, 0, sizeof t->first);
        co_launch_first(run->launch, &t->first);
        t->instructions = t->waves_run = t->groups_run = t->budget = 0;
    }
    run->threads = n;
    run->batch = run->launch->group_total / ((uint64_t)n * BATCHES_PER_THREAD);
    run->batch = run->batch < 1 ? 1 : run->batch > BATCH_MAX ? BATCH_MAX : run->batch;
    *count = n;
    return CODEOBJ_OK;
}

/* Tells the dispatch hook; false when it wants no dispatch. */
static bool tell(const struct co_launch *l, bool is_end, enum codeobj_status status, uint64_t instructions)
{
    struct codeobj_exec_dispatch_event e = {
        .is_end = is_end,
        .status = status,
        .kernel = l->name,
        .descriptor = &l->kd,
        .entry = l->entry,
        .kernarg_addr = l->kernarg_addr,
        .kernarg_size = l->kernarg_size,
        .packet_addr = l->packet_addr,
        .wave_size = l->lanes,
        .waves_per_workgroup = l->waves_per_group,
        .workgroup_count = l->group_total,
        .lds_size = l->lds_size,
        .private_size = l->scratch_size,
        .wave_instructions = instructions,
    };
    memcpy(e.grid, l->grid, sizeof e.grid);
    memcpy(e.workgroup, l->group, sizeof e.workgroup);
    return !l->dispatch->dispatched || l->dispatch->dispatched(l->dispatch->user, &e);
}

static void fill_stats(const struct co_run *run, unsigned threads, struct codeobj_dispatch_stats *stats)
{
    struct codeobj_device *device = run->launch->device;
    *stats = (struct codeobj_dispatch_stats){ 0 };
    for (unsigned i = 0; i < threads; i++) {
        stats->wave_instructions += device->threads[i]->instructions;
        stats->waves += device->threads[i]->waves_run;
        stats->workgroups += device->threads[i]->groups_run;
    }
    const struct co_fault *f = &run->fault;
    if (f->kind == CO_FAULT_NONE)
        return;
    stats->has_stop = true;
    stats->has_stop_lane = f->lane != 255;
    stats->stop_lane = f->lane != 255 ? f->lane : 0;
    stats->stop_wave = run->fault_wave;
    stats->stop_pc = f->pc;
    stats->stop_addr = f->addr;
    memcpy(stats->stop_workgroup, run->fault_id, sizeof stats->stop_workgroup);
}

enum codeobj_status codeobj_device_dispatch(struct codeobj_device *device, const struct codeobj_dispatch *dispatch,
                                            struct codeobj_dispatch_stats *stats, struct codeobj_diag *diag)
{
    CO_OPTIONS(struct codeobj_dispatch, d, dispatch);
    struct co_launch launch;
    enum codeobj_status status = co_launch_prepare(device, &d, &launch, diag);
    if (status)
        return status;
    struct co_run run = { .launch = &launch };
    atomic_init(&run.next_group, 0);
    atomic_init(&run.stop_before, launch.group_total);
    atomic_init(&run.budget, d.max_instructions ? d.max_instructions : DEFAULT_BUDGET);
    unsigned n = 0;
    if (pthread_mutex_init(&run.lock, NULL))
        status = co_no_memory(diag);
    else
        status = start_threads(&run, &n, diag);
    if (status == CODEOBJ_OK && !tell(&launch, false, CODEOBJ_OK, 0)) {
        status = co_fail(diag, CODEOBJ_LIMIT, "kernel \"%s\": stopped by the dispatch function", launch.name);
        pthread_mutex_destroy(&run.lock);
    } else if (status == CODEOBJ_OK) {
        struct codeobj_dispatch_stats counted;
        codeobj_on_threads(n, run_thread, device);
        fill_stats(&run, n, &counted);
        if (stats)
            *stats = counted;
        if (run.miss.count && d.warning)
            co_lds_report(&launch, &run.miss, run.miss_id);
        if (run.fault.kind != CO_FAULT_NONE)
            status = co_fault_report(&launch, &run.fault, run.fault_id, run.fault_wave, diag);
        pthread_mutex_destroy(&run.lock);
        tell(&launch, true, status, counted.wave_instructions);
    }
    co_launch_finish(&launch);
    return status;
}

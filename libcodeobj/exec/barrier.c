/* SPDX-License-Identifier: MIT
 *
 * exec/barrier.c - barriers of a work-group.
 *
 * A barrier counts signals; when all its members have signalled, every wave that takes part
 * gets its "complete" bit set and the count begins again.  Waiting is waiting for that bit and
 * taking it away, so that a wave can do other things between the two, signal without waiting
 * or wait without signalling.
 *
 * Numbers (RDNA4 ISA document, S_BARRIER_SIGNAL; LLVM's "AMDGPU Execution Synchronization" for named barriers of
 * gfx12.5): -1 the work-group's, -2 the trap handler's, -3 the cluster's, 0 none, 1 to 16
 * named ones.  A named barrier has the members that s_barrier_init gave it (M0[22:16]; a signal
 * through M0 may bring them too), and its completion is seen by the waves that have joined it.
 */
#include "exec/mem.h"
#include "exec/registry.h"
#include "isa/semantics.h"

#define HANDLER(name) static int name(struct co_wave *w, const struct co_op *op)

static void complete(struct co_group *g, int id)
{
    for (uint32_t i = 0; i < g->wave_count; i++) {
        struct co_wave *w = &g->waves[i];
        if (w->ended)
            continue;
        if (id < 0)
            w->complete |= CO_WAIT_BARRIER;
        else if (w->joined == id)
            w->complete |= CO_WAIT_NAMED;
    }
}

void co_barrier_check(struct co_group *g)
{
    if (g->barrier_arrived && g->barrier_arrived >= g->wave_count - g->ended_count) {
        g->barrier_arrived = 0;
        complete(g, -1);
    }
}

static void check_named(struct co_group *g, int id)
{
    struct co_named_barrier *b = &g->named[id];
    if (b->arrived && b->arrived >= b->members) {
        b->arrived = 0;
        complete(g, id);
    }
}

static int wait_for(struct co_wave *w, uint8_t what)
{
    if (w->complete & what) {
        w->complete &= (uint8_t)~what;
        return CO_NEXT;
    }
    w->wait = what;
    return CO_WAIT;
}

HANDLER(s_barrier)
{
    (void)op;
    w->group->barrier_arrived++;
    co_barrier_check(w->group);
    return wait_for(w, CO_WAIT_BARRIER);
}

/* M0 names no negative barrier. */
static bool is_m0(const struct co_op *op)
{
    return op->src_count && op->src[0].kind == CO_SRC_SGPR;
}
static int barrier_id(const struct co_wave *w, const struct co_op *op)
{
    uint32_t v = op->src_count ? co_scalar(w, &op->src[0]) : (uint32_t)op->imm;
    return is_m0(op) ? (int)(v & 31) : (int)(v << 26) >> 26;
}
/* Members that M0 brings along. */
static uint32_t members(const struct co_wave *w, const struct co_op *op)
{
    return w->s[op->dst2] >> 16 & 127;
}

static int no_such(struct co_wave *w, const struct co_op *op)
{
    return co_fault(w, op, CO_FAULT_OTHER, 255, 0, 0, "barrier number above 16");
}

/* A lone wave is in no work-group, as far as the work-group's barrier goes. */
static bool alone(const struct co_wave *w)
{
    return w->group->wave_count == 1;
}

static int signal(struct co_wave *w, const struct co_op *op, bool *first)
{
    struct co_group *g = w->group;
    const int id = barrier_id(w, op);
    if (id > CO_NAMED_BARRIERS)
        return no_such(w, op);
    *first = false;
    if (id == -1 && !alone(w)) {
        *first = g->barrier_arrived == 0;
        g->barrier_arrived++;
        co_barrier_check(g);
    } else if (id > 0) {
        struct co_named_barrier *b = &g->named[id];
        if (is_m0(op) && members(w, op))
            b->members = (uint8_t)members(w, op);
        *first = b->arrived == 0;
        b->arrived++;
        check_named(g, id);
    } /* -3: a cluster of one work-group, -2: for trap handlers, 0: none */
    return CO_NEXT;
}

HANDLER(s_barrier_signal)
{
    bool first;
    return signal(w, op, &first);
}
HANDLER(s_barrier_signal_isfirst)
{
    bool first = false;
    int step = signal(w, op, &first);
    w->s[CO_S_SCC] = first;
    return step;
}
/* Every number from 0 up stands for the named barrier that the wave has joined; where it is number 0, or none, there is
 * nothing to wait for. */
HANDLER(s_barrier_wait)
{
    const int id = (int16_t)op->imm;
    if (id >= 0)
        return w->joined ? wait_for(w, CO_WAIT_NAMED) : CO_NEXT;
    return id == -1 && !alone(w) ? wait_for(w, CO_WAIT_BARRIER) : CO_NEXT;
}
HANDLER(s_barrier_init)
{
    const int id = barrier_id(w, op);
    if (id > CO_NAMED_BARRIERS)
        return no_such(w, op);
    if (id > 0)
        w->group->named[id] = (struct co_named_barrier){ .members = (uint8_t)members(w, op), .valid = true };
    return CO_NEXT;
}
HANDLER(s_barrier_join)
{
    const int id = barrier_id(w, op);
    if (id > CO_NAMED_BARRIERS)
        return no_such(w, op);
    w->joined = (uint8_t)(id > 0 ? id : 0);
    w->complete &= (uint8_t)~CO_WAIT_NAMED;
    return CO_NEXT;
}
/* One member less; the others may have been waiting for this one.  SCC: there was one to leave. */
HANDLER(s_barrier_leave)
{
    (void)op;
    struct co_named_barrier *b = &w->group->named[w->joined];
    const int id = w->joined;
    w->s[CO_S_SCC] = id != 0;
    w->joined = 0;
    w->complete &= (uint8_t)~CO_WAIT_NAMED;
    if (id && b->members) {
        b->members--;
        check_named(w->group, id);
    }
    return CO_NEXT;
}
HANDLER(s_get_barrier_state)
{
    /* valid bit 0, members 10:4, signals 22:16 */
    const struct co_group *g = w->group;
    const int id = barrier_id(w, op);
    if (id > CO_NAMED_BARRIERS)
        return no_such(w, op);
    uint32_t state = 0;
    if (id == -1 && !alone(w))
        state = 1u | (g->wave_count - g->ended_count) << 4 | g->barrier_arrived << 16;
    else if (id > 0)
        state = (uint32_t)g->named[id].valid | (uint32_t)g->named[id].members << 4 | (uint32_t)g->named[id].arrived << 16;
    co_scalar_put(w, op, state);
    return CO_NEXT;
}
/* Waves that sleep run again anyway. */
HANDLER(s_wakeup_barrier)
{
    (void)w;
    (void)op;
    return CO_NEXT;
}

static enum codeobj_status build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->fn = b->row->fn;
    op->dst2 = (uint16_t)co_reg_m0(b);
    return co_build_operands(b, inst, op);
}

#define S(name) CO_ROW(CO_SEM_##name, build, name, NULL, 0, false)
void co_family_barrier(struct co_sem_row *rows)
{
    S(s_barrier), S(s_barrier_signal), S(s_barrier_signal_isfirst), S(s_barrier_wait), S(s_barrier_init), S(s_barrier_join),
    S(s_barrier_leave), S(s_get_barrier_state), S(s_wakeup_barrier);
}

/* SPDX-License-Identifier: MIT
 *
 * exec/mem_gws.c - global wave sync, as far as the waves of one work-group are concerned.
 *
 * 64 resources, each a counter that is a semaphore or a barrier.  The number is M0[21:16] + offset[5:0]; a value comes
 * from the first lane that is on.
 *   init           counter = value
 *   sema_v, _br    counter += 1, += value
 *   sema_p         waits until the counter is above 0, and takes one
 *   release_all    lets everybody through who waits
 *   barrier        waits until value + 1 waves have arrived
 * A dispatch of several work-groups stops: they run one after the other, and waiting for one another would never end.
 *
 * Source: ISA documents of Vega, "GDS only" instructions; compilers' use of them for grid barriers.
 */
#include "exec/access.h"
#include "exec/device.h"
#include "exec/mem_build.h"
#include "isa/semantics.h"

static uint32_t first_value(const struct co_wave *w, const struct co_op *op)
{
    const uint64_t exec = co_on(w);
    const unsigned lane = exec ? (unsigned)__builtin_ctzll(exec) : 0;
    return op->data_row == CO_NO_ROW ? 0 : w->v[op->data_row][lane];
}

/* Runs the instruction again when a resource has changed. */
static int wait_for_change(struct co_wave *w)
{
    w->wait = CO_WAIT_GWS;
    w->gws_seen = w->group->gws_changes;
    return CO_WAIT;
}

static int barrier(struct co_wave *w, const struct co_op *op, struct co_gws *r)
{
    struct co_group *g = w->group;
    if (w->gws_waiting) {
        if (r->phase == w->gws_phase)
            return wait_for_change(w);
        w->gws_waiting = false;
        return CO_NEXT;
    }
    if (r->arrived++ >= first_value(w, op)) {
        r->arrived = 0;
        r->phase++;
        g->gws_changes++;
        return CO_NEXT;
    }
    w->gws_waiting = true;
    w->gws_phase = r->phase;
    return wait_for_change(w);
}

/* sema_p: waiting ends too when all are released. */
static int take(struct co_wave *w, struct co_gws *r)
{
    if (w->gws_waiting && r->phase != w->gws_phase) {
        w->gws_waiting = false;
        return CO_NEXT;
    }
    if (r->counter) {
        r->counter--;
        w->gws_waiting = false;
        return CO_NEXT;
    }
    w->gws_waiting = true;
    w->gws_phase = r->phase;
    return wait_for_change(w);
}

static int gws(struct co_wave *w, const struct co_op *op)
{
    struct co_group *g = w->group;
    g->gws_used = true;
    struct co_gws *r = &g->gws[((w->s[op->dst2] >> 16) + (uint32_t)op->imm) & 63];
    if (g->alone == false)
        return co_fault(w, op, CO_FAULT_UNSUPPORTED, 255, 0, 0, "global wave sync between work-groups is not modelled");
    switch (op->sem) {
    case CO_SEM_ds_gws_barrier: return barrier(w, op, r);
    case CO_SEM_ds_gws_sema_p: return take(w, r);
    case CO_SEM_ds_gws_init: r->counter = first_value(w, op); break;
    case CO_SEM_ds_gws_sema_v: r->counter++; break;
    case CO_SEM_ds_gws_sema_br: r->counter += first_value(w, op); break;
    default:
        r->phase++;
        r->arrived = 0;
        break;
    }
    g->gws_changes++;
    return CO_NEXT;
}

enum codeobj_status co_build_gws(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    const struct codeobj_isa_operand *value = co_operand_of(b, inst, CODEOBJ_ROLE_DATA0);
    if (!value)
        value = co_operand_of(b, inst, CODEOBJ_ROLE_ADDR);
    op->data_row = value && (value->kind == CODEOBJ_OPERAND_VGPR || value->kind == CODEOBJ_OPERAND_AGPR) ? co_row_of(value) : CO_NO_ROW;
    op->imm = inst->mod.offset & 63;
    op->dst2 = (uint16_t)co_reg_m0(b);
    op->fn = gws;
    return CODEOBJ_OK;
}

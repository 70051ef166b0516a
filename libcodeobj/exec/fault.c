/* SPDX-License-Identifier: MIT
 *
 * exec/fault.c - faults and the other values of a wave that are set in one place: EXEC, MODE.
 */
#include "exec/device.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"

/* Four bits as four lanes. */
#define ON(bits, i) (-(uint32_t)((bits) >> (i) & 1))
#define LANES(bits) { ON(bits, 0), ON(bits, 1), ON(bits, 2), ON(bits, 3) }
static const uint32_t expanded[16][4] = { LANES(0u), LANES(1u), LANES(2u), LANES(3u), LANES(4u), LANES(5u), LANES(6u), LANES(7u),
                                          LANES(8u), LANES(9u), LANES(10u), LANES(11u), LANES(12u), LANES(13u), LANES(14u),
                                          LANES(15u) };

void co_exec_changed(struct co_wave *w)
{
    /* EXEC_HI is a plain register in wave32; and reading both halves would wait for the write of one. */
    uint64_t exec = w->lanes == 32 ? w->s[CO_S_EXEC] : co_exec(w);
    const bool was_full = w->full;
    w->full = exec == w->lane_mask;
    if (w->full) {
        if (!was_full)
            memset(w->mask, 0xff, w->lanes * sizeof *w->mask);
        return;
    }
    for (unsigned i = 0; i < w->lanes; i += 4, exec >>= 4)
        memcpy(w->mask + i, expanded[exec & 15], sizeof expanded[0]);
}

uint32_t co_mode_switches(const struct codeobj_processor *p)
{
    return p->gen > CODEOBJ_GEN_GFX9 ? 0 : p->gen >= CODEOBJ_GEN_GFX8 ? CO_MODE_GPR_IDX | CO_MODE_VSKIP : CO_MODE_VSKIP;
}

void co_mode_set(struct co_wave *w, uint32_t bits)
{
    struct co_mode *m = &w->mode;
    m->bits = bits;
    m->round32 = bits & 3;
    m->round64 = bits >> 2 & 3;
    m->denorm32 = bits >> 4 & 3;
    m->denorm64 = bits >> 6 & 3;
    m->dx10_clamp = bits >> 8 & 1;
    m->ieee = bits >> 9 & 1;
    m->fp16_ovfl = bits >> 23 & 1;
    m->plain32 = m->round32 == 0 && m->denorm32 == 3;
    m->plain64 = m->round64 == 0 && m->denorm64 == 3;
    m->plain16 = m->plain64 && !m->fp16_ovfl;
    m->gpr_idx = bits & m->switches & CO_MODE_GPR_IDX;
    m->vskip = bits & m->switches & CO_MODE_VSKIP;
}

int co_mode_write(struct co_wave *w, uint32_t bits)
{
    const bool before = co_mode_singly(w);
    co_mode_set(w, bits);
    return co_mode_singly(w) && !before ? CO_YIELD : CO_NEXT;
}

int co_fault(struct co_wave *w, const struct co_op *op, enum co_fault_kind kind, unsigned lane, uint64_t addr,
             uint32_t size, const char *text)
{
    w->fault = (struct co_fault){ .kind = (uint8_t)kind, .lane = (uint8_t)lane, .vgpr_msb = w->vgpr_msb, .size = size, .pc = op->pc, .addr = addr,
                                  .text = text };
    return CO_STOP;
}

void co_lds_missed(struct co_wave *w, const struct co_op *op, unsigned lane, uint32_t addr, uint32_t size)
{
    struct co_lds_miss *m = &w->group->lds_miss;
    if (m->count == 0)
        *m = (struct co_lds_miss){ .pc = op ? op->pc : w->op->pc, .addr = addr, .size = size, .wave = w->index, .lane = (uint8_t)lane,
                                   .vgpr_msb = w->vgpr_msb };
    m->count += m->count != UINT32_MAX;
}

int co_watch(struct co_wave *w, const struct co_op *op, enum codeobj_exec_space space, enum codeobj_exec_access access,
             uint32_t bytes, const uint64_t *addr, uint64_t lanes)
{
    const struct co_group *g = w->group;
    const struct codeobj_exec_memory_event event = { { g->id[0], g->id[1], g->id[2] }, w->index, op->pc, space, access,
                                                     bytes, lanes == 0, lanes, addr,
                                                     (const struct codeobj_exec_wave *)(const void *)w };
    if (w->watch->memory(w->watch->user, &event))
        return CO_NEXT;
    return co_fault(w, op, CO_FAULT_LIMIT, 255, 0, 0, "stopped by the memory function");
}

/* An access to one of the addresses behind which the host would be. */
static const char *host_service(const struct co_fault *f)
{
    if (f->addr < CO_HOST_CALLS || f->addr >= CO_HOST_END || f->kind == CO_FAULT_NONE || f->kind > CO_FAULT_MISALIGNED)
        return NULL;
    return f->addr < CO_HOST_PRINTF ? "hostcall: printf, assert or malloc of the device library calls the host through "
                                 "hidden_hostcall_buffer, which is not implemented"
                               : "printf: the dispatch has no buffer for hidden_printf_buffer";
}

/* What happened, without where. */
static void describe(const struct co_fault *f, char *buf, size_t size)
{
    unsigned long long addr = f->addr;
    switch ((enum co_fault_kind)f->kind) {
    case CO_FAULT_READ: snprintf(buf, size, "read of %u bytes at 0x%llx: no memory there", f->size, addr); break;
    case CO_FAULT_WRITE: snprintf(buf, size, "write of %u bytes at 0x%llx: no memory there", f->size, addr); break;
    case CO_FAULT_ATOMIC: snprintf(buf, size, "atomic of %u bytes at 0x%llx: no memory there", f->size, addr); break;
    case CO_FAULT_READ_ONLY: snprintf(buf, size, "write of %u bytes at 0x%llx: the memory is read-only", f->size, addr); break;
    case CO_FAULT_MISALIGNED:
        snprintf(buf, size, "misaligned atomic of %u bytes at 0x%llx%s%s", f->size, addr, f->text ? " of " : "", f->text ? f->text : "");
        break;
    case CO_FAULT_SCRATCH: snprintf(buf, size, "scratch access at 0x%llx: beyond the work-item's private segment (stack overflow)", addr); break;
    case CO_FAULT_FETCH: snprintf(buf, size, "instruction fetch at 0x%llx: not in an executable segment", addr); break;
    case CO_FAULT_ILLEGAL: snprintf(buf, size, "illegal instruction"); break;
    case CO_FAULT_UNSUPPORTED: snprintf(buf, size, "instruction without semantics: %s", f->text ? f->text : "not implemented"); break;
    case CO_FAULT_TRAP: snprintf(buf, size, "trap: %s", f->text ? f->text : "s_trap"); break;
    case CO_FAULT_DEADLOCK: snprintf(buf, size, "deadlock: every wave of the work-group waits"); break;
    case CO_FAULT_LIMIT: snprintf(buf, size, "%s", f->text ? f->text : "instruction budget used up"); break;
    default: snprintf(buf, size, "%s", f->text ? f->text : "stopped"); break;
    }
}

static void near_text(const struct co_launch *l, const struct co_fault *f, char *buf, size_t size)
{
    buf[0] = '\0';
    if (f->kind > CO_FAULT_MISALIGNED || f->kind == CO_FAULT_NONE || f->text)
        return; /* text: LDS or the private segment */
    const struct co_alloc *a = co_memory_nearest(&l->device->memory, f->addr);
    if (!a)
        return;
    uint64_t end = a->addr + a->size;
    if (f->addr >= a->addr && f->addr < end)
        snprintf(buf, size, "; inside \"%s\" [0x%llx, +%llu), at +%llu", a->name, (unsigned long long)a->addr,
                 (unsigned long long)a->size, (unsigned long long)(f->addr - a->addr));
    else
        snprintf(buf, size, "; nearest is \"%s\" [0x%llx, +%llu), %llu bytes %s", a->name, (unsigned long long)a->addr,
                 (unsigned long long)a->size, (unsigned long long)(f->addr >= end ? f->addr - end : a->addr - f->addr),
                 f->addr >= end ? "past its end" : "before it");
}

/* Who and where, up to the instruction. */
static void where_text(const struct co_launch *l, const uint32_t id[3], uint32_t wave, unsigned lane, unsigned vgpr_msb, uint64_t pc,
                       char *buf, size_t size)
{
    char text[128], at[16] = "", offset[32] = "";
    const uint64_t forward = pc - l->entry, back = l->entry - pc;
    co_code_text(l->code, vgpr_msb, pc, text, sizeof text);
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    if (lane != 255)
        snprintf(at, sizeof at, ", lane %u", lane);
    /* A function may lie before the kernel, or in another object, where the distance says nothing. */
    if (forward < UINT32_MAX)
        snprintf(offset, sizeof offset, " (+0x%llx)", (unsigned long long)forward);
    else if (back < UINT32_MAX)
        snprintf(offset, sizeof offset, " (-0x%llx)", (unsigned long long)back);
    snprintf(buf, size, "kernel \"%.80s\", work-group (%u,%u,%u), wave %u%s, pc 0x%llx%s, \"%s\"", l->name, id[0], id[1], id[2],
             wave, at, (unsigned long long)pc, offset, text);
}

enum codeobj_status co_fault_report(const struct co_launch *l, const struct co_fault *f, const uint32_t id[3],
                                    uint32_t wave, struct codeobj_diag *diag)
{
    char what[160], near[160], where[352];
    const char *service = host_service(f);
    describe(f, what, sizeof what);
    near_text(l, f, near, sizeof near);
    if (service) {
        snprintf(what, sizeof what, "%s", service);
        near[0] = '\0';
    }
    where_text(l, id, wave, f->lane, f->vgpr_msb, f->pc, where, sizeof where);
    enum codeobj_status status = f->kind == CO_FAULT_LIMIT         ? CODEOBJ_LIMIT
                                 : f->kind == CO_FAULT_NO_MEMORY   ? CODEOBJ_NO_MEMORY
                                 : f->kind == CO_FAULT_UNSUPPORTED || service ? CODEOBJ_UNSUPPORTED
                                                                   : CODEOBJ_FAULT;
    return co_fail(diag, status, "%s: %s%s", where, what, near);
}

void co_lds_report(const struct co_launch *l, const struct co_lds_miss *m, const uint32_t id[3])
{
    char where[352], text[512], more[48] = "";
    where_text(l, id, m->wave, m->lane, m->vgpr_msb, m->pc, where, sizeof where);
    if (m->count > 1)
        snprintf(more, sizeof more, "; %u such accesses%s", m->count, m->count == UINT32_MAX ? " at least" : "");
    snprintf(text, sizeof text, "%s: %u bytes of LDS at 0x%x: the work-group has %u; reads give 0, writes are dropped%s", where,
             m->size, m->addr, l->lds_size, more);
    l->dispatch->warning(l->dispatch->warning_user, text);
}

/* ---- what a trace function reads -------------------------------------------------------- */

static const struct co_wave *wave_of(const struct codeobj_exec_wave *state)
{
    return (const struct co_wave *)(const void *)state;
}

uint64_t codeobj_exec_wave_exec(const struct codeobj_exec_wave *state)
{
    return co_exec(wave_of(state)) & wave_of(state)->lane_mask;
}

uint32_t codeobj_exec_wave_sgpr(const struct codeobj_exec_wave *state, unsigned reg)
{
    return reg < 128 ? wave_of(state)->s[reg] : 0;
}

uint32_t codeobj_exec_wave_vgpr(const struct codeobj_exec_wave *state, unsigned reg, unsigned lane)
{
    return reg < 1024 && lane < wave_of(state)->lanes ? wave_of(state)->v[CO_ROW_V + reg][lane] : 0;
}

uint32_t codeobj_exec_wave_agpr(const struct codeobj_exec_wave *state, unsigned reg, unsigned lane)
{
    return reg < 256 && lane < wave_of(state)->lanes ? wave_of(state)->v[CO_ROW_A + reg][lane] : 0;
}

bool codeobj_exec_wave_scc(const struct codeobj_exec_wave *state)
{
    return wave_of(state)->s[CO_S_SCC] != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * exec/flow.c - program flow: branches, calls, waits, messages, traps.
 *
 * AMD's ISA documents, chapter "Program flow control"; LLVM's User Guide for AMDGPU
 * Backend for traps.  What surprises:
 *  - Branch targets are operations, found when the branch is decoded; addresses that
 *    code can see (s_getpc, return addresses) are device addresses, known then too.
 *  - Waits, clauses, prefetches, priorities and cache control change nothing here: memory
 *    is coherent and every instruction has finished when the next one starts.
 *  - s_sleep and everything a wave spins on hands over to the other waves of its group.
 *  - VCCZ and EXECZ look at 32 bits in wave32.
 */
#include "exec/mem.h"
#include "exec/registry.h"
#include "isa/semantics.h"

#define HANDLER(name) static int name(struct co_wave *w, const struct co_op *op)

/* ---- branches ------------------------------------------------------------------------- */

static int jump(struct co_wave *w, const struct co_op *op)
{
    if (!op->link)
        return co_fetch_fault(w, op, (uint64_t)op->imm);
    w->op = op->link;
    return CO_JUMP;
}

int co_jump_to(struct co_wave *w, const struct co_op *op, uint64_t addr)
{
    const struct co_op *target = co_code_at(w->code, w->vgpr_msb, addr);
    if (!target)
        return co_fetch_fault(w, op, addr);
    w->op = target;
    return CO_JUMP;
}

static uint64_t exec_bits(const struct co_wave *w)
{
    return co_mask_get(w, CO_S_EXEC);
}

#define BRANCH(name, condition)                       \
    HANDLER(name)                                     \
    {                                                 \
        return (condition) ? jump(w, op) : CO_NEXT;   \
    }
BRANCH(s_branch, true)
BRANCH(s_cbranch_scc0, !w->s[CO_S_SCC])
BRANCH(s_cbranch_scc1, w->s[CO_S_SCC])
BRANCH(s_cbranch_vccz, !co_mask_get(w, CO_S_VCC))
BRANCH(s_cbranch_vccnz, co_mask_get(w, CO_S_VCC))
BRANCH(s_cbranch_execz, !exec_bits(w))
BRANCH(s_cbranch_execnz, exec_bits(w))

static uint64_t next_pc(const struct co_op *op)
{
    return op->pc + 4u * op->dwords;
}

HANDLER(s_getpc_b64)
{
    co_scalar_put64(w, op, next_pc(op));
    return CO_NEXT;
}
HANDLER(s_setpc_b64)
{
    return co_jump_to(w, op, co_scalar64(w, &op->src[0]));
}
HANDLER(s_swappc_b64)
{
    uint64_t target = co_scalar64(w, &op->src[0]);
    co_scalar_put64(w, op, next_pc(op));
    return co_jump_to(w, op, target);
}
HANDLER(s_call_b64)
{
    co_scalar_put64(w, op, next_pc(op));
    return jump(w, op);
}
HANDLER(s_add_pc_i64)
{
    return co_jump_to(w, op, next_pc(op) + co_scalar64(w, &op->src[0]));
}

/* Forks (gfx6 to gfx9): the smaller part of the lanes goes first, the rest waits on a stack in s0 and up, four registers
 * an entry: mask, address.  MODE has its depth (CSP), which the join compares with what it is given. */
#define CSP_SHIFT 29

static unsigned csp(const struct co_wave *w)
{
    return w->mode.bits >> CSP_SHIFT;
}

static void csp_set(struct co_wave *w, unsigned depth)
{
    co_mode_set(w, (w->mode.bits & ~(7u << CSP_SHIFT)) | (depth & 7) << CSP_SHIFT);
}

static void csp_push(struct co_wave *w, uint64_t addr, uint64_t mask)
{
    uint32_t *entry = &w->s[4 * csp(w)];
    entry[0] = (uint32_t)mask;
    entry[1] = (uint32_t)(mask >> 32);
    entry[2] = (uint32_t)addr;
    entry[3] = (uint32_t)(addr >> 32);
    csp_set(w, csp(w) + 1);
}

static int fork(struct co_wave *w, const struct co_op *op, uint64_t condition, uint64_t target)
{
    const uint64_t exec = co_exec(w), pass = condition & exec, fail = ~condition & exec;
    if (pass == exec)
        return co_jump_to(w, op, target);
    if (fail == exec)
        return CO_NEXT;
    if (__builtin_popcountll(fail) < __builtin_popcountll(pass)) {
        csp_push(w, target, pass);
        co_exec_set(w, fail);
        return CO_NEXT;
    }
    csp_push(w, next_pc(op), fail);
    co_exec_set(w, pass);
    return co_jump_to(w, op, target);
}

HANDLER(s_cbranch_g_fork)
{
    return fork(w, op, co_scalar64(w, &op->src[0]), co_scalar64(w, &op->src[1]));
}
HANDLER(s_cbranch_i_fork)
{
    return fork(w, op, co_scalar64(w, &op->src[0]), (uint64_t)op->imm);
}
HANDLER(s_cbranch_join)
{
    if (csp(w) == (co_scalar(w, &op->src[0]) & 7))
        return CO_NEXT;
    csp_set(w, csp(w) - 1);
    const uint32_t *entry = &w->s[4 * csp(w)];
    const uint64_t mask = entry[0] | (uint64_t)entry[1] << 32, addr = entry[2] | (uint64_t)entry[3] << 32;
    co_exec_set(w, mask);
    return co_jump_to(w, op, addr);
}

/* Runs the body once for each half of a wave64, with the other half off. */
HANDLER(s_subvector_loop_begin)
{
    uint32_t *s = w->s, saved = op->dst;
    if (s[CO_S_EXEC] == 0 && s[CO_S_EXEC + 1] == 0)
        return jump(w, op);
    if (s[CO_S_EXEC] == 0) {
        s[saved] = 0;
    } else {
        s[saved] = s[CO_S_EXEC + 1];
        s[CO_S_EXEC + 1] = 0;
    }
    co_exec_changed(w);
    return CO_NEXT;
}
HANDLER(s_subvector_loop_end)
{
    uint32_t *s = w->s, saved = op->dst;
    int step = CO_NEXT;
    if (s[CO_S_EXEC + 1] != 0) {
        s[CO_S_EXEC] = s[saved];
    } else if (s[saved] == 0) {
        s[CO_S_EXEC + 1] = s[saved];
    } else {
        s[CO_S_EXEC + 1] = s[saved];
        s[saved] = s[CO_S_EXEC];
        s[CO_S_EXEC] = 0;
        step = jump(w, op);
    }
    co_exec_changed(w);
    return step;
}

/* ---- ends, waits ------------------------------------------------------------------ */

int co_run_nothing(struct co_wave *w, const struct co_op *op)
{
    (void)w;
    (void)op;
    return CO_NEXT;
}
HANDLER(s_endpgm)
{
    (void)w;
    (void)op;
    return CO_END;
}
HANDLER(s_sleep)
{
    (void)w;
    (void)op;
    return CO_YIELD;
}
HANDLER(s_sethalt)
{
    if (op->imm & 1)
        return co_fault(w, op, CO_FAULT_OTHER, 255, 0, 0, "halted by s_sethalt");
    return CO_NEXT;
}
HANDLER(s_sendmsghalt)
{
    return co_fault(w, op, CO_FAULT_OTHER, 255, 0, 0, "halted by s_sendmsghalt");
}
HANDLER(s_trap)
{
    /* By convention 2 is llvm.trap (abort) and 3 llvm.debugtrap, which goes on without a debugger. */
    switch (op->imm & 0xff) {
    case 2: return co_fault(w, op, CO_FAULT_TRAP, 255, 0, 0, "s_trap 2 (abort: __builtin_trap, assertion)");
    case 3: return CO_NEXT;
    default: return co_fault(w, op, CO_FAULT_TRAP, 255, 0, 0, "s_trap without a trap handler");
    }
}
/* Every wave has all registers already; what counts is whether there can be that many.  Ignored where the kernel
 * descriptor does not ask for dynamic VGPRs (RDNA4 ISA document, 3.3.3). */
HANDLER(s_alloc_vgpr)
{
    if (w->dynamic_vgprs)
        w->s[CO_S_SCC] = (co_scalar(w, &op->src[0]) & 0x1ff) <= 256;
    return CO_NEXT;
}
HANDLER(s_setprio)
{
    w->priority = (uint8_t)(op->imm & 3);
    return CO_NEXT;
}
HANDLER(s_code_end)
{
    return co_fault(w, op, CO_FAULT_ILLEGAL, 255, op->pc, 4, NULL);
}

/* ---- messages, time ------------------------------------------------------------------------------ */

HANDLER(s_sendmsg_rtn)
{
    /* Doorbell, ddid, tma, realtime, save wave, tba; all but the clock are 0 without a driver. */
    uint64_t value = (op->imm & 0xff) == 0x83 ? w->clock : 0;
    if (op->dst_dwords == 2)
        co_scalar_put64(w, op, value);
    else
        co_scalar_put(w, op, (uint32_t)value);
    return CO_NEXT;
}
HANDLER(s_memtime)
{
    co_scalar_put64(w, op, w->clock);
    return CO_NEXT;
}
HANDLER(s_get_waveid_in_workgroup)
{
    co_scalar_put(w, op, w->index);
    return CO_NEXT;
}

/* ---- VGPR indexing (gfx8, gfx9) ----------------------------------------------------------------------- */

/* M0[7:0] is added to the VGPR numbers of the operands that M0[15:12] names: src0, src1, src2, dst. */
#define M0 124

static void set_gpr_idx(struct co_wave *w, uint32_t mask, uint32_t value)
{
    w->s[M0] = (w->s[M0] & ~mask) | (value & mask);
}
HANDLER(s_set_gpr_idx_on)
{
    set_gpr_idx(w, 0xf0ff, (co_scalar(w, &op->src[0]) & 0xff) | (uint32_t)op->imm << 12);
    return co_mode_write(w, w->mode.bits | CO_MODE_GPR_IDX);
}
/* Vector and memory instructions are skipped from here on. */
HANDLER(s_setvskip)
{
    const bool on = co_scalar(w, &op->src[0]) >> (co_scalar(w, &op->src[1]) & 31) & 1;
    return co_mode_write(w, (w->mode.bits & ~CO_MODE_VSKIP) | (on ? CO_MODE_VSKIP : 0));
}
HANDLER(s_set_gpr_idx_idx)
{
    set_gpr_idx(w, 0xff, co_scalar(w, &op->src[0]));
    return CO_NEXT;
}
HANDLER(s_set_gpr_idx_mode)
{
    set_gpr_idx(w, 0xf000, (uint32_t)op->imm << 12);
    return CO_NEXT;
}
HANDLER(s_set_gpr_idx_off)
{
    (void)op;
    return co_mode_write(w, w->mode.bits & ~CO_MODE_GPR_IDX);
}

/* ---- builders --------------------------------------------------------------------------------------- */

static enum codeobj_status build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->fn = b->row->fn;
    return co_build_operands(b, inst, op);
}

static enum codeobj_status build_clock(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->flags |= CO_OP_ALONE;
    return build(b, inst, op);
}

static enum codeobj_status build_branch(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = build(b, inst, op);
    const struct codeobj_isa_operand *label = co_operand_of(b, inst, CODEOBJ_ROLE_IMM);
    op->imm = (int64_t)(b->pc + inst->size + (label ? label->value : 0));
    op->link = co_code_at(b->code, b->vgpr_msb, (uint64_t)op->imm);
    return status;
}

/* Allocating registers is for wave32 alone (RDNA4 ISA document, S_ALLOC_VGPR). */
static enum codeobj_status build_alloc_vgpr(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    if (b->wave == 64) {
        b->why = "illegal in wave64: dynamic VGPRs are for wave32";
        return CODEOBJ_UNSUPPORTED;
    }
    return build(b, inst, op);
}

static enum codeobj_status build_subvector(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = build_branch(b, inst, op);
    if (status == CODEOBJ_OK && op->src_count && op->src[0].kind == CO_SRC_SGPR)
        op->dst = op->src[0].reg;
    return status;
}

static enum codeobj_status build_gpr_idx(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = build(b, inst, op);
    co_build_touches(b, CO_ROW_V, 256); /* whatever is written through the index */
    op->imm = inst->format == CODEOBJ_FMT_SOPC ? inst->words[0] >> 8 & 15 : inst->words[0] & 15;
    return status;
}

#define S(name) CO_ROW(CO_SEM_##name, build, name, NULL, 0, false)
#define AS(name, handler) CO_ROW(CO_SEM_##name, build, handler, NULL, 0, false)
#define CLOCK(name, handler) CO_ROW(CO_SEM_##name, build_clock, handler, NULL, 0, false)
#define BR(name) CO_ROW(CO_SEM_##name, build_branch, name, NULL, 0, false)
#define IDX(name) CO_ROW(CO_SEM_##name, build_gpr_idx, name, NULL, 0, false)
#define NOP(name) AS(name, co_run_nothing)

void co_family_flow(struct co_sem_row *rows)
{
    BR(s_branch), BR(s_cbranch_scc0), BR(s_cbranch_scc1), BR(s_cbranch_vccz), BR(s_cbranch_vccnz),
    BR(s_cbranch_execz), BR(s_cbranch_execnz), BR(s_call_b64),
    CO_ROW(CO_SEM_s_call_i64, build_branch, s_call_b64, NULL, 0, false),
    /* Forks; no debugger is attached, so that its conditions are 0. */
    S(s_cbranch_g_fork), BR(s_cbranch_i_fork), S(s_cbranch_join), NOP(s_cbranch_cdbgsys), NOP(s_cbranch_cdbguser),
    NOP(s_cbranch_cdbgsys_or_user), NOP(s_cbranch_cdbgsys_and_user),
    S(s_getpc_b64), S(s_setpc_b64), S(s_swappc_b64), S(s_add_pc_i64),
    AS(s_get_pc_i64, s_getpc_b64), AS(s_set_pc_i64, s_setpc_b64), AS(s_swap_pc_i64, s_swappc_b64),
    CO_ROW(CO_SEM_s_subvector_loop_begin, build_subvector, s_subvector_loop_begin, NULL, 0, false),
    CO_ROW(CO_SEM_s_subvector_loop_end, build_subvector, s_subvector_loop_end, NULL, 0, false),
    CO_ROW(CO_SEM_s_alloc_vgpr, build_alloc_vgpr, s_alloc_vgpr, NULL, 0, false), S(s_endpgm), AS(s_endpgm_saved, s_endpgm), AS(s_endpgm_ordered_ps_done, s_endpgm),
    S(s_sleep), AS(s_sleep_var, s_sleep), AS(s_monitor_sleep, s_sleep), S(s_sethalt), S(s_trap), S(s_code_end), AS(v_illegal, s_code_end),
    CLOCK(s_sendmsg_rtn_b32, s_sendmsg_rtn), CLOCK(s_sendmsg_rtn_b64, s_sendmsg_rtn), NOP(s_sendmsg), S(s_sendmsghalt),
    CLOCK(s_memtime, s_memtime), CLOCK(s_memrealtime, s_memtime), CLOCK(s_get_shader_cycles_u64, s_memtime), S(s_get_waveid_in_workgroup),
    /* Order, caches, scheduling: nothing to do here. */
    NOP(s_nop), NOP(s_waitcnt), NOP(s_waitcnt_vscnt), NOP(s_waitcnt_vmcnt), NOP(s_waitcnt_expcnt), NOP(s_waitcnt_lgkmcnt),
    NOP(s_waitcnt_depctr), NOP(s_wait_alu), NOP(s_wait_idle), NOP(s_wait_event), NOP(s_wait_loadcnt), NOP(s_wait_storecnt),
    NOP(s_wait_samplecnt), NOP(s_wait_bvhcnt), NOP(s_wait_expcnt), NOP(s_wait_xcnt), NOP(s_wait_dscnt), NOP(s_wait_kmcnt),
    NOP(s_wait_loadcnt_dscnt), NOP(s_wait_storecnt_dscnt), NOP(s_wait_asynccnt), NOP(s_wait_tensorcnt),
    NOP(s_delay_alu), NOP(s_clause), NOP(s_inst_prefetch), S(s_setprio), NOP(s_setprio_inc_wg), NOP(s_icache_inv),
    NOP(s_incperflevel), NOP(s_decperflevel), NOP(s_ttracedata), NOP(s_ttracedata_imm), NOP(s_wakeup), NOP(s_version),
    NOP(s_setkill), NOP(s_gl1_inv), NOP(s_dcache_inv), NOP(s_dcache_wb), NOP(s_dcache_inv_vol), NOP(s_dcache_wb_vol),
    NOP(s_dcache_discard), NOP(s_dcache_discard_x2), NOP(s_prefetch_data), NOP(s_prefetch_data_pc_rel),
    NOP(s_prefetch_inst), NOP(s_prefetch_inst_pc_rel), NOP(s_buffer_prefetch_data), NOP(s_atc_probe), NOP(s_atc_probe_buffer),
    IDX(s_set_gpr_idx_on), IDX(s_set_gpr_idx_idx), IDX(s_set_gpr_idx_mode), IDX(s_set_gpr_idx_off), S(s_setvskip);
}

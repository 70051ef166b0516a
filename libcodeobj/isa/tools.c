/* SPDX-License-Identifier: MIT
 *
 * isa/tools.c - what tools ask of a decoded instruction: where control goes, and
 * which registers are touched without being operands.
 */
#include "isa/row.h"
#include "isa/semantics.h"

/* Semantics after which the next instruction is not, or not only, the next one. */
static bool changes_pc(enum co_sem sem)
{
    switch (sem) {
    case CO_SEM_s_branch:
    case CO_SEM_s_cbranch_scc0:
    case CO_SEM_s_cbranch_scc1:
    case CO_SEM_s_cbranch_vccz:
    case CO_SEM_s_cbranch_vccnz:
    case CO_SEM_s_cbranch_execz:
    case CO_SEM_s_cbranch_execnz:
    case CO_SEM_s_cbranch_cdbgsys:
    case CO_SEM_s_cbranch_cdbguser:
    case CO_SEM_s_cbranch_cdbgsys_or_user:
    case CO_SEM_s_cbranch_cdbgsys_and_user:
    case CO_SEM_s_cbranch_i_fork:
    case CO_SEM_s_cbranch_g_fork:
    case CO_SEM_s_cbranch_join:
    case CO_SEM_s_subvector_loop_begin:
    case CO_SEM_s_subvector_loop_end:
    case CO_SEM_s_setpc_b64:
    case CO_SEM_s_swappc_b64:
    case CO_SEM_s_call_b64:
    case CO_SEM_s_call_i64:
    case CO_SEM_s_set_pc_i64:
    case CO_SEM_s_swap_pc_i64:
    case CO_SEM_s_add_pc_i64:
    case CO_SEM_s_rfe_b64:
    case CO_SEM_s_rfe_i64:
    case CO_SEM_s_rfe_restore_b64:
    case CO_SEM_s_trap:
    case CO_SEM_s_endpgm:
    case CO_SEM_s_endpgm_saved:
    case CO_SEM_s_endpgm_ordered_ps_done:
        return true;
    default:
        return false;
    }
}

bool codeobj_isa_is_terminator(const struct codeobj_isa_inst *inst)
{
    return inst->row && inst->row < co_isa_row_total && changes_pc((enum co_sem)co_isa_rows[inst->row].sem);
}

bool codeobj_isa_branch_target(const struct codeobj_isa_inst *inst, uint64_t pc, uint64_t *target)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].kind == CODEOBJ_OPERAND_LABEL) {
            *target = pc + inst->size + inst->operands[i].value;
            return true;
        }
    return false;
}

static bool is_vector(unsigned format)
{
    return format >= CODEOBJ_FMT_VOP1;
}

uint32_t codeobj_isa_implicit(const struct codeobj_isa_inst *inst)
{
    static const struct {
        uint32_t row, implicit;
    } map[] = {
        { CO_ROW_RSCC, CODEOBJ_IMPLICIT_READS_SCC },   { CO_ROW_WSCC, CODEOBJ_IMPLICIT_WRITES_SCC },
        { CO_ROW_RVCC, CODEOBJ_IMPLICIT_READS_VCC },   { CO_ROW_WVCC, CODEOBJ_IMPLICIT_WRITES_VCC },
        { CO_ROW_REXEC, CODEOBJ_IMPLICIT_READS_EXEC }, { CO_ROW_WEXEC, CODEOBJ_IMPLICIT_WRITES_EXEC },
        { CO_ROW_RMODE, CODEOBJ_IMPLICIT_READS_MODE }, { CO_ROW_WMODE, CODEOBJ_IMPLICIT_WRITES_MODE },
        { CO_ROW_RM0, CODEOBJ_IMPLICIT_READS_M0 },     { CO_ROW_WM0, CODEOBJ_IMPLICIT_WRITES_M0 },
    };
    if (!inst->row || inst->row >= co_isa_row_total)
        return 0;
    unsigned format = inst->format;
    /* Memory formats have flags of their own. */
    uint32_t flags = format >= CODEOBJ_FMT_DS ? 0 : co_isa_rows[inst->row].flags, set = 0;
    if (inst->row_y && inst->row_y < co_isa_row_total)
        flags |= co_isa_rows[inst->row_y].flags;
    for (unsigned i = 0; i < sizeof map / sizeof *map; i++)
        if (flags & map[i].row)
            set |= map[i].implicit;
    unsigned sem = co_isa_rows[inst->row].sem;
    if (is_vector(format) && sem != CO_SEM_v_readlane_b32 && sem != CO_SEM_v_writelane_b32)
        set |= CODEOBJ_IMPLICIT_READS_EXEC;
    return set;
}

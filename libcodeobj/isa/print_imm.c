/* SPDX-License-Identifier: MIT
 *
 * isa/print_imm.c - 16-bit immediates that have names: wait counters, messages,
 * hardware registers, delays.
 *
 * Sources: AMD's ISA documents (S_WAITCNT, S_SENDMSG, S_GETREG_B32, S_DELAY_ALU,
 * S_WAITCNT_DEPCTR); spelling and defaults as LLVM 22 prints them.
 */
#include "isa/print.h"

/* ---- hwreg --------------------------------------------------------------------- */
enum { G6 = 1, G7 = 2, G8 = 4, G9 = 8, G94 = 16, G101 = 32, G103 = 64, G11 = 128, G12 = 256, G125 = 512 };
#define OLD (G6 | G7 | G8 | G9 | G94)
#define G10 (G101 | G103)
#define G12S (G12 | G125)

static const struct hwreg {
    uint8_t id;
    uint16_t where;
    const char *name;
} hwregs[] = {
    { 1, OLD | G10 | G11, "HW_REG_MODE" },
    { 1, G12S, "HW_REG_WAVE_MODE" },
    { 2, OLD | G10 | G11, "HW_REG_STATUS" },
    { 2, G12S, "HW_REG_WAVE_STATUS" },
    { 3, OLD | G10 | G11, "HW_REG_TRAPSTS" },
    { 4, OLD, "HW_REG_HW_ID" },
    { 4, G12S, "HW_REG_WAVE_STATE_PRIV" },
    { 5, OLD | G10 | G11, "HW_REG_GPR_ALLOC" },
    { 5, G12S, "HW_REG_WAVE_GPR_ALLOC" },
    { 6, OLD | G10 | G11, "HW_REG_LDS_ALLOC" },
    { 6, G12S, "HW_REG_WAVE_LDS_ALLOC" },
    { 7, OLD | G10 | G11 | G12S, "HW_REG_IB_STS" },
    { 10, G12S, "HW_REG_PERF_SNAPSHOT_DATA" },
    { 11, G12S, "HW_REG_PERF_SNAPSHOT_PC_LO" },
    { 12, G12S, "HW_REG_PERF_SNAPSHOT_PC_HI" },
    { 15, G9 | G94 | G10 | G11, "HW_REG_SH_MEM_BASES" },
    { 15, G12S, "HW_REG_PERF_SNAPSHOT_DATA1" },
    { 16, G9 | G94 | G10, "HW_REG_TBA_LO" },
    { 16, G12S, "HW_REG_PERF_SNAPSHOT_DATA2" },
    { 17, G9 | G94 | G10, "HW_REG_TBA_HI" },
    { 17, G12S, "HW_REG_WAVE_EXCP_FLAG_PRIV" },
    { 18, G9 | G94 | G10, "HW_REG_TMA_LO" },
    { 18, G11, "HW_REG_PERF_SNAPSHOT_PC_LO" },
    { 18, G12S, "HW_REG_WAVE_EXCP_FLAG_USER" },
    { 19, G9 | G94 | G10, "HW_REG_TMA_HI" },
    { 19, G11, "HW_REG_PERF_SNAPSHOT_PC_HI" },
    { 19, G12S, "HW_REG_WAVE_TRAP_CTRL" },
    { 20, G94, "HW_REG_XCC_ID" },
    { 20, G10 | G11, "HW_REG_FLAT_SCR_LO" },
    { 20, G12S, "HW_REG_WAVE_SCRATCH_BASE_LO" },
    { 21, G94, "HW_REG_SQ_PERF_SNAPSHOT_DATA" },
    { 21, G10 | G11, "HW_REG_FLAT_SCR_HI" },
    { 21, G12S, "HW_REG_WAVE_SCRATCH_BASE_HI" },
    { 22, G94, "HW_REG_SQ_PERF_SNAPSHOT_DATA1" },
    { 22, G101, "HW_REG_XNACK_MASK" },
    { 23, G94, "HW_REG_SQ_PERF_SNAPSHOT_PC_LO" },
    { 23, G10 | G11, "HW_REG_HW_ID1" },
    { 23, G12S, "HW_REG_WAVE_HW_ID1" },
    { 24, G94, "HW_REG_SQ_PERF_SNAPSHOT_PC_HI" },
    { 24, G10 | G11, "HW_REG_HW_ID2" },
    { 24, G12S, "HW_REG_WAVE_HW_ID2" },
    { 25, G10, "HW_REG_POPS_PACKER" },
    { 26, G12S, "HW_REG_WAVE_SCHED_MODE" },
    { 27, G11, "HW_REG_PERF_SNAPSHOT_DATA" },
    { 28, G125, "HW_REG_IB_STS2" },
    { 29, G103 | G11, "HW_REG_SHADER_CYCLES" },
    { 29, G12S, "HW_REG_SHADER_CYCLES_LO" },
    { 30, G12S, "HW_REG_SHADER_CYCLES_HI" },
    { 31, G12S, "HW_REG_WAVE_DVGPR_ALLOC_LO" },
    { 32, G12S, "HW_REG_WAVE_DVGPR_ALLOC_HI" },
    { 33, G125, "HW_REG_XNACK_STATE_PRIV" },
    { 34, G125, "HW_REG_XNACK_MASK" },
};

static unsigned family(const struct codeobj_isa *isa)
{
    const struct codeobj_processor *p = isa->processor;
    switch (isa->gen) {
    case CODEOBJ_GEN_GFX6: return G6;
    case CODEOBJ_GEN_GFX7: return G7;
    case CODEOBJ_GEN_GFX8: return G8;
    case CODEOBJ_GEN_GFX9: return p->minor >= 4 ? G94 : G9;
    case CODEOBJ_GEN_GFX10: return p->minor >= 3 ? G103 : G101;
    case CODEOBJ_GEN_GFX11: return G11;
    default: return isa->gfx1250 ? G125 : G12;
    }
}

static char *put_hwreg(char *p, const struct codeobj_isa *isa, unsigned v)
{
    unsigned id = v & 63, offset = v >> 6 & 31, width = (v >> 11) + 1, where = family(isa);
    const char *name = NULL;
    for (size_t i = 0; i < sizeof hwregs / sizeof *hwregs; i++)
        if (hwregs[i].id == id && hwregs[i].where & where)
            name = hwregs[i].name;
    p = CO_PUT(p, "hwreg(");
    p = name ? co_put_str(p, name) : co_put_dec(p, id);
    if (offset || width != 32) {
        p = CO_PUT(p, ", ");
        p = co_put_dec(p, offset);
        p = CO_PUT(p, ", ");
        p = co_put_dec(p, width);
    }
    *p++ = ')';
    return p;
}

/* ---- sendmsg -------------------------------------------------------------------- */
static const struct message {
    uint8_t id;
    uint16_t where;
    const char *name;
} messages[] = {
    { 1, G6 | G7 | G8 | G9 | G94 | G10 | G11 | G12S, "MSG_INTERRUPT" },
    { 2, G6 | G7 | G8 | G9 | G94 | G10, "MSG_GS" },
    { 2, G11 | G12S, "MSG_HS_TESSFACTOR" },
    { 3, G6 | G7 | G8 | G9 | G94 | G10, "MSG_GS_DONE" },
    { 3, G11 | G12S, "MSG_DEALLOC_VGPRS" },
    { 4, G8 | G9 | G94 | G10, "MSG_SAVEWAVE" },
    { 5, G9 | G94 | G10 | G11, "MSG_STALL_WAVE_GEN" },
    { 6, G9 | G94 | G10 | G11, "MSG_HALT_WAVES" },
    { 7, G9 | G94 | G10, "MSG_ORDERED_PS_DONE" },
    { 8, G9 | G94 | G10, "MSG_EARLY_PRIM_DEALLOC" },
    { 9, G9 | G94 | G10 | G11 | G12S, "MSG_GS_ALLOC_REQ" },
    { 10, G9 | G94 | G10, "MSG_GET_DOORBELL" },
    { 10, G125, "MSG_SAVEWAVE_HAS_TDM" },
    { 11, G10, "MSG_GET_DDID" },
    { 15, G6 | G7 | G8 | G9 | G94 | G10, "MSG_SYSMSG" },
    { 128, G11 | G12S, "MSG_RTN_GET_DOORBELL" },
    { 129, G11 | G12S, "MSG_RTN_GET_DDID" },
    { 130, G11 | G12S, "MSG_RTN_GET_TMA" },
    { 131, G11 | G12S, "MSG_RTN_GET_REALTIME" },
    { 132, G11 | G12S, "MSG_RTN_SAVE_WAVE" },
    { 133, G11 | G12S, "MSG_RTN_GET_TBA" },
    { 134, G11 | G12S, "MSG_RTN_GET_TBA_TO_PC" },
    { 135, G12S, "MSG_RTN_GET_SE_AID_ID" },
    { 136, G125, "MSG_RTN_GET_CLUSTER_BARRIER_STATE" },
};

static const char *const gs_ops[4] = { "GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT" };
static const char *const sys_ops[5] = { NULL, "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD",
                                        "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC" };

static char *put_sendmsg(char *p, const struct codeobj_isa *isa, unsigned v)
{
    bool g11 = isa->gen >= CODEOBJ_GEN_GFX11;
    unsigned id = g11 ? v & 255 : v & 15, op = g11 ? 0 : v >> 4 & 7, stream = g11 ? 0 : v >> 8 & 3;
    const char *name = NULL, *op_name = NULL;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (messages[i].id == id && messages[i].where & family(isa))
            name = messages[i].name;
    bool gs = !g11 && (id == 2 || id == 3), sys = !g11 && id == 15, known = name != NULL;
    if (gs) {
        op_name = op < 4 ? gs_ops[op] : NULL;
        known = op_name && !(id == 2 && op == 0) && (op || !stream);
    } else if (sys) {
        op_name = op < 5 ? sys_ops[op] : NULL;
        known = op_name && !stream && !(op == 3 && isa->gen >= CODEOBJ_GEN_GFX9);
    } else if (op || stream) {
        known = false;
    }
    if (!known && v & ~(g11 ? 0xffu : 0x37fu))
        return co_put_dec(p, v);
    p = CO_PUT(p, "sendmsg(");
    if (known) {
        p = co_put_str(p, name);
        if (op_name) {
            p = CO_PUT(p, ", ");
            p = co_put_str(p, op_name);
            if (gs && op) {
                p = CO_PUT(p, ", ");
                p = co_put_dec(p, stream);
            }
        }
    } else {
        p = co_put_dec(p, id);
        p = CO_PUT(p, ", ");
        p = co_put_dec(p, op);
        p = CO_PUT(p, ", ");
        p = co_put_dec(p, stream);
    }
    *p++ = ')';
    return p;
}

/* ---- counters ------------------------------------------------------------------- */

static char *put_waitcnt(char *p, const struct codeobj_isa *isa, unsigned v)
{
    unsigned vm, exp, lgkm, vm_max, lgkm_max;
    if (isa->gen >= CODEOBJ_GEN_GFX11) {
        exp = v & 7, lgkm = v >> 4 & 63, vm = v >> 10 & 63;
        vm_max = lgkm_max = 63;
    } else {
        vm = v & 15, exp = v >> 4 & 7, lgkm = v >> 8 & 15;
        vm_max = lgkm_max = 15;
        if (isa->gen >= CODEOBJ_GEN_GFX9) {
            vm |= v >> 14 << 4;
            vm_max = 63;
        }
        if (isa->gen >= CODEOBJ_GEN_GFX10) {
            lgkm = v >> 8 & 63;
            lgkm_max = 63;
        }
    }
    bool all = vm == vm_max && exp == 7 && lgkm == lgkm_max, space = false;
    const struct {
        bool on;
        const char *name;
        unsigned v;
    } c[3] = { { all || vm != vm_max, "vmcnt(", vm }, { all || exp != 7, "expcnt(", exp }, { all || lgkm != lgkm_max, "lgkmcnt(", lgkm } };
    for (unsigned i = 0; i < 3; i++) {
        if (!c[i].on)
            continue;
        if (space)
            *p++ = ' ';
        space = true;
        p = co_put_str(p, c[i].name);
        p = co_put_dec(p, c[i].v);
        *p++ = ')';
    }
    return p;
}

static char *put_depctr(char *p, const struct codeobj_isa *isa, unsigned v)
{
    static const struct {
        uint8_t shift, max;
        bool g11;
        const char *name;
    } f[] = {
        { 7, 1, true, "depctr_hold_cnt(" },  { 0, 1, false, "depctr_sa_sdst(" },   { 12, 15, false, "depctr_va_vdst(" },
        { 9, 7, false, "depctr_va_sdst(" },  { 8, 1, false, "depctr_va_ssrc(" },   { 1, 1, false, "depctr_va_vcc(" },
        { 2, 7, false, "depctr_vm_vsrc(" },
    };
    bool g11 = isa->gen >= CODEOBJ_GEN_GFX11 || family(isa) == G103, all = true, space = false;
    if (v & (g11 ? 0x60u : 0xe0u))
        return co_put_hex(p, v);
    for (unsigned i = 0; i < sizeof f / sizeof *f; i++)
        if ((g11 || !f[i].g11) && (v >> f[i].shift & f[i].max) != f[i].max)
            all = false;
    for (unsigned i = 0; i < sizeof f / sizeof *f; i++) {
        unsigned x = v >> f[i].shift & f[i].max;
        if ((f[i].g11 && !g11) || (!all && x == f[i].max))
            continue;
        if (space)
            *p++ = ' ';
        space = true;
        p = co_put_str(p, f[i].name);
        p = co_put_dec(p, x);
        *p++ = ')';
    }
    return p;
}

static char *put_delay(char *p, unsigned v)
{
    static const char *const ids[12] = { "NO_DEP", "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4",
                                         "TRANS32_DEP_1", "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1",
                                         "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3" };
    static const char *const skips[6] = { "SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4" };
    unsigned id0 = v & 15, skip = v >> 4 & 7, id1 = v >> 7 & 15;
    const char *bar = "";
    if (id0) {
        p = CO_PUT(p, "instid0(");
        p = co_put_str(p, id0 < 12 ? ids[id0] : "/* invalid instid value */");
        *p++ = ')';
        bar = " | ";
    }
    if (skip) {
        p = co_put_str(p, bar);
        p = CO_PUT(p, "instskip(");
        p = co_put_str(p, skip < 6 ? skips[skip] : "/* invalid instskip value */");
        *p++ = ')';
        bar = " | ";
    }
    if (id1) {
        p = co_put_str(p, bar);
        p = CO_PUT(p, "instid1(");
        p = co_put_str(p, id1 < 12 ? ids[id1] : "/* invalid instid value */");
        *p++ = ')';
        bar = " | ";
    }
    if (!*bar)
        *p++ = '0';
    return p;
}

static char *put_gpr_idx(char *p, unsigned v)
{
    static const char *const modes[4] = { "SRC0", "SRC1", "SRC2", "DST" };
    if (v & ~15u)
        return co_put_hex(p, v);
    bool comma = false;
    p = CO_PUT(p, "gpr_idx(");
    for (unsigned i = 0; i < 4; i++)
        if (v >> i & 1) {
            if (comma)
                *p++ = ',';
            comma = true;
            p = co_put_str(p, modes[i]);
        }
    *p++ = ')';
    return p;
}

/* s_version: microcode version and three flags, printed as LLVM's expressions. */
static char *put_version(char *p, unsigned v)
{
    static const char *const flags[3] = { "UC_VERSION_W64_BIT", "UC_VERSION_W32_BIT", "UC_VERSION_MDP_BIT" };
    unsigned code = v & 0x1fff, set = 0;
    if (code > 255)
        return co_put_hex(p, v);
    for (unsigned i = 0; i < 3; i++)
        set += v >> (13 + i) & 1;
    for (unsigned i = 2; i < set; i++)
        *p++ = '(';
    if (set >= 2)
        *p++ = '(';
    switch (code) {
    case 0: p = CO_PUT(p, "UC_VERSION_GFX7"); break;
    case 4: p = CO_PUT(p, "UC_VERSION_GFX10"); break;
    case 6: p = CO_PUT(p, "UC_VERSION_GFX11"); break;
    case 9: p = CO_PUT(p, "UC_VERSION_GFX12"); break;
    default: p = co_put_dec(p, code); break;
    }
    for (unsigned i = 0; i < 3; i++)
        if (v >> (13 + i) & 1) {
            *p++ = '|';
            p = co_put_str(p, flags[i]);
            if (--set)
                *p++ = ')';
        }
    return p;
}

char *co_put_imm(char *p, const struct codeobj_isa *isa, enum co_imm kind, uint16_t v)
{
    switch (kind) {
    case CO_IMM_SIMM16: return co_put_hex(p, v);
    case CO_IMM_INLINE: return v <= 64 ? co_put_dec(p, v) : co_put_hex(p, v);
    case CO_IMM_DEC: return co_put_dec(p, v);
    case CO_IMM_LABEL: return co_put_dec(p, v);
    case CO_IMM_WAITCNT: return put_waitcnt(p, isa, v);
    case CO_IMM_SENDMSG: return put_sendmsg(p, isa, v);
    case CO_IMM_DELAY_ALU: return put_delay(p, v);
    case CO_IMM_DEPCTR: return put_depctr(p, isa, v);
    case CO_IMM_ENDPGM: return co_put_dec(p, v);
    case CO_IMM_GPR_IDX: return put_gpr_idx(p, v);
    case CO_IMM_VERSION: return put_version(p, v);
    case CO_IMM_HWREG: return put_hwreg(p, isa, v);
    }
    return p;
}

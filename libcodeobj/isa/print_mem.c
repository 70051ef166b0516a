/* SPDX-License-Identifier: MIT
 *
 * isa/print_mem.c - the text of memory, image and export instructions behind the mnemonic.
 *
 * Order and spelling are LLVM 22's: operands, then offset, cache bits, lds, tfe;
 * typed buffers have their format before all of them.  From gfx12 on the cache
 * bits are th and scope.  A register that the operand's class does not hold is
 * followed by a remark, as in LLVM: register_class() knows the classes.
 */
#include "isa/print.h"

/* ---- register classes ---------------------------------------------------------- */
static char *remark(char *p, const char *prefix, unsigned bits, const char *suffix)
{
    p = CO_PUT(p, "/*Invalid register, operand has '");
    p = co_put_str(p, prefix);
    if (bits)
        p = co_put_dec(p, bits);
    p = co_put_str(p, suffix);
    return CO_PUT(p, "' register class*/");
}

/* Registers that hold data: all vector registers but addresses. */
static unsigned data_registers(const struct codeobj_isa_inst *inst)
{
    unsigned n = 0;

    for (unsigned i = 0; i < inst->operand_count; i++) {
        unsigned kind = inst->operands[i].kind;

        n += (kind == CODEOBJ_OPERAND_VGPR || kind == CODEOBJ_OPERAND_AGPR) && inst->operands[i].role != CODEOBJ_ROLE_ADDR;
    }
    return n;
}

static char *vector_class(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                          const struct co_isa_row *row, const struct codeobj_isa_operand *o)
{
    bool agpr = o->kind == CODEOBJ_OPERAND_AGPR, address = o->role == CODEOBJ_ROLE_ADDR;
    bool typed = row->format == CODEOBJ_FMT_MTBUF;
    unsigned bits = o->dwords * 32u;

    if (!isa->mem.agpr && agpr)
        return data_registers(inst) != 1 ? p : o->dwords == 1 ? remark(p, "VGPR_32", 0, "") : remark(p, "VReg_", bits, "");
    if (!isa->align2 || o->dwords < 2 || !(o->reg & 1))
        return p;
    if (isa->mem.family == CO_G125)
        return typed || (row->flags & CO_MEM_UNALIGNED && !address) ? p : remark(p, "VReg_", bits, "_Align2");
    if (address)
        return typed ? p : remark(p, "VReg_", bits, "_Align2");
    if (data_registers(inst) == 1)
        return row->flags & CO_MEM_UNALIGNED ? p : remark(p, "AV_", bits, "_Align2");
    return agpr ? p : remark(p, "VReg_", bits, "_Align2");
}

static char *scalar_class(char *p, const struct codeobj_isa_inst *inst, const struct co_isa_row *row,
                          const struct codeobj_isa_operand *o)
{
    enum co_mem_kind kind = co_mem_kind_of(row);

    if (o->role != CODEOBJ_ROLE_SADDR || o->reg < 126 || (inst->mod.lds && row->format == CODEOBJ_FMT_GLOBAL))
        return p;
    if (o->dwords == 1)
        return o->reg == 127 ? remark(p, "SReg_32_XEXEC_HI", 0, "") : p;
    if (row->flags & CO_MEM_ADDTID || !(kind == CO_MEM_LOAD || kind == CO_MEM_STORE || (kind == CO_MEM_ATOMIC && row->format == CODEOBJ_FMT_GLOBAL)))
        return p;
    return remark(p, "SReg_64_XEXEC_XNULL", 0, "");
}

/* Descriptors of images on gfx12 may be any source; only SGPRs are meant. */
static char *descriptor_class(char *p, const struct co_isa_row *row, const struct codeobj_isa_operand *o)
{
    if (row->format != CODEOBJ_FMT_MIMG || o->kind == CODEOBJ_OPERAND_SGPR)
        return p;
    if (o->kind == CODEOBJ_OPERAND_INLINE || o->kind == CODEOBJ_OPERAND_LITERAL)
        return CO_PUT(p, "/*Invalid immediate*/");
    return remark(p, "SReg_", o->dwords * 32u, "_XNULL");
}

/* A literal where none belongs: as the inline constant that it looks like. */
static char *put_bare_literal(char *p, uint32_t v)
{
    static const char *const names[9] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"};

    for (unsigned code = 240; code <= 248; code++)
        if (co_inline_value(code, CODEOBJ_TYPE_F32) == v)
            return co_put_str(p, names[code - 240]);
    return co_put_inline_int(p, v, 32);
}

static char *put_operand(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                         const struct co_isa_row *row, const struct codeobj_isa_operand *o)
{
    const struct co_name *name = co_name_of(isa, o);
    char *start = p;

    p = name ? co_put_name(p, name) : co_put_operand(p, isa, inst, o);
    if (name && (o->kind == CODEOBJ_OPERAND_VGPR ? !isa->align2 : o->reg < 126)) /* all of these are what they should be */
        return p;
    if (o->role == CODEOBJ_ROLE_RSRC || o->role == CODEOBJ_ROLE_SAMP) {
        if (o->kind == CODEOBJ_OPERAND_LITERAL && row->format == CODEOBJ_FMT_MIMG)
            p = put_bare_literal(start, (uint32_t)o->value);
        return descriptor_class(p, row, o);
    }
    switch (o->kind) {
    case CODEOBJ_OPERAND_VGPR:
    case CODEOBJ_OPERAND_AGPR: return vector_class(p, isa, inst, row, o);
    case CODEOBJ_OPERAND_SGPR: return scalar_class(p, inst, row, o);
    case CODEOBJ_OPERAND_SPECIAL: return o->reg == CODEOBJ_SPECIAL_LDS_DIRECT ? remark(p, "SReg_32", 0, "") : p;
    default: return p;
    }
}

/* ---- typed buffer formats ------------------------------------------------------ */
/* gfx6 to gfx9 have a data and a number format, later ones one number for both;
 * gfx11 dropped the scaled and integer variants of the packed ones. */
static const char *const data_formats[16] = {
    "INVALID",    "8",          "16",      "8_8",   "32",          "16_16",    "10_11_11",    "11_11_10",
    "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
static const char *const number_formats[8] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"};

/* The number formats that a data format has, bit n: number_formats[n]. */
struct format_set {
    uint8_t data, numbers;
};
#define N_INT 0x3fu   /* all but float */
#define N_ALL 0xbfu
#define N_32 0xb0u    /* uint, sint, float */
#define N_FLOAT 0x80u
#define N_NORM 0x33u  /* unorm, snorm, uint, sint */
static const struct format_set formats_gfx10[14] = {{1, N_INT}, {2, N_ALL}, {3, N_INT},  {4, N_32},  {5, N_ALL},  {6, N_ALL}, {7, N_ALL},
                                                    {8, N_INT}, {9, N_INT}, {10, N_INT}, {11, N_32}, {12, N_ALL}, {13, N_32}, {14, N_32}};
static const struct format_set formats_gfx11[14] = {{1, N_INT},  {2, N_ALL}, {3, N_INT},  {4, N_32},  {5, N_ALL},  {6, N_FLOAT}, {7, N_FLOAT},
                                                    {8, N_NORM}, {9, N_INT}, {10, N_INT}, {11, N_32}, {12, N_ALL}, {13, N_32},   {14, N_32}};

static char *put_unified_format(char *p, const struct format_set *sets, unsigned format)
{
    unsigned at = 1;

    if (format == 1)
        return p; /* the default */
    if (format == 0)
        return CO_PUT(p, " format:[BUF_FMT_INVALID]");
    for (size_t i = 0; i < 14; i++)
        for (unsigned n = 0; n < 8; n++)
            if (sets[i].numbers >> n & 1 && at++ == format) {
                p = CO_PUT(p, " format:[BUF_FMT_");
                p = co_put_str(p, data_formats[sets[i].data]);
                *p++ = '_';
                p = co_put_str(p, number_formats[n]);
                *p++ = ']';
                return p;
            }
    p = CO_PUT(p, " format:");
    return co_put_dec(p, format);
}

static char *put_split_format(char *p, unsigned format)
{
    unsigned data = format & 15, number = format >> 4;

    if (data == 1 && number == 0)
        return p;
    p = CO_PUT(p, " format:[");
    if (data != 1) {
        p = CO_PUT(p, "BUF_DATA_FORMAT_");
        p = co_put_str(p, data_formats[data]);
    }
    if (data != 1 && number != 0)
        *p++ = ',';
    if (number != 0) {
        p = CO_PUT(p, "BUF_NUM_FORMAT_");
        p = co_put_str(p, number_formats[number & 7]);
    }
    *p++ = ']';
    return p;
}

/* ---- cache bits -------------------------------------------------------------------- */
static char *put_th(char *p, unsigned th, unsigned scope, enum co_mem_kind kind, bool store)
{
    static const char *const hints[8] = {"", "NT", "HT", "", "NT_RT", "RT_NT", "NT_HT", "NT_WB"};
    static const char *const atomics[4] = {"", "RETURN", "NT", "NT_RETURN"};

    if (!th)
        return p;
    if (kind == CO_MEM_ATOMIC) {
        p = CO_PUT(p, " th:TH_ATOMIC_");
        if (th < 4)
            return co_put_str(p, atomics[th]);
        if (scope >= 2)
            return co_put_str(p, th & 2 ? "CASCADE_NT" : "CASCADE_RT");
        return co_put_hex(p, th);
    }
    if (th == 7 && !store)
        return CO_PUT(p, " th:0x7");
    p = co_put_str(p, store ? " th:TH_STORE_" : " th:TH_LOAD_");
    return co_put_str(p, th != 3 ? hints[th] : scope == 3 ? "BYPASS" : store ? "WB" : "LU");
}

static char *put_cache(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    const struct codeobj_isa_modifiers *mod = &inst->mod;
    enum co_mem_kind kind = co_mem_kind_of(row);
    bool sc = isa->mem.family == CO_G940, store = kind == CO_MEM_STORE || (kind == CO_MEM_CACHE && row->flags & CO_IMG_TENSOR) || (kind == CO_MEM_ASYNC && co_mem_data(row));

    if (isa->gen >= CODEOBJ_GEN_GFX12) {
        p = co_put_flag(p, mod->scale_offset, " scale_offset");
        p = put_th(p, mod->th, mod->scope, kind, store);
        p = co_put_scope(p, mod->scope);
        return co_put_flag(p, mod->nv, " nv");
    }
    if (!(mod->glc | mod->slc | mod->dlc | mod->scc))
        return p;
    p = co_put_flag(p, mod->glc, sc ? " sc0" : " glc");
    p = co_put_flag(p, mod->slc, sc ? " nt" : " slc");
    p = co_put_flag(p, mod->dlc, " dlc");
    return co_put_flag(p, mod->scc, sc ? " sc1" : " scc");
}

/* ---- DS ---------------------------------------------------------------------------- */
static char *put_swizzle_numbers(char *p, const char *name, unsigned a, int b)
{
    p = CO_PUT(p, "swizzle(");
    p = co_put_str(p, name);
    *p++ = ',';
    p = co_put_dec(p, a);
    if (b >= 0) {
        *p++ = ',';
        p = co_put_dec(p, (unsigned)b);
    }
    *p++ = ')';
    return p;
}

static bool power_of_2(unsigned n)
{
    return n && !(n & (n - 1));
}

/* Bits 0-14 of a pattern are three masks of 5 bits: and, or, xor of the lane number. */
static char *put_bitmask(char *p, unsigned and_mask, unsigned or_mask, unsigned xor_mask)
{
    unsigned group = 32 - and_mask;

    if (and_mask == 31 && or_mask == 0 && power_of_2(xor_mask))
        return put_swizzle_numbers(p, "SWAP", xor_mask, -1);
    if (and_mask == 31 && or_mask == 0 && xor_mask && power_of_2(xor_mask + 1))
        return put_swizzle_numbers(p, "REVERSE", xor_mask + 1, -1);
    if (group > 1 && power_of_2(group) && or_mask < group && xor_mask == 0)
        return put_swizzle_numbers(p, "BROADCAST", group, (int)or_mask);
    p = CO_PUT(p, "swizzle(BITMASK_PERM,\"");
    for (unsigned bit = 16; bit; bit >>= 1) {
        bool keep = and_mask & bit, set = or_mask & bit, flip = xor_mask & bit;

        *p++ = set ? (flip ? '0' : '1') : keep ? (flip ? 'i' : 'p') : flip ? '1' : '0';
    }
    return CO_PUT(p, "\")");
}

static char *put_swizzle(char *p, const struct codeobj_isa *isa, unsigned offset)
{
    bool rotate = isa->gen >= CODEOBJ_GEN_GFX9;

    if (!offset)
        return p;
    p = CO_PUT(p, " offset:");
    if (rotate && offset >= 0xe000)
        return put_swizzle_numbers(p, "FFT", offset & 31, -1);
    if (rotate && offset >= 0xc000)
        return put_swizzle_numbers(p, "ROTATE", offset >> 10 & 1, (int)(offset >> 5 & 31));
    if ((offset & 0xff00) == 0x8000) {
        p = CO_PUT(p, "swizzle(QUAD_PERM");
        for (unsigned i = 0; i < 4; i++) {
            *p++ = ',';
            p = co_put_dec(p, offset >> 2 * i & 3);
        }
        *p++ = ')';
        return p;
    }
    return offset & 0x8000 ? co_put_dec(p, offset) : put_bitmask(p, offset & 31, offset >> 5 & 31, offset >> 10 & 31);
}

static char *put_number(char *p, const char *label, unsigned value)
{
    return value ? co_put_dec(co_put_str(p, label), value) : p;
}

static char *put_ds(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    unsigned offset = (unsigned)inst->mod.offset;

    if (row->flags & CO_MEM_OFF2) {
        p = put_number(p, " offset0:", offset & 255);
        p = put_number(p, " offset1:", offset >> 8);
    } else if (row->flags & CO_MEM_SWIZZLE) {
        p = put_swizzle(p, isa, offset);
    } else {
        p = put_number(p, " offset:", offset);
    }
    return co_put_flag(p, inst->mod.gds, " gds");
}

/* ---- FLAT and buffers ---------------------------------------------------------------- */
static char *put_flat(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    if (row->flags & CO_IMG_TENSOR && !inst->operand_count && (inst->mod.th | inst->mod.scope | inst->mod.nv | inst->mod.scale_offset))
        *p++ = ' '; /* tensor_stop, as LLVM has it */
    if (inst->mod.offset)
        p = co_put_sdec(CO_PUT(p, " offset:"), inst->mod.offset);
    p = put_cache(p, isa, inst, row);
    return co_put_flag(p, inst->mod.lds, " lds");
}

static char *put_buffer(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    const struct codeobj_isa_modifiers *mod = &inst->mod;
    bool lds_first = co_mem_kind_of(row) == CO_MEM_LDS; /* buffer_store_lds_dword */

    if (row->format == CODEOBJ_FMT_MTBUF) {
        if (isa->gen < CODEOBJ_GEN_GFX10)
            p = put_split_format(p, mod->format);
        else
            p = put_unified_format(p, isa->gen == CODEOBJ_GEN_GFX10 ? formats_gfx10 : formats_gfx11, mod->format);
    }
    p = co_put_flag(p, mod->idxen, " idxen");
    p = co_put_flag(p, mod->offen, " offen");
    p = co_put_flag(p, mod->addr64, " addr64");
    p = put_number(p, " offset:", (unsigned)mod->offset);
    p = co_put_flag(p, lds_first, " lds");
    p = put_cache(p, isa, inst, row);
    p = co_put_flag(p, mod->lds && !lds_first, " lds");
    return co_put_flag(p, mod->tfe, " tfe");
}

/* ---- images and exports ------------------------------------------------------------------ */
static char *put_image(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    static const char *const dims[8] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
    const struct codeobj_isa_modifiers *mod = &inst->mod;

    if (row->flags & CO_IMG_TENSOR)
        return put_cache(co_put_flag(p, mod->r128, " r128"), isa, inst, row);
    if (row->flags & CO_IMG_BVH)
        return co_put_flag(p, mod->a16, " a16");
    if (mod->dmask)
        p = co_put_hex(CO_PUT(p, " dmask:"), mod->dmask);
    if (isa->gen >= CODEOBJ_GEN_GFX10) {
        p = CO_PUT(p, " dim:SQ_RSRC_IMG_");
        p = co_put_str(p, dims[mod->dim & 7]);
    }
    p = co_put_flag(p, mod->unorm, " unorm");
    p = put_cache(p, isa, inst, row);
    p = co_put_flag(p, mod->r128, " r128");
    p = co_put_flag(p, mod->a16, " a16");
    p = co_put_flag(p, mod->tfe, " tfe");
    p = co_put_flag(p, mod->lwe, " lwe");
    p = co_put_flag(p, mod->da, " da");
    return co_put_flag(p, mod->d16, " d16");
}

/* Export targets: numbers that a generation does not have are shown as such. */
static char *put_target(char *p, const struct codeobj_isa *isa, unsigned target)
{
    bool gfx10 = isa->gen >= CODEOBJ_GEN_GFX10, gfx11 = isa->gen >= CODEOBJ_GEN_GFX11;

    if (target < 8)
        return co_put_dec(CO_PUT(p, " mrt"), target);
    if (target == 8)
        return CO_PUT(p, " mrtz");
    if (target == 9 && !gfx11)
        return CO_PUT(p, " null");
    if (target >= 12 && target < (gfx10 ? 17u : 16u))
        return co_put_dec(CO_PUT(p, " pos"), target - 12);
    if (target == 20 && gfx10)
        return CO_PUT(p, " prim");
    if ((target == 21 || target == 22) && gfx11)
        return co_put_dec(CO_PUT(p, " dual_src_blend"), target - 21);
    if (target >= 32 && !gfx11)
        return co_put_dec(CO_PUT(p, " param"), target - 32);
    return co_put_dec(CO_PUT(p, " invalid_target_"), target);
}

static char *put_export(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst)
{
    const struct codeobj_isa_modifiers *mod = &inst->mod;

    (void)isa;
    p = co_put_flag(p, mod->exp_done, " done");
    p = co_put_flag(p, mod->exp_compr, " compr");
    p = co_put_flag(p, mod->exp_vm, " vm");
    return co_put_flag(p, mod->exp_row, " row_en");
}

char *co_print_mem(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    unsigned shown = 0;
    bool list = false; /* inside the brackets of a non-sequential address */

    if (row->flags & CO_IMG_SAMPLER && row->format == CODEOBJ_FMT_MIMG && inst->mod.nsa && isa->gen < CODEOBJ_GEN_GFX12)
        *p++ = ' '; /* as LLVM has it */
    if (row->format == CODEOBJ_FMT_EXP)
        p = put_target(p, isa, inst->mod.exp_target);
    for (unsigned i = 0; i < inst->operand_count; i++) {
        const struct codeobj_isa_operand *o = &inst->operands[i];

        if (o->flags & CODEOBJ_OPERAND_HIDDEN)
            continue;
        if (list && o->role != CODEOBJ_ROLE_ADDR) {
            *p++ = ']';
            list = false;
        }
        if (shown++)
            *p++ = ',';
        *p++ = ' ';
        if (inst->mod.nsa && o->role == CODEOBJ_ROLE_ADDR && !list) {
            *p++ = '[';
            list = true;
        }
        p = put_operand(p, isa, inst, row, o);
    }
    switch (row->format) {
    case CODEOBJ_FMT_DS: return put_ds(p, isa, inst, row);
    case CODEOBJ_FMT_MUBUF:
    case CODEOBJ_FMT_MTBUF: return put_buffer(p, isa, inst, row);
    case CODEOBJ_FMT_MIMG: return put_image(p, isa, inst, row);
    case CODEOBJ_FMT_EXP: return put_export(p, isa, inst);
    default: return put_flat(p, isa, inst, row);
    }
}

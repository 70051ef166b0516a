/* SPDX-License-Identifier: MIT
 *
 * exec/build.c - from a decoded instruction to an operation: operands resolved once.
 *
 * Order of sources in an operation: as printed (SRC0, SRC1, ..., the literal of
 * v_fmamk in its place), then what the destination held when the instruction also reads
 * it (DSTSRC).  v_fmac_f32 and v_fmamk_f32 thereby are v_fma_f32 of src[0..2].
 *
 * Operands with modifiers (neg, abs, sext, op_sel, SDWA, DPP, clamp, omod, halves) make a
 * wrapped operation: see modified.c.
 */
#include <string.h>

#include "exec/device.h"
#include "exec/modified.h"
#include "isa/row.h"

const struct codeobj_isa_operand *co_operand_of(const struct co_builder *b, const struct codeobj_isa_inst *inst,
                                             enum codeobj_isa_role role)
{
    for (unsigned i = 0; i < inst->operand_count; i++) {
        const struct codeobj_isa_operand *o = &inst->operands[i];
        if (o->role == role && !!(o->flags & CODEOBJ_OPERAND_Y) == b->half_y && !(o->flags & CODEOBJ_OPERAND_HIDDEN))
            return o;
    }
    return NULL;
}

/* Number of NULL in this processor's scalar source space; 0 when it has none. */
static unsigned null_reg(const struct co_builder *b)
{
    return b->processor->gen >= CODEOBJ_GEN_GFX11 ? 124 : b->processor->gen == CODEOBJ_GEN_GFX10 ? 125 : 0;
}

unsigned co_reg_m0(const struct co_builder *b)
{
    return b->processor->gen >= CODEOBJ_GEN_GFX11 ? 125 : 124;
}

uint16_t co_slot_dst(const struct co_builder *b, unsigned reg)
{
    unsigned null = null_reg(b);
    return (uint16_t)(null && reg == null ? CO_S_SINK : reg & 127);
}

uint16_t co_slot_src(const struct co_builder *b, unsigned reg)
{
    unsigned null = null_reg(b);
    return (uint16_t)(null && reg == null ? CO_S_ZERO : reg & 127);
}

void co_build_touches(struct co_builder *b, unsigned row, unsigned count)
{
    bool acc = row >= CO_ROW_A;
    if (row >= CO_ROW_TMP)
        return;
    _Atomic uint32_t *mark = acc ? &b->code->touched_a : &b->code->touched;
    unsigned end = row + count - (acc ? CO_ROW_A : CO_ROW_V), limit = acc ? CO_ROW_TMP - CO_ROW_A : CO_ROW_A - CO_ROW_V;
    if (end > limit)
        end = limit;
    if (end > atomic_load_explicit(mark, memory_order_relaxed))
        atomic_store_explicit(mark, end, memory_order_relaxed);
}

static enum codeobj_status const_src(struct co_builder *b, uint64_t value, unsigned dwords, struct co_src *out)
{
    const uint32_t *row = co_build_const(b, value);
    if (!row)
        return CODEOBJ_NO_MEMORY;
    *out = (struct co_src){ .kind = CO_SRC_CONST, .row = row, .dwords = (uint8_t)dwords };
    return CODEOBJ_OK;
}

static enum codeobj_status special_src(struct co_builder *b, const struct codeobj_isa_operand *o, struct co_src *out)
{
    const uint64_t shared = (uint64_t)CO_APERTURE_SHARED << 32, private = (uint64_t)CO_APERTURE_PRIVATE << 32;
    out->dwords = o->dwords ? o->dwords : 1;
    switch (o->reg) {
    case CODEOBJ_SPECIAL_SHARED_BASE: return const_src(b, shared, out->dwords, out);
    case CODEOBJ_SPECIAL_SHARED_LIMIT: return const_src(b, shared | 0xffffffffu, out->dwords, out);
    case CODEOBJ_SPECIAL_PRIVATE_BASE: return const_src(b, private, out->dwords, out);
    case CODEOBJ_SPECIAL_PRIVATE_LIMIT: return const_src(b, private | 0xffffffffu, out->dwords, out);
    case CODEOBJ_SPECIAL_POPS_EXITING_WAVE_ID: return const_src(b, 0, out->dwords, out);
    case CODEOBJ_SPECIAL_FLAT_SCRATCH_BASE_LO: return const_src(b, CO_SCRATCH_ADDR, out->dwords, out);
    case CODEOBJ_SPECIAL_FLAT_SCRATCH_BASE_HI: return const_src(b, CO_SCRATCH_ADDR >> 32, out->dwords, out);
    case CODEOBJ_SPECIAL_SCC:
        out->kind = CO_SRC_SGPR;
        out->reg = CO_S_SCC;
        return CODEOBJ_OK;
    case CODEOBJ_SPECIAL_VCCZ: out->kind = CO_SRC_VCCZ; return CODEOBJ_OK;
    case CODEOBJ_SPECIAL_EXECZ: out->kind = CO_SRC_EXECZ; return CODEOBJ_OK;
    case CODEOBJ_SPECIAL_LDS_DIRECT: out->kind = CO_SRC_LDS; return CODEOBJ_OK;
    default: b->why = "unknown special operand"; return CODEOBJ_UNSUPPORTED;
    }
}

enum codeobj_status co_build_src(struct co_builder *b, const struct codeobj_isa_operand *o, struct co_src *out)
{
    *out = (struct co_src){ 0 };
    if (!o)
        return CODEOBJ_OK;
    out->dwords = o->dwords ? o->dwords : 1;
    switch (o->kind) {
    case CODEOBJ_OPERAND_NONE: return CODEOBJ_OK;
    case CODEOBJ_OPERAND_VGPR:
    case CODEOBJ_OPERAND_AGPR:
        out->kind = CO_SRC_ROW;
        out->reg = co_row_of(o);
        if (out->reg + out->dwords > CO_ROW_COUNT || (out->reg < CO_ROW_A && out->reg + out->dwords > CO_ROW_A)) {
            b->why = "operand beyond the last register";
            return CODEOBJ_UNSUPPORTED;
        }
        return CODEOBJ_OK;
    case CODEOBJ_OPERAND_SGPR:
        out->kind = CO_SRC_SGPR;
        out->reg = co_slot_src(b, o->reg);
        if (out->reg < 128 && out->reg + out->dwords > 128) {
            b->why = "operand beyond the last register";
            return CODEOBJ_UNSUPPORTED;
        }
        return CODEOBJ_OK;
    case CODEOBJ_OPERAND_SPECIAL: return special_src(b, o, out);
    default: return const_src(b, o->value, out->dwords, out);
    }
}

static enum codeobj_status build_dst(struct co_builder *b, const struct codeobj_isa_operand *o, struct co_op *op)
{
    op->dst_dwords = o->dwords ? o->dwords : (uint8_t)(o->type == CODEOBJ_TYPE_MASK && b->wave == 64 ? 2 : 1);
    if (o->kind == CODEOBJ_OPERAND_VGPR || o->kind == CODEOBJ_OPERAND_AGPR) {
        op->dst_kind = CO_DST_ROW;
        op->dst = co_row_of(o);
        if (op->dst + op->dst_dwords > CO_ROW_COUNT || (op->dst < CO_ROW_A && op->dst + op->dst_dwords > CO_ROW_A)) {
            b->why = "destination beyond the last register";
            return CODEOBJ_UNSUPPORTED;
        }
        co_build_touches(b, op->dst, op->dst_dwords);
    } else if (o->kind == CODEOBJ_OPERAND_SGPR) {
        op->dst_kind = CO_DST_SGPR;
        op->dst = co_slot_dst(b, o->reg);
        if (op->dst < 128 && op->dst + op->dst_dwords > 128) {
            b->why = "destination beyond the last register";
            return CODEOBJ_UNSUPPORTED;
        }
        if (op->dst < 128 && op->dst + op->dst_dwords > CO_S_EXEC)
            op->flags |= CO_OP_EXEC_DST;
    } else if (o->kind == CODEOBJ_OPERAND_NONE) {
        op->dst_kind = CO_DST_SGPR;
        op->dst = CO_S_SINK;
    } else {
        b->why = "destination of an unknown kind";
        return CODEOBJ_UNSUPPORTED;
    }
    return CODEOBJ_OK;
}

static bool is_source(unsigned role)
{
    return (role >= CODEOBJ_ROLE_SRC0 && role <= CODEOBJ_ROLE_SRC4) || role == CODEOBJ_ROLE_K;
}

enum codeobj_status co_build_operands(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    enum codeobj_status status = CODEOBJ_OK;
    const struct codeobj_isa_operand *both = NULL;
    for (unsigned i = 0; i < inst->operand_count && status == CODEOBJ_OK; i++) {
        const struct codeobj_isa_operand *o = &inst->operands[i];
        if (!!(o->flags & CODEOBJ_OPERAND_Y) != b->half_y || co_is_implicit(o))
            continue;
        if (o->role == CODEOBJ_ROLE_DST || o->role == CODEOBJ_ROLE_DSTSRC) {
            status = build_dst(b, o, op);
            if (o->role == CODEOBJ_ROLE_DSTSRC)
                both = o;
        } else if (o->role == CODEOBJ_ROLE_DST2) {
            op->dst2 = o->kind == CODEOBJ_OPERAND_SGPR ? co_slot_dst(b, o->reg) : CO_S_SINK;
        } else if (is_source(o->role)) {
            if (op->src_count == CO_OP_SRC_MAX) {
                b->why = "too many operands";
                return CODEOBJ_UNSUPPORTED;
            }
            status = co_build_src(b, o, &op->src[op->src_count++]);
        } else if (o->role == CODEOBJ_ROLE_IMM) {
            op->imm = (int64_t)o->value;
        }
    }
    if (status == CODEOBJ_OK && both && op->src_count < CO_OP_SRC_MAX)
        status = co_build_src(b, both, &op->src[op->src_count++]);
    return status;
}

enum codeobj_status co_build_vector(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->fn = b->row->fn;
    if (inst->mod.clamp) {
        /* Float results are clamped by modified.c, which takes the flag away; this is an integer. */
        if (!b->row->alt) {
            b->why = "clamp of this integer instruction";
            return CODEOBJ_UNSUPPORTED;
        }
        op->fn = b->row->alt;
    }
    return co_build_operands(b, inst, op);
}

static bool is_vector(const struct codeobj_isa_inst *inst)
{
    return inst->format >= CODEOBJ_FMT_VOP1 && inst->format <= CODEOBJ_FMT_VOPD;
}

static bool is_memory(const struct codeobj_isa_inst *inst)
{
    return inst->format > CODEOBJ_FMT_VOPD;
}

/* A miss of LDS_DIRECT is that of the operation at hand. */
static bool reads_lds_direct(const struct codeobj_isa_inst *inst)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].kind == CODEOBJ_OPERAND_SPECIAL && inst->operands[i].reg == CODEOBJ_SPECIAL_LDS_DIRECT)
            return true;
    return false;
}

enum codeobj_status co_build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->flags |= is_vector(inst) ? CO_OP_VALU : is_memory(inst) ? CO_OP_MEMORY : 0;
    op->flags |= reads_lds_direct(inst) ? CO_OP_ALONE : 0;
    if (inst->format == CODEOBJ_FMT_VOPD)
        return co_build_dual(b, inst, op);
    if (is_vector(inst) && !b->row->raw && co_is_modified(b, inst))
        return co_build_modified(b, inst, op);
    if (reads_lds_direct(inst) && !is_vector(inst)) {
        b->why = "LDS_DIRECT is a source of vector instructions";
        return CODEOBJ_UNSUPPORTED;
    }
    return b->row->build(b, inst, op);
}

uint32_t co_lds_direct(struct co_wave *w, unsigned slot)
{
    static const struct {
        uint8_t bytes, sign;
    } types[8] = { { 1, 0 }, { 2, 0 }, { 4, 0 }, { 4, 0 }, { 1, 1 }, { 2, 1 }, { 4, 0 }, { 4, 0 } };
    const uint32_t m0 = w->s[slot], addr = m0 & 0xffff, type = m0 >> 16 & 7;
    const unsigned bytes = types[type].bytes, up = 32 - 8 * bytes;
    uint32_t value = 0;
    if (addr + bytes > w->group->lds_size) {
        co_lds_missed(w, NULL, 255, addr, bytes);
        return 0;
    }
    memcpy(&value, w->group->lds + addr, bytes);
    return types[type].sign ? (uint32_t)((int32_t)(value << up) >> up) : value;
}

const uint32_t *co_splat(struct co_wave *w, const struct co_src *src, unsigned n)
{
    uint32_t *row = w->splat[n];
    if (src->dwords <= 1) {
        uint32_t value = co_scalar_or_lds(w, src);
        for (unsigned i = 0; i < CO_LANES_MAX; i++)
            row[i] = value;
        return row;
    }
    uint64_t value = src->kind == CO_SRC_LDS ? co_lds_direct(w, 124) : co_scalar64(w, src);
    for (unsigned i = 0; i < CO_LANES_MAX; i++) {
        row[i] = (uint32_t)value;
        row[CO_LANES_MAX + i] = (uint32_t)(value >> 32);
    }
    return row;
}

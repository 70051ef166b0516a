/* SPDX-License-Identifier: MIT
 *
 * exec/matrix.c - plans of matrix instructions; see matrix.h.
 */
#include "exec/matrix.h"

#include <math.h>

#include "exec/fp.h"

static enum codeobj_status refuse(struct co_builder *b, const char *why)
{
    b->why = why;
    return CODEOBJ_UNSUPPORTED;
}

/* ---- inputs ----------------------------------------------------------------------- */

/* The 8-, 6- and 4-bit float formats as a table of values.  gfx942 has formats of its own. */
static const struct co_fmt *small_float(const struct co_builder *b, enum codeobj_matrix_type type)
{
    const bool fnuz = b->processor->gen == CODEOBJ_GEN_GFX9 && b->processor->minor == 4;
    switch (type) {
    case CODEOBJ_MATRIX_FP8: return fnuz ? &co_fmt_fp8_fnuz : &co_fmt_fp8;
    case CODEOBJ_MATRIX_BF8: return fnuz ? &co_fmt_bf8_fnuz : &co_fmt_bf8;
    case CODEOBJ_MATRIX_FP6: return &co_fmt_fp6;
    case CODEOBJ_MATRIX_BF6: return &co_fmt_bf6;
    default: return &co_fmt_fp4;
    }
}

static enum codeobj_status table_of(struct co_builder *b, enum codeobj_matrix_type type, const float **out)
{
    const struct co_fmt *f = small_float(b, type);
    float *table = co_arena_array(b->arena, (size_t)1 << f->bits, sizeof *table);
    if (!table)
        return CODEOBJ_NO_MEMORY;
    for (unsigned i = 0; i < 1u << f->bits; i++)
        table[i] = co_f32((uint32_t)co_fp_cvt(&co_fmt_f32, f, i, CO_FP_RNE, CO_FP_RNE));
    *out = table;
    return CODEOBJ_OK;
}

static uint8_t unpack_of(enum codeobj_matrix_type type, bool is_signed)
{
    switch (type) {
    case CODEOBJ_MATRIX_F64: return CO_UNPACK_F64;
    case CODEOBJ_MATRIX_F32: return CO_UNPACK_F32;
    case CODEOBJ_MATRIX_XF32: return CO_UNPACK_XF32;
    case CODEOBJ_MATRIX_F16: return CO_UNPACK_F16;
    case CODEOBJ_MATRIX_BF16: return CO_UNPACK_BF16;
    case CODEOBJ_MATRIX_I8: return CO_UNPACK_I8;
    case CODEOBJ_MATRIX_IU8: return is_signed ? CO_UNPACK_I8 : CO_UNPACK_U8;
    case CODEOBJ_MATRIX_IU4: return is_signed ? CO_UNPACK_I4 : CO_UNPACK_U4;
    default: return CO_UNPACK_TABLE;
    }
}

static enum codeobj_status input(struct co_builder *b, const struct codeobj_isa_inst *inst,
                                 const struct codeobj_matrix *m, enum codeobj_matrix_operand operand, unsigned format,
                                 struct co_matrix_input *out)
{
    const bool is_a = operand == CODEOBJ_MATRIX_A;
    const unsigned bit = is_a ? 1 : 2;
    const struct codeobj_isa_operand *o = co_operand_of(b, inst, is_a ? CODEOBJ_ROLE_SRC0 : CODEOBJ_ROLE_SRC1);
    const enum codeobj_matrix_type type = codeobj_matrix_operand_type(m, operand, format);
    if (!o || (o->kind != CODEOBJ_OPERAND_VGPR && o->kind != CODEOBJ_OPERAND_AGPR))
        return refuse(b, "matrix operand is not in vector registers");
    out->row = co_row_of(o);
    out->bits = (uint8_t)codeobj_matrix_type_bits(type);
    out->unpack = unpack_of(type, inst->mod.neg_lo & bit);
    out->elements = (uint8_t)codeobj_matrix_elements(m, operand, type, b->wave);
    out->width = (uint8_t)(is_a ? m->m : m->n);
    if (m->family != CODEOBJ_MATRIX_MFMA && out->width > 16) {
        out->tiles = 2;
        out->width = 16;
    } else {
        out->tiles = 1;
    }
    out->groups = (uint8_t)(b->wave / out->width);
    if (out->row + (out->elements * out->bits + 31u) / 32 > (out->row < CO_ROW_A ? CO_ROW_A : CO_ROW_TMP))
        return refuse(b, "operand beyond the last register");
    if (m->family != CODEOBJ_MATRIX_MFMA && out->bits == 16) {
        out->flip_even = !!(inst->mod.neg_lo & bit);
        out->flip_odd = !!(inst->mod.neg_hi & bit);
    }
    for (unsigned g = 0; g < out->groups; g++) {
        struct codeobj_matrix_place p;
        out->block[g] = 255;
        for (unsigned e = 0; e < out->elements / out->tiles; e++) { /* the others lie on the same lines */
            if (!codeobj_matrix_element(m, operand, type, b->wave, g * out->width, e, &p))
                break;
            out->block[g] = p.block;
            /* A sparse operand is stored in half the lines. */
            out->line[g][e] = (uint8_t)(is_a && m->sparse ? p.col / 2 + (e & 1) : p.col);
        }
    }
    if (out->unpack == CO_UNPACK_TABLE)
        return table_of(b, type, &out->table);
    return CODEOBJ_OK;
}

/* ---- outputs ------------------------------------------------------------------------ */

static enum codeobj_status output(struct co_builder *b, const struct codeobj_isa_operand *o,
                                  const struct codeobj_matrix *m, enum codeobj_matrix_operand operand, bool high,
                                  struct co_matrix_output *out)
{
    const enum codeobj_matrix_type type = codeobj_matrix_operand_type(m, operand, 0);
    const unsigned bits = codeobj_matrix_type_bits(type);
    out->type = (uint8_t)type;
    out->width = (uint8_t)m->n;
    out->groups = (uint8_t)(b->wave / m->n);
    out->elements = (uint8_t)codeobj_matrix_elements(m, operand, type, b->wave);
    out->row = co_row_of(o);
    if (m->family == CODEOBJ_MATRIX_WMMA_GFX11 && bits == 16)
        out->half = high ? 2 : 1;
    const unsigned rows = out->half ? out->elements : (out->elements * bits + 31) / 32;
    if (out->row + rows > (out->row < CO_ROW_A ? CO_ROW_A : CO_ROW_TMP))
        return refuse(b, "operand beyond the last register");
    for (unsigned g = 0; g < out->groups; g++)
        for (unsigned e = 0; e < out->elements; e++) {
            struct codeobj_matrix_place p;
            codeobj_matrix_element(m, operand, type, b->wave, g * m->n, e, &p);
            out->block[g][e] = p.block;
            out->line[g][e] = p.row;
        }
    return CODEOBJ_OK;
}

static enum codeobj_status outputs(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_matrix_plan *p)
{
    const struct codeobj_isa_operand *dst = co_operand_of(b, inst, CODEOBJ_ROLE_DST);
    const struct codeobj_isa_operand *both = co_operand_of(b, inst, CODEOBJ_ROLE_DSTSRC);
    const struct codeobj_isa_operand *c = both ? both : co_operand_of(b, inst, CODEOBJ_ROLE_SRC2);
    const bool high = inst->mod.op_sel & 4;
    if (!dst)
        dst = both;
    if (!dst || !c || (dst->kind != CODEOBJ_OPERAND_VGPR && dst->kind != CODEOBJ_OPERAND_AGPR))
        return refuse(b, "matrix result is not in vector registers");
    enum codeobj_status status = output(b, dst, p->matrix, CODEOBJ_MATRIX_D, high, &p->d);
    if (status != CODEOBJ_OK)
        return status;
    co_build_touches(b, p->d.row, p->d.half || codeobj_matrix_type_bits(p->d.type) == 64 ? p->d.elements * 2u : p->d.elements);
    if (c->kind == CODEOBJ_OPERAND_VGPR || c->kind == CODEOBJ_OPERAND_AGPR)
        return output(b, c, p->matrix, CODEOBJ_MATRIX_C, high, &p->c);
    p->c = p->d;
    p->c.type = (uint8_t)codeobj_matrix_operand_type(p->matrix, CODEOBJ_MATRIX_C, 0);
    return co_build_src(b, c, &p->c_src);
}

/* ---- scales and indices ----------------------------------------------------------------- */

/* Formats of scales: powers of two (E8M0), and two that have fractions. */
enum { SCALE_E8M0, SCALE_E5M3, SCALE_E4M3 };

static float scale_value(unsigned format, unsigned v)
{
    switch (format) {
    case SCALE_E8M0: return v == 255 ? NAN : ldexpf(1, (int)v - 127);
    case SCALE_E5M3: /* no sign; the largest pattern is NaN, there is no infinity */
        return v == 255 ? NAN : v < 8 ? ldexpf((float)v, -17) : ldexpf((float)(8 + (v & 7)), (int)(v >> 3) - 18);
    default: return co_f32((uint32_t)co_fp_cvt(&co_fmt_f32, &co_fmt_fp8, v, CO_FP_RNE, CO_FP_RNE));
    }
}

static enum codeobj_status scale_of(struct co_builder *b, const struct codeobj_isa_operand *o, unsigned format,
                                    struct co_matrix_scale *out)
{
    if (format > SCALE_E4M3)
        return refuse(b, "unknown format of scales");
    float *table = co_arena_array(b->arena, 256, sizeof *table);
    if (!table)
        return CODEOBJ_NO_MEMORY;
    for (unsigned i = 0; i < 256; i++)
        table[i] = scale_value(format, i);
    out->table = table;
    return co_build_src(b, o, &out->src);
}

static enum codeobj_status scales(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_matrix_plan *p)
{
    const struct codeobj_isa_operand *a = co_operand_of(b, inst, CODEOBJ_ROLE_SRC3);
    const struct codeobj_isa_operand *s = co_operand_of(b, inst, CODEOBJ_ROLE_SRC4);
    if (!a || !s)
        return CODEOBJ_OK;
    p->scaled = true;
    p->scale_block = 32;
    if (p->matrix->family == CODEOBJ_MATRIX_MFMA) { /* op_sel and op_sel_hi together choose a byte */
        p->scale_a.byte = (uint8_t)((inst->mod.op_sel & 1) | (inst->mod.op_sel_hi & 1) << 1);
        p->scale_b.byte = (uint8_t)((inst->mod.op_sel >> 1 & 1) | (inst->mod.op_sel_hi >> 1 & 1) << 1);
    } else {
        p->scale_a.along = p->scale_b.along = true;
        p->scale_a.first = p->a.tiles == 1 && (inst->mod.matrix_a_scale & 1) ? 16 : 0; /* 32 rows take all lanes */
        p->scale_b.first = inst->mod.matrix_b_scale & 1 ? 16 : 0;
        if (a->dwords == 2)
            p->scale_block = 16;
    }
    enum codeobj_status status = scale_of(b, a, inst->mod.matrix_a_scale_fmt, &p->scale_a);
    return status == CODEOBJ_OK ? scale_of(b, s, inst->mod.matrix_b_scale_fmt, &p->scale_b) : status;
}

static enum codeobj_status indices(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_matrix_plan *p)
{
    const struct codeobj_isa_operand *index = co_operand_of(b, inst, CODEOBJ_ROLE_SRC2);
    const struct codeobj_matrix *m = p->matrix;
    if (!index || (index->kind != CODEOBJ_OPERAND_VGPR && index->kind != CODEOBJ_OPERAND_AGPR))
        return refuse(b, "sparse index is not in a vector register");
    const unsigned set = m->family != CODEOBJ_MATRIX_MFMA ? inst->mod.index_key : inst->mod.cbsz ? 0 : inst->mod.abid;
    p->index_row = co_row_of(index);
    p->index_bit = (uint8_t)codeobj_matrix_index_bit(m, m->a, b->wave, 0, set);
    return CODEOBJ_OK;
}

enum codeobj_status co_build_matrix(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    const struct codeobj_matrix *m = codeobj_matrix_find(codeobj_isa_row_mnemonic(inst->row), b->processor);
    if (!m)
        return refuse(b, "matrix instruction without a known layout");
    struct co_matrix_plan *p = co_arena_alloc(b->arena, sizeof *p);
    if (!p)
        return CODEOBJ_NO_MEMORY;
    const bool mixed = m->a == CODEOBJ_MATRIX_F8F6F4, mfma = m->family == CODEOBJ_MATRIX_MFMA;
    p->matrix = m;
    p->f64 = m->d == CODEOBJ_MATRIX_F64;
    p->integer = m->d == CODEOBJ_MATRIX_I32;
    p->clamp = inst->mod.clamp;
    p->flush = mfma && b->processor->minor == 0 && b->processor->stepping == 10 && !p->f64 &&
               codeobj_matrix_type_bits(m->a) == 16;
    enum codeobj_status status = input(b, inst, m, CODEOBJ_MATRIX_A, mixed ? inst->mod.cbsz : 0, &p->a);
    if (status == CODEOBJ_OK)
        status = input(b, inst, m, CODEOBJ_MATRIX_B, mixed ? inst->mod.blgp : 0, &p->b);
    if (status == CODEOBJ_OK)
        status = outputs(b, inst, p);
    if (status == CODEOBJ_OK && m->sparse)
        status = indices(b, inst, p);
    if (status == CODEOBJ_OK)
        status = scales(b, inst, p);
    if (status != CODEOBJ_OK)
        return status;
    for (unsigned i = 0; i < m->blocks; i++)
        p->block_of_a[i] =
            (uint8_t)(mfma && !mixed && !m->sparse ? codeobj_matrix_broadcast_block(i, inst->mod.cbsz, inst->mod.abid) % m->blocks : i);
    if (mfma && !mixed && !m->sparse) {
        if (p->f64) { /* negates */
            p->a.flip_even = p->a.flip_odd = inst->mod.blgp & 1;
            p->b.flip_even = p->b.flip_odd = inst->mod.blgp >> 1 & 1;
            p->neg_c = inst->mod.blgp >> 2 & 1;
        } else {
            p->b.blgp = inst->mod.blgp;
        }
    } else if (!mfma && !p->integer) {
        p->neg_c = inst->mod.neg_lo >> 2 & 1;
        p->abs_c = inst->mod.neg_hi >> 2 & 1;
    }
    op->aux = p;
    op->fn = b->row->fn;
    return CODEOBJ_OK;
}

/* SPDX-License-Identifier: MIT
 *
 * isa/print_vop3p.c - modifiers of VOP3P: op_sel and neg lists, cbsz and friends.
 */
#include "isa/print.h"

static char *put_n(char *p, const char *name, unsigned n)
{
    p = co_put_str(p, name);
    return co_put_dec(p, n);
}

static char *mai(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_modifiers *m, uint32_t flags, bool scaled)
{
    if (scaled) {
        if (m->op_sel)
            p = co_put_bits(p, " op_sel:", m->op_sel, 3);
        p = co_put_bits(p, " op_sel_hi:", m->op_sel_hi, 3);
    }
    if (m->cbsz)
        p = put_n(p, " cbsz:", m->cbsz);
    if (m->abid)
        p = put_n(p, " abid:", m->abid);
    if (flags & CO_ROW_NEGB && isa->mfma_neg) /* f64: the field negates A, B and C */
        return m->blgp ? co_put_bits(p, " neg:", m->blgp, 3) : p;
    return m->blgp ? put_n(p, " blgp:", m->blgp) : p;
}

/* A name for the first values, 0 being left out, and a number for those behind them. */
static char *put_choice(char *p, const char *key, const char *const *names, unsigned count, unsigned n)
{
    if (!n)
        return p;
    p = co_put_str(p, key);
    return n < count ? co_put_str(p, names[n]) : co_put_dec(p, n);
}

static char *wmma(char *p, const struct codeobj_isa_modifiers *m)
{
    static const char *const formats[] = { "", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6", "MATRIX_FMT_FP4" };
    static const char *const rows[] = { "", "MATRIX_SCALE_ROW1" };
    static const char *const scales[] = { "", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3" };
    if (m->index_key)
        p = put_n(p, " index_key:", m->index_key);
    p = put_choice(p, " matrix_a_fmt:", formats, 5, m->cbsz);
    p = put_choice(p, " matrix_b_fmt:", formats, 5, m->blgp);
    p = put_choice(p, " matrix_a_scale:", rows, 2, m->matrix_a_scale);
    p = put_choice(p, " matrix_b_scale:", rows, 2, m->matrix_b_scale);
    p = put_choice(p, " matrix_a_scale_fmt:", scales, 3, m->matrix_a_scale_fmt);
    p = put_choice(p, " matrix_b_scale_fmt:", scales, 3, m->matrix_b_scale_fmt);
    p = co_put_flag(p, m->matrix_a_reuse, " matrix_a_reuse");
    return co_put_flag(p, m->matrix_b_reuse, " matrix_b_reuse");
}

char *co_print_vop3p(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                     const struct co_isa_row *row)
{
    const struct codeobj_isa_modifiers *m = &inst->mod;
    unsigned n = isa->shape[inst->row].sources, all = (1u << n) - 1;
    if (row->flags & CO_ROW_MAI)
        return mai(p, isa, m, row->flags, row->ops[4].kind != 0);
    if (row->flags & CO_ROW_WMMA) {
        p = wmma(p, m);
        n = 3;
    } else {
        if (m->op_sel)
            p = co_put_bits(p, " op_sel:", m->op_sel, n);
        if (row->flags & CO_ROW_MIX ? m->op_sel_hi != 0 : m->op_sel_hi != all)
            p = co_put_bits(p, " op_sel_hi:", m->op_sel_hi, n);
    }
    if (m->neg_lo)
        p = co_put_bits(p, " neg_lo:", m->neg_lo, n);
    if (m->neg_hi)
        p = co_put_bits(p, " neg_hi:", m->neg_hi, n);
    p = co_put_flag(p, m->clamp, " clamp");
    if (inst->encoding == CODEOBJ_ENC_E64_DPP16 || inst->encoding == CODEOBJ_ENC_E64_DPP8)
        p = co_put_dpp(p, isa, inst);
    return p;
}

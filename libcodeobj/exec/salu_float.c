/* SPDX-License-Identifier: MIT
 *
 * exec/salu_float.c - scalar floating point (gfx11.5 and up).
 *
 * AMD's ISA documents, chapter "Scalar ALU instructions".  One value at a time, so
 * everything takes the exact path of fp.h, with MODE's rounding and denormals.  A
 * 16-bit result clears the upper half of its SGPR.  SCC is written by compares alone.
 */
#include "exec/fp.h"
#include "exec/registry.h"
#include "isa/semantics.h"

#define HANDLER(name) static int name(struct co_wave *w, const struct co_op *op)
#define F32 (&co_fmt_f32)
#define F16 (&co_fmt_f16)

static struct co_fp mode32(const struct co_wave *w)
{
    return (struct co_fp){ w->mode.round32, w->mode.denorm32, false };
}

static struct co_fp mode16(const struct co_wave *w)
{
    return (struct co_fp){ w->mode.round64, w->mode.denorm64, w->mode.fp16_ovfl };
}

static uint64_t source(const struct co_wave *w, const struct co_op *op, unsigned n, const struct co_fmt *f)
{
    uint32_t x = co_scalar(w, &op->src[n]);
    return f->bits == 16 ? x & 0xffffu : x;
}

/* FP16_OVFL: what overflows from numbers is the largest number, not an infinity. */
static uint64_t held(const struct co_wave *w, uint64_t r, bool from_numbers)
{
    return w->mode.fp16_ovfl && from_numbers && (r & 0x7fffu) == 0x7c00u ? r - 1 : r;
}

static bool is_number16(uint64_t a)
{
    return (a & 0x7c00u) != 0x7c00u;
}

/* ---- arithmetic --------------------------------------------------------------------------- */

#define A source(w, op, 0, f)
#define B source(w, op, 1, f)
#define C source(w, op, 2, f)

/* expr in terms of f (format) and m (MODE's share) */
#define FLOAT(name, expr)                                                                           \
    HANDLER(s_##name##_f32)                                                                         \
    {                                                                                               \
        const struct co_fmt *f = F32;                                                               \
        const struct co_fp m = mode32(w);                                                           \
        co_scalar_put(w, op, (uint32_t)(expr));                                                     \
        return CO_NEXT;                                                                             \
    }                                                                                               \
    HANDLER(s_##name##_f16)                                                                         \
    {                                                                                               \
        const struct co_fmt *f = F16;                                                               \
        const struct co_fp m = mode16(w);                                                           \
        const bool numbers = is_number16(A) && (op->src_count < 2 || is_number16(B)) &&             \
                             (op->src_count < 3 || is_number16(C));                                 \
        co_scalar_put(w, op, (uint32_t)held(w, (expr), numbers));                                   \
        return CO_NEXT;                                                                             \
    }

static uint64_t negated(const struct co_fmt *f, uint64_t x)
{
    return x ^ (uint64_t)1 << (f->bits - 1);
}

static enum co_minmax rule(const struct co_wave *w)
{
    return w->mode.ieee ? CO_MINMAX_IEEE : CO_MINMAX_IEEE_OFF;
}

static struct co_fp rounding(struct co_fp m, uint8_t round)
{
    return (struct co_fp){ round, m.denorm, m.saturate };
}

FLOAT(add, co_fp_add(f, A, B, m))
FLOAT(sub, co_fp_add(f, A, negated(f, B), m))
FLOAT(mul, co_fp_mul(f, A, B, m))
FLOAT(fmac, co_fp_fma(f, A, B, C, m))
FLOAT(min, co_fp_min(f, A, B, rule(w), m))
FLOAT(max, co_fp_max(f, A, B, rule(w), m))
FLOAT(min_num, co_fp_min(f, A, B, CO_MINMAX_NUM, m))
FLOAT(max_num, co_fp_max(f, A, B, CO_MINMAX_NUM, m))
FLOAT(minimum, co_fp_min(f, A, B, CO_MINMAX_PROPAGATE, m))
FLOAT(maximum, co_fp_max(f, A, B, CO_MINMAX_PROPAGATE, m))
FLOAT(rndne, co_fp_rint(f, A, rounding(m, 0)))
FLOAT(ceil, co_fp_rint(f, A, rounding(m, 1)))
FLOAT(floor, co_fp_rint(f, A, rounding(m, 2)))
FLOAT(trunc, co_fp_rint(f, A, rounding(m, 3)))

/* s_fmaak and s_fmamk list the constant in its printed place, so that all three are a * b + c. */

/* ---- conversions ---------------------------------------------------------------------------- */

#define CONVERT(name, expr)                     \
    HANDLER(name)                               \
    {                                           \
        const uint32_t a = co_scalar(w, &op->src[0]); \
        co_scalar_put(w, op, (uint32_t)(expr)); \
        return CO_NEXT;                         \
    }

static uint32_t to_f16(const struct co_wave *w, uint32_t a, struct co_fp out)
{
    return (uint32_t)held(w, co_fp_cvt(F16, F32, a, mode32(w), out), (a & 0x7f800000u) != 0x7f800000u);
}

CONVERT(s_cvt_f32_i32, co_fp_from_int(F32, (int32_t)a < 0, (int32_t)a < 0 ? 0u - a : a, mode32(w)))
CONVERT(s_cvt_f32_u32, co_fp_from_int(F32, false, a, mode32(w)))
CONVERT(s_cvt_i32_f32, co_fp_to_int(F32, a, INT32_MIN, INT32_MAX, rounding(mode32(w), 3)))
CONVERT(s_cvt_u32_f32, co_fp_to_int(F32, a, 0, UINT32_MAX, rounding(mode32(w), 3)))
CONVERT(s_cvt_f16_f32, to_f16(w, a, mode16(w)))
CONVERT(s_cvt_f32_f16, co_fp_cvt(F32, F16, a & 0xffffu, mode16(w), mode32(w)))
CONVERT(s_cvt_hi_f32_f16, co_fp_cvt(F32, F16, a >> 16, mode16(w), mode32(w)))
CONVERT(s_cvt_pk_rtz_f16_f32, to_f16(w, a, rounding(mode16(w), 3)) |
                              to_f16(w, co_scalar(w, &op->src[1]), rounding(mode16(w), 3)) << 16)

/* ---- compares ---------------------------------------------------------------------------------- */

/* A number with its place among the others; zeros are equal, denormals too where they are flushed. */
static int64_t place(const struct co_fmt *f, uint64_t a, struct co_fp m)
{
    uint64_t x = m.denorm & 1 ? a : co_fp_flush(f, a), sign = (uint64_t)1 << (f->bits - 1);
    return x & sign ? -(int64_t)(x & ~sign) : (int64_t)x;
}

static bool is_nan(const struct co_fmt *f, uint64_t a)
{
    uint64_t top = (((uint64_t)1 << f->exp) - 1) << f->mant;
    return (a & (((uint64_t)1 << (f->bits - 1)) - 1)) > top;
}

#define COMPARE(name, format, mode, expr)                                   \
    HANDLER(name)                                                           \
    {                                                                       \
        const struct co_fmt *f = format;                                    \
        const uint64_t p = A, q = B;                                        \
        const bool u = is_nan(f, p) || is_nan(f, q);                        \
        const int64_t a = place(f, p, mode(w)), b = place(f, q, mode(w));   \
        (void)a, (void)b;                                                   \
        w->s[CO_S_SCC] = (expr);                                            \
        return CO_NEXT;                                                     \
    }
#define COMPARES(name, expr)                          \
    COMPARE(s_cmp_##name##_f32, F32, mode32, expr)    \
    COMPARE(s_cmp_##name##_f16, F16, mode16, expr)
COMPARES(lt, !u && a < b)
COMPARES(eq, !u && a == b)
COMPARES(le, !u && a <= b)
COMPARES(gt, !u && a > b)
COMPARES(lg, !u && a != b)
COMPARES(ge, !u && a >= b)
COMPARES(o, !u)
COMPARES(u, u)
COMPARES(nge, u || a < b)
COMPARES(nlg, u || a == b)
COMPARES(ngt, u || a <= b)
COMPARES(nle, u || a > b)
COMPARES(neq, u || a != b)
COMPARES(nlt, u || a >= b)

/* v_s_*: functions of one scalar, whatever EXEC holds; encoded as VOP3. */
#define FUNCTION(name, what)                                                                                  \
    HANDLER(v_s_##name##_f32)                                                                                 \
    {                                                                                                         \
        co_scalar_put(w, op, (uint32_t)co_fp_func(F32, what, source(w, op, 0, F32), mode32(w)));              \
        return CO_NEXT;                                                                                       \
    }                                                                                                         \
    HANDLER(v_s_##name##_f16)                                                                                 \
    {                                                                                                         \
        co_scalar_put(w, op, (uint32_t)co_fp_func(F16, what, source(w, op, 0, F16), mode16(w)));              \
        return CO_NEXT;                                                                                       \
    }
FUNCTION(exp, CO_FUNC_EXP2)
FUNCTION(log, CO_FUNC_LOG2)
FUNCTION(rcp, CO_FUNC_RCP)
FUNCTION(rsq, CO_FUNC_RSQ)
FUNCTION(sqrt, CO_FUNC_SQRT)

static enum codeobj_status build_function(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    if (inst->mod.clamp || inst->mod.omod) {
        b->why = "output modifiers of a scalar result";
        return CODEOBJ_UNSUPPORTED;
    }
    op->fn = b->row->fn;
    return co_build_operands(b, inst, op);
}

static enum codeobj_status build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->fn = b->row->fn;
    return co_build_operands(b, inst, op);
}

#define S(name) CO_ROW(CO_SEM_##name, build, name, NULL, 0, false)
#define VS(name) CO_ROW(CO_SEM_v_s_##name##_f32, build_function, v_s_##name##_f32, NULL, 0, false), \
    CO_ROW(CO_SEM_v_s_##name##_f16, build_function, v_s_##name##_f16, NULL, 0, false)
#define SF(name) S(s_##name##_f32), S(s_##name##_f16)

void co_family_salu_float(struct co_sem_row *rows)
{
    SF(add), SF(sub), SF(mul), SF(fmac), SF(min), SF(max), SF(min_num), SF(max_num), SF(minimum), SF(maximum),
    SF(rndne), SF(ceil), SF(floor), SF(trunc),
    CO_ROW(CO_SEM_s_fmaak_f32, build, s_fmac_f32, NULL, 0, false), CO_ROW(CO_SEM_s_fmamk_f32, build, s_fmac_f32, NULL, 0, false),
    S(s_cvt_f32_i32), S(s_cvt_f32_u32), S(s_cvt_i32_f32), S(s_cvt_u32_f32), S(s_cvt_f16_f32), S(s_cvt_f32_f16),
    S(s_cvt_hi_f32_f16), S(s_cvt_pk_rtz_f16_f32),
    SF(cmp_lt), SF(cmp_eq), SF(cmp_le), SF(cmp_gt), SF(cmp_lg), SF(cmp_ge), SF(cmp_o), SF(cmp_u), SF(cmp_nge),
    SF(cmp_nlg), SF(cmp_ngt), SF(cmp_nle), SF(cmp_neq), SF(cmp_nlt),
    VS(exp), VS(log), VS(rcp), VS(rsq), VS(sqrt);
}

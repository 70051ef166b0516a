/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/compare.c - v_cmp, v_cmpx, v_cmp_class.
 *
 * AMD's ISA documents, VOPC chapter.  What surprises:
 *  - The result has a 0 for each lane that is off.
 *  - v_cmpx writes EXEC; to gfx9 it writes its mask destination as well.
 *  - Compares of floats flush denormal inputs as MODE says; class does not.
 */
#include "exec/lanes/lanes.h"

#include "exec/fp.h"

co_family CO_LANES_NAME(co_family_compare);

#define WRITES_EXEC 0x100u

static inline int put_bits(struct co_wave *w, const struct co_op *op, uint64_t bits)
{
    bits &= co_mask_get(w, CO_S_EXEC);
    co_mask_put(w, op->dst, bits);
    if (op->flags & WRITES_EXEC)
        co_mask_put(w, CO_S_EXEC, bits);
    if (op->flags & (CO_OP_EXEC_DST | WRITES_EXEC))
        co_exec_changed(w);
    return CO_NEXT;
}

static int finish(struct co_wave *w, const struct co_op *op, const uint32_t *r)
{
    uint64_t bits = co_bits32(r);
    if (w->lanes == 64)
        bits |= (uint64_t)co_bits32(r + 32) << 32;
    return put_bits(w, op, bits);
}

#define CMP32(name, type, expr)                                                    \
    LANE_HANDLER(name)                                                             \
    {                                                                              \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1); \
        _Alignas(64) uint32_t r[CO_LANES_MAX];                                                  \
        EACH_LANE(i, w)                                                            \
        {                                                                          \
            const type a = (type)pa[i], b = (type)pb[i];                           \
            (void)a;                                                               \
            (void)b;                                                               \
            r[i] = (expr) ? ~0u : 0;                                               \
        }                                                                          \
        return finish(w, op, r);                                                   \
    }
#define CMP64(name, type, expr)                                                    \
    LANE_HANDLER(name)                                                             \
    {                                                                              \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1); \
        _Alignas(64) uint32_t r[CO_LANES_MAX];                                                  \
        EACH_LANE(i, w)                                                            \
        {                                                                          \
            const type a = (type)co_wide(pa, (unsigned)i), b = (type)co_wide(pb, (unsigned)i); \
            (void)a;                                                               \
            (void)b;                                                               \
            r[i] = (expr) ? ~0u : 0;                                               \
        }                                                                          \
        return finish(w, op, r);                                                   \
    }
/* Comparisons of whole dwords make bits of vectors at once: bounds are checked with these, and loops end. */
typedef int32_t signed_vector __attribute__((vector_size(CO_VECTOR), may_alias));
typedef uint32_t unsigned_vector __attribute__((vector_size(CO_VECTOR), may_alias));
#define COMPARE(name, type, expr)                                                           \
    LANE_HANDLER(name)                                                                      \
    {                                                                                       \
        size_t step_a, step_b;                                                              \
        const co_vector *pa = co_vectors(w, &op->src[0], 0, &step_a), *pb = co_vectors(w, &op->src[1], 1, &step_b); \
        uint64_t bits = 0;                                                                  \
        for (unsigned at = 0; at < w->lanes; at += CO_VECTOR / 4, pa += step_a, pb += step_b) { \
            const type a = (type)*pa, b = (type)*pb;                                        \
            bits |= (uint64_t)co_vector_bits((co_vector)(expr)) << at;                      \
        }                                                                                   \
        return put_bits(w, op, bits);                                                       \
    }
#define INTEGERS32(name, expr)                \
    COMPARE(name##_i32, signed_vector, expr)  \
    COMPARE(name##_u32, unsigned_vector, expr)
INTEGERS32(lt, a < b)
INTEGERS32(eq, a == b)
INTEGERS32(le, a <= b)
INTEGERS32(gt, a > b)
INTEGERS32(ne, a != b)
INTEGERS32(ge, a >= b)
CMP32(f_i32, int32_t, false)
CMP32(f_u32, uint32_t, false)
CMP32(tru_i32, int32_t, true)
CMP32(tru_u32, uint32_t, true)

#define INTEGERS(name, expr)                 \
    CMP32(name##_i16, int16_t, expr)         \
    CMP32(name##_u16, uint16_t, expr)        \
    CMP64(name##_i64, int64_t, expr)         \
    CMP64(name##_u64, uint64_t, expr)
INTEGERS(f, false)
INTEGERS(lt, a < b)
INTEGERS(eq, a == b)
INTEGERS(le, a <= b)
INTEGERS(gt, a > b)
INTEGERS(ne, a != b)
INTEGERS(ge, a >= b)
INTEGERS(tru, true)

static inline float in32(uint32_t x, bool keep)
{
    return co_f32(keep || (x & 0x7f800000u) ? x : x & 0x80000000u);
}
static inline float in16(uint32_t x, bool keep)
{
    return co_f16(keep || (x & 0x7c00u) ? x & 0xffffu : x & 0x8000u);
}
static inline double in64(uint64_t x, bool keep)
{
    return co_f64(keep || (x & 0x7ff0000000000000u) ? x : x & 0x8000000000000000u);
}

#define FLOATING(name, type, load, denorm, expr)                                   \
    LANE_HANDLER(name)                                                             \
    {                                                                              \
        const uint32_t *const pa = co_row(w, op, 0), *const pb = co_row(w, op, 1); \
        const bool keep = w->mode.denorm & 1;                                      \
        _Alignas(64) uint32_t r[CO_LANES_MAX];                                                  \
        EACH_LANE(i, w)                                                            \
        {                                                                          \
            const type a = load(pa), b = load(pb);                                 \
            (void)a;                                                               \
            (void)b;                                                               \
            r[i] = (expr) ? ~0u : 0;                                               \
        }                                                                          \
        return finish(w, op, r);                                                   \
    }
#define LOAD32(p) in32(p[i], keep)
#define LOAD16(p) in16(p[i], keep)
#define LOAD64(p) in64(co_wide(p, (unsigned)i), keep)
#define FLOATS(name, expr)                                \
    FLOATING(name##_f32, float, LOAD32, denorm32, expr)   \
    FLOATING(name##_f16, float, LOAD16, denorm64, expr)   \
    FLOATING(name##_f64, double, LOAD64, denorm64, expr)
/* "lg" is less or greater; n.. are the complements, true for NaN. */
FLOATS(f, false)
FLOATS(lt, a < b)
FLOATS(eq, a == b)
FLOATS(le, a <= b)
FLOATS(gt, a > b)
FLOATS(lg, a < b || a > b)
FLOATS(ge, a >= b)
FLOATS(o, a == a && b == b)
FLOATS(u, a != a || b != b)
FLOATS(nge, !(a >= b))
FLOATS(nlg, !(a < b || a > b))
FLOATS(ngt, !(a > b))
FLOATS(nle, !(a <= b))
FLOATS(neq, !(a == b))
FLOATS(nlt, !(a < b))
FLOATS(tru, true)

/* Bit of the class of a number: signalling NaN, quiet NaN, -inf, -normal, -denormal, -0, +0, ... +inf. */
static inline unsigned class_of(bool sign, uint64_t exp, uint64_t top, uint64_t frac, bool quiet)
{
    if (exp == top)
        return frac ? (quiet ? 1 : 0) : sign ? 2 : 9;
    if (exp)
        return sign ? 3 : 8;
    if (frac)
        return sign ? 4 : 7;
    return sign ? 5 : 6;
}

LANE_HANDLER(class_f32)
{
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1);
    uint32_t r[CO_LANES_MAX];
    for (unsigned i = 0; i < w->lanes; i++) {
        uint32_t a = pa[i];
        r[i] = -(pb[i] >> class_of(a >> 31, a >> 23 & 255, 255, a & 0x7fffff, a >> 22 & 1) & 1);
    }
    return finish(w, op, r);
}
LANE_HANDLER(class_f16)
{
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1);
    uint32_t r[CO_LANES_MAX];
    for (unsigned i = 0; i < w->lanes; i++) {
        uint32_t a = pa[i] & 0xffff;
        r[i] = -(pb[i] >> class_of(a >> 15, a >> 10 & 31, 31, a & 0x3ff, a >> 9 & 1) & 1);
    }
    return finish(w, op, r);
}
LANE_HANDLER(class_f64)
{
    const uint32_t *pa = co_row(w, op, 0), *pb = co_row(w, op, 1);
    uint32_t r[CO_LANES_MAX];
    for (unsigned i = 0; i < w->lanes; i++) {
        uint64_t a = co_wide(pa, i);
        r[i] = -(pb[i] >> class_of(a >> 63, a >> 52 & 0x7ff, 0x7ff, a & 0xfffffffffffffu, a >> 51 & 1) & 1);
    }
    return finish(w, op, r);
}

/* VOPC has no clamp that changes a result; the flag asks for signalling. */
static enum codeobj_status build_compare(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct codeobj_isa_inst bare = *inst;
    bare.mod.clamp = 0;
    enum codeobj_status status = co_build_vector(b, &bare, op);
    if (op->dst_kind != CO_DST_SGPR)
        op->dst = CO_S_SINK;
    if (b->row->data)
        op->flags |= WRITES_EXEC;
    return status;
}

#define C(sem, fn) CO_ROW(CO_SEM_v_cmp_##sem, build_compare, fn, NULL, 0, false), CO_ROW(CO_SEM_v_cmpx_##sem, build_compare, fn, NULL, 1, false)
#define CS(sem, fn) CO_ROW(CO_SEM_v_cmps_##sem, build_compare, fn, NULL, 0, false), CO_ROW(CO_SEM_v_cmpsx_##sem, build_compare, fn, NULL, 1, false)
#define CI(name) C(name##_i32, name##_i32), C(name##_u32, name##_u32), C(name##_i16, name##_i16), C(name##_u16, name##_u16), \
    C(name##_i64, name##_i64), C(name##_u64, name##_u64)
#define CF(name) C(name##_f32, name##_f32), C(name##_f16, name##_f16), C(name##_f64, name##_f64), CS(name##_f32, name##_f32), \
    CS(name##_f64, name##_f64)

void CO_LANES_NAME(co_family_compare)(struct co_sem_row *rows)
{
    CI(f), CI(lt), CI(eq), CI(le), CI(gt), CI(ne), CI(ge), CI(tru),
    CF(f), CF(lt), CF(eq), CF(le), CF(gt), CF(lg), CF(ge), CF(o), CF(u), CF(nge), CF(nlg), CF(ngt), CF(nle), CF(neq),
    CF(nlt), CF(tru),
    C(class_f32, class_f32), C(class_f16, class_f16), C(class_f64, class_f64);
}

/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/matrix.c - running matrix instructions; see ../matrix.h.
 */
#include "exec/lanes/lanes.h"

#include <math.h>

#include "exec/fp.h"
#include "exec/matrix.h"
#include "isa/semantics.h"

co_family CO_LANES_NAME(co_family_matrix);

#define K_MAX CO_MATRIX_K_MAX

/* Operands as rows along K.  32 columns: M and N at most.  f64 and integers lie in the same room. */
struct lines {
    _Alignas(64) float f[K_MAX][32];
};
union numbers {
    struct lines line;
    double d[4][32];
    int32_t i[K_MAX][32];
};

/* ---- unpacking: one element of `width` neighbouring lanes ------------------------------- */

static inline void unpack_f16(const uint32_t *restrict s, unsigned shift, unsigned width, float *restrict d)
{
    for (unsigned i = 0; i < width; i++)
        d[i] = co_f16(s[i] >> shift & 0xffff);
}

static inline void unpack_bf16(const uint32_t *restrict s, unsigned shift, unsigned width, float *restrict d)
{
    for (unsigned i = 0; i < width; i++)
        d[i] = co_f32(s[i] >> shift << 16);
}

static void unpack_table(const uint32_t *lo, const uint32_t *hi, unsigned shift, unsigned bits, const float *table,
                         unsigned width, float *d)
{
    for (unsigned i = 0; i < width; i++) {
        uint64_t pair = lo[i] | (uint64_t)hi[i] << 32;
        d[i] = table[pair >> shift & ((1u << bits) - 1)];
    }
}

static inline void unpack_int(const uint32_t *restrict s, unsigned shift, unsigned bits, bool sign, unsigned width,
                              int32_t *restrict d)
{
    const unsigned up = 32 - bits;
    for (unsigned i = 0; i < width; i++) {
        uint32_t v = s[i] >> shift << up;
        d[i] = sign ? (int32_t)v >> up : (int32_t)(v >> up);
    }
}

/* 10 fraction bits, nearest even; infinities and NaNs stay. */
static void unpack_xf32(const uint32_t *s, unsigned width, float *d)
{
    for (unsigned i = 0; i < width; i++) {
        uint32_t x = s[i];
        uint32_t rounded = (x + 0xfffu + (x >> 13 & 1)) & ~0x1fffu;
        d[i] = co_f32((x & 0x7f800000u) == 0x7f800000u ? x : rounded);
    }
}

static void flush_line(float *d, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        d[i] = fabsf(d[i]) < 0x1p-126f ? copysignf(0, d[i]) : d[i];
}

/* f16 denormals are normal in f32. */
static void flush_f16_line(float *d, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        d[i] = fabsf(d[i]) < 0x1p-14f ? copysignf(0, d[i]) : d[i];
}

static void negate_line(float *d, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        d[i] = -d[i];
}

static void unpack_element(const struct co_matrix_plan *p, const struct co_matrix_input *in, const uint32_t *row,
                           unsigned e, unsigned at, union numbers *out, unsigned line, unsigned column)
{
    const unsigned bit = e * in->bits, shift = bit & 31;
    const uint32_t *s = row + (size_t)(bit >> 5) * CO_LANES_MAX + at;
    float *f = out->line.f[line] + column;
    switch ((enum co_unpack)in->unpack) {
    case CO_UNPACK_F32: memcpy(f, s, in->width * sizeof *f); break;
    case CO_UNPACK_XF32: unpack_xf32(s, in->width, f); break;
    case CO_UNPACK_F16:
        unpack_f16(s, shift, in->width, f);
        if (p->flush)
            flush_f16_line(f, in->width);
        break;
    case CO_UNPACK_BF16:
        unpack_bf16(s, shift, in->width, f);
        if (p->flush)
            flush_line(f, in->width);
        break;
    case CO_UNPACK_TABLE:
        /* 6-bit elements may straddle two registers; the next row is there when they do. */
        unpack_table(s, shift + in->bits > 32 ? s + CO_LANES_MAX : s, shift, in->bits, in->table, in->width, f);
        break;
    case CO_UNPACK_F64:
        for (unsigned i = 0; i < in->width; i++)
            out->d[line][column + i] = co_f64(s[i] | (uint64_t)s[CO_LANES_MAX + i] << 32);
        if (in->flip_even)
            for (unsigned i = 0; i < in->width; i++)
                out->d[line][column + i] = -out->d[line][column + i];
        return;
    case CO_UNPACK_I8: unpack_int(s, shift, 8, true, in->width, out->i[line] + column); return;
    case CO_UNPACK_U8: unpack_int(s, shift, 8, false, in->width, out->i[line] + column); return;
    case CO_UNPACK_I4: unpack_int(s, shift, 4, true, in->width, out->i[line] + column); return;
    case CO_UNPACK_U4: unpack_int(s, shift, 4, false, in->width, out->i[line] + column); return;
    }
    if (e & 1 ? in->flip_odd : in->flip_even)
        negate_line(f, in->width);
}

/* One block of an operand. */
static void unpack(const struct co_wave *w, const struct co_matrix_plan *p, const struct co_matrix_input *in,
                   unsigned block, union numbers *out)
{
    const uint32_t *row = w->v[in->row];
    uint32_t turned[8][CO_LANES_MAX];
    if (in->blgp) { /* lanes of B change places first */
        const unsigned rows = (in->elements * in->bits + 31u) / 32;
        for (unsigned r = 0; r < rows && r < 8; r++)
            for (unsigned l = 0; l < 64; l++)
                turned[r][l] = w->v[in->row + r][codeobj_matrix_blgp_lane(l, in->blgp)];
        row = turned[0];
    }
    const unsigned each = in->elements / in->tiles;
    for (unsigned g = 0; g < in->groups; g++)
        if (in->block[g] == block)
            for (unsigned e = 0; e < in->elements; e++)
                unpack_element(p, in, row, e, g * in->width, out, in->line[g][e % each], 16 * (e / each));
}

/* ---- scales ------------------------------------------------------------------------------- */

static void scale(struct co_wave *w, const struct co_matrix_plan *p, const struct co_matrix_input *in,
                  const struct co_matrix_scale *s, unsigned n, union numbers *out)
{
    const uint32_t *row = s->src.kind == CO_SRC_ROW     ? w->v[s->src.reg]
                          : s->src.kind == CO_SRC_CONST ? s->src.row
                                                        : co_splat(w, &s->src, n);
    const unsigned width = in->width * in->tiles;
    for (unsigned k = 0; k < p->matrix->k; k++) {
        const unsigned block = k / p->scale_block, byte = s->along ? block & 3 : s->byte;
        const uint32_t *lanes = row + (s->along ? block / 4 * CO_LANES_MAX + s->first : block * in->width);
        for (unsigned i = 0; i < width; i++)
            out->line.f[k][i] *= s->table[lanes[i] >> 8 * byte & 0xff];
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* c[i][j] += a[k][i] * b[k][j], four rows of C at a time so that their sums do not wait for each other. */
#define PRODUCT(name, n)                                                                                              \
    static void name(unsigned m, unsigned k_count, const float (*a)[32], const float (*b)[32], float (*c)[32])        \
    {                                                                                                                 \
        for (unsigned i = 0; i < m; i += 4) {                                                                         \
            float sum[4][n];                                                                                          \
            for (unsigned r = 0; r < 4; r++)                                                                          \
                memcpy(sum[r], c[i + r], sizeof sum[r]);                                                              \
            for (unsigned k = 0; k < k_count; k++) {                                                                  \
                const float a0 = a[k][i], a1 = a[k][i + 1], a2 = a[k][i + 2], a3 = a[k][i + 3];                       \
                const float *restrict line = b[k];                                                                    \
                for (unsigned j = 0; j < n; j++)                                                                      \
                    sum[0][j] = fmaf(a0, line[j], sum[0][j]);                                                         \
                for (unsigned j = 0; j < n; j++)                                                                      \
                    sum[1][j] = fmaf(a1, line[j], sum[1][j]);                                                         \
                for (unsigned j = 0; j < n; j++)                                                                      \
                    sum[2][j] = fmaf(a2, line[j], sum[2][j]);                                                         \
                for (unsigned j = 0; j < n; j++)                                                                      \
                    sum[3][j] = fmaf(a3, line[j], sum[3][j]);                                                         \
            }                                                                                                         \
            for (unsigned r = 0; r < 4; r++)                                                                          \
                memcpy(c[i + r], sum[r], sizeof sum[r]);                                                              \
        }                                                                                                             \
    }
PRODUCT(product32, 32)
PRODUCT(product16, 16)
PRODUCT(product4, 4)

static void product_f64(const struct codeobj_matrix *m, double (*a)[32], double (*b)[32], double (*c)[32])
{
    for (unsigned i = 0; i < m->m; i++)
        for (unsigned k = 0; k < m->k; k++)
            for (unsigned j = 0; j < m->n; j++)
                c[i][j] = fma(a[k][i], b[k][j], c[i][j]);
}

/* Sums wrap; with clamp they are wide and saturate at the end. */
static void product_int(const struct co_matrix_plan *p, unsigned lines, const uint8_t (*index)[32], int32_t (*a)[32],
                        int32_t (*b)[32], int32_t (*c)[32])
{
    const struct codeobj_matrix *m = p->matrix;
    for (unsigned i = 0; i < m->m; i++) {
        int64_t sum[32];
        for (unsigned j = 0; j < m->n; j++)
            sum[j] = c[i][j];
        for (unsigned k = 0; k < lines; k++) {
            const int32_t x = a[k][i];
            const int32_t *line = b[index ? index[k][i] : k];
            for (unsigned j = 0; j < m->n; j++)
                sum[j] += (int64_t)x * line[j];
        }
        for (unsigned j = 0; j < m->n; j++) {
            int64_t s = sum[j];
            if (p->clamp)
                s = s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s;
            c[i][j] = (int32_t)(uint32_t)s;
        }
    }
}

/* Of four k, A has two; index[line][i] is the k of each. */
static void product_sparse(const struct codeobj_matrix *m, unsigned lines, const uint8_t (*index)[32],
                           const float (*a)[32], const float (*b)[32], float (*c)[32])
{
    for (unsigned i = 0; i < m->m; i++)
        for (unsigned k = 0; k < lines; k++) {
            const float x = a[k][i];
            const float *line = b[index[k][i]];
            for (unsigned j = 0; j < m->n; j++)
                c[i][j] = fmaf(x, line[j], c[i][j]);
        }
}

static void read_indices(const struct co_wave *w, const struct co_matrix_plan *p, uint8_t (*index)[32])
{
    const struct co_matrix_input *a = &p->a;
    for (unsigned g = 0; g < a->groups; g++) {
        if (a->block[g] == 255)
            continue;
        for (unsigned e = 0; e < a->elements; e++) {
            const unsigned bit = p->index_bit + 2 * e, line = a->line[g][e];
            const uint32_t *row = w->v[p->index_row + bit / 32];
            for (unsigned i = 0; i < a->width; i++)
                index[line][i] = (uint8_t)(line / 2 * 4 + (row[g * a->width + i] >> (bit & 31) & 3));
        }
    }
}

/* ---- C and D ------------------------------------------------------------------------------------- */

union result {
    float f[32][32];
    double d[16][32];
    int32_t i[32][32];
};

static void load_c(const struct co_wave *w, const struct co_matrix_plan *p, unsigned block, union result *c)
{
    const struct co_matrix_output *o = &p->c;
    const unsigned bits = codeobj_matrix_type_bits(o->type);
    for (unsigned g = 0; g < o->groups; g++)
        for (unsigned e = 0; e < o->elements; e++) {
            if (o->block[g][e] != block)
                continue;
            const unsigned line = o->line[g][e], at = g * o->width;
            if (bits == 64) {
                for (unsigned j = 0; j < o->width; j++)
                    c->d[line][j] = co_f64(w->v[o->row + 2 * e][at + j] | (uint64_t)w->v[o->row + 2 * e + 1][at + j] << 32);
            } else if (bits == 32) {
                memcpy(c->f[line], &w->v[o->row + e][at], o->width * 4u);
            } else {
                const uint32_t *row = w->v[o->row + (o->half ? e : e / 2)];
                const unsigned shift = o->half ? 16 * (o->half - 1u) : 16 * (e & 1);
                if (o->type == CODEOBJ_MATRIX_F16)
                    unpack_f16(row + at, shift, o->width, c->f[line]);
                else
                    unpack_bf16(row + at, shift, o->width, c->f[line]);
            }
        }
}

static void constant_c(const struct co_matrix_plan *p, struct co_wave *w, union result *c)
{
    const uint64_t v = p->f64 ? co_scalar64(w, &p->c_src) : co_scalar(w, &p->c_src);
    for (unsigned i = 0; i < p->matrix->m; i++)
        for (unsigned j = 0; j < p->matrix->n; j++) {
            if (p->f64)
                c->d[i][j] = co_f64(v);
            else if (p->integer)
                c->i[i][j] = (int32_t)v;
            else
                c->f[i][j] = p->c.type == CODEOBJ_MATRIX_F16    ? co_f16((uint32_t)v & 0xffff)
                             : p->c.type == CODEOBJ_MATRIX_BF16 ? co_f32((uint32_t)v << 16)
                                                                : co_f32((uint32_t)v);
        }
}

static void modify_c(const struct co_matrix_plan *p, union result *c)
{
    for (unsigned i = 0; i < p->matrix->m; i++)
        for (unsigned j = 0; j < p->matrix->n; j++) {
            if (p->f64) {
                c->d[i][j] = p->neg_c ? -c->d[i][j] : c->d[i][j];
                continue;
            }
            float x = p->abs_c ? fabsf(c->f[i][j]) : c->f[i][j];
            c->f[i][j] = p->neg_c ? -x : x;
        }
}

static uint32_t pack16(enum codeobj_matrix_type type, float x)
{
    if (x != x)
        return type == CODEOBJ_MATRIX_F16 ? 0x7e00 : 0x7fc0;
    if (type == CODEOBJ_MATRIX_F16)
        return co_b32_to_f16(co_b32(x));
    return (uint32_t)co_fp_cvt(&co_fmt_bf16, &co_fmt_f32, co_b32(x), CO_FP_RNE, CO_FP_RNE);
}

static void store_d(struct co_wave *w, const struct co_matrix_plan *p, unsigned block, union result *c)
{
    const struct co_matrix_output *o = &p->d;
    const unsigned bits = codeobj_matrix_type_bits(o->type);
    for (unsigned g = 0; g < o->groups; g++)
        for (unsigned e = 0; e < o->elements; e++) {
            if (o->block[g][e] != block)
                continue;
            const unsigned line = o->line[g][e], at = g * o->width;
            if (p->integer) {
                memcpy(&w->v[o->row + e][at], c->i[line], o->width * 4u);
            } else if (bits == 64) {
                for (unsigned j = 0; j < o->width; j++) {
                    uint64_t x = co_b64(c->d[line][j]);
                    x = co_isnan64(x) ? UINT64_C(0x7ff8000000000000) : x;
                    w->v[o->row + 2 * e][at + j] = (uint32_t)x;
                    w->v[o->row + 2 * e + 1][at + j] = (uint32_t)(x >> 32);
                }
            } else if (bits == 32) {
                uint32_t *d = &w->v[o->row + e][at];
                if (p->flush)
                    flush_line(c->f[line], o->width);
                for (unsigned j = 0; j < o->width; j++) {
                    uint32_t x = co_b32(c->f[line][j]);
                    d[j] = co_isnan32(x) ? 0x7fc00000u : x;
                }
            } else {
                const unsigned shift = o->half ? 16 * (o->half - 1u) : 16 * (e & 1);
                uint32_t *d = &w->v[o->row + (o->half ? e : e / 2)][at];
                for (unsigned j = 0; j < o->width; j++)
                    d[j] = (d[j] & ~(0xffffu << shift)) | pack16(o->type, c->f[line][j]) << shift;
            }
        }
}

/* ---- the instruction --------------------------------------------------------------------------------- */

static void multiply(struct co_wave *w, const struct co_matrix_plan *p, union numbers *a, union numbers *b,
                     union result *c)
{
    const struct codeobj_matrix *m = p->matrix;
    uint8_t index[K_MAX / 2][32];
    if (m->sparse)
        read_indices(w, p, index);
    if (p->integer) {
        product_int(p, m->sparse ? m->k / 2u : m->k, m->sparse ? (const uint8_t(*)[32])index : NULL, a->i, b->i, c->i);
        return;
    }
    if (p->f64) {
        product_f64(m, a->d, b->d, c->d);
        return;
    }
    if (m->sparse)
        product_sparse(m, m->k / 2u, (const uint8_t(*)[32])index, (const float(*)[32])a->line.f,
                       (const float(*)[32])b->line.f, c->f);
    else if (m->n == 32)
        product32(m->m, m->k, (const float(*)[32])a->line.f, (const float(*)[32])b->line.f, c->f);
    else if (m->n == 16)
        product16(m->m, m->k, (const float(*)[32])a->line.f, (const float(*)[32])b->line.f, c->f);
    else
        product4(m->m, m->k, (const float(*)[32])a->line.f, (const float(*)[32])b->line.f, c->f);
}

static int CO_LANES_NAME(co_run_matrix)(struct co_wave *w, const struct co_op *op)
{
    const struct co_matrix_plan *p = op->aux;
    const struct codeobj_matrix *m = p->matrix;
    union numbers a, b;
    union result c[16]; /* all blocks before D is written: it may share registers with A and B */
    const bool constant = p->c_src.kind != CO_SRC_NONE;
    for (unsigned block = 0; block < m->blocks; block++) {
        union result *r = &c[block];
        unpack(w, p, &p->a, p->block_of_a[block], &a);
        unpack(w, p, &p->b, block, &b);
        if (p->scaled) {
            scale(w, p, &p->a, &p->scale_a, 0, &a);
            scale(w, p, &p->b, &p->scale_b, 1, &b);
        }
        if (constant)
            constant_c(p, w, r);
        else
            load_c(w, p, block, r);
        if (p->neg_c || p->abs_c)
            modify_c(p, r);
        multiply(w, p, &a, &b, r);
    }
    for (unsigned block = 0; block < m->blocks; block++)
        store_d(w, p, block, &c[block]);
    return CO_NEXT;
}

/* Scales without the matrix instruction that would take them: nothing happens. */
LANE_HANDLER(scales_alone)
{
    (void)w;
    (void)op;
    return CO_NEXT;
}
static enum codeobj_status build_scales_alone(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    (void)inst;
    op->fn = b->row->fn;
    return CODEOBJ_OK;
}

#define V(sem) CO_ROW(CO_SEM_##sem, co_build_matrix, CO_LANES_NAME(co_run_matrix), NULL, 0, true)

void CO_LANES_NAME(co_family_matrix)(struct co_sem_row *rows)
{
    V(v_mfma_f32_16x16x128f8f6f4),
    V(v_mfma_f32_16x16x16bf16),
    V(v_mfma_f32_16x16x16bf16_1k),
    V(v_mfma_f32_16x16x16f16),
    V(v_mfma_f32_16x16x1f32),
    V(v_mfma_f32_16x16x2bf16),
    V(v_mfma_f32_16x16x32bf16),
    V(v_mfma_f32_16x16x32bf8_bf8),
    V(v_mfma_f32_16x16x32bf8_fp8),
    V(v_mfma_f32_16x16x32f16),
    V(v_mfma_f32_16x16x32fp8_bf8),
    V(v_mfma_f32_16x16x32fp8_fp8),
    V(v_mfma_f32_16x16x4bf16),
    V(v_mfma_f32_16x16x4bf16_1k),
    V(v_mfma_f32_16x16x4f16),
    V(v_mfma_f32_16x16x4f32),
    V(v_mfma_f32_16x16x8bf16),
    V(v_mfma_f32_16x16x8xf32),
    V(v_mfma_f32_32x32x16bf16),
    V(v_mfma_f32_32x32x16bf8_bf8),
    V(v_mfma_f32_32x32x16bf8_fp8),
    V(v_mfma_f32_32x32x16f16),
    V(v_mfma_f32_32x32x16fp8_bf8),
    V(v_mfma_f32_32x32x16fp8_fp8),
    V(v_mfma_f32_32x32x1f32),
    V(v_mfma_f32_32x32x2bf16),
    V(v_mfma_f32_32x32x2f32),
    V(v_mfma_f32_32x32x4bf16),
    V(v_mfma_f32_32x32x4bf16_1k),
    V(v_mfma_f32_32x32x4f16),
    V(v_mfma_f32_32x32x4xf32),
    V(v_mfma_f32_32x32x64f8f6f4),
    V(v_mfma_f32_32x32x8bf16),
    V(v_mfma_f32_32x32x8bf16_1k),
    V(v_mfma_f32_32x32x8f16),
    V(v_mfma_f32_4x4x1f32),
    V(v_mfma_f32_4x4x2bf16),
    V(v_mfma_f32_4x4x4bf16),
    V(v_mfma_f32_4x4x4bf16_1k),
    V(v_mfma_f32_4x4x4f16),
    V(v_mfma_f64_16x16x4f64),
    V(v_mfma_f64_4x4x4f64),
    V(v_mfma_i32_16x16x16i8),
    V(v_mfma_i32_16x16x32i8),
    V(v_mfma_i32_16x16x4i8),
    V(v_mfma_i32_16x16x64i8),
    V(v_mfma_i32_32x32x16i8),
    V(v_mfma_i32_32x32x32i8),
    V(v_mfma_i32_32x32x4i8),
    V(v_mfma_i32_32x32x8i8),
    V(v_mfma_i32_4x4x4i8),
    CO_ROW(CO_SEM_v_mfma_ld_scale_b32, build_scales_alone, scales_alone, NULL, 0, true),
    V(v_mfma_scale_f32_16x16x128_f8f6f4),
    V(v_mfma_scale_f32_32x32x64_f8f6f4),
    V(v_smfmac_f32_16x16x128_bf8_bf8),
    V(v_smfmac_f32_16x16x128_bf8_fp8),
    V(v_smfmac_f32_16x16x128_fp8_bf8),
    V(v_smfmac_f32_16x16x128_fp8_fp8),
    V(v_smfmac_f32_16x16x32_bf16),
    V(v_smfmac_f32_16x16x32_f16),
    V(v_smfmac_f32_16x16x64_bf16),
    V(v_smfmac_f32_16x16x64_bf8_bf8),
    V(v_smfmac_f32_16x16x64_bf8_fp8),
    V(v_smfmac_f32_16x16x64_f16),
    V(v_smfmac_f32_16x16x64_fp8_bf8),
    V(v_smfmac_f32_16x16x64_fp8_fp8),
    V(v_smfmac_f32_32x32x16_bf16),
    V(v_smfmac_f32_32x32x16_f16),
    V(v_smfmac_f32_32x32x32_bf16),
    V(v_smfmac_f32_32x32x32_bf8_bf8),
    V(v_smfmac_f32_32x32x32_bf8_fp8),
    V(v_smfmac_f32_32x32x32_f16),
    V(v_smfmac_f32_32x32x32_fp8_bf8),
    V(v_smfmac_f32_32x32x32_fp8_fp8),
    V(v_smfmac_f32_32x32x64_bf8_bf8),
    V(v_smfmac_f32_32x32x64_bf8_fp8),
    V(v_smfmac_f32_32x32x64_fp8_bf8),
    V(v_smfmac_f32_32x32x64_fp8_fp8),
    V(v_smfmac_i32_16x16x128_i8),
    V(v_smfmac_i32_16x16x64_i8),
    V(v_smfmac_i32_32x32x32_i8),
    V(v_smfmac_i32_32x32x64_i8),
    V(v_swmmac_bf16_16x16x32_bf16),
    V(v_swmmac_bf16_16x16x64_bf16),
    V(v_swmmac_bf16f32_16x16x64_bf16),
    V(v_swmmac_f16_16x16x128_bf8_bf8),
    V(v_swmmac_f16_16x16x128_bf8_fp8),
    V(v_swmmac_f16_16x16x128_fp8_bf8),
    V(v_swmmac_f16_16x16x128_fp8_fp8),
    V(v_swmmac_f16_16x16x32_f16),
    V(v_swmmac_f16_16x16x64_f16),
    V(v_swmmac_f32_16x16x128_bf8_bf8),
    V(v_swmmac_f32_16x16x128_bf8_fp8),
    V(v_swmmac_f32_16x16x128_fp8_bf8),
    V(v_swmmac_f32_16x16x128_fp8_fp8),
    V(v_swmmac_f32_16x16x32_bf16),
    V(v_swmmac_f32_16x16x32_bf8_bf8),
    V(v_swmmac_f32_16x16x32_bf8_fp8),
    V(v_swmmac_f32_16x16x32_f16),
    V(v_swmmac_f32_16x16x32_fp8_bf8),
    V(v_swmmac_f32_16x16x32_fp8_fp8),
    V(v_swmmac_f32_16x16x64_bf16),
    V(v_swmmac_f32_16x16x64_f16),
    V(v_swmmac_i32_16x16x128_iu8),
    V(v_swmmac_i32_16x16x32_iu4),
    V(v_swmmac_i32_16x16x32_iu8),
    V(v_swmmac_i32_16x16x64_iu4),
    V(v_wmma_bf16_16x16x16_bf16),
    V(v_wmma_bf16_16x16x32_bf16),
    V(v_wmma_bf16f32_16x16x32_bf16),
    V(v_wmma_f16_16x16x128_bf8_bf8),
    V(v_wmma_f16_16x16x128_bf8_fp8),
    V(v_wmma_f16_16x16x128_fp8_bf8),
    V(v_wmma_f16_16x16x128_fp8_fp8),
    V(v_wmma_f16_16x16x16_f16),
    V(v_wmma_f16_16x16x32_f16),
    V(v_wmma_f16_16x16x64_bf8_bf8),
    V(v_wmma_f16_16x16x64_bf8_fp8),
    V(v_wmma_f16_16x16x64_fp8_bf8),
    V(v_wmma_f16_16x16x64_fp8_fp8),
    V(v_wmma_f32_16x16x128_bf8_bf8),
    V(v_wmma_f32_16x16x128_bf8_fp8),
    V(v_wmma_f32_16x16x128_f8f6f4),
    V(v_wmma_f32_16x16x128_fp8_bf8),
    V(v_wmma_f32_16x16x128_fp8_fp8),
    V(v_wmma_f32_16x16x16_bf16),
    V(v_wmma_f32_16x16x16_bf8_bf8),
    V(v_wmma_f32_16x16x16_bf8_fp8),
    V(v_wmma_f32_16x16x16_f16),
    V(v_wmma_f32_16x16x16_fp8_bf8),
    V(v_wmma_f32_16x16x16_fp8_fp8),
    V(v_wmma_f32_16x16x32_bf16),
    V(v_wmma_f32_16x16x32_f16),
    V(v_wmma_f32_16x16x4_f32),
    V(v_wmma_f32_16x16x64_bf8_bf8),
    V(v_wmma_f32_16x16x64_bf8_fp8),
    V(v_wmma_f32_16x16x64_fp8_bf8),
    V(v_wmma_f32_16x16x64_fp8_fp8),
    V(v_wmma_f32_32x16x128_f4),
    V(v_wmma_scale16_f32_16x16x128_f8f6f4),
    V(v_wmma_scale16_f32_32x16x128_f4),
    V(v_wmma_scale_f32_16x16x128_f8f6f4),
    V(v_wmma_scale_f32_32x16x128_f4),
    V(v_wmma_i32_16x16x16_iu4),
    V(v_wmma_i32_16x16x16_iu8),
    V(v_wmma_i32_16x16x32_iu4),
    V(v_wmma_i32_16x16x64_iu8);
}

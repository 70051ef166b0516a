/* SPDX-License-Identifier: MIT
 *
 * subgroup/matrix.c - where the elements of matrix instructions lie.
 *
 * Every input operand follows one scheme.  Lane l holds row i = l % M of A (column
 * of B) for one "group" of the K range.  Its elements come in chunks of c that are
 * contiguous along K; a chunk of each group makes a stripe, the next chunk lies in
 * the next stripe:
 *
 *     k = (element / c) * c * groups + group * c + element % c
 *
 * Families differ in c and in how lanes number the groups.  MFMA has one chunk,
 * except for 8-bit elements of the f8f6f4 forms (16).  RDNA3 has one group and
 * repeats it in every 16 lanes.  RDNA4 keeps the group order of wave32 and, in
 * wave64, lets lanes 32-63 split the chunks of 8- and 4-bit types, so that bit 0 and
 * bit 1 of the group change places.
 *
 * D lies in rows of N lanes; MFMA puts four consecutive rows (f64: one) into four
 * registers before it goes on to the next lanes.
 */
#include "subgroup/subgroup.h"

static const struct codeobj_matrix matrices[] = {
#define MATRIX(name, old_name, family, m, n, k, blocks, a, b, d, sparse, c_f32)                                      \
    { name, old_name, CODEOBJ_MATRIX_##family, blocks, m, n, k, CODEOBJ_MATRIX_##a, CODEOBJ_MATRIX_##b,              \
      CODEOBJ_MATRIX_##d, sparse, c_f32 },
#include "subgroup/matrix.def"
#undef MATRIX
};

static const struct {
    const char *name;
    uint8_t bits;
} types[CODEOBJ_MATRIX_TYPE_COUNT] = {
    [CODEOBJ_MATRIX_F64] = { "f64", 64 },  [CODEOBJ_MATRIX_F32] = { "f32", 32 },   [CODEOBJ_MATRIX_XF32] = { "xf32", 32 },
    [CODEOBJ_MATRIX_F16] = { "f16", 16 },  [CODEOBJ_MATRIX_BF16] = { "bf16", 16 }, [CODEOBJ_MATRIX_FP8] = { "fp8", 8 },
    [CODEOBJ_MATRIX_BF8] = { "bf8", 8 },   [CODEOBJ_MATRIX_FP6] = { "fp6", 6 },    [CODEOBJ_MATRIX_BF6] = { "bf6", 6 },
    [CODEOBJ_MATRIX_FP4] = { "fp4", 4 },   [CODEOBJ_MATRIX_I32] = { "i32", 32 },   [CODEOBJ_MATRIX_I8] = { "i8", 8 },
    [CODEOBJ_MATRIX_IU8] = { "iu8", 8 },   [CODEOBJ_MATRIX_IU4] = { "iu4", 4 },
    [CODEOBJ_MATRIX_F8F6F4] = { "f8f6f4", 8 },
};

const struct codeobj_matrix *codeobj_matrix_at(size_t idx)
{
    return idx < sizeof matrices / sizeof *matrices ? &matrices[idx] : NULL;
}

unsigned codeobj_matrix_type_bits(enum codeobj_matrix_type type)
{
    return types[type].bits;
}

const char *codeobj_matrix_type_name(enum codeobj_matrix_type type)
{
    return types[type].name;
}

/* Which family a processor's matrix instructions are; -1: none. */
static int family_of(const struct codeobj_processor *p)
{
    switch (p->gen) {
    case CODEOBJ_GEN_GFX9: return p->features & CODEOBJ_FEATURE_AGPR ? CODEOBJ_MATRIX_MFMA : -1;
    case CODEOBJ_GEN_GFX11: return CODEOBJ_MATRIX_WMMA_GFX11;
    case CODEOBJ_GEN_GFX12: return p->minor >= 5 ? CODEOBJ_MATRIX_WMMA_GFX1250 : CODEOBJ_MATRIX_WMMA_GFX12;
    default: return -1;
    }
}

const struct codeobj_matrix *codeobj_matrix_find(const char *mnemonic, const struct codeobj_processor *processor)
{
    const int family = processor ? family_of(processor) : -1;
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        const struct codeobj_matrix *m = &matrices[i];
        if (strcmp(m->name, mnemonic) && (!m->old_name || strcmp(m->old_name, mnemonic)))
            continue;
        if (!processor || m->family == family)
            return m;
    }
    return NULL;
}

enum codeobj_matrix_type codeobj_matrix_operand_type(const struct codeobj_matrix *matrix,
                                                     enum codeobj_matrix_operand operand, unsigned format)
{
    static const uint8_t formats[] = { CODEOBJ_MATRIX_FP8, CODEOBJ_MATRIX_BF8, CODEOBJ_MATRIX_FP6, CODEOBJ_MATRIX_BF6 };
    enum codeobj_matrix_type type = matrix->d;
    if (operand == CODEOBJ_MATRIX_A || operand == CODEOBJ_MATRIX_B)
        type = operand == CODEOBJ_MATRIX_A ? matrix->a : matrix->b;
    else if (operand == CODEOBJ_MATRIX_C && matrix->c_f32)
        type = CODEOBJ_MATRIX_F32;
    if (type == CODEOBJ_MATRIX_F8F6F4)
        type = format < 4 ? formats[format] : CODEOBJ_MATRIX_FP4;
    return type;
}

/* ---- A and B ---- */

/* How an input operand is spread: see the head of this file. */
struct spread {
    unsigned rows;     /* M for A, N for B */
    unsigned stored;   /* elements along K that are stored */
    unsigned groups, chunk;
    unsigned tiles;    /* of 16 rows, one behind the other in the registers (32x16 of gfx1250) */
    bool swapped, repeated;
};

static struct spread spread_of(const struct codeobj_matrix *m, enum codeobj_matrix_operand operand,
                               enum codeobj_matrix_type type, unsigned wave)
{
    const bool a = operand == CODEOBJ_MATRIX_A;
    const unsigned bits = types[type].bits;
    struct spread s = { .rows = a ? m->m : m->n, .stored = a && m->sparse ? m->k / 2u : m->k, .tiles = 1 };
    switch ((enum codeobj_matrix_family)m->family) {
    case CODEOBJ_MATRIX_MFMA:
        s.groups = wave / (s.rows * m->blocks);
        s.chunk = m->a == CODEOBJ_MATRIX_F8F6F4 && bits == 8 ? 16 : s.stored / s.groups;
        break;
    case CODEOBJ_MATRIX_WMMA_GFX11:
        s.groups = 1;
        s.repeated = true;
        s.chunk = s.stored;
        break;
    case CODEOBJ_MATRIX_WMMA_GFX12: {
        s.groups = wave / 16;
        if (s.stored * bits / s.groups < 32)
            s.groups = 2; /* a register a lane is the least: lanes 32-63 hold nothing */
        s.swapped = s.groups == 4 && bits < 16;
        /* 16-bit types keep chunks of four (sparse B: eight) in both wave sizes. */
        unsigned fixed = m->sparse && !a ? 8 : 4;
        s.chunk = bits == 16 ? fixed : s.stored / s.groups;
        break;
    }
    case CODEOBJ_MATRIX_WMMA_GFX1250:
        s.groups = 2;
        s.tiles = s.rows / 16;
        s.rows = 16;
        s.chunk = bits == 32 ? 2 : bits < 8 ? 32 : m->a == CODEOBJ_MATRIX_F8F6F4 ? 16 : 8;
        if (m->sparse && !a)
            s.chunk = 16;
        break;
    }
    return s;
}

/* ---- C and D ---- */

static bool place_d(const struct codeobj_matrix *m, enum codeobj_matrix_type type, unsigned wave, unsigned lane,
                    unsigned e, struct codeobj_matrix_place *out)
{
    const unsigned group = lane / m->n, groups = wave / m->n;
    out->block = 0;
    out->col = (uint8_t)(lane % m->n);
    if (m->family == CODEOBJ_MATRIX_WMMA_GFX11) {
        out->row = (uint8_t)(groups * e + group);
    } else if (m->family != CODEOBJ_MATRIX_MFMA) {
        const unsigned each = 16 / groups, tile = e / each;
        const unsigned g = groups == 4 ? (group & 1) * 2 + (group >> 1) : group;
        out->row = (uint8_t)(16 * tile + g * each + e % each);
    } else {
        const unsigned high = types[type].bits == 64 ? 1 : 4; /* rows in consecutive registers */
        const unsigned lanes_used = (unsigned)m->m * m->n / high;
        const unsigned in_register = lanes_used < 64 ? 64 / lanes_used : 1; /* blocks side by side */
        const unsigned each = in_register > 1 ? (unsigned)m->m * m->n * in_register / 64 : (unsigned)m->m * m->n / 64;
        const unsigned r = e % each;
        out->block = (uint8_t)(in_register > 1 ? group % in_register : e / each);
        out->row = (uint8_t)(r / high * high * (groups / in_register) + group / in_register * high + r % high);
    }
    return true;
}

unsigned codeobj_matrix_elements(const struct codeobj_matrix *matrix, enum codeobj_matrix_operand operand,
                                 enum codeobj_matrix_type type, unsigned wave)
{
    if (operand == CODEOBJ_MATRIX_C || operand == CODEOBJ_MATRIX_D)
        return (unsigned)matrix->m * matrix->n * matrix->blocks / wave;
    struct spread s = spread_of(matrix, operand, type, wave);
    return s.stored / s.groups * s.tiles;
}

bool codeobj_matrix_element(const struct codeobj_matrix *matrix, enum codeobj_matrix_operand operand,
                            enum codeobj_matrix_type type, unsigned wave, unsigned lane, unsigned element,
                            struct codeobj_matrix_place *out)
{
    if (lane >= wave || element >= codeobj_matrix_elements(matrix, operand, type, wave))
        return false;
    if (operand == CODEOBJ_MATRIX_C || operand == CODEOBJ_MATRIX_D)
        return place_d(matrix, type, wave, lane, element, out);
    const struct spread s = spread_of(matrix, operand, type, wave);
    unsigned group = lane / s.rows;
    out->block = (uint8_t)(group % matrix->blocks);
    group /= matrix->blocks;
    if (s.repeated)
        group = 0;
    if (group >= s.groups)
        return false;
    if (s.swapped)
        group = (group & 1) * 2 + (group >> 1);
    const unsigned each = s.stored / s.groups, tile = element / each, e = element % each;
    const unsigned k = e / s.chunk * s.chunk * s.groups + group * s.chunk + e % s.chunk;
    out->row = (uint8_t)(16 * tile + lane % s.rows);
    out->col = (uint8_t)(operand == CODEOBJ_MATRIX_A && matrix->sparse ? (k & ~1u) * 2 : k);
    return true;
}

unsigned codeobj_matrix_bit(const struct codeobj_matrix *matrix, enum codeobj_matrix_operand operand,
                            enum codeobj_matrix_type type, unsigned element)
{
    const unsigned bits = types[type].bits;
    /* 16-bit results of RDNA3 have a register each. */
    if (matrix->family == CODEOBJ_MATRIX_WMMA_GFX11 && bits == 16 &&
        (operand == CODEOBJ_MATRIX_C || operand == CODEOBJ_MATRIX_D))
        return element * 32;
    return element * bits;
}

unsigned codeobj_matrix_blgp_lane(unsigned lane, unsigned blgp)
{
    switch (blgp) {
    case 1: return lane & 31;
    case 2: return 32 + (lane & 31);
    case 3: return (lane + 16) & 63;
    case 4: return lane & 15;
    case 5: return 16 + (lane & 15);
    case 6: return 32 + (lane & 15);
    case 7: return 48 + (lane & 15);
    default: return lane;
    }
}

unsigned codeobj_matrix_broadcast_block(unsigned block, unsigned cbsz, unsigned abid)
{
    const unsigned span = 1u << cbsz;
    return cbsz ? (block & ~(span - 1)) + (abid & (span - 1)) : block;
}

unsigned codeobj_matrix_index_bit(const struct codeobj_matrix *matrix, enum codeobj_matrix_type type, unsigned wave,
                                  unsigned element, unsigned set)
{
    /* Sets that would lie beyond the register (or the pair, where one set needs it) begin again. */
    const unsigned each = 2 * codeobj_matrix_elements(matrix, CODEOBJ_MATRIX_A, type, wave);
    return 2 * element + set * each % (each > 32 ? each : 32);
}

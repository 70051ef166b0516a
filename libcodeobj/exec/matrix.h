/* SPDX-License-Identifier: MIT
 *
 * exec/matrix.h - MFMA, SMFMAC, WMMA and SWMMAC: one plan, one handler.
 *
 * Whatever the instruction, A and B are unpacked into rows along K (a[k][i],
 * b[k][j]), C into c[i][j], the product is a row of fused multiply-adds for each
 * k, and D is packed again.  The plan says for every element of a lane group where
 * it goes, taken from codeobj_matrix_element() when the instruction is decoded.
 *
 * Choices, where AMD documents only the equation:
 *  - f32 results accumulate in f32, k ascending, one rounding (nearest even) a step; 16-bit
 *    results accumulate in f32 and are rounded once.  f64 likewise in f64.
 *  - A NaN result is the positive quiet NaN.
 *  - gfx90a flushes denormal f16 and bf16 inputs, and denormal f32 results of those
 *    forms, to zero of their sign (MI200 documentation); nothing else is flushed.
 *  - xf32 rounds its inputs to 10 fraction bits, to nearest even.
 *  - Integer sums wrap; with clamp they saturate once, at the end.
 *  - EXEC plays no part.
 */
#ifndef CO_EXEC_MATRIX_H
#define CO_EXEC_MATRIX_H

#include "exec/op.h"

#include <codeobj/subgroup.h>

#define CO_MATRIX_K_MAX 128
#define CO_MATRIX_ELEMENTS_MAX 64 /* of A or B, or of D, in a lane */

/* How an input becomes numbers. */
enum co_unpack { CO_UNPACK_F32, CO_UNPACK_XF32, CO_UNPACK_F64, CO_UNPACK_F16, CO_UNPACK_BF16, CO_UNPACK_TABLE,
                 CO_UNPACK_I8, CO_UNPACK_U8, CO_UNPACK_I4, CO_UNPACK_U4 };

/* One input operand.  Lanes go in groups of `width` (M or N); element e of group g is line[g][e] of its block. */
struct co_matrix_input {
    uint16_t row;            /* first register */
    uint8_t bits, unpack;    /* enum co_unpack */
    uint8_t width, groups, elements, blgp;
    uint8_t flip_even, flip_odd; /* negate elements (f16, bf16) */
    uint8_t scale_row_set;
    const float *table;      /* TABLE: value of each pattern */
    uint8_t block[16];       /* of each group; 255: the group holds nothing */
    uint8_t tiles;           /* line numbers are for 16 rows; elements beyond belong to the next 16 */
    uint8_t line[16][CO_MATRIX_ELEMENTS_MAX]; /* by the first group of a block */
};

struct co_matrix_output {
    uint16_t row;
    uint8_t width, groups, elements;
    uint8_t half;            /* gfx11's 16-bit results: 1 low halves, 2 high halves; 0: packed or 32 bits */
    uint8_t type;            /* enum codeobj_matrix_type */
    uint8_t block[16][CO_MATRIX_ELEMENTS_MAX], line[16][CO_MATRIX_ELEMENTS_MAX];
};

/* The scales of an operand: a byte for each row (or column) and block of K.
 *   MFMA: lane i + width * block, one byte of the register.
 *   WMMA: lane i + first, bytes in the order of the blocks, over two registers where there are eight. */
struct co_matrix_scale {
    struct co_src src;
    const float *table;          /* value of each byte */
    bool along;                  /* WMMA */
    uint8_t byte, first;
};

struct co_matrix_plan {
    const struct codeobj_matrix *matrix;
    struct co_matrix_input a, b;
    struct co_matrix_output c, d;
    struct co_src c_src;         /* when it is a constant */
    uint8_t block_of_a[16];      /* after CBSZ and ABID */
    bool flush, clamp, integer, f64;
    bool neg_c, abs_c;
    /* sparse: 2-bit indices of A, from this bit of the index registers on */
    uint16_t index_row;
    uint8_t index_bit;
    bool scaled;
    struct co_matrix_scale scale_a, scale_b;
    uint8_t scale_block;         /* 32 or 16 elements of K have a scale in common */
};

enum codeobj_status co_build_matrix(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op);

#endif

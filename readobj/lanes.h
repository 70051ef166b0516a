/* SPDX-License-Identifier: MIT
 *
 * readobj/lanes.h - what lanes.c (--lanes=OPERATION) and lanes_matrix.c share.
 */
#ifndef READOBJ_LANES_H
#define READOBJ_LANES_H

#include "readobj.h"

struct lanes_run {
    struct ro *ro;
    const char *text;
    const struct codeobj_processor *processor; /* NULL: any */
    uint64_t exec;
    uint32_t values[CODEOBJ_LANES_MAX], high[CODEOBJ_LANES_MAX]; /* halves */
    bool has_values, has_high;
    json_t *json; /* array of results, NULL: text */
};

/* What stands behind the mnemonic of a matrix instruction and says where elements lie. */
struct lanes_matrix_mods {
    unsigned cbsz, abid, blgp;
    unsigned a_format, b_format; /* of f8f6f4 forms: cbsz and blgp, or matrix_a_fmt and matrix_b_fmt */
    unsigned index_key;          /* which set of sparse A's indices */
    bool moves;                  /* cbsz or blgp was there */
    bool upper;                  /* op_sel of RDNA3: 16-bit C and D lie in the upper halves */
};

/* Is there an instruction of this name, on the processor (NULL: on any)?  A suffix (_dpp, _e64) may be there.  Near:
 * the nearest name, "" when none is near. */
bool lanes_has_instruction(const struct codeobj_processor *processor, const char *mnemonic, size_t length,
                           char near[static 64]);

/* Reads the operands and modifiers of run->text; false after an error message. */
bool lanes_matrix_mods(struct lanes_run *run, const struct codeobj_matrix *m, struct lanes_matrix_mods *out);
bool lanes_matrix_has_wave(const struct codeobj_matrix *m, unsigned wave);
/* The tables of A, B and D, or the object for JSON. */
void lanes_matrix_show(struct lanes_run *run, const struct codeobj_matrix *m, const struct lanes_matrix_mods *mods,
                       unsigned wave);

#endif

/* SPDX-License-Identifier: MIT
 *
 * subgroup/subgroup.h - what the files of this room share.
 */
#ifndef CO_SUBGROUP_SUBGROUP_H
#define CO_SUBGROUP_SUBGROUP_H

#include <codeobj/subgroup.h>
#include <string.h>

static inline bool co_lane_in(uint64_t mask, unsigned lane)
{
    return mask >> lane & 1;
}

/* The commonest rule: an inactive lane keeps, an inactive source reads as 0 unless it is fetched all the same. */
static inline int8_t co_lane_source(uint64_t active, unsigned lane, unsigned source, bool fetch_inactive)
{
    if (!co_lane_in(active, lane))
        return CODEOBJ_LANE_KEEP;
    return fetch_inactive || co_lane_in(active, source) ? (int8_t)source : CODEOBJ_LANE_ZERO;
}

/* ---- names.c: the mnemonics of the text form ---- */

/* Modifiers that an operation takes. */
#define CO_MOD_OFFSET 1u  /* offset:N */
#define CO_MOD_SWIZZLE 2u /* swizzle(...) */
#define CO_MOD_OP_SEL 4u
#define CO_MOD_FI_BC 8u   /* fi, bound_ctrl */
#define CO_MOD_DPP 16u    /* DPP controls and masks */
#define CO_MOD_DPP8 32u
#define CO_MOD_VALUES 64u /* clamp, mul, neg_lo ...: of values, not lanes */

struct co_lanes_form {
    uint8_t low, high; /* how many numbers it takes */
    uint8_t modifiers; /* CO_MOD_* */
    bool words;        /* any word may be an operand (HIP), not only registers */
};

/* Fills kind and what else follows from the name; false when there is no such operation. */
bool co_lanes_name(const char *name, struct codeobj_lanes_op *op, struct co_lanes_form *form);
/* The name nearest to one that is not there, matrix instructions included; "" when none is near. */
void co_lanes_nearest(const char *name, char *out, size_t size);

#endif

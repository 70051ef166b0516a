/* SPDX-License-Identifier: MIT
 *
 * check/flow.h - which registers code names, with the functions it calls.
 */
#ifndef CO_CHECK_FLOW_H
#define CO_CHECK_FLOW_H

#include "check/check.h"

/* A place in code: `off` bytes behind the entry of a function. */
struct co_code_place {
    uint64_t function, off;
};
struct co_code_usage {
    unsigned vgprs, agprs, sgprs; /* highest number plus one; SGPRs below the special ones */
    struct co_code_place vgpr_at, agpr_at, sgpr_at; /* the instruction that named it */
    size_t unknown;               /* words that are no instructions */
    struct co_code_place unknown_at;
    size_t indirect;              /* calls and jumps to where nothing is known of */
    struct co_code_place indirect_at;
};

struct co_flow; /* what was learnt of an object's functions; one for a check */

/* NULL when memory is out. */
struct co_flow *co_flow_new(struct co_check *c);
void co_flow_free(struct co_flow *flow);

/* Usage of the kernel and of all functions it is seen to call; false when its
 * code is not in the file, cannot be decoded for this processor, or when code
 * that overlaps has used up the budget (co_flow_exhausted). */
bool co_flow_usage(struct co_flow *flow, const struct codeobj_kernel *kernel, struct co_code_usage *out);
bool co_flow_exhausted(const struct co_flow *flow);
bool co_flow_failed(const struct co_flow *flow); /* memory is out */

/* An instruction, of those that have been read, which loads eight bytes from addr: a slot of the GOT; NULL: none was seen. */
const struct co_code_place *co_flow_load_of(const struct co_flow *flow, uint64_t addr);

/* Where a kernel begins, as co_code_place counts; 0: not to be found. */
uint64_t co_flow_entry(const struct co_flow *flow, const struct codeobj_kernel *kernel);

/* Name of the function that begins there, or NULL. */
const char *co_flow_name(const struct co_flow *flow, uint64_t function);

#endif

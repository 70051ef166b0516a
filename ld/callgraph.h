/* SPDX-License-Identifier: MIT
 *
 * ld/callgraph.h - what callgraph.c knows of calls, and the sorts of callgraph_sort.c: plain arrays in, an order out.
 */
#ifndef CO_LD_CALLGRAPH_H
#define CO_LD_CALLGRAPH_H

#include "ld.h"

/* Functions are numbers below node_count.  There is one arc at most for each `from` and `to`. */
struct ld_arc {
    uint32_t from, to;
    uint64_t weight;
};
struct ld_graph {
    const uint64_t *sizes; /* in bytes, of node_count functions */
    size_t node_count;
    const struct ld_arc *arcs; /* in the order of the profile, those of functions to themselves too */
    size_t arc_count;
};

/* Write functions to order[] (room for node_count) and return how many: hfsort leaves out some that are empty. */
size_t co_ld_hfsort(struct ld *ld, const struct ld_graph *g, uint32_t *order);
size_t co_ld_cdsort(struct ld *ld, const struct ld_graph *g, uint32_t *order); /* arcs without weight must not be in it */

#endif

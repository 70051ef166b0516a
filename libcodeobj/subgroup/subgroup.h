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

#endif

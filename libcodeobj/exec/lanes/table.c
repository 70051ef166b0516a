/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/table.c - the families of one variant of the lane loops.
 */
#include "exec/lanes/lanes.h"

#include "exec/registry.h"

#define FAMILY(name) co_family CO_LANES_NAME(co_family_##name);
#include "exec/lanes/families.def"
#undef FAMILY

co_family *const CO_LANES_NAME(co_lane_families)[] = {
#define FAMILY(name) CO_LANES_NAME(co_family_##name),
#include "exec/lanes/families.def"
#undef FAMILY
    NULL
};

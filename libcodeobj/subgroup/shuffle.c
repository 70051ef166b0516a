/* SPDX-License-Identifier: MIT
 *
 * subgroup/shuffle.c - shuffles of HIP and of the vendor-neutral set.
 *
 * What surprises: HIP's __shfl_xor reaches below its segment but not above it,
 * and reads an inactive lane as 0; the vendor-neutral shfl gives the lane its
 * own value back in both cases.
 */
#include "subgroup/subgroup.h"

void codeobj_hip_shuffle_map(enum codeobj_shuffle kind, const uint32_t *arg, unsigned width, uint64_t active,
                             unsigned wave, unsigned group, struct codeobj_lane_map *map)
{
    const uint32_t low = width - 1;
    for (uint32_t i = 0; i < wave; i++) {
        /* 32-bit wrap-around is part of HIP's definition: its headers compute in int. */
        int32_t first = (int32_t)(i & ~low), source = (int32_t)i;
        switch (kind) {
        case CODEOBJ_SHUFFLE_IDX: source = (int32_t)((i & ~low) + (arg[i] & low)); break;
        case CODEOBJ_SHUFFLE_UP: {
            int32_t s = (int32_t)(i - arg[i]);
            source = s < first ? (int32_t)i : s;
            break;
        }
        case CODEOBJ_SHUFFLE_DOWN:
            source = (int32_t)((i & low) + arg[i]) >= (int32_t)width ? (int32_t)i : (int32_t)(i + arg[i]);
            break;
        case CODEOBJ_SHUFFLE_XOR: {
            int32_t s = (int32_t)(i ^ arg[i]);
            source = s >= (int32_t)((i + width) & ~low) ? (int32_t)i : s;
            break;
        }
        }
        map->from[i] = co_lane_source(active, i, (i & ~(group - 1)) | ((uint32_t)source & (group - 1)), false);
    }
}

void codeobj_shfl_map(enum codeobj_shuffle kind, bool segmented, uint32_t control, uint32_t mask, uint32_t active,
                      struct codeobj_lane_map *map)
{
    const int offset = (int)(control & 31);
    int clamp = segmented ? (int)(control >> 8 & 31) : kind == CODEOBJ_SHUFFLE_UP ? 0 : 31;
    const int seg = segmented ? (int)(control >> 16 & 31) : 0;
    const uint32_t part = mask & active;
    for (int i = 0; i < 32; i++) {
        int clamp_lane = (i & seg) | (clamp & ~seg), source = 0;
        switch (kind) {
        case CODEOBJ_SHUFFLE_UP: source = i - offset; break;
        case CODEOBJ_SHUFFLE_DOWN: source = i + offset; break;
        case CODEOBJ_SHUFFLE_XOR: source = i ^ offset; break;
        case CODEOBJ_SHUFFLE_IDX: source = (i & seg) | (offset & ~seg); break;
        }
        bool inside = kind == CODEOBJ_SHUFFLE_UP ? source >= clamp_lane : source <= clamp_lane;
        /* A clamp of 0 with a segment mask lets "up" see nothing below lane 0, and "down"
         * nothing above lane 31, so that the source is a lane whenever it is inside. */
        if (!inside || !co_lane_in(part, (unsigned)source))
            source = i;
        map->from[i] = (int8_t)(co_lane_in(part, (unsigned)i) ? source : CODEOBJ_LANE_KEEP);
    }
}

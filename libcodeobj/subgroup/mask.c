/* SPDX-License-Identifier: MIT
 *
 * subgroup/mask.c - lane masks: ballot, counts, quads, votes.
 */
#include "subgroup/subgroup.h"

uint64_t codeobj_ballot(const uint32_t *value, uint64_t active, unsigned wave)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < wave; i++)
        mask |= (uint64_t)(co_lane_in(active, i) && value[i] != 0) << i;
    return mask;
}

void codeobj_inverse_ballot(uint64_t mask, uint64_t active, unsigned wave, uint32_t *out)
{
    for (unsigned i = 0; i < wave; i++)
        if (co_lane_in(active, i))
            out[i] = mask >> i & 1;
}

void codeobj_mbcnt(bool hi, const uint32_t *mask, const uint32_t *add, uint64_t active, unsigned wave, uint32_t *out)
{
    for (unsigned i = 0; i < wave; i++) {
        uint64_t below = (UINT64_C(1) << i) - 1;
        if (co_lane_in(active, i))
            out[i] = add[i] + (uint32_t)__builtin_popcount(mask[i] & (uint32_t)(hi ? below >> 32 : below));
    }
}

uint64_t codeobj_wqm(uint64_t mask)
{
    const uint64_t ones = UINT64_C(0x1111111111111111);
    return ((mask | mask >> 1 | mask >> 2 | mask >> 3) & ones) * 15;
}

uint64_t codeobj_quadmask(uint64_t mask)
{
    uint64_t quads = 0;
    for (unsigned i = 0; i < 16; i++)
        quads |= (uint64_t)((mask >> 4 * i & 15) != 0) << i;
    return quads;
}

uint64_t codeobj_bitreplicate(uint32_t mask)
{
    uint64_t pairs = 0;
    for (unsigned i = 0; i < 32; i++)
        pairs |= (mask >> i & 1) * UINT64_C(3) << 2 * i;
    return pairs;
}

unsigned codeobj_bcnt(uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

bool codeobj_hip_any(const uint32_t *pred, uint64_t active, unsigned wave)
{
    return codeobj_ballot(pred, active, wave) != 0;
}

bool codeobj_hip_all(const uint32_t *pred, uint64_t active, unsigned wave)
{
    return codeobj_ballot(pred, active, wave) == (active & codeobj_lanes_all(wave));
}

bool codeobj_hip_sync_valid(uint64_t mask, uint64_t active, unsigned wave)
{
    uint64_t all = codeobj_lanes_all(wave);
    return (mask & ~all) == 0 && (active & all & ~mask) == 0;
}

void codeobj_hip_match_any(const uint32_t *value, uint64_t active, unsigned wave, uint64_t *out)
{
    for (unsigned i = 0; i < wave; i++) {
        if (!co_lane_in(active, i))
            continue;
        uint64_t mask = 0;
        for (unsigned j = 0; j < wave; j++)
            mask |= (uint64_t)(co_lane_in(active, j) && value[j] == value[i]) << j;
        out[i] = mask;
    }
}

/* SPDX-License-Identifier: MIT
 *
 * subgroup/mask.c - lane masks: ballot, counts, quads, votes; the wave's number.
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

unsigned codeobj_bcnt0(uint64_t mask, unsigned bits)
{
    return bits - codeobj_bcnt(mask & codeobj_lanes_all(bits));
}

/* ---- the wave ---- */

uint32_t codeobj_wave_id(const uint32_t workitem[3], const uint32_t workgroup[3], unsigned wave)
{
    const uint64_t x = workgroup[0] ? workgroup[0] : 1, y = workgroup[1] ? workgroup[1] : 1;
    return (uint32_t)((workitem[0] + x * (workitem[1] + y * workitem[2])) / wave);
}

void codeobj_wave_barrier_map(uint64_t active, unsigned wave, struct codeobj_lane_map *map)
{
    (void)active;
    memset(map->from, CODEOBJ_LANE_KEEP, wave);
}

/* ---- HIP ---- */

bool codeobj_hip_any(const uint32_t *pred, uint64_t active, unsigned wave)
{
    return codeobj_ballot(pred, active, wave) != 0;
}

bool codeobj_hip_all(const uint32_t *pred, uint64_t active, unsigned wave)
{
    return codeobj_ballot(pred, active, wave) == codeobj_hip_activemask(active, wave);
}

uint64_t codeobj_hip_activemask(uint64_t active, unsigned wave)
{
    return active & codeobj_lanes_all(wave);
}

bool codeobj_hip_sync_valid(const uint64_t *mask, uint64_t active, unsigned wave)
{
    const uint64_t all = codeobj_lanes_all(wave);
    for (unsigned i = 0; i < wave; i++) {
        if (!co_lane_in(active, i))
            continue;
        uint64_t same = 0;
        for (unsigned j = 0; j < wave; j++)
            same |= (uint64_t)(co_lane_in(active, j) && (mask[j] & all) == (mask[i] & all)) << j;
        if (same != (mask[i] & all))
            return false;
    }
    return true;
}

void codeobj_hip_ballot_sync(const uint32_t *pred, const uint64_t *mask, uint64_t active, unsigned wave, uint64_t *out)
{
    const uint64_t votes = codeobj_ballot(pred, active, wave);
    for (unsigned i = 0; i < wave; i++)
        if (co_lane_in(active, i))
            out[i] = votes & mask[i];
}

void codeobj_hip_any_sync(const uint32_t *pred, const uint64_t *mask, uint64_t active, unsigned wave, uint32_t *out)
{
    uint64_t votes[CODEOBJ_LANES_MAX];
    codeobj_hip_ballot_sync(pred, mask, active, wave, votes);
    for (unsigned i = 0; i < wave; i++)
        if (co_lane_in(active, i))
            out[i] = votes[i] != 0;
}

void codeobj_hip_all_sync(const uint32_t *pred, const uint64_t *mask, uint64_t active, unsigned wave, uint32_t *out)
{
    uint64_t votes[CODEOBJ_LANES_MAX];
    codeobj_hip_ballot_sync(pred, mask, active, wave, votes);
    for (unsigned i = 0; i < wave; i++)
        if (co_lane_in(active, i))
            out[i] = votes[i] == (mask[i] & codeobj_lanes_all(wave));
}

uint64_t codeobj_hip_match_all(const uint32_t *value, uint64_t active, unsigned wave)
{
    const uint32_t first = codeobj_readfirstlane(value, active, wave);
    for (unsigned i = 0; i < wave; i++)
        if (co_lane_in(active, i) && value[i] != first)
            return 0;
    return codeobj_hip_activemask(active, wave);
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

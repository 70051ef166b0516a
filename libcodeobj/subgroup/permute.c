/* SPDX-License-Identifier: MIT
 *
 * subgroup/permute.c - one-lane access, LDS permutes, permlane.
 *
 * Rules: AMD's instruction set manuals (VOP1, VOP3 and DS chapters); the modes
 * of ds_swizzle as the VEGA and CDNA manuals list them.  What surprises:
 * ds_permute and ds_bpermute add their offset before they wrap, and on gfx10 and
 * gfx11 they wrap at 32 lanes in wave64 too.
 */
#include "subgroup/subgroup.h"

uint64_t codeobj_lanes_all(unsigned wave)
{
    return wave >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << wave) - 1;
}

uint64_t codeobj_lane_map_apply(const struct codeobj_lane_map *map, unsigned wave, const uint32_t *src,
                                const uint32_t *old, uint32_t *out)
{
    uint32_t result[CODEOBJ_LANES_MAX];
    uint64_t written = 0;
    for (unsigned i = 0; i < wave; i++) {
        int from = map->from[i];
        result[i] = from >= 0 ? src[from] : from == CODEOBJ_LANE_ZERO ? 0 : old[i];
        written |= (uint64_t)(from != CODEOBJ_LANE_KEEP) << i;
    }
    memcpy(out, result, wave * sizeof *out);
    return written;
}

uint32_t codeobj_readlane(const uint32_t *src, uint32_t lane, unsigned wave)
{
    return src[lane & (wave - 1)];
}

uint32_t codeobj_readfirstlane(const uint32_t *src, uint64_t active, unsigned wave)
{
    active &= codeobj_lanes_all(wave);
    return src[active ? __builtin_ctzll(active) : 0];
}

void codeobj_writelane(uint32_t *dst, uint32_t value, uint32_t lane, unsigned wave)
{
    dst[lane & (wave - 1)] = value;
}

/* The lane within 32 that lane i of 32 reads under a swizzle offset. */
static unsigned swizzle_source(unsigned offset, bool rotate_fft, unsigned i)
{
    if (!(offset & 0x8000))
        return ((i & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31);
    if (!rotate_fft || offset < 0xc000)
        return (i & ~3u) | (offset >> (2 * (i & 3)) & 3);
    unsigned mask = offset & 31;
    if (offset < 0xe000) {
        unsigned n = offset >> 5 & 31;
        unsigned turned = offset & 0x400 ? i - n : i + n;
        return (i & mask) | (turned & ~mask & 31);
    }
    unsigned reversed = 0;
    for (unsigned b = 0; b < 5; b++)
        reversed |= (i >> b & 1) << (4 - b);
    return (reversed >> __builtin_popcount(mask)) | (i & mask);
}

void codeobj_ds_swizzle_map(unsigned offset, bool rotate_fft, uint64_t active, unsigned wave,
                            struct codeobj_lane_map *map)
{
    for (unsigned i = 0; i < wave; i++)
        map->from[i] =
            co_lane_source(active, i, (i & 32) | swizzle_source(offset & 0xffff, rotate_fft, i & 31), false);
}

unsigned codeobj_permute_group(const struct codeobj_processor *processor, unsigned wave)
{
    bool halves = processor && (processor->gen == CODEOBJ_GEN_GFX10 || processor->gen == CODEOBJ_GEN_GFX11);
    return halves ? 32 : wave;
}

void codeobj_ds_bpermute_map(const uint32_t *addr, uint32_t offset, bool fi, uint64_t active, unsigned wave,
                             unsigned group, struct codeobj_lane_map *map)
{
    for (unsigned i = 0; i < wave; i++) {
        unsigned source = (addr[i] + offset) / 4 & (group - 1);
        map->from[i] = co_lane_source(active, i, (i & ~(group - 1)) | source, fi);
    }
}

void codeobj_ds_permute_map(const uint32_t *addr, uint32_t offset, uint64_t active, unsigned wave, unsigned group,
                            struct codeobj_lane_map *map)
{
    int8_t from[CODEOBJ_LANES_MAX];
    memset(from, CODEOBJ_LANE_ZERO, sizeof from);
    for (unsigned i = 0; i < wave; i++)
        if (co_lane_in(active, i))
            from[(i & ~(group - 1)) | ((addr[i] + offset) / 4 & (group - 1))] = (int8_t)i;
    for (unsigned i = 0; i < wave; i++)
        map->from[i] = co_lane_in(active, i) ? from[i] : CODEOBJ_LANE_KEEP;
}

/* permlane16: row-relative source k of lane i. */
static int8_t permlane16_source(unsigned i, unsigned k, bool cross, bool fi, bool bound_ctrl, uint64_t active)
{
    unsigned source = ((i & ~15u) ^ (cross ? 16 : 0)) | k;
    if (!co_lane_in(active, i))
        return CODEOBJ_LANE_KEEP;
    if (fi || co_lane_in(active, source))
        return (int8_t)source;
    return bound_ctrl ? CODEOBJ_LANE_ZERO : CODEOBJ_LANE_KEEP;
}

void codeobj_permlane16_map(uint64_t select, bool cross, bool fi, bool bound_ctrl, uint64_t active, unsigned wave,
                            struct codeobj_lane_map *map)
{
    for (unsigned i = 0; i < wave; i++)
        map->from[i] = permlane16_source(i, select >> (4 * (i & 15)) & 15, cross, fi, bound_ctrl, active);
}

void codeobj_permlane16_var_map(const uint32_t *select, bool cross, bool fi, bool bound_ctrl, uint64_t active,
                                unsigned wave, struct codeobj_lane_map *map)
{
    for (unsigned i = 0; i < wave; i++)
        map->from[i] = permlane16_source(i, select[i] & 15, cross, fi, bound_ctrl, active);
}

void codeobj_permlane64_map(uint64_t active, unsigned wave, struct codeobj_lane_map *map)
{
    for (unsigned i = 0; i < wave; i++)
        map->from[i] = wave == 64 ? co_lane_source(active, i, i ^ 32, true) : CODEOBJ_LANE_KEEP;
}

void codeobj_permlane_swap(unsigned width, unsigned wave, uint32_t *a, uint32_t *b)
{
    for (unsigned i = 0; i + width < wave; i++) {
        if (i & width)
            continue;
        uint32_t t = b[i];
        b[i] = a[i + width];
        a[i + width] = t;
    }
}

/* Group widths that make no sense mean the whole wave. */
static unsigned group_width(uint32_t width, unsigned wave)
{
    return width == 0 || width > wave || width & (width - 1) ? wave : width;
}

void codeobj_permlane_group_map(enum codeobj_permlane_kind kind, uint32_t select, uint32_t width, uint64_t active,
                                unsigned wave, struct codeobj_lane_map *map)
{
    uint32_t w = group_width(width, wave);
    for (unsigned i = 0; i < wave; i++) {
        uint32_t k = i & (w - 1), source = k;
        switch (kind) {
        case CODEOBJ_PERMLANE_BCAST: source = select & (w - 1); break;
        case CODEOBJ_PERMLANE_UP: source = select <= k ? k - select : k; break;
        case CODEOBJ_PERMLANE_DOWN: source = select < w - k ? k + select : k; break;
        case CODEOBJ_PERMLANE_XOR: source = (k ^ select) < w ? k ^ select : k; break;
        }
        map->from[i] = co_lane_source(active, i, (i & ~(w - 1)) | source, true);
    }
}

void codeobj_permlane_idx_gen(const uint32_t *value, uint32_t width, uint64_t active, unsigned wave, uint32_t *out)
{
    uint32_t w = group_width(width, wave);
    for (unsigned i = 0; i < wave; i++)
        if (co_lane_in(active, i))
            out[i] = ((i & ~(w - 1)) | (value[i] & (w - 1))) << 2;
}

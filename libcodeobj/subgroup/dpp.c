/* SPDX-License-Identifier: MIT
 *
 * subgroup/dpp.c - data-parallel primitives: DPP16 and DPP8.
 *
 * Rules: DPP chapters of AMD's GCN3, VEGA, CDNA and RDNA manuals.  What surprises:
 * "shift left" moves data to lower lanes (lane i reads lane i + n); row and bank
 * masks stop the write, never the read; bound_ctrl of the encoding set means
 * "write zero", which assemblers before gfx11 spelt bound_ctrl:0.
 */
#include "subgroup/subgroup.h"

bool codeobj_dpp_valid(unsigned ctrl, const struct codeobj_processor *processor)
{
    bool classic = true, share = true, xmask = true;
    if (processor) {
        bool cdna2 = processor->gen == CODEOBJ_GEN_GFX9 &&
                     (processor->minor >= 4 || (processor->minor == 0 && processor->stepping == 10));
        classic = processor->gen == CODEOBJ_GEN_GFX8 || processor->gen == CODEOBJ_GEN_GFX9;
        xmask = processor->gen >= CODEOBJ_GEN_GFX10;
        share = xmask || cdna2;
        if (!classic && !xmask)
            return false; /* gfx6 and gfx7 have no DPP */
    }
    if (ctrl <= 0xff)
        return true;
    if (ctrl <= 0x12f)
        return (ctrl & 15) != 0;
    switch (ctrl) {
    case CODEOBJ_DPP_WAVE_SHL:
    case CODEOBJ_DPP_WAVE_ROL:
    case CODEOBJ_DPP_WAVE_SHR:
    case CODEOBJ_DPP_WAVE_ROR:
    case CODEOBJ_DPP_ROW_BCAST15:
    case CODEOBJ_DPP_ROW_BCAST31:
        return classic;
    case CODEOBJ_DPP_ROW_MIRROR:
    case CODEOBJ_DPP_ROW_HALF_MIRROR:
        return true;
    }
    if (ctrl >= CODEOBJ_DPP_ROW_SHARE && ctrl <= CODEOBJ_DPP_ROW_SHARE + 15)
        return share;
    if (ctrl >= CODEOBJ_DPP_ROW_XMASK && ctrl <= CODEOBJ_DPP_ROW_XMASK + 15)
        return xmask;
    return false;
}

/* The lane that lane i reads, or -1 when there is none. */
static int dpp16_source(unsigned ctrl, int i, int wave)
{
    int row = i & ~15, k = i & 15, n = (int)(ctrl & 15);
    if (ctrl <= 0xff)
        return (i & ~3) | (int)(ctrl >> (2 * (i & 3)) & 3);
    switch (ctrl & ~15u) {
    case CODEOBJ_DPP_ROW_SHL: return k + n < 16 ? row + k + n : -1;
    case CODEOBJ_DPP_ROW_SHR: return k - n >= 0 ? row + k - n : -1;
    case CODEOBJ_DPP_ROW_ROR: return row + ((k - n) & 15);
    case CODEOBJ_DPP_ROW_SHARE: return row + n;
    case CODEOBJ_DPP_ROW_XMASK: return row + (k ^ n);
    }
    switch (ctrl) {
    case CODEOBJ_DPP_WAVE_SHL: return i + 1 < wave ? i + 1 : -1;
    case CODEOBJ_DPP_WAVE_ROL: return (i + 1) & (wave - 1);
    case CODEOBJ_DPP_WAVE_SHR: return i - 1;
    case CODEOBJ_DPP_WAVE_ROR: return (i - 1) & (wave - 1);
    case CODEOBJ_DPP_ROW_MIRROR: return row + (15 - k);
    case CODEOBJ_DPP_ROW_HALF_MIRROR: return (i & ~7) + (7 - (i & 7));
    case CODEOBJ_DPP_ROW_BCAST15: return row - 1;
    case CODEOBJ_DPP_ROW_BCAST31: return i >= 32 ? 31 : -1;
    }
    return -1;
}

uint64_t codeobj_dpp_narrow(const struct codeobj_lane_map *full, bool fi, bool bound_ctrl, uint64_t active,
                            unsigned wave, struct codeobj_lane_map *map)
{
    const int8_t none = bound_ctrl ? CODEOBJ_LANE_ZERO : CODEOBJ_LANE_KEEP;
    uint64_t written = 0;
    for (unsigned i = 0; i < wave; i++) {
        int8_t from = full->from[i];
        if (from >= 0 && !fi && !co_lane_in(active, (unsigned)from))
            from = none;
        from = co_lane_in(active, i) ? from : CODEOBJ_LANE_KEEP;
        map->from[i] = from;
        written |= (uint64_t)(from != CODEOBJ_LANE_KEEP) << i;
    }
    return written;
}

void codeobj_dpp16_map(const struct codeobj_dpp *dpp, uint64_t active, unsigned wave, struct codeobj_lane_map *map)
{
    for (unsigned i = 0; i < wave; i++) {
        bool write = dpp->row_mask >> (i / 16) & 1 && dpp->bank_mask >> (i / 4 % 4) & 1;
        int from = dpp16_source(dpp->ctrl, (int)i, (int)wave);
        if (from < 0)
            from = dpp->bound_ctrl ? CODEOBJ_LANE_ZERO : CODEOBJ_LANE_KEEP;
        map->from[i] = (int8_t)(write ? from : CODEOBJ_LANE_KEEP);
    }
    codeobj_dpp_narrow(map, dpp->fi, dpp->bound_ctrl, active, wave, map);
}

void codeobj_dpp8_map(uint32_t sel, bool fi, uint64_t active, unsigned wave, struct codeobj_lane_map *map)
{
    for (unsigned i = 0; i < wave; i++)
        map->from[i] = (int8_t)((i & ~7u) | (sel >> (3 * (i & 7)) & 7));
    codeobj_dpp_narrow(map, fi, true, active, wave, map);
}

/* SPDX-License-Identifier: MIT
 *
 * subgroup/eval.c - runs an operation that parse.c has read.
 */
#include "base/diag.h"
#include "subgroup/subgroup.h"

struct inputs {
    const struct codeobj_processor *processor;
    uint64_t active;
    unsigned wave;
    const uint32_t *data, *index;
};

bool codeobj_lanes_available(const struct codeobj_lanes_op *op, const struct codeobj_processor *p)
{
    const bool gfx950 = p->major == 9 && p->minor == 5, gfx1250 = p->major == 12 && p->minor >= 5;
    switch (op->kind) {
    case CODEOBJ_LANES_DPP16:
        return codeobj_dpp_valid(op->dpp.ctrl, p) && !(op->row_share && p->gen == CODEOBJ_GEN_GFX9) &&
               !(op->row_newbcast && p->gen != CODEOBJ_GEN_GFX9) && !(op->dpp.fi && p->gen < CODEOBJ_GEN_GFX10);
    case CODEOBJ_LANES_DPP8: return p->gen >= CODEOBJ_GEN_GFX10;
    case CODEOBJ_LANES_BPERMUTE: return p->gen >= (op->fi ? CODEOBJ_GEN_GFX12 : CODEOBJ_GEN_GFX8);
    case CODEOBJ_LANES_PERMUTE: return p->gen >= CODEOBJ_GEN_GFX8;
    case CODEOBJ_LANES_BITREPLICATE: return p->gen >= CODEOBJ_GEN_GFX9;
    case CODEOBJ_LANES_PERMLANE16: return p->gen >= CODEOBJ_GEN_GFX10;
    case CODEOBJ_LANES_PERMLANE64: return p->gen >= CODEOBJ_GEN_GFX11;
    case CODEOBJ_LANES_PERMLANE16_VAR: return p->gen >= CODEOBJ_GEN_GFX12;
    case CODEOBJ_LANES_PERMLANE_SWAP: return gfx950 || (gfx1250 && op->width == 16);
    case CODEOBJ_LANES_PERMLANE_GROUP:
    case CODEOBJ_LANES_PERMLANE_IDX_GEN: return gfx1250;
    default: return true;
    }
}

static enum codeobj_status check(const struct codeobj_lanes_op *op, const struct inputs *in,
                                 struct codeobj_diag *diag)
{
    const struct codeobj_processor *p = in->processor;
    if (in->wave != 32 && in->wave != 64)
        return co_fail(diag, CODEOBJ_INVALID, "wave size: found %u, expected 32 or 64", in->wave);
    if (p && !(p->features & (in->wave == 32 ? CODEOBJ_FEATURE_WAVE32 : CODEOBJ_FEATURE_WAVE64)))
        return co_fail(diag, CODEOBJ_INVALID, "%s has no wave%u", p->name, in->wave);
    if (op->kind == CODEOBJ_LANES_DPP16 && !codeobj_dpp_valid(op->dpp.ctrl, p))
        return co_fail(diag, CODEOBJ_INVALID, "DPP control 0x%x is not one of %s", op->dpp.ctrl,
                       p ? p->name : "any processor");
    if (p && !codeobj_lanes_available(op, p))
        return co_fail(diag, CODEOBJ_INVALID, "%s has no such instruction", p->name);
    if (op->kind == CODEOBJ_LANES_HIP_SHUFFLE && (op->width & (op->width - 1) || op->width > in->wave))
        return co_fail(diag, CODEOBJ_INVALID, "width: found %u, expected a power of two up to %u", op->width, in->wave);
    if (op->sync) {
        uint64_t masks[CODEOBJ_LANES_MAX];
        for (unsigned i = 0; i < CODEOBJ_LANES_MAX; i++)
            masks[i] = op->mask;
        if (!codeobj_hip_sync_valid(masks, in->active, in->wave))
            return co_fail(diag, CODEOBJ_INVALID, "mask of a _sync call: found 0x%llx, expected the active lanes 0x%llx",
                           (unsigned long long)(op->mask & codeobj_lanes_all(in->wave)),
                           (unsigned long long)(in->active & codeobj_lanes_all(in->wave)));
    }
    return CODEOBJ_OK;
}

/* Operations that move values.  false: not one of them. */
static bool map_of(const struct codeobj_lanes_op *op, const struct inputs *in, struct codeobj_lane_map *map)
{
    const uint64_t active = in->active;
    const unsigned wave = in->wave, group = codeobj_permute_group(in->processor, wave);
    struct codeobj_dpp dpp = op->dpp;
    uint32_t arg[CODEOBJ_LANES_MAX];
    switch (op->kind) {
    case CODEOBJ_LANES_DPP16:
        if (op->bound_ctrl_0 && in->processor && in->processor->gen >= CODEOBJ_GEN_GFX11)
            dpp.bound_ctrl = false;
        codeobj_dpp16_map(&dpp, active, wave, map);
        return true;
    case CODEOBJ_LANES_DPP8: codeobj_dpp8_map(op->dpp8, op->fi, active, wave, map); return true;
    case CODEOBJ_LANES_SWIZZLE:
        codeobj_ds_swizzle_map(op->offset, !in->processor || in->processor->gen >= CODEOBJ_GEN_GFX9, active, wave,
                               map);
        return true;
    case CODEOBJ_LANES_BPERMUTE:
        codeobj_ds_bpermute_map(in->index, op->offset, op->fi, active, wave, group, map);
        return true;
    case CODEOBJ_LANES_PERMUTE: codeobj_ds_permute_map(in->index, op->offset, active, wave, group, map); return true;
    case CODEOBJ_LANES_PERMLANE16:
        codeobj_permlane16_map(op->mask, op->cross, op->fi, op->bound_ctrl, active, wave, map);
        return true;
    case CODEOBJ_LANES_PERMLANE16_VAR:
        codeobj_permlane16_var_map(in->index, op->cross, op->fi, op->bound_ctrl, active, wave, map);
        return true;
    case CODEOBJ_LANES_PERMLANE64: codeobj_permlane64_map(active, wave, map); return true;
    case CODEOBJ_LANES_PERMLANE_GROUP:
        codeobj_permlane_group_map(op->permlane, op->offset, op->width, active, wave, map);
        return true;
    case CODEOBJ_LANES_HIP_SHUFFLE:
        for (unsigned i = 0; i < wave; i++)
            arg[i] = op->offset;
        codeobj_hip_shuffle_map(op->shuffle, arg, op->width ? op->width : wave, active, wave, group, map);
        return true;
    case CODEOBJ_LANES_WAVE_BARRIER: codeobj_wave_barrier_map(active, wave, map); return true;
    case CODEOBJ_LANES_SHFL:
        memset(map->from, CODEOBJ_LANE_KEEP, sizeof map->from);
        codeobj_shfl_map(op->shuffle, op->segmented, op->control, (uint32_t)op->mask, (uint32_t)active, map);
        return true;
    default: return false;
    }
}

static uint64_t reduce_scalar(const struct codeobj_lanes_op *op, const struct inputs *in)
{
    uint64_t wide[CODEOBJ_LANES_MAX];
    if (op->width != 64)
        return codeobj_reduce_u32(op->reduce, in->data, in->active, in->wave);
    for (unsigned i = 0; i < in->wave; i++)
        wide[i] = in->data[i] | (uint64_t)in->index[i] << 32;
    return codeobj_reduce_u64(op->reduce, wide, in->active, in->wave);
}

/* Results that are one scalar for the wave. */
static bool scalar_of(const struct codeobj_lanes_op *op, const struct inputs *in, uint64_t *out)
{
    const uint64_t active = in->active;
    const unsigned wave = in->wave;
    switch (op->kind) {
    case CODEOBJ_LANES_READLANE: *out = codeobj_readlane(in->data, op->offset, wave); return true;
    case CODEOBJ_LANES_READFIRSTLANE: *out = codeobj_readfirstlane(in->data, active, wave); return true;
    case CODEOBJ_LANES_BALLOT:
        *out = codeobj_ballot(in->data, active, wave) & codeobj_lanes_all(op->width);
        return true;
    case CODEOBJ_LANES_WQM: *out = codeobj_wqm(op->mask); return true;
    case CODEOBJ_LANES_QUADMASK: *out = codeobj_quadmask(op->mask); return true;
    case CODEOBJ_LANES_BITREPLICATE: *out = codeobj_bitreplicate((uint32_t)op->mask); return true;
    case CODEOBJ_LANES_BCNT:
        *out = op->ones ? codeobj_bcnt(op->mask) : codeobj_bcnt0(op->mask, op->width);
        return true;
    case CODEOBJ_LANES_REDUCE: *out = reduce_scalar(op, in); return true;
    case CODEOBJ_LANES_HIP_ANY: *out = codeobj_hip_any(in->data, active, wave); return true;
    case CODEOBJ_LANES_HIP_ALL: *out = codeobj_hip_all(in->data, active, wave); return true;
    case CODEOBJ_LANES_HIP_ACTIVEMASK: *out = codeobj_hip_activemask(active, wave); return true;
    case CODEOBJ_LANES_HIP_MATCH_ALL: *out = codeobj_hip_match_all(in->data, active, wave); return true;
    case CODEOBJ_LANES_WAVE_ID: *out = codeobj_wave_id(op->workitem, op->workgroup, wave); return true;
    default: return false;
    }
}

static void count_below(const struct codeobj_lanes_op *op, const struct inputs *in, struct codeobj_lanes_result *r)
{
    uint32_t mask[CODEOBJ_LANES_MAX], add[CODEOBJ_LANES_MAX];
    for (unsigned i = 0; i < in->wave; i++) {
        mask[i] = op->has_mask ? (uint32_t)op->mask : in->data[i];
        add[i] = op->offset;
    }
    codeobj_mbcnt(op->kind == CODEOBJ_LANES_MBCNT_HI, mask, add, in->active, in->wave, r->value);
}

static void match_any(const struct inputs *in, struct codeobj_lanes_result *r)
{
    uint64_t mask[CODEOBJ_LANES_MAX] = { 0 };
    codeobj_hip_match_any(in->data, in->active, in->wave, mask);
    r->is_wide = r->has_second = true;
    for (unsigned i = 0; i < in->wave; i++)
        if (co_lane_in(in->active, i)) {
            r->value[i] = (uint32_t)mask[i];
            r->second[i] = (uint32_t)(mask[i] >> 32);
        }
}

/* The rest: a value for each lane. */
static void compute(const struct codeobj_lanes_op *op, const struct inputs *in, struct codeobj_lanes_result *r)
{
    const uint64_t active = in->active;
    const unsigned wave = in->wave;
    const uint32_t part = (uint32_t)op->mask & (uint32_t)active;
    r->written = active;
    switch (op->kind) {
    case CODEOBJ_LANES_WRITELANE:
        codeobj_writelane(r->value, op->control, op->offset, wave);
        r->written = UINT64_C(1) << (op->offset & (wave - 1));
        break;
    case CODEOBJ_LANES_PERMLANE_SWAP:
        memcpy(r->second, in->index, wave * sizeof *r->second);
        memcpy(r->value, in->data, wave * sizeof *r->value);
        codeobj_permlane_swap(op->width, wave, r->value, r->second);
        r->has_second = true;
        r->written = codeobj_lanes_all(wave);
        break;
    case CODEOBJ_LANES_PERMLANE_IDX_GEN:
        codeobj_permlane_idx_gen(in->data, op->width, active, wave, r->value);
        break;
    case CODEOBJ_LANES_INVERSE_BALLOT: codeobj_inverse_ballot(op->mask, active, wave, r->value); break;
    case CODEOBJ_LANES_MBCNT_LO:
    case CODEOBJ_LANES_MBCNT_HI: count_below(op, in, r); break;
    case CODEOBJ_LANES_HIP_MATCH_ANY: match_any(in, r); break;
    case CODEOBJ_LANES_FRED:
        codeobj_fred(op->reduce, op->format, op->packed, op->nanp, in->data, part, part, r->value);
        r->written = part;
        break;
    case CODEOBJ_LANES_IRED:
        codeobj_ired(op->reduce, op->width, in->data, part, part, r->value);
        r->written = part;
        break;
    case CODEOBJ_LANES_REDFIRSTIDX:
        codeobj_redfirstidx(part, part, r->value);
        r->written = part;
        break;
    default: break;
    }
}

enum codeobj_status codeobj_lanes_eval(const struct codeobj_lanes_op *op, const struct codeobj_processor *processor,
                                       uint64_t active, unsigned wave, const uint32_t *data, const uint32_t *index,
                                       const uint32_t *old, struct codeobj_lanes_result *out,
                                       struct codeobj_diag *diag)
{
    const uint32_t zero[CODEOBJ_LANES_MAX] = { 0 };
    struct inputs in = { processor, active, wave, data, index ? index : zero };
    enum codeobj_status st = check(op, &in, diag);
    if (st != CODEOBJ_OK)
        return st;
    in.active &= codeobj_lanes_all(wave);
    struct codeobj_lanes_result r = { 0 };
    if (old)
        memcpy(r.value, old, wave * sizeof *old);
    if (map_of(op, &in, &r.map)) {
        r.has_map = true;
        r.written = codeobj_lane_map_apply(&r.map, wave, data, r.value, r.value);
    } else {
        r.has_scalar = scalar_of(op, &in, &r.scalar);
        if (!r.has_scalar)
            compute(op, &in, &r);
    }
    *out = r;
    return CODEOBJ_OK;
}

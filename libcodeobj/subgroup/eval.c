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
    if (op->kind == CODEOBJ_LANES_DPP8 && p && p->gen < CODEOBJ_GEN_GFX10)
        return co_fail(diag, CODEOBJ_INVALID, "%s has no dpp8", p->name);
    if (op->kind == CODEOBJ_LANES_HIP_SHUFFLE && (op->width & (op->width - 1) || op->width > in->wave))
        return co_fail(diag, CODEOBJ_INVALID, "width: found %u, expected a power of two up to %u", op->width, in->wave);
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
        codeobj_hip_shuffle_map(op->shuffle, arg, op->width ? op->width : wave, active, wave, map);
        return true;
    case CODEOBJ_LANES_SHFL:
        memset(map->from, CODEOBJ_LANE_KEEP, sizeof map->from);
        codeobj_shfl_map(op->shuffle, op->segmented, op->control, (uint32_t)op->mask, (uint32_t)active, map);
        return true;
    default: return false;
    }
}

/* The rest: value and scalar results. */
static void compute(const struct codeobj_lanes_op *op, const struct inputs *in, struct codeobj_lanes_result *r)
{
    const uint64_t active = in->active;
    const unsigned wave = in->wave;
    const uint32_t part = (uint32_t)op->mask & (uint32_t)active;
    r->written = active;
    r->has_scalar = true;
    switch (op->kind) {
    case CODEOBJ_LANES_READLANE: r->scalar = codeobj_readlane(in->data, op->offset, wave); break;
    case CODEOBJ_LANES_READFIRSTLANE: r->scalar = codeobj_readfirstlane(in->data, active, wave); break;
    case CODEOBJ_LANES_BALLOT: r->scalar = codeobj_ballot(in->data, active, wave); break;
    case CODEOBJ_LANES_WQM: r->scalar = codeobj_wqm(op->mask); break;
    case CODEOBJ_LANES_QUADMASK: r->scalar = codeobj_quadmask(op->mask); break;
    case CODEOBJ_LANES_REDUCE: r->scalar = codeobj_reduce_u32(op->reduce, in->data, active, wave); break;
    case CODEOBJ_LANES_HIP_ANY: r->scalar = codeobj_hip_any(in->data, active, wave); break;
    case CODEOBJ_LANES_HIP_ALL: r->scalar = codeobj_hip_all(in->data, active, wave); break;
    default: r->has_scalar = false; break;
    }
    if (r->has_scalar) {
        r->written = 0;
        return;
    }
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
    case CODEOBJ_LANES_MBCNT_HI: {
        const uint32_t zero[CODEOBJ_LANES_MAX] = { 0 };
        codeobj_mbcnt(op->kind == CODEOBJ_LANES_MBCNT_HI, in->data, zero, active, wave, r->value);
        break;
    }
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
        compute(op, &in, &r);
    }
    *out = r;
    return CODEOBJ_OK;
}

/* SPDX-License-Identifier: MIT
 *
 * kernel/occupancy.c - how many waves fit, and what stops more.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend (register granules), AMD's ISA
 * documents (register files, LDS sizes, waves per SIMD).  The register limits
 * are those that LLVM 22 prints as "Occupancy" for each processor.
 *
 * Waves of one work-group share a compute unit (CU), or from gfx10 on in WGP
 * mode a pair of them, which has twice the SIMDs and twice the LDS.  Before
 * gfx10 scalar registers are allocated too; the steps of their table are not a
 * plain division, since the file's last rows are kept for trap handlers.
 */
#include <codeobj/kernel.h>

#include "base/diag.h"

enum {
    SIMDS = 4, SIMDS_CU_GFX10 = 2,
    GROUPS_CU = 16, GROUPS_WGP = 32, /* work-groups that barriers can be kept for */
};

static unsigned max_waves(const struct codeobj_processor *p)
{
    if (p->features & CODEOBJ_FEATURE_UNIFIED_VGPR)
        return 8;
    if (p->gen < CODEOBJ_GEN_GFX10)
        return 10;
    return p->gen == CODEOBJ_GEN_GFX10 && p->minor < 3 ? 20 : 16;
}

/* Vector registers of a SIMD, per lane of the wave size, and their granule. */
static void vector_file(const struct codeobj_processor *p, bool wave32, unsigned *total, unsigned *granule)
{
    if (p->features & CODEOBJ_FEATURE_UNIFIED_VGPR) {
        *total = 512;
        *granule = 8;
    } else if (p->gen < CODEOBJ_GEN_GFX10) {
        *total = 256;
        *granule = 4;
    } else {
        unsigned wide = wave32 ? 2 : 1;
        bool larger = p->features & CODEOBJ_FEATURE_1_5X_VGPRS, first = p->gen == CODEOBJ_GEN_GFX10 && p->minor < 3;
        *total = (larger ? 768 : 512) * wide;
        *granule = (larger ? 12 : first ? 4 : 8) * wide;
    }
}

static unsigned waves_by_vgprs(const struct codeobj_processor *p, bool wave32, unsigned vgprs)
{
    unsigned total, granule;
    vector_file(p, wave32, &total, &granule);
    unsigned used = (vgprs ? vgprs : 1) + granule - 1;
    used -= used % granule;
    unsigned waves = total / used;
    /* What a compiler emitted can be launched, if alone. */
    return waves ? waves : 1;
}

static unsigned waves_by_sgprs(const struct codeobj_processor *p, unsigned sgprs)
{
    static const struct {
        uint8_t sgprs, waves;
    } gfx6[] = { { 48, 10 }, { 56, 9 }, { 64, 8 }, { 72, 7 }, { 80, 6 }, { 255, 5 } },
      gfx8[] = { { 80, 10 }, { 88, 9 }, { 100, 8 }, { 255, 7 } };
    if (p->gen >= CODEOBJ_GEN_GFX10)
        return max_waves(p);
    unsigned i = 0;
    if (p->gen >= CODEOBJ_GEN_GFX8) {
        while (sgprs > gfx8[i].sgprs && gfx8[i].sgprs != 255)
            i++;
        return gfx8[i].waves;
    }
    while (sgprs > gfx6[i].sgprs && gfx6[i].sgprs != 255)
        i++;
    return gfx6[i].waves;
}

static void lds_file(const struct codeobj_processor *p, unsigned *total, unsigned *granule)
{
    *total = 65536;
    *granule = 512;
    if (p->gen == CODEOBJ_GEN_GFX6) {
        *granule = 256;
    } else if (p->gen == CODEOBJ_GEN_GFX9 && p->minor == 5) {
        *total = 163840;
        *granule = 1280;
    } else if (p->gen == CODEOBJ_GEN_GFX12 && p->features & CODEOBJ_FEATURE_1K_VGPRS) {
        *total = 327680;
        *granule = 2048;
    }
}

const char *codeobj_kernel_limiter_name(enum codeobj_kernel_limiter limiter)
{
    static const char *const names[] = { "waves", "vgprs", "sgprs", "lds", "workgroups" };
    return (unsigned)limiter < sizeof names / sizeof *names ? names[limiter] : NULL;
}

enum codeobj_status codeobj_kernel_occupancy(const struct codeobj_processor *p, const struct codeobj_kernel_resources *use,
                                             struct codeobj_kernel_occupancy *out, struct codeobj_diag *diag)
{
    if (!p || p->gen == CODEOBJ_GEN_R600)
        return co_fail(diag, CODEOBJ_UNSUPPORTED, "occupancy needs an amdgcn processor");
    if (use->wave_size != 32 && use->wave_size != 64)
        return co_fail(diag, CODEOBJ_INVALID, "wave size: found %u, expected 32 or 64", use->wave_size);
    /* A work-group addresses the LDS of one CU, in WGP mode too; on gfx6 half of it. */
    bool gfx10 = p->gen >= CODEOBJ_GEN_GFX10, wide = gfx10 && !(p->features & CODEOBJ_FEATURE_1K_VGPRS);
    struct codeobj_kernel_occupancy o = { .max_waves_per_simd = max_waves(p), .simds = wide && !use->wgp_mode ? SIMDS_CU_GFX10 : SIMDS };
    unsigned lds_total, lds_granule, group_waves = 1;
    lds_file(p, &lds_total, &lds_granule);
    o.lds_per_workgroup = p->gen == CODEOBJ_GEN_GFX6 ? lds_total / 2 : lds_total;
    if (wide && use->wgp_mode)
        lds_total *= 2;
    if (use->workgroup_size)
        group_waves = (use->workgroup_size - 1) / use->wave_size + 1;
    o.waves_per_workgroup = group_waves;
    o.waves_by_vgprs = waves_by_vgprs(p, use->wave_size == 32, use->vgprs);
    o.waves_by_sgprs = waves_by_sgprs(p, use->sgprs);
    unsigned waves = o.max_waves_per_simd;
    o.limiter = CODEOBJ_LIMITER_WAVES;
    if (o.waves_by_sgprs < waves) {
        waves = o.waves_by_sgprs;
        o.limiter = CODEOBJ_LIMITER_SGPRS;
    }
    if (o.waves_by_vgprs < waves) {
        waves = o.waves_by_vgprs;
        o.limiter = CODEOBJ_LIMITER_VGPRS;
    }
    /* Whole work-groups only, where their size is known. */
    uint64_t groups = (uint64_t)waves * o.simds / group_waves, group_limit = wide && use->wgp_mode ? GROUPS_WGP : GROUPS_CU;
    if (group_waves > 1 && groups > group_limit) {
        groups = group_limit;
        o.limiter = CODEOBJ_LIMITER_WORKGROUPS;
    }
    uint64_t lds = ((uint64_t)use->lds_bytes + lds_granule - 1) / lds_granule * lds_granule;
    uint64_t by_lds = !lds || lds > o.lds_per_workgroup ? 0 : lds_total / lds;
    o.workgroups_by_lds = (unsigned)by_lds;
    if (lds && by_lds < groups) {
        groups = by_lds;
        o.limiter = CODEOBJ_LIMITER_LDS;
    }
    o.workgroups = (unsigned)groups;
    uint64_t per_simd = (groups * group_waves + o.simds - 1) / o.simds;
    o.waves_per_simd = per_simd < waves ? (unsigned)per_simd : waves;
    o.lds_total = lds_total;
    *out = o;
    return CODEOBJ_OK;
}

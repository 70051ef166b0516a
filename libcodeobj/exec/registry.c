/* SPDX-License-Identifier: MIT
 *
 * exec/registry.c - which family builds which semantic.
 *
 * Families of handlers that do not depend on the instruction set of the host are listed
 * here; loops over lanes come from lanes/table.c, once per variant.
 */
#include "exec/registry.h"

#include "exec/device.h"
#include "isa/semantics.h"

const struct co_sem_row *const co_families[] = {
    co_family_salu, co_family_salu_float, co_family_flow, co_family_barrier, co_family_smem, co_family_cross, co_family_memory, co_family_ds, co_family_tensor,
    co_family_movrel, NULL
};

static void fill(const struct co_sem_row **rows, const struct co_sem_row *const *families)
{
    for (; *families; families++)
        for (const struct co_sem_row *r = *families; r->sem; r++)
            rows[r->sem] = r;
}

const struct co_sem_row *const *co_lane_families(unsigned lanes)
{
#if defined(__x86_64__) || defined(__amd64__)
    if (lanes == CO_LANES_AVX512)
        return co_lane_families_avx512;
    if (lanes == CO_LANES_AVX2)
        return co_lane_families_avx2;
#else
    (void)lanes;
#endif
    return co_lane_families_base;
}

void co_registry_fill(const struct co_sem_row **rows, unsigned lanes)
{
    fill(rows, co_families);
    fill(rows, co_lane_families(lanes));
}

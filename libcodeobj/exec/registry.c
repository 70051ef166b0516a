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

co_family *const co_families[] = {
    co_family_salu, co_family_salu_float, co_family_flow, co_family_hwreg, co_family_barrier, co_family_smem, co_family_cross, co_family_memory, co_family_ds, co_family_tensor,
    co_family_movrel, NULL
};

void co_row_enter(struct co_sem_row *rows, unsigned sem, co_build_fn *build, co_handler *fn, co_handler *alt, uint64_t data,
                  bool raw)
{
    rows[0].data++;
    rows[sem] = (struct co_sem_row){ (uint16_t)sem, build, fn, alt, data, raw };
}

static void fill(struct co_sem_row *rows, co_family *const *families)
{
    for (; *families; families++)
        (*families)(rows);
}

co_family *const *co_lane_families(unsigned lanes)
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

void co_registry_fill(struct co_sem_row *rows, unsigned lanes)
{
    fill(rows, co_families);
    fill(rows, co_lane_families(lanes));
}

/* SPDX-License-Identifier: MIT
 *
 * exec/registry.h - the families of handlers.
 */
#ifndef CO_EXEC_REGISTRY_H
#define CO_EXEC_REGISTRY_H

#include "exec/op.h"

co_family co_family_salu;  /* scalar integer arithmetic */
co_family co_family_salu_float;
co_family co_family_flow;  /* branches, waits */
co_family co_family_hwreg; /* hardware registers, MODE */
co_family co_family_barrier;
co_family co_family_smem;  /* scalar memory */
co_family co_family_cross; /* readlane, writelane, mbcnt and other lane crossers */
co_family co_family_memory;/* FLAT, GLOBAL, SCRATCH, buffers */
co_family co_family_ds;    /* LDS */

co_family co_family_tensor;/* tiles of tensors between memory and LDS */
co_family co_family_movrel; /* vector moves relative to M0 */

/* NULL-terminated. */
extern co_family *const co_families[];
extern co_family *const co_lane_families_base[];
extern co_family *const co_lane_families_avx2[];
extern co_family *const co_lane_families_avx512[];
co_family *const *co_lane_families(unsigned lanes);

#endif

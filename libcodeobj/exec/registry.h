/* SPDX-License-Identifier: MIT
 *
 * exec/registry.h - the families of handlers.
 */
#ifndef CO_EXEC_REGISTRY_H
#define CO_EXEC_REGISTRY_H

#include "exec/op.h"

extern const struct co_sem_row co_family_salu[];  /* scalar integer arithmetic */
extern const struct co_sem_row co_family_salu_float[];
extern const struct co_sem_row co_family_flow[];  /* branches, waits, hardware registers */
extern const struct co_sem_row co_family_barrier[];
extern const struct co_sem_row co_family_smem[];  /* scalar memory */
extern const struct co_sem_row co_family_cross[]; /* readlane, writelane, mbcnt and other lane crossers */
extern const struct co_sem_row co_family_memory[];/* FLAT, GLOBAL, SCRATCH, buffers */
extern const struct co_sem_row co_family_ds[];    /* LDS */

extern const struct co_sem_row co_family_tensor[];/* tiles of tensors between memory and LDS */
extern const struct co_sem_row co_family_movrel[]; /* vector moves relative to M0 */

/* NULL-terminated. */
extern const struct co_sem_row *const co_families[];
extern const struct co_sem_row *const co_lane_families_base[];
extern const struct co_sem_row *const co_lane_families_avx2[];
extern const struct co_sem_row *const co_lane_families_avx512[];
const struct co_sem_row *const *co_lane_families(unsigned lanes);

#endif

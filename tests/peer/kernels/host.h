/* SPDX-License-Identifier: MIT
 *
 * host.h - runs a test kernel on the CPU.
 */
#ifndef KERNELS_HOST_H
#define KERNELS_HOST_H

#include "kernel.h"

/* Runs the case's kernel over its whole grid, work-groups in order, with waves
 * of `wave` lanes.  Not reentrant. */
void host_run(const struct kernel_case *c, const union host_arg *args, u32 wave);

#endif

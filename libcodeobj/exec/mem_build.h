/* SPDX-License-Identifier: MIT
 *
 * exec/mem_build.h - builders of memory instructions, for mem_table.c.
 */
#ifndef CO_EXEC_MEM_BUILD_H
#define CO_EXEC_MEM_BUILD_H

#include "exec/op.h"

co_build_fn co_build_flat, co_build_flat_lds, co_build_flat_block, co_build_flat_async, co_build_buffer;

#endif

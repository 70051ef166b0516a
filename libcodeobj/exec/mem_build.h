/* SPDX-License-Identifier: MIT
 *
 * exec/mem_build.h - builders of memory instructions, for mem_table.c.
 */
#ifndef CO_EXEC_MEM_BUILD_H
#define CO_EXEC_MEM_BUILD_H

#include "exec/op.h"

co_build_fn co_build_flat, co_build_flat_lds, co_build_flat_block, co_build_flat_async, co_build_flat_transposed,
    co_build_buffer, co_build_image, co_build_gws;

/* Flags of image rows, above those of an access. */
#define CO_IMAGE_MIP (UINT64_C(1) << 40)    /* a level behind the coordinates */
#define CO_IMAGE_RAW (UINT64_C(1) << 41)    /* bits of an element, not converted */
#define CO_IMAGE_SIGNED (UINT64_C(1) << 42) /* raw, sign-extended */
#define CO_IMAGE_INFO (UINT64_C(1) << 43)   /* sizes of the image */

#endif

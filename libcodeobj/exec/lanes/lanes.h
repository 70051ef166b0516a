/* SPDX-License-Identifier: MIT
 *
 * exec/lanes/lanes.h - loops over lanes, built once per instruction set.
 *
 * Each file of this folder is compiled for base, AVX2 and AVX-512; CO_LANES names
 * the variant and CO_LANES_NAME(x) makes its symbols differ.  A file ends with a
 * table { semantic, handler, form } that lanes/table.c of the same variant lists;
 * nothing else leaves it.
 *
 * EACH_LANE(i, w) { ... } runs i over the lanes of the wave in blocks of 32.  Lanes
 * do not depend on each other: a lane reads its own element of source rows and
 * writes its own of the destination, which may be the same row.
 */
#ifndef CO_EXEC_LANES_H
#define CO_EXEC_LANES_H

#include <string.h>

#include "exec/op.h"

#define CO_LANES_CAT2(a, b) a##_##b
#define CO_LANES_CAT(a, b) CO_LANES_CAT2(a, b)
#define CO_LANES_NAME(x) CO_LANES_CAT(x, CO_LANES)

#if defined(__clang__)
#define CO_NO_DEPS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define CO_NO_DEPS _Pragma("GCC ivdep")
#else
#define CO_NO_DEPS
#endif

#define EACH_LANE(i, w)                                                            \
    for (unsigned block_##i = 0; block_##i < (w)->lanes; block_##i += 32)          \
        CO_NO_DEPS for (unsigned i = block_##i; i < block_##i + 32; i++)

#endif

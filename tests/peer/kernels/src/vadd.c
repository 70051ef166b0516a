/* SPDX-License-Identifier: MIT */
#include "kernel.h"

/* c[i] = a[i] + b[i] with a ragged last group. */
KERNEL void vadd(GLOBAL const f32 *a, GLOBAL const f32 *b, GLOBAL f32 *c, u32 n)
{
    u32 i = global_id(0);
    if (i < n)
        c[i] = canon_f32(a[i] + b[i]);
}
CASE(vadd, (a[0].p, a[1].p, a[2].p, (u32)a[3].u), .grid = { 1024 }, .group = { 256 },
     .args = { BUF(F32_ANY, 4000), BUF(F32_ANY, 4000), BUF(ZERO, 4000), VAL_U32(1000) })

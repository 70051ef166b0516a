/* SPDX-License-Identifier: MIT */
#include "kernel.h"

LDS u32 partial[256];

/* out[group] = wrapping sum of the group's elements: a tree in LDS. */
KERNEL void reduce(GLOBAL const u32 *in, GLOBAL u32 *out, u32 n)
{
    u32 lid = local_id(0), i = global_id(0);
    partial[lid] = i < n ? in[i] : 0;
    barrier();
    for (u32 step = 128; step > 0; step /= 2) {
        if (lid < step)
            partial[lid] += partial[lid + step];
        barrier();
    }
    if (lid == 0)
        out[group_id(0)] = partial[0];
}
CASE(reduce, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 2048 }, .group = { 256 },
     .args = { BUF(BITS, 8000), BUF(ZERO, 32), VAL_U32(2000) })

/* SPDX-License-Identifier: MIT
 *
 * What a kernel can know of its launch: identifiers in three dimensions, ragged
 * ends, the dispatch packet and the hidden arguments.
 */
#include "kernel.h"

KERNEL void grid_ids(GLOBAL u32 *out, GLOBAL u32 *visits)
{
    u32 x = global_id(0), y = global_id(1), z = global_id(2);
    u32 i = (z * grid_size(1) + y) * grid_size(0) + x;
    out[i * 3] = local_id(0) | local_id(1) << 10 | local_id(2) << 20;
    out[i * 3 + 1] = group_id(0) | group_id(1) << 10 | group_id(2) << 20;
    out[i * 3 + 2] = group_size(0) | group_size(1) << 10 | group_size(2) << 20;
    ATOMIC_ADD(&visits[i], 1);
}
CASE(grid_ids, (a[0].p, a[1].p), .grid = { 23, 14, 9 }, .group = { 8, 4, 2 },
     .args = { BUF(BITS, 23 * 14 * 9 * 12), BUF(ZERO, 23 * 14 * 9 * 4) })

/* y and z only from here: what is not asked for must not shift what is. */
KERNEL void grid_yz(GLOBAL u32 *out)
{
    u32 i = group_id(2) * 5 * 40 + group_id(1) * 40 + local_id(2) * 8 + local_id(1);
    out[i] = group_id(2) * 1000 + group_id(1) * 100 + local_id(2) * 10 + local_id(1);
}
CASE(grid_yz, (a[0].p), .grid = { 1, 40, 15 }, .group = { 1, 8, 5 }, .args = { BUF(BITS, 3 * 5 * 40 * 4) })

KERNEL void grid_z_only(GLOBAL u32 *out)
{
    out[group_id(2) * 2 + local_id(2)] = group_id(2) << 8 | local_id(2);
}
CASE(grid_z_only, (a[0].p), .grid = { 1, 1, 12 }, .group = { 1, 1, 2 }, .args = { BUF(BITS, 48) })

KERNEL void grid_packet(GLOBAL u32 *out)
{
    CONSTANT struct dispatch_packet *p = dispatch_packet();
    u32 i = (group_id(1) * 2 + group_id(0)) * 8;
    if (local_id(0) == 0 && local_id(1) == 0) {
        out[i] = p->setup & 3;
        for (u32 d = 0; d < 3; d++)
            out[i + 1 + d] = p->workgroup_size[d], out[i + 4 + d] = p->grid_size[d];
    }
}
CASE(grid_packet, (a[0].p), .grid = { 30, 20 }, .group = { 16, 8 }, .args = { BUF(ZERO, 2 * 3 * 32) })

KERNEL void grid_hidden(GLOBAL u32 *out)
{
    CONSTANT struct hidden_args *h = hidden_args();
    if (global_id(0) != 0)
        return;
    for (u32 d = 0; d < 3; d++) {
        out[d * 4] = h->block_count[d], out[d * 4 + 1] = h->group_size[d], out[d * 4 + 2] = h->remainder[d];
        out[d * 4 + 3] = (u32)h->global_offset[d] + (u32)(h->global_offset[d] >> 32);
    }
    out[12] = h->grid_dims;
}
CASE(grid_hidden, (a[0].p), .grid = { 100, 7, 3 }, .group = { 32, 4, 1 }, .version = 5, .args = { BUF(BITS, 52) })

/* Dynamic LDS behind a static part; both must be apart. */
LDS u32 fixed[32];
DYNAMIC_LDS(u32, room);
KERNEL void grid_dynamic_lds(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    u32 lid = local_id(0), n = group_size(0);
    for (u32 k = 0; k < 4; k++)
        room[k * n + lid] = in[global_id(0)] * (k + 1);
    if (lid < 32)
        fixed[lid] = lid * lid;
    barrier();
    out[global_id(0)] = room[(lid * 3 + 5) % (4 * n)] ^ fixed[lid & 31] ^ room[4 * n - 1 - lid];
}
CASE(grid_dynamic_lds, (a[0].p, a[1].p), .grid = { 256 }, .group = { 64 }, .dynamic_lds = 1024, .args = { BUF(BITS, 1024), BUF(ZERO, 1024) })

/* The largest group, a group of one, and a group that is not a multiple of the wave. */
KERNEL void grid_large_group(GLOBAL u32 *out)
{
    out[global_id(0)] = local_id(0) * 3 + group_id(0);
}
CASE(grid_large_group, (a[0].p), .grid = { 3000 }, .group = { 1024 }, .args = { BUF(BITS, 12000) })
KERNEL void grid_single(GLOBAL u32 *out)
{
    out[global_id(0)] = group_id(0) * 3 + grid_size(0);
}
CASE(grid_single, (a[0].p), .grid = { 17 }, .group = { 1 }, .args = { BUF(BITS, 68) })

/* Barriers that a work-item passes unevenly often are not allowed, but many in a row are. */
LDS u32 relay[100];
KERNEL void grid_odd_group(GLOBAL u32 *out, u32 rounds)
{
    u32 lid = local_id(0);
    relay[lid] = lid;
    for (u32 k = 0; k < rounds; k++) {
        barrier();
        u32 v = relay[(lid + 1) % 100];
        barrier();
        relay[lid] = v * 5 + k;
    }
    out[global_id(0)] = relay[lid];
}
CASE(grid_odd_group, (a[0].p, (u32)a[1].u), .grid = { 300 }, .group = { 100 }, .args = { BUF(BITS, 1200), VAL_U32(50) })

/* Globals of the object: initialised, zero, constant, and pointers between them. */
static const u32 constants[5] = { 3, 1, 4, 1, 5 };
GLOBAL u32 grid_counter_start[4] = { 10, 20, 30, 40 };
static GLOBAL u32 zeroed[8];
static GLOBAL const u32 *GLOBAL const links[3] = { &grid_counter_start[1], &grid_counter_start[3], &zeroed[2] };
KERNEL void grid_globals(GLOBAL u32 *out)
{
    u32 i = global_id(0);
    out[i] = *links[i % 3] * constants[i % 5] + zeroed[i & 7] + grid_counter_start[i & 3];
}
CASE(grid_globals, (a[0].p), .grid = { 64 }, .group = { 64 }, .args = { BUF(ZERO, 256) })

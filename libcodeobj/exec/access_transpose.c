/* SPDX-License-Identifier: MIT
 *
 * exec/access_transpose.c - what transposing loads of gfx12 and gfx1250 do with what 32 lanes have loaded.
 *
 * Lane s has loaded e consecutive elements of a row; the tiles are
 *
 *     16 bits  8 elements   lanes 8t to 8t+7                       element e of row r: lane 8t + e, place r
 *      8 bits  8 elements   lanes 0-3, 8-11; 4-7, 12-15; + 16      lane 8t + e (t: bit 2 of s), place r
 *      4 bits  16 elements  lanes 0-7, 16-23; 8-15, 24-31          lane 16t + e (t: bit 3 of s), place r
 *      6 bits  16 elements  lanes with bit 2 of s clear; set       lane 16t + e, place r
 *
 * where r counts the lanes of the tile.  Sources: READINGS.md.
 *
 * In wave64 (gfx12) 32 lanes have loaded the same matrix, and 64 hold it: what is in the upper half of the registers in wave32
 * goes to lanes 32 to 63.  So lie the matrices of WMMA (RDNA4 ISA document, 7.12.2): A of 16 bits has the lane
 * {col[2], row} and the register {col[3], col[1]} in wave32, {col[3:2], row} and col[1] in wave64; of 8 bits {col[3], row}
 * and col[2], then {col[2], col[3], row} and 0.
 *
 * EXEC is all or nothing: where one lane is on, all take part.
 */
#include "exec/access.h"

#include <string.h>

/* Row and tile of the lane that has loaded something. */
static unsigned row_of(unsigned bits, unsigned s)
{
    switch (bits) {
    case 16: return s & 7;
    case 8: return (s >> 3 & 1) * 4 + (s & 3);
    case 4: return (s >> 4) * 8 + (s & 7);
    default: return (s >> 3) * 4 + (s & 3);
    }
}
static unsigned first_lane(unsigned bits, unsigned s)
{
    switch (bits) {
    case 16: return s & ~7u;
    case 8: return (s & 16) + (s >> 2 & 1) * 8;
    case 4: return (s >> 3 & 1) * 16;
    default: return (s >> 2 & 1) * 16;
    }
}

void co_access_transpose(struct co_wave *w, unsigned bits, unsigned dwords, unsigned from, unsigned to)
{
    uint32_t out[4][32] = { 0 };
    const unsigned count = 32 * dwords / bits;
    for (unsigned s = 0; s < 32; s++)
        for (unsigned e = 0; e < count; e++) {
            const unsigned bit = e * bits, lane = first_lane(bits, s) + e, place = row_of(bits, s) * bits;
            uint64_t v = w->v[from + bit / 32][s];
            if (bit % 32 + bits > 32)
                v |= (uint64_t)w->v[from + bit / 32 + 1][s] << 32;
            v = (v >> bit % 32 & ((1u << bits) - 1)) << place % 32;
            out[place / 32][lane] |= (uint32_t)v;
            if (v >> 32)
                out[place / 32 + 1][lane] |= (uint32_t)(v >> 32);
        }
    const unsigned rows = dwords * 32 / w->lanes;
    for (unsigned d = 0; d < dwords; d++)
        memcpy(&w->v[to + d % rows][d / rows * 32], out[d], sizeof out[d]);
}

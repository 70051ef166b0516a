/* SPDX-License-Identifier: MIT
 *
 * Launches of the OpenCL kernels of opencl.cl.
 */
#include "kernel.h"

#ifndef __AMDGCN__
#undef UNIT
#define UNIT "opencl"

struct particle {
    f32 pos[4];
    f64 mass;
    i8 tag[4];
    u16 kind;
} __attribute__((aligned(16)));

void opencl_vectors(const void *, const void *, void *, void *);
void opencl_local(const void *, void *, void *, u32, void *);
void opencl_structs(void *, void *, struct particle);
void opencl_halves(const void *, void *, void *, const void *);
u32 opencl_local_id(u32 d);
u32 opencl_group_id(u32 d);
u32 opencl_group_size(u32 d);
void opencl_barrier(void);

u32 opencl_local_id(u32 d) { return local_id(d); }
u32 opencl_group_id(u32 d) { return group_id(d); }
u32 opencl_group_size(u32 d) { return group_size(d); }
void opencl_barrier(void) { barrier(); }

CASE(opencl_vectors, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { 256 }, .group = { 64 },
     .args = { BUF(BITS, 4096), BUF(INT_ANY, 2048), BUF(ZERO, 4096), BUF(ZERO, 2048) })
CASE(opencl_local, (a[0].p, a[1].p, a[2].p, (u32)a[3].u, a[4].p), .grid = { 192 }, .group = { 64 },
     .args = { BUF(BITS, 768), BUF(ZERO, 768), LOCAL_BYTES(256), VAL_U32(9), LOCAL_BYTES(4) })
static const struct particle extra = { { 1, -2, 3.5f, 0.25f }, 1.75, { 1, 2, 3, 0 }, 999 };
CASE(opencl_structs, (a[0].p, a[1].p, *(const struct particle *)a[2].p), .grid = { 64 }, .group = { 64 },
     .args = { BUF(ZERO, 64 * 32), BUF(ZERO, 512), VAL_BYTES(extra) })
CASE(opencl_halves, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { 256 }, .group = { 64 },
     .args = { BUF(F16, 512), BUF(ZERO, 512), BUF(ZERO, 1024), BUF(BITS, 2048) })
#endif

/* SPDX-License-Identifier: MIT
 *
 * Barriers in two halves (gfx12), named barriers (gfx1250); elsewhere whole ones do the same.
 */
#include "kernel.h"

#if defined(__gfx1200__) || defined(__gfx1201__) || defined(__gfx1250__) || defined(__gfx1251__)
static inline void arrive(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier_signal(-1);
}
static inline void wait(void)
{
    __builtin_amdgcn_s_barrier_wait(-1);
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#else
static inline void arrive(void) {}
static inline void wait(void) { barrier(); }
#endif

/* Other work between arriving and waiting. */
KERNEL void barriers_split(GLOBAL const u32 *in, GLOBAL u32 *out, u32 rounds)
{
    LDS u32 a[256], b[256];
    u32 id = global_id(0), lid = local_id(0), sum = in[id];
    for (u32 r = 0; r < rounds; r++) {
        a[lid] = sum + r;
        arrive();
        for (u32 k = 0; k < (lid & 7); k++)
            sum = sum * 33 + k;
        wait();
        b[lid] = a[(lid + 37) & 255] ^ sum;
        arrive();
        sum += in[(id + r) & 1023];
        wait();
        sum += b[255 - lid];
    }
    out[id] = sum;
}
CASE(barriers_split, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 1024 }, .group = { 256 },
     .args = { BUF(BITS, 4096), BUF(ZERO, 4096), VAL_U32(6) })

#if defined(__gfx1250__) || defined(__gfx1251__)
typedef __amdgpu_named_workgroup_barrier_t named;
#define NAMED static __attribute__((address_space(3), loader_uninitialized)) named
#define TAKE_PART(bar) __builtin_amdgcn_s_barrier_join(bar)
#define INIT(bar, waves) __builtin_amdgcn_s_barrier_init(bar, waves)
#define ARRIVE(bar, waves) \
    (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier_signal_var(bar, waves))
#define WAIT() (__builtin_amdgcn_s_barrier_wait(1), __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
#define EVERYBODY()
NAMED full, empty;
#else
#define TAKE_PART(bar)
#define INIT(bar, waves)
#define ARRIVE(bar, waves)
#define WAIT()
#define EVERYBODY() barrier()
#endif

/* Half of the waves fill LDS, the other half empty it; each half arrives at one barrier and waits at the other. */
KERNEL void barriers_named(GLOBAL const u32 *in, GLOBAL u32 *out, u32 rounds)
{
    LDS u32 box[64];
    u32 lid = local_id(0), group = group_id(0);
    INIT(&full, 128 / wave_size());
    INIT(&empty, 128 / wave_size());
    barrier();
    if (wave_first(lid) < 64)
        TAKE_PART(&empty);
    else
        TAKE_PART(&full);
    u32 sum = 0;
    for (u32 r = 0; r < rounds; r++) {
        if (wave_first(lid) < 64) {
            box[lid] = in[(group * 64 + lid + r * 5) & 1023] * (r + 1);
            ARRIVE(&full, 0);
        }
        EVERYBODY();
        if (wave_first(lid) >= 64) {
            ARRIVE(&full, 0);
            WAIT();
            sum = sum * 3 + box[127 - lid];
            ARRIVE(&empty, 0);
        }
        EVERYBODY();
        if (wave_first(lid) < 64) {
            ARRIVE(&empty, 0);
            WAIT();
        }
    }
    if (lid >= 64)
        out[group * 64 + lid - 64] = sum;
}
CASE(barriers_named, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 1024 }, .group = { 128 },
     .args = { BUF(BITS, 4096), BUF(ZERO, 2048), VAL_U32(5) })

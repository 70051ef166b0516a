/* SPDX-License-Identifier: MIT
 *
 * kernel.h - one source, two machines: what a test kernel may use.
 *
 * A kernel file is compiled twice.  For the GPU (clang -target amdgcn) the words
 * below are builtins and address spaces.  For the CPU they are functions of
 * host.c, which runs the work-items of a group as coroutines: barrier() and the
 * wave operations switch to the next work-item and come back when all the others
 * have got there, so they may only be used where every work-item of the group
 * (that has not ended) passes.
 *
 * CASE() says how a kernel is launched; it exists on the CPU only, where the
 * driver (driver.c) finds all cases in a section of their own.  Every buffer is
 * compared bit by bit after the run, so a kernel never stores an address or a
 * NaN of unknown payload (canon_f32 and friends make it one pattern).
 */
#ifndef KERNELS_KERNEL_H
#define KERNELS_KERNEL_H

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long i64;
typedef unsigned long u64;
typedef _Float16 f16;
typedef float f32;
typedef double f64;
typedef u32 u32x2 __attribute__((ext_vector_type(2)));
typedef u32 u32x3 __attribute__((ext_vector_type(3)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
typedef f32 f32x2 __attribute__((ext_vector_type(2)));
typedef f32 f32x4 __attribute__((ext_vector_type(4)));
typedef f16 f16x2 __attribute__((ext_vector_type(2)));
typedef i16 i16x2 __attribute__((ext_vector_type(2)));
typedef u16 u16x2 __attribute__((ext_vector_type(2)));
typedef u8 u8x4 __attribute__((ext_vector_type(4)));

#define NOINLINE __attribute__((noinline))

/* AQL kernel dispatch packet, HSA Runtime specification. */
struct dispatch_packet {
    u16 header, setup, workgroup_size[3], reserved0;
    u32 grid_size[3], private_segment_size, group_segment_size;
    u64 kernel_object, kernarg_address, reserved2, completion_signal;
};
/* The part of the hidden arguments (code object V5) that every kernel may read. */
struct hidden_args {
    u32 block_count[3];
    u16 group_size[3], remainder[3];
    u8 reserved0[16];
    u64 global_offset[3];
    u16 grid_dims;
};

#ifdef __AMDGCN__

#define KERNEL __attribute__((amdgpu_kernel, visibility("protected")))
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
#define LDS static __attribute__((address_space(3), loader_uninitialized))
#define DYNAMIC_LDS(type, name) extern __attribute__((address_space(3))) type name[]
#define CONSTANT const __attribute__((address_space(4)))

static inline u32 local_id(u32 d)
{
    return d == 0 ? __builtin_amdgcn_workitem_id_x()
                  : d == 1 ? __builtin_amdgcn_workitem_id_y() : __builtin_amdgcn_workitem_id_z();
}
static inline u32 group_id(u32 d)
{
    return d == 0 ? __builtin_amdgcn_workgroup_id_x()
                  : d == 1 ? __builtin_amdgcn_workgroup_id_y() : __builtin_amdgcn_workgroup_id_z();
}
/* The full size in a partial last group too. */
static inline u32 group_size(u32 d)
{
    return d == 0 ? __builtin_amdgcn_workgroup_size_x()
                  : d == 1 ? __builtin_amdgcn_workgroup_size_y() : __builtin_amdgcn_workgroup_size_z();
}
static inline u32 grid_size(u32 d)
{
    return d == 0 ? __builtin_amdgcn_grid_size_x()
                  : d == 1 ? __builtin_amdgcn_grid_size_y() : __builtin_amdgcn_grid_size_z();
}
static inline void barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
static inline CONSTANT struct dispatch_packet *dispatch_packet(void)
{
    return (CONSTANT struct dispatch_packet *)__builtin_amdgcn_dispatch_ptr();
}
static inline CONSTANT struct hidden_args *hidden_args(void)
{
    return (CONSTANT struct hidden_args *)__builtin_amdgcn_implicitarg_ptr();
}
static inline u32 wave_size(void)
{
    return __builtin_amdgcn_wavefrontsize();
}
/* Lane number, from the hardware's own count of lower lanes. */
static inline u32 lane_id(void)
{
    u32 low = __builtin_amdgcn_mbcnt_lo(~0u, 0);
    return wave_size() == 64 ? __builtin_amdgcn_mbcnt_hi(~0u, low) : low;
}
/* Value of another lane of the same wave, any index. */
static inline u32 wave_read(u32 value, u32 lane)
{
    return (u32)__builtin_amdgcn_ds_bpermute((i32)(lane << 2), (i32)value);
}
static inline u32 wave_first(u32 value)
{
    return (u32)__builtin_amdgcn_readfirstlane((i32)value);
}
static inline u64 wave_ballot(int bit)
{
    return __builtin_amdgcn_ballot_w64(bit != 0); /* zero-extended in wave32 */
}

#define CASE(...)

#else /* the CPU */

#define KERNEL
#define GLOBAL
#define LOCAL
#define LDS static
#define DYNAMIC_LDS(type, name) static type *const name = (type *)host_dynamic_lds
#define CONSTANT const

extern u32 host_local[3], host_group[3], host_group_size[3], host_grid[3], host_wave;
extern u64 host_dynamic_lds[8192];
extern struct dispatch_packet host_packet;
extern struct hidden_args host_hidden;
void host_barrier(void);
u32 host_lane(void);
u32 host_wave_read(u32 value, u32 lane);
u64 host_wave_ballot(int bit);

static inline u32 local_id(u32 d) { return host_local[d]; }
static inline u32 group_id(u32 d) { return host_group[d]; }
static inline u32 group_size(u32 d) { return host_group_size[d]; }
static inline u32 grid_size(u32 d) { return host_grid[d]; }
static inline void barrier(void) { host_barrier(); }
static inline const struct dispatch_packet *dispatch_packet(void) { return &host_packet; }
static inline const struct hidden_args *hidden_args(void) { return &host_hidden; }
static inline u32 wave_size(void) { return host_wave; }
static inline u32 lane_id(void) { return host_lane(); }
static inline u32 wave_read(u32 value, u32 lane) { return host_wave_read(value, lane); }
static inline u32 wave_first(u32 value) { return host_wave_read(value, 0); }
static inline u64 wave_ballot(int bit) { return host_wave_ballot(bit); }

#include "case.h"

#endif

static inline u32 global_id(u32 d)
{
    return group_id(d) * group_size(d) + local_id(d);
}
static inline u32 bits_f32(f32 x) { union { f32 f; u32 u; } v = { x }; return v.u; }
static inline f32 f32_bits(u32 x) { union { u32 u; f32 f; } v = { x }; return v.f; }
static inline u64 bits_f64(f64 x) { union { f64 f; u64 u; } v = { x }; return v.u; }
static inline f64 f64_bits(u64 x) { union { u64 u; f64 f; } v = { x }; return v.f; }
static inline u16 bits_f16(f16 x) { union { f16 f; u16 u; } v = { x }; return v.u; }
static inline f16 f16_bits(u16 x) { union { u16 u; f16 f; } v = { x }; return v.f; }
/* Which NaN an operation gives differs between machines; that it is one does not. */
/* By bits: the compiler may take "x != x ? NaN : x" for x. */
static inline f32 canon_f32(f32 x) { return (bits_f32(x) & 0x7fffffffu) > 0x7f800000u ? f32_bits(0x7fc00000) : x; }
static inline f64 canon_f64(f64 x)
{
    return (bits_f64(x) & 0x7fffffffffffffffu) > 0x7ff0000000000000u ? f64_bits(0x7ff8000000000000) : x;
}
static inline f16 canon_f16(f16 x) { return (bits_f16(x) & 0x7fffu) > 0x7c00u ? f16_bits(0x7e00) : x; }

/* order-free atomics */
#define ATOMIC_ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define ATOMIC_SUB(p, v) __atomic_fetch_sub(p, v, __ATOMIC_RELAXED)
#define ATOMIC_AND(p, v) __atomic_fetch_and(p, v, __ATOMIC_RELAXED)
#define ATOMIC_OR(p, v) __atomic_fetch_or(p, v, __ATOMIC_RELAXED)
#define ATOMIC_XOR(p, v) __atomic_fetch_xor(p, v, __ATOMIC_RELAXED)
#define ATOMIC_MIN(p, v) __atomic_fetch_min(p, v, __ATOMIC_RELAXED)
#define ATOMIC_MAX(p, v) __atomic_fetch_max(p, v, __ATOMIC_RELAXED)

#endif

/* SPDX-License-Identifier: MIT
 *
 * The same in OpenCL C.  There is no device library: work-item functions come
 * from the builtins on the GPU and from host.c on the CPU.  Their launches are
 * in opencl_cases.c.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#ifdef __AMDGCN__
uint lid(uint d)
{
    return d == 0 ? __builtin_amdgcn_workitem_id_x() : d == 1 ? __builtin_amdgcn_workitem_id_y() : __builtin_amdgcn_workitem_id_z();
}
uint wid(uint d)
{
    return d == 0 ? __builtin_amdgcn_workgroup_id_x() : d == 1 ? __builtin_amdgcn_workgroup_id_y() : __builtin_amdgcn_workgroup_id_z();
}
uint wsize(uint d)
{
    return d == 0 ? __builtin_amdgcn_workgroup_size_x()
                  : d == 1 ? __builtin_amdgcn_workgroup_size_y() : __builtin_amdgcn_workgroup_size_z();
}
void wait_all(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#else
uint opencl_local_id(uint d);
uint opencl_group_id(uint d);
uint opencl_group_size(uint d);
void opencl_barrier(void);
#define lid opencl_local_id
#define wid opencl_group_id
#define wsize opencl_group_size
#define wait_all opencl_barrier
#endif
#define gid(d) (wid(d) * wsize(d) + lid(d))

__constant uint weights[4] = { 1, 10, 100, 1000 };

kernel void opencl_vectors(global const uint4 *a, global const int2 *b, global uint4 *out, global float2 *f)
{
    uint i = gid(0);
    uint4 v = a[i];
    int2 w = b[i];
    uint4 r = v.wxyz * weights[i & 3] + (uint4)(w.x, w.y, i, 7);
    r = r > v ? r - v : v << (uint4)(1, 2, 3, 4);
    r.even ^= as_uint2(w);
    out[i] = r | (uint4)(w.x < 0 || w.y < 0 ? 1 : 0, w.x > 0 && w.y > 0 ? 2 : 0, 0, 0);
    f[i] = __builtin_convertvector(w, float2) * 0.5f + (float2)(v.x & 15, v.y & 31);
}

kernel void opencl_local(global const uint *in, global uint *out, local uint *room, uint n, local uint *total)
{
    uint i = lid(0);
    if (i == 0)
        *total = 0;
    room[i] = in[gid(0)];
    wait_all();
    uint sum = 0;
    for (uint k = 0; k < n; k++)
        sum += room[(i + k) % wsize(0)] * (k + 1);
    __opencl_atomic_fetch_add((local atomic_uint *)total, sum, memory_order_relaxed, memory_scope_work_group);
    wait_all();
    out[gid(0)] = *total ^ sum;
}

struct particle {
    float4 pos;
    double mass;
    char3 tag;
    ushort kind;
};
kernel void opencl_structs(global struct particle *p, global ulong *out, struct particle extra)
{
    uint i = gid(0);
    struct particle q = p[i];
    q.pos = q.pos.yzwx * 2.0f + extra.pos;
    q.mass = q.mass * 0.5 - extra.mass;
    q.tag = q.tag + extra.tag.zxy;
    q.kind = (ushort)(q.kind * 3 + extra.kind);
    p[i].pos = q.pos, p[i].mass = q.mass, p[i].tag = q.tag, p[i].kind = q.kind;
    out[i] = as_ulong(q.mass) + as_uint(q.pos.x) + q.kind;
}

kernel void opencl_halves(global const half *a, global half *out, global char4 *c, global const short4 *s)
{
    uint i = gid(0);
    half x = a[i], y = a[i ^ 1];
    half r = x * y + (half)0.25h;
    out[i] = x > y ? r : r - x;
    short4 t = s[i];
    c[i] = __builtin_convertvector(t >> (short)3, char4) ^ (char4)(1, 2, 3, 4);
}

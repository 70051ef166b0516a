/* SPDX-License-Identifier: MIT
 *
 * Floating-point programs: fractals, forces, transforms, stencils, rays.
 */
#include "kernel.h"

KERNEL void science_mandelbrot(GLOBAL u32 *out, u32 w, u32 h, u32 limit, f32 x0, f32 y0, f32 step)
{
    u32 px = global_id(0), py = global_id(1);
    if (px >= w || py >= h)
        return;
    f32 cx = x0 + (f32)px * step, cy = y0 + (f32)py * step, x = 0, y = 0;
    u32 n = 0;
    while (n < limit) {
        f32 xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = 2.0f * x * y + cy, x = xx - yy + cx;
        n++;
    }
    out[py * w + px] = n;
}
CASE(science_mandelbrot, (a[0].p, (u32)a[1].u, (u32)a[2].u, (u32)a[3].u, a[4].f, a[5].f, a[6].f), .grid = { 64, 48 }, .group = { 16, 4 },
     .args = { BUF(BITS, 60 * 45 * 4), VAL_U32(60), VAL_U32(45), VAL_U32(200), VAL_F32(0xc0000000), VAL_F32(0xbf99999a), VAL_F32(0x3d4ccccd) })

KERNEL void science_julia(GLOBAL u32 *out, f64 cx, f64 cy, u32 limit)
{
    f64 x = (f64)global_id(0) * 0.0625 - 2, y = (f64)global_id(1) * 0.125 - 2;
    u32 n = 0;
    for (; n < limit && x * x + y * y <= 4; n++) {
        f64 t = __builtin_fma(x, x, -(y * y)) + cx;
        y = 2 * x * y + cy, x = t;
    }
    out[global_id(1) * grid_size(0) + global_id(0)] = n;
}
CASE(science_julia, (a[0].p, a[1].d, a[2].d, (u32)a[3].u), .grid = { 64, 32 }, .group = { 32, 2 },
     .args = { BUF(BITS, 8192), VAL_F64(0xbfe999999999999a), VAL_F64(0x3fc3f7ced916872b), VAL_U32(300) })

LDS f32x4 bodies[64];
KERNEL void science_nbody(GLOBAL const f32x4 *pos, GLOBAL f32x4 *vel, GLOBAL f32x4 *out, u32 n, f32 dt)
{
    u32 i = global_id(0), lid = local_id(0);
    f32x4 p = pos[i];
    f32 ax = 0, ay = 0, az = 0;
    for (u32 t = 0; t < n; t += 64) {
        bodies[lid] = pos[t + lid];
        barrier();
        for (u32 k = 0; k < 64; k++) {
            f32 dx = bodies[k].x - p.x, dy = bodies[k].y - p.y, dz = bodies[k].z - p.z;
            f32 r2 = dx * dx + dy * dy + dz * dz + 0.01f;
            f32 inv = 1.0f / __builtin_sqrtf(r2), s = bodies[k].w * inv * inv * inv;
            ax += dx * s, ay += dy * s, az += dz * s;
        }
        barrier();
    }
    f32x4 v = vel[i];
    v.x += ax * dt, v.y += ay * dt, v.z += az * dt;
    vel[i] = v;
    p.x += v.x * dt, p.y += v.y * dt, p.z += v.z * dt;
    out[i] = p;
}
CASE(science_nbody, (a[0].p, a[1].p, a[2].p, (u32)a[3].u, a[4].f), .grid = { 192 }, .group = { 64 },
     .args = { BUF(F32, 3072), BUF(F32, 3072), BUF(ZERO, 3072), VAL_U32(192), VAL_F32(0x3c23d70a) })

/* Radix-2 transform in LDS; the twiddles by a recurrence in double, the same on both machines. */
LDS f32 re[256], im[256];
KERNEL void science_fft(GLOBAL const f32x2 *in, GLOBAL f32x2 *out)
{
    u32 lid = local_id(0), base = group_id(0) * 256;
    for (u32 k = lid; k < 256; k += 128) {
        u32 r = __builtin_bitreverse32(k) >> 24;
        re[r] = in[base + k].x, im[r] = in[base + k].y;
    }
    barrier();
    for (u32 size = 2; size <= 256; size *= 2) {
        u32 half = size / 2, j = lid & (half - 1), x = (lid / half) * size + j, y = x + half;
        /* e^(-i pi j / half) by repeated squaring of e^(-i pi / 128) */
        f64 wr = 1, wi = 0, br = 0.99969881869620422, bi = -0.024541228522912288;
        for (u32 e = j * (128 / half); e; e >>= 1) {
            if (e & 1) {
                f64 t = wr * br - wi * bi;
                wi = wr * bi + wi * br, wr = t;
            }
            f64 t = br * br - bi * bi;
            bi = 2 * br * bi, br = t;
        }
        f32 c = (f32)wr, s = (f32)wi;
        f32 tr = re[y] * c - im[y] * s, ti = re[y] * s + im[y] * c, ur = re[x], ui = im[x];
        re[x] = ur + tr, im[x] = ui + ti, re[y] = ur - tr, im[y] = ui - ti;
        barrier();
    }
    for (u32 k = lid; k < 256; k += 128)
        out[base + k] = (f32x2){ re[k], im[k] };
}
CASE(science_fft, (a[0].p, a[1].p), .grid = { 256 }, .group = { 128 }, .args = { BUF(F32, 4096), BUF(ZERO, 4096) })

/* Heat on a three-dimensional grid with ragged groups; edges stay. */
KERNEL void science_heat(GLOBAL const f32 *in, GLOBAL f32 *out, u32 nx, u32 ny, u32 nz)
{
    u32 x = global_id(0), y = global_id(1), z = global_id(2), i = (z * ny + y) * nx + x;
    if (x >= nx || y >= ny || z >= nz)
        return;
    if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) {
        out[i] = in[i];
        return;
    }
    f32 sum = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny];
    out[i] = in[i] + 0.125f * (sum - 6.0f * in[i]);
}
CASE(science_heat, (a[0].p, a[1].p, (u32)a[2].u, (u32)a[3].u, (u32)a[4].u), .grid = { 20, 12, 10 }, .group = { 8, 4, 4 },
     .args = { BUF(F32, 19 * 11 * 9 * 4), BUF(ZERO, 19 * 11 * 9 * 4), VAL_U32(19), VAL_U32(11), VAL_U32(9) })

/* Exponential, logarithm and sine by polynomials in our own words. */
static f64 exp_of(f64 x)
{
    f64 n = __builtin_floor(x * 1.4426950408889634 + 0.5), r = x - n * 0.6931471805599453, t = 1, s = 1;
    for (u32 k = 1; k < 14; k++)
        t = t * r / (f64)k, s += t;
    return __builtin_ldexp(s, (i32)n);
}
static f64 log_of(f64 x)
{
    i32 e = 0;
    f64 m = __builtin_frexp(x, &e), z = (m - 0.75) / (m + 0.75), t = z, s = 0;
    for (u32 k = 1; k < 30; k += 2)
        s += t / (f64)k, t = t * z * z;
    return 2 * s + (f64)e * 0.6931471805599453 - 0.2876820724517809;
}
static f64 sin_of(f64 x)
{
    f64 n = __builtin_rint(x * 0.15915494309189535), r = x - n * 6.283185307179586, t = r, s = r;
    for (u32 k = 1; k < 14; k++)
        t = -t * r * r / (f64)((2 * k) * (2 * k + 1)), s += t;
    return s;
}
KERNEL void science_functions(GLOBAL const f64 *in, GLOBAL f64 *out)
{
    u32 i = global_id(0);
    f64 x = in[i];
    out[i * 4] = exp_of(x), out[i * 4 + 1] = log_of(x * x + 0.001), out[i * 4 + 2] = sin_of(x);
    out[i * 4 + 3] = exp_of(log_of(x * x + 1) * 0.3) * sin_of(x * 0.5);
}
CASE(science_functions, (a[0].p, a[1].p), .grid = { 256 }, .group = { 64 }, .args = { BUF(F64, 2048), BUF(ZERO, 8192) })

/* Black and Scholes' shape: a rational approximation with many operations, in f32. */
static f32 normal_cdf(f32 d)
{
    f32 k = 1.0f / (1.0f + 0.2316419f * __builtin_fabsf(d));
    f32 poly = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    f32 r = 0.39894228f * (f32)exp_of(-0.5 * d * d) * poly;
    return d > 0 ? 1.0f - r : r;
}
KERNEL void science_options(GLOBAL const f32 *price, GLOBAL const f32 *strike, GLOBAL f32 *call, GLOBAL f32 *put)
{
    u32 i = global_id(0);
    f32 s = 5.0f + __builtin_fabsf(price[i]) * 0.25f, x = 1.0f + __builtin_fabsf(strike[i]), t = 0.25f + (f32)(i & 15) * 0.5f;
    f32 root = __builtin_sqrtf(t), d1 = ((f32)log_of(s / x) + (0.02f + 0.5f * 0.09f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
    f32 c1 = normal_cdf(d1), c2 = normal_cdf(d2), discount = (f32)exp_of(-0.02 * t);
    call[i] = s * c1 - x * discount * c2;
    put[i] = x * discount * (1.0f - c2) - s * (1.0f - c1);
}
CASE(science_options, (a[0].p, a[1].p, a[2].p, a[3].p), .grid = { 512 }, .group = { 128 },
     .args = { BUF(F32, 2048), BUF(F32, 2048), BUF(ZERO, 2048), BUF(ZERO, 2048) })

/* Rays against spheres with two bounces: sqrt, division, branches, structures. */
struct vec { f32 x, y, z; };
static struct vec add(struct vec a, struct vec b, f32 s) { return (struct vec){ a.x + b.x * s, a.y + b.y * s, a.z + b.z * s }; }
static f32 dot(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static struct vec unit(struct vec a)
{
    f32 s = 1.0f / __builtin_sqrtf(dot(a, a));
    return (struct vec){ a.x * s, a.y * s, a.z * s };
}
static f32 hit(struct vec o, struct vec d, f32x4 s)
{
    struct vec c = { o.x - s.x, o.y - s.y, o.z - s.z };
    f32 b = dot(c, d), q = b * b - dot(c, c) + s.w * s.w;
    if (q < 0)
        return -1;
    q = __builtin_sqrtf(q);
    return -b - q > 0.001f ? -b - q : -b + q;
}
KERNEL void science_rays(GLOBAL u32 *out, u32 w, u32 h)
{
    const f32x4 ball[4] = { { 0, 0, 5, 1 }, { 1.5f, 0.5f, 6, 1.25f }, { -2, 0.25f, 7, 1.5f }, { 0, -101, 5, 100 } };
    u32 px = global_id(0), py = global_id(1);
    struct vec o = { 0, 0, 0 }, d = unit((struct vec){ ((f32)px - (f32)w / 2) / (f32)h, ((f32)h / 2 - (f32)py) / (f32)h, 1 });
    f32 light = 0, weight = 1;
    for (u32 bounce = 0; bounce < 3; bounce++) {
        f32 best = 1e30f;
        i32 which = -1;
        for (i32 k = 0; k < 4; k++) {
            f32 t = hit(o, d, ball[k]);
            if (t > 0.001f && t < best)
                best = t, which = k;
        }
        if (which < 0) {
            light += weight * (0.5f + 0.5f * d.y);
            break;
        }
        o = add(o, d, best);
        struct vec n = unit((struct vec){ o.x - ball[which].x, o.y - ball[which].y, o.z - ball[which].z });
        f32 diffuse = dot(n, (struct vec){ 0.577f, 0.577f, -0.577f });
        light += weight * 0.6f * (diffuse > 0 ? diffuse : 0);
        d = unit(add(d, n, -2 * dot(d, n)));
        weight *= 0.4f;
    }
    out[py * w + px] = bits_f32(light);
}
CASE(science_rays, (a[0].p, (u32)a[1].u, (u32)a[2].u), .grid = { 48, 32 }, .group = { 16, 8 },
     .args = { BUF(BITS, 48 * 32 * 4), VAL_U32(48), VAL_U32(32) })

/* Means that move, in f16 and f32, with rounding at every step. */
KERNEL void science_filter(GLOBAL const f16 *in, GLOBAL f16 *out, u32 n)
{
    u32 i = global_id(0);
    f16 state = 0, peak = 0;
    for (u32 k = 0; k < n; k++) {
        f16 x = in[i * n + k];
        state = state + (x - state) * (f16)0.125f;
        peak = x > peak ? x : peak * (f16)0.96875f;
        out[i * n + k] = state / (peak + (f16)1) + (f16)__builtin_sqrtf((f32)peak);
    }
}
CASE(science_filter, (a[0].p, a[1].p, (u32)a[2].u), .grid = { 64 }, .group = { 64 },
     .args = { BUF(F16, 64 * 60), BUF(ZERO, 64 * 60), VAL_U32(30) })

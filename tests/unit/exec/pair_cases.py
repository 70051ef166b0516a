# SPDX-License-Identifier: MIT
"""Every pair of dual-issue halves: each half reads the register that the other writes, so that both must read first."""
from model import *

K = 0x40490fdb
# v0 to v7, s2, s3 and the mask: floats with low bits that make sums and products round, and shifts move
V = [0x40400003, 0x40a00005, 0xc0000002, 0x40e00007, 0x3f800009, 0xbf00000b, 0x4110000d, 0x40b0000f]


def dot(fmt):
    def f(d, x, y):
        acc = d
        for lo in (0, 16):
            p = fmt.value(x >> lo & 0xffff) * fmt.value(y >> lo & 0xffff)
            acc = F32.round(F32.value(acc) + p)
        return acc
    return f


def pick(larger):
    return lambda d, x, y: x if (F32.value(x) > F32.value(y)) == larger else y


M = (1 << 32) - 1
signed = lambda v: v - (1 << 32) if v >> 31 else v
BF16 = Fmt(8, 7)
# name -> what it makes of its old destination and two sources
OPS = {
    "fmac_f32": lambda d, x, y: fma(F32, x, y, d),
    "fmaak_f32": lambda d, x, y: fma(F32, x, y, K),
    "fmamk_f32": lambda d, x, y: fma(F32, x, K, y),
    "mul_f32": lambda d, x, y: mul(F32, x, y),
    "add_f32": lambda d, x, y: add(F32, x, y),
    "sub_f32": lambda d, x, y: add(F32, x, F32.neg(y)),
    "subrev_f32": lambda d, x, y: add(F32, y, F32.neg(x)),
    "mul_dx9_zero_f32": lambda d, x, y: mul(F32, x, y),
    "mov_b32": lambda d, x, y: x,
    "cndmask_b32": lambda d, x, y: y,  # every bit of the mask is set
    "max_f32": pick(True), "max_num_f32": pick(True), "min_f32": pick(False), "min_num_f32": pick(False),
    "dot2acc_f32_f16": dot(F16), "dot2acc_f32_bf16": dot(BF16),
    "add_nc_u32": lambda d, x, y: (x + y) & M, "sub_nc_u32": lambda d, x, y: (x - y) & M,
    "lshlrev_b32": lambda d, x, y: y << (x & 31) & M, "lshrrev_b32": lambda d, x, y: y >> (x & 31),
    "ashrrev_i32": lambda d, x, y: signed(y) >> (x & 31) & M,
    "and_b32": lambda d, x, y: x & y,
    "max_i32": lambda d, x, y: x if signed(x) > signed(y) else y, "min_i32": lambda d, x, y: x if signed(x) < signed(y) else y,
}
WIDE = {"add_f64": add, "mul_f64": mul, "max_num_f64": lambda f, x, y: x if f.value(x) > f.value(y) else y, "min_num_f64": lambda f, x, y: x if f.value(x) < f.value(y) else y}
YONLY = ["add_nc_u32", "lshlrev_b32", "and_b32"]
LATER = ["sub_nc_u32", "lshrrev_b32", "ashrrev_i32", "max_i32", "min_i32"]


def text(op, d, x, y):
    if op == "mov_b32":
        return "v_dual_mov_b32 %s, %s" % (d, x)
    if op == "fmaak_f32":
        return "v_dual_fmaak_f32 %s, %s, %s, 0x%x" % (d, x, y, K)
    if op == "fmamk_f32":
        return "v_dual_fmamk_f32 %s, %s, 0x%x, %s" % (d, x, K, y)
    return "v_dual_%s %s, %s, %s" % (op, d, x, y)


def make(m):
    regs = " ".join("v%d" % i for i in range(8))
    names = list(OPS)

    def pair(x, y, xs, ys, ins, outs, row, targets, title=None):
        m.block("pairs", text(x, *xs) + " :: " + text(y, *ys), ins, outs, [row], targets, title=title, optional=True)
    # v0 = X(v1, v3), v1 = Y(v0, v2), in every order of the two
    for x in names:
        for y in names:
            targets = m.GFX11 + m.GFX12
            if x in YONLY + LATER or y in LATER:
                targets = ["gfx1250"]
            pair(x, y, ("v0", "v1", "v3"), ("v1", "v0", "v2"), regs + " vcc", "v0 v1",
                 tuple(V) + (m.M64, OPS[x](V[0], V[1], V[3]), OPS[y](V[1], V[0], V[2])), targets)
    # both halves write what the other one only reads as its second source
    for x, y in (("add_f32", "mul_f32"), ("fmac_f32", "fmac_f32"), ("sub_f32", "add_nc_u32"), ("max_num_f32", "min_num_f32"), ("max_f32", "min_f32")):
        pair(x, y, ("v2", "v1", "v3"), ("v3", "v0", "v2"), regs, "v2 v3", tuple(V) + (OPS[x](V[2], V[1], V[3]), OPS[y](V[3], V[0], V[2])), m.GFX11 + m.GFX12, "second sources")
    # forms of the first source: scalar, literal, inline constant, both halves the same scalar
    for x, y in (("add_f32", "mul_f32"), ("mov_b32", "add_nc_u32"), ("cndmask_b32", "lshlrev_b32"), ("subrev_f32", "mov_b32"), ("fmac_f32", "sub_f32")):
        for xs, xv, ys, yv in (("s2", V[4], "v0", V[0]), ("v1", V[1], "s3", V[5]), ("s2", V[4], "s3", V[5]), ("s2", V[4], "s2", V[4]), ("2.0", 0x40000000, "v0", V[0]), ("v1", V[1], "-3", M - 2),
                               ("0x%x" % K, K, "v0", V[0]), ("v1", V[1], "0x%x" % K, K), ("0x%x" % K, K, "0x%x" % K, K), ("vcc_hi", M, "v0", V[0])):
            if yv == M - 2 and y.endswith("f32"):
                continue
            pair(x, y, ("v0", xs, "v3"), ("v1", ys, "v2"), "v0 v1 v2 v3 s2 s3 vcc", "v0 v1",
                 tuple(V[:4]) + (V[4], V[5], m.M64, OPS[x](V[0], xv, V[3]), OPS[y](V[1], yv, V[2])), m.GFX11 + m.GFX12, "first sources")
    # VOPD3: negated sources, any register as destination, masks in scalar registers, three sources
    neg = F32.neg
    three = [("v_dual_add_f32 v0, -v1, v3 :: v_dual_mul_f32 v2, v0, -v2", add(F32, neg(V[1]), V[3]), mul(F32, V[0], neg(V[2]))),
             ("v_dual_sub_f32 v0, v1, -v3 :: v_dual_subrev_f32 v2, -v0, v2", add(F32, V[1], V[3]), add(F32, V[2], V[0])),
             ("v_dual_fma_f32 v0, v1, v3, -v2 :: v_dual_fma_f32 v2, v0, -v2, v7", fma(F32, V[1], V[3], neg(V[2])), fma(F32, V[0], neg(V[2]), V[7])),
             ("v_dual_cndmask_b32 v0, v1, v3, s2 :: v_dual_cndmask_b32 v2, v0, v2, s3", V[3], V[0]),
             ("v_dual_mul_f32 v0, s2, v3 :: v_dual_add_f32 v2, s2, v2", mul(F32, M, V[3]), None)]
    for asm, a, b in three[:4]:
        m.block("pairs", asm, regs + " s2 s3", "v0 v2", [tuple(V) + (M, 0, a, b)], ["gfx1250"], title="VOPD3", optional=True)
    # 64 bits beside 32: v[0:1] = X(v[2:3], v[4:5]), v6 = Y(v0, v2); the other way about; both wide
    D = lambda i: V[i + 1] << 32 | V[i]
    for w, f in WIDE.items():
        for n in ("add_f32", "mov_b32", "add_nc_u32", "fmac_f32"):
            a, b = f(F64, D(2), D(4)), OPS[n](V[3], V[0], V[6])
            for first in (True, False):
                x, y = "v_dual_%s v[0:1], v[2:3], v[4:5]" % w, text(n, "v3", "v0", "v6")
                m.block("pairs", " :: ".join((x, y) if first else (y, x)), regs, "v[0:1] v3", [tuple(V) + (a, b)], ["gfx1250"], title="64 bits", optional=True)

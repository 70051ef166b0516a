# SPDX-License-Identifier: MIT
"""Packed, cross-lane, memory and MODE cases for make_cases.py."""
from fractions import Fraction

from model import *


def make(m):
    packed(m)
    lanes(m)
    memory(m)
    mode(m)
    dual(m)
    halves(m)


# ---- packed, dot, mixed --------------------------------------------------------
def packed(m):
    P, new = "packed", m.GFX9 + m.GFX10 + m.GFX11 + m.GFX12
    h = [0, 1, 0x7fff, 0x8000, 0xffff, 0x1234, 0x00f0]
    words = [a << 16 | b for a, b in m.pairs(h)]
    s16 = lambda v: sx(v, 16)

    def two(name, f, sel=(lambda x: (x & 0xffff, x >> 16),) * 2, mods="", targets=None):
        rows = []
        for x, y in m.rot(words, 2, 5) + m.rot(words, 2, 11):
            a, b = sel[0](x), sel[1](y)
            rows.append((x, y, f(a[0], b[0]) & 0xffff | (f(a[1], b[1]) & 0xffff) << 16))
        m.block(P, "%s v2, v0, v1%s" % (name, mods), "v0 v1", "v2", rows, targets or new)
    ints = (("v_pk_add_u16", lambda x, y: x + y), ("v_pk_sub_u16", lambda x, y: x - y), ("v_pk_add_i16", lambda x, y: x + y), ("v_pk_sub_i16", lambda x, y: x - y),
            ("v_pk_mul_lo_u16", lambda x, y: x * y), ("v_pk_min_i16", lambda x, y: min(x, y, key=s16)), ("v_pk_max_i16", lambda x, y: max(x, y, key=s16)),
            ("v_pk_min_u16", min), ("v_pk_max_u16", max), ("v_pk_lshlrev_b16", lambda x, y: y << (x & 15)), ("v_pk_lshrrev_b16", lambda x, y: y >> (x & 15)),
            ("v_pk_ashrrev_i16", lambda x, y: s16(y) >> (x & 15)))
    for n, f in ints:
        two(n, f)
    lo, hi = (lambda x: x & 0xffff), (lambda x: x >> 16)
    two("v_pk_sub_u16", lambda x, y: x - y, (lambda x: (hi(x), lo(x)), lambda y: (lo(y), lo(y))), " op_sel:[1,0] op_sel_hi:[0,0]")
    two("v_pk_sub_u16", lambda x, y: max(0, x - y), mods=" clamp")
    two("v_pk_add_u16", lambda x, y: min(0xffff, x + y), mods=" clamp")
    two("v_pk_add_i16", lambda x, y: max(-0x8000, min(0x7fff, s16(x) + s16(y))), mods=" clamp")
    three = [t + (((lo(t[0]) * lo(t[1]) + lo(t[2])) & 0xffff) | ((hi(t[0]) * hi(t[1]) + hi(t[2])) & 0xffff) << 16,) for t in m.rot(words, 3, 5)]
    m.block(P, "v_pk_mad_u16 v3, v0, v1, v2", "v0 v1 v2", "v3", three, new)
    m.block(P, "v_pk_mad_i16 v3, v0, v1, v2", "v0 v1 v2", "v3", three, new)

    # halves; a NaN anywhere leaves its half unlooked at
    def join(a, b):
        t = lambda v: "xxxx" if v == NAN else "%04x" % v
        return t(b) + t(a)
    f16 = [a << 16 | b for a, b in m.rot(m.FLOATS16, 2, 5) + m.rot(m.FLOATS16, 2, 3)]
    neg = F16.neg
    for n, f in (("v_pk_add_f16", add), ("v_pk_mul_f16", mul)):
        m.block(P, n + " v2, v0, v1", "v0 v1", "v2", [(x, y, join(f(F16, lo(x), lo(y)), f(F16, hi(x), hi(y)))) for x, y in m.rot(f16, 2, 5)], new)
        m.block(P, n + " v2, v0, v1 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[1,0] neg_hi:[0,1]", "v0 v1", "v2",
                [(x, y, join(f(F16, neg(hi(x)), lo(y)), f(F16, lo(x), neg(hi(y))))) for x, y in m.rot(f16, 2, 5)], new)
    m.block(P, "v_pk_fma_f16 v3, v0, v1, v2", "v0 v1 v2", "v3", [(x, y, z, join(fma(F16, lo(x), lo(y), lo(z)), fma(F16, hi(x), hi(y), hi(z)))) for x, y, z in m.rot(f16, 3, 5)], new)
    real = [a << 16 | b for a, b in m.pairs([x for x in m.FLOATS16 if not F16.is_nan(x) and x != 0x8000], 3)]
    k = lambda v: key(F16, v)
    for n, f in (("min", min), ("max", max)):
        m.block(P, ["v_pk_%s_f16 v2, v0, v1" % n, "v_pk_%s_num_f16 v2, v0, v1" % n], "v0 v1", "v2",
                [(x, y, f(lo(x), lo(y), key=k) | f(hi(x), hi(y), key=k) << 16) for x, y in m.rot(real, 2, 5)], new)
    # pairs of floats
    f32x2 = [a << 32 | b for a, b in m.rot(m.FLOATS32, 2, 5)]
    l32, h32 = (lambda x: x & m.M32), (lambda x: x >> 32)

    def join32(a, b):
        t = lambda v: "x" * 8 if v == NAN else "%08x" % v
        return t(b) + t(a)
    cdna = ["gfx90a", "gfx942", "gfx950"]
    for n, f in (("v_pk_add_f32", add), ("v_pk_mul_f32", mul)):
        m.block(P, n + " v[4:5], v[0:1], v[2:3]", "v[0:1] v[2:3]", "v[4:5]", [(x, y, join32(f(F32, l32(x), l32(y)), f(F32, h32(x), h32(y)))) for x, y in m.rot(f32x2, 2, 3)], cdna + ["gfx1250"])
        m.block(P, n + " v[4:5], v[0:1], v[2:3] op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[0,1]", "v[0:1] v[2:3]", "v[4:5]",
                [(x, y, join32(f(F32, h32(x), F32.neg(l32(y))), f(F32, l32(x), h32(y)))) for x, y in m.rot(f32x2, 2, 3)], cdna + ["gfx1250"])
    m.block(P, "v_pk_fma_f32 v[6:7], v[0:1], v[2:3], v[4:5]", "v[0:1] v[2:3] v[4:5]", "v[6:7]",
            [(x, y, z, join32(fma(F32, l32(x), l32(y), l32(z)), fma(F32, h32(x), h32(y), h32(z)))) for x, y, z in m.rot(f32x2, 3, 3)], cdna + ["gfx1250"])
    m.block(P, "v_pk_mov_b32 v[4:5], s[6:7], s[6:7] op_sel:[0,1]", "s[6:7]", "v[4:5]", [(0x1111111122222222, 0x1111111122222222)], cdna)
    m.block(P, "v_pk_mov_b32 v[4:5], v[0:1], v[2:3] op_sel:[1,0]", "v[0:1] v[2:3]", "v[4:5]", [(0x1111111122222222, 0x3333333344444444, 0x4444444411111111)], cdna)

    # dots: integers exactly
    by = lambda v, s: [sx(v >> 8 * i, 8) if s else v >> 8 * i & 255 for i in range(4)]
    nib = lambda v, s: [sx(v >> 4 * i, 4) if s else v >> 4 * i & 15 for i in range(8)]
    sh = lambda v, s: [sx(v >> 16 * i, 16) if s else v >> 16 * i & 0xffff for i in range(2)]
    dots = m.rot([0, 0x80808080, 0x7f7f7f7f, 0xffffffff, 0x01020304, 0xdeadbeef, 0x80000000, 0x7fffffff, 0x12345678], 3, 5)
    gfx906 = ["gfx906", "gfx90a", "gfx950", "gfx1030"]

    def dot(name, take, sa, sb, targets, mods=""):
        for clamp in "", " clamp":
            rows = []
            for a, b, c in dots:
                v = sum(p * q for p, q in zip(take(a, sa), take(b, sb))) + (sx(c, 32) if sa or sb else c)
                if clamp:
                    v = max(-2**31, min(2**31 - 1, v)) if sa or sb else min(m.M32, v)
                rows.append((a, b, c, v))
            m.block(P, "%s v3, v0, v1, v2%s%s" % (name, mods, clamp), "v0 v1 v2", "v3", rows, targets)
    dot("v_dot4_i32_i8", by, 1, 1, gfx906)
    dot("v_dot4_u32_u8", by, 0, 0, gfx906 + m.GFX11 + ["gfx1200"])
    dot("v_dot8_i32_i4", nib, 1, 1, gfx906)
    dot("v_dot8_u32_u4", nib, 0, 0, gfx906 + m.GFX11 + ["gfx1200"])
    dot("v_dot2_i32_i16", sh, 1, 1, gfx906)
    dot("v_dot2_u32_u16", sh, 0, 0, gfx906)
    for sa in 0, 1:
        for sb in 0, 1:
            mods = " neg_lo:[%d,%d,0]" % (sa, sb) if sa or sb else ""
            dot("v_dot4_i32_iu8", by, sa, sb, m.GFX11 + ["gfx1200"] if sa or sb else [], mods) if sa or sb else None
            dot("v_dot8_i32_iu4", nib, sa, sb, m.GFX11 + ["gfx1200"], mods) if sa or sb else None
    m.block(P, "v_dot2_f32_f16 v3, v0, v1, v2", "v0 v1 v2", "v3",  # 1*2 + 3*0.5 + 10, exact whatever the order
            [(0x42003c00, 0x38004000, 0x41200000, 0x41580000), (0, 0x3c003c00, 0x3f800000, 0x3f800000), (0x3c003c00, 0xbc003c00, 0x40000000, 0x40000000)], gfx906 + m.GFX11 + ["gfx1200"])
    # mixed precision: op_sel_hi picks f16, op_sel its half, per source
    mix = [(0x3c004000, 0x40400000, 0xbf800000, fma(F32, 0x40000000, 0x40400000, 0xbf800000)), (0x7bff0001, 0x3f800000, 0, 0x33800000)]
    for n, ts in (("v_mad_mix_f32", ["gfx900"]), ("v_fma_mix_f32", ["gfx906", "gfx90a", "gfx950"] + m.GFX10 + m.GFX11 + m.GFX12)):
        m.block(P, n + " v3, v0, v1, v2 op_sel_hi:[1,0,0]", "v0 v1 v2", "v3", mix, ts)
        # 1.0 * 3.0 - |-4.0|; -(2.0) * 3.0 + 1.5; |-2.0| * -(0.5) + 0
        m.block(P, n + " v3, v0, v1, -|v2| op_sel:[1,0,0] op_sel_hi:[1,0,0]", "v0 v1 v2", "v3", [(0x3c004000, 0x40400000, 0xc0800000, 0xbf800000)], ts)
        m.block(P, n + " v3, -v0, v1, v2 op_sel:[0,0,1] op_sel_hi:[1,0,1]", "v0 v1 v2", "v3", [(0x3c004000, 0x40400000, 0x3e000000, 0xc0900000)], ts)
        m.block(P, n + " v3, |v0|, -v1, v2 op_sel:[0,1,0] op_sel_hi:[1,1,0]", "v0 v1 v2", "v3", [(0x3c00c000, 0x38004500, 0x80000000, 0xbf800000)], ts)
    for n, ts in (("v_mad_mixlo_f16", ["gfx900"]), ("v_fma_mixlo_f16", ["gfx906", "gfx90a", "gfx950"] + m.GFX10 + m.GFX11 + m.GFX12)):
        m.block(P, n + " v3, v0, v1, v2", "v0 v1 v2 v3", "v3", [(0x3f800000, 0x40400000, 0x3f000000, 0xabcdabcd, 0xabcd4300)], ts)
        m.block(P, n.replace("lo", "hi") + " v3, v0, v1, v2", "v0 v1 v2 v3", "v3", [(0x3f800000, 0x40400000, 0x3f000000, 0xabcdabcd, 0x4300abcd)], ts)


# ---- lanes -------------------------------------------------------------------
def lanes(m):
    L = "lane"
    see = [0, 1, 5, 7, 14, 15, 16, 17, 30, 31]
    outs = " ".join("v2@%d" % k for k in see)
    dpp = {"quad_perm:[3,1,0,2]": lambda i: i & ~3 | (3, 1, 0, 2)[i & 3], "row_mirror": lambda i: i & ~15 | 15 - (i & 15), "row_half_mirror": lambda i: i & ~7 | 7 - (i & 7),
           "row_shl:1": lambda i: i + 1 if i & 15 < 15 else None, "row_shl:15": lambda i: i + 15 if i & 15 < 1 else None,
           "row_shr:1": lambda i: i - 1 if i & 15 > 0 else None, "row_shr:4": lambda i: i - 4 if i & 15 > 3 else None,
           "row_ror:1": lambda i: i & ~15 | (i - 1) & 15, "row_ror:12": lambda i: i & ~15 | (i - 12) & 15}
    newer = {"row_share:3": lambda i: i & ~15 | 3, "row_xmask:5": lambda i: i ^ 5}
    # v0 holds the lane number at entry
    for table, ts in ((dpp, m.ALL + m.W64), (newer, m.GFX10 + m.GFX11 + m.GFX12), ({"row_newbcast:3": newer["row_share:3"]}, ["gfx90a", "gfx942", "gfx950"])):
        for text, f in table.items():
            rows = lambda bound: [(0x77,) + tuple(f(i) if f(i) is not None else bound for i in see)]
            base = "v_mov_b32_dpp v2, v0 %s row_mask:0xf bank_mask:0xf" % text
            m.block(L, base, "v2", outs, rows(0x77), ts)
            m.block(L, [base + " bound_ctrl:1", base + " bound_ctrl:0"], "v2", outs, rows(0), ts)
            # a lane outside of the masks keeps its value
            m.block(L, "v_mov_b32_dpp v2, v0 %s row_mask:0x1 bank_mask:0x5" % text, "v2", outs,
                    [(0x77,) + tuple(f(i) if f(i) is not None and i < 16 and (i & 15) // 4 in (0, 2) else 0x77 for i in see)], ts)
    m.block(L, ["v_add_u32_dpp v2, v0, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", "v_add_nc_u32_dpp v2, v0, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf"], "v2", outs,
            [(0,) + tuple(i + (i ^ 1) for i in see)], m.GFX9 + m.GFX10 + m.GFX11 + m.GFX12)
    # inactive sources: 0 with bound_ctrl, else the lane is left alone; EXEC 0x0000fffe: lane 0 is off
    m.block(L, ["v_mov_b32_dpp v2, v0 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:%d" % c for c in (1, 0)], "v2 exec", "v2@0 v2@1 v2@5", [(0x77, 0xfffe, 0x77, 0, 4)])
    m.block(L, "v_mov_b32_dpp v2, v0 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf", "v2 exec", "v2@0 v2@1 v2@5", [(0x77, 0xfffe, 0x77, 0x77, 4)])
    m.block(L, "v_mov_b32_dpp v2, v0 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf fi:1", "v2 exec", "v2@0 v2@1 v2@5", [(0x77, 0xfffe, 0x77, 0, 4)], m.GFX10 + m.GFX11 + m.GFX12)
    m.block(L, "v_mov_b32_dpp v2, v0 dpp8:[7,6,5,4,3,0,1,2]", "v2", outs, [(0,) + tuple(i & ~7 | (7, 6, 5, 4, 3, 0, 1, 2)[i & 7] for i in see)], m.GFX10 + m.GFX11 + m.GFX12)
    old = {"wave_shl:1": lambda i: i + 1, "wave_shr:1": lambda i: i - 1 if i else None, "wave_ror:1": lambda i: (i - 1) & 63, "wave_rol:1": lambda i: (i + 1) & 63,
           "row_bcast:15": lambda i: (i & ~15) - 1 if i > 15 else None}
    for text, f in old.items():
        m.block(L, "v_mov_b32_dpp v2, v0 %s row_mask:0xf bank_mask:0xf" % text, "v2", outs, [(0x77,) + tuple(f(i) if f(i) is not None else "*" if "bcast" in text else 0x77 for i in see)], m.GFX8 + m.GFX9)
    # reading and writing single lanes
    m.block(L, "v_readlane_b32 s4, v0, 5", "s4", "s4", [(0, 5)], m.ALL + m.W64)
    m.block(L, "v_readlane_b32 s4, v0, s5", "s5", "s4", [(0, 0), (31, 31), (17, 17)], m.ALL + m.W64)
    m.block(L, "v_readlane_b32 s4, v0, s5", "s5", "s4", [(63, 63), (64, 0), (40, 40)], m.GFX8 + m.GFX9 + m.W64)
    m.block(L, "v_readlane_b32 s4, v0, s5", "s5", "s4", [(32, 0), (40, 8)], m.GFX10 + m.GFX11 + m.GFX12)
    m.block(L, "v_readfirstlane_b32 s4, v0", "exec", "s4", [(0xfff0, 4), (0x80000000, 31), (1, 0), (0, 0)])
    m.block(L, "v_readfirstlane_b32 s4, v0", "exec", "s4", [(1 << 63, 63), (1 << 40, 40)], m.GFX8 + m.GFX9 + m.W64)
    m.block(L, "v_writelane_b32 v2, s4, s5", "v2 s4 s5 exec", "v2@0 v2@6 v2@7", [(0x77, 0x1234, 6, 1, 0x77, 0x1234, 0x77), (0x77, 0x99, 0, 0, 0x99, 0x77, 0x77)])
    m.block(L, "v_mbcnt_lo_u32_b32 v2, v1, v3", "v1 v3", outs, [(m.M32, 0) + tuple(min(i, 32) for i in see), (0x55555555, 100) + tuple(100 + (i + 1) // 2 for i in see)], m.ALL + m.W64)
    m.block(L, "v_mbcnt_hi_u32_b32 v2, v1, v3", "v1 v3", "v2@5 v2@31 v2@33 v2@63", [(m.M32, 7, 7, 7, 8, 38)], m.GFX8 + m.GFX9 + m.W64)
    m.block(L, "v_mbcnt_hi_u32_b32 v2, v1, v3", "v1 v3", "v2@5 v2@31", [(m.M32, 7, 7, 7)], m.GFX10 + m.GFX11 + m.GFX12)
    # permutes of RDNA: nibble k of the scalar pair is lane k's source
    sel = 0x0123456789abcdef
    nib = lambda i: sel >> 4 * (i & 15) & 15
    r = m.GFX10 + m.GFX11 + m.GFX12
    m.block(L, "v_permlane16_b32 v2, v0, s4, s5", "v2 s[4:5]", outs, [(0, sel) + tuple(i & ~15 | nib(i) for i in see)], r)
    m.block(L, "v_permlanex16_b32 v2, v0, s4, s5", "v2 s[4:5]", outs, [(0, sel) + tuple((i & ~15 ^ 16) | nib(i) for i in see)], r)
    m.block(L, "v_permlane64_b32 v2, v0", "v2", "v2@0 v2@5 v2@31 v2@32 v2@63", [(0, 32, 37, 63, 0, 31)], ["gfx1100-w64", "gfx1200-w64"])
    m.block(L, "v_permlane16_var_b32 v2, v0, v1", "v1 v2", outs, [(9, 0) + tuple(i & ~15 | 9 for i in see)], m.GFX12)
    m.block(L, "v_permlanex16_var_b32 v2, v0, v1", "v1 v2", outs, [(9, 0) + tuple((i & ~15 ^ 16) | 9 for i in see)], m.GFX12)
    m.block(L, "v_mov_b32 v2, v0; v_add_u32 v3, 100, v0; v_permlane32_swap_b32 v2, v3", "s4", "v2@3 v2@40 v3@3 v3@40", [(0, 3, 108, 35, 140)], ["gfx950"])
    m.block(L, "v_mov_b32 v2, v0; v_add_u32 v3, 100, v0; v_permlane16_swap_b32 v2, v3", "s4", "v2@3 v2@20 v3@3 v3@20", [(0, 3, 104, 19, 120)], ["gfx950"])
    # LDS crossbar
    m.block(L, "v_lshlrev_b32 v1, 2, v3; ds_bpermute_b32 v2, v1, v0", "v3", outs, [(k,) + (k,) * len(see) for k in (0, 9, 31)])
    m.block(L, "v_xor_b32 v1, 3, v0; v_lshlrev_b32 v1, 2, v1; ds_bpermute_b32 v2, v1, v0 offset:4", "v2", outs, [(0,) + tuple((i & ~31) | ((i ^ 3) + 1) & 31 for i in see)], ["gfx1030", "gfx1100", "gfx1200"])
    m.block(L, "v_xor_b32 v1, 5, v0; v_lshlrev_b32 v1, 2, v1; ds_permute_b32 v2, v1, v0", "v2", outs, [(0,) + tuple(i ^ 5 for i in see)])
    for pat, f in ((0x041f, lambda i: i ^ 1), (0x7c1f, lambda i: i ^ 31), (0x801b, lambda i: i & ~3 | 3 - (i & 3)), (0x00f8, lambda i: i & 0x18 | 7), (0xc020, lambda i: (i & ~31) | (i + 1) & 31)):
        ts = m.ALL if pat < 0xc000 else m.GFX9 + m.GFX10 + m.GFX11 + m.GFX12
        m.block(L, "ds_swizzle_b32 v2, v0 offset:0x%x" % pat, "v2", outs, [(0,) + tuple(f(i) for i in see)], ts)
    # SDWA: parts of registers (gfx8 to gfx10)
    sdwa = m.GFX8 + ["gfx900", "gfx90a"] + m.GFX10
    m.block(L, "v_mov_b32_sdwa v2, v1 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1", "v1 v2", "v2", [(0x11223344, 0xaabbccdd, 0xaa33ccdd)], sdwa)
    m.block(L, "v_mov_b32_sdwa v2, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", "v1 v2", "v2", [(0x8122aabb, 5, 0xffff8122)], sdwa)
    m.block(L, "v_mov_b32_sdwa v2, v1 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:WORD_1", "v1 v2", "v2", [(0x8122aabb, 5, 0xffff8122)], sdwa)
    m.block(L, "v_mov_b32_sdwa v2, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_0", "v1 v2", "v2", [(0x8122aabb, 5, 0x00bb0000)], sdwa)
    m.block(L, "v_mul_u32_u24_sdwa v2, v1, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_1", "v1 v3", "v2", [(0xff000000, 0x12340000, 0xff * 0x1234)], sdwa)


# ---- memory ------------------------------------------------------------------
def memory(m):
    M = "memory"
    byte = lambda i: (i * 7 + (i >> 8)) & 255
    le = lambda at, n: sum(byte(at + k) << 8 * k for k in range(n))

    def ds(text, new):
        """Names before and after gfx11."""
        t = text
        for a, b in new:
            t = t.replace(a, b)
        return [text, t]
    ren = [("ds_write_b", "ds_store_b"), ("ds_write2_b", "ds_store_2addr_b"), ("ds_read_b", "ds_load_b"), ("ds_read2_b", "ds_load_2addr_b"), ("ds_read_u", "ds_load_u"), ("ds_read_i", "ds_load_i"),
           ("ds_write2st64_b", "ds_store_2addr_stride64_b"), ("ds_read2st64_b", "ds_load_2addr_stride64_b")]
    D = lambda text, ins, outs, rows, targets=None: m.block(M, ds(text, ren), "m0 exec " + ins, outs, [(m.M32, 1) + r for r in rows], targets)
    D("ds_write_b32 v1, v2; ds_read_b32 v3, v1", "v1 v2", "v3@0", [(0, 0xdeadbeef, 0xdeadbeef), (64, 7, 7)])
    D("ds_write_b32 v1, v2 offset:16; ds_add_u32 v1, v4 offset:16; ds_read_b32 v3, v1 offset:16", "v1 v2 v4", "v3@0", [(8, m.M32, 3, 2)])
    D("ds_write_b64 v1, v[2:3]; ds_read_b64 v[4:5], v1; ds_read_b32 v6, v1 offset:4", "v1 v[2:3]", "v[4:5]@0 v6@0", [(8, 0x1122334455667788, 0x1122334455667788, 0x11223344)])
    D("ds_write_b32 v1, v2; ds_write_b8 v1, v4 offset:1; ds_write_b16 v1, v4 offset:2; ds_read_b32 v3, v1", "v1 v2 v4", "v3@0", [(4, 0x11223344, 0xaabbccdd, 0xccdddd44)])
    D("ds_write_b32 v1, v2; ds_read_i8 v3, v1 offset:3; ds_read_u8 v4, v1 offset:3; ds_read_i16 v5, v1 offset:2; ds_read_u16 v6, v1 offset:2", "v1 v2", "v3@0 v4@0 v5@0 v6@0",
      [(0, 0x8123ffff, 0xffffff81, 0x81, 0xffff8123, 0x8123)])
    D("ds_write2_b32 v1, v2, v3 offset0:1 offset1:4; ds_read2_b32 v[4:5], v1 offset0:4 offset1:1; ds_read_b32 v6, v1 offset:16", "v1 v2 v3", "v[4:5]@0 v6@0", [(32, 0x11, 0x22, 0x1100000022, 0x22)])
    D("ds_write2st64_b32 v1, v2, v3 offset0:1 offset1:2; ds_read_b32 v4, v1 offset:256; ds_read_b32 v5, v1 offset:512", "v1 v2 v3", "v4@0 v5@0", [(0, 0x11, 0x22, 0x11, 0x22)])
    D("ds_write_b128 v1, v[4:7]; ds_read_b128 v[8:11], v1; ds_read_b96 v[12:14], v1", "v1 v[4:7]", "v[8:11]@0 v[12:14]@0",
      [(16, 0x0102030405060708090a0b0c0d0e0f10, 0x0102030405060708090a0b0c0d0e0f10, 0x05060708090a0b0c0d0e0f10)], m.GFX9 + m.GFX10 + m.GFX11 + m.GFX12)
    # atomics: (name, from 11 on, result of old and operand)
    s32 = lambda v: sx(v, 32)
    ops = [("add_rtn_u32", "", lambda o, d: o + d), ("sub_rtn_u32", "", lambda o, d: o - d), ("rsub_rtn_u32", "", lambda o, d: d - o), ("inc_rtn_u32", "", lambda o, d: 0 if o >= d else o + 1),
           ("dec_rtn_u32", "", lambda o, d: d if o == 0 or o > d else o - 1), ("min_rtn_i32", "", lambda o, d: min(o, d, key=s32)), ("max_rtn_i32", "", lambda o, d: max(o, d, key=s32)),
           ("min_rtn_u32", "", min), ("max_rtn_u32", "", max), ("and_rtn_b32", "", lambda o, d: o & d), ("or_rtn_b32", "", lambda o, d: o | d), ("xor_rtn_b32", "", lambda o, d: o ^ d),
           ("wrxchg_rtn_b32", "storexchg_rtn_b32", lambda o, d: d)]
    vals = [(0, 0), (5, 3), (3, 5), (m.M32, 1), (0x80000000, 0x7fffffff), (7, m.M32)]
    for a, b, f in ops:
        t = "ds_write_b32 v1, v2; ds_%s v3, v1, v4; ds_read_b32 v5, v1"
        m.block(M, [t % a, ds(t % (b or a), ren)[1]], "m0 exec v1 v2 v4", "v3@0 v5@0", [(m.M32, 1, 4, o, d, o, f(o, d)) for o, d in vals])
    t = "ds_write_b32 v1, v2; ds_%s v3, v1, %s, %s; ds_read_b32 v5, v1"
    m.block(M, [t % ("cmpst_rtn_b32", "v4", "v6")], "m0 exec v1 v2 v4 v6", "v3@0 v5@0", [(m.M32, 1, 4, 7, 7, 9, 7, 9), (m.M32, 1, 4, 7, 8, 9, 7, 7)], m.GFX8 + m.GFX9 + m.GFX10)
    m.block(M, ds(t % ("cmpstore_rtn_b32", "v6", "v4"), ren)[1:], "m0 exec v1 v2 v4 v6", "v3@0 v5@0", [(m.M32, 1, 4, 7, 7, 9, 7, 9), (m.M32, 1, 4, 7, 8, 9, 7, 7)], m.GFX11 + m.GFX12)
    ops64 = [("add_rtn_u64", lambda o, d: o + d), ("min_rtn_i64", lambda o, d: min(o, d, key=lambda v: sx(v, 64))), ("max_rtn_u64", max), ("xor_rtn_b64", lambda o, d: o ^ d),
             ("inc_rtn_u64", lambda o, d: 0 if o >= d else o + 1)]
    for a, f in ops64:
        t = "ds_write_b64 v1, v[2:3]; ds_%s v[4:5], v1, v[6:7]; ds_read_b64 v[8:9], v1" % a
        m.block(M, ds(t, ren), "m0 exec v1 v[2:3] v[6:7]", "v[4:5]@0 v[8:9]@0", [(m.M32, 1, 8, o, d, o, f(o, d)) for o, d in ((0, 0), (m.M64, 1), (5 << 32, 3), (1 << 63, m.M64 >> 1))])
    # every lane adds to one place
    m.block(M, ds("ds_write_b32 v1, v2; ds_add_u32 v1, v4; ds_read_b32 v3, v1", ren), "m0 v1 v2 v4", "v3", [(m.M32, 4, 1, 3, 1 + 3 * 64)], m.GFX8 + m.GFX9 + m.W64)
    m.block(M, ds("ds_write_b32 v1, v2; ds_add_u32 v1, v4; ds_read_b32 v3, v1", ren), "m0 v1 v2 v4", "v3", [(m.M32, 4, 1, 3, 1 + 3 * 32)], m.GFX10 + m.GFX11 + m.GFX12)
    # global memory: the buffer's own bytes
    rg = [("dwordx4", "b128"), ("dwordx3", "b96"), ("dwordx2", "b64"), ("load_dword", "load_b32"), ("store_dword", "store_b32"), ("ubyte", "u8"), ("sbyte", "i8"), ("ushort", "u16"), ("sshort", "i16"),
          ("store_byte", "store_b8"), ("store_short", "store_b16")]

    def both(t):
        n = t
        for a, b in rg:
            n = n.replace(a, b)
        return [t, n]
    vg = m.GFX9 + m.GFX10 + m.GFX11 + m.GFX12
    load = [("dword", "v2", 4, 0), ("dwordx2", "v[2:3]", 8, 0), ("dwordx3", "v[2:4]", 12, 0), ("dwordx4", "v[2:5]", 16, 0), ("ubyte", "v2", 1, 0), ("ushort", "v2", 2, 0), ("sbyte", "v2", 1, 1), ("sshort", "v2", 2, 1)]
    for n, dst, size, signed in load:
        val = lambda at: (sx(le(at, size), size * 8) if signed else le(at, size))
        m.block(M, both("global_load_%s %s, v[0:1], off" % (n, dst)), "v[0:1]", dst, [("@%x" % at, val(at)) for at in (0, 0x10, 0x124, 0x40)], vg)
        m.block(M, both("global_load_%s %s, v[0:1], off offset:-8" % (n, dst)), "v[0:1]", dst, [("@%x" % at, val(at - 8)) for at in (0x10, 0x124)], vg)
        m.block(M, both("global_load_%s %s, v0, s[2:3] offset:16" % (n, dst)), "v0 s[2:3]", dst, [(8, "@100", val(0x118))], vg)
        m.block(M, both("flat_load_%s %s, v[0:1]" % (n, dst)), "v[0:1]", dst, [("@%x" % at, val(at)) for at in (0x20, 0x28)])
    d16 = m.GFX9 + m.GFX10 + m.GFX11 + m.GFX12
    m.block(M, ["global_load_short_d16 v2, v[0:1], off", "global_load_d16_b16 v2, v[0:1], off"], "v[0:1] v2", "v2", [("@10", 0xaaaabbbb, 0xaaaa0000 | le(0x10, 2))], d16)
    m.block(M, ["global_load_short_d16_hi v2, v[0:1], off", "global_load_d16_hi_b16 v2, v[0:1], off"], "v[0:1] v2", "v2", [("@10", 0xaaaabbbb, 0xbbbb | le(0x10, 2) << 16)], d16)
    m.block(M, ["global_load_sbyte_d16 v2, v[0:1], off", "global_load_d16_i8 v2, v[0:1], off"], "v[0:1] v2", "v2", [("@13", 0xaaaabbbb, 0xaaaa0000 | sx(byte(0x13), 8) & 0xffff)], d16)
    m.block(M, ["global_load_ubyte_d16_hi v2, v[0:1], off", "global_load_d16_hi_u8 v2, v[0:1], off"], "v[0:1] v2", "v2", [("@13", 0xaaaabbbb, 0xbbbb | byte(0x13) << 16)], d16)
    for n, src, val in (("byte", "v2", "%08x" % (le(0x40, 4) & ~0xff | 0x44)), ("short", "v2", "%08x" % (le(0x40, 4) & ~0xffff | 0x3344)), ("dword", "v2", "11223344")):
        m.block(M, both("global_store_%s v[0:1], %s, off" % (n, src)), "v[0:1] " + src, "mem40 mem44", [("@40", 0x11223344, val, le(0x44, 4))], vg)
        m.block(M, both("flat_store_%s v[0:1], %s" % (n, src)), "v[0:1] " + src, "mem40 mem44", [("@40", 0x11223344, val, le(0x44, 4))])
    m.block(M, both("global_store_dwordx4 v[0:1], v[4:7], off offset:16"), "v[0:1] v[4:7]", "mem50 mem54 mem58 mem5c", [("@40", 0x000000040000000300000002f0000001, 0xf0000001, 2, 3, 4)], vg)
    # atomics with return, one lane
    gops = [("add", "add_u32", lambda o, d: o + d), ("sub", "sub_u32", lambda o, d: o - d), ("smin", "min_i32", lambda o, d: min(o, d, key=s32)), ("umax", "max_u32", max), ("and", "and_b32", lambda o, d: o & d),
            ("xor", "xor_b32", lambda o, d: o ^ d), ("swap", "swap_b32", lambda o, d: d), ("inc", "inc_u32", lambda o, d: 0 if o >= d else o + 1), ("dec", "dec_u32", lambda o, d: d if o == 0 or o > d else o - 1)]
    for a, b, f in gops:
        o, d = le(0x20, 4), 0x80000005
        m.block(M, ["global_atomic_%s v3, v[0:1], v2, off %s" % (x, c) for x, c in ((a, "glc"), (a, "sc0"), (b, "glc"), (b, "th:TH_ATOMIC_RETURN"))], "v[0:1] v2 exec", "v3@0 mem20", [("@20", d, 1, o, f(o, d) & m.M32)], vg)
    m.block(M, ["global_atomic_cmpswap v4, v[0:1], v[2:3], off glc", "global_atomic_cmpswap v4, v[0:1], v[2:3], off sc0", "global_atomic_cmpswap_b32 v4, v[0:1], v[2:3], off glc",
                "global_atomic_cmpswap_b32 v4, v[0:1], v[2:3], off th:TH_ATOMIC_RETURN"], "v[0:1] v[2:3] exec", "v4@0 mem20", [("@20", le(0x20, 4) << 32 | 0x99, 1, le(0x20, 4), 0x99)], vg)
    m.block(M, ["global_atomic_add_x2 v[4:5], v[0:1], v[2:3], off glc", "global_atomic_add_x2 v[4:5], v[0:1], v[2:3], off sc0", "global_atomic_add_u64 v[4:5], v[0:1], v[2:3], off glc",
                "global_atomic_add_u64 v[4:5], v[0:1], v[2:3], off th:TH_ATOMIC_RETURN"], "v[0:1] v[2:3] exec", "v[4:5]@0 mem24", [("@20", 1 << 33, 1, le(0x20, 8), le(0x24, 4) + 2)], vg)
    # scalar loads
    for n, new, regs, size in (("s_load_dword", "s_load_b32", "s4", 4), ("s_load_dwordx2", "s_load_b64", "s[4:5]", 8), ("s_load_dwordx4", "s_load_b128", "s[4:7]", 16), ("s_load_dwordx8", "s_load_b256", "s[4:11]", 32)):
        m.block(M, ["%s %s, s[2:3], 0x20" % (x, regs) for x in (n, new)], "s[2:3]", regs, [("@0", le(0x20, size)), ("@104", le(0x124, size))])
        m.block(M, ["%s %s, s[2:3], s12" % (n, regs), "%s %s, s[2:3], s12 offset:0x0" % (new, regs)], "s[2:3] s12", regs, [("@0", 0x40, le(0x40, size)), ("@104", 8, le(0x10c, size))])
    m.block(M, "s_load_u8 s4, s[2:3], 0x23", "s[2:3]", "s4", [("@0", byte(0x23))], m.GFX12)
    m.block(M, "s_load_i8 s4, s[2:3], 0x25", "s[2:3]", "s4", [("@0", sx(byte(0x25), 8))], m.GFX12)
    m.block(M, "s_load_i16 s4, s[2:3], 0x26", "s[2:3]", "s4", [("@0", sx(le(0x26, 2), 16))], m.GFX12)


# ---- MODE --------------------------------------------------------------------
def mode(m):
    O = "mode"
    tie32 = [(0x3f800000, 0x33800000), (0x3f800001, 0x33800000), (0xbf800000, 0xb3800000), (0x3f800000, 0x33000000), (0x3f800000, 0xb3000000), (0x7f7fffff, 0x7f7fffff), (0xff7fffff, 0xff7fffff), (0x3f800000, 0xbf800000),
             (0, 0x80000000), (0x00800000, 0x80000001), (0x4b800000, 0x3f000000), (0x4b800001, 0x3f800000)]
    tie64 = [(0x3ff0000000000000, 0x3ca0000000000000), (0xbff0000000000001, 0xbca0000000000000), (0x3ff0000000000000, 0xbca0000000000000), (0x7fefffffffffffff, 0x7fefffffffffffff), (0x3ff0000000000000, 0xbff0000000000000)]
    tie16 = [(0x3c00, 0x1000), (0x3c01, 0x1000), (0xbc01, 0x9000), (0x7bff, 0x7bff), (0xfbff, 0xfbff), (0x3c00, 0xbc00), (0x3c00, 0x0c00)]
    mul32 = [(0x3f800001, 0x3f800001), (0xbf800001, 0x3f800001), (0x3eaaaaab, 0x3eaaaaab), (0x00800001, 0x3f000000), (0x80800001, 0x3f000000), (0x7f000000, 0x40000000), (0xff000000, 0x40000000), (0x00000001, 0x3e800000), (0x80000001, 0x3e800000)]
    for code, how in enumerate(("rne", "up", "down", "zero")):
        md = "f%x" % (code | code << 2)
        m.block(O, "v_add_f32_e32 v2, v0, v1", "v0 v1", "v2", [(x, y, add(F32, x, y, how)) for x, y in tie32], mode=md)
        m.block(O, "v_mul_f32_e32 v2, v0, v1", "v0 v1", "v2", [(x, y, mul(F32, x, y, how)) for x, y in mul32], mode=md)
        m.block(O, "v_fma_f32 v3, v0, v1, v2", "v0 v1 v2", "v3", [(x, y, z, fma(F32, x, y, z, how)) for (x, y), (z, _) in zip(mul32, tie32)] + [(0x3f800000, 0x3f800000, 0xbf800000, fma(F32, 0x3f800000, 0x3f800000, 0xbf800000, how))], mode=md)
        m.block(O, ["v_add_f64 v[4:5], v[0:1], v[2:3]"], "v[0:1] v[2:3]", "v[4:5]", [(x, y, add(F64, x, y, how)) for x, y in tie64], mode=md)
        m.block(O, ["v_mul_f64 v[4:5], v[0:1], v[2:3]"], "v[0:1] v[2:3]", "v[4:5]", [(x, y, mul(F64, x, y, how)) for x, y in tie64], mode=md)
        m.block(O, ["v_add_f16_e32 v2, v0, v1", "v_add_f16_e32 v2.l, v0.l, v1.l"], "v0 v1", "v2", [(x, y, m.low16(add(F16, x, y, how))) for x, y in tie16], mode=md)
        m.block(O, ["v_fma_f16 v3, v0, v1, v2", "v_fma_f16 v3.l, v0.l, v1.l, v2.l"], "v0 v1 v2", "v3", [(x, y, x, m.low16(fma(F16, x, y, x, how))) for x, y in tie16], mode=md)
        # the other size's rounding must not matter
        m.block(O, "v_add_f32_e32 v2, v0, v1", "v0 v1", "v2", [(x, y, add(F32, x, y, "rne")) for x, y in tie32[:5]], mode="f%x" % (code << 2))
        m.block(O, "v_add_f64 v[4:5], v[0:1], v[2:3]", "v[0:1] v[2:3]", "v[4:5]", [(x, y, add(F64, x, y, "rne")) for x, y in tie64], mode="f%x" % code)
    # denormals: flushed in, out, both
    tiny = [(0x00000001, 0x00000001), (0x807fffff, 0x00800000), (0x00800000, 0x80800001), (0x00400000, 0x3f800000), (0x80000001, 0x80000000)]
    for bits, fin, fout in ((0, 1, 1), (1, 0, 1), (2, 1, 0), (3, 0, 0)):
        def fl(r):
            return r & F32.sign if fout and r != NAN and F32.is_denorm(r) else r
        inp = lambda x: flush_in(F32, x, fin)
        m.block(O, "v_add_f32_e32 v2, v0, v1", "v0 v1", "v2", [(x, y, fl(add(F32, inp(x), inp(y)))) for x, y in tiny], mode="%x" % (0xc0 | bits << 4))
        m.block(O, "v_mul_f32_e32 v2, v0, v1", "v0 v1", "v2", [(x, y, fl(mul(F32, inp(x), inp(y)))) for x, y in mul32[3:] + tiny], mode="%x" % (0xc0 | bits << 4))
    m.block(O, "v_add_f64 v[4:5], v[0:1], v[2:3]", "v[0:1] v[2:3]", "v[4:5]", [(1, 1, 0), (1 << 63 | 1, 1 << 63, 1 << 63), (0x0010000000000000, 0x8010000000000001, 1 << 63)], mode="30")
    m.block(O, "v_add_f32_e32 v2, v0, v1", "v0 v1", "v2", [(1, 1, 2)], mode="30")
    # clamp and NaN: DX10_CLAMP makes it 0
    old = m.PRE12
    m.block(O, "v_add_f32_e64 v2, v0, v1 clamp", "v0 v1", "v2", [(0x7fc00000, 0x3f800000, 0), (0x40000000, 0, 0x3f800000), (0xff800000, 0, 0), (0x3e800000, 0, 0x3e800000)], mode="f0 dx10 1")
    m.block(O, "v_add_f32_e64 v2, v0, v1 clamp", "v0 v1", "v2", [(0x7fc00000, 0x3f800000, NAN)], old, mode="f0 dx10 0")
    # signalling NaNs in min and max: quieted with IEEE on, ignored with it off
    m.block(O, "v_min_f32_e32 v2, v0, v1", "v0 v1", "v2", [(0x7f800001, 0x3f800000, NAN), (0x3f800000, 0xff812345, NAN), (0x7fc00000, 0x3f800000, 0x3f800000)], old, mode="f0 ieee 1")
    m.block(O, "v_min_f32_e32 v2, v0, v1", "v0 v1", "v2", [(0x7fc00000, 0x3f800000, 0x3f800000), (0x3f800000, 0x7fc00000, 0x3f800000)], old, mode="f0 ieee 0")
    m.block(O, "v_max_f32_e32 v2, v0, v1", "v0 v1", "v2", [(0x7f800001, 0x3f800000, NAN), (0x7fc00000, 0xbf800000, 0xbf800000)], old, mode="f0 ieee 1")
    # FP16_OVFL: finite overflow becomes the largest number, infinities stay
    m.block(O, ["v_add_f16_e32 v2, v0, v1", "v_add_f16_e32 v2.l, v0.l, v1.l"], "v0 v1", "v2", [(0x7bff, 0x7bff, "xxxx7bff"), (0xfbff, 0xfbff, "xxxxfbff"), (0x7c00, 0x3c00, "xxxx7c00")], m.GFX9 + m.GFX10 + m.GFX11 + m.GFX12, mode="f0 ovfl 1")
    m.block(O, ["v_cvt_f16_f32_e32 v2, v0", "v_cvt_f16_f32_e32 v2.l, v0"], "v0", "v2", [(0x7f7fffff, "xxxx7bff"), (0xff800000, "xxxxfc00")], m.GFX9 + m.GFX10 + m.GFX11 + m.GFX12, mode="f0 ovfl 1")
    # s_setreg and s_getreg: the MODE register's fields
    m.block(O, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3; v_add_f32 v2, v0, v1; s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0", "v0 v1", "v2", [(x, y, add(F32, x, y, "zero")) for x, y in tie32[:6]])
    m.block(O, "s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 8)", "s4", "s4", [(0, 0xf0)])
    m.block(O, "s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s5; s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 8); s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3", "s5", "s4", [(1, 0xd0), (0xfffffffe, 0xe0)])
    r = m.GFX10 + m.GFX11 + ["gfx1200"]
    m.block(O, "s_round_mode 0x3; v_add_f32 v2, v0, v1; s_round_mode 0x0", "v0 v1", "v2", [(x, y, add(F32, x, y, "zero")) for x, y in tie32[:6]], r)
    m.block(O, "s_denorm_mode 0xc; v_add_f32 v2, v0, v1; s_denorm_mode 0xf", "v0 v1", "v2", [(1, 1, 0), (0x3f800000, 1, 0x3f800000)], r)


# ---- two at once -----------------------------------------------------------------
def dual(m):
    D, ts = "dual", m.GFX11 + m.GFX12
    f = lambda x: F32.round(Fraction(x))
    a, b, c, d = f(3), f(5), f(-2), f(7)
    # both halves read before either writes
    m.block(D, "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0", "v0 v1", "v0 v1", [(7, 9, 9, 7)], ts)
    m.block(D, "v_dual_add_f32 v0, v1, v3 :: v_dual_mul_f32 v1, v0, v2", "v0 v1 v2 v3", "v0 v1", [(a, b, c, d, add(F32, b, d), mul(F32, a, c))], ts)
    m.block(D, "v_dual_fmac_f32 v0, v1, v3 :: v_dual_subrev_f32 v5, v0, v2", "v0 v1 v2 v3", "v0 v5", [(a, b, c, d, fma(F32, b, d, a), add(F32, c, F32.neg(a)))], ts)
    m.block(D, "v_dual_fmaak_f32 v4, v1, v3, 0x40490fdb :: v_dual_fmamk_f32 v7, v0, 0x40490fdb, v4", "v0 v1 v3 v4", "v4 v7",
            [(a, b, d, c, fma(F32, b, d, 0x40490fdb), fma(F32, a, 0x40490fdb, c))], ts)
    m.block(D, "v_dual_max_f32 v4, v1, v3 :: v_dual_min_f32 v7, v0, v2", "v0 v1 v2 v3", "v4 v7", [(a, b, c, d, d, c)], ts[:2])
    m.block(D, "v_dual_mul_dx9_zero_f32 v4, v1, v3 :: v_dual_sub_f32 v7, v0, v2", "v0 v1 v2 v3", "v4 v7", [(a, b, c, d, f(35), f(5)), (a, 0, c, 0x7f800000, 0, f(5))], ts)
    for lanes in 0, m.M64:
        pick = lambda x, y: y if lanes else x
        m.block(D, "v_dual_cndmask_b32 v4, v1, v2 :: v_dual_mov_b32 v1, 0", "v1 v2 vcc", "v4 v1", [(11, 22, lanes, pick(11, 22), 0)], ts)
        m.block(D, "v_dual_mov_b32 v1, 0 :: v_dual_cndmask_b32 v4, v1, v2", "v1 v2 vcc", "v4 v1", [(11, 22, lanes, pick(11, 22), 0)], ts)
        m.block(D, "v_dual_cndmask_b32 v8, v4, v5 :: v_dual_lshlrev_b32 v1, 27, v0", "v0 v4 v5 vcc", "v8 v1", [(3, 11, 22, lanes, pick(11, 22), 3 << 27 & m.M32)], ts)
        m.block(D, "v_dual_cndmask_b32 v8, v4, v5 :: v_dual_lshrrev_b32 v1, 27, v0", "v0 v4 v5 vcc", "v8 v1", [(0xf0000000, 11, 22, lanes, pick(11, 22), 30)], ["gfx1250"])
        m.block(D, "v_dual_cndmask_b32 v4, v1, v2, s7 :: v_dual_mov_b32 v1, 0", "v1 v2 s7 vcc", "v4 v1", [(11, 22, lanes, 0 if lanes else m.M64, pick(11, 22), 0)], ["gfx1250"])
    m.block(D, "v_dual_mov_b32 v4, v1 :: v_dual_add_nc_u32 v7, v0, v3", "v0 v1 v3", "v4 v7", [(m.M32, 5, 2, 5, 1)], ts)
    m.block(D, "v_dual_mov_b32 v4, v1 :: v_dual_and_b32 v7, v0, v3", "v0 v1 v3", "v4 v7", [(0xf0f0, 5, 0xff00, 5, 0xf000)], ts[:3])
    m.block(D, "v_dual_mov_b32 v4, s5 :: v_dual_lshlrev_b32 v7, s5, v3", "s5 v3", "v4 v7", [(33, 5, 33, 10)], ts)
    # EXEC counts for both
    m.block(D, "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0", "v0 v1 exec", "v0@1 v1@1 v0@2 v1@2", [(7, 9, 2, 9, 7, 7, 9)], ts)


# ---- halves of registers (gfx11) ---------------------------------------------------
def halves(m):
    H, g = "halves", m.GFX11
    A, B, C, D = 0x11112222, 0x33334444, 0x55556666, 0x77778888
    for text, rows in {
        "v_mov_b16_e32 v3.h, v0.l": (0x22228888,), "v_mov_b16_e32 v3.l, v0.h": (0x77771111,), "v_mov_b16_e64 v3.l, 0": (0x77770000,),
        "v_mov_b16_e64 v3.h, 7 op_sel:[0,1]": (0x00078888,), "v_mov_b16_e32 v3.h, 0x4d": (0x004d8888,), "v_mov_b16_e32 v3.l, 0x1234": (0x77771234,),
        "v_mov_b16_e64 v3.h, v0.h op_sel:[1,1]": (0x11118888,), "v_not_b16_e32 v3.l, v0.h": (0x7777eeee,),
        "v_and_b16 v3.h, 0xff, v0.l op_sel:[0,0,1]": (0x00228888,), "v_or_b16 v3.l, v0.h, v1.l op_sel:[1,0,0]": (0x77775555,), "v_xor_b16 v3.h, v0.l, -1 op_sel:[0,0,1]": (0xdddd8888,),
        "v_add_nc_u16 v3.h, v0.h, v1.l op_sel:[1,0,1]": (0x55558888,), "v_sub_nc_u16 v3.l, v1.h, v0.l op_sel:[1,0,0]": (0x77771111,), "v_mul_lo_u16 v3.h, v0.l, v1.h op_sel:[0,1,1]": (0x92c68888,),
        "v_lshlrev_b16 v3.h, 8, v0.l op_sel:[0,0,1]": (0x22008888,), "v_lshrrev_b16 v3.l, 4, v0.h op_sel:[0,1,0]": (0x77770111,), "v_ashrrev_i16 v3.l, 4, v3.l": (0x7777f888,),
        "v_min_u16 v3.l, v0.h, v1.l op_sel:[1,0,0]": (0x77771111,), "v_max_i16 v3.h, v3.l, v1.l op_sel:[0,0,1]": (0x44448888,),
        "v_mad_u16 v3.h, v0.h, 2, v1.l op_sel:[1,0,0,1]": (0x66668888,), "v_max3_u16 v3.l, v0.h, v1.h, v2.l op_sel:[1,1,0,0]": (0x77776666,),
        "v_cndmask_b16 v3.l, 2, 1, vcc_lo": (0x77770001,), "v_cndmask_b16 v3.h, v0.l, v1.h, vcc_lo": (0x33338888,),
        "v_pack_b32_f16 v3, v0.h, v1.l op_sel:[1,0,0]": (0x44441111,), "v_swap_b16 v3.l, v0.h": (0x77771111,),
        "v_cvt_u32_u16_e32 v3, v0.h": (0x1111,), "v_cvt_i32_i16_e32 v3, v3.l": (0xffff8888,), "v_mad_u32_u16 v3, v0.h, v1.l, v2 op_sel:[1,0,0,0]": (0x1111 * 0x4444 + C & m.M32,),
    }.items():
        m.block(H, text, "v0 v1 v2 v3 vcc", "v3", [(A, B, C, D, m.M64) + rows], g)
    m.block(H, "v_cndmask_b16 v3.l, 2, 1, vcc_lo", "v3 vcc", "v3", [(D, 0, 0x77770002)], g)
    for e, rows in (("v_cmp_lt_u16_e64 s4, v0.h, v1.l op_sel:[1,0,0]", m.M32), ("v_cmp_eq_u16_e64 s4, v0.h, v0.h op_sel:[1,1,0]", m.M32), ("v_cmp_gt_i16_e64 s4, v3.l, v0.l", 0), ("v_cmp_gt_u16_e64 s4, v3.l, v0.l", m.M32)):
        m.block(H, e, "v0 v1 v3", "s4", [(A, B, D, rows)], g)
    m.block(H, "v_cmp_eq_u16_e32 vcc_lo, v0.h, v1.l", "v0 v1", "vcc", [(0x44440000, B, m.M64), (0x00004444, B, 0)], g)
    one, two, three = 0x3c00, 0x4000, 0x4200
    f = lambda hi, lo: hi << 16 | lo
    for text, want in {"v_add_f16_e32 v3.h, v0.l, v1.h": f(0x4200, 0x8888), "v_mul_f16_e32 v3.l, v0.h, v1.l": 0x77774600, "v_fma_f16 v3.h, v0.h, v1.l, v0.l op_sel:[1,0,0,1]": f(0x4700, 0x8888),
                       "v_rcp_f16_e32 v3.h, v1.h": f(0x3800, 0x8888), "v_cvt_f32_f16_e32 v3, v1.h": 0x40000000, "v_cvt_f16_f32_e32 v3.h, v2": f(0x3e00, 0x8888),
                       "v_max_f16_e32 v3.h, v1.l, v0.h": f(0x4200, 0x8888), "v_sub_f16_e64 v3.l, -v0.h, |v1.h| op_sel:[1,1,0]": 0x7777c400}.items():
        m.block(H, text, "v0 v1 v2 v3", "v3", [(f(two, one), f(two, three), 0x3fc00000, D, want)], g)
    m.block(H, "v_fmac_f16_e32 v0.h, v1.l, v1.h", "v0 v1", "v0", [(f(two, one), f(two, three), f(0x4800, one))], g)

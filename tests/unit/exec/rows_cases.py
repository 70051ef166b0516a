# SPDX-License-Identifier: MIT
"""Rows of gfx10 and later that nothing else runs: indexed registers, small floats, atomics on f64, formats of 16 bits, blocks of
registers, the second halves of dual instructions.  Values by hand or from model.py; test_exec_coverage.c sees what is left over."""
from fractions import Fraction

from model import *
from scaled_cases import BF8, FP8, SMALL, Small, chunks, join, narrow, patterns, prng, to16, widen

R = "rows"
M32, M64 = (1 << 32) - 1, (1 << 64) - 1
f32 = lambda x: F32.round(Fraction(x))
f64 = lambda x: F64.round(Fraction(x))
f16 = lambda x: F16.round(Fraction(x))
bf16 = lambda x: BF16.round(Fraction(x))
LANE = "v_mbcnt_lo_u32_b32 v1, -1, 0; "
LANE64 = LANE + "v_mbcnt_hi_u32_b32 v1, -1, v1; "


def make(m):
    global W32, some
    W32 = m.GFX10 + m.GFX11 + m.GFX12
    def some(title, asm, ins, outs, rows, targets, **more):
        m.block(R, asm if isinstance(asm, (list, tuple)) else [asm], ins, outs, rows, targets, title=title, optional=True, **more)
    scalar(m)
    subvectors(m)
    indexed(m)
    vector(m)
    permlanes(m)
    small_floats(m)
    dual(m)
    lds(m)
    atomics(m)
    blocks(m)
    formats(m)


# ---- scalar -----------------------------------------------------------------------------
def scalar(m):
    # clocks do not run backwards
    some(None, "s_get_shader_cycles_u64 s[2:3]; s_get_shader_cycles_u64 s[4:5]; s_sub_nc_u64 s[6:7], s[4:5], s[2:3]; s_lshr_b32 s8, s7, 31", "s8", "s8", [(9, 0)], ["gfx1250"])
    some(None, "s_sendmsg_rtn_b64 s[2:3], sendmsg(MSG_RTN_GET_REALTIME); s_sendmsg_rtn_b64 s[4:5], sendmsg(MSG_RTN_GET_REALTIME); s_sub_u32 s6, s4, s2; s_subb_u32 s7, s5, s3; s_lshr_b32 s8, s7, 31",
         "s8", "s8", [(9, 0)], m.GFX11 + m.GFX12)
    # without a driver there is no trap handler and no doorbell
    for message in ("MSG_RTN_GET_DOORBELL", "MSG_RTN_GET_DDID", "MSG_RTN_GET_TMA", "MSG_RTN_GET_TBA"):
        some(None, "s_sendmsg_rtn_b32 s4, sendmsg(%s)" % message, "s4 s5", "s4 s5", [(9, 7, 0, 7)], m.GFX11 + m.GFX12)
        some(None, "s_sendmsg_rtn_b64 s[4:5], sendmsg(%s)" % message, "s4 s5 s6", "s4 s5 s6", [(9, 7, 5, 0, 0, 5)], m.GFX11 + m.GFX12)
    some(None, "s_movrelsd_2_b32 s4, s8", "m0 s4 s8 s9 s10 s6 s7", "s4 s6 s7",
         [(0x00020001, 1, 2, 3, 4, 5, 6, 1, 3, 6), (0x00030002, 1, 2, 3, 4, 5, 6, 1, 5, 4), (0, 1, 2, 3, 4, 5, 6, 2, 5, 6), (0xfc00fc00, 1, 2, 3, 4, 5, 6, 2, 5, 6)], W32)
    # from the word behind s_get_pc (s8 = A): s_add at A, the swap at A + 4, its return A + 8, a mov there, A + 12
    some(None, "s_get_pc_i64 s[8:9]; s_add_nc_u64 s[8:9], s[8:9], 12; s_swap_pc_i64 s[10:11], s[8:9]; s_mov_b32 s2, 1; s_sub_u32 s3, s8, s10", "s2", "s2 s3", [(7, 7, 4)], ["gfx1250"])
    some(None, "s_get_waveid_in_workgroup s4; s_waitcnt lgkmcnt(0)", "s4", "s4", [(9, 0)], m.GFX10)


def subvectors(m):
    """The low 32 lanes and then the high ones; s4 keeps the half that waits."""
    body = "s_subvector_loop_begin s4, 3; v_add_nc_u32_e32 v2, v2, v0; s_add_u32 s6, s6, 1; s_subvector_loop_end s4, -3; s_mov_b64 s[8:9], exec"
    t = ["gfx1030-w64", "gfx1100-w64"]
    low, high = 0x0000000f, 0xf << 60
    some("both halves", body.replace("s_sub", "s_mov_b64 exec, s[10:11]; s_sub", 1) + "; s_mov_b64 exec, -1", "v0 v2 s6 s[10:11]", "v2@0 v2@4 v2@59 v2@60 v2@63 s6 s[8:9]",
         [(5, 1, 0, low | high, 6, 1, 1, 6, 6, 2, low | high), (5, 1, 0, low, 6, 1, 1, 1, 1, 1, low), (5, 1, 0, high, 1, 1, 1, 6, 6, 1, high), (5, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0)], t)


# ---- registers by number ------------------------------------------------------------------
def indexed(m):
    t = W32
    some(None, "v_movreld_b32_e32 v4, v0", "m0 v0 v4 v6", "v4 v6", [(2, 9, 5, 6, 5, 9), (0, 9, 5, 6, 9, 6)], t)
    some(None, "v_movrels_b32_e32 v4, v0", "m0 v0 v2 v4", "v4", [(2, 9, 5, 6, 5), (0, 9, 5, 6, 9)], t)
    some(None, "v_movrelsd_b32_e32 v4, v0", "m0 v0 v2 v4 v6", "v4 v6", [(2, 9, 5, 6, 7, 6, 5), (0, 9, 5, 6, 7, 9, 7)], t)
    some(None, "v_movrelsd_2_b32_e32 v4, v0", "m0 v0 v2 v4 v5", "v4 v5", [(0x00010002, 9, 5, 6, 7, 6, 5), (0x00010000, 9, 5, 6, 7, 6, 9), (2, 9, 5, 6, 7, 5, 7)], t)
    some(None, "v_swaprel_b32 v4, v0", "m0 v0 v2 v4 v5", "v0 v2 v4 v5", [(0x00010002, 9, 5, 6, 7, 9, 7, 6, 5), (0, 9, 5, 6, 7, 6, 5, 9, 7)], t)
    some("lanes that are off keep theirs", "v_swaprel_b32 v4, v0", "m0 v0 v4 exec", "v0@0 v0@1 v4@0 v4@1", [(0, 9, 6, 2, 9, 6, 6, 9)], t)
    some("changes nothing", "v_pipeflush; v_mov_b32_e32 v1, v0", "v0", "v1", [(7, 7)], t)


# ---- vector arithmetic ----------------------------------------------------------------------
def vector(m):
    M = M32
    for op in ("v_dot2c_f32_f16_e32", "v_dot2acc_f32_f16_e32", "v_dot2acc_f32_f16", "v_dot2c_f32_f16"):
        some(None, op + " v2, v0, v1", "v0 v1 v2", "v2", [(f16(1) | f16(2) << 16, f16(3) | f16(4) << 16, f32(1), f32(12)), (f16(-1) | f16(2) << 16, f16(3) | f16(0.5) << 16, 0, f32(-2))], ["gfx1030", "gfx1100"])
    some(None, "v_subrev_co_ci_u32_e32 v2, vcc_lo, v0, v1, vcc_lo", "v0 v1 vcc", "v2 vcc",
         [(1, 5, 0, 4, 0), (1, 5, M, 3, 0), (5, 1, 0, M - 3, M), (5, 5, M, M, M), (M, 0, M, 0, M), (0, 0, 0, 0, 0)], W32)
    for bits, ins in ((16, "v0 v1"), (32, "v0 v1"), (64, "v[0:1] v[2:3]")):
        regs = ins.split()
        nan = {16: 0x7e00, 32: 0x7fc00000, 64: 0x7ff8 << 48}[bits]
        some(None, ["v_cmpx_t_f%d_e32 %s, %s" % (bits, regs[0] + l, regs[1] + l) for l in ("", ".l")], ins + " exec", "exec", [(1, 2, 0xf0, 0xf0), (nan, nan, 5, 5)], ["gfx1100", "gfx1150"])
    some(None, ["v_cmpx_class_f16_e32 v0%s, v1%s" % (l, l) for l in ("", ".l")], "v0 v1 exec", "exec",
         [(0x3c00, 0x100, 0xf0, 0xf0), (0x3c00, 0x0ff, 0xf0, 0), (0x7c01, 1, 3, 3), (0x7e00, 2, 3, 3), (0x8000, 0x20, 3, 3), (0x8001, 0x10, 3, 3), (0xfc00, 4, 3, 3)], W32)
    most = 0xff7fffff
    some(None, "v_mullit_f32 v3, v0, v1, v2", "v0 v1 v2", "v3",
         [(f32(3), f32(2), f32(1), f32(6)), (f32(3), most, f32(1), most), (f32(3), 0xff800000, f32(1), most), (f32(3), 0x7fc00000, f32(1), most), (f32(3), f32(2), 0, most), (f32(3), f32(2), f32(-1), most),
          (f32(3), f32(2), 0x7fc00000, most), (f32(-3), f32(2), 0x7f800000, f32(-6)), (f32(3), f32(-2), 1, f32(-6))], W32)
    norm = lambda f, x, k: 0 if f.is_nan(x) else max(-k, min(k, round((Fraction(-2 if x & f.sign else 2) if f.is_inf(x) else f.value(x)) * k)))
    unorm = lambda f, x, k: max(0, norm(f, x, k))
    for f, ty, xs in ((F16, "f16", [f16(x) for x in (0, 1, -1, 0.25, -0.25, 2, -2, 0.125)] + [0x7c00, 0xfc00, 0x7e00]), (F32, "f32", [f32(x) for x in (0, 1, -1, 0.25, -0.25, 2, -2, 0.125)] + [0x7f800000, 0xff800000, 0x7fc00000])):
        rows = [(x, y, norm(f, x, 32767) & 0xffff | (norm(f, y, 32767) & 0xffff) << 16) for x, y in zip(xs, xs[3:] + xs[:3])]
        urows = [(x, y, unorm(f, x, 65535) | unorm(f, y, 65535) << 16) for x, y in zip(xs, xs[3:] + xs[:3])]
        for name, rs in (("i16", rows), ("u16", urows)):
            some(None, ["v_cvt_%s_%s_%s v3, v0%s, v1%s" % (n, name, ty, l, l) for n in ("pk_norm", "pknorm") for l in ("", ".l")], "v0 v1", "v3", rs, W32)
    g = ["gfx1250"]
    sat = lambda v, signed: max(-32768, min(32767, v)) if signed else max(0, min(65535, v))
    pick = lambda v, signed: sx(v, 16) if signed else v
    triples = [(0x7fff, 1, 5), (0x8000, 0xffff, 0x8001), (0xffff, 2, 7), (3, 4, 9), (3, 4, 0xfff0), (0xfff0, 0x20, 0xff00)]
    for signed, ty in ((1, "i16"), (0, "u16")):
        for op, f in (("max", max), ("min", min)):
            each = lambda a, b, c: f(sat(pick(a, signed) + pick(b, signed), signed), pick(c, signed)) & 0xffff
            rows = [(a | d << 16, b | e << 16, c | g_ << 16, each(a, b, c) | each(d, e, g_) << 16) for (a, b, c), (d, e, g_) in zip(triples, triples[1:] + triples[:1])]
            some(None, "v_pk_add_%s_%s v3, v0, v1, v2" % (op, ty), "v0 v1 v2", "v3", rows, g)
    some(None, "v_cvt_f32_bf16_e32 v3, v0", "v0", "v3", [(0x12343f80, f32(1)), (0x0000c040, f32(-3)), (0xffff7f80, 0x7f800000), (0x8000, 0x80000000), (1, 0x00010000)], g)
    some(None, "v_cvt_f32_bf16_e64 v3, v0 op_sel:[1,0]", "v0", "v3", [(0xc0403f80, f32(-3))], g)


def permlanes(m):
    """Groups of s3 lanes; a lane that would come from outside of its group keeps its own."""
    t = ["gfx1250"]
    ids = LANE + "v_add_nc_u32_e32 v1, 100, v1; "
    outs = "v2@0 v2@2 v2@3 v2@7 v2@8 v2@31"
    at = lambda f: tuple(100 + f(i) for i in (0, 2, 3, 7, 8, 31))
    for width in (8, 16, 32):
        inside = lambda i: i & ~(width - 1)
        some("to higher lanes", ids + "v_permlane_up_b32 v2, v1, s2, s3", "s2 s3", outs, [(d, width) + at(lambda i: i - d if i - d >= inside(i) else i) for d in (0, 1, 3, 7)], t)
        some("to lower lanes", ids + "v_permlane_down_b32 v2, v1, s2, s3", "s2 s3", outs, [(d, width) + at(lambda i: i + d if i + d < inside(i) + width else i) for d in (0, 1, 3, 7)], t)
        some("with the bits changed", ids + "v_permlane_xor_b32 v2, v1, s2, s3", "s2 s3", outs, [(d, width) + at(lambda i: i ^ d) for d in (0, 1, 5, 7)], t)
        some("one lane of each group", ids + "v_permlane_bcast_b32 v2, v1, s2, s3", "s2 s3", outs, [(d, width) + at(lambda i: inside(i) + d) for d in (0, 1, 5, 7)], t)
        # byte numbers for ds_bpermute: lane (value mod group) of the own group
        some(None, LANE + "v_permlane_idx_gen_b32 v2, v0, s3", "v0 s3", outs, [(d, width) + tuple(4 * (inside(i) + d % width) for i in (0, 2, 3, 7, 8, 31)) for d in (0, 3, 7, 37)], t)


# ---- floats of 8 bits -----------------------------------------------------------------------
E5M3 = Small(5, 3, 15, nan=0xff)  # no sign: gfx1250, asked for by the clamp bit


def small_floats(m):
    keep, g12, new = 0xaabbccdd, ["gfx1200", "gfx1250"], ["gfx1250"]
    NAN_ = "NaN"
    for gn in ("fp8", "bf8"):
        g = SMALL[gn]
        codes = [c for c in range(256) if g.value(c) != NAN_]
        narrow_bytes(gn, g, "", g12, new)
        some(None, "v_cvt_f32_%s_e32 v3, v0" % gn, "v0", "v3", [(0x55555500 | c, widen(g, F32, c, 127)) for c in codes], g12)
        for k in (1, 2, 3):
            put = lambda c: (0x33333333 & ~(0xff << 8 * k)) | c << 8 * k
            some(None, "v_cvt_f32_%s_e64 v3, v0 byte_sel:%d" % (gn, k), "v0", "v3", [(put(c), widen(g, F32, c, 127)) for c in codes[::17]], g12)
            some(None, "v_cvt_f16_%s_e64 v3, v0 byte_sel:%d" % (gn, k), "v0 v3", "v3", [(put(c), keep, (keep & 0xffff0000) | widen(g, F16, c, 127)) for c in codes[::17]], new)
        some(None, ["v_cvt_f16_%s_e32 v3%s, v0" % (gn, l) for l in ("", ".l")], "v0 v3", "v3", [(0x55555500 | c, keep, (keep & 0xffff0000) | widen(g, F16, c, 127)) for c in codes[::3]], new)
        for sel, at in (("", 0), (" op_sel:[1,0]", 16)):
            rows = [(((0x5555 << 16) >> at) | (c | d << 8) << at, join([widen(g, F32, v, 127) for v in (c, d)], 32)) for c, d in chunks(codes[::3], 2)]
            some(None, "v_cvt_pk_f32_%s_e64 v[4:5], v0%s" % (gn, sel), "v0", "v[4:5]", rows, g12)
            rows = [(((0x5555 << 16) >> at) | (c | d << 8) << at, join([widen(g, F16, v, 127) for v in (c, d)], 16)) for c, d in chunks(codes[::3], 2)]
            some(None, ["v_cvt_pk_f16_%s v4, v0%s" % (gn, sel)], "v0", "v4", rows, new)
    # E5M3 has no sign: it is dropped going in
    codes = range(255)
    some("E5M3", "v_cvt_f32_fp8_e64 v3, v0 clamp", "v0", "v3", [(0x55555500 | c, F32.round(E5M3.codes[c])) for c in codes] + [(0xff, "nan")], new)
    some("E5M3", "v_cvt_f32_fp8_e64 v3, v0 byte_sel:2 clamp", "v0", "v3", [(c << 16 | 0x77007777, F32.round(E5M3.codes[c])) for c in codes[::7]], new)
    some("E5M3", "v_cvt_f16_fp8_e64 v3, v0 clamp", "v0 v3", "v3", [(c, keep, keep & 0xffff0000 | F16.round(E5M3.codes[c])) for c in list(codes)[:248:5]], new)
    narrow_bytes("fp8", E5M3, " clamp", new, new)
    # one noise, then its successor, for the two halves
    for ty, f in (("f16", F16), ("bf16", BF16)):
        rows = []
        for k, (x, y) in enumerate(chunks(patterns(F32)[:-5] + [F32.round(Fraction(n, 7)) for n in (1, -2, 3, 5, 900, -1234)], 2)):
            noise = (0x9e3779b9 * (k + 3)) & M32
            rows.append((x, y, noise, to16(f, x, noise) | to16(f, y, prng(noise)) << 16))
        some(None, "v_cvt_sr_pk_%s_f32 v3, v0, v1, v2" % ty, "v0 v1 v2", "v3", rows, new)


def magnitude(g, f, x):
    return x & ~f.sign if g is E5M3 else x


def narrow_bytes(gn, g, clamp, targets, new):
    """f32 and f16 to a pair in a word, or with noise to a byte; the rest of the register stays."""
    keep, title = 0xaabbccdd, "E5M3" if clamp else None
    code = lambda f, x, ovfl=0, noise=None: narrow(f, g, magnitude(g, f, x), 127, ovfl, noise)
    for sel, at in (("[0,0,0]", 0), ("[0,0,1]", 16)):
        for ovfl, mode in ((0, None), (1, "f0 ovfl 1")):
            put = lambda got: (keep & ~(0xffff << at)) | join(got, 8) << at
            rows = [(x, y, keep, put([code(F32, v, ovfl) for v in (x, y)])) for x, y in chunks(patterns(F32), 2)]
            some(title, "v_cvt_pk_%s_f32 v3, v0, v1 op_sel:%s%s" % (gn, sel, clamp), "v0 v1 v3", "v3", rows, targets, mode=mode)
            rows = [(x | y << 16, keep, put([code(F16, v, ovfl) for v in (x, y)])) for x, y in chunks(patterns(F16), 2)]
            some(title, "v_cvt_pk_%s_f16 v3, v0 op_sel:[0,%s]%s" % (gn, sel[5], clamp), "v0 v3", "v3", rows, new, mode=mode)
    for k in range(4):
        put = lambda got: (keep & ~(0xff << 8 * k)) | got << 8 * k
        noisy = lambda xs: [(x, (0x9e3779b9 * (i + 3)) & M32) for i, x in enumerate(xs)]
        some(title, "v_cvt_sr_%s_f32 v3, v0, v1 byte_sel:%d%s" % (gn, k, clamp), "v0 v1 v3", "v3", [(x, n, keep, put(code(F32, x, noise=n))) for x, n in noisy(patterns(F32))], targets)
        some(title, "v_cvt_sr_%s_f16 v3, v0, v1 byte_sel:%d%s" % (gn, k, clamp), "v0 v1 v3", "v3", [(x | 0x12340000, n, keep, put(code(F16, x, noise=n))) for x, n in noisy(patterns(F16))], new)


# ---- two at once ------------------------------------------------------------------------------
def dual(m):
    t, g = m.GFX11 + m.GFX12, ["gfx1250"]
    # each operation in each half, beside a move whose source the other one writes
    both = {"fmac_f32": (f32(7), lambda d: ("v%d, v%d, v%d" % d, 1)), "mul_f32": (f32(6), None), "add_f32": (f32(5), None), "sub_f32": (f32(1), None), "subrev_f32": (f32(-1), None), "mul_dx9_zero_f32": (f32(6), None),
            "max_f32": (f32(3), None), "max_num_f32": (f32(3), None), "min_f32": (f32(2), None), "min_num_f32": (f32(2), None)}
    for op, (want, _) in both.items():
        some(None, "v_dual_%s v2, v0, v1 :: v_dual_mov_b32 v3, v2" % op, "v0 v1 v2", "v2 v3", [(f32(3), f32(2), f32(1), want, f32(1))], t)
        some(None, "v_dual_mov_b32 v3, v2 :: v_dual_%s v2, v0, v1" % op, "v0 v1 v2", "v2 v3", [(f32(3), f32(2), f32(1), want, f32(1))], t)
    k = "0x40a00000" # 5
    for x, y in (("v_dual_fmamk_f32 v2, v0, %s, v1" % k, "v_dual_mov_b32 v3, v2"), ("v_dual_mov_b32 v3, v2", "v_dual_fmamk_f32 v2, v0, %s, v1" % k)):
        some(None, x + " :: " + y, "v0 v1 v2", "v2 v3", [(f32(3), f32(2), f32(1), f32(17), f32(1))], t)
    for x, y in (("v_dual_fmaak_f32 v2, v0, v1, " + k, "v_dual_mov_b32 v3, v2"), ("v_dual_mov_b32 v3, v2", "v_dual_fmaak_f32 v2, v0, v1, " + k)):
        some(None, x + " :: " + y, "v0 v1 v2", "v2 v3", [(f32(3), f32(2), f32(1), f32(11), f32(1))], t)
    for ty, f in (("f16", f16), ("bf16", bf16)):
        a, b = f(1) | f(2) << 16, f(3) | f(4) << 16
        for x, y in (("v_dual_dot2acc_f32_%s v2, v0, v1" % ty, "v_dual_mov_b32 v3, v2"), ("v_dual_mov_b32 v3, v2", "v_dual_dot2acc_f32_%s v2, v0, v1" % ty)):
            some(None, x + " :: " + y, "v0 v1 v2", "v2 v3", [(a, b, f32(1), f32(12), f32(1))], t)
    for op, a, b, want in (("add_nc_u32", M32, 2, 1), ("lshlrev_b32", 36, 9, 144), ("and_b32", 12, 10, 8), ("sub_nc_u32", 3, 5, M32 - 1), ("lshrrev_b32", 33, 9, 4), ("ashrrev_i32", 33, 0x80000000, 0xc0000000),
                           ("max_i32", M32, 3, 3), ("min_i32", M32, 3, M32)):
        some(None, "v_dual_mov_b32 v3, v2 :: v_dual_%s v2, v0, v1" % op, "v0 v1 v2", "v2 v3", [(a, b, 7, want, 7)], t)
        some(None, "v_dual_mov_b32 v3, v4 :: v_dual_%s v2, v5, v7" % op, "v5 v7 v2 v4", "v2 v3", [(a, b, 7, 9, want, 9)], t)
    # VOPD3: both halves take every operation, three sources, negations, and a truth table (bit 2 * s0 + s1)
    a, b, c = f32(2), f32(3), f32(4)
    some(None, "v_dual_fma_f32 v2, v5, -v6, v7 :: v_dual_fma_f32 v3, v8, v9, v10", "v5 v6 v7 v8 v9 v10", "v2 v3", [(a, b, c, b, b, c, f32(-2), f32(13))], g)
    some(None, "v_dual_mov_b32 v2, v4 :: v_dual_fma_f32 v3, v5, v6, -v7", "v4 v5 v6 v7", "v2 v3", [(9, a, b, c, 9, f32(2))], g)
    for name, table, f in (("and", 0xc0, lambda x, y: x & y), ("or", 0xfc, lambda x, y: x | y), ("xor", 0x3c, lambda x, y: x ^ y), ("nor", 0x03, lambda x, y: ~(x | y)), ("and not", 0x30, lambda x, y: x & ~y), ("not and", 0x0c, lambda x, y: ~x & y)):
        x, y = 0x0ff0cc3a, 0x3c5aa55f
        some(name, "v_dual_mov_b32 v2, v4 :: v_dual_bitop2_b32 v3, v5, v6 bitop3:0x%x" % table, "v4 v5 v6", "v2 v3", [(9, x, y, 9, f(x, y) & M32)], g)
        some(name, "v_dual_bitop2_b32 v2, v5, v6 bitop3:0x%x :: v_dual_mov_b32 v3, v4" % table, "v4 v5 v6", "v2 v3", [(9, x, y, f(x, y) & M32, 9)], g)


# ---- LDS ----------------------------------------------------------------------------------------
def lds(m):
    new, g12 = m.GFX11 + m.GFX12, m.GFX12
    one, zero, nan = f64(1), 1 << 63, 0x7ff8 << 48
    names = ("ds_store_b64 v10, v[0:1]", "ds_load_b64 v[8:9], v10")
    some(None, names[0] + "; ds_cmpstore_f64 v10, v[4:5], v[2:3]; " + names[1], "exec v10 v[0:1] v[2:3] v[4:5]", "v[8:9]", [(1, 64, one, one, 7, 7), (1, 64, zero, 0, 7, 7), (1, 64, nan, nan, 7, nan), (1, 64, one, f64(2), 7, one)], m.GFX11 + g12)
    for st, step in (("", 8), ("_stride64", 512)):
        some(None, "ds_store_b64 v10, v[0:1] offset:%d; ds_store_b64 v10, v[2:3] offset:%d; ds_storexchg_2addr%s_rtn_b64 v[20:23], v10, v[4:5], v[6:7] offset0:1 offset1:2; ds_load_b64 v[8:9], v10 offset:%d; ds_load_b64 v[12:13], v10 offset:%d"
             % (step, 2 * step, st, step, 2 * step), "exec v10 v[0:1] v[2:3] v[4:5] v[6:7]", "v[20:21] v[22:23] v[8:9] v[12:13]", [(1, 64, 1 << 40 | 1, 2 << 40 | 2, 3 << 40 | 3, 4 << 40 | 4, 1 << 40 | 1, 2 << 40 | 2, 3 << 40 | 3, 4 << 40 | 4)], new)
    some(None, LANE + "v_add_nc_u32_e32 v2, v1, v0; s_mov_b32 m0, 0x40; ds_store_addtid_b32 v2 offset:8; ds_load_addtid_b32 v4 offset:12; ds_load_b32 v5, v10", "v0 v10", "v4@0 v4@7 v5", [(100, 0x48 + 20, 101, 108, 105)], new)
    for op, a, b, want in (("min", f64(1), f64(-2), f64(-2)), ("min", nan, f64(3), f64(3)), ("min", 0, zero, zero), ("max", f64(1), f64(-2), f64(1)), ("max", f64(3), nan, f64(3)), ("max", zero, 0, 0)):
        some(None, names[0] + "; ds_%s_num_f64 v10, v[2:3]; " % op + names[1], "exec v10 v[0:1] v[2:3]", "v[8:9]", [(1, 64, a, b, want)], g12)


# ---- atomics ------------------------------------------------------------------------------------
def desc(target, rest="0x100"):
    """s[8:11]: 256 bytes without a stride; the range check is that of raw buffers (OOB_SELECT 3), the format 32 bits of integers."""
    return "s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, %s; s_mov_b32 s11, 0x%x; " % (rest, {"gfx10": 0x31014fac, "gfx11": 0x31014fac, "gfx12": 0x30014fac}[target[:5]])


def atomics(m):
    """One lane: memory, then the data; the comparand of a compare-and-swap is above the new value."""
    inf, nan32, nan64, z32, z64 = 0x7f800000, 0x7fc00000, 0x7ff8 << 48, 1 << 31, 1 << 63
    least32 = [(f32(1), f32(-2), f32(-2)), (f32(-2), f32(1), f32(-2)), (nan32, f32(3), f32(3)), (f32(3), nan32, f32(3)), (0, z32, z32), (inf, f32(1), f32(1))]
    most32 = [(f32(1), f32(-2), f32(1)), (f32(-2), f32(1), f32(1)), (nan32, f32(3), f32(3)), (f32(3), nan32, f32(3)), (z32, 0, 0), (f32(1), inf, inf)]
    least64 = [(f64(1), f64(-2), f64(-2)), (nan64, f64(3), f64(3)), (0, z64, z64)]
    most64 = [(f64(1), f64(-2), f64(1)), (nan64, f64(3), f64(3)), (z64, 0, 0)]
    swap32 = [(f32(1), f32(1) << 32 | 9, 9), (z32, 0 << 32 | 9, 9), (nan32, nan32 << 32 | 9, nan32), (5, 6 << 32 | 9, 5)]
    swap64 = [(f64(1), f64(1) << 64 | 9, 9), (z64, 0 << 64 | 9, 9), (nan64, nan64 << 64 | 9, nan64), (f64(5), f64(6) << 64 | 9, f64(5))]
    less = [(9, 4, 5), (3, 4, 3), (4, 4, 0)]        # cond_sub: not where it would go below 0
    clamped = [(9, 4, 5), (3, 4, 0), (4, 4, 0)]     # csub, sub_clamp: 0 there
    kinds = [("fmin min_f32 min_num_f32", 1, 1, least32), ("fmax max_f32 max_num_f32", 1, 1, most32), ("fmin_x2 min_f64 min_num_f64", 2, 2, least64), ("fmax_x2 max_f64 max_num_f64", 2, 2, most64),
             ("fcmpswap cmpswap_f32", 1, 2, swap32), ("fcmpswap_x2 cmpswap_f64", 2, 4, swap64), ("cond_sub_u32", 1, 1, less), ("csub csub_u32 sub_clamp_u32", 1, 1, clamped)]
    for names, dwords, data, rows in kinds:
        d = "v2" if data == 1 else "v[2:%d]" % (1 + data)
        mem = "mem10" if dwords == 1 else "mem10 mem14"
        store = "v20" if dwords == 1 else "v[20:21]"
        got = store
        suffix = ("_dword", "_dwordx2", "_b32", "_b64")[dwords - 1::2]
        split = lambda v: (v,) if dwords == 1 else (v & M32, v >> 32)
        for t in (["gfx1010"], ["gfx1030"], ["gfx1100"], ["gfx1200"], ["gfx1250"]):
            forms = {"global": ("global_store%s v[0:1], " + store + ", off", "global_atomic_%s %s, v[0:1], " + d + ", off%s"),
                     "flat": ("flat_store%s v[0:1], " + store, "flat_atomic_%s %s, v[0:1], " + d + "%s"),
                     "buffer": ("buffer_store%s " + store + ", off, s[8:11], 0 offset:16", None)}
            wait = "" if t[0] >= "gfx12" else "; s_waitcnt vmcnt(0)"
            for kind, (put, op) in forms.items():
                texts = []
                for n in names.split():
                    for s in suffix:
                        for back in (" glc", " th:TH_ATOMIC_RETURN"):
                            if kind == "buffer":
                                off = "null" if t[0] >= "gfx12" else "0"
                                size = max(dwords, data)
                                copy = "; ".join("v_mov_b32_e32 v%d, v%d" % (30 + i, 2 + i) for i in range(data))
                                r = "v30" if size == 1 else "v[30:%d]" % (29 + size)
                                fetch = "; ".join("v_mov_b32_e32 v%d, v%d" % (24 + i, 30 + i) for i in range(dwords))
                                texts.append("s_mov_b32 exec_lo, 1; %s%s; %s; buffer_atomic_%s %s, off, s[8:11], %s offset:16%s%s; %s" % (desc(t[0]), put.replace(", 0 ", ", %s " % off) % s, copy, n, r, off, back, wait, fetch))
                            else:
                                texts.append("s_mov_b32 exec_lo, 1; " + put % s + "; " + op % (n, "v24" if dwords == 1 else "v[24:25]", back) + wait)
                out = ("v24@0 " if dwords == 1 else "v24@0 v25@0 ") + mem
                where = "s[4:5]" if kind == "buffer" else "v[0:1]"
                some(None, texts, "%s %s %s" % (where, d, store), out, [("@0" if kind == "buffer" else "@10", x, old) + split(old) + split(new) for old, x, new in rows], t)
    # gfx10 and gfx11 return the old value of csub alone, with or without glc: above


# ---- registers in blocks, lanes one behind the other ------------------------------------------------
def blocks(m):
    g12 = m.GFX12
    mem = lambda at, n: sum(((at + i) * 7 + (at + i >> 8) & 255) << 8 * i for i in range(n))
    some("M0 chooses the registers", "s_mov_b32 exec_lo, 1; s_mov_b32 m0, 5; global_store_block v[0:1], v[8:39], off", "v[0:1] v8 v9 v10", "mem10 mem14 mem18 mem1c", [("@10", 1, 2, 3, 1, mem(0x14, 4), 3, mem(0x1c, 4))], g12)
    some("M0 chooses the registers", "s_mov_b32 exec_lo, 1; s_mov_b32 m0, 0x80000001; global_store_block v2, v[8:39], s[4:5]", "s[4:5] v2 v8 v39", "mem10 mem8c", [("@0", 16, 1, 2, 1, 2)], g12)
    some("M0 chooses the registers", "s_mov_b32 exec_lo, 1; s_mov_b32 m0, 7; scratch_store_block v0, v[8:39], off offset:4; s_mov_b32 m0, 5; scratch_load_block v[40:71], v0, off offset:4", "v0 v8 v9 v10 v40 v41 v42", "v40@0 v41@0 v42@0",
         [(8, 1, 2, 3, 7, 8, 9, 1, 8, 3)], g12)
    both = lambda op: [op % n for n in ("dword_addtid", "addtid_b32")]
    some("4 bytes for each lane", both("global_load_%s v4, s[4:5] offset:16"), "s[4:5] v4", "v4@0 v4@1 v4@31", [("@0", 9, mem(16, 4), mem(20, 4), mem(140, 4))], W32)
    some("4 bytes for each lane", [LANE + "v_add_nc_u32_e32 v2, v1, v0; " + s for s in both("global_store_%s v2, s[4:5] offset:16")], "s[4:5] v0", "mem10 mem14 mem8c", [("@0", 100, 100, 101, 131)], W32)


# ---- buffers with formats of 16-bit components ----------------------------------------------------------
def formats(m):
    """Numbers of unified formats as gfx11 and gfx12 have them: 42 8_8_8_8_UNORM, 29 16_16_FLOAT."""
    names = {1: "x", 2: "xy", 3: "xyz", 4: "xyzw"}
    for t in (["gfx1100"], ["gfx1200"]):
        off = "null" if t[0] == "gfx1200" else "0"
        wait = "" if t[0] == "gfx1200" else "; s_waitcnt vmcnt(0)"
        def d(fmt):
            return "s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, 0x100; s_mov_b32 s11, 0x%x; " % (0x30000fac | fmt << 12)
        for n in range(1, 5):
            reg, each = ("v5", "v5") if n < 3 else ("v[5:6]", "v5 v6")
            pack = lambda v: tuple(v[k] | (v[k + 1] if k + 1 < n else 0) << 16 for k in range(0, n, 2))
            low = lambda v: ("xxxx%04x" % v,)
            ins = "s[4:5] mem10"
            some(None, d(42) + "buffer_load_d16_format_%s %s, off, s[8:11], %s offset:16" % (names[n], reg, off) + wait, ins, each, [("@0", 0xff00ff00) + (pack([0, f16(1), 0, f16(1)]) if n > 1 else low(0))], t)
            some(None, d(0) + "tbuffer_load_d16_format_%s %s, off, s[8:11], %s format:[BUF_FMT_16_16_FLOAT] offset:16" % (names[n], reg, off) + wait, ins, each,
                 [("@0", f16(2) | f16(-3) << 16) + (pack([f16(2), f16(-3), 0, f16(1)]) if n > 1 else low(f16(2)))], t)
            data = [f16(1), f16(-3), f16(Fraction(1, 2)), f16(2)]
            stored = sum(b << 8 * k for k, b in enumerate((0xff, 0, 0x80, 0xff)[:n]))
            some(None, d(42) + "buffer_store_d16_format_%s %s, off, s[8:11], %s offset:16" % (names[n], reg, off) + wait, "s[4:5] " + each, "mem10", [("@0",) + pack(data) + (stored,)], t)
            some(None, d(0) + "tbuffer_store_d16_format_%s %s, off, s[8:11], %s format:[BUF_FMT_16_16_FLOAT] offset:16" % (names[n], reg, off) + wait, "s[4:5] " + each, "mem10", [("@0",) + pack(data) + (data[0] | (data[1] if n > 1 else 0) << 16,)], t)
        some(None, d(42) + "buffer_load_d16_hi_format_x v5, off, s[8:11], %s offset:16" % off + wait, "s[4:5] v5 mem10", "v5", [("@0", 0xaabbccdd, 0xff, f16(1) << 16 | 0xccdd)], t)
        some(None, d(42) + "buffer_store_d16_hi_format_x v5, off, s[8:11], %s offset:16" % off + wait, "s[4:5] v5", "mem10", [("@0", f16(1) << 16 | 0xccdd, 0xff)], t)

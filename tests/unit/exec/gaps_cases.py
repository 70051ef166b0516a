# SPDX-License-Identifier: MIT
"""Instructions of gfx9 and CDNA that the other files leave out, so that each row of the table has a case
(test_exec_coverage.c counts).  Part of make_cases.py.  Models follow the formulas of AMD's ISA documents."""
from fractions import Fraction

from model import *

G = "gaps"
G9 = ["gfx900", "gfx90a", "gfx942", "gfx950"]
F9 = ["gfx900", "gfx906", "gfx908"]
M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def fl(f, *xs):
    r = [f.round(Fraction(x)) for x in xs]
    return r[0] if len(r) == 1 else r


def memory_byte(i):
    return (i * 7 + (i >> 8)) & 255


def memory(at, bytes):
    return sum(memory_byte(at + i) << 8 * i for i in range(bytes))


# ---- compares ---------------------------------------------------------------------
FLOAT_CMP = {"f": lambda a, b, u: False, "lt": lambda a, b, u: not u and a < b, "eq": lambda a, b, u: not u and a == b, "le": lambda a, b, u: not u and a <= b,
             "gt": lambda a, b, u: not u and a > b, "lg": lambda a, b, u: not u and a != b, "ge": lambda a, b, u: not u and a >= b, "o": lambda a, b, u: not u,
             "u": lambda a, b, u: u, "nge": lambda a, b, u: u or a < b, "nlg": lambda a, b, u: u or a == b, "ngt": lambda a, b, u: u or a <= b,
             "nle": lambda a, b, u: u or a > b, "neq": lambda a, b, u: u or a != b, "nlt": lambda a, b, u: u or a >= b, "tru": lambda a, b, u: True}
INT_CMP = {"f": lambda a, b: False, "lt": lambda a, b: a < b, "eq": lambda a, b: a == b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ne": lambda a, b: a != b,
           "ge": lambda a, b: a >= b, "t": lambda a, b: True}


def compares(m):
    on = 0x00ff00ff0f0f3355
    for name, f, w in (("f16", F16, 1), ("f32", F32, 1), ("f64", F64, 2)):
        xs = fl(f, 1, 2, -1) + [0, f.sign, f.inf, f.inf | f.sign, f.qnan, 1, f.inf | 1]
        def value(x):
            return Fraction(10) ** 400 * (-1 if x & f.sign else 1) if f.is_inf(x) else f.value(x) if not f.is_nan(x) else 0
        cases = [(a, b) for i, a in enumerate(xs) for b in xs[i % 2::2]]
        v = ("v0 v1", "v0", "v1") if w == 1 else ("v[0:1] v[2:3]", "v[0:1]", "v[2:3]")
        for op, test in FLOAT_CMP.items():
            rows = [(a, b, test(value(a), value(b), f.is_nan(a) or f.is_nan(b))) for a, b in cases]
            m.block(G, "v_cmp_%s_%s_e64 s[6:7], %s, %s" % (op, name, v[1], v[2]), v[0], "s[6:7]", [(a, b, M64 if r else 0) for a, b, r in rows], G9)
            m.block(G, "v_cmpx_%s_%s_e64 s[6:7], %s, %s" % (op, name, v[1], v[2]), v[0] + " exec", "s[6:7] exec", [(a, b, on, on if r else 0, on if r else 0) for a, b, r in rows], G9)
    for name, bits in (("16", 16), ("32", 32), ("64", 64)):
        xs = [0, 1, 2, (1 << bits - 1) - 1, 1 << bits - 1, (1 << bits) - 1]
        high = 0xabcd0000 if bits == 16 else 0
        v = ("v0 v1", "v0", "v1") if bits < 64 else ("v[0:1] v[2:3]", "v[0:1]", "v[2:3]")
        for sign in "iu":
            for op, test in INT_CMP.items():
                rows = [(a | high, b, test(*(sx(x, bits) if sign == "i" else x for x in (a, b)))) for a in xs for b in xs]
                m.block(G, "v_cmp_%s_%s%s_e64 s[6:7], %s, %s" % (op, sign, name, v[1], v[2]), v[0], "s[6:7]", [(a, b, M64 if r else 0) for a, b, r in rows], G9)
                m.block(G, "v_cmpx_%s_%s%s_e64 s[6:7], %s, %s" % (op, sign, name, v[1], v[2]), v[0] + " exec", "s[6:7] exec", [(a, b, on, on if r else 0, on if r else 0) for a, b, r in rows[::2]], G9)
    # classes: bit 0 signalling NaN, 1 quiet, 2 -inf, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +inf
    for name, f, w in (("f16", F16, 1), ("f32", F32, 1), ("f64", F64, 2)):
        kinds = [(f.inf | 1, 0), (f.qnan, 1), (f.inf | f.sign, 2), (f.one | f.sign, 3), (f.sign | 1, 4), (f.sign, 5), (0, 6), (1, 7), (f.one, 8), (f.inf, 9)]
        rows = [(x, mask, bool(mask >> k & 1)) for x, k in kinds for mask in (1 << k, 0x3ff & ~(1 << k), 0x3ff)]
        v = "v0" if w == 1 else "v[0:1]"
        m.block(G, "v_cmp_class_%s_e64 s[6:7], %s, v2" % (name, v), v + " v2", "s[6:7]", [(x, k, M64 if r else 0) for x, k, r in rows], G9)
        m.block(G, "v_cmpx_class_%s_e64 s[6:7], %s, v2" % (name, v), v + " v2 exec", "s[6:7] exec", [(x, k, on, on if r else 0, on if r else 0) for x, k, r in rows], G9)


# ---- scalar -------------------------------------------------------------------------
def scalar(m):
    B = lambda text, ins, outs, rows, t=G9: m.block(G, text, ins, outs, rows, t)
    a, b = 0x0123456789abcdef, 0xfedcba9876543210
    B("s_cmov_b64 s[2:3], s[0:1]", "s[0:1] s[2:3] scc", "s[2:3] scc", [(a, b, 1, a, 1), (a, b, 0, b, 0)])
    B("s_ff0_i32_b64 s2, s[0:1]", "s[0:1]", "s2", [(0, 0), (M64, M32), (0xffffffff, 32), (M64 >> 1, 63), (0x7, 3)])
    quad = lambda x: sum(1 << i for i in range(16) if x >> 4 * i & 15)
    B("s_quadmask_b64 s[2:3], s[0:1]", "s[0:1]", "s[2:3] scc", [(x, quad(x), int(quad(x) != 0)) for x in (0, 1, a, b, M64, 0x8000000000000000, 0x0f00f0000000000)])
    for name, new in (("andn1", lambda s, e: ~s & e), ("orn1", lambda s, e: ~s | e)):
        B("s_%s_saveexec_b64 s[2:3], s[0:1]" % name, "s[0:1] exec", "s[2:3] exec scc", [(s, e, e, new(s, e) & M64, int(new(s, e) & M64 != 0)) for s in (0, a, M64) for e in (M64, b, 0xff)])
    for name, new in (("andn1", lambda s, e: ~s & e), ("andn2", lambda s, e: s & ~e)):
        B("s_%s_wrexec_b64 s[2:3], s[0:1]" % name, "s[0:1] exec", "s[2:3] exec scc", [(s, e) + (new(s, e) & M64,) * 2 + (int(new(s, e) & M64 != 0),) for s in (0, a, M64) for e in (M64, b, 0xff)])
    B("s_getpc_b64 s[8:9]; s_add_u32 s8, s8, 16; s_addc_u32 s9, s9, 0; s_swappc_b64 s[10:11], s[8:9]; s_mov_b32 s5, 1; s_sub_u32 s12, s8, s10; s_subb_u32 s13, s9, s11", "s5", "s5 s[12:13]", [(7, 7, 4)])
    B("s_movrels_b32 s8, s4", "m0 s4 s5 s6", "s8", [(0, 1, 2, 3, 1), (2, 1, 2, 3, 3)], F9)
    B("s_movrels_b64 s[8:9], s[4:5]", "m0 s[4:5] s[6:7]", "s[8:9]", [(0, a, b, a), (2, a, b, b)], F9)
    B("s_movreld_b32 s4, s8", "m0 s4 s6 s8", "s4 s6", [(0, 1, 2, 9, 9, 2), (2, 1, 2, 9, 1, 9)], F9)
    B("s_movreld_b64 s[4:5], s[8:9]", "m0 s[4:5] s[6:7] s[8:9]", "s[4:5] s[6:7]", [(0, 1, 2, a, a, 2), (2, 1, 2, a, 1, a)], F9)
    B("s_set_gpr_idx_on s0, gpr_idx(SRC0); s_set_gpr_idx_idx s1; v_mov_b32 v4, v0; s_set_gpr_idx_mode gpr_idx(DST); v_mov_b32 v4, v0; s_set_gpr_idx_off; v_mov_b32 v8, v0",
      "s0 s1 v0 v1 v2 v3 v6", "v4 v6 v8 m0", [(1, 2, 10, 11, 12, 13, 16, 12, 10, 10, "xxxx8x02")], ["gfx900", "gfx90a"])
    quiet = "s_nop 3; s_wakeup; s_setkill 0; s_sethalt 0; s_sleep 1; s_setprio 3; s_sendmsg sendmsg(MSG_INTERRUPT); s_icache_inv; s_incperflevel 1; s_decperflevel 1; s_ttracedata; "
    B(quiet + "s_dcache_inv; s_dcache_wb; s_dcache_inv_vol; s_dcache_wb_vol; v_nop; v_clrexcp; ds_nop; s_barrier; s_waitcnt 0; s_mov_b32 s6, s5", "s5 s6 v0 exec scc", "s6 v0 exec scc", [(5, 6, 7, 0xff, 1, 5, 7, 0xff, 1)], F9)
    B("s_dcache_discard s[4:5], 0; s_dcache_discard_x2 s[4:5], 0; s_mov_b32 s6, 3", "s[4:5] s6 mem0", "s6 mem0", [("@0", 0, 77, 3, 77)], ["gfx900"])
    B("buffer_wbinvl1; buffer_wbinvl1_vol; s_mov_b32 s6, 3", "s6 v0", "s6 v0", [(0, 5, 3, 5)], ["gfx900"])
    B("buffer_wbl2; buffer_invl2; s_mov_b32 s6, 3", "s6 v0", "s6 v0", [(0, 5, 3, 5)], ["gfx90a"])
    B("buffer_wbl2 sc1; buffer_inv sc1; s_mov_b32 s6, 3", "s6 v0", "s6 v0", [(0, 5, 3, 5)], ["gfx942", "gfx950"])
    # the clock counts wave instructions
    B("s_memtime s[4:5]; s_memtime s[6:7]; s_waitcnt lgkmcnt(0); s_sub_u32 s8, s6, s4; s_subb_u32 s9, s7, s5", "s0", "s[8:9]", [(0, 1)])
    B("s_memrealtime s[4:5]; s_nop 0; s_memrealtime s[6:7]; s_waitcnt lgkmcnt(0); s_sub_u32 s8, s6, s4; s_subb_u32 s9, s7, s5", "s0", "s[8:9]", [(0, 2)])


def scalar_memory(m):
    B = lambda text, ins, outs, rows, t=F9: m.block(G, text, ins, outs, rows, t)
    wait = "; s_waitcnt lgkmcnt(0)"
    B("s_load_dwordx16 s[20:35], s[4:5], 0x40" + wait, "s[4:5]", "s[20:27] s[28:35]", [("@0", memory(0x40, 32), memory(0x60, 32)), ("@7", memory(0x44, 32), memory(0x64, 32))], G9)
    buf = "s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, 0x%x; s_mov_b32 s11, 0x27000; "
    for n, dst in ((1, "s20"), (2, "s[20:21]"), (4, "s[20:23]"), (8, "s[20:27]"), (16, "s[20:35]")):
        outs = dst if n < 16 else "s[20:27] s[28:35]"
        cut = lambda v: (v,) if n < 16 else (v & (1 << 256) - 1, v >> 256)
        suffix = "" if n == 1 else "x%d" % n
        B(buf % 0x100 + "s_buffer_load_dword%s %s, s[8:11], 0x10" % (suffix, dst) + wait, "s[4:5]", outs, [("@0",) + cut(memory(0x10, 4 * n))], G9)
        # what lies behind num_records is 0: the last dword
        B(buf % (0xc + 4 * n) + "s_buffer_load_dword%s %s, s[8:11], s7" % (suffix, dst) + wait, "s[4:5] s7", outs, [("@0", 0x10) + cut(memory(0x10, 4 * n - 4))], G9)
    val = 0x0f0e0d0c0b0a09080706050403020100
    for n, src in ((1, "s20"), (2, "s[20:21]"), (4, "s[20:23]")):
        v = val & (1 << 32 * n) - 1
        words = tuple(v >> 32 * k & M32 for k in range(n))
        names = " ".join("mem%x" % (0x20 + 4 * k) for k in range(n))
        B("s_store_dword%s %s, s[4:5], 0x20; s_dcache_wb" % ("" if n == 1 else "x%d" % n, src), "s[4:5] " + src, names + " mem%x" % (0x20 + 4 * n), [("@0", v) + words + (memory(0x20 + 4 * n, 4),)])
        B(buf % (0x20 + 4 * n) + "s_buffer_store_dword%s %s, s[8:11], 0x20; s_dcache_wb" % ("" if n == 1 else "x%d" % n, src), "s[4:5] " + src, names, [("@0", v) + words])
        B(buf % 0x20 + "s_buffer_store_dword%s %s, s[8:11], 0x20; s_dcache_wb" % ("" if n == 1 else "x%d" % n, src), "s[4:5] " + src, "mem20", [("@0", v, memory(0x20, 4))])
    for name, (old, data, new) in ATOMICS.items():
        for x2 in (False, True):
            mask = M64 if x2 else M32
            o, d, n = (v & mask for v in ATOMICS64.get(name, ATOMICS[name]))if x2 else (old, data, new)
            reg = "s[20:21]" if x2 else "s20"
            mem, mi = ("mem30 mem34", (o & M32, o >> 32)) if x2 else ("mem30", (o,))
            mo = (n & M32, n >> 32) if x2 else (n,)
            tail = "_x2" if x2 else ""
            B("s_atomic_%s%s %s, s[4:5], 0x30 glc" % (name, tail, reg) + wait, "s[4:5] %s %s" % (reg, mem), "%s %s" % (reg, mem), [("@0", d) + mi + (o,) + mo])
            B(buf % 0x100 + "s_buffer_atomic_%s%s %s, s[8:11], 0x30" % (name, tail, reg) + wait, "s[4:5] %s %s" % (reg, mem), "%s %s" % (reg, mem), [("@0", d) + mi + (d,) + mo])
    for x2, pair, first in ((False, "s[20:21]", "s20"), (True, "s[20:23]", "s[20:21]")):
        w = 64 if x2 else 32
        mem, words = ("mem30 mem34", lambda v: (v & M32, v >> 32)) if x2 else ("mem30", lambda v: (v,))
        for cmp, old, new in ((5, 5, 9), (6, 5, 5)):
            for text in ("s_atomic_cmpswap%s %s, s[4:5], 0x30 glc", buf % 0x100 + "s_buffer_atomic_cmpswap%s %s, s[8:11], 0x30 glc"):
                B(text % ("_x2" if x2 else "", pair) + wait, "s[4:5] %s %s" % (pair, mem), "%s %s" % (first, mem), [("@0", cmp << w | 9) + words(old) + (old,) + words(new)])


ATOMICS = {"swap": (5, 9, 9), "add": (0xfffffff0, 0x21, 0x11), "sub": (5, 9, M32 - 3), "smin": (5, 0xfffffff9, 0xfffffff9), "umin": (5, 0xfffffff9, 5), "smax": (5, 0xfffffff9, 5),
           "umax": (5, 0xfffffff9, 0xfffffff9), "and": (0xc, 0xa, 8), "or": (0xc, 0xa, 0xe), "xor": (0xc, 0xa, 6), "inc": (5, 5, 0), "dec": (0, 7, 7)}
ATOMICS64 = {"add": (0xffffffff, 1, 1 << 32), "sub": (1 << 32, 1, M32), "smin": (5, M64, M64), "umin": (5, M64, 5), "smax": (5, M64, 5), "umax": (5, M64, M64), "swap": (5 << 40, 9 << 40, 9 << 40),
             "and": (0xc << 40, 0xa << 40, 8 << 40), "or": (0xc << 40, 0xa << 40, 0xe << 40), "xor": (0xc << 40, 0xa << 40, 6 << 40), "inc": (M32, 1 << 40, 1 << 32), "dec": (1 << 32, 1 << 40, M32)}


# ---- vector ------------------------------------------------------------------------------
def functions(m):
    B = lambda text, ins, outs, rows, t=G9, mode=None: m.block(G, text, ins, outs, rows, t, mode=mode)
    h, s, d = F16, F32, F64
    B("v_rcp_iflag_f32_e32 v2, v0", "v0", "v2", [(fl(s, x), fl(s, Fraction(1) / x)) for x in (1, -1, 2, Fraction(1, 4), -8)] + [(0, s.inf), (s.sign, s.inf | s.sign), (s.inf, 0), (s.qnan, NAN)])
    B("v_rsq_f64_e32 v[2:3], v[0:1]", "v[0:1]", "v[2:3]", [(fl(d, x), fl(d, y)) for x, y in ((4, Fraction(1, 2)), (1, 1), (Fraction(1, 16), 4))] + [(0, d.inf), (d.sign, d.inf | d.sign), (d.inf, 0), (fl(d, -1), NAN), (d.qnan, NAN)])
    halves = {"rcp": [(2, Fraction(1, 2)), (-4, Fraction(-1, 4)), (3, Fraction(1, 3))], "sqrt": [(4, 2), (Fraction(9, 4), Fraction(3, 2)), (2, Fraction(46341, 32768))],
              "rsq": [(4, Fraction(1, 2)), (Fraction(1, 16), 4)], "log": [(8, 3), (Fraction(1, 4), -2), (1, 0)], "exp": [(3, 8), (-2, Fraction(1, 4)), (0, 1), (Fraction(1, 2), Fraction(46341, 32768))],
              "sin": [(Fraction(1, 4), 1), (Fraction(-1, 4), -1), (Fraction(3, 4), -1)], "cos": [(0, 1), (Fraction(1, 2), -1), (1, 1)]}
    special = {"rcp": [(0, h.inf), (h.sign, h.inf | h.sign), (h.inf, 0)], "sqrt": [(0, 0), (h.sign, h.sign), (h.inf, h.inf), (fl(h, -1), "nan16")], "rsq": [(0, h.inf), (h.sign, h.inf | h.sign), (h.inf, 0), (fl(h, -1), "nan16")],
               "log": [(0, h.inf | h.sign), (h.inf, h.inf), (fl(h, -1), "nan16")], "exp": [(h.inf, h.inf), (h.inf | h.sign, 0), (fl(h, 16), h.inf)], "sin": [(h.inf, "nan16"), (0, 0)], "cos": [(h.inf, "nan16")]}
    for name, xs in halves.items():
        B("v_%s_f16_e32 v2, v0" % name, "v0", "v2", [(fl(h, x) | 0x55550000, fl(h, y)) for x, y in xs] + special[name] + [(h.qnan, "nan16")])
    B("v_exp_legacy_f32_e32 v2, v0", "v0", "v2", [(fl(s, 3), fl(s, 8)), (fl(s, -1), fl(s, Fraction(1, 2))), (0, s.one), (s.inf | s.sign, 0)])
    B("v_log_legacy_f32_e32 v2, v0", "v0", "v2", [(fl(s, 8), fl(s, 3)), (fl(s, Fraction(1, 2)), fl(s, -1)), (s.one, 0), (0, s.inf | s.sign)])
    B("v_cvt_norm_i16_f16_e32 v2, v0", "v0", "v2", [(fl(h, 1), 0x7fff), (fl(h, -1), 0x8001), (fl(h, Fraction(1, 2)), 0x4000), (fl(h, 2), 0x7fff), (fl(h, -2), 0x8001), (h.qnan, 0), (0, 0), (h.inf, 0x7fff)])
    B("v_cvt_norm_u16_f16_e32 v2, v0", "v0", "v2", [(fl(h, 1), 0xffff), (fl(h, -1), 0), (fl(h, Fraction(1, 2)), 0x8000), (fl(h, 2), 0xffff), (h.qnan, 0), (0, 0)])
    B("v_cvt_pknorm_u16_f32 v2, v0, v1", "v0 v1", "v2", [(fl(s, 1), fl(s, Fraction(1, 2)), 0x8000ffff), (fl(s, -1), fl(s, 3), 0xffff0000), (s.qnan, s.inf, 0xffff0000)])
    B("v_cvt_pknorm_i16_f16 v2, v0, v1", "v0 v1", "v2", [(fl(h, 1), fl(h, -1), 0x80017fff), (fl(h, Fraction(1, 2)), fl(h, -2), 0x80014000), (h.qnan, h.sign, 0)])
    B("v_cvt_pknorm_u16_f16 v2, v0, v1", "v0 v1", "v2", [(fl(h, 1), fl(h, -1), 0xffff), (fl(h, Fraction(1, 2)), fl(h, 2), 0xffff8000), (h.qnan, h.inf, 0xffff0000)])
    B("v_cvt_pkaccum_u8_f32 v2, v0, v1", "v0 v1 v2", "v2", [(fl(s, 200), 2, 0x11223344, 0x11c83344), (fl(s, 300), 0, 0x11223344, 0x112233ff), (fl(s, -5), 3, 0x11223344, 0x00223344)])
    B("v_cvt_pk_f16_f32 v2, v0, v1", "v0 v1", "v2", [(x, y, convert(s, h, x) | convert(s, h, y) << 16) for x, y in ((fl(s, 1), fl(s, -2)), (fl(s, Fraction(2049)), fl(s, 2051)), (fl(s, 65519), fl(s, 65520)), (1, s.sign), (s.inf, s.inf | s.sign))], ["gfx950"])
    B("v_cvt_f32_bf16_e32 v2, v0", "v0", "v2", [(0xabcd3f80, s.one), (0xff80, s.inf | s.sign), (0x8000, s.sign), (1, 0x10000), (0x7fc0, NAN)], ["gfx950"])
    B("v_cvt_f32_bf16_sdwa v2, v0 src0_sel:WORD_1", "v0", "v2", [(0x3f80abcd, s.one), (0xc0400000, fl(s, -3))], ["gfx950"])
    B("v_prng_b32_e32 v2, v0", "v0", "v2", [(1, 2), (0x80000000, 197), (0xffffffff, 0xfffffffe ^ 197), (0, 0), (0x12345678, 0x2468acf0)], ["gfx950"])
    B("v_mov_b64_e32 v[2:3], v[0:1]", "v[0:1]", "v[2:3]", [(0x0123456789abcdef, 0x0123456789abcdef)], ["gfx942", "gfx950"])
    B("v_mov_b64_e32 v[2:3], 1.0", "v0", "v[2:3]", [(0, d.one)], ["gfx942", "gfx950"])
    B("v_swap_b32 v0, v1", "v0 v1 exec", "v0@0 v1@0 v0@1", [(1, 2, 1, 2, 1, 1)])
    B("v_accvgpr_mov_b32 a2, a1", "a1 a2", "a2", [(0x1234, 0, 0x1234)], ["gfx90a", "gfx942", "gfx950"])
    cubes(B)
    divisions(B)
    sums(B)
    trig(B)


def cubes(B):
    f = lambda x: fl(F32, x)
    def cube(x, y, z):
        ax, ay, az = abs(x), abs(y), abs(z)
        if az >= ax and az >= ay:
            return (5 if z < 0 else 4, -x if z < 0 else x, -y, 2 * z)
        if ay >= ax:
            return (3 if y < 0 else 2, x, -z if y < 0 else z, 2 * y)
        return (1 if x < 0 else 0, z if x < 0 else -z, -y, 2 * x)
    points = [(1, 2, 3), (1, 2, -3), (1, 3, 2), (1, -3, 2), (3, 1, 2), (-3, 1, 2), (2, 2, 2), (-2, -2, -2), (2, 2, 1), (-2, 2, 1), (2, -1, 2), (Fraction(-5, 2), Fraction(1, 2), -1)]
    for n, name in enumerate(("id", "sc", "tc", "ma")):
        B("v_cube%s_f32 v3, v0, v1, v2" % name, "v0 v1 v2", "v3", [(f(x), f(y), f(z), f(cube(x, y, z)[n])) for x, y, z in points])
    B("v_cubeid_f32 v3, -v0, |v1|, v2", "v0 v1 v2", "v3", [(f(3), f(-1), f(2), f(1)), (f(1), f(-3), f(2), f(2))])


def divisions(B):
    s, d, h = F32, F64, F16
    # scale: what is scaled, denominator, numerator -> value, flag; READINGS.md has the rules
    flag = lambda b: M64 if b else 0
    for f, e, v, w in ((s, 64, ("v3", "v0", "v1", "v2"), 1), (d, 128, ("v[6:7]", "v[0:1]", "v[2:3]", "v[4:5]"), 2)):
        P = lambda n: Fraction(2) ** n
        big, tiny, top, low = (96, 23, 127, -126) if f is s else (768, 53, 1023, -1022)
        name = "f32" if f is s else "f64"
        up, down = P(e), P(-e)
        rows = [(1, 1, 3, 1, 0), (3, 1, 3, 3, 0), (-5, -5, 3, -5, 0),
                (1, 1, P(big), up, 1), (P(big), 1, P(big), P(big), 1), (1, 1, P(big - 1), 1, 0),
                (P(low - 1), P(low - 1), 1, P(low - 1) * up, 1), (P(low - 1), P(low - 1), P(low + 9), P(low - 1) * up, 0), (P(low), P(low - 1), P(low), P(low) * up, 0),
                (P(top), P(top), P(60), P(top) * down, 0), (P(60), P(top), P(60), P(60) * down, 0),
                (P(low), 1, P(low), P(low) * up, 1), (1, 1, P(low), 1, 1),
                (P(low + 10), P(low + 10), P(low + 12), P(low + 10) * up, 0), (P(low + 12), P(low + 10), P(low + 12), P(low + 12) * up, 0)]
        out = [(fl(f, a), fl(f, b), fl(f, c), fl(f, r), flag(k)) for a, b, c, r, k in rows]
        out += [(fl(f, 1), 0, fl(f, 1), NAN, flag(1)), (0, fl(f, 1), 0, NAN, flag(1))]
        B("v_div_scale_%s %s, vcc, %s, %s, %s" % ((name,) + v), " ".join(v[1:]), v[0] + " vcc", out)
        # fmas: fma, times 2^64 or 2^-64 by the exponent of the addend when VCC is set
        fm = [(2, 3, 4, 0, 10), (2, 3, 4, 1, 10 * up), (2, 3, Fraction(1, 4), 1, Fraction(25, 4) * down), (2, 3, Fraction(1, 4), 0, Fraction(25, 4)), (P(70), 1, P(71), 1, None)]
        out = [(fl(f, a), fl(f, b), fl(f, c), flag(k), f.round((a * b + c) * ((up if c >= 2 else down) if k else 1))) for a, b, c, k, r in fm[:4]]
        out += [(f.inf, fl(f, 1), fl(f, 1), flag(1), f.inf), (f.qnan, fl(f, 1), fl(f, 1), 0, NAN)]
        B("v_div_fmas_%s %s, %s, %s, %s" % ((name,) + v), " ".join(v[1:]) + " vcc", v[0], out)
    # fixup: estimate, denominator, numerator
    for f, name, v in ((s, "f32", ("v3", "v0", "v1", "v2")), (d, "f64", ("v[6:7]", "v[0:1]", "v[2:3]", "v[4:5]")), (h, "f16", ("v3", "v0", "v1", "v2")), (h, "legacy_f16", ("v3", "v0", "v1", "v2"))):
        nan = NAN if f is not h else "nan16"
        q, one, two = fl(f, 3), fl(f, 1), fl(f, -2)
        rows = [(q, one, q, q), (q, two, q, q | f.sign), (q | f.sign, one, q, q), (q, 0, 0, nan), (q, f.inf, f.inf, nan), (q, 0, one, f.inf), (q, f.sign, one, f.inf | f.sign), (q, one, f.inf, f.inf),
                (q, two, f.inf, f.inf | f.sign), (q, f.inf, one, 0), (q, f.inf, two, f.sign), (q, one, 0, 0), (q, two, 0, f.sign), (q, f.qnan, one, nan), (q, one, f.qnan, nan)]
        B("v_div_fixup_%s %s, %s, %s, %s" % ((name,) + v), " ".join(v[1:]), v[0] if f is not h else "v3", rows)


def sums(B):
    s, h = F32, F16
    def sad(a, b, c, skip):
        return c + sum(abs((a >> 8 * k & 255) - (b >> 8 * k & 255)) for k in range(4) if not (skip and not b >> 8 * k & 255))
    samples = [(0x0102030405060708, 0x01020304, 0x0001000200030004), (0xffffffffffffffff, 0, 0), (0, 0xff00ff00, 0xfff0fff0fff0fff0), (0x8899aabbccddeeff, 0x10203040, 0x0fff0fff0fff0fff)]
    for name, skip in (("qsad", False), ("mqsad", True)):
        def pk(a, b, c):
            return sum((sad(a >> 8 * k & M32, b, c >> 16 * k & 0xffff, skip) & 0xffff) << 16 * k for k in range(4))
        B("v_%s_pk_u16_u8 v[6:7], v[0:1], v2, v[4:5]" % name, "v[0:1] v2 v[4:5]", "v[6:7]", [(a, b, c, pk(a, b, c)) for a, b, c in samples])
    wide = lambda a, b, c: sum((sad(a >> 8 * k & M32, b, c >> 32 * k & M32, True) & M32) << 32 * k for k in range(4))
    B("v_mqsad_u32_u8 v[8:11], v[0:1], v2, v[4:7]", "v[0:1] v2 v[4:7]", "v[8:11]", [(a, b, c << 64 | c, wide(a, b, c << 64 | c)) for a, b, c in samples])
    f = lambda x: fl(s, x)
    B("v_mad_legacy_f32 v3, v0, v1, v2", "v0 v1 v2", "v3", [(f(2), f(3), f(4), f(10)), (0, s.inf, f(4), f(4)), (s.inf, s.sign, f(1), f(1)), (s.qnan, 0, f(2), f(2)), (s.qnan, f(1), f(2), NAN)], ["gfx900", "gfx90a"])
    two, three, four = fl(h, 2), fl(h, 3), fl(h, 4)
    for name in ("v_mad_f16", "v_mad_legacy_f16", "v_fma_legacy_f16"):
        keep = 0xabcd0000 if name == "v_mad_f16" else 0
        t = ["gfx900", "gfx90a"] if "mad" in name else G9
        B(name + " v3, v0, v1, v2", "v0 v1 v2 v3", "v3", [(two, three, four, 0xabcd1234, keep | fl(h, 10)), (h.inf, three, four, 0xabcd1234, keep | h.inf), (fl(h, 1) | 1, fl(h, 1) | 1, fl(h, 1) | h.sign, 0xabcd1234, keep | (0x1800 if "mad" in name else fl(h, Fraction(1025, 1024) ** 2 - 1)))], t)
    for name, keep in (("v_mad_u16", 0xabcd0000), ("v_mad_legacy_u16", 0), ("v_mad_i16", 0xabcd0000), ("v_mad_legacy_i16", 0)):
        B(name + " v3, v0, v1, v2", "v0 v1 v2 v3", "v3", [(a, b, c, 0xabcd1234, keep | (a * b + c) & 0xffff) for a, b, c in ((3, 4, 5), (0xffff, 0xffff, 1), (0x8000, 2, 7), (0x1234, 0x10, 0xffff))])
    B("v_mad_i16 v3, v0, v1, v2 clamp", "v0 v1 v2 v3", "v3", [(0x7fff, 2, 0, 0, 0x7fff), (0x8000, 2, 0, 0, 0x8000), (3, 4, 5, 0, 17)])
    B("v_mad_u16 v3, v0, v1, v2 clamp", "v0 v1 v2 v3", "v3", [(0x7fff, 4, 0, 0, 0xffff), (3, 4, 5, 0, 17)])
    tri = [(1, 2, 3), (3, 1, 2), (2, 3, 1), (0x8000, 1, 0x7fff), (0xffff, 0, 0x7fff), (5, 5, 0x8001)]
    for kind, key in (("i16", lambda x: sx(x, 16)), ("u16", lambda x: x)):
        for name, pick in (("min3", 0), ("med3", 1), ("max3", 2)):
            B("v_%s_%s v3, v0, v1, v2" % (name, kind), "v0 v1 v2", "v3", [(a | 0x55550000, b, c, sorted((a, b, c), key=key)[pick]) for a, b, c in tri])
    ftri = [[fl(h, x) for x in t] for t in ((1, 2, 3), (3, 1, 2), (-1, 5, 0), (-4, -5, -6), (2, 2, 1))]
    for name, pick in (("min3", 0), ("med3", 1), ("max3", 2)):
        B("v_%s_f16 v3, v0, v1, v2" % name, "v0 v1 v2", "v3", [(*t, sorted(t, key=h.value)[pick]) for t in ftri])
    B("v_min3_f16 v3, v0, -v1, |v2|", "v0 v1 v2", "v3", [(fl(h, 1), fl(h, 2), fl(h, -3), fl(h, -2)), (h.qnan, fl(h, -2), fl(h, 3), fl(h, 2))])
    # minimum3, maximum3: a NaN wins, -0 is below +0
    for name, f, pick, v in (("minimum3", s, min, 1), ("maximum3", s, max, 1)):
        trips = [[fl(s, x) for x in t] for t in ((1, 2, 3), (3, 1, 2), (-1, 5, 0), (-4, -5, -6))] + [[0, s.sign, fl(s, 0)], [s.inf, fl(s, 1), s.inf | s.sign]]
        B("v_%s_f32 v3, v0, v1, v2" % name, "v0 v1 v2", "v3", [(*t, pick(t, key=lambda x: (s.value(x) if not s.is_inf(x) else (Fraction(-10) ** 41 if x & s.sign else Fraction(10) ** 40), 0 if x & s.sign else 1))) for t in trips]
          + [(s.qnan, 0, 0, NAN), (0, s.qnan, 0, NAN), (0, 0, s.qnan, NAN)], ["gfx950"])
        hp = [[fl(h, x) for x in t] for t in ((1, 2, 3), (3, 1, 2), (-1, 5, 0), (-4, -5, -6))]
        B("v_pk_%s_f16 v3, v0, v1, v2" % name, "v0 v1 v2", "v3", [tuple(x | y << 16 for x, y in zip(t, u)) + (pick(t, key=h.value) | pick(u, key=h.value) << 16,) for t, u in zip(hp, hp[1:] + hp[:1])]
          + [(h.qnan, 0, 0, "0000xxxx")], ["gfx950"])
    table = lambda a, b, c, t: sum(((t >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1))) & 1) << i for i in range(16))
    for t in (0x96, 0xe8, 0x01, 0x80, 0x6c):
        B("v_bitop3_b16 v3, v0, v1, v2 bitop3:0x%x" % t, "v0 v1 v2", "v3", [(a | 0x55550000, b, c, "xxxx%04x" % table(a, b, c, t)) for a, b, c in ((0xff00, 0xf0f0, 0xcccc), (0x1234, 0x5678, 0x9abc), (0, 0xffff, 0))], ["gfx950"])
    clamp = lambda x, lo, hi: max(lo, min(hi, x))
    for name, lo, hi in (("i8", -128, 127), ("u8", 0, 255)):
        B("v_ashr_pk_%s_i32 v3, v0, v1, v2" % name, "v0 v1 v2", "v3", [(a, b, c, "xxxx%04x" % (clamp(sx(a, 32) >> (c & 31), lo, hi) & 255 | (clamp(sx(b, 32) >> (c & 31), lo, hi) & 255) << 8))
                                                                 for a, b, c in ((0x1000, 0x7fffffff, 4), (0x80000000, 0xffffff00, 4), (100, 0xffffff9c, 0), (0x300, 0x40, 33))], ["gfx950"])
    B("v_sub_i32 v3, v0, v1 clamp", "v0 v1", "v3", [(0x80000000, 1, 0x80000000), (0x7fffffff, M32, 0x7fffffff), (7, 9, M32 - 1)])
    B("v_sub_i32 v3, v0, v1", "v0 v1", "v3", [(0x80000000, 1, 0x7fffffff), (7, 9, M32 - 1)])
    B("v_add_i16 v3, v0, v1", "v0 v1", "v3", [(0x7fff, 1, 0x8000), (0xffff, 1, 0)])
    B("v_add_i16 v3, v0, v1 clamp", "v0 v1", "v3", [(0x7fff, 1, 0x7fff), (0x8000, 0xffff, 0x8000), (3, 4, 7)])
    B("v_sub_i16 v3, v0, v1 clamp", "v0 v1", "v3", [(0x8000, 1, 0x8000), (0x7fff, 0xffff, 0x7fff), (3, 4, 0xffff)])
    B("v_subrev_u16_e32 v3, v0, v1", "v0 v1", "v3", [(3, 10, 7), (10, 3, 0xfff9), (0, 0x15555, 0x5555)])
    B("v_pack_b32_f16 v3, v0, -v1", "v0 v1", "v3", [(0x55553c00, 0x66664000, 0xc0003c00)])
    B("v_pack_b32_f16 v3, v0, v1 op_sel:[1,1,0]", "v0 v1", "v3", [(0x55553c00, 0x66664000, 0x66665555)])
    for name, sub in (("v_sub_co_u32", lambda a, b: a - b), ("v_subrev_co_u32", lambda a, b: b - a)):
        B(name + "_e64 v3, s[6:7], v0, v1", "v0 v1", "v3 s[6:7]", [(a, b, sub(a, b) & M32, M64 if sub(a, b) < 0 else 0) for a, b in ((5, 3), (3, 5), (0, M32), (M32, M32))])
    B("v_subbrev_co_u32_e64 v3, s[6:7], v0, v1, s[8:9]", "v0 v1 s[8:9]", "v3 s[6:7]", [(5, 3, M64, M32 - 2, M64), (3, 5, M64, 1, 0), (3, 5, 0, 2, 0), (0, 0, M64, M32, M64)])
    macs(B)


def macs(B):
    s, h, d, bf = F32, F16, F64, BF16
    f, g = (lambda x: fl(s, x)), (lambda x: fl(h, x))
    B("v_madmk_f32 v3, v0, 0x40400000, v1", "v0 v1", "v3", [(f(2), f(1), f(7)), (1, f(1), f(1)), (s.inf, f(1), s.inf)], ["gfx900", "gfx90a"])
    B("v_madak_f32 v3, v0, v1, 0x40400000", "v0 v1", "v3", [(f(2), f(4), f(11)), (0, s.inf, NAN)], ["gfx900", "gfx90a"])
    keep = 0xabcd0000
    B("v_mac_f16_e32 v3, v0, v1", "v0 v1 v3", "v3", [(g(2), g(3), keep | g(1), keep | g(7)), (g(1) | 1, g(1) | 1, keep | g(-1), keep | 0x1800)], ["gfx900", "gfx90a"])
    B("v_madmk_f16 v3, v0, 0x4200, v1", "v0 v1 v3", "v3", [(g(2), g(1), keep, keep | g(7))], ["gfx900", "gfx90a"])
    B("v_madak_f16 v3, v0, v1, 0x4200", "v0 v1 v3", "v3", [(g(2), g(4), keep, keep | g(11))], ["gfx900", "gfx90a"])
    B("v_fmac_f64_e32 v[4:5], v[0:1], v[2:3]", "v[0:1] v[2:3] v[4:5]", "v[4:5]", [(fl(d, 2), fl(d, 3), fl(d, 4), fl(d, 10)), (d.one | 1, d.one | 1, d.one | d.sign, fma(d, d.one | 1, d.one | 1, d.one | d.sign)), (d.inf, 0, 0, NAN)], ["gfx90a", "gfx942", "gfx950"])
    B("v_pk_fmac_f16 v3, v0, v1", "v0 v1 v3", "v3", [(g(2) | g(3) << 16, g(3) | g(5) << 16, g(1) | g(-1) << 16, g(7) | g(14) << 16)])
    pk = lambda lo, hi, c=g: c(lo) | c(hi) << 16
    B("v_dot2c_f32_f16_e32 v3, v0, v1", "v0 v1 v3", "v3", [(pk(2, 3), pk(4, 5), f(1), f(24)), (pk(1, -1), pk(7, 7), f(Fraction(1, 2)), f(Fraction(1, 2)))], ["gfx908", "gfx90a", "gfx942", "gfx950"])
    b16 = lambda x: fl(bf, x)
    B("v_dot2c_f32_bf16_e32 v3, v0, v1", "v0 v1 v3", "v3", [(pk(2, 3, b16), pk(4, 5, b16), f(1), f(24)), (pk(1, -1, b16), pk(7, 7, b16), f(Fraction(1, 2)), f(Fraction(1, 2)))], ["gfx950"])
    B("v_dot2_f32_bf16 v3, v0, v1, v2", "v0 v1 v2", "v3", [(pk(2, 3, b16), pk(4, 5, b16), f(1), f(24)), (pk(-2, 3, b16), pk(4, 5, b16), f(-8), f(-1))], ["gfx950"])
    def dot(bits, a, b, c):
        return c + sum(sx(a >> bits * k, bits) * sx(b >> bits * k, bits) for k in range(32 // bits))
    for name, bits in (("dot2c_i32_i16", 16), ("dot4c_i32_i8", 8), ("dot8c_i32_i4", 4)):
        B("v_%s_e32 v3, v0, v1" % name, "v0 v1 v3", "v3", [(a, b, c, dot(bits, a, b, sx(c, 32)) & M32) for a, b, c in ((0x01020304, 0x05060708, 9), (0x80808080, 0x7f7f7f7f, 0), (0xffffffff, 0xffffffff, 0xffffffff), (0x12345678, 0x9abcdef0, 0x7fffffff))],
          ["gfx908", "gfx90a", "gfx942", "gfx950"])


def two_over_pi():
    """1201 bits of the fraction of 2/pi, from Machin's formula in integers."""
    n = 1400
    one = 1 << n
    def atan_inv(x):
        total, term, k = 0, one // x, 1
        while term:
            total += term // k if k % 4 == 1 else -(term // k)
            term //= x * x
            k += 2
        return total
    pi = 4 * (4 * atan_inv(5) - atan_inv(239))
    return ((2 * one << n) // pi) >> (n - 1201)


def trig(B):
    bits = two_over_pi()
    rows = []
    for e, segment in ((1023, 0), (1023, 1), (1023, 2), (1077, 0), (1078, 0), (1100, 1), (1500, 2), (1967, 0), (1968, 0), (2046, 1), (1023, 22), (1023, 23), (1023, 31)):
        shift = (segment & 31) * 53 + max(0, e - 1077)
        top = 1201 - shift
        part = (bits >> (top - 53) if top >= 53 else bits << (53 - top)) & ((1 << 53) - 1) if top > 0 else 0
        scale = -53 - shift + (128 if e >= 1968 else 0)
        rows.append((e << 52 | 0x123456789abcd, segment, F64.round(part * Fraction(2) ** scale)))
    B("v_trig_preop_f64 v[4:5], v[0:1], v2", "v[0:1] v2", "v[4:5]", rows)


# ---- LDS -----------------------------------------------------------------------------------
def lds(m):
    B = lambda text, ins, outs, rows, t=G9: m.block(G, text, ins, outs, rows, t)
    one, wait = "s_mov_b64 exec, 1; s_mov_b32 m0, -1; ", "; s_waitcnt lgkmcnt(0)"
    F = {4: F32, 8: F64}
    more = {"sub": ATOMICS["sub"], "rsub": (5, 9, 4), "inc": ATOMICS["inc"], "dec": ATOMICS["dec"], "min_i": ATOMICS["smin"], "max_i": ATOMICS["smax"], "min_u": ATOMICS["umin"], "max_u": ATOMICS["umax"],
            "and_b": ATOMICS["and"], "or_b": ATOMICS["or"], "xor_b": ATOMICS["xor"], "add": ATOMICS["add"]}
    more64 = {"rsub": (1, 1 << 32, M32), "min_i": ATOMICS64["smin"], "max_i": ATOMICS64["smax"], "min_u": ATOMICS64["umin"], "max_u": ATOMICS64["umax"], "and_b": ATOMICS64["and"], "or_b": ATOMICS64["or"],
              "xor_b": ATOMICS64["xor"], "sub": ATOMICS64["sub"], "inc": ATOMICS64["inc"], "dec": ATOMICS64["dec"], "add": ATOMICS64["add"]}
    kind = lambda name, bits: "%s%d" % (name, bits) if name[-2] == "_" else "%s_u%d" % (name, bits)
    for bits, table in ((32, more), (64, more64)):
        w = bits // 32
        d0, d1, got = ("v0", "v2", "v4") if w == 1 else ("v[0:1]", "v[2:3]", "v[4:5]")
        size = "" if w == 1 else "b64"
        wr, rd = ("ds_write_b32", "ds_read_b32") if w == 1 else ("ds_write_b64", "ds_read_b64")
        for name, (old, data, new) in table.items():
            op = "ds_" + kind(name, bits)
            B(one + "%s v10, %s offset:8; %s v10, %s offset:8; %s %s, v10 offset:8" % (wr, d0, op, d1, rd, got) + wait, "v10 %s %s" % (d0, d1), got + "@0" if w == 1 else "v4@0 v5@0",
              [(32, old, data) + ((new,) if w == 1 else (new & M32, new >> 32))])
            parts = name.split("_")
            src2 = "ds_%s_src2_%s" % (parts[0], (parts[1] if len(parts) > 1 else "u") + str(bits))
            # the second operand 4 dwords behind; and by the address, 3 dwords in front
            B(one + "%s v10, %s; %s v10, %s offset:16; %s v10 offset:4; %s %s, v10" % (wr, d0, wr, d1, src2, rd, got) + wait, "v10 %s %s" % (d0, d1), "v4@0" if w == 1 else "v4@0 v5@0",
              [(32, old, data) + ((new,) if w == 1 else (new & M32, new >> 32))], F9)
        f = F[bits // 8]
        for name, rows in {"min": [(fl(f, 1), fl(f, -2), fl(f, -2)), (f.qnan, fl(f, 3), fl(f, 3)), (0, f.sign, f.sign)], "max": [(fl(f, 1), fl(f, -2), fl(f, 1)), (f.sign, 0, 0)],
                           "add": [(fl(f, 1), fl(f, 2), fl(f, 3)), (f.inf, fl(f, 1), f.inf)]}.items():
            for old, data, new in rows:
                for src2 in (False, True):
                    if name == "add" and bits == 64 and src2:
                        continue
                    op = "ds_%s_src2_f%d v10 offset:4" % (name, bits) if src2 else "ds_%s_f%d v10, %s" % (name, bits, d1)
                    pre = "%s v10, %s; %s" % (wr, d0, "%s v10, %s offset:16; " % (wr, d1) if src2 else "")
                    t = F9 if src2 else ["gfx90a", "gfx942", "gfx950"] if name == "add" and bits == 64 else G9
                    B(one + pre + op + "; %s %s, v10" % (rd, got) + wait, "v10 %s %s" % (d0, d1), "v4@0" if w == 1 else "v4@0 v5@0", [(32, old, data) + ((new,) if w == 1 else (new & M32, new >> 32))], t)
        cut = lambda v: (v,) if w == 1 else (v & M32, v >> 32)
        outs = "v4@0" if w == 1 else "v4@0 v5@0"
        d2 = "v6" if w == 1 else "v[6:7]"
        # mskor: mask, then the bits to set; cmpst: comparand, then the new value
        for op, rows in (("ds_mskor_b%d" % bits, [(0xff, 0x0f, 0x100, 0x1f0)]), ("ds_cmpst_b%d" % bits, [(5, 5, 9, 9), (5, 6, 9, 5)]),
                         ("ds_cmpst_f%d" % bits, [(fl(f, 5), fl(f, 5), 9, 9), (f.sign, 0, 9, 9), (f.qnan, f.qnan, 9, f.qnan)])):
            for old, x, y, new in rows:
                B(one + "%s v10, %s; %s v10, %s, %s; %s %s, v10" % (wr, d0, op, d1, d2, rd, got) + wait, "v10 %s %s %s" % (d0, d1, d2), outs, [(32, old, x, y) + cut(new)])
        if w == 2:
            B(one + "ds_write_b64 v10, v[0:1]; ds_write_b64 v10, v[2:3] offset:16; ds_write_src2_b64 v10 offset:4; ds_read_b64 v[4:5], v10" + wait, "v10 v[0:1] v[2:3]", outs, [(32, 1, 1 << 40 | 7, 7, 1 << 8)], F9)
        # pairs 64 elements apart
        unit = 64 * 4 * w
        B(one + "%s v10, %s offset:%d; %s v10, %s offset:%d; ds_read2st64_b%d v[20:%d], v10 offset0:1 offset1:2" % (wr, d0, unit, wr, d1, 2 * unit, bits, 19 + 2 * w) + wait, "v10 %s %s" % (d0, d1), "v[20:%d]@0" % (19 + 2 * w) if w == 1 else "v20@0 v21@0 v22@0 v23@0",
          [(32, 0x11, 0x22) + ((0x22 << 32 | 0x11,) if w == 1 else (0x11, 0, 0x22, 0))])
        B(one + "ds_write2st64_b%d v10, %s, %s offset0:1 offset1:2; %s %s, v10 offset:%d" % (bits, d0, d1, rd, got, 2 * unit) + wait, "v10 %s %s" % (d0, d1), outs, [(32, 0x11, 0x22) + cut(0x22)])
        for st, k in (("", 4 * w), ("st64", unit)):
            B(one + "%s v10, %s offset:%d; %s v10, %s offset:%d; ds_wrxchg2%s_rtn_b%d v[20:%d], v10, %s, %s offset0:1 offset1:2; %s %s, v10 offset:%d" % (wr, d0, k, wr, d1, 2 * k, st, bits, 19 + 2 * w, d1, d2, rd, got, 2 * k) + wait,
              "v10 %s %s %s" % (d0, d1, d2), "v20@0 v%d@0 %s" % (20 + w, outs), [(32, 0x11, 0x22, 0x33, 0x11, 0x22) + cut(0x33)])
    B(one + "ds_write_b32 v10, v0; ds_pk_add_f16 v10, v2; ds_read_b32 v4, v10" + wait, "v10 v0 v2", "v4@0", [(32, fl(F16, 1) | fl(F16, 2) << 16, fl(F16, 3) | fl(F16, -5) << 16, fl(F16, 4) | fl(F16, -3) << 16)], ["gfx942", "gfx950"])
    B(one + "ds_write_b32 v10, v0; ds_pk_add_bf16 v10, v2; ds_read_b32 v4, v10" + wait, "v10 v0 v2", "v4@0", [(32, fl(BF16, 1) | fl(BF16, 2) << 16, fl(BF16, 3) | fl(BF16, -5) << 16, fl(BF16, 4) | fl(BF16, -3) << 16)], ["gfx942", "gfx950"])
    # M0 + offset + 4 * lane
    B("s_mov_b32 m0, 0x40; v_mbcnt_lo_u32_b32 v1, -1, 0; v_mbcnt_hi_u32_b32 v1, -1, v1; v_add_u32 v2, v1, v0; ds_write_addtid_b32 v2 offset:8; ds_read_addtid_b32 v4 offset:12; ds_read_b32 v5, v10" + wait, "v0 v10", "v4@0 v4@7 v5@0",
      [(100, 0x48 + 20, 101, 108, 105)], ["gfx900"])
    transposed(B, wait)


def transposed(B, wait):
    """16 lanes' registers, one behind the other, are rows of 16 elements; lane i gets column i."""
    lane = "v_mbcnt_lo_u32_b32 v1, -1, 0; v_mbcnt_hi_u32_b32 v1, -1, v1; "
    def image(size, group): # each lane writes its number into every byte of its 8 or 12
        return b"".join(bytes([16 * group + l]) * size for l in range(16))
    def column(size, bits, lane):
        raw = int.from_bytes(image(size, lane // 16), "little")
        n = 8 * size // bits
        return sum((raw >> (16 * r + lane % 16) * bits & ((1 << bits) - 1)) << r * bits for r in range(n))
    for name, size, bits in (("b64_tr_b4", 8, 4), ("b64_tr_b8", 8, 8), ("b64_tr_b16", 8, 16), ("b96_tr_b6", 12, 6)):
        dwords = size // 4
        spread = lane + "v_lshl_or_b32 v2, v1, 8, v1; v_lshl_or_b32 v2, v2, 16, v2; v_mov_b32 v3, v2; v_mov_b32 v4, v2; v_mul_u32_u24 v10, %d, v1; " % size
        text = spread + "ds_write_b%d v10, v[2:%d]; s_waitcnt lgkmcnt(0); ds_read_%s v[20:%d], v10" % (8 * size, 1 + dwords, name, 19 + dwords) + wait
        lanes = (0, 1, 15, 18)
        outs = " ".join("v%d@%d" % (20 + k, l) for l in lanes for k in range(dwords))
        B(text, "v0", outs, [(0,) + tuple(column(size, bits, l) >> 32 * k & M32 for l in lanes for k in range(dwords))], ["gfx950"])


# ---- memory ----------------------------------------------------------------------------------
def moves(m):
    B = lambda text, ins, outs, rows, t=G9: m.block(G, text, ins, outs, rows, t)
    wait = "; s_waitcnt vmcnt(0) lgkmcnt(0)"
    ext = {"ubyte": lambda v: v & 255, "sbyte": lambda v: sx(v & 255, 8) & M32, "ushort": lambda v: v & 0xffff, "sshort": lambda v: sx(v & 0xffff, 16) & M32}
    x = 0x89abcdef
    # to LDS: M0 + offset + 4 * lane (12, 16 for the wide ones)
    for name, f in ext.items():
        B("s_mov_b32 m0, 0x40; global_load_lds_%s v[6:7], off offset:4; s_waitcnt vmcnt(0); ds_read_b32 v5, v10" % name + wait, "v[6:7] v10 mem14", "v5", [("@10", 0x44 + 4 * 9, x, f(x))], ["gfx942", "gfx950"])
        B("s_mov_b32 m0, 0x40; s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, 0x100; s_mov_b32 s11, 0x27000; buffer_load_%s off, s[8:11], 0 offset:20 lds; s_waitcnt vmcnt(0); ds_read_b32 v5, v10" % name + wait, "s[4:5] v10 mem14", "v5",
          [("@0", 0x40 + 20 + 4 * 9, x, f(x))])
    for n in (3, 4):
        B("s_mov_b32 m0, 0x40; global_load_lds_dwordx%d v[6:7], off; s_waitcnt vmcnt(0); ds_read_b32 v5, v10" % n + wait, "v[6:7] v10 mem18", "v5", [("@10", 0x40 + 4 * n * 5 + 8, x, x)], ["gfx950"])
        B("s_mov_b32 m0, 0x40; s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, 0x100; s_mov_b32 s11, 0x27000; buffer_load_dwordx%d off, s[8:11], 0 offset:16 lds; s_waitcnt vmcnt(0); ds_read_b32 v5, v10" % n + wait, "s[4:5] v10 mem18", "v5",
          [("@0", 0x40 + 16 + 4 * n * 5 + 8, x, x)], ["gfx950"])
    B("s_mov_b32 m0, 0x40; ds_write_b32 v10, v0; s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, 0x100; s_mov_b32 s11, 0x27000; s_mov_b64 exec, 4; buffer_store_lds_dword s[8:11], 0 offset:16 lds" + wait, "s[4:5] v10 v0", "mem10 mem14",
      [("@0", 0x40 + 16 + 8, x, x, memory(0x14, 4))], F9)
    scratch(B, wait, ext, x)
    buffers(B, wait)


def scratch(B, wait, ext, x):
    for n in (1, 2, 3, 4):
        reg = lambda r: "v%d" % r if n == 1 else "v[%d:%d]" % (r, r + n - 1)
        suffix = "" if n == 1 else "x%d" % n
        v = 0x44444444333333332222222211111111 & (1 << 32 * n) - 1
        B("scratch_store_dword%s v8, %s, off offset:4; scratch_load_dword%s %s, v8, off offset:4" % (suffix, reg(12), suffix, reg(20)) + wait, "v8 " + reg(12), reg(20), [(16, v, v), (17, v, v)])
    for name, f in ext.items():
        B("scratch_store_dword v8, v0, off; scratch_load_%s v5, v8, off offset:1" % name + wait, "v8 v0", "v5", [(16, x, f(x >> 8))])
        B("s_mov_b32 m0, 0x40; scratch_store_dword v8, v0, off; s_waitcnt vmcnt(0); scratch_load_lds_%s v8, off; s_waitcnt vmcnt(0); ds_read_b32 v5, v10" % name + wait, "v8 v0 v10", "v5", [(16, x, 0x40 + 4 * 9, f(x))], ["gfx942", "gfx950"])
    B("s_mov_b32 m0, 0x40; scratch_store_dword v8, v0, off; s_waitcnt vmcnt(0); scratch_load_lds_dword v8, off; s_waitcnt vmcnt(0); ds_read_b32 v5, v10" + wait, "v8 v0 v10", "v5", [(16, x, 0x40 + 4 * 9, x)], ["gfx942", "gfx950"])
    for name, v in (("byte", 0x112233ef), ("byte_d16_hi", 0x112233ab), ("short", 0x1122cdef), ("short_d16_hi", 0x112289ab)):
        B("scratch_store_dword v8, v1, off; scratch_store_%s v8, v0, off; scratch_load_dword v5, v8, off" % name + wait, "v8 v0 v1", "v5", [(16, x, 0x11223344, v)])
    for name, v in (("ubyte_d16", 0xaabb00ef), ("ubyte_d16_hi", 0x00efccdd), ("sbyte_d16", 0xaabbffef), ("sbyte_d16_hi", 0xffefccdd), ("short_d16", 0xaabbcdef), ("short_d16_hi", 0xcdefccdd)):
        B("scratch_store_dword v8, v0, off; scratch_load_%s v5, v8, off" % name + wait, "v8 v0 v5", "v5", [(16, x, 0xaabbccdd, v)])


def buffers(B, wait):
    """Formats by the descriptor (buffer_) and by the instruction (tbuffer_)."""
    def desc(data, number):
        return "s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, 0x100; s_mov_b32 s11, 0x%x; " % (0xfac | number << 12 | data << 15)
    plain = "s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, 0x100; s_mov_b32 s11, 0x27000; "
    f, h = (lambda q: fl(F32, q)), (lambda q: fl(F16, q))
    names = {1: "x", 2: "xy", 3: "xyz", 4: "xyzw"}
    ubyte, snorm16, rgb10 = (10, 4), (5, 1), (9, 0)
    four = [0x11, 0x22, 0x33, 0x44]
    for n in range(1, 5):
        reg = "v5" if n == 1 else "v[5:%d]" % (4 + n)
        each = " ".join("v%d" % (5 + k) for k in range(n))
        B(desc(*ubyte) + "buffer_load_format_%s %s, off, s[8:11], 0 offset:16" % (names[n], reg) + wait, "s[4:5] mem10", each, [("@0", 0x44332211) + tuple(four[:n])])
        B(desc(*snorm16) + "buffer_load_format_%s %s, off, s[8:11], 0 offset:16" % (names[n], reg) + wait, "s[4:5] mem10", each, [("@0", 0x80017fff) + tuple([f(1), f(-1), 0, f(1)][:n])])
        B(plain + "tbuffer_load_format_%s %s, off, s[8:11], 0 format:[BUF_DATA_FORMAT_2_10_10_10,BUF_NUM_FORMAT_UNORM] offset:16" % (names[n], reg) + wait, "s[4:5] mem10", each,
          [("@0", 0x3ff | 0 << 10 | 0x155 << 20 | 1 << 30) + tuple([f(1), 0, f(Fraction(341, 1023)), f(Fraction(1, 3))][:n])], F9)
        B(plain + "tbuffer_load_format_%s %s, off, s[8:11], 0 format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_SSCALED] offset:16" % (names[n], reg) + wait, "s[4:5] mem10", each, [("@0", 0xfff60007) + tuple([f(7), f(-10), 0, f(1)][:n])])
        data = [f(1), f(-3), f(Fraction(1, 2)), f(2)]
        stored = (0xff, 0, 0x80, 0xff)
        B(desc(10, 0) + "buffer_store_format_%s %s, off, s[8:11], 0 offset:16" % (names[n], reg) + wait, "s[4:5] " + each, "mem10", [("@0",) + tuple(data[:n]) + (sum(b << 8 * k for k, b in enumerate(stored[:n])),)])
        B(plain + "tbuffer_store_format_%s %s, off, s[8:11], 0 format:[BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_SNORM] offset:16" % (names[n], reg) + wait, "s[4:5] " + each, "mem10",
          [("@0",) + tuple(data[:n]) + (sum(b << 8 * k for k, b in enumerate((0x7f, 0x81, 0x40, 0x7f)[:n])),)])
        # d16: two components a register
        w = (n + 1) // 2
        dreg, deach = ("v5", "v5") if w == 1 else ("v[5:6]", "v5 v6")
        pack = lambda v: tuple(v[k] | (v[k + 1] if k + 1 < n else 0) << 16 for k in range(0, n, 2))
        lone = "xxxx" if n == 1 else ""
        B(desc(10, 0) + "buffer_load_format_d16_%s %s, off, s[8:11], 0 offset:16" % (names[n], dreg) + wait, "s[4:5] mem10", deach, [("@0", 0xff00ff00) + (pack([0, h(1), 0, h(1)]) if n > 1 else ("xxxx0000",))])
        B(plain + "tbuffer_load_format_d16_%s %s, off, s[8:11], 0 format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_FLOAT] offset:16" % (names[n], dreg) + wait, "s[4:5] mem10", deach,
          [("@0", h(2) | h(-3) << 16) + (pack([h(2), h(-3), 0, h(1)]) if n > 1 else ("xxxx%04x" % h(2),))])
        hd = [h(1), h(-3), h(Fraction(1, 2)), h(2)]
        B(desc(10, 0) + "buffer_store_format_d16_%s %s, off, s[8:11], 0 offset:16" % (names[n], dreg) + wait, "s[4:5] " + deach, "mem10", [("@0",) + pack(hd) + (sum(b << 8 * k for k, b in enumerate(stored[:n])),)])
        B(plain + "tbuffer_store_format_d16_%s %s, off, s[8:11], 0 format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_FLOAT] offset:16" % (names[n], dreg) + wait, "s[4:5] " + deach, "mem10", [("@0",) + pack(hd) + (hd[0] | (hd[1] if n > 1 else 0) << 16,)])
    B(desc(10, 0) + "buffer_load_format_d16_hi_x v5, off, s[8:11], 0 offset:16" + wait, "s[4:5] v5 mem10", "v5", [("@0", 0xaabbccdd, 0xff, h(1) << 16 | 0xccdd)])
    B(desc(10, 0) + "buffer_store_format_d16_hi_x v5, off, s[8:11], 0 offset:16" + wait, "s[4:5] v5", "mem10", [("@0", h(1) << 16 | 0xccdd, 0xff)])
    one = "s_mov_b64 exec, 1; "
    for cmp, old, new in ((5, 5, 9), (6, 5, 5)):
        for glc in (("glc", ["gfx900", "gfx90a"]), ("sc0", ["gfx942", "gfx950"])):
            B(one + plain + "buffer_atomic_cmpswap v[4:5], off, s[8:11], 0 offset:16 " + glc[0] + wait, "s[4:5] v[4:5] mem10", "v4@0 mem10", [("@0", cmp << 32 | 9, old, old, new)], glc[1])
            B(one + plain + "buffer_atomic_cmpswap_x2 v[4:7], off, s[8:11], 0 offset:16 " + glc[0] + wait, "s[4:5] v[4:7] mem10 mem14", "v4@0 v5@0 mem10 mem14", [("@0", (7 << 32 | cmp) << 64 | 9, old, 7, old, 7, new, 7 if new == 5 else 0)], glc[1])
    b = lambda q: fl(BF16, q)
    B(one + plain + "buffer_atomic_pk_add_bf16 v4, off, s[8:11], 0 offset:16" + wait, "s[4:5] v4 mem10", "mem10", [("@0", b(1) | b(2) << 16, b(3) | b(-5) << 16, b(4) | b(-3) << 16)], ["gfx950"])


def make(m):
    compares(m)
    scalar(m)
    scalar_memory(m)
    functions(m)
    lds(m)
    moves(m)

# SPDX-License-Identifier: MIT
"""Conversions of small formats: scaled, stochastic, plain.  Part of make_cases.py.

A small format is the sorted list of its values; rounding is a search in it (nearest, ties to the even
code), so that nothing here looks like the executor's arithmetic.  Stochastic rounding adds noise * 2^-32
of a step and cuts off.
"""
from bisect import bisect_right
from fractions import Fraction

from model import *

NAN_ = "NaN"


class Small:
    """All values from 0 up, by code; inf: code of infinity; nan: code of the NaN of that sign; top: what overflow gives."""

    def __init__(self, ebits, mbits, bias, inf=None, nan=None, unsigned_nan=False):
        self.bits, self.mbits = 1 + ebits + mbits, mbits
        self.sign = 1 << (ebits + mbits)
        self.inf, self.nan, self.unsigned_nan = inf, nan, unsigned_nan
        self.codes = []
        for code in range(self.sign):
            if code == inf or (nan is not None and code >= min(c for c in (inf, nan) if c is not None) and not unsigned_nan):
                break
            e, m = code >> mbits, code & ((1 << mbits) - 1)
            self.codes.append(Fraction(m if e == 0 else m | 1 << mbits) * Fraction(2) ** ((e or 1) - bias - mbits))
        self.max = len(self.codes) - 1
        # one step beyond the largest number: where overflow begins to round to
        self.beyond = 2 * self.codes[-1] - self.codes[-2] if self.codes[-1].numerator else None

    def value(self, code):
        m = code & (self.sign - 1)
        if self.unsigned_nan and code == self.sign:
            return NAN_
        if m == self.inf:
            return "-inf" if code & self.sign else "inf"
        if m > self.max:
            return NAN_
        v = self.codes[m]
        return (-v, 1) if code & self.sign else (v, 0)

    def nan_of(self, s):
        if self.unsigned_nan:
            return self.sign
        return (self.sign if s else 0) | (self.max if self.nan is None else self.nan)

    def overflow(self, s, ovfl):
        if ovfl or self.nan is None:
            code = self.max
        elif self.unsigned_nan:
            return self.sign
        else:
            code = self.inf if self.inf is not None else self.nan
        return (self.sign if s else 0) | code

    def pick(self, v, s, ovfl, noise=None):
        """v >= 0 and its sign to a code."""
        steps = self.codes + [self.beyond]
        if v >= self.beyond:
            return self.overflow(s, ovfl)
        i = bisect_right(steps, v) - 1
        lo, hi = steps[i], steps[i + 1]
        if noise is None:
            rest = (v - lo) / (hi - lo)
            i += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and i & 1)
        else:
            i += (v - lo) / (hi - lo) + Fraction(noise, 1 << 32) >= 1
        if i > self.max:
            return self.overflow(s, ovfl)
        if self.unsigned_nan and i == 0:
            return 0
        return (self.sign if s else 0) | i


FP8, BF8 = Small(4, 3, 7, nan=0x7f), Small(5, 2, 15, inf=0x7c, nan=0x7e)
FP8_FNUZ, BF8_FNUZ = Small(4, 3, 8, nan=0x80, unsigned_nan=True), Small(5, 2, 16, nan=0x80, unsigned_nan=True)
FP6, BF6, FP4 = Small(2, 3, 1), Small(3, 2, 3), Small(2, 1, 1)
SMALL = {"fp8": FP8, "bf8": BF8, "fp6": FP6, "bf6": BF6, "fp4": FP4}
BIG = {"f32": F32, "f16": F16, "bf16": BF16}


def prng(x):
    return (x << 1 & 0xffffffff) ^ (197 if x >> 31 else 0)


def narrow(f, g, x, exp, ovfl=0, noise=None):
    """Pattern x of the big format f, divided by 2^(exp - 127), in the small format g."""
    s = 1 if x & f.sign else 0
    if f.is_nan(x) or exp == 255:
        return g.nan_of(s)
    if f.is_inf(x):
        return g.overflow(s, ovfl)
    return g.pick(abs(f.value(x)) / Fraction(2) ** (exp - 127), s, ovfl, noise)


def widen(g, f, code, exp):
    v = g.value(code)
    s = f.sign if code & g.sign else 0
    if v == NAN_ or exp == 255:
        return s | f.qnan if exp == 255 and v != NAN_ else None
    if isinstance(v, str):
        return s | f.inf
    return s | f.round(abs(v[0]) * Fraction(2) ** (exp - 127))


def join(values, bits):
    return sum(v << i * bits for i, v in enumerate(values))


def split(v, count, bits=256):
    return [v >> (i * bits) & ((1 << bits) - 1) for i in range(count)]


# Ones, ties, overflow on both sides of the limits, denormals, NaN, infinities.
REALS = [0.0, 1.0, -1.0, 1.0625, 1.1875, -1.125, 1.25, 6.0, 7.0, -7.0, 7.5, 28.0, 29.0, 30.0, 448.0, 464.0, 463.0, 57344.0, -61440.0, 61439.0, 0.25, 0.0625,
         -0.03125, 2.0 ** -9, 2.0 ** -10, 1.5 * 2.0 ** -10, 2.0 ** -16, 2.0 ** -17, 3 * 2.0 ** -17, -2.0 ** -14, 5.0, -3.5]


def patterns(f):
    out = [f.round(Fraction(x)) for x in REALS]
    return out + [f.sign, f.inf, f.inf | f.sign, f.qnan, f.qnan | f.sign, 1, f.max]


def chunks(xs, n):
    xs = list(xs)
    while len(xs) % n:
        xs.append(xs[len(xs) % 7])
    return [xs[i:i + n] for i in range(0, len(xs), n)]


SCALES = [0x3f800000, 0x40000000, 0xbe7fffff, 0x3f000000, 0, 0x7f800000, 0x43000000]


def regs(first, dwords):
    """Names of the registers from `first` on, at most 8 dwords each."""
    out = []
    while dwords:
        n = min(8, dwords)
        out.append("v%d" % first if n == 1 else "v[%d:%d]" % (first, first + n - 1))
        first += n
        dwords -= n
    return out


def parts(value, dwords):
    out = []
    while dwords:
        n = min(8, dwords)
        out.append(value & ((1 << 32 * n) - 1))
        value >>= 32 * n
        dwords -= n
    return out


def span(first, dwords):
    return "v%d" % first if dwords == 1 else "v[%d:%d]" % (first, first + dwords - 1)


def narrowing(m, name, f, g, count, target, two=False, sr=False):
    """Wide packed forms: whole registers in and out."""
    dwords_in, dwords_out = f.bits * count // 32 // (2 if two else 1), max(1, g.bits * count // 32)
    srcs = [40, 80][:2 if two else 1]
    text = "%s %s, %s%s, v2" % (name, span(8, dwords_out), ", ".join(span(s, dwords_in) for s in srcs), ", v3" if sr else "")
    ins = sum((regs(s, dwords_in) for s in srcs), []) + (["v3"] if sr else []) + ["v2"]
    rows = []
    for k, xs in enumerate(chunks(patterns(f), count)):
        for scale in (SCALES if k == 0 else SCALES[k % 3:k % 3 + 1]):
            exp, noise, got = scale >> 23 & 255, 0x9e3779b9 * (k + 1) & 0xffffffff, []
            first = noise
            for x in xs:
                got.append(narrow(f, g, x, exp, noise=noise if sr else None))
                noise = prng(noise)
            halves = [xs[0::2], xs[1::2]] if two else [xs]
            row = sum((parts(join(h, f.bits), dwords_in) for h in halves), []) + ([first] if sr else []) + [scale]
            rows.append(tuple(row + parts(join(got, g.bits), dwords_out)))
    m.block("scaled", text, " ".join(ins), " ".join(regs(8, dwords_out)), rows, target)


def widening(m, name, g, f, count, target, sel=False):
    dwords_in, dwords_out = max(1, g.bits * count // 32), f.bits * count // 32
    text = "%s %s, %s, v2" % (name, span(40, dwords_out), span(8, dwords_in))
    rows = []
    codes = [c for c in range(1 << g.bits) if g.value(c) != NAN_]
    for k, xs in enumerate(chunks(codes, count)[:6] + chunks(codes[-count:], count)):
        scale = SCALES[k % len(SCALES)]
        exp = scale >> 23 & 255
        row = parts(join(xs, g.bits), dwords_in) + [scale if not sel else exp * 0x01010101]
        rows.append(tuple(row + parts(join([widen(g, f, c, exp) for c in xs], f.bits), dwords_out)))
    m.block("scaled", text, " ".join(regs(8, dwords_in) + ["v2"]), " ".join(regs(40, dwords_out)), rows, target)


def gfx950(m):
    t, keep = ["gfx950"], 0xaabbccdd
    for fn, f in BIG.items():
        for gn in ("fp8", "bf8"):
            g = SMALL[gn]
            # a pair into one word, the other word kept
            for sel, at in (("", 0), (" op_sel:[0,0,0,1]" if fn == "f32" else " op_sel:[0,0,1]", 16)):
                rows, over = [], []
                for k, (x, y) in enumerate(chunks(patterns(f), 2)):
                    scale = SCALES[k % len(SCALES)]
                    for ovfl, out in ((0, rows), (1, over)):
                        got = [narrow(f, g, v, scale >> 23 & 255, ovfl) for v in (x, y)]
                        want = (keep & ~(0xffff << at)) | join(got, 8) << at
                        out.append(((x, y) if fn == "f32" else (x | y << 16,)) + (scale, keep, want))
                args = ("v3, v0, v1, v2", "v0 v1 v2 v3") if fn == "f32" else ("v3, v0, v2", "v0 v2 v3")
                for mode, out in ((None, rows), ("f0 ovfl 1", over)):
                    m.block("scaled", "v_cvt_scalef32_pk_%s_%s %s%s" % (gn, fn, args[0], sel), args[1], "v3", out, t, mode=mode)
            # one, stochastic, into each byte
            for sel, at in (("", 0), (" op_sel:[0,0,1,0]", 8), (" op_sel:[0,0,0,1]", 16), (" op_sel:[0,0,1,1]", 24)):
                rows = []
                for k, x in enumerate(patterns(f)):
                    scale, noise = SCALES[k % 4], (0x9e3779b9 * (k + 3)) & 0xffffffff
                    got = narrow(f, g, x, scale >> 23 & 255, noise=noise)
                    rows.append((x, noise, scale, keep, (keep & ~(0xff << at)) | got << at))
                rows += [(f.one, 0, 0x3f800000, keep, (keep & ~(0xff << at)) | narrow(f, g, f.one, 127, noise=0) << at),
                         (f.one | 1, 0xffffffff, 0x3f800000, keep, (keep & ~(0xff << at)) | narrow(f, g, f.one | 1, 127, noise=0xffffffff) << at)]
                m.block("scaled", "v_cvt_scalef32_sr_%s_%s v3, v0, v1, v2%s" % (gn, fn, sel), "v0 v1 v2 v3", "v3", rows, t)
            if fn != "f32":
                m.block("scaled", "v_cvt_scalef32_sr_%s_%s v3, -v0, v1, v2 op_sel:[1,0,0,0]" % (gn, fn), "v0 v1 v2 v3", "v3",
                        [(f.one << 16, 0, 0x3f800000, keep, (keep & ~0xff) | narrow(f, g, f.one | f.sign, 127))], t)
            # and back
            for sel, at in (("", 0), (" op_sel:[1,0]", 16)):
                rows = []
                for k, (x, y) in enumerate(chunks([c for c in range(0, 256, 5) if g.value(c) != NAN_], 2)):
                    scale = SCALES[k % len(SCALES)]
                    e = scale >> 23 & 255
                    src = (0x55555555 & ~(0xffff << at)) | (x | y << 8) << at
                    rows.append((src, scale, join([widen(g, f, c, e) for c in (x, y)], f.bits)))
                m.block("scaled", "v_cvt_scalef32_pk_%s_%s %s, v0, v2%s" % (fn, gn, "v[4:5]" if fn == "f32" else "v4", sel), "v0 v2",
                        "v[4:5]" if fn == "f32" else "v4", rows, t)
            if fn != "bf16":
                for sel, at in (("", 0), (" op_sel:[1,0]", 8), (" op_sel:[0,1]", 16), (" op_sel:[1,1]", 24)):
                    rows = []
                    for k, c in enumerate([c for c in range(1, 256, 9) if g.value(c) != NAN_]):
                        scale = SCALES[k % len(SCALES)]
                        got = widen(g, f, c, scale >> 23 & 255)
                        rows.append(((0x5a5a5a5a & ~(0xff << at)) | c << at, scale, keep, got if fn == "f32" else (keep & 0xffff0000) | got))
                    m.block("scaled", "v_cvt_scalef32_%s_%s v3, v0, v2%s" % (fn, gn, sel), "v0 v2 v3", "v3", rows, t)
        if fn == "f16":
            m.block("scaled", "v_cvt_scalef32_f16_fp8 v3, v0, v2 op_sel:[0,0,1]", "v0 v2 v3", "v3", [(0x38, 0x40000000, keep, 0x4000ccdd)], t)
        # fp4: a pair into one byte
        for sel, at in (("", 0), ("1,0", 8), ("0,1", 16), ("1,1", 24)):
            rows, srows, brows = [], [], []
            for k, (x, y) in enumerate(chunks(patterns(f), 2)):
                scale, noise = SCALES[k % len(SCALES)], (0x7f4a7c15 * (k + 5)) & 0xffffffff
                e = scale >> 23 & 255
                put = lambda got: (keep & ~(0xff << at)) | join(got, 4) << at
                rows.append(((x, y) if fn == "f32" else (x | y << 16,)) + (scale, keep, put([narrow(f, FP4, v, e) for v in (x, y)])))
                srows.append(((x | y << 32) if fn == "f32" else (x | y << 16), noise, scale, keep,
                              put([narrow(f, FP4, x, e, noise=noise), narrow(f, FP4, y, e, noise=prng(noise))])))
            args = ("v3, v0, v1, v2", "v0 v1 v2 v3") if fn == "f32" else ("v3, v0, v2", "v0 v2 v3")
            m.block("scaled", "v_cvt_scalef32_pk_fp4_%s %s%s" % (fn, args[0], " op_sel:[0,0,%s]" % sel if sel else ""), args[1], "v3", rows, t)
            args = ("v3, v[4:5], v1, v2", "v[4:5] v1 v2 v3") if fn == "f32" else ("v3, v0, v1, v2", "v0 v1 v2 v3")
            m.block("scaled", "v_cvt_scalef32_sr_pk_fp4_%s %s%s" % (fn, args[0], " op_sel:[0,0,%s]" % sel if sel else ""), args[1], "v3", srows, t)
        for sel, at in (("", 0), (" op_sel:[1,0]", 8), (" op_sel:[0,1]", 16), (" op_sel:[1,1]", 24)):
            rows = [((0x11111111 & ~(0xff << at)) | (c | (15 - c) << 4) << at, s, join([widen(FP4, f, c, s >> 23 & 255), widen(FP4, f, 15 - c, s >> 23 & 255)], f.bits))
                    for c in range(16) for s in SCALES[c % 3::3]]
            m.block("scaled", "v_cvt_scalef32_pk_%s_fp4 %s, v0, v2%s" % (fn, "v[4:5]" if fn == "f32" else "v4", sel), "v0 v2", "v[4:5]" if fn == "f32" else "v4", rows, t)
        for gn in ("fp6", "bf6"):
            g = SMALL[gn]
            if fn == "f32":
                narrowing(m, "v_cvt_scalef32_2xpk16_%s_f32" % gn, f, g, 32, t, two=True)
            else:
                narrowing(m, "v_cvt_scalef32_pk32_%s_%s" % (gn, fn), f, g, 32, t)
            narrowing(m, "v_cvt_scalef32_sr_pk32_%s_%s" % (gn, fn), f, g, 32, t, sr=True)
            widening(m, "v_cvt_scalef32_pk32_%s_%s" % (fn, gn), g, f, 32, t)


def gfx1250(m):
    t = ["gfx1250"]
    for gn, count in (("fp8", 8), ("bf8", 8), ("fp4", 8), ("fp6", 16), ("bf6", 16)):
        for fn, f in BIG.items():
            g = SMALL[gn]
            narrowing(m, "v_cvt_scalef32_pk%d_%s_%s" % (count, gn, fn), f, g, count, t)
            narrowing(m, "v_cvt_scalef32_sr_pk%d_%s_%s" % (count, gn, fn), f, g, count, t, sr=True)
            widening(m, "v_cvt_scale_pk%d_%s_%s" % (count, fn, gn), g, f, count, t, sel=True)
    # which byte of which lane: scales 2^0, 2^1, 2^2, 2^3 in the bytes; v_mov with EXEC makes the upper half's 2^4 and up
    lo, hi = 0x8281807f, 0x86858483
    one = {127 + n: F32.round(Fraction(2) ** n) for n in range(8)}
    for gn, code, dst, src in (("fp4", 2, "v[40:47]", "v8"), ("fp8", 0x38, "v[40:47]", "v[8:9]"), ("fp6", 8, "v[40:55]", "v[8:10]")):
        for sel in range(8 if gn != "fp8" else 16):
            if gn == "fp8" and sel in (3, 5, 7, 8, 9, 11, 15):
                continue
            if gn == "fp8":
                half, first, step = sel >> 3, sel >> 1 & 3, sel & 1
            else:
                half, first, step = sel >> 2 & 1, sel >> 1 & 1 if sel & 1 else sel & 2, 2 if sel & 1 else 1
            words = (lo, hi)[half]
            want = [one[words >> 8 * (first + step * upper) & 255] for upper in (0, 1)]
            text = "s_mov_b32 exec_lo, 0xffff0000; v_mov_b32 v2, v3; s_mov_b32 exec_lo, -1; v_cvt_scale_pk%d_f32_%s %s, %s, v2%s" % (
                16 if gn == "fp6" else 8, gn, dst, src, " scale_sel:%d" % sel if sel else "")
            m.block("scaled", text, "v2 v3 " + src, "v40@0 v40@15 v40@16 v40@31", [(lo, hi, code, want[0], want[0], want[1], want[1])], t)
    m.block("scaled", "v_sat_pk4_i4_i8_e32 v3, v0", "v0 v3", "v3", [(0x7ff87f80, 0xaabbccdd, 0xaabb7878),
                                                           (0xff0107f9, 0, 0xf179), (0, 0, 0), (0x0908f8f7, 0, 0x7788)], t)
    m.block("scaled", "v_sat_pk4_u4_u8_e32 v3, v0", "v0 v3", "v3", [(0x000f10ff, 0xaabbccdd, 0xaabb0fff), (0x01020304, 0, 0x1234), (0x80ff0900, 0, 0xff90)], t)
    sel = 0xfedcba9876543210
    table8 = 0xffeeddccbbaa99887766554433221100
    table6 = join([(7 * i + 3) & 63 for i in range(16)], 6)
    for width, table, low, asm in ((4, 0x0123456789abcdef, 32, "v_perm_pk16_b4_u4 v[20:21], v0, v1, v[10:11]"),
                                   (6, table6, 64, "v_perm_pk16_b6_u4 v[20:22], v0, v[2:3], v[10:11]"),
                                   (8, table8, 64, "v_perm_pk16_b8_u4 v[20:23], v[4:5], v[2:3], v[10:11]")):
        rows = []
        for s in (sel, 0, 0xffffffffffffffff, 0x0123456789abcdef, 0x8888000077771111):
            want = join([table >> width * (s >> 4 * e & 15) & ((1 << width) - 1) for e in range(16)], width)
            rows.append((table >> low, table & ((1 << low) - 1), s, want))
        names = {4: "v0 v1", 6: "v0 v[2:3]", 8: "v[4:5] v[2:3]"}[width]
        m.block("scaled", asm, names + " v[10:11]", "v[20:%d]" % (19 + width // 2), rows, t)


def plain(m):
    """Without scales: fp8 and bf8 as gfx942 and gfx950 have them, and stochastic rounding to 16 bits."""
    keep = 0xaabbccdd
    for target, fp8, bf8 in ((["gfx942"], FP8_FNUZ, BF8_FNUZ), (["gfx950"], FP8, BF8)):
        for gn, g in (("fp8", fp8), ("bf8", bf8)):
            for sel, at in (("", 0), (" op_sel:[0,0,1]", 16)):
                rows, over = [], []
                for x, y in chunks(patterns(F32), 2):
                    for ovfl, out in ((0, rows), (1, over)):
                        got = join([narrow(F32, g, v, 127, ovfl) for v in (x, y)], 8)
                        out.append((x, y, keep, (keep & ~(0xffff << at)) | got << at))
                m.block("scaled", "v_cvt_pk_%s_f32 v3, v0, v1%s" % (gn, sel), "v0 v1 v3", "v3", rows, target)
                m.block("scaled", "v_cvt_pk_%s_f32 v3, v0, v1%s" % (gn, sel), "v0 v1 v3", "v3", over, target, mode="f0 ovfl 1")
            for sel, at in (("", 0), (" op_sel:[0,0,1,0]", 8), (" op_sel:[0,0,0,1]", 16), (" op_sel:[0,0,1,1]", 24)):
                rows = []
                for k, x in enumerate(patterns(F32)):
                    noise = (0x9e3779b9 * (k + 3)) & 0xffffffff
                    rows.append((x, noise, keep, (keep & ~(0xff << at)) | narrow(F32, g, x, 127, noise=noise) << at))
                m.block("scaled", "v_cvt_sr_%s_f32 v3, v0, v1%s" % (gn, sel), "v0 v1 v3", "v3", rows, target)
            codes = [c for c in range(256) if g.value(c) != NAN_]
            m.block("scaled", "v_cvt_f32_%s_e32 v3, v0" % gn, "v0", "v3", [(0x55555500 | c, widen(g, F32, c, 127)) for c in codes], target)
            for k in range(4):
                m.block("scaled", "v_cvt_f32_%s_sdwa v3, v0 src0_sel:BYTE_%d" % (gn, k), "v0", "v3",
                        [((0x33333333 & ~(0xff << 8 * k)) | c << 8 * k, widen(g, F32, c, 127)) for c in codes[::17]], target)
            m.block("scaled", "v_cvt_pk_f32_%s_e32 v[4:5], v0" % gn, "v0", "v[4:5]",
                    [(0x55550000 | c | d << 8, join([widen(g, F32, v, 127) for v in (c, d)], 32)) for c, d in chunks(codes[::3], 2)], target)
            m.block("scaled", "v_cvt_pk_f32_%s_sdwa v[4:5], v0 src0_sel:WORD_1" % gn, "v0", "v[4:5]",
                    [(0x5555 | c << 16 | d << 24, join([widen(g, F32, v, 127) for v in (c, d)], 32)) for c, d in chunks(codes[::7], 2)], target)
    g9 = ["gfx950"]
    for gn, f in (("f16", F16), ("bf16", BF16)):
        rows, two = [], []
        for k, x in enumerate(patterns(F32)[:-5]):
            noise = (0x9e3779b9 * (k + 3)) & 0xffffffff
            rows.append((x, noise, keep, keep & 0xffff0000 | to16(f, x, noise)))
        m.block("scaled", "v_cvt_sr_%s_f32 v3, v0, v1" % gn, "v0 v1 v3", "v3", rows, g9)
        m.block("scaled", "v_cvt_sr_%s_f32 v3, v0, v1 op_sel:[0,0,1]" % gn, "v0 v1 v3", "v3",
                [(x, n, k, k & 0xffff | (w & 0xffff) << 16) for x, n, k, w in rows], g9)
    even = [F32.round(Fraction(x)) for x in (1 + Fraction(1, 256), 1 + Fraction(3, 256), Fraction(-1) - Fraction(1, 300), 1, Fraction(1, 3), 70000)]
    m.block("scaled", "v_cvt_pk_bf16_f32 v3, v0, v1", "v0 v1", "v3", [(x, y, convert(F32, BF16, x) | convert(F32, BF16, y) << 16) for x in even for y in even[::2]]
            + [(0x7f7fffff, 0xff800000, 0xff807f80), (1, 0x80000000, 0x80000000), (0x00008000, 0x00018000, 0x00020000), (0x7fc00000, 0xffc00000, 0xffc07fc0)], g9)
    for mode in ("00", "0f", "05", "0a"): # flushing, and rounding to zero, up and down: neither counts
        m.block("scaled", "v_cvt_pk_bf16_f32 v3, v0, v1", "v0 v1", "v3", [(0x00018000, 0x80018001, 0x80020002), (even[1], even[4], convert(F32, BF16, even[1]) | convert(F32, BF16, even[4]) << 16)],
                ["gfx950", "gfx1250"], mode=mode)


def to16(f, x, noise):
    """Stochastic, by hand: the step of f at x, noise of 2^-32 steps, cut off."""
    s = f.sign if x & F32.sign else 0
    v = abs(F32.value(x))
    if v == 0:
        return s
    e = v.numerator.bit_length() - v.denominator.bit_length()
    if v < Fraction(2) ** e:
        e -= 1
    e = max(e, 1 - f.bias)
    step = Fraction(2) ** (e - f.mbits)
    n = v / step + Fraction(noise, 1 << 32)
    n = n.numerator // n.denominator
    exact = f.round(n * step) if n else 0
    return s | exact


def make(m):
    gfx950(m)
    gfx1250(m)
    plain(m)

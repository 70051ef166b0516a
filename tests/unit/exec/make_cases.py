#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the *.cases files that test_exec_cases.c runs.

usage: tests/unit/exec/make_cases.py       (needs llvm-mc-22; only when cases are added)

Each block names an instruction, the registers it is given and looked at for, and
a model in Python: what AMD's ISA documents say the instruction computes, in exact
arithmetic (model.py).  llvm-mc supplies the encodings.  Rows without a model are
values worked out by hand.
"""
import itertools
import os
import re
import subprocess
import sys

from model import *

HERE = os.path.dirname(os.path.abspath(__file__))
GFX8, GFX9 = ["gfx803"], ["gfx900", "gfx90a", "gfx942", "gfx950"]
GFX10, GFX11, GFX12 = ["gfx1010", "gfx1030"], ["gfx1100", "gfx1150"], ["gfx1200", "gfx1250"]
ALL = GFX8 + GFX9 + GFX10 + GFX11 + GFX12
W64 = ["gfx1030-w64", "gfx1100-w64", "gfx1200-w64"]
PRE12 = GFX8 + GFX9 + GFX10 + GFX11
files = {}


def block(file, asm, ins, outs, rows, targets=None, mode=None, title=None, optional=False, halves=False):
    """asm: one text or several to try in order (renamed mnemonics).  title: what the block shows, where that is not the
    instruction alone.  halves: registers are written .l and .h on gfx12 too."""
    files.setdefault(file, []).append(dict(asm=[asm] if isinstance(asm, str) else list(asm), ins=ins, outs=outs,
                                           rows=list(rows), targets=targets or ALL, mode=mode, title=title, optional=optional, halves=halves))


def text_of(v, digits):
    if isinstance(v, str):
        return v
    return "%0*x" % (digits, v & ((1 << 4 * digits) - 1))


def digits_of(reg):
    m = re.match(r"[vas]\[(\d+):(\d+)\]", reg)
    if m:
        return 8 * (int(m[2]) - int(m[1]) + 1)
    return 16 if reg in ("vcc", "exec") else 1 if reg == "scc" else 8


def assemble(target, candidates, halves=False):
    """{text: words or None}; every text may hold several instructions separated by ';'."""
    lines, owner = [], []
    for text in candidates:
        for part in text.split(";"):
            lines.append(part.strip())
            owner.append(text)
    args = ["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + target.replace("-w64", ""), "-show-encoding"]
    if target.startswith("gfx1"):
        args.append("-mattr=+wavefrontsize64" if target.endswith("-w64") else "-mattr=+wavefrontsize32")
        if target == "gfx1250":
            args[-1] = "-mattr=+wavefrontsize32"
    if halves:
        args[-1] += ",+real-true16"
    p = subprocess.run(args, input="\n".join(lines) + "\n", capture_output=True, text=True)
    bad = {int(m) for m in re.findall(r"<stdin>:(\d+):\d+: error", p.stderr)}
    codes = re.findall(r"encoding: \[([^\]]*)\]", p.stdout)
    result, at = {}, 0
    for n, text in enumerate(owner, 1):
        if n in bad:
            result[text] = None
            continue
        data = bytes(int(x, 16) for x in codes[at].split(","))
        at += 1
        words = " ".join("%08x" % int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4))
        if text not in result:
            result[text] = words
        elif result[text] is not None:
            result[text] += " / " + words
    assert at == len(codes), (target, at, len(codes))
    return result


def write_files():
    candidates = {}
    for b in itertools.chain(*files.values()):
        for t in b["targets"]:
            for a in b["asm"]:
                candidates.setdefault((t, b["halves"]), {})[a] = None
    code = {(t, h): assemble(t, c, h) for (t, h), c in candidates.items()}
    for name, blocks in files.items():
        rows = runs = 0
        left_out = {}
        with open(os.path.join(HERE, name + ".cases"), "w") as f:
            f.write("# SPDX-License-Identifier: MIT\n# Written by make_cases.py; the format is described in test_exec_cases.c.\n")
            for b in blocks:
                groups = {}
                for t in b["targets"]:
                    for a in b["asm"]:
                        if code[t, b["halves"]][a]:
                            groups.setdefault((a, code[t, b["halves"]][a]), []).append(t)
                            break
                if b["targets"] is not ALL:
                    for t in set(b["targets"]) - set(itertools.chain(*groups.values())):
                        left_out.setdefault(t, []).append(b["asm"][0].split()[0])
                if not groups and b["optional"]:
                    continue
                if not groups:
                    sys.exit("no target has " + b["asm"][0])
                f.write("\n= %s%s\n" % (b["title"] + ": " if b["title"] else "", next(iter(groups))[0]))
                if b["mode"]:
                    f.write("mode %s\n" % b["mode"])
                for (a, words), ts in groups.items():
                    f.write("hex %s : %s\n" % (" ".join(ts), words))
                    runs += len(ts)
                f.write("%s -> %s\n" % (b["ins"], b["outs"]))
                i, o = [digits_of(r) for r in b["ins"].split()], [digits_of(r) for r in b["outs"].split()]
                for r in b["rows"]:
                    assert len(r) == len(i) + len(o), (b["asm"], r)
                    f.write("%s -> %s\n" % (" ".join(map(text_of, r[:len(i)], i)), " ".join(map(text_of, r[len(i):], o))))
                    rows += 1
        for t, names in sorted(left_out.items() if "-v" in sys.argv else ()):
            print("  not on", t, *sorted(set(names)))
        print("%-8s %4d blocks %5d rows %5d runs" % (name, len(blocks), rows, runs))


M32, M64 = (1 << 32) - 1, (1 << 64) - 1
INT = [0, 1, 2, 0x1f, 0x20, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
       0x12345678, 0xdeadbeef]
SOME = [0, 1, 0x1f, 0x21, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678, 0xdeadbeef]
LONG = [0, 1, 0x3f, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x123456789abcdef0]


def pairs(xs, step=1):
    return list(itertools.product(xs, xs))[::step]


def rot(xs, n, step=7):
    """n-tuples that bring every value into every place."""
    return [tuple(xs[(i + k * step) % len(xs)] for k in range(n)) for i in range(len(xs))]


# ---- scalar ------------------------------------------------------------------
def salu():
    S = "salu"

    def op2(names, f, xs=None, ins="s0 s1", outs="s2 scc", dst="s2", a="s0", b="s1", targets=None):
        rows = [(x, y) + tuple(f(x, y)) for x, y in xs or pairs(SOME)]
        block(S, ["%s %s, %s, %s" % (n, dst, a, b) for n in names.split()], ins, outs, rows, targets)

    def cc(v):
        return (v & M32, int(v & M32 != 0))

    op2("s_add_u32 s_add_co_u32", lambda x, y: ((x + y) & M32, (x + y) >> 32))
    op2("s_sub_u32 s_sub_co_u32", lambda x, y: ((x - y) & M32, int(x < y)))
    sgn = lambda v: sx(v, 32)
    over = lambda v: int(not -2**31 <= v < 2**31)
    op2("s_add_i32 s_add_co_i32", lambda x, y: ((x + y) & M32, over(sgn(x) + sgn(y))))
    op2("s_sub_i32 s_sub_co_i32", lambda x, y: ((x - y) & M32, over(sgn(x) - sgn(y))))
    for c in 0, 1:
        block(S, ["s_addc_u32 s2, s0, s1", "s_add_co_ci_u32 s2, s0, s1"], "s0 s1 scc", "s2 scc",
              [(x, y, c, (x + y + c) & M32, (x + y + c) >> 32) for x, y in pairs(SOME)])
        block(S, ["s_subb_u32 s2, s0, s1", "s_sub_co_ci_u32 s2, s0, s1"], "s0 s1 scc", "s2 scc",
              [(x, y, c, (x - y - c) & M32, int(x < y + c)) for x, y in pairs(SOME)])
        block(S, "s_cselect_b32 s2, s0, s1", "s0 s1 scc", "s2 scc", [(5, 9, c, 5 if c else 9, c)])
        block(S, "s_cselect_b64 s[4:5], s[0:1], s[2:3]", "s[0:1] s[2:3] scc", "s[4:5]", [(5 << 32, 9, c, 5 << 32 if c else 9)])
        block(S, "s_cmov_b32 s1, s0", "s0 s1 scc", "s1", [(5, 9, c, 5 if c else 9)])
    op2("s_min_i32", lambda x, y: (min(x, y, key=sgn), int(sgn(x) < sgn(y))))
    op2("s_max_i32", lambda x, y: (max(x, y, key=sgn), int(sgn(x) >= sgn(y) if x == y else sgn(x) > sgn(y))),
        [(x, y) for x, y in pairs(SOME) if x != y])
    op2("s_min_u32", lambda x, y: (min(x, y), int(x < y)))
    op2("s_max_u32", lambda x, y: (max(x, y), int(x > y)), [(x, y) for x, y in pairs(SOME) if x != y])
    for n, f in dict(and_=lambda x, y: x & y, or_=lambda x, y: x | y, xor=lambda x, y: x ^ y, nand=lambda x, y: ~(x & y), nor=lambda x, y: ~(x | y),
                     xnor=lambda x, y: ~(x ^ y), andn2=lambda x, y: x & ~y, orn2=lambda x, y: x | ~y).items():
        n = n.strip("_")
        alt = {"andn2": "and_not1", "orn2": "or_not1"}.get(n, n)
        op2("s_%s_b32 s_%s_b32" % (n, alt), lambda x, y: cc(f(x, y)))
        block(S, ["s_%s_b64 s[4:5], s[0:1], s[2:3]" % m for m in (n, alt)], "s[0:1] s[2:3]", "s[4:5] scc",
              [(x, y, f(x, y) & M64, int(f(x, y) & M64 != 0)) for x, y in pairs(LONG)])
    op2("s_lshl_b32", lambda x, y: cc(x << (y & 31)))
    op2("s_lshr_b32", lambda x, y: cc(x >> (y & 31)))
    op2("s_ashr_i32", lambda x, y: cc(sgn(x) >> (y & 31)))
    sh64 = [(x, y) for x in LONG for y in (0, 1, 31, 32, 63, 64, 65, 0xffffffff)]
    for n, f in (("lshl_b64", lambda x, y: x << (y & 63)), ("lshr_b64", lambda x, y: x >> (y & 63)), ("ashr_i64", lambda x, y: sx(x, 64) >> (y & 63))):
        block(S, "s_%s s[4:5], s[0:1], s2" % n, "s[0:1] s2", "s[4:5] scc", [(x, y, f(x, y) & M64, int(f(x, y) & M64 != 0)) for x, y in sh64])
    op2("s_bfm_b32", lambda x, y: (((1 << (x & 31)) - 1) << (y & 31),), outs="s2")
    block(S, "s_bfm_b64 s[4:5], s0, s1", "s0 s1", "s[4:5]", [(x, y, ((1 << (x & 63)) - 1) << (y & 63) & M64) for x, y in pairs([0, 1, 8, 31, 32, 63, 64, 70])])
    op2("s_mul_i32", lambda x, y: (x * y,), outs="s2")
    op2("s_mul_hi_u32", lambda x, y: (x * y >> 32,), outs="s2", targets=GFX9 + GFX10 + GFX11 + GFX12)
    op2("s_mul_hi_i32", lambda x, y: (sgn(x) * sgn(y) >> 32,), outs="s2", targets=GFX9 + GFX10 + GFX11 + GFX12)
    fields = [(x, o | w << 16) for x in (0xdeadbeef, 0x80000000, 0x7fffffff, 0xffffffff) for o in (0, 1, 15, 31) for w in (0, 1, 8, 31, 32, 64, 100)]

    def bfe(x, y, signed, bits=32):
        o, w = y & (bits - 1), y >> 16 & 127
        v = x >> o & ((1 << w) - 1)
        if signed and w and w < bits and v >> (w - 1):
            v |= -1 << w
        if signed and w and w + o >= bits:
            v = sx(x, bits) >> o
        return v & ((1 << bits) - 1)
    op2("s_bfe_u32", lambda x, y: cc(bfe(x, y, False)), fields)
    op2("s_bfe_i32", lambda x, y: cc(bfe(x, y, True)), [f for f in fields if (f[1] & 31) + (f[1] >> 16) <= 32])
    f64s = [(x, o | w << 16) for x in (0xdeadbeef12345678, 0x8000000000000001) for o in (0, 1, 33, 63) for w in (0, 1, 8, 31, 40, 64)]
    block(S, "s_bfe_u64 s[4:5], s[0:1], s2", "s[0:1] s2", "s[4:5] scc", [(x, y, bfe(x, y, False, 64), int(bfe(x, y, False, 64) != 0)) for x, y in f64s])
    block(S, "s_bfe_i64 s[4:5], s[0:1], s2", "s[0:1] s2", "s[4:5] scc",
          [(x, y, bfe(x, y, True, 64), int(bfe(x, y, True, 64) != 0)) for x, y in f64s if (y & 63) + (y >> 16) <= 64])
    op2("s_absdiff_i32", lambda x, y: (abs(sgn(x) - sgn(y)), int(x != y)), [(x, y) for x, y in pairs(SOME) if not over(abs(sgn(x) - sgn(y)))])
    new = GFX9 + GFX10 + GFX11 + GFX12
    for n in 1, 2, 3, 4:
        op2("s_lshl%d_add_u32" % n, lambda x, y: (((x << n) + y) & M32, int((x << n) + y > M32)), targets=new)
    op2("s_pack_ll_b32_b16", lambda x, y: (y << 16 | x & 0xffff,), outs="s2", targets=new)
    op2("s_pack_lh_b32_b16", lambda x, y: (y & 0xffff0000 | x & 0xffff,), outs="s2", targets=new)
    op2("s_pack_hh_b32_b16", lambda x, y: (y & 0xffff0000 | x >> 16,), outs="s2", targets=new)
    op2("s_pack_hl_b32_b16", lambda x, y: (y << 16 | x >> 16,), outs="s2", targets=GFX11 + GFX12)
    block(S, "s_mul_u64 s[4:5], s[0:1], s[2:3]", "s[0:1] s[2:3]", "s[4:5]", [(x, y, x * y & M64) for x, y in pairs(LONG)], GFX12)
    block(S, ["s_add_u64 s[4:5], s[0:1], s[2:3]", "s_add_nc_u64 s[4:5], s[0:1], s[2:3]"], "s[0:1] s[2:3]", "s[4:5]",
          [(x, y, x + y & M64) for x, y in pairs(LONG)], GFX12)

    def op1(name, f, xs=INT, outs="s2 scc", targets=None):
        block(S, ["%s s2, s0" % n for n in name.split()], "s0", outs, [(x,) + tuple(f(x)) for x in xs], targets)
    op1("s_mov_b32", lambda x: (x,), outs="s2")
    op1("s_not_b32", lambda x: cc(~x))
    op1("s_brev_b32", lambda x: (int("%032d" % int(bin(x)[2:]), 10) and int(("%032s" % bin(x)[2:]).replace(" ", "0")[::-1], 2),), outs="s2")
    op1("s_bcnt0_i32_b32", lambda x: cc(32 - bin(x).count("1")))
    op1("s_bcnt1_i32_b32", lambda x: cc(bin(x).count("1")))
    ff1 = lambda x: (x & -x).bit_length() - 1 if x else -1
    clz = lambda x, n=32: n - x.bit_length() if x else -1
    op1("s_ff1_i32_b32 s_ctz_i32_b32", lambda x: (ff1(x),), outs="s2")
    op1("s_ff0_i32_b32", lambda x: (ff1(~x & M32),), outs="s2", targets=GFX8 + GFX9 + GFX10)
    op1("s_flbit_i32_b32 s_clz_i32_u32", lambda x: (clz(x),), outs="s2")
    op1("s_flbit_i32 s_cls_i32", lambda x: (clz(x ^ M32 if x >> 31 else x),), outs="s2")
    op1("s_sext_i32_i8", lambda x: (sx(x, 8),), outs="s2")
    op1("s_sext_i32_i16", lambda x: (sx(x, 16),), outs="s2")
    op1("s_abs_i32", lambda x: cc(abs(sgn(x))))
    op1("s_quadmask_b32", lambda x: cc(sum(1 << i for i in range(8) if x >> 4 * i & 15)))
    op1("s_wqm_b32", lambda x: cc(sum(15 << 4 * i for i in range(8) if x >> 4 * i & 15)))
    for n, f in (("s_not_b64", lambda x: ~x), ("s_wqm_b64", lambda x: sum(15 << 4 * i for i in range(16) if x >> 4 * i & 15))):
        block(S, n + " s[4:5], s[0:1]", "s[0:1]", "s[4:5] scc", [(x, f(x), int(f(x) & M64 != 0)) for x in LONG])
    block(S, "s_brev_b64 s[4:5], s[0:1]", "s[0:1]", "s[4:5]", [(x, int("{:064b}".format(x)[::-1], 2)) for x in LONG])
    for n, f in (("s_bcnt1_i32_b64", lambda x: bin(x).count("1")), ("s_bcnt0_i32_b64", lambda x: 64 - bin(x).count("1"))):
        block(S, n + " s4, s[0:1]", "s[0:1]", "s4 scc", [(x, f(x), int(f(x) != 0)) for x in LONG])
    for n, f in (("s_ff1_i32_b64 s_ctz_i32_b64", ff1), ("s_flbit_i32_b64 s_clz_i32_u64", lambda x: clz(x, 64)),
                 ("s_flbit_i32_i64 s_cls_i32_i64", lambda x: clz(x ^ M64 if x >> 63 else x, 64))):
        block(S, [m + " s4, s[0:1]" for m in n.split()], "s[0:1]", "s4", [(x, f(x)) for x in LONG])
    block(S, "s_bitset1_b32 s2, s0", "s0 s2", "s2", [(0, 0, 1), (31, 0, 0x80000000), (33, 0, 2), (5, M32, M32)])
    block(S, "s_bitset0_b32 s2, s0", "s0 s2", "s2", [(0, M32, M32 - 1), (31, M32, 0x7fffffff), (33, M32, M32 - 2), (5, 0, 0)])
    block(S, "s_bitset1_b64 s[2:3], s0", "s0 s[2:3]", "s[2:3]", [(63, 0, 1 << 63), (64, 0, 1), (40, 1, 1 << 40 | 1)])
    block(S, "s_bitreplicate_b64_b32 s[4:5], s0", "s0", "s[4:5]", [(0x80000001, 0xc000000000000003), (0xf, 0xff), (0x5, 0x33)], new)
    for n, f in dict(eq=lambda x, y: x == y, lg=lambda x, y: x != y, gt=lambda x, y: x > y, ge=lambda x, y: x >= y, lt=lambda x, y: x < y,
                     le=lambda x, y: x <= y).items():
        for t, conv in (("i32", sgn), ("u32", lambda v: v)):
            block(S, "s_cmp_%s_%s s0, s1" % (n, t), "s0 s1", "scc", [(x, y, int(f(conv(x), conv(y)))) for x, y in pairs(SOME)])
    for n, f in (("eq", lambda x, y: x == y), ("lg", lambda x, y: x != y)):
        block(S, "s_cmp_%s_u64 s[0:1], s[2:3]" % n, "s[0:1] s[2:3]", "scc", [(x, y, int(f(x, y))) for x, y in pairs(LONG, 2)])
    for bit in 0, 1:
        block(S, "s_bitcmp%d_b32 s0, s1" % bit, "s0 s1", "scc", [(x, y, int((x >> (y & 31) & 1) == bit)) for x, y in pairs(SOME)])
        block(S, "s_bitcmp%d_b64 s[0:1], s2" % bit, "s[0:1] s2", "scc", [(x, y, int((x >> (y & 63) & 1) == bit)) for x, y in sh64])
    old = GFX8 + GFX9 + GFX10 + GFX11
    block(S, "s_movk_i32 s2, 0x8000", "s0", "s2", [(0, 0xffff8000)])
    for c in 0, 1:
        block(S, "s_cmovk_i32 s2, 0x1234", "s2 scc", "s2", [(7, c, 0x1234 if c else 7)])
    block(S, ["s_addk_i32 s2, 0x8000", "s_addk_co_i32 s2, 0x8000"], "s2", "s2 scc", [(x, x - 0x8000, over(sgn(x) - 0x8000)) for x in INT])
    block(S, "s_mulk_i32 s2, 0xfff9", "s2", "s2", [(x, x * -7) for x in INT])
    for n, f in (("eq", lambda x, y: x == y), ("lg", lambda x, y: x != y), ("gt", lambda x, y: x > y), ("ge", lambda x, y: x >= y), ("lt", lambda x, y: x < y),
                 ("le", lambda x, y: x <= y)):
        block(S, "s_cmpk_%s_i32 s0, 0xfffe" % n, "s0", "scc", [(x, int(f(sgn(x), -2))) for x in INT], old)
        block(S, "s_cmpk_%s_u32 s0, 0xfffe" % n, "s0", "scc", [(x, int(f(x, 0xfffe))) for x in INT + [0xfffe]], old)
    for n, f in (("and", lambda s, e: s & e), ("or", lambda s, e: s | e), ("xor", lambda s, e: s ^ e), ("andn2", lambda s, e: s & ~e), ("orn2", lambda s, e: s | ~e),
                 ("nand", lambda s, e: ~(s & e)), ("nor", lambda s, e: ~(s | e)), ("xnor", lambda s, e: ~(s ^ e))):
        alt = {"andn2": "and_not1", "orn2": "or_not1"}.get(n, n)
        e64 = [(0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0), (0x1, 0xffffffffffffffff), (0, 0x5)]
        block(S, ["s_%s_saveexec_b64 s[4:5], s[0:1]" % m for m in (n, alt)], "s[0:1] exec", "s[4:5] exec scc",
              [(s, e, e, f(s, e) & M64, int(f(s, e) & M64 != 0)) for s, e in e64], GFX8 + GFX9 + W64)
        block(S, ["s_%s_saveexec_b32 s4, s0" % m for m in (n, alt)], "s0 exec", "s4 exec scc",
              [(s & M32, e & M32, e & M32, f(s, e) & M32, int(f(s, e) & M32 != 0)) for s, e in e64], GFX10 + GFX11 + GFX12)
    # branches: s2 becomes 1 when the branch is not taken
    for c in 0, 1:
        for b in 0, 1:
            block(S, "s_mov_b32 s2, 0; s_cmp_eq_u32 s0, 1; s_cbranch_scc%d 1; s_mov_b32 s2, 1" % b, "s0", "s2", [(c, int(c != b))])
    block(S, "s_mov_b32 s2, 0; s_cbranch_vccz 1; s_mov_b32 s2, 1", "vcc", "s2", [(0, 0), (1, 1), (0x80000000, 1)])
    block(S, "s_mov_b32 s2, 0; s_cbranch_vccz 1; s_mov_b32 s2, 1", "vcc", "s2", [(1 << 32, 1)], GFX8 + GFX9 + W64)
    block(S, "s_mov_b32 s2, 0; s_cbranch_vccz 1; s_mov_b32 s2, 1", "vcc", "s2", [(1 << 32, 0)], GFX10 + GFX11 + GFX12)
    block(S, "s_mov_b32 s2, 0; s_cbranch_execnz 1; s_mov_b32 s2, 1", "exec", "s2", [(0, 1), (4, 0)])
    # scalar floats
    sf = GFX11[1:] + GFX12
    ff = rot(FLOATS32, 2, 5) + rot(FLOATS32, 2, 3)
    for n, f in (("add", add), ("mul", mul)):
        block(S, "s_%s_f32 s2, s0, s1" % n, "s0 s1", "s2", [(x, y, f(F32, x, y)) for x, y in ff], sf)
        block(S, "s_%s_f16 s2, s0, s1" % n, "s0 s1", "s2", [(x, y, low16(f(F16, x, y))) for x, y in rot(FLOATS16, 2, 5)], sf)
    block(S, "s_sub_f32 s2, s0, s1", "s0 s1", "s2", [(x, y, add(F32, x, F32.neg(y))) for x, y in ff], sf)
    block(S, "s_sub_f16 s2, s0, s1", "s0 s1", "s2", [(x | 0x77770000, y, "0000" + low16(add(F16, x, F16.neg(y)))[4:] if add(F16, x, F16.neg(y)) != NAN else "nan16") for x, y in rot(FLOATS16, 2, 3)], sf)
    block(S, "s_fmamk_f32 s2, s0, 0x40490fdb, s1", "s0 s1", "s2", [(x, y, fma(F32, x, 0x40490fdb, y)) for x, y in ff], sf)
    block(S, "s_fmaak_f32 s2, s0, s1, 0x40490fdb", "s0 s1", "s2", [(x, y, fma(F32, x, y, 0x40490fdb)) for x, y in ff], sf)
    block(S, "s_fmac_f16 s2, s0, s1", "s0 s1 s2", "s2", [(x, y, z, low16(fma(F16, x, y, z))) for x, y, z in rot(FLOATS16, 3, 5)], sf)
    quiet = [x for x in FLOATS32 if not F32.is_nan(x)]
    for n, f in (("min", min), ("max", max)):
        block(S, ["s_%s_f32 s2, s0, s1" % n, "s_%s_num_f32 s2, s0, s1" % n], "s0 s1", "s2", [(x, y, f(x, y, key=lambda v: key(F32, v))) for x, y in rot(quiet, 2, 5) + [(0, 0x80000000), (0x80000000, 0)]]
              + [(0x7fc00000, 5, 5), (0x40000000, 0x7fc00000, 0x40000000)], sf)
        block(S, "s_%simum_f32 s2, s0, s1" % n, "s0 s1", "s2", [(x, y, f(x, y, key=lambda v: key(F32, v))) for x, y in rot(quiet, 2, 5)] + [(0x7fc00000, 5, NAN), (0x40000000, 0x7fc00000, NAN)], GFX12)
    for n, f in FCOMPARE.items():
        for t, fmt, xs in (("f32", F32, FLOATS32), ("f16", F16, FLOATS16)):
            block(S, "s_cmp_%s_%s s0, s1" % (n, t), "s0 s1", "scc", [(x, y, compared(fmt, f, x, y)) for x, y in rot(xs, 2, 5) + rot(xs, 2, 1) + [(0, fmt.sign), (xs[6], xs[6])]], sf)
    block(S, "s_cvt_f16_f32 s2, s0", "s0", "s2", [(x, low16(convert(F32, F16, x))) for x in FLOATS32], sf)
    block(S, "s_cvt_f32_f16 s2, s0", "s0", "s2", [(x | 0x12340000, convert(F16, F32, x)) for x in FLOATS16], sf)
    block(S, "s_cvt_hi_f32_f16 s2, s0", "s0", "s2", [(x << 16 | 0x1234, convert(F16, F32, x)) for x in FLOATS16], sf)
    block(S, "s_fmac_f32 s2, s0, s1", "s0 s1 s2", "s2", [(x, y, z, fma(F32, x, y, z)) for x, y, z in rot(FLOATS32, 3, 5)], sf)
    for n in ("ceil", "floor", "trunc"):
        block(S, "s_%s_f32 s2, s0" % n, "s0", "s2", [(x, integral(F32, x, n)) for x in FLOATS32], sf)
    block(S, "s_rndne_f32 s2, s0", "s0", "s2", [(x, integral(F32, x, "rne")) for x in FLOATS32], sf)
    block(S, "s_cvt_i32_f32 s2, s0", "s0", "s2", [(x, to_int(F32, x, 32, True)) for x in FLOATS32], sf)
    block(S, "s_cvt_u32_f32 s2, s0", "s0", "s2", [(x, to_int(F32, x, 32, False)) for x in FLOATS32], sf)
    block(S, "s_cvt_f32_i32 s2, s0", "s0", "s2", [(x, F32.round(Fraction(sgn(x)))) for x in INT], sf)
    block(S, "s_cvt_f32_u32 s2, s0", "s0", "s2", [(x, F32.round(Fraction(x))) for x in INT], sf)


# ---- values of every class ---------------------------------------------------
FLOATS32 = [0, 0x80000000, 1, 0x807fffff, 0x00800000, 0x80800001, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000001, 0x3fc00000, 0x40200000,
            0xc0600000, 0x4b000001, 0xcb7fffff, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x7f7fffff, 0xff7fffff,
            0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x40490fdb, 0x34000000, 0x33800001]
FLOATS16 = [0, 0x8000, 1, 0x83ff, 0x0400, 0x8401, 0x3c00, 0xbc00, 0x3800, 0xb801, 0x3e00, 0x4100, 0xc300, 0x6401, 0xe7ff, 0x7bff, 0xfbff,
            0x7c00, 0xfc00, 0x7e00, 0xfe55, 0x4248, 0x1400, 0x5640]
FLOATS64 = [0, 1 << 63, 1, 0x800fffffffffffff, 0x0010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000,
            0xbfe0000000000001, 0x3ff8000000000000, 0x4004000000000000, 0xc00c000000000000, 0x4330000000000001, 0x41dfffffffc00000,
            0x41e0000000000000, 0xc1e0000000000000, 0x41efffffffe00000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000,
            0xfff0000000000000, 0x7ff8000000000000, 0x400921fb54442d18, 0x36a0000000000000, 0x47efffffe0000001, 0x380fffffe0000000]


# o, u: u says that one is a NaN
FCOMPARE = dict(lt=lambda u, x, y: not u and x < y, eq=lambda u, x, y: not u and x == y, le=lambda u, x, y: not u and x <= y, gt=lambda u, x, y: not u and x > y,
                lg=lambda u, x, y: not u and x != y, ge=lambda u, x, y: not u and x >= y, o=lambda u, x, y: not u, u=lambda u, x, y: u, nge=lambda u, x, y: u or not x >= y,
                nlg=lambda u, x, y: u or x == y, ngt=lambda u, x, y: u or not x > y, nle=lambda u, x, y: u or not x <= y, neq=lambda u, x, y: u or x != y, nlt=lambda u, x, y: u or not x < y)


def compared(fmt, f, x, y):
    def val(x):
        big = Fraction(2) ** 5000
        return (-big if x & fmt.sign else big) if fmt.is_inf(x) else fmt.value(x)
    u = fmt.is_nan(x) or fmt.is_nan(y)
    return int(f(u, None if u else val(x), None if u else val(y)))


def low16(v):
    return "nan16" if v == NAN else "xxxx%04x" % v


# ---- vector integers ---------------------------------------------------------
def vint():
    V = "int"
    sgn = lambda v: sx(v, 32)

    def op2(names, f, xs=None, targets=None, form="v2, v0, v1"):
        block(V, ["%s %s" % (n, form) for n in names.split()], "v0 v1", "v2", [(x, y, f(x, y)) for x, y in xs or pairs(SOME)], targets)

    def op3(names, f, xs=None, targets=None):
        block(V, ["%s v3, v0, v1, v2" % n for n in names.split()], "v0 v1 v2", "v3", [t + (f(*t),) for t in xs or rot(INT, 3, 5) + rot(SOME, 3, 2)], targets)
    new = GFX9 + GFX10 + GFX11 + GFX12
    op2("v_add_u32_e32 v_add_nc_u32_e32", lambda x, y: x + y, targets=new)
    op2("v_sub_u32_e32 v_sub_nc_u32_e32", lambda x, y: x - y, targets=new)
    op2("v_subrev_u32_e32 v_subrev_nc_u32_e32", lambda x, y: y - x, targets=new)
    op2("v_add_i32 v_add_nc_i32", lambda x, y: x + y, targets=new)
    op2("v_and_b32_e32", lambda x, y: x & y)
    op2("v_or_b32_e32", lambda x, y: x | y)
    op2("v_xor_b32_e32", lambda x, y: x ^ y)
    op2("v_xnor_b32_e32", lambda x, y: ~(x ^ y), targets=["gfx90a", "gfx942", "gfx950"] + GFX10 + GFX11 + GFX12)
    op2("v_lshlrev_b32_e32", lambda x, y: y << (x & 31))
    op2("v_lshrrev_b32_e32", lambda x, y: y >> (x & 31))
    op2("v_ashrrev_i32_e32", lambda x, y: sgn(y) >> (x & 31))
    op2("v_min_i32_e32", lambda x, y: min(x, y, key=sgn))
    op2("v_max_i32_e32", lambda x, y: max(x, y, key=sgn))
    op2("v_min_u32_e32", min)
    op2("v_max_u32_e32", max)
    op2("v_mul_lo_u32", lambda x, y: x * y)
    op2("v_mul_hi_u32", lambda x, y: x * y >> 32)
    op2("v_mul_hi_i32", lambda x, y: sgn(x) * sgn(y) >> 32)
    s24, u24 = lambda v: sx(v, 24), lambda v: v & 0xffffff
    x24 = pairs([0, 1, 0x7fffff, 0x800000, 0xffffff, 0x1000001, 0xdeadbeef, 0x12345678])
    op2("v_mul_i32_i24_e32", lambda x, y: s24(x) * s24(y), x24)
    op2("v_mul_hi_i32_i24_e32", lambda x, y: s24(x) * s24(y) >> 32, x24)
    op2("v_mul_u32_u24_e32", lambda x, y: u24(x) * u24(y), x24)
    op2("v_mul_hi_u32_u24_e32", lambda x, y: u24(x) * u24(y) >> 32, x24)
    op2("v_bfm_b32", lambda x, y: ((1 << (x & 31)) - 1) << (y & 31))
    op2("v_bcnt_u32_b32", lambda x, y: bin(x).count("1") + y)
    op3("v_mad_i32_i24", lambda x, y, z: s24(x) * s24(y) + z)
    op3("v_mad_u32_u24", lambda x, y, z: u24(x) * u24(y) + z)
    op3("v_bfe_u32", lambda x, y, z: x >> (y & 31) & ((1 << (z & 31)) - 1), [(x, y, z) for x in (0xdeadbeef, 0x80000000) for y in (0, 1, 31, 33) for z in (0, 1, 16, 31, 32)])
    op3("v_bfe_i32", lambda x, y, z: sx(x >> (y & 31), z & 31) if z & 31 else 0,
        [(x, y, z) for x in (0xdeadbeef, 0x80000000) for y in (0, 1, 16, 31, 33) for z in (0, 1, 15, 32) if (y & 31) + (z & 31) <= 32])
    op3("v_bfi_b32", lambda x, y, z: x & y | ~x & z)
    op3("v_alignbit_b32", lambda x, y, z: (x << 32 | y) >> (z & 31), targets=PRE12 + ["gfx1200"])
    op3("v_alignbyte_b32", lambda x, y, z: (x << 32 | y) >> 8 * (z & 3), targets=PRE12 + ["gfx1200"])
    op3("v_min3_i32", lambda x, y, z: min(x, y, z, key=sgn))
    op3("v_max3_i32", lambda x, y, z: max(x, y, z, key=sgn))
    op3("v_med3_i32", lambda x, y, z: sorted((x, y, z), key=sgn)[1])
    op3("v_min3_u32", min)
    op3("v_max3_u32", max)
    op3("v_med3_u32", lambda x, y, z: sorted((x, y, z))[1])
    by = lambda v: [v >> 8 * i & 255 for i in range(4)]
    op3("v_sad_u8", lambda x, y, z: sum(abs(p - q) for p, q in zip(by(x), by(y))) + z)
    op3("v_sad_hi_u8", lambda x, y, z: (sum(abs(p - q) for p, q in zip(by(x), by(y))) << 16) + z)
    op3("v_sad_u16", lambda x, y, z: abs((x & 0xffff) - (y & 0xffff)) + abs((x >> 16) - (y >> 16)) + z)
    op3("v_sad_u32", lambda x, y, z: abs(x - y) + z)
    op3("v_msad_u8", lambda x, y, z: sum(abs(p - q) for p, q in zip(by(x), by(y)) if q) + z)
    op3("v_lerp_u8", lambda x, y, z: sum(((p + q + (r & 1)) >> 1) << 8 * i for i, (p, q, r) in enumerate(zip(by(x), by(y), by(z)))))

    def perm(x, y, z):
        src = y | x << 32
        out = 0
        for i in range(4):
            s = z >> 8 * i & 255
            b = src >> 8 * s & 255 if s < 8 else 255 * (src >> (15, 31, 47, 63)[s - 8] & 1) if s < 12 else 0 if s == 12 else 255
            out |= b << 8 * i
        return out
    op3("v_perm_b32", perm, [(0x11223344, 0x85667788, s) for s in (0x03020100, 0x07060504, 0x0b0a0908, 0x0d0c0607, 0x00ff0c0d, 0x04030201)]
        + [(0x80f07f01, 0x7e8001ff, s) for s in (0x0b0a0908, 0x00010203)])
    op3("v_lshl_add_u32", lambda x, y, z: (x << (y & 31)) + z, targets=new)
    op3("v_add_lshl_u32", lambda x, y, z: (x + y) << (z & 31), targets=new)
    op3("v_add3_u32", lambda x, y, z: x + y + z, targets=new)
    op3("v_lshl_or_b32", lambda x, y, z: x << (y & 31) | z, targets=new)
    op3("v_and_or_b32", lambda x, y, z: x & y | z, targets=new)
    op3("v_or3_b32", lambda x, y, z: x | y | z, targets=new)
    op3("v_xad_u32", lambda x, y, z: (x ^ y) + z, targets=new)
    op3("v_xor3_b32", lambda x, y, z: x ^ y ^ z, targets=GFX10 + GFX11 + GFX12)
    op3("v_mad_u32_u16", lambda x, y, z: (x & 0xffff) * (y & 0xffff) + z, targets=new)
    op3("v_mad_i32_i16", lambda x, y, z: sx(x, 16) * sx(y, 16) + z, targets=new)
    for table in 0x96, 0xe8, 0xca, 0x01, 0x80:
        f = lambda x, y, z: sum(1 << i for i in range(32) if table >> ((x >> i & 1) * 4 + (y >> i & 1) * 2 + (z >> i & 1)) & 1)
        block(V, "v_bitop3_b32 v3, v0, v1, v2 bitop3:0x%x" % table, "v0 v1 v2", "v3", [t + (f(*t),) for t in rot(INT, 3, 5)], ["gfx950", "gfx1250"])
    one = lambda names, f, xs=INT, targets=None: block(V, ["%s v2, v0" % n for n in names.split()], "v0", "v2", [(x, f(x)) for x in xs], targets)
    one("v_mov_b32_e32", lambda x: x)
    one("v_not_b32_e32", lambda x: ~x)
    one("v_bfrev_b32_e32", lambda x: int("{:032b}".format(x)[::-1], 2))
    one("v_ffbh_u32_e32 v_clz_i32_u32_e32", lambda x: 32 - x.bit_length() if x else -1)
    one("v_ffbl_b32_e32 v_ctz_i32_b32_e32", lambda x: (x & -x).bit_length() - 1 if x else -1)
    one("v_ffbh_i32_e32 v_cls_i32_e32", lambda x: (lambda y: 32 - y.bit_length() if y else -1)(x ^ M32 if x >> 31 else x))
    one("v_sat_pk_u8_i16_e32", lambda x: "xxxx%04x" % (max(0, min(255, sx(x, 16))) | max(0, min(255, sx(x >> 16, 16))) << 8),
        targets=GFX9 + GFX10)
    # carries
    for c in 0, M64:
        cin = int(c != 0)
        block(V, ["v_addc_u32_e32 v2, vcc, v0, v1, vcc", "v_addc_co_u32_e32 v2, vcc, v0, v1, vcc", "v_add_co_ci_u32_e32 v2, vcc_lo, v0, v1, vcc_lo"], "v0 v1 vcc", "v2 vcc",
              [(x, y, c, x + y + cin, M64 if x + y + cin > M32 else 0) for x, y in pairs(SOME)])
        block(V, ["v_subb_u32_e32 v2, vcc, v0, v1, vcc", "v_subb_co_u32_e32 v2, vcc, v0, v1, vcc", "v_sub_co_ci_u32_e32 v2, vcc_lo, v0, v1, vcc_lo"], "v0 v1 vcc", "v2 vcc",
              [(x, y, c, x - y - cin, M64 if x < y + cin else 0) for x, y in pairs(SOME)])
        block(V, ["v_cndmask_b32_e32 v2, v0, v1, vcc", "v_cndmask_b32_e32 v2, v0, v1, vcc_lo"], "v0 v1 vcc", "v2", [(5, 9, c, 9 if c else 5)])
    block(V, ["v_add_co_u32 v2, s[4:5], v0, v1", "v_add_u32_e64 v2, s[4:5], v0, v1"], "v0 v1", "v2 s[4:5]",
          [(x, y, x + y, M64 if x + y > M32 else 0) for x, y in pairs(SOME)], GFX8 + GFX9 + W64)
    block(V, "v_sub_co_u32 v2, s4, v0, v1", "v0 v1", "v2 s4", [(x, y, x - y, M32 if x < y else 0) for x, y in pairs(SOME)], GFX10 + GFX11 + GFX12)
    block(V, ["v_add_co_u32 v2, vcc, v0, v1", "v_add_u32_e32 v2, vcc, v0, v1", "v_add_co_u32 v2, vcc_lo, v0, v1"], "v0 v1 exec vcc", "vcc",
          [(M32, 1, 0x5, M64, 0x5), (1, 1, 0x5, M64, 0), (M32, 2, 0xf0f0, 0, 0xf0f0)])
    # 64 bits
    for n, f in (("v_lshlrev_b64 v_lshlrev_b64_e64", lambda s, x: x << (s & 63)), ("v_lshrrev_b64", lambda s, x: x >> (s & 63)), ("v_ashrrev_i64", lambda s, x: sx(x, 64) >> (s & 63))):
        block(V, [m + " v[4:5], v0, v[2:3]" for m in n.split()], "v0 v[2:3]", "v[4:5]", [(s, x, f(s, x)) for x in LONG for s in (0, 1, 31, 32, 63, 64, M32)])
    block(V, ["v_mad_u64_u32 v[4:5], s[6:7], v0, v1, v[2:3]", "v_mad_co_u64_u32 v[4:5], s[6:7], v0, v1, v[2:3]"], "v0 v1 v[2:3]", "v[4:5] s[6:7]",
          [(x, y, z, x * y + z, M64 if x * y + z > M64 else 0) for x, y in pairs(SOME, 3) for z in (0, M64, 1 << 63)], GFX8 + GFX9 + W64)
    block(V, ["v_mad_u64_u32 v[4:5], s6, v0, v1, v[2:3]", "v_mad_co_u64_u32 v[4:5], s6, v0, v1, v[2:3]"], "v0 v1 v[2:3]", "v[4:5] s6",
          [(x, y, z, x * y + z, M32 if x * y + z > M64 else 0) for x, y in pairs(SOME, 3) for z in (0, M64, 1 << 63)], GFX10 + GFX11 + ["gfx1200"])
    block(V, ["v_mad_i64_i32 v[4:5], s[6:7], v0, v1, v[2:3]", "v_mad_i64_i32 v[4:5], s6, v0, v1, v[2:3]", "v_mad_co_i64_i32 v[4:5], s6, v0, v1, v[2:3]"], "v0 v1 v[2:3]", "v[4:5]",
          [(x, y, z, sgn(x) * sgn(y) + z) for x, y in pairs(SOME, 3) for z in (0, M64, 1 << 63)], PRE12 + ["gfx1200"])
    block(V, "v_lshl_add_u64 v[4:5], v[0:1], v2, v[6:7]", "v[0:1] v2 v[6:7]", "v[4:5]", [(x, s, y, (x << s) + y) for x, y in pairs(LONG, 2) for s in (0, 1, 4)],
          ["gfx942", "gfx950", "gfx1250"])
    # 16 bits: what becomes of the other half
    h = [0, 1, 0x7fff, 0x8000, 0xffff, 0x1234, 0x10]
    s16 = lambda v: sx(v, 16)
    ops16 = [("add_u16 add_nc_u16", lambda x, y: x + y), ("sub_u16 sub_nc_u16", lambda x, y: x - y), ("mul_lo_u16", lambda x, y: x * y), ("min_i16", lambda x, y: min(x, y, key=s16)),
             ("max_i16", lambda x, y: max(x, y, key=s16)), ("min_u16", min), ("max_u16", max), ("lshlrev_b16", lambda x, y: y << (x & 15)), ("lshrrev_b16", lambda x, y: y >> (x & 15)),
             ("ashrrev_i16", lambda x, y: s16(y) >> (x & 15))]
    for names, f in ops16:
        n = names.split()
        block(V, ["v_%s_e32 v2, v0, v1" % n[0]], "v0 v1 v2", "v2", [(0xabcd0000 | x, 0x77770000 | y, 0xdeadbeef, f(x, y) & 0xffff) for x, y in pairs(h)], GFX8 + GFX9)
        block(V, ["v_%s v2, v0, v1" % m for m in n], "v0 v1 v2", "v2", [(0xabcd0000 | x, 0x77770000 | y, 0xdeadbeef, 0xdead0000 | f(x, y) & 0xffff) for x, y in pairs(h)], GFX10 + GFX12)
        block(V, ["v_%s v2.l, v0.l, v1.h" % m for m in n], "v0 v1 v2", "v2", [(0xabcd0000 | x, 0x7777 | y << 16, 0xdeadbeef, 0xdead0000 | f(x, y) & 0xffff) for x, y in pairs(h)], GFX11)
    # literals and inline constants
    block(V, "v_and_b32_e32 v2, 0x12345678, v0", "v0", "v2", [(M32, 0x12345678), (0xff00, 0x5600)])
    block(V, "v_or_b32_e32 v2, -16, v0", "v0", "v2", [(3, 0xfffffff3)])
    block(V, "v_xor_b32_e32 v2, 1.0, v0", "v0", "v2", [(0, 0x3f800000)])
    block(V, "v_and_b32_e32 v2, s0, v0", "s0 v0 exec", "v2@0 v2@1", [(M32, 7, 1, 7, "*")])


# ---- floats ------------------------------------------------------------------
def vfloat():
    F = "float"
    fl = {F32: FLOATS32, F16: FLOATS16, F64: FLOATS64}

    def two(name, fmt, f, xs=None, targets=None, mode=None):
        xs = xs or rot(fl[fmt], 2, 5) + rot(fl[fmt], 2, 3) + rot(fl[fmt], 2, 1) + rot(fl[fmt], 2, 11)
        if fmt is F64:
            block(F, [n + " v[4:5], v[0:1], v[2:3]" for n in name.split()], "v[0:1] v[2:3]", "v[4:5]", [(x, y, f(fmt, x, y)) for x, y in xs], targets, mode)
        elif fmt is F32:
            block(F, [n + " v2, v0, v1" for n in name.split()], "v0 v1", "v2", [(x, y, f(fmt, x, y)) for x, y in xs], targets, mode)
        else:
            block(F, [n + form for n in name.split() for form in (" v2, v0, v1", " v2.l, v0.l, v1.l")], "v0 v1", "v2",
                  [(x, y, low16(f(fmt, x, y))) for x, y in xs], targets, mode)

    def three(name, fmt, f, xs=None, targets=None, mode=None):
        xs = xs or rot(fl[fmt], 3, 5) + rot(fl[fmt], 3, 3) + rot(fl[fmt], 3, 1) + [(a, b, fmt.neg(c)) for a, b, c in rot(fl[fmt], 3, 7)]
        if fmt is F64:
            block(F, name + " v[6:7], v[0:1], v[2:3], v[4:5]", "v[0:1] v[2:3] v[4:5]", "v[6:7]", [t + (f(fmt, *t),) for t in xs], targets, mode)
        elif fmt is F32:
            block(F, name + " v3, v0, v1, v2", "v0 v1 v2", "v3", [t + (f(fmt, *t),) for t in xs], targets, mode)
        else:
            block(F, [name + " v3, v0, v1, v2", name + " v3.l, v0.l, v1.l, v2.l"], "v0 v1 v2", "v3", [t + (low16(f(fmt, *t)),) for t in xs], targets, mode)

    def one(name, fmt, f, out=None, targets=None, mode=None, xs=None):
        xs = xs or fl[fmt]
        src = "v[0:1]" if fmt is F64 else "v0"
        o = out or fmt
        dst = "v[4:5]" if o is F64 else "v4"
        wrap = low16 if o is F16 else lambda v: v
        forms = ["%s %s, %s" % (n, dst, src) for n in name.split()]
        if fmt is F16 or o is F16:
            forms += ["%s %s, %s" % (n, dst + (".l" if o is F16 else ""), src + (".l" if fmt is F16 else "")) for n in name.split()]
        block(F, forms, src, dst, [(x, wrap(f(fmt, x))) for x in xs], targets, mode)

    sub = lambda fmt, a, b: add(fmt, a, fmt.neg(b))
    h16 = GFX8 + GFX9 + GFX10 + GFX11 + GFX12
    for fmt, s in ((F32, "f32"), (F16, "f16"), (F64, "f64")):
        t = h16
        two("v_add_" + s, fmt, add, targets=t)
        two("v_mul_" + s, fmt, mul, targets=t)
        if s != "f64":
            two("v_sub_" + s, fmt, sub, targets=t)
            two("v_subrev_" + s, fmt, lambda g, a, b: sub(g, b, a), targets=t)
        three("v_fma_" + s, fmt, fma, targets=t)
        nn = lambda f: lambda g, a, b: (b if g.is_nan(a) else a if g.is_nan(b) else f(a, b, key=lambda v: key(g, v)))
        quiet = [x for x in fl[fmt] if not fmt.is_nan(x)] + [fmt.qnan]
        both = rot(quiet, 2, 1) + rot(quiet, 2, 5) + [(0, fmt.sign), (fmt.sign, 0)]
        nan_out = lambda f: lambda g, a, b: NAN if g.is_nan(a) and g.is_nan(b) else nn(f)(g, a, b)
        two("v_min_%s v_min_num_%s" % (s, s), fmt, nan_out(min), both)
        two("v_max_%s v_max_num_%s" % (s, s), fmt, nan_out(max), both)
        prop = lambda f: lambda g, a, b: NAN if g.is_nan(a) or g.is_nan(b) else f(a, b, key=lambda v: key(g, v))
        two("v_minimum_" + s, fmt, prop(min), both, GFX12)
        two("v_maximum_" + s, fmt, prop(max), both, GFX12)
        for n, how in (("floor", "floor"), ("ceil", "ceil"), ("trunc", "trunc"), ("rndne", "rne")):
            one("v_%s_%s" % (n, s), fmt, lambda g, x: integral(g, x, how))

        def fract(g, x):
            if g.is_nan(x) or g.is_inf(x):
                return NAN
            v = g.value(x)
            r = g.round(v - (v.numerator // v.denominator))
            return min(r, g.one - 1)
        one("v_fract_" + s, fmt, fract, xs=[x for x in fl[fmt] if not fmt.is_zero(x)])

        def mant(g, x):
            if g.is_nan(x):
                return NAN
            if g.is_inf(x) or g.is_zero(x):
                return x
            v = abs(g.value(x))
            while v >= 1:
                v /= 2
            while v < Fraction(1, 2):
                v *= 2
            return g.round(v) | x & g.sign

        def expo(g, x):
            if g.is_nan(x) or g.is_inf(x) or g.is_zero(x):
                return 0
            v, e = abs(g.value(x)), 0
            while v >= 1:
                v, e = v / 2, e + 1
            while v < Fraction(1, 2):
                v, e = v * 2, e - 1
            return e
        one("v_frexp_mant_" + s, fmt, mant)
        if s == "f16":
            block(F, ["v_frexp_exp_i16_f16 v4, v0", "v_frexp_exp_i16_f16 v4.l, v0.l"], "v0", "v4", [(x, low16(expo(F16, x) & 0xffff)) for x in FLOATS16])
        else:
            one("v_frexp_exp_i32_" + s, fmt, expo, F32)
        # scaling: exact but for one rounding at the end
        exps = [0, 1, -1, 10, -24, 127, -126, -149, 300, -300, 2000, -2200]

        def ldexp(g, x, n):
            if g.is_nan(x):
                return NAN
            if g.is_inf(x) or g.is_zero(x):
                return x
            return g.round(g.value(x) * Fraction(2) ** n, x & g.sign)
        xs = [(x, e) for x in fl[fmt][1::2] for e in exps[::2]] + [(x, e) for x in fl[fmt][::2] for e in exps[1::2]]
        if s == "f64":
            block(F, "v_ldexp_f64 v[4:5], v[0:1], v2", "v[0:1] v2", "v[4:5]", [(x, e, ldexp(F64, x, e)) for x, e in xs])
        elif s == "f32":
            block(F, "v_ldexp_f32 v4, v0, v1", "v0 v1", "v4", [(x, e, ldexp(F32, x, e)) for x, e in xs])
        else:
            block(F, ["v_ldexp_f16 v4, v0, v1", "v_ldexp_f16 v4.l, v0.l, v1.l"], "v0 v1", "v4", [(x, e & 0xffff, low16(ldexp(F16, x, e))) for x, e in xs])
    # f32 forms that round twice, and their fused successors
    mac = lambda g, a, b, c: add(g, mul(g, a, b), c) if mul(g, a, b) != NAN else NAN
    nodenorm = [x for x in FLOATS32 if not F32.is_denorm(x)]
    normal = [t for t in rot(nodenorm, 3, 5) + rot(nodenorm, 3, 3) if mul(F32, t[0], t[1]) == NAN or not F32.is_denorm(mul(F32, t[0], t[1]))]
    normal = [t for t in normal if mac(F32, *t) == NAN or not F32.is_denorm(mac(F32, *t))]
    three("v_mad_f32", F32, mac, normal, ["gfx803", "gfx900", "gfx90a", "gfx1010"])
    block(F, "v_mac_f32_e32 v2, v0, v1", "v0 v1 v2", "v2", [t + (mac(F32, *t),) for t in normal], ["gfx803", "gfx900", "gfx1010"])
    block(F, "v_fmac_f32_e32 v2, v0, v1", "v0 v1 v2", "v2", [t + (fma(F32, *t),) for t in rot(FLOATS32, 3, 5)], ["gfx90a", "gfx942", "gfx950"] + GFX10 + GFX11 + GFX12)
    block(F, "v_fmamk_f32 v2, v0, 0x40490fdb, v1", "v0 v1", "v2", [(x, y, fma(F32, x, 0x40490fdb, y)) for x, y in rot(FLOATS32, 2, 5)], ["gfx942", "gfx950"] + GFX10 + GFX11 + GFX12)
    block(F, "v_fmaak_f32 v2, v0, v1, 0x40490fdb", "v0 v1", "v2", [(x, y, fma(F32, x, y, 0x40490fdb)) for x, y in rot(FLOATS32, 2, 5)], ["gfx942", "gfx950"] + GFX10 + GFX11 + GFX12)
    legacy = lambda g, a, b: 0 if g.is_zero(a) or g.is_zero(b) else mul(g, a, b)
    two("v_mul_legacy_f32 v_mul_dx9_zero_f32", F32, lambda g, a, b: legacy(g, a, b) if not (g.is_nan(a) or g.is_nan(b)) or legacy(g, a, b) == 0 else NAN,
        [t for t in rot(nodenorm, 2, 5) + [(0, F32.inf), (F32.qnan, 0)] if mul(F32, *t) == NAN or not F32.is_denorm(mul(F32, *t))])
    # three-way: least, greatest, middle, no NaN, no two zeros
    real = [x for x in FLOATS32 if not F32.is_nan(x) and x != 0x80000000]
    k = lambda v: key(F32, v)
    three("v_min3_f32", F32, lambda g, *t: min(t, key=k), rot(real, 3, 5), PRE12)
    three("v_max3_f32", F32, lambda g, *t: max(t, key=k), rot(real, 3, 5), PRE12)
    three("v_med3_f32", F32, lambda g, *t: sorted(t, key=k)[1], rot(real, 3, 5) + rot(real, 3, 3), PRE12)
    three("v_min3_num_f32", F32, lambda g, *t: min(t, key=k), rot(real, 3, 5), GFX12)
    three("v_med3_num_f32", F32, lambda g, *t: sorted(t, key=k)[1], rot(real, 3, 5), GFX12)
    # exact square roots and reciprocals of powers of two, and the classes
    one("v_sqrt_f32", F32, sqrt, xs=[0, 0x80000000, 0x3f800000, 0x40800000, 0x41100000, 0x7f800000, 0xff800000, 0xbf800000, 0x7fc00000, 0x00800000, 0x5f800000])
    one("v_sqrt_f64", F64, sqrt, xs=[0, 1 << 63, F64.one, 0x4010000000000000, 0x4022000000000000, F64.inf, 0xfff0000000000000, 0xbff0000000000000])
    rcp = lambda g, x: NAN if g.is_nan(x) else x & g.sign | (g.inf if g.is_zero(x) else 0) if g.is_zero(x) or g.is_inf(x) else g.round(1 / g.value(x))
    one("v_rcp_f32", F32, rcp, xs=[0, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xc1000000, 0x7e000000])
    one("v_rcp_f64", F64, rcp, xs=[0, 1 << 63, F64.one, 0x4000000000000000, 0xbfe0000000000000, F64.inf, 0xfff0000000000000, F64.qnan])
    one("v_rsq_f32", F32, lambda g, x: NAN if g.is_nan(x) or (x & g.sign and not g.is_zero(x)) else rcp(g, sqrt(g, x)), xs=[0, 0x80000000, 0x3f800000, 0x40800000, 0x3e800000, 0x7f800000, 0xff800000, 0xbf800000, 0x7fc00000])
    block(F, "v_exp_f32_e32 v4, v0", "v0", "v4", [(0, 0x3f800000), (0x80000000, 0x3f800000), (0x3f800000, 0x40000000), (0xbf800000, 0x3f000000), (0x41200000, 0x44800000), (0x7f800000, 0x7f800000),
                                                 (0xff800000, 0), (0x7fc00000, NAN), (0x43000000, 0x7f800000), (0xc3800000, 0)])
    block(F, "v_log_f32_e32 v4, v0", "v0", "v4", [(0x3f800000, 0), (0x40000000, 0x3f800000), (0x3f000000, 0xbf800000), (0x44800000, 0x41200000), (0, 0xff800000), (0x80000000, 0xff800000), (0x7f800000, 0x7f800000),
                                                 (0xbf800000, NAN), (0x7fc00000, NAN)])
    block(F, "v_sin_f32_e32 v4, v0", "v0", "v4", [(0, 0), (0x3e800000, 0x3f800000), (0x3f400000, 0xbf800000), (0x7f800000, NAN), (0x7fc00000, NAN)])
    block(F, "v_cos_f32_e32 v4, v0", "v0", "v4", [(0, 0x3f800000), (0x3f000000, 0xbf800000), (0x3f800000, 0x3f800000), (0x7f800000, NAN), (0x7fc00000, NAN)])
    # source modifiers, output modifiers
    block(F, "v_add_f32_e64 v2, -v0, |v1|", "v0 v1", "v2", [(x, y, add(F32, F32.neg(x), y & 0x7fffffff)) for x, y in rot(FLOATS32, 2, 5)])
    block(F, "v_mul_f32_e64 v2, -|v0|, v1", "v0 v1", "v2", [(x, y, mul(F32, x | 0x80000000, y)) for x, y in rot(FLOATS32, 2, 5)])
    clamp = lambda v: 0 if v == NAN or v >> 31 else min(v, 0x3f800000)
    block(F, "v_add_f32_e64 v2, v0, v1 clamp", "v0 v1", "v2", [(x, y, clamp(add(F32, x, y))) for x, y in rot(FLOATS32, 2, 5) if add(F32, x, y) not in (0x80000000,)])
    tame = [x for x in FLOATS32 if not F32.is_denorm(x)]
    # omod counts only when denormals are flushed
    for text, factor in (("mul:2", 2), ("mul:4", 4), ("div:2", Fraction(1, 2))):
        def om(x, y):
            r = add(F32, x, y, flush=True)
            if r == NAN or F32.is_inf(r) or F32.is_zero(r):
                return r
            return F32.round(F32.value(r) * factor, r >> 31, "rne", True)
        block(F, "v_add_f32_e64 v2, v0, v1 " + text, "v0 v1", "v2", [(x, y, om(x, y)) for x, y in rot(tame, 2, 5) if om(x, y) != 0x80000000], mode="c0 ieee 0")
    # div_fixup by the published branches
    d = 0x40000000
    fix = [(d, 0x40400000, 0x40c00000, d), (d, 0, 0x3f800000, 0x7f800000), (d, 0x80000000, 0x3f800000, 0xff800000), (d, 0, 0, NAN), (d, 0x7f800000, 0x7f800000, NAN),
           (d, 0x7f800000, 0xc0400000, 0x80000000), (d, 0x40400000, 0xff800000, 0xff800000), (d, 0x40400000, 0x80000000, 0x80000000), (d, 0x40400000, 0, 0), (d, 0x7fc00000, 0, NAN)]
    block(F, "v_div_fixup_f32 v3, v0, v1, v2", "v0 v1 v2", "v3", fix)
    # classes
    names = [lambda g, x: False, lambda g, x: g.is_nan(x), lambda g, x: x == g.inf | g.sign, None]

    def cls(g, x):
        s = bool(x & g.sign)
        if g.is_nan(x):
            return 1 if x & 1 << (g.mbits - 1) else 0
        if g.is_inf(x):
            return 2 if s else 9
        if g.is_zero(x):
            return 5 if s else 6
        if g.is_denorm(x):
            return 4 if s else 7
        return 3 if s else 8
    block(F, "v_cmp_class_f32_e64 s[4:5], v0, v1", "v0 v1", "s[4:5]", [(x, 1 << k, M64 if cls(F32, x) == k else 0) for x in FLOATS32 + [0x7f800001] for k in range(10)], GFX8 + GFX9 + W64)
    block(F, "v_cmp_class_f32_e64 s4, v0, v1", "v0 v1", "s4", [(x, 1 << k, M32 if cls(F32, x) == k else 0) for x in FLOATS32 + [0x7f800001] for k in range(10)], GFX10 + GFX11 + GFX12)
    block(F, "v_cmp_class_f64_e64 s[4:5], v[0:1], v2", "v[0:1] v2", "s[4:5]", [(x, 1 << k, M64 if cls(F64, x) == k else 0) for x in FLOATS64[::2] for k in range(10)], GFX8 + GFX9 + W64)


# ---- conversions -------------------------------------------------------------
def vconvert():
    C = "convert"

    def cv(name, src, dst, xs, f, targets=None, mode=None):
        block(C, ["%s %s, %s" % (n, dst, src) for n in name.split()] , src, dst, [(x, f(x)) for x in xs], targets, mode)
    s32 = lambda x: sx(x, 32)
    cv("v_cvt_f32_i32_e32", "v0", "v2", INT + [0x1000001, 0x1000003, 0xff000001], lambda x: F32.round(Fraction(s32(x))))
    cv("v_cvt_f32_u32_e32", "v0", "v2", INT + [0x1000001, 0x1000003, 0xff000001, 0xffffff7f, 0xffffff80], lambda x: F32.round(Fraction(x)))
    cv("v_cvt_f64_i32_e32", "v0", "v[2:3]", INT, lambda x: F64.round(Fraction(s32(x))))
    cv("v_cvt_f64_u32_e32", "v0", "v[2:3]", INT, lambda x: F64.round(Fraction(x)))
    cv("v_cvt_i32_f32_e32", "v0", "v2", FLOATS32, lambda x: to_int(F32, x, 32, True))
    cv("v_cvt_u32_f32_e32", "v0", "v2", FLOATS32, lambda x: to_int(F32, x, 32, False))
    cv("v_cvt_i32_f64_e32", "v[0:1]", "v2", FLOATS64, lambda x: to_int(F64, x, 32, True))
    cv("v_cvt_u32_f64_e32", "v[0:1]", "v2", FLOATS64, lambda x: to_int(F64, x, 32, False))
    cv("v_cvt_flr_i32_f32_e32 v_cvt_floor_i32_f32_e32", "v0", "v2", FLOATS32, lambda x: to_int(F32, x, 32, True, "floor"))
    cv("v_cvt_rpi_i32_f32_e32 v_cvt_nearest_i32_f32_e32", "v0", "v2", [x for x in FLOATS32 if abs(F32.value(x) if not F32.is_nan(x) and not F32.is_inf(x) else 0) < 2**22],
       lambda x: to_int(F32, x, 32, True, "half_up"))
    near = FLOATS64 + [0x3690000000000000, 0x36a8000000000000, 0x47efffffefffffff, 0x47effffff0000000, 0x3ff0000010000000, 0x3ff0000030000000, 0x380fffffffffffff]
    cv("v_cvt_f32_f64_e32", "v[0:1]", "v2", near, lambda x: convert(F64, F32, x))
    cv("v_cvt_f64_f32_e32", "v0", "v[2:3]", FLOATS32, lambda x: convert(F32, F64, x))
    half = FLOATS32 + [0x33000000, 0x33000001, 0x33c00000, 0x387fe000, 0x387ff000, 0x477fefff, 0x477ff000, 0x3f801000, 0x3f803000, 0x38800000]
    block(C, ["v_cvt_f16_f32_e32 v2, v0", "v_cvt_f16_f32_e32 v2.l, v0"], "v0", "v2", [(x, low16(convert(F32, F16, x))) for x in half])
    block(C, ["v_cvt_f32_f16_e32 v2, v0", "v_cvt_f32_f16_e32 v2, v0.l"], "v0", "v2", [(x, convert(F16, F32, x)) for x in FLOATS16])
    h = [0, 1, 2, 0x7ff, 0x800, 0x801, 0x7fff, 0x8000, 0xffff, 0xfbff, 0x1003, 0xc001]
    block(C, ["v_cvt_f16_u16_e32 v2, v0", "v_cvt_f16_u16_e32 v2.l, v0.l"], "v0", "v2", [(x, low16(F16.round(Fraction(x)))) for x in h])
    block(C, ["v_cvt_f16_i16_e32 v2, v0", "v_cvt_f16_i16_e32 v2.l, v0.l"], "v0", "v2", [(x, low16(F16.round(Fraction(sx(x, 16))))) for x in h])
    block(C, ["v_cvt_u16_f16_e32 v2, v0", "v_cvt_u16_f16_e32 v2.l, v0.l"], "v0", "v2", [(x, low16(to_int(F16, x, 16, False))) for x in FLOATS16])
    block(C, ["v_cvt_i16_f16_e32 v2, v0", "v_cvt_i16_f16_e32 v2.l, v0.l"], "v0", "v2", [(x, low16(to_int(F16, x, 16, True))) for x in FLOATS16])
    for b in range(4):
        cv("v_cvt_f32_ubyte%d_e32" % b, "v0", "v2", INT, lambda x: F32.round(Fraction(x >> 8 * b & 255)))
    cv("v_cvt_off_f32_i4_e32", "v0", "v2", range(18), lambda x: F32.round(Fraction(sx(x, 4), 16)))
    rtz = lambda x: convert(F32, F16, x, "zero")

    def pk(x, y):
        a, b = rtz(x), rtz(y)
        if NAN in (a, b):
            return "*"
        return a | b << 16
    block(C, ["v_cvt_pkrtz_f16_f32 v2, v0, v1", "v_cvt_pk_rtz_f16_f32 v2, v0, v1"], "v0 v1", "v2", [(x, y, pk(x, y)) for x, y in rot(half, 2, 5)])
    sat = lambda v, n, s: max(-(1 << n - 1) if s else 0, min((1 << (n - 1 if s else n)) - 1, v)) & 0xffff
    block(C, "v_cvt_pk_u16_u32 v2, v0, v1", "v0 v1", "v2", [(x, y, sat(x, 16, 0) | sat(y, 16, 0) << 16) for x, y in rot(INT, 2, 5)])
    block(C, "v_cvt_pk_i16_i32 v2, v0, v1", "v0 v1", "v2", [(x, y, sat(s32(x), 16, 1) | sat(s32(y), 16, 1) << 16) for x, y in rot(INT, 2, 5)])
    block(C, "v_cvt_pk_u8_f32 v3, v0, v1, v2", "v0 v1 v2", "v3", [(0x43000000, 1, 0xaabbccdd, 0xaabb80dd), (0x43960000, 0, 0, 0xff), (0xbf800000, 3, 0xffffffff, 0x00ffffff), (0x40400000, 2, 0, 0x30000)])
    # norms: nearest of x * 32767 or 65535
    def norm(x, signed):
        if F32.is_nan(x):
            return 0
        v = Fraction(-1 if x >> 31 else 1) if F32.is_inf(x) else F32.value(x)
        v = max(Fraction(-1 if signed else 0), min(Fraction(1), v))
        return round(v * (32767 if signed else 65535)) & 0xffff
    tidy = [0, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x7f800000, 0xff800000, 0x3f000000, 0x3e800000]
    ok = [x for x in tidy if (F32.value(x) * 32767 if not F32.is_inf(x) else Fraction(0)) % 1 != Fraction(1, 2)]
    block(C, ["v_cvt_pknorm_i16_f32 v2, v0, v1", "v_cvt_pk_norm_i16_f32 v2, v0, v1"], "v0 v1", "v2", [(x, y, norm(x, 1) | norm(y, 1) << 16) for x, y in rot(ok, 2, 1)])
    block(C, ["v_cvt_i32_i16_e32 v2, v0.l", "v_cvt_i32_i16_e32 v2, v0"], "v0", "v2", [(x, sx(x, 16)) for x in INT], GFX11 + GFX12)
    block(C, "v_cvt_u32_u16_e32 v2, v0.h", "v0", "v2", [(x, x >> 16) for x in INT], GFX11)


# ---- compares ----------------------------------------------------------------
def vcompare():
    C = "compare"
    w64, w32 = GFX8 + GFX9 + W64, GFX10 + GFX11 + GFX12
    s = lambda n: lambda v: sx(v, n)
    types = [("i32", INT, 1, s(32)), ("u32", INT, 1, lambda v: v), ("i64", LONG, 2, s(64)), ("u64", LONG, 2, lambda v: v)]
    ops = dict(lt=lambda x, y: x < y, eq=lambda x, y: x == y, le=lambda x, y: x <= y, gt=lambda x, y: x > y, ne=lambda x, y: x != y, ge=lambda x, y: x >= y)
    for t, xs, d, conv in types:
        a, b = ("v0", "v1") if d == 1 else ("v[0:1]", "v[2:3]")
        for n, f in ops.items():
            rows = [(x, y, M64 if f(conv(x), conv(y)) else 0) for x, y in pairs(xs[::2] + xs[1:6:2])]
            block(C, "v_cmp_%s_%s_e64 s[6:7], %s, %s" % (n, t, a, b), "%s %s" % (a, b), "s[6:7]", rows[::3], w64)
            block(C, "v_cmp_%s_%s_e64 s6, %s, %s" % (n, t, a, b), "%s %s" % (a, b), "s6", rows[::3], w32)
            block(C, ["v_cmp_%s_%s_e32 vcc, %s, %s" % (n, t, a, b), "v_cmp_%s_%s_e32 vcc_lo, %s, %s" % (n, t, a, b)], "%s %s" % (a, b), "vcc", rows[1::5])
    for t, fmt, xs in (("f32", F32, FLOATS32), ("f64", F64, FLOATS64), ("f16", F16, FLOATS16)):
        a, b = ("v[0:1]", "v[2:3]") if t == "f64" else ("v0", "v1")

        for n, f in FCOMPARE.items():
            rows = [(x, y, M64 * compared(fmt, f, x, y)) for x, y in rot(xs, 2, 5) + rot(xs, 2, 1) + [(0, fmt.sign), (xs[6], xs[6]), (fmt.inf, fmt.inf)]]
            forms = ["v_cmp_%s_%s_e64 %%s, %s, %s" % (n, t, a, b)] + (["v_cmp_%s_%s_e64 %%s, %s.l, %s.l" % (n, t, a, b)] if t == "f16" else [])
            block(C, [q % "s[6:7]" for q in forms], "%s %s" % (a, b), "s[6:7]", rows, w64)
            block(C, [q % "s6" for q in forms], "%s %s" % (a, b), "s6", rows, w32)
    # bits of lanes that are off become 0
    block(C, ["v_cmp_eq_u32_e32 vcc, v0, v1", "v_cmp_eq_u32_e32 vcc_lo, v0, v1"], "v0 v1 exec vcc", "vcc", [(1, 1, 0x5a, M64, 0x5a), (1, 2, 0x5a, M64, 0)])
    # v_cmpx: the mask and EXEC before gfx10, EXEC alone after
    block(C, "v_cmpx_eq_u32_e32 vcc, v0, v1", "v0 v1 exec vcc", "vcc exec", [(1, 1, 0x5a, M64, 0x5a, 0x5a), (1, 2, 0x5a, M64, 0, 0)], GFX8 + GFX9)
    block(C, "v_cmpx_eq_u32_e64 s[6:7], v0, v1", "v0 v1 exec vcc", "vcc exec s[6:7]", [(1, 1, 0x5a, 5, 5, 0x5a, 0x5a), (1, 2, 0x5a, 5, 5, 0, 0)], GFX8 + GFX9)
    block(C, "v_cmpx_eq_u32_e32 v0, v1", "v0 v1 exec vcc", "vcc exec", [(1, 1, 0x5a, 0x77, 0x77, 0x5a), (1, 2, 0x5a, 0x77, 0x77, 0)], w32 + W64)


for make in (salu, vint, vfloat, vconvert, vcompare):
    make()
for name in ("more_cases", "rdna_cases", "scaled_cases", "machine_cases", "gaps_cases", "ported_cases", "rows_cases", "image_cases", "tensor_cases", "forms_cases", "pair_cases"):
    __import__(name).make(sys.modules["__main__"])
write_files()

# SPDX-License-Identifier: MIT
"""Images of gfx10 and later: linear ones, through descriptors made here.  Part of make_cases.py; values by hand."""

import re

f = {1: 0x3f800000, 2: 0x40000000, 3: 0x40400000, -1: 0xbf800000, -2: 0xc0000000, 0.5: 0x3f000000}
T = ["gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"]
I = "images"
# unified formats: gfx10, then gfx11 and gfx12
FORMATS = {"8_8_8_8_unorm": (56, 42), "8_8_8_8_uint": (60, 46), "8_8_snorm": (15, 15), "32_uint": (20, 20), "32_float": (22, 22), "32_32_uint": (62, 48), "32_32_float": (64, 50), "16_16_16_16_float": (71, 57), "16_uint": (11, 11)}
KIND = {"1D": 8, "2D": 9, "3D": 10, "CUBE": 11, "1D_ARRAY": 12, "2D_ARRAY": 13}


def descriptor(t, fmt, width, height, kind, last=0, pitch=None, first=0, sel=0xfac, levels=1):
    """s[8:15] from the address in s[4:5]; last: the last layer, or depth - 1."""
    gfx10, gfx12 = t < "gfx11", t >= "gfx12"
    w, h, number = width - 1, height - 1, FORMATS[fmt][0 if gfx10 else 1]
    # gfx1010 to gfx1013 do not look at a pitch
    four = (pitch - 1 if pitch and not t.startswith("gfx101") else last) | first << 16
    words = {9: number << (17 if gfx12 else 20) | (w & 3) << 30, 10: w >> 2 | h << 14, 11: sel | (levels - 1) << (15 if gfx12 else 16) | KIND[kind] << 28, 12: four, 13: 0, 14: 0, 15: 0}
    return "s_lshr_b64 s[8:9], s[4:5], 8; s_or_b32 s9, s9, 0x%x; " % words.pop(9) + "; ".join("s_mov_b32 s%d, 0x%x" % (r, v) for r, v in words.items()) + "; "


def images(m, t):
    gfx12 = t >= "gfx12"
    wait = "" if gfx12 else "; s_waitcnt vmcnt(0)"
    # gfx12 names each register of the address
    at = lambda n: "v0" if n == 1 else "[%s]" % ", ".join("v%d" % i for i in range(n)) if gfx12 else "v[0:%d]" % (n - 1)
    unorm = "" if gfx12 else " unorm"
    glc = " th:TH_ATOMIC_RETURN" if gfx12 else " glc"
    def B(d, op, data, n, rest, ins, outs, rows):
        m.block(I, d + "%s %s, %s, s[8:15] %s" % (op, data, at(n), re.sub(r"dim:\w+", r"\g<0>" + unorm, rest)) + wait, "s[4:5] " + ins, outs, [("@0",) + r for r in rows], [t], title=op, optional=True)
    D = lambda *a, **k: descriptor(t, *a, **k)
    # a line is 256 bytes: 64 texels of 4 bytes; gfx1010 and images of several layers have no other pitch
    four = D("8_8_8_8_uint", 4, 3, "2D", pitch=64)
    B(four, "image_load", "v[20:23]", 2, "dmask:0xf dim:SQ_RSRC_IMG_2D", "v0 v1 mem204", "v20 v21 v22 v23",
      [(1, 2, 0x44332211, 0x11, 0x22, 0x33, 0x44), (4, 2, 0, 0, 0, 0, 0), (1, 3, 0, 0, 0, 0, 0), (0xffffffff, 0, 0, 0, 0, 0, 0)])
    B(four, "image_load", "v[20:21]", 2, "dmask:0xa dim:SQ_RSRC_IMG_2D", "v0 v1 v22 mem204", "v20 v21 v22", [(1, 2, 9, 0x44332211, 0x22, 0x44, 9)])
    if not t.startswith("gfx101"):
        B(D("8_8_8_8_uint", 4, 3, "2D", pitch=16), "image_load", "v20", 2, "dmask:0x1 dim:SQ_RSRC_IMG_2D", "v0 v1 mem84", "v20", [(1, 2, 0x44332211, 0x11)])
    if not gfx12: # without a pitch
        B(D("8_8_8_8_uint", 4, 3, "2D"), "image_load", "v20", 2, "dmask:0x1 dim:SQ_RSRC_IMG_2D", "v0 v1 mem204", "v20", [(1, 2, 0x44332211, 0x11)])
    B(D("8_8_8_8_uint", 4, 3, "2D", pitch=64, sel=7 | 0 << 3 | 1 << 6 | 4 << 9), "image_load", "v[20:23]", 2, "dmask:0xf dim:SQ_RSRC_IMG_2D", "v0 v1 mem204", "v20 v21 v22 v23", [(1, 2, 0x44332211, 0x44, 0, 1, 0x11)])
    B(D("8_8_8_8_unorm", 4, 3, "2D", pitch=64), "image_load", "v[20:23]", 2, "dmask:0xf dim:SQ_RSRC_IMG_2D", "v0 v1 mem204", "v20 v21 v22 v23", [(1, 2, 0x00ff3300, 0, 0x3e4ccccd, f[1], 0)])
    B(D("8_8_snorm", 4, 2, "2D", pitch=128), "image_load", "v[20:23]", 2, "dmask:0xf dim:SQ_RSRC_IMG_2D", "v0 v1 mem100", "v20 v21 v22 v23", [(0, 1, 0x8081, f[-1], f[-1], 0, f[1])])
    B(D("16_16_16_16_float", 4, 3, "2D", pitch=32), "image_load", "v[20:21]", 2, "dmask:0xf dim:SQ_RSRC_IMG_2D d16", "v0 v1 mem108 mem10c", "v20 v21", [(1, 1, 0x3c004000, 0x42004400, 0x3c004000, 0x42004400)])
    B(D("8_8_8_8_unorm", 4, 3, "2D", pitch=64), "image_load", "v[20:21]", 2, "dmask:0x1 dim:SQ_RSRC_IMG_2D tfe", "v0 v1 v21 mem204", "v20 v21", [(1, 2, 77, 0xff, f[1], 0)])
    one = D("32_uint", 8, 1, "1D", pitch=64)
    B(one, "image_load", "v20", 1, "dmask:0x1 dim:SQ_RSRC_IMG_1D", "v0 mem14", "v20", [(5, 0x1234, 0x1234), (8, 0, 0)])
    B(four, "image_load", "v20", 1, "dmask:0x1 dim:SQ_RSRC_IMG_2D a16", "v0 mem204", "v20", [(0x00020001, 0x99, 0x99)])
    if not gfx12: # layers from the first on, each of `height` lines of 256 bytes
        B(D("32_uint", 8, 1, "1D_ARRAY", last=3, first=1), "image_load", "v20", 2, "dmask:0x1 dim:SQ_RSRC_IMG_1D_ARRAY", "v0 v1 mem204", "v20", [(1, 1, 7, 7), (1, 3, 0, 0)])
        B(D("32_uint", 8, 2, "2D_ARRAY", last=3, first=1), "image_load", "v20", 3, "dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY", "v0 v1 v2 mem504", "v20", [(1, 1, 1, 7, 7), (1, 1, 3, 0, 0)])
        B(D("32_uint", 8, 2, "3D", last=3), "image_load", "v20", 3, "dmask:0x1 dim:SQ_RSRC_IMG_3D", "v0 v1 v2 mem504", "v20", [(1, 1, 2, 7, 7), (1, 1, 4, 0, 0)])
        B(D("32_uint", 8, 2, "CUBE", last=5), "image_load", "v20", 3, "dmask:0x1 dim:SQ_RSRC_IMG_CUBE", "v0 v1 v2 mem504", "v20", [(1, 1, 2, 7, 7), (1, 1, 6, 0, 0)])
        B(D("32_uint", 8, 2, "2D_ARRAY", last=3, first=1, levels=3), "image_get_resinfo", "v[20:23]", 1, "dmask:0xf dim:SQ_RSRC_IMG_2D_ARRAY", "v0", "v20 v21 v22 v23", [(0, 8, 2, 3, 3), (1, 4, 1, 3, 3), (3, 0, 0, 0, 3)])
        # registers of the address in any order
        m.block(I, four + "image_load v20, [v3, v0], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm" + wait, "s[4:5] v0 v3 mem204", "v20", [("@0", 2, 1, 0x99, 0x99)], [t])
    B(four, "image_load_mip", "v20", 3, "dmask:0x1 dim:SQ_RSRC_IMG_2D", "v0 v1 v2 mem204", "v20", [(1, 2, 0, 0x99, 0x99), (1, 2, 1, 0, 0)])
    B(four, "image_load_pck", "v20", 2, "dmask:0x1 dim:SQ_RSRC_IMG_2D", "v0 v1 mem204", "v20", [(1, 2, 0x44332211, 0x44332211)])
    B(D("16_uint", 8, 1, "1D", pitch=128), "image_load_pck_sgn", "v20", 1, "dmask:0x1 dim:SQ_RSRC_IMG_1D", "v0 mem4", "v20", [(2, 0x00018001, 0xffff8001)])
    # stores: unorm 0.5 of 255 is 127.5, to even 128; 2.0 and -1.0 are clamped
    B(D("8_8_8_8_unorm", 4, 3, "2D", pitch=64), "image_store", "v[20:23]", 2, "dmask:0xf dim:SQ_RSRC_IMG_2D", "v0 v1 v20 v21 v22 v23", "mem204", [(1, 2, f[0.5], f[2], f[-1], f[1], 0xff00ff80), (9, 0, f[1], f[1], f[1], f[1], 0xff00ff80)])
    B(four, "image_store_mip", "v20", 3, "dmask:0x1 dim:SQ_RSRC_IMG_2D", "v0 v1 v2 v20", "mem204", [(1, 2, 0, 0x99, 0x99), (1, 2, 1, 0x77, 0x99)])
    B(four, "image_store_pck", "v20", 2, "dmask:0x1 dim:SQ_RSRC_IMG_2D", "v0 v1 v20", "mem204", [(1, 2, 0x44332211, 0x44332211)])
    atomics(m, t, glc, B, D)


def atomics(m, t, glc, B, D):
    M, inf = m.M32, 0x7f800000
    lane = "s_mov_b32 exec_lo, 1; "
    one, real, pair = (D(fmt, 8, 1, "1D", pitch=64) for fmt in ("32_uint", "32_float", "32_32_uint"))
    ops = {"swap": (5, 9, 9), "add add_uint": (5, 9, 14), "sub sub_uint": (5, 9, M - 3), "smin min_int": (5, 0xfffffff9, 0xfffffff9), "umin min_uint": (5, 0xfffffff9, 5), "smax max_int": (5, 0xfffffff9, 5),
           "umax max_uint": (5, 0xfffffff9, 0xfffffff9), "and": (0xc, 0xa, 8), "or": (0xc, 0xa, 0xe), "xor": (0xc, 0xa, 6), "inc inc_uint": (5, 5, 0), "dec dec_uint": (0, 7, 7),
           "fmin min_flt": (f[1], f[-2], f[-2]), "fmax max_flt": (f[1], f[-2], f[1]), "add_flt": (f[1], f[2], f[3]),
           "pk_add_f16": (0x40003c00, 0x3c004000, 0x42004200), "pk_add_bf16": (0x40003f80, 0x3f804000, 0x40404040)}
    for names, (old, data, new) in ops.items():
        for name in names.split():
            B(lane + (real if "f" in name.replace("inc", "") and "min_i" not in name else one), "image_atomic_" + name, "v20", 1, "dmask:0x1 dim:SQ_RSRC_IMG_1D" + glc, "v0 v20 mem14", "v20@0 mem14", [(5, data, old, old, new), (8, data, new, 0, new)])
            B(lane + one, "image_atomic_" + name, "v20", 1, "dmask:0x1 dim:SQ_RSRC_IMG_1D", "v0 v20 mem14", "v20@0 mem14", [(5, data, old, data, new)])
    B(lane + one, "image_atomic_cmpswap", "v[20:21]", 1, "dmask:0x3 dim:SQ_RSRC_IMG_1D" + glc, "v0 v[20:21] mem14", "v20@0 mem14", [(5, 5 << 32 | 9, 5, 5, 9), (5, 5 << 32 | 7, 9, 9, 9)])
    B(lane + real, "image_atomic_fcmpswap", "v[20:21]", 1, "dmask:0x3 dim:SQ_RSRC_IMG_1D" + glc, "v0 v[20:21] mem14", "v20@0 mem14", [(5, 0 << 32 | 9, 0x80000000, 0x80000000, 9), (5, f[1] << 32 | 7, 9, 9, 9)])
    B(lane + pair, "image_atomic_add", "v[20:21]", 1, "dmask:0x3 dim:SQ_RSRC_IMG_1D" + glc, "v0 v[20:21] mem18 mem1c", "v20@0 v21@0 mem18 mem1c", [(3, 1 << 32 | M, 1, 2, 1, 2, 0, 4)])


def make(m):
    for t in T:
        images(m, t)

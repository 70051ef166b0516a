# SPDX-License-Identifier: MIT
"""The same thing in every format of gfx10 and later: NULL, literals, halves, lanes that are off, scratch addresses.
Part of make_cases.py; values by hand."""

F = "forms"
f = {1: 0x3f800000, 2: 0x40000000, 3: 0x40400000, 5: 0x40a00000, 6: 0x40c00000, 7: 0x40e00000, -1: 0xbf800000, -2: 0xc0000000}
LANE = "v_mbcnt_lo_u32_b32 v1, -1, 0; "


def make(m):
    global W32, GFX11_UP, some
    W32, GFX11_UP = m.GFX10 + m.GFX11 + m.GFX12, m.GFX11 + m.GFX12
    def some(title, asm, ins, outs, rows, targets, **more):
        m.block(F, asm if isinstance(asm, (list, tuple)) else [asm], ins, outs, rows, targets, title=title, optional=True, **more)
    null(m)
    literals(m)
    inactive(m)
    halves(m)
    scratch(m)
    machine(m)


def null(m):
    src, dst = "NULL reads as 0", "NULL swallows what is written"
    some(src, "s_cmp_eq_u32 null, s2", "s2 scc", "scc", [(0, 0, 1), (1, 1, 0)], W32)
    some(src, "s_cmp_lg_u64 null, s[2:3]", "s[2:3]", "scc", [(0, 0), (1 << 40, 1)], W32)
    some(src, ["s_load_dword s6, s[4:5], null", "s_load_b32 s6, s[4:5], null"], "s[4:5]", "s6", [("@10", 0x857e7770)], W32)
    some(src, ["s_load_dwordx2 s[6:7], s[4:5], null", "s_load_b64 s[6:7], s[4:5], null"], "s[4:5]", "s[6:7]", [("@10", 0xa19a938c857e7770)], W32)
    some(src, "v_sub_nc_u32_e32 v2, null, v1", "v1", "v2", [(5, 0xfffffffb)], W32)
    some(src, "v_fma_f32 v3, v0, v1, null", "v0 v1", "v3", [(f[3], f[2], f[6])], W32)
    some(src, "v_add_f64 v[2:3], null, v[0:1]", "v[0:1]", "v[2:3]", [(0x4008 << 48, 0x4008 << 48)], W32)
    some(src, "v_lshlrev_b64 v[2:3], 4, null", "v[2:3]", "v[2:3]", [(m.M64, 0)], W32)
    some(src, ["v_lshrrev_b64 v[2:3], null, v[0:1]"], "v[0:1]", "v[2:3]", [(m.M64, m.M64)], W32)
    some(src, "v_cmp_eq_u32_e32 vcc_lo, null, v0", "v0 vcc", "vcc", [(0, 0, m.M32), (1, m.M32, 0)], W32)
    some(src, "v_cmp_gt_i32_e64 s6, v0, null", "v0 s6", "s6", [(1, 0, m.M32), (0xffffffff, 7, 0)], W32)
    some(src, "v_cmpx_ne_u32_e32 null, v0", "v0 exec", "exec", [(1, 0xf0, 0xf0), (0, 0xf0, 0)], W32)
    some(src, "v_pk_sub_u16 v2, null, v0", "v0", "v2", [(0x00010002, 0xfffffffe)], W32)
    some(src, "v_dot4_u32_u8 v2, v0, v1, null", "v0 v1", "v2", [(0x01020304, 0x05060708, 70)], W32)
    some(src, "v_dual_mov_b32 v2, null :: v_dual_add_f32 v3, null, v1", "v1", "v2 v3", [(f[3], 0, f[3])], GFX11_UP)
    some(src, "v_mad_u64_u32 v[2:3], null, v0, v1, null", "v0 v1 vcc", "v[2:3] vcc", [(0xffffffff, 3, 0x55, 0x2fffffffd, 0x55)], W32)
    some(src, "v_mad_co_u64_u32 v[2:3], null, v0, v1, null", "v0 v1 vcc", "v[2:3] vcc", [(0xffffffff, 3, 0x55, 0x2fffffffd, 0x55)], ["gfx1200"])
    some(src, ["s_and_saveexec_b32 s2, null; s_mov_b32 s3, exec_lo; s_mov_b32 exec_lo, -1"], "s2", "s2 s3", [(9, m.M32, 0)], W32)
    for t in W32:
        off = "s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, 0x100; s_mov_b32 s11, 0x%x; " % (0x31014fac if t < "gfx12" else 0x30014fac)
        some(src, [off + n % "null offset:16" for n in ("buffer_load_dword v2, off, s[8:11], %s", "buffer_load_b32 v2, off, s[8:11], %s")], "s[4:5]", "v2", [("@0", 0x857e7770)], [t])
        some(src, [off + n % "null offset:4" for n in ("buffer_load_dword v2, v0, s[8:11], %s offen", "buffer_load_b32 v2, v0, s[8:11], %s offen")], "s[4:5] v0", "v2", [("@0", 12, 0x857e7770)], [t])
    # destinations
    some(dst, "s_movk_i32 null, 5; s_mov_b32 s2, null", "s2", "s2", [(9, 0)], W32)
    some(dst, "s_cmovk_i32 null, 5; s_mov_b32 s2, null", "s2 scc", "s2", [(9, 1, 0)], W32)
    some(dst, "s_getreg_b32 null, hwreg(HW_REG_MODE); s_mov_b32 s2, null", "s2", "s2", [(9, 0)], W32)
    some(dst, "s_not_b64 null, s[4:5]; s_mov_b64 s[2:3], null", "s[4:5] s[2:3] scc", "s[2:3] scc", [(m.M64, 9, 1, 0, 0), (1, 9, 0, 0, 1)], W32)
    some(dst, "s_lshl_b64 null, s[4:5], 3; s_mov_b64 s[2:3], null", "s[4:5] scc", "s[2:3] scc", [(1, 0, 0, 1), (0xe000 << 48, 1, 0, 0)], W32)
    some(dst, "s_mul_hi_u32 null, s4, s5; s_mov_b32 s2, null", "s4 s5 s2", "s2", [(m.M32, m.M32, 9, 0)], W32)
    some(dst, ["s_load_dwordx4 null, s[4:5], 0x10; s_mov_b64 s[2:3], null", "s_load_b128 null, s[4:5], 0x10; s_mov_b64 s[2:3], null"], "s[4:5]", "s[2:3]", [("@0", 0)], GFX11_UP)
    some(dst, "s_or_saveexec_b32 null, s3; s_mov_b32 s4, exec_lo; s_mov_b32 s5, null; s_mov_b32 exec_lo, -1", "s3 exec", "s4 s5", [(0xf0, 0xf, 0xff, 0)], W32)
    some(dst, "v_readfirstlane_b32 null, v0; v_readlane_b32 null, v0, 3; s_mov_b32 s2, null", "v0 s2", "s2", [(7, 9, 0)], W32)
    some(dst, "v_div_scale_f32 v2, null, v0, v0, v1; s_mov_b32 s2, null", "v0 v1 vcc", "v2 s2 vcc", [(f[3], f[1], 0x55, f[3], 0, 0x55)], W32)
    some(dst, "v_sub_co_u32 v2, null, v0, v1; s_mov_b32 s2, null", "v0 v1 vcc", "v2 s2 vcc", [(1, 2, 0x55, m.M32, 0, 0x55)], W32)
    some(dst, "v_cmp_class_f32_e64 null, v0, v1; s_mov_b32 s2, null", "v0 v1 vcc exec", "s2 vcc exec", [(f[1], 0x3ff, 0x55, 0xff, 0, 0x55, 0xff)], W32)


def literals(m):
    g, x = ["gfx1250"], 0x123456789abcdef0
    t = "a literal of 64 bits"
    some(t, "s_mov_b64 s[2:3], 0x%x" % x, "s[2:3]", "s[2:3]", [(0, x)], g)
    some(t, "s_add_nc_u64 s[2:3], s[4:5], 0x%x" % x, "s[4:5]", "s[2:3]", [(0x10, x + 16)], g)
    some(t, "s_and_b64 s[2:3], 0x%x, s[4:5]; s_cselect_b32 s6, 1, 0" % x, "s[4:5]", "s[2:3] s6", [(0xff << 32, 0x78 << 32, 1)], g)
    some(t, "s_cmp_eq_u64 s[4:5], 0x%x" % x, "s[4:5]", "scc", [(x, 1), (x & m.M32, 0)], g)
    some(t, "v_mov_b64_e32 v[2:3], 0x%x" % x, "v[2:3]", "v[2:3]", [(0, x)], g)
    some(t, "v_add_nc_u64_e32 v[2:3], 0x%x, v[0:1]" % x, "v[0:1]", "v[2:3]", [(m.M64, x - 1)], g)
    some(t, "v_add_f64_e32 v[2:3], 0x3ff8000000000001, v[0:1]", "v[0:1]", "v[2:3]", [(0, 0x3ff8000000000001)], g)
    some(t, "v_cmp_eq_u64_e32 vcc_lo, 0x%x, v[0:1]" % x, "v[0:1]", "vcc", [(x, m.M32), (x + (1 << 32), 0)], g)
    # 32 bits: the high half of a double, zero-extended for bits, sign-extended nowhere
    some("a literal of 32 bits in 64", "v_add_f64 v[2:3], 100.0, v[0:1]", "v[0:1]", "v[2:3]", [(0, 0x4059 << 48), (0xc059 << 48, 0)], W32)
    some("a literal of 32 bits in 64", "s_and_b64 s[2:3], s[4:5], 0x87654321", "s[4:5]", "s[2:3]", [(m.M64, 0x87654321)], m.GFX10 + m.GFX11 + ["gfx1200"])
    some("a literal in the long form", "v_fma_f32 v3, v0, 0x40a00000, v1", "v0 v1", "v3", [(f[1], f[2], f[7])], W32)
    some("a literal in the long form", "v_perm_b32 v3, v0, v1, 0x04010600", "v0 v1", "v3", [(0x44556677, 0x00112233, 0x77225533)], W32)
    some("a literal in the long form", "v_pk_add_u16 v3, 0x00030004, v0", "v0", "v3", [(0x00010002, 0x00040006)], W32)


def inactive(m):
    """Lane 0 off, its value 9: with fi others read it, without they keep (or with bound_ctrl read 0)."""
    pre = "v_mbcnt_lo_u32_b32 v1, -1, 9; s_mov_b32 exec_lo, 0xfffffffe; "
    post = "; s_mov_b32 exec_lo, -1"
    to0 = "quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf"
    outs = "v2@1 v2@3 v2@4"
    for how, title, lane0 in (("", "without fi: keeps", 0x77), (" bound_ctrl:1", "without fi, with bound_ctrl: 0", None), (" fi:1", "with fi: reads it", 9)):
        got = lambda own, none, read: tuple(0x77 if lane0 == 0x77 else read(l) if lane0 == 9 else none(l) for l in (1, 3))
        some("VOP2, " + title, pre + "v_add_nc_u32_dpp v2, v1, v1 " + to0 + how + post, "v2", outs, [(0x77,) + got(0, lambda l: 9 + l, lambda l: 18 + l) + (13 + 13,)], W32)
        some("VOP1, " + title, pre + "v_not_b32_dpp v2, v1 " + to0 + how + post, "v2", outs, [(0x77,) + got(0, lambda l: m.M32, lambda l: m.M32 - 9) + (m.M32 - 13,)], W32)
        some("VOP3, " + title, pre + "v_add3_u32_e64_dpp v2, v1, v1, v1 " + to0 + how + post, "v2", outs, [(0x77,) + got(0, lambda l: 18 + 2 * l, lambda l: 27 + 2 * l) + (39,)], GFX11_UP)
        some("VOP3 of VOP2, " + title, pre + "v_max_u32_e64_dpp v2, v1, 1 " + to0 + how + post, "v2", outs, [(0x77,) + got(0, lambda l: 1, lambda l: 9) + (13,)], ["gfx1150", "gfx1200", "gfx1250"])
    # v1 is 9 + lane.  A compare whose source lane is off: its bit is 0 without bound_ctrl
    bits = {"": 0xffffffff & ~0xf & 0x11111110 | 0, " bound_ctrl:1": 0, " fi:1": 0}
    some("VOPC, without fi: 0", pre + "v_cmp_ge_u32_dpp vcc_lo, v1, v0 " + to0 + post, "v0 vcc", "vcc", [(13, 0, 0xfffffff0), (17, 0, 0xffffff00)], GFX11_UP)
    some("VOPC, with bound_ctrl: compares 0", pre + "v_cmp_eq_u32_dpp vcc_lo, v1, v0 " + to0 + " bound_ctrl:1" + post, "v0 vcc", "vcc", [(0, 0, 0x0000000e), (13, 0, 0xf0)], GFX11_UP)
    some("VOPC, with fi: compares what is there", pre + "v_cmp_eq_u32_dpp vcc_lo, v1, v0 " + to0 + " fi:1" + post, "v0 vcc", "vcc", [(9, 0, 0x0000000e), (13, 0, 0xf0)], GFX11_UP)
    some("VOPC in the long form, with fi", pre + "v_cmp_eq_u32_e64_dpp s6, v1, v0 " + to0 + " fi:1" + post, "v0 s6", "s6", [(9, 0, 0x0000000e), (13, 0, 0xf0)], GFX11_UP)


def halves(m):
    """Registers .l and .h where gfx12 and gfx1250 have them too, and through DPP."""
    A, B, D = 0x3c004000, 0x42004400, 0x77778888  # halves 1 2, 3 4
    g = m.GFX11 + m.GFX12
    for text, want in {"v_mov_b16_e32 v3.h, v0.l": 0x40008888, "v_mov_b16_e32 v3.l, v0.h": 0x77773c00, "v_not_b16_e32 v3.h, v0.h": 0xc3ff8888,
                       "v_add_f16_e32 v3.h, v0.l, v1.h": 0x45008888, "v_add_f16_e32 v3.l, v0.h, v1.l": 0x77774500, "v_mul_f16_e64 v3.h, -v0.l, v1.h": 0xc6008888,
                       "v_fma_f16 v3.h, v0.l, v1.l, v0.h": 0x48808888, "v_mad_u16 v3.l, v0.h, 2, 1": 0x77777801, "v_rcp_f16_e32 v3.h, v0.l": 0x38008888,
                       "v_cvt_f32_f16_e32 v3, v0.h": f[1], "v_cvt_f16_f32_e32 v3.h, v2": 0x40008888, "v_fmac_f16_e32 v3.h, v0.l, v1.h": None,
                       "v_add_f16_dpp v3.h, v0.l, v1.h quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf": 0x45008888, "v_mov_b16_dpp v3.h, v0.h quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf": 0x3c008888,
                       "v_add_f16_e64_dpp v3.h, v0.h, v1.l quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf": 0x45008888, "v_add_f16_dpp v3.l, v0.h, v1.l dpp8:[7,6,5,4,3,2,1,0]": 0x77774500,
                       "v_pack_b32_f16 v3, v0.h, v1.l": 0x44003c00, "v_med3_f16 v3.h, v0.l, v0.h, v1.h": 0x40008888, "v_ldexp_f16_e64 v3.h, v0.l, 2": 0x48008888}.items():
        if want is None:
            some(None, text, "v0 v1 v3", "v3", [(A, B, 0x3c008888, 0x47008888)], g, halves=True)
        else:
            some(None, text, "v0 v1 v2 v3", "v3", [(A, B, f[2], D, want)], g, halves=True)
    some(None, "v_swap_b16 v0.h, v1.l", "v0 v1", "v0 v1", [(A, B, 0x44004000, 0x42003c00)], g, halves=True)
    some(None, "v_cndmask_b16 v3.h, v0.l, v1.h, vcc_lo", "v0 v1 v3 vcc", "v3", [(A, B, D, 0, 0x40008888), (A, B, D, m.M32, 0x42008888)], g, halves=True)
    some(None, "v_and_b16 v3.h, v0.h, v1.l", "v0 v1 v3", "v3", [(A, B, D, 0x04008888)], g, halves=True)
    # the high bits of register numbers beside the half
    some(None, "s_set_vgpr_msb 0x40; v_mov_b16_e32 v3.h, v0.l; v_mov_b16_e32 v3.l, v0.h; s_set_vgpr_msb 1; v_add_f16_e32 v4.h, v3.l, v0.l; s_set_vgpr_msb 0", "v0 v3 v4", "v3 v259 v4", [(A, D, D, D, 0x40003c00, 0x42008888)], ["gfx1250"], halves=True)
    some(None, "v_cmp_lt_f16_e32 vcc_lo, v0.h, v1.l", "v0 v1 vcc", "vcc", [(A, B, 0, m.M32), (B, A, 0, 0)], g, halves=True)
    some(None, "v_cmp_eq_f16_e64 s6, v0.l, v1.h", "v0 v1 s6", "s6", [(0x40000000, 0x0000, 0, 0), (0x4200, 0x42000000, 0, m.M32)][1:], g, halves=True)
    some(None, "v_cmp_lt_u16_dpp vcc_lo, v0.h, v1.l quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", "v0 v1 vcc", "vcc", [(0x00010009, 0x00000002, 0, m.M32), (0x00030001, 2, 0, 0)], g, halves=True)


def scratch(m):
    """Addresses: a register of each lane, a scalar one, both, none."""
    names = {"store": ("scratch_store_dword", "scratch_store_b32"), "load": ("scratch_load_dword", "scratch_load_b32")}
    put = lambda k, at: "%s %s, v1, %s" % ((names["store"][k],) + at)
    get = lambda k, at, off: "%s v2, %s, %s offset:%d" % (names["load"][k], at[0], at[1], off)
    forms = {"SV": ("v0", "off"), "SS": ("off", "s6"), "SVS": ("v0", "s6"), "ST": ("off", "off")}
    t = ["gfx900", "gfx90a", "gfx942", "gfx950"] + W32
    wait = lambda x: 0
    def B(title, texts, ins, rows):
        some(title, texts, ins, "v2", rows, t)
    # stored through lane addresses at v0 + s6, read back through the form
    both = lambda form, off, first: ["%s; %s; %s" % (first, "v_mov_b32 v3, v1", get(k, forms[form], off)) for k in (0, 1)]
    stored = lambda k: "%s v4, v1, off" % names["store"][k]
    for form, ins, rows in (("SV", "v0 v1 v4", [(8, 0x1234, 12, 0x1234)]), ("SS", "s6 v1 v4", [(8, 0x1234, 12, 0x1234)]), ("SVS", "v0 s6 v1 v4", [(8, 16, 0x1234, 28, 0x1234)])):
        B(form, ["%s; s_nop 0; %s" % (stored(k), get(k, forms[form], 4)) for k in (0, 1)], ins, rows)
        B(form, ["%s; s_nop 0; %s" % ("%s %s, v1, %s offset:4" % ((names["store"][k],) + forms[form]), "%s v2, v4, off" % names["load"][k]) for k in (0, 1)], ins, rows)
    B("ST", ["%s; s_nop 0; %s" % (stored(k), get(k, forms["ST"], 12)) for k in (0, 1)], "v1 v4", [(0x1234, 12, 0x1234)])
    B("ST", ["%s off, v1, off offset:12; %s v2, v4, off" % (names["store"][k], names["load"][k]) for k in (0, 1)], "v1 v4", [(0x1234, 12, 0x1234)])
    some("NULL as the scalar address", ["%s; scratch_load_dword v2, v4, null" % stored(0), "%s; scratch_load_b32 v2, v4, null" % stored(1)], "v1 v4", "v2", [(0x1234, 12, 0x1234)], W32)


def machine(m):
    for text, rows in {
        "v_mov_b32_e32 v2, src_lds_direct": [(0x20010, 0x89abcdef, 0, 0x89abcdef), (0x00011, 0x89abcdef, 0, 0xcd), (0x40011, 0x89abcdef, 0, 0xffffffcd), (0x50012, 0x89abcdef, 0, 0xffff89ab)],
        "v_add_nc_u32_e32 v2, src_lds_direct, v1": [(0x20010, 40, 2, 42)],
        "v_add_f32_e64 v2, -src_lds_direct, v1": [(0x20010, f[3], f[1], f[-2])],
    }.items():
        some("LDS_DIRECT", "ds_write_b32 v10, v0; s_waitcnt lgkmcnt(0); s_mov_b32 m0, s4; " + text, "v10 s4 v0 v1", "v2", [(16,) + r for r in rows], m.GFX10)
    some("one work-group is its cluster", "s_mov_b32 s2, ttmp6; s_getreg_b32 s3, hwreg(HW_REG_IB_STS2, 6, 4); s_mov_b32 s6, ttmp9; s_mov_b32 s7, ttmp7", "s2 s3 s6 s7", "s2 s3 s6 s7", [(9, 9, 9, 9, 0, 0, 0, 0)], ["gfx1250"])
    some("the work-group's numbers are in TTMPs", "s_mov_b32 s6, ttmp9; s_mov_b32 s7, ttmp7; s_bfe_u32 s2, ttmp8, 0x50019", "s2 s6 s7", "s2 s6 s7", [(9, 9, 9, 0, 0, 0)], m.GFX12)
    some("s_trap 3 goes on", "s_trap 3; s_mov_b32 s2, 1", "s2", "s2", [(0, 1)], W32)
    some("apertures", "s_getreg_b32 s2, hwreg(HW_REG_SH_MEM_BASES, 16, 16); s_lshl_b32 s2, s2, 16; s_mov_b64 s[4:5], src_shared_base; s_cmp_eq_u32 s2, s5; s_cselect_b32 s3, 1, 0", "s3", "s3", [(0, 1)], m.GFX9[:2] + m.GFX10 + m.GFX11)
    some("apertures", "s_getreg_b32 s2, hwreg(HW_REG_SH_MEM_BASES, 0, 16); s_lshl_b32 s2, s2, 16; s_mov_b64 s[4:5], src_private_base; s_cmp_eq_u32 s2, s5; s_cselect_b32 s3, 1, 0", "s3", "s3", [(0, 1)], m.GFX9[:2] + m.GFX10 + m.GFX11)
    for part in ("s_wait_loadcnt 0", "s_wait_storecnt 0", "s_wait_dscnt 0", "s_wait_kmcnt 0", "s_wait_samplecnt 0", "s_wait_bvhcnt 0", "s_wait_expcnt 0", "s_wait_alu 0xfffd", "s_sleep_var 1", "s_clause 0", "s_setprio 1", "s_icache_inv"):
        some("changes nothing", part + "; s_mov_b32 s3, s2", "s2 scc v0", "s3 scc v0", [(9, 1, 5, 9, 1, 5)], m.GFX12)
    for part in ("s_waitcnt 0", "s_waitcnt_vscnt null, 0", "s_waitcnt_depctr 0", "s_delay_alu 0", "s_clause 0", "s_inst_prefetch 3", "s_set_inst_prefetch_distance 3", "s_dcache_inv", "s_icache_inv"):
        some("changes nothing", part + "; s_mov_b32 s3, s2", "s2 scc v0", "s3 scc v0", [(9, 1, 5, 9, 1, 5)], W32)

# SPDX-License-Identifier: MIT
"""Modes of the machine and instructions of gfx9 that compilers do not write: VGPR indexing with modifiers, vector skip, forks,
LDS_DIRECT, scalar scratch, global wave sync, images.  Part of make_cases.py; values by hand."""

F9 = ["gfx900", "gfx906", "gfx908"]
IDX = ["gfx900", "gfx90a"]
f = {1: 0x3f800000, 2: 0x40000000, 3: 0x40400000, -1: 0xbf800000, -2: 0xc0000000, 4: 0x40800000, 0.5: 0x3f000000, 5: 0x40a00000}


def indexing(m):
    on = "s_set_gpr_idx_on s0, gpr_idx(%s); %s; s_set_gpr_idx_off"
    B = lambda what, text, ins, outs, rows: m.block("machine", on % (what, text), ins, outs, rows, IDX)
    # -v[0+2] + |v1|; the bare sum would take v0
    B("SRC0", "v_add_f32_e64 v4, -v0, |v1|", "s0 v0 v1 v2", "v4", [(2, f[1], f[-1], f[3], f[-2]), (0, f[1], f[-1], f[3], 0), (1, f[4], f[-1], f[3], f[2])])
    B("SRC1", "v_mul_f32_e64 v4, v0, v1 clamp", "s0 v0 v1 v3", "v4", [(2, f[0.5], f[0.5], f[4], f[1])])
    B("DST", "v_sub_f32_e64 v4, v0, -v1", "s0 v0 v1 v4 v6", "v4 v6", [(2, f[1], f[2], 7, 8, 7, f[3])])
    B("SRC0,DST", "v_add_u32_sdwa v4, v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_0", "s0 v0 v1 v3 v7", "v7",
      [(3, 0, 0x11, 0x00220000, 0xaabbccdd, 0xaabb33dd)])
    B("SRC2", "v_fma_f32 v4, v0, v1, -v2", "s0 v0 v1 v2 v5", "v4", [(3, f[2], f[2], f[4], f[3], f[1])])
    B("SRC0,SRC1", "v_cmp_eq_u32_e64 s[6:7], v0, v1", "s0 v0 v1 v2 v3", "s[6:7]", [(2, 1, 2, 9, 9, m.M64), (2, 1, 1, 8, 9, 0), (0, 1, 1, 8, 9, m.M64)])
    B("SRC0", "v_mov_b32_dpp v4, v0 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf", "s0 v0 v2", "v4", [(2, 5, 6, 6)])
    B("SRC0,DST", "v_mov_b32_e32 v4, v0", "s0 v0 v2 v4 v6", "v4 v6", [(2, 5, 6, 7, 8, 7, 6)])
    B("DST", "v_readfirstlane_b32 s8, v0", "s0 v0 v2", "s8", [(2, 5, 6, 5)])
    B("SRC0", "v_pk_add_u16 v4, v0, v1 op_sel_hi:[0,1]", "s0 v0 v1 v2", "v4", [(2, 9, 0x00010002, 0x00070003, 0x00040005)])


def skipping(m):
    m.block("machine", "s_setvskip s0, s1; v_mov_b32 v2, v0; ds_write_b32 v4, v0; s_mov_b32 s4, 9; s_setvskip 0, 0; v_mov_b32 v3, v0; ds_read_b32 v5, v4; s_waitcnt lgkmcnt(0)",
            "s0 s1 v0 v2 v3 v4 s4", "v2 v3 v5 s4", [(0x10, 4, 7, 1, 2, 8, 3, 1, 7, 0, 9), (0x10, 36, 7, 1, 2, 8, 3, 1, 7, 0, 9), (0xef, 4, 7, 1, 2, 12, 3, 7, 7, 7, 9)], F9)


def modes(m):
    # GPR_IDX_EN is MODE[27], VSKIP MODE[28]; M0: SRC0, v0 + 2
    block = lambda text, ins, outs, rows, targets: m.block("machine", text.rstrip("; "), ins, outs, rows, targets)
    get = "s_getreg_b32 %s, hwreg(HW_REG_MODE, 27, 2); "
    put = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, %d, %d), %d; "
    block("s_set_gpr_idx_on s0, gpr_idx(SRC0); " + get % "s2" + "s_setvskip -1, 0; " + get % "s3" + "s_set_gpr_idx_off; " + get % "s4" + "s_setvskip 0, 0; " + get % "s5",
          "s0", "s2 s3 s4 s5", [(2, 1, 3, 2, 0)], ["gfx803"] + F9 + ["gfx90a", "gfx942", "gfx950"])
    block(put % (27, 1, 1) + "v_mov_b32 v4, v0; " + put % (27, 1, 0) + "v_mov_b32 v5, v0", "m0 v0 v2 v4 v5", "v4 v5", [(0x1002, 5, 6, 1, 1, 6, 5)], ["gfx803"] + IDX)
    block("s_setreg_b32 hwreg(HW_REG_MODE, 27, 1), s2; v_mov_b32 v4, v0; s_set_gpr_idx_off; v_mov_b32 v5, v0", "m0 s2 v0 v2 v4 v5", "v4 v5",
          [(0x1002, 1, 5, 6, 1, 1, 6, 5), (0x1002, 2, 5, 6, 1, 1, 5, 5)], IDX)
    block("s_set_gpr_idx_on s0, gpr_idx(SRC0); " + put % (27, 1, 0) + "v_mov_b32 v4, v0", "s0 v0 v2 v4", "v4", [(2, 5, 6, 1, 5)], IDX)
    block(put % (28, 1, 1) + "v_mov_b32 v4, v0; s_mov_b32 s2, 3; " + put % (28, 1, 0) + "v_mov_b32 v5, v0", "v0 v4 v5 s2", "v4 v5 s2", [(5, 1, 1, 1, 1, 5, 3)], F9)
    block("s_setvskip -1, 0; " + put % (28, 1, 0) + "v_mov_b32 v4, v0", "v0 v4", "v4", [(5, 1, 5)], F9)
    # other bits of MODE on gfx10
    block(put % (27, 2, 3) + "v_mov_b32 v4, v0; " + get % "s2" + put % (27, 2, 0), "m0 v0 v2 v4 s2", "v4 s2", [(0x1002, 5, 6, 1, 0, 5, 3)], ["gfx1030"])


def forking(m):
    # the smaller side first: 4 lanes jump, 60 wait in s[0:3]; then 4 fall through, 60 wait
    i = "s_mov_b32 s20, 0; s_cbranch_i_fork s[4:5], 2; v_mov_b32 v2, 1; s_branch 1; v_mov_b32 v2, 2; s_cbranch_join s20"
    few, many = 0xf, m.M64 & ~0xf
    m.block("machine", i, "s[4:5] v2", "v2@0 v2@3 v2@4 v2@63 exec s[0:1]", [(few, 0, 2, 2, 1, 1, many, many), (many, 0, 1, 1, 2, 2, many, many)], F9)
    m.block("machine", i, "s[4:5] v2", "v2@0 v2@63 exec", [(m.M64, 0, 2, 2, m.M64), (0, 0, 1, 1, m.M64)], F9)
    g = ("s_getpc_b64 s[8:9]; s_add_u32 s8, s8, 20; s_addc_u32 s9, s9, 0; s_cbranch_g_fork s[4:5], s[8:9]; v_mov_b32 v2, 1; s_branch 1; "
         "v_mov_b32 v2, 2; s_cbranch_join s20")
    m.block("machine", "s_mov_b32 s20, 0; " + g, "s[4:5] v2", "v2@0 v2@4 exec", [(few, 0, 2, 1, many), (m.M64, 0, 2, 2, m.M64)], F9)
    m.block("machine", "s_cbranch_cdbguser 1; s_mov_b32 s4, 1; s_cbranch_cdbgsys 1; s_mov_b32 s5, 2; s_cbranch_cdbgsys_or_user 1; s_cbranch_cdbgsys_and_user 0",
            "s4 s5", "s4 s5", [(0, 0, 1, 2)], F9)


def direct(m):
    for text, rows in {
        "v_mov_b32_e32 v2, src_lds_direct": [(0x20010, 0x89abcdef, 0, 0x89abcdef), (0x00011, 0x89abcdef, 0, 0xcd), (0x40011, 0x89abcdef, 0, 0xffffffcd),
                                            (0x10012, 0x89abcdef, 0, 0x89ab), (0x50012, 0x89abcdef, 0, 0xffff89ab), (0x2fffe, 5, 0, 0)],
        "v_add_u32_e32 v2, src_lds_direct, v1": [(0x20010, 40, 2, 42)],
        "v_add_f32_e64 v2, -src_lds_direct, v1": [(0x20010, f[3], f[1], f[-2])],
    }.items():
        m.block("machine", "ds_write_b32 v10, v0; s_waitcnt lgkmcnt(0); s_mov_b32 m0, s4; " + text, "v10 s4 v0 v1", "v2", [(16,) + r for r in rows], F9)


def scratch(m):
    # offsets times 64
    m.block("machine", "s_scratch_load_dword s6, s[4:5], 0x4", "s[4:5] mem100", "s6", [("@0", 0xdeadbeef, 0xdeadbeef)], F9)
    m.block("machine", "s_scratch_load_dwordx2 s[6:7], s[4:5], s8", "s[4:5] s8 mem200 mem204", "s[6:7]", [("@0", 8, 1, 2, 0x200000001)], F9)
    m.block("machine", "s_scratch_load_dwordx4 s[12:15], s[4:5], 0x4", "s[4:5] mem100 mem104 mem108 mem10c", "s[12:15]", [("@0", 1, 2, 3, 4, 0x4000000030000000200000001)], F9)
    m.block("machine", "s_scratch_store_dword s6, s[4:5], 0x8", "s[4:5] s6", "mem200", [("@0", 0x12345678, 0x12345678)], F9)
    m.block("machine", "s_scratch_store_dwordx2 s[6:7], s[4:5], 0x8", "s[4:5] s[6:7]", "mem200 mem204", [("@0", 0x1122334455667788, 0x55667788, 0x11223344)], F9)
    m.block("machine", "s_scratch_store_dwordx4 s[12:15], s[4:5], 0x4", "s[4:5] s[12:15]", "mem100 mem10c", [("@0", 0x4000000030000000200000001, 1, 4)], F9)
    m.block("machine", "s_atc_probe 7, s[4:5], 0x64; s_atc_probe_buffer 7, s[8:11], 0x64; s_mov_b32 s6, 1", "s[4:5] s6", "s6", [("@0", 0, 1)], F9)


def sync(m):
    m.block("machine", "s_mov_b32 m0, 0x20000; ds_gws_init v0 gds; ds_gws_sema_p gds; ds_gws_sema_p gds; ds_gws_sema_v gds; ds_gws_sema_p gds; ds_gws_sema_br v0 gds; "
            "ds_gws_sema_p gds; ds_gws_init v1 offset:3 gds; ds_gws_barrier v1 offset:3 gds; v_mov_b32 v2, v0", "v0 v1 v2", "v2", [(2, 0, 9, 2)], F9)
    m.block("machine", "s_mov_b32 m0, 0; ds_gws_init v0 gds; ds_gws_sema_release_all gds; v_mov_b32 v2, v0", "v0 v2", "v2", [(2, 9, 2)], F9)


# ---- images ---------------------------------------------------------------------
def descriptor(fmt, number, width, height, kind, depth=1, pitch=None, first=0, sel=0xfac, levels=1):
    """SGPRs s[8:15] from the address in s[4:5]; sel: x, y, z, w in place."""
    pitch = pitch or width
    words = {9: fmt << 20 | number << 26, 10: width - 1 | height - 1 << 14, 11: sel | levels - 1 << 16 | kind << 28, 12: depth - 1 | pitch - 1 << 13, 13: first, 14: 0, 15: 0}
    return "s_lshr_b64 s[8:9], s[4:5], 8; s_or_b32 s9, s9, 0x%x; " % words.pop(9) + "; ".join("s_mov_b32 s%d, 0x%x" % (r, w) for r, w in words.items()) + "; "


def images(m):
    T = ["gfx900", "gfx90a"]
    wait = "; s_waitcnt vmcnt(0)"
    B = lambda d, text, ins, outs, rows, t=T: m.block("machine", d + text + wait, "s[4:5] " + ins, outs, [("@0",) + r for r in rows], t)
    four, one = descriptor(10, 4, 4, 3, 9, pitch=16), descriptor(4, 4, 8, 1, 8)
    # 8_8_8_8 uint, 4 x 3, 16 texels a line: texel (1, 2) at (2 * 16 + 1) * 4 = 0x84
    B(four, "image_load v[20:23], v[0:1], s[8:15] dmask:0xf unorm", "v0 v1 mem84", "v20 v21 v22 v23",
      [(1, 2, 0x44332211, 0x11, 0x22, 0x33, 0x44), (4, 2, 0, 0, 0, 0, 0), (1, 3, 0, 0, 0, 0, 0), (0xffffffff, 0, 0, 0, 0, 0, 0)])
    B(four, "image_load v[20:21], v[0:1], s[8:15] dmask:0xa unorm", "v0 v1 v22 mem84", "v20 v21 v22", [(1, 2, 9, 0x44332211, 0x22, 0x44, 9)])
    # selectors: x = w, y = 0, z = 1, w = x
    B(descriptor(10, 4, 4, 3, 9, pitch=16, sel=7 | 0 << 3 | 1 << 6 | 4 << 9), "image_load v[20:23], v[0:1], s[8:15] dmask:0xf unorm", "v0 v1 mem84", "v20 v21 v22 v23",
      [(1, 2, 0x44332211, 0x44, 0, 1, 0x11)])
    # unorm: 51/255 = 0.2, 255/255, 0; snorm -127 and -128 are -1; a missing component is 1
    B(descriptor(10, 0, 4, 3, 9, pitch=16), "image_load v[20:23], v[0:1], s[8:15] dmask:0xf unorm", "v0 v1 mem84", "v20 v21 v22 v23", [(1, 2, 0x00ff3300, 0, 0x3e4ccccd, f[1], 0)])
    B(descriptor(3, 1, 4, 3, 9, pitch=16), "image_load v[20:23], v[0:1], s[8:15] dmask:0xf unorm", "v0 v1 mem40", "v20 v21 v22 v23", [(0, 2, 0x8081, f[-1], f[-1], 0, f[1])])
    B(descriptor(11, 7, 4, 3, 9, pitch=4), "image_load v[20:21], v[0:1], s[8:15] dmask:0x3 unorm", "v0 v1 mem28 mem2c", "v20 v21", [(1, 1, f[3], f[-2], f[3], f[-2])])
    B(descriptor(12, 7, 4, 3, 9, pitch=4), "image_load v[20:21], v[0:1], s[8:15] dmask:0xf unorm d16", "v0 v1 mem28 mem2c", "v20 v21", [(1, 1, 0x3c004000, 0x42004400, 0x3c004000, 0x42004400)])
    B(descriptor(10, 0, 4, 3, 9, pitch=16), "image_load v[20:21], v[0:1], s[8:15] dmask:0x1 unorm tfe", "v0 v1 v21 mem84", "v20 v21", [(1, 2, 77, 0xff, f[1], 0)], ["gfx900"])
    B(one, "image_load v20, v0, s[8:15] dmask:0x1 unorm", "v0 mem14", "v20", [(5, 0x1234, 0x1234), (8, 0, 0)])
    # 1D array and 2D array: slices from the first on; 3D
    B(descriptor(4, 4, 8, 1, 12, depth=4, first=1), "image_load v20, v[0:1], s[8:15] dmask:0x1 unorm da", "v0 v1 mem44", "v20", [(1, 1, 7, 7), (1, 3, 0, 0)])
    B(descriptor(4, 4, 8, 2, 13, depth=4, first=1), "image_load v20, v[0:2], s[8:15] dmask:0x1 unorm da", "v0 v1 v2 mema4", "v20", [(1, 1, 1, 7, 7), (1, 1, 3, 0, 0)])
    B(descriptor(4, 4, 8, 2, 10, depth=4), "image_load v20, v[0:2], s[8:15] dmask:0x1 unorm", "v0 v1 v2 mema4", "v20", [(1, 1, 2, 7, 7), (1, 1, 4, 0, 0)])
    B(descriptor(4, 4, 8, 2, 11, depth=6), "image_load v20, v[0:2], s[8:15] dmask:0x1 unorm da", "v0 v1 v2 mema4", "v20", [(1, 1, 2, 7, 7), (1, 1, 6, 0, 0)])
    B(four, "image_load v20, v0, s[8:15] dmask:0x1 unorm a16", "v0 mem84", "v20", [(0x00020001, 0x99, 0x99)])
    B(four, "image_load_mip v20, v[0:2], s[8:15] dmask:0x1 unorm", "v0 v1 v2 mem84", "v20", [(1, 2, 0, 0x99, 0x99), (1, 2, 1, 0, 0)])
    B(four, "image_load_pck v20, v[0:1], s[8:15] dmask:0x1 unorm", "v0 v1 mem84", "v20", [(1, 2, 0x44332211, 0x44332211)])
    half = descriptor(2, 4, 8, 1, 8)
    B(half, "image_load_pck_sgn v20, v0, s[8:15] dmask:0x1 unorm", "v0 mem4", "v20", [(2, 0x00018001, 0xffff8001)])
    B(half, "image_load_mip_pck v20, v[0:1], s[8:15] dmask:0x1 unorm", "v0 v1 mem4", "v20", [(2, 0, 0x00018001, 0x8001)])
    B(half, "image_load_mip_pck_sgn v20, v[0:1], s[8:15] dmask:0x1 unorm", "v0 v1 mem4", "v20", [(2, 0, 0x00018001, 0xffff8001)])
    # stores: unorm 0.5 of 255 is 127.5, to even 128; 2.0 and -1.0 are clamped; components without data are 0
    B(descriptor(10, 0, 4, 3, 9, pitch=16), "image_store v[20:23], v[0:1], s[8:15] dmask:0xf unorm", "v0 v1 v20 v21 v22 v23", "mem84 mem80",
      [(1, 2, f[0.5], f[2], f[-1], f[1], 0xff00ff80, "*"), (9, 0, f[1], f[1], f[1], f[1], 0xff00ff80, "*")])
    B(four, "image_store v20, v[0:1], s[8:15] dmask:0x2 unorm", "v0 v1 v20", "mem84", [(1, 2, 300, 0xff00)])
    B(descriptor(12, 7, 4, 3, 9, pitch=4), "image_store v[20:21], v[0:1], s[8:15] dmask:0xf unorm d16", "v0 v1 v20 v21", "mem28 mem2c", [(1, 1, 0x3c004000, 0x42004400, 0x3c004000, 0x42004400)])
    B(four, "image_store_mip v20, v[0:2], s[8:15] dmask:0x1 unorm", "v0 v1 v2 v20", "mem84", [(1, 2, 0, 0x99, 0x99), (1, 2, 1, 0x77, 0x99)])
    B(four, "image_store_pck v20, v[0:1], s[8:15] dmask:0x1 unorm", "v0 v1 v20", "mem84", [(1, 2, 0x44332211, 0x44332211)])
    B(four, "image_store_mip_pck v20, v[0:2], s[8:15] dmask:0x1 unorm", "v0 v1 v2 v20", "mem84", [(1, 2, 0, 0x44332211, 0x44332211)])
    B(descriptor(4, 4, 8, 2, 13, depth=4, first=1, levels=3), "image_get_resinfo v[20:23], v0, s[8:15] dmask:0xf unorm", "v0", "v20 v21 v22 v23", [(0, 8, 2, 3, 3), (1, 4, 1, 3, 3), (3, 0, 0, 0, 3)])
    # atomics: one lane, so that the old value is that of the memory
    lane = "s_mov_b64 exec, 1; "
    ops = {"swap": (5, 9, 9), "add": (5, 9, 14), "sub": (5, 9, m.M32 - 3), "smin": (5, 0xfffffff9, 0xfffffff9), "umin": (5, 0xfffffff9, 5), "smax": (5, 0xfffffff9, 5),
           "umax": (5, 0xfffffff9, 0xfffffff9), "and": (0xc, 0xa, 8), "or": (0xc, 0xa, 0xe), "xor": (0xc, 0xa, 6), "inc": (5, 5, 0), "dec": (0, 7, 7)}
    for name, (old, data, new) in ops.items():
        B(lane + one, "image_atomic_%s v20, v0, s[8:15] dmask:0x1 unorm glc" % name, "v0 v20 mem14", "v20@0 mem14", [(5, data, old, old, new)])
        B(lane + one, "image_atomic_%s v20, v0, s[8:15] dmask:0x1 unorm" % name, "v0 v20 mem14", "v20@0 mem14", [(5, data, old, data, new), (8, data, new, data, new)])
        B(lane + descriptor(11, 4, 8, 1, 8), "image_atomic_%s v[20:21], v0, s[8:15] dmask:0x3 unorm glc" % name, "v0 v[20:21] mem18 mem1c", "v20@0 v21@0 mem18 mem1c",
          [(3, wide(name, data), old, 0, old, 0) + split(wide_new(name, old, data, new))])
    B(lane + one, "image_atomic_cmpswap v[20:21], v0, s[8:15] dmask:0x3 unorm glc", "v0 v[20:21] mem14", "v20@0 mem14", [(5, 5 << 32 | 9, 5, 5, 9), (5, 5 << 32 | 7, 9, 9, 9)])
    B(lane + descriptor(11, 4, 8, 1, 8), "image_atomic_cmpswap v[20:23], v0, s[8:15] dmask:0xf unorm glc", "v0 v[20:23] mem18 mem1c", "v20@0 v21@0 mem18 mem1c",
      [(3, (6 << 32 | 5) << 64 | 8 << 32 | 9, 5, 6, 5, 6, 9, 8)])


def wide(name, data):
    """The same operand in 64 bits: signed ones extended."""
    return data | 0xffffffff00000000 if name in ("smin", "smax", "umin", "umax") and data >> 31 else data


def wide_new(name, old, data, new):
    if name == "sub":
        return (old - data) & (1 << 64) - 1
    return wide(name, data) if name in ("smin", "umax") else new


def split(v):
    return (v & 0xffffffff, v >> 32)


def make(m):
    m.block("machine", "v_mfma_ld_scale_b32 v0, v1; v_mov_b32 v2, v0", "v0 v1 v2", "v0 v1 v2", [(5, 6, 7, 5, 6, 5)], ["gfx950"])
    indexing(m)
    skipping(m)
    modes(m)
    forking(m)
    direct(m)
    scratch(m)
    sync(m)
    images(m)

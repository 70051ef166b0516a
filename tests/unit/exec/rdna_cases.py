# SPDX-License-Identifier: MIT
"""What gfx10 and later do their own way: wave32, NULL, halves, registers above 255.  Values by hand."""


def make(m):
    wave32(m)
    msb(m)
    barriers(m)
    transposed(m)


def one(m, file, title, asm, ins, outs, rows, targets, **more):
    m.block(file, asm if isinstance(asm, (list, tuple)) else [asm], ins, outs, rows, targets, title=title, **more)


# ---- wave32 ----------------------------------------------------------------------
def wave32(m):
    W = "wave32"
    w32 = m.GFX10 + m.GFX11 + m.GFX12
    w64 = m.W64
    one(m, W, "VCC_HI is an ordinary SGPR", "v_cmp_eq_u32_e32 vcc_lo, v0, v1", "v0 v1 vcc", "vcc",
        [(1, 1, 0x1234567800000000, 0x12345678ffffffff), (1, 2, 0x12345678ffffffff, 0x1234567800000000)], w32)
    one(m, W, "VCC_HI is an ordinary SGPR", "v_add_co_ci_u32_e32 v2, vcc_lo, v0, v1, vcc_lo", "v0 v1 vcc", "v2 vcc",
        [(0xffffffff, 0, 0x55aa000000000001, "*", 0x55aa000000000001), ], w32)
    one(m, W, "VCC_HI is an ordinary SGPR", "s_mov_b32 vcc_hi, s2; s_add_u32 s3, vcc_hi, s2; v_mov_b32_e32 v0, vcc_hi", "s2 vcc", "s3 vcc v0",
        [(0x11, 0, 0x22, 0x1100000000, 0x11)], w32)
    one(m, W, "VCCZ looks at 32 bits", "v_cmp_ne_u32_e32 vcc_lo, v0, v0; s_mov_b32 s2, 1; s_cbranch_vccz 1; s_mov_b32 s2, 2", "v0 vcc", "s2",
        [(3, 0x5500000000, 1)], w32)
    one(m, W, "EXECZ looks at 32 bits", "s_mov_b32 exec_hi, -1; s_mov_b32 exec_lo, 0; s_mov_b32 s2, 1; s_cbranch_execz 1; s_mov_b32 s2, 2", "s2", "s2",
        [(0, 1)], w32)
    one(m, W, "compares clear the bits of lanes that are off", "v_cmp_eq_u32_e64 s2, v0, v1", "v0 v1 s2 exec", "s2",
        [(4, 4, 0xffffffff, 0x00ff00f0, 0x00ff00f0), (4, 5, 0xffffffff, 0x00ff00f0, 0)], w32)
    one(m, W, "compares clear the bits of lanes that are off", "v_cmp_eq_u32_e64 s[2:3], v0, v1", "v0 v1 s[2:3] exec", "s[2:3]",
        [(4, 4, m.M64, 0xf000000f00ff00f0, 0xf000000f00ff00f0), (4, 5, m.M64, 0xf0000000000000f0, 0)], w64)
    one(m, W, "carries of lanes that are off are 0", "v_add_co_u32 v2, s2, v0, v1", "v0 v1 s2 exec", "s2",
        [(0xffffffff, 1, 0xffffffff, 0x10203, 0x10203), (1, 1, 0xffffffff, 0x10203, 0)], w32)
    one(m, W, "a mask in wave32 is one register", "v_cmp_eq_u32_e64 s2, v0, v1", "v0 v1 s2 s3", "s2 s3",
        [(1, 1, 0, 0x777, 0xffffffff, 0x777)], w32)
    one(m, W, "v_cmpx writes EXEC only", "v_cmpx_gt_u32_e32 v0, v1", "v0 v1 exec vcc s2", "exec vcc",
        [(2, 1, 0xf0, 0x1234, 0, 0xf0, 0x1234), (1, 2, 0xf0, 0x1234, 0, 0, 0x1234)], w32 + w64)
    one(m, W, "v_cmpx writes EXEC only", "v_cmpx_class_f32_e64 v0, v1", "v0 v1 exec vcc", "exec vcc",
        [(0x3f800000, 0x100, 0x3c, 0x99, 0x3c, 0x99), (0x3f800000, 0x200, 0x3c, 0x99, 0, 0x99)], w32 + w64)
    one(m, W, "v_cmpx leaves EXEC_HI alone", "v_cmpx_gt_u32_e32 v0, v1; s_mov_b32 s2, exec_hi", "v0 v1 exec", "s2",
        [(2, 1, 0xabcd0000000f, 0xabcd)], w32)
    # 16 lanes in a row, in both sizes: v_mbcnt makes each lane's number
    lane = "v_mbcnt_lo_u32_b32 v1, -1, 0; "
    lane64 = "v_mbcnt_lo_u32_b32 v1, -1, 0; v_mbcnt_hi_u32_b32 v1, -1, v1; "
    for pre, targets in ((lane, w32), (lane64, w64)):
        one(m, W, "DPP rows end at 16", pre + "v_mov_b32_dpp v2, v1 row_shr:1 row_mask:0xf bank_mask:0xf", "v2", "v2@0 v2@1 v2@15 v2@16 v2@17 v2@31",
            [(0x77, 0x77, 0, 14, 0x77, 16, 30)], targets)
        one(m, W, "DPP rows end at 16", pre + "v_mov_b32_dpp v2, v1 row_shl:3 row_mask:0xf bank_mask:0xf bound_ctrl:1", "v2", "v2@0 v2@12 v2@13 v2@15 v2@16 v2@28 v2@29",
            [(0x77, 3, 15, 0, 0, 19, 31, 0)], targets)
        one(m, W, "DPP rows end at 16", pre + "v_mov_b32_dpp v2, v1 row_ror:1 row_mask:0xf bank_mask:0xf", "v2", "v2@0 v2@1 v2@15 v2@16 v2@31",
            [(0x77, 15, 0, 14, 31, 30)], targets)
        one(m, W, "DPP rows end at 16", pre + "v_mov_b32_dpp v2, v1 row_share:5 row_mask:0xf bank_mask:0xf", "v2", "v2@0 v2@15 v2@16 v2@31",
            [(0x77, 5, 5, 21, 21)], targets)
        one(m, W, "DPP rows end at 16", pre + "v_mov_b32_dpp v2, v1 row_xmask:6 row_mask:0xf bank_mask:0xf", "v2", "v2@0 v2@7 v2@15 v2@16 v2@31",
            [(0x77, 6, 1, 9, 22, 25)], targets)
        one(m, W, "DPP row_mask has a bit for 16 lanes", pre + "v_mov_b32_dpp v2, v1 row_ror:0 row_mask:0x2 bank_mask:0xf".replace("row_ror:0", "quad_perm:[0,1,2,3]"), "v2",
            "v2@0 v2@15 v2@16 v2@31", [(0x77, 0x77, 0x77, 16, 31)], targets)
    # lane 0 off: its value is not read unless fi is set
    one(m, W, "DPP16 without fi keeps the destination where the source lane is off", lane + "s_mov_b32 exec_lo, 0xfffffffe; v_mov_b32_dpp v2, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf",
        "v2", "v2@1 v2@3 v2@4 v2@7", [(0x77, 0x77, 0x77, 4, 4)], w32)
    one(m, W, "DPP16 without fi and with bound_ctrl gives 0 where the source lane is off",
        lane + "s_mov_b32 exec_lo, 0xfffffffe; v_add_nc_u32_dpp v2, v1, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1",
        "v2", "v2@0 v2@1 v2@3 v2@4 v2@7", [(0x77, 0x77, 1, 3, 8, 11)], w32)
    one(m, W, "DPP16 with fi reads lanes that are off", "v_mbcnt_lo_u32_b32 v1, -1, 9; s_mov_b32 exec_lo, 0xfffffffe; v_mov_b32_dpp v2, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf fi:1",
        "v2", "v2@0 v2@1 v2@3 v2@4", [(0x77, 0x77, 9, 9, 13)], w32)
    one(m, W, "DPP8 without fi gives 0 for lanes that are off", "v_mbcnt_lo_u32_b32 v1, -1, 9; s_mov_b32 exec_lo, 0xfffffffe; v_mov_b32_dpp v2, v1 dpp8:[7,6,5,4,3,2,1,0]",
        "v2", "v2@0 v2@1 v2@6 v2@7 v2@8 v2@15", [(0x77, 0x77, 15, 10, 0, 24, 17)], w32)
    one(m, W, "DPP8 with fi reads lanes that are off", "v_mbcnt_lo_u32_b32 v1, -1, 9; s_mov_b32 exec_lo, 0xfffffffe; v_mov_b32_dpp v2, v1 dpp8:[7,6,5,4,3,2,1,0] fi:1",
        "v2", "v2@0 v2@1 v2@6 v2@7 v2@8 v2@15", [(0x77, 0x77, 15, 10, 9, 24, 17)], w32)
    # lane i asks for lane i ^ 32
    cross = lane64 + "v_xor_b32_e32 v3, 32, v1; v_lshlrev_b32_e32 v3, 2, v3; ds_bpermute_b32 v2, v3, v1; s_waitcnt lgkmcnt(0)"
    one(m, W, "ds_bpermute stays within 32 lanes", cross, "v2", "v2@0 v2@31 v2@32 v2@63", [(0, 0, 31, 32, 63)], ["gfx1030-w64", "gfx1100-w64"])
    one(m, W, "ds_bpermute crosses the halves", cross.replace("s_waitcnt lgkmcnt(0)", "s_wait_dscnt 0x0"), "v2", "v2@0 v2@31 v2@32 v2@63", [(0, 32, 63, 0, 31)], ["gfx1200-w64"])
    one(m, W, "ds_bpermute crosses the halves", cross, "v2", "v2@0 v2@31 v2@32 v2@63", [(0, 32, 63, 0, 31)], m.GFX9)
    # NULL
    one(m, W, "SGPR NULL reads as 0", "s_add_u32 s2, s3, null; s_mov_b64 s[4:5], null; v_mov_b32_e32 v0, null", "s3 s[4:5] v0", "s2 s[4:5] v0",
        [(7, 0x1234, 5, 7, 0, 0)], w32 + w64)
    one(m, W, "SGPR NULL swallows what is written", "s_mov_b32 null, s2; s_add_u32 s3, null, 1; s_mov_b64 null, s[4:5]; s_or_b32 s6, null, null", "s2 s[4:5]", "s3 s6",
        [(7, m.M64, 1, 0)], w32 + w64)
    one(m, W, "SGPR NULL swallows masks and carries", "v_cmp_eq_u32_e64 null, v0, v0; v_add_co_u32 v2, null, v0, v1; s_mov_b32 s2, null", "v0 v1 vcc exec", "v2 s2 vcc exec",
        [(3, 4, 0x55, 0xff, 7, 0, 0x55, 0xff)], w32)
    one(m, W, "SGPR NULL swallows masks and carries", "v_cmp_eq_u32_e64 null, v0, v0; v_add_co_u32 v2, null, v0, v1; s_mov_b64 s[2:3], null", "v0 v1 vcc exec", "v2 s[2:3] vcc exec",
        [(3, 4, 0x55, 0xff, 7, 0, 0x55, 0xff)], w64)
    # 16-bit results
    for op, rows in (("v_add_f16", [(0x3c00, 0x4000, 0xaaaa5555, 0x4200)]), ("v_sub_f16", [(0x4000, 0x3c00, 0xaaaa5555, 0x3c00)]),
                     ("v_max_f16", [(0x4000, 0x3c00, 0xaaaa5555, 0x4000)]), ("v_ldexp_f16", [(0x3c00, 1, 0xaaaa5555, 0x4000)])):
        names = [op + "_e32 v2, v0, v1", op + "_e32 v2.l, v0.l, v1.l", op.replace("max", "max_num") + "_e32 v2, v0, v1", op.replace("max", "max_num") + "_e32 v2.l, v0.l, v1.l"]
        one(m, W, "16-bit results keep the upper half", names, "v0 v1 v2", "v2", [r[:3] + (0xaaaa0000 | r[3],) for r in rows], w32)
        one(m, W, "16-bit results clear the upper half", names[:1], "v0 v1 v2", "v2", rows, m.GFX8 + m.GFX9)
    for op, rows in (("v_mul_lo_u16", [(0x1234, 3, 0xaaaa5555, 0x369c)]), ("v_max_u16", [(1, 2, 0xaaaa5555, 2)]), ("v_lshlrev_b16", [(4, 0x1234, 0xaaaa5555, 0x2340)])):
        names = [op + "_e64 v2, v0, v1", op + " v2, v0, v1", op + " v2.l, v0.l, v1.l"]
        one(m, W, "16-bit results keep the upper half", names[1:], "v0 v1 v2", "v2", [r[:3] + (0xaaaa0000 | r[3],) for r in rows], w32)
        one(m, W, "16-bit results clear the upper half", names[:1], "v0 v1 v2", "v2", rows, m.GFX8 + m.GFX9)
    # EXEC_LO as a mask destination and as what scalar instructions write
    one(m, W, "mask writes of EXEC_LO", "v_cmp_eq_u32_e64 exec_lo, v0, v1; v_mov_b32_e32 v2, 9; s_mov_b32 s2, exec_lo", "v0 v1 v2 exec", "s2 v2@0 v2@4 v2@31",
        [(5, 5, 1, 0xf0, 0xf0, 1, 9, 1), (5, 6, 1, 0xf0, 0, 1, 1, 1)], w32)
    one(m, W, "mask writes of EXEC_LO", "s_and_saveexec_b32 s2, s3; v_mov_b32_e32 v2, 9; s_mov_b32 s4, exec_lo", "s3 v2 exec", "s2 s4 v2@0 v2@4 v2@31",
        [(0x10, 1, 0xf0, 0xf0, 0x10, 1, 9, 1)], w32)
    one(m, W, "mask writes of EXEC_LO", "s_bitset0_b32 exec_lo, 0; v_mov_b32_e32 v2, 9; s_mov_b32 s4, exec_lo", "v2 exec", "s4 v2@0 v2@1 v2@31",
        [(1, 0x3, 0x2, 1, 9, 1)], w32)
    one(m, W, "mask writes of EXEC_LO", "s_wqm_b32 exec_lo, exec_lo; v_mov_b32_e32 v2, 9", "v2 exec", "v2@3 v2@4 v2@7 v2@8", [(1, 0x20, 1, 9, 9, 1)], w32)
    one(m, W, "EXEC_HI is an ordinary SGPR", "s_mov_b32 exec_hi, s2; v_mov_b32_e32 v2, exec_hi; s_mov_b32 s3, exec_hi", "s2 v2", "v2 s3", [(0x123, 1, 0x123, 0x123)], w32)
    one(m, W, "v_readfirstlane of no lane reads lane 0", lane + "v_add_nc_u32_e32 v1, 40, v1; s_mov_b32 exec_lo, 0; v_readfirstlane_b32 s2, v1", "s2", "s2", [(0, 40)], w32)
    one(m, W, "v_readlane takes 5 bits of the lane in wave32", lane + "v_readlane_b32 s2, v1, s3", "s3", "s2", [(37, 5), (31, 31)], w32)
    one(m, W, "v_readlane takes 6 bits of the lane in wave64", lane64 + "v_readlane_b32 s2, v1, s3", "s3", "s2", [(37, 37), (101, 37)], w64)


# ---- registers above 255 (gfx1250) ---------------------------------------------------
def msb(m):
    V, t = "vgpr_msb", ["gfx1250"]
    off = "; s_set_vgpr_msb 0"

    def case(title, asm, ins, outs, rows):
        one(m, V, title, asm + off, ins, outs, rows, t)
    case("destination, then source 0", "s_set_vgpr_msb 0x40; v_mov_b32_e32 v3, v0; s_set_vgpr_msb 1; v_add_nc_u32_e32 v4, v3, v1", "v0 v1 v3", "v3 v4 v259", [(7, 5, 1, 1, 12, 7)])
    case("source 1 and 2 and the last register", "s_set_vgpr_msb 0xc0; v_mov_b32_e32 v255, v0; v_mov_b32_e32 v254, v1; s_set_vgpr_msb 0x3c; v_mad_u32_u24 v2, v0, v255, v254", "v0 v1", "v2 v1023",
         [(7, 5, 54, 7)])
    case("each operand its own bits", "s_set_vgpr_msb 0x40; v_mov_b32_e32 v9, v0; s_set_vgpr_msb 0x80; v_mov_b32_e32 v9, v1; s_set_vgpr_msb 0xc0; v_mov_b32_e32 v9, v2; "
         "s_set_vgpr_msb 0x39; v_mad_u32_u24 v3, v9, v9, v9", "v0 v1 v2", "v3", [(3, 5, 1000, 1015)])
    case("a literal takes source 0's place, the third source keeps its own", "s_set_vgpr_msb 0x40; v_mov_b32_e32 v9, v0; s_set_vgpr_msb 0x10; v_fmamk_f32 v3, v1, 0x40000000, v9", "v0 v1", "v3",
         [(0x3f800000, 0x40400000, 0x40e00000)])
    case("v_fmac reads its destination above", "s_set_vgpr_msb 0x40; v_mov_b32_e32 v9, v0; v_fmac_f32_e32 v9, v1, v1; s_set_vgpr_msb 1; v_mov_b32_e32 v3, v9", "v0 v1", "v3", [(0x3f800000, 0x40400000, 0x41200000)])
    case("64-bit registers", "s_set_vgpr_msb 0x80; v_lshlrev_b64_e32 v[8:9], 4, v[0:1]; s_set_vgpr_msb 0x20; v_mad_nc_u64_u32 v[2:3], v0, v1, v[8:9]", "v0 v1", "v[2:3]", [(2, 3, 0x3000000026)])
    case("both halves of a dual instruction", "s_set_vgpr_msb 0x40; v_dual_mov_b32 v4, v0 :: v_dual_mov_b32 v5, v1; s_set_vgpr_msb 5; v_dual_add_f32 v2, v4, v5 :: v_dual_mul_f32 v3, v4, v5", "v0 v1", "v2 v3", [(0x40400000, 0x40000000, 0x40a00000, 0x40c00000)])
    case("DPP", "v_mbcnt_lo_u32_b32 v1, -1, 0; s_set_vgpr_msb 0x40; v_mov_b32_e32 v4, v1; s_set_vgpr_msb 1; v_mov_b32_dpp v2, v4 row_shr:1 row_mask:0xf bank_mask:0xf", "v2", "v2@0 v2@1 v2@31", [(0x77, 0x77, 0, 30)])
    case("v_readlane, v_writelane", "s_set_vgpr_msb 0x40; v_mov_b32_e32 v4, v0; v_writelane_b32 v4, s2, 3; s_set_vgpr_msb 1; v_readlane_b32 s3, v4, 3; v_readlane_b32 s4, v4, 4", "v0 s2", "s3 s4", [(8, 99, 99, 8)])
    case("memory: address, data and result", "s_set_vgpr_msb 0x40; v_mov_b32_e32 v8, v0; v_mov_b32_e32 v9, v1; v_mov_b32_e32 v10, v2; s_set_vgpr_msb 0x85; global_store_b32 v[8:9], v10, off; global_load_b32 v11, v[8:9], off",
         "v[0:1] v2", "mem10 v523", [("@10", 0xdeadbeef, 0xdeadbeef, 0xdeadbeef)])
    case("LDS: address, two data registers", "s_set_vgpr_msb 0xd0; v_mov_b32_e32 v8, v1; s_set_vgpr_msb 0x30; ds_store_2addr_b32 v0, v2, v8 offset1:1; s_set_vgpr_msb 0x40; ds_load_b64 v[8:9], v0; "
         "s_set_vgpr_msb 1; v_mov_b32_e32 v3, v9", "v0 v1 v2", "v3 v264", [(0x40, 5, 6, 5, 6)])
    # the same address once with the bits clear, once with them set
    case("a branch back to an instruction that ran with other bits",
         "s_mov_b32 s2, 0; v_add_nc_u32_e32 v1, v0, v1; s_cmp_eq_u32 s2, 1; s_cbranch_scc1 3; s_mov_b32 s2, 1; s_set_vgpr_msb 0x40; s_branch -6", "v0 v1", "v1 v257", [(3, 4, 7, 10)])
    case("a function called with two settings",
         "s_call_i64 s[8:9], 4; s_set_vgpr_msb 0x40; s_call_i64 s[8:9], 2; s_set_vgpr_msb 0; s_branch 2; v_add_nc_u32_e32 v1, v0, v1; s_set_pc_i64 s[8:9]", "v0 v1", "v1 v257", [(3, 4, 7, 10)])
    case("s_getreg of MODE shows them", "s_set_vgpr_msb 0xe4; s_getreg_b32 s2, hwreg(HW_REG_WAVE_MODE, 12, 8); s_set_vgpr_msb 0x1b40; s_getreg_b32 s3, hwreg(HW_REG_WAVE_MODE, 12, 8)", "s4", "s2 s3", [(0, 0x93, 1)])
    case("s_setreg of any field of MODE sets them", "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 0x3001; v_mov_b32_e32 v7, v0; s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 2), 0x4000; v_mov_b32_e32 v8, v7",
         "v0 v7", "v775 v8", [(5, 6, 5, "*")])
    case("s_setreg from a register", "s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 12, 8), s2; s_setreg_b32 hwreg(HW_REG_WAVE_MODE), s2; v_mov_b32_e32 v7, v0", "s2 v0", "v519", [(0x20f0 , 5, 5)])


# ---- barriers (gfx12), in LDS (gfx1250) ------------------------------------------------
def barriers(m):
    B, both, new = "barriers", ["gfx1200", "gfx1250"], ["gfx1250"]
    one(m, B, "a lone wave", "s_barrier_signal -1; s_barrier_wait -1; s_get_barrier_state s2, -1; s_barrier_signal_isfirst -1; s_barrier_wait -1", "s2 scc", "s2 scc", [(0, 1, 0x11, 0)], both)
    one(m, B, "named: members, signals, completion", "s_barrier_init m0; s_get_barrier_state s2, 3; s_barrier_signal 3; s_get_barrier_state s3, 3; s_barrier_join 3; s_barrier_signal 3; s_barrier_wait 1; s_get_barrier_state s4, m0",
        "m0", "s2 s3 s4", [(0x20003, 0x21, 0x10021, 0x21)], both)
    one(m, B, "named: the first to signal", "s_barrier_init 5; s_barrier_signal_isfirst 5; s_cselect_b32 s2, 7, 8; s_barrier_signal_isfirst 5; s_cselect_b32 s3, 7, 8", "m0", "s2 s3", [(0x30000, 7, 8)], both)
    one(m, B, "named: one that leaves completes it for nobody", "s_barrier_init 2; s_barrier_join 2; s_barrier_leave; s_cselect_b32 s2, 7, 8; s_get_barrier_state s3, 2; s_barrier_leave; s_cselect_b32 s4, 7, 8", "m0", "s2 s3 s4",
        [(0x20000, 7, 0x11, 8)], both)
    one(m, B, "a signal through M0 brings the members", "s_barrier_signal m0; s_get_barrier_state s2, 4", "m0", "s2", [(0x30004, 0x10030)], both)
    one(m, B, "number 0 is none", "s_barrier_signal 0; s_get_barrier_state s2, 0; s_barrier_signal_isfirst 0", "scc", "s2 scc", [(1, 0, 0)], both)
    one(m, B, "the cluster's", "s_barrier_signal -3; s_barrier_wait -3; s_mov_b32 s2, 1", "s2", "s2", [(0, 1)], new)
    # two arrivals a phase: 1 left, 0 left, then the phase goes down by one
    arrive = "ds_store_b64 v0, v[2:3]; "
    rtn = "ds_atomic_barrier_arrive_rtn_b64 v[%d:%d], v0, v[6:7]; "
    one(m, B, "LDS: arrivals", arrive + rtn % (8, 9) + rtn % (10, 11) + rtn % (12, 13) + "ds_load_b64 v[14:15], v0", "exec v0 v[2:3] v[6:7]", "v[8:9] v[10:11] v[12:13] v[14:15]",
        [(1, 64, 0x100000001, 1, 0x100000001, 0x100000000, 0x1e0000001, 0x1e0000000),
         (1, 64, 0x300000003, 2, 0x300000003, 0x300000001, 0x3e0000003, 0x3e0000001),   # over by nothing left: the next phase keeps what is over
         (1, 64, 0x100000001, 5, 0x100000001, 0x1c0000000, 0x160000001, 0x120000000)], new)
    one(m, B, "LDS: every lane arrives", arrive + rtn % (8, 9) + "ds_load_b64 v[14:15], v0", "v0 v[2:3] v[6:7]", "v[8:9]@0 v[8:9]@1 v[8:9]@31 v[14:15]",
        [(64, 0x1f0000001f, 1, 0x1f0000001f, 0x1f0000001e, 0x1f00000000, 0x1fe000001f)], new)
    one(m, B, "LDS: asynchronous arrivals", arrive + "ds_atomic_async_barrier_arrive_b64 v0 offset:8; ds_atomic_async_barrier_arrive_b64 v0; ds_load_b64 v[14:15], v0", "exec v0 v[2:3]", "v[14:15]",
        [(0xff, 64, 0x0700000007, 0x07e0000007), (0x7f, 64, 0x0700000007, 0x0700000000)], new)


# ---- transposing loads in wave32 ---------------------------------------------------------
def transposed(m):
    T = "transposed"
    lane = "v_mbcnt_lo_u32_b32 v1, -1, 0; "
    halves = lane + "v_mul_u32_u24 v2, 0x80008, v1; v_add_nc_u32 v10, 0x10000, v2; v_add_nc_u32 v11, 0x20002, v10; v_add_nc_u32 v12, 0x20002, v11; v_add_nc_u32 v13, 0x20002, v12; v_lshlrev_b32 v3, 4, v1; "
    out16 = "v4@0 v5@0 v7@0 v4@1 v4@8 v7@31"
    want16 = (0x00080000, 0x00180010, 0x00380030, 0x00090001, 0x00480040, 0x00ff00f7)
    one(m, T, "half e of lane 8t + r goes to place r of lane 8t + e", halves + "ds_store_b128 v3, v[10:13]; ds_load_tr16_b128 v[4:7], v3", "v4", out16, [(9,) + want16], ["gfx1250"])
    for name, targets in (("global_load_tr_b128", ["gfx1200"]), ("global_load_tr16_b128", ["gfx1250"])):
        one(m, T, "half e of lane 8t + r goes to place r of lane 8t + e", halves + "global_store_b128 v3, v[10:13], s[4:5]; " + name + " v[4:7], v3, s[4:5]", "s[4:5]", out16, [("@0",) + want16], targets)
    octets = lane + "v_mul_lo_u32 v2, 0x08080808, v1; v_add_nc_u32 v10, 0x03020100, v2; v_add_nc_u32 v11, 0x04040404, v10; v_lshlrev_b32 v3, 3, v1; "
    out8 = "v4@0 v5@0 v4@8 v5@8 v4@31 v5@31"
    want8 = (0x18100800, 0x58504840, 0x38302820, 0x78706860, 0xbfb7afa7, 0xfff7efe7)
    one(m, T, "bytes of lanes 0-3 and 8-11, 4-7 and 12-15", octets + "ds_store_b64 v3, v[10:11]; ds_load_tr8_b64 v[4:5], v3", "v4", out8, [(9,) + want8], ["gfx1250"])
    for name, targets in (("global_load_tr_b64", ["gfx1200"]), ("global_load_tr8_b64", ["gfx1250"])):
        one(m, T, "bytes of lanes 0-3 and 8-11, 4-7 and 12-15", octets + "global_store_b64 v3, v[10:11], s[4:5]; " + name + " v[4:5], v3, s[4:5]", "s[4:5]", out8, [("@0",) + want8], targets)
    few = lane + "v_mov_b32 v10, v1; v_mov_b32 v11, 0; v_mov_b32 v12, 0; v_lshlrev_b32 v3, 4, v1; "
    out4 = "v4@0 v5@0 v4@1 v5@1 v4@2 v4@16 v5@16 v5@17"
    want4 = (0x76543210, 0x76543210, 0, 0x11111111, 0, 0xfedcba98, 0xfedcba98, 0x11111111)
    one(m, T, "nibbles", few + "ds_store_b64 v3, v[10:11]; ds_load_tr4_b64 v[4:5], v3", "v4", out4, [(9,) + want4], ["gfx1250"])
    one(m, T, "nibbles", few + "global_store_b64 v3, v[10:11], s[4:5]; global_load_tr4_b64 v[4:5], v3, s[4:5]", "s[4:5]", out4, [("@0",) + want4], ["gfx1250"])
    pack = lambda xs: sum(x << 6 * i for i, x in enumerate(xs))
    six = [pack([a + b for a in (0, 8, 16, 24) for b in range(first, first + 4)]) for first in (0, 4)]
    one(m, T, "6 bits", few + "ds_store_b96 v3, v[10:12]; ds_load_tr6_b96 v[4:6], v3", "v4", "v[4:6]@0 v[4:6]@16 v[4:6]@1", [(9, six[0], six[1], 0)], ["gfx1250"])
    one(m, T, "6 bits", few + "global_store_b96 v3, v[10:12], s[4:5]; global_load_tr6_b96 v[4:6], v3, s[4:5]", "s[4:5]", "v[4:6]@0 v[4:6]@16 v[4:6]@1", [("@0", six[0], six[1], 0)], ["gfx1250"])

# SPDX-License-Identifier: MIT
"""What gfx10 and later do their own way: wave32, NULL, halves, registers above 255.  Values by hand."""


def make(m):
    wave32(m)
    msb(m)
    barriers(m)
    transposed(m)
    later_scalar(m)
    later_vector(m)
    later_memory(m)
    hwregs(m)
    permlanes(m)


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


    # gfx1250 drops s_set_vgpr_msb right behind s_setreg_imm32 of MODE, gfx1251 does not
    mode = "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 2), 0x1000; "
    for what, asm, wants in (("s_set_vgpr_msb right behind s_setreg_imm32 of MODE is dropped", mode + "s_set_vgpr_msb 0x80; ", (9, 5)),
                             ("with an instruction between the two it is not", mode + "s_nop 0; s_set_vgpr_msb 0x80; ", (5, 9)),
                             ("nor behind another register's", "s_set_vgpr_msb 0x40; s_setreg_imm32_b32 hwreg(HW_REG_WAVE_EXCP_FLAG_USER, 0, 7), 0; s_set_vgpr_msb 0x80; ", (5, 9)),
                             ("nor behind s_setreg from a register", "s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 0, 2), s2; s_set_vgpr_msb 0x80; ", (5, 9))):
        case(what, "s_set_vgpr_msb 0x40; v_mov_b32_e32 v7, 5; s_set_vgpr_msb 0x80; v_mov_b32_e32 v7, 5; s_nop 0; " + asm + "v_mov_b32_e32 v7, v0", "v0 s2", "v263 v519", [(9, 0x1000) + wants])
    case("only the one right behind", mode + "s_set_vgpr_msb 0x80; s_set_vgpr_msb 0x80; v_mov_b32_e32 v7, v0", "v0", "v519", [(9, 9)])
    case("a branch to the one right behind takes effect", "s_branch 2; " + mode + "s_set_vgpr_msb 0x80; v_mov_b32_e32 v7, v0", "v0", "v519", [(9, 9)])
    t = ["gfx1251"]
    case("gfx1251: s_setreg_imm32 of MODE is like any other", "s_set_vgpr_msb 0x40; " + mode + "v_mov_b32_e32 v7, v0; s_nop 0; s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 12, 8), 2; s_set_vgpr_msb 0xc0; v_mov_b32_e32 v7, v1; "
         "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 12, 2), 2; v_mov_b32_e32 v7, v2", "v0 v1 v2", "v263 v775 v519", [(9, 8, 7, 9, 8, 7)])


# ---- hardware registers -------------------------------------------------------------------------
# The kernels of these cases: 16384 bytes of LDS, 64 of scratch, VGPR count 31 in the descriptor, one wave.
def hwregs(m):
    H = "hwregs"
    w64 = lambda ts: [t + "-w64" for t in ts]
    all32 = m.GFX10 + m.GFX11 + m.GFX12
    get = lambda reg, more="": "%ss_getreg_b32 s2, hwreg(%s)" % (more, reg)
    new = ["gfx1200", "gfx1250"]
    for wave, ts, bit in ((32, new, 0), (64, ["gfx1200-w64"], 1 << 29)):
        one(m, H, "STATUS of gfx12, wave%d: EXECZ, VCCZ, VALID, WAVE64" % wave, get("HW_REG_WAVE_STATUS"), "vcc scc exec", "s2",
            [(1, 1, 1, 0x10000 | bit), (0, 1, 1, 0x10400 | bit), (0, 0, 0, 0x10600 | bit)], ts)
    one(m, H, "STATUS shows dynamic VGPRs", get("HW_REG_WAVE_STATUS"), "vcc", "s2", [(1, 0x40010000)], new, mode="f0 dvgpr 1")
    one(m, H, "STATE_PRIV: SCC, priority, scratch", get("HW_REG_WAVE_STATE_PRIV", "s_setprio 2; ") + "; s_setprio 0", "scc", "s2 scc", [(1, 0x42200, 1), (0, 0x42000, 0)], new + ["gfx1200-w64"])
    one(m, H, "STATE_PRIV: the work-group's barrier of a lone wave is none, a named one has completed", "s_barrier_signal -1; " + get("HW_REG_WAVE_STATE_PRIV, 2, 2") + "; s_barrier_init m0; s_barrier_join m0; s_barrier_signal m0; "
        "s_getreg_b32 s3, hwreg(HW_REG_WAVE_STATE_PRIV, 2, 2); s_barrier_wait 1; s_getreg_b32 s4, hwreg(HW_REG_WAVE_STATE_PRIV, 2, 2)", "m0", "s2 s3 s4", [(0x10003, 0, 2, 0)], ["gfx1250"])
    one(m, H, "STATUS before gfx12: SCC, priority", get("HW_REG_STATUS", "s_setprio 3; ") + "; s_setprio 0", "vcc scc", "s2", [(1, 1, 0x10019), (0, 0, 0x10418)], m.GFX8 + m.GFX9 + m.GFX10)
    one(m, H, "STATUS of gfx11: scratch too", get("HW_REG_STATUS", "s_setprio 3; ") + "; s_setprio 0", "vcc scc", "s2", [(1, 1, 0x20010019), (0, 0, 0x20010418)], m.GFX11 + w64(["gfx1100"]))
    one(m, H, "STATUS is not for waves to write", "s_setreg_b32 hwreg(HW_REG_STATUS), s3; " + get("HW_REG_STATUS"), "s3 vcc scc", "s2 scc", [(1, 1, 0, 0x10000, 0)], m.GFX9 + m.GFX10)
    one(m, H, "STATE_PRIV is not for waves to write", "s_setreg_b32 hwreg(HW_REG_WAVE_STATE_PRIV), s3; " + get("HW_REG_WAVE_STATE_PRIV"), "s3 scc", "s2 scc", [(0xffffffff, 0, 0x40000, 0)], new)
    one(m, H, "exception flags are what the wave writes", "s_setreg_b32 hwreg(HW_REG_WAVE_EXCP_FLAG_USER), s3; " + get("HW_REG_WAVE_EXCP_FLAG_USER") + "; s_setreg_imm32_b32 hwreg(HW_REG_WAVE_EXCP_FLAG_USER, 0, 4), 0; s_getreg_b32 s4, hwreg(HW_REG_WAVE_EXCP_FLAG_USER)",
        "s3", "s2 s4", [(0xffffffff, 0xc000007f, 0xc0000070)], new)
    one(m, H, "exception flags are what the wave writes", "s_setreg_b32 hwreg(HW_REG_TRAPSTS), s3; " + get("HW_REG_TRAPSTS") + "; s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 9), 0", "s3", "s2", [(0xffffffff, 0x1ff)], m.GFX9 + m.GFX10 + m.GFX11)
    for reg, ts, want in (("HW_REG_LDS_ALLOC", m.GFX9 + m.GFX10 + m.GFX11, 64 << 12), ("HW_REG_WAVE_LDS_ALLOC", ["gfx1200"], 32 << 12), ("HW_REG_WAVE_LDS_ALLOC", ["gfx1250"], 16 << 12),
                          ("HW_REG_GPR_ALLOC, 8, 8", m.GFX8 + ["gfx900"] + m.GFX10, 31), ("HW_REG_GPR_ALLOC, 12, 8", m.GFX11, 31), ("HW_REG_WAVE_GPR_ALLOC, 12, 8", new, 31),
                          ("28, 11, 1", m.GFX10 + m.GFX11, 0), ("28, 11, 1", w64(["gfx1030", "gfx1100"]), 1), ("HW_REG_SHADER_CYCLES, 20, 12", ["gfx1030"] + m.GFX11, 0)):
        one(m, H, None, get(reg), "s2", "s2", [(5, want)], ts)
    for mode in ("f0 scratch 0", "f0 scratch 64"):
        one(m, H, "the scratch base has one value, " + mode[3:], get("HW_REG_WAVE_SCRATCH_BASE_LO") + "; s_getreg_b32 s3, hwreg(HW_REG_WAVE_SCRATCH_BASE_HI); s_cmp_eq_u32 s2, src_flat_scratch_base_lo; s_cselect_b32 s4, 1, 0; "
            "s_cmp_eq_u32 s3, src_flat_scratch_base_hi; s_cselect_b32 s5, 1, 0", "scc", "s4 s5", [(0, 1, 1)], ["gfx1250"], mode=mode)


# ---- barriers (gfx12), in LDS (gfx1250) ------------------------------------------------
def barriers(m):
    B, both, new = "barriers", ["gfx1200", "gfx1250"], ["gfx1250"]
    one(m, B, "a lone wave", "s_barrier_signal -1; s_barrier_wait -1; s_get_barrier_state s2, -1; s_barrier_signal_isfirst -1; s_barrier_wait -1", "s2 scc", "s2 scc", [(5, 1, 0, 0)], both)
    one(m, B, "named: members, signals, completion", "s_barrier_init m0; s_get_barrier_state s2, 3; s_barrier_signal 3; s_get_barrier_state s3, 3; s_barrier_join 3; s_barrier_signal 3; s_barrier_wait 1; s_get_barrier_state s4, m0",
        "m0", "s2 s3 s4", [(0x20003, 0x21, 0x10021, 0x21)], both)
    one(m, B, "named: the first to signal", "s_barrier_init 5; s_barrier_signal_isfirst 5; s_cselect_b32 s2, 7, 8; s_barrier_signal_isfirst 5; s_cselect_b32 s3, 7, 8", "m0", "s2 s3", [(0x30000, 7, 8)], both)
    one(m, B, "named: one that leaves completes it for nobody", "s_barrier_init 2; s_barrier_join 2; s_barrier_leave; s_cselect_b32 s2, 7, 8; s_get_barrier_state s3, 2; s_barrier_leave; s_cselect_b32 s4, 7, 8", "m0", "s2 s3 s4",
        [(0x20000, 7, 0x11, 8)], both)
    one(m, B, "a signal through M0 brings the members", "s_barrier_signal m0; s_get_barrier_state s2, 4", "m0", "s2", [(0x30004, 0x10030)], both)
    one(m, B, "number 0 is none", "s_barrier_signal 0; s_get_barrier_state s2, 0; s_barrier_signal_isfirst 0", "scc", "s2 scc", [(1, 0, 0)], both)
    one(m, B, "the cluster's", "s_barrier_signal -3; s_barrier_wait -3; s_mov_b32 s2, 1", "s2", "s2", [(0, 1)], new)
    # waiting for nobody: number 0, or nothing joined
    one(m, B, "nothing joined: nothing to wait for", "s_barrier_wait 1; s_barrier_wait 0; s_mov_b32 s2, 1", "s2", "s2", [(0, 1)], new)
    one(m, B, "joining number 0 leaves the barrier alone", "s_barrier_init 2; s_barrier_join 2; s_barrier_join 0; s_barrier_wait 2; s_get_barrier_state s2, 2; s_get_barrier_state s3, 0", "m0", "s2 s3", [(0x20002, 0x21, 0)], new)
    one(m, B, "a wait is for the barrier that was joined, whatever its number says", "s_barrier_init 2; s_barrier_join 2; s_barrier_signal 2; s_barrier_wait 7; s_mov_b32 s2, 1", "m0 s2", "s2", [(0x10002, 0, 1)], new)
    one(m, B, "those of clusters and traps: no state, no first", "s_get_barrier_state s2, -3; s_barrier_signal_isfirst -3; s_cselect_b32 s3, 1, 0; s_barrier_signal -2; s_barrier_wait -2; s_barrier_signal_isfirst -2; s_cselect_b32 s4, 1, 0; "
        "s_barrier_wait -4", "scc", "s2 s3 s4", [(1, 0, 0, 0)], new)
    one(m, B, "members have 7 bits", "s_barrier_init m0; s_get_barrier_state s2, 4", "m0", "s2", [(0x7f0004, 0x7f1), (0xff410004, 0x411)], new)
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
    # wave64: the same 32 addresses; the upper half of the registers goes to lanes 32 to 63.  Where the addresses of lanes 32 and up
    # point does not matter: here beyond all memory.
    lane64 = "v_mbcnt_lo_u32_b32 v1, -1, 0; v_mbcnt_hi_u32_b32 v1, -1, v1; "
    beyond = "v_cmp_gt_u32_e32 vcc, 32, v1; v_cndmask_b32_e32 v3, -1, v3, vcc; "
    one(m, T, "wave64: half e of lane 8t + r: lane 8t + e, 32 more from r = 4 on", halves.replace(lane, lane64) + "global_store_b128 v3, v[10:13], s[4:5]; " + beyond + "global_load_tr_b128 v[4:5], v3, s[4:5]", "s[4:5] v6",
        "v4@0 v5@0 v4@32 v5@32 v4@1 v4@8 v5@63 v6@0", [("@0", 0x77, 0x00080000, 0x00180010, 0x00280020, 0x00380030, 0x00090001, 0x00480040, 0x00ff00f7, 0x77)], ["gfx1200-w64"])
    one(m, T, "wave64: the second register of wave32 in lanes 32 to 63", octets.replace(lane, lane64) + "global_store_b64 v3, v[10:11], s[4:5]; " + beyond + "global_load_tr_b64 v4, v3, s[4:5]", "s[4:5] v5",
        "v4@0 v4@32 v4@8 v4@40 v4@31 v4@63 v5@0", [("@0", 0x77) + want8[:1] + want8[1:2] + want8[2:] + (0x77,)], ["gfx1200-w64"])
    # EXEC: all lanes take part where one is on, none where none is
    one(m, T, "EXEC is all or nothing", halves + "ds_store_b128 v3, v[10:13]; s_mov_b32 exec_lo, s2; ds_load_tr16_b128 v[4:7], v3; s_mov_b32 exec_lo, -1", "v4 s2", "v4@0 v4@1 v4@8",
        [(9, 2, 0x00080000, 0x00090001, 0x00480040), (9, 0, 9, 9, 9)], ["gfx1250"])
    one(m, T, "EXEC is all or nothing", halves + "global_store_b128 v3, v[10:13], s[4:5]; s_mov_b32 exec_lo, s2; global_load_tr16_b128 v[4:7], v3, s[4:5]; s_mov_b32 exec_lo, -1", "s[4:5] v4 s2", "v4@0 v4@1 v4@8",
        [("@0", 9, 2, 0x00080000, 0x00090001, 0x00480040), ("@0", 9, 0, 9, 9, 9)], ["gfx1250"])
    few = lane + "v_mov_b32 v10, v1; v_mov_b32 v11, 0; v_mov_b32 v12, 0; v_lshlrev_b32 v3, 4, v1; "
    out4 = "v4@0 v5@0 v4@1 v5@1 v4@2 v4@16 v5@16 v5@17"
    want4 = (0x76543210, 0x76543210, 0, 0x11111111, 0, 0xfedcba98, 0xfedcba98, 0x11111111)
    one(m, T, "nibbles", few + "ds_store_b64 v3, v[10:11]; ds_load_tr4_b64 v[4:5], v3", "v4", out4, [(9,) + want4], ["gfx1250"])
    one(m, T, "nibbles", few + "global_store_b64 v3, v[10:11], s[4:5]; global_load_tr4_b64 v[4:5], v3, s[4:5]", "s[4:5]", out4, [("@0",) + want4], ["gfx1250"])
    pack = lambda xs: sum(x << 6 * i for i, x in enumerate(xs))
    six = [pack([a + b for a in (0, 8, 16, 24) for b in range(first, first + 4)]) for first in (0, 4)]
    one(m, T, "6 bits", few + "ds_store_b96 v3, v[10:12]; ds_load_tr6_b96 v[4:6], v3", "v4", "v[4:6]@0 v[4:6]@16 v[4:6]@1", [(9, six[0], six[1], 0)], ["gfx1250"])
    one(m, T, "6 bits", few + "global_store_b96 v3, v[10:12], s[4:5]; global_load_tr6_b96 v[4:6], v3, s[4:5]", "s[4:5]", "v[4:6]@0 v[4:6]@16 v[4:6]@1", [("@0", six[0], six[1], 0)], ["gfx1250"])


# ---- v_permlane16 and its kin, lanes that are off -------------------------------------------------
# op_sel:[1,0] reads lanes that are off (fi), op_sel:[0,1] takes 0 for them (bound_ctrl), without them the destination stays.
def permlanes(m):
    L = "permlanes"
    lane32 = "v_mbcnt_lo_u32_b32 v1, -1, 9; "
    lane64 = "v_mbcnt_lo_u32_b32 v1, -1, 9; v_mbcnt_hi_u32_b32 v1, -1, v1; "
    for wave, lane, targets in ((32, lane32, m.GFX10 + m.GFX11 + m.GFX12), (64, lane64, m.W64)):
        # lanes 0 and 33 are off; every lane asks for number 0 of a row, but for number 15, which asks for 1
        off = "s_mov_b32 exec_lo, -2; " if wave == 32 else "s_mov_b32 exec_lo, -2; s_mov_b32 exec_hi, -3; "
        for mods, gone in (("", 0x77), (" op_sel:[0,1]", 0), (" op_sel:[1,0]", None), (" op_sel:[1,1]", None)):
            get = lambda i: i + 9 if i not in (0, 33) or gone is None else gone
            outs = [0, 1, 15, 16, 31, 32, 33, 34, 47, 63] if wave == 64 else [0, 1, 14, 15, 16, 17, 30, 31]
            names = " ".join("v2@%d" % i for i in outs)
            for x in (0, 16):
                # a lane that is off keeps what it had; what lane i takes: number 0 or 1 of its row, or of the other of the pair
                want = tuple(0x77 if i in (0, 33) else get(((i ^ x) & ~15) + (i % 16 == 15)) for i in outs)
                op = "v_permlane%s16" % ("x" if x else "")
                one(m, L, "%s, wave%d" % (mods.strip() or "neither", wave), lane + off + op + "_b32 v2, v1, s4, s5" + mods, "v2 s4 s5", names, [(0x77, 0, 0x10000000) + want], targets)
                some(m, L, "%s, wave%d" % (mods.strip() or "neither", wave), lane + "v_and_b32_e32 v3, 15, v1; v_cmp_eq_u32_e32 vcc%s, 8, v3; v_cndmask_b32_e64 v3, 16, 17, vcc%s; " % (("_lo",) * 2 if wave == 32 else ("",) * 2) + off +
                     op + "_var_b32 v2, v1, v3" + mods, "v2 vcc", names, [(0x77, 0) + want], [t for t in targets if t.startswith("gfx12")])
    # the halves of a wave: in wave32 there is no other half, and nothing happens
    one(m, L, "lanes that are off are read", lane64 + "s_mov_b32 exec_hi, 0; v_permlane64_b32 v2, v1; s_mov_b32 exec_hi, -1", "v2", "v2@0 v2@31 v2@32 v2@63", [(0x77, 41, 72, 0x77, 0x77)], ["gfx1100-w64", "gfx1200-w64"])
    one(m, L, "nothing in wave32", lane32 + "v_permlane64_b32 v2, v1", "v2", "v2@0 v2@31", [(0x77, 0x77, 0x77)], ["gfx1100", "gfx1200"])


# ---- rows that gfx9 does not have --------------------------------------------------------
# On every processor of the list that has the instruction; test_exec_coverage.c sees what is left over.
def some(m, file, title, asm, ins, outs, rows, targets, **more):
    one(m, file, title, asm, ins, outs, rows, targets, optional=True)


def later_scalar(m):
    L, w32 = "later", m.GFX10 + m.GFX11 + m.GFX12
    n32 = (1 << 32) - 1
    s, e = 0x0f0f3355, 0x00ff00f7
    for names, new in ((("andn1", "and_not0"), ~s & e), (("orn1", "or_not0"), (~s | e) & n32), (("andn2", "and_not1"), s & ~e), (("orn2", "or_not1"), (s | ~e) & n32)):
        some(m, L, None, ["s_%s_saveexec_b32 s2, s0; s_mov_b32 s3, exec_lo" % n for n in names], "s0 exec", "s2 s3 scc", [(s, e, e, new, 1)], w32)
    for names, new in ((("andn1", "and_not0"), ~s & e), (("andn2", "and_not1"), s & ~e)):
        some(m, L, None, ["s_%s_wrexec_b32 s2, s0; s_mov_b32 s3, exec_lo" % n for n in names], "s0 exec", "s2 s3 scc", [(s, e, new, new, 1)], w32)
    f16 = ["gfx1150", "gfx1200", "gfx1250"]
    for op, x, want in (("ceil", 0x3d00, 0x4000), ("floor", 0x3d00, 0x3c00), ("trunc", 0xbf00, 0xbc00), ("rndne", 0x3e00, 0x4000), ("rndne", 0x4100, 0x4000)):
        some(m, L, None, "s_%s_f16 s2, s0" % op, "s0", "s2", [(x, want)], f16)
    for ops, want in ((("min_f16", "min_num_f16"), 0x3c00), (("max_f16", "max_num_f16"), 0x4000)):
        some(m, L, None, ["s_%s s2, s0, s1" % o for o in ops], "s0 s1", "s2", [(0x3c00, 0x4000, want), (0x7e00, want, want)], f16)
    for op, want in (("minimum", 0x3c00), ("maximum", 0x4000)):
        some(m, L, None, "s_%s_f16 s2, s0, s1" % op, "s0 s1", "s2", [(0x3c00, 0x4000, want), (0x7e00, 0x3c00, "nan16")], ["gfx1200", "gfx1250"])
    some(m, L, None, "s_cvt_pk_rtz_f16_f32 s2, s0, s1", "s0 s1", "s2", [(0x3f800fff, 0xc0000000, 0xc0003c00), (0x3f803fff, 0x477fffff, 0x7bff3c01)], f16)
    for quiet, targets in (("s_version 0; s_waitcnt_vmcnt null, 0; s_waitcnt_expcnt null, 0; s_waitcnt_lgkmcnt null, 0; s_gl1_inv", ["gfx1010", "gfx1030", "gfx1100"]),
                           ("s_wait_idle; s_wait_event 0; s_ttracedata_imm 0", ["gfx1200", "gfx1250"]),
                           ("s_wait_samplecnt 0; s_wait_bvhcnt 0; s_wait_expcnt 0; s_wait_storecnt_dscnt 0; s_wait_loadcnt_dscnt 0; s_wait_kmcnt 0; s_sleep_var s0", ["gfx1200"]),
                           ("s_wait_xcnt 0; s_wait_asynccnt 0; s_wait_tensorcnt 0; s_setprio_inc_wg 1; s_monitor_sleep 1; s_wakeup_barrier 1", ["gfx1250"]),
                           ("s_prefetch_inst s[4:5], 0, s0, 1; s_prefetch_inst_pc_rel 0, s0, 1; s_prefetch_data s[4:5], 0, s0, 1; s_prefetch_data_pc_rel 0, s0, 1; s_buffer_prefetch_data s[8:11], 0, s0, 1", ["gfx1200", "gfx1250"])):
        for part in quiet.split("; "):
            some(m, L, "changes nothing", part + "; s_mov_b32 s3, s2", "s[4:5] s0 s2 scc v0", "s3 scc v0", [("@0", 0, 9, 1, 5, 9, 1, 5)], targets)
    one(m, L, "dynamic VGPRs, up to 256, bits 8:0 of the number", "s_alloc_vgpr s0", "s0 scc", "scc", [(64, 0, 1), (256, 0, 1), (257, 1, 0), (300, 1, 0), (0, 0, 1), (0x240, 0, 1)], ["gfx1200", "gfx1250"], mode="f0 dvgpr 1")
    one(m, L, "without dynamic VGPRs it is ignored", "s_alloc_vgpr s0", "s0 scc", "scc", [(64, 0, 0), (300, 1, 1)], ["gfx1200", "gfx1250"])
    byte = lambda i: (i * 7 + (i >> 8)) & 255
    mem = lambda at, n: sum(byte(at + i) << 8 * i for i in range(n))
    sx = lambda v, n: v | (n32 & -(1 << n)) if v >> (n - 1) else v
    some(m, L, None, "s_load_b96 s[20:22], s[4:5], 0x10", "s[4:5]", "s[20:22]", [("@0", mem(16, 12))], ["gfx1200", "gfx1250"])
    for op, n, sign in (("u8", 8, 0), ("i8", 8, 1), ("u16", 16, 0), ("i16", 16, 1)):
        for at in (0x13 if n == 8 else 0x12, 0x40):
            v = mem(at, n // 8)
            want = sx(v, n) if sign else v
            some(m, L, None, "s_load_%s s20, s[4:5], 0x%x" % (op, at), "s[4:5]", "s20", [("@0", want)], ["gfx1200", "gfx1250"])
            some(m, L, None, "s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, 0x100; s_mov_b32 s11, 0x27000; s_buffer_load_%s s20, s[8:11], 0x%x" % (op, at), "s[4:5]", "s20", [("@0", want)], ["gfx1200"])
    some(m, L, None, "s_mov_b64 s[8:9], s[4:5]; s_movk_i32 s10, 0x100; s_mov_b32 s11, 0x27000; s_buffer_load_b96 s[20:22], s[8:11], 0x10", "s[4:5]", "s[20:22]", [("@0", mem(16, 12))], ["gfx1200"])
    some(m, L, None, "s_get_pc_i64 s[8:9]; s_add_pc_i64 4; s_mov_b32 s2, 1; s_get_pc_i64 s[10:11]; s_sub_u32 s3, s10, s8", "s2", "s2 s3", [(7, 7, 12)], ["gfx1250"])


def later_vector(m):
    L, w32 = "later", m.GFX10 + m.GFX11 + m.GFX12
    M = (1 << 32) - 1
    sx = lambda v: v - (1 << 32) if v >> 31 else v
    ints = [(5, 9, 7), (0xffffffff, 3, 0x80000000), (0, 0x7fffffff, 0xfffffffe), (9, 9, 2)]
    for sign, conv in (("i32", sx), ("u32", lambda v: v)):
        for op, f in (("minmax", lambda a, b, c: max(min(a, b), c)), ("maxmin", lambda a, b, c: min(max(a, b), c))):
            some(m, L, None, "v_%s_%s v3, v0, v1, v2" % (op, sign), "v0 v1 v2", "v3", [(a, b, c, f(conv(a), conv(b), conv(c)) & M) for a, b, c in ints], m.GFX11 + m.GFX12)
    one_, two, three = 0x3f800000, 0x40000000, 0x40400000
    for names, want in ((("minmax_f32", "minmax_num_f32", "minimummaximum_f32"), (two, three, two)), (("maxmin_f32", "maxmin_num_f32", "maximumminimum_f32"), (two, two, one_))):
        for n in names:
            f = (lambda a, b, c: max(min(a, b), c)) if n.startswith("min") else (lambda a, b, c: min(max(a, b), c))
            some(m, L, None, "v_%s v3, v0, v1, v2" % n, "v0 v1 v2", "v3", [r + (f(*r),) for r in ((one_, two, two), (one_, two, three), (two, two, one_), (three, one_, two))], m.GFX11 + m.GFX12)
    h1, h2, h3 = 0x3c00, 0x4000, 0x4200
    for n in ("minmax_f16", "minmax_num_f16", "minimummaximum_f16", "maxmin_f16", "maxmin_num_f16", "maximumminimum_f16"):
        f = (lambda a, b, c: max(min(a, b), c)) if n.startswith("min") else (lambda a, b, c: min(max(a, b), c))
        some(m, L, None, ["v_%s v3, v0, v1, v2" % n, "v_%s v3.l, v0.l, v1.l, v2.l" % n], "v0 v1 v2 v3", "v3", [r + (0xaaaa5555, 0xaaaa0000 | f(*r)) for r in ((h1, h2, h2), (h1, h2, h3), (h2, h2, h1), (h3, h1, h2))], m.GFX11 + m.GFX12)
    for n, f in (("min3", min), ("max3", max), ("med3", lambda a, b, c: sorted((a, b, c))[1])):
        for suffix, a, b, c in (("f32", one_, three, two), ("f16", h1, h3, h2)):
            rows = [r + (0xaaaa5555, f(*r) | (0xaaaa0000 if suffix == "f16" else 0)) for r in ((a, b, c), (c, a, b), (b, b, a))]
            some(m, L, None, ["v_%s%s_%s v3%s, v0%s, v1%s, v2%s" % (n, num, suffix, l, l, l, l) for num in ("", "_num") for l in ("", ".l")], "v0 v1 v2 v3", "v3", rows, w32)
            if n != "med3":
                name = {"min3": "minimum3", "max3": "maximum3"}[n]
                some(m, L, None, ["v_%s_%s v3%s, v0%s, v1%s, v2%s" % (name, suffix, l, l, l, l) for l in ("", ".l")], "v0 v1 v2 v3", "v3", rows, m.GFX12)
    g = ["gfx1250"]
    big, n64 = 0x123456789abcdef0, (1 << 64) - 1
    for op, f in (("add_nc", lambda a, b: a + b), ("sub_nc", lambda a, b: a - b), ("mul", lambda a, b: a * b)):
        some(m, L, None, "v_%s_u64 v[4:5], v[0:1], v[2:3]" % op, "v[0:1] v[2:3]", "v[4:5]", [(a, b, f(a, b) & n64) for a, b in ((1, 2), (big, n64), (n64, n64), (0x100000000, 0xffffffff))], g)
    s64 = lambda v: v - (1 << 64) if v >> 63 else v
    for op, f in (("min", min), ("max", max)):
        some(m, L, None, "v_%s_u64 v[4:5], v[0:1], v[2:3]" % op, "v[0:1] v[2:3]", "v[4:5]", [(a, b, f(a, b)) for a, b in ((1, 2), (n64, big), (n64, 0))], g)
        some(m, L, None, "v_%s_i64 v[4:5], v[0:1], v[2:3]" % op, "v[0:1] v[2:3]", "v[4:5]", [(a, b, f(s64(a), s64(b)) & n64) for a, b in ((1, 2), (n64, big), (n64, 0))], g)
    some(m, L, None, "v_mad_u32 v3, v0, v1, v2", "v0 v1 v2", "v3", [(3, 5, 7, 22), (M, M, 2, 3), (0x10001, 0x10001, 0, 0x20001)], g)
    some(m, L, None, "v_mad_nc_i64_i32 v[4:5], v0, v1, v[2:3]", "v0 v1 v[2:3]", "v[4:5]", [(M, 5, 7, 2), (M, 5, 3, n64 - 1), (0x7fffffff, 0x7fffffff, 0, 0x3fffffff00000001)], g)
    some(m, L, None, "v_add_max_i32 v3, v0, v1, v2", "v0 v1 v2", "v3", [(1, 2, 9, 9), (M, M, 0x80000000, 0xfffffffe)], g)
    some(m, L, None, "v_add_min_u32 v3, v0, v1, v2", "v0 v1 v2", "v3", [(1, 2, 9, 3), (M, 1, 0xfffffff0, 0xfffffff0)], g)
    for op, f in (("min3", min), ("max3", max)):
        some(m, L, None, "v_pk_%s_u16 v3, v0, v1, v2" % op, "v0 v1 v2", "v3", [(0x00010005, 0xffff0003, 0x80000004, f(1, 0xffff, 0x8000) << 16 | f(5, 3, 4))], g)
        q = lambda v: v - 65536 if v >> 15 else v
        some(m, L, None, "v_pk_%s_i16 v3, v0, v1, v2" % op, "v0 v1 v2", "v3", [(0x00010005, 0xffff0003, 0x80000004, (f((1, 0xffff, 0x8000), key=q) << 16) | f(5, 3, 4))], g)
        some(m, L, None, "v_pk_%s_num_f16 v3, v0, v1, v2" % op, "v0 v1 v2", "v3", [(0x3c004000, 0x40003c00, 0x42004200, f(0x3c00, 0x4000, 0x4200) << 16 | f(0x4000, 0x3c00, 0x4200))], g)
    for op, want in (("v_pk_minimum_f16", 0x3c003c00), ("v_pk_maximum_f16", 0x40004000)):
        some(m, L, None, op + " v3, v0, v1", "v0 v1", "v3", [(0x3c004000, 0x40003c00, want)], m.GFX12)
    b1, b2, b3 = 0x3f80, 0x4000, 0x4040
    both = lambda lo, hi: hi << 16 | lo
    for op, rows in (("v_pk_add_bf16 v3, v0, v1", [(both(b1, b2), both(b2, b1), both(b3, b3))]), ("v_pk_mul_bf16 v3, v0, v1", [(both(b2, b3), both(b3, b1), both(0x40c0, b3))]),
                     ("v_pk_min_num_bf16 v3, v0, v1", [(both(b1, b2), both(b2, b1), both(b1, b1))]), ("v_pk_max_num_bf16 v3, v0, v1", [(both(b1, b2), both(b2, b1), both(b2, b2))])):
        some(m, L, None, op, "v0 v1", "v3", rows, g)
    some(m, L, None, "v_pk_fma_bf16 v3, v0, v1, v2", "v0 v1 v2", "v3", [(both(b2, b3), both(b3, b1), both(b1, b2), both(0x40e0, 0x40a0))], g)
    some(m, L, None, "v_fma_mix_f32_bf16 v3, v0, v1, v2 op_sel_hi:[1,1,1]", "v0 v1 v2", "v3", [(b2, b3, b1, 0x40e00000)], g)
    some(m, L, None, "v_fma_mixlo_bf16 v3, v0, v1, v2 op_sel_hi:[1,1,1]", "v0 v1 v2 v3", "v3", [(b2, b3, b1, 0xaaaa5555, 0xaaaa40e0)], g)
    some(m, L, None, "v_fma_mixhi_bf16 v3, v0, v1, v2 op_sel_hi:[1,1,1]", "v0 v1 v2 v3", "v3", [(b2, b3, b1, 0xaaaa5555, 0x40e05555)], g)
    # exact ones: 4 and 8 among them
    for op, x, want in (("rcp", 0x4080, 0x3e80), ("sqrt", 0x4080, 0x4000), ("rsq", 0x4080, 0x3f00), ("log", 0x4100, 0x4040), ("exp", 0x4040, 0x4100), ("sin", 0x3e80, 0x3f80), ("cos", 0x3f00, 0xbf80), ("tanh", 0, 0)):
        some(m, L, None, ["v_%s_bf16_e32 v3, v0" % op, "v_%s_bf16_e32 v3.l, v0.l" % op], "v0 v3", "v3", [(x, 0xaaaa5555, 0xaaaa0000 | want)], g)
    some(m, L, None, "v_tanh_f32_e32 v3, v0", "v0", "v3", [(0, 0), (0x7f800000, one_), (0xff800000, 0xbf800000)], g)
    some(m, L, None, ["v_tanh_f16_e32 v3, v0", "v_tanh_f16_e32 v3.l, v0.l"], "v0 v3", "v3", [(0, 0xaaaa5555, 0xaaaa0000), (0x7c00, 0, 0x3c00)], g)
    for op, x, want, h, hwant in (("exp", three, 0x41000000, 0x4200, 0x4800), ("log", 0x41000000, three, 0x4800, 0x4200), ("rcp", 0x40800000, 0x3e800000, 0x4400, 0x3400), ("rsq", 0x40800000, 0x3f000000, 0x4400, 0x3800),
                                  ("sqrt", 0x40800000, two, 0x4400, 0x4000)):
        some(m, L, None, "v_s_%s_f32 s3, s0" % op, "s0", "s3", [(x, want)], m.GFX12)
        some(m, L, None, "v_s_%s_f16 s3, s0" % op, "s0", "s3", [(h, hwant)], m.GFX12)
    some(m, L, None, ["v_dot2_f16_f16 v3, v0, v1, v2", "v_dot2_f16_f16 v3.l, v0, v1, v2.l"], "v0 v1 v2 v3", "v3", [(both(h1, h2), both(h3, h2), h1, 0xaaaa5555, 0xaaaa4800)], m.GFX11 + ["gfx1200"])
    some(m, L, None, ["v_dot2_bf16_bf16 v3, v0, v1, v2", "v_dot2_bf16_bf16 v3.l, v0, v1, v2.l"], "v0 v1 v2 v3", "v3", [(both(b1, b2), both(b3, b2), b1, 0xaaaa5555, 0xaaaa4100)], m.GFX11 + ["gfx1200"])
    # fp8 1.0 is 0x38, 2.0 is 0x40; bf8 1.0 is 0x3c, 2.0 is 0x40
    for a, b in (("fp8", "fp8"), ("fp8", "bf8"), ("bf8", "fp8"), ("bf8", "bf8")):
        x = {"fp8": 0x40383838, "bf8": 0x403c3c3c}
        some(m, L, None, "v_dot4_f32_%s_%s v3, v0, v1, v2" % (a, b), "v0 v1 v2", "v3", [(x[a], x[b], one_, 0x41000000)], ["gfx1200"])
    for op, rows in (("add_nc", [(0x7fff, 1, 0x8000), (3, 4, 7)]), ("sub_nc", [(0, 1, 0xffff), (9, 4, 5)])):
        some(m, L, None, ["v_%s_i16 v3, v0, v1" % op, "v_%s_i16 v3.l, v0.l, v1.l" % op], "v0 v1 v3", "v3", [(a, b, 0xaaaa5555, 0xaaaa0000 | c) for a, b, c in rows], w32)
    some(m, L, None, "v_cvt_pk_i16_f32 v3, v0, v1", "v0 v1", "v3", [(three, 0xc0000000, 0xfffe0003), (0x47c35000, 0xc7c35000, 0x80007fff)], m.GFX11 + m.GFX12)
    some(m, L, None, "v_cvt_pk_u16_f32 v3, v0, v1", "v0 v1", "v3", [(three, 0xc0000000, 3), (0x47c35000, two, 0x0002ffff)], m.GFX11 + m.GFX12)
    some(m, L, None, "v_mul_lo_i32 v3, v0, v1", "v0 v1", "v3", [(M, 7, 0xfffffff9), (0x10001, 0x10001, 0x20001)], ["gfx1010"])
    pairs = (("add_f32", "mul_f32", 0x40a00000, 0x40c00000), ("sub_f32", "subrev_f32", one_, 0xbf800000), ("max_f32", "min_f32", three, two), ("mul_f32", "add_f32", 0x40c00000, 0x40a00000))
    for x, y, wx, wy in pairs:
        some(m, L, None, ["v_dual_%s v2, v0, v1 :: v_dual_%s v3, v5, v7" % (a, b) for a, b in ((x, y), (x.replace("max_", "max_num_"), y.replace("min_", "min_num_")))], "v0 v1 v5 v7", "v2 v3", [(three, two, three, two, wx, wy)], m.GFX11 + m.GFX12)
    for y, a, b, want in (("add_nc_u32", 5, 9, 14), ("lshlrev_b32", 4, 9, 144), ("and_b32", 12, 10, 8), ("sub_nc_u32", 9, 4, 5), ("lshrrev_b32", 2, 9, 2), ("ashrrev_i32", 1, 0x80000000, 0xc0000000), ("max_i32", M, 3, 3), ("min_i32", M, 3, M)):
        some(m, L, None, "v_dual_mov_b32 v2, v0 :: v_dual_%s v3, v5, v7" % y, "v0 v5 v7", "v2 v3", [(7, a, b, 7, want)], m.GFX11 + m.GFX12)
    for op, want in (("fma_f64", 0x401c000000000000), ):
        some(m, L, None, "v_dual_fma_f64 v[2:3], v[4:5], v[6:7], v[8:9] :: v_dual_mov_b32 v10, v11", "v[4:5] v[6:7] v[8:9] v11", "v[2:3] v10", [(0x4000000000000000, 0x4008000000000000, 0x3ff0000000000000, 7, want, 7)], g)
    for op, want in (("add", 0x4014000000000000), ("mul", 0x4018000000000000), ("max_num", 0x4008000000000000), ("min_num", 0x4000000000000000)):
        some(m, L, None, "v_dual_%s_f64 v[2:3], v[4:5], v[6:7] :: v_dual_mov_b32 v10, v11" % op, "v[4:5] v[6:7] v11", "v[2:3] v10", [(0x4000000000000000, 0x4008000000000000, 7, want, 7)], g)
    some(m, L, None, "v_fmamk_f64 v[4:5], v[0:1], 0x4000000000000000, v[2:3]", "v[0:1] v[2:3]", "v[4:5]", [(0x4008000000000000, 0x3ff0000000000000, 0x401c000000000000)], g)
    some(m, L, None, "v_fmaak_f64 v[4:5], v[0:1], v[2:3], 0x3ff0000000000000", "v[0:1] v[2:3]", "v[4:5]", [(0x4008000000000000, 0x4000000000000000, 0x401c000000000000)], g)
    some(m, L, None, ["v_fmamk_f16 v3, v0, 0x4000, v1", "v_fmamk_f16 v3.l, v0.l, 0x4000, v1.l"], "v0 v1 v3", "v3", [(h3, h1, 0xaaaa5555, 0xaaaa4700)], w32)
    some(m, L, None, ["v_fmaak_f16 v3, v0, v1, 0x3c00", "v_fmaak_f16 v3.l, v0.l, v1.l, 0x3c00"], "v0 v1 v3", "v3", [(h3, h2, 0xaaaa5555, 0xaaaa4700)], w32)
    some(m, L, None, "v_pk_fmac_f16 v3, v0, v1", "v0 v1 v3", "v3", [(both(h2, h1), both(h3, h3), both(h1, h1), both(0x4700, 0x4400))], w32)
    some(m, L, None, ["v_fma_legacy_f32 v3, v0, v1, v2", "v_fma_dx9_zero_f32 v3, v0, v1, v2"], "v0 v1 v2", "v3", [(three, two, one_, 0x40e00000), (0, 0x7f800000, one_, one_)], ["gfx1030", "gfx1100", "gfx1150", "gfx1200"])
    some(m, L, None, ["v_fmac_legacy_f32 v3, v0, v1", "v_fmac_dx9_zero_f32 v3, v0, v1"], "v0 v1 v3", "v3", [(three, two, one_, 0x40e00000), (0, 0x7f800000, one_, one_)], ["gfx1030", "gfx1100", "gfx1150"])
    some(m, L, None, "v_mac_legacy_f32 v3, v0, v1", "v0 v1 v3", "v3", [(three, two, one_, 0x40e00000), (0, 0x7f800000, one_, one_)], ["gfx1010"])


def later_memory(m):
    L, w32 = "later", m.GFX10 + m.GFX11 + m.GFX12
    byte = lambda i: (i * 7 + (i >> 8)) & 255
    mem = lambda at, n: sum(byte(at + i) << 8 * i for i in range(n))
    some(m, L, None, "ds_store_b32 v0, v1; ds_cmpstore_b32 v0, v3, v2; ds_load_b32 v4, v0", "exec v0 v1 v2 v3", "v4", [(1, 8, 5, 5, 9, 9), (1, 8, 5, 6, 9, 5)], m.GFX11 + m.GFX12)
    some(m, L, None, "ds_store_b64 v0, v[2:3]; ds_cmpstore_b64 v0, v[4:5], v[6:7]; ds_load_b64 v[8:9], v0", "exec v0 v[2:3] v[6:7] v[4:5]", "v[8:9]", [(1, 8, 5, 5, 9, 9), (1, 8, 5, 6, 9, 5)], m.GFX11 + m.GFX12)
    some(m, L, None, "ds_store_b32 v0, v1; ds_cmpstore_f32 v0, v3, v2; ds_load_b32 v4, v0", "exec v0 v1 v2 v3", "v4", [(1, 8, 0x80000000, 0, 9, 9), (1, 8, 0x7fc00000, 0x7fc00000, 9, 0x7fc00000)], m.GFX11 + m.GFX12)
    for op, want in (("ds_min_num_f32", 0x3f800000), ("ds_max_num_f32", 0x40000000)):
        some(m, L, None, "ds_store_b32 v0, v1; %s v0, v2; ds_load_b32 v4, v0" % op, "exec v0 v1 v2", "v4", [(1, 8, 0x3f800000, 0x40000000, want)], m.GFX12)
    some(m, L, None, "ds_store_b32 v0, v1; ds_cond_sub_u32 v0, v2; ds_load_b32 v4, v0", "exec v0 v1 v2", "v4", [(1, 8, 9, 4, 5), (1, 8, 3, 4, 3)], m.GFX12)
    some(m, L, None, "ds_store_b32 v0, v1; ds_sub_clamp_u32 v0, v2; ds_load_b32 v4, v0", "exec v0 v1 v2", "v4", [(1, 8, 9, 4, 5), (1, 8, 3, 4, 0)], m.GFX12)
    some(m, L, None, "ds_store_2addr_stride64_b64 v0, v[2:3], v[4:5] offset0:0 offset1:1; ds_load_2addr_stride64_b64 v[8:11], v0 offset0:0 offset1:1; ds_load_b64 v[12:13], v0 offset:512", "exec v0 v[2:3] v[4:5]", "v[8:9] v[10:11] v[12:13]",
        [(1, 16, 7, 9, 7, 9, 9)], m.GFX11 + m.GFX12)
    some(m, L, None, "ds_store_2addr_stride64_b32 v0, v2, v4 offset0:0 offset1:1; ds_load_2addr_stride64_b32 v[8:9], v0 offset0:0 offset1:1; ds_storexchg_2addr_stride64_rtn_b32 v[10:11], v0, v4, v2 offset0:0 offset1:1; ds_load_b32 v12, v0",
        "exec v0 v2 v4", "v8 v9 v10 v11 v12", [(1, 16, 7, 9, 7, 9, 7, 9, 9)], m.GFX11 + m.GFX12)
    fl = (("fmin", "min_f32", "min_num_f32", 0x3f800000), ("fmax", "max_f32", "max_num_f32", 0x40000000))
    for a, b, c, want in fl:
        some(m, L, None, ["global_atomic_%s v[0:1], v2, off" % n for n in (a, b, c)], "exec v[0:1] v2 mem10", "mem10", [(1, "@10", 0x40000000 if want == 0x3f800000 else want, 0x3f800000, want)], w32)
        some(m, L, None, ["flat_atomic_%s v[0:1], v2" % n for n in (a, b, c)], "exec v[0:1] v2 mem10", "mem10", [(1, "@10", 0x40000000 if want == 0x3f800000 else want, 0x3f800000, want)], w32)
    some(m, L, None, ["global_atomic_fcmpswap v[0:1], v[2:3], off", "global_atomic_cmpswap_f32 v[0:1], v[2:3], off"], "exec v[0:1] v2 v3 mem10", "mem10", [(1, "@10", 9, 0x3f800000, 0x3f800000, 9)], m.GFX10 + m.GFX11)
    some(m, L, None, ["global_atomic_csub v4, v[0:1], v2, off glc", "global_atomic_csub_u32 v4, v[0:1], v2, off glc"], "exec v[0:1] v2 mem10", "v4 mem10", [(1, "@10", 4, 9, 9, 5)], ["gfx1030", "gfx1100"])
    for op in ("global_inv", "global_wb", "global_wbinv", "buffer_gl0_inv", "buffer_gl1_inv", "global_prefetch_b8 v[0:1], off", "flat_prefetch_b8 v[0:1]"):
        some(m, L, "changes nothing", op + "; v_mov_b32 v4, v2", "v[0:1] v2", "v4", [("@0", 5, 5)], w32)
    g = ["gfx1250"]
    # scale_offset counts in units of the access, also where all lanes have the same offset
    rows = [(12, 0x11223344, 3, 0x11223344), (16, 0x55667788, 4, 0x55667788)]
    some(m, L, "offset in units", "scratch_store_b32 v0, v1, off; scratch_load_b32 v2, v3, off scale_offset", "v0 v1 v3", "v2", rows, g)
    some(m, L, "offset in units", "scratch_store_b32 v3, v1, off offset:4 scale_offset; scratch_load_b32 v2, v0, off offset:4", "v0 v1 v3", "v2", rows, g)
    some(m, L, "offset in units", "scratch_store_b64 v3, v[4:5], off scale_offset; scratch_load_b64 v[6:7], v0, off", "v0 v3 v[4:5]", "v[6:7]",
        [(32, 4, 0x1122334455667788, 0x1122334455667788)], g)
    for name in ("global_load_monitor", "flat_load_monitor"):
        for n, dst in ((32, "v4"), (64, "v[4:5]"), (128, "v[4:7]")):
            off = ", off" if name.startswith("global") else ""
            some(m, L, None, "%s_b%d %s, v[0:1]%s offset:16" % (name, n, dst, off), "v[0:1]", dst, [("@0", mem(16, n // 8))], g)
    for n, dst in ((32, "v4"), (64, "v[4:5]"), (128, "v[4:7]")):
        some(m, L, None, "cluster_load_b%d %s, v2, s[4:5] offset:16" % (n, dst), "v2 s[4:5]", dst, [(4, "@0", mem(20, n // 8))], g)
    for kind in ("global_load_async_to_lds", "cluster_load_async_to_lds"):
        for n, load, dst in ((8, "ds_load_u8", "v4"), (32, "ds_load_b32", "v4"), (64, "ds_load_b64", "v[4:5]"), (128, "ds_load_b128", "v[4:7]")):
            some(m, L, None, "%s_b%d v1, v2, s[4:5]; s_wait_asynccnt 0; %s %s, v1" % (kind, n, load, dst), "exec v1 v2 s[4:5]", dst, [(1, 64, 32, "@0", mem(32, n // 8))], g)
    for n, store, src, v in ((8, "ds_store_b8", "v4", 0x5a), (32, "ds_store_b32", "v4", 0x12345678), (64, "ds_store_b64", "v[4:5]", 0x1122334455667788), (128, "ds_store_b128", "v[4:7]", 0x0102030405060708090a0b0c0d0e0f10)):
        got = (mem(32, 4) & 0xffffff00 | v) if n == 8 else v & 0xffffffff
        some(m, L, None, "%s v1, %s; global_store_async_from_lds_b%d v2, v1, s[4:5]; s_wait_asynccnt 0" % (store, src, n), "exec v1 v2 s[4:5] " + src, "mem20", [(1, 64, 32, "@0", v, got)], g)
    for name, store, value, want in (("d16_u8", 0x11223344, 0xaaaabbbb, 0xaaaa0044), ("d16_i8", 0x112233c4, 0xaaaabbbb, 0xaaaaffc4), ("d16_b16", 0x11223344, 0xaaaabbbb, 0xaaaa3344),
                                     ("d16_hi_u8", 0x11223344, 0xaaaabbbb, 0x0044bbbb), ("d16_hi_i8", 0x112233c4, 0xaaaabbbb, 0xffc4bbbb), ("d16_hi_b16", 0x11223344, 0xaaaabbbb, 0x3344bbbb)):
        some(m, L, None, "scratch_store_b32 v0, v1, off; scratch_load_%s v2, v0, off" % name, "v0 v1 v2", "v2", [(4, store, value, want)], m.GFX11 + m.GFX12)
    for name, want in (("d16_hi_b8", 0xffffff22), ("d16_hi_b16", 0xffff1122)):
        some(m, L, None, "scratch_store_b32 v0, v2, off; scratch_store_%s v0, v1, off; scratch_load_b32 v3, v0, off" % name, "v0 v1 v2", "v3", [(4, 0x11223344, 0xffffffff, want)], m.GFX11 + m.GFX12)

/* SPDX-License-Identifier: MIT
 *
 * The text form of cross-lane operations: what it reads, what it refuses and where.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <codeobj/subgroup.h>

static struct codeobj_lanes_op parse(const char *text)
{
    struct codeobj_lanes_op op;
    struct codeobj_diag diag = { 0 };
    if (codeobj_lanes_parse(text, &op, &diag) != CODEOBJ_OK)
        fail_msg("%s: %s", text, diag.text);
    return op;
}

static void dpp_forms(void **state)
{
    (void)state;
    struct codeobj_lanes_op op = parse("v_mov_b32_dpp row_ror:1 bound_ctrl:1");
    assert_int_equal(op.kind, CODEOBJ_LANES_DPP16);
    assert_int_equal(op.dpp.ctrl, 0x121);
    assert_int_equal(op.dpp.row_mask, 15);
    assert_true(op.dpp.bound_ctrl);
    op = parse("v_add_f32_dpp v0, v1, v[2:3] quad_perm:[1,0,3,2] row_mask:0xa bank_mask:0x3 fi:1");
    assert_int_equal(op.dpp.ctrl, 0xb1);
    assert_int_equal(op.dpp.row_mask, 10);
    assert_int_equal(op.dpp.bank_mask, 3);
    assert_true(op.dpp.fi);
    assert_false(op.dpp.bound_ctrl);
    assert_int_equal(parse("v_mov_b32_dpp row_bcast:31").dpp.ctrl, 0x143);
    assert_int_equal(parse("v_mov_b32_dpp wave_ror:1").dpp.ctrl, 0x13c);
    assert_int_equal(parse("v_mov_b32_dpp row_newbcast:7").dpp.ctrl, 0x157);
    assert_int_equal(parse("v_mov_b32_dpp row_half_mirror").dpp.ctrl, 0x141);
    op = parse("v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0]");
    assert_int_equal(op.kind, CODEOBJ_LANES_DPP8);
    assert_int_equal(op.dpp8, 0x053977);
}

static void swizzle_forms(void **state)
{
    (void)state;
    /* the offsets are what llvm-mc encodes */
    assert_int_equal(parse("ds_swizzle swizzle(BITMASK_PERM,\"01pip\")").offset, 0x0907);
    assert_int_equal(parse("ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM, 0, 1, 2, 3)").offset, 0x80e4);
    assert_int_equal(parse("ds_swizzle_b32 offset:swizzle(BROADCAST, 2, 1)").offset, 0x003e);
    assert_int_equal(parse("ds_swizzle_b32 offset:swizzle(SWAP,8)").offset, 0x201f);
    assert_int_equal(parse("ds_swizzle_b32 offset:swizzle(REVERSE,32)").offset, 0x7c1f);
    assert_int_equal(parse("ds_swizzle_b32 offset:0x101f").offset, 0x101f);
}

static void other_forms(void **state)
{
    (void)state;
    struct codeobj_lanes_op op = parse("shfl.dn.sg.32b 0x00181d02, 0xffffffff");
    assert_int_equal(op.kind, CODEOBJ_LANES_SHFL);
    assert_int_equal(op.shuffle, CODEOBJ_SHUFFLE_DOWN);
    assert_true(op.segmented);
    assert_int_equal(op.control, 0x00181d02);
    assert_int_equal(op.mask, 0xffffffff);
    op = parse("fred.absmax.nanp.hfx2 0xff");
    assert_int_equal(op.reduce, CODEOBJ_REDUCE_FABSMAX);
    assert_int_equal(op.format, CODEOBJ_FLOAT_F16);
    assert_true(op.packed && op.nanp);
    op = parse("ired.smin.16b 0xf");
    assert_int_equal(op.reduce, CODEOBJ_REDUCE_MIN);
    assert_int_equal(op.width, 16);
    op = parse("v_permlanex16_b32 v0, v1, 0x76543210, 0xfedcba98 op_sel:[1,0]");
    assert_int_equal(op.mask, UINT64_C(0xfedcba9876543210));
    assert_true(op.cross && op.fi && !op.bound_ctrl);
    op = parse("__shfl_xor(v, 8, 16)");
    assert_int_equal(op.kind, CODEOBJ_LANES_HIP_SHUFFLE);
    assert_int_equal(op.offset, 8);
    assert_int_equal(op.width, 16);
    assert_int_equal(parse("v_readlane_b32 s0, v1, 5").offset, 5);
    assert_int_equal(parse("wave_reduce_umin").reduce, CODEOBJ_REDUCE_UMIN);
    assert_int_equal(parse("v_mbcnt_hi_u32_b32_e64 v0, v1, v2").kind, CODEOBJ_LANES_MBCNT_HI);
    assert_true(parse("ds_bpermute_fi_b32 v0, v1, v2 offset:8").fi);
    assert_int_equal(parse("v_permlane32_swap_b32 v0, v1").width, 32);
    assert_int_equal(parse("redfirstidx.32b 0xf0").mask, 0xf0);
}

/* What stands in disassemblies and says nothing about lanes. */
static void pasted_lines(void **state)
{
    (void)state;
    assert_int_equal(parse("ds_bpermute_b32 v0 /*v768*/, v1, v2 /*v258*/ offset:8 // 000000: DACC0008").offset, 8);
    assert_int_equal(parse("ds_permute_b32 v0, v1, v2 offset:4 gds").offset, 4);
    assert_int_equal(parse("v_fma_f16_e64_dpp v38.h, -v71.h, -|ttmp7|, -|-0.5| op_sel:[1,1,1,1] clamp mul:2 "
                           "dpp8:[3,2,6,4,1,6,5,6] fi:1").kind, CODEOBJ_LANES_DPP8);
    assert_int_equal(parse("v_bitop3_b32_e64_dpp v0, v232, v24, v67 bitop3:0x89 row_shr:3").dpp.ctrl, 0x113);
    assert_int_equal(parse("v_cmp_le_u16_e64_dpp src_flat_scratch_base_lo, v0.l, v0.l row_share:3").dpp.ctrl, 0x153);
    assert_int_equal(parse("v_cvt_f32_fp8_e64_dpp v0, v1 byte_sel:2 row_mirror").dpp.ctrl, 0x140);
    assert_int_equal(parse("v_add_f32_e64_dpp v0, v1, 0.15915494 row_ror:15").dpp.ctrl, 0x12f);
    assert_int_equal(parse("s_wqm_b64 flat_scratch, lit(0x12)").mask, 0x12);
    assert_int_equal(parse("v_readlane_b32 xnack_mask_lo, v36, 61").offset, 61);
    assert_int_equal(parse("__shfl(2.5, 3)").offset, 3);
}

static void refuses(const char *text, enum codeobj_status status, uint64_t offset)
{
    struct codeobj_lanes_op op, untouched;
    struct codeobj_diag diag = { 0 };
    memset(&op, 0x5a, sizeof op);
    memset(&untouched, 0x5a, sizeof op);
    assert_int_equal(codeobj_lanes_parse(text, &op, &diag), status);
    assert_memory_equal(&op, &untouched, sizeof op);
    assert_true(diag.text[0] != 0);
    if (status == CODEOBJ_MALFORMED && diag.offset != offset)
        fail_msg("%s: offset %u, expected %u", text, (unsigned)diag.offset, (unsigned)offset);
}

static void refusals(void **state)
{
    (void)state;
    refuses("", CODEOBJ_MALFORMED, 0);
    refuses("v_add_f32 v0, v1", CODEOBJ_NOT_FOUND, 0);
    refuses("v_mov_b32_dpp row_ror:16", CODEOBJ_MALFORMED, 22);
    refuses("v_mov_b32_dpp row_ror:0", CODEOBJ_MALFORMED, 22);
    refuses("v_mov_b32_dpp row_bcast:16", CODEOBJ_MALFORMED, 23);
    refuses("v_mov_b32_dpp quad_perm:[0,1,2]", CODEOBJ_MALFORMED, 30);
    refuses("v_mov_b32_dpp row_mirror bogus:1", CODEOBJ_MALFORMED, 25);
    refuses("v_mov_b32_dpp row_mirror dpp8:[0,1,2,3,4,5,6,7]", CODEOBJ_MALFORMED, 47);
    refuses("ds_swizzle swizzle(BITMASK_PERM,\"01pix\")", CODEOBJ_MALFORMED, 37);
    refuses("ds_swizzle swizzle(SWAP,3)", CODEOBJ_MALFORMED, 24);
    refuses("ds_swizzle offset:0x10000", CODEOBJ_MALFORMED, 18);
    refuses("ds_swizzle offset:99999999999999999999999", CODEOBJ_MALFORMED, 18);
    refuses("shfl.dn.32b 1", CODEOBJ_MALFORMED, 13);
    refuses("shfl.left.32b 1, 2", CODEOBJ_NOT_FOUND, 0);
    refuses("fred.sum.f 1", CODEOBJ_NOT_FOUND, 0);
    refuses("v_readlane 1 2 3 4 5", CODEOBJ_MALFORMED, 13);
    refuses("v_readlane 0x", CODEOBJ_MALFORMED, 11);
    /* what an operation does not take */
    refuses("v_readlane_b32 s0, v1, 5 offset:4", CODEOBJ_MALFORMED, 25);
    refuses("ds_swizzle offset:4 row_mask:3", CODEOBJ_MALFORMED, 20);
    refuses("v_mov_b32_dpp v0, v1 row_mirror offset:4", CODEOBJ_MALFORMED, 32);
    refuses("v_mov_b32_dpp row_mirror row_shl:1", CODEOBJ_MALFORMED, 34);
    refuses("v_mov_b32_dpp quad_perm:[0,0,0,0] row_shl:1", CODEOBJ_MALFORMED, 43);
    refuses("v_mov_b32_dpp row_mask:3", CODEOBJ_MALFORMED, 24);
    refuses("v_mov_b32_dpp row_mirror rowmask", CODEOBJ_MALFORMED, 25);
    refuses("v_mov_b32_dpp v[0:1 row_mirror", CODEOBJ_MALFORMED, 15);
    refuses("s_mov_b32 row_mirror", CODEOBJ_NOT_FOUND, 0);
    refuses("v_permlane64_b32 v0, v1, 3", CODEOBJ_MALFORMED, 25);
    refuses("v_permlane16_b32 v0, v1, 0x100000000, 0", CODEOBJ_MALFORMED, 25);
    refuses("shfl.up.32b 1, 0x1ffffffff", CODEOBJ_MALFORMED, 15);
    refuses("shfl.up.32b 1, 2, 3", CODEOBJ_MALFORMED, 18);
    refuses("ds_bpermute_b32 offset:-4", CODEOBJ_MALFORMED, 23);
    refuses("__shfl(v, 1, 3)", CODEOBJ_MALFORMED, 13);
    refuses("__shfl(v, 1, 0)", CODEOBJ_MALFORMED, 13);
    refuses("__shfl(v, 1, 128)", CODEOBJ_MALFORMED, 13);
    refuses("__shfl_sync(v)", CODEOBJ_MALFORMED, 14);
    refuses("__activemask_sync(1)", CODEOBJ_NOT_FOUND, 0);
    refuses("wave_id 1, 2", CODEOBJ_MALFORMED, 12);
    refuses("wave_reduce_add_f32", CODEOBJ_NOT_FOUND, 0);
    refuses("wave_reduce_fadd_u32", CODEOBJ_NOT_FOUND, 0);
    refuses("s_wqm_b32 0x123456789", CODEOBJ_MALFORMED, 10);
    refuses("inverse_ballot", CODEOBJ_MALFORMED, 14);
    refuses("v_mov_b32_dpp v0, v1", CODEOBJ_MALFORMED, 20);
    refuses("__shfl(v, 99999999999999999999)", CODEOBJ_MALFORMED, 10);
    refuses("inverse_ballot 0x1ffffffffffffffff", CODEOBJ_MALFORMED, 15);
    refuses("v_permlane16_b32 1, 2 op_sel:[1,2]", CODEOBJ_MALFORMED, 32);
    /* modifiers of values, and fractions, where no value is computed */
    refuses("ds_bpermute_b32 v0, v1, v2 mul:2", CODEOBJ_MALFORMED, 27);
    refuses("v_readlane_b32 s0, v1, 5 clamp", CODEOBJ_MALFORMED, 25);
    refuses("v_readlane_b32 s0, v1, 5 gds", CODEOBJ_MALFORMED, 25);
    refuses("v_permlane16_b32 v0, v1, 1.0, 2", CODEOBJ_MALFORMED, 25);
    refuses("shfl.up.32b 1.5, 2", CODEOBJ_MALFORMED, 12);
    refuses("v_add_f32_dpp v0, 1.5x, v2 row_shl:1", CODEOBJ_MALFORMED, 18);
    refuses("ds_permute_b32 v0 /* no end", CODEOBJ_MALFORMED, 18);
}

static void suggests(const char *text, const char *name)
{
    struct codeobj_lanes_op op;
    struct codeobj_diag diag = { 0 };
    char want[96];
    snprintf(want, sizeof want, "did you mean \"%s\"?", name);
    assert_int_not_equal(codeobj_lanes_parse(text, &op, &diag), CODEOBJ_OK);
    if (!strstr(diag.text, want))
        fail_msg("%s: \"%s\", expected %s", text, diag.text, want);
}

static void nearest_names(void **state)
{
    (void)state;
    suggests("v_permlane61_b32 v0, v1", "v_permlane64_b32");
    suggests("ds_bpermut_b32", "ds_bpermute_b32");
    suggests("ds_swizle", "ds_swizzle");
    suggests("__shfl_dwn(v, 1)", "__shfl_down");
    suggests("__balot_sync(1, p)", "__ballot_sync");
    suggests("fred.absmx.nanp.hf 1", "fred.absmax.nanp.hf");
    suggests("ired.umax.32 1", "ired.umax.32b");
    suggests("shfl.dn.sg.33b 1, 2", "shfl.dn.sg.32b");
    suggests("wave_reduce_umn", "wave_reduce_umin");
    suggests("v_mfma_f32_32x32x8f61", "v_mfma_f32_32x32x8_f16");
    suggests("v_mov_b32_dpp row_miror:1", "row_mirror");
    suggests("v_mov_b32_dpp row_mirror bank_msk:1", "bank_mask");
}

/* Numbers in the middle of an instruction, signs, 64 bits, masks of _sync. */
static void numbers(void **state)
{
    (void)state;
    struct codeobj_lanes_op op = parse("v_mbcnt_lo_u32_b32 v3, v1, -2");
    assert_false(op.has_mask);
    assert_int_equal(op.offset, (uint32_t)-2);
    op = parse("v_mbcnt_hi_u32_b32 v3, -1, 5");
    assert_true(op.has_mask);
    assert_int_equal(op.mask, UINT32_MAX);
    assert_int_equal(op.offset, 5);
    op = parse("mbcnt_lo 0xff");
    assert_true(op.has_mask);
    assert_int_equal(op.mask, 0xff);
    op = parse("__shfl_sync(0xff00000000, v, -3, 16)");
    assert_true(op.sync);
    assert_int_equal(op.mask, UINT64_C(0xff00000000));
    assert_int_equal(op.offset, (uint32_t)-3);
    assert_int_equal(op.width, 16);
    op = parse("__ballot_sync(-1, p)");
    assert_int_equal(op.mask, UINT64_MAX);
    op = parse("s_wqm_b64 s[0:1], 0x8000000000000001");
    assert_int_equal(op.mask, UINT64_C(0x8000000000000001));
    op = parse("s_bcnt0_i32_b32 s0, -1");
    assert_int_equal(op.mask, UINT32_MAX);
    assert_int_equal(op.width, 32);
    assert_false(op.ones);
    op = parse("wave_id 1, 2, 3, 4, 5, 6");
    assert_int_equal(op.workitem[2], 3);
    assert_int_equal(parse("inverse_ballot 0xffffffffffffffff").mask, UINT64_MAX);
    assert_int_equal(parse("inverse_ballot 18446744073709551615").mask, UINT64_MAX);
    /* op_sel fetches inactive lanes of permlanes, and selects halves elsewhere */
    assert_true(parse("v_permlane16_b32 1, 2 op_sel:[1,0,0,0]").fi);
    assert_false(parse("v_add_f16_dpp v0.l, v1.h, v2.l op_sel:[1,0,0] dpp8:[0,1,2,3,4,5,6,7]").fi);
    assert_int_equal(op.workgroup[0], 4);
    op = parse("__builtin_amdgcn_wave_reduce_max_u64");
    assert_int_equal(op.reduce, CODEOBJ_REDUCE_UMAX);
    assert_int_equal(op.width, 64);
    assert_int_equal(parse("llvm.amdgcn.wave.reduce.umin.i32").reduce, CODEOBJ_REDUCE_UMIN);
    assert_int_equal(parse("llvm.amdgcn.ballot.i32").width, 32);
    assert_int_equal(parse("v_add_f32_dpp v0, -v1, |v2| row_shl:1 row_mask:0xf bank_mask:0xf").dpp.ctrl, 0x101);
    assert_int_equal(parse("v_add_f16_dpp v0.l, v1.h, v2.l op_sel:[1,0,0] dpp8:[0,1,2,3,4,5,6,7]").kind, CODEOBJ_LANES_DPP8);
    assert_int_equal(parse("v_cndmask_b32_dpp v0, v1, v2, vcc_lo quad_perm:[0,0,2,2] row_mask:0xf bank_mask:0xf").dpp.ctrl, 0xa0);
}

static void evaluation(void **state)
{
    (void)state;
    uint32_t data[64], index[64], old[64];
    struct codeobj_lanes_result r;
    for (unsigned i = 0; i < 64; i++)
        data[i] = 100 + i, index[i] = 4 * (63 - i), old[i] = 7;
    struct codeobj_lanes_op op = parse("ds_bpermute_b32");
    assert_int_equal(codeobj_lanes_eval(&op, codeobj_processor_by_name("gfx900"), 0xff, 64, data, index, old, &r, NULL),
                     CODEOBJ_OK);
    assert_int_equal(r.written, 0xff);
    assert_int_equal(r.value[0], 0); /* lane 63 is off */
    assert_int_equal(r.value[8], 7);
    assert_int_equal(
        codeobj_lanes_eval(&op, codeobj_processor_by_name("gfx1030"), UINT64_MAX, 64, data, index, old, &r, NULL),
        CODEOBJ_OK);
    assert_int_equal(r.value[0], 131); /* 63 mod 32 */
    op = parse("v_mov_b32_dpp row_shr:1 bound_ctrl:0");
    codeobj_lanes_eval(&op, codeobj_processor_by_name("gfx900"), UINT64_MAX, 64, data, NULL, old, &r, NULL);
    assert_int_equal(r.value[0], 0);
    codeobj_lanes_eval(&op, codeobj_processor_by_name("gfx1100"), UINT64_MAX, 32, data, NULL, old, &r, NULL);
    assert_int_equal(r.value[0], 7);
    op = parse("v_mov_b32_dpp row_xmask:1");
    struct codeobj_diag diag = { 0 };
    assert_int_equal(
        codeobj_lanes_eval(&op, codeobj_processor_by_name("gfx900"), UINT64_MAX, 64, data, NULL, old, &r, &diag),
        CODEOBJ_INVALID);
    /* the name of a control goes by the processor */
    op = parse("v_mov_b32_dpp row_share:1");
    assert_false(codeobj_lanes_available(&op, codeobj_processor_by_name("gfx90a")));
    assert_true(codeobj_lanes_available(&op, codeobj_processor_by_name("gfx1030")));
    op = parse("v_mov_b32_dpp row_newbcast:1");
    assert_true(codeobj_lanes_available(&op, codeobj_processor_by_name("gfx90a")));
    assert_false(codeobj_lanes_available(&op, codeobj_processor_by_name("gfx1030")));
    /* a mask that is not the active one */
    op = parse("__any_sync(0xff, p)");
    assert_int_equal(codeobj_lanes_eval(&op, NULL, 0xff, 64, data, NULL, old, &r, &diag), CODEOBJ_OK);
    assert_int_equal(r.scalar, 1);
    assert_int_equal(codeobj_lanes_eval(&op, NULL, 0x1ff, 64, data, NULL, old, &r, &diag), CODEOBJ_INVALID);
    /* 64 bits: low halves in data, high ones in index */
    op = parse("wave_reduce_add_u64");
    codeobj_lanes_eval(&op, NULL, 0x3, 64, data, index, old, &r, &diag);
    assert_int_equal(r.scalar, 201 | (UINT64_C(4) * (63 + 62)) << 32);
    op = parse("ired.sum.32b 0x3");
    codeobj_lanes_eval(&op, NULL, UINT64_MAX, 32, data, NULL, old, &r, NULL);
    assert_int_equal(r.value[1], 201);
    assert_int_equal(r.value[2], 7);
    assert_int_equal(codeobj_lanes_eval(&op, codeobj_processor_by_name("gfx900"), 1, 32, data, NULL, old, &r, &diag),
                     CODEOBJ_INVALID);
    op = parse("wave_reduce_add");
    codeobj_lanes_eval(&op, NULL, 0x7, 64, data, NULL, old, &r, NULL);
    assert_true(r.has_scalar);
    assert_int_equal(r.scalar, 303);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dpp_forms), cmocka_unit_test(swizzle_forms), cmocka_unit_test(other_forms),
        cmocka_unit_test(refusals),  cmocka_unit_test(evaluation),      cmocka_unit_test(nearest_names),
        cmocka_unit_test(numbers),   cmocka_unit_test(pasted_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

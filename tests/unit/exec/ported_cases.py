# SPDX-License-Identifier: MIT
"""The cases of gfx9 (gaps_cases.py) under the names that gfx10, gfx11 and gfx12 have for the same instructions, in wave64,
where masks are as wide, and on gfx1250 where there is no mask.  Values are those of the models there.  Left out is what
these processors do differently: the upper half of 16-bit results, masks of v_cmpx, VGPR indexing through MODE, formats in
descriptors, tiles of transposing loads."""
import re

W64 = ["gfx1010-w64", "gfx1030-w64", "gfx1100-w64", "gfx1150-w64", "gfx1200-w64"]
SIZES = {"": "b32", "x2": "b64", "x3": "b96", "x4": "b128", "x8": "b256", "x16": "b512"}
SMALL = {"ubyte": "u8", "sbyte": "i8", "ushort": "u16", "sshort": "i16", "byte": "b8", "short": "b16"}
ATOMS = {"swap": "b", "cmpswap": "b", "add": "u", "sub": "u", "smin": "i", "umin": "u", "smax": "i", "umax": "u", "and": "b", "or": "b", "xor": "b", "inc": "u", "dec": "u"}
WORDS = [(r"\bs_andn2_", "s_and_not1_"), (r"\bs_orn2_", "s_or_not1_"), (r"\bs_andn1_", "s_and_not0_"), (r"\bs_orn1_", "s_or_not0_"), (r"\bs_ff1_i32_", "s_ctz_i32_"),
         (r"\bs_flbit_i32_b", "s_clz_i32_u"), (r"\bs_flbit_i32 ", "s_cls_i32 "), (r"\bs_flbit_i32_i64", "s_cls_i32_i64"), (r"\bv_ffbl_b32", "v_ctz_i32_b32"), (r"\bv_ffbh_u32", "v_clz_i32_u32"),
         (r"\bv_ffbh_i32", "v_cls_i32"), (r"\bv_cvt_rpi_i32_f32", "v_cvt_nearest_i32_f32"), (r"\bv_cvt_flr_i32_f32", "v_cvt_floor_i32_f32"), (r"v_cvt_pkrtz_f16_f32", "v_cvt_pk_rtz_f16_f32"),
         (r"v_cvt_pknorm_", "v_cvt_pk_norm_"), (r"v_mul_legacy_f32", "v_mul_dx9_zero_f32"), (r"ds_read2st64_", "ds_load_2addr_stride64_"), (r"ds_write2st64_", "ds_store_2addr_stride64_"),
         (r"ds_read2_", "ds_load_2addr_"), (r"ds_write2_", "ds_store_2addr_"), (r"ds_wrxchg2st64_", "ds_storexchg_2addr_stride64_"), (r"ds_wrxchg2_", "ds_storexchg_2addr_"),
         (r"ds_wrxchg_", "ds_storexchg_"), (r"ds_read_", "ds_load_"), (r"ds_write_", "ds_store_"), (r"v_max_f64", "v_max_num_f64"), (r"v_min_f64", "v_min_num_f64"), (r"v_max_f32", "v_max_num_f32"),
         (r"v_min_f32", "v_min_num_f32"), (r"v_max_f16", "v_max_num_f16"), (r"v_min_f16", "v_min_num_f16"), (r"v_med3_f32", "v_med3_num_f32"), (r"v_med3_f16", "v_med3_num_f16"),
         (r"v_max3_f32", "v_max3_num_f32"), (r"v_min3_f32", "v_min3_num_f32"), (r"v_max3_f16", "v_max3_num_f16"), (r"v_min3_f16", "v_min3_num_f16"), (r"\bds_(min|max)(_rtn)?_f(32|64)", r"ds_\1_num\2_f\3")]


def waits_dropped(text):
    return "; ".join(p for p in (p.strip() for p in text.split(";")) if not p.startswith("s_waitcnt"))


def gfx11(text):
    t = re.sub(r"\b(s|s_buffer|buffer|global|flat|scratch)_(load|store)_dword(x\d+)?\b", lambda x: "%s_%s_%s" % (x[1], x[2], SIZES[x[3] or ""]), text)
    t = re.sub(r"_(load|store)_(ubyte|sbyte|byte|short)_d16(_hi)?\b", lambda x: "_%s_d16%s_%s" % (x[1], x[3] or "", SMALL[x[2]]), t)
    t = re.sub(r"_(load|store)_(ubyte|sbyte|ushort|sshort|byte|short)\b", lambda x: "_%s_%s" % (x[1], SMALL[x[2]]), t)
    t = re.sub(r"_(load|store)_format_d16(_hi)?_(\w+)", lambda x: "_%s_d16%s_format_%s" % (x[1], x[2] or "", x[3]), t)
    t = re.sub(r"\b(buffer|global|flat)_atomic_(\w+?)(_x2)?(?= )", lambda x: x[0] if x[2] not in ATOMS else "%s_atomic_%s_%s%s" % (
        x[1], {"smin": "min", "umin": "min", "smax": "max", "umax": "max"}.get(x[2], x[2]), ATOMS[x[2]], "64" if x[3] else "32"), t)
    t = re.sub(r"\bds_(read|write)_(\w+)", lambda x: x[0] if x[2] not in ("b8", "b16") else "ds_store_" + x[2], t)
    for a, b in WORDS[:25]:
        t = re.sub(a, b, t)
    return t


def gfx12(text):
    t = gfx11(text)
    for a, b in WORDS[25:]:
        t = re.sub(a, b, t)
    t = re.sub(r" glc\b", " th:TH_ATOMIC_RETURN" if "atomic" in t else "", t)
    t = re.sub(r"(s\[\d+:\d+\], )0((?: idxen| offen| offset:\d+| lds| th:\w+)*)$", r"\1null\2", t)
    return t


def gfx10(text):
    t = re.sub(r"\bv_(add|sub|subrev)_u32", r"v_\1_nc_u32", text)
    return re.sub(r"\bv_(add|sub)_u16", r"v_\1_nc_u16", t)


LEFT_OUT = re.compile(r"v_cmpx|gpr_idx|v_\w*(?:16|b16|u16|i16|mad_mix|mixlo|mixhi)\w* v\d|sdwa|row_bcast|wave_|s_setvskip|s_wrexec|quad_perm|row_|s_mem|s_getpc|a\[|\ba\d|_d16|v_mad_|v_mac_|accvgpr|mfma|gws|m0|_tr_b|buffer_(?:load|store)_format", re.I)


def make(m):
    for b in list(m.files["gaps"]):
        text = b["asm"][0]
        if LEFT_OUT.search(text) or LEFT_OUT.search(b["ins"] + " " + b["outs"]):
            continue
        bare = waits_dropped(text)
        forms = [bare, gfx10(bare), gfx11(bare), gfx11(gfx10(bare)), gfx12(bare), gfx12(gfx10(bare))]
        masks = re.search(r"vcc|exec|v_cmp|s\[\d+:\d+\], v|v\d+, s\[", text + b["ins"] + b["outs"])
        m.block("ported", list(dict.fromkeys(forms)), b["ins"], b["outs"], b["rows"], W64 + ([] if masks else ["gfx1250"]), b["mode"], optional=True)

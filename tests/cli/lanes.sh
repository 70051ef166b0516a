#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdreadobj --lanes: tables of cross-lane and matrix operations.
ro=${B:-build/release}/amdreadobj
n=0
is() { # description, expected output line, arguments...
    what=$1 line=$2
    shift 2
    n=$((n + 1))
    if "$ro" "$@" 2>&1 | grep -Fqx -- "$line"; then echo "ok $n - $what"; else
        echo "not ok $n - $what"
        "$ro" "$@" 2>&1 | head -20 | sed 's/^/# /'
    fi
}
status() { # description, expected status, arguments...
    what=$1 want=$2
    shift 2
    n=$((n + 1))
    "$ro" "$@" >/dev/null 2>&1
    got=$?
    if [ $got -eq "$want" ]; then echo "ok $n - $what"; else echo "not ok $n - $what: status $got, expected $want"; fi
}
is "row_ror turns a row" \
    "  16-31       31  16  17  18  19  20  21  22  23  24  25  26  27  28  29  30" \
    --lanes='v_mov_b32_dpp row_ror:1 bound_ctrl:1' --wave=32
is "both wave sizes without --wave" \
    "v_mov_b32_dpp row_mirror, wave64, EXEC 0xffffffffffffffff" --lanes='v_mov_b32_dpp row_mirror'
is "bitmask swizzle" \
    "   0-15       10  11   8   9  14  15  12  13  10  11   8   9  14  15  12  13" \
    --lanes='ds_swizzle swizzle(BITMASK_PERM,"01pip")' --wave=32
is "vendor-neutral shfl, lanes that stay" \
    "   0-15        2   3   4   5   4   5   6   7  10  11  12  13  12  13  14  15" \
    --lanes='shfl.dn.sg.32b 0x00181d02, 0xffffffff'
is "bpermute takes addresses from --values and EXEC from --exec" \
    "   0-7                - 0x00000000          - 0x00000001          -          -          -          -" \
    --lanes=ds_bpermute_b32 --values=0,0,12,4 --exec=0xa --wave=32
is "bpermute in halves on gfx1030" \
    "  32-47       32  33  34  35  36  37  38  39  40  41  42  43  44  45  46  47" \
    --lanes=ds_bpermute_b32 --values=0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60 --wave=64 --target=gfx1030
is "a scalar result" "  result      0x1f0" --lanes=wave_reduce_add --wave=32
is "MFMA: rows of A" "    33       1,4       1,5       1,6       1,7" --lanes=v_mfma_f32_32x32x8f16
is "JSON" '  "operation": "wave_reduce_add",' --lanes=wave_reduce_add --wave=32 --format=json
is "the place of a mistake" "amdreadobj: error: --lanes: 0x16: number out of range: found 16, expected 1 to 15" \
    --lanes='v_mov_b32_dpp row_ror:16'
status "not a cross-lane operation" 1 --lanes='v_add_f32 v0, v1'
status "row_xmask is not one of gfx900" 1 --lanes='v_mov_b32_dpp row_xmask:1' --target=gfx900
status "gfx900 has no wave32" 1 --lanes='v_mov_b32_dpp row_mirror' --target=gfx900 --wave=32
status "gfx900 alone has wave64" 0 --lanes='v_mov_b32_dpp row_mirror' --target=gfx900
status "bad values" 1 --lanes=ds_bpermute_b32 --values=1,x
status "values with a gap" 1 --lanes=ds_bpermute_b32 --values=1,,2
status "values that end in a comma" 1 --lanes=ds_bpermute_b32 --values=1,
status "no values" 1 --lanes=ds_bpermute_b32 --values=
status "65 values" 1 --lanes=ds_bpermute_b32 --values=$(seq -s, 1 65)
status "a value of 33 bits for lanes of 32" 1 --lanes=ds_bpermute_b32 --values=0x100000000
is "negative values" "   0-7       0xffffffff 0x00000002 0xffffffff 0x00000002 0xffffffff 0x00000002 0xffffffff 0x00000002" \
    --lanes='v_mov_b32_dpp quad_perm:[0,1,2,3]' --values=-1,2 --wave=32
is "a 64-bit reduction takes 64-bit values" "  result      0x8000000000000001" --lanes=wave_reduce_umax_u64 \
    --values=1,0x8000000000000001 --wave=64
is "wave_id" "  result      0x3" --lanes='wave_id 7, 2, 3, 10, 3, 4' --wave=32
is "wave_barrier moves nothing" "   0-15        -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -" \
    --lanes=wave_barrier --wave=32
is "s_bcnt" "  result      0x37" --lanes='s_bcnt0_i32_b64 0xff00000001' --wave=64
is "ballot of 32" "  result      0xfffffffe" --lanes=ballot.i32 --wave=64
is "ballot of 64" "  result      0xfffffffffffffffe" --lanes=ballot.i64 --wave=64
is "a _sync shuffle" "   0-15        3   3   3   3   3   3   3   3  11  11  11  11  11  11  11  11" \
    --lanes='__shfl_sync(0xffff, v, 3, 8)' --exec=0xffff --wave=32
is "a _sync mask that is not the active one" \
    "amdreadobj: error: --lanes: mask of a _sync call: found 0xf, expected the active lanes 0xff" \
    --lanes='__shfl_sync(0xf, v, 3, 8)' --exec=0xff --wave=32
is "__match_any" "   0-7       0x00005555 0x0000aaaa 0x00005555 0x0000aaaa 0x00005555 0x0000aaaa 0x00005555 0x0000aaaa" \
    --lanes='__match_any(v)' --values=5,6 --exec=0xffff --wave=32
is "the nearest name" \
    'amdreadobj: error: --lanes: not a cross-lane operation: "ds_bpermut_b32", did you mean "ds_bpermute_b32"?' \
    --lanes=ds_bpermut_b32
is "the nearest modifier" \
    'amdreadobj: error: --lanes: 0xe: unknown modifier "row_rol", did you mean "row_ror"?' --lanes='v_mov_b32_dpp row_rol:1'
is "the nearest matrix instruction" \
    'amdreadobj: error: --lanes: not a cross-lane operation: "v_mfma_f32_32x32x8f61", did you mean "v_mfma_f32_32x32x8_f16"?' \
    --lanes=v_mfma_f32_32x32x8f61
status "a modifier that the operation does not take" 1 --lanes='v_readlane_b32 5 offset:3'
status "a number too many" 1 --lanes='v_permlane64_b32 3'
status "permlane64 is not one of gfx1030" 1 --lanes=v_permlane64_b32 --target=gfx1030
status "a wave of 48" 1 --lanes=v_permlane64_b32 --wave=48
status "a mask that is no number" 1 --lanes=ballot --exec=all
is "MFMA with blgp" "    32     0:0,0" --lanes='v_mfma_f32_32x32x1_2b_f32 v[0:31], v1, v2, v[0:31] blgp:1'
is "MFMA with cbsz" "    40     0:8,0" --lanes='v_mfma_f32_32x32x1_2b_f32 cbsz:1 abid:0'
status "cbsz beyond the blocks" 1 --lanes='v_mfma_f32_32x32x1_2b_f32 cbsz:2'
status "an unknown modifier of MFMA" 1 --lanes='v_mfma_f32_32x32x1_2b_f32 csbz:1'
is "f8f6f4: the type of B" "B of v_mfma_f32_16x16x128_f8f6f4, wave64: fp4, k, column of N" \
    --lanes='v_mfma_f32_16x16x128_f8f6f4 cbsz:0 blgp:4'
is "gfx1250's layouts are a reading" \
    "  undocumented: no document of AMD's gives gfx1250's layouts, this is a reading" \
    --lanes=v_wmma_f32_16x16x32_f16 --target=gfx1250
is "and JSON says so" '      "documented": false,' --lanes=v_wmma_f32_16x16x32_f16 --target=gfx1250 --format=json
# Floats, by hand: f16 2.5 is 0x4100, bf16 -3 is 0xc040, f32 48 is 0x42400000, f64 48 is 0x4048000000000000.
is "a float reduction takes floats" "  as f32      2.5" --lanes='fred.max.f 0xf' --values=1.5,2.5,-inf,nan
is "and all are floats that are not in hex" "  result      0x42400000" --lanes=wave_reduce_fadd --values=1.0,2 --wave=32
is "and in hex they are patterns" "   0-7       0x0000c040 0x0000c040          -          -          -          -          -          -" \
    --lanes='fred.min.bf 0x3' --values=0x7fc0,-3.0
is "f16" "   0-7       0x00004100 0x00004100          -          -          -          -          -          -" \
    --lanes='fred.max.hf 0x3' --values=2.5,-7e0
is "packed f16: both halves" "  as f16      -0 (low half), -0 (high half)" --lanes='fred.min.hfx2 0x3' --values=1.5,-0.0
is "f64" "  result      0x4048000000000000" --lanes=wave_reduce_fadd_f64 --values=1.0,2 --wave=32
status "no floats for integers" 1 --lanes=wave_reduce_add --values=1.5
# What a processor has, and what its waves are.
is "a matrix instruction that the processor lacks" "amdreadobj: error: --lanes: gfx90a has no v_mfma_f32_16x16x128_f8f6f4" \
    --lanes=v_mfma_f32_16x16x128_f8f6f4 --target=gfx90a
is "a matrix instruction of another family" "amdreadobj: error: --lanes: gfx900 has no v_wmma_f32_16x16x16_f16" \
    --lanes=v_wmma_f32_16x16x16_f16 --target=gfx900
is "the older spelling of a matrix instruction" "     0       0,0       0,1       0,2       0,3" \
    --lanes=v_mfma_f32_32x32x8f16 --target=gfx942
is "a misspelt instruction with DPP" \
    'amdreadobj: error: --lanes: there is no vector instruction "v_mvo_b32_dpp", did you mean "v_mov_b32"?' \
    --lanes='v_mvo_b32_dpp row_ror:1'
is "an instruction that the processor lacks, with DPP" \
    'amdreadobj: error: --lanes: gfx900 has no vector instruction "v_add_nc_u32_dpp", did you mean "v_add_co_u32"?' \
    --lanes='v_add_nc_u32_dpp row_ror:1' --target=gfx900
status "gfx1250 has wave32 alone" 0 --lanes='v_permlane_up_b32 3' --target=gfx1250
status "gfx1250 has no wave64" 1 --lanes='v_permlane_up_b32 3' --target=gfx1250 --wave=64
is "a vendor-neutral operation where there is no wave32" \
    "  32-47        -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -" \
    --lanes='shfl.dn.sg.32b 0x00181d02, 0xffffffff' --target=gfx900
is "an EXEC of more than 64 bits" "amdreadobj: error: --exec: '0x1ffffffffffffffff' is not a number of 64 bits" \
    --lanes=ballot --exec=0x1ffffffffffffffff
is "--lanes alone" "amdreadobj: error: --lanes needs an argument (N[-M]|OPERATION)" --lanes
# Lines of a disassembly.
is "a constant and a comment" "   0-15        1   2   3   4   5   6   7   8   9  10  11  12  13  14  15   z" \
    --lanes='v_add_f32_e64_dpp v0 /*v768*/, v1, -|0.5| clamp mul:2 row_shl:1 bound_ctrl:1 // and another' --wave=32
is "sparse A: the set of indices" "  the index of element e is bits 16+2e (set 2) of the index register" \
    --lanes='v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[6:9], v10 abid:2'
is "WMMA of RDNA3: the upper halves" "  lane     v0.16     v1.16     v2.16     v3.16     v4.16     v5.16     v6.16     v7.16" \
    --lanes='v_wmma_f16_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7] op_sel:[0,0,1]' --target=gfx1100 --wave=32
is "formats of gfx1250" "B of v_wmma_f32_16x16x128_f8f6f4, wave32: fp4, k, column of N" \
    --lanes='v_wmma_f32_16x16x128_f8f6f4 matrix_a_fmt:MATRIX_FMT_BF8 matrix_b_fmt:MATRIX_FMT_FP4' --target=gfx1250
is "C that is wider than D" "C of v_wmma_bf16f32_16x16x32_bf16, wave32: f32, row, column" \
    --lanes=v_wmma_bf16f32_16x16x32_bf16 --target=gfx1250
status "a format that is none" 1 --lanes='v_mfma_f32_16x16x128_f8f6f4 cbsz:5'
status "op_sel without its list" 1 --lanes='v_wmma_f16_16x16x16_f16 op_sel'
n=$((n + 1))
if [ -z "$("$ro" --lanes=v_bogus --format=json 2>/dev/null)" ]; then echo "ok $n - no JSON after an error"; else
    echo "not ok $n - no JSON after an error"; fi
# Every text form of the list, in text and JSON.
n=$((n + 1))
bad=$(sed '/^#/d;/^$/d' fixtures/lanes/operations.list | awk -F' *[|] *' '{ print $4 }' | while read -r text; do
    "$ro" --lanes="$text" >/dev/null 2>&1 || echo "$text"
    "$ro" --lanes="$text" --format=json --values=3,0x80000000,-1 >/dev/null 2>&1 || echo "JSON $text"
done)
if [ -z "$bad" ]; then echo "ok $n - every operation of the list"; else
    echo "not ok $n - every operation of the list"
    echo "$bad" | sed 's/^/# /'
fi
# Every matrix instruction of the proofs, as it stands there.
n=$((n + 1))
bad=$(sed '/^#/d;/^$/d' fixtures/lanes/matrix.list | awk -F' *[|] *' '{ split($1, o, ","); sub(/-w[0-9]+$/, "", o[1]); print o[1] "|" $3 }' |
    while IFS='|' read -r cpu text; do
        "$ro" --lanes="$text" --target="$cpu" >/dev/null 2>&1 || echo "$cpu $text"
    done)
if [ -z "$bad" ]; then echo "ok $n - every matrix instruction of the list"; else
    echo "not ok $n - every matrix instruction of the list"
    echo "$bad" | sed 's/^/# /'
fi
# The commands of the manual page print what stands below them there.
n=$((n + 1))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v dir="$work" '
/^ *[$] amdreadobj / { on = ++n; indent = index($0, "$"); print substr($0, indent + 13) >(dir "/" n ".args"); next }
/^$/ || /^[.]/ { on = 0 }
on { print substr($0, indent) >(dir "/" on ".want") }' man/amdreadobj-lanes.7
for args in "$work"/*.args; do
    want=${args%.args}.want
    if ! eval "'$ro' $(cat "$args")" >"$work/got" 2>&1 || { [ -f "$want" ] && ! cmp -s "$want" "$work/got"; }; then
        echo "# amdreadobj $(cat "$args")"
        sed 's/^/# /' "$work/got"
    fi
done >"$work/report"
if [ ! -s "$work/report" ] && [ -f "$work/8.args" ]; then echo "ok $n - the manual page's examples"; else
    echo "not ok $n - the manual page's examples"
    head -40 "$work/report"
fi
echo "1..$n"

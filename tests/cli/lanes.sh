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
echo "1..$n"

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Kernel descriptors bit by bit beside llvm-objdump 22, and occupancy beside the
# remark of LLVM's code generator, over register counts, LDS and work-group sizes.
# LONG=1: every processor; else one of each layout, or those of CPUS.
set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
make -s MODE="$(basename "$B")" "$B/tests/core_peer" >&2 || { echo "not ok - core_peer builds"; exit 1; }
peer=$B/tests/core_peer
ok() { echo "ok - $1"; }
no() { echo "not ok - $1"; }

cpus="${CPUS:-gfx803 gfx900 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1151 gfx1200 gfx1250}"
[ -n "${LONG:-}" ] && cpus=$(llvm-mc-22 --triple=amdgcn -mcpu=help </dev/null 2>&1 | awk '/Select the gfx/{print $1}' | sort -u)

# ---- descriptors: each bit of a plain one flipped, but for those of the entry ----
# LLVM prints directives, or nothing when a reserved bit is set.  What it lets pass, and the guide does not: bits that
# the loader fills in, and preloading where there is none.  gfx125x has no wave64, whose granule it goes by there.
flips() {
    local accum= ; case $1 in gfx90a | gfx942 | gfx950 | gfx9-4-generic) accum=".amdhsa_accum_offset 8" ;; esac
    printf '.amdgcn_target "amdgcn-amd-amdhsa--%s"\n.amdhsa_code_object_version 6\nk:\ns_endpgm\n.rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 8\n%s\n.end_amdhsa_kernel\n' "$1" "$accum" |
        llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu="$1" -filetype=obj -o "$dir/a.o" - && llvm-objcopy-22 -O binary --only-section=.rodata "$dir/a.o" "$dir/a.bin" || return 1
    { printf '.amdgcn_target "amdgcn-amd-amdhsa--%s"\n.amdhsa_code_object_version 6\n.text\ns_endpgm\n.rodata\n.p2align 6\n' "$1"
      od -An -v -tu1 -w64 -N64 "$dir/a.bin" | awk '{
          for (i = 0; i < 64; i++) byte[i] = i >= 16 && i < 24 ? 0 : $(i + 1)
          for (b = 0; b < 512; b++) {
              if (b >= 128 && b < 192) continue
              printf ".globl k%d.kd\n.type k%d.kd,@object\n.size k%d.kd,64\nk%d.kd:\n.byte ", b, b, b, b
              bit = 2 ^ (b % 8)
              for (i = 0; i < 64; i++)
                  printf "%d%s", i != int(b / 8) ? byte[i] : int(byte[i] / bit) % 2 ? byte[i] - bit : byte[i] + bit, i < 63 ? "," : "\n"
          }
      }'; } | llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu="$1" -filetype=obj -o "$dir/a.o" -
}
same_flips() {
    flips "$1" || return 1
    llvm-objdump-22 -D -j .rodata "$dir/a.o" 2>/dev/null |
        awk '/^[0-9a-f]+ <k[0-9]+\.kd>:/ { k = $2; gsub(/[<>:]|\.kd/, "", k); next } $1 ~ /^\.amdhsa_/ && $1 !~ /kernel$/ { print k, $1, $2 }' >"$dir/theirs"
    "$peer" descriptors "$dir/a.o" | awk '$1 == ".amdhsa_kernel" { k = $2; next } { print k, $1, $2 }' >"$dir/ours"
    "$B/amdreadobj" --kernels "$dir/a.o" | awk '$1 == "kernel" { k = $2; sub(/,/, "", k) } /expected 0$/ { print k, (/the loader/ || /kernarg_preload at/) ? "lenient" : "reserved" }' >"$dir/reserved"
    awk -v cpu="$1" 'FILENAME ~ /theirs$/ { t[$1 " " $2] = $3; taken[$1] = 1; next }
         FILENAME ~ /reserved$/ { r[$1] = $2; next }
         { seen[$1] = 1 }
         ($1 " " $2) in t && t[$1 " " $2] != $3 && !(cpu ~ /gfx125/ && $1 == "k458") { print $1, $2, $3, "LLVM:", t[$1 " " $2]; bad++ }
         ($1 " " $2) in t { compared++ }
         END {
             for (k in seen) {
                 n++
                 if (!taken[k] && !r[k]) { print k, "LLVM refuses it"; bad++ }
                 if (taken[k] && r[k] == "reserved" && !(cpu ~ /gfx[78]/ && k == "k458")) { print k, "LLVM takes it"; bad++ }
             }
             if (n != 448 || compared < 3600) { print n, "descriptors,", compared + 0, "values compared"; bad++ }
             exit bad > 0
         }' "$dir/theirs" "$dir/reserved" "$dir/ours" >&2
}

# ---- occupancy: "VGPRs SGPRs LDS WORKGROUP" to a kernel each ----
# LLVM does not round LDS up to the granule: sizes are multiples of it here.  $1 largest SGPR count, $2 granule, $3 LDS of a work-group, $4 parts of it that are tried:
# 0 on processors whose kernels always have 96 SGPRs, where LLVM takes the least of both limits and whole work-groups fit less often
uses() {
    awk -v sgprs="$1" -v granule="$2" -v lds="$3" -v parts="$4" 'BEGIN {
        for (v = 1; v <= 256; v += v % 8 == 0 || v % 12 == 0 ? 1 : v % 4 ? 4 - v % 4 : 4) print v, 0, 0, 64
        for (s = 1; s <= sgprs; s += 2) print 1, s, 0, 64
        for (part = 0; part <= parts; part++)
            for (group = 32; group <= (parts ? 1024 : 64); group += group < 256 ? 32 : 128)
                print 1, 0, part ? int(lds / part / granule) * granule : 0, group
    }'
}
kernels() { # features
    awk -v features="$1" '{
        if ($3) printf "@l%d = internal addrspace(3) global [%d x i8] poison, align 4\n", NR, $3
        printf "define amdgpu_kernel void @k%d() #%d {\n", NR, NR
        if ($1 > 1) printf "call void asm sideeffect \"\", \"~{v%d}\"()\n", $1 - 1
        if ($2) printf "call void asm sideeffect \"\", \"~{s%d}\"()\n", $2 - 1
        if ($3) printf "store volatile i32 1, ptr addrspace(3) @l%d\n", NR
        printf "ret void\n}\nattributes #%d = { nounwind \"amdgpu-flat-work-group-size\"=\"%d,%d\" \"target-features\"=\"%s\" }\n", NR, $4, $4, features
    }'
}
same_occupancy() { # cpu features wave wgp
    local sgprs=102 granule=512 lds=65536 parts=16
    case $1 in gfx802 | gfx805) sgprs=96 parts=0 ;; gfx60*) granule=256 lds=32768 ;; gfx950) granule=1280 lds=163840 ;; gfx125*) granule=2048 lds=327680 ;; esac
    uses $sgprs $granule $lds $parts >"$dir/uses"
    kernels "$2" <"$dir/uses" | llc-22 -mtriple=amdgcn-amd-amdhsa -mcpu="$1" -O1 -o "$dir/k.s" - || return 1
    awk '/; LDSByteSize:/ { l = $3 } /; NumSGPRsForWavesPerEU:/ { s = $3 } /; NumVGPRsForWavesPerEU:/ { v = $3 } /; Occupancy:/ { print v, s, l, $3 }' "$dir/k.s" >"$dir/remarks"
    { echo "$1"; paste -d' ' "$dir/remarks" "$dir/uses" | awk -v wave="$3" -v wgp="$4" '{ print $1, $2, $3, $8, wave, wgp }'; } >"$dir/use"
    "$peer" occupancy "$dir/use" >"$dir/ours" && [ "$(wc -l <"$dir/ours")" = "$(wc -l <"$dir/uses")" ] || return 1
    paste -d' ' "$dir/ours" "$dir/remarks" "$dir/uses" | awk '$1 != $5 { print "VGPRs, SGPRs, LDS, work-group", $2, $3, $4, $9 ":", $1, "LLVM:", $5; bad++ } END { exit bad > 0 }' >&2
}

for c in $cpus; do
    case $c in
    gfx6* | gfx7*) ;; # LLVM does not disassemble for them
    *) if same_flips "$c"; then ok "descriptors of $c, bit by bit"; else no "descriptors of $c, bit by bit"; fi ;;
    esac
    case $c in
    gfx125*) modes="+wavefrontsize32,32,0" ;;
    gfx1*) modes="+wavefrontsize32:+cumode,32,0 +wavefrontsize32:-cumode,32,1 +wavefrontsize64:+cumode,64,0 +wavefrontsize64:-cumode,64,1" ;;
    *) modes=",64,0" ;;
    esac
    for m in $modes; do
        IFS=, read -r features wave wgp <<<"$m"
        name="occupancy on $c, wave$wave$([ "$wgp" = 1 ] && echo ", WGP mode")"
        if same_occupancy "$c" "${features//:/,}" "$wave" "$wgp"; then ok "$name"; else no "$name"; fi
    done
done

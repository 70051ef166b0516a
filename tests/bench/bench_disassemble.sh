#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Disassembly beside llvm-objdump-22 -d: 32 MB of .text, made of the code of real
# kernels, one thread each, processor seconds of both taken in one run.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
case ${B:=build/release} in /*) ;; *) B=$here/$B ;; esac
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
command -v llvm-objdump-22 >/dev/null || { echo "llvm-objdump-22 is not here"; exit 0; }
# user + system seconds of a command
seconds() { sh -c 'LC_ALL=C; "$@" >/dev/null 2>&1; times' sh "$@" | tail -n 1 | awk '{ t = 0; for (i = 1; i <= 2; i++) { split($i, a, "m"); t += a[1] * 60 + a[2] } print t }'; }
MB=${MB:-32}
for mcpu in ${TARGETS:-gfx900 gfx1100}; do
    object=$here/fixtures/objects/kernels-$mcpu-v6.co
    llvm-objcopy-22 -O binary --only-section=.text "$object" "$tmp/one" || exit 1
    size=$(wc -c <"$tmp/one")
    {
        echo ".amdgcn_target \"amdgcn-amd-amdhsa--$mcpu\""
        echo ".text"
        echo ".rept $((MB * 1000000 / size + 1))"
        echo ".incbin \"$tmp/one\""
        echo ".endr"
    } >"$tmp/all.s"
    llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu="$mcpu" -filetype=obj "$tmp/all.s" -o "$tmp/all.o" || exit 1
    bytes=$(($(wc -c <"$tmp/one") * (MB * 1000000 / size + 1)))
    ours=$(seconds "$B/amdreadobj" -d --threads=1 "$tmp/all.o")
    theirs=$(seconds llvm-objdump-22 -d "$tmp/all.o")
    decode=$("$B/bench/bench_disassemble" "$tmp/all.o" | cut -d' ' -f1)
    awk -v b="$bytes" -v o="$ours" -v t="$theirs" -v d="$decode" -v m="$mcpu" 'BEGIN {
        printf "%-28s %8.1f MB/s %8.2f MB/s %6.1f times  (40 times)\n", "listing " m, b / 1e6 / o, b / 1e6 / t, t / o
        printf "%-28s %8.1f MB/s %8.2f MB/s %6.1f times  (150 times)\n", "decoding " m, d, b / 1e6 / t, d / (b / 1e6 / t)
    }'
done

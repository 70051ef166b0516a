#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Disassembly beside llvm-objdump-22 -d: 32 MB of .text, made of the code of real
# kernels, one thread each, processor time of both taken turn about (bench_turns.c);
# and what all processors do for the listing, whose text has to be the same.
# MB=n and TARGETS="..." change the size and the processors, ROUNDS=n the rounds.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
case ${B:=build/release} in /*) ;; *) B=$here/$B ;; esac
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
command -v llvm-objdump-22 >/dev/null || { echo "llvm-objdump-22 is not here"; exit 0; }
MB=${MB:-32} ROUNDS=${ROUNDS:-3}
threads=$(nproc)
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
    bytes=$((size * (MB * 1000000 / size + 1)))
    # listing on one thread, on all, LLVM's: processor time, wall time, memory
    "$B/bench/bench_turns" "$ROUNDS" "$B/amdreadobj" -d --threads=1 "$tmp/all.o" -- "$B/amdreadobj" -d "$tmp/all.o" -- \
        llvm-objdump-22 -d "$tmp/all.o" >"$tmp/turns" || exit 1
    best=0
    for _i in 1 2 3 4 5; do
        line=$("$B/bench/bench_disassemble" "$tmp/all.o") || exit 1
        best=$(echo "$best ${line%% *}" | awk '{ print ($2 > $1) ? $2 : $1 }')
    done
    one=$("$B/amdreadobj" -d --threads=1 "$tmp/all.o" | cksum)
    all=$("$B/amdreadobj" -d --threads=4 "$tmp/all.o" | cksum)
    same=$([ "$one" = "$all" ] && echo "same text" || echo "ANOTHER TEXT")
    awk -v b="$bytes" -v d="$best" -v m="$mcpu" -v n="$threads" -v same="$same" '
        { cpu[NR] = $1; wall[NR] = $2; peak[NR] = $3 / 1024 }
        END {
            theirs = b / cpu[3]
            printf "%-28s %8.1f MB/s %8.2f MB/s %6.1f times  (target: 40 times)  %d MB, theirs %d MB\n", "listing " m, b / cpu[1], theirs, cpu[3] / cpu[1], peak[1], peak[3]
            printf "%-28s %8.1f MB/s %8.2f MB/s %6.1f times  (target: 150 times)\n", "decoding " m, d, theirs, d / theirs
            printf "%-28s %8.1f ms   %8.1f ms   %6.1f times  (target: all %d processors in order: %s)\n", "listing " m ", all threads", wall[2] / 1e3, wall[1] / 1e3, wall[1] / wall[2], n, same
        }' "$tmp/turns"
    [ "$one" = "$all" ] || exit 1
done

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The executor beside native code: bench_exec.c.  TARGETS="gfx942 gfx1100,wave64 ..." chooses processors,
# LANES="avx2 ..." builds of the lane loops; without it all that this machine can run, the slower ones briefly.
set -u
here=$(cd "$(dirname "$0")" && pwd)
B=${B:-build/release}
out=$B/bench/exec
mkdir -p "$out"
# Of each kind of processor one is measured in full, the others of RDNA, generic ones among them, by one line each.
others="gfx1010 gfx1010,wave64 gfx1011 gfx1012 gfx1013 gfx10-1-generic gfx1030,wave64 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 gfx10-3-generic
    gfx1101 gfx1102 gfx1103 gfx11-generic gfx1150 gfx1150,wave64 gfx1151 gfx1152 gfx1153 gfx1200 gfx1200,wave64 gfx1201,wave64 gfx12-generic"
[ -z "${TARGETS:-}${BRIEF:-}" ] || others=
objects= line_objects=
for target in ${TARGETS:-gfx90a gfx942 gfx1030 gfx1100 gfx1100,wave64 gfx1201 gfx1250} $others; do
    wave=
    case $target in *,wave64) wave="-mwavefrontsize64 -DWAVE64" ;; esac
    clang-22 -target amdgcn-amd-amdhsa -mcpu="${target%,*}" $wave -nogpulib -ffreestanding -std=gnu11 -O2 -ffp-contract=off \
        -Wno-pass-failed -Xclang -fdenormal-fp-math-f32=ieee,ieee -c -o "$out/$target.o" "$here/exec_kernels.c" || exit 1
    "$B/amdld" -shared -o "$out/$target.co" "$out/$target.o" || exit 1
    case " $(echo $others) " in
    *" $target "*) line_objects="$line_objects $out/$target.co" ;;
    *) objects="$objects $out/$target.co" ;;
    esac
done
# shellcheck disable=SC2086
if [ -n "${LANES:-}" ]; then
    for lanes in $LANES; do "$B/bench/bench_exec" --lanes="$lanes" ${BRIEF:+--brief} $objects || exit 1; done
    exit
fi
# shellcheck disable=SC2086
[ -z "$line_objects" ] || "$B/bench/bench_exec" --brief --only="full EXEC" $line_objects || exit 1
# shellcheck disable=SC2086
if grep -q '^flags.* avx512dq' /proc/cpuinfo 2>/dev/null; then
    "$B/bench/bench_exec" --lanes=avx512 $objects && "$B/bench/bench_exec" --lanes=avx2 --brief $objects || exit 1
elif grep -q '^flags.* avx2' /proc/cpuinfo 2>/dev/null; then
    "$B/bench/bench_exec" --lanes=avx2 $objects || exit 1
fi
# shellcheck disable=SC2086
exec "$B/bench/bench_exec" --lanes=base --brief $objects

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The executor beside native code: bench_exec.c.  TARGETS="gfx942 ..." chooses processors.
set -u
here=$(cd "$(dirname "$0")" && pwd)
B=${B:-build/release}
out=$B/bench/exec
mkdir -p "$out"
objects=
for mcpu in ${TARGETS:-gfx90a gfx942 gfx1100}; do
    clang-22 -target amdgcn-amd-amdhsa -mcpu="$mcpu" -nogpulib -ffreestanding -std=gnu11 -O2 -ffp-contract=off \
        -Xclang -fdenormal-fp-math-f32=ieee,ieee -c -o "$out/$mcpu.o" "$here/exec_kernels.c" || exit 1
    "$B/amdld" -shared -o "$out/$mcpu.co" "$out/$mcpu.o" || exit 1
    objects="$objects $out/$mcpu.co"
done
# shellcheck disable=SC2086
exec "$B/bench/bench_exec" $objects

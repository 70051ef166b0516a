#!/bin/sh
# SPDX-License-Identifier: MIT
#
# compile.sh host|device OUT SOURCE [FLAG ...]: one object, if its source or a
# header is newer.  kernels.sh exports CLANG, LINKER, HEADER and CASE_HEADER.
kind=$1 out=$2 src=$3
shift 3
unit=$(basename "$src") && unit=${unit%.*}
[ -e "$out" ] && [ "$out" -nt "$src" ] && [ "$out" -nt "$HEADER" ] && [ "$out" -nt "$0" ] &&
    { [ "$kind" = device ] || [ "$out" -nt "$CASE_HEADER" ]; } && exit 0
case $src in
*.cl) set -- -x cl -cl-std=CL2.0 "$@" ;;
*) set -- -std=gnu11 "$@" ;;
esac
# No contraction and no excess precision: each operation rounds once, on both machines.
set -- -ffp-contract=off -fwrapv -fno-strict-aliasing -Wall -Wextra "-DUNIT=\"$unit\"" "$@"
rm -f "$out"
if [ "$kind" = host ]; then
    "$CLANG" -O1 -D_GNU_SOURCE -Xclang -ffloat16-excess-precision=none "$@" -c -o "$out" "$src"
else
    "$CLANG" -target amdgcn-amd-amdhsa -nogpulib -ffreestanding -Xclang -fdenormal-fp-math-f32=ieee,ieee \
        "$@" -c -o "$out.o" "$src" && $LINKER -shared -o "$out" "$out.o" && rm -f "$out.o"
fi || echo "could not build $out" >&2

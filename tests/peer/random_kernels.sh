#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Random kernels (kernels/generate.c, fixed seeds) on the executor and on the CPU.
# usage: random_kernels.sh [option of kernels.sh ...]
# SEED=1 FILES=6 COUNT=25: first seed, number of source files, kernels in each.
set -u
here=$(cd "$(dirname "$0")" && pwd)
B=${B:-build/release}
work=$B/random-kernels
seed=${SEED:-1} files=${FILES:-6} count=${COUNT:-25}
# Seed 26 has a kernel (random_26_21) that clang 22 compiles wrongly from -O1 on: of two cases of a switch that assign a
# variable, the second falling in from the first, only the first one's lanes compute it.
[ -n "${LONG:-}" ] && files=${FILES:-25}
mkdir -p "$work"
${CC:-cc} -O1 -o "$work/generate" "$here/kernels/generate.c" || exit 1
rm -f "$work"/*.c
end=$((seed + files))
while [ "$seed" -lt "$end" ]; do
    # Kept under its name outside of the folder's *.c, so that an unchanged text keeps its age and its objects.
    "$work/generate" "$seed" "$count" >"$work/new" || exit 1
    cmp -s "$work/new" "$work/random_$seed.text" || cp "$work/new" "$work/random_$seed.text"
    cp -p "$work/random_$seed.text" "$work/random_$seed.c"
    seed=$((seed + 1))
done
exec "$here/kernels.sh" -s "$work" "$@"

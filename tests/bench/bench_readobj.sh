#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdreadobj beside llvm-readobj-22: everything (-a, --all) of a small object, of
# one of 14 MB and of a 20 MB archive; and, where librocsparse.so is at hand
# (ROCSPARSE=path), its 88,137 kernels.  Times include start-up.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
case ${B:=build/release} in /*) ;; *) B=$here/$B ;; esac
command -v llvm-readobj-22 >/dev/null || { echo "llvm-readobj-22 is not here"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# assembly KERNELS INSTRUCTIONS: an object with that many kernels
assembly() {
    awk -v n="$1" -v size="$2" 'BEGIN {
        print ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.amdhsa_code_object_version 5\n.text"
        for (i = 0; i < n; i++)
            printf ".globl k%d\n.protected k%d\n.p2align 8\n.type k%d,@function\nk%d:\n.fill %d,4,0xbf800000\ns_endpgm\n.Le%d:\n.size k%d,.Le%d-k%d\n", i, i, i, i, size, i, i, i, i
        print ".rodata"
        for (i = 0; i < n; i++)
            printf ".p2align 6\n.amdhsa_kernel k%d\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n", i
        print ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:"
        for (i = 0; i < n; i++) {
            printf "  - .name: k%d\n    .symbol: k%d.kd\n    .kernarg_segment_size: 24\n    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .kernarg_segment_align: 8\n    .wavefront_size: 64\n    .sgpr_count: 8\n    .vgpr_count: 8\n    .max_flat_workgroup_size: 256\n    .args:\n", i, i
            for (a = 0; a < 3; a++)
                printf "      - .offset: %d\n        .size: 8\n        .value_kind: global_buffer\n        .address_space: global\n", 8 * a
        }
        print "...\n.end_amdgpu_metadata"
    }'
}
object() {
    assembly "$1" "$2" >"$tmp/s.s"
    clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx900 -c -o "$tmp/s.o" "$tmp/s.s"
    ld.lld-22 -shared -o "$3" "$tmp/s.o"
}

# best RUNS EACH COMMAND: best time of a few rounds, in nanoseconds; a round is EACH runs, so
# that the clock's own start-up does not count
best() {
    _runs=$1 _each=$2
    shift 2
    _best=
    while [ "$_runs" -gt 0 ]; do
        _n=$_each
        _a=$(date +%s%N)
        while [ "$_n" -gt 0 ]; do
            "$@" >/dev/null 2>&1 || true
            _n=$((_n - 1))
        done
        _t=$((($(date +%s%N) - _a) / _each))
        if [ -z "$_best" ] || [ $_t -lt "$_best" ]; then _best=$_t; fi
        _runs=$((_runs - 1))
    done
    echo "$_best"
}
compare() { # NAME TARGET RUNS EACH FILE
    ours=$(best "$3" "$4" "$B/amdreadobj" -a "$5")
    theirs=$(best "$3" "$4" llvm-readobj-22 --all "$5")
    awk -v n="$1" -v t="$2" -v a="$ours" -v b="$theirs" \
        'BEGIN { printf "%-34s %9.2f ms %9.2f ms  %5.1f times  (target: %s)\n", n, a / 1e6, b / 1e6, b / a, t }'
}

compare "-a of a small object" 20 5 40 "$here/fixtures/containers/vadd.gfx900.co"
object 10000 200 "$tmp/big.co"
compare "-a of an object of $(($(wc -c <"$tmp/big.co") / 1000000)) MB" 3 3 1 "$tmp/big.co"
object 25 90 "$tmp/one.co"
mkdir "$tmp/m"
i=0
while [ $i -lt 800 ]; do cp "$tmp/one.co" "$tmp/m/$i.o"; i=$((i + 1)); done
(cd "$tmp/m" && llvm-ar-22 crS ../all.a ./*.o)
compare "-a of an archive of 800, $(($(wc -c <"$tmp/all.a") / 1000000)) MB" 5 3 1 "$tmp/all.a"
if [ -n "${ROCSPARSE:-}" ] && [ -e "$ROCSPARSE" ]; then
    ours=$(best 3 1 "$B/amdreadobj" "$ROCSPARSE")
    awk -v a="$ours" 'BEGIN { printf "%-34s %9.2f ms  (target: 1000 ms)\n", "all kernels of librocsparse", a / 1e6 }'
fi

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdreadobj beside llvm-readobj-22: everything (-a, --all) of a small object, of
# one of 14 MB and of a 20 MB archive of 800 members; and, where librocsparse.so is
# at hand (ROCSPARSE=path), its 88,137 kernels.  Processor time, start-up included.
# What starting and ending a process costs is no program's doing, and a good part of
# what is left of a run on a small object: it is measured with an empty static program.
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

# As it is installed: the system keeps a file that a linker wrote here and there in small pieces, and maps it more
# slowly (a tenth of a start) than one that was copied, as LLVM's programs were.
install -s "$B/amdreadobj" "$tmp/amdreadobj"
ours=$tmp/amdreadobj

# An empty program, linked and installed as amdreadobj is.
echo "int main(void) { return 0; }" >"$tmp/empty.c"
${CC:-cc} -O2 -static-pie -o "$tmp/linked" "$tmp/empty.c" 2>/dev/null || ${CC:-cc} -O2 -o "$tmp/linked" "$tmp/empty.c"
install -s "$tmp/linked" "$tmp/empty"

# NAME TARGET ROUNDS FILE: both turn about, start-up included: processor time on one thread, and wall time with all of
# them, which only an otherwise idle machine shows; memory is the peak
compare() {
    "$B/bench/bench_turns" "$3" "$ours" -a --threads=1 "$4" -- "$ours" -a "$4" -- llvm-readobj-22 --all "$4" -- \
        "$tmp/empty" >"$tmp/turns"
    awk -v n="$1" -v t="$2" '
        { cpu[NR] = $1 / 1e3; wall[NR] = $2 / 1e3; peak[NR] = $3 / 1024 }
        END {
            printf "%-34s %9.2f ms %9.2f ms  %5.1f times  (target: %s times)  %d MB, theirs %d MB\n", n, cpu[1], cpu[3], cpu[3] / cpu[1], t, peak[2], peak[3]
            if (cpu[1] < 10 * cpu[4] && cpu[1] > cpu[4])
                printf "%-34s %9.2f ms %9.2f ms  %5.1f times  (an empty program: %.2f ms)\n", "    on top of an empty program", cpu[1] - cpu[4], cpu[3] - cpu[4], (cpu[3] - cpu[4]) / (cpu[1] - cpu[4]), cpu[4]
            printf "%-34s %9.2f ms %9.2f ms  %5.1f times\n", "    by the clock, all threads", wall[2], wall[3], wall[3] / wall[2]
        }' "$tmp/turns"
}

compare "-a of a small object" 20 200 "$here/fixtures/containers/vadd.gfx900.co"
object 10000 150 "$tmp/big.co"
compare "-a of an object of $(($(wc -c <"$tmp/big.co") / 1000000)) MB" 3 7 "$tmp/big.co"
object 27 60 "$tmp/one.co"
mkdir "$tmp/m"
i=0
while [ $i -lt 800 ]; do cp "$tmp/one.co" "$tmp/m/$i.o"; i=$((i + 1)); done
(cd "$tmp/m" && llvm-ar-22 crS ../all.a ./*.o)
compare "-a of an archive of 800, $(($(wc -c <"$tmp/all.a") / 1000000)) MB" 5 7 "$tmp/all.a"
# All kernels of librocsparse.so with their metadata, where it is at hand.
if [ -n "${ROCSPARSE:-}" ] && [ -e "$ROCSPARSE" ]; then
    count=$("$ours" "$ROCSPARSE" | grep -c '^  kernel ')
    "$B/bench/bench_turns" 3 "$ours" "$ROCSPARSE" >"$tmp/turns"
    awk -v n="$count kernels of librocsparse" '
        { printf "%-34s %9.2f ms %9s     %5s        (target: 1000 ms, 100 MB)  %d MB\n", n, $1 / 1e3, "", "", $3 / 1024 }' "$tmp/turns"
else
    echo "kernels of librocsparse: ROCSPARSE=path of librocsparse.so (package librocsparse0) measures them (target: 1000 ms, 100 MB)"
fi

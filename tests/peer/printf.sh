#!/bin/sh
# SPDX-License-Identifier: MIT
#
# OpenCL's printf: fixtures/printf/print.cl compiled by clang-22 for each processor at -O0 and -O2 prints what the same
# source prints on the CPU.
dir=$(cd "$(dirname "$0")/../.." && pwd)
ro=${B:-build/release}/amdreadobj
CLANG=${CLANG:-clang-22}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
"$CLANG" -x c -DHOST -Wno-format -o "$tmp/print" "$dir/fixtures/printf/print.cl" && "$tmp/print" >"$tmp/want.txt"
cat >"$tmp/l.yaml" <<E
code-object: print.co
kernel: print
grid: 5
workgroup: 5
args:
  - buffer: {type: i32, data: [0, 1, -1, 123456789, -2147483648]}
  - buffer: {type: f64, data: [0.0, -1.5, 3.14159265358979, 1e300, 1e-5]}
  - buffer: {type: i64, data: [0, -1, 1, 9223372036854775807, -9223372036854775808]}
E
for cpu in gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1150 gfx1201; do
    for level in -O0 -O2; do
        n=$((n + 1))
        "$CLANG" -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=$cpu -nogpulib -Xclang -finclude-default-header $level \
            -Wno-format -o "$tmp/print.co" "$dir/fixtures/printf/print.cl" &&
            "$ro" --launch="$tmp/l.yaml" 2>"$tmp/err" | sed '$d' | cmp -s - "$tmp/want.txt"
        if [ $? -eq 0 ]; then echo "ok $n - printf on $cpu $level"; else
            echo "not ok $n - printf on $cpu $level"
            sed 's/^/# /' "$tmp/err"
        fi
    done
done
echo "1..$n"

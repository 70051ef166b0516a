#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdreadobj -d compared with llvm-objdump-22 on the objects of fixtures/: code,
# relocations, source lines and kernel descriptors, from the first section line on.
B=${B:-build/release}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
body() { sed -n '/^Disassembly/,$p'; }
# NAME FILE OURS... -- THEIRS...
same() {
    name=$1 file=$2
    "$B/amdreadobj" $3 "$file" 2>/dev/null | body >"$tmp/ours"
    timeout 60 llvm-objdump-22 $4 "$file" 2>/dev/null | body >"$tmp/theirs"
    if [ ! -s "$tmp/theirs" ]; then
        echo "ok - $name of $file # skip LLVM lists nothing"
    elif cmp -s "$tmp/ours" "$tmp/theirs"; then
        echo "ok - $name of $file"
    else
        echo "not ok - $name of $file"
        diff "$tmp/theirs" "$tmp/ours" | head -n 10 | sed 's/^/# /'
    fi
}
for f in fixtures/objects/*.o fixtures/objects/*.co fixtures/containers/*.co; do
    case $f in
    *kernel-v2*) continue ;; # LLVM shows bytes where we show code
    *gfx7*) continue ;;      # LLVM has no disassembler
    esac
    same listing "$f" "-d -r" "-d -r"
done
for f in fixtures/containers/*.co; do
    same descriptors "$f" "-D --section=.rodata" "-D -j .rodata"
done
cat >"$tmp/k.cl" <<'EOF'
kernel void k(global int *p, int n){
  int i = __builtin_amdgcn_workitem_id_x();
  if (i < n)
    p[i] = p[i] * 3 + n;
}
EOF
timeout 60 clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx900 -g -O1 -nogpulib -c "$tmp/k.cl" -o "$tmp/k.o" &&
    ld.lld-22 -shared "$tmp/k.o" -o "$tmp/k.co"
same "source" "$tmp/k.co" "-d -S" "-d -S"
same "lines" "$tmp/k.co" "-d -l" "-d -l"
same "source of ET_REL" "$tmp/k.o" "-d -S" "-d -S"

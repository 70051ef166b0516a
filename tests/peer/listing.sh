#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdreadobj -d compared with llvm-objdump-22 on the objects of fixtures/: code,
# relocations, source lines and kernel descriptors, from the first section line on;
# of objects of several compilers, of every code object version, and of code with
# words between the instructions that are none.
B=${B:-build/release}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# LLVM remarks on scalar registers with bits that nothing reads ("; Warning: "); here --explain marks all such words.
body() { sed -n '/^Disassembly/,$p' | sed 's/ ; Warning: .*//'; }
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
same "source and lines" "$tmp/k.co" "-d -S -l" "-d -S -l"
same "source and relocations of ET_REL" "$tmp/k.o" "-d -S -r" "-d -S -r"
same "source of ET_REL" "$tmp/k.o" "-d -S" "-d -S"
same "source and lines of ET_REL" "$tmp/k.o" "-d -S -l" "-d -S -l"

for f in fixtures/objects/*.co; do
    case $f in *gfx7*) continue ;; esac
    # LLVM shows the words of AMDGPU code even so.
    "$B/amdreadobj" -d --no-show-raw-insn "$f" | body >"$tmp/ours"
    llvm-objdump-22 -d "$f" | body | sed -E 's,(// [0-9A-F]+:)( [0-9A-F]{8})+,\1,' >"$tmp/theirs"
    if cmp -s "$tmp/ours" "$tmp/theirs"; then echo "ok - text without words of $f"; else
        echo "not ok - text without words of $f"
        diff "$tmp/theirs" "$tmp/ours" | head -n 10 | sed 's/^/# /'
    fi
    same descriptors "$f" "-D --section=.rodata" "-D -j .rodata"
    symbol=$(llvm-nm-22 --defined-only --format=just-symbols "$f" 2>/dev/null | grep -v '[.]' | sort | tail -n 1)
    [ -z "$symbol" ] || same "symbol $symbol" "$f" "-d --symbol=$symbol" "-d --disassemble-symbols=$symbol"
done

# Compilers and code object versions.
cl="clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -nogpulib -g -O2"
for v in 4 5 6; do
    $cl -mcpu=gfx1030 -mcode-object-version=$v -c "$tmp/k.cl" -o "$tmp/v$v.o" && ld.lld-22 -shared "$tmp/v$v.o" -o "$tmp/v$v.co"
    same "code object V$v" "$tmp/v$v.co" "-d -S -l" "-d -S -l"
    same "code object V$v, descriptors" "$tmp/v$v.co" "-D --section=.rodata" "-D -j .rodata"
    same "code object V$v, relocations" "$tmp/v$v.o" "-d -r" "-d -r"
done
cat >"$tmp/h.hip" <<'EOF'
#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
struct P { float x, y; };
DEVICE int table[4] = {1, 2, 3, 4};
DEVICE __attribute__((noinline)) float helper(const P &p, int n) { return n > 3 ? p.x * table[n & 3] : p.y - n; }
template <typename T> GLOBAL void scale(T *out, const P *in, int n) {
    SHARED T part[64];
    int i = __builtin_amdgcn_workitem_id_x() + __builtin_amdgcn_workgroup_id_x() * 64;
    part[i & 63] = i < n ? (T)helper(in[i], n) : 0;
    __builtin_amdgcn_s_barrier();
    for (int k = 32; k; k >>= 1) {
        if ((i & 63) < k)
            part[i & 63] += part[(i & 63) + k];
        __builtin_amdgcn_s_barrier();
    }
    if (!(i & 63))
        out[i] = part[0];
}
template GLOBAL void scale<float>(float *, const P *, int);
template GLOBAL void scale<double>(double *, const P *, int);
EOF
for m in gfx900 gfx90a gfx942 gfx1100 gfx1201 gfx1250; do
    clang-22 -x hip --offload-device-only --no-gpu-bundle-output --offload-arch=$m -nogpuinc -nogpulib -O2 -g -o "$tmp/h-$m.co" "$tmp/h.hip"
    same "HIP" "$tmp/h-$m.co" "-d" "-d"
    same "HIP, source and lines" "$tmp/h-$m.co" "-d -S -l" "-d -S -l"
    same "HIP, one symbol" "$tmp/h-$m.co" "-d --symbol=_Z5scaleIfEvPT_PK1Pi" "-d --disassemble-symbols=_Z5scaleIfEvPT_PK1Pi"
    same "HIP, descriptors" "$tmp/h-$m.co" "-D --section=.rodata" "-D -j .rodata"
done
cat >"$tmp/o.c" <<'EOF'
#pragma omp declare target
int helper(int a, int b) { return a > b ? a - b : a * b; }
#pragma omp end declare target
void run(float *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 + helper(i, n);
}
EOF
clang-22 -fopenmp -fopenmp-targets=amdgcn-amd-amdhsa -Xopenmp-target -march=gfx90a -nogpulib --offload-device-only -O2 -c "$tmp/o.c" -o "$tmp/o.bc" &&
    clang-22 -c -x ir "$tmp/o.bc" -target amdgcn-amd-amdhsa -mcpu=gfx90a -O2 -nogpulib -o "$tmp/omp.o"
same "OpenMP" "$tmp/omp.o" "-d -r" "-d -r"

# s_set_vgpr_msb over branches, calls, symbols, ends and words that are no instruction.
cat >"$tmp/msb.s" <<'EOF'
.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
.text
first:
 s_set_vgpr_msb 0x41
 v_mov_b32 v1, v2
 s_cbranch_scc0 over
 v_mov_b32 v1, v2
 s_set_vgpr_msb 0x80
 v_add_f32 v3, v4, v5
 s_call_i64 s[0:1], second
 v_add_f32 v3, v4, v5
over:
 v_mov_b32 v1, v2
 s_set_vgpr_msb 0xff
 v_fma_f32 v1, v2, v3, v4
 global_load_b32 v1, v[2:3], off
 ds_store_2addr_b32 v1, v2, v3
 buffer_load_b32 v1, v2, s[4:7], null offen
 .long 0xffffffff
 v_fma_f32 v1, v2, v3, v4
 s_set_vgpr_msb 0x55
second:
 v_fma_f32 v1, v2, v3, v4
 s_set_vgpr_msb 0x55
 v_dual_mov_b32 v4, v0 :: v_dual_mov_b32 v5, v1
 s_branch first
 v_mov_b32 v1, v2
 s_set_vgpr_msb 0x12
 s_endpgm
 v_mov_b32 v1, v2
.type third,@function
third:
 v_mov_b32 v1, v2
 s_set_vgpr_msb 0x12
 .long 0, 0, 0, 0
 v_mov_b32 v1, v2
EOF
llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=gfx1250 -filetype=obj "$tmp/msb.s" -o "$tmp/msb.o"
same "s_set_vgpr_msb" "$tmp/msb.o" "-d" "-d"

# Code with words of pure chance in it, as a section and as a raw file.
for m in gfx803 gfx900 gfx90a gfx1030 gfx1100 gfx1200 gfx1250; do
    llvm-objcopy-22 -O binary --only-section=.text "fixtures/objects/kernels-$m-v6.co" "$tmp/code"
    awk -v file="$tmp/code" -v size="$(wc -c <"$tmp/code")" -v cpu="$m" '
        function chance(n) { x = (x * 16807) % 2147483647; return x % n }
        BEGIN {
            x = 20260; print ".amdgcn_target \"amdgcn-amd-amdhsa--" cpu "\""; print ".text"
            for (i = 0; i < 300; i++) {
                printf ".incbin \"%s\", %d, %d\n", file, 4 * chance(size / 4 - 8), 4 * (1 + chance(6))
                for (n = 1 + chance(3); n; n--)
                    printf ".long 0x%04x%04x\n", chance(65536), chance(65536)
                if (i % 50 == 0) print "label" i ":"
                if (i % 37 == 0) print ".zero " 4 * chance(9)
            }
            print ".byte 1, 2, 3"
        }' >"$tmp/chance.s"
    llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=$m -filetype=obj "$tmp/chance.s" -o "$tmp/chance-$m.o"
    same "chance" "$tmp/chance-$m.o" "-d" "-d"
    # The same bytes with no symbols: a raw file has one heading of its own and no targets of branches.
    grep -v '^label' "$tmp/chance.s" >"$tmp/raw.s"
    llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=$m -filetype=obj "$tmp/raw.s" -o "$tmp/raw.o"
    llvm-objcopy-22 -O binary --only-section=.text "$tmp/raw.o" "$tmp/raw.bin"
    "$B/amdreadobj" --raw --mcpu=$m "$tmp/raw.bin" | sed '1,/^0000000000000000 <raw>:/d; s/<raw/<.text/' >"$tmp/ours"
    llvm-objdump-22 -d "$tmp/raw.o" | body | sed '1,/^0000000000000000 <.text>:/d' >"$tmp/theirs"
    if cmp -s "$tmp/ours" "$tmp/theirs"; then echo "ok - raw words, $m"; else
        echo "not ok - raw words, $m"
        diff "$tmp/theirs" "$tmp/ours" | head -n 10 | sed 's/^/# /'
    fi
done

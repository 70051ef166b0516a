#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdld in the place of ld.lld in command lines that compilers make (LLVM 22):
# plain C, OpenCL, HIP's, LTO and bitcode in archives, -r through clang.
. "$(dirname "$0")/../cli/tap.inc"
ld=$B/amdld
cd "$tmp" || exit 1
for n in lld ld.lld; do ln -s "$ld" $n; done
cat >kernel.c <<'X'
int helper(int);
__attribute__((amdgpu_kernel)) void kern(__attribute__((address_space(1))) int *p) { *p = helper(*p); }
X
cat >helper.c <<'X'
__attribute__((visibility("hidden"), noinline)) int helper(int x) { return x * 3 + 1; }
X
cat >kernel.cl <<'X'
kernel void k(global int *p) { p[__builtin_amdgcn_workitem_id_x()] = 7; }
X
cc="clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -O2"
exports() { llvm-readelf-22 --dyn-syms -W "$1" | awk 'NR > 3 && $7 != "UND" { print $4, $5, $6, $8 }' | sort; }
# flow NAME FILE LLD-FILE: both exist, export the same, and LLVM reads ours without a warning
flow() {
    _name=$1
    exports "$2" >ours.txt 2>ours.err
    exports "$3" >theirs.txt
    if cmp -s ours.txt theirs.txt && [ -s ours.txt ] && [ ! -s ours.err ] &&
        ! llvm-objdump-22 -d "$2" 2>&1 >/dev/null | grep .; then echo "ok - $_name"; else
        echo "not ok - $_name"
        diff theirs.txt ours.txt | sed 's/^/# /'
    fi
}
$cc kernel.c helper.c --ld-path="$ld" -o a1 && $cc kernel.c helper.c --ld-path="$(command -v ld.lld-22)" -o a2
flow "clang --ld-path, C" a1 a2
$cc -x cl kernel.cl -Xclang -finclude-default-header --ld-path="$ld" -o b1 && $cc -x cl kernel.cl -Xclang -finclude-default-header --ld-path="$(command -v ld.lld-22)" -o b2
flow "clang --ld-path, OpenCL" b1 b2
$cc -g -gz kernel.c helper.c --ld-path="$ld" -o g1 && $cc -g -gz kernel.c helper.c --ld-path="$(command -v ld.lld-22)" -o g2
flow "clang -g -gz" g1 g2
check "its debug information reads as before" sh -c "llvm-dwarfdump-22 --verify g1"
llvm-dwarfdump-22 --debug-line g1 | grep -v 'file format' >l1; llvm-dwarfdump-22 --debug-line g2 | grep -v 'file format' >l2
check "line tables are ld.lld's" cmp l1 l2
for f in kernel helper; do $cc -c $f.c -o $f.o; $cc -emit-llvm -c $f.c -o $f.bc; done
hip="-flavor gnu -m elf64_amdgpu --no-undefined -shared -plugin-opt=-amdgpu-internalize-symbols --lto-partitions=8 -plugin-opt=mcpu=gfx90a --whole-archive"
# shellcheck disable=SC2086
./lld $hip -o h1 kernel.o helper.o --no-whole-archive && lld-22 $hip -o h2 kernel.o helper.o --no-whole-archive
flow "HIP's command line" h1 h2
# shellcheck disable=SC2086
./lld $hip -o i1 kernel.bc helper.bc --no-whole-archive && lld-22 $hip -o i2 kernel.bc helper.bc --no-whole-archive
flow "HIP -fgpu-rdc: bitcode" i1 i2
check "bitcode keeps its target" test "$(llvm-readelf-22 -h i1 | grep Flags)" = "$(llvm-readelf-22 -h i2 | grep Flags)"
./ld.lld --no-undefined -shared -plugin-opt=mcpu=gfx90a kernel.bc helper.o -o j1 && ld.lld-22 --no-undefined -shared -plugin-opt=mcpu=gfx90a kernel.bc helper.o -o j2
flow "bitcode that needs an object" j1 j2
./ld.lld --no-undefined -shared -plugin-opt=mcpu=gfx90a kernel.o helper.bc -o j1 && ld.lld-22 --no-undefined -shared -plugin-opt=mcpu=gfx90a kernel.o helper.bc -o j2
flow "an object that needs bitcode" j1 j2
llvm-ar-22 rcs libhelper.a helper.bc
./ld.lld --no-undefined -shared -plugin-opt=mcpu=gfx90a -plugin-opt=-mattr=+xnack kernel.bc -L. -lhelper -o k1 && ld.lld-22 --no-undefined -shared -plugin-opt=mcpu=gfx90a -plugin-opt=-mattr=+xnack kernel.bc -L. -lhelper -o k2
flow "bitcode from an archive" k1 k2
check "-mattr reaches the compiler" test "$(llvm-readelf-22 -h k1 | grep Flags)" = "$(llvm-readelf-22 -h k2 | grep Flags)"
# ---- what LLVM's LTO drops is dropped here, and no more -----------------------------
cat >hide.c <<'X'
int helper(int);
__attribute__((amdgpu_kernel)) void kern(__attribute__((address_space(1))) int *p) { *p = helper(*p); }
__attribute__((visibility("hidden"), noinline)) int unused(int x) { return x * 5; }
__attribute__((visibility("hidden"))) int unused_variable = 4;
__attribute__((visibility("default"), noinline)) int exported(int x) { return x * 7; }
__attribute__((used, visibility("hidden"), noinline)) int kept(int x) { return x * 11; }
static __attribute__((used)) int kept_variable = 3;
X
cat >library.c <<'X'
__attribute__((visibility("hidden"), noinline)) int helper(int x) { return x * 3 + 1; }
__attribute__((visibility("default"), noinline)) int of_library(int x) { return x * 9; }
X
for f in hide library; do $cc -emit-llvm -c $f.c -o $f.bc; $cc -c $f.c -o $f.o; done
rm -f liblibrary.a libthin.a
llvm-ar-22 rcs liblibrary.a library.bc
llvm-ar-22 rcsT libthin.a library.bc
all_names() { llvm-nm-22 "$1" | awk '{ print $NF }' | sort; }
while read -r args; do
    # shellcheck disable=SC2086
    ./ld.lld --no-undefined -shared -plugin-opt=mcpu=gfx90a $args -o n1 && ld.lld-22 --no-undefined -shared -plugin-opt=mcpu=gfx90a $args -o n2
    flow "bitcode: $args" n1 n2
    all_names n1 >n1.txt
    all_names n2 >n2.txt
    check "its symbols" sh -c "[ -s n1.txt ] && diff n2.txt n1.txt"
done <<'X'
hide.bc library.bc
hide.bc library.o
hide.o library.bc
hide.bc -L. -llibrary
hide.bc -L. -llibrary --exclude-libs ALL
hide.bc --whole-archive liblibrary.a --exclude-libs liblibrary.a
hide.bc libthin.a
hide.bc library.bc --gc-sections
X
for emit in asm llvm; do # text and bitcode are clang's own, so what they define is compared
    rm -f e1 e2 e1.lto.s e2.lto.s
    ./ld.lld -shared -plugin-opt=mcpu=gfx90a --lto-emit-$emit hide.bc library.bc -o e1
    ld.lld-22 -shared -plugin-opt=mcpu=gfx90a --lto-emit-$emit hide.bc library.bc -o e2
    # shellcheck disable=SC2012
    check "--lto-emit-$emit writes the same files" test "$(ls e1* | tr 1 2)" = "$(ls e2*)"
done
# ---- what is hidden is internal before optimisation, where bitcode is all that there is ------------
cat >own.c <<'X'
int helper(int), missing(int);
__attribute__((visibility("hidden"))) int counter = 5;
__attribute__((visibility("hidden"), noinline)) int own(int x) { return x * 3 + counter; }
__attribute__((visibility("hidden"), weak)) int small(int x) { return x - 3; }
__attribute__((visibility("hidden"))) int table[4] = { 1, 2, 3, 4 };
__attribute__((amdgpu_kernel)) void k(int *p) { p[0] = helper(p[1]) + own(p[2]) + small(p[3]) + table[p[4]]; }
#ifdef MISSING
__attribute__((amdgpu_kernel)) void m(int *p) { *p = missing(*p); }
#endif
X
cat >other.c <<'X'
extern __attribute__((visibility("hidden"))) int counter;
static __attribute__((noinline)) int inner(int x) { return x ^ 0x1234; }
__attribute__((visibility("hidden"))) int helper(int x) { return inner(x) + 7 * counter; }
__attribute__((visibility("hidden"))) int unused(int x) { return inner(x) + 9; }
X
for f in own other; do $cc -emit-llvm -c $f.c -o $f.bc; done
$cc -DMISSING -emit-llvm -c own.c -o missing.bc
rm -f libother.a
llvm-ar-22 rcs libother.a other.bc
whole() { llvm-readelf-22 -sW "$1" | awk 'NF > 7 { print $4, $5, $6, $8 }' | sort; }
while read -r args; do
    # shellcheck disable=SC2086
    ./ld.lld -shared -plugin-opt=mcpu=gfx90a $args -o w1 && ld.lld-22 -shared -plugin-opt=mcpu=gfx90a $args -o w2
    whole w1 >w1.syms
    whole w2 >w2.syms
    check "whole program, $args: the same is left, binding and visibility included" sh -c "[ -s w2.syms ] && diff w2.syms w1.syms"
done <<'X'
own.bc other.bc
own.bc libother.a
own.bc other.bc -u unused --lto-O3 --lto-CGO3
X
for emit in asm llvm; do
    rm -f e1 e1.lto.s
    check "--lto-emit-$emit where a link would not succeed" sh -c "./ld.lld -shared --no-undefined -e nobody -plugin-opt=mcpu=gfx90a --lto-emit-$emit missing.bc other.bc -o e1 && ls e1*"
done
$cc -flto kernel.c helper.c --ld-path="$ld" -o m1 && $cc -flto kernel.c helper.c --ld-path="$(command -v ld.lld-22)" -o m2
flow "clang -flto" m1 m2
$cc -r kernel.o helper.o --ld-path="$ld" -o r1.o && ./ld.lld -shared r1.o -o r1 && ld.lld-22 -shared r1.o -o r2
flow "clang -r, linked by both" r1 r2
check "no clang: says what is needed" sh -c "! PATH=/nowhere '$ld' -shared kernel.bc -o n 2>err && grep -q 'lto-clang=PATH' err"

# ---- merged strings: the same sizes, and every pointer to the same text ---------------
cat >s1.s <<'X'
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.section .rodata.str1.1,"aMS",@progbits,1
.La: .asciz "alpha"
.Lb: .asciz "beta"
.Lc: .asciz "pha"
.section .rodata.cst8,"aM",@progbits,8
.Ld: .quad 1
.Le: .quad 2
.data
.globl p1
p1: .quad .La, .Lb, .Lc, .Ld, .Le
X
sed 's/p1/p2/; s/"beta"/"gamma"/; s/quad 2/quad 3/' s1.s >s2.s
for f in s1 s2; do llvm-mc-22 -triple amdgcn-amd-amdhsa -mcpu=gfx90a -filetype=obj $f.s -o $f.o; done
texts() { # the text or number that each relative relocation points to
    llvm-readelf-22 -rW "$1" | awk '/RELATIVE64/ { print $NF }' | while read -r a; do
        off=$((0x$a))
        dd if="$1" bs=1 skip=$off count=8 2>/dev/null | tr '\000' '\n' | head -n 1 | od -c | head -n 1
    done
}
for o in -O1 -O2; do
    ./ld.lld -shared $o s1.o s2.o -o t1 && ld.lld-22 -shared $o s1.o s2.o -o t2
    texts t1 >t1.txt
    texts t2 >t2.txt
    check "$o: pointers lead to the same texts" sh -c "test -s t1.txt && cmp t1.txt t2.txt"
    check "$o: .rodata has ld.lld's size" test "$(llvm-readelf-22 -SW t1 | awk '/\.rodata/ { print $7 }')" = "$(llvm-readelf-22 -SW t2 | awk '/\.rodata/ { print $7 }')"
done
# ---- rustc: a cdylib by the line that it makes for amdgcn-amd-amdhsa (where a rustc with that target is installed) ----
cat >k.rs <<'X'
#![feature(no_core, lang_items, abi_gpu_kernel)]
#![no_core]
#![allow(internal_features)]
#[lang = "pointee_sized"]
pub trait PointeeSized {}
#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}
#[lang = "sized"]
pub trait Sized: MetaSized {}
#[lang = "copy"]
pub trait Copy {}
impl Copy for i32 {}
#[unsafe(no_mangle)]
pub extern "gpu-kernel" fn kernel(x: *mut i32) {
    unsafe { *x = 5 }
}
X
rust() { # FOLDER LINKER
    mkdir -p "$1" && (cd "$1" && RUSTC_BOOTSTRAP=1 LLD_VERSION=x rustc -Z unstable-options --target amdgcn-amd-amdhsa -C target-cpu=gfx90a \
        --crate-type cdylib -C linker="$2" -C linker-flavor=gnu-lld -O ../k.rs -o k.so)
}
if rust rust2 "$(command -v lld-22)" >rust.log 2>&1; then
    check "rustc links with it" rust rust1 "$tmp/lld"
    check "rustc: the same image" cmp rust1/k.so rust2/k.so
else
    echo "ok - rustc # SKIP no rustc that makes code for amdgcn-amd-amdhsa"
fi

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Bitcode, with a stand-in for the compiler: what it is told to compile, and what becomes of hidden definitions.
. "$(dirname "$0")/tap.inc"
ld=$B/amdld
cd "$tmp" || exit 1
cp "$fix"/ld/a.o "$fix"/ld/b.o .
printf 'BC\300\336one' >one.bc
printf 'BC\300\336two' >two.bc
cat >modules.ll <<'X'
; ModuleID = 'one'
@plain = hidden local_unnamed_addr addrspace(1) global i32 5, align 4
@"a b" = weak_odr dso_local hidden addrspace(4) constant i32 1
@asked = hidden global i32 2
@seen = protected global i32 3
@elsewhere = external hidden global i32
@own = internal global i32 4
@llvm.used = appending hidden global [1 x ptr] [ptr @kept], section "llvm.metadata"
@say = hidden constant [9 x i8] c"= hidden "
@other_name = hidden alias i32, ptr @plain
define hidden noundef i32 @f(i32 %x) local_unnamed_addr #0 {
  ret i32 0
}
define linkonce_odr hidden i32 @"g @h"() {
define weak hidden void @kept() {
define protected amdgpu_kernel void @k(ptr %p) {
define available_externally hidden void @copy() {
declare hidden void @far()
define hidden void @asked_too() {
X
cat >want.ll <<'X'
; ModuleID = 'one'
@plain = internal local_unnamed_addr addrspace(1) global i32 5, align 4
@"a b" = internal dso_local addrspace(4) constant i32 1
@asked = hidden global i32 2
@seen = protected global i32 3
@elsewhere = external hidden global i32
@own = internal global i32 4
@llvm.used = appending hidden global [1 x ptr] [ptr @kept], section "llvm.metadata"
@say = internal constant [9 x i8] c"= hidden "
@other_name = internal alias i32, ptr @plain
define internal noundef i32 @f(i32 %x) local_unnamed_addr #0 {
  ret i32 0
}
define internal i32 @"g @h"() {
define internal void @kept() {
define protected amdgpu_kernel void @k(ptr %p) {
define available_externally hidden void @copy() {
declare hidden void @far()
define hidden void @asked_too() {
X
cat >clang <<'X'
#!/bin/sh
echo "$*" >>"$RUNS/runs"
for last; do input=$output output=$last; done
for a; do
    case $before in -x) kind=$a ;; ir) [ "$kind" = ir ] && input=$a ;; esac
    before=$a
done
case " $* " in
*" -disable-llvm-passes "*) cp "$RUNS/modules.ll" "$output" ;;
*) cp "$input" "$RUNS/compiled"; cp "$RUNS/b.o" "$output" ;;
esac
X
chmod +x clang
RUNS=$tmp
export RUNS
run_ld() { rm -f runs compiled; "$ld" --lto-clang="$tmp/clang" "$@" >out 2>err; }

check "a link of bitcode alone" run_ld -shared one.bc two.bc -u asked -e asked_too -o x
check "what is hidden is internal when it is compiled, but for what the command line names" cmp want.ll compiled
check "two runs: linking the modules, compiling one" sh -c "[ \$(wc -l <runs) = 2 ] && sed -n 1p runs | grep -q -e -mlink-bitcode-file && ! sed -n 2p runs | grep -q -e -mlink-bitcode-file"
printf 'BC\300\336one' >plain
check "an object may need what is hidden: the bitcode is compiled as it is" sh -c "'$ld' --lto-clang=$tmp/clang -shared one.bc a.o -o x 2>err; cmp plain compiled"
check "so may a script" sh -c "echo 'x = f;' >x.lds; '$ld' --lto-clang=$tmp/clang -shared one.bc x.lds -o x 2>err; cmp plain compiled"
run_ld -r one.bc -o x
check "and the next link, under -r" cmp plain compiled

# ---- --lto-emit-* ends when the bitcode is compiled --------------------------------------------------
rm -f e e.lto.s
check "--lto-emit-llvm although a symbol is undefined" run_ld -shared --no-undefined one.bc a.o --lto-emit-llvm -o e
check "writes what the compiler made" cmp b.o e
check "--lto-emit-asm writes OUTPUT.lto.s and no image" sh -c "rm -f e; '$ld' --lto-clang=$tmp/clang --no-undefined -shared one.bc --lto-emit-asm -o e && [ -s e.lto.s ] && [ ! -e e ]"
check "an input that is missing is an error all the same" sh -c "! '$ld' --lto-clang=$tmp/clang -shared one.bc missing.o --lto-emit-llvm -o e2 2>err && grep -q 'cannot open missing.o' err && [ ! -e e2 ]"

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Kernels run from launch files and from the command line.  Inputs and expected
# values are made here, as bytes.
. "$(dirname "$0")/tap.inc"
cp "$fix"/containers/vadd.*.co "$fix"/containers/plain.hipfb "$fix"/containers/v3.ccob "$tmp"
cd "$tmp" || exit 2

# floats N: N copies of a four-byte pattern
repeat() { awk -v n="$1" -v s="$2" 'BEGIN { while (n-- > 0) printf "%s", s }' | xxd_; }
# hex text to bytes, with printf alone
xxd_() { fold -w2 | while read -r b || [ -n "$b" ]; do printf "\\$(printf %03o "0x$b")"; done; }
repeat 100 0000803f >one.f32   # 1.0f
repeat 100 00000040 >two.f32   # 2.0f
repeat 100 00004040 >three.f32 # 3.0f

# 100 elements in work-groups of 64: the last one is ragged.
launch() { # CODE-OBJECT, what to expect
    cat <<E
code-object: $1
kernel: vadd
grid: [128]
workgroup: [64]
args:
  - buffer: {file: one.f32}
  - buffer: {file: two.f32}
  - buffer: {size: 408, fill: 0xee}
    save: out.bin
    expect: $2
  - value: {type: u32, data: 100}
E
}
for_target() { launch "$1" '{file: three.f32, type: f32}' >l.yaml && rm -f out.bin && run 0 "$ro" --launch=l.yaml &&
    has "$out" '^vadd: 2 work-groups, [24] waves, [0-9]+ wave instructions; 1 of 1 expectations hold$' &&
    { cat three.f32; printf '\356\356\356\356\356\356\356\356'; } | cmp - out.bin; }
gfx900() { for_target vadd.gfx900.co; }
gfx1100() { for_target vadd.gfx1100.co; }
gfx90a() { for_target vadd.gfx90axnack.co; }
in_bundle() { launch v3.ccob '{file: three.f32, type: f32}' | sed 's/^kernel:/target: gfx900\nkernel:/' >l.yaml && run 0 "$ro" --launch=l.yaml && has "$out" '1 of 1 expectations hold'; }
elsewhere() { mkdir -p sub && launch ../vadd.gfx900.co '{file: ../three.f32, type: f32}' | sed 's/: one/: ..\/one/; s/: two/: ..\/two/' >sub/l.yaml &&
    (cd / && run 0 "$ro" --launch="$tmp/sub/l.yaml") && [ -e sub/out.bin ]; }
inline() { launch vadd.gfx900.co '{data: [3, 3.0, 0x1.8p1], type: f32}' >l.yaml && run 0 "$ro" --launch=l.yaml; }
# The 5th element expected to be next to 3.0 instead.
mismatch() { { repeat 4 00004040; repeat 1 01004040; repeat 95 00004040; } >near.f32 && launch vadd.gfx900.co '{file: near.f32, type: f32}' >l.yaml &&
    run 1 "$ro" --launch=l.yaml && same 'amdreadobj: error: vadd: argument 2, element 4: got 3 (0x40400000), expected 3.00000024 (0x40400001), 1 ulp apart (1 of 100 elements differ)' "$err" && has "$out" '0 of 1 expectations hold'; }
within_ulp() { launch vadd.gfx900.co '{file: near.f32, type: f32, ulp: 1}' >l.yaml && run 0 "$ro" --launch=l.yaml; }
within_abs() { launch vadd.gfx900.co '{file: near.f32, type: f32, abs: 1e-6}' >l.yaml && run 0 "$ro" --launch=l.yaml; }
outside_rel() { launch vadd.gfx900.co '{file: near.f32, type: f32, rel: 1e-9}' >l.yaml && run 1 "$ro" --launch=l.yaml; }
as_words() { launch vadd.gfx900.co '{data: [1077936128, 0x40400000], type: u32}' >l.yaml && run 0 "$ro" --launch=l.yaml; }
# scale: LDS of the launch, a neighbour's lane number through it: a[i] * 2 * (i ^ 1)
local_pointer() { cat >l.yaml <<E
code-object: vadd.gfx900.co
kernel: scale.kd
grid: 4
workgroup: 4
args:
  - buffer: {type: f32, data: [1, 1, 1, 10]}
    expect: {type: f32, data: [2, 0, 6, 40]}
  - value: {type: f32, data: 2}
  - local: 16
E
    run 0 "$ro" --launch=l.yaml && sed 's/gfx900/gfx1100/' l.yaml >l11.yaml && run 0 "$ro" --launch=l11.yaml; }
command_line() { rm -f c.bin; run 0 "$ro" --run=vadd --grid=128 --workgroup=64 --arg=buffer:400:one.f32 --arg=buffer:400:two.f32 --arg=buffer:400::c.bin --arg=u32:100 vadd.gfx900.co && cmp c.bin three.f32; }
command_line_target() { run 0 "$ro" --target=gfx90a --run=vadd --grid=128 --workgroup=64 --arg=buffer:400:one.f32 --arg=buffer:400:two.f32 --arg=buffer:400::c2.bin --arg=bytes:64000000 plain.hipfb && cmp c2.bin three.f32; }
threads() { for t in 1 2; do run 0 "$ro" --threads=$t --run=vadd --grid=128 --workgroup=64 --arg=buffer:400:one.f32 --arg=buffer:400:two.f32 --arg=buffer:400::t$t.bin --arg=u32:100 vadd.gfx900.co || return 1; done; cmp t1.bin t2.bin; }
# A buffer that is too small: the fault says which argument, nothing is saved, status 2.
wild() { launch vadd.gfx900.co '{file: three.f32, type: f32}' | sed 's/size: 408/size: 200/; s/file: three.f32/data: 3/' >l.yaml && rm -f out.bin && run 2 "$ro" --launch=l.yaml &&
    has "$err" '^amdreadobj: error: .*kernel "vadd", work-group .*pc .*argument 2' && [ ! -e out.bin ]; }
budget() { launch vadd.gfx900.co '{file: three.f32, type: f32}' >l.yaml && rm -f out.bin && run 2 "$ro" --launch=l.yaml --max-instructions=20 && [ ! -e out.bin ]; }
trace() { launch vadd.gfx900.co '{file: three.f32, type: f32}' >l.yaml && run 0 "$ro" --launch=l.yaml --trace && has "$out" '^\[wg 0,0,0 wave 0\] \+0x0000  s_' && has "$out" '^\[wg 1,0,0 wave 0\] ' &&
    has "$out" ' v_add_f32_e32 v[0-9]+, .* v[0-9]+\[0-3\]=40400000,40400000,40400000,40400000$' && has "$out" ' s_endpgm +exec='; }
trace_filters() { run 0 "$ro" --launch=l.yaml --trace --workgroup-id=1 --lanes=2 --pc=0-4 && ! printf '%s\n' "$out" | grep -q 'wg 0,' && has "$out" '^\[wg 1,0,0 wave 0\] \+0x0000 ' && same 0 "$(printf '%s\n' "$out" | grep -c '+0x0[1-9]')" &&
    run 0 "$ro" --launch=l.yaml --trace --wave=1 && same 1 "$(printf '%s\n' "$out" | wc -l | tr -d ' ')" && run 0 "$ro" --launch=l.yaml --trace --lanes=5 && has "$out" 'v[0-9]+\[5-5\]=40400000$'; }

profile() { run 0 "$ro" --launch=l.yaml --profile && has "$out" '^ +2 +64\.0  \+0x0000  s_load_dword' && has "$out" '^ +2 +50\.0  \+0x[0-9a-f]+  v_add_f32_e32 '; }
stats() { run 0 "$ro" --launch=l.yaml --stats && has "$out" '^ +[0-9]+ +[0-9.]+ +50\.0  GLOBAL$' && has "$out" '^ +[0-9]+  100\.0 +all, [0-9]+ different$'; }
dump_state() { run 0 "$ro" --launch=l.yaml --dump-state --workgroup-id=1 --lanes=0-1 && same 1 "$(printf '%s\n' "$out" | grep -c 'ended: exec=')" && has "$out" '^  v2   40400000 40400000$' && has "$out" '^  s8  '; }

check "gfx900" gfx900
check "gfx1100" gfx1100
check "gfx90a" gfx90a
check "a code object in a compressed bundle" in_bundle
check "paths are relative to the launch file" elsewhere
check "expected data in the file" inline
check "the first mismatch is printed, status 1" mismatch
check "tolerance: ulp" within_ulp
check "tolerance: abs" within_abs
check "tolerance: rel" outside_rel
check "another type over the same bytes" as_words
check "--run" command_line
check "--run from a bundle" command_line_target
check "any number of threads" threads
check "a wild address" wild
check "an instruction budget" budget
check "--trace" trace
check "--trace filters" trace_filters
check "--profile" profile
check "--stats" stats
check "--dump-state" dump_state
check "a local pointer" local_pointer

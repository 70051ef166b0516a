#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Launch files and --run that are wrong: one line that says where and what, exit
# status 2, nothing written.
. "$(dirname "$0")/tap.inc"
cp "$fix"/containers/vadd.gfx900.co "$fix"/containers/vadd.gfx900.o "$fix"/containers/plain.hipfb "$tmp"
cd "$tmp" || exit 2

# refuses FILE-CONTENTS MESSAGE: what --launch prints
refuses() {
    printf '%s\n' "$1" >l.yaml
    run 2 "$ro" --launch=l.yaml && same "amdreadobj: error: $2" "$err" && same "" "$out"
}
head_='code-object: vadd.gfx900.co
kernel: vadd
grid: [64]
workgroup: 64'
b='  - buffer: {size: 256}'
good="args:
$b
$b
$b
  - value: {type: u32, data: 64}"

unknown_key() { refuses "$head_
colour: red" "l.yaml:5:1: unknown key 'colour' in launch file, expected code-object, target, kernel, grid, workgroup, dynamic-lds, args"; }
missing_key() { refuses 'code-object: x.co
grid: 1
workgroup: 1' "l.yaml:1:1: key 'kernel' is missing"; }
double_key() { refuses "$head_
grid: [1]" "l.yaml:5:1: key 'grid' is given twice"; }
not_yaml() { printf 'a: [1, 2\nb: c' >l.yaml && run 2 "$ro" --launch=l.yaml && has "$err" '^amdreadobj: error: l.yaml:2:[0-9]+: '; }
no_map() { refuses '- 1' "l.yaml:1:1: launch file: expected a map of keys and values"; }
empty() { : >l.yaml && run 2 "$ro" --launch=l.yaml && same "amdreadobj: error: l.yaml:1:1: the file is empty" "$err"; }
zero_grid() { refuses 'code-object: x.co
kernel: k
grid: [4, 0]
workgroup: 1' "l.yaml:3:11: grid: is 0"; }
four_dims() { refuses 'code-object: x.co
kernel: k
grid: [1, 1, 1, 1]
workgroup: 1' "l.yaml:3:7: grid: 4 numbers, expected one to three"; }
bad_type() { refuses "$head_
args: [{value: {type: u33, data: 1}}]" "l.yaml:5:23: type: unknown type 'u33', expected one of u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64"; }
bad_number() { refuses "$head_
args: [{value: {type: u8, data: [1, 256]}}]" "l.yaml:5:37: data: '256' is out of range for its type (type u8)"; }
negative() { refuses "$head_
args: [{value: {type: u32, data: -1}}]" "l.yaml:5:34: data: '-1' is out of range for its type (type u32)"; }
two_kinds() { refuses "$head_
args: [{local: 4, bytes: '00'}]" "l.yaml:5:8: argument: needs one of buffer, value, bytes, local"; }
save_value() { refuses "$head_
args: [{bytes: '00', save: x}]" "l.yaml:5:28: save and expect are for buffers"; }
odd_hex() { refuses "$head_
args: [{bytes: '0x1'}]" "l.yaml:5:16: bytes: '0x1' is not pairs of hex digits"; }
no_file() { refuses "$head_
args: [{buffer: {file: nope.bin}}]" "l.yaml:5:24: file: cannot read 'nope.bin': No such file or directory"; }
expect_large() { refuses "$head_
args: [{buffer: {size: 4}, expect: {type: u32, data: [1, 2]}}]" "l.yaml:5:36: expect: 8 bytes are more than the buffer's 4"; }
expect_ragged() { printf 'abc' >three && refuses "$head_
args: [{buffer: {size: 4}, expect: {type: u16, file: three}}]" "l.yaml:5:36: expect: 3 bytes are not whole elements of type u16"; }
no_kernel() { refuses 'code-object: vadd.gfx900.co
kernel: nope
grid: 1
workgroup: 1' "vadd.gfx900.co: no kernel 'nope'; it has vadd, scale"; }
relocatable() { refuses 'code-object: vadd.gfx900.o
kernel: vadd
grid: 1
workgroup: 1' "vadd.gfx900.o: relocatable object, cannot be run: link it first (amdld -shared)"; }
several() { refuses 'code-object: plain.hipfb
kernel: vadd
grid: 1
workgroup: 1' "plain.hipfb: holds several code objects (gfx900, gfx90a:xnack+): choose one with target:"; }
no_target() { refuses 'code-object: plain.hipfb
target: gfx1100
kernel: vadd
grid: 1
workgroup: 1' "plain.hipfb: no code object for that target; there are: gfx900, gfx90a:xnack+"; }
argument_count() { refuses "$head_
args: [{buffer: {size: 4}}]" "vadd: 1 arguments given, the kernel takes 4"; }
argument_size() { refuses "$head_
args:
$b
$b
$b
  - value: {type: u64, data: 64}" "vadd: argument 3 is 8 bytes, the kernel takes 4"; }
no_object() { refuses 'code-object: nope.co
kernel: k
grid: 1
workgroup: 1' "nope.co: cannot open: No such file or directory"; }
extra_file() { printf '%s\n' "$head_" >l.yaml && run 2 "$ro" --launch=l.yaml x && has "$err" "one too many"; }
run_usage() { run 2 "$ro" --run=vadd vadd.gfx900.co && same "amdreadobj: error: --run needs --grid and --workgroup" "$err"; }
run_arg() { run 2 "$ro" --run=vadd --grid=64 --workgroup=64 --arg=u32 vadd.gfx900.co && has "$err" '^amdreadobj: error: --arg=u32: expected buffer:'; }
run_grid() { run 2 "$ro" --run=vadd --grid=64,x --workgroup=64 vadd.gfx900.co && has "$err" '^amdreadobj: error: --grid=64,x: expected one to three numbers'; }
# Arguments are in place, the budget is one instruction: stopped, and nothing saved.
budget() { printf '%s\n%s\n' "$head_" "$good" | sed 's/size: 256}/size: 256}\n    save: out.bin/' >l.yaml && run 2 "$ro" --launch=l.yaml --max-instructions=1 && has "$err" 'vadd' && [ ! -e out.bin ]; }

for t in unknown_key missing_key double_key not_yaml no_map empty zero_grid four_dims bad_type bad_number negative two_kinds save_value odd_hex \
    no_file expect_large expect_ragged no_kernel relocatable several no_target argument_count argument_size no_object extra_file run_usage run_arg \
    run_grid budget; do
    check "refused: $t" $t
done

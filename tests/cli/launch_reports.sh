#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What a launch shows: printf, arguments, registers at a place, source lines of faults.
. "$(dirname "$0")/tap.inc"
cp "$fix"/printf/*.co "$fix"/printf/print.txt "$fix"/faults/*.co "$fix"/containers/vadd.gfx900.co "$tmp"
cd "$tmp" || exit 2

# printf prints what the same source prints on the CPU (print.txt), on every processor.
print_yaml() { cat <<E
code-object: print-$1.co
kernel: print
grid: 5
workgroup: 5
args:
  - buffer: {type: i32, data: [0, 1, -1, 123456789, -2147483648]}
  - buffer: {type: f64, data: [0.0, -1.5, 3.14159265358979, 1e300, 1e-5]}
  - buffer: {type: i64, data: [0, -1, 1, 9223372036854775807, -9223372036854775808]}
E
}
prints() { for cpu in gfx900 gfx90a gfx1100 gfx1201; do
    print_yaml $cpu >l.yaml && run 0 "$ro" --launch=l.yaml && sed '$d' .out >got.txt && cmp got.txt print.txt || return 1
done; }
vectors() { for cpu in gfx900 gfx90a gfx1100 gfx1201; do
    printf 'code-object: print-%s.co\nkernel: vectors\ngrid: 1\nworkgroup: 1\nargs: [{buffer: {type: f32, data: [1, -0.5, inf, 1e10]}}]\n' $cpu >l.yaml &&
        run 0 "$ro" --launch=l.yaml && same '1.000000,-0.500000,inf,10000000000.000000|1,-2|1,2,3,fa|-3,4
1.000000,-0.500000,inf|5,-6,7|0,1,2,3,4,5,6,-7|0.250000,-2.000000|8,-9
  1.00, -0.50,   inf,10000000000.00|00010,-0011' "$(printf '%s\n' "$out" | sed '$d')" || return 1
done; }
# More than the buffer holds: a warning behind what there was room for.
much() { printf 'code-object: print-gfx90a.co\nkernel: vectors\ngrid: 40000\nworkgroup: 64\nargs: [{buffer: {type: f32, data: [1, -0.5, inf, 1e10]}}]\n' >l.yaml && run 0 "$ro" --launch=l.yaml &&
    has "$err" "^amdreadobj: warning: printf: 419[0-9]{4} of the buffer's 4194304 bytes are used: output may be missing\$"; }
# Several work-groups print one after the other, whatever --threads says.
groups_print() { print_yaml gfx90a | sed 's/workgroup: 5/workgroup: 1/' >l.yaml && run 0 "$ro" --launch=l.yaml --threads=8 &&
    same 45 "$(sed '$d' .out | wc -l | tr -d ' ')"; }
hostcall() { run 2 "$ro" --run=hostcall --grid=1 --workgroup=1 --arg=buffer:8 print-gfx90a.co && has "$err" 'hostcall: printf, assert or malloc of the device library calls the host through hidden_hostcall_buffer, which is not implemented$'; }

fault() { run 2 "$ro" --run="$1" --grid=64 --workgroup=64 --arg=buffer:256 --max-instructions=1000 faults-"$2".co; }
# Each kind with the line of faults.s that it is marked in.
lines() { for cpu in gfx900 gfx1201; do for kind in read write atomic null read_only misaligned stack trap endless; do
    line=$(grep -En "// $kind(:|\$)" "$fix/faults/faults.s" | cut -d: -f1) &&
        fault $kind $cpu && has "$err" "^amdreadobj: error: faults-$cpu.co: kernel \"$kind\", work-group \(0,0,0\), wave [01].*; (\./)?faults\.s:$line\$" || return 1
done; done; }
# The whole message: who, where, the instruction, what, the nearest allocation, the line.
whole() { while IFS='|' read -r kind at instruction what near; do
    line=$(grep -En "// $kind(:|\$)" "$fix/faults/faults.s" | cut -d: -f1) && [ "$line" ] && fault "$kind" gfx1201 &&
        has "$err" "^amdreadobj: error: faults-gfx1201.co: kernel \"$kind\", work-group \(0,0,0\), wave 0$at, pc 0x[0-9a-f]+ \(\+0x[0-9a-f]+\), \"$instruction[^\"]*\": $what$near; (\./)?faults\.s:$line\$" || return 1
done <<EOF
read|, lane 4|global_load_b32 v|read of 4 bytes at 0x[0-9a-f]+: no memory there|; nearest is "argument 0" \[0x[0-9a-f]+, \+256\), 0 bytes past its end
write|, lane 0|global_store_b32 v|write of 4 bytes at 0x7777[0-9a-f]+: no memory there|; nearest is "[^"]+" \[0x[0-9a-f]+, \+[0-9]+\), [0-9]+ bytes past its end
atomic|, lane 0|global_atomic_add_u32 v|atomic of 4 bytes at 0x7777[0-9a-f]+: no memory there|; nearest is "[^"]+" \[0x[0-9a-f]+, \+[0-9]+\), [0-9]+ bytes past its end
null|, lane 0|global_load_b32 v|read of 4 bytes at 0x0: no memory there|; nearest is "[^"]+" \[0x[0-9a-f]+, \+[0-9]+\), [0-9]+ bytes before it
misaligned|, lane 0|global_atomic_add_u32 v|misaligned atomic of 4 bytes at 0x[0-9a-f]+1|; inside "argument 0" \[0x[0-9a-f]+, \+256\), at \+1
stack|, lane 0|flat_load_b32 v|scratch access at 0x7ffffff0: beyond the work-item's private segment \(stack overflow\)|
endless||s_branch|instruction budget used up|
deadlock||s_barrier_wait|deadlock: every wave of the work-group waits|
EOF
}
no_lines() { run 2 "$ro" --run=vadd --grid=64 --workgroup=64 --arg=buffer:4 --arg=buffer:256 --arg=buffer:256 --arg=u32:64 vadd.gfx900.co && has "$err" 'lane 1, .* nearest is "argument 0" .* past its end$'; }

vadd="--run=vadd --grid=64 --workgroup=64 --arg=buffer:256 --arg=buffer:256 --arg=buffer:256 --arg=u32:64 vadd.gfx900.co"
# The explicit argument by its name, the hidden ones by their kind.
kernarg() { run 0 "$ro" --dump-kernarg $vadd && has "$out" '^vadd: [0-9]+ bytes of kernel arguments at 0x[0-9a-f]+$' &&
    has "$out" '^  0x0018    4  .* 0x00000040$'; }
kernarg_hidden() { run 0 "$ro" --dump-kernarg --run=print --grid=5,1,1 --workgroup=5 --arg=buffer:20 --arg=buffer:40 --arg=buffer:40 print-gfx90a.co &&
    has "$out" '^  0x0060    8  hidden_printf_buffer +0x0000[0-9a-f]*[1-9a-f][0-9a-f]*$'; }
kernarg_raw() { run 2 "$ro" --dump-kernarg --run=trap --grid=64 --workgroup=64 --arg=buffer:256 faults-gfx900.co && has "$out" '^trap: 8 bytes of kernel arguments at ' && has "$out" '^  0x0000  [0-9a-f]{8} [0-9a-f]{8}$'; }

at_pc() { run 0 "$ro" --dump-state --pc=0 --lanes=0-1 $vadd && has "$out" '^\[wg 0,0,0 wave 0\] after \+0x0000: exec=ffffffffffffffff vcc=' &&
    same 1 "$(printf '%s\n' "$out" | grep -c 'exec=')" && ! printf '%s\n' "$out" | grep -q 'ended:'; }
at_end() { run 0 "$ro" --dump-state --lanes=0-1 $vadd && has "$out" '^\[wg 0,0,0 wave 0\] ended: exec='; }
# Accumulation registers behind the others: out of the kernel's share of one file (gfx90a), or in a file beside it.
agprs() { run 0 "$ro" --dump-state --lanes=0 --run=hip_match_any_lo --grid=64 --workgroup=64 --arg=buffer:256 --arg=buffer:256 --arg=buffer:256 --arg=buffer:256 --arg=u64:0 "$fix/lanes/builtins-gfx90a-w64.co" &&
    same 'v0 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 a0 a1 a2 a3' "$(printf '%s\n' "$out" | sed -n 's/^  \([va][0-9]*\).*/\1/p' | tr '\n' ' ' | sed 's/ $//')"; }
rate() { run 0 "$ro" --stats $vadd && has "$out" '^ +[0-9]+\.[0-9]{2} million wave instructions a second, counted one by one$'; }
# --launch has its geometry from the file: --workgroup filters there.
workgroup() { printf 'code-object: vadd.gfx900.co\nkernel: vadd\ngrid: 128\nworkgroup: 64\nargs: [{buffer: {size: 512}}, {buffer: {size: 512}}, {buffer: {size: 512}}, {value: {type: u32, data: 128}}]\n' >l.yaml &&
    run 0 "$ro" --launch=l.yaml --trace --workgroup=1 && has "$out" '^\[wg 1,0,0 ' && ! printf '%s\n' "$out" | grep -q '^\[wg 0,0,0 ' &&
    run 2 "$ro" --launch=l.yaml --trace --workgroup=x && has "$err" '^amdreadobj: error: --workgroup=x: expected one to three numbers'; }
bad_filters() { for o in --wave=x --wave=3-1 --pc=1- --workgroup-id=1,2,3,4; do
    run 2 "$ro" --trace $o $vadd && has "$err" "^amdreadobj: error: $o: expected" || return 1
done; }

check "printf prints what the CPU prints" prints
check "vectors in printf" vectors
check "printf of several work-groups" groups_print
check "printf: a full buffer" much
check "a hostcall stops with its name" hostcall
check "each fault has its source line" lines
check "each fault tells all there is to tell" whole
check "a fault without debug information" no_lines
check "--dump-kernarg" kernarg
check "--dump-kernarg: hidden arguments" kernarg_hidden
check "--dump-kernarg without metadata" kernarg_raw
check "--dump-state at a place" at_pc
check "--dump-state at the end" at_end
check "--dump-state: AGPRs" agprs
check "--stats: a rate" rate
check "--workgroup filters a launch" workgroup
check "filters that are wrong" bad_filters

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdld against ld.lld-22: one small object, 1,000 objects with cross references,
# a 100 MB object with 200,000 relocations, an archive of 5,000 members of which
# 2 % are needed.  Turn about (bench_turns); the least of each counts, by the clock
# and, in brackets, in processor time; memory is the peak.  An empty program of the
# C compiler at hand (static) stands beside the small object: what starting a process
# costs on this machine.  Needs LLVM 22 and 300 MB in TMPDIR.  ROUNDS=n changes the
# rounds.  A command that fails ends the bench with status 1.
top=$(cd "$(dirname "$0")/../.." && pwd)
case ${B:=build/release} in /*) ;; *) B=$top/$B ;; esac
command -v ld.lld-22 >/dev/null || { echo "ld: no ld.lld-22"; exit 0; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# A function in a section of its own: NAME, then what it calls.
awk -v n=1000 'BEGIN {
    for (i = 0; i < n; i++) {
        f = "many" i ".s"
        print ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"" > f
        for (k = 0; k < 20; k++) {
            name = "f" i "_" k
            print ".section .text." name ",\"ax\",@progbits\n.globl " name "\n.hidden " name "\n.type " name ",@function\n" name ":" > f
            for (r = 0; r < 4; r++) {
                to = "f" (i * 7 + k * 13 + r * 101) % n "_" (k + r) % 20
                print ".hidden " to "\ns_getpc_b64 s[4:5]\ns_add_u32 s4,s4," to "@rel32@lo+4\ns_addc_u32 s5,s5," to "@rel32@hi+12" > f
            }
            print "s_setpc_b64 s[30:31]\n.size " name ",.-" name > f
        }
        print ".section .rodata.str1.1,\"aMS\",@progbits,1" > f
        for (k = 0; k < 10; k++)
            print ".asciz \"string number " (i * 3 + k) % 777 " of the set\"" > f
        print ".data\n.quad f" i "_0, f" (i + 1) % n "_1" > f
        close(f)
    }
    for (i = 0; i < 5000; i++) {
        f = "part" i ".s"
        print ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"" > f
        for (k = 0; k < 8; k++) {
            name = "a" i "_" k
            print ".section .text." name ",\"ax\",@progbits\n.globl " name "\n.hidden " name "\n.type " name ",@function\n" name ":\n.fill 200,4,0xbf800000\n.size " name ",.-" name > f
        }
        close(f)
    }
    f = "user.s"
    print ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.globl user\nuser:" > f
    for (i = 0; i < 5000; i += 50)
        print ".hidden a" i "_3\ns_getpc_b64 s[4:5]\ns_add_u32 s4,s4,a" i "_3@rel32@lo+4\ns_addc_u32 s5,s5,a" i "_3@rel32@hi+12" > f
    f = "big.s"
    print ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"" > f
    for (k = 0; k < 1000; k++) {
        print ".section .text.b" k ",\"ax\",@progbits\n.globl b" k "\n.hidden b" k "\nb" k ":" > f
        for (r = 0; r < 100; r++) {
            to = "b" (k * 7 + r) % 1000
            print "s_getpc_b64 s[4:5]\ns_add_u32 s4,s4," to "@rel32@lo+4\ns_addc_u32 s5,s5," to "@rel32@hi+12\n.fill 256,4,0xbf800000" > f
        }
    }
}'
ls many*.s part*.s user.s big.s | sed 's/\.s$//' |
    xargs -P "$(nproc)" -I{} llvm-mc-22 -triple amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj {}.s -o {}.o || exit 1
llvm-ar-22 rcs parts.a part*.o || exit 1
rm -f ./*.s part*.o
ls many*.o >many.rsp
cp "$top/fixtures/demo/gfx900/helpers.o" small.o || exit 1
# As it is installed: what a linker wrote here and there in small pieces is mapped more slowly.
install -s "$B/amdld" amdld || exit 1
sync # what was written just now would be written back meanwhile

fail() {
    echo "ld: FAILED: $*" >&2
    exit 1
}
turns=$B/bench/bench_turns
[ -x "$turns" ] || fail "no $turns (make bench builds it)"

# compare NAME TARGET ROUNDS ARGS...
compare() {
    _name=$1 _target=$2 _rounds=$3
    shift 3
    ./amdld -shared "$@" -o ours || fail "amdld -shared $*"
    ld.lld-22 -shared "$@" -o theirs || fail "ld.lld-22 -shared $*"
    "$turns" "$_rounds" ./amdld -shared "$@" -o ours -- ld.lld-22 -shared "$@" -o theirs -- ./empty >turns || fail bench_turns
    awk -v n="$_name" -v target="$_target" -v floor="$floor" '
        { cpu[NR] = $1 / 1000; wall[NR] = $2 / 1000; peak[NR] = $3 / 1024 }
        END {
            printf "%-28s %8.2f ms %8.2f ms  %5.1fx  (target %sx)   [cpu %.2f ms, %.2f ms, %.1fx]  %.0f MB, theirs %.0f MB\n", n,
                wall[1], wall[2], wall[2] / wall[1], target, cpu[1], cpu[2], cpu[2] / cpu[1], peak[1], peak[2]
            if (floor)
                printf "%-28s %8.2f ms\n", "  an empty static program", wall[3]
        }' turns
    floor=
}
printf 'int main(void)\n{\n    return 0;\n}\n' >empty.c
${CC:-cc} -O2 -static -o empty empty.c 2>/dev/null || ${CC:-cc} -O2 -o empty empty.c || fail "${CC:-cc} empty.c"
floor=yes
compare "one small object" 20 "${ROUNDS:-100}" small.o
compare "1,000 objects" 2 "${ROUNDS:-9}" @many.rsp
compare "100 MB, 200,000 relocations" 1.5 "${ROUNDS:-9}" big.o
compare "archive, 100 of 5,000" 2 "${ROUNDS:-9}" user.o parts.a

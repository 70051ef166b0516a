#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdld against ld.lld-22: one small object, 1,000 objects with cross references,
# a 100 MB object with 200,000 relocations, an archive of 5,000 members of which
# 2 % are needed.  Turn about, the best of each counts; memory is the peak of one
# run.  Needs LLVM 22 and 300 MB in TMPDIR.  ROUNDS=n changes the rounds.
top=$(cd "$(dirname "$0")/../.." && pwd)
case ${B:=build/release} in /*) ;; *) B=$top/$B ;; esac
command -v ld.lld-22 >/dev/null || { echo "ld: no ld.lld-22"; exit 0; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

as() { llvm-mc-22 -triple amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj "$1.s" -o "$1.o"; }

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
cp "$top/fixtures/demo/gfx900/helpers.o" small.o

now() { date +%s%N; }
# run REPEAT LINKER ARGS...: microseconds a run
run() {
    _n=$1
    shift
    _t=$(now)
    _k=0
    while [ $_k -lt "$_n" ]; do
        "$@" >/dev/null 2>&1 || { echo "FAILED: $*" >&2; exit 1; }
        _k=$((_k + 1))
    done
    echo $((($(now) - _t) / 1000 / _n))
}
peak() { python3 -c 'import resource,subprocess,sys; subprocess.call(sys.argv[1:]); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' "$@" 2>/dev/null; }
compare() { # NAME TARGET REPEAT ARGS...
    _name=$1 _target=$2 _repeat=$3
    shift 3
    _ours=999999999 _theirs=999999999
    for _i in $(seq "${ROUNDS:-7}"); do
        _u=$(run "$_repeat" "$B/amdld" -shared "$@" -o ours) || exit 1
        [ "$_u" -lt "$_ours" ] && _ours=$_u
        _u=$(run "$_repeat" ld.lld-22 -shared "$@" -o theirs) || exit 1
        [ "$_u" -lt "$_theirs" ] && _theirs=$_u
    done
    awk -v n="$_name" -v o="$_ours" -v t="$_theirs" -v g="$_target" -v mo="$(peak "$B/amdld" -shared "$@" -o ours)" \
        -v mt="$(peak ld.lld-22 -shared "$@" -o theirs)" \
        'BEGIN { printf "%-28s %9.2f ms %9.2f ms  %6.1fx  (target %sx)   %s MB, theirs %s MB\n", n, o / 1000, t / 1000, t / o, g, mo, mt }'
}
compare "one small object" 20 20 small.o
compare "1,000 objects" 2 1 @many.rsp
compare "100 MB, 200,000 relocations" 1.5 1 big.o
compare "archive, 100 of 5,000" 2 1 user.o parts.a

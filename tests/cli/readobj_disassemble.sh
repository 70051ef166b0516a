#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdreadobj -d: layout, symbols, relocations, data between code, raw files, descriptors.
# Expected lines are llvm-objdump 22's.
. "$(dirname "$0")/tap.inc"

line() { # EXPECTED LINE, then the command's arguments
    _line=$1
    shift
    run 0 "$ro" "$@" || return 1
    printf '%s\n' "$out" | grep -Fxq -- "$_line" || { echo "no line: $_line"; printf '%s\n' "$out" | head -n 20; return 1; }
}
tab=$(printf '\t')
check "symbol heading" line "0000000000002200 <vadd>:" -d "$fix/objects/kernels-gfx900-v6.co"
check "text, address, words" line \
    "${tab}v_lshl_add_u32 v1, s6, 6, v0                               // 000000002208: D1FD0001 04010C06" \
    -d "$fix/objects/kernels-gfx900-v6.co"
check "relocation beside its word" line "${tab}${tab}000000000000005c:  R_AMDGPU_REL32_LO${tab}table+0x4" \
    -d -r "$fix/objects/kernels-gfx900-v6.o"
one_symbol() {
    run 0 "$ro" -d --symbol=vadd "$fix/objects/kernels-gfx900-v6.co" && same 1 "$(printf '%s\n' "$out" | grep -c '>:$')"
}
check "--symbol shows one" one_symbol
check "descriptor as directives" line "${tab}.amdhsa_next_free_vgpr 8" -D --section=.rodata "$fix/containers/vadd.gfx1100.co"
check "beside descriptors: words" line "${tab}.long 0x00000001                                           // 000000001180: 00000001" \
    -D --section=.rodata "$fix/objects/kernels-gfx1030-v6.co"
check "no words without -D" sh -c '! "$1" -d --section=.rodata "$2" | grep -q "<table>"' sh "$ro" "$fix/objects/kernels-gfx1030-v6.co"
printf '\007\000\200\275\000\000\200\277' >"$tmp/loop"
check "target of s_subvector_loop_begin" line \
    "${tab}s_subvector_loop_begin s0, 7                               // 000000000000: BD800007 <raw+0x20>" --raw --mcpu=gfx1030 "$tmp/loop"
check "kernel code object V2" line "${tab}s_endpgm                                                   // 000000000100: BF810000" \
    -d "$fix/objects/kernel-v2.o"

printf '\000\000\200\277\377\377\377\377\001\002' >"$tmp/raw"
check "raw: instruction" line "${tab}s_nop 0                                                    // 000000000000: BF800000" \
    --raw --mcpu=gfx900 "$tmp/raw"
check "raw: no instruction" line "${tab}.long 0xffffffff                                           // 000000000004: FFFFFFFF" \
    --raw --mcpu=gfx900 "$tmp/raw"
check "raw: the end" line "${tab}.byte 0x01, 0x02                                           // 000000000008: 01 02" \
    --raw --mcpu=gfx900 "$tmp/raw"
check "--explain says which field" \
    line "${tab}.long 0xffffffff                                           // 000000000004: FFFFFFFF ; encoding: found 0xffffffff, not an instruction of gfx900" \
    --raw --explain --mcpu=gfx900 "$tmp/raw"
printf '\005\000\121\340\000\144\017\175' >"$tmp/extra" # vdata is set where the result goes to LDS
check "--explain marks meaningless bits" \
    line "${tab}buffer_load_dword off, s[60:63], null offset:5 lds         // 000000000000: E0510005 7D0F6400 ; bits without meaning are set" \
    --raw --explain --mcpu=gfx900 "$tmp/extra"
check "bare text" line "${tab}s_nop 0" --raw --mcpu=gfx900 --no-show-raw-insn --no-addresses "$tmp/raw"
check "raw without a processor" run 2 "$ro" --raw "$tmp/raw"
check "unknown processor" run 1 "$ro" --raw --mcpu=gfx1 "$tmp/raw"

# The same text whatever the number of threads: 3 MB of code in one symbol.
big() {
    printf '\000\000\200\277\000\000\201\277\000\000\002\300\030\000\000\000' >"$tmp/big"
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
        cat "$tmp/big" "$tmp/big" >"$tmp/big2" && mv "$tmp/big2" "$tmp/big"
    done
    "$ro" --raw --mcpu=gfx900 --threads=1 "$tmp/big" | cksum >"$tmp/one"
    "$ro" --raw --mcpu=gfx900 --threads=7 "$tmp/big" | cksum >"$tmp/seven"
    same "$(cat "$tmp/one")" "$(cat "$tmp/seven")"
}
check "threads keep the order" big

# s_set_vgpr_msb of gfx1250 lasts until a branch, over the pieces that threads take.
many_msb() {
    printf '\101\000\206\277' >"$tmp/block"
    for _ in 1 2 3 4 5 6; do
        printf '\002\007\002\006\174\000\005\356\000\000\000\000\002\000\000\000' >>"$tmp/block"
    done
    cp "$tmp/block" "$tmp/msb"
    printf '\001\000\240\277' >>"$tmp/msb"
    for _ in 1 2 3 4 5 6; do
        cat "$tmp/block" "$tmp/msb" "$tmp/block" "$tmp/msb" "$tmp/msb" "$tmp/block" "$tmp/msb" >"$tmp/more" && mv "$tmp/more" "$tmp/msb"
    done
    "$ro" -d --raw --mcpu=gfx1250 --threads=1 "$tmp/msb" >"$tmp/one" && grep -q 'v1 /\*v257\*/' "$tmp/one" || return 1
    for n in 2 3 7; do
        "$ro" -d --raw --mcpu=gfx1250 --threads="$n" "$tmp/msb" >"$tmp/many" && cmp "$tmp/one" "$tmp/many" || return 1
    done
}
check "s_set_vgpr_msb on several threads" many_msb

# Threads begin wherever their share does, and what they find there does not always tell where a line starts:
# equal words that are all halves of instructions, blocks of zeros, words of pure chance, no branch after s_set_vgpr_msb.
hard() { # PROCESSOR
    "$ro" --raw --mcpu="$1" --threads=1 "$tmp/hard" >"$tmp/one" && [ -s "$tmp/one" ] || return 1
    for n in 2 3 8; do
        "$ro" --raw --mcpu="$1" --threads="$n" "$tmp/hard" >"$tmp/many" && cmp "$tmp/one" "$tmp/many" || return 1
    done
}
hard_shares() {
    printf '\000\000\321\321' >"$tmp/half" # 0xd1d10000, first and second word of a v_med3
    for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do cat "$tmp/half" "$tmp/half" >"$tmp/h" && mv "$tmp/h" "$tmp/half"; done
    {
        cat "$tmp/half"
        head -c 300001 /dev/zero
        head -c 99999 "$tmp/half"
        awk 'BEGIN { for (i = 1; i < 200000; i++) { x = (x * 1103515245 + 12345) % 2147483648; printf "%c", 33 + int(x / 65536) % 93 } }'
        head -c 40000 /dev/zero
        head -c 100001 "$tmp/half"
    } >"$tmp/hard"
    for p in gfx700 gfx900 gfx1030 gfx1100 gfx1201 gfx1250; do hard $p || { echo $p; return 1; }; done
}
check "lines start where one thread has them" hard_shares
# Names that no object has; each name that one has is enough.
missing_symbol() { run 1 "$ro" -d --symbol=vadd --symbol=nope "$fix/objects/kernels-gfx900-v6.co" && has "$out" '<vadd>:$' && same "$err" "amdreadobj: error: --symbol=nope: no such symbol; --symbols lists what there is"; }
missing_section() { run 1 "$ro" -d --section=.nope "$fix/objects/kernels-gfx900-v6.co" && same "$err" "amdreadobj: error: --section=.nope: no such section that is loaded; --sections lists what there is" &&
    run 1 "$ro" -x .nope "$fix/objects/kernels-gfx900-v6.co" && has "$err" "no section '.nope'; --sections lists"; }
one_has_it() { run 0 "$ro" -d --symbol=scale --threads=1 "$fix/containers/gnu.a" && cp "$fix/containers/gnu.a" "$tmp/g.a" && run 0 "$ro" -d --symbol=scale --threads=4 "$tmp/g.a" &&
    run 0 "$ro" -d --symbol=recursive "$fix/containers/vadd.gfx900.co" "$fix/objects/kernels-gfx900-v6.co" && run 1 "$ro" -d --symbol=nope --threads=4 "$tmp/g.a"; }
check "a symbol that is not there" missing_symbol
check "a section that is not there" missing_section
check "names that one of several objects has" one_has_it
# Compressed debug sections of relocatable objects: unpacked, then relocated.
packed_lines() { for z in zlib zstd; do run 0 "$ro" -d --line-numbers "$fix/objects/debug-none.o" && want=$(printf '%s\n' "$out" | tail -n +2) &&
    has "$want" '^; ./x.c:1$' && run 0 "$ro" -d --line-numbers "$fix/objects/debug-$z.o" && same "$want" "$(printf '%s\n' "$out" | tail -n +2)" || return 1; done; }
check "source lines of compressed sections" packed_lines
# Names in place of one of nine letters: a mangled one, and one that would drive a terminal.
mangled() { LC_ALL=C sed 's/recursive/_Z4vaddPf/g' "$fix/objects/kernels-gfx900-v6.co" >"$tmp/m.co" && run 0 "$ro" -C -D "$tmp/m.co" && has "$out" '^[0-9a-f]{16} <vadd\(float\*\)>:$' &&
    has "$out" '^[0-9a-f]{16} <vadd\(float\*\)\.kd>:$' && has "$out" '^\.amdhsa_kernel _Z4vaddPf$' && run 0 "$ro" -d "$tmp/m.co" && has "$out" '<_Z4vaddPf>:$' &&
    for s in _Z4vaddPf 'vadd(float*)'; do run 0 "$ro" -C -d "--symbol=$s" "$tmp/m.co" && has "$out" '<vadd\(float\*\)>:$' || return 1; done; }
relocs() { LC_ALL=C sed 's/table/_Z1tv/g' "$fix/objects/kernels-gfx900-v6.o" >"$tmp/m.o" && run 0 "$ro" -C -d -r "$tmp/m.o" && has "$out" 'R_AMDGPU_REL32_LO.*t\(\)\+0x4$'; }
terminal() { LC_ALL=C sed 's/recursive/re\x1b[31mve/g' "$fix/objects/kernels-gfx900-v6.co" >"$tmp/t.co" && run 0 "$ro" -D "$tmp/t.co" && has "$out" '<re\\x1b\[31mve\.kd>:$' && has "$out" '^\.amdhsa_kernel re\\x1b' &&
    ! printf '%s' "$out" | LC_ALL=C grep -q "$(printf '\033')"; }
check "names as in the source" mangled
check "and of relocations" relocs
check "names that would drive a terminal" terminal
msb_without_branch() {
    { printf '\101\000\206\277' && yes abcdabc | head -c 400000 | tr 'abcd\n' '\001\003\000\176\176'; } >"$tmp/hard"
    hard gfx1250 && grep -q 'v256' "$tmp/one"
}
check "s_set_vgpr_msb, and no branch for long" msb_without_branch

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Random objects under random options: amdld and ld.lld 22 make the same bytes at -O0,
# or both refuse; at -O1 and -O2 (where the order of merged strings is ld.lld's own) the
# same sections and symbols.  SEED=n begins elsewhere, COUNT=n changes the number.
# KEEP=folder keeps the inputs of what differs.
. "$(dirname "$0")/../cli/tap.inc"
ld=$B/amdld
cd "$tmp" || exit 1
seed=${SEED:-1}
count=${COUNT:-40}

# generate SEED: objects o0.s ... and the command line in opts, with `objects` for them.
generate() {
    awk -v seed="$1" '
    function pick(n) { return int(rand() * n) }
    function any(list, a, n) { n = split(list, a, " "); return a[1 + pick(n)] }
    function visible(name, v) { v = any("hidden hidden protected internal default default"); if (v != "default") print "." v " " name > out }
    function bind(name, b) { b = any("globl globl weak"); print "." b " " name > out }
    # Code that reaches a name: directly if it is sure to be bound inside, else through the GOT.
    function reach(name, sure, how) {
        how = sure ? "rel32" : "gotpcrel32"
        print "s_getpc_b64 s[4:5]\ns_add_u32 s4,s4," name "@" how "@lo+4\ns_addc_u32 s5,s5," name "@" how "@hi+12" > out
    }
    function code(o, k, name, sec, flags, r) {
        name = "f" o "_" k
        sec = any(".text .text.@ .text.hot.@ .text.unlikely.@ code_@ .init.text.@")
        flags = sec ~ /@/ && !pick(4) ? "\"axR\"" : "\"ax\""
        sub("@", name, sec)
        if (pick(5) == 0) { name = "inl" pick(4); sec = ".text." name; flags = "\"axG\",@progbits," name ",comdat" } else flags = flags ",@progbits"
        if (seen[o, name]++) return
        print ".section " sec "," flags "\n.p2align " pick(9) > out
        if (flags ~ /comdat/) { print ".weak " name > out; if (o % 2) print ".hidden " name > out }
        else if (pick(4)) { bind(name); visible(name) }
        print ".type " name ",@function\n" name ":" > out
        for (r = pick(4); r > 0; r--) {
            if (pick(2)) reach("h" pick(objects) "_" pick(4), 1)
            else reach(any("f d h") pick(objects) "_" pick(6), 0)
        }
        if (pick(2)) print "s_nop " pick(16) > out
        print "s_setpc_b64 s[30:31]\n.size " name ",.-" name > out
    }
    # A hidden function that every object may call.
    function hidden(o, k) {
        print ".section .text.h" o "_" k ",\"ax\",@progbits\n.globl h" o "_" k "\n.hidden h" o "_" k "\n.type h" o "_" k ",@function\nh" o "_" k ":\ns_nop " k % 3 "\ns_setpc_b64 s[30:31]\n.size h" o "_" k ",.-h" o "_" k > out
    }
    function data(o, k, name, sec, flags, r, x) {
        name = "d" o "_" k
        x = pick(10)
        sec = ".data." name; flags = "\"aw\",@progbits"
        if (x == 0) { sec = ".data" } else if (x == 1) { sec = ".data.rel.ro." name } else if (x == 2) { sec = "set_" k % 3 }
        else if (x == 3) { sec = ".bss." name; flags = "\"aw\",@nobits" } else if (x == 4) { sec = ".rodata." name; flags = "\"a\",@progbits" }
        else if (x == 5) { sec = ".init_array." pick(3) * 100; flags = "\"aw\",@init_array" } else if (x == 6) { sec = ".own." name }
        print ".section " sec "," flags "\n.p2align " (x == 5 ? 3 : 3 + pick(5)) > out
        if (pick(4)) { bind(name); visible(name) }
        print ".type " name ",@object\n" name ":" > out
        for (r = 1 + pick(5); r > 0; r--) {
            if (x == 3) print ".zero " 8 * (1 + pick(9)) > out
            else if (x == 4 || pick(3) == 0) print ".quad " pick(100000) > out
            else if (pick(3) == 0) print ".quad .Lstr" o "_" pick(6) > out
            else print ".quad " any("f d h f inl") (pick(6) ? pick(objects) "_" pick(6) : "9_9") (pick(4) ? "" : "+" pick(64)) > out
        }
        print ".size " name ",.-" name > out
    }
    function strings(o, k) {
        print ".section .rodata.str1.1,\"aMS\",@progbits,1" > out
        for (k = 0; k < 6; k++) print ".Lstr" o "_" k ": .asciz \"" substr("abcdefghijklmnop", 1 + pick(6), 3 + pick(4)) "\"" > out
        print ".section .rodata.cst8,\"aM\",@progbits,8" > out
        for (k = 0; k < 3; k++) print ".quad " pick(4) > out
    }
    function debug(o) {
        print ".section .debug_info,\"\",@progbits\n.quad f" o "_" pick(6) ", inl" pick(4) "\n.long " pick(1000) > out
        print ".section .debug_ranges,\"\",@progbits\n.quad inl" pick(4) ", 0" > out
    }
    BEGIN {
        srand(seed)
        objects = 2 + pick(3)
        cpu = any("gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx803")
        print cpu > "cpu"
        for (o = 0; o < objects; o++) {
            out = "o" o ".s"
            print ".amdhsa_code_object_version " version > out
            strings(o)
            for (k = 0; k < 4; k++) hidden(o, k)
            for (k = 0; k < 6; k++) { if (pick(5)) code(o, k); if (pick(5)) data(o, k) }
            if (pick(2)) debug(o)
            if (pick(3) == 0) print ".comm common_" pick(2) "," 4 * (1 + pick(20)) "," 2 ^ pick(6) > out
            if (pick(3) == 0) print ".globl absolute_" o "\n.set absolute_" o "," pick(99999) > out
            if (pick(3) == 0) print ".weak maybe_" pick(2) "\n.section .data.maybe,\"aw\",@progbits\n.quad maybe_" pick(2) > out
            if (pick(4) == 0) print ".section .data.enum,\"aw\",@progbits\n.hidden __start_set_0\n.quad __start_set_0, __stop_set_0" > out
            if (pick(5) == 0) print ".section .mark.m,\"ao\",@progbits,.text.h" o "_0\n.quad " o > out
            if (pick(5) == 0) print ".section .note.x" pick(2) ",\"a\",@note\n.long 4, 4, 7\n.asciz \"abc\"\n.long " o > out
            close(out)
        }
        line = any("-shared -shared -shared -shared --pie -e_f0_0")
        if (line == "-e_f0_0") line = "-e f0_0"
        if (line != "-shared") line = line " --unresolved-symbols=ignore-all"
        n = split("--gc-sections|--icf=all|--icf=safe|-Bsymbolic|-Bsymbolic-functions|-z norelro|--emit-relocs|-x|-X|--discard-none|-S|-z separate-code|-z separate-loadable-segments|--no-rosegment|-z max-page-size=65536|--pack-dyn-relocs=relr|--apply-dynamic-relocs|-z nocombreloc|-z nostart-stop-gc|-z notext|-E|-z keep-text-section-prefix|--hash-style=gnu|--hash-style=sysv|-u d0_1|--defsym=d9_9=d0_0+8|--defsym=f9_9=0x40|-z now|--image-base=0x40000|-T a.lds|-T b.lds|-T c.lds|--version-script=v.map|--wrap=f0_1|-n|--export-dynamic-symbol=d*|--section-start=.data=0x200000|--exclude-libs=ALL|--undefined-version|-z text", options, "|")
        for (i = pick(5); i >= 0; i--) {
            o = options[1 + pick(n)]
            if (o !~ /^-T|^--defsym/ || line !~ /-T|--defsym/) line = line " " o
        }
        lib = pick(4) == 0 ? 1 + pick(objects - 1) : objects
        for (o = 0; o < objects; o++) line = line (o == lib ? " --start-lib" : "") " o" o ".o"
        if (lib < objects) line = line " --end-lib"
        print line > "opts"
    }' version=$((4 + $1 % 3))
}
printf 'SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text .text.*) } .rodata : { *(SORT(.rodata*)) } . = ALIGN(4096); .data : { *(.data .data.*) *(COMMON) } PROVIDE(end_ = .); }\n' >a.lds
printf 'SECTIONS { .mine : { *(.own.*) mine_end = .; } } INSERT AFTER .data;\n' >b.lds
printf 'MEMORY { a (rx) : ORIGIN = 0x1000, LENGTH = 1M\n b (rw!x) : ORIGIN = 0x800000, LENGTH = 1M }\nSECTIONS { .code : { KEEP(*(.text.h*_1)) *(.text*) } >a .rodata : { *(.rodata*) } >a .data : SUBALIGN(32) { *(.data*) LONG(SIZEOF(.code)) } >b AT>a /DISCARD/ : { *(.mark.*) } }\n' >c.lds
printf '{ global: f0_*; d*; local: f1_*; h*; };\n' >v.map

show() { llvm-readelf-22 -SsW "$1" | awk '$1 != "There" { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9a-f]+$/ && length($i) > 5) $i = "-"; print }' | grep -v 'strtab\|rodata\|symtab'; }
i=0
while [ $i -lt "$count" ]; do
    n=$((seed + i))
    i=$((i + 1))
    rm -f o?.s o?.o ours theirs
    generate $n
    cpu=$(cat cpu)
    for s in o?.s; do
        sed -i "1i .amdgcn_target \"amdgcn-amd-amdhsa--$cpu\"" "$s"
        sed -i '/^\.amdhsa_code_object_version/d' "$s"
        llvm-mc-22 -triple amdgcn-amd-amdhsa -mcpu="$cpu" --amdhsa-code-object-version=$((4 + n % 3)) -filetype=obj "$s" -o "${s%.s}.o" 2>mc.err || { echo "not ok - seed $n: llvm-mc"; sed 's/^/# /' mc.err | head -3; }
    done
    opts=$(cat opts)
    # shellcheck disable=SC2086
    LLD_VERSION=x ld.lld-22 -O0 $opts -o theirs >theirs.out 2>theirs.err; a=$?
    # shellcheck disable=SC2086
    LLD_VERSION=x "$ld" -O0 --no-explain --no-merge-metadata $opts -o ours >ours.out 2>ours.err; b=$?
    ok=1
    [ $a = $b ] || ok=0
    [ $a != 0 ] || [ $ok = 0 ] || cmp -s ours theirs || ok=0
    if [ $a = 0 ] && [ $ok = 1 ]; then
        o=-O$((1 + n % 2))
        # shellcheck disable=SC2086
        LLD_VERSION=x ld.lld-22 $o $opts -o theirs 2>/dev/null; LLD_VERSION=x "$ld" $o --no-explain --no-merge-metadata $opts -o ours 2>/dev/null
        show theirs >theirs.txt; show ours >ours.txt
        cmp -s ours.txt theirs.txt || { ok=0; diff theirs.txt ours.txt >diff.txt; }
    fi
    if [ $ok = 1 ]; then echo "ok - seed $n ($a)"; else
        echo "not ok - seed $n: $opts (status $b, ld.lld's $a)"
        head -4 theirs.err | sed 's/^/# theirs: /'
        head -4 ours.err | sed 's/^/# ours: /'
        if [ -n "${KEEP:-}" ]; then mkdir -p "$KEEP/$n" && cp o?.s o?.o ./*.lds v.map opts ours theirs "$KEEP/$n" 2>/dev/null; fi
    fi
done

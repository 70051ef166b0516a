#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Random objects, archives, shared objects and linker scripts under random options: amdld and
# ld.lld 22 make the same bytes at -O0, or both refuse, and say the same, in any order; at -O1 and
# -O2 (where the order of merged strings is ld.lld's own) the same sections and symbols; what -r
# made they link once more.  SEED=n begins elsewhere, COUNT=n changes the number.
# KEEP=folder keeps the inputs of what differs; EXACT=1 tells of messages in another order too.
. "$(dirname "$0")/../cli/tap.inc"
ld=$B/amdld
cd "$tmp" || exit 1
seed=${SEED:-1}
count=${COUNT:-40}

# generate SEED: objects o0.s ... and the command line in opts, with `objects` for them.
generate() {
    awk -v seed="$1" '
    function pick(n) { return int(rand() * n) }
    function any(list, by, a, n) { n = split(list, a, by ? by : " "); return a[1 + pick(n)] }
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
        if (pick(2)) {
            print ".section .debug_line,\"\",@progbits\n.zero " 200 + pick(400) "\n.quad f" o "_" pick(6) "\n.section .debug_str,\"MS\",@progbits,1" > out
            for (k = 0; k < 20; k++) print ".asciz \"name_of_" pick(30) "\"" > out
        }
    }
    # A version of a name that the object defines.
    function symver(o, k) {
        k = "f" o "_" pick(6)
        if (!seen[o, k]) return
        print ".symver " k "," any("old_ new_ f") o (pick(2) ? "@@" : "@") any("V1 V2 V9") > out
    }
    # ---- linker scripts ----
    function number() { return any("0 1 4 16 0x40 0x100 0x1000 0x10000 4K") }
    function expression(x) {
        x = pick(14)
        if (x < 3) return number()
        if (x == 3) return ". + " number()
        if (x == 4) return "ALIGN(" any("1 8 64 256 4096") ")"
        if (x == 5) return any("ADDR SIZEOF LOADADDR ALIGNOF") "(.s" pick(4) ")"
        if (x == 6) return "DEFINED(" any("f0_0 h0_1 nobody d1_1") ") ? " number() " : " number()
        if (x == 7) return any("MAX MIN") "(" number() ", " number() ")"
        if (x == 8) return any("f d h") pick(objects) "_" pick(6) " + " number()
        if (x == 9) return "(" number() " " any("+ - * & | <<") " " number() ")"
        if (x == 10) return any("SIZEOF_HEADERS CONSTANT(MAXPAGESIZE) CONSTANT(COMMONPAGESIZE)")
        if (x == 11) return "ALIGN(., " any("8 16 128") ")"
        return any(". . ABSOLUTE(.) .+8 assigned_0")
    }
    function sorted(not, p) {
        return not || pick(3) ? p : any("SORT SORT_BY_NAME SORT_BY_ALIGNMENT SORT_BY_INIT_PRIORITY SORT_NONE REVERSE") "(" p ")"
    }
    function pattern(inputs, p, n, k) {
        p = any("* * * * *o0.o *.o o1.o EXCL lib.a:* :o0.o")
        n = ""
        for (k = pick(3); k >= 0; k--) n = n " " sorted(p == "EXCL", any(".text .text.* .text.h* .data .data.* .rodata* .bss* .own.* set_? .init_array* .debug_* .note* .comment COMMON code_* .mark.* .data.rel.ro.*"))
        if (p == "EXCL") { p = "*"; n = " EXCLUDE_FILE(" any("o0.o *1.o lib.a:*") ")" n }
        if (!inputs && pick(20) == 0) return "*(" any(".got .dynsym .rela.dyn .dynamic .hash") ")"
        p = p "(" substr(n, 2) ")"
        if (pick(8) == 0) p = "INPUT_SECTION_FLAGS(" any("SHF_EXECINSTR SHF_WRITE !SHF_WRITE SHF_ALLOC&!SHF_EXECINSTR SHF_MERGE") ") " p
        return pick(5) ? p : "KEEP(" p ")"
    }
    function assignment(name) {
        name = any("assigned_0 assigned_1 f9_9 d9_9 maybe_0 __start_set_1")
        if (pick(3) == 0) return any("PROVIDE PROVIDE_HIDDEN HIDDEN") "(" name " = " expression() ");"
        return name " " any("= = = +=") " " expression() ";"
    }
    function command(x) {
        x = pick(18)
        if (x < 10) return pattern()
        if (x < 12) return assignment()
        if (x == 12) return any("BYTE SHORT LONG QUAD") "(" any("1 0x1234567 SIZEOF(.s0) ADDR(.s1)") ")"
        if (x == 13) return ". = ALIGN(" any("4 16 256") ");"
        if (x == 14) return ". += " number() ";"
        if (x == 15) return "FILL(" any("0x90 0x1234 0xdeadbeef") ")"
        if (x == 16) return "ASSERT(" expression() " " any(">= >= >= >= != <=") " " any("0 0 0 0x100") ", \"random\")" (pick(2) ? ";" : "")
        return "ASCIZ \"text\""
    }
    function description(k, s, n) {
        s = any(".s@ .s@ .s@ .text .data .bss .rodata /DISCARD/")
        sub("@", k, s)
        if (s != "/DISCARD/") {
            if (pick(6) == 0) s = s " " any("0x@000 ALIGN(256) .+64")
            if (pick(12) == 0) s = s any(" (NOLOAD)| (TYPE=SHT_PROGBITS)| (INFO)| (COPY)", "|")
        }
        sub("@", k + 2, s)
        s = s " :"
        if (s !~ /DISCARD/) {
            if (pick(8) == 0) s = s " AT(" any("0x90000 ADDR(.s0) LOADADDR(.s0)") ")"
            if (pick(8) == 0) s = s " ALIGN(" any("16 512") ")"
            if (pick(8) == 0) s = s " SUBALIGN(" any("1 32") ")"
            if (pick(10) == 0) s = s " " any("ONLY_IF_RO ONLY_IF_RW")
        }
        s = s " {"
        for (n = pick(4); n >= 0; n--) s = s " " (s ~ /DISCARD/ ? pattern(1) : command())
        s = s " }"
        if (s ~ /DISCARD/) return s
        if (regions && pick(3)) s = s " >" any("ra rb rc")
        if (regions && pick(6) == 0) s = s " AT>" any("ra rb")
        if (phdrs && pick(3) == 0) s = s " :" any("pa pb pn NONE")
        if (pick(10) == 0) s = s " =0x" any("90 1234 cafe")
        return s
    }
    function overlay(k) {
        return "OVERLAY " any("0x70000 .") " : " (pick(2) ? "AT(0x90000) " : "") "{ .s" k " { " pattern() " } .t" k " { " pattern() " " (pick(2) ? assignment() : "") " } }"
    }
    function script(k, n) {
        out = "r.lds"
        regions = pick(4) == 0; phdrs = pick(5) == 0
        if (regions) print "MEMORY { ra (rx) : ORIGIN = 0x1000, LENGTH = " any("1M 64K 0x400") "\n rb (rw) : org = 0x800000, len = 1M\n rc : o = 0xa00000, l = 1M }" > out
        if (phdrs) print "PHDRS { " (pick(2) ? "ph PT_LOAD FILEHDR PHDRS; " : "") "pa PT_LOAD" (pick(2) ? " FLAGS(5)" : "") "; pb PT_LOAD; pn PT_NOTE; pd PT_DYNAMIC; }" > out
        if (pick(6) == 0) print "ENTRY(" any("f0_0 nobody") ")" > out
        if (pick(4) == 0) print assignment() > out
        if (pick(5) == 0) {
            print "SECTIONS { " description(0) " " (pick(2) ? description(1) : "") " } INSERT " any("AFTER BEFORE") " " any(".data .text .rodata .bss .nothing") ";" > out
            close(out)
            return
        }
        if (pick(8) == 0) print "OVERWRITE_SECTIONS { " description(3) " }" > out
        print "SECTIONS {" > out
        if (pick(2)) print ". = " any("SIZEOF_HEADERS 0x1000 0x10000 SIZEOF_HEADERS+0x100") ";" > out
        n = 1 + pick(5)
        for (k = 0; k < n; k++) {
            if (pick(7) == 0) print assignment() > out
            if (pick(7) == 0) print ". = ALIGN(" any("64 4096") ");" > out
            print (pick(12) ? description(k) : overlay(k)) > out
        }
        if (pick(6) == 0) print "ASSERT(" expression() ", \"at the end\")" > out
        print "}" > out
        close(out)
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
            if (pick(4) == 0) print ".section .data.enum,\"aw\",@progbits\n.hidden __start_set_0\n.quad __start_set_0, __stop_set_0\n.section set_0,\"aw\",@progbits\n.quad 1" > out
            if (pick(5) == 0) print ".section .mark.m,\"ao\",@progbits,.text.h" o "_0\n.quad " o > out
            if (pick(6) == 0) symver(o)
            if (pick(5) == 0) print ".section .note.x" pick(2) ",\"a\",@note\n.long 4, 4, 7\n.asciz \"abc\"\n.long " o > out
            close(out)
        }
        line = any("-shared -shared -shared -shared --pie -e_f0_0 -r")
        if (line == "-e_f0_0") line = "-e f0_0"
        if (line != "-shared" && line != "-r") line = line " --unresolved-symbols=" any("ignore-all ignore-all report-all")
        n = split("--gc-sections|--icf=all|--icf=safe|-Bsymbolic|-Bsymbolic-functions|-z norelro|--emit-relocs|-x|-X|--discard-none|-S|-z separate-code|-z separate-loadable-segments|--no-rosegment|-z max-page-size=65536|--pack-dyn-relocs=relr|--apply-dynamic-relocs|-z nocombreloc|-z nostart-stop-gc|-z notext|-E|-z keep-text-section-prefix|--hash-style=gnu|--hash-style=sysv|-u d0_1|--defsym=d9_9=d0_0+8|--defsym=f9_9=0x40|-z now|--image-base=0x40000|-T a.lds|-T b.lds|-T c.lds|-T r.lds|-T r.lds|-T r.lds|-T r.lds|--version-script=v.map|--version-script=w.map|--wrap=f0_1|-n|-N|--export-dynamic-symbol=d*|--section-start=.data=0x200000|--exclude-libs=ALL|--undefined-version|-z text|--compress-debug-sections=zlib|--compress-debug-sections=zstd|--compress-sections=.debug_*=zlib|--print-gc-sections --gc-sections|--icf=all --print-icf-sections|-Map=-|--cref|--trace|--why-extract=-|--print-archive-stats=-|-y f0_1|--warn-common|--orphan-handling=warn|--sort-section=name|--sort-section=alignment|--unique|--force-group-allocation|--build-id=0x12345678|--dynamic-list=dyn.list|--no-undefined|--warn-unresolved-symbols|--allow-multiple-definition|--fatal-warnings|--retain-symbols-file=names|--symbol-ordering-file=names|--why-live=d*|--keep-unique=f0_0|--print-memory-usage|--dependency-file=dep|--as-needed|--soname=so.so|-rpath=/x|--init=f0_2|-z start-stop-visibility=hidden|-z dead-reloc-in-nonalloc=.debug_info=77|--undefined-glob=f1_*|--discard-all|--shuffle-sections=*=7|--no-gc-sections|-z rel|--omagic|--check-sections|--noinhibit-exec", options, "|")
        for (i = pick(5); i >= 0; i--) {
            o = options[1 + pick(n)]
            if (o ~ /^-T [acr]/ && line ~ /^-r/) continue # where groups meet in one section: amdld(1)
            if (o ~ /^-Map|^--cref/ && line ~ /-T|--defsym/) continue
            if (o ~ /^-T|^--defsym/ && line ~ /-T|--defsym|-Map|--cref/) continue
            line = line " " o
            if (o == "-T r.lds") script()
        }
        if (line !~ /-shared|-r /) line = line " --allow-shlib-undefined"
        # Where each object is: by itself, in an archive, between --start-lib and --end-lib, in a shared object.
        mixed = pick(2)
        how = any("rcs rcs rcS rcsT")
        for (o = 0; o < objects; o++) {
            x = !mixed || o == 0 ? 0 : pick(line ~ /-shared/ && line !~ /-T|gc-sections/ ? 8 : 5)
            if (x < 4) { line = line " o" o ".o"; continue }
            if (x == 4) line = line " --start-lib o" o ".o --end-lib"
            else if (x == 5) { print "ld.lld-22 -shared --noinhibit-exec -z start-stop-visibility=hidden --unresolved-symbols=ignore-all -z notext " (pick(2) ? "-soname=lib" o ".so " : "") (pick(2) ? "--version-script=v.map --undefined-version " : "") "o" o ".o -o s" o ".so" > "prepare"; line = line " o" o ".o" any(" | --as-needed ", "|") "s" o ".so" }
            else { print "llvm-ar-22 " how " lib.a o" o ".o" > "prepare"; if (!lib++) line = line (x == 7 ? " --whole-archive lib.a --no-whole-archive" : " lib.a") }
        }
        close("prepare")
        print line > "opts"
    }' version=$((4 + $1 % 3))
}
printf 'SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text .text.*) } .rodata : { *(SORT(.rodata*)) } . = ALIGN(4096); .data : { *(.data .data.*) *(COMMON) } PROVIDE(end_ = .); }\n' >a.lds
printf 'SECTIONS { .mine : { *(.own.*) mine_end = .; } } INSERT AFTER .data;\n' >b.lds
printf 'MEMORY { a (rx) : ORIGIN = 0x1000, LENGTH = 1M\n b (rw!x) : ORIGIN = 0x800000, LENGTH = 1M }\nSECTIONS { .code : { KEEP(*(.text.h*_1)) *(.text*) } >a .rodata : { *(.rodata*) } >a .data : SUBALIGN(32) { *(.data*) LONG(SIZEOF(.code)) } >b AT>a /DISCARD/ : { *(.mark.*) } }\n' >c.lds
printf '{ global: f0_*; d*; local: f1_*; h*; };\n' >v.map
printf 'V1 { global: f0_*; old_*; local: d1_*; };\nV2 { global: f*; d?_2; extern "C++" { "x(int)"; }; } V1;\n' >w.map
printf '{ f0_*; d1_1; };\n' >dyn.list
printf 'f0_1\nd0_0\nh1_1\nnobody\nf1_2\n' >names

show() { llvm-readelf-22 -SsW "$1" 2>/dev/null | awk '$1 != "There" { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9a-f]+$/ && length($i) > 5) $i = "-"; print }' | grep -v 'strtab\|rodata\|symtab'; }

# both OUT OPTIONS...: the two linkers, with status, texts and image in theirs.* and ours.*
both() {
    # shellcheck disable=SC2086
    LLD_VERSION=x ld.lld-22 --threads=1 --error-limit=0 $1 -o out >theirs.out 2>theirs.err; a=$?
    [ ! -e out ] || mv out theirs
    if [ -e dep ]; then mv dep theirs.dep; fi
    # shellcheck disable=SC2086
    LLD_VERSION=x "$ld" --no-explain --no-merge-metadata --error-limit=0 $1 -o out >ours.out 2>ours.err; b=$?
    [ ! -e out ] || mv out ours
    if [ -e dep ]; then mv dep ours.dep; fi
    sed -i "s/^ld\.lld-22: /ld: /; /DWARF unit /d" theirs.err
    sed -i 's/^amdld: /ld: /' ours.err
}
# Texts that are equal, or have the same lines; ld.lld says some of a script's errors in each round, and then what
# follows from them: of a random script that fails the messages are not compared.
texts() {
    case $opts in *'-T r.lds'*) [ $a = 0 ] || [ -n "${EXACT:-}" ] || return 0 ;; esac
    for t in err out dep; do
        [ -e theirs.$t ] || continue
        if [ $t = dep ] && [ $a != 0 ]; then continue; fi
        cmp -s theirs.$t ours.$t && continue
        if [ -n "${EXACT:-}" ]; then return 1; fi
        sort -u theirs.$t >theirs.sorted
        sort -u ours.$t | cmp -s - theirs.sorted || return 1
    done
}
i=0
while [ $i -lt "$count" ]; do
    n=$((seed + i))
    i=$((i + 1))
    rm -f o?.s o?.o s?.so lib.a ours theirs prepare r.lds ./*.dep
    generate $n
    cpu=$(cat cpu)
    compress=
    case $((n % 5)) in 0) compress=--compress-debug-sections=zlib ;; 1) compress=--compress-debug-sections=zstd ;; esac
    for s in o?.s; do
        sed -i "1i .amdgcn_target \"amdgcn-amd-amdhsa--$cpu\"" "$s"
        sed -i '/^\.amdhsa_code_object_version/d' "$s"
        llvm-mc-22 -triple amdgcn-amd-amdhsa -mcpu="$cpu" --amdhsa-code-object-version=$((4 + n % 3)) $compress -filetype=obj "$s" -o "${s%.s}.o" 2>mc.err || { echo "not ok - seed $n: llvm-mc"; sed 's/^/# /' mc.err | head -3; }
    done
    if [ -e prepare ]; then sh ./prepare >prepare.out 2>&1; fi
    opts=$(cat opts)
    both "-O0 $opts"
    ok=1 why=
    [ $a = $b ] || ok=0
    texts || { ok=0; why=" texts"; }
    [ $a != 0 ] || [ $ok = 0 ] || cmp -s ours theirs || ok=0
    status=$a
    if [ $a = 0 ] && [ $ok = 1 ]; then
        case $opts in
        -r*) # once more: what it made
            cp ours again.o
            both "-O0 -shared -z notext again.o"
            [ $a = $b ] && texts && { [ $a != 0 ] || cmp -s ours theirs; } || { ok=0; why=" (linked again)"; }
            ;;
        *)
            both "-O$((1 + n % 2)) $opts"
            show theirs >theirs.txt; show ours >ours.txt
            cmp -s ours.txt theirs.txt || { ok=0; diff theirs.txt ours.txt >diff.txt; }
            ;;
        esac
    fi
    if [ $ok = 1 ]; then echo "ok - seed $n ($status)"; else
        echo "not ok - seed $n$why: $opts (status $b, ld.lld's $a)"
        diff theirs.err ours.err | head -4 | sed 's/^/# /'
        diff theirs.out ours.out | head -4 | sed 's/^/# /'
        if [ -n "${KEEP:-}" ]; then mkdir -p "$KEEP/$n" && cp o?.s o?.o s?.so lib.a ./*.lds ./*.map dyn.list names opts ours theirs again.o "$KEEP/$n" 2>/dev/null; fi
    fi
done

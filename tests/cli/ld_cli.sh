#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What amdld does around a link, and where it differs from ld.lld on purpose.
. "$(dirname "$0")/tap.inc"
ld=$B/amdld
cd "$fix/ld" || exit 1

has() { grep -q -e "$1" "$2"; }
fails() { ! "$@"; }
# err NAME PATTERN ARGS...: fails with status 1, the pattern on stderr, no output file
err() {
    _n=$1 _p=$2
    shift 2
    rm -f "$tmp/o"
    case $* in *-soname) set -- -o "$tmp/o" "$@" ;; *) set -- "$@" -o "$tmp/o" ;; esac
    "$ld" "$@" >"$tmp/out" 2>"$tmp/err"
    _rc=$?
    if [ $_rc -eq 1 ] && [ ! -e "$tmp/o" ] && grep -q -e "$_p" "$tmp/err"; then echo "ok - $_n"; else
        echo "not ok - $_n (status $_rc)"
        sed 's/^/# /' "$tmp/err"
    fi
}
# same NAME A B: equal files
same() { check "$1" cmp "$2" "$3"; }
link() { "$ld" "$@" >"$tmp/out" 2>"$tmp/err"; }

# ---- output ------------------------------------------------------------------
link -shared a.o b.o -o "$tmp/ref"
check "a link succeeds" test -s "$tmp/ref"
link -shared a.o b.o -o - && cp "$tmp/out" "$tmp/stdout"
same "-o - is standard output" "$tmp/ref" "$tmp/stdout"
link -shared a.o b.o --output="$tmp/o1"; same "--output=" "$tmp/ref" "$tmp/o1"
link -shared a.o b.o --output "$tmp/o2"; same "--output" "$tmp/ref" "$tmp/o2"
link -shared a.o b.o "-o$tmp/o3"; same "-oFILE" "$tmp/ref" "$tmp/o3"
(cd "$tmp" && "$ld" -shared "$fix/ld/a.o" "$fix/ld/b.o") && check "a.out by default" test -x "$tmp/a.out"
link -shared a.o b.o -o /dev/null; check "/dev/null is written in place" test -c /dev/null
check "mode of a code object" sh -c "umask 022; '$ld' -shared a.o b.o -o '$tmp/m'; [ \$(stat -c %a '$tmp/m') = 755 ]"
check "mode of -r" sh -c "umask 022; '$ld' -r a.o b.o -o '$tmp/m2'; [ \$(stat -c %a '$tmp/m2') = 644 ]"
echo old >"$tmp/old"; ln "$tmp/old" "$tmp/hard"; chmod 444 "$tmp/old"
link -shared a.o b.o -o "$tmp/old"; same "a read-only old output is replaced" "$tmp/ref" "$tmp/old"
check "its hard link keeps the old contents" grep -qx old "$tmp/hard"
ln -s "$tmp/hard" "$tmp/sym"; link -shared a.o b.o -o "$tmp/sym"
check "a symbolic link becomes a file" sh -c "[ ! -h '$tmp/sym' ] && grep -qx old '$tmp/hard'"
echo keep >"$tmp/kept"; link -shared --no-undefined a.o b.o -o "$tmp/kept"
check "an error leaves the old output" grep -qx keep "$tmp/kept"
check "and no temporary file" sh -c "! ls '$tmp' | grep -q 'tmp[0-9a-f]'"
link -shared a.o b.o -o "$tmp/none/x"
check "no such folder" has "cannot open output file .*/none/x: No such file or directory" "$tmp/err"
link -shared b.o a.o -o "$tmp/d1"; link -shared b.o a.o --threads=7 -o "$tmp/d2"; same "the same bytes every time" "$tmp/d1" "$tmp/d2"

# ---- names, versions, response files --------------------------------------------
for n in lld ld.lld ld iree-lld amdgcn-amdhsa-ld; do
    ln -sf "$ld" "$tmp/$n"
    "$tmp/$n" -flavor gnu -shared a.o b.o -o "$tmp/n" 2>"$tmp/err"
    same "works as $n -flavor gnu" "$tmp/ref" "$tmp/n"
    "$tmp/$n" --bad 2>"$tmp/err"
    check "$n names itself in messages" grep -qx "$n: error: unknown argument '--bad'" "$tmp/err"
done
err "another flavor" "-flavor: only gnu" -flavor darwin
"$ld" --version >"$tmp/v"; check "--version says LLD and GNU" grep -Eq '^amdld .*LLD [0-9]+\.[0-9]+\.[0-9]+ \(compatible with GNU linkers\)$' "$tmp/v"
check "--version opens no file" "$ld" --version no-such.o
check "nor does --help" "$ld" no-such.o --help
"$ld" -v >"$tmp/v2"; same "-v alone" "$tmp/v" "$tmp/v2"
"$ld" -V >"$tmp/v2"; same "-V" "$tmp/v" "$tmp/v2"
"$ld" --help >"$tmp/h"; check "--help names options and emulation" sh -c "grep -q -e --gc-sections '$tmp/h' && grep -q 'supported emulations: elf64_amdgpu' '$tmp/h'"
printf '%s\n' "-shared 'a.o'" '"b.o"' >"$tmp/in.rsp"; printf '@%s -o\n%s/r\\1' "$tmp/in.rsp" "$tmp" >"$tmp/out.rsp"
"$ld" "@$tmp/out.rsp"; same "nested response files with quotes" "$tmp/ref" "$tmp/r1"
printf '%s' '-shared "a.o" b.o -soname="a b""c\d\\\"e"' >"$tmp/win.rsp" # a file name of Windows, and quotes within quotes
link --rsp-quoting=windows "@$tmp/win.rsp" -o "$tmp/w1"; link -shared a.o b.o '-soname=a b"c\d\"e' -o "$tmp/w2"; same "--rsp-quoting=windows" "$tmp/w1" "$tmp/w2"
printf '%s' '-shared a.o "" b.o' >"$tmp/none.rsp"; link "@$tmp/none.rsp" -o "$tmp/w1"; link -shared a.o b.o -o "$tmp/w2"; same "an empty word of a response file is none" "$tmp/w1" "$tmp/w2"
printf '@%s' "$tmp/loop.rsp" >"$tmp/loop.rsp"
err "a response file that names itself" "recursive expansion of: '.*loop.rsp'" "@$tmp/loop.rsp"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do echo "@$tmp/$((i + 1)).rsp @$tmp/$((i + 1)).rsp" >"$tmp/$i.rsp"; done
echo -s >"$tmp/23.rsp"
err "response files that double one another" "too many response files" "@$tmp/1.rsp"
link -shared c.o b.o -o "$tmp/shared.so"; err "-n takes no shared object" "attempted static link of dynamic object .*shared.so" -shared -n c.o "$tmp/shared.so"
err "missing argument" "^amdld: error: -soname: missing argument$" a.o -soname
err "-r and -shared" "may not be used together" -r -shared a.o
err "--reproduce" "not supported" --reproduce=x a.o
err "an emulation of another machine" "unknown emulation: elf_x86_64" -m elf_x86_64 a.o
printf 'INPUT(a.o)\nGROUP ( b.o ) /* both */\n' >"$tmp/script"
cp a.o b.o "$tmp"; link -shared "$tmp/script" -o "$tmp/s1"; (cd "$tmp" && "$ld" -shared a.o b.o -o s2)
check "INPUT and GROUP of a script" test -s "$tmp/s1"
printf 'SECTIONS { .text : { *(.text) } }\n' >"$tmp/plain.lds"
printf 'BC\300\336 not compiled' >"$tmp/module.bc"
for o in index-only index-only=x single-module=x emit-index-files; do
    err "--thinlto-$o is refused with bitcode" "--thinlto-${o%%=*} is not supported with bitcode" -shared --thinlto-$o "$tmp/module.bc" a.o
done
printf 'INCLUDE plain.lds\nSECTIONS { INCLUDE part.lds }\n' >"$tmp/include.lds"; printf '.rodata : { *(.rodata*) }\nincluded = .;\n' >"$tmp/part.lds"
link -shared -L"$tmp" -T "$tmp/include.lds" a.o b.o -o "$tmp/i1"
printf 'SECTIONS { .text : { *(.text) } .rodata : { *(.rodata*) } included = .; }\n' >"$tmp/whole.lds"
link -shared -T "$tmp/whole.lds" a.o b.o -o "$tmp/i2"; same "INCLUDE stands for its text" "$tmp/i1" "$tmp/i2"
printf 'INCLUDE loop.lds\n' >"$tmp/loop.lds"
err "a script that includes itself" "loop.lds" -shared -L"$tmp" -T "$tmp/loop.lds" a.o
printf 'x = "abc\n' >"$tmp/quote.lds"
err "a place for Visual Studio" "quote.lds(1): error: .*quote.lds:1: unclosed quote" -shared --vs-diagnostics -T "$tmp/quote.lds" a.o
printf 'SECTIONS { a = b + 1; b = a + 1; .text : { . = . + b; *(.text) } }\n' >"$tmp/moving.lds"
err "a script whose addresses never settle" "symbol a does not converge" -shared -T "$tmp/moving.lds" a.o b.o
{ printf 'x = '; head -c 100000 /dev/zero | tr '\0' '('; } >"$tmp/deep.lds"
err "an expression nested too deeply" "nested too deeply" -shared -T "$tmp/deep.lds" a.o
for t in 1 2 3; do link -shared --threads=$t a.o b.o lib.a -o "$tmp/th$t"; done
same "one thread and two" "$tmp/th1" "$tmp/th2"; same "one thread and three" "$tmp/th1" "$tmp/th3"

# ---- bytes of the result, by readelf ----------------------------------------------
if command -v readelf >/dev/null; then
    readelf -hW "$tmp/ref" >"$tmp/h" 2>&1
    check "ET_DYN of AMDGPU" sh -c "grep -q 'DYN ' '$tmp/h' && grep -Eqi 'Machine: .*amd *gpu|Machine:.*0xe0|Machine: .*224' '$tmp/h'"
    readelf -nW "$tmp/ref" >"$tmp/n" 2>/dev/null
    check "one metadata note" test "$(grep -c AMDGPU "$tmp/n")" = 1
    link -shared --no-merge-metadata a.o b.o -o "$tmp/nm"
    check "two with --no-merge-metadata" test "$(readelf -nW "$tmp/nm" 2>/dev/null | grep -c AMDGPU)" = 2
    link -shared --build-id=md5 a.o b.o -o "$tmp/bi"
    check "a build ID of 16 bytes" sh -c "readelf -nW '$tmp/bi' 2>/dev/null | grep -Eq 'Build ID: [0-9a-f]{32}\$'"
    link -shared --build-id=0xC0ffee a.o b.o -o "$tmp/bi"
    check "a given build ID" sh -c "readelf -nW '$tmp/bi' 2>/dev/null | grep -q 'Build ID: c0ffee'"
    link -shared abs32.o --defsym=value=0x123456789abcdef0 -o "$tmp/abs"
    readelf -x .text "$tmp/abs" | awk '/0x/{printf "%s%s%s%s", $2, $3, $4, $5}' >"$tmp/hex"
    # s_mov_b32 s0, 0x9abcdef0; s_mov_b32 s1, 0x12345678; the word 0x55667788
    check "ABS32_LO, _HI and ABS32 are resolved" has '^ff0080bef0debc9aff0081be7856341288776655' "$tmp/hex"
    link -shared --compress-debug-sections=zlib debug.o --defsym=missing_one=0 --defsym=missing_two=0 -z notext -o "$tmp/z"
    check "debug sections can be compressed" sh -c "readelf -SW '$tmp/z' | grep -E 'debug_info' | grep -q ' C '"
    link -shared --compress-debug-sections=zstd debug.o --defsym=missing_one=0 --defsym=missing_two=0 -o "$tmp/z"
    link -r a.o b.o c.o -o "$tmp/r.o"; link -shared "$tmp/r.o" -o "$tmp/rr"; link -shared a.o b.o c.o -o "$tmp/abc"
    readelf --dyn-syms -W "$tmp/rr" | awk 'NR>3{print $3,$4,$5,$6,$8}' | sort >"$tmp/1"
    readelf --dyn-syms -W "$tmp/abc" | awk 'NR>3{print $3,$4,$5,$6,$8}' | sort >"$tmp/2"
    same "-r, then -shared, exports the same" "$tmp/1" "$tmp/2"
    link -shared rel.o -o "$tmp/rel"; link -shared rela.o -o "$tmp/rela"
    readelf -x .text "$tmp/rel" | grep 0x >"$tmp/1"; readelf -x .text "$tmp/rela" | grep 0x >"$tmp/2"
    check "SHT_REL: addends from the places" sh -c "[ -s '$tmp/1' ] && cmp '$tmp/1' '$tmp/2'"
    check "-r merges groups" test "$(readelf -gW "$tmp/r.o" | grep -c '^COMDAT')" = 1
fi
"$B/amdreadobj" --metadata "$tmp/ref" >"$tmp/md" 2>&1
check "kernels of both objects in it" sh -c "grep -q 'ka.kd' '$tmp/md' && grep -q 'kb.kd' '$tmp/md'"
check "printf formats once each" test "$(grep -c '1:1:4:n=' "$tmp/md")" = 1

# ---- references by section symbol, SHT_REL beside SHT_RELA ------------------------------
# Twice the same object: the addends of the second one count from further on.
bytes() { for _s in .text .debug_info; do "$B/amdreadobj" -x "$_s" "$1" | tail -n +3; done >"$2"; }
link -shared rela-local.o rela-local.o -o "$tmp/x"; bytes "$tmp/x" "$tmp/rela"
link -shared rel-local.o rel-local.o -o "$tmp/x"; bytes "$tmp/x" "$tmp/1"
same "SHT_REL" "$tmp/rela" "$tmp/1"
link -shared --emit-relocs rel-local.o rel-local.o -o "$tmp/x"; bytes "$tmp/x" "$tmp/1"
same "SHT_REL and --emit-relocs" "$tmp/rela" "$tmp/1"
link -r rela-local.o rela-local.o -o "$tmp/r.o"; link -shared "$tmp/r.o" -o "$tmp/x"; bytes "$tmp/x" "$tmp/rela"
link -r rel-local.o rel-local.o -o "$tmp/r.o"; link -shared "$tmp/r.o" -o "$tmp/x"; bytes "$tmp/x" "$tmp/1"
same "SHT_REL through -r" "$tmp/rela" "$tmp/1"
link -r --compress-sections=.debug_info=zlib rel-local.o rel-local.o -o "$tmp/r.o"; link -shared "$tmp/r.o" -o "$tmp/x"; bytes "$tmp/x" "$tmp/1"
same "SHT_REL through -r, compressed" "$tmp/rela" "$tmp/1"

# ---- reports -------------------------------------------------------------------------
link -shared a.o b.o -o "$tmp/x" -Map="$tmp/map"
check "-Map lists sections and symbols" sh -c "head -1 '$tmp/map' | grep -Eq 'VMA +LMA +Size Align Out +In +Symbol' && grep -q 'b.o:(.text.kb)' '$tmp/map' && grep -Eq ' {16}kb\$' '$tmp/map'"
link -shared a.o b.o -o "$tmp/x" -M; check "-M on standard output" has 'a.o:(.text.ka)' "$tmp/out"
link -shared a.o b.o -o "$tmp/x" --cref; check "--cref" has 'Cross Reference Table' "$tmp/out"
link -shared --gc-sections --print-gc-sections a.o b.o d.o -o "$tmp/x"
check "--print-gc-sections" has 'removing unused section d.o:(.text.unused)' "$tmp/out"
link -shared -t a.o lib.a -o "$tmp/x"; check "-t lists loaded members only" sh -c "grep -q 'lib.a(lib2.o)' '$tmp/out' && ! grep -q lib3 '$tmp/out'"
link -shared -y helper a.o b.o -o "$tmp/x"; check "-y" sh -c "grep -q 'a.o: reference to helper' '$tmp/out' && grep -q 'b.o: definition of helper' '$tmp/out'"
link -shared --why-extract=- a.o lib.a -o "$tmp/x"; check "--why-extract" has 'a.o	lib.a(lib1.o)	helper' "$tmp/out"
link -shared --dependency-file="$tmp/dep" a.o b.o -o "$tmp/x"; check "--dependency-file" sh -c "grep -q ' *a.o' '$tmp/dep' && grep -q '^b.o:' '$tmp/dep'"

link -shared --gc-sections a.o b.o -o "$tmp/alone"
link -shared --gc-sections a.o b.o -o "$tmp/x" -Map="$tmp/map2" --dependency-file="$tmp/dep2" --why-extract="$tmp/why"
check "reports into files leave the output as it is" cmp "$tmp/alone" "$tmp/x"
check "and are there, and nothing else" sh -c "[ -s '$tmp/map2' ] && [ -s '$tmp/dep2' ] && [ -s '$tmp/why' ] && ! ls '$tmp'/*.tmp* 2>/dev/null"
# ---- an old output stays when the new one cannot be written ------------------------------
echo old >"$tmp/kept"
(ulimit -f 1 && link -shared a.o b.o -o "$tmp/kept")
check "a limit on file sizes: an error, the old output stays" sh -c "grep -q 'cannot open output file .*kept: File too large' '$tmp/err' && [ \"\$(cat '$tmp/kept')\" = old ] && ! ls '$tmp'/*.tmp* 2>/dev/null"
if [ -c /dev/full ]; then check "standard output that is full: an error" sh -c "! '$ld' -shared a.o b.o -o - >/dev/full 2>'$tmp/err' && grep -q 'No space left' '$tmp/err'"; fi
mkfifo "$tmp/fifo"
"$ld" -shared a.o b.o -o "$tmp/kept" -Map="$tmp/fifo" 2>/dev/null &
pid=$!
i=0
while ! ls "$tmp"/kept.tmp* >/dev/null 2>&1 && [ $i -lt 100 ]; do sleep 0.05; i=$((i + 1)); done
kill -TERM $pid
wait $pid
check "interrupted: status of the signal, the old output stays, nothing is left behind" sh -c "[ $? -eq 143 ] && [ \"\$(cat '$tmp/kept')\" = old ] && ! ls '$tmp'/*.tmp* 2>/dev/null"
rm -f "$tmp/x"; link -shared a.o b.o -o "$tmp/x" -Map=/nowhere/map
check "a report that cannot be written: no output" sh -c "[ ! -e '$tmp/x' ] && grep -q 'cannot open map file /nowhere/map: No such file' '$tmp/err' && ! ls '$tmp'/*.tmp* 2>/dev/null"
link -shared --icf=all --print-icf-sections icf.o -o "$tmp/x"
check "--print-icf-sections" sh -c "grep -q 'selected section icf.o:(.text.one)' '$tmp/out' && grep -q '  removing identical section icf.o:(.text.taken)' '$tmp/out'"
tr -d '\\' <"$top/man/amdld.1" >"$tmp/man"
"$ld" --help | sed -n 's/^  --\([A-Za-z_-]*\).*/\1/p' >"$tmp/options"
while read -r o; do grep -qF -e "fB--${o}fR" "$tmp/man" || echo "$o"; done <"$tmp/options" >"$tmp/undocumented"
check "every option of --help is in amdld(1)" sh -c "[ -s '$tmp/options' ] && [ ! -s '$tmp/undocumented' ]"

# ---- messages of our own ----------------------------------------------------------------
err "names that are there twice" "duplicate symbol: ka$" -shared a.o a.o undef.o
check "and those that are not, in the same run" has "undefined hidden symbol: u_hidden$" "$tmp/err"
check "ld.lld's words are those of the first" sh -c "! '$ld' -shared --no-explain a.o a.o undef.o -o '$tmp/x' 2>'$tmp/err' && grep -q 'duplicate symbol: ka$' '$tmp/err' && ! grep -q undefined '$tmp/err'"
err "device libraries are explained" "__ockl_get_local_id is of the ROCm device library ockl.bc" -shared undef.o
err "the kernel that needs a symbol is named" ">>> needed by kernel ka" -shared a.o
err "both files and both values of xnack" ">>> f-gfx900-off.o: off" -shared f-gfx900-on.o f-gfx900-off.o
err "both processors" ">>> f-gfx1030.o: gfx1030" -shared f-gfx900.o f-gfx1030.o
err "generic version against none" "incompatible" -shared f-gfx900.o f-generic.o
link -shared --version-script=anonymous.map a.o b.o -o "$tmp/x"
check "a kernel without an exported descriptor" has "b.o: the metadata has a kernel whose descriptor 'kb.kd' is not exported" "$tmp/err"
check "C++ names are shown" sh -c "'$ld' -shared undef.o -o '$tmp/x' 2>&1 | grep -q 'undefined hidden symbol: foo(int, float)'"
err "a C++ name without an end is shown as it is" "undefined symbol: _Z1f1AIiiE" endless.o
check "so is one of Rust" has "undefined symbol: _RINvC1a1fuTB7_B7_ETB8_B8_" "$tmp/err"
check "the limit on errors" sh -c "'$ld' -shared --error-limit=1 undef.o -o '$tmp/x' 2>&1 | tail -1 | grep -q 'too many errors emitted'"
check "a relocation of type NONE does nothing" link -shared branch-near.o -o "$tmp/x"
err "a file that is no object" "unknown file type" -shared "$fix/objects/../containers/v2.ccob"
head -c 700 a.o >"$tmp/cut.o"
err "an object cut short" "cut.o" -shared "$tmp/cut.o"
err "a code object as input to -r" "attempted static link of dynamic object" -r "$tmp/ref"
link -shared -soname libref.so a.o b.o -o "$tmp/libref.so"
link -shared dup.o -L "$tmp" -lref -o "$tmp/x"
check "DT_NEEDED of a shared input" sh -c "readelf -dW '$tmp/x' | grep -q 'NEEDED.*libref.so'"

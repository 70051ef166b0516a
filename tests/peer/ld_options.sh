#!/bin/sh
# SPDX-License-Identifier: MIT
#
# How options are spelled: every option of ld.lld 22's --help with one and two dashes, its value behind `=`, as the next
# argument, joined and missing, with --no-, bad values, keywords of -z and --plugin-opt.  Both linkers get each line of
# tests/golden/ld_option_cases.txt before the same two objects, in a folder of its own.
. "$(dirname "$0")/../cli/tap.inc"
top=$(cd "$(dirname "$0")/../.." && pwd)
export LLD_VERSION=Same
mkdir "$tmp/in" "$tmp/bin" && cd "$tmp/in" || exit 1
ln -s "$B/amdld" "$tmp/bin/ld.lld"
cat >a.s <<'S'
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl f
.protected f
.type f,@function
f:
s_getpc_b64 s[4:5]
s_add_u32 s4,s4,h@rel32@lo+4
s_addc_u32 s5,s5,h@rel32@hi+12
s_endpgm
.size f,.-f
.hidden h
.data
.globl d
d: .quad h, d
.section .rodata.str1.1,"aMS",@progbits,1
.asciz "text"
.section .init_array,"aw",@init_array
.quad f
.section .debug_info,"",@progbits
.quad .text
S
cat >b.s <<'S'
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.section .text.h,"ax",@progbits
.globl h
.hidden h
.type h,@function
h: s_setpc_b64 s[30:31]
.size h,.-h
.section .text.unused,"ax",@progbits
.hidden unused
.globl unused
.type unused,@function
unused: s_endpgm
.size unused,.-unused
.section .rodata.str1.1,"aMS",@progbits,1
.asciz "text"
.asciz "xt"
.bss
.globl v
v: .zero 64
S
for f in a b; do llvm-mc-22 -triple amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj $f.s -o $f.o && rm $f.s; done
llvm-ar-22 rcs libb.a b.o
echo '{ global: f; d; local: *; };' >v.map
echo '{ d; };' >dyn.list
echo f >syms
: >none

# one WHOSE LINKER WORDS...: status, texts and image of a run, in $tmp/WHOSE
one() {
    _who=$1 _linker=$2
    shift 2
    rm -rf "$tmp/w"
    cp -r "$tmp/in" "$tmp/w" && cd "$tmp/w" || exit 1
    _first="-shared -O0" _last="-o out"
    for _w; do
        case $_w in
        NODEF) _first= ;;
        -oOUT | -o=OUT | OUT | --output*) _last= ;;
        esac
    done
    for _w; do # the list without NODEF, OUT being out
        shift
        case $_w in
        NODEF) ;;
        *OUT) set -- "$@" "${_w%OUT}out" ;;
        *) set -- "$@" "$_w" ;;
        esac
    done
    # shellcheck disable=SC2086
    "$_linker" $_first "$@" a.o b.o $_last >"$tmp/$_who.text" 2>"$tmp/$_who.err" </dev/null
    _rc=$?
    sed 's/^ld\.lld-22: /ld.lld: /' "$tmp/$_who.err" >>"$tmp/$_who.text"
    [ -e out ]
    echo "$_rc $?" >"$tmp/$_who.status"
    if [ -f out ]; then mv out "$tmp/$_who.image"; else : >"$tmp/$_who.image"; fi
}
n=0 texts=yes bad=
while IFS= read -r line; do
    case $line in
    '#'* | '') continue ;;
    '== status')
        echo "# $n cases with the same messages and image"
        check "same status, messages and image" test -z "$bad"
        n=0 texts= bad=
        continue
        ;;
    esac
    n=$((n + 1))
    eval "set -- $line"
    one ours "$tmp/bin/ld.lld" "$@"
    one theirs ld.lld-22 "$@"
    if cmp -s "$tmp/ours.status" "$tmp/theirs.status" && cmp -s "$tmp/ours.image" "$tmp/theirs.image" &&
        { [ -z "$texts" ] || cmp -s "$tmp/ours.text" "$tmp/theirs.text"; }; then continue; fi
    bad=yes
    echo "# differs: $line"
    diff "$tmp/theirs.text" "$tmp/ours.text" | head -n 4 | sed 's/^/#   /'
done <"$top/tests/golden/ld_option_cases.txt"
echo "# $n cases with the same status"
check "same status" test -z "$bad"

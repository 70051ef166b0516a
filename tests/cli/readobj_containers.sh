#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdreadobj looks into containers that LLVM's tools wrote, and writes them.
. "$(dirname "$0")/tap.inc"
c=$fix/containers
cd "$c" || exit 2

size() { wc -c <"$1" | tr -d ' '; }
s900=$(size vadd.gfx900.co)

# kind, target and name of each line of --list
lines() { "$ro" --list "$1" | sed 1,2d | awk '{ name = $NF; $1 = $2 = $3 = ""; $NF = ""; gsub(/ +/, " "); print name ":" $0 }' | sed 's/ *$//; s/: /:/'; }
expect_lines() { lines "$1" >"$tmp/got" && cat >"$tmp/want" && diff "$tmp/want" "$tmp/got"; }

plain() { expect_lines plain.hipfb <<E
plain.hipfb:bundle
(host-x86_64-unknown-linux-gnu-):host code
(hipv4-amdgcn-amd-amdhsa--gfx900):code object gfx900
(hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+):code object gfx90a:xnack+
E
}
compressed() { for v in 2 3; do expect_lines v$v.ccob <<E || return 1
v$v.ccob:compressed bundle v$v zstd
(host-x86_64-unknown-linux-gnu-):host code
(hipv4-amdgcn-amd-amdhsa--gfx900):code object gfx900
(hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+):code object gfx90a:xnack+
E
done; }
# The second binary follows the first: 144 bytes of tables, the object, padding to 8.
second=$(printf '+0x%x' $(((144 + s900 + 7) / 8 * 8)))
packaged() { expect_lines packaged.bin <<E
packaged.bin:raw
(+0x0):offload binary
(+0x0)(hip-amdgcn-amd-amdhsa--gfx900):code object gfx900
($second):offload binary
($second)(openmp-amdgcn-amd-amdhsa--gfx900):bitcode gfx900
E
}
archive() { expect_lines gnu.a <<E
gnu.a:archive
(vadd.gfx900.o):code object gfx900
(vadd.gfx90axnack.o):code object gfx90a:xnack+
(vadd.bc):bitcode
E
}
thin() { expect_lines thin.a <<E
thin.a:thin archive
(vadd.gfx900.o):code object gfx900
(vadd.gfx1100.o):code object gfx1100
E
}
thin_elsewhere() { (cd / && run 0 "$ro" "$c/thin.a" && has "$out" 'kernel vadd'); }
thin_missing() { cp thin.a "$tmp" && run 1 "$ro" "$tmp/thin.a" && has "$err" "cannot read member 'vadd.gfx900.o'"; }
host() { run 0 "$ro" --list host.o && has "$out" 'code object +gfx1100 +\(\.data\+0x0\)$' &&
    has "$out" "0x00001100 +$s900 +$s900 +code object +gfx900 +\(\.hip_fatbin\+0x0\)\(hipv4-amdgcn-amd-amdhsa--gfx900\)" &&
    has "$out" '\(\.hip_fatbin\+0x4000\)\(hipv4-amdgcn-amd-amdhsa--gfx90a:xnack\+\)'; }
coff() { run 0 "$ro" --list host.obj && has "$out" '\(\.hip_fat\+0x0\)\(hipv4-amdgcn-amd-amdhsa--gfx900\)'; }
extract() {
    run 0 "$ro" --extract="$tmp/x" host.o || return 1
    cmp vadd.gfx900.co "$tmp/x/host.o.0.gfx900.co" && cmp vadd.gfx90axnack.co "$tmp/x/host.o.1.gfx90a:xnack+.co" &&
        cmp vadd.gfx900.co "$tmp/x/host.o.2.gfx900.co" && cmp vadd.gfx90axnack.co "$tmp/x/host.o.3.gfx90a:xnack+.co" &&
        cmp vadd.gfx1100.co "$tmp/x/host.o.4.gfx1100.co" && same 5 "$(ls "$tmp/x" | wc -l | tr -d ' ')"
}
extract_archive() { run 0 "$ro" --extract="$tmp/y" gnu.a && cmp vadd.gfx900.o "$tmp/y/gnu.a.0.gfx900.o" && cmp vadd.bc "$tmp/y/gnu.a.2.unknown.bc"; }
# A member called ../../x must not leave the folder.
extract_safe() {
    { printf '!<arch>\n'; printf '%-16s%-12d%-6d%-6d%-8d%-10d`\n' '../../evil.o/' 0 0 0 644 "$s900"; cat vadd.gfx900.co; } >"$tmp/evil.a"
    mkdir -p "$tmp/a/b" && run 0 "$ro" --extract="$tmp/a/b/c" "$tmp/evil.a" && cmp vadd.gfx900.co "$tmp/a/b/c/evil.a.0.gfx900.co" && [ ! -e "$tmp/a/evil.o" ]
}
select_one() { run 0 "$ro" --target=gfx1100 --list host.o && same 1 "$(printf '%s\n' "$out" | grep -c 'code object')"; }
select_feature() { run 0 "$ro" --target=gfx90a:xnack+ plain.hipfb && has "$out" '^plain.hipfb\(hipv4-amdgcn-amd-amdhsa--gfx90a:xnack\+\):' &&
    run 1 "$ro" --target=gfx90a:xnack- plain.hipfb && same "" "$out"; }
select_none() { run 1 "$ro" --target=gfx1201 host.o && same "amdreadobj: error: host.o: no code object for gfx1201; there are: gfx900, gfx90a:xnack+, gfx1100" "$err"; }
select_entry() { run 0 "$ro" --target=hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+ --list plain.hipfb && has "$out" ' gfx90a:xnack\+ ' && same 1 "$(printf '%s\n' "$out" | grep -c 'code object')" &&
    run 0 "$ro" --target=hip-amdgcn-amd-amdhsa-gfx900 --list plain.hipfb && has "$out" ' gfx900 ' && run 2 "$ro" --target=hip-amdgcn-amd-amdhsa--sm_70 plain.hipfb; }
select_bad() { run 2 "$ro" --target=gfx9999 host.o && has "$err" "^amdreadobj: error: --target=gfx9999: "; }
targets() { # one of each, and the archive's relocatable ones
    a=$(($(size vadd.gfx900.co) + $(size vadd.gfx900.o))) b=$(($(size vadd.gfx90axnack.co) + $(size vadd.gfx90axnack.o))) c11=$(size vadd.gfx1100.co)
    run 0 "$ro" --targets plain.hipfb gnu.a vadd.gfx1100.co && { echo '         Bytes      Objects  Target'
        printf '%14d %12d  %s\n' $a 2 gfx900 $b 2 gfx90a:xnack+ "$c11" 1 gfx1100 $((a + b + c11)) 5 total; } >"$tmp/want" &&
        printf '%s\n' "$out" | diff "$tmp/want" -
}
external() { run 1 "$ro" --list kpack.o && has "$out" 'external device code +\(\.rocm_kpack_ref\): \.kpack/blas_lib_@GFXARCH@\.kpack, x$' && has "$err" 'its device code is in other files'; }
# Which bundle each record is for: by relocations of objects and shared libraries, by addresses where nothing moves.
wrappers() { # file, section of the records, section of the bundles, what the third is for
    run 0 "$ro" --list "$1" && has "$out" "fat binary wrapper +\($2\+0x0\): HIPF version 1, for $3\+0x850\$" &&
        has "$out" "fat binary wrapper +\($2\+0x18\): HIPF version 1, for $3\+0x0\$" &&
        has "$out" "fat binary wrapper +\($2\+0x30\): HIPF version 1, for $4\$" || return 1
}
wrappers_elf() {
    for f in wrapper.o wrapper-big-endian.o wrapper.so; do wrappers $f '\.hipFatBinSegment' '\.hip_fatbin' 'undefined __hip_fatbin_elsewhere' || return 1; done
    for f in wrapper-relr.so wrapper.exe; do wrappers $f '\.hipFatBinSegment' '\.hip_fatbin' '\.hip_fatbin\+0x0' || return 1; done
}
wrappers_coff() { for f in wrapper.obj wrapper.dll; do wrappers $f '\.hipFatB' '\.hip_fat' '\.hip_fat\+0x0' || return 1; done; }
wrappers_json() { command -v python3 >/dev/null || return 0; "$ro" --list --format=json wrapper.so | python3 -c '
import json, sys
items = json.load(sys.stdin)["items"]
w = [i for i in items if i["kind"] == "fat binary wrapper"]
b = [i["offset"] for i in items if i["kind"] == "compressed bundle"]
assert [x["refers_to"] for x in w] == [b[1], b[0], None] and all(x["version"] == 1 for x in w), (w, b)
assert w[0]["wrapper"] == "HIPF version 1, for .hip_fatbin+0x850"
'; }
wrapper_of_marker() { run 1 "$ro" --list kpack.o && has "$out" 'fat binary wrapper .*: HIPK version 1, for \.rocm_kpack_ref\+0x0$'; }
wrapper_damaged() { # 0x10e0: the records of wrapper.o; 0x1198 the addend of the first's relocation
    patch() { cp wrapper.o "$tmp/w.o" && printf "$2" | dd of="$tmp/w.o" bs=1 seek=$(($1)) conv=notrunc status=none && run 1 "$ro" --list "$tmp/w.o"; }
    patch 0x10e0 '\001' && has "$err" ': 0x10e0: fat binary wrapper: the magic is neither HIPF nor HIPK: found 0x48495001 version 1, for \.hip_fatbin\+0x850$' &&
        patch 0x10e4 '\002' && has "$err" ': 0x10e0: fat binary wrapper: the version is not 1: found HIPF version 2' &&
        patch 0x1198 '\001' && has "$err" 'no bundle begins where the pointer leads: found HIPF version 1, for \.hip_fatbin\+0x851$' &&
        patch 0x119f '\177' && has "$err" 'the pointer leads to no section of the file'
}
# A line of progress on a terminal for large files, and it is gone at the end; none elsewhere.
progress() {
    cat plain.hipfb >"$tmp/large" && truncate -s 80M "$tmp/large" || return 1
    script -qec "'$ro' --targets '$tmp/large'" /dev/null >"$tmp/tty" </dev/null || { cat "$tmp/tty"; return 1; }
    grep -q "$(printf '\r  0 %%  1 code objects\r\033')" "$tmp/tty" && grep -q ' gfx900' "$tmp/tty" || { od -c "$tmp/tty" | head -n 20; return 1; }
    script -qec "'$ro' --list '$tmp/large' >'$tmp/redirected'" /dev/null >"$tmp/tty" </dev/null || return 1
    grep -q '0 %  1 code objects' "$tmp/tty" && ! grep -q % "$tmp/redirected" || return 1
    script -qec "'$ro' --list '$tmp/large'" /dev/null >"$tmp/tty" </dev/null && ! grep -q ' % ' "$tmp/tty" && run 0 "$ro" --list "$tmp/large" && same "" "$err"
}
nothing() { run 1 "$ro" vadd.c && same "amdreadobj: error: vadd.c: holds no AMDGPU code object" "$err"; }
empty() { : >"$tmp/empty" && run 1 "$ro" "$tmp/empty" && has "$err" 'holds no AMDGPU code object'; }

repack() { # every format keeps every byte
    for o in --pack-format=bundle --pack-format=offload-binary --compress=zlib --compress=zstd '--compress=zlib --ccob-version=1' '--compress=zstd --ccob-version=1' '--compress=zstd --ccob-version=2 --compress-level=19'; do
        # shellcheck disable=SC2086
        run 0 "$ro" --pack="$tmp/p" $o plain.hipfb || return 1
        rm -rf "$tmp/px"
        run 0 "$ro" --extract="$tmp/px" "$tmp/p" && cmp vadd.gfx900.co "$tmp/px/p.0.gfx900.co" && cmp vadd.gfx90axnack.co "$tmp/px/p.1.gfx90a:xnack+.co" || { echo "with $o"; return 1; }
    done
}
pack_new() { run 0 "$ro" --pack="$tmp/n" --bundle-align=64 vadd.gfx900.co vadd.gfx90axnack.co && cmp plain.hipfb "$tmp/n"; }
pack_options() { # option, message
    while read -r options && read -r message; do
        # shellcheck disable=SC2086
        run 2 "$ro" --pack="$tmp/none" $options vadd.gfx900.co && same "amdreadobj: error: $message" "$err" && [ ! -e "$tmp/none" ] || return 1
    done <<E
--compress=zlib --compress-level=10
--compress-level is 1 to 9 for zlib and 1 to 22 for zstd
--compress=zstd --compress-level=23
--compress-level is 1 to 9 for zlib and 1 to 22 for zstd
--compress-level=5
--compress-level needs --compress
--pack-format=archive --compress=zstd
--compress and --pack-format=archive do not go together
--compress=zstd --ccob-version=4
--ccob-version is 1, 2 or 3
--bundle-align=3
--bundle-align is a power of two up to 2^30
E
}
pack_level() { # higher is no larger, and both unpack to the same
    run 0 "$ro" --pack="$tmp/l1" --compress=zstd --compress-level=1 plain.hipfb && run 0 "$ro" --pack="$tmp/l19" --compress=zstd --compress-level=19 plain.hipfb &&
        [ "$(size "$tmp/l19")" -lt "$(size "$tmp/l1")" ] && rm -rf "$tmp/lx" && run 0 "$ro" --extract="$tmp/lx" "$tmp/l19" && cmp vadd.gfx900.co "$tmp/lx/l19.0.gfx900.co"
}
# Offload binaries stand one behind the other, as linkers put them.
pack_twice_offload() { run 0 "$ro" --pack="$tmp/t.bin" --pack-format=offload-binary vadd.gfx900.co plain.hipfb && run 0 "$ro" --extract="$tmp/tx" "$tmp/t.bin" &&
    cmp "$tmp/tx/t.bin.0.gfx900.co" vadd.gfx900.co && cmp "$tmp/tx/t.bin.1.gfx900.co" vadd.gfx900.co && cmp "$tmp/tx/t.bin.2.gfx90a:xnack+.co" vadd.gfx90axnack.co; }
pack_twice() { run 1 "$ro" --pack="$tmp/t" vadd.gfx900.co plain.hipfb && has "$err" "entry ID 'hipv4-amdgcn-amd-amdhsa--gfx900' is given twice" && [ ! -e "$tmp/t" ]; }
broken() { head -c 3000 plain.hipfb >"$tmp/cut.hipfb"; run 1 "$ro" "$tmp/cut.hipfb" && has "$err" "cut.hipfb: 0x20|cut.hipfb: 0x[0-9a-f]+: bundle: entry 'hipv4"; }
wrong_hash() { { head -c 24 v3.ccob; printf 'XXXXXXXX'; tail -c +33 v3.ccob; } >"$tmp/h.ccob"; run 1 "$ro" "$tmp/h.ccob" && has "$err" 'h.ccob: 0x18: compressed bundle: hash: found 5858585858585858, expected' && has "$out" 'kernel vadd'; }
nested() { # a compressed bundle in an archive in an archive
    run 0 "$ro" --pack="$tmp/z" --compress=zstd plain.hipfb || return 1
    s=$(wc -c <"$tmp/z")
    { printf '!<arch>\n'; printf '%-16s%-12d%-6d%-6d%-8d%-10d`\n' 'z/' 0 0 0 644 "$s"; cat "$tmp/z"; [ $((s % 2)) -eq 0 ] || printf '\n'; } >"$tmp/in.a"
    s=$(wc -c <"$tmp/in.a")
    { printf '!<arch>\n'; printf '%-16s%-12d%-6d%-6d%-8d%-10d`\n' 'in.a/' 0 0 0 644 "$s"; cat "$tmp/in.a"; } >"$tmp/out.a"
    run 0 "$ro" "$tmp/out.a" && has "$out" 'out.a\(in.a\)\(z\)\(hipv4-amdgcn-amd-amdhsa--gfx900\):'
}
list_json() { command -v python3 >/dev/null || return 0; "$ro" --list --format=json host.o gnu.a | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert [x["container"] for x in d] == ["fatbinary", "archive"]
i = [x for x in d[0]["items"] if x["kind"] == "code object"]
assert len(i) == 5 and i[0]["offset"] == 0x1100 and i[0]["size"] == int(sys.argv[1]) and not i[0]["unpacked"] and i[2]["unpacked"]
' "$s900"; }

check "a plain bundle" plain
check "compressed bundles, versions 2 and 3" compressed
check "offload binaries one behind the other" packaged
check "a GNU archive" archive
check "a thin archive" thin
check "a thin archive from another folder" thin_elsewhere
check "a thin archive without its members" thin_missing
check "a host ELF file" host
check "a host COFF file" coff
check "--extract gives the very files" extract
check "--extract from an archive" extract_archive
check "--extract stays in its folder" extract_safe
check "--target selects" select_one
check "--target takes an entry ID" select_entry
check "--target minds features" select_feature
check "--target that matches nothing lists what there is" select_none
check "--target that is none" select_bad
check "--targets adds up over files" targets
check "device code in other files" external
check "fat binary wrappers of ELF files" wrappers_elf
check "fat binary wrappers of PE files" wrappers_coff
check "fat binary wrappers as JSON" wrappers_json
check "a fat binary wrapper of a marker" wrapper_of_marker
check "damaged fat binary wrappers" wrapper_damaged
if script -qec true /dev/null >"$tmp/tty" 2>&1 </dev/null; then
    check "a line of progress on terminals" progress
else # no script(1), or a container without /dev/pts
    echo "ok - a line of progress on terminals # skip no pseudo-terminals here"
fi
check "a file without device code" nothing
check "an empty file" empty
check "--pack into every format and back" repack
check "--pack writes what clang-offload-bundler writes" pack_new
check "--pack refuses options that do not go together" pack_options
check "--compress-level" pack_level
check "--pack refuses doubled IDs and writes nothing" pack_twice
check "--pack of offload binaries for one target" pack_twice_offload
check "a bundle that is cut off" broken
check "a wrong hash is told, the contents shown" wrong_hash
check "a compressed bundle in an archive in an archive" nested
# On several threads: members of an archive, a damaged and a large one among them.
threads() {
    mkdir "$tmp/threads" && cp "$fix"/objects/*.co "$fix"/objects/*.o "$tmp/threads" || return 1
    head -c 700 "$c/vadd.gfx900.co" >"$tmp/threads/m-cut.o"
    { cat "$c/vadd.gfx900.co" && head -c 1500000 /dev/zero; } >"$tmp/threads/m-large.o"
    (cd "$tmp/threads" && "${AR:-ar}" rcS ../threads.a ./*) || return 1
    for views in "-a" "-d" "" "-a -C"; do
        # shellcheck disable=SC2086
        (cd "$tmp" && "$ro" --threads=1 $views threads.a >one.out 2>one.err; echo $? >>one.out)
        # shellcheck disable=SC2086
        (cd "$tmp" && "$ro" --threads=3 $views threads.a >three.out 2>three.err; echo $? >>three.out)
        cmp "$tmp/one.out" "$tmp/three.out" && cmp "$tmp/one.err" "$tmp/three.err" || return 1
    done
    [ "$(wc -c <"$tmp/one.out")" -gt 1000 ] && has "$(cd "$tmp" && "$ro" --threads=3 -h threads.a 2>&1)" 'm-cut'
}
check "text and messages do not depend on threads" threads
check "--list as JSON" list_json

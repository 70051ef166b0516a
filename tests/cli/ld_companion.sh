#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdld built with musl has no zstd compressor and hands such links over to
# amdld-zstd: where it is built, where it is installed, and where it is missing.
. "$(dirname "$0")/tap.inc"
ld=$B/amdld
cd "$fix/ld" || exit 1
packs() { # a debug section of the file $1 is compressed by method 2
    readelf -tW "$1" | grep -q ZSTD
}
zstd() { "$@" -shared --compress-debug-sections=zstd compress.o debug.o -z notext --defsym=missing_one=0 --defsym=missing_two=0; }

mkdir "$tmp/alone" && cp "$ld" "$tmp/alone/amdld"
if ! grep -q libcodeobj/amdld-zstd "$ld"; then
    check "a program that is whole compresses by itself" zstd "$tmp/alone/amdld" -o "$tmp/whole"
    check "with zstd" packs "$tmp/whole"
    exit
fi

# ---- size --------------------------------------------------------------------
cp "$ld" "$tmp/small" && strip "$tmp/small"
small() { s=$(stat -c %s "$1") && [ "$s" -lt 800000 ] || { echo "$s bytes"; return 1; }; }
check "the program stays below 800,000 bytes" small "$tmp/small"

# ---- where it is built ---------------------------------------------------------
zstd "$B/amdld-zstd" -o "$tmp/ref" && check "the companion compresses with zstd" packs "$tmp/ref"
gives() { # NAME COMMAND...: the same image as the companion's
    _what=$1
    shift
    rm -f "$tmp/o"
    "$@" -o "$tmp/o" 2>"$tmp/err" && cmp "$tmp/ref" "$tmp/o" >>"$tmp/err" 2>&1
    check "$_what" test $? -eq 0
    sed 's/^/# /' "$tmp/err"
}
rest="-shared compress.o debug.o -z notext --defsym=missing_one=0 --defsym=missing_two=0"
echo "--compress-debug-sections=zstd $rest" >"$tmp/rsp"
gives "a link with zstd is handed over" zstd "$ld"
# shellcheck disable=SC2086
for o in -compress-debug-sections=zstd '--compress-debug-sections zstd' "--compress-sections=.debug_*=zstd" "--compress-sections .debug_*=zstd:3"; do
    gives "so is one with $o" sh -fc 'ld=$1 && shift && exec "$ld" "$@"' sh "$ld" $o $rest
done
gives "so is a response file" "$ld" "@$tmp/rsp"
for n in ld.lld lld ld iree-lld; do ln -s "$ld" "$tmp/$n" && gives "under the name $n" zstd "$tmp/$n"; done
gives "behind -flavor" zstd "$ld" -flavor gnu
# shellcheck disable=SC2016
gives "no input is read before" sh -c 'cat compress.o | "$@"' sh "$ld" --compress-debug-sections=zstd -shared /dev/stdin debug.o -z notext \
    --defsym=missing_one=0 --defsym=missing_two=0
name() { run 1 zstd "$tmp/ld.lld" --no-such-option && same 'ld.lld: error: unknown argument '\''--no-such-option'\' "$err"; }
check "messages have the name of the program that was called" name
# shellcheck disable=SC2086
check "zlib needs no other program" "$tmp/alone/amdld" --compress-debug-sections=zlib $rest -o "$tmp/z"

# ---- missing ---------------------------------------------------------------------
echo old >"$tmp/old"
missing() { # PATTERN
    rm -f "$tmp/none"
    run 1 zstd "$tmp/alone/amdld" -o "$tmp/none" && has "$err" "$1" || return 1
    [ "$(printf '%s\n' "$err" | wc -l)" = 1 ] && [ -z "$out" ] && [ ! -e "$tmp/none" ] || return 1
    run 1 zstd "$tmp/alone/amdld" -o "$tmp/old" && [ "$(cat "$tmp/old")" = old ]
}
where=$(cd "$tmp" && pwd -P)
echo text >"$tmp/alone/amdld-zstd"
check "a companion that does not run" missing "^amdld: error: cannot compress with zstd: cannot run $where/alone/amdld-zstd: Permission denied\$"
rm "$tmp/alone/amdld-zstd"
if zstd "$tmp/alone/amdld" -o "$tmp/o" 2>/dev/null; then
    echo "ok - a companion is installed, none can be missing # skip"
else
    check "a missing companion" missing "^amdld: error: .* missing: no $where/alone/amdld-zstd, $where/[^,]*/amdld-zstd or /.*; '--compress-debug-sections=zlib' needs none\$"
    rm "$tmp/ld.lld" && ln -s alone/amdld "$tmp/ld.lld"
    under() { run 1 zstd "$tmp/ld.lld" -o "$tmp/o" && has "$err" '^ld.lld: error: cannot compress'; }
    check "the message has the name of the program, too" under
fi

# ---- installed ---------------------------------------------------------------------
make -C "$top" --no-print-directory O="$(dirname "$B")" MODE="$(basename "$B")" DESTDIR="$tmp/root" PREFIX=/opt/co install >"$tmp/log" 2>&1
check "make install" test -x "$tmp/root/opt/co/bin/amdld"
ln -s "$tmp/root/opt/co/bin/amdld" "$tmp/installed"
gives "the installed program finds its companion" zstd "$tmp/root/opt/co/bin/amdld"
gives "through a link as well" zstd "$tmp/installed"
mv "$tmp/root/opt" "$tmp/moved" && gives "and somewhere else" zstd "$tmp/moved/co/bin/amdld"
make -C "$top" --no-print-directory O="$(dirname "$B")" MODE="$(basename "$B")" PREFIX="$tmp/moved/co" uninstall >"$tmp/log" 2>&1
check "make uninstall" test ! -e "$tmp/moved/co/bin/amdld" -a -z "$(find "$tmp/moved" -name 'amdld*')"

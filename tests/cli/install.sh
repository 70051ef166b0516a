#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make install into an empty folder, then a consumer built through pkg-config,
# shared and static, that opens an object and runs a kernel from it.
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
check() {
    if [ "$1" -eq 0 ]; then echo "ok - $2"; else echo "not ok - $2"; return 1; fi
}

make --no-print-directory O="$(dirname "$B")" MODE="$(basename "$B")" DESTDIR="$tmp/root" PREFIX=/usr install >"$tmp/log" 2>&1
check $? "make install" || cat "$tmp/log"

PKG_CONFIG_PATH=$tmp/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$tmp/root
san=
case $B in *asan) san=-fsanitize=address,undefined ;; *ubsan) san=-fsanitize=undefined ;; esac
cflags=$(PKG_CONFIG_PATH=$PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR=$PKG_CONFIG_SYSROOT_DIR pkg-config --cflags codeobj)
libs=$(PKG_CONFIG_PATH=$PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR=$PKG_CONFIG_SYSROOT_DIR pkg-config --libs codeobj)
# The sysroot is for our files only: the private requirements are the system's.
slibs="-L$tmp/root/usr/lib -l:libcodeobj.a $(pkg-config --libs yaml-0.1 zlib libzstd) $(pkg-config --libs msgpack 2>/dev/null || pkg-config --libs msgpack-c) -liberty -lm -pthread"
# shellcheck disable=SC2086
${CC:-cc} $san -Wall -Wextra -Werror $cflags -o "$tmp/shared" tests/cli/consumer.c $libs
check $? "consumer builds against the shared library"
# shellcheck disable=SC2086
${CC:-cc} $san -Wall -Wextra -Werror $cflags -o "$tmp/static" tests/cli/consumer.c $slibs
check $? "consumer builds against the static library"

for unit in kernels helpers; do cp fixtures/demo/gfx900/$unit.o "$tmp"; done
"$tmp/root/usr/bin/amdld" -shared -o "$tmp/demo.co" "$tmp/kernels.o" "$tmp/helpers.o"
check $? "installed amdld links"
LD_LIBRARY_PATH=$tmp/root/usr/lib "$tmp/shared" "$tmp/demo.co" >"$tmp/out" 2>&1
check $? "shared consumer runs"
[ "$(cat "$tmp/out")" = "vadd: 1.5 + 2.25 = 3.75" ]
check $? "shared consumer's kernel computes" || cat "$tmp/out"
"$tmp/static" "$tmp/demo.co" >"$tmp/out" 2>&1 && [ "$(cat "$tmp/out")" = "vadd: 1.5 + 2.25 = 3.75" ]
check $? "static consumer's kernel computes"

# Only the API is exported.
nm -D --defined-only "$tmp/root/usr/lib/libcodeobj.so" | awk '{ print $3 }' | grep -v '^codeobj_\|^CODEOBJ_' >"$tmp/extra"
[ ! -s "$tmp/extra" ]
check $? "only codeobj_* is exported" || cat "$tmp/extra"
# What the symbol version node is called follows the version in base.h.
grep -q "^CODEOBJ_$(sed -n 's/^#define CODEOBJ_VERSION_MAJOR *//p' libcodeobj/include/codeobj/base.h).$(sed -n 's/^#define CODEOBJ_VERSION_MINOR *//p' libcodeobj/include/codeobj/base.h) " libcodeobj/libcodeobj.map
check $? "symbol map and version agree"
# Each public header stands alone, in C and in C++.
for h in libcodeobj/include/codeobj/*.h; do
    echo "#include <codeobj/$(basename "$h")>" >"$tmp/h.c"
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror $cflags -fsyntax-only "$tmp/h.c" || { echo "not ok - $h stands alone"; continue; }
    echo "ok - $h stands alone"
done

make --no-print-directory DESTDIR="$tmp/root" PREFIX=/usr uninstall >/dev/null 2>&1
left=$(find "$tmp/root" -type f -o -type l | grep -v '/bin/.*lld')
[ -z "$left" ]
check $? "make uninstall leaves nothing" || echo "$left"

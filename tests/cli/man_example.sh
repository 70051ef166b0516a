#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The example of libcodeobj(3), taken out of the page, built and run.
. "$(dirname "$0")/tap.inc"

example() {
    sed -n '/^\.\\" begin squares.c/,/^\.\\" end squares.c/p' "$top/man/libcodeobj.3" | sed '/^\./d; s/\\e/\\/g' >"$tmp/squares.c"
    libs=$(pkg-config --libs libelf yaml-0.1 zlib libzstd libdw; pkg-config --libs msgpack-c 2>/dev/null || pkg-config --libs msgpack)
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror $SANITIZE -I"$top/libcodeobj/include" -o "$tmp/squares" "$tmp/squares.c" \
        "$B/libcodeobj.a" $libs -liberty -lm -pthread >&2 || return 1
    [ "$("$tmp/squares")" = "4 49 3969" ]
}

case $B in *asan*) SANITIZE=-fsanitize=address,undefined ;; *ubsan*) SANITIZE=-fsanitize=undefined ;; *cov*) SANITIZE=--coverage ;; *) SANITIZE= ;; esac
check "the example of libcodeobj(3) builds, runs and prints what it says" example

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The examples of libcodeobj(3), taken out of the page, built and run.
. "$(dirname "$0")/tap.inc"

# example NAME: takes NAME.c out of the page and builds it.
example() {
    sed -n "/^\.\\\\\" begin $1.c/,/^\.\\\\\" end $1.c/p" "$top/man/libcodeobj.3" | sed '/^\./d; s/\\e/\\/g' >"$tmp/$1.c"
    libs=$(pkg-config --libs libelf yaml-0.1 zlib libzstd libdw; pkg-config --libs msgpack-c 2>/dev/null || pkg-config --libs msgpack)
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror $SANITIZE -I"$top/libcodeobj/include" -o "$tmp/$1" "$tmp/$1.c" \
        "$B/libcodeobj.a" $libs -liberty -lm -pthread >&2
}

squares() {
    example squares && [ "$("$tmp/squares")" = "4 49 3969" ]
}

loader() {
    example loader && for t in gfx900 gfx1100; do
        [ "$("$tmp/loader" "$top/fixtures/demo/$t/kernels.o" "$top/fixtures/demo/$t/helpers.o")" = "4 times s" ] || return 1
    done
    # without the function that the kernel calls
    ! "$tmp/loader" "$top/fixtures/demo/gfx900/kernels.o" "$top/fixtures/demo/gfx900/kernels.o" 2>"$tmp/err" && grep -q 'undefined symbol: bucket_of\|undefined hidden symbol: bucket_of' "$tmp/err"
}

touches() {
    example touches || return 1
    "$tmp/touches" >"$tmp/touches.out"
    printf '%s\n' " >v0+2 v2+1 v4+4 s8+2 s126+2 memory: kind 3, 8 bytes" " scc0+1 target: 16" | diff - "$tmp/touches.out" >&2
}

case $B in *asan*) SANITIZE=-fsanitize=address,undefined ;; *ubsan*) SANITIZE=-fsanitize=undefined ;; *cov*) SANITIZE=--coverage ;; *) SANITIZE= ;; esac
check "the kernel of libcodeobj(3) builds, runs and prints what it says" squares
check "the loader of libcodeobj(3) links two objects in memory and runs a kernel" loader
check "the decoder of libcodeobj(3) builds, runs and prints what it says" touches

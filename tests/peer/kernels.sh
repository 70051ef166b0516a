#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The kernels of kernels/src on the executor and on the CPU, compared bit by bit:
# each is compiled by clang-22 for every processor at -O0 and -O2.
#
# Without options, one processor of each kind runs everything and the others, the generic ones among them, a few
# sources each, other ones for each of them; with LONG=1 all run everything.
#
# usage: kernels.sh [-k NAME] [-m TARGET] [-O LEVEL] [-c VERSION] [-l LANES] [-t THREADS] [-v] [-n] [-s FOLDER]
#   -k NAME     a kernel or a source file (without .c); may be repeated
#   -m TARGET   a processor, with -w64 behind it for the other wave size ("gfx1030-w64"), -cu for CU mode; may be repeated
#   -O LEVEL    0, 1, 2, 3 or s; may be repeated
#   -c VERSION  code object version, 4 to 6 (default: the compiler's; 4 on gfx803)
#   -l, -t      lane loops (base, avx2, avx512) and threads of the executor
#   -v          instruction counts and rates
#   -n          CPU only: each kernel twice, which must give the same
#   -s FOLDER   other sources than kernels/src; objects go into FOLDER too
# LINKER=... links the objects (default: amdld of the build, else ld.lld-22).
set -u
here=$(cd "$(dirname "$0")/kernels" && pwd)
root=$(cd "$here/../../.." && pwd)
B=${B:-build/release}
sources=$here/src work=$B/kernels
CLANG=${CLANG:-clang-22}
if [ -z "${LINKER:-}" ]; then
    if [ -x "$B/amdld" ]; then LINKER=$B/amdld; else LINKER=ld.lld-22; fi
fi
all_targets="gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950
    gfx1010 gfx1010-w64 gfx1030 gfx1030-w64 gfx1100 gfx1100-w64 gfx1150 gfx1150-w64
    gfx1200 gfx1200-w64 gfx1250"
# The same instructions as one of the above, or fewer; generic ones: what their processors have in common.
alike_targets="gfx9-generic gfx9-4-generic
    gfx1011 gfx1011-w64 gfx1012 gfx1012-w64 gfx1013 gfx1013-w64 gfx10-1-generic gfx10-1-generic-w64
    gfx1031 gfx1031-w64 gfx1032 gfx1032-w64 gfx1033 gfx1033-w64 gfx1034 gfx1034-w64 gfx1035 gfx1035-w64 gfx1036
    gfx1036-w64 gfx10-3-generic gfx10-3-generic-w64
    gfx1101 gfx1101-w64 gfx1102 gfx1102-w64 gfx1103 gfx1103-w64 gfx11-generic gfx11-generic-w64
    gfx1151 gfx1151-w64 gfx1152 gfx1152-w64 gfx1153 gfx1153-w64
    gfx1201 gfx1201-w64 gfx12-generic gfx12-generic-w64 gfx1251 gfx1013-cu gfx1036-cu gfx1103-cu gfx1201-cu"
SAMPLE=8 # of so many sources an alike one takes one
names= targets= levels= version= lanes= threads= verbose= cpu_only=
while getopts k:m:O:c:l:t:vns: o; do
    case $o in
    k) names="$names $OPTARG" ;;
    m) targets="$targets $OPTARG" ;;
    O) levels="$levels $OPTARG" ;;
    c) version=$OPTARG ;;
    l) lanes="-l $OPTARG" ;;
    t) threads="-t $OPTARG" ;;
    v) verbose=-v ;;
    n) cpu_only=1 ;;
    s) sources=$OPTARG work=$OPTARG ;;
    *) exit 2 ;;
    esac
done
alike=
if [ -z "$targets" ]; then
    targets="$all_targets $alike_targets"
    [ -z "${LONG:-}$names" ] && alike=" $(echo $alike_targets) "
fi
: "${levels:=0 2}"
jobs=$(nproc 2>/dev/null || echo 2)

mkdir -p "$work/host"
compile=$here/compile.sh
export CLANG LINKER HEADER="$here/kernel.h" CASE_HEADER="$here/case.h"

# ---- the CPU side
for s in "$sources"/*.c "$sources"/*.cl; do
    [ -e "$s" ] && echo "host $work/host/$(basename "${s%.*}").o $s -I$here"
done >"$work/list"
for s in host driver; do
    echo "host $work/$s.o $here/$s.c -I$root/libcodeobj/include"
done >>"$work/list"
xargs -r -P"$jobs" -L1 sh "$compile" <"$work/list" || exit 1
libs=$(pkg-config --libs libelf yaml-0.1 zlib libzstd libdw && { pkg-config --libs msgpack-c 2>/dev/null || pkg-config --libs msgpack; })
objects=$(awk '{print $2}' "$work/list")
for o in $objects "$B/libcodeobj.a"; do
    [ "$work/driver" -nt "$o" ] && continue
    # shellcheck disable=SC2086
    ${CC:-cc} ${DRIVER_LDFLAGS:-} -o "$work/driver" $objects "$B/libcodeobj.a" $libs -lm -pthread || exit 1
    break
done
if [ -n "$cpu_only" ]; then
    # shellcheck disable=SC2086
    "$work/driver" -n cpu $names
    exit
fi
if [ -n "$names" ]; then
    units=$("$work/driver" -s | awk -v want="$names " '{ if (index(want, " " $1 " ") || index(want, " " $2 " ")) print $1 }' | sort -u)
else
    units=$("$work/driver" -s | awk '{ print $1 }' | sort -u)
fi

# gfx1250 drops an s_set_vgpr_msb right behind s_setreg_imm32_b32 of MODE, and so does the executor; clang 22 writes that now and
# then (LLVM 209524).  Such kernels of $dir cannot give what the CPU does: they are named and left out of $these.
without_dropped() {
    dropped=$(for u in $units; do
        "$B/amdreadobj" -d "$dir/$u.co" | awk '/^[0-9a-f]+ <.*>:$/ { k = substr($2, 2, length($2) - 3) }
            /s_set_vgpr_msb/ && mode { print k }
            { mode = /s_setreg_imm32_b32 hwreg\(HW_REG_WAVE_MODE/ }'
    done | sort -u)
    [ -z "$dropped" ] && return
    for k in $dropped; do echo "# $target-O$level $k: s_set_vgpr_msb right behind a write of MODE (LLVM 209524): left out"; done
    # shellcheck disable=SC2086
    these=$("$work/driver" -s | awk -v units=" $(echo $units) " -v want=" $(echo $run) " -v not=" $(echo $dropped) " '
        index(units, " " $1 " ") && !index(not, " " $2 " ") && (want == "  " || index(want, " " $1 " ") || index(want, " " $2 " ")) { print $2 }')
    : "${these:=none}"
}

# ---- the device side
failed=0 turn=0
every_unit=$units
for target in $targets; do
    mcpu=${target%-w64} flags= wave=32
    mcpu=${mcpu%-cu}
    case $target in
    *-cu) flags=-mcumode ;; # a work-group on one compute unit: nothing that a kernel could see is different
    *-w64) flags=-mwavefrontsize64 wave=64 ;;
    gfx6* | gfx7* | gfx8* | gfx9*) wave=64 ;;
    esac
    at_levels=$levels run=$names
    units=$every_unit
    case $alike in
    *" $target "*) # every eighth source, beginning at another one each time, once without and once with optimisation
        turn=$((turn + 1))
        units=$(echo "$every_unit" | awk -v n=$SAMPLE -v from=$turn 'NR % n == from % n')
        run=$units
        at_levels=$(echo "$levels" | awk -v t=$turn -v n=$SAMPLE '{ print $(int(t / n) % NF + 1) }')
        [ -z "$units" ] && continue
        ;;
    esac
    for level in $at_levels; do
        dir=$work/$target-O$level${version:+-v$version} cov=${version:+-mcode-object-version=$version}
        # In V5 objects for gfx803, functions that are called find the apertures through a null pointer (clang 22).
        [ "$mcpu" = gfx803 ] && [ -z "$version" ] && cov=-mcode-object-version=4
        mkdir -p "$dir"
        for u in $units; do
            for s in "$sources/$u.c" "$sources/$u.cl"; do
                [ -e "$s" ] && echo "device $dir/$u.co $s -I$here -mcpu=$mcpu $flags $cov -O$level"
            done
        done >"$work/list"
        xargs -r -P"$jobs" -L1 sh "$compile" <"$work/list"
        for u in $units; do
            [ -e "$dir/$u.co" ] || { echo "not ok - $target-O$level $u.co could not be built"; failed=1; }
        done
        these=$run
        [ "$mcpu" = gfx1250 ] && without_dropped
        # shellcheck disable=SC2086
        "$work/driver" -d "$dir" -w $wave $lanes $threads $verbose -n "${target%-w64}-w$wave-O$level${version:+-v$version}" $these || failed=1
    done
done
exit $failed

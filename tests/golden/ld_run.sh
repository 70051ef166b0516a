#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ld_run.sh LINKER CASE-LINE OUT: runs one line of ld_cases.txt in fixtures/ld;
# prints "STATUS CHECKSUM SIZE" of the image, stderr, and stdout behind it, go to OUT.err with
# the program's name made P.
linker=$1 line=$2 out=$3
name=${line%% *}
rm -f "$out"
extra=
case $linker in *amdld*) extra="--no-explain --no-merge-metadata" ;; esac
case $line in *"-O"*|*" -r "*) o= ;; *) o=-O0 ;; esac
flavor=
case ${line#"$name"} in *"-flavor gnu"*) flavor="-flavor gnu"; line=$(printf '%s' "$line" | sed 's/-flavor gnu//') ;; esac
case $linker in *lld*-22) flavor= ;; esac
eval "LLD_VERSION=x \"$linker\" $flavor $extra $o ${line#"$name"} -o \"$out\" >\"$out.out\" 2>\"$out.err\""
status=$?
cat "$out.out" >>"$out.err"
sed -i "s/^$(basename "$linker"): /P: /" "$out.err"
if [ -e "$out" ]; then sum=$(cksum <"$out"); else sum="- -"; fi
echo "$status $sum"

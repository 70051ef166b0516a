#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs ld.lld 22 on every case of tests/golden/ld_cases.txt and compares with
# what tests/golden has: those are ld.lld's own results, which tests/cli/ld_golden.sh
# holds amdld to.  REBASE=1 writes them anew.
top=$(cd "$(dirname "$0")/../.." && pwd)
golden=$top/tests/golden
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$top/fixtures/ld" || exit 1
mkdir -p "$golden/ld"
: >"$tmp/expected"
while read -r line; do
    case $line in '#'*|'') continue ;; esac
    name=${line%% *}
    result=$("$golden/ld_run.sh" ld.lld-22 "$line" "$tmp/o")
    echo "$name $result" >>"$tmp/expected"
    if [ "${REBASE:-}" = 1 ]; then
        if [ -s "$tmp/o.err" ]; then cp "$tmp/o.err" "$golden/ld/$name.err"; else rm -f "$golden/ld/$name.err"; fi
    else
        [ -e "$golden/ld/$name.err" ] && err=$golden/ld/$name.err || err=/dev/null
        if grep -qx "$name $result" "$golden/ld_expected.txt" && cmp -s "$err" "$tmp/o.err"; then
            echo "ok - $name is what ld.lld does"
        else
            echo "not ok - $name: ld.lld says $result"
            diff "$err" "$tmp/o.err"
        fi
    fi
done <"$golden/ld_cases.txt"
if [ "${REBASE:-}" = 1 ]; then cp "$tmp/expected" "$golden/ld_expected.txt"; echo "ok - rebased"; fi

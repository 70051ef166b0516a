#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdld against ld.lld 22's own results (tests/golden/ld_expected.txt and ld/*.err):
# exit status, every byte of the image, every line of the messages.
top=$(cd "$(dirname "$0")/../.." && pwd)
golden=$top/tests/golden
case $B in /*) ;; *) B=$top/$B ;; esac
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$top/fixtures/ld" || exit 1
while read -r line; do
    case $line in '#'*|'') continue ;; esac
    name=${line%% *}
    result=$("$golden/ld_run.sh" "$B/amdld" "$line" "$tmp/o")
    err=$golden/ld/$name.err
    [ -e "$err" ] || err=/dev/null
    if ! grep -qx "$name $result" "$golden/ld_expected.txt"; then
        echo "not ok - $name: got $result, expected $(grep "^$name " "$golden/ld_expected.txt")"
    elif ! cmp -s "$err" "$tmp/o.err"; then
        echo "not ok - $name: messages differ"
        diff "$err" "$tmp/o.err"
    else
        echo "ok - $name as ld.lld does it"
    fi
done <"$golden/ld_cases.txt"

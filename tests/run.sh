#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs test programs that speak TAP ("ok ..." / "not ok ..." lines), shows what
# failed and adds up.  A program that fails without saying "not ok", or says
# nothing at all, counts as one failure.  Ends with "N passed, N failed".
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
for t in "$@"; do
    CMOCKA_MESSAGE_OUTPUT=TAP "$t" >"$log" 2>&1
    rc=$?
    ok=$(grep -c '^ok' "$log")
    skip=$(grep -ci '^ok.*# skip' "$log")
    # cmocka 1.1 says "not ok ... # SKIP" of a skipped test
    unused=$(grep -ci '^not ok.*# skip' "$log")
    bad=$(($(grep -c '^not ok' "$log") - unused)) ok=$((ok + unused)) skip=$((skip + unused))
    if [ $rc -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    if [ $rc -eq 0 ] && [ "$ok" -eq 0 ] && [ "$bad" -eq 0 ]; then bad=1; echo "$t: ran no test"; fi
    if [ "$bad" -ne 0 ]; then
        echo "FAILED $t (exit $rc)"
        grep -v '^ok' "$log" | head -n 60
    fi
    passed=$((passed + ok - skip)) failed=$((failed + bad)) skipped=$((skipped + skip))
done
if [ $skipped -ne 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Disassembly compared with LLVM 22 on every processor: a line per processor and
# wave size.  REPORT=FILE writes the figures per format there; VECTORS=N sets
# the fillings per opcode, PROCESSORS="..." the processors.
#
# Any difference fails.  isa-report.txt is the last report.
B=${B:-build/release}
JOBS=${JOBS:-2}
VECTORS=${VECTORS:-$([ -n "$LONG" ] && echo 128 || echo 16)}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
if ! make -s "$B/tests/isa_peer" >"$tmp/make.log" 2>&1; then
    echo "not ok - build isa_peer"
    sed 's/^/# /' "$tmp/make.log"
    exit 1
fi
processors=${PROCESSORS:-$(sed -n 's/^PROCESSOR([A-Z0-9_]*, *"\(gfx[^"]*\)".*/\1/p' libcodeobj/target/processors.def)}
for p in $processors; do
    case $p in
    gfx[6-9] | gfx[6-9][0-9][0-9a-c] | gfx9-*) echo "$p 64" ;;
    gfx125*) echo "$p 32" ;;
    *) echo "$p 32" && echo "$p 64" ;;
    esac
done >"$tmp/list"
xargs -P "$JOBS" -L 1 sh -c '
    "$1/tests/isa_peer" "$4" --wave="$5" --vectors="$2" --show=3 >"$3/$4.$5" 2>&1
    echo $? >"$3/$4.$5.rc"' sh "$B" "$VECTORS" "$tmp" <"$tmp/list"
while read -r p wave; do
    total=$(sed -n 's/.* TOTAL *//p' "$tmp/$p.$wave" | tr -s ' ')
    if [ "$(cat "$tmp/$p.$wave.rc")" = 0 ]; then
        echo "ok - disassembly of $p wave$wave equals LLVM 22 ($total)"
    else
        echo "not ok - disassembly of $p wave$wave equals LLVM 22 ($total)"
        sed 's/^/# /' "$tmp/$p.$wave"
    fi
done <"$tmp/list"

# The verdicts: an assembler makes the same bytes of the text exactly if the word is canonical.
for p in ${PROCESSORS:-gfx803 gfx900 gfx908 gfx90a gfx950 gfx1030 gfx1100 gfx1200 gfx1201 gfx1250 gfx1251}; do
    "$B/tests/isa_peer" "$p" --vectors=4 --random=3000 --reassemble --show=5 >"$tmp/verdicts" 2>&1
    rc=$?
    case $p in gfx[67]*) continue ;; esac
    if [ "$rc" = 0 ]; then
        echo "ok - canonical words of $p, and no others, are what llvm-mc makes of their text"
    else
        echo "not ok - canonical words of $p, and no others, are what llvm-mc makes of their text"
        sed 's/^/# /' "$tmp/verdicts"
    fi
done
if [ -n "${REPORT:-}" ]; then
    {
        echo "Disassembly compared with $(llvm-mc-22 --version | sed -n 's/.*\(LLVM version .*\)/\1/p'), $VECTORS fillings per opcode."
        echo "soft: valid only for llvm-mc (\"potentially undefined\"); llvm-crashes: words on which LLVM's decoder dies."
        echo "llvm-wrong: what LLVM itself gets wrong, see llvm_mistake() in isa_peer.c; refused: gfx6 and gfx7 words whose text an"
        echo "assembler refuses: limits of the hardware that a decoder does not check (constant bus), constants of f16 in the long form."
        echo "gfx6, gfx7: LLVM has no disassembler; what we print is assembled back and compared (text and bytes)."
        echo
        while read -r p wave; do
            grep -h '^gfx.* vectors ' "$tmp/$p.$wave"
        done <"$tmp/list" >"$tmp/lines"
        grep ' TOTAL ' "$tmp/lines" | tr -s ' '
        echo
        echo "Formats, all processors together:"
        awk '!/ TOTAL / { v[$3] += $5; g[$3] += $7; m[$3] += $9 }
             END { for (f in v) printf "%-8s vectors %9d valid %9d mismatches %7d\n", f, v[f], g[f], m[f] }' "$tmp/lines" | sort
    } >"$REPORT"
fi

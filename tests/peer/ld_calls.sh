#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Random profiles of calls, in objects and in files: amdld and ld.lld 22 make the same images, and say the same, with either
# sort and without.  SEED=n begins elsewhere, COUNT=n changes the number.  KEEP=folder keeps the inputs of what differs.
. "$(dirname "$0")/../cli/tap.inc"
ld=$B/amdld
cd "$tmp" || exit 1
seed=${SEED:-1}
count=${COUNT:-20}

# generate SEED: objects o0.s ..., a file of calls (calls) or .cg_profile in the objects, and options in opts.
generate() {
    awk -v seed="$1" '
    function pick(n) { return int(rand() * n) }
    function any(list, a, n) { n = split(list, a, " "); return a[1 + pick(n)] }
    function size() { return even ? 16 : pick(3) ? pick(60) : pick(3) ? pick(2500) : any("0 0 1 4096 150000") }
    # Those of low numbers call and are called most.
    function one() { return "f" pick(pick(4) ? n : 1 + n / 8) }
    function weight() { return kind == 0 ? 1 : kind == 1 ? pick(3) : kind == 2 ? pick(2 ^ pick(31)) : 1 + pick(100000) }
    BEGIN {
        srand(seed)
        n = 2 + pick(any("6 20 60 150"))
        objects = 1 + pick(3)
        even = pick(4) == 0
        kind = pick(4)
        for (i = 0; i < n; i++) {
            out = "o" (home[i] = pick(objects)) ".s"
            sec = pick(12) ? ".text.f" i : any(".text.unlikely.f other .data.f .text.f" i)
            print ".section " sec ",\"" (sec ~ /data/ ? "aw" : "ax") "\",@progbits\n.p2align " any("0 2 2 4 6 8") ",0" > out
            if (pick(9)) print ".globl f" i > out
            print "f" i ":\n.fill " size() ",1," pick(3) > out
        }
        infile = pick(2)
        for (i = n * any("0.5 1 3"); i >= 0; i--) {
            a = one(); b = one()
            if (infile) print a, b, weight() > "calls"
            else print ".cg_profile " a ", " b ", " weight() > ("o" home[substr(a, 2) + 0] ".s")
        }
        line = any("-shared -shared --pie")
        if (infile) { line = line " --call-graph-ordering-file=calls"; if (!pick(8)) print "f0 nobody 7" > "calls" }
        if (!pick(4)) line = line " --icf=all"
        if (!pick(5)) line = line " --gc-sections -u f0 -u f1"
        if (!pick(8)) line = line " --shuffle-sections=*=" 1 + pick(9)
        if (!infile && !pick(4)) { line = line " --symbol-ordering-file=order"; for (i = 0; i < 3; i++) print "f" (i * 7) % n > "order" }
        for (i = 0; i < objects; i++) { print ".text" > ("o" i ".s"); line = line " o" i ".o" }
        print line > "opts"
    }'
}

i=0
while [ $i -lt "$count" ]; do
    n=$((seed + i))
    i=$((i + 1))
    rm -f o?.s o?.o calls order
    generate $n
    for s in o?.s; do
        llvm-mc-22 -triple amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj "$s" -o "${s%.s}.o" || echo "not ok - seed $n: llvm-mc"
    done
    opts=$(cat opts)
    for sort in none hfsort cdsort; do
        rm -f theirs ours
        # shellcheck disable=SC2086
        LLD_VERSION=x ld.lld-22 --call-graph-profile-sort=$sort --print-symbol-order=- $opts -o theirs >theirs.out 2>theirs.err; a=$?
        # shellcheck disable=SC2086
        LLD_VERSION=x "$ld" --no-explain --call-graph-profile-sort=$sort --print-symbol-order=- $opts -o ours >ours.out 2>ours.err; b=$?
        sed -i 's/^ld\.lld[^:]*: //' theirs.err
        sed -i 's/^amdld: //' ours.err
        if [ $a = $b ] && { [ $a != 0 ] || cmp -s ours theirs; } && cmp -s ours.out theirs.out && cmp -s ours.err theirs.err; then
            echo "ok - seed $n, $sort ($a)"
        else
            echo "not ok - seed $n, $sort: $opts (status $b, ld.lld's $a)"
            diff theirs.err ours.err | head -4 | sed 's/^/# /'
            diff theirs.out ours.out | head -4 | sed 's/^/# /'
            if [ -n "${KEEP:-}" ]; then mkdir -p "$KEEP/$n" && cp o?.s o?.o opts ours theirs "$KEEP/$n" 2>/dev/null; fi
        fi
    done
done

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdreadobj --check: causes, exit status, JSON.
. "$(dirname "$0")/tap.inc"
cd "$fix/containers" || exit 2

good() { run 0 "$ro" --check vadd.gfx900.co vadd.gfx1100.co && same 2 "$(printf '%s\n' "$out" | grep -c 'nothing speaks against')"; }
good_for() { run 0 "$ro" --check --for=gfx90a:xnack+ vadd.gfx90axnack.co && has "$out" ': loads on gfx90a:xnack\+ '; }
relocatable() { run 1 "$ro" --check vadd.gfx900.o && has "$out" 'error: found ET_REL, needed ET_DYN \[relocatable\]$' && has "$out" '^    repair: link it: amdld'; }
container() { run 1 "$ro" --check plain.hipfb && has "$out" 'bundle with 2 code objects: gfx900, gfx90a:xnack\+.*\[is-a-container\]$'; }
broken_bundle() { { head -c 40 v3.ccob; printf 'broken'; tail -c +47 v3.ccob; } >"$tmp/b.ccob" && run 1 "$ro" --check "$tmp/b.ccob" && has "$out" 'file at 0x0: error: found compressed bundle: the zstd stream is broken.* \[container-malformed\]$' && has "$out" 'found compressed bundle with 0 code objects, needed a code object .*\[is-a-container\]$' && run 1 "$ro" --list "$tmp/b.ccob" && has "$err" 'the zstd stream is broken'; }
compressed() { run 1 "$ro" --check v3.ccob && has "$out" '\[is-a-container\]$'; }
looked_into() { run 0 "$ro" --check --target=gfx900 plain.hipfb && has "$out" '^plain.hipfb\(hipv4-amdgcn-amd-amdhsa--gfx900\): nothing speaks'; }
processor() { run 1 "$ro" --check --for=gfx906 vadd.gfx900.co && has "$out" 'found gfx900, needed gfx906 \[processor-mismatch\]$'; }
feature() { run 1 "$ro" --check --for=gfx90a:xnack- vadd.gfx90axnack.co && has "$out" '\[xnack-mismatch\]$'; }
older() { run 1 "$ro" --check --newest-version=5 vadd.gfx900.co && has "$out" '\[version-newer\]$'; }
host_program() { run 1 "$ro" --check /bin/sh && has "$out" '\[(wrong-machine|is-a-container)\]$'; }
bad_device() { run 2 "$ro" --check --for=gfx9 vadd.gfx900.co && has "$err" '^amdreadobj: error: --for=gfx9: '; }
missing() { run 1 "$ro" --check "$tmp/none" && has "$err" 'No such file'; }
# An entry under another processor's ID.
misfit() { LC_ALL=C sed 's/--gfx900/--gfx906/' plain.hipfb >"$tmp/m.hipfb" && run 1 "$ro" --check --target=gfx906 "$tmp/m.hipfb" && has "$out" 'ELF header: error: found entry ID "hipv4-amdgcn-amd-amdhsa--gfx906", needed gfx900, as e_flags say \[entry-id-disagrees\]$' &&
    run 1 "$ro" --check "$tmp/m.hipfb" && has "$out" '\[entry-id-disagrees\]$' && run 0 "$ro" --list "$tmp/m.hipfb" && has "$out" 'gfx906\): e_flags say gfx900 \[entry-id-disagrees\]$' &&
    run 0 "$ro" --list --format=json "$tmp/m.hipfb" && has "$out" '"target":"gfx906","finding":"entry-id-disagrees","object_target":"gfx900"'; }
# The kernel descriptor's symbol renamed in both string tables: the metadata names what is not there.
lost() { LC_ALL=C sed 's/scale\.kd\x00/scale.kx\x00/g' vadd.gfx900.co >"$tmp/l.co" && run 1 "$ro" --check "$tmp/l.co" && has "$out" 'scale.*\[descriptor-missing\]$'; }
# That it is none to load is the one thing to say.
core() { cp vadd.gfx900.co "$tmp/c.co" && printf '\4' | dd of="$tmp/c.co" bs=1 seek=16 conv=notrunc status=none && run 1 "$ro" --check "$tmp/c.co" && has "$out" 'found ET_CORE \(4\), needed ET_DYN \[wrong-type\]$' &&
    has "$out" '\(1 error, 0 warnings\)$'; }
# Findings of a descriptor say where it is: 0xa40 in this file.
offset() { cp vadd.gfx900.co "$tmp/o.co" && printf '\005' | dd of="$tmp/o.co" bs=1 seek=$((0xa40 + 13)) conv=notrunc status=none && run 0 "$ro" --check "$tmp/o.co" &&
    has "$out" 'kernel "vadd" at 0xa40: warning: found bytes 12-15: .*\[reserved-bits\]$' && run 0 "$ro" --check --format=json "$tmp/o.co" && has "$out" '"offset": 2624,$'; }
json() { command -v python3 >/dev/null || return 0; "$ro" --check --format=json vadd.gfx900.o vadd.gfx900.co | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert [x["loads"] for x in d] == [False, True]
f = d[0]["findings"][0]
assert f["code"] == "relocatable" and f["severity"] == "error" and f["found"] == "ET_REL" and f["needed"] == "ET_DYN" and f["repair"]
assert d[1]["findings"] == []
'; }

check "a good object" good
check "a good object for its device" good_for
check "a relocatable object" relocatable
check "a bundle, and what is in it" container
check "a compressed bundle" compressed
check "a compressed bundle that is broken" broken_bundle
check "--target looks into it" looked_into
check "another processor" processor
check "an entry under another processor's ID" misfit
check "another xnack setting" feature
check "a runtime that knows less" older
check "a host program" host_program
check "a device that is none" bad_device
check "a file that is not there" missing
check "a descriptor that is not there" lost
check "a core file" core
check "the place of a finding" offset
check "findings as JSON" json

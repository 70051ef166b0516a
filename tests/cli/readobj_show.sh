#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What amdreadobj shows of one object.  Values are those of llvm-readobj-22 and
# of the source (fixtures/containers/vadd.c).
. "$(dirname "$0")/tap.inc"
c=$fix/containers
cd "$c" || exit 2

summary() { run 0 "$ro" vadd.gfx900.co && has "$out" '^  gfx900, amdhsa, code object V6, ET_DYN, [0-9]+ bytes$' && has "$out" '^  kernel vadd, code 152 bytes$' &&
    has "$out" '^    8 VGPRs, 12 SGPRs, LDS 0, scratch 0, kernarg 288 align 8, wave64, work-group up to 1024$' &&
    has "$out" '^      arg 3   offset 24   size 4    by_value$' && ! has "$out" hidden >/dev/null && has "$out" 'offset 12   size 4    dynamic_shared_pointer local$'; }
header() { run 0 "$ro" -h vadd.gfx90axnack.co && has "$out" '^  Flags: +0x73f \(mach gfx90a, xnack on, sramecc any\)$' && has "$out" '^  Target: +amdgcn-amd-amdhsa--gfx90a:xnack\+$'; }
segments() { run 0 "$ro" -l vadd.gfx900.co && has "$out" '^  LOAD .* R E 0x1000$' && same 4 "$(printf '%s\n' "$out" | grep -c '^  LOAD')" && has "$out" '^  GNU_RELRO '; }
sections() { run 0 "$ro" -S vadd.gfx900.co && has "$out" '^  \[ ?[0-9]+\] \.text +PROGBITS .* AX +0 +0 +256$' && has "$out" '\.relro_padding +NOBITS'; }
symbols() { run 0 "$ro" -s vadd.gfx900.co && has "$out" ' 0000000000001c00 +152 FUNC +GLOBAL +PROTECTED +function +\.text +vadd$' &&
    has "$out" ' 0000000000000a40 +64 OBJECT +GLOBAL +PROTECTED +yes +\.rodata +vadd\.kd$' && has "$out" ' LOCAL +HIDDEN +local +\.data +table$' && has "$out" ' ABS +vadd\.num_vgpr$'; }
host_relocatable() { run 0 "$ro" -s vadd.gfx900.o && has "$out" ' if-linked +\.rodata +vadd\.kd$' && has "$out" ' function +\.text +vadd$'; }
demangled() { run 0 "$ro" -C -s vadd.gfx900.co && has "$out" ' twice\(float\)$' && run 0 "$ro" -s vadd.gfx900.co && has "$out" ' _Z5twicef$'; }
relocations() { run 0 "$ro" -r vadd.gfx900.co && has "$out" '^  0000000000003e20 R_AMDGPU_RELATIVE64 +0x3e10$' && run 0 "$ro" -r vadd.gfx900.o && has "$out" '^  0000000000000010 R_AMDGPU_REL64 +vadd \+ 0x10$'; }
dynamic() { run 0 "$ro" --dynamic vadd.gfx900.co && has "$out" '^  DT_RELACOUNT +0x1$' && ! has "$out" DT_NULL >/dev/null; }
notes() { run 0 "$ro" -n vadd.gfx900.co && has "$out" '^  0x00000238 AMDGPU +NT_AMDGPU_METADATA +[0-9]+ +MessagePack'; }
metadata() { run 0 "$ro" --metadata vadd.gfx900.co && has "$out" '^amdhsa.target: +amdgcn-amd-amdhsa--gfx900$' && has "$out" '^ +\.value_kind: +hidden_group_size_x$'; }
kernels() { run 0 "$ro" --kernels vadd.gfx1100.co && has "$out" '^  kernel vadd, code [0-9]+ bytes, descriptor 0xa80, entry 0x1c00$' && has "$out" '^      enable_wavefront_size32: 1$' &&
    has "$out" '^    occupancy: 16 of 16 waves on each of 4 SIMDs' && has "$out" ' hidden_group_size_x$' && ! has "$out" 'reserved bits' >/dev/null; }
json() { command -v python3 >/dev/null || return 0; "$ro" --format=json vadd.gfx900.co | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["container"] == "elf" and d["file"] == "vadd.gfx900.co"
o = d["code_objects"][0]
assert o["entry"] is None and o["offset"] == 0
h = o["header"]
assert h["type"] == "ET_DYN" and h["osabi"] == "amdhsa" and h["abi_version"] == 4 and h["code_object_version"] == 6
assert h["flags"] == 0x12c and h["mach"] == "gfx900" and h["xnack"] == "any" and h["sramecc"] == "unsupported" and h["generic_version"] is None
assert h["target_id"] == "amdgcn-amd-amdhsa--gfx900"
assert set(o) == {"name", "entry", "offset", "size", "header", "segments", "sections", "symbols", "dynamic_symbols", "relocations", "dynamic", "notes", "metadata", "groups", "kernels"}
k = {k["name"]: k for k in o["kernels"]}
assert set(k) == {"vadd", "scale"}
v = k["vadd"]
assert v["symbol"] == "vadd.kd" and v["descriptor_address"] == 0xa40 and v["entry_address"] == 0x1c00 and v["code_size"] == 152
assert v["descriptor"]["kernarg_size"] == 288 and v["registers"]["vgpr_count"] == 8 and v["args"][0]["value_kind"] == "global_buffer"
assert o["metadata"]["amdhsa.kernels"][0][".name"] == "vadd"
assert o["relocations"] == [{"section": ".rela.dyn", "offset": 0x3e20, "type": "R_AMDGPU_RELATIVE64", "symbol": "", "addend": 0x3e10}]
'; }
json_some() { command -v python3 >/dev/null || return 0; "$ro" -h -n --format=json vadd.gfx900.co vadd.gfx1100.co | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert len(d) == 2 and set(d[1]["code_objects"][0]) == {"name", "entry", "offset", "size", "header", "notes"}
'; }
hex_dump() { run 0 "$ro" -x .comment vadd.gfx1100.co && has "$out" "^Hex dump of section '.comment':" && run 0 "$ro" --hex-dump=.dynamic -x3 vadd.gfx900.co && has "$out" '^  0x00002d60 07000000 00000000 '; }
hex_dump_none() { run 1 "$ro" -x .nope vadd.gfx900.co && has "$err" "no section '.nope'"; }
hex_dump_compressed() { run 0 "$ro" -x .debug_str ../objects/debug-zlib.o && a=$out && run 0 "$ro" -x .debug_str ../objects/debug-none.o && same "$(printf '%s\n' "$a" | sed 1d)" "$(printf '%s\n' "$out" | sed 1d)"; }
string_dump() { run 0 "$ro" -p .dynstr vadd.gfx900.co && has "$out" '^  \[ +1\] ' && has "$out" '\] vadd\.kd$'; }
raw() { "$ro" --raw-metadata vadd.gfx900.co >"$tmp/raw" && dd if=vadd.gfx900.co of="$tmp/want" bs=1 skip=$((0x238 + 20)) count="$(size "$tmp/raw")" 2>/dev/null && cmp "$tmp/raw" "$tmp/want" && [ -s "$tmp/raw" ]; }
size() { wc -c <"$1" | tr -d ' '; }
# A symbol name with an escape sequence and a stray byte must not reach the terminal: replace "table" in .strtab.
hostile_name() {
    LC_ALL=C sed 's/\x00table\x00/\x00\x1b[2J\xff\x00/' vadd.gfx900.co >"$tmp/h.co"
    run 0 "$ro" -s "$tmp/h.co" && has "$out" ' \\x1b\[2J\\xff$' && ! grep -q "$(printf '\033')" "$tmp/.out" && run 0 "$ro" -s --format=json "$tmp/h.co" && has "$out" '"name": "\\u001[bB]\[2J\\\\xff"'
}
# What is readable of a damaged object is shown: the section header table is cut off.
damaged() { head -c 4000 vadd.gfx900.co >"$tmp/d.co"; run 1 "$ro" -h -l "$tmp/d.co" && has "$err" '^amdreadobj: error: .*d\.co: ' && has "$out" 'mach gfx900' && has "$out" '^  LOAD '; }
wrong_machine() { run 1 "$ro" /bin/sh && has "$err" 'holds no AMDGPU code object'; }
short() { printf '\177ELF\2\1' >"$tmp/s"; run 1 "$ro" "$tmp/s" && has "$err" '/s: '; }

check "summary" summary
check "header" header
check "segments" segments
check "sections" sections
check "symbols and who can find them" symbols
check "symbols of a relocatable object" host_relocatable
check "-C demangles" demangled
check "relocations" relocations
check "dynamic section" dynamic
check "notes" notes
check "metadata" metadata
check "kernels" kernels
check "-x shows bytes" hex_dump
check "-x of a section that is not there" hex_dump_none
check "-x decompresses" hex_dump_compressed
check "-p shows strings" string_dump
check "the metadata note as it is stored" raw
check "JSON has every documented key" json
check "JSON of some views of two files" json_some
check "names cannot drive the terminal" hostile_name
check "a damaged object is shown as far as it goes" damaged
check "a host program without device code" wrong_machine
check "a stump of a file" short

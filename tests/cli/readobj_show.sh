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
endless() { run 0 timeout 60 "$ro" -C -s "$fix/ld/endless.o" && has "$out" ' _Z1f1AIiiES_IS0_S0_' && has "$out" ' _RINvC1a1fuTB7_B7_'; }
relocations() { run 0 "$ro" -r vadd.gfx900.co && has "$out" '^  0000000000003e20 R_AMDGPU_RELATIVE64 +0x3e10$' && run 0 "$ro" -r vadd.gfx900.o && has "$out" '^  0000000000000010 R_AMDGPU_REL64 +vadd \+ 0x10$'; }
dynamic() { run 0 "$ro" --dynamic vadd.gfx900.co && has "$out" '^  DT_RELACOUNT +0x1$' && ! has "$out" DT_NULL >/dev/null; }
dynamic_meaning() { run 0 "$B/amdld" -shared -soname me.co -rpath /lib -Bsymbolic -z now -o "$tmp/named.co" "$fix/demo/gfx900/helpers.o" && run 0 "$ro" --dynamic "$tmp/named.co" &&
    has "$out" '^  DT_SONAME +0x[0-9a-f]+  me\.co$' && has "$out" '^  DT_RUNPATH +0x[0-9a-f]+  /lib$' && has "$out" '^  DT_FLAGS +0xa DF_SYMBOLIC DF_BIND_NOW$' && has "$out" '^  DT_FLAGS_1 +0x1 DF_1_NOW$' &&
    run 0 "$ro" --dynamic --format=json "$tmp/named.co" && has "$out" '"string": "me\.co"' && has "$out" '"DF_1_NOW"'; }
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

# Notes and amd_kernel_code_t of finalizers, as fixtures/objects/finalizer_v1.s spells them.
v1_notes() { run 0 "$ro" -h -n ../objects/finalizer-v1.o && has "$out" '^  Code object version: +1$' && has "$out" '^  Target: +amdgcn-amd-amdhsa--gfx802$' && {
    printf '%s\n' "$out" | sed -n '/^Notes/,$p' | sed 1d | sed 's/^  0x[0-9a-f]* //; s/  */ /g' >"$tmp/notes"
    diff - "$tmp/notes" <<E
AMD NT_AMD_HSA_CODE_OBJECT_VERSION 8 version 1.0
AMD NT_AMD_HSA_HSAIL 12 HSAIL 1.0, profile 1, machine model 1, rounding 2
AMD NT_AMD_HSA_ISA_VERSION 26 AMD AMDGPU 8.0.0
AMD NT_AMD_HSA_PRODUCER 41 AMD HSA Runtime Finalizer 1.0
AMD NT_AMD_HSA_PRODUCER_OPTIONS 26 -hsa_call_convention=0
AMD 0x63 4 deadbeef
ACME 0x7 3 010203
E
}; }
v2_notes() { run 0 "$ro" -n ../objects/kernel-v2.o && has "$out" 'NT_AMD_HSA_CODE_OBJECT_VERSION +8  version 2\.1$' && has "$out" 'NT_AMD_HSA_ISA_VERSION +27  AMD AMDGPU 9\.0\.0$' &&
    has "$out" 'NT_AMD_HSA_ISA_NAME +26  amdgcn-amd-amdhsa--gfx900$' && has "$out" 'NT_AMD_HSA_METADATA +962  YAML' &&
    run 0 "$ro" -n ../objects/pal-legacy-gfx900.o && has "$out" 'NT_AMD_PAL_METADATA +48  0x2e12=0x00af0000 0x2e13=0x00000000 0x1000001a=0x00000004'; }
notes_json() { command -v python3 >/dev/null || return 0; "$ro" -n --format=json ../objects/finalizer-v1.o | python3 -c '
import json, sys
n = json.load(sys.stdin)["code_objects"][0]["notes"]
assert n[1]["text"] == "HSAIL 1.0, profile 1, machine model 1, rounding 2" and n[3]["text"] == "AMD HSA Runtime Finalizer 1.0"
assert n[5] == {"owner": "AMD", "type": "0x63", "size": 4, "offset": 0x108, "hex": "deadbeef"} and n[6]["hex"] == "010203" and n[6]["owner"] == "ACME"
'; }
v1_kernel() { run 0 "$ro" --kernels ../objects/finalizer-v1.o && has "$out" '^  kernel &__copy::&kernel, code 4 bytes, descriptor 0x0, entry 0x100$' && has "$out" '^    descriptor: 12 VGPRs, 16 SGPRs allocated, .* wave64$' || return 1
    for f in amd_kernel_code_version_minor:1 code_properties:0x7f098b wavefront_sgpr_count:16 workitem_vgpr_count:11 reserved_vgpr_count:1 reserved_sgpr_first:14 \
        debug_private_segment_buffer_sgpr:6 kernarg_segment_alignment:4 enable_sgpr_grid_workgroup_count_x:1 enable_sgpr_grid_workgroup_count_y:1 \
        enable_sgpr_grid_workgroup_count_z:0 enable_ordered_append_gds:1 private_element_size:3 is_ptr64:1 is_dynamic_callstack:1 is_debug_enabled:1 is_xnack_enabled:1; do
        has "$out" "^      ${f%:*}: ${f#*:}\$" || return 1
    done
    has "$out" '^      code_properties at byte 56: reserved bits 0x800 set, expected 0$'; }
# A file type and an ABI version that this tool has never seen are shown.
# What is allocated is not known of a processor that is not known.
unknown_processor() { cp vadd.gfx900.co "$tmp/u.co" && printf '\356' | dd of="$tmp/u.co" bs=1 seek=48 conv=notrunc status=none && run 0 "$ro" --kernels "$tmp/u.co" &&
    has "$out" '^    descriptor: LDS 0, scratch 0, kernarg 288$' && ! has "$out" ' allocated,' && run 0 "$ro" --kernels --format=json "$tmp/u.co" && has "$out" '"vgpr_allocated": null'; }
core_file() { cp vadd.gfx900.co "$tmp/c.co" && printf '\4' | dd of="$tmp/c.co" bs=1 seek=16 conv=notrunc status=none && printf '\041' | dd of="$tmp/c.co" bs=1 seek=$((0x238 + 8)) conv=notrunc status=none &&
    run 0 "$ro" -h -n -l "$tmp/c.co" && has "$out" '^  Type: +ET_CORE$' && has "$out" 'AMDGPU +NT_AMDGPU_KFD_CORE_STATE +[0-9]+  83ae616d '; }
next_version() { cp vadd.gfx900.co "$tmp/n.co" && printf '\11' | dd of="$tmp/n.co" bs=1 seek=8 conv=notrunc status=none && run 0 "$ro" -h --kernels "$tmp/n.co" &&
    has "$out" '^  ABI version: +9$' && has "$out" '^  Code object version: +11$' && has "$out" 'kernel vadd'; }

check "summary" summary
check "header" header
check "segments" segments
check "sections" sections
check "symbols and who can find them" symbols
check "symbols of a relocatable object" host_relocatable
check "-C demangles" demangled
check "but no name that would have no end" endless
check "relocations" relocations
check "dynamic section" dynamic
check "what its values mean" dynamic_meaning
check "notes" notes
check "notes of V1" v1_notes
check "notes of V2 and of PAL's old form" v2_notes
check "notes as JSON" notes_json
check "amd_kernel_code_t" v1_kernel
check "a core file" core_file
check "a processor that is not known" unknown_processor
check "an ABI version to come" next_version
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

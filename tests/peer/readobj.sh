#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdreadobj beside LLVM 22: containers that --pack writes are read by LLVM's
# tools; headers, sections, symbols, relocations and metadata are the same.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
case ${B:?} in /*) ;; *) B=$top/$B ;; esac
ro=$B/amdreadobj c=$top/fixtures/containers
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if ! command -v clang-offload-bundler-22 >/dev/null; then echo "ok - # skip no LLVM 22"; exit 0; fi
check() {
    _name=$1
    shift
    if "$@" >"$tmp/.log" 2>&1; then echo "ok - $_name"; else
        echo "not ok - $_name"
        sed 's/^/# /' "$tmp/.log" | head -n 30
    fi
}

ids=hipv4-amdgcn-amd-amdhsa--gfx900,hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+
unbundle() { # options of --pack
    "$ro" --pack="$tmp/p" "$@" "$c/vadd.gfx900.co" "$c/vadd.gfx90axnack.co" &&
        clang-offload-bundler-22 -type=o -unbundle -targets=$ids -input="$tmp/p" -output="$tmp/1" -output="$tmp/2" &&
        cmp "$tmp/1" "$c/vadd.gfx900.co" && cmp "$tmp/2" "$c/vadd.gfx90axnack.co"
}
packager() {
    "$ro" --pack="$tmp/p" --pack-format=offload-binary "$c/vadd.gfx900.co" "$c/vadd.gfx90axnack.co" &&
        llvm-offload-binary-22 "$tmp/p" --image=file="$tmp/1",arch=gfx900,triple=amdgcn-amd-amdhsa --image=file="$tmp/2",arch=gfx90a:xnack+ &&
        cmp "$tmp/1" "$c/vadd.gfx900.co" && cmp "$tmp/2" "$c/vadd.gfx90axnack.co"
}
archive() {
    "$ro" --pack="$tmp/p.a" --pack-format=archive "$c/vadd.gfx900.co" "$c/gnu.a" && (cd "$tmp" && llvm-ar-22 t p.a >list && llvm-ar-22 x p.a) &&
        printf 'vadd.gfx900.co\nvadd.gfx900.o\nvadd.gfx90axnack.o\nvadd.bc\n' | diff - "$tmp/list" &&
        cmp "$tmp/vadd.gfx900.co" "$c/vadd.gfx900.co" && cmp "$tmp/vadd.bc" "$c/vadd.bc"
}

# What clang's HIP driver and lld make: each way it stores device code in a host file.
cat >"$tmp/h.hip" <<'E'
struct dim3 { unsigned x, y, z; };
typedef struct stream *hipStream_t;
typedef int hipError_t;
extern "C" hipError_t hipLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, unsigned long shared, hipStream_t stream);
extern "C" hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, unsigned long *shared, void *stream);
__attribute__((global)) void k(float *p) { p[0] = 1; }
E
hip() { clang-22 -x hip -nogpulib -nogpuinc -c "$tmp/h.hip" -o "$tmp/h.o" "$@"; }
hip_two() { hip --offload-arch=gfx900 --offload-arch=gfx90a:xnack+ "$@" && "$ro" "$tmp/h.o" >"$tmp/out" && grep -q 'gfx900):$' "$tmp/out" &&
    grep -q 'gfx90a:xnack+):$' "$tmp/out" && [ "$(grep -c '^  kernel _Z1kPf' "$tmp/out")" -eq 2 ]; }
hip_rdc() { hip --offload-arch=gfx900 -fgpu-rdc && "$ro" --list "$tmp/h.o" 2>/dev/null | grep -q 'bitcode  *gfx900 ' && { "$ro" "$tmp/h.o" 2>&1 | grep -q 'only bitcode'; }; }
pe() { lld-link-22 -dll -noentry -out:"$tmp/h.dll" "$c/host.obj" && "$ro" --extract="$tmp/pe" "$tmp/h.dll" && cmp "$tmp/pe/h.dll.0.gfx900.co" "$c/vadd.gfx900.co"; }
embedded() { echo 'int x;' | clang-22 -target x86_64-linux-gnu -x c -c -o "$tmp/e.o" - -Xclang -fembed-offload-object="$c/packaged.bin" &&
    "$ro" --extract="$tmp/em" "$tmp/e.o" && cmp "$tmp/em/e.o.0.gfx900.co" "$c/vadd.gfx900.co" && cmp "$tmp/em/e.o.1.gfx900.bc" "$c/vadd.bc"; }

# The records HIP registers, through whatever relocations each kind of host file has for them.
hip_wrapper() { # how to link; the wrapper leads to the bundle's offset
    hip --offload-arch=gfx900 && ld.lld-22 "$@" --unresolved-symbols=ignore-all -o "$tmp/h.bin" "$tmp/h.o" 2>/dev/null && "$ro" --list --format=json "$tmp/h.bin" >"$tmp/list" &&
        python3 - "$tmp/list" <<'P'
import json, sys
items = json.load(open(sys.argv[1]))["items"]
w = [i["refers_to"] for i in items if i["kind"] == "fat binary wrapper"]
b = [i["offset"] for i in items if i["kind"] in ("bundle", "compressed bundle")]
assert w == b and len(w) == 1, (w, b)
P
}
hip_windows() { # names of more than eight bytes
    clang-22 -x hip -target x86_64-pc-windows-msvc -nogpulib -nogpuinc --offload-arch=gfx900 -O1 -w -c "$tmp/h.hip" -o "$tmp/h.obj" &&
        "$ro" --list "$tmp/h.obj" | grep -q 'fat binary wrapper .*HIPF version 1, for .*hip_fat' && "$ro" --extract="$tmp/win" "$tmp/h.obj" && [ -s "$tmp"/win/*gfx900.co ]
}
bigobj() { # more than 65,279 sections make /bigobj
    printf '.macro one\n.section .t\\@,"dr"\n.byte 1\n.endm\n.rept 65290\none\n.endr\n.section .hip_fat,"dr"\n.p2align 4\n.incbin "%s"\n' "$c/plain.hipfb" |
        clang-22 -target x86_64-windows-msvc -x assembler -c -o "$tmp/big.obj" - && "$ro" --extract="$tmp/big" "$tmp/big.obj" &&
        cmp "$tmp/big/big.obj.0.gfx900.co" "$c/vadd.gfx900.co" && cmp "$tmp/big/big.obj.1.gfx90a:xnack+.co" "$c/vadd.gfx90axnack.co"
}
# Entry IDs, alignments and texts as clang-offload-bundler writes them.
text_bundle() {
    for x in s ll i; do
        printf '; host\n' >"$tmp/h.$x"; printf '; device\nx\n' >"$tmp/d.$x"
        clang-offload-bundler-22 -type=$x -targets=host-x86_64-unknown-linux-gnu,openmp-amdgcn-amd-amdhsa--gfx906:xnack- -input="$tmp/h.$x" -input="$tmp/d.$x" -output="$tmp/t.$x" || return 1
        "$ro" --list "$tmp/t.$x" 2>/dev/null >"$tmp/list"
        grep -q 'text bundle' "$tmp/list" && grep -q '(openmp-amdgcn-amd-amdhsa-[a-z]*-gfx906:xnack-)' "$tmp/list" && grep -q 'gfx906:xnack- ' "$tmp/list" || { cat "$tmp/list"; return 1; }
    done
}
object_bundle() { # a section for each entry
    echo 'int x;' | clang-22 -target x86_64-linux-gnu -x c -c -o "$tmp/ho.o" - &&
        clang-offload-bundler-22 -type=o -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx900,hip-amdgcn-amd-amdhsa--gfx1100 -input="$tmp/ho.o" \
            -input="$c/vadd.gfx900.o" -input="$c/vadd.gfx1100.o" -output="$tmp/bo.o" && "$ro" --extract="$tmp/ob" "$tmp/bo.o" &&
        cmp "$tmp/ob/bo.o.0.gfx900.o" "$c/vadd.gfx900.o" && cmp "$tmp/ob/bo.o.1.gfx1100.o" "$c/vadd.gfx1100.o" &&
        llvm-ar-22 rc "$tmp/bo.a" "$tmp/bo.o" && "$ro" --extract="$tmp/oba" "$tmp/bo.a" && cmp "$tmp/oba/bo.a.1.gfx1100.o" "$c/vadd.gfx1100.o"
}
generic_bundle() { # dashes in a processor's name
    clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx9-4-generic -mcode-object-version=6 -nogpulib -o "$tmp/generic.co" -x c - </dev/null &&
    clang-offload-bundler-22 -type=o -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx9-4-generic,hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack+ \
        -input=/dev/null -input="$tmp/generic.co" -input="$c/vadd.gfx90axnack.co" -output="$tmp/g" && "$ro" --list "$tmp/g" >"$tmp/list" && grep -q ' gfx9-4-generic ' "$tmp/list" &&
        grep -q ' gfx90a:sramecc+:xnack+ ' "$tmp/list" && "$ro" --target=gfx942 --list "$tmp/g" | grep -q 'generic)$'
}

# One line per thing, in the same words, from both programs' JSON.
cat >"$tmp/same.py" <<'E'
import json, subprocess, sys
ro, f = sys.argv[1:3]
ours = json.loads(subprocess.run([ro, "-a", "--format=json", f], stdout=subprocess.PIPE, check=True).stdout)["code_objects"][0]
theirs = json.loads(subprocess.run(["llvm-readobj-22", "--elf-output-style=JSON", "-h", "-l", "-S", "-s", "--dyn-syms", "-r", "-d", f],
                                   stdout=subprocess.PIPE, check=True).stdout)[0]
def name(x): return x["Name"] if isinstance(x, dict) else x
bad = 0
def same(what, a, b):
    global bad
    if a != b:
        bad += 1
        print(what, "ours", a, "LLVM", b)
e = theirs["ElfHeader"]
same("flags", ours["header"]["flags"], e["Flags"]["Value"])
same("abi", ours["header"]["abi_version"], e["Ident"]["ABIVersion"])
same("sections", [(s["name"], s["type"], s["addr"], s["offset"], s["size"], s["link"], s["info"], s["align"], s["entsize"]) for s in ours["sections"]],
     [(s["Name"]["Name"], s["Type"]["Name"], s["Address"], s["Offset"], s["Size"], s["Link"], s["Info"], s["AddressAlignment"], s["EntrySize"])
      for s in (x["Section"] for x in theirs["Sections"])])
same("flags of sections", [sorted(s["flags"]) for s in ours["sections"]], [sorted(f["Name"] for f in x["Section"]["Flags"]["Flags"]) for x in theirs["Sections"]])
same("segments", [(s["type"], s["offset"], s["vaddr"], s["filesz"], s["memsz"], s["align"]) for s in ours["segments"]],
     [(s["Type"]["Name"], s["Offset"], s["VirtualAddress"], s["FileSize"], s["MemSize"], s["Alignment"]) for s in (x["ProgramHeader"] for x in theirs["ProgramHeaders"])])
def symbols(list_):
    short = {"Local": "STB_LOCAL", "Global": "STB_GLOBAL", "Weak": "STB_WEAK"}
    kind = {"None": "STT_NOTYPE", "Object": "STT_OBJECT", "Function": "STT_FUNC", "Section": "STT_SECTION", "File": "STT_FILE"}
    out = []
    for x in list_[1:]:
        s = x["Symbol"]
        out.append((name(s["Name"]), s["Value"], s["Size"], short[name(s["Binding"])], kind.get(name(s["Type"]), "STT_" + name(s["Type"]))))
    return out
def mine(list_): return [(s["name"], s["value"], s["size"], s["binding"], s["type"]) for s in list_]
# LLVM prints a section symbol under its section's name.
same("symbols", [s for s in mine(ours["symbols"]) if s[4] != "STT_SECTION"], [s for s in symbols(theirs["Symbols"]) if s[4] != "STT_SECTION"])
same("dynamic symbols", mine(ours["dynamic_symbols"]), symbols(theirs["DynamicSymbols"]) if theirs.get("DynamicSymbols") else [])
relocs = []
for x in theirs["Relocations"]:
    for r in x["Relocs"]:
        r = r["Relocation"]
        relocs.append((r["Offset"], name(r["Type"]), name(r["Symbol"]) if r.get("Symbol") else "", r.get("Addend", 0)))
# LLVM does not look for addends in the places, and does not know what type SHT_RELR stands for on this machine.
kind = {s["name"]: s["type"] for s in ours["sections"]}
for r in ours["relocations"]:
    if kind[r["section"]] in ("SHT_RELR", "SHT_ANDROID_RELR"):
        r["type"] = "R_AMDGPU_NONE"
    if kind[r["section"]] not in ("SHT_RELA", "SHT_ANDROID_RELA"):
        r["addend"] = 0
same("relocations", [(r["offset"], r["type"], r["symbol"], r["addend"]) for r in ours["relocations"]], [(o, t, "" if s == "-" else s, a) for o, t, s, a in relocs])
# LLVM counts DT_NULL
same("dynamic", [d["tag"] for d in ours["dynamic"]], ["DT_" + d["Type"] for d in theirs.get("DynamicSection", []) if d["Type"] != "NULL"])
same("dynamic strings", [d.get("string") for d in ours["dynamic"]],
     [d.get("Library", d.get("Name", ":".join(d["Path"]) if "Path" in d else None)) for d in theirs.get("DynamicSection", []) if d["Type"] != "NULL"])
same("dynamic flags", [d.get("flags", []) for d in ours["dynamic"]],
     [[("DF_1_" if d["Type"] == "FLAGS_1" else "DF_") + f for f in d.get("Flags", [])] for d in theirs.get("DynamicSection", []) if d["Type"] != "NULL"])
sys.exit(bad != 0)
E
tables() { python3 "$tmp/same.py" "$ro" "$1"; }
metadata() { # the YAML between --- and ... is LLVM's
    "$ro" --metadata "$1" | sed -n '/^---/,/^\.\.\./p' >"$tmp/ours"
    llvm-readelf-22 --notes "$1" | sed -n '/---/,/^\.\.\./p' | sed 's/^.*AMDGPU Metadata: *//; s/^ *---/---/' >"$tmp/theirs"
    diff "$tmp/theirs" "$tmp/ours"
}

# An object whose relocations are packed, with names and flags in its dynamic section; linked by LLVM.
packed() {
    ld.lld-22 -shared -soname lib.so -o "$tmp/lib.so" "$top/fixtures/ld/b.o" &&
        ld.lld-22 -shared "$@" --unresolved-symbols=ignore-all -soname me.so -rpath /x:/y -z now -z nodelete -Bsymbolic \
            -o "$tmp/packed.co" "$top/fixtures/ld/a.o" "$top/fixtures/ld/b.o" "$tmp/lib.so" && tables "$tmp/packed.co"
}

check "clang-offload-bundler reads our bundle" unbundle
for form in none relr android android+relr; do
    check "an object with --pack-dyn-relocs=$form" packed --pack-dyn-relocs=$form
done
check "an object with --pack-dyn-relocs=relr and Android's tags" packed --pack-dyn-relocs=relr --use-android-relr-tags
check "an object with -z rel" packed -z rel
check "an object with -z rel and --pack-dyn-relocs=android" packed -z rel --pack-dyn-relocs=android
check "clang-offload-bundler reads our zstd bundle, version 3" unbundle --compress=zstd
check "clang-offload-bundler reads our zlib bundle, version 3" unbundle --compress=zlib
check "clang-offload-bundler reads our zstd bundle, version 2" unbundle --compress=zstd --ccob-version=2
check "clang-offload-bundler reads our zlib bundle, version 1" unbundle --compress=zlib --ccob-version=1
check "llvm-offload-binary reads our binaries" packager
check "llvm-ar reads our archive" archive
check "HIP objects of the new driver" hip_two
check "HIP objects of the old driver, compressed" hip_two --no-offload-new-driver --offload-compress
check "HIP objects with relocatable device code" hip_rdc
check "a PE library" pe
check "offload binaries in a host object" embedded
check "the wrapper of a HIP program that is not moved" hip_wrapper
check "the wrapper of a HIP program that is" hip_wrapper -pie
check "the wrapper of a HIP library" hip_wrapper -shared
check "the wrapper of a HIP library with RELR" hip_wrapper -shared --pack-dyn-relocs=relr
check "a HIP object for Windows" hip_windows
check "a /bigobj object" bigobj
check "text bundles" text_bundle
check "bundles in sections of a host object, and that in an archive" object_bundle
check "generic processors and features in entry IDs" generic_bundle
for f in "$c"/*.o "$c"/*.co "$top"/fixtures/objects/*.o "$top"/fixtures/objects/*.co; do
    case $f in */host.o | */kpack.o | */wrapper*) continue ;; esac
    check "tables of $(basename "$f") as llvm-readobj has them" tables "$f"
    check "metadata of $(basename "$f") as llvm-readelf has it" metadata "$f"
done

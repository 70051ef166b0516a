#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The container, metadata, descriptors, occupancy and the builder beside LLVM 22:
# what is read has to read the same there, what is written has to be taken there
# without a warning.  LONG=1: every processor; else one of each kind.
set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
make -s MODE="$(basename "$B")" "$B/tests/core_peer" >&2 || { echo "not ok - core_peer builds"; exit 1; }
peer=$B/tests/core_peer
ok() { echo "ok - $1"; }
no() { echo "not ok - $1"; }

cpus="gfx700 gfx803 gfx900 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1151 gfx1200 gfx1250 gfx9-generic gfx9-4-generic gfx10-1-generic gfx11-generic gfx12-generic"
if [ -n "${LONG:-}" ]; then
    cpus=$(llvm-mc-22 --triple=amdgcn -mcpu=help </dev/null 2>&1 | awk '/Select the gfx/{print $1}' | sort -u |
           while read -r c; do clang-22 -target amdgcn-amd-amdhsa -mcpu="$c" -nogpulib -x c -fsyntax-only /dev/null 2>/dev/null && echo "$c"; done)
fi

llvm_yaml() { llvm-readelf-22 --notes "$1" 2>/dev/null | sed -n '/^ *---$/,$p' | sed '1s/^ *//;$d'; }

same_yaml() {
    if [ "$("$peer" yaml "$1"; echo .)" = "$(llvm_yaml "$1"; echo .)" ]; then ok "metadata of $2"; else no "metadata of $2"; fi
}

# next_free_vgpr of the descriptor is what LLVM prints; directives LLVM leaves out when 0 are not compared.
same_descriptors() {
    llvm-objdump-22 -D -j .rodata "$1" 2>/dev/null | grep -E '^\s*\.amdhsa' | tr -s ' \t' ' ' | sed 's/^ //' >"$dir/theirs"
    "$peer" descriptors "$1" >"$dir/ours"
    if [ ! -s "$dir/theirs" ]; then echo "ok - descriptors of $2 # SKIP llvm-objdump does not know the processor"; return; fi
    # Only directives that both print, kernel by kernel.
    if awk 'NR == FNR { if ($1 == ".amdhsa_kernel") k = $2; else t[k " " $1] = $2; next }
            $1 == ".amdhsa_kernel" { k = $2; next }
            (k " " $1) in t { n++; if (t[k " " $1] != $2) { print k, $1, $2, "LLVM:", t[k " " $1]; bad = 1 } }
            END { exit bad || n < 40 }' "$dir/theirs" "$dir/ours" >&2
    then ok "descriptors of $2"; else no "descriptors of $2"; fi
}

same_occupancy() {
    clang-22 -target amdgcn-amd-amdhsa -mcpu="$1" -nogpulib -w -x cl -O1 -S fixtures/objects/kernels.cl -o "$dir/k.s" 2>/dev/null || return
    awk -v cpu="$1" '
        BEGIN { print cpu }
        /\.amdhsa_kernel/ { wave = 64; wgp = 0; wg = 0 }
        /\.amdhsa_wavefront_size32 1/ { wave = 32 }
        /\.amdhsa_workgroup_processor_mode/ { wgp = $2 }
        /LDSByteSize:/ { lds = $3 }
        /NumSGPRsForWavesPerEU:/ { s = $3 }
        /NumVGPRsForWavesPerEU:/ { v = $3 }
        /Occupancy:/ { if (cpu ~ /gfx125/) wave = 32; if (!lds) print v, s, 0, 0, wave, wgp; if (!lds) print $3 > "/dev/stderr" }' \
        "$dir/k.s" >"$dir/use" 2>"$dir/theirs"
    if [ -s "$dir/theirs" ] && "$peer" occupancy "$dir/use" | cmp -s - "$dir/theirs"; then ok "occupancy on $1"; else no "occupancy on $1"; fi
}

quiet() { # file, name
    { llvm-readobj-22 --all "$1" && llvm-readelf-22 -aW "$1" && llvm-nm-22 "$1"; } >/dev/null 2>"$dir/warnings"
    [ ! -s "$dir/warnings" ] && return
    sed 1q "$dir/warnings" >&2
    return 1
}

# Each attribute and kind of argument that leaves a key or a value of its own.
cat >"$dir/attrs.cl" <<'E'
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
int printf(__constant const char *f, ...);
__kernel __attribute__((reqd_work_group_size(8, 4, 2))) void required(__global int *p) { *p = 1; }
__kernel __attribute__((work_group_size_hint(64, 1, 1), vec_type_hint(float4))) void hinted(__global int *restrict p, __constant int *c) { *p = *c; }
__kernel __attribute__((amdgpu_max_num_work_groups(32, 4, 2), amdgpu_flat_work_group_size(64, 64))) void limited(__global volatile int *p) { *p = 1; }
__kernel __attribute__((amdgpu_waves_per_eu(2, 4))) void waves(const __global int *p, __local long *l, __private int v) { l[0] = p[v]; }
__kernel void printing(__global int *p) { printf("%d %s\n", p[0], "x"); }
__kernel void objects(read_only image2d_t a, write_only image2d_t b, sampler_t s, read_only pipe int q, queue_t d, __global int *p) { *p = 1; }
typedef struct { double d; char c[13]; } odd;
__kernel void values(char a, short3 b, odd c, double4 d, __global odd *p) { p[0] = c; }
E
nothing_said() { "$B/amdreadobj" --check "$1" | grep -E '\[(metadata|argument|hidden|workgroup|code|reserved)-' >"$dir/said"; sed 3q "$dir/said" >&2; [ ! -s "$dir/said" ]; }
cat >"$dir/pal.ll" <<'E'
define amdgpu_cs void @cs(ptr addrspace(1) %p) { store i32 1, ptr addrspace(1) %p ret void }
define amdgpu_vs <4 x float> @vs(float %x) { %v = insertelement <4 x float> zeroinitializer, float %x, i32 1 ret <4 x float> %v }
define amdgpu_ps <4 x float> @ps(float %x) { %v = insertelement <4 x float> zeroinitializer, float %x, i32 2 ret <4 x float> %v }
define amdgpu_gs void @gs(i32 inreg %a) { ret void }
define amdgpu_hs void @hs(i32 inreg %a) { ret void }
define amdgpu_es void @es(i32 inreg %a) { ret void }
define amdgpu_ls void @ls(i32 inreg %a) { ret void }
E
for c in $cpus; do
    for v in 4 5 6; do
        case $c-$v in *generic-[45]) continue ;; esac
        o=$dir/$c-v$v.o
        clang-22 -target amdgcn-amd-amdhsa -mcpu="$c" -mcode-object-version=$v -nogpulib -w -x cl -cl-std=CL2.0 -cl-kernel-arg-info -O1 \
            -c fixtures/objects/kernels.cl -o "$o" || { no "clang for $c V$v"; continue; }
        same_yaml "$o" "$c V$v"
        if [ $v = 4 ]; then
            if "$peer" v3 "$o" "$dir/v3.o" && quiet "$dir/v3.o"; then same_yaml "$dir/v3.o" "$c V3"; else no "$c V3"; fi
        fi
        if nothing_said "$o"; then ok "nothing to say of $c V$v"; else no "nothing to say of $c V$v"; fi
        if clang-22 -target amdgcn-amd-amdhsa -mcpu="$c" -mcode-object-version=$v -nogpulib -w -x cl -cl-std=CL2.0 -cl-kernel-arg-info -O1 -c "$dir/attrs.cl" -o "$dir/attrs.o" &&
            nothing_said "$dir/attrs.o"; then same_yaml "$dir/attrs.o" "attributes, $c V$v"; else no "attributes, $c V$v"; fi
        [ $v = 6 ] && same_descriptors "$o" "$c V$v"
    done
    same_occupancy "$c"
    # Other runtimes: PAL's metadata has a map for each hardware stage, Mesa's objects have none.
    case $c in *generic) continue ;; esac
    if llc-22 -mtriple=amdgcn-amd-amdpal -mcpu="$c" -filetype=obj "$dir/pal.ll" -o "$dir/pal.o" 2>/dev/null; then same_yaml "$dir/pal.o" "$c PAL"; else no "llc for $c PAL"; fi
    if llc-22 -mtriple=amdgcn-mesa-mesa3d -mcpu="$c" -filetype=obj "$dir/pal.ll" -o "$dir/mesa.o" 2>/dev/null &&
        "$B/amdreadobj" -n "$dir/mesa.o" | grep -q "NT_AMD_HSA_ISA_NAME .*amdgcn-mesa-mesa3d--$c" && [ -z "$(llvm_yaml "$dir/mesa.o")" ]; then ok "notes of $c Mesa"; else no "notes of $c Mesa"; fi
done

mkdir "$dir/built"
if "$peer" build "$dir/built"; then ok "builder builds for all processors"; else no "builder builds for all processors"; fi
bad=0 n=0
for f in "$dir"/built/*; do n=$((n + 1)); quiet "$f" || { echo "$f" >&2; bad=1; }; done
if [ $bad = 0 ] && [ $n -gt 200 ]; then ok "LLVM takes $n built objects without a warning"; else no "LLVM takes $n built objects without a warning"; fi
bad=0
for f in "$dir"/built/gfx90*-v6.o "$dir"/built/gfx1*-v5.o; do
    ld.lld-22 -shared "$f" -o "$dir/linked" 2>&1 && quiet "$dir/linked" || bad=1
done
if [ $bad = 0 ]; then ok "ld.lld links built objects"; else no "ld.lld links built objects"; fi
bad=0
for f in fixtures/objects/kernels-*.*o fixtures/objects/calls-*.*o fixtures/lanes/builtins-gfx*.co; do
    "$peer" edit "$f" "$dir/edited" && quiet "$dir/edited" || { echo "$f" >&2; bad=1; }
done
# What they say of the dynamic symbols and both hash tables of one.
"$peer" edit fixtures/objects/kernels-gfx900-v6.co "$dir/edited" && llvm-readelf-22 --dyn-syms --gnu-hash-table --hash-table "$dir/edited" >"$dir/dyn" 2>&1
grep -q ' a_longer_name_than_it_had_before$' "$dir/dyn" && grep -q ' an_added_kernel.kd$' "$dir/dyn" && ! grep -q ' empty$' "$dir/dyn" &&
    grep -q 'Num Chains: 19' "$dir/dyn" && llvm-readelf-22 -r -d "$dir/edited" >"$dir/rel" 2>&1 && grep -q 'R_AMDGPU_ABS64 .* in_data + 0$' "$dir/rel" &&
    grep -q 'R_AMDGPU_ABS64 .* wanted + 4$' "$dir/rel" && grep -q '(RELASZ)  *72 ' "$dir/rel" || { cat "$dir/dyn" >&2; bad=1; }
if [ $bad = 0 ]; then ok "LLVM takes edited objects without a warning"; else no "LLVM takes edited objects without a warning"; fi

/* SPDX-License-Identifier: MIT
 *
 * ld/options_table.c - every option of amdld, a row each.
 *
 * arg: ARG_VALUE takes `=VALUE` or the next argument, ARG_JOINED `=VALUE` only,
 * ARG_OPTIONAL `=VALUE` or nothing, ARG_SEPARATE the next argument,
 * ARG_ADJOINED what follows at once.  two: 1, only with two dashes, as lld has it for
 * its own newer options; 2, only with one; 3, a value only with two.  Rows without help are accepted and have no
 * effect; the man page says why.  Rows with help and ACT_IGNORE are read by
 * early_option() in options.c.  The order is the order of --help.
 */
#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define OPT(field) offsetof(struct codeobj_link_options, field)
#define DRV(field) offsetof(struct driver, field)
#define BIT(flag) (uint32_t)__builtin_ctzll(CODEOBJ_LINK_##flag)
#define N ARG_NONE
#define V ARG_VALUE
#define J ARG_JOINED
#define O ARG_OPTIONAL
#define S ARG_SEPARATE
#define A ARG_ADJOINED

static const struct option options[] = {
    /* what is made */
    { "shared", N, 0, ACT_CALL, CALL_SHARED, 0, "make a shared object: what runtimes load" },
    { "Bshareable", N, 0, ACT_CALL, CALL_SHARED, 0, "the same" },
    { "pie", N, 0, ACT_CALL, CALL_PIE, 0, "make a position-independent executable" },
    { "pic-executable", N, 0, ACT_CALL, CALL_PIE, 0, "the same" },
    { "no-pie", N, 0, ACT_CALL, CALL_NO_PIE, 0, "make an executable at a fixed address (default)" },
    { "relocatable", N, 0, ACT_CALL, CALL_RELOCATABLE, 0, "join objects into one object (-r)" },
    { "output", V, 1, ACT_DRIVER_STRING, DRV(output), 0, "where to; - is standard output (-o)" },
    { "oformat", V, 1, ACT_CALL, CALL_OFORMAT, 0, "elf, or binary: the bytes of the segments alone" },
    { "force-group-allocation", N, 1, ACT_FLAG, BIT(FORCE_GROUPS), 0, "-r: section groups are dissolved" },
    { "emit-relocs", N, 0, ACT_FLAG, BIT(EMIT_RELOCS), 0, "keep relocations in the output (-q)" },
    /* inputs */
    { "library", V, 0, ACT_CALL, CALL_LIBRARY, 0, "search libNAME.so and libNAME.a (-l)" },
    { "library-path", V, 0, ACT_IGNORE, 0, 0, "where to search (-L)" },
    { "sysroot", V, 0, ACT_IGNORE, 0, 0, "what = in front of a -L folder stands for" },
    { "whole-archive", N, 0, ACT_CALL, CALL_STATE, 0, "from here: all members of archives" },
    { "no-whole-archive", N, 0, ACT_CALL, CALL_STATE, 1, "from here: only members that are needed" },
    { "start-lib", N, 0, ACT_CALL, CALL_STATE, 2, "from here: objects count as archive members" },
    { "end-lib", N, 0, ACT_CALL, CALL_STATE, 3, "end of --start-lib" },
    { "start-group", N, 0, ACT_CALL, CALL_STATE, 10, "accepted: archives are searched again anyway" },
    { "end-group", N, 0, ACT_CALL, CALL_STATE, 11, "end of --start-group" },
    { "push-state", N, 0, ACT_CALL, CALL_STATE, 4, "remember --whole-archive, --as-needed, -Bstatic" },
    { "pop-state", N, 0, ACT_CALL, CALL_STATE, 5, "go back to what was remembered" },
    { "as-needed", N, 0, ACT_CALL, CALL_STATE, 6, "from here: DT_NEEDED for shared objects only if used" },
    { "no-as-needed", N, 0, ACT_CALL, CALL_STATE, 7, "from here: DT_NEEDED always" },
    { "Bstatic", N, 0, ACT_CALL, CALL_STATE, 8, "from here: -l finds archives only" },
    { "static", N, 0, ACT_CALL, CALL_STATE, 8, "the same" },
    { "non_shared", N, 0, ACT_CALL, CALL_STATE, 8, "the same" },
    { "dn", N, 0, ACT_CALL, CALL_STATE, 8, "the same" },
    { "Bdynamic", N, 0, ACT_CALL, CALL_STATE, 9, "from here: -l finds shared objects too" },
    { "call_shared", N, 0, ACT_CALL, CALL_STATE, 9, "the same" },
    { "dy", N, 0, ACT_CALL, CALL_STATE, 9, "the same" },
    { "script", V, 0, ACT_CALL, CALL_SCRIPT, 0, "read a linker script (-T)" },
    { "default-script", V, 1, ACT_DRIVER_STRING, DRV(default_script), 0, "the linker script where no other is given (-dT)" },
    { "dT", S, 2, ACT_DRIVER_STRING, DRV(default_script), 0, "the same" },
    { "format", V, 0, ACT_CALL, CALL_INPUT_FORMAT, 0, "elf (default) or binary: from here inputs are bytes for .data (-b)" },
    { "just-symbols", V, 0, ACT_CALL, CALL_JUST_SYMBOLS, 0, "the symbols of an ELF file with their values, and nothing else" },
    { "remap-inputs", V, 1, ACT_IGNORE, 0, 0, "GLOB=FILE: read FILE for inputs that match" },
    { "remap-inputs-file", J, 1, ACT_IGNORE, 0, 0, "such rules, one a line" },
    { "sort-section", V, 0, ACT_CALL, CALL_SORT_SECTION, 0, "none, name, alignment: within what a script does not sort itself" },
    { "orphan-handling", V, 0, ACT_CALL, CALL_ORPHANS, 0, "place (default), warn, error: sections that a script says nothing about" },
    { "enable-non-contiguous-regions", N, 1, ACT_FLAG, BIT(NON_CONTIGUOUS), 0, "sections may go to a later place in the script when a region is full" },
    { "unique", N, 0, ACT_FLAG, BIT(UNIQUE), 0, "each section that a script says nothing about for itself" },
    { "exclude-libs", V, 0, ACT_IGNORE, 0, 0, "do not export what comes from these archives (or ALL)" },
    /* symbols */
    { "undefined", V, 0, ACT_LIST, DRV(undefined), 0, "need this symbol: pull it from an archive, keep it (-u)" },
    { "undefined-glob", V, 1, ACT_LIST, DRV(undefined_globs), 0, "the same for names that match" },
    { "require-defined", V, 0, ACT_LIST, DRV(require_defined), 0, "the same, and an error if nothing defines it" },
    { "defsym", V, 0, ACT_CALL, CALL_DEFSYM, 0, "define a symbol: NAME=EXPRESSION" },
    { "wrap", V, 0, ACT_LIST, DRV(wrap), 0, "references to S become __wrap_S, __real_S becomes S" },
    { "entry", V, 0, ACT_STRING, OPT(entry), 0, "entry point: symbol or number (-e)" },
    { "init", V, 0, ACT_STRING, OPT(init), 0, "symbol for DT_INIT (default _init)" },
    { "fini", V, 0, ACT_STRING, OPT(fini), 0, "symbol for DT_FINI (default _fini)" },
    { "version-script", V, 0, ACT_CALL, CALL_VERSION_SCRIPT, 0, "which symbols are global, local, of which version" },
    { "dynamic-list", V, 0, ACT_CALL, CALL_DYNAMIC_LIST, 0, "symbols that may be preempted, or exported from executables" },
    { "export-dynamic", N, 0, ACT_FLAG, BIT(EXPORT_DYNAMIC), 0, "export symbols of an executable (-E)" },
    { "no-export-dynamic", N, 0, ACT_UNFLAG, BIT(EXPORT_DYNAMIC), 0, "not so (default)" },
    { "export-dynamic-symbol", V, 1, ACT_LIST, DRV(export_symbols), 0, "export what matches" },
    { "export-dynamic-symbol-list", V, 1, ACT_CALL, CALL_EXPORT_LIST, 0, "export what the file lists" },
    { "Bsymbolic", N, 0, ACT_BYTE, OPT(bsymbolic), CODEOBJ_BSYMBOLIC_ALL, "bind references to own definitions" },
    { "Bsymbolic-functions", N, 0, ACT_BYTE, OPT(bsymbolic), CODEOBJ_BSYMBOLIC_FUNCTIONS, "functions only" },
    { "Bsymbolic-non-weak", N, 0, ACT_BYTE, OPT(bsymbolic), CODEOBJ_BSYMBOLIC_NON_WEAK, "not to weak ones" },
    { "Bsymbolic-non-weak-functions", N, 0, ACT_BYTE, OPT(bsymbolic), CODEOBJ_BSYMBOLIC_NON_WEAK_FUNCTIONS, "both" },
    { "Bno-symbolic", N, 0, ACT_BYTE, OPT(bsymbolic), CODEOBJ_BSYMBOLIC_NONE, "none (default)" },
    { "no-undefined", N, 0, ACT_CALL, CALL_UNRESOLVED, 0, "undefined symbols are errors in shared objects too (-z defs)" },
    { "unresolved-symbols", V, 0, ACT_CALL, CALL_UNRESOLVED, 1, "report-all, ignore-all, ignore-in-object-files, ignore-in-shared-libs" },
    { "warn-unresolved-symbols", N, 0, ACT_FLAG, BIT(UNRESOLVED_WARN_ONLY), 0, "undefined symbols are warnings" },
    { "error-unresolved-symbols", N, 0, ACT_UNFLAG, BIT(UNRESOLVED_WARN_ONLY), 0, "not so (default)" },
    { "undefined-version", N, 0, ACT_FLAG, BIT(UNDEFINED_VERSION), 0, "version scripts may name absent symbols" },
    { "no-undefined-version", N, 0, ACT_UNFLAG, BIT(UNDEFINED_VERSION), 0, "they may not (default)" },
    { "allow-multiple-definition", N, 0, ACT_FLAG, BIT(ALLOW_MULTIPLE), 0, "the first definition counts (-z muldefs)" },
    { "no-allow-multiple-definition", N, 0, ACT_UNFLAG, BIT(ALLOW_MULTIPLE), 0, "a second one is an error (default)" },
    { "define-common", N, 0, ACT_UNFLAG, BIT(NO_DEFINE_COMMON), 0, "give common symbols places under -r (default)" },
    { "no-define-common", N, 0, ACT_FLAG, BIT(NO_DEFINE_COMMON), 0, "leave them common under -r" },
    { "warn-common", N, 0, ACT_FLAG, BIT(WARN_COMMON), 0, "warn when common symbols meet" },
    { "no-warn-common", N, 0, ACT_UNFLAG, BIT(WARN_COMMON), 0, "not so (default)" },
    { "fortran-common", N, 1, ACT_FLAG, BIT(FORTRAN_COMMON), 0, "an archive's definition beats a common symbol" },
    { "no-fortran-common", N, 1, ACT_UNFLAG, BIT(FORTRAN_COMMON), 0, "not so (default)" },
    /* what is left out, and where things go */
    { "gc-sections", N, 0, ACT_FLAG, BIT(GC_SECTIONS), 0, "leave out sections that nothing needs" },
    { "no-gc-sections", N, 0, ACT_UNFLAG, BIT(GC_SECTIONS), 0, "keep them (default)" },
    { "print-gc-sections", O, 3, ACT_CALL, CALL_PRINT_GC, 0, "list what was left out" },
    { "no-print-gc-sections", N, 0, ACT_UNFLAG, BIT(PRINT_GC), 0, "not so (default)" },
    { "why-live", V, 1, ACT_CALL, CALL_WHY_LIVE, 0, "--gc-sections: say why symbols that match this glob stay" },
    { "icf=none", N, 0, ACT_BYTE, OPT(icf), CODEOBJ_ICF_NONE, "identical functions stay apart (default)" },
    { "icf=safe", N, 0, ACT_BYTE, OPT(icf), CODEOBJ_ICF_SAFE, "store them once where no address of theirs is taken" },
    { "icf=all", N, 0, ACT_BYTE, OPT(icf), CODEOBJ_ICF_ALL, "store them once" },
    { "keep-unique", V, 0, ACT_LIST, DRV(keep_unique), 0, "do not fold the section of this symbol" },
    { "ignore-data-address-equality", N, 1, ACT_FLAG, BIT(ICF_DATA), 0, "--icf=all folds data of which addresses are taken too" },
    { "print-icf-sections", N, 0, ACT_FLAG, BIT(PRINT_ICF), 0, "list what was folded" },
    { "no-print-icf-sections", N, 0, ACT_UNFLAG, BIT(PRINT_ICF), 0, "not so (default)" },
    { "strip-all", N, 0, ACT_CALL, CALL_STRIP, CODEOBJ_STRIP_ALL, "no .symtab, no debug sections (-s)" },
    { "strip-debug", N, 0, ACT_CALL, CALL_STRIP, CODEOBJ_STRIP_DEBUG, "no debug sections (-S)" },
    { "discard-all", N, 0, ACT_BYTE, OPT(discard), CODEOBJ_DISCARD_ALL, "no local symbols (-x)" },
    { "discard-locals", N, 0, ACT_BYTE, OPT(discard), CODEOBJ_DISCARD_LOCALS, "no .L* symbols (-X)" },
    { "discard-none", N, 0, ACT_BYTE, OPT(discard), CODEOBJ_DISCARD_NONE, "all local symbols" },
    { "retain-symbols-file", V, 0, ACT_CALL, CALL_RETAIN, 0, "only these symbols stay global" },
    { "symbol-ordering-file", V, 1, ACT_CALL, CALL_SYMBOL_ORDER, 0, "sections of these symbols first, in this order" },
    { "warn-symbol-ordering", N, 1, ACT_UNFLAG, BIT(NO_WARN_ORDERING), 0, "warn about symbols whose sections it cannot place (default)" },
    { "no-warn-symbol-ordering", N, 1, ACT_FLAG, BIT(NO_WARN_ORDERING), 0, "not so" },
    { "call-graph-profile-sort", J, 1, ACT_DRIVER_STRING, DRV(call_graph_sort), 0, "cdsort (default), hfsort, none: functions that call each other become neighbours" },
    { "no-call-graph-profile-sort", N, 1, ACT_CALL, CALL_NO_CALL_GRAPH, 0, "the same as none" },
    { "call-graph-ordering-file", V, 0, ACT_DRIVER_STRING, DRV(call_graph), 0, "who calls whom, lines of FROM TO WEIGHT, instead of what the inputs say" },
    { "print-symbol-order", V, 0, ACT_DRIVER_STRING, DRV(print_order), 0, "write the names of what hfsort has moved, in its order" },
    { "randomize-section-padding", J, 1, ACT_CALL, CALL_PADDING, 0, "SEED: room between sections by chance, where ld.lld has it" },
    { "shuffle-sections", V, 1, ACT_CALL, CALL_SHUFFLE, 0, "GLOB=SEED: such input sections in ld.lld's order for the seed; 0: any, -1: reversed" },
    { "optimize", J, 1, ACT_CALL, CALL_OPTIMIZE, 0, "0: merge no strings, 1 (default), 2: share ends of strings (-O)" },
    { "compress-debug-sections", V, 0, ACT_CALL, CALL_COMPRESS, 0, "none, zlib, zstd" },
    { "compress-sections", V, 1, ACT_CALL, CALL_COMPRESS_SECTIONS, 0, "GLOB=none, zlib or zstd[:LEVEL]" },
    { "image-base", V, 1, ACT_CALL, CALL_IMAGE_BASE, 0, "address of the ELF header" },
    { "section-start", V, 0, ACT_CALL, CALL_SECTION_START, 0, "NAME=ADDRESS" },
    { "Ttext", V, 0, ACT_CALL, CALL_TEXT, 0, "address of .text" },
    { "Ttext-segment", V, 0, ACT_CALL, CALL_IMAGE_BASE, 0, "the same as --image-base" },
    { "Tdata", V, 0, ACT_CALL, CALL_DATA, 0, "address of .data" },
    { "Tbss", V, 0, ACT_CALL, CALL_BSS, 0, "address of .bss" },
    { "nmagic", N, 0, ACT_FLAG, BIT(NMAGIC), 0, "do not align segments to pages (-n)" },
    { "no-nmagic", N, 0, ACT_UNFLAG, BIT(NMAGIC), 0, "not so (default)" },
    { "omagic", N, 1, ACT_FLAG, BIT(OMAGIC), 0, "one writable segment, not aligned (-N)" },
    { "no-omagic", N, 0, ACT_UNFLAG, BIT(OMAGIC), 0, "not so (default)" },
    { "rosegment", N, 1, ACT_UNFLAG, BIT(NO_ROSEGMENT), 0, "read-only data in a segment of its own (default)" },
    { "no-rosegment", N, 1, ACT_FLAG, BIT(NO_ROSEGMENT), 0, "together with code" },
    { "check-sections", N, 0, ACT_UNFLAG, BIT(NO_CHECK_SECTIONS), 0, "sections that overlap are errors (default)" },
    { "no-check-sections", N, 0, ACT_FLAG, BIT(NO_CHECK_SECTIONS), 0, "they may overlap" },
    /* what loaders read */
    { "soname", V, 0, ACT_STRING, OPT(soname), 0, "DT_SONAME (-h)" },
    { "rpath", V, 0, ACT_CALL, CALL_RPATH, 0, "DT_RUNPATH" },
    { "filter", V, 0, ACT_LIST, DRV(filters), 0, "DT_FILTER (-F)" },
    { "auxiliary", V, 0, ACT_LIST, DRV(auxiliaries), 0, "DT_AUXILIARY (-f)" },
    { "enable-new-dtags", N, 0, ACT_UNFLAG, BIT(RUNPATH_OLD), 0, "DT_RUNPATH, not DT_RPATH (default)" },
    { "disable-new-dtags", N, 0, ACT_FLAG, BIT(RUNPATH_OLD), 0, "DT_RPATH" },
    { "hash-style", V, 0, ACT_CALL, CALL_HASH_STYLE, 0, "sysv, gnu, both (default)" },
    { "build-id", O, 0, ACT_CALL, CALL_BUILD_ID, 0, "fast, md5, sha1 (default), uuid, 0xHEX, none" },
    { "package-metadata", J, 1, ACT_CALL, CALL_PACKAGE, 0, "percent-encoded text for .note.package" },
    { "apply-dynamic-relocs", N, 1, ACT_FLAG, BIT(APPLY_DYNAMIC), 0, "store addends in the relocated places too" },
    { "no-apply-dynamic-relocs", N, 1, ACT_UNFLAG, BIT(APPLY_DYNAMIC), 0, "0 there (default)" },
    { "pack-dyn-relocs", V, 1, ACT_CALL, CALL_PACK, 0, "none (default), relr: relative ones in .relr.dyn; android, android+relr: .rela.dyn packed" },
    { "use-android-relr-tags", N, 0, ACT_FLAG, BIT(ANDROID_RELR), 0, "Android's numbers for .relr.dyn" },
    { "no-use-android-relr-tags", N, 1, ACT_UNFLAG, BIT(ANDROID_RELR), 0, "not so (default)" },
    { "merge-metadata", N, 0, ACT_UNFLAG, BIT(NO_MERGE_METADATA), 0, "kernels of all inputs in one note (default)" },
    { "no-merge-metadata", N, 0, ACT_FLAG, BIT(NO_MERGE_METADATA), 0, "concatenate notes as ld.lld does" },
    /* messages and reports */
    { "error-limit", V, 1, ACT_CALL, CALL_ERROR_LIMIT, 0, "stop after so many errors; 0: never (default 20)" },
    { "fatal-warnings", N, 0, ACT_FLAG, BIT(FATAL_WARNINGS), 0, "warnings are errors" },
    { "no-fatal-warnings", N, 0, ACT_UNFLAG, BIT(FATAL_WARNINGS), 0, "not so (default)" },
    { "no-warnings", N, 1, ACT_FLAG, BIT(NO_WARNINGS), 0, "no warnings (-w)" },
    { "noinhibit-exec", N, 0, ACT_FLAG, BIT(NOINHIBIT), 0, "write the output in spite of some errors" },
    { "demangle", N, 0, ACT_CALL, CALL_DEMANGLE, 1, "show C++ and Rust names as in the source (default)" },
    { "no-demangle", N, 0, ACT_CALL, CALL_DEMANGLE, 0, "show names as they are" },
    { "color-diagnostics", O, 1, ACT_CALL, CALL_FORMAT, 0, "auto (default), always, never" },
    { "no-color-diagnostics", N, 1, ACT_CALL, CALL_FORMAT, 1, "never" },
    { "vs-diagnostics", N, 1, ACT_IGNORE, 0, 0, "messages begin with FILE(LINE), where one is known" },
    { "explain", N, 1, ACT_UNFLAG, BIT(NO_EXPLAIN), 0, "hints under messages (default)" },
    { "no-explain", N, 1, ACT_FLAG, BIT(NO_EXPLAIN), 0, "only what ld.lld says" },
    { "warn-backrefs", N, 1, ACT_FLAG, BIT(WARN_BACKREFS), 0, "warn where an archive is needed by what stands behind it" },
    { "no-warn-backrefs", N, 1, ACT_UNFLAG, BIT(WARN_BACKREFS), 0, "not so (default)" },
    { "warn-backrefs-exclude", V, 1, ACT_CALL, CALL_BACKREFS, 0, "not where what is taken matches this glob" },
    { "Map", V, 0, ACT_CALL, CALL_MAP, 0, "write a map of the output" },
    { "print-map", N, 0, ACT_CALL, CALL_MAP, 0, "a map on standard output (-M)" },
    { "cref", N, 1, ACT_FLAG, BIT(CREF), 0, "a cross-reference table on standard output" },
    { "trace", N, 0, ACT_FLAG, BIT(TRACE), 0, "list the files of the link (-t)" },
    { "trace-symbol", V, 0, ACT_LIST, DRV(trace_symbols), 0, "say where this symbol is met (-y)" },
    { "why-extract", J, 1, ACT_DRIVER_STRING, DRV(why_extract), 0, "which reference pulled which archive member" },
    { "print-archive-stats", J, 0, ACT_DRIVER_STRING, DRV(archive_stats), 0, "members of each archive, and how many were taken" },
    { "print-memory-usage", N, 0, ACT_FLAG, BIT(PRINT_MEMORY), 0, "how full a script's memory regions are" },
    { "dependency-file", V, 1, ACT_DRIVER_STRING, DRV(dependency_file), 0, "write a makefile fragment" },
    { "verbose", N, 0, ACT_DRIVER_BOOL, DRV(verbose), 1, "name each file that is read and, for bitcode, commands" },
    { "version", N, 0, ACT_DRIVER_BOOL, DRV(version), 1, "show the version and stop" },
    { "help", N, 0, ACT_DRIVER_BOOL, DRV(help), 1, "this list" },
    { "rsp-quoting", V, 1, ACT_CALL, CALL_CHECKED, 0, "how @FILE is cut into words: posix (default), windows" },
    { "threads", V, 1, ACT_CALL, CALL_THREADS, 0, "how many threads; the result does not depend on it" },
    /* bitcode */
    { "lto-clang", V, 1, ACT_DRIVER_STRING, DRV(lto_clang), 0, "the clang that compiles bitcode inputs" },
    { "lto-O", A, 1, ACT_CALL, CALL_LTO, 0, "optimization level for bitcode" },
    { "lto-CGO", A, 1, ACT_CALL, CALL_LTO, 1, "code generation level for bitcode" },
    { "lto-emit-asm", N, 1, ACT_CALL, CALL_LTO_EMIT, EMIT_ASSEMBLY, "write the assembly text of bitcode to OUTPUT.lto.s, and no image" },
    { "lto-emit-llvm", N, 1, ACT_CALL, CALL_LTO_EMIT, EMIT_BITCODE, "write the bitcode, linked and optimised, in place of an image" },
    { "thinlto-index-only", O, 1, ACT_CALL, CALL_THINLTO, 0, "no image, and an empty list of objects in FILE; bitcode is refused" },
    { "thinlto-single-module", J, 1, ACT_CALL, CALL_THINLTO, 0, "no image; bitcode is refused" },
    { "thinlto-emit-index-files", N, 1, ACT_CALL, CALL_THINLTO, 0, "bitcode is refused" },
    { "mllvm", V, 0, ACT_LIST, DRV(mllvm), 0, "an option for LLVM, for bitcode" },
    { "plugin-opt", V, 0, ACT_CALL, CALL_PLUGIN_OPT, 0, "mcpu=, O, -OPTION count for bitcode; others have no effect" },
    { "save-temps", O, 3, ACT_CALL, CALL_SAVE_TEMPS, 0, "keep the object made of bitcode" },
    /* refused by name */
    { "reproduce", V, 1, ACT_CALL, CALL_REPRODUCE, 0, "refused" },
    /* of other machines */
    { "be8", N, 0, ACT_CALL, CALL_OTHER_MACHINE, 0, NULL },
    { "cmse-implib", N, 1, ACT_CALL, CALL_OTHER_MACHINE, 0, NULL },
    { "in-implib", V, 1, ACT_CALL, CALL_OTHER_MACHINE, 0, NULL },
    { "out-implib", V, 1, ACT_CALL, CALL_OTHER_MACHINE, 0, NULL },
    { "fix-cortex-a8", N, 0, ACT_CALL, CALL_OTHER_MACHINE, 0, NULL },
    { "fix-cortex-a53-843419", N, 0, ACT_CALL, CALL_OTHER_MACHINE, 1, NULL },
    { "execute-only", N, 0, ACT_CALL, CALL_OTHER_MACHINE, 4, NULL },
    { "pcrel-optimize", N, 1, ACT_CALL, CALL_OTHER_MACHINE, 2, NULL },
    { "toc-optimize", N, 1, ACT_CALL, CALL_OTHER_MACHINE, 2, NULL },
    { "relax-gp", N, 1, ACT_CALL, CALL_OTHER_MACHINE, 3, NULL },
    /* accepted, without effect */
    { "EB", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "EL", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "plugin", V, 0, ACT_IGNORE, 0, 0, NULL },
    { "eh-frame-hdr", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "no-eh-frame-hdr", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "gdb-index", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-gdb-index", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "debug-names", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-debug-names", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "mmap-output-file", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "no-mmap-output-file", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "dependent-libraries", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-dependent-libraries", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "nostdlib", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "relax", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-relax", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "rpath-link", V, 0, ACT_IGNORE, 0, 0, NULL },
    { "dynamic-linker", V, 0, ACT_IGNORE, 0, 0, NULL },
    { "no-dynamic-linker", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "allow-shlib-undefined", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "no-allow-shlib-undefined", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "gnu-unique", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-gnu-unique", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "warn-mismatch", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "no-warn-mismatch", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "warn-ifunc-textrel", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-warn-ifunc-textrel", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "ignore-function-address-equality", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "time-trace", O, 1, ACT_IGNORE, 0, 0, NULL },
    { "time-trace-granularity", V, 1, ACT_IGNORE, 0, 0, NULL },
    { "opt-remarks-filename", S, 1, ACT_IGNORE, 0, 0, NULL },
    { "opt-remarks-format", S, 1, ACT_IGNORE, 0, 0, NULL },
    { "opt-remarks-hotness-threshold", V, 1, ACT_IGNORE, 0, 0, NULL },
    { "opt-remarks-passes", S, 1, ACT_IGNORE, 0, 0, NULL },
    { "opt-remarks-with-hotness", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "disable-verify", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "lto", J, 1, ACT_CALL, CALL_CHECKED, 0, NULL },
    { "lto-aa-pipeline", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-basic-block-address-map", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-lto-basic-block-address-map", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-basic-block-sections", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-cs-profile-file", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-cs-profile-generate", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-debug-pass-manager", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-known-safe-vtables", V, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-newpm-passes", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-obj-path", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-partitions", J, 1, ACT_CALL, CALL_CHECKED, 0, NULL },
    { "lto-pgo-warn-mismatch", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-lto-pgo-warn-mismatch", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-sample-profile", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-unique-basic-block-section-names", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-lto-unique-basic-block-section-names", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-validate-all-vtables-have-type-infos", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-lto-validate-all-vtables-have-type-infos", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "lto-whole-program-visibility", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-lto-whole-program-visibility", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "fat-lto-objects", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-fat-lto-objects", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "load-pass-plugin", V, 1, ACT_IGNORE, 0, 0, NULL },
    { "thinlto-cache-dir", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "thinlto-cache-policy", V, 1, ACT_CALL, CALL_THINLTO, 0, NULL },
    { "thinlto-emit-imports-files", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "thinlto-jobs", J, 1, ACT_CALL, CALL_CHECKED, 0, NULL },
    { "thinlto-object-suffix-replace", J, 1, ACT_CALL, CALL_THINLTO, 0, NULL },
    { "thinlto-prefix-replace", J, 1, ACT_CALL, CALL_THINLTO, 0, NULL },
    { "long-plt", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "no-add-needed", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-copy-dt-needed-entries", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "no-ctors-in-init-array", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "no-keep-memory", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "secure-plt", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "sort-common", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "stats", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "warn-execstack", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "warn-once", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "warn-shared-textrel", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "no-pcrel-optimize", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-merge-exidx-entries", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "merge-exidx-entries", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "optimize-bb-jumps", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-optimize-bb-jumps", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-execute-only", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "xosegment", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-xosegment", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "bp-compression-sort", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "bp-startup-sort", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "bp-compression-sort-startup-functions", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-bp-compression-sort-startup-functions", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "verbose-bp-section-orderer", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "irpgo-profile", V, 1, ACT_IGNORE, 0, 0, NULL },
    { "branch-to-branch", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-branch-to-branch", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "error-handling-script", V, 1, ACT_IGNORE, 0, 0, NULL },
    { "pic-veneer", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "power10-stubs", O, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-power10-stubs", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-toc-optimize", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-relax-gp", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "split-stack-adjust-size", V, 0, ACT_IGNORE, 0, 0, NULL },
    { "target1-abs", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "target1-rel", N, 0, ACT_IGNORE, 0, 0, NULL },
    { "target2", V, 0, ACT_IGNORE, 0, 0, NULL },
    { "android-memtag-heap", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-android-memtag-heap", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "android-memtag-stack", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "no-android-memtag-stack", N, 1, ACT_IGNORE, 0, 0, NULL },
    { "android-memtag-mode", V, 1, ACT_IGNORE, 0, 0, NULL },
    { "thinlto-distributor", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "thinlto-distributor-arg", V, 1, ACT_IGNORE, 0, 0, NULL },
    { "thinlto-remote-compiler", J, 1, ACT_IGNORE, 0, 0, NULL },
    { "thinlto-remote-compiler-arg", V, 1, ACT_IGNORE, 0, 0, NULL },
    { "thinlto-remote-compiler-prepend-arg", V, 1, ACT_IGNORE, 0, 0, NULL },
    { "warn-unresolved-version", N, 1, ACT_IGNORE, 0, 0, NULL },
};
enum { OPTION_COUNT = sizeof options / sizeof *options };

/* One dash and one letter, joined or separate where they take a value. */
static const struct {
    char letter;
    struct option as;
} shorts[] = {
    { 'o', { "-o", V, 0, ACT_DRIVER_STRING, DRV(output), 0, NULL } },
    { 'L', { "-L", V, 0, ACT_IGNORE, 0, 0, NULL } },
    { 'l', { "-l", V, 0, ACT_CALL, CALL_LIBRARY, 0, NULL } },
    { 'm', { "-m", V, 0, ACT_CALL, CALL_EMULATION, 0, NULL } },
    { 'z', { "-z", V, 0, ACT_CALL, CALL_Z, 0, NULL } },
    { 'u', { "-u", V, 0, ACT_LIST, DRV(undefined), 0, NULL } },
    { 'e', { "-e", V, 0, ACT_STRING, OPT(entry), 0, NULL } },
    { 'h', { "-h", V, 0, ACT_STRING, OPT(soname), 0, NULL } },
    { 'y', { "-y", V, 0, ACT_LIST, DRV(trace_symbols), 0, NULL } },
    { 'T', { "-T", V, 0, ACT_CALL, CALL_SCRIPT, 0, NULL } },
    { 'R', { "-R", V, 0, ACT_CALL, CALL_RPATH, 0, NULL } },
    { 'O', { "-O", V, 0, ACT_CALL, CALL_OPTIMIZE, 0, NULL } },
    { 'b', { "-b", S, 0, ACT_CALL, CALL_INPUT_FORMAT, 0, NULL } },
    { 'f', { "-f", S, 0, ACT_LIST, DRV(auxiliaries), 0, NULL } },
    { 'F', { "-F", S, 0, ACT_LIST, DRV(filters), 0, NULL } },
    { 'G', { "-G", V, 0, ACT_IGNORE, 0, 0, NULL } },
    { 'r', { "-r", N, 0, ACT_CALL, CALL_RELOCATABLE, 0, NULL } },
    { 'q', { "-q", N, 0, ACT_FLAG, BIT(EMIT_RELOCS), 0, NULL } },
    { 's', { "-s", N, 0, ACT_CALL, CALL_STRIP, CODEOBJ_STRIP_ALL, NULL } },
    { 'S', { "-S", N, 0, ACT_CALL, CALL_STRIP, CODEOBJ_STRIP_DEBUG, NULL } },
    { 'x', { "-x", N, 0, ACT_BYTE, OPT(discard), CODEOBJ_DISCARD_ALL, NULL } },
    { 'X', { "-X", N, 0, ACT_BYTE, OPT(discard), CODEOBJ_DISCARD_LOCALS, NULL } },
    { 'E', { "-E", N, 0, ACT_FLAG, BIT(EXPORT_DYNAMIC), 0, NULL } },
    { 't', { "-t", N, 0, ACT_FLAG, BIT(TRACE), 0, NULL } },
    { 'M', { "-M", N, 0, ACT_CALL, CALL_MAP, 0, NULL } },
    { 'n', { "-n", N, 0, ACT_FLAG, BIT(NMAGIC), 0, NULL } },
    { 'N', { "-N", N, 0, ACT_FLAG, BIT(OMAGIC), 0, NULL } },
    { 'v', { "-v", N, 0, ACT_DRIVER_BOOL, DRV(show_version), 1, NULL } },
    { 'V', { "-V", N, 0, ACT_DRIVER_BOOL, DRV(show_version), 1, NULL } },
    { 'w', { "-w", N, 0, ACT_FLAG, BIT(NO_WARNINGS), 0, NULL } },
    { 'd', { "-d", N, 0, ACT_IGNORE, 0, 0, NULL } },
    { 'g', { "-g", N, 0, ACT_IGNORE, 0, 0, NULL } },
    { '(', { "-(", N, 0, ACT_CALL, CALL_STATE, 10, NULL } },
    { ')', { "-)", N, 0, ACT_CALL, CALL_STATE, 11, NULL } },
};

const struct option *option_find(const char *name, size_t len, bool two_dashes)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *o = &options[i];
        if (strlen(o->name) == len && !memcmp(o->name, name, len))
            return (o->two == 1 && !two_dashes) || (o->two == 2 && two_dashes) ? NULL : o;
    }
    return NULL;
}

const struct option *option_adjoined(const char *name, const char **value)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        size_t n = strlen(options[i].name);
        if (options[i].arg == ARG_ADJOINED && !strncmp(name, options[i].name, n)) {
            *value = name + n;
            return &options[i];
        }
    }
    return NULL;
}

const struct option *option_short(char c)
{
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
        if (shorts[i].letter == c)
            return &shorts[i].as;
    return NULL;
}

/* Insertions, deletions and replacements that make a into b. */
static unsigned distance(struct driver *d, const char *a, const char *b)
{
    size_t n = strlen(b);
    unsigned *row = driver_alloc(d, (n + 1) * sizeof *row);
    for (size_t k = 0; k <= n; k++)
        row[k] = (unsigned)k;
    for (size_t i = 1; a[i - 1]; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= n; k++) {
            unsigned above = row[k];
            unsigned best = diagonal + (a[i - 1] != b[k - 1]);
            if (above + 1 < best)
                best = above + 1;
            if (row[k - 1] + 1 < best)
                best = row[k - 1] + 1;
            row[k] = best;
            diagonal = above;
        }
    }
    return row[n];
}

struct nearest {
    const char *arg;
    unsigned distance;
    const char *name, *suggestion;
};

/* Does a come before b where both are as near?  Upper case counts as lower, and of two the longer one is tried first. */
static bool comes_first(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    int order = strncasecmp(a, b, n < m ? n : m);
    return order ? order < 0 : n > m;
}

/* `name` with one and two dashes; where it ends in `=`, what stands behind that in the argument is no part of the name. */
static void try_name(struct driver *d, struct nearest *best, const char *name, unsigned two)
{
    bool takes_value = name[strlen(name) - 1] == '=';
    const char *eq = takes_value ? strchr(best->arg, '=') : NULL, *value = eq ? eq + 1 : "";
    const char *written = eq ? driver_strndup(d, best->arg, (size_t)(value - best->arg)) : best->arg;
    for (unsigned dashes = 2; dashes > 0; dashes--) {
        if (two && (two == 1) != (dashes == 2))
            continue;
        const char *candidate = driver_print(d, "%s%s", dashes == 2 ? "--" : "-", name);
        unsigned n = distance(d, written, candidate) + (takes_value && !*value);
        if (n < best->distance || (n == best->distance && best->suggestion && best->name != name && comes_first(name, best->name))) {
            best->distance = n;
            best->name = name;
            best->suggestion = driver_print(d, "%s%s", candidate, value);
        }
    }
}

const char *option_nearest(struct driver *d, const char *arg)
{
    enum { SHORTEST = 4, LONGEST = 100 };
    struct nearest best = { .arg = arg, .distance = 2, .name = "" };
    if (strlen(arg) > LONGEST)
        return NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *o = &options[i];
        bool with_value = o->arg == ARG_VALUE || o->arg == ARG_JOINED || o->arg == ARG_OPTIONAL;
        if (o->arg != ARG_JOINED && strlen(o->name) >= SHORTEST)
            try_name(d, &best, o->name, o->two == 3 ? 0 : o->two);
        if (with_value && strlen(o->name) + 1 >= SHORTEST)
            try_name(d, &best, driver_print(d, "%s=", o->name), o->two == 3 ? 1 : o->two);
    }
    return best.suggestion;
}

void option_help(void)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *o = &options[i];
        static const char *const value[] = { "", "=VALUE", "=VALUE", "[=VALUE]", " VALUE", "<VALUE>" };
        if (!o->help)
            continue;
        int n = printf("  --%s%s", o->name, value[o->arg]);
        printf("%*s%s\n", n < 36 ? 36 - n : 1, "", o->help);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * codeobj/link.h - the linker in memory: buffers and options in, an image out.
 *
 * Re-entrant: no global state, nothing printed, no file touched (what a link may
 * need from outside, the caller provides through callbacks).  The same inputs
 * and options give the same bytes.
 *
 * An options struct that is all zero but for `size` is what `ld.lld -shared`
 * does without any option; every member is chosen so that 0 is its default.
 * What each one does is said in amdld(1) under the option named beside it.
 */
#ifndef CODEOBJ_LINK_H
#define CODEOBJ_LINK_H

#include <codeobj/elf.h>

#ifdef __cplusplus
extern "C" {
#endif

enum codeobj_link_kind { CODEOBJ_LINK_SHARED = 0, CODEOBJ_LINK_PIE, CODEOBJ_LINK_EXEC, CODEOBJ_LINK_RELOCATABLE };

struct codeobj_link_input {
    const char *name;  /* for messages */
    const void *data;  /* borrowed until codeobj_link_result_free */
    size_t size;
    uint32_t flags;    /* CODEOBJ_LINK_INPUT_* */
};
#define CODEOBJ_LINK_INPUT_WHOLE_ARCHIVE 1u /* archive: all members */
#define CODEOBJ_LINK_INPUT_LAZY 2u          /* object: only when it defines something needed (--start-lib) */
#define CODEOBJ_LINK_INPUT_NO_EXPORT 4u     /* its definitions stay inside (--exclude-libs) */
#define CODEOBJ_LINK_INPUT_AS_NEEDED 8u     /* shared object: DT_NEEDED only if it is used */
#define CODEOBJ_LINK_INPUT_COLLECT 16u      /* object: sections of it that nothing needs are left out (compiled bitcode) */
#define CODEOBJ_LINK_INPUT_BINARY 32u       /* any bytes: a .data section and _binary_NAME_start, _end, _size (--format=binary) */
#define CODEOBJ_LINK_INPUT_JUST_SYMBOLS 64u /* ELF: its symbols with their values, no section (--just-symbols) */
#define CODEOBJ_LINK_INPUT_SAME_GROUP 128u  /* in one group with the input in front of it (--start-group; WARN_BACKREFS) */

/* One message of a link, in order. */
struct codeobj_link_message {
    bool is_error; /* else a warning */
    const char *text; /* may hold several lines (">>> ..."); borrowed until codeobj_link_result_free */
};
struct codeobj_link_result;

/* Strings, borrowed for the call. */
struct codeobj_link_list {
    const char *const *items;
    size_t count;
};

/* A named text (a script), borrowed for the call; need not be terminated. */
struct codeobj_link_text {
    const char *name;
    const char *text;
    size_t size;
};
struct codeobj_link_texts {
    const struct codeobj_link_text *items;
    size_t count;
};

/* A bitcode module: known by where its bytes are. */
struct codeobj_link_bitcode {
    const char *name; /* "a.o", "lib.a(m.o)"; borrowed as the result's texts are */
    const void *data; /* borrowed as the inputs are */
    size_t size;
};

/* --section-start=NAME=ADDR, -Ttext and friends */
struct codeobj_link_section_address {
    const char *name;
    uint64_t addr;
};

/* --compress-sections=GLOB=METHOD:LEVEL, in order: the last that matches counts */
struct codeobj_link_compression {
    const char *glob;
    uint8_t method; /* enum codeobj_link_compress */
    int level;      /* 0: the method's default */
};

enum codeobj_link_unresolved { /* --unresolved-symbols, -z defs */
    CODEOBJ_UNRESOLVED_DEFAULT = 0, /* an error, but in a shared object only for symbols that no other object may define */
    CODEOBJ_UNRESOLVED_ERROR,
    CODEOBJ_UNRESOLVED_WARN,
    CODEOBJ_UNRESOLVED_IGNORE
};
enum codeobj_link_hash { CODEOBJ_HASH_BOTH = 0, CODEOBJ_HASH_SYSV, CODEOBJ_HASH_GNU, CODEOBJ_HASH_NONE };
enum codeobj_link_build_id {
    CODEOBJ_BUILD_ID_NONE = 0,
    CODEOBJ_BUILD_ID_FAST, /* 8 bytes */
    CODEOBJ_BUILD_ID_MD5,
    CODEOBJ_BUILD_ID_SHA1,
    CODEOBJ_BUILD_ID_BYTES /* build_id_bytes; for --build-id=0x... and =uuid */
};
enum codeobj_link_separate { CODEOBJ_SEPARATE_NONE = 0, CODEOBJ_SEPARATE_CODE, CODEOBJ_SEPARATE_LOADABLE };
enum codeobj_link_strip { CODEOBJ_STRIP_NONE = 0, CODEOBJ_STRIP_DEBUG, CODEOBJ_STRIP_ALL };
enum codeobj_link_discard { CODEOBJ_DISCARD_DEFAULT = 0, CODEOBJ_DISCARD_LOCALS, CODEOBJ_DISCARD_ALL, CODEOBJ_DISCARD_NONE };
enum codeobj_link_merge { CODEOBJ_MERGE_DEFAULT = 0, CODEOBJ_MERGE_NONE, CODEOBJ_MERGE_TAILS }; /* -O1, -O0, -O2 */
enum codeobj_link_bsymbolic {
    CODEOBJ_BSYMBOLIC_NONE = 0,
    CODEOBJ_BSYMBOLIC_NON_WEAK_FUNCTIONS,
    CODEOBJ_BSYMBOLIC_FUNCTIONS,
    CODEOBJ_BSYMBOLIC_NON_WEAK,
    CODEOBJ_BSYMBOLIC_ALL
};
enum codeobj_link_icf { CODEOBJ_ICF_NONE = 0, CODEOBJ_ICF_SAFE, CODEOBJ_ICF_ALL };
enum codeobj_link_compress { CODEOBJ_COMPRESS_NONE = 0, CODEOBJ_COMPRESS_ZLIB, CODEOBJ_COMPRESS_ZSTD };

/* flags */
#define CODEOBJ_LINK_GC_SECTIONS (1ull << 0)           /* --gc-sections */
#define CODEOBJ_LINK_PRINT_GC (1ull << 1)              /* --print-gc-sections: text GC */
#define CODEOBJ_LINK_EXPORT_DYNAMIC (1ull << 2)        /* --export-dynamic (executables) */
#define CODEOBJ_LINK_EMIT_RELOCS (1ull << 3)           /* --emit-relocs */
#define CODEOBJ_LINK_NO_RELRO (1ull << 4)              /* -z norelro */
#define CODEOBJ_LINK_TEXTREL (1ull << 5)               /* -z notext */
#define CODEOBJ_LINK_NOW (1ull << 6)                   /* -z now */
#define CODEOBJ_LINK_EXECSTACK (1ull << 7)             /* -z execstack */
#define CODEOBJ_LINK_NO_GNU_STACK (1ull << 8)          /* -z nognustack */
#define CODEOBJ_LINK_KEEP_TEXT_PREFIX (1ull << 9)      /* -z keep-text-section-prefix */
#define CODEOBJ_LINK_KEEP_START_STOP (1ull << 10)      /* -z nostart-stop-gc */
#define CODEOBJ_LINK_NO_COMBRELOC (1ull << 11)         /* -z nocombreloc */
#define CODEOBJ_LINK_ALLOW_MULTIPLE (1ull << 12)       /* --allow-multiple-definition */
#define CODEOBJ_LINK_NOINHIBIT (1ull << 13)            /* --noinhibit-exec */
#define CODEOBJ_LINK_FATAL_WARNINGS (1ull << 14)       /* --fatal-warnings */
#define CODEOBJ_LINK_NO_WARNINGS (1ull << 15)          /* --no-warnings */
#define CODEOBJ_LINK_UNDEFINED_VERSION (1ull << 16)    /* --undefined-version */
#define CODEOBJ_LINK_NO_MERGE_METADATA (1ull << 17)    /* --no-merge-metadata */
#define CODEOBJ_LINK_APPLY_DYNAMIC (1ull << 18)        /* --apply-dynamic-relocs */
#define CODEOBJ_LINK_NO_ROSEGMENT (1ull << 19)         /* --no-rosegment */
#define CODEOBJ_LINK_FORTRAN_COMMON (1ull << 20)       /* --fortran-common */
#define CODEOBJ_LINK_BINARY (1ull << 21)               /* --oformat=binary */
#define CODEOBJ_LINK_MAP (1ull << 22)                  /* -Map: text MAP */
#define CODEOBJ_LINK_CREF (1ull << 23)                 /* --cref: text CREF */
#define CODEOBJ_LINK_TRACE (1ull << 24)                /* -t: text TRACE */
#define CODEOBJ_LINK_WHY_EXTRACT (1ull << 25)          /* --why-extract: text WHY_EXTRACT */
#define CODEOBJ_LINK_OMAGIC (1ull << 26)               /* -N */
#define CODEOBJ_LINK_NMAGIC (1ull << 27)               /* -n */
#define CODEOBJ_LINK_WARN_COMMON (1ull << 28)          /* --warn-common */
#define CODEOBJ_LINK_PACK_RELR (1ull << 29)            /* --pack-dyn-relocs=relr */
#define CODEOBJ_LINK_RUNPATH_OLD (1ull << 30)          /* --disable-new-dtags */
#define CODEOBJ_LINK_PRINT_ICF (1ull << 31)            /* --print-icf-sections: text ICF */
#define CODEOBJ_LINK_UNRESOLVED_WARN_ONLY (1ull << 32) /* --warn-unresolved-symbols */
#define CODEOBJ_LINK_NO_DEFINE_COMMON (1ull << 33)     /* --no-define-common (-r) */
#define CODEOBJ_LINK_NO_EXPLAIN (1ull << 34)           /* --no-explain */
#define CODEOBJ_LINK_NO_CHECK_SECTIONS (1ull << 35)    /* --no-check-sections */
#define CODEOBJ_LINK_ICF_DATA (1ull << 37)             /* --ignore-data-address-equality */
#define CODEOBJ_LINK_ENTRY_OPTIONAL (1ull << 36)       /* the entry is a script's: no warning when nothing defines it */
#define CODEOBJ_LINK_UNIQUE (1ull << 38)               /* --unique */
#define CODEOBJ_LINK_REL (1ull << 39)                  /* -z rel */
#define CODEOBJ_LINK_RODYNAMIC (1ull << 40)            /* -z rodynamic */
#define CODEOBJ_LINK_PRINT_MEMORY (1ull << 41)         /* --print-memory-usage: text MEMORY */
#define CODEOBJ_LINK_ARCHIVE_STATS (1ull << 42)        /* --print-archive-stats: text ARCHIVES */
#define CODEOBJ_LINK_FORCE_GROUPS (1ull << 43)         /* --force-group-allocation (-r) */
#define CODEOBJ_LINK_NO_SECTION_HEADERS (1ull << 44)   /* -z nosectionheader: what is loaded alone, as with STRIP_ALL; not with -r */
#define CODEOBJ_LINK_NON_CONTIGUOUS (1ull << 45)       /* --enable-non-contiguous-regions */
#define CODEOBJ_LINK_RESOLVE_ONLY (1ull << 46)         /* inputs are read, with what of archives is needed; OK without an image */
#define CODEOBJ_LINK_PACK_ANDROID (1ull << 47)         /* --pack-dyn-relocs=android */
#define CODEOBJ_LINK_ANDROID_RELR (1ull << 48)         /* --use-android-relr-tags */
#define CODEOBJ_LINK_NO_WARN_ORDERING (1ull << 49)     /* --no-warn-symbol-ordering */
#define CODEOBJ_LINK_PRINT_SYMBOL_ORDER (1ull << 50)   /* --print-symbol-order: text SYMBOL_ORDER, with CALL_GRAPH_SORT_HFSORT */
#define CODEOBJ_LINK_WARN_BACKREFS (1ull << 52)        /* --warn-backrefs */

struct codeobj_link_options {
    size_t size;           /* sizeof(struct codeobj_link_options) */
    uint8_t kind;          /* enum codeobj_link_kind */
    uint8_t unresolved;    /* enum codeobj_link_unresolved */
    uint8_t hash;          /* --hash-style */
    uint8_t build_id;      /* --build-id */
    uint8_t separate;      /* -z separate-code, separate-loadable-segments */
    uint8_t strip;         /* -s, -S */
    uint8_t discard;       /* -x, -X, --discard-none */
    uint8_t merge;         /* -O */
    uint8_t bsymbolic;     /* -Bsymbolic and its variants */
    uint8_t icf;           /* --icf */
    uint8_t compress_debug;/* --compress-debug-sections */
    uint8_t compress_level;/* 0: the method's default */
    uint64_t flags;        /* CODEOBJ_LINK_* */
    uint64_t dt_flags;     /* extra bits of DT_FLAGS (low 32) and DT_FLAGS_1 (high 32): -z nodelete, origin, ... */
    uint64_t max_page_size;    /* 0: 4096 */
    uint64_t common_page_size; /* 0: 4096 */
    uint64_t image_base;       /* used if has_image_base */
    bool has_image_base;
    uint32_t error_limit;      /* messages of errors kept; 0: all */
    const char *output_name; /* base of the version definitions where there is no soname; NULL: "" */
    const char *soname, *rpath, *entry, *init, *fini; /* NULL: none; entry may be a number */
    const char *comment;       /* what goes into .comment behind the inputs' strings; NULL: "Linker: amdld VERSION" */
    const void *build_id_bytes;
    size_t build_id_size;
    struct codeobj_link_texts version_scripts;  /* --version-script */
    struct codeobj_link_texts dynamic_lists;    /* --dynamic-list: only what it names may be preempted */
    struct codeobj_link_texts export_lists;     /* --export-dynamic-symbol-list */
    struct codeobj_link_texts symbol_orderings; /* --symbol-ordering-file */
    struct codeobj_link_list undefined;         /* -u */
    struct codeobj_link_list undefined_globs;   /* --undefined-glob */
    struct codeobj_link_list require_defined;   /* --require-defined */
    struct codeobj_link_list defsym;            /* "NAME=EXPRESSION" */
    struct codeobj_link_list wrap;              /* --wrap */
    struct codeobj_link_list export_symbols;    /* --export-dynamic-symbol: globs */
    struct codeobj_link_list trace_symbols;     /* -y: text TRACE */
    const struct codeobj_link_section_address *section_addresses;
    size_t section_address_count;
    const struct codeobj_link_bitcode *compiled; /* bitcode to pass over */
    size_t compiled_count;
    /* C++ name, or NULL for "not mangled"; must come from malloc.  NULL: names are shown as they are. */
    char *(*demangle)(const char *name);
    /* Gives the bytes of a file that an input names (a member of a thin archive); they stay valid until
     * codeobj_link_result_free.  NULL: thin archives are refused. */
    enum codeobj_status (*open_file)(void *context, const char *path, const void **data, size_t *size);
    /* Zeroed memory for the image; NULL: calloc, owned by the result.  Returning NULL is NO_MEMORY. */
    void *(*image_alloc)(void *context, size_t size);
    void *context; /* passed to the callbacks */
    /* -T: SECTIONS, MEMORY, PHDRS, assignments, ASSERT; what a script says about files is passed over.
     * open_file is asked for what INCLUDE names. */
    struct codeobj_link_texts linker_scripts;
    /* Takes the image in pieces: `size` bytes at `off`, in any order and perhaps from several threads at once; what
     * is not handed over is 0.  image_begin is called before, with the size of the whole (NULL: it is not).  False from
     * either ends the link with IO.  Used instead of image_alloc, unless a build ID is made of the image;
     * codeobj_link_result_image gives NULL then, and the size of the image. */
    bool (*image_write)(void *context, uint64_t off, const void *data, size_t size);
    bool (*image_begin)(void *context, size_t size);
    uint32_t threads;     /* --threads; 0: as many as there are processors.  The result is the same for any number. */
    struct codeobj_link_list keep_unique; /* --keep-unique */
    uint8_t sort_section; /* --sort-section, enum codeobj_link_sort: within what a script does not sort itself */
    struct codeobj_link_list filters, auxiliaries; /* -F, -f: DT_FILTER, DT_AUXILIARY */
    struct codeobj_link_list keep; /* symbols of inputs with INPUT_COLLECT, local ones too, whose sections stay */
    uint64_t stack_size;  /* -z stack-size: of PT_GNU_STACK */
    const struct codeobj_link_compression *compressions; /* --compress-sections */
    size_t compression_count;
    const struct codeobj_link_section_address *dead_relocs; /* -z dead-reloc-in-nonalloc: name is a glob, addr the value */
    size_t dead_reloc_count;
    uint8_t orphan_handling;       /* --orphan-handling, enum codeobj_link_orphans */
    uint8_t start_stop_visibility; /* -z start-stop-visibility, enum codeobj_link_start_stop */
    uint8_t osabi;                 /* EI_OSABI; 0: the first input's that has one */
    const char *package_metadata;  /* --package-metadata: what .note.package says; NULL or "": none */
    struct codeobj_link_list why_live; /* --why-live: globs; text WHY_LIVE, with GC_SECTIONS */
    size_t package_metadata_size;      /* bytes of package_metadata, which may have zeros in it; 0: up to the first */
    /* --shuffle-sections, in order: name is a glob for input sections, addr the seed, or CODEOBJ_SHUFFLE_REVERSE.
     * A seed gives ld.lld's order.  Not with -r, where sections stay as they are. */
    const struct codeobj_link_section_address *shuffles;
    size_t shuffle_count;
    /* --randomize-section-padding: room in .text, .rodata, .data, .bss and the like by chance, as ld.lld has it for the seed
     * (of which 32 bits count).  Not with -r. */
    bool random_padding;
    uint64_t padding_seed;
    /* --call-graph-profile-sort, enum codeobj_link_call_graph_sort: sections that call each other become neighbours, behind
     * those of symbol_orderings and in front of all others.  Not with -r. */
    uint8_t call_graph_sort;
    /* --call-graph-ordering-file: lines `FROM TO WEIGHT`, two symbols and a number of 64 bits, one blank between them; those of
     * two sections are added up, # makes a comment.  Its text NULL: it could not be read, and name says what and why.
     * NULL: the profiles that inputs have in sections of type SHT_LLVM_CALL_GRAPH_PROFILE. */
    const struct codeobj_link_text *call_graph;
    struct codeobj_link_list backrefs_exclude; /* --warn-backrefs-exclude: globs for "x.o" and "lib.a(m.o)" */
    const size_t *defsym_places; /* for each of defsym: how many of linker_scripts stand in front of it; NULL: none */
};
enum codeobj_link_call_graph_sort { /* the same orders as ld.lld's */
    CODEOBJ_CALL_GRAPH_SORT_CDSORT = 0, /* LLVM's cache-directed sort */
    CODEOBJ_CALL_GRAPH_SORT_HFSORT,     /* call-chain clustering */
    CODEOBJ_CALL_GRAPH_SORT_NONE        /* profiles are without effect */
};
#define CODEOBJ_SHUFFLE_REVERSE UINT32_MAX /* the other way round: no chance at all */
enum codeobj_link_sort { CODEOBJ_SORT_NONE = 0, CODEOBJ_SORT_NAME, CODEOBJ_SORT_ALIGNMENT };
enum codeobj_link_orphans { CODEOBJ_ORPHANS_PLACE = 0, CODEOBJ_ORPHANS_WARN, CODEOBJ_ORPHANS_ERROR };
enum codeobj_link_start_stop {
    CODEOBJ_START_STOP_PROTECTED = 0,
    CODEOBJ_START_STOP_DEFAULT,
    CODEOBJ_START_STOP_INTERNAL,
    CODEOBJ_START_STOP_HIDDEN
};

/* *out is set in every case but NO_MEMORY: it carries the messages.  OK: there is an image too.
 * INVALID: options or inputs contradict themselves or the link found errors in what the inputs say
 * (undefined symbols ...); MALFORMED: an input cannot be read. */
CODEOBJ_API enum codeobj_status codeobj_link(const struct codeobj_link_input *inputs, size_t count,
                                             const struct codeobj_link_options *options,
                                             struct codeobj_link_result **out);
CODEOBJ_API void codeobj_link_result_free(struct codeobj_link_result *result);
/* Borrowed until free; NULL when the link failed. */
CODEOBJ_API const void *codeobj_link_result_image(const struct codeobj_link_result *result, size_t *size);
CODEOBJ_API size_t codeobj_link_result_message_count(const struct codeobj_link_result *result);
CODEOBJ_API enum codeobj_status codeobj_link_result_message(const struct codeobj_link_result *result, size_t idx,
                                                            struct codeobj_link_message *out);

/* Texts that flags asked for; "" when not asked for; borrowed until free. */
enum codeobj_link_report {
    CODEOBJ_LINK_TEXT_MAP = 0,
    CODEOBJ_LINK_TEXT_CREF,
    CODEOBJ_LINK_TEXT_GC,
    CODEOBJ_LINK_TEXT_ICF,
    CODEOBJ_LINK_TEXT_TRACE,
    CODEOBJ_LINK_TEXT_WHY_EXTRACT,
    CODEOBJ_LINK_TEXT_MEMORY,
    CODEOBJ_LINK_TEXT_ARCHIVES,
    CODEOBJ_LINK_TEXT_WHY_LIVE,
    CODEOBJ_LINK_TEXT_SYMBOL_ORDER,
    CODEOBJ_LINK_TEXT_COUNT
};
CODEOBJ_API const char *codeobj_link_result_text(const struct codeobj_link_result *result,
                                                 enum codeobj_link_report which, size_t *size);

/* LLVM bitcode that the link met, or needs from an archive: this library does not compile, and such a link
 * fails with UNSUPPORTED.  A caller who can compile makes one object of all of it and links again, with that
 * object as the first input and options.compiled naming what went into it; the rest of the inputs stays. */
CODEOBJ_API size_t codeobj_link_result_bitcode_count(const struct codeobj_link_result *result);
CODEOBJ_API enum codeobj_status codeobj_link_result_bitcode(const struct codeobj_link_result *result, size_t idx,
                                                            struct codeobj_link_bitcode *out);

#ifdef __cplusplus
}
#endif
#endif

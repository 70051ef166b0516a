/* SPDX-License-Identifier: MIT
 *
 * codeobj/bundle.h - what code objects travel in: archives, offload bundles,
 * fat binaries; walked, selected from, and written.
 *
 * A walk visits everything a file holds, outermost first, nested in any order.
 * What is compressed is unpacked for the duration of its visits and then
 * dropped, so that a walk needs memory for the largest bundle, not for all.
 *
 * Sources: LLVM's documents "Clang Offload Bundler" (bundles, text bundles,
 * compressed bundles, entry IDs) and "Offloading Design & Internals" (offload
 * binaries); System V ABI and ar(5) (archives); what clang's HIP driver puts
 * into host objects.
 */
#ifndef CODEOBJ_BUNDLE_H
#define CODEOBJ_BUNDLE_H

#include <codeobj/base.h>
#include <codeobj/target.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- entry IDs ------------------------------------------------------------ */

/* "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", taken apart.  Strings are copied. */
struct codeobj_entry_id {
    char kind[16];    /* "hip", "hipv4", "openmp", "host", "sycl" ... */
    char triple[96];  /* "amdgcn-amd-amdhsa-": as it stands, without the '-' before the target */
    char target_text[96]; /* "gfx90a:xnack+"; "" when there is none */
    bool is_host;
    bool has_target;  /* target_text is a target this library knows */
    struct codeobj_target target;
};

/* Triples of three and of four parts; INVALID when text is not an entry ID. */
CODEOBJ_API enum codeobj_status codeobj_entry_id_parse(const char *text, struct codeobj_entry_id *out,
                                                       struct codeobj_diag *diag);

/* Does code for `code` match what the user asked for?  Features that the
 * request leaves open ("gfx90a") match every setting; a setting ("gfx90a:xnack+")
 * matches the same one and code that leaves it open.  Code for a generic
 * processor matches a request for one of its members. */
CODEOBJ_API bool codeobj_target_selects(const struct codeobj_target *request, const struct codeobj_target *code);

/* A runtime picks an entry by its ID and loads the object by its e_flags: do they say the same? */
enum codeobj_entry_fit {
    CODEOBJ_ENTRY_FITS = 0,   /* or one of them names no processor that is known */
    CODEOBJ_ENTRY_NARROWER,   /* the ID asks for a setting that the object leaves open: picked less often than it could be */
    CODEOBJ_ENTRY_DISAGREES   /* the object is picked where it will not load */
};
/* Objects before V4 cannot leave a setting open: with one_bit_modes theirs count only against the opposite one. */
CODEOBJ_API enum codeobj_entry_fit codeobj_entry_fit(const struct codeobj_target *entry, const struct codeobj_target *object,
                                                     bool one_bit_modes);

/* ---- reading -------------------------------------------------------------- */

enum codeobj_item_kind {
    /* leaves */
    CODEOBJ_ITEM_CODE_OBJECT = 0, /* an AMDGPU ELF file */
    CODEOBJ_ITEM_BITCODE,         /* LLVM bitcode */
    CODEOBJ_ITEM_SPIRV,           /* a SPIR-V module */
    CODEOBJ_ITEM_HOST,            /* the host's entry of a bundle, when it is no ELF or COFF file */
    CODEOBJ_ITEM_EXTERNAL,        /* a marker: the device code is in another file (item.note says where) */
    CODEOBJ_ITEM_WRAPPER,         /* a record of .hipFatBinSegment: which bundle a host registers (item.refers_to) */
    CODEOBJ_ITEM_OTHER,           /* bytes of no known format, or none */
    /* containers */
    CODEOBJ_ITEM_ARCHIVE,
    CODEOBJ_ITEM_THIN_ARCHIVE,
    CODEOBJ_ITEM_BUNDLE,            /* __CLANG_OFFLOAD_BUNDLE__ */
    CODEOBJ_ITEM_COMPRESSED_BUNDLE, /* CCOB */
    CODEOBJ_ITEM_TEXT_BUNDLE,       /* # __CLANG_OFFLOAD_BUNDLE____START__ */
    CODEOBJ_ITEM_OFFLOAD_BINARY,    /* 10 ff 10 ad */
    CODEOBJ_ITEM_HOST_ELF,          /* with device code in it or not */
    CODEOBJ_ITEM_HOST_COFF,         /* PE files and COFF objects */
    CODEOBJ_ITEM_SECTION,           /* a section of a host file that holds device code */
    CODEOBJ_ITEM_RAW,               /* unknown bytes in which something was found */
    CODEOBJ_ITEM_KIND_COUNT
};
CODEOBJ_API const char *codeobj_item_kind_name(enum codeobj_item_kind kind); /* "code object", ...; static */

/* What a visitor sees.  Everything is borrowed for the call. */
struct codeobj_item {
    uint8_t kind;           /* enum codeobj_item_kind */
    bool is_container;      /* its contents are visited next, unless the visitor skips them */
    bool is_unpacked;       /* lies in unpacked bytes: offset counts from their start */
    uint8_t compression;    /* COMPRESSED_BUNDLE, OFFLOAD_BINARY: 1 zlib, 2 zstd; else 0 */
    uint16_t version;       /* COMPRESSED_BUNDLE: 1 to 3; OFFLOAD_BINARY; WRAPPER; else 0 */
    unsigned depth;         /* 0: the file itself */
    const char *name;       /* the way to it: "lib.a(k.o)(.hip_fatbin+0x1000)(hipv4-amdgcn-amd-amdhsa--gfx90a)" */
    const char *entry;      /* its name in the container: entry ID, member, section; NULL: has none */
    const char *entry_id;   /* the innermost entry ID on the way; NULL: none */
    uint64_t offset;        /* from the start of the file, or of the innermost unpacked bytes */
    uint64_t stored_size;   /* bytes it takes there */
    const void *stored;     /* those bytes */
    const void *data;       /* its bytes; of a COMPRESSED_BUNDLE the unpacked ones, NULL when they cannot be had
                               (size is then what the header promises) */
    size_t size;
    bool has_target;        /* entry ID's target; of a CODE_OBJECT without one, or deeper in an entry, the ELF header's */
    struct codeobj_target target;
    const char *note;       /* EXTERNAL: the paths; WRAPPER: "HIPF version 1, for .hip_fatbin+0x1000"; "" else */
    bool has_refers_to;     /* WRAPPER: relocations and section headers say where it leads */
    uint64_t refers_to;     /* as offset is */
    struct codeobj_target object_target; /* CODE_OBJECT: what its ELF header says, whatever its entry ID does; processor NULL: nothing */
    /* enum codeobj_entry_fit; of a CODE_OBJECT that is an entry.  An ID for a GPU whose target does not parse disagrees. */
    uint8_t entry_fit;
};

enum codeobj_walk_verdict { CODEOBJ_WALK_ON = 0, CODEOBJ_WALK_SKIP, CODEOBJ_WALK_STOP };

struct codeobj_walk_options {
    size_t size;            /* sizeof(struct codeobj_walk_options) */
    void *user;
    enum codeobj_walk_verdict (*visit)(void *user, const struct codeobj_item *item);
    /* A part that is malformed (the walk goes on behind it); may be NULL. */
    void (*finding)(void *user, const struct codeobj_diag *diag);
    /* Fetches a member of a thin archive, by its path as the archive has it;
     * NULL: such members are findings.  The bytes must last until the walk ends. */
    bool (*fetch)(void *user, const char *path, const void **data, size_t *size);
    uint64_t unpack_limit;  /* unpacked bytes held at one time; 0: 64 MiB + 1,032 times the file's size */
    unsigned depth_limit;   /* 0: 12 */
    /* Called once behind the last item, while the bytes of all items that are not
     * unpacked are still there (their strings are not); may be NULL. */
    void (*finished)(void *user);
};

/* Walks bytes that stay unchanged during the call; name is the file's, for
 * item names and diagnostics.  OK when all was well or the visitor stopped;
 * MALFORMED (and others) when there were findings, the first of them in diag. */
CODEOBJ_API enum codeobj_status codeobj_walk_memory(const void *data, size_t size, const char *name,
                                                    const struct codeobj_walk_options *options,
                                                    struct codeobj_diag *diag);
/* Maps the file and gives pages back as it goes; reads what cannot be mapped (a
 * pipe).  Nobody may cut the file shorter meanwhile. */
CODEOBJ_API enum codeobj_status codeobj_walk_file(const char *path, const struct codeobj_walk_options *options,
                                                  struct codeobj_diag *diag);

/* ---- archives, for linkers ------------------------------------------------ */

struct codeobj_archive_member {
    const char *name;     /* name_size bytes, not terminated; borrowed from the archive */
    size_t name_size;
    const void *data;     /* NULL in a thin archive: the bytes are in the file of that name */
    size_t size;
    uint64_t offset;      /* of the member's header */
    uint64_t data_offset;
};
/* A place in an archive; starts zeroed, the caller's own. */
struct codeobj_archive_cursor {
    uint64_t offset;
    const char *long_names;
    size_t long_names_size;
    bool is_thin;
};
/* Next real member (symbol tables and name tables are passed over); NOT_FOUND at the end. */
CODEOBJ_API enum codeobj_status codeobj_archive_next(const void *data, size_t size,
                                                     struct codeobj_archive_cursor *cursor,
                                                     struct codeobj_archive_member *out, struct codeobj_diag *diag);

/* ---- writing -------------------------------------------------------------- */

enum codeobj_pack_format {
    CODEOBJ_PACK_BUNDLE = 0,
    CODEOBJ_PACK_COMPRESSED_BUNDLE,
    CODEOBJ_PACK_OFFLOAD_BINARY, /* one binary per entry, one behind the other */
    CODEOBJ_PACK_ARCHIVE
};
struct codeobj_pack_entry {
    const char *id;    /* entry ID; PACK_ARCHIVE: the member's name */
    const void *data;
    size_t size;
};
struct codeobj_pack_options {
    size_t size;           /* sizeof(struct codeobj_pack_options) */
    uint8_t format;        /* enum codeobj_pack_format */
    uint8_t compression;   /* 1 zlib, 2 zstd; 0: zstd */
    uint8_t ccob_version;  /* 1 to 3; 0: 3 */
    uint8_t level;         /* of the compressor; 0: its default */
    uint32_t alignment;    /* of entries in a bundle, a power of two; 0: 4096 */
};
/* *out: owned, free with free().  INVALID for doubled IDs, and for sizes and names
 * a format cannot hold (in archives empty ones, "/", "__.SYMDEF..." and those with a line break). */
CODEOBJ_API enum codeobj_status codeobj_pack(const struct codeobj_pack_entry *entries, size_t count,
                                             const struct codeobj_pack_options *options, void **out, size_t *size,
                                             struct codeobj_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

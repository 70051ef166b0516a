/* SPDX-License-Identifier: MIT
 *
 * ld/ld.h - what the passes of the linker share.
 *
 * One struct ld is one link; everything in it is allocated from its arena and
 * goes with it, but for what struct codeobj_link_result keeps.  Running out of
 * memory is the one condition that leaves a pass by longjmp (to codeobj_link);
 * every other problem is recorded with co_ld_error and the pass goes on, so
 * that one run shows all of them.
 *
 * Sizes and offsets that come from a file are checked where the file is read
 * (input.c, section.c); the passes behind rely on what struct ld_section says.
 */
#ifndef CO_LD_LD_H
#define CO_LD_LD_H

#include "glob.h"

#include <codeobj/link.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

/* ---- ELF constants, as the gABI has them ---------------------------------- */
enum {
    ET_REL_ = 1, ET_EXEC_ = 2, ET_DYN_ = 3,
    EM_AMDGPU_ = 224,
    SHT_NULL = 0, SHT_PROGBITS = 1, SHT_SYMTAB = 2, SHT_STRTAB = 3, SHT_RELA = 4, SHT_HASH = 5, SHT_DYNAMIC = 6,
    SHT_NOTE = 7, SHT_NOBITS = 8, SHT_REL = 9, SHT_DYNSYM = 11, SHT_INIT_ARRAY = 14, SHT_FINI_ARRAY = 15,
    SHT_PREINIT_ARRAY = 16, SHT_GROUP = 17, SHT_SYMTAB_SHNDX = 18,
    SHT_LLVM_LINKER_OPTIONS = 0x6fff4c01, SHT_LLVM_ADDRSIG = 0x6fff4c03, SHT_LLVM_DEPENDENT_LIBRARIES = 0x6fff4c04,
    SHT_LLVM_CALL_GRAPH_PROFILE = 0x6fff4c09, SHT_LLVM_CGP_OLD = 0x6fff4c02,
    SHT_RELR = 19, SHT_ANDROID_REL = 0x60000001, SHT_ANDROID_RELA = 0x60000002, SHT_ANDROID_RELR = 0x6fffff00, SHT_GNU_HASH = 0x6ffffff6, SHT_GNU_VERDEF = 0x6ffffffd, SHT_GNU_VERNEED = 0x6ffffffe, SHT_GNU_VERSYM = 0x6fffffff,
    STB_LOCAL = 0, STB_GLOBAL = 1, STB_WEAK = 2, STB_GNU_UNIQUE = 10,
    STT_NOTYPE = 0, STT_OBJECT = 1, STT_FUNC = 2, STT_SECTION = 3, STT_FILE = 4, STT_COMMON = 5, STT_TLS = 6,
    STV_DEFAULT = 0, STV_INTERNAL = 1, STV_HIDDEN = 2, STV_PROTECTED = 3,
    SHN_ABS_ = 0xfff1, SHN_COMMON_ = 0xfff2, SHN_LORESERVE = 0xff00, SHN_XINDEX = 0xffff,
    PT_LOAD = 1, PT_DYNAMIC = 2, PT_NOTE = 4, PT_PHDR = 6, PT_TLS = 7,
    PT_GNU_STACK = 0x6474e551, PT_GNU_RELRO = 0x6474e552,
    PF_X = 1, PF_W = 2, PF_R = 4,
    VER_NDX_LOCAL = 0, VER_NDX_GLOBAL = 1, VERSYM_HIDDEN = 0x8000
};
#define SHF_WRITE 1ull
#define SHF_ALLOC 2ull
#define SHF_EXECINSTR 4ull
#define SHF_MERGE 0x10ull
#define SHF_STRINGS 0x20ull
#define SHF_INFO_LINK 0x40ull
#define SHF_LINK_ORDER 0x80ull
#define SHF_GROUP 0x200ull
#define SHF_TLS 0x400ull
#define SHF_COMPRESSED 0x800ull
#define SHF_GNU_RETAIN 0x200000ull
#define SHF_EXCLUDE 0x80000000ull

enum { EHDR_SIZE = 64, PHDR_SIZE = 56, SHDR_SIZE = 64, SYM_SIZE = 24, REL_SIZE = 16, RELA_SIZE = 24, DYN_SIZE = 16 };

/* R_AMDGPU_*: the psABI chapter "Relocation Records" of LLVM's AMDGPU guide */
enum {
    R_ABS32_LO = 1, R_ABS32_HI = 2, R_ABS64 = 3, R_REL32 = 4, R_REL64 = 5, R_ABS32 = 6, R_GOTPCREL = 7,
    R_GOTPCREL32_LO = 8, R_GOTPCREL32_HI = 9, R_REL32_LO = 10, R_REL32_HI = 11, R_RELATIVE64 = 13, R_REL16 = 14
};

/* ---- memory --------------------------------------------------------------- */
struct ld_chunk;
struct ld_arena {
    struct ld_chunk *chunks;
    char *cur;
    size_t left;
};

/* A growing array in the arena: VEC(struct x *) v; *PUSH(ld, v) = ...; */
#define VEC(type)                                                                                                      \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, cap;                                                                                             \
    }
#define PUSH(ld, v)                                                                                                    \
    ((v).count == (v).cap ? co_ld_grow((ld), (void **)&(v).items, (v).count, &(v).cap, sizeof *(v).items) : (void)0,  \
     &(v).items[(v).count++])
#define EACH(i, v) for (size_t i = 0; i < (v).count; i++)

struct ld;

void *co_ld_alloc(struct ld *ld, size_t size); /* zeroed; never NULL */
void *co_ld_array(struct ld *ld, size_t count, size_t size);
void co_ld_grow(struct ld *ld, void **items, size_t count, size_t *cap, size_t item_size);
char *co_ld_strndup(struct ld *ld, const char *s, size_t n);
char *co_ld_printf(struct ld *ld, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *co_ld_vprintf(struct ld *ld, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void co_ld_no_memory(struct ld *ld) __attribute__((noreturn));
void co_ld_arena_free(struct ld_arena *arena);
uint64_t co_ld_hash(const void *data, size_t size);

/* Hash from names to things whose first member is `const char *name`: linear
 * probing; hash and name are kept beside the pointer, so that a thing need not
 * be in the cache for its name to be found. */
struct ld_slot {
    void *thing;
    const char *name;
    uint32_t hash, name_len;
};
struct ld_names {
    struct ld_slot *slots;
    size_t mask, count;
};

/* Text that grows. */
struct ld_text {
    char *data;
    size_t count, cap;
};
void *co_ld_names_find(const struct ld_names *names, const char *name, size_t len);
void **co_ld_names_place_hashed(struct ld *ld, struct ld_names *names, const char *name, size_t len, uint64_t hash);
void co_ld_names_prefetch(const struct ld_names *names, uint64_t hash);      /* where the name would be */
void co_ld_names_prefetch_name(const struct ld_names *names, uint64_t hash); /* then, what is there */
void co_ld_names_reserve(struct ld *ld, struct ld_names *names, size_t count); /* room for so many, of a table without any */
/* The place for a thing of that name; *place is NULL when there is none yet (fill it at once). */
void **co_ld_names_place(struct ld *ld, struct ld_names *names, const char *name, size_t len);
void co_ld_text_add(struct ld *ld, struct ld_text *text, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* ---- parallel.c ------------------------------------------------------------- */
unsigned co_ld_thread_count(const struct ld *ld);
enum { LD_MAX_THREADS = 16 };
/* All parts below count, in any order and at once; a worker does one at a time and has a number below LD_MAX_THREADS. */
typedef void ld_work(void *context, unsigned worker, size_t part);
void co_ld_parallel(const struct ld *ld, size_t count, ld_work *work, void *context);

/* ---- little-endian places ------------------------------------------------- */
static inline uint16_t ld_get16(const void *p)
{
    const uint8_t *b = p;
    return (uint16_t)(b[0] | b[1] << 8);
}
static inline uint32_t ld_get32(const void *p)
{
    const uint8_t *b = p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static inline uint64_t ld_get64(const void *p)
{
    return ld_get32(p) | (uint64_t)ld_get32((const uint8_t *)p + 4) << 32;
}
static inline void ld_put16(void *p, uint64_t v)
{
    uint8_t *b = p;
    b[0] = (uint8_t)v;
    b[1] = (uint8_t)(v >> 8);
}
static inline void ld_put32(void *p, uint64_t v)
{
    ld_put16(p, v);
    ld_put16((uint8_t *)p + 2, v >> 16);
}
static inline void ld_put64(void *p, uint64_t v)
{
    ld_put32(p, v);
    ld_put32((uint8_t *)p + 4, v >> 32);
}
static inline uint64_t ld_align(uint64_t v, uint64_t align)
{
    return align > 1 ? (v + align - 1) & ~(align - 1) : v;
}

/* ---- the model ------------------------------------------------------------ */
struct ld_file;
struct ld_out;
struct ld_merge;
struct ld_symbol;

/* A piece of a mergeable section: one string or one constant. */
struct ld_piece {
    uint64_t in_off;
    uint64_t out_off; /* in the merged section */
    uint32_t entry;   /* which of the merged section's strings it is */
    bool live;
};

/* What a script says of a section beyond the one description that has it (spill.c). */
struct ld_places {
    struct ld_desc *section_class; /* the class that has it, while nothing places it (the linker's own parts: for good) */
    struct ld_input_cmd *last_cmd; /* the last one that has taken it */
    struct ld_section *spills, *last_spill; /* stand-ins where it may go */
    struct ld_section *next_spill; /* of a stand-in: the next one of the same section */
    struct ld_section *spill_of;   /* a stand-in: for what; else NULL */
};

/* An input section, or a part of the output that the linker makes (file NULL). */
struct ld_section {
    const char *name; /* first: struct ld_names */
    struct ld_file *file;
    uint32_t idx, type;
    uint64_t flags;
    const uint8_t *data; /* NULL for NOBITS */
    uint8_t *buf;        /* the same, where the linker makes it */
    uint64_t size, align, entsize;
    uint32_t info, link;
    uint32_t rel_idx; /* section index of its relocations in the file; 0: none */
    size_t rel_count;
    const uint8_t *rel_data; /* their bytes */
    struct ld_out *out;
    uint64_t out_off;
    struct ld_merge *merge; /* mergeable: where its pieces go */
    struct ld_piece *pieces;
    size_t piece_count;
    struct ld_section *repl;       /* folded into (ICF), or NULL */
    struct ld_section *folded;     /* list of what was folded into this one */
    struct ld_section *next_group; /* ring of the members of a group, or NULL */
    struct ld_section *dependents; /* SHF_LINK_ORDER sections that follow this one */
    struct ld_section *next_dependent;
    struct ld_group *group;
    bool stands_alone; /* has an output section of its own */
    bool placed;       /* make_outputs has been there */
    bool kept;      /* goes to the output unless collected */
    bool live;      /* in the output */
    bool discarded; /* of a group that lost: only for messages */
    bool address_taken;
    bool gc_visited;
    bool is_merged; /* made by merge.c */
    bool is_padding; /* made by shuffle.c: what fills the gaps of its output section fills it */
    bool is_rel;      /* they are SHT_REL */
    bool rel_sorted;  /* its relocations are in the order of their places */
    bool needs_scan;  /* they are not all plain: see reloc.c */
    bool out_of_range;/* one of them does not reach */
    bool adopted;     /* an orphan, in an output section of a script that has its name */
    struct ld_input_cmd *input_cmd; /* what of a linker script places it, or NULL */
    struct ld_places *places; /* more than one place for it; NULL: not */
    uint64_t link_seq;  /* place in the link, where a script sorts */
    uint32_t eqclass;   /* --symbol-ordering-file, profiles of calls, --shuffle-sections: rank; 0: none */
    uint64_t icf_class; /* --icf: 0: no candidate */
};

/* Why --gc-sections keeps a symbol: the higher one counts. */
enum ld_root { ROOT_NONE = 0, ROOT_SCRIPT, ROOT_OPTION, ROOT_EXPORTED };

struct ld_group {
    const char *name; /* the signature */
    struct ld_file *owner;    /* who keeps it */
    struct ld_section *head; /* SHT_GROUP section (for -r) */
};

enum { SYM_NONE = 0, SYM_UNDEF, SYM_LAZY, SYM_SHARED, SYM_COMMON, SYM_DEFINED };

struct ld_symbol {
    const char *name;       /* as it is written out, terminated */
    struct ld_section *sec; /* DEFINED: NULL is absolute (unless out) */
    uint64_t addr;          /* once addresses are final */
    uint64_t value;         /* COMMON: the alignment; LAZY of an archive: the member's header offset */
    uint32_t got;           /* slot + 1 */
    uint32_t undef_idx;     /* in ld->undefs, + 1 */
    uint16_t version;       /* VER_NDX_* or of a version script */
    uint8_t kind, binding, type, vis, other;
    uint8_t ref_vis;        /* before the linker defined it */
    bool used : 1;          /* some object refers to it or defines it */
    bool referenced : 1;    /* some object refers to it */
    bool export_ : 1;       /* --export-dynamic-symbol, dynamic list */
    bool no_export : 1;     /* --exclude-libs */
    bool hidden_bitcode : 1; /* the same, of an archive's bitcode, which is compiled into another file */
    bool preemptible : 1;
    bool in_dynsym : 1;
    bool local : 1;         /* STB_LOCAL in its object */
    bool discarded : 1;     /* its section lost (group) or is gone */
    bool in_discarded : 1;  /* global whose only definition lost */
    bool traced : 1;
    bool version_set : 1;
    bool linker_defined : 1;
    bool default_version : 1;
    bool in_reloc : 1;      /* -r, --emit-relocs: must be in .symtab */
    bool defsym : 1;
    bool needs_got : 1;
    bool marked : 1;        /* --gc-sections: something live refers to it */
    uint8_t root : 2;       /* enum ld_root */
    bool in_merge : 1;      /* defined in a section that is cut into pieces */
    bool late : 1;          /* OVERWRITE_SECTIONS defines it, and no object knows it: not exported */
    bool backref : 1;       /* in ld->backrefs, and nothing behind defines it again */
    bool in_output : 1;     /* assigned by a script: no number, although it has no section yet */
    /* The first 64 bytes are what relocations need. */
    struct ld_file *file;   /* who defines it; else who referred to it first; NULL: the linker */
    struct ld_out *out;     /* defined relative to an output section by the linker */
    uint64_t size;
    const char *at_version; /* what stood behind @ or @@ in the name */
    uint32_t dynsym, symtab;/* indices; 0: not in it */
    uint32_t dyn_name, str_name; /* offsets in .dynstr, .strtab */
    uint32_t name_len;
};

enum { FILE_OBJECT = 1, FILE_SHARED, FILE_ARCHIVE, FILE_BITCODE, FILE_BINARY };

struct ld_member {
    const char *key; /* the 8 bytes of header_off, as a name */
    uint64_t header_off;
    struct ld_file *file;
};

struct ld_file {
    const char *name;       /* "a.o", "lib.a(m.o)" */
    struct ld_file *parent; /* the archive it is from, or NULL */
    const char *archive;    /* its name */
    const char *member_name;
    const uint8_t *data;
    size_t size;
    uint32_t flags; /* CODEOBJ_LINK_INPUT_* */
    uint8_t kind;
    bool extracted, lazy, thin, needed, just_symbols;
    struct codeobj_elf *elf;
    struct codeobj_elf_header header;
    size_t section_count, symbol_count;
    uint32_t first_global;
    uint32_t symtab_idx; /* section index */
    const uint8_t *sym_data; /* its bytes, symbol_count entries of them; or NULL */
    struct ld_section **sections; /* by index; kept: a candidate for the output; see make_sections() of object.c */
    struct ld_symbol **symbols;   /* by symbol index */
    struct ld_symbol *locals;
    uint32_t next_undef;
    size_t order; /* place in ld->files */
    uint32_t group; /* what may take archive members of a later group alone, if --warn-backrefs is to be silent; 0: anything */
    /* archives */
    struct ld_names members; /* opened ones, struct ld_member by header offset */
    const char *long_names;
    size_t long_names_size;
    /* shared objects */
    const char *soname;
};

struct ld_names_list {
    VEC(const char *) items;
};

/* An output section. */
struct ld_out {
    const char *key; /* the name, and under -r what else keeps it apart */
    const char *name;
    uint32_t type;
    uint64_t flags, addr, off, size, align, entsize;
    uint32_t link, info, idx, name_off;
    uint64_t seq;
    uint32_t sub; /* of several with the same seq */
    uint32_t rank;
    struct ld_out *link_out, *info_out; /* sh_link, sh_info as sections */
    VEC(struct ld_section *) secs;
    bool relro;
    int load;           /* index of its PT_LOAD, or -1 */
    struct ld_out *rela; /* -r, --emit-relocs */
    VEC(struct ld_section *) relocated; /* whose relocations are in rela */
    bool rel;            /* it is of type SHT_REL */
    uint64_t rela_count;
    uint64_t stamp, rela_stamp;  /* -r: the group that has named it, and its relocations, last */
    struct ld_symbol *section_symbol; /* -r, --emit-relocs */
    uint8_t *contents;   /* whole contents where they are not the inputs' (compressed) */
    /* linker scripts */
    struct ld_desc *desc; /* NULL: an orphan */
    struct ld_names_list phdrs;
    struct ld_region *region, *lma_region;
    uint64_t lma_offset; /* load address minus address */
    bool removed;        /* empty, and nobody would miss it */
};

struct ld_phdr {
    uint32_t type, flags;
    uint64_t off, addr, filesz, memsz, align;
    uint64_t lma;       /* PHDRS ... AT(): load address */
    uint64_t header_off; /* headers: where in them it begins */
    struct ld_out *first, *last;
    bool headers; /* begins with the ELF header or the program headers */
    bool has_lma, removed;
};

/* A dynamic relocation: sec+off is the place. */
struct ld_dynrel {
    struct ld_section *sec;
    uint64_t off;
    uint32_t type;
    struct ld_symbol *sym;          /* symbolic: named by index; relative: its address is the addend */
    int64_t addend;
    uint64_t place;                 /* address, once laid out */
};

struct ld_dyn {
    uint64_t tag, value;
    struct ld_out *out; /* its address, or its size */
    struct ld_symbol *sym;
    bool size;
};

struct ld_undef_ref {
    struct ld_file *file;
    struct ld_section *sec;
    uint64_t off;
};
struct ld_undef {
    struct ld_symbol *sym;
    struct ld_undef_ref refs[3];
    size_t count, nth; /* nth: how many references were reported before */
    bool warn, discarded; /* discarded: it was defined, in what has been left out */
};

/* An archive member that has been taken for a reference behind the archive. */
struct ld_backref {
    struct ld_symbol *sym;
    const struct ld_file *from;
    const char *to;
};

struct ld_version_pattern {
    const char *text;
    uint32_t len;
    uint16_t version, node; /* node: the version in which it stands, local or not */
    bool glob, cxx, local, quoted;
};
struct ld_version {
    const char *name;
    uint16_t id;
    VEC(const char *) parents;
    uint32_t name_off;
};

struct codeobj_link_result {
    struct codeobj_link_message *messages;
    size_t message_count;
    struct codeobj_link_bitcode *bitcode;
    size_t bitcode_count;
    struct codeobj_link_text texts[CODEOBJ_LINK_TEXT_COUNT];
    void *block; /* one allocation behind all of the above */
    void *image;
    size_t image_size;
    bool image_owned;
};


struct ld {
    struct codeobj_link_options opt;
    const struct codeobj_link_input *inputs;
    size_t input_count;
    struct codeobj_elf **opened; /* of the inputs, not yet taken by an ld_file; NULL: none */
    struct codeobj_pool *pools[LD_MAX_THREADS]; /* what their handles are in, one for each thread that opens; those of members: in the first */
    struct ld_arena arena;
    jmp_buf no_memory;
    void *loose; /* from malloc, freed on any way out */
    VEC(struct codeobj_link_message) messages;
    size_t error_count;
    VEC(struct codeobj_link_bitcode) bitcode;
    struct ld_text texts[CODEOBJ_LINK_TEXT_COUNT];
    bool stopped; /* error limit reached */
    bool malformed;
    bool io_failed; /* a callback that takes the image said so */
    bool shared, pic, relocatable;

    VEC(struct ld_file *) files;   /* objects in link order, shared objects */
    VEC(struct ld_file *) all;     /* everything opened, for freeing */
    VEC(struct ld_file *) pending; /* objects whose undefined symbols are still to be looked at */
    struct ld_names table;
    VEC(struct ld_symbol *) symbols; /* the table in order of first mention */
    struct ld_names groups_by_name;
    struct ld_script *script; /* NULL: none */
    struct ld_calls *calls;   /* callgraph.c; NULL: none wanted */

    VEC(struct ld_version_pattern) patterns;
    VEC(struct ld_version) versions;
    bool has_version_script;
    VEC(struct ld_version_pattern) dynlist, exportlist;

    VEC(struct ld_section *) commons;  /* a section for each common symbol */
    VEC(struct ld_section *) binaries; /* what inputs that are bytes become */
    VEC(struct ld_section *) sections; /* candidates for the output, in order */
    VEC(struct ld_out *) outs;
    VEC(struct ld_out *) unlisted; /* -z nosectionheader: what is not allocated, and so not in the file */
    struct ld_names outs_by_name;
    VEC(struct ld_merge *) merges;
    VEC(struct ld_phdr) phdrs;
    VEC(struct ld_dynrel) dynrels;
    VEC(struct ld_dynrel) late;  /* -z nocombreloc: relative ones of data, which come behind all others */
    VEC(struct ld_dynrel) relrs; /* relative ones for .relr.dyn */
    uint64_t *relr_places;       /* room for as many addresses */
    VEC(struct ld_symbol *) got;
    VEC(struct ld_undef) undefs;
    VEC(struct ld_backref) backrefs;
    size_t undef_refs;
    VEC(struct ld_dyn) dyn;
    uint32_t base_version_off;
    const char *output_name;
    uint32_t relative_count;
    uint64_t group_stamp;
    bool collecting; /* sections that nothing needs are not live, symbols that nothing live refers to not marked */
    bool has_dynamic, placed, padded;
    bool laid_out; /* by a script: addresses are what it says, be it that they are wrong */

    /* parts the linker makes; NULL when not wanted */
    struct ld_section *s_dynsym, *s_dynstr, *s_hash, *s_gnu_hash, *s_dynamic, *s_rela, *s_relr, *s_got, *s_versym,
        *s_verdef, *s_build_id, *s_package, *s_symtab, *s_strtab, *s_shstrtab, *s_symtab_shndx,
        *s_relro_padding;
    VEC(struct ld_symbol *) dynsyms; /* without the null symbol, in order */
    VEC(struct ld_symbol *) symtab_syms;
    struct ld_strtab *dynstr, *strtab, *shstrtab;
    uint32_t gnu_hash_first, first_global_symtab;
    uint32_t e_flags;
    uint8_t osabi, abi_version;
    uint64_t headers_size, header_addr;
    uint64_t shoff, image_size;
    uint8_t *image;
    uint64_t page, common_page;
};

/* ---- diag.c ---------------------------------------------------------------- */
void co_ld_error(struct ld *ld, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void co_ld_warn(struct ld *ld, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An error that --noinhibit-exec makes a warning. */
void co_ld_error_or_warn(struct ld *ld, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *co_ld_show(struct ld *ld, const struct ld_symbol *sym); /* name for messages, demangled */
const char *co_ld_show_name(struct ld *ld, const char *name);
const char *co_ld_file_name(const struct ld_file *file);            /* "<internal>" for NULL */
/* "a.o:(f)" or "a.o:(.data+0x8)" */
const char *co_ld_place(struct ld *ld, const struct ld_section *sec, uint64_t off);
/* The same with the source line in front, where debug information has it; for ">>> " and `indent` blanks. */
const char *co_ld_place_with_source(struct ld *ld, const struct ld_section *sec, uint64_t off, int indent);
const char *co_ld_place_of(struct ld *ld, const struct ld_section *sec, uint64_t off, int indent, const char *variable);
const char *co_ld_source_line(struct ld *ld, const struct ld_section *sec, uint64_t off);         /* of code; or NULL */
const char *co_ld_variable_line(struct ld *ld, const struct ld_file *file, const char *name); /* of a variable; or NULL */
const struct ld_symbol *co_ld_enclosing(const struct ld_section *sec, uint64_t off); /* by value and size; or NULL */
/* "a.o:(function f: .text+0x2c)" */
const char *co_ld_place_long(struct ld *ld, const struct ld_section *sec, uint64_t off);
const char *co_ld_reloc_name(struct ld *ld, uint32_t type);

/* ---- input.c, archive.c, object.c ------------------------------------------ */
void co_ld_read_inputs(struct ld *ld);
void co_ld_add_archive(struct ld *ld, struct ld_file *file);
void co_ld_add_object(struct ld *ld, struct ld_file *file);  /* to the link, now */
void co_ld_add_shared(struct ld *ld, struct ld_file *file);
void co_ld_add_lazy_object(struct ld *ld, struct ld_file *file);
void co_ld_extract(struct ld *ld, struct ld_symbol *sym, const char *why); /* the object behind a LAZY symbol; why: for --why-extract, or NULL */
void co_ld_resolve_pending(struct ld *ld);
struct ld_file *co_ld_new_file(struct ld *ld, const char *name, const uint8_t *data, size_t size);
void co_ld_add_bytes(struct ld *ld, struct ld_file *file, bool lazy); /* identify and add */
bool co_ld_is_bitcode(const uint8_t *data, size_t size);
bool co_ld_open_elf(struct ld *ld, struct ld_file *file);
bool co_ld_extract_member(struct ld *ld, struct ld_file *archive, uint64_t header_off);
const char *co_ld_lazy_name(struct ld *ld, const struct ld_symbol *sym); /* LAZY: "lib.a(m.o)" of what would define it */
void co_ld_merge_flags(struct ld *ld);
void co_ld_add_binary(struct ld *ld, struct ld_file *file);
void co_ld_add_just_symbols(struct ld *ld, struct ld_file *file);
uint8_t co_ld_archive_osabi(struct ld *ld, const struct ld_file *archive); /* of the first member that has one */
void co_ld_write_archive_stats(struct ld *ld);

/* ---- symbols.c -------------------------------------------------------------- */
struct ld_symbol *co_ld_intern(struct ld *ld, const char *name, size_t len); /* name is borrowed */
struct ld_symbol *co_ld_intern_hashed(struct ld *ld, const char *name, size_t len, uint64_t hash);
struct ld_symbol *co_ld_find(struct ld *ld, const char *name);
void co_ld_define(struct ld *ld, struct ld_symbol *sym, struct ld_file *file, struct ld_section *sec,
                  const struct codeobj_elf_symbol *def);
void co_ld_refer(struct ld *ld, struct ld_symbol *sym, struct ld_file *file, const struct codeobj_elf_symbol *ref);
void co_ld_merge_visibility(struct ld_symbol *sym, uint8_t vis);
/* An archive member, or object of --start-lib, may define sym; it is taken in if that is wanted already (true). */
bool co_ld_offer(struct ld *ld, struct ld_symbol *sym, struct ld_file *file, uint64_t value);
/* --fortran-common: what is offered is a definition, and takes the place of a common symbol. */
void co_ld_replace_common(struct ld *ld, struct ld_symbol *sym, struct ld_file *file, uint64_t value);
void co_ld_undefined_symbols(struct ld *ld);
void co_ld_check_encapsulation(struct ld *ld);
bool co_ld_is_c_name(const char *s); /* of a section that __start_X and __stop_X may enumerate */
void co_ld_command_line_symbols(struct ld *ld); /* -u, -e: pull members */
void co_ld_apply_wrap(struct ld *ld);
void co_ld_assign_versions(struct ld *ld);
void co_ld_decide_exports(struct ld *ld);
bool co_ld_is_local(const struct ld *ld, const struct ld_symbol *sym); /* STB_LOCAL in the output */
uint8_t co_ld_binding(const struct ld *ld, const struct ld_symbol *sym);
static inline bool ld_is_undef_weak(const struct ld_symbol *s)
{
    return (s->kind == SYM_UNDEF || s->kind == SYM_LAZY) && s->binding == STB_WEAK;
}
static inline bool ld_is_undef(const struct ld_symbol *s)
{
    return s->kind == SYM_UNDEF || s->kind == SYM_LAZY || s->kind == SYM_NONE;
}
static inline bool ld_is_absolute(const struct ld_symbol *s)
{
    return s->kind == SYM_DEFINED && !s->sec && !s->out && !s->linker_defined && !s->in_output;
}
bool co_ld_is_end_name(const char *name); /* _end and the like: a version script may make them local */
bool co_ld_is_late_name(const char *name); /* the linker defines it, but only when it lays sections out */
bool co_ld_is_linker_name(const struct ld *ld, const char *name);
void co_ld_define_linker_symbols(struct ld *ld);
void co_ld_place_linker_symbols(struct ld *ld);

/* ---- trace.c ------------------------------------------------------------------ */
void co_ld_trace(struct ld *ld, const struct ld_symbol *sym, const char *where, const char *what); /* if --trace-symbol names it */
void co_ld_trace_reserved(struct ld *ld); /* names that the linker has defined */
void co_ld_trace_last(struct ld *ld);     /* those of sections, and what is undefined after all */
/* A reference of `from` has taken something in from in front of it; `to` names that. */
void co_ld_note_backref(struct ld *ld, struct ld_symbol *sym, const struct ld_file *from, const char *to);
void co_ld_report_backrefs(struct ld *ld);

/* ---- spelling.c --------------------------------------------------------------- */
const char *co_ld_spelling_hint(struct ld *ld, const struct ld_symbol *sym); /* lines for an undefined name, or "" */

/* ---- expr.c: what scripts of all kinds have in common ------------------------- */

/* Behind blanks and comments, counting lines; NULL: a comment does not end. */
const char *co_ld_skip_blank(const char *p, const char *end, unsigned *line);

/* ---- version.c -------------------------------------------------------------- */
void co_ld_parse_version_script(struct ld *ld, const struct codeobj_link_text *text);
void co_ld_parse_dynamic_list(struct ld *ld, const struct codeobj_link_text *text, bool exports);
const char *co_ld_demangled(struct ld *ld, const char *name); /* NULL: not mangled */


/* ---- gc.c, icf.c ------------------------------------------------------------- */
void co_ld_gc(struct ld *ld);
/* why_live.c: what has kept something: a place in a section, a section, a symbol; none of these: `what` says all. */
struct ld_reason {
    const char *what;
    const struct ld_section *sec;
    const struct ld_symbol *sym;
    uint64_t off;
    bool is_place;
};
struct ld_why { /* the first reason of everything that has one */
    struct ld_names reasons;
};
void co_ld_why_symbol(struct ld *ld, struct ld_why *why, const struct ld_symbol *sym, struct ld_reason reason);
void co_ld_why_section(struct ld *ld, struct ld_why *why, const struct ld_section *sec, const struct ld_symbol *sym,
                       struct ld_reason reason); /* sym: what of it has been named; or NULL */
void co_ld_write_why_live(struct ld *ld, const struct ld_why *why);
bool co_ld_collected(const struct ld *ld, const struct ld_section *sec); /* it goes when nothing needs it */
void co_ld_icf(struct ld *ld);

/* ---- merge.c ------------------------------------------------------------------ */
bool co_ld_is_mergeable(const struct ld *ld, const struct ld_section *sec); /* live or not, it is to be cut into pieces */
void co_ld_split_pieces(struct ld *ld);
void co_ld_merge_sections(struct ld *ld);
enum { LD_SHARDS = 32 };
unsigned co_ld_shard(const uint8_t *p, size_t n); /* shard.c */
bool co_ld_merge_place(struct ld_section *sec);
struct ld_section *co_ld_merged_section(const struct ld_section *sec);
const struct ld_section *co_ld_final_section(const struct ld_section *sec); /* through folding and merging */
struct ld_piece *co_ld_piece_at(const struct ld_section *sec, uint64_t off);

/* ---- notes.c ------------------------------------------------------------------ */
void co_ld_merge_notes(struct ld *ld);

/* ---- script.c: see script.h ------------------------------------------------------ */
void co_ld_parse_scripts(struct ld *ld); /* and --defsym */
void co_ld_script_declare(struct ld *ld); /* names that expressions need pull members */
void co_ld_script_symbols(struct ld *ld);
void co_ld_script_trace(struct ld *ld); /* --trace-symbol: what it assigns */
const char *co_ld_script_assigned_at(struct ld *ld, const struct ld_symbol *sym); /* where a script defines it, or NULL */
void co_ld_script_late_symbols(struct ld *ld);
void co_ld_script_match(struct ld *ld);
extern const struct ld_places co_ld_no_places;
struct ld_places *co_ld_places(struct ld *ld, struct ld_section *sec); /* to be changed */
static inline const struct ld_places *ld_places(const struct ld_section *sec)
{
    return sec->places ? sec->places : &co_ld_no_places;
}
void co_ld_script_check(struct ld *ld); /* mistakes about classes and spilling */
void co_ld_script_discard(struct ld *ld); /* /DISCARD/ */
bool co_ld_script_keeps(const struct ld *ld, const struct ld_section *sec);
bool co_ld_script_has_sections(const struct ld *ld);
void co_ld_check_crossrefs(struct ld *ld); /* NOCROSSREFS */
void co_ld_report_orphans(struct ld *ld);
void co_ld_write_memory_usage(struct ld *ld);
bool co_ld_script_pads_relro(const struct ld *ld); /* does the end of relro begin a page? */
const char *co_ld_script_output(const struct ld_section *sec); /* the output section that a script has put it into, or NULL */
const char *co_ld_script_output_at(const struct ld *ld, size_t idx); /* names of those that it describes, then NULL */
bool co_ld_script_enumerates(struct ld *ld, const char *name); /* does it describe that section?  It stays, if empty, too */
uint32_t co_ld_script_target(const struct ld_section *sec); /* the same for sections of one output section; 0: none */

/* ---- shuffle.c: orders that the command line asks for ----------------------------- */
/* The next line that is neither empty nor a comment (#), without the blanks around it; NULL: there is none. */
const char *co_ld_next_line(const char **at, const char *end, size_t *len);
struct ld_section *co_ld_folded_into(struct ld_section *sec); /* --icf: itself, if into none; NULL for NULL */
bool co_ld_ignores_undefined(const struct ld *ld); /* nothing is said of them */
const char *co_ld_unorderable(const struct ld *ld, const struct ld_symbol *s); /* why there is no input section to move, or NULL */
void co_ld_apply_ordering(struct ld *ld);
void co_ld_pad_sections(struct ld *ld); /* --randomize-section-padding; sections have their PT_LOAD, and no places yet */

/* ---- callgraph.c -------------------------------------------------------------- */
void co_ld_read_call_graph(struct ld *ld);
struct ld_call_order {
    struct ld_section **secs;
    size_t count, function_count; /* function_count: with those that have got no place */
};
struct ld_call_order co_ld_order_by_calls(struct ld *ld);

/* ---- layout.c ----------------------------------------------------------------- */
struct ld_ranked { /* a section with its place in an order: by rank, then as they were */
    struct ld_section *sec;
    uint32_t rank;
    size_t seq;
};
int co_ld_by_rank(const void *a, const void *b);
void co_ld_make_outputs(struct ld *ld);
bool co_ld_has_relro(const struct ld *ld);
void co_ld_sort_outputs(struct ld *ld);
void co_ld_assign_addresses(struct ld *ld);
struct ld_section *co_ld_new_section(struct ld *ld, const char *name, uint32_t type, uint64_t flags, uint64_t align);
struct ld_out *co_ld_place_section(struct ld *ld, struct ld_section *sec, const char *name);
struct ld_out *co_ld_place_at(struct ld *ld, struct ld_section *sec, const char *name, uint64_t seq);
struct ld_out *co_ld_new_out(struct ld *ld, const char *name, uint32_t type, uint64_t seq);
void co_ld_append(struct ld *ld, struct ld_out *o, struct ld_section *sec);
uint32_t co_ld_rank(const struct ld *ld, const struct ld_out *o); /* orders output sections */
unsigned co_ld_init_priority(const char *name); /* of .init_array.N */
struct ld_phdr *co_ld_add_phdr(struct ld *ld, uint32_t type, uint32_t flags, uint64_t align);
void co_ld_extend_phdr(struct ld_phdr *p, struct ld_out *o);
uint32_t co_ld_permissions(const struct ld *ld, const struct ld_out *o);
uint64_t co_ld_load_align(const struct ld *ld);
const uint64_t *co_ld_fixed_address(const struct ld *ld, const struct ld_out *o); /* --section-start; or NULL */
/* Address of a section that begins a PT_LOAD (not the first one). */
uint64_t co_ld_segment_start(const struct ld *ld, const struct ld_out *o, const struct ld_out *before, uint64_t dot);
uint64_t co_ld_image_base(const struct ld *ld);
uint64_t co_ld_seq(const struct ld *ld, const struct ld_section *sec, uint32_t idx);
const char *co_ld_output_name(struct ld *ld, const struct ld_section *sec);
/* Address of a place in an input section; through pieces and folding. */
uint64_t co_ld_addr(const struct ld_section *sec, uint64_t off);
uint64_t co_ld_symbol_addr(const struct ld *ld, const struct ld_symbol *sym);
void co_ld_place_symbols(struct ld *ld); /* sym->addr of all */

/* ---- reloc.c ------------------------------------------------------------------ */
struct ld_reloc { /* one input relocation, read */
    uint64_t off;
    uint32_t type;
    struct ld_symbol *sym;
    int64_t addend;
};
size_t co_ld_reloc_count(const struct ld_section *sec);
enum { RELOC_BATCH = 32 };
/* Up to RELOC_BATCH entries from `first` on; sym is NULL in one that names no symbol. */
size_t co_ld_read_relocs(const struct ld_section *sec, size_t first, size_t count, struct ld_reloc *out);
bool co_ld_reloc_at(struct ld *ld, const struct ld_section *sec, size_t i, struct ld_reloc *out);
void co_ld_scan_relocations(struct ld *ld);
void co_ld_put_addend(uint32_t type, int64_t addend, uint8_t *p); /* co_ld_reloc_size bytes */
unsigned co_ld_reloc_size(uint32_t type);
/* Does something stand for the address, because that is gone, and what? */
bool co_ld_tombstone(const struct ld *ld, const struct ld_section *sec, const struct ld_reloc *r, uint64_t *value);
void co_ld_report_undefined(struct ld *ld);
/* Relocates the bytes [from, to) of a section, which are at dst.  May run for several sections at once. */
void co_ld_apply_window(struct ld *ld, const struct ld_section *sec, uint8_t *dst, uint64_t from, uint64_t to);
uint64_t co_ld_reloc_boundary(const struct ld_section *sec, uint64_t at); /* at, or before: where no relocation is cut */
void co_ld_report_ranges(struct ld *ld); /* branches that do not reach */
int64_t co_ld_dynrel_addend(const struct ld *ld, const struct ld_dynrel *d);
void co_ld_finish_dynrels(struct ld *ld);

/* ---- relr.c: --pack-dyn-relocs=relr ------------------------------------------------ */
bool co_ld_relr_packs(const struct ld *ld, const struct ld_section *sec, uint64_t off); /* does the place go there? */
bool co_ld_relr_grow(struct ld *ld);
void co_ld_fill_relr(struct ld *ld);

/* ---- android.c: --pack-dyn-relocs=android ----------------------------------------------- */
bool co_ld_android_grow(struct ld *ld);
bool co_ld_fill_android(struct ld *ld);

/* ---- dynamic.c ----------------------------------------------------------------- */
void co_ld_make_dynamic(struct ld *ld);   /* which parts there are, and their sizes */
void co_ld_fill_dynamic(struct ld *ld);   /* addresses known */

/* ---- symtab.c -------------------------------------------------------------------- */
struct ld_strtab;
struct ld_strtab *co_ld_strtab_new(struct ld *ld, bool dedup);
uint32_t co_ld_strtab_add(struct ld *ld, struct ld_strtab *t, const char *s, size_t len);
uint32_t co_ld_strtab_append(struct ld *ld, struct ld_strtab *t, const char *s, size_t len); /* even if it is there */
const char *co_ld_strtab_data(const struct ld_strtab *t, size_t *size);
void co_ld_make_symtab(struct ld *ld);
void co_ld_name_sections(struct ld *ld);
void co_ld_fill_symtab(struct ld *ld);
uint64_t co_ld_symbol_value(const struct ld *ld, const struct ld_symbol *sym);
uint32_t co_ld_symbol_shndx(const struct ld *ld, const struct ld_symbol *sym);

/* ---- relocatable.c ------------------------------------------------------------- */
void co_ld_make_rela_outputs(struct ld *ld);
void co_ld_fill_rela_outputs(struct ld *ld);
/* What of an output section has relocations, in the order in which o->rela has them. */
struct ld_section **co_ld_relocated_sections(const struct ld_out *o, size_t *count);

/* ---- output.c --------------------------------------------------------------------- */
void co_ld_write(struct ld *ld);
void co_ld_put_contents(struct ld *ld, const struct ld_out *o, uint8_t *dst); /* dst: o->size zeroed bytes */
void co_ld_make_build_id(struct ld *ld);
void co_ld_make_package_note(struct ld *ld);
void co_ld_put_build_id(struct ld *ld);

/* ---- compress.c -------------------------------------------------------------------- */
void co_ld_compress(struct ld *ld);

/* ---- map.c ------------------------------------------------------------------------- */
void co_ld_write_map(struct ld *ld);
void co_ld_write_cref(struct ld *ld);

#endif

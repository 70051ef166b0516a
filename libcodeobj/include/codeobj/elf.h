/* SPDX-License-Identifier: MIT
 *
 * codeobj/elf.h - the container: AMDGPU ELF files, read.
 *
 * Opening checks everything that later calls lean on (header, section and
 * program header tables, section extents, string tables, symbol and relocation
 * tables); what fails there fails the open with MALFORMED, or, with
 * CODEOBJ_ELF_LENIENT, is kept as a finding and shown as absent.
 *
 * Source: System V ABI (gABI), LLVM's User Guide for AMDGPU Backend, ELF Code
 * Object.
 */
#ifndef CODEOBJ_ELF_H
#define CODEOBJ_ELF_H

#include <codeobj/base.h>
#include <codeobj/target.h>

#ifdef __cplusplus
extern "C" {
#endif

struct codeobj_elf; /* an open object, immutable */

#define CODEOBJ_ELF_LENIENT 1u     /* open what is readable; see codeobj_elf_finding() */
#define CODEOBJ_ELF_ANY_MACHINE 2u /* little-endian ELF of any machine, such as a host binary that embeds code objects */

/* Memory that many handles share, for callers that open thousands of objects: taking it for each is a good part of
 * what opening costs.  It grows until it is freed, also by objects that could not be opened or are freed before; opening
 * with it is for one thread at a time, the handles are as free of that as any.  Handles are freed before their pool. */
struct codeobj_pool;
CODEOBJ_API enum codeobj_status codeobj_pool_new(struct codeobj_pool **out); /* NO_MEMORY; *out: owned */
CODEOBJ_API void codeobj_pool_free(struct codeobj_pool *pool);                 /* NULL is fine */

struct codeobj_elf_options {
    size_t size;    /* sizeof(struct codeobj_elf_options) */
    unsigned flags; /* CODEOBJ_ELF_* */
    const char *name; /* for diagnostics; copied; NULL: none (memory) or the path (file) */
    struct codeobj_pool *pool; /* borrowed; NULL: memory of its own */
};

/* Opens bytes that the caller keeps alive and unchanged until codeobj_elf_free.
 * options may be NULL.  *out: owned, free with codeobj_elf_free. */
CODEOBJ_API enum codeobj_status codeobj_elf_open_memory(const void *data, size_t size,
                                                        const struct codeobj_elf_options *options,
                                                        struct codeobj_elf **out, struct codeobj_diag *diag);
/* Opens a file (mapped or read; independent of the path afterwards, but the
 * file must not be cut shorter by others while it is open).  NOT_FOUND when
 * there is no such file. */
CODEOBJ_API enum codeobj_status codeobj_elf_open_file(const char *path, const struct codeobj_elf_options *options,
                                                      struct codeobj_elf **out, struct codeobj_diag *diag);
CODEOBJ_API void codeobj_elf_free(struct codeobj_elf *elf);

/* Findings of a lenient open, idx 0 up; NOT_FOUND past the last. */
CODEOBJ_API enum codeobj_status codeobj_elf_finding(const struct codeobj_elf *elf, size_t idx,
                                                    struct codeobj_diag *out);

/* The bytes of the whole object: borrowed until codeobj_elf_free. */
CODEOBJ_API const void *codeobj_elf_bytes(const struct codeobj_elf *elf, size_t *size);
CODEOBJ_API const char *codeobj_elf_name(const struct codeobj_elf *elf);

struct codeobj_elf_header {
    uint8_t elf_class;   /* 1: ELFCLASS32 (r600), 2: ELFCLASS64 */
    uint8_t osabi;       /* 64 AMDGPU_HSA, 65 PAL, 66 MESA3D, 0 none */
    uint8_t abi_version; /* EI_ABIVERSION as stored */
    uint16_t type;       /* ET_REL 1, ET_EXEC 2, ET_DYN 3, ET_CORE 4 */
    uint16_t machine;    /* EM_AMDGPU 224 */
    uint32_t version;
    uint64_t entry;
    uint64_t phoff, shoff;
    uint32_t flags;      /* e_flags */
    uint32_t phnum, shnum, shstrndx; /* with the escapes of large files resolved */
    int code_object_version; /* 1-6; 0: not amdhsa; abi_version + 2 for versions to come; V1 and V2 are told apart by their notes */
};
CODEOBJ_API void codeobj_elf_header(const struct codeobj_elf *elf, struct codeobj_elf_header *out);
/* Target from e_flags and, for V1 and V2, notes. */
CODEOBJ_API void codeobj_elf_target(const struct codeobj_elf *elf, struct codeobj_target *out);

struct codeobj_elf_segment {
    uint32_t type, flags;
    uint64_t offset, vaddr, paddr, filesz, memsz, align;
};
CODEOBJ_API size_t codeobj_elf_segment_count(const struct codeobj_elf *elf);
/* idx < count, else the call returns INVALID. */
CODEOBJ_API enum codeobj_status codeobj_elf_segment(const struct codeobj_elf *elf, size_t idx,
                                                    struct codeobj_elf_segment *out);
/* File bytes of a segment, filesz of them: borrowed until free. */
CODEOBJ_API const void *codeobj_elf_segment_data(const struct codeobj_elf *elf, size_t idx, size_t *size);

struct codeobj_elf_section {
    const char *name; /* borrowed until free; "" when there is none */
    uint32_t idx;
    uint32_t type;
    uint64_t flags, addr, offset, size;
    uint32_t link, info;
    uint64_t align, entsize;
};
CODEOBJ_API size_t codeobj_elf_section_count(const struct codeobj_elf *elf); /* with section 0 */
CODEOBJ_API enum codeobj_status codeobj_elf_section(const struct codeobj_elf *elf, size_t idx,
                                                    struct codeobj_elf_section *out);
/* First section of that name, or NOT_FOUND. */
CODEOBJ_API enum codeobj_status codeobj_elf_section_by_name(const struct codeobj_elf *elf, const char *name,
                                                            struct codeobj_elf_section *out);
/* Stored bytes of a section, borrowed until free; NULL and 0 for SHT_NOBITS, SHT_NULL and bad idx. */
CODEOBJ_API const void *codeobj_elf_section_data(const struct codeobj_elf *elf, size_t idx, size_t *size);
/* Bytes of a section with SHF_COMPRESSED undone; *out: owned, free with free(). */
CODEOBJ_API enum codeobj_status codeobj_elf_section_contents(const struct codeobj_elf *elf, size_t idx, void **out,
                                                             size_t *size, struct codeobj_diag *diag);

/* Which symbol table. */
enum codeobj_elf_symtab { CODEOBJ_SYMTAB = 0, CODEOBJ_DYNSYM = 1 };
/* Index of the section that holds the table; 0 when there is none (a .dynsym of
 * a file without section headers is found through PT_DYNAMIC). */
CODEOBJ_API uint32_t codeobj_elf_symtab_section(const struct codeobj_elf *elf, enum codeobj_elf_symtab table);

struct codeobj_elf_symbol {
    const char *name; /* borrowed until free */
    uint32_t idx;
    uint8_t binding, type, visibility, other; /* STB_*, STT_*, STV_*, st_other whole */
    uint32_t shndx;    /* SHN_XINDEX resolved; reserved ones as CODEOBJ_SHN_*, others from 0xff00 up as 0xffffff00 up */
    uint64_t value, size;
};
/* Reserved section indices, moved out of the way of real ones (a file may have more than 65,280 sections). */
#define CODEOBJ_SHN_UNDEF 0u
#define CODEOBJ_SHN_AMDGPU_LDS 0xffffff00u
#define CODEOBJ_SHN_ABS 0xfffffff1u
#define CODEOBJ_SHN_COMMON 0xfffffff2u
/* Defined in a section whose index nothing tells: SHN_XINDEX in a .dynsym without an index table, as linkers write
 * for sections from 65,280 up. */
#define CODEOBJ_SHN_UNKNOWN 0xffffffffu

CODEOBJ_API size_t codeobj_elf_symbol_count(const struct codeobj_elf *elf, enum codeobj_elf_symtab table); /* with symbol 0 */
CODEOBJ_API enum codeobj_status codeobj_elf_symbol(const struct codeobj_elf *elf, enum codeobj_elf_symtab table,
                                                   size_t idx, struct codeobj_elf_symbol *out);
/* First defined symbol of that name in .symtab, then .dynsym; NOT_FOUND else. */
CODEOBJ_API enum codeobj_status codeobj_elf_symbol_by_name(const struct codeobj_elf *elf, const char *name,
                                                           struct codeobj_elf_symbol *out);

/* The same in .dynsym alone, which is where hosts look. */
CODEOBJ_API enum codeobj_status codeobj_elf_dynamic_symbol_by_name(const struct codeobj_elf *elf, const char *name,
                                                                   struct codeobj_elf_symbol *out);

struct codeobj_elf_relocation {
    uint64_t offset; /* in the target section (ET_REL), else an address */
    uint32_t type;   /* R_AMDGPU_* */
    uint32_t symbol; /* index in the table that the relocation section links to */
    int64_t addend;  /* SHT_RELA; 0 for SHT_REL, whose addend is in the place */
};
/* Number of relocations in section idx; 0 when it is not SHT_REL or SHT_RELA (see codeobj_elf_visit_relocations). */
CODEOBJ_API size_t codeobj_elf_relocation_count(const struct codeobj_elf *elf, size_t section_idx);
CODEOBJ_API enum codeobj_status codeobj_elf_relocation(const struct codeobj_elf *elf, size_t section_idx, size_t idx,
                                                       struct codeobj_elf_relocation *out);

/* The relocations of a section in turn until visit says false, of packed ones too: SHT_RELR, SHT_ANDROID_REL,
 * SHT_ANDROID_RELA and SHT_ANDROID_RELR, with the addend that is in the place where the table has none.  NOT_FOUND: the
 * section holds no relocations.  MALFORMED: a packed one is, behind what was visited; UNSUPPORTED: packed ones of r600. */
typedef bool codeobj_elf_relocation_visit(void *user, const struct codeobj_elf_relocation *r);
CODEOBJ_API enum codeobj_status codeobj_elf_visit_relocations(const struct codeobj_elf *elf, size_t section_idx,
                                                              codeobj_elf_relocation_visit *visit, void *user,
                                                              struct codeobj_diag *diag);

/* relocs.def as data. */
struct codeobj_relocation_info {
    const char *name; /* "R_AMDGPU_REL32_LO" */
    uint8_t type;
    uint8_t bytes;    /* bytes written: 0, 2, 4, 8 */
};
/* NULL for unknown types. */
CODEOBJ_API const struct codeobj_relocation_info *codeobj_relocation_info(uint32_t type);

struct codeobj_elf_dynamic {
    int64_t tag;
    uint64_t value;
};
CODEOBJ_API size_t codeobj_elf_dynamic_count(const struct codeobj_elf *elf); /* DT_NULL ends, not counted */
CODEOBJ_API enum codeobj_status codeobj_elf_dynamic(const struct codeobj_elf *elf, size_t idx,
                                                    struct codeobj_elf_dynamic *out);
/* What the value names, of tags whose value is a place in DT_STRTAB (DT_NEEDED, DT_SONAME, DT_RUNPATH ...): borrowed;
 * NULL for other tags and for what is not a string there of less than CODEOBJ_ELF_LONGEST_PATH bytes. */
#define CODEOBJ_ELF_LONGEST_PATH 4096u
CODEOBJ_API const char *codeobj_elf_dynamic_string(const struct codeobj_elf *elf, const struct codeobj_elf_dynamic *d);

struct codeobj_elf_note {
    const char *owner; /* without its NUL; borrowed until free */
    size_t owner_size;
    uint32_t type;
    const void *desc;
    size_t desc_size;
    uint64_t offset;      /* of the note header in the file */
    uint32_t section_idx; /* 0: from a PT_NOTE segment of a file without sections */
};
/* All notes of all note sections (or of PT_NOTE where there are no sections). */
CODEOBJ_API size_t codeobj_elf_note_count(const struct codeobj_elf *elf);
CODEOBJ_API enum codeobj_status codeobj_elf_note(const struct codeobj_elf *elf, size_t idx,
                                                 struct codeobj_elf_note *out);

/* Names of enumerators as the specification has them; NULL when unknown; static. */
CODEOBJ_API const char *codeobj_elf_type_name(uint32_t e_type);           /* "ET_DYN" */
CODEOBJ_API const char *codeobj_elf_osabi_name(uint32_t osabi);           /* "amdhsa" */
CODEOBJ_API const char *codeobj_elf_segment_type_name(uint32_t p_type);   /* "PT_LOAD" */
CODEOBJ_API const char *codeobj_elf_section_type_name(uint32_t sh_type);  /* "SHT_PROGBITS" */
CODEOBJ_API const char *codeobj_elf_symbol_type_name(uint32_t st_type);   /* "STT_FUNC" */
CODEOBJ_API const char *codeobj_elf_binding_name(uint32_t st_bind);       /* "STB_GLOBAL" */
CODEOBJ_API const char *codeobj_elf_visibility_name(uint32_t st_vis);     /* "STV_PROTECTED" */
CODEOBJ_API const char *codeobj_elf_dynamic_tag_name(int64_t d_tag);      /* "DT_SYMTAB" */
CODEOBJ_API const char *codeobj_elf_note_type_name(const char *owner, size_t owner_size, uint32_t type);

#ifdef __cplusplus
}
#endif
#endif

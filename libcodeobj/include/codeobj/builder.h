/* SPDX-License-Identifier: MIT
 *
 * codeobj/builder.h - code objects written: new ones, and changed copies of read ones.
 *
 * A builder holds sections, symbols, relocations and notes; codeobj_builder_finish()
 * lays them out.  A new object is made as a relocatable one; asked for ET_DYN,
 * finish links it in memory (codeobj_link), which brings .dynsym, both hash
 * tables, .dynamic and the program headers a loader looks for.  An opened object
 * that nothing was changed in is written as the same bytes.
 *
 * Section and symbol indices are those of calls that returned them, or of the
 * opened object; they stay valid when others are removed.  A builder is not
 * thread-safe.  All data passed in is copied.
 *
 * Source: System V ABI (gABI); LLVM's User Guide for AMDGPU Backend, ELF Code Object.
 */
#ifndef CODEOBJ_BUILDER_H
#define CODEOBJ_BUILDER_H

#include <codeobj/elf.h>
#include <codeobj/kernel.h>
#include <codeobj/metadata.h>

#ifdef __cplusplus
extern "C" {
#endif

struct codeobj_builder;

struct codeobj_builder_options {
    size_t size;             /* sizeof(struct codeobj_builder_options) */
    uint16_t type;           /* ET_REL 1 or ET_DYN 3 */
    uint8_t osabi;           /* 64 amdhsa, 65 amdpal, 66 mesa3d, 0 none */
    int code_object_version; /* amdhsa: 3 to 6 */
    struct codeobj_target target; /* processor known; r600 processors give ELFCLASS32, and are INVALID for amdhsa */
};

/* *out: owned, free with codeobj_builder_free. */
CODEOBJ_API enum codeobj_status codeobj_builder_new(const struct codeobj_builder_options *options,
                                                    struct codeobj_builder **out, struct codeobj_diag *diag);
/* A copy of elf to change; elf must outlive the builder.  INVALID when elf was opened with findings. */
CODEOBJ_API enum codeobj_status codeobj_builder_open(const struct codeobj_elf *elf, struct codeobj_builder **out,
                                                     struct codeobj_diag *diag);
CODEOBJ_API void codeobj_builder_free(struct codeobj_builder *builder);

/* What can be changed of a linked object: see the functions.  In short, nothing
 * that code refers to moves: what does not fit its place goes into new segments
 * behind the others (with the program header table), .dynamic follows, and what
 * would need code to be moved is refused with the reason.  What a linked object
 * gets in new sections may hold pointers: see codeobj_builder_relocation_add. */

/* e_flags, and EI_ABIVERSION for version 3 to 6 of amdhsa.  The metadata is not touched. */
CODEOBJ_API enum codeobj_status codeobj_builder_set_target(struct codeobj_builder *builder,
                                                           const struct codeobj_target *target, int code_object_version,
                                                           struct codeobj_diag *diag);

/* ---- sections ------------------------------------------------------------------ */

struct codeobj_builder_section {
    const char *name;
    uint32_t type;      /* SHT_* */
    uint64_t flags;     /* SHF_* */
    uint64_t align;     /* power of two; 0 is 1 */
    uint64_t entsize;
    uint32_t link, info; /* builder's section indices where the type or SHF_INFO_LINK says so */
};
/* In an opened object with segments an allocated section gets a place in a new segment (read-only, executable or
 * writable as its flags say); a note also a note segment. */
CODEOBJ_API enum codeobj_status codeobj_builder_section_add(struct codeobj_builder *builder,
                                                            const struct codeobj_builder_section *section, uint32_t *idx,
                                                            struct codeobj_diag *diag);
CODEOBJ_API enum codeobj_status codeobj_builder_section_by_name(const struct codeobj_builder *builder, const char *name,
                                                                uint32_t *idx);
/* The rule of codeobj_builder_section_set for growing.
 * Appends bytes at the next multiple of align (NULL: zeros); *offset (may be NULL): where. */
CODEOBJ_API enum codeobj_status codeobj_builder_section_append(struct codeobj_builder *builder, uint32_t idx,
                                                               const void *data, uint64_t size, uint64_t align,
                                                               uint64_t *offset, struct codeobj_diag *diag);
/* Replaces the bytes.  A section that a segment holds may shrink; only notes and the tables that .dynamic leads to
 * (symbols, strings, hashes, versions, relocations) may grow, by moving; INVALID for others. */
CODEOBJ_API enum codeobj_status codeobj_builder_section_set(struct codeobj_builder *builder, uint32_t idx, const void *data,
                                                            size_t size, struct codeobj_diag *diag);
/* The section of relocations for it, where it is called after it, is renamed too. */
CODEOBJ_API enum codeobj_status codeobj_builder_section_rename(struct codeobj_builder *builder, uint32_t idx, const char *name,
                                                               struct codeobj_diag *diag);
/* Removes a section and the relocations for it.  INVALID when a segment holds it or something still refers to it. */
CODEOBJ_API enum codeobj_status codeobj_builder_section_remove(struct codeobj_builder *builder, uint32_t idx,
                                                               struct codeobj_diag *diag);

/* ---- symbols and relocations ------------------------------------------------------ */

/* Symbols are those of .symtab; in a linked object .dynsym, its hash tables and versions follow: a symbol is
 * exported when it is global or weak with default or protected visibility, and leaves .dynsym when it is made local
 * or hidden or removed (INVALID when a dynamic relocation names it).  What is in .dynsym only (a stripped object) is a
 * symbol too, and has no other place then.  Values of symbols in sections that were added to a linked object count
 * from the section's start; finish adds the address. */

/* shndx is a builder's section index or CODEOBJ_SHN_*; idx is ignored. */
CODEOBJ_API enum codeobj_status codeobj_builder_symbol_add(struct codeobj_builder *builder,
                                                           const struct codeobj_elf_symbol *symbol, uint32_t *idx,
                                                           struct codeobj_diag *diag);
CODEOBJ_API enum codeobj_status codeobj_builder_symbol_set(struct codeobj_builder *builder, uint32_t idx,
                                                           const struct codeobj_elf_symbol *symbol, struct codeobj_diag *diag);
/* INVALID when a relocation or section group names it, also one that was added. */
CODEOBJ_API enum codeobj_status codeobj_builder_symbol_remove(struct codeobj_builder *builder, uint32_t idx,
                                                              struct codeobj_diag *diag);
/* By name; symbols are numbered from 1.  NOT_FOUND. */
CODEOBJ_API enum codeobj_status codeobj_builder_symbol_by_name(const struct codeobj_builder *builder, const char *name,
                                                               uint32_t *idx, struct codeobj_elf_symbol *out);
/* A relocation of `section`, at an offset from its start.  The addend is in the entry (amdhsa) or in the place (other
 * OS ABIs).
 * In a linked object it becomes a dynamic one, for the loader: the section has to be allocated and writable, the type
 * R_AMDGPU_ABS64, RELATIVE64 or, against a dynamic symbol, ABS32_LO or ABS32_HI; INVALID otherwise.  ABS64 against a
 * symbol that the object itself decides on is written as RELATIVE64, as linkers do; RELATIVE64 without a symbol has
 * an address as its addend.  .rela.dyn moves behind the other segments, and is made (with its tags) when there is none.
 * Whoever gives that section, .rela.dyn or .dynamic other bytes later leaves the relocation its place in them:
 * codeobj_builder_finish() is INVALID otherwise. */
CODEOBJ_API enum codeobj_status codeobj_builder_relocation_add(struct codeobj_builder *builder, uint32_t section,
                                                               const struct codeobj_elf_relocation *relocation,
                                                               struct codeobj_diag *diag);

/* ---- notes, metadata, kernels ------------------------------------------------------ */

/* Replaces all notes of that owner and type by one; desc NULL: removes them.
 * owner without its NUL ("AMDGPU"). */
CODEOBJ_API enum codeobj_status codeobj_builder_note_set(struct codeobj_builder *builder, const char *owner, uint32_t type,
                                                         const void *desc, size_t size, struct codeobj_diag *diag);

/* The V3+ metadata note from a tree, or from YAML with the keys of V3+ ("amdhsa.kernels: ..."). */
CODEOBJ_API enum codeobj_status codeobj_builder_metadata_set(struct codeobj_builder *builder,
                                                             const struct codeobj_value *root, struct codeobj_diag *diag);
CODEOBJ_API enum codeobj_status codeobj_builder_metadata_yaml(struct codeobj_builder *builder, const char *text, size_t size,
                                                              struct codeobj_diag *diag);

struct codeobj_builder_arg {
    const char *name, *type_name;   /* NULL: not told */
    const char *value_kind;         /* "global_buffer", "by_value", "hidden_block_count_x", ... */
    const char *address_space;      /* NULL, "global", "local", ... */
    const char *access, *actual_access; /* NULL, "read_only", ... */
    uint32_t offset, size, pointee_align; /* bytes; pointee_align 0: not told */
    bool is_const, is_restrict, is_volatile, is_pipe;
};
struct codeobj_builder_kernel {
    size_t size;            /* sizeof(struct codeobj_builder_kernel) */
    const char *name;       /* without .kd */
    const void *code;       /* machine code, put at the next multiple of 256 of .text */
    size_t code_size;
    const struct codeobj_kernel_descriptor *descriptor; /* fields; the entry offset is filled in */
    /* For the metadata that the builder writes of its kernels: */
    const struct codeobj_builder_arg *args;
    size_t arg_count;
    uint32_t kernarg_align;           /* 0: 8, or 4 without arguments */
    uint32_t max_flat_workgroup_size; /* 0: 1024 */
    uint32_t sgpr_count, vgpr_count, agpr_count; /* used; 0: as allocated by the descriptor */
    uint32_t reqd_workgroup_size[3];  /* all 0: none */
    const char *language;             /* NULL: not told */
};
/* Adds code, descriptor, both symbols, the descriptor's relocation and (amdhsa)
 * the kernel's metadata.  A linked object gets code and descriptor in a new
 * section, .text.added; INVALID when it has no dynamic symbols.  The metadata of all kernels is written at finish
 * unless codeobj_builder_metadata_* was called. */
CODEOBJ_API enum codeobj_status codeobj_builder_kernel_add(struct codeobj_builder *builder,
                                                           const struct codeobj_builder_kernel *kernel,
                                                           struct codeobj_diag *diag);

/* The object; *out: owned, free with free().  The builder can be changed and finished again. */
CODEOBJ_API enum codeobj_status codeobj_builder_finish(struct codeobj_builder *builder, void **out, size_t *size,
                                                       struct codeobj_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT
 *
 * codeobj/load.h - a linked object as a memory image.
 *
 * The image is what a runtime's loader makes: the PT_LOAD segments laid out as
 * one block, dynamic relocations applied for a given load address.
 *
 * Source: System V ABI, program loading and dynamic linking; LLVM's User Guide
 * for AMDGPU Backend, Relocation Records.
 */
#ifndef CODEOBJ_LOAD_H
#define CODEOBJ_LOAD_H

#include <codeobj/elf.h>

#ifdef __cplusplus
extern "C" {
#endif

struct codeobj_image; /* immutable after load, but for codeobj_image_bytes_mutable users */

struct codeobj_load_options {
    size_t size;      /* sizeof(struct codeobj_load_options) */
    uint64_t base;    /* address of the image's first byte, a multiple of codeobj_load_extent()'s alignment; INVALID when
                         it is not or the image reaches past 2^64 */
    /* Address of an undefined symbol; false: not known, the load fails and says the name.  May be NULL. */
    bool (*resolve)(void *user, const char *name, uint64_t *addr);
    void *user;
};

/* Bytes of memory the segments of elf span and their alignment.  UNSUPPORTED
 * for ET_REL ("relocatable: link it first"), MALFORMED for overlapping
 * segments or an extent over CODEOBJ_LOAD_MAX. */
#define CODEOBJ_LOAD_MAX ((uint64_t)1 << 32)
CODEOBJ_API enum codeobj_status codeobj_load_extent(const struct codeobj_elf *elf, uint64_t *size, uint64_t *alignment,
                                                    struct codeobj_diag *diag);

/* elf must outlive the image.  *out: owned, free with codeobj_image_free. */
CODEOBJ_API enum codeobj_status codeobj_image_load(const struct codeobj_elf *elf,
                                                   const struct codeobj_load_options *options,
                                                   struct codeobj_image **out, struct codeobj_diag *diag);
CODEOBJ_API void codeobj_image_free(struct codeobj_image *image);

CODEOBJ_API const struct codeobj_elf *codeobj_image_elf(const struct codeobj_image *image);
CODEOBJ_API uint64_t codeobj_image_base(const struct codeobj_image *image);
/* The image's bytes, relocated; borrowed until free. */
CODEOBJ_API const void *codeobj_image_bytes(const struct codeobj_image *image, size_t *size);

/* An ELF virtual address as a loaded address. */
CODEOBJ_API uint64_t codeobj_image_address(const struct codeobj_image *image, uint64_t vaddr);

struct codeobj_image_segment {
    uint64_t addr, size; /* loaded address, memsz */
    uint32_t flags;      /* PF_R 4, PF_W 2, PF_X 1 */
};
CODEOBJ_API size_t codeobj_image_segment_count(const struct codeobj_image *image);
CODEOBJ_API enum codeobj_status codeobj_image_segment(const struct codeobj_image *image, size_t idx,
                                                      struct codeobj_image_segment *out);

/* Loaded address and size of a defined symbol (.dynsym, then .symtab). */
CODEOBJ_API enum codeobj_status codeobj_image_symbol(const struct codeobj_image *image, const char *name,
                                                     uint64_t *addr, uint64_t *size);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT
 *
 * elf/elf.h - what an open object is made of.  Private to the room.
 *
 * Everything in here was checked by elf/open.c and elf/check.c: a section whose
 * `bytes` span is not empty lies inside the file, a table that is `present` has
 * whole entries, string tables end in NUL.  The getters rely on that alone.
 */
#ifndef CO_ELF_ELF_H
#define CO_ELF_ELF_H

#include <stdatomic.h>

#include <codeobj/elf.h>

#include "base/arena.h"
#include "base/span.h"

/* Constants of the gABI and of AMDGPU that <elf.h> lacks or that differ. */
enum {
    CO_EM_AMDGPU = 224,
    CO_OSABI_AMDHSA = 64,
    CO_OSABI_AMDPAL = 65,
    CO_OSABI_MESA3D = 66,
    CO_STT_AMDGPU_HSA_KERNEL = 10,
};

struct codeobj_pool {
    struct co_arena arena;
};

/* A symbol table: entries, their names, and section indices that did not fit in 16 bits. */
struct co_symtab {
    bool present, dynamic;
    uint32_t section_idx; /* 0: found through the dynamic section */
    size_t count;
    struct co_span entries, names, xindex;
};

/* Names to indices, and the kernels among the symbols: built on first use. */
struct co_symbol_index;
struct co_kernel_list;

struct codeobj_elf {
    struct co_span bytes;
    struct co_arena own, *arena; /* what the handle takes: of its own, or of a pool, and then the handle itself too */
    char *name;
    void *mapped;     /* munmap this */
    size_t mapped_size;
    void *read;       /* free this */
    bool is32, lenient;
    struct codeobj_elf_header header;

    size_t segment_count;
    struct codeobj_elf_segment *segments;
    struct co_span *segment_bytes;

    size_t section_count;
    struct codeobj_elf_section *sections;
    struct co_span *section_bytes;

    struct co_symtab symtabs[2];

    size_t dynamic_count;
    struct co_span dynamic; /* dynamic_count entries */
    struct co_span dynamic_strings; /* DT_STRTAB, DT_STRSZ bytes; empty if not in a loaded segment */

    size_t note_count, note_cap;
    struct codeobj_elf_note *notes;

    size_t finding_count, finding_cap;
    struct codeobj_diag *findings;

    struct codeobj_target target;

    _Atomic(struct co_symbol_index *) index[2];
    _Atomic(struct co_kernel_list *) kernels;
};

/* A problem in the file: kept as a finding when the open is lenient (returns OK
 * and the caller treats the thing as absent), else fills diag and returns MALFORMED. */
enum codeobj_status co_elf_problem(struct codeobj_elf *elf, struct codeobj_diag *diag, const char *section,
                                   uint64_t offset, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The stages of open, in order; see elf/open.c. */
enum codeobj_status co_elf_check_symbols(struct codeobj_elf *elf, struct codeobj_diag *diag);
enum codeobj_status co_elf_check_relocations(struct codeobj_elf *elf, struct codeobj_diag *diag);
enum codeobj_status co_elf_check_groups(struct codeobj_elf *elf, struct codeobj_diag *diag);
enum codeobj_status co_elf_read_dynamic(struct codeobj_elf *elf, struct codeobj_diag *diag);
enum codeobj_status co_elf_read_notes(struct codeobj_elf *elf, struct codeobj_diag *diag);
void co_elf_find_target(struct codeobj_elf *elf);

void co_elf_free_indexes(struct codeobj_elf *elf);

/* File bytes behind a virtual address, through PT_LOAD: count of them, or false. */
bool co_elf_at_address(const struct codeobj_elf *elf, uint64_t addr, uint64_t count, struct co_span *out);
/* File bytes from a virtual address to the end of its segment's file part; false when there are none. */
bool co_elf_from_address(const struct codeobj_elf *elf, uint64_t addr, struct co_span *out);

/* Sizes of table entries, by class. */
static inline size_t co_symbol_size(const struct codeobj_elf *elf) { return elf->is32 ? 16 : 24; }
static inline size_t co_rel_size(const struct codeobj_elf *elf) { return elf->is32 ? 8 : 16; }
static inline size_t co_rela_size(const struct codeobj_elf *elf) { return elf->is32 ? 12 : 24; }
static inline size_t co_dyn_size(const struct codeobj_elf *elf) { return elf->is32 ? 8 : 16; }

/* A word of the class's width at p. */
static inline uint64_t co_load_word(const struct codeobj_elf *elf, const uint8_t *p)
{
    return elf->is32 ? co_load32(p) : co_load64(p);
}

#endif

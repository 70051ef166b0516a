/* SPDX-License-Identifier: MIT
 *
 * elf/write.h - a layout in the making; shared by write.c and write_dynamic.c.
 */
#ifndef CO_ELF_WRITE_H
#define CO_ELF_WRITE_H

#include "elf/builder.h"

struct plan {
    struct codeobj_builder *b;
    struct co_buffer *out;
    struct codeobj_diag *diag;
    uint32_t *section_map, *symbol_map; /* builder's index to final one */
    uint32_t *dynamic_map; /* index in the opened .dynsym to the final one; NULL: as it was */
    uint32_t dynamic_count; /* of the opened .dynsym */
    uint32_t *dynamic_order; /* final .dynsym: builder's symbols; NULL: as it was */
    uint32_t dynamic_size;
    uint32_t section_count, symbol_count, first_global;
    unsigned misplaced; /* patches that had no place */
    bool changed; /* symbol and name tables are made anew, indices move */
    struct codeobj_elf_segment *segments;
    size_t segment_count;
    uint64_t phoff, shoff;
    struct co_buffer names; /* sh_name values, one word per builder section */
};

/* Takes the place of a section's bytes; data becomes the section's. */
void co_plan_replace(struct co_bsection *s, struct co_buffer data);

/* Writes over bytes that are laid out already; that there are none fails the whole. */
void co_plan_patch(struct plan *p, uint64_t offset, const void *data, size_t size);

void co_encode_symbol(bool is32, uint8_t *at, uint32_t name, uint16_t shndx, const struct codeobj_elf_symbol *symbol);

/* write_dynamic.c: .dynsym, its strings, hash tables and versions from the builder's symbols. */
enum codeobj_status co_plan_dynamic_symbols(struct plan *p);
/* After layout: .dynamic leads to where its tables are now. */
void co_plan_dynamic_tags(struct plan *p);
/* builder_dynamic.c, after layout: the dynamic relocations that were added, and the tags for them. */
enum codeobj_status co_plan_dynamic_relocations(struct plan *p);
/* After layout: the address of a symbol.  False when it has none in this object. */
bool co_plan_symbol_address(const struct plan *p, const struct codeobj_elf_symbol *symbol, uint64_t *addr);
/* After layout: symbols of added sections get their addresses. */
void co_plan_added_addresses(struct plan *p);

#endif

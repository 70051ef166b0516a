/* SPDX-License-Identifier: MIT
 *
 * elf/builder.h - what a builder holds; shared by builder.c, write.c and the
 * kernel room, which adds kernels.
 */
#ifndef CO_ELF_BUILDER_H
#define CO_ELF_BUILDER_H

#include <codeobj/builder.h>

#include <elf.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/span.h"

struct co_bsection {
    struct codeobj_elf_section header; /* name: in the arena; size: of NOBITS */
    struct co_span stored;             /* bytes of the opened object ... */
    struct co_buffer data;             /* ... or own ones, when `owned` */
    uint32_t relocations; /* the section of this one's relocations, once looked for; 0: not yet */
    bool owned, removed, resized;
    bool moved, added; /* of a linked object: goes to a new segment, because it outgrew its place or is new */
};

/* Which tables a symbol is in. */
struct co_bsymbol_state {
    bool removed, in_symtab, in_dynsym;
    uint32_t dynamic; /* its index in the opened object's .dynsym; 0: it was not there */
};

/* A dynamic relocation that was added to a linked object; what it says is settled when addresses are known. */
struct co_bdynamic_relocation {
    struct codeobj_elf_relocation r; /* offset: from the section's start; symbol: the builder's */
    uint32_t section;
    size_t entry; /* where in the section of dynamic relocations */
};

struct codeobj_builder {
    struct co_arena arena;
    const struct codeobj_elf *elf; /* NULL: new */
    struct codeobj_elf_header header;
    bool is32, rela;
    bool link; /* ET_DYN asked of a new object */

    struct co_bsection *sections; /* [0] is SHN_UNDEF */
    uint32_t section_count, section_cap;
    uint32_t symtab, strtab, shstrtab, xindex; /* their sections, 0: none yet */
    uint32_t dynsym; /* of a linked object with section headers; 0: none */

    struct co_bdynamic_relocation *dynamic_relocations; /* added ones */
    size_t dynamic_relocation_count, dynamic_relocation_cap;
    uint32_t rela_dyn; /* the section they go to; 0: none asked for yet */
    bool has_new_tags;   /* those that lead to it were added to .dynamic ... */
    size_t new_tags;     /* ... at this offset */

    struct codeobj_elf_symbol *symbols; /* [0] is the null symbol */
    struct co_bsymbol_state *symbol_states;
    uint32_t symbol_count, symbol_cap;
    bool symbols_changed, sections_changed, dynamic_changed;

    struct codeobj_elf_segment *segments;
    size_t segment_count;

    bool metadata_set;
    /* Kernels whose metadata is still to be written, and who writes it. */
    void *kernels;
    enum codeobj_status (*before_finish)(struct codeobj_builder *builder, struct codeobj_diag *diag);
};

static inline struct co_span co_bsection_bytes(const struct co_bsection *s)
{
    return s->owned ? co_span_make(s->data.data, s->data.size) : s->stored;
}

/* Does a segment fix the place of this section? */
static inline bool co_bsection_is_placed(const struct codeobj_builder *b, const struct co_bsection *s)
{
    return b->segment_count && (s->header.flags & SHF_ALLOC) && !s->moved && !s->added;
}

static inline bool co_bsection_is_relocations(const struct co_bsection *s)
{
    return s->header.type == SHT_RELA || s->header.type == SHT_REL;
}

/* Makes the bytes the builder's own, to be changed. */
bool co_bsection_own(struct co_bsection *s);

/* builder_dynamic.c: codeobj_builder_relocation_add() for a linked object. */
enum codeobj_status co_builder_dynamic_relocation_add(struct codeobj_builder *builder, uint32_t section,
                                                      const struct codeobj_elf_relocation *relocation, struct codeobj_diag *diag);
/* INVALID when an added dynamic relocation applies to that section (0: any) or names that symbol (0: any). */
enum codeobj_status co_builder_dynamic_check_unused(const struct codeobj_builder *builder, uint32_t section, uint32_t symbol,
                                                    struct codeobj_diag *diag);

/* write.c: the object without linking. */
enum codeobj_status co_builder_write(struct codeobj_builder *builder, struct co_buffer *out, struct codeobj_diag *diag);

#endif

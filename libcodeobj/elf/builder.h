/* SPDX-License-Identifier: MIT
 *
 * elf/builder.h - what a builder holds; shared by builder.c, write.c and the
 * kernel room, which adds kernels.
 */
#ifndef CO_ELF_BUILDER_H
#define CO_ELF_BUILDER_H

#include <codeobj/builder.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/span.h"

struct co_bsection {
    struct codeobj_elf_section header; /* name: in the arena; size: of NOBITS */
    struct co_span stored;             /* bytes of the opened object ... */
    struct co_buffer data;             /* ... or own ones, when `owned` */
    uint32_t relocations; /* the section of this one's relocations, once looked for; 0: not yet */
    bool owned, removed, resized, moved;
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

    struct codeobj_elf_symbol *symbols; /* [0] is the null symbol */
    bool *symbol_removed;
    uint32_t symbol_count, symbol_cap;
    bool symbols_changed, sections_changed;

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

/* Makes the bytes the builder's own, to be changed. */
bool co_bsection_own(struct co_bsection *s);

/* write.c: the object without linking. */
enum codeobj_status co_builder_write(struct codeobj_builder *builder, struct co_buffer *out, struct codeobj_diag *diag);

#endif

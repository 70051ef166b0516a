/* SPDX-License-Identifier: MIT
 *
 * readobj/disassemble.h - what the files of the disassembly listing share.
 *
 * disassemble.c finds sections and symbols; disassemble_run.c hands out the work;
 * disassemble_lines.c turns a run of bytes into lines; disassemble_kernel.c writes
 * descriptors as directives; disassemble_source.c knows source lines.
 */
#ifndef READOBJ_DISASSEMBLE_H
#define READOBJ_DISASSEMBLE_H

#include "readobj.h"

/* Growing text.  After a failed allocation `failed` is set and nothing more is added. */
struct dis_text {
    char *buf;
    size_t len, room;
    bool failed;
};
char *dis_text_grow(struct dis_text *text, size_t more);
/* Room for `more` bytes (at least one) behind len; NULL when there is none. */
static inline char *dis_text_room(struct dis_text *text, size_t more)
{
    return text->room - text->len >= more ? text->buf + text->len : dis_text_grow(text, more);
}
void dis_text_add(struct dis_text *text, const char *s, size_t size);
void dis_text_printf(struct dis_text *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void dis_text_write(const struct dis_text *text, FILE *out); /* the buffer may be NULL while there is no text */

/* Appends bytes of a file, names and lines: control characters (but tabs in lines) must not reach a terminal. */
void dis_text_name(struct dis_text *text, const char *name, size_t size);
void dis_text_source(struct dis_text *text, const char *line, size_t size);

struct dis_symbol {
    uint64_t addr;
    const char *name; /* as it is shown, with -C demangled */
    uint8_t type;
    const char *stored; /* as the file has it */
};

struct dis_relocation {
    uint64_t addr;
    uint32_t type;
    const char *symbol; /* "" when there is none */
    int64_t addend;
};

struct dis_source; /* source lines, disassemble_source.c */

/* One section at work; immutable while threads read it. */
struct dis_section {
    const uint8_t *bytes;
    uint64_t addr, size;
    const struct dis_symbol *symbols; /* by address, name, type; the first one is at addr */
    size_t symbol_count;
    const struct dis_relocation *relocations; /* by address */
    size_t relocation_count;
    struct dis_source *source; /* NULL: not asked for, or no line table */
    bool no_encoding, no_addresses, explain;
};

/* Code between two symbols, [begin, end) of a section, all with one decoder.  No line
 * starts at or behind `stop`; the last one may reach past it. */
struct dis_piece {
    const struct codeobj_isa *isa;
    uint64_t begin, stop, end;
    const char *heading; /* symbol that starts here, NULL: none */
    struct codeobj_isa_state state; /* what the instructions between the symbol and `begin` leave */
};

/* Appends the listing of a piece until text has `limit` bytes or more.  What is
 * left of the piece, nothing in the end, goes to *rest, which may be the piece. */
void dis_lines(const struct dis_section *section, const struct dis_piece *piece, size_t limit, struct dis_text *text,
               struct dis_piece *rest);
/* Makes the piece begin with the first line that starts at or behind `at`, a multiple of four from where it begins.
 * Looks at a few instructions in front of it; false, and nothing is changed, when they do not prove which one that is. */
bool dis_start_at(const struct dis_section *section, struct dis_piece *piece, uint64_t at);

/* Writes the listing of pieces to out, made on so many threads.  False: out of memory. */
bool dis_run(FILE *out, unsigned threads, const struct dis_section *section, const struct dis_piece *pieces, size_t count);

/* Appends ".amdhsa_kernel NAME" ... ".end_amdhsa_kernel", or for V2 ".amd_kernel_code_t". */
void dis_kernel(const struct codeobj_kernel *kernel, const struct codeobj_elf *elf, struct dis_text *text);

/* Line table of an object; NULL when it has none. */
struct dis_source *dis_source_open(const struct ro_object *obj, bool lines, bool code);
void dis_source_free(struct dis_source *source);
/* Lines are looked up in this section from now on; source may be NULL. */
void dis_source_section(struct dis_source *source, uint32_t shndx);
/* The line that an instruction of the section comes from; file is borrowed from source.  False: none. */
bool dis_source_find(const struct dis_source *source, uint64_t addr, const char **file, int *number);
/* Appends what is to be shown in front of the instruction at addr in that function, if it begins another line. */
void dis_source_at(struct dis_source *source, uint64_t addr, const char *function, struct dis_text *text);

#endif

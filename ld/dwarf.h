/* SPDX-License-Identifier: MIT
 *
 * ld/dwarf.h - reading debug sections of objects: what dwarf.c (lines) and
 * dwarf_variables.c share.
 */
#ifndef CO_LD_DWARF_H
#define CO_LD_DWARF_H

#include "ld.h"

enum { DW_MAX_STEPS = 1 << 22 };

struct dw_reader {
    const struct ld_section *sec; /* what is read */
    const uint8_t *p, *end;
    bool bad;
    size_t steps; /* relocations looked at: each operand searches, and a made-up table has many of both */
};

static inline uint64_t dw_fixed(struct dw_reader *r, unsigned n)
{
    uint64_t v = 0;
    if ((size_t)(r->end - r->p) < n) {
        r->bad = true;
        r->p = r->end;
        return 0;
    }
    for (unsigned i = 0; i < n; i++)
        v |= (uint64_t)r->p[i] << (8 * i);
    r->p += n;
    return v;
}

/* The length a unit begins with: where the unit ends, NULL if not in the section; word: size of its offsets. */
static inline const uint8_t *dw_unit_end(struct dw_reader *r, unsigned *word)
{
    uint64_t length = dw_fixed(r, 4);
    *word = 4;
    if (length == 0xffffffff) {
        length = dw_fixed(r, 8);
        *word = 8;
    }
    return r->bad || length > (uint64_t)(r->end - r->p) ? NULL : r->p + length;
}

static inline uint64_t dw_uleb(struct dw_reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t b = (uint8_t)dw_fixed(r, 1);
        if (shift < 64)
            v |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80) || r->bad)
            return v;
    }
}

static inline int64_t dw_sleb(struct dw_reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0;;) {
        uint8_t b = (uint8_t)dw_fixed(r, 1);
        if (shift < 64)
            v |= (uint64_t)(b & 0x7f) << shift;
        shift += 7;
        if ((b & 0x80) && !r->bad)
            continue;
        if (shift < 64 && (b & 0x40))
            v |= ~0ull << shift;
        return (int64_t)v;
    }
}

static inline const char *dw_text(struct dw_reader *r)
{
    const char *s = (const char *)r->p;
    const uint8_t *z = memchr(r->p, 0, (size_t)(r->end - r->p));
    if (!z) {
        r->bad = true;
        return "";
    }
    r->p = z + 1;
    return s;
}

/* The relocation of the operand at p. */
bool co_ld_dw_relocated(struct ld *ld, struct dw_reader *r, const uint8_t *p, struct ld_reloc *out);
/* The string at an offset of a section, or "". */
const char *co_ld_dw_string(const struct ld_file *f, const char *section, uint64_t off);
/* "u.cl:3 (/path/u.cl:3)" for a line of a file in the line table at an offset of .debug_line; or NULL. */
const char *co_ld_dw_place(struct ld *ld, const struct ld_file *f, uint64_t line_table, uint64_t file, uint64_t line);

#endif

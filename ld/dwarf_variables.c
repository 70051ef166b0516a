/* SPDX-License-Identifier: MIT
 *
 * ld/dwarf_variables.c - where a variable is declared, for messages.
 *
 * Variables are not in the line table: .debug_info has their names, files and
 * lines (DWARF 2 to 5; tags, attributes and forms of section 7.5 of DWARF 5).
 * Units are gone through entry by entry; what is not understood ends the unit.
 */
#include "dwarf.h"

enum { TAG_VARIABLE = 0x34, AT_NAME = 3, AT_STMT_LIST = 0x10, AT_DECL_FILE = 0x3a, AT_DECL_LINE = 0x3b, AT_EXTERNAL = 0x3f,
       AT_LINKAGE_NAME = 0x6e, AT_STR_OFFSETS_BASE = 0x72 };
enum { FORM_STRING = 8, FORM_STRP = 0x0e, FORM_INDIRECT = 0x16, FORM_STRX = 0x1a, FORM_LINE_STRP = 0x1f,
       FORM_IMPLICIT_CONST = 0x21, FORM_STRX1 = 0x25, FORM_STRX4 = 0x28 };

struct abbreviation {
    uint64_t code, tag;
    const uint8_t *attributes;
};

struct unit {
    unsigned version, word, address;
    const uint8_t *end, *abbrev_end;
    VEC(struct abbreviation) abbrevs;
    uint64_t line_table, str_offsets;
};

/* An attribute's value: a number, or a string. */
struct value {
    uint64_t number;
    const char *string;
};

/* Forms that are so many bytes wide, +1; the rest is looked at below. */
static const uint8_t widths[] = { [0x05] = 3, [0x06] = 5, [0x07] = 9, [0x0b] = 2, [0x0c] = 2, [0x11] = 2, [0x12] = 3,
                                  [0x13] = 5, [0x14] = 9, [0x19] = 1, [0x1c] = 5, [0x20] = 9, [0x24] = 9, [0x25] = 2,
                                  [0x26] = 3, [0x27] = 4, [0x28] = 5, [0x29] = 2, [0x2a] = 3, [0x2b] = 4, [0x2c] = 5 };

static uint64_t operand(struct ld *ld, struct dw_reader *r, unsigned size)
{
    const uint8_t *at = r->p;
    struct ld_reloc rel;
    uint64_t v = dw_fixed(r, size);
    return !r->bad && co_ld_dw_relocated(ld, r, at, &rel) ? rel.sym->value + (uint64_t)rel.addend : v;
}

static void skip(struct dw_reader *r, uint64_t n)
{
    if (n > (uint64_t)(r->end - r->p)) {
        r->bad = true;
        r->p = r->end;
    } else {
        r->p += n;
    }
}

static const char *indexed_string(struct ld *ld, struct dw_reader *r, const struct unit *u, uint64_t idx)
{
    const struct ld_file *f = r->sec->file;
    for (size_t i = 1; i < f->section_count; i++) {
        const struct ld_section *d = f->sections[i];
        if (strcmp(d->name, ".debug_str_offsets") || !d->data || (d->flags & SHF_COMPRESSED))
            continue;
        if (idx > d->size / u->word || u->str_offsets > d->size - idx * u->word)
            return "";
        struct dw_reader o = { .sec = d, .p = d->data + u->str_offsets + idx * u->word, .end = d->data + d->size,
                               .steps = r->steps };
        uint64_t off = operand(ld, &o, u->word);
        r->steps = o.steps;
        return o.bad ? "" : co_ld_dw_string(f, ".debug_str", off);
    }
    return "";
}

/* want: the value is needed; else it is only passed over, which looks up no relocation. */
static struct value form_value(struct ld *ld, struct dw_reader *r, const struct unit *u, uint64_t form, bool want)
{
    struct value v = { 0 };
    if (form == FORM_INDIRECT)
        form = dw_uleb(r);
    if (form < sizeof widths && widths[form]) {
        v.number = dw_fixed(r, widths[form] - 1u);
        if (want && form >= FORM_STRX1 && form <= FORM_STRX4)
            v.string = indexed_string(ld, r, u, v.number);
        return v;
    }
    switch (form) {
    case FORM_STRING: v.string = dw_text(r); break;
    case FORM_STRP:
    case FORM_LINE_STRP:
        v.number = want ? operand(ld, r, u->word) : dw_fixed(r, u->word);
        if (want)
            v.string = co_ld_dw_string(r->sec->file, form == FORM_STRP ? ".debug_str" : ".debug_line_str", v.number);
        break;
    case 0x10: /* ref_addr */
    case 0x17: /* sec_offset */
    case 0x1d: v.number = want ? operand(ld, r, u->word) : dw_fixed(r, u->word); break;
    case 0x01: dw_fixed(r, u->address); break;
    case 0x03: skip(r, dw_fixed(r, 2)); break;
    case 0x04: skip(r, dw_fixed(r, 4)); break;
    case 0x0a: skip(r, dw_fixed(r, 1)); break;
    case 0x09:
    case 0x18: skip(r, dw_uleb(r)); break;
    case 0x0d: v.number = (uint64_t)dw_sleb(r); break;
    case FORM_STRX:
        v.number = dw_uleb(r);
        if (want)
            v.string = indexed_string(ld, r, u, v.number);
        break;
    case 0x0f:
    case 0x15:
    case 0x1b:
    case 0x22:
    case 0x23: v.number = dw_uleb(r); break;
    case 0x1e: skip(r, 16); break;
    default: r->bad = true; break;
    }
    return v;
}

static void read_abbreviations(struct ld *ld, struct dw_reader *r, struct unit *u, uint64_t off)
{
    const struct ld_file *f = r->sec->file;
    for (size_t i = 1; i < f->section_count; i++) {
        const struct ld_section *d = f->sections[i];
        if (strcmp(d->name, ".debug_abbrev") || !d->data || (d->flags & SHF_COMPRESSED) || off >= d->size)
            continue;
        struct dw_reader a = { .sec = d, .p = d->data + off, .end = d->data + d->size };
        u->abbrev_end = a.end;
        while (!a.bad && a.p < a.end) {
            struct abbreviation n = { .code = dw_uleb(&a), .tag = dw_uleb(&a) };
            if (!n.code)
                return;
            dw_fixed(&a, 1); /* has children */
            n.attributes = a.p;
            *PUSH(ld, u->abbrevs) = n;
            for (uint64_t name = 1, form = 1; (name || form) && !a.bad;) {
                name = dw_uleb(&a);
                form = dw_uleb(&a);
                if (form == FORM_IMPLICIT_CONST)
                    dw_sleb(&a);
            }
        }
        return;
    }
}

/* Compilers number them from 1 on. */
static const struct abbreviation *abbreviation(struct dw_reader *r, const struct unit *u, uint64_t code)
{
    if (code && code <= u->abbrevs.count && u->abbrevs.items[code - 1].code == code)
        return &u->abbrevs.items[code - 1];
    EACH(i, u->abbrevs) {
        if (++r->steps > DW_MAX_STEPS)
            break;
        if (u->abbrevs.items[i].code == code)
            return &u->abbrevs.items[i];
    }
    return NULL;
}

static bool header(struct ld *ld, struct dw_reader *r, struct unit *u)
{
    uint64_t type = 1, abbrevs;
    u->end = dw_unit_end(r, &u->word);
    if (!u->end)
        return false;
    u->version = (unsigned)dw_fixed(r, 2);
    u->str_offsets = u->word == 8 ? 16 : 8;
    if (u->version == 5) {
        type = dw_fixed(r, 1);
        u->address = (unsigned)dw_fixed(r, 1);
        abbrevs = operand(ld, r, u->word);
    } else {
        abbrevs = operand(ld, r, u->word);
        u->address = (unsigned)dw_fixed(r, 1);
    }
    if (type == 4 || type == 5)
        dw_fixed(r, 8); /* of a split unit */
    if (r->bad || u->version < 2 || u->version > 5 || u->address > 8 || type == 2 || type == 6) {
        u->abbrevs.count = 0;
        return true;
    }
    read_abbreviations(ld, r, u, abbrevs);
    return true;
}

struct entry {
    const char *name, *linkage_name;
    uint64_t file, line;
    bool external;
};

/* One entry's attributes; the first entry of a unit says where its tables are. */
static struct entry read_entry(struct ld *ld, struct dw_reader *r, struct unit *u, const struct abbreviation *a, bool first)
{
    struct entry e = { 0 };
    struct dw_reader at = { .p = a->attributes, .end = u->abbrev_end };
    bool variable = a->tag == TAG_VARIABLE;
    while (!r->bad && !at.bad) {
        uint64_t name = dw_uleb(&at), form = dw_uleb(&at);
        if (!name && !form)
            break;
        bool of_unit = first && (name == AT_STMT_LIST || name == AT_STR_OFFSETS_BASE);
        bool of_variable = variable && (name == AT_NAME || name == AT_LINKAGE_NAME || name == AT_DECL_FILE ||
                                        name == AT_DECL_LINE || name == AT_EXTERNAL);
        struct value v;
        if (form == FORM_IMPLICIT_CONST)
            v = (struct value){ .number = (uint64_t)dw_sleb(&at) };
        else
            v = form_value(ld, r, u, form, of_unit || of_variable);
        if (of_unit)
            *(name == AT_STMT_LIST ? &u->line_table : &u->str_offsets) = v.number;
        switch (of_variable ? name : 0) {
        case AT_NAME: e.name = v.string; break;
        case AT_LINKAGE_NAME: e.linkage_name = v.string; break;
        case AT_DECL_FILE: e.file = v.number; break;
        case AT_DECL_LINE: e.line = v.number; break;
        case AT_EXTERNAL: e.external = form == 0x19 || v.number; break;
        default: break;
        }
    }
    return e;
}

static const char *search_unit(struct ld *ld, struct dw_reader *r, struct unit *u, const char *wanted)
{
    bool first = true;
    while (r->p < u->end && !r->bad && ++r->steps <= DW_MAX_STEPS) {
        uint64_t code = dw_uleb(r);
        const struct abbreviation *a = code ? abbreviation(r, u, code) : NULL;
        if (code && !a)
            return NULL;
        if (!a)
            continue;
        struct entry e = read_entry(ld, r, u, a, first);
        const char *name = e.linkage_name && *e.linkage_name ? e.linkage_name : e.name;
        first = false;
        if (e.external && e.line && name && !strcmp(name, wanted))
            return co_ld_dw_place(ld, r->sec->file, u->line_table, e.file, e.line);
    }
    return NULL;
}

const char *co_ld_variable_line(struct ld *ld, const struct ld_file *f, const char *name)
{
    for (size_t i = 1; f && i < f->section_count; i++) {
        const struct ld_section *d = f->sections[i];
        if (strcmp(d->name, ".debug_info") || !d->data || (d->flags & SHF_COMPRESSED))
            continue;
        struct dw_reader r = { .sec = d, .p = d->data, .end = d->data + d->size };
        while (r.p < r.end && r.steps <= DW_MAX_STEPS) {
            struct unit u = { 0 };
            if (!header(ld, &r, &u))
                break;
            const char *place = search_unit(ld, &r, &u, name);
            if (place)
                return place;
            r.p = u.end;
            r.bad = false;
        }
    }
    return NULL;
}

/* SPDX-License-Identifier: MIT
 *
 * bundle/host_elf.c - sections of host ELF files, of either class and byte order.
 *
 * Source: System V ABI (gABI).
 */
#include "bundle/host.h"

#include <inttypes.h>

enum { SHT_PROGBITS = 1, SHT_RELA = 4, SHT_NOBITS = 8, SHT_REL = 9, SHT_SYMTAB_SHNDX = 18, SHF_ALLOC = 2, SHF_EXECINSTR = 4,
       SHN_LORESERVE = 0xff00, SHN_XINDEX = 0xffff, ET_REL = 1 };

struct elf {
    struct co_walk *w;
    const struct co_place *place;
    struct co_span s;
    bool wide, big;
    uint64_t shoff, entsize, count;
    struct co_span names;
};

static uint64_t number_in(const struct elf *e, struct co_span s, uint64_t off, unsigned size)
{
    uint64_t v = 0;
    if (!co_span_has(s, off, size))
        return 0;
    for (unsigned i = 0; i < size; i++)
        v |= (uint64_t)s.data[off + i] << 8 * (e->big ? size - 1 - i : i);
    return v;
}

static uint64_t number(const struct elf *e, uint64_t off, unsigned size) { return number_in(e, e->s, off, size); }

struct section {
    uint64_t name, type, flags, addr, offset, size, link, info;
};

static struct section section_at(const struct elf *e, uint64_t idx)
{
    uint64_t at = e->shoff + idx * e->entsize;
    struct section x = { .name = number(e, at, 4), .type = number(e, at + 4, 4) };
    unsigned word = e->wide ? 8 : 4;
    x.flags = number(e, at + 8, word);
    x.addr = number(e, at + 8 + word, word);
    x.offset = number(e, at + 8 + 2 * word, word);
    x.size = number(e, at + 8 + 3 * word, word);
    x.link = number(e, at + 8 + 4 * word, 4);
    x.info = number(e, at + 12 + 4 * word, 4);
    return x;
}

static bool section_bytes(const struct elf *e, const struct section *x, struct co_span *out)
{
    return x->type != 0 && x->type != SHT_NOBITS && co_span_sub(e->s, x->offset, x->size, out);
}

static const char *section_name(const struct elf *e, const struct section *x)
{
    const char *name = co_span_str(e->names, x->name);
    return name ? name : "";
}

/* ---- where wrappers lead ---- */

static void lead_into(const struct elf *e, struct co_wrapper *wrapper, uint64_t idx, uint64_t off)
{
    struct co_span bytes;
    if (idx == 0 || idx >= e->count)
        return;
    struct section x = section_at(e, idx);
    const char *name = section_name(e, &x);
    if (section_bytes(e, &x, &bytes))
        co_wrapper_lead(wrapper, bytes, name, strlen(name), off);
}

static void lead_to_address(const struct elf *e, struct co_wrapper *wrapper, uint64_t addr)
{
    for (uint64_t i = 1; co_walk_charge(e->w, e->place, 1) && i < e->count; i++) {
        struct section x = section_at(e, i);
        if ((x.flags & SHF_ALLOC) && addr >= x.addr && addr - x.addr < x.size) {
            lead_into(e, wrapper, i, addr - x.addr);
            return;
        }
    }
}

/* The section of symbol `idx`, with large indices resolved. */
static uint64_t symbol_section(const struct elf *e, uint64_t symtab, uint64_t idx, uint64_t shndx)
{
    struct co_span bytes;
    if (shndx != SHN_XINDEX)
        return shndx < SHN_LORESERVE ? shndx : 0;
    for (uint64_t i = 1; co_walk_charge(e->w, e->place, 1) && i < e->count; i++) {
        struct section x = section_at(e, i);
        if (x.type == SHT_SYMTAB_SHNDX && x.link == symtab && section_bytes(e, &x, &bytes))
            return number_in(e, bytes, idx * 4, 4);
    }
    return 0;
}

static void lead_by_symbol(const struct elf *e, struct co_wrapper *wrapper, uint64_t symtab, uint64_t idx, uint64_t addend,
                           bool relocatable)
{
    struct co_span symbols, strings;
    uint64_t entry = e->wide ? 24 : 16;
    if (symtab == 0 || symtab >= e->count)
        return;
    struct section table = section_at(e, symtab);
    if (!section_bytes(e, &table, &symbols) || idx >= symbols.size / entry)
        return;
    uint64_t at = idx * entry, value = e->wide ? number_in(e, symbols, at + 8, 8) : number_in(e, symbols, at + 4, 4);
    uint64_t shndx = symbol_section(e, symtab, idx, number_in(e, symbols, at + (e->wide ? 6 : 14), 2));
    if (shndx && relocatable) {
        lead_into(e, wrapper, shndx, value + addend);
    } else if (shndx) {
        lead_to_address(e, wrapper, value + addend);
    } else if (table.link < e->count) {
        struct section strtab = section_at(e, table.link);
        const char *name = section_bytes(e, &strtab, &strings) ? co_span_str(strings, number_in(e, symbols, at, 4)) : NULL;
        wrapper->symbol = name ? name : "";
        wrapper->symbol_size = strlen(wrapper->symbol);
    }
}

/* One table of relocations, `r`, for the wrappers of section `x`. */
static void apply_relocations(const struct elf *e, const struct section *r, const struct section *x, bool relocatable,
                              struct co_wrappers *wrappers)
{
    struct co_span bytes;
    unsigned word = e->wide ? 8 : 4;
    bool rela = r->type == SHT_RELA;
    uint64_t entry = (rela ? 3 : 2) * word, base = relocatable ? 0 : x->addr;
    if (!section_bytes(e, r, &bytes))
        return;
    for (uint64_t at = 0; at + entry <= bytes.size; at += entry) {
        uint64_t off = number_in(e, bytes, at, word) - base;
        struct co_wrapper *wrapper = off < x->size ? co_wrapper_at(wrappers, off) : NULL;
        if (!wrapper || wrapper->is_relocated)
            continue;
        uint64_t info = number_in(e, bytes, at + word, word), symbol = e->wide ? info >> 32 : info >> 8;
        uint64_t addend = rela ? number_in(e, bytes, at + 2 * word, word) : wrapper->pointer;
        wrapper->is_relocated = true;
        if (symbol)
            lead_by_symbol(e, wrapper, r->link, symbol, addend, relocatable);
        else
            lead_to_address(e, wrapper, addend);
    }
}

static void wrapper_section(struct co_walk *w, const struct co_place *place, const struct elf *e, uint64_t idx,
                            const struct section *x, struct co_span bytes)
{
    struct co_wrappers wrappers;
    bool relocatable = number(e, 16, 2) == ET_REL;
    const char *name = section_name(e, x);
    if (!co_wrappers_read(w, place, bytes, e->wide ? 8 : 4, e->big, &wrappers))
        return;
    for (uint64_t i = 1; co_walk_charge(w, place, 1) && i < e->count; i++) {
        struct section r = section_at(e, i);
        if ((r.type != SHT_RELA && r.type != SHT_REL) || (relocatable ? r.info != idx : !(r.flags & SHF_ALLOC)))
            continue;
        if (!co_walk_charge(w, place, r.size < e->s.size ? r.size : e->s.size))
            break;
        apply_relocations(e, &r, x, relocatable, &wrappers);
    }
    for (size_t i = 0; !relocatable && i < wrappers.count; i++)
        if (!wrappers.items[i].is_relocated) /* an executable that is not moved, or SHT_RELR, whose addends are in place */
            lead_to_address(e, &wrappers.items[i], wrappers.items[i].pointer);
    co_wrappers_visit(w, place, bytes, name, strlen(name), &wrappers);
}

/* ---- all sections ---- */

static void elf_section(struct co_walk *w, const struct co_place *place, const struct elf *e, uint64_t idx)
{
    struct section x = section_at(e, idx);
    struct co_span bytes;
    const char *name = section_name(e, &x);
    if (x.type == 0 || x.type == SHT_NOBITS || x.size == 0)
        return;
    if (!co_span_sub(e->s, x.offset, x.size, &bytes)) {
        /* Only sections that may hold something of ours are of interest. */
        if (x.type == SHT_PROGBITS)
            co_walk_finding(w, place, CODEOBJ_MALFORMED, NULL,
                            "section '%.64s': found offset 0x%" PRIx64 " and size 0x%" PRIx64 ", the file has 0x%zx bytes", name,
                            x.offset, x.size, e->s.size);
        return;
    }
    bool is_data = x.type == SHT_PROGBITS && (x.flags & SHF_ALLOC) && !(x.flags & SHF_EXECINSTR);
    if (co_is_wrapper_section(name, strlen(name)))
        wrapper_section(w, place, e, idx, &x, bytes);
    else
        co_host_section(w, place, bytes, name, strlen(name), is_data);
}

void co_enter_host_elf(struct co_walk *w, const struct co_place *place, struct co_span s)
{
    struct elf e = { .w = w, .place = place, .s = s, .wide = s.data[4] == 2, .big = s.data[5] == 2 };
    unsigned header = e.wide ? 64 : 52;
    e.shoff = number(&e, e.wide ? 40 : 32, e.wide ? 8 : 4);
    e.entsize = number(&e, header - 6, 2);
    e.count = number(&e, header - 4, 2);
    uint64_t names_idx = number(&e, header - 2, 2);
    if (s.size < header || e.shoff == 0) {
        co_enter_raw(w, place, s, false); /* stripped of its section table */
        return;
    }
    if (e.entsize < (e.wide ? 64u : 40u) || !co_span_has(s, e.shoff, e.entsize)) {
        co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data, "section headers: found offset 0x%" PRIx64 " and entry size %" PRIu64
                        ", the file has 0x%zx bytes", e.shoff, e.entsize, s.size);
        return;
    }
    struct section zero = section_at(&e, 0);
    if (e.count == 0)
        e.count = zero.size;
    if (names_idx == SHN_XINDEX)
        names_idx = zero.link;
    uint64_t room = (s.size - e.shoff) / e.entsize;
    if (e.count > room) {
        co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data + e.shoff, "section headers: found %" PRIu64 ", the file has room for %" PRIu64,
                        e.count, room);
        e.count = room;
    }
    if (names_idx < e.count) {
        struct section x = section_at(&e, names_idx);
        co_span_sub(s, x.offset, x.size, &e.names);
    }
    for (uint64_t i = 1; i < e.count && !w->stopped; i++)
        elf_section(w, place, &e, i);
}

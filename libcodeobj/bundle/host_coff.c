/* SPDX-License-Identifier: MIT
 *
 * bundle/host_coff.c - sections of host PE files and COFF objects.
 *
 * Source: Microsoft's PE Format; for objects with more than 65,279 sections
 * (/bigobj) ANON_OBJECT_HEADER_BIGOBJ of winnt.h: u16 0, u16 0xffff, u16
 * version 2, u16 machine, u32 time, a class ID, 4 x u32, then u32 sections, u32
 * symbol table, u32 symbols.  Its symbols take 20 bytes, not 18.
 */
#include "bundle/host.h"

#include <inttypes.h>

enum { COFF_HEADER = 20, BIG_HEADER = 56, COFF_SECTION = 40, COFF_RELOCATION = 10, CNT_CODE = 0x20, CNT_INITIALIZED_DATA = 0x40 };

static const uint8_t bigobj_class[16] = { 0xc7, 0xa1, 0xba, 0xd1, 0xee, 0xba, 0xa9, 0x4b,
                                          0xaf, 0x20, 0xfa, 0xf6, 0x6a, 0xa4, 0xdc, 0xb8 };

struct coff {
    struct co_span s, symbols, strings;
    bool is_image, is_big;
    unsigned word;        /* bytes of a pointer */
    uint64_t table;       /* offset of the section headers */
    uint32_t count;
    uint64_t image_base;
};

/* Machines AMD's host compilers write for: x86-64, AArch64, i386. */
static bool is_host_machine(uint16_t machine)
{
    return machine == 0x8664 || machine == 0xaa64 || machine == 0x014c;
}

static bool is_bigobj(struct co_span s)
{
    return s.size >= BIG_HEADER && co_load16(s.data) == 0 && co_load16(s.data + 2) == 0xffff && co_load16(s.data + 4) >= 2 &&
           memcmp(s.data + 12, bigobj_class, 16) == 0 && is_host_machine(co_load16(s.data + 6));
}

bool co_is_coff_object(struct co_span s)
{
    if (is_bigobj(s))
        return true;
    if (s.size < COFF_HEADER + COFF_SECTION || !is_host_machine(co_load16(s.data)))
        return false;
    unsigned sections = co_load16(s.data + 2), optional = co_load16(s.data + 16);
    uint32_t symbols = co_load32(s.data + 8);
    return sections && optional == 0 && co_span_has(s, COFF_HEADER, (uint64_t)sections * COFF_SECTION) && symbols <= s.size;
}

/* ---- tables ---- */

static void find_symbols(struct coff *f, uint64_t at, uint64_t count)
{
    uint64_t size = count * (f->is_big ? 20 : 18);
    if (at == 0 || !co_span_sub(f->s, at, size, &f->symbols))
        return;
    co_span_sub(f->s, at + size, f->s.size - (size_t)(at + size), &f->strings);
}

/* false: a DOS program, or headers cut off. */
static bool read_headers(struct co_span s, struct coff *out)
{
    struct coff f = { .s = s };
    uint64_t header = 0;
    if (is_bigobj(s)) {
        f.is_big = true;
        f.table = BIG_HEADER;
        f.count = co_load32(s.data + 44);
        f.word = co_load16(s.data + 6) == 0x014c ? 4 : 8;
        find_symbols(&f, co_load32(s.data + 48), co_load32(s.data + 52));
        *out = f;
        return true;
    }
    if (s.data[0] == 'M') {
        f.is_image = true;
        header = co_load32(s.data + 60);
        if (!co_span_has(s, header, 4 + COFF_HEADER) || memcmp(s.data + header, "PE\0\0", 4) != 0)
            return false;
        header += 4;
    }
    const uint8_t *h = s.data + header;
    uint16_t optional_magic = 0;
    f.word = co_load16(h) == 0x014c ? 4 : 8;
    f.count = co_load16(h + 2);
    f.table = header + COFF_HEADER + co_load16(h + 16);
    find_symbols(&f, co_load32(h + 8), co_load32(h + 12));
    if (f.is_image && co_span_u16(s, header + COFF_HEADER, &optional_magic)) {
        uint32_t base32 = 0;
        if (optional_magic == 0x20b)
            co_span_u64(s, header + COFF_HEADER + 24, &f.image_base);
        else if (co_span_u32(s, header + COFF_HEADER + 28, &base32))
            f.image_base = base32;
    }
    *out = f;
    return true;
}

/* A name of 8 bytes, or "/N", an offset into the string table. */
static const char *short_name(const struct coff *f, const uint8_t *field, size_t *n)
{
    uint64_t off = 0;
    size_t i = 1;
    *n = strnlen((const char *)field, 8);
    if (field[0] != '/')
        return (const char *)field;
    while (i < *n && field[i] >= '0' && field[i] <= '9')
        off = off * 10 + (uint64_t)(field[i++] - '0');
    const char *name = i == *n && i > 1 ? co_span_str(f->strings, off) : NULL;
    if (!name)
        return (const char *)field;
    *n = strlen(name);
    return name;
}

struct section {
    const char *name;
    size_t name_size;
    uint64_t addr, virtual_size, size, offset, relocations, relocation_count;
    uint32_t flags;
    const uint8_t *header;
};

static struct section section_at(const struct coff *f, uint32_t idx)
{
    const uint8_t *p = f->s.data + f->table + (uint64_t)idx * COFF_SECTION;
    struct section x = { .virtual_size = co_load32(p + 8), .addr = co_load32(p + 12), .size = co_load32(p + 16), .offset = co_load32(p + 20),
                         .relocations = co_load32(p + 24), .relocation_count = co_load16(p + 32), .flags = co_load32(p + 36),
                         .header = p };
    x.name = short_name(f, p, &x.name_size);
    /* Raw data is padded to the file alignment; the virtual size is the real one. */
    if (x.virtual_size && x.virtual_size < x.size)
        x.size = x.virtual_size;
    return x;
}

/* ---- where wrappers lead ---- */

static void lead_into(const struct coff *f, struct co_wrapper *wrapper, uint32_t idx, uint64_t off)
{
    struct co_span bytes;
    struct section x = section_at(f, idx);
    if (x.offset && co_span_sub(f->s, x.offset, x.size, &bytes))
        co_wrapper_lead(wrapper, bytes, x.name, x.name_size, off);
}

static void lead_to_address(const struct coff *f, struct co_wrapper *wrapper)
{
    uint64_t rva = wrapper->pointer - f->image_base;
    for (uint32_t i = 0; i < f->count; i++) {
        struct section x = section_at(f, i);
        if (rva >= x.addr && rva - x.addr < x.size) {
            lead_into(f, wrapper, i, rva - x.addr);
            return;
        }
    }
}

static void lead_by_symbol(const struct coff *f, struct co_wrapper *wrapper, uint64_t idx)
{
    unsigned entry = f->is_big ? 20 : 18;
    struct co_span symbol;
    if (!co_span_sub(f->symbols, idx * entry, entry, &symbol))
        return;
    int64_t number = f->is_big ? (int32_t)co_load32(symbol.data + 12) : (int16_t)co_load16(symbol.data + 12);
    if (number > 0 && number <= (int64_t)f->count) {
        lead_into(f, wrapper, (uint32_t)number - 1, co_load32(symbol.data + 8) + wrapper->pointer);
    } else if (number == 0) {
        const char *name = co_load32(symbol.data) ? (const char *)symbol.data : co_span_str(f->strings, co_load32(symbol.data + 4));
        wrapper->symbol = name ? name : "";
        wrapper->symbol_size = co_load32(symbol.data) ? strnlen(wrapper->symbol, 8) : strlen(wrapper->symbol);
    }
}

static void wrapper_section(struct co_walk *w, const struct co_place *place, const struct coff *f, const struct section *x,
                            struct co_span bytes)
{
    struct co_wrappers wrappers;
    struct co_span table = { 0 };
    if (!co_wrappers_read(w, place, bytes, f->word, false, &wrappers))
        return;
    if (!f->is_image && co_walk_charge(w, place, x->relocation_count * COFF_RELOCATION))
        co_span_sub(f->s, x->relocations, x->relocation_count * COFF_RELOCATION, &table);
    for (uint64_t at = 0; at < table.size; at += COFF_RELOCATION) {
        struct co_wrapper *wrapper = co_wrapper_at(&wrappers, co_load32(table.data + at) - x->addr);
        if (wrapper && !wrapper->is_relocated)
            lead_by_symbol(f, wrapper, co_load32(table.data + at + 4));
        if (wrapper)
            wrapper->is_relocated = true;
    }
    for (size_t i = 0; f->is_image && i < wrappers.count && co_walk_charge(w, place, f->count + 1); i++)
        lead_to_address(f, &wrappers.items[i]);
    co_wrappers_visit(w, place, bytes, x->name, x->name_size, &wrappers);
}

/* ---- all sections ---- */

void co_enter_coff(struct co_walk *w, const struct co_place *place, struct co_span s)
{
    struct coff f;
    if (!read_headers(s, &f))
        return;
    if (!co_span_has(s, f.table, (uint64_t)f.count * COFF_SECTION)) {
        co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data, "section headers: found %u at 0x%" PRIx64 ", the file has no room for them",
                        f.count, f.table);
        return;
    }
    for (uint32_t i = 0; i < f.count && !w->stopped; i++) {
        struct section x = section_at(&f, i);
        struct co_span bytes;
        if (x.size == 0 || x.offset == 0)
            continue;
        if (!co_span_sub(s, x.offset, x.size, &bytes))
            co_walk_finding(w, place, CODEOBJ_MALFORMED, x.header + 16, "section '%.*s' lies outside the file", (int)x.name_size, x.name);
        else if (co_is_wrapper_section(x.name, x.name_size))
            wrapper_section(w, place, &f, &x, bytes);
        else
            co_host_section(w, place, bytes, x.name, x.name_size, (x.flags & CNT_INITIALIZED_DATA) && !(x.flags & CNT_CODE));
    }
}

/* SPDX-License-Identifier: MIT
 *
 * elf/write.c - a builder's object laid out as bytes.
 *
 * Rules: System V ABI (gABI): header, sections, symbol tables (local symbols
 * first), extended numbering, program headers.
 *
 * Three layouts.  An opened object whose sections kept their sizes is written
 * over a copy of its bytes, so that nothing moves.  An object with segments
 * keeps everything that they hold where it is, and the rest follows behind.  A
 * relocatable object is packed in section order.
 *
 * Sections of a linked object that outgrew their place, as far as they may move
 * (notes, dynamic symbols and what belongs to them, dynamic relocations, .dynamic
 * when tags are added), and allocated ones that were added go into new segments behind the others, one for each kind of
 * access, together with the program header table, which needs room for them.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "elf/write.h"

enum {
    PAGE = 4096,
    MAX_FILE_ALIGN = 65536, /* file offsets follow alignment up to here: a header may claim 2^63 */
    FIRST_RESERVED = SHN_LORESERVE, TYPE_LLVM_ADDRSIG = 0x6fff4c03,
    NEW_SEGMENTS = 3, /* at most: read-only, executable, writable */
};

/* ---- encoding -------------------------------------------------------------------- */

static uint8_t *put_word(bool is32, uint8_t *p, uint64_t v)
{
    if (is32)
        co_store32(p, (uint32_t)v);
    else
        co_store64(p, v);
    return p + (is32 ? 4 : 8);
}

static void encode_section(bool is32, uint8_t *p, uint32_t name, const struct codeobj_elf_section *s)
{
    co_store32(p, name);
    co_store32(p + 4, s->type);
    p = put_word(is32, p + 8, s->flags);
    p = put_word(is32, p, s->addr);
    p = put_word(is32, p, s->offset);
    p = put_word(is32, p, s->size);
    co_store32(p, s->link);
    co_store32(p + 4, s->info);
    p = put_word(is32, p + 8, s->align);
    put_word(is32, p, s->entsize);
}

static void encode_segment(bool is32, uint8_t *p, const struct codeobj_elf_segment *s)
{
    co_store32(p, s->type);
    if (!is32)
        co_store32(p + 4, s->flags);
    p = put_word(is32, p + (is32 ? 4 : 8), s->offset);
    p = put_word(is32, p, s->vaddr);
    p = put_word(is32, p, s->paddr);
    p = put_word(is32, p, s->filesz);
    p = put_word(is32, p, s->memsz);
    if (is32) {
        co_store32(p, s->flags);
        p += 4;
    }
    put_word(is32, p, s->align);
}

void co_encode_symbol(bool is32, uint8_t *p, uint32_t name, uint16_t shndx, const struct codeobj_elf_symbol *s)
{
    uint8_t info = (uint8_t)(s->binding << 4 | (s->type & 15));
    co_store32(p, name);
    p[is32 ? 12 : 4] = info;
    p[is32 ? 13 : 5] = s->other;
    co_store16(p + (is32 ? 14 : 6), shndx);
    put_word(is32, p + (is32 ? 4 : 8), s->value);
    put_word(is32, p + (is32 ? 8 : 16), s->size);
}

static size_t ehdr_size(const struct codeobj_builder *b) { return b->is32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr); }
static size_t phdr_size(const struct codeobj_builder *b) { return b->is32 ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr); }
static size_t shdr_size(const struct codeobj_builder *b) { return b->is32 ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr); }

static void encode_header(const struct plan *p, uint8_t *out)
{
    const struct codeobj_elf_header *h = &p->b->header;
    bool is32 = p->b->is32;
    uint32_t shstrndx = p->section_map[p->b->shstrtab];
    memcpy(out, ELFMAG, SELFMAG);
    out[EI_CLASS] = is32 ? ELFCLASS32 : ELFCLASS64;
    out[EI_DATA] = ELFDATA2LSB;
    out[EI_VERSION] = EV_CURRENT;
    out[EI_OSABI] = h->osabi;
    out[EI_ABIVERSION] = h->abi_version;
    co_store16(out + 16, h->type);
    co_store16(out + 18, h->machine);
    co_store32(out + 20, EV_CURRENT);
    uint8_t *at = put_word(is32, out + 24, h->entry);
    at = put_word(is32, at, p->phoff);
    at = put_word(is32, at, p->shoff);
    co_store32(at, h->flags);
    co_store16(at + 4, (uint16_t)ehdr_size(p->b));
    co_store16(at + 6, p->segment_count ? (uint16_t)phdr_size(p->b) : 0);
    co_store16(at + 8, p->segment_count >= PN_XNUM ? PN_XNUM : (uint16_t)p->segment_count);
    co_store16(at + 10, (uint16_t)shdr_size(p->b));
    co_store16(at + 12, p->section_count >= FIRST_RESERVED ? 0 : (uint16_t)p->section_count);
    co_store16(at + 14, shstrndx >= FIRST_RESERVED ? SHN_XINDEX : (uint16_t)shstrndx);
}

/* ---- numbering ----------------------------------------------------------------------- */

static enum codeobj_status ensure_section(struct codeobj_builder *b, uint32_t *idx, const char *name, uint32_t type, struct codeobj_diag *diag)
{
    if (*idx)
        return CODEOBJ_OK;
    struct codeobj_builder_section s = { .name = name, .type = type, .align = type == SHT_SYMTAB ? (b->is32 ? 4 : 8) : type == SHT_SYMTAB_SHNDX ? 4 : 1,
                                         .entsize = type == SHT_SYMTAB ? (b->is32 ? 16 : 24) : type == SHT_SYMTAB_SHNDX ? 4 : 0 };
    return codeobj_builder_section_add(b, &s, idx, diag);
}

/* The tables every changed object has.  Extended section indices come along as soon as they may be needed. */
static enum codeobj_status ensure_tables(struct codeobj_builder *b, struct codeobj_diag *diag)
{
    enum codeobj_status st = CODEOBJ_OK;
    bool wanted = b->symtab != 0;
    for (uint32_t i = 1; i < b->symbol_count && !wanted; i++)
        wanted = !b->symbol_states[i].removed && b->symbol_states[i].in_symtab;
    if (wanted) {
        st = ensure_section(b, &b->symtab, ".symtab", SHT_SYMTAB, diag);
        if (!st && b->section_count >= FIRST_RESERVED - 4)
            st = ensure_section(b, &b->xindex, ".symtab_shndx", SHT_SYMTAB_SHNDX, diag);
        if (!st)
            st = ensure_section(b, &b->strtab, ".strtab", SHT_STRTAB, diag);
    }
    return st ? st : ensure_section(b, &b->shstrtab, ".shstrtab", SHT_STRTAB, diag);
}

static enum codeobj_status number(struct plan *p)
{
    struct codeobj_builder *b = p->b;
    p->section_map = calloc(b->section_count + 1, sizeof *p->section_map);
    p->symbol_map = calloc(b->symbol_count + 1, sizeof *p->symbol_map);
    if (!p->section_map || !p->symbol_map)
        return co_no_memory(p->diag);
    for (uint32_t i = 0; i < b->section_count; i++)
        if (!b->sections[i].removed)
            p->section_map[i] = p->section_count++;
    /* Local symbols come first. */
    p->symbol_count = 1;
    for (int global = 0; global < 2; global++) {
        for (uint32_t i = 1; i < b->symbol_count; i++)
            if (!b->symbol_states[i].removed && b->symbol_states[i].in_symtab && (b->symbols[i].binding != STB_LOCAL) == global)
                p->symbol_map[i] = p->symbol_count++;
        if (!global)
            p->first_global = p->symbol_count;
    }
    return CODEOBJ_OK;
}

/* ---- tables made anew ------------------------------------------------------------------- */

static uint32_t final_section(const struct plan *p, uint32_t shndx)
{
    return shndx >= 0xffffff00u ? shndx & 0xffff : shndx < p->b->section_count ? p->section_map[shndx] : 0;
}

void co_plan_replace(struct co_bsection *s, struct co_buffer data)
{
    if (co_bsection_bytes(s).size != data.size)
        s->resized = true;
    co_buffer_free(&s->data);
    s->data = data;
    s->owned = true;
}

/* Names into the table; 0 for "". */
static uint32_t add_name(struct co_buffer *table, const char *name)
{
    uint32_t at = (uint32_t)table->size;
    if (!name[0])
        return 0;
    co_buffer_text(table, name);
    co_buffer_byte(table, 0);
    return at;
}

static enum codeobj_status make_symbols(struct plan *p, struct co_buffer *strings)
{
    struct codeobj_builder *b = p->b;
    size_t entry = b->is32 ? 16 : 24;
    struct co_buffer table = { 0 }, xindex = { 0 };
    co_buffer_fill(&table, 0, (size_t)p->symbol_count * entry);
    co_buffer_fill(&xindex, 0, b->xindex ? (size_t)p->symbol_count * 4 : 0);
    for (uint32_t i = 1; i < b->symbol_count && !table.failed && !xindex.failed; i++) {
        if (b->symbol_states[i].removed || !b->symbol_states[i].in_symtab)
            continue;
        const struct codeobj_elf_symbol *s = &b->symbols[i];
        uint32_t shndx = final_section(p, s->shndx);
        bool wide = shndx >= FIRST_RESERVED && s->shndx < 0xffffff00u;
        if (wide)
            co_store32(xindex.data + p->symbol_map[i] * 4, shndx);
        co_encode_symbol(b->is32, table.data + p->symbol_map[i] * entry, add_name(strings, s->name), wide ? SHN_XINDEX : (uint16_t)shndx, s);
    }
    bool failed = table.failed || xindex.failed;
    if (failed) {
        co_buffer_free(&table);
        co_buffer_free(&xindex);
        return co_no_memory(p->diag);
    }
    b->sections[b->symtab].header.link = b->strtab;
    b->sections[b->symtab].header.info = p->first_global;
    b->sections[b->symtab].header.entsize = entry;
    co_plan_replace(&b->sections[b->symtab], table);
    if (b->xindex) {
        b->sections[b->xindex].header.link = b->symtab;
        co_plan_replace(&b->sections[b->xindex], xindex);
    } else {
        co_buffer_free(&xindex);
    }
    return CODEOBJ_OK;
}

/* .symtab, .strtab and .shstrtab (one table where the object had one). */
static enum codeobj_status make_tables(struct plan *p)
{
    struct codeobj_builder *b = p->b;
    struct co_buffer strings = { 0 }, names = { 0 };
    enum codeobj_status st = CODEOBJ_OK;
    bool shared = b->symtab && b->strtab == b->shstrtab;
    co_buffer_byte(&strings, 0);
    co_buffer_byte(&names, 0);
    if (b->symtab)
        st = make_symbols(p, &strings);
    for (uint32_t i = 0; i < b->section_count; i++) {
        uint8_t word[4];
        co_store32(word, b->sections[i].removed ? 0 : add_name(shared ? &strings : &names, b->sections[i].header.name));
        co_buffer_add(&p->names, word, 4);
    }
    if (!st && (strings.failed || names.failed || p->names.failed))
        st = co_no_memory(p->diag);
    if (!st && (strings.size > UINT32_MAX || names.size > UINT32_MAX))
        st = co_fail(p->diag, CODEOBJ_LIMIT, "names take more than 4 GiB");
    if (!st && b->symtab)
        co_plan_replace(&b->sections[b->strtab], strings);
    else
        co_buffer_free(&strings);
    if (!st && !shared)
        co_plan_replace(&b->sections[b->shstrtab], names);
    else
        co_buffer_free(&names);
    return st;
}

/* ---- contents that hold indices --------------------------------------------------------------- */

static void renumber_relocations(bool is32, const uint32_t *map, uint32_t count, struct co_buffer *d, uint32_t type)
{
    size_t entry = is32 ? (type == SHT_RELA ? 12 : 8) : (type == SHT_RELA ? 24 : 16);
    for (size_t at = 0; at + entry <= d->size; at += entry) {
        uint8_t *info = d->data + at + (is32 ? 4 : 8);
        uint32_t symbol = is32 ? co_load32(info) >> 8 : co_load32(info + 4);
        symbol = symbol < count ? map[symbol] : 0;
        if (is32)
            co_store32(info, symbol << 8 | (co_load32(info) & 0xff));
        else
            co_store32(info + 4, symbol);
    }
}

/* .llvm_addrsig is a list of symbol indices in ULEB128. */
static void renumber_addrsig(const struct plan *p, struct co_buffer *d)
{
    struct co_buffer fresh = { 0 };
    for (size_t at = 0; at < d->size;) {
        uint64_t v = 0;
        unsigned shift = 0;
        while (at < d->size && (d->data[at] & 0x80))
            v |= shift < 64 ? (uint64_t)(d->data[at] & 0x7f) << shift : 0, shift += 7, at++;
        if (at < d->size)
            v |= shift < 64 ? (uint64_t)d->data[at++] << shift : (at++, 0);
        v = v < p->b->symbol_count ? p->symbol_map[v] : 0;
        for (; v >= 0x80; v >>= 7)
            co_buffer_byte(&fresh, (uint8_t)(v | 0x80));
        co_buffer_byte(&fresh, (uint8_t)v);
    }
    co_buffer_free(d);
    *d = fresh;
}

static void renumber_dynsym(const struct plan *p, struct co_buffer *d)
{
    size_t entry = p->b->is32 ? 16 : 24, field = p->b->is32 ? 14 : 6;
    for (size_t at = 0; at + entry <= d->size; at += entry) {
        uint16_t shndx = co_load16(d->data + at + field);
        if (shndx < FIRST_RESERVED)
            co_store16(d->data + at + field, (uint16_t)final_section(p, shndx));
    }
}

static void renumber_group(const struct plan *p, struct co_buffer *d)
{
    for (size_t at = 4; at + 4 <= d->size; at += 4)
        co_store32(d->data + at, final_section(p, co_load32(d->data + at)));
}

/* The bytes of a section as they go into the file. */
static bool final_bytes(const struct plan *p, const struct co_bsection *s, struct co_buffer *out)
{
    struct co_span bytes = co_bsection_bytes(s);
    co_buffer_add(out, bytes.data, bytes.size);
    if (!p->changed || out->failed)
        return !out->failed;
    bool symbolic = p->b->symtab && s->header.link == p->b->symtab;
    switch (s->header.type) {
    case SHT_REL:
    case SHT_RELA:
        /* Without a link it was added before there was a symbol table. */
        if (symbolic || (!s->header.link && !(s->header.flags & SHF_ALLOC)))
            renumber_relocations(p->b->is32, p->symbol_map, p->b->symbol_count, out, s->header.type);
        else if (p->dynamic_map && s->header.link == p->b->dynsym)
            renumber_relocations(p->b->is32, p->dynamic_map, p->dynamic_count, out, s->header.type);
        break;
    case SHT_GROUP: renumber_group(p, out); break;
    case SHT_DYNSYM: renumber_dynsym(p, out); break;
    case TYPE_LLVM_ADDRSIG:
        if (symbolic)
            renumber_addrsig(p, out);
        break;
    default: break;
    }
    return !out->failed;
}

/* The header as it goes into the file. */
static struct codeobj_elf_section final_header(const struct plan *p, const struct co_bsection *s)
{
    struct codeobj_elf_section h = s->header;
    if (h.type == SHT_NULL)
        return h;
    bool relocation = h.type == SHT_REL || h.type == SHT_RELA;
    if (p->changed) {
        if (relocation && !h.link)
            h.link = p->b->symtab;
        h.link = final_section(p, h.link);
        if (relocation || (h.flags & SHF_INFO_LINK))
            h.info = final_section(p, h.info);
        else if (h.type == SHT_GROUP)
            h.info = h.info < p->b->symbol_count ? p->symbol_map[h.info] : 0;
    }
    return h;
}

/* ---- layout -------------------------------------------------------------------------------------- */

void co_plan_patch(struct plan *p, uint64_t offset, const void *data, size_t size)
{
    if (p->out->failed || !size)
        return;
    if (co_span_has(co_span_make(p->out->data, p->out->size), offset, size))
        memcpy(p->out->data + offset, data, size);
    else if (!p->misplaced++)
        co_fail(p->diag, CODEOBJ_INVALID, "layout: 0x%zx bytes at 0x%llx do not lie in the object's 0x%zx", size, (unsigned long long)offset,
                p->out->size);
}

/* Places a section at the end of the file. */
static bool append_section(struct plan *p, struct co_bsection *s)
{
    struct co_buffer bytes = { 0 };
    if (s->header.type != SHT_NOBITS && !final_bytes(p, s, &bytes)) {
        co_buffer_free(&bytes);
        return false;
    }
    co_buffer_align(p->out, s->header.align > MAX_FILE_ALIGN ? MAX_FILE_ALIGN : (size_t)s->header.align);
    s->header.offset = p->out->size;
    if (s->header.type != SHT_NOBITS)
        s->header.size = bytes.size;
    co_buffer_add(p->out, bytes.data, bytes.size);
    co_buffer_free(&bytes);
    return !p->out->failed;
}

static uint64_t max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Bytes of the opened object up to here stay where they are. */
static uint64_t fixed_end(const struct plan *p)
{
    const struct codeobj_builder *b = p->b;
    uint64_t end = max_u64(ehdr_size(b), b->header.phoff + b->segment_count * phdr_size(b));
    for (size_t i = 0; i < b->segment_count; i++)
        end = max_u64(end, b->segments[i].offset + b->segments[i].filesz);
    for (uint32_t i = 1; i < b->section_count; i++)
        if (!b->sections[i].removed && co_bsection_is_placed(b, &b->sections[i]) && b->sections[i].header.type != SHT_NOBITS)
            end = max_u64(end, b->sections[i].header.offset + b->sections[i].stored.size);
    return end;
}

static bool holds(const struct codeobj_elf_segment *segment, const struct codeobj_elf_section *s)
{
    return (s->flags & SHF_ALLOC) && s->offset >= segment->offset && s->offset - segment->offset < segment->filesz;
}

/* Notes of one segment stay together: when one of several changes its size, all move. */
static void move_notes_together(struct codeobj_builder *b)
{
    for (size_t i = 0; i < b->segment_count; i++) {
        unsigned count = 0, changed = 0;
        for (int pass = 0; pass < 2 && b->segments[i].type == PT_NOTE; pass++)
            for (uint32_t k = 1; k < b->section_count; k++) {
                struct co_bsection *s = &b->sections[k];
                if (s->removed || s->added || s->header.type != SHT_NOTE || !holds(&b->segments[i], &s->header))
                    continue;
                count += !pass;
                changed += !pass && (s->moved || co_bsection_bytes(s).size != s->header.size);
                if (pass && count > 1 && changed)
                    s->moved = true;
            }
    }
}

/* Note segments follow their sections; `old`: the sections' headers before layout. */
static enum codeobj_status follow_notes(struct plan *p, const struct codeobj_elf_section *old)
{
    struct codeobj_builder *b = p->b;
    for (size_t i = 0; i < p->segment_count; i++) {
        struct codeobj_elf_segment *g = &p->segments[i];
        uint64_t start = UINT64_MAX, end = 0, sum = 0, addr = 0;
        bool changed = false;
        for (uint32_t k = 1; k < b->section_count && g->type == PT_NOTE; k++) {
            const struct co_bsection *s = &b->sections[k];
            if (s->removed || s->added || s->header.type != SHT_NOTE || !holds(g, &old[k]))
                continue;
            changed |= s->header.offset != old[k].offset || s->header.size != old[k].size;
            if (s->header.offset < start) {
                start = s->header.offset;
                addr = s->header.addr;
            }
            end = max_u64(end, s->header.offset + s->header.size);
            sum += s->header.size;
        }
        if (!changed)
            continue;
        if (end - start != sum)
            return co_fail(p->diag, CODEOBJ_UNSUPPORTED, "the notes of a segment are aligned so that they cannot be put together anew");
        *g = (struct codeobj_elf_segment){ PT_NOTE, g->flags, start, addr, addr, sum, sum, g->align };
    }
    return CODEOBJ_OK;
}

/* PT_DYNAMIC follows .dynamic. */
static void follow_dynamic(struct plan *p)
{
    const struct codeobj_elf_section *h = NULL;
    for (uint32_t k = 1; k < p->b->section_count; k++)
        if (!p->b->sections[k].removed && p->b->sections[k].moved && p->b->sections[k].header.type == SHT_DYNAMIC)
            h = &p->b->sections[k].header;
    for (size_t i = 0; h && i < p->segment_count; i++)
        if (p->segments[i].type == PT_DYNAMIC)
            p->segments[i] = (struct codeobj_elf_segment){ PT_DYNAMIC, p->segments[i].flags, h->offset, h->addr, h->addr, h->size, h->size, p->segments[i].align };
}

/* A section that a segment holds, written in its place. */
static enum codeobj_status rewrite_placed(struct plan *p, struct co_bsection *s)
{
    struct co_buffer bytes = { 0 };
    if (s->header.type == SHT_NOBITS || (!s->owned && !p->changed))
        return CODEOBJ_OK;
    if (!final_bytes(p, s, &bytes)) {
        co_buffer_free(&bytes);
        return co_no_memory(p->diag);
    }
    size_t room = s->stored.size;
    co_buffer_fill(&bytes, 0, room > bytes.size ? room - bytes.size : 0);
    s->header.size = s->owned ? s->data.size : s->stored.size;
    bool failed = bytes.failed;
    if (!failed)
        co_plan_patch(p, s->header.offset, bytes.data, room);
    co_buffer_free(&bytes);
    return failed ? co_no_memory(p->diag) : CODEOBJ_OK;
}

/* Which new segment a section goes to: 0 read-only, 1 executable, 2 writable; -1: none. */
static int new_segment_of(const struct codeobj_builder *b, const struct co_bsection *s)
{
    if (!b->segment_count || s->removed || !(s->header.flags & SHF_ALLOC) || !(s->moved || s->added) || s->header.type == SHT_NULL)
        return -1;
    return s->header.flags & SHF_WRITE ? 2 : s->header.flags & SHF_EXECINSTR ? 1 : 0;
}

/* The sections of one new segment, those without bytes in the file last. */
static enum codeobj_status fill_segment(struct plan *p, int kind, struct codeobj_elf_segment *g)
{
    struct codeobj_builder *b = p->b;
    for (int nobits = 0; nobits < 2; nobits++)
        for (uint32_t i = 1; i < b->section_count; i++) {
            struct co_bsection *s = &b->sections[i];
            if (new_segment_of(b, s) != kind || (s->header.type == SHT_NOBITS) != nobits)
                continue;
            if (nobits) {
                uint64_t align = s->header.align ? s->header.align : 1, end = (g->vaddr + g->memsz + align - 1) & ~(align - 1);
                if (s->header.size > UINT64_MAX / 2 - end)
                    return co_fail(p->diag, CODEOBJ_INVALID, "section \"%.60s\": no address is left", s->header.name);
                s->header.addr = end;
                s->header.offset = p->out->size;
                g->memsz = end + s->header.size - g->vaddr;
                continue;
            }
            if (!append_section(p, s))
                return co_no_memory(p->diag);
            s->header.addr = g->vaddr + (s->header.offset - g->offset);
            g->filesz = g->memsz = p->out->size - g->offset;
        }
    return CODEOBJ_OK;
}

/* Addresses behind `top`; file offset and address agree modulo the alignment. */
static enum codeobj_status begin_segment(struct plan *p, int kind, uint64_t top, struct codeobj_elf_segment *g)
{
    static const uint32_t access[NEW_SEGMENTS] = { PF_R, PF_R | PF_X, PF_R | PF_W };
    struct codeobj_builder *b = p->b;
    uint64_t align = PAGE;
    for (size_t i = 0; i < b->segment_count; i++)
        if (b->segments[i].type == PT_LOAD && b->segments[i].align <= MAX_FILE_ALIGN)
            align = max_u64(align, b->segments[i].align);
    for (uint32_t i = 1; i < b->section_count; i++)
        if (new_segment_of(b, &b->sections[i]) == kind)
            align = max_u64(align, b->sections[i].header.align);
    if (align > MAX_FILE_ALIGN || (align & (align - 1)))
        return co_fail(p->diag, CODEOBJ_UNSUPPORTED, "a section of a new segment is aligned to 0x%llx bytes, at most 0x%x is possible",
                       (unsigned long long)align, MAX_FILE_ALIGN);
    if (top > UINT64_MAX / 2)
        return co_fail(p->diag, CODEOBJ_INVALID, "no address is left for a new segment");
    co_buffer_align(p->out, 8);
    uint64_t start = p->out->size, vaddr = ((top + align - 1) & ~(align - 1)) + start % align;
    *g = (struct codeobj_elf_segment){ PT_LOAD, access[kind], start, vaddr, vaddr, 0, 0, align };
    return CODEOBJ_OK;
}

/* The new segments into the table: loads behind the others, notes at the end; the table itself has moved. */
static void enter_segments(struct plan *p, const struct codeobj_elf_segment *loads, size_t load_count, size_t last)
{
    struct codeobj_builder *b = p->b;
    memmove(&p->segments[last + load_count], &p->segments[last], (p->segment_count - last) * sizeof *p->segments);
    memcpy(&p->segments[last], loads, load_count * sizeof *loads);
    p->segment_count += load_count;
    for (uint32_t i = 1; i < b->section_count; i++) {
        const struct codeobj_elf_section *h = &b->sections[i].header;
        if (new_segment_of(b, &b->sections[i]) >= 0 && b->sections[i].added && h->type == SHT_NOTE)
            p->segments[p->segment_count++] = (struct codeobj_elf_segment){ PT_NOTE, PF_R, h->offset, h->addr, h->addr, h->size, h->size, h->align };
    }
    for (size_t i = 0; i < p->segment_count; i++)
        if (p->segments[i].type == PT_PHDR) {
            uint64_t bytes = p->segment_count * phdr_size(b);
            p->segments[i] = (struct codeobj_elf_segment){ PT_PHDR, PF_R, loads[0].offset, loads[0].vaddr, loads[0].vaddr, bytes, bytes, 8 };
        }
}

/* New segments for sections that moved or were added. */
static enum codeobj_status add_segments(struct plan *p)
{
    struct codeobj_builder *b = p->b;
    struct codeobj_elf_segment loads[NEW_SEGMENTS];
    size_t count = 0, notes = 0, last = 0;
    uint64_t top = 0;
    bool wanted[NEW_SEGMENTS] = { false };
    for (uint32_t i = 1; i < b->section_count; i++) {
        int kind = new_segment_of(b, &b->sections[i]);
        if (kind >= 0)
            wanted[kind] = wanted[0] = true; /* the program headers go into the first */
        notes += kind >= 0 && b->sections[i].added && b->sections[i].header.type == SHT_NOTE;
    }
    if (!wanted[0])
        return CODEOBJ_OK;
    for (size_t i = 0; i < p->segment_count; i++)
        if (p->segments[i].type == PT_LOAD) {
            top = max_u64(top, p->segments[i].vaddr + p->segments[i].memsz);
            last = i + 1;
        }
    struct codeobj_elf_segment *more = realloc(p->segments, (p->segment_count + NEW_SEGMENTS + notes) * sizeof *more);
    if (!more)
        return co_no_memory(p->diag);
    p->segments = more;
    for (int kind = 0; kind < NEW_SEGMENTS; kind++) {
        struct codeobj_elf_segment *g = &loads[count];
        enum codeobj_status st = wanted[kind] ? begin_segment(p, kind, top, g) : CODEOBJ_OK;
        if (st || !wanted[kind]) {
            if (st)
                return st;
            continue;
        }
        if (kind == 0) {
            p->phoff = g->offset;
            size_t entries = p->segment_count + 1u + wanted[1] + wanted[2] + notes;
            co_buffer_fill(p->out, 0, entries * phdr_size(b));
            g->filesz = g->memsz = entries * phdr_size(b);
        }
        if ((st = fill_segment(p, kind, g)))
            return st;
        top = g->vaddr + g->memsz;
        count++;
    }
    enter_segments(p, loads, count, last);
    return CODEOBJ_OK;
}

static enum codeobj_status lay_out_linked(struct plan *p)
{
    struct codeobj_builder *b = p->b;
    size_t size;
    const void *bytes = codeobj_elf_bytes(b->elf, &size);
    struct codeobj_elf_section *old = calloc(b->section_count, sizeof *old);
    uint64_t end = fixed_end(p);
    if (!old)
        return co_no_memory(p->diag);
    for (uint32_t i = 0; i < b->section_count; i++)
        old[i] = b->sections[i].header;
    co_buffer_add(p->out, bytes, end < size ? (size_t)end : size);
    enum codeobj_status st = CODEOBJ_OK;
    for (uint32_t i = 1; !st && i < b->section_count; i++)
        if (!b->sections[i].removed && co_bsection_is_placed(b, &b->sections[i]))
            st = rewrite_placed(p, &b->sections[i]);
    if (!st)
        st = add_segments(p);
    for (uint32_t i = 1; !st && i < b->section_count; i++) {
        struct co_bsection *s = &b->sections[i];
        if (!s->removed && !(s->header.flags & SHF_ALLOC) && s->header.type != SHT_NULL && !append_section(p, s))
            st = co_no_memory(p->diag);
    }
    if (!st)
        st = follow_notes(p, old);
    free(old);
    if (!st && p->out->failed)
        st = co_no_memory(p->diag);
    if (!st) {
        follow_dynamic(p);
        co_plan_dynamic_tags(p);
        co_plan_added_addresses(p);
        st = co_plan_dynamic_relocations(p);
    }
    return st;
}

static enum codeobj_status lay_out_packed(struct plan *p)
{
    co_buffer_fill(p->out, 0, ehdr_size(p->b));
    for (uint32_t i = 1; i < p->b->section_count; i++)
        if (!p->b->sections[i].removed && p->b->sections[i].header.type != SHT_NULL && !append_section(p, &p->b->sections[i]))
            return co_no_memory(p->diag);
    return CODEOBJ_OK;
}

/* Nothing moves: changed bytes over the old ones. */
static enum codeobj_status lay_out_same(struct plan *p)
{
    size_t size;
    const void *bytes = codeobj_elf_bytes(p->b->elf, &size);
    co_buffer_add(p->out, bytes, size);
    for (uint32_t i = 1; i < p->b->section_count; i++) {
        const struct co_bsection *s = &p->b->sections[i];
        if (s->owned && s->header.type != SHT_NOBITS)
            co_plan_patch(p, s->header.offset, s->data.data, s->data.size);
    }
    /* Flags and ABI version may have changed; all else of the header is as it was. */
    if (!p->out->failed) {
        p->out->data[EI_ABIVERSION] = p->b->header.abi_version;
        co_store32(p->out->data + (p->b->is32 ? 36 : 48), p->b->header.flags);
    }
    return CODEOBJ_OK;
}

static enum codeobj_status put_tables(struct plan *p)
{
    struct codeobj_builder *b = p->b;
    size_t shent = shdr_size(b), phent = phdr_size(b);
    uint8_t header[64] = { 0 };
    co_buffer_align(p->out, b->is32 ? 4 : 8);
    p->shoff = p->out->size;
    co_buffer_fill(p->out, 0, p->section_count * shent);
    if (p->out->failed)
        return co_no_memory(p->diag);
    for (uint32_t i = 0; i < b->section_count; i++) {
        if (b->sections[i].removed)
            continue;
        struct codeobj_elf_section h = final_header(p, &b->sections[i]);
        if (i == 0)
            h = (struct codeobj_elf_section){
                .size = p->section_count >= FIRST_RESERVED ? p->section_count : 0,
                .link = p->section_map[b->shstrtab] >= FIRST_RESERVED ? p->section_map[b->shstrtab] : 0,
                .info = p->segment_count >= PN_XNUM ? (uint32_t)p->segment_count : 0,
            };
        encode_section(b->is32, p->out->data + p->shoff + p->section_map[i] * shent, co_load32(p->names.data + i * 4), &h);
    }
    for (size_t i = 0; i < p->segment_count; i++) {
        uint8_t entry[56] = { 0 };
        encode_segment(b->is32, entry, &p->segments[i]);
        co_plan_patch(p, p->phoff + i * phent, entry, phent);
    }
    encode_header(p, header);
    co_plan_patch(p, 0, header, ehdr_size(b));
    return CODEOBJ_OK;
}

/* Names that are not made anew are where the opened object has them. */
static void keep_names(struct plan *p)
{
    size_t size;
    const uint8_t *bytes = codeobj_elf_bytes(p->b->elf, &size);
    for (uint32_t i = 0; i < p->b->section_count; i++)
        co_buffer_add(&p->names, bytes + p->b->header.shoff + i * shdr_size(p->b), 4);
}

static enum codeobj_status run(struct plan *p)
{
    struct codeobj_builder *b = p->b;
    bool resized = false;
    p->changed = b->symbols_changed || b->sections_changed;
    enum codeobj_status st = p->changed ? ensure_tables(b, p->diag) : CODEOBJ_OK;
    if (st || (st = number(p)))
        return st;
    if (b->dynamic_changed && (st = co_plan_dynamic_symbols(p)))
        return st;
    for (uint32_t i = 1; i < b->section_count; i++)
        resized |= b->sections[i].resized || b->sections[i].moved;
    if (b->elf && !p->changed && !resized)
        return lay_out_same(p);
    if (p->changed)
        st = make_tables(p);
    else
        keep_names(p);
    p->segments = calloc(b->segment_count + 1, sizeof *p->segments);
    if (!p->segments)
        return co_no_memory(p->diag);
    if (b->segment_count)
        memcpy(p->segments, b->segments, b->segment_count * sizeof *p->segments);
    p->segment_count = b->segment_count;
    p->phoff = b->segment_count ? b->header.phoff : 0;
    if (!st) {
        move_notes_together(b);
        st = b->segment_count ? lay_out_linked(p) : lay_out_packed(p);
    }
    return st ? st : put_tables(p);
}

enum codeobj_status co_builder_write(struct codeobj_builder *b, struct co_buffer *out, struct codeobj_diag *diag)
{
    struct plan p = { .b = b, .out = out, .diag = diag };
    /* Layout changes offsets and sizes; a later finish starts from the same model. */
    struct codeobj_elf_section *saved = calloc(b->section_count + 4, sizeof *saved);
    uint32_t count = b->section_count;
    if (!saved)
        return co_no_memory(diag);
    for (uint32_t i = 0; i < count; i++)
        saved[i] = b->sections[i].header;
    enum codeobj_status st = run(&p);
    for (uint32_t i = 0; i < count; i++)
        b->sections[i].header = saved[i];
    free(saved);
    free(p.section_map);
    free(p.symbol_map);
    free(p.dynamic_map);
    free(p.dynamic_order);
    free(p.segments);
    co_buffer_free(&p.names);
    return st ? st : out->failed ? co_no_memory(diag) : p.misplaced ? CODEOBJ_INVALID : CODEOBJ_OK;
}

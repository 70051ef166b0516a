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
 * relocatable object is packed in section order.  A note that outgrew its place
 * in a linked object moves into a new segment behind the others, together with
 * the program header table, which needs room for one more entry.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "elf/builder.h"

enum {
    PAGE = 4096,
    MAX_FILE_ALIGN = 65536, /* file offsets follow alignment up to here: a header may claim 2^63 */
    FIRST_RESERVED = SHN_LORESERVE, TYPE_LLVM_ADDRSIG = 0x6fff4c03,
};

struct plan {
    struct codeobj_builder *b;
    struct co_buffer *out;
    struct codeobj_diag *diag;
    uint32_t *section_map, *symbol_map; /* builder's index to final one */
    uint32_t section_count, symbol_count, first_global;
    bool changed; /* symbol and name tables are made anew, indices move */
    struct codeobj_elf_segment *segments;
    size_t segment_count;
    uint64_t phoff, shoff;
    struct co_buffer names; /* sh_name values, one word per builder section */
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

static void encode_symbol(bool is32, uint8_t *p, uint32_t name, uint16_t shndx, const struct codeobj_elf_symbol *s)
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
    if (b->symbol_count > 1 || b->symtab) {
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
            if (!b->symbol_removed[i] && (b->symbols[i].binding != STB_LOCAL) == global)
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

static void replace_data(struct co_bsection *s, struct co_buffer data)
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
        if (b->symbol_removed[i])
            continue;
        const struct codeobj_elf_symbol *s = &b->symbols[i];
        uint32_t shndx = final_section(p, s->shndx);
        bool wide = shndx >= FIRST_RESERVED && s->shndx < 0xffffff00u;
        if (wide)
            co_store32(xindex.data + p->symbol_map[i] * 4, shndx);
        encode_symbol(b->is32, table.data + p->symbol_map[i] * entry, add_name(strings, s->name), wide ? SHN_XINDEX : (uint16_t)shndx, s);
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
    replace_data(&b->sections[b->symtab], table);
    if (b->xindex) {
        b->sections[b->xindex].header.link = b->symtab;
        replace_data(&b->sections[b->xindex], xindex);
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
        replace_data(&b->sections[b->strtab], strings);
    else
        co_buffer_free(&strings);
    if (!st && !shared)
        replace_data(&b->sections[b->shstrtab], names);
    else
        co_buffer_free(&names);
    return st;
}

/* ---- contents that hold indices --------------------------------------------------------------- */

static void renumber_relocations(const struct plan *p, struct co_buffer *d, uint32_t type)
{
    bool is32 = p->b->is32;
    size_t entry = is32 ? (type == SHT_RELA ? 12 : 8) : (type == SHT_RELA ? 24 : 16);
    for (size_t at = 0; at + entry <= d->size; at += entry) {
        uint8_t *info = d->data + at + (is32 ? 4 : 8);
        uint32_t symbol = is32 ? co_load32(info) >> 8 : co_load32(info + 4);
        symbol = symbol < p->b->symbol_count ? p->symbol_map[symbol] : 0;
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
            renumber_relocations(p, out, s->header.type);
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

static void patch(struct plan *p, uint64_t offset, const void *data, size_t size)
{
    if (!p->out->failed && size && co_span_has(co_span_make(p->out->data, p->out->size), offset, size))
        memcpy(p->out->data + offset, data, size);
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

static bool is_placed(const struct plan *p, const struct co_bsection *s)
{
    return p->b->segment_count && (s->header.flags & SHF_ALLOC) && !s->moved;
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
        if (!b->sections[i].removed && is_placed(p, &b->sections[i]) && b->sections[i].header.type != SHT_NOBITS)
            end = max_u64(end, b->sections[i].header.offset + b->sections[i].stored.size);
    return end;
}

/* The note segment of a section changes with it. */
static enum codeobj_status follow_note(struct plan *p, const struct codeobj_elf_section *old, const struct codeobj_elf_section *now)
{
    for (size_t i = 0; i < p->segment_count; i++) {
        struct codeobj_elf_segment *s = &p->segments[i];
        if (s->type != PT_NOTE || old->offset < s->offset || old->offset >= s->offset + s->filesz)
            continue;
        if (s->offset != old->offset || s->filesz != old->size)
            return co_fail(p->diag, CODEOBJ_UNSUPPORTED, "section \"%.60s\" shares its note segment with others and cannot change its size", old->name);
        *s = (struct codeobj_elf_segment){ PT_NOTE, s->flags, now->offset, now->addr, now->addr, now->size, now->size, s->align };
    }
    return CODEOBJ_OK;
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
    struct codeobj_elf_section old = s->header;
    size_t room = s->stored.size;
    co_buffer_fill(&bytes, 0, room > bytes.size ? room - bytes.size : 0);
    s->header.size = s->owned ? s->data.size : s->stored.size;
    if (!bytes.failed)
        patch(p, s->header.offset, bytes.data, room);
    co_buffer_free(&bytes);
    return s->header.type == SHT_NOTE && old.size != s->header.size ? follow_note(p, &old, &s->header) : CODEOBJ_OK;
}

/* Moves outgrown notes and the program headers into a new segment at the end. */
static enum codeobj_status add_note_segment(struct plan *p)
{
    struct codeobj_builder *b = p->b;
    uint64_t top = 0;
    size_t last = 0;
    for (size_t i = 0; i < p->segment_count; i++)
        if (p->segments[i].type == PT_LOAD) {
            top = max_u64(top, p->segments[i].vaddr + p->segments[i].memsz);
            last = i + 1;
        }
    if (top > UINT64_MAX - 2 * PAGE)
        return co_fail(p->diag, CODEOBJ_INVALID, "no address is left for a new segment");
    co_buffer_align(p->out, 8);
    uint64_t start = p->out->size, vaddr = ((top + PAGE - 1) & ~(uint64_t)(PAGE - 1)) + start % PAGE;
    p->phoff = start;
    co_buffer_fill(p->out, 0, (p->segment_count + 1) * phdr_size(b));
    for (uint32_t i = 1; i < b->section_count; i++) {
        struct co_bsection *s = &b->sections[i];
        if (s->removed || !s->moved)
            continue;
        struct codeobj_elf_section old = s->header;
        if (!append_section(p, s))
            return co_no_memory(p->diag);
        s->header.addr = vaddr + (s->header.offset - start);
        enum codeobj_status st = follow_note(p, &old, &s->header);
        if (st)
            return st;
    }
    uint64_t size = p->out->size - start;
    memmove(&p->segments[last + 1], &p->segments[last], (p->segment_count - last) * sizeof *p->segments);
    p->segments[last] = (struct codeobj_elf_segment){ PT_LOAD, PF_R, start, vaddr, vaddr, size, size, PAGE };
    p->segment_count++;
    for (size_t i = 0; i < p->segment_count; i++)
        if (p->segments[i].type == PT_PHDR) {
            uint64_t bytes = p->segment_count * phdr_size(b);
            p->segments[i] = (struct codeobj_elf_segment){ PT_PHDR, PF_R, start, vaddr, vaddr, bytes, bytes, 8 };
        }
    return CODEOBJ_OK;
}

static enum codeobj_status lay_out_linked(struct plan *p)
{
    struct codeobj_builder *b = p->b;
    size_t size;
    const void *bytes = codeobj_elf_bytes(b->elf, &size);
    uint64_t end = fixed_end(p);
    co_buffer_add(p->out, bytes, end < size ? (size_t)end : size);
    enum codeobj_status st = CODEOBJ_OK;
    bool moved = false;
    for (uint32_t i = 1; !st && i < b->section_count; i++) {
        moved |= !b->sections[i].removed && b->sections[i].moved;
        if (!b->sections[i].removed && is_placed(p, &b->sections[i]))
            st = rewrite_placed(p, &b->sections[i]);
    }
    if (!st && moved)
        st = add_note_segment(p);
    for (uint32_t i = 1; !st && i < b->section_count; i++) {
        struct co_bsection *s = &b->sections[i];
        if (!s->removed && !is_placed(p, s) && !s->moved && s->header.type != SHT_NULL && !append_section(p, s))
            st = co_no_memory(p->diag);
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
            patch(p, s->header.offset, s->data.data, s->data.size);
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
        patch(p, p->phoff + i * phent, entry, phent);
    }
    encode_header(p, header);
    patch(p, 0, header, ehdr_size(b));
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
    for (uint32_t i = 1; i < b->section_count; i++)
        resized |= b->sections[i].resized || b->sections[i].moved;
    p->changed = b->symbols_changed || b->sections_changed;
    enum codeobj_status st = p->changed ? ensure_tables(b, p->diag) : CODEOBJ_OK;
    if (st || (st = number(p)))
        return st;
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
    if (!st)
        st = b->segment_count ? lay_out_linked(p) : lay_out_packed(p);
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
    free(p.segments);
    co_buffer_free(&p.names);
    return st ? st : out->failed ? co_no_memory(diag) : CODEOBJ_OK;
}

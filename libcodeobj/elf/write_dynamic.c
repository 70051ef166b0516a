/* SPDX-License-Identifier: MIT
 *
 * elf/write_dynamic.c - the dynamic symbols of a linked object that was edited.
 *
 * Rules: System V ABI (gABI), Dynamic Section, Hash Table; the GNU hash table
 * as the GNU C library reads it (dl-lookup): symbols before symoffset are not
 * hashed, the others stand in the order of their buckets; a Bloom filter of
 * words as wide as an address comes first.
 *
 * .dynstr keeps what it holds, because names of libraries and versions point
 * into it; new names go behind.  A table that takes no more bytes than before
 * stays in its place, one that outgrew it moves, and .dynamic follows.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "elf/hash.h"
#include "elf/write.h"

enum { FIRST_RESERVED = SHN_LORESERVE, BLOOM_SHIFT = 26, VERSION_GLOBAL = 1 };

static size_t symbol_size(const struct codeobj_builder *b) { return b->is32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym); }

/* The section of that type that goes with .dynsym; 0: none. */
static uint32_t companion(const struct codeobj_builder *b, uint32_t type)
{
    for (uint32_t i = 1; i < b->section_count; i++)
        if (!b->sections[i].removed && b->sections[i].header.type == type && b->sections[i].header.link == b->dynsym)
            return i;
    return 0;
}

/* ---- order -------------------------------------------------------------------------- */

struct ordered {
    uint32_t symbol, was, bucket;
    uint8_t rank; /* 0 local, 1 undefined, 2 hashed */
};

/* Local and undefined ones first; the others by bucket, then as they were, new ones last. */
static int by_bucket(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->bucket != y->bucket)
        return x->bucket < y->bucket ? -1 : 1;
    return x->was != y->was ? (x->was < y->was ? -1 : 1) : (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

static uint32_t bucket_count(uint32_t hashed) { return hashed / 4 ? hashed / 4 : 1; }

static enum codeobj_status order_symbols(struct plan *p, bool by_hash, uint32_t *first_hashed)
{
    struct codeobj_builder *b = p->b;
    struct ordered *list = calloc(b->symbol_count + 1u, sizeof *list);
    p->dynamic_count = (uint32_t)codeobj_elf_symbol_count(b->elf, CODEOBJ_DYNSYM);
    p->dynamic_map = calloc(p->dynamic_count + 1u, sizeof *p->dynamic_map);
    p->dynamic_order = calloc(b->symbol_count + 1u, sizeof *p->dynamic_order);
    if (!list || !p->dynamic_map || !p->dynamic_order) {
        free(list);
        return co_no_memory(p->diag);
    }
    uint32_t count = 0, hashed = 0, locals = 0;
    for (uint32_t i = 1; i < b->symbol_count; i++) {
        const struct co_bsymbol_state *state = &b->symbol_states[i];
        const struct codeobj_elf_symbol *s = &b->symbols[i];
        if (state->removed || !state->in_dynsym)
            continue;
        uint8_t rank = s->binding == STB_LOCAL ? 0 : s->shndx == CODEOBJ_SHN_UNDEF ? 1 : 2;
        list[count++] = (struct ordered){ i, state->dynamic ? state->dynamic : UINT32_MAX, 0, rank };
        locals += rank == 0;
        hashed += rank == 2;
    }
    for (uint32_t i = 0; i < count && by_hash; i++)
        if (list[i].rank == 2)
            list[i].bucket = co_gnu_hash(b->symbols[list[i].symbol].name) % bucket_count(hashed);
    qsort(list, count, sizeof *list, by_bucket);
    for (uint32_t i = 0; i < count; i++) {
        p->dynamic_order[i + 1] = list[i].symbol;
        if (b->symbol_states[list[i].symbol].dynamic)
            p->dynamic_map[b->symbol_states[list[i].symbol].dynamic] = i + 1;
    }
    p->dynamic_size = count + 1;
    *first_hashed = count + 1 - hashed;
    b->sections[b->dynsym].header.info = locals + 1;
    free(list);
    return CODEOBJ_OK;
}

/* ---- tables ---------------------------------------------------------------------------- */

/* A name that the opened table has at that place, or one that is added. */
static uint32_t string_offset(const struct codeobj_builder *b, uint32_t idx, struct co_buffer *strings, size_t kept)
{
    const struct co_bsymbol_state *state = &b->symbol_states[idx];
    const char *name = b->symbols[idx].name;
    struct co_span old = b->sections[b->dynsym].stored;
    size_t at = state->dynamic * symbol_size(b);
    if (state->dynamic && co_span_has(old, at, 4)) {
        uint32_t off = co_load32(old.data + at);
        const char *was = co_span_str(co_span_make(strings->data, kept), off);
        if (was && !strcmp(was, name))
            return off;
    }
    uint32_t off = (uint32_t)strings->size;
    co_buffer_add(strings, name, strlen(name) + 1);
    return off;
}

static void make_symbols(struct plan *p, struct co_buffer *table, struct co_buffer *strings)
{
    struct codeobj_builder *b = p->b;
    size_t kept = strings->size;
    co_buffer_fill(table, 0, p->dynamic_size * symbol_size(b));
    for (uint32_t i = 1; i < p->dynamic_size && !table->failed && !strings->failed; i++) {
        const struct codeobj_elf_symbol *s = &b->symbols[p->dynamic_order[i]];
        /* Section indices are the builder's: write.c makes final ones of them. */
        uint16_t shndx = (uint16_t)(s->shndx & 0xffff);
        co_encode_symbol(b->is32, table->data + i * symbol_size(b), string_offset(b, p->dynamic_order[i], strings, kept), shndx, s);
    }
}

static void put32(struct co_buffer *out, uint32_t v)
{
    uint8_t word[4];
    co_store32(word, v);
    co_buffer_add(out, word, 4);
}

static void make_sysv_hash(const struct plan *p, struct co_buffer *out)
{
    uint32_t n = p->dynamic_size;
    put32(out, n);
    put32(out, n);
    co_buffer_fill(out, 0, (size_t)n * 8);
    for (uint32_t i = 1; i < n && !out->failed; i++) {
        uint8_t *bucket = out->data + 8 + 4 * (size_t)(co_sysv_hash(p->b->symbols[p->dynamic_order[i]].name) % n);
        co_store32(out->data + 8 + 4 * ((size_t)n + i), co_load32(bucket));
        co_store32(bucket, i);
    }
}

static void make_gnu_hash(const struct plan *p, uint32_t first, struct co_buffer *out)
{
    unsigned bits = p->b->is32 ? 32 : 64;
    uint32_t hashed = p->dynamic_size - first, buckets = bucket_count(hashed), words = 1;
    while (words < hashed * 12 / bits)
        words *= 2;
    put32(out, buckets);
    put32(out, first);
    put32(out, words);
    put32(out, BLOOM_SHIFT);
    size_t bloom = out->size, bucket_at = bloom + words * (bits / 8), chain_at = bucket_at + 4 * (size_t)buckets;
    co_buffer_fill(out, 0, chain_at + 4 * (size_t)hashed - bloom);
    if (out->failed)
        return;
    for (uint32_t i = first; i < p->dynamic_size; i++) {
        uint32_t h = co_gnu_hash(p->b->symbols[p->dynamic_order[i]].name), bucket = h % buckets;
        uint8_t *word = out->data + bloom + (h / bits % words) * (bits / 8);
        for (int k = 0; k < 2; k++) {
            unsigned bit = (k ? h >> BLOOM_SHIFT : h) % bits;
            word[bit / 8] |= (uint8_t)(1u << bit % 8);
        }
        if (!co_load32(out->data + bucket_at + 4 * bucket))
            co_store32(out->data + bucket_at + 4 * bucket, i);
        bool last = i + 1 == p->dynamic_size || co_gnu_hash(p->b->symbols[p->dynamic_order[i + 1]].name) % buckets != bucket;
        co_store32(out->data + chain_at + 4 * (size_t)(i - first), last ? h | 1 : h & ~1u);
    }
}

static void make_versions(const struct plan *p, struct co_span old, struct co_buffer *out)
{
    co_buffer_fill(out, 0, 2 * (size_t)p->dynamic_size);
    for (uint32_t i = 1; i < p->dynamic_size && !out->failed; i++) {
        uint32_t was = p->b->symbol_states[p->dynamic_order[i]].dynamic;
        uint16_t version = VERSION_GLOBAL;
        if (was)
            co_span_u16(old, 2 * (uint64_t)was, &version);
        co_store16(out->data + 2 * i, version);
    }
}

/* New bytes for section idx, which moves if they do not fit its place. */
static enum codeobj_status replace(struct plan *p, uint32_t idx, struct co_buffer *bytes)
{
    struct co_bsection *s = &p->b->sections[idx];
    if (bytes->failed) {
        co_buffer_free(bytes);
        return co_no_memory(p->diag);
    }
    s->moved = bytes->size > s->stored.size;
    co_plan_replace(s, *bytes);
    return CODEOBJ_OK;
}

enum codeobj_status co_plan_dynamic_symbols(struct plan *p)
{
    struct codeobj_builder *b = p->b;
    uint32_t strtab = b->sections[b->dynsym].header.link, first_hashed = 0;
    uint32_t hash = companion(b, SHT_HASH), gnu = companion(b, SHT_GNU_HASH), versions = companion(b, SHT_GNU_versym);
    struct co_buffer table = { 0 }, strings = { 0 }, bytes = { 0 };
    if (!strtab || strtab >= b->section_count || b->sections[strtab].removed)
        return co_fail(p->diag, CODEOBJ_INVALID, "the dynamic symbol table has no string table");
    if (b->section_count >= FIRST_RESERVED)
        return co_fail(p->diag, CODEOBJ_UNSUPPORTED, "dynamic symbols of an object with %u sections", b->section_count);
    enum codeobj_status st = order_symbols(p, gnu != 0, &first_hashed);
    if (st)
        return st;
    co_buffer_add(&strings, b->sections[strtab].stored.data, b->sections[strtab].stored.size);
    make_symbols(p, &table, &strings);
    st = replace(p, b->dynsym, &table);
    enum codeobj_status st2 = replace(p, strtab, &strings);
    st = st ? st : st2;
    if (!st && hash) {
        make_sysv_hash(p, &bytes);
        st = replace(p, hash, &bytes);
    }
    bytes = (struct co_buffer){ 0 };
    if (!st && gnu) {
        make_gnu_hash(p, first_hashed, &bytes);
        st = replace(p, gnu, &bytes);
    }
    bytes = (struct co_buffer){ 0 };
    if (!st && versions) {
        make_versions(p, b->sections[versions].stored, &bytes);
        st = replace(p, versions, &bytes);
    }
    return st;
}

/* ---- after layout -------------------------------------------------------------------------- */

/* Tags that hold an address, each with the tag of its table's size. */
static const struct {
    int64_t address, size;
} tags[] = {
    { DT_SYMTAB, 0 },       { DT_STRTAB, DT_STRSZ }, { DT_HASH, 0 },         { DT_GNU_HASH, 0 },       { DT_RELA, DT_RELASZ },
    { DT_REL, DT_RELSZ },   { DT_RELR, DT_RELRSZ },  { DT_JMPREL, DT_PLTRELSZ }, { DT_VERSYM, 0 },     { DT_VERDEF, 0 },
    { DT_VERNEED, 0 },      { 0x6000000f, 0x60000010 }, { 0x60000011, 0x60000012 }, /* DT_ANDROID_REL, DT_ANDROID_RELA */
};

/* The section that was opened at that address and is not as it was; NULL: none. */
static const struct co_bsection *changed_at(const struct plan *p, uint64_t addr)
{
    for (uint32_t i = 1; i < p->b->section_count; i++) {
        const struct co_bsection *s = &p->b->sections[i];
        struct codeobj_elf_section opened;
        if (s->removed || s->added || !(s->header.flags & SHF_ALLOC) || codeobj_elf_section(p->b->elf, i, &opened) || opened.addr != addr ||
            opened.type == SHT_NOBITS || opened.size == 0)
            continue;
        return s->header.addr != opened.addr || s->header.size != opened.size ? s : NULL;
    }
    return NULL;
}

static bool value_of(const struct codeobj_elf *elf, int64_t tag, uint64_t *value)
{
    struct codeobj_elf_dynamic d;
    for (size_t i = 0; !codeobj_elf_dynamic(elf, i, &d); i++)
        if (d.tag == tag) {
            *value = d.value;
            return true;
        }
    return false;
}

static void patch_word(struct plan *p, uint64_t at, uint64_t value)
{
    uint8_t word[8];
    co_store64(word, value);
    co_plan_patch(p, at, word, p->b->is32 ? 4 : 8);
}

/* Looks at the tags as they are written, not at the opened ones: .dynamic may have been given others. */
void co_plan_dynamic_tags(struct plan *p)
{
    uint64_t word = p->b->is32 ? 4 : 8, at = 0, size = 0;
    for (size_t i = 0; i < p->segment_count; i++)
        if (p->segments[i].type == PT_DYNAMIC && !at) {
            at = p->segments[i].offset;
            size = p->segments[i].filesz;
        }
    for (; at && size >= 2 * word && co_span_has(co_span_make(p->out->data, p->out->size), at, 2 * word); at += 2 * word, size -= 2 * word) {
        const uint8_t *e = p->out->data + at;
        int64_t tag = p->b->is32 ? (int32_t)co_load32(e) : (int64_t)co_load64(e);
        uint64_t value = p->b->is32 ? co_load32(e + 4) : co_load64(e + 8);
        if (tag == DT_NULL)
            return;
        for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
            uint64_t addr = value;
            bool is_size = tags[t].size && tag == tags[t].size;
            if (!is_size && tag != tags[t].address)
                continue;
            if (is_size && !value_of(p->b->elf, tags[t].address, &addr))
                continue;
            const struct co_bsection *s = changed_at(p, addr);
            if (s)
                patch_word(p, at + word, is_size ? s->header.size : s->header.addr);
        }
    }
}

bool co_plan_symbol_address(const struct plan *p, const struct codeobj_elf_symbol *symbol, uint64_t *addr)
{
    struct codeobj_elf_section opened;
    if (!symbol->shndx || symbol->shndx >= p->b->section_count || p->b->sections[symbol->shndx].removed)
        return false;
    const struct co_bsection *s = &p->b->sections[symbol->shndx];
    if (!(s->header.flags & SHF_ALLOC))
        return false;
    *addr = symbol->value;
    if (s->added)
        *addr += s->header.addr;
    else if (s->moved && !codeobj_elf_section(p->b->elf, symbol->shndx, &opened))
        *addr += s->header.addr - opened.addr; /* _DYNAMIC */
    return true;
}

/* The value in entry idx of a symbol table, as far as that has as many: it may have been given other bytes. */
static void patch_symbol(struct plan *p, uint32_t table, uint32_t idx, uint64_t value)
{
    const struct codeobj_elf_section *h = &p->b->sections[table].header;
    size_t entry = symbol_size(p->b);
    if (idx < h->size / entry)
        patch_word(p, h->offset + idx * entry + (p->b->is32 ? 4 : 8), value);
}

void co_plan_added_addresses(struct plan *p)
{
    struct codeobj_builder *b = p->b;
    uint64_t addr;
    for (uint32_t i = 1; i < b->symbol_count; i++)
        if (!b->symbol_states[i].removed && b->symbol_states[i].in_symtab && b->symtab && co_plan_symbol_address(p, &b->symbols[i], &addr) &&
            addr != b->symbols[i].value)
            patch_symbol(p, b->symtab, p->symbol_map[i], addr);
    for (uint32_t i = 1; p->dynamic_order && i < p->dynamic_size; i++)
        if (co_plan_symbol_address(p, &b->symbols[p->dynamic_order[i]], &addr) && addr != b->symbols[p->dynamic_order[i]].value)
            patch_symbol(p, b->dynsym, i, addr);
}

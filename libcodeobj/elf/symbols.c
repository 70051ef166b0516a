/* SPDX-License-Identifier: MIT
 *
 * elf/symbols.c - .symtab and .dynsym.
 *
 * Rules: System V ABI, Symbol Table, Hash Table; SHT_SYMTAB_SHNDX for section
 * indices past 0xff00.
 *
 * A stripped or hand-made object may have no section headers; its .dynsym is
 * then found as a loader finds it: DT_SYMTAB for the entries, DT_HASH or
 * DT_GNU_HASH for their number, which no other place tells.
 */
#include <codeobj/elf.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "elf/elf.h"
#include "elf/kernel_symbols.h"

/* ---- checks ------------------------------------------------------------------- */

static enum codeobj_status check_entries(struct codeobj_elf *elf, const struct co_symtab *t, const char *where,
                                         struct codeobj_diag *diag)
{
    size_t entry = co_symbol_size(elf);
    for (size_t i = 0; i < t->count; i++) {
        const uint8_t *p = t->entries.data + i * entry;
        uint32_t name = co_load32(p);
        uint16_t shndx = co_load16(p + (elf->is32 ? 14 : 6));
        enum codeobj_status st = CODEOBJ_OK;
        if (name >= t->names.size && (name || t->names.size))
            st = co_elf_problem(elf, diag, where, i * entry, "name of symbol %zu: offset 0x%x, string table has 0x%zx bytes", i,
                                name, t->names.size);
        else if (shndx == SHN_XINDEX && t->dynamic && !t->xindex.size)
            continue; /* linkers write no index table for .dynsym, and loaders need none */
        else if (shndx == SHN_XINDEX && !co_span_has(t->xindex, i * 4, 4))
            st = co_elf_problem(elf, diag, where, i * entry, "section of symbol %zu: SHN_XINDEX without an index table entry", i);
        else if (shndx < SHN_LORESERVE && shndx >= elf->section_count && t->section_idx)
            st = co_elf_problem(elf, diag, where, i * entry, "section of symbol %zu: index %u of %zu sections", i, shndx,
                                elf->section_count);
        else if (shndx == SHN_XINDEX && co_load32(t->xindex.data + i * 4) >= elf->section_count)
            st = co_elf_problem(elf, diag, where, i * entry, "section of symbol %zu: extended index %u of %zu sections", i,
                                co_load32(t->xindex.data + i * 4), elf->section_count);
        if (st)
            return st;
    }
    return CODEOBJ_OK;
}

static struct co_span find_xindex(const struct codeobj_elf *elf, uint32_t symtab)
{
    for (size_t i = 1; i < elf->section_count; i++)
        if (elf->sections[i].type == SHT_SYMTAB_SHNDX && elf->sections[i].link == symtab)
            return elf->section_bytes[i];
    return (struct co_span){ NULL, 0 };
}

static enum codeobj_status read_table(struct codeobj_elf *elf, uint32_t idx, struct co_symtab *t, struct codeobj_diag *diag)
{
    const struct codeobj_elf_section *s = &elf->sections[idx];
    size_t entry = co_symbol_size(elf);
    struct co_span bytes = elf->section_bytes[idx];
    if (s->entsize && s->entsize != entry)
        return co_elf_problem(elf, diag, s->name, 0, "symbol table entry size: found 0x%llx, expected 0x%zx",
                              (unsigned long long)s->entsize, entry);
    if (bytes.size % entry)
        return co_elf_problem(elf, diag, s->name, bytes.size, "symbol table size 0x%zx is not a multiple of 0x%zx", bytes.size, entry);
    struct co_symtab found = { .present = true, .dynamic = s->type == SHT_DYNSYM, .section_idx = idx, .count = bytes.size / entry, .entries = bytes };
    if (s->link >= elf->section_count || elf->sections[s->link].type != SHT_STRTAB) {
        enum codeobj_status st = co_elf_problem(elf, diag, s->name, 0, "string table of the symbols: section %u is not SHT_STRTAB", s->link);
        if (st)
            return st;
    } else {
        found.names = elf->section_bytes[s->link];
        if (found.names.size && found.names.data[found.names.size - 1]) {
            enum codeobj_status st = co_elf_problem(elf, diag, elf->sections[s->link].name, found.names.size - 1,
                                                    "string table does not end in NUL");
            if (st)
                return st;
            found.names.size = 0;
        }
    }
    found.xindex = find_xindex(elf, idx);
    *t = found;
    return check_entries(elf, t, s->name, diag);
}

/* ---- .dynsym through the dynamic section ----------------------------------------- */

static bool dynamic_value(const struct codeobj_elf *elf, int64_t tag, uint64_t *value)
{
    for (size_t i = 0; i < elf->dynamic_count; i++) {
        struct codeobj_elf_dynamic d;
        codeobj_elf_dynamic(elf, i, &d);
        if (d.tag == tag) {
            *value = d.value;
            return true;
        }
    }
    return false;
}

/* Highest symbol index of a GNU hash table plus one; 0 when it has none or is cut off. */
static size_t gnu_hash_count(const struct codeobj_elf *elf, struct co_span h)
{
    if (h.size < 16)
        return 0;
    uint32_t buckets = co_load32(h.data), first = co_load32(h.data + 4), bloom = co_load32(h.data + 8);
    uint64_t at = 16 + (uint64_t)bloom * (elf->is32 ? 4 : 8), chains = at + (uint64_t)buckets * 4;
    uint32_t last = 0;
    for (uint32_t i = 0; i < buckets; i++) {
        uint32_t sym;
        if (!co_span_u32(h, at + (uint64_t)i * 4, &sym))
            return 0;
        if (sym > last)
            last = sym;
    }
    if (last < first)
        return first; /* all buckets empty: the symbols before the hashed ones */
    for (uint32_t link = 0; !(link & 1); last++)
        if (!co_span_u32(h, chains + (uint64_t)(last - first) * 4, &link))
            return 0;
    return last;
}

static enum codeobj_status read_dynamic_table(struct codeobj_elf *elf, struct co_symtab *t, struct codeobj_diag *diag)
{
    uint64_t symtab, strtab, strsz, hash;
    if (!dynamic_value(elf, DT_SYMTAB, &symtab))
        return CODEOBJ_OK;
    size_t count = 0, entry = co_symbol_size(elf);
    struct co_span s, bytes, names = { NULL, 0 };
    if (dynamic_value(elf, DT_HASH, &hash) && co_elf_at_address(elf, hash, 8, &s))
        count = co_load32(s.data + 4);
    else if (dynamic_value(elf, DT_GNU_HASH, &hash) && co_elf_from_address(elf, hash, &s))
        count = gnu_hash_count(elf, s);
    else
        return co_elf_problem(elf, diag, "PT_DYNAMIC", 0, "neither DT_HASH nor DT_GNU_HASH says how many symbols there are");
    if (!co_elf_at_address(elf, symtab, (uint64_t)count * entry, &bytes))
        return co_elf_problem(elf, diag, "PT_DYNAMIC", 0, "DT_SYMTAB: %zu symbols at 0x%llx are not in a loaded segment", count,
                              (unsigned long long)symtab);
    if (!dynamic_value(elf, DT_STRTAB, &strtab) || !dynamic_value(elf, DT_STRSZ, &strsz) ||
        !co_elf_at_address(elf, strtab, strsz, &names) || (names.size && names.data[names.size - 1])) {
        enum codeobj_status st = co_elf_problem(elf, diag, "PT_DYNAMIC", 0, "DT_STRTAB is not a string table in a loaded segment");
        if (st)
            return st;
        names.size = 0;
    }
    *t = (struct co_symtab){ .present = true, .dynamic = true, .count = count, .entries = bytes, .names = names };
    return check_entries(elf, t, "DT_SYMTAB", diag);
}

enum codeobj_status co_elf_check_symbols(struct codeobj_elf *elf, struct codeobj_diag *diag)
{
    for (uint32_t i = 1; i < elf->section_count; i++) {
        uint32_t type = elf->sections[i].type;
        if (type != SHT_SYMTAB && type != SHT_DYNSYM)
            continue;
        struct co_symtab *t = &elf->symtabs[type == SHT_DYNSYM ? CODEOBJ_DYNSYM : CODEOBJ_SYMTAB];
        if (t->present)
            continue;
        enum codeobj_status st = read_table(elf, i, t, diag);
        if (st)
            return st;
    }
    if (!elf->symtabs[CODEOBJ_DYNSYM].present && elf->dynamic_count)
        return read_dynamic_table(elf, &elf->symtabs[CODEOBJ_DYNSYM], diag);
    return CODEOBJ_OK;
}

/* ---- getters ----------------------------------------------------------------------- */

size_t codeobj_elf_symbol_count(const struct codeobj_elf *elf, enum codeobj_elf_symtab table)
{
    return elf->symtabs[table == CODEOBJ_DYNSYM].count;
}

uint32_t codeobj_elf_symtab_section(const struct codeobj_elf *elf, enum codeobj_elf_symtab table)
{
    return elf->symtabs[table == CODEOBJ_DYNSYM].section_idx;
}

static void load_symbol(const struct codeobj_elf *elf, const struct co_symtab *t, size_t idx, struct codeobj_elf_symbol *out)
{
    const uint8_t *p = t->entries.data + idx * co_symbol_size(elf);
    uint32_t name = co_load32(p), shndx = co_load16(p + (elf->is32 ? 14 : 6));
    uint8_t info = p[elf->is32 ? 12 : 4], other = p[elf->is32 ? 13 : 5];
    if (shndx == SHN_XINDEX)
        shndx = co_span_has(t->xindex, idx * 4, 4) ? co_load32(t->xindex.data + idx * 4) : CODEOBJ_SHN_UNKNOWN;
    else if (shndx >= SHN_LORESERVE)
        shndx |= 0xffff0000u; /* 0xfff1 SHN_ABS becomes CODEOBJ_SHN_ABS */
    *out = (struct codeobj_elf_symbol){
        .name = name < t->names.size ? (const char *)t->names.data + name : "",
        .idx = (uint32_t)idx, .binding = info >> 4, .type = info & 15, .visibility = other & 3, .other = other, .shndx = shndx,
        .value = elf->is32 ? co_load32(p + 4) : co_load64(p + 8), .size = elf->is32 ? co_load32(p + 8) : co_load64(p + 16),
    };
}

enum codeobj_status codeobj_elf_symbol(const struct codeobj_elf *elf, enum codeobj_elf_symtab table, size_t idx,
                                       struct codeobj_elf_symbol *out)
{
    const struct co_symtab *t = &elf->symtabs[table == CODEOBJ_DYNSYM];
    if (idx >= t->count)
        return CODEOBJ_INVALID;
    load_symbol(elf, t, idx, out);
    return CODEOBJ_OK;
}

/* ---- by name -------------------------------------------------------------------------
 * An open-addressing table of symbol indices, made by the first look-up and
 * published with a compare-and-swap, so that the object stays immutable to its
 * users.  Without memory for it look-ups are linear: slower, not wrong. */

struct co_symbol_index {
    size_t mask;
    uint32_t slots[]; /* symbol index, 0: empty (symbol 0 has no name) */
};

enum {
    INDEX_MIN_SYMBOLS = 16,
    HASHED_BYTES = 4096, /* a hostile table may give every symbol one huge name */
};

/* A name to find: `size` bytes without a NUL, then `suffix`. */
struct key {
    const char *name;
    size_t size;
    const char *suffix;
};

static uint32_t hash_more(uint32_t h, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        h = (h ^ (uint8_t)bytes[i]) * 16777619u; /* FNV-1a */
    return h;
}

static uint32_t hash_key(const struct key *k)
{
    size_t size = k->size < HASHED_BYTES ? k->size : HASHED_BYTES, more = strnlen(k->suffix, HASHED_BYTES - size);
    return hash_more(hash_more(2166136261u, k->name, size), k->suffix, more);
}

static uint32_t hash_name(const char *name)
{
    return hash_key(&(struct key){ name, strnlen(name, HASHED_BYTES), "" });
}

static bool has_name(const struct key *k, const char *name)
{
    return !strncmp(name, k->name, k->size) && !strcmp(name + k->size, k->suffix);
}

static const char *symbol_name(const struct codeobj_elf *elf, const struct co_symtab *t, size_t idx)
{
    uint32_t name = co_load32(t->entries.data + idx * co_symbol_size(elf));
    return name < t->names.size ? (const char *)t->names.data + name : "";
}

static bool is_definition(const struct codeobj_elf_symbol *s)
{
    return s->shndx != CODEOBJ_SHN_UNDEF && s->type != STT_SECTION && s->type != STT_FILE && s->name[0];
}

static struct co_symbol_index *build_index(const struct codeobj_elf *elf, const struct co_symtab *t)
{
    size_t slots = 32;
    while (slots < t->count * 2)
        slots *= 2;
    struct co_symbol_index *index = calloc(1, sizeof *index + slots * sizeof *index->slots);
    if (!index)
        return NULL;
    index->mask = slots - 1;
    for (size_t i = 1; i < t->count; i++) {
        struct codeobj_elf_symbol s;
        load_symbol(elf, t, i, &s);
        if (!is_definition(&s))
            continue;
        /* Only the first of equal names is kept. */
        size_t at = hash_name(s.name) & index->mask;
        for (; index->slots[at]; at = (at + 1) & index->mask) {
            const char *other = symbol_name(elf, t, index->slots[at]);
            if (other == s.name || !strcmp(other, s.name))
                break;
        }
        if (!index->slots[at])
            index->slots[at] = (uint32_t)i;
    }
    return index;
}

static struct co_symbol_index *get_index(const struct codeobj_elf *elf, int table)
{
    _Atomic(struct co_symbol_index *) *place = &((struct codeobj_elf *)elf)->index[table];
    struct co_symbol_index *index = atomic_load(place);
    if (index)
        return index;
    index = build_index(elf, &elf->symtabs[table]);
    struct co_symbol_index *other = NULL;
    if (index && !atomic_compare_exchange_strong(place, &other, index)) {
        free(index);
        index = other;
    }
    return index;
}

static bool find_in(const struct codeobj_elf *elf, int table, const struct key *key, struct codeobj_elf_symbol *out)
{
    const struct co_symtab *t = &elf->symtabs[table];
    struct codeobj_elf_symbol s;
    struct co_symbol_index *index = t->count >= INDEX_MIN_SYMBOLS ? get_index(elf, table) : NULL;
    if (index) {
        for (size_t at = hash_key(key) & index->mask; index->slots[at]; at = (at + 1) & index->mask) {
            if (has_name(key, symbol_name(elf, t, index->slots[at]))) {
                load_symbol(elf, t, index->slots[at], out);
                return true;
            }
        }
        return false;
    }
    for (size_t i = 1; i < t->count; i++) {
        load_symbol(elf, t, i, &s);
        if (is_definition(&s) && has_name(key, s.name)) {
            *out = s;
            return true;
        }
    }
    return false;
}

static bool find_in_both(const struct codeobj_elf *elf, const struct key *key, struct codeobj_elf_symbol *out)
{
    return find_in(elf, CODEOBJ_SYMTAB, key, out) || find_in(elf, CODEOBJ_DYNSYM, key, out);
}

enum codeobj_status codeobj_elf_symbol_by_name(const struct codeobj_elf *elf, const char *name, struct codeobj_elf_symbol *out)
{
    struct key key = { name, strlen(name), "" };
    return find_in_both(elf, &key, out) ? CODEOBJ_OK : CODEOBJ_NOT_FOUND;
}

enum codeobj_status codeobj_elf_dynamic_symbol_by_name(const struct codeobj_elf *elf, const char *name, struct codeobj_elf_symbol *out)
{
    struct key key = { name, strlen(name), "" };
    return find_in(elf, CODEOBJ_DYNSYM, &key, out) ? CODEOBJ_OK : CODEOBJ_NOT_FOUND;
}

bool co_elf_symbol_by_parts(const struct codeobj_elf *elf, const char *name, size_t size, const char *suffix, struct codeobj_elf_symbol *out)
{
    struct key key = { name, size, suffix };
    return find_in_both(elf, &key, out);
}

/* ---- kernels -------------------------------------------------------------------------- */

struct co_kernel_list {
    size_t count;
    uint32_t symbols[];
};

bool co_elf_is_kernel_symbol(const struct codeobj_elf_symbol *s)
{
    if (s->shndx == CODEOBJ_SHN_UNDEF)
        return false;
    if (s->type == CO_STT_AMDGPU_HSA_KERNEL)
        return true;
    size_t n = strlen(s->name);
    return n > 3 && !memcmp(s->name + n - 3, ".kd", 3) && (s->type == STT_OBJECT || s->type == STT_NOTYPE);
}

static enum codeobj_elf_symtab kernel_table(const struct codeobj_elf *elf)
{
    return elf->symtabs[CODEOBJ_SYMTAB].count ? CODEOBJ_SYMTAB : CODEOBJ_DYNSYM;
}

static size_t next_kernel(const struct codeobj_elf *elf, const struct co_symtab *t, size_t from)
{
    struct codeobj_elf_symbol s;
    for (; from < t->count; from++) {
        load_symbol(elf, t, from, &s);
        if (co_elf_is_kernel_symbol(&s))
            break;
    }
    return from;
}

static struct co_kernel_list *get_kernels(const struct codeobj_elf *elf)
{
    _Atomic(struct co_kernel_list *) *place = &((struct codeobj_elf *)elf)->kernels;
    struct co_kernel_list *list = atomic_load(place), *other = NULL;
    if (list)
        return list;
    const struct co_symtab *t = &elf->symtabs[kernel_table(elf)];
    size_t count = 0;
    for (size_t i = next_kernel(elf, t, 1); i < t->count; i = next_kernel(elf, t, i + 1))
        count++;
    list = malloc(sizeof *list + count * sizeof *list->symbols);
    if (!list)
        return NULL;
    list->count = 0;
    for (size_t i = next_kernel(elf, t, 1); i < t->count; i = next_kernel(elf, t, i + 1))
        list->symbols[list->count++] = (uint32_t)i;
    if (!atomic_compare_exchange_strong(place, &other, list)) {
        free(list);
        list = other;
    }
    return list;
}

size_t co_elf_kernel_count(const struct codeobj_elf *elf)
{
    struct co_kernel_list *list = get_kernels(elf);
    if (list)
        return list->count;
    const struct co_symtab *t = &elf->symtabs[kernel_table(elf)];
    size_t count = 0;
    for (size_t i = next_kernel(elf, t, 1); i < t->count; i = next_kernel(elf, t, i + 1))
        count++;
    return count;
}

bool co_elf_kernel_symbol(const struct codeobj_elf *elf, size_t idx, struct codeobj_elf_symbol *out)
{
    const struct co_symtab *t = &elf->symtabs[kernel_table(elf)];
    struct co_kernel_list *list = get_kernels(elf);
    size_t at;
    if (list) {
        if (idx >= list->count)
            return false;
        at = list->symbols[idx];
    } else {
        for (at = next_kernel(elf, t, 1); at < t->count && idx; at = next_kernel(elf, t, at + 1))
            idx--;
    }
    if (at >= t->count)
        return false;
    load_symbol(elf, t, at, out);
    return true;
}

void co_elf_free_indexes(struct codeobj_elf *elf)
{
    for (int i = 0; i < 2; i++)
        free(atomic_load(&elf->index[i]));
    free(atomic_load(&elf->kernels));
}

/* SPDX-License-Identifier: MIT
 *
 * check/dynamic.c - the dynamic section as a loader follows it: the addresses of
 * its tables, and whether the hash tables lead to the symbols.
 *
 * Rules: System V ABI, Dynamic Section and Hash Table; for DT_GNU_HASH what
 * linkers and the C libraries agree on: header of four words (buckets, index of
 * the first hashed symbol, words of the Bloom filter, its shift), filter, buckets,
 * chains whose last entry has bit 0 set.
 */
#include "check/check.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "elf/elf.h"
#include "elf/hash.h"

enum { MAX_MISSES = 20, STEPS_EACH = 64, STEPS_LEAST = 1 << 16 };

static bool tag_value(const struct co_check *c, int64_t tag, uint64_t *value)
{
    struct codeobj_elf_dynamic d;
    for (size_t i = 0; !codeobj_elf_dynamic(c->elf, i, &d); i++)
        if (d.tag == tag) {
            *value = d.value;
            return true;
        }
    return false;
}

/* ---- addresses ----------------------------------------------------------------------- */

/* Is there a table of so many bytes? */
static bool check_address(struct co_check *c, const char *name, int64_t tag, uint64_t size)
{
    uint64_t addr;
    struct co_span bytes;
    if (!tag_value(c, tag, &addr)) {
        co_check_say(c, CO_CHECK_BAD_DYNAMIC, "PT_DYNAMIC", name, "no %s", name);
        return false;
    }
    if (!co_elf_at_address(c->elf, addr, size, &bytes)) {
        co_check_say(c, CO_CHECK_BAD_DYNAMIC, "PT_DYNAMIC", "", "%s 0x%llx, %llu bytes", name, (unsigned long long)addr, (unsigned long long)size);
        return false;
    }
    return true;
}

/* Where there are section headers too, both have to mean the same symbols. */
static void check_symtab(struct co_check *c)
{
    uint32_t idx = codeobj_elf_symtab_section(c->elf, CODEOBJ_DYNSYM);
    size_t count = codeobj_elf_symbol_count(c->elf, CODEOBJ_DYNSYM);
    struct codeobj_elf_section s;
    uint64_t addr;
    if (!check_address(c, "DT_SYMTAB", DT_SYMTAB, (uint64_t)count * co_symbol_size(c->elf)) || !tag_value(c, DT_SYMTAB, &addr))
        return;
    if (idx && !codeobj_elf_section(c->elf, idx, &s) && addr != s.addr) {
        char needed[64];
        snprintf(needed, sizeof needed, "0x%llx, the address of %.30s", (unsigned long long)s.addr, s.name);
        co_check_say(c, CO_CHECK_BAD_DYNAMIC, "PT_DYNAMIC", needed, "DT_SYMTAB 0x%llx", (unsigned long long)addr);
    }
}

static void check_needed(struct co_check *c)
{
    struct codeobj_elf_dynamic d;
    for (size_t i = 0; !c->stop && !codeobj_elf_dynamic(c->elf, i, &d); i++) {
        const char *name = d.tag == DT_NEEDED ? codeobj_elf_dynamic_string(c->elf, &d) : NULL;
        if (name)
            co_check_say(c, CO_CHECK_NEEDED_LIBRARY, "PT_DYNAMIC", "", "%.150s", name);
        else if (d.tag == DT_NEEDED)
            co_check_say(c, CO_CHECK_BAD_DYNAMIC, "PT_DYNAMIC", "a place in DT_STRTAB", "DT_NEEDED 0x%llx", (unsigned long long)d.value);
    }
}

/* ---- hash tables ----------------------------------------------------------------------- */

struct table {
    struct co_span bytes; /* from the table's address to the end of its segment */
    const char *name;
    uint64_t steps; /* along chains that are left; a table whose chains take more is not judged further */
};

static bool sysv_finds(const struct co_check *c, struct table *t, const char *name, uint32_t idx)
{
    uint32_t buckets, chains, at;
    (void)c;
    if (!co_span_u32(t->bytes, 0, &buckets) || !co_span_u32(t->bytes, 4, &chains) || !buckets ||
        !co_span_u32(t->bytes, 8 + (uint64_t)(co_sysv_hash(name) % buckets) * 4, &at))
        return false;
    for (; at; t->steps--) {
        if (at == idx || !t->steps)
            return true;
        if (at >= chains || !co_span_u32(t->bytes, 8 + ((uint64_t)buckets + at) * 4, &at))
            return false;
    }
    return false;
}

static bool gnu_finds(const struct co_check *c, struct table *t, const char *name, uint32_t idx)
{
    uint32_t head[4], at, link, hash = co_gnu_hash(name);
    unsigned bits = c->elf->is32 ? 32 : 64;
    for (unsigned i = 0; i < 4; i++)
        if (!co_span_u32(t->bytes, 4 * i, &head[i]))
            return false;
    uint32_t buckets = head[0], first = head[1], words = head[2], shift = head[3] & 31;
    uint64_t filter = 16, table = filter + (uint64_t)words * (bits / 8), chain = table + (uint64_t)buckets * 4;
    struct co_span word;
    if (!buckets || !words || !co_span_sub(t->bytes, filter + hash / bits % words * (bits / 8), bits / 8, &word))
        return false;
    uint64_t set = co_load_word(c->elf, word.data);
    if (!(set >> hash % bits & 1) || !(set >> (hash >> shift) % bits & 1) || !co_span_u32(t->bytes, table + (uint64_t)(hash % buckets) * 4, &at))
        return false;
    for (; at >= first; at++, t->steps--) {
        if (!t->steps)
            return true;
        if (!co_span_u32(t->bytes, chain + ((uint64_t)at - first) * 4, &link))
            return false;
        if (at == idx)
            return (link | 1) == (hash | 1);
        if (link & 1)
            return false;
    }
    return false;
}

static void check_table(struct co_check *c, struct table *t, bool (*finds)(const struct co_check *, struct table *, const char *, uint32_t))
{
    struct codeobj_elf_symbol s;
    size_t misses = 0;
    for (size_t i = 1; !c->stop && !codeobj_elf_symbol(c->elf, CODEOBJ_DYNSYM, i, &s); i++) {
        if (s.shndx == CODEOBJ_SHN_UNDEF || s.binding == STB_LOCAL || !s.name[0] || finds(c, t, s.name, s.idx) || misses++ >= MAX_MISSES)
            continue;
        char where[192];
        snprintf(where, sizeof where, "symbol \"%.150s\"", s.name);
        co_check_say(c, CO_CHECK_HASH_MISSES, where, "", "%s does not lead to it", t->name);
    }
    if (misses > MAX_MISSES)
        co_check_say(c, CO_CHECK_HASH_MISSES, "PT_DYNAMIC", "", "%s does not lead to %zu more symbols", t->name, misses - MAX_MISSES);
}

static void check_hash(struct co_check *c, const char *name, int64_t tag,
                       bool (*finds)(const struct co_check *, struct table *, const char *, uint32_t))
{
    struct table t = { .name = name, .steps = STEPS_LEAST + STEPS_EACH * (uint64_t)codeobj_elf_symbol_count(c->elf, CODEOBJ_DYNSYM) };
    uint64_t addr;
    if (!tag_value(c, tag, &addr))
        return;
    if (co_elf_from_address(c->elf, addr, &t.bytes))
        check_table(c, &t, finds);
    else
        co_check_say(c, CO_CHECK_BAD_DYNAMIC, "PT_DYNAMIC", "", "%s 0x%llx", name, (unsigned long long)addr);
}

void co_check_dynamic(struct co_check *c)
{
    uint64_t size = 0, unused;
    if (!tag_value(c, DT_HASH, &unused) && !tag_value(c, DT_GNU_HASH, &unused))
        co_check_say(c, CO_CHECK_NO_HASH, "PT_DYNAMIC", "", "neither");
    check_symtab(c);
    if (!tag_value(c, DT_STRSZ, &size))
        co_check_say(c, CO_CHECK_BAD_DYNAMIC, "PT_DYNAMIC", "DT_STRSZ", "no DT_STRSZ");
    check_address(c, "DT_STRTAB", DT_STRTAB, size);
    check_hash(c, "DT_HASH", DT_HASH, sysv_finds);
    check_hash(c, "DT_GNU_HASH", DT_GNU_HASH, gnu_finds);
    check_needed(c);
}

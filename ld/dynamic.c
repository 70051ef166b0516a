/* SPDX-License-Identifier: MIT
 *
 * ld/dynamic.c - what a loader reads: .dynsym, .dynstr, both hash tables, symbol
 * versions, .rela.dyn, .dynamic.
 *
 * co_ld_make_dynamic decides which of them exist and how large they are (after
 * the relocations have been scanned, before addresses); co_ld_fill_dynamic
 * writes them (after).  Order of .dynsym: null, undefined symbols, then defined
 * ones by GNU hash bucket, as .gnu.hash demands.
 *
 * Sources: gABI, Dynamic Linking; for .gnu.hash its only specification is GNU
 * ld's behaviour: header (buckets, first hashed symbol, Bloom words, shift),
 * Bloom filter of 64-bit words, buckets, one chain word per hashed symbol whose
 * low bit ends the chain.
 */
#include "ld.h"

#include <stdlib.h>

enum { BLOOM_SHIFT = 26, BLOOM_BITS_PER_SYMBOL = 12 };

enum {
    DT_NULL, DT_NEEDED, DT_HASH = 4, DT_STRTAB, DT_SYMTAB, DT_RELA, DT_RELASZ, DT_RELAENT, DT_STRSZ, DT_SYMENT,
    DT_INIT, DT_FINI, DT_SONAME, DT_RPATH, DT_REL = 17, DT_RELSZ, DT_RELENT, DT_DEBUG = 21, DT_TEXTREL, DT_INIT_ARRAY = 25, DT_FINI_ARRAY,
    DT_INIT_ARRAYSZ, DT_FINI_ARRAYSZ, DT_RUNPATH, DT_FLAGS, DT_PREINIT_ARRAY = 32, DT_PREINIT_ARRAYSZ, DT_RELRSZ = 35, DT_RELR, DT_RELRENT,
    DT_ANDROID_REL = 0x6000000f, DT_ANDROID_RELSZ, DT_ANDROID_RELA, DT_ANDROID_RELASZ,
    DT_ANDROID_RELR = 0x6fffe000, DT_ANDROID_RELRSZ, DT_ANDROID_RELRENT = 0x6fffe003
};
#define DT_GNU_HASH 0x6ffffef5
#define DT_VERSYM 0x6ffffff0
#define DT_RELACOUNT 0x6ffffff9
#define DT_RELCOUNT 0x6ffffffa
#define DT_FLAGS_1 0x6ffffffb
#define DT_VERDEF 0x6ffffffc
#define DT_VERDEFNUM 0x6ffffffd
enum { DF_SYMBOLIC = 2, DF_TEXTREL = 4, DF_BIND_NOW = 8, DF_1_NOW = 1, DF_1_PIE = 0x08000000 };

static uint32_t gnu_hash(const char *s)
{
    uint32_t h = 5381;
    for (; *s; s++)
        h = h * 33 + (uint8_t)*s;
    return h;
}

static uint32_t sysv_hash(const char *s)
{
    uint32_t h = 0;
    for (; *s; s++) {
        h = (h << 4) + (uint8_t)*s;
        uint32_t g = h & 0xf0000000u;
        h ^= g >> 24;
        h &= ~g;
    }
    return h;
}

/* ---- .dynsym ------------------------------------------------------------------- */

struct hashed {
    struct ld_symbol *sym;
    uint32_t hash, bucket;
    size_t seq;
};

static int by_bucket(const void *a, const void *b)
{
    const struct hashed *x = a, *y = b;
    if (x->bucket != y->bucket)
        return x->bucket < y->bucket ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static bool is_defined(const struct ld_symbol *s)
{
    return s->kind == SYM_DEFINED || s->kind == SYM_COMMON;
}

static bool in_output(const struct ld *ld, const struct ld_symbol *s)
{
    if (!s->in_dynsym || !s->used)
        return false;
    if (is_defined(s))
        return !s->sec || s->sec->live;
    return !ld->collecting || s->marked || s->got;
}

static uint32_t bucket_count(size_t hashed)
{
    return hashed / 4 ? (uint32_t)(hashed / 4) : 1;
}

static void order_dynsyms(struct ld *ld)
{
    VEC(struct hashed) defined = { 0 };
    bool by_hash = ld->opt.hash == CODEOBJ_HASH_BOTH || ld->opt.hash == CODEOBJ_HASH_GNU;
    EACH(i, ld->symbols) {
        struct ld_symbol *s = ld->symbols.items[i];
        if (!in_output(ld, s))
            continue;
        s->dyn_name = co_ld_strtab_append(ld, ld->dynstr, s->name, s->name_len);
        if (is_defined(s) && by_hash)
            *PUSH(ld, defined) = (struct hashed){ .sym = s, .seq = defined.count };
        else
            *PUSH(ld, ld->dynsyms) = s;
    }
    ld->gnu_hash_first = (uint32_t)ld->dynsyms.count + 1;
    if (by_hash) {
        uint32_t buckets = bucket_count(defined.count);
        EACH(i, defined) {
            defined.items[i].hash = gnu_hash(defined.items[i].sym->name);
            defined.items[i].bucket = defined.items[i].hash % buckets;
        }
        if (defined.count)
            qsort(defined.items, defined.count, sizeof *defined.items, by_bucket);
    }
    EACH(i, defined)
        *PUSH(ld, ld->dynsyms) = defined.items[i].sym;
    EACH(i, ld->dynsyms)
        ld->dynsyms.items[i]->dynsym = (uint32_t)i + 1;
}

static void fill_dynsym(struct ld *ld)
{
    uint8_t *p = ld->s_dynsym->buf + SYM_SIZE;
    EACH(i, ld->dynsyms) {
        const struct ld_symbol *s = ld->dynsyms.items[i];
        uint32_t shndx = co_ld_symbol_shndx(ld, s);
        ld_put32(p, s->dyn_name);
        p[4] = (uint8_t)(co_ld_binding(ld, s) << 4 | (s->type & 15));
        p[5] = (uint8_t)((s->other & ~3) | s->vis);
        ld_put16(p + 6, shndx >= SHN_LORESERVE && shndx != SHN_ABS_ ? SHN_ABS_ : shndx);
        ld_put64(p + 8, co_ld_symbol_value(ld, s));
        ld_put64(p + 16, is_defined(s) ? s->size : 0);
        p += SYM_SIZE;
    }
}

/* ---- hash tables ----------------------------------------------------------------- */

static uint32_t bloom_words(size_t hashed)
{
    uint32_t n = 1;
    while (n <= hashed * BLOOM_BITS_PER_SYMBOL / 64)
        n *= 2;
    return n;
}

static void fill_gnu_hash(struct ld *ld)
{
    size_t hashed = ld->dynsyms.count + 1 - ld->gnu_hash_first;
    uint32_t buckets = bucket_count(hashed), words = bloom_words(hashed);
    uint8_t *p = ld->s_gnu_hash->buf, *bloom = p + 16, *table = bloom + (size_t)words * 8, *chain = table + (size_t)buckets * 4;
    ld_put32(p, buckets);
    ld_put32(p + 4, ld->gnu_hash_first);
    ld_put32(p + 8, words);
    ld_put32(p + 12, BLOOM_SHIFT);
    for (size_t i = 0; i < hashed; i++) {
        const struct ld_symbol *s = ld->dynsyms.items[ld->gnu_hash_first - 1 + i];
        uint32_t h = gnu_hash(s->name), b = h % buckets;
        uint8_t *w = bloom + (size_t)((h / 64) & (words - 1)) * 8;
        ld_put64(w, ld_get64(w) | 1ull << (h % 64) | 1ull << ((h >> BLOOM_SHIFT) % 64));
        if (!ld_get32(table + (size_t)b * 4))
            ld_put32(table + (size_t)b * 4, s->dynsym);
        bool last = i + 1 == hashed ||
                    gnu_hash(ld->dynsyms.items[ld->gnu_hash_first + i]->name) % buckets != b;
        ld_put32(chain + i * 4, last ? h | 1 : h & ~1u);
    }
}

static void fill_hash(struct ld *ld)
{
    uint32_t n = (uint32_t)ld->dynsyms.count + 1;
    uint8_t *p = ld->s_hash->buf, *buckets = p + 8, *chains = buckets + (size_t)n * 4;
    ld_put32(p, n);
    ld_put32(p + 4, n);
    EACH(i, ld->dynsyms) {
        uint8_t *b = buckets + (size_t)(sysv_hash(ld->dynsyms.items[i]->name) % n) * 4;
        ld_put32(chains + (i + 1) * 4, ld_get32(b));
        ld_put32(b, i + 1);
    }
}

/* ---- versions ------------------------------------------------------------------------ */

static const char *base_version(const struct ld *ld)
{
    return ld->opt.soname ? ld->opt.soname : ld->output_name;
}

static void make_versions(struct ld *ld)
{
    if (!ld->versions.count)
        return;
    uint64_t size = 28; /* the file's own entry */
    ld->base_version_off = co_ld_strtab_add(ld, ld->dynstr, base_version(ld), strlen(base_version(ld)));
    EACH(i, ld->versions) {
        struct ld_version *v = &ld->versions.items[i];
        v->name_off = co_ld_strtab_add(ld, ld->dynstr, v->name, strlen(v->name));
        size += 28;
    }
    ld->s_versym = co_ld_new_section(ld, ".gnu.version", SHT_GNU_VERSYM, SHF_ALLOC, 2);
    ld->s_versym->entsize = 2;
    ld->s_versym->size = (ld->dynsyms.count + 1) * 2;
    ld->s_verdef = co_ld_new_section(ld, ".gnu.version_d", SHT_GNU_VERDEF, SHF_ALLOC, 4);
    ld->s_verdef->size = size;
    co_ld_place_section(ld, ld->s_versym, ".gnu.version");
    co_ld_place_section(ld, ld->s_verdef, ".gnu.version_d");
}

/* One Verdef with its Verdaux (Sun's symbol versioning: vd_version, vd_flags,
 * vd_ndx, vd_cnt, vd_hash, vd_aux, vd_next; vda_name, vda_next).  What a version
 * depends on is not recorded; no loader looks at it. */
static uint8_t *put_verdef(uint8_t *p, bool base, uint16_t id, const char *name, uint32_t name_off, bool last)
{
    ld_put16(p, 1);
    ld_put16(p + 2, base);
    ld_put16(p + 4, id);
    ld_put16(p + 6, 1);
    ld_put32(p + 8, sysv_hash(name));
    ld_put32(p + 12, 20);
    ld_put32(p + 16, last ? 0 : 28);
    ld_put32(p + 20, name_off);
    return p + 28;
}

static void fill_versions(struct ld *ld)
{
    EACH(i, ld->dynsyms) {
        const struct ld_symbol *s = ld->dynsyms.items[i];
        uint16_t v = is_defined(s) ? s->version : VER_NDX_LOCAL; /* as ld.lld has it */
        if (s->at_version && !s->default_version && is_defined(s))
            v |= VERSYM_HIDDEN;
        ld_put16(ld->s_versym->buf + (i + 1) * 2, v);
    }
    uint8_t *p = put_verdef(ld->s_verdef->buf, true, 1, base_version(ld), ld->base_version_off, false);
    EACH(i, ld->versions) {
        const struct ld_version *v = &ld->versions.items[i];
        p = put_verdef(p, false, v->id, v->name, v->name_off, i + 1 == ld->versions.count);
    }
}

/* ---- .dynamic ---------------------------------------------------------------------------- */

static void tag(struct ld *ld, uint64_t t, uint64_t value)
{
    *PUSH(ld, ld->dyn) = (struct ld_dyn){ .tag = t, .value = value };
}

static void tag_addr(struct ld *ld, uint64_t t, struct ld_out *out)
{
    *PUSH(ld, ld->dyn) = (struct ld_dyn){ .tag = t, .out = out };
}

static void tag_size(struct ld *ld, uint64_t t, struct ld_out *out)
{
    *PUSH(ld, ld->dyn) = (struct ld_dyn){ .tag = t, .out = out, .size = true };
}

static void tag_symbol(struct ld *ld, uint64_t t, const char *name)
{
    struct ld_symbol *s = co_ld_find(ld, name);
    if (s && s->kind == SYM_DEFINED)
        *PUSH(ld, ld->dyn) = (struct ld_dyn){ .tag = t, .sym = s };
}

static void tag_flags(struct ld *ld)
{
    uint32_t flags = (uint32_t)ld->opt.dt_flags, flags_1 = (uint32_t)(ld->opt.dt_flags >> 32);
    if (ld->opt.bsymbolic == CODEOBJ_BSYMBOLIC_ALL)
        flags |= DF_SYMBOLIC;
    if (ld->opt.flags & CODEOBJ_LINK_NOW) {
        flags |= DF_BIND_NOW;
        flags_1 |= DF_1_NOW;
    }
    if (ld->opt.flags & CODEOBJ_LINK_TEXTREL)
        flags |= DF_TEXTREL;
    if (ld->opt.kind == CODEOBJ_LINK_PIE)
        flags_1 |= DF_1_PIE;
    if (flags)
        tag(ld, DT_FLAGS, flags);
    if (flags_1)
        tag(ld, DT_FLAGS_1, flags_1);
}

static void tag_array(struct ld *ld, const char *name, uint64_t addr, uint64_t size)
{
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (strcmp(o->name, name) || !(o->flags & SHF_ALLOC) || (o->desc && !o->secs.count))
            continue;
        tag_addr(ld, addr, o);
        tag_size(ld, size, o);
        return;
    }
}

static void tag_names(struct ld *ld, uint64_t name, const struct codeobj_link_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        tag(ld, name, co_ld_strtab_add(ld, ld->dynstr, l->items[i], strlen(l->items[i])));
}

static void make_tags(struct ld *ld)
{
    tag_names(ld, 0x7fffffff /* DT_FILTER */, &ld->opt.filters);
    tag_names(ld, 0x7ffffffd /* DT_AUXILIARY */, &ld->opt.auxiliaries);
    EACH(i, ld->files) {
        const struct ld_file *f = ld->files.items[i];
        if (f->kind == FILE_SHARED && f->needed)
            tag(ld, DT_NEEDED, co_ld_strtab_add(ld, ld->dynstr, f->soname, strlen(f->soname)));
    }
    if (ld->opt.rpath && *ld->opt.rpath)
        tag(ld, ld->opt.flags & CODEOBJ_LINK_RUNPATH_OLD ? DT_RPATH : DT_RUNPATH,
            co_ld_strtab_add(ld, ld->dynstr, ld->opt.rpath, strlen(ld->opt.rpath)));
    if (ld->opt.soname && *ld->opt.soname)
        tag(ld, DT_SONAME, co_ld_strtab_add(ld, ld->dynstr, ld->opt.soname, strlen(ld->opt.soname)));
    tag_flags(ld);
    if (!ld->shared)
        tag(ld, DT_DEBUG, 0);
    if (ld->s_rela) {
        bool rel = ld->opt.flags & CODEOBJ_LINK_REL, android = ld->opt.flags & CODEOBJ_LINK_PACK_ANDROID;
        tag_addr(ld, android ? (rel ? DT_ANDROID_REL : DT_ANDROID_RELA) : rel ? DT_REL : DT_RELA, ld->s_rela->out);
        tag_size(ld, android ? (rel ? DT_ANDROID_RELSZ : DT_ANDROID_RELASZ) : rel ? DT_RELSZ : DT_RELASZ, ld->s_rela->out);
        tag(ld, rel ? DT_RELENT : DT_RELAENT, rel ? REL_SIZE : RELA_SIZE);
        if (ld->relative_count && !(ld->opt.flags & CODEOBJ_LINK_NO_COMBRELOC) && !android)
            tag(ld, rel ? DT_RELCOUNT : DT_RELACOUNT, ld->relative_count);
    }
    if (ld->s_relr) {
        bool android = ld->opt.flags & CODEOBJ_LINK_ANDROID_RELR;
        tag_addr(ld, android ? DT_ANDROID_RELR : DT_RELR, ld->s_relr->out);
        tag_size(ld, android ? DT_ANDROID_RELRSZ : DT_RELRSZ, ld->s_relr->out);
        tag(ld, android ? DT_ANDROID_RELRENT : DT_RELRENT, 8);
    }
    tag_addr(ld, DT_SYMTAB, ld->s_dynsym->out);
    tag(ld, DT_SYMENT, SYM_SIZE);
    tag_addr(ld, DT_STRTAB, ld->s_dynstr->out);
    tag_size(ld, DT_STRSZ, ld->s_dynstr->out);
    if (ld->opt.flags & CODEOBJ_LINK_TEXTREL)
        tag(ld, DT_TEXTREL, 0);
    if (ld->s_gnu_hash)
        tag_addr(ld, DT_GNU_HASH, ld->s_gnu_hash->out);
    if (ld->s_hash)
        tag_addr(ld, DT_HASH, ld->s_hash->out);
    tag_array(ld, ".preinit_array", DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ);
    tag_array(ld, ".init_array", DT_INIT_ARRAY, DT_INIT_ARRAYSZ);
    tag_array(ld, ".fini_array", DT_FINI_ARRAY, DT_FINI_ARRAYSZ);
    tag_symbol(ld, DT_INIT, ld->opt.init ? ld->opt.init : "_init");
    tag_symbol(ld, DT_FINI, ld->opt.fini ? ld->opt.fini : "_fini");
    if (ld->s_versym) {
        tag_addr(ld, DT_VERSYM, ld->s_versym->out);
        tag_addr(ld, DT_VERDEF, ld->s_verdef->out);
        tag(ld, DT_VERDEFNUM, ld->versions.count + 1);
    }
    tag(ld, DT_NULL, 0);
}

static void fill_dynamic(struct ld *ld)
{
    EACH(i, ld->dyn) {
        const struct ld_dyn *d = &ld->dyn.items[i];
        uint64_t v = d->sym ? co_ld_symbol_addr(ld, d->sym) : !d->out ? d->value : d->size ? d->out->size : d->out->addr;
        ld_put64(ld->s_dynamic->buf + i * DYN_SIZE, d->tag);
        ld_put64(ld->s_dynamic->buf + i * DYN_SIZE + 8, v);
    }
}

/* ---- all together ------------------------------------------------------------------------ */

static struct ld_section *make(struct ld *ld, const char *name, uint32_t type, uint64_t flags, uint64_t align,
                               uint64_t entsize, uint64_t size)
{
    struct ld_section *s = co_ld_new_section(ld, name, type, flags, align);
    s->entsize = entsize;
    s->size = size;
    co_ld_place_section(ld, s, name);
    return s;
}

static void buffer(struct ld *ld, struct ld_section *s)
{
    if (!s || s->type == SHT_NOBITS)
        return;
    s->buf = co_ld_alloc(ld, (size_t)s->size);
    s->data = s->buf;
}

/* A packed one has its size when addresses are known. */
static void make_rela(struct ld *ld)
{
    bool rel = ld->opt.flags & CODEOBJ_LINK_REL, android = ld->opt.flags & CODEOBJ_LINK_PACK_ANDROID;
    uint32_t type = android ? (rel ? SHT_ANDROID_REL : SHT_ANDROID_RELA) : rel ? SHT_REL : SHT_RELA;
    uint64_t size = rel ? REL_SIZE : RELA_SIZE;
    if (ld->dynrels.count)
        ld->s_rela = make(ld, rel ? ".rel.dyn" : ".rela.dyn", type, SHF_ALLOC, 8, android ? 1 : size,
                          android ? 0 : (uint64_t)ld->dynrels.count * size);
}

void co_ld_make_dynamic(struct ld *ld)
{
    if (ld->s_got)
        buffer(ld, ld->s_got);
    if (ld->has_dynamic) {
        ld->dynstr = co_ld_strtab_new(ld, true);
        order_dynsyms(ld);
        size_t n = ld->dynsyms.count + 1, hashed = n - ld->gnu_hash_first;
        ld->s_dynsym = make(ld, ".dynsym", SHT_DYNSYM, SHF_ALLOC, 8, SYM_SIZE, n * SYM_SIZE);
        make_versions(ld);
        if (ld->opt.hash == CODEOBJ_HASH_BOTH || ld->opt.hash == CODEOBJ_HASH_GNU)
            ld->s_gnu_hash = make(ld, ".gnu.hash", SHT_GNU_HASH, SHF_ALLOC, 8, 0,
                                  16 + (uint64_t)bloom_words(hashed) * 8 + (uint64_t)bucket_count(hashed) * 4 + hashed * 4);
        if (ld->opt.hash == CODEOBJ_HASH_BOTH || ld->opt.hash == CODEOBJ_HASH_SYSV)
            ld->s_hash = make(ld, ".hash", SHT_HASH, SHF_ALLOC, 4, 4, 8 + (uint64_t)n * 8);
        bool fixed = ld->opt.flags & CODEOBJ_LINK_RODYNAMIC;
        ld->s_dynamic = make(ld, ".dynamic", SHT_DYNAMIC, SHF_ALLOC | (fixed ? 0 : SHF_WRITE), 8, DYN_SIZE, 0);
        ld->s_dynstr = make(ld, ".dynstr", SHT_STRTAB, SHF_ALLOC, 1, 0, 0);
        make_rela(ld);
        if (ld->relrs.count) {
            ld->s_relr = make(ld, ".relr.dyn", ld->opt.flags & CODEOBJ_LINK_ANDROID_RELR ? SHT_ANDROID_RELR : SHT_RELR, SHF_ALLOC, 8, 8, 0);
            ld->relr_places = co_ld_array(ld, ld->relrs.count, sizeof *ld->relr_places);
        }
        make_tags(ld);
        ld->s_dynamic->size = (uint64_t)ld->dyn.count * DYN_SIZE;
        size_t size;
        co_ld_strtab_data(ld->dynstr, &size);
        ld->s_dynstr->size = size;
        struct ld_section *all[] = { ld->s_dynsym, ld->s_gnu_hash, ld->s_hash, ld->s_rela, ld->s_dynamic, ld->s_versym,
                                     ld->s_verdef };
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            buffer(ld, all[i]);
        struct ld_section *by_symbols[] = { ld->s_gnu_hash, ld->s_hash, ld->s_rela, ld->s_versym };
        for (size_t i = 0; i < 4; i++)
            if (by_symbols[i])
                by_symbols[i]->out->link_out = ld->s_dynsym->out;
        struct ld_section *by_strings[] = { ld->s_dynsym, ld->s_dynamic, ld->s_verdef };
        for (size_t i = 0; i < 3; i++)
            if (by_strings[i])
                by_strings[i]->out->link_out = ld->s_dynstr->out;
        ld->s_dynsym->out->info = 1;
        if (ld->s_verdef)
            ld->s_verdef->out->info = (uint32_t)ld->versions.count + 1;
    }
    if (ld->s_got)
        co_ld_place_section(ld, ld->s_got, ".got");
}

void co_ld_fill_dynamic(struct ld *ld)
{
    co_ld_finish_dynrels(ld);
    if (!ld->has_dynamic)
        return;
    size_t size;
    ld->s_dynstr->data = (const uint8_t *)co_ld_strtab_data(ld->dynstr, &size);
    fill_dynsym(ld);
    if (ld->s_gnu_hash)
        fill_gnu_hash(ld);
    if (ld->s_hash)
        fill_hash(ld);
    if (ld->s_versym)
        fill_versions(ld);
    co_ld_fill_relr(ld);
    fill_dynamic(ld);
}

/* SPDX-License-Identifier: MIT
 *
 * ld/notes.c - one metadata note for all inputs.
 *
 * Each object that a compiler makes carries a note of owner AMDGPU, type 32
 * (NT_AMDGPU_METADATA), whose MessagePack map lists its kernels.  A linker that
 * only concatenates notes leaves several, and runtimes read the first: kernels
 * of the other objects are lost.  Here the first note gets the kernels of all
 * of them; the other notes go.
 *
 * The merge copies bytes: a kernel's map is found, not interpreted, so keys that
 * this file does not know survive.  From the first document come all top-level
 * entries, from later ones amdhsa.kernels (appended), amdhsa.printf (appended
 * where new) and keys that the first lacks.  Of a kernel that several objects
 * describe (weak, or of a COMDAT group), the description of the object counts
 * whose descriptor symbol won; a second strong one is a duplicate symbol anyway.
 *
 * Source: AMDGPU guide, Code Object Metadata; MessagePack specification.
 */
#include "ld.h"

enum { NT_AMDGPU_METADATA = 32, MAX_DEPTH = 64 };

struct cursor {
    const uint8_t *p, *end;
};

static bool take(struct cursor *c, uint64_t n)
{
    if (n > (uint64_t)(c->end - c->p))
        return false;
    c->p += n;
    return true;
}

static uint64_t big(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    while (n--)
        v = v << 8 | *p++;
    return v;
}

enum { MP_SCALAR, MP_STRING, MP_ARRAY, MP_MAP };

/* Reads the head of a value: what it is, and its length (bytes of a string,
 * elements, pairs).  Scalars are passed over whole. */
static bool head(struct cursor *c, int *kind, uint64_t *len)
{
    if (c->p >= c->end)
        return false;
    uint8_t b = *c->p++;
    const uint8_t *at = c->p;
    *kind = MP_SCALAR;
    *len = 0;
    if (b <= 0x7f || b >= 0xe0 || (b >= 0xc0 && b <= 0xc3))
        return b != 0xc1;
    if (b <= 0x8f) {
        *kind = MP_MAP;
        *len = b & 15;
        return true;
    }
    if (b <= 0x9f) {
        *kind = MP_ARRAY;
        *len = b & 15;
        return true;
    }
    if (b <= 0xbf) {
        *kind = MP_STRING;
        *len = b & 31;
        return true;
    }
    if (b <= 0xc6 || (b >= 0xc7 && b <= 0xc9)) { /* bin 8-32, ext 8-32 */
        unsigned w = 1u << ((b - (b <= 0xc6 ? 0xc4 : 0xc7)));
        return take(c, w) && take(c, big(at, w) + (b >= 0xc7));
    }
    if (b <= 0xd3) { /* float, uint, int */
        static const uint8_t size[] = { 4, 8, 1, 2, 4, 8, 1, 2, 4, 8 };
        return take(c, size[b - 0xca]);
    }
    if (b <= 0xd8)
        return take(c, 1u + (1u << (b - 0xd4))); /* fixext */
    unsigned w = b <= 0xdb ? 1u << (b - 0xd9) : (b & 1) ? 4 : 2;
    if (!take(c, w))
        return false;
    *kind = b <= 0xdb ? MP_STRING : b <= 0xdd ? MP_ARRAY : MP_MAP;
    *len = big(at, w);
    return true;
}

/* Passes over one value of any shape; a counter per level instead of recursion. */
static bool skip(struct cursor *c)
{
    uint64_t left[MAX_DEPTH];
    int depth = 0;
    left[0] = 1;
    for (;;) {
        while (left[depth] == 0) {
            if (depth == 0)
                return true;
            depth--;
        }
        left[depth]--;
        int kind;
        uint64_t len;
        if (!head(c, &kind, &len))
            return false;
        if (kind == MP_STRING && !take(c, len))
            return false;
        if (kind == MP_ARRAY || kind == MP_MAP) {
            /* Every element takes at least a byte: a count beyond the rest is a lie. */
            if (len > (uint64_t)(c->end - c->p) || depth + 1 == MAX_DEPTH)
                return false;
            left[++depth] = kind == MP_MAP ? len * 2 : len;
        }
    }
}

struct bytes {
    const uint8_t *data;
    size_t size;
};

static bool string(struct cursor *c, struct bytes *out)
{
    int kind;
    uint64_t len;
    if (!head(c, &kind, &len) || kind != MP_STRING || len > (uint64_t)(c->end - c->p))
        return false;
    *out = (struct bytes){ c->p, (size_t)len };
    c->p += len;
    return true;
}

static bool is(struct bytes b, const char *s)
{
    return b.size == strlen(s) && !memcmp(b.data, s, b.size);
}

struct pair {
    struct bytes name, key, value; /* key and value with their heads */
};

struct document {
    const struct ld_file *file;
    struct bytes desc;
    VEC(struct pair) pairs;
};

static bool read_map(struct ld *ld, struct bytes map, struct document *doc)
{
    struct cursor c = { map.data, map.data + map.size };
    int kind;
    uint64_t n;
    if (!head(&c, &kind, &n) || kind != MP_MAP || n > map.size)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct pair p = { .key = { c.p, 0 } };
        if (!string(&c, &p.name))
            return false;
        p.key.size = (size_t)(c.p - p.key.data);
        p.value.data = c.p;
        if (!skip(&c))
            return false;
        p.value.size = (size_t)(c.p - p.value.data);
        *PUSH(ld, doc->pairs) = p;
    }
    return true;
}

struct merged {
    struct ld *ld;
    VEC(struct bytes) kernels;
    VEC(struct bytes) printfs;
    VEC(struct pair) others;
    struct ld_names seen;
    bool has_kernels, has_printf;
};

struct seen {
    const char *name;
};

/* The value of .symbol of a kernel's map, or NULL. */
static const char *symbol_of(struct ld *ld, struct bytes kernel)
{
    struct document fields = { 0 };
    if (!read_map(ld, kernel, &fields))
        return NULL;
    EACH(i, fields.pairs) {
        struct bytes value;
        struct cursor c = { fields.pairs.items[i].value.data,
                            fields.pairs.items[i].value.data + fields.pairs.items[i].value.size };
        if (is(fields.pairs.items[i].name, ".symbol") && string(&c, &value))
            return co_ld_strndup(ld, (const char *)value.data, value.size);
    }
    return NULL;
}

/* True if this object's description of the kernel is the one that counts. */
static bool owns(struct merged *m, const struct document *doc, struct bytes kernel)
{
    const char *name = symbol_of(m->ld, kernel);
    if (!name)
        return true;
    const struct ld_symbol *s = co_ld_find(m->ld, name);
    if (s && s->kind == SYM_DEFINED && s->file && s->file != doc->file)
        return false;
    void **place = co_ld_names_place(m->ld, &m->seen, name, strlen(name));
    if (*place) {
        co_ld_warn(m->ld, "%s: kernel '%s' is described twice in the metadata", doc->file->name, name);
        return false;
    }
    struct seen *mark = co_ld_alloc(m->ld, sizeof *mark);
    mark->name = name;
    *place = mark;
    return true;
}

static bool add_array(struct merged *m, const struct document *doc, struct bytes array, bool kernels)
{
    struct cursor c = { array.data, array.data + array.size };
    int kind;
    uint64_t n;
    if (!head(&c, &kind, &n) || kind != MP_ARRAY)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct bytes b = { c.p, 0 };
        if (!skip(&c))
            return false;
        b.size = (size_t)(c.p - b.data);
        bool old = false;
        if (kernels) {
            if (owns(m, doc, b))
                *PUSH(m->ld, m->kernels) = b;
            continue;
        }
        EACH(k, m->printfs)
            old |= m->printfs.items[k].size == b.size && !memcmp(m->printfs.items[k].data, b.data, b.size);
        if (!old)
            *PUSH(m->ld, m->printfs) = b;
    }
    return true;
}

static bool add_document(struct merged *m, struct document *doc, bool first)
{
    if (!read_map(m->ld, doc->desc, doc))
        return false;
    EACH(i, doc->pairs) {
        struct pair p = doc->pairs.items[i];
        if (is(p.name, "amdhsa.kernels")) {
            m->has_kernels = true;
            if (!add_array(m, doc, p.value, true))
                return false;
        } else if (is(p.name, "amdhsa.printf")) {
            m->has_printf = true;
            if (!add_array(m, doc, p.value, false))
                return false;
        } else {
            bool have = false;
            for (size_t k = 0; !first && k < m->others.count; k++)
                have |= m->others.items[k].name.size == p.name.size &&
                        !memcmp(m->others.items[k].name.data, p.name.data, p.name.size);
            if (!have)
                *PUSH(m->ld, m->others) = p;
        }
    }
    return true;
}

struct sink {
    struct ld *ld;
    VEC(uint8_t) out;
};

static void put(struct sink *s, const void *data, size_t size)
{
    while (s->out.cap - s->out.count < size)
        co_ld_grow(s->ld, (void **)&s->out.items, s->out.count, &s->out.cap, 1);
    if (size)
        memcpy(s->out.items + s->out.count, data, size);
    s->out.count += size;
}

static void put_count(struct sink *s, size_t n, uint8_t fix, uint8_t wide)
{
    uint8_t b[5] = { (uint8_t)(fix | n) };
    size_t len = 1;
    if (n > 15 && n <= 0xffff) {
        b[0] = wide;
        b[1] = (uint8_t)(n >> 8);
        b[2] = (uint8_t)n;
        len = 3;
    } else if (n > 15) {
        b[0] = (uint8_t)(wide + 1);
        for (int i = 0; i < 4; i++)
            b[1 + i] = (uint8_t)(n >> (24 - 8 * i));
        len = 5;
    }
    put(s, b, len);
}

static void put_array(struct sink *s, const char *key, const struct bytes *items, size_t count)
{
    uint8_t fix = (uint8_t)(0xa0 | strlen(key)); /* both keys are shorter than 32 */
    put(s, &fix, 1);
    put(s, key, strlen(key));
    put_count(s, count, 0x90, 0xdc);
    for (size_t i = 0; i < count; i++)
        put(s, items[i].data, items[i].size);
}

/* Keys in byte order, as compilers write them. */
static struct bytes write_merged(struct merged *m)
{
    struct sink s = { .ld = m->ld };
    put_count(&s, m->others.count + m->has_kernels + m->has_printf, 0x80, 0xde);
    bool kernels = m->has_kernels, printfs = m->has_printf;
    for (size_t i = 0; i <= m->others.count; i++) {
        const char *name = NULL;
        if (i < m->others.count)
            name = co_ld_strndup(m->ld, (const char *)m->others.items[i].name.data, m->others.items[i].name.size);
        if (kernels && (!name || strcmp(name, "amdhsa.kernels") > 0)) {
            put_array(&s, "amdhsa.kernels", m->kernels.items, m->kernels.count);
            kernels = false;
        }
        if (printfs && (!name || strcmp(name, "amdhsa.printf") > 0)) {
            put_array(&s, "amdhsa.printf", m->printfs.items, m->printfs.count);
            printfs = false;
        }
        if (name) {
            put(&s, m->others.items[i].key.data, m->others.items[i].key.size);
            put(&s, m->others.items[i].value.data, m->others.items[i].value.size);
        }
    }
    return (struct bytes){ s.out.items, s.out.count };
}

/* One note of a section. */
struct note {
    uint64_t off, size; /* with padding */
    struct bytes desc;
    bool metadata;
};

/* Padding is 4 bytes whatever the section's alignment (see the notes of old compilers). */
static bool note_at(const struct ld_section *sec, uint64_t off, struct note *out)
{
    uint64_t left = sec->size - off;
    if (left < 12)
        return false;
    const uint8_t *p = sec->data + off;
    uint64_t name = ld_get32(p), desc = ld_get32(p + 4);
    uint64_t desc_off = 12 + ld_align(name, 4), size = desc_off + ld_align(desc, 4);
    if (desc_off + desc > left)
        return false;
    *out = (struct note){ .off = off, .size = size < left ? size : left, .desc = { p + desc_off, (size_t)desc } };
    out->metadata = ld_get32(p + 8) == NT_AMDGPU_METADATA && name == 7 && !memcmp(p + 12, "AMDGPU", 7);
    return true;
}

static bool has_notes(const struct ld_section *sec)
{
    return sec->live && sec->file && sec->type == SHT_NOTE && (sec->flags & SHF_ALLOC) && sec->data && !sec->rel_idx;
}

/* Rewrites a section: its metadata notes go; `merged`, where given, takes the place of the first. */
static void rewrite(struct ld *ld, struct ld_section *sec, const struct bytes *merged)
{
    struct sink s = { .ld = ld };
    struct note n;
    uint64_t off = 0;
    for (; off < sec->size && note_at(sec, off, &n); off += n.size) {
        if (!n.metadata) {
            put(&s, sec->data + off, (size_t)n.size);
        } else if (merged) {
            uint8_t h[20] = { 7 };
            static const uint8_t zero[4];
            ld_put32(h + 4, merged->size);
            ld_put32(h + 8, NT_AMDGPU_METADATA);
            memcpy(h + 12, "AMDGPU", 7);
            put(&s, h, sizeof h);
            put(&s, merged->data, merged->size);
            put(&s, zero, (size_t)(-merged->size & 3));
            merged = NULL;
        }
    }
    put(&s, sec->data + off, (size_t)(sec->size - off));
    sec->buf = s.out.items;
    sec->data = sec->buf;
    sec->size = s.out.count;
}

/* Runtimes find a kernel of the metadata through its exported descriptor. */
static void check_kernels(struct ld *ld, const struct document *doc, const struct pair *list)
{
    struct cursor c = { list->value.data, list->value.data + list->value.size };
    int kind;
    uint64_t n;
    if (!head(&c, &kind, &n) || kind != MP_ARRAY)
        return;
    for (uint64_t i = 0; i < n; i++) {
        struct bytes kernel = { c.p, 0 };
        if (!skip(&c))
            return;
        kernel.size = (size_t)(c.p - kernel.data);
        const char *name = symbol_of(ld, kernel);
        const struct ld_symbol *s = name ? co_ld_find(ld, name) : NULL;
        if (name && !(s && s->kind == SYM_DEFINED && s->in_dynsym))
            co_ld_warn(ld, "%s: the metadata has a kernel whose descriptor '%s' is %s: runtimes will not find it",
                       doc->file->name, name, s && s->kind == SYM_DEFINED ? "not exported" : "not defined");
    }
}

static void check_documents(struct ld *ld, struct document *docs, size_t count)
{
    if (!ld->shared || (ld->opt.flags & CODEOBJ_LINK_NO_EXPLAIN))
        return;
    for (size_t k = 0; k < count; k++) {
        struct document doc = { .file = docs[k].file, .desc = docs[k].desc };
        if (!read_map(ld, doc.desc, &doc))
            continue;
        EACH(i, doc.pairs)
            if (is(doc.pairs.items[i].name, "amdhsa.kernels"))
                check_kernels(ld, &doc, &doc.pairs.items[i]);
    }
}

void co_ld_merge_notes(struct ld *ld)
{
    if (ld->relocatable)
        return;
    VEC(struct document) docs = { 0 };
    struct ld_section *first = NULL;
    EACH(i, ld->sections) {
        struct ld_section *sec = ld->sections.items[i];
        struct note n;
        for (uint64_t off = 0; has_notes(sec) && off < sec->size && note_at(sec, off, &n); off += n.size)
            if (n.metadata) {
                if (!first)
                    first = sec;
                *PUSH(ld, docs) = (struct document){ .file = sec->file, .desc = n.desc };
            }
    }
    check_documents(ld, docs.items, docs.count);
    if (docs.count < 2 || (ld->opt.flags & CODEOBJ_LINK_NO_MERGE_METADATA))
        return;
    struct merged m = { .ld = ld };
    EACH(i, docs)
        if (!add_document(&m, &docs.items[i], i == 0)) {
            co_ld_warn(ld, "%s: the metadata note is not well-formed MessagePack; notes are not merged",
                       docs.items[i].file->name);
            return;
        }
    struct bytes merged = write_merged(&m);
    EACH(i, ld->sections)
        if (has_notes(ld->sections.items[i]))
            rewrite(ld, ld->sections.items[i], ld->sections.items[i] == first ? &merged : NULL);
}

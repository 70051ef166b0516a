/* SPDX-License-Identifier: MIT
 *
 * ld/merge.c - equal strings and constants are stored once (SHF_MERGE).
 *
 * Sections with the same output name, flags, entry size and alignment share one
 * struct ld_merge.  Pieces are in the order of shard.c, and then in the one in which the link meets them; with
 * tails on (-O2), a string that is the end of another lies inside it.
 *
 * Invariants: after co_ld_split_pieces every section with `merge` set is cut
 * into pieces that cover it; after co_ld_merge_sections each live piece has its
 * place in merge->sec, which stands in the output for all of them.
 */
#include "ld.h"

#include <stdlib.h>

struct entry {
    const uint8_t *data;
    uint64_t len, off;
    uint32_t hash;
    uint8_t shard;
};

struct ld_merge {
    const char *key; /* must be first: struct ld_names */
    struct ld_section *sec;
    bool placed;
    VEC(struct ld_section *) inputs;
    struct entry *entries; /* open addressing */
    size_t mask;
    VEC(struct entry *) order;
};

bool co_ld_is_mergeable(const struct ld *ld, const struct ld_section *sec)
{
    return (sec->flags & SHF_MERGE) && !(sec->flags & SHF_WRITE) && sec->size && sec->entsize &&
           sec->data && !sec->rel_idx && (ld->opt.merge != CODEOBJ_MERGE_NONE || ld->relocatable) &&
           sec->size % sec->entsize == 0;
}

/* Length with terminator of the string at p, or 0. */
static uint64_t string_length(const uint8_t *p, uint64_t left, uint64_t unit)
{
    if (unit == 1) {
        const uint8_t *z = memchr(p, 0, (size_t)left);
        return z ? (uint64_t)(z - p) + 1 : 0;
    }
    for (uint64_t i = 0; i + unit <= left; i += unit) {
        uint64_t k = 0;
        while (k < unit && !p[i + k])
            k++;
        if (k == unit)
            return i + unit;
    }
    return 0;
}

static bool split(struct ld *ld, struct ld_section *sec)
{
    size_t n = 0;
    bool strings = sec->flags & SHF_STRINGS;
    if (strings) {
        for (uint64_t off = 0, len; off < sec->size; off += len, n++) {
            len = string_length(sec->data + off, sec->size - off, sec->entsize);
            if (!len) {
                co_ld_error(ld, "%s:(%s): string is not null terminated", sec->file->name, sec->name);
                return false;
            }
        }
    } else {
        n = (size_t)(sec->size / sec->entsize);
    }
    sec->pieces = co_ld_array(ld, n, sizeof *sec->pieces);
    sec->piece_count = n;
    uint64_t off = 0;
    bool all = !co_ld_collected(ld, sec) || !(sec->flags & SHF_ALLOC);
    for (size_t i = 0; i < n; i++) {
        uint64_t len = strings ? string_length(sec->data + off, sec->size - off, sec->entsize) : sec->entsize;
        sec->pieces[i] = (struct ld_piece){ .in_off = off, .live = all };
        off += len;
    }
    return true;
}

static void mark_symbol(struct ld_symbol *s)
{
    if (s->sec && s->sec->merge)
        s->in_merge = true;
}

static void mark_symbols(struct ld *ld)
{
    EACH(i, ld->files) {
        struct ld_file *f = ld->files.items[i];
        for (size_t k = 1; f->kind == FILE_OBJECT && k < f->first_global && k < f->symbol_count; k++)
            mark_symbol(&f->locals[k]);
    }
    EACH(i, ld->symbols)
        mark_symbol(ld->symbols.items[i]);
}

void co_ld_split_pieces(struct ld *ld)
{
    struct ld_names groups = { 0 };
    EACH(i, ld->sections) {
        struct ld_section *sec = ld->sections.items[i];
        if (!sec->live || !co_ld_is_mergeable(ld, sec) || !split(ld, sec))
            continue;
        bool alone = !sec->input_cmd && (ld->opt.flags & CODEOBJ_LINK_UNIQUE);
        const char *name = sec->input_cmd ? "" : co_ld_output_name(ld, sec);
        const uint64_t shape[] = { sec->flags, sec->entsize, sec->align, co_ld_script_target(sec), alone ? i : SIZE_MAX };
        size_t n = strlen(name);
        char *key = co_ld_alloc(ld, sizeof shape + n);
        memcpy(key, shape, sizeof shape);
        memcpy(key + sizeof shape, name, n);
        void **place = co_ld_names_place(ld, &groups, key, sizeof shape + n);
        if (!*place) {
            struct ld_merge *m = co_ld_alloc(ld, sizeof *m);
            *place = m;
            m->key = key;
            m->sec = co_ld_new_section(ld, sec->name, sec->type, sec->flags & ~SHF_GROUP, sec->align);
            m->sec->entsize = sec->entsize;
            m->sec->is_merged = true;
            *PUSH(ld, ld->merges) = m;
        }
        sec->merge = *place;
        *PUSH(ld, sec->merge->inputs) = sec;
    }
    if (ld->merges.count)
        mark_symbols(ld);
}

struct ld_piece *co_ld_piece_at(const struct ld_section *sec, uint64_t off)
{
    size_t lo = 0, hi = sec->piece_count;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (sec->pieces[mid].in_off <= off)
            lo = mid;
        else
            hi = mid;
    }
    return &sec->pieces[lo];
}

const struct ld_section *co_ld_final_section(const struct ld_section *sec)
{
    while (sec->repl)
        sec = sec->repl;
    return sec->merge ? co_ld_merged_section(sec) : sec;
}

struct ld_section *co_ld_merged_section(const struct ld_section *sec)
{
    return sec->merge->sec;
}

/* True the first time: the caller puts merge->sec into the output there. */
bool co_ld_merge_place(struct ld_section *sec)
{
    bool first = !sec->merge->placed;
    sec->merge->placed = true;
    return first;
}

static uint64_t piece_length(const struct ld_section *sec, size_t i)
{
    return (i + 1 < sec->piece_count ? sec->pieces[i + 1].in_off : sec->size) - sec->pieces[i].in_off;
}

static struct entry *find(struct ld_merge *m, const uint8_t *data, uint64_t len, uint64_t hash)
{
    for (size_t i = (size_t)hash & m->mask;; i = (i + 1) & m->mask) {
        struct entry *e = &m->entries[i];
        if (!e->data || (e->hash == (uint32_t)(hash >> 32) && e->len == len && !memcmp(e->data, data, (size_t)len)))
            return e;
    }
}

/* Later strings that end an earlier one come right behind it. */
static int by_end(const void *a, const void *b)
{
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    uint64_t n = x->len < y->len ? x->len : y->len;
    for (uint64_t i = 1; i <= n; i++) {
        int d = y->data[y->len - i] - x->data[x->len - i];
        if (d)
            return d;
    }
    return x->len < y->len ? 1 : x->len > y->len ? -1 : 0;
}

/* One shard behind the other, each in the order of the link. */
static void sort_by_shard(struct ld *ld, struct ld_merge *m)
{
    size_t start[LD_SHARDS + 1] = { 0 };
    struct entry **sorted = co_ld_array(ld, m->order.count, sizeof(struct entry *));
    EACH(i, m->order)
        start[m->order.items[i]->shard + 1]++;
    for (size_t i = 0; i < LD_SHARDS; i++)
        start[i + 1] += start[i];
    EACH(i, m->order)
        sorted[start[m->order.items[i]->shard]++] = m->order.items[i];
    m->order.items = sorted;
}

static void place_entries(struct ld *ld, struct ld_merge *m)
{
    bool tails = ld->opt.merge == CODEOBJ_MERGE_TAILS && (m->sec->flags & SHF_STRINGS);
    uint64_t off = 0, align = m->sec->align;
    if (tails && m->order.count)
        qsort(m->order.items, m->order.count, sizeof *m->order.items, by_end);
    else if (m->order.count)
        sort_by_shard(ld, m);
    const struct entry *last = NULL;
    EACH(i, m->order) {
        struct entry *e = m->order.items[i];
        if (tails && last && last->len >= e->len &&
            !memcmp(last->data + last->len - e->len, e->data, (size_t)e->len) &&
            (last->off + last->len - e->len) % align == 0) {
            e->off = last->off + last->len - e->len;
            continue;
        }
        off = ld_align(off, align);
        e->off = off;
        off += e->len;
        last = e;
    }
    m->sec->size = off;
    m->sec->buf = co_ld_alloc(ld, (size_t)off);
    m->sec->data = m->sec->buf;
    EACH(i, m->order)
        memcpy(m->sec->buf + m->order.items[i]->off, m->order.items[i]->data, (size_t)m->order.items[i]->len);
}

void co_ld_merge_sections(struct ld *ld)
{
    EACH(g, ld->merges) {
        struct ld_merge *m = ld->merges.items[g];
        size_t n = 0, slots = 64;
        EACH(i, m->inputs)
            n += m->inputs.items[i]->piece_count;
        while (slots < n + n / 2)
            slots *= 2;
        m->entries = co_ld_array(ld, slots, sizeof *m->entries);
        m->mask = slots - 1;
        EACH(i, m->inputs) {
            struct ld_section *sec = m->inputs.items[i];
            for (size_t k = 0; sec->live && k < sec->piece_count; k++) {
                if (!sec->pieces[k].live)
                    continue;
                const uint8_t *data = sec->data + sec->pieces[k].in_off;
                uint64_t len = piece_length(sec, k), hash = co_ld_hash(data, (size_t)len);
                struct entry *e = find(m, data, len, hash);
                if (!e->data) {
                    size_t end = m->sec->flags & SHF_STRINGS ? (size_t)m->sec->entsize : 0;
                    *e = (struct entry){ data, len, 0, (uint32_t)(hash >> 32), (uint8_t)co_ld_shard(data, (size_t)len - end) };
                    *PUSH(ld, m->order) = e;
                }
                sec->pieces[k].entry = (uint32_t)(e - m->entries);
            }
        }
        place_entries(ld, m);
        EACH(i, m->inputs) {
            struct ld_section *sec = m->inputs.items[i];
            for (size_t k = 0; sec->live && k < sec->piece_count; k++)
                if (sec->pieces[k].live)
                    sec->pieces[k].out_off = m->entries[sec->pieces[k].entry].off;
        }
    }
}

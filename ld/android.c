/* SPDX-License-Identifier: MIT
 *
 * ld/android.c - --pack-dyn-relocs=android: .rela.dyn as Android's linker reads it, "APS2".
 *
 * Behind the four letters stand SLEB128 numbers: how many relocations there are, an offset to begin at (0), then groups.  A
 * group has its length and flags that say which of step, type and addend (as a difference) stand once for all of it; then
 * what does not, for each relocation.  Groups are chosen as ld.lld chooses them: runs of eight or more words in a row,
 * the other relative ones, three or more of one symbol and type without addend, the rest.
 *
 * No loader of code objects reads this.  Numbers depend on addresses and those on the size of the table: it is
 * made again until it fits, never shrinks, and what is left over is 0.
 */
#include "ld.h"

#include <stdlib.h>

enum { GROUPED_BY_INFO = 1, GROUPED_BY_STEP = 2, HAS_ADDEND = 8, WORD = 8, LONG_RUN = 8, LONG_GROUP = 3 };

struct entry {
    uint64_t off, info;
    int64_t addend;
};

struct packer {
    struct ld *ld;
    VEC(uint8_t) out;
    uint64_t off;
    int64_t addend;
    bool rela;
};

static void put(struct packer *p, int64_t v)
{
    bool more = true;
    while (more) {
        uint8_t byte = (uint8_t)(v & 0x7f);
        v = v >> 7; /* of a negative number: with ones from the left, as everywhere this is built */
        more = !((v == 0 && !(byte & 0x40)) || (v == -1 && (byte & 0x40)));
        *PUSH(p->ld, p->out) = (uint8_t)(byte | (more ? 0x80 : 0));
    }
}

static void put_step(struct packer *p, const struct entry *e)
{
    put(p, (int64_t)(e->off - p->off));
    p->off = e->off;
}

static void put_addend(struct packer *p, const struct entry *e)
{
    if (!p->rela)
        return;
    put(p, (int64_t)((uint64_t)e->addend - (uint64_t)p->addend));
    p->addend = e->addend;
}

static int by_offset(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return x->off < y->off ? -1 : x->off > y->off;
}

static int by_info(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->info != y->info)
        return x->info < y->info ? -1 : 1;
    if (x->addend != y->addend)
        return x->addend < y->addend ? -1 : 1;
    return by_offset(a, b);
}

static void sort(struct entry *e, size_t n, int (*order)(const void *, const void *))
{
    if (n > 1)
        qsort(e, n, sizeof *e, order);
}

static void put_run(struct packer *p, const struct entry *e, size_t n)
{
    int flags = GROUPED_BY_STEP | GROUPED_BY_INFO | (p->rela ? HAS_ADDEND : 0);
    put(p, 1);
    put(p, flags);
    put_step(p, e);
    put(p, R_RELATIVE64);
    put_addend(p, e);
    put(p, (int64_t)n - 1);
    put(p, flags);
    put(p, WORD);
    put(p, R_RELATIVE64);
    for (size_t i = 1; i < n; i++)
        put_addend(p, &e[i]);
    p->off = e[n - 1].off;
}

/* e: n relative ones, in the order of their places. */
static void put_relatives(struct packer *p, struct entry *e, size_t n)
{
    size_t alone = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && e[end].off == e[end - 1].off + WORD;)
            end++;
        if (end - i >= LONG_RUN)
            put_run(p, &e[i], end - i);
        else
            while (i < end)
                e[alone++] = e[i++];
    }
    if (!alone)
        return;
    put(p, (int64_t)alone);
    put(p, GROUPED_BY_INFO | (p->rela ? HAS_ADDEND : 0));
    put(p, R_RELATIVE64);
    for (size_t i = 0; i < alone; i++) {
        put_step(p, &e[i]);
        put_addend(p, &e[i]);
    }
}

/* e: n others, by symbol and type. */
static void put_others(struct packer *p, struct entry *e, size_t n)
{
    size_t alone = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && e[end].info == e[i].info && (!p->rela || e[end].addend == e[i].addend);)
            end++;
        if (end - i < LONG_GROUP || (p->rela && e[i].addend)) {
            while (i < end)
                e[alone++] = e[i++];
            continue;
        }
        put(p, (int64_t)(end - i));
        put(p, GROUPED_BY_INFO);
        put(p, (int64_t)e[i].info);
        for (; i < end; i++)
            put_step(p, &e[i]);
        p->addend = 0;
    }
    if (!alone)
        return;
    sort(e, alone, by_offset);
    put(p, (int64_t)alone);
    put(p, p->rela ? HAS_ADDEND : 0);
    for (size_t i = 0; i < alone; i++) {
        put_step(p, &e[i]);
        put(p, (int64_t)e[i].info);
        put_addend(p, &e[i]);
    }
}

/* The table with addresses as they are. */
static struct packer pack(struct ld *ld)
{
    struct packer p = { .ld = ld, .rela = !(ld->opt.flags & CODEOBJ_LINK_REL) };
    struct entry *all = co_ld_array(ld, ld->dynrels.count, sizeof *all);
    size_t relatives = 0, others = ld->dynrels.count;
    co_ld_place_linker_symbols(ld);
    EACH(i, ld->dynrels) {
        const struct ld_dynrel *d = &ld->dynrels.items[i];
        struct entry e = { .off = co_ld_addr(d->sec, d->off), .addend = p.rela ? co_ld_dynrel_addend(ld, d) : 0 };
        e.info = d->type == R_RELATIVE64 ? R_RELATIVE64 : (uint64_t)d->sym->dynsym << 32 | d->type;
        all[d->type == R_RELATIVE64 ? relatives++ : --others] = e;
    }
    sort(all, relatives, by_offset);
    sort(all + others, ld->dynrels.count - others, by_info);
    for (const char *magic = "APS2"; *magic; magic++)
        *PUSH(ld, p.out) = (uint8_t)*magic;
    put(&p, (int64_t)ld->dynrels.count);
    put(&p, 0);
    put_relatives(&p, all, relatives);
    put_others(&p, all + others, ld->dynrels.count - others);
    return p;
}

static bool packs(const struct ld *ld)
{
    return ld->s_rela && (ld->opt.flags & CODEOBJ_LINK_PACK_ANDROID);
}

/* Addresses have been assigned; true: the table has grown, and they are to be assigned again. */
bool co_ld_android_grow(struct ld *ld)
{
    if (!packs(ld))
        return false;
    size_t size = pack(ld).out.count;
    if (size <= ld->s_rela->size)
        return false;
    ld->s_rela->size = ld->s_rela->out->size = size;
    return true;
}

/* False: .rela.dyn is a plain one. */
bool co_ld_fill_android(struct ld *ld)
{
    if (!packs(ld))
        return false;
    struct packer p = pack(ld);
    ld->s_rela->buf = co_ld_alloc(ld, (size_t)ld->s_rela->size);
    ld->s_rela->data = ld->s_rela->buf;
    if (p.out.count > ld->s_rela->size)
        co_ld_error(ld, "the addresses that packed relocations depend on do not settle");
    else
        memcpy(ld->s_rela->buf, p.out.items, p.out.count);
    return true;
}

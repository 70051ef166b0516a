/* SPDX-License-Identifier: MIT
 *
 * ld/relr.c - --pack-dyn-relocs=relr: .relr.dyn.
 *
 * A table of 64-bit words (gABI, "Relative Relocation Table"): an even word is
 * the address of a place; an odd one is a bitmap of which of the 63 words behind
 * the last place, or behind the last bitmap's reach, are places too.  There
 * are no addends: they stand in the places.  Odd places cannot be said and
 * stay in .rela.dyn.
 *
 * The size depends on addresses and stands in front of what is addressed.  It
 * is computed again until it fits, and never shrinks; what is left over is
 * filled with empty bitmaps.
 */
#include "ld.h"

#include <stdlib.h>

enum { WORD = 8, BITS = 63 };

bool co_ld_relr_packs(const struct ld *ld, const struct ld_section *sec, uint64_t off)
{
    return (ld->opt.flags & CODEOBJ_LINK_PACK_RELR) && sec->align >= 2 && off % 2 == 0;
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void put(uint8_t *buf, size_t *n, uint64_t word)
{
    if (buf)
        ld_put64(buf + *n * WORD, word);
    ++*n;
}

/* The number of words; they go to buf if there is one. */
static size_t encode(const uint64_t *places, size_t count, uint8_t *buf)
{
    size_t n = 0;
    for (size_t i = 0; i < count;) {
        uint64_t base = places[i] + WORD, map;
        put(buf, &n, places[i++]);
        do {
            for (map = 0; i < count && (places[i] - base) % WORD == 0 && places[i] - base < BITS * WORD; i++)
                map |= 1ull << ((places[i] - base) / WORD);
            if (map)
                put(buf, &n, map << 1 | 1);
            base += BITS * WORD;
        } while (map);
    }
    return n;
}

static const uint64_t *addresses(struct ld *ld)
{
    EACH(i, ld->relrs)
        ld->relr_places[i] = co_ld_addr(ld->relrs.items[i].sec, ld->relrs.items[i].off);
    if (ld->relrs.count)
        qsort(ld->relr_places, ld->relrs.count, sizeof *ld->relr_places, by_address);
    return ld->relr_places;
}

/* Addresses have been assigned; true: the table has grown, and they are to be assigned again. */
bool co_ld_relr_grow(struct ld *ld)
{
    if (!ld->s_relr)
        return false;
    uint64_t size = encode(addresses(ld), ld->relrs.count, NULL) * WORD;
    if (size <= ld->s_relr->size)
        return false;
    ld->s_relr->size = ld->s_relr->out->size = size;
    return true;
}

void co_ld_fill_relr(struct ld *ld)
{
    if (!ld->s_relr)
        return;
    size_t words = (size_t)ld->s_relr->size / WORD;
    ld->s_relr->buf = co_ld_alloc(ld, (size_t)ld->s_relr->size);
    ld->s_relr->data = ld->s_relr->buf;
    for (size_t n = encode(addresses(ld), ld->relrs.count, ld->s_relr->buf); n < words;)
        put(ld->s_relr->buf, &n, 1);
}

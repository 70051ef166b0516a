/* SPDX-License-Identifier: MIT
 *
 * elf/packed.c - packed relocations: SHT_RELR, and Android's SHT_ANDROID_REL and SHT_ANDROID_RELA.
 *
 * RELR (gABI): an even word is a place, an odd one stands for the 63 words behind the last, a bit for each.
 *
 * Android's: "APS2", then SLEB128 numbers: how many relocations, an offset to begin at, and groups.  A group has its
 * length, flags, and what the flags say stands once for all of it, in this order: the step from place to place, r_info,
 * the difference of the addend to the last one; each relocation has the rest.  A group without addends has 0 for them.
 */
#include "elf/packed.h"

#include <elf.h>
#include <string.h>

#include "base/diag.h"
#include "elf/elf.h"

enum { RELATIVE64 = 13, SHT_RELR_ = 19, WORD = 8 };
enum { BY_INFO = 1, BY_STEP = 2, BY_ADDEND = 4, HAS_ADDEND = 8 };
#define SHT_ANDROID_REL 0x60000001u
#define SHT_ANDROID_RELA 0x60000002u
#define SHT_ANDROID_RELR 0x6fffff00u

enum codeobj_status co_packed_relr(struct co_span table, co_packed_visit *visit, void *user)
{
    struct codeobj_elf_relocation r = { .type = RELATIVE64 };
    enum codeobj_status st = CODEOBJ_OK;
    uint64_t next = 0, word;
    for (uint64_t at = 0; !st && co_span_u64(table, at, &word); at += WORD) {
        if (!(word & 1)) {
            r.offset = word;
            st = visit(user, &r, true);
            next = word + WORD;
            continue;
        }
        for (unsigned bit = 1; !st && bit < 64; bit++)
            if (word >> bit & 1) {
                r.offset = next + (bit - 1) * WORD;
                st = visit(user, &r, true);
            }
        next += 63 * WORD;
    }
    return st;
}

struct numbers {
    struct co_span table;
    uint64_t at;
    bool failed; /* one went beyond the table, or beyond 64 bits */
};

static uint64_t number(struct numbers *n)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64 && n->at < n->table.size; shift += 7) {
        uint8_t byte = n->table.data[n->at++];
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        if (byte & 0x40 && shift + 7 < 64)
            v |= UINT64_MAX << (shift + 7);
        return v;
    }
    n->failed = true;
    return 0;
}

struct group {
    uint64_t count, flags, step, info;
};

static struct group read_group(struct numbers *n, uint64_t *addend)
{
    struct group g = { .count = number(n) };
    g.flags = number(n);
    if (g.flags & BY_STEP)
        g.step = number(n);
    if (g.flags & BY_INFO)
        g.info = number(n);
    if (!(g.flags & HAS_ADDEND))
        *addend = 0;
    else if (g.flags & BY_ADDEND)
        *addend += number(n);
    return g;
}

enum codeobj_status co_packed_android(struct co_span table, bool rela, uint64_t most, co_packed_visit *visit, void *user,
                                      struct codeobj_diag *diag)
{
    struct numbers n = { .table = table, .at = 4 };
    enum codeobj_status st = CODEOBJ_OK;
    if (table.size < 4 || memcmp(table.data, "APS2", 4))
        return co_fail(diag, CODEOBJ_MALFORMED, "packed relocations: they do not begin with \"APS2\"");
    uint64_t left = number(&n), offset = number(&n), addend = 0;
    if (left > most)
        return co_fail(diag, CODEOBJ_MALFORMED, "packed relocations: %llu of them, more than %llu bytes have places", (unsigned long long)left,
                       (unsigned long long)most);
    while (!st && left && !n.failed) {
        uint64_t begin = n.at;
        struct group g = read_group(&n, &addend);
        if (!n.failed && (!g.count || g.count > left))
            return co_fail(diag, CODEOBJ_MALFORMED, "packed relocations+0x%llx: a group of %llu, with %llu left", (unsigned long long)begin,
                           (unsigned long long)g.count, (unsigned long long)left);
        for (; !st && g.count; g.count--, left--) {
            offset += g.flags & BY_STEP ? g.step : number(&n);
            uint64_t info = g.flags & BY_INFO ? g.info : number(&n);
            if ((g.flags & (HAS_ADDEND | BY_ADDEND)) == HAS_ADDEND)
                addend += number(&n);
            if (n.failed)
                break;
            struct codeobj_elf_relocation r = { offset, (uint32_t)info, (uint32_t)(info >> 32), rela ? (int64_t)addend : 0 };
            st = visit(user, &r, !rela);
        }
    }
    if (n.failed)
        return co_fail(diag, CODEOBJ_MALFORMED, "packed relocations: they end inside a number, or a number is too large");
    return st;
}

/* ---- of a section ------------------------------------------------------------------ */

struct visitor {
    const struct codeobj_elf *elf;
    codeobj_elf_relocation_visit *visit;
    void *user;
};

static enum codeobj_status hand_on(void *user, const struct codeobj_elf_relocation *r, bool in_place)
{
    const struct visitor *v = user;
    struct codeobj_elf_relocation whole = *r;
    struct co_span at;
    if (in_place && co_elf_at_address(v->elf, r->offset, WORD, &at))
        whole.addend = (int64_t)co_load64(at.data);
    return v->visit(v->user, &whole) ? CODEOBJ_OK : CODEOBJ_LIMIT; /* which ends the walk, and no more */
}

enum codeobj_status codeobj_elf_visit_relocations(const struct codeobj_elf *elf, size_t section_idx,
                                                  codeobj_elf_relocation_visit *visit, void *user, struct codeobj_diag *diag)
{
    struct visitor v = { elf, visit, user };
    struct codeobj_elf_relocation r;
    uint32_t type = section_idx < elf->section_count ? elf->sections[section_idx].type : SHT_NULL;
    enum codeobj_status st = CODEOBJ_OK;
    switch (type) {
    case SHT_REL:
    case SHT_RELA:
        for (size_t i = 0; codeobj_elf_relocation(elf, section_idx, i, &r) == CODEOBJ_OK && visit(user, &r);)
            i++;
        break;
    case SHT_RELR_:
    case SHT_ANDROID_RELR:
        st = elf->is32 ? CODEOBJ_UNSUPPORTED : co_packed_relr(elf->section_bytes[section_idx], hand_on, &v);
        break;
    case SHT_ANDROID_REL:
    case SHT_ANDROID_RELA:
        st = elf->is32 ? CODEOBJ_UNSUPPORTED
                       : co_packed_android(elf->section_bytes[section_idx], type == SHT_ANDROID_RELA, elf->bytes.size, hand_on, &v, diag);
        break;
    default: return CODEOBJ_NOT_FOUND;
    }
    return st == CODEOBJ_LIMIT ? CODEOBJ_OK : st;
}

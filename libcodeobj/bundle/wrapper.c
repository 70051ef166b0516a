/* SPDX-License-Identifier: MIT
 *
 * bundle/wrapper.c - fat binary wrappers: the records HIP's start-up code hands
 * to the runtime, one for each bundle.
 *
 * Source: what clang's HIP code generation writes (.hipFatBinSegment, in PE
 * files .hipFatB): u32 magic, u32 version 1, a pointer to the bundle, a pointer
 * that is not used.  The magic is "HIPF" read as a number; tools that move
 * device code to other files make it "HIPK" and let the pointer lead to their
 * marker (.rocm_kpack_ref).
 *
 * In relocatable objects, PIEs and shared libraries the stored pointer is zero
 * or an addend: the relocations say where it leads.
 */
#include "bundle/host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAGIC_HIPF = 0x48495046, MAGIC_HIPK = 0x4b504948, VERSION = 1 };

static size_t record_size(const struct co_wrappers *x) { return 8 + 2 * (size_t)x->word; }

static uint64_t number(const struct co_wrappers *x, const uint8_t *p, unsigned size)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < size; i++)
        v |= (uint64_t)p[i] << 8 * (x->big ? size - 1 - i : i);
    return v;
}

bool co_wrappers_read(struct co_walk *w, const struct co_place *place, struct co_span bytes, unsigned word, bool big,
                      struct co_wrappers *out)
{
    struct co_wrappers x = { .word = word, .big = big };
    x.count = bytes.size / record_size(&x);
    x.items = calloc(x.count ? x.count : 1, sizeof *x.items);
    if (!x.items) {
        co_walk_finding(w, place, CODEOBJ_NO_MEMORY, NULL, "out of memory");
        return false;
    }
    for (size_t i = 0; i < x.count; i++) {
        const uint8_t *p = bytes.data + i * record_size(&x);
        x.items[i] = (struct co_wrapper){ .magic = (uint32_t)number(&x, p, 4), .version = (uint32_t)number(&x, p + 4, 4),
                                          .pointer = number(&x, p + 8, word) };
    }
    *out = x;
    return true;
}

struct co_wrapper *co_wrapper_at(const struct co_wrappers *x, uint64_t off)
{
    uint64_t i = off / record_size(x);
    return i < x->count && off % record_size(x) == 8 ? &x->items[i] : NULL;
}

void co_wrapper_lead(struct co_wrapper *wrapper, struct co_span section, const char *name, size_t name_size, uint64_t off)
{
    if (!co_span_sub(section, off, off <= section.size ? section.size - off : 0, &wrapper->target))
        return;
    wrapper->section = name;
    wrapper->section_size = name_size;
    wrapper->section_off = off;
}

static int clip(size_t n) { return n < 96 ? (int)n : 96; }

/* What is wrong with a record, or NULL. */
static const char *problem_of(const struct co_wrapper *x)
{
    if (x->magic != MAGIC_HIPF && x->magic != MAGIC_HIPK)
        return "the magic is neither HIPF nor HIPK";
    if (x->version != VERSION)
        return "the version is not 1";
    if (x->symbol)
        return NULL; /* another file defines it */
    if (!x->section)
        return "the pointer leads to no section of the file";
    if (x->magic == MAGIC_HIPF && co_sniff(x->target) == CODEOBJ_ITEM_OTHER)
        return "no bundle begins where the pointer leads";
    return NULL;
}

static void visit_record(struct co_walk *w, const struct co_place *place, struct co_span bytes, size_t off,
                         const struct co_wrapper *x)
{
    char entry[24], note[256], magic[16];
    int n = snprintf(entry, sizeof entry, "+0x%zx", off);
    snprintf(magic, sizeof magic, "0x%08" PRIx32, x->magic);
    const char *kind = x->magic == MAGIC_HIPF ? "HIPF" : x->magic == MAGIC_HIPK ? "HIPK" : magic;
    if (x->symbol)
        snprintf(note, sizeof note, "%s version %" PRIu32 ", for undefined %.*s", kind, x->version, clip(x->symbol_size), x->symbol);
    else if (x->section)
        snprintf(note, sizeof note, "%s version %" PRIu32 ", for %.*s+0x%" PRIx64, kind, x->version, clip(x->section_size), x->section,
                 x->section_off);
    else
        snprintf(note, sizeof note, "%s version %" PRIu32 ", pointer 0x%" PRIx64, kind, x->version, x->pointer);
    struct codeobj_item item = { .kind = CODEOBJ_ITEM_WRAPPER, .version = (uint16_t)(x->version > 0xffff ? 0xffff : x->version),
                                 .data = bytes.data, .size = bytes.size, .note = note };
    if (x->section && x->target.data) {
        item.has_refers_to = true;
        item.refers_to = (uint64_t)(x->target.data - place->base.data);
    }
    co_walk_item(w, place, bytes, &item, entry, (size_t)n);
    const char *problem = problem_of(x);
    if (problem)
        co_walk_finding(w, place, CODEOBJ_MALFORMED, bytes.data, "fat binary wrapper: %s: found %s", problem, note);
}

void co_wrappers_visit(struct co_walk *w, const struct co_place *place, struct co_span bytes, const char *name, size_t n,
                       struct co_wrappers *x)
{
    struct co_place inner;
    if (co_walk_enter_section(w, place, bytes, name, n, &inner)) {
        for (size_t i = 0; i < x->count && !w->stopped; i++) {
            struct co_span record = { bytes.data + i * record_size(x), record_size(x) };
            visit_record(w, &inner, record, i * record_size(x), &x->items[i]);
        }
        if (bytes.size % record_size(x))
            co_walk_finding(w, &inner, CODEOBJ_MALFORMED, bytes.data + x->count * record_size(x),
                            "fat binary wrappers: found %zu bytes, expected a multiple of %zu", bytes.size, record_size(x));
        co_walk_leave_section(w, &inner, bytes);
    }
    free(x->items);
}

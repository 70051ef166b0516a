/* SPDX-License-Identifier: MIT
 *
 * bundle/sniff.c - what begins here, how far does it reach, where does the next
 * thing begin?
 *
 * Some carriers (GCC's, ROCr's) embed bare ELF images in data sections with
 * nothing to say so; finding them takes a scan for the magic, and a look at the
 * header behind it to tell chance from fact.
 */
#include "bundle/walk.h"

#include <stdio.h>

enum { EM_AMDGPU = 224 };

static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";
static const char *const text_magics[] = { "# __CLANG_OFFLOAD_BUNDLE____START__ ", "// __CLANG_OFFLOAD_BUNDLE____START__ ",
                                           "; __CLANG_OFFLOAD_BUNDLE____START__ " };

static bool starts(struct co_span s, const void *magic, size_t n)
{
    return s.size >= n && memcmp(s.data, magic, n) == 0;
}

static bool is_text_bundle(struct co_span s)
{
    /* Clang puts an empty line in front. */
    while (s.size && (s.data[0] == '\n' || s.data[0] == '\r'))
        s = (struct co_span){ s.data + 1, s.size - 1 };
    for (size_t i = 0; i < sizeof text_magics / sizeof text_magics[0]; i++)
        if (starts(s, text_magics[i], strlen(text_magics[i])))
            return true;
    return false;
}

bool co_is_amdgpu_elf(struct co_span s)
{
    return s.size >= 52 && memcmp(s.data, "\177ELF", 4) == 0 && (s.data[4] == 1 || s.data[4] == 2) && s.data[5] == 1 &&
           co_load16(s.data + 18) == EM_AMDGPU;
}

enum codeobj_item_kind co_sniff(struct co_span s)
{
    if (starts(s, "\177ELF", 4))
        return s.size < 52 || co_is_amdgpu_elf(s) ? CODEOBJ_ITEM_CODE_OBJECT : CODEOBJ_ITEM_HOST_ELF; /* the reader says what a stump lacks */
    if (starts(s, bundle_magic, 24))
        return CODEOBJ_ITEM_BUNDLE;
    if (starts(s, "CCOB", 4))
        return CODEOBJ_ITEM_COMPRESSED_BUNDLE;
    if (starts(s, "\x10\xff\x10\xad", 4) && s.size >= 8)
        return CODEOBJ_ITEM_OFFLOAD_BINARY;
    if (starts(s, "!<arch>\n", 8))
        return CODEOBJ_ITEM_ARCHIVE;
    if (starts(s, "!<thin>\n", 8))
        return CODEOBJ_ITEM_THIN_ARCHIVE;
    if (starts(s, "BC\xc0\xde", 4) || starts(s, "\xde\xc0\x17\x0b", 4))
        return CODEOBJ_ITEM_BITCODE;
    if (starts(s, "\x03\x02\x23\x07", 4))
        return CODEOBJ_ITEM_SPIRV;
    if ((starts(s, "MZ", 2) && s.size >= 64) || co_is_coff_object(s))
        return CODEOBJ_ITEM_HOST_COFF;
    return is_text_bundle(s) ? CODEOBJ_ITEM_TEXT_BUNDLE : CODEOBJ_ITEM_OTHER;
}

size_t co_extent(struct co_span s, enum codeobj_item_kind kind)
{
    switch (kind) {
    case CODEOBJ_ITEM_BUNDLE: return co_bundle_extent(s);
    case CODEOBJ_ITEM_COMPRESSED_BUNDLE: return co_ccob_extent(s);
    case CODEOBJ_ITEM_OFFLOAD_BINARY: return co_offload_extent(s);
    case CODEOBJ_ITEM_CODE_OBJECT: return co_elf_extent(s);
    case CODEOBJ_ITEM_ARCHIVE:
    case CODEOBJ_ITEM_THIN_ARCHIVE: return co_archive_extent(s);
    default: return s.size;
    }
}

/* Largest end of [off, off+size) seen; false when it lies outside. */
static bool reach(struct co_span s, uint64_t off, uint64_t size, uint64_t *end)
{
    if (!co_span_has(s, off, size))
        return false;
    if (*end < off + size)
        *end = off + size;
    return true;
}

/* An image ends where its last section, segment or table ends. */
size_t co_elf_extent(struct co_span s)
{
    if (!co_is_amdgpu_elf(s) || (s.data[4] == 2 && s.size < 64))
        return 0;
    bool wide = s.data[4] == 2;
    const uint8_t *h = s.data;
    uint64_t phoff = wide ? co_load64(h + 32) : co_load32(h + 28), shoff = wide ? co_load64(h + 40) : co_load32(h + 32);
    const uint8_t *counts = h + (wide ? 54 : 42);
    uint16_t phentsize = co_load16(counts), phnum = co_load16(counts + 2), shentsize = co_load16(counts + 4),
             shnum = co_load16(counts + 6);
    uint64_t end = wide ? 64 : 52;
    if ((phnum && (phentsize < (wide ? 56 : 32) || !reach(s, phoff, (uint64_t)phnum * phentsize, &end))) ||
        (shnum && (shentsize < (wide ? 64 : 40) || !reach(s, shoff, (uint64_t)shnum * shentsize, &end))))
        return 0;
    for (unsigned i = 0; i < shnum; i++) {
        const uint8_t *sh = s.data + shoff + (uint64_t)i * shentsize;
        uint32_t type = co_load32(sh + 4);
        if (type == 0 || type == 8) /* SHT_NULL, SHT_NOBITS */
            continue;
        if (!reach(s, wide ? co_load64(sh + 24) : co_load32(sh + 16), wide ? co_load64(sh + 32) : co_load32(sh + 20), &end))
            return 0;
    }
    for (unsigned i = 0; i < phnum; i++) {
        const uint8_t *ph = s.data + phoff + (uint64_t)i * phentsize;
        if (!reach(s, wide ? co_load64(ph + 8) : co_load32(ph + 4), wide ? co_load64(ph + 32) : co_load32(ph + 16), &end))
            return 0;
    }
    return (size_t)end;
}

/* All magics begin with one of five bytes; a run without any is skipped
 * a byte at a time, zeros (padding) a word at a time. */
size_t co_scan(struct co_span s, size_t from)
{
    static const uint8_t first[256] = { ['_'] = 1, ['C'] = 1, [0x7f] = 1, [0x10] = 1, ['!'] = 1 };
    for (size_t i = from; i + 4 <= s.size; i++) {
        const uint8_t *p = s.data + i;
        if (!*p && i + 8 <= s.size && co_load64(p) == 0) {
            i += 7;
            continue;
        }
        if (!first[*p])
            continue;
        struct co_span at = { p, s.size - i };
        if (co_is_amdgpu_elf(at) || starts(at, bundle_magic, 24) || starts(at, "CCOB", 4) || starts(at, "\x10\xff\x10\xad", 4) ||
            starts(at, "!<arch>\n", 8) || starts(at, "!<thin>\n", 8))
            return i;
    }
    return s.size;
}

size_t co_next_thing(struct co_span s, size_t from, bool strict, size_t *extent)
{
    size_t at = co_scan(s, from);
    for (*extent = 0; at < s.size; at = co_scan(s, at + 1)) {
        struct co_span rest = { s.data + at, s.size - at };
        *extent = co_extent(rest, co_sniff(rest));
        if (*extent || strict)
            break;
    }
    return at;
}

bool co_is_one_thing(struct co_span s)
{
    switch (co_sniff(s)) {
    case CODEOBJ_ITEM_BITCODE:
    case CODEOBJ_ITEM_SPIRV:
    case CODEOBJ_ITEM_TEXT_BUNDLE:
    case CODEOBJ_ITEM_HOST_ELF:
    case CODEOBJ_ITEM_HOST_COFF: return true;
    default: return false;
    }
}

void co_enter_raw(struct co_walk *w, const struct co_place *place, struct co_span s, bool strict)
{
    size_t at = 0, extent;
    if (strict && co_is_one_thing(s)) {
        co_walk_child(w, place, s, "+0x0", 4, false);
        return;
    }
    while (!w->stopped) {
        size_t from = at;
        at = co_next_thing(s, at, strict, &extent);
        if (!co_walk_charge(w, place, at - from) || at >= s.size)
            return;
        struct co_span rest = { s.data + at, extent ? extent : s.size - at };
        if (extent) {
            char entry[24];
            int n = snprintf(entry, sizeof entry, "+0x%zx", at);
            co_walk_child(w, place, rest, entry, (size_t)n, false);
        } else {
            co_walk_finding(w, place, CODEOBJ_MALFORMED, rest.data, "%s: its header is broken or points outside",
                            codeobj_item_kind_name(co_sniff(rest)));
        }
        at += extent ? extent : 1;
    }
}

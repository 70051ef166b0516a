/* SPDX-License-Identifier: MIT
 *
 * bundle/host.c - host ELF, PE and COFF files: the sections that hold device code.
 *
 * HIP keeps bundles in .hip_fatbin (.hip_fat in PE files, whose section names
 * have eight bytes), LLVM's new driver offload binaries in .llvm.offloading,
 * clang-offload-bundler one section __CLANG_OFFLOAD_BUNDLE__ID per entry.
 * .rocm_kpack_ref (.kpackrf) says that the device code was moved to other files;
 * it is a MessagePack map with a list kpack_search_paths.  Everything else that
 * is data is scanned, for ELF images that are embedded bare.
 */
#include "bundle/walk.h"

#include <inttypes.h>
#include <stdio.h>

static const char entry_prefix[] = "__CLANG_OFFLOAD_BUNDLE__";

/* ---- the kpack marker ---- */

/* A MessagePack string at *p; moves behind it. */
static bool pack_string(struct co_span s, size_t *p, struct co_span *out)
{
    size_t at = *p, n;
    if (at >= s.size)
        return false;
    uint8_t b = s.data[at++];
    if ((b & 0xe0) == 0xa0)
        n = b & 0x1f;
    else if (b == 0xd9 && at + 1 <= s.size)
        n = s.data[at++];
    else if (b == 0xda && at + 2 <= s.size)
        n = (size_t)s.data[at] << 8 | s.data[at + 1], at += 2;
    else
        return false;
    if (!co_span_sub(s, at, n, out))
        return false;
    *p = at + n;
    return true;
}

/* The search paths with ", " between; "" when the marker is not as described. */
static void kpack_paths(struct co_span s, char *out, size_t size)
{
    static const char key[] = "kpack_search_paths";
    const uint8_t *found = s.size ? memmem(s.data, s.size, key, strlen(key)) : NULL;
    out[0] = 0;
    if (!found)
        return;
    size_t at = (size_t)(found - s.data) + strlen(key), used = 0;
    if (at >= s.size || (s.data[at] & 0xf0) != 0x90)
        return;
    unsigned count = s.data[at++] & 0x0f;
    for (unsigned i = 0; i < count; i++) {
        struct co_span path;
        if (!pack_string(s, &at, &path))
            return;
        int n = snprintf(out + used, size - used, "%s%.*s", i ? ", " : "", (int)(path.size < 200 ? path.size : 200),
                         (const char *)path.data);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
    }
}

/* ---- by name ---- */

static bool name_is(const char *name, size_t n, const char *what)
{
    return n == strlen(what) && memcmp(name, what, n) == 0;
}

/* is_data: initialised data that is not code. */
static void host_section(struct co_walk *w, const struct co_place *place, struct co_span bytes, const char *name, size_t n,
                         bool is_data)
{
    size_t prefix = strlen(entry_prefix);
    if (n > prefix && memcmp(name, entry_prefix, prefix) == 0) {
        if (strncmp(name + prefix, "host-", 5) == 0 && bytes.size <= 1)
            co_walk_leaf(w, place, bytes, CODEOBJ_ITEM_HOST, name + prefix, n - prefix, true, NULL);
        else
            co_walk_child(w, place, bytes, name + prefix, n - prefix, true);
    } else if (name_is(name, n, ".rocm_kpack_ref") || name_is(name, n, ".kpackrf")) {
        char paths[1024];
        kpack_paths(bytes, paths, sizeof paths);
        co_walk_leaf(w, place, bytes, CODEOBJ_ITEM_EXTERNAL, name, n, false, paths);
    } else if (name_is(name, n, ".hip_fatbin") || name_is(name, n, ".hip_fat") || name_is(name, n, ".llvm.offloading")) {
        co_walk_section(w, place, bytes, name, n, true);
    } else if (is_data) {
        co_walk_section(w, place, bytes, name, n, false);
    }
}

/* ---- ELF of any class and byte order ---- */

enum { SHT_PROGBITS = 1, SHT_NOBITS = 8, SHF_ALLOC = 2, SHF_EXECINSTR = 4, SHN_XINDEX = 0xffff };

struct elf {
    struct co_span s;
    bool wide, big;
};

static uint64_t number(const struct elf *e, uint64_t off, unsigned size)
{
    uint64_t v = 0;
    if (!co_span_has(e->s, off, size))
        return 0;
    for (unsigned i = 0; i < size; i++)
        v |= (uint64_t)e->s.data[off + i] << 8 * (e->big ? size - 1 - i : i);
    return v;
}

struct section {
    uint64_t name, type, flags, offset, size, link;
};

static struct section section_at(const struct elf *e, uint64_t at)
{
    struct section x = { .name = number(e, at, 4), .type = number(e, at + 4, 4) };
    unsigned word = e->wide ? 8 : 4;
    x.flags = number(e, at + 8, word);
    x.offset = number(e, at + 8 + 2 * word, word);
    x.size = number(e, at + 8 + 3 * word, word);
    x.link = number(e, at + 8 + 4 * word, 4);
    return x;
}

static void elf_section(struct co_walk *w, const struct co_place *place, const struct elf *e, const struct section *x,
                        struct co_span names)
{
    struct co_span bytes;
    const char *name = co_span_str(names, x->name);
    if (x->type == 0 || x->type == SHT_NOBITS || x->size == 0)
        return;
    if (!name)
        name = "";
    if (!co_span_sub(e->s, x->offset, x->size, &bytes)) {
        /* Only sections that may hold something of ours are of interest. */
        if (x->type == SHT_PROGBITS)
            co_walk_finding(w, place, CODEOBJ_MALFORMED, NULL,
                            "section '%.64s': found offset 0x%" PRIx64 " and size 0x%" PRIx64 ", the file has 0x%zx bytes", name,
                            x->offset, x->size, e->s.size);
        return;
    }
    bool is_data = x->type == SHT_PROGBITS && (x->flags & SHF_ALLOC) && !(x->flags & SHF_EXECINSTR);
    host_section(w, place, bytes, name, strlen(name), is_data);
}

void co_enter_host_elf(struct co_walk *w, const struct co_place *place, struct co_span s)
{
    struct elf e = { s, s.data[4] == 2, s.data[5] == 2 };
    unsigned header = e.wide ? 64 : 52;
    uint64_t shoff = number(&e, e.wide ? 40 : 32, e.wide ? 8 : 4);
    uint64_t entsize = number(&e, header - 6, 2), count = number(&e, header - 4, 2), names_idx = number(&e, header - 2, 2);
    struct co_span names = { 0 };
    if (s.size < header || shoff == 0) {
        co_enter_raw(w, place, s, false); /* stripped of its section table */
        return;
    }
    if (entsize < (e.wide ? 64u : 40u) || !co_span_has(s, shoff, entsize)) {
        co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data, "section headers: found offset 0x%" PRIx64 " and entry size %" PRIu64
                        ", the file has 0x%zx bytes", shoff, entsize, s.size);
        return;
    }
    struct section zero = section_at(&e, shoff);
    if (count == 0)
        count = zero.size;
    if (names_idx == SHN_XINDEX)
        names_idx = zero.link;
    if (count > (s.size - shoff) / entsize) {
        co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data + shoff, "section headers: found %" PRIu64 ", the file has room for %" PRIu64,
                        count, (uint64_t)((s.size - shoff) / entsize));
        count = (s.size - shoff) / entsize;
    }
    if (names_idx < count) {
        struct section x = section_at(&e, shoff + names_idx * entsize);
        co_span_sub(s, x.offset, x.size, &names);
    }
    for (uint64_t i = 1; i < count && !w->stopped; i++) {
        struct section x = section_at(&e, shoff + i * entsize);
        elf_section(w, place, &e, &x, names);
    }
}

/* ---- PE and COFF ---- */

enum { COFF_HEADER = 20, COFF_SECTION = 40, CNT_CODE = 0x20, CNT_INITIALIZED_DATA = 0x40 };

/* Machines AMD's host compilers write for: x86-64, AArch64, i386. */
static bool is_host_machine(uint16_t machine)
{
    return machine == 0x8664 || machine == 0xaa64 || machine == 0x014c;
}

bool co_is_coff_object(struct co_span s)
{
    if (s.size < COFF_HEADER + COFF_SECTION || !is_host_machine(co_load16(s.data)))
        return false;
    unsigned sections = co_load16(s.data + 2), optional = co_load16(s.data + 16);
    uint32_t symbols = co_load32(s.data + 8);
    return sections && optional == 0 && co_span_has(s, COFF_HEADER, (uint64_t)sections * COFF_SECTION) && symbols <= s.size;
}

/* The section's name: 8 bytes, or "/N", an offset into the string table behind the symbols. */
static const char *coff_name(struct co_span s, struct co_span strings, const uint8_t *field, size_t *n)
{
    uint64_t off = 0;
    size_t i = 1;
    *n = strnlen((const char *)field, 8);
    if (field[0] != '/')
        return (const char *)field;
    while (i < *n && field[i] >= '0' && field[i] <= '9')
        off = off * 10 + (uint64_t)(field[i++] - '0');
    const char *name = i == *n && i > 1 ? co_span_str(strings, off) : NULL;
    if (!name)
        return (const char *)field;
    *n = strlen(name);
    (void)s;
    return name;
}

void co_enter_coff(struct co_walk *w, const struct co_place *place, struct co_span s)
{
    uint64_t header = 0;
    if (s.data[0] == 'M') {
        header = co_load32(s.data + 60);
        if (!co_span_has(s, header, 4 + COFF_HEADER) || memcmp(s.data + header, "PE\0\0", 4) != 0)
            return; /* a DOS program */
        header += 4;
    }
    const uint8_t *h = s.data + header;
    unsigned count = co_load16(h + 2);
    uint64_t table = header + COFF_HEADER + co_load16(h + 16);
    struct co_span strings = { 0 };
    uint64_t at = co_load32(h + 8) ? co_load32(h + 8) + (uint64_t)co_load32(h + 12) * 18 : s.size;
    if (at < s.size)
        co_span_sub(s, at, s.size - at, &strings);
    if (!co_span_has(s, table, (uint64_t)count * COFF_SECTION)) {
        co_walk_finding(w, place, CODEOBJ_MALFORMED, h + 2, "section headers: found %u, the file has no room for them", count);
        return;
    }
    for (unsigned i = 0; i < count && !w->stopped; i++) {
        const uint8_t *x = s.data + table + (uint64_t)i * COFF_SECTION;
        uint64_t virtual_size = co_load32(x + 8), size = co_load32(x + 16), off = co_load32(x + 20);
        uint32_t flags = co_load32(x + 36);
        size_t n;
        struct co_span bytes;
        const char *name = coff_name(s, strings, x, &n);
        /* Raw data is padded to the file alignment; the virtual size is the real one. */
        if (virtual_size && virtual_size < size)
            size = virtual_size;
        if (size == 0 || off == 0)
            continue;
        if (!co_span_sub(s, off, size, &bytes))
            co_walk_finding(w, place, CODEOBJ_MALFORMED, x + 16, "section '%.*s' lies outside the file", (int)n, name);
        else
            host_section(w, place, bytes, name, n, (flags & CNT_INITIALIZED_DATA) && !(flags & CNT_CODE));
    }
}

/* SPDX-License-Identifier: MIT
 *
 * elf/open.c - opening an object: bytes, header, the two header tables.
 *
 * Rules: System V ABI (gABI), chapters ELF Header, Sections, Program Header.
 *
 * open_bytes() is the list of stages.  Each stage leaves what it read checked,
 * so that no later code compares an offset with the file's size again.  What
 * surprises: both ELF classes occur (r600 is 32 bits), objects of the HSA
 * finalizer are ET_REL with program headers, and the counts of large files
 * hide in section 0.  The header tables are read here rather than by libelf,
 * which has no lenient mode and cannot say where a table is broken.
 */
#include <codeobj/elf.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/options.h"
#include "elf/elf.h"

enum {
    MAX_FINDINGS = 256, /* the last one says that there are more */
    READ_STEP = 65536,
};

enum codeobj_status co_elf_problem(struct codeobj_elf *elf, struct codeobj_diag *diag, const char *section,
                                   uint64_t offset, const char *fmt, ...)
{
    struct codeobj_diag found = { 0 };
    char text[sizeof found.text];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    co_diag_file(&found, elf->name);
    co_fail_at(&found, CODEOBJ_MALFORMED, section && *section ? section : NULL, offset, "%s", text);
    if (!elf->lenient) {
        if (diag)
            *diag = found;
        return CODEOBJ_MALFORMED;
    }
    if (elf->finding_count >= MAX_FINDINGS)
        return CODEOBJ_OK;
    if (elf->finding_count == elf->finding_cap) {
        size_t cap = elf->finding_cap ? elf->finding_cap * 2 : 4;
        struct codeobj_diag *grown = realloc(elf->findings, cap * sizeof *grown);
        if (!grown)
            return co_no_memory(diag);
        elf->findings = grown;
        elf->finding_cap = cap;
    }
    if (elf->finding_count == MAX_FINDINGS - 1)
        co_fail(&found, CODEOBJ_MALFORMED, "more problems follow that are not listed");
    elf->findings[elf->finding_count++] = found;
    return CODEOBJ_OK;
}

/* ---- header ---------------------------------------------------------------- */

static enum codeobj_status read_ident(struct codeobj_elf *elf, unsigned flags, struct codeobj_diag *diag)
{
    struct co_span b = elf->bytes;
    if (b.size >= SELFMAG && memcmp(b.data, ELFMAG, SELFMAG))
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, 0, "not an ELF file: found %02x %02x %02x %02x", b.data[0], b.data[1],
                          b.data[2], b.data[3]);
    if (b.size < EI_NIDENT)
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, b.size, "file ends in the ELF identification: %zu bytes", b.size);
    if (b.data[EI_CLASS] != ELFCLASS32 && b.data[EI_CLASS] != ELFCLASS64)
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, EI_CLASS, "ELF class: found %u, expected 1 or 2", b.data[EI_CLASS]);
    if (b.data[EI_DATA] != ELFDATA2LSB)
        return co_fail_at(diag, b.data[EI_DATA] == ELFDATA2MSB ? CODEOBJ_UNSUPPORTED : CODEOBJ_MALFORMED, NULL, EI_DATA,
                          "data encoding: found %u, expected 1 (little-endian)", b.data[EI_DATA]);
    if (b.data[EI_VERSION] != EV_CURRENT)
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, EI_VERSION, "ELF version: found %u, expected 1", b.data[EI_VERSION]);
    elf->is32 = b.data[EI_CLASS] == ELFCLASS32;
    size_t need = elf->is32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);
    if (b.size < need)
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, b.size, "file ends in the ELF header: %zu of %zu bytes", b.size, need);
    uint16_t machine = co_load16(b.data + 18);
    if (machine != CO_EM_AMDGPU && !(flags & CODEOBJ_ELF_ANY_MACHINE))
        return co_fail_at(diag, CODEOBJ_UNSUPPORTED, NULL, 18, "machine: found %u, expected 224 (EM_AMDGPU)", machine);
    return CODEOBJ_OK;
}

struct table_sizes {
    uint16_t ehsize, phentsize, shentsize;
};

static struct table_sizes read_header(struct codeobj_elf *elf)
{
    const uint8_t *p = elf->bytes.data;
    struct codeobj_elf_header *h = &elf->header;
    *h = (struct codeobj_elf_header){
        .elf_class = p[EI_CLASS], .osabi = p[EI_OSABI], .abi_version = p[EI_ABIVERSION],
        .type = co_load16(p + 16), .machine = co_load16(p + 18), .version = co_load32(p + 20),
    };
    size_t word = elf->is32 ? 4 : 8;
    h->entry = co_load_word(elf, p + 24);
    h->phoff = co_load_word(elf, p + 24 + word);
    h->shoff = co_load_word(elf, p + 24 + 2 * word);
    p += 24 + 3 * word;
    h->flags = co_load32(p);
    h->phnum = co_load16(p + 8);
    h->shnum = co_load16(p + 12);
    h->shstrndx = co_load16(p + 14);
    return (struct table_sizes){ co_load16(p + 4), co_load16(p + 6), co_load16(p + 10) };
}

static struct codeobj_elf_section load_section(const struct codeobj_elf *elf, const uint8_t *p, uint32_t idx)
{
    size_t w = elf->is32 ? 4 : 8;
    return (struct codeobj_elf_section){
        .name = "", .idx = idx, .type = co_load32(p + 4),
        .flags = co_load_word(elf, p + 8), .addr = co_load_word(elf, p + 8 + w),
        .offset = co_load_word(elf, p + 8 + 2 * w), .size = co_load_word(elf, p + 8 + 3 * w),
        .link = co_load32(p + 8 + 4 * w), .info = co_load32(p + 12 + 4 * w),
        .align = co_load_word(elf, p + 16 + 4 * w), .entsize = co_load_word(elf, p + 16 + 5 * w),
    };
}

static struct codeobj_elf_segment load_segment(const struct codeobj_elf *elf, const uint8_t *p)
{
    if (elf->is32)
        return (struct codeobj_elf_segment){ co_load32(p), co_load32(p + 24), co_load32(p + 4), co_load32(p + 8),
            co_load32(p + 12), co_load32(p + 16), co_load32(p + 20), co_load32(p + 28) };
    return (struct codeobj_elf_segment){ co_load32(p), co_load32(p + 4), co_load64(p + 8), co_load64(p + 16),
        co_load64(p + 24), co_load64(p + 32), co_load64(p + 40), co_load64(p + 48) };
}

/* ---- section header table --------------------------------------------------- */

/* Counts that do not fit in the header's 16 bits are in section 0. */
static enum codeobj_status resolve_counts(struct codeobj_elf *elf, size_t shent, struct codeobj_diag *diag)
{
    struct codeobj_elf_header *h = &elf->header;
    bool escaped = (h->shoff && h->shnum == 0) || h->shstrndx == SHN_XINDEX || h->phnum == PN_XNUM;
    if (!escaped)
        return CODEOBJ_OK;
    struct co_span first;
    if (!h->shoff || !co_span_sub(elf->bytes, h->shoff, shent, &first)) {
        h->shnum = h->shstrndx = 0;
        if (h->phnum == PN_XNUM)
            h->phnum = 0;
        return co_elf_problem(elf, diag, NULL, h->shoff, "section 0, which holds the table counts, lies outside the file");
    }
    struct codeobj_elf_section zero = load_section(elf, first.data, 0);
    if (h->shnum == 0) {
        if (zero.size > UINT32_MAX)
            return co_elf_problem(elf, diag, NULL, h->shoff, "section count in section 0: found 0x%llx",
                                  (unsigned long long)zero.size);
        h->shnum = (uint32_t)zero.size;
    }
    if (h->shstrndx == SHN_XINDEX)
        h->shstrndx = zero.link;
    if (h->phnum == PN_XNUM)
        h->phnum = zero.info;
    return CODEOBJ_OK;
}

/* sh_name, when shstrndx is a string table. */
static enum codeobj_status name_sections(struct codeobj_elf *elf, const uint8_t *table, size_t shent,
                                         struct codeobj_diag *diag)
{
    uint32_t strndx = elf->header.shstrndx;
    if (!strndx)
        return CODEOBJ_OK;
    size_t field = elf->is32 ? 50 : 62; /* e_shstrndx */
    if (strndx >= elf->section_count)
        return co_elf_problem(elf, diag, NULL, field, "section name table: index %u of %zu sections", strndx, elf->section_count);
    struct co_span names = elf->section_bytes[strndx];
    if (elf->sections[strndx].type != SHT_STRTAB)
        return co_elf_problem(elf, diag, NULL, field, "section name table: section %u has type 0x%x, expected SHT_STRTAB",
                              strndx, elf->sections[strndx].type);
    if (names.size && names.data[names.size - 1])
        return co_elf_problem(elf, diag, NULL, elf->sections[strndx].offset + names.size - 1,
                              "section name table [%u] does not end in NUL", strndx);
    for (size_t i = 0; i < elf->section_count; i++) {
        uint32_t name = co_load32(table + i * shent);
        if (name < names.size) {
            elf->sections[i].name = (const char *)names.data + name;
        } else if (name) {
            enum codeobj_status st = co_elf_problem(elf, diag, NULL, elf->header.shoff + i * shent,
                                                    "name of section %zu: offset 0x%x, string table has 0x%zx bytes", i, name, names.size);
            if (st)
                return st;
        }
    }
    return CODEOBJ_OK;
}

static enum codeobj_status check_section(struct codeobj_elf *elf, size_t i, uint64_t header_off, struct codeobj_diag *diag)
{
    struct codeobj_elf_section *s = &elf->sections[i];
    if (s->type == SHT_NULL || i == 0)
        return CODEOBJ_OK;
    if (s->align & (s->align - 1))
        return co_elf_problem(elf, diag, NULL, header_off, "section %zu: alignment 0x%llx is not a power of two", i,
                              (unsigned long long)s->align);
    if (s->type == SHT_NOBITS)
        return CODEOBJ_OK;
    if (!co_span_sub(elf->bytes, s->offset, s->size, &elf->section_bytes[i]))
        return co_elf_problem(elf, diag, NULL, header_off,
                              "section %zu: bytes 0x%llx to 0x%llx+0x%llx lie outside the file of 0x%zx bytes", i,
                              (unsigned long long)s->offset, (unsigned long long)s->offset, (unsigned long long)s->size,
                              elf->bytes.size);
    return CODEOBJ_OK;
}

static enum codeobj_status read_sections(struct codeobj_elf *elf, uint16_t stored_size, struct codeobj_diag *diag)
{
    struct codeobj_elf_header *h = &elf->header;
    size_t shent = elf->is32 ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr);
    enum codeobj_status st = resolve_counts(elf, shent, diag);
    if (st)
        return st;
    if (!h->shoff || !h->shnum)
        return CODEOBJ_OK;
    if (stored_size != shent)
        return co_elf_problem(elf, diag, NULL, elf->is32 ? 46 : 58, "section header size: found %u, expected %zu", stored_size, shent);
    struct co_span table;
    if (!co_span_sub(elf->bytes, h->shoff, (uint64_t)h->shnum * shent, &table)) {
        st = co_elf_problem(elf, diag, NULL, h->shoff, "section header table of %u entries lies outside the file of 0x%zx bytes",
                            h->shnum, elf->bytes.size);
        if (st)
            return st;
        /* What a cut file still has of it. */
        if (!co_span_sub(elf->bytes, h->shoff, 0, &table))
            return CODEOBJ_OK;
        size_t whole = (elf->bytes.size - (size_t)h->shoff) / shent;
        table.size = (whole < h->shnum ? whole : h->shnum) * shent;
    }
    size_t count = table.size / shent;
    elf->sections = co_arena_array(elf->arena, count, sizeof *elf->sections);
    elf->section_bytes = co_arena_array(elf->arena, count, sizeof *elf->section_bytes);
    if (!elf->sections || !elf->section_bytes)
        return co_no_memory(diag);
    elf->section_count = count;
    for (size_t i = 0; i < count; i++) {
        elf->sections[i] = load_section(elf, table.data + i * shent, (uint32_t)i);
        st = check_section(elf, i, h->shoff + i * shent, diag);
        if (st)
            return st;
    }
    return name_sections(elf, table.data, shent, diag);
}

/* ---- program header table ---------------------------------------------------- */

static enum codeobj_status check_segment(struct codeobj_elf *elf, size_t i, uint64_t header_off, struct codeobj_diag *diag)
{
    const struct codeobj_elf_segment *s = &elf->segments[i];
    if (!co_span_sub(elf->bytes, s->offset, s->filesz, &elf->segment_bytes[i]))
        return co_elf_problem(elf, diag, NULL, header_off,
                              "segment %zu: bytes 0x%llx+0x%llx lie outside the file of 0x%zx bytes", i,
                              (unsigned long long)s->offset, (unsigned long long)s->filesz, elf->bytes.size);
    if (s->align & (s->align - 1))
        return co_elf_problem(elf, diag, NULL, header_off, "segment %zu: alignment 0x%llx is not a power of two", i,
                              (unsigned long long)s->align);
    if (s->type != PT_LOAD)
        return CODEOBJ_OK;
    if (s->filesz > s->memsz)
        return co_elf_problem(elf, diag, NULL, header_off, "segment %zu: file size 0x%llx is more than memory size 0x%llx", i,
                              (unsigned long long)s->filesz, (unsigned long long)s->memsz);
    if (s->vaddr + s->memsz < s->vaddr)
        return co_elf_problem(elf, diag, NULL, header_off, "segment %zu: address 0x%llx plus size 0x%llx wraps", i,
                              (unsigned long long)s->vaddr, (unsigned long long)s->memsz);
    return CODEOBJ_OK;
}

static enum codeobj_status read_segments(struct codeobj_elf *elf, uint16_t stored_size, struct codeobj_diag *diag)
{
    struct codeobj_elf_header *h = &elf->header;
    size_t phent = elf->is32 ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr);
    if (!h->phnum || !h->phoff)
        return CODEOBJ_OK;
    if (stored_size != phent)
        return co_elf_problem(elf, diag, NULL, elf->is32 ? 42 : 54, "program header size: found %u, expected %zu", stored_size, phent);
    struct co_span table;
    if (!co_span_sub(elf->bytes, h->phoff, (uint64_t)h->phnum * phent, &table))
        return co_elf_problem(elf, diag, NULL, h->phoff, "program header table of %u entries lies outside the file of 0x%zx bytes",
                              h->phnum, elf->bytes.size);
    elf->segments = co_arena_array(elf->arena, h->phnum, sizeof *elf->segments);
    elf->segment_bytes = co_arena_array(elf->arena, h->phnum, sizeof *elf->segment_bytes);
    if (!elf->segments || !elf->segment_bytes)
        return co_no_memory(diag);
    elf->segment_count = h->phnum;
    for (size_t i = 0; i < elf->segment_count; i++) {
        elf->segments[i] = load_segment(elf, table.data + i * phent);
        enum codeobj_status st = check_segment(elf, i, h->phoff + i * phent, diag);
        if (st)
            return st;
    }
    return CODEOBJ_OK;
}

bool co_elf_from_address(const struct codeobj_elf *elf, uint64_t addr, struct co_span *out)
{
    for (size_t i = 0; i < elf->segment_count; i++) {
        const struct codeobj_elf_segment *s = &elf->segments[i];
        if (s->type == PT_LOAD && addr >= s->vaddr && addr - s->vaddr < elf->segment_bytes[i].size)
            return co_span_sub(elf->segment_bytes[i], addr - s->vaddr, elf->segment_bytes[i].size - (addr - s->vaddr), out);
    }
    return false;
}

bool co_elf_at_address(const struct codeobj_elf *elf, uint64_t addr, uint64_t count, struct co_span *out)
{
    struct co_span rest;
    return co_elf_from_address(elf, addr, &rest) && co_span_sub(rest, 0, count, out);
}

/* ---- opening ------------------------------------------------------------------ */

static enum codeobj_status run_stages(struct codeobj_elf *elf, unsigned flags, struct codeobj_diag *diag)
{
    enum codeobj_status st;
    /* The identification decides how all else is read, so it has no lenient form. */
    if ((st = read_ident(elf, flags, diag)))
        return st;
    struct table_sizes sizes = read_header(elf);
    if (elf->header.version != EV_CURRENT &&
        (st = co_elf_problem(elf, diag, NULL, 20, "ELF version: found %u, expected 1", elf->header.version)))
        return st;
    /* Section extents, names and alignments hold after this... */
    if ((st = read_sections(elf, sizes.shentsize, diag)))
        return st;
    /* ...and those of segments. */
    if ((st = read_segments(elf, sizes.phentsize, diag)))
        return st;
    /* Dynamic before symbols: without section headers it leads to .dynsym. */
    if ((st = co_elf_read_dynamic(elf, diag)) || (st = co_elf_check_symbols(elf, diag)) ||
        (st = co_elf_check_relocations(elf, diag)) || (st = co_elf_check_groups(elf, diag)) ||
        (st = co_elf_read_notes(elf, diag)))
        return st;
    co_elf_find_target(elf);
    return CODEOBJ_OK;
}

static struct codeobj_elf *new_handle(struct codeobj_pool *pool)
{
    struct codeobj_elf *elf = pool ? co_arena_alloc(&pool->arena, sizeof *elf) : calloc(1, sizeof *elf);
    if (elf)
        elf->arena = pool ? &pool->arena : &elf->own;
    return elf;
}

static enum codeobj_status open_bytes(struct codeobj_elf *elf, const struct codeobj_elf_options *opt, const char *name,
                                      struct codeobj_elf **out, struct codeobj_diag *diag)
{
    if (opt->name)
        name = opt->name;
    elf->lenient = opt->flags & CODEOBJ_ELF_LENIENT;
    co_diag_file(diag, name);
    elf->name = co_arena_strndup(elf->arena, name, strlen(name));
    enum codeobj_status st = elf->name ? run_stages(elf, opt->flags, diag) : co_no_memory(diag);
    if (st) {
        codeobj_elf_free(elf);
        return st;
    }
    *out = elf;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_elf_open_memory(const void *data, size_t size, const struct codeobj_elf_options *options,
                                            struct codeobj_elf **out, struct codeobj_diag *diag)
{
    CO_OPTIONS(struct codeobj_elf_options, opt, options);
    struct codeobj_elf *elf = new_handle(opt.pool);
    if (!elf)
        return co_no_memory(diag);
    elf->bytes = co_span_make(data, data ? size : 0);
    return open_bytes(elf, &opt, "", out, diag);
}

/* Pipes and the like have no size and no mapping. */
static enum codeobj_status read_all(int fd, struct codeobj_elf *elf, struct codeobj_diag *diag)
{
    size_t size = 0, cap = 0;
    for (;;) {
        if (cap - size < READ_STEP) {
            cap = cap ? cap * 2 : READ_STEP;
            void *grown = realloc(elf->read, cap);
            if (!grown)
                return co_no_memory(diag);
            elf->read = grown;
        }
        ssize_t n = read(fd, (char *)elf->read + size, cap - size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return co_fail(diag, CODEOBJ_IO, "cannot read: %s", strerror(errno));
        if (n == 0)
            break;
        size += (size_t)n;
    }
    elf->bytes = co_span_make(elf->read, size);
    return CODEOBJ_OK;
}

static enum codeobj_status map_file(int fd, struct codeobj_elf *elf, struct codeobj_diag *diag)
{
    struct stat info;
    if (fstat(fd, &info))
        return co_fail(diag, CODEOBJ_IO, "cannot stat: %s", strerror(errno));
    if (S_ISDIR(info.st_mode))
        return co_fail(diag, CODEOBJ_IO, "is a directory");
    if (!S_ISREG(info.st_mode) || info.st_size <= 0)
        return read_all(fd, elf, diag);
    void *p = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return read_all(fd, elf, diag);
    elf->mapped = p;
    elf->mapped_size = (size_t)info.st_size;
    elf->bytes = co_span_make(p, elf->mapped_size);
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_elf_open_file(const char *path, const struct codeobj_elf_options *options,
                                          struct codeobj_elf **out, struct codeobj_diag *diag)
{
    CO_OPTIONS(struct codeobj_elf_options, opt, options);
    co_diag_file(diag, path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return co_fail(diag, errno == ENOENT ? CODEOBJ_NOT_FOUND : CODEOBJ_IO, "cannot open: %s", strerror(errno));
    struct codeobj_elf *elf = new_handle(opt.pool);
    enum codeobj_status st = elf ? map_file(fd, elf, diag) : co_no_memory(diag);
    close(fd);
    if (st) {
        codeobj_elf_free(elf);
        return st;
    }
    return open_bytes(elf, &opt, path, out, diag);
}

void codeobj_elf_free(struct codeobj_elf *elf)
{
    if (!elf)
        return;
    co_elf_free_indexes(elf);
    if (elf->mapped)
        munmap(elf->mapped, elf->mapped_size);
    free(elf->read);
    free(elf->notes);
    free(elf->findings);
    if (elf->arena != &elf->own)
        return; /* the rest is the pool's */
    co_arena_free(&elf->own);
    free(elf);
}

enum codeobj_status codeobj_pool_new(struct codeobj_pool **out)
{
    struct codeobj_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return CODEOBJ_NO_MEMORY;
    *out = pool;
    return CODEOBJ_OK;
}

void codeobj_pool_free(struct codeobj_pool *pool)
{
    if (!pool)
        return;
    co_arena_free(&pool->arena);
    free(pool);
}

/* ---- getters of what was read here ---------------------------------------------- */

enum codeobj_status codeobj_elf_finding(const struct codeobj_elf *elf, size_t idx, struct codeobj_diag *out)
{
    if (idx >= elf->finding_count)
        return CODEOBJ_NOT_FOUND;
    *out = elf->findings[idx];
    return CODEOBJ_OK;
}

const void *codeobj_elf_bytes(const struct codeobj_elf *elf, size_t *size)
{
    *size = elf->bytes.size;
    return elf->bytes.data;
}

const char *codeobj_elf_name(const struct codeobj_elf *elf) { return elf->name; }

void codeobj_elf_header(const struct codeobj_elf *elf, struct codeobj_elf_header *out) { *out = elf->header; }

size_t codeobj_elf_segment_count(const struct codeobj_elf *elf) { return elf->segment_count; }

enum codeobj_status codeobj_elf_segment(const struct codeobj_elf *elf, size_t idx, struct codeobj_elf_segment *out)
{
    if (idx >= elf->segment_count)
        return CODEOBJ_INVALID;
    *out = elf->segments[idx];
    return CODEOBJ_OK;
}

const void *codeobj_elf_segment_data(const struct codeobj_elf *elf, size_t idx, size_t *size)
{
    struct co_span s = idx < elf->segment_count ? elf->segment_bytes[idx] : (struct co_span){ NULL, 0 };
    *size = s.size;
    return s.size ? s.data : NULL;
}

size_t codeobj_elf_section_count(const struct codeobj_elf *elf) { return elf->section_count; }

enum codeobj_status codeobj_elf_section(const struct codeobj_elf *elf, size_t idx, struct codeobj_elf_section *out)
{
    if (idx >= elf->section_count)
        return CODEOBJ_INVALID;
    *out = elf->sections[idx];
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_elf_section_by_name(const struct codeobj_elf *elf, const char *name,
                                                struct codeobj_elf_section *out)
{
    for (size_t i = 1; i < elf->section_count; i++)
        if (!strcmp(elf->sections[i].name, name)) {
            *out = elf->sections[i];
            return CODEOBJ_OK;
        }
    return CODEOBJ_NOT_FOUND;
}

const void *codeobj_elf_section_data(const struct codeobj_elf *elf, size_t idx, size_t *size)
{
    struct co_span s = idx < elf->section_count ? elf->section_bytes[idx] : (struct co_span){ NULL, 0 };
    *size = s.size;
    return s.size ? s.data : NULL;
}

/* SPDX-License-Identifier: MIT
 *
 * load/image.c - segments into memory, dynamic relocations applied.
 *
 * Rules: System V ABI, Program Loading and Dynamic Linking; LLVM's User Guide
 * for AMDGPU Backend, Relocation Records.
 *
 * The image starts at the page of the lowest segment, not at address 0 of the
 * object: ET_EXEC objects begin at 0x10000.  Relocations are found through
 * PT_DYNAMIC (REL, RELA and the packed forms), as a loader without section headers
 * finds them.  What surprises: ld.lld leaves the places of RELA relocations 0,
 * and one R_AMDGPU_ABS64 serves data words and GOT slots alike.
 */
#include <codeobj/load.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "elf/packed.h"

enum { PAGE = 4096 };

struct codeobj_image {
    const struct codeobj_elf *elf;
    uint64_t base;  /* loaded address of bytes[0] */
    uint64_t start; /* ELF address of bytes[0] */
    uint8_t *bytes;
    size_t size;
    struct codeobj_image_segment *segments;
    size_t segment_count;
};

struct extent {
    uint64_t start, size, align;
    size_t loads;
};

/* ---- segments ------------------------------------------------------------------ */

static enum codeobj_status find_extent(const struct codeobj_elf *elf, struct extent *out, struct codeobj_diag *diag)
{
    struct codeobj_elf_header h;
    codeobj_elf_header(elf, &h);
    co_diag_file(diag, codeobj_elf_name(elf));
    if (h.type == ET_REL)
        return co_fail(diag, CODEOBJ_UNSUPPORTED, "relocatable object: link it first");
    if (h.type != ET_DYN && h.type != ET_EXEC)
        return co_fail(diag, CODEOBJ_UNSUPPORTED, "object type %u: expected ET_DYN or ET_EXEC", h.type);
    struct extent e = { .align = PAGE };
    uint64_t end = 0;
    for (size_t i = 0; i < codeobj_elf_segment_count(elf); i++) {
        struct codeobj_elf_segment s;
        size_t stored;
        codeobj_elf_segment(elf, i, &s);
        if (s.type != PT_LOAD)
            continue;
        codeobj_elf_segment_data(elf, i, &stored);
        /* A lenient open lets these pass. */
        if (s.vaddr + s.memsz < s.vaddr || s.filesz > s.memsz || stored != s.filesz || (s.align & (s.align - 1)))
            return co_fail(diag, CODEOBJ_MALFORMED, "segment %zu: sizes or alignment are inconsistent", i);
        /* The gABI demands ascending addresses, which makes this the whole overlap test. */
        if (e.loads && s.vaddr < end)
            return co_fail(diag, CODEOBJ_MALFORMED, "segment %zu at 0x%llx: overlaps the one before, which ends at 0x%llx", i,
                           (unsigned long long)s.vaddr, (unsigned long long)end);
        if (!e.loads++)
            e.start = s.vaddr;
        end = s.vaddr + s.memsz;
        if (s.align > e.align)
            e.align = s.align;
    }
    if (!e.loads)
        return co_fail(diag, CODEOBJ_MALFORMED, "no PT_LOAD segment: nothing to load");
    if (e.align > CODEOBJ_LOAD_MAX)
        return co_fail(diag, CODEOBJ_MALFORMED, "segment alignment 0x%llx is not loadable", (unsigned long long)e.align);
    e.start &= ~(e.align - 1);
    if (end - e.start > CODEOBJ_LOAD_MAX)
        return co_fail(diag, CODEOBJ_MALFORMED, "segments span 0x%llx bytes, at most 0x%llx are loadable",
                       (unsigned long long)(end - e.start), (unsigned long long)CODEOBJ_LOAD_MAX);
    e.size = (end - e.start + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    *out = e;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_load_extent(const struct codeobj_elf *elf, uint64_t *size, uint64_t *alignment, struct codeobj_diag *diag)
{
    struct extent e;
    enum codeobj_status st = find_extent(elf, &e, diag);
    if (st)
        return st;
    *size = e.size;
    *alignment = e.align;
    return CODEOBJ_OK;
}

static enum codeobj_status copy_segments(struct codeobj_image *image, const struct extent *e, struct codeobj_diag *diag)
{
    image->start = e->start;
    image->size = (size_t)e->size;
    /* calloc of a large block maps pages on use: a huge memsz costs nothing until it is touched. */
    image->bytes = calloc(1, image->size);
    image->segments = calloc(e->loads, sizeof *image->segments);
    if (!image->bytes || !image->segments)
        return co_no_memory(diag);
    for (size_t i = 0; i < codeobj_elf_segment_count(image->elf); i++) {
        struct codeobj_elf_segment s;
        size_t n;
        codeobj_elf_segment(image->elf, i, &s);
        if (s.type != PT_LOAD)
            continue;
        const void *data = codeobj_elf_segment_data(image->elf, i, &n);
        if (n)
            memcpy(image->bytes + (s.vaddr - e->start), data, n);
        image->segments[image->segment_count++] =
            (struct codeobj_image_segment){ codeobj_image_address(image, s.vaddr), s.memsz, s.flags };
    }
    return CODEOBJ_OK;
}

/* ---- relocations ------------------------------------------------------------------ */

struct relocator {
    struct codeobj_image *image;
    const struct codeobj_load_options *options;
    struct codeobj_diag *diag;
    bool is32;
};

/* count bytes of the image at an ELF address, or NULL. */
static uint8_t *place(const struct codeobj_image *image, uint64_t vaddr, uint64_t count)
{
    if (vaddr < image->start || vaddr - image->start > image->size || count > image->size - (vaddr - image->start))
        return NULL;
    return image->bytes + (vaddr - image->start);
}

static enum codeobj_status symbol_value(struct relocator *r, uint32_t idx, uint64_t *value)
{
    struct codeobj_elf_symbol s;
    *value = 0;
    if (!idx)
        return CODEOBJ_OK;
    if (codeobj_elf_symbol(r->image->elf, CODEOBJ_DYNSYM, idx, &s))
        return co_fail(r->diag, CODEOBJ_MALFORMED, "dynamic relocation names symbol %u of %zu", idx,
                       codeobj_elf_symbol_count(r->image->elf, CODEOBJ_DYNSYM));
    if (s.shndx == CODEOBJ_SHN_ABS) {
        *value = s.value;
    } else if (s.shndx != CODEOBJ_SHN_UNDEF) {
        *value = codeobj_image_address(r->image, s.value);
    } else if (!r->options->resolve || !r->options->resolve(r->options->user, s.name, value)) {
        if (s.binding != STB_WEAK)
            return co_fail(r->diag, CODEOBJ_NOT_FOUND, "undefined symbol \"%.200s\"", s.name);
        *value = 0;
    }
    return CODEOBJ_OK;
}

static enum codeobj_status apply(struct relocator *r, uint64_t offset, uint32_t type, uint32_t symbol, const int64_t *addend)
{
    const struct codeobj_relocation_info *info = codeobj_relocation_info(type);
    if (!info)
        return co_fail(r->diag, CODEOBJ_UNSUPPORTED, "dynamic relocation of unknown type %u at 0x%llx", type, (unsigned long long)offset);
    if (!info->bytes)
        return CODEOBJ_OK;
    uint8_t *at = place(r->image, offset, info->bytes);
    if (!at)
        return co_fail(r->diag, CODEOBJ_MALFORMED, "%s at 0x%llx: outside the loaded segments", info->name, (unsigned long long)offset);
    uint64_t s, p = codeobj_image_address(r->image, offset);
    enum codeobj_status st = symbol_value(r, symbol, &s);
    if (st)
        return st;
    /* SHT_REL keeps the addend in the place. */
    uint64_t a = addend ? (uint64_t)*addend : info->bytes == 8 ? co_load64(at) : (uint64_t)(int64_t)(int32_t)co_load32(at);
    switch (type) {
    case 1: case 6: co_store32(at, (uint32_t)(s + a)); break;              /* ABS32_LO, ABS32 */
    case 2: co_store32(at, (uint32_t)((s + a) >> 32)); break;              /* ABS32_HI */
    case 3: co_store64(at, s + a); break;                                  /* ABS64 */
    case 4: case 10: co_store32(at, (uint32_t)(s + a - p)); break;         /* REL32, REL32_LO */
    case 5: co_store64(at, s + a - p); break;                              /* REL64 */
    case 11: co_store32(at, (uint32_t)((s + a - p) >> 32)); break;         /* REL32_HI */
    case 13: co_store64(at, codeobj_image_address(r->image, a)); break;    /* RELATIVE64 */
    default:
        return co_fail(r->diag, CODEOBJ_UNSUPPORTED, "%s at 0x%llx: not a dynamic relocation", info->name, (unsigned long long)offset);
    }
    return CODEOBJ_OK;
}

static enum codeobj_status apply_table(struct relocator *r, uint64_t addr, uint64_t size, bool rela)
{
    size_t entry = r->is32 ? (rela ? 12 : 8) : (rela ? 24 : 16);
    const uint8_t *table = place(r->image, addr, size);
    if (!table)
        return co_fail(r->diag, CODEOBJ_MALFORMED, "dynamic relocations at 0x%llx+0x%llx: outside the loaded segments",
                       (unsigned long long)addr, (unsigned long long)size);
    for (uint64_t at = 0; at + entry <= size; at += entry) {
        const uint8_t *p = table + at;
        enum codeobj_status st;
        if (r->is32) {
            int64_t addend = rela ? (int32_t)co_load32(p + 8) : 0;
            st = apply(r, co_load32(p), co_load32(p + 4) & 0xff, co_load32(p + 4) >> 8, rela ? &addend : NULL);
        } else {
            int64_t addend = rela ? (int64_t)co_load64(p + 16) : 0;
            st = apply(r, co_load64(p), co_load32(p + 8), co_load32(p + 12), rela ? &addend : NULL);
        }
        if (st)
            return st;
    }
    return CODEOBJ_OK;
}

static enum codeobj_status apply_packed(void *user, const struct codeobj_elf_relocation *r, bool in_place)
{
    return apply(user, r->offset, r->type, r->symbol, in_place ? NULL : &r->addend);
}

enum form { RELR, ANDROID_RELR, ANDROID_REL, ANDROID_RELA, REL, RELA, JMPREL, FORMS };
struct table {
    uint64_t addr, size;
};

static enum codeobj_status apply_form(struct relocator *r, enum form form, struct table t, bool jumps_have_addends)
{
    size_t all;
    if (!t.size)
        return CODEOBJ_OK;
    if (form >= REL)
        return apply_table(r, t.addr, t.size, form == RELA || (form == JMPREL && jumps_have_addends));
    const uint8_t *bytes = place(r->image, t.addr, t.size);
    if (!bytes || r->is32)
        return co_fail(r->diag, CODEOBJ_MALFORMED, "packed relocations at 0x%llx+0x%llx: outside the loaded segments",
                       (unsigned long long)t.addr, (unsigned long long)t.size);
    struct co_span span = co_span_make(bytes, (size_t)t.size);
    codeobj_elf_bytes(r->image->elf, &all);
    return form <= ANDROID_RELR ? co_packed_relr(span, apply_packed, r)
                                : co_packed_android(span, form == ANDROID_RELA, all, apply_packed, r, r->diag);
}

static enum codeobj_status relocate(struct codeobj_image *image, const struct codeobj_load_options *options, struct codeobj_diag *diag)
{
    static const struct {
        int64_t addr, size;
    } tags[FORMS] = { [RELR] = { 36, 35 },
                      [ANDROID_RELR] = { 0x6fffe000, 0x6fffe001 },
                      [ANDROID_REL] = { 0x6000000f, 0x60000010 },
                      [ANDROID_RELA] = { 0x60000011, 0x60000012 },
                      [REL] = { DT_REL, DT_RELSZ },
                      [RELA] = { DT_RELA, DT_RELASZ },
                      [JMPREL] = { DT_JMPREL, DT_PLTRELSZ } };
    struct codeobj_elf_header h;
    codeobj_elf_header(image->elf, &h);
    struct relocator r = { image, options, diag, h.elf_class == ELFCLASS32 };
    struct table tables[FORMS] = { 0 };
    bool jumps_have_addends = false;
    for (size_t i = 0; i < codeobj_elf_dynamic_count(image->elf); i++) {
        struct codeobj_elf_dynamic d;
        codeobj_elf_dynamic(image->elf, i, &d);
        for (int f = 0; f < FORMS; f++) {
            if (d.tag == tags[f].addr)
                tables[f].addr = d.value;
            if (d.tag == tags[f].size)
                tables[f].size = d.value;
        }
        if (d.tag == DT_PLTREL)
            jumps_have_addends = d.value == DT_RELA;
    }
    enum codeobj_status st = CODEOBJ_OK;
    /* In the order of the enum: a place may be named by several, and what has an addend of its own has the last word. */
    for (int f = 0; !st && f < FORMS; f++)
        st = apply_form(&r, (enum form)f, tables[f], jumps_have_addends);
    return st;
}

/* ---- the image ---------------------------------------------------------------------- */

enum codeobj_status codeobj_image_load(const struct codeobj_elf *elf, const struct codeobj_load_options *options,
                                       struct codeobj_image **out, struct codeobj_diag *diag)
{
    CO_OPTIONS(struct codeobj_load_options, opt, options);
    struct extent e;
    enum codeobj_status st = find_extent(elf, &e, diag);
    if (st)
        return st;
    if (opt.base % e.align)
        return co_fail(diag, CODEOBJ_INVALID, "load address 0x%llx is not a multiple of 0x%llx", (unsigned long long)opt.base,
                       (unsigned long long)e.align);
    if (e.size && opt.base > UINT64_MAX - (e.size - 1))
        return co_fail(diag, CODEOBJ_INVALID, "load address 0x%llx: 0x%llx bytes reach past the end of the address space",
                       (unsigned long long)opt.base, (unsigned long long)e.size);
    struct codeobj_image *image = calloc(1, sizeof *image);
    if (!image)
        return co_no_memory(diag);
    image->elf = elf;
    image->base = opt.base;
    st = copy_segments(image, &e, diag);
    if (!st)
        st = relocate(image, &opt, diag);
    if (st) {
        codeobj_image_free(image);
        return st;
    }
    *out = image;
    return CODEOBJ_OK;
}

void codeobj_image_free(struct codeobj_image *image)
{
    if (!image)
        return;
    free(image->bytes);
    free(image->segments);
    free(image);
}

const struct codeobj_elf *codeobj_image_elf(const struct codeobj_image *image) { return image->elf; }

uint64_t codeobj_image_base(const struct codeobj_image *image) { return image->base; }

const void *codeobj_image_bytes(const struct codeobj_image *image, size_t *size)
{
    *size = image->size;
    return image->bytes;
}

uint64_t codeobj_image_address(const struct codeobj_image *image, uint64_t vaddr) { return image->base + (vaddr - image->start); }

size_t codeobj_image_segment_count(const struct codeobj_image *image) { return image->segment_count; }

enum codeobj_status codeobj_image_segment(const struct codeobj_image *image, size_t idx, struct codeobj_image_segment *out)
{
    if (idx >= image->segment_count)
        return CODEOBJ_INVALID;
    *out = image->segments[idx];
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_image_symbol(const struct codeobj_image *image, const char *name, uint64_t *addr, uint64_t *size)
{
    struct codeobj_elf_symbol s;
    if (codeobj_elf_symbol_by_name(image->elf, name, &s))
        return CODEOBJ_NOT_FOUND;
    *addr = s.shndx == CODEOBJ_SHN_ABS ? s.value : codeobj_image_address(image, s.value);
    if (size)
        *size = s.size;
    return CODEOBJ_OK;
}

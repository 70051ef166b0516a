/* SPDX-License-Identifier: MIT
 *
 * kernel/descriptor.c - the 64 bytes of a kernel descriptor, both ways.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend, Kernel Descriptor and the
 * tables compute_pgm_rsrc1, 2, 3.
 *
 * fields.def says which bits mean what in which generation; decode, encode,
 * the list of fields and the search for reserved bits all walk that one table.
 */
#include <codeobj/kernel.h>

#include <stddef.h>
#include <string.h>

#include "base/diag.h"
#include "base/span.h"

/* Which descriptor layouts exist. */
enum {
    L6 = 1, L9 = 2, L90A = 4, L10 = 8, L11 = 16, L12 = 32, L125 = 64,
    LOLD9 = L6 | L9 | L90A,
    LNEW10 = L10 | L11 | L12 | L125,
    LALL = LOLD9 | LNEW10,
};

/* Offsets of the words that hold bit fields, and of the plain ones. */
enum word { RSRC1 = 48, RSRC2 = 52, RSRC3 = 44, PROPS = 56, PRELD = 58 };
enum { GROUP = 0, PRIVATE = 4, KERNARG = 8, ENTRY = 16 };

enum role { USED, LOADER };

struct field {
    const char *name;
    uint8_t word, shift, width, layouts, role;
    uint8_t size;    /* of the struct's member: 1 or 2 bytes */
    uint16_t offset; /* of the member */
};

static const struct field fields[] = {
#define FIELD(word, shift, width, layouts, role, member)                                      \
    { #member, word, shift, width, (layouts), role, sizeof((struct codeobj_kernel_descriptor *)0)->member, \
      offsetof(struct codeobj_kernel_descriptor, member) },
#include "kernel/fields.def"
#undef FIELD
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* 0: processor not known; only what all layouts share is decoded then. */
static unsigned layout_of(const struct codeobj_processor *p)
{
    if (!p)
        return 0;
    switch (p->gen) {
    case CODEOBJ_GEN_GFX6: case CODEOBJ_GEN_GFX7: case CODEOBJ_GEN_GFX8: return L6;
    case CODEOBJ_GEN_GFX9: return p->features & CODEOBJ_FEATURE_UNIFIED_VGPR ? L90A : L9;
    case CODEOBJ_GEN_GFX10: return L10;
    case CODEOBJ_GEN_GFX11: return L11;
    case CODEOBJ_GEN_GFX12: return p->features & CODEOBJ_FEATURE_1K_VGPRS ? L125 : L12;
    default: return 0;
    }
}

static bool has_field(const struct field *f, unsigned layout)
{
    return layout ? f->layouts & layout : f->layouts == LALL;
}

static uint32_t word_at(const uint8_t *bytes, unsigned word)
{
    return word >= PROPS ? co_load16(bytes + word) : co_load32(bytes + word);
}

static uint32_t mask_of(const struct field *f) { return ((1u << f->width) - 1) << f->shift; }

static unsigned get_member(const struct codeobj_kernel_descriptor *d, const struct field *f)
{
    const uint8_t *p = (const uint8_t *)d + f->offset;
    uint16_t wide;
    if (f->size == 1)
        return *p;
    memcpy(&wide, p, 2);
    return wide;
}

/* ---- reserved bits ------------------------------------------------------------ */

/* Bytes that no field or word covers. */
static const struct {
    const char *name;
    uint8_t offset, size;
} gaps[] = { /* whole dwords */ { "bytes 12-15", 12, 4 }, { "bytes 24-43", 24, 20 }, { "bytes 60-63", 60, 4 } };

static const struct {
    const char *name;
    uint8_t word, bits;
} words[] = {
    { "compute_pgm_rsrc1", RSRC1, 32 }, { "compute_pgm_rsrc2", RSRC2, 32 }, { "compute_pgm_rsrc3", RSRC3, 32 },
    { "kernel_code_properties", PROPS, 16 }, { "kernarg_preload", PRELD, 16 },
};

enum { WORDS = sizeof words / sizeof *words };

/* Bits of each word that mean something to a layout. */
static void known_bits(unsigned layout, uint32_t known[static WORDS])
{
    static const uint8_t place[] = { [RSRC1] = 0, [RSRC2] = 1, [RSRC3] = 2, [PROPS] = 3, [PRELD] = 4 };
    memset(known, 0, WORDS * sizeof *known);
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (has_field(&fields[i], layout))
            known[place[fields[i].word]] |= mask_of(&fields[i]);
}

enum codeobj_status codeobj_kernel_descriptor_reserved(const void *bytes, size_t size, const struct codeobj_processor *processor,
                                                       size_t idx, struct codeobj_kernel_reserved *out)
{
    const uint8_t *p = bytes;
    unsigned layout = layout_of(processor);
    uint32_t known[WORDS];
    if (size < CODEOBJ_KERNEL_DESCRIPTOR_SIZE)
        return CODEOBJ_INVALID;
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        for (unsigned at = gaps[i].offset; at < gaps[i].offset + gaps[i].size; at++)
            if (p[at] && idx-- == 0) {
                *out = (struct codeobj_kernel_reserved){ gaps[i].name, at, 0xff, p[at], false };
                return CODEOBJ_OK;
            }
    known_bits(layout, known);
    for (size_t i = 0; layout && i < WORDS; i++) {
        uint32_t all = words[i].bits == 32 ? 0xffffffffu : 0xffffu;
        uint32_t reserved = all & ~known[i], found = word_at(p, words[i].word) & reserved;
        if (found && idx-- == 0) {
            *out = (struct codeobj_kernel_reserved){ words[i].name, words[i].word, reserved, found, false };
            return CODEOBJ_OK;
        }
    }
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const struct field *f = &fields[i];
        uint32_t found = f->role == LOADER && has_field(f, layout) ? word_at(p, f->word) & mask_of(f) : 0;
        if (found && idx-- == 0) {
            *out = (struct codeobj_kernel_reserved){ f->name, f->word, mask_of(f), found, true };
            return CODEOBJ_OK;
        }
    }
    return CODEOBJ_NOT_FOUND;
}

/* ---- decode -------------------------------------------------------------------- */

static void derive(struct codeobj_kernel_descriptor *d, const struct codeobj_processor *p, unsigned layout)
{
    unsigned vgprs = d->granulated_workitem_vgpr_count + 1u, sgprs = d->granulated_wavefront_sgpr_count;
    d->wave_size = layout & LNEW10 && (d->enable_wavefront_size32 || !(p->features & CODEOBJ_FEATURE_WAVE64)) ? 32 : 64;
    if (!layout)
        return;
    if (layout == L90A) {
        d->accum_offset = (uint16_t)((d->accum_offset + 1) * 4);
        d->vgpr_count = (uint16_t)(vgprs * 8);
        d->agpr_count = d->vgpr_count > d->accum_offset ? (uint16_t)(d->vgpr_count - d->accum_offset) : 0;
    } else if (layout == L125) {
        d->vgpr_count = (uint16_t)(vgprs * 16);
    } else {
        d->vgpr_count = (uint16_t)(vgprs * (layout & LNEW10 && d->wave_size == 32 ? 8 : 4));
    }
    if (layout & LNEW10)
        d->sgpr_count = 128; /* always, whatever the kernel uses */
    else if (layout == L6)
        d->sgpr_count = (uint16_t)((sgprs + 1) * 8);
    else
        d->sgpr_count = (uint16_t)((sgprs / 2 + 1) * 16);
}

/* Listings decode tens of thousands of descriptors: the table as straight code, once for
 * each layout.  What codeobj_kernel_descriptor_reserved() finds one by one is any set bit
 * of the loader's or of a word's rest. */
#define EACH_LAYOUT(f, layout, ...)                                                                                              \
    switch (layout) {                                                                                                            \
    case L6: return f(L6, __VA_ARGS__);                                                                                          \
    case L9: return f(L9, __VA_ARGS__);                                                                                          \
    case L90A: return f(L90A, __VA_ARGS__);                                                                                      \
    case L10: return f(L10, __VA_ARGS__);                                                                                        \
    case L11: return f(L11, __VA_ARGS__);                                                                                        \
    case L12: return f(L12, __VA_ARGS__);                                                                                        \
    case L125: return f(L125, __VA_ARGS__);                                                                                      \
    default: return f(0, __VA_ARGS__);                                                                                           \
    }
#define ALWAYS_INLINE inline __attribute__((always_inline))

static ALWAYS_INLINE bool decode_layout(unsigned layout, const uint8_t *p, struct codeobj_kernel_descriptor *out)
{
    const uint32_t word[] = { [RSRC1] = co_load32(p + RSRC1), [RSRC2] = co_load32(p + RSRC2), [RSRC3] = co_load32(p + RSRC3),
                              [PROPS] = co_load16(p + PROPS), [PRELD] = co_load16(p + PRELD) };
    uint32_t rest[] = { [RSRC1] = word[RSRC1], [RSRC2] = word[RSRC2], [RSRC3] = word[RSRC3], [PROPS] = word[PROPS], [PRELD] = word[PRELD] };
    uint32_t loaders = 0;
#define FIELD(word_, shift, width, layouts, role, member)                                                                        \
    if (layout ? ((layouts) & layout) != 0 : (layouts) == LALL) {                                                               \
        out->member = word[word_] >> (shift) & ((1u << (width)) - 1);                                                           \
        loaders |= (role) == LOADER ? out->member : 0;                                                                          \
        rest[word_] &= ~(((1u << (width)) - 1) << (shift));                                                                     \
    }
#include "kernel/fields.def"
#undef FIELD
    return loaders || (layout && (rest[RSRC1] | rest[RSRC2] | rest[RSRC3] | rest[PROPS] | rest[PRELD]));
}

/* Returns whether a bit is set that is reserved or the loader's. */
static bool decode_bits(const uint8_t *p, unsigned layout, struct codeobj_kernel_descriptor *out)
{
    EACH_LAYOUT(decode_layout, layout, p, out)
}

static bool gaps_used(const uint8_t *p)
{
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        for (unsigned at = gaps[i].offset; at < gaps[i].offset + gaps[i].size; at += 4)
            found |= co_load32(p + at);
    return found != 0;
}

enum codeobj_status codeobj_kernel_descriptor_decode(const void *bytes, size_t size, const struct codeobj_processor *processor,
                                                     struct codeobj_kernel_descriptor *out, struct codeobj_diag *diag)
{
    const uint8_t *p = bytes;
    if (size < CODEOBJ_KERNEL_DESCRIPTOR_SIZE)
        return co_fail(diag, CODEOBJ_MALFORMED, "kernel descriptor: found %zu bytes, expected 64", size);
    struct codeobj_kernel_descriptor d = {
        .group_segment_fixed_size = co_load32(p + GROUP), .private_segment_fixed_size = co_load32(p + PRIVATE),
        .kernarg_size = co_load32(p + KERNARG), .kernel_code_entry_byte_offset = (int64_t)co_load64(p + ENTRY),
        .compute_pgm_rsrc1 = co_load32(p + RSRC1), .compute_pgm_rsrc2 = co_load32(p + RSRC2),
        .compute_pgm_rsrc3 = co_load32(p + RSRC3), .kernel_code_properties = co_load16(p + PROPS),
        .kernarg_preload = co_load16(p + PRELD),
    };
    unsigned layout = layout_of(processor);
    d.reserved_set = decode_bits(p, layout, &d) || gaps_used(p);
    derive(&d, processor, layout);
    *out = d;
    return CODEOBJ_OK;
}

/* ---- encode --------------------------------------------------------------------- */

enum codeobj_status codeobj_kernel_descriptor_encode(const struct codeobj_kernel_descriptor *d,
                                                     const struct codeobj_processor *processor,
                                                     uint8_t out[CODEOBJ_KERNEL_DESCRIPTOR_SIZE], struct codeobj_diag *diag)
{
    unsigned layout = layout_of(processor);
    if (!layout)
        return co_fail(diag, CODEOBJ_INVALID, "kernel descriptors need an amdgcn processor");
    uint8_t p[CODEOBJ_KERNEL_DESCRIPTOR_SIZE] = { 0 };
    uint32_t stored[] = { d->compute_pgm_rsrc1, d->compute_pgm_rsrc2, d->compute_pgm_rsrc3, d->kernel_code_properties, d->kernarg_preload };
    uint32_t known[WORDS];
    known_bits(layout, known);
    for (size_t w = 0; w < WORDS; w++) {
        /* Reserved bits stay as they were read; named fields come from their members. */
        uint32_t value = stored[w] & ~known[w];
        for (size_t i = 0; i < FIELD_COUNT; i++) {
            const struct field *f = &fields[i];
            if (f->word != words[w].word || !has_field(f, layout))
                continue;
            unsigned v = get_member(d, f);
            if (f->offset == offsetof(struct codeobj_kernel_descriptor, accum_offset)) {
                if (v % 4 || v < 4 || v > 256)
                    return co_fail(diag, CODEOBJ_INVALID, "accum_offset: found %u, expected a multiple of 4 from 4 to 256", v);
                v = v / 4 - 1;
            }
            if (v >> f->width)
                return co_fail(diag, CODEOBJ_INVALID, "%s: %u does not fit in %u bits", f->name, v, f->width);
            value |= v << f->shift;
        }
        if (words[w].bits == 32)
            co_store32(p + words[w].word, value);
        else
            co_store16(p + words[w].word, (uint16_t)value);
    }
    co_store32(p + GROUP, d->group_segment_fixed_size);
    co_store32(p + PRIVATE, d->private_segment_fixed_size);
    co_store32(p + KERNARG, d->kernarg_size);
    co_store64(p + ENTRY, (uint64_t)d->kernel_code_entry_byte_offset);
    memcpy(out, p, sizeof p);
    return CODEOBJ_OK;
}

/* ---- the list of fields ------------------------------------------------------------ */

static ALWAYS_INLINE size_t list_layout(unsigned layout, const struct codeobj_kernel_descriptor *d, struct codeobj_kernel_field *out)
{
    size_t n = 0;
#define FIELD(word, shift, width, layouts, role, member)                                                                         \
    if (layout ? ((layouts) & layout) != 0 : (layouts) == LALL)                                                                 \
        out[n++] = (struct codeobj_kernel_field){ #member, d->member };
#include "kernel/fields.def"
#undef FIELD
    return n;
}

/* out has room for FIELD_COUNT. */
static size_t list_fields(const struct codeobj_kernel_descriptor *d, unsigned layout, struct codeobj_kernel_field *out)
{
    EACH_LAYOUT(list_layout, layout, d, out)
}

size_t codeobj_kernel_descriptor_fields(const struct codeobj_kernel_descriptor *d, const struct codeobj_processor *processor,
                                        struct codeobj_kernel_field *out, size_t room)
{
    const struct codeobj_kernel_field plain[] = {
        { "group_segment_fixed_size", d->group_segment_fixed_size },
        { "private_segment_fixed_size", d->private_segment_fixed_size },
        { "kernarg_size", d->kernarg_size },
        { "kernel_code_entry_byte_offset", d->kernel_code_entry_byte_offset },
    };
    enum { PLAIN = sizeof plain / sizeof *plain };
    struct codeobj_kernel_field all[PLAIN + FIELD_COUNT];
    if (room >= PLAIN + FIELD_COUNT) {
        memcpy(out, plain, sizeof plain);
        return PLAIN + list_fields(d, layout_of(processor), out + PLAIN);
    }
    size_t n = list_fields(d, layout_of(processor), all + PLAIN) + PLAIN;
    memcpy(all, plain, sizeof plain);
    if (room)
        memcpy(out, all, (n < room ? n : room) * sizeof *all);
    return n;
}

enum codeobj_status codeobj_kernel_descriptor_field(const struct codeobj_kernel_descriptor *d,
                                                    const struct codeobj_processor *processor, size_t idx,
                                                    struct codeobj_kernel_field *out)
{
    struct codeobj_kernel_field all[4 + FIELD_COUNT];
    if (idx >= codeobj_kernel_descriptor_fields(d, processor, all, sizeof all / sizeof *all))
        return CODEOBJ_NOT_FOUND;
    *out = all[idx];
    return CODEOBJ_OK;
}

/* ---- amd_kernel_code_t ---------------------------------------------------------------- */

enum codeobj_status codeobj_kernel_code_decode(const void *bytes, size_t size, struct codeobj_kernel_code *out, struct codeobj_diag *diag)
{
    const uint8_t *p = bytes;
    if (size < CODEOBJ_KERNEL_CODE_SIZE)
        return co_fail(diag, CODEOBJ_MALFORMED, "amd_kernel_code_t: found %zu bytes, expected 256", size);
    *out = (struct codeobj_kernel_code){
        .amd_kernel_code_version_major = co_load32(p), .amd_kernel_code_version_minor = co_load32(p + 4),
        .amd_machine_kind = co_load16(p + 8), .amd_machine_version_major = co_load16(p + 10),
        .amd_machine_version_minor = co_load16(p + 12), .amd_machine_version_stepping = co_load16(p + 14),
        .kernel_code_entry_byte_offset = (int64_t)co_load64(p + 16), .kernel_code_prefetch_byte_offset = (int64_t)co_load64(p + 24),
        .kernel_code_prefetch_byte_size = co_load64(p + 32), .max_scratch_backing_memory_byte_size = co_load64(p + 40),
        .compute_pgm_rsrc1 = co_load32(p + 48), .compute_pgm_rsrc2 = co_load32(p + 52), .code_properties = co_load32(p + 56),
        .workitem_private_segment_byte_size = co_load32(p + 60), .workgroup_group_segment_byte_size = co_load32(p + 64),
        .gds_segment_byte_size = co_load32(p + 68), .kernarg_segment_byte_size = co_load64(p + 72),
        .workgroup_fbarrier_count = co_load32(p + 80), .wavefront_sgpr_count = co_load16(p + 84),
        .workitem_vgpr_count = co_load16(p + 86), .reserved_vgpr_first = co_load16(p + 88), .reserved_vgpr_count = co_load16(p + 90),
        .reserved_sgpr_first = co_load16(p + 92), .reserved_sgpr_count = co_load16(p + 94),
        .debug_wavefront_private_segment_offset_sgpr = co_load16(p + 96), .debug_private_segment_buffer_sgpr = co_load16(p + 98),
        .kernarg_segment_alignment = p[100], .group_segment_alignment = p[101], .private_segment_alignment = p[102],
        .wavefront_size = p[103], .call_convention = (int32_t)co_load32(p + 104), .runtime_loader_kernel_symbol = co_load64(p + 120),
    };
    return CODEOBJ_OK;
}

void codeobj_kernel_code_descriptor(const struct codeobj_kernel_code *code, const struct codeobj_processor *processor,
                                    struct codeobj_kernel_descriptor *out)
{
    enum { LOW_PROPERTIES = 0x7f, WAVE32 = 0x400, DYNAMIC_CALLSTACK = 1 << 20, DYNAMIC_STACK = 0x800 };
    uint16_t properties = (uint16_t)((code->code_properties & (LOW_PROPERTIES | WAVE32)) |
                                     (code->code_properties & DYNAMIC_CALLSTACK ? DYNAMIC_STACK : 0));
    struct codeobj_kernel_descriptor d = {
        .group_segment_fixed_size = code->workgroup_group_segment_byte_size,
        .private_segment_fixed_size = code->workitem_private_segment_byte_size,
        .kernarg_size = (uint32_t)code->kernarg_segment_byte_size,
        .kernel_code_entry_byte_offset = code->kernel_code_entry_byte_offset,
        .compute_pgm_rsrc1 = code->compute_pgm_rsrc1, .compute_pgm_rsrc2 = code->compute_pgm_rsrc2, .kernel_code_properties = properties,
    };
    uint8_t p[CODEOBJ_KERNEL_DESCRIPTOR_SIZE] = { 0 };
    co_store32(p + RSRC1, d.compute_pgm_rsrc1);
    co_store32(p + RSRC2, d.compute_pgm_rsrc2);
    co_store16(p + PROPS, properties);
    unsigned layout = layout_of(processor);
    decode_bits(p, layout, &d);
    derive(&d, processor, layout);
    *out = d;
}

/* SPDX-License-Identifier: MIT
 *
 * check/kernels.c - each kernel: can the host find it, is its descriptor sound,
 * do descriptor and metadata say the same.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend, Kernel Descriptor, Code Object
 * Metadata, Initial Kernel Execution State.
 *
 * A host finds a kernel in two steps: by .name in the metadata, then by .symbol
 * among the dynamic symbols.  Both have to succeed, so kernels are looked at
 * from both sides.
 */
#include "check/check.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/kernel_symbols.h"

enum { DESCRIPTOR_ALIGN = 64, ENTRY_ALIGN = 256, MAX_WORKGROUP = 1024 };

/* ---- symbols ------------------------------------------------------------------------ */

static bool in_dynsym(const struct co_check *c, const char *name)
{
    struct codeobj_elf_symbol s;
    return codeobj_elf_dynamic_symbol_by_name(c->elf, name, &s) == CODEOBJ_OK;
}

/* A host looks for names among the dynamic symbols; these it passes over. */
static bool is_exported(const struct codeobj_elf_symbol *s)
{
    return s->binding != STB_LOCAL && s->visibility != STV_HIDDEN && s->visibility != STV_INTERNAL;
}

/* A kernel of the metadata: is its descriptor there and exported? */
static void check_symbol(struct co_check *c, const struct codeobj_metadata_kernel *m, const char *where)
{
    struct codeobj_elf_symbol s;
    bool v2 = c->header.code_object_version < 3;
    if (!m->symbol || !m->name)
        return; /* the validator has said so */
    /* V2 metadata says NAME@kd for the symbol NAME. */
    size_t n = strlen(m->symbol);
    if (v2 && n > 3 && !strcmp(m->symbol + n - 3, "@kd"))
        n -= 3;
    size_t name_size = strlen(m->name);
    if (!v2 && (strncmp(m->symbol, m->name, name_size) || strcmp(m->symbol + name_size, ".kd")))
        co_check_say(c, CO_CHECK_NAME_DISAGREES, where, m->name, ".symbol \"%.150s\"", m->symbol);
    char symbol[160]; /* as far as it is shown */
    snprintf(symbol, sizeof symbol, "%.*s", n > 150 ? 150 : (int)n, m->symbol);
    if (!co_elf_symbol_by_parts(c->elf, m->symbol, n, "", &s)) {
        bool code = !codeobj_elf_symbol_by_name(c->elf, m->name, &s);
        co_check_say(c, CO_CHECK_KD_MISSING, where, symbol, "%s", code ? "no such symbol, although the kernel's code is there" : "no such symbol");
        return;
    }
    struct codeobj_elf_symbol exported;
    bool found = codeobj_elf_dynamic_symbol_by_name(c->elf, s.name, &exported) == CODEOBJ_OK;
    if (c->header.type == ET_REL || (found && is_exported(&exported)))
        return;
    static const char *const why[] = { "default", "internal", "hidden", "protected" };
    bool code = in_dynsym(c, m->name);
    const struct codeobj_elf_symbol *told = found ? &exported : &s;
    co_check_say(c, CO_CHECK_KD_NOT_EXPORTED, where, found ? "global or weak there, default or protected visibility" : "", "%s is %s with %s visibility%s%s",
                 symbol, told->binding == STB_LOCAL ? "local" : "global", why[told->visibility & 3], found ? " in the dynamic symbol table" : "",
                 code ? "; the kernel's code is exported" : "");
}

/* ---- descriptors ---------------------------------------------------------------------- */

static bool is_executable(const struct co_check *c, uint64_t addr)
{
    struct codeobj_elf_segment s;
    for (size_t i = 0; !codeobj_elf_segment(c->elf, i, &s); i++)
        if (s.type == PT_LOAD && (s.flags & PF_X) && addr >= s.vaddr && addr - s.vaddr < s.memsz)
            return true;
    return false;
}

static uint64_t user_sgprs(const struct codeobj_kernel_descriptor *d)
{
    return (d->enable_sgpr_private_segment_buffer ? 4u : 0u) + (d->enable_sgpr_dispatch_ptr ? 2u : 0u) + (d->enable_sgpr_queue_ptr ? 2u : 0u) +
           (d->enable_sgpr_kernarg_segment_ptr ? 2u : 0u) + (d->enable_sgpr_dispatch_id ? 2u : 0u) +
           (d->enable_sgpr_flat_scratch_init ? 2u : 0u) + (d->enable_sgpr_private_segment_size ? 1u : 0u) + d->kernarg_preload_length;
}

static void check_reserved(struct co_check *c, const struct codeobj_kernel *k, const char *where)
{
    enum { RSRC1_OFF = 48, SGPR_COUNT = 0x3c0 };
    struct codeobj_kernel_reserved r;
    bool gfx10 = c->target.processor->gen >= CODEOBJ_GEN_GFX10;
    for (size_t i = 0; !codeobj_kernel_descriptor_reserved(k->descriptor_bytes, CODEOBJ_KERNEL_DESCRIPTOR_SIZE, c->target.processor, i, &r); i++)
        if (gfx10 && r.byte_off == RSRC1_OFF && !r.loader && !(r.found & ~(uint32_t)SGPR_COUNT)) {
            /* Old compilers did so in all kernels: told once. */
            if (!c->sgprs_ignored++)
                co_check_say(c, CO_CHECK_SGPR_COUNT_IGNORED, where, "0", "granulated_wavefront_sgpr_count %u", r.found >> 6);
        } else {
            co_check_say(c, r.loader ? CO_CHECK_LOADER_FIELD : CO_CHECK_RESERVED, where, "0", "%s: 0x%x of the bits 0x%x at descriptor+%u", r.name,
                         r.found, r.mask, r.byte_off);
        }
}

static void check_addresses(struct co_check *c, const struct codeobj_kernel *k, const char *where)
{
    bool linked = c->header.type != ET_REL;
    if (!k->has_kernel_code) {
        if (k->symbol.size != CODEOBJ_KERNEL_DESCRIPTOR_SIZE)
            co_check_say(c, CO_CHECK_KD_SIZE, where, "64 bytes", "%llu bytes", (unsigned long long)k->symbol.size);
        if (k->descriptor_addr % DESCRIPTOR_ALIGN)
            co_check_say(c, CO_CHECK_KD_MISALIGNED, where, "a multiple of 64", "descriptor at 0x%llx", (unsigned long long)k->descriptor_addr);
    }
    if (k->entry_addr % ENTRY_ALIGN)
        co_check_say(c, CO_CHECK_ENTRY_MISALIGNED, where, "a multiple of 256", "entry at 0x%llx", (unsigned long long)k->entry_addr);
    if (linked && !is_executable(c, k->entry_addr))
        co_check_say(c, CO_CHECK_ENTRY_OUTSIDE, where, "an address in an executable segment", "entry at 0x%llx", (unsigned long long)k->entry_addr);
}

static void check_descriptor(struct co_check *c, const struct codeobj_kernel *k, const char *where)
{
    const struct codeobj_kernel_descriptor *d = &k->descriptor;
    const struct codeobj_processor *p = c->target.processor;
    if (!k->has_descriptor) {
        co_check_say(c, CO_CHECK_KD_UNREADABLE, where, "64 bytes in a loaded segment", "symbol at 0x%llx", (unsigned long long)k->symbol.value);
        return;
    }
    check_addresses(c, k, where);
    if (!p)
        return;
    if (!k->has_kernel_code)
        check_reserved(c, k, where);
    if (user_sgprs(d) > d->user_sgpr_count) {
        char needed[48];
        snprintf(needed, sizeof needed, "at least %llu", (unsigned long long)user_sgprs(d));
        co_check_say(c, CO_CHECK_USER_SGPRS, where, needed, "user_sgpr_count %u", d->user_sgpr_count);
    }
    if (p->features & CODEOBJ_FEATURE_ARCH_FLAT_SCRATCH && (d->enable_sgpr_private_segment_buffer || d->enable_sgpr_flat_scratch_init))
        co_check_say(c, CO_CHECK_SCRATCH_SGPRS, where, "neither", "private segment buffer or flat scratch init enabled");
    if (d->private_segment_fixed_size && !d->enable_private_segment && !d->uses_dynamic_stack && !k->has_kernel_code)
        co_check_say(c, CO_CHECK_SCRATCH_DISABLED, where, "enable_private_segment 1", "private_segment_fixed_size %u", d->private_segment_fixed_size);
    if (d->kernarg_preload_length && (d->kernarg_preload_offset + (uint32_t)d->kernarg_preload_length) * 4 > d->kernarg_size)
        co_check_say(c, CO_CHECK_PRELOAD_TOO_LONG, where, "", "%u dwords preloaded from dword %u of a kernarg segment of %u bytes",
                     d->kernarg_preload_length, d->kernarg_preload_offset, d->kernarg_size);
    struct codeobj_kernel_resources use = { .vgprs = d->vgpr_count, .lds_bytes = d->group_segment_fixed_size, .wave_size = d->wave_size };
    struct codeobj_kernel_occupancy o;
    if (!codeobj_kernel_occupancy(p, &use, &o, NULL) && d->group_segment_fixed_size > o.lds_per_workgroup) {
        char needed[48];
        snprintf(needed, sizeof needed, "at most %u bytes", o.lds_per_workgroup);
        co_check_say(c, CO_CHECK_LDS_TOO_BIG, where, needed, "%u bytes of LDS", d->group_segment_fixed_size);
    }
}

/* ---- descriptor and metadata compared --------------------------------------------------- */

static void compare_size(struct co_check *c, enum co_check_id id, const char *where, const char *what, uint64_t metadata, uint64_t descriptor)
{
    char needed[64];
    if (metadata == descriptor)
        return;
    snprintf(needed, sizeof needed, "%llu, as the metadata says", (unsigned long long)metadata);
    co_check_say(c, id, where, needed, "%s %llu in the descriptor", what, (unsigned long long)descriptor);
}

static void compare(struct co_check *c, const struct codeobj_metadata_kernel *m, const struct codeobj_kernel *k, const char *where)
{
    const struct codeobj_kernel_descriptor *d = &k->descriptor;
    const struct codeobj_processor *p = c->target.processor;
    if (!k->has_descriptor || !p)
        return;
    if (m->kernarg_segment_size != d->kernarg_size && d->kernarg_size) /* 0 in the descriptor means "not told" */
        compare_size(c, CO_CHECK_KERNARG_DISAGREES, where, "kernarg_size", m->kernarg_segment_size, d->kernarg_size);
    compare_size(c, CO_CHECK_LDS_DISAGREES, where, "group_segment_fixed_size", m->group_segment_fixed_size, d->group_segment_fixed_size);
    compare_size(c, CO_CHECK_SCRATCH_DISAGREES, where, "private_segment_fixed_size", m->private_segment_fixed_size, d->private_segment_fixed_size);
    if (m->wavefront_size && m->wavefront_size != d->wave_size)
        compare_size(c, CO_CHECK_WAVE_DISAGREES, where, "wave size", m->wavefront_size, d->wave_size);
    if (c->header.code_object_version >= 5 && m->uses_dynamic_stack != (d->uses_dynamic_stack != 0))
        co_check_say(c, CO_CHECK_STACK_DISAGREES, where, m->uses_dynamic_stack ? "1, as the metadata says" : "0, as the metadata says",
                     "uses_dynamic_stack %u in the descriptor", d->uses_dynamic_stack);
    /* The metadata counts what is used.  In a unified file it counts AGPRs in as well. */
    if (m->vgpr_count > d->vgpr_count)
        co_check_say(c, CO_CHECK_VGPRS_DISAGREE, where, "no more than are allocated", "%llu VGPRs in the metadata, %u allocated by the descriptor",
                     (unsigned long long)m->vgpr_count, d->vgpr_count);
    if (p->gen < CODEOBJ_GEN_GFX10 && m->sgpr_count > d->sgpr_count)
        co_check_say(c, CO_CHECK_SGPRS_DISAGREE, where, "no more than are allocated", "%llu SGPRs in the metadata, %u allocated by the descriptor",
                     (unsigned long long)m->sgpr_count, d->sgpr_count);
}

static bool is_power_of_two(uint64_t v) { return v && !(v & (v - 1)); }

/* Figures that no launch can go by.  (V2 has other keys, and maps of its own for them.) */
static void check_figures(struct co_check *c, size_t idx, const struct codeobj_metadata_kernel *m)
{
    const struct {
        const char *key, *needed;
        bool good;
    } f[] = {
        { ".max_flat_workgroup_size", "1 to 1024", m->max_flat_workgroup_size > 0 },
        { ".kernarg_segment_align", "a power of two", is_power_of_two(m->kernarg_segment_align) },
        { ".wavefront_size", "32 or 64", m->wavefront_size == 32 || m->wavefront_size == 64 },
    };
    char where[96];
    for (size_t i = 0; i < sizeof f / sizeof *f; i++) {
        const struct codeobj_value *v = codeobj_value_get(m->value, f[i].key);
        if (f[i].good || !v || v->kind != CODEOBJ_VALUE_UINT)
            continue;
        snprintf(where, sizeof where, "amdhsa.kernels[%zu]%s", idx, f[i].key);
        co_check_say(c, CO_CHECK_KEY_VALUE, where, f[i].needed, "%llu", (unsigned long long)v->uint);
    }
    for (unsigned i = 0; m->has_reqd_workgroup_size && i < 3; i++)
        if (!m->reqd_workgroup_size[i]) {
            snprintf(where, sizeof where, "amdhsa.kernels[%zu].reqd_workgroup_size[%u]", idx, i);
            co_check_say(c, CO_CHECK_KEY_VALUE, where, "at least 1", "0");
        }
}

static void check_workgroup(struct co_check *c, const struct codeobj_metadata_kernel *m, const char *where)
{
    uint64_t product = 1;
    if (m->max_flat_workgroup_size > MAX_WORKGROUP)
        co_check_say(c, CO_CHECK_WORKGROUP_SIZE, where, "at most 1024", "max_flat_workgroup_size %llu", (unsigned long long)m->max_flat_workgroup_size);
    if (!m->has_reqd_workgroup_size)
        return;
    for (int i = 0; i < 3; i++) {
        uint64_t n = m->reqd_workgroup_size[i];
        product = n > UINT32_MAX || product > UINT32_MAX ? UINT64_MAX : product * n;
    }
    if (m->max_flat_workgroup_size && product > m->max_flat_workgroup_size)
        co_check_say(c, CO_CHECK_WORKGROUP_SIZE, where, "a product within max_flat_workgroup_size", "reqd_workgroup_size %llu x %llu x %llu, at most %llu",
                     (unsigned long long)m->reqd_workgroup_size[0], (unsigned long long)m->reqd_workgroup_size[1],
                     (unsigned long long)m->reqd_workgroup_size[2], (unsigned long long)m->max_flat_workgroup_size);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* The kernels of the symbols: descriptor, and whether the metadata knows them. */
static void check_symbols(struct co_check *c)
{
    for (size_t i = 0; !c->stop && i < codeobj_kernel_count(c->elf); i++) {
        struct codeobj_kernel k;
        char where[200], name[160];
        size_t idx;
        if (codeobj_kernel_at(c->elf, i, &k, NULL))
            break;
        snprintf(where, sizeof where, "kernel \"%.*s\"", k.name_size > 150 ? 150 : (int)k.name_size, k.name);
        size_t size;
        const uint8_t *file = codeobj_elf_bytes(c->elf, &size);
        c->has_offset = k.has_descriptor; /* of the descriptor */
        c->offset = k.has_descriptor ? (uint64_t)((const uint8_t *)k.descriptor_bytes - file) : 0;
        check_descriptor(c, &k, where);
        if (k.has_descriptor && c->target.processor && !c->options->skip_code)
            co_check_code(c, &k, where);
        if (!c->metadata)
            continue;
        if (codeobj_metadata_kernel_by_symbol(c->metadata, k.symbol.name, &idx)) {
            snprintf(name, sizeof name, "an entry in amdhsa.kernels with .symbol \"%.100s\"", k.symbol.name);
            if (c->header.code_object_version >= 3)
                co_check_say(c, CO_CHECK_KERNEL_NO_METADATA, where, name, "none");
            continue;
        }
        struct codeobj_metadata_kernel m;
        if (!codeobj_metadata_kernel(c->metadata, idx, &m))
            compare(c, &m, &k, where);
    }
    c->has_offset = false;
}

static int compare_names(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static void check_duplicates(struct co_check *c)
{
    size_t count = codeobj_metadata_kernel_count(c->metadata), used = 0;
    const char **names = calloc(count ? count : 1, sizeof *names);
    c->no_memory |= !names;
    struct codeobj_metadata_kernel m;
    for (size_t i = 0; names && !codeobj_metadata_kernel(c->metadata, i, &m); i++)
        if (m.name)
            names[used++] = m.name;
    if (names)
        qsort(names, used, sizeof *names, compare_names);
    for (size_t i = 1; names && i < used; i++)
        if (!strcmp(names[i], names[i - 1]) && (i == 1 || strcmp(names[i - 1], names[i - 2]))) {
            char where[200];
            snprintf(where, sizeof where, "kernel \"%.150s\"", names[i]);
            co_check_say(c, CO_CHECK_DUPLICATE_KERNEL, where, "one entry in the metadata", "several");
        }
    free(names);
}

void co_check_kernels(struct co_check *c)
{
    struct codeobj_metadata_kernel m;
    if (!codeobj_kernel_count(c->elf) && !(c->metadata && codeobj_metadata_kernel_count(c->metadata))) {
        co_check_say(c, CO_CHECK_NO_KERNELS, "symbols", "", "no kernel descriptor and no kernel in the metadata");
        return;
    }
    check_symbols(c);
    if (c->sgprs_ignored > 1)
        co_check_say(c, CO_CHECK_SGPR_COUNT_IGNORED, "kernel descriptors", "0", "the same in %zu more kernels", c->sgprs_ignored - 1);
    for (size_t i = 0; c->metadata && !c->stop && !codeobj_metadata_kernel(c->metadata, i, &m); i++) {
        char where[200];
        snprintf(where, sizeof where, "kernel \"%.150s\"", m.name ? m.name : "?");
        check_symbol(c, &m, where);
        check_figures(c, i, &m);
        check_workgroup(c, &m, where);
        co_check_args(c, i, &m);
    }
    if (c->metadata)
        check_duplicates(c);
}

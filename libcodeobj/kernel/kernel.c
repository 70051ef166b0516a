/* SPDX-License-Identifier: MIT
 *
 * kernel/kernel.c - the kernels of an object, as its symbols name them.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend, Symbols.
 *
 * From V3 on a kernel is two symbols: NAME is the code, NAME.kd its descriptor,
 * and only the latter makes it a kernel (OpenCL adds a second code symbol per
 * kernel).  Before V3 one symbol of type STT_AMDGPU_HSA_KERNEL points at an
 * amd_kernel_code_t, which the code follows.  In a relocatable object the
 * descriptor's entry offset is still a relocation, so NAME tells the entry.
 */
#include <codeobj/kernel.h>

#include <elf.h>
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "elf/kernel_symbols.h"

enum { STT_AMDGPU_HSA_KERNEL = 10, ET_RELOCATABLE = ET_REL };

/* Bytes at a symbol: of its section where that is known, else through the segments. */
static bool symbol_bytes(const struct codeobj_elf *elf, const struct codeobj_elf_header *h, const struct codeobj_elf_symbol *s,
                         size_t count, struct co_span *out)
{
    struct codeobj_elf_section section;
    if (!codeobj_elf_section(elf, s->shndx, &section) && s->shndx) {
        size_t size;
        const void *data = codeobj_elf_section_data(elf, s->shndx, &size);
        uint64_t base = h->type == ET_RELOCATABLE ? 0 : section.addr;
        return s->value >= base && co_span_sub(co_span_make(data, size), s->value - base, count, out);
    }
    for (size_t i = 0; i < codeobj_elf_segment_count(elf); i++) {
        struct codeobj_elf_segment segment;
        size_t size;
        codeobj_elf_segment(elf, i, &segment);
        const void *data = codeobj_elf_segment_data(elf, i, &size);
        if (segment.type == PT_LOAD && s->value >= segment.vaddr &&
            co_span_sub(co_span_make(data, size), s->value - segment.vaddr, count, out))
            return true;
    }
    return false;
}

/* The code symbol NAME of NAME.kd. */
static bool code_symbol(const struct codeobj_elf *elf, const struct codeobj_kernel *k, struct codeobj_elf_symbol *out)
{
    return co_elf_symbol_by_parts(elf, k->name, k->name_size, "", out);
}

static void fill_descriptor(const struct codeobj_elf *elf, const struct codeobj_elf_header *h, struct codeobj_kernel *k)
{
    struct codeobj_target target;
    struct codeobj_elf_symbol code;
    struct co_span bytes;
    codeobj_elf_target(elf, &target);
    k->descriptor_addr = k->symbol.value;
    if (symbol_bytes(elf, h, &k->symbol, CODEOBJ_KERNEL_DESCRIPTOR_SIZE, &bytes) &&
        !codeobj_kernel_descriptor_decode(bytes.data, bytes.size, target.processor, &k->descriptor, NULL)) {
        k->has_descriptor = true;
        k->descriptor_bytes = bytes.data;
        k->entry_addr = k->symbol.value + (uint64_t)k->descriptor.kernel_code_entry_byte_offset;
    }
    if (code_symbol(elf, k, &code)) {
        k->code_size = code.size;
        if (h->type == ET_RELOCATABLE)
            k->entry_addr = code.value;
    }
}

static void fill_kernel_code(const struct codeobj_elf *elf, const struct codeobj_elf_header *h, struct codeobj_kernel *k)
{
    struct codeobj_target target;
    struct co_span bytes;
    codeobj_elf_target(elf, &target);
    k->descriptor_addr = k->symbol.value;
    if (!symbol_bytes(elf, h, &k->symbol, CODEOBJ_KERNEL_CODE_SIZE, &bytes) ||
        codeobj_kernel_code_decode(bytes.data, bytes.size, &k->kernel_code, NULL))
        return;
    k->has_kernel_code = k->has_descriptor = true;
    k->descriptor_bytes = bytes.data;
    codeobj_kernel_code_descriptor(&k->kernel_code, target.processor, &k->descriptor);
    k->entry_addr = k->symbol.value + (uint64_t)k->kernel_code.kernel_code_entry_byte_offset;
    uint64_t into = (uint64_t)k->kernel_code.kernel_code_entry_byte_offset;
    k->code_size = k->symbol.size > into ? k->symbol.size - into : 0;
}

static void fill(const struct codeobj_elf *elf, const struct codeobj_elf_symbol *s, struct codeobj_kernel *out)
{
    struct codeobj_elf_header h;
    codeobj_elf_header(elf, &h);
    size_t n = strlen(s->name);
    struct codeobj_kernel k = { .name = s->name, .name_size = n, .symbol = *s };
    if (s->type == STT_AMDGPU_HSA_KERNEL) {
        fill_kernel_code(elf, &h, &k);
    } else {
        k.name_size = n - 3;
        fill_descriptor(elf, &h, &k);
    }
    /* Code for preloaded arguments has a second entry for firmware that does not preload. */
    k.preload_entry_addr = k.descriptor.kernarg_preload_length ? k.entry_addr + 256 : 0;
    *out = k;
}

size_t codeobj_kernel_count(const struct codeobj_elf *elf) { return co_elf_kernel_count(elf); }

enum codeobj_status codeobj_kernel_at(const struct codeobj_elf *elf, size_t idx, struct codeobj_kernel *out, struct codeobj_diag *diag)
{
    struct codeobj_elf_symbol s;
    if (!co_elf_kernel_symbol(elf, idx, &s))
        return co_fail(diag, CODEOBJ_NOT_FOUND, "kernel %zu of %zu", idx, codeobj_kernel_count(elf));
    fill(elf, &s, out);
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_kernel_by_name(const struct codeobj_elf *elf, const char *name, struct codeobj_kernel *out,
                                           struct codeobj_diag *diag)
{
    size_t n = strlen(name);
    struct codeobj_elf_symbol s;
    co_diag_file(diag, codeobj_elf_name(elf));
    for (int kd = 0; kd < 2; kd++)
        if (co_elf_symbol_by_parts(elf, name, n, kd ? ".kd" : "", &s) && co_elf_is_kernel_symbol(&s)) {
            fill(elf, &s, out);
            return CODEOBJ_OK;
        }
    return co_fail(diag, CODEOBJ_NOT_FOUND, "no kernel \"%.200s\"", name);
}

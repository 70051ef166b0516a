/* SPDX-License-Identifier: MIT
 *
 * elf/notes.c - notes, the dynamic section, and what they say of the target.
 *
 * Rules: System V ABI, Note Section and Dynamic Section; LLVM's User Guide for
 * AMDGPU Backend, Code Object V2 Note Records and V3 and Above Note Records.
 *
 * All AMDGPU writers pad names and descriptors to 4 bytes, also in sections
 * that claim an alignment of 8 (the HSA finalizer's), so 4 it is everywhere.
 * A linked object holds the notes of all its inputs one behind the other.
 */
#include <codeobj/elf.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "elf/elf.h"

/* Note types of owner "AMD" that tell version and target. */
enum { NT_AMD_CODE_OBJECT_VERSION = 1, NT_AMD_ISA_VERSION = 3, NT_AMD_ISA_NAME = 11 };

static enum codeobj_status add_note(struct codeobj_elf *elf, struct codeobj_elf_note note, struct codeobj_diag *diag)
{
    if (elf->note_count == elf->note_cap) {
        size_t cap = elf->note_cap ? elf->note_cap * 2 : 4;
        struct codeobj_elf_note *grown = realloc(elf->notes, cap * sizeof *grown);
        if (!grown)
            return co_no_memory(diag);
        elf->notes = grown;
        elf->note_cap = cap;
    }
    elf->notes[elf->note_count++] = note;
    return CODEOBJ_OK;
}

static uint64_t pad4(uint64_t n) { return (n + 3) & ~(uint64_t)3; }

/* The notes in one section or segment at file offset base. */
static enum codeobj_status read_run(struct codeobj_elf *elf, struct co_span b, uint64_t base, uint32_t section_idx,
                                    const char *where, struct codeobj_diag *diag)
{
    for (uint64_t at = 0; at < b.size;) {
        if (!co_span_has(b, at, 12)) {
            /* Zeros up to an alignment are harmless. */
            for (uint64_t i = at; i < b.size; i++)
                if (b.data[i])
                    return co_elf_problem(elf, diag, where, at, "note header: %llu of 12 bytes", (unsigned long long)(b.size - at));
            return CODEOBJ_OK;
        }
        uint32_t namesz = co_load32(b.data + at), descsz = co_load32(b.data + at + 4), type = co_load32(b.data + at + 8);
        uint64_t desc = at + 12 + pad4(namesz);
        if (!co_span_has(b, at + 12, namesz) || !co_span_has(b, desc, descsz))
            return co_elf_problem(elf, diag, where, at, "note of 0x%x name and 0x%x descriptor bytes reaches past the end at 0x%zx",
                                  namesz, descsz, b.size);
        const char *owner = (const char *)b.data + at + 12;
        struct codeobj_elf_note note = {
            .owner = owner, .owner_size = namesz && !owner[namesz - 1] ? namesz - 1 : namesz, .type = type,
            .desc = b.data + desc, .desc_size = descsz, .offset = base + at, .section_idx = section_idx,
        };
        enum codeobj_status st = add_note(elf, note, diag);
        if (st)
            return st;
        at = desc + pad4(descsz);
    }
    return CODEOBJ_OK;
}

enum codeobj_status co_elf_read_notes(struct codeobj_elf *elf, struct codeobj_diag *diag)
{
    bool any = false;
    for (size_t i = 1; i < elf->section_count; i++) {
        const struct codeobj_elf_section *s = &elf->sections[i];
        if (s->type != SHT_NOTE)
            continue;
        any = true;
        enum codeobj_status st = read_run(elf, elf->section_bytes[i], s->offset, (uint32_t)i, s->name, diag);
        if (st)
            return st;
    }
    for (size_t i = 0; !any && i < elf->segment_count; i++) {
        if (elf->segments[i].type != PT_NOTE)
            continue;
        enum codeobj_status st = read_run(elf, elf->segment_bytes[i], elf->segments[i].offset, 0, "PT_NOTE", diag);
        if (st)
            return st;
    }
    return CODEOBJ_OK;
}

size_t codeobj_elf_note_count(const struct codeobj_elf *elf) { return elf->note_count; }

enum codeobj_status codeobj_elf_note(const struct codeobj_elf *elf, size_t idx, struct codeobj_elf_note *out)
{
    if (idx >= elf->note_count)
        return CODEOBJ_INVALID;
    *out = elf->notes[idx];
    return CODEOBJ_OK;
}

/* ---- dynamic section --------------------------------------------------------------- */

/* The first of each counts. */
static void find_strings(struct codeobj_elf *elf)
{
    struct codeobj_elf_dynamic d;
    uint64_t addr = 0, size = 0;
    for (size_t i = elf->dynamic_count; i--;) {
        codeobj_elf_dynamic(elf, i, &d);
        if (d.tag == DT_STRTAB)
            addr = d.value;
        else if (d.tag == DT_STRSZ)
            size = d.value;
    }
    co_elf_at_address(elf, addr, size, &elf->dynamic_strings);
}

enum codeobj_status co_elf_read_dynamic(struct codeobj_elf *elf, struct codeobj_diag *diag)
{
    struct co_span b = { NULL, 0 };
    for (size_t i = 0; !b.size && i < elf->segment_count; i++)
        if (elf->segments[i].type == PT_DYNAMIC)
            b = elf->segment_bytes[i];
    for (size_t i = 1; !b.size && i < elf->section_count; i++)
        if (elf->sections[i].type == SHT_DYNAMIC)
            b = elf->section_bytes[i];
    if (!b.size)
        return CODEOBJ_OK;
    elf->dynamic = b;
    size_t entry = co_dyn_size(elf);
    for (uint64_t at = 0; co_span_has(b, at, entry); at += entry) {
        if (co_load_word(elf, b.data + at) == DT_NULL) {
            find_strings(elf);
            return CODEOBJ_OK;
        }
        elf->dynamic_count++;
    }
    find_strings(elf);
    return co_elf_problem(elf, diag, "PT_DYNAMIC", elf->dynamic_count * entry, "dynamic section ends without DT_NULL");
}

size_t codeobj_elf_dynamic_count(const struct codeobj_elf *elf) { return elf->dynamic_count; }

enum codeobj_status codeobj_elf_dynamic(const struct codeobj_elf *elf, size_t idx, struct codeobj_elf_dynamic *out)
{
    if (idx >= elf->dynamic_count)
        return CODEOBJ_INVALID;
    const uint8_t *p = elf->dynamic.data + idx * co_dyn_size(elf);
    out->tag = elf->is32 ? (int32_t)co_load32(p) : (int64_t)co_load64(p);
    out->value = elf->is32 ? co_load32(p + 4) : co_load64(p + 8);
    return CODEOBJ_OK;
}

const char *codeobj_elf_dynamic_string(const struct codeobj_elf *elf, const struct codeobj_elf_dynamic *d)
{
    static const int64_t tags[] = { DT_NEEDED, DT_SONAME, DT_RPATH, DT_RUNPATH, DT_CONFIG, DT_DEPAUDIT, DT_AUDIT, DT_AUXILIARY, DT_FILTER };
    struct co_span s = elf->dynamic_strings;
    if (d->value < s.size && s.size - d->value > CODEOBJ_ELF_LONGEST_PATH)
        s.size = d->value + CODEOBJ_ELF_LONGEST_PATH;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (d->tag == tags[i])
            return co_span_str(s, d->value);
    return NULL;
}

/* ---- version and target -------------------------------------------------------------- */

static const struct codeobj_elf_note *amd_note(const struct codeobj_elf *elf, uint32_t type, size_t min_size)
{
    for (size_t i = 0; i < elf->note_count; i++) {
        const struct codeobj_elf_note *n = &elf->notes[i];
        if (n->type == type && n->owner_size == 3 && !memcmp(n->owner, "AMD", 3) && n->desc_size >= min_size)
            return n;
    }
    return NULL;
}

/* The ISA version note counts XNACK into the stepping of gfx9 (gfx901 is gfx900
 * with it on), and some of its gfx8 numbers stand for other processors. */
static bool target_from_isa_version(uint32_t major, uint32_t minor, uint32_t stepping, struct codeobj_target *out)
{
    bool xnack = major == 9 && minor == 0 && stepping < 8 && (stepping & 1);
    if (xnack)
        stepping--;
    if (major == 8 && minor == 0 && (stepping == 0 || stepping == 4))
        stepping = stepping ? 3 : 2;
    for (size_t i = 0;; i++) {
        const struct codeobj_processor *p = codeobj_processor_at(i);
        if (!p)
            return false;
        if (p->generic_version || p->gen == CODEOBJ_GEN_R600 || p->major != major || p->minor != minor || p->stepping != stepping)
            continue;
        *out = (struct codeobj_target){ .processor = p };
        if (p->has_xnack)
            out->xnack = xnack || major == 8 ? CODEOBJ_MODE_ON : CODEOBJ_MODE_OFF;
        if (p->has_sramecc)
            out->sramecc = CODEOBJ_MODE_OFF;
        return true;
    }
}

/* V1 and V2 are told apart by their version note.  The finalizer, which alone
 * writes an HSAIL note, keeps nothing but an XNACK bit in e_flags; compilers
 * have the coding of V3 there, which also knows sramecc. */
static void find_old_target(struct codeobj_elf *elf)
{
    enum { NT_AMD_HSAIL = 2, FINALIZER_XNACK = 1 };
    const struct codeobj_elf_note *version = amd_note(elf, NT_AMD_CODE_OBJECT_VERSION, 8), *isa = amd_note(elf, NT_AMD_ISA_VERSION, 16);
    bool finalizer = amd_note(elf, NT_AMD_HSAIL, 0) != NULL;
    struct codeobj_target noted;
    if (version && co_load32(version->desc) == 1)
        elf->header.code_object_version = 1;
    if (!isa || (elf->target.processor && !finalizer))
        return;
    const uint8_t *d = isa->desc;
    if (!target_from_isa_version(co_load32(d + 4), co_load32(d + 8), co_load32(d + 12), &noted))
        return;
    if (finalizer && noted.processor->has_xnack && (elf->header.flags & FINALIZER_XNACK))
        noted.xnack = CODEOBJ_MODE_ON;
    elf->target = noted;
}

void co_elf_find_target(struct codeobj_elf *elf)
{
    struct codeobj_elf_header *h = &elf->header;
    codeobj_target_from_flags(h->flags, h->osabi, h->abi_version, &elf->target);
    if (h->machine != CO_EM_AMDGPU || h->osabi != CO_OSABI_AMDHSA)
        return;
    h->code_object_version = h->abi_version + 2;
    if (!h->abi_version)
        find_old_target(elf);
}

void codeobj_elf_target(const struct codeobj_elf *elf, struct codeobj_target *out) { *out = elf->target; }

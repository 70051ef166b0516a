/* SPDX-License-Identifier: MIT
 *
 * check/code.c - registers that a kernel's code names, against those its
 * descriptor allocates.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend, compute_pgm_rsrc1 and 3.
 *
 * The body is decoded from its entry to its end, as the symbol's size gives it.
 * Functions it calls are not followed: what they use cannot be told from one
 * caller.  On gfx125x the upper bits of VGPR numbers are set by instructions
 * (s_set_vgpr_msb), so that only the first 256 are judged.
 */
#include "check/check.h"

#include <elf.h>
#include <stdio.h>

#include <codeobj/isa.h>

enum { FIRST_SPECIAL_SGPR = 102 }; /* from here on VCC, trap and other registers, as generations have them */

struct usage {
    unsigned vgprs, agprs, sgprs; /* highest number plus one */
    uint64_t vgpr_off, agpr_off, sgpr_off; /* of the instruction that named it, from the entry */
    size_t unknown;
    uint64_t unknown_off;
};

/* size bytes of code at the kernel's entry. */
static const uint8_t *code_bytes(const struct co_check *c, const struct codeobj_kernel *k, size_t *size)
{
    struct codeobj_elf_section s;
    bool relocatable = c->header.type == ET_REL;
    uint32_t code_section = 0;
    struct codeobj_elf_symbol code;
    char name[512];
    if (relocatable && !k->has_kernel_code) {
        snprintf(name, sizeof name, "%.*s", k->name_size > 500 ? 500 : (int)k->name_size, k->name);
        if (codeobj_elf_symbol_by_name(c->elf, name, &code))
            return NULL;
        code_section = code.shndx;
    } else if (relocatable) {
        code_section = k->symbol.shndx;
    }
    for (size_t i = 1; !codeobj_elf_section(c->elf, i, &s); i++) {
        size_t n;
        const uint8_t *data = codeobj_elf_section_data(c->elf, i, &n);
        uint64_t base = relocatable ? 0 : s.addr;
        if (!data || !(s.flags & SHF_EXECINSTR) || (relocatable && i != code_section) || k->entry_addr < base || k->entry_addr - base >= n)
            continue;
        n -= (size_t)(k->entry_addr - base);
        *size = k->code_size < n ? (size_t)k->code_size : n;
        return data + (k->entry_addr - base);
    }
    return NULL;
}

static void count_operand(struct usage *u, const struct codeobj_isa_operand *o, uint64_t off)
{
    unsigned end = o->reg + o->dwords;
    if (o->kind == CODEOBJ_OPERAND_VGPR && end > u->vgprs) {
        u->vgprs = end;
        u->vgpr_off = off;
    } else if (o->kind == CODEOBJ_OPERAND_AGPR && end > u->agprs) {
        u->agprs = end;
        u->agpr_off = off;
    } else if (o->kind == CODEOBJ_OPERAND_SGPR && o->reg < FIRST_SPECIAL_SGPR && end > u->sgprs) {
        u->sgprs = end;
        u->sgpr_off = off;
    }
}

static void scan(const struct codeobj_isa *isa, const uint8_t *code, size_t size, struct usage *u)
{
    for (size_t at = 0; at < size;) {
        struct codeobj_isa_inst inst;
        if (codeobj_isa_decode(isa, code + at, size - at, &inst, NULL)) {
            if (!u->unknown++)
                u->unknown_off = at;
        } else if (!u->unknown) {
            /* Behind an unknown word instructions may be read out of step. */
            for (unsigned i = 0; i < inst.operand_count; i++)
                count_operand(u, &inst.operands[i], at);
        }
        at += inst.size ? inst.size : 4;
    }
}

void co_check_code(struct co_check *c, const struct codeobj_kernel *k, const char *where)
{
    const struct codeobj_kernel_descriptor *d = &k->descriptor;
    const struct codeobj_processor *p = c->target.processor;
    struct codeobj_isa_options options = { .size = sizeof options, .wave = d->wave_size };
    struct codeobj_isa *isa;
    struct usage u = { 0 };
    size_t size = 0;
    const uint8_t *code = k->code_size ? code_bytes(c, k, &size) : NULL;
    if (!code || codeobj_isa_new(p, &options, &isa, NULL))
        return;
    scan(isa, code, size, &u);
    codeobj_isa_free(isa);
    char needed[64];
    unsigned vgprs = d->vgpr_count;
    if (p->features & CODEOBJ_FEATURE_UNIFIED_VGPR) {
        /* AGPRs lie behind accum_offset in the same file. */
        if (u.agprs > d->agpr_count) {
            snprintf(needed, sizeof needed, "at most %u AGPRs", d->agpr_count);
            co_check_say(c, CO_CHECK_CODE_VGPRS, where, needed, "a%u at entry+0x%llx", u.agprs - 1, (unsigned long long)u.agpr_off);
        }
        if (d->agpr_count && d->accum_offset < vgprs)
            vgprs = d->accum_offset;
    }
    if (u.vgprs > vgprs) {
        snprintf(needed, sizeof needed, "at most %u VGPRs", vgprs);
        co_check_say(c, CO_CHECK_CODE_VGPRS, where, needed, "v%u at entry+0x%llx", u.vgprs - 1, (unsigned long long)u.vgpr_off);
    }
    if (p->gen < CODEOBJ_GEN_GFX10 && u.sgprs > d->sgpr_count) {
        snprintf(needed, sizeof needed, "at most %u SGPRs", d->sgpr_count);
        co_check_say(c, CO_CHECK_CODE_SGPRS, where, needed, "s%u at entry+0x%llx", u.sgprs - 1, (unsigned long long)u.sgpr_off);
    }
    if (u.unknown)
        co_check_say(c, CO_CHECK_CODE_UNKNOWN, where, "", "%zu words are no instructions of %s, the first at entry+0x%llx", u.unknown, p->name,
                     (unsigned long long)u.unknown_off);
}

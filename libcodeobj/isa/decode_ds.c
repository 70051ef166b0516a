/* SPDX-License-Identifier: MIT
 *
 * isa/decode_ds.c - LDS and GDS instructions, and what all memory formats share.
 *
 * Fields: AMD's ISA manuals, "Microcode formats".  Register fields that an
 * instruction does not use have to be 0 (in FLAT and buffers they are ignored):
 * that is what LLVM 22 reads, hardware looks at none of them.
 *
 *   gfx8, gfx9   offset 0-15, gds 16, op 17-24, acc 25 (gfx90a up)
 *   others       offset 0-15, gds 17, op 18-25
 *   second word  addr, data0, data1, vdst
 */
#include "isa/mem_decode.h"

#include <string.h>

/* ---- shared ------------------------------------------------------------------ */
static enum co_family family_of(const struct codeobj_processor *p)
{
    switch (p->gen) {
    case CODEOBJ_GEN_GFX6: return CO_G6;
    case CODEOBJ_GEN_GFX7: return CO_G7;
    case CODEOBJ_GEN_GFX8: return CO_G8;
    case CODEOBJ_GEN_GFX9: return p->minor ? CO_G940 : p->features & CODEOBJ_FEATURE_UNIFIED_VGPR ? CO_G90A : CO_G9;
    case CODEOBJ_GEN_GFX10: return CO_G10;
    case CODEOBJ_GEN_GFX11: return CO_G11;
    default: return p->minor ? CO_G125 : CO_G12;
    }
}

void co_mem_traits(struct co_mem *mem, const struct codeobj_processor *p)
{
    mem->family = (uint8_t)family_of(p);
    mem->agpr = mem->family == CO_G90A || mem->family == CO_G940;
    mem->unpacked_d16 = mem->family == CO_G8 && p->minor == 0;
    mem->lds_wide = mem->family == CO_G940 && p->minor == 5;
    mem->literal = mem->family >= CO_G10 || mem->lds_wide;
    mem->g16 = mem->family >= CO_G10;
    mem->scratch_none = mem->family == CO_G10 && p->minor >= 3;
    mem->scalar_off = mem->family >= CO_G11 ? 124 : mem->family == CO_G10 ? 125 : 127;
}

bool co_mem_index(struct co_mem *mem, const struct co_isa_row *row, uint16_t i, int op)
{
    uint16_t *array;

    switch (row->format) {
    case CODEOBJ_FMT_DS: array = mem->ds; break;
    case CODEOBJ_FMT_FLAT: array = mem->flat[0]; break;
    case CODEOBJ_FMT_SCRATCH: array = mem->flat[1]; break;
    case CODEOBJ_FMT_GLOBAL: array = mem->flat[2]; break;
    case CODEOBJ_FMT_MUBUF: array = mem->mubuf; break;
    case CODEOBJ_FMT_MTBUF: array = mem->mtbuf; break;
    case CODEOBJ_FMT_MIMG: array = mem->family >= CO_G12 && row->flags & (CO_IMG_SAMPLER | CO_IMG_MSAA) ? mem->vsample : mem->mimg; break;
    case CODEOBJ_FMT_EXP: mem->exp = i; return true;
    default: return false;
    }
    array[op & 255] = i;
    return true;
}

bool co_mem_begin(struct co_mem_dec *m, struct co_decode *d, unsigned words)
{
    *m = (struct co_mem_dec){.d = d, .mem = &d->isa->mem, .mod = &d->in->mod};
    if (!co_need(d, words)) {
        m->why = "length";
        return false;
    }
    for (unsigned i = 0; i < words; i++)
        m->w[i] = co_load32(d->code + 4u * i);
    return true;
}

bool co_mem_row(struct co_mem_dec *m, unsigned row)
{
    m->why = co_start(m->d, row);
    m->row = m->d->row;
    return !m->why;
}

static uint8_t type_of(unsigned dwords)
{
    static const uint8_t types[] = {CODEOBJ_TYPE_B32, CODEOBJ_TYPE_B32, CODEOBJ_TYPE_B64, CODEOBJ_TYPE_B96, CODEOBJ_TYPE_B128};

    return dwords < sizeof types ? types[dwords] : CODEOBJ_TYPE_BN;
}

void co_mem_vgpr(struct co_mem_dec *m, unsigned role, unsigned dwords, unsigned reg, bool acc)
{
    struct codeobj_isa_operand *o =
        co_operand(m->d, acc ? CODEOBJ_OPERAND_AGPR : CODEOBJ_OPERAND_VGPR, role, type_of(dwords), dwords);

    o->reg = (uint16_t)reg;
    /* Tuples of VGPRs go on past v255 (gfx1250 has more); before gfx8 LLVM cannot be asked. */
    if (reg + dwords > 256 && (acc || m->mem->family < CO_G8))
        m->why = acc ? "agpr" : "vgpr";
}

void co_mem_off(struct co_mem_dec *m, unsigned role)
{
    co_operand(m->d, CODEOBJ_OPERAND_NONE, role, CODEOBJ_TYPE_B32, 0);
}

/* Tuples that do not exist: those that reach from the SGPRs into VCC, from the
 * trap registers into M0, and odd spellings of pairs that have names. */
static bool bad_tuple(const struct co_mem *mem, unsigned code, unsigned dwords)
{
    unsigned first_named = mem->family >= CO_G10 ? 106 : mem->family == CO_G6 ? 104 : 102;
    unsigned first_ttmp = mem->family <= CO_G8 ? 112 : 108;
    unsigned reg = code & ~(dwords > 2 ? 3u : 1u);

    if (dwords == 2)
        return reg == 124 || (code != reg && ((reg >= first_named && reg < first_ttmp) || reg == 126));
    if (dwords > 4 && (reg == 100 || reg > first_ttmp + (mem->family < CO_G8 ? 4 : 8)))
        return true;
    return reg == 104 || reg >= 124 || (reg == 108 && first_ttmp > 108);
}

bool co_mem_scalar(struct co_mem_dec *m, unsigned role, unsigned code, unsigned dwords)
{
    const struct co_mem *mem = m->mem;
    const struct co_isa_opspec spec = {.type = type_of(dwords), .dwords = (uint8_t)dwords};
    unsigned null = mem->family >= CO_G11 ? 124 : 125;

    if (m->why)
        return false;
    m->d->at = (uint8_t)role;
    if (code < 128 && dwords > 1) {
        if (code == null) {
            /* zeros of any width; the number is not rounded down */
            co_operand(m->d, CODEOBJ_OPERAND_SGPR, role, spec.type, dwords)->reg = (uint16_t)null;
            return true;
        }
        if (bad_tuple(mem, code, dwords)) {
            m->why = CO_AT_OPERAND;
            return false;
        }
        if (dwords > 4) { /* image descriptors */
            co_mem_ignore(m, code & 3);
            co_operand(m->d, CODEOBJ_OPERAND_SGPR, role, spec.type, dwords)->reg = (uint16_t)(code & ~3u);
            return true;
        }
    }
    if (mem->family < CO_G8 && (code == 125 || code == 254 || (mem->family == CO_G6 && (code == 104 || code == 105)))) {
        m->why = CO_AT_OPERAND; /* null and LDS direct came later; gfx6 ends at s103 */
        return false;
    }
    if (code == 255 && !mem->literal) {
        m->why = "literal";
        return false;
    }
    m->why = co_put_scalar(m->d, code, &spec, role);
    return !m->why;
}

/* ---- DS ------------------------------------------------------------------------ */
/* gds and acc: what may be set depends on the row and on the family. */
static bool ds_bits(struct co_mem_dec *m, unsigned *gds, bool acc, bool gws)
{
    const struct co_isa_row *row = m->row;
    unsigned registers = (co_mem_dst(row) != 0) + (co_mem_data(row) != 0) + (co_mem_data1(row) != 0);
    bool never = row->flags & CO_MEM_GDS_NEVER || m->mem->family >= CO_G12 || !(registers || co_mem_addr(row));

    if (row->flags & CO_MEM_GDS_ONLY ? !*gds : *gds && never)
        return co_mem_zero(m, 1, "gds");
    if (m->mem->agpr && !(row->flags & CO_MEM_GDS_ONLY)) {
        co_mem_ignore(m, *gds);
        *gds = 0;
    }
    /* Before gfx90a LLVM reads an AGPR, and calls it invalid, where there is one data register. */
    if (acc && (m->mem->agpr ? !registers && !gws : registers != 1 && !gws))
        return co_mem_zero(m, 1, "acc");
    return true;
}

/* Swizzle masks that the pattern "01pi" cannot spell, bits that FFT and ROTATE (gfx9) do not have. */
static uint32_t odd_swizzle(enum co_family family, uint32_t offset)
{
    uint32_t and_mask = offset & 31, or_mask = offset >> 5 & 31, xor_mask = offset >> 10 & 31;

    if (family >= CO_G9 && offset >= 0xc000)
        return offset & (offset >= 0xe000 ? 0x1fe0 : 0x181f);
    return offset & 0x8000 ? 0 : (or_mask & (and_mask | xor_mask)) | (xor_mask & ~and_mask);
}

static bool decode_ds(struct co_mem_dec *m)
{
    enum co_family family = m->mem->family;
    bool vi = family >= CO_G8 && family <= CO_G940, acc = vi && co_field(m, 25, 1), gws;
    unsigned gds = co_field(m, vi ? 16 : 17, 1);
    const struct co_isa_row *row;

    if (!co_mem_row(m, m->mem->ds[co_field(m, vi ? 17 : 18, 8)]))
        return false;
    row = m->row;
    gws = row->flags & CO_MEM_GDS_ONLY && !co_mem_dst(row) && co_mem_addr(row);
    if (!ds_bits(m, &gds, acc, gws))
        return false;
    if (!vi)
        co_mem_ignore(m, co_field(m, 16, 1));
    if (!(co_mem_addr(row) || co_mem_zero(m, co_field(m, 32, 8), "addr")) ||
        !(co_mem_data(row) || co_mem_zero(m, co_field(m, 40, 8), "data0")) ||
        !(co_mem_data1(row) || co_mem_zero(m, co_field(m, 48, 8), "data1")) ||
        !(co_mem_dst(row) || co_mem_zero(m, co_field(m, 56, 8), "vdst")))
        return false;
    m->mod->gds = (uint8_t)gds;
    m->mod->offset = (int32_t)co_field(m, 0, 16);
    if (!co_mem_dst(row) && !co_mem_addr(row) && !co_mem_data(row) && !gds && !co_mem_zero(m, co_field(m, 0, 16), "offset"))
        return false; /* ds_nop */
    if (row->flags & CO_MEM_SWIZZLE)
        co_mem_ignore(m, odd_swizzle(family, (uint32_t)m->mod->offset));
    if (co_mem_dst(row))
        co_mem_vgpr(m, row->flags & CO_MEM_D16 ? CODEOBJ_ROLE_DSTSRC : CODEOBJ_ROLE_DST, co_mem_dst(row), co_field(m, 56, 8), acc);
    if (co_mem_addr(row))
        co_mem_vgpr(m, CODEOBJ_ROLE_ADDR, 1, co_field(m, 32, 8), acc && gws);
    if (co_mem_data(row))
        co_mem_vgpr(m, CODEOBJ_ROLE_DATA0, co_mem_data(row), co_field(m, 40, 8), acc);
    if (co_mem_data1(row))
        co_mem_vgpr(m, CODEOBJ_ROLE_DATA1, co_mem_data1(row), co_field(m, 48, 8), acc);
    return !m->why;
}

const char *co_decode_ds(struct co_decode *d)
{
    struct co_mem_dec m;

    if (co_mem_begin(&m, d, 2))
        decode_ds(&m);
    return m.why;
}

/* SPDX-License-Identifier: MIT
 *
 * isa/decode_flat.c - FLAT, GLOBAL and SCRATCH instructions.
 *
 *   gfx7 to gfx9  offset 0-12, lds 13 (sve on gfx942), seg 14-15, glc 16, slc 17, op 18-24, scc 25; acc 55
 *   gfx10         offset 0-11, dlc 12, lds 13, seg 14-15, glc 16, slc 17, op 18-24
 *   gfx11         offset 0-12, dlc 13, glc 14, slc 15, seg 16-17, op 18-24; sve 55
 *                 second word of these: vaddr, data, saddr (7 bits), vdst
 *   gfx12         saddr 0-6, nv 7, op 14-21, seg 24-25; vdst 32-39, scale_offset 48, sve 49, scope 50-51,
 *                 th 52-54, data 55-62; vaddr 64-71, offset 72-95
 *
 * Offsets of the FLAT segment are unsigned to gfx11.  Which addresses there are: FLAT has a 64-bit
 * VGPR pair (gfx1250: or a scalar base and a 32-bit VGPR offset), GLOBAL either, SCRATCH a VGPR, an SGPR,
 * both (sve) or none.
 */
#include "isa/mem_decode.h"

struct fields {
    unsigned seg, op, saddr, vaddr, data, dst;
    bool lds, sve, acc, ret;
};

static void fields_gfx12(struct co_mem_dec *m, struct fields *f)
{
    struct codeobj_isa_modifiers *mod = m->mod;

    f->saddr = co_field(m, 0, 7);
    f->op = co_field(m, 14, 8);
    f->seg = co_field(m, 24, 2);
    f->dst = co_field(m, 32, 8);
    f->sve = co_field(m, 49, 1);
    f->data = co_field(m, 55, 8);
    f->vaddr = co_field(m, 64, 8);
    mod->nv = (uint8_t)co_field(m, 7, 1);
    mod->scale_offset = (uint8_t)co_field(m, 48, 1);
    mod->scope = (uint8_t)co_field(m, 50, 2);
    mod->th = (uint8_t)co_field(m, 52, 3);
    mod->offset = co_sext(co_field(m, 72, 24), 24);
    f->ret = mod->th & 1;
    co_mem_ignore(m, co_field(m, 8, 6) | co_field(m, 22, 2) | co_field(m, 40, 8) | co_field(m, 63, 1));
}

/* Modifiers go straight to the instruction. */
static bool fields(struct co_mem_dec *m, struct fields *f)
{
    struct codeobj_isa_modifiers *mod = m->mod;
    enum co_family family = m->mem->family;
    bool gfx11 = family == CO_G11;
    unsigned offset_bits = family == CO_G10 ? 12 : 13;

    *f = (struct fields){0};
    if (family >= CO_G12) {
        fields_gfx12(m, f);
        return true;
    }
    f->op = co_field(m, 18, 7);
    f->seg = co_field(m, gfx11 ? 16 : 14, 2);
    f->vaddr = co_field(m, 32, 8);
    f->data = co_field(m, 40, 8);
    f->saddr = co_field(m, 48, 7);
    f->dst = co_field(m, 56, 8);
    mod->glc = (uint8_t)co_field(m, gfx11 ? 14 : 16, 1);
    mod->slc = (uint8_t)co_field(m, gfx11 ? 15 : 17, 1);
    mod->offset = (int32_t)co_field(m, 0, offset_bits);
    if (f->seg)
        mod->offset = co_sext((uint32_t)mod->offset, offset_bits);
    if (family == CO_G7) { /* offsets came with gfx9; on gfx8 LLVM's decoder shows the field */
        co_mem_ignore(m, (uint32_t)mod->offset);
        mod->offset = 0;
    }
    f->ret = mod->glc;
    if (m->mem->agpr)
        mod->scc = (uint8_t)co_field(m, 25, 1);
    else
        co_mem_ignore(m, co_field(m, 25, 1));
    if (gfx11) {
        f->sve = co_field(m, 55, 1);
        mod->dlc = (uint8_t)co_field(m, 13, 1);
        return true;
    }
    if (family == CO_G940)
        f->sve = co_field(m, 13, 1);
    else
        f->lds = co_field(m, 13, 1);
    if (family == CO_G10) {
        mod->dlc = (uint8_t)co_field(m, 12, 1);
        return co_mem_zero(m, co_field(m, 55, 1), "acc");
    }
    f->acc = co_field(m, 55, 1);
    return family != CO_G7 || co_mem_zero(m, f->acc, "tfe");
}

/* Address operand, and whether the scalar one is "off". */
static bool address(struct co_mem_dec *m, const struct fields *f, bool *saddr_off)
{
    enum co_family family = m->mem->family;
    bool vaddr_off;

    *saddr_off = f->saddr == m->mem->scalar_off;
    if (f->seg == 1) {
        vaddr_off = family >= CO_G11 || family == CO_G940 ? !f->sve : !*saddr_off;
        if (m->mem->scratch_none && f->saddr == 127)
            *saddr_off = true; /* neither */
        if (vaddr_off) {
            co_mem_off(m, CODEOBJ_ROLE_ADDR);
            co_mem_ignore(m, f->vaddr);
        } else {
            co_mem_vgpr(m, CODEOBJ_ROLE_ADDR, 1, f->vaddr, false);
        }
        return true;
    }
    if (!co_mem_zero(m, f->sve, "sve"))
        return false;
    if (f->seg == 0 && family < CO_G125) {
        /* No scalar address: the field has to say so. */
        if (!co_mem_zero(m, f->saddr != (family >= CO_G10 ? m->mem->scalar_off : 0u), "saddr"))
            return false;
        *saddr_off = true;
    }
    if (m->row->flags & CO_MEM_ADDTID)
        co_mem_ignore(m, f->vaddr);
    else
        co_mem_vgpr(m, CODEOBJ_ROLE_ADDR, *saddr_off ? 2 : 1, f->vaddr, false);
    return true;
}

static bool scalar_address(struct co_mem_dec *m, const struct fields *f, bool saddr_off)
{
    if (f->seg == 0 && (m->mem->family < CO_G125 || saddr_off))
        return true; /* not in the text */
    if (saddr_off) {
        co_mem_off(m, CODEOBJ_ROLE_SADDR);
        return true;
    }
    return co_mem_scalar(m, CODEOBJ_ROLE_SADDR, f->saddr, f->seg == 1 ? 1 : 2);
}

static bool cache(struct co_mem_dec *m, const struct fields *f)
{
    if (!co_mem_zero(m, f->sve, "sve"))
        return false;
    co_mem_ignore(m, f->dst | f->data | f->vaddr);
    if (co_mem_addr(m->row)) /* tensor_save */
        return co_mem_scalar(m, CODEOBJ_ROLE_SADDR, f->saddr, 2);
    co_mem_ignore(m, (uint32_t)m->mod->offset);
    m->mod->offset = 0;
    return co_mem_zero(m, f->saddr != m->mem->scalar_off, "saddr");
}

/* Bits that the encodings of single instructions reserve. */
static bool reserved(struct co_mem_dec *m, const struct fields *f, bool has_dst, bool has_data)
{
    enum co_family family = m->mem->family;
    bool fatomic = m->row->flags & CO_MEM_FATOMIC;

    if (f->acc && !has_dst && !has_data)
        return co_mem_zero(m, 1, "acc");
    if (fatomic && family == CO_G9)
        return co_mem_zero(m, f->ret, "glc") && co_mem_zero(m, co_field(m, 25, 1), "scc");
    if (fatomic && family == CO_G90A)
        return co_mem_zero(m, m->mod->scc, "scc");
    if (f->acc && has_dst && has_data) {
        if (f->seg && family <= CO_G9)
            return co_mem_zero(m, 1, "acc");
        if (fatomic && family == CO_G940)
            return co_mem_zero(m, m->row->needs == CO_NEED_ATOMIC_FADD ||
                                       (m->mod->scc && m->row->needs != CO_NEED_FLAT_ATOMIC_FADD), "acc");
    }
    return true;
}

static bool decode_flat(struct co_mem_dec *m)
{
    const struct co_isa_row *row;
    enum co_mem_kind kind;
    struct fields f;
    bool saddr_off, has_dst, has_data;

    if (!fields(m, &f) || !co_mem_zero(m, f.seg == 3, "seg") || !co_mem_row(m, m->mem->flat[f.seg][f.op]))
        return false;
    row = m->row;
    kind = co_mem_kind_of(row);
    if (kind == CO_MEM_CACHE)
        return cache(m, &f);
    if (!co_mem_zero(m, f.lds && !(row->flags & CO_MEM_LDSABLE), "lds"))
        return false;
    m->mod->lds = f.lds;
    has_dst = co_mem_dst(row) && !f.lds && (kind != CO_MEM_ATOMIC || f.ret);
    has_data = co_mem_data(row) != 0;
    co_mem_ignore(m, (has_dst ? 0 : f.dst) | (has_data ? 0 : f.data));
    if (!reserved(m, &f, has_dst, has_data))
        return false;
    if (has_dst) {
        unsigned role = kind == CO_MEM_ASYNC ? CODEOBJ_ROLE_DATA0
                        : row->flags & CO_MEM_D16 ? CODEOBJ_ROLE_DSTSRC
                                                  : CODEOBJ_ROLE_DST;

        bool half = row->flags & CO_MEM_TRANSPOSE && m->d->isa->wave == 64;

        co_mem_vgpr(m, role, co_mem_dst(row) >> half, f.dst, f.acc);
    }
    if (!address(m, &f, &saddr_off))
        return false;
    if (has_data)
        co_mem_vgpr(m, CODEOBJ_ROLE_DATA0, co_mem_data(row), f.data, f.acc);
    return scalar_address(m, &f, saddr_off);
}

const char *co_decode_flat(struct co_decode *d)
{
    struct co_mem_dec m;

    if (co_mem_begin(&m, d, d->isa->mem.family >= CO_G12 ? 3 : 2))
        decode_flat(&m);
    return m.why;
}

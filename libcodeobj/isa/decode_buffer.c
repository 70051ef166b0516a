/* SPDX-License-Identifier: MIT
 *
 * isa/decode_buffer.c - MUBUF and MTBUF instructions, VBUFFER from gfx12 on.
 *
 *   MUBUF  gfx6, gfx7  offset 0-11, offen 12, idxen 13, glc 14, addr64 15, lds 16, op 18-24; slc 54, tfe 55
 *          gfx8, gfx9  no addr64 (scc from gfx90a on), slc 17; tfe 55 is acc from gfx90a on
 *          gfx10       dlc 15, op 18-25; slc 54, tfe 55
 *          gfx11       slc 12, dlc 13, glc 14, op 18-25; tfe 53, offen 54, idxen 55
 *          second word: vaddr, vdata, srsrc (5 bits, in units of 4), ..., soffset
 *   MTBUF  as MUBUF, with a format in 19-25, op in 16-18 (gfx6, gfx7; gfx10 with bit 53) or 15-18, slc 54, scc 53
 *   VBUFFER            soffset 0-6, nv 7, op 14-21 (128 and up: typed), tfe 22; vdata 32-39, rsrc 41-49, scope, th,
 *                      format 55-61, offen 62, idxen 63; vaddr 64-71, offset 72-95
 */
#include "isa/mem_decode.h"

struct fields {
    unsigned op, vaddr, vdata, rsrc, soffset;
    bool typed, acc, ret;
};

static bool fields_gfx12(struct co_mem_dec *m, struct fields *f)
{
    struct codeobj_isa_modifiers *mod = m->mod;

    f->op = co_field(m, 14, 8);
    f->typed = f->op >= 128;
    f->soffset = co_field(m, 0, 7);
    f->vdata = co_field(m, 32, 8);
    f->rsrc = co_field(m, 41, 9);
    f->vaddr = co_field(m, 64, 8);
    mod->nv = (uint8_t)co_field(m, 7, 1);
    mod->tfe = (uint8_t)co_field(m, 22, 1);
    mod->scope = (uint8_t)co_field(m, 50, 2);
    mod->th = (uint8_t)co_field(m, 52, 3);
    mod->offen = (uint8_t)co_field(m, 62, 1);
    mod->idxen = (uint8_t)co_field(m, 63, 1);
    mod->offset = (int32_t)co_field(m, 72, 24);
    f->ret = mod->th & 1;
    if (f->typed)
        mod->format = (uint8_t)co_field(m, 55, 7);
    else
        co_mem_ignore(m, co_field(m, 55, 7) != 1); /* assemblers write a format all the same */
    co_mem_ignore(m, co_field(m, 8, 6) | co_field(m, 23, 3) | co_field(m, 40, 1));
    return co_mem_zero(m, f->rsrc >> 7, "rsrc") && co_mem_zero(m, (uint32_t)mod->offset >> 23, "offset");
}

static void fields_gfx11(struct co_mem_dec *m, struct fields *f)
{
    struct codeobj_isa_modifiers *mod = m->mod;

    mod->slc = (uint8_t)co_field(m, 12, 1);
    mod->dlc = (uint8_t)co_field(m, 13, 1);
    mod->tfe = (uint8_t)co_field(m, 53, 1);
    mod->offen = (uint8_t)co_field(m, 54, 1);
    mod->idxen = (uint8_t)co_field(m, 55, 1);
    co_mem_ignore(m, f->typed ? 0 : co_field(m, 15, 3));
}

/* gfx6 to gfx10 */
static void fields_old(struct co_mem_dec *m, struct fields *f)
{
    struct codeobj_isa_modifiers *mod = m->mod;
    enum co_family family = m->mem->family;
    bool slc_high = f->typed || family < CO_G8 || family == CO_G10, agpr = m->mem->agpr;

    mod->offen = (uint8_t)co_field(m, 12, 1);
    mod->idxen = (uint8_t)co_field(m, 13, 1);
    mod->slc = (uint8_t)co_field(m, slc_high ? 54 : 17, 1);
    if (!f->typed) {
        mod->lds = (uint8_t)co_field(m, 16, 1);
        co_mem_ignore(m, co_field(m, slc_high ? 17 : 54, 1) | (family >= CO_G10 ? 0 : co_field(m, 25, 1)));
    }
    if (family < CO_G8) {
        mod->addr64 = (uint8_t)co_field(m, 15, 1);
        f->op = f->typed ? co_field(m, 16, 3) : f->op;
    } else if (family == CO_G10) {
        mod->dlc = (uint8_t)co_field(m, 15, 1);
        f->op = f->typed ? co_field(m, 16, 3) | co_field(m, 53, 1) << 3 : f->op;
    } else if (agpr) {
        mod->scc = (uint8_t)co_field(m, f->typed ? 53 : 15, 1);
    } else if (!f->typed) {
        co_mem_ignore(m, co_field(m, 15, 1));
    }
    if (agpr)
        f->acc = co_field(m, 55, 1);
    else
        mod->tfe = (uint8_t)co_field(m, 55, 1);
    co_mem_ignore(m, f->typed && (family == CO_G10 || agpr) ? 0 : co_field(m, 53, 1));
}

static bool fields(struct co_mem_dec *m, struct fields *f)
{
    *f = (struct fields){.typed = m->w[0] >> 26 == 0x3a};
    if (m->mem->family >= CO_G12)
        return fields_gfx12(m, f);
    f->vaddr = co_field(m, 32, 8);
    f->vdata = co_field(m, 40, 8);
    f->rsrc = co_field(m, 48, 5) * 4;
    f->soffset = co_field(m, 56, 8);
    f->op = f->typed ? co_field(m, 15, 4) : co_field(m, 18, m->mem->family >= CO_G10 ? 8 : 7);
    m->mod->offset = (int32_t)co_field(m, 0, 12);
    m->mod->glc = (uint8_t)co_field(m, 14, 1);
    if (f->typed) {
        m->mod->format = (uint8_t)co_field(m, 19, 7);
        if (m->mem->family < CO_G10) /* reserved numbers */
            co_mem_ignore(m, m->mod->format >> 4 == 6 || (m->mod->format & 15) == 15);
    }
    if (m->mem->family == CO_G11)
        fields_gfx11(m, f);
    else
        fields_old(m, f);
    f->ret = m->mod->glc;
    return true;
}

/* Cache instructions: no operands; what must be 0 differs between them. */
static bool cache(struct co_mem_dec *m, const struct fields *f)
{
    struct codeobj_isa_modifiers *mod = m->mod;
    enum co_family family = m->mem->family;
    bool with_scope = family == CO_G940 || m->row->needs == CO_NEED_GFX90A; /* buffer_wbl2, buffer_inv */

    if (!co_mem_zero(m, mod->tfe || f->acc, "tfe") || !co_mem_zero(m, mod->offen | mod->idxen, "offen") ||
        !co_mem_zero(m, mod->lds, "lds"))
        return false;
    if (!with_scope && !co_mem_zero(m, mod->glc | mod->dlc | mod->scc | mod->addr64, "glc"))
        return false;
    if ((family == CO_G8 || family == CO_G9) && !co_mem_zero(m, co_field(m, 15, 1), "acc"))
        return false;
    co_mem_ignore(m, mod->slc | (uint32_t)mod->offset | f->vaddr | f->vdata | f->rsrc | f->soffset);
    if (family == CO_G90A) {
        co_mem_ignore(m, mod->glc | mod->scc);
        mod->glc = mod->scc = 0;
    }
    mod->slc = 0;
    mod->offset = 0;
    return true;
}

static unsigned data_dwords(const struct co_mem_dec *m)
{
    unsigned n = co_mem_data(m->row);

    if (m->mem->unpacked_d16 && m->row->flags & CO_MEM_D16_FMT) {
        /* a dword for each letter behind the last underscore: x, xy, xyz, xyzw */
        n = 0;
        for (const char *p = m->row->mnemonic; *p; p++)
            n = *p == '_' ? 0 : n + 1;
    }
    return n + m->mod->tfe;
}

/* Combinations of modifiers that are not instructions. */
static bool reserved(struct co_mem_dec *m, const struct fields *f)
{
    const struct codeobj_isa_modifiers *mod = m->mod;
    enum co_family family = m->mem->family;
    uint32_t flags = m->row->flags;
    enum co_mem_kind kind = co_mem_kind_of(m->row);
    bool ldsable = flags & CO_MEM_LDSABLE || (flags & CO_MEM_LDS_GFX950 && m->mem->lds_wide);

    if (kind == CO_MEM_LDS ? !mod->lds : mod->lds && !ldsable)
        return co_mem_zero(m, 1, "lds");
    if (kind == CO_MEM_LDS && !co_mem_zero(m, mod->offen | mod->idxen, "offen"))
        return false;
    if (mod->tfe && (mod->lds || f->typed || kind == CO_MEM_ATOMIC || (kind == CO_MEM_STORE && family < CO_G8)))
        return co_mem_zero(m, 1, "tfe");
    if (!co_mem_zero(m, f->acc && mod->lds, "acc") ||
        !co_mem_zero(m, mod->addr64 && (mod->offen || mod->idxen), "addr64"))
        return false;
    if (kind == CO_MEM_ATOMIC && family == CO_G10 && !co_mem_zero(m, mod->dlc, "dlc"))
        return false;
    if (flags & CO_MEM_FATOMIC && family == CO_G9)
        return co_mem_zero(m, mod->glc, "glc");
    if (flags & CO_MEM_FATOMIC && family == CO_G90A)
        return co_mem_zero(m, mod->scc, "scc");
    return true;
}

static unsigned data_role(const struct co_mem_dec *m, const struct fields *f)
{
    switch (co_mem_kind_of(m->row)) {
    case CO_MEM_LOAD: return m->row->flags & CO_MEM_D16 ? CODEOBJ_ROLE_DSTSRC : CODEOBJ_ROLE_DST;
    case CO_MEM_ATOMIC: return f->ret ? CODEOBJ_ROLE_DSTSRC : CODEOBJ_ROLE_DATA0;
    default: return CODEOBJ_ROLE_DATA0;
    }
}

static bool decode_buffer(struct co_mem_dec *m)
{
    struct codeobj_isa_modifiers *mod = m->mod;
    struct fields f;
    enum co_mem_kind kind;

    if (!fields(m, &f) || !co_mem_row(m, f.typed ? m->mem->mtbuf[f.op] : m->mem->mubuf[f.op]))
        return false;
    kind = co_mem_kind_of(m->row);
    if (kind == CO_MEM_CACHE)
        return cache(m, &f);
    if (!reserved(m, &f))
        return false;
    if (mod->lds)
        co_mem_ignore(m, f.vdata);
    else
        co_mem_vgpr(m, data_role(m, &f), data_dwords(m), f.vdata, f.acc);
    if (kind == CO_MEM_LDS) {
        co_mem_ignore(m, f.vaddr);
    } else if (mod->addr64 || mod->offen || mod->idxen) {
        co_mem_vgpr(m, CODEOBJ_ROLE_ADDR, mod->addr64 ? 2 : mod->offen + mod->idxen, f.vaddr, false);
    } else {
        co_mem_off(m, CODEOBJ_ROLE_ADDR);
        co_mem_ignore(m, f.vaddr);
    }
    return !m->why && co_mem_scalar(m, CODEOBJ_ROLE_RSRC, f.rsrc, 4) && co_mem_scalar(m, CODEOBJ_ROLE_SOFFSET, f.soffset, 1);
}

const char *co_decode_buffer(struct co_decode *d)
{
    struct co_mem_dec m;

    if (co_mem_begin(&m, d, d->isa->mem.family >= CO_G12 ? 3 : 2))
        decode_buffer(&m);
    return m.why;
}

/* SPDX-License-Identifier: MIT
 *
 * isa/decode_image.c - image instructions (MIMG, VIMAGE, VSAMPLE), tensor moves, exports.
 *
 *   MIMG   gfx6 to gfx9  op[7] 0 (gfx9), dmask 8-11, unorm 12, glc 13, da 14, r128 15 (gfx9: a16), tfe 16 (gfx90a: acc), lwe 17,
 *                        op 18-24, slc 25; vaddr, vdata, srsrc 48-52, ssamp 53-57, d16 63
 *          gfx10         op[7] 0, nsa 1-2, dim 3-5, dlc 7, dmask 8-11, unorm 12, glc 13, r128 15, tfe 16, lwe 17,
 *                        op 18-24, slc 25; ..., a16 62, d16 63; then nsa dwords of addresses
 *          gfx11         nsa 0, dim 2-4, unorm 7, dmask 8-11, slc 12, dlc 13, glc 14, r128 15, a16 16, d16 17,
 *                        op 18-25; vaddr, vdata, srsrc 48-52, tfe 53, lwe 54, ssamp 58-62
 *   VIMAGE gfx12         dim 0-2, r128 4, d16 5, a16 6, nv 7, op 14-21, dmask 22-25; vdata 32-39, rsrc 41-49,
 *                        scope, th, tfe 55, vaddr4 56-63; vaddr0 to vaddr3
 *   VSAMPLE gfx12        dim 0-2, tfe 3, ..., unorm 13; vdata 32-39, lwe 40, rsrc 41-49, scope, th, samp 55-63; vaddr0-3
 *   EXP                  en 0-3, target 4-9, compr 10, done 11, vm 12, row_en 13 (gfx11); vsrc0 to vsrc3
 *
 * How many registers the data takes follows from dmask, d16 and tfe; how many the
 * address takes follows, from gfx10 on, from the row and the dimension.  Before that
 * the encoding does not say it: LLVM prints the fewest that the row can have.  Where
 * LLVM has no variant of the size that comes out, it keeps what it read first: the
 * smallest data and address.
 */
#include "isa/mem_decode.h"

enum { ADDR_MAX = 13 };

struct fields {
    unsigned vdata, rsrc, samp;
    unsigned addr_count; /* registers named in the encoding */
    uint8_t addr[ADDR_MAX];
    bool acc;
};

static const uint8_t dim_coords[8] = {1, 2, 3, 3, 2, 3, 3, 4};
static const uint8_t dim_gradients[8] = {2, 4, 6, 4, 2, 4, 4, 4};

/* ---- fields ------------------------------------------------------------------------ */
static bool fields_old(struct co_mem_dec *m, struct fields *f)
{
    struct codeobj_isa_modifiers *mod = m->mod;
    enum co_family family = m->mem->family;

    mod->dmask = (uint8_t)co_field(m, 8, 4);
    mod->unorm = (uint8_t)co_field(m, 12, 1);
    mod->glc = (uint8_t)co_field(m, 13, 1);
    mod->da = (uint8_t)co_field(m, 14, 1);
    if (family >= CO_G9)
        mod->a16 = (uint8_t)co_field(m, 15, 1);
    else
        mod->r128 = (uint8_t)co_field(m, 15, 1);
    if (m->mem->agpr) {
        f->acc = co_field(m, 16, 1);
        mod->scc = (uint8_t)co_field(m, 7, 1);
    } else {
        mod->tfe = (uint8_t)co_field(m, 16, 1);
    }
    mod->lwe = (uint8_t)co_field(m, 17, 1);
    mod->slc = (uint8_t)co_field(m, 25, 1);
    mod->d16 = family >= CO_G8 ? (uint8_t)co_field(m, 63, 1) : 0;
    f->samp = co_field(m, 53, 5) * 4;
    co_mem_ignore(m, co_field(m, 58, 5) | (family < CO_G8 ? co_field(m, 0, 8) : co_field(m, 1, m->mem->agpr ? 6 : 7)));
    if (family < CO_G8)
        co_mem_ignore(m, co_field(m, 63, 1));
    return true;
}

static bool fields_gfx10(struct co_mem_dec *m, struct fields *f)
{
    struct codeobj_isa_modifiers *mod = m->mod;

    mod->nsa = (uint8_t)co_field(m, 1, 2);
    mod->dim = (uint8_t)co_field(m, 3, 3);
    mod->dlc = (uint8_t)co_field(m, 7, 1);
    mod->dmask = (uint8_t)co_field(m, 8, 4);
    mod->unorm = (uint8_t)co_field(m, 12, 1);
    mod->glc = (uint8_t)co_field(m, 13, 1);
    mod->r128 = (uint8_t)co_field(m, 15, 1);
    mod->tfe = (uint8_t)co_field(m, 16, 1);
    mod->lwe = (uint8_t)co_field(m, 17, 1);
    mod->slc = (uint8_t)co_field(m, 25, 1);
    mod->a16 = (uint8_t)co_field(m, 62, 1);
    mod->d16 = (uint8_t)co_field(m, 63, 1);
    f->samp = co_field(m, 53, 5) * 4;
    co_mem_ignore(m, co_field(m, 6, 1) | co_field(m, 14, 1) | co_field(m, 58, 4));
    return true;
}

static bool fields_gfx11(struct co_mem_dec *m, struct fields *f)
{
    struct codeobj_isa_modifiers *mod = m->mod;

    mod->nsa = (uint8_t)co_field(m, 0, 1);
    mod->dim = (uint8_t)co_field(m, 2, 3);
    mod->unorm = (uint8_t)co_field(m, 7, 1);
    mod->dmask = (uint8_t)co_field(m, 8, 4);
    mod->slc = (uint8_t)co_field(m, 12, 1);
    mod->dlc = (uint8_t)co_field(m, 13, 1);
    mod->glc = (uint8_t)co_field(m, 14, 1);
    mod->r128 = (uint8_t)co_field(m, 15, 1);
    mod->a16 = (uint8_t)co_field(m, 16, 1);
    mod->d16 = (uint8_t)co_field(m, 17, 1);
    mod->tfe = (uint8_t)co_field(m, 53, 1);
    mod->lwe = (uint8_t)co_field(m, 54, 1);
    f->samp = co_field(m, 58, 5) * 4;
    co_mem_ignore(m, co_field(m, 1, 1) | co_field(m, 5, 2) | co_field(m, 55, 3) | co_field(m, 63, 1));
    return true;
}

static bool fields_gfx12(struct co_mem_dec *m, struct fields *f, bool sample)
{
    struct codeobj_isa_modifiers *mod = m->mod;

    mod->dim = (uint8_t)co_field(m, 0, 3);
    mod->r128 = (uint8_t)co_field(m, 4, 1);
    mod->d16 = (uint8_t)co_field(m, 5, 1);
    mod->a16 = (uint8_t)co_field(m, 6, 1);
    mod->nv = (uint8_t)co_field(m, 7, 1);
    mod->dmask = (uint8_t)co_field(m, 22, 4);
    mod->scope = (uint8_t)co_field(m, 50, 2);
    mod->th = (uint8_t)co_field(m, 52, 3);
    f->vdata = co_field(m, 32, 8);
    f->rsrc = co_field(m, 41, 9);
    f->addr_count = sample ? 4 : 5;
    for (unsigned i = 0; i < 4; i++)
        f->addr[i] = (uint8_t)co_field(m, 64 + 8 * i, 8);
    if (sample) {
        mod->tfe = (uint8_t)co_field(m, 3, 1);
        mod->unorm = (uint8_t)co_field(m, 13, 1);
        mod->lwe = (uint8_t)co_field(m, 40, 1);
        f->samp = co_field(m, 55, 9);
        co_mem_ignore(m, co_field(m, 8, 5));
    } else {
        mod->tfe = (uint8_t)co_field(m, 55, 1);
        f->addr[4] = (uint8_t)co_field(m, 56, 8);
        co_mem_ignore(m, co_field(m, 3, 1) | co_field(m, 8, 6) | co_field(m, 40, 1));
    }
    return true;
}

/* The dwords of a non-sequential address lie behind the instruction. */
static bool take_nsa(struct co_mem_dec *m, struct fields *f)
{
    unsigned words = 2 + m->mod->nsa;

    if (!co_need(m->d, words))
        return co_mem_zero(m, 1, "nsa: length");
    f->addr_count = 1 + 4u * m->mod->nsa;
    for (unsigned i = 1; i < f->addr_count; i++)
        f->addr[i] = m->d->code[8 + i - 1];
    return true;
}

static bool fields(struct co_mem_dec *m, struct fields *f)
{
    *f = (struct fields){.addr_count = 1};
    f->addr[0] = (uint8_t)co_field(m, 32, 8);
    f->vdata = co_field(m, 40, 8);
    f->rsrc = co_field(m, 48, 5) * 4;
    if (m->mem->family <= CO_G940)
        return fields_old(m, f);
    return (m->mem->family == CO_G10 ? fields_gfx10(m, f) : fields_gfx11(m, f)) && take_nsa(m, f);
}

/* ---- sizes ---------------------------------------------------------------------------- */
static unsigned ones(unsigned v)
{
    return (v & 1) + (v >> 1 & 1) + (v >> 2 & 1) + (v >> 3 & 1);
}

/* Register counts of an instruction. */
struct sizes {
    unsigned data, addr;
    bool separate; /* the address is a list of registers */
    unsigned rest; /* registers that the last of the list stands for, 1 mostly */
};

static unsigned least_data(const struct co_mem_dec *m)
{
    if (m->row->flags & CO_IMG_MSAA)
        return m->mem->family >= CO_G11 ? 4 : 1;
    return m->row->flags & (CO_IMG_CMPSWAP | CO_IMG_GATHER4) ? 2 : 1;
}

/* 0: LLVM has no such variant. */
static unsigned data_dwords(const struct co_mem_dec *m)
{
    const struct codeobj_isa_modifiers *mod = m->mod;
    uint32_t flags = m->row->flags;
    bool four = flags & CO_IMG_GATHER4 && !(flags & CO_IMG_MSAA && m->mem->family < CO_G11);
    unsigned n = four ? 4 : ones(mod->dmask), least = flags & CO_IMG_MSAA && four ? 2 : least_data(m);
    unsigned most = flags & CO_IMG_CMPSWAP ? 5 : co_mem_kind_of(m->row) == CO_MEM_ATOMIC ? 3 : 5;

    n = n ? n : 1;
    if (mod->d16 && !m->mem->unpacked_d16)
        n = (n + 1) / 2;
    n += mod->tfe;
    if (flags & CO_IMG_GATHER4 && !(flags & CO_IMG_MSAA) && n == 3)
        return 0;
    return n < least || n > most ? 0 : n;
}

/* Fewest and most address registers of a row. */
static unsigned least_address(const struct co_isa_row *row)
{
    return co_mem_addr(row) + (row->flags & CO_IMG_GRAD ? 2 : 1);
}

static unsigned most_address(const struct co_isa_row *row)
{
    uint32_t flags = row->flags;

    if (!(flags & CO_IMG_SAMPLER))
        return 4;
    return co_mem_addr(row) + 3 + (flags & CO_IMG_LOD ? 1 : 0) + (flags & CO_IMG_GRAD ? flags & CO_IMG_G16 ? 4 : 6 : 0);
}

/* 16-bit components share registers; gradients are packed for themselves. */
static unsigned address_dwords(const struct co_mem_dec *m)
{
    const struct codeobj_isa_modifiers *mod = m->mod;
    uint32_t flags = m->row->flags;
    unsigned components = (flags & CO_IMG_COORD ? dim_coords[mod->dim] : 0) + (flags & CO_IMG_LOD ? 1 : 0);
    unsigned n = co_mem_addr(m->row), gradients = dim_gradients[mod->dim];

    n += mod->a16 ? (components + 1) / 2 : components;
    if (flags & CO_IMG_GRAD)
        n += flags & CO_IMG_G16 || (mod->a16 && !m->mem->g16) ? (gradients / 2 + 1) / 2 * 2 : gradients;
    return n;
}

/* Sizes by the rules; false when LLVM has no variant of them and keeps its first reading. */
static bool find_sizes(const struct co_mem_dec *m, const struct fields *f, struct sizes *s)
{
    enum co_family family = m->mem->family;
    unsigned least = least_address(m->row), most = most_address(m->row), round = most <= 4 ? 4 : most <= 8 ? 8 : most;
    unsigned listed = most < f->addr_count ? most : f->addr_count, data = data_dwords(m), addr;

    s->separate = family >= CO_G12 || m->mod->nsa;
    s->rest = 1;
    s->data = least_data(m);
    s->addr = s->separate ? listed : least;
    if (family < CO_G10)
        addr = least;
    else
        addr = address_dwords(m);
    if (!data || (data != s->data && (f->vdata + data > 256 || (m->d->isa->align2 && f->vdata & 1))))
        return false;
    if (!s->separate) {
        if (addr < least || (addr > most && addr != round) || (addr != least && f->addr[0] + addr > 256))
            return false;
    } else if (addr > listed) {
        if (family == CO_G10 || addr > most || f->addr[listed - 1] + addr - listed + 1 > 256)
            return false;
        s->rest = addr - listed + 1;
        addr = listed;
    } else if (addr < 2 && family < CO_G12) {
        return false;
    }
    s->data = data;
    s->addr = addr;
    return true;
}

/* ---- operands ---------------------------------------------------------------------------- */
static void add_data(struct co_mem_dec *m, const struct fields *f, unsigned dwords)
{
    enum co_mem_kind kind = co_mem_kind_of(m->row);
    bool ret = m->mem->family >= CO_G12 ? m->mod->th & 1 : m->mod->glc;
    unsigned role = kind == CO_MEM_LOAD ? CODEOBJ_ROLE_DST : kind == CO_MEM_ATOMIC && ret ? CODEOBJ_ROLE_DSTSRC : CODEOBJ_ROLE_DATA0;

    co_mem_vgpr(m, role, dwords, f->vdata, f->acc);
}

static void add_address(struct co_mem_dec *m, const struct fields *f, const struct sizes *s)
{
    if (!s->separate) {
        co_mem_vgpr(m, CODEOBJ_ROLE_ADDR, s->addr, f->addr[0], false);
        return;
    }
    for (unsigned i = 0; i < s->addr; i++)
        co_mem_vgpr(m, CODEOBJ_ROLE_ADDR, i + 1 == s->addr ? s->rest : 1, f->addr[i], false);
    for (unsigned i = s->addr; i < f->addr_count; i++)
        co_mem_ignore(m, f->addr[i]);
}

/* A descriptor by a 9-bit source code (gfx12); whatever is no SGPR is a mistake that LLVM prints. */
static bool add_descriptor(struct co_mem_dec *m, unsigned role, unsigned code, unsigned dwords)
{
    if (m->why)
        return false;
    if (code >= 256) {
        co_mem_vgpr(m, role, dwords, code - 256, false);
        m->d->dont_care = true;
        return true;
    }
    if (code >= 128)
        m->d->dont_care = true;
    return co_mem_scalar(m, role, code, dwords);
}

static bool add_descriptors(struct co_mem_dec *m, const struct fields *f, unsigned rsrc_dwords)
{
    if (!add_descriptor(m, CODEOBJ_ROLE_RSRC, f->rsrc, rsrc_dwords))
        return false;
    if (m->row->flags & CO_IMG_SAMPLER)
        return add_descriptor(m, CODEOBJ_ROLE_SAMP, f->samp, 4);
    return co_mem_zero(m, f->samp, "samp");
}

/* Ray tracing: addresses of fixed sizes.  Variants: 0 bvh, 1 bvh64, 2 dual, 3 bvh8. */
static bool decode_bvh(struct co_mem_dec *m, const struct fields *f)
{
    static const uint8_t sizes[4][5] = {{1, 1, 3, 3, 3}, {2, 1, 3, 3, 3}, {2, 2, 3, 3, 2}, {2, 2, 3, 3, 1}};
    struct codeobj_isa_modifiers *mod = m->mod;
    enum co_family family = m->mem->family;
    unsigned variant = co_mem_addr(m->row), count = mod->a16 ? 4 : 5, total = (variant == 1 ? 12 : 11) - (mod->a16 ? 3 : 0);

    if (!co_mem_zero(m, mod->dmask ^ 15u, "dmask") || !co_mem_zero(m, !mod->r128, "r128") ||
        !co_mem_zero(m, family < CO_G12 && !mod->unorm, "unorm") || !co_mem_zero(m, mod->tfe, "tfe") || !co_mem_zero(m, mod->lwe, "lwe") ||
        !co_mem_zero(m, mod->d16, "d16") || !co_mem_zero(m, mod->dim, "dim") || !co_mem_zero(m, mod->glc, "glc") ||
        !co_mem_zero(m, mod->slc, "slc") || !co_mem_zero(m, mod->dlc, "dlc") || !co_mem_zero(m, mod->th, "th") ||
        !co_mem_zero(m, mod->scope, "scope") || !co_mem_zero(m, mod->nv, "nv") || !co_mem_zero(m, mod->a16 && variant > 1, "a16"))
        return false;
    if (family >= CO_G12 && mod->a16 && !co_mem_zero(m, f->addr[4], "vaddr4"))
        return false;
    if (family == CO_G10 && mod->nsa && mod->nsa != (total + 2) / 4)
        return co_mem_zero(m, 1, "nsa");
    co_mem_vgpr(m, CODEOBJ_ROLE_DST, variant > 1 ? 10 : 4, f->vdata, false);
    if (family < CO_G12 && !mod->nsa) {
        co_mem_vgpr(m, CODEOBJ_ROLE_ADDR, total, f->addr[0], false);
    } else if (family == CO_G10) {
        for (unsigned i = 0; i < total; i++)
            co_mem_vgpr(m, CODEOBJ_ROLE_ADDR, 1, f->addr[i], false);
    } else {
        for (unsigned i = 0; i < count; i++)
            co_mem_vgpr(m, CODEOBJ_ROLE_ADDR, sizes[variant][i], f->addr[i], false);
    }
    mod->nsa = family >= CO_G12 || mod->nsa;
    return add_descriptors(m, f, 4);
}

/* tensor_load_to_lds: two or four groups of descriptors in SGPRs. */
static bool decode_tensor(struct co_mem_dec *m, const struct fields *f)
{
    static const uint8_t dwords[4] = {4, 8, 4, 4};
    const struct codeobj_isa_modifiers *mod = m->mod;
    bool two = f->addr[2] == 124 && f->addr[3] == 124;

    if (!co_mem_zero(m, mod->dim ^ 1u, "dim") || !co_mem_zero(m, mod->dmask ^ 1u, "dmask") || !co_mem_zero(m, mod->a16, "a16") ||
        !co_mem_zero(m, mod->d16, "d16") || !co_mem_zero(m, mod->tfe, "tfe") || !co_mem_zero(m, f->vdata, "vdata") ||
        !co_mem_zero(m, f->rsrc, "rsrc") || !co_mem_zero(m, f->addr[4] ^ 124u, "vaddr4"))
        return false;

    for (unsigned i = 0; i < (two ? 2 : 4); i++)
        if (!co_mem_zero(m, f->addr[i] >> 7, "vaddr") || !co_mem_scalar(m, i ? CODEOBJ_ROLE_SADDR : CODEOBJ_ROLE_RSRC, f->addr[i], dwords[i]))
            return false;
    return true;
}

static bool decode_image(struct co_mem_dec *m, struct fields *f)
{
    if (m->row->flags & CO_IMG_BVH)
        return decode_bvh(m, f);
    if (m->row->flags & CO_IMG_TENSOR)
        return decode_tensor(m, f);
    struct sizes sizes;

    if (!co_mem_zero(m, m->mod->d16 && !(m->row->flags & CO_IMG_HALFS), "d16") ||
        !co_mem_zero(m, m->mem->family >= CO_G12 && m->row->flags & CO_IMG_SAMPLER && most_address(m->row) == 3 && f->addr[3], "vaddr3"))
        return false;
    if (m->mod->nsa > (most_address(m->row) + 2) / 4)
        return co_mem_zero(m, 1, "nsa");
    if (f->addr_count == 5 && m->mem->family >= CO_G12 && !co_mem_zero(m, f->addr[4], "vaddr4"))
        return false;
    if (!find_sizes(m, f, &sizes))
        m->d->dont_care = true;
    if (m->mem->family < CO_G8 && m->row->flags & CO_IMG_GATHER4)
        co_mem_ignore(m, ones(m->mod->dmask) != 1);
    if (m->mem->family < CO_G8 && co_mem_kind_of(m->row) == CO_MEM_ATOMIC) {
        bool wide = m->row->flags & CO_IMG_CMPSWAP;

        co_mem_ignore(m, m->mod->dmask != (wide ? 3 : 1) && m->mod->dmask != (wide ? 15 : 3));
    }
    add_data(m, f, sizes.data);
    add_address(m, f, &sizes);
    m->mod->nsa = sizes.separate && (m->mem->family < CO_G12 || sizes.addr > 1);
    return add_descriptors(m, f, 8);
}

const char *co_decode_image(struct co_decode *d)
{
    struct co_mem_dec m;
    struct fields f;
    unsigned op;

    if (!co_mem_begin(&m, d, 2))
        return m.why;
    op = co_field(&m, 18, m.mem->family == CO_G11 ? 8 : 7);
    if (m.mem->family >= CO_G8 && m.mem->family <= CO_G10)
        op |= co_field(&m, 0, 1) << 7;
    if (fields(&m, &f) && co_mem_row(&m, m.mem->mimg[op]))
        decode_image(&m, &f);
    return m.why;
}

const char *co_decode_vimage(struct co_decode *d)
{
    struct co_mem_dec m;
    struct fields f = {0};

    if (!co_mem_begin(&m, d, 3))
        return m.why;
    if (co_mem_row(&m, m.mem->mimg[co_field(&m, 14, 8)]) && fields_gfx12(&m, &f, false))
        decode_image(&m, &f);
    return m.why;
}

const char *co_decode_vsample(struct co_decode *d)
{
    struct co_mem_dec m;
    struct fields f = {0};

    if (!co_mem_begin(&m, d, 3))
        return m.why;
    if (co_mem_row(&m, m.mem->vsample[co_field(&m, 14, 8)]) && fields_gfx12(&m, &f, true))
        decode_image(&m, &f);
    return m.why;
}

/* ---- exports ------------------------------------------------------------------------------- */
const char *co_decode_export(struct co_decode *d)
{
    struct co_mem_dec m;
    struct codeobj_isa_modifiers *mod;
    bool gfx11;

    if (!co_mem_begin(&m, d, 2) || !co_mem_row(&m, d->isa->mem.exp))
        return m.why;
    mod = m.mod;
    gfx11 = m.mem->family >= CO_G11;
    mod->exp_enable = (uint8_t)co_field(&m, 0, 4);
    mod->exp_target = (uint8_t)co_field(&m, 4, 6);
    mod->exp_done = (uint8_t)co_field(&m, 11, 1);
    if (gfx11) {
        mod->exp_row = (uint8_t)co_field(&m, 13, 1);
        co_mem_ignore(&m, co_field(&m, 10, 1) | co_field(&m, 12, 1) | co_field(&m, 14, 12));
    } else {
        mod->exp_compr = (uint8_t)co_field(&m, 10, 1);
        mod->exp_vm = (uint8_t)co_field(&m, 12, 1);
        co_mem_ignore(&m, co_field(&m, 13, 13));
        if (m.mem->family < CO_G8) /* targets without a name */
            co_mem_ignore(&m, mod->exp_target == 10 || mod->exp_target == 11 || (mod->exp_target > 15 && mod->exp_target < 32));
    }
    if (mod->exp_compr) /* bits of a pair go together */
        co_mem_ignore(&m, (mod->exp_enable ^ mod->exp_enable >> 1) & 5);
    for (unsigned i = 0; i < 4; i++) {
        /* compressed: two registers of two halves each */
        unsigned from = mod->exp_compr ? i / 2 : i;

        if (mod->exp_enable >> i & 1)
            co_mem_vgpr(&m, CODEOBJ_ROLE_SRC0 + i, 1, co_field(&m, 32 + 8 * from, 8), false);
        else
            co_mem_off(&m, CODEOBJ_ROLE_SRC0 + i);
        unsigned readers = mod->exp_compr ? (i < 2 ? 3u << 2 * i : 0) : 1u << i;
        co_mem_ignore(&m, mod->exp_enable & readers ? 0 : co_field(&m, 32 + 8 * i, 8));
    }
    return m.why;
}

/* SPDX-License-Identifier: MIT
 *
 * exec/mem_image.c - image loads, stores and atomics of gfx9: no sampler, a descriptor of 8 dwords.
 *
 *     word 0  base[39:8]
 *     word 1  base[47:40] 7:0, data format 25:20, number format 29:26
 *     word 2  width - 1 13:0, height - 1 27:14
 *     word 3  dst_sel x, y, z, w (3 bits each), base level 15:12, last level 19:16, tiling 24:20, type 31:28
 *     word 4  depth - 1 or last slice 12:0, pitch - 1 28:13
 *     word 5  first slice 12:0
 *     types   8 1D, 9 2D, 10 3D, 11 cube, 12 1D array, 13 2D array
 *
 * Only linear images (tiling 0) of one level have an address that documents give:
 *     base + ((slice * height + y) * pitch + x) * bytes of an element
 * Others stop.  Coordinates are unsigned; a texel outside reads 0, is not written, and an atomic on it returns 0.
 *
 * Source: ISA documents of Vega and MI100, "Image resource descriptor", "Image instructions"; Mesa's register names.
 */
#include "exec/access.h"
#include "exec/format.h"
#include "exec/mem_build.h"
#include "isa/semantics.h"

#define FLAG(f) ((uint8_t)((f) >> 40)) /* CO_IMAGE_* */
enum { MIP = FLAG(CO_IMAGE_MIP), RAW = FLAG(CO_IMAGE_RAW), SIGNED = FLAG(CO_IMAGE_SIGNED), INFO = FLAG(CO_IMAGE_INFO) };

/* Operation: src[0] vaddr rows, src[1] descriptor. */
struct plan {
    struct co_access access;
    struct co_rows rows;
    uint8_t flags, dmask;
    bool array, a16, d16, tfe;
    uint8_t dwords; /* of data */
};

struct image {
    uint64_t base;
    uint32_t width, height, depth, pitch, first;
    uint8_t type, levels, base_level;
    uint32_t word3;
    struct co_format format;
    unsigned bytes;
};

enum { T_1D = 8, T_2D, T_3D, T_CUBE, T_1D_ARRAY, T_2D_ARRAY };

static const char *read_image(const struct co_wave *w, const struct co_op *op, struct image *out)
{
    const uint32_t *s = &w->s[op->src[1].reg];
    *out = (struct image){
        .base = ((uint64_t)s[0] | (uint64_t)(s[1] & 0xff) << 32) << 8,
        .width = (s[2] & 0x3fff) + 1, .height = (s[2] >> 14 & 0x3fff) + 1, .depth = (s[4] & 0x1fff) + 1,
        .pitch = (s[4] >> 13 & 0xffff) + 1, .first = s[5] & 0x1fff, .type = (uint8_t)(s[3] >> 28),
        .base_level = s[3] >> 12 & 15, .word3 = s[3],
    };
    out->levels = (uint8_t)((s[3] >> 16 & 15) - out->base_level + 1);
    const unsigned data = s[1] >> 20 & 63, number = s[1] >> 26 & 15;
    if (out->type < T_1D || out->type > T_2D_ARRAY)
        return "image type is not 1D, 2D, 3D, cube or an array of them";
    if (s[3] >> 20 & 31)
        return "tiled images are not modelled: their addresses are not documented";
    if (data > 14 || number > 7)
        return "image format is not modelled";
    out->format = co_format_of(CODEOBJ_GEN_GFX9, data | number << 4);
    if (!out->format.count)
        return "image format is not valid";
    out->bytes = co_format_bytes(&out->format);
    if (out->type == T_1D || out->type == T_1D_ARRAY)
        out->height = 1;
    if (out->type == T_CUBE || out->type >= T_1D_ARRAY) /* the last slice, not a number of them */
        out->depth = out->depth > out->first ? out->depth - out->first : 0;
    return NULL;
}

static uint32_t coordinate(const struct co_wave *w, const struct co_op *op, const struct plan *p, unsigned n, unsigned lane)
{
    const unsigned row = op->src[0].reg + (p->a16 ? n / 2 : n);
    const uint32_t value = row < CO_ROW_A ? w->v[row][lane] : 0;
    return p->a16 ? value >> (n % 2 * 16) & 0xffff : value;
}

/* Address of a lane's texel; false: outside.  *level: what the mip operand asks for.  Without da an array is read at its
 * first slice, and there is no coordinate for it. */
static bool texel(const struct co_wave *w, const struct co_op *op, const struct plan *p, const struct image *t, unsigned lane,
                  uint64_t *addr, uint32_t *level)
{
    const bool flat = t->type == T_1D || t->type == T_1D_ARRAY, layers = t->type == T_CUBE || t->type >= T_1D_ARRAY;
    unsigned n = 0;
    const uint32_t x = coordinate(w, op, p, n++, lane), y = flat ? 0 : coordinate(w, op, p, n++, lane);
    uint64_t z = t->type == T_3D || (layers && p->array) ? coordinate(w, op, p, n++, lane) : 0;
    *level = p->flags & MIP ? coordinate(w, op, p, n, lane) : 0;
    if (x >= t->width || y >= t->height || *level >= t->levels || z >= (t->type == T_3D || layers ? t->depth : 1))
        return false;
    if (layers)
        z += t->first;
    *addr = t->base + ((z * t->height + y) * t->pitch + x) * t->bytes;
    return true;
}

static const char *const levels_text = "image levels above the first are not modelled: their addresses are not documented";

/* Texels of all lanes; a message when one asks for another level. */
static const char *texels(const struct co_wave *w, const struct co_op *op, const struct plan *p, const struct image *t,
                          uint64_t *addr, uint64_t *inside)
{
    unsigned lane;
    *inside = 0;
    CO_EACH_ON(lane, co_on(w)) {
        uint32_t level;
        if (!texel(w, op, p, t, lane, &addr[lane], &level))
            continue;
        if (level + t->base_level)
            return levels_text;
        *inside |= UINT64_C(1) << lane;
    }
    return NULL;
}

/* Component c of `count` into the data registers: d16 packs two into one. */
static void put_component(struct co_wave *w, const struct plan *p, unsigned c, unsigned lane, uint32_t value)
{
    if (!p->d16)
        w->v[p->rows.dst + c][lane] = value;
    else if (c & 1)
        w->v[p->rows.dst + c / 2][lane] |= value << 16;
    else
        w->v[p->rows.dst + c / 2][lane] = value & 0xffff;
}

static uint32_t get_component(const struct co_wave *w, const struct plan *p, unsigned c, unsigned lane)
{
    return p->d16 ? w->v[p->rows.data + c / 2][lane] >> (c & 1 ? 16 : 0) & 0xffff : w->v[p->rows.data + c][lane];
}

static uint32_t selected(const struct image *t, const struct plan *p, const uint32_t value[4], unsigned component)
{
    const unsigned sel = t->word3 >> (3 * component) & 7;
    return sel >= 4 ? value[sel - 4] : sel == 1 ? co_format_one(&t->format, p->d16) : 0;
}

/* The "pck" forms move an element's bits: dword n for bit n of the mask, the last one sign-extended in "sgn". */
static void load_raw(const struct plan *p, const uint8_t *memory, unsigned bytes, uint32_t value[4])
{
    for (unsigned k = 0; k < 4; k++) {
        const unsigned part = bytes > 4 * k ? bytes - 4 * k : 0, have = part > 4 ? 4 : part;
        value[k] = 0;
        memcpy(&value[k], memory + (have ? 4 * k : 0), have);
        if (p->flags & SIGNED && have && have < 4)
            value[k] = (uint32_t)((int32_t)(value[k] << (32 - 8 * have)) >> (32 - 8 * have));
    }
}

static int image_fault(struct co_wave *w, const struct co_op *op, unsigned lane, uint64_t addr, unsigned bytes, bool load)
{
    return co_fault(w, op, co_mem_why(w, addr, bytes, load ? CO_FAULT_READ : CO_FAULT_WRITE), lane, addr, bytes, NULL);
}

static int watch_texel(struct co_wave *w, const struct co_op *op, const struct image *t, unsigned lane, uint64_t addr, bool load)
{
    uint64_t at[CO_LANES_MAX];
    at[lane] = addr;
    return co_watched(w, op, CODEOBJ_EXEC_DEVICE, load ? CODEOBJ_EXEC_READ : CODEOBJ_EXEC_WRITE, t->bytes, at,
                      UINT64_C(1) << lane);
}

static int load_texel(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct image *t, unsigned lane,
                      bool inside, uint64_t addr)
{
    uint32_t value[4] = { 0 };
    if (inside) {
        if (w->watch && watch_texel(w, op, t, lane, addr, true) != CO_NEXT)
            return CO_STOP;
        const uint8_t *m = co_mem(w, addr, t->bytes, CO_PERM_READ);
        if (!m)
            return image_fault(w, op, lane, addr, t->bytes, true);
        if (p->flags & RAW)
            load_raw(p, m, t->bytes, value);
        else
            co_format_load(&t->format, m, p->d16, value);
    }
    for (unsigned c = 0, n = 0; c < 4; c++)
        if (p->dmask >> c & 1)
            put_component(w, p, n++, lane, !inside ? 0 : p->flags & RAW ? value[c] : selected(t, p, value, c));
    return CO_NEXT;
}

static int store_texel(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct image *t, unsigned lane,
                       uint64_t addr)
{
    uint32_t value[4] = { 0 };
    uint8_t raw[16] = { 0 };
    if (w->watch && watch_texel(w, op, t, lane, addr, false) != CO_NEXT)
        return CO_STOP;
    uint8_t *m = co_mem(w, addr, t->bytes, CO_PERM_WRITE);
    if (!m)
        return image_fault(w, op, lane, addr, t->bytes, false);
    for (unsigned c = 0, n = 0; c < 4; c++)
        if (p->dmask >> c & 1)
            value[c] = get_component(w, p, n++, lane);
    if (p->flags & RAW)
        memcpy(raw, value, sizeof raw);
    else
        co_format_store(&t->format, value, 4, p->d16, raw);
    memcpy(m, raw, t->bytes);
    return CO_NEXT;
}

static int resource_info(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct image *t)
{
    unsigned lane;
    CO_EACH_ON(lane, co_on(w)) {
        const uint32_t asked = coordinate(w, op, p, 0, lane), level = asked & 15;
        const bool ok = asked < t->levels;
        const uint32_t value[4] = { t->width >> level, t->height >> level, t->type == T_3D ? t->depth >> level : t->depth, t->levels };
        for (unsigned c = 0, n = 0; c < 4; c++)
            if (p->dmask >> c & 1)
                put_component(w, p, n++, lane, !ok && c < 3 ? 0 : value[c] ? value[c] : 1);
    }
    return CO_NEXT;
}

static int image_move(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct image *t)
{
    uint64_t addr[CO_LANES_MAX], inside;
    unsigned lane;
    if (p->flags & INFO)
        return resource_info(w, op, p, t);
    const char *why = texels(w, op, p, t, addr, &inside);
    if (why)
        return co_fault(w, op, CO_FAULT_UNSUPPORTED, 255, 0, 0, why);
    if (p->access.kind == CO_ACCESS_ATOMIC) {
        if (t->bytes != p->access.bytes)
            return co_fault(w, op, CO_FAULT_OTHER, 255, 0, 0, "image format and the size of the atomic differ");
        int step = co_access(w, op, CO_SPACE_GLOBAL, &p->access, addr, inside, p->rows);
        for (unsigned d = 0; p->rows.dst != CO_NO_ROW && d < p->access.bytes / 4u; d++)
            CO_EACH_ON(lane, co_on(w) & ~inside)
                w->v[p->rows.dst + d][lane] = 0;
        return step;
    }
    CO_EACH_ON(lane, co_on(w)) {
        const bool in = inside >> lane & 1;
        int step = CO_NEXT;
        if (p->access.kind == CO_ACCESS_LOAD)
            step = load_texel(w, op, p, t, lane, in, addr[lane]);
        else if (in)
            step = store_texel(w, op, p, t, lane, addr[lane]);
        if (step != CO_NEXT)
            return step;
    }
    return CO_NEXT;
}

static int image_access(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    struct image t;
    const char *why = read_image(w, op, &t);
    unsigned lane;
    if (why)
        return co_fault(w, op, CO_FAULT_UNSUPPORTED, 255, 0, 0, why);
    int step = image_move(w, op, p, &t);
    if (p->tfe) /* whether the memory was there: it always is, or there is a fault */
        CO_EACH_ON(lane, co_on(w))
            w->v[p->rows.dst + p->dwords][lane] = 0;
    return step;
}

static unsigned ones(unsigned mask)
{
    return (unsigned)__builtin_popcount(mask);
}

enum codeobj_status co_build_image(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    const struct codeobj_isa_operand *rsrc = co_operand_of(b, inst, CODEOBJ_ROLE_RSRC);
    if (b->processor->gen != CODEOBJ_GEN_GFX9) {
        b->why = "image descriptors are modelled for gfx9 only";
        return CODEOBJ_UNSUPPORTED;
    }
    if (!rsrc || rsrc->kind != CODEOBJ_OPERAND_SGPR || rsrc->reg + 8u > 128) {
        b->why = "image descriptor is not in scalar registers";
        return CODEOBJ_UNSUPPORTED;
    }
    struct plan *p = co_arena_alloc(b->arena, sizeof *p);
    if (!p)
        return CODEOBJ_NO_MEMORY;
    p->access = co_access_unpack(b->row->data);
    p->flags = (uint8_t)(b->row->data >> 40);
    p->dmask = inst->mod.dmask;
    p->array = inst->mod.da;
    p->a16 = inst->mod.a16;
    p->d16 = inst->mod.d16;
    p->tfe = inst->mod.tfe;
    const unsigned data = ones(p->dmask), halves = p->access.atomic == CO_ATOMIC_CMPSWAP ? 2 : 1;
    p->dwords = (uint8_t)(p->d16 ? (data + 1) / 2 : data);
    if (p->access.kind == CO_ACCESS_ATOMIC) {
        if (data != halves && data != 2 * halves) {
            b->why = "dmask of an image atomic";
            return CODEOBJ_UNSUPPORTED;
        }
        p->access.bytes = (uint8_t)(4 * data / halves);
        p->dwords = (uint8_t)data;
    }
    struct co_access whole = p->access;
    if (whole.kind != CO_ACCESS_ATOMIC)
        whole.bytes = (uint8_t)(4 * p->dwords);
    enum codeobj_status status = co_access_rows(b, inst, &whole, &p->rows);
    if (status == CODEOBJ_OK && p->rows.dst != CO_NO_ROW) {
        co_build_touches(b, p->rows.dst, p->dwords + p->tfe);
        p->tfe = p->tfe && p->rows.dst + p->dwords < (p->rows.dst < CO_ROW_A ? CO_ROW_A : CO_ROW_TMP);
    } else {
        p->tfe = false;
    }
    if (status == CODEOBJ_OK)
        status = co_build_src(b, co_operand_of(b, inst, CODEOBJ_ROLE_ADDR), &op->src[0]);
    if (status == CODEOBJ_OK)
        status = co_build_src(b, rsrc, &op->src[1]);
    if (status == CODEOBJ_OK && op->src[0].kind != CO_SRC_ROW) {
        b->why = "image address is not in vector registers";
        return CODEOBJ_UNSUPPORTED;
    }
    op->src_count = 2;
    op->aux = p;
    op->fn = image_access;
    return status;
}

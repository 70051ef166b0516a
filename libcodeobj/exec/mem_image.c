/* SPDX-License-Identifier: MIT
 *
 * exec/mem_image.c - image loads, stores and atomics from gfx9 on: no sampler, a descriptor (image.c).
 *
 * Coordinates are unsigned; a texel outside reads 0, is not written, and an atomic on it returns 0.
 *
 * Source: ISA documents of Vega, MI100 and RDNA, "Image instructions".
 */
#include "exec/access.h"
#include "exec/image.h"
#include "exec/mem_build.h"
#include "isa/semantics.h"

#define FLAG(f) ((uint8_t)((f) >> 40)) /* CO_IMAGE_* */
enum { MIP = FLAG(CO_IMAGE_MIP), RAW = FLAG(CO_IMAGE_RAW), SIGNED = FLAG(CO_IMAGE_SIGNED), INFO = FLAG(CO_IMAGE_INFO) };

enum { COORDINATES = 5 }; /* at most */

/* Operation: src[0] the descriptor. */
struct plan {
    struct co_access access;
    struct co_rows rows;
    const struct codeobj_processor *processor;
    uint16_t address[COORDINATES]; /* rows: one behind the other, or (from gfx10 on) each on its own */
    uint8_t flags, dmask;
    bool array, a16, d16, tfe, half;
    uint8_t dwords; /* of data */
};

static uint32_t coordinate(const struct co_wave *w, const struct plan *p, unsigned n, unsigned lane)
{
    const unsigned row = p->address[p->a16 ? n / 2 : n];
    const uint32_t value = row < CO_ROW_A ? w->v[row][lane] : 0;
    return p->a16 ? value >> (n % 2 * 16) & 0xffff : value;
}

/* Address of a lane's texel; false: outside.  *level: what the mip operand asks for.  Without da an array is read at its
 * first slice, and there is no coordinate for it. */
static bool texel(const struct co_wave *w, const struct plan *p, const struct co_image *t, unsigned lane,
                  uint64_t *addr, uint32_t *level)
{
    const bool flat = t->type == CO_IMAGE_1D || t->type == CO_IMAGE_1D_ARRAY, layers = co_image_layered(t);
    unsigned n = 0;
    const uint32_t x = coordinate(w, p, n++, lane), y = flat ? 0 : coordinate(w, p, n++, lane);
    uint64_t z = t->type == CO_IMAGE_3D || (layers && p->array) ? coordinate(w, p, n++, lane) : 0;
    *level = p->flags & MIP ? coordinate(w, p, n, lane) : 0;
    if (x >= t->width || y >= t->height || *level >= t->levels || z >= (t->type == CO_IMAGE_3D || layers ? t->depth : 1))
        return false;
    if (layers)
        z += t->first;
    *addr = t->base + (z * t->height + y) * t->line + (uint64_t)x * t->bytes;
    return true;
}

static const char *const levels_text = "image levels above the first are not modelled: their addresses are not documented";

/* Texels of all lanes; a message when one asks for another level. */
static const char *texels(const struct co_wave *w, const struct plan *p, const struct co_image *t, uint64_t *addr,
                          uint64_t *inside)
{
    unsigned lane;
    *inside = 0;
    CO_EACH_ON(lane, co_on(w)) {
        uint32_t level;
        if (!texel(w, p, t, lane, &addr[lane], &level))
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

static uint32_t selected(const struct co_image *t, const struct plan *p, const uint32_t value[4], unsigned component)
{
    const unsigned sel = t->select >> (3 * component) & 7;
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

static int watch_texel(struct co_wave *w, const struct co_op *op, const struct co_image *t, unsigned lane, uint64_t addr, bool load)
{
    uint64_t at[CO_LANES_MAX];
    at[lane] = addr;
    return co_watched(w, op, CODEOBJ_EXEC_DEVICE, load ? CODEOBJ_EXEC_READ : CODEOBJ_EXEC_WRITE, t->bytes, at,
                      UINT64_C(1) << lane);
}

static int load_texel(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct co_image *t, unsigned lane,
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

static int store_texel(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct co_image *t, unsigned lane,
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

static int resource_info(struct co_wave *w, const struct plan *p, const struct co_image *t)
{
    unsigned lane;
    CO_EACH_ON(lane, co_on(w)) {
        const uint32_t asked = coordinate(w, p, 0, lane), level = asked & 15;
        const bool ok = asked < t->levels;
        const uint32_t value[4] = { t->width >> level, t->height >> level, t->type == CO_IMAGE_3D ? t->depth >> level : t->depth, t->levels };
        for (unsigned c = 0, n = 0; c < 4; c++)
            if (p->dmask >> c & 1)
                put_component(w, p, n++, lane, !ok && c < 3 ? 0 : value[c] ? value[c] : 1);
    }
    return CO_NEXT;
}

static int image_move(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct co_image *t)
{
    uint64_t addr[CO_LANES_MAX], inside;
    unsigned lane;
    if (p->flags & INFO)
        return resource_info(w, p, t);
    const char *why = texels(w, p, t, addr, &inside);
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
    struct co_image t;
    const char *why = co_image_read(p->processor, &w->s[op->src[0].reg], p->half, &t);
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

/* Values of dim with a layer among the coordinates: cube, 1D array, 2D array, 2D array of samples. */
#define DIM_ARRAYS (1u << 3 | 1u << 4 | 1u << 5 | 1u << 7)

static bool find_addresses(const struct codeobj_isa_inst *inst, struct plan *p)
{
    unsigned n = 0;
    for (unsigned i = 0; i < inst->operand_count; i++) {
        const struct codeobj_isa_operand *o = &inst->operands[i];
        if (o->role != CODEOBJ_ROLE_ADDR || o->flags & CODEOBJ_OPERAND_HIDDEN)
            continue;
        if (o->kind != CODEOBJ_OPERAND_VGPR)
            return false;
        for (unsigned d = 0; d < o->dwords && n < COORDINATES; d++)
            p->address[n++] = (uint16_t)(co_row_of(o) + d);
    }
    if (!n)
        return false;
    for (; n < COORDINATES; n++) /* gfx9's text names fewer registers than it reads */
        p->address[n] = (uint16_t)(p->address[n - 1] + 1);
    return true;
}

enum codeobj_status co_build_image(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    const struct codeobj_isa_operand *rsrc = co_operand_of(b, inst, CODEOBJ_ROLE_RSRC);
    if (b->processor->gen < CODEOBJ_GEN_GFX9) {
        b->why = "image descriptors are modelled from gfx9 on";
        return CODEOBJ_UNSUPPORTED;
    }
    if (!rsrc || rsrc->kind != CODEOBJ_OPERAND_SGPR || rsrc->reg + (inst->mod.r128 ? 4u : 8u) > 128) {
        b->why = "image descriptor is not in scalar registers";
        return CODEOBJ_UNSUPPORTED;
    }
    struct plan *p = co_arena_alloc(b->arena, sizeof *p);
    if (!p)
        return CODEOBJ_NO_MEMORY;
    p->access = co_access_unpack(b->row->data);
    p->flags = (uint8_t)(b->row->data >> 40);
    p->dmask = inst->mod.dmask;
    p->processor = b->processor;
    p->half = inst->mod.r128;
    p->array = b->processor->gen == CODEOBJ_GEN_GFX9 ? inst->mod.da : DIM_ARRAYS >> inst->mod.dim & 1;
    p->a16 = inst->mod.a16;
    p->d16 = inst->mod.d16;
    p->tfe = inst->mod.tfe;
    const bool swap = p->access.atomic == CO_ATOMIC_CMPSWAP || p->access.atomic == CO_ATOMIC_FCMPSWAP;
    const unsigned data = ones(p->dmask), halves = swap ? 2 : 1;
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
        status = co_build_src(b, rsrc, &op->src[0]);
    if (status == CODEOBJ_OK && !find_addresses(inst, p)) {
        b->why = "image address is not in vector registers";
        return CODEOBJ_UNSUPPORTED;
    }
    op->src_count = 1;
    op->aux = p;
    op->fn = image_access;
    return status;
}

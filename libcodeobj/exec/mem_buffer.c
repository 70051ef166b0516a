/* SPDX-License-Identifier: MIT
 *
 * exec/mem_buffer.c - MUBUF and MTBUF (VBUFFER): memory through a descriptor.
 *
 *     word 0  base[31:0]
 *     word 1  base[47:32], stride[61:48], (gfx9) cache swizzle 62, swizzle enable 63
 *             from gfx11 on swizzle enable is 63:62: 0 off, 1 elements of 4, 2 of 8, 3 of 16 bytes
 *     word 2  num_records
 *     word 3  dst_sel x, y, z, w (3 bits each from 96); format; index stride 118:117 (8 << n lanes);
 *             add_tid 119; to gfx8 element size 116:115 (2 << n bytes); from gfx10 out-of-bounds select 125:124
 *
 *     index   = (idxen ? vindex : 0) + (add_tid ? lane : 0)
 *     offset  = (offen ? voffset : 0) + inst_offset
 *     linear:   base + soffset + index * stride + offset
 *     swizzled: base + soffset + ((index / is) * stride + (offset / es) * es) * is + (index % is) * es + offset % es
 *
 * A swizzled access of several dwords goes element by element.  Out of range loads
 * give 0, stores and atomics are dropped; no fault.  In range means:
 *   gfx6-gfx9  stride 0 or linear without an index: offset + size <= num_records - soffset
 *              otherwise: index < num_records, and with swizzle offset + size <= stride
 *   gfx10 up   select 0: index < num_records and offset + size <= stride;  1: index < num_records;
 *              2: num_records != 0;  3: raw, as above without soffset (gfx11 and up: with it)
 *
 * Source: ISA documents, "Vector memory buffer instructions".
 */
#include "exec/access.h"
#include "exec/format.h"
#include "exec/mem_build.h"
#include "isa/semantics.h"

enum { INDEX = 1, OFFSET = 2 };

/* Operation: src[0] vaddr rows, src[1] soffset, src[2] descriptor (4 SGPRs), imm offset. */
struct plan {
    struct co_access access;
    struct co_rows rows;
    uint8_t index_row, offset_row; /* 1 + which row of vaddr; 0: none */
    uint8_t gen;                   /* enum codeobj_gen */
    uint8_t components;            /* typed: how many; 0: untyped */
    bool d16, d16_hi, lds, addr64, typed_inst, tfe;
    uint16_t inst_format;          /* MTBUF */
    uint16_t status_row;           /* tfe: the register behind the result */
    co_handler *run;
    co_move_fn *move;
};

/* A descriptor taken apart. */
struct resource {
    uint64_t base;
    uint32_t stride, records, word3;
    uint32_t element, index_stride; /* swizzled: bytes, lanes */
    bool swizzle, add_tid;
    uint8_t oob;                    /* gfx10 up */
};

static struct resource read_resource(const struct co_wave *w, const struct co_op *op, const struct plan *p)
{
    const uint32_t *s = &w->s[op->src[2].reg];
    struct resource r = { .base = s[0] | (uint64_t)(s[1] & 0xffff) << 32, .records = s[2], .word3 = s[3] };
    r.stride = s[1] >> 16 & 0x3fff;
    r.add_tid = s[3] >> 23 & 1;
    r.index_stride = 8u << (s[3] >> 21 & 3);
    r.oob = (uint8_t)(s[3] >> 28 & 3);
    r.element = 4;
    if (p->gen >= CODEOBJ_GEN_GFX11) {
        r.swizzle = s[1] >> 30;
        r.element = r.swizzle ? 2u << (s[1] >> 30) : 4;
    } else {
        r.swizzle = s[1] >> 31;
        if (p->gen <= CODEOBJ_GEN_GFX8)
            r.element = 2u << (s[3] >> 19 & 3);
        if (p->gen >= CODEOBJ_GEN_GFX8 && p->gen <= CODEOBJ_GEN_GFX9 && r.add_tid)
            r.stride |= (s[3] >> 15 & 15) << 14; /* the data format extends the stride */
    }
    return r;
}

static bool in_range(const struct resource *r, const struct plan *p, uint64_t index, uint64_t offset, uint32_t soffset,
                     unsigned bytes)
{
    const uint64_t records = r->records, end = offset + bytes;
    if (p->gen <= CODEOBJ_GEN_GFX9) {
        if (r->stride == 0 || (!r->swizzle && !p->index_row && !r->add_tid))
            return soffset <= records && end <= records - soffset;
        return index < records && (!r->swizzle || end <= r->stride);
    }
    switch (r->oob) {
    case 0: return index < records && (r->stride == 0 || end <= r->stride);
    case 1: return index < records;
    case 2: return records != 0;
    default: {
        /* Raw.  A swizzled one counts the records of a stride each. */
        const uint64_t start = p->gen >= CODEOBJ_GEN_GFX11 ? soffset : 0;
        if (r->swizzle && r->stride)
            return index < records && end <= r->stride;
        return start <= records && end + (uint64_t)index * r->stride <= records - start;
    }
    }
}

static uint64_t place(const struct resource *r, uint64_t index, uint32_t offset, uint32_t soffset)
{
    const uint64_t base = r->base + soffset;
    if (!r->swizzle)
        return base + index * r->stride + offset;
    const uint64_t is = r->index_stride, es = r->element;
    return base + (index / is * r->stride + offset / es * es) * is + index % is * es + offset % es;
}

struct lanes_at {
    uint64_t addr[CO_LANES_MAX];
    uint64_t lanes; /* on and in range */
};

/* Addresses of `bytes` bytes that lie `skip` bytes behind the start of the access. */
static void resolve(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct resource *r,
                    uint32_t skip, unsigned bytes, unsigned whole, struct lanes_at *out)
{
    const uint32_t soffset = co_scalar(w, &op->src[1]), imm = (uint32_t)op->imm;
    const uint32_t *indices = p->index_row ? w->v[op->src[0].reg + p->index_row - 1u] : NULL;
    const uint32_t *offsets = p->offset_row ? w->v[op->src[0].reg + p->offset_row - 1u] : NULL;
    const uint64_t exec = co_on(w);
    struct resource res = *r;
    out->lanes = 0;
    for (unsigned i = 0; i < w->lanes; i++) {
        const uint64_t index = (uint64_t)(indices ? indices[i] : 0) + (r->add_tid ? i : 0);
        const uint64_t offset = (uint64_t)(offsets && !p->addr64 ? offsets[i] : 0) + imm;
        if (p->addr64)
            res.base = r->base + (offsets[i] | (uint64_t)w->v[op->src[0].reg + p->offset_row][i] << 32);
        /* A linear access is in range as a whole, a swizzled one element by element. */
        bool ok = p->addr64 || (r->swizzle ? in_range(r, p, index, offset + skip, soffset, bytes)
                                           : in_range(r, p, index, offset, soffset, whole));
        out->addr[i] = place(&res, index, (uint32_t)(offset + skip), soffset);
        out->lanes |= (uint64_t)(ok && (exec >> i & 1)) << i;
    }
}

/* Out of range loads give 0. */
static void clear(struct co_wave *w, const struct plan *p, uint64_t lanes, unsigned row, unsigned dwords)
{
    unsigned lane;
    CO_EACH_ON(lane, lanes)
        for (unsigned d = 0; d < dwords; d++)
            w->v[row + d][lane] = co_extend(p->access.ext, 0, w->v[row + d][lane]);
}

static int one_access(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct lanes_at *at,
                      const struct co_access *a, struct co_rows rows)
{
    int step = co_access(w, op, CO_SPACE_GLOBAL, a, at->addr, at->lanes, rows);
    if (step == CO_NEXT && rows.dst != CO_NO_ROW)
        clear(w, p, co_on(w) & ~at->lanes, rows.dst, (a->bytes + 3u) / 4);
    return step;
}

/* buffer_store_lds_dword: from LDS at M0 + offset + 4 * lane. */
static int store_from_lds(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct lanes_at *at)
{
    const struct co_access load = { .kind = CO_ACCESS_LOAD, .bytes = 4 };
    const struct co_rows rows = { CO_ROW_TMP, CO_ROW_TMP, CO_NO_ROW };
    uint64_t lds[CO_LANES_MAX];
    for (unsigned i = 0; i < w->lanes; i++)
        lds[i] = w->s[op->dst2] + (uint32_t)op->imm + 4 * i;
    if (co_access(w, op, CO_SPACE_LDS, &load, lds, at->lanes, rows) != CO_NEXT)
        return CO_STOP;
    return co_access(w, op, CO_SPACE_GLOBAL, &p->access, at->addr, at->lanes, (struct co_rows){ CO_NO_ROW, CO_ROW_TMP, CO_NO_ROW });
}

/* The descriptor that launch.c makes for gfx6 to gfx10, or one moved within it: the wave's private
 * segments, lane-interleaved as mem.h says.  Then the access is one of scratch, which may be unaligned;
 * a swizzled element is not. */
static bool is_scratch(const struct co_wave *w, const struct plan *p, const struct resource *r, uint32_t soffset)
{
    const uint32_t row = w->lanes * 4;
    return r->swizzle && r->add_tid && r->stride == 0 && r->element == 4 && r->index_stride == w->lanes &&
           !p->index_row && !p->addr64 && !p->lds && r->base - CO_SCRATCH_ADDR < CO_SCRATCH_SPAN &&
           (r->base - CO_SCRATCH_ADDR) % row == 0 && soffset % row == 0;
}

static int scratch_access(struct co_wave *w, const struct co_op *op, const struct plan *p, const struct resource *r,
                          uint32_t soffset)
{
    const uint32_t *offsets = p->offset_row ? w->v[op->src[0].reg + p->offset_row - 1u] : NULL;
    const uint32_t base = (uint32_t)((r->base - CO_SCRATCH_ADDR + soffset) / w->lanes) + (uint32_t)op->imm;
    uint64_t addr[CO_LANES_MAX];
    if (p->move(w, CO_SPACE_SCRATCH, &p->access, &(struct co_lanes_at){ .base = base, .off = offsets }, p->rows))
        return CO_NEXT;
    for (unsigned i = 0; i < w->lanes; i++)
        addr[i] = base + (offsets ? offsets[i] : 0);
    return co_access(w, op, CO_SPACE_SCRATCH, &p->access, addr, co_on(w), p->rows);
}

static int buffer_access(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    const struct resource r = read_resource(w, op, p);
    struct lanes_at at;
    const uint32_t soffset = co_scalar(w, &op->src[1]);
    if (is_scratch(w, p, &r, soffset))
        return scratch_access(w, op, p, &r, soffset);
    if (!r.swizzle || p->access.bytes <= r.element || p->access.kind == CO_ACCESS_ATOMIC) {
        resolve(w, op, p, &r, 0, p->access.bytes, p->access.bytes, &at);
        if (p->lds && p->access.kind == CO_ACCESS_STORE)
            return store_from_lds(w, op, p, &at);
        if (p->lds)
            return co_access_to_lds(w, op, CO_SPACE_GLOBAL, &p->access, at.addr, at.lanes,
                                    w->s[op->dst2] + (uint32_t)op->imm);
        return one_access(w, op, p, &at, &p->access, p->rows);
    }
    struct co_access part = p->access;
    struct lanes_at parts[4];
    part.bytes = (uint8_t)r.element;
    const unsigned count = (p->access.bytes + r.element - 1) / r.element;
    for (unsigned i = 0; i < count; i++) /* all addresses before a result lands on one */
        resolve(w, op, p, &r, i * r.element, part.bytes, p->access.bytes, &parts[i]);
    for (unsigned i = 0; i < count; i++) {
        struct co_rows rows = p->rows;
        rows.dst = (uint16_t)(rows.dst == CO_NO_ROW ? rows.dst : rows.dst + i * r.element / 4);
        rows.data = (uint16_t)(rows.data == CO_NO_ROW ? rows.data : rows.data + i * r.element / 4);
        if (p->access.bytes - i * r.element < r.element)
            part.bytes = (uint8_t)(p->access.bytes - i * r.element);
        int step = one_access(w, op, p, &parts[i], &part, rows);
        if (step != CO_NEXT)
            return step;
    }
    return CO_NEXT;
}

/* ---- typed: each component converted ------------------------------------------------ */

static struct co_format plan_format(const struct plan *p, const struct resource *r)
{
    if (p->typed_inst)
        return co_format_of(p->gen, p->inst_format);
    if (p->gen <= CODEOBJ_GEN_GFX9)
        return co_format_of(p->gen, (r->word3 >> 15 & 15) | (r->word3 >> 12 & 7) << 4);
    return co_format_of(p->gen, r->word3 >> 12 & (p->gen == CODEOBJ_GEN_GFX10 ? 0x7f : 0x3f));
}

/* Which component of memory goes to component c: descriptors select, MTBUF and stores do not. */
static unsigned select_of(const struct plan *p, const struct resource *r, unsigned c)
{
    return p->typed_inst || p->access.kind == CO_ACCESS_STORE ? 4 + c : r->word3 >> (3 * c) & 7;
}

static void put_component(struct co_wave *w, const struct plan *p, unsigned c, unsigned lane, uint32_t value)
{
    if (!p->d16) {
        w->v[p->rows.dst + c][lane] = value;
        return;
    }
    uint32_t *reg = &w->v[p->rows.dst + c / 2][lane];
    bool high = p->d16_hi || c & 1;
    /* The last odd half of a d16 load is cleared, a single d16_hi keeps the low half. */
    *reg = high ? (*reg & 0xffff) | value << 16 : p->components == 1 ? (*reg & 0xffff0000u) | (value & 0xffff) : value & 0xffff;
}

static uint32_t get_component(const struct co_wave *w, const struct plan *p, unsigned c, unsigned lane)
{
    if (!p->d16)
        return w->v[p->rows.data + c][lane];
    uint32_t reg = w->v[p->rows.data + c / 2][lane];
    return p->d16_hi || c & 1 ? reg >> 16 : reg & 0xffff;
}

static int buffer_format(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    const struct resource r = read_resource(w, op, p);
    const struct co_format f = plan_format(p, &r);
    const bool load = p->access.kind == CO_ACCESS_LOAD;
    const unsigned bytes = co_format_bytes(&f);
    struct lanes_at at;
    unsigned lane;
    if (!f.count)
        return co_fault(w, op, CO_FAULT_OTHER, 255, 0, 0, "buffer format is not valid");
    resolve(w, op, p, &r, 0, bytes, bytes, &at);
    if (at.lanes && co_watched(w, op, CODEOBJ_EXEC_DEVICE, load ? CODEOBJ_EXEC_READ : CODEOBJ_EXEC_WRITE, bytes, at.addr, at.lanes) != CO_NEXT)
        return CO_STOP;
    CO_EACH_ON(lane, co_on(w)) {
        const bool on = at.lanes >> lane & 1;
        uint8_t raw[16] = { 0 };
        uint32_t value[4] = { 0 };
        if (on) {
            uint8_t *m = co_mem(w, at.addr[lane], bytes, load ? CO_PERM_READ : CO_PERM_WRITE);
            if (!m) {
                enum co_fault_kind kind = load ? CO_FAULT_READ : CO_FAULT_WRITE;
                return co_fault(w, op, co_mem_why(w, at.addr[lane], bytes, kind), lane, at.addr[lane], bytes, NULL);
            }
            if (!load) {
                for (unsigned c = 0; c < p->components; c++)
                    value[c] = get_component(w, p, c, lane);
                co_format_store(&f, value, p->components, p->d16, raw);
                memcpy(m, raw, bytes);
                continue;
            }
            memcpy(raw, m, bytes);
            co_format_load(&f, raw, p->d16, value);
        }
        for (unsigned c = 0; load && c < p->components; c++) {
            const unsigned s = select_of(p, &r, c);
            put_component(w, p, c, lane, !on || s == 0 ? 0 : s == 1 ? co_format_one(&f, p->d16) : s >= 4 ? value[s - 4] : 0);
        }
    }
    return CO_NEXT;
}

/* Texture fail enable: the register behind the result says whether the memory was there.  It always is, or there
 * is a fault. */
static int buffer_tfe(struct co_wave *w, const struct co_op *op)
{
    const struct plan *p = op->aux;
    int step = p->run(w, op);
    unsigned lane;
    CO_EACH_ON(lane, co_on(w))
        w->v[p->status_row][lane] = 0;
    return step;
}

/* ---- builders ----------------------------------------------------------------------------- */

enum codeobj_status co_build_buffer(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    struct plan *p = co_arena_alloc(b->arena, sizeof *p);
    if (!p)
        return CODEOBJ_NO_MEMORY;
    const struct codeobj_isa_operand *rsrc = co_operand_of(b, inst, CODEOBJ_ROLE_RSRC);
    if (!rsrc || rsrc->kind != CODEOBJ_OPERAND_SGPR || rsrc->reg + 4u > 128) {
        b->why = "buffer descriptor is not in scalar registers";
        return CODEOBJ_UNSUPPORTED;
    }
    p->access = co_access_unpack(b->row->data);
    p->move = co_mover_for(b)->move;
    p->gen = b->processor->gen;
    p->lds = inst->mod.lds || b->row->data & CO_ACCESS_LDS;
    p->tfe = inst->mod.tfe;
    p->addr64 = inst->mod.addr64;
    p->index_row = inst->mod.idxen ? 1 : 0;
    p->offset_row = (uint8_t)(inst->mod.offen || inst->mod.addr64 ? p->index_row + 1 : 0);
    p->typed_inst = inst->format == CODEOBJ_FMT_MTBUF;
    p->inst_format = inst->mod.format;
    if (b->row->data & CO_ACCESS_FORMAT) { /* bytes says components, ext d16 */
        p->components = p->access.bytes;
        p->d16 = p->access.ext != CO_EXT_NONE;
        p->d16_hi = p->access.ext == CO_EXT_B16_HI;
        p->access.bytes = (uint8_t)(4 * (p->d16 ? (p->components + 1) / 2 : p->components));
        p->access.ext = CO_EXT_NONE;
    }
    enum codeobj_status status = co_access_rows(b, inst, &p->access, &p->rows);
    if (status == CODEOBJ_OK && p->tfe && p->rows.dst != CO_NO_ROW) {
        p->status_row = (uint16_t)(p->rows.dst + (p->access.bytes + 3u) / 4);
        co_build_touches(b, p->status_row, 1);
        p->tfe = p->status_row < (p->rows.dst < CO_ROW_A ? CO_ROW_A : CO_ROW_TMP);
    }
    if (status == CODEOBJ_OK)
        status = co_build_src(b, co_operand_of(b, inst, CODEOBJ_ROLE_ADDR), &op->src[0]);
    if (status == CODEOBJ_OK)
        status = co_build_src(b, co_operand_of(b, inst, CODEOBJ_ROLE_SOFFSET), &op->src[1]);
    if (status == CODEOBJ_OK)
        status = co_build_src(b, rsrc, &op->src[2]);
    if (status == CODEOBJ_OK && (p->index_row || p->offset_row) && op->src[0].kind != CO_SRC_ROW) {
        b->why = "buffer address is not in vector registers";
        return CODEOBJ_UNSUPPORTED;
    }
    op->src_count = 3;
    op->dst2 = (uint16_t)co_reg_m0(b);
    op->imm = inst->mod.offset;
    op->aux = p;
    p->run = p->components ? buffer_format : buffer_access;
    op->fn = p->tfe ? buffer_tfe : p->run;
    return status;
}

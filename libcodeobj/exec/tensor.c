/* SPDX-License-Identifier: MIT
 *
 * exec/tensor.c - tensor moves of gfx1250: a tile of up to five dimensions between memory and LDS.
 *
 * The wave issues one move, whatever EXEC says.  Its descriptor is in scalar registers, 4 + 8 and perhaps 4 + 4 dwords:
 *
 *     group 0  word 0  count 1:0 (0: nothing is moved), index size 30 (1: 32 bits), gather 31
 *              word 1  byte address in LDS
 *              word 2  memory address 31:0;  word 3  56:32 in 24:0, type 31:30 (2)
 *     group 1  word 0  work-groups of the cluster 15:0, log2 of an element's bytes 17:16, barrier 18, iterate 19, pad 20,
 *                      pad interval 24:22, pad amount 31:25
 *              word 1  barrier's LDS address [18:3] 15:0, tensor_dim0 from 31:16 on; words 2 and 3: tensor_dim1
 *              word 3  tile_dim0 31:16;  word 4  tile_dim1 15:0, tile_dim2 31:16
 *              words 5 to 7  tensor_dim0_stride, tensor_dim1_stride, 48 bits each
 *     group 2  tensor_dim2, tensor_dim3, tensor_dim2_stride (48), tile_dim3 (16)
 *     group 3  tensor_dim3_stride (48), tensor_dim4 (32), tile_dim4 (16)
 *
 * Sizes and strides count elements.  tensor_dim* are what is left of the tensor from the tile's first element on: beyond,
 * loads give 0 and stores do nothing.  tile_dim* of 0 from the second on: there is no such dimension.  In LDS the tile
 * is dense, the first dimension innermost; a load leaves `amount + 1` dwords free after each 2^(interval + 1).
 *
 * iterate: group 2 has steps of the addresses instead (word 1 in LDS, words 2 and 3 in memory, in elements) and, in the
 * place of tile_dim3, how often the tile is moved again (7:0).  gather: groups 2 and 3 are numbers of rows, tile_dim1 how
 * many.  barrier: one asynchronous arrival when all has been moved.  A work-group is a cluster of its own here.
 *
 * Source: the descriptor as Triton's and FlyDSL's compilers and AMD's Composable Kernel fill it, with their notes on
 * AMD's CDNA5 document.
 */
#include "exec/mem.h"
#include "exec/registry.h"
#include "isa/semantics.h"

enum { DIMS = 5, ROWS = 16 };

struct tensor {
    uint64_t memory;
    uint32_t lds, element; /* bytes of an element */
    uint32_t tensor[DIMS], tile[DIMS];
    uint64_t stride[DIMS];          /* in elements; of the first dimension 1 */
    uint32_t interval, amount;      /* bytes; interval 0: no padding */
    uint32_t again, lds_step;       /* iteration */
    uint64_t memory_step;
    bool store, gather, barrier;
    uint32_t barrier_at, row[ROWS];
};

static uint64_t wide(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

static void read_more(const uint32_t *g2, const uint32_t *g3, bool wide_rows, struct tensor *t)
{
    if (t->gather) {
        for (unsigned i = 0; i < ROWS; i++) {
            const unsigned at = wide_rows ? i & 7 : i / 2;
            const uint32_t word = at < 4 ? g2[at] : g3[at - 4];
            t->row[i] = wide_rows ? word : word >> (i % 2 * 16) & 0xffff;
        }
        return;
    }
    t->tensor[2] = g2[0];
    if (t->again) {
        t->again = (g2[3] >> 16 & 0xff) + 1;
        t->lds_step = g2[1];
        t->memory_step = wide(g2[2], g2[3] & 0xffff);
        return;
    }
    t->tensor[3] = g2[1];
    t->stride[3] = wide(g2[2], g2[3] & 0xffff);
    t->tile[3] = g2[3] >> 16;
    t->stride[4] = wide(g3[0], g3[1] & 0xffff);
    t->tensor[4] = g3[1] >> 16 | g3[2] << 16;
    t->tile[4] = g3[2] >> 16;
}

/* NULL, or what is wrong. */
static const char *read_tensor(const struct co_wave *w, const struct co_op *op, struct tensor *t)
{
    static const uint32_t none[4];
    const uint32_t *g0 = &w->s[op->src[0].reg], *g1 = &w->s[op->src[1].reg];
    const uint32_t *g2 = op->src_count > 2 ? &w->s[op->src[2].reg] : none, *g3 = op->src_count > 3 ? &w->s[op->src[3].reg] : none;
    *t = (struct tensor){ .memory = wide(g0[2], g0[3] & 0x1ffffff), .lds = g0[1], .element = 1u << (g1[0] >> 16 & 3),
                          .gather = g0[0] >> 31, .barrier = g1[0] >> 18 & 1, .barrier_at = (g1[1] & 0xffff) << 3 };
    if (g0[3] >> 30 != 2)
        return "tensor descriptor: type is not 2";
    if (g1[0] >> 20 & 1) {
        t->interval = 8u << (g1[0] >> 22 & 7);
        t->amount = 4 * ((g1[0] >> 25) + 1);
    }
    t->tensor[0] = g1[1] >> 16 | g1[2] << 16;
    t->tensor[1] = g1[2] >> 16 | g1[3] << 16;
    t->tile[0] = g1[3] >> 16;
    t->tile[1] = g1[4] & 0xffff;
    t->tile[2] = t->gather ? 0 : g1[4] >> 16;
    t->stride[0] = 1;
    t->stride[1] = wide(g1[5], g1[6] & 0xffff);
    t->stride[2] = wide(g1[6] >> 16 | g1[7] << 16, g1[7] >> 16);
    t->again = !t->gather && g1[0] >> 19 & 1;
    read_more(g2, g3, g0[0] >> 30 & 1, t);
    if (t->gather && t->tile[1] > (g0[0] >> 30 & 1 ? ROWS / 2 : ROWS))
        return "tensor descriptor: more rows than there are numbers of rows";
    return NULL;
}

/* Bytes of the tile from `off` on to LDS (NULL: zeros) or from it; padding moves what lies behind it. */
static void move_lds(struct co_wave *w, const struct co_op *op, const struct tensor *t, uint32_t off, uint8_t *host, uint32_t size)
{
    const bool padded = t->interval && !t->store;
    while (size) {
        uint32_t part = padded ? t->interval - off % t->interval : size, at = t->lds + off;
        if (padded)
            at += off / t->interval * t->amount;
        part = part < size ? part : size;
        uint8_t *lds = co_lds(w, op, 255, at, part);
        if (t->store) {
            if (lds)
                memcpy(host, lds, part);
            else
                memset(host, 0, part);
        } else if (lds && host) {
            memcpy(lds, host, part);
        } else if (lds) {
            memset(lds, 0, part);
        }
        off += part;
        size -= part;
        if (host)
            host += part;
    }
}

/* One run of the innermost dimension; inside: of the tensor, as far as the other dimensions go. */
static int move_row(struct co_wave *w, const struct co_op *op, const struct tensor *t, uint64_t addr, uint32_t off, bool inside)
{
    const uint32_t whole = t->tile[0] * t->element;
    const uint32_t size = !inside ? 0 : t->tile[0] < t->tensor[0] ? whole : t->tensor[0] * t->element;
    if (size) {
        const enum codeobj_exec_access access = t->store ? CODEOBJ_EXEC_WRITE : CODEOBJ_EXEC_READ;
        if (co_watched(w, op, CODEOBJ_EXEC_DEVICE, access, size, &addr, 0) != CO_NEXT)
            return CO_STOP;
        uint8_t *host = co_mem(w, addr, size, t->store ? CO_PERM_WRITE : CO_PERM_READ);
        if (!host)
            return co_fault(w, op, co_mem_why(w, addr, size, t->store ? CO_FAULT_WRITE : CO_FAULT_READ), 255, addr, size, NULL);
        move_lds(w, op, t, off, host, size);
    }
    if (!t->store && size < whole)
        move_lds(w, op, t, off + size, NULL, whole - size);
    return CO_NEXT;
}

static int move_tile(struct co_wave *w, const struct co_op *op, const struct tensor *t)
{
    uint32_t at[DIMS] = { 0 }, off = 0;
    if (!t->tile[0])
        return CO_NEXT;
    for (;;) {
        uint64_t element = 0;
        bool inside = true;
        for (unsigned d = 1; d < DIMS; d++) {
            const uint64_t where = t->gather && d == 1 ? t->row[at[1]] : at[d];
            element += where * t->stride[d];
            inside &= !t->tile[d] || where < t->tensor[d];
        }
        int step = move_row(w, op, t, t->memory + element * t->element, off, inside);
        if (step != CO_NEXT)
            return step;
        off += t->tile[0] * t->element;
        unsigned d = 1;
        while (d < DIMS && ++at[d] >= (t->tile[d] ? t->tile[d] : 1))
            at[d++] = 0;
        if (d == DIMS)
            return CO_NEXT;
    }
}

static int move(struct co_wave *w, const struct co_op *op, bool store)
{
    struct tensor t;
    if (!(w->s[op->src[0].reg] & 3))
        return CO_NEXT;
    const char *why = read_tensor(w, op, &t);
    if (why)
        return co_fault(w, op, CO_FAULT_OTHER, 255, 0, 0, why);
    t.store = store;
    for (uint32_t n = 0; n < (t.again ? t.again : 1); n++) {
        int step = move_tile(w, op, &t);
        if (step != CO_NEXT)
            return step;
        t.lds += t.lds_step * t.element;
        t.memory += t.memory_step * t.element;
    }
    uint8_t *cell = t.barrier ? co_lds(w, op, 255, t.barrier_at, 8) : NULL;
    if (cell) {
        uint64_t state;
        memcpy(&state, cell, 8);
        state = co_lds_barrier_arrive(state, 1);
        memcpy(cell, &state, 8);
    }
    return CO_NEXT;
}

static int tensor_load_to_lds(struct co_wave *w, const struct co_op *op)
{
    return move(w, op, false);
}

static int tensor_store_from_lds(struct co_wave *w, const struct co_op *op)
{
    return move(w, op, true);
}

/* src[]: the groups. */
static enum codeobj_status build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    op->fn = b->row->fn;
    op->src_count = 0;
    for (unsigned i = 0; i < inst->operand_count && op->src_count < 4; i++) {
        const struct codeobj_isa_operand *o = &inst->operands[i];
        if (o->flags & CODEOBJ_OPERAND_HIDDEN || (o->role != CODEOBJ_ROLE_RSRC && o->role != CODEOBJ_ROLE_SADDR))
            continue;
        enum codeobj_status status = co_build_src(b, o, &op->src[op->src_count]);
        if (status)
            return status;
        if (op->src[op->src_count++].kind != CO_SRC_SGPR) {
            b->why = "tensor descriptor is not in scalar registers";
            return CODEOBJ_UNSUPPORTED;
        }
    }
    if (op->src_count < 2) {
        b->why = "tensor move without its descriptor";
        return CODEOBJ_UNSUPPORTED;
    }
    return CODEOBJ_OK;
}

void co_family_tensor(struct co_sem_row *rows)
{
    CO_ROW(CO_SEM_tensor_load_to_lds, build, tensor_load_to_lds, NULL, 0, false),
    CO_ROW(CO_SEM_tensor_store_from_lds, build, tensor_store_from_lds, NULL, 0, false);
}

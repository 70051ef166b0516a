/* SPDX-License-Identifier: MIT
 *
 * exec/access_build.c - what builders of memory instructions share.
 */
#include "exec/access.h"
#include "exec/device.h"

extern const struct co_mover co_mover_base;
#if defined(__x86_64__) || defined(__amd64__)
extern const struct co_mover co_mover_avx2, co_mover_avx512;
#endif

const struct co_mover *co_mover_of(const struct co_device *device)
{
#if defined(__x86_64__) || defined(__amd64__)
    switch (co_device_of(device)->lanes) {
    case CO_LANES_AVX2: return &co_mover_avx2;
    case CO_LANES_AVX512: return &co_mover_avx512;
    default: break;
    }
#else
    (void)device;
#endif
    return &co_mover_base;
}

const struct co_mover *co_mover_for(const struct co_builder *b)
{
    return co_mover_of(b->code->device);
}

uint8_t co_view_slot(struct co_builder *b)
{
    return (uint8_t)(CO_VIEW_FIRST + b->code->slots++ % (CO_VIEWS - CO_VIEW_FIRST));
}

static bool is_row(const struct codeobj_isa_operand *o)
{
    return o && (o->kind == CODEOBJ_OPERAND_VGPR || o->kind == CODEOBJ_OPERAND_AGPR);
}

/* Rows that `dwords` registers from an operand on would be; CO_NO_ROW when they do not exist. */
static uint16_t rows_of(const struct codeobj_isa_operand *o, unsigned dwords)
{
    unsigned row = co_row_of(o), end = row < CO_ROW_A ? CO_ROW_A : CO_ROW_TMP;
    return (uint16_t)(row + dwords <= end ? row : CO_NO_ROW);
}

enum codeobj_status co_access_rows(struct co_builder *b, const struct codeobj_isa_inst *inst,
                                   const struct co_access *a, struct co_rows *out)
{
    const unsigned dwords = (a->bytes + 3u) / 4;
    const struct codeobj_isa_operand *dst = co_operand_of(b, inst, CODEOBJ_ROLE_DST);
    const struct codeobj_isa_operand *data = co_operand_of(b, inst, CODEOBJ_ROLE_DATA0);
    const struct codeobj_isa_operand *data1 = co_operand_of(b, inst, CODEOBJ_ROLE_DATA1);
    if (!is_row(dst))
        dst = co_operand_of(b, inst, CODEOBJ_ROLE_DSTSRC);
    if (!is_row(data) && is_row(dst) && a->kind == CO_ACCESS_ATOMIC)
        data = dst; /* buffer atomics: one operand is both */
    *out = (struct co_rows){ CO_NO_ROW, CO_NO_ROW, CO_NO_ROW };
    const unsigned dst_dwords = is_row(dst) && dst->dwords && dst->dwords < dwords ? dst->dwords : dwords; /* fewer: transposed, wave64 */
    if (is_row(dst))
        out->dst = rows_of(dst, dst_dwords);
    if (is_row(data))
        out->data = rows_of(data, dwords);
    out->cmp = is_row(data1) ? rows_of(data1, dwords) : is_row(data) ? rows_of(data, 2 * dwords) : CO_NO_ROW;
    if (out->cmp != CO_NO_ROW && !is_row(data1))
        out->cmp = (uint16_t)(out->data + dwords);
    if ((is_row(dst) && out->dst == CO_NO_ROW) || (is_row(data) && out->data == CO_NO_ROW)) {
        b->why = "operand beyond the last register";
        return CODEOBJ_UNSUPPORTED;
    }
    const bool lds = b->row->data & CO_ACCESS_LDS || inst->mod.lds; /* the other end is LDS, not a register */
    if (!lds && ((a->kind == CO_ACCESS_LOAD && !is_row(dst)) || (a->kind != CO_ACCESS_LOAD && !is_row(data)))) {
        b->why = "memory instruction without its data register";
        return CODEOBJ_UNSUPPORTED;
    }
    if (out->dst != CO_NO_ROW)
        co_build_touches(b, out->dst, dst_dwords);
    return CODEOBJ_OK;
}

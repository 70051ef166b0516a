/* SPDX-License-Identifier: MIT
 *
 * isa/print_vop.c - modifiers of the vector formats: op_sel, clamp, omod, SDWA, DPP.
 */
#include "isa/print.h"

static const char *const omods[4] = { "", " mul:2", " mul:4", " div:2" };
static const char *const sels[8] = { "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "" };

static char *put_n(char *p, const char *name, unsigned n)
{
    p = co_put_str(p, name);
    return co_put_dec(p, n);
}

static char *dpp_ctrl(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst)
{
    bool g10 = isa->gen >= CODEOBJ_GEN_GFX10;
    unsigned c = inst->mod.dpp_ctrl;
    if ((isa->gfx90a || isa->dpp64) && isa->shape[inst->row].wide && (c < 0x150 || c > 0x15f))
        return isa->gfx90a ? CO_PUT(p, "  /* DP ALU dpp only supports row_newbcast */")
                           : CO_PUT(p, "  /* DP ALU dpp only supports row_share */");
    if (c <= 0xff) {
        p = CO_PUT(p, " quad_perm:[");
        for (unsigned i = 0; i < 4; i++) {
            if (i)
                *p++ = ',';
            *p++ = (char)('0' + (c >> 2 * i & 3));
        }
        *p++ = ']';
        return p;
    }
    if (c >= 0x101 && c <= 0x10f)
        return put_n(p, " row_shl:", c - 0x100);
    if (c >= 0x111 && c <= 0x11f)
        return put_n(p, " row_shr:", c - 0x110);
    if (c >= 0x121 && c <= 0x12f)
        return put_n(p, " row_ror:", c - 0x120);
    switch (c) {
    case 0x130:
        return g10 ? CO_PUT(p, " /* wave_shl is not supported starting from GFX10 */") : CO_PUT(p, " wave_shl:1");
    case 0x134:
        return g10 ? CO_PUT(p, " /* wave_rol is not supported starting from GFX10 */") : CO_PUT(p, " wave_rol:1");
    case 0x138:
        return g10 ? CO_PUT(p, " /* wave_shr is not supported starting from GFX10 */") : CO_PUT(p, " wave_shr:1");
    case 0x13c:
        return g10 ? CO_PUT(p, " /* wave_ror is not supported starting from GFX10 */") : CO_PUT(p, " wave_ror:1");
    case 0x140:
        return CO_PUT(p, " row_mirror");
    case 0x141:
        return CO_PUT(p, " row_half_mirror");
    case 0x142:
        return g10 ? CO_PUT(p, " /* row_bcast is not supported starting from GFX10 */") : CO_PUT(p, " row_bcast:15");
    case 0x143:
        return g10 ? CO_PUT(p, " /* row_bcast is not supported starting from GFX10 */") : CO_PUT(p, " row_bcast:31");
    default:
        break;
    }
    if (c >= 0x150 && c <= 0x15f) {
        if (isa->gfx90a)
            return put_n(p, " row_newbcast:", c - 0x150);
        if (g10)
            return put_n(p, " row_share:", c - 0x150);
        return CO_PUT(p, "  /* row_newbcast/row_share is not supported on ASICs earlier than GFX90A/GFX10 */");
    }
    if (c >= 0x160 && c <= 0x16f)
        return g10 ? put_n(p, " row_xmask:", c - 0x160)
                   : CO_PUT(p, " /* row_xmask is not supported on ASICs earlier than GFX10 */");
    return CO_PUT(p, " /* Invalid dpp_ctrl value */");
}

char *co_put_dpp(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst)
{
    const struct codeobj_isa_modifiers *m = &inst->mod;
    if (inst->encoding == CODEOBJ_ENC_DPP8 || inst->encoding == CODEOBJ_ENC_E64_DPP8) {
        p = CO_PUT(p, " dpp8:[");
        for (unsigned i = 0; i < 8; i++) {
            if (i)
                *p++ = ',';
            *p++ = (char)('0' + (m->dpp8 >> 3 * i & 7));
        }
        *p++ = ']';
    } else {
        p = dpp_ctrl(p, isa, inst);
        p = CO_PUT(p, " row_mask:");
        p = co_put_hex(p, m->dpp_row_mask);
        p = CO_PUT(p, " bank_mask:");
        p = co_put_hex(p, m->dpp_bank_mask);
        p = co_put_flag(p, m->dpp_bound_ctrl, " bound_ctrl:1");
    }
    return co_put_flag(p, m->dpp_fi, " fi:1");
}

static char *put_sdwa(char *p, const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    static const char *const unused[4] = { "UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "UNUSED_PAD" };
    const struct codeobj_isa_modifiers *m = &inst->mod;
    p = co_put_flag(p, m->clamp, " clamp");
    p = co_put_str(p, omods[m->omod]);
    unsigned src = row->ops[1].type;
    bool fp8 = src == CODEOBJ_TYPE_PK_FP8 || src == CODEOBJ_TYPE_PK_BF8 || src == CODEOBJ_TYPE_FP8 || src == CODEOBJ_TYPE_BF8;
    if (row->format != CODEOBJ_FMT_VOPC && !fp8) {
        p = CO_PUT(p, " dst_sel:");
        p = co_put_str(p, sels[m->sdwa_dst_sel]);
        p = CO_PUT(p, " dst_unused:");
        p = co_put_str(p, unused[m->sdwa_dst_unused]);
    }
    for (unsigned i = 0; i < inst->operand_count; i++) {
        const struct codeobj_isa_operand *o = &inst->operands[i];
        if (o->type == CODEOBJ_TYPE_MASK || (o->role != CODEOBJ_ROLE_SRC0 && o->role != CODEOBJ_ROLE_SRC1))
            continue;
        p = o->role == CODEOBJ_ROLE_SRC0 ? CO_PUT(p, " src0_sel:") : CO_PUT(p, " src1_sel:");
        p = co_put_str(p, sels[o->sdwa_sel]);
    }
    return p;
}

static char *put_extra(char *p, const struct codeobj_isa_modifiers *m, unsigned what)
{
    switch (what) {
    case CO_OPK_BSEL:
    case CO_OPK_BSELD:
        return m->byte_sel ? put_n(p, " byte_sel:", m->byte_sel) : p;
    case CO_OPK_SSEL:
        return m->scale_sel ? put_n(p, " scale_sel:", m->scale_sel) : p;
    case CO_OPK_BITOP3:
        if (!m->bitop3)
            return p;
        p = CO_PUT(p, " bitop3:");
        return m->bitop3 <= 10 ? co_put_dec(p, m->bitop3) : co_put_hex(p, m->bitop3);
    case CO_OPK_FIBC:
        p = co_put_flag(p, m->dpp_bound_ctrl, " bound_ctrl:1");
        return co_put_flag(p, m->dpp_fi, " fi:1");
    default:
        return p;
    }
}

char *co_print_vop(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                   const struct co_isa_row *row)
{
    const struct codeobj_isa_modifiers *m = &inst->mod;
    switch (inst->encoding) {
    case CODEOBJ_ENC_SDWA:
        return put_sdwa(p, inst, row);
    case CODEOBJ_ENC_DPP16:
    case CODEOBJ_ENC_DPP8:
        return co_put_dpp(p, isa, inst);
    case CODEOBJ_ENC_E32:
        return p;
    default:
        break;
    }
    const struct co_row_shape *shape = &isa->shape[inst->row];
    p = co_put_flag(p, m->interp_high, " high");
    bool late = shape->extra == CO_OPK_BSEL || shape->extra == CO_OPK_BSELD;
    if (shape->extra && !late)
        p = put_extra(p, m, shape->extra);
    bool interp = row->flags & CO_ROW_HIGH && row->format == CODEOBJ_FMT_VOP3;
    if (m->op_sel && !interp) {
        /* Sources first, then the destination; with DPP a read destination counts as source, a mask not at all. */
        bool with_dpp = inst->encoding == CODEOBJ_ENC_E64_DPP16 || inst->encoding == CODEOBJ_ENC_E64_DPP8;
        unsigned n = shape->sources + (shape->tied && row->format == CODEOBJ_FMT_VOP2);
        unsigned bits = (m->op_sel & ((1u << n) - 1)) | (m->op_sel >> 3 & 1u) << n;
        if (row->flags & CO_ROW_OS && !shape->plain) /* v_permlane16: fi and bound_ctrl */
            p = co_put_bits(p, " op_sel:", m->op_sel, 2);
        else if (row->ops[3].kind != CO_OPK_MI)
            p = co_put_bits(p, " op_sel:", bits, n + (shape->vdst || (!with_dpp && row->ops[0].kind != CO_OPK_MX)));
    }
    if (late)
        p = put_extra(p, m, shape->extra);
    p = co_put_flag(p, m->clamp, " clamp");
    if (m->op_sel && interp)
        p = co_put_bits(p, " op_sel:", m->op_sel, 4);
    p = co_put_str(p, omods[m->omod]);
    if (inst->encoding == CODEOBJ_ENC_E64_DPP16 || inst->encoding == CODEOBJ_ENC_E64_DPP8)
        p = co_put_dpp(p, isa, inst);
    return p;
}

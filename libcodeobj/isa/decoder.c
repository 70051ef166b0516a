/* SPDX-License-Identifier: MIT
 *
 * isa/decoder.c - a decoder for one processor: the look-up arrays, and decoding without a plan.
 *
 * The first nine bits of an instruction choose its format; the patterns are in
 * layout() with the generations that they belong to.
 */
#include "isa/decoder.h"

#include "base/cpu.h"
#include "base/diag.h"
#include "base/options.h"
#include "isa/text.h"

#include <stdlib.h>
#include <string.h>

static void format(struct codeobj_isa *isa, uint32_t prefix, unsigned bits, co_decode_fn *fn)
{
    unsigned first = prefix << (9 - bits), count = 1u << (9 - bits);
    for (unsigned i = 0; i < count; i++)
        isa->top[first + i] = fn;
}

static void layout_mem(struct codeobj_isa *isa)
{
    bool gfx12 = isa->gen >= CODEOBJ_GEN_GFX12;
    format(isa, 0x36, 6, co_decode_ds);
    if (isa->gen >= CODEOBJ_GEN_GFX7)
        format(isa, gfx12 ? 0x3b : 0x37, 6, co_decode_flat);
    format(isa, gfx12 ? 0x31 : 0x38, 6, co_decode_buffer);
    if (gfx12) {
        format(isa, 0x34, 6, co_decode_vimage);
        format(isa, 0x39, 6, co_decode_vsample);
    } else {
        format(isa, 0x3a, 6, co_decode_buffer);
        format(isa, 0x3c, 6, co_decode_image);
    }
    bool gfx8 = isa->gen == CODEOBJ_GEN_GFX8 || isa->gen == CODEOBJ_GEN_GFX9;
    format(isa, gfx8 ? 0x31 : 0x3e, 6, co_decode_export);
}

/* Later lines overwrite earlier ones: SOP2 holds the other scalar formats, VOP2 holds VOP1 and VOPC. */
static void layout(struct codeobj_isa *isa)
{
    unsigned gen = isa->gen;
    format(isa, 0x2, 2, co_decode_sop2);
    format(isa, 0xb, 4, co_decode_sopk);
    format(isa, 0x17d, 9, co_decode_sop1);
    format(isa, 0x17e, 9, co_decode_sopc);
    format(isa, 0x17f, 9, co_decode_sopp);
    format(isa, 0, 1, co_decode_vop2);
    format(isa, 0x3e, 7, co_decode_vopc);
    format(isa, 0x3f, 7, co_decode_vop1);
    if (gen <= CODEOBJ_GEN_GFX7)
        format(isa, 0x18, 5, co_decode_smrd);
    else
        format(isa, gen <= CODEOBJ_GEN_GFX9 ? 0x30 : 0x3d, 6, co_decode_smem);
    format(isa, gen <= CODEOBJ_GEN_GFX9 ? 0x34 : 0x35, 6, co_decode_vop3);
    if (gen == CODEOBJ_GEN_GFX9)
        format(isa, 0x1a7, 9, co_decode_vop3p);
    else if (gen == CODEOBJ_GEN_GFX10)
        format(isa, 0x198, 9, co_decode_vop3p);
    else if (gen >= CODEOBJ_GEN_GFX11)
        format(isa, 0xcc, 8, co_decode_vop3p);
    if (gen <= CODEOBJ_GEN_GFX10)
        format(isa, gen == CODEOBJ_GEN_GFX8 || gen == CODEOBJ_GEN_GFX9 ? 0x35 : 0x32, 6, co_decode_vintrp);
    if (isa->gfx1250)
        format(isa, 0xcf, 8, co_decode_vopd3);
    if (gen >= CODEOBJ_GEN_GFX11) {
        format(isa, 0xcd, 8, co_decode_vinterp);
        format(isa, 0xce, 8, co_decode_ldsdir);
        if (isa->wave == 32)
            format(isa, 0x32, 6, co_decode_vopd);
    }
    layout_mem(isa);
}

/* The long form of a short instruction: its opcode there, -1 when it has none. */
static int long_opcode(const struct codeobj_isa *isa, const struct co_isa_row *row, int op)
{
    if (row->flags & CO_ROW_NO64)
        return -1;
    switch (row->format) {
    case CODEOBJ_FMT_VOPC:
    case CODEOBJ_FMT_VOP3:
        return op;
    case CODEOBJ_FMT_VOP2:
        return 0x100 + op;
    case CODEOBJ_FMT_VOP1:
        return (isa->gen == CODEOBJ_GEN_GFX8 || isa->gen == CODEOBJ_GEN_GFX9 ? 0x140 : 0x180) + op;
    default:
        return -1;
    }
}

static struct co_row_shape shape(const struct co_isa_row *row)
{
    struct co_row_shape s = { 0 };
    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++) {
        const struct co_isa_opspec *o = &row->ops[i];
        switch (o->kind) {
        case CO_OPK_S:
        case CO_OPK_V:
        case CO_OPK_VL:
        case CO_OPK_L:
            s.plain |= (uint8_t)((o->kind == CO_OPK_S ? 1u : 0u) << s.sources);
            s.packed |= (uint8_t)((o->type == CODEOBJ_TYPE_PK_F16 || o->type == CODEOBJ_TYPE_PK_BF16 ? 1u : 0u) << s.sources);
            s.mods |= (uint8_t)((o->flags & CO_OPF_MODS ? 1u : 0u) << s.sources);
            s.imods |= (uint8_t)((o->flags & CO_OPF_IMODS ? 1u : 0u) << s.sources);
            s.sources++;
            s.wide |= o->dwords > 1;
            break;
        case CO_OPK_NOSRC:
            s.imods |= (uint8_t)(1u << s.sources++);
            break;
        case CO_OPK_MC:
            s.sdst = true;
            break;
        case CO_OPK_BSEL:
        case CO_OPK_BSELD:
        case CO_OPK_SSEL:
        case CO_OPK_BITOP3:
        case CO_OPK_FIBC:
            s.extra = o->kind;
            break;
        case CO_OPK_DR:
            s.tied = true; /* fall through */
        case CO_OPK_D:
            s.wide |= o->dwords > 1;
            s.vdst = s.dst = true;
            break;
        case CO_OPK_SD:
        case CO_OPK_MD:
        case CO_OPK_MX:
            s.dst = true;
            break;
        default:
            break;
        }
    }
    s.wide |= (row->flags & CO_ROW_D64) != 0;
    return s;
}

#define ARRAY(isa, name) (isa)->name, sizeof (isa)->name / sizeof *(isa)->name

static void put(uint16_t *array, size_t count, int op, uint16_t row)
{
    if (op >= 0 && (size_t)op < count)
        array[op] = row;
}

/* A row's opcode, or -1.  Those that are made of halves alone are left out where the text has whole registers. */
static int opcode_of(const struct codeobj_isa *isa, const struct co_isa_row *row)
{
    const bool has = co_isa_needs(row->needs, isa->processor) && (isa->true16 || !(row->flags & CO_ROW_HALVES));
    return has ? row->op[isa->column] : -1;
}

static void index_row(struct codeobj_isa *isa, uint16_t i)
{
    const struct co_isa_row *row = &co_isa_rows[i];
    int op = opcode_of(isa, row);
    if (op < 0)
        return;
    if (co_mem_index(&isa->mem, row, i, op))
        return;
    switch (row->format) {
    case CODEOBJ_FMT_SOP1: put(ARRAY(isa, sop1), op, i); break;
    case CODEOBJ_FMT_SOP2: put(ARRAY(isa, sop2), op, i); break;
    case CODEOBJ_FMT_SOPC: put(ARRAY(isa, sopc), op, i); break;
    case CODEOBJ_FMT_SOPK: put(ARRAY(isa, sopk), op, i); break;
    case CODEOBJ_FMT_SOPP: put(ARRAY(isa, sopp), op, i); break;
    case CODEOBJ_FMT_SMEM: put(ARRAY(isa, smem), op, i); break;
    case CODEOBJ_FMT_VOP1: put(ARRAY(isa, vop1), op, i); break;
    case CODEOBJ_FMT_VOP2: put(ARRAY(isa, vop2), op, i); break;
    case CODEOBJ_FMT_VOPC: put(ARRAY(isa, vopc), op, i); break;
    case CODEOBJ_FMT_VOP3P: put(ARRAY(isa, vop3p), op, i); break;
    case CODEOBJ_FMT_VINTRP: put(ARRAY(isa, vintrp), op, i); break;
    case CODEOBJ_FMT_VINTERP: put(ARRAY(isa, vinterp), op, i); break;
    case CODEOBJ_FMT_LDSDIR: put(ARRAY(isa, ldsdir), op, i); break;
    case CODEOBJ_FMT_VOPD: put(ARRAY(isa, vopd), op, i); break;
    default: break;
    }
    put(ARRAY(isa, vop3), long_opcode(isa, row, op), i);
}

/* Facts about the processor that the formats ask for. */
static void traits(struct codeobj_isa *isa, bool halves)
{
    const struct codeobj_processor *p = isa->processor;
    isa->true16 = isa->gen == CODEOBJ_GEN_GFX11 || (isa->gen == CODEOBJ_GEN_GFX12 && halves);
    isa->gfx90a = (p->features & CODEOBJ_FEATURE_UNIFIED_VGPR) != 0;
    isa->mfma_neg = isa->gfx90a && p->minor >= 4;
    isa->gfx1250 = isa->gen == CODEOBJ_GEN_GFX12 && p->minor == 5;
    isa->align2 = isa->gfx90a || isa->gfx1250;
    isa->vop3_literal = isa->gen >= CODEOBJ_GEN_GFX10;
    isa->lit64 = isa->gfx1250;
    isa->dpp64 = isa->gfx1250 && p->stepping == 1;
    isa->fake16 = isa->gen == CODEOBJ_GEN_GFX12 && !halves;
    isa->sgprs = isa->gen >= CODEOBJ_GEN_GFX10 ? 106 : isa->gen >= CODEOBJ_GEN_GFX8 ? 102 : 104;
    isa->mask_dwords = isa->wave == 32 ? 1 : 2;
}

enum codeobj_status codeobj_isa_new(const struct codeobj_processor *processor, const struct codeobj_isa_options *options,
                                    struct codeobj_isa **out, struct codeobj_diag *diag)
{
    if (!processor)
        return co_fail(diag, CODEOBJ_INVALID, "no processor");
    if (processor->gen < CODEOBJ_GEN_GFX6)
        return co_fail(diag, CODEOBJ_UNSUPPORTED, "no instruction table for \"%s\"", processor->name);
    CO_OPTIONS(struct codeobj_isa_options, opt, options);
    unsigned wave = opt.wave;
    if (!wave)
        wave = processor->gen >= CODEOBJ_GEN_GFX10 ? 32 : 64;
    if ((wave != 32 && wave != 64) ||
        !(processor->features & (wave == 32 ? CODEOBJ_FEATURE_WAVE32 : CODEOBJ_FEATURE_WAVE64)))
        return co_fail(diag, CODEOBJ_INVALID, "wave size: found %u, which \"%s\" does not have", wave, processor->name);

    struct codeobj_isa *isa = calloc(1, sizeof *isa + co_isa_row_total * sizeof isa->shape[0]);
    if (!isa)
        return co_no_memory(diag);
    isa->processor = processor;
    isa->gen = processor->gen;
    isa->column = (uint8_t)(processor->gen - CODEOBJ_GEN_GFX6);
    isa->wave = (uint8_t)wave;
    isa->wide = CO_CPU_HAS_AVX2;
    traits(isa, opt.halves);
    co_mem_traits(&isa->mem, processor);
    layout(isa);
    co_source_kinds(isa);
    co_make_names(isa);
    for (uint16_t i = 1; i < co_isa_row_total; i++) {
        isa->shape[i] = shape(&co_isa_rows[i]);
        index_row(isa, i);
    }
    isa->plans = co_plans_new(isa);
    isa->texts = isa->plans ? co_texts_new(isa) : NULL;
    if (!isa->texts) {
        codeobj_isa_free(isa);
        return co_no_memory(diag);
    }
    *out = isa;
    return CODEOBJ_OK;
}

void codeobj_isa_free(struct codeobj_isa *isa)
{
    if (isa) {
        free(isa->plans);
        free(isa->texts);
    }
    free(isa);
}

const struct codeobj_processor *codeobj_isa_processor(const struct codeobj_isa *isa)
{
    return isa->processor;
}

unsigned codeobj_isa_wave(const struct codeobj_isa *isa)
{
    return isa->wave;
}

int codeobj_isa_row_opcode(const struct codeobj_isa *isa, unsigned row)
{
    return row == 0 || row >= co_isa_row_total ? -1 : opcode_of(isa, &co_isa_rows[row]);
}

/* Fields of operands, by role. */
static const char *operand_field(unsigned role)
{
    static const char *const names[CODEOBJ_ROLE_COUNT] = {
        [CODEOBJ_ROLE_DST] = "dst",     [CODEOBJ_ROLE_DST2] = "sdst",   [CODEOBJ_ROLE_DSTSRC] = "dst",      [CODEOBJ_ROLE_SRC0] = "src0",
        [CODEOBJ_ROLE_SRC1] = "src1",   [CODEOBJ_ROLE_SRC2] = "src2",   [CODEOBJ_ROLE_SRC3] = "src3",       [CODEOBJ_ROLE_SRC4] = "src4",
        [CODEOBJ_ROLE_ADDR] = "addr",   [CODEOBJ_ROLE_DATA0] = "data0", [CODEOBJ_ROLE_DATA1] = "data1",     [CODEOBJ_ROLE_SADDR] = "saddr",
        [CODEOBJ_ROLE_RSRC] = "rsrc",   [CODEOBJ_ROLE_SAMP] = "samp",   [CODEOBJ_ROLE_SOFFSET] = "soffset", [CODEOBJ_ROLE_IMM] = "imm",
        [CODEOBJ_ROLE_K] = "literal",
    };
    return names[role];
}

enum codeobj_status co_decode_careful(const struct codeobj_isa *isa, const uint8_t *code, size_t size,
                                      struct codeobj_isa_inst *out, struct codeobj_diag *diag)
{
    const char *why = "length";
    struct co_decode d = { .isa = isa, .code = code, .size = size, .in = out };
    co_clear(out);
    if (size >= 4) {
        d.words = 1;
        d.w0 = co_load32(d.code);
        d.w1 = size >= 8 ? co_load32(d.code + 4) : 0;
        co_decode_fn *fn = isa->top[d.w0 >> 23];
        why = fn ? fn(&d) : "encoding";
        if (why && strcmp(why, CO_AT_OPERAND) == 0)
            why = operand_field(d.at);
    }
    if (why) {
        co_clear(out);
        out->verdict = CODEOBJ_VERDICT_INVALID;
        out->size = size < 4 ? (uint8_t)size : 4;
        out->words[0] = 0;
        memcpy(out->words, code, out->size);
        return co_fail(diag, CODEOBJ_MALFORMED, "%s: found 0x%08x, not an instruction of %s", why, (unsigned)d.w0,
                       isa->processor->name);
    }
    out->size = (uint8_t)(d.words * 4);
    for (unsigned i = 0; i < d.words; i++)
        out->words[i] = co_load32(d.code + 4u * i);
    out->operand_count = d.n;
    if (d.dont_care && out->verdict == CODEOBJ_VERDICT_CANONICAL)
        out->verdict = CODEOBJ_VERDICT_DONT_CARE;
    return CODEOBJ_OK;
}

const char *codeobj_isa_format_name(enum codeobj_isa_format format)
{
    static const char *const names[CODEOBJ_FMT_COUNT] = {
        "none", "SOP1",  "SOP2",  "SOPC", "SOPK",   "SOPP",    "SMEM",   "VOP1", "VOP2",  "VOPC",  "VOP3", "VOP3P",
        "VOPD", "VINTRP", "VINTERP", "LDSDIR", "DS", "MUBUF", "MTBUF", "MIMG", "FLAT", "GLOBAL", "SCRATCH", "EXP",
    };
    return (unsigned)format < CODEOBJ_FMT_COUNT ? names[format] : "none";
}

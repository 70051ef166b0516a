/* SPDX-License-Identifier: MIT
 *
 * isa/decoder.h - what the decoding files share.
 *
 * codeobj_isa_new() turns the rows into look-up arrays for one processor: for
 * each format, opcode -> row number.  Decoding an instruction is: the top nine
 * bits of the first word choose a function (`co_decode_fn`), which finds the
 * row, takes the fields out of the words and fills the operands in the order
 * of the row.
 */
#ifndef CO_ISA_DECODER_H
#define CO_ISA_DECODER_H

#include "base/span.h"
#include "isa/mem.h"
#include "isa/plan.h"

struct co_decode;

/* A copy of a function for hosts with these instructions; codeobj_isa.wide says so. */
#ifdef __x86_64__
#define CO_WIDE __attribute__((target("avx2,bmi,bmi2")))
#else
#define CO_WIDE
#endif

/* Decodes the instruction whose first word is d->w0.  Returns NULL, or the name
 * of the field at fault, static. */
typedef const char *co_decode_fn(struct co_decode *d);

/* The fault is in the field of the operand that was read last, d->at. */
#define CO_AT_OPERAND "operand"

/* Operands that decode although their register class does not allow them; in operand.sdwa_sel. */
enum co_remark {
    CO_REMARK_IMMEDIATE = 16, /* a constant where only registers can be */
    CO_REMARK_VREG,           /* not a VGPR, or an odd tuple */
    CO_REMARK_VS,             /* an odd tuple as general source */
    CO_REMARK_AV,             /* not a vector register of a matrix source */
    CO_REMARK_AREG,           /* not an AGPR */
    CO_REMARK_VREG_OR_LDS,
    CO_REMARK_SREG,           /* not an SGPR */
    CO_REMARK_SREG_OR_LDS,
    CO_REMARK_VGPR_LO128,     /* beyond v127 in a 16-bit operand */
    CO_REMARK_VS_LO128,
    CO_REMARK_VS_LO256,       /* an odd tuple as scale of a WMMA */
    CO_REMARK_XM0,            /* M0 as result of v_readlane or v_readfirstlane */
    CO_REMARK_SDATA,          /* M0 or EXEC as data of a scalar load or store */
    CO_REMARK_XEXEC,          /* EXEC or LDS_DIRECT as scalar result of a vector instruction */
    CO_REMARK_VGPR16,         /* not a VGPR half */
};

/* Source codes of literals. */
enum { CO_CODE_LITERAL64 = 254, CO_CODE_LITERAL = 255 };

/* What a source code (0-255) stands for when it is not a VGPR. */
enum co_src_kind {
    CO_SRC_BAD = 0,
    CO_SRC_SGPR,
    CO_SRC_INLINE,
    CO_SRC_SPECIAL,
    CO_SRC_LITERAL,   /* 32 bits */
    CO_SRC_LITERAL64, /* gfx1250 */
};

/* What the vector formats ask of a row, counted once. */
struct co_row_shape {
    uint8_t sources; /* without masks */
    uint8_t mods;    /* bit n: source n takes neg and abs */
    uint8_t imods;   /* bit n: source n has those bits, and nothing reads them */
    uint8_t plain;   /* bit n: source n is an S */
    uint8_t packed;  /* bit n: source n is two halves, op_sel does not choose one */
    uint8_t extra;   /* CO_OPK_BSEL ... FIBC, or 0 */
    bool sdst;       /* VOP3SD */
    bool dst;        /* has a vdst field */
    bool vdst;       /* which names a VGPR */
    bool wide;       /* an operand of 64 bits or more */
    bool tied;       /* reads its destination */
};

/* Text that is copied whole; `length` bytes of it count. */
struct co_name {
    char text[15];
    uint8_t length;
};

struct codeobj_isa {
    const struct codeobj_processor *processor;
    uint8_t gen;      /* enum codeobj_gen */
    uint8_t column;   /* of struct co_isa_row.op */
    uint8_t wave;     /* 32 or 64 */
    bool true16;      /* 16-bit operands are register halves */
    bool align2;      /* VGPR tuples start at even registers */
    bool gfx90a;      /* unified AGPRs: acc bits */
    bool gfx1250;
    bool mfma_neg;    /* gfx940 on: MFMA of f64 negates */
    bool vop3_literal;
    bool lit64;
    bool dpp64;       /* DPP of 64-bit operands from gfx10 on */
    bool fake16;      /* 16-bit operands of short forms are v0 to v127 */
    bool wide;        /* the host has what CO_WIDE functions use */
    uint8_t mask_dwords; /* SGPRs of a lane mask */
    uint8_t sgprs;       /* s0 to s101, s103 or s105 */
    uint8_t src_kind[256];
    uint8_t src_value[256]; /* SPECIAL: enum codeobj_isa_special */
    co_decode_fn *top[512];
    /* Opcode -> row number, 0: none. */
    uint16_t sop1[256], sop2[128], sopc[128], sopk[32], sopp[128], smem[256];
    uint16_t vop1[256], vop2[64], vopc[256], vop3[1024], vop3p[512];
    uint16_t vintrp[4], vinterp[128], ldsdir[4], vopd[64];
    struct co_mem mem; /* memory, image and export formats */
    struct co_plans *plans; /* owned */
    struct co_texts *texts; /* owned */
    struct co_name name[2][512]; /* one register or two: scalar ones and constants by source code, VGPRs from 256 on */
    struct co_row_shape shape[]; /* by row */
};

struct co_decode {
    const struct codeobj_isa *isa;
    const uint8_t *code;
    size_t size;
    uint32_t w0, w1; /* w1 is 0 when it is cut off; co_need() says so */
    struct codeobj_isa_inst *in;
    const struct co_isa_row *row;
    struct co_row_shape shape;
    uint8_t n;       /* operands so far */
    uint8_t at;      /* enum codeobj_isa_role of the operand being read */
    uint8_t words;   /* of the instruction so far, literal included */
    bool literal_fixed; /* the literal is part of the encoding (v_fmamk) */
    bool dont_care;  /* bits without meaning are set */
    bool whole;      /* true16: the form without halves was chosen */
};

/* The fields of the vector formats, however they were encoded. */
struct co_vop_fields {
    uint16_t vdst, sdst;
    uint16_t src[3];      /* 9-bit source codes */
    uint8_t abs, neg;     /* bit n: source n */
    uint8_t op_sel;       /* true16 and op_sel rows: bit n: source n, bit 3: destination */
    bool e64;
};

/* Bits [lo, lo+n) of w. */
static inline uint32_t co_bits(uint32_t w, unsigned lo, unsigned n)
{
    return w >> lo & ((1u << n) - 1);
}

static inline int32_t co_sign_extend(uint64_t v, unsigned bits)
{
    return (int32_t)((uint32_t)v << (32 - bits)) >> (32 - bits);
}

/* True if the instruction has at least `words` dwords; they then count as part of it. */
static inline bool co_need(struct co_decode *d, unsigned words)
{
    if (d->size < (size_t)words * 4)
        return false;
    d->words = (uint8_t)words;
    return true;
}

static inline struct codeobj_isa_operand *co_operand(struct co_decode *d, unsigned kind, unsigned role, unsigned type,
                                                     unsigned dwords)
{
    struct codeobj_isa_operand *o = &d->in->operands[d->n++];
    *o = (struct codeobj_isa_operand){ .kind = (uint8_t)kind, .role = (uint8_t)role, .type = (uint8_t)type,
                                       .dwords = (uint8_t)dwords };
    return o;
}

/* Starts an instruction of this row (0: none, gives "opcode"). */
static inline const char *co_start(struct co_decode *d, unsigned row)
{
    if (!row)
        return "opcode";
    d->row = &co_isa_rows[row];
    d->in->row = (uint16_t)row;
    d->in->format = d->row->format;
    d->shape = d->isa->shape[row];
    return NULL;
}

/* operand.c: sources and scalar registers. */
const char *co_put_source(struct co_decode *d, unsigned code, const struct co_isa_opspec *spec, unsigned role);
const char *co_put_scalar(struct co_decode *d, unsigned code, const struct co_isa_opspec *spec, unsigned role);
const char *co_put_sgpr(struct co_decode *d, unsigned reg, unsigned dwords, unsigned type, unsigned role);
const char *co_put_vgpr(struct co_decode *d, unsigned reg, const struct co_isa_opspec *spec, unsigned role);
const char *co_take_literal(struct co_decode *d, unsigned bytes);
const char *co_take_literal_k(struct co_decode *d, unsigned bytes);
uint64_t co_inline_value(unsigned code, enum codeobj_isa_type type);
void co_source_kinds(struct codeobj_isa *isa);
void co_make_names(struct codeobj_isa *isa); /* print_operand.c */
bool co_type_is_16(unsigned type);

/* Marks the last operand and makes the verdict INVALID. */
static inline void co_remark(struct co_decode *d, enum co_remark remark)
{
    d->in->operands[d->n - 1].sdwa_sel = (uint8_t)remark;
    d->in->verdict = CODEOBJ_VERDICT_INVALID;
}

/* Remarks on the last operand unless it is a register that `remark`'s class has. */
void co_check_class(struct co_decode *d, enum co_remark remark);

/* Decodes without a plan. */
enum codeobj_status co_decode_careful(const struct codeobj_isa *isa, const uint8_t *code, size_t size,
                                      struct codeobj_isa_inst *out, struct codeobj_diag *diag);

/* Zeroes everything but the operands, which are set one by one.  In pieces, because
 * compilers make one slow string instruction of a memset of this size. */
static inline void co_clear(struct codeobj_isa_inst *out)
{
    enum { HEAD = offsetof(struct codeobj_isa_inst, operands), PIECE = 32 };
    _Static_assert(HEAD > 3 * PIECE && HEAD <= 4 * PIECE, "four pieces");
    char *p = (char *)out;
    memset(p, 0, PIECE);
    memset(p + PIECE, 0, PIECE);
    memset(p + 2 * PIECE, 0, PIECE);
    memset(p + HEAD - PIECE, 0, PIECE);
}

/* What a row is called in the long form: enum codeobj_isa_encoding without DPP. */
uint8_t co_vop3_encoding(const struct co_isa_row *row);

/* Bits of s_waitcnt between and above the counters. */
unsigned co_waitcnt_unused(unsigned gen);
/* Bits of s_delay_alu above its three fields. */
enum { CO_DELAY_ALU_UNUSED = 0xf800 };
/* Source code of M0. */
static inline unsigned co_m0_code(const struct codeobj_isa *isa)
{
    return isa->gen >= CODEOBJ_GEN_GFX11 ? 125 : 124;
}
unsigned co_f8f6f4_dwords(const struct codeobj_isa *isa, const struct codeobj_isa_modifiers *m, unsigned n);

/* One decode function per format. */
co_decode_fn co_decode_sop1, co_decode_sop2, co_decode_sopc, co_decode_sopk, co_decode_sopp;
co_decode_fn co_decode_smem, co_decode_smrd;
co_decode_fn co_decode_vop1, co_decode_vop2, co_decode_vopc, co_decode_vop3, co_decode_vop3p;
co_decode_fn co_decode_vintrp, co_decode_vinterp, co_decode_ldsdir, co_decode_vopd, co_decode_vopd3;
co_decode_fn co_decode_ds, co_decode_flat, co_decode_buffer;
co_decode_fn co_decode_image, co_decode_vimage, co_decode_vsample, co_decode_export;

#endif

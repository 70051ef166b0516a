/* SPDX-License-Identifier: MIT
 *
 * isa/row.h - one row of the instruction table, as the decoder, the printer and
 * the executor see it.
 *
 * The rows live in table/<format>.def.  A row names its instruction, its
 * operands in printed order, its semantic token, the processors that have it
 * (`needs`, on top of the generation columns) and its opcode number in each
 * generation.  How the operands lie in the words is the format's business
 * (decode_*.c); the row only says which operand comes from which field.
 */
#ifndef CO_ISA_ROW_H
#define CO_ISA_ROW_H

#include <codeobj/isa.h>

#include "isa/semantics.h"

/* Where an operand comes from and which registers it may name. */
enum co_opk {
    CO_OPK_NONE = 0,
    /* vector formats */
    CO_OPK_D,  /* vdst: VGPR, written */
    CO_OPK_DR, /* vdst: VGPR, written and read (v_fmac) */
    CO_OPK_MD, /* lane mask: VCC in the short form, vdst field in the long one */
    CO_OPK_MX, /* mask of v_cmpx: as MD to gfx9; from gfx10 only EXEC is written */
    CO_OPK_MC, /* carry out: VCC in the short form, sdst field in the long one */
    CO_OPK_MI, /* carry in: VCC in the short form, src2 in the long one */
    CO_OPK_S,  /* source: register or constant; the second one of a short form is a VGPR */
    CO_OPK_V,  /* source: VGPR in every form */
    CO_OPK_VL, /* source: VGPR or LDS direct */
    CO_OPK_L,  /* source: scalar (lane numbers) */
    CO_OPK_K,  /* literal constant that is part of the instruction */
    CO_OPK_AD, /* vdst of a matrix instruction: VGPR or AGPR by acc_cd */
    CO_OPK_ADR,/* the same, written and read (v_smfmac) */
    CO_OPK_AS, /* matrix source A or B: VGPR or AGPR by acc */
    CO_OPK_AC, /* matrix source C: register (AGPR by acc_cd) or constant */
    CO_OPK_WIDX, /* index of a sparse WMMA; flags: bits of index_key in wave32, and above them in wave64 */
    CO_OPK_AIDX, /* index of a sparse matrix instruction: VGPR */
    CO_OPK_ADST, /* vdst, always an AGPR (v_accvgpr_write) */
    CO_OPK_ASRC, /* source, always an AGPR (v_accvgpr_read) */
    /* scalar formats */
    CO_OPK_SD,  /* sdst, or a vdst field that names an SGPR */
    CO_OPK_SDR, /* sdst, written and read */
    CO_OPK_SS,  /* source: SGPR or constant */
    CO_OPK_SR,  /* source: SGPR; a constant there is not valid */
    CO_OPK_SK,  /* source in the sdst field of SOPK */
    CO_OPK_IMM, /* simm16; type is an enum co_imm */
    /* SMEM */
    CO_OPK_SDATA, /* sdata, read (stores) */
    CO_OPK_SATOM, /* sdata, read, and written when glc is set */
    CO_OPK_SPROBE,/* sdata field as a number */
    CO_OPK_SBASE, /* sbase: address in 2 SGPRs or descriptor in 4 */
    CO_OPK_SOFF,  /* offset: immediate, SGPR or both, by generation */
    CO_OPK_SOFFM, /* the SGPR part alone, after the immediate (s_prefetch) */
    /* parameter interpolation, LDS parameter loads */
    CO_OPK_ATTR,  /* attribute and channel */
    CO_OPK_PARAM, /* p10, p20, p0 */
    /* not operands: bits of the long form that mean something else here */
    CO_OPK_BSEL,   /* byte_sel of the source, in op_sel 1:0 */
    CO_OPK_BSELD,  /* byte_sel of the destination, in op_sel 3:2 */
    CO_OPK_SSEL,   /* scale_sel, in op_sel */
    CO_OPK_BITOP3, /* truth table in omod, abs and neg */
    CO_OPK_NOSRC,  /* a source that is not in the text: only its op_sel bit is */
    CO_OPK_FIBC,   /* fi and bound_ctrl, in op_sel 1:0 */
    CO_OPK_COUNT_ALU,
    /* memory, image and export formats go on from here */
    CO_OPK_MEM_FIRST = 64
};

/* How a 16-bit immediate is printed. */
enum co_imm {
    CO_IMM_SIMM16, /* 0x%x of 16 bits */
    CO_IMM_INLINE, /* as a source constant: -16..64 decimal, else hexadecimal */
    CO_IMM_DEC,    /* unsigned decimal */
    CO_IMM_LABEL,  /* branch distance in dwords */
    CO_IMM_WAITCNT,
    CO_IMM_SENDMSG,
    CO_IMM_DELAY_ALU,
    CO_IMM_DEPCTR,
    CO_IMM_ENDPGM, /* nothing when 0 */
    CO_IMM_GPR_IDX,
    CO_IMM_VERSION,
    CO_IMM_HWREG
};

#define CO_OPF_MODS 1u  /* neg and abs apply in the long form */
#define CO_OPF_WAVE 4u  /* the number of registers is for wave32, wave64 takes half */
#define CO_OPF_NOLIT 16u /* scalar source: the assemblers of gfx6 and gfx7 have no literal there */
#define CO_OPF_ANY 8u   /* scalar source: LLVM knows no register class for it, so it remarks on none */
#define CO_OPF_IMODS 2u /* there are neg and abs bits, which nothing reads */

struct co_isa_opspec {
    uint8_t kind;   /* enum co_opk */
    uint8_t type;   /* enum codeobj_isa_type; of an IMM: enum co_imm */
    uint8_t dwords;
    uint8_t flags;  /* CO_OPF_* */
};

/* Row flags.  "where there is one": a form also needs a generation that has it. */
enum {
    CO_ROW_NO64 = 1 << 0, /* VOP1/2: no long form; printed without a suffix */
    CO_ROW_DPP = 1 << 1,  /* DPP16 and DPP8 of the short form, where there is one */
    CO_ROW_DPP3 = 1 << 2, /* DPP of the long form, where there is one */
    CO_ROW_SDWA = 1 << 3,
    CO_ROW_CL = 1 << 4,   /* clamp in the long form */
    CO_ROW_OM = 1 << 5,   /* omod in the long form */
    CO_ROW_OS = 1 << 6,   /* op_sel in the long form */
    CO_ROW_T16 = 1 << 7,  /* 16-bit operands are register halves on true16 processors */
    /* read and written without an operand */
    CO_ROW_RSCC = 1 << 8,
    CO_ROW_WSCC = 1 << 9,
    CO_ROW_RVCC = 1 << 10,
    CO_ROW_WVCC = 1 << 11,
    CO_ROW_REXEC = 1 << 12, /* scalar formats; every vector format reads EXEC */
    CO_ROW_WEXEC = 1 << 13,
    CO_ROW_RMODE = 1 << 14,
    CO_ROW_WMODE = 1 << 15,
    CO_ROW_RM0 = 1 << 16,
    CO_ROW_WM0 = 1 << 17,
    /* kinds of VOP3P */
    CO_ROW_PK = 1 << 18,   /* packed: op_sel, op_sel_hi, neg_lo, neg_hi */
    CO_ROW_MIX = 1 << 19,  /* mixed precision: op_sel_hi chooses the type, neg_hi is abs */
    CO_ROW_MAI = 1 << 20,  /* MFMA: cbsz, abid, blgp, acc */
    CO_ROW_NEGB = 1 << 21, /* MFMA of f64: blgp is neg */
    CO_ROW_WMMA = 1 << 22, /* WMMA, SWMMAC */
    CO_ROW_NOSUF = 1 << 23,/* has a long form, yet the short one prints no suffix */
    CO_ROW_YONLY = 1 << 24,/* VOPD: second half only */
    CO_ROW_V3ONLY = 1 << 25, /* VOPD: VOPD3 only */
    CO_ROW_D64 = 1 << 26,  /* DPP only where 64-bit operands have it */
    CO_ROW_NN = 1 << 29,   /* packed integers of gfx1250: neg bits that nothing reads */
    CO_ROW_REUSE = 1 << 30,/* WMMA: matrix_a_reuse and matrix_b_reuse */
    CO_ROW_SUF = 1 << 24,  /* VOP3: _e64 although there is no other form */
    CO_ROW_HIGH = 1 << 25, /* VOP3 interpolation of f16: has a `high` bit */
    CO_ROW_HALVES = 1 << 28, /* T16, and no form with whole registers */
    CO_ROW_ND64 = 1 << 27  /* no DPP from gfx10, even where 64-bit operands have it */
};

#define CO_ISA_OPSPECS 8
#define CO_ISA_GENS 7 /* columns: gfx6 to gfx12 */

/* Room for a mnemonic; printing copies all of it and keeps `length` bytes. */
#define CO_MNEMONIC_MAX 48

struct co_isa_row {
    char mnemonic[CO_MNEMONIC_MAX]; /* without suffix */
    uint8_t length;       /* of the mnemonic */
    uint16_t sem;         /* enum co_sem */
    uint8_t format;       /* enum codeobj_isa_format */
    uint8_t needs;        /* enum co_needs */
    uint32_t flags;       /* CO_ROW_*; memory formats have flags of their own */
    int16_t op[CO_ISA_GENS];
    struct co_isa_opspec ops[CO_ISA_OPSPECS];
};

extern const struct co_isa_row co_isa_rows[]; /* [0] is empty */
extern const uint16_t co_isa_row_total;

/* Name of the row's semantic token, whether or not there are semantics. */
const char *co_isa_row_token(unsigned row);

/* needs.def: named sets of processors, a bit each.  R600 processors have none. */
enum co_needs {
#define NEED(name, mask) CO_NEED_##name,
#include "isa/needs.def"
#undef NEED
    CO_NEED_COUNT
};
bool co_isa_needs(enum co_needs needs, const struct codeobj_processor *processor);

#endif

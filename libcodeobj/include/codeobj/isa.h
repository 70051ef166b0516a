/* SPDX-License-Identifier: MIT
 *
 * codeobj/isa.h - decoding and printing instructions.
 *
 * A decoder is made for one processor and wave size; it is immutable and may be
 * shared between threads.  Decoding fills a struct that the caller owns and
 * allocates nothing.  Text is a second, separate step.
 *
 * Sources: AMD's machine-readable ISA descriptions and ISA manuals for the
 * encodings; LLVM 22 (llvm-mc --disassemble) for the text.
 */
#ifndef CODEOBJ_ISA_H
#define CODEOBJ_ISA_H

#include <codeobj/base.h>
#include <codeobj/target.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Base encodings.  VOP1, VOP2 and VOPC instructions keep their format when they
 * are encoded in the long form; see enum codeobj_isa_encoding. */
enum codeobj_isa_format {
    CODEOBJ_FMT_NONE = 0,
    CODEOBJ_FMT_SOP1,
    CODEOBJ_FMT_SOP2,
    CODEOBJ_FMT_SOPC,
    CODEOBJ_FMT_SOPK,
    CODEOBJ_FMT_SOPP,
    CODEOBJ_FMT_SMEM, /* SMRD on gfx6 and gfx7 */
    CODEOBJ_FMT_VOP1,
    CODEOBJ_FMT_VOP2,
    CODEOBJ_FMT_VOPC,
    CODEOBJ_FMT_VOP3,  /* instructions that exist only in the long form, VOP3SD too */
    CODEOBJ_FMT_VOP3P, /* packed, mixed, dot, MFMA, WMMA */
    CODEOBJ_FMT_VOPD,  /* dual issue, VOPD3 too */
    CODEOBJ_FMT_VINTRP,
    CODEOBJ_FMT_VINTERP,
    CODEOBJ_FMT_LDSDIR, /* VDSDIR on gfx12 */
    CODEOBJ_FMT_DS,     /* VDS on gfx12 */
    CODEOBJ_FMT_MUBUF,  /* VBUFFER on gfx12 */
    CODEOBJ_FMT_MTBUF,  /* VBUFFER on gfx12 */
    CODEOBJ_FMT_MIMG,   /* VIMAGE, VSAMPLE on gfx12 */
    CODEOBJ_FMT_FLAT,
    CODEOBJ_FMT_GLOBAL,
    CODEOBJ_FMT_SCRATCH,
    CODEOBJ_FMT_EXP, /* VEXPORT on gfx12 */
    CODEOBJ_FMT_COUNT
};

/* How this instance is encoded: decides the mnemonic's suffix. */
enum codeobj_isa_encoding {
    CODEOBJ_ENC_DEFAULT = 0, /* the only form there is */
    CODEOBJ_ENC_E32,         /* short VOP form, literal included */
    CODEOBJ_ENC_E64,         /* long VOP form */
    CODEOBJ_ENC_SDWA,
    CODEOBJ_ENC_DPP16, /* _dpp */
    CODEOBJ_ENC_DPP8,
    CODEOBJ_ENC_E64_DPP16, /* _e64_dpp */
    CODEOBJ_ENC_E64_DPP8,
    CODEOBJ_ENC_COUNT
};

enum codeobj_isa_operand_kind {
    CODEOBJ_OPERAND_NONE = 0, /* position exists in the signature but is absent ("off") */
    CODEOBJ_OPERAND_VGPR,     /* reg: 0-1023 (above 255 through s_set_vgpr_msb) */
    CODEOBJ_OPERAND_AGPR,     /* reg: 0-255 */
    CODEOBJ_OPERAND_SGPR,     /* reg: scalar register number 0-127 of the *scalar source space*: s0..,
                                 VCC 106/107, ttmp from 108, M0 124 or 125, NULL 125 or 124, EXEC 126/127, as this
                                 processor numbers them; see codeobj_isa_sgpr_name() */
    CODEOBJ_OPERAND_SPECIAL,  /* reg: enum codeobj_isa_special (src_shared_base, src_scc, ...) */
    CODEOBJ_OPERAND_INLINE,   /* value: inline constant, already in the operand's own format (16-bit types: the low
                                 half; packed ones: the dword that is read); reg: its source code, 128-208 or 240-248 */
    CODEOBJ_OPERAND_LITERAL,  /* value: literal as the hardware uses it for this operand (see `type`; f64: the high
                                 half); the raw dword(s) are in inst.literal; reg: its source code, 254 (64 bits) or
                                 255, 0 where the literal is a field of the encoding */
    CODEOBJ_OPERAND_IMMEDIATE,/* value: simm16, waits, messages, hwreg ... */
    CODEOBJ_OPERAND_LABEL,    /* value: branch distance in bytes from the END of the instruction */
    CODEOBJ_OPERAND_KIND_COUNT
};

/* Role of a scalar register number. */
enum codeobj_isa_special {
    CODEOBJ_SPECIAL_NONE = 0,
    CODEOBJ_SPECIAL_SHARED_BASE,
    CODEOBJ_SPECIAL_SHARED_LIMIT,
    CODEOBJ_SPECIAL_PRIVATE_BASE,
    CODEOBJ_SPECIAL_PRIVATE_LIMIT,
    CODEOBJ_SPECIAL_POPS_EXITING_WAVE_ID,
    CODEOBJ_SPECIAL_VCCZ,
    CODEOBJ_SPECIAL_EXECZ,
    CODEOBJ_SPECIAL_SCC,
    CODEOBJ_SPECIAL_LDS_DIRECT,
    CODEOBJ_SPECIAL_FLAT_SCRATCH_BASE_LO, /* gfx1250 */
    CODEOBJ_SPECIAL_FLAT_SCRATCH_BASE_HI,
    CODEOBJ_SPECIAL_PARAM, /* v_interp_mov: value 0 p10, 1 p20, 2 p0 */
    CODEOBJ_SPECIAL_ATTR,  /* v_interp, lds_param_load: mod.attr and mod.attr_chan */
    CODEOBJ_SPECIAL_COUNT
};

/* How the bits of an operand are meant; decides inline constants and modifiers. */
enum codeobj_isa_type {
    CODEOBJ_TYPE_B32 = 0, /* untyped */
    CODEOBJ_TYPE_B8,
    CODEOBJ_TYPE_B16,
    CODEOBJ_TYPE_B64,
    CODEOBJ_TYPE_B96,
    CODEOBJ_TYPE_B128,
    CODEOBJ_TYPE_BN, /* more: see dwords */
    CODEOBJ_TYPE_I8,
    CODEOBJ_TYPE_U8,
    CODEOBJ_TYPE_I16,
    CODEOBJ_TYPE_U16,
    CODEOBJ_TYPE_I24,
    CODEOBJ_TYPE_U24,
    CODEOBJ_TYPE_I32,
    CODEOBJ_TYPE_U32,
    CODEOBJ_TYPE_I64,
    CODEOBJ_TYPE_U64,
    CODEOBJ_TYPE_F16,
    CODEOBJ_TYPE_BF16,
    CODEOBJ_TYPE_F32,
    CODEOBJ_TYPE_F64,
    CODEOBJ_TYPE_PK_I16, /* two halves of a dword */
    CODEOBJ_TYPE_PK_U16,
    CODEOBJ_TYPE_PK_B16,
    CODEOBJ_TYPE_PK_F16,
    CODEOBJ_TYPE_PK_BF16,
    CODEOBJ_TYPE_PK_F32, /* two dwords */
    CODEOBJ_TYPE_PK_B32,
    CODEOBJ_TYPE_PK_FP8, /* four bytes of a dword */
    CODEOBJ_TYPE_PK_BF8,
    CODEOBJ_TYPE_PK_I8,
    CODEOBJ_TYPE_PK_U8,
    CODEOBJ_TYPE_PK_B8,
    CODEOBJ_TYPE_PK_I4, /* eight nibbles */
    CODEOBJ_TYPE_PK_U4,
    CODEOBJ_TYPE_PK_FP4,
    CODEOBJ_TYPE_PK_FP6, /* 32 of 6 bits in six dwords, or 16 in three */
    CODEOBJ_TYPE_PK_BF6,
    CODEOBJ_TYPE_FP8,
    CODEOBJ_TYPE_BF8,
    CODEOBJ_TYPE_MASK,  /* lane mask: one SGPR in wave32, two in wave64 */
    CODEOBJ_TYPE_COUNT
};

/* What an operand is for. */
enum codeobj_isa_role {
    CODEOBJ_ROLE_DST = 0,  /* written */
    CODEOBJ_ROLE_DST2,     /* second destination (mask of VOP3SD, VCC of carry-outs) */
    CODEOBJ_ROLE_DSTSRC,   /* written and read (v_fmac, s_cmov, atomics with return, d16) */
    CODEOBJ_ROLE_SRC0,
    CODEOBJ_ROLE_SRC1,
    CODEOBJ_ROLE_SRC2,
    CODEOBJ_ROLE_SRC3,     /* scale operands and beyond */
    CODEOBJ_ROLE_SRC4,
    CODEOBJ_ROLE_ADDR,     /* vaddr of memory forms, LDS address */
    CODEOBJ_ROLE_DATA0,    /* data of stores, LDS and atomics */
    CODEOBJ_ROLE_DATA1,
    CODEOBJ_ROLE_SADDR,    /* scalar base of global/scratch, sbase of SMEM */
    CODEOBJ_ROLE_SOFFSET,
    CODEOBJ_ROLE_RSRC,     /* buffer or image descriptor */
    CODEOBJ_ROLE_SAMP,
    CODEOBJ_ROLE_IMM,      /* simm16 and friends */
    CODEOBJ_ROLE_K,        /* literal of v_fmamk/v_fmaak, in its printed place */
    CODEOBJ_ROLE_COUNT
};

#define CODEOBJ_OPERAND_NEG 0x01u  /* source negated (neg_lo of packed forms) */
#define CODEOBJ_OPERAND_ABS 0x02u  /* |source| */
#define CODEOBJ_OPERAND_SEXT 0x04u /* SDWA integer source sign-extended */
#define CODEOBJ_OPERAND_HI 0x08u   /* the high half of the register (op_sel bit or true16 .h) */
#define CODEOBJ_OPERAND_HALF 0x10u /* a true16 half register: printed v1.l / v1.h */
#define CODEOBJ_OPERAND_IMPLIED 0x20u /* not encoded: VCC of a short carry form, ... */
#define CODEOBJ_OPERAND_HIDDEN 0x40u  /* read or written, but not in the text (EXEC, M0, SCC, MODE) */
#define CODEOBJ_OPERAND_Y 0x80u       /* belongs to the second half of a VOPD pair */

struct codeobj_isa_operand {
    uint8_t kind;   /* enum codeobj_isa_operand_kind */
    uint8_t role;   /* enum codeobj_isa_role */
    uint8_t type;   /* enum codeobj_isa_type */
    uint8_t dwords; /* registers covered, 1 for 16 bits and less */
    uint16_t reg;
    uint8_t flags;  /* CODEOBJ_OPERAND_* */
    uint8_t sdwa_sel; /* SDWA: 0-3 BYTE_0..3, 4-5 WORD_0..1, 6 DWORD; from 16 up: the register is not one that this
                         operand can have (verdict INVALID), which the text remarks on as LLVM's does */
    uint64_t value;
};

/* Everything of the encoding that is not an operand.  0 where a form has no such field. */
struct codeobj_isa_modifiers {
    uint8_t clamp, omod; /* omod: 0, 1 *2, 2 *4, 3 /2 */
    uint8_t op_sel, op_sel_hi, neg_lo, neg_hi, abs; /* bit n: source n; op_sel bit 3: destination */
    uint8_t dpp_row_mask, dpp_bank_mask, dpp_bound_ctrl, dpp_fi;
    uint16_t dpp_ctrl;   /* 9 bits */
    uint32_t dpp8;       /* 24 bits: lane selects, 3 bits each */
    uint8_t sdwa_dst_sel, sdwa_dst_unused;
    int32_t offset;      /* byte offset of memory forms, sign-extended; DS: 16 bits, or offset0 | offset1 << 8 */
    uint8_t glc, slc, dlc, scc, nv;  /* cache bits, gfx6-gfx11; sc0 = glc, nt = slc, sc1 = scc on gfx942 */
    uint8_t th, scope;   /* gfx12 */
    uint8_t offen, idxen, addr64, lds, tfe, gds;
    uint8_t format;      /* MTBUF: dfmt | nfmt << 4 before gfx10, unified from gfx10 */
    uint8_t dmask, dim, unorm, da, r128, a16, d16, lwe, nsa;
    uint8_t cbsz, abid, blgp;            /* MFMA; matrix formats of f8f6f4: cbsz = A, blgp = B */
    uint8_t matrix_a_reuse, matrix_b_reuse, matrix_a_scale, matrix_b_scale, matrix_a_scale_fmt, matrix_b_scale_fmt;
    uint8_t index_key;
    uint8_t bitop3;                      /* truth table */
    uint8_t exp_target, exp_enable, exp_done, exp_compr, exp_vm, exp_row;
    uint8_t wait_exp, wait_va_vdst, wait_vm_vsrc;
    uint8_t attr, attr_chan, interp_high;
    uint8_t byte_sel, scale_sel;
    uint8_t scale_offset, nv_hint;       /* gfx1250 */
};

#define CODEOBJ_ISA_OPERANDS_MAX 20
#define CODEOBJ_ISA_WORDS_MAX 5

struct codeobj_isa_inst {
    uint16_t row;         /* index for codeobj_isa_row_*(); VOPD: the X half */
    uint16_t row_y;       /* VOPD: the Y half, else 0 */
    uint8_t format;       /* enum codeobj_isa_format */
    uint8_t encoding;     /* enum codeobj_isa_encoding */
    uint8_t size;         /* bytes: 4, 8, 12, 16 or 20 */
    uint8_t operand_count;
    uint8_t verdict;      /* enum codeobj_isa_verdict */
    uint8_t has_literal;  /* 0, 4 or 8 bytes */
    uint64_t literal;     /* raw literal */
    uint32_t words[CODEOBJ_ISA_WORDS_MAX]; /* the encoding; only size / 4 of them are set */
    struct codeobj_isa_modifiers mod;
    /* Destinations first, then sources, in printed order; only operand_count of them are set. */
    struct codeobj_isa_operand operands[CODEOBJ_ISA_OPERANDS_MAX];
};

enum codeobj_isa_verdict {
    CODEOBJ_VERDICT_CANONICAL = 0, /* what an assembler writes */
    CODEOBJ_VERDICT_DONT_CARE,     /* decodes, with bits set that mean nothing, or not as an assembler sets them */
    CODEOBJ_VERDICT_INVALID
};

struct codeobj_isa; /* a decoder: processor + wave size */

struct codeobj_isa_options {
    size_t size;     /* sizeof(struct codeobj_isa_options) */
    uint8_t wave;    /* 32 or 64; 0: the processor's default (LLVM's: 64 to gfx9, 32 from gfx10) */
    uint8_t halves;  /* not 0: 16-bit operands of gfx12 are halves of registers (v1.l, v1.h), as the hardware has them and
                        as on gfx11; LLVM's text names whole registers there */
};

/* owned, free with codeobj_isa_free.  options may be NULL.  INVALID when the
 * processor has no such wave size, UNSUPPORTED for r600. */
CODEOBJ_API enum codeobj_status codeobj_isa_new(const struct codeobj_processor *processor,
                                                const struct codeobj_isa_options *options, struct codeobj_isa **out,
                                                struct codeobj_diag *diag);
CODEOBJ_API void codeobj_isa_free(struct codeobj_isa *isa);
CODEOBJ_API const struct codeobj_processor *codeobj_isa_processor(const struct codeobj_isa *isa);
CODEOBJ_API unsigned codeobj_isa_wave(const struct codeobj_isa *isa);

/* Decodes one instruction at code[0..size).  Never reads past size.
 * MALFORMED: not an instruction of this processor, or cut off (diag says the
 * field at fault); out->size then is the number of bytes LLVM's objdump skips (4,
 * or what is left), and out->words[0] is set. */
CODEOBJ_API enum codeobj_status codeobj_isa_decode(const struct codeobj_isa *isa, const void *code, size_t size,
                                                   struct codeobj_isa_inst *out, struct codeobj_diag *diag);

/* What earlier instructions leave for the decoding of later ones.  All 0 where code begins; owned by the caller. */
struct codeobj_isa_state {
    uint8_t vgpr_msb; /* gfx1250: high bits of VGPR numbers, of s_set_vgpr_msb: 1:0 src0 and addresses, 3:2 src1 and
                         data, 5:4 src2 and second data, 7:6 destinations and the data of buffer instructions */
};

/* codeobj_isa_decode() for code that is read from its beginning on: VGPR operands
 * have the high bits that *state says (`reg` up to 1023), and *state is brought up
 * to date.  As in LLVM's listing, branches (not calls), the end of a program and
 * words that are no instruction set it to 0; a caller does so where a function
 * begins.  Same errors as codeobj_isa_decode(). */
CODEOBJ_API enum codeobj_status codeobj_isa_decode_next(const struct codeobj_isa *isa, struct codeobj_isa_state *state,
                                                        const void *code, size_t size, struct codeobj_isa_inst *out,
                                                        struct codeobj_diag *diag);

/* Writes the text LLVM 22 prints ("v_add_f32_e32 v0, s1, v2"), without leading
 * blanks; always terminated if size > 0.  Returns the length of the whole text. */
CODEOBJ_API size_t codeobj_isa_print(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, char *buf,
                                     size_t size);

/* What codeobj_isa_disassemble() says besides the text. */
struct codeobj_isa_text {
    uint8_t size;         /* bytes of the instruction, as codeobj_isa_inst.size */
    uint8_t format;       /* enum codeobj_isa_format */
    uint8_t verdict;      /* enum codeobj_isa_verdict */
    uint8_t has_distance; /* it branches or calls */
    int64_t distance;     /* of its target in bytes, from the end of the instruction */
    size_t length;        /* of the whole text */
};

/* codeobj_isa_decode_next() and codeobj_isa_print() in one, for listings: the same text, state and errors, in about
 * half the time if there is room for 4096 bytes. */
CODEOBJ_API enum codeobj_status codeobj_isa_disassemble(const struct codeobj_isa *isa, struct codeobj_isa_state *state,
                                                        const void *code, size_t size, char *buf, size_t room,
                                                        struct codeobj_isa_text *out, struct codeobj_diag *diag);

/* Name of `dwords` scalar registers from reg on, as in instruction text: "s7",
 * "s[4:7]", "vcc", "vcc_lo", "ttmp9", "null".  Returns the length of the whole
 * text; always terminated if size > 0. */
CODEOBJ_API size_t codeobj_isa_sgpr_name(const struct codeobj_isa *isa, unsigned reg, unsigned dwords, char *buf,
                                         size_t size);

/* ---- the instruction table ------------------------------------------------ */

/* Number of rows; valid row numbers are 1 .. count - 1. */
CODEOBJ_API size_t codeobj_isa_row_count(void);
CODEOBJ_API const char *codeobj_isa_row_mnemonic(unsigned row); /* no suffix; static */
CODEOBJ_API enum codeobj_isa_format codeobj_isa_row_format(unsigned row);
/* Name of what the instruction does, shared by renamed rows; "" when it has
 * none, and then _reason says why not. */
CODEOBJ_API const char *codeobj_isa_row_semantic(unsigned row);
CODEOBJ_API const char *codeobj_isa_row_reason(unsigned row);
/* Opcode number on this decoder's processor, or -1 when it has no such instruction. */
CODEOBJ_API int codeobj_isa_row_opcode(const struct codeobj_isa *isa, unsigned row);

CODEOBJ_API const char *codeobj_isa_format_name(enum codeobj_isa_format format); /* "SOP1", ...; static */

/* True if the instruction may continue elsewhere than after itself (branch,
 * s_setpc, s_swappc, s_call, s_endpgm, s_trap, s_rfe). */
CODEOBJ_API bool codeobj_isa_is_terminator(const struct codeobj_isa_inst *inst);

/* Target of an instruction that holds a distance (branches, s_call): pc is the
 * address of the instruction itself.  False when it holds none. */
CODEOBJ_API bool codeobj_isa_branch_target(const struct codeobj_isa_inst *inst, uint64_t pc, uint64_t *target);

/* Registers that an instruction reads or writes without an operand for them.  Every
 * vector instruction but v_readlane and v_writelane reads EXEC.  VCC of the short carry and compare forms is an
 * operand (CODEOBJ_OPERAND_IMPLIED), so it is not here. */
#define CODEOBJ_IMPLICIT_READS_SCC (1u << 0)
#define CODEOBJ_IMPLICIT_WRITES_SCC (1u << 1)
#define CODEOBJ_IMPLICIT_READS_VCC (1u << 2)
#define CODEOBJ_IMPLICIT_WRITES_VCC (1u << 3)
#define CODEOBJ_IMPLICIT_READS_EXEC (1u << 4)
#define CODEOBJ_IMPLICIT_WRITES_EXEC (1u << 5)
#define CODEOBJ_IMPLICIT_READS_MODE (1u << 6)
#define CODEOBJ_IMPLICIT_WRITES_MODE (1u << 7)
#define CODEOBJ_IMPLICIT_READS_M0 (1u << 8)
#define CODEOBJ_IMPLICIT_WRITES_M0 (1u << 9)
CODEOBJ_API uint32_t codeobj_isa_implicit(const struct codeobj_isa_inst *inst);

/* ---- what an instruction touches -------------------------------------------- */

/* Where a register lies.  VCC, EXEC, M0, the trap registers and, up to gfx9, FLAT_SCRATCH are scalar registers with
 * the numbers of CODEOBJ_OPERAND_SGPR. */
enum codeobj_isa_file {
    CODEOBJ_FILE_VGPR = 1, /* 0-1023 */
    CODEOBJ_FILE_AGPR,     /* 0-255 */
    CODEOBJ_FILE_SGPR,     /* 0-127 */
    CODEOBJ_FILE_SCC,
    CODEOBJ_FILE_MODE,         /* rounding, denormals, exceptions: read by float arithmetic */
    CODEOBJ_FILE_FLAT_SCRATCH, /* gfx940 and gfx10 on: two registers that no operand can name */
    CODEOBJ_FILE_COUNT
};

#define CODEOBJ_ACCESS_READ 1u
#define CODEOBJ_ACCESS_WRITE 2u /* all of the registers, or a part of them (16-bit results, disabled lanes) */

/* Consecutive registers of one file, read, written or both. */
struct codeobj_isa_access {
    uint8_t file;    /* enum codeobj_isa_file */
    uint8_t access;  /* CODEOBJ_ACCESS_* */
    int8_t operand;  /* index into inst->operands, -1: no operand names them */
    uint16_t reg, count;
};

/* The registers of an instruction, those of its operands first, in their order: at most `room` into out[], which may be
 * NULL when room is 0.  Returns how many there are, never more than CODEOBJ_ISA_ACCESSES_MAX.  NULL (the register) and
 * constants are left out.  Relative indices (v_movrel, s_set_gpr_idx) are known when the program runs: the register that
 * is named counts.  EXEC is read by all vector instructions but v_readlane and
 * v_writelane; of VCC, EXEC and masks wave32 has one register.  M0 is read
 * by LDS instructions up to gfx8, by GDS and ADDTID ones, by parameter loads, and by transfers between memory and LDS
 * that have no operand for the LDS address; FLAT_SCRATCH by FLAT and SCRATCH. */
#define CODEOBJ_ISA_ACCESSES_MAX (CODEOBJ_ISA_OPERANDS_MAX + 8)
CODEOBJ_API size_t codeobj_isa_registers(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                                         struct codeobj_isa_access *out, size_t room);

enum codeobj_isa_memory_kind {
    CODEOBJ_MEMORY_LOAD = 1,
    CODEOBJ_MEMORY_STORE,
    CODEOBJ_MEMORY_ATOMIC, /* reads and writes */
    CODEOBJ_MEMORY_PREFETCH,
    CODEOBJ_MEMORY_CACHE /* write-back, invalidation: no address */
};

enum codeobj_isa_memory_space {
    CODEOBJ_SPACE_FLAT = 1, /* global, LDS or scratch by the address */
    CODEOBJ_SPACE_GLOBAL,
    CODEOBJ_SPACE_SCRATCH,
    CODEOBJ_SPACE_LDS,
    CODEOBJ_SPACE_GDS,
    CODEOBJ_SPACE_BUFFER, /* global, through a buffer descriptor */
    CODEOBJ_SPACE_IMAGE   /* global, through an image descriptor */
};

struct codeobj_isa_memory {
    uint8_t kind;       /* enum codeobj_isa_memory_kind */
    uint8_t space;      /* enum codeobj_isa_memory_space */
    uint8_t lds;        /* the other end is LDS instead of a register (a load writes it, a store reads it) */
    uint8_t returns;    /* atomic: the old value comes back */
    uint8_t scalar;     /* one access for the wave; else one for each lane that EXEC enables */
    uint8_t addresses;  /* of a lane: 2 for ds_read2 and its like, else 1 */
    uint8_t addr_count; /* operands from `addr` on that make the address (images name several) */
    uint16_t bytes;     /* at each address; 0: the descriptor's format or M0 decides (images, typed buffers, blocks) */
    /* Indices into inst->operands, -1: none.  dst: the result; data, data1: what is stored, or the operands of an
     * atomic; addr: vector address; saddr: scalar base; rsrc: descriptor; soffset: scalar offset.  An offset
     * that is part of the encoding is in inst->mod.offset. */
    int8_t dst, data, data1, addr, saddr, rsrc, soffset;
};

/* False, and *out untouched, when the instruction reaches no memory.  Instruction fetch and operands that are LDS_DIRECT
 * do not count. */
CODEOBJ_API bool codeobj_isa_memory(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                                    struct codeobj_isa_memory *out);

#ifdef __cplusplus
}
#endif
#endif

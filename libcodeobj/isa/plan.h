/* SPDX-License-Identifier: MIT
 *
 * isa/plan.h - decode plans: the plain case of an instruction, prepared.
 *
 * Nearly all instructions of real code are plain: no reserved bit is set, register
 * tuples begin where they may, sources are registers, inline constants or a literal.
 * For these a row says beforehand what its operands look like, so a plan holds the
 * finished operands but for the register numbers, and which bits of the words those
 * are in.  Running one is a few table look-ups without a decision.
 *
 * A plan never decides that a word is wrong or odd: whatever is not plain goes to the
 * decode function of the format (decode_*.c), which stays the one place that knows.
 * tests/unit/test_isa_plan.c holds plans and decode functions against each other.
 */
#ifndef CO_ISA_PLAN_H
#define CO_ISA_PLAN_H

#include "isa/row.h"

/* Operand codes: 0 to 255 scalar sources, 256 up VGPRs, then what the fields of other formats count.  The inline
 * constants among them have other values in other types, so there is a range of codes for each class of types. */
enum {
    CO_CODE_VGPR = 256,
    CO_CODE_RANGE = 512,
    CO_CODE_CLASSES = 4,
    CO_CODE_OFF = CO_CODE_RANGE * CO_CODE_CLASSES, /* no register */
    CO_CODE_PAIR,                    /* + n: SGPRs from 2 n on (sbase of SMEM) */
    CO_CODE_QUAD = CO_CODE_PAIR + 64,   /* + n: SGPRs from 4 n on (descriptors of buffers) */
    CO_CODE_SADDR = CO_CODE_QUAD + 32,  /* + n: scalar address of GLOBAL, which may be off */
    CO_CODE_COUNT = CO_CODE_SADDR + 128
};

/* What a code is; a slot forbids some of these. */
enum {
    CO_IS_VGPR = 1 << 0,
    CO_IS_SGPR = 1 << 1,
    CO_IS_INLINE = 1 << 2,
    CO_IS_LITERAL = 1 << 3, /* forbidden where there can be none */
    CO_IS_OTHER = 1 << 4,   /* src_vccz, DPP, not a source at all */
    CO_IS_M0 = 1 << 5,
    CO_IS_EXEC = 1 << 6,
    CO_IS_NO_PAIR = 1 << 7, /* a tuple of two cannot begin here, or not without a remark */
    CO_IS_NO_TRIPLE = 1 << 8,
    CO_IS_NO_QUAD = 1 << 9,
    CO_IS_NO_8 = 1 << 10,
    CO_IS_NO_16 = 1 << 11,
    CO_IS_LITERAL_HERE = 1 << 12 /* as CO_IS_LITERAL; all slots forbid it, since one has to be fetched */
};

/* The first eight bytes of struct codeobj_isa_operand. */
struct co_operand_head {
    uint8_t kind, role, type, dwords;
    uint16_t reg;
    uint8_t flags, sdwa_sel;
};

/* An operand: code = (words >> shift & mask) + base.  The operand is `head` and what the table says of the code. */
struct co_slot {
    struct co_operand_head head; /* without kind, reg and flags */
    uint16_t base, mask;
    uint8_t shift;
    uint16_t forbid;             /* CO_IS_* that are not plain here; lies beside the same bits of co_code_operand */
};

/* What the table says of a code: an operand, with the code's CO_IS_* where flags and sdwa_sel will be. */
struct co_code_operand {
    uint8_t kind, role, type, dwords;
    uint16_t reg, is;
    uint64_t value;
};

/* The first eight bytes of struct codeobj_isa_inst. */
struct co_inst_head {
    uint16_t row, row_y;
    uint8_t format, encoding, size, operand_count;
};

/* What to do besides the operands. */
enum co_plan_extra {
    CO_EXTRA_NONE = 0,
    CO_EXTRA_IMM,   /* the last operand is simm16 */
    CO_EXTRA_LABEL, /* the last operand is a distance, simm16 * 4 */
    CO_EXTRA_VOP3,  /* clamp, omod, neg, abs */
    CO_EXTRA_VOP3P, /* clamp, op_sel, op_sel_hi, neg_lo, neg_hi */
    CO_EXTRA_DOT,   /* the same without op_sel */
    CO_EXTRA_SMEM,  /* immediate offset, cache bits */
    CO_EXTRA_FLAT,  /* offset, cache bits; no scalar address */
    CO_EXTRA_GLOBAL,
    CO_EXTRA_DS,
    CO_EXTRA_BUFFER
};

enum { CO_PLAN_SLOTS = 5 };

struct co_plan {
    uint64_t reserved;  /* bits of the first two words: any of them is not plain */
    struct co_inst_head inst; /* size: without a literal */
    uint8_t extra;      /* enum co_plan_extra */
    uint8_t place;      /* SMEM, memory: operand that holds the offset or address; else bits, by extra */
    uint8_t unused[6];
    struct co_slot slots[CO_PLAN_SLOTS]; /* those behind the last operand are off */
    uint64_t unused2[3];
};
_Static_assert(sizeof(struct co_plan) == 128, "found by a shift");

/* Which plan: plan_at[first + (first word >> shift & mask)]; by the top nine bits. */
struct co_plan_top {
    uint16_t first, mask, shift, unused;
};

enum { CO_PLAN_INDEX = 6144 };

/* Bit numbers of modifiers whose place differs between processors. */
struct co_plan_fields {
    uint8_t smem_offset_bits, smem_glc, smem_dlc;
    uint8_t flat_offset_bits, flat_glc, flat_slc, flat_dlc;
    uint8_t buffer_offen, buffer_idxen, buffer_slc, buffer_dlc, buffer_scc;
};

struct co_plans {
    struct co_code_operand operand[CO_CODE_COUNT]; /* kind, reg, value and what the code is */
    struct co_plan_top top[512];
    uint16_t at[CO_PLAN_INDEX];  /* plan number, 0: none */
    struct co_plan_fields fields;
    size_t count;
    struct co_plan *plan; /* behind this struct */
};

struct codeobj_isa;

/* Fills isa->plans once everything else of the decoder is there; NULL when there is no memory. */
struct co_plans *co_plans_new(const struct codeobj_isa *isa);

#endif

/* SPDX-License-Identifier: MIT
 *
 * isa/text.h - from words to text without an instruction in between, for plain words.
 *
 * What plan.h prepares for decoding is prepared here for printing: the mnemonic with its suffix, and for each
 * operand the table that holds the names of its registers.  Whatever is not plain, has a literal or an unusual
 * modifier is decoded and printed; tests/unit/test_isa_plan.c holds the two against each other.
 */
#ifndef CO_ISA_TEXT_H
#define CO_ISA_TEXT_H

#include "isa/decoder.h"

/* Tables of names: tuples of each length, and single registers whose constants are of 16 bits. */
enum co_names { CO_NAMES_1, CO_NAMES_1_OF_16, CO_NAMES_2, CO_NAMES_3, CO_NAMES_4, CO_NAMES_8, CO_NAMES_16, CO_NAMES_COUNT };

/* In a table: scalar registers and constants by source code, VGPRs from 256 on. */
enum { CO_NAME_OFF = 512, CO_NAME_NONE, CO_NAME_COUNT };

struct co_text_slot {
    uint16_t base, mask, forbid; /* as in struct co_slot */
    uint8_t shift;
    uint8_t names; /* enum co_names */
};

enum co_text_kind {
    CO_TEXT_NONE = 0, /* decode and print */
    CO_TEXT_PLAIN,
    CO_TEXT_IMM,
    CO_TEXT_LABEL,
    CO_TEXT_SMEM,
    CO_TEXT_FLAT,
    CO_TEXT_GLOBAL,
    CO_TEXT_DS,
    CO_TEXT_DS2,
    CO_TEXT_BUFFER
};

struct co_text {
    uint64_t mask, value; /* plain: words & mask == value */
    uint8_t length;       /* of the mnemonic with suffix and blank */
    uint8_t kind;         /* enum co_text_kind */
    uint8_t size, format, count, imm, place, unused;
    struct co_text_slot slots[CO_PLAN_SLOTS];
    char mnemonic[56];
    uint64_t unused2;
};
_Static_assert(sizeof(struct co_text) == 128, "found by a shift");

/* Of an operand code. */
struct co_text_code {
    uint16_t is;   /* CO_IS_* */
    uint16_t name; /* index in a table */
};

struct co_texts {
    struct co_name name[CO_NAMES_COUNT][CO_NAME_COUNT]; /* length 0: not plain */
    struct co_text_code code[CO_CODE_COUNT];
    struct co_text text[];                              /* by number of the plan */
};

/* Once the plans are there; NULL when there is no memory. */
struct co_texts *co_texts_new(const struct codeobj_isa *isa);

#endif

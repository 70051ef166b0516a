/* SPDX-License-Identifier: MIT
 *
 * isa/mem_decode.h - what the decoders of memory formats share.
 */
#ifndef CO_ISA_MEM_DECODE_H
#define CO_ISA_MEM_DECODE_H

#include "isa/decoder.h"

struct co_mem_dec {
    struct co_decode *d;
    const struct co_mem *mem;
    const struct co_isa_row *row;
    struct codeobj_isa_modifiers *mod;
    uint32_t w[3];   /* the words of the encoding */
    const char *why; /* field at fault */
};

/* Reads `words` dwords; false when they are cut off. */
bool co_mem_begin(struct co_mem_dec *m, struct co_decode *d, unsigned words);
/* Finds the row. */
bool co_mem_row(struct co_mem_dec *m, unsigned row);

static inline uint32_t co_field(const struct co_mem_dec *m, unsigned lo, unsigned n)
{
    uint64_t v = m->w[lo / 32];

    if (lo % 32 + n > 32)
        v |= (uint64_t)m->w[lo / 32 + 1] << 32;
    return (uint32_t)(v >> lo % 32) & ((1u << n) - 1);
}

static inline int32_t co_sext(uint32_t v, unsigned bits)
{
    uint32_t sign = 1u << (bits - 1);

    return (int32_t)((v ^ sign) - sign);
}

void co_mem_vgpr(struct co_mem_dec *m, unsigned role, unsigned dwords, unsigned reg, bool acc);
void co_mem_off(struct co_mem_dec *m, unsigned role);
/* A scalar source by its code (0 to 255). */
bool co_mem_scalar(struct co_mem_dec *m, unsigned role, unsigned code, unsigned dwords);

/* Bits that mean nothing, but may be set. */
static inline void co_mem_ignore(struct co_mem_dec *m, uint32_t bits)
{
    if (bits)
        m->d->dont_care = true;
}

/* False when bits that have to be 0 are not. */
static inline bool co_mem_zero(struct co_mem_dec *m, uint32_t bits, const char *field)
{
    if (bits)
        m->why = field;
    return !bits;
}

#endif

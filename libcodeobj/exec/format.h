/* SPDX-License-Identifier: MIT
 *
 * exec/format.h - formats of typed buffers: components of memory as registers.
 *
 * Source: ISA documents, "Buffer resource data format" tables; LLVM's syntax of
 * MTBUF formats for the unified numbers.
 */
#ifndef CO_EXEC_FORMAT_H
#define CO_EXEC_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum co_number { CO_NUM_UNORM, CO_NUM_SNORM, CO_NUM_USCALED, CO_NUM_SSCALED, CO_NUM_UINT, CO_NUM_SINT, CO_NUM_FLOAT };

struct co_format {
    uint8_t count;    /* components; 0: not a format */
    uint8_t number;   /* enum co_number */
    uint8_t width[4]; /* bits, from the lowest on */
};

/* raw: dfmt | nfmt << 4 to gfx9, the unified number from gfx10 on. */
struct co_format co_format_of(unsigned gen, unsigned raw);
unsigned co_format_bytes(const struct co_format *f);
/* Memory to four registers (f32, integers; d16: f16, 16-bit integers); missing components are 0, 0, 0, 1. */
void co_format_load(const struct co_format *f, const uint8_t *memory, bool d16, uint32_t value[4]);
/* Registers to memory; components beyond `have` are 0. */
void co_format_store(const struct co_format *f, const uint32_t value[4], unsigned have, bool d16, uint8_t *memory);
/* What the selector "one" reads. */
uint32_t co_format_one(const struct co_format *f, bool d16);

#endif

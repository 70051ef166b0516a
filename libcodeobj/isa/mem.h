/* SPDX-License-Identifier: MIT
 *
 * isa/mem.h - memory, image and export instructions: families, kinds, flags.
 *
 * Their rows (table/ds.def, flat.def, buffer.def, image.def, export.def) say what an
 * instruction is.  How its fields lie is a matter of the family and is written in
 * decode_ds.c, decode_flat.c, decode_buffer.c and decode_image.c.
 */
#ifndef CO_ISA_MEM_H
#define CO_ISA_MEM_H

#include "isa/row.h"

/* Families of memory encodings: finer than generations. */
enum co_family {
    CO_G6 = 0,
    CO_G7,
    CO_G8,
    CO_G9,   /* gfx900 to gfx908, gfx90c */
    CO_G90A, /* gfx90a */
    CO_G940, /* gfx942, gfx950 */
    CO_G10,
    CO_G11,
    CO_G12,  /* gfx1200, gfx1201 */
    CO_G125, /* gfx1250, gfx1251 */
    CO_FAMILY_COUNT
};

enum co_mem_kind {
    CO_MEM_LOAD = 1,
    CO_MEM_STORE,
    CO_MEM_ATOMIC,   /* FLAT and buffers: returns if glc (th bit 0) is set; DS: if there is a dst */
    CO_MEM_LDS,      /* between memory and LDS: no data register */
    CO_MEM_ASYNC,    /* the dst or data register holds an LDS address */
    CO_MEM_PREFETCH,
    CO_MEM_CACHE     /* write-back, invalidate: no operands */
};

/* Flags of rows. */
enum {
    CO_MEM_OFF2 = 1 << 0,       /* DS: two 8-bit offsets */
    CO_MEM_SWIZZLE = 1 << 1,    /* DS: the offset is a swizzle pattern */
    CO_MEM_GDS_ONLY = 1 << 2,   /* DS: gds must be set */
    CO_MEM_GDS_NEVER = 1 << 3,  /* DS: gds must not be set */
    CO_MEM_D16 = 1 << 4,        /* writes half of a register: the result is read, too */
    CO_MEM_D16_FMT = 1 << 5,    /* typed 16-bit components, see the head of buffer.def */
    CO_MEM_LDSABLE = 1 << 6,    /* has an lds bit */
    CO_MEM_LDS_GFX950 = 1 << 7, /* the same, on gfx950 only */
    CO_MEM_ADDTID = 1 << 8,     /* address from the lane number: no vaddr */
    CO_MEM_TRANSPOSE = 1 << 11, /* the dst holds a matrix tile: in wave64 half as many registers */
    CO_MEM_UNALIGNED = 1 << 10, /* register tuples may begin anywhere */
    CO_MEM_FATOMIC = 1 << 9     /* float atomics that came with gfx908 and gfx90a: other bits are reserved */
};

/* Flags of image rows: what the address is made of (image.def). */
enum {
    CO_IMG_SAMPLER = 1 << 16,
    CO_IMG_GATHER4 = 1 << 17, /* four results whatever dmask says */
    CO_IMG_GRAD = 1 << 18,
    CO_IMG_G16 = 1 << 19,
    CO_IMG_COORD = 1 << 20,
    CO_IMG_LOD = 1 << 21,
    CO_IMG_CMPSWAP = 1 << 22,
    CO_IMG_MSAA = 1 << 23,
    CO_IMG_BVH = 1 << 24,
    CO_IMG_TENSOR = 1 << 25,
    CO_IMG_HALFS = 1 << 26 /* d16 may be set */
};

/* The memory part of a decoder: facts and opcode -> row number (0: none). */
struct co_mem {
    uint8_t family;     /* enum co_family */
    bool agpr;          /* memory instructions reach AGPRs */
    bool unpacked_d16;  /* D16 formats take a dword for each component */
    bool lds_wide;      /* LDS loads of 96 and 128 bits (gfx950) */
    bool literal;       /* a scalar source may be a literal */
    bool scratch_none;  /* scratch instructions may have neither address */
    uint8_t scalar_off; /* scalar register number that means "off" */
    bool g16;           /* 16-bit gradients are instructions of their own */
    uint16_t ds[256], flat[3][256], mubuf[256], mtbuf[256], mimg[256], vsample[256], exp;
};

void co_mem_traits(struct co_mem *mem, const struct codeobj_processor *processor);
/* Enters a row that this processor has; false when the format is not one of ours. */
bool co_mem_index(struct co_mem *mem, const struct co_isa_row *row, uint16_t i, int op);

/* What a MEM() row says: its operand specs hold the sizes. */
static inline enum co_mem_kind co_mem_kind_of(const struct co_isa_row *row)
{
    return (enum co_mem_kind)(row->ops[0].kind - CO_OPK_MEM_FIRST);
}
static inline unsigned co_mem_dst(const struct co_isa_row *row)
{
    return row->ops[0].dwords;
}
static inline unsigned co_mem_addr(const struct co_isa_row *row)
{
    return row->ops[1].dwords;
}
static inline unsigned co_mem_data(const struct co_isa_row *row)
{
    return row->ops[2].dwords;
}
static inline unsigned co_mem_data1(const struct co_isa_row *row)
{
    return row->ops[3].dwords;
}

#endif

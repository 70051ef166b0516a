/* SPDX-License-Identifier: MIT
 *
 * exec/access.h - what memory instructions have in common: moving values between
 * rows of lanes and memory, once the addresses are known.
 *
 * An instruction is an address calculation (mem_flat.c, mem_buffer.c, mem_ds.c),
 * which fills addr[], and an access, which is one of a few shapes whatever the
 * address came from:
 *
 *     load    bytes 1, 2 (extended, or into one half of the register), 4 to 16
 *     store   the same
 *     atomic  4 or 8 bytes, with or without the old value as the result
 *
 * Lanes are taken in order, so a store or atomic of several lanes to one address
 * ends with the highest lane.
 */
#ifndef CO_EXEC_ACCESS_H
#define CO_EXEC_ACCESS_H

#include "exec/mem.h"

enum co_space {
    CO_SPACE_GLOBAL, /* device memory */
    CO_SPACE_LDS,
    CO_SPACE_SCRATCH,
    CO_SPACE_FLAT,   /* any of the three, lane by lane */
    CO_SPACE_FLAT125 /* the same on gfx125x, where private memory has addresses that all lanes share */
};

/* Addresses of CO_SPACE_SCRATCH are 32-bit offsets; above them, 1 + the lane whose private segment is meant (0: the
 * lane's own). */
#define CO_SCRATCH_OF(lane) ((uint64_t)((lane) + 1) << 32)

enum co_access_kind { CO_ACCESS_LOAD, CO_ACCESS_STORE, CO_ACCESS_ATOMIC };

/* How a load of 1 or 2 bytes fills its register. */
enum co_extend {
    CO_EXT_NONE, /* whole dwords */
    CO_EXT_U8, CO_EXT_I8, CO_EXT_U16, CO_EXT_I16,
    CO_EXT_U8_LO, CO_EXT_I8_LO, CO_EXT_B16_LO, /* d16: the low half, the high one kept */
    CO_EXT_U8_HI, CO_EXT_I8_HI, CO_EXT_B16_HI  /* d16_hi; stores: from the high half */
};

enum co_atomic {
    CO_ATOMIC_SWAP, CO_ATOMIC_CMPSWAP, CO_ATOMIC_ADD, CO_ATOMIC_SUB, CO_ATOMIC_RSUB, CO_ATOMIC_CSUB,
    CO_ATOMIC_COND_SUB, CO_ATOMIC_SUB_CLAMP, CO_ATOMIC_SMIN, CO_ATOMIC_UMIN, CO_ATOMIC_SMAX, CO_ATOMIC_UMAX,
    CO_ATOMIC_AND, CO_ATOMIC_OR, CO_ATOMIC_XOR, CO_ATOMIC_INC, CO_ATOMIC_DEC, CO_ATOMIC_MSKOR, CO_ATOMIC_WRAP,
    CO_ATOMIC_FADD, CO_ATOMIC_FMIN, CO_ATOMIC_FMAX, CO_ATOMIC_FCMPSWAP, CO_ATOMIC_PK_ADD_F16, CO_ATOMIC_PK_ADD_BF16,
    CO_ATOMIC_CONDXCHG32, CO_ATOMIC_NONE
};

struct co_access {
    uint8_t kind;   /* enum co_access_kind */
    uint8_t bytes;  /* per lane, in memory */
    uint8_t ext;    /* enum co_extend */
    uint8_t atomic; /* enum co_atomic */
};

/* Which rows an access uses: first ones, as many as it has dwords. */
struct co_rows {
    uint16_t dst;  /* result; CO_NO_ROW for atomics without one */
    uint16_t data; /* what is stored, an atomic's operand */
    uint16_t cmp;  /* an atomic's second operand */
};
#define CO_NO_ROW 0xffffu

/* One access by the lanes of `lanes`.  addr: per lane, meaning by space.  Returns CO_NEXT or CO_STOP. */
int co_access(struct co_wave *w, const struct co_op *op, enum co_space space, const struct co_access *a,
              const uint64_t *addr, uint64_t lanes, struct co_rows rows);

/* Where lanes are: base + (off[lane] << scale), high[lane] above 32 bits.  off NULL: all at base; high NULL: 0. */
struct co_lanes_at {
    uint64_t base;
    const uint32_t *off, *high;
    uint8_t scale;
};

/* An access by the lanes that are on, seen from the address registers, before there is an address for each lane
 * (lanes/memory.c).  False, with nothing done, when the lanes do not lie within one allocation, LDS or a place of scratch
 * that they have in common, or for a rarer atomic: co_access() will know. */
typedef bool co_move_fn(struct co_wave *w, enum co_space space, const struct co_access *a, const struct co_lanes_at *at,
                        struct co_rows rows);

/* A FLAT, GLOBAL or SCRATCH operation: src[0] vaddr (row or nothing), src[1] saddr (SGPR or nothing), imm offset, aux this. */
struct co_flat {
    struct co_access access;
    struct co_rows rows;
    co_move_fn *move;       /* NULL: never all lanes at once */
    co_handler *otherwise;  /* the operation for lanes that are not one behind the other */
    const uint32_t *steps;  /* lanes one behind the other: what is added to the first one's offset; NULL: no access is as wide */
    uint32_t span, size;    /* ... to the last one's; bytes of all */
    uint8_t space;          /* enum co_space */
    uint8_t scale;          /* log2 of what a 32-bit vaddr counts */
    uint8_t slot;           /* of co_wave.views, to be looked at first */
    uint8_t dwords;         /* block forms: registers at most */
    uint8_t element;        /* transposing loads: bits */
    bool wide;              /* vaddr is 64 bits */
    bool addtid;
};

/* What lanes/memory.c of the device's build has. */
struct co_mover {
    co_move_fn *move;
    /* The handler of a load or store with an address register, but for scratch, in waves of so many lanes. */
    co_handler *(*flat_run)(const struct co_flat *p, unsigned lanes);
    const uint32_t *(*steps)(unsigned step); /* co_flat.steps */
    /* A wave begins: as `first`, and with zeros in rows [0, rows). */
    void (*begin)(struct co_wave *w, const struct co_wave *first, uint32_t rows);
    void (*count_up)(uint32_t *row, uint32_t from, uint32_t lanes); /* from, from + 1 ... */
    const struct co_pair *pairs; /* lanes/int64.c */
};
const struct co_mover *co_mover_of(const struct co_device *device);
const struct co_mover *co_mover_for(const struct co_builder *b);
/* A view of waves for one operation. */
uint8_t co_view_slot(struct co_builder *b);

/* A load whose result goes to LDS: lane i's dwords to base + i * size, 1- and 2-byte values extended to a dword. */
int co_access_to_lds(struct co_wave *w, const struct co_op *op, enum co_space space, const struct co_access *a,
                     const uint64_t *addr, uint64_t lanes, uint32_t base);

/* Transposing loads: what 32 lanes have loaded into rows [from, from + dwords) becomes columns in rows [to, ...) of all lanes;
 * in wave64 half as many rows. */
void co_access_transpose(struct co_wave *w, unsigned bits, unsigned dwords, unsigned from, unsigned to);

/* ---- for builders: an access as the `data` of a co_sem_row ------------------------ */

#define CO_ACCESS_DATA(kind, bytes, ext, atomic) \
    ((uint64_t)(kind) | (uint64_t)(bytes) << 8 | (uint64_t)(ext) << 16 | (uint64_t)(atomic) << 24)
#define CO_ACCESS_ADDTID (UINT64_C(1) << 32)    /* the lane number instead of an address */
#define CO_ACCESS_SWAP_DATA (UINT64_C(1) << 33) /* data0 is the comparand, data1 the new value */
#define CO_ACCESS_STRIDE64 (UINT64_C(1) << 34)  /* offsets count 64 elements */
#define CO_ACCESS_FI (UINT64_C(1) << 35)        /* ds_bpermute_fi */
#define CO_ACCESS_LDS (UINT64_C(1) << 37)       /* between memory and LDS: no data register */
#define CO_ACCESS_FORMAT (UINT64_C(1) << 36)    /* typed: components converted by a format */

#define CO_ACCESS_ELEMENT(bits) ((uint64_t)(bits) << 40) /* transposing loads */

static inline struct co_access co_access_unpack(uint64_t data)
{
    return (struct co_access){ (uint8_t)data, (uint8_t)(data >> 8), (uint8_t)(data >> 16), (uint8_t)(data >> 24) };
}

/* Finds the rows of destination and data; notes what is written. */
enum codeobj_status co_access_rows(struct co_builder *b, const struct codeobj_isa_inst *inst,
                                   const struct co_access *a, struct co_rows *out);

/* The new value of an atomic of 4 or 8 bytes; cmp: second data operand. */
uint64_t co_atomic_apply(enum co_atomic atomic, unsigned bytes, uint64_t old, uint64_t data, uint64_t cmp);

/* Writes a loaded 1- or 2-byte value into a register as ext says. */
static inline uint32_t co_extend(enum co_extend ext, uint32_t raw, uint32_t old)
{
    switch (ext) {
    case CO_EXT_U8: return (uint8_t)raw;
    case CO_EXT_I8: return (uint32_t)(int8_t)raw;
    case CO_EXT_U16: return (uint16_t)raw;
    case CO_EXT_I16: return (uint32_t)(int16_t)raw;
    case CO_EXT_U8_LO: return (old & 0xffff0000u) | (uint8_t)raw;
    case CO_EXT_I8_LO: return (old & 0xffff0000u) | (uint16_t)(int8_t)raw;
    case CO_EXT_B16_LO: return (old & 0xffff0000u) | (uint16_t)raw;
    case CO_EXT_U8_HI: return (old & 0xffffu) | (uint32_t)(uint8_t)raw << 16;
    case CO_EXT_I8_HI: return (old & 0xffffu) | (uint32_t)(uint16_t)(int8_t)raw << 16;
    case CO_EXT_B16_HI: return (old & 0xffffu) | raw << 16;
    default: return raw;
    }
}

/* Lanes that are on.  EXEC_HI is no part of EXEC in wave32. */
static inline uint64_t co_on(const struct co_wave *w)
{
    return co_exec(w) & w->lane_mask;
}

#define CO_EACH_ON(lane, mask) \
    for (uint64_t rest_ = (mask); rest_ && ((lane) = (unsigned)__builtin_ctzll(rest_), 1); rest_ &= rest_ - 1)

#endif

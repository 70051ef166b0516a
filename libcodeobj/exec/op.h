/* SPDX-License-Identifier: MIT
 *
 * exec/op.h - decoded operations, and how a family of handlers joins in.
 *
 * An instruction is decoded once into a struct co_op: a handler and operands that
 * need no further thought (row numbers, scalar slots, constants already spread
 * over 64 lanes).  Whatever is known from the encoding and the processor is
 * decided here; handlers never look at a generation or a modifier.
 *
 * To add a family of handlers: write FAMILY.c with
 *
 *     static int my_handler(struct co_wave *w, const struct co_op *op) { ... return CO_NEXT; }
 *     static enum codeobj_status my_build(struct co_builder *b, const struct codeobj_isa_inst *inst,
 *                                         struct co_op *op)
 *     {
 *         op->fn = b->row->fn;                    // or choose
 *         return co_build_operands(b, inst, op);  // or resolve them one by one
 *     }
 *     void co_family_my(struct co_sem_row *rows)
 *     {
 *         CO_ROW(CO_SEM_X, my_build, my_handler, NULL, 0, false),
 *         CO_ROW(CO_SEM_Y, my_build, my_other_handler, NULL, 0, false);
 *     }
 *
 * and name it in co_families[] (registry.c).  A semantic that appears in
 * two families is a mistake which tests/unit/test_registry.c finds.
 *
 * Loops over lanes that deserve wide vectors go to lanes/ (see lanes/lanes.h).
 */
#ifndef CO_EXEC_OP_H
#define CO_EXEC_OP_H

#include <stdatomic.h>

#include "base/arena.h"
#include "exec/wave.h"

typedef int co_handler(struct co_wave *w, const struct co_op *op); /* returns enum co_step */

enum co_src_kind {
    CO_SRC_NONE = 0, /* absent ("off"); reads as 0 */
    CO_SRC_ROW,      /* reg: row of the register file; more dwords: the rows behind */
    CO_SRC_CONST,    /* row: spread constant, 2 rows (low dword, high dword) */
    CO_SRC_SGPR,     /* reg: slot of s[] */
    CO_SRC_VCCZ,     /* scalar values that are computed when read */
    CO_SRC_EXECZ,
    CO_SRC_LDS       /* LDS_DIRECT: one value of LDS, at M0 */
};

struct co_src {
    const uint32_t *row; /* CONST */
    uint16_t reg;
    uint8_t kind;        /* enum co_src_kind */
    uint8_t dwords;
};

enum co_dst_kind { CO_DST_NONE = 0, CO_DST_ROW, CO_DST_SGPR };

#define CO_OP_EXEC_DST 0x01u  /* writes s[126..127]: co_exec_changed() afterwards */
#define CO_OP_CLAMP 0x02u
#define CO_OP_SAVE_PC 0x04u
#define CO_OP_VALU 0x08u      /* a vector instruction */
#define CO_OP_MEMORY 0x10u    /* vector memory, LDS, export */
#define CO_OP_ALONE 0x20u     /* looks at wave->clock or wave->op: see CO_ALONE */

#define CO_OP_SRC_MAX 5
#define CO_JOINED_MAX 8 /* instructions that one call of co_op.run does, at most */

struct co_op {
    co_handler *_Atomic fn;   /* this instruction; set last: until then the slot decodes itself */
    co_handler *_Atomic run;  /* the same, or this one and others behind it: see next and count; set last too */
    _Atomic uint8_t dwords;   /* of code */
    uint64_t pc;              /* from here on written before fn and run, immutable afterwards */
    const struct co_op *next; /* behind what run does */
    const struct co_op *link; /* branches: the target; modified operations: the bare one; pairs: the second */
    const void *aux;          /* whatever the family keeps beside it (code arena) */
    int64_t imm;              /* simm16, byte offset, return address ... as the handler wants it */
    uint32_t flags;           /* CO_OP_*, above bit 8 the family's own */
    uint16_t dst, dst2;       /* row or slot; dst2: second (mask) destination, CO_S_SINK when there is none */
    uint8_t dst_kind, dst_dwords;
    uint8_t src_count;
    uint8_t count;            /* instructions that run does */
    uint16_t sem;             /* enum co_sem */
    uint16_t data_row;        /* memory forms: first row of the data operand */
    struct co_src src[CO_OP_SRC_MAX];
};

/* Two operations that compilers write one behind the other, and a handler that does both in one go and leaves the same behind.
 * Neither can fault, wait or jump or is CO_OP_ALONE; waits and hints may lie between them.  The handler gets the first, whose link is the second. */
struct co_pair {
    co_handler *head, *tail; /* as built */
    uint16_t tail_sem;
    bool (*fits)(const struct co_op *head, const struct co_op *tail);
    co_handler *run;         /* NULL ends a list */
};

/* The handler of instructions that change nothing here: waits, hints, cache control (flow.c). */
int co_run_nothing(struct co_wave *w, const struct co_op *op);

struct co_sem_row;

/* What a builder knows besides the instruction. */
struct co_builder {
    struct co_code *code;
    const struct codeobj_isa *isa;
    const struct codeobj_processor *processor;
    const struct co_sem_row *row;  /* this semantic's */
    struct co_arena *arena;        /* lives as long as the device */
    unsigned wave;                 /* 32 or 64 */
    uint64_t pc;                   /* of the instruction */
    uint8_t vgpr_msb;              /* high bits of VGPR numbers that the operands have already */
    bool half_y;                   /* VOPD: build the Y half (operands with CODEOBJ_OPERAND_Y) */
    const char *why;               /* reason for UNSUPPORTED; static or in the arena */
};

/* Fills op (all 0 but pc, dwords, sem, dst2 = CO_S_SINK).  UNSUPPORTED with b->why set makes an
 * operation that stops the launch when it is reached. */
typedef enum codeobj_status co_build_fn(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op);

struct co_sem_row {
    uint16_t sem;      /* enum co_sem; 0: no handler */
    co_build_fn *build;
    co_handler *fn;    /* for the builder */
    co_handler *alt;   /* vector integers: with clamp; else the builder's own */
    uint64_t data;     /* for the builder */
    bool raw;          /* vector formats: the builder sees to all modifiers itself; else they are taken away first */
};

/* A family enters its rows, by semantic.  It is a function and no array, because arrays of pointers are
 * relocated by every process that starts, and most never execute anything.  rows[0].data counts the rows. */
typedef void co_family(struct co_sem_row *rows);
void co_row_enter(struct co_sem_row *rows, unsigned sem, co_build_fn *build, co_handler *fn, co_handler *alt, uint64_t data,
                  bool raw);
#define CO_ROW(...) co_row_enter(rows, __VA_ARGS__)

/* ---- for builders ---------------------------------------------------------- */

/* Operands that are not in the text matter to a builder only when they are masks that are chosen
 * between (v_dual_cndmask's VCC); EXEC, SCC, M0 and MODE are known to the handlers. */
static inline bool co_is_implicit(const struct codeobj_isa_operand *o)
{
    return (o->flags & CODEOBJ_OPERAND_HIDDEN) && !(o->type == CODEOBJ_TYPE_MASK && o->role == CODEOBJ_ROLE_SRC2);
}

/* Operand with a role (first one; VOPD: of the half at hand), or NULL. */
const struct codeobj_isa_operand *co_operand_of(const struct co_builder *b, const struct codeobj_isa_inst *inst,
                                             enum codeobj_isa_role role);

/* Resolves a source.  NULL gives CO_SRC_NONE. */
enum codeobj_status co_build_src(struct co_builder *b, const struct codeobj_isa_operand *operand, struct co_src *out);
/* A constant spread over two rows; deduplicated.  NULL: no memory. */
const uint32_t *co_build_const(struct co_builder *b, uint64_t value);
/* Row of a VGPR or AGPR. */
static inline uint16_t co_row_of(const struct codeobj_isa_operand *operand)
{
    return (uint16_t)((operand->kind == CODEOBJ_OPERAND_AGPR ? CO_ROW_A : CO_ROW_V) + operand->reg);
}
/* Slot of a scalar register as a destination (NULL goes to the sink) or source (NULL is 0). */
uint16_t co_slot_dst(const struct co_builder *b, unsigned reg);
uint16_t co_slot_src(const struct co_builder *b, unsigned reg);
/* dst from DST/DSTSRC, dst2 from DST2, imm from IMM, src[] from the sources in printed order and
 * then DSTSRC: what most instructions want.  Modifiers are not looked at (see modified.h). */
enum codeobj_status co_build_operands(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op);
/* Number of M0 in the scalar source space. */
unsigned co_reg_m0(const struct co_builder *b);
/* Notes that rows [row, row + count) may be written, so that waves begin with 0 in them. */
void co_build_touches(struct co_builder *b, unsigned row, unsigned count);

/* Builds one instruction into *op with the family that has its semantic (build.c). */
enum codeobj_status co_build(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op);

/* Slot of the operation at a code address for a wave with these high bits of VGPR numbers (s_set_vgpr_msb; 0 but on
 * gfx1250), NULL when it is not executable (or memory is out).  Thread-safe; does not decode. */
const struct co_op *co_code_at(struct co_code *code, unsigned vgpr_msb, uint64_t pc);
/* Is there code at the address, so that only memory can have been missing? */
bool co_code_is_executable(const struct co_code *code, uint64_t pc);
/* The fault for an address that co_code_at() had nothing for. */
int co_fetch_fault(struct co_wave *w, const struct co_op *op, uint64_t addr);
/* Goes on at addr, with the wave's high bits of VGPR numbers. */
int co_jump_to(struct co_wave *w, const struct co_op *op, uint64_t addr);

/* ---- for handlers ---------------------------------------------------------- */

/* What LDS_DIRECT reads: M0 (a slot) has the byte address in its low half, the type in bits 18:16. */
uint32_t co_lds_direct(struct co_wave *w, unsigned m0);

/* A 32-bit scalar operand.  It calls nothing, so that scalar handlers need no stack. */
static inline uint32_t co_scalar(const struct co_wave *w, const struct co_src *src)
{
    if (__builtin_expect(src->kind == CO_SRC_SGPR, 1))
        return w->s[src->reg];
    switch (src->kind) {
    case CO_SRC_CONST: return src->row[0];
    case CO_SRC_ROW: return w->v[src->reg][0];
    case CO_SRC_VCCZ: return co_mask_get(w, CO_S_VCC) == 0;
    case CO_SRC_EXECZ: return co_exec(w) == 0;
    default: return 0;
    }
}

static inline uint64_t co_scalar64(const struct co_wave *w, const struct co_src *src)
{
    switch (src->kind) {
    case CO_SRC_SGPR: return w->s[src->reg] | (uint64_t)w->s[src->reg + 1] << 32;
    case CO_SRC_CONST: return src->row[0] | (uint64_t)src->row[CO_LANES_MAX] << 32;
    case CO_SRC_ROW: return w->v[src->reg][0] | (uint64_t)w->v[src->reg + 1][0] << 32;
    default: return co_scalar(w, src);
    }
}

/* The same for a vector instruction, which may have LDS_DIRECT. */
static inline uint32_t co_scalar_or_lds(struct co_wave *w, const struct co_src *src)
{
    return src->kind == CO_SRC_LDS ? co_lds_direct(w, 124) : co_scalar(w, src);
}

/* Spreads a scalar over splat[n]. */
const uint32_t *co_splat(struct co_wave *w, const struct co_src *src, unsigned n);

/* A vector operand as a row of lanes; the high dwords of wider ones lie in the rows behind.
 * The row may be the destination's: a handler that crosses lanes copies it first. */
static inline const uint32_t *co_row(struct co_wave *w, const struct co_op *op, unsigned n)
{
    const struct co_src *src = &op->src[n];
    if (__builtin_expect(src->kind == CO_SRC_ROW, 1))
        return w->v[src->reg];
    if (src->kind == CO_SRC_CONST)
        return src->row;
    if (src->kind == CO_SRC_SGPR && src->dwords <= 2) {
        /* Here and not in co_splat(): stores as wide as the loads that follow, which else would have to wait for them. */
        uint32_t *const row = w->splat[n];
        const uint32_t value = w->s[src->reg];
        for (ptrdiff_t at = 0, lanes = w->lanes; at < lanes; at += 32)
            for (ptrdiff_t i = 0; i < 32; i++)
                row[at + i] = value;
        if (src->dwords == 2) {
            const uint32_t high = w->s[src->reg + 1];
            for (ptrdiff_t i = 0; i < CO_LANES_MAX; i++)
                row[CO_LANES_MAX + i] = high;
        }
        return row;
    }
    return co_splat(w, src, n);
}

static inline void co_scalar_put(struct co_wave *w, const struct co_op *op, uint32_t value)
{
    w->s[op->dst] = value;
    if (op->flags & CO_OP_EXEC_DST)
        co_exec_changed(w);
}

static inline void co_scalar_put64(struct co_wave *w, const struct co_op *op, uint64_t value)
{
    w->s[op->dst] = (uint32_t)value;
    w->s[op->dst + 1] = (uint32_t)(value >> 32);
    if (op->flags & CO_OP_EXEC_DST)
        co_exec_changed(w);
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * exec/wave.h - the state of a running wave, its work-group and its thread.
 *
 * Lanes lie in rows: v[reg][lane], 64 lanes a row whatever the wave size, each
 * row aligned to 64 bytes, so that a handler is one straight loop.  The same
 * array goes on behind the VGPRs: AGPRs, then scratch rows that the operand
 * fetch uses (CO_ROW_*), so that a modified operand, an AGPR and a VGPR look the
 * same to a handler.
 *
 * Scalars lie in s[], numbered as the processor's scalar source space numbers
 * them (s0.., VCC 106, ttmp 108.., M0, EXEC 126), with SCC and the two halves of
 * NULL behind (CO_S_*).  EXEC is kept twice: as bits in s[126..127] and expanded
 * in mask[]; whoever writes s[126..127] calls co_exec_changed().
 *
 * Rows of an allocation that nobody has written since the thread began are 0, and
 * a wave begins with all rows 0 that any decoded instruction can write: a kernel
 * that reads a register before it writes it gets 0 on every run.
 *
 * Source: LLVM's User Guide for AMDGPU Backend, Initial Kernel Execution State;
 * AMD's ISA documents, chapters "Program state" (kernel state).
 */
#ifndef CO_EXEC_WAVE_H
#define CO_EXEC_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <codeobj/exec.h>

#define CO_LANES_MAX 64

/* Rows of the register file. */
enum {
    CO_ROW_V = 0,      /* v0-v255, to v1023 on gfx125x */
    CO_ROW_A = 1024,   /* a0-a255 */
    CO_ROW_TMP = 1280, /* rows for fetched operands: nobody keeps anything here between instructions */
    CO_ROW_TMP_COUNT = 64,
    CO_ROW_COUNT = CO_ROW_TMP + CO_ROW_TMP_COUNT
};

/* Scalar slots behind the 128 numbers of the source space. */
enum {
    CO_S_VCC = 106,
    CO_S_EXEC = 126,
    CO_S_SINK = 128, /* where writes to NULL go: 16 slots */
    CO_S_ZERO = 144, /* what NULL reads: 16 slots, never written */
    CO_S_SCC = 160,  /* 0 or 1 */
    CO_S_COUNT = 164
};

/* What a handler tells the loop. */
enum co_step {
    CO_NEXT = 0, /* go on behind this operation */
    CO_JUMP,     /* go on at wave->op, which the handler has set */
    CO_REDO,     /* the same, and nothing has been done yet (the operation has just been decoded) */
    CO_ALONE,    /* nothing has been done; wave->op and clock are to be as this operation finds them, then its fn is run */
    CO_YIELD,    /* let the other waves of the work-group run (s_sleep, waiting) */
    CO_WAIT,     /* wave->wait says for what; afterwards as CO_NEXT, but CO_WAIT_GWS runs this operation again */
    CO_END,      /* the wave has ended */
    CO_STOP      /* wave->fault is set */
};

enum co_fault_kind {
    CO_FAULT_NONE = 0,
    CO_FAULT_READ,        /* no memory at addr */
    CO_FAULT_WRITE,
    CO_FAULT_ATOMIC,
    CO_FAULT_READ_ONLY,   /* memory, but not writable */
    CO_FAULT_MISALIGNED,
    CO_FAULT_SCRATCH,     /* beyond the work-item's private segment */
    CO_FAULT_FETCH,       /* addr is not in an executable segment */
    CO_FAULT_ILLEGAL,     /* not an instruction of this processor */
    CO_FAULT_UNSUPPORTED, /* an instruction without semantics; text says why */
    CO_FAULT_TRAP,        /* s_trap; text says which */
    CO_FAULT_DEADLOCK,    /* every wave of the group waits */
    CO_FAULT_LIMIT,       /* the instruction budget is used up */
    CO_FAULT_NO_MEMORY,   /* for decoded code */
    CO_FAULT_OTHER        /* text says what */
};

/* A fault is a value: recorded once, formatted when the dispatch has ended. */
struct co_fault {
    uint8_t kind;   /* enum co_fault_kind */
    uint8_t lane;   /* 255: of the whole wave */
    uint8_t vgpr_msb;
    uint32_t size;  /* bytes of the access */
    uint64_t pc, addr;
    const char *text; /* static or owned by the code cache; NULL: none */
};

struct co_op;
struct co_wave;
struct co_group;
struct co_device;
struct co_code;

/* What a wave waits for. */
enum co_wait { CO_WAIT_NONE = 0, CO_WAIT_NAMED = 1, CO_WAIT_BARRIER = 2, CO_WAIT_GWS = 4 }; /* 1, 2: bits of `complete` */

/* A resource of global wave sync; see mem_gws.c. */
struct co_gws {
    uint32_t counter, arrived, phase;
};

/* One range of device memory, as the look-up cache keeps it. */
struct co_view {
    uint64_t addr, size;
    uint8_t *host;
    uint32_t perm; /* CO_PERM_* */
};

#define CO_VIEWS 8 /* of a wave: kernels work on a few buffers in turns */
#define CO_VIEW_SCALAR 1 /* where scalar loads look first: kernel arguments */
#define CO_VIEW_FIRST 2  /* from here on for vector operations, in turns */

/* MODE, taken apart when it is written. */
struct co_mode {
    uint32_t bits;
    uint8_t round32, round64;   /* 0 nearest even, 1 up, 2 down, 3 toward 0; round64: f64 and f16 */
    uint8_t denorm32, denorm64; /* bit 0: inputs kept, bit 1: results kept; 3: all denormals kept */
    bool plain32, plain64, plain16;      /* nearest even and nothing flushed: the host's own arithmetic will do */
    bool dx10_clamp, ieee, fp16_ovfl;
    bool gpr_idx; /* VGPR indexing: run.c shifts register numbers by M0 */
    bool vskip;   /* run.c skips vector and memory instructions */
    uint32_t switches; /* co_mode_switches() of the processor, set before MODE */
};

struct co_wave {
    /* The same for all waves that run here during a dispatch. */
    uint32_t (*v)[CO_LANES_MAX];      /* CO_ROW_COUNT rows */
    uint64_t lane_mask;               /* bits of the lanes that exist */
    uint32_t lanes;                   /* 32 or 64 */
    uint32_t index;                   /* in the work-group */
    struct co_group *group;
    const struct co_device *device;
    struct co_code *code;
    uint8_t *scratch;                 /* this wave's private segments; see mem.h */
    uint32_t scratch_size;            /* bytes per work-item */
    bool alone;                       /* no other thread runs work-groups of this dispatch */
    const struct codeobj_dispatch *watch; /* whose memory hook is told of accesses, or NULL */
    struct co_view views[CO_VIEWS];   /* ranges that were hit */
    /* From here to splat[] a wave begins as co_launch_first() has it. */
    _Alignas(64) const struct co_op *op; /* between slices the next operation; the one at hand when it runs by its `fn` */
    struct co_mode mode;
    bool full;                        /* every lane is on */
    bool ended;
    uint8_t wait;                     /* enum co_wait */
    uint8_t complete;                 /* barriers that have completed since the wave last waited: CO_WAIT_* */
    uint8_t joined;                   /* named barrier, 0: none */
    bool gws_waiting;
    bool dynamic_vgprs;               /* the descriptor asks for them */
    uint8_t vgpr_granules;            /* granulated_workitem_vgpr_count of the descriptor: what GPR_ALLOC shows */
    uint8_t priority;                 /* s_setprio: seen in hardware registers only */
    uint32_t exception_flags;         /* as the wave has written them: none is raised here */
    uint8_t vgpr_msb;                 /* s_set_vgpr_msb: which set of decoded operations is run, see code.c */
    uint32_t gws_seen, gws_phase;     /* state of global wave sync that the wave waits to see changed */
    uint64_t clock;                   /* wave instructions so far: what s_memtime reads; like op, not kept up by the usual loop */
    const struct co_op *last_op;      /* the operation that ended the last slice by waiting, ending or stopping */
    struct co_fault fault;
    _Alignas(64) uint32_t mask[CO_LANES_MAX]; /* EXEC, a lane an element: 0 or ~0 */
    _Alignas(64) uint32_t s[CO_S_COUNT];
    _Alignas(64) uint32_t splat[8][2 * CO_LANES_MAX]; /* scalar operands of the instruction at hand, spread out */
};

#define CO_NAMED_BARRIERS 16
struct co_named_barrier {
    uint8_t members, arrived;
    bool valid;
};

/* The first access beyond the end of LDS of a work-group, and how many there were. */
struct co_lds_miss {
    uint64_t pc;
    uint32_t addr, size, count, wave;
    uint8_t lane; /* 255: of the whole wave */
    uint8_t vgpr_msb;
};

/* A work-group: run by one thread, its waves in turns. */
struct co_group {
    struct co_thread *thread;
    struct co_wave *waves;
    uint32_t wave_count, ended_count;
    uint32_t id[3];
    uint8_t *lds;
    uint32_t lds_size;     /* bytes the group may touch */
    uint32_t barrier_arrived;
    struct co_named_barrier named[CO_NAMED_BARRIERS + 1];
    uint32_t gws_changes;
    bool alone;            /* the only work-group of its dispatch */
    uint64_t linear_id;
    struct co_lds_miss lds_miss; /* accesses that read 0 or were dropped */
    bool gws_used;         /* few groups do: gws[], which comes last, is cleared behind those only */
    struct co_gws gws[64];
};

static inline uint64_t co_exec(const struct co_wave *w)
{
    return w->s[CO_S_EXEC] | (uint64_t)w->s[CO_S_EXEC + 1] << 32;
}

/* Re-expands EXEC after s[126..127] was written; drops bits of lanes that do not exist. */
void co_exec_changed(struct co_wave *w);

static inline void co_exec_set(struct co_wave *w, uint64_t exec)
{
    w->s[CO_S_EXEC] = (uint32_t)exec;
    w->s[CO_S_EXEC + 1] = (uint32_t)(exec >> 32);
    co_exec_changed(w);
}

/* A lane mask operand: one register in wave32, two in wave64. */
static inline uint64_t co_mask_get(const struct co_wave *w, unsigned reg)
{
    return w->lanes == 32 ? w->s[reg] : w->s[reg] | (uint64_t)w->s[reg + 1] << 32;
}

/* EXEC as a mask destination is for the caller to notice (co_exec_changed). */
static inline void co_mask_put(struct co_wave *w, unsigned reg, uint64_t mask)
{
    w->s[reg] = (uint32_t)mask;
    if (w->lanes == 64)
        w->s[reg + 1] = (uint32_t)(mask >> 32);
}

/* Bits of MODE under which each instruction runs by itself (run.c). */
#define CO_MODE_GPR_IDX (1u << 27)
#define CO_MODE_VSKIP (1u << 28)

/* Those that the processor has: elsewhere the bits mean something else. */
struct codeobj_processor;
uint32_t co_mode_switches(const struct codeobj_processor *p);

static inline bool co_mode_singly(const struct co_wave *w)
{
    return w->mode.gpr_idx || w->mode.vskip;
}

/* Takes MODE apart. */
void co_mode_set(struct co_wave *w, uint32_t bits);

/* The same for an instruction, and its step: the loop looks at such modes between turns only. */
int co_mode_write(struct co_wave *w, uint32_t bits);

/* Completes the work-group's barrier when all waves that are left have arrived (barrier.c). */
void co_barrier_check(struct co_group *g);

/* Records a fault of the instruction at hand and returns CO_STOP.  lane 255: the whole wave. */
int co_fault(struct co_wave *w, const struct co_op *op, enum co_fault_kind kind, unsigned lane, uint64_t addr,
             uint32_t size, const char *text);

/* Notes an access beyond the end of LDS, which reads 0 or is dropped.  op may be NULL. */
void co_lds_missed(struct co_wave *w, const struct co_op *op, unsigned lane, uint32_t addr, uint32_t size);

#endif

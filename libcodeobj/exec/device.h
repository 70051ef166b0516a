/* SPDX-License-Identifier: MIT
 *
 * exec/device.h - what a device is made of.  Internal to exec/.
 */
#ifndef CO_EXEC_DEVICE_H
#define CO_EXEC_DEVICE_H

#include <pthread.h>

#include "exec/mem.h"

/* ---- memory (memory.c) ----------------------------------------------------- */

struct co_alloc {
    uint64_t addr, size;
    uint8_t *host;
    uint32_t perm;
    bool owns_host;  /* segments of an image lie in the object's block */
    bool is_user;    /* may be released through the API */
    char name[64];
};

struct co_memory {
    struct co_alloc *allocs; /* by address, never overlapping */
    size_t count, capacity;
    uint64_t next_addr, used, limit;
};

void co_memory_init(struct co_memory *m, uint64_t limit);
void co_memory_free(struct co_memory *m);
/* The allocation that holds addr, or NULL. */
const struct co_alloc *co_memory_find(const struct co_memory *m, uint64_t addr);
/* The one whose bounds are nearest to addr, or NULL when there is none. */
const struct co_alloc *co_memory_nearest(const struct co_memory *m, uint64_t addr);
/* Picks an address for size bytes, with room around it.  align: a power of two. */
uint64_t co_memory_place(struct co_memory *m, uint64_t size, uint64_t align);
/* Adds a range at a placed address; host == NULL: allocates zeros. */
enum codeobj_status co_memory_add(struct co_memory *m, const struct co_alloc *alloc, struct codeobj_diag *diag);
/* Removes the allocation that starts at addr. */
enum codeobj_status co_memory_remove(struct co_memory *m, uint64_t addr, bool user);
/* [addr, addr + size) within one allocation, or NULL. */
uint8_t *co_memory_host(const struct co_memory *m, uint64_t addr, uint64_t size, uint32_t perm);

/* ---- code (code.c) ----------------------------------------------------------- */

/* Operations of the executable segments, for one wave size.  Slots decode themselves
 * when they are first reached, so that code may be jumped to anywhere; a slot is built
 * once and then immutable.  Thread-safe. */
struct co_region;
#define CO_MSB_COUNT 256 /* values of the high bits of VGPR numbers */

struct co_const {
    uint64_t value;
    uint32_t *rows; /* NULL: free slot */
};

struct co_code {
    const struct co_device *device;
    struct codeobj_isa *isa;
    unsigned wave;
    struct co_region *regions;
    size_t region_count;
    struct co_sem_row *rows;        /* by semantic */
    struct co_const *consts;
    size_t const_count, const_capacity;
    struct co_arena arena;
    pthread_mutex_t lock;
    bool has_lock;
    uint32_t slots;                 /* views of waves that were given to operations */
    _Atomic uint32_t msb_pages;     /* pages for high bits other than 0 */
    _Atomic uint32_t touched;       /* rows [0, touched) and the AGPR rows [0, touched_a) may have been written */
    _Atomic uint32_t touched_a;
};

/* What executes a semantic; NULL: nothing does. */
const struct co_sem_row *co_code_row(const struct co_code *code, unsigned sem);

enum codeobj_status co_code_init(struct co_code *code, const struct co_device *device, unsigned wave,
                                 struct codeobj_diag *diag);
void co_code_free(struct co_code *code);
/* Adds executable ranges; not while a dispatch runs.  bytes stay valid until co_code_free. */
enum codeobj_status co_code_add(struct co_code *code, uint64_t addr, uint64_t size, const uint8_t *bytes,
                                struct codeobj_diag *diag);
/* Semantic of a row of the instruction table (enum co_sem). */
unsigned co_isa_row_sem(unsigned row);
/* Text of the instruction at pc ("?" when there is none). */
void co_code_text(const struct co_code *code, unsigned vgpr_msb, uint64_t pc, char *buf, size_t size);
/* Decodes the instruction at pc. */
bool co_code_inst(const struct co_code *code, unsigned vgpr_msb, uint64_t pc, struct codeobj_isa_inst *out);

/* ---- registry (registry.c) --------------------------------------------------- */

/* Fills rows[CO_SEM_COUNT] for a variant of the lane loops ("base", "avx2", "avx512"). */
void co_registry_fill(struct co_sem_row *rows, unsigned lanes);
size_t co_registry_size(void);
enum { CO_LANES_BASE = 0, CO_LANES_AVX2, CO_LANES_AVX512, CO_LANES_COUNT };

/* ---- the device (device.c) ----------------------------------------------------- */

struct co_object {
    const struct codeobj_elf *elf;
    struct codeobj_image *image;
    struct codeobj_metadata *metadata; /* NULL: none */
    uint8_t *host;                     /* the segments' bytes */
};

struct co_thread;

struct codeobj_device {
    struct codeobj_target target;
    struct co_memory memory;
    struct co_object *objects;
    size_t object_count;
    struct co_code *code[2];           /* wave32, wave64; NULL until needed */
    struct co_thread **threads;        /* kept between dispatches */
    size_t thread_count;
    unsigned lanes;                    /* CO_LANES_* */
};

/* struct co_device is what handlers see; it is the public handle. */
static inline const struct codeobj_device *co_device_of(const struct co_device *device)
{
    return (const struct codeobj_device *)(const void *)device;
}

/* The code cache for a wave size, made on first use. */
enum codeobj_status co_device_code(struct codeobj_device *device, unsigned wave, struct co_code **out,
                                   struct codeobj_diag *diag);

/* ---- launch (launch.c) ------------------------------------------------------------ */

/* Everything a dispatch has found out before the first wave starts; immutable while it runs. */
/* What kernels get where the host would have a buffer: nothing is there, and a fault says what was wanted. */
#define CO_HOST_CALLS UINT64_C(0x300000000000)  /* hidden_hostcall_buffer */
#define CO_HOST_PRINTF UINT64_C(0x300000010000) /* hidden_printf_buffer */
#define CO_HOST_END UINT64_C(0x300000020000)

struct co_launch {
    struct codeobj_device *device;
    struct co_code *code;
    const struct co_mover *mover;
    const struct codeobj_dispatch *dispatch;
    struct codeobj_kernel_descriptor kd;
    const struct codeobj_processor *processor;
    uint64_t entry;
    const struct co_op *entry_op;
    uint64_t kernarg_addr, kernarg_size, packet_addr, queue_addr;
    uint8_t kernarg_head[128]; /* first bytes, for preloading */
    uint32_t grid[3], group[3], groups[3], dims;
    uint64_t group_total;
    uint32_t lanes, waves_per_group;
    uint32_t lds_size, scratch_size;
    uint32_t mode;
    uint16_t index_slot;       /* SGPR that tells the waves of a work-group apart; CO_S_SINK: none */
    char name[256];
};

enum codeobj_status co_launch_prepare(struct codeobj_device *device, const struct codeobj_dispatch *dispatch,
                                      struct co_launch *out, struct codeobj_diag *diag);
void co_launch_finish(struct co_launch *launch);
/* State of a wave at its first instruction: what all have in common (w is zeros), then what those of a work-group have,
 * then the rest (the state is there, and w->index and all-zero rows). */
void co_launch_first(const struct co_launch *launch, struct co_wave *w);
void co_launch_group(const struct co_launch *launch, const struct co_group *group, struct co_wave *w);
void co_launch_wave(const struct co_launch *launch, struct co_wave *w, const uint32_t extent[3]);

/* Formats a fault and returns its status (fault.c). */
enum codeobj_status co_fault_report(const struct co_launch *l, const struct co_fault *f, const uint32_t id[3],
                                    uint32_t wave, struct codeobj_diag *diag);
/* Tells the dispatch's warning function about accesses beyond LDS. */
void co_lds_report(const struct co_launch *l, const struct co_lds_miss *m, const uint32_t id[3]);

/* ---- running (run.c) ----------------------------------------------------------------- */

struct co_run; /* shared by the threads of one dispatch */

struct co_thread {
    _Alignas(64) struct co_run *run;
    struct co_wave *waves;       /* wave_capacity, each with its rows */
    uint32_t wave_capacity;
    uint8_t *rows;               /* mapped: wave_capacity * CO_ROW_COUNT rows */
    uint8_t *scratch;            /* mapped */
    size_t scratch_bytes;
    uint8_t *lds;
    size_t lds_bytes;
    uint64_t instructions, waves_run, groups_run;
    uint64_t budget;             /* wave instructions taken off the dispatch's */
    struct co_group group;
    bool fresh;                  /* no group of this dispatch yet */
    uint32_t touched, touched_a; /* high-water of what this thread's rows may hold */
    struct co_wave first;        /* how the waves of the group at hand begin */
};

void co_thread_free(struct co_thread *thread);

#endif

/* SPDX-License-Identifier: MIT
 *
 * codeobj/exec.h - the reference executor.
 *
 * A device is an address space of its own plus loaded code objects; a dispatch
 * runs one kernel on it, on the CPU, and returns when all work-groups have
 * ended or something went wrong.  A kernel can reach nothing of the host.
 *
 * Source: LLVM's User Guide for AMDGPU Backend, AMDHSA chapter (initial kernel
 * execution state, kernel dispatch); HSA Runtime specification (AQL packet).
 */
#ifndef CODEOBJ_EXEC_H
#define CODEOBJ_EXEC_H

#include <codeobj/isa.h>
#include <codeobj/kernel.h>
#include <codeobj/load.h>
#include <codeobj/metadata.h>

#ifdef __cplusplus
extern "C" {
#endif

struct codeobj_device; /* NOT thread-safe: one thread at a time; a dispatch uses threads of its own */

struct codeobj_device_options {
    size_t size;            /* sizeof(struct codeobj_device_options) */
    uint64_t memory_limit;  /* bytes of device memory in all; 0: 16 GiB */
    const char *lanes;      /* "base", "avx2", "avx512"; NULL: the best this CPU has */
};

/* A device that is `target` (processor and feature modes). */
CODEOBJ_API enum codeobj_status codeobj_device_new(const struct codeobj_target *target,
                                                   const struct codeobj_device_options *options,
                                                   struct codeobj_device **out, struct codeobj_diag *diag);
CODEOBJ_API void codeobj_device_free(struct codeobj_device *device);

/* Device memory.  Addresses are 64-bit device addresses, never 0, at least 256-byte
 * aligned; reads and writes outside one allocation are FAULTs.  name (copied,
 * may be NULL) is for fault messages. */
CODEOBJ_API enum codeobj_status codeobj_device_alloc(struct codeobj_device *device, uint64_t size, const char *name,
                                                     uint64_t *addr, struct codeobj_diag *diag);
CODEOBJ_API enum codeobj_status codeobj_device_release(struct codeobj_device *device, uint64_t addr);
CODEOBJ_API enum codeobj_status codeobj_device_write(struct codeobj_device *device, uint64_t addr, const void *data,
                                                     uint64_t size, struct codeobj_diag *diag);
CODEOBJ_API enum codeobj_status codeobj_device_read(const struct codeobj_device *device, uint64_t addr, void *data,
                                                    uint64_t size, struct codeobj_diag *diag);
/* Host view of [addr, addr+size), NULL when it is not within one allocation; borrowed until release. */
CODEOBJ_API void *codeobj_device_view(struct codeobj_device *device, uint64_t addr, uint64_t size);

/* Loads a linked object (checked against the device's target) and keeps it
 * until the device is freed; elf must live as long. */
CODEOBJ_API enum codeobj_status codeobj_device_load(struct codeobj_device *device, const struct codeobj_elf *elf,
                                                    struct codeobj_diag *diag);
/* Address of a symbol of the loaded objects. */
CODEOBJ_API enum codeobj_status codeobj_device_symbol(const struct codeobj_device *device, const char *name,
                                                      uint64_t *addr, uint64_t *size);

/* What a hook sees.  Everything is borrowed for the call. */
struct codeobj_exec_event {
    uint32_t workgroup[3];
    uint32_t wave;            /* within the work-group */
    uint64_t pc;              /* device address */
    const struct codeobj_isa_inst *inst;
    const struct codeobj_exec_wave *state; /* after the instruction; read with codeobj_exec_wave_* */
};
CODEOBJ_API uint64_t codeobj_exec_wave_exec(const struct codeobj_exec_wave *state);
CODEOBJ_API uint32_t codeobj_exec_wave_sgpr(const struct codeobj_exec_wave *state, unsigned reg); /* scalar source numbering */
CODEOBJ_API uint32_t codeobj_exec_wave_vgpr(const struct codeobj_exec_wave *state, unsigned reg, unsigned lane);
CODEOBJ_API uint32_t codeobj_exec_wave_agpr(const struct codeobj_exec_wave *state, unsigned reg, unsigned lane);
CODEOBJ_API bool codeobj_exec_wave_scc(const struct codeobj_exec_wave *state);

/* What a memory hook sees: one access of a wave, before it is made and before it is
 * known whether there is memory.  FLAT instructions are one event for each kind of
 * memory that their lanes reach; an instruction that copies from memory to LDS is two,
 * one with two offsets (ds_read2) two.  ds_swizzle and the permutes touch no memory.
 * Everything is borrowed for the call. */
enum codeobj_exec_space {
    CODEOBJ_EXEC_DEVICE = 0, /* device memory; addr: device addresses */
    CODEOBJ_EXEC_LDS,        /* addr: bytes from the start of the work-group's LDS */
    CODEOBJ_EXEC_SCRATCH     /* addr: bytes from the start of the work-item's private segment.  Scratch that gfx6 to
                                gfx10 reach through a buffer descriptor is DEVICE, in the range of the descriptor. */
};
enum codeobj_exec_access { CODEOBJ_EXEC_READ = 0, CODEOBJ_EXEC_WRITE, CODEOBJ_EXEC_ATOMIC };
struct codeobj_exec_memory_event {
    uint32_t workgroup[3];
    uint32_t wave;
    uint64_t pc;
    enum codeobj_exec_space space;
    enum codeobj_exec_access access;
    uint32_t bytes;           /* of each lane, or of the scalar access */
    bool is_scalar;           /* made by the wave, not by lanes: addr[0] alone counts, lanes is 0 */
    uint64_t lanes;           /* lanes that take part */
    const uint64_t *addr;     /* by lane; those of other lanes mean nothing */
    const struct codeobj_exec_wave *state; /* before the instruction */
};

/* What a dispatch hook sees, before the first work-group is started and again after
 * the last one has ended.  Everything is borrowed for the call; the addresses are
 * released after the second one. */
struct codeobj_exec_dispatch_event {
    bool is_end;
    enum codeobj_status status;  /* at the end: how it ended; before it OK */
    const char *kernel;          /* without .kd */
    const struct codeobj_kernel_descriptor *descriptor;
    uint64_t entry;              /* device address of the first instruction */
    uint64_t kernarg_addr, kernarg_size; /* all arguments, the hidden ones too: codeobj_device_read() */
    uint64_t packet_addr;        /* AQL dispatch packet, 64 bytes */
    uint32_t grid[3], workgroup[3];
    uint32_t wave_size, waves_per_workgroup;
    uint64_t workgroup_count;
    uint32_t lds_size;           /* bytes of a work-group */
    uint32_t private_size;       /* bytes of a work-item */
    uint64_t wave_instructions;  /* at the end; before it 0 */
};

struct codeobj_dispatch {
    size_t size;              /* sizeof(struct codeobj_dispatch) */
    const char *kernel;       /* with or without .kd */
    uint32_t dims;            /* 1 to 3; 0: from grid */
    uint32_t grid[3];         /* work-items; 0 counts as 1 in unused dimensions */
    uint32_t workgroup[3];
    uint32_t dynamic_lds;     /* bytes on top of the kernel's own */
    const void *kernarg;      /* explicit arguments, laid out as the metadata says; hidden ones are filled in */
    size_t kernarg_size;
    uint64_t max_instructions;/* wave instructions in all; 0: 2^40 */
    unsigned threads;         /* 0: all cores */
    uint32_t private_size;    /* scratch bytes per work-item at least; 0: the kernel's own (dynamic stacks get more) */
    /* Called after each instruction when not NULL; a trace forces one thread.  false stops the dispatch with LIMIT. */
    bool (*trace)(void *user, const struct codeobj_exec_event *event);
    void *user;               /* of trace, memory and dispatched */
    /* Called before each access to memory when not NULL, on one thread; false stops the dispatch with LIMIT. */
    bool (*memory)(void *user, const struct codeobj_exec_memory_event *event);
    /* Called before and after when not NULL, on the caller's thread; false before it stops the dispatch with LIMIT. */
    bool (*dispatched)(void *user, const struct codeobj_exec_dispatch_event *event);
    uint64_t printf_buffer;   /* value of hidden_printf_buffer, see codeobj_exec_printf(); 0: kernels that print fault */
    /* Called from the calling thread at the end, when not NULL, with one line about what the hardware does in silence:
     * accesses beyond the end of LDS (the first one, with kernel, work-group, wave, lane, PC and address, and how many). */
    void (*warning)(void *warning_user, const char *text);
    void *warning_user;
};

struct codeobj_dispatch_stats {
    uint64_t wave_instructions;
    uint64_t waves, workgroups;
    /* Where the dispatch stopped, when it did. */
    bool has_stop;
    bool has_stop_lane;
    uint32_t stop_workgroup[3], stop_wave, stop_lane;
    uint64_t stop_pc;         /* device address of the instruction */
    uint64_t stop_addr;       /* of the access that faulted; 0: it was none */
};

/* Runs to the end.  FAULT, LIMIT, UNSUPPORTED (instruction without semantics)
 * carry kernel, work-group, wave, lane, PC, instruction and address in diag, and as numbers in
 * stats (codeobj_device_dispatch() fills it then too).  A kernel that calls the host through
 * hidden_hostcall_buffer (printf, assert and malloc of HIP's device library) stops with UNSUPPORTED.
 * Memory then holds what had been written.  stats may be NULL. */
CODEOBJ_API enum codeobj_status codeobj_device_dispatch(struct codeobj_device *device,
                                                        const struct codeobj_dispatch *dispatch,
                                                        struct codeobj_dispatch_stats *stats,
                                                        struct codeobj_diag *diag);

/* ---- printf of OpenCL ----------------------------------------------------------------
 * A kernel appends records to a buffer: dword 0 counts the bytes of records, dword 1
 * is the size of the whole buffer, records follow.  Each is the number of its call, then
 * its arguments, whose sizes the metadata gives beside the format (amdhsa.printf);
 * strings lie in the record itself.  The caller allocates the buffer, prepares it with
 * codeobj_exec_printf_begin(), names it in codeobj_dispatch.printf_buffer and has it
 * printed afterwards.
 * What no longer fitted is lost.  Records come in the order in which work-items took
 * their place: for the same one each time, dispatch on one thread.
 *
 * Source: LLVM's AMDGPUPrintfRuntimeBinding pass and its User Guide (amdhsa.printf); the
 * OpenCL C specification, "printf"; __printf_alloc of ROCm's device libraries. */

/* An empty buffer of size bytes (at least 8; what is beyond 4 GiB is not used). */
CODEOBJ_API void codeobj_exec_printf_begin(void *buffer, size_t size);

/* Formats the records of `buffer` (size bytes of it can be read) and gives the text, piece by piece, to put().
 * MALFORMED when a record is not what the metadata says; those before it have been given. */
CODEOBJ_API enum codeobj_status codeobj_exec_printf(const struct codeobj_metadata *metadata, const void *buffer,
                                                    size_t size, void (*put)(void *user, const char *text, size_t length),
                                                    void *user, struct codeobj_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

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
    void *user;
    /* Called from the calling thread at the end, when not NULL, with one line about what the hardware does in silence:
     * accesses beyond the end of LDS (the first one, with kernel, work-group, wave, lane, PC and address, and how many). */
    void (*warning)(void *warning_user, const char *text);
    void *warning_user;
};

struct codeobj_dispatch_stats {
    uint64_t wave_instructions;
    uint64_t waves, workgroups;
};

/* Runs to the end.  FAULT, LIMIT, UNSUPPORTED (instruction without semantics)
 * carry kernel, work-group, wave, lane, PC, instruction and address in diag.
 * Memory then holds what had been written.  stats may be NULL. */
CODEOBJ_API enum codeobj_status codeobj_device_dispatch(struct codeobj_device *device,
                                                        const struct codeobj_dispatch *dispatch,
                                                        struct codeobj_dispatch_stats *stats,
                                                        struct codeobj_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

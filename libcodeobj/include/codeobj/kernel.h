/* SPDX-License-Identifier: MIT
 *
 * codeobj/kernel.h - kernels of an object: descriptors, derived facts.
 *
 * Source: LLVM's User Guide for AMDGPU Backend, Kernel Descriptor, and
 * compute_pgm_rsrc1/2/3 for each generation.
 */
#ifndef CODEOBJ_KERNEL_H
#define CODEOBJ_KERNEL_H

#include <codeobj/elf.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CODEOBJ_KERNEL_DESCRIPTOR_SIZE 64

/* The 64 bytes, field by field.  Fields that the processor's generation does
 * not have are 0. */
struct codeobj_kernel_descriptor {
    uint32_t group_segment_fixed_size;   /* LDS bytes */
    uint32_t private_segment_fixed_size; /* scratch bytes per work-item */
    uint32_t kernarg_size;
    int64_t kernel_code_entry_byte_offset; /* from the descriptor's first byte */
    uint32_t compute_pgm_rsrc1, compute_pgm_rsrc2, compute_pgm_rsrc3;
    uint16_t kernel_code_properties;
    uint16_t kernarg_preload;            /* whole field */
    /* rsrc1 */
    uint8_t granulated_workitem_vgpr_count, granulated_wavefront_sgpr_count, priority;
    uint8_t float_round_mode_32, float_round_mode_16_64, float_denorm_mode_32, float_denorm_mode_16_64;
    uint8_t priv, enable_dx10_clamp, debug_mode, enable_ieee_mode, bulky, cdbg_user, fp16_ovfl;
    uint8_t wgp_mode, mem_ordered, fwd_progress, wg_rr_en, disable_perf;
    /* rsrc2 */
    uint8_t enable_private_segment, user_sgpr_count, enable_trap_handler, enable_dynamic_vgpr;
    uint8_t enable_sgpr_workgroup_id_x, enable_sgpr_workgroup_id_y, enable_sgpr_workgroup_id_z;
    uint8_t enable_sgpr_workgroup_info, enable_vgpr_workitem_id;
    uint8_t enable_exception_address_watch, enable_exception_memory;
    uint16_t granulated_lds_size;
    uint8_t exceptions; /* bits 24-30: invalid, denormal source, div by zero, overflow, underflow, inexact, int div by zero */
    /* rsrc3 */
    uint16_t accum_offset;  /* gfx90a up, CDNA: VGPRs before the AGPRs, in registers (4 to 256) */
    uint8_t tg_split;
    uint8_t shared_vgpr_count, inst_pref_size, trap_on_start, trap_on_end, image_op, glg_en;
    uint8_t named_barrier_count, tcp_split, enable_dynamic_resource; /* gfx125x */
    /* kernel_code_properties */
    uint8_t enable_sgpr_private_segment_buffer, enable_sgpr_dispatch_ptr, enable_sgpr_queue_ptr;
    uint8_t enable_sgpr_kernarg_segment_ptr, enable_sgpr_dispatch_id, enable_sgpr_flat_scratch_init;
    uint8_t enable_sgpr_private_segment_size, enable_wavefront_size32, uses_dynamic_stack;
    /* kernarg_preload */
    uint8_t kernarg_preload_length, kernarg_preload_offset; /* in dwords */
    /* derived */
    uint16_t vgpr_count, sgpr_count, agpr_count; /* allocated, from the granules; agpr_count: unified file only */
    uint8_t wave_size;                           /* 32 or 64 */
    uint8_t reserved_set; /* a reserved bit or byte is not 0: see codeobj_kernel_descriptor_reserved() */
};

/* Decodes the descriptor at bytes[0..64).  processor NULL: fields common to all. */
CODEOBJ_API enum codeobj_status codeobj_kernel_descriptor_decode(const void *bytes, size_t size,
                                                                 const struct codeobj_processor *processor,
                                                                 struct codeobj_kernel_descriptor *out,
                                                                 struct codeobj_diag *diag);

/* A kernel as symbols say it: NAME.kd (or STT_AMDGPU_HSA_KERNEL). */
struct codeobj_kernel {
    const char *name;   /* without .kd; borrowed until the elf is freed */
    size_t name_size;   /* name is NOT terminated at name_size when it comes from "NAME.kd" */
    struct codeobj_elf_symbol symbol;
    uint64_t descriptor_addr, entry_addr; /* ELF addresses; section offsets in ET_REL */
    uint64_t code_size;                   /* 0: not known */
    bool has_descriptor;
    struct codeobj_kernel_descriptor descriptor;
};
/* idx 0 up in symbol order; NOT_FOUND past the last. */
CODEOBJ_API enum codeobj_status codeobj_kernel_at(const struct codeobj_elf *elf, size_t idx, struct codeobj_kernel *out,
                                                  struct codeobj_diag *diag);
/* With or without ".kd". */
CODEOBJ_API enum codeobj_status codeobj_kernel_by_name(const struct codeobj_elf *elf, const char *name,
                                                       struct codeobj_kernel *out, struct codeobj_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

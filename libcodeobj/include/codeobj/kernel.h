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

#define CODEOBJ_KERNEL_DESCRIPTOR_SIZE 64 /* bytes; V3 and above */
#define CODEOBJ_KERNEL_CODE_SIZE 256      /* bytes of amd_kernel_code_t; V1 and V2 */

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
    uint8_t wgp_mode, mem_ordered, fwd_progress, wg_rr_en, disable_perf, flat_scratch_is_nv;
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
    uint8_t named_barrier_count, tcp_split, enable_didt_throttle; /* gfx125x; named barriers in fours */
    /* kernel_code_properties */
    uint8_t enable_sgpr_private_segment_buffer, enable_sgpr_dispatch_ptr, enable_sgpr_queue_ptr;
    uint8_t enable_sgpr_kernarg_segment_ptr, enable_sgpr_dispatch_id, enable_sgpr_flat_scratch_init;
    uint8_t enable_sgpr_private_segment_size, enable_wavefront_size32, uses_dynamic_stack;
    /* kernarg_preload */
    uint16_t kernarg_preload_length, kernarg_preload_offset; /* in dwords */
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

/* The other way.  Members named after bit fields decide; of the whole words
 * (compute_pgm_rsrc1 ...) only reserved bits are taken.  INVALID when a member
 * does not fit its field.  Fields that the processor does not have are ignored. */
CODEOBJ_API enum codeobj_status codeobj_kernel_descriptor_encode(const struct codeobj_kernel_descriptor *descriptor,
                                                                 const struct codeobj_processor *processor,
                                                                 uint8_t out[CODEOBJ_KERNEL_DESCRIPTOR_SIZE],
                                                                 struct codeobj_diag *diag);

/* All fields that the processor's descriptors have, idx 0 up, in file order of
 * the words; NOT_FOUND past the last.  Names are static, spelled as the members. */
struct codeobj_kernel_field {
    const char *name;
    int64_t value;
};
CODEOBJ_API enum codeobj_status codeobj_kernel_descriptor_field(const struct codeobj_kernel_descriptor *descriptor,
                                                                const struct codeobj_processor *processor, size_t idx,
                                                                struct codeobj_kernel_field *out);

/* The same in one go: fills up to `room` of out and returns how many there are (fewer than 96). */
CODEOBJ_API size_t codeobj_kernel_descriptor_fields(const struct codeobj_kernel_descriptor *descriptor,
                                                    const struct codeobj_processor *processor,
                                                    struct codeobj_kernel_field *out, size_t room);

/* Bits that must be 0 and are not, idx 0 up; NOT_FOUND past the last. */
struct codeobj_kernel_reserved {
    const char *name;    /* the word or field; static */
    uint32_t byte_off;   /* of the word (or byte) in the descriptor */
    uint32_t mask;       /* bits of it that must be 0 */
    uint32_t found;      /* bits of it that are not */
    bool loader;         /* a named field that the packet processor fills in */
};
CODEOBJ_API enum codeobj_status codeobj_kernel_descriptor_reserved(const void *bytes, size_t size,
                                                                   const struct codeobj_processor *processor, size_t idx,
                                                                   struct codeobj_kernel_reserved *out);

/* amd_kernel_code_t, as stored; the 128 bytes of control directives are left out. */
struct codeobj_kernel_code {
    uint32_t amd_kernel_code_version_major, amd_kernel_code_version_minor;
    uint16_t amd_machine_kind, amd_machine_version_major, amd_machine_version_minor, amd_machine_version_stepping;
    int64_t kernel_code_entry_byte_offset, kernel_code_prefetch_byte_offset; /* from the struct's first byte */
    uint64_t kernel_code_prefetch_byte_size, max_scratch_backing_memory_byte_size;
    uint32_t compute_pgm_rsrc1, compute_pgm_rsrc2, code_properties;
    uint32_t workitem_private_segment_byte_size, workgroup_group_segment_byte_size, gds_segment_byte_size;
    uint64_t kernarg_segment_byte_size;
    uint32_t workgroup_fbarrier_count;
    uint16_t wavefront_sgpr_count, workitem_vgpr_count;
    uint16_t reserved_vgpr_first, reserved_vgpr_count, reserved_sgpr_first, reserved_sgpr_count;
    uint16_t debug_wavefront_private_segment_offset_sgpr, debug_private_segment_buffer_sgpr;
    uint8_t kernarg_segment_alignment, group_segment_alignment, private_segment_alignment, wavefront_size; /* log2 */
    int32_t call_convention;
    uint64_t runtime_loader_kernel_symbol;
};
CODEOBJ_API enum codeobj_status codeobj_kernel_code_decode(const void *bytes, size_t size, struct codeobj_kernel_code *out,
                                                           struct codeobj_diag *diag);
/* What a V3 descriptor would say; sizes and bit fields alike. */
CODEOBJ_API void codeobj_kernel_code_descriptor(const struct codeobj_kernel_code *code,
                                                const struct codeobj_processor *processor,
                                                struct codeobj_kernel_descriptor *out);

/* A kernel as symbols say it: NAME.kd (or STT_AMDGPU_HSA_KERNEL). */
struct codeobj_kernel {
    const char *name;   /* without .kd; borrowed until the elf is freed */
    size_t name_size;   /* name is NOT terminated at name_size when it comes from "NAME.kd" */
    struct codeobj_elf_symbol symbol;
    uint64_t descriptor_addr, entry_addr; /* ELF addresses; section offsets in ET_REL */
    uint64_t code_size;                   /* 0: not known */
    bool has_descriptor;                /* its bytes are in the file */
    struct codeobj_kernel_descriptor descriptor; /* made from kernel_code before V3 */
    bool has_kernel_code;               /* V1 and V2 */
    struct codeobj_kernel_code kernel_code;
    const void *descriptor_bytes;       /* as stored; borrowed until the elf is freed */
    uint64_t preload_entry_addr;        /* entry_addr + 256 where arguments are preloaded into SGPRs: hardware that
                                           preloads starts there, older firmware at entry_addr, which loads them itself; else 0 */
};
CODEOBJ_API size_t codeobj_kernel_count(const struct codeobj_elf *elf);
/* idx 0 up in symbol order; NOT_FOUND past the last. */
CODEOBJ_API enum codeobj_status codeobj_kernel_at(const struct codeobj_elf *elf, size_t idx, struct codeobj_kernel *out,
                                                  struct codeobj_diag *diag);
/* With or without ".kd". */
CODEOBJ_API enum codeobj_status codeobj_kernel_by_name(const struct codeobj_elf *elf, const char *name,
                                                       struct codeobj_kernel *out, struct codeobj_diag *diag);

/* ---- occupancy -------------------------------------------------------------- */

/* What a kernel takes.  Register counts are those used (metadata) or allocated
 * (descriptor); both are rounded up to the processor's granule here. */
struct codeobj_kernel_resources {
    uint32_t vgprs;          /* with AGPRs where the file is unified */
    uint32_t sgprs;          /* counts before gfx10 only */
    uint32_t lds_bytes;      /* per work-group, fixed and dynamic */
    uint32_t workgroup_size; /* work-items; 0: not known, counts as one wave */
    uint8_t wave_size;       /* 32 or 64 */
    bool wgp_mode;           /* gfx10 up: a work-group may spread over the two CUs of a WGP */
};

enum codeobj_kernel_limiter {
    CODEOBJ_LIMITER_WAVES = 0,  /* nothing but the number of waves a SIMD holds */
    CODEOBJ_LIMITER_VGPRS,
    CODEOBJ_LIMITER_SGPRS,
    CODEOBJ_LIMITER_LDS,
    CODEOBJ_LIMITER_WORKGROUPS  /* the number of work-groups a CU or WGP holds */
};
/* "waves", "vgprs", ...; static, NULL when out of range. */
CODEOBJ_API const char *codeobj_kernel_limiter_name(enum codeobj_kernel_limiter limiter);

struct codeobj_kernel_occupancy {
    uint32_t waves_per_simd;     /* the result: waves of this kernel on one SIMD; 0: it does not fit */
    uint32_t max_waves_per_simd; /* what an empty kernel reaches */
    uint32_t simds;              /* of the CU, or of the WGP in WGP mode */
    uint32_t workgroups;         /* on the CU or WGP at once */
    uint32_t waves_per_workgroup;
    uint32_t waves_by_vgprs, waves_by_sgprs; /* per SIMD, each for itself */
    uint32_t workgroups_by_lds;  /* 0: no LDS used */
    uint32_t lds_total;          /* bytes of the CU or WGP */
    uint32_t lds_per_workgroup;  /* bytes that one work-group may have */
    enum codeobj_kernel_limiter limiter;
};
/* UNSUPPORTED for r600, INVALID for a wrong wave size. */
CODEOBJ_API enum codeobj_status codeobj_kernel_occupancy(const struct codeobj_processor *processor,
                                                         const struct codeobj_kernel_resources *use,
                                                         struct codeobj_kernel_occupancy *out, struct codeobj_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

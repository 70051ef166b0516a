/* SPDX-License-Identifier: MIT
 *
 * codeobj/target.h - processors, target IDs, e_flags.
 *
 * Source: LLVM's "User Guide for AMDGPU Backend", sections Processors, Target
 * ID, and ELF Code Object / Header (EF_AMDGPU_* values).
 */
#ifndef CODEOBJ_TARGET_H
#define CODEOBJ_TARGET_H

#include <codeobj/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hardware generation: which columns of the instruction table apply. */
enum codeobj_gen {
    CODEOBJ_GEN_R600 = 0, /* R600 to Northern Islands: container only */
    CODEOBJ_GEN_GFX6,
    CODEOBJ_GEN_GFX7,
    CODEOBJ_GEN_GFX8,
    CODEOBJ_GEN_GFX9, /* gfx900 to gfx90c, gfx908, gfx90a, gfx942, gfx950 */
    CODEOBJ_GEN_GFX10,
    CODEOBJ_GEN_GFX11,
    CODEOBJ_GEN_GFX12, /* gfx1200, gfx1201, gfx1250, gfx1251 */
    CODEOBJ_GEN_COUNT
};

/* One row of processors.def.  All strings are static. */
struct codeobj_processor {
    const char *name;         /* "gfx90a", "gfx9-4-generic" */
    uint16_t mach;            /* EF_AMDGPU_MACH value, 8 bits */
    uint8_t gen;              /* enum codeobj_gen */
    uint8_t major, minor, stepping; /* gfx90a is 9, 0, 10; the lowest member's for generic ones */
    uint8_t generic_version;  /* 0: not generic; else the version this library writes */
    bool has_xnack, has_sramecc; /* may carry the feature in its target ID */
    uint64_t features;        /* CODEOBJ_FEATURE_* */
};

/* Finer cuts than the generation, for registers, descriptors and launch state. */
#define CODEOBJ_FEATURE_WAVE32 (1u << 0)           /* wave32 is possible */
#define CODEOBJ_FEATURE_WAVE64 (1u << 1)           /* wave64 is possible */
#define CODEOBJ_FEATURE_AGPR (1u << 2)             /* accumulation VGPRs (gfx908 up, CDNA) */
#define CODEOBJ_FEATURE_UNIFIED_VGPR (1u << 3)     /* AGPRs share the file, accum_offset (gfx90a up, CDNA) */
#define CODEOBJ_FEATURE_PACKED_TID (1u << 4)       /* work-item IDs 10:10:10 in v0 */
#define CODEOBJ_FEATURE_ARCH_FLAT_SCRATCH (1u << 5)/* architected flat scratch */
#define CODEOBJ_FEATURE_ARCH_SGPRS (1u << 6)       /* work-group IDs in ttmp registers */
#define CODEOBJ_FEATURE_KERNARG_PRELOAD (1u << 7)
#define CODEOBJ_FEATURE_WGP (1u << 8)              /* WGP mode exists */
#define CODEOBJ_FEATURE_TRUE16 (1u << 9)           /* 16-bit VGPR halves are operands */
#define CODEOBJ_FEATURE_1K_VGPRS (1u << 10)        /* 1024 VGPRs through s_set_vgpr_msb */
#define CODEOBJ_FEATURE_UNNAMED_MODES (1u << 11)   /* e_flags have xnack and sramecc modes that target IDs do not name */
#define CODEOBJ_FEATURE_1_5X_VGPRS (1u << 12)      /* half as many VGPRs again per SIMD */

/* All processors, in processors.def order; NULL when idx is past the end. */
CODEOBJ_API const struct codeobj_processor *codeobj_processor_at(size_t idx);
/* Index of a processor in that order. */
CODEOBJ_API size_t codeobj_processor_index(const struct codeobj_processor *processor);
/* NULL when unknown.  Aliases of LLVM ("tahiti", "fiji", ...) are accepted. */
CODEOBJ_API const struct codeobj_processor *codeobj_processor_by_name(const char *name);
CODEOBJ_API const struct codeobj_processor *codeobj_processor_by_mach(uint32_t mach);

/* Setting of a target feature (xnack, sramecc). */
enum codeobj_feature_mode { CODEOBJ_MODE_UNSUPPORTED = 0, CODEOBJ_MODE_ANY, CODEOBJ_MODE_OFF, CODEOBJ_MODE_ON };

/* A target ID, taken apart. */
struct codeobj_target {
    const struct codeobj_processor *processor; /* NULL: not known */
    uint8_t xnack, sramecc;                    /* enum codeobj_feature_mode */
    uint8_t generic_version;                   /* 0: not generic */
};

/* Parses "gfx90a:sramecc+:xnack-", with or without a triple in front
 * ("amdgcn-amd-amdhsa--", "amdgcn-amd-amdhsa-unknown-", entry IDs such as
 * "hipv4-amdgcn-amd-amdhsa--gfx906" are for bundle.h).  Features may come in
 * any order but once; INVALID or NOT_FOUND otherwise. */
CODEOBJ_API enum codeobj_status codeobj_target_parse(const char *text, struct codeobj_target *out,
                                                     struct codeobj_diag *diag);

/* The target that a bare processor name means: every feature it has is ANY. */
CODEOBJ_API void codeobj_target_default(const struct codeobj_processor *processor, struct codeobj_target *out);

/* Writes the canonical form, "gfx90a:sramecc+:xnack-" (no triple); always
 * terminated if size > 0.  Returns the length of the whole text. */
CODEOBJ_API size_t codeobj_target_format(const struct codeobj_target *target, char *buf, size_t size);

/* Is `member` one of the processors that the generic processor `generic` stands
 * for?  Then *since (may be NULL) is the generic version that brought it. */
CODEOBJ_API bool codeobj_processor_covers(const struct codeobj_processor *generic,
                                          const struct codeobj_processor *member, uint8_t *since);

/* May code for `code` run on a device that is `device` (exact or generic
 * processor, feature modes)?  A mode that the device leaves open (ANY) is not
 * judged.  Fills diag with the reason when not. */
CODEOBJ_API bool codeobj_target_compatible(const struct codeobj_target *code, const struct codeobj_target *device,
                                           struct codeobj_diag *diag);

/* e_flags <-> target, by EI_OSABI and EI_ABIVERSION (0/1: V2/V3 coding, 2/3: V4/V5, 4 up: V6).
 * An unknown mach gives processor NULL; never fails.
 * OS ABIs other than amdhsa use the V3 coding. */
CODEOBJ_API void codeobj_target_from_flags(uint32_t e_flags, uint8_t osabi, uint8_t abi_version,
                                           struct codeobj_target *out);
CODEOBJ_API uint32_t codeobj_target_to_flags(const struct codeobj_target *target, uint8_t osabi, uint8_t abi_version);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT
 *
 * codeobj/metadata.h - what the notes say of kernels: V2 YAML and V3+ MessagePack.
 *
 * Source: LLVM's User Guide for AMDGPU Backend, Code Object Metadata.
 */
#ifndef CODEOBJ_METADATA_H
#define CODEOBJ_METADATA_H

#include <codeobj/elf.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The note's own tree, unknown keys included. */
enum codeobj_value_kind {
    CODEOBJ_VALUE_NIL = 0,
    CODEOBJ_VALUE_BOOL,
    CODEOBJ_VALUE_UINT,
    CODEOBJ_VALUE_INT, /* negative */
    CODEOBJ_VALUE_FLOAT,
    CODEOBJ_VALUE_STRING, /* bytes, not necessarily UTF-8 */
    CODEOBJ_VALUE_BINARY,
    CODEOBJ_VALUE_ARRAY,
    CODEOBJ_VALUE_MAP
};
struct codeobj_value {
    uint8_t kind; /* enum codeobj_value_kind: says which member of the union there is */
    bool boolean;
    size_t size;  /* STRING, BINARY: bytes; ARRAY: elements; MAP: pairs */
    union {
        uint64_t uint;
        int64_t sint;
        double real;
        const char *bytes; /* STRING, BINARY: size bytes, and a NUL behind them */
        const struct codeobj_value *items; /* ARRAY: size; MAP: 2 * size, key then value */
    };
};
/* Value of a string key of a map, or NULL. */
CODEOBJ_API const struct codeobj_value *codeobj_value_get(const struct codeobj_value *map, const char *key);

struct codeobj_metadata; /* immutable; all strings and values borrowed until codeobj_metadata_free */

/* Reads all metadata notes of elf and merges their kernels.  NOT_FOUND when
 * there is none.  elf must outlive it. */
CODEOBJ_API enum codeobj_status codeobj_metadata_read(const struct codeobj_elf *elf, struct codeobj_metadata **out,
                                                      struct codeobj_diag *diag);
/* From the bytes of one V3+ note (MessagePack). */
CODEOBJ_API enum codeobj_status codeobj_metadata_parse_msgpack(const void *data, size_t size,
                                                               struct codeobj_metadata **out,
                                                               struct codeobj_diag *diag);
/* From the text of one V2 note (YAML). */
CODEOBJ_API enum codeobj_status codeobj_metadata_parse_yaml(const char *text, size_t size, struct codeobj_metadata **out,
                                                            struct codeobj_diag *diag);
CODEOBJ_API void codeobj_metadata_free(struct codeobj_metadata *metadata);
/* The document (merged); a map. */
CODEOBJ_API const struct codeobj_value *codeobj_metadata_root(const struct codeobj_metadata *metadata);

struct codeobj_metadata_header {
    uint64_t version[2];  /* of the metadata: 1.0 V2 and V3, 1.1 V4, 1.2 V5 and V6; PAL's own */
    const char *target;   /* "amdgcn-amd-amdhsa--gfx900"; NULL before V4 */
    bool is_yaml, is_pal; /* V2; amdpal */
    size_t printf_count;
};
CODEOBJ_API void codeobj_metadata_header(const struct codeobj_metadata *metadata, struct codeobj_metadata_header *out);

/* A call of printf: what a host needs to print what the kernel left in the buffer. */
struct codeobj_metadata_printf {
    bool is_valid;             /* "ID:N:S[0]:...:FORMAT"; else format is the whole string and the rest 0 */
    uint32_t id;
    size_t arg_count;
    const uint32_t *arg_sizes; /* bytes of each argument */
    const char *format;
};
CODEOBJ_API enum codeobj_status codeobj_metadata_printf(const struct codeobj_metadata *metadata, size_t idx,
                                                        struct codeobj_metadata_printf *out);

struct codeobj_metadata_kernel {
    const char *name, *symbol; /* NULL when missing */
    const char *language, *kind, *vec_type_hint, *device_enqueue_symbol;
    uint64_t kernarg_segment_size, kernarg_segment_align, group_segment_fixed_size, private_segment_fixed_size;
    uint64_t wavefront_size, sgpr_count, vgpr_count, agpr_count, sgpr_spill_count, vgpr_spill_count;
    uint64_t max_flat_workgroup_size;
    uint64_t max_num_work_groups_x, max_num_work_groups_y, max_num_work_groups_z; /* 0: not given */
    uint64_t language_version[2];
    uint64_t reqd_workgroup_size[3], workgroup_size_hint[3], cluster_dims[3];
    bool has_language_version, has_reqd_workgroup_size, has_workgroup_size_hint, has_cluster_dims;
    bool uses_dynamic_stack, uniform_work_group_size, workgroup_processor_mode;
    size_t arg_count;
    const struct codeobj_value *value; /* the kernel's own map */
};
/* V2 spellings are turned into those of V3 ("GlobalBuffer" is "global_buffer"),
 * and V2 arguments get the offsets that follow from their sizes and alignments. */
struct codeobj_metadata_arg {
    const char *name, *type_name, *value_kind, *address_space, *access, *actual_access;
    uint64_t offset, size, pointee_align;
    bool is_const, is_restrict, is_volatile, is_pipe;
    bool is_hidden; /* value_kind starts with "hidden_" */
    const struct codeobj_value *value;
};
CODEOBJ_API size_t codeobj_metadata_kernel_count(const struct codeobj_metadata *metadata);
CODEOBJ_API enum codeobj_status codeobj_metadata_kernel(const struct codeobj_metadata *metadata, size_t idx,
                                                        struct codeobj_metadata_kernel *out);
/* By .name, then .symbol, with or without ".kd"; returns the index or NOT_FOUND. */
CODEOBJ_API enum codeobj_status codeobj_metadata_kernel_by_name(const struct codeobj_metadata *metadata,
                                                                const char *name, size_t *idx);
/* By .symbol ("k.kd"; of V2: "k" for "k@kd" too). */
CODEOBJ_API enum codeobj_status codeobj_metadata_kernel_by_symbol(const struct codeobj_metadata *metadata,
                                                                  const char *symbol, size_t *idx);
CODEOBJ_API enum codeobj_status codeobj_metadata_arg(const struct codeobj_metadata *metadata, size_t kernel_idx,
                                                     size_t arg_idx, struct codeobj_metadata_arg *out);

/* The document as YAML, as llvm-readelf shows it ("---\n...\n...\n"); *out: owned, free with free(). */
CODEOBJ_API enum codeobj_status codeobj_metadata_to_yaml(const struct codeobj_metadata *metadata, char **out,
                                                         size_t *size, struct codeobj_diag *diag);

/* The same text in pieces as they are made, so that a large document needs no memory for it: 32 KiB each, or more by what
 * one key and its value take, the last one less; a V2 document, which is kept as it was stored, in one piece.  A piece is
 * borrowed until write() returns.  write() gives false to end it, which is no error. */
typedef bool (*codeobj_metadata_text)(void *user, const char *text, size_t size);
CODEOBJ_API enum codeobj_status codeobj_metadata_write_yaml(const struct codeobj_metadata *metadata,
                                                            codeobj_metadata_text write, void *user,
                                                            struct codeobj_diag *diag);

/* What is wrong with a document, key by key, against LLVM's tables. */
enum codeobj_metadata_problem {
    CODEOBJ_METADATA_MISSING = 0, /* a required key is absent */
    CODEOBJ_METADATA_UNKNOWN,     /* a key no version has */
    CODEOBJ_METADATA_MISTYPED,    /* the value has the wrong type */
    CODEOBJ_METADATA_BAD_VALUE    /* right type, but not one of the values allowed */
};
struct codeobj_metadata_finding {
    enum codeobj_metadata_problem problem;
    const char *path;  /* "amdhsa.kernels[0].args[2].offset"; borrowed for the call, long ones are cut */
    const struct codeobj_value *value; /* NULL when missing */
    char text[160];    /* one line */
};
/* Called for each finding; false ends the search. */
typedef bool (*codeobj_metadata_report)(void *user, const struct codeobj_metadata_finding *finding);
CODEOBJ_API void codeobj_metadata_validate(const struct codeobj_metadata *metadata, codeobj_metadata_report report,
                                           void *user);

/* The tree as MessagePack, integers and lengths in their shortest form, maps in
 * the order of the tree; *out: owned, free with free().  LIMIT when it nests too deep. */
CODEOBJ_API enum codeobj_status codeobj_value_to_msgpack(const struct codeobj_value *value, void **out, size_t *size,
                                                         struct codeobj_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

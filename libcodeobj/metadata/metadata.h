/* SPDX-License-Identifier: MIT
 *
 * metadata/metadata.h - shared by the files of the room.
 */
#ifndef CO_METADATA_METADATA_H
#define CO_METADATA_METADATA_H

#include <codeobj/metadata.h>

#include "base/arena.h"
#include "base/span.h"

/* Containers nest at most this deep; msgpack-c's own limit is 32. */
enum { CO_METADATA_DEPTH = 30 };

/* Which vocabulary the document uses. */
enum co_metadata_form {
    CO_FORM_HSA_V2, /* YAML, Kernels: [...] */
    CO_FORM_HSA_V3, /* amdhsa.kernels */
    CO_FORM_PAL,    /* amdpal.pipelines */
};

struct codeobj_metadata {
    struct co_arena arena;
    enum co_metadata_form form;
    struct codeobj_value *root; /* a map */
    const char *text;           /* YAML as stored, when the document is one V2 note */
    size_t text_size;
    struct codeobj_metadata_header header;
    struct codeobj_metadata_printf *printfs; /* header.printf_count of them */
    size_t kernel_count;
    struct codeobj_metadata_kernel *kernels;
    struct codeobj_metadata_arg **args;      /* args[kernel][arg] */
    uint32_t *by_name, *by_symbol;           /* kernel indices, sorted */
};

/* The readers: one document each, into the arena.  where names it in diagnostics. */
enum codeobj_status co_msgpack_parse(struct co_arena *arena, struct co_span bytes, const char *where,
                                     struct codeobj_value **out, struct codeobj_diag *diag);
enum codeobj_status co_yaml_parse(struct co_arena *arena, struct co_span text, const char *where,
                                  struct codeobj_value **out, struct codeobj_diag *diag);

/* Does a plain scalar of n bytes read as an integer, as LLVM reads them: decimal, 0x, 0b, 0o, and octal after a leading 0;
 * 64 bits?  *out is an INT when it is negative, otherwise a UINT. */
bool co_yaml_integer(const char *s, size_t n, struct codeobj_value *out);

/* Builds the typed model from root and form. */
enum codeobj_status co_model_build(struct codeobj_metadata *metadata, struct codeobj_diag *diag);

#endif

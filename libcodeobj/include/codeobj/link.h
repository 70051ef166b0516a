/* SPDX-License-Identifier: MIT
 *
 * codeobj/link.h - the linker in memory: buffers and options in, an image out.
 *
 * Re-entrant: no global state, no files unless the options name them.
 */
#ifndef CODEOBJ_LINK_H
#define CODEOBJ_LINK_H

#include <codeobj/elf.h>

#ifdef __cplusplus
extern "C" {
#endif

enum codeobj_link_kind { CODEOBJ_LINK_SHARED = 0, CODEOBJ_LINK_PIE, CODEOBJ_LINK_EXEC, CODEOBJ_LINK_RELOCATABLE };

struct codeobj_link_input {
    const char *name;  /* for messages */
    const void *data;  /* borrowed for the call */
    size_t size;
    uint32_t flags;    /* CODEOBJ_LINK_INPUT_* */
};
#define CODEOBJ_LINK_INPUT_WHOLE_ARCHIVE 1u /* archive: all members */
#define CODEOBJ_LINK_INPUT_LAZY 2u          /* object: only when it defines something needed (--start-lib) */

/* One message of a link, in order. */
struct codeobj_link_message {
    bool is_error; /* else a warning */
    const char *text; /* may hold several lines (">>> ..."); borrowed until codeobj_link_result_free */
};
struct codeobj_link_result;

struct codeobj_link_options {
    size_t size;           /* sizeof(struct codeobj_link_options) */
    uint8_t kind;          /* enum codeobj_link_kind */
};

/* *out is set in every case but NO_MEMORY: it carries the messages.  OK: there is an image too. */
CODEOBJ_API enum codeobj_status codeobj_link(const struct codeobj_link_input *inputs, size_t count,
                                             const struct codeobj_link_options *options,
                                             struct codeobj_link_result **out);
CODEOBJ_API void codeobj_link_result_free(struct codeobj_link_result *result);
/* Borrowed until free; NULL when the link failed. */
CODEOBJ_API const void *codeobj_link_result_image(const struct codeobj_link_result *result, size_t *size);
CODEOBJ_API size_t codeobj_link_result_message_count(const struct codeobj_link_result *result);
CODEOBJ_API enum codeobj_status codeobj_link_result_message(const struct codeobj_link_result *result, size_t idx,
                                                            struct codeobj_link_message *out);

#ifdef __cplusplus
}
#endif
#endif

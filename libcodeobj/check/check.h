/* SPDX-License-Identifier: MIT
 *
 * check/check.h - shared by the files of the room.
 */
#ifndef CO_CHECK_CHECK_H
#define CO_CHECK_CHECK_H

#include <codeobj/bundle.h>
#include <codeobj/check.h>
#include <codeobj/kernel.h>
#include <codeobj/metadata.h>

enum co_check_id {
#define FINDING(id, code, severity, needed, repair) CO_CHECK_##id,
#include "check/findings.def"
#undef FINDING
    CO_CHECK_COUNT
};

/* Bytes; a larger image is not loaded only to try its relocations. */
#define CO_CHECK_MAX_TRIAL_LOAD ((uint64_t)256 << 20)

struct co_flow;

struct co_check {
    const struct codeobj_elf *elf;
    const struct codeobj_metadata *metadata; /* NULL: none that can be read */
    const struct codeobj_check_options *options;
    codeobj_check_report report;
    void *user;
    bool stop, no_memory;
    bool has_offset; /* where in the file the thing at hand is */
    uint64_t offset;
    struct co_flow *flow; /* made when the first kernel's code is looked at */
    bool told_exhausted;
    size_t sgprs_ignored; /* kernels whose SGPR count is, after the first */
    struct codeobj_elf_header header;
    struct codeobj_target target;
};

/* Reports one finding; `needed`: "" for what findings.def says. */
void co_check_say(struct co_check *c, enum co_check_id id, const char *where, const char *needed, const char *found, ...)
    __attribute__((format(printf, 5, 6)));

/* Does the entry ID say what the object's e_flags do? */
void co_check_entry(struct co_check *c, const char *where, enum codeobj_entry_fit fit, const char *entry_id,
                    const struct codeobj_target *object);

/* The parts, each for itself. */
void co_check_file(struct co_check *c);
void co_check_target(struct co_check *c);
void co_check_loading(struct co_check *c);
void co_check_undefined(struct co_check *c);
void co_check_dynamic(struct co_check *c); /* of a file with PT_DYNAMIC */
void co_check_metadata(struct co_check *c, enum codeobj_status read_status, const struct codeobj_diag *why);
void co_check_kernels(struct co_check *c);
void co_check_args(struct co_check *c, size_t kernel_idx, const struct codeobj_metadata_kernel *kernel);
void co_check_code(struct co_check *c, const struct codeobj_kernel *kernel, const char *where);

#endif

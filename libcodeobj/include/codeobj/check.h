/* SPDX-License-Identifier: MIT
 *
 * codeobj/check.h - why a code object will not load, or a kernel not be found.
 *
 * All causes in one run, each with a stable code, the place, what was found,
 * what is needed, and the repair.  No GPU and no runtime is asked; the rules are
 * those that the ROCm runtime's loader and HIP's and OpenCL's kernel look-up
 * follow.
 *
 * Source: LLVM's User Guide for AMDGPU Backend, AMDHSA chapters; System V ABI.
 */
#ifndef CODEOBJ_CHECK_H
#define CODEOBJ_CHECK_H

#include <codeobj/elf.h>

#ifdef __cplusplus
extern "C" {
#endif

enum codeobj_check_severity {
    CODEOBJ_CHECK_ERROR = 0, /* will not load, or a kernel will not be found or cannot be launched */
    CODEOBJ_CHECK_WARNING,   /* loads; may not behave as meant */
    CODEOBJ_CHECK_NOTE       /* worth knowing */
};

struct codeobj_check_finding {
    const char *code;     /* "descriptor-missing": lower case, stable from release to release; static */
    enum codeobj_check_severity severity;
    char where[192];      /* "kernel \"vadd\"", "section .rodata", "amdhsa.kernels[0].args[1].offset" */
    bool has_offset;
    uint64_t offset;      /* bytes from the start of the file */
    char found[256];      /* what is there */
    char needed[192];     /* what should be */
    const char *repair;   /* what to do about it; static */
};

struct codeobj_check_options {
    size_t size;                          /* sizeof(struct codeobj_check_options) */
    const struct codeobj_target *device;  /* the device to load on; NULL: not judged */
    int newest_version;                   /* newest code object version the runtime knows; 0: 6 */
    bool skip_code;                       /* do not decode kernels to look for undeclared registers */
    const char *entry_id;                 /* the object's entry ID in the bundle it comes from; NULL: none */
};

/* Called for each finding (borrowed for the call); false ends the check. */
typedef bool (*codeobj_check_report)(void *user, const struct codeobj_check_finding *finding);

/* Bytes of a file that was given for a code object; containers are recognised and told apart. */
CODEOBJ_API enum codeobj_status codeobj_check_memory(const void *data, size_t size, const char *name,
                                                     const struct codeobj_check_options *options,
                                                     codeobj_check_report report, void *user, struct codeobj_diag *diag);
/* An open object; one opened with CODEOBJ_ELF_LENIENT has its findings reported too. */
CODEOBJ_API enum codeobj_status codeobj_check_elf(const struct codeobj_elf *elf, const struct codeobj_check_options *options,
                                                  codeobj_check_report report, void *user, struct codeobj_diag *diag);

/* All codes there are, idx 0 up; NULL past the last. */
CODEOBJ_API const char *codeobj_check_code(size_t idx, enum codeobj_check_severity *severity, const char **repair);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT
 *
 * base/diag.h - filling a struct codeobj_diag.
 */
#ifndef CO_BASE_DIAG_H
#define CO_BASE_DIAG_H

#include <codeobj/base.h>

/* Fills *diag (NULL is fine) and returns status, so that a failing function can
 * say `return co_fail(diag, CODEOBJ_MALFORMED, "...", ...)`.  Keeps diag->file. */
enum codeobj_status co_fail(struct codeobj_diag *diag, enum codeobj_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a place: section name or NULL, and an offset in it. */
enum codeobj_status co_fail_at(struct codeobj_diag *diag, enum codeobj_status status, const char *section,
                               uint64_t offset, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Sets the file name; later co_fail calls keep it. */
void co_diag_file(struct codeobj_diag *diag, const char *file);

/* `return co_no_memory(diag)` */
enum codeobj_status co_no_memory(struct codeobj_diag *diag);

#endif

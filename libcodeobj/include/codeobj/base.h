/* SPDX-License-Identifier: MIT
 *
 * codeobj/base.h - status codes, diagnostics, version.
 *
 * Every function of the library that can fail returns an enum codeobj_status.
 * Outputs come last in the argument list and are untouched on failure.  The
 * optional diagnostic (NULL is fine) says where and what; it holds no pointer
 * into anything, so the caller may keep it as long as it likes.
 *
 * The library keeps no global or thread-local state, prints nothing and never
 * exits or aborts.  Handles are immutable after open unless their header says
 * otherwise: every getter takes const and may be called from any thread.
 *
 * Structures of options begin with their size, which the caller fills in with sizeof.
 * Members that a later version adds are zero for a caller that does not know them, and
 * zero is always the default.
 */
#ifndef CODEOBJ_BASE_H
#define CODEOBJ_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CODEOBJ_API __attribute__((visibility("default")))
#else
#define CODEOBJ_API
#endif

/* The version lives here and nowhere else; the Makefile reads it. */
#define CODEOBJ_VERSION_MAJOR 0
#define CODEOBJ_VERSION_MINOR 1
#define CODEOBJ_VERSION_PATCH 0

enum codeobj_status {
    CODEOBJ_OK = 0,
    CODEOBJ_NO_MEMORY,   /* an allocation failed */
    CODEOBJ_IO,          /* the operating system refused a file operation */
    CODEOBJ_MALFORMED,   /* the input breaks its format; diag has the place */
    CODEOBJ_UNSUPPORTED, /* well-formed, but not something this library does; diag has the name */
    CODEOBJ_INVALID,     /* the caller's argument is out of range or does not fit the object */
    CODEOBJ_NOT_FOUND,   /* no such section, symbol, kernel, processor, key ... */
    CODEOBJ_FAULT,       /* the executed program did something wrong (memory, trap, deadlock) */
    CODEOBJ_LIMIT,       /* a budget was used up (instructions, memory, depth) */
    CODEOBJ_STATUS_COUNT
};

/* What went wrong and where.  Strings are always terminated; "" means "not
 * applicable".  Long names are cut, with "..." at the end. */
struct codeobj_diag {
    enum codeobj_status status;
    char file[256];    /* path as the caller gave it, "ARCHIVE(MEMBER)" for a member */
    char section[64];  /* section name, note or key path */
    bool has_offset;
    uint64_t offset;   /* bytes from the start of `section` if set, else of `file` */
    char text[512];    /* "problem: found X, expected Y": one line, lower case, no full stop */
};

/* "ok", "out of memory", ...; never NULL.  The text is static. */
CODEOBJ_API const char *codeobj_status_text(enum codeobj_status status);

/* Formats a diagnostic as "FILE: SECTION+0xOFFSET: TEXT" into buf (always
 * terminated if size > 0).  Returns the length of the whole text. */
CODEOBJ_API size_t codeobj_diag_format(const struct codeobj_diag *diag, char *buf, size_t size);

/* For "did you mean": how many letters must be inserted, removed or changed to make b
 * of a; CODEOBJ_NAME_FAR when one of them is too long (63 letters of b) to be a name. */
#define CODEOBJ_NAME_FAR 999u
CODEOBJ_API unsigned codeobj_name_distance(const char *a, const char *b);

/* Version of the library that is linked in, "0.1.0"; static. */
CODEOBJ_API const char *codeobj_version(void);

#ifdef __cplusplus
}
#endif
#endif

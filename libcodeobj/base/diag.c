/* SPDX-License-Identifier: MIT
 *
 * base/diag.c - status texts and diagnostics.
 */
#include "base/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const status_texts[CODEOBJ_STATUS_COUNT] = {
    [CODEOBJ_OK] = "ok",
    [CODEOBJ_NO_MEMORY] = "out of memory",
    [CODEOBJ_IO] = "input/output error",
    [CODEOBJ_MALFORMED] = "malformed input",
    [CODEOBJ_UNSUPPORTED] = "not supported",
    [CODEOBJ_INVALID] = "invalid argument",
    [CODEOBJ_NOT_FOUND] = "not found",
    [CODEOBJ_FAULT] = "execution fault",
    [CODEOBJ_LIMIT] = "limit reached",
};

const char *codeobj_status_text(enum codeobj_status status)
{
    return (unsigned)status < CODEOBJ_STATUS_COUNT ? status_texts[status] : "unknown status";
}

#define STR_(x) #x
#define STR(x) STR_(x)

const char *codeobj_version(void)
{
    return STR(CODEOBJ_VERSION_MAJOR) "." STR(CODEOBJ_VERSION_MINOR) "." STR(CODEOBJ_VERSION_PATCH);
}

/* Copies s into a fixed field, cutting long text with "...". */
static void copy_cut(char *dst, size_t size, const char *s)
{
    size_t n = strlen(s);
    if (n < size) {
        memcpy(dst, s, n + 1);
    } else {
        memcpy(dst, s, size - 4);
        memcpy(dst + size - 4, "...", 4);
    }
}

static void fill_text(struct codeobj_diag *diag, enum codeobj_status status, const char *fmt, va_list ap)
{
    diag->status = status;
    diag->section[0] = 0;
    diag->has_offset = false;
    diag->offset = 0;
    if (vsnprintf(diag->text, sizeof diag->text, fmt, ap) >= (int)sizeof diag->text)
        memcpy(diag->text + sizeof diag->text - 4, "...", 4);
}

enum codeobj_status co_fail(struct codeobj_diag *diag, enum codeobj_status status, const char *fmt, ...)
{
    if (diag) {
        va_list ap;
        va_start(ap, fmt);
        fill_text(diag, status, fmt, ap);
        va_end(ap);
    }
    return status;
}

enum codeobj_status co_fail_at(struct codeobj_diag *diag, enum codeobj_status status, const char *section,
                               uint64_t offset, const char *fmt, ...)
{
    if (diag) {
        va_list ap;
        va_start(ap, fmt);
        fill_text(diag, status, fmt, ap);
        va_end(ap);
        if (section)
            copy_cut(diag->section, sizeof diag->section, section);
        diag->has_offset = true;
        diag->offset = offset;
    }
    return status;
}

void co_diag_file(struct codeobj_diag *diag, const char *file)
{
    if (diag)
        copy_cut(diag->file, sizeof diag->file, file ? file : "");
}

enum codeobj_status co_no_memory(struct codeobj_diag *diag)
{
    return co_fail(diag, CODEOBJ_NO_MEMORY, "out of memory");
}

size_t codeobj_diag_format(const struct codeobj_diag *diag, char *buf, size_t size)
{
    char place[96] = "";
    if (diag->section[0] && diag->has_offset)
        snprintf(place, sizeof place, "%s+0x%" PRIx64 ": ", diag->section, diag->offset);
    else if (diag->section[0])
        snprintf(place, sizeof place, "%s: ", diag->section);
    else if (diag->has_offset)
        snprintf(place, sizeof place, "0x%" PRIx64 ": ", diag->offset);
    int n = snprintf(buf, size, "%s%s%s%s", diag->file, diag->file[0] ? ": " : "", place, diag->text);
    return n < 0 ? 0 : (size_t)n;
}

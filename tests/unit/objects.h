/* SPDX-License-Identifier: MIT
 *
 * unit/objects.h - opening the objects of fixtures/objects in tests, changing them.
 */
#ifndef TESTS_UNIT_OBJECTS_H
#define TESTS_UNIT_OBJECTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/codeobj.h>

static inline struct codeobj_elf *open_object(const char *name)
{
    char path[300];
    struct codeobj_elf *elf = NULL;
    struct codeobj_diag diag = { 0 };
    snprintf(path, sizeof path, "fixtures/objects/%s", name);
    if (codeobj_elf_open_file(path, NULL, &elf, &diag))
        fprintf(stderr, "%s: %s\n", path, diag.text);
    assert_non_null(elf);
    return elf;
}

static inline struct codeobj_builder *edit_object(const struct codeobj_elf *elf)
{
    struct codeobj_builder *b = NULL;
    assert_int_equal(codeobj_builder_open(elf, &b, NULL), CODEOBJ_OK);
    return b;
}

/* Written and read again; the bytes are the caller's to free. */
static inline struct codeobj_elf *finish_object(struct codeobj_builder *b, void **bytes)
{
    struct codeobj_elf *elf = NULL;
    struct codeobj_diag diag = { 0 };
    size_t size;
    if (codeobj_builder_finish(b, bytes, &size, &diag))
        fail_msg("finish: %s", diag.text);
    if (codeobj_elf_open_memory(*bytes, size, NULL, &elf, &diag))
        fail_msg("reopen: %s", diag.text);
    return elf;
}

#endif

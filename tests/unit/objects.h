/* SPDX-License-Identifier: MIT
 *
 * unit/objects.h - opening the objects of fixtures/objects in tests.
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

#endif

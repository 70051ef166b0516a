/* SPDX-License-Identifier: MIT
 *
 * unit/link_input.h - files of fixtures/ as inputs of codeobj_link().
 */
#ifndef TESTS_UNIT_LINK_INPUT_H
#define TESTS_UNIT_LINK_INPUT_H

#include <stdio.h>
#include <stdlib.h>

#include <codeobj/link.h>

static inline struct codeobj_link_input input(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *data = malloc(1 << 16);
    assert_non_null(data);
    size_t size = fread(data, 1, 1 << 16, f);
    fclose(f);
    return (struct codeobj_link_input){ path, data, size, 0 };
}

static inline void release(const struct codeobj_link_input *in)
{
    free((void *)(uintptr_t)in->data);
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * readobj/show_metadata.c - the metadata of kernels as YAML or JSON.
 */
#include "readobj.h"

#include <stdlib.h>
#include <string.h>

static bool to_file(void *user, const char *text, size_t size)
{
    fwrite(text, 1, size, user);
    return true;
}

void ro_metadata_text(struct ro *ro, const struct ro_object *obj)
{
    struct codeobj_diag diag = { 0 };
    ro_heading(ro, "Metadata:");
    if (!obj->metadata)
        return;
    if (codeobj_metadata_write_yaml(obj->metadata, to_file, ro->out, &diag) != CODEOBJ_OK)
        ro_diag(ro, obj->name, &diag);
}

json_t *ro_metadata_json(struct ro *ro, const struct ro_object *obj)
{
    (void)ro;
    const struct codeobj_value *root = obj->metadata ? codeobj_metadata_root(obj->metadata) : NULL;
    return root ? ro_json_value(root) : json_null();
}

size_t ro_metadata_kernel(const struct ro_object *obj, const struct codeobj_kernel *kernel)
{
    size_t idx = SIZE_MAX;
    if (!obj->metadata)
        return SIZE_MAX;
    char buf[256], *name = kernel->name_size < sizeof buf ? buf : malloc(kernel->name_size + 1);
    if (!name)
        return SIZE_MAX;
    memcpy(name, kernel->name, kernel->name_size);
    name[kernel->name_size] = 0;
    if (codeobj_metadata_kernel_by_name(obj->metadata, name, &idx) != CODEOBJ_OK)
        idx = SIZE_MAX;
    if (name != buf)
        free(name);
    return idx;
}

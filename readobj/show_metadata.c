/* SPDX-License-Identifier: MIT
 *
 * readobj/show_metadata.c - the metadata of kernels as YAML or JSON.
 */
#include "readobj.h"

#include <stdlib.h>
#include <string.h>

void ro_metadata_text(struct ro *ro, const struct ro_object *obj)
{
    char *yaml;
    size_t size;
    struct codeobj_diag diag = { 0 };
    ro_heading(ro, "Metadata:");
    if (!obj->metadata)
        return;
    if (codeobj_metadata_to_yaml(obj->metadata, &yaml, &size, &diag) != CODEOBJ_OK) {
        ro_diag(ro, obj->name, &diag);
        return;
    }
    fwrite(yaml, 1, size, ro->out);
    free(yaml);
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

/* SPDX-License-Identifier: MIT
 *
 * readobj/pack.c - --pack=OUT: the device code of the inputs as a new container.
 *
 * Entries keep their IDs; what has none (a plain code object) is called
 * hipv4-amdgcn-amd-amdhsa--TARGET after its header.  Members of an archive are
 * called as in the archive they come from, or as their file.  A bundle for HIP begins
 * with an empty entry for the host, as clang's does.
 */
#include "walk.h"

#include <stdlib.h>
#include <string.h>

struct pack {
    struct codeobj_pack_entry *entries; /* IDs and data are owned copies */
    size_t count;
    bool is_archive;
};

static bool add(struct ro *ro, struct pack *p, const char *id, const void *data, size_t size)
{
    struct codeobj_pack_entry *entries = realloc(p->entries, (p->count + 1) * sizeof *entries);
    if (!entries) {
        ro_error(ro, "out of memory");
        return false;
    }
    p->entries = entries;
    char *name = strdup(id);
    void *copy = malloc(size ? size : 1);
    if (!name || !copy) {
        free(name);
        free(copy);
        ro_error(ro, "out of memory");
        return false;
    }
    memcpy(copy, data, size);
    p->entries[p->count++] = (struct codeobj_pack_entry){ name, copy, size };
    return true;
}

static void item(struct ro_walk *w, const struct codeobj_item *item)
{
    struct pack *p = w->mode;
    char target[96], id[128];
    if (item->kind != CODEOBJ_ITEM_CODE_OBJECT && item->kind != CODEOBJ_ITEM_BITCODE && item->kind != CODEOBJ_ITEM_SPIRV)
        return;
    if (w->has_request && !(item->has_target && codeobj_target_selects(&w->request, &item->target)))
        return;
    if (p->is_archive && !item->entry_id) {
        const char *slash = strrchr(w->file, '/');
        add(w->ro, p, item->entry ? item->entry : slash ? slash + 1 : w->file, item->data, item->size);
    } else if (item->entry_id) {
        add(w->ro, p, item->entry_id, item->data, item->size);
    } else if (item->has_target) {
        snprintf(id, sizeof id, "hipv4-amdgcn-amd-amdhsa--%s", ro_item_target(item, target));
        add(w->ro, p, id, item->data, item->size);
    } else {
        ro_error(w->ro, "%s: has no entry ID and no target to make one of", item->name);
    }
}

/* options.c has seen to it that they fit together. */
static struct codeobj_pack_options options(const struct ro_options *opt)
{
    static const char *const formats[] = { "bundle", "compressed", "offload-binary", "archive" };
    const char *format = opt->pack_format ? opt->pack_format : opt->compress ? "compressed" : "bundle";
    struct codeobj_pack_options o = { .size = sizeof o };
    while (o.format < 3 && strcmp(formats[o.format], format) != 0)
        o.format++;
    if (opt->compress)
        o.compression = strcmp(opt->compress, "zlib") == 0 ? 1 : 2;
    o.alignment = (uint32_t)opt->bundle_align;
    o.ccob_version = (uint8_t)opt->ccob_version;
    o.level = (uint8_t)opt->compress_level;
    return o;
}

void ro_pack(struct ro *ro)
{
    static const struct ro_walk_mode mode = { .item = item, .quiet = true };
    struct pack p = { 0 };
    struct codeobj_pack_options o = options(ro->opt);
    struct codeobj_diag diag = { 0 };
    void *data;
    size_t size;
    p.is_archive = o.format == CODEOBJ_PACK_ARCHIVE;
    bool is_bundle = o.format == CODEOBJ_PACK_BUNDLE || o.format == CODEOBJ_PACK_COMPRESSED_BUNDLE;
    if (is_bundle && !add(ro, &p, "host-x86_64-unknown-linux-gnu-", "", 0))
        return;
    ro_walk_files(ro, &mode, &p);
    if (!ro->failed) {
        if (codeobj_pack(p.entries, p.count, &o, &data, &size, &diag) != CODEOBJ_OK) {
            ro_diag(ro, ro->opt->mode_arg, &diag);
        } else {
            ro_write_file(ro, ro->opt->mode_arg, data, size);
            free(data);
        }
    }
    for (size_t i = 0; i < p.count; i++) {
        free((char *)p.entries[i].id);
        free((void *)p.entries[i].data);
    }
    free(p.entries);
}

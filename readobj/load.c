/* SPDX-License-Identifier: MIT
 *
 * readobj/load.c - the one code object of a file that a launch is about.
 */
#include "walk.h"

#include <stdlib.h>
#include <string.h>

struct pick {
    struct ro *ro;
    const char *path;
    const struct codeobj_target *request; /* NULL: any */
    void *data;
    size_t size, count;
    char *name;       /* of the one picked */
    char found[1024]; /* targets seen */
    bool failed;
};

static enum codeobj_walk_verdict visit(void *user, const struct codeobj_item *item)
{
    struct pick *p = user;
    char target[96];
    if (item->kind != CODEOBJ_ITEM_CODE_OBJECT)
        return CODEOBJ_WALK_ON;
    size_t used = strlen(p->found);
    snprintf(p->found + used, sizeof p->found - used, "%s%s", used ? ", " : "",
             item->has_target ? ro_item_target(item, target) : "unknown");
    if (p->request && !(item->has_target && codeobj_target_selects(p->request, &item->target)))
        return CODEOBJ_WALK_ON;
    if (p->count++ == 0) {
        p->data = malloc(item->size ? item->size : 1);
        p->name = strdup(item->name);
        p->size = item->size;
        if (p->data && p->name)
            memcpy(p->data, item->data, item->size);
        else
            p->failed = true;
    }
    return CODEOBJ_WALK_ON;
}

static void finding(void *user, const struct codeobj_diag *diag)
{
    struct pick *p = user;
    ro_diag(p->ro, p->path, diag);
    p->failed = true;
}

static bool pick(struct pick *p)
{
    struct codeobj_walk_options options = { .size = sizeof options, .user = p, .visit = visit, .finding = finding };
    struct codeobj_diag diag = { 0 };
    enum codeobj_status st = codeobj_walk_file(p->path, &options, &diag);
    if (st != CODEOBJ_OK && !p->failed) {
        ro_diag(p->ro, p->path, &diag);
        return false;
    }
    if (p->failed)
        return false;
    if (p->count == 1)
        return true;
    if (p->count > 1)
        ro_error(p->ro, "%s: holds several code objects (%s): choose one with %s", p->path, p->found,
                 p->ro->opt->mode == RO_MODE_LAUNCH ? "target:" : "--target");
    else if (p->found[0])
        ro_error(p->ro, "%s: no code object for that target; there are: %s", p->path, p->found);
    else
        ro_error(p->ro, "%s: holds no AMDGPU code object", p->path);
    return false;
}

bool ro_load_object(struct ro *ro, const char *path, const char *target, struct codeobj_elf **elf, void **bytes)
{
    struct codeobj_target request;
    struct codeobj_diag diag = { 0 };
    struct pick p = { .ro = ro, .path = path };
    *bytes = NULL;
    if (target) {
        if (codeobj_target_parse(target, &request, &diag) != CODEOBJ_OK) {
            ro_error(ro, "target '%s': %s", target, diag.text);
            return false;
        }
        p.request = &request;
    }
    bool ok = pick(&p);
    if (ok) {
        struct codeobj_elf_options options = { .size = sizeof options, .name = p.name };
        ok = codeobj_elf_open_memory(p.data, p.size, &options, elf, &diag) == CODEOBJ_OK;
        if (!ok)
            ro_diag(ro, p.name, &diag);
    }
    free(p.name);
    if (ok)
        *bytes = p.data;
    else
        free(p.data);
    return ok;
}

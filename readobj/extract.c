/* SPDX-License-Identifier: MIT
 *
 * readobj/extract.c - --extract=DIR: what is inside, as files of its own.
 *
 * A name in a container can be anything ("../../x"): none of it becomes part of
 * a path.  Files are called BASENAME.NUMBER.TARGET.co (.o for relocatable
 * objects, .bc for bitcode, .spv for SPIR-V).
 */
#include "walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct extract {
    size_t number; /* of the next file from this input */
};

static void begin(struct ro_walk *w, const struct codeobj_item *top)
{
    struct extract *x = w->mode;
    (void)top;
    x->number = 0;
}

static const char *suffix(const struct codeobj_item *item)
{
    const unsigned char *p = item->data;
    switch ((enum codeobj_item_kind)item->kind) {
    case CODEOBJ_ITEM_BITCODE: return "bc";
    case CODEOBJ_ITEM_SPIRV: return "spv";
    default: return item->size > 17 && p[16] == 1 && p[17] == 0 ? "o" : "co"; /* e_type ET_REL */
    }
}

static void item(struct ro_walk *w, const struct codeobj_item *item)
{
    struct extract *x = w->mode;
    char target[96];
    if (item->kind != CODEOBJ_ITEM_CODE_OBJECT && item->kind != CODEOBJ_ITEM_BITCODE && item->kind != CODEOBJ_ITEM_SPIRV)
        return;
    if (w->has_request && !(item->has_target && codeobj_target_selects(&w->request, &item->target)))
        return;
    const char *slash = strrchr(w->file, '/'), *base = slash ? slash + 1 : w->file, *dir = w->ro->opt->mode_arg;
    ro_item_target(item, target);
    size_t room = strlen(dir) + strlen(base) + 160;
    char *path = malloc(room);
    if (!path) {
        ro_error(w->ro, "out of memory");
        return;
    }
    snprintf(path, room, "%s/%s.%zu.%s.%s", dir, base, x->number++, target[0] ? target : "unknown", suffix(item));
    if (ro_write_file(w->ro, path, item->data, item->size)) {
        fprintf(w->ro->out, "%s: ", path);
        ro_name(w->ro, item->name, strlen(item->name));
        fputc('\n', w->ro->out);
    }
    free(path);
}

void ro_extract(struct ro *ro)
{
    static const struct ro_walk_mode mode = { .begin = begin, .item = item };
    struct extract state = { 0 };
    if (mkdir(ro->opt->mode_arg, 0777) != 0 && errno != EEXIST) {
        ro_error(ro, "%s: cannot make the folder: %s", ro->opt->mode_arg, strerror(errno));
        return;
    }
    ro_walk_files(ro, &mode, &state);
}

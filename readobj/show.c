/* SPDX-License-Identifier: MIT
 *
 * readobj/show.c - the default mode: the chosen views of each code object.
 */
#include "walk.h"

#include <string.h>

struct show {
    bool first_file, first_object;
};

static void show_text(struct ro *ro, const struct ro_object *obj, uint32_t views)
{
    bool first = true;
    if (ro->color)
        fputs("\033[1m", ro->out);
    ro_name(ro, obj->name, strlen(obj->name));
    fputs(ro->color ? ":\033[0m\n" : ":\n", ro->out);
    for (size_t i = 0; i < ro_view_count; i++) {
        if (!(views & ro_views[i].bit))
            continue;
        if (!first)
            fputc('\n', ro->out);
        first = false;
        ro_views[i].text(ro, obj);
    }
}

static void show_json(struct ro *ro, const struct ro_object *obj, uint32_t views, bool first)
{
    json_t *o = json_object();
    ro_json_set(o, "name", ro_json_cstring(obj->name));
    ro_json_set(o, "entry", ro_json_cstring(obj->entry));
    ro_json_set(o, "offset", ro_json_uint(obj->offset));
    ro_json_set(o, "size", ro_json_uint(obj->size));
    for (size_t i = 0; i < ro_view_count; i++)
        if ((views & ro_views[i].bit) && ro_views[i].json)
            ro_json_set(o, ro_views[i].json_key, ro_views[i].json(ro, obj));
    fputs(first ? "\n" : ",\n", ro->out);
    json_dumpf(o, ro->out, JSON_INDENT(1));
    json_decref(o);
}

static void begin(struct ro_walk *w, const struct codeobj_item *top)
{
    struct ro *ro = w->ro;
    struct show *s = w->mode;
    s->first_object = true;
    if (!ro->opt->json)
        return;
    json_t *name = ro_json_cstring(w->file);
    fputs(s->first_file ? "{\"file\": " : ",\n{\"file\": ", ro->out);
    json_dumpf(name, ro->out, JSON_ENCODE_ANY);
    fprintf(ro->out, ", \"container\": \"%s\", \"code_objects\": [", ro_container_word(top));
    json_decref(name);
    s->first_file = false;
}

static void object(struct ro_walk *w, const struct codeobj_item *item)
{
    struct ro *ro = w->ro;
    struct show *s = w->mode;
    struct codeobj_elf_options options = { .size = sizeof options, .flags = CODEOBJ_ELF_LENIENT, .name = item->name };
    struct codeobj_diag diag = { 0 };
    struct codeobj_elf *elf;
    struct codeobj_metadata *metadata = NULL;
    uint32_t views = ro->opt->views ? ro->opt->views : ro->opt->json ? RO_VIEW_ALL : RO_VIEW_SUMMARY;
    if (codeobj_elf_open_memory(item->data, item->size, &options, &elf, &diag) != CODEOBJ_OK) {
        ro_diag(ro, item->name, &diag);
        return;
    }
    for (size_t i = 0; codeobj_elf_finding(elf, i, &diag) == CODEOBJ_OK; i++)
        ro_diag(ro, item->name, &diag);
    if (views & RO_VIEW_RAW_METADATA) {
        ro_raw_metadata(ro, elf);
        codeobj_elf_free(elf);
        return;
    }
    enum codeobj_status st = CODEOBJ_OK;
    if (views & (RO_VIEW_SUMMARY | RO_VIEW_METADATA | RO_VIEW_KERNELS))
        st = codeobj_metadata_read(elf, &metadata, &diag);
    if (st != CODEOBJ_OK && st != CODEOBJ_NOT_FOUND)
        ro_diag(ro, item->name, &diag);
    struct ro_object obj = { .elf = elf, .metadata = metadata, .file = w->file, .name = item->name,
                             .entry = item->entry_id, .offset = item->offset, .size = item->size };
    if (ro->opt->json) {
        show_json(ro, &obj, views, s->first_object);
    } else {
        if (!s->first_file || !s->first_object)
            fputc('\n', ro->out);
        show_text(ro, &obj, views);
    }
    s->first_object = false;
    codeobj_metadata_free(metadata);
    codeobj_elf_free(elf);
}

static void end(struct ro_walk *w)
{
    struct show *s = w->mode;
    if (w->ro->opt->json && w->any_item)
        fputs("]}", w->ro->out);
    s->first_file = s->first_file && !w->selected;
}

/* JSON: one object for one file, a list of them for several. */
void ro_show_files(struct ro *ro)
{
    static const struct ro_walk_mode mode = { .begin = begin, .object = object, .end = end };
    struct show state = { .first_file = true };
    bool list = ro->opt->json && ro->opt->files.count > 1;
    if (list)
        fputs("[", ro->out);
    ro_walk_files(ro, &mode, &state);
    if (list)
        fputs("]", ro->out);
    if (ro->opt->json && (list || !state.first_file))
        fputc('\n', ro->out);
}

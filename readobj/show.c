/* SPDX-License-Identifier: MIT
 *
 * readobj/show.c - the default mode: the chosen views of each code object.
 */
#include "walk.h"

#include <stdlib.h>
#include <string.h>

/* Small objects of a container wait until there are some, and are then shown by all
 * threads at once. */
enum { WAITING_MAX = 128, WAITING_BYTES = 4 << 20, LARGE = 1 << 20 };

struct waiting {
    struct codeobj_item item;
    char *name, *entry_id; /* owned */
    bool blank_line;       /* in front */
};

struct show {
    bool first_file, first_object;
    struct waiting *waiting; /* WAITING_MAX of them, NULL until needed */
    size_t waiting_count, waiting_bytes;
    unsigned threads;        /* 0: not asked for yet */
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

static void show_object(struct ro *ro, const char *file, const struct codeobj_item *item, bool first)
{
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
    struct ro_object obj = { .elf = elf, .metadata = metadata, .file = file, .name = item->name,
                             .entry = item->entry_id, .offset = item->offset, .size = item->size };
    if (ro->opt->json) {
        show_json(ro, &obj, views, first);
    } else {
        if (!first)
            fputc('\n', ro->out);
        show_text(ro, &obj, views);
    }
    codeobj_metadata_free(metadata);
    codeobj_elf_free(elf);
}

static void show_waiting(struct ro *ro, size_t i, void *user)
{
    const struct ro_walk *w = user;
    const struct show *s = w->mode;
    show_object(ro, w->file, &s->waiting[i].item, !s->waiting[i].blank_line);
}

/* Shows the objects that wait. */
static void flush(struct ro_walk *w)
{
    struct show *s = w->mode;
    ro_in_order(w->ro, s->waiting_count, show_waiting, w);
    for (size_t i = 0; i < s->waiting_count; i++) {
        free(s->waiting[i].name);
        free(s->waiting[i].entry_id);
    }
    s->waiting_count = s->waiting_bytes = 0;
}

/* Can the object wait, and is there memory for that? */
static bool defer(struct ro_walk *w, const struct codeobj_item *item, bool first)
{
    struct show *s = w->mode;
    const struct ro_options *opt = w->ro->opt;
    if (item->depth == 0 || item->size >= LARGE || item->is_unpacked || opt->json || opt->show_source ||
        opt->show_line_numbers /* libdw is for one thread */)
        return false;
    if (!s->threads)
        s->threads = ro_thread_count(w->ro);
    if (s->threads < 2)
        return false;
    if (!s->waiting)
        s->waiting = calloc(WAITING_MAX, sizeof *s->waiting);
    if (!s->waiting)
        return false;
    struct waiting *x = &s->waiting[s->waiting_count];
    *x = (struct waiting){ .item = *item, .name = strdup(item->name), .entry_id = item->entry_id ? strdup(item->entry_id) : NULL,
                           .blank_line = !first };
    if (!x->name || (item->entry_id && !x->entry_id)) {
        free(x->name);
        free(x->entry_id);
        return false;
    }
    x->item.name = x->name;
    x->item.entry_id = x->entry_id;
    x->item.entry = x->item.note = NULL;
    s->waiting_count++;
    s->waiting_bytes += item->size;
    return true;
}

static void object(struct ro_walk *w, const struct codeobj_item *item)
{
    struct show *s = w->mode;
    bool first = w->ro->opt->json ? s->first_object : s->first_file && s->first_object;
    if (!defer(w, item, first)) {
        flush(w);
        show_object(w->ro, w->file, item, first);
    } else if (s->waiting_count == WAITING_MAX || s->waiting_bytes > WAITING_BYTES) {
        flush(w);
    }
    s->first_object = false;
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
    static const struct ro_walk_mode mode = { .begin = begin, .object = object, .finished = flush, .end = end };
    struct show state = { .first_file = true };
    bool list = ro->opt->json && ro->opt->files.count > 1;
    if (list)
        fputs("[", ro->out);
    ro_disassembly_begin(ro);
    ro_walk_files(ro, &mode, &state);
    ro_disassembly_end(ro, !state.first_file);
    free(state.waiting);
    if (list)
        fputs("]", ro->out);
    if (ro->opt->json && (list || !state.first_file))
        fputc('\n', ro->out);
}

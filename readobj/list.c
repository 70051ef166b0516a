/* SPDX-License-Identifier: MIT
 *
 * readobj/list.c - --list: what is inside; --targets: sizes per processor.
 */
#include "walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct list {
    bool first_file, first_item;
};

static const char *const compression_names[] = { "", "zlib", "zstd" };

/* "compressed bundle v3 zstd" */
static void kind_text(const struct codeobj_item *item, char buf[static 64])
{
    int n = snprintf(buf, 64, "%s", codeobj_item_kind_name(item->kind));
    if (item->kind == CODEOBJ_ITEM_OFFLOAD_BINARY && item->compression && item->compression < 3)
        snprintf(buf + n, 64 - (size_t)n, " %s", compression_names[item->compression]);
    if (item->kind == CODEOBJ_ITEM_COMPRESSED_BUNDLE && item->compression < 3)
        snprintf(buf + n, 64 - (size_t)n, " v%u %s", item->version, compression_names[item->compression]);
}

static void list_begin(struct ro_walk *w, const struct codeobj_item *top)
{
    struct list *s = w->mode;
    struct ro *ro = w->ro;
    if (ro->opt->json) {
        json_t *name = ro_json_cstring(w->file);
        fputs(s->first_file ? "{\"file\": " : ",\n{\"file\": ", ro->out);
        json_dumpf(name, ro->out, JSON_ENCODE_ANY);
        fprintf(ro->out, ", \"container\": \"%s\", \"items\": [", ro_container_word(top));
        json_decref(name);
    } else {
        if (!s->first_file)
            fputc('\n', ro->out);
        ro_name(ro, w->file, strlen(w->file));
        fprintf(ro->out, ":\n%12s %12s %12s  %-26s %-24s %s\n", "Offset", "Stored", "Unpacked", "Kind", "Target", "Name");
    }
    s->first_file = false;
    s->first_item = true;
}

/* As --check has them, by enum codeobj_entry_fit. */
static const char *const fit_codes[] = { "", "entry-id-narrower", "entry-id-disagrees" };

static const char *object_target(const struct codeobj_item *item, char buf[static 96])
{
    codeobj_target_format(&item->object_target, buf, 96);
    return buf;
}

static void list_json(struct ro_walk *w, const struct codeobj_item *item)
{
    struct list *s = w->mode;
    char target[96];
    json_t *o = json_object();
    ro_json_set(o, "name", ro_json_cstring(item->name));
    ro_json_set(o, "kind", json_string(codeobj_item_kind_name(item->kind)));
    ro_json_set(o, "depth", json_integer(item->depth));
    ro_json_set(o, "entry", ro_json_cstring(item->entry));
    ro_json_set(o, "offset", ro_json_uint(item->offset));
    ro_json_set(o, "stored_size", ro_json_uint(item->stored_size));
    ro_json_set(o, "size", ro_json_uint(item->size));
    ro_json_set(o, "unpacked", json_boolean(item->is_unpacked));
    ro_json_set(o, "target", item->has_target ? json_string(ro_item_target(item, target)) : json_null());
    if (item->kind == CODEOBJ_ITEM_COMPRESSED_BUNDLE) {
        ro_json_set(o, "compression", json_string(compression_names[item->compression]));
        ro_json_set(o, "version", json_integer(item->version));
    }
    if (item->kind == CODEOBJ_ITEM_OFFLOAD_BINARY) {
        if (item->compression)
            ro_json_set(o, "compression", json_string(compression_names[item->compression]));
        ro_json_set(o, "version", json_integer(item->version));
    }
    if (item->kind == CODEOBJ_ITEM_CODE_OBJECT)
        ro_json_set(o, "finding", item->entry_fit ? json_string(fit_codes[item->entry_fit]) : json_null());
    if (item->entry_fit)
        ro_json_set(o, "object_target", json_string(object_target(item, target)));
    if (item->kind == CODEOBJ_ITEM_EXTERNAL)
        ro_json_set(o, "paths", ro_json_cstring(item->note));
    if (item->kind == CODEOBJ_ITEM_WRAPPER) {
        ro_json_set(o, "version", json_integer(item->version));
        ro_json_set(o, "wrapper", ro_json_cstring(item->note));
        ro_json_set(o, "refers_to", item->has_refers_to ? ro_json_uint(item->refers_to) : json_null());
    }
    fputs(s->first_item ? "\n" : ",\n", w->ro->out);
    json_dumpf(o, w->ro->out, JSON_COMPACT);
    json_decref(o);
}

static void list_item(struct ro_walk *w, const struct codeobj_item *item)
{
    struct list *s = w->mode;
    struct ro *ro = w->ro;
    char kind[64], target[96];
    ro_item_target(item, target);
    /* With --target only what it selects, without the way there. */
    if (w->has_request && (item->is_container || !item->has_target || !codeobj_target_selects(&w->request, &item->target)))
        return;
    if (ro->opt->json) {
        list_json(w, item);
    } else {
        kind_text(item, kind);
        fprintf(ro->out, "  0x%08" PRIx64 " %12" PRIu64 " %12zu  %*s%-*s %-24s ", item->offset, item->stored_size, item->size,
                (int)(item->depth * 2 < 20 ? item->depth * 2 : 20), "", (int)(item->depth * 2 < 20 ? 26 - item->depth * 2 : 6),
                kind, target);
        const char *name = item->depth ? item->name + strlen(w->file) : item->name; /* the heading has the file */
        ro_name(ro, name, strlen(name));
        if (item->note[0]) {
            fputs(": ", ro->out);
            ro_name(ro, item->note, strlen(item->note));
        }
        if (item->entry_fit)
            fprintf(ro->out, ": e_flags say %s [%s]", object_target(item, target), fit_codes[item->entry_fit]);
        fputc('\n', ro->out);
    }
    s->first_item = false;
}

static void list_end(struct ro_walk *w)
{
    if (w->ro->opt->json && w->any_item)
        fputs("]}", w->ro->out);
}

void ro_list(struct ro *ro)
{
    static const struct ro_walk_mode mode = { .begin = list_begin, .item = list_item, .end = list_end };
    struct list state = { .first_file = true };
    bool several = ro->opt->json && ro->opt->files.count > 1;
    if (several)
        fputs("[", ro->out);
    ro_walk_files(ro, &mode, &state);
    if (several)
        fputs("]", ro->out);
    if (ro->opt->json && (several || !state.first_file))
        fputc('\n', ro->out);
}

/* ---- sizes per target, over all files ---- */

struct row {
    char target[96];
    size_t rank; /* of the processor, for sorting */
    uint64_t count, bytes;
};

struct totals {
    struct row *rows;
    size_t count;
};

static void count_object(struct ro_walk *w, const struct codeobj_item *item)
{
    struct totals *t = w->mode;
    char target[96];
    size_t i = 0;
    ro_item_target(item, target);
    if (!target[0])
        strcpy(target, "unknown");
    while (i < t->count && strcmp(t->rows[i].target, target) != 0)
        i++;
    if (i == t->count) {
        struct row *rows = realloc(t->rows, (t->count + 1) * sizeof *rows);
        if (!rows) {
            ro_error(w->ro, "out of memory");
            return;
        }
        t->rows = rows;
        t->rows[i] = (struct row){ 0 };
        strcpy(t->rows[i].target, target);
        t->rows[i].rank = item->has_target ? codeobj_processor_index(item->target.processor) : SIZE_MAX;
        t->count++;
    }
    t->rows[i].count++;
    t->rows[i].bytes += item->size;
}

static int by_target(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : strcmp(x->target, y->target);
}

void ro_targets(struct ro *ro)
{
    static const struct ro_walk_mode mode = { .object = count_object, .quiet = true };
    struct totals t = { 0 };
    uint64_t count = 0, bytes = 0;
    ro_walk_files(ro, &mode, &t);
    if (t.count)
        qsort(t.rows, t.count, sizeof *t.rows, by_target);
    json_t *list = json_array();
    if (!ro->opt->json)
        fprintf(ro->out, "%14s %12s  %s\n", "Bytes", "Objects", "Target");
    for (size_t i = 0; i < t.count; i++) {
        count += t.rows[i].count;
        bytes += t.rows[i].bytes;
        json_t *o = json_object();
        ro_json_set(o, "target", json_string(t.rows[i].target));
        ro_json_set(o, "code_objects", ro_json_uint(t.rows[i].count));
        ro_json_set(o, "bytes", ro_json_uint(t.rows[i].bytes));
        json_array_append_new(list, o);
        if (!ro->opt->json)
            fprintf(ro->out, "%14" PRIu64 " %12" PRIu64 "  %s\n", t.rows[i].bytes, t.rows[i].count, t.rows[i].target);
    }
    if (ro->opt->json) {
        json_t *o = json_object();
        ro_json_set(o, "targets", list);
        ro_json_set(o, "code_objects", ro_json_uint(count));
        ro_json_set(o, "bytes", ro_json_uint(bytes));
        json_dumpf(o, ro->out, JSON_INDENT(1));
        fputc('\n', ro->out);
        json_decref(o);
    } else {
        fprintf(ro->out, "%14" PRIu64 " %12" PRIu64 "  total\n", bytes, count);
        json_decref(list);
    }
    free(t.rows);
}

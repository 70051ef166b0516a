/* SPDX-License-Identifier: MIT
 *
 * readobj/check.c - --check: why will this not load, or a kernel not be found?
 *
 * A file is judged as it would be handed to a loader: a container is a finding,
 * with what is in it.  With --target it is looked into, and what that selects is
 * judged.  Exit status 0: nothing speaks against loading; 1: something does.
 */
#include "walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct check {
    struct ro *ro;
    const char *name;  /* of the object at hand */
    struct codeobj_check_options options;
    size_t counts[3];  /* by severity, this object */
    bool first;        /* JSON: no comma yet */
    json_t *findings;
};

static const char *const severities[] = { "error", "warning", "note" };
static const char *const colours[] = { "\033[31m", "\033[33m", "\033[36m" };

static json_t *finding_json(const struct codeobj_check_finding *f)
{
    json_t *o = json_object();
    ro_json_set(o, "code", json_string(f->code));
    ro_json_set(o, "severity", json_string(severities[f->severity]));
    ro_json_set(o, "where", ro_json_cstring(f->where));
    ro_json_set(o, "offset", f->has_offset ? ro_json_uint(f->offset) : json_null());
    ro_json_set(o, "found", ro_json_cstring(f->found));
    ro_json_set(o, "needed", ro_json_cstring(f->needed));
    ro_json_set(o, "repair", json_string(f->repair));
    return o;
}

static void finding_text(struct check *c, const struct codeobj_check_finding *f)
{
    struct ro *ro = c->ro;
    ro_name(ro, c->name, strlen(c->name));
    fputs(": ", ro->out);
    if (f->where[0])
        ro_name(ro, f->where, strlen(f->where));
    if (f->has_offset)
        fprintf(ro->out, "%s0x%" PRIx64, f->where[0] ? " at " : "", f->offset);
    if (f->where[0] || f->has_offset)
        fputs(": ", ro->out);
    fprintf(ro->out, "%s%s:%s found ", ro->color ? colours[f->severity] : "", severities[f->severity], ro->color ? "\033[0m" : "");
    ro_name(ro, f->found, strlen(f->found));
    if (f->needed[0]) {
        fputs(", needed ", ro->out);
        ro_name(ro, f->needed, strlen(f->needed));
    }
    fprintf(ro->out, " [%s]\n    repair: %s\n", f->code, f->repair);
}

static bool report(void *user, const struct codeobj_check_finding *f)
{
    struct check *c = user;
    if ((unsigned)f->severity > CODEOBJ_CHECK_NOTE)
        return true;
    c->counts[f->severity]++;
    if (c->ro->opt->json)
        json_array_append_new(c->findings, finding_json(f));
    else
        finding_text(c, f);
    return true;
}

static void check_object(struct check *c, const void *data, size_t size, const char *name)
{
    struct ro *ro = c->ro;
    struct codeobj_diag diag = { 0 };
    c->name = name;
    memset(c->counts, 0, sizeof c->counts);
    if (ro->opt->json)
        c->findings = json_array();
    enum codeobj_status st = codeobj_check_memory(data, size, name, &c->options, report, c, &diag);
    bool failed = st == CODEOBJ_NO_MEMORY || st == CODEOBJ_INVALID;
    if (failed)
        ro_diag(ro, name, &diag);
    bool loads = !c->counts[CODEOBJ_CHECK_ERROR];
    if (ro->opt->json) {
        json_t *o = json_object();
        ro_json_set(o, "file", ro_json_cstring(name));
        ro_json_set(o, "loads", json_boolean(loads));
        ro_json_set(o, "findings", c->findings);
        fputs(c->first ? "\n" : ",\n", ro->out);
        json_dumpf(o, ro->out, JSON_INDENT(1));
        json_decref(o);
    } else if (!failed) {
        ro_name(ro, name, strlen(name));
        if (loads)
            fputs(ro->opt->check_for ? ": loads on " : ": nothing speaks against loading it", ro->out);
        if (loads && ro->opt->check_for)
            fputs(ro->opt->check_for, ro->out);
        if (!loads)
            fputs(": will not load or not work", ro->out);
        fprintf(ro->out, " (%zu error%s, %zu warning%s)\n", c->counts[0], c->counts[0] == 1 ? "" : "s", c->counts[1],
                c->counts[1] == 1 ? "" : "s");
    }
    c->first = false;
    if (!loads)
        ro->failed = true;
}

/* The file as it is: the walk's first item is all of it. */
static void whole(struct ro_walk *w, const struct codeobj_item *top)
{
    check_object(w->mode, top->stored, (size_t)top->stored_size, w->file);
}

static void selected(struct ro_walk *w, const struct codeobj_item *item)
{
    struct check *c = w->mode;
    bool is_entry = item->entry && item->entry_id && strcmp(item->entry, item->entry_id) == 0;
    c->options.entry_id = is_entry ? item->entry_id : NULL;
    check_object(c, item->data, item->size, item->name);
}

void ro_check(struct ro *ro)
{
    static const struct ro_walk_mode selection = { .object = selected }, as_it_is = { .begin = whole, .only_top = true };
    struct codeobj_target device;
    struct check c = { .ro = ro, .options = { .size = sizeof c.options }, .first = true };
    if (ro->opt->check_for && ro_parse_target(ro->opt->check_for, &device, NULL)) /* main() has looked */
        c.options.device = &device;
    if (ro->opt->newest_version > 100) {
        ro_error(ro, "--newest-version: %" PRIu64 " is no code object version", ro->opt->newest_version);
        return;
    }
    c.options.newest_version = (int)ro->opt->newest_version;
    if (ro->opt->json)
        fputs("[", ro->out);
    ro_walk_files(ro, ro->opt->target ? &selection : &as_it_is, &c);
    if (ro->opt->json)
        fputs("]\n", ro->out);
}

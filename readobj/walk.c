/* SPDX-License-Identifier: MIT
 *
 * readobj/walk.c - from the files on the command line to the things in them.
 */
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *ro_item_target(const struct codeobj_item *item, char buf[static 96])
{
    buf[0] = 0;
    if (item->has_target)
        codeobj_target_format(&item->target, buf, 96);
    return buf;
}

const char *ro_container_word(const struct codeobj_item *top)
{
    switch ((enum codeobj_item_kind)top->kind) {
    case CODEOBJ_ITEM_CODE_OBJECT: return "elf";
    case CODEOBJ_ITEM_ARCHIVE:
    case CODEOBJ_ITEM_THIN_ARCHIVE: return "archive";
    case CODEOBJ_ITEM_BUNDLE:
    case CODEOBJ_ITEM_TEXT_BUNDLE: return "bundle";
    case CODEOBJ_ITEM_COMPRESSED_BUNDLE: return "compressed bundle";
    case CODEOBJ_ITEM_OFFLOAD_BINARY: return "offload binary";
    case CODEOBJ_ITEM_HOST_ELF:
    case CODEOBJ_ITEM_HOST_COFF: return "fatbinary";
    default: return codeobj_item_kind_name(top->kind);
    }
}

/* ---- members of thin archives ---- */

struct ro_fetched {
    struct ro_fetched *next;
    void *map;
    size_t size;
};

/* Thin archives name their members relative to themselves. */
static bool fetch(void *user, const char *path, const void **data, size_t *size)
{
    struct ro_walk *w = user;
    const char *slash = strrchr(w->file, '/');
    size_t folder = path[0] != '/' && slash ? (size_t)(slash - w->file) + 1 : 0;
    char *full = malloc(folder + strlen(path) + 1);
    struct ro_fetched *f = calloc(1, sizeof *f);
    struct stat st;
    int fd = -1;
    bool ok = full && f;
    if (ok) {
        memcpy(full, w->file, folder);
        strcpy(full + folder, path);
        fd = open(full, O_RDONLY | O_CLOEXEC);
        ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
    }
    if (ok) {
        f->size = (size_t)st.st_size;
        f->map = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, fd, 0);
        ok = f->map != MAP_FAILED;
    }
    if (fd >= 0)
        close(fd);
    free(full);
    if (!ok) {
        free(f);
        return false;
    }
    f->next = w->fetched;
    w->fetched = f;
    *data = f->map;
    *size = f->size;
    return true;
}

static void release(struct ro_walk *w)
{
    while (w->fetched) {
        struct ro_fetched *f = w->fetched;
        w->fetched = f->next;
        munmap(f->map, f->size);
        free(f);
    }
}

/* ---- the walk ---- */

struct pass {
    struct ro_walk walk;
    const struct ro_walk_mode *mode;
    bool progress;
    unsigned percent;
};

/* A line of progress on a terminal, for files that take a while. */
static void show_progress(struct pass *p, const struct codeobj_item *item)
{
    if (!p->progress || item->is_unpacked)
        return;
    unsigned percent = (unsigned)(100 * (item->offset / 4096) / (p->walk.file_size / 4096 + 1));
    if (percent == p->percent)
        return;
    p->percent = percent;
    fprintf(stderr, "\r%3u %%  %zu code objects", percent, p->walk.code_objects);
}

bool ro_parse_target(const char *text, struct codeobj_target *out, struct codeobj_diag *diag)
{
    struct codeobj_entry_id id;
    if (codeobj_target_parse(text, out, diag) == CODEOBJ_OK)
        return true;
    if (codeobj_entry_id_parse(text, &id, NULL) != CODEOBJ_OK || !id.has_target)
        return false;
    *out = id.target;
    return true;
}

static void remember_target(struct ro_walk *w, const char *target)
{
    size_t n = strlen(target);
    for (const char *p = w->available; p && *p;) {
        size_t len = strcspn(p, ",");
        if (len == n && memcmp(p, target, n) == 0)
            return;
        p += len + (p[len] == ',') + (p[len] == ',' && p[len + 1] == ' ');
    }
    size_t used = w->available ? strlen(w->available) : 0;
    if (used > 4096)
        return;
    char *more = realloc(w->available, used + n + 3);
    if (!more)
        return;
    strcpy(more + used, used ? ", " : "");
    strcat(more + used, target);
    w->available = more;
}

static enum codeobj_walk_verdict visit(void *user, const struct codeobj_item *item)
{
    struct pass *p = user;
    struct ro_walk *w = &p->walk;
    char target[96];
    if (!w->any_item && p->mode->begin)
        p->mode->begin(w, item);
    w->any_item = true;
    if (p->mode->only_top)
        return CODEOBJ_WALK_STOP;
    w->externals += item->kind == CODEOBJ_ITEM_EXTERNAL;
    w->modules += item->kind == CODEOBJ_ITEM_BITCODE || item->kind == CODEOBJ_ITEM_SPIRV;
    if (p->mode->item)
        p->mode->item(w, item);
    if (item->kind != CODEOBJ_ITEM_CODE_OBJECT)
        return CODEOBJ_WALK_ON;
    w->code_objects++;
    show_progress(p, item);
    bool selected = !w->has_request || (item->has_target && codeobj_target_selects(&w->request, &item->target));
    if (selected) {
        w->selected++;
        if (p->mode->object)
            p->mode->object(w, item);
    } else {
        remember_target(w, item->has_target ? ro_item_target(item, target) : "unknown");
    }
    return ferror(w->ro->out) ? CODEOBJ_WALK_STOP : CODEOBJ_WALK_ON;
}

static void finding(void *user, const struct codeobj_diag *diag)
{
    struct pass *p = user;
    ro_diag(p->walk.ro, p->walk.file, diag);
}

static void finished(void *user)
{
    struct pass *p = user;
    if (p->mode->finished)
        p->mode->finished(&p->walk);
}

static void nothing_selected(struct ro_walk *w)
{
    if (w->code_objects)
        ro_error(w->ro, "%s: no code object for %s; there are: %s", w->file, w->ro->opt->target, w->available);
    else if (w->externals)
        ro_error(w->ro, "%s: holds no code object: its device code is in other files (--list names them)", w->file);
    else if (w->modules)
        ro_error(w->ro, "%s: holds no code object, only bitcode or SPIR-V that is still to be compiled (--list shows it)", w->file);
    else
        ro_error(w->ro, "%s: holds no AMDGPU code object", w->file);
}

static void walk_file(struct ro *ro, const char *path, const struct ro_walk_mode *mode, void *state,
                      const struct codeobj_target *request)
{
    struct pass p = { .walk = { .ro = ro, .file = path, .mode = state }, .mode = mode, .percent = 101 };
    struct codeobj_walk_options options = { .size = sizeof options, .user = &p, .visit = visit, .finding = finding, .fetch = fetch,
                                            .finished = finished };
    struct codeobj_diag diag = { 0 };
    struct stat st;
    if (request) {
        p.walk.has_request = true;
        p.walk.request = *request;
    }
    p.walk.file_size = stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
    p.progress = p.walk.file_size > 64u << 20 && isatty(STDERR_FILENO) && (mode->quiet || !isatty(STDOUT_FILENO));
    bool failed_before = ro->failed;
    ro->failed = false;
    enum codeobj_status status = codeobj_walk_file(strcmp(path, "-") == 0 ? "/dev/stdin" : path, &options, &diag);
    if (p.progress)
        fputs("\r\033[K", stderr);
    if (status != CODEOBJ_OK && !ro->failed) /* not told as a finding: the file itself */
        ro_diag(ro, path, &diag);
    else if (!p.walk.selected && !ro->failed && !mode->only_top)
        nothing_selected(&p.walk);
    if (mode->end)
        mode->end(&p.walk);
    ro->failed |= failed_before;
    release(&p.walk);
    free(p.walk.available);
}

void ro_walk_files(struct ro *ro, const struct ro_walk_mode *mode, void *state)
{
    struct codeobj_target request;
    const char *target = ro->opt->target;
    if (target && !ro_parse_target(target, &request, NULL))
        target = NULL; /* main() has looked */
    for (size_t i = 0; i < ro->opt->files.count; i++)
        walk_file(ro, ro->opt->files.items[i], mode, state, target ? &request : NULL);
}

/* Writes to PATH.tmp first: a failed write leaves no half file. */
bool ro_write_file(struct ro *ro, const char *path, const void *data, size_t size)
{
    char *temporary = malloc(strlen(path) + 5);
    if (!temporary) {
        ro_error(ro, "out of memory");
        return false;
    }
    strcat(strcpy(temporary, path), ".tmp");
    FILE *f = fopen(temporary, "wb");
    bool ok = f && fwrite(data, 1, size, f) == size;
    if (f && fclose(f) != 0)
        ok = false;
    ok = ok && rename(temporary, path) == 0;
    if (!ok) {
        ro_error(ro, "%s: cannot write: %s", path, strerror(errno));
        remove(temporary);
    }
    free(temporary);
    return ok;
}

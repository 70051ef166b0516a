/* SPDX-License-Identifier: MIT
 *
 * bundle/walk.c - the walk: what are these bytes, and what is in them?
 *
 * Hostile files are bounded by three budgets: depth, work (bytes scanned or
 * unpacked, and a fee per item, so that entries which overlap cannot multiply),
 * and unpacked bytes held at one time.  All three follow from the file's size.
 */
#include "bundle/walk.h"

#include <codeobj/elf.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/options.h"

enum { DEPTH_LIMIT = 12, ITEM_FEE = 256, NAME_PART = 255 };
#define WORK_BASE ((uint64_t)64 << 20)

static const char *const kind_names[CODEOBJ_ITEM_KIND_COUNT] = {
    [CODEOBJ_ITEM_CODE_OBJECT] = "code object",
    [CODEOBJ_ITEM_BITCODE] = "bitcode",
    [CODEOBJ_ITEM_SPIRV] = "SPIR-V",
    [CODEOBJ_ITEM_HOST] = "host code",
    [CODEOBJ_ITEM_EXTERNAL] = "external device code",
    [CODEOBJ_ITEM_WRAPPER] = "fat binary wrapper",
    [CODEOBJ_ITEM_OTHER] = "other",
    [CODEOBJ_ITEM_ARCHIVE] = "archive",
    [CODEOBJ_ITEM_THIN_ARCHIVE] = "thin archive",
    [CODEOBJ_ITEM_BUNDLE] = "bundle",
    [CODEOBJ_ITEM_COMPRESSED_BUNDLE] = "compressed bundle",
    [CODEOBJ_ITEM_TEXT_BUNDLE] = "text bundle",
    [CODEOBJ_ITEM_OFFLOAD_BINARY] = "offload binary",
    [CODEOBJ_ITEM_HOST_ELF] = "host ELF",
    [CODEOBJ_ITEM_HOST_COFF] = "host COFF",
    [CODEOBJ_ITEM_SECTION] = "section",
    [CODEOBJ_ITEM_RAW] = "raw",
};

const char *codeobj_item_kind_name(enum codeobj_item_kind kind)
{
    return (unsigned)kind < CODEOBJ_ITEM_KIND_COUNT ? kind_names[kind] : "unknown";
}

enum codeobj_status co_walk_finding(struct co_walk *w, const struct co_place *place, enum codeobj_status status,
                                    const uint8_t *at, const char *fmt, ...)
{
    struct codeobj_diag diag;
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    memset(&diag, 0, sizeof diag);
    co_diag_file(&diag, place->name);
    if (at)
        co_fail_at(&diag, status, NULL, (uint64_t)(at - place->base.data), "%s", text);
    else
        co_fail(&diag, status, "%s", text);
    if (w->status == CODEOBJ_OK) {
        w->status = status;
        if (w->diag)
            *w->diag = diag;
    }
    if (status == CODEOBJ_NO_MEMORY)
        w->stopped = true;
    if (w->options->finding)
        w->options->finding(w->options->user, &diag);
    return status;
}

bool co_walk_charge(struct co_walk *w, const struct co_place *place, uint64_t amount)
{
    if (w->stopped)
        return false;
    w->work = w->work > UINT64_MAX - amount ? UINT64_MAX : w->work + amount;
    if (w->work <= w->work_limit)
        return true;
    co_walk_finding(w, place, CODEOBJ_LIMIT, NULL, "too much in a file of this size: its parts overlap or repeat");
    w->stopped = true;
    return false;
}

/* ---- visiting ---- */

/* The two codings of xnack and sramecc in e_flags: from V4 on there are two bits for each. */
static bool item_has_one_bit_modes(const struct codeobj_item *item)
{
    enum { OSABI = 7, ABI_VERSION = 8, AMDHSA = 64, ABI_V4 = 2 };
    const uint8_t *p = item->data;
    return item->size <= ABI_VERSION || p[OSABI] != AMDHSA || p[ABI_VERSION] < ABI_V4;
}

static bool visit(struct co_walk *w, const struct co_place *place, struct codeobj_item *item, struct co_span stored)
{
    item->depth = place->depth;
    item->name = place->name;
    item->entry = place->entry;
    item->entry_id = place->entry_id;
    item->is_unpacked = place->is_unpacked;
    item->offset = (uint64_t)(stored.data - place->base.data);
    item->stored_size = stored.size;
    item->stored = stored.data;
    if (!item->note)
        item->note = "";
    struct codeobj_entry_id id;
    /* What an entry is, its ID says; an object deeper inside (an archive's member) says so itself. */
    bool is_entry = place->entry_id == place->entry || item->kind != CODEOBJ_ITEM_CODE_OBJECT || !item->has_target;
    if (place->entry_id && is_entry && codeobj_entry_id_parse(place->entry_id, &id, NULL) == CODEOBJ_OK) {
        if (place->entry_id == place->entry && item->kind == CODEOBJ_ITEM_CODE_OBJECT)
            item->entry_fit = (uint8_t)co_entry_id_fit(&id, &item->object_target, item_has_one_bit_modes(item));
        if (id.has_target) {
            item->has_target = true;
            item->target = id.target;
        }
    }
    switch (w->options->visit(w->options->user, item)) {
    case CODEOBJ_WALK_ON: return true;
    case CODEOBJ_WALK_STOP: w->stopped = true; return false;
    case CODEOBJ_WALK_SKIP: break;
    }
    return false;
}

/* The target by e_flags; objects of V1 have none there, but a note. */
static void elf_target(struct co_span s, struct codeobj_item *item)
{
    struct codeobj_elf_options options = { .size = sizeof options, .flags = CODEOBJ_ELF_LENIENT };
    struct codeobj_elf *elf;
    uint32_t flags;
    if (s.size <= 16 || !co_span_u32(s, s.data[4] == 1 ? 36 : 48, &flags))
        return;
    codeobj_target_from_flags(flags, s.data[7], s.data[8], &item->target);
    if (!item->target.processor && codeobj_elf_open_memory(s.data, s.size, &options, &elf, NULL) == CODEOBJ_OK) {
        codeobj_elf_target(elf, &item->target);
        codeobj_elf_free(elf);
    }
    item->has_target = item->target.processor != NULL;
    item->object_target = item->target;
}

static void enter_compressed(struct co_walk *w, const struct co_place *place, struct co_span s)
{
    struct codeobj_item item = { .kind = CODEOBJ_ITEM_COMPRESSED_BUNDLE, .is_container = true };
    struct co_ccob ccob;
    const char *problem = "";
    uint8_t *data = NULL;
    if (!co_ccob_read(s, &ccob, &problem)) {
        item.is_container = false;
        visit(w, place, &item, s);
        if (!w->stopped)
            co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data, "compressed bundle: %s", problem);
        return;
    }
    item.version = ccob.version;
    item.compression = ccob.method;
    item.size = (size_t)ccob.unpacked;
    uint64_t limit = w->unpack_limit - w->unpacked;
    enum codeobj_status st = co_unpack((struct co_span){ s.data + ccob.header, (size_t)ccob.total - ccob.header }, ccob.method, ccob.unpacked, limit,
                                       &data, &item.size, &problem);
    if (st != CODEOBJ_OK) {
        item.is_container = false;
        visit(w, place, &item, s);
        if (!w->stopped)
            co_walk_finding(w, place, st, s.data, "compressed bundle: %s", problem);
        return;
    }
    struct co_span plain = co_span_make(data, item.size);
    item.data = data;
    uint8_t md5[16];
    md5_buffer((const char *)data, item.size, md5);
    if (co_load64(md5) != ccob.hash)
        co_walk_finding(w, place, CODEOBJ_MALFORMED, s.data + ccob.header - 8,
                        "compressed bundle: hash: found %016" PRIx64 ", expected %016" PRIx64, ccob.hash, co_load64(md5));
    w->unpacked += item.size;
    if (co_walk_charge(w, place, item.size) && visit(w, place, &item, s)) {
        struct co_place inner = *place;
        inner.base = plain;
        inner.is_unpacked = true;
        if (co_sniff(plain) == CODEOBJ_ITEM_BUNDLE)
            co_enter_bundle(w, &inner, plain);
        else
            co_walk_child_unpacked(w, place, plain, "unpacked", 8);
    }
    w->unpacked -= item.size;
    free(data);
}

static void enter_compressed_offload(struct co_walk *w, const struct co_place *place, struct co_span s, const struct co_offload *o)
{
    struct codeobj_item item = { .kind = CODEOBJ_ITEM_OFFLOAD_BINARY, .is_container = true, .compression = o->method,
                                 .size = (size_t)o->unpacked, .version = (uint16_t)o->version };
    const char *problem = "";
    uint8_t *data = NULL;
    enum codeobj_status st = co_offload_unpack(s, o, w->unpack_limit - w->unpacked, &data, &item.size, &problem);
    if (st != CODEOBJ_OK) {
        item.is_container = false;
        visit(w, place, &item, s);
        if (!w->stopped)
            co_walk_finding(w, place, st, s.data, "offload binary: %s", problem);
        return;
    }
    item.data = data;
    w->unpacked += item.size;
    if (co_walk_charge(w, place, item.size) && visit(w, place, &item, s)) {
        struct co_place inner = *place;
        inner.base = co_span_make(data, item.size);
        inner.is_unpacked = true;
        co_enter_offload(w, &inner, inner.base);
    }
    w->unpacked -= item.size;
    free(data);
}

/* Only these stand one behind the other. */
static bool is_chainable(enum codeobj_item_kind kind)
{
    return kind == CODEOBJ_ITEM_BUNDLE || kind == CODEOBJ_ITEM_COMPRESSED_BUNDLE || kind == CODEOBJ_ITEM_OFFLOAD_BINARY;
}

static void enter(struct co_walk *w, const struct co_place *place, struct co_span s, enum codeobj_item_kind kind)
{
    switch (kind) {
    case CODEOBJ_ITEM_ARCHIVE:
    case CODEOBJ_ITEM_THIN_ARCHIVE: co_enter_archive(w, place, s); break;
    case CODEOBJ_ITEM_BUNDLE: co_enter_bundle(w, place, s); break;
    case CODEOBJ_ITEM_TEXT_BUNDLE: co_enter_text_bundle(w, place, s); break;
    case CODEOBJ_ITEM_OFFLOAD_BINARY: co_enter_offload(w, place, s); break;
    case CODEOBJ_ITEM_HOST_ELF: co_enter_host_elf(w, place, s); break;
    case CODEOBJ_ITEM_HOST_COFF: co_enter_coff(w, place, s); break;
    /* A file that begins with a bundle is a chain of them; in other bytes a magic may be chance. */
    case CODEOBJ_ITEM_RAW: co_enter_raw(w, place, s, is_chainable(co_sniff(s))); break;
    default: break;
    }
}

static bool all_zero(struct co_span s, size_t from)
{
    for (size_t i = from; i < s.size; i++)
        if (s.data[i])
            return false;
    return true;
}

static void walk_bytes(struct co_walk *w, const struct co_place *place, struct co_span s, bool is_whole)
{
    struct codeobj_item item = { .data = s.data, .size = s.size };
    if (!co_walk_charge(w, place, ITEM_FEE))
        return;
    if (place->depth > w->depth_limit) {
        co_walk_finding(w, place, CODEOBJ_LIMIT, s.data, "containers are nested more than %u deep", w->depth_limit);
        return;
    }
    enum codeobj_item_kind kind = co_sniff(s);
    if (is_whole && is_chainable(kind)) {
        size_t extent = co_extent(s, kind);
        if (extent && extent < s.size && !all_zero(s, extent))
            kind = CODEOBJ_ITEM_RAW;
    }
    if (kind == CODEOBJ_ITEM_OTHER && place->depth == 0 && s.size) {
        if (!co_walk_charge(w, place, s.size))
            return;
        size_t extent;
        if (co_next_thing(s, 0, false, &extent) < s.size)
            kind = CODEOBJ_ITEM_RAW;
    }
    if (kind == CODEOBJ_ITEM_COMPRESSED_BUNDLE) {
        enter_compressed(w, place, s);
        return;
    }
    struct co_offload offload;
    if (kind == CODEOBJ_ITEM_OFFLOAD_BINARY && co_offload_read(s, &offload)) {
        if (offload.unpacked) {
            enter_compressed_offload(w, place, s, &offload);
            return;
        }
        item.version = (uint16_t)offload.version;
    }
    if (kind == CODEOBJ_ITEM_OTHER && place->entry_id && strncmp(place->entry_id, "host-", 5) == 0)
        kind = CODEOBJ_ITEM_HOST;
    item.kind = (uint8_t)kind;
    item.is_container = kind >= CODEOBJ_ITEM_ARCHIVE;
    if (kind == CODEOBJ_ITEM_CODE_OBJECT)
        elf_target(s, &item);
    if (visit(w, place, &item, s) && item.is_container)
        enter(w, place, s, kind);
}

/* ---- children ---- */

/* "PARENT(ENTRY)", or "PARENT" + "+0x10)" where the parent's name is a
 * section's; owned.  What is not printable ASCII becomes '?'. */
static char *child_name(const char *parent, const char *entry, size_t n)
{
    size_t p = strlen(parent);
    bool in_section = n && entry[0] == '+' && p && parent[p - 1] == ')';
    if (n > NAME_PART)
        n = NAME_PART;
    char *name = malloc(p + n + 3);
    if (!name)
        return NULL;
    memcpy(name, parent, p);
    if (in_section)
        p--;
    else
        name[p++] = '(';
    memcpy(name + p, entry, n);
    for (size_t i = p; i < p + n; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
            name[i] = '?';
    name[p + n] = ')';
    name[p + n + 1] = 0;
    return name;
}

/* The child's place; its strings are owned by the caller (child_free). */
static bool child_place(struct co_walk *w, const struct co_place *parent, const char *entry, size_t n, bool is_id,
                        struct co_place *out)
{
    *out = *parent;
    out->depth = parent->depth + 1;
    char *name = child_name(parent->name, entry ? entry : "", entry ? n : 0);
    char *copy = entry ? strndup(entry, n) : NULL;
    if (!name || (entry && !copy)) {
        free(name);
        free(copy);
        co_walk_finding(w, parent, CODEOBJ_NO_MEMORY, NULL, "out of memory");
        return false;
    }
    out->name = name;
    out->entry = copy;
    if (is_id)
        out->entry_id = copy;
    return true;
}

static void child_free(struct co_place *place)
{
    free((char *)place->name);
    free((char *)place->entry);
}

/* The bytes were looked at: their pages need not stay in memory.  A visitor may look at what was
 * visited last once more, and a call for each member would cost more than the member: pages go
 * by the megabyte, and late. */
static void give_back(struct co_walk *w, struct co_span s)
{
    enum { STEP = 8 << 20 };
    if (!w->map || s.data < w->map || s.data >= w->map + w->map_size)
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), end = (size_t)(s.data - w->map) + s.size;
    size_t from = w->given_back, to = end > STEP ? (end - STEP) & ~(page - 1) : 0;
    if (end <= from) { /* not from front to back */
        from = (size_t)(s.data - w->map) & ~(page - 1);
        to = end;
    } else if (to >= from + STEP) {
        w->given_back = to;
    }
    if (to > from && to - from >= STEP)
        madvise((void *)(w->map + from), to - from, MADV_DONTNEED);
}

void co_walk_child(struct co_walk *w, const struct co_place *parent, struct co_span bytes, const char *entry,
                   size_t entry_size, bool is_id)
{
    struct co_place place;
    if (w->stopped || !child_place(w, parent, entry, entry_size, is_id, &place))
        return;
    /* What follows a sized thing is not its business: only members and entries may be chains. */
    walk_bytes(w, &place, bytes, !entry_size || entry[0] != '+');
    child_free(&place);
    give_back(w, bytes);
}

void co_walk_child_unpacked(struct co_walk *w, const struct co_place *parent, struct co_span bytes, const char *entry,
                            size_t entry_size)
{
    struct co_place place;
    if (w->stopped || !child_place(w, parent, entry, entry_size, false, &place))
        return;
    place.base = bytes;
    place.is_unpacked = true;
    walk_bytes(w, &place, bytes, true);
    child_free(&place);
}

static void visit_leaf(struct co_walk *w, const struct co_place *parent, struct co_span bytes, struct codeobj_item *item,
                       const char *entry, size_t entry_size, bool is_id)
{
    struct co_place place;
    if (!co_walk_charge(w, parent, ITEM_FEE) || !child_place(w, parent, entry, entry_size, is_id, &place))
        return;
    visit(w, &place, item, bytes);
    child_free(&place);
}

void co_walk_leaf(struct co_walk *w, const struct co_place *parent, struct co_span bytes, enum codeobj_item_kind kind,
                  const char *entry, size_t entry_size, bool is_id, const char *note)
{
    struct codeobj_item item = { .kind = (uint8_t)kind, .data = bytes.data, .size = bytes.size, .note = note };
    visit_leaf(w, parent, bytes, &item, entry, entry_size, is_id);
}

void co_walk_item(struct co_walk *w, const struct co_place *parent, struct co_span bytes, struct codeobj_item *item,
                  const char *entry, size_t entry_size)
{
    visit_leaf(w, parent, bytes, item, entry, entry_size, false);
}

bool co_walk_enter_section(struct co_walk *w, const struct co_place *parent, struct co_span bytes, const char *name,
                           size_t name_size, struct co_place *inner)
{
    struct codeobj_item item = { .kind = CODEOBJ_ITEM_SECTION, .is_container = true, .data = bytes.data, .size = bytes.size };
    if (w->stopped || !child_place(w, parent, name, name_size, false, inner))
        return false;
    if (visit(w, inner, &item, bytes))
        return true;
    child_free(inner);
    return false;
}

void co_walk_leave_section(struct co_walk *w, struct co_place *inner, struct co_span bytes)
{
    child_free(inner);
    give_back(w, bytes);
}

void co_walk_section(struct co_walk *w, const struct co_place *parent, struct co_span bytes, const char *name,
                     size_t name_size, bool strict)
{
    struct co_place place;
    if (bytes.size == 0 || !co_walk_charge(w, parent, ITEM_FEE))
        return;
    size_t extent, first = strict && co_is_one_thing(bytes) ? 0 : co_next_thing(bytes, 0, strict, &extent);
    if (!co_walk_charge(w, parent, first) || first == bytes.size) {
        give_back(w, bytes);
        return;
    }
    if (co_walk_enter_section(w, parent, bytes, name, name_size, &place)) {
        co_enter_raw(w, &place, bytes, strict);
        co_walk_leave_section(w, &place, bytes);
    }
}

/* ---- entry points ---- */

static enum codeobj_status walk(const void *data, size_t size, const char *name, bool is_mapping,
                                const struct codeobj_walk_options *options, struct codeobj_diag *diag)
{
    struct co_span s = co_span_make(data, size);
    CO_OPTIONS(struct codeobj_walk_options, opt, options);
    if (!opt.visit)
        return co_fail(diag, CODEOBJ_INVALID, "walk: options with a visitor are needed");
    struct co_walk w = {
        .options = &opt,
        .diag = diag,
        .depth_limit = opt.depth_limit ? opt.depth_limit : DEPTH_LIMIT,
        .unpack_limit = opt.unpack_limit ? opt.unpack_limit : WORK_BASE + 1032 * (uint64_t)size,
        .work_limit = WORK_BASE + 64 * (uint64_t)size + opt.unpack_limit,
        .map = is_mapping ? data : NULL,
        .map_size = size,
    };
    struct co_place place = { .name = name ? name : "", .base = s };
    walk_bytes(&w, &place, s, true);
    if (opt.finished)
        opt.finished(opt.user);
    return w.status;
}

enum codeobj_status codeobj_walk_memory(const void *data, size_t size, const char *name,
                                        const struct codeobj_walk_options *options, struct codeobj_diag *diag)
{
    return walk(data, size, name, false, options, diag);
}

/* Reads what cannot be mapped (a pipe). */
static void *read_all(int fd, size_t *size)
{
    size_t room = 65536, used = 0;
    char *data = malloc(room);
    for (ssize_t n; data; used += (size_t)n) {
        if (used == room) {
            char *more = realloc(data, room *= 2);
            if (!more)
                free(data);
            data = more;
            if (!data)
                break;
        }
        n = read(fd, data + used, room - used);
        if (n == 0)
            break;
        if (n < 0 && errno != EINTR) {
            free(data);
            return NULL;
        }
        n = n < 0 ? 0 : n;
    }
    *size = used;
    return data;
}

enum codeobj_status codeobj_walk_file(const char *path, const struct codeobj_walk_options *options,
                                      struct codeobj_diag *diag)
{
    struct stat st;
    co_diag_file(diag, path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0) {
        enum codeobj_status status = co_fail(diag, CODEOBJ_IO, "cannot open: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return status;
    }
    size_t size = (size_t)st.st_size;
    void *map = S_ISREG(st.st_mode) && size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    void *copy = NULL;
    if (map == MAP_FAILED) {
        errno = 0;
        copy = S_ISDIR(st.st_mode) ? (errno = EISDIR, NULL) : read_all(fd, &size);
        if (!copy) {
            enum codeobj_status status = co_fail(diag, errno ? CODEOBJ_IO : CODEOBJ_NO_MEMORY, "cannot read: %s",
                                                 errno ? strerror(errno) : "out of memory");
            close(fd);
            return status;
        }
    }
    close(fd);
    enum codeobj_status status = walk(copy ? copy : map, size, path, !copy, options, diag);
    if (copy)
        free(copy);
    else
        munmap(map, size);
    return status;
}

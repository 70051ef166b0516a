/* SPDX-License-Identifier: MIT
 *
 * bundle/archive.c - ar archives: GNU, BSD, Darwin, COFF, thin.
 *
 * Each member has a 60-byte header of blank-padded text.  Names: "NAME/" (GNU),
 * "NAME" (old BSD), "/N" (offset into the "//" member), "#1/N" (BSD: the first N
 * bytes of the data).  "/" is a symbol table (COFF has two), "/SYM64/" and
 * "__.SYMDEF*" too, "/<ECSYMBOLS>/" and "/<XFGHASHMAP>/" are Microsoft's.
 * Members start at even offsets.  In a thin archive only these tables have
 * their bytes in the file.
 */
#include "bundle/walk.h"

#include <inttypes.h>

enum { HEADER = 60, MAGIC = 8 };

static const char plain_magic[] = "!<arch>\n", thin_magic[] = "!<thin>\n";

/* Blank-padded decimal digits; false when there is anything else. */
static bool decimal(const uint8_t *p, size_t n, uint64_t *out)
{
    uint64_t v = 0;
    size_t i = 0;
    while (i < n && p[i] >= '0' && p[i] <= '9')
        v = v * 10 + (uint64_t)(p[i++] - '0');
    if (i == 0)
        return false;
    while (i < n && p[i] == ' ')
        i++;
    *out = v;
    return i == n;
}

static bool name_is(const uint8_t *field, const char *name)
{
    size_t n = strlen(name);
    return memcmp(field, name, n) == 0 && (n == 16 || field[n] == ' ' || field[n] == '/');
}

static bool is_symbol_table(const char *name, size_t n)
{
    return (n >= 9 && memcmp(name, "__.SYMDEF", 9) == 0) || (n == 1 && name[0] == '/');
}

/* The name a header field and the tables give; false when it points outside. */
static bool member_name(const struct codeobj_archive_cursor *c, const uint8_t *field, struct co_span *data,
                        struct codeobj_archive_member *m)
{
    uint64_t n;
    if (field[0] == '/' && decimal(field + 1, 15, &n)) {
        if (n >= c->long_names_size)
            return false;
        const char *start = c->long_names + n;
        size_t left = c->long_names_size - (size_t)n, len = 0;
        /* "name/\n"; COFF ends names with NUL */
        while (len < left && start[len] != '\n' && start[len] != 0)
            len++;
        if (len && start[len - 1] == '/')
            len--;
        m->name = start;
        m->name_size = len;
        return true;
    }
    if (memcmp(field, "#1/", 3) == 0 && decimal(field + 3, 13, &n)) {
        if (n > data->size)
            return false;
        m->name = (const char *)data->data;
        m->name_size = strnlen(m->name, (size_t)n);
        co_span_sub(*data, n, data->size - n, data);
        return true;
    }
    m->name = (const char *)field;
    m->name_size = 16;
    while (m->name_size && field[m->name_size - 1] == ' ')
        m->name_size--;
    if (m->name_size > 1 && field[m->name_size - 1] == '/')
        m->name_size--;
    return true;
}

/* One header; *special: it is a table of the archive itself. */
static enum codeobj_status read_member(struct co_span ar, struct codeobj_archive_cursor *c,
                                       struct codeobj_archive_member *m, bool *special, struct codeobj_diag *diag)
{
    struct co_span header, data;
    uint64_t size;
    if (!co_span_sub(ar, c->offset, HEADER, &header))
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, c->offset, "archive member header: found %" PRIu64
                          " bytes, expected 60", (uint64_t)ar.size - c->offset);
    if (header.data[58] != '`' || header.data[59] != '\n')
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, c->offset + 58,
                          "archive member header: found %02x %02x, expected 60 0a", header.data[58], header.data[59]);
    if (!decimal(header.data + 48, 10, &size))
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, c->offset + 48,
                          "archive member size: found '%.10s', expected a decimal number", (const char *)header.data + 48);
    const uint8_t *field = header.data;
    bool is_names = field[0] == '/' && field[1] == '/';
    *special = is_names || (field[0] == '/' && !(field[1] >= '0' && field[1] <= '9'));
    /* __.SYMDEF stands in the field or behind #1/; a thin archive keeps only its tables. */
    if (name_is(field, "__.SYMDEF") || name_is(field, "__.SYMDEF_64") || name_is(field, "__.SYMDEF SORTED"))
        *special = true;
    uint64_t stored = c->is_thin && !*special ? 0 : size;
    m->offset = c->offset;
    if (!co_span_sub(ar, c->offset + HEADER, stored, &data))
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, c->offset + 48,
                          "archive member size: found %" PRIu64 ", expected at most %" PRIu64, size,
                          (uint64_t)ar.size - c->offset - HEADER);
    c->offset += HEADER + stored;
    c->offset += c->offset & 1;
    if (is_names) {
        c->long_names = (const char *)data.data;
        c->long_names_size = data.size;
    }
    if (*special)
        return CODEOBJ_OK;
    if (!member_name(c, field, &data, m))
        return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, m->offset, "archive member name: '%.16s' points outside",
                          (const char *)field);
    if (is_symbol_table(m->name, m->name_size))
        *special = true;
    m->data = c->is_thin ? NULL : data.data;
    m->size = c->is_thin ? (size_t)size : data.size;
    m->data_offset = c->is_thin ? 0 : (uint64_t)(data.data - ar.data);
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_archive_next(const void *data, size_t size, struct codeobj_archive_cursor *cursor,
                                         struct codeobj_archive_member *out, struct codeobj_diag *diag)
{
    struct co_span ar = co_span_make(data, size);
    struct codeobj_archive_cursor c = *cursor;
    struct codeobj_archive_member m;
    bool special = true;
    memset(&m, 0, sizeof m);
    if (c.offset == 0) {
        if (size < MAGIC || (memcmp(data, plain_magic, MAGIC) != 0 && memcmp(data, thin_magic, MAGIC) != 0))
            return co_fail_at(diag, CODEOBJ_MALFORMED, NULL, 0, "not an archive");
        c.is_thin = memcmp(data, thin_magic, MAGIC) == 0;
        c.offset = MAGIC;
    }
    while (special) {
        /* The padding byte of the last member may be missing. */
        if (c.offset >= size)
            return CODEOBJ_NOT_FOUND;
        enum codeobj_status st = read_member(ar, &c, &m, &special, diag);
        if (st != CODEOBJ_OK)
            return st;
    }
    *cursor = c;
    *out = m;
    return CODEOBJ_OK;
}

/* Bytes of the archive that s begins with: to the end of the last member that reads as one.  0: there is none,
 * and more than padding follows the magic. */
size_t co_archive_extent(struct co_span s)
{
    struct codeobj_archive_cursor c = { 0 };
    struct codeobj_archive_member m;
    size_t end = 0;
    if (s.size < MAGIC)
        return 0;
    while (codeobj_archive_next(s.data, s.size, &c, &m, NULL) == CODEOBJ_OK)
        end = c.offset < s.size ? (size_t)c.offset : s.size;
    for (size_t i = MAGIC; !end && i < s.size; i++)
        if (s.data[i])
            return 0;
    return end ? end : MAGIC;
}

static void thin_member(struct co_walk *w, const struct co_place *place, const struct codeobj_archive_member *m)
{
    const void *bytes = NULL;
    size_t size = 0;
    char path[4096];
    if (m->name_size < sizeof path) {
        memcpy(path, m->name, m->name_size);
        path[m->name_size] = 0;
        if (w->options->fetch && w->options->fetch(w->options->user, path, &bytes, &size)) {
            co_walk_child_unpacked(w, place, co_span_make(bytes, size), m->name, m->name_size);
            return;
        }
    }
    co_walk_finding(w, place, CODEOBJ_IO, place->base.data + m->offset, "thin archive: cannot read member '%.*s'",
                    (int)(m->name_size < 200 ? m->name_size : 200), m->name);
}

void co_enter_archive(struct co_walk *w, const struct co_place *place, struct co_span s)
{
    struct codeobj_archive_cursor c;
    struct codeobj_archive_member m;
    struct codeobj_diag diag;
    memset(&c, 0, sizeof c);
    while (!w->stopped) {
        enum codeobj_status st = codeobj_archive_next(s.data, s.size, &c, &m, &diag);
        if (st == CODEOBJ_NOT_FOUND)
            return;
        if (st != CODEOBJ_OK) {
            co_walk_finding(w, place, st, s.data + diag.offset, "%s", diag.text);
            return;
        }
        if (m.data)
            co_walk_child(w, place, co_span_make(m.data, m.size), m.name, m.name_size, false);
        else
            thin_member(w, place, &m);
    }
}

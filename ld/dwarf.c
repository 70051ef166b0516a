/* SPDX-License-Identifier: MIT
 *
 * ld/dwarf.c - source line of a place in code, for messages.
 *
 * .debug_line is read (DWARF 2 to 5, section 6.2 of DWARF 5), in the
 * object as it is: operands that a relocation fills are looked up there.  Used
 * on the way to an error message alone, so nothing is cached.  Anything that
 * does not parse ends the search without a word.
 */
#include "dwarf.h"

enum { LNCT_PATH = 1, LNCT_DIRECTORY = 2, MAX_FORMATS = 16 };

/* The relocation of the operand at p. */
bool co_ld_dw_relocated(struct ld *ld, struct dw_reader *r, const uint8_t *p, struct ld_reloc *out)
{
    uint64_t off = (uint64_t)(p - r->sec->data);
    size_t n = co_ld_reloc_count(r->sec);
    for (size_t i = 0; i < n; i++) {
        if (++r->steps > DW_MAX_STEPS)
            break;
        if (co_ld_reloc_at(ld, r->sec, i, out) && out->off == off)
            return true;
    }
    r->bad |= r->steps > DW_MAX_STEPS;
    return false;
}

const char *co_ld_dw_string(const struct ld_file *f, const char *name, uint64_t off)
{
    for (size_t i = 1; i < f->section_count; i++) {
        const struct ld_section *s = f->sections[i];
        if (!strcmp(s->name, name) && s->data && off < s->size && memchr(s->data + off, 0, (size_t)(s->size - off)))
            return (const char *)s->data + off;
    }
    return "";
}

struct name {
    const char *path;
    uint64_t dir;
};

struct unit {
    unsigned version, word, min_inst, opcode_base, line_range;
    int line_base;
    const uint8_t *lengths, *end;
    VEC(struct name) dirs;
    VEC(struct name) files;
};

/* One attribute of a v5 directory or file entry. */
static void attribute(struct ld *ld, struct dw_reader *r, const struct unit *u, uint64_t type, uint64_t form, struct name *out)
{
    uint64_t v = 0;
    const char *s = NULL;
    const uint8_t *at = r->p;
    struct ld_reloc rel;
    switch (form) {
    case 0x08: s = dw_text(r); break;
    case 0x1f: /* line_strp */
    case 0x0e: /* strp */
        v = dw_fixed(r, u->word);
        if (co_ld_dw_relocated(ld, r, at, &rel))
            v = rel.sym->value + (uint64_t)rel.addend;
        s = co_ld_dw_string(r->sec->file, form == 0x1f ? ".debug_line_str" : ".debug_str", v);
        break;
    case 0x0b: v = dw_fixed(r, 1); break;
    case 0x05: v = dw_fixed(r, 2); break;
    case 0x06: v = dw_fixed(r, 4); break;
    case 0x07: v = dw_fixed(r, 8); break;
    case 0x0f: v = dw_uleb(r); break;
    case 0x1e: dw_fixed(r, 8), dw_fixed(r, 8); break;
    default: r->bad = true; break;
    }
    if (type == LNCT_PATH && s)
        out->path = s;
    else if (type == LNCT_DIRECTORY)
        out->dir = v;
}

static void entries(struct ld *ld, struct dw_reader *r, struct unit *u, bool files)
{
    uint64_t type[MAX_FORMATS], form[MAX_FORMATS];
    unsigned n = (unsigned)dw_fixed(r, 1);
    if (n > MAX_FORMATS)
        r->bad = true;
    for (unsigned i = 0; i < n && !r->bad; i++) {
        type[i] = dw_uleb(r);
        form[i] = dw_uleb(r);
    }
    uint64_t count = dw_uleb(r);
    for (uint64_t k = 0; k < count && !r->bad && r->p < r->end; k++) {
        struct name e = { "", 0 };
        for (unsigned i = 0; i < n; i++)
            attribute(ld, r, u, type[i], form[i], &e);
        if (files)
            *PUSH(ld, u->files) = e;
        else
            *PUSH(ld, u->dirs) = e;
    }
}

/* Tables of version 4 and before: strings, an empty one ends; numbered from 1. */
static void old_entries(struct ld *ld, struct dw_reader *r, struct unit *u)
{
    *PUSH(ld, u->dirs) = (struct name){ "", 0 };
    *PUSH(ld, u->files) = (struct name){ "", 0 };
    for (const char *s; !r->bad && *(s = dw_text(r));)
        *PUSH(ld, u->dirs) = (struct name){ s, 0 };
    for (const char *s; !r->bad && *(s = dw_text(r));) {
        struct name e = { s, dw_uleb(r) };
        dw_uleb(r);
        dw_uleb(r);
        *PUSH(ld, u->files) = e;
    }
}

static bool header(struct ld *ld, struct dw_reader *r, struct unit *u)
{
    u->end = dw_unit_end(r, &u->word);
    if (!u->end)
        return false;
    u->version = (unsigned)dw_fixed(r, 2);
    if (u->version < 2 || u->version > 5)
        return false;
    if (u->version == 5)
        dw_fixed(r, 2); /* address and segment selector size */
    uint64_t rest = dw_fixed(r, u->word);
    const uint8_t *program = r->p + (rest <= (uint64_t)(r->end - r->p) ? rest : 0);
    u->min_inst = (unsigned)dw_fixed(r, 1);
    if (u->version >= 4)
        dw_fixed(r, 1); /* operations per instruction */
    dw_fixed(r, 1);     /* is_stmt */
    u->line_base = (int8_t)dw_fixed(r, 1);
    u->line_range = (unsigned)dw_fixed(r, 1);
    u->opcode_base = (unsigned)dw_fixed(r, 1);
    u->lengths = r->p;
    if (!u->opcode_base || !u->line_range || (size_t)(r->end - r->p) < u->opcode_base)
        return false;
    r->p += u->opcode_base - 1;
    if (u->version == 5) {
        entries(ld, r, u, false);
        entries(ld, r, u, true);
    } else {
        old_entries(ld, r, u);
    }
    r->p = program;
    return !r->bad;
}

struct row {
    const struct ld_section *sec;
    uint64_t addr, file;
    int64_t line;
    bool open; /* of a sequence */
};

struct search {
    const struct ld_section *sec;
    uint64_t off, file;
    int64_t line;
    bool found;
};

/* A row ends what the one before it covers. */
static void emit(struct search *s, struct row *last, const struct row *now, bool ends)
{
    if (last->open && last->sec == s->sec && last->addr <= s->off && s->off < now->addr) {
        s->file = last->file;
        s->line = last->line;
        s->found = true;
    }
    *last = *now;
    last->open = !ends;
}

static void extended(struct ld *ld, struct dw_reader *r, struct unit *u, struct search *s, struct row *now, struct row *last)
{
    uint64_t len = dw_uleb(r);
    const uint8_t *start = r->p;
    if (r->bad || len == 0 || len > (uint64_t)(r->end - r->p)) {
        r->bad = true;
        return;
    }
    uint8_t op = (uint8_t)dw_fixed(r, 1);
    struct ld_reloc rel;
    if (op == 1) {
        emit(s, last, now, true);
        *now = (struct row){ .file = 1, .line = 1 };
    } else if (op == 2) {
        const uint8_t *at = r->p;
        now->addr = dw_fixed(r, (unsigned)(len - 1 < 8 ? len - 1 : 8));
        now->sec = NULL;
        if (co_ld_dw_relocated(ld, r, at, &rel)) {
            now->sec = rel.sym->sec;
            now->addr = rel.sym->value + (uint64_t)rel.addend;
        }
    }
    (void)u;
    r->p = start + len;
}

static void program(struct ld *ld, struct dw_reader *r, struct unit *u, struct search *s)
{
    struct row now = { .file = 1, .line = 1 }, last = { 0 };
    while (r->p < u->end && !r->bad && !s->found) {
        unsigned op = (unsigned)dw_fixed(r, 1);
        if (op >= u->opcode_base) {
            op -= u->opcode_base;
            now.addr += (uint64_t)(op / u->line_range) * u->min_inst;
            now.line += u->line_base + (int)(op % u->line_range);
            emit(s, &last, &now, false);
            continue;
        }
        switch (op) {
        case 0: extended(ld, r, u, s, &now, &last); break;
        case 1: emit(s, &last, &now, false); break;
        case 2: now.addr += dw_uleb(r) * u->min_inst; break;
        case 3: now.line += dw_sleb(r); break;
        case 4: now.file = dw_uleb(r); break;
        case 8: now.addr += (uint64_t)((255 - u->opcode_base) / u->line_range) * u->min_inst; break;
        case 9: now.addr += dw_fixed(r, 2); break;
        default:
            for (unsigned i = 0; i < u->lengths[op - 1]; i++)
                dw_uleb(r);
        }
    }
}

static const char *full_path(struct ld *ld, const struct unit *u, uint64_t file)
{
    if (file >= u->files.count)
        return NULL;
    const struct name *f = &u->files.items[file];
    const char *dir = f->dir < u->dirs.count ? u->dirs.items[f->dir].path : "";
    if (f->path[0] == '/' || !*dir)
        return f->path;
    if (dir[0] != '/' && f->dir && *u->dirs.items[0].path)
        dir = co_ld_printf(ld, "%s/%s", u->dirs.items[0].path, dir);
    return co_ld_printf(ld, "%s/%s", dir, f->path);
}

static const char *place(struct ld *ld, const char *path, long long line)
{
    const char *slash = strrchr(path, '/');
    return slash ? co_ld_printf(ld, "%s:%lld (%s:%lld)", slash + 1, line, path, line)
                 : co_ld_printf(ld, "%s:%lld", path, line);
}

const char *co_ld_dw_place(struct ld *ld, const struct ld_file *f, uint64_t line_table, uint64_t file, uint64_t line)
{
    for (size_t i = 1; i < f->section_count; i++) {
        const struct ld_section *d = f->sections[i];
        struct dw_reader r = { .sec = d };
        struct unit u = { 0 };
        if (strcmp(d->name, ".debug_line") || !d->data || (d->flags & SHF_COMPRESSED) || line_table >= d->size)
            continue;
        r.p = d->data + line_table;
        r.end = d->data + d->size;
        const char *path = header(ld, &r, &u) ? full_path(ld, &u, file) : NULL;
        return path && *path ? place(ld, path, (long long)line) : NULL;
    }
    return NULL;
}

/* "u.cl:3 (/path/u.cl:3)", or NULL. */
const char *co_ld_source_line(struct ld *ld, const struct ld_section *sec, uint64_t off)
{
    const struct ld_file *f = sec->file;
    for (size_t i = 1; f && i < f->section_count; i++) {
        const struct ld_section *d = f->sections[i];
        if (strcmp(d->name, ".debug_line") || !d->data || (d->flags & SHF_COMPRESSED))
            continue;
        struct dw_reader r = { .sec = d, .p = d->data, .end = d->data + d->size };
        while (r.p < r.end && r.steps <= DW_MAX_STEPS) {
            struct unit u = { 0 };
            struct search s = { .sec = sec, .off = off };
            if (!header(ld, &r, &u))
                break;
            program(ld, &r, &u, &s);
            const char *path = s.found ? full_path(ld, &u, s.file) : NULL;
            if (path)
                return place(ld, path, s.line);
            r.p = u.end;
            r.bad = false;
        }
    }
    return NULL;
}

/* SPDX-License-Identifier: MIT
 *
 * ld/archive.c - archives: System V/GNU, BSD and thin ones.
 *
 * An archive with a GNU symbol index ("/" or "/SYM64/") is read through the
 * index: members that nothing needs are never looked at.  Without one every
 * member's symbol table is read, as for --start-lib.  Other indices (BSD's
 * __.SYMDEF, the second linker member of COFF) are skipped as members.
 *
 * Format: ar(5) of System V and 4.4BSD; "thin" and "/SYM64/" as GNU binutils
 * documents them.
 */
#include "ld.h"

enum { HEADER = 60 };

static bool bad(struct ld *ld, const struct ld_file *ar, uint64_t off, const char *what)
{
    co_ld_error(ld, "%s: truncated or malformed archive (%s at offset %llu)", ar->name, what, (unsigned long long)off);
    ld->malformed = true;
    return false;
}

/* A decimal field, blank-padded. */
static bool number(const uint8_t *p, size_t n, uint64_t *out)
{
    uint64_t v = 0;
    size_t i = 0;
    while (i < n && p[i] >= '0' && p[i] <= '9') {
        if (v > (UINT64_MAX - 9) / 10)
            return false;
        v = v * 10 + (uint64_t)(p[i++] - '0');
    }
    if (i == 0)
        return false;
    while (i < n && p[i] == ' ')
        i++;
    if (i < n && p[i] != '\n' && p[i] != 0)
        return false;
    *out = v;
    return true;
}

struct member {
    uint64_t header_off;      /* of a member that next_member() has found */
    uint64_t off, size, next; /* of the bytes; next header */
    const char *name;
    bool special, external;
};

/* Reads the header at off; what is wrong with it, or NULL. */
static const char *read_header(struct ld *ld, const struct ld_file *ar, uint64_t off, struct member *out)
{
    if (off > ar->size || ar->size - off < HEADER)
        return "member header cut off";
    const uint8_t *h = ar->data + off;
    uint64_t size;
    if (h[58] != '`' || h[59] != '\n' || !number(h + 48, 10, &size))
        return "bad member header";
    struct member m = { .off = off + HEADER, .size = size };
    const char *n = (const char *)h;
    size_t len = 16;
    uint64_t k;
    while (len && n[len - 1] == ' ')
        len--;
    if (len >= 4 && !memcmp(n, "#1/", 3) && number(h + 3, 13, &k)) {
        if (k > size || k > ar->size - m.off)
            return "bad name length";
        n = (const char *)ar->data + m.off;
        len = strnlen(n, (size_t)k);
        m.off += k;
        m.size -= k;
        m.special = len >= 9 && !memcmp(n, "__.SYMDEF", 9);
    } else if (len >= 2 && n[0] == '/' && n[1] >= '0' && n[1] <= '9') {
        if (!number(h + 1, 15, &k) || k >= ar->long_names_size)
            return "bad offset of a long name";
        n = ar->long_names + k;
        const char *end = memchr(n, '\n', ar->long_names_size - (size_t)k);
        const char *zero = memchr(n, 0, ar->long_names_size - (size_t)k);
        if (!end || (zero && zero < end))
            end = zero ? zero : ar->long_names + ar->long_names_size;
        len = (size_t)(end - n);
        if (len && n[len - 1] == '/')
            len--;
    } else {
        m.special = len && n[0] == '/';
        m.special |= len >= 9 && !memcmp(n, "__.SYMDEF", 9);
        if (!m.special && len && n[len - 1] == '/')
            len--;
    }
    m.external = ar->thin && !m.special;
    if (!m.external && m.size > ar->size - m.off)
        return "member goes past the end";
    m.name = co_ld_strndup(ld, n, len);
    m.next = m.external ? m.off : m.off + m.size;
    m.next += m.next & 1;
    *out = m;
    return NULL;
}

/* The same for a member that the link needs: what is wrong is an error. */
static bool member_at(struct ld *ld, const struct ld_file *ar, uint64_t off, struct member *out)
{
    const char *wrong = read_header(ld, ar, off, out);
    return !wrong || bad(ld, ar, off, wrong);
}

/* Bytes of a member of a thin archive: a path from the archive's folder. */
static bool external(struct ld *ld, struct ld_file *ar, const struct member *m, struct ld_file *file)
{
    const char *path = m->name;
    const char *slash = strrchr(ar->name, '/');
    if (path[0] != '/' && slash)
        path = co_ld_printf(ld, "%.*s/%s", (int)(slash - ar->name), ar->name, path);
    const void *data = NULL;
    size_t size = 0;
    if (!ld->opt.open_file) {
        co_ld_error(ld, "%s: a thin archive, and there is no way to open its member %s", ar->name, path);
        return false;
    }
    enum codeobj_status st = ld->opt.open_file(ld->opt.context, path, &data, &size);
    if (st == CODEOBJ_NO_MEMORY)
        co_ld_no_memory(ld);
    if (st != CODEOBJ_OK) {
        co_ld_error(ld, "%s: could not get the buffer for the member %s: No such file or directory", ar->name, path);
        return false;
    }
    file->data = data;
    file->size = size;
    return true;
}

/* As messages have it: thin archives name paths. */
static const char *shown(const struct ld_file *ar, const struct member *m)
{
    const char *slash = strrchr(m->name, '/');
    return ar->thin && slash ? slash + 1 : m->name;
}

static bool add_member(struct ld *ld, struct ld_file *ar, uint64_t header_off, const struct member *m, bool lazy)
{
    struct ld_member *seen = co_ld_alloc(ld, sizeof *seen);
    seen->header_off = header_off;
    seen->key = (const char *)&seen->header_off;
    void **place = co_ld_names_place(ld, &ar->members, seen->key, sizeof seen->header_off);
    if (*place)
        return true;
    *place = seen;
    const char *base = shown(ar, m);
    struct ld_file *f = co_ld_new_file(ld, co_ld_printf(ld, "%s(%s)", ar->name, base), ar->data + m->off,
                                       m->external ? 0 : m->size);
    seen->file = f;
    f->parent = ar;
    f->archive = ar->name;
    f->group = ar->group;
    f->member_name = base;
    f->flags = ar->flags;
    if (m->external && !external(ld, ar, m, f))
        return false;
    co_ld_add_bytes(ld, f, lazy);
    return true;
}

bool co_ld_extract_member(struct ld *ld, struct ld_file *ar, uint64_t header_off)
{
    if (co_ld_names_find(&ar->members, (const char *)&header_off, sizeof header_off))
        return true;
    struct member m;
    return member_at(ld, ar, header_off, &m) && add_member(ld, ar, header_off, &m, false);
}

static uint64_t big(const uint8_t *p, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

/* --fortran-common: is what a member has under that name more than a common symbol?  The index does not say. */
static bool has_definition(struct ld *ld, struct ld_file *ar, uint64_t header_off, const char *name)
{
    struct member m;
    if (co_ld_names_find(&ar->members, (const char *)&header_off, sizeof header_off) ||
        read_header(ld, ar, header_off, &m))
        return false;
    struct ld_file *f = co_ld_new_file(ld, m.name, ar->data + m.off, m.external ? 0 : (size_t)m.size);
    if ((m.external && !external(ld, ar, &m, f)) || f->size < 4 || memcmp(f->data, "\177ELF", 4) || !co_ld_open_elf(ld, f))
        return false;
    struct codeobj_elf_symbol s;
    for (uint32_t i = 1; codeobj_elf_symbol(f->elf, CODEOBJ_SYMTAB, i, &s) == CODEOBJ_OK; i++)
        if (s.binding != STB_LOCAL && s.name && !strcmp(s.name, name))
            return s.shndx != CODEOBJ_SHN_UNDEF && s.shndx != CODEOBJ_SHN_COMMON;
    return false;
}

/* Puts the names of a GNU index into the symbol table. */
static bool use_index(struct ld *ld, struct ld_file *ar, const struct member *m, size_t width)
{
    const uint8_t *d = ar->data + m->off;
    if (m->size < width)
        return bad(ld, ar, m->off, "symbol index cut off");
    uint64_t count = big(d, width);
    if (count > (m->size - width) / width)
        return bad(ld, ar, m->off, "symbol index cut off");
    const char *names = (const char *)d + width * (count + 1);
    const char *end = (const char *)d + m->size;
    for (uint64_t i = 0; i < count; i++) {
        const char *zero = names < end ? memchr(names, 0, (size_t)(end - names)) : NULL;
        if (!zero)
            return bad(ld, ar, m->off, "symbol index: a name is cut off");
        struct ld_symbol *s = co_ld_intern(ld, names, (size_t)(zero - names));
        names = zero + 1;
        uint64_t header_off = big(d + width * (i + 1), width);
        bool over_common = s->kind == SYM_COMMON && (ld->opt.flags & CODEOBJ_LINK_FORTRAN_COMMON) &&
                           has_definition(ld, ar, header_off, s->name);
        if (over_common)
            co_ld_replace_common(ld, s, ar, header_off);
        if (over_common || co_ld_offer(ld, s, ar, header_off))
            co_ld_resolve_pending(ld);
    }
    return true;
}

/* --exclude-libs: what members that are bitcode define is known by the index alone; they are part of another object. */
static void hide_compiled(struct ld *ld, struct ld_file *ar, const struct member *index, size_t width)
{
    const uint8_t *d = ar->data + index->off;
    uint64_t count = index->size < width ? 0 : big(d, width);
    if (!ld->opt.compiled_count || !(ar->flags & CODEOBJ_LINK_INPUT_NO_EXPORT) || count > (index->size - width) / width)
        return;
    const char *name = (const char *)d + width * (count + 1), *end = (const char *)d + index->size;
    for (uint64_t i = 0; i < count && name < end; i++) {
        size_t n = strnlen(name, (size_t)(end - name));
        struct member m;
        if (!read_header(ld, ar, big(d + width * (i + 1), width), &m) && !m.external &&
            co_ld_is_bitcode(ar->data + m.off, (size_t)m.size))
            for (size_t k = 0; k < ld->opt.compiled_count; k++)
                if (ld->opt.compiled[k].data == ar->data + m.off)
                    co_ld_intern(ld, name, n)->hidden_bitcode = true;
        name += n + 1;
    }
}

/* Reads the special members in front: index and long names.  Returns where the
 * first real member stands. */
static uint64_t front(struct ld *ld, struct ld_file *ar, struct member *index, size_t *width)
{
    uint64_t off = 8;
    struct member m;
    while (off < ar->size && member_at(ld, ar, off, &m) && m.special) {
        if (!index->name && (!strcmp(m.name, "/") || !strcmp(m.name, "/SYM64/"))) {
            *index = m;
            *width = m.name[1] ? 8 : 4;
        } else if (!strcmp(m.name, "//")) {
            ar->long_names = (const char *)ar->data + m.off;
            ar->long_names_size = (size_t)m.size;
        }
        off = m.next;
    }
    return off;
}

void co_ld_add_archive(struct ld *ld, struct ld_file *ar)
{
    ar->kind = FILE_ARCHIVE;
    ar->thin = !memcmp(ar->data, "!<thin>\n", 8);
    bool whole = ar->flags & CODEOBJ_LINK_INPUT_WHOLE_ARCHIVE;
    struct member index = { 0 };
    size_t width = 0;
    uint64_t off = front(ld, ar, &index, &width);
    if (ld->malformed)
        return;
    if (width)
        hide_compiled(ld, ar, &index, width);
    if (width && !whole) {
        use_index(ld, ar, &index, width);
        return;
    }
    while (off < ar->size && !ld->stopped) {
        struct member m;
        if (!member_at(ld, ar, off, &m))
            return;
        if (!m.special && !add_member(ld, ar, off, &m, !whole))
            return;
        co_ld_resolve_pending(ld);
        off = m.next;
    }
}

/* ---- what is asked about an archive as a whole -----------------------------------------
 *
 * Nothing here may fail a link: where the archive is damaged the answer is of what stands in front. */

/* The next member from *off on that is a file; moves *off behind it. */
static bool next_member(struct ld *ld, const struct ld_file *ar, uint64_t *off, struct member *m)
{
    do {
        if (*off >= ar->size || read_header(ld, ar, *off, m))
            return false;
        m->header_off = *off;
        *off = m->next;
    } while (m->special);
    return true;
}

/* EI_OSABI of some bytes; 0 where they have none. */
static uint8_t osabi_of(const uint8_t *data, size_t size)
{
    return size > 7 && !memcmp(data, "\177ELF", 4) ? data[7] : 0;
}

/* Of a thin archive only members that are loaded have been opened, and none is opened for this. */
uint8_t co_ld_archive_osabi(struct ld *ld, const struct ld_file *ar)
{
    struct member m;
    uint8_t osabi = 0;
    for (uint64_t off = 8; !osabi && next_member(ld, ar, &off, &m);) {
        const struct ld_member *loaded = NULL;
        if (m.external)
            loaded = co_ld_names_find(&ar->members, (const char *)&m.header_off, sizeof m.header_off);
        else
            osabi = osabi_of(ar->data + m.off, (size_t)m.size);
        if (loaded)
            osabi = osabi_of(loaded->file->data, loaded->file->size);
    }
    return osabi;
}

static size_t count_members(struct ld *ld, const struct ld_file *ar)
{
    size_t n = 0;
    struct member m;
    for (uint64_t off = 8; next_member(ld, ar, &off, &m);)
        n++;
    return n;
}

const char *co_ld_lazy_name(struct ld *ld, const struct ld_symbol *sym)
{
    struct ld_file *f = sym->file;
    struct member m;
    if (f->kind != FILE_ARCHIVE || read_header(ld, f, sym->value, &m))
        return f->name;
    return co_ld_printf(ld, "%s(%s)", f->name, shown(f, &m));
}

void co_ld_write_archive_stats(struct ld *ld)
{
    struct ld_text *t = &ld->texts[CODEOBJ_LINK_TEXT_ARCHIVES];
    co_ld_text_add(ld, t, "members\textracted\tarchive\n");
    EACH(i, ld->all) {
        struct ld_file *ar = ld->all.items[i];
        size_t extracted = 0;
        if (ar->kind != FILE_ARCHIVE || (ar->flags & CODEOBJ_LINK_INPUT_WHOLE_ARCHIVE))
            continue;
        EACH(k, ld->files)
            extracted += ld->files.items[k]->archive && !strcmp(ld->files.items[k]->archive, ar->name);
        co_ld_text_add(ld, t, "%zu\t%zu\t%s\n", count_members(ld, ar), extracted, ar->name);
    }
}

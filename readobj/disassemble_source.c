/* SPDX-License-Identifier: MIT
 *
 * readobj/disassemble_source.c - source lines from the DWARF line table, through libdw.
 *
 * libdw knows nothing of AMDGPU relocations, so the debug sections of an ET_REL
 * object are relocated here, in a copy: R_AMDGPU_ABS32 and ABS64 are all that
 * compilers use there.  A file of sections lies at address 0 each; addresses are
 * told apart by the section that the sequence was relocated against.  Compressed
 * debug sections stand unpacked behind the end of the copy, where relocations
 * can reach them and the library's limits on unpacking hold.
 */
#include "disassemble.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct line {
    uint64_t addr;
    const char *file; /* borrowed from libdw; NULL ends a sequence */
    int number;
};

struct file {
    const char *path;
    char *bytes;
    size_t size;
    struct file *next;
};

struct dis_source {
    char *image; /* readable_copy() */
    Elf *elf;
    Dwarf *dwarf;
    struct line *lines; /* by address */
    size_t count;
    struct file *files;
    bool show_lines, show_code, rel;
    uint64_t bias; /* of the section at hand, ET_REL */
    const char *last_file, *last_function;
    int last_number;
};

/* ET_REL: sections are told apart by giving each its own range of addresses. */
static uint64_t section_base(uint32_t shndx)
{
    return (uint64_t)shndx << 40;
}

/* ---- a copy with debug sections unpacked and relocated ------------------------------ */
struct copy {
    const struct codeobj_elf *elf;
    struct codeobj_elf_header header;
    char *bytes;
    size_t size, section_count;
    uint64_t *moved; /* offset of each section that was unpacked, else 0 */
    uint64_t *sizes; /* and how many bytes it has */
};

static bool is_debug(const struct codeobj_elf_section *s)
{
    return strncmp(s->name, ".debug_", 7) == 0 && s->type != SHT_NOBITS;
}

static void put(char *p, uint64_t value, unsigned bytes)
{
    for (unsigned k = 0; k < bytes; k++)
        p[k] = (char)(value >> 8 * k);
}

/* The section header in the copy says where the unpacked bytes are. */
static void move_section(struct copy *c, size_t idx, const struct codeobj_elf_section *s, uint64_t offset, uint64_t size, uint64_t align)
{
    bool wide = c->header.elf_class == ELFCLASS64;
    unsigned word = wide ? 8 : 4;
    /* The open has found the section table inside the file. */
    char *at = c->bytes + c->header.shoff + idx * (wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
    put(at + 8, s->flags & ~(uint64_t)SHF_COMPRESSED, word);
    put(at + 8 + 2 * word, offset, word);
    put(at + 8 + 3 * word, size, word);
    put(at + (wide ? offsetof(Elf64_Shdr, sh_addralign) : offsetof(Elf32_Shdr, sh_addralign)), align, word);
    c->moved[idx] = offset;
    c->sizes[idx] = size;
}

/* One section that cannot be unpacked stays as it is, and libdw does without it. */
static bool unpack_section(struct copy *c, size_t idx, const struct codeobj_elf_section *s)
{
    enum { ALIGN = 8 };
    void *unpacked;
    size_t size;
    if (codeobj_elf_section_contents(c->elf, idx, &unpacked, &size, NULL) != CODEOBJ_OK)
        return true;
    size_t at = (c->size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    char *p = at >= c->size && size <= SIZE_MAX - at ? realloc(c->bytes, at + size) : NULL;
    if (p) {
        c->bytes = p;
        memset(p + c->size, 0, at - c->size);
        memcpy(p + at, unpacked, size);
        c->size = at + size;
        move_section(c, idx, s, at, size, ALIGN);
    }
    free(unpacked);
    return p != NULL;
}

static bool unpack_image(struct copy *c)
{
    struct codeobj_elf_section s;
    for (size_t i = 1; i < c->section_count; i++)
        if (codeobj_elf_section(c->elf, i, &s) == CODEOBJ_OK && is_debug(&s) && (s.flags & SHF_COMPRESSED) && !unpack_section(c, i, &s))
            return false;
    return true;
}

static void relocate_section(const struct copy *c, size_t table, const struct codeobj_elf_section *target)
{
    uint64_t size = c->moved[target->idx] ? c->sizes[target->idx] : target->size;
    char *bytes = c->bytes + (c->moved[target->idx] ? c->moved[target->idx] : target->offset);
    for (size_t i = 0; i < codeobj_elf_relocation_count(c->elf, table); i++) {
        struct codeobj_elf_relocation r;
        struct codeobj_elf_symbol symbol;
        const struct codeobj_relocation_info *info;
        uint64_t value;

        if (codeobj_elf_relocation(c->elf, table, i, &r) != CODEOBJ_OK ||
            codeobj_elf_symbol(c->elf, CODEOBJ_SYMTAB, r.symbol, &symbol) != CODEOBJ_OK || !(info = codeobj_relocation_info(r.type)) ||
            !strstr(info->name, "ABS") || r.offset > size || info->bytes > size - r.offset)
            continue;
        value = symbol.value + (uint64_t)r.addend;
        if (info->bytes == 8) /* an address */
            value += section_base(symbol.shndx);
        put(bytes + r.offset, value, info->bytes);
    }
}

static void relocate_image(const struct copy *c)
{
    for (size_t i = 1; i < c->section_count; i++) {
        struct codeobj_elf_section table, target;

        if (codeobj_elf_section(c->elf, i, &table) == CODEOBJ_OK && codeobj_elf_relocation_count(c->elf, i) &&
            codeobj_elf_section(c->elf, table.info, &target) == CODEOBJ_OK && is_debug(&target) &&
            (c->moved[target.idx] || (!(target.flags & SHF_COMPRESSED) && target.offset <= c->size && target.size <= c->size - target.offset)))
            relocate_section(c, i, &target);
    }
}

/* The object as libdw can read it; the bytes are the caller's to free.  NULL: out of memory. */
static char *readable_copy(const struct codeobj_elf *elf, size_t *size)
{
    struct copy c = { .elf = elf, .section_count = codeobj_elf_section_count(elf) };
    const void *image = codeobj_elf_bytes(elf, &c.size);
    codeobj_elf_header(elf, &c.header);
    c.bytes = malloc(c.size ? c.size : 1);
    c.moved = calloc(c.section_count + 1, sizeof *c.moved);
    c.sizes = calloc(c.section_count + 1, sizeof *c.sizes);
    bool ok = c.bytes && c.moved && c.sizes;
    if (ok) {
        memcpy(c.bytes, image, c.size);
        ok = unpack_image(&c);
    }
    if (ok && c.header.type == ET_REL)
        relocate_image(&c);
    free(c.moved);
    free(c.sizes);
    if (!ok)
        free(c.bytes);
    *size = c.size;
    return ok ? c.bytes : NULL;
}

/* ---- the line table ------------------------------------------------------------------ */
static bool add_line(struct dis_source *s, size_t *room, Dwarf_Line *from)
{
    Dwarf_Addr addr;
    bool end = false;
    int number = 0;

    if (dwarf_lineaddr(from, &addr) != 0 || dwarf_lineendsequence(from, &end) != 0 || dwarf_lineno(from, &number) != 0)
        return true;
    if (s->count == *room) {
        size_t more = *room ? *room * 2 : 1024;
        struct line *p = realloc(s->lines, more * sizeof *p);

        if (!p)
            return false;
        s->lines = p;
        *room = more;
    }
    s->lines[s->count++] = (struct line){addr, end ? NULL : dwarf_linesrc(from, NULL, NULL), number};
    return true;
}

static int by_line_address(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return !!x->file - !!y->file; /* the end of one sequence before the start of the next */
}

static void read_lines(struct dis_source *s)
{
    Dwarf_Off offset = 0, next;
    size_t header_size, room = 0;

    while (dwarf_nextcu(s->dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
        Dwarf_Die die;
        Dwarf_Lines *lines;
        size_t count;

        if (dwarf_offdie(s->dwarf, offset + header_size, &die) && dwarf_getsrclines(&die, &lines, &count) == 0)
            for (size_t i = 0; i < count; i++)
                if (!add_line(s, &room, dwarf_onesrcline(lines, i)))
                    return;
        offset = next;
    }
    if (s->count)
        qsort(s->lines, s->count, sizeof *s->lines, by_line_address);
}

struct dis_source *dis_source_open(const struct ro_object *obj, bool lines, bool code)
{
    struct dis_source *s = calloc(1, sizeof *s);
    struct codeobj_elf_header header;
    size_t size;

    if (!s)
        return NULL;
    codeobj_elf_header(obj->elf, &header);
    s->rel = header.type == ET_REL;
    s->show_lines = lines;
    s->show_code = code;
    s->last_number = -1;
    s->image = readable_copy(obj->elf, &size);
    if (s->image) {
        elf_version(EV_CURRENT);
        s->elf = elf_memory(s->image, size);
        s->dwarf = s->elf ? dwarf_begin_elf(s->elf, DWARF_C_READ, NULL) : NULL;
    }
    if (!s->dwarf) {
        dis_source_free(s);
        return NULL;
    }
    read_lines(s);
    return s;
}

void dis_source_free(struct dis_source *s)
{
    if (!s)
        return;
    for (struct file *f = s->files, *next; f; f = next) {
        next = f->next;
        free(f->bytes);
        free(f);
    }
    free(s->lines);
    if (s->dwarf)
        dwarf_end(s->dwarf);
    if (s->elf)
        elf_end(s->elf);
    free(s->image);
    free(s);
}

void dis_source_section(struct dis_source *s, uint32_t shndx)
{
    if (s)
        s->bias = s->rel ? section_base(shndx) : 0;
}

/* ---- source text ------------------------------------------------------------------------ */
static const struct file *source_file(struct dis_source *s, const char *path)
{
    struct file *f;
    FILE *in;

    for (f = s->files; f; f = f->next)
        if (strcmp(f->path, path) == 0)
            return f;
    f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->path = path;
    f->next = s->files;
    s->files = f;
    struct stat st; /* the path is the object's: not every file that is named is one to read */
    in = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    if (in && fseek(in, 0, SEEK_END) == 0) {
        long size = ftell(in);

        rewind(in);
        f->bytes = size > 0 ? malloc((size_t)size) : NULL;
        f->size = f->bytes ? fread(f->bytes, 1, (size_t)size, in) : 0;
    }
    if (in)
        fclose(in);
    return f;
}

static void add_source_line(const struct file *f, int number, struct dis_text *text)
{
    const char *p = f->bytes, *end = p + f->size;

    if (!p)
        return;
    for (int n = 1; n < number && p < end; n++) {
        const char *q = memchr(p, '\n', (size_t)(end - p));

        p = q ? q + 1 : end;
    }
    if (p == end)
        return;
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    dis_text_add(text, "; ", 2);
    dis_text_source(text, p, (size_t)((stop ? stop : end) - p));
    dis_text_add(text, "\n", 1);
}

/* The row of the line table that covers addr, or NULL. */
static const struct line *line_at(const struct dis_source *s, uint64_t addr)
{
    size_t lo = 0, hi = s->count;

    addr += s->bias;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (s->lines[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    const struct line *line = lo ? &s->lines[lo - 1] : NULL;
    return line && line->file && line->number ? line : NULL;
}

bool dis_source_find(const struct dis_source *s, uint64_t addr, const char **file, int *number)
{
    const struct line *line = line_at(s, addr);

    if (!line)
        return false;
    *file = line->file;
    *number = line->number;
    return true;
}

void dis_source_at(struct dis_source *s, uint64_t addr, const char *function, struct dis_text *text)
{
    const struct line *line = line_at(s, addr);

    if (!line) { /* code of no line (0): the line before is shown again where it goes on */
        s->last_file = NULL;
        return;
    }
    if (line->number == s->last_number && s->last_file && strcmp(line->file, s->last_file) == 0)
        return;
    s->last_file = line->file;
    s->last_number = line->number;
    if (s->show_lines && s->last_function != function) {
        dis_text_add(text, "; ", 2);
        dis_text_name(text, function, strlen(function));
        dis_text_add(text, "():\n", 4);
    }
    s->last_function = function;
    if (s->show_lines) {
        dis_text_add(text, "; ", 2);
        dis_text_name(text, line->file, strlen(line->file));
        dis_text_printf(text, ":%d\n", line->number);
    }
    if (s->show_code) {
        const struct file *f = source_file(s, line->file);

        if (f)
            add_source_line(f, line->number, text);
    }
}

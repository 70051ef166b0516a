/* SPDX-License-Identifier: MIT
 *
 * readobj/disassemble_source.c - source lines from the DWARF line table, through libdw.
 *
 * libdw knows nothing of AMDGPU relocations, so the debug sections of an ET_REL
 * object are relocated here, in a copy: R_AMDGPU_ABS32 and ABS64 are all that
 * compilers use there.  A file of sections lies at address 0 each; addresses are
 * told apart by the section that the sequence was relocated against.
 */
#include "disassemble.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

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
    char *image; /* relocated copy, or NULL */
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

/* ---- relocating a copy ------------------------------------------------------------ */
static void relocate_section(const struct codeobj_elf *elf, size_t table, const struct codeobj_elf_section *target, char *bytes)
{
    for (size_t i = 0; i < codeobj_elf_relocation_count(elf, table); i++) {
        struct codeobj_elf_relocation r;
        struct codeobj_elf_symbol symbol;
        const struct codeobj_relocation_info *info;
        uint64_t value;

        if (codeobj_elf_relocation(elf, table, i, &r) != CODEOBJ_OK ||
            codeobj_elf_symbol(elf, CODEOBJ_SYMTAB, r.symbol, &symbol) != CODEOBJ_OK || !(info = codeobj_relocation_info(r.type)) ||
            !strstr(info->name, "ABS") || r.offset > target->size || info->bytes > target->size - r.offset)
            continue;
        value = symbol.value + (uint64_t)r.addend;
        if (info->bytes == 8) /* an address */
            value += section_base(symbol.shndx);
        for (unsigned k = 0; k < info->bytes; k++)
            bytes[target->offset + r.offset + k] = (char)(value >> 8 * k);
    }
}

static void relocate_image(const struct codeobj_elf *elf, char *image, size_t size)
{
    for (size_t i = 1; i < codeobj_elf_section_count(elf); i++) {
        struct codeobj_elf_section table, target;

        if (codeobj_elf_section(elf, i, &table) == CODEOBJ_OK && codeobj_elf_relocation_count(elf, i) &&
            codeobj_elf_section(elf, table.info, &target) == CODEOBJ_OK && strncmp(target.name, ".debug_", 7) == 0 &&
            target.type != SHT_NOBITS && !(target.flags & SHF_COMPRESSED) && target.offset <= size && target.size <= size - target.offset)
            relocate_section(elf, i, &target, image);
    }
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
    const void *image = codeobj_elf_bytes(obj->elf, &size);

    if (!s)
        return NULL;
    codeobj_elf_header(obj->elf, &header);
    s->rel = header.type == ET_REL;
    s->show_lines = lines;
    s->show_code = code;
    s->last_number = -1;
    s->image = malloc(size ? size : 1);
    if (s->image) {
        memcpy(s->image, image, size);
        if (s->rel)
            relocate_image(obj->elf, s->image, size);
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
    in = fopen(path, "rb");
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
    dis_text_add(text, p, (size_t)((stop ? stop : end) - p));
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
    if (s->show_lines && s->last_function != function)
        dis_text_printf(text, "; %s():\n", function);
    s->last_function = function;
    if (s->show_lines)
        dis_text_printf(text, "; %s:%d\n", line->file, line->number);
    if (s->show_code) {
        const struct file *f = source_file(s, line->file);

        if (f)
            add_source_line(f, line->number, text);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * readobj/show_sections.c - section headers and program headers.
 */
#include "readobj.h"

#include <inttypes.h>
#include <string.h>

/* gABI, Section Attribute Flags; letters as GNU readelf's. */
static const struct {
    uint64_t bit;
    char letter;
    const char *name;
} flags[] = {
    { 0x1, 'W', "SHF_WRITE" },       { 0x2, 'A', "SHF_ALLOC" },
    { 0x4, 'X', "SHF_EXECINSTR" },   { 0x10, 'M', "SHF_MERGE" },
    { 0x20, 'S', "SHF_STRINGS" },    { 0x40, 'I', "SHF_INFO_LINK" },
    { 0x80, 'L', "SHF_LINK_ORDER" }, { 0x100, 'O', "SHF_OS_NONCONFORMING" },
    { 0x200, 'G', "SHF_GROUP" },     { 0x400, 'T', "SHF_TLS" },
    { 0x800, 'C', "SHF_COMPRESSED" }, { 0x200000, 'R', "SHF_GNU_RETAIN" },
    { 0x80000000, 'E', "SHF_EXCLUDE" },
};
enum { FLAGS = sizeof flags / sizeof flags[0] };

const char *ro_section_flags(uint64_t value, char buf[static 24])
{
    size_t n = 0;
    for (size_t i = 0; i < FLAGS; i++) {
        if (value & flags[i].bit)
            buf[n++] = flags[i].letter;
        value &= ~flags[i].bit;
    }
    if (value)
        buf[n++] = 'x'; /* others */
    buf[n] = 0;
    return buf;
}

void ro_sections_text(struct ro *ro, const struct ro_object *obj)
{
    ro_heading(ro, "Sections:");
    fputs("  [Nr] Name                     Type               Address          Offset   Size     ES  Flags  Lk  Inf Align\n",
          ro->out);
    size_t count = codeobj_elf_section_count(obj->elf);
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_section s;
        char type[24], letters[24];
        if (codeobj_elf_section(obj->elf, i, &s) != CODEOBJ_OK)
            continue;
        const char *name = ro_enum(codeobj_elf_section_type_name(s.type), s.type, type);
        if (strncmp(name, "SHT_", 4) == 0)
            name += 4;
        size_t name_size = strlen(s.name);
        ro_put(ro, "  [");
        ro_put_dec_right(ro, i, 2);
        ro_put(ro, "] ");
        ro_put_name(ro, s.name, name_size);
        ro_put_blanks(ro, name_size < 24 ? 25 - name_size : 1);
        ro_put_column(ro, name, 19);
        ro_put_hex(ro, s.addr, 16);
        ro_put(ro, " ");
        ro_put_hex(ro, s.offset, 8);
        ro_put(ro, " ");
        ro_put_hex(ro, s.size, 8);
        ro_put(ro, " ");
        ro_put_hex(ro, s.entsize, 2);
        ro_put(ro, "  ");
        ro_put_column(ro, ro_section_flags(s.flags, letters), 6);
        ro_put_dec_right(ro, s.link, 3);
        ro_put(ro, " ");
        ro_put_dec_right(ro, s.info, 4);
        ro_put(ro, " ");
        ro_put_dec_right(ro, s.align, 5);
        ro_new_line(ro);
    }
    ro_flush_lines(ro);
}

static json_t *flag_names(uint64_t value)
{
    json_t *a = json_array();
    for (size_t i = 0; i < FLAGS; i++) {
        if (value & flags[i].bit)
            json_array_append_new(a, json_string(flags[i].name));
        value &= ~flags[i].bit;
    }
    if (value)
        json_array_append_new(a, json_sprintf("0x%" PRIx64, value));
    return a;
}

json_t *ro_sections_json(struct ro *ro, const struct ro_object *obj)
{
    (void)ro;
    json_t *a = json_array();
    size_t count = codeobj_elf_section_count(obj->elf);
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_section s;
        if (codeobj_elf_section(obj->elf, i, &s) != CODEOBJ_OK)
            continue;
        json_t *o = json_object();
        ro_json_set(o, "index", ro_json_uint(i));
        ro_json_set(o, "name", ro_json_cstring(s.name));
        ro_json_set(o, "type", ro_json_enum(codeobj_elf_section_type_name(s.type), s.type));
        ro_json_set(o, "flags", flag_names(s.flags));
        ro_json_set(o, "addr", ro_json_uint(s.addr));
        ro_json_set(o, "offset", ro_json_uint(s.offset));
        ro_json_set(o, "size", ro_json_uint(s.size));
        ro_json_set(o, "link", ro_json_uint(s.link));
        ro_json_set(o, "info", ro_json_uint(s.info));
        ro_json_set(o, "align", ro_json_uint(s.align));
        ro_json_set(o, "entsize", ro_json_uint(s.entsize));
        json_array_append_new(a, o);
    }
    return a;
}

void ro_segments_text(struct ro *ro, const struct ro_object *obj)
{
    ro_heading(ro, "Program headers:");
    fputs("  Type           Offset   VirtAddr         PhysAddr         FileSiz  MemSiz   Flg Align\n",
          ro->out);
    size_t count = codeobj_elf_segment_count(obj->elf);
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_segment p;
        char type[24];
        if (codeobj_elf_segment(obj->elf, i, &p) != CODEOBJ_OK)
            continue;
        const char *name = ro_enum(codeobj_elf_segment_type_name(p.type), p.type, type);
        if (strncmp(name, "PT_", 3) == 0)
            name += 3;
        ro_put(ro, "  ");
        ro_put_column(ro, name, 15);
        ro_put_hex(ro, p.offset, 8);
        ro_put(ro, " ");
        ro_put_hex(ro, p.vaddr, 16);
        ro_put(ro, " ");
        ro_put_hex(ro, p.paddr, 16);
        ro_put(ro, " ");
        ro_put_hex(ro, p.filesz, 8);
        ro_put(ro, " ");
        ro_put_hex(ro, p.memsz, 8);
        ro_put(ro, p.flags & 4 ? " R" : "  ");
        ro_put(ro, p.flags & 2 ? "W" : " ");
        ro_put(ro, p.flags & 1 ? "E 0x" : "  0x");
        ro_put_hex(ro, p.align, 1);
        ro_new_line(ro);
    }
    ro_flush_lines(ro);
}

json_t *ro_segments_json(struct ro *ro, const struct ro_object *obj)
{
    (void)ro;
    json_t *a = json_array();
    size_t count = codeobj_elf_segment_count(obj->elf);
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_segment p;
        if (codeobj_elf_segment(obj->elf, i, &p) != CODEOBJ_OK)
            continue;
        static const char *const names[] = { "PF_X", "PF_W", "PF_R" };
        json_t *o = json_object(), *f = json_array();
        for (unsigned b = 3; b-- > 0;)
            if (p.flags >> b & 1)
                json_array_append_new(f, json_string(names[b]));
        if (p.flags & ~7u)
            json_array_append_new(f, json_sprintf("0x%" PRIx32, p.flags & ~7u));
        ro_json_set(o, "type", ro_json_enum(codeobj_elf_segment_type_name(p.type), p.type));
        ro_json_set(o, "flags", f);
        ro_json_set(o, "offset", ro_json_uint(p.offset));
        ro_json_set(o, "vaddr", ro_json_uint(p.vaddr));
        ro_json_set(o, "filesz", ro_json_uint(p.filesz));
        ro_json_set(o, "memsz", ro_json_uint(p.memsz));
        ro_json_set(o, "align", ro_json_uint(p.align));
        json_array_append_new(a, o);
    }
    return a;
}

/* SPDX-License-Identifier: MIT
 *
 * readobj/show_relocations.c - relocation sections.
 */
#include "readobj.h"

#include <inttypes.h>
#include <string.h>

enum { SHT_DYNSYM = 11 };

/* Name of a relocation's symbol; a section symbol has its section's. */
static const char *symbol_name(const struct codeobj_elf *elf, const struct codeobj_elf_section *sec, uint32_t idx)
{
    struct codeobj_elf_section table, target;
    struct codeobj_elf_symbol s;
    if (idx == 0 || codeobj_elf_section(elf, sec->link, &table) != CODEOBJ_OK)
        return "";
    enum codeobj_elf_symtab which = table.type == SHT_DYNSYM ? CODEOBJ_DYNSYM : CODEOBJ_SYMTAB;
    if (codeobj_elf_symbol(elf, which, idx, &s) != CODEOBJ_OK)
        return "(bad symbol index)";
    if (!s.name[0] && s.type == 3 && codeobj_elf_section(elf, s.shndx, &target) == CODEOBJ_OK)
        return target.name;
    return s.name;
}

static const char *type_name(uint32_t type)
{
    const struct codeobj_relocation_info *info = codeobj_relocation_info(type);
    return info ? info->name : NULL;
}

void ro_relocations_text(struct ro *ro, const struct ro_object *obj)
{
    size_t sections = codeobj_elf_section_count(obj->elf);
    ro_heading(ro, "Relocations:");
    for (size_t i = 0; i < sections; i++) {
        struct codeobj_elf_section sec;
        size_t count = codeobj_elf_relocation_count(obj->elf, i);
        if (count == 0 || codeobj_elf_section(obj->elf, i, &sec) != CODEOBJ_OK)
            continue;
        fputs("  Section ", ro->out);
        ro_name(ro, sec.name, strlen(sec.name));
        fprintf(ro->out, " (%zu):\n  %-16s %-24s %s\n", count, "Offset", "Type", "Symbol + addend");
        for (size_t k = 0; k < count; k++) {
            struct codeobj_elf_relocation r;
            char type[24];
            if (codeobj_elf_relocation(obj->elf, i, k, &r) != CODEOBJ_OK)
                continue;
            ro_put(ro, "  ");
            ro_put_hex(ro, r.offset, 16);
            ro_put(ro, " ");
            ro_put_padded(ro, ro_enum(type_name(r.type), r.type, type), 25);
            const char *name = symbol_name(obj->elf, &sec, r.symbol);
            ro_put_symbol_name(ro, name);
            if (r.addend || !name[0]) {
                ro_put(ro, name[0] ? r.addend < 0 ? " - 0x" : " + 0x" : r.addend < 0 ? "- 0x" : "0x");
                ro_put_hex(ro, r.addend < 0 ? 0 - (uint64_t)r.addend : (uint64_t)r.addend, 1);
            }
            ro_end_line(ro);
        }
    }
}

json_t *ro_relocations_json(struct ro *ro, const struct ro_object *obj)
{
    (void)ro;
    json_t *a = json_array();
    size_t sections = codeobj_elf_section_count(obj->elf);
    for (size_t i = 0; i < sections; i++) {
        struct codeobj_elf_section sec;
        size_t count = codeobj_elf_relocation_count(obj->elf, i);
        if (count == 0 || codeobj_elf_section(obj->elf, i, &sec) != CODEOBJ_OK)
            continue;
        for (size_t k = 0; k < count; k++) {
            struct codeobj_elf_relocation r;
            if (codeobj_elf_relocation(obj->elf, i, k, &r) != CODEOBJ_OK)
                continue;
            json_t *o = json_object();
            ro_json_set(o, "section", ro_json_cstring(sec.name));
            ro_json_set(o, "offset", ro_json_uint(r.offset));
            ro_json_set(o, "type", ro_json_enum(type_name(r.type), r.type));
            ro_json_set(o, "symbol", ro_json_cstring(symbol_name(obj->elf, &sec, r.symbol)));
            ro_json_set(o, "addend", json_integer(r.addend));
            json_array_append_new(a, o);
        }
    }
    return a;
}

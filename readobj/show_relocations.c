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

/* Relocations of one section, going somewhere. */
struct list {
    struct ro *ro;
    const struct ro_object *obj;
    struct codeobj_elf_section sec;
    size_t count;
    json_t *array;
};

static bool count_one(void *user, const struct codeobj_elf_relocation *r)
{
    struct list *l = user;
    (void)r;
    l->count++;
    return true;
}

static bool put_line(void *user, const struct codeobj_elf_relocation *r)
{
    struct list *l = user;
    struct ro *ro = l->ro;
    char type[24];
    ro_put(ro, "  ");
    ro_put_hex(ro, r->offset, 16);
    ro_put(ro, " ");
    ro_put_padded(ro, ro_enum(type_name(r->type), r->type, type), 25);
    const char *name = symbol_name(l->obj->elf, &l->sec, r->symbol);
    ro_put_symbol_name(ro, name);
    if (r->addend || !name[0]) {
        ro_put(ro, name[0] ? r->addend < 0 ? " - 0x" : " + 0x" : r->addend < 0 ? "- 0x" : "0x");
        ro_put_hex(ro, r->addend < 0 ? 0 - (uint64_t)r->addend : (uint64_t)r->addend, 1);
    }
    ro_end_line(ro);
    return true;
}

static bool add_json(void *user, const struct codeobj_elf_relocation *r)
{
    struct list *l = user;
    json_t *o = json_object();
    ro_json_set(o, "section", ro_json_cstring(l->sec.name));
    ro_json_set(o, "offset", ro_json_uint(r->offset));
    ro_json_set(o, "type", ro_json_enum(type_name(r->type), r->type));
    ro_json_set(o, "symbol", ro_json_cstring(symbol_name(l->obj->elf, &l->sec, r->symbol)));
    ro_json_set(o, "addend", json_integer(r->addend));
    json_array_append_new(l->array, o);
    return true;
}

/* The next section that holds relocations, l->count of them; from: where to look. */
static bool next(struct list *l, size_t *from)
{
    for (; *from < codeobj_elf_section_count(l->obj->elf); ++*from) {
        struct codeobj_diag diag = { 0 };
        if (codeobj_elf_section(l->obj->elf, *from, &l->sec) != CODEOBJ_OK)
            continue;
        l->count = 0;
        if (codeobj_elf_visit_relocations(l->obj->elf, *from, count_one, l, &diag) == CODEOBJ_MALFORMED)
            ro_error(l->ro, "%s: section [%zu]: %s", l->obj->name, *from, diag.text);
        if (l->count) {
            ++*from;
            return true;
        }
    }
    return false;
}

void ro_relocations_text(struct ro *ro, const struct ro_object *obj)
{
    struct list l = { .ro = ro, .obj = obj };
    ro_heading(ro, "Relocations:");
    for (size_t i = 0; next(&l, &i);) {
        fputs("  Section ", ro->out);
        ro_name(ro, l.sec.name, strlen(l.sec.name));
        fprintf(ro->out, " (%zu):\n  %-16s %-24s %s\n", l.count, "Offset", "Type", "Symbol + addend");
        codeobj_elf_visit_relocations(obj->elf, l.sec.idx, put_line, &l, NULL);
    }
}

json_t *ro_relocations_json(struct ro *ro, const struct ro_object *obj)
{
    struct list l = { .ro = ro, .obj = obj, .array = json_array() };
    for (size_t i = 0; next(&l, &i);)
        codeobj_elf_visit_relocations(obj->elf, l.sec.idx, add_json, &l, NULL);
    return l.array;
}

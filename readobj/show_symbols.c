/* SPDX-License-Identifier: MIT
 *
 * readobj/show_symbols.c - symbol tables, and who can be found from the host.
 *
 * A runtime looks names up in .dynsym.  It finds kernels through their
 * descriptors (NAME.kd, an object; a symbol of type AMDGPU_HSA_KERNEL in V2) and
 * variables as objects; a function symbol alone is of no use to it.
 */
#include "readobj.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STB_LOCAL = 0, STV_INTERNAL = 1, STV_HIDDEN = 2, STT_OBJECT = 1, STT_FUNC = 2, STT_HSA_KERNEL = 10, ET_REL = 1 };

/* What a verdict needs to know of the object. */
struct host {
    bool relocatable;      /* symbols will be found, once linked */
    bool all_dynamic;      /* the table at hand is .dynsym */
    const struct codeobj_elf *elf;
};

/* "yes", or in one word why not. */
static const char *host_verdict(const struct codeobj_elf_symbol *s, const struct host *h)
{
    if (s->shndx == CODEOBJ_SHN_UNDEF)
        return "undefined";
    if (s->binding == STB_LOCAL)
        return "local";
    if (s->visibility == STV_HIDDEN || s->visibility == STV_INTERNAL)
        return "hidden";
    if (s->type == STT_FUNC)
        return "function";
    if (s->type != STT_OBJECT && s->type != STT_HSA_KERNEL)
        return "no-object";
    if (h->relocatable)
        return "if-linked";
    struct codeobj_elf_symbol dynamic;
    bool found = h->all_dynamic || codeobj_elf_dynamic_symbol_by_name(h->elf, s->name, &dynamic) == CODEOBJ_OK;
    return found ? "yes" : "not-dynamic";
}

static const char *section_text(const struct codeobj_elf *elf, uint32_t shndx, char buf[static 24])
{
    struct codeobj_elf_section sec;
    switch (shndx) {
    case CODEOBJ_SHN_UNDEF: return "UND";
    case CODEOBJ_SHN_ABS: return "ABS";
    case CODEOBJ_SHN_COMMON: return "COM";
    case CODEOBJ_SHN_UNKNOWN: return "XINDEX";
    }
    if (codeobj_elf_section(elf, shndx, &sec) == CODEOBJ_OK)
        return sec.name;
    snprintf(buf, 24, "0x%" PRIx32, shndx);
    return buf;
}

static const char *strip(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 ? name + n : name;
}

static struct host host_of(const struct codeobj_elf *elf, enum codeobj_elf_symtab which)
{
    struct codeobj_elf_header header;
    codeobj_elf_header(elf, &header);
    return (struct host){ .relocatable = header.type == ET_REL, .all_dynamic = which == CODEOBJ_DYNSYM, .elf = elf };
}

/* Type, binding and visibility as text; few combinations occur, and the last one of each kind is kept. */
enum { KINDS = 8 };
struct kind_text {
    uint8_t type, binding, visibility;
    size_t size; /* 0: nothing yet */
    char text[96];
};

static void put_kind(struct ro *ro, const struct codeobj_elf_symbol *s, struct kind_text kinds[static KINDS])
{
    struct kind_text *k = &kinds[(s->type ^ s->binding << 2 ^ s->visibility) % KINDS];
    char type[24], bind[24], vis[24];
    if (!k->size || k->type != s->type || k->binding != s->binding || k->visibility != s->visibility) {
        int n = snprintf(k->text, sizeof k->text, " %-17s %-6s %-9s ",
                         strip(ro_enum(codeobj_elf_symbol_type_name(s->type), s->type, type), "STT_"),
                         strip(ro_enum(codeobj_elf_binding_name(s->binding), s->binding, bind), "STB_"),
                         strip(ro_enum(codeobj_elf_visibility_name(s->visibility), s->visibility, vis), "STV_"));
        k->type = s->type;
        k->binding = s->binding;
        k->visibility = s->visibility;
        k->size = n > 0 && (size_t)n < sizeof k->text ? (size_t)n : 0;
    }
    ro_put_bytes(ro, k->text, k->size);
}

static void table_text(struct ro *ro, const struct ro_object *obj, enum codeobj_elf_symtab which)
{
    size_t count = codeobj_elf_symbol_count(obj->elf, which);
    struct host host = host_of(obj->elf, which);
    ro_heading(ro, which == CODEOBJ_SYMTAB ? "Symbols:" : "Dynamic symbols:");
    fputs("    Num Value                Size Type              Bind   Vis       Host        Section              Name\n",
          ro->out);
    const char *where = NULL; /* of the last symbol: they come in runs */
    size_t where_size = 0;
    uint32_t where_idx = 0;
    char sec[24];
    struct kind_text kinds[KINDS];
    for (unsigned i = 0; i < KINDS; i++)
        kinds[i].size = 0;
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_symbol s;
        if (codeobj_elf_symbol(obj->elf, which, i, &s) != CODEOBJ_OK)
            continue;
        if (!where || s.shndx != where_idx) {
            where_idx = s.shndx;
            where = section_text(obj->elf, s.shndx, sec);
            where_size = strlen(where);
        }
        ro_put_dec_right(ro, i, 7);
        ro_put(ro, " ");
        ro_put_hex(ro, s.value, 16);
        ro_put_dec_right(ro, s.size, 9);
        put_kind(ro, &s, kinds);
        ro_put_padded(ro, i ? host_verdict(&s, &host) : "", 12);
        ro_put_name(ro, where, where_size);
        ro_put_blanks(ro, where_size < 20 ? 21 - where_size : 1);
        ro_put_symbol_name(ro, s.name);
        ro_new_line(ro);
    }
    ro_flush_lines(ro);
}

static json_t *table_json(struct ro *ro, const struct ro_object *obj, enum codeobj_elf_symtab which)
{
    size_t count = codeobj_elf_symbol_count(obj->elf, which);
    struct host host = host_of(obj->elf, which);
    json_t *a = json_array();
    for (size_t i = 1; i < count; i++) {
        struct codeobj_elf_symbol s;
        char sec[24];
        if (codeobj_elf_symbol(obj->elf, which, i, &s) != CODEOBJ_OK)
            continue;
        json_t *o = json_object();
        ro_json_set(o, "name", ro_json_cstring(s.name));
        char *demangled = ro_demangle(ro, s.name);
        if (demangled)
            ro_json_set(o, "demangled", ro_json_cstring(demangled));
        free(demangled);
        ro_json_set(o, "value", ro_json_uint(s.value));
        ro_json_set(o, "size", ro_json_uint(s.size));
        ro_json_set(o, "binding", ro_json_enum(codeobj_elf_binding_name(s.binding), s.binding));
        ro_json_set(o, "type", ro_json_enum(codeobj_elf_symbol_type_name(s.type), s.type));
        ro_json_set(o, "visibility", ro_json_enum(codeobj_elf_visibility_name(s.visibility), s.visibility));
        ro_json_set(o, "section", ro_json_cstring(section_text(obj->elf, s.shndx, sec)));
        ro_json_set(o, "host", json_string(host_verdict(&s, &host)));
        json_array_append_new(a, o);
    }
    return a;
}

void ro_symbols_text(struct ro *ro, const struct ro_object *obj)
{
    table_text(ro, obj, CODEOBJ_SYMTAB);
}

void ro_dynamic_symbols_text(struct ro *ro, const struct ro_object *obj)
{
    table_text(ro, obj, CODEOBJ_DYNSYM);
}

json_t *ro_symbols_json(struct ro *ro, const struct ro_object *obj)
{
    return table_json(ro, obj, CODEOBJ_SYMTAB);
}

json_t *ro_dynamic_symbols_json(struct ro *ro, const struct ro_object *obj)
{
    return table_json(ro, obj, CODEOBJ_DYNSYM);
}

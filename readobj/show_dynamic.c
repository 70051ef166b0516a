/* SPDX-License-Identifier: MIT
 *
 * readobj/show_dynamic.c - the dynamic section.
 */
#include "readobj.h"

#include <string.h>

/* gABI for DT_FLAGS; DT_FLAGS_1 as the linkers of Solaris and GNU have it. */
static const struct flag {
    int64_t tag;
    uint64_t bit;
    const char *name;
} flags[] = {
    { 30, 0x1, "DF_ORIGIN" },   { 30, 0x2, "DF_SYMBOLIC" },   { 30, 0x4, "DF_TEXTREL" },
    { 30, 0x8, "DF_BIND_NOW" }, { 30, 0x10, "DF_STATIC_TLS" },
    { 0x6ffffffb, 0x1, "DF_1_NOW" },         { 0x6ffffffb, 0x2, "DF_1_GLOBAL" },     { 0x6ffffffb, 0x4, "DF_1_GROUP" },
    { 0x6ffffffb, 0x8, "DF_1_NODELETE" },    { 0x6ffffffb, 0x10, "DF_1_LOADFLTR" },  { 0x6ffffffb, 0x20, "DF_1_INITFIRST" },
    { 0x6ffffffb, 0x40, "DF_1_NOOPEN" },     { 0x6ffffffb, 0x80, "DF_1_ORIGIN" },    { 0x6ffffffb, 0x100, "DF_1_DIRECT" },
    { 0x6ffffffb, 0x400, "DF_1_INTERPOSE" }, { 0x6ffffffb, 0x800, "DF_1_NODEFLIB" }, { 0x6ffffffb, 0x8000000, "DF_1_PIE" },
};
enum { FLAGS = sizeof flags / sizeof *flags };

static bool is_set(const struct flag *f, const struct codeobj_elf_dynamic *d)
{
    return f->tag == d->tag && (d->value & f->bit);
}

static void put_meaning(struct ro *ro, const struct codeobj_elf *elf, const struct codeobj_elf_dynamic *d)
{
    const char *string = codeobj_elf_dynamic_string(elf, d);
    if (string) {
        ro_put(ro, "  ");
        ro_put_name(ro, string, strlen(string));
    }
    for (size_t i = 0; i < FLAGS; i++)
        if (is_set(&flags[i], d)) {
            ro_put(ro, " ");
            ro_put(ro, flags[i].name);
        }
}

void ro_dynamic_text(struct ro *ro, const struct ro_object *obj)
{
    size_t count = codeobj_elf_dynamic_count(obj->elf);
    ro_heading(ro, "Dynamic section:");
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_dynamic d;
        char tag[24];
        if (codeobj_elf_dynamic(obj->elf, i, &d) != CODEOBJ_OK)
            continue;
        ro_put(ro, "  ");
        ro_put_column(ro, ro_enum(codeobj_elf_dynamic_tag_name(d.tag), (uint64_t)d.tag, tag), 19);
        ro_put(ro, "0x");
        ro_put_hex(ro, d.value, 1);
        put_meaning(ro, obj->elf, &d);
        ro_new_line(ro);
    }
    ro_flush_lines(ro);
}

json_t *ro_dynamic_json(struct ro *ro, const struct ro_object *obj)
{
    (void)ro;
    json_t *a = json_array();
    size_t count = codeobj_elf_dynamic_count(obj->elf);
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_dynamic d;
        if (codeobj_elf_dynamic(obj->elf, i, &d) != CODEOBJ_OK)
            continue;
        json_t *o = json_object(), *names = json_array();
        const char *string = codeobj_elf_dynamic_string(obj->elf, &d);
        for (size_t k = 0; k < FLAGS; k++)
            if (is_set(&flags[k], &d))
                json_array_append_new(names, ro_json_cstring(flags[k].name));
        ro_json_set(o, "tag", ro_json_enum(codeobj_elf_dynamic_tag_name(d.tag), (uint64_t)d.tag));
        ro_json_set(o, "value", ro_json_uint(d.value));
        if (string)
            ro_json_set(o, "string", ro_json_cstring(string));
        if (json_array_size(names))
            ro_json_set(o, "flags", json_incref(names));
        json_decref(names);
        json_array_append_new(a, o);
    }
    return a;
}

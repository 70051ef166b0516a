/* SPDX-License-Identifier: MIT
 *
 * readobj/show_dump.c - contents of sections: hex dump, strings, groups; raw metadata.
 */
#include "readobj.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHT_GROUP = 17, SHT_SYMTAB = 2, GRP_COMDAT = 1 };

/* A section by name, or by index when the name is a number. */
static bool find_section(struct ro *ro, const struct ro_object *obj, const char *name, struct codeobj_elf_section *out)
{
    char *end;
    unsigned long idx = strtoul(name, &end, 10);
    if (codeobj_elf_section_by_name(obj->elf, name, out) == CODEOBJ_OK)
        return true;
    if (*name && !*end && codeobj_elf_section(obj->elf, idx, out) == CODEOBJ_OK)
        return true;
    ro_error(ro, "%s: no section '%s'; --sections lists what there is", obj->name, name);
    return false;
}

/* The bytes with SHF_COMPRESSED undone; owned. */
static uint8_t *contents(struct ro *ro, const struct ro_object *obj, const struct codeobj_elf_section *s, size_t *size)
{
    struct codeobj_diag diag = { 0 };
    void *data;
    if (codeobj_elf_section_contents(obj->elf, s->idx, &data, size, &diag) == CODEOBJ_OK)
        return data;
    ro_diag(ro, obj->name, &diag);
    return NULL;
}

static void hex_line(struct ro *ro, uint64_t addr, const uint8_t *p, size_t n)
{
    ro_put(ro, "  0x");
    ro_put_hex(ro, addr, 8);
    for (size_t i = 0; i < 16; i++) {
        if (i % 4 == 0)
            ro_put(ro, " ");
        if (i < n)
            ro_put_hex(ro, p[i], 2);
        else
            ro_put(ro, "  ");
    }
    char text[17];
    for (size_t i = 0; i < n; i++)
        text[i] = isprint(p[i]) && p[i] < 0x7f ? (char)p[i] : '.';
    text[n] = 0;
    ro_put(ro, " ");
    ro_put(ro, text);
    ro_end_line(ro);
}

void ro_hex_dump_text(struct ro *ro, const struct ro_object *obj)
{
    for (size_t k = 0; k < ro->opt->hex_dump.count; k++) {
        struct codeobj_elf_section s;
        size_t size;
        if (!find_section(ro, obj, ro->opt->hex_dump.items[k], &s))
            continue;
        uint8_t *data = contents(ro, obj, &s, &size);
        ro_heading(ro, "Hex dump of section '%s':", ro->opt->hex_dump.items[k]);
        for (size_t i = 0; data && i < size; i += 16)
            hex_line(ro, s.addr + i, data + i, size - i < 16 ? size - i : 16);
        free(data);
    }
}

void ro_string_dump_text(struct ro *ro, const struct ro_object *obj)
{
    for (size_t k = 0; k < ro->opt->string_dump.count; k++) {
        struct codeobj_elf_section s;
        size_t size;
        if (!find_section(ro, obj, ro->opt->string_dump.items[k], &s))
            continue;
        uint8_t *data = contents(ro, obj, &s, &size);
        ro_heading(ro, "String dump of section '%s':", ro->opt->string_dump.items[k]);
        for (size_t i = 0; data && i < size;) {
            size_t n = strnlen((const char *)data + i, size - i);
            if (n) {
                ro_put(ro, "  [");
                for (size_t digits = 1, v = i; digits < 6; digits++, v /= 16)
                    if (v < 16)
                        ro_put(ro, " ");
                ro_put_hex(ro, i, 1);
                ro_put(ro, "] ");
                ro_put_name(ro, (const char *)data + i, n);
                ro_end_line(ro);
            }
            i += n + 1;
        }
        free(data);
    }
}

static uint32_t word(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* What identifies a group: the name of the symbol that sh_info gives. */
static const char *signature(const struct codeobj_elf *elf, const struct codeobj_elf_section *group)
{
    struct codeobj_elf_symbol s;
    return codeobj_elf_symbol(elf, CODEOBJ_SYMTAB, group->info, &s) == CODEOBJ_OK ? s.name : "";
}

void ro_groups_text(struct ro *ro, const struct ro_object *obj)
{
    ro_heading(ro, "Section groups:");
    for (size_t i = 0; i < codeobj_elf_section_count(obj->elf); i++) {
        struct codeobj_elf_section s, member;
        size_t size;
        if (codeobj_elf_section(obj->elf, i, &s) != CODEOBJ_OK || s.type != SHT_GROUP)
            continue;
        const uint8_t *p = codeobj_elf_section_data(obj->elf, i, &size);
        fprintf(ro->out, "  [%2zu] %s ", i, p && size >= 4 && word(p) & GRP_COMDAT ? "COMDAT" : "plain");
        ro_symbol_name(ro, signature(obj->elf, &s));
        fputc('\n', ro->out);
        for (size_t at = 4; p && at + 4 <= size; at += 4) {
            fprintf(ro->out, "       [%2" PRIu32 "] ", word(p + at));
            if (codeobj_elf_section(obj->elf, word(p + at), &member) == CODEOBJ_OK)
                ro_name(ro, member.name, strlen(member.name));
            else
                fputs("(no such section)", ro->out);
            fputc('\n', ro->out);
        }
    }
}

json_t *ro_groups_json(struct ro *ro, const struct ro_object *obj)
{
    (void)ro;
    json_t *list = json_array();
    for (size_t i = 0; i < codeobj_elf_section_count(obj->elf); i++) {
        struct codeobj_elf_section s;
        size_t size;
        if (codeobj_elf_section(obj->elf, i, &s) != CODEOBJ_OK || s.type != SHT_GROUP)
            continue;
        const uint8_t *p = codeobj_elf_section_data(obj->elf, i, &size);
        json_t *o = json_object(), *members = json_array();
        for (size_t at = 4; p && at + 4 <= size; at += 4)
            json_array_append_new(members, json_integer(word(p + at)));
        ro_json_set(o, "index", ro_json_uint(i));
        ro_json_set(o, "signature", ro_json_cstring(signature(obj->elf, &s)));
        ro_json_set(o, "comdat", json_boolean(p && size >= 4 && word(p) & GRP_COMDAT));
        ro_json_set(o, "members", members);
        json_array_append_new(list, o);
    }
    return list;
}

/* The metadata notes as they are stored: MessagePack or YAML, one behind the other. */
void ro_raw_metadata(struct ro *ro, const struct codeobj_elf *elf)
{
    struct codeobj_elf_note n;
    for (size_t i = 0; codeobj_elf_note(elf, i, &n) == CODEOBJ_OK; i++) {
        bool v3 = n.owner_size == 6 && memcmp(n.owner, "AMDGPU", 6) == 0 && n.type == 32;
        bool v2 = n.owner_size == 3 && memcmp(n.owner, "AMD", 3) == 0 && (n.type == 10 || n.type == 12);
        if (v2 || v3)
            fwrite(n.desc, 1, n.desc_size, ro->out);
    }
}

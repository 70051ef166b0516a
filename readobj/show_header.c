/* SPDX-License-Identifier: MIT
 *
 * readobj/show_header.c - the ELF header and the target it names.
 */
#include "readobj.h"

#include <inttypes.h>
#include <string.h>

static const char *const mode_names[] = { "unsupported", "any", "off", "on" };

static const char *mode_name(uint8_t mode)
{
    return mode < 4 ? mode_names[mode] : "?";
}

/* The canonical target ID with its triple.  OS by EI_OSABI. */
static void target_id(const struct codeobj_elf_header *h, const struct codeobj_target *t, char *buf, size_t size)
{
    const char *os = h->osabi == 64 ? "amdhsa" : h->osabi == 65 ? "amdpal" : h->osabi == 66 ? "mesa3d" : "";
    const char *arch = t->processor && t->processor->gen == CODEOBJ_GEN_R600 ? "r600" : "amdgcn";
    int n = snprintf(buf, size, "%s-amd-%s--", arch, os);
    if (n > 0 && (size_t)n < size && t->processor)
        codeobj_target_format(t, buf + n, size - (size_t)n);
    else if (n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, "unknown (0x%x)", h->flags & 0xff);
}

static void put_label(struct ro *ro, const char *label)
{
    ro_put(ro, "  ");
    ro_put_padded(ro, label, 25);
}

static void put_word(struct ro *ro, const char *label, const char *word)
{
    put_label(ro, label);
    ro_put(ro, word);
    ro_new_line(ro);
}

static void put_number(struct ro *ro, const char *label, uint64_t n)
{
    put_label(ro, label);
    ro_put_dec(ro, n, 0);
    ro_new_line(ro);
}

static void put_table(struct ro *ro, const char *label, uint64_t count, uint64_t offset)
{
    put_label(ro, label);
    ro_put_dec(ro, count, 0);
    ro_put(ro, " at 0x");
    ro_put_hex(ro, offset, 1);
    ro_new_line(ro);
}

void ro_header_text(struct ro *ro, const struct ro_object *obj)
{
    struct codeobj_elf_header h;
    struct codeobj_target t;
    char buf[24], id[160];
    codeobj_elf_header(obj->elf, &h);
    codeobj_elf_target(obj->elf, &t);
    target_id(&h, &t, id, sizeof id);
    ro_heading(ro, "ELF header:");
    put_word(ro, "Class:", h.elf_class == 1 ? "ELFCLASS32" : "ELFCLASS64");
    put_word(ro, "Type:", ro_enum(codeobj_elf_type_name(h.type), h.type, buf));
    put_word(ro, "OS/ABI:", ro_enum(codeobj_elf_osabi_name(h.osabi), h.osabi, buf));
    put_number(ro, "ABI version:", h.abi_version);
    if (h.code_object_version)
        put_number(ro, "Code object version:", (uint64_t)h.code_object_version);
    put_word(ro, "Target:", id);
    put_label(ro, "Flags:");
    ro_put(ro, "0x");
    ro_put_hex(ro, h.flags, 1);
    ro_put(ro, " (mach ");
    ro_put(ro, t.processor ? t.processor->name : "unknown");
    ro_put(ro, ", xnack ");
    ro_put(ro, mode_name(t.xnack));
    ro_put(ro, ", sramecc ");
    ro_put(ro, mode_name(t.sramecc));
    if (t.generic_version) {
        ro_put(ro, ", generic version ");
        ro_put_dec(ro, t.generic_version, 0);
    }
    ro_put(ro, ")\n");
    put_label(ro, "Entry:");
    ro_put(ro, "0x");
    ro_put_hex(ro, h.entry, 1);
    ro_new_line(ro);
    put_table(ro, "Program headers:", h.phnum, h.phoff);
    put_table(ro, "Section headers:", h.shnum, h.shoff);
    put_number(ro, "Section name table:", h.shstrndx);
    ro_flush_lines(ro);
}

json_t *ro_header_json(struct ro *ro, const struct ro_object *obj)
{
    (void)ro;
    struct codeobj_elf_header h;
    struct codeobj_target t;
    char id[160];
    codeobj_elf_header(obj->elf, &h);
    codeobj_elf_target(obj->elf, &t);
    target_id(&h, &t, id, sizeof id);
    json_t *o = json_object();
    ro_json_set(o, "class", json_integer(h.elf_class == 1 ? 32 : 64));
    ro_json_set(o, "type", ro_json_enum(codeobj_elf_type_name(h.type), h.type));
    ro_json_set(o, "osabi", ro_json_enum(codeobj_elf_osabi_name(h.osabi), h.osabi));
    ro_json_set(o, "abi_version", json_integer(h.abi_version));
    ro_json_set(o, "code_object_version", h.code_object_version ? json_integer(h.code_object_version) : json_null());
    ro_json_set(o, "flags", ro_json_uint(h.flags));
    ro_json_set(o, "mach", ro_json_enum(t.processor ? t.processor->name : NULL, h.flags & 0xff));
    ro_json_set(o, "xnack", json_string(mode_name(t.xnack)));
    ro_json_set(o, "sramecc", json_string(mode_name(t.sramecc)));
    ro_json_set(o, "generic_version", t.generic_version ? json_integer(t.generic_version) : json_null());
    ro_json_set(o, "target_id", t.processor ? json_string(id) : json_null());
    ro_json_set(o, "entry", ro_json_uint(h.entry));
    return o;
}

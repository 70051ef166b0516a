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

void ro_header_text(struct ro *ro, const struct ro_object *obj)
{
    struct codeobj_elf_header h;
    struct codeobj_target t;
    char buf[24], id[160];
    codeobj_elf_header(obj->elf, &h);
    codeobj_elf_target(obj->elf, &t);
    target_id(&h, &t, id, sizeof id);
    ro_heading(ro, "ELF header:");
    fprintf(ro->out, "  %-24s %s\n", "Class:", h.elf_class == 1 ? "ELFCLASS32" : "ELFCLASS64");
    fprintf(ro->out, "  %-24s %s\n", "Type:", ro_enum(codeobj_elf_type_name(h.type), h.type, buf));
    fprintf(ro->out, "  %-24s %s\n", "OS/ABI:", ro_enum(codeobj_elf_osabi_name(h.osabi), h.osabi, buf));
    fprintf(ro->out, "  %-24s %u\n", "ABI version:", h.abi_version);
    if (h.code_object_version)
        fprintf(ro->out, "  %-24s %d\n", "Code object version:", h.code_object_version);
    fprintf(ro->out, "  %-24s %s\n", "Target:", id);
    fprintf(ro->out, "  %-24s 0x%" PRIx32 " (mach %s, xnack %s, sramecc %s", "Flags:", h.flags,
            t.processor ? t.processor->name : "unknown", mode_name(t.xnack), mode_name(t.sramecc));
    if (t.generic_version)
        fprintf(ro->out, ", generic version %u", t.generic_version);
    fprintf(ro->out, ")\n");
    fprintf(ro->out, "  %-24s 0x%" PRIx64 "\n", "Entry:", h.entry);
    fprintf(ro->out, "  %-24s %" PRIu32 " at 0x%" PRIx64 "\n", "Program headers:", h.phnum, h.phoff);
    fprintf(ro->out, "  %-24s %" PRIu32 " at 0x%" PRIx64 "\n", "Section headers:", h.shnum, h.shoff);
    fprintf(ro->out, "  %-24s %" PRIu32 "\n", "Section name table:", h.shstrndx);
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

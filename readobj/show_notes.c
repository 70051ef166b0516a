/* SPDX-License-Identifier: MIT
 *
 * readobj/show_notes.c - notes, one by one.
 *
 * Source: LLVM's User Guide for AMDGPU Backend, Note Records; for V1, what HSA
 * finalizers wrote (a name's length counts its NUL or not, and the last NUL may
 * lie outside the note).
 */
#include "readobj.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NT_CODE_OBJECT_VERSION = 1, NT_HSAIL = 2, NT_ISA_VERSION = 3, NT_PRODUCER = 4, NT_PRODUCER_OPTIONS = 5, NT_HSA_METADATA = 10,
       NT_ISA_NAME = 11, NT_PAL_METADATA = 12, NT_METADATA = 32, NT_BUILD_ID = 3 };

static bool owner_is(const struct codeobj_elf_note *n, const char *owner)
{
    return n->owner_size == strlen(owner) && memcmp(n->owner, owner, n->owner_size) == 0;
}

static uint32_t word(const struct codeobj_elf_note *n, size_t off)
{
    const uint8_t *p = n->desc;
    if (off > n->desc_size || n->desc_size - off < 4)
        return 0;
    return (uint32_t)p[off] | (uint32_t)p[off + 1] << 8 | (uint32_t)p[off + 2] << 16 | (uint32_t)p[off + 3] << 24;
}

static void text_bytes(struct ro *ro, const struct codeobj_elf_note *n, size_t off, size_t size)
{
    if (off > n->desc_size)
        return;
    if (size > n->desc_size - off)
        size = n->desc_size - off;
    const char *p = (const char *)n->desc + off;
    ro_name(ro, p, strnlen(p, size));
}

static void hex_bytes(struct ro *ro, const struct codeobj_elf_note *n, size_t most)
{
    const uint8_t *p = n->desc;
    for (size_t i = 0; i < n->desc_size && i < most; i++)
        fprintf(ro->out, "%02x%s", p[i], i % 4 == 3 && i + 1 < n->desc_size ? " " : "");
    if (n->desc_size > most)
        fprintf(ro->out, "... (%zu bytes)", n->desc_size);
}

static void amd_note(struct ro *ro, const struct codeobj_elf_note *n)
{
    switch (n->type) {
    case NT_CODE_OBJECT_VERSION: fprintf(ro->out, "version %" PRIu32 ".%" PRIu32, word(n, 0), word(n, 4)); break;
    case NT_HSAIL: {
        const uint8_t *p = n->desc;
        fprintf(ro->out, "HSAIL %" PRIu32 ".%" PRIu32, word(n, 0), word(n, 4));
        if (n->desc_size >= 11)
            fprintf(ro->out, ", profile %u, machine model %u, rounding %u", p[8], p[9], p[10]);
        break;
    }
    case NT_ISA_VERSION: {
        size_t vendor = word(n, 0) & 0xffff, arch = word(n, 0) >> 16;
        text_bytes(ro, n, 16, vendor);
        fputc(' ', ro->out);
        text_bytes(ro, n, 16 + vendor, arch);
        fprintf(ro->out, " %" PRIu32 ".%" PRIu32 ".%" PRIu32, word(n, 4), word(n, 8), word(n, 12));
        break;
    }
    case NT_PRODUCER:
        text_bytes(ro, n, 12, word(n, 0) & 0xffff);
        fprintf(ro->out, " %" PRIu32 ".%" PRIu32, word(n, 4), word(n, 8));
        break;
    case NT_PRODUCER_OPTIONS: text_bytes(ro, n, 2, word(n, 0) & 0xffff); break;
    case NT_ISA_NAME: text_bytes(ro, n, 0, n->desc_size); break;
    case NT_HSA_METADATA: fprintf(ro->out, "YAML, %zu bytes (--metadata shows it)", n->desc_size); break;
    case NT_PAL_METADATA:
        for (size_t i = 0; i + 8 <= n->desc_size; i += 8)
            fprintf(ro->out, "%s0x%04" PRIx32 "=0x%08" PRIx32, i ? " " : "", word(n, i), word(n, i + 4));
        break;
    default: hex_bytes(ro, n, 64); break;
    }
}

/* What a note says, on one line. */
static void note_body(struct ro *ro, const struct codeobj_elf_note *n)
{
    if (owner_is(n, "AMD"))
        amd_note(ro, n);
    else if (owner_is(n, "AMDGPU") && n->type == NT_METADATA)
        fputs("MessagePack (--metadata shows it)", ro->out);
    else
        hex_bytes(ro, n, owner_is(n, "GNU") && n->type == NT_BUILD_ID ? SIZE_MAX : 64);
}

/* Is there more to it than bytes, and than what --metadata shows? */
static bool is_readable(const struct codeobj_elf_note *n)
{
    return owner_is(n, "AMD") && n->type != NT_HSA_METADATA && codeobj_elf_note_type_name(n->owner, n->owner_size, n->type);
}

void ro_notes_text(struct ro *ro, const struct ro_object *obj)
{
    size_t count = codeobj_elf_note_count(obj->elf);
    ro_heading(ro, "Notes:");
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_note n;
        char type[24];
        if (codeobj_elf_note(obj->elf, i, &n) != CODEOBJ_OK)
            continue;
        ro_put(ro, "  0x");
        ro_put_hex(ro, n.offset, 8);
        ro_put(ro, " ");
        ro_put_name(ro, n.owner, n.owner_size);
        ro_put_blanks(ro, n.owner_size < 8 ? 9 - n.owner_size : 1);
        ro_put_column(ro, ro_enum(codeobj_elf_note_type_name(n.owner, n.owner_size, n.type), n.type, type), 32);
        ro_put_dec_right(ro, n.desc_size, 6);
        ro_put(ro, "  ");
        ro_flush_lines(ro);
        note_body(ro, &n);
        fputc('\n', ro->out);
    }
}

/* The same words as in the text. */
static json_t *body_json(struct ro *ro, const struct codeobj_elf_note *n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = ro->out, *memory = open_memstream(&text, &size);
    if (!memory)
        return json_null();
    ro->out = memory;
    note_body(ro, n);
    ro->out = out;
    json_t *o = fclose(memory) == 0 ? ro_json_string(text, size) : json_null();
    free(text);
    return o;
}

static json_t *hex_json(const struct codeobj_elf_note *n)
{
    static const char digits[] = "0123456789abcdef";
    char *text = malloc(2 * n->desc_size + 1);
    if (!text)
        return json_null();
    for (size_t i = 0; i < n->desc_size; i++) {
        text[2 * i] = digits[((const uint8_t *)n->desc)[i] >> 4];
        text[2 * i + 1] = digits[((const uint8_t *)n->desc)[i] & 15];
    }
    json_t *o = ro_json_string(text, 2 * n->desc_size);
    free(text);
    return o;
}

json_t *ro_notes_json(struct ro *ro, const struct ro_object *obj)
{
    json_t *a = json_array();
    size_t count = codeobj_elf_note_count(obj->elf);
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_note n;
        if (codeobj_elf_note(obj->elf, i, &n) != CODEOBJ_OK)
            continue;
        json_t *o = json_object();
        ro_json_set(o, "owner", ro_json_string(n.owner, n.owner_size));
        ro_json_set(o, "type", ro_json_enum(codeobj_elf_note_type_name(n.owner, n.owner_size, n.type), n.type));
        ro_json_set(o, "size", ro_json_uint(n.desc_size));
        ro_json_set(o, "offset", ro_json_uint(n.offset));
        bool is_metadata = (owner_is(&n, "AMD") && n.type == NT_HSA_METADATA) || (owner_is(&n, "AMDGPU") && n.type == NT_METADATA);
        if (is_readable(&n))
            ro_json_set(o, "text", body_json(ro, &n));
        else if (!is_metadata)
            ro_json_set(o, "hex", hex_json(&n));
        json_array_append_new(a, o);
    }
    return a;
}

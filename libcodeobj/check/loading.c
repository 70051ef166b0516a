/* SPDX-License-Identifier: MIT
 *
 * check/loading.c - segments, dynamic section, dynamic relocations, notes.
 *
 * Rules: System V ABI, Program Loading and Dynamic Linking; LLVM's User Guide
 * for AMDGPU Backend, Code Object V3 and Above Note Records.
 */
#include "check/flow.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/load.h>

enum { OSABI_AMDHSA = 64, NT_AMDGPU_METADATA = 32, SHT_RELR_ = 19, MAX_REFERENCES = 3, MAX_UNDEFINED = 100 };

/* Files of other types are not loaded at all, and that is said elsewhere. */
static bool is_loaded(const struct co_check *c)
{
    return (c->header.type == ET_DYN || c->header.type == ET_EXEC) && c->header.elf_class != ELFCLASS32;
}

static bool has_segment(const struct co_check *c, uint32_t type)
{
    struct codeobj_elf_segment s;
    for (size_t i = 0; !codeobj_elf_segment(c->elf, i, &s); i++)
        if (s.type == type)
            return true;
    return false;
}

static bool has_tag(const struct co_check *c, int64_t tag)
{
    struct codeobj_elf_dynamic d;
    for (size_t i = 0; !codeobj_elf_dynamic(c->elf, i, &d); i++)
        if (d.tag == tag)
            return true;
    return false;
}

/* The code that loads what is at addr, else the symbol whose extent holds it, else the section: who it is that refers to something. */
static const char *owner_of(const struct co_check *c, uint64_t addr, char *buf, size_t size)
{
    struct codeobj_elf_symbol s;
    const struct co_code_place *load = c->flow ? co_flow_load_of(c->flow, addr) : NULL;
    if (load && co_flow_name(c->flow, load->function)) {
        snprintf(buf, size, "\"%.80s\"+0x%llx", co_flow_name(c->flow, load->function), (unsigned long long)load->off);
        return buf;
    }
    for (int t = 0; t < 2; t++)
        for (size_t i = 1; !codeobj_elf_symbol(c->elf, t, i, &s); i++)
            if (s.shndx && s.size && addr >= s.value && addr - s.value < s.size && s.name[0]) {
                snprintf(buf, size, "\"%.80s\"+0x%llx", s.name, (unsigned long long)(addr - s.value));
                return buf;
            }
    struct codeobj_elf_section at;
    for (size_t i = 1; !codeobj_elf_section(c->elf, i, &at); i++)
        if ((at.flags & SHF_ALLOC) && at.name[0] && addr >= at.addr && addr - at.addr < at.size) {
            snprintf(buf, size, "%.80s+0x%llx", at.name, (unsigned long long)(addr - at.addr));
            return buf;
        }
    snprintf(buf, size, "0x%llx", (unsigned long long)addr);
    return buf;
}

/* ---- undefined symbols and relocations ------------------------------------------- */

/* Calls each(user, relocation) for every relocation against .dynsym. */
static void each_dynamic_relocation(const struct co_check *c, codeobj_elf_relocation_visit *each, void *user)
{
    uint32_t dynsym = codeobj_elf_symtab_section(c->elf, CODEOBJ_DYNSYM);
    struct codeobj_elf_section s;
    for (size_t i = 1; dynsym && !codeobj_elf_section(c->elf, i, &s); i++)
        if (s.link == dynsym && s.type != SHT_RELR_) /* which names none */
            codeobj_elf_visit_relocations(c->elf, i, each, user, NULL);
}

/* How often each dynamic symbol is referred to. */
struct uses {
    uint32_t *count;
    size_t symbols;
};

static bool count_use(void *user, const struct codeobj_elf_relocation *r)
{
    struct uses *u = user;
    if (r->symbol < u->symbols && u->count[r->symbol] < UINT32_MAX)
        u->count[r->symbol]++;
    return true;
}

/* The first places that refer to one symbol. */
struct references {
    const struct co_check *c;
    uint32_t symbol;
    unsigned found;
    char text[160];
};

static bool add_reference(void *user, const struct codeobj_elf_relocation *r)
{
    struct references *f = user;
    char owner[128];
    size_t used = strlen(f->text);
    if (r->symbol == f->symbol && f->found++ < MAX_REFERENCES)
        snprintf(f->text + used, sizeof f->text - used, "%s%s", used ? ", " : "", owner_of(f->c, r->offset, owner, sizeof owner));
    return true;
}

void co_check_undefined(struct co_check *c)
{
    if (!is_loaded(c))
        return;
    struct uses uses = { .symbols = codeobj_elf_symbol_count(c->elf, CODEOBJ_DYNSYM) };
    struct codeobj_elf_symbol s, first_unused = { 0 };
    size_t listed = 0, more = 0, unused = 0;
    uses.count = calloc(uses.symbols ? uses.symbols : 1, sizeof *uses.count);
    c->no_memory |= !uses.count;
    if (uses.count)
        each_dynamic_relocation(c, count_use, &uses);
    for (size_t i = 1; uses.count && !c->stop && !codeobj_elf_symbol(c->elf, CODEOBJ_DYNSYM, i, &s); i++) {
        char where[256];
        if (s.shndx != CODEOBJ_SHN_UNDEF || s.binding == STB_WEAK)
            continue;
        if (!uses.count[i]) {
            if (!unused++)
                first_unused = s;
            continue;
        }
        if (listed++ >= MAX_UNDEFINED) {
            more++;
            continue;
        }
        struct references f = { .c = c, .symbol = (uint32_t)i };
        each_dynamic_relocation(c, add_reference, &f);
        snprintf(where, sizeof where, "symbol \"%.150s\"", s.name);
        co_check_say(c, CO_CHECK_UNDEFINED_SYMBOL, where, "a definition", "undefined, used by %s%s", f.text, f.found > MAX_REFERENCES ? ", ..." : "");
    }
    if (more)
        co_check_say(c, CO_CHECK_UNDEFINED_SYMBOL, "dynamic symbols", "definitions", "%zu more undefined symbols", more);
    if (unused)
        co_check_say(c, CO_CHECK_UNUSED_UNDEFINED, "dynamic symbols", "", "%zu undefined symbol%s without a reference, the first \"%.100s\"", unused,
                     unused == 1 ? "" : "s", first_unused.name);
    free(uses.count);
}

static bool resolve_any(void *user, const char *name, uint64_t *addr)
{
    (void)user;
    (void)name;
    *addr = 0;
    return true;
}

static void check_image(struct co_check *c)
{
    struct codeobj_diag why = { 0 };
    struct codeobj_load_options options = { .size = sizeof options, .resolve = resolve_any };
    struct codeobj_image *image;
    uint64_t size, align;
    if (codeobj_load_extent(c->elf, &size, &align, &why)) {
        co_check_say(c, CO_CHECK_BAD_LOAD, "program headers", "", "%s", why.text);
        return;
    }
    if (size > CO_CHECK_MAX_TRIAL_LOAD)
        return;
    enum codeobj_status st = codeobj_image_load(c->elf, &options, &image, &why);
    c->no_memory |= st == CODEOBJ_NO_MEMORY;
    if (!st)
        codeobj_image_free(image);
    else if (st != CODEOBJ_NO_MEMORY)
        co_check_say(c, CO_CHECK_BAD_RELOCATION, "dynamic relocations", "", "%s", why.text);
}

/* The images here are relocated by them; ROCr knows SHT_RELA alone. */
static void check_packed(struct co_check *c)
{
    static const struct {
        int64_t tag;
        const char *name;
    } packed[] = { { 36, "DT_RELR" }, { 0x6fffe000, "DT_ANDROID_RELR" }, { 0x6000000f, "DT_ANDROID_REL" }, { 0x60000011, "DT_ANDROID_RELA" } };
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (has_tag(c, packed[i].tag))
            co_check_say(c, CO_CHECK_PACKED_RELOCATIONS, "PT_DYNAMIC", "", "%s", packed[i].name);
}

void co_check_loading(struct co_check *c)
{
    if (!is_loaded(c))
        return;
    if (!has_segment(c, PT_LOAD))
        co_check_say(c, CO_CHECK_NO_LOAD, "program headers", "PT_LOAD segments", "none");
    else
        check_image(c);
    if (!has_segment(c, PT_DYNAMIC))
        co_check_say(c, CO_CHECK_NO_DYNAMIC, "program headers", "a PT_DYNAMIC segment", "none");
    else
        co_check_dynamic(c);
    if (!codeobj_elf_symbol_count(c->elf, CODEOBJ_DYNSYM))
        co_check_say(c, CO_CHECK_NO_DYNSYM, "PT_DYNAMIC", "a dynamic symbol table", "none");
    check_packed(c);
    if (has_tag(c, DT_TEXTREL))
        co_check_say(c, CO_CHECK_TEXT_RELOCATION, "PT_DYNAMIC", "no DT_TEXTREL", "relocations change read-only segments");
}

/* ---- notes and metadata -------------------------------------------------------------- */

static bool report_key(void *user, const struct codeobj_metadata_finding *f)
{
    static const enum co_check_id ids[] = { CO_CHECK_KEY_MISSING, CO_CHECK_KEY_UNKNOWN, CO_CHECK_KEY_MISTYPED, CO_CHECK_KEY_VALUE };
    struct co_check *c = user;
    const char *expected = strstr(f->text, ", expected "), *found = f->text;
    size_t n = expected ? (size_t)(expected - f->text) : strlen(f->text);
    if (expected && !strncmp(found, "found ", 6)) { /* "found X, expected Y" */
        found += 6;
        n -= 6;
    }
    co_check_say(c, ids[f->problem], f->path[0] ? f->path : "metadata, key \"\"", expected ? expected + 11 : "", "%.*s", (int)n, found);
    return !c->stop;
}

static bool is_metadata(const struct codeobj_elf_note *n)
{
    return n->type == NT_AMDGPU_METADATA && n->owner_size == 6 && !memcmp(n->owner, "AMDGPU", 6);
}

static size_t count_metadata_notes(const struct co_check *c)
{
    struct codeobj_elf_note n;
    size_t count = 0;
    for (size_t i = 0; !codeobj_elf_note(c->elf, i, &n); i++)
        count += is_metadata(&n);
    return count;
}

/* Does a PT_NOTE segment hold a metadata note?  (True of files without such notes: they are told apart elsewhere.) */
static bool in_note_segment(const struct co_check *c)
{
    struct codeobj_elf_note n;
    struct codeobj_elf_segment s;
    bool any = false;
    for (size_t i = 0; !codeobj_elf_note(c->elf, i, &n); i++) {
        any |= is_metadata(&n);
        for (size_t k = 0; is_metadata(&n) && !codeobj_elf_segment(c->elf, k, &s); k++)
            if (s.type == PT_NOTE && n.offset >= s.offset && n.offset - s.offset < s.filesz)
                return true;
    }
    return !any;
}

/* V3 has 1.0, V4 1.1, V5 and V6 have 1.2. */
static void check_version(struct co_check *c)
{
    const struct codeobj_value *v = codeobj_value_get(codeobj_metadata_root(c->metadata), "amdhsa.version");
    int version = c->header.code_object_version;
    uint64_t minor = version == 3 ? 0 : version == 4 ? 1 : 2;
    char needed[48];
    if (version < 3 || version > 6 || !v || v->kind != CODEOBJ_VALUE_ARRAY || v->size != 2 || v->items[0].kind != CODEOBJ_VALUE_UINT ||
        v->items[1].kind != CODEOBJ_VALUE_UINT || v->items[0].uint != 1 || v->items[1].uint > 2 || v->items[1].uint == minor)
        return;
    snprintf(needed, sizeof needed, "1.%llu, as V%d has it", (unsigned long long)minor, version);
    co_check_say(c, CO_CHECK_METADATA_VERSION, "amdhsa.version", needed, "1.%llu", (unsigned long long)v->items[1].uint);
}

void co_check_metadata(struct co_check *c, enum codeobj_status read_status, const struct codeobj_diag *why)
{
    /* The finalizer (V1) wrote none. */
    if (c->header.osabi == OSABI_AMDHSA && c->header.code_object_version > 1 && read_status == CODEOBJ_NOT_FOUND && codeobj_kernel_count(c->elf))
        co_check_say(c, CO_CHECK_NO_METADATA, "notes", "an NT_AMDGPU_METADATA note", "none, with %zu kernel%s", codeobj_kernel_count(c->elf),
                     codeobj_kernel_count(c->elf) == 1 ? "" : "s");
    else if (read_status && read_status != CODEOBJ_NOT_FOUND && read_status != CODEOBJ_NO_MEMORY)
        co_check_say(c, CO_CHECK_BAD_METADATA, why->section[0] ? why->section : "notes", "", "%s", why->text);
    if (!c->metadata)
        return;
    size_t notes = count_metadata_notes(c);
    if (c->header.type == ET_DYN && c->header.osabi == OSABI_AMDHSA) {
        if (!has_segment(c, PT_NOTE))
            co_check_say(c, CO_CHECK_NOTE_NOT_LOADED, "program headers", "a PT_NOTE segment", "none");
        else if (!in_note_segment(c))
            co_check_say(c, CO_CHECK_NOTE_NOT_LOADED, "program headers", "", "PT_NOTE without the metadata");
        if (notes > 1)
            co_check_say(c, CO_CHECK_SEVERAL_NOTES, "notes", "one NT_AMDGPU_METADATA note", "%zu", notes);
    }
    codeobj_metadata_validate(c->metadata, report_key, c);
    if (c->header.osabi == OSABI_AMDHSA)
        check_version(c);
}

/* SPDX-License-Identifier: MIT
 *
 * kernel/builder_kernel.c - kernels and metadata added to a builder.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend, Symbols, Kernel Descriptor, Code
 * Object Metadata.
 *
 * A kernel is its code (256-byte aligned in .text), its descriptor (64-byte
 * aligned in .rodata) whose entry offset is a REL64 relocation against the code,
 * two protected symbols, and a map in the metadata note.  A linked object gets
 * code and descriptor in one new section (.text.added), where their distance is
 * known without a relocation.
 */
#include <codeobj/builder.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "elf/builder.h"
#include "metadata/metadata.h"

enum { OSABI_AMDHSA = 64, NT_AMDGPU_METADATA = 32, R_AMDGPU_REL64 = 5, CODE_ALIGN = 256, DESCRIPTOR_ALIGN = 64, ENTRY_FIELD = 16 };

/* ---- metadata -------------------------------------------------------------------- */

enum codeobj_status codeobj_builder_metadata_set(struct codeobj_builder *b, const struct codeobj_value *root, struct codeobj_diag *diag)
{
    void *bytes = NULL;
    size_t size = 0;
    enum codeobj_status st = codeobj_value_to_msgpack(root, &bytes, &size, diag);
    if (!st)
        st = codeobj_builder_note_set(b, "AMDGPU", NT_AMDGPU_METADATA, bytes, size, diag);
    free(bytes);
    if (!st)
        b->metadata_set = true;
    return st;
}

enum codeobj_status codeobj_builder_metadata_yaml(struct codeobj_builder *b, const char *text, size_t size, struct codeobj_diag *diag)
{
    struct co_arena arena = { 0 };
    struct codeobj_value *root = NULL;
    enum codeobj_status st = co_yaml_parse(&arena, co_span_make(text, size), "metadata", &root, diag);
    if (!st)
        st = codeobj_builder_metadata_set(b, root, diag);
    co_arena_free(&arena);
    return st;
}

/* ---- the metadata of kernels added ------------------------------------------------------ */

struct pending {
    struct pending *next;
    struct codeobj_value map;
};
struct pending_list {
    struct pending *first, **tail;
    size_t count;
};

/* A map under construction, in the arena; keys have to be added in order. */
struct map_maker {
    struct co_arena *arena;
    struct codeobj_value map, *items;
    size_t cap;
    bool failed;
};

static void start_map(struct map_maker *m, struct co_arena *arena, size_t cap)
{
    *m = (struct map_maker){ .arena = arena, .cap = cap };
    m->items = co_arena_array(arena, cap, 2 * sizeof *m->items);
    m->failed = !m->items;
    m->map = (struct codeobj_value){ .kind = CODEOBJ_VALUE_MAP, .items = m->items };
}

static struct codeobj_value make_string(struct map_maker *m, const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);
    char *copy = co_arena_alloc(m->arena, n + k + 1);
    if (copy) {
        memcpy(copy, s, n);
        memcpy(copy + n, suffix, k);
    } else {
        m->failed = true;
    }
    return (struct codeobj_value){ .kind = CODEOBJ_VALUE_STRING, .bytes = copy, .size = n + k };
}

static void put(struct map_maker *m, const char *key, struct codeobj_value value)
{
    if (m->failed || m->map.size == m->cap) {
        m->failed = true;
        return;
    }
    m->items[2 * m->map.size] = (struct codeobj_value){ .kind = CODEOBJ_VALUE_STRING, .bytes = key, .size = strlen(key) };
    m->items[2 * m->map.size + 1] = value;
    m->map.size++;
}

static struct codeobj_value make_uint(uint64_t v) { return (struct codeobj_value){ .kind = CODEOBJ_VALUE_UINT, .uint = v }; }

static void put_uint(struct map_maker *m, const char *key, uint64_t v) { put(m, key, make_uint(v)); }

static void put_text(struct map_maker *m, const char *key, const char *text)
{
    if (text)
        put(m, key, make_string(m, text, ""));
}

static void put_flag(struct map_maker *m, const char *key, bool flag)
{
    if (flag)
        put(m, key, (struct codeobj_value){ .kind = CODEOBJ_VALUE_BOOL, .boolean = true });
}

static void put_uints(struct map_maker *m, const char *key, const uint32_t *v, size_t count)
{
    struct codeobj_value *items = co_arena_array(m->arena, count, sizeof *items);
    for (size_t i = 0; items && i < count; i++)
        items[i] = make_uint(v[i]);
    m->failed |= !items;
    put(m, key, (struct codeobj_value){ .kind = CODEOBJ_VALUE_ARRAY, .items = items, .size = count });
}

static bool make_arg(struct co_arena *arena, const struct codeobj_builder_arg *a, struct codeobj_value *out)
{
    struct map_maker m;
    start_map(&m, arena, 13);
    put_text(&m, ".access", a->access);
    put_text(&m, ".actual_access", a->actual_access);
    put_text(&m, ".address_space", a->address_space);
    put_flag(&m, ".is_const", a->is_const);
    put_flag(&m, ".is_pipe", a->is_pipe);
    put_flag(&m, ".is_restrict", a->is_restrict);
    put_flag(&m, ".is_volatile", a->is_volatile);
    put_text(&m, ".name", a->name);
    put_uint(&m, ".offset", a->offset);
    if (a->pointee_align)
        put_uint(&m, ".pointee_align", a->pointee_align);
    put_uint(&m, ".size", a->size);
    put_text(&m, ".type_name", a->type_name);
    put_text(&m, ".value_kind", a->value_kind);
    *out = m.map;
    return !m.failed;
}

static bool make_kernel(struct co_arena *arena, const struct codeobj_builder_kernel *k, const struct codeobj_kernel_descriptor *d,
                        const struct codeobj_processor *p, int version, struct codeobj_value *out)
{
    struct map_maker m;
    struct codeobj_value *args = co_arena_array(arena, k->arg_count, sizeof *args);
    bool unified = p->features & CODEOBJ_FEATURE_AGPR, modes = version >= 5;
    start_map(&m, arena, 20);
    for (size_t i = 0; args && i < k->arg_count; i++)
        m.failed |= !make_arg(arena, &k->args[i], &args[i]);
    m.failed |= !args;
    if (unified)
        put_uint(&m, ".agpr_count", k->agpr_count);
    put(&m, ".args", (struct codeobj_value){ .kind = CODEOBJ_VALUE_ARRAY, .items = args, .size = k->arg_count });
    put_uint(&m, ".group_segment_fixed_size", d->group_segment_fixed_size);
    put_uint(&m, ".kernarg_segment_align", k->kernarg_align ? k->kernarg_align : k->arg_count ? 8 : 4);
    put_uint(&m, ".kernarg_segment_size", d->kernarg_size);
    put_text(&m, ".language", k->language);
    put_uint(&m, ".max_flat_workgroup_size", k->max_flat_workgroup_size ? k->max_flat_workgroup_size : 1024);
    put_text(&m, ".name", k->name);
    put_uint(&m, ".private_segment_fixed_size", d->private_segment_fixed_size);
    if (k->reqd_workgroup_size[0] || k->reqd_workgroup_size[1] || k->reqd_workgroup_size[2])
        put_uints(&m, ".reqd_workgroup_size", k->reqd_workgroup_size, 3);
    put_uint(&m, ".sgpr_count", k->sgpr_count ? k->sgpr_count : d->sgpr_count);
    put_uint(&m, ".sgpr_spill_count", 0);
    put(&m, ".symbol", make_string(&m, k->name, ".kd"));
    if (modes)
        put(&m, ".uses_dynamic_stack", (struct codeobj_value){ .kind = CODEOBJ_VALUE_BOOL, .boolean = d->uses_dynamic_stack });
    put_uint(&m, ".vgpr_count", k->vgpr_count ? k->vgpr_count : d->vgpr_count);
    put_uint(&m, ".vgpr_spill_count", 0);
    put_uint(&m, ".wavefront_size", d->wave_size);
    if (modes && p->gen >= CODEOBJ_GEN_GFX10)
        put_uint(&m, ".workgroup_processor_mode", d->wgp_mode);
    *out = m.map;
    return !m.failed;
}

/* The metadata an opened object already has; *metadata: to be freed, *root: its map, or NULL. */
static enum codeobj_status old_metadata(struct codeobj_builder *b, struct codeobj_metadata **metadata, const struct codeobj_value **root,
                                        struct codeobj_diag *diag)
{
    *metadata = NULL;
    *root = NULL;
    if (!b->elf)
        return CODEOBJ_OK;
    enum codeobj_status st = codeobj_metadata_read(b->elf, metadata, diag);
    if (st == CODEOBJ_NOT_FOUND)
        return CODEOBJ_OK;
    if (!st && codeobj_metadata_root(*metadata)->kind == CODEOBJ_VALUE_MAP)
        *root = codeobj_metadata_root(*metadata);
    return st;
}

/* The kernels of the opened object, then those that were added. */
static bool all_kernels(const struct pending_list *list, struct co_arena *arena, const struct codeobj_value *root, struct codeobj_value *out)
{
    const struct codeobj_value *old = root ? codeobj_value_get(root, "amdhsa.kernels") : NULL;
    size_t old_count = old && old->kind == CODEOBJ_VALUE_ARRAY ? old->size : 0, at = 0;
    struct codeobj_value *items = co_arena_array(arena, old_count + list->count, sizeof *items);
    if (!items)
        return false;
    for (size_t i = 0; i < old_count; i++)
        items[at++] = old->items[i];
    for (const struct pending *p = list->first; p; p = p->next)
        items[at++] = p->map;
    *out = (struct codeobj_value){ .kind = CODEOBJ_VALUE_ARRAY, .items = items, .size = at };
    return true;
}

static bool key_is(const struct codeobj_value *key, const char *name)
{
    return key->kind == CODEOBJ_VALUE_STRING && key->size == strlen(name) && !memcmp(key->bytes, name, key->size);
}

static enum codeobj_status write_kernels(struct codeobj_builder *b, struct co_arena *arena, const struct codeobj_value *root,
                                         struct codeobj_diag *diag)
{
    struct codeobj_value kernels;
    struct codeobj_target target;
    char id[128] = "amdgcn-amd-amdhsa--";
    codeobj_target_from_flags(b->header.flags, b->header.osabi, b->header.abi_version, &target);
    codeobj_target_format(&target, id + strlen(id), sizeof id - strlen(id));
    struct map_maker m;
    start_map(&m, arena, (root ? root->size : 0) + 3);
    if (m.failed || !all_kernels(b->kernels, arena, root, &kernels))
        return co_no_memory(diag);
    /* Keys that are not ours to write stay, printf formats among them. */
    for (size_t i = 0; root && i < root->size; i++) {
        const struct codeobj_value *key = &root->items[2 * i];
        if (key_is(key, "amdhsa.kernels") || key_is(key, "amdhsa.target") || key_is(key, "amdhsa.version"))
            continue;
        m.items[2 * m.map.size] = *key;
        m.items[2 * m.map.size + 1] = root->items[2 * i + 1];
        m.map.size++;
    }
    put(&m, "amdhsa.kernels", kernels);
    if (b->header.code_object_version >= 4)
        put_text(&m, "amdhsa.target", id);
    /* V6 kept the metadata version of V5. */
    uint32_t version[2] = { 1, b->header.code_object_version >= 5 ? 2 : b->header.code_object_version == 4 };
    put_uints(&m, "amdhsa.version", version, 2);
    if (m.failed)
        return co_no_memory(diag);
    enum codeobj_status st = codeobj_builder_metadata_set(b, &m.map, diag);
    b->metadata_set = false;
    return st;
}

static enum codeobj_status write_metadata(struct codeobj_builder *b, struct codeobj_diag *diag)
{
    struct codeobj_metadata *metadata;
    const struct codeobj_value *root;
    if (b->metadata_set)
        return CODEOBJ_OK;
    struct co_arena arena = { 0 };
    enum codeobj_status st = old_metadata(b, &metadata, &root, diag);
    if (!st)
        st = write_kernels(b, &arena, root, diag);
    codeobj_metadata_free(metadata);
    co_arena_free(&arena);
    return st;
}

/* ---- adding ------------------------------------------------------------------------------ */

static enum codeobj_status find_or_add(struct codeobj_builder *b, const char *name, uint64_t flags, uint64_t align, uint32_t *idx,
                                       struct codeobj_diag *diag)
{
    if (!codeobj_builder_section_by_name(b, name, idx))
        return CODEOBJ_OK;
    struct codeobj_builder_section s = { .name = name, .type = SHT_PROGBITS, .flags = flags, .align = align };
    return codeobj_builder_section_add(b, &s, idx, diag);
}

/* Where the parts of a kernel are. */
struct parts {
    uint32_t code_section, kd_section;
    uint64_t code_off, kd_off;
};

static enum codeobj_status add_symbols(struct codeobj_builder *b, const struct codeobj_builder_kernel *k, const char *kd_name,
                                       const struct parts *at, uint32_t *code_idx, struct codeobj_diag *diag)
{
    struct codeobj_elf_symbol code = { .name = k->name, .binding = STB_GLOBAL, .type = STT_FUNC, .visibility = STV_PROTECTED,
                                       .shndx = at->code_section, .value = at->code_off, .size = k->code_size };
    struct codeobj_elf_symbol kd = { .name = kd_name, .binding = STB_GLOBAL, .type = STT_OBJECT, .visibility = STV_PROTECTED,
                                     .shndx = at->kd_section, .value = at->kd_off, .size = CODEOBJ_KERNEL_DESCRIPTOR_SIZE };
    enum codeobj_status st = codeobj_builder_symbol_add(b, &code, code_idx, diag);
    return st ? st : codeobj_builder_symbol_add(b, &kd, NULL, diag);
}

static enum codeobj_status add_parts(struct codeobj_builder *b, const struct codeobj_builder_kernel *k, const char *kd_name,
                                     const uint8_t *descriptor, struct codeobj_diag *diag)
{
    struct parts at;
    uint32_t code_idx;
    enum codeobj_status st;
    if ((st = find_or_add(b, ".text", SHF_ALLOC | SHF_EXECINSTR, CODE_ALIGN, &at.code_section, diag)) ||
        (st = find_or_add(b, ".rodata", SHF_ALLOC, DESCRIPTOR_ALIGN, &at.kd_section, diag)) ||
        (st = codeobj_builder_section_append(b, at.code_section, k->code, k->code_size, CODE_ALIGN, &at.code_off, diag)) ||
        (st = codeobj_builder_section_append(b, at.kd_section, descriptor, CODEOBJ_KERNEL_DESCRIPTOR_SIZE, DESCRIPTOR_ALIGN, &at.kd_off, diag)) ||
        (st = add_symbols(b, k, kd_name, &at, &code_idx, diag)))
        return st;
    /* The offset counts from the descriptor's start, the relocation from its own place. */
    struct codeobj_elf_relocation r = { .offset = at.kd_off + ENTRY_FIELD, .type = R_AMDGPU_REL64, .symbol = code_idx, .addend = ENTRY_FIELD };
    return codeobj_builder_relocation_add(b, at.kd_section, &r, diag);
}

static enum codeobj_status add_linked_parts(struct codeobj_builder *b, const struct codeobj_builder_kernel *k, const char *kd_name,
                                            const uint8_t *descriptor, struct codeobj_diag *diag)
{
    struct parts at;
    uint32_t section, code_idx;
    enum codeobj_status st;
    uint8_t bytes[CODEOBJ_KERNEL_DESCRIPTOR_SIZE];
    if (!b->dynsym)
        return co_fail(diag, CODEOBJ_INVALID, "a linked object without dynamic symbols takes no more kernels: none would find them");
    if ((st = find_or_add(b, ".text.added", SHF_ALLOC | SHF_EXECINSTR, CODE_ALIGN, &section, diag)))
        return st;
    if (!b->sections[section].added)
        return co_fail(diag, CODEOBJ_INVALID, "a linked object that has a section .text.added takes no more kernels");
    /* The code comes a multiple of 256 behind the section's start, the descriptor a multiple of 64 before it. */
    if ((st = codeobj_builder_section_append(b, section, NULL, CODEOBJ_KERNEL_DESCRIPTOR_SIZE, DESCRIPTOR_ALIGN, &at.kd_off, diag)) ||
        (st = codeobj_builder_section_append(b, section, k->code, k->code_size, CODE_ALIGN, &at.code_off, diag)))
        return st;
    memcpy(bytes, descriptor, sizeof bytes);
    co_store64(bytes + ENTRY_FIELD, at.code_off - at.kd_off);
    memcpy(b->sections[section].data.data + at.kd_off, bytes, sizeof bytes);
    at.code_section = at.kd_section = section;
    return add_symbols(b, k, kd_name, &at, &code_idx, diag);
}

static enum codeobj_status remember(struct codeobj_builder *b, const struct codeobj_builder_kernel *k,
                                    const struct codeobj_kernel_descriptor *d, const struct codeobj_processor *p, struct codeobj_diag *diag)
{
    struct pending *entry = co_arena_alloc(&b->arena, sizeof *entry);
    struct pending_list *list = b->kernels;
    if (!list && (b->kernels = list = co_arena_alloc(&b->arena, sizeof *list)))
        list->tail = &list->first;
    if (!entry || !list || !make_kernel(&b->arena, k, d, p, b->header.code_object_version, &entry->map))
        return co_no_memory(diag);
    *list->tail = entry;
    list->tail = &entry->next;
    list->count++;
    b->before_finish = write_metadata;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_builder_kernel_add(struct codeobj_builder *b, const struct codeobj_builder_kernel *kernel,
                                               struct codeobj_diag *diag)
{
    CO_OPTIONS(struct codeobj_builder_kernel, taken, kernel);
    const struct codeobj_builder_kernel *k = &taken;
    if (!k->name || !k->descriptor)
        return co_fail(diag, CODEOBJ_INVALID, "a kernel needs a name and a descriptor");
    struct codeobj_target target;
    struct codeobj_kernel_descriptor d = *k->descriptor;
    uint8_t bytes[CODEOBJ_KERNEL_DESCRIPTOR_SIZE];
    for (size_t i = 0; i < k->arg_count; i++)
        if (!k->args[i].value_kind)
            return co_fail(diag, CODEOBJ_INVALID, "kernel \"%.100s\": argument %zu has no value kind", k->name, i);
    codeobj_target_from_flags(b->header.flags, b->header.osabi, b->header.abi_version, &target);
    d.kernel_code_entry_byte_offset = 0; /* a relocation fills it in */
    enum codeobj_status st = codeobj_kernel_descriptor_encode(&d, target.processor, bytes, diag);
    /* Decoding again derives register counts and wave size. */
    if (!st)
        st = codeobj_kernel_descriptor_decode(bytes, sizeof bytes, target.processor, &d, diag);
    if (st)
        return st;
    size_t n = strlen(k->name);
    char *kd_name = co_arena_alloc(&b->arena, n + 4);
    if (!kd_name)
        return co_no_memory(diag);
    memcpy(kd_name, k->name, n);
    memcpy(kd_name + n, ".kd", 4);
    st = (b->segment_count ? add_linked_parts : add_parts)(b, k, kd_name, bytes, diag);
    return !st && b->header.osabi == OSABI_AMDHSA ? remember(b, k, &d, target.processor, diag) : st;
}

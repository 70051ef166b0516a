/* SPDX-License-Identifier: MIT
 *
 * metadata/model.c - reading notes, merging documents, the typed model.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend, Code Object Metadata.
 *
 * A linked object keeps one note per input, each a whole document, so kernels
 * have to be gathered from all of them.  V2 arguments carry no offset: it
 * follows from sizes and alignments in order.
 */
#include <codeobj/metadata.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "metadata/metadata.h"

static const struct codeobj_value *get(const struct codeobj_value *map, const char *key, size_t n)
{
    for (size_t i = 0; map && map->kind == CODEOBJ_VALUE_MAP && i < map->size; i++) {
        const struct codeobj_value *k = &map->items[2 * i];
        if (k->kind == CODEOBJ_VALUE_STRING && k->size == n && !memcmp(k->bytes, key, n))
            return &map->items[2 * i + 1];
    }
    return NULL;
}

const struct codeobj_value *codeobj_value_get(const struct codeobj_value *map, const char *key)
{
    return get(map, key, strlen(key));
}

/* ---- the typed model ------------------------------------------------------------- */

enum member_type { STR, NUM, FLAG, DIM2, DIM3, ENUM };

struct member {
    enum member_type type;
    uint16_t offset, has_offset; /* has_offset: of has_NAME for DIM2 and DIM3 */
    uint16_t v3_size;
    const char *v3, *v2;
};

#define has_of_STR(m) 0
#define has_of_NUM(m) 0
#define has_of_FLAG(m) 0
#define has_of_ENUM(m) 0
#define has_of_DIM2(m) offsetof(struct codeobj_metadata_kernel, has_##m)
#define has_of_DIM3(m) offsetof(struct codeobj_metadata_kernel, has_##m)
#define has_of(type, m) has_of_##type(m)

static const struct member kernel_members[] = {
#define KERNEL(type, member, v3, v2) { type, offsetof(struct codeobj_metadata_kernel, member), has_of(type, member), sizeof v3 - 1, v3, v2 },
#define ARG(type, member, v3, v2)
#include "metadata/model.def"
#undef KERNEL
#undef ARG
};
static const struct member arg_members[] = {
#define KERNEL(type, member, v3, v2)
#define ARG(type, member, v3, v2) { type, offsetof(struct codeobj_metadata_arg, member), 0, sizeof v3 - 1, v3, v2 },
#include "metadata/model.def"
#undef KERNEL
#undef ARG
};

static const struct codeobj_value *look_up(const struct codeobj_value *map, const char *path)
{
    const char *dot = path[0] ? strchr(path + 1, '.') : NULL;
    if (!path[0])
        return NULL;
    if (!dot)
        return codeobj_value_get(map, path);
    char outer[32];
    size_t n = (size_t)(dot - path);
    memcpy(outer, path, n);
    outer[n] = 0;
    return codeobj_value_get(codeobj_value_get(map, outer), dot + 1);
}

static uint64_t number(const struct codeobj_value *v)
{
    return v->kind == CODEOBJ_VALUE_UINT ? v->uint : v->kind == CODEOBJ_VALUE_BOOL ? v->boolean : 0;
}

/* "HiddenGlobalOffsetX" -> "hidden_global_offset_x"; NULL without memory. */
static const char *snake_case(struct co_arena *arena, const char *s, size_t n)
{
    char *out = n < SIZE_MAX / 4 ? co_arena_alloc(arena, 2 * n + 1) : NULL;
    if (!out)
        return NULL;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        bool upper = s[i] >= 'A' && s[i] <= 'Z';
        if (upper && i)
            out[at++] = '_';
        out[at++] = upper ? (char)(s[i] - 'A' + 'a') : s[i];
    }
    return out;
}

static bool set_member(struct codeobj_metadata *m, const struct member *member, const struct codeobj_value *v, void *object)
{
    char *place = (char *)object + member->offset;
    const char *text;
    switch (member->type) {
    case STR:
    case ENUM:
        if (v->kind != CODEOBJ_VALUE_STRING)
            return true;
        text = v->bytes;
        if (member->type == ENUM && m->form == CO_FORM_HSA_V2 && !(text = snake_case(&m->arena, v->bytes, v->size)))
            return false;
        memcpy(place, &text, sizeof text);
        return true;
    case NUM:
        *(uint64_t *)(void *)place = number(v);
        return true;
    case FLAG:
        *(bool *)place = number(v) != 0;
        return true;
    case DIM2:
    case DIM3:
        if (v->kind != CODEOBJ_VALUE_ARRAY || v->size != (member->type == DIM2 ? 2 : 3))
            return true;
        for (size_t i = 0; i < v->size; i++)
            ((uint64_t *)(void *)place)[i] = number(&v->items[i]);
        *((bool *)object + member->has_offset) = true;
        return true;
    }
    return true;
}

/* Members by a hash of their V3 key, made once for each document: a map's keys
 * are then looked up in the table, not the table's in the map. */
enum { SLOTS = 128, SEEN = 64 };
struct member_index {
    const struct member *slots[SLOTS];
    /* Keys that repeat are kept once by the reader: what the last one at an address was. */
    struct {
        const char *key;
        const struct member *member;
    } seen[SEEN];
};

static unsigned slot_of(const char *key, size_t n)
{
    unsigned h = (unsigned)n * 7;
    for (size_t i = 1; i < n && i < 6; i++)
        h = h * 31 + (unsigned char)key[i];
    return (h ^ h >> 7 ^ (n ? (unsigned char)key[n - 1] * 3u : 0)) % SLOTS;
}

static void index_members(struct member_index *index, const struct member *members, size_t count)
{
    memset(index, 0, sizeof *index);
    for (size_t i = 0; i < count; i++) {
        if (!members[i].v3_size)
            continue;
        unsigned h = slot_of(members[i].v3, members[i].v3_size);
        while (index->slots[h])
            h = (h + 1) % SLOTS;
        index->slots[h] = &members[i];
    }
}

/* The member of a V3 key; NULL when there is none. */
static const struct member *member_of(struct member_index *index, const struct codeobj_value *key)
{
    size_t at = (uintptr_t)key->bytes >> 4 & (SEEN - 1);
    if (index->seen[at].key == key->bytes)
        return index->seen[at].member;
    const struct member *found = NULL;
    for (unsigned h = slot_of(key->bytes, key->size); index->slots[h] && !found; h = (h + 1) % SLOTS)
        if (index->slots[h]->v3_size == key->size && memcmp(index->slots[h]->v3, key->bytes, key->size) == 0)
            found = index->slots[h];
    index->seen[at].key = key->bytes;
    index->seen[at].member = found;
    return found;
}

static bool fill_by_index(struct codeobj_metadata *m, struct member_index *index, const struct codeobj_value *map, void *object)
{
    /* From the last pair to the first: of equal keys the first one counts, as in codeobj_value_get(). */
    for (size_t i = map->kind == CODEOBJ_VALUE_MAP ? map->size : 0; i-- > 0;) {
        const struct codeobj_value *key = &map->items[2 * i];
        if (key->kind != CODEOBJ_VALUE_STRING)
            continue;
        const struct member *member = member_of(index, key);
        if (member && !set_member(m, member, &map->items[2 * i + 1], object))
            return false;
    }
    return true;
}

static bool fill_members(struct codeobj_metadata *m, const struct member *members, size_t count, const struct codeobj_value *map,
                         void *object)
{
    for (size_t i = 0; i < count; i++) {
        const struct codeobj_value *v = look_up(map, members[i].v2);
        if (v && !set_member(m, &members[i], v, object))
            return false;
    }
    return true;
}

static const struct codeobj_value *args_of(const struct codeobj_metadata *m, const struct codeobj_value *kernel)
{
    const struct codeobj_value *args = codeobj_value_get(kernel, m->form == CO_FORM_HSA_V2 ? "Args" : ".args");
    return args && args->kind == CODEOBJ_VALUE_ARRAY ? args : NULL;
}

struct model_index {
    struct member_index kernel, arg;
};

static bool build_args(struct codeobj_metadata *m, struct model_index *index, const struct codeobj_value *list,
                       struct codeobj_metadata_arg *args)
{
    uint64_t end = 0;
    for (size_t i = 0; i < list->size; i++) {
        struct codeobj_metadata_arg *a = &args[i];
        a->value = &list->items[i];
        if (m->form == CO_FORM_HSA_V2 ? !fill_members(m, arg_members, sizeof arg_members / sizeof *arg_members, a->value, a)
                                      : !fill_by_index(m, &index->arg, a->value, a))
            return false;
        if (m->form == CO_FORM_HSA_V2) {
            const struct codeobj_value *v = codeobj_value_get(a->value, "Align");
            uint64_t align = v ? number(v) : 0;
            if (align && !(align & (align - 1)))
                end = (end + align - 1) & ~(align - 1);
            a->offset = end;
            end += a->size;
        }
        a->is_hidden = a->value_kind && !strncmp(a->value_kind, "hidden_", 7);
    }
    return true;
}

static bool build_kernel(struct codeobj_metadata *m, struct model_index *index, size_t idx, const struct codeobj_value *map)
{
    struct codeobj_metadata_kernel *k = &m->kernels[idx];
    k->value = map;
    if (m->form == CO_FORM_HSA_V2 ? !fill_members(m, kernel_members, sizeof kernel_members / sizeof *kernel_members, map, k)
                                  : !fill_by_index(m, &index->kernel, map, k))
        return false;
    const struct codeobj_value *args = args_of(m, map);
    if (!args)
        return true;
    k->arg_count = args->size;
    m->args[idx] = co_arena_array(&m->arena, args->size, sizeof **m->args);
    return m->args[idx] && build_args(m, index, args, m->args[idx]);
}

/* ---- kernels by name ----------------------------------------------------------------- */

struct sort_entry {
    uint64_t begin; /* of the key, to be compared as a number */
    const char *key;
    uint32_t idx;
};

static int compare_entries(const void *a, const void *b)
{
    const struct sort_entry *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    int c = strcmp(x->key, y->key);
    return c ? c : x->idx < y->idx ? -1 : 1;
}

static struct sort_entry sort_entry(const struct codeobj_metadata *m, bool symbols, uint32_t idx)
{
    const char *key = symbols ? m->kernels[idx].symbol : m->kernels[idx].name;
    struct sort_entry e = { 0, key ? key : "", idx };
    for (unsigned i = 0; i < 8 && e.key[i]; i++)
        e.begin |= (uint64_t)(unsigned char)e.key[i] << (56 - 8 * i);
    return e;
}

/* Indices of the kernels by name or symbol; `order` (may be NULL) is one that they may be in already. */
static uint32_t *sort_kernels(struct codeobj_metadata *m, bool symbols, const uint32_t *order)
{
    struct sort_entry *entries = calloc(m->kernel_count ? m->kernel_count : 1, sizeof *entries);
    uint32_t *sorted = co_arena_array(&m->arena, m->kernel_count, sizeof *sorted);
    bool ok = entries && sorted, in_order = true;
    for (uint32_t i = 0; ok && i < m->kernel_count; i++) {
        entries[i] = sort_entry(m, symbols, order ? order[i] : i);
        in_order = in_order && (i == 0 || compare_entries(&entries[i - 1], &entries[i]) < 0);
    }
    if (ok && !in_order)
        qsort(entries, m->kernel_count, sizeof *entries, compare_entries);
    for (size_t i = 0; ok && i < m->kernel_count; i++)
        sorted[i] = entries[i].idx;
    free(entries);
    return ok ? sorted : NULL;
}

/* First kernel whose key is name + suffix. */
static bool search(const struct codeobj_metadata *m, bool symbols, const char *name, const char *suffix, size_t *idx)
{
    size_t low = 0, high = m->kernel_count, n = strlen(name);
    const uint32_t *sorted = symbols ? m->by_symbol : m->by_name;
    const char *key = "";
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        key = symbols ? m->kernels[sorted[mid]].symbol : m->kernels[sorted[mid]].name;
        key = key ? key : "";
        int c = strncmp(key, name, n);
        if (!c)
            c = strcmp(key + n, suffix);
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    /* Missing names sort as empty ones, in front of a kernel that is really called "". */
    while (low < m->kernel_count && !(symbols ? m->kernels[sorted[low]].symbol : m->kernels[sorted[low]].name))
        low++;
    if (low == m->kernel_count)
        return false;
    key = symbols ? m->kernels[sorted[low]].symbol : m->kernels[sorted[low]].name;
    if (strncmp(key, name, n) || strcmp(key + n, suffix))
        return false;
    *idx = sorted[low];
    return true;
}

enum codeobj_status codeobj_metadata_kernel_by_name(const struct codeobj_metadata *m, const char *name, size_t *idx)
{
    bool found = search(m, false, name, "", idx) || search(m, true, name, "", idx) || search(m, true, name, ".kd", idx) ||
                 search(m, true, name, "@kd", idx);
    return found ? CODEOBJ_OK : CODEOBJ_NOT_FOUND;
}

enum codeobj_status codeobj_metadata_kernel_by_symbol(const struct codeobj_metadata *m, const char *symbol, size_t *idx)
{
    return search(m, true, symbol, "", idx) || search(m, true, symbol, "@kd", idx) ? CODEOBJ_OK : CODEOBJ_NOT_FOUND;
}

/* ---- printf ---------------------------------------------------------------------------- */

/* A decimal number and the colon behind it; false when there is none. */
static bool take_number(const char **text, uint64_t *out)
{
    const char *p = *text;
    uint64_t v = 0;
    for (; *p >= '0' && *p <= '9' && v < UINT32_MAX; p++)
        v = v * 10 + (uint64_t)(*p - '0');
    if (p == *text || *p != ':' || v > UINT32_MAX)
        return false;
    *out = v;
    *text = p + 1;
    return true;
}

/* "ID:N:S[0]:...:S[N-1]:FORMAT"; what does not read so has the whole string for its format. */
static bool build_printf(struct codeobj_metadata *m, const struct codeobj_value *v, struct codeobj_metadata_printf *out)
{
    const char *p = v->kind == CODEOBJ_VALUE_STRING ? v->bytes : "";
    *out = (struct codeobj_metadata_printf){ .format = p };
    uint64_t id, count, size;
    if (!take_number(&p, &id) || !take_number(&p, &count) || count > v->size)
        return true;
    uint32_t *sizes = co_arena_array(&m->arena, (size_t)count, sizeof *sizes);
    if (!sizes)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        if (!take_number(&p, &size))
            return true;
        sizes[i] = (uint32_t)size;
    }
    *out = (struct codeobj_metadata_printf){ true, (uint32_t)id, (size_t)count, sizes, p };
    return true;
}

static bool build_header(struct codeobj_metadata *m)
{
    bool v2 = m->form == CO_FORM_HSA_V2;
    const struct codeobj_value *version = codeobj_value_get(m->root, v2 ? "Version" : m->form == CO_FORM_PAL ? "amdpal.version" : "amdhsa.version");
    const struct codeobj_value *target = codeobj_value_get(m->root, m->form == CO_FORM_PAL ? "amdpal.target" : "amdhsa.target");
    const struct codeobj_value *list = codeobj_value_get(m->root, v2 ? "Printf" : "amdhsa.printf");
    struct codeobj_metadata_header *h = &m->header;
    for (size_t i = 0; version && version->kind == CODEOBJ_VALUE_ARRAY && i < version->size && i < 2; i++)
        h->version[i] = number(&version->items[i]);
    h->target = target && target->kind == CODEOBJ_VALUE_STRING ? target->bytes : NULL;
    h->is_pal = m->form == CO_FORM_PAL;
    h->is_yaml = v2;
    if (!list || list->kind != CODEOBJ_VALUE_ARRAY)
        return true;
    m->printfs = co_arena_array(&m->arena, list->size, sizeof *m->printfs);
    for (size_t i = 0; m->printfs && i < list->size; i++)
        if (!build_printf(m, &list->items[i], &m->printfs[i]))
            return false;
    h->printf_count = list->size;
    return m->printfs != NULL;
}

enum codeobj_status co_model_build(struct codeobj_metadata *m, struct codeobj_diag *diag)
{
    const struct codeobj_value *list =
        m->form == CO_FORM_PAL ? NULL : codeobj_value_get(m->root, m->form == CO_FORM_HSA_V2 ? "Kernels" : "amdhsa.kernels");
    if (list && list->kind == CODEOBJ_VALUE_ARRAY)
        m->kernel_count = list->size;
    m->kernels = co_arena_array(&m->arena, m->kernel_count, sizeof *m->kernels);
    m->args = co_arena_array(&m->arena, m->kernel_count, sizeof *m->args);
    if (!m->kernels || !m->args || !build_header(m))
        return co_no_memory(diag);
    struct model_index index;
    index_members(&index.kernel, kernel_members, sizeof kernel_members / sizeof *kernel_members);
    index_members(&index.arg, arg_members, sizeof arg_members / sizeof *arg_members);
    for (size_t i = 0; i < m->kernel_count; i++)
        if (!build_kernel(m, &index, i, &list->items[i]))
            return co_no_memory(diag);
    m->by_name = sort_kernels(m, false, NULL);
    m->by_symbol = m->by_name ? sort_kernels(m, true, m->by_name) : NULL; /* mostly the names with ".kd" behind them */
    return m->by_name && m->by_symbol ? CODEOBJ_OK : co_no_memory(diag);
}

/* ---- reading ---------------------------------------------------------------------------- */

static enum co_metadata_form form_of(const struct codeobj_value *root)
{
    if (codeobj_value_get(root, "amdpal.pipelines") || codeobj_value_get(root, "amdpal.version"))
        return CO_FORM_PAL;
    return CO_FORM_HSA_V3;
}

static enum codeobj_status finish(struct codeobj_metadata *m, struct codeobj_metadata **out, struct codeobj_diag *diag)
{
    if (m->root->kind != CODEOBJ_VALUE_MAP)
        return co_fail(diag, CODEOBJ_MALFORMED, "metadata: the document is not a map");
    enum codeobj_status st = co_model_build(m, diag);
    if (!st)
        *out = m;
    return st;
}

static enum codeobj_status parse_one(struct co_span bytes, bool yaml, struct codeobj_metadata **out, struct codeobj_diag *diag)
{
    struct codeobj_metadata *m = calloc(1, sizeof *m);
    if (!m)
        return co_no_memory(diag);
    enum codeobj_status st = yaml ? co_yaml_parse(&m->arena, bytes, "metadata", &m->root, diag)
                                  : co_msgpack_parse(&m->arena, bytes, "metadata", &m->root, diag);
    if (!st) {
        m->form = yaml ? CO_FORM_HSA_V2 : form_of(m->root);
        if (yaml) {
            m->text = co_arena_strndup(&m->arena, (const char *)bytes.data, bytes.size);
            m->text_size = bytes.size;
            st = m->text ? CODEOBJ_OK : co_no_memory(diag);
        }
    }
    if (!st)
        st = finish(m, out, diag);
    if (st)
        codeobj_metadata_free(m);
    return st;
}

enum codeobj_status codeobj_metadata_parse_msgpack(const void *data, size_t size, struct codeobj_metadata **out,
                                                   struct codeobj_diag *diag)
{
    return parse_one(co_span_make(data, size), false, out, diag);
}

/* Writers pad the text with NULs. */
static struct co_span trim_nuls(struct co_span s)
{
    while (s.size && !s.data[s.size - 1])
        s.size--;
    return s;
}

enum codeobj_status codeobj_metadata_parse_yaml(const char *text, size_t size, struct codeobj_metadata **out, struct codeobj_diag *diag)
{
    return parse_one(trim_nuls(co_span_make(text, size)), true, out, diag);
}

/* A note that holds metadata: its format, or false. */
static bool is_metadata_note(const struct codeobj_elf_note *n, bool *yaml)
{
    enum { NT_AMD_HSA_METADATA = 10, NT_AMDGPU_METADATA = 32 };
    *yaml = n->type == NT_AMD_HSA_METADATA && n->owner_size == 3 && !memcmp(n->owner, "AMD", 3);
    return *yaml || (n->type == NT_AMDGPU_METADATA && n->owner_size == 6 && !memcmp(n->owner, "AMDGPU", 6));
}

/* Lists that grow when documents are merged; of all other keys the first stands. */
static bool is_merged_list(const struct codeobj_value *key)
{
    static const char *const names[] = { "amdhsa.kernels", "amdhsa.printf", "amdpal.pipelines", "Kernels", "Printf" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (key->kind == CODEOBJ_VALUE_STRING && key->size == strlen(names[i]) && !memcmp(key->bytes, names[i], key->size))
            return true;
    return false;
}

static bool merge_list(struct co_arena *arena, struct codeobj_value *docs, size_t count, const char *key, struct codeobj_value *out)
{
    size_t total = 0, at = 0;
    for (size_t d = 0; d < count; d++) {
        const struct codeobj_value *v = codeobj_value_get(&docs[d], key);
        if (v && v->kind == CODEOBJ_VALUE_ARRAY)
            total += v->size;
    }
    struct codeobj_value *items = co_arena_array(arena, total, sizeof *items);
    if (!items)
        return false;
    for (size_t d = 0; d < count; d++) {
        const struct codeobj_value *v = codeobj_value_get(&docs[d], key);
        if (v && v->kind == CODEOBJ_VALUE_ARRAY)
            for (size_t i = 0; i < v->size; i++)
                items[at++] = v->items[i];
    }
    *out = (struct codeobj_value){ .kind = CODEOBJ_VALUE_ARRAY, .size = total, .items = items };
    return true;
}

static size_t top_keys(const struct codeobj_value *docs, size_t count)
{
    size_t keys = 0;
    for (size_t d = 0; d < count; d++)
        keys += docs[d].kind == CODEOBJ_VALUE_MAP ? docs[d].size : 0;
    return keys;
}

enum { MAX_MERGED_KEYS = 4096 }; /* at the top level, where a handful is usual; bounds the search for equal ones */

/* One map of all keys of all documents; NULL without memory. */
static struct codeobj_value *merge(struct co_arena *arena, struct codeobj_value *docs, size_t count)
{
    size_t keys = top_keys(docs, count);
    struct codeobj_value *root = co_arena_alloc(arena, sizeof *root), *items = co_arena_array(arena, keys, 2 * sizeof *items);
    if (!root || !items)
        return NULL;
    *root = (struct codeobj_value){ .kind = CODEOBJ_VALUE_MAP, .items = items };
    for (size_t d = 0; d < count; d++)
        for (size_t i = 0; docs[d].kind == CODEOBJ_VALUE_MAP && i < docs[d].size; i++) {
            const struct codeobj_value *key = &docs[d].items[2 * i], *value = key + 1;
            if (key->kind != CODEOBJ_VALUE_STRING || codeobj_value_get(root, key->bytes))
                continue;
            items[2 * root->size] = *key;
            items[2 * root->size + 1] = *value;
            if (is_merged_list(key) && !merge_list(arena, docs, count, key->bytes, &items[2 * root->size + 1]))
                return NULL;
            root->size++;
        }
    return root;
}

static enum codeobj_status read_notes(const struct codeobj_elf *elf, struct codeobj_metadata *m, struct codeobj_value *docs,
                                      size_t *count, struct codeobj_diag *diag)
{
    for (size_t i = 0; i < codeobj_elf_note_count(elf); i++) {
        struct codeobj_elf_note note;
        bool yaml;
        codeobj_elf_note(elf, i, &note);
        if (!is_metadata_note(&note, &yaml))
            continue;
        struct codeobj_elf_section section;
        const char *where = codeobj_elf_section(elf, note.section_idx, &section) || !note.section_idx ? "PT_NOTE" : section.name;
        struct co_span bytes = co_span_make(note.desc, note.desc_size);
        struct codeobj_value *doc;
        enum codeobj_status st = yaml ? co_yaml_parse(&m->arena, trim_nuls(bytes), where, &doc, diag)
                                      : co_msgpack_parse(&m->arena, bytes, where, &doc, diag);
        if (st)
            return st;
        m->form = yaml ? CO_FORM_HSA_V2 : form_of(doc);
        if (yaml) {
            bytes = trim_nuls(bytes);
            m->text = (const char *)bytes.data;
            m->text_size = bytes.size;
        }
        docs[(*count)++] = *doc;
    }
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_metadata_read(const struct codeobj_elf *elf, struct codeobj_metadata **out, struct codeobj_diag *diag)
{
    co_diag_file(diag, codeobj_elf_name(elf));
    struct codeobj_metadata *m = calloc(1, sizeof *m);
    size_t count = 0, notes = codeobj_elf_note_count(elf);
    struct codeobj_value *docs = calloc(notes ? notes : 1, sizeof *docs);
    enum codeobj_status st = m && docs ? read_notes(elf, m, docs, &count, diag) : co_no_memory(diag);
    if (!st && !count)
        st = co_fail(diag, CODEOBJ_NOT_FOUND, "no metadata note");
    if (!st && count == 1) {
        m->root = co_arena_alloc(&m->arena, sizeof *m->root);
        if (m->root)
            *m->root = docs[0];
    } else if (!st && top_keys(docs, count) > MAX_MERGED_KEYS * count) {
        st = co_fail(diag, CODEOBJ_LIMIT, "metadata: %zu top-level keys", top_keys(docs, count));
    } else if (!st) {
        m->root = merge(&m->arena, docs, count);
        m->text = NULL;
    }
    free(docs);
    if (!st)
        st = m->root ? finish(m, out, diag) : co_no_memory(diag);
    if (st)
        codeobj_metadata_free(m);
    return st;
}

void codeobj_metadata_free(struct codeobj_metadata *m)
{
    if (!m)
        return;
    co_arena_free(&m->arena);
    free(m);
}

/* ---- getters ------------------------------------------------------------------------------ */

const struct codeobj_value *codeobj_metadata_root(const struct codeobj_metadata *m) { return m->root; }

void codeobj_metadata_header(const struct codeobj_metadata *m, struct codeobj_metadata_header *out) { *out = m->header; }

enum codeobj_status codeobj_metadata_printf(const struct codeobj_metadata *m, size_t idx, struct codeobj_metadata_printf *out)
{
    if (idx >= m->header.printf_count)
        return CODEOBJ_INVALID;
    *out = m->printfs[idx];
    return CODEOBJ_OK;
}

size_t codeobj_metadata_kernel_count(const struct codeobj_metadata *m) { return m->kernel_count; }

enum codeobj_status codeobj_metadata_kernel(const struct codeobj_metadata *m, size_t idx, struct codeobj_metadata_kernel *out)
{
    if (idx >= m->kernel_count)
        return CODEOBJ_INVALID;
    *out = m->kernels[idx];
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_metadata_arg(const struct codeobj_metadata *m, size_t kernel_idx, size_t arg_idx,
                                         struct codeobj_metadata_arg *out)
{
    if (kernel_idx >= m->kernel_count || arg_idx >= m->kernels[kernel_idx].arg_count)
        return CODEOBJ_INVALID;
    *out = m->args[kernel_idx][arg_idx];
    return CODEOBJ_OK;
}

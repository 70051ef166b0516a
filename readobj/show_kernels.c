/* SPDX-License-Identifier: MIT
 *
 * readobj/show_kernels.c - kernels: descriptor, registers, arguments; and the summary.
 *
 * Two sources speak of a kernel: its descriptor (found through symbols) and its
 * metadata.  Both are shown; a kernel that has only one of them says so.
 */
#include "readobj.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIELDS = 96 };

/* Whole words are shown in hex, their fields and sizes in decimal. */
static bool is_word(const char *name)
{
    if (name[0] != 'c' && name[0] != 'k') /* most are not */
        return false;
    return strncmp(name, "compute_pgm_rsrc", 16) == 0 || strcmp(name, "kernel_code_properties") == 0 ||
           strcmp(name, "code_properties") == 0 || strcmp(name, "kernarg_preload") == 0;
}

static const struct codeobj_processor *processor_of(const struct ro_object *obj)
{
    struct codeobj_target t;
    codeobj_elf_target(obj->elf, &t);
    return t.processor;
}

static void field_text(struct ro *ro, const char *name, int64_t value)
{
    ro_put(ro, "      ");
    ro_put(ro, name);
    if (is_word(name)) {
        ro_put(ro, ": 0x");
        ro_put_hex(ro, (uint64_t)value, 1);
    } else {
        ro_put(ro, value < 0 ? ": -" : ": ");
        ro_put_dec(ro, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 0);
    }
    ro_new_line(ro);
}

/* All descriptors of a processor have the same fields, and most values have one digit:
 * the line of each field as it was written last, but for that digit. */
enum { FIELD_LINE = 64 };
struct ro_field_lines {
    struct {
        const char *name; /* NULL: too long, or a word */
        uint8_t size;     /* with the digit and the line's end */
        char text[FIELD_LINE];
    } lines[MAX_FIELDS];
};

static void descriptor_line(struct ro *ro, size_t i, const struct codeobj_kernel_field *f)
{
    struct ro_field_lines *l = ro->field_lines;
    if (l && l->lines[i].name == f->name && f->value >= 0 && sizeof ro->line - ro->line_size >= FIELD_LINE) {
        char *p = ro->line + ro->line_size;
        size_t size = l->lines[i].size;
        memcpy(p, l->lines[i].text, FIELD_LINE);
        if (f->value < 10) {
            p[size - 2] = (char)('0' + f->value);
            ro->line_size += size;
        } else {
            ro->line_size += size - 2;
            ro_put_dec(ro, (uint64_t)f->value, 0);
            ro_new_line(ro);
        }
        return;
    }
    field_text(ro, f->name, f->value);
    int n = l && !is_word(f->name) ? snprintf(l->lines[i].text, FIELD_LINE, "      %s: 0\n", f->name) : FIELD_LINE;
    if (n > 0 && n < FIELD_LINE) {
        l->lines[i].name = f->name;
        l->lines[i].size = (uint8_t)n;
    }
}

/* amd_kernel_code_t beyond what its descriptor form says. */
#define KERNEL_CODE_FIELDS(F) \
    F(amd_kernel_code_version_major) F(amd_kernel_code_version_minor) F(amd_machine_kind) \
    F(amd_machine_version_major) F(amd_machine_version_minor) F(amd_machine_version_stepping) \
    F(kernel_code_entry_byte_offset) F(kernel_code_prefetch_byte_offset) F(kernel_code_prefetch_byte_size) \
    F(max_scratch_backing_memory_byte_size) F(code_properties) F(workitem_private_segment_byte_size) \
    F(workgroup_group_segment_byte_size) F(gds_segment_byte_size) F(kernarg_segment_byte_size) \
    F(workgroup_fbarrier_count) F(wavefront_sgpr_count) F(workitem_vgpr_count) F(reserved_vgpr_first) \
    F(reserved_vgpr_count) F(reserved_sgpr_first) F(reserved_sgpr_count) \
    F(debug_wavefront_private_segment_offset_sgpr) F(debug_private_segment_buffer_sgpr) \
    F(kernarg_segment_alignment) F(group_segment_alignment) F(private_segment_alignment) F(wavefront_size) \
    F(call_convention) F(runtime_loader_kernel_symbol)

/* Bits of code_properties that a descriptor has not: name, lowest bit, number of bits. */
static const struct {
    const char *name;
    uint8_t shift, bits;
} code_properties[] = {
    { "enable_sgpr_grid_workgroup_count_x", 7, 1 }, { "enable_sgpr_grid_workgroup_count_y", 8, 1 }, { "enable_sgpr_grid_workgroup_count_z", 9, 1 },
    { "enable_ordered_append_gds", 16, 1 }, { "private_element_size", 17, 2 }, { "is_ptr64", 19, 1 },
    { "is_dynamic_callstack", 20, 1 }, { "is_debug_enabled", 21, 1 }, { "is_xnack_enabled", 22, 1 },
};
enum { CODE_PROPERTIES = sizeof code_properties / sizeof *code_properties };

/* Reserved parts of amd_kernel_code_t: code_properties' unused bits, and bytes behind the calling convention. */
#define RESERVED_PROPERTIES 0xff80f800u
enum { CODE_PROPERTIES_OFF = 56, RESERVED_OFF = 108, RESERVED_SIZE = 12 };

static bool reserved_bytes_set(const struct codeobj_kernel *k)
{
    const uint8_t *p = k->descriptor_bytes;
    bool set = false;
    for (int i = 0; i < RESERVED_SIZE; i++)
        set |= p[RESERVED_OFF + i] != 0;
    return set;
}

static int64_t code_property(const struct codeobj_kernel_code *code, size_t i)
{
    return code->code_properties >> code_properties[i].shift & ((1u << code_properties[i].bits) - 1);
}

static void descriptor_text(struct ro *ro, const struct ro_object *obj, const struct codeobj_kernel *k)
{
    const struct codeobj_processor *processor = processor_of(obj);
    struct codeobj_kernel_field fields[MAX_FIELDS];
    size_t count = codeobj_kernel_descriptor_fields(&k->descriptor, processor, fields, MAX_FIELDS);
    if (!ro->field_lines)
        ro->field_lines = calloc(1, sizeof *ro->field_lines);
    for (size_t i = 0; i < count && i < MAX_FIELDS; i++)
        descriptor_line(ro, i, &fields[i]);
    if (k->has_kernel_code) {
        ro_put(ro, "    amd_kernel_code_t:\n");
#define TEXT(f_) field_text(ro, #f_, (int64_t)k->kernel_code.f_);
        KERNEL_CODE_FIELDS(TEXT)
#undef TEXT
        for (size_t i = 0; i < CODE_PROPERTIES; i++)
            field_text(ro, code_properties[i].name, code_property(&k->kernel_code, i));
        if (k->kernel_code.code_properties & RESERVED_PROPERTIES)
            fprintf(ro->out, "      code_properties at byte %d: reserved bits 0x%" PRIx32 " set, expected 0\n", CODE_PROPERTIES_OFF,
                    k->kernel_code.code_properties & RESERVED_PROPERTIES);
        if (reserved_bytes_set(k))
            fprintf(ro->out, "      bytes %d-%d: reserved bits set, expected 0\n", RESERVED_OFF, RESERVED_OFF + RESERVED_SIZE - 1);
        return;
    }
    struct codeobj_kernel_reserved r;
    for (size_t i = 0; k->descriptor.reserved_set && codeobj_kernel_descriptor_reserved(k->descriptor_bytes, CODEOBJ_KERNEL_DESCRIPTOR_SIZE, processor, i,
                                                          &r) == CODEOBJ_OK; i++) {
        ro_put(ro, "      ");
        ro_put(ro, r.name);
        ro_put(ro, " at byte ");
        ro_put_dec(ro, r.byte_off, 0);
        ro_put(ro, r.loader ? ": the loader's bits 0x" : ": reserved bits 0x");
        ro_put_hex(ro, r.found, 1);
        ro_put(ro, " set, expected 0\n");
    }
}

static json_t *descriptor_json(const struct ro_object *obj, const struct codeobj_kernel *k)
{
    const struct codeobj_processor *processor = processor_of(obj);
    struct codeobj_kernel_field fields[MAX_FIELDS];
    size_t count = codeobj_kernel_descriptor_fields(&k->descriptor, processor, fields, MAX_FIELDS);
    json_t *o = json_object();
    for (size_t i = 0; i < count && i < MAX_FIELDS; i++)
        ro_json_set(o, fields[i].name, json_integer(fields[i].value));
    ro_json_set(o, "reserved_set", json_boolean(k->descriptor.reserved_set));
    return o;
}

static json_t *kernel_code_json(const struct codeobj_kernel *k)
{
    const struct codeobj_kernel_code *code = &k->kernel_code;
    json_t *o = json_object();
#define JSON(f_) ro_json_set(o, #f_, json_integer((json_int_t)code->f_));
    KERNEL_CODE_FIELDS(JSON)
#undef JSON
    for (size_t i = 0; i < CODE_PROPERTIES; i++)
        ro_json_set(o, code_properties[i].name, json_integer(code_property(code, i)));
    ro_json_set(o, "reserved_set", json_boolean(code->code_properties & RESERVED_PROPERTIES || reserved_bytes_set(k)));
    return o;
}

static void put_kernel_name(struct ro *ro, const char *name, size_t size)
{
    char *copy = ro->opt->demangle ? strndup(name, size) : NULL;
    char *demangled = copy ? ro_demangle(ro, copy) : NULL;
    if (demangled)
        ro_put_name(ro, demangled, strlen(demangled));
    else
        ro_put_name(ro, name, size);
    free(demangled);
    free(copy);
}

static void put_part(struct ro *ro, const char *s)
{
    if (!s || !*s)
        return;
    ro_put(ro, " ");
    ro_put_name(ro, s, strlen(s));
}

/* Nearly all of a long listing is made of these lines: no printf here. */
static void args_text(struct ro *ro, const struct ro_object *obj, size_t kernel_idx, size_t count, bool hidden)
{
    for (size_t i = 0; i < count; i++) {
        struct codeobj_metadata_arg a;
        if (codeobj_metadata_arg(obj->metadata, kernel_idx, i, &a) != CODEOBJ_OK || (a.is_hidden && !hidden))
            continue;
        ro_put(ro, "      arg ");
        ro_put_dec(ro, i, 3);
        ro_put(ro, " offset ");
        ro_put_dec(ro, a.offset, 4);
        ro_put(ro, " size ");
        ro_put_dec(ro, a.size, 4);
        put_part(ro, a.value_kind);
        put_part(ro, a.address_space);
        put_part(ro, a.access);
        put_part(ro, a.is_const ? "const" : NULL);
        put_part(ro, a.is_restrict ? "restrict" : NULL);
        put_part(ro, a.is_volatile ? "volatile" : NULL);
        put_part(ro, a.is_pipe ? "pipe" : NULL);
        put_part(ro, a.type_name);
        put_part(ro, a.name);
        ro_new_line(ro);
    }
}

/* ", WORD N"; the words are constants whose sizes the compiler knows when it is inlined. */
static inline __attribute__((always_inline)) void put_count(struct ro *ro, const char *before, uint64_t n, const char *behind)
{
    ro_put(ro, before);
    ro_put_dec(ro, n, 0);
    ro_put(ro, behind);
}

static void metadata_line(struct ro *ro, const struct codeobj_metadata_kernel *m)
{
    put_count(ro, "    ", m->vgpr_count, " VGPRs");
    put_count(ro, ", ", m->sgpr_count, " SGPRs");
    if (m->agpr_count)
        put_count(ro, ", ", m->agpr_count, " AGPRs");
    if (m->vgpr_spill_count || m->sgpr_spill_count) {
        put_count(ro, " (spilled ", m->vgpr_spill_count, "");
        put_count(ro, ", ", m->sgpr_spill_count, ")");
    }
    put_count(ro, ", LDS ", m->group_segment_fixed_size, "");
    put_count(ro, ", scratch ", m->private_segment_fixed_size, m->uses_dynamic_stack ? " and dynamic stack" : "");
    put_count(ro, ", kernarg ", m->kernarg_segment_size, "");
    put_count(ro, " align ", m->kernarg_segment_align, "");
    put_count(ro, ", wave", m->wavefront_size, "");
    put_count(ro, ", work-group up to ", m->max_flat_workgroup_size, "");
    if (m->has_reqd_workgroup_size) {
        put_count(ro, ", required ", m->reqd_workgroup_size[0], "x");
        put_count(ro, "", m->reqd_workgroup_size[1], "x");
        put_count(ro, "", m->reqd_workgroup_size[2], "");
    }
    ro_new_line(ro);
}

/* What is allocated follows from the processor; each has at least one VGPR. */
static bool knows_registers(const struct codeobj_kernel_descriptor *d) { return d->vgpr_count != 0; }

/* Occupancy of work-groups as large as the metadata says they may get (its
 * required size, or else its largest); without metadata, of single waves. */
static bool occupancy(const struct ro_object *obj, const struct codeobj_kernel *k, const struct codeobj_metadata_kernel *m,
                      struct codeobj_kernel_occupancy *out)
{
    const struct codeobj_processor *processor = processor_of(obj);
    const struct codeobj_kernel_descriptor *d = &k->descriptor;
    struct codeobj_kernel_resources use = {
        .vgprs = d->vgpr_count,
        .sgprs = d->sgpr_count,
        .lds_bytes = d->group_segment_fixed_size,
        .wave_size = d->wave_size,
        .wgp_mode = d->wgp_mode,
    };
    if (!k->has_descriptor || !processor)
        return false;
    if (m && m->has_reqd_workgroup_size)
        use.workgroup_size = (uint32_t)(m->reqd_workgroup_size[0] * m->reqd_workgroup_size[1] * m->reqd_workgroup_size[2]);
    else if (m)
        use.workgroup_size = (uint32_t)m->max_flat_workgroup_size;
    return codeobj_kernel_occupancy(processor, &use, out, NULL) == CODEOBJ_OK;
}

static void occupancy_text(struct ro *ro, const struct codeobj_kernel_occupancy *o)
{
    put_count(ro, "    occupancy: ", o->waves_per_simd, "");
    put_count(ro, " of ", o->max_waves_per_simd, "");
    put_count(ro, " waves on each of ", o->simds, " SIMDs");
    put_count(ro, ", ", o->workgroups, "");
    put_count(ro, " work-groups of ", o->waves_per_workgroup, " waves; limited by ");
    ro_put(ro, codeobj_kernel_limiter_name(o->limiter));
    ro_new_line(ro);
}

static json_t *occupancy_json(const struct codeobj_kernel_occupancy *o)
{
    json_t *j = json_object();
    ro_json_set(j, "waves_per_simd", json_integer(o->waves_per_simd));
    ro_json_set(j, "max_waves_per_simd", json_integer(o->max_waves_per_simd));
    ro_json_set(j, "simds", json_integer(o->simds));
    ro_json_set(j, "workgroups", json_integer(o->workgroups));
    ro_json_set(j, "waves_per_workgroup", json_integer(o->waves_per_workgroup));
    ro_json_set(j, "limiter", json_string(codeobj_kernel_limiter_name(o->limiter)));
    return j;
}

static void one_kernel_text(struct ro *ro, const struct ro_object *obj, const struct codeobj_kernel *k, size_t idx, bool summary)
{
    struct codeobj_metadata_kernel m;
    ro_put(ro, "  kernel ");
    put_kernel_name(ro, k->name, k->name_size);
    if (k->code_size)
        put_count(ro, ", code ", k->code_size, " bytes");
    if (!summary) {
        ro_put(ro, ", descriptor 0x");
        ro_put_hex(ro, k->descriptor_addr, 1);
        ro_put(ro, ", entry 0x");
        ro_put_hex(ro, k->entry_addr, 1);
    }
    if (!summary && k->preload_entry_addr) {
        ro_put(ro, " (0x");
        ro_put_hex(ro, k->preload_entry_addr, 1);
        ro_put(ro, " with preloaded arguments)");
    }
    ro_new_line(ro);
    bool has_metadata = idx != SIZE_MAX && codeobj_metadata_kernel(obj->metadata, idx, &m) == CODEOBJ_OK;
    if (has_metadata)
        metadata_line(ro, &m);
    if (k->has_descriptor && (!summary || !has_metadata)) {
        const struct codeobj_kernel_descriptor *d = &k->descriptor;
        bool known = knows_registers(d);
        if (known) {
            put_count(ro, "    descriptor: ", d->vgpr_count, " VGPRs");
            put_count(ro, ", ", d->sgpr_count, " SGPRs");
            if (d->agpr_count)
                put_count(ro, ", ", d->agpr_count, " AGPRs");
        }
        put_count(ro, known ? " allocated, LDS " : "    descriptor: LDS ", d->group_segment_fixed_size, "");
        put_count(ro, ", scratch ", d->private_segment_fixed_size, "");
        put_count(ro, ", kernarg ", d->kernarg_size, "");
        if (known)
            put_count(ro, ", wave", d->wave_size, "");
        ro_new_line(ro);
        struct codeobj_kernel_occupancy o;
        if (!summary && occupancy(obj, k, has_metadata ? &m : NULL, &o))
            occupancy_text(ro, &o);
        if (!summary)
            descriptor_text(ro, obj, k);
    }
    if (has_metadata)
        args_text(ro, obj, idx, m.arg_count, !summary);
    else
        ro_put(ro, "    no metadata\n");
}

/* A metadata kernel that no symbol stands for. */
static void orphan_text(struct ro *ro, const struct ro_object *obj, size_t idx, bool summary)
{
    struct codeobj_metadata_kernel m;
    if (codeobj_metadata_kernel(obj->metadata, idx, &m) != CODEOBJ_OK)
        return;
    ro_put(ro, "  kernel ");
    ro_put_symbol_name(ro, m.name ? m.name : "(without a name)");
    ro_put(ro, ", no symbol and no descriptor\n");
    metadata_line(ro, &m);
    args_text(ro, obj, idx, m.arg_count, !summary);
}

static void kernels_text(struct ro *ro, const struct ro_object *obj, bool summary)
{
    struct codeobj_kernel k;
    struct codeobj_diag diag = { 0 };
    size_t count = obj->metadata ? codeobj_metadata_kernel_count(obj->metadata) : 0;
    bool *shown = calloc(count + 1, sizeof *shown);
    for (size_t i = 0; shown; i++) {
        enum codeobj_status st = codeobj_kernel_at(obj->elf, i, &k, &diag);
        if (st == CODEOBJ_NOT_FOUND)
            break;
        if (st != CODEOBJ_OK) {
            ro_diag(ro, obj->name, &diag);
            continue;
        }
        size_t idx = ro_metadata_kernel(obj, &k);
        if (idx < count)
            shown[idx] = true;
        one_kernel_text(ro, obj, &k, idx, summary);
    }
    for (size_t i = 0; shown && i < count; i++)
        if (!shown[i])
            orphan_text(ro, obj, i, summary);
    ro_flush_lines(ro);
    free(shown);
}

void ro_kernels_text(struct ro *ro, const struct ro_object *obj)
{
    ro_heading(ro, "Kernels:");
    kernels_text(ro, obj, false);
}

static json_t *args_json(const struct ro_object *obj, size_t kernel_idx, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        struct codeobj_metadata_arg a;
        if (codeobj_metadata_arg(obj->metadata, kernel_idx, i, &a) != CODEOBJ_OK)
            continue;
        json_t *o = json_object();
        ro_json_set(o, "offset", ro_json_uint(a.offset));
        ro_json_set(o, "size", ro_json_uint(a.size));
        ro_json_set(o, "value_kind", ro_json_cstring(a.value_kind));
        ro_json_set(o, "name", ro_json_cstring(a.name));
        ro_json_set(o, "type_name", ro_json_cstring(a.type_name));
        ro_json_set(o, "address_space", ro_json_cstring(a.address_space));
        ro_json_set(o, "hidden", json_boolean(a.is_hidden));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *registers_json(const struct codeobj_kernel *k, const struct codeobj_metadata_kernel *m)
{
    json_t *o = json_object();
    bool known = k->has_descriptor && knows_registers(&k->descriptor);
    ro_json_set(o, "vgpr_count", m ? ro_json_uint(m->vgpr_count) : json_null());
    ro_json_set(o, "sgpr_count", m ? ro_json_uint(m->sgpr_count) : json_null());
    ro_json_set(o, "agpr_count", m ? ro_json_uint(m->agpr_count) : json_null());
    ro_json_set(o, "vgpr_spill_count", m ? ro_json_uint(m->vgpr_spill_count) : json_null());
    ro_json_set(o, "sgpr_spill_count", m ? ro_json_uint(m->sgpr_spill_count) : json_null());
    ro_json_set(o, "vgpr_allocated", known ? json_integer(k->descriptor.vgpr_count) : json_null());
    ro_json_set(o, "sgpr_allocated", known ? json_integer(k->descriptor.sgpr_count) : json_null());
    ro_json_set(o, "agpr_allocated", known ? json_integer(k->descriptor.agpr_count) : json_null());
    ro_json_set(o, "wave_size", known ? json_integer(k->descriptor.wave_size) : json_null());
    return o;
}

static json_t *kernel_json(struct ro *ro, const struct ro_object *obj, const struct codeobj_kernel *k)
{
    struct codeobj_metadata_kernel m;
    size_t idx = ro_metadata_kernel(obj, k);
    bool has_metadata = idx != SIZE_MAX && codeobj_metadata_kernel(obj->metadata, idx, &m) == CODEOBJ_OK;
    json_t *o = json_object();
    ro_json_set(o, "name", ro_json_string(k->name, k->name_size));
    char *copy = strndup(k->name, k->name_size), *demangled = copy ? ro_demangle(ro, copy) : NULL;
    if (demangled)
        ro_json_set(o, "demangled", ro_json_cstring(demangled));
    free(demangled);
    free(copy);
    ro_json_set(o, "symbol", ro_json_cstring(k->symbol.name));
    ro_json_set(o, "descriptor_address", ro_json_uint(k->descriptor_addr));
    ro_json_set(o, "entry_address", ro_json_uint(k->entry_addr));
    ro_json_set(o, "preload_entry_address", k->preload_entry_addr ? ro_json_uint(k->preload_entry_addr) : json_null());
    ro_json_set(o, "code_size", ro_json_uint(k->code_size));
    ro_json_set(o, "descriptor", k->has_descriptor ? descriptor_json(obj, k) : json_null());
    if (k->has_kernel_code)
        ro_json_set(o, "amd_kernel_code", kernel_code_json(k));
    ro_json_set(o, "args", has_metadata ? args_json(obj, idx, m.arg_count) : json_null());
    ro_json_set(o, "registers", registers_json(k, has_metadata ? &m : NULL));
    struct codeobj_kernel_occupancy occ;
    ro_json_set(o, "occupancy", occupancy(obj, k, has_metadata ? &m : NULL, &occ) ? occupancy_json(&occ) : json_null());
    return o;
}

json_t *ro_kernels_json(struct ro *ro, const struct ro_object *obj)
{
    struct codeobj_kernel k;
    struct codeobj_diag diag = { 0 };
    json_t *a = json_array();
    for (size_t i = 0;; i++) {
        enum codeobj_status st = codeobj_kernel_at(obj->elf, i, &k, &diag);
        if (st == CODEOBJ_NOT_FOUND)
            break;
        if (st == CODEOBJ_OK)
            json_array_append_new(a, kernel_json(ro, obj, &k));
        else
            ro_diag(ro, obj->name, &diag);
    }
    return a;
}

void ro_summary_text(struct ro *ro, const struct ro_object *obj)
{
    struct codeobj_elf_header h;
    struct codeobj_target t;
    char target[96] = "", type[24], os[24];
    codeobj_elf_header(obj->elf, &h);
    codeobj_elf_target(obj->elf, &t);
    if (t.processor)
        codeobj_target_format(&t, target, sizeof target);
    else
        snprintf(target, sizeof target, "unknown processor 0x%x", h.flags & 0xff);
    const char *type_name = ro_enum(codeobj_elf_type_name(h.type), h.type, type);
    fprintf(ro->out, "  %s, %s, ", target, ro_enum(codeobj_elf_osabi_name(h.osabi), h.osabi, os));
    if (h.code_object_version)
        fprintf(ro->out, "code object V%d, ", h.code_object_version);
    fprintf(ro->out, "%s, %zu bytes\n", type_name, obj->size);
    kernels_text(ro, obj, true);
}

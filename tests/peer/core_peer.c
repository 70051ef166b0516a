/* SPDX-License-Identifier: MIT
 *
 * peer/core_peer.c - what the library reads and writes, in LLVM's words.
 *
 *   core_peer yaml FILE         the metadata
 *   core_peer descriptors FILE  each kernel descriptor as .amdhsa_ directives
 *   core_peer occupancy FILE    VGPRs SGPRs LDS WORKGROUP WAVE WGP-MODE per line of FILE, after "CPU"
 *   core_peer build DIR         objects of the builder, for every processor and version
 *   core_peer v3 IN OUT         a V4 object made V3
 *   core_peer edit IN OUT       a symbol, a section and longer metadata added; of linked objects much more (edit_linked)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/codeobj.h>

static int complain(const struct codeobj_diag *diag)
{
    char text[1200];
    codeobj_diag_format(diag, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}

static int save(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f)) {
        perror(path);
        return 1;
    }
    return 0;
}

static int print_yaml(const struct codeobj_elf *elf)
{
    struct codeobj_metadata *m;
    struct codeobj_diag diag = { 0 };
    char *text;
    size_t size;
    if (codeobj_metadata_read(elf, &m, &diag))
        return complain(&diag);
    if (codeobj_metadata_to_yaml(m, &text, &size, &diag))
        return complain(&diag);
    fwrite(text, 1, size, stdout);
    free(text);
    codeobj_metadata_free(m);
    return 0;
}

static int print_descriptors(const struct codeobj_elf *elf)
{
    static const struct {
        const char *field, *directive;
    } names[] = {
        { "group_segment_fixed_size", "group_segment_fixed_size" }, { "private_segment_fixed_size", "private_segment_fixed_size" },
        { "kernarg_size", "kernarg_size" }, { "accum_offset", "accum_offset" }, { "tg_split", "tg_split" },
        { "shared_vgpr_count", "shared_vgpr_count" }, { "inst_pref_size", "inst_pref_size" },
        { "named_barrier_count", "named_barrier_count" }, { "float_round_mode_32", "float_round_mode_32" },
        { "float_round_mode_16_64", "float_round_mode_16_64" }, { "float_denorm_mode_32", "float_denorm_mode_32" },
        { "float_denorm_mode_16_64", "float_denorm_mode_16_64" }, { "enable_dx10_clamp", "dx10_clamp" },
        { "enable_ieee_mode", "ieee_mode" }, { "fp16_ovfl", "fp16_overflow" }, { "wgp_mode", "workgroup_processor_mode" },
        { "mem_ordered", "memory_ordered" }, { "fwd_progress", "forward_progress" }, { "wg_rr_en", "round_robin_scheduling" },
        { "enable_sgpr_workgroup_id_x", "system_sgpr_workgroup_id_x" }, { "enable_sgpr_workgroup_id_y", "system_sgpr_workgroup_id_y" },
        { "enable_sgpr_workgroup_id_z", "system_sgpr_workgroup_id_z" }, { "enable_sgpr_workgroup_info", "system_sgpr_workgroup_info" },
        { "enable_vgpr_workitem_id", "system_vgpr_workitem_id" },
        { "enable_sgpr_private_segment_buffer", "user_sgpr_private_segment_buffer" },
        { "enable_sgpr_dispatch_ptr", "user_sgpr_dispatch_ptr" }, { "enable_sgpr_queue_ptr", "user_sgpr_queue_ptr" },
        { "enable_sgpr_kernarg_segment_ptr", "user_sgpr_kernarg_segment_ptr" }, { "enable_sgpr_dispatch_id", "user_sgpr_dispatch_id" },
        { "enable_sgpr_flat_scratch_init", "user_sgpr_flat_scratch_init" },
        { "enable_sgpr_private_segment_size", "user_sgpr_private_segment_size" }, { "enable_wavefront_size32", "wavefront_size32" },
        { "uses_dynamic_stack", "uses_dynamic_stack" }, { "kernarg_preload_length", "user_sgpr_kernarg_preload_length" },
        { "kernarg_preload_offset", "user_sgpr_kernarg_preload_offset" },
    };
    struct codeobj_target t;
    struct codeobj_kernel k;
    codeobj_elf_target(elf, &t);
    for (size_t i = 0; !codeobj_kernel_at(elf, i, &k, NULL); i++) {
        struct codeobj_kernel_field f;
        printf(".amdhsa_kernel %.*s\n", (int)k.name_size, k.name);
        for (size_t n = 0; !codeobj_kernel_descriptor_field(&k.descriptor, t.processor, n, &f); n++)
            for (size_t j = 0; j < sizeof names / sizeof *names; j++)
                if (!strcmp(f.name, names[j].field))
                    printf(".amdhsa_%s %lld\n", names[j].directive, (long long)f.value);
        printf(".amdhsa_next_free_vgpr %u\n", k.descriptor.vgpr_count);
    }
    return 0;
}

static int print_occupancy(const char *path)
{
    FILE *f = fopen(path, "r");
    char cpu[64];
    struct codeobj_kernel_resources use = { 0 };
    struct codeobj_kernel_occupancy o;
    unsigned wave, wgp;
    if (!f || fscanf(f, "%63s", cpu) != 1)
        return 1;
    while (fscanf(f, "%u %u %u %u %u %u", &use.vgprs, &use.sgprs, &use.lds_bytes, &use.workgroup_size, &wave, &wgp) == 6) {
        use.wave_size = (uint8_t)wave;
        use.wgp_mode = wgp;
        if (codeobj_kernel_occupancy(codeobj_processor_by_name(cpu), &use, &o, NULL))
            return 1;
        printf("%u\n", o.waves_per_simd);
    }
    fclose(f);
    return 0;
}

static int build_one(const char *dir, const struct codeobj_processor *p, int version, uint16_t type)
{
    static const uint32_t endpgm[] = { 0xbf810000 };
    struct codeobj_builder_options options = { .size = sizeof options, .type = type, .osabi = 64, .code_object_version = version };
    struct codeobj_kernel_descriptor d = { .kernarg_size = 8, .granulated_workitem_vgpr_count = 1, .accum_offset = 8, .user_sgpr_count = 2,
                                           .enable_sgpr_kernarg_segment_ptr = 1, .enable_wavefront_size32 = p->gen >= CODEOBJ_GEN_GFX10 };
    struct codeobj_builder_arg arg = { .name = "p", .value_kind = "global_buffer", .address_space = "global", .size = 8 };
    struct codeobj_builder_kernel k = { .size = sizeof k, .code = endpgm, .code_size = sizeof endpgm, .descriptor = &d, .args = &arg, .arg_count = 1 };
    struct codeobj_builder *b;
    struct codeobj_diag diag = { 0 };
    char path[400];
    void *out;
    size_t size;
    codeobj_target_default(p, &options.target);
    if (codeobj_builder_new(&options, &b, &diag))
        return complain(&diag);
    for (int i = 0; i < 2; i++) {
        k.name = i ? "second" : "first";
        if (codeobj_builder_kernel_add(b, &k, &diag))
            return complain(&diag);
    }
    if (codeobj_builder_finish(b, &out, &size, &diag))
        return complain(&diag);
    snprintf(path, sizeof path, "%s/%s-v%d.%s", dir, p->name, version, type == 1 ? "o" : "co");
    int rc = save(path, out, size);
    free(out);
    codeobj_builder_free(b);
    return rc;
}

static int build_all(const char *dir)
{
    for (size_t i = 0; codeobj_processor_at(i); i++) {
        const struct codeobj_processor *p = codeobj_processor_at(i);
        for (int version = 3; p->gen != CODEOBJ_GEN_R600 && version <= 6; version++)
            if ((!p->generic_version || version == 6) && (build_one(dir, p, version, 1) || build_one(dir, p, version, 3)))
                return 1;
    }
    return 0;
}

/* Of a linked object: dynamic symbols renamed, added and hidden, a section for each kind of access with pointers in one
 * of them, one renamed, a kernel. */
static enum codeobj_status edit_linked(struct codeobj_builder *b, const struct codeobj_elf *elf, struct codeobj_diag *diag)
{
    static const uint32_t endpgm[] = { 0xbf810000 };
    static const struct { const char *name; uint32_t type; uint64_t flags, align; } sections[] = {
        { ".mine.ro", 1, 2, 4 }, { ".mine.text", 1, 6, 256 }, { ".mine.data", 1, 3, 16 }, { ".mine.bss", 8, 3, 64 },
    };
    struct codeobj_kernel_descriptor d = { .granulated_workitem_vgpr_count = 1, .accum_offset = 4 };
    struct codeobj_builder_kernel k = { .size = sizeof k, .name = "an_added_kernel", .code = endpgm, .code_size = sizeof endpgm, .descriptor = &d };
    struct codeobj_elf_symbol s, added = { .name = "in_data", .binding = 1, .type = 1, .size = 4 }, wanted = { .name = "wanted", .binding = 2 };
    struct codeobj_elf_header h;
    enum codeobj_status st = CODEOBJ_OK;
    uint32_t idx;
    codeobj_elf_header(elf, &h);
    for (size_t i = 0; !st && i < 4; i++) {
        struct codeobj_builder_section n = { .name = sections[i].name, .type = sections[i].type, .flags = sections[i].flags, .align = sections[i].align };
        st = codeobj_builder_section_add(b, &n, &idx, diag);
        if (!st)
            st = codeobj_builder_section_append(b, idx, i == 3 ? NULL : "some bytes here", 16, 1, NULL, diag);
        if (i == 2)
            added.shndx = idx;
    }
    if (!st && !codeobj_builder_symbol_by_name(b, "vadd", &idx, &s)) {
        s.name = "a_longer_name_than_it_had_before";
        st = codeobj_builder_symbol_set(b, idx, &s, diag);
    }
    if (!st && !codeobj_builder_symbol_by_name(b, "empty", &idx, &s)) {
        s.visibility = 2;
        st = codeobj_builder_symbol_set(b, idx, &s, diag);
    }
    struct codeobj_elf_relocation to_added = { .type = 3 }, to_wanted = { .offset = 8, .type = 3, .addend = 4 };
    if (!st)
        st = codeobj_builder_symbol_add(b, &added, &to_added.symbol, diag);
    if (!st)
        st = codeobj_builder_symbol_add(b, &wanted, &to_wanted.symbol, diag);
    if (!st)
        st = codeobj_builder_relocation_add(b, added.shndx, &to_added, diag);
    if (!st)
        st = codeobj_builder_relocation_add(b, added.shndx, &to_wanted, diag);
    if (!st && !codeobj_builder_section_by_name(b, ".comment", &idx))
        st = codeobj_builder_section_rename(b, idx, ".comment.of.the.compiler", diag);
    return st ? st : codeobj_builder_kernel_add(b, &k, diag);
}

static int edit(const struct codeobj_elf *elf, const char *path)
{
    static const char text[] = "amdhsa.version: [1, 2]\namdhsa.kernels: []\nvendor.filler: ";
    struct codeobj_builder_section section = { .name = ".mine", .type = 1, .align = 16 };
    struct codeobj_elf_symbol symbol = { .name = "added", .shndx = CODEOBJ_SHN_ABS, .value = 42 };
    struct codeobj_elf_header h;
    struct codeobj_builder *b;
    struct codeobj_diag diag = { 0 };
    char long_text[8000];
    uint32_t idx;
    void *out;
    size_t size;
    memset(long_text, 'x', sizeof long_text);
    memcpy(long_text, text, sizeof text - 1);
    codeobj_elf_header(elf, &h);
    if (codeobj_builder_open(elf, &b, &diag) || codeobj_builder_section_add(b, &section, &idx, &diag) ||
        codeobj_builder_section_append(b, idx, "hello", 5, 1, NULL, &diag) || codeobj_builder_symbol_add(b, &symbol, NULL, &diag) ||
        (h.type == 3 && edit_linked(b, elf, &diag)) || codeobj_builder_metadata_yaml(b, long_text, sizeof long_text, &diag) ||
        codeobj_builder_finish(b, &out, &size, &diag))
        return complain(&diag);
    int rc = save(path, out, size);
    free(out);
    codeobj_builder_free(b);
    return rc;
}

/* V3, which LLVM 22 reads but no longer writes: the flags recoded, no amdhsa.target, metadata version 1.0. */
static int to_v3(const struct codeobj_elf *elf, const char *path)
{
    struct codeobj_builder *b;
    struct codeobj_metadata *m;
    struct codeobj_target target;
    struct codeobj_diag diag = { 0 };
    char *yaml, *line;
    void *out;
    size_t size;
    codeobj_elf_target(elf, &target);
    if (codeobj_metadata_read(elf, &m, &diag) || codeobj_metadata_to_yaml(m, &yaml, &size, &diag))
        return complain(&diag);
    if ((line = strstr(yaml, "amdhsa.target:")))
        memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
    if (!(line = strstr(yaml, "amdhsa.version:\n  - 1\n  - 1\n")))
        return 1;
    line[strlen("amdhsa.version:\n  - 1\n  - ")] = '0';
    if (codeobj_builder_open(elf, &b, &diag) || codeobj_builder_set_target(b, &target, 3, &diag) ||
        codeobj_builder_metadata_yaml(b, yaml, strlen(yaml), &diag) || codeobj_builder_finish(b, &out, &size, &diag))
        return complain(&diag);
    int rc = save(path, out, size);
    free(out);
    free(yaml);
    codeobj_metadata_free(m);
    codeobj_builder_free(b);
    return rc;
}

int main(int argc, char **argv)
{
    struct codeobj_elf *elf;
    struct codeobj_diag diag = { 0 };
    if (argc < 3)
        return 2;
    if (!strcmp(argv[1], "build"))
        return build_all(argv[2]);
    if (!strcmp(argv[1], "occupancy"))
        return print_occupancy(argv[2]);
    if (codeobj_elf_open_file(argv[2], NULL, &elf, &diag))
        return complain(&diag);
    int rc = !strcmp(argv[1], "yaml") ? print_yaml(elf) : !strcmp(argv[1], "descriptors") ? print_descriptors(elf) : argc < 4                   ? 2
                                           : !strcmp(argv[1], "v3") ? to_v3(elf, argv[3])
                                                                    : edit(elf, argv[3]);
    codeobj_elf_free(elf);
    return rc;
}

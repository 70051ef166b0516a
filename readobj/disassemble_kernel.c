/* SPDX-License-Identifier: MIT
 *
 * readobj/disassemble_kernel.c - kernel descriptors as the assembler's directives.
 *
 * Order and names are llvm-objdump's; what no directive says is a comment.  Source:
 * LLVM's User Guide for AMDGPU Backend, "Kernel Descriptor" and ".amdhsa_kernel".
 * Before code object V3 a kernel begins with 256 bytes of amd_kernel_code_t.
 */
#include "disassemble.h"

#include <stdio.h>

static void directive(struct dis_text *text, const char *name, uint64_t value)
{
    dis_text_printf(text, "\t.amdhsa_%s %llu\n", name, (unsigned long long)value);
}

static void comment(struct dis_text *text, const char *name, uint64_t value)
{
    dis_text_printf(text, "\t; %s %llu\n", name, (unsigned long long)value);
}

struct facts {
    const struct codeobj_kernel_descriptor *d;
    bool gfx9, gfx10, gfx11, gfx12; /* that generation or later */
    bool gfx11_only, gfx1250, unified, arch_flat;
};

static void rsrc3(const struct facts *f, struct dis_text *text)
{
    const struct codeobj_kernel_descriptor *d = f->d;

    if (f->unified) {
        directive(text, "accum_offset", d->accum_offset);
        directive(text, "tg_split", d->tg_split);
        return;
    }
    if (!f->gfx10)
        return;
    if (!f->gfx12) {
        if (d->enable_wavefront_size32)
            comment(text, "SHARED_VGPR_COUNT", d->shared_vgpr_count);
        else
            directive(text, "shared_vgpr_count", d->shared_vgpr_count);
    }
    if (f->gfx11)
        directive(text, "inst_pref_size", d->inst_pref_size);
    if (f->gfx11_only) {
        comment(text, "TRAP_ON_START", d->trap_on_start);
        comment(text, "TRAP_ON_END", d->trap_on_end);
    }
    if (f->gfx12)
        comment(text, "GLG_EN", d->glg_en);
    if (f->gfx1250) {
        directive(text, "named_barrier_count", d->named_barrier_count);
        comment(text, "ENABLE_DYNAMIC_VGPR", d->enable_dynamic_vgpr);
        comment(text, "TCP_SPLIT", d->tcp_split);
        comment(text, "ENABLE_DIDT_THROTTLE", d->enable_didt_throttle);
    }
    if (f->gfx11)
        comment(text, "IMAGE_OP", d->image_op);
}

static void rsrc1(const struct facts *f, struct dis_text *text)
{
    const struct codeobj_kernel_descriptor *d = f->d;

    directive(text, "next_free_vgpr", d->vgpr_count);
    directive(text, "reserve_vcc", 0);
    if (!f->arch_flat)
        directive(text, "reserve_flat_scratch", 0);
    directive(text, "reserve_xnack_mask", f->gfx1250); /* where XNACK cannot be off */
    directive(text, "next_free_sgpr", (uint64_t)(d->granulated_wavefront_sgpr_count + 1) * 8);
    directive(text, "float_round_mode_32", d->float_round_mode_32);
    directive(text, "float_round_mode_16_64", d->float_round_mode_16_64);
    directive(text, "float_denorm_mode_32", d->float_denorm_mode_32);
    directive(text, "float_denorm_mode_16_64", d->float_denorm_mode_16_64);
    if (!f->gfx12) {
        directive(text, "dx10_clamp", d->enable_dx10_clamp);
        directive(text, "ieee_mode", d->enable_ieee_mode);
    }
    if (f->gfx9)
        directive(text, "fp16_overflow", d->fp16_ovfl);
    if (f->gfx1250)
        comment(text, "FLAT_SCRATCH_IS_NV", d->flat_scratch_is_nv);
    if (f->gfx10) {
        if (!f->gfx1250)
            directive(text, "workgroup_processor_mode", d->wgp_mode);
        directive(text, "memory_ordered", d->mem_ordered);
        directive(text, "forward_progress", d->fwd_progress);
    }
    if (f->gfx12)
        directive(text, "round_robin_scheduling", d->wg_rr_en);
}

static void rsrc2(const struct facts *f, struct dis_text *text)
{
    static const char *const exceptions[] = {"fp_ieee_invalid_op", "fp_denorm_src",     "fp_ieee_div_zero", "fp_ieee_overflow",
                                             "fp_ieee_underflow",  "fp_ieee_inexact", "int_div_zero"};
    const struct codeobj_kernel_descriptor *d = f->d;

    directive(text, f->arch_flat ? "enable_private_segment" : "system_sgpr_private_segment_wavefront_offset", d->enable_private_segment);
    directive(text, "system_sgpr_workgroup_id_x", d->enable_sgpr_workgroup_id_x);
    directive(text, "system_sgpr_workgroup_id_y", d->enable_sgpr_workgroup_id_y);
    directive(text, "system_sgpr_workgroup_id_z", d->enable_sgpr_workgroup_id_z);
    directive(text, "system_sgpr_workgroup_info", d->enable_sgpr_workgroup_info);
    directive(text, "system_vgpr_workitem_id", d->enable_vgpr_workitem_id);
    for (unsigned i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        dis_text_printf(text, "\t.amdhsa_exception_%s %u\n", exceptions[i], d->exceptions >> i & 1u);
}

static void properties(const struct facts *f, int version, struct dis_text *text)
{
    const struct codeobj_kernel_descriptor *d = f->d;

    if (!f->arch_flat)
        directive(text, "user_sgpr_private_segment_buffer", d->enable_sgpr_private_segment_buffer);
    directive(text, "user_sgpr_dispatch_ptr", d->enable_sgpr_dispatch_ptr);
    directive(text, "user_sgpr_queue_ptr", d->enable_sgpr_queue_ptr);
    directive(text, "user_sgpr_kernarg_segment_ptr", d->enable_sgpr_kernarg_segment_ptr);
    directive(text, "user_sgpr_dispatch_id", d->enable_sgpr_dispatch_id);
    if (!f->arch_flat)
        directive(text, "user_sgpr_flat_scratch_init", d->enable_sgpr_flat_scratch_init);
    directive(text, "user_sgpr_private_segment_size", d->enable_sgpr_private_segment_size);
    if (f->gfx10)
        directive(text, "wavefront_size32", d->enable_wavefront_size32);
    if (version >= 5)
        directive(text, "uses_dynamic_stack", d->uses_dynamic_stack);
    if (d->kernarg_preload_length)
        directive(text, "user_sgpr_kernarg_preload_length", d->kernarg_preload_length);
    if (d->kernarg_preload_offset)
        directive(text, "user_sgpr_kernarg_preload_offset", d->kernarg_preload_offset);
}

/* amd_kernel_code_t: the fields in stored order. */
static void kernel_code(const struct codeobj_kernel_code *c, struct dis_text *text)
{
    dis_text_printf(text, "\t.amd_kernel_code_t\n");
#define FIELD(name) dis_text_printf(text, "\t\t" #name " = %lld\n", (long long)c->name)
    FIELD(amd_kernel_code_version_major);
    FIELD(amd_kernel_code_version_minor);
    FIELD(amd_machine_kind);
    FIELD(amd_machine_version_major);
    FIELD(amd_machine_version_minor);
    FIELD(amd_machine_version_stepping);
    FIELD(kernel_code_entry_byte_offset);
    FIELD(kernel_code_prefetch_byte_size);
    FIELD(compute_pgm_rsrc1);
    FIELD(compute_pgm_rsrc2);
    FIELD(code_properties);
    FIELD(workitem_private_segment_byte_size);
    FIELD(workgroup_group_segment_byte_size);
    FIELD(gds_segment_byte_size);
    FIELD(kernarg_segment_byte_size);
    FIELD(workgroup_fbarrier_count);
    FIELD(wavefront_sgpr_count);
    FIELD(workitem_vgpr_count);
    FIELD(reserved_vgpr_first);
    FIELD(reserved_vgpr_count);
    FIELD(reserved_sgpr_first);
    FIELD(reserved_sgpr_count);
    FIELD(debug_wavefront_private_segment_offset_sgpr);
    FIELD(debug_private_segment_buffer_sgpr);
    FIELD(kernarg_segment_alignment);
    FIELD(group_segment_alignment);
    FIELD(private_segment_alignment);
    FIELD(wavefront_size);
    FIELD(call_convention);
    FIELD(runtime_loader_kernel_symbol);
#undef FIELD
    dis_text_printf(text, "\t.end_amd_kernel_code_t\n");
}

void dis_kernel(const struct codeobj_kernel *kernel, const struct codeobj_elf *elf, struct dis_text *text)
{
    const struct codeobj_kernel_descriptor *d = &kernel->descriptor;
    struct codeobj_elf_header header;
    struct codeobj_target target;
    struct facts f = {.d = d};
    unsigned gen;

    if (kernel->has_kernel_code) {
        kernel_code(&kernel->kernel_code, text);
        return;
    }
    codeobj_elf_header(elf, &header);
    codeobj_elf_target(elf, &target);
    gen = target.processor ? target.processor->gen : 0;
    f.gfx9 = gen >= CODEOBJ_GEN_GFX9;
    f.gfx10 = gen >= CODEOBJ_GEN_GFX10;
    f.gfx11 = gen >= CODEOBJ_GEN_GFX11;
    f.gfx12 = gen >= CODEOBJ_GEN_GFX12;
    f.gfx11_only = gen == CODEOBJ_GEN_GFX11;
    f.gfx1250 = f.gfx12 && target.processor->minor == 5;
    f.unified = target.processor && target.processor->features & CODEOBJ_FEATURE_UNIFIED_VGPR;
    f.arch_flat = target.processor && target.processor->features & CODEOBJ_FEATURE_ARCH_FLAT_SCRATCH;
    dis_text_printf(text, ".amdhsa_kernel ");
    dis_text_name(text, kernel->name, kernel->name_size);
    dis_text_printf(text, "\n");
    directive(text, "group_segment_fixed_size", d->group_segment_fixed_size);
    directive(text, "private_segment_fixed_size", d->private_segment_fixed_size);
    directive(text, "kernarg_size", d->kernarg_size);
    rsrc3(&f, text);
    rsrc1(&f, text);
    rsrc2(&f, text);
    properties(&f, header.code_object_version, text);
    dis_text_printf(text, ".end_amdhsa_kernel\n");
}

/* SPDX-License-Identifier: MIT
 *
 * kernel/: descriptors both ways, kernels of objects, occupancy.  Field values
 * are the .amdhsa_ directives llvm-objdump 22 prints for the same descriptors;
 * occupancies those clang 22 prints ("; Occupancy:") for kernels with these
 * register counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "objects.h"

struct expected {
    const char *name;
    int64_t value;
};

static int64_t field(const struct codeobj_kernel *k, const struct codeobj_processor *p, const char *name)
{
    struct codeobj_kernel_field f;
    for (size_t i = 0; !codeobj_kernel_descriptor_field(&k->descriptor, p, i, &f); i++)
        if (!strcmp(f.name, name))
            return f.value;
    return -1; /* no such field in this generation */
}

static void check_kernel(const char *object, const char *name, unsigned vgprs, unsigned sgprs, unsigned wave, const struct expected *want)
{
    struct codeobj_elf *elf = open_object(object);
    struct codeobj_target t;
    struct codeobj_kernel k;
    uint8_t bytes[64];
    codeobj_elf_target(elf, &t);
    assert_int_equal(codeobj_kernel_by_name(elf, name, &k, NULL), CODEOBJ_OK);
    assert_true(k.has_descriptor);
    assert_false(k.has_kernel_code);
    assert_int_equal(k.name_size, strlen(name));
    assert_memory_equal(k.name, name, k.name_size);
    assert_int_equal(k.descriptor.vgpr_count, vgprs);
    assert_int_equal(k.descriptor.sgpr_count, sgprs);
    assert_int_equal(k.descriptor.wave_size, wave);
    assert_false(k.descriptor.reserved_set);
    for (; want->name; want++)
        if (field(&k, t.processor, want->name) != want->value)
            fail_msg("%s %s: %s is %lld, expected %lld", object, name, want->name, (long long)field(&k, t.processor, want->name),
                     (long long)want->value);
    assert_int_equal(codeobj_kernel_descriptor_encode(&k.descriptor, t.processor, bytes, NULL), CODEOBJ_OK);
    assert_memory_equal(bytes, k.descriptor_bytes, 64);
    codeobj_elf_free(elf);
}

static void test_gfx900(void **state)
{
    (void)state;
    static const struct expected want[] = {
        { "private_segment_fixed_size", 16 }, { "kernarg_size", 8 }, { "kernel_code_entry_byte_offset", 0x1680 },
        { "granulated_workitem_vgpr_count", 10 }, { "granulated_wavefront_sgpr_count", 6 },
        { "float_denorm_mode_32", 3 }, { "float_denorm_mode_16_64", 3 }, { "float_round_mode_32", 0 },
        { "enable_dx10_clamp", 1 }, { "enable_ieee_mode", 1 }, { "fp16_ovfl", 0 }, { "enable_private_segment", 1 },
        { "user_sgpr_count", 6 }, { "enable_sgpr_workgroup_id_x", 1 }, { "enable_sgpr_workgroup_id_y", 0 },
        { "enable_sgpr_private_segment_buffer", 1 }, { "enable_sgpr_kernarg_segment_ptr", 1 },
        { "wgp_mode", -1 }, { "accum_offset", -1 }, { "enable_wavefront_size32", -1 }, { "inst_pref_size", -1 }, { NULL, 0 },
    };
    check_kernel("kernels-gfx900-v6.co", "recursive", 44, 64, 64, want);
}

static void test_gfx90a(void **state)
{
    (void)state;
    static const struct expected want[] = {
        { "accum_offset", 44 }, { "tg_split", 0 }, { "granulated_workitem_vgpr_count", 5 }, { "kernarg_preload_length", 0 },
        { "enable_dx10_clamp", 1 }, { "shared_vgpr_count", -1 }, { NULL, 0 },
    };
    check_kernel("kernels-gfx90a-modes-v4.co", "recursive", 48, 64, 64, want);
}

static void test_gfx1100(void **state)
{
    (void)state;
    static const struct expected want[] = {
        { "inst_pref_size", 1 }, { "wgp_mode", 1 }, { "mem_ordered", 1 }, { "fwd_progress", 1 }, { "enable_dx10_clamp", 1 },
        { "enable_wavefront_size32", 1 }, { "enable_private_segment", 1 }, { "user_sgpr_count", 15 }, { "shared_vgpr_count", 0 },
        { "enable_sgpr_private_segment_buffer", 0 }, { "granulated_wavefront_sgpr_count", -1 }, { "wg_rr_en", -1 }, { NULL, 0 },
    };
    check_kernel("kernels-gfx1100-v6.co", "recursive", 48, 128, 32, want);
}

static void test_gfx1200(void **state)
{
    (void)state;
    static const struct expected want[] = {
        { "inst_pref_size", 2 }, { "wgp_mode", 1 }, { "wg_rr_en", 0 }, { "enable_dx10_clamp", -1 }, { "enable_ieee_mode", -1 },
        { "enable_dynamic_vgpr", 0 }, { "user_sgpr_count", 2 }, { "named_barrier_count", -1 }, { "glg_en", 0 }, { NULL, 0 },
    };
    check_kernel("kernels-gfx1200-v6.co", "recursive", 48, 128, 32, want);
}

static void test_gfx1250(void **state)
{
    (void)state;
    static const struct expected want[] = {
        { "inst_pref_size", 2 }, { "named_barrier_count", 0 }, { "tcp_split", 0 }, { "flat_scratch_is_nv", 0 },
        { "mem_ordered", 1 }, { "fwd_progress", 1 }, { "kernarg_preload_length", 0 }, { NULL, 0 },
    };
    check_kernel("kernels-gfx1250-v6.co", "recursive", 48, 128, 32, want);
}

static void test_kernels(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t descriptor, entry, size;
    } want[] = {
        { "vadd", 0xfc0, 0x2200, 188 }, { "reduce", 0x1000, 0x2400, 132 }, { "empty", 0x1040, 0x2500, 4 },
        { "recursive", 0x1080, 0x2700, 128 }, { "scratch", 0x10c0, 0x2900, 168 },
    };
    struct codeobj_elf *elf = open_object("kernels-gfx900-v6.co");
    struct codeobj_kernel k;
    struct codeobj_diag diag;
    assert_int_equal(codeobj_kernel_count(elf), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(codeobj_kernel_at(elf, i, &k, NULL), CODEOBJ_OK);
        assert_int_equal(k.name_size, strlen(want[i].name));
        assert_memory_equal(k.name, want[i].name, k.name_size);
        assert_int_equal(k.descriptor_addr, want[i].descriptor);
        assert_int_equal(k.entry_addr, want[i].entry);
        assert_int_equal(k.code_size, want[i].size);
        assert_int_equal(k.preload_entry_addr, 0);
    }
    assert_int_equal(codeobj_kernel_at(elf, 5, &k, NULL), CODEOBJ_NOT_FOUND);
    assert_int_equal(codeobj_kernel_by_name(elf, "vadd.kd", &k, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_kernel_by_name(elf, "fib", &k, &diag), CODEOBJ_NOT_FOUND);
    assert_string_equal(diag.text, "no kernel \"fib\"");
    codeobj_elf_free(elf);
    /* Relocatable: the entry is the code symbol's, in its section. */
    elf = open_object("kernels-gfx900-v6.o");
    assert_int_equal(codeobj_kernel_by_name(elf, "scratch", &k, NULL), CODEOBJ_OK);
    assert_int_equal(k.entry_addr, 0x700);
    assert_int_equal(k.code_size, 168);
    assert_int_equal(k.descriptor.private_segment_fixed_size, 12004);
    codeobj_elf_free(elf);
}

static void test_v2(void **state)
{
    (void)state;
    struct codeobj_elf *elf = open_object("kernel-v2.o");
    struct codeobj_kernel k;
    assert_int_equal(codeobj_kernel_count(elf), 1);
    assert_int_equal(codeobj_kernel_by_name(elf, "old", &k, NULL), CODEOBJ_OK);
    assert_true(k.has_kernel_code);
    assert_int_equal(k.kernel_code.amd_kernel_code_version_minor, 2);
    assert_int_equal(k.kernel_code.amd_machine_version_major, 9);
    assert_int_equal(k.kernel_code.kernarg_segment_byte_size, 24);
    assert_int_equal(k.kernel_code.wavefront_sgpr_count, 14);
    assert_int_equal(k.kernel_code.workitem_vgpr_count, 5);
    assert_int_equal(k.kernel_code.wavefront_size, 6);
    assert_int_equal(k.kernel_code.kernarg_segment_alignment, 4);
    assert_int_equal(k.kernel_code.call_convention, -1);
    assert_int_equal(k.entry_addr, 256);
    assert_int_equal(k.code_size, 4);
    assert_int_equal(k.descriptor.group_segment_fixed_size, 512);
    assert_int_equal(k.descriptor.private_segment_fixed_size, 16);
    assert_int_equal(k.descriptor.enable_sgpr_private_segment_buffer, 1);
    assert_int_equal(k.descriptor.enable_sgpr_kernarg_segment_ptr, 1);
    assert_int_equal(k.descriptor.granulated_workitem_vgpr_count, 1);
    assert_int_equal(k.descriptor.sgpr_count, 16);
    codeobj_elf_free(elf);
}

static void test_reserved(void **state)
{
    (void)state;
    const struct codeobj_processor *gfx900 = codeobj_processor_by_name("gfx900"), *gfx1030 = codeobj_processor_by_name("gfx1030");
    struct codeobj_kernel_reserved r;
    struct codeobj_kernel_descriptor d;
    uint8_t bytes[64] = { 0 };
    assert_int_equal(codeobj_kernel_descriptor_reserved(bytes, 64, gfx900, 0, &r), CODEOBJ_NOT_FOUND);
    bytes[13] = 5;          /* reserved bytes */
    bytes[51] = 0x20;       /* rsrc1 bit 29: WGP mode from gfx10, reserved before */
    bytes[49] = 0x04;       /* rsrc1 bit 10: priority, filled in by the loader */
    assert_int_equal(codeobj_kernel_descriptor_reserved(bytes, 64, gfx900, 0, &r), CODEOBJ_OK);
    assert_int_equal(r.byte_off, 13);
    assert_int_equal(codeobj_kernel_descriptor_reserved(bytes, 64, gfx900, 1, &r), CODEOBJ_OK);
    assert_string_equal(r.name, "compute_pgm_rsrc1");
    assert_int_equal(r.found, 0x20000000);
    assert_int_equal(codeobj_kernel_descriptor_reserved(bytes, 64, gfx900, 2, &r), CODEOBJ_OK);
    assert_string_equal(r.name, "priority");
    assert_true(r.loader);
    assert_int_equal(codeobj_kernel_descriptor_reserved(bytes, 64, gfx900, 3, &r), CODEOBJ_NOT_FOUND);
    /* On gfx1030 bit 29 is a field. */
    assert_int_equal(codeobj_kernel_descriptor_reserved(bytes, 64, gfx1030, 1, &r), CODEOBJ_OK);
    assert_string_equal(r.name, "priority");
    assert_int_equal(codeobj_kernel_descriptor_decode(bytes, 64, gfx1030, &d, NULL), CODEOBJ_OK);
    assert_int_equal(d.wgp_mode, 1);
    assert_int_equal(d.reserved_set, 1);
    assert_int_equal(codeobj_kernel_descriptor_decode(bytes, 63, gfx1030, &d, NULL), CODEOBJ_MALFORMED);
    /* Encoding keeps reserved bits of a decoded word. */
    uint8_t again[64];
    bytes[13] = 0;
    codeobj_kernel_descriptor_decode(bytes, 64, gfx900, &d, NULL);
    assert_int_equal(codeobj_kernel_descriptor_encode(&d, gfx900, again, NULL), CODEOBJ_OK);
    assert_memory_equal(bytes, again, 64);
}

static void test_encode_range(void **state)
{
    (void)state;
    struct codeobj_kernel_descriptor d = { .user_sgpr_count = 32 };
    struct codeobj_diag diag;
    uint8_t bytes[64];
    assert_int_equal(codeobj_kernel_descriptor_encode(&d, codeobj_processor_by_name("gfx1100"), bytes, &diag), CODEOBJ_INVALID);
    assert_string_equal(diag.text, "user_sgpr_count: 32 does not fit in 5 bits");
    /* gfx1250 has a sixth bit. */
    assert_int_equal(codeobj_kernel_descriptor_encode(&d, codeobj_processor_by_name("gfx1250"), bytes, NULL), CODEOBJ_OK);
    assert_int_equal(bytes[52], 0x40);
    d = (struct codeobj_kernel_descriptor){ .accum_offset = 6 };
    assert_int_equal(codeobj_kernel_descriptor_encode(&d, codeobj_processor_by_name("gfx90a"), bytes, &diag), CODEOBJ_INVALID);
    assert_int_equal(codeobj_kernel_descriptor_encode(&d, NULL, bytes, &diag), CODEOBJ_INVALID);
    assert_int_equal(codeobj_kernel_descriptor_encode(&d, codeobj_processor_by_name("cedar"), bytes, &diag), CODEOBJ_INVALID);
}

/* Every field of every generation goes through encode and decode alone. */
static void test_every_field(void **state)
{
    (void)state;
    for (size_t i = 0; codeobj_processor_at(i); i++) {
        const struct codeobj_processor *p = codeobj_processor_at(i);
        struct codeobj_kernel_field f, g;
        for (unsigned bit = 0; p->gen != CODEOBJ_GEN_R600 && bit < 512; bit++) {
            uint8_t bytes[64] = { 0 }, again[64];
            struct codeobj_kernel_descriptor d, zero;
            unsigned changed = 0;
            codeobj_kernel_descriptor_decode(bytes, 64, p, &zero, NULL);
            bytes[bit / 8] = (uint8_t)(1u << bit % 8);
            assert_int_equal(codeobj_kernel_descriptor_decode(bytes, 64, p, &d, NULL), CODEOBJ_OK);
            for (size_t n = 0; !codeobj_kernel_descriptor_field(&d, p, n, &f); n++) {
                codeobj_kernel_descriptor_field(&zero, p, n, &g);
                changed += f.value != g.value;
            }
            struct codeobj_kernel_reserved r;
            bool reserved = !codeobj_kernel_descriptor_reserved(bytes, 64, p, 0, &r);
            /* A bit belongs to one field, or is reserved; loader fields are both. */
            assert_true(changed == 1 || (changed == 0 && reserved));
            assert_true(!(changed && reserved) || r.loader);
            if (changed) {
                assert_int_equal(codeobj_kernel_descriptor_encode(&d, p, again, NULL), CODEOBJ_OK);
                assert_memory_equal(bytes, again, 64);
            }
        }
    }
}

static unsigned occupancy(const char *cpu, unsigned vgprs, unsigned sgprs, unsigned lds, unsigned wave, bool wgp, const char *limiter)
{
    struct codeobj_kernel_resources use = { .vgprs = vgprs, .sgprs = sgprs, .lds_bytes = lds, .workgroup_size = lds ? 256 : 0,
                                            .wave_size = (uint8_t)wave, .wgp_mode = wgp };
    struct codeobj_kernel_occupancy o;
    assert_int_equal(codeobj_kernel_occupancy(codeobj_processor_by_name(cpu), &use, &o, NULL), CODEOBJ_OK);
    if (limiter)
        assert_string_equal(codeobj_kernel_limiter_name(o.limiter), limiter);
    return o.waves_per_simd;
}

static void test_occupancy(void **state)
{
    (void)state;
    assert_int_equal(occupancy("gfx700", 1, 48, 0, 64, false, "waves"), 10);
    assert_int_equal(occupancy("gfx700", 1, 49, 0, 64, false, "sgprs"), 9);
    assert_int_equal(occupancy("gfx700", 1, 81, 0, 64, false, "sgprs"), 5);
    assert_int_equal(occupancy("gfx803", 24, 80, 0, 64, false, "waves"), 10);
    assert_int_equal(occupancy("gfx803", 25, 81, 0, 64, false, "sgprs"), 9);
    assert_int_equal(occupancy("gfx803", 1, 101, 0, 64, false, "sgprs"), 7);
    assert_int_equal(occupancy("gfx900", 33, 0, 0, 64, false, "vgprs"), 7);
    assert_int_equal(occupancy("gfx900", 129, 0, 0, 64, false, "vgprs"), 1);
    assert_int_equal(occupancy("gfx90a", 64, 0, 0, 64, false, "waves"), 8);
    assert_int_equal(occupancy("gfx90a", 65, 0, 0, 64, false, "vgprs"), 7);
    assert_int_equal(occupancy("gfx942", 129, 0, 0, 64, false, "vgprs"), 3);
    assert_int_equal(occupancy("gfx1010", 48, 0, 0, 32, true, "waves"), 20);
    assert_int_equal(occupancy("gfx1010", 49, 0, 0, 32, true, "vgprs"), 18);
    assert_int_equal(occupancy("gfx1010", 49, 0, 0, 64, true, "vgprs"), 9);
    assert_int_equal(occupancy("gfx1030", 65, 0, 0, 32, false, "vgprs"), 12);
    assert_int_equal(occupancy("gfx1100", 97, 0, 0, 32, true, "vgprs"), 12);
    assert_int_equal(occupancy("gfx1102", 97, 0, 0, 32, true, "vgprs"), 9);
    assert_int_equal(occupancy("gfx1151", 193, 0, 0, 32, true, "vgprs"), 7);
    assert_int_equal(occupancy("gfx11-generic", 97, 0, 0, 32, true, "vgprs"), 9);
    assert_int_equal(occupancy("gfx12-generic", 97, 0, 0, 32, true, "vgprs"), 12);
    assert_int_equal(occupancy("gfx1250", 81, 0, 0, 32, false, "vgprs"), 10);
    assert_int_equal(occupancy("gfx900", 6, 9, 16384, 64, false, "lds"), 4);
    assert_int_equal(occupancy("gfx950", 6, 9, 32000, 64, false, "lds"), 5);
    assert_int_equal(occupancy("gfx1010", 6, 9, 20480, 32, true, "lds"), 12);
    assert_int_equal(occupancy("gfx1010", 6, 9, 20480, 32, false, "lds"), 12);
    assert_int_equal(occupancy("gfx1250", 6, 9, 65536, 32, false, "lds"), 10);
    assert_int_equal(occupancy("gfx900", 6, 9, 65537, 64, false, "lds"), 0);
    /* One work-group has the LDS of one CU, in WGP mode too, and on gfx6 half of it. */
    assert_int_equal(occupancy("gfx1010", 6, 9, 65536, 32, true, "lds"), 4);
    assert_int_equal(occupancy("gfx1010", 6, 9, 65537, 32, true, "lds"), 0);
    assert_int_equal(occupancy("gfx600", 6, 9, 32768, 64, false, "lds"), 2);
    assert_int_equal(occupancy("gfx600", 6, 9, 32769, 64, false, "lds"), 0);
    struct codeobj_kernel_resources use = { .wave_size = 16 };
    struct codeobj_kernel_occupancy o;
    assert_int_equal(codeobj_kernel_occupancy(codeobj_processor_by_name("gfx900"), &use, &o, NULL), CODEOBJ_INVALID);
    assert_int_equal(codeobj_kernel_occupancy(codeobj_processor_by_name("cedar"), &use, &o, NULL), CODEOBJ_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gfx900),  cmocka_unit_test(test_gfx90a),    cmocka_unit_test(test_gfx1100),
        cmocka_unit_test(test_gfx1200), cmocka_unit_test(test_gfx1250),   cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_v2),      cmocka_unit_test(test_reserved),  cmocka_unit_test(test_encode_range),
        cmocka_unit_test(test_every_field), cmocka_unit_test(test_occupancy),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed != 0;
}

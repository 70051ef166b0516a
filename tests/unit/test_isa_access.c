/* SPDX-License-Identifier: MIT
 *
 * What instructions touch: registers and memory.  Single instructions of every format with values derived from AMD's
 * ISA documents by hand, and rules that hold for all vectors of tests/unit/isa.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <codeobj/isa.h>

/* One instruction and what it touches: "v0+2=w" two VGPRs from v0 on, written; "r", "w" or "x" (both); in the order of
 * codeobj_isa_registers().  scc, mode and flat are the registers that have no number; "!": no operand names it.
 * Memory: "kind space bytes", then "lds", "returns", "scalar", "addresses N"; "-": none. */
struct expectation {
    const char *processor;
    uint32_t words[3];
    const char *registers, *memory;
};

static const struct expectation expectations[] = {
    /* s_add_u32 s0, s1, 5 */
    { "gfx900", { 0x80008501 }, "s0+1=w s1+1=r scc=w!", "-" },
    /* s_and_saveexec_b64 s[2:3], vcc */
    { "gfx900", { 0xbe82206a }, "s2+2=w s106+2=r scc=w! s126+2=x!", "-" },
    /* s_cbranch_vccz 4 */
    { "gfx900", { 0xbf860004 }, "s106+2=r!", "-" },
    /* s_load_dwordx4 s[4:7], s[0:1], 0x10 */
    { "gfx900", { 0xc00a0100, 0x00000010 }, "s4+4=w s0+2=r", "load global 16 scalar" },
    /* s_buffer_load_dword s0, s[4:7], s8 */
    { "gfx900", { 0xc0200002, 0x00000008 }, "s0+1=w s4+4=r s8+1=r", "load buffer 4 scalar" },
    /* v_add_co_u32_e32 v0, vcc, s1, v2 */
    { "gfx900", { 0x32000401 }, "v0+1=w s106+2=w s1+1=r v2+1=r s126+2=r!", "-" },
    /* v_fmac_f32_e32 v3, v1, v2; wave32 */
    { "gfx1030", { 0x56060501 }, "v3+1=x v1+1=r v2+1=r s126+1=r! mode=r!", "-" },
    /* v_cmpx_lt_f32_e32 v0, v1: writes EXEC */
    { "gfx1030", { 0x7c220300 }, "s126+1=w v0+1=r v1+1=r s126+1=r! mode=r!", "-" },
    /* v_cndmask_b32_e64 v0, v1, v2, s[4:5] */
    { "gfx900", { 0xd1000000, 0x00120501 }, "v0+1=w v1+1=r v2+1=r s4+2=r s126+2=r!", "-" },
    /* v_div_fmas_f32 v0, v1, v2, v3: scales where VCC says so */
    { "gfx900", { 0xd1e20000, 0x040e0501 }, "v0+1=w v1+1=r v2+1=r v3+1=r s106+2=r! s126+2=r! mode=r!", "-" },
    { "gfx1100", { 0xd6380000, 0x04120901 }, "v0+2=w v1+2=r v4+2=r v4+2=r s106+1=r! s126+1=r! mode=r!", "-" },
    /* v_readlane_b32 s0, v1, 3; v_writelane_b32 v0, s1, 3; v_readfirstlane_b32 s0, v1: only the last one asks EXEC */
    { "gfx900", { 0xd2890000, 0x00010701 }, "s0+1=w v1+1=r", "-" },
    { "gfx900", { 0xd28a0000, 0x00010601 }, "v0+1=x s1+1=r", "-" },
    { "gfx900", { 0x7e000501 }, "s0+1=w v1+1=r s126+2=r!", "-" },
    /* v_swap_b32 v0, v1 */
    { "gfx900", { 0x7e00a301 }, "v0+1=x v1+1=x s126+2=r!", "-" },
    /* v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7] */
    { "gfx900", { 0xd1cc0000, 0x041a0902 }, "v0+2=w v2+2=r v4+2=r v6+2=r s126+2=r! mode=r!", "-" },
    /* v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[32:63] (gfx908) */
    { "gfx908", { 0xd3c00000, 0x04820300 }, "a0+32=w v0+1=r v1+1=r a32+32=r s126+2=r! mode=r!", "-" },
    /* ds_read2_b32 v[0:1], v2 offset1:1: M0 up to gfx8 */
    { "gfx803", { 0xd86e0100, 0x00000002 }, "v0+2=w v2+1=r s126+2=r! s124+1=r!", "load lds 4 addresses 2" },
    { "gfx900", { 0xd86e0100, 0x00000002 }, "v0+2=w v2+1=r s126+2=r!", "load lds 4 addresses 2" },
    /* ds_write_b8 v0, v1 */
    { "gfx900", { 0xd83c0000, 0x00000100 }, "v0+1=r v1+1=r s126+2=r!", "store lds 1" },
    /* ds_add_rtn_u32 v0, v1, v2 */
    { "gfx900", { 0xd8400000, 0x00000201 }, "v0+1=w v1+1=r v2+1=r s126+2=r!", "atomic lds 4 returns" },
    /* ds_bpermute_b32 v0, v1, v2: through LDS hardware, but no memory */
    { "gfx900", { 0xd87e0000, 0x00000201 }, "v0+1=w v1+1=r v2+1=r s126+2=r!", "-" },
    /* flat_load_dwordx2 v[0:1], v[2:3]: FLAT_SCRATCH is s[102:103] on gfx9, has no number on gfx10 */
    { "gfx900", { 0xdc540000, 0x00000002 }, "v0+2=w v2+2=r s126+2=r! s102+2=r!", "load flat 8" },
    { "gfx1030", { 0xdc340000, 0x007d0002 }, "v0+2=w v2+2=r s126+1=r! flat=r!", "load flat 8" },
    /* global_store_short v[0:1], v2, off */
    { "gfx900", { 0xdc688000, 0x007f0200 }, "v0+2=r v2+1=r s126+2=r!", "store global 2" },
    /* global_atomic_cmpswap_x2 v[0:1], v2, v[4:7], s[8:9] glc */
    { "gfx900", { 0xdd858000, 0x00080402 }, "v0+2=w v2+1=r v4+4=r s8+2=r s126+2=r!", "atomic global 8 returns" },
    /* scratch_load_dword v0, v1, off (gfx942: FLAT_SCRATCH has no number) */
    { "gfx942", { 0xdc506000, 0x007f0001 }, "v0+1=w v1+1=r s126+2=r! flat=r!", "load scratch 4" },
    /* buffer_load_ubyte v0, v1, s[4:7], 0 offen */
    { "gfx900", { 0xe0401000, 0x80010001 }, "v0+1=w v1+1=r s4+4=r s126+2=r!", "load buffer 1" },
    /* buffer_load_dword off, s[8:11], s3 lds: into LDS, at M0 */
    { "gfx900", { 0xe0510000, 0x03020000 }, "s8+4=r s3+1=r s126+2=r! s124+1=r!", "load buffer 4 lds" },
    /* buffer_atomic_add v0, off, s[4:7], 0 glc: the operand comes back changed */
    { "gfx900", { 0xe1084000, 0x80010000 }, "v0+1=x s4+4=r s126+2=r!", "atomic buffer 4 returns" },
    /* image_load v[0:3], v[4:5], s[8:15] dmask:0xf */
    { "gfx900", { 0xf0000f00, 0x00020004 }, "v0+4=w v4+1=r s8+8=r s126+2=r!", "load image 0" },
    /* exp mrt0 v0, v1, v2, v3 done vm */
    { "gfx900", { 0xc400180f, 0x03020100 }, "v0+1=r v1+1=r v2+1=r v3+1=r s126+2=r!", "-" },
    /* lds_param_load v0, attr0.x */
    { "gfx1100", { 0xce000000 }, "v0+1=w s126+1=r! s125+1=r!", "load lds 4" },
    /* v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5 */
    { "gfx1100", { 0xc9060501, 0x00020b04 }, "v0+1=w v1+1=r v2+1=r v3+1=w v4+1=r v5+1=r s126+1=r! mode=r!", "-" },
};

static void put_register(char *at, size_t room, const struct codeobj_isa_access *a)
{
    static const char *const files[CODEOBJ_FILE_COUNT] = { "?", "v", "a", "s", "scc", "mode", "flat" };
    const char *how = a->access == 3 ? "x" : a->access == CODEOBJ_ACCESS_READ ? "r" : "w";
    bool numbered = a->file <= CODEOBJ_FILE_SGPR;
    char number[32] = "";
    if (numbered)
        snprintf(number, sizeof number, "%u+%u", a->reg, a->count);
    snprintf(at, room, "%s%s=%s%s", files[a->file], number, how, a->operand < 0 ? "!" : "");
}

static void describe_registers(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, char *text, size_t room)
{
    struct codeobj_isa_access list[CODEOBJ_ISA_ACCESSES_MAX];
    size_t n = codeobj_isa_registers(isa, inst, list, CODEOBJ_ISA_ACCESSES_MAX);
    *text = 0;
    assert_in_range(n, 0, CODEOBJ_ISA_ACCESSES_MAX);
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(text);
        if (len)
            text[len++] = ' ';
        put_register(text + len, room - len, &list[i]);
    }
}

static void describe_memory(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, char *text, size_t room)
{
    static const char *const kinds[] = { "?", "load", "store", "atomic", "prefetch", "cache" };
    static const char *const spaces[] = { "?", "flat", "global", "scratch", "lds", "gds", "buffer", "image" };
    struct codeobj_isa_memory m;
    if (!codeobj_isa_memory(isa, inst, &m)) {
        snprintf(text, room, "-");
        return;
    }
    size_t n = (size_t)snprintf(text, room, "%s %s %u%s%s%s", kinds[m.kind], spaces[m.space], m.bytes, m.lds ? " lds" : "",
                                m.returns ? " returns" : "", m.scalar ? " scalar" : "");
    if (m.addresses != 1)
        snprintf(text + n, room - n, " addresses %u", m.addresses);
}

static struct codeobj_isa *decoder(const char *name, unsigned wave)
{
    const struct codeobj_isa_options options = { .size = sizeof options, .wave = (uint8_t)wave };
    struct codeobj_isa *isa = NULL;
    assert_int_equal(codeobj_isa_new(codeobj_processor_by_name(name), &options, &isa, NULL), CODEOBJ_OK);
    return isa;
}

static void by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const struct expectation *e = &expectations[i];
        struct codeobj_isa *isa = decoder(e->processor, 0);
        struct codeobj_isa_inst inst;
        char registers[512], memory[128], text[256];
        assert_int_equal(codeobj_isa_decode(isa, e->words, sizeof e->words, &inst, NULL), CODEOBJ_OK);
        codeobj_isa_print(isa, &inst, text, sizeof text);
        describe_registers(isa, &inst, registers, sizeof registers);
        describe_memory(isa, &inst, memory, sizeof memory);
        if (strcmp(registers, e->registers) || strcmp(memory, e->memory))
            fail_msg("%s %s: found \"%s\", \"%s\", expected \"%s\", \"%s\"", e->processor, text, registers, memory, e->registers,
                     e->memory);
        codeobj_isa_free(isa);
    }
}

/* ---- rules for all vectors ------------------------------------------------------------ */

static bool is_memory_format(unsigned format)
{
    return format == CODEOBJ_FMT_SMEM || format == CODEOBJ_FMT_LDSDIR || (format >= CODEOBJ_FMT_DS && format < CODEOBJ_FMT_EXP);
}

static void check_registers(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const char *text)
{
    static const uint16_t ends[CODEOBJ_FILE_COUNT] = { 0, 1024, 256, 128, 1, 1, 2 };
    struct codeobj_isa_access list[CODEOBJ_ISA_ACCESSES_MAX], one;
    size_t n = codeobj_isa_registers(isa, inst, list, CODEOBJ_ISA_ACCESSES_MAX);
    bool exec = false, seen[CODEOBJ_ISA_OPERANDS_MAX] = { false };
    if (n > CODEOBJ_ISA_ACCESSES_MAX || codeobj_isa_registers(isa, inst, NULL, 0) != n ||
        codeobj_isa_registers(isa, inst, &one, 1) != n)
        fail_msg("%s: number of registers", text);
    for (size_t i = 0; i < n; i++) {
        const struct codeobj_isa_access *a = &list[i];
        /* v255 may begin a tuple: LLVM, and so the decoder, lets it run on. */
        unsigned end = a->file == CODEOBJ_FILE_VGPR || a->file == CODEOBJ_FILE_AGPR ? ends[a->file] + 31u : ends[a->file];
        if (!a->file || a->file >= CODEOBJ_FILE_COUNT || !a->access || a->access > 3 || !a->count || a->reg + a->count > end ||
            a->operand >= inst->operand_count)
            fail_msg("%s: register %zu", text, i);
        if (a->operand >= 0)
            seen[a->operand] = true;
        exec |= a->file == CODEOBJ_FILE_SGPR && a->reg == 126 && a->access & CODEOBJ_ACCESS_READ;
    }
    for (unsigned i = 0; i < inst->operand_count; i++) {
        unsigned kind = inst->operands[i].kind;
        if ((kind == CODEOBJ_OPERAND_VGPR || kind == CODEOBJ_OPERAND_AGPR) && !seen[i])
            fail_msg("%s: operand %u is in no list", text, i);
    }
    bool one_lane = !strncmp(text, "v_readlane_", 11) || !strncmp(text, "v_writelane_", 12);
    if (inst->format >= CODEOBJ_FMT_VOP1 && !exec && !one_lane)
        fail_msg("%s: a vector instruction that does not read EXEC", text);
}

static void check_memory(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, const char *text)
{
    struct codeobj_isa_memory m;
    bool has = codeobj_isa_memory(isa, inst, &m);
    if (!is_memory_format(inst->format)) {
        if (has)
            fail_msg("%s: reaches memory", text);
        return;
    }
    if (!has)
        return;
    const int8_t at[] = { m.dst, m.data, m.data1, m.addr, m.saddr, m.rsrc, m.soffset };
    for (size_t i = 0; i < sizeof at; i++)
        if (at[i] >= (int)inst->operand_count)
            fail_msg("%s: operand index", text);
    bool register_result = (m.kind == CODEOBJ_MEMORY_LOAD || m.returns) && !m.lds;
    if (register_result && m.dst < 0)
        fail_msg("%s: a load without a result", text);
    if (m.kind == CODEOBJ_MEMORY_STORE && !m.lds && m.data < 0)
        fail_msg("%s: a store without data", text);
    /* What moves fits the registers: dwords, or part of one. */
    int8_t data = m.kind == CODEOBJ_MEMORY_LOAD ? m.dst : m.data;
    if (m.bytes && data >= 0 && !m.lds && (m.kind == CODEOBJ_MEMORY_LOAD || m.kind == CODEOBJ_MEMORY_STORE)) {
        unsigned dwords = inst->operands[data].dwords, wanted = (m.bytes + 3) / 4 * (m.kind == CODEOBJ_MEMORY_LOAD ? m.addresses : 1);
        bool transposed = strstr(text, "_tr_") || strstr(text, "_tr4") || strstr(text, "_tr6") || strstr(text, "_tr8") || strstr(text, "_tr16");
        bool odd = inst->mod.tfe || inst->mod.d16 || transposed || inst->operands[data].sdwa_sel >= 16;
        if (dwords != wanted && !odd)
            fail_msg("%s: %u bytes in %u registers", text, m.bytes, dwords);
    }
}

static void on_all_vectors(void **state)
{
    static const char *const files[] = { "scalar", "vector", "packed", "memory", "rare" };
    unsigned long count = 0, memory = 0;
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char path[64], line[1024];
        snprintf(path, sizeof path, "tests/unit/isa/%s.case", files[f]);
        FILE *in = fopen(path, "r");
        assert_non_null(in);
        while (fgets(line, sizeof line, in)) {
            char *name = strtok(line, " "), *word;
            uint32_t words[CODEOBJ_ISA_WORDS_MAX] = { 0 };
            unsigned n = 0, wave = 0;
            struct codeobj_isa_inst inst;
            char text[512];
            if (!name || *name == '#' || *name == '\n')
                continue;
            char *slash = strchr(name, '/'), *at = strchr(name, '@'); /* NAME@MSB: see test_isa_text.c */
            if (at)
                *at = 0;
            if (slash) {
                *slash = 0;
                wave = (unsigned)strtoul(slash + 1, NULL, 10);
            }
            while (n < CODEOBJ_ISA_WORDS_MAX && (word = strtok(NULL, " ")) && *word != '|')
                words[n++] = (uint32_t)strtoul(word, NULL, 16);
            struct codeobj_isa *isa = decoder(name, wave);
            if (codeobj_isa_decode(isa, words, 4u * n, &inst, NULL) == CODEOBJ_OK) {
                struct codeobj_isa_memory m;
                codeobj_isa_print(isa, &inst, text, sizeof text);
                check_registers(isa, &inst, text);
                check_memory(isa, &inst, text);
                count++;
                memory += codeobj_isa_memory(isa, &inst, &m);
            }
            codeobj_isa_free(isa);
        }
        fclose(in);
    }
    assert_in_range(count, 5000, 1000000);
    assert_in_range(memory, 1500, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(on_all_vectors) };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

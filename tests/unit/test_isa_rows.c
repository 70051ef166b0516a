/* SPDX-License-Identifier: MIT
 *
 * The instruction table walked in every direction: each row is found where it
 * says it is, and no two rows claim the same opcode of one processor.
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

#include "isa/row.h"

enum { SLOTS = 4096 };

static void one_row_per_opcode(void **state)
{
    (void)state;
    for (size_t p = 0; codeobj_processor_at(p); p++) {
        const struct codeobj_processor *processor = codeobj_processor_at(p);
        struct codeobj_isa *isa;
        if (codeobj_isa_new(processor, NULL, &isa, NULL) != CODEOBJ_OK)
            continue;
        static uint16_t owner[CODEOBJ_FMT_COUNT][SLOTS];
        memset(owner, 0, sizeof owner);
        for (unsigned r = 1; r < codeobj_isa_row_count(); r++) {
            int op = codeobj_isa_row_opcode(isa, r);
            unsigned format = codeobj_isa_row_format(r);
            if (op < 0)
                continue;
            assert_in_range(op, 0, SLOTS - 1);
            if (owner[format][op])
                fail_msg("%s: %s and %s both have opcode %d of %s", processor->name, codeobj_isa_row_mnemonic(r),
                         codeobj_isa_row_mnemonic(owner[format][op]), op, codeobj_isa_format_name(format));
            owner[format][op] = (uint16_t)r;
        }
        codeobj_isa_free(isa);
    }
}

/* Every row belongs to some processor, and has semantics or a reason. */
static void rows_are_reachable(void **state)
{
    (void)state;
    assert_in_range(codeobj_isa_row_count(), 1000, 8192);
    for (unsigned r = 1; r < codeobj_isa_row_count(); r++) {
        bool found = false;
        for (size_t p = 0; codeobj_processor_at(p) && !found; p++) {
            const struct codeobj_processor *processor = codeobj_processor_at(p);
            if (processor->gen >= CODEOBJ_GEN_GFX6)
                found = co_isa_needs(co_isa_rows[r].needs, processor) &&
                        co_isa_rows[r].op[processor->gen - CODEOBJ_GEN_GFX6] >= 0;
        }
        if (!found)
            fail_msg("row %u (%s) is on no processor", r, codeobj_isa_row_mnemonic(r));
        bool semantic = codeobj_isa_row_semantic(r)[0] != 0, reason = codeobj_isa_row_reason(r)[0] != 0;
        if (semantic == reason)
            fail_msg("row %u (%s): semantics and reason", r, codeobj_isa_row_mnemonic(r));
    }
}

/* Rows of one meaning read and write the same registers without an operand, in whatever encoding. */
static void same_meaning_same_registers(void **state)
{
    static const struct co_isa_row *first[8192];
    const uint32_t implicit = CO_ROW_RSCC | CO_ROW_WSCC | CO_ROW_RVCC | CO_ROW_WVCC | CO_ROW_REXEC | CO_ROW_WEXEC | CO_ROW_RMODE |
                              CO_ROW_WMODE | CO_ROW_RM0 | CO_ROW_WM0;
    (void)state;
    for (unsigned r = 1; r < codeobj_isa_row_count(); r++) {
        const struct co_isa_row *row = &co_isa_rows[r];
        if (row->format >= CODEOBJ_FMT_DS) /* their flags are others */
            continue;
        if (!first[row->sem])
            first[row->sem] = row;
        /* VCC is an operand of the short compares and carries, and has a flag in VOPD alone. */
        uint32_t differ = (row->flags ^ first[row->sem]->flags) & implicit & ~(uint32_t)(CO_ROW_RVCC | CO_ROW_WVCC);
        if (differ)
            fail_msg("%s and %s do the same, and touch other registers: flags 0x%x", row->mnemonic, first[row->sem]->mnemonic,
                     (unsigned)differ);
    }
}

/* ---- from a row to words and back ---------------------------------------------- */

/* Source codes of the row's operands, v0 or s0; the fields are those of VOP3. */
static uint32_t sources(const struct co_isa_row *row)
{
    uint32_t w = 0;
    unsigned n = 0;
    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++) {
        unsigned kind = row->ops[i].kind;
        if (kind == CO_OPK_MI)
            continue;
        bool vector = kind == CO_OPK_S || kind == CO_OPK_V || kind == CO_OPK_VL || (kind >= CO_OPK_AS && kind <= CO_OPK_AIDX) ||
                      kind == CO_OPK_WIDX || kind == CO_OPK_ASRC;
        if (vector)
            w |= 256u << 9 * n;
        if (vector || kind == CO_OPK_L)
            n++;
    }
    return w;
}

static bool has(const struct co_isa_row *row, enum co_opk kind)
{
    for (unsigned i = 0; i < CO_ISA_OPSPECS && row->ops[i].kind; i++)
        if (row->ops[i].kind == kind)
            return true;
    return false;
}

/* The plainest encoding of a short or only form; 0 words for formats of other files. */
static unsigned encode(unsigned gen, const struct co_isa_row *row, uint32_t op, uint32_t w[5])
{
    bool g10 = gen >= CODEOBJ_GEN_GFX10, g12 = gen >= CODEOBJ_GEN_GFX12;
    memset(w, 0, 5 * sizeof *w);
    switch (row->format) {
    case CODEOBJ_FMT_SOP2: w[0] = 0x80000000 | op << 23; break;
    case CODEOBJ_FMT_SOPK: w[0] = 0xb0000000 | op << 23; break;
    case CODEOBJ_FMT_SOP1: w[0] = 0xbe800000 | op << 8; break;
    case CODEOBJ_FMT_SOPC: w[0] = 0xbf000000 | op << 16; break;
    case CODEOBJ_FMT_SOPP: w[0] = 0xbf800000 | op << 16; break;
    case CODEOBJ_FMT_SMEM:
        if (gen <= CODEOBJ_GEN_GFX7) {
            w[0] = 0xc0000000 | op << 22 | 0x100;
            return 1;
        }
        w[0] = (g10 ? 0xf4000000 : 0xc0000000) | op << (g12 ? 13 : 18);
        w[1] = g10 ? (gen >= CODEOBJ_GEN_GFX11 ? 124u : 125u) << 25 : 0;
        return 2;
    case CODEOBJ_FMT_VOP1: w[0] = 0x7e000000 | op << 9 | (sources(row) & 511); break;
    case CODEOBJ_FMT_VOP2: w[0] = op << 25 | (sources(row) & 511); break;
    case CODEOBJ_FMT_VOPC: w[0] = 0x7c000000 | op << 17 | 256; break;
    case CODEOBJ_FMT_VOP3:
        w[0] = (g10 ? 0xd4000000 : 0xd0000000) | op << (gen <= CODEOBJ_GEN_GFX7 ? 17 : 16);
        w[1] = has(row, CO_OPK_ATTR) ? 256u << 9 | 256u << 18 : sources(row);
        return 2;
    case CODEOBJ_FMT_VOP3P:
        if (gen == CODEOBJ_GEN_GFX9 && op >= 0x80) /* the second half of a scaled MFMA */
            return 0;
        if (op >= 0x100) /* of a scaled WMMA */
            return 0;
        if (row->flags & CO_ROW_WMMA && !row->ops[2].kind) { /* scales of a WMMA */
            w[0] = 0xcc000000 | op << 16;
            w[1] = sources(row) | 256u << 18;
            return 2;
        }
        w[0] = (gen == CODEOBJ_GEN_GFX9 ? 0xd3800000 : 0xcc000000) | op << 16 | (row->flags & (CO_ROW_MAI | CO_ROW_REUSE) ? 0 : 0x4000);
        w[1] = sources(row) | (row->flags & CO_ROW_MAI ? 0 : 0x18000000);
        return 2;
    case CODEOBJ_FMT_VINTRP:
        w[0] = (gen == CODEOBJ_GEN_GFX8 || gen == CODEOBJ_GEN_GFX9 ? 0xd4000000 : 0xc8000000) | op << 16;
        return 1;
    case CODEOBJ_FMT_VINTERP:
        w[0] = 0xcd000000 | op << 16;
        w[1] = sources(row);
        return 2;
    case CODEOBJ_FMT_LDSDIR:
        w[0] = 0xce000000 | op << 20;
        return 1;
    default:
        return 0;
    }
    return has(row, CO_OPK_K) ? row->ops[0].type == CODEOBJ_TYPE_F64 ? 3 : 2 : 1;
}

/* The long form of a short vector instruction. */
static unsigned encode_long(unsigned gen, const struct co_isa_row *row, uint32_t op, uint32_t w[5])
{
    struct co_isa_row as_vop3 = *row;
    if (row->flags & CO_ROW_NO64)
        return 0;
    switch (row->format) {
    case CODEOBJ_FMT_VOP1: op += gen == CODEOBJ_GEN_GFX8 || gen == CODEOBJ_GEN_GFX9 ? 0x140 : 0x180; break;
    case CODEOBJ_FMT_VOP2: op += 0x100; break;
    case CODEOBJ_FMT_VOPC: break;
    default: return 0;
    }
    as_vop3.format = CODEOBJ_FMT_VOP3;
    unsigned n = encode(gen, &as_vop3, op, w);
    if (has(row, CO_OPK_MX) && gen >= CODEOBJ_GEN_GFX10)
        w[0] |= 126; /* EXEC */
    return n;
}

static void expect_row(const struct codeobj_isa *isa, unsigned r, const uint32_t *w, unsigned words)
{
    struct codeobj_isa_inst inst;
    struct codeobj_diag diag = { 0 };
    if (!words)
        return;
    if (codeobj_isa_decode(isa, w, 4u * words, &inst, &diag) != CODEOBJ_OK)
        fail_msg("%s: %s as %08x %08x: %s", codeobj_isa_processor(isa)->name, codeobj_isa_row_mnemonic(r), w[0], w[1], diag.text);
    if (inst.row != r || inst.size != 4 * words)
        fail_msg("%s: %s as %08x %08x gave %s, %u bytes", codeobj_isa_processor(isa)->name, codeobj_isa_row_mnemonic(r), w[0],
                 w[1], codeobj_isa_row_mnemonic(inst.row), inst.size);
}

static void rows_decode_from_their_encoding(void **state)
{
    (void)state;
    for (size_t p = 0; codeobj_processor_at(p); p++) {
        const struct codeobj_processor *processor = codeobj_processor_at(p);
        struct codeobj_isa *isa;
        if (codeobj_isa_new(processor, NULL, &isa, NULL) != CODEOBJ_OK)
            continue;
        for (unsigned r = 1; r < codeobj_isa_row_count(); r++) {
            int op = codeobj_isa_row_opcode(isa, r);
            uint32_t w[5];
            if (op < 0)
                continue;
            expect_row(isa, r, w, encode(processor->gen, &co_isa_rows[r], (uint32_t)op, w));
            expect_row(isa, r, w, encode_long(processor->gen, &co_isa_rows[r], (uint32_t)op, w));
        }
        codeobj_isa_free(isa);
    }
}

/* Random words never make the decoder or the printer leave their buffers, and what
 * comes out is in range (with AddressSanitizer this means more). */
static void random_words(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252ull;
    for (size_t p = 0; codeobj_processor_at(p); p++) {
        struct codeobj_isa *isa;
        if (codeobj_isa_new(codeobj_processor_at(p), NULL, &isa, NULL) != CODEOBJ_OK)
            continue;
        for (unsigned k = 0; k < 20000; k++) {
            uint8_t bytes[20];
            for (unsigned i = 0; i < sizeof bytes; i++) {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                bytes[i] = (uint8_t)(seed >> 24);
            }
            size_t size = k % (sizeof bytes + 1);
            uint8_t *exact = malloc(size + 1); /* reads past the end are seen */
            assert_non_null(exact);
            memcpy(exact, bytes, size);
            struct codeobj_isa_inst inst;
            char text[1024];
            bool ok = codeobj_isa_decode(isa, exact, size, &inst, NULL) == CODEOBJ_OK;
            assert_true(inst.size <= size);
            assert_true(codeobj_isa_print(isa, &inst, text, sizeof text) < sizeof text);
            assert_true(ok == (inst.row != 0));
            assert_true(inst.operand_count <= CODEOBJ_ISA_OPERANDS_MAX);
            for (unsigned i = 0; i < inst.operand_count; i++) {
                assert_true(inst.operands[i].kind < CODEOBJ_OPERAND_KIND_COUNT);
                assert_true(inst.operands[i].role < CODEOBJ_ROLE_COUNT);
                assert_true(inst.operands[i].type < CODEOBJ_TYPE_COUNT);
            }
            free(exact);
        }
        codeobj_isa_free(isa);
    }
}

static void facts_from_the_manuals(void **state)
{
    (void)state;
    struct codeobj_isa *isa;
    assert_int_equal(codeobj_isa_new(codeobj_processor_by_name("gfx900"), NULL, &isa, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_isa_wave(isa), 64);
    unsigned seen = 0;
    for (unsigned r = 1; r < codeobj_isa_row_count(); r++) {
        const char *m = codeobj_isa_row_mnemonic(r);
        int op = codeobj_isa_row_opcode(isa, r);
        if (!strcmp(m, "v_add_f32")) {
            assert_int_equal(op, 1);
            seen++;
        }
        if (!strcmp(m, "s_load_dwordx4")) {
            assert_int_equal(op, 2);
            seen++;
        }
        if (!strcmp(m, "v_mfma_f32_4x4x1f32"))
            assert_int_equal(op, -1);
        /* renamed on gfx11, same meaning */
        if (!strcmp(m, "s_ctz_i32_b32")) {
            assert_string_equal(codeobj_isa_row_semantic(r), "s_ff1_i32_b32");
            seen++;
        }
    }
    assert_int_equal(seen, 3);
    codeobj_isa_free(isa);
}

static void where_control_goes(void **state)
{
    (void)state;
    struct codeobj_isa *isa;
    struct codeobj_isa_inst inst;
    uint64_t target = 0;
    const uint32_t branch = 0xbf82fffe, add = 0x80000201, cbranch = 0xbf840001, endpgm = 0xbf810000, vadd = 0x02000501;
    assert_int_equal(codeobj_isa_new(codeobj_processor_by_name("gfx900"), NULL, &isa, NULL), CODEOBJ_OK);

    assert_int_equal(codeobj_isa_decode(isa, &branch, 4, &inst, NULL), CODEOBJ_OK);
    assert_true(codeobj_isa_is_terminator(&inst));
    assert_true(codeobj_isa_branch_target(&inst, 0x1000, &target));
    assert_int_equal(target, 0xffc); /* -2 dwords from the end */

    assert_int_equal(codeobj_isa_decode(isa, &cbranch, 4, &inst, NULL), CODEOBJ_OK);
    assert_true(codeobj_isa_is_terminator(&inst));
    assert_int_equal(codeobj_isa_implicit(&inst), CODEOBJ_IMPLICIT_READS_SCC);

    assert_int_equal(codeobj_isa_decode(isa, &endpgm, 4, &inst, NULL), CODEOBJ_OK);
    assert_true(codeobj_isa_is_terminator(&inst));
    assert_false(codeobj_isa_branch_target(&inst, 0x1000, &target));

    assert_int_equal(codeobj_isa_decode(isa, &add, 4, &inst, NULL), CODEOBJ_OK);
    assert_false(codeobj_isa_is_terminator(&inst));
    assert_int_equal(codeobj_isa_implicit(&inst), CODEOBJ_IMPLICIT_WRITES_SCC);

    assert_int_equal(codeobj_isa_decode(isa, &vadd, 4, &inst, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_isa_implicit(&inst), CODEOBJ_IMPLICIT_READS_EXEC | CODEOBJ_IMPLICIT_READS_MODE);
    codeobj_isa_free(isa);
}

static void new_checks_its_arguments(void **state)
{
    (void)state;
    struct codeobj_isa *isa = NULL;
    struct codeobj_isa_options wave32 = { .size = sizeof wave32, .wave = 32 }, wave48 = { .size = sizeof wave48, .wave = 48 };
    const struct codeobj_processor *gfx900 = codeobj_processor_by_name("gfx900");
    assert_int_equal(codeobj_isa_new(NULL, NULL, &isa, NULL), CODEOBJ_INVALID);
    assert_int_equal(codeobj_isa_new(codeobj_processor_by_name("r600"), NULL, &isa, NULL), CODEOBJ_UNSUPPORTED);
    assert_int_equal(codeobj_isa_new(gfx900, &wave32, &isa, NULL), CODEOBJ_INVALID);
    assert_int_equal(codeobj_isa_new(gfx900, &wave48, &isa, NULL), CODEOBJ_INVALID);
    assert_null(isa);
    assert_int_equal(codeobj_isa_new(codeobj_processor_by_name("gfx1100"), &wave32, &isa, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_isa_wave(isa), 32);
    codeobj_isa_free(isa);
    codeobj_isa_free(NULL);
}

/* s_set_vgpr_msb lasts to the next branch, and over calls; the numbers are those of llvm-objdump. */
static void high_registers(void **state)
{
    (void)state;
    enum { SET = 0xbf8600e4, MOV = 0x7e000301, CALL = 0xba000000, BRANCH = 0xbfa00000, CBRANCH = 0xbfa10000, END = 0xbfb00000 };
    static const struct {
        uint32_t word;
        unsigned dst; /* of v_mov_b32 v0, v1 behind it */
    } steps[] = { { SET, 768 }, { CALL, 768 }, { BRANCH, 0 }, { SET, 768 }, { CBRANCH, 0 }, { SET, 768 }, { END, 0 },
                  { SET, 768 }, { 0xffffffff, 0 }, { 0xbf86ff40, 256 }, { 0xbf860000, 0 } };
    struct codeobj_isa *isa = NULL, *old = NULL;
    struct codeobj_isa_state at = { 0 };
    struct codeobj_isa_inst inst;
    const uint32_t mov = MOV;
    assert_int_equal(codeobj_isa_new(codeobj_processor_by_name("gfx1250"), NULL, &isa, NULL), CODEOBJ_OK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        codeobj_isa_decode_next(isa, &at, &steps[i].word, 4, &inst, NULL);
        assert_int_equal(codeobj_isa_decode_next(isa, &at, &mov, 4, &inst, NULL), CODEOBJ_OK);
        assert_int_equal(inst.operands[0].reg, steps[i].dst);
        assert_int_equal(inst.operands[1].reg, 1);
    }
    /* Other processors have no such state. */
    at.vgpr_msb = 0xff;
    assert_int_equal(codeobj_isa_new(codeobj_processor_by_name("gfx1200"), NULL, &old, NULL), CODEOBJ_OK);
    assert_int_equal(codeobj_isa_decode_next(old, &at, &mov, 4, &inst, NULL), CODEOBJ_OK);
    assert_int_equal(inst.operands[0].reg, 0);
    codeobj_isa_free(isa);
    codeobj_isa_free(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(high_registers),
        cmocka_unit_test(one_row_per_opcode), cmocka_unit_test(same_meaning_same_registers),
        cmocka_unit_test(rows_are_reachable),
        cmocka_unit_test(rows_decode_from_their_encoding),
        cmocka_unit_test(random_words),
        cmocka_unit_test(facts_from_the_manuals),
        cmocka_unit_test(where_control_goes),
        cmocka_unit_test(new_checks_its_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

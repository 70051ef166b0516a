/* SPDX-License-Identifier: MIT
 *
 * Decode plans beside the decode functions: whatever a plan takes, the function of
 * the format reads in the same way, byte for byte; and text from tables beside
 * decoding and printing.  Words of every encoding on every
 * processor; few set bits and many, since plans take what is plain.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/text.h"

enum { FILLINGS = 300 };

static uint32_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)((z ^ (z >> 27)) >> 20);
}

/* The top nine bits are given.  Of the others few or many are set; the bits that the plan there calls reserved seldom. */
static void fill(const struct codeobj_isa *isa, uint8_t code[16], unsigned top, unsigned kind, uint64_t *seed)
{
    const struct co_plans *plans = isa->plans;
    uint32_t w[4];

    for (unsigned i = 0; i < 4; i++) {
        w[i] = next(seed);
        for (unsigned more = kind % 3; more; more--)
            w[i] &= next(seed);
    }
    w[0] = (w[0] & 0x7fffff) | top << 23;
    if (kind & 16) /* a literal or a constant */
        w[0] |= next(seed) & 1 ? 0xff : 0x80;
    if (kind & 32) /* no scalar address, no offset */
        w[1] = (w[1] & 0xff80ffff) | (uint32_t)isa->mem.scalar_off << 16;
    if (kind & 64)
        w[1] = (w[1] & 0x01ffffff) | (uint32_t)isa->mem.scalar_off << 25;
    const struct co_plan_top *at = &plans->top[top];
    unsigned number = plans->at[at->first + (w[0] >> at->shift & at->mask)];
    if (number && kind % 8) {
        w[0] &= ~(uint32_t)plans->plan[number].reserved;
        w[1] &= ~(uint32_t)(plans->plan[number].reserved >> 32);
    }
    for (unsigned i = 0; i < 4; i++)
        co_store32(code + 4 * i, w[i]);
}

/* Is there a plan that takes these words, if their operands are plain? */
static bool has_plan(const struct codeobj_isa *isa, const uint8_t *code)
{
    const struct co_plan_top *at = &isa->plans->top[co_load32(code) >> 23];
    const struct co_plan *plan = &isa->plans->plan[isa->plans->at[at->first + (co_load32(code) >> at->shift & at->mask)]];

    return plan->inst.size && !(co_load64(code) & plan->reserved);
}

static void same(const struct codeobj_isa *isa, const uint8_t *code, enum codeobj_status status, const struct codeobj_isa_inst *inst)
{
    struct codeobj_isa_inst careful, fast = *inst;

    if (co_decode_careful(isa, code, 16, &careful, NULL) != status || fast.size != careful.size)
        fail_msg("%s wave%u: %08x %08x: another size or status", isa->processor->name, isa->wave, (unsigned)co_load32(code),
                 (unsigned)co_load32(code + 4));
    for (unsigned i = fast.size / 4; i < CODEOBJ_ISA_WORDS_MAX; i++)
        fast.words[i] = careful.words[i];
    if (memcmp(&fast, &careful, offsetof(struct codeobj_isa_inst, operands)) ||
        memcmp(fast.operands, careful.operands, careful.operand_count * sizeof careful.operands[0]))
        fail_msg("%s wave%u: %08x %08x: %s", isa->processor->name, isa->wave, (unsigned)co_load32(code),
                 (unsigned)co_load32(code + 4), co_isa_rows[careful.row].mnemonic);
}

/* codeobj_isa_disassemble() beside its two halves.  True when the text came from the tables. */
static bool same_text(const struct codeobj_isa *isa, const uint8_t *code, uint8_t vgpr_msb)
{
    struct codeobj_isa_state one = { vgpr_msb }, two = one;
    struct codeobj_isa_inst inst;
    struct codeobj_isa_text text;
    struct codeobj_diag diag = { 0 }, other = { 0 };
    char got[4096], want[4096];
    enum codeobj_status status = codeobj_isa_decode_next(isa, &two, code, 16, &inst, &other);
    uint64_t target = 0;

    memset(&text, 0xa5, sizeof text);
    assert_int_equal(codeobj_isa_disassemble(isa, &one, code, 16, got, sizeof got, &text, &diag), status);
    assert_int_equal(one.vgpr_msb, two.vgpr_msb);
    assert_int_equal(text.size, inst.size);
    if (status != CODEOBJ_OK) {
        assert_string_equal(diag.text, other.text);
        return false;
    }
    assert_int_equal(codeobj_isa_print(isa, &inst, want, sizeof want), text.length);
    assert_string_equal(got, want);
    assert_int_equal(text.format, inst.format);
    assert_int_equal(text.verdict, inst.verdict);
    assert_int_equal(text.has_distance, codeobj_isa_branch_target(&inst, 0, &target));
    if (text.has_distance)
        assert_int_equal(target, (uint64_t)text.distance + inst.size);
    /* Little room: cut, as by codeobj_isa_print(). */
    assert_int_equal(codeobj_isa_disassemble(isa, &one, code, 16, got, 6, &text, NULL), CODEOBJ_OK);
    assert_int_equal(text.length, strlen(want));
    assert_int_equal(strlen(got), text.length < 5 ? text.length : 5);
    return isa->texts->text[isa->plans->at[isa->plans->top[co_load32(code) >> 23].first +
                                           (co_load32(code) >> isa->plans->top[co_load32(code) >> 23].shift &
                                            isa->plans->top[co_load32(code) >> 23].mask)]].kind;
}

static void one_processor(void **state)
{
    const struct codeobj_processor *processor = *state;
    uint64_t seed = processor->mach;
    uint8_t code[16];

    for (unsigned wave = 32; wave <= 64; wave += 32) {
        struct codeobj_isa_options options = { .size = sizeof options, .wave = (uint8_t)wave };
        struct codeobj_isa *isa;
        unsigned taken = 0, texts = 0, formats = 0;

        if (codeobj_isa_new(processor, &options, &isa, NULL) != CODEOBJ_OK)
            continue;
        bool wide = isa->wide;
        for (unsigned top = 0; top < 512; top++)
            for (unsigned i = 0; i < FILLINGS; i++) {
                struct codeobj_isa_inst inst;

                fill(isa, code, top, i, &seed);
                isa->wide = wide && i % 4; /* both copies */
                memset(&inst, 0xa5, sizeof inst);
                same(isa, code, codeobj_isa_decode(isa, code, sizeof code, &inst, NULL), &inst);
                texts += i % 3 == 0 && same_text(isa, code, i % 16 ? 0 : (uint8_t)next(&seed));
                if (has_plan(isa, code)) {
                    taken++;
                    formats |= 1u << inst.format;
                }
            }
        /* Plans are there for scalar, vector and LDS instructions of all, for the rest where it is worth while. */
        assert_true(taken > 512 * FILLINGS / 10);
        assert_true(texts > 512 * FILLINGS / 40);
        assert_true(formats & 1u << CODEOBJ_FMT_SOP2 && formats & 1u << CODEOBJ_FMT_VOP1 && formats & 1u << CODEOBJ_FMT_VOPC);
        if (processor->gen >= CODEOBJ_GEN_GFX9 && processor->gen <= CODEOBJ_GEN_GFX11)
            assert_true(formats & 1u << CODEOBJ_FMT_GLOBAL && formats & 1u << CODEOBJ_FMT_MUBUF && formats & 1u << CODEOBJ_FMT_SMEM);
        codeobj_isa_free(isa);
    }
}

int main(void)
{
    struct CMUnitTest tests[128];
    const struct codeobj_processor *p;
    size_t count = 0;

    for (size_t i = 0; (p = codeobj_processor_at(i)) && count < 128; i++)
        if (p->gen >= CODEOBJ_GEN_GFX6)
            tests[count++] = (struct CMUnitTest){ p->name, one_processor, NULL, NULL, (void *)(uintptr_t)p };
    return _cmocka_run_group_tests("isa plan", tests, count, NULL, NULL) != 0;
}

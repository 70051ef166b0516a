/* SPDX-License-Identifier: MIT
 *
 * Random words on every processor: nothing is read behind the bytes given (their
 * buffer ends with them, for the sanitizers), sizes and enumerators are in range,
 * decoding cut bytes fails, and the text fits and is terminated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <codeobj/isa.h>

static uint32_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)((z ^ (z >> 27)) >> 20);
}

static void check_instruction(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, size_t given)
{
    char text[4096], small[7];
    size_t length;

    assert_true(inst->size >= 4 && inst->size <= 20 && inst->size % 4 == 0 && inst->size <= given);
    assert_true(inst->row > 0 && inst->row < codeobj_isa_row_count());
    assert_true(inst->format > CODEOBJ_FMT_NONE && inst->format < CODEOBJ_FMT_COUNT);
    assert_true(inst->encoding < CODEOBJ_ENC_COUNT);
    assert_true(inst->verdict <= CODEOBJ_VERDICT_INVALID); /* INVALID: an operand that cannot be, shown as LLVM does */
    assert_true(inst->operand_count <= CODEOBJ_ISA_OPERANDS_MAX);
    for (unsigned i = 0; i < inst->operand_count; i++) {
        const struct codeobj_isa_operand *o = &inst->operands[i];

        assert_true(o->kind < CODEOBJ_OPERAND_KIND_COUNT && o->role < CODEOBJ_ROLE_COUNT && o->type < CODEOBJ_TYPE_COUNT);
        assert_true(o->kind != CODEOBJ_OPERAND_SGPR || o->reg < 128);
        assert_true(o->kind != CODEOBJ_OPERAND_AGPR || o->reg < 256);
        assert_true(o->kind != CODEOBJ_OPERAND_VGPR || o->reg < 1024);
    }
    struct codeobj_isa_access *list = malloc(CODEOBJ_ISA_ACCESSES_MAX * sizeof *list);
    struct codeobj_isa_memory memory;
    uint64_t target;
    size_t accesses;

    assert_non_null(list);
    accesses = codeobj_isa_registers(isa, inst, list, CODEOBJ_ISA_ACCESSES_MAX);
    assert_true(accesses <= CODEOBJ_ISA_ACCESSES_MAX);
    for (size_t i = 0; i < accesses; i++)
        assert_true(list[i].operand < inst->operand_count && list[i].count > 0);
    free(list);
    if (codeobj_isa_memory(isa, inst, &memory))
        assert_true(memory.dst < inst->operand_count && memory.data < inst->operand_count && memory.data1 < inst->operand_count &&
                    memory.addr + memory.addr_count <= inst->operand_count && memory.saddr < inst->operand_count &&
                    memory.rsrc < inst->operand_count && memory.soffset < inst->operand_count);
    codeobj_isa_branch_target(inst, 0, &target);
    codeobj_isa_implicit(inst);
    codeobj_isa_is_terminator(inst);
    length = codeobj_isa_print(isa, inst, text, sizeof text);
    assert_true(length > 0 && length < sizeof text);
    assert_int_equal(strlen(text), length);
    /* Cut, the text is a beginning of itself. */
    assert_int_equal(codeobj_isa_print(isa, inst, small, sizeof small), length);
    assert_int_equal(strlen(small), length < 6 ? length : 6);
    assert_memory_equal(small, text, strlen(small));
}

/* codeobj_isa_disassemble() reads the same bytes, and writes no more than it may. */
static void check_text(const struct codeobj_isa *isa, const uint8_t *bytes, size_t size, enum codeobj_status status, size_t took,
                       uint64_t *seed)
{
    struct codeobj_isa_state state = {next(seed) % 4 ? 0 : (uint8_t)next(seed)};
    size_t room = next(seed) % 2 ? 4096 : next(seed) % 40;
    char *text = malloc(room ? room : 1);
    struct codeobj_isa_text out;

    assert_non_null(text);
    assert_int_equal(codeobj_isa_disassemble(isa, &state, bytes, size, text, room, &out, NULL), status);
    assert_int_equal(out.size, took);
    if (status == CODEOBJ_OK && room)
        assert_int_equal(strlen(text), out.length < room ? out.length : room - 1);
    free(text);
}

static void random_words(void **state)
{
    const struct codeobj_processor *processor = *state;
    uint64_t seed = processor->mach;

    for (unsigned wave = 32; wave <= 64; wave += 32) {
        struct codeobj_isa_options options = {.size = sizeof options, .wave = (uint8_t)wave};
        struct codeobj_isa *isa;

        if (codeobj_isa_new(processor, &options, &isa, NULL) != CODEOBJ_OK)
            continue;
        for (unsigned i = 0; i < 4000; i++) {
            size_t size = i % 4 ? 20 : 1 + next(&seed) % 20;
            uint8_t *bytes = malloc(size);
            struct codeobj_isa_inst inst;
            enum codeobj_status status;

            assert_non_null(bytes);
            for (size_t k = 0; k < size; k++)
                bytes[k] = (uint8_t)next(&seed);
            if (i % 3 == 0 && size >= 4)
                bytes[3] |= 0xc0; /* the long formats begin there */
            status = codeobj_isa_decode(isa, bytes, size, &inst, NULL);
            check_text(isa, bytes, size, status, inst.size, &seed);
            if (status == CODEOBJ_OK) {
                uint8_t *cut = malloc(inst.size);
                struct codeobj_isa_inst again;

                check_instruction(isa, &inst, size);
                assert_non_null(cut);
                memcpy(cut, bytes, inst.size);
                /* Its own bytes are enough, less are not (or are another, shorter one's). */
                assert_int_equal(codeobj_isa_decode(isa, cut, inst.size, &again, NULL), CODEOBJ_OK);
                assert_int_equal(again.size, inst.size);
                assert_int_equal(again.row, inst.row);
                if (codeobj_isa_decode(isa, cut, inst.size - 4u, &again, NULL) == CODEOBJ_OK)
                    assert_true(again.size < inst.size);
                free(cut);
            } else {
                assert_int_equal(status, CODEOBJ_MALFORMED);
                assert_int_equal(inst.size, size < 4 ? size : 4);
            }
            free(bytes);
        }
        codeobj_isa_free(isa);
    }
}

int main(void)
{
    struct CMUnitTest tests[128];
    const struct codeobj_processor *p;
    size_t count = 0;

    for (size_t i = 0; (p = codeobj_processor_at(i)) && count < 128; i++)
        if (p->gen != CODEOBJ_GEN_R600)
            tests[count++] = (struct CMUnitTest){p->name, random_words, NULL, NULL, (void *)(uintptr_t)p};
    int failed = _cmocka_run_group_tests("random words", tests, count, NULL, NULL);
    return failed != 0;
}

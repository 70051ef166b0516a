/* SPDX-License-Identifier: MIT
 *
 * Every instruction that has semantics is run by a test with expected values, and each that has none says why: a line of
 * tests/unit/exec/NAME.cases (test_exec_cases.c), or a kernel of fixtures/memory (test_exec_memory.c), fixtures/machine
 * (test_exec_machine.c) or fixtures/lanes (test_lanes_proof.c, test_matrix_proof.c).  Rows of the instruction table count, not semantics: a global atomic does not
 * stand for the buffer atomic of the same meaning.
 */
#include <codeobj/codeobj.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const processors[] = { "gfx803",  "gfx900",  "gfx906",  "gfx908",  "gfx90a",  "gfx942",  "gfx950",
                                          "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1201", "gfx1250" };
enum { PROCESSORS = sizeof processors / sizeof *processors, GFX10 = 7 };
static struct codeobj_isa *decoder[PROCESSORS], *decoder64[PROCESSORS]; /* the latter from gfx10 on */
static unsigned *seen; /* by row */

static int open_decoders(void **state)
{
    (void)state;
    seen = calloc(codeobj_isa_row_count(), sizeof *seen);
    const struct codeobj_isa_options wave64 = { .size = sizeof wave64, .wave = 64 };
    for (unsigned p = 0; p < PROCESSORS; p++) {
        const struct codeobj_processor *processor = codeobj_processor_by_name(processors[p]);
        if (codeobj_isa_new(processor, NULL, &decoder[p], NULL) != CODEOBJ_OK)
            return -1;
        if (p >= GFX10 && codeobj_isa_new(processor, &wave64, &decoder64[p], NULL) != CODEOBJ_OK)
            decoder64[p] = NULL; /* gfx1250 */
    }
    return seen ? 0 : -1;
}

static int close_decoders(void **state)
{
    (void)state;
    for (unsigned p = 0; p < PROCESSORS; p++) {
        codeobj_isa_free(decoder[p]);
        codeobj_isa_free(decoder64[p]);
    }
    free(seen);
    return 0;
}

static struct codeobj_isa *decoder_of(const char *name)
{
    const size_t length = strcspn(name, "-."); /* "gfx1030-w64", also in names of files */
    for (unsigned p = 0; p < PROCESSORS; p++)
        if (strncmp(name, processors[p], length) == 0 && !processors[p][length])
            return decoder64[p] && strncmp(name + length, "-w64", 4) == 0 ? decoder64[p] : decoder[p];
    return NULL;
}

static void count(struct codeobj_isa *isa, const uint8_t *code, size_t size)
{
    struct codeobj_isa_inst inst;
    for (size_t at = 0; at < size; at += inst.size) {
        if (codeobj_isa_decode(isa, code + at, size - at, &inst, NULL) != CODEOBJ_OK)
            inst.size = 4;
        else
            seen[inst.row]++, seen[inst.row_y]++; /* the second half of VOPD; else 0, which is no row */
    }
}

/* "hex gfx900 gfx90a : 0123abcd / ..." */
static void count_line(char *line)
{
    uint32_t words[64];
    unsigned n = 0;
    char *colon = strchr(line, ':'), *save = NULL;
    if (!colon)
        return;
    *colon = 0;
    for (char *w = strtok_r(colon + 1, " /\n", &save); w && n < 64; w = strtok_r(NULL, " /\n", &save))
        words[n++] = (uint32_t)strtoul(w, NULL, 16);
    for (char *t = strtok_r(line + 4, " ", &save); t; t = strtok_r(NULL, " ", &save)) {
        struct codeobj_isa *isa = decoder_of(t);
        if (isa)
            count(isa, (const uint8_t *)words, n * 4);
    }
}

static void count_cases(void)
{
    DIR *dir = opendir("tests/unit/exec");
    char path[300], line[4096];
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        size_t length = strlen(e->d_name);
        if (length < 6 || strcmp(e->d_name + length - 6, ".cases") != 0)
            continue;
        snprintf(path, sizeof path, "tests/unit/exec/%s", e->d_name);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        while (fgets(line, sizeof line, f))
            if (strncmp(line, "hex ", 4) == 0)
                count_line(line);
        fclose(f);
    }
    closedir(dir);
}

static void count_object(const char *path, struct codeobj_isa *isa)
{
    struct codeobj_elf *elf;
    struct codeobj_elf_section s;
    if (codeobj_elf_open_file(path, NULL, &elf, NULL) != CODEOBJ_OK)
        return;
    for (size_t i = 0; codeobj_elf_section(elf, i, &s) == CODEOBJ_OK; i++)
        if (s.flags & 4) { /* SHF_EXECINSTR */
            size_t size;
            const void *bytes = codeobj_elf_section_data(elf, i, &size);
            count(isa, bytes, size);
        }
    codeobj_elf_free(elf);
}

static void count_fixtures(const char *folder)
{
    DIR *dir = opendir(folder);
    char path[400];
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        const char *dash = strchr(e->d_name, '-');
        if (!dash || !decoder_of(dash + 1))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        count_object(path, decoder_of(dash + 1));
    }
    closedir(dir);
}

/* Rows of processors [first, end) without a test. */
static unsigned without_test(unsigned first, unsigned end)
{
    unsigned missing = 0, rows = 0;
    for (unsigned row = 1; row < codeobj_isa_row_count(); row++) {
        const char *on = NULL;
        for (unsigned p = first; p < end && !on; p++)
            if (codeobj_isa_row_opcode(decoder[p], row) >= 0)
                on = processors[p];
        if (!on || !codeobj_isa_row_semantic(row)[0])
            continue;
        rows++;
        if (seen[row])
            continue;
        print_message("# %s on %s: no test\n", codeobj_isa_row_mnemonic(row), on);
        missing++;
    }
    print_message("# %u rows, %u without a test\n", rows, missing);
    return missing;
}

static void every_row_is_run(void **state)
{
    (void)state;
    count_cases();
    count_fixtures("fixtures/memory");
    count_fixtures("fixtures/lanes");
    count_fixtures("fixtures/machine");
    assert_int_equal(without_test(1, GFX10), 0);
}

static void rows_of_gfx10_and_later(void **state)
{
    (void)state;
    assert_int_equal(without_test(GFX10, PROCESSORS), 0);
}

/* Lists what stops: rows without semantics, with the reason that a launch would give. */
static void rows_that_stop(void **state)
{
    (void)state;
    for (unsigned row = 1; row < codeobj_isa_row_count(); row++) {
        char where[PROCESSORS * 8] = "";
        for (unsigned p = 0; p < PROCESSORS; p++)
            if (codeobj_isa_row_opcode(decoder[p], row) >= 0)
                snprintf(where + strlen(where), sizeof where - strlen(where), " %s", processors[p] + 3);
        if (!*where || codeobj_isa_row_semantic(row)[0])
            continue;
        print_message("# %s on%s stops: %s\n", codeobj_isa_row_mnemonic(row), where, codeobj_isa_row_reason(row));
        assert_true(codeobj_isa_row_reason(row)[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_row_is_run), cmocka_unit_test(rows_of_gfx10_and_later),
                                        cmocka_unit_test(rows_that_stop) };
    return cmocka_run_group_tests_name("exec_coverage", tests, open_decoders, close_decoders) != 0;
}

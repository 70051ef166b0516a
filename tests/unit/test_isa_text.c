/* SPDX-License-Identifier: MIT
 *
 * Instructions as text: each line of tests/unit/isa/NAME.case is a test.
 *
 *     PROCESSOR[/WAVE][@MSB] DWORD... | TEXT  TEXT as LLVM 22 prints it, "-" when it is not an instruction, "- FIELD"
 *                                             with the field at fault,
 *                                             "~ TEXT" when it is not how an assembler encodes TEXT, "= TEXT"
 *                                             when it is;
 *                                             MSB: what s_set_vgpr_msb has set, in hexadecimal
 *
 * The texts are LLVM's; these vectors need no LLVM to be checked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <codeobj/isa.h>

static const char *const files[] = { "scalar", "vector", "packed", "memory", "rare", "explain" };

struct line {
    char *name, *processor, *text;
    bool dont_care, canonical;
    unsigned wave, words, msb;
    uint32_t word[CODEOBJ_ISA_WORDS_MAX];
};

static struct codeobj_isa *decoder(const struct line *l)
{
    struct codeobj_isa_options options = { .size = sizeof options, .wave = (uint8_t)l->wave };
    struct codeobj_isa *isa = NULL;
    const struct codeobj_processor *processor = codeobj_processor_by_name(l->processor);
    if (!processor || codeobj_isa_new(processor, &options, &isa, NULL) != CODEOBJ_OK)
        fail_msg("%s: no such processor or wave size", l->name);
    return isa;
}

static void check(void **state)
{
    const struct line *l = *state;
    struct codeobj_isa *isa = decoder(l);
    struct codeobj_isa_inst inst;
    uint8_t bytes[4 * CODEOBJ_ISA_WORDS_MAX];
    for (unsigned i = 0; i < l->words; i++)
        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + k] = (uint8_t)(l->word[i] >> 8 * k);

    struct codeobj_isa_state before = { (uint8_t)l->msb };
    struct codeobj_diag diag = { 0 };
    enum codeobj_status status = codeobj_isa_decode_next(isa, &before, bytes, 4 * l->words, &inst, &diag);
    if (*l->text == '-') {
        assert_int_equal(status, CODEOBJ_MALFORMED);
        if (l->text[1]) {
            diag.text[strcspn(diag.text, ":")] = 0;
            assert_string_equal(diag.text, l->text + 2);
        }
        assert_int_equal(inst.size, 4);
    } else {
        char text[512], small[8];
        assert_int_equal(status, CODEOBJ_OK);
        if (l->dont_care)
            assert_int_equal(inst.verdict, CODEOBJ_VERDICT_DONT_CARE);
        if (l->canonical)
            assert_int_equal(inst.verdict, CODEOBJ_VERDICT_CANONICAL);
        assert_int_equal(inst.size, 4 * l->words);
        size_t n = codeobj_isa_print(isa, &inst, text, sizeof text);
        assert_string_equal(text, l->text);
        assert_int_equal(n, strlen(text));
        /* cut, and still terminated */
        assert_int_equal(codeobj_isa_print(isa, &inst, small, sizeof small), n);
        assert_memory_equal(small, text, n < 7 ? n + 1 : 7);
        assert_int_equal(small[n < 7 ? n : 7], 0);
        /* One dword less is not this instruction; the first half of a scaled MFMA is one of its own, v_nop without its
         * control dword another v_nop. */
        if (l->words > 1 && codeobj_isa_decode(isa, bytes, 4 * l->words - 4, &inst, NULL) == CODEOBJ_OK)
            assert_true(inst.size <= 4 * l->words - 4);
    }
    codeobj_isa_free(isa);
}

/* Cuts a line up in place; false for blank lines and comments. */
static bool parse(char *s, const char *file, unsigned number, struct line *l)
{
    char *bar = strstr(s, " | ");
    s[strcspn(s, "\n")] = 0;
    if (!*s || *s == '#')
        return false;
    if (!bar)
        return false;
    memset(l, 0, sizeof *l);
    *bar = 0;
    l->dont_care = !strncmp(bar + 3, "~ ", 2);
    l->canonical = !strncmp(bar + 3, "= ", 2);
    l->text = strdup(bar + (l->dont_care || l->canonical ? 5 : 3));
    char *p = s + strcspn(s, " ");
    if (*p)
        *p++ = 0;
    char *at = strchr(s, '@'), *slash = strchr(s, '/');
    if (at) {
        *at = 0;
        l->msb = (unsigned)strtoul(at + 1, NULL, 16);
    }
    if (slash) {
        *slash = 0;
        l->wave = (unsigned)strtoul(slash + 1, NULL, 10);
    }
    l->processor = strdup(s);
    while (l->words < CODEOBJ_ISA_WORDS_MAX) {
        char *end;
        unsigned long v = strtoul(p, &end, 16);
        if (end == p)
            break;
        l->word[l->words++] = (uint32_t)v;
        p = end;
    }
    size_t n = strlen(file) + strlen(l->text) + strlen(l->processor) + 32;
    l->name = malloc(n);
    if (l->name)
        snprintf(l->name, n, "%s:%u %s %s", file, number, l->processor, l->text);
    return true;
}

int main(void)
{
    struct CMUnitTest *tests = NULL;
    struct line *lines = NULL;
    size_t count = 0, room = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char path[128], buf[1024];
        snprintf(path, sizeof path, "tests/unit/isa/%s.case", files[f]);
        FILE *in = fopen(path, "r");
        if (!in) {
            printf("not ok - %s: cannot be read\n", path);
            return 1;
        }
        for (unsigned number = 1; fgets(buf, sizeof buf, in); number++) {
            if (count == room) {
                room = room ? room * 2 : 256;
                lines = realloc(lines, room * sizeof *lines);
                if (!lines)
                    return 1;
            }
            count += parse(buf, files[f], number, &lines[count]);
        }
        fclose(in);
    }
    tests = calloc(count, sizeof *tests);
    if (!tests)
        return 1;
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){ lines[i].name, check, NULL, NULL, &lines[i] };
    int failed = _cmocka_run_group_tests("isa text", tests, count, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        free(lines[i].name);
        free(lines[i].processor);
        free(lines[i].text);
    }
    free(lines);
    free(tests);
    return failed != 0;
}

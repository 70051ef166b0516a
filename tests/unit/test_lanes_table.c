/* SPDX-License-Identifier: MIT
 *
 * Nothing is absent: the names below, fixtures/lanes/operations.list and the objects
 * beside it against each other, for every processor.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/codeobj.h>
#include <codeobj/subgroup.h>

#define DIR "fixtures/lanes/"

/* ---- what there has to be ------------------------------------------------------------ */

static const char *const required[] = {
    "readlane", "readfirstlane", "writelane",
    "dpp quad_perm", "dpp row_shl", "dpp row_shr", "dpp row_ror", "dpp row_mirror", "dpp row_half_mirror",
    "dpp wave_shl", "dpp wave_rol", "dpp wave_shr", "dpp wave_ror", "dpp row_bcast15", "dpp row_bcast31",
    "dpp row_share", "dpp row_xmask", "dpp row_newbcast", "dpp row mask", "dpp bank mask", "dpp fetch-inactive", "dpp8",
    "ds_swizzle quad", "ds_swizzle bitmask", "ds_swizzle rotate", "ds_swizzle fft",
    "ds_permute", "ds_bpermute", "ds_bpermute_fi",
    "permlane16", "permlanex16", "permlane16_var", "permlanex16_var", "permlane64", "permlane16_swap", "permlane32_swap",
    "ballot of 32", "ballot of 64", "inverse_ballot", "mbcnt_lo", "mbcnt_hi", "wave_id", "wave_barrier",
    "s_bcnt", "s_wqm", "s_quadmask", "s_bitreplicate",
    "wave_reduce add", "wave_reduce sub", "wave_reduce min", "wave_reduce max", "wave_reduce umin", "wave_reduce umax",
    "wave_reduce and", "wave_reduce or", "wave_reduce xor", "wave_reduce fadd", "wave_reduce fsub", "wave_reduce fmin",
    "wave_reduce fmax",
    "__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__ballot", "__any", "__all", "__activemask", "__match_any",
    "__match_all", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync", "__any_sync",
    "__all_sync", "__match_any_sync",
    "redfirstidx.32b",
    "wave rotation by DPP", "wave rotation by ds_bpermute", "lane swaps", "reduction by shuffles", "reduction by DPP",
    "reduction by wave_reduce", "stream compaction", "prefix sum by shfl.up", "all-equal vote",
};
enum { REQUIRED = sizeof required / sizeof *required, NAMES_MAX = 256, KERNELS_MAX = 400 };

static const struct {
    const char *cpu;
    unsigned wave;
} objects[] = { { "gfx900", 64 },  { "gfx90a", 64 },  { "gfx942", 64 },  { "gfx950", 64 },  { "gfx1030", 32 },
                { "gfx1030", 64 }, { "gfx1100", 32 }, { "gfx1100", 64 }, { "gfx1201", 32 }, { "gfx1201", 64 } };
enum { OBJECTS = sizeof objects / sizeof *objects };
static const char *const kinds[] = { "ops", "builtins", "compose" };

struct row {
    char line[600];
    const char *name, *where, *kernels, *text;
};

static struct row rows[NAMES_MAX];
static unsigned row_count;

static char *column(char *s)
{
    s += strspn(s, " ");
    size_t n = strlen(s);
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\n'))
        s[--n] = 0;
    return s;
}

static int read_rows(void **state)
{
    (void)state;
    FILE *list = fopen(DIR "operations.list", "r");
    assert_non_null(list);
    for (struct row *r = rows; fgets(r->line, sizeof r->line, list);) {
        if (r->line[0] == '#' || r->line[0] == '\n')
            continue;
        char *cut[4] = { r->line };
        for (unsigned i = 1; i < 4; i++) {
            cut[i] = strchr(cut[i - 1], '|');
            assert_non_null(cut[i]);
            *cut[i]++ = 0;
        }
        r->name = column(cut[0]);
        r->where = column(cut[1]);
        r->kernels = column(cut[2]);
        r->text = column(cut[3]);
        assert_in_range(++row_count, 1, NAMES_MAX - 1);
        r = &rows[row_count];
    }
    fclose(list);
    return 0;
}

static const struct row *row_of(const char *name)
{
    for (unsigned i = 0; i < row_count; i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}

static bool word_in(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *s = words; (s = strstr(s, word)); s += n)
        if ((s == words || s[-1] == ' ' || s[-1] == ',') && (!s[n] || s[n] == ' ' || s[n] == ','))
            return true;
    return false;
}

/* The processors and wave sizes of a list's column (see has.awk). */
static bool has(const char *where, const char *cpu, unsigned wave)
{
    const struct codeobj_processor *p = codeobj_processor_by_name(cpu);
    const bool cdna2 = !strcmp(cpu, "gfx90a") || !strcmp(cpu, "gfx942") || !strcmp(cpu, "gfx950");
    if (word_in(where, wave == 32 ? "w64" : "w32"))
        return false;
    return word_in(where, "all") || word_in(where, cpu) || (word_in(where, "gfx9") && p->gen == CODEOBJ_GEN_GFX9) ||
           (word_in(where, "cdna2") && cdna2) || (word_in(where, "gfx10+") && p->gen >= CODEOBJ_GEN_GFX10) ||
           (word_in(where, "gfx11+") && p->gen >= CODEOBJ_GEN_GFX11) ||
           (word_in(where, "gfx12") && p->gen == CODEOBJ_GEN_GFX12);
}

/* ---- the list of names ------------------------------------------------------------------ */

static void demand(const char *name)
{
    if (!row_of(name))
        fail_msg("operations.list has no \"%s\"", name);
}

/* Calls `each` with every name there has to be. */
static unsigned all_names(void (*each)(const char *name))
{
    static const char *const floats[] = { "min", "max", "absmax" }, *const formats[] = { "f", "hf", "bf", "hfx2", "bfx2" };
    static const char *const ints[] = { "sum", "smin", "smax", "umin", "umax", "and", "or", "xor", "absmax" };
    static const char *const moves[] = { "up", "dn", "xor", "idx" };
    char name[64];
    unsigned count = REQUIRED;
    for (unsigned i = 0; i < REQUIRED; i++)
        each(required[i]);
    for (unsigned i = 0; i < 3 * 2 * 5; i++, count++) {
        snprintf(name, sizeof name, "fred.%s%s.%s", floats[i / 10], i / 5 % 2 ? ".nanp" : "", formats[i % 5]);
        each(name);
    }
    for (unsigned i = 0; i < 9 * 2; i++, count++) {
        snprintf(name, sizeof name, "ired.%s.%s", ints[i / 2], i % 2 ? "16b" : "32b");
        each(name);
    }
    for (unsigned i = 0; i < 4 * 2; i++, count++) {
        snprintf(name, sizeof name, "shfl.%s%s.32b", moves[i / 2], i % 2 ? ".sg" : "");
        each(name);
    }
    return count;
}

static void names_are_listed(void **state)
{
    (void)state;
    assert_int_equal(all_names(demand), row_count); /* none twice, none besides */
}

/* ---- operation x processor ---------------------------------------------------------------- */

struct kernels {
    char name[KERNELS_MAX][64];
    bool listed[KERNELS_MAX];
    unsigned count;
};

static void collect(const char *kind, const char *cpu, unsigned wave, struct kernels *out)
{
    char path[128];
    struct codeobj_elf *elf;
    snprintf(path, sizeof path, DIR "%s-%s-w%u.co", kind, cpu, wave);
    assert_int_equal(codeobj_elf_open_file(path, NULL, &elf, NULL), CODEOBJ_OK);
    for (size_t i = 0; i < codeobj_elf_symbol_count(elf, CODEOBJ_DYNSYM); i++) {
        struct codeobj_elf_symbol symbol;
        assert_int_equal(codeobj_elf_symbol(elf, CODEOBJ_DYNSYM, i, &symbol), CODEOBJ_OK);
        const size_t n = strlen(symbol.name);
        if (n < 4 || n > 60 || strcmp(symbol.name + n - 3, ".kd"))
            continue;
        assert_in_range(out->count, 0, KERNELS_MAX - 1);
        snprintf(out->name[out->count++], 64, "%.*s", (int)(n - 3), symbol.name);
    }
    codeobj_elf_free(elf);
}

static void every_operation_everywhere(void **state)
{
    (void)state;
    static struct kernels k;
    for (unsigned o = 0; o < OBJECTS; o++) {
        memset(&k, 0, sizeof k);
        for (unsigned i = 0; i < 3; i++)
            collect(kinds[i], objects[o].cpu, objects[o].wave, &k);
        for (unsigned r = 0; r < row_count; r++) {
            unsigned found = 0;
            for (unsigned i = 0; i < k.count; i++)
                if (word_in(rows[r].kernels, k.name[i])) {
                    k.listed[i] = true;
                    found++;
                }
            const bool there = has(rows[r].where, objects[o].cpu, objects[o].wave);
            if (there != (found != 0))
                fail_msg("%s on %s wave%u: %u kernels, expected %s", rows[r].name, objects[o].cpu, objects[o].wave, found,
                         there ? "one at least" : "none");
        }
        for (unsigned i = 0; i < k.count; i++)
            if (!k.listed[i])
                fail_msg("kernel %s of %s is in no row of operations.list", k.name[i], objects[o].cpu);
    }
}

/* Each text form is read, runs where the operation is, and is refused where it is not. */
static void every_text_form(void **state)
{
    (void)state;
    const uint32_t data[CODEOBJ_LANES_MAX] = { 1, 2, 3 };
    for (unsigned r = 0; r < row_count; r++) {
        struct codeobj_lanes_op op;
        struct codeobj_lanes_result result;
        struct codeobj_diag diag = { 0 };
        if (codeobj_lanes_parse(rows[r].text, &op, &diag) != CODEOBJ_OK)
            fail_msg("%s: %s", rows[r].text, diag.text);
        for (unsigned wave = 32; wave <= 64; wave += 32)
            if (codeobj_lanes_eval(&op, NULL, UINT64_MAX, wave, data, NULL, NULL, &result, &diag) != CODEOBJ_OK)
                fail_msg("%s, wave%u: %s", rows[r].text, wave, diag.text);
        for (unsigned o = 0; o < OBJECTS; o++) {
            const struct codeobj_processor *p = codeobj_processor_by_name(objects[o].cpu);
            /* A ballot's width is its form; the instruction is there in both wave sizes. */
            const bool there = has(rows[r].where, objects[o].cpu, objects[o].wave) || strstr(rows[r].where, ",w");
            if (codeobj_lanes_available(&op, p) != there)
                fail_msg("%s on %s: available is %d", rows[r].text, p->name, !there);
            assert_int_equal(codeobj_lanes_eval(&op, p, UINT64_MAX, objects[o].wave, data, NULL, NULL, &result, NULL),
                             there ? CODEOBJ_OK : CODEOBJ_INVALID);
        }
    }
}

/* codeobj_lanes_available() against the instruction table, for all processors. */
static void availability_is_the_tables(void **state)
{
    (void)state;
    static const struct {
        const char *name, *numbers;
    } list[] = {
        { "v_permlane16_b32", " 0, 0" },   { "v_permlanex16_b32", " 0, 0" },    { "v_permlane16_var_b32", "" },
        { "v_permlanex16_var_b32", "" },   { "v_permlane64_b32", "" },          { "v_permlane16_swap_b32", "" },
        { "v_permlane32_swap_b32", "" },   { "v_permlane_bcast_b32", " 1" },    { "v_permlane_up_b32", " 1" },
        { "v_permlane_down_b32", " 1" },   { "v_permlane_xor_b32", " 1" },      { "v_permlane_idx_gen_b32", " 1" },
        { "ds_permute_b32", "" },          { "ds_bpermute_b32", "" },           { "ds_bpermute_fi_b32", "" },
        { "ds_swizzle_b32", "" },          { "s_bitreplicate_b64_b32", " 1" },
    };
    unsigned checked = 0;
    const struct codeobj_processor *p;
    for (size_t i = 0; (p = codeobj_processor_at(i)); i++) {
        struct codeobj_isa *isa;
        if (codeobj_isa_new(p, NULL, &isa, NULL) != CODEOBJ_OK)
            continue;
        for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
            char text[64];
            struct codeobj_lanes_op op;
            snprintf(text, sizeof text, "%s%s", list[n].name, list[n].numbers);
            assert_int_equal(codeobj_lanes_parse(text, &op, NULL), CODEOBJ_OK);
            bool there = false;
            for (unsigned row = 0; row < codeobj_isa_row_count() && !there; row++)
                there = !strcmp(codeobj_isa_row_mnemonic(row), list[n].name) && codeobj_isa_row_opcode(isa, row) >= 0;
            if (codeobj_lanes_available(&op, p) != there)
                fail_msg("%s on %s: the instruction table says %d", list[n].name, p->name, there);
            checked++;
        }
        codeobj_isa_free(isa);
    }
    assert_in_range(checked, 500, 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_listed),
        cmocka_unit_test(every_operation_everywhere),
        cmocka_unit_test(every_text_form),
        cmocka_unit_test(availability_is_the_tables),
    };
    return cmocka_run_group_tests(tests, read_rows, NULL) != 0;
}

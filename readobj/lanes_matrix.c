/* SPDX-License-Identifier: MIT
 *
 * readobj/lanes_matrix.c - --lanes=OPERATION of matrix instructions: which lane and register hold
 * which element.
 *
 * Operands are skipped, so that a line can be pasted from a disassembly; of the modifiers those
 * that move elements or choose their types are read, and those that change values are skipped.
 */
#include "lanes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- operands and modifiers ------------------------------------------------------------- */

enum mod {
    MOD_CBSZ,
    MOD_ABID,
    MOD_BLGP,
    MOD_A_FORMAT,
    MOD_B_FORMAT,
    MOD_INDEX_KEY,
    MOD_OP_SEL,
    MOD_VALUES /* changes values, moves nothing */
};

static const struct {
    const char *name;
    uint8_t mod;   /* enum mod */
    uint8_t limit; /* of its number */
} mod_names[] = {
    { "cbsz", MOD_CBSZ, 8 },
    { "abid", MOD_ABID, 16 },
    { "blgp", MOD_BLGP, 8 },
    { "matrix_a_fmt", MOD_A_FORMAT, 5 },
    { "matrix_b_fmt", MOD_B_FORMAT, 5 },
    { "index_key", MOD_INDEX_KEY, 4 },
    { "op_sel", MOD_OP_SEL, 0 },
    { "op_sel_hi", MOD_VALUES, 0 },
    { "neg", MOD_VALUES, 0 },
    { "neg_lo", MOD_VALUES, 0 },
    { "neg_hi", MOD_VALUES, 0 },
    { "clamp", MOD_VALUES, 0 },
    { "matrix_a_scale", MOD_VALUES, 0 },
    { "matrix_b_scale", MOD_VALUES, 0 },
    { "matrix_a_scale_fmt", MOD_VALUES, 0 },
    { "matrix_b_scale_fmt", MOD_VALUES, 0 },
    { "matrix_a_reuse", MOD_VALUES, 0 },
    { "matrix_b_reuse", MOD_VALUES, 0 },
};
enum { MOD_NAMES = sizeof mod_names / sizeof *mod_names };

/* Past blanks, commas and comments. */
static const char *skip_blank(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\n,()");
        const char *end = p[0] == '/' && p[1] == '*' ? strstr(p + 2, "*/") : NULL;
        if (!end)
            return p;
        p = end + 2;
    }
}

/* The end of a word, with a list in brackets and what follows a colon. */
static const char *word_end(const char *p)
{
    for (; *p && !strchr(" \t\n,()/", *p); p++)
        if (*p == '[')
            p += strcspn(p, "]") - (strchr(p, ']') == NULL);
    return p;
}

/* v0, a[0:3], s4, ttmp5, null, src_scc, 1.0, -4, lit(0x5): where the operand lies and what it is worth move nothing. */
static bool is_operand(const char *p, size_t n)
{
    static const char *const names[] = { "null", "m0", "vcc", "exec", "src_", "xnack_mask", "flat_scratch", "lit", "tba", "tma" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (n >= strlen(names[i]) && !strncmp(p, names[i], strlen(names[i])))
            return !memchr(p, ':', n);
    if (*p == '-')
        p++, n--;
    const size_t letters = !strncmp(p, "ttmp", 4) ? 4 : strchr("vas", *p) ? 1 : 0;
    return n > letters && (isdigit((unsigned char)p[letters]) || (letters && p[letters] == '['));
}

/* A number below the limit, or a format's name. */
static bool read_mod(struct lanes_run *run, unsigned which, const char *word, size_t n, unsigned *out)
{
    static const char *const formats[] = { "FP8", "BF8", "FP6", "BF6", "FP4" };
    const unsigned limit = mod_names[which].limit;
    const char *value = word + strlen(mod_names[which].name) + 1;
    const size_t size = (size_t)(word + n - value);
    const bool format = mod_names[which].mod == MOD_A_FORMAT || mod_names[which].mod == MOD_B_FORMAT;
    char *end;
    for (unsigned i = 0; format && i < 5; i++)
        if (size == 14 && !strncmp(value, "MATRIX_FMT_", 11) && !strncmp(value + 11, formats[i], 3)) {
            *out = i;
            return true;
        }
    const unsigned long v = isdigit((unsigned char)*value) ? strtoul(value, &end, 0) : limit;
    if (v >= limit || end != word + n) {
        ro_error(run->ro, "--lanes: '%.*s': expected a number below %u%s", (int)n, word, limit,
                 format ? ", or MATRIX_FMT_FP8, BF8, FP6, BF6, FP4" : "");
        return false;
    }
    *out = (unsigned)v;
    return true;
}

/* Has the instruction this modifier?  Of those that only change values nothing is asked. */
static bool takes(const struct codeobj_matrix *m, enum mod mod)
{
    switch (mod) {
    case MOD_CBSZ:
    case MOD_ABID:
    case MOD_BLGP: return m->family == CODEOBJ_MATRIX_MFMA;
    case MOD_A_FORMAT:
    case MOD_B_FORMAT: return m->family == CODEOBJ_MATRIX_WMMA_GFX1250 && m->a == CODEOBJ_MATRIX_F8F6F4;
    case MOD_INDEX_KEY: return m->family != CODEOBJ_MATRIX_MFMA && m->sparse;
    default: return true;
    }
}

static bool take_mod(struct lanes_run *run, const struct codeobj_matrix *m, unsigned which, const char *word, size_t n,
                     struct lanes_matrix_mods *out)
{
    switch ((enum mod)mod_names[which].mod) {
    case MOD_CBSZ: out->moves = true; return read_mod(run, which, word, n, &out->cbsz);
    case MOD_ABID: return read_mod(run, which, word, n, &out->abid);
    case MOD_BLGP: out->moves = true; return read_mod(run, which, word, n, &out->blgp);
    case MOD_A_FORMAT: return read_mod(run, which, word, n, &out->a_format);
    case MOD_B_FORMAT: return read_mod(run, which, word, n, &out->b_format);
    case MOD_INDEX_KEY: return read_mod(run, which, word, n, &out->index_key);
    case MOD_OP_SEL: /* [a,b,c]: the third chooses the half */
        out->upper = m->family == CODEOBJ_MATRIX_WMMA_GFX11 && n > 12 && word[12] == '1';
        return true;
    case MOD_VALUES: return true;
    }
    return true;
}

/* Where the words and numbers that were read lead. */
static bool settle_mods(struct lanes_run *run, const struct codeobj_matrix *m, struct lanes_matrix_mods *out)
{
    if (m->family != CODEOBJ_MATRIX_MFMA)
        return true;
    if (m->a == CODEOBJ_MATRIX_F8F6F4) {
        out->a_format = out->cbsz;
        out->b_format = out->blgp;
        out->moves = false;
        if (out->cbsz < 5 && out->blgp < 5)
            return true;
        ro_error(run->ro, "--lanes: %s:%u: expected a number below 5, which are fp8, bf8, fp6, bf6 and fp4",
                 out->cbsz < 5 ? "blgp" : "cbsz", out->cbsz < 5 ? out->blgp : out->cbsz);
        return false;
    }
    if (m->sparse) {
        out->index_key = out->cbsz ? 0 : out->abid;
        out->moves = false;
    } else if ((1u << out->cbsz) > m->blocks) {
        ro_error(run->ro, "--lanes: cbsz:%u: %s has %u block%s", out->cbsz, m->name, m->blocks, m->blocks > 1 ? "s" : "");
        return false;
    } else if (m->a == CODEOBJ_MATRIX_F64) {
        out->moves = false; /* BLGP negates */
    }
    return true;
}

bool lanes_matrix_mods(struct lanes_run *run, const struct codeobj_matrix *m, struct lanes_matrix_mods *out)
{
    *out = (struct lanes_matrix_mods){ 0 };
    for (const char *p = skip_blank(word_end(skip_blank(run->text))), *end; *p; p = skip_blank(end)) {
        end = word_end(p);
        end += end == p;
        const size_t n = (size_t)(end - p), name = strcspn(p, ":") < n ? strcspn(p, ":") : n;
        unsigned which = 0;
        while (which < MOD_NAMES && (strlen(mod_names[which].name) != name || strncmp(p, mod_names[which].name, name)))
            which++;
        const bool bare = name == n;
        if (which < MOD_NAMES && takes(m, mod_names[which].mod) && (!bare || mod_names[which].mod == MOD_VALUES)) {
            if (!take_mod(run, m, which, p, n, out))
                return false;
        } else if (!is_operand(p, n)) {
            ro_error(run->ro, "--lanes: '%.*s' is no operand or modifier of %s", (int)n, p, m->name);
            return false;
        }
    }
    return settle_mods(run, m, out);
}

bool lanes_matrix_has_wave(const struct codeobj_matrix *m, unsigned wave)
{
    return m->family == CODEOBJ_MATRIX_MFMA ? wave == 64 : m->family == CODEOBJ_MATRIX_WMMA_GFX1250 ? wave == 32 : true;
}

/* ---- tables ------------------------------------------------------------------------------ */

/* CBSZ and BLGP choose the types of A and B in the f8f6f4 forms, and move elements in the others. */
static bool mods_move(const struct codeobj_matrix *m, const struct lanes_matrix_mods *mods)
{
    return mods->moves && !m->sparse && m->a != CODEOBJ_MATRIX_F8F6F4 && m->a != CODEOBJ_MATRIX_F64;
}

/* The element that the multiplication takes for a lane's place: after broadcast and lane rotation. */
static bool matrix_place(const struct codeobj_matrix *m, const struct lanes_matrix_mods *mods, enum codeobj_matrix_operand operand,
                         enum codeobj_matrix_type type, unsigned wave, unsigned lane, unsigned e,
                         struct codeobj_matrix_place *out)
{
    const bool move = mods_move(m, mods);
    if (move && operand == CODEOBJ_MATRIX_B)
        lane = codeobj_matrix_blgp_lane(lane, mods->blgp);
    if (!codeobj_matrix_element(m, operand, type, wave, lane, e, out))
        return false;
    if (move && operand == CODEOBJ_MATRIX_A)
        out->block = (uint8_t)codeobj_matrix_broadcast_block(out->block, mods->cbsz, mods->abid);
    return true;
}

/* The first bit of an element, from the operand's first register on. */
static unsigned matrix_bit(const struct codeobj_matrix *m, const struct lanes_matrix_mods *mods,
                           enum codeobj_matrix_operand operand, enum codeobj_matrix_type type, unsigned e)
{
    const bool upper = mods->upper && operand >= CODEOBJ_MATRIX_C && codeobj_matrix_type_bits(type) == 16;
    return codeobj_matrix_bit(m, operand, type, e) + (upper ? 16 : 0);
}

static void matrix_cell(char cell[16], const struct codeobj_matrix *m, const struct codeobj_matrix_place *p, bool input_b)
{
    unsigned row = input_b ? p->col : p->row, col = input_b ? p->row : p->col;
    if (m->blocks > 1)
        snprintf(cell, 16, "%u:%u,%u", p->block, row, col);
    else
        snprintf(cell, 16, "%u,%u", row, col);
}

static void matrix_text(struct ro *ro, const struct codeobj_matrix *m, const struct lanes_matrix_mods *mods,
                        enum codeobj_matrix_operand operand, enum codeobj_matrix_type type, unsigned wave)
{
    const unsigned bits = codeobj_matrix_type_bits(type), n = codeobj_matrix_elements(m, operand, type, wave);
    static const char *const shape[] = { "row of M, k", "k, column of N", "row, column", "row, column" };
    static const char *const names[] = { "A", "B", "C", "D" };
    ro_heading(ro, "%s of %s, wave%u: %s%s%s", operand == CODEOBJ_MATRIX_D && !m->c_f32 ? "C and D" : names[operand], m->name, wave,
               codeobj_matrix_type_name(type), m->blocks > 1 ? ", block:" : ", ", shape[operand]);
    if (m->family == CODEOBJ_MATRIX_WMMA_GFX1250)
        fprintf(ro->out, "  undocumented: no document of AMD's gives gfx1250's layouts, this is a reading\n");
    if (mods_move(m, mods) && operand == CODEOBJ_MATRIX_A && mods->cbsz)
        fprintf(ro->out, "  cbsz:%u abid:%u: what the lane's place takes, not what it holds\n", mods->cbsz, mods->abid);
    if (mods_move(m, mods) && operand == CODEOBJ_MATRIX_B && mods->blgp)
        fprintf(ro->out, "  blgp:%u: what the lane's place takes, not what it holds\n", mods->blgp);
    if (operand == CODEOBJ_MATRIX_A && m->sparse)
        fprintf(ro->out, "  k is the first of the four positions that the stored pair chooses from\n"
                         "  the index of element e is bits %u+2e (set %u) of the index register\n",
                codeobj_matrix_index_bit(m, type, wave, 0, mods->index_key), mods->index_key);
    for (unsigned first = 0; first < n; first += 16) {
        const unsigned last = first + 16 < n ? first + 16 : n;
        fprintf(ro->out, "  lane");
        for (unsigned e = first; e < last; e++) {
            const unsigned bit = matrix_bit(m, mods, operand, type, e);
            char name[24];
            if (bits >= 32)
                snprintf(name, sizeof name, "v%u", bit / 32);
            else
                snprintf(name, sizeof name, "v%u.%u", bit / 32, bit % 32);
            fprintf(ro->out, " %9s", name);
        }
        fprintf(ro->out, "\n");
        for (unsigned lane = 0; lane < wave; lane++) {
            fprintf(ro->out, "  %4u", lane);
            for (unsigned e = first; e < last; e++) {
                struct codeobj_matrix_place p;
                char cell[16] = "-";
                if (matrix_place(m, mods, operand, type, wave, lane, e, &p))
                    matrix_cell(cell, m, &p, operand == CODEOBJ_MATRIX_B);
                fprintf(ro->out, " %9s", cell);
            }
            fprintf(ro->out, "\n");
        }
    }
}

static json_t *matrix_json(const struct codeobj_matrix *m, const struct lanes_matrix_mods *mods,
                           enum codeobj_matrix_operand operand, enum codeobj_matrix_type type, unsigned wave)
{
    json_t *lanes = json_array();
    const unsigned n = codeobj_matrix_elements(m, operand, type, wave);
    for (unsigned lane = 0; lane < wave; lane++) {
        json_t *elements = json_array();
        for (unsigned e = 0; e < n; e++) {
            struct codeobj_matrix_place p;
            if (!matrix_place(m, mods, operand, type, wave, lane, e, &p))
                continue;
            const bool b = operand == CODEOBJ_MATRIX_B;
            json_array_append_new(elements, json_pack("{s:i,s:i,s:i,s:i}", "bit", (int)matrix_bit(m, mods, operand, type, e),
                                                      "block", p.block, "row", b ? p.col : p.row, "column",
                                                      b ? p.row : p.col));
        }
        json_array_append_new(lanes, elements);
    }
    json_t *o = json_object();
    ro_json_set(o, "type", json_string(codeobj_matrix_type_name(type)));
    ro_json_set(o, "lanes", lanes);
    return o;
}

void lanes_matrix_show(struct lanes_run *run, const struct codeobj_matrix *m, const struct lanes_matrix_mods *mods,
                       unsigned wave)
{
    static const char *const keys[] = { "a", "b", "c", "d" };
    json_t *o = run->json ? json_object() : NULL;
    ro_json_set(o, "wave", o ? json_integer(wave) : NULL);
    ro_json_set(o, "documented", o ? json_boolean(m->family != CODEOBJ_MATRIX_WMMA_GFX1250) : NULL);
    for (int operand = CODEOBJ_MATRIX_A; operand <= CODEOBJ_MATRIX_D; operand++) {
        if (operand == CODEOBJ_MATRIX_C && !m->c_f32)
            continue; /* lies as D does */
        const unsigned format = operand == CODEOBJ_MATRIX_A ? mods->a_format : operand == CODEOBJ_MATRIX_B ? mods->b_format : 0;
        const enum codeobj_matrix_type type = codeobj_matrix_operand_type(m, operand, format);
        if (o)
            ro_json_set(o, keys[operand], matrix_json(m, mods, operand, type, wave));
        else
            matrix_text(run->ro, m, mods, operand, type, wave);
    }
    if (o)
        json_array_append_new(run->json, o);
}

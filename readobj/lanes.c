/* SPDX-License-Identifier: MIT
 *
 * readobj/lanes.c - --lanes=OPERATION: what a cross-lane or matrix operation does, as a table.
 *
 * amdreadobj-lanes(7) has the grammar.  Without --wave the table is printed for
 * every wave size the operation has; without --values lane i holds i.  Values of 64
 * bits are for 64-bit reductions alone.
 */
#include "readobj.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lanes_run {
    struct ro *ro;
    const char *text;
    const struct codeobj_processor *processor; /* NULL: any */
    uint64_t exec;
    uint32_t values[CODEOBJ_LANES_MAX], high[CODEOBJ_LANES_MAX]; /* halves */
    bool has_values, has_high;
    json_t *json; /* array of results, NULL: text */
};

/* ---- options ------------------------------------------------------------------ */

static bool read_values(struct lanes_run *run, const char *text)
{
    for (unsigned i = 0; i < CODEOBJ_LANES_MAX; i++)
        run->values[i] = i;
    run->has_values = text != NULL;
    unsigned count = 0;
    for (const char *p = text; p && (*p || !count);) {
        char *end;
        const bool negative = *p == '-';
        const char *digits = p + negative;
        uint64_t v = isdigit((unsigned char)*digits) ? strtoull(digits, &end, 0) : (end = (char *)(uintptr_t)digits, 0);
        const bool wide = v > (negative ? UINT64_C(1) << 31 : UINT32_MAX);
        if (end == digits || (*end && *end != ',') || (*end && !end[1]) || count == CODEOBJ_LANES_MAX ||
            (v == UINT64_MAX && end - digits > 18)) {
            ro_error(run->ro, "--values: '%s' is not a list of up to %d numbers", text, CODEOBJ_LANES_MAX);
            return false;
        }
        v = negative ? 0 - v : v;
        run->has_high = run->has_high || wide;
        run->values[count] = (uint32_t)v;
        run->high[count++] = (uint32_t)(v >> 32);
        p = *end ? end + 1 : end;
    }
    /* A short list repeats. */
    for (unsigned i = count; count && i < CODEOBJ_LANES_MAX; i++) {
        run->values[i] = run->values[i % count];
        run->high[i] = run->high[i % count];
    }
    return true;
}

static bool read_number(struct lanes_run *run, const char *option, const char *text, uint64_t *out)
{
    char *end;
    if (!text)
        return true;
    *out = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)*text) || *end) {
        ro_error(run->ro, "--%s: '%s' is not a number", option, text);
        return false;
    }
    return true;
}

/* ---- lane operations -------------------------------------------------------------- */

static bool on(uint64_t mask, unsigned lane)
{
    return mask >> lane & 1;
}

/* Whether per-lane values are addresses or selects: then data is the lane number. */
static bool takes_index(const struct codeobj_lanes_op *op)
{
    return op->kind == CODEOBJ_LANES_BPERMUTE || op->kind == CODEOBJ_LANES_PERMUTE ||
           op->kind == CODEOBJ_LANES_PERMLANE16_VAR;
}

static bool is_neutral(const struct codeobj_lanes_op *op)
{
    return op->kind == CODEOBJ_LANES_SHFL || op->kind == CODEOBJ_LANES_FRED || op->kind == CODEOBJ_LANES_IRED ||
           op->kind == CODEOBJ_LANES_REDFIRSTIDX;
}

static void print_map(FILE *out, const struct codeobj_lane_map *map, unsigned wave)
{
    fprintf(out, "  lane        reads the value of lane ('-': keeps its own, 'z': gets 0)\n");
    for (unsigned row = 0; row < wave; row += 16) {
        fprintf(out, "  %2u-%-2u     ", row, row + 15);
        for (unsigned i = row; i < row + 16; i++) {
            if (map->from[i] >= 0)
                fprintf(out, " %3d", map->from[i]);
            else
                fprintf(out, " %3s", map->from[i] == CODEOBJ_LANE_ZERO ? "z" : "-");
        }
        fprintf(out, "\n");
    }
}

static void print_values(FILE *out, const char *title, const uint32_t *value, uint64_t written, unsigned wave)
{
    fprintf(out, "  lane        %s\n", title);
    for (unsigned row = 0; row < wave; row += 8) {
        fprintf(out, "  %2u-%-2u     ", row, row + 7);
        for (unsigned i = row; i < row + 8; i++) {
            if (on(written, i))
                fprintf(out, " 0x%08" PRIx32, value[i]);
            else
                fprintf(out, " %10s", "-");
        }
        fprintf(out, "\n");
    }
}

static json_t *json_values(const uint32_t *value, uint64_t written, unsigned wave)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < wave; i++)
        json_array_append_new(list, on(written, i) ? json_integer(value[i]) : json_null());
    return list;
}

static void json_result(struct lanes_run *run, const struct codeobj_lanes_result *r, unsigned wave)
{
    json_t *o = json_object();
    ro_json_set(o, "wave", json_integer(wave));
    if (r->has_map) {
        json_t *map = json_array();
        for (unsigned i = 0; i < wave; i++)
            json_array_append_new(map, r->map.from[i] >= 0                    ? json_integer(r->map.from[i])
                                       : r->map.from[i] == CODEOBJ_LANE_ZERO ? json_string("zero")
                                                                             : json_string("keep"));
        ro_json_set(o, "map", map);
    }
    if (r->has_scalar)
        ro_json_set(o, "scalar", ro_json_uint(r->scalar));
    else
        ro_json_set(o, "values", json_values(r->value, r->written, wave));
    if (r->has_second)
        ro_json_set(o, r->is_wide ? "high" : "second", json_values(r->second, r->written, wave));
    json_array_append_new(run->json, o);
}

static bool show_operation(struct lanes_run *run, const struct codeobj_lanes_op *op, unsigned wave, bool quiet)
{
    uint32_t identity[CODEOBJ_LANES_MAX], second[CODEOBJ_LANES_MAX];
    struct codeobj_lanes_result r;
    struct codeobj_diag diag = { 0 };
    for (unsigned i = 0; i < CODEOBJ_LANES_MAX; i++) {
        identity[i] = i;
        second[i] = 100 + i; /* the other register of a swap */
    }
    const uint32_t *data = takes_index(op) ? identity : run->values;
    const uint32_t *index = op->kind == CODEOBJ_LANES_PERMLANE_SWAP ? second
                            : op->kind == CODEOBJ_LANES_REDUCE      ? run->high
                                                                    : run->values;
    if (codeobj_lanes_eval(op, run->processor, run->exec, wave, data, index, identity, &r, &diag) != CODEOBJ_OK) {
        if (!quiet)
            ro_diag(run->ro, "--lanes", &diag);
        return false;
    }
    if (run->json) {
        json_result(run, &r, wave);
        return true;
    }
    FILE *out = run->ro->out;
    const uint64_t all = codeobj_lanes_all(wave);
    ro_heading(run->ro, "%s, wave%u, EXEC 0x%" PRIx64, run->text, wave, run->exec & all);
    if (r.has_map)
        print_map(out, &r.map, wave);
    if (r.has_scalar)
        fprintf(out, "  result      0x%" PRIx64 "\n", r.scalar);
    else if (!r.has_map || run->has_values)
        print_values(out, r.is_wide ? "low halves ('-': not written)" : "holds afterwards ('-': not written)", r.value,
                     r.written, wave);
    if (r.has_second)
        print_values(out, r.is_wide ? "high halves" : "of the second register (before: 100 + lane)", r.second, r.written, wave);
    return true;
}

/* ---- matrix layouts ----------------------------------------------------------------- */

/* What stands behind the mnemonic. */
struct matrix_mods {
    unsigned cbsz, abid, blgp;
    bool given;
};

static bool read_matrix_mods(struct lanes_run *run, const struct codeobj_matrix *m, struct matrix_mods *out)
{
    *out = (struct matrix_mods){ 0 };
    for (const char *p = run->text + strcspn(run->text, " \t,"); *(p += strspn(p, " \t,"));) {
        const size_t n = strcspn(p, " \t,");
        const char *colon = memchr(p, ':', n);
        unsigned *field = !colon                      ? NULL
                          : !strncmp(p, "cbsz:", 5) ? &out->cbsz
                          : !strncmp(p, "abid:", 5) ? &out->abid
                          : !strncmp(p, "blgp:", 5) ? &out->blgp
                                                    : NULL;
        const bool reg = strchr("vasn0123456789-", *p) && (!colon || memchr(p, '[', n));
        if (field && m->family == CODEOBJ_MATRIX_MFMA) {
            const unsigned limit = field == &out->abid ? 16 : 8;
            *field = isdigit((unsigned char)colon[1]) ? (unsigned)strtoul(colon + 1, NULL, 0) : limit;
            if (*field >= limit || colon + 2 + (*field > 9) != p + n) {
                ro_error(run->ro, "--lanes: '%.*s': expected a number below %u", (int)n, p, limit);
                return false;
            }
            out->given = true;
        } else if (!reg) {
            ro_error(run->ro, "--lanes: '%.*s' is no operand or modifier of %s that moves elements", (int)n, p, m->name);
            return false;
        }
        p += n;
    }
    if (!m->sparse && m->a != CODEOBJ_MATRIX_F8F6F4 && m->family == CODEOBJ_MATRIX_MFMA && (1u << out->cbsz) > m->blocks) {
        ro_error(run->ro, "--lanes: cbsz:%u: %s has %u block%s", out->cbsz, m->name, m->blocks, m->blocks > 1 ? "s" : "");
        return false;
    }
    return true;
}

/* CBSZ and BLGP choose the types of A and B in the f8f6f4 forms, and move elements in the others. */
static bool mods_move(const struct codeobj_matrix *m, const struct matrix_mods *mods)
{
    return mods->given && !m->sparse && m->a != CODEOBJ_MATRIX_F8F6F4 && m->a != CODEOBJ_MATRIX_F64;
}

/* The element that the multiplication takes for a lane's place: after broadcast and lane rotation. */
static bool matrix_place(const struct codeobj_matrix *m, const struct matrix_mods *mods, enum codeobj_matrix_operand operand,
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

static void matrix_cell(char cell[16], const struct codeobj_matrix *m, const struct codeobj_matrix_place *p, bool input_b)
{
    unsigned row = input_b ? p->col : p->row, col = input_b ? p->row : p->col;
    if (m->blocks > 1)
        snprintf(cell, 16, "%u:%u,%u", p->block, row, col);
    else
        snprintf(cell, 16, "%u,%u", row, col);
}

static void matrix_text(struct ro *ro, const struct codeobj_matrix *m, const struct matrix_mods *mods,
                        enum codeobj_matrix_operand operand, enum codeobj_matrix_type type, unsigned wave)
{
    const unsigned bits = codeobj_matrix_type_bits(type), n = codeobj_matrix_elements(m, operand, type, wave);
    static const char *const shape[] = { "row of M, k", "k, column of N", "row, column", "row, column" };
    ro_heading(ro, "%s of %s, wave%u: %s%s%s", operand == CODEOBJ_MATRIX_D ? "C and D" : operand ? "B" : "A", m->name,
               wave, codeobj_matrix_type_name(type), m->blocks > 1 ? ", block:" : ", ", shape[operand]);
    if (m->family == CODEOBJ_MATRIX_WMMA_GFX1250)
        fprintf(ro->out, "  undocumented: no document of AMD's gives gfx1250's layouts, this is a reading\n");
    if (mods_move(m, mods) && operand == CODEOBJ_MATRIX_A && mods->cbsz)
        fprintf(ro->out, "  cbsz:%u abid:%u: what the lane's place takes, not what it holds\n", mods->cbsz, mods->abid);
    if (mods_move(m, mods) && operand == CODEOBJ_MATRIX_B && mods->blgp)
        fprintf(ro->out, "  blgp:%u: what the lane's place takes, not what it holds\n", mods->blgp);
    if (operand == CODEOBJ_MATRIX_A && m->sparse)
        fprintf(ro->out, "  k is the first of the four positions that the stored pair chooses from\n"
                         "  the index of element e is bits %u+2e (set 0) of the index register\n",
                codeobj_matrix_index_bit(m, type, wave, 0, 0));
    for (unsigned first = 0; first < n; first += 16) {
        const unsigned last = first + 16 < n ? first + 16 : n;
        fprintf(ro->out, "  lane");
        for (unsigned e = first; e < last; e++) {
            const unsigned bit = codeobj_matrix_bit(m, operand, type, e);
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

static json_t *matrix_json(const struct codeobj_matrix *m, const struct matrix_mods *mods,
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
            json_array_append_new(elements, json_pack("{s:i,s:i,s:i,s:i}", "bit",
                                                      (int)codeobj_matrix_bit(m, operand, type, e), "block", p.block,
                                                      "row", b ? p.col : p.row, "column", b ? p.row : p.col));
        }
        json_array_append_new(lanes, elements);
    }
    json_t *o = json_object();
    ro_json_set(o, "type", json_string(codeobj_matrix_type_name(type)));
    ro_json_set(o, "lanes", lanes);
    return o;
}

static void show_matrix(struct lanes_run *run, const struct codeobj_matrix *m, const struct matrix_mods *mods,
                        unsigned wave)
{
    static const char *const keys[] = { "a", "b", NULL, "d" };
    json_t *o = run->json ? json_object() : NULL;
    ro_json_set(o, "wave", o ? json_integer(wave) : NULL);
    ro_json_set(o, "documented", o ? json_boolean(m->family != CODEOBJ_MATRIX_WMMA_GFX1250) : NULL);
    for (int operand = CODEOBJ_MATRIX_A; operand <= CODEOBJ_MATRIX_D; operand++) {
        if (operand == CODEOBJ_MATRIX_C)
            continue; /* lies as D does */
        const unsigned format = operand == CODEOBJ_MATRIX_A ? mods->cbsz : operand == CODEOBJ_MATRIX_B ? mods->blgp : 0;
        const enum codeobj_matrix_type type = codeobj_matrix_operand_type(m, operand, format);
        if (o)
            ro_json_set(o, keys[operand], matrix_json(m, mods, operand, type, wave));
        else
            matrix_text(run->ro, m, mods, operand, type, wave);
    }
    if (o)
        json_array_append_new(run->json, o);
}

static bool matrix_has_wave(const struct codeobj_matrix *m, unsigned wave)
{
    return m->family == CODEOBJ_MATRIX_MFMA ? wave == 64 : m->family == CODEOBJ_MATRIX_WMMA_GFX1250 ? wave == 32 : true;
}

/* ---- the mode --------------------------------------------------------------------------- */

static void each_wave(struct lanes_run *run, const struct codeobj_matrix *m, const struct codeobj_lanes_op *op,
                      uint64_t only)
{
    bool any = false;
    struct matrix_mods mods;
    if (only && only != 32 && only != 64) {
        ro_error(run->ro, "--wave: found %" PRIu64 ", expected 32 or 64", only);
        return;
    }
    if (m && !read_matrix_mods(run, m, &mods))
        return;
    for (unsigned wave = 32; wave <= 64; wave += 32) {
        if ((only && only != wave) || (m ? !matrix_has_wave(m, wave) : is_neutral(op) && wave == 64))
            continue;
        if (m)
            show_matrix(run, m, &mods, wave);
        else if (!show_operation(run, op, wave, !only && wave == 32))
            continue;
        any = true;
    }
    if (!any && !run->ro->failed)
        ro_error(run->ro, "--lanes: '%s' is not there in this wave size", run->text);
}

void ro_lanes(struct ro *ro)
{
    struct lanes_run run = { .ro = ro, .text = ro->opt->trace_lanes, .exec = UINT64_MAX };
    struct codeobj_lanes_op op;
    struct codeobj_diag diag = { 0 };
    uint64_t wave = 0;
    char mnemonic[80];
    if (!read_values(&run, ro->opt->lane_values) || !read_number(&run, "exec", ro->opt->lane_exec, &run.exec) ||
        !read_number(&run, "wave", ro->opt->trace_wave, &wave))
        return;
    if (ro->opt->target) {
        struct codeobj_target target;
        if (codeobj_target_parse(ro->opt->target, &target, &diag) != CODEOBJ_OK) {
            ro_diag(ro, "--target", &diag);
            return;
        }
        run.processor = target.processor;
    }
    size_t n = strcspn(run.text, " \t,");
    snprintf(mnemonic, sizeof mnemonic, "%.*s", (int)(n < 79 ? n : 79), run.text);
    const struct codeobj_matrix *m = codeobj_matrix_find(mnemonic, run.processor);
    if (!m && codeobj_lanes_parse(run.text, &op, &diag) != CODEOBJ_OK) {
        ro_diag(ro, "--lanes", &diag);
        return;
    }
    if (run.has_high && (m || op.kind != CODEOBJ_LANES_REDUCE || op.width != 64)) {
        ro_error(ro, "--values: '%s': only 64-bit reductions take numbers of more than 32 bits", ro->opt->lane_values);
        return;
    }
    if (ro->opt->json)
        run.json = json_array();
    each_wave(&run, m, &op, wave);
    if (!run.json)
        return;
    if (ro->failed) {
        json_decref(run.json);
        return;
    }
    json_t *top = json_object();
    ro_json_set(top, "operation", ro_json_cstring(run.text));
    ro_json_set(top, "results", run.json);
    json_dumpf(top, ro->out, JSON_INDENT(2));
    fprintf(ro->out, "\n");
    json_decref(top);
}

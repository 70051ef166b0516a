/* SPDX-License-Identifier: MIT
 *
 * readobj/lanes.c - --lanes=OPERATION: what a cross-lane or matrix operation does, as a table.
 *
 * amdreadobj-lanes(7) has the grammar.  Without --wave the table is printed for
 * every wave size the operation has; without --values lane i holds i.  Values of 64
 * bits are for 64-bit reductions alone, floats for float reductions.
 */
#include "lanes.h"
#include "launch.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ------------------------------------------------------------------ */

/* What a float reduction's lanes hold; TYPE_COUNT: the operation has no such type. */
static enum launch_type float_type(const struct codeobj_lanes_op *op)
{
    if (op->kind == CODEOBJ_LANES_FRED)
        return op->format == CODEOBJ_FLOAT_F32 ? TYPE_F32 : op->format == CODEOBJ_FLOAT_F16 ? TYPE_F16 : TYPE_BF16;
    if (op->kind == CODEOBJ_LANES_REDUCE && op->reduce >= CODEOBJ_REDUCE_FADD)
        return op->width == 64 ? TYPE_F64 : TYPE_F32;
    return TYPE_COUNT;
}

static bool is_hex(const char *token)
{
    return token[0] == '0' && (token[1] == 'x' || token[1] == 'X');
}

/* Bits of an element of a float type, both halves alike in packed forms. */
static bool read_float(const char *token, enum launch_type type, bool packed, uint64_t *out)
{
    uint8_t bytes[8] = { 0 };
    if (launch_type_parse(type, token, bytes))
        return false;
    *out = 0;
    for (unsigned i = 8; i-- > 0;)
        *out = *out << 8 | bytes[i];
    *out |= packed ? *out << 16 : 0;
    return true;
}

/* A number of 64 bits; *wide when it does not fit in 32, with its sign. */
static bool read_integer(const char *token, uint64_t *out, bool *wide)
{
    const bool negative = *token == '-';
    char *end;
    errno = 0;
    const uint64_t v = strtoull(token + negative, &end, 0);
    *wide = v > (negative ? UINT64_C(1) << 31 : UINT32_MAX);
    *out = negative ? 0 - v : v;
    return isdigit((unsigned char)token[negative]) && !*end && !errno;
}

enum { TOKEN_SIZE = 48 };

/* The parts of a list between commas; 0 when one is missing or there are too many. */
static unsigned split(const char *text, char tokens[CODEOBJ_LANES_MAX][TOKEN_SIZE])
{
    for (unsigned count = 0; count < CODEOBJ_LANES_MAX; text++) {
        const size_t n = strcspn(text, ",");
        if (!n || n >= TOKEN_SIZE)
            return 0;
        snprintf(tokens[count++], TOKEN_SIZE, "%.*s", (int)n, text);
        text += n;
        if (!*text)
            return count;
    }
    return 0;
}

/* op NULL: a matrix instruction. */
static bool read_values(struct lanes_run *run, const struct codeobj_lanes_op *op, const char *text)
{
    char tokens[CODEOBJ_LANES_MAX][TOKEN_SIZE];
    const enum launch_type type = op ? float_type(op) : TYPE_COUNT;
    const unsigned count = text ? split(text, tokens) : 0;
    bool good = count != 0, floats = false, wide = false;
    run->has_values = text != NULL;
    for (unsigned i = 0; i < CODEOBJ_LANES_MAX; i++)
        run->values[i] = i;
    /* When one is written as a float, all are that are not in hex. */
    for (unsigned i = 0; i < count; i++)
        floats = floats || (type != TYPE_COUNT && !is_hex(tokens[i]) && strpbrk(tokens[i], ".eEiInN"));
    for (unsigned i = 0; i < CODEOBJ_LANES_MAX && good; i++) { /* a short list repeats */
        const char *token = tokens[i % count];
        uint64_t v = 0;
        good = floats && !is_hex(token) ? read_float(token, type, op->packed, &v) : read_integer(token, &v, &wide);
        run->has_high = run->has_high || wide;
        run->values[i] = (uint32_t)v;
        run->high[i] = (uint32_t)(v >> 32);
    }
    if (text && !good)
        ro_error(run->ro, "--values: '%s' is not a list of up to %d numbers", text, CODEOBJ_LANES_MAX);
    return good || !text;
}

static bool read_number(struct lanes_run *run, const char *option, const char *text, uint64_t *out)
{
    char *end;
    if (!text)
        return true;
    errno = 0;
    *out = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)*text) || *end || errno) {
        ro_error(run->ro, "--%s: '%s' is not a number%s", option, text, errno ? " of 64 bits" : "");
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

/* The result of a float reduction as a number. */
static void put_float(char out[32], enum launch_type type, uint64_t bits)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    snprintf(out, 32, "%.*g", type == TYPE_F64 ? 17 : 9, launch_type_real(type, bytes));
}

static void print_floats(FILE *out, const struct codeobj_lanes_op *op, const struct codeobj_lanes_result *r)
{
    const enum launch_type type = float_type(op);
    char low[32], high[32];
    if (r->has_scalar) {
        put_float(low, type, r->scalar);
        fprintf(out, "  as %-8s %s\n", launch_type_name(type), low);
    } else if (r->written) { /* all lanes that are written hold the same */
        const uint32_t v = r->value[__builtin_ctzll(r->written)];
        put_float(low, type, v);
        put_float(high, type, v >> 16);
        fprintf(out, "  as %-8s %s%s%s%s\n", launch_type_name(type), low, op->packed ? " (low half), " : "",
                op->packed ? high : "", op->packed ? " (high half)" : "");
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
    if (float_type(op) != TYPE_COUNT)
        print_floats(out, op, &r);
    if (r.has_second)
        print_values(out, r.is_wide ? "high halves" : "of the second register (before: 100 + lane)", r.second, r.written, wave);
    return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_vector(enum codeobj_isa_format format)
{
    return format >= CODEOBJ_FMT_VOP1 && format <= CODEOBJ_FMT_VOP3P;
}

bool lanes_has_instruction(const struct codeobj_processor *processor, const char *mnemonic, size_t length,
                           char near[static 64])
{
    static const char *const suffixes[] = { "_dpp", "_e64", "_e32" }; /* dropped from the right */
    struct codeobj_isa *isa = NULL;
    char name[64];
    unsigned best = 4;
    bool found = false;
    near[0] = 0;
    if (processor && codeobj_isa_new(processor, NULL, &isa, NULL) != CODEOBJ_OK)
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (length > 4 && !strncmp(mnemonic + length - 4, suffixes[i], 4))
            length -= 4;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), mnemonic);
    for (unsigned row = 1; row < codeobj_isa_row_count() && !found; row++) {
        const char *candidate = codeobj_isa_row_mnemonic(row);
        if (!is_vector(codeobj_isa_row_format(row)) || (isa && codeobj_isa_row_opcode(isa, row) < 0))
            continue;
        const unsigned distance = codeobj_name_distance(name, candidate);
        found = !distance;
        if (distance < best) {
            best = distance;
            snprintf(near, 64, "%s", candidate);
        }
    }
    codeobj_isa_free(isa);
    return found;
}

/* A DPP operation may be any vector instruction, as long as there is one of that name. */
static bool check_dpp_name(struct lanes_run *run, const struct codeobj_lanes_op *op)
{
    char near[64];
    const char *name = run->text + strspn(run->text, " \t");
    const size_t length = strcspn(name, " \t,");
    if ((op->kind != CODEOBJ_LANES_DPP16 && op->kind != CODEOBJ_LANES_DPP8) ||
        lanes_has_instruction(run->processor, name, length, near))
        return true;
    ro_error(run->ro, "--lanes: %s%s no vector instruction \"%.*s\"%s%s%s", run->processor ? run->processor->name : "there",
             run->processor ? " has" : " is",
             (int)length, name, *near ? ", did you mean \"" : "", near, *near ? "\"?" : "");
    return false;
}

/* The matrix instruction that the text names: false after an error message; *out NULL when it is something else. */
static bool find_matrix(struct lanes_run *run, const struct codeobj_matrix **out)
{
    char mnemonic[80], near[64];
    const char *name = run->text + strspn(run->text, " \t");
    const size_t n = strcspn(name, " \t,");
    snprintf(mnemonic, sizeof mnemonic, "%.*s", (int)(n < 79 ? n : 79), name);
    const struct codeobj_processor *p = run->processor;
    const struct codeobj_matrix *any = codeobj_matrix_find(mnemonic, NULL), *m = codeobj_matrix_find(mnemonic, p);
    *out = m;
    if (!any || !p)
        return true;
    /* Either spelling will do: the processor's own is in its instruction table. */
    if (m && (lanes_has_instruction(p, m->name, strlen(m->name), near) ||
              (m->old_name && lanes_has_instruction(p, m->old_name, strlen(m->old_name), near))))
        return true;
    if (!m && lanes_has_instruction(p, mnemonic, strlen(mnemonic), near))
        ro_error(run->ro, "--lanes: the layout of %s on %s is not known", mnemonic, p->name);
    else
        ro_error(run->ro, "--lanes: %s has no %s", p->name, mnemonic);
    return false;
}

/* ---- the mode --------------------------------------------------------------------------- */

static bool processor_has_wave(const struct codeobj_processor *p, unsigned wave)
{
    return !p || (p->features & (wave == 32 ? CODEOBJ_FEATURE_WAVE32 : CODEOBJ_FEATURE_WAVE64));
}

static void each_wave(struct lanes_run *run, const struct codeobj_matrix *m, const struct codeobj_lanes_op *op,
                      uint64_t only)
{
    bool any = false;
    struct lanes_matrix_mods mods;
    if (only && only != 32 && only != 64) {
        ro_error(run->ro, "--wave: found %" PRIu64 ", expected 32 or 64", only);
        return;
    }
    if (m && !lanes_matrix_mods(run, m, &mods))
        return;
    for (unsigned wave = 32; wave <= 64; wave += 32) {
        if (only ? only != wave : !processor_has_wave(run->processor, wave))
            continue;
        /* Vendor-neutral ones have 32 lanes: the rest of a wave64 would be a table of dashes. */
        if (m ? !lanes_matrix_has_wave(m, wave) : is_neutral(op) && any)
            continue;
        if (m)
            lanes_matrix_show(run, m, &mods, wave);
        else if (!show_operation(run, op, wave, !only && wave == 32 && processor_has_wave(run->processor, 64)))
            continue;
        any = true;
    }
    if (!any && !run->ro->failed)
        ro_error(run->ro, "--lanes: '%s' is not there in this wave size", run->text);
}

void ro_lanes(struct ro *ro)
{
    struct lanes_run run = { .ro = ro, .text = ro->opt->trace_lanes, .exec = UINT64_MAX };
    const struct codeobj_matrix *m;
    struct codeobj_lanes_op op;
    struct codeobj_diag diag = { 0 };
    uint64_t wave = 0;
    if (!read_number(&run, "exec", ro->opt->lane_exec, &run.exec) ||
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
    if (!find_matrix(&run, &m))
        return;
    if (!m && codeobj_lanes_parse(run.text, &op, &diag) != CODEOBJ_OK) {
        ro_diag(ro, "--lanes", &diag);
        return;
    }
    if (!m && !check_dpp_name(&run, &op))
        return;
    if (!read_values(&run, m ? NULL : &op, ro->opt->lane_values))
        return;
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

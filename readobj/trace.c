/* SPDX-License-Identifier: MIT
 *
 * readobj/trace.c - shows each instruction as it ran, with the registers it wrote.
 *
 *     [wg 0,0,0 wave 1] +0x0010  v_add_u32_e32 v1, s2, v0   exec=ffffffffffffffff v1[0-3]=00000040 00000041 ...
 *
 * Offsets count from the kernel's entry.
 */
#include "launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct range {
    uint64_t first, last;
};

struct launch_trace {
    struct ro *ro;
    struct codeobj_isa *isa;
    uint64_t entry;
    unsigned wave_size;
    struct range waves, lanes, pcs;
    bool has_workgroup;
    uint32_t workgroup[3];
    struct launch_profile *profile; /* NULL: nothing of it was asked for */
};

/* "N" or "N-M" */
static bool parse_range(struct ro *ro, const char *option, const char *s, struct range *out)
{
    char *end;
    if (!s)
        return true;
    out->first = out->last = strtoull(s, &end, 0);
    bool ok = end != s && *s != '-';
    if (ok && *end == '-') {
        const char *second = end + 1;
        out->last = strtoull(second, &end, 0);
        ok = end != second && *second != '-' && out->last >= out->first;
    }
    if (ok && !*end)
        return true;
    ro_error(ro, "--%s=%s: expected a number or a range N-M", option, s);
    return false;
}

static bool parse_workgroup(struct launch_trace *t, const char *s)
{
    char *end;
    if (!s)
        return true;
    t->has_workgroup = true;
    const char *p = s;
    for (unsigned i = 0; i < 3; i++) {
        if (*p < '0' || *p > '9')
            break;
        t->workgroup[i] = (uint32_t)strtoul(p, &end, 0);
        if (!*end)
            return true;
        if (*end != ',')
            break;
        p = end + 1;
    }
    ro_error(t->ro, "--%s=%s: expected one to three numbers with commas between",
             t->ro->opt->trace_workgroup ? "workgroup-id" : "workgroup", s);
    return false;
}

struct launch_trace *launch_trace_new(struct ro *ro, const struct codeobj_processor *processor,
                                      const struct codeobj_kernel_descriptor *descriptor, uint64_t entry)
{
    const struct ro_options *opt = ro->opt;
    struct codeobj_diag diag = { 0 };
    struct codeobj_isa_options options = { .size = sizeof options, .wave = descriptor->wave_size };
    struct launch_trace *t = calloc(1, sizeof *t);
    if (!t) {
        ro_error(ro, "out of memory");
        return NULL;
    }
    t->ro = ro;
    t->entry = entry;
    t->waves.last = t->pcs.last = UINT64_MAX;
    t->lanes.last = 3;
    bool ok = parse_range(ro, "wave", opt->trace_wave, &t->waves) &&
              parse_range(ro, "lanes", opt->trace_lanes, &t->lanes) && parse_range(ro, "pc", opt->trace_pc, &t->pcs) &&
              parse_workgroup(t, opt->trace_workgroup         ? opt->trace_workgroup
                                 : opt->mode == RO_MODE_LAUNCH ? opt->workgroup /* the file has the geometry */
                                                               : NULL);
    if (ok && codeobj_isa_new(processor, &options, &t->isa, &diag) != CODEOBJ_OK) {
        ro_diag(ro, "trace", &diag);
        ok = false;
    }
    if (ok && (opt->profile || opt->stats || opt->dump_state)) {
        t->profile = launch_profile_new(ro, processor, descriptor, entry);
        ok = t->profile;
    }
    if (ok) {
        t->wave_size = codeobj_isa_wave(t->isa);
        if (t->lanes.last >= t->wave_size)
            t->lanes.last = t->wave_size - 1;
        return t;
    }
    launch_trace_free(t);
    return NULL;
}

void launch_trace_free(struct launch_trace *trace)
{
    if (trace) {
        codeobj_isa_free(trace->isa);
        launch_profile_free(trace->profile);
    }
    free(trace);
}

void launch_trace_finish(struct launch_trace *trace, double seconds)
{
    if (trace && trace->profile)
        launch_profile_print(trace->profile, seconds);
}

static bool is_written(const struct codeobj_isa_operand *o)
{
    return o->role == CODEOBJ_ROLE_DST || o->role == CODEOBJ_ROLE_DST2 || o->role == CODEOBJ_ROLE_DSTSRC;
}

static void vector_values(struct launch_trace *t, const struct codeobj_exec_event *e,
                          const struct codeobj_isa_operand *o)
{
    bool acc = o->kind == CODEOBJ_OPERAND_AGPR;
    for (unsigned d = 0; d < o->dwords; d++) {
        fprintf(t->ro->out, " %c%u[%" PRIu64 "-%" PRIu64 "]=", acc ? 'a' : 'v', o->reg + d, t->lanes.first, t->lanes.last);
        for (uint64_t lane = t->lanes.first; lane <= t->lanes.last; lane++) {
            uint32_t v = acc ? codeobj_exec_wave_agpr(e->state, o->reg + d, (unsigned)lane)
                             : codeobj_exec_wave_vgpr(e->state, o->reg + d, (unsigned)lane);
            fprintf(t->ro->out, "%s%08" PRIx32, lane == t->lanes.first ? "" : ",", v);
        }
    }
}

/* "s7=", "s[4:7]=", "vcc=": a pair as one 64-bit number, more dwords one by one. */
static void scalar_values(struct launch_trace *t, const struct codeobj_exec_event *e,
                          const struct codeobj_isa_operand *o)
{
    char name[32];
    codeobj_isa_sgpr_name(t->isa, o->reg, o->dwords, name, sizeof name);
    if (!strncmp(name, "exec", 4) || !strcmp(name, "null")) /* EXEC is shown on every line */
        return;
    fprintf(t->ro->out, " %s=", name);
    if (o->dwords == 2) {
        fprintf(t->ro->out, "%08" PRIx32 "%08" PRIx32, codeobj_exec_wave_sgpr(e->state, o->reg + 1u),
                codeobj_exec_wave_sgpr(e->state, o->reg));
        return;
    }
    for (unsigned d = 0; d < o->dwords; d++)
        fprintf(t->ro->out, "%s%08" PRIx32, d ? "," : "", codeobj_exec_wave_sgpr(e->state, o->reg + d));
}

static void trace_line(struct launch_trace *t, const struct codeobj_exec_event *e, uint64_t pc)
{
    char text[256];
    codeobj_isa_print(t->isa, e->inst, text, sizeof text);
    FILE *out = t->ro->out;
    fprintf(out, "[wg %" PRIu32 ",%" PRIu32 ",%" PRIu32 " wave %" PRIu32 "] %c0x%04" PRIx64 "  %-52s exec=%0*" PRIx64,
            e->workgroup[0], e->workgroup[1], e->workgroup[2], e->wave, pc >> 63 ? '-' : '+', pc >> 63 ? 0 - pc : pc, text,
            (int)t->wave_size / 4, codeobj_exec_wave_exec(e->state));
    for (unsigned i = 0; i < e->inst->operand_count; i++) {
        const struct codeobj_isa_operand *o = &e->inst->operands[i];
        if (!is_written(o))
            continue;
        if (o->kind == CODEOBJ_OPERAND_VGPR || o->kind == CODEOBJ_OPERAND_AGPR)
            vector_values(t, e, o);
        else if (o->kind == CODEOBJ_OPERAND_SGPR)
            scalar_values(t, e, o);
    }
    if (codeobj_isa_implicit(e->inst) & CODEOBJ_IMPLICIT_WRITES_SCC)
        fprintf(out, " scc=%d", codeobj_exec_wave_scc(e->state));
    fputc('\n', out);
}

/* s_endpgm and its relatives end a wave. */
static bool is_end(const struct codeobj_isa_inst *inst)
{
    return strncmp(codeobj_isa_row_mnemonic(inst->row), "s_endpgm", 8) == 0;
}

bool launch_trace_hook(void *user, const struct codeobj_exec_event *e)
{
    struct launch_trace *t = user;
    const struct ro_options *opt = t->ro->opt;
    uint64_t pc = e->pc - t->entry;
    if (opt->profile || opt->stats)
        launch_profile_count(t->profile, e);
    if (e->wave < t->waves.first || e->wave > t->waves.last || pc < t->pcs.first || pc > t->pcs.last)
        return true;
    if (t->has_workgroup && memcmp(t->workgroup, e->workgroup, sizeof t->workgroup) != 0)
        return true;
    if (opt->trace)
        trace_line(t, e, pc);
    if (opt->dump_state && (opt->trace_pc || is_end(e->inst)))
        launch_profile_dump(t->profile, e, t->lanes.first, t->lanes.last);
    return !ferror(t->ro->out);
}

/* SPDX-License-Identifier: MIT
 *
 * readobj/profile.c - what ran, counted: --profile (each instruction), --stats
 * (each encoding format), and --dump-state (registers of waves as they end).
 *
 * All three watch through the executor's hook, so that a run with them is
 * sequential.  Counts are of wave instructions; lanes are those that EXEC has on.
 */
#include "launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct count {
    uint64_t pc; /* loaded address; 0: a free slot */
    uint64_t times, lanes;
    struct codeobj_isa_inst inst;
};

struct launch_profile {
    struct ro *ro;
    struct codeobj_isa *isa;
    uint64_t entry;
    unsigned wave_size, vgprs, agprs, sgprs;
    struct count *slots; /* open addressing, a power of two */
    size_t room, used;
    bool failed;
};

struct launch_profile *launch_profile_new(struct ro *ro, const struct codeobj_processor *processor,
                                          const struct codeobj_kernel_descriptor *descriptor, uint64_t entry)
{
    struct codeobj_isa_options options = { .size = sizeof options, .wave = descriptor->wave_size };
    struct codeobj_diag diag = { 0 };
    struct launch_profile *p = calloc(1, sizeof *p);
    if (!p) {
        ro_error(ro, "out of memory");
        return NULL;
    }
    p->ro = ro;
    p->entry = entry;
    p->wave_size = descriptor->wave_size;
    /* In one file, or in one of the same size beside it. */
    p->vgprs = descriptor->vgpr_count - descriptor->agpr_count;
    p->agprs = processor->features & CODEOBJ_FEATURE_UNIFIED_VGPR ? descriptor->agpr_count
               : processor->features & CODEOBJ_FEATURE_AGPR      ? descriptor->vgpr_count
                                                                 : 0;
    p->sgprs = descriptor->sgpr_count < 106 ? descriptor->sgpr_count : 106;
    if (codeobj_isa_new(processor, &options, &p->isa, &diag) != CODEOBJ_OK) {
        ro_diag(ro, "profile", &diag);
        free(p);
        return NULL;
    }
    return p;
}

void launch_profile_free(struct launch_profile *p)
{
    if (!p)
        return;
    codeobj_isa_free(p->isa);
    free(p->slots);
    free(p);
}

static struct count *slot_of(struct count *slots, size_t room, uint64_t pc)
{
    size_t i = (size_t)(pc >> 2) * 0x9e3779b97f4a7c15u & (room - 1);
    while (slots[i].pc && slots[i].pc != pc)
        i = (i + 1) & (room - 1);
    return &slots[i];
}

static bool grow(struct launch_profile *p)
{
    size_t room = p->room ? p->room * 2 : 1024;
    struct count *slots = calloc(room, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < p->room; i++)
        if (p->slots[i].pc)
            *slot_of(slots, room, p->slots[i].pc) = p->slots[i];
    free(p->slots);
    p->slots = slots;
    p->room = room;
    return true;
}

static unsigned bits(uint64_t v)
{
    unsigned n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

void launch_profile_count(struct launch_profile *p, const struct codeobj_exec_event *e)
{
    if (p->used * 2 >= p->room && !grow(p)) {
        p->failed = true;
        return;
    }
    struct count *c = slot_of(p->slots, p->room, e->pc);
    if (!c->pc) {
        c->pc = e->pc;
        c->inst = *e->inst;
        p->used++;
    }
    c->times++;
    c->lanes += bits(codeobj_exec_wave_exec(e->state));
}

static int by_pc(const void *a, const void *b)
{
    const struct count *x = a, *y = b;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* Moves the counts to the front, in order of address. */
static void settle(struct launch_profile *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->room; i++)
        if (p->slots[i].pc)
            p->slots[n++] = p->slots[i];
    if (n)
        qsort(p->slots, n, sizeof *p->slots, by_pc);
}

static void profile_text(struct launch_profile *p)
{
    FILE *out = p->ro->out;
    fprintf(out, "%12s %7s  %-8s %s\n", "Times", "Lanes", "Offset", "Instruction");
    for (size_t i = 0; i < p->used; i++) {
        const struct count *c = &p->slots[i];
        char text[256];
        uint64_t at = c->pc - p->entry;
        codeobj_isa_print(p->isa, &c->inst, text, sizeof text);
        fprintf(out, "%12" PRIu64 " %7.1f  %c0x%04" PRIx64 "  %s\n", c->times, (double)c->lanes / (double)c->times,
                at >> 63 ? '-' : '+', at >> 63 ? 0 - at : at, text);
    }
}

static void stats_text(struct launch_profile *p, double seconds)
{
    FILE *out = p->ro->out;
    uint64_t times[CODEOBJ_FMT_COUNT] = { 0 }, lanes[CODEOBJ_FMT_COUNT] = { 0 }, all = 0;
    for (size_t i = 0; i < p->used; i++) {
        times[p->slots[i].inst.format] += p->slots[i].times;
        lanes[p->slots[i].inst.format] += p->slots[i].lanes;
        all += p->slots[i].times;
    }
    fprintf(out, "%12s %6s %7s  %s\n", "Instructions", "%", "Lanes", "Format");
    for (size_t f = 0; f < CODEOBJ_FMT_COUNT; f++)
        if (times[f])
            fprintf(out, "%12" PRIu64 " %6.1f %7.1f  %s\n", times[f], 100.0 * (double)times[f] / (double)all,
                    (double)lanes[f] / (double)times[f], codeobj_isa_format_name((enum codeobj_isa_format)f));
    fprintf(out, "%12" PRIu64 " %6.1f %7s  all, %zu different\n", all, 100.0, "", p->used);
    fprintf(out, "%12.2f million wave instructions a second, counted one by one\n",
            seconds > 0 ? (double)all / seconds / 1e6 : 0.0);
}

void launch_profile_print(struct launch_profile *p, double seconds)
{
    if (p->failed)
        ro_error(p->ro, "out of memory: the counts are incomplete");
    settle(p);
    if (p->ro->opt->profile)
        profile_text(p);
    if (p->ro->opt->stats)
        stats_text(p, seconds);
}

/* All registers of a wave; lanes as --lanes says. */
void launch_profile_dump(struct launch_profile *p, const struct codeobj_exec_event *e, uint64_t first_lane, uint64_t last_lane)
{
    FILE *out = p->ro->out;
    const uint64_t at = e->pc - p->entry;
    char where[32] = "ended";
    if (strncmp(codeobj_isa_row_mnemonic(e->inst->row), "s_endpgm", 8))
        snprintf(where, sizeof where, "after %c0x%04" PRIx64, at >> 63 ? '-' : '+', at >> 63 ? 0 - at : at);
    fprintf(out, "[wg %" PRIu32 ",%" PRIu32 ",%" PRIu32 " wave %" PRIu32 "] %s: exec=%0*" PRIx64 " vcc=", e->workgroup[0],
            e->workgroup[1], e->workgroup[2], e->wave, where, (int)p->wave_size / 4, codeobj_exec_wave_exec(e->state));
    if (p->wave_size == 64)
        fprintf(out, "%08" PRIx32, codeobj_exec_wave_sgpr(e->state, 107));
    fprintf(out, "%08" PRIx32 " scc=%d\n", codeobj_exec_wave_sgpr(e->state, 106), codeobj_exec_wave_scc(e->state));
    for (unsigned i = 0; i < p->sgprs; i++) {
        if (i % 8 == 0)
            fprintf(out, "  s%-3u", i);
        fprintf(out, " %08" PRIx32 "%s", codeobj_exec_wave_sgpr(e->state, i), i % 8 == 7 || i + 1 == p->sgprs ? "\n" : "");
    }
    for (unsigned r = 0; r < p->vgprs + p->agprs; r++) {
        const bool acc = r >= p->vgprs;
        const unsigned n = acc ? r - p->vgprs : r;
        fprintf(out, "  %c%-3u", acc ? 'a' : 'v', n);
        for (uint64_t lane = first_lane; lane <= last_lane; lane++)
            fprintf(out, " %08" PRIx32, acc ? codeobj_exec_wave_agpr(e->state, n, (unsigned)lane) : codeobj_exec_wave_vgpr(e->state, n, (unsigned)lane));
        fputc('\n', out);
    }
}

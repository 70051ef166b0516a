/* SPDX-License-Identifier: MIT
 *
 * check/code.c - registers that a kernel's code names, against those its
 * descriptor allocates.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend, compute_pgm_rsrc1 and 3.  A kernel
 * allocates for the functions it calls as well.
 */
#include "check/flow.h"

#include <stdio.h>

/* "v70 at entry+0x10", "v70 at \"helper\"+0x10, which it calls" */
static void place_text(const struct co_check *c, const struct codeobj_kernel *k, struct co_code_place at, char *buf, size_t size)
{
    const char *name = co_flow_name(c->flow, at.function);
    unsigned long long off = at.off;
    if (at.function == co_flow_entry(c->flow, k))
        snprintf(buf, size, "entry+0x%llx", off);
    else if (name)
        snprintf(buf, size, "\"%.120s\"+0x%llx, which it calls", name, off);
    else
        snprintf(buf, size, "0x%llx, which it calls", (unsigned long long)at.function + off);
}

static void judge(struct co_check *c, enum co_check_id id, const struct codeobj_kernel *k, const char *where, const char *kind, char letter,
                  unsigned used, unsigned allocated, struct co_code_place at)
{
    char needed[64], place[192];
    if (used <= allocated)
        return;
    snprintf(needed, sizeof needed, "at most %u %s", allocated, kind);
    place_text(c, k, at, place, sizeof place);
    co_check_say(c, id, where, needed, "%c%u at %s", letter, used - 1, place);
}

void co_check_code(struct co_check *c, const struct codeobj_kernel *k, const char *where)
{
    const struct codeobj_kernel_descriptor *d = &k->descriptor;
    const struct codeobj_processor *p = c->target.processor;
    struct co_code_usage u;
    if (!c->flow)
        c->flow = co_flow_new(c);
    if (!c->flow) {
        c->no_memory = true;
        return;
    }
    if (!co_flow_usage(c->flow, k, &u)) {
        if (co_flow_exhausted(c->flow) && !c->told_exhausted)
            co_check_say(c, CO_CHECK_CODE_NOT_JUDGED, where, "", "the code of this and the following kernels is not read");
        c->told_exhausted |= co_flow_exhausted(c->flow);
        c->no_memory |= co_flow_failed(c->flow);
        return;
    }
    unsigned vgprs = d->vgpr_count;
    if (p->features & CODEOBJ_FEATURE_UNIFIED_VGPR) {
        /* AGPRs lie behind accum_offset in the same file. */
        judge(c, CO_CHECK_CODE_VGPRS, k, where, "AGPRs", 'a', u.agprs, d->agpr_count, u.agpr_at);
        if (d->agpr_count && d->accum_offset < vgprs)
            vgprs = d->accum_offset;
    } else if (p->features & CODEOBJ_FEATURE_AGPR) {
        judge(c, CO_CHECK_CODE_VGPRS, k, where, "AGPRs", 'a', u.agprs, vgprs, u.agpr_at); /* a file as large as that of VGPRs */
    }
    judge(c, CO_CHECK_CODE_VGPRS, k, where, "VGPRs", 'v', u.vgprs, vgprs, u.vgpr_at);
    if (p->gen < CODEOBJ_GEN_GFX10)
        judge(c, CO_CHECK_CODE_SGPRS, k, where, "SGPRs", 's', u.sgprs, d->sgpr_count, u.sgpr_at);
    char place[192];
    if (u.indirect) {
        place_text(c, k, u.indirect_at, place, sizeof place);
        co_check_say(c, CO_CHECK_CODE_INDIRECT, where, "", "%zu call%s or jump%s through a pointer of which nothing is known, the first at %s", u.indirect,
                     u.indirect == 1 ? "" : "s", u.indirect == 1 ? "" : "s", place);
    }
    if (u.unknown) {
        place_text(c, k, u.unknown_at, place, sizeof place);
        co_check_say(c, CO_CHECK_CODE_UNKNOWN, where, "", "%zu %s of %s, the first at %s", u.unknown,
                     u.unknown == 1 ? "word is no instruction" : "words are no instructions", p->name, place);
    }
}

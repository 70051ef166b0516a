/* SPDX-License-Identifier: MIT
 *
 * ld/script_layout.c - addresses as a linker script has them: the location
 * counter, memory regions, load addresses, PHDRS.
 *
 * Sizes and addresses may depend on one another through symbols, so the steps
 * are gone through until nothing moves; only then are problems reported.
 * With SECTIONS the script alone decides: segments do not begin on new pages
 * unless it says so.  Without (assignments, INSERT), addresses are those of
 * layout.c.
 */
#include "script.h"

enum { MAX_ROUNDS = 30 };

struct round {
    struct ld *ld;
    struct ld_script *script;
    bool final;
    const struct ld_region *region;         /* of the section before */
    const struct ld_region *lma_region;
    uint64_t lma_offset, tbss, overlay; /* overlay: the largest member so far */
    const struct ld_out *before;            /* in memory */
};

static uint64_t value(const struct round *r, const struct ld_expr *e)
{
    struct ld_term t = co_ld_eval(r->ld, e, r->final);
    return co_ld_term_value(&t);
}

static void fail(struct round *r, const struct ld_where *at, const char *text)
{
    if (r->final && !r->script->silent)
        co_ld_error(r->ld, "%s:%u: %s", at->file, at->line, text);
}

/* ---- growth ------------------------------------------------------------------------------- */

static void take_room(const struct ld_out *o, uint64_t size)
{
    if (o->region)
        o->region->cur += size;
    if (o->lma_region && o->lma_region != o->region)
        o->lma_region->cur += size;
}

/* What a section takes, its regions have less; of an overlay, what it takes beyond the largest before. */
static void grow(struct round *r, struct ld_out *o, uint64_t size)
{
    o->size += size;
    if (o->desc && o->desc->in_overlay) {
        size = o->size > r->overlay ? o->size - r->overlay : 0;
        r->overlay += size;
    }
    take_room(o, size);
}

static void set_dot(struct round *r, const struct ld_expr *e, const struct ld_where *at, struct ld_out *inside)
{
    struct ld_script *s = r->script;
    uint64_t v = value(r, e);
    if (v < s->dot && inside) {
        fail(r, at, co_ld_printf(r->ld, "unable to move location counter (0x%llx) backward to 0x%llx for section '%s'",
                                 (unsigned long long)s->dot, (unsigned long long)v, inside->name));
        return;
    }
    if (inside)
        grow(r, inside, v - s->dot);
    s->dot = v;
}

static void assign(struct round *r, struct ld_assign *a, struct ld_out *inside)
{
    a->dot = r->script->dot;
    a->moved = 0;
    if (!strcmp(a->name, ".")) {
        set_dot(r, a->expr, &a->at, inside);
        a->moved = r->script->dot - a->dot;
        return;
    }
    if (!a->sym)
        return;
    struct ld_term t = co_ld_eval(r->ld, a->expr, r->final);
    co_ld_set_symbol(a->sym, &t);
}

/* ---- one output section ----------------------------------------------------------------------- */

static void place_inputs(struct round *r, struct ld_out *o, struct ld_section **secs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct ld_section *sec = secs[i];
        if (ld_places(sec)->spill_of)
            continue;
        uint64_t at = ld_align(r->script->dot, sec->align);
        sec->out_off = at - o->addr;
        if (sec == r->ld->s_relro_padding)
            sec->size = ld_align(at, r->ld->common_page) - at;
        if (at < r->script->dot || sec->size > UINT64_MAX - at) { /* past the end of the address space: too_large() says so */
            o->size = UINT64_MAX;
            return;
        }
        grow(r, o, at + sec->size - r->script->dot);
        r->script->dot = sec == r->ld->s_relro_padding ? at : at + sec->size; /* the padding is no place for anything */
    }
}

static void contents(struct round *r, struct ld_out *o)
{
    struct ld_script *s = r->script;
    if (o->contents) /* compressed: it has the size that it has */
        return;
    o->size = 0;
    if (o->desc && o->desc->first_in_overlay)
        r->overlay = 0;
    if (!o->desc) {
        place_inputs(r, o, o->secs.items, o->secs.count);
        return;
    }
    EACH(i, o->desc->cmds) {
        struct ld_cmd *c = &o->desc->cmds.items[i];
        switch (c->kind) {
        case CMD_ASSIGN:
            assign(r, c->assign, o);
            break;
        case CMD_ASSERT:
            c->off = s->dot - o->addr;
            value(r, c->expr);
            break;
        case CMD_DATA:
            c->off = s->dot - o->addr;
            s->dot += c->size;
            grow(r, o, c->size);
            break;
        default:
            place_inputs(r, o, c->input->secs.items, c->input->secs.count);
        }
    }
}

/* Load address: AT(), the load region, or as far from the address as before. */
static void load_address(struct round *r, struct ld_out *o, bool same_region, bool default_before)
{
    if (o->desc && o->desc->lma) {
        r->lma_offset = value(r, o->desc->lma) - r->script->dot;
    } else if (o->lma_region) {
        uint64_t start = ld_align(o->lma_region->cur, o->align);
        o->lma_region->cur = start;
        r->lma_offset = start - r->script->dot;
    } else if (!same_region || !default_before) {
        r->lma_offset = 0;
    }
    o->lma_offset = r->lma_offset;
}

static void start(struct round *r, struct ld_out *o)
{
    struct ld *ld = r->ld;
    struct ld_script *s = r->script;
    const uint64_t *fixed = co_ld_fixed_address(ld, o);
    const struct ld_phdr *load = o->load >= 0 ? &ld->phdrs.items[o->load] : NULL;
    if (o->region)
        s->dot = o->region->cur;
    if (o->desc && o->desc->addr)
        set_dot(r, o->desc->addr, &o->desc->at, NULL);
    else if (fixed)
        s->dot = *fixed;
    else if (!s->has_sections && load && load->first == o && !load->headers)
        s->dot = co_ld_segment_start(ld, o, r->before, s->dot);
    if (o->region && o->region->cur < s->dot)
        o->region->cur = s->dot;
}

static void lay_out(struct round *r, struct ld_out *o)
{
    struct ld_script *s = r->script;
    bool alloc = o->flags & SHF_ALLOC, tbss = alloc && (o->flags & SHF_TLS) && o->type == SHT_NOBITS;
    bool same_region = r->region == o->region, default_before = !r->lma_region;
    uint64_t saved = s->dot;
    r->region = o->region;
    r->lma_region = o->lma_region;
    if (!alloc)
        s->dot = 0;
    else if (tbss)
        s->dot = r->tbss ? r->tbss : s->dot;
    else
        start(r, o);
    s->out = o;
    if (!(o->desc && o->desc->addr && s->has_sections)) {
        uint64_t at = ld_align(s->dot, o->align);
        take_room(o, at - s->dot);
        s->dot = at;
    }
    o->addr = s->dot;
    load_address(r, o, same_region, default_before);
    contents(r, o);
    if (!alloc) {
        s->dot = saved;
    } else if (tbss) {
        r->tbss = s->dot;
        s->dot = saved;
    } else {
        r->before = o;
    }
}

/* ---- regions -------------------------------------------------------------------------------------- */

static void start_regions(struct round *r)
{
    EACH(i, r->script->regions) {
        struct ld_region *m = r->script->regions.items[i];
        m->start = value(r, m->origin);
        m->size = value(r, m->length);
        m->cur = m->start;
    }
}

static bool check_region(struct ld *ld, const struct ld_out *o, const struct ld_region *m, uint64_t addr)
{
    uint64_t end = addr + o->size, limit = m->start + m->size;
    if (end <= limit)
        return true;
    co_ld_error(ld, "section '%s' will not fit in region '%s': overflowed by %llu bytes", o->name, m->name,
                (unsigned long long)(end - limit));
    return false;
}

static void check_regions(struct ld *ld)
{
    EACH(i, ld->outs) {
        const struct ld_out *o = ld->outs.items[i];
        if (o->region)
            check_region(ld, o, o->region, o->addr);
        if (o->lma_region)
            check_region(ld, o, o->lma_region, co_ld_load_address(ld, o));
    }
}

/* ---- segments ------------------------------------------------------------------------------------------ */

static int phdr_by_name(struct ld *ld, const struct ld_out *o, const char *name)
{
    EACH(i, ld->script->phdrs)
        if (!strcmp(ld->script->phdrs.items[i].name, name))
            return (int)i;
    if (strcmp(name, "NONE"))
        co_ld_error(ld, "%s: program header '%s' is not listed in PHDRS",
                    o->desc ? co_ld_printf(ld, "%s:%u", o->desc->at.file, o->desc->at.line) : "<internal>", name);
    return -1;
}

void co_ld_script_phdrs(struct ld *ld)
{
    struct ld_script *s = ld->script;
    EACH(i, s->phdrs) {
        const struct ld_script_phdr *h = &s->phdrs.items[i];
        uint32_t flags = PF_R;
        if (h->flags) {
            struct ld_term t = co_ld_eval(ld, h->flags, true);
            flags = (uint32_t)co_ld_term_value(&t);
        }
        struct ld_phdr *p = co_ld_add_phdr(ld, h->type, flags, h->type == PT_LOAD ? co_ld_load_align(ld) : 0);
        p->headers = h->filehdr || h->phdrs;
        p->header_off = h->filehdr ? 0 : EHDR_SIZE;
        if (p->headers && p->align < 8)
            p->align = 8;
        if (h->at) {
            struct ld_term t = co_ld_eval(ld, h->at, true);
            p->lma = co_ld_term_value(&t);
            p->has_lma = true;
        }
    }
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        EACH(k, o->phdrs.items) {
            int idx = phdr_by_name(ld, o, o->phdrs.items.items[k]);
            if (idx < 0)
                continue;
            struct ld_phdr *p = &ld->phdrs.items[idx];
            co_ld_extend_phdr(p, o);
            if (!s->phdrs.items[idx].flags)
                p->flags |= (o->flags & SHF_WRITE ? PF_W : 0) | (o->flags & SHF_EXECINSTR ? PF_X : 0) | PF_R;
            if (p->type == PT_LOAD)
                o->load = idx;
        }
    }
}

/* The headers are loaded if there is room for them in front of the first section. */
static void place_headers(struct ld *ld)
{
    uint64_t lowest = UINT64_MAX, page = ld->page;
    bool explicit = false, paged = !(ld->opt.flags & (CODEOBJ_LINK_OMAGIC | CODEOBJ_LINK_NMAGIC | CODEOBJ_LINK_BINARY));
    struct ld_phdr *first = NULL;
    EACH(i, ld->outs)
        if ((ld->outs.items[i]->flags & SHF_ALLOC) && ld->outs.items[i]->addr < lowest)
            lowest = ld->outs.items[i]->addr;
    EACH(i, ld->phdrs)
        if (ld->phdrs.items[i].type == PT_LOAD && !first)
            first = &ld->phdrs.items[i];
    EACH(i, ld->script->phdrs)
        explicit |= ld->script->phdrs.items[i].filehdr || ld->script->phdrs.items[i].phdrs;
    if (!first || lowest == UINT64_MAX)
        return;
    uint64_t base = explicit ? 0 : lowest & ~(page - 1);
    if ((paged || explicit) && ld->headers_size <= lowest - base) {
        ld->header_addr = (lowest - ld->headers_size) & ~(page - 1);
        return;
    }
    if (explicit)
        co_ld_error(ld, "could not allocate headers");
    EACH(i, ld->phdrs) {
        ld->phdrs.items[i].headers = false;
        ld->phdrs.items[i].removed |= ld->phdrs.items[i].type == PT_PHDR;
    }
}

/* ---- does anything move? ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t h, uint64_t v)
{
    uint64_t pair[2] = { h, v };
    return co_ld_hash(pair, sizeof pair);
}

static uint64_t mix_symbol(uint64_t h, const struct ld_assign *a)
{
    return a && a->sym ? mix(h, a->sym->value + (a->sym->out ? a->sym->out->addr : 0)) : h;
}

/* All that a round has decided. */
static uint64_t summary(const struct ld *ld)
{
    uint64_t h = 0;
    EACH(i, ld->script->steps)
        h = mix_symbol(h, ld->script->steps.items[i].assign);
    EACH(i, ld->outs) {
        const struct ld_out *o = ld->outs.items[i];
        h = mix(mix(mix(h, o->addr), o->size), o->lma_offset);
        for (size_t k = 0; o->desc && k < o->desc->cmds.count; k++)
            h = mix_symbol(h, o->desc->cmds.items[k].assign);
    }
    return h;
}

/* ---- all together --------------------------------------------------------------------------------------- */

static void one_round(struct round *r)
{
    struct ld *ld = r->ld;
    struct ld_script *s = r->script;
    s->dot = s->has_sections ? (ld->opt.has_image_base ? ld->opt.image_base : 0) : co_ld_image_base(ld) + ld->headers_size;
    s->out = NULL;
    co_ld_place_linker_symbols(ld); /* by the round before: expressions may name them */
    start_regions(r);
    EACH(i, s->steps) {
        struct ld_step *step = &s->steps.items[i];
        step->dot = s->dot;
        if (step->assign)
            assign(r, step->assign, NULL);
        else if (step->assertion)
            value(r, step->assertion);
        else if (step->out)
            lay_out(r, step->out);
    }
}

static bool too_large(struct ld *ld)
{
    EACH(i, ld->outs) {
        const struct ld_out *o = ld->outs.items[i];
        if (o->size > UINT64_MAX / 4 || o->addr > UINT64_MAX - o->size) {
            co_ld_error(ld, "section %s (address 0x%llx, size 0x%llx) does not fit the address space", o->name,
                        (unsigned long long)o->addr, (unsigned long long)o->size);
            return true;
        }
    }
    return false;
}

static void check_alignment(struct ld *ld)
{
    for (size_t i = 0; !ld->relocatable && i < ld->outs.count; i++) {
        const struct ld_out *o = ld->outs.items[i];
        if (o->align && (o->addr & (o->align - 1)))
            co_ld_warn(ld, "address (0x%llx) of section %s is not a multiple of alignment (%llu)",
                       (unsigned long long)o->addr, o->name, (unsigned long long)o->align);
    }
}

void co_ld_script_values(struct ld *ld)
{
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        struct ld_desc *d = o->desc;
        ld->script->out = o;
        if (d && d->has_fill) {
            struct ld_term t = co_ld_eval(ld, d->fill_expr, true);
            for (unsigned k = 0; k < 4; k++)
                d->fill[k] = (uint8_t)(co_ld_term_value(&t) >> (24 - 8 * k));
        }
        for (size_t k = 0; d && k < d->cmds.count; k++) {
            struct ld_cmd *c = &d->cmds.items[k];
            if (c->kind != CMD_DATA)
                continue;
            ld->script->dot = o->addr + c->off;
            struct ld_term t = co_ld_eval(ld, c->expr, true);
            c->value = co_ld_term_value(&t);
        }
    }
}

static uint64_t address_of(const struct ld_symbol *s)
{
    return s->value + (s->out ? s->out->addr : 0);
}

typedef VEC(const struct ld_assign *) assign_list;

static void list_assigned(struct ld *ld, assign_list *all)
{
    EACH(i, ld->script->steps) {
        const struct ld_step *step = &ld->script->steps.items[i];
        if (step->assign && step->assign->sym)
            *PUSH(ld, *all) = step->assign;
        for (size_t k = 0; step->out && step->out->desc && k < step->out->desc->cmds.count; k++) {
            const struct ld_assign *a = step->out->desc->cmds.items[k].assign;
            if (a && a->sym)
                *PUSH(ld, *all) = a;
        }
    }
}

/* Of the symbols that another round moves the first one by name is named. */
static void complain_of_rounds(struct round *r)
{
    struct ld *ld = r->ld;
    assign_list all = { 0 };
    list_assigned(ld, &all);
    uint64_t *before = co_ld_array(ld, all.count, sizeof *before);
    const struct ld_symbol *moved = NULL;
    EACH(i, all)
        before[i] = address_of(all.items[i]->sym);
    one_round(r);
    EACH(i, all) {
        const struct ld_symbol *s = all.items[i]->sym;
        if (address_of(s) != before[i] && (!moved || strcmp(s->name, moved->name) < 0))
            moved = s;
    }
    if (moved)
        co_ld_error_or_warn(ld, "assignment to symbol %s does not converge", co_ld_show(ld, moved));
    else
        co_ld_error(ld, "the addresses that the linker script assigns do not settle");
}

bool co_ld_script_addresses(struct ld *ld)
{
    struct ld_script *s = ld->script;
    uint64_t before = 0, now = 1;
    bool spilled = false;
    for (unsigned i = 0; before != now || spilled; i++) {
        struct round r = { .ld = ld, .script = s };
        if (i > MAX_ROUNDS) {
            complain_of_rounds(&r);
            break;
        }
        one_round(&r);
        spilled = co_ld_spill(ld);
        before = now;
        now = summary(ld);
    }
    return !too_large(ld);
}

bool co_ld_script_conclude(struct ld *ld)
{
    struct ld_script *s = ld->script;
    struct round last = { .ld = ld, .script = s, .final = true };
    s->silent = ld->error_count != 0;
    one_round(&last);
    if (too_large(ld))
        return false;
    co_ld_script_values(ld);
    check_alignment(ld);
    if (!s->silent)
        check_regions(ld);
    if (s->has_sections && !ld->relocatable && !(ld->opt.flags & CODEOBJ_LINK_BINARY))
        place_headers(ld);
    ld->laid_out = !ld->relocatable;
    return !ld->stopped;
}

static void fill(const struct ld_desc *d, uint8_t *dst, uint64_t from, uint64_t to)
{
    for (uint64_t at = from; at < to; at++)
        dst[at] = d->fill[(at - from) & 3];
}

/* Bytes that a description writes itself, and the fill between the sections. */
void co_ld_script_fill(const struct ld_out *o, uint8_t *dst)
{
    const struct ld_desc *d = o->desc;
    if (!d || o->type == SHT_NOBITS)
        return;
    for (size_t i = 0, at = 0; d->has_fill && i <= o->secs.count; i++) { /* gaps and padding: each begins the pattern anew */
        const struct ld_section *sec = i < o->secs.count ? o->secs.items[i] : NULL;
        fill(d, dst, at, sec ? sec->out_off : o->size);
        if (!sec)
            break;
        uint64_t end = sec->out_off + sec->size;
        if (sec->is_padding)
            fill(d, dst, sec->out_off, end);
        at = end > at ? end : at;
    }
    EACH(i, d->cmds) {
        const struct ld_cmd *c = &d->cmds.items[i];
        for (unsigned k = 0; c->kind == CMD_DATA && k < c->size; k++)
            dst[c->off + k] = (uint8_t)(c->value >> (8 * k));
    }
}

/* ---- --print-memory-usage ------------------------------------------------------------------------- */

static const char *amount(struct ld *ld, uint64_t n)
{
    static const char *const units[] = { "GB", "MB", "KB" };
    for (unsigned i = 0; i < 3; i++) {
        unsigned shift = 30 - 10 * i;
        if (!(n & ((1ull << shift) - 1)))
            return co_ld_printf(ld, "%10llu %s", (unsigned long long)(n >> shift), units[i]);
    }
    return co_ld_printf(ld, " %10llu B", (unsigned long long)n);
}

void co_ld_write_memory_usage(struct ld *ld)
{
    struct ld_text *t = &ld->texts[CODEOBJ_LINK_TEXT_MEMORY];
    co_ld_text_add(ld, t, "Memory region         Used Size  Region Size  %%age Used\n");
    for (size_t i = 0; ld->script && i < ld->script->regions.count; i++) {
        const struct ld_region *m = ld->script->regions.items[i];
        uint64_t used = m->cur - m->start;
        co_ld_text_add(ld, t, "%16s: %s", m->name, amount(ld, used));
        if (m->size)
            co_ld_text_add(ld, t, "%s    %6.2f%%", amount(ld, m->size), (double)used * 100.0 / (double)m->size);
        co_ld_text_add(ld, t, "\n");
    }
}

/* SPDX-License-Identifier: MIT
 *
 * ld/map.c - the texts for -Map and --cref.
 *
 * The map's columns are ld.lld's: address, load address, size and alignment,
 * then output section, input section, symbol, each one step further in.
 */
#include "script.h"

#include <stdlib.h>

/* A symbol of the map. */
struct placed {
    const struct ld_section *sec; /* under which it stands */
    const struct ld_symbol *sym;
    uint64_t addr;
    size_t seq;
};

struct map {
    struct ld *ld;
    VEC(struct placed) symbols; /* those of a section side by side, in the order of their addresses */
};

static int by_section(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->sec != y->sec ? (x->sec < y->sec ? -1 : 1) : 0;
}

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->sec != y->sec)
        return by_section(a, b);
    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* o: the output section from whose load address that of addr follows; NULL: addr has none. */
static void line(struct ld *ld, const struct ld_out *o, uint64_t addr, uint64_t size, uint64_t align)
{
    uint64_t load = o ? co_ld_load_address(ld, o) + addr - o->addr : 0;
    co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_MAP], "%16llx %16llx %8llx %5llu ", (unsigned long long)addr,
                   (unsigned long long)load, (unsigned long long)size, (unsigned long long)align);
}

/* Also what .symtab leaves out (-s, -x, .L names): the map says where it is. */
static bool in_map(const struct ld_file *f, const struct ld_symbol *s)
{
    return s && s->kind == SYM_DEFINED && s->sec && s->type != STT_SECTION && (s->local || s->file == f) &&
           (!s->sec->merge || co_ld_piece_at(s->sec, s->value)->live);
}

static void collect_symbols(struct map *m)
{
    EACH(k, m->ld->files) {
        const struct ld_file *f = m->ld->files.items[k];
        for (size_t i = 1; f->kind == FILE_OBJECT && i < f->symbol_count; i++) {
            const struct ld_symbol *s = f->symbols[i];
            if (!in_map(f, s))
                continue;
            const struct ld_section *sec = s->sec;
            while (sec->repl) /* --icf has folded it */
                sec = sec->repl;
            *PUSH(m->ld, m->symbols) = (struct placed){ sec, s, co_ld_symbol_addr(m->ld, s), f->order << 32 | i };
        }
    }
    if (m->symbols.count)
        qsort(m->symbols.items, m->symbols.count, sizeof *m->symbols.items, by_place);
}

static void symbols_of(struct map *m, const struct ld_section *sec)
{
    if (!m->symbols.count)
        return;
    const struct placed key = { .sec = sec }, *all = m->symbols.items, *end = all + m->symbols.count;
    const struct placed *p = bsearch(&key, all, m->symbols.count, sizeof key, by_section);
    while (p && p > all && p[-1].sec == sec)
        p--;
    for (; p && p < end && p->sec == sec; p++) {
        line(m->ld, sec->out, p->addr, p->sym->size, 1);
        co_ld_text_add(m->ld, &m->ld->texts[CODEOBJ_LINK_TEXT_MAP], "                %s\n", co_ld_show(m->ld, p->sym));
    }
}

/* The relocations of an output section, -r or --emit-relocs: a line for each input section that has some. */
static void relocations_of(struct ld *ld, const struct ld_out *o, const struct ld_out *rela)
{
    size_t n;
    struct ld_section **secs = co_ld_relocated_sections(o, &n);
    uint64_t at = rela->addr;
    for (size_t i = 0; i < n; i++) {
        uint64_t size = co_ld_reloc_count(secs[i]) * rela->entsize;
        line(ld, rela, at, size, rela->align);
        co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_MAP], "        %s:(%s)\n", secs[i]->file->name,
                       secs[i]->file->sections[secs[i]->rel_idx]->name);
        at += size;
    }
}

/* The padding is the output section's, not that of what makes it; a group has the members that the object gave it. */
static uint64_t size_in_map(const struct ld *ld, const struct ld_section *sec)
{
    struct codeobj_elf_section s;
    if (sec->type == SHT_GROUP && sec->file && codeobj_elf_section(sec->file->elf, sec->idx, &s) == CODEOBJ_OK)
        return s.size;
    return sec == ld->s_relro_padding ? 0 : sec->size;
}

static void input_section(struct map *m, const struct ld_out *o, const struct ld_section *sec)
{
    struct ld *ld = m->ld;
    line(ld, o, o->addr + sec->out_off, size_in_map(ld, sec), sec->align);
    co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_MAP], "        %s:(%s)\n", co_ld_file_name(sec->file), sec->name);
    symbols_of(m, sec);
}

/* What a script says, where it takes effect; o: the output section in which, or behind which, that is. */
static void command(struct ld *ld, const struct ld_out *o, uint64_t addr, uint64_t size, const char *indent, const char *text)
{
    line(ld, o, addr, size, 1);
    co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_MAP], "%s%s\n", indent, text);
}

static void assignment(struct ld *ld, const struct ld_out *o, const struct ld_assign *a, const char *indent)
{
    if (!a->provide || a->sym)
        command(ld, o, a->dot, a->moved, indent, a->text);
}

/* An output section that a script describes: command by command. */
static void described_section(struct map *m, const struct ld_out *o)
{
    struct ld *ld = m->ld;
    static const char indent[] = "        ";
    EACH(i, o->desc->cmds) {
        const struct ld_cmd *c = &o->desc->cmds.items[i];
        if (c->kind == CMD_ASSIGN)
            assignment(ld, o, c->assign, indent);
        else if (c->kind != CMD_INPUT)
            command(ld, o, o->addr + c->off, c->kind == CMD_DATA ? c->size : 0, indent, c->text ? c->text : "");
        for (size_t k = 0; c->kind == CMD_INPUT && k < c->input->secs.count; k++)
            if (!ld_places(c->input->secs.items[k])->spill_of)
                input_section(m, o, c->input->secs.items[k]);
    }
}

static void output_section(struct map *m, const struct ld_out *o)
{
    struct ld *ld = m->ld;
    line(ld, o, o->addr, o->size, o->align);
    co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_MAP], "%s\n", o->name);
    if (o->info_out && o->info_out->rela == o)
        relocations_of(ld, o->info_out, o);
    else if (o->desc)
        described_section(m, o);
    else
        EACH(k, o->secs)
            input_section(m, o, o->secs.items[k]);
}

static void steps(struct map *m)
{
    struct ld *ld = m->ld;
    const struct ld_out *before = NULL;
    EACH(i, ld->script->steps) {
        const struct ld_step *step = &ld->script->steps.items[i];
        const struct ld_assign *a = step->assign;
        if (a)
            assignment(ld, before, a, "");
        else if (step->assertion)
            command(ld, before, step->dot, 0, "", "");
        else if (step->out)
            output_section(m, before = step->out);
    }
}

void co_ld_write_map(struct ld *ld)
{
    struct ld_text *t = &ld->texts[CODEOBJ_LINK_TEXT_MAP];
    struct map m = { .ld = ld };
    collect_symbols(&m);
    co_ld_text_add(ld, t, "%16s %16s %8s %5s Out     In      Symbol\n", "VMA", "LMA", "Size", "Align");
    if (ld->script)
        steps(&m);
    for (size_t i = 0, k = 0; !ld->script && (i < ld->outs.count || k < ld->unlisted.count);) { /* both are in the order of rank */
        bool listed = k == ld->unlisted.count ||
                      (i < ld->outs.count && ld->outs.items[i]->rank < ld->unlisted.items[k]->rank);
        output_section(&m, listed ? ld->outs.items[i++] : ld->unlisted.items[k++]);
    }
}

struct mentioned {
    const char *key; /* the bytes of sym, as a name */
    const struct ld_symbol *sym;
    VEC(const struct ld_file *) files;
};

static bool in_table(const struct ld *ld, const struct ld_symbol *s)
{
    return s && (s->kind == SYM_DEFINED || s->kind == SYM_SHARED) && !co_ld_is_local(ld, s) && !(s->sec && !s->sec->live);
}

/* Global symbols in the order in which objects mention them: the name, the file that defines it, then the others. */
void co_ld_write_cref(struct ld *ld)
{
    struct ld_text *t = &ld->texts[CODEOBJ_LINK_TEXT_CREF];
    struct ld_names by_symbol = { 0 };
    VEC(struct mentioned *) all = { 0 };
    EACH(k, ld->files) {
        const struct ld_file *f = ld->files.items[k];
        for (size_t n = f->first_global; f->kind == FILE_OBJECT && n < f->symbol_count; n++) {
            if (!in_table(ld, f->symbols[n]))
                continue;
            void **place = co_ld_names_place(ld, &by_symbol, (const char *)&f->symbols[n], sizeof f->symbols[n]);
            if (!*place) {
                struct mentioned *m = co_ld_alloc(ld, sizeof *m);
                m->sym = f->symbols[n];
                m->key = (const char *)&m->sym;
                *PUSH(ld, all) = *place = m;
            }
            struct mentioned *m = *place;
            *PUSH(ld, m->files) = f;
        }
    }
    co_ld_text_add(ld, t, "\nCross Reference Table\n\n%-49s File\n", "Symbol");
    EACH(i, all) {
        const struct mentioned *m = all.items[i];
        const char *place = m->sym->file ? NULL : co_ld_script_assigned_at(ld, m->sym);
        co_ld_text_add(ld, t, "%-49s %s\n", co_ld_show(ld, m->sym), place ? place : co_ld_file_name(m->sym->file));
        EACH(k, m->files)
            if (m->files.items[k] != m->sym->file)
                co_ld_text_add(ld, t, "%-49s %s\n", "", m->files.items[k]->name);
    }
}

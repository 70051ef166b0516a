/* SPDX-License-Identifier: MIT
 *
 * ld/gc.c - --gc-sections: what nothing needs is left out.
 *
 * Roots: everything the output exports (kernels and their descriptors are
 * exported), the entry, -u, --init and --fini symbols, SHF_GNU_RETAIN, notes,
 * constructor tables, and sections whose __start_/__stop_ names are used where
 * -z nostart-stop-gc asks for that.  From a live section all that its
 * relocations reach is live, as are the other members of its group and what
 * is ordered after it (SHF_LINK_ORDER).  Sections that are not allocated stay,
 * and do not keep others alive.  The work list is explicit: chains may be long.
 *
 * Without --gc-sections, objects that were compiled from bitcode are collected
 * all the same (CODEOBJ_LINK_INPUT_COLLECT): LLVM's own link step drops what is
 * not exported and not used.  All other sections are roots then.
 */
#include "ld.h"

struct gc {
    struct ld *ld;
    VEC(struct ld_section *) work;
    struct ld_why *why; /* --why-live; or NULL */
};

/* sym: what of the section is meant, where it is known. */
static void mark(struct gc *gc, struct ld_section *sec, uint64_t off, bool whole, const struct ld_symbol *sym,
                 struct ld_reason reason)
{
    if (!sec || !sec->kept)
        return;
    if (sec->merge && sec->piece_count) {
        if (whole)
            for (size_t i = 0; i < sec->piece_count; i++)
                sec->pieces[i].live = true;
        else
            co_ld_piece_at(sec, off)->live = true;
    }
    if (sec->gc_visited)
        return;
    sec->gc_visited = true;
    sec->live = true;
    if (gc->why)
        co_ld_why_section(gc->ld, gc->why, sec, sym, reason);
    *PUSH(gc->ld, gc->work) = sec;
}

/* A reference to __start_X keeps all X (unless they may go). */
static void mark_encapsulated(struct gc *gc, const struct ld_symbol *sym, struct ld_reason reason)
{
    struct ld *ld = gc->ld;
    const char *x = !strncmp(sym->name, "__start_", 8) ? sym->name + 8
                  : !strncmp(sym->name, "__stop_", 7)  ? sym->name + 7
                                                       : NULL;
    if (!x || !sym->linker_defined || !(ld->opt.flags & CODEOBJ_LINK_KEEP_START_STOP))
        return;
    EACH(i, ld->sections)
        if (!strcmp(ld->sections.items[i]->name, x) && co_ld_is_c_name(x))
            mark(gc, ld->sections.items[i], 0, true, NULL, reason);
}

static void mark_symbol(struct gc *gc, struct ld_symbol *sym, int64_t addend, struct ld_reason reason)
{
    if (!sym)
        return;
    sym->marked = true;
    mark_encapsulated(gc, sym, reason);
    if (gc->why && sym->kind == SYM_SHARED && sym->binding != STB_WEAK)
        co_ld_why_symbol(gc->ld, gc->why, sym, reason);
    if (sym->kind != SYM_DEFINED || !sym->sec)
        return;
    uint64_t off = sym->value;
    const struct ld_symbol *meant = sym;
    if (sym->type == STT_SECTION) {
        off += (uint64_t)addend;
        meant = gc->why ? co_ld_enclosing(sym->sec, off) : NULL;
    }
    mark(gc, sym->sec, off, false, meant, reason);
}

/* Why a section is a root; NULL: it is none. */
static const char *root_reason(const struct ld *ld, const struct ld_section *sec)
{
    static const char *const kept[] = { ".init", ".fini", ".jcr", ".ctors", ".dtors" };
    static const char reserved[] = "reserved";
    if (sec->flags & SHF_GNU_RETAIN)
        return "retained";
    switch (sec->type) {
    case SHT_NOTE:
        if (!sec->next_group) /* a note of a group goes with its group */
            return reserved;
        break;
    case SHT_INIT_ARRAY:
    case SHT_FINI_ARRAY:
    case SHT_PREINIT_ARRAY:
        return reserved;
    default:
        break;
    }
    for (size_t i = 0; sec->type != SHT_NOTE && i < sizeof kept / sizeof *kept; i++) {
        size_t n = strlen(kept[i]);
        if (!strncmp(sec->name, kept[i], n) && (!sec->name[n] || (i >= 3 && sec->name[n] == '.')))
            return reserved;
    }
    return sec->type != SHT_NOTE && co_ld_script_keeps(ld, sec) ? "KEEP in linker script" : NULL;
}

static void propagate(struct gc *gc)
{
    while (gc->work.count) {
        struct ld_section *sec = gc->work.items[--gc->work.count];
        size_t n = co_ld_reloc_count(sec);
        struct ld_reloc r;
        for (size_t i = 0; i < n; i++)
            if (co_ld_reloc_at(gc->ld, sec, i, &r))
                mark_symbol(gc, r.sym, r.addend,
                            (struct ld_reason){ .what = "referenced by", .sec = sec, .off = r.off, .is_place = true });
        for (struct ld_section *d = sec->dependents; d; d = d->next_dependent)
            mark(gc, d, 0, true, NULL, (struct ld_reason){ .what = "depended on by section", .sec = sec });
        struct ld_section *g = sec->next_group;
        while (g && g != sec && !g->kept)
            g = g->next_group;
        mark(gc, g, 0, true, NULL, (struct ld_reason){ .what = "in section group with", .sec = sec });
    }
}

static void mark_name(struct gc *gc, const char *name, const char *what)
{
    struct ld_symbol *s = name ? co_ld_find(gc->ld, name) : NULL;
    if (s && s->kind == SYM_DEFINED)
        mark_symbol(gc, s, 0, (struct ld_reason){ .what = what });
}

/* Symbols that are roots of this kind. */
static void mark_roots(struct gc *gc, enum ld_root root, const char *what)
{
    struct ld *ld = gc->ld;
    EACH(i, ld->symbols) {
        struct ld_symbol *s = ld->symbols.items[i];
        if (s->kind == SYM_DEFINED && !s->linker_defined && (s->root == root || (root == ROOT_EXPORTED && s->in_dynsym)))
            mark_symbol(gc, s, 0, (struct ld_reason){ .what = what });
    }
}

/* In ld.lld's order: --why-live shows the first reason of each. */
static void mark_symbols(struct gc *gc)
{
    const struct codeobj_link_options *opt = &gc->ld->opt;
    mark_roots(gc, ROOT_EXPORTED, "externally visible symbol; may interpose");
    mark_name(gc, opt->entry ? opt->entry : gc->ld->relocatable ? NULL : "_start", "entry point");
    mark_name(gc, opt->init ? opt->init : "_init", "initializer function");
    mark_name(gc, opt->fini ? opt->fini : "_fini", "finalizer function");
    mark_roots(gc, ROOT_OPTION, "undefined command line flag");
    mark_roots(gc, ROOT_SCRIPT, "referenced by linker script");
}

/* Names that the options keep, of the objects that are collected without --gc-sections. */
static void mark_kept(struct gc *gc)
{
    const struct codeobj_link_list *keep = &gc->ld->opt.keep;
    EACH(i, gc->ld->files) {
        const struct ld_file *f = gc->ld->files.items[i];
        if (!keep->count || !(f->flags & CODEOBJ_LINK_INPUT_COLLECT) || (gc->ld->opt.flags & CODEOBJ_LINK_GC_SECTIONS))
            continue;
        for (size_t k = 1; k < f->symbol_count; k++) {
            struct ld_symbol *s = f->symbols[k];
            bool here = s && s->kind == SYM_DEFINED && s->sec && s->sec->file == f && s->name;
            for (size_t n = 0; here && n < keep->count; n++)
                if (!strcmp(keep->items[n], s->name))
                    mark_symbol(gc, s, 0, (struct ld_reason){ .what = "kept" });
        }
    }
}

bool co_ld_collected(const struct ld *ld, const struct ld_section *sec)
{
    if (ld->opt.flags & CODEOBJ_LINK_GC_SECTIONS)
        return true;
    return !ld->relocatable && sec->file && (sec->file->flags & CODEOBJ_LINK_INPUT_COLLECT);
}

/* Undefined names of objects that are not collected are used, whether a relocation says so or not. */
static void mark_undefined(struct ld *ld)
{
    EACH(i, ld->files) {
        const struct ld_file *f = ld->files.items[i];
        bool whole = !(ld->opt.flags & CODEOBJ_LINK_GC_SECTIONS) && !(f->flags & CODEOBJ_LINK_INPUT_COLLECT);
        for (size_t k = f->first_global; whole && k < f->symbol_count; k++)
            if (f->symbols[k] && f->symbols[k]->kind != SYM_DEFINED)
                f->symbols[k]->marked = true;
    }
}

static bool anything_to_do(const struct ld *ld)
{
    if (ld->opt.flags & CODEOBJ_LINK_GC_SECTIONS)
        return true;
    for (size_t i = 0; !ld->relocatable && i < ld->files.count; i++)
        if (ld->files.items[i]->flags & CODEOBJ_LINK_INPUT_COLLECT)
            return true;
    return false;
}

static void print_unused(struct ld *ld, const struct ld_section *sec)
{
    co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_GC], "removing unused section %s:(%s)\n", sec->file->name, sec->name);
}

/* Where relocations are sections of the output, those of what goes are named too. */
static void print_unused_of(struct ld *ld, const struct ld_file *f)
{
    bool with_relocs = ld->relocatable || (ld->opt.flags & CODEOBJ_LINK_EMIT_RELOCS);
    for (size_t i = 1; f->kind == FILE_OBJECT && i < f->section_count; i++) {
        const struct ld_section *sec = f->sections[i], *of = sec;
        if (with_relocs && (sec->type == SHT_RELA || sec->type == SHT_REL) && sec->info < f->section_count)
            of = f->sections[sec->info];
        if (of->kept && !of->live)
            print_unused(ld, sec);
    }
}

static void print_all_unused(struct ld *ld)
{
    EACH(i, ld->commons)
        if (!ld->commons.items[i]->live)
            print_unused(ld, ld->commons.items[i]);
    EACH(i, ld->files)
        if (!(ld->files.items[i]->flags & CODEOBJ_LINK_INPUT_COLLECT))
            print_unused_of(ld, ld->files.items[i]);
    EACH(i, ld->binaries)
        if (!ld->binaries.items[i]->live)
            print_unused(ld, ld->binaries.items[i]);
}

void co_ld_gc(struct ld *ld)
{
    if (!anything_to_do(ld))
        return;
    const struct ld_reason whole = { .what = "not collected" };
    struct gc gc = { .ld = ld };
    if ((ld->opt.flags & CODEOBJ_LINK_GC_SECTIONS) && ld->opt.why_live.count)
        gc.why = co_ld_alloc(ld, sizeof *gc.why);
    ld->collecting = true;
    mark_undefined(ld);
    EACH(i, ld->sections) {
        struct ld_section *sec = ld->sections.items[i];
        bool collectable = (sec->flags & SHF_ALLOC) || (sec->flags & SHF_LINK_ORDER) || sec->next_group;
        sec->live = !collectable;
        sec->gc_visited = false;
    }
    EACH(i, ld->commons)
        ld->commons.items[i]->live = false;
    EACH(i, ld->sections)
        if (!co_ld_collected(ld, ld->sections.items[i]) && (ld->sections.items[i]->flags & SHF_ALLOC))
            mark(&gc, ld->sections.items[i], 0, true, NULL, whole);
    EACH(i, ld->commons)
        if (!co_ld_collected(ld, ld->commons.items[i]))
            mark(&gc, ld->commons.items[i], 0, true, NULL, whole);
    mark_symbols(&gc);
    mark_kept(&gc);
    EACH(i, ld->sections) {
        const char *what = root_reason(ld, ld->sections.items[i]);
        if (what)
            mark(&gc, ld->sections.items[i], 0, true, NULL, (struct ld_reason){ .what = what });
    }
    propagate(&gc);
    if (gc.why)
        co_ld_write_why_live(ld, gc.why);
    if (ld->opt.flags & CODEOBJ_LINK_PRINT_GC)
        print_all_unused(ld);
}

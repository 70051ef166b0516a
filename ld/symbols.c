/* SPDX-License-Identifier: MIT
 *
 * ld/symbols.c - pass 2: who defines each name, how it is seen from outside.
 *
 * Rules (observed of ld.lld 22 and the gABI): the first strong definition wins
 * and a second one is an error; a strong one beats a weak one, a definition
 * beats a common symbol, of two commons the larger wins; a definition beats
 * what an archive could offer.  Visibility is the most constraining of all
 * definitions and references in objects, undefined ones included.
 *
 * Invariants: after co_ld_read_inputs every symbol has its final definition;
 * after co_ld_decide_exports `preemptible` and `in_dynsym` are final, and
 * co_ld_is_local tells what the output will call it.
 */
#include "ld.h"

#include <stdlib.h>

struct ld_symbol *co_ld_intern(struct ld *ld, const char *name, size_t len)
{
    return co_ld_intern_hashed(ld, name, len, co_ld_hash(name, len));
}

struct ld_symbol *co_ld_intern_hashed(struct ld *ld, const char *name, size_t len, uint64_t hash)
{
    void **place = co_ld_names_place_hashed(ld, &ld->table, name, len, hash);
    struct ld_symbol *s = *place;
    if (!s) {
        s = co_ld_alloc(ld, sizeof *s);
        s->name = name;
        s->name_len = (uint32_t)len;
        s->version = VER_NDX_GLOBAL;
        *place = s;
        *PUSH(ld, ld->symbols) = s;
    }
    return s;
}

struct ld_symbol *co_ld_find(struct ld *ld, const char *name)
{
    return co_ld_names_find(&ld->table, name, strlen(name));
}

void co_ld_merge_visibility(struct ld_symbol *sym, uint8_t vis)
{
    if (vis != STV_DEFAULT && (sym->vis == STV_DEFAULT || vis < sym->vis))
        sym->vis = vis;
}

bool co_ld_offer(struct ld *ld, struct ld_symbol *sym, struct ld_file *file, uint64_t value)
{
    if (sym->kind == SYM_DEFINED)
        sym->backref = false; /* a linker that looks forward alone would have found this one */
    if (sym->kind != SYM_NONE && sym->kind != SYM_UNDEF)
        return false;
    bool wanted = sym->kind == SYM_UNDEF && sym->binding != STB_WEAK;
    const char *why = co_ld_file_name(sym->file);
    sym->kind = SYM_LAZY;
    sym->file = file;
    sym->value = value;
    if (wanted)
        co_ld_extract(ld, sym, why);
    else if (sym->traced)
        co_ld_trace(ld, sym, co_ld_lazy_name(ld, sym), "lazy definition of");
    return wanted;
}

/* Common symbols are defined as well: what takes the place of this one need not look for it. */
void co_ld_replace_common(struct ld *ld, struct ld_symbol *sym, struct ld_file *file, uint64_t value)
{
    sym->kind = SYM_LAZY;
    sym->file = file;
    sym->value = value;
    sym->backref = false;
    if (sym->traced)
        co_ld_trace(ld, sym, co_ld_lazy_name(ld, sym), "lazy definition of");
    co_ld_extract(ld, sym, NULL);
}

/* For a reference of `from`. */
static void take_lazy(struct ld *ld, struct ld_symbol *sym, struct ld_file *from)
{
    const char *back = NULL;
    if ((ld->opt.flags & CODEOBJ_LINK_WARN_BACKREFS) && sym->file->group < from->group)
        back = co_ld_lazy_name(ld, sym);
    co_ld_extract(ld, sym, from->name);
    if (back)
        co_ld_note_backref(ld, sym, from, back);
}

void co_ld_refer(struct ld *ld, struct ld_symbol *sym, struct ld_file *file, const struct codeobj_elf_symbol *ref)
{
    co_ld_merge_visibility(sym, ref->visibility);
    sym->used = true;
    sym->referenced = true;
    co_ld_trace(ld, sym, file->name, "reference to");
    switch (sym->kind) {
    case SYM_NONE:
        sym->kind = SYM_UNDEF;
        sym->file = file;
        sym->binding = ref->binding;
        sym->type = ref->type;
        break;
    case SYM_UNDEF:
        if (ref->binding != STB_WEAK && !sym->in_discarded)
            sym->binding = ref->binding;
        if (sym->type == STT_NOTYPE)
            sym->type = ref->type;
        break;
    case SYM_LAZY:
        if (ref->binding == STB_WEAK) {
            sym->binding = STB_WEAK;
            break;
        }
        take_lazy(ld, sym, file);
        if (sym->kind == SYM_UNDEF) { /* not there yet, or the index lied */
            sym->binding = ref->binding;
            if (!sym->file || sym->file->kind == FILE_ARCHIVE || sym->file->lazy || !sym->file->extracted)
                sym->file = file;
        }
        break;
    case SYM_SHARED:
        if (sym->binding == STB_WEAK)
            sym->binding = ref->binding;
        sym->file->needed |= ref->binding != STB_WEAK;
        break;
    default:
        break;
    }
}

static void duplicate(struct ld *ld, struct ld_symbol *sym, struct ld_file *file, struct ld_section *sec,
                      const struct codeobj_elf_symbol *def)
{
    if ((ld->opt.flags & CODEOBJ_LINK_ALLOW_MULTIPLE) || sym->file == file) /* foo and foo@@V of one object */
        return;
    if (!sec && !sym->sec && sym->value == def->value)
        return;
    bool places = sym->sec && sec;
    const char *first = places ? co_ld_place_of(ld, sym->sec, sym->value, 12, sym->name) : co_ld_file_name(sym->file);
    const char *second = places ? co_ld_place_of(ld, sec, def->value, 12, sym->name) : file->name;
    const char *how = places ? "at" : "in"; /* numbers are nowhere */
    co_ld_error_or_warn(ld, "duplicate symbol: %s\n>>> defined %s %s\n>>> defined %s %s", co_ld_show(ld, sym), how, first, how,
                        second);
}

/* Does the definition at hand replace what sym has? */
static bool replaces(struct ld *ld, struct ld_symbol *sym, struct ld_file *file, struct ld_section *sec,
                     const struct codeobj_elf_symbol *def)
{
    bool weak = def->binding == STB_WEAK;
    bool common = def->shndx == CODEOBJ_SHN_COMMON;
    if (sym->kind < SYM_COMMON)
        return true;
    if (sym->kind == SYM_COMMON) {
        if (common) {
            if (def->value > sym->value)
                sym->value = def->value;
            if (def->size > sym->size) {
                sym->size = def->size;
                sym->file = file;
            }
            if (ld->opt.flags & CODEOBJ_LINK_WARN_COMMON)
                co_ld_warn(ld, "multiple common of %s", co_ld_show(ld, sym));
            return false;
        }
        if (!weak && (ld->opt.flags & CODEOBJ_LINK_WARN_COMMON))
            co_ld_warn(ld, "common %s is overridden", co_ld_show(ld, sym));
        return !weak;
    }
    bool old_weak = sym->binding == STB_WEAK || sym->binding == STB_GNU_UNIQUE;
    if (common)
        return old_weak;
    if (old_weak)
        return def->binding == STB_GLOBAL;
    if (!weak && def->binding != STB_GNU_UNIQUE)
        duplicate(ld, sym, file, sec, def);
    return false;
}

void co_ld_define(struct ld *ld, struct ld_symbol *sym, struct ld_file *file, struct ld_section *sec,
                  const struct codeobj_elf_symbol *def)
{
    co_ld_merge_visibility(sym, def->visibility);
    sym->used = true;
    if (!replaces(ld, sym, file, sec, def))
        return;
    bool common = def->shndx == CODEOBJ_SHN_COMMON;
    co_ld_trace(ld, sym, file->name, common ? "common definition of" : "definition of");
    sym->kind = common ? SYM_COMMON : SYM_DEFINED;
    sym->file = file;
    sym->sec = sec;
    sym->value = def->value;
    sym->size = def->size;
    sym->binding = def->binding;
    sym->type = def->type == STT_COMMON ? STT_OBJECT : def->type;
    sym->other = def->other;
    sym->no_export = (file->flags & CODEOBJ_LINK_INPUT_NO_EXPORT) != 0;
    if (common && (def->value == 0 || (def->value & (def->value - 1)) || def->value > UINT32_MAX)) {
        co_ld_error(ld, "%s: common symbol '%s' has invalid alignment: %llu", file->name, co_ld_show(ld, sym),
                    (unsigned long long)def->value);
        sym->value = 1;
    }
}

/* A shared object's reference takes archive members in, and is otherwise no concern of ours. */
static void refer_from_outside(struct ld *ld, struct ld_symbol *sym, struct ld_file *f, const struct codeobj_elf_symbol *ref)
{
    co_ld_trace(ld, sym, f->name, "reference to");
    if (sym->kind == SYM_NONE) {
        sym->kind = SYM_UNDEF;
        sym->file = f;
        sym->binding = ref->binding;
    } else if (sym->kind == SYM_LAZY && ref->binding != STB_WEAK) {
        take_lazy(ld, sym, f);
        co_ld_resolve_pending(ld);
    } else if (sym->kind == SYM_LAZY) {
        sym->binding = STB_WEAK;
    }
}

static void define_outside(struct ld *ld, struct ld_symbol *sym, struct ld_file *f, const struct codeobj_elf_symbol *def)
{
    if (sym->kind != SYM_COMMON)
        co_ld_trace(ld, sym, f->name, "shared definition of");
    bool pending = sym->kind == SYM_UNDEF || sym->kind == SYM_LAZY; /* it comes before what an archive offers */
    if (sym->kind != SYM_NONE && !(pending && sym->vis == STV_DEFAULT))
        return;
    f->needed |= sym->kind == SYM_UNDEF && sym->binding != STB_WEAK && (sym->used || sym->root == ROOT_OPTION);
    if (sym->kind == SYM_NONE)
        sym->binding = def->binding;
    else if (sym->kind == SYM_LAZY && !sym->used)
        sym->binding = STB_GLOBAL;
    sym->kind = SYM_SHARED;
    sym->file = f;
    sym->type = def->type;
    sym->size = def->size;
}

/* Shared objects give names and nothing else. */
void co_ld_add_shared(struct ld *ld, struct ld_file *f)
{
    f->kind = FILE_SHARED;
    f->needed = !(f->flags & CODEOBJ_LINK_INPUT_AS_NEEDED);
    *PUSH(ld, ld->files) = f;
    const char *slash = strrchr(f->name, '/');
    f->soname = slash ? slash + 1 : f->name;
    struct codeobj_elf_section dynstr;
    size_t dynstr_size = 0;
    const char *strings = NULL;
    if (codeobj_elf_section_by_name(f->elf, ".dynstr", &dynstr) == CODEOBJ_OK)
        strings = codeobj_elf_section_data(f->elf, dynstr.idx, &dynstr_size);
    for (size_t i = 0; i < codeobj_elf_dynamic_count(f->elf); i++) {
        struct codeobj_elf_dynamic d;
        if (codeobj_elf_dynamic(f->elf, i, &d) == CODEOBJ_OK && d.tag == 14 && strings && d.value < dynstr_size &&
            memchr(strings + d.value, 0, dynstr_size - (size_t)d.value))
            f->soname = strings + d.value;
    }
    size_t n = codeobj_elf_symbol_count(f->elf, CODEOBJ_DYNSYM);
    for (uint32_t i = 1; i < n; i++) {
        struct codeobj_elf_symbol s;
        if (codeobj_elf_symbol(f->elf, CODEOBJ_DYNSYM, i, &s) != CODEOBJ_OK || s.binding == STB_LOCAL || !s.name)
            continue;
        struct ld_symbol *sym = co_ld_intern(ld, s.name, strlen(s.name));
        sym->export_ = true; /* it may be met by us */
        if (s.shndx == CODEOBJ_SHN_UNDEF)
            refer_from_outside(ld, sym, f, &s);
        else
            define_outside(ld, sym, f, &s);
    }
}

/* A name from the command line: an archive member that defines it is taken in. */
static void want(struct ld *ld, const char *name, const char *why)
{
    struct ld_symbol *s = co_ld_find(ld, name);
    if (s && s->kind == SYM_LAZY) {
        co_ld_extract(ld, s, why);
        co_ld_resolve_pending(ld);
    }
}

/* -u: references before the first input, so that the first archive that can meets them. */
void co_ld_undefined_symbols(struct ld *ld)
{
    for (size_t i = 0; i < ld->opt.undefined.count; i++) {
        const char *name = ld->opt.undefined.items[i];
        struct ld_symbol *s = co_ld_intern(ld, name, strlen(name));
        co_ld_trace(ld, s, "<internal>", "reference to");
        s->root = ROOT_OPTION;
        if (s->kind == SYM_NONE) {
            s->kind = SYM_UNDEF;
            s->binding = STB_GLOBAL;
        }
    }
}

void co_ld_command_line_symbols(struct ld *ld)
{
    for (size_t i = 0; i < ld->opt.undefined_globs.count; i++) {
        const char *glob = ld->opt.undefined_globs.items[i];
        size_t count = ld->symbols.count; /* grows as members come in */
        for (size_t k = 0; k < count; k++) {
            struct ld_symbol *s = ld->symbols.items[k];
            if (s->kind == SYM_LAZY && co_ld_glob(glob, strlen(glob), s->name, s->name_len)) { /* no root of --gc-sections */
                co_ld_extract(ld, s, "--undefined-glob");
                co_ld_resolve_pending(ld);
            }
        }
    }
    for (size_t i = 0; i < ld->opt.require_defined.count; i++)
        want(ld, ld->opt.require_defined.items[i], "--require-defined");
    if (ld->opt.entry)
        want(ld, ld->opt.entry, "--entry");
    else if (ld->opt.kind == CODEOBJ_LINK_EXEC || ld->opt.kind == CODEOBJ_LINK_PIE)
        want(ld, "_start", "--entry");
    for (size_t i = 0; i < ld->opt.require_defined.count; i++) {
        struct ld_symbol *s = co_ld_find(ld, ld->opt.require_defined.items[i]);
        if (!s || s->kind < SYM_COMMON)
            co_ld_error(ld, "required symbol '%s' is not defined", ld->opt.require_defined.items[i]);
        else
            s->root = ROOT_OPTION; /* as GNU ld's; ld.lld does not have it */
    }
}

/* --wrap=S: references to S become __wrap_S, references to __real_S become S. */
void co_ld_apply_wrap(struct ld *ld)
{
    for (size_t i = 0; i < ld->opt.wrap.count; i++) {
        const char *name = ld->opt.wrap.items[i];
        struct ld_symbol *sym = co_ld_find(ld, name);
        if (!sym || sym->kind == SYM_NONE) /* nobody's name, or only --trace-symbol's */
            continue;
        const char *wrapper = co_ld_printf(ld, "__wrap_%s", name), *original = co_ld_printf(ld, "__real_%s", name);
        want(ld, wrapper, "--wrap");
        struct ld_symbol *wrap = co_ld_intern(ld, wrapper, strlen(wrapper));
        struct ld_symbol *real = co_ld_find(ld, original);
        if (wrap->kind == SYM_NONE) {
            wrap->kind = SYM_UNDEF;
            wrap->binding = sym->binding;
        }
        wrap->used = wrap->referenced = true;
        co_ld_trace(ld, wrap, "<internal>", "reference to");
        if (real)
            co_ld_trace(ld, sym, "<internal>", "reference to");
        if (real)
            co_ld_trace(ld, real, "<internal>", "reference to");
        if (real && ld_is_undef(real))
            real->used = false;
        EACH(k, ld->files) {
            struct ld_file *f = ld->files.items[k];
            for (size_t n = f->first_global; f->kind == FILE_OBJECT && n < f->symbol_count; n++) {
                if (f->symbols[n] && f->symbols[n] == real)
                    f->symbols[n] = sym;
                else if (f->symbols[n] == sym) /* in the object that defines it too */
                    f->symbols[n] = wrap;
            }
        }
        if (ld_is_undef(sym))
            sym->used = false;
    }
}

uint8_t co_ld_binding(const struct ld *ld, const struct ld_symbol *sym)
{
    if (sym->local)
        return STB_LOCAL;
    if (ld->relocatable)
        return sym->binding;
    if (sym->vis == STV_HIDDEN || sym->vis == STV_INTERNAL || sym->version == VER_NDX_LOCAL)
        return STB_LOCAL;
    return sym->binding == STB_GNU_UNIQUE ? STB_GLOBAL : sym->binding;
}

bool co_ld_is_local(const struct ld *ld, const struct ld_symbol *sym)
{
    return co_ld_binding(ld, sym) == STB_LOCAL;
}

static bool matches(struct ld *ld, const struct ld_version_pattern *list, size_t count, const struct ld_symbol *sym)
{
    for (size_t i = 0; i < count; i++) {
        const struct ld_version_pattern *p = &list[i];
        const char *text = p->cxx ? co_ld_demangled(ld, sym->name) : sym->name;
        if (!text)
            text = sym->name;
        if (p->glob ? co_ld_glob(p->text, p->len, text, strlen(text))
                    : strlen(text) == p->len && !memcmp(text, p->text, p->len))
            return true;
    }
    return false;
}

static bool listed(const struct codeobj_link_list *list, const struct ld_symbol *sym)
{
    for (size_t i = 0; i < list->count; i++)
        if (co_ld_glob(list->items[i], strlen(list->items[i]), sym->name, sym->name_len))
            return true;
    return false;
}

static bool bound_inside(struct ld *ld, const struct ld_symbol *sym)
{
    switch (ld->opt.bsymbolic) {
    case CODEOBJ_BSYMBOLIC_ALL:
        return true;
    case CODEOBJ_BSYMBOLIC_NON_WEAK:
        return sym->binding != STB_WEAK;
    case CODEOBJ_BSYMBOLIC_FUNCTIONS:
        return sym->type == STT_FUNC;
    case CODEOBJ_BSYMBOLIC_NON_WEAK_FUNCTIONS:
        return sym->type == STT_FUNC && sym->binding != STB_WEAK;
    default:
        return false;
    }
}

void co_ld_decide_exports(struct ld *ld)
{
    bool dynamic = ld->pic || ld->has_dynamic;
    EACH(i, ld->symbols) {
        struct ld_symbol *s = ld->symbols.items[i];
        bool defined = s->kind == SYM_DEFINED || s->kind == SYM_COMMON;
        bool compiled = s->file && (s->file->flags & CODEOBJ_LINK_INPUT_COLLECT);
        if ((s->no_export || (s->hidden_bitcode && compiled)) && defined && s->version != VER_NDX_LOCAL)
            s->version = VER_NDX_LOCAL;
        if (ld->relocatable || co_ld_is_local(ld, s))
            continue;
        bool on_list = matches(ld, ld->dynlist.items, ld->dynlist.count, s) ||
                       matches(ld, ld->exportlist.items, ld->exportlist.count, s);
        on_list |= ld->opt.export_symbols.count && listed(&ld->opt.export_symbols, s);
        if (!dynamic) { /* no .dynsym; what was named for it stays all the same, --export-dynamic means nothing */
            if (defined && (s->export_ || on_list))
                s->root = ROOT_EXPORTED;
            continue;
        }
        if (defined) {
            s->in_dynsym = ld->shared || (ld->opt.flags & CODEOBJ_LINK_EXPORT_DYNAMIC) || s->export_ || on_list;
            if ((s->linker_defined && !s->referenced) || s->late)
                s->in_dynsym = false;
        } else {
            /* In an executable an undefined weak symbol is 0 here and now. */
            s->in_dynsym = s->used && s->vis == STV_DEFAULT && (s->kind == SYM_SHARED || ld->shared);
        }
        if (s->vis != STV_DEFAULT || !s->in_dynsym)
            continue;
        if (!defined)
            s->preemptible = true;
        else if (ld->shared)
            s->preemptible = bound_inside(ld, s) || ld->dynlist.count ? on_list : true;
    }
}

static struct ld_symbol *supply(struct ld *ld, const char *name, uint8_t vis)
{
    struct ld_symbol *s = co_ld_find(ld, name);
    if (!s || !(s->kind == SYM_UNDEF || s->kind == SYM_LAZY) || !s->used)
        return NULL;
    s->kind = SYM_DEFINED;
    s->file = NULL;
    s->sec = NULL;
    s->binding = STB_GLOBAL;
    s->type = STT_NOTYPE;
    s->size = 0;
    s->ref_vis = s->vis;
    co_ld_merge_visibility(s, vis);
    s->linker_defined = true;
    return s;
}

static const char *const edge_names[] = {
    "__ehdr_start", "__executable_start", "__dso_handle", "_GLOBAL_OFFSET_TABLE_",
    "__preinit_array_start", "__preinit_array_end", "__init_array_start", "__init_array_end",
    "__fini_array_start", "__fini_array_end",
    /* not where a script lays out sections: it says itself what it wants to name */
    "_end", "end", "_etext", "etext", "_edata", "edata", "__bss_start",
};
enum { EDGES_OF_IMAGE = 4, EDGES_OF_SECTIONS = 10 };

bool co_ld_is_end_name(const char *name)
{
    for (size_t i = EDGES_OF_SECTIONS; i < sizeof edge_names / sizeof *edge_names; i++)
        if (!strcmp(edge_names[i], name))
            return true;
    return false;
}

bool co_ld_is_late_name(const char *name)
{
    for (size_t i = EDGES_OF_IMAGE; i < EDGES_OF_SECTIONS; i++)
        if (!strcmp(edge_names[i], name))
            return true;
    return !strncmp(name, "__start_", 8) || !strncmp(name, "__stop_", 7) || !strcmp(name, "_DYNAMIC");
}

/* A name that the linker will define if something refers to it and nothing else does. */
bool co_ld_is_linker_name(const struct ld *ld, const char *name)
{
    for (size_t i = 0; i < EDGES_OF_SECTIONS; i++)
        if (!strcmp(edge_names[i], name))
            return true;
    return (co_ld_is_end_name(name) && !co_ld_script_has_sections(ld)) || !strncmp(name, "__start_", 8) ||
           !strncmp(name, "__stop_", 7) || (ld->has_dynamic && !strcmp(name, "_DYNAMIC"));
}

bool co_ld_is_c_name(const char *s)
{
    if (!(*s == '_' || (*s | 32) - 'a' + 0u < 26u))
        return false;
    for (; *s; s++)
        if (!(*s == '_' || (unsigned)((*s | 32) - 'a') < 26u || (unsigned)(*s - '0') < 10u))
            return false;
    return true;
}

/* Names that the linker defines where something refers to them. */
static void supply_edges(struct ld *ld, const char *section, uint8_t vis)
{
    if (!co_ld_is_c_name(section))
        return;
    supply(ld, co_ld_printf(ld, "__start_%s", section), vis);
    supply(ld, co_ld_printf(ld, "__stop_%s", section), vis);
}

void co_ld_define_linker_symbols(struct ld *ld)
{
    if (ld->relocatable)
        return;
    size_t always = co_ld_script_has_sections(ld) ? EDGES_OF_SECTIONS : sizeof edge_names / sizeof *edge_names;
    for (size_t i = 0; i < always; i++)
        supply(ld, edge_names[i], i < EDGES_OF_SECTIONS ? STV_HIDDEN : STV_DEFAULT);
    static const uint8_t visibilities[] = { STV_PROTECTED, STV_DEFAULT, STV_INTERNAL, STV_HIDDEN };
    uint8_t vis = visibilities[ld->opt.start_stop_visibility & 3];
    EACH(i, ld->sections)
        supply_edges(ld, ld->sections.items[i]->name, vis);
    const char *name;
    for (size_t i = 0; (name = co_ld_script_output_at(ld, i)); i++)
        supply_edges(ld, name, vis);
    if (ld->has_dynamic) {
        struct ld_symbol *s = co_ld_intern(ld, "_DYNAMIC", 8);
        if (s->kind != SYM_DEFINED) {
            s->kind = SYM_DEFINED;
            s->file = NULL;
            s->binding = STB_WEAK;
            s->vis = STV_HIDDEN;
            s->used = true;
            s->linker_defined = true;
        }
    }
}

/* __start_X and __stop_X without an output section X are undefined after all. */
void co_ld_check_encapsulation(struct ld *ld)
{
    struct ld_names live = { 0 };
    EACH(i, ld->sections) {
        struct ld_section *sec = ld->sections.items[i];
        const char *name = co_ld_script_output(sec) ? co_ld_script_output(sec) : sec->name;
        if (sec->live && co_ld_is_c_name(name))
            *co_ld_names_place(ld, &live, name, strlen(name)) = sec;
    }
    EACH(i, ld->symbols) {
        struct ld_symbol *s = ld->symbols.items[i];
        size_t skip = !s->linker_defined ? 0 : !strncmp(s->name, "__start_", 8) ? 8 : !strncmp(s->name, "__stop_", 7) ? 7 : 0;
        if (!skip || co_ld_names_find(&live, s->name + skip, s->name_len - skip) ||
            co_ld_script_enumerates(ld, s->name + skip))
            continue;
        s->kind = SYM_UNDEF;
        s->linker_defined = false;
        s->vis = s->ref_vis;
        s->preemptible = s->in_dynsym && s->vis == STV_DEFAULT;
    }
}

static void at(struct ld *ld, const char *name, struct ld_out *out, uint64_t off)
{
    struct ld_symbol *s = co_ld_find(ld, name);
    if (s && s->linker_defined) {
        s->out = out;
        s->value = off;
    }
}

static struct ld_out *of_name(struct ld *ld, const char *name)
{
    EACH(i, ld->outs)
        if (!strcmp(ld->outs.items[i]->name, name))
            return ld->outs.items[i];
    return NULL;
}

/* s begins or ends o: of several sections of that name (--unique) the one that came first. */
static void enclose(struct ld_symbol *s, struct ld_out *o, uint64_t off)
{
    if (!s || !s->linker_defined || (s->out && s->out->seq < o->seq))
        return;
    s->out = o;
    s->value = off;
}

/* Gives them places, once output sections exist.  Positions that need
 * addresses are taken relative to a section's start or end (out and value). */
void co_ld_place_linker_symbols(struct ld *ld)
{
    struct ld_out *first = NULL, *text = NULL, *data = NULL, *last = NULL, *bss = NULL;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (!(o->flags & SHF_ALLOC))
            continue;
        if (!first)
            first = o;
        last = o;
        if (o->flags & SHF_EXECINSTR)
            text = o;
        if (o->type != SHT_NOBITS)
            data = o;
        if (!bss && !strcmp(o->name, ".bss"))
            bss = o;
        if (co_ld_is_c_name(o->name)) {
            enclose(co_ld_find(ld, co_ld_printf(ld, "__start_%s", o->name)), o, 0);
            enclose(co_ld_find(ld, co_ld_printf(ld, "__stop_%s", o->name)), o, o->size);
        }
    }
    static const char *const starts[] = { "__ehdr_start", "__executable_start", "__dso_handle" };
    uint64_t base = ld->header_addr;
    for (size_t i = 0; i < 3 && first; i++)
        at(ld, starts[i], first, base - first->addr);
    at(ld, "_GLOBAL_OFFSET_TABLE_", ld->s_got ? ld->s_got->out : data, 0);
    at(ld, "_DYNAMIC", ld->s_dynamic ? ld->s_dynamic->out : NULL, 0);
    for (int i = 0; i < 2; i++) {
        at(ld, &"_end"[1 - i], last, last ? last->size : 0);
        at(ld, &"_etext"[1 - i], text, text ? text->size : 0);
        at(ld, &"_edata"[1 - i], data, data ? data->size : 0);
    }
    at(ld, "__bss_start", bss ? bss : last, bss || !last ? 0 : last->size);
    static const struct {
        const char *start, *end;
        const char *section;
    } arrays[] = {
        { "__preinit_array_start", "__preinit_array_end", ".preinit_array" },
        { "__init_array_start", "__init_array_end", ".init_array" },
        { "__fini_array_start", "__fini_array_end", ".fini_array" },
    };
    for (size_t i = 0; i < 3; i++) {
        struct ld_out *o = of_name(ld, arrays[i].section);
        at(ld, arrays[i].start, o ? o : first, o ? 0 : base - (first ? first->addr : 0));
        at(ld, arrays[i].end, o ? o : first, o ? o->size : base - (first ? first->addr : 0));
    }
}

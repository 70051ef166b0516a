/* SPDX-License-Identifier: MIT
 *
 * ld/reloc.c - relocations: read, judged, applied.
 *
 * The AMDGPU psABI and its oddities
 * ---------------------------------
 * Code has no addressing mode that reaches memory relative to the program
 * counter.  It reads the PC (s_getpc_b64 gives the address of the following
 * instruction) and adds a 64-bit distance in two 32-bit steps, s_add_u32 and
 * s_addc_u32, each with a 32-bit literal.  Hence the pairs:
 *
 *     s_getpc_b64  s[4:5]
 *     s_add_u32    s4, s4, sym@rel32@lo+4       R_AMDGPU_REL32_LO  sym + 4
 *     s_addc_u32   s5, s5, sym@rel32@hi+12      R_AMDGPU_REL32_HI  sym + 12
 *
 * The literals lie 4 and 12 bytes behind the PC that was read, and the addends
 * make up for that; each half computes S+A-P as 64 bits from its own A and P
 * and takes its part, so a pair works over any distance and neither half needs
 * a range check.  GOTPCREL32_LO/HI are the same with the address of a GOT slot.
 * gfx1250 has 64-bit literals and uses REL64; GOTPCREL there fills the low half
 * of a literal whose high half is zero, so the GOT must lie above the code.
 *
 * REL32 and GOTPCREL keep the low 32 bits of S+A-P without complaint: what is
 * written may be used as either half of something.  ABS32 as well.
 *
 * REL16 is a branch: the distance in words from the next instruction, 16 bits
 * signed, in the low half of the instruction word.  It alone has a range.
 *
 * Kernels are reached through descriptors, 64 bytes of data, that hold the
 * distance to the code in a REL64 at offset 16.
 *
 * There is no PLT and no lazy binding.  The loader knows RELATIVE64 (base +
 * addend) and the symbolic ABS64, for data words and GOT slots alike; the GOT
 * has no reserved slots and there is no GLOB_DAT.  There are no copy
 * relocations.  Places of dynamic relocations hold 0: the addend is in the RELA
 * entry.  ABS32_LO and ABS32_HI are for values known when linking (the compiler
 * makes them for llvm.amdgcn.reloc.constant); ld.lld refuses them, here they are
 * resolved like ABS32, against addresses too where the image has a fixed base.
 *
 * Mesa, PAL and OS-less objects use SHT_REL: the addend is in the place, as wide
 * as what the relocation writes.
 *
 * Whether a reference can be settled now
 * --------------------------------------
 * A definition of default visibility in a shared object may be preempted.  Code
 * cannot be patched by the loader, so REL32 and REL16 to such a name are refused
 * ("recompile with -fPIC"); GOT references are always possible; ABS64 in data
 * becomes a dynamic relocation.  See judge().
 *
 * Source: AMDGPU guide, Relocation Records; observation of ld.lld 22.
 */
#include "ld.h"

#include <stdlib.h>

enum how { NO_OP, ABSOLUTE, PC, GOT, UNKNOWN };
enum part { WHOLE, LOW, HIGH, BRANCH };

static const struct {
    uint8_t bytes, how, part;
} table[] = {
    [0] = { 0, NO_OP, WHOLE },
    [R_ABS32_LO] = { 4, ABSOLUTE, LOW },
    [R_ABS32_HI] = { 4, ABSOLUTE, HIGH },
    [R_ABS64] = { 8, ABSOLUTE, WHOLE },
    [R_REL32] = { 4, PC, LOW },
    [R_REL64] = { 8, PC, WHOLE },
    [R_ABS32] = { 4, ABSOLUTE, LOW },
    [R_GOTPCREL] = { 4, GOT, LOW },
    [R_GOTPCREL32_LO] = { 4, GOT, LOW },
    [R_GOTPCREL32_HI] = { 4, GOT, HIGH },
    [R_REL32_LO] = { 4, PC, LOW },
    [R_REL32_HI] = { 4, PC, HIGH },
    [12] = { 0, UNKNOWN, WHOLE },
    [R_RELATIVE64] = { 0, UNKNOWN, WHOLE }, /* made here, never read */
    [R_REL16] = { 2, PC, BRANCH },
};

static enum how how_of(uint32_t type)
{
    return type < sizeof table / sizeof *table ? (enum how)table[type].how : UNKNOWN;
}

size_t co_ld_reloc_count(const struct ld_section *sec)
{
    return sec->rel_count;
}

/* The addend of an SHT_REL entry lies in the place. */
static int64_t implicit_addend(const struct ld_section *sec, uint64_t off, uint32_t type)
{
    if (how_of(type) == UNKNOWN || !sec->data || off > sec->size || sec->size - off < table[type].bytes)
        return 0;
    const uint8_t *p = sec->data + off;
    switch (table[type].bytes) {
    case 8:
        return (int64_t)ld_get64(p);
    case 4:
        return (int32_t)ld_get32(p);
    case 2:
        return (int64_t)(int16_t)ld_get16(p) * 4 + 4;
    default:
        return 0;
    }
}

bool co_ld_reloc_at(struct ld *ld, const struct ld_section *sec, size_t i, struct ld_reloc *out)
{
    (void)ld;
    return co_ld_read_relocs(sec, i, 1, out) == 1 && out->sym;
}

/* Symbols lie all over memory: they are fetched while the batch is read.  rel_data holds rel_count entries. */
size_t co_ld_read_relocs(const struct ld_section *sec, size_t first, size_t count, struct ld_reloc *out)
{
    const struct ld_file *f = sec->file;
    if (first >= sec->rel_count)
        return 0;
    if (count > sec->rel_count - first)
        count = sec->rel_count - first;
    bool rel = sec->is_rel;
    size_t entry = rel ? REL_SIZE : RELA_SIZE;
    const uint8_t *p = sec->rel_data + first * entry;
    for (size_t n = 0; n < count; n++, p += entry) {
        uint64_t off = ld_get64(p);
        uint32_t type = ld_get32(p + 8), idx = ld_get32(p + 12);
        struct ld_symbol *sym = idx < f->symbol_count ? f->symbols[idx] : NULL;
        if (sym) {
            __builtin_prefetch(sym);
            __builtin_prefetch(&sym->ref_vis);
        }
        out[n] = (struct ld_reloc){ off, type, sym, rel ? implicit_addend(sec, off, type) : (int64_t)ld_get64(p + 16) };
    }
    return count;
}

static const char *defined_in(struct ld *ld, const struct ld_symbol *sym)
{
    const char *where = sym->file ? sym->file->name : co_ld_script_assigned_at(ld, sym);
    if (!where && sym->kind == SYM_UNDEF) /* an option has named it */
        where = co_ld_file_name(NULL);
    return where ? co_ld_printf(ld, "\n>>> defined in %s", where) : "";
}

static const char *named(struct ld *ld, const struct ld_symbol *sym)
{
    return *sym->name ? co_ld_printf(ld, "symbol '%s'", co_ld_show(ld, sym)) : "local symbol";
}

/* ---- judging ------------------------------------------------------------------ */

enum verdict { STATIC, RELATIVE, SYMBOLIC, REFUSED_PIC, REFUSED_ABSOLUTE };

static bool writable(const struct ld *ld, const struct ld_section *sec)
{
    return (sec->flags & SHF_WRITE) || (ld->opt.flags & CODEOBJ_LINK_TEXTREL);
}

static enum verdict judge(const struct ld *ld, const struct ld_section *sec, uint32_t type, const struct ld_symbol *sym)
{
    enum how how = how_of(type);
    bool dynamic = sym->preemptible || sym->kind == SYM_SHARED;
    if (how == GOT || how == NO_OP)
        return STATIC;
    if (how == PC) {
        if (dynamic)
            return REFUSED_PIC;
        return ld->pic && ld_is_absolute(sym) && !sym->defsym && !sym->linker_defined ? REFUSED_ABSOLUTE : STATIC;
    }
    bool half = type == R_ABS32_LO || type == R_ABS32_HI;
    if (half && ld_is_absolute(sym))
        return STATIC; /* a constant that the link supplies */
    if (dynamic) {
        bool word = type == R_ABS64 || half;
        return word && (type == R_ABS64 || ld->pic) && writable(ld, sec) ? SYMBOLIC : REFUSED_PIC;
    }
    if (!ld->pic || sym->kind != SYM_DEFINED || ld_is_absolute(sym))
        return STATIC;
    if (type != R_ABS64 || !writable(ld, sec))
        return REFUSED_PIC;
    return RELATIVE;
}

/* ---- undefined symbols ------------------------------------------------------------ */

/* One entry a symbol, with its first references. */
static struct ld_undef *add_undefined(struct ld *ld, struct ld_symbol *sym, const struct ld_section *sec, uint64_t off,
                                      bool warn)
{
    if (!sym->undef_idx) {
        *PUSH(ld, ld->undefs) = (struct ld_undef){ .sym = sym, .warn = warn, .nth = ld->undef_refs };
        sym->undef_idx = (uint32_t)ld->undefs.count;
    }
    struct ld_undef *u = &ld->undefs.items[sym->undef_idx - 1];
    if (u->count < 3)
        u->refs[u->count] = (struct ld_undef_ref){ sec->file, (struct ld_section *)(uintptr_t)sec, off };
    u->count++;
    ld->undef_refs++;
    return u;
}

/* True if the reference is an error; it is on the list then (or as a warning, and the link goes on). */
static bool note_undefined(struct ld *ld, struct ld_symbol *sym, const struct ld_section *sec, uint64_t off)
{
    if (!ld_is_undef(sym) || sym->local || (ld_is_undef_weak(sym) && !sym->at_version))
        return false;
    /* Whose version it would be is not known: no loader could find it. */
    bool external = sym->vis == STV_DEFAULT && !co_ld_is_local(ld, sym) && !sym->at_version;
    uint8_t policy = ld->opt.unresolved;
    if (policy == CODEOBJ_UNRESOLVED_DEFAULT)
        policy = ld->shared ? CODEOBJ_UNRESOLVED_IGNORE : CODEOBJ_UNRESOLVED_ERROR;
    if (policy == CODEOBJ_UNRESOLVED_ERROR && (ld->opt.flags & CODEOBJ_LINK_UNRESOLVED_WARN_ONLY))
        policy = CODEOBJ_UNRESOLVED_WARN;
    if (policy == CODEOBJ_UNRESOLVED_IGNORE && external)
        return false;
    const struct ld_undef *u = add_undefined(ld, sym, sec, off, policy == CODEOBJ_UNRESOLVED_WARN && external);
    return !u->warn && !(ld->opt.flags & CODEOBJ_LINK_NOINHIBIT);
}

/* The kernel that reaches a place: itself, or by name when a descriptor of that name exists. */
static const char *kernel_at(struct ld *ld, const struct ld_undef_ref *ref)
{
    const struct ld_file *f = ref->file;
    for (size_t i = 1; f && i < f->symbol_count; i++) {
        const struct ld_symbol *s = f->symbols[i];
        if (s && s->kind == SYM_DEFINED && s->sec == ref->sec && s->type == STT_FUNC && s->value <= ref->off &&
            ref->off - s->value < s->size && co_ld_find(ld, co_ld_printf(ld, "%s.kd", s->name)))
            return s->name;
    }
    return NULL;
}

static const char *hint(struct ld *ld, const struct ld_undef *u)
{
    const char *n = u->sym->name;
    if (ld->opt.flags & CODEOBJ_LINK_NO_EXPLAIN)
        return "";
    if (!strncmp(n, "__ockl_", 7) || !strncmp(n, "__ocml_", 7))
        return co_ld_printf(ld,
                            "\n>>> note: %s is of the ROCm device library %s.bc; compile with the device libraries "
                            "(without -nogpulib, or with --rocm-device-lib-path=DIR)",
                            n, n[4] == 'k' ? "ockl" : "ocml");
    if (!strncmp(n, "__oclc_", 7))
        return co_ld_printf(ld,
                            "\n>>> note: %s is a control constant of the ROCm device libraries (oclc_*.bc); the "
                            "compiler supplies it when it links them",
                            n);
    if (u->count) {
        const char *k = kernel_at(ld, &u->refs[0]);
        if (k)
            return co_ld_printf(ld, "\n>>> needed by kernel %s", co_ld_show_name(ld, k));
    }
    return "";
}

/* The section that sym->file would have defined a global symbol in, had its group won. */
static const struct ld_section *lost_section(const struct ld_symbol *sym)
{
    const struct ld_file *f = sym->file;
    struct codeobj_elf_symbol s;
    for (size_t i = f ? f->first_global : 0; f && i < f->symbol_count; i++)
        if (f->symbols[i] == sym && codeobj_elf_symbol(f->elf, CODEOBJ_SYMTAB, i, &s) == CODEOBJ_OK && s.shndx < f->section_count)
            return f->sections[s.shndx];
    return NULL;
}

static const char *describe_discarded(struct ld *ld, const struct ld_symbol *sym)
{
    const struct ld_section *gone = sym->in_discarded ? lost_section(sym) : sym->sec;
    const struct ld_group *g = gone ? gone->group : NULL;
    struct ld_text t = { 0 };
    if (gone && (sym->type == STT_SECTION || !*sym->name))
        co_ld_text_add(ld, &t, "relocation refers to a discarded section: %s", gone->name);
    else
        co_ld_text_add(ld, &t, "relocation refers to a symbol in a discarded section: %s", co_ld_show(ld, sym));
    co_ld_text_add(ld, &t, "%s", defined_in(ld, sym));
    if (g && g->owner != sym->file)
        co_ld_text_add(ld, &t, "\n>>> section group signature: %s\n>>> prevailing definition is in %s", g->name,
                       co_ld_file_name(g->owner));
    if (g && g->owner != sym->file && sym->in_discarded)
        co_ld_text_add(ld, &t, "\n>>> or the symbol in the prevailing group had STB_WEAK binding and the symbol in a non-prevailing group had "
                               "STB_GLOBAL binding. Mixing groups with STB_WEAK and STB_GLOBAL binding signature is not supported");
    return t.data;
}

void co_ld_report_undefined(struct ld *ld)
{
    static const char *const visibility[] = { "", "internal ", "hidden ", "protected " };
    bool explained = false;
    EACH(i, ld->undefs) {
        const struct ld_undef *u = &ld->undefs.items[i];
        struct ld_text t = { 0 };
        if (u->discarded || u->sym->in_discarded)
            co_ld_text_add(ld, &t, "%s", describe_discarded(ld, u->sym));
        else
            co_ld_text_add(ld, &t, "undefined %ssymbol: %s", visibility[u->sym->vis & 3], co_ld_show(ld, u->sym));
        for (size_t k = 0; k < u->count && k < 3; k++)
            co_ld_text_add(ld, &t, "\n>>> referenced by %s", co_ld_place_with_source(ld, u->refs[k].sec, u->refs[k].off, 15));
        if (u->count > 3)
            co_ld_text_add(ld, &t, "\n>>> referenced %zu more times", u->count - 3);
        if (u->nth < 2 && u->sym->type != STT_SECTION && !u->sym->in_discarded) /* it takes its time, and one or two are what a person reads */
            co_ld_text_add(ld, &t, "%s", co_ld_spelling_hint(ld, u->sym));
        if (!strncmp(u->sym->name, "_ZTV", 4))
            co_ld_text_add(ld, &t, "\n>>> the vtable symbol may be undefined because the class is missing its key function "
                                   "(see https://lld.llvm.org/missingkeyfunction)");
        if (!explained && (ld->opt.flags & CODEOBJ_LINK_GC_SECTIONS) &&
            (!strncmp(u->sym->name, "__start_", 8) || !strncmp(u->sym->name, "__stop_", 7)) && (explained = true))
            co_ld_text_add(ld, &t, "\n>>> the encapsulation symbol needs to be retained under --gc-sections properly; "
                                   "consider -z nostart-stop-gc (see https://lld.llvm.org/ELF/start-stop-gc)");
        if (!u->discarded)
            co_ld_text_add(ld, &t, "%s", hint(ld, u));
        if (u->warn)
            co_ld_warn(ld, "%s", t.data);
        else
            co_ld_error_or_warn(ld, "%s", t.data);
    }
}

/* ---- scanning ------------------------------------------------------------------------ */

static void need_got(struct ld_symbol *sym)
{
    sym->needs_got = true;
}

static void add_dynrel(struct ld *ld, struct ld_section *sec, uint64_t off, uint32_t type, struct ld_symbol *sym,
                       int64_t addend)
{
    if (type == R_RELATIVE64 && co_ld_relr_packs(ld, sec, off)) {
        *PUSH(ld, ld->relrs) = (struct ld_dynrel){ .sec = sec, .off = off };
        return;
    }
    *PUSH(ld, ld->dynrels) = (struct ld_dynrel){ .sec = sec, .off = off, .type = type, .sym = sym, .addend = addend };
    ld->relative_count += type == R_RELATIVE64;
}

static void discarded(struct ld *ld, const struct ld_section *sec, const struct ld_reloc *r)
{
    add_undefined(ld, r->sym, sec, r->off, false)->discarded = true;
}

static void scan_one(struct ld *ld, struct ld_section *sec, const struct ld_reloc *r)
{
    enum how how = how_of(r->type);
    struct ld_symbol *sym = r->sym;
    if (how == UNKNOWN) {
        co_ld_error_or_warn(ld, "%s: unknown relocation (%u) against symbol %s", co_ld_place_long(ld, sec, r->off), r->type,
                            co_ld_show(ld, sym));
        return;
    }
    if (how == NO_OP)
        return;
    if (r->off > sec->size || sec->size - r->off < table[r->type].bytes || sec->type == SHT_NOBITS) {
        co_ld_error(ld, "%s:(%s+0x%llx): relocation %s lies outside its section of %llu bytes", sec->file->name,
                    sec->name, (unsigned long long)r->off, co_ld_reloc_name(ld, r->type),
                    sec->type == SHT_NOBITS ? 0ull : (unsigned long long)sec->size);
        return;
    }
    if (!(sec->flags & SHF_ALLOC))
        return;
    if (sym->discarded) {
        discarded(ld, sec, r);
        return;
    }
    if (note_undefined(ld, sym, sec, r->off))
        return;
    if (sym->in_merge) {
        uint64_t at = sym->value + (sym->type == STT_SECTION ? (uint64_t)r->addend : 0);
        if (at >= sym->sec->size && at != 0) {
            co_ld_error(ld, "%s: offset 0x%llx is outside the section %s of %s", co_ld_place(ld, sec, r->off),
                        (unsigned long long)at, sym->sec->name, sec->file->name);
            return;
        }
    }
    if (how == GOT) {
        need_got(sym);
        return;
    }
    switch (judge(ld, sec, r->type, sym)) {
    case STATIC:
        break;
    case RELATIVE:
        add_dynrel(ld, sec, r->off, R_RELATIVE64, sym, r->addend);
        break;
    case SYMBOLIC:
        add_dynrel(ld, sec, r->off, r->type, sym, r->addend);
        break;
    case REFUSED_ABSOLUTE:
        co_ld_error_or_warn(ld, "relocation %s cannot refer to absolute symbol: %s%s\n>>> referenced by %s",
                            co_ld_reloc_name(ld, r->type), co_ld_show(ld, sym), defined_in(ld, sym),
                            co_ld_place_with_source(ld, sec, r->off, 15));
        break;
    case REFUSED_PIC:
        co_ld_error_or_warn(ld, "relocation %s cannot be used against %s; recompile with -fPIC%s\n>>> referenced by %s",
                            co_ld_reloc_name(ld, r->type), named(ld, sym), defined_in(ld, sym),
                            co_ld_place_with_source(ld, sec, r->off, 15));
        break;
    }
}

static void add_got_slot(struct ld *ld, struct ld_symbol *sym)
{
    if (!sym->needs_got || sym->got)
        return;
    if (!ld->s_got)
        ld->s_got = co_ld_new_section(ld, ".got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8);
    *PUSH(ld, ld->got) = sym;
    sym->got = (uint32_t)ld->got.count;
    uint64_t off = (uint64_t)(sym->got - 1) * 8;
    ld->s_got->size = off + 8;
    if (sym->preemptible || sym->kind == SYM_SHARED)
        add_dynrel(ld, ld->s_got, off, R_ABS64, sym, 0);
    else if (ld->pic && sym->kind == SYM_DEFINED && !ld_is_absolute(sym))
        add_dynrel(ld, ld->s_got, off, R_RELATIVE64, sym, 0);
}

/* Nothing to say about it, and nothing for the loader to do: most are like that. */
static bool is_plain(const struct ld *ld, const struct ld_section *sec, const struct ld_reloc *r)
{
    enum how how = how_of(r->type);
    const struct ld_symbol *sym = r->sym;
    if (!sym)
        return false;
    if (ld->relocatable)
        return true;
    if (how == UNKNOWN || how == NO_OP)
        return how == NO_OP;
    if (r->off > sec->size || sec->size - r->off < table[r->type].bytes || sec->type == SHT_NOBITS)
        return false;
    if (!(sec->flags & SHF_ALLOC))
        return true;
    return how != GOT && sym->kind == SYM_DEFINED && !sym->discarded && !sym->in_merge &&
           judge(ld, sec, r->type, sym) == STATIC;
}

static void classify_section(const struct ld *ld, struct ld_section *sec)
{
    struct ld_reloc r[RELOC_BATCH];
    uint64_t last = 0;
    sec->rel_sorted = true;
    sec->needs_scan = false;
    for (size_t first = 0, n; (n = co_ld_read_relocs(sec, first, RELOC_BATCH, r)); first += n)
        for (size_t k = 0; k < n; k++) {
            sec->rel_sorted &= r[k].off >= last;
            sec->needs_scan |= !is_plain(ld, sec, &r[k]);
            last = r[k].off;
        }
}

enum { SECTIONS_A_PART = 256, PARALLEL_FROM = 20000 };

static bool has_relocations(const struct ld_section *sec)
{
    return sec->live && sec->rel_idx && !sec->repl;
}

static void classify_part(void *context, unsigned worker, size_t part)
{
    (void)worker;
    struct ld *ld = context;
    size_t end = (part + 1) * SECTIONS_A_PART;
    for (size_t i = part * SECTIONS_A_PART; i < end && i < ld->sections.count; i++)
        if (has_relocations(ld->sections.items[i]))
            classify_section(ld, ld->sections.items[i]);
}

static const char *name_of_relocations(const struct ld_section *sec)
{
    struct codeobj_elf_section s;
    return codeobj_elf_section(sec->file->elf, sec->rel_idx, &s) == CODEOBJ_OK && s.name ? s.name : "";
}

static void scan_section(struct ld *ld, struct ld_section *sec)
{
    struct ld_reloc r[RELOC_BATCH];
    size_t n;
    for (size_t first = 0; !ld->stopped && (n = co_ld_read_relocs(sec, first, RELOC_BATCH, r)); first += n)
        for (size_t k = 0; k < n; k++) {
            if (!r[k].sym)
                co_ld_error(ld, "%s:(%s): invalid symbol index in relocation %zu", sec->file->name,
                            name_of_relocations(sec), first + k);
            else if (!ld->relocatable)
                scan_one(ld, sec, &r[k]);
        }
}

/* Where nothing is sorted, data's relative relocations still come last. */
static void set_relative_aside(struct ld *ld)
{
    size_t n = 0;
    EACH(i, ld->dynrels) {
        if (ld->dynrels.items[i].type == R_RELATIVE64)
            *PUSH(ld, ld->late) = ld->dynrels.items[i];
        else
            ld->dynrels.items[n++] = ld->dynrels.items[i];
    }
    ld->dynrels.count = n;
}

/* Invariant afterwards: every relocation of a live section can be applied, each
 * symbol that needs a GOT slot has one, and ld->dynrels is complete. */
void co_ld_scan_relocations(struct ld *ld)
{
    size_t parts = (ld->sections.count + SECTIONS_A_PART - 1) / SECTIONS_A_PART, relocs = 0;
    EACH(i, ld->sections)
        relocs += ld->sections.items[i]->rel_count;
    if (relocs > PARALLEL_FROM)
        co_ld_parallel(ld, parts, classify_part, ld);
    else
        for (size_t i = 0; i < parts; i++)
            classify_part(ld, 0, i);
    EACH(i, ld->sections) {
        struct ld_section *sec = ld->sections.items[i];
        if (has_relocations(sec) && sec->needs_scan)
            scan_section(ld, sec);
    }
    if (ld->opt.flags & CODEOBJ_LINK_NO_COMBRELOC)
        set_relative_aside(ld);
    EACH(i, ld->symbols)
        add_got_slot(ld, ld->symbols.items[i]);
    EACH(i, ld->files) {
        struct ld_file *f = ld->files.items[i];
        for (uint32_t k = 0; f->kind == FILE_OBJECT && k < f->first_global && k < f->symbol_count; k++)
            add_got_slot(ld, &f->locals[k]);
    }
    const struct ld_symbol *base = co_ld_find(ld, "_GLOBAL_OFFSET_TABLE_");
    if (base && base->linker_defined && !ld->s_got) /* it wants a table to begin, be it empty */
        ld->s_got = co_ld_new_section(ld, ".got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8);
    EACH(i, ld->late)
        *PUSH(ld, ld->dynrels) = ld->late.items[i];
}

/* ---- applying ---------------------------------------------------------------------------- */

/* S + A.  For a section symbol of merged strings the addend selects the string. */
static uint64_t target(const struct ld *ld, const struct ld_symbol *sym, int64_t addend)
{
    if (sym->in_merge && sym->type == STT_SECTION)
        return co_ld_addr(sym->sec, sym->value + (uint64_t)addend);
    return co_ld_symbol_addr(ld, sym) + (uint64_t)addend;
}

/* A function that --icf has folded is another one, but its lines are where a debugger stops. */
static bool is_gone(const struct ld_symbol *sym, const struct ld_section *for_whom)
{
    if (sym->kind != SYM_DEFINED)
        return true;
    bool folded = sym->sec && sym->sec->repl && sym->sec->repl != sym->sec;
    return sym->sec && (folded ? strcmp(for_whom->name, ".debug_line") != 0 : !sym->sec->live);
}

static int64_t branch_words(uint64_t distance)
{
    return ((int64_t)distance - 4) / 4;
}

static void store(const struct ld_reloc *r, uint64_t v, uint8_t *p)
{
    switch (table[r->type].part) {
    case HIGH:
        v >>= 32; /* fall through */
    case LOW:
        ld_put32(p, v);
        break;
    case BRANCH:
        ld_put16(p, (uint64_t)branch_words(v));
        break;
    default:
        ld_put64(p, v);
    }
}

/* -r, SHT_REL: the addend goes into the place. */
void co_ld_put_addend(uint32_t type, int64_t addend, uint8_t *p)
{
    struct ld_reloc r = { .type = type };
    if (how_of(type) == UNKNOWN || how_of(type) == NO_OP)
        return;
    if (table[type].part == HIGH)
        ld_put32(p, (uint64_t)addend);
    else
        store(&r, (uint64_t)addend, p);
}

unsigned co_ld_reloc_size(uint32_t type)
{
    return how_of(type) == UNKNOWN ? 0 : table[type].bytes;
}

/* What stands for an address that is gone: 0, but 1 where a pair of zeros ends a list, and all ones where 0 is an index. */
static uint64_t tombstone(const struct ld_section *sec)
{
    if (!strcmp(sec->name, ".debug_loc") || !strcmp(sec->name, ".debug_ranges"))
        return 1;
    return !strcmp(sec->name, ".debug_names") ? UINT64_MAX : 0;
}

/* Where a section's relocations are applied. */
struct place {
    const struct ld_section *sec;
    uint64_t base, got;
    bool alloc, in_place, has_tombstone;
    uint64_t tombstone; /* what stands for an address that is gone */
};

static bool applies(const struct ld_section *sec, const struct ld_reloc *r)
{
    enum how how = how_of(r->type);
    return r->sym && how != NO_OP && how != UNKNOWN && r->off <= sec->size && sec->size - r->off >= table[r->type].bytes;
}

static uint64_t value_of(struct ld *ld, const struct place *at, const struct ld_reloc *r)
{
    const struct ld_section *sec = at->sec;
    enum how how = how_of(r->type);
    uint64_t v;
    if (at->alloc && how == ABSOLUTE && ld->has_dynamic) {
        enum verdict verdict = judge(ld, sec, r->type, r->sym);
        v = verdict == STATIC ? target(ld, r->sym, r->addend) : sec->is_rel ? (uint64_t)r->addend : 0; /* REL: what was there */
        if (verdict == RELATIVE && (at->in_place || co_ld_relr_packs(ld, sec, r->off)))
            v = target(ld, r->sym, r->addend);
        else if (at->in_place && verdict == SYMBOLIC)
            v = (uint64_t)r->addend;
    } else if (how == GOT) {
        v = at->got + (uint64_t)(r->sym->got - 1) * 8 + (uint64_t)r->addend - (at->base + r->off);
    } else if (at->has_tombstone && how == ABSOLUTE && is_gone(r->sym, sec)) {
        v = at->tombstone;
    } else {
        v = target(ld, r->sym, r->addend);
        if (how == PC)
            v -= at->base + r->off;
    }
    return v;
}

/* In debug information consumers know 0 as an address that is gone; in pairs of addresses 0 would end the list, so 1
 * there.  -z dead-reloc-in-nonalloc has the last word. */
static void find_tombstone(const struct ld *ld, struct place *at)
{
    const char *name = at->sec->name;
    if (at->alloc)
        return;
    at->has_tombstone = !strncmp(name, ".debug_", 7);
    at->tombstone = tombstone(at->sec);
    for (size_t i = 0; i < ld->opt.dead_reloc_count; i++) {
        const struct codeobj_link_section_address *rule = &ld->opt.dead_relocs[i];
        if (!co_ld_glob(rule->name, strlen(rule->name), name, strlen(name)))
            continue;
        at->has_tombstone = true;
        at->tombstone = rule->addr;
    }
}

bool co_ld_tombstone(const struct ld *ld, const struct ld_section *sec, const struct ld_reloc *r, uint64_t *value)
{
    struct place at = { .sec = sec, .alloc = sec->flags & SHF_ALLOC };
    find_tombstone(ld, &at);
    *value = at.tombstone;
    return at.has_tombstone && how_of(r->type) == ABSOLUTE && is_gone(r->sym, sec);
}

static struct place place_of(const struct ld *ld, const struct ld_section *sec)
{
    struct place at = { .sec = sec, .base = sec->out->addr + sec->out_off };
    at.alloc = sec->flags & SHF_ALLOC;
    at.in_place = ld->opt.flags & (CODEOBJ_LINK_APPLY_DYNAMIC | CODEOBJ_LINK_REL);
    at.got = ld->s_got && ld->s_got->out ? ld->s_got->out->addr + ld->s_got->out_off : 0;
    find_tombstone(ld, &at);
    return at;
}

/* The first relocation at or behind a place, where they are sorted. */
static size_t first_at(const struct ld_section *sec, uint64_t off)
{
    size_t lo = 0, hi = sec->rel_count, entry = sec->is_rel ? REL_SIZE : RELA_SIZE;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (ld_get64(sec->rel_data + mid * entry) < off)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint64_t co_ld_reloc_boundary(const struct ld_section *sec, uint64_t at)
{
    enum { WIDEST = 8 };
    if (!sec->rel_count || at < WIDEST)
        return at;
    size_t entry = sec->is_rel ? REL_SIZE : RELA_SIZE;
    /* Those that begin in the last bytes before it might reach beyond. */
    size_t i = first_at(sec, at - WIDEST + 1);
    uint64_t off = i < sec->rel_count ? ld_get64(sec->rel_data + i * entry) : at;
    return off < at ? off : at;
}

/* A branch that does not reach leaves a mark, for co_ld_report_ranges. */
/* --noinhibit-exec: what cannot be relocated stays as it is. */
static bool is_refused(const struct ld *ld, const struct ld_section *sec, const struct ld_reloc *r)
{
    return (ld->opt.flags & CODEOBJ_LINK_NOINHIBIT) && (sec->flags & SHF_ALLOC) && how_of(r->type) != GOT &&
           judge(ld, sec, r->type, r->sym) >= REFUSED_PIC;
}

void co_ld_apply_window(struct ld *ld, const struct ld_section *sec, uint8_t *dst, uint64_t from, uint64_t to)
{
    struct place at = place_of(ld, sec);
    struct ld_reloc r[RELOC_BATCH];
    bool whole = from == 0 && to == sec->size;
    size_t n, stop = to >= sec->size ? sec->rel_count : first_at(sec, to);
    for (size_t first = whole ? 0 : first_at(sec, from); first < stop; first += n) {
        n = co_ld_read_relocs(sec, first, stop - first < RELOC_BATCH ? stop - first : RELOC_BATCH, r);
        for (size_t k = 0; k < n; k++) {
            if (!applies(sec, &r[k]) || is_refused(ld, sec, &r[k]))
                continue;
            uint64_t v = value_of(ld, &at, &r[k]);
            store(&r[k], v, dst + (r[k].off - from));
            if (table[r[k].type].part == BRANCH && branch_words(v) != (int16_t)branch_words(v))
                ((struct ld_section *)(uintptr_t)sec)->out_of_range = true;
        }
    }
}

static void report_range(struct ld *ld, const struct ld_section *sec)
{
    struct place at = place_of(ld, sec);
    struct ld_reloc r;
    for (size_t i = 0; i < sec->rel_count; i++) {
        if (!co_ld_reloc_at(ld, sec, i, &r) || !applies(sec, &r) || table[r.type].part != BRANCH || is_refused(ld, sec, &r))
            continue;
        int64_t words = branch_words(value_of(ld, &at, &r));
        if (words != (int16_t)words)
            co_ld_error_or_warn(
                ld, "%s: relocation R_AMDGPU_REL16 out of range: %lld is not in [-32768, 32767]; references '%s'%s",
                co_ld_place_long(ld, sec, r.off), (long long)words, co_ld_show(ld, r.sym), defined_in(ld, r.sym));
    }
}

void co_ld_report_ranges(struct ld *ld)
{
    EACH(i, ld->outs)
        EACH(k, ld->outs.items[i]->secs)
            if (ld->outs.items[i]->secs.items[k]->out_of_range)
                report_range(ld, ld->outs.items[i]->secs.items[k]);
}

/* ---- dynamic relocations ------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct ld_dynrel *x = a, *y = b;
    bool rx = x->type == R_RELATIVE64, ry = y->type == R_RELATIVE64;
    if (rx != ry)
        return rx ? -1 : 1;
    uint32_t sx = rx ? 0 : x->sym->dynsym, sy = ry ? 0 : y->sym->dynsym;
    if (sx != sy)
        return sx < sy ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

int64_t co_ld_dynrel_addend(const struct ld *ld, const struct ld_dynrel *d)
{
    return d->type == R_RELATIVE64 ? (int64_t)target(ld, d->sym, d->addend) : d->addend;
}

/* Addresses are final: fills .rela.dyn and the static GOT slots. */
void co_ld_finish_dynrels(struct ld *ld)
{
    if (ld->s_got)
        EACH(i, ld->got) {
            const struct ld_symbol *s = ld->got.items[i];
            bool dynamic = s->preemptible || s->kind == SYM_SHARED ||
                           (ld->pic && s->kind == SYM_DEFINED && !ld_is_absolute(s));
            const uint64_t in_place = CODEOBJ_LINK_APPLY_DYNAMIC | CODEOBJ_LINK_PACK_RELR | CODEOBJ_LINK_REL;
            bool fill = !dynamic || ((ld->opt.flags & in_place) &&
                                     s->kind == SYM_DEFINED && !s->preemptible);
            ld_put64(ld->s_got->buf + i * 8, fill ? co_ld_symbol_addr(ld, s) : 0);
        }
    if (co_ld_fill_android(ld))
        return;
    EACH(i, ld->dynrels)
        ld->dynrels.items[i].place = co_ld_addr(ld->dynrels.items[i].sec, ld->dynrels.items[i].off);
    if (!(ld->opt.flags & CODEOBJ_LINK_NO_COMBRELOC) && ld->dynrels.count)
        qsort(ld->dynrels.items, ld->dynrels.count, sizeof *ld->dynrels.items, by_place);
    uint8_t *p = ld->s_rela ? ld->s_rela->buf : NULL;
    EACH(i, ld->dynrels) {
        const struct ld_dynrel *d = &ld->dynrels.items[i];
        bool relative = d->type == R_RELATIVE64;
        ld_put64(p, d->place);
        ld_put64(p + 8, relative ? R_RELATIVE64 : (uint64_t)d->sym->dynsym << 32 | d->type);
        if (!(ld->opt.flags & CODEOBJ_LINK_REL)) /* else it is in the place */
            ld_put64(p + 16, (uint64_t)co_ld_dynrel_addend(ld, d));
        p += ld->s_rela->entsize;
    }
}

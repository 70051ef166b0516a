/* SPDX-License-Identifier: MIT
 *
 * ld/object.c - one relocatable object becomes sections and symbols.
 *
 * Which sections stay out of the output from the start: tables that are made
 * anew (symbols, strings, relocations, groups, build IDs), SHF_EXCLUDE, .note.GNU-stack,
 * hints for LLVM's own linker (.llvm_addrsig ...; -r keeps those that it can), and members of a COMDAT
 * group whose signature an earlier object has brought.
 */
#include "ld.h"

#include <stdlib.h>

static bool holds_relocations(uint32_t type)
{
    return type == SHT_RELA || type == SHT_REL;
}

static bool is_table(uint32_t type)
{
    switch (type) {
    case SHT_NULL:
    case SHT_SYMTAB:
    case SHT_STRTAB:
    case SHT_SYMTAB_SHNDX:
    case SHT_GROUP:
    case SHT_RELA:
    case SHT_REL:
    case SHT_LLVM_ADDRSIG:
    case SHT_LLVM_DEPENDENT_LIBRARIES:
    case SHT_LLVM_LINKER_OPTIONS:
    case SHT_LLVM_CGP_OLD:
        return true;
    default:
        return false;
    }
}

static bool check_alignment(struct ld *ld, const struct ld_section *sec)
{
    if (!(sec->align & (sec->align - 1)))
        return true;
    co_ld_error(ld, "%s:(%s): sh_addralign is not a power of 2: %llu", sec->file->name, sec->name,
                (unsigned long long)sec->align);
    return false;
}

static void decompress(struct ld *ld, struct ld_section *sec)
{
    void *bytes = NULL;
    size_t size = 0;
    struct codeobj_diag diag = { 0 };
    enum codeobj_status st = codeobj_elf_section_contents(sec->file->elf, sec->idx, &bytes, &size, &diag);
    if (st == CODEOBJ_NO_MEMORY)
        co_ld_no_memory(ld);
    if (st != CODEOBJ_OK) {
        co_ld_error(ld, "%s:(%s): %s", sec->file->name, sec->name, diag.text);
        sec->kept = false;
        return;
    }
    ld->loose = bytes;
    sec->data = (const uint8_t *)co_ld_strndup(ld, bytes, size);
    ld->loose = NULL;
    free(bytes);
    /* The alignment of the contents is in the compression header. */
    size_t stored;
    const uint8_t *h = codeobj_elf_section_data(sec->file->elf, sec->idx, &stored);
    sec->align = stored >= 24 ? ld_get64(h + 16) : 1;
    sec->size = size;
    sec->flags &= ~SHF_COMPRESSED;
    check_alignment(ld, sec);
}

static void check_merge(struct ld *ld, struct ld_section *sec)
{
    if (!(sec->flags & SHF_MERGE) || !sec->size || !sec->entsize)
        return;
    if (ld->opt.merge == CODEOBJ_MERGE_NONE && !ld->relocatable)
        return;
    if (sec->size % sec->entsize)
        co_ld_error(ld, "%s:(%s): SHF_MERGE section size (%llu) must be a multiple of sh_entsize (%llu)",
                    sec->file->name, sec->name, (unsigned long long)sec->size, (unsigned long long)sec->entsize);
    else if (sec->flags & SHF_WRITE)
        co_ld_error(ld, "%s:(%s): writable SHF_MERGE section is not supported", sec->file->name, sec->name);
}

static void read_section(struct ld *ld, struct ld_section *sec, const struct codeobj_elf_section *s)
{
    struct ld_file *f = sec->file;
    sec->name = s->name ? s->name : "";
    sec->type = s->type;
    sec->flags = s->flags;
    sec->align = s->align ? s->align : 1;
    sec->entsize = s->entsize;
    sec->size = s->size;
    sec->info = s->info;
    sec->link = s->link;
    if (s->type == SHT_SYMTAB && !f->symtab_idx) {
        f->symtab_idx = sec->idx;
        f->first_global = s->info;
    }
    if (is_table(s->type) && !(ld->relocatable && s->type == SHT_LLVM_ADDRSIG))
        return;
    if (s->type != SHT_NOBITS) { /* of sections that stay out too: messages read line tables */
        size_t size = 0;
        sec->data = codeobj_elf_section_data(f->elf, sec->idx, &size);
        sec->size = size;
    }
    if ((s->flags & SHF_EXCLUDE) && !ld->relocatable)
        return;
    if (!strcmp(sec->name, ".note.GNU-stack") || !strcmp(sec->name, ".note.gnu.build-id"))
        return;
    if (ld->opt.strip != CODEOBJ_STRIP_NONE && !ld->relocatable && !(s->flags & SHF_ALLOC) &&
        (!strncmp(sec->name, ".debug", 6) || !strncmp(sec->name, ".zdebug", 7) || !strcmp(sec->name, ".gdb_index")))
        return;
    if (!check_alignment(ld, sec))
        return;
    sec->kept = true;
    if (s->type != SHT_NOBITS) {
        if (s->flags & SHF_COMPRESSED)
            decompress(ld, sec);
    } else if (!(s->flags & SHF_ALLOC) && s->size > f->size) {
        /* A made-up size without bytes behind it would become file contents. */
        co_ld_error(ld, "%s:(%s): SHT_NOBITS section of %llu bytes that is not allocated", f->name, sec->name,
                    (unsigned long long)s->size);
        sec->kept = false;
    }
    check_merge(ld, sec);
}

static const char *signature_of(struct ld_file *f, const struct ld_section *group)
{
    struct codeobj_elf_symbol s;
    if (codeobj_elf_symbol(f->elf, CODEOBJ_SYMTAB, group->info, &s) != CODEOBJ_OK)
        return NULL;
    if (s.type == STT_SECTION && (!s.name || !*s.name) && s.shndx < f->section_count)
        return f->sections[s.shndx]->name;
    return s.name;
}

/* First group of a signature wins; its members form a ring. */
static void read_group(struct ld *ld, struct ld_file *f, uint32_t i)
{
    struct ld_section *head = f->sections[i];
    size_t size = 0;
    const uint8_t *d = codeobj_elf_section_data(f->elf, i, &size);
    const char *sig = signature_of(f, head);
    if (!sig || size < 4 || size % 4) {
        co_ld_error(ld, "%s: section group [index %u]: %s", f->name, i,
                    sig ? "its size is not a positive multiple of 4" : "invalid symbol index");
        return;
    }
    struct ld_group *g = co_ld_alloc(ld, sizeof *g);
    g->name = sig;
    g->owner = f;
    g->head = head;
    if (ld_get32(d) & 1) { /* GRP_COMDAT */
        void **place = co_ld_names_place(ld, &ld->groups_by_name, sig, strlen(sig));
        if (*place)
            g = *place;
        else
            *place = g;
    }
    bool wins = g->owner == f && g->head == head;
    head->group = g;
    head->kept = wins && ld->relocatable && !(ld->opt.flags & CODEOBJ_LINK_FORCE_GROUPS);
    struct ld_section *first = NULL, *last = NULL;
    for (size_t k = 4; k < size; k += 4) {
        uint32_t m = ld_get32(d + k);
        if (m == 0 || m >= f->section_count) {
            co_ld_error(ld, "%s: invalid section index in group: %u", f->name, m);
            continue;
        }
        struct ld_section *sec = f->sections[m];
        if (sec->group || sec == head) {
            if (!holds_relocations(sec->type))
                co_ld_error(ld, "%s: section %s is in more than one group", f->name, sec->name);
            continue;
        }
        sec->group = g;
        if (!wins) {
            sec->kept = false;
            sec->discarded = true;
        } else if (sec->kept) {
            if (last)
                last->next_group = sec;
            else
                first = sec;
            last = sec;
        }
    }
    if (last)
        last->next_group = first;
}

static void attach_relocations(struct ld *ld, struct ld_file *f, uint32_t i)
{
    struct codeobj_elf_section s;
    if (codeobj_elf_section(f->elf, i, &s) != CODEOBJ_OK)
        return;
    if (s.info >= f->section_count) {
        co_ld_error(ld, "%s: invalid relocated section index: %u", f->name, s.info);
        return;
    }
    struct ld_section *target = f->sections[s.info];
    if (holds_relocations(target->type))
        return;
    size_t count = codeobj_elf_relocation_count(f->elf, i);
    if (!count)
        return;
    if (s.link != f->symtab_idx) {
        co_ld_error(ld, "%s:(%s): sh_link is %u, not the symbol table", f->name, s.name ? s.name : "", s.link);
        return;
    }
    if (target->rel_idx) {
        co_ld_error(ld, "%s: multiple relocation sections to one section are not supported", f->name);
        return;
    }
    target->rel_idx = i;
    target->is_rel = s.type == SHT_REL;
    size_t bytes = 0, entry = target->is_rel ? REL_SIZE : RELA_SIZE;
    target->rel_data = codeobj_elf_section_data(f->elf, i, &bytes);
    target->rel_count = count < bytes / entry ? count : bytes / entry;
}

static void attach(struct ld *ld, struct ld_file *f, uint32_t i)
{
    struct ld_section *sec = f->sections[i];
    if (holds_relocations(sec->type)) {
        attach_relocations(ld, f, i);
    } else if ((sec->flags & SHF_LINK_ORDER) && sec->kept) {
        if (sec->link >= f->section_count) {
            co_ld_error(ld, "%s: invalid sh_link index: %u", f->name, sec->link);
            return;
        }
        if (sec->link) {
            struct ld_section *parent = f->sections[sec->link], **last = &parent->dependents;
            while (*last)
                last = &(*last)->next_dependent;
            *last = sec;
            if (!parent->kept)
                sec->kept = false;
        }
    }
}

/* --just-symbols: the file gives values, no contents. */
static void find_symtab(struct ld_file *f)
{
    struct codeobj_elf_section s;
    for (uint32_t i = 1; i < codeobj_elf_section_count(f->elf) && !f->symtab_idx; i++)
        if (codeobj_elf_section(f->elf, i, &s) == CODEOBJ_OK && s.type == SHT_SYMTAB) {
            f->symtab_idx = i;
            f->first_global = s.info;
        }
}

/* One struct for each section; but those that hold relocations, half of an object of small functions, share one unless
 * they become sections of the output. */
static void make_sections(struct ld *ld, struct ld_file *f)
{
    bool share = !ld->relocatable && !(ld->opt.flags & CODEOBJ_LINK_EMIT_RELOCS);
    struct codeobj_elf_section s;
    size_t own = 1;
    f->section_count = codeobj_elf_section_count(f->elf);
    f->sections = co_ld_array(ld, f->section_count, sizeof(struct ld_section *));
    for (uint32_t i = 0; i < f->section_count; i++)
        own += !share || codeobj_elf_section(f->elf, i, &s) != CODEOBJ_OK || !holds_relocations(s.type);
    struct ld_section *next = co_ld_array(ld, own, sizeof *next), *shared = next++;
    *shared = (struct ld_section){ .file = f, .name = "", .type = SHT_RELA };
    for (uint32_t i = 0; i < f->section_count; i++) {
        bool is_there = codeobj_elf_section(f->elf, i, &s) == CODEOBJ_OK;
        if (share && is_there && holds_relocations(s.type)) {
            f->sections[i] = shared;
            continue;
        }
        f->sections[i] = next++;
        *f->sections[i] = (struct ld_section){ .file = f, .idx = i, .name = "" };
        if (i && is_there)
            read_section(ld, f->sections[i], &s);
    }
}

static void read_sections(struct ld *ld, struct ld_file *f)
{
    if (f->just_symbols) {
        find_symtab(f);
        return;
    }
    make_sections(ld, f);
    for (uint32_t i = 1; i < f->section_count; i++)
        if (f->sections[i]->type == SHT_GROUP)
            read_group(ld, f, i);
    for (uint32_t i = 1; i < f->section_count; i++)
        attach(ld, f, i);
    for (uint32_t i = 1; i < f->section_count; i++)
        if (f->sections[i]->kept) {
            f->sections[i]->live = true;
            *PUSH(ld, ld->sections) = f->sections[i];
        }
}

/* The section of a symbol, or NULL with an error. */
static bool symbol_section(struct ld *ld, struct ld_file *f, const struct codeobj_elf_symbol *s,
                           struct ld_section **out)
{
    *out = NULL;
    if (f->just_symbols || s->shndx == CODEOBJ_SHN_ABS || s->shndx == CODEOBJ_SHN_UNDEF || s->shndx == CODEOBJ_SHN_COMMON)
        return true;
    if (s->shndx >= f->section_count) {
        co_ld_error(ld, "%s: invalid section index: %u", f->name, s->shndx);
        return false;
    }
    *out = f->sections[s->shndx];
    return true;
}

static void read_local(struct ld *ld, struct ld_file *f, uint32_t i, const struct codeobj_elf_symbol *s)
{
    struct ld_symbol *sym = &f->locals[i];
    struct ld_section *sec;
    f->symbols[i] = sym;
    sym->local = true;
    sym->name = s->name ? s->name : "";
    sym->file = f;
    sym->kind = SYM_UNDEF;
    if (s->binding != STB_LOCAL) {
        co_ld_error(ld, "%s: non-local symbol (%u) found at index < .symtab's sh_info (%u)", f->name, i,
                    f->first_global);
        return;
    }
    if (!symbol_section(ld, f, s, &sec))
        return;
    if (ld->relocatable && sec && sec->type == SHT_GROUP && !sec->kept)
        sec = NULL; /* the signature of a group that is dissolved or not ours: as ld.lld has it, a number */
    sym->name_len = (uint32_t)strlen(sym->name);
    sym->type = s->type;
    sym->other = s->other;
    sym->vis = s->visibility;
    sym->value = s->value;
    sym->size = s->size;
    sym->sec = sec;
    if (s->shndx == CODEOBJ_SHN_UNDEF || s->shndx == CODEOBJ_SHN_COMMON)
        return;
    sym->kind = SYM_DEFINED;
    sym->discarded = sec && !sec->kept;
}

/* Finds the symbol of a name as objects write it, with or without a version. */
static struct ld_symbol *global(struct ld *ld, const char *name, size_t len, uint64_t hash)
{
    const char *at = memchr(name, '@', len);
    if (!at || at == name)
        return co_ld_intern_hashed(ld, name, len, hash);
    struct ld_symbol *s;
    if (at[1] == '@') {
        s = co_ld_intern(ld, co_ld_strndup(ld, name, (size_t)(at - name)), (size_t)(at - name));
        s->default_version = true;
        s->at_version = at + 2;
    } else {
        s = co_ld_intern(ld, name, len);
        s->at_version = at + 1;
    }
    return s;
}

static void read_global(struct ld *ld, struct ld_file *f, uint32_t i, const struct codeobj_elf_symbol *s, size_t len,
                        uint64_t hash)
{
    struct ld_section *sec;
    if (s->binding == STB_LOCAL) {
        co_ld_error(ld, "%s: local symbol found at index >= .symtab's sh_info", f->name);
        return;
    }
    if (!symbol_section(ld, f, s, &sec))
        return;
    f->symbols[i] = global(ld, s->name ? s->name : "", len, hash);
    if (s->shndx != CODEOBJ_SHN_UNDEF && !(sec && !sec->kept))
        co_ld_define(ld, f->symbols[i], f, sec, s);
}

enum { SYMBOL_BATCH = 16 };

/* In batches, so that the places in the symbol table, and what they lead to, are fetched while others are looked at. */
static void read_globals(struct ld *ld, struct ld_file *f)
{
    struct codeobj_elf_symbol s[SYMBOL_BATCH];
    size_t len[SYMBOL_BATCH];
    uint64_t hash[SYMBOL_BATCH];
    for (uint32_t i = f->first_global; i < f->symbol_count; i += SYMBOL_BATCH) {
        uint32_t n = 0;
        while (n < SYMBOL_BATCH && i + n < f->symbol_count &&
               codeobj_elf_symbol(f->elf, CODEOBJ_SYMTAB, i + n, &s[n]) == CODEOBJ_OK) {
            len[n] = s[n].name ? strlen(s[n].name) : 0;
            hash[n] = co_ld_hash(s[n].name ? s[n].name : "", len[n]);
            co_ld_names_prefetch(&ld->table, hash[n]);
            n++;
        }
        for (uint32_t k = 0; k < n; k++)
            co_ld_names_prefetch_name(&ld->table, hash[k]);
        for (uint32_t k = 0; k < n; k++)
            read_global(ld, f, i + k, &s[k], len[k], hash[k]);
    }
}

static void read_symbols(struct ld *ld, struct ld_file *f)
{
    f->symbol_count = codeobj_elf_symbol_count(f->elf, CODEOBJ_SYMTAB);
    if (f->first_global > f->symbol_count || (f->symbol_count && !f->first_global)) {
        co_ld_error(ld, "%s: invalid sh_info in symbol table", f->name);
        f->symbol_count = 0;
        f->first_global = 0;
    }
    f->symbols = co_ld_array(ld, f->symbol_count, sizeof(struct ld_symbol *));
    f->locals = co_ld_array(ld, f->first_global, sizeof *f->locals);
    f->next_undef = f->first_global;
    size_t bytes = 0;
    const uint8_t *data = codeobj_elf_section_data(f->elf, f->symtab_idx, &bytes);
    f->sym_data = bytes / SYM_SIZE >= f->symbol_count ? data : NULL;
    for (uint32_t i = 0; i < f->first_global; i++) {
        struct codeobj_elf_symbol s;
        if (codeobj_elf_symbol(f->elf, CODEOBJ_SYMTAB, i, &s) == CODEOBJ_OK)
            read_local(ld, f, i, &s);
    }
    read_globals(ld, f);
}

void co_ld_add_object(struct ld *ld, struct ld_file *f)
{
    f->kind = FILE_OBJECT;
    f->extracted = true;
    *PUSH(ld, ld->files) = f;
    if (ld->opt.flags & CODEOBJ_LINK_TRACE)
        co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_TRACE], "%s\n", f->name);
    read_sections(ld, f);
    read_symbols(ld, f);
    *PUSH(ld, ld->pending) = f;
}

/* An object that counts only if something needs what it defines. */
void co_ld_add_lazy_object(struct ld *ld, struct ld_file *f)
{
    f->kind = FILE_OBJECT;
    f->lazy = true;
    size_t n = codeobj_elf_symbol_count(f->elf, CODEOBJ_SYMTAB);
    for (uint32_t i = 1; i < n; i++) {
        struct codeobj_elf_symbol s;
        if (codeobj_elf_symbol(f->elf, CODEOBJ_SYMTAB, i, &s) != CODEOBJ_OK || s.binding == STB_LOCAL ||
            s.shndx == CODEOBJ_SHN_UNDEF || !s.name)
            continue;
        size_t len = strlen(s.name);
        struct ld_symbol *sym = global(ld, s.name, len, co_ld_hash(s.name, len));
        bool over_common = sym->kind == SYM_COMMON && (ld->opt.flags & CODEOBJ_LINK_FORTRAN_COMMON) &&
                           s.shndx != CODEOBJ_SHN_COMMON;
        if (over_common) {
            co_ld_replace_common(ld, sym, f, 0);
            return;
        }
        if (co_ld_offer(ld, sym, f, 0))
            return;
    }
}

/* SPDX-License-Identifier: MIT
 *
 * ld/layout.c - input sections into output sections, those into segments, and
 * an address and a file offset for each.
 *
 * The order is ld.lld's: notes; what the dynamic loader reads; read-only data;
 * code; thread-local; relro; data; NOBITS; what is not allocated.  Every change
 * of permission, and the end of relro, starts a PT_LOAD.
 *
 * Pages: by default segments share file pages but not memory pages.  The next
 * segment's address is "next page, same offset in the page", so its bytes follow
 * in the file without padding (p_offset and p_vaddr agree modulo the page).
 */
#include "script.h"

#include <stdlib.h>

struct ld_section *co_ld_new_section(struct ld *ld, const char *name, uint32_t type, uint64_t flags, uint64_t align)
{
    struct ld_section *s = co_ld_alloc(ld, sizeof *s);
    s->name = name;
    s->type = type;
    s->flags = flags;
    s->align = align;
    s->live = s->kept = true;
    return s;
}

/* ---- names ------------------------------------------------------------------- */


/* `.text.foo` goes to `.text`; the prefix itself or prefix plus dot. */
static bool under(const char *s, const char *prefix)
{
    size_t n = strlen(prefix);
    return !strncmp(s, prefix, n) && (!s[n] || s[n] == '.');
}

const char *co_ld_output_name(struct ld *ld, const struct ld_section *sec)
{
    static const char *const text[] = { ".text.hot", ".text.unknown", ".text.unlikely", ".text.startup",
                                        ".text.exit", ".text.split" };
    static const char *const merged[] = { ".data.rel.ro", ".data", ".rodata", ".bss.rel.ro", ".bss", ".init_array",
                                          ".fini_array", ".ctors", ".dtors", ".text" };
    if (ld->relocatable)
        return sec->name;
    if (!strcmp(sec->name, "COMMON")) /* -r gives common symbols such a section */
        return ".bss";
    if (co_ld_script_has_sections(ld)) /* a script says itself what belongs together */
        return sec->name;
    if (!sec->file && !sec->is_merged)
        return sec->name;
    if (ld->opt.flags & CODEOBJ_LINK_KEEP_TEXT_PREFIX)
        for (size_t i = 0; i < sizeof text / sizeof *text; i++)
            if (under(sec->name, text[i]))
                return text[i];
    if (sec->name[0] != '.')
        return sec->name;
    for (size_t i = 0; i < sizeof merged / sizeof *merged; i++)
        if (sec->name[1] == merged[i][1] && under(sec->name, merged[i]))
            return merged[i];
    return sec->name;
}

/* ---- output sections ----------------------------------------------------------- */

static bool like_progbits(uint32_t type)
{
    return type == SHT_PROGBITS || type == SHT_NOBITS || type == SHT_INIT_ARRAY || type == SHT_FINI_ARRAY ||
           type == SHT_PREINIT_ARRAY || type == SHT_NOTE;
}

struct ld_out *co_ld_new_out(struct ld *ld, const char *name, uint32_t type, uint64_t seq)
{
    struct ld_out *o = co_ld_alloc(ld, sizeof *o);
    o->name = name;
    o->type = type;
    o->align = 1;
    o->seq = seq;
    o->load = -1;
    *PUSH(ld, ld->outs) = o;
    return o;
}

static const char *type_name(struct ld *ld, uint32_t type)
{
    static const char *const names[] = { "NULL", "PROGBITS", "SYMTAB", "STRTAB", "RELA", "HASH", "DYNAMIC", "NOTE", "NOBITS", "REL",
                                         "SHLIB", "DYNSYM", NULL, NULL, "INIT_ARRAY", "FINI_ARRAY", "PREINIT_ARRAY", "GROUP",
                                         "SYMTAB_SHNDX", "RELR" };
    const char *name = type < sizeof names / sizeof *names ? names[type] : type == SHT_GNU_HASH ? "GNU_HASH"
                       : type == SHT_GNU_VERDEF  ? "GNU_verdef"
                       : type == SHT_GNU_VERNEED ? "GNU_verneed"
                       : type == SHT_GNU_VERSYM  ? "GNU_versym"
                                                 : NULL;
    return name ? co_ld_printf(ld, "SHT_%s", name) : co_ld_printf(ld, "0x%x", type);
}

static void join_types(struct ld *ld, struct ld_out *o, const struct ld_section *sec)
{
    if (o->type == sec->type || (sec->type == SHT_NOBITS && o->type != SHT_NOBITS))
        return;
    if (o->type == SHT_NOBITS && like_progbits(sec->type)) {
        o->type = sec->type;
        return;
    }
    if (like_progbits(o->type) && like_progbits(sec->type)) {
        o->type = SHT_PROGBITS;
        return;
    }
    bool harmless = !ld->relocatable && (o->flags & sec->flags & SHF_ALLOC); /* a table of another type would be read as one */
    (harmless ? co_ld_error_or_warn : co_ld_error)(
        ld, "section type mismatch for %s\n>>> %s:(%s): %s\n>>> output section %s: %s", sec->name, co_ld_file_name(sec->file),
        sec->name, type_name(ld, sec->type), o->name, type_name(ld, o->type));
}

void co_ld_append(struct ld *ld, struct ld_out *o, struct ld_section *sec)
{
    if (!o->secs.count) {
        o->type = sec->type;
        o->entsize = sec->entsize;
    }
    join_types(ld, o, sec);
    if (o->secs.count && ((o->flags ^ sec->flags) & SHF_TLS))
        co_ld_error(ld, "incompatible section flags for %s\n>>> %s:(%s): 0x%llx\n>>> output section %s: 0x%llx",
                    o->name, co_ld_file_name(sec->file), sec->name, (unsigned long long)sec->flags, o->name,
                    (unsigned long long)o->flags);
    o->flags |= sec->flags & ~(SHF_COMPRESSED | SHF_INFO_LINK | SHF_EXCLUDE * !ld->relocatable);
    if (!ld->relocatable || (ld->opt.flags & CODEOBJ_LINK_FORCE_GROUPS))
        o->flags &= ~SHF_GROUP;
    if (o->entsize != sec->entsize)
        o->entsize = 0;
    if (sec->align > o->align)
        o->align = sec->align;
    sec->out = o;
    *PUSH(ld, o->secs) = sec;
}

/* -r keeps members of groups apart. */
static bool stands_alone(const struct ld *ld, const struct ld_section *sec)
{
    uint64_t apart = ld->opt.flags & CODEOBJ_LINK_FORCE_GROUPS ? 0 : SHF_GROUP;
    return sec->stands_alone || (ld->relocatable && ((sec->flags & apart) || sec->type == SHT_GROUP));
}

/* SHF_LINK_ORDER: the section that this one follows, or NULL. */
static const struct ld_section *followed(const struct ld_section *sec)
{
    bool follows = sec->file && (sec->flags & SHF_LINK_ORDER) && sec->link && sec->link < sec->file->section_count;
    return follows ? sec->file->sections[sec->link] : NULL;
}

/* -r keeps mergeable data of different shape apart, and what follows different output sections: it has one sh_link. */
static const char *joining_key(struct ld *ld, const struct ld_section *sec, const char *name)
{
    const struct ld_section *parent = followed(sec);
    if (!ld->relocatable)
        return name;
    return co_ld_printf(ld, "%s %llx %llx %p", name,
                        (unsigned long long)(sec->flags & (SHF_MERGE | SHF_STRINGS | SHF_TLS | SHF_ALLOC | SHF_LINK_ORDER)),
                        sec->flags & SHF_MERGE ? (unsigned long long)sec->entsize : 0ull, parent ? (void *)parent->out : NULL);
}

/* seq orders output sections of equal rank: by the place of what they were made for. */
struct ld_out *co_ld_place_at(struct ld *ld, struct ld_section *sec, const char *name, uint64_t seq)
{
    struct ld_out *o = co_ld_script_take(ld, sec);
    if (o)
        return o;
    if (ld->relocatable && (o = co_ld_names_find(&ld->outs_by_name, name, strlen(name))) && o->desc) {
        co_ld_script_adopt(ld, o->desc, sec);
        return o;
    }
    if (stands_alone(ld, sec) || (ld->opt.flags & CODEOBJ_LINK_UNIQUE)) {
        o = co_ld_new_out(ld, name, sec->type, seq);
        co_ld_append(ld, o, sec);
        return o;
    }
    const char *key = joining_key(ld, sec, name);
    void **place = co_ld_names_place(ld, &ld->outs_by_name, key, strlen(key));
    o = *place;
    if (o && o->desc) {
        co_ld_script_adopt(ld, o->desc, sec);
        return o;
    }
    if (!o) {
        o = co_ld_new_out(ld, name, sec->type, seq);
        o->key = key;
        *place = o;
    }
    co_ld_append(ld, o, sec);
    return o;
}

/* A part that the linker makes: behind all that comes from inputs. */
struct ld_out *co_ld_place_section(struct ld *ld, struct ld_section *sec, const char *name)
{
    return co_ld_place_at(ld, sec, name, ((uint64_t)ld->files.count + 2) << 32 | ld->outs.count);
}

uint64_t co_ld_seq(const struct ld *ld, const struct ld_section *sec, uint32_t idx)
{
    return ((uint64_t)(sec->file ? sec->file->order : ld->files.count) + 1) << 32 | idx;
}

/* ---- order inside .init_array and friends ---------------------------------------- */

unsigned co_ld_init_priority(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name)
        return 65536;
    unsigned v = 0;
    for (dot++; *dot; dot++) {
        if ((unsigned)(*dot - '0') > 9 || v > 65535)
            return 65536;
        v = v * 10 + (unsigned)(*dot - '0');
    }
    return v;
}

int co_ld_by_rank(const void *a, const void *b)
{
    const struct ld_ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void sort_inside(struct ld *ld, struct ld_out *o)
{
    bool sorts = !ld->relocatable && !co_ld_script_has_sections(ld);
    bool arrays = sorts && (!strcmp(o->name, ".init_array") || !strcmp(o->name, ".fini_array"));
    bool tors = sorts && (!strcmp(o->name, ".ctors") || !strcmp(o->name, ".dtors"));
    if ((!arrays && !tors) || o->secs.count < 2)
        return;
    struct ld_ranked *r = co_ld_array(ld, o->secs.count, sizeof *r);
    EACH(i, o->secs) {
        struct ld_section *sec = o->secs.items[i];
        unsigned rank = arrays ? co_ld_init_priority(sec->name) : 65536 - co_ld_init_priority(sec->name);
        r[i] = (struct ld_ranked){ sec, rank, i };
    }
    qsort(r, o->secs.count, sizeof *r, co_ld_by_rank);
    EACH(i, o->secs)
        o->secs.items[i] = r[i].sec;
}

/* An orphan to its output section. */
static void place_orphan(struct ld *ld, struct ld_section *sec, uint64_t seq, uint32_t sub)
{
    struct ld_section *part = sec->merge ? co_ld_merged_section(sec) : sec;
    if (sec->merge && !co_ld_merge_place(sec))
        return;
    size_t before = ld->outs.count;
    struct ld_out *o = co_ld_place_at(ld, part, co_ld_output_name(ld, sec), seq);
    if (ld->outs.count > before)
        o->sub = sub;
}

/* And under -r what follows it, whose output section depends on its own, right behind. */
static void place_with_followers(struct ld *ld, struct ld_section *first)
{
    VEC(struct ld_section *) queue = { .items = &first, .count = 1, .cap = 1 };
    uint64_t seq = co_ld_seq(ld, first, first->idx);
    EACH(i, queue) {
        struct ld_section *sec = queue.items[i];
        if (!sec->live || sec->repl || sec->placed)
            continue;
        sec->placed = true;
        if (!sec->input_cmd)
            place_orphan(ld, sec, seq, (uint32_t)i);
        for (struct ld_section *d = sec->dependents; d && ld->relocatable; d = d->next_dependent)
            *PUSH(ld, queue) = d;
    }
}

/* Invariant afterwards: each live section, merged ones included, has `out`. */
void co_ld_make_outputs(struct ld *ld)
{
    co_ld_script_place(ld);
    EACH(i, ld->outs) {
        void **place = co_ld_names_place(ld, &ld->outs_by_name, ld->outs.items[i]->name, strlen(ld->outs.items[i]->name));
        ld->outs.items[i]->key = ld->outs.items[i]->name;
        if (!*place)
            *place = ld->outs.items[i];
    }
    EACH(i, ld->commons) {
        size_t before = ld->outs.count;
        if (!ld->commons.items[i]->live || ld->commons.items[i]->input_cmd)
            continue;
        struct ld_out *o = co_ld_place_at(ld, ld->commons.items[i], ld->relocatable ? "COMMON" : ".bss", 1);
        if (ld->outs.count > before)
            o->sub = (uint32_t)i; /* --unique */
    }
    EACH(i, ld->sections) {
        const struct ld_section *parent = ld->relocatable ? followed(ld->sections.items[i]) : NULL;
        if (!parent || !parent->live)
            place_with_followers(ld, ld->sections.items[i]);
    }
    for (size_t i = 0; ld->relocatable && i < ld->sections.count; i++) /* what follows itself, over others or not */
        place_with_followers(ld, ld->sections.items[i]);
}

/* ---- order of output sections ------------------------------------------------------ */

const uint64_t *co_ld_fixed_address(const struct ld *ld, const struct ld_out *o)
{
    for (size_t i = ld->opt.section_address_count; i-- > 0;)
        if (!strcmp(ld->opt.section_addresses[i].name, o->name))
            return &ld->opt.section_addresses[i].addr;
    return NULL;
}

static bool is_relro(const struct ld *ld, const struct ld_out *o)
{
    static const char *const names[] = { ".data.rel.ro", ".bss.rel.ro", ".ctors", ".dtors", ".jcr", ".got", ".dynamic",
                                         ".relro_padding", ".eh_frame", ".init_array", ".fini_array",
                                         ".preinit_array" };
    if (ld->opt.flags & (CODEOBJ_LINK_NO_RELRO | CODEOBJ_LINK_OMAGIC | CODEOBJ_LINK_NMAGIC))
        return false;
    if (o->desc && o->desc->relro && ld->script->relro_end)
        return true;
    if (!(o->flags & SHF_WRITE) || !(o->flags & SHF_ALLOC))
        return false;
    if ((o->flags & SHF_TLS) || o->type == SHT_INIT_ARRAY || o->type == SHT_FINI_ARRAY ||
        o->type == SHT_PREINIT_ARRAY || (ld->s_got && ld->s_got->out == o))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(o->name, names[i]))
            return true;
    return false;
}

bool co_ld_has_relro(const struct ld *ld)
{
    EACH(i, ld->outs)
        if (is_relro(ld, ld->outs.items[i]))
            return true;
    return false;
}

/* One bit for each question, the weightiest highest: equal leading bits say how alike two sections are. */
uint32_t co_ld_rank(const struct ld *ld, const struct ld_out *o)
{
    enum { INTERP = 1, NOTE, LOADER, NOBITS = 1 << 7, NOT_TLS = 1 << 8, NOT_RELRO = 1 << 9, RODATA = 1 << 11, CODE = 1 << 12,
           CODE_WRITE = 1 << 13, DATA = 1 << 14, NOT_ALLOC = 1 << 26, NOT_FIXED = 1 << 27 };
    if (co_ld_fixed_address(ld, o))
        return 0;
    if (!(o->flags & SHF_ALLOC))
        return NOT_FIXED | NOT_ALLOC;
    if (o->flags & SHF_EXECINSTR)
        return NOT_FIXED | (o->flags & SHF_WRITE ? CODE_WRITE : CODE);
    if (o->flags & SHF_WRITE)
        return NOT_FIXED | DATA | (o->flags & SHF_TLS ? 0 : NOT_TLS) | (is_relro(ld, o) ? 0 : NOT_RELRO) |
               (o->type == SHT_NOBITS ? NOBITS : 0);
    if (!strcmp(o->name, ".interp"))
        return NOT_FIXED | INTERP;
    return NOT_FIXED | (o->type == SHT_NOTE ? NOTE : o->type == SHT_PROGBITS ? RODATA : LOADER);
}

static int by_position(const void *a, const void *b)
{
    const struct ld_out *x = *(struct ld_out *const *)a, *y = *(struct ld_out *const *)b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

static void place_inside(struct ld *ld, struct ld_out *o)
{
    uint64_t off = 0;
    EACH(i, o->secs) {
        struct ld_section *sec = o->secs.items[i];
        off = ld_align(off, sec->align);
        sec->out_off = off;
        if (sec->size > UINT64_MAX / 4 - off) {
            co_ld_error(ld, "output section %s is too large: %s:(%s) has %llu bytes", o->name,
                        co_ld_file_name(sec->file), sec->name, (unsigned long long)sec->size);
            return;
        }
        off += sec->size;
    }
    o->size = off;
}

/* What is not allocated goes where there are no section headers to find it by; what is left is numbered anew. */
static void drop_unlisted(struct ld *ld)
{
    size_t n = 0;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (o->flags & SHF_ALLOC) {
            ld->outs.items[n++] = o;
            o->idx = (uint32_t)n;
        } else {
            *PUSH(ld, ld->unlisted) = o;
            o->idx = 0;
        }
    }
    ld->outs.count = n;
}

/* Invariant afterwards: ld->outs is in file order, idx is the section header
 * index, out_off of every section is final. */
void co_ld_sort_outputs(struct ld *ld)
{
    co_ld_apply_ordering(ld);
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        o->relro = is_relro(ld, o);
        o->rank = ld->relocatable ? 0 : co_ld_rank(ld, o);
    }
    bool scripted = ld->script != NULL;
    if (scripted)
        co_ld_script_order(ld);
    else if (ld->outs.count)
        qsort(ld->outs.items, ld->outs.count, sizeof *ld->outs.items, by_position);
    EACH(i, ld->outs) {
        ld->outs.items[i]->idx = (uint32_t)i + 1;
        ld->outs.items[i]->rank = (uint32_t)i + 1;
    }
    EACH(i, ld->outs) {
        if (!ld->outs.items[i]->desc)
            sort_inside(ld, ld->outs.items[i]);
        if (!scripted)
            place_inside(ld, ld->outs.items[i]);
    }
    if (ld->opt.flags & CODEOBJ_LINK_NO_SECTION_HEADERS)
        drop_unlisted(ld);
}

/* ---- segments and addresses ---------------------------------------------------------- */

uint32_t co_ld_permissions(const struct ld *ld, const struct ld_out *o)
{
    if (ld->opt.flags & CODEOBJ_LINK_OMAGIC)
        return PF_R | PF_W | PF_X;
    uint32_t f = PF_R;
    if (o->flags & SHF_WRITE)
        f |= PF_W;
    if (o->flags & SHF_EXECINSTR)
        f |= PF_X;
    return f;
}

struct ld_phdr *co_ld_add_phdr(struct ld *ld, uint32_t type, uint32_t flags, uint64_t align)
{
    struct ld_phdr *p = PUSH(ld, ld->phdrs);
    *p = (struct ld_phdr){ .type = type, .flags = flags, .align = align };
    return p;
}

void co_ld_extend_phdr(struct ld_phdr *p, struct ld_out *o)
{
    if (!p->first)
        p->first = o;
    p->last = o;
    if (o->align > p->align)
        p->align = o->align;
}

uint64_t co_ld_load_align(const struct ld *ld)
{
    return ld->opt.flags & (CODEOBJ_LINK_OMAGIC | CODEOBJ_LINK_NMAGIC | CODEOBJ_LINK_BINARY) ? 1 : ld->page;
}

static bool headers_loaded(const struct ld *ld)
{
    return !(ld->opt.flags & (CODEOBJ_LINK_OMAGIC | CODEOBJ_LINK_NMAGIC | CODEOBJ_LINK_BINARY));
}

/* May a section go on in a segment?  NOBITS in its middle would have to be written out, which a script may ask for. */
static bool continues(const struct ld *ld, const struct ld_phdr *load, const struct ld_out *o)
{
    bool sectioned = co_ld_script_has_sections(ld);
    const struct ld_out *first = load->first;
    if (!first && load->headers)
        return !o->region;
    return o->region == (load->headers ? NULL : first->region) && !(o->desc && o->desc->lma) &&
           o->lma_region == first->lma_region && (sectioned || o->type == SHT_NOBITS || load->last->type != SHT_NOBITS);
}

/* Zeros for each thread: they take neither addresses nor a place in a PT_LOAD. */
static bool is_tbss(const struct ld_out *o)
{
    return (o->flags & SHF_TLS) && o->type == SHT_NOBITS;
}

static void make_loads(struct ld *ld)
{
    int load = -1;
    uint32_t flags = 0;
    if (headers_loaded(ld)) {
        co_ld_add_phdr(ld, PT_PHDR, PF_R, 8);
        flags = PF_R;
        co_ld_add_phdr(ld, PT_LOAD, flags, co_ld_load_align(ld))->headers = true;
        load = 1;
    }
    bool in_relro = false;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (!(o->flags & SHF_ALLOC) || is_tbss(o))
            continue;
        uint32_t perm = co_ld_permissions(ld, o);
        uint32_t differ = flags ^ perm;
        if (!(perm & PF_W) && (ld->opt.flags & CODEOBJ_LINK_NO_ROSEGMENT))
            differ &= ~(uint32_t)PF_X;
        bool relro_ends = in_relro && !o->relro && !(ld->opt.flags & CODEOBJ_LINK_OMAGIC);
        if (load < 0 || differ || relro_ends || !continues(ld, &ld->phdrs.items[load], o)) {
            co_ld_add_phdr(ld, PT_LOAD, perm, co_ld_load_align(ld));
            load = (int)ld->phdrs.count - 1;
            flags = perm;
        }
        in_relro = o->relro;
        ld->phdrs.items[load].flags |= perm;
        co_ld_extend_phdr(&ld->phdrs.items[load], o);
        o->load = load;
    }
}

static void make_phdrs(struct ld *ld)
{
    ld->phdrs.count = 0;
    EACH(i, ld->outs)
        ld->outs.items[i]->load = -1;
    if (ld->script && ld->script->phdrs.count) {
        co_ld_script_phdrs(ld);
        return;
    }
    make_loads(ld);
    struct ld_phdr *p = NULL;
    EACH(i, ld->outs)
        if ((ld->outs.items[i]->flags & (SHF_TLS | SHF_ALLOC)) == (SHF_TLS | SHF_ALLOC)) {
            if (!p)
                p = co_ld_add_phdr(ld, PT_TLS, PF_R, 1);
            co_ld_extend_phdr(p, ld->outs.items[i]);
        }
    if (ld->s_dynamic)
        co_ld_extend_phdr(co_ld_add_phdr(ld, PT_DYNAMIC, PF_R | (ld->s_dynamic->flags & SHF_WRITE ? PF_W : 0), 1),
                          ld->s_dynamic->out);
    p = NULL;
    EACH(i, ld->outs)
        if (ld->outs.items[i]->relro && !is_tbss(ld->outs.items[i])) {
            if (!p)
                p = co_ld_add_phdr(ld, PT_GNU_RELRO, PF_R, 1);
            co_ld_extend_phdr(p, ld->outs.items[i]);
            p->align = 1;
        }
    if (!(ld->opt.flags & CODEOBJ_LINK_NO_GNU_STACK))
        co_ld_add_phdr(ld, PT_GNU_STACK, PF_R | PF_W | (ld->opt.flags & CODEOBJ_LINK_EXECSTACK ? PF_X : 0), 0)->memsz = ld->opt.stack_size;
    p = NULL;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (o->type != SHT_NOTE || !(o->flags & SHF_ALLOC)) {
            p = NULL;
            continue;
        }
        if (!p || p->last->align != o->align || (o->desc && o->desc->lma))
            p = co_ld_add_phdr(ld, PT_NOTE, PF_R, 1);
        co_ld_extend_phdr(p, o);
    }
}

/* Address of a section that begins a PT_LOAD (not the first one). */
uint64_t co_ld_segment_start(const struct ld *ld, const struct ld_out *o, const struct ld_out *before, uint64_t dot)
{
    uint64_t page = co_ld_load_align(ld);
    bool code = ld->phdrs.items[o->load].flags & PF_X;
    bool code_before = before && before->load >= 0 && (ld->phdrs.items[before->load].flags & PF_X);
    if (ld->opt.separate == CODEOBJ_SEPARATE_LOADABLE ||
        (ld->opt.separate == CODEOBJ_SEPARATE_CODE && code != code_before))
        return ld_align(dot, page);
    /* The padding behind relro takes no place in the file. */
    if (before && before == (ld->s_relro_padding ? ld->s_relro_padding->out : NULL))
        dot = before->addr;
    return ld_align(dot, page) + dot % page;
}

uint64_t co_ld_image_base(const struct ld *ld)
{
    return ld->opt.has_image_base ? ld->opt.image_base : ld->pic ? 0 : 0x10000;
}

/* What PT_TLS begins with is aligned as all of it is. */
static uint64_t start_alignment(const struct ld *ld, const struct ld_out *o)
{
    for (size_t i = 0; (o->flags & SHF_TLS) && i < ld->phdrs.count; i++)
        if (ld->phdrs.items[i].type == PT_TLS && ld->phdrs.items[i].first == o)
            return ld->phdrs.items[i].align;
    return o->align;
}

static bool assign(struct ld *ld, uint64_t limit)
{
    uint64_t dot = co_ld_image_base(ld) + ld->headers_size;
    const struct ld_out *before = NULL;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (!(o->flags & SHF_ALLOC))
            continue;
        const uint64_t *fixed = co_ld_fixed_address(ld, o);
        bool starts_load = o->load >= 0 && ld->phdrs.items[o->load].first == o;
        uint64_t low = dot;
        if (fixed)
            dot = *fixed;
        else if (starts_load && (before || (headers_loaded(ld) && o->load != 1)))
            dot = co_ld_segment_start(ld, o, before, dot);
        uint64_t thread = is_tbss(o) ? dot : 0;
        dot = ld_align(dot, start_alignment(ld, o));
        if (fixed && before && dot < low && before->load == o->load) {
            co_ld_error(ld, "section %s at 0x%llx would lie before the end of %s at 0x%llx", o->name,
                        (unsigned long long)dot, before->name, (unsigned long long)low);
            return false;
        }
        o->addr = dot;
        if (ld->s_relro_padding && o == ld->s_relro_padding->out) {
            o->size = ld_align(dot, ld->common_page) - dot;
            ld->s_relro_padding->size = o->size;
        }
        if (o->size > limit || o->addr > limit - o->size) {
            co_ld_error(ld, "section %s (address 0x%llx, size 0x%llx) does not fit the address space", o->name,
                        (unsigned long long)o->addr, (unsigned long long)o->size);
            return false;
        }
        if (is_tbss(o)) {
            dot = thread; /* not even its alignment counts */
            continue;
        }
        dot += o->size;
        before = o;
    }
    return true;
}

static uint64_t congruent(uint64_t off, uint64_t align, uint64_t addr)
{
    return align > 1 ? off + ((addr - off) & (align - 1)) : off;
}

/* A loader would map nothing for them. */
static void remove_empty_loads(struct ld *ld)
{
    EACH(i, ld->phdrs) {
        struct ld_phdr *p = &ld->phdrs.items[i];
        if (p->type == PT_LOAD && !p->headers)
            p->removed = !p->first || p->last->addr + p->last->size == p->first->addr;
    }
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (o->load >= 0 && ld->phdrs.items[o->load].removed)
            o->load = -1;
    }
}

/* File offsets; false when the file would be out of proportion. */
static bool assign_offsets(struct ld *ld, uint64_t limit)
{
    bool binary = ld->opt.flags & CODEOBJ_LINK_BINARY;
    uint64_t off = binary ? 0 : ld->headers_size;
    uint64_t lowest = UINT64_MAX;
    EACH(i, ld->outs)
        if (binary && (ld->outs.items[i]->flags & SHF_ALLOC) && ld->outs.items[i]->size &&
            ld->outs.items[i]->type != SHT_NOBITS && ld->outs.items[i]->addr < lowest)
            lowest = ld->outs.items[i]->addr;
    /* What follows the code in the file is not to be mapped with it. */
    const struct ld_out *last_code = NULL;
    EACH(i, ld->phdrs)
        if (ld->phdrs.items[i].type == PT_LOAD && (ld->phdrs.items[i].flags & PF_X) && ld->opt.separate != CODEOBJ_SEPARATE_NONE)
            last_code = ld->phdrs.items[i].last;
    /* Under -r what is allocated still comes first in the file. */
    for (size_t n = 0; n < ld->outs.count * 2; n++) {
        struct ld_out *o = ld->outs.items[n % ld->outs.count];
        if (((o->flags & SHF_ALLOC) == 0) != (n >= ld->outs.count))
            continue;
        struct ld_phdr *p = o->load >= 0 ? &ld->phdrs.items[o->load] : NULL;
        uint64_t end;
        if (binary) {
            o->off = o->flags & SHF_ALLOC ? o->addr - lowest : 0;
            end = o->off + o->size;
            if (!(o->flags & SHF_ALLOC) || o->type == SHT_NOBITS)
                continue;
        } else if (!p) {
            o->off = o->type == SHT_NOBITS ? off : ld_align(off, o->align);
            end = o->off + (o->type == SHT_NOBITS ? 0 : o->size);
        } else {
            bool first = p->first == o, with_headers = p->headers;
            if (first && !with_headers)
                o->off = congruent(off, p->align, o->addr);
            else if (o->type == SHT_NOBITS)
                o->off = off;
            else
                o->off = with_headers ? o->addr - ld->header_addr : p->first->off + (o->addr - p->first->addr);
            end = o->type == SHT_NOBITS ? o->off : o->off + o->size;
        }
        if (end > limit || o->off > limit || o->size > (o->type == SHT_NOBITS ? UINT64_MAX : limit)) {
            co_ld_error(ld, "output file too large: section %s would end at offset 0x%llx", o->name,
                        (unsigned long long)end);
            return false;
        }
        if (end > off)
            off = end;
        if (last_code && o == last_code)
            off = ld_align(off, co_ld_load_align(ld));
    }
    ld->shoff = ld_align(off, 8);
    if (binary)
        ld->image_size = off;
    else
        ld->image_size = ld->shoff + (uint64_t)(ld->outs.count + 1) * SHDR_SIZE;
    return true;
}

static void finish_phdr(struct ld *ld, struct ld_phdr *p)
{
    if (p->headers) {
        p->off = p->header_off;
        p->addr = ld->header_addr + p->header_off;
        p->filesz = p->memsz = ld->headers_size - p->header_off;
    } else if (p->first) {
        p->off = p->first->off;
        p->addr = p->first->addr;
        p->lma = p->has_lma ? p->lma : p->addr + p->first->lma_offset;
    } else {
        return;
    }
    uint64_t file_end = p->off + p->filesz, mem_end = p->addr + p->memsz;
    for (size_t k = p->first ? p->first->idx - 1 : 0; p->first && k < p->last->idx; k++) {
        const struct ld_out *o = ld->outs.items[k];
        bool tbss = p->type == PT_LOAD && (o->flags & SHF_TLS) && o->type == SHT_NOBITS;
        if (!(o->flags & SHF_ALLOC) && o != p->first && o != p->last)
            continue; /* a script has put it there, but in the file it stands behind what is loaded */
        if (o->type != SHT_NOBITS && o->off + o->size > file_end)
            file_end = o->off + o->size;
        if (!tbss && o->addr + o->size > mem_end)
            mem_end = o->addr + o->size;
    }
    p->filesz = file_end - p->off;
    p->memsz = mem_end - p->addr;
}

/* A last segment of code goes on to the end of its page, so that what stands behind it in the file is not taken for padding. */
static void round_last_code(struct ld *ld)
{
    struct ld_phdr *last = NULL;
    EACH(i, ld->phdrs)
        if (ld->phdrs.items[i].type == PT_LOAD && !ld->phdrs.items[i].removed)
            last = &ld->phdrs.items[i];
    if (!last || !(last->flags & PF_X) || ld->opt.separate == CODEOBJ_SEPARATE_NONE || (ld->opt.flags & CODEOBJ_LINK_OMAGIC))
        return;
    uint64_t size = ld_align(last->filesz, ld->page);
    if (last->off + size <= ld->image_size)
        last->memsz = last->filesz = size;
}

static void finish_phdrs(struct ld *ld)
{
    EACH(i, ld->phdrs) {
        struct ld_phdr *p = &ld->phdrs.items[i];
        if (p->type == PT_PHDR && !p->headers) { /* the program headers alone */
            p->headers = true;
            p->header_off = EHDR_SIZE;
        }
        finish_phdr(ld, p);
        if (p->headers && !p->has_lma)
            p->lma = p->addr + (p->type == PT_LOAD && p->first ? p->first->lma_offset : 0);
    }
    round_last_code(ld);
}

/* ---- overlaps ---------------------------------------------------------------------------- */

enum range { FILE_RANGE, ADDRESS_RANGE, LOAD_RANGE };

struct extent {
    uint64_t start, size;
    const char *name;
    size_t seq;
    bool overlay;
};

static int by_start(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static bool has_range(const struct ld *ld, const struct ld_out *o, enum range which)
{
    if (!o->size)
        return false;
    if (which == FILE_RANGE)
        return o->type != SHT_NOBITS && (!(ld->opt.flags & CODEOBJ_LINK_BINARY) || (o->flags & SHF_ALLOC));
    return (o->flags & SHF_ALLOC) && !(o->flags & SHF_TLS);
}

static void check_overlap(struct ld *ld, enum range which, const char *name)
{
    struct extent *e = co_ld_array(ld, ld->outs.count, sizeof *e);
    size_t n = 0;
    EACH(i, ld->outs) {
        const struct ld_out *o = ld->outs.items[i];
        uint64_t start = which == FILE_RANGE ? o->off : which == ADDRESS_RANGE ? o->addr : co_ld_load_address(ld, o);
        bool overlay = which == ADDRESS_RANGE && o->desc && o->desc->in_overlay;
        if (has_range(ld, o, which))
            e[n++] = (struct extent){ start, o->size, o->name, i, overlay };
    }
    if (n > 1)
        qsort(e, n, sizeof *e, by_start);
    for (size_t i = 1; i < n; i++)
        if (e[i].start < e[i - 1].start + e[i - 1].size && !(e[i].overlay && e[i - 1].overlay))
            co_ld_error_or_warn(ld, "section %s %s range overlaps with %s\n>>> %s range is [0x%llX, 0x%llX]\n>>> %s range is [0x%llX, 0x%llX]",
                                e[i - 1].name, name, e[i].name, e[i - 1].name, (unsigned long long)e[i - 1].start,
                                (unsigned long long)(e[i - 1].start + e[i - 1].size - 1), e[i].name,
                                (unsigned long long)e[i].start, (unsigned long long)(e[i].start + e[i].size - 1));
}

/* Only what the command line or a script has placed can lie on something else. */
static void check_overlaps(struct ld *ld)
{
    if ((ld->opt.flags & CODEOBJ_LINK_NO_CHECK_SECTIONS) || (!ld->script && !ld->opt.section_address_count))
        return;
    check_overlap(ld, FILE_RANGE, "file");
    check_overlap(ld, ADDRESS_RANGE, "virtual address");
    check_overlap(ld, LOAD_RANGE, "load address");
}

/* A made-up alignment, address or size must not become memory: the image may
 * be somewhat larger than what went in, not more. */
static uint64_t size_limit(const struct ld *ld)
{
    uint64_t in = 0;
    EACH(i, ld->all)
        if (!ld->all.items[i]->parent)
            in += ld->all.items[i]->size;
    return in > UINT64_MAX / 64 ? UINT64_MAX / 4 : (64u << 20) + 16 * in;
}

static void pad_sections(struct ld *ld)
{
    ld->padded = true;
    co_ld_pad_sections(ld);
    for (size_t i = 0; !ld->script && i < ld->outs.count; i++)
        place_inside(ld, ld->outs.items[i]);
}

/* ---- SHF_LINK_ORDER ------------------------------------------------------------------------ */

/* By the addresses of what they follow; what follows nothing comes last. */
static int by_followed(const void *a, const void *b)
{
    const struct ld_ranked *p = a, *q = b;
    const struct ld_section *x = followed(p->sec), *y = followed(q->sec);
    if (!x != !y)
        return x ? -1 : 1;
    if (x && x->out && y->out) {
        uint64_t m = x->out->addr, n = y->out->addr;
        if (x->out == y->out) {
            m = x->out_off;
            n = y->out_off;
        }
        if (m != n)
            return m < n ? -1 : 1;
    }
    return p->seq < q->seq ? -1 : p->seq > q->seq;
}

/* Sorts what one command of a script, or none, has placed; true: something has moved. */
static bool order_run(struct ld *ld, struct ld_section **secs, size_t n)
{
    bool moved = false, any = false;
    struct ld_ranked *r = co_ld_array(ld, n, sizeof *r);
    for (size_t i = 0; i < n; i++) {
        const struct ld_section *parent = followed(secs[i]);
        any |= parent != NULL;
        r[i] = (struct ld_ranked){ .sec = secs[i], .seq = i };
    }
    if (!any)
        return false;
    qsort(r, n, sizeof *r, by_followed);
    for (size_t i = 0; i < n; i++) {
        moved |= secs[i] != r[i].sec;
        secs[i] = r[i].sec;
    }
    return moved;
}

static void check_followed(struct ld *ld, const struct ld_out *o)
{
    EACH(i, o->secs) {
        const struct ld_section *sec = o->secs.items[i], *parent = followed(sec);
        if (parent && !parent->live)
            co_ld_error(ld, "%s:(%s): sh_link points to discarded section %s:(%s)", sec->file->name, sec->name,
                        parent->file->name, parent->name);
    }
}

/* Addresses are known, and the order of the sections that others follow is final. */
static bool order_linked(struct ld *ld)
{
    bool moved = false;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if (!(o->flags & SHF_LINK_ORDER))
            continue;
        check_followed(ld, o);
        for (size_t from = 0, to; from < o->secs.count; from = to) {
            struct ld_input_cmd *in = o->secs.items[from]->input_cmd;
            for (to = from + 1; to < o->secs.count && o->secs.items[to]->input_cmd == in; to++)
                continue;
            moved |= order_run(ld, o->secs.items + from, to - from);
            if (in)
                order_run(ld, in->secs.items, in->secs.count);
        }
        if (!ld->script)
            place_inside(ld, o);
    }
    return moved;
}

/* -r: a script works with addresses as for an executable; those of the sections are 0 in the end. */
static void assign_object(struct ld *ld, uint64_t limit)
{
    ld->headers_size = EHDR_SIZE;
    bool script = ld->script != NULL;
    if ((script && !co_ld_script_addresses(ld)) || (order_linked(ld) && script && !co_ld_script_addresses(ld)) ||
        (script && !co_ld_script_conclude(ld)))
        return;
    co_ld_end_spilling(ld);
    co_ld_check_crossrefs(ld);
    EACH(i, ld->outs)
        ld->outs.items[i]->addr = 0;
    if (script)
        co_ld_script_values(ld);
    assign_offsets(ld, limit);
}

/* Where no script says where everything goes, nothing may lie in front of the headers. */
static void check_base(struct ld *ld)
{
    uint64_t base = co_ld_image_base(ld);
    EACH(i, ld->outs) {
        const struct ld_out *o = ld->outs.items[i];
        if ((o->flags & SHF_ALLOC) && o->addr < base && !co_ld_script_has_sections(ld))
            co_ld_error_or_warn(ld, "section '%s' address (0x%llx) is smaller than image base (0x%llx); specify --image-base",
                                o->name, (unsigned long long)o->addr, (unsigned long long)base);
    }
}

/* Invariant afterwards: addr, off and size of every output section, and all
 * program headers, are final. */
void co_ld_assign_addresses(struct ld *ld)
{
    uint64_t limit = size_limit(ld);
    if (ld->relocatable) {
        assign_object(ld, limit);
        return;
    }
    make_phdrs(ld);
    if (ld->opt.random_padding && !ld->padded)
        pad_sections(ld);
    ld->headers_size = ld->opt.flags & CODEOBJ_LINK_BINARY ? 0 : EHDR_SIZE + ld->phdrs.count * PHDR_SIZE;
    ld->header_addr = co_ld_image_base(ld);
    bool ordered = false, again;
    do {
        if (!(ld->script ? co_ld_script_addresses(ld) : assign(ld, UINT64_MAX / 4)))
            return;
        again = !ordered && order_linked(ld); /* once: sections may follow one another in a circle */
        ordered = true;
        if (!again) {
            again = co_ld_android_grow(ld);
            again |= co_ld_relr_grow(ld);
        }
    } while (again);
    check_base(ld);
    if (ld->script && !co_ld_script_conclude(ld))
        return;
    co_ld_end_spilling(ld);
    co_ld_check_crossrefs(ld);
    remove_empty_loads(ld);
    if (!assign_offsets(ld, limit))
        return;
    finish_phdrs(ld);
    check_overlaps(ld);
}

/* ---- addresses of things ----------------------------------------------------------------- */

uint64_t co_ld_addr(const struct ld_section *sec, uint64_t off)
{
    while (sec->repl)
        sec = sec->repl;
    if (sec->merge) {
        const struct ld_section *m = co_ld_merged_section(sec);
        const struct ld_piece *p = co_ld_piece_at(sec, off);
        if (!m->out || !p->live)
            return 0;
        return m->out->addr + m->out_off + p->out_off + (off - p->in_off);
    }
    return sec->out ? sec->out->addr + sec->out_off + off : 0;
}

static uint64_t find_address(const struct ld_symbol *sym)
{
    if (sym->kind != SYM_DEFINED)
        return 0;
    if (sym->sec)
        return co_ld_addr(sym->sec, sym->value);
    return sym->out ? sym->out->addr + sym->value : sym->value;
}

uint64_t co_ld_symbol_addr(const struct ld *ld, const struct ld_symbol *sym)
{
    return ld->placed ? sym->addr : find_address(sym);
}

void co_ld_place_symbols(struct ld *ld)
{
    EACH(i, ld->files) {
        struct ld_file *f = ld->files.items[i];
        for (uint32_t k = 0; f->kind == FILE_OBJECT && k < f->first_global && k < f->symbol_count; k++)
            f->locals[k].addr = find_address(&f->locals[k]);
    }
    EACH(i, ld->symbols)
        ld->symbols.items[i]->addr = find_address(ld->symbols.items[i]);
    EACH(i, ld->symtab_syms)
        if (ld->symtab_syms.items[i]->type == STT_SECTION)
            ld->symtab_syms.items[i]->addr = find_address(ld->symtab_syms.items[i]);
    ld->placed = true;
}

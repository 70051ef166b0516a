/* SPDX-License-Identifier: MIT
 *
 * ld/map.c - the texts for -Map and --cref.
 *
 * The map's columns are ld.lld's: address, load address, size and alignment,
 * then output section, input section, symbol, each one step further in.
 */
#include "ld.h"

#include <stdlib.h>

struct placed {
    const struct ld_symbol *sym;
    uint64_t addr;
    size_t seq;
};
struct of_section {
    VEC(struct placed) syms;
};

static int by_address(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void line(struct ld *ld, uint64_t addr, uint64_t size, uint64_t align)
{
    co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_MAP], "%16llx %16llx %8llx %5llu ", (unsigned long long)addr,
                   (unsigned long long)addr, (unsigned long long)size, (unsigned long long)align);
}

static void symbols_of(struct ld *ld, struct ld_section *sec)
{
    VEC(struct placed) found = { 0 };
    const struct ld_file *f = sec->file;
    for (size_t i = 1; f && i < f->symbol_count; i++) {
        const struct ld_symbol *s = f->symbols[i];
        if (s && s->kind == SYM_DEFINED && s->sec == sec && s->type != STT_SECTION && s->symtab)
            *PUSH(ld, found) = (struct placed){ s, co_ld_symbol_addr(ld, s), i };
    }
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, by_address);
    EACH(i, found) {
        line(ld, found.items[i].addr, found.items[i].sym->size, 1);
        co_ld_text_add(ld, &ld->texts[CODEOBJ_LINK_TEXT_MAP], "                %s\n", co_ld_show(ld, found.items[i].sym));
    }
}

void co_ld_write_map(struct ld *ld)
{
    struct ld_text *t = &ld->texts[CODEOBJ_LINK_TEXT_MAP];
    co_ld_text_add(ld, t, "%16s %16s %8s %5s Out     In      Symbol\n", "VMA", "LMA", "Size", "Align");
    EACH(i, ld->outs) {
        const struct ld_out *o = ld->outs.items[i];
        line(ld, o->addr, o->size, o->align);
        co_ld_text_add(ld, t, "%s\n", o->name);
        EACH(k, o->secs) {
            struct ld_section *sec = o->secs.items[k];
            line(ld, o->addr + sec->out_off, sec->size, sec->align);
            co_ld_text_add(ld, t, "        %s:(%s)\n", co_ld_file_name(sec->file), sec->name);
            symbols_of(ld, sec);
        }
    }
}

/* Name, then the file that defines it, then those that refer to it. */
void co_ld_write_cref(struct ld *ld)
{
    struct ld_text *t = &ld->texts[CODEOBJ_LINK_TEXT_CREF];
    co_ld_text_add(ld, t, "Cross Reference Table\n\n%-50s File\n", "Symbol");
    EACH(i, ld->symbols) {
        const struct ld_symbol *s = ld->symbols.items[i];
        if (!s->file || s->kind != SYM_DEFINED)
            continue;
        co_ld_text_add(ld, t, "%-49s %s\n", co_ld_show(ld, s), s->file->name);
        EACH(k, ld->files) {
            const struct ld_file *f = ld->files.items[k];
            bool refers = false;
            for (size_t n = f->first_global; f != s->file && f->kind == FILE_OBJECT && n < f->symbol_count; n++)
                refers |= f->symbols[n] == s;
            if (refers)
                co_ld_text_add(ld, t, "%-49s %s\n", "", f->name);
        }
    }
}

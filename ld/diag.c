/* SPDX-License-Identifier: MIT
 *
 * ld/diag.c - messages: what goes on the list of a link, and how places and
 * names read in it.  The shapes are ld.lld's, because build systems and people
 * look for them.
 */
#include "ld.h"

#include <stdio.h>
#include <stdlib.h>

static void add(struct ld *ld, bool is_error, const char *text)
{
    if (ld->stopped)
        return;
    if (!is_error && (ld->opt.flags & CODEOBJ_LINK_NO_WARNINGS))
        return;
    if (!is_error && (ld->opt.flags & CODEOBJ_LINK_FATAL_WARNINGS))
        is_error = true;
    if (is_error && ld->opt.error_limit && ld->error_count >= ld->opt.error_limit) {
        text = "too many errors emitted, stopping now (use --error-limit=0 to see all errors)";
        ld->stopped = true;
    }
    *PUSH(ld, ld->messages) = (struct codeobj_link_message){ is_error, text };
    ld->error_count += is_error;
}

static void vadd(struct ld *ld, bool is_error, const char *fmt, va_list ap)
{
    add(ld, is_error, co_ld_vprintf(ld, fmt, ap));
}

void co_ld_error(struct ld *ld, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vadd(ld, true, fmt, ap);
    va_end(ap);
}

void co_ld_warn(struct ld *ld, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vadd(ld, false, fmt, ap);
    va_end(ap);
}

void co_ld_error_or_warn(struct ld *ld, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vadd(ld, !(ld->opt.flags & CODEOBJ_LINK_NOINHIBIT), fmt, ap);
    va_end(ap);
}

const char *co_ld_demangled(struct ld *ld, const char *name)
{
    if (!ld->opt.demangle || name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
        return NULL;
    char *d = ld->opt.demangle(name);
    if (!d)
        return NULL;
    ld->loose = d;
    char *p = co_ld_strndup(ld, d, strlen(d));
    ld->loose = NULL;
    free(d);
    return p;
}

const char *co_ld_show_name(struct ld *ld, const char *name)
{
    const char *d = co_ld_demangled(ld, name);
    return d ? d : name;
}

/* With the version that was written to it; before versions are assigned a name that has no default one includes it. */
const char *co_ld_show(struct ld *ld, const struct ld_symbol *sym)
{
    const char *name = co_ld_show_name(ld, sym->name);
    if (!sym->at_version || strchr(sym->name, '@'))
        return name;
    return co_ld_printf(ld, "%s%s%s", name, sym->default_version ? "@@" : "@", sym->at_version);
}

const char *co_ld_file_name(const struct ld_file *file)
{
    return file ? file->name : "<internal>";
}

static const struct ld_symbol *enclosing(const struct ld_section *sec, uint64_t off, int type)
{
    if (!sec->file)
        return NULL;
    for (size_t i = 1; i < sec->file->symbol_count; i++) {
        const struct ld_symbol *s = sec->file->symbols[i];
        if (s && s->kind == SYM_DEFINED && s->sec == sec && s->type != STT_SECTION && s->value <= off &&
            off - s->value < s->size && (type < 0 || s->type == type))
            return s;
    }
    return NULL;
}

const struct ld_symbol *co_ld_enclosing(const struct ld_section *sec, uint64_t off)
{
    return enclosing(sec, off, -1);
}

/* "m1.o:(what) in archive lib.a" for members */
static const char *of_file(struct ld *ld, const struct ld_file *file, const char *what)
{
    if (file && file->archive)
        return co_ld_printf(ld, "%s:(%s) in archive %s", file->member_name, what, file->archive);
    return co_ld_printf(ld, "%s:(%s)", co_ld_file_name(file), what);
}

const char *co_ld_place(struct ld *ld, const struct ld_section *sec, uint64_t off)
{
    const struct ld_symbol *s = enclosing(sec, off, -1);
    const char *what = s ? co_ld_show(ld, s) : co_ld_printf(ld, "%s+0x%llx", sec->name, (unsigned long long)off);
    return of_file(ld, sec->file, what);
}

const char *co_ld_place_with_source(struct ld *ld, const struct ld_section *sec, uint64_t off, int indent)
{
    const struct ld_symbol *s = enclosing(sec, off, -1);
    return co_ld_place_of(ld, sec, off, indent, s ? s->name : "");
}

/* The place of a symbol whose name is known. */
const char *co_ld_place_of(struct ld *ld, const struct ld_section *sec, uint64_t off, int indent, const char *variable)
{
    const char *line = co_ld_source_line(ld, sec, off), *place = co_ld_place(ld, sec, off);
    if (!line && *variable)
        line = co_ld_variable_line(ld, sec->file, variable);
    return line ? co_ld_printf(ld, "%s\n>>>%*s%s", line, indent, "", place) : place;
}

const char *co_ld_place_long(struct ld *ld, const struct ld_section *sec, uint64_t off)
{
    const struct ld_symbol *s = enclosing(sec, off, STT_FUNC);
    const char *at = co_ld_printf(ld, "%s+0x%llx", sec->name, (unsigned long long)off);
    return co_ld_printf(ld, "%s:(%s)", co_ld_file_name(sec->file),
                        s ? co_ld_printf(ld, "function %s: %s", co_ld_show(ld, s), at) : at);
}

const char *co_ld_reloc_name(struct ld *ld, uint32_t type)
{
    const struct codeobj_relocation_info *info = codeobj_relocation_info(type);
    return info ? info->name : co_ld_printf(ld, "Unknown (%u)", type);
}

/* SPDX-License-Identifier: MIT
 *
 * ld/version.c - version scripts and dynamic lists: read, and applied.
 *
 * Grammar (GNU ld's manual, "VERSION Command"; lld's reading of it):
 *
 *     script  = node...            an anonymous node must be the only one
 *     node    = [NAME] "{" [part...] "}" [NAME...] ";"
 *     part    = "global:" | "local:" | PATTERN ";" | extern "C++" "{" PATTERN ";"... "}" ";"
 *
 * Precedence: an exact name beats any glob; among globs the later node wins,
 * and "*" is the weakest of all.
 */
#include "ld.h"

struct lexer {
    struct ld *ld;
    const char *name; /* of the script */
    const char *text, *p, *end;
    const char *tok;
    size_t len;
    bool quoted, failed;
    unsigned line, last_line; /* last_line: of the last word that there was */
};

/* The line in question follows, with a mark under the word; at the end there is none. */
static void fail(struct lexer *lx, const char *what)
{
    const char *at = lx->tok ? lx->tok - lx->quoted : lx->p, *start = at, *stop = at;
    while (start > lx->text && start[-1] != '\n')
        start--;
    while (stop < lx->end && *stop != '\n' && *stop != '\r')
        stop++;
    if (!lx->failed && at >= lx->end)
        co_ld_error(lx->ld, "%s:%u: unexpected EOF", lx->name, lx->last_line);
    else if (!lx->failed)
        co_ld_error(lx->ld, "%s:%u: %s\n>>> %.*s\n>>> %*s^", lx->name, lx->line, what, (int)(stop - start), start,
                    (int)(at - start), "");
    lx->failed = true;
    lx->len = 0;
    lx->p = lx->end;
}

/* The next token into tok/len; len 0 at the end. */
static void next(struct lexer *lx)
{
    const char *p = co_ld_skip_blank(lx->p, lx->end, &lx->line);
    if (!p)
        fail(lx, "unclosed comment in a linker script");
    else
        lx->p = p;
    lx->tok = lx->p;
    lx->quoted = false;
    if (lx->p >= lx->end) {
        lx->len = 0;
        return;
    }
    lx->last_line = lx->line;
    if (*lx->p == '"') {
        const char *close = memchr(lx->p + 1, '"', (size_t)(lx->end - lx->p - 1));
        if (!close) {
            fail(lx, "unclosed quote");
            return;
        }
        lx->tok = lx->p + 1;
        lx->len = (size_t)(close - lx->tok);
        lx->quoted = true;
        lx->p = close + 1;
        return;
    }
    if (strchr("{};:,", *lx->p) && *lx->p) {
        /* "a::b" is one word, "global:" two */
        lx->len = 1;
        lx->p++;
        return;
    }
    while (lx->p < lx->end && !strchr(" \t\n\v\f\r{};,\"", *lx->p)) {
        if (*lx->p == ':') {
            if (lx->end - lx->p >= 2 && lx->p[1] == ':')
                lx->p++;
            else
                break;
        }
        lx->p++;
    }
    lx->len = (size_t)(lx->p - lx->tok);
    if (!lx->len)
        fail(lx, "unexpected character");
}

static bool is(const struct lexer *lx, const char *s)
{
    return !lx->quoted && lx->len == strlen(s) && !memcmp(lx->tok, s, lx->len);
}

static bool at_end(const struct lexer *lx)
{
    return lx->len == 0 && !lx->quoted;
}

static void expect(struct lexer *lx, const char *s)
{
    if (!lx->failed && !is(lx, s))
        fail(lx, co_ld_printf(lx->ld, "%s expected, but got %.*s", s, (int)lx->len, lx->tok));
    next(lx);
}

static struct ld_version_pattern pattern(struct lexer *lx, bool cxx)
{
    struct ld_version_pattern p = { .text = lx->tok, .len = (uint32_t)lx->len, .cxx = cxx, .quoted = lx->quoted };
    if (!lx->quoted)
        for (size_t i = 0; i < lx->len; i++)
            p.glob |= lx->tok[i] == '*' || lx->tok[i] == '?' || lx->tok[i] == '[';
    p.text = co_ld_strndup(lx->ld, lx->tok, lx->len);
    return p;
}

typedef void add_pattern(struct ld *ld, struct ld_version_pattern p);

/* extern "C++" { ... }; the word extern has been read */
static void read_extern(struct lexer *lx, bool local, uint16_t version, add_pattern *add)
{
    bool cxx = lx->quoted && lx->len == 3 && !memcmp(lx->tok, "C++", 3);
    if (!cxx && !(lx->quoted && lx->len == 1 && *lx->tok == 'C'))
        fail(lx, "unknown language in extern");
    next(lx);
    expect(lx, "{");
    while (!lx->failed && !is(lx, "}") && !at_end(lx)) {
        struct ld_version_pattern p = pattern(lx, cxx);
        p.local = local;
        p.version = version;
        add(lx->ld, p);
        next(lx);
        if (!is(lx, "}"))
            expect(lx, ";");
    }
    expect(lx, "}");
    if (is(lx, ";"))
        next(lx);
}

static void read_body(struct lexer *lx, uint16_t version, add_pattern *add)
{
    bool local = false;
    while (!lx->failed && !is(lx, "}") && !at_end(lx)) {
        if (is(lx, "extern")) {
            next(lx);
            read_extern(lx, local, version, add);
            continue;
        }
        struct ld_version_pattern p = pattern(lx, false);
        bool global_word = is(lx, "global"), local_word = is(lx, "local");
        next(lx);
        if ((global_word || local_word) && is(lx, ":")) {
            local = local_word;
            next(lx);
            continue;
        }
        p.local = local;
        p.version = version;
        add(lx->ld, p);
        if (!is(lx, "}"))
            expect(lx, ";");
    }
    expect(lx, "}");
}

static void add_version_pattern(struct ld *ld, struct ld_version_pattern p)
{
    p.node = p.version;
    if (p.local)
        p.version = VER_NDX_LOCAL;
    *PUSH(ld, ld->patterns) = p;
}

static void add_dynamic_pattern(struct ld *ld, struct ld_version_pattern p)
{
    if (!p.local)
        *PUSH(ld, ld->dynlist) = p;
}

void co_ld_parse_version_script(struct ld *ld, const struct codeobj_link_text *text)
{
    struct lexer lx = { .ld = ld, .name = text->name, .text = text->text, .p = text->text,
                        .end = text->text + text->size, .line = 1, .last_line = 1 };
    ld->has_version_script = true;
    next(&lx);
    if (is(&lx, "{")) {
        next(&lx);
        read_body(&lx, VER_NDX_GLOBAL, add_version_pattern);
        expect(&lx, ";");
        if (!lx.failed && !at_end(&lx))
            fail(&lx, "anonymous version definition is used in combination with other version definitions");
        return;
    }
    while (!lx.failed && !at_end(&lx)) {
        struct ld_version v = { .name = co_ld_strndup(ld, lx.tok, lx.len), .id = (uint16_t)(ld->versions.count + 2) };
        if (ld->versions.count >= 0x7f00) {
            fail(&lx, "too many versions");
            return;
        }
        next(&lx);
        expect(&lx, "{");
        read_body(&lx, v.id, add_version_pattern);
        while (!lx.failed && !is(&lx, ";") && !at_end(&lx)) {
            *PUSH(ld, v.parents) = co_ld_strndup(ld, lx.tok, lx.len);
            next(&lx);
        }
        expect(&lx, ";");
        *PUSH(ld, ld->versions) = v;
    }
}

static void add_export_pattern(struct ld *ld, struct ld_version_pattern p)
{
    if (!p.local)
        *PUSH(ld, ld->exportlist) = p;
}

/* --dynamic-list, or --export-dynamic-symbol-list */
void co_ld_parse_dynamic_list(struct ld *ld, const struct codeobj_link_text *text, bool exports)
{
    add_pattern *add = exports ? add_export_pattern : add_dynamic_pattern;
    struct lexer lx = { .ld = ld, .name = text->name, .text = text->text, .p = text->text,
                        .end = text->text + text->size, .line = 1, .last_line = 1 };
    next(&lx);
    while (!lx.failed && !at_end(&lx)) {
        expect(&lx, "{");
        read_body(&lx, VER_NDX_GLOBAL, add);
        expect(&lx, ";");
    }
}

static const char *version_name(const struct ld *ld, uint16_t id)
{
    return id == VER_NDX_LOCAL ? "local" : id == VER_NDX_GLOBAL ? "global" : ld->versions.items[id - 2].name;
}

static bool can_have_version(const struct ld_symbol *s)
{
    return (s->kind == SYM_DEFINED || s->kind == SYM_COMMON || s->kind == SYM_LAZY) &&
           (!s->linker_defined || co_ld_is_end_name(s->name));
}

static void set_version(struct ld *ld, struct ld_symbol *s, uint16_t version, bool exact)
{
    if (s->version_set) {
        if (exact && s->version != version)
            co_ld_warn(ld, "attempt to reassign symbol '%s' of version '%s' to version '%s'", co_ld_show(ld, s),
                       version_name(ld, s->version), version_name(ld, version));
        return;
    }
    s->version = version;
    s->version_set = true;
}

static void assign_exact(struct ld *ld, struct ld_version_pattern *p)
{
    bool found = false;
    if (p->cxx) {
        EACH(i, ld->symbols) {
            struct ld_symbol *s = ld->symbols.items[i];
            const char *d = can_have_version(s) ? co_ld_demangled(ld, s->name) : NULL;
            if (can_have_version(s) && !strcmp(d ? d : s->name, p->text)) {
                set_version(ld, s, p->version, true);
                found = true;
            }
        }
    } else {
        const char *names[] = { p->text, NULL }; /* in the node V, foo is foo@V too */
        if (p->node >= 2)
            names[1] = co_ld_printf(ld, "%s@%s", p->text, ld->versions.items[p->node - 2].name);
        for (size_t i = 0; i < 2; i++) {
            struct ld_symbol *s = names[i] ? co_ld_find(ld, names[i]) : NULL;
            if (s && can_have_version(s)) {
                set_version(ld, s, p->version, true);
                found = true;
            }
        }
    }
    if (!found && !(ld->opt.flags & CODEOBJ_LINK_UNDEFINED_VERSION))
        co_ld_error_or_warn(ld, "version script assignment of '%s' to symbol '%s' failed: symbol not defined",
                            version_name(ld, p->version), p->text);
}

/* foo@V is a name for patterns of the node V only, which stand for PATTERN@V; foo@@V for none but the exact foo. */
static bool matches_written(struct ld *ld, const struct ld_symbol *s, const struct ld_version_pattern *p)
{
    if (p->node < 2 || s->default_version)
        return false;
    const char *glob = co_ld_printf(ld, "%s@%s", p->text, ld->versions.items[p->node - 2].name);
    return co_ld_glob(glob, strlen(glob), s->name, strlen(s->name));
}

static void assign_glob(struct ld *ld, const struct ld_version_pattern *p)
{
    EACH(i, ld->symbols) {
        struct ld_symbol *s = ld->symbols.items[i];
        if (s->version_set || !can_have_version(s))
            continue;
        const char *text = p->cxx ? co_ld_demangled(ld, s->name) : s->name;
        if (!text)
            text = s->name;
        if (s->at_version ? matches_written(ld, s, p) : co_ld_glob(p->text, p->len, text, strlen(text)))
            set_version(ld, s, p->version, false);
    }
}

/* NAME@VERSION and NAME@@VERSION, as assemblers write them. */
static void assign_written(struct ld *ld, struct ld_symbol *s)
{
    if (s->version == VER_NDX_LOCAL && s->version_set) { /* the script has made it local: no version, all is name */
        if (s->default_version)
            s->name = co_ld_printf(ld, "%s@@%s", s->name, s->at_version);
        s->name_len = (uint32_t)strlen(s->name);
        return;
    }
    if (!s->default_version) { /* from here on the name is without it */
        s->name_len = (uint32_t)strcspn(s->name, "@"); /* at_version may lie in another object's strings */
        s->name = co_ld_strndup(ld, s->name, s->name_len);
    }
    if (s->kind != SYM_DEFINED && s->kind != SYM_COMMON)
        return; /* an undefined foo@V is met by foo, if that is what there is */
    EACH(i, ld->versions) {
        if (strcmp(ld->versions.items[i].name, s->at_version))
            continue;
        s->version = ld->versions.items[i].id;
        s->version_set = true;
        return;
    }
    if (ld->shared)
        co_ld_error(ld, "%s: symbol %s@%s%s has undefined version %s", co_ld_file_name(s->file), s->name,
                    s->default_version ? "@" : "", s->at_version, s->at_version);
}

void co_ld_assign_versions(struct ld *ld)
{
    if (ld->relocatable)
        return;
    EACH(i, ld->patterns)
        if (!ld->patterns.items[i].glob)
            assign_exact(ld, &ld->patterns.items[i]);
    for (int all = 0; all < 2; all++)
        for (size_t i = ld->patterns.count; i-- > 0;) {
            const struct ld_version_pattern *p = &ld->patterns.items[i];
            if (p->glob && (p->len == 1) == (all == 1))
                assign_glob(ld, p);
        }
    EACH(i, ld->symbols) /* what no object had to be taken in for is undefined, and no version is of that */
        if (ld->symbols.items[i]->kind == SYM_LAZY)
            ld->symbols.items[i]->version = VER_NDX_GLOBAL;
    EACH(i, ld->symbols)
        if (ld->symbols.items[i]->at_version)
            assign_written(ld, ld->symbols.items[i]);
    EACH(i, ld->versions)
        EACH(k, ld->versions.items[i].parents) {
            bool known = false;
            EACH(n, ld->versions)
                known |= !strcmp(ld->versions.items[n].name, ld->versions.items[i].parents.items[k]);
            if (!known)
                co_ld_warn(ld, "version %s depends on version %s, which is not defined", ld->versions.items[i].name,
                           ld->versions.items[i].parents.items[k]);
        }
}

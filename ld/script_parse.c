/* SPDX-License-Identifier: MIT
 *
 * ld/script_parse.c - a linker script into struct ld_script.
 *
 *     script   = { SECTIONS "{" {section | assign | ENTRY} "}" [INSERT AFTER|BEFORE name]
 *                | OVERWRITE_SECTIONS "{" section... "}" | MEMORY "{" region... "}" | PHDRS "{" phdr... "}" | NOCROSSREFS[_TO] "(" name... ")" | assign | ASSERT | INCLUDE file }
 *     section  = NAME [addr] ["(" type ")"] ":" [AT(e)] [ALIGN(e)] [SUBALIGN(e)] [ONLY_IF_RO | ONLY_IF_RW]
 *                "{" {assign | inputs | BYTE(e).. | FILL(e) | INCLUDE file} "}" [>region] [AT>region] {:phdr} [=fill]
 *     inputs   = [KEEP "("] [INPUT_SECTION_FLAGS(..)] FILE "(" {[SORT..(] [EXCLUDE_FILE(..)] pattern...} ")"
 *
 * What names files (INPUT, GROUP, SEARCH_DIR ...) is for who opens them: it is
 * passed over here.  OVERLAY is in overlay.c, CLASS in spill.c.
 */
#include "script.h"

enum { MAX_INCLUDES = 256 };

static void read_script(struct ld *ld, const struct codeobj_link_text *text, struct ld_desc *desc, bool in_sections);

/* ---- assignments ------------------------------------------------------------------------- */

static struct ld_assign *new_assign(struct ld_lexer *lx, const char *name, const struct ld_expr *e)
{
    struct ld_assign *a = co_ld_alloc(lx->ld, sizeof *a);
    *a = (struct ld_assign){ .name = name, .expr = e, .at = { lx->file, lx->line }, .text = "",
                             .relro_end = e->op == EXPR_RELRO_END };
    return a;
}

/* NAME OP EXPRESSION; the name has been read. */
static struct ld_assign *assign_value(struct ld_lexer *lx, const char *name)
{
    static const struct {
        const char *word;
        uint8_t op;
    } compound[] = { { "+=", EXPR_ADD }, { "-=", EXPR_SUB }, { "*=", EXPR_MUL }, { "/=", EXPR_DIV }, { "<<=", EXPR_SHL },
                     { ">>=", EXPR_SHR }, { "&=", EXPR_AND }, { "|=", EXPR_OR }, { "^=", EXPR_XOR } };
    if (co_ld_lex_take(lx, "="))
        return new_assign(lx, name, co_ld_parse_expr(lx));
    for (size_t i = 0; i < sizeof compound / sizeof *compound; i++) {
        if (!co_ld_lex_take(lx, compound[i].word))
            continue;
        struct ld_expr *self = co_ld_alloc(lx->ld, sizeof *self);
        *self = (struct ld_expr){ .op = strcmp(name, ".") ? EXPR_SYMBOL : EXPR_DOT, .own = true, .depth = 1, .name = name,
                                  .at = { lx->file, lx->line } };
        const struct ld_expr *e = co_ld_parse_expr(lx);
        return new_assign(lx, name, co_ld_new_expr(lx, (enum ld_op)compound[i].op, self, e));
    }
    return NULL;
}

/* An assignment that begins with the word just read, or NULL.  ASSERT is one to the location counter. */
static struct ld_assign *assignment(struct ld_lexer *lx, const char *word, bool quoted)
{
    struct ld *ld = lx->ld;
    bool provide = !quoted && (!strcmp(word, "PROVIDE") || !strcmp(word, "PROVIDE_HIDDEN"));
    bool hidden = !quoted && (!strcmp(word, "HIDDEN") || !strcmp(word, "PROVIDE_HIDDEN"));
    struct ld_assign *a;
    const char *from = lx->tok_at;
    lx->expr = true; /* so that "NAME=1" is three words */
    if (provide || hidden) {
        co_ld_lex_expect(lx, "(");
        const char *name = co_ld_lex_next(lx);
        a = assign_value(lx, co_ld_strndup(ld, name, strlen(name)));
        if (!a) {
            co_ld_lex_next(lx);
            co_ld_lex_fail(lx, "= expected, but got ", lx->tok);
        } else {
            a->provide = provide;
            a->hidden = hidden;
        }
        co_ld_lex_expect(lx, ")");
    } else {
        a = assign_value(lx, word);
        co_ld_lex_is(lx, ";"); /* the text goes on to the next word */
    }
    if (a)
        a->text = co_ld_lex_text(lx, from);
    if (a)
        co_ld_lex_expect(lx, ";");
    lx->expr = false;
    return a;
}

static const struct ld_expr *assertion(struct ld_lexer *lx)
{
    const struct ld_expr *e = co_ld_parse_assert(lx);
    co_ld_lex_take(lx, ";");
    return e;
}

/* ---- input sections ------------------------------------------------------------------------ */

/* A quoted word is a name even if it has stars in it; co_ld_script_match sees the mark. */
static const char *glob(struct ld_lexer *lx)
{
    const char *word = co_ld_lex_next(lx);
    return lx->quoted ? co_ld_printf(lx->ld, "\1%s", word) : word;
}

static enum ld_sort sort_kind(struct ld_lexer *lx)
{
    static const struct {
        const char *word;
        uint8_t kind;
    } kinds[] = { { "SORT", SORT_NAME },
                  { "SORT_BY_NAME", SORT_NAME },
                  { "SORT_BY_ALIGNMENT", SORT_ALIGNMENT },
                  { "SORT_BY_INIT_PRIORITY", SORT_PRIORITY },
                  { "SORT_NONE", SORT_NONE },
                  { "REVERSE", SORT_REVERSE } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (co_ld_lex_is(lx, kinds[i].word))
            return (enum ld_sort)kinds[i].kind;
    return SORT_DEFAULT;
}

/* [EXCLUDE_FILE(...)] pattern... , up to a closing parenthesis or a SORT. */
static void pattern_list(struct ld_lexer *lx, struct ld_input_cmd *in, enum ld_sort outer, enum ld_sort inner)
{
    while (!lx->failed && !co_ld_lex_is(lx, ")") && sort_kind(lx) == SORT_DEFAULT) {
        struct ld_pattern p = { .outer = (uint8_t)outer, .inner = (uint8_t)inner };
        if (co_ld_lex_take(lx, "EXCLUDE_FILE")) {
            co_ld_lex_expect(lx, "(");
            while (!lx->failed && lx->p < lx->end && !co_ld_lex_is(lx, ")"))
                *PUSH(lx->ld, p.excluded.items) = glob(lx);
            co_ld_lex_expect(lx, ")");
        }
        while (!lx->failed && lx->p < lx->end && !co_ld_lex_is(lx, ")") && !co_ld_lex_is(lx, "EXCLUDE_FILE") &&
               sort_kind(lx) == SORT_DEFAULT) {
            const char *name = glob(lx);
            if (!lx->quoted && (!strcmp(name, "(") || !strcmp(name, "{") || !strcmp(name, ";")))
                co_ld_lex_fail(lx, "section pattern is expected", "");
            if (*name)
                *PUSH(lx->ld, p.names.items) = name;
        }
        if (!p.names.items.count) {
            if (lx->p >= lx->end)
                co_ld_lex_fail(lx, "unexpected EOF", "");
            co_ld_lex_fail(lx, "section pattern is expected", "");
            return;
        }
        *PUSH(lx->ld, in->patterns) = p;
    }
}

static void patterns(struct ld_lexer *lx, struct ld_input_cmd *in)
{
    co_ld_lex_expect(lx, "(");
    while (!lx->failed && !co_ld_lex_is(lx, ")")) {
        enum ld_sort outer = sort_kind(lx), inner = SORT_DEFAULT;
        if (lx->p >= lx->end)
            break;
        if (outer == SORT_DEFAULT) {
            pattern_list(lx, in, outer, inner);
            continue;
        }
        co_ld_lex_next(lx);
        co_ld_lex_expect(lx, "(");
        inner = sort_kind(lx);
        if (inner != SORT_DEFAULT) {
            co_ld_lex_next(lx);
            co_ld_lex_expect(lx, "(");
        }
        pattern_list(lx, in, outer, inner);
        if (inner != SORT_DEFAULT)
            co_ld_lex_expect(lx, ")");
        co_ld_lex_expect(lx, ")");
    }
    co_ld_lex_expect(lx, ")");
}

/* ( [!] FLAG & [!] FLAG ... ) */
static void section_flags(struct ld_lexer *lx, struct ld_input_cmd *in)
{
    static const struct {
        const char *name;
        uint64_t flag;
    } flags[] = { { "SHF_WRITE", SHF_WRITE }, { "SHF_ALLOC", SHF_ALLOC }, { "SHF_EXECINSTR", SHF_EXECINSTR },
                  { "SHF_MERGE", SHF_MERGE }, { "SHF_STRINGS", SHF_STRINGS }, { "SHF_INFO_LINK", SHF_INFO_LINK },
                  { "SHF_LINK_ORDER", SHF_LINK_ORDER }, { "SHF_OS_NONCONFORMING", 0x100 }, { "SHF_GROUP", SHF_GROUP },
                  { "SHF_TLS", SHF_TLS }, { "SHF_COMPRESSED", SHF_COMPRESSED }, { "SHF_EXCLUDE", SHF_EXCLUDE } };
    lx->expr = true;
    co_ld_lex_expect(lx, "(");
    do {
        bool without = co_ld_lex_take(lx, "!");
        const char *name = co_ld_lex_next(lx);
        uint64_t v = 0;
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
            if (!strcmp(name, flags[i].name))
                v = flags[i].flag;
        if (!v)
            co_ld_lex_fail(lx, "unrecognised flag: ", name);
        *(without ? &in->without : &in->with) |= v;
    } while (!lx->failed && co_ld_lex_take(lx, "&"));
    co_ld_lex_expect(lx, ")");
    lx->expr = false;
}

struct ld_input_cmd *co_ld_parse_input(struct ld_lexer *lx, const char *word, struct ld_desc *desc)
{
    struct ld *ld = lx->ld;
    struct ld_input_cmd *in = co_ld_alloc(ld, sizeof *in);
    in->desc = desc;
    in->keep = !strcmp(word, "KEEP");
    if (in->keep) {
        co_ld_lex_expect(lx, "(");
        word = co_ld_lex_next(lx);
    }
    if (!strcmp(word, "INPUT_SECTION_FLAGS")) {
        section_flags(lx, in);
        word = co_ld_lex_next(lx);
    }
    if (!lx->quoted && !strcmp(word, "CLASS")) {
        in->file = "";
        in->class_name = co_ld_parse_class_name(lx);
    } else {
        in->file = word;
        patterns(lx, in);
    }
    if (in->keep) {
        co_ld_lex_expect(lx, ")");
        *PUSH(ld, ld->script->kept) = in;
    }
    return in;
}

/* ---- output sections ------------------------------------------------------------------------- */

static unsigned data_size(const char *word)
{
    static const char *const words[] = { "BYTE", "SHORT", "LONG", "QUAD", "SQUAD" };
    static const unsigned sizes[] = { 1, 2, 4, 8, 8 };
    for (size_t i = 0; i < 5; i++)
        if (!strcmp(word, words[i]))
            return sizes[i];
    return 0;
}

const struct ld_expr *co_ld_parse_in_parentheses(struct ld_lexer *lx)
{
    co_ld_lex_expect(lx, "(");
    const struct ld_expr *e = co_ld_parse_expr(lx);
    co_ld_lex_expect(lx, ")");
    return e;
}

/* A file that stands for its text. */
static void include(struct ld_lexer *lx, struct ld_desc *desc, bool in_sections)
{
    struct ld *ld = lx->ld;
    const char *path = co_ld_lex_next(lx);
    const void *data;
    size_t size;
    if (++ld->script->includes > MAX_INCLUDES) {
        co_ld_lex_fail(lx, "too many INCLUDEs: ", path);
        return;
    }
    if (!ld->opt.open_file || ld->opt.open_file(ld->opt.context, path, &data, &size) != CODEOBJ_OK) {
        co_ld_lex_fail(lx, "cannot find linker script ", path);
        return;
    }
    struct codeobj_link_text text = { path, data, size };
    read_script(ld, &text, desc, in_sections);
}

static bool section_command(struct ld_lexer *lx, struct ld_desc *d, const char *word, bool quoted)
{
    struct ld *ld = lx->ld;
    struct ld_assign *a;
    unsigned size;
    if (!quoted && !strcmp(word, ";"))
        return true;
    if (!quoted && !strcmp(word, "ASSERT")) {
        *PUSH(ld, d->cmds) = (struct ld_cmd){ .kind = CMD_ASSERT, .expr = assertion(lx) };
    } else if (!quoted && !strcmp(word, "CONSTRUCTORS")) {
        return true; /* for formats without constructor sections */
    } else if (!quoted && !strcmp(word, "FILL")) {
        d->fill_expr = co_ld_parse_in_parentheses(lx);
        d->has_fill = true;
    } else if (!quoted && !strcmp(word, "INCLUDE")) {
        include(lx, d, true);
    } else if (!quoted && !strcmp(word, "SORT")) {
        co_ld_lex_expect(lx, "(");
        co_ld_lex_expect(lx, "CONSTRUCTORS");
        co_ld_lex_expect(lx, ")");
    } else if (!quoted && !strcmp(word, "CREATE_OBJECT_SYMBOLS")) {
        co_ld_lex_fail(lx, "not supported: ", word);
    } else if (!quoted && (size = data_size(word))) {
        const char *from = lx->tok_at;
        struct ld_cmd c = { .kind = CMD_DATA, .size = size, .expr = co_ld_parse_in_parentheses(lx) };
        c.text = co_ld_lex_text(lx, from);
        *PUSH(ld, d->cmds) = c;
        co_ld_lex_take(lx, ";");
    } else if (!quoted && (!strcmp(word, "(") || !strcmp(word, ")"))) {
        co_ld_lex_fail(lx, "expected filename pattern", "");
    } else if ((a = assignment(lx, word, quoted))) {
        *PUSH(ld, d->cmds) = (struct ld_cmd){ .kind = CMD_ASSIGN, .assign = a };
    } else if (co_ld_lex_is(lx, "(")) {
        *PUSH(ld, d->cmds) = (struct ld_cmd){ .kind = CMD_INPUT, .input = co_ld_parse_input(lx, word, d) };
    } else { /* a file alone: all of it */
        struct ld_input_cmd *in = co_ld_alloc(ld, sizeof *in);
        struct ld_pattern p = { 0 };
        *PUSH(ld, p.names.items) = "*";
        in->file = word;
        in->desc = d;
        *PUSH(ld, in->patterns) = p;
        *PUSH(ld, d->cmds) = (struct ld_cmd){ .kind = CMD_INPUT, .input = in };
    }
    return !lx->failed;
}

static void section_type(struct ld_lexer *lx, struct ld_desc *d)
{
    static const struct {
        const char *name;
        uint32_t type;
    } types[] = { { "SHT_PROGBITS", SHT_PROGBITS }, { "SHT_NOTE", SHT_NOTE }, { "SHT_NOBITS", SHT_NOBITS },
                  { "SHT_INIT_ARRAY", SHT_INIT_ARRAY }, { "SHT_FINI_ARRAY", SHT_FINI_ARRAY },
                  { "SHT_PREINIT_ARRAY", SHT_PREINIT_ARRAY } };
    const char *word = co_ld_lex_next(lx);
    if (!strcmp(word, "NOLOAD")) {
        d->type = SHT_NOBITS;
        d->has_type = true;
    } else if (!strcmp(word, "TYPE")) {
        co_ld_lex_expect(lx, "=");
        d->has_type = true;
        d->type = SHT_PROGBITS;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (co_ld_lex_take(lx, types[i].name)) {
                d->type = types[i].type;
                return;
            }
        const struct ld_expr *e = co_ld_parse_expr(lx);
        d->type = e->op == EXPR_NUMBER ? (uint32_t)e->number : SHT_PROGBITS;
    } else if (!strcmp(word, "COPY") || !strcmp(word, "INFO") || !strcmp(word, "OVERLAY")) {
        d->non_alloc = true;
    } else {
        co_ld_lex_fail(lx, "unknown section directive: ", word);
    }
}

static bool is_type(struct ld_lexer *lx)
{
    static const char *const words[] = { "NOLOAD", "TYPE", "COPY", "INFO", "OVERLAY" };
    for (size_t i = 0; i < 5; i++)
        if (co_ld_lex_is(lx, words[i]))
            return true;
    return false;
}

/* [address] [(type)] : */
static void section_head(struct ld_lexer *lx, struct ld_desc *d)
{
    lx->expr = true;
    if (!co_ld_lex_is(lx, ":")) {
        bool typed = false;
        if (co_ld_lex_take(lx, "(")) {
            if ((typed = is_type(lx)))
                section_type(lx, d);
            else
                d->addr = co_ld_parse_expr(lx);
            co_ld_lex_expect(lx, ")");
        } else {
            d->addr = co_ld_parse_expr(lx);
        }
        if (!typed && co_ld_lex_take(lx, "(")) {
            section_type(lx, d);
            co_ld_lex_expect(lx, ")");
        }
    }
    co_ld_lex_expect(lx, ":");
    if (co_ld_lex_take(lx, "AT"))
        d->lma = co_ld_parse_in_parentheses(lx);
    if (co_ld_lex_take(lx, "ALIGN"))
        d->align = co_ld_parse_in_parentheses(lx);
    if (co_ld_lex_take(lx, "SUBALIGN"))
        d->subalign = co_ld_parse_in_parentheses(lx);
    d->only_ro = co_ld_lex_take(lx, "ONLY_IF_RO");
    d->only_rw = co_ld_lex_take(lx, "ONLY_IF_RW");
    lx->expr = false;
}

void co_ld_parse_phdr_names(struct ld_lexer *lx, struct ld_desc *d)
{
    bool expr = lx->expr;
    lx->expr = true;
    while (co_ld_lex_take(lx, ":"))
        *PUSH(lx->ld, d->phdrs.items) = co_ld_lex_next(lx);
    lx->expr = expr;
}

/* [>region] [AT>region] {:phdr} [=fill] [,] */
static void section_tail(struct ld_lexer *lx, struct ld_desc *d)
{
    lx->expr = true;
    if (co_ld_lex_take(lx, ">"))
        d->region_name = co_ld_lex_next(lx);
    if (co_ld_lex_take(lx, "AT")) {
        co_ld_lex_expect(lx, ">");
        d->lma_region_name = co_ld_lex_next(lx);
    }
    if (d->lma && d->lma_region_name)
        co_ld_error(lx->ld, "section can't have both LMA and a load region");
    co_ld_parse_phdr_names(lx, d);
    if (co_ld_lex_take(lx, "=")) {
        d->fill_expr = co_ld_parse_primary(lx);
        d->has_fill = true;
    }
    lx->expr = false;
    co_ld_lex_take(lx, ",");
}

static void note_symbol(struct ld *ld, const char *name)
{
    (void)name;
    ld->script->descs.items[ld->script->descs.count - 1]->uses_symbols = true;
}

/* An empty section whose expressions need symbols stays: they might not be there. */
static void see_symbols(struct ld *ld, const struct ld_desc *d)
{
    co_ld_expr_symbols(ld, d->addr, note_symbol);
    co_ld_expr_symbols(ld, d->lma, note_symbol);
    co_ld_expr_symbols(ld, d->align, note_symbol);
    EACH(i, d->cmds) {
        if (d->cmds.items[i].assign)
            co_ld_expr_symbols(ld, d->cmds.items[i].assign->expr, note_symbol);
        if (d->cmds.items[i].expr)
            co_ld_expr_symbols(ld, d->cmds.items[i].expr, note_symbol);
    }
}

struct ld_desc *co_ld_new_desc(struct ld_lexer *lx, const char *name)
{
    struct ld *ld = lx->ld;
    struct ld_desc *d = co_ld_alloc(ld, sizeof *d);
    d->name = name;
    d->at = (struct ld_where){ lx->file, lx->line };
    d->idx = (uint32_t)ld->script->descs.count;
    d->discard = !strcmp(name, "/DISCARD/");
    *PUSH(ld, ld->script->descs) = d;
    return d;
}

static struct ld_desc *output_section(struct ld_lexer *lx, const char *name)
{
    struct ld *ld = lx->ld;
    size_t n = strlen(name);
    if (n > 1 && name[n - 1] == ':' && !lx->quoted) { /* no blank in front of the colon */
        name = co_ld_strndup(ld, name, n - 1);
        lx->p--;
    }
    struct ld_desc *d = co_ld_new_desc(lx, name);
    d->relro = ld->script->data_align && !ld->script->relro_end;
    section_head(lx, d);
    co_ld_lex_expect(lx, "{");
    while (!lx->failed && !co_ld_lex_take(lx, "}")) {
        const char *word = co_ld_lex_next(lx);
        if (!*word && !lx->quoted)
            co_ld_lex_fail(lx, "unexpected EOF", "");
        else
            section_command(lx, d, word, lx->quoted);
    }
    section_tail(lx, d);
    see_symbols(ld, d);
    return d;
}

/* ---- SECTIONS ---------------------------------------------------------------------------------- */

static void entry(struct ld_lexer *lx)
{
    co_ld_lex_expect(lx, "(");
    const char *name = co_ld_lex_next(lx);
    co_ld_lex_expect(lx, ")");
    if (!lx->ld->opt.entry) {
        lx->ld->opt.entry = name;
        lx->ld->opt.flags |= CODEOBJ_LINK_ENTRY_OPTIONAL;
    }
}

static void sections_item(struct ld_lexer *lx, const char *word, bool quoted)
{
    struct ld *ld = lx->ld;
    struct ld_assign *a;
    if (!quoted && !strcmp(word, ";"))
        return;
    if (!quoted && !strcmp(word, "ASSERT"))
        *PUSH(ld, ld->script->steps) = (struct ld_step){ .assertion = assertion(lx) };
    else if (!quoted && !strcmp(word, "ENTRY"))
        entry(lx);
    else if (!quoted && !strcmp(word, "INCLUDE"))
        include(lx, NULL, true);
    else if (!quoted && !strcmp(word, "OVERLAY"))
        co_ld_parse_overlay(lx);
    else if (!quoted && !strcmp(word, "CLASS"))
        co_ld_parse_class(lx);
    else if ((a = assignment(lx, word, quoted)))
        *PUSH(ld, ld->script->steps) = (struct ld_step){ .assign = a };
    else if (!lx->failed)
        *PUSH(ld, ld->script->steps) = (struct ld_step){ .desc = output_section(lx, word) };
}

/* Descriptions that take the place of those of the same name, whatever comes first. */
static void overwrite_sections(struct ld_lexer *lx)
{
    co_ld_lex_expect(lx, "{");
    while (!lx->failed && !co_ld_lex_take(lx, "}")) {
        const char *word = co_ld_lex_next(lx);
        if (!*word && !lx->quoted) {
            co_ld_lex_fail(lx, "unexpected EOF", "");
        } else {
            struct ld_desc *d = output_section(lx, word);
            d->overwrite = true;
            d->relro = false;
        }
    }
}

/* In front of the others: they match first.  Their steps are the last ones, until it is known what they replace. */
static void order_descs(struct ld *ld)
{
    struct ld_script *s = ld->script;
    struct ld_desc **all = co_ld_array(ld, s->descs.count, sizeof *all);
    size_t n = 0;
    for (int overwrite = 1; overwrite >= 0; overwrite--)
        EACH(i, s->descs)
            if (s->descs.items[i]->overwrite == (overwrite == 1))
                all[n++] = s->descs.items[i];
    EACH(i, s->descs) {
        s->descs.items[i] = all[i];
        all[i]->idx = (uint32_t)i;
        if (all[i]->overwrite)
            *PUSH(ld, s->steps) = (struct ld_step){ .desc = all[i] };
    }
}

static void insert(struct ld_lexer *lx, size_t first)
{
    struct ld *ld = lx->ld;
    struct ld_insert in = { .at = { lx->file, lx->line } };
    in.after = co_ld_lex_is(lx, "AFTER");
    if (!in.after && !co_ld_lex_is(lx, "BEFORE")) {
        co_ld_lex_next(lx);
        co_ld_lex_fail(lx, "expected AFTER/BEFORE, but got '", co_ld_printf(ld, "%s'", lx->tok));
        return;
    }
    co_ld_lex_next(lx);
    in.where = co_ld_lex_next(lx);
    co_ld_lex_take(lx, ";");
    for (size_t i = first; i < ld->script->descs.count; i++)
        if (!ld->script->descs.items[i]->discard && !ld->script->descs.items[i]->is_class)
            *PUSH(ld, in.names.items) = ld->script->descs.items[i]->name;
    if (in.names.items.count)
        *PUSH(ld, ld->script->inserts) = in;
}

static void sections(struct ld_lexer *lx)
{
    size_t first = lx->ld->script->descs.count;
    co_ld_lex_expect(lx, "{");
    while (!lx->failed && !co_ld_lex_take(lx, "}")) {
        const char *word = co_ld_lex_next(lx);
        if (!*word && !lx->quoted)
            co_ld_lex_fail(lx, "unexpected EOF", "");
        else
            sections_item(lx, word, lx->quoted);
    }
    if (co_ld_lex_take(lx, "INSERT"))
        insert(lx, first);
    else
        lx->ld->script->has_sections = true;
}

/* ---- MEMORY, PHDRS --------------------------------------------------------------------------------- */

static void region_flags(struct ld_lexer *lx, struct ld_region *r)
{
    bool invert = false;
    for (const char *p = co_ld_lex_next(lx); *p; p++) {
        char c = (char)(*p | 32);
        if (*p == '!') {
            invert = !invert;
            continue;
        }
        uint64_t *with = invert ? &r->neg_flags : &r->flags, *without = invert ? &r->neg_inv_flags : &r->inv_flags;
        if (c == 'w')
            *with |= SHF_WRITE;
        else if (c == 'x')
            *with |= SHF_EXECINSTR;
        else if (c == 'a')
            *with |= SHF_ALLOC;
        else if (c == 'r')
            *without |= SHF_WRITE;
        else
            co_ld_lex_fail(lx, "invalid memory region attribute", "");
    }
}

static const struct ld_expr *region_value(struct ld_lexer *lx, const char *a, const char *b, const char *c)
{
    if (!co_ld_lex_take(lx, a) && !co_ld_lex_take(lx, b) && !co_ld_lex_take(lx, c)) {
        co_ld_lex_next(lx);
        co_ld_lex_fail(lx, "expected one of: ", co_ld_printf(lx->ld, "%s, %s, or %s", a, b, c));
    }
    co_ld_lex_expect(lx, "=");
    return co_ld_parse_expr(lx);
}

/* NAME [(attributes)] : ORIGIN = e, LENGTH = e */
/* "(" alias [,] region ")"; messages stand where ld.lld's do, at the closing parenthesis. */
static void region_alias(struct ld_lexer *lx)
{
    struct ld *ld = lx->ld;
    co_ld_lex_expect(lx, "(");
    const char *alias = co_ld_lex_next(lx);
    co_ld_lex_take(lx, ",");
    const char *name = co_ld_lex_next(lx);
    co_ld_lex_expect(lx, ")");
    if (lx->failed)
        return;
    struct ld_region *r = co_ld_find_region(ld, name);
    if (co_ld_find_region(ld, alias))
        co_ld_lex_fail(lx, "redefinition of memory region ", co_ld_printf(ld, "'%s'", alias));
    else if (!r)
        co_ld_lex_fail(lx, co_ld_printf(ld, "memory region '%s' is not defined", name), "");
    else
        *PUSH(ld, ld->script->aliases) = (struct ld_region_alias){ alias, r };
}

static void memory(struct ld_lexer *lx)
{
    struct ld *ld = lx->ld;
    co_ld_lex_expect(lx, "{");
    while (!lx->failed && !co_ld_lex_take(lx, "}")) {
        struct ld_region *r = co_ld_alloc(ld, sizeof *r);
        lx->expr = true;
        r->name = co_ld_lex_next(lx);
        if (!*r->name)
            co_ld_lex_fail(lx, "unexpected EOF", "");
        if (!strcmp(r->name, "INCLUDE"))
            co_ld_lex_fail(lx, "not supported in MEMORY: ", r->name);
        if (co_ld_lex_take(lx, "(")) {
            lx->expr = false;
            region_flags(lx, r);
            lx->expr = true;
            co_ld_lex_expect(lx, ")");
        }
        co_ld_lex_expect(lx, ":");
        r->origin = region_value(lx, "ORIGIN", "org", "o");
        co_ld_lex_expect(lx, ",");
        r->length = region_value(lx, "LENGTH", "len", "l");
        lx->expr = false;
        if (co_ld_find_region(ld, r->name))
            co_ld_lex_fail(lx, "region already defined: ", r->name);
        *PUSH(ld, ld->script->regions) = r;
    }
}

static uint32_t phdr_type(struct ld_lexer *lx)
{
    static const struct {
        const char *name;
        uint32_t type;
    } types[] = { { "PT_NULL", 0 }, { "PT_LOAD", PT_LOAD }, { "PT_DYNAMIC", PT_DYNAMIC }, { "PT_INTERP", 3 },
                  { "PT_NOTE", PT_NOTE }, { "PT_SHLIB", 5 }, { "PT_PHDR", PT_PHDR }, { "PT_TLS", PT_TLS },
                  { "PT_GNU_EH_FRAME", 0x6474e550 }, { "PT_GNU_STACK", PT_GNU_STACK }, { "PT_GNU_RELRO", PT_GNU_RELRO } };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (co_ld_lex_take(lx, types[i].name))
            return types[i].type;
    const struct ld_expr *e = co_ld_parse_primary(lx);
    if (e->op != EXPR_NUMBER)
        co_ld_lex_fail(lx, "invalid program header type: ", lx->tok);
    return (uint32_t)e->number;
}

/* NAME type [FILEHDR] [PHDRS] [AT(e)] [FLAGS(e)] ; */
static void phdrs(struct ld_lexer *lx)
{
    struct ld *ld = lx->ld;
    co_ld_lex_expect(lx, "{");
    lx->expr = true;
    while (!lx->failed && !co_ld_lex_take(lx, "}")) {
        struct ld_script_phdr p = { .name = co_ld_lex_next(lx) };
        if (!*p.name)
            co_ld_lex_fail(lx, "unexpected EOF", "");
        p.type = phdr_type(lx);
        while (!lx->failed && !co_ld_lex_take(lx, ";")) {
            if (co_ld_lex_take(lx, "FILEHDR"))
                p.filehdr = true;
            else if (co_ld_lex_take(lx, "PHDRS"))
                p.phdrs = true;
            else if (co_ld_lex_take(lx, "AT"))
                p.at = co_ld_parse_in_parentheses(lx);
            else if (co_ld_lex_take(lx, "FLAGS"))
                p.flags = co_ld_parse_in_parentheses(lx);
            else
                co_ld_lex_fail(lx, "unexpected header attribute: ", co_ld_lex_next(lx));
        }
        *PUSH(ld, ld->script->phdrs) = p;
    }
    lx->expr = false;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

/* Commands about files have been followed by who opened the script. */
static bool is_about_files(const char *word)
{
    static const char *const words[] = { "INPUT", "GROUP", "SEARCH_DIR", "OUTPUT", "OUTPUT_FORMAT", "OUTPUT_ARCH", "TARGET",
                                         "EXTERN", "ENTRY", "STARTUP" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(word, words[i]))
            return true;
    return false;
}

static void skip(struct ld_lexer *lx, const char *open, const char *close)
{
    unsigned depth = 0;
    do {
        const char *word = co_ld_lex_next(lx);
        if (!*word && !lx->quoted)
            co_ld_lex_fail(lx, "unexpected EOF", "");
        else if (!lx->quoted)
            depth += !strcmp(word, open) ? 1u : !strcmp(word, close) ? -1u : 0u;
    } while (depth && !lx->failed);
}

static void top_command(struct ld_lexer *lx, const char *word)
{
    struct ld *ld = lx->ld;
    bool quoted = lx->quoted;
    struct ld_assign *a;
    if (!strcmp(word, ";"))
        return;
    if (!strcmp(word, "SECTIONS"))
        sections(lx);
    else if (!strcmp(word, "OVERWRITE_SECTIONS"))
        overwrite_sections(lx);
    else if (!strcmp(word, "MEMORY"))
        memory(lx);
    else if (!strcmp(word, "PHDRS"))
        phdrs(lx);
    else if (!strcmp(word, "ASSERT"))
        *PUSH(ld, ld->script->steps) = (struct ld_step){ .assertion = assertion(lx) };
    else if (!strcmp(word, "INCLUDE"))
        include(lx, NULL, false);
    else if (!strcmp(word, "VERSION"))
        skip(lx, "{", "}");
    else if (is_about_files(word))
        skip(lx, "(", ")");
    else if (!strcmp(word, "REGION_ALIAS"))
        region_alias(lx);
    else if (!strcmp(word, "NOCROSSREFS") || !strcmp(word, "NOCROSSREFS_TO"))
        co_ld_parse_no_crossrefs(lx, word[11] != 0);
    else if ((a = assignment(lx, word, quoted)))
        *PUSH(ld, ld->script->steps) = (struct ld_step){ .assign = a };
    else
        co_ld_lex_fail(lx, "unknown directive: ", word);
}

/* desc: within that output section; in_sections: within SECTIONS. */
static void read_script(struct ld *ld, const struct codeobj_link_text *text, struct ld_desc *desc, bool in_sections)
{
    struct ld_lexer lx = { .ld = ld, .file = text->name, .text = text->text, .p = text->text, .end = text->text + text->size,
                           .line = 1 };
    while (!lx.failed) {
        const char *word = co_ld_lex_next(&lx);
        if (!*word && !lx.quoted)
            return;
        if (desc)
            section_command(&lx, desc, word, lx.quoted);
        else if (in_sections)
            sections_item(&lx, word, lx.quoted);
        else
            top_command(&lx, word);
    }
    ld->script->failed = true;
}

static void mark_addressed(struct ld *ld)
{
    EACH(i, ld->script->descs) {
        struct ld_desc *d = ld->script->descs.items[i];
        d->in_expression = d->first_in_overlay || co_ld_names_find(&ld->script->addressed, d->name, strlen(d->name));
    }
}

void co_ld_parse_scripts(struct ld *ld)
{
    if (!ld->opt.linker_scripts.count && !ld->opt.defsym.count)
        return;
    ld->script = co_ld_alloc(ld, sizeof *ld->script);
    for (size_t i = 0; i <= ld->opt.linker_scripts.count; i++) {
        co_ld_parse_defsym(ld, i);
        if (i < ld->opt.linker_scripts.count)
            read_script(ld, &ld->opt.linker_scripts.items[i], NULL, false);
    }
    order_descs(ld);
    mark_addressed(ld);
}

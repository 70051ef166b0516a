/* SPDX-License-Identifier: MIT
 *
 * ld/expr.c - expressions of linker scripts and of --defsym.
 *
 * Values are numbers or places: an offset in an input or output section.  A
 * place plus or minus a number is a place, the difference of two places a
 * number; all other operators work on addresses and give numbers (or, for the
 * bitwise ones, the place moved to the result).  Expressions are computed again
 * in every round of the layout, because addresses change until the last.
 *
 * Depth is bounded where a tree is built, so that computing it may recurse.
 */
#include "script.h"

enum { MAX_DEPTH = 200 };

/* ---- words -------------------------------------------------------------------------- */

/* The line in question follows, with a mark under the word. */
void co_ld_lex_fail(struct ld_lexer *lx, const char *what, const char *word)
{
    const char *at = lx->tok_at ? lx->tok_at : lx->p, *start = at, *stop = at;
    if (lx->failed)
        return;
    lx->failed = true;
    if (at >= lx->end) { /* nothing to show */
        co_ld_error(lx->ld, "%s:%u: %s%s", lx->file, lx->tok_line ? lx->tok_line : 1, what, word);
        return;
    }
    while (start > lx->text && start[-1] != '\n')
        start--;
    while (stop < lx->end && *stop != '\n' && *stop != '\r')
        stop++;
    co_ld_error(lx->ld, "%s:%u: %s%s\n>>> %.*s\n>>> %*s^", lx->file, lx->line, what, word, (int)(stop - start), start,
                (int)(at - start), "");
}

const char *co_ld_skip_blank(const char *p, const char *end, unsigned *line)
{
    while (p < end) {
        if (*p == '\n')
            ++*line;
        if (*p == ' ' || (*p >= '\t' && *p <= '\r')) {
            p++;
        } else if (*p == '#') {
            while (p < end && *p != '\n')
                p++;
        } else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
            const char *close = p + 2;
            while (end - close >= 2 && (close[0] != '*' || close[1] != '/'))
                *line += *close++ == '\n';
            if (end - close < 2)
                return NULL;
            p = close + 2;
        } else {
            break;
        }
    }
    return p;
}

static void blank(struct ld_lexer *lx)
{
    const char *p = co_ld_skip_blank(lx->p, lx->end, &lx->line);
    if (!p) {
        lx->tok_at = lx->p;
        co_ld_lex_fail(lx, "unclosed comment in a linker script", "");
    }
    lx->p = p ? p : lx->end;
}

static bool letter(char c)
{
    return (unsigned)((c | 32) - 'a') < 26u || (unsigned)(c - '0') < 10u || c == '_' || c == '.' || c == '$';
}

static size_t word_length(const struct ld_lexer *lx)
{
    static const char *const operators[] = { "<<=", ">>=", "+=", "-=", "*=", "/=", "&=", "|=", "^=", "!=", "==",
                                             "<=",  ">=",  "<<", ">>", "&&", "||" };
    const char *p = lx->p;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t n = strlen(operators[i]);
        if ((size_t)(lx->end - p) >= n && !memcmp(p, operators[i], n))
            return n;
    }
    while (p < lx->end && *p && (letter(*p) || (!lx->expr && strchr("/\\~+[]*?-!^:", *p))))
        p++;
    return p == lx->p ? 1 : (size_t)(p - lx->p);
}

const char *co_ld_lex_next(struct ld_lexer *lx)
{
    blank(lx);
    lx->tok = "";
    lx->tok_at = lx->p;
    lx->quoted = false;
    if (lx->p >= lx->end || lx->failed)
        return lx->tok;
    lx->tok_line = lx->line;
    if (*lx->p == '"') {
        const char *close = memchr(lx->p + 1, '"', (size_t)(lx->end - lx->p - 1));
        if (!close) {
            co_ld_lex_fail(lx, "unclosed quote", "");
            return lx->tok;
        }
        lx->quoted = true;
        lx->tok = co_ld_strndup(lx->ld, lx->p + 1, (size_t)(close - lx->p - 1));
        lx->p = close + 1;
        return lx->tok;
    }
    size_t n = word_length(lx);
    lx->tok = co_ld_strndup(lx->ld, lx->p, n);
    lx->p += n;
    return lx->tok;
}

bool co_ld_lex_is(struct ld_lexer *lx, const char *word)
{
    blank(lx);
    if (lx->failed || lx->p >= lx->end || *lx->p == '"')
        return false;
    size_t n = word_length(lx);
    return n == strlen(word) && !memcmp(lx->p, word, n);
}

bool co_ld_lex_take(struct ld_lexer *lx, const char *word)
{
    if (!co_ld_lex_is(lx, word))
        return false;
    co_ld_lex_next(lx);
    return true;
}

const char *co_ld_lex_text(struct ld_lexer *lx, const char *from)
{
    size_t n = lx->p > from ? (size_t)(lx->p - from) : 0, used = 0;
    char *text = co_ld_strndup(lx->ld, from, n);
    for (size_t i = 0; i < n; i++) {
        bool space = text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r');
        if (!space || !used || text[used - 1] != ' ')
            text[used++] = space ? ' ' : text[i];
    }
    text[used] = 0;
    return text;
}

void co_ld_lex_expect(struct ld_lexer *lx, const char *word)
{
    if (lx->failed || co_ld_lex_take(lx, word))
        return;
    co_ld_lex_next(lx);
    if (!*lx->tok && !lx->quoted)
        co_ld_lex_fail(lx, "unexpected EOF", "");
    co_ld_lex_fail(lx, co_ld_printf(lx->ld, "%s expected, but got ", word), lx->tok);
}

/* ---- reading -------------------------------------------------------------------------- */

static const struct ld_expr *new3(struct ld_lexer *lx, enum ld_op op, const struct ld_expr *a, const struct ld_expr *b,
                                  const struct ld_expr *c)
{
    struct ld_expr *e = co_ld_alloc(lx->ld, sizeof *e);
    uint16_t depth = a ? a->depth : 0;
    if (b && b->depth > depth)
        depth = b->depth;
    if (c && c->depth > depth)
        depth = c->depth;
    if (depth >= MAX_DEPTH) {
        co_ld_lex_fail(lx, "expression is nested too deeply", "");
        return e;
    }
    *e = (struct ld_expr){ .op = (uint8_t)op, .depth = (uint16_t)(depth + 1), .a = a, .b = b, .c = c,
                           .at = { lx->file, lx->line } };
    return e;
}

const struct ld_expr *co_ld_new_expr(struct ld_lexer *lx, enum ld_op op, const struct ld_expr *a, const struct ld_expr *b)
{
    return new3(lx, op, a, b, NULL);
}

static const struct ld_expr *named(struct ld_lexer *lx, enum ld_op op, const char *name)
{
    struct ld_expr *e = co_ld_alloc(lx->ld, sizeof *e);
    *e = (struct ld_expr){ .op = (uint8_t)op, .depth = 1, .name = name, .at = { lx->file, lx->line } };
    return e;
}

static const struct ld_expr *constant(struct ld_lexer *lx, uint64_t v)
{
    struct ld_expr *e = co_ld_alloc(lx->ld, sizeof *e);
    *e = (struct ld_expr){ .op = EXPR_NUMBER, .depth = 1, .number = v };
    return e;
}

/* 12, 0x1f, 1fH, 12d, 12K, 12M */
static bool number(const char *s, uint64_t *out)
{
    size_t n = strlen(s);
    unsigned base = 10;
    uint64_t v = 0, scale = 1;
    if (n > 2 && s[0] == '0' && (s[1] | 32) == 'x') {
        base = 16;
        s += 2;
        n -= 2;
    } else if (n > 1 && (s[n - 1] | 32) == 'h') {
        base = 16;
        n--;
    } else if (n > 1 && (s[n - 1] | 32) == 'd') {
        n--;
    }
    if (base == 10 && n > 1 && ((s[n - 1] | 32) == 'k' || (s[n - 1] | 32) == 'm'))
        scale = (s[--n] | 32) == 'k' ? 1024 : 1024 * 1024;
    for (size_t i = 0; i < n; i++) {
        unsigned d = (unsigned)(s[i] - '0');
        if (base == 16 && (unsigned)((s[i] | 32) - 'a') < 6u)
            d = (unsigned)((s[i] | 32) - 'a') + 10;
        if (d >= base || v > (UINT64_MAX - d) / base)
            return false;
        v = v * base + d;
    }
    *out = v * scale;
    return n > 0;
}

/* A name in parentheses. */
static const char *name_argument(struct ld_lexer *lx)
{
    co_ld_lex_expect(lx, "(");
    bool was = lx->expr;
    lx->expr = false;
    const char *name = co_ld_lex_next(lx);
    lx->expr = was;
    co_ld_lex_expect(lx, ")");
    return name;
}

static const struct ld_expr *section_function(struct ld_lexer *lx, enum ld_op op)
{
    struct ld *ld = lx->ld;
    const char *name = name_argument(lx);
    if (ld->script && (op == EXPR_ADDR || op == EXPR_LOADADDR)) { /* whose addresses are asked for stays, be it empty */
        struct ld_section_name *n = co_ld_alloc(ld, sizeof *n);
        void **place = co_ld_names_place(ld, &ld->script->addressed, name, strlen(name));
        n->name = name;
        if (!*place)
            *place = n;
    }
    return named(lx, op, name);
}

static const struct ld_expr *one_argument(struct ld_lexer *lx, enum ld_op op)
{
    co_ld_lex_expect(lx, "(");
    const struct ld_expr *a = co_ld_parse_expr(lx);
    co_ld_lex_expect(lx, ")");
    return co_ld_new_expr(lx, op, a, NULL);
}

static const struct ld_expr *two_arguments(struct ld_lexer *lx, enum ld_op op)
{
    co_ld_lex_expect(lx, "(");
    const struct ld_expr *a = co_ld_parse_expr(lx);
    co_ld_lex_expect(lx, ",");
    const struct ld_expr *b = co_ld_parse_expr(lx);
    co_ld_lex_expect(lx, ")");
    return co_ld_new_expr(lx, op, a, b);
}

static const struct ld_expr *align_function(struct ld_lexer *lx)
{
    co_ld_lex_expect(lx, "(");
    const struct ld_expr *a = co_ld_parse_expr(lx);
    if (co_ld_lex_take(lx, ")"))
        return co_ld_new_expr(lx, EXPR_ALIGN, a, NULL);
    co_ld_lex_expect(lx, ",");
    const struct ld_expr *b = co_ld_parse_expr(lx);
    co_ld_lex_expect(lx, ")");
    return co_ld_new_expr(lx, EXPR_ALIGN_OF_VALUE, a, b);
}

const struct ld_expr *co_ld_parse_assert(struct ld_lexer *lx)
{
    co_ld_lex_expect(lx, "(");
    const struct ld_expr *a = co_ld_parse_expr(lx);
    co_ld_lex_expect(lx, ",");
    struct ld_expr *e = (struct ld_expr *)(uintptr_t)co_ld_new_expr(lx, EXPR_ASSERT, a, NULL);
    e->name = co_ld_lex_next(lx);
    co_ld_lex_expect(lx, ")");
    return e;
}

static const struct ld_expr *constant_function(struct ld_lexer *lx)
{
    const char *name = name_argument(lx);
    if (!strcmp(name, "MAXPAGESIZE"))
        return constant(lx, co_ld_load_align(lx->ld));
    if (!strcmp(name, "COMMONPAGESIZE"))
        return constant(lx, co_ld_load_align(lx->ld) == 1 ? 1 : lx->ld->common_page);
    co_ld_lex_fail(lx, "unknown constant: ", name);
    return constant(lx, 0);
}

static const struct ld_expr *segment_start(struct ld_lexer *lx)
{
    co_ld_lex_expect(lx, "(");
    co_ld_lex_next(lx);
    co_ld_lex_expect(lx, ",");
    const struct ld_expr *e = co_ld_parse_expr(lx);
    co_ld_lex_expect(lx, ")");
    return e;
}

/* A function of the language, or NULL. */
static const struct ld_expr *function(struct ld_lexer *lx, const char *word)
{
    static const struct {
        const char *name;
        uint8_t op, kind; /* kind: 1, 2 expressions, 's' section, 'n' name */
    } functions[] = {
        { "ABSOLUTE", EXPR_ABSOLUTE, 1 },
        { "ADDR", EXPR_ADDR, 's' },
        { "ALIGNOF", EXPR_ALIGNOF, 's' },
        { "LOADADDR", EXPR_LOADADDR, 's' },
        { "SIZEOF", EXPR_SIZEOF, 's' },
        { "DATA_SEGMENT_ALIGN", EXPR_DATA_ALIGN, 2 },
        { "DATA_SEGMENT_END", EXPR_DATA_END, 1 },
        { "DATA_SEGMENT_RELRO_END", EXPR_RELRO_END, 2 },
        { "DEFINED", EXPR_DEFINED, 'n' },
        { "LENGTH", EXPR_LENGTH, 'n' },
        { "ORIGIN", EXPR_ORIGIN, 'n' },
        { "LOG2CEIL", EXPR_LOG2CEIL, 1 },
        { "MAX", EXPR_MAX, 2 },
        { "MIN", EXPR_MIN, 2 },
    };
    struct ld_script *script = lx->ld->script;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(word, functions[i].name))
            continue;
        enum ld_op op = (enum ld_op)functions[i].op;
        if (script && op == EXPR_DATA_ALIGN)
            script->data_align = true;
        if (script && op == EXPR_RELRO_END)
            script->relro_end = true;
        switch (functions[i].kind) {
        case 1:
            return one_argument(lx, op);
        case 2:
            return two_arguments(lx, op);
        case 's':
            return section_function(lx, op);
        default:
            return named(lx, op, name_argument(lx));
        }
    }
    if (!strcmp(word, "ALIGN"))
        return align_function(lx);
    if (!strcmp(word, "ASSERT"))
        return co_ld_parse_assert(lx);
    if (!strcmp(word, "CONSTANT"))
        return constant_function(lx);
    if (!strcmp(word, "SEGMENT_START"))
        return segment_start(lx);
    if (!strcmp(word, "SIZEOF_HEADERS"))
        return named(lx, EXPR_SIZEOF_HEADERS, word);
    return NULL;
}

static const struct ld_expr *primary(struct ld_lexer *lx)
{
    if (co_ld_lex_take(lx, "(")) {
        const struct ld_expr *e = co_ld_parse_expr(lx);
        co_ld_lex_expect(lx, ")");
        return e;
    }
    static const struct {
        const char *word;
        uint8_t op;
    } unary[] = { { "-", EXPR_NEGATE }, { "~", EXPR_COMPLEMENT }, { "!", EXPR_NOT } };
    for (size_t i = 0; i < 3; i++)
        if (co_ld_lex_take(lx, unary[i].word))
            return co_ld_new_expr(lx, (enum ld_op)unary[i].op, co_ld_parse_primary(lx), NULL);
    if (co_ld_lex_take(lx, "+"))
        return co_ld_parse_primary(lx);
    const char *word = co_ld_lex_next(lx);
    if (!*word && !lx->quoted) {
        co_ld_lex_fail(lx, "malformed number: ", "");
        return constant(lx, 0);
    }
    if (lx->quoted)
        return named(lx, EXPR_SYMBOL, word);
    if (!strcmp(word, "."))
        return named(lx, EXPR_DOT, word);
    const struct ld_expr *e = function(lx, word);
    uint64_t v;
    if (e)
        return e;
    if (number(word, &v))
        return constant(lx, v);
    if (!letter(*word) || (unsigned)(*word - '0') < 10u) {
        co_ld_lex_fail(lx, "malformed number: ", word);
        return constant(lx, 0);
    }
    return named(lx, EXPR_SYMBOL, word);
}

const struct ld_expr *co_ld_parse_primary(struct ld_lexer *lx)
{
    const struct ld_expr *e;
    if (++lx->depth > MAX_DEPTH) {
        co_ld_lex_fail(lx, "expression is nested too deeply", "");
        e = constant(lx, 0);
    } else {
        e = primary(lx);
    }
    lx->depth--;
    return e;
}

/* Binary operators, weakest first; equal numbers bind alike. */
static const struct {
    const char *word;
    uint8_t op, level;
} binary[] = {
    { "||", EXPR_OR_ELSE, 1 }, { "&&", EXPR_AND_ALSO, 2 }, { "|", EXPR_OR, 3 }, { "^", EXPR_XOR, 4 }, { "&", EXPR_AND, 5 },
    { "==", EXPR_EQ, 6 },      { "!=", EXPR_NE, 6 },       { "<", EXPR_LT, 7 }, { "<=", EXPR_LE, 7 }, { ">", EXPR_GT, 7 },
    { ">=", EXPR_GE, 7 },      { "<<", EXPR_SHL, 8 },      { ">>", EXPR_SHR, 8 }, { "+", EXPR_ADD, 9 }, { "-", EXPR_SUB, 9 },
    { "*", EXPR_MUL, 10 },     { "/", EXPR_DIV, 10 },      { "%", EXPR_MOD, 10 },
};
enum { TOP_LEVEL = 11, BINARY_COUNT = sizeof binary / sizeof *binary };

static const struct ld_expr *operation(struct ld_lexer *lx, unsigned level)
{
    if (level == TOP_LEVEL)
        return co_ld_parse_primary(lx);
    const struct ld_expr *a = operation(lx, level + 1);
    for (size_t i = 0; i < BINARY_COUNT && !lx->failed; i++)
        if (binary[i].level == level && co_ld_lex_take(lx, binary[i].word)) {
            a = co_ld_new_expr(lx, (enum ld_op)binary[i].op, a, operation(lx, level + 1));
            i = SIZE_MAX; /* from the start: left to right */
        }
    return a;
}

const struct ld_expr *co_ld_parse_expr(struct ld_lexer *lx)
{
    bool was = lx->expr;
    lx->expr = true;
    const struct ld_expr *e;
    if (++lx->depth > MAX_DEPTH) {
        co_ld_lex_fail(lx, "expression is nested too deeply", "");
        e = constant(lx, 0);
    } else {
        e = operation(lx, 1);
        if (co_ld_lex_take(lx, "?")) {
            const struct ld_expr *yes = co_ld_parse_expr(lx);
            co_ld_lex_expect(lx, ":");
            e = new3(lx, EXPR_CHOICE, e, yes, co_ld_parse_expr(lx));
        }
    }
    lx->depth--;
    lx->expr = was;
    return e;
}

void co_ld_expr_symbols(struct ld *ld, const struct ld_expr *e, void (*f)(struct ld *ld, const char *name))
{
    if (!e)
        return;
    if (e->op == EXPR_SYMBOL && !e->own)
        f(ld, e->name);
    co_ld_expr_symbols(ld, e->a, f);
    co_ld_expr_symbols(ld, e->b, f);
    co_ld_expr_symbols(ld, e->c, f);
}

/* ---- computing --------------------------------------------------------------------------- */

struct eval {
    struct ld *ld;
    bool final;
};

static void complain(const struct eval *ev, const struct ld_expr *e, const char *what, const char *name)
{
    if (ev->final)
        co_ld_error(ev->ld, "%s:%u: %s%s", e->at.file, e->at.line, what, name);
}

static uint64_t base_of(const struct ld_term *t)
{
    if (t->sec)
        return co_ld_addr(t->sec, t->value) - t->value;
    return t->out ? t->out->addr : 0;
}

uint64_t co_ld_term_value(const struct ld_term *t)
{
    return ld_align(base_of(t) + t->value, t->align);
}

bool co_ld_term_is_number(const struct ld_term *t)
{
    return t->absolute || (!t->sec && !t->out);
}

void co_ld_set_symbol(struct ld_symbol *s, const struct ld_term *t)
{
    bool is_number = co_ld_term_is_number(t);
    s->kind = SYM_DEFINED;
    s->file = NULL;
    s->sec = is_number ? NULL : t->sec;
    s->out = is_number ? NULL : t->out;
    s->value = is_number ? co_ld_term_value(t) : co_ld_term_value(t) - base_of(t);
    s->type = t->sym ? t->sym->type : STT_NOTYPE; /* of an alias */
    s->binding = STB_GLOBAL;
    s->size = 0;
    s->used = true;
    s->defsym = true;
    s->in_discarded = false;
}

static struct ld_term plain(uint64_t v)
{
    return (struct ld_term){ .value = v };
}

static struct ld_term symbol(const struct eval *ev, const struct ld_expr *e)
{
    struct ld_symbol *s = co_ld_find(ev->ld, e->name);
    if (!s || s->kind != SYM_DEFINED) {
        complain(ev, e, "symbol not found: ", e->name);
        return plain(0);
    }
    s->used = true;
    return (struct ld_term){ .value = s->value, .sec = s->sec, .out = s->out, .sym = s };
}

static struct ld_out *output(const struct ld *ld, const char *name)
{
    EACH(i, ld->outs)
        if (!strcmp(ld->outs.items[i]->name, name))
            return ld->outs.items[i];
    return NULL;
}

static struct ld_term eval(const struct eval *ev, const struct ld_expr *e);

static const struct ld_desc *described(const struct ld *ld, const char *name)
{
    EACH(i, ld->script->descs)
        if (!strcmp(ld->script->descs.items[i]->name, name))
            return ld->script->descs.items[i];
    return NULL;
}

static struct ld_term of_section(const struct eval *ev, const struct ld_expr *e)
{
    const struct ld *ld = ev->ld;
    struct ld_out *o = output(ld, e->name);
    /* An output section that would have been empty has size 0. */
    if (!o && e->op == EXPR_SIZEOF)
        return plain(0);
    const struct ld_desc *d = !o && e->op == EXPR_ALIGNOF ? described(ld, e->name) : NULL;
    if (d) {
        struct ld_term align = d->align ? eval(ev, d->align) : plain(1);
        return plain(co_ld_term_value(&align));
    }
    if (!o) {
        complain(ev, e, "undefined section ", e->name);
        return plain(0);
    }
    switch (e->op) {
    case EXPR_ADDR:
        return (struct ld_term){ .out = o };
    case EXPR_LOADADDR:
        return plain(co_ld_load_address(ld, o));
    case EXPR_ALIGNOF:
        return plain(o->align);
    default:
        return plain(o->size);
    }
}

static struct ld_term of_region(const struct eval *ev, const struct ld_expr *e)
{
    const struct ld_region *r = co_ld_find_region(ev->ld, e->name);
    if (!r) {
        complain(ev, e, "memory region not defined: ", e->name);
        return plain(0);
    }
    return plain(e->op == EXPR_ORIGIN ? r->start : r->size);
}

static struct ld_term dot(const struct ld *ld)
{
    const struct ld_script *s = ld->script;
    if (!s)
        return plain(0);
    return s->out ? (struct ld_term){ .value = s->dot - s->out->addr, .out = s->out } : plain(s->dot);
}

static uint64_t alignment(const struct eval *ev, const struct ld_expr *e, uint64_t v)
{
    if (v & (v - 1)) {
        complain(ev, e, "alignment must be power of 2", "");
        return 1;
    }
    return v ? v : 1;
}

/* The place is on the left of what moves it. */
static void swap_number_right(const struct eval *ev, const struct ld_expr *e, struct ld_term *a, struct ld_term *b)
{
    if ((!a->sec && !a->out) || (a->absolute && !co_ld_term_is_number(b))) {
        struct ld_term t = *a;
        *a = *b;
        *b = t;
    }
    if (!co_ld_term_is_number(b))
        complain(ev, e, "at least one side of the expression must be absolute", "");
}

static struct ld_term moved(const struct ld_term *a, uint64_t value)
{
    return (struct ld_term){ .value = value, .sec = a->sec, .out = a->out, .absolute = a->absolute };
}

static struct ld_term arithmetic(const struct eval *ev, const struct ld_expr *e, struct ld_term a, struct ld_term b)
{
    switch (e->op) {
    case EXPR_ADD:
        swap_number_right(ev, e, &a, &b);
        return moved(&a, co_ld_term_value(&a) - base_of(&a) + co_ld_term_value(&b));
    case EXPR_SUB:
        if (!co_ld_term_is_number(&a) && !co_ld_term_is_number(&b))
            return plain(co_ld_term_value(&a) - co_ld_term_value(&b));
        return moved(&a, co_ld_term_value(&a) - base_of(&a) - co_ld_term_value(&b));
    default:
        break;
    }
    swap_number_right(ev, e, &a, &b);
    uint64_t x = co_ld_term_value(&a), y = co_ld_term_value(&b);
    x = e->op == EXPR_AND ? x & y : e->op == EXPR_OR ? x | y : x ^ y;
    return moved(&a, x - base_of(&a));
}

static uint64_t compute(const struct eval *ev, const struct ld_expr *e, uint64_t x, uint64_t y)
{
    switch (e->op) {
    case EXPR_EQ: return x == y;
    case EXPR_NE: return x != y;
    case EXPR_LT: return x < y;
    case EXPR_LE: return x <= y;
    case EXPR_GT: return x > y;
    case EXPR_GE: return x >= y;
    case EXPR_SHL: return x << (y & 63);
    case EXPR_SHR: return x >> (y & 63);
    case EXPR_MUL: return x * y;
    case EXPR_MAX: return x > y ? x : y;
    case EXPR_MIN: return x < y ? x : y;
    default: break;
    }
    if (!y) {
        complain(ev, e, e->op == EXPR_DIV ? "division by zero" : "modulo by zero", "");
        return 0;
    }
    return e->op == EXPR_DIV ? x / y : x % y;
}


static uint64_t value(const struct eval *ev, const struct ld_expr *e)
{
    struct ld_term t = eval(ev, e);
    return co_ld_term_value(&t);
}

static struct ld_term special(const struct eval *ev, const struct ld_expr *e)
{
    struct ld *ld = ev->ld;
    uint64_t here = ld->script ? ld->script->dot : 0;
    struct ld_term t;
    switch (e->op) {
    case EXPR_ABSOLUTE:
        t = eval(ev, e->a);
        t.absolute = true;
        t.sym = NULL;
        return t;
    case EXPR_ALIGN:
    case EXPR_DATA_ALIGN:
        return plain(ld_align(here, alignment(ev, e, value(ev, e->a))));
    case EXPR_ALIGN_OF_VALUE:
        t = eval(ev, e->a);
        t.align = alignment(ev, e, value(ev, e->b));
        t.sym = NULL;
        return t;
    case EXPR_DATA_END:
        return dot(ld);
    case EXPR_RELRO_END:
        return plain(ld_align(here, co_ld_load_align(ld)));
    case EXPR_DEFINED: {
        const struct ld_symbol *s = co_ld_find(ld, e->name);
        return plain(s && s->kind == SYM_DEFINED);
    }
    case EXPR_ASSERT:
        if (!value(ev, e->a) && ev->final && !ld->script->silent)
            co_ld_error_or_warn(ld, "%s", e->name);
        return plain(here);
    case EXPR_LOG2CEIL: {
        uint64_t v = value(ev, e->a), n = 0;
        while (n < 63 && (1ull << n) < v)
            n++;
        return plain(v > 1ull << 63 ? 64 : n);
    }
    default:
        return plain(ld->headers_size);
    }
}

static struct ld_term eval(const struct eval *ev, const struct ld_expr *e)
{
    switch (e->op) {
    case EXPR_NUMBER: return plain(e->number);
    case EXPR_SYMBOL: return symbol(ev, e);
    case EXPR_DOT: return dot(ev->ld);
    case EXPR_NEGATE: return plain(-value(ev, e->a));
    case EXPR_COMPLEMENT: return plain(~value(ev, e->a));
    case EXPR_NOT: return plain(!value(ev, e->a));
    case EXPR_OR_ELSE: return plain(value(ev, e->a) || value(ev, e->b));
    case EXPR_AND_ALSO: return plain(value(ev, e->a) && value(ev, e->b));
    case EXPR_CHOICE: return eval(ev, value(ev, e->a) ? e->b : e->c);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: return arithmetic(ev, e, eval(ev, e->a), eval(ev, e->b));
    case EXPR_ADDR:
    case EXPR_ALIGNOF:
    case EXPR_LOADADDR:
    case EXPR_SIZEOF: return of_section(ev, e);
    case EXPR_MEMBER_ADDR:
    case EXPR_MEMBER_LOAD_END:
    case EXPR_OVERLAY_END: return co_ld_eval_overlay(ev->ld, e);
    case EXPR_LENGTH:
    case EXPR_ORIGIN: return of_region(ev, e);
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
    case EXPR_SHL:
    case EXPR_SHR:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_MOD:
    case EXPR_MAX:
    case EXPR_MIN: {
        uint64_t x = value(ev, e->a);
        return plain(compute(ev, e, x, value(ev, e->b)));
    }
    default: return special(ev, e);
    }
}

struct ld_term co_ld_eval(struct ld *ld, const struct ld_expr *e, bool final)
{
    struct eval ev = { ld, final };
    return eval(&ev, e);
}

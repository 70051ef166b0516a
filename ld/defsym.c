/* SPDX-License-Identifier: MIT
 *
 * ld/defsym.c - --defsym=NAME=EXPRESSION.
 *
 * An expression is a C-like one over numbers (decimal, 0x, with K or M behind)
 * and symbols.  A symbol plus or minus a number stays relative to that symbol's
 * section; the difference of two symbols of one section is a number.  Names
 * that an expression uses pull members from archives.
 */
#include "ld.h"

enum { MAX_DEPTH = 64 };

struct term {
    uint64_t value;
    struct ld_section *sec;
    struct ld_out *out;
    const struct ld_symbol *sym; /* where sec or out is from: type and size of an alias */
};

struct parser {
    struct ld *ld;
    const char *p;
    int depth;
    bool collect; /* first round: only look for names */
    bool failed;
};

static void fail(struct parser *ps, const char *what)
{
    if (!ps->failed)
        co_ld_error(ps->ld, "--defsym:1: %s", what);
    ps->failed = true;
}

static void blank(struct parser *ps)
{
    while (*ps->p == ' ' || *ps->p == '\t')
        ps->p++;
}

static bool name_char(char c, bool first)
{
    return (unsigned)((c | 32) - 'a') < 26u || c == '_' || c == '.' || c == '$' || (!first && (unsigned)(c - '0') < 10u);
}

static struct term expression(struct parser *ps, int level);

static struct term number(struct parser *ps)
{
    struct term t = { 0 };
    unsigned base = 10;
    if (ps->p[0] == '0' && (ps->p[1] | 32) == 'x') {
        base = 16;
        ps->p += 2;
    }
    const char *start = ps->p;
    for (;; ps->p++) {
        unsigned d = (unsigned)(*ps->p - '0');
        if (base == 16 && (unsigned)((*ps->p | 32) - 'a') < 6u)
            d = (unsigned)((*ps->p | 32) - 'a') + 10;
        if (d >= base)
            break;
        t.value = t.value * base + d;
    }
    if (ps->p == start)
        fail(ps, "malformed number");
    if ((*ps->p | 32) == 'k' || (*ps->p | 32) == 'm')
        t.value <<= (*ps->p++ | 32) == 'k' ? 10 : 20;
    return t;
}

static struct term name(struct parser *ps)
{
    struct term t = { 0 };
    const char *start = ps->p;
    while (name_char(*ps->p, false))
        ps->p++;
    struct ld *ld = ps->ld;
    const char *text = co_ld_strndup(ld, start, (size_t)(ps->p - start));
    struct ld_symbol *s = co_ld_find(ld, text);
    if (ps->collect) {
        if (s && s->kind == SYM_LAZY) {
            co_ld_extract(ld, s, "--defsym");
            co_ld_resolve_pending(ld);
        }
        return t;
    }
    if (!s || s->kind != SYM_DEFINED) {
        fail(ps, co_ld_printf(ld, "symbol not found: %s", text));
        return t;
    }
    s->used = true;
    t = (struct term){ s->value, s->sec, s->out, s };
    return t;
}

static struct term primary(struct parser *ps)
{
    struct term t = { 0 };
    blank(ps);
    if (++ps->depth > MAX_DEPTH) {
        fail(ps, "expression is nested too deeply");
        return t;
    }
    char c = *ps->p;
    if (c == '(') {
        ps->p++;
        t = expression(ps, 0);
        blank(ps);
        if (*ps->p == ')')
            ps->p++;
        else
            fail(ps, ") expected");
    } else if (c == '-' || c == '~' || c == '+') {
        ps->p++;
        t = primary(ps);
        t.value = c == '-' ? -t.value : c == '~' ? ~t.value : t.value;
    } else if (c >= '0' && c <= '9') {
        t = number(ps);
    } else if (name_char(c, true)) {
        t = name(ps);
    } else {
        fail(ps, "unexpected end of expression");
    }
    ps->depth--;
    return t;
}

/* Binary operators by level, weakest first. */
static const char *const operators[][3] = { { "|" }, { "^" }, { "&" }, { "<<", ">>" }, { "+", "-" }, { "*", "/", "%" } };
enum { LEVELS = 6 };

static const char *operator_at(struct parser *ps, int level)
{
    blank(ps);
    for (int i = 0; i < 3 && operators[level][i]; i++)
        if (!strncmp(ps->p, operators[level][i], strlen(operators[level][i])))
            return operators[level][i];
    return NULL;
}

static struct term combine(struct parser *ps, struct term a, const char *op, struct term b)
{
    struct term r = { .sec = a.sec, .out = a.out };
    if (*op == '+' && !a.sec && !a.out)
        r = (struct term){ .sec = b.sec, .out = b.out };
    if (*op == '-' && a.sec == b.sec && a.out == b.out)
        r = (struct term){ 0 };
    switch (*op) {
    case '|': r.value = a.value | b.value; break;
    case '^': r.value = a.value ^ b.value; break;
    case '&': r.value = a.value & b.value; break;
    case '<': r.value = b.value < 64 ? a.value << b.value : 0; break;
    case '>': r.value = b.value < 64 ? a.value >> b.value : 0; break;
    case '+': r.value = a.value + b.value; break;
    case '-': r.value = a.value - b.value; break;
    case '*': r.value = a.value * b.value; break;
    default:
        if (!b.value && !ps->collect)
            fail(ps, *op == '/' ? "division by zero" : "modulo by zero");
        r.value = !b.value ? 0 : *op == '/' ? a.value / b.value : a.value % b.value;
    }
    return r;
}

static struct term expression(struct parser *ps, int level)
{
    if (level == LEVELS)
        return primary(ps);
    struct term a = expression(ps, level + 1);
    const char *op;
    while (!ps->failed && (op = operator_at(ps, level))) {
        ps->p += strlen(op);
        a = combine(ps, a, op, expression(ps, level + 1));
    }
    return a;
}

/* round 0 pulls members in, round 1 defines */
static void one(struct ld *ld, const char *text, bool collect)
{
    const char *eq = strchr(text, '=');
    if (!eq || eq == text) {
        if (!collect)
            co_ld_error(ld, "--defsym: syntax error: %s", text);
        return;
    }
    struct parser ps = { .ld = ld, .p = eq + 1, .collect = collect };
    struct term t = expression(&ps, 0);
    blank(&ps);
    const char *name_text = co_ld_strndup(ld, text, (size_t)(eq - text));
    struct ld_symbol *s = co_ld_intern(ld, name_text, (size_t)(eq - text));
    if (collect || ps.failed)
        return;
    if (*ps.p) {
        fail(&ps, co_ld_printf(ld, "unexpected text: %s", ps.p));
        return;
    }
    s->kind = SYM_DEFINED;
    s->file = t.sym ? t.sym->file : NULL;
    s->sec = t.sec;
    s->out = t.out;
    s->value = t.value;
    s->binding = STB_GLOBAL;
    s->type = t.sym ? t.sym->type : STT_NOTYPE; /* of an alias */
    s->size = 0;
    s->used = true;
    s->defsym = true;
    s->in_discarded = false;
}

void co_ld_apply_defsym(struct ld *ld, bool collect)
{
    for (size_t i = 0; i < ld->opt.defsym.count; i++)
        one(ld, ld->opt.defsym.items[i], collect);
}

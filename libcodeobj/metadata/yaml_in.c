/* SPDX-License-Identifier: MIT
 *
 * metadata/yaml_in.c - the YAML of V2 notes into the document tree.
 *
 * Rules: YAML 1.1 as libyaml reads it; LLVM's User Guide for AMDGPU Backend,
 * Code Object V2 Metadata.
 *
 * Plain scalars that read as numbers or booleans become such; quoted ones stay
 * strings.  Anchors and aliases, which no writer of metadata uses, are refused:
 * they are how a small document unfolds into a huge one.
 */
#include <float.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/diag.h"
#include "metadata/metadata.h"

/* A container under construction: children in a list, since their number comes last. */
struct node {
    struct codeobj_value value;
    struct node *next;
};

struct frame {
    struct node *node, *first, **tail;
    size_t count;
};

struct reader {
    yaml_parser_t parser;
    struct co_arena *arena;
    const char *where;
    struct codeobj_diag *diag;
    struct frame stack[CO_METADATA_DEPTH];
    unsigned depth;
    struct node *root;
    locale_t c_locale; /* numbers have a dot, whatever the program around the library has set */
};

static int digit_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

bool co_yaml_integer(const char *s, size_t n, struct codeobj_value *out)
{
    const char *end = s + n;
    bool negative = n && *s == '-';
    s += negative;
    uint64_t base = 10, v = 0;
    if (end - s > 1 && s[0] == '0') {
        char kind = s[1] | 0x20; /* in lower case */
        base = kind == 'x' ? 16 : kind == 'b' ? 2 : 8;
        s += kind == 'x' || kind == 'b' || s[1] == 'o' ? 2 : 1;
    }
    if (s == end)
        return false;
    for (; s < end; s++) {
        uint64_t digit = (uint64_t)digit_value(*s);
        if (digit >= base || v > (UINT64_MAX - digit) / base)
            return false;
        v = v * base + digit;
    }
    if (negative && v > (uint64_t)INT64_MAX + 1)
        return false;
    if (negative && v) {
        out->kind = CODEOBJ_VALUE_INT;
        out->sint = v > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)v;
    } else {
        out->kind = CODEOBJ_VALUE_UINT;
        out->uint = v;
    }
    return true;
}

/* Words such as "inf" and "nan" stay names. */
static bool plain_float(const char *s, locale_t c_locale, struct codeobj_value *out)
{
    const char *p = s + (*s == '-' || *s == '+');
    char *end;
    if (digit_value(p[*p == '.']) > 9)
        return false;
    double v = strtod_l(s, &end, c_locale);
    if (*end)
        return false;
    out->kind = CODEOBJ_VALUE_FLOAT;
    out->real = v;
    out->size = v >= -FLT_MAX && v <= FLT_MAX && (double)(float)v == v ? 4 : 8; /* bytes it takes as MessagePack */
    return true;
}

static bool plain_number(const char *s, size_t n, locale_t c_locale, struct codeobj_value *out)
{
    return n && n < 400 && strlen(s) == n && (co_yaml_integer(s, n, out) || plain_float(s, c_locale, out));
}

static bool scalar_is(const yaml_event_t *e, const char *text)
{
    return e->data.scalar.length == strlen(text) && !memcmp(e->data.scalar.value, text, e->data.scalar.length);
}

static bool fill_scalar(struct reader *r, const yaml_event_t *e, struct codeobj_value *out)
{
    const char *s = (const char *)e->data.scalar.value;
    size_t n = e->data.scalar.length;
    if (e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
        if (plain_number(s, n, r->c_locale, out))
            return true;
        if (scalar_is(e, "true") || scalar_is(e, "false")) {
            out->kind = CODEOBJ_VALUE_BOOL;
            out->boolean = *s == 't';
            return true;
        }
    }
    out->kind = CODEOBJ_VALUE_STRING;
    out->size = n;
    out->bytes = co_arena_strndup(r->arena, s, n);
    return out->bytes != NULL;
}

static enum codeobj_status bad(struct reader *r, const yaml_mark_t *mark, const char *problem)
{
    return co_fail_at(r->diag, CODEOBJ_MALFORMED, r->where, mark->index, "YAML line %zu: %s", mark->line + 1, problem);
}

static struct node *add_node(struct reader *r)
{
    struct node *n = co_arena_alloc(r->arena, sizeof *n);
    if (n && r->depth) {
        struct frame *f = &r->stack[r->depth - 1];
        *f->tail = n;
        f->tail = &n->next;
        f->count++;
    } else if (n) {
        r->root = n;
    }
    return n;
}

static enum codeobj_status open_container(struct reader *r, const yaml_event_t *e, enum codeobj_value_kind kind)
{
    if (r->depth == CO_METADATA_DEPTH)
        return bad(r, &e->start_mark, "containers nest too deep");
    struct node *n = add_node(r);
    if (!n)
        return co_no_memory(r->diag);
    n->value.kind = kind;
    struct frame *f = &r->stack[r->depth++];
    *f = (struct frame){ .node = n };
    f->tail = &f->first;
    return CODEOBJ_OK;
}

static enum codeobj_status close_container(struct reader *r)
{
    struct frame *f = &r->stack[--r->depth];
    struct codeobj_value *items = co_arena_array(r->arena, f->count, sizeof *items);
    if (!items)
        return co_no_memory(r->diag);
    size_t i = 0;
    for (struct node *n = f->first; n; n = n->next)
        items[i++] = n->value;
    f->node->value.items = items;
    f->node->value.size = f->node->value.kind == CODEOBJ_VALUE_MAP ? f->count / 2 : f->count;
    return CODEOBJ_OK;
}

static enum codeobj_status take_event(struct reader *r, const yaml_event_t *e)
{
    struct node *n;
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        n = add_node(r);
        return n && fill_scalar(r, e, &n->value) ? CODEOBJ_OK : co_no_memory(r->diag);
    case YAML_SEQUENCE_START_EVENT:
        return open_container(r, e, CODEOBJ_VALUE_ARRAY);
    case YAML_MAPPING_START_EVENT:
        return open_container(r, e, CODEOBJ_VALUE_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_container(r);
    case YAML_ALIAS_EVENT:
        return bad(r, &e->start_mark, "aliases are not part of metadata");
    default:
        return CODEOBJ_OK;
    }
}

static enum codeobj_status read_document(struct reader *r)
{
    for (bool done = false; !done;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&r->parser, &event)) {
            if (r->parser.error == YAML_MEMORY_ERROR)
                return co_no_memory(r->diag);
            return bad(r, &r->parser.problem_mark, r->parser.problem ? r->parser.problem : "cannot be read");
        }
        done = event.type == YAML_DOCUMENT_END_EVENT || event.type == YAML_STREAM_END_EVENT;
        enum codeobj_status st = take_event(r, &event);
        yaml_event_delete(&event);
        if (st)
            return st;
    }
    return r->root ? CODEOBJ_OK : co_fail_at(r->diag, CODEOBJ_MALFORMED, r->where, 0, "YAML document is empty");
}

enum codeobj_status co_yaml_parse(struct co_arena *arena, struct co_span text, const char *where, struct codeobj_value **out,
                                  struct codeobj_diag *diag)
{
    struct reader *r = calloc(1, sizeof *r);
    if (!r)
        return co_no_memory(diag);
    r->arena = arena;
    r->where = where;
    r->diag = diag;
    enum codeobj_status st;
    r->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (r->c_locale && yaml_parser_initialize(&r->parser)) {
        yaml_parser_set_input_string(&r->parser, text.data, text.size);
        st = read_document(r);
        yaml_parser_delete(&r->parser);
    } else {
        st = co_no_memory(diag);
    }
    if (!st)
        *out = &r->root->value;
    if (r->c_locale)
        freelocale(r->c_locale);
    free(r);
    return st;
}

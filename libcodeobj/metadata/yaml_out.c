/* SPDX-License-Identifier: MIT
 *
 * metadata/yaml_out.c - a document as YAML, as LLVM's readelf prints it.
 *
 * Rules: YAML 1.2 plain, single- and double-quoted styles; layout, quoting and
 * key order are those that llvm-readelf 22 shows, so that texts can be compared.
 *
 * What surprises there: keys are sorted (numbers before strings) and padded to
 * 16 columns; a string that would read back as another type gets the tag !str;
 * an empty sequence inside a sequence stands at the left margin; floating-point
 * numbers have six decimals.  Bytes that are not UTF-8 become U+FFFD one by one
 * (LLVM drops the rest of the string).  A V2 document is shown as it is stored.
 */
#include <codeobj/metadata.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "metadata/metadata.h"

enum { KEY_COLUMNS = 16 };
enum quoting { PLAIN, SINGLE, DOUBLE };

/* ---- what a plain scalar would read back as --------------------------------------- */

static bool one_of(const char *s, size_t n, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == n && !memcmp(*words, s, n))
            return true;
    return false;
}

static size_t span_digits(const char *s, size_t n, const char *digits)
{
    size_t i = 0;
    while (i < n && s[i] && strchr(digits, s[i]))
        i++;
    return i;
}

static const char DECIMAL[] = "0123456789", HEX[] = "0123456789abcdefABCDEF";

/* [eE][+-]?digits, all of it. */
static bool is_exponent(const char *s, size_t n, const char *letters)
{
    if (n < 2 || !strchr(letters, s[0]) || !s[0])
        return false;
    size_t sign = s[1] == '+' || s[1] == '-';
    return n > 1 + sign && span_digits(s + 1 + sign, n - 1 - sign, DECIMAL) == n - 1 - sign;
}

/* Digits with a dot and an exponent where allowed; at least one digit. */
static bool is_real(const char *s, size_t n, const char *digits, const char *exponent)
{
    size_t whole = span_digits(s, n, digits), fraction = 0, at = whole;
    if (at < n && s[at] == '.') {
        fraction = span_digits(s + at + 1, n - at - 1, digits);
        at += 1 + fraction;
    }
    return whole + fraction > 0 && (at == n || is_exponent(s + at, n - at, exponent));
}

/* Numbers of the YAML core schema: these are quoted when they are strings. */
static bool is_core_number(const char *s, size_t n)
{
    static const char *const nan[] = { ".nan", ".NaN", ".NAN", NULL }, *const inf[] = { ".inf", ".Inf", ".INF", NULL };
    if (one_of(s, n, nan))
        return true;
    size_t sign = n && (*s == '-' || *s == '+');
    if (one_of(s + sign, n - sign, inf))
        return true;
    if (n >= 2 && s[0] == '0' && (s[1] == 'o' || s[1] == 'x'))
        return n > 2 && span_digits(s + 2, n - 2, s[1] == 'o' ? "01234567" : HEX) == n - 2;
    return is_real(s + sign, n - sign, DECIMAL, "eE");
}

static bool starts_with_word(const char *s, size_t n, const char *word)
{
    for (; *word; word++, s++, n--)
        if (!n || (*s | 0x20) != *word)
            return false;
    return true;
}

/* What strtod accepts as a whole, the empty string included; it stops at a NUL. */
static bool is_read_as_float(const char *s, size_t n)
{
    n = strnlen(s, n);
    if (!n)
        return true;
    while (n && strchr(" \t\n\v\f\r", *s) && *s)
        s++, n--;
    if (n && (*s == '-' || *s == '+'))
        s++, n--;
    if (starts_with_word(s, n, "inf"))
        return n == 3 || (n == 8 && starts_with_word(s, n, "infinity"));
    if (starts_with_word(s, n, "nan"))
        return n == 3;
    if (n > 2 && s[0] == '0' && (s[1] | 0x20) == 'x')
        return is_real(s + 2, n - 2, HEX, "pP");
    return is_real(s, n, DECIMAL, "eE");
}

/* Most strings are words or names: one look at the first byte settles that they are no number. */
static bool may_be_number(const char *s, size_t n)
{
    return !n || (unsigned char)s[0] < 'A' || (s[0] | 0x20) == 'i' || (s[0] | 0x20) == 'n';
}

static bool needs_string_tag(const char *s, size_t n)
{
    if (!may_be_number(s, n) && s[0] != 't' && s[0] != 'f')
        return false;
    static const char *const booleans[] = { "true", "false", NULL };
    struct codeobj_value integer;
    return co_yaml_integer(s, n, &integer) || one_of(s, n, booleans) || is_read_as_float(s, n);
}

/* ---- quoting -------------------------------------------------------------------------- */

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Letters, digits, tab and "_-^., ". */
static bool is_plain(unsigned char c)
{
    static const uint32_t plain[4] = { 1u << 9, 1u | 1u << 12 | 1u << 13 | 1u << 14 | 0x3ffu << 16, 0xc7fffffe, 0x07fffffe };
    return c < 128 && plain[c / 32] >> c % 32 & 1;
}

static enum quoting quoting_of(const char *s, size_t n, bool keep_string)
{
    static const char *const words[] = { "null", "Null", "NULL", "~", "true", "True", "TRUE", "false", "False", "FALSE", NULL };
    if (!n)
        return SINGLE;
    enum quoting q = PLAIN;
    bool is_name = s[0] == '.' || (s[0] >= 'A' && s[0] <= 'Z') || s[0] == '_' || (s[0] >= 'a' && s[0] <= 'z');
    if (is_space(s[0]) || is_space(s[n - 1]) || (!is_name && s[0] && strchr("-?:\\,[]{}#&*!|>'\"%@`", s[0])))
        q = SINGLE;
    if (keep_string && ((n <= 5 && strchr("nNtTfF~", s[0]) && one_of(s, n, words)) || (may_be_number(s, n) && is_core_number(s, n))))
        q = SINGLE;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (is_plain(c))
            continue;
        if (c < 0x20 || c >= 0x7f)
            return DOUBLE;
        q = SINGLE;
    }
    return q;
}

/* Length of the UTF-8 sequence at s and its code point; 0 when there is none. */
static size_t decode_utf8(const char *s, size_t n, uint32_t *cp)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *p = (const unsigned char *)s;
    size_t len = p[0] < 0x80 ? 1 : (p[0] & 0xe0) == 0xc0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : (p[0] & 0xf8) == 0xf0 ? 4 : 0;
    if (!len || len > n)
        return 0;
    uint32_t v = len == 1 ? p[0] : p[0] & (0x7fu >> len);
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        v = v << 6 | (p[i] & 0x3f);
    }
    if (v < least[len] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
        return 0;
    *cp = v;
    return len;
}

/* Code points that a terminal should not get raw: controls, separators, private use, non-characters. */
static bool is_unprintable(uint32_t cp)
{
    return cp < 0xa0 || cp == 0xad || (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) ||
           (cp >= 0x2060 && cp <= 0x206f) || (cp >= 0xe000 && cp <= 0xf8ff) || cp == 0xfeff || (cp >= 0xfdd0 && cp <= 0xfdef) ||
           (cp & 0xfffe) == 0xfffe || cp >= 0xe0000;
}

static void put_code_point(struct co_buffer *b, uint32_t cp, const char *raw, size_t len)
{
    if (cp == 0x85)
        co_buffer_text(b, "\\N");
    else if (cp == 0xa0)
        co_buffer_text(b, "\\_");
    else if (cp == 0x2028)
        co_buffer_text(b, "\\L");
    else if (cp == 0x2029)
        co_buffer_text(b, "\\P");
    else if (!is_unprintable(cp))
        co_buffer_add(b, raw, len);
    else if (cp <= 0xff)
        co_buffer_format(b, "\\x%02" PRIX32, cp);
    else if (cp <= 0xffff)
        co_buffer_format(b, "\\u%04" PRIX32, cp);
    else
        co_buffer_format(b, "\\U%08" PRIX32, cp);
}

static void put_double_quoted(struct co_buffer *b, const char *s, size_t n)
{
    static const char escapes[] = "0......abtnvfr.............e...";
    co_buffer_byte(b, '"');
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)s[i];
        uint32_t cp;
        size_t len = 1;
        if (c == '\\' || c == '"')
            co_buffer_format(b, "\\%c", c);
        else if (c < 0x20 && escapes[c] != '.' && escapes[c])
            co_buffer_format(b, "\\%c", escapes[c]);
        else if (c < 0x20)
            co_buffer_format(b, "\\x%02X", c);
        else if (c < 0x80)
            co_buffer_byte(b, c);
        else if ((len = decode_utf8(s + i, n - i, &cp)))
            put_code_point(b, cp, s + i, len);
        else {
            co_buffer_text(b, "\xef\xbf\xbd");
            len = 1;
        }
        i += len;
    }
    co_buffer_byte(b, '"');
}

static void put_string(struct co_buffer *b, const char *s, size_t n, enum quoting quoting)
{
    switch (quoting) {
    case PLAIN:
        co_buffer_add(b, s, n);
        return;
    case SINGLE:
        co_buffer_byte(b, '\'');
        for (size_t i = 0; i < n; i++) {
            if (s[i] == '\'')
                co_buffer_byte(b, '\'');
            co_buffer_byte(b, (uint8_t)s[i]);
        }
        co_buffer_byte(b, '\'');
        return;
    case DOUBLE:
        put_double_quoted(b, s, n);
    }
}

/* ---- layout ------------------------------------------------------------------------------ */

/* A container being written and whether its first entry is still to come or being written. */
struct level {
    bool sequence, first;
};

enum { QUOTING_SLOTS = 256, KEY_SLOTS = 64, KEY_LINE = 64 };

/* From the line break in front of a key, which is not the first of its map, to the value's column. */
struct key_line {
    const char *key;
    uint8_t depth, size, spaces; /* the last of size bytes */
    char text[KEY_LINE];
};

struct writer {
    struct co_buffer out;
    /* Keys and kinds are strings that repeat, kept once by the reader: how one was written last time. */
    struct {
        const char *text;
        bool keep_string;
        uint8_t quoting;
    } quotings[QUOTING_SLOTS];
    struct key_line key_lines[KEY_SLOTS]; /* the same keys stand in map after map */
    struct level levels[CO_METADATA_DEPTH + 2];
    unsigned depth;
    /* What stands between the last thing written and the next: a line break, or some spaces. */
    bool line_break;
    unsigned spaces;
    codeobj_metadata_text write; /* takes what is ready; NULL: out keeps all */
    void *user;
    bool ended;                  /* write() wants no more */
};

enum { PIECE = 32 * 1024 };

static void hand_over(struct writer *w)
{
    if (w->write && w->out.size && !w->ended && !w->out.failed)
        w->ended = !w->write(w->user, (const char *)w->out.data, w->out.size);
    if (w->write)
        w->out.size = 0;
}

enum { BLANKS = 32 };

static inline void put_blanks(struct co_buffer *b, unsigned count)
{
    if (count <= BLANKS && co_buffer_reserve(b, BLANKS)) {
        memcpy(b->data + b->size, "                                ", BLANKS); /* count of them stay */
        b->size += count;
    } else {
        co_buffer_fill(b, ' ', count);
    }
}

/* Ends the line if one is due and indents the next.  A value on a new line is led
 * by one dash for each sequence that begins there. */
static void settle(struct writer *w, bool at_margin)
{
    if (!w->line_break) {
        put_blanks(&w->out, w->spaces);
        w->spaces = 0;
        return;
    }
    w->line_break = false;
    w->spaces = 0;
    if (!w->depth || at_margin) {
        co_buffer_byte(&w->out, '\n');
        return;
    }
    unsigned indent = w->depth - 1, dashes = 0, i = w->depth;
    const struct level *top = &w->levels[w->depth - 1];
    if (!top->sequence && !top->first && 2 * indent < BLANKS) { /* most lines: a key that is not the first */
        if (co_buffer_reserve(&w->out, 1 + BLANKS)) {
            w->out.data[w->out.size++] = '\n';
            put_blanks(&w->out, 2 * indent);
        }
        return;
    }
    bool in_sequence = top->sequence;
    if (in_sequence)
        indent++;
    else if (top->first)
        i--;
    for (; (in_sequence || top->first) && i; i--) {
        if (w->levels[i - 1].sequence)
            dashes++;
        if (!w->levels[i - 1].sequence || !w->levels[i - 1].first)
            break;
    }
    unsigned blanks = indent > dashes ? 2 * (indent - dashes) : 0;
    if (!co_buffer_reserve(&w->out, 1 + blanks + 2 * (size_t)dashes))
        return;
    char *p = (char *)w->out.data + w->out.size;
    *p++ = '\n';
    for (unsigned n = 0; n < blanks; n++)
        *p++ = ' ';
    for (unsigned n = 0; n < dashes; n++) {
        *p++ = '-';
        *p++ = ' ';
    }
    w->out.size = (size_t)(p - (char *)w->out.data);
}

/* A string of the document, which stays where it is while this writer lives. */
static void put_kept_string(struct writer *w, const char *s, size_t n, bool keep_string)
{
    size_t slot = (size_t)((uintptr_t)s >> 4) % QUOTING_SLOTS;
    if (w->quotings[slot].text != s || w->quotings[slot].keep_string != keep_string) {
        w->quotings[slot].text = s;
        w->quotings[slot].keep_string = keep_string;
        w->quotings[slot].quoting = (uint8_t)quoting_of(s, n, keep_string);
    }
    if (w->quotings[slot].quoting != PLAIN) {
        put_string(&w->out, s, n, (enum quoting)w->quotings[slot].quoting);
    } else if (co_buffer_reserve(&w->out, n)) {
        co_copy_short(w->out.data + w->out.size, (const uint8_t *)s, n);
        w->out.size += n;
    }
}

/* As "%e" in the C locale: the one that the program around the library has set may put anything for the dot. */
static size_t format_real(char *out, size_t size, double v)
{
    size_t n = (size_t)snprintf(out, size, "%e", v);
    if (!isfinite(v))
        return n;
    char *dot = out + (out[0] == '-') + 1;
    size_t len = strcspn(dot, DECIMAL);
    *dot = '.';
    memmove(dot + 1, dot + len, n - (size_t)(dot + len - out) + 1);
    return n - len + 1;
}

static void put_scalar(struct writer *w, const struct codeobj_value *v)
{
    char number[32];
    settle(w, false);
    switch (v->kind) {
    case CODEOBJ_VALUE_BOOL:
        co_buffer_text(&w->out, v->boolean ? "true" : "false");
        break;
    case CODEOBJ_VALUE_UINT: {
        if (v->uint < 10) { /* most are */
            co_buffer_byte(&w->out, (uint8_t)('0' + v->uint));
            break;
        }
        char digits[24];
        size_t n = 0;
        uint64_t rest = v->uint;
        do
            digits[sizeof digits - ++n] = (char)('0' + rest % 10);
        while (rest /= 10);
        co_buffer_add(&w->out, digits + sizeof digits - n, n);
        break;
    }
    case CODEOBJ_VALUE_INT:
        co_buffer_format(&w->out, "%" PRId64, v->sint);
        break;
    case CODEOBJ_VALUE_FLOAT:
        if (isnan(v->real))
            co_buffer_text(&w->out, "nan");
        else if (isinf(v->real))
            co_buffer_text(&w->out, v->real < 0 ? "-INF" : "INF");
        else
            co_buffer_add(&w->out, number, format_real(number, sizeof number, v->real));
        break;
    case CODEOBJ_VALUE_STRING:
        if (needs_string_tag(v->bytes, v->size))
            co_buffer_text(&w->out, "!str ");
        put_kept_string(w, v->bytes, v->size, true);
        break;
    case CODEOBJ_VALUE_BINARY:
        co_buffer_text(&w->out, "!hex '");
        for (size_t i = 0; i < v->size; i++)
            co_buffer_format(&w->out, "%02x", (uint8_t)v->bytes[i]);
        co_buffer_text(&w->out, "'");
        break;
    default:
        co_buffer_text(&w->out, "!nil ''");
    }
    w->line_break = true;
}

/* Order of keys: by kind, then by value. */
static int compare_values(const struct codeobj_value *x, const struct codeobj_value *y)
{
    static const uint8_t rank[] = {
        [CODEOBJ_VALUE_INT] = 0, [CODEOBJ_VALUE_UINT] = 1, [CODEOBJ_VALUE_NIL] = 2, [CODEOBJ_VALUE_BOOL] = 3,
        [CODEOBJ_VALUE_FLOAT] = 4, [CODEOBJ_VALUE_STRING] = 5, [CODEOBJ_VALUE_BINARY] = 6, [CODEOBJ_VALUE_ARRAY] = 7,
        [CODEOBJ_VALUE_MAP] = 8,
    };
    if (x->kind != y->kind)
        return rank[x->kind] < rank[y->kind] ? -1 : 1;
    switch (x->kind) {
    case CODEOBJ_VALUE_INT: return (x->sint > y->sint) - (x->sint < y->sint);
    case CODEOBJ_VALUE_UINT: return (x->uint > y->uint) - (x->uint < y->uint);
    case CODEOBJ_VALUE_BOOL: return x->boolean - y->boolean;
    case CODEOBJ_VALUE_FLOAT: return (x->real > y->real) - (x->real < y->real);
    case CODEOBJ_VALUE_STRING:
    case CODEOBJ_VALUE_BINARY: {
        size_t n = x->size < y->size ? x->size : y->size;
        for (size_t i = 0; i < n && i < 4; i++) /* keys differ early */
            if (x->bytes[i] != y->bytes[i])
                return (unsigned char)x->bytes[i] < (unsigned char)y->bytes[i] ? -1 : 1;
        int c = memcmp(x->bytes, y->bytes, n);
        return c ? c : (x->size > y->size) - (x->size < y->size);
    }
    default: return 0;
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const struct codeobj_value *x = *(const struct codeobj_value *const *)a, *y = *(const struct codeobj_value *const *)b;
    int c = compare_values(x, y);
    return c ? c : x < y ? -1 : 1;
}

static void put_key(struct writer *w, const struct codeobj_value *key)
{
    char number[32];
    const char *s = number;
    size_t n = 0;
    settle(w, false);
    switch (key->kind) {
    case CODEOBJ_VALUE_STRING: s = key->bytes; n = strlen(s); break;
    case CODEOBJ_VALUE_UINT: n = (size_t)snprintf(number, sizeof number, "%" PRIu64, key->uint); break;
    case CODEOBJ_VALUE_INT: n = (size_t)snprintf(number, sizeof number, "%" PRId64, key->sint); break;
    case CODEOBJ_VALUE_BOOL: n = (size_t)snprintf(number, sizeof number, "%s", key->boolean ? "true" : "false"); break;
    case CODEOBJ_VALUE_FLOAT: n = format_real(number, sizeof number, key->real); break;
    default: break;
    }
    if (key->kind == CODEOBJ_VALUE_STRING)
        put_kept_string(w, s, n, false);
    else
        put_string(&w->out, s, n, quoting_of(s, n, false));
    co_buffer_byte(&w->out, ':');
    w->spaces = n < KEY_COLUMNS ? KEY_COLUMNS - (unsigned)n : 1;
}

static void put_value(struct writer *w, const struct codeobj_value *v);

/* put_key() of a string that is not the first key of its map, kept for the next map that has it. */
static void put_next_key(struct writer *w, const struct codeobj_value *key)
{
    struct key_line *line = &w->key_lines[(uintptr_t)key->bytes / 16 % KEY_SLOTS];
    if (line->key == key->bytes && line->depth == w->depth) {
        if (co_buffer_reserve(&w->out, KEY_LINE)) {
            memcpy(w->out.data + w->out.size, line->text, KEY_LINE); /* size of them stay */
            w->out.size += line->size - line->spaces;
            w->spaces = line->spaces;
            w->line_break = false;
        }
        return;
    }
    size_t before = w->out.size;
    put_key(w, key);
    size_t size = w->out.size - before;
    if (w->out.failed || size + w->spaces > KEY_LINE)
        return;
    *line = (struct key_line){ key->bytes, (uint8_t)w->depth, (uint8_t)(size + w->spaces), (uint8_t)w->spaces, "" };
    memset(line->text, ' ', KEY_LINE);
    memcpy(line->text, w->out.data + before, size);
}

static void put_pair(struct writer *w, const struct codeobj_value *pair)
{
    if (w->ended)
        return;
    if (pair->kind == CODEOBJ_VALUE_STRING && !w->levels[w->depth - 1].first)
        put_next_key(w, pair);
    else
        put_key(w, pair);
    put_value(w, pair + 1);
    if (w->out.size >= PIECE)
        hand_over(w);
    w->levels[w->depth - 1].first = false;
}

static void put_unsorted_map(struct writer *w, const struct codeobj_value *v)
{
    const struct codeobj_value **pairs = malloc(v->size * sizeof *pairs);
    if (!pairs) {
        w->out.failed = true;
        return;
    }
    for (size_t i = 0; i < v->size; i++)
        pairs[i] = &v->items[2 * i];
    qsort(pairs, v->size, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < v->size; i++) /* of equal keys the last one counts */
        if (i + 1 == v->size || compare_values(pairs[i], pairs[i + 1]))
            put_pair(w, pairs[i]);
    free(pairs);
}

static void put_map(struct writer *w, const struct codeobj_value *v)
{
    bool sorted = true; /* as compilers write them */
    for (size_t i = 1; sorted && i < v->size; i++)
        sorted = compare_values(&v->items[2 * i - 2], &v->items[2 * i]) < 0;
    if (!sorted) {
        put_unsorted_map(w, v);
        return;
    }
    for (size_t i = 0; i < v->size; i++)
        put_pair(w, &v->items[2 * i]);
}

/* Depth is bounded by the readers. */
static void put_value(struct writer *w, const struct codeobj_value *v)
{
    if (v->kind != CODEOBJ_VALUE_ARRAY && v->kind != CODEOBJ_VALUE_MAP) {
        put_scalar(w, v);
        return;
    }
    bool sequence = v->kind == CODEOBJ_VALUE_ARRAY;
    w->levels[w->depth++] = (struct level){ .sequence = sequence, .first = true };
    if (!v->size) {
        settle(w, sequence);
        co_buffer_text(&w->out, sequence ? "[]" : "{}");
        w->line_break = true;
    } else {
        w->line_break = true;
        if (!sequence)
            put_map(w, v);
        for (size_t i = 0; sequence && i < v->size && !w->ended; i++) {
            put_value(w, &v->items[i]);
            if (w->out.size >= PIECE)
                hand_over(w);
            w->levels[w->depth - 1].first = false;
        }
    }
    w->depth--;
}

static void put_document(struct writer *w, const struct codeobj_metadata *m)
{
    if (m->text) {
        co_buffer_add(&w->out, m->text, m->text_size);
        return;
    }
    co_buffer_text(&w->out, "---");
    w->line_break = true;
    put_value(w, m->root);
    co_buffer_text(&w->out, "\n...\n");
}

enum codeobj_status codeobj_metadata_write_yaml(const struct codeobj_metadata *m, codeobj_metadata_text write, void *user,
                                                struct codeobj_diag *diag)
{
    if (m->text) { /* there already */
        if (m->text_size)
            write(user, m->text, m->text_size);
        return CODEOBJ_OK;
    }
    struct writer w = { .write = write, .user = user };
    put_document(&w, m);
    hand_over(&w);
    bool failed = w.out.failed;
    co_buffer_free(&w.out);
    return failed ? co_no_memory(diag) : CODEOBJ_OK;
}

enum codeobj_status codeobj_metadata_to_yaml(const struct codeobj_metadata *m, char **out, size_t *size, struct codeobj_diag *diag)
{
    struct writer w = { 0 };
    put_document(&w, m);
    co_buffer_byte(&w.out, 0);
    if (w.out.failed) {
        co_buffer_free(&w.out);
        return co_no_memory(diag);
    }
    *out = (char *)w.out.data;
    *size = w.out.size - 1;
    return CODEOBJ_OK;
}

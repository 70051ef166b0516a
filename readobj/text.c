/* SPDX-License-Identifier: MIT
 *
 * readobj/text.c - messages, and bytes of a file as text and JSON.
 *
 * Names in a file can hold anything.  Printed, a control character or a byte
 * that is not part of valid UTF-8 becomes \xNN, in text and JSON alike.
 */
#include "readobj.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* libiberty's demangle.h is not installed everywhere; these two have not changed since it was written. */
typedef void (*demangle_callback)(const char *text, size_t size, void *user);
extern int cplus_demangle_v3_callback(const char *mangled, int options, demangle_callback callback, void *user);
extern int rust_demangle_callback(const char *mangled, int options, demangle_callback callback, void *user);
#define DMGL_PARAMS 1
#define DMGL_ANSI 2

static void message(struct ro *ro, const char *kind, const char *fmt, va_list ap)
{
    FILE *to = ro->messages ? ro->messages : stderr;
    if (ro->line_size)
        ro_flush_lines(ro);
    if (!ro->messages)
        fflush(stdout);
    fprintf(to, "amdreadobj: %s: ", kind);
    vfprintf(to, fmt, ap);
    fputc('\n', to);
}

void ro_error(struct ro *ro, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    message(ro, "error", fmt, ap);
    va_end(ap);
    ro->failed = true;
}

void ro_warning(struct ro *ro, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    message(ro, "warning", fmt, ap);
    va_end(ap);
}

void ro_diag(struct ro *ro, const char *name, const struct codeobj_diag *diag)
{
    char text[1024];
    codeobj_diag_format(diag, text, sizeof text);
    if (diag->file[0] || !name)
        ro_error(ro, "%s", text);
    else
        ro_error(ro, "%s: %s", name, text);
}

/* Length of the well-formed UTF-8 sequence at s, 0 when there is none.
 * Control characters (C0, DEL, C1) count as none. */
static size_t utf8_length(const unsigned char *s, size_t size)
{
    static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
    if (s[0] < 0x80)
        return s[0] >= 0x20 && s[0] != 0x7f;
    size_t n = s[0] >= 0xf0 && s[0] < 0xf8 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc0 ? 2 : 0;
    if (n == 0 || s[0] >= 0xf8 || n > size)
        return 0;
    uint32_t c = s[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || c < 0xa0)
        return 0;
    return n;
}

/* Are these eight bytes from 0x20 to 0x7e? */
static bool eight_clean(const unsigned char *s)
{
    const uint64_t ones = 0x0101010101010101, tops = ones << 7;
    uint64_t v;
    memcpy(&v, s, 8);
    return !((v | (((v | tops) - ones * 0x20) ^ tops) | ((v & ~tops) + ones)) & tops);
}

/* Length of the longest run that needs no escape. */
static size_t clean_run(const unsigned char *s, size_t size)
{
    size_t i = 0;
    for (;;) {
        while (size - i >= 8 && eight_clean(s + i))
            i += 8;
        if (size - i < 8 && size >= 8 && eight_clean(s + size - 8)) /* the rest, and some before it again */
            return size;
        while (i < size && s[i] >= 0x20 && s[i] < 0x7f)
            i++;
        if (i == size)
            break;
        size_t n = utf8_length(s + i, size - i);
        if (n == 0)
            break;
        i += n;
    }
    return i;
}

/* ---- lines ---- */

static void to_file(struct ro *ro, const char *s, size_t n)
{
    fwrite_unlocked(s, 1, n, ro->out);
}

void ro_put_long(struct ro *ro, const char *s, size_t n)
{
    ro_flush_lines(ro);
    if (n > sizeof ro->line) {
        to_file(ro, s, n);
        return;
    }
    memcpy(ro->line, s, n);
    ro->line_size = n;
}

void ro_flush_lines(struct ro *ro)
{
    to_file(ro, ro->line, ro->line_size);
    ro->line_size = 0;
}

void ro_end_line(struct ro *ro)
{
    ro_new_line(ro);
    ro_flush_lines(ro);
}

void ro_put_many_blanks(struct ro *ro, size_t n)
{
    for (; n > 32; n -= 32)
        ro_put_blanks(ro, 32);
    ro_put_blanks(ro, n);
}

void ro_put_padded(struct ro *ro, const char *s, size_t width)
{
    size_t n = strlen(s);
    ro_put_bytes(ro, s, n);
    if (n < width)
        ro_put_blanks(ro, width - n);
}

void ro_put_column(struct ro *ro, const char *s, size_t width)
{
    size_t n = strlen(s);
    ro_put_bytes(ro, s, n);
    ro_put_blanks(ro, n < width ? width - n : 1);
}

enum { DIGITS = 20, NUMBER_ROOM = 64 }; /* of 2^64 - 1; of a number with blanks, at most 32, in one go */

static unsigned digit_count(uint64_t v)
{
    unsigned n = 1;
    for (; v >= 10000; v /= 10000)
        n += 4;
    return n + (v >= 10) + (v >= 100) + (v >= 1000);
}

/* The n digits of v, which has no more. */
static void decimal(char *p, uint64_t v, unsigned n)
{
    for (; n > 1; v /= 10)
        p[--n] = (char)('0' + v % 10);
    p[0] = (char)('0' + v);
}

static char *number_room(struct ro *ro)
{
    if (sizeof ro->line - ro->line_size < NUMBER_ROOM)
        ro_flush_lines(ro);
    return ro->line + ro->line_size;
}

void ro_put_digits(struct ro *ro, uint64_t v, unsigned width)
{
    char *p = number_room(ro);
    unsigned n = digit_count(v);
    decimal(p, v, n);
    ro->line_size += n;
    if (n < width)
        ro_put_blanks(ro, width - n);
}

void ro_put_dec_right(struct ro *ro, uint64_t v, unsigned width)
{
    unsigned n = digit_count(v);
    if (n < width)
        ro_put_blanks(ro, width - n);
    decimal(number_room(ro), v, n);
    ro->line_size += n;
}

/* Eight digits at once: nibbles spread over the bytes, and what letters are away from digits added to those above 9. */
static void hex8(char *p, uint32_t v)
{
    uint64_t x = v, tens;
    x = ((x & 0xffff0000) << 16) | (x & 0xffff);
    x = ((x & 0x0000ff000000ff00) << 8) | (x & 0x000000ff000000ff);
    x = ((x & 0x00f000f000f000f0) << 4) | (x & 0x000f000f000f000f);
    tens = ((x + 0x0606060606060606) >> 4) & 0x0101010101010101;
    x += 0x3030303030303030 + tens * ('a' - '9' - 1);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    memcpy(p, &x, 8);
}

void ro_put_hex(struct ro *ro, uint64_t v, unsigned least)
{
    char buf[32]; /* 16 digits, and what is copied with them */
    unsigned n = v ? (67 - (unsigned)__builtin_clzll(v)) / 4 : 1;
    hex8(buf, (uint32_t)(v >> 32));
    hex8(buf + 8, (uint32_t)v);
    if (n < least)
        n = least < 16 ? least : 16;
    memcpy(number_room(ro), buf + 16 - n, 16);
    ro->line_size += n;
}

/* ---- names ---- */

static void escaped(struct ro *ro, const char *s, size_t size, void (*write)(struct ro *, const char *, size_t))
{
    const unsigned char *p = (const unsigned char *)s;
    while (size) {
        size_t run = clean_run(p, size);
        write(ro, (const char *)p, run);
        p += run;
        size -= run;
        if (size) {
            char escape[8];
            write(ro, escape, (size_t)snprintf(escape, sizeof escape, "\\x%02x", *p));
            p++;
            size--;
        }
    }
}

void ro_name(struct ro *ro, const char *s, size_t size)
{
    escaped(ro, s, size, to_file);
}

static void put_bytes(struct ro *ro, const char *s, size_t size)
{
    ro_put_bytes(ro, s, size);
}

void ro_put_name(struct ro *ro, const char *s, size_t size)
{
    if (clean_run((const unsigned char *)s, size) == size)
        ro_put_bytes(ro, s, size);
    else
        escaped(ro, s, size, put_bytes);
}

/* A short name can stand for a very long one: what is longer than this stays mangled. */
enum { LONGEST_NAME = 1 << 14 };

struct demangled {
    char *text;
    size_t size;
    jmp_buf too_long; /* nothing else ends a demangler early */
};

static void add_text(const char *text, size_t size, void *user)
{
    struct demangled *d = user;
    if (size > LONGEST_NAME - d->size)
        longjmp(d->too_long, 1);
    memcpy(d->text + d->size, text, size);
    d->size += size;
}

static bool spell(struct demangled *d, const char *s)
{
    if (setjmp(d->too_long))
        return false;
    if (cplus_demangle_v3_callback(s, DMGL_PARAMS | DMGL_ANSI, add_text, d))
        return true;
    d->size = 0;
    return rust_demangle_callback(s, DMGL_PARAMS, add_text, d);
}

/* Owned, with room for a suffix; NULL when it is no mangled name. */
static char *demangle(const char *s)
{
    struct demangled d = { .text = malloc(LONGEST_NAME + 8) };
    if (!d.text || !spell(&d, s)) {
        free(d.text);
        return NULL;
    }
    d.text[d.size] = 0;
    return d.text;
}

char *ro_demangle(const struct ro *ro, const char *s)
{
    if (!ro->opt->demangle || s[0] != '_')
        return NULL;
    /* A kernel descriptor is the kernel's mangled name and ".kd"; the demangler takes no such suffix. */
    size_t n = strlen(s);
    bool kd = n > 3 && strcmp(s + n - 3, ".kd") == 0;
    char *copy = strndup(s, kd ? n - 3 : n);
    if (!copy)
        return NULL;
    char *out = demangle(copy);
    free(copy);
    if (out && kd)
        strcat(out, ".kd");
    return out;
}

static void symbol_name(struct ro *ro, const char *s, void (*write)(struct ro *, const char *, size_t))
{
    char *demangled = ro_demangle(ro, s);
    const char *text = demangled ? demangled : s;
    escaped(ro, text, strlen(text), write);
    free(demangled);
}

void ro_symbol_name(struct ro *ro, const char *s)
{
    symbol_name(ro, s, to_file);
}

void ro_put_symbol_name(struct ro *ro, const char *s)
{
    if (ro->opt->demangle)
        symbol_name(ro, s, put_bytes);
    else
        ro_put_name(ro, s, strlen(s));
}

void ro_heading(struct ro *ro, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (ro->color)
        fputs("\033[1m", ro->out);
    if (strchr(fmt, '%'))
        vfprintf(ro->out, fmt, ap);
    else
        fputs(fmt, ro->out);
    if (ro->color)
        fputs("\033[0m", ro->out);
    fputc('\n', ro->out);
    va_end(ap);
}

const char *ro_enum(const char *name, uint64_t value, char buf[static 24])
{
    if (name)
        return name;
    snprintf(buf, 24, "0x%" PRIx64, value);
    return buf;
}

json_t *ro_json_string(const char *s, size_t size)
{
    const unsigned char *p = (const unsigned char *)s;
    size_t run = clean_run(p, size);
    if (run == size)
        return json_stringn_nocheck(s, size);
    char *buf = malloc(size * 4 + 1), *q = buf;
    if (!buf)
        return NULL;
    for (size_t i = 0; i < size;) {
        /* JSON has its own escapes for control characters. */
        size_t n = p[i] < 0x80 ? 1 : utf8_length(p + i, size - i);
        if (n) {
            memcpy(q, p + i, n);
            q += n;
            i += n;
        } else {
            q += sprintf(q, "\\x%02x", p[i++]);
        }
    }
    json_t *out = json_stringn_nocheck(buf, (size_t)(q - buf));
    free(buf);
    return out;
}

json_t *ro_json_cstring(const char *s)
{
    return s ? ro_json_string(s, strlen(s)) : json_null();
}

json_t *ro_json_uint(uint64_t v)
{
    if (v <= INT64_MAX)
        return json_integer((json_int_t)v);
    return json_sprintf("%" PRIu64, v);
}

json_t *ro_json_enum(const char *name, uint64_t value)
{
    return name ? json_string(name) : json_sprintf("0x%" PRIx64, value);
}

void ro_json_set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new_nocheck(object, key, value ? value : json_null());
}

/* A map key as a JSON key: strings as they are, numbers in decimal (PAL registers). */
static char *value_key(const struct codeobj_value *v)
{
    char buf[32];
    switch (v->kind) {
    case CODEOBJ_VALUE_STRING: {
        json_t *s = ro_json_string(v->bytes, v->size);
        char *key = s ? strdup(json_string_value(s)) : NULL;
        json_decref(s);
        return key;
    }
    case CODEOBJ_VALUE_UINT: snprintf(buf, sizeof buf, "%" PRIu64, v->uint); break;
    case CODEOBJ_VALUE_INT: snprintf(buf, sizeof buf, "%" PRId64, v->sint); break;
    case CODEOBJ_VALUE_BOOL: snprintf(buf, sizeof buf, "%s", v->boolean ? "true" : "false"); break;
    default: snprintf(buf, sizeof buf, "(kind %u)", v->kind); break;
    }
    return strdup(buf);
}

static json_t *binary_json(const struct codeobj_value *v)
{
    char *hex = malloc(v->size * 2 + 1);
    if (!hex)
        return NULL;
    for (size_t i = 0; i < v->size; i++)
        sprintf(hex + 2 * i, "%02x", (unsigned char)v->bytes[i]);
    json_t *out = json_stringn_nocheck(hex, v->size * 2);
    free(hex);
    return out;
}

/* Depth is bounded by the metadata reader. */
json_t *ro_json_value(const struct codeobj_value *v)
{
    switch ((enum codeobj_value_kind)v->kind) {
    case CODEOBJ_VALUE_NIL: return json_null();
    case CODEOBJ_VALUE_BOOL: return json_boolean(v->boolean);
    case CODEOBJ_VALUE_UINT: return ro_json_uint(v->uint);
    case CODEOBJ_VALUE_INT: return json_integer((json_int_t)v->sint);
    case CODEOBJ_VALUE_FLOAT: {
        json_t *real = json_real(v->real); /* NULL for NaN and infinities, which JSON does not have */
        return real ? real : json_sprintf("%g", v->real);
    }
    case CODEOBJ_VALUE_STRING: return ro_json_string(v->bytes, v->size);
    case CODEOBJ_VALUE_BINARY: return binary_json(v);
    case CODEOBJ_VALUE_ARRAY: {
        json_t *a = json_array();
        for (size_t i = 0; i < v->size; i++)
            json_array_append_new(a, ro_json_value(&v->items[i]));
        return a;
    }
    case CODEOBJ_VALUE_MAP: {
        json_t *o = json_object();
        for (size_t i = 0; i < v->size; i++) {
            char *key = value_key(&v->items[2 * i]);
            if (key)
                ro_json_set(o, key, ro_json_value(&v->items[2 * i + 1]));
            free(key);
        }
        return o;
    }
    }
    return json_null();
}

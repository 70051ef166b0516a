/* SPDX-License-Identifier: MIT
 *
 * exec/printf.c - prints what OpenCL kernels left in their printf buffer.
 *
 * The format stands in the metadata (amdhsa.printf), the arguments in the records.
 * What surprises:
 *  - Compilers write ':' as \72 and control characters as \n, \t ... in the metadata; any
 *    other backslash is one.
 *  - A float that was not promoted lies there with 4 bytes; char and short are promoted to
 *    int, but not in vectors, whose three-element forms take the room of four.
 *  - A string ends at its NUL or with its room.  One whose length is a multiple of four is stored without the NUL
 *    that its size in the metadata has room for (LLVM 22), so that all behind it lies four bytes earlier and the record
 *    ends in a dword that nobody wrote.  codeobj_exec_printf_begin() fills the buffer so that those are seen, and the
 *    strings that lack theirs are found from how many there are.
 * Formats come from the file: conversions are taken apart and put together again, so that
 * nothing else reaches the C library's printf.
 */
#include <codeobj/exec.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/span.h"

#define WIDTH_MAX 4096u
#define FILL 0xdeb2a7c5u   /* no text, and hardly a number that somebody prints */
#define PLACED_MAX 64u     /* arguments of one call whose strings are looked at so closely */
#define PLACE_STEPS 4096u

struct output {
    void (*put)(void *user, const char *text, size_t length);
    void *user;
};

/* Where the arguments of a record lie, from its number on. */
struct places {
    uint64_t at[PLACED_MAX], size[PLACED_MAX];
    bool string[PLACED_MAX];
    unsigned count, steps;
};

/* One conversion, taken apart. */
struct conversion {
    char flags[8];
    unsigned width, precision, vector;
    bool has_width, has_precision;
    unsigned length; /* bytes of an element by hh, h, hl, l; 0: not given */
    char kind;       /* d, i, o, u, x, X, f, F, e, E, g, G, a, A, c, s, p */
};

static void put(const struct output *o, const char *text, size_t length)
{
    if (length)
        o->put(o->user, text, length);
}

static unsigned take_digits(const char **at)
{
    unsigned v = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        v = v < WIDTH_MAX ? v * 10 + (unsigned)(**at - '0') : v;
    return v < WIDTH_MAX ? v : WIDTH_MAX;
}

/* Reads what follows a '%'; false when it is no conversion. */
static bool take_conversion(const char **text, struct conversion *out)
{
    const char *at = *text;
    size_t flags = 0;
    *out = (struct conversion){ .vector = 1 };
    for (; *at && strchr("-+ #0", *at); at++)
        if (flags + 1 < sizeof out->flags && !strchr(out->flags, *at))
            out->flags[flags++] = *at;
    if ((out->has_width = *at >= '1' && *at <= '9'))
        out->width = take_digits(&at);
    if ((out->has_precision = *at == '.')) {
        at++;
        out->precision = take_digits(&at);
    }
    if (*at == 'v') {
        at++;
        out->vector = take_digits(&at);
        if (out->vector != 2 && out->vector != 3 && out->vector != 4 && out->vector != 8 && out->vector != 16)
            return false;
    }
    if (at[0] == 'h' && at[1] == 'h')
        out->length = 1, at += 2;
    else if (at[0] == 'h' && at[1] == 'l')
        out->length = 4, at += 2;
    else if (at[0] == 'h')
        out->length = 2, at++;
    else if (at[0] == 'l')
        out->length = 8, at++;
    if (!*at || !strchr("diouxXfFeEgGaAcsp", *at))
        return false;
    out->kind = *at++;
    *text = at;
    return true;
}

static double half_value(uint32_t h)
{
    const uint32_t exponent = h >> 10 & 31, fraction = h & 0x3ff;
    uint32_t bits = (h & 0x8000) << 16;
    float f;
    if (exponent == 0) {
        f = (float)fraction * 0x1p-24f;
        return h & 0x8000 ? -f : f;
    }
    bits |= exponent == 31 ? 0x7f800000 | fraction << 13 : (exponent + 112) << 23 | fraction << 13;
    memcpy(&f, &bits, 4);
    return f;
}

static double real_value(uint64_t raw, unsigned bytes)
{
    const uint32_t low = (uint32_t)raw;
    double d;
    float f;
    if (bytes == 2)
        return half_value(low);
    if (bytes == 4) {
        memcpy(&f, &low, 4);
        return f;
    }
    memcpy(&d, &raw, 8);
    return d;
}

/* The C library's spelling of a conversion, with `length` in front of its letter. */
static void spell(const struct conversion *c, const char *length, char out[48])
{
    int n = snprintf(out, 48, "%%%s", c->flags);
    if (c->has_width)
        n += snprintf(out + n, 48 - (size_t)n, "%u", c->width);
    if (c->has_precision)
        n += snprintf(out + n, 48 - (size_t)n, ".%u", c->precision);
    snprintf(out + n, 48 - (size_t)n, "%s%c", length, c->kind);
}

static void print_element(const struct output *o, const struct conversion *c, uint64_t raw, unsigned bytes)
{
    char format[48], text[WIDTH_MAX + 512];
    const unsigned up = 64 - 8 * bytes;
    int n;
    if (strchr("fFeEgGaA", c->kind)) {
        spell(c, "", format);
        n = snprintf(text, sizeof text, format, real_value(raw, bytes)); /* NOLINT: put together above */
    } else if (c->kind == 'c') {
        spell(c, "", format);
        n = snprintf(text, sizeof text, format, (int)(unsigned char)raw); /* NOLINT */
        if (n > 0 && !(unsigned char)raw)
            n = 0; /* a NUL ends no line */
    } else if (c->kind == 'p') {
        n = snprintf(text, sizeof text, "0x%" PRIx64, raw);
    } else if (c->kind == 'd' || c->kind == 'i') {
        spell(c, "ll", format);
        n = snprintf(text, sizeof text, format, (long long)((int64_t)(raw << up) >> up)); /* NOLINT */
    } else {
        spell(c, "ll", format);
        n = snprintf(text, sizeof text, format, (unsigned long long)(raw << up >> up)); /* NOLINT */
    }
    if (n > 0)
        put(o, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static void print_string(const struct output *o, const struct conversion *c, const uint8_t *bytes, size_t size)
{
    const uint8_t *end = memchr(bytes, 0, size);
    size_t length = end ? (size_t)(end - bytes) : size;
    if (c->has_precision && c->precision < length)
        length = c->precision;
    const size_t pad = c->has_width && c->width > length ? c->width - length : 0;
    const bool left = strchr(c->flags, '-');
    char blanks[WIDTH_MAX];
    memset(blanks, ' ', pad);
    if (!left)
        put(o, blanks, pad);
    put(o, (const char *)bytes, length);
    if (left)
        put(o, blanks, pad);
}

/* Bytes of an element: the length modifier's where the argument has that room, else the argument's own share. */
static unsigned element_bytes(const struct conversion *c, uint32_t size)
{
    const uint32_t slots = c->vector == 3 && size % 4 == 0 && size != 12 ? 4 : c->vector;
    const uint32_t share = size / slots;
    unsigned bytes = share >= 8 ? 8 : share >= 4 ? 4 : share >= 2 ? 2 : 1;
    if (c->vector == 1 && c->length && c->length < bytes && !strchr("fFeEgGaA", c->kind))
        bytes = c->length; /* promoted */
    return bytes;
}

static void print_argument(const struct output *o, const struct conversion *c, const uint8_t *bytes, uint32_t size)
{
    if (c->kind == 's') {
        print_string(o, c, bytes, size);
        return;
    }
    const unsigned each = element_bytes(c, size);
    const unsigned stride = c->vector == 1 ? size : each;
    for (unsigned i = 0; i < c->vector; i++) {
        uint64_t raw = 0;
        for (unsigned b = 0; b < each && i * stride + b < size; b++)
            raw |= (uint64_t)bytes[i * stride + b] << 8 * b;
        if (i)
            put(o, ",", 1);
        print_element(o, c, raw, each);
    }
}

/* One letter of a format, escapes of the metadata undone. */
static char take_letter(const char **at)
{
    static const char names[] = "nabfrvt", values[] = "\n\a\b\f\r\v\t";
    const char *s = *at;
    if (*s != '\\' || !s[1]) {
        ++*at;
        return *s;
    }
    const char *which = strchr(names, s[1]);
    if (which || (s[1] == '7' && s[2] == '2')) {
        *at += which ? 2 : 3;
        return which ? values[which - names] : ':';
    }
    ++*at;
    return '\\';
}

/* ---- where arguments lie ---- */

/* Is this the last dword of a string: one to three letters, then zeros; or all of an empty one? */
static bool ends_string(uint32_t v, bool first)
{
    if (first && (v & 0xff) == 0)
        return true;
    return (v & 0xff) && ((v >> 8) == 0 || ((v >> 8 & 0xff) && (v >> 16 == 0 || ((v >> 16 & 0xff) && v >> 24 == 0))));
}

/* Places the arguments from n on at `at`, when `missing` of the strings lack their last dword. */
static bool place(struct places *p, const struct codeobj_metadata_printf *f, const uint8_t *record, unsigned n, uint64_t at,
                  unsigned missing)
{
    if (n == p->count)
        return missing == 0;
    if (p->steps++ > PLACE_STEPS)
        return false;
    const uint64_t size = f->arg_sizes[n];
    p->at[n] = at;
    p->size[n] = size;
    if (!p->string[n] || size < 4)
        return place(p, f, record, n + 1, at + size, missing);
    if (ends_string(co_load32(record + at + size - 4), size == 4) && place(p, f, record, n + 1, at + size, missing))
        return true;
    if (size < 8 || !missing)
        return false;
    p->at[n] = at;
    p->size[n] = size - 4;
    return place(p, f, record, n + 1, at + size - 4, missing - 1);
}

/* Which arguments are strings. */
static void find_strings(struct places *p, const char *format)
{
    unsigned n = 0;
    for (const char *at = format; *at && n < p->count;) {
        struct conversion c;
        const char *after = at + 1;
        if (at[0] == '%' && at[1] == '%') {
            at += 2;
        } else if (*at == '%' && take_conversion(&after, &c)) {
            p->string[n++] = c.kind == 's';
            at = after;
        } else {
            take_letter(&at);
        }
    }
}

/* record: from its number on, `room` bytes. */
static void find_places(struct places *p, const struct codeobj_metadata_printf *f, const uint8_t *record, uint64_t room)
{
    unsigned missing = 0, strings = 0;
    *p = (struct places){ .count = f->arg_count < PLACED_MAX ? (unsigned)f->arg_count : PLACED_MAX };
    find_strings(p, f->format);
    for (unsigned n = 0; n < p->count; n++)
        strings += p->string[n] && f->arg_sizes[n] >= 8;
    while (missing < strings && co_load32(record + room - 4 * (missing + 1)) == FILL)
        missing++;
    if (f->arg_count <= PLACED_MAX && place(p, f, record, 0, 4, missing))
        return;
    uint64_t at = 4;
    for (unsigned n = 0; n < p->count; n++) {
        p->at[n] = at;
        p->size[n] = f->arg_sizes[n];
        at += f->arg_sizes[n];
    }
}

/* record: from its number on. */
static void print_record(const struct output *o, const struct codeobj_metadata_printf *f, const uint8_t *record, uint64_t room)
{
    struct places p;
    unsigned next = 0;
    find_places(&p, f, record, room);
    for (const char *at = f->format; *at;) {
        struct conversion c;
        if (at[0] == '%' && at[1] == '%') {
            put(o, "%", 1);
            at += 2;
            continue;
        }
        const char *after = at + 1;
        if (*at == '%' && take_conversion(&after, &c) && next < p.count) {
            print_argument(o, &c, record + p.at[next], (uint32_t)p.size[next]);
            next++;
            at = after;
            continue;
        }
        const char letter = take_letter(&at);
        put(o, &letter, 1);
    }
}

static bool find_format(const struct codeobj_metadata *metadata, uint32_t id, struct codeobj_metadata_printf *out)
{
    for (size_t i = 0; codeobj_metadata_printf(metadata, i, out) == CODEOBJ_OK; i++)
        if (out->is_valid && out->id == id)
            return true;
    return false;
}

enum codeobj_status codeobj_exec_printf(const struct codeobj_metadata *metadata, const void *buffer, size_t size,
                                        void (*put_text)(void *user, const char *text, size_t length), void *user,
                                        struct codeobj_diag *diag)
{
    const struct output o = { put_text, user };
    const uint8_t *bytes = buffer;
    if (size < 8)
        return co_fail(diag, CODEOBJ_INVALID, "printf buffer: found %zu bytes, expected at least 8", size);
    size_t used = co_load32(bytes);
    if (used > size - 8)
        return co_fail(diag, CODEOBJ_MALFORMED, "printf buffer: found %zu bytes of records, expected at most %zu", used, size - 8);
    bytes += 8;
    for (size_t at = 0; at < used;) {
        struct codeobj_metadata_printf f;
        if (used - at < 4 || !find_format(metadata, co_load32(bytes + at), &f))
            return co_fail_at(diag, CODEOBJ_MALFORMED, "printf buffer", at + 8, "found call %u, which the metadata does not have",
                              used - at < 4 ? 0 : co_load32(bytes + at));
        uint64_t room = 4;
        for (size_t i = 0; i < f.arg_count; i++)
            room += f.arg_sizes[i];
        if (room > used - at)
            return co_fail_at(diag, CODEOBJ_MALFORMED, "printf buffer", at + 8, "record: found %zu bytes, expected %llu",
                              used - at, (unsigned long long)room);
        print_record(&o, &f, bytes + at, room);
        at += (size_t)room;
    }
    return CODEOBJ_OK;
}

void codeobj_exec_printf_begin(void *buffer, size_t size)
{
    const uint32_t bytes = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
    for (size_t at = 8; at + 4 <= size; at += 4)
        co_store32((uint8_t *)buffer + at, FILL);
    if (size >= 8) {
        co_store32(buffer, 0);
        co_store32((uint8_t *)buffer + 4, bytes);
    }
}

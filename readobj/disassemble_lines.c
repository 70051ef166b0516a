/* SPDX-License-Identifier: MIT
 *
 * readobj/disassemble_lines.c - bytes into lines, laid out as llvm-objdump does for AMDGPU:
 *
 *     TAB TEXT (59 columns) // ADDRESS: DWORDS <SYMBOL+0xDISTANCE of a branch target>
 *
 * Words that are no instruction are ".long" (the end of a section: ".byte"), and
 * decoding goes on behind them.  Eight zero bytes and more are "...".
 */
#include "disassemble.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_COLUMNS 59
#define LINE_ROOM (4096 + 256) /* the longest text and what stands around it */
#define TEXT_ROOM 4096

/* ---- text ------------------------------------------------------------------------ */
char *dis_text_grow(struct dis_text *text, size_t more)
{
    size_t room = text->room * 2 + more + 4096;
    char *buf = text->failed ? NULL : realloc(text->buf, room);

    if (!buf) {
        text->failed = true;
        text->room = text->len;
        return NULL;
    }
    text->buf = buf;
    text->room = room;
    return buf + text->len;
}

void dis_text_add(struct dis_text *text, const char *s, size_t size)
{
    char *p = dis_text_room(text, size);

    if (p) {
        memcpy(p, s, size);
        text->len += size;
    }
}

void dis_text_write(const struct dis_text *text, FILE *out)
{
    if (text->len)
        fwrite(text->buf, 1, text->len, out);
}

void dis_text_printf(struct dis_text *text, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0 || !dis_text_room(text, (size_t)n + 1))
        return;
    va_start(ap, fmt);
    vsnprintf(text->buf + text->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    text->len += (size_t)n;
}

typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint16_t halves8 __attribute__((vector_size(16)));

/* Sixteen digits at once. */
static inline void put_hex16(char *p, uint64_t v)
{
    bytes8 bytes;
    halves8 x;
    bytes16 digits;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(&bytes, &v, sizeof bytes);
    x = __builtin_convertvector(bytes, halves8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    x = (x >> 4 | x << 8) & 0x0f0f;
#else
    x = (x << 4 | x) & 0x0f0f;
#endif
    memcpy(&digits, &x, sizeof digits);
    digits += '0' + ((bytes16)(digits > 9) & ('A' - '9' - 1));
    memcpy(p, &digits, sizeof digits);
}

static inline char *put_hex2(char *p, unsigned byte)
{
    *p++ = "0123456789ABCDEF"[byte >> 4 & 15];
    *p++ = "0123456789ABCDEF"[byte & 15];
    return p;
}

/* "0x1f": a distance. */
static void add_distance(struct dis_text *text, uint64_t v)
{
    char digits[18];
    unsigned at = sizeof digits;

    do {
        digits[--at] = "0123456789abcdef"[v & 15];
        v >>= 4;
    } while (v);
    digits[--at] = 'x';
    digits[--at] = '0';
    dis_text_add(text, digits + at, sizeof digits - at);
}

static void add_escaped(struct dis_text *text, const char *s, size_t n, char kept)
{
    char *p = dis_text_room(text, 4 * n + 1), *start = p;

    if (!p)
        return;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];

        *p++ = (char)c;
        if ((c < 0x20 && c != (unsigned char)kept) || c == 0x7f)
            p += sprintf(p - 1, "\\x%02x", c) - 1;
    }
    text->len += (size_t)(p - start);
}

void dis_text_name(struct dis_text *text, const char *name, size_t size) { add_escaped(text, name, size, 0x7f); }
void dis_text_source(struct dis_text *text, const char *line, size_t size) { add_escaped(text, line, size, '\t'); }

static void add_name(struct dis_text *text, const char *name) { dis_text_name(text, name, strlen(name)); }

/* ---- symbols ----------------------------------------------------------------------- */
/* Number of symbols at or below addr. */
static size_t symbols_below(const struct dis_section *section, uint64_t addr)
{
    size_t lo = 0, hi = section->symbol_count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (section->symbols[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* A label (STT_NOTYPE) that stands exactly there takes the operand's place, the first in name order. */
static const char *label_at(const struct dis_section *section, uint64_t addr)
{
    size_t n = symbols_below(section, addr);
    const char *name = NULL;

    while (n && section->symbols[n - 1].addr == addr) {
        n--;
        if (section->symbols[n].type == 0 && *section->symbols[n].name)
            name = section->symbols[n].name;
    }
    return name;
}

static void add_target(const struct dis_section *section, uint64_t target, struct dis_text *text)
{
    size_t n = symbols_below(section, target);

    if (!n)
        return;
    dis_text_add(text, " <", 2);
    add_name(text, section->symbols[n - 1].name);
    if (target != section->symbols[n - 1].addr) {
        dis_text_add(text, "+", 1);
        add_distance(text, target - section->symbols[n - 1].addr);
    }
    dis_text_add(text, ">", 1);
}

/* ---- lines --------------------------------------------------------------------------- */
static uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Bytes of a block of zeros that one "..." stands for. */
static uint64_t zeros(const uint8_t *p, uint64_t size)
{
    static const uint8_t none[8];
    uint64_t n = 8;

    if (size < 8 || memcmp(p, none, 8) != 0)
        return 0;
    while (n < size && !p[n])
        n++;
    return n & ~3ull;
}

/* " 7E000301 ..."; writes further than it says. */
static inline char *put_words(char *p, const uint8_t *bytes, size_t size)
{
    char digits[16];

    for (; size >= 8; size -= 8, bytes += 8) {
        put_hex16(digits, (uint64_t)load32(bytes) << 32 | load32(bytes + 4));
        *p = ' ';
        memcpy(p + 1, digits, 8);
        p[9] = ' ';
        memcpy(p + 10, digits + 8, 8);
        p += 18;
    }
    if (size >= 4) {
        *p = ' ';
        put_hex16(p + 1, (uint64_t)load32(bytes) << 32);
        return p + 9;
    }
    for (size_t i = 0; i < size; i++) {
        *p++ = ' ';
        p = put_hex2(p, bytes[i]);
    }
    return p;
}

/* "// ADDRESS: WORDS" behind a text of `columns`. */
static inline char *put_encoding(const struct dis_section *section, char *p, size_t columns, uint64_t addr, const uint8_t *bytes,
                                 size_t size)
{
    if (section->no_encoding && section->no_addresses)
        return p;
    if (columns < TEXT_COLUMNS) {
        memset(p, ' ', TEXT_COLUMNS);
        p += TEXT_COLUMNS - columns;
    }
    memcpy(p, "// ", 3);
    p += 2;
    if (!section->no_addresses) {
        p++;
        if (addr >> 48) {
            put_hex16(p, addr);
            p += 16;
        } else {
            put_hex16(p, addr << 16);
            p += 12;
        }
        *p++ = ':';
    }
    return section->no_encoding ? p : put_words(p, bytes, size);
}

/* A branch whose text, `columns` long, is behind the tab at `line`: its number gives way to a label, or the target
 * follows the words. */
static void branch_line(const struct dis_section *section, const struct codeobj_isa_text *t, uint64_t addr, const uint8_t *bytes,
                        char *line, struct dis_text *text)
{
    uint64_t target = addr + t->size + (uint64_t)t->distance;
    const char *label = label_at(section, target);
    size_t columns = t->length;
    char *end = line + 1 + columns;

    if (label) {
        while (columns && line[columns] != ' ')
            columns--;
        text->len += columns + 1;
        add_name(text, label);
        columns = (size_t)(text->buf + text->len - line) - 1;
        line = text->failed ? NULL : dis_text_room(text, LINE_ROOM);
        if (!line)
            return;
        end = put_encoding(section, line, columns, addr, bytes, t->size);
        text->len += (size_t)(end - line);
        return;
    }
    end = put_encoding(section, end, columns, addr, bytes, t->size);
    text->len += (size_t)(end - line);
    /* not for s_call_b64 and s_cbranch_i_fork, as LLVM has it */
    if (t->format == CODEOBJ_FMT_SOPP || memcmp(line + 1, "s_subvector_loop_", 17) == 0)
        add_target(section, target, text);
}

/* The text is behind the tab at `line`, which is the end of `text`. */
static inline void instruction_line(const struct dis_section *section, const struct codeobj_isa_text *t, uint64_t addr,
                                    const uint8_t *bytes, char *line, struct dis_text *text)
{
    char *p = line + 1 + t->length;

    if (t->has_distance && !(section->explain && t->verdict == CODEOBJ_VERDICT_DONT_CARE)) {
        branch_line(section, t, addr, bytes, line, text);
        dis_text_add(text, "\n", 1);
        return;
    }
    p = put_encoding(section, p, t->length, addr, bytes, t->size);
    if (section->explain && t->verdict == CODEOBJ_VERDICT_DONT_CARE) {
        text->len += (size_t)(p - line);
        dis_text_printf(text, " ; bits without meaning are set\n");
        return;
    }
    *p++ = '\n';
    text->len += (size_t)(p - line);
}

/* why: what makes it no instruction, NULL: not asked for. */
static void data_line(const struct dis_section *section, uint64_t addr, const uint8_t *bytes, size_t size, const char *why,
                      struct dis_text *text)
{
    char *line = dis_text_room(text, LINE_ROOM), *p = line;

    if (!line)
        return;
    if (size >= 4) {
        p += sprintf(p, "\t.long 0x%08x", load32(bytes));
    } else {
        p += sprintf(p, "\t.byte 0x%02x", bytes[0]);
        for (size_t i = 1; i < size; i++)
            p += sprintf(p, ", 0x%02x", bytes[i]);
    }
    p = put_encoding(section, p, (size_t)(p - line) - 1, addr, bytes, size);
    text->len += (size_t)(p - line);
    if (why)
        dis_text_printf(text, " ; %s", why);
    dis_text_add(text, "\n", 1);
}

/* First relocation at or behind addr. */
static size_t relocation_from(const struct dis_section *section, uint64_t addr)
{
    size_t lo = 0, hi = section->relocation_count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (section->relocations[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void relocation_line(const struct dis_relocation *r, struct dis_text *text)
{
    const struct codeobj_relocation_info *info = codeobj_relocation_info(r->type);

    dis_text_printf(text, "\t\t%016llx:  ", (unsigned long long)r->addr);
    if (info)
        dis_text_printf(text, "%s\t", info->name);
    else
        dis_text_printf(text, "Unknown (%u)\t", r->type);
    add_name(text, *r->symbol ? r->symbol : "*ABS*");
    if (r->addend)
        dis_text_printf(text, "%c0x%llx", r->addend < 0 ? '-' : '+',
                        (unsigned long long)(r->addend < 0 ? 0 - (uint64_t)r->addend : (uint64_t)r->addend));
    dis_text_add(text, "\n", 1);
}

/* Bytes of the zeros at `at` that one "..." stands for, 0: a line stands there.  A relocation ends them; `next` is the
 * first one at or behind `at`. */
static inline uint64_t zeros_at(const struct dis_section *section, const struct dis_piece *piece, uint64_t at, size_t next)
{
    uint64_t most = piece->end - at;

    if (next < section->relocation_count && section->relocations[next].addr - at < most)
        most = section->relocations[next].addr - at;
    return zeros(section->bytes + (at - section->addr), most);
}

static void heading(const struct dis_section *section, const struct dis_piece *piece, struct dis_text *text)
{
    dis_text_add(text, "\n", 1);
    if (!section->no_addresses)
        dis_text_printf(text, "%016llx ", (unsigned long long)piece->begin);
    dis_text_add(text, "<", 1);
    add_name(text, piece->heading);
    dis_text_add(text, ">:\n", 3);
}

void dis_lines(const struct dis_section *section, const struct dis_piece *piece, size_t limit, struct dis_text *text,
               struct dis_piece *rest)
{
    uint64_t at = piece->begin;
    size_t next = relocation_from(section, piece->begin);
    struct codeobj_isa_text t;
    struct codeobj_diag diag = {0};
    struct codeobj_isa_state state = piece->state;

    if (piece->heading)
        heading(section, piece, text);
    while (at < piece->stop && !text->failed && text->len < limit) {
        const uint8_t *bytes = section->bytes + (at - section->addr);
        uint64_t left = section->addr + section->size - at, skip = zeros_at(section, piece, at, next);
        size_t size;

        if (skip) {
            dis_text_add(text, "\t\t...\n", 6);
            at += skip;
            continue;
        }
        if (section->source)
            dis_source_at(section->source, at, section->symbols[symbols_below(section, at) - 1].name, text);
        char *line = dis_text_room(text, LINE_ROOM);

        if (!line)
            break;
        *line = '\t';
        if (codeobj_isa_disassemble(piece->isa, &state, bytes, left, line + 1, TEXT_ROOM, &t, section->explain ? &diag : NULL) ==
            CODEOBJ_OK) {
            size = t.size;
            instruction_line(section, &t, at, bytes, line, text);
        } else {
            size = left < 4 ? (size_t)left : 4;
            data_line(section, at, bytes, size, section->explain ? diag.text : NULL, text);
        }
        at += size;
        for (; next < section->relocation_count && section->relocations[next].addr < at; next++)
            relocation_line(&section->relocations[next], text);
    }
    *rest = *piece;
    rest->begin = text->failed ? piece->stop : at;
    rest->heading = NULL;
    rest->state = state;
}

/* ---- where lines start ----------------------------------------------------------------- */
/* Where the line behind the one at `at` starts; the state goes along. */
static uint64_t line_behind(const struct dis_section *section, const struct dis_piece *piece, uint64_t at, struct codeobj_isa_state *state)
{
    struct codeobj_isa_inst inst;
    uint64_t left = section->addr + section->size - at, skip = zeros_at(section, piece, at, relocation_from(section, at));

    if (skip)
        return at + skip;
    if (codeobj_isa_decode_next(piece->isa, state, section->bytes + (at - section->addr), left, &inst, NULL) == CODEOBJ_OK)
        return at + inst.size;
    return at + (left < 4 ? left : 4);
}

/* A place between `from` and `at` where a line starts for certain; `at` + 1 when there is none.
 *
 * An instruction has 20 bytes at most, so one starts in the 20 bytes from `from` on, or else they are in the middle of
 * zeros, which end at the same place wherever they are entered.  What follows is listed from every place where one may
 * start; after a few instructions all of these listings are one, usually. */
static uint64_t certain_line(const struct dis_section *section, const struct dis_piece *piece, uint64_t from, uint64_t at)
{
    enum { STARTS = CODEOBJ_ISA_WORDS_MAX };
    uint64_t start[STARTS];
    struct codeobj_isa_state state = {0};

    for (unsigned i = 0; i < STARTS; i++)
        start[i] = from + 4 * i;
    for (;;) {
        unsigned first = 0;
        bool one = true;

        for (unsigned i = 1; i < STARTS; i++) {
            first = start[i] < start[first] ? i : first;
            one &= start[i] == start[0];
        }
        if (one || start[first] > at)
            return one && start[0] <= at ? start[0] : at + 1;
        uint64_t old = start[first], behind = line_behind(section, piece, old, &state);

        for (unsigned i = 0; i < STARTS; i++)
            start[i] = start[i] == old ? behind : start[i];
    }
}

bool dis_start_at(const struct dis_section *section, struct dis_piece *piece, uint64_t at)
{
    bool states = codeobj_isa_processor(piece->isa)->features & CODEOBJ_FEATURE_1K_VGPRS;

    for (uint64_t back = 128; back <= 8192; back *= 8) {
        bool whole = at - piece->begin <= back;
        uint64_t line = whole ? piece->begin : certain_line(section, piece, at - back, at);
        struct codeobj_isa_state state = piece->state, other = piece->state;

        if (line > at)
            continue;
        /* The state is known when it is the same whatever it was. */
        if (states && !whole)
            memset(&other, 0xff, sizeof other);
        while (line < at) {
            if (states)
                line_behind(section, piece, line, &other);
            line = line_behind(section, piece, line, &state);
        }
        if (memcmp(&state, &other, sizeof state) == 0) {
            piece->begin = line;
            piece->state = state;
            piece->heading = NULL;
            return true;
        }
    }
    return false;
}

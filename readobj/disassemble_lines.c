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

/* Two digits of every byte. */
#define ROW(x) x "0" x "1" x "2" x "3" x "4" x "5" x "6" x "7" x "8" x "9" x "A" x "B" x "C" x "D" x "E" x "F"
static const char hex_pairs[] = ROW("0") ROW("1") ROW("2") ROW("3") ROW("4") ROW("5") ROW("6") ROW("7") ROW("8") ROW("9")
    ROW("A") ROW("B") ROW("C") ROW("D") ROW("E") ROW("F");

static inline char *put_hex2(char *p, unsigned byte)
{
    memcpy(p, hex_pairs + 2 * (size_t)(byte & 255), 2);
    return p + 2;
}

static inline char *put_hex8(char *p, uint32_t v)
{
    put_hex2(p, v >> 24);
    put_hex2(p + 2, v >> 16);
    put_hex2(p + 4, v >> 8);
    return put_hex2(p + 6, v);
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

/* Names come from the file: control characters must not reach a terminal. */
static void add_name(struct dis_text *text, const char *name)
{
    size_t n = strlen(name);
    char *p = dis_text_room(text, 4 * n + 1), *start = p;

    if (!p)
        return;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)name[i];

        *p++ = (char)c;
        if (c < 0x20 || c == 0x7f)
            p += sprintf(p - 1, "\\x%02x", c) - 1;
    }
    text->len += (size_t)(p - start);
}

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

/* "// ADDRESS: WORDS" behind a text of `columns`. */
static char *put_encoding(const struct dis_section *section, char *p, size_t columns, uint64_t addr, const uint8_t *bytes, size_t size)
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
            put_hex2(p, (unsigned)(addr >> 56));
            put_hex2(p + 2, (unsigned)(addr >> 48));
            p += 4;
        }
        put_hex2(p, (unsigned)(addr >> 40));
        put_hex2(p + 2, (unsigned)(addr >> 32));
        p = put_hex8(p + 4, (uint32_t)addr);
        *p++ = ':';
    }
    if (section->no_encoding)
        return p;
    if (size >= 4) {
        for (size_t i = 0; i + 4 <= size; i += 4) {
            *p++ = ' ';
            p = put_hex8(p, load32(bytes + i));
        }
    } else {
        for (size_t i = 0; i < size; i++) {
            *p++ = ' ';
            p = put_hex2(p, bytes[i]);
        }
    }
    return p;
}

static const struct codeobj_isa_operand *label_operand(const struct codeobj_isa_inst *inst)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].kind == CODEOBJ_OPERAND_LABEL)
            return &inst->operands[i];
    return NULL;
}

/* A branch: its number gives way to a label, or the target follows the words. */
static void branch_line(const struct dis_section *section, const struct codeobj_isa_inst *inst, int64_t distance,
                        uint64_t addr, const uint8_t *bytes, char *line, size_t columns, struct dis_text *text)
{
    uint64_t target = addr + inst->size + (uint64_t)distance;
    const char *label = label_at(section, target);
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
        end = put_encoding(section, line, columns, addr, bytes, inst->size);
        text->len += (size_t)(end - line);
        return;
    }
    end = put_encoding(section, end, columns, addr, bytes, inst->size);
    text->len += (size_t)(end - line);
    if (inst->format == CODEOBJ_FMT_SOPP) /* not for s_call_b64, as LLVM has it */
        add_target(section, target, text);
}

static void instruction_line(const struct dis_section *section, const struct codeobj_isa *isa,
                             const struct codeobj_isa_inst *inst, uint64_t addr, const uint8_t *bytes, struct dis_text *text)
{
    const struct codeobj_isa_operand *label = inst->format == CODEOBJ_FMT_SOPP || inst->format == CODEOBJ_FMT_SOPK ? label_operand(inst) : NULL;
    char *line = dis_text_room(text, LINE_ROOM), *p = line;
    size_t columns;

    if (!line)
        return;
    *p++ = '\t';
    columns = codeobj_isa_print(isa, inst, p, TEXT_ROOM);
    if (columns >= TEXT_ROOM)
        columns = TEXT_ROOM - 1;
    p += columns;
    if (section->explain && inst->verdict == CODEOBJ_VERDICT_DONT_CARE) {
        p = put_encoding(section, p, columns, addr, bytes, inst->size);
        text->len += (size_t)(p - line);
        dis_text_printf(text, " ; bits without meaning are set\n");
        return;
    }
    if (label) {
        branch_line(section, inst, (int64_t)label->value, addr, bytes, line, columns, text);
    } else {
        p = put_encoding(section, p, columns, addr, bytes, inst->size);
        *p++ = '\n';
        text->len += (size_t)(p - line);
        return;
    }
    dis_text_add(text, "\n", 1);
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
    struct codeobj_isa_inst inst;
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
        if (codeobj_isa_decode_next(piece->isa, &state, bytes, left, &inst, section->explain ? &diag : NULL) == CODEOBJ_OK) {
            size = inst.size;
            instruction_line(section, piece->isa, &inst, at, bytes, text);
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

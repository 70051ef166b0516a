/* SPDX-License-Identifier: MIT
 *
 * test_exec_cases.c - single instructions against expected registers.
 *
 * The cases are text, tests/unit/exec/NAME.cases, written by
 * tests/unit/exec/make_cases.py from an independent model (Python integers and
 * fractions) and from values worked out by hand.  A block is
 *
 *   = v_add_f32_e32 v2, v0, v1          the instructions, separated by ";"
 *   mode c0 ieee 0                      optional: FLOAT_MODE, IEEE, DX10_CLAMP, FP16_OVFL, dynamic VGPRs, bytes of scratch
 *   hex gfx900 gfx1030-w64 : 02040300   per processor; "/" between instructions
 *   v0 v1 -> v2                         what is set, what is looked at
 *   3f800000 40000000 -> 40400000       values, one row each run
 *
 * Registers: v3 v[4:5] a0 s3 s[4:5] vcc exec m0 scc mem8 (a dword of a buffer,
 * byte offset in hex) and v3@5 (lane 5 alone; else all lanes that EXEC leaves on
 * are looked at).  Values: hex; "nan": any quiet NaN of the register's width;
 * "@10": an address in the buffer; "*": not looked at.
 *
 * A block becomes a kernel, made here byte by byte: for each row, moves of the
 * inputs into the registers, the instructions, and an s_nop at which the trace
 * hook looks at the state.
 */
#include <codeobj/codeobj.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define REGS_MAX 12
#define BUFFER_SIZE 4096
#define S_NOP 0xbf800000u
#define EM_AMDGPU_ELFOSABI 64

enum kind { R_VGPR, R_AGPR, R_SGPR, R_VCC, R_EXEC, R_M0, R_SCC, R_MEM };
struct reg {
    enum kind kind;
    unsigned number, dwords;
    int lane; /* -1: all active */
};
enum how { V_BITS, V_NAN, V_NAN16, V_ADDRESS, V_ANY };
struct value {
    enum how how;
    uint32_t bits[8], ignored[8];
};
struct row {
    struct value in[REGS_MAX], out[REGS_MAX];
    unsigned line;
};
struct block {
    char *text, *file;
    unsigned line;
    uint32_t float_mode, ieee, dx10_clamp, fp16_ovfl, dynamic_vgprs, scratch;
    struct reg in[REGS_MAX], out[REGS_MAX];
    unsigned in_count, out_count;
    struct row *rows;
    size_t row_count;
};
/* One block on one processor. */
struct run {
    const struct block *block;
    char target[24];
    uint32_t words[64];
    unsigned word_count;
};

/* ---- reading -------------------------------------------------------------- */

static void *grow(void *p, size_t count, size_t size)
{
    if ((count & (count - 1)) == 0)
        p = realloc(p, (count ? count * 2 : 1) * size);
    if (!p)
        abort();
    return p;
}

static void bad_file(const struct block *b, unsigned line, const char *what)
{
    fprintf(stderr, "%s:%u: %s\n", b->file, line, what);
    exit(2);
}

static struct reg parse_reg(const struct block *b, unsigned line, const char *s)
{
    struct reg r = { R_VGPR, 0, 1, -1 };
    const char *at = strchr(s, '@');
    unsigned hi;
    if (at)
        r.lane = atoi(at + 1);
    if (strncmp(s, "vcc", 3) == 0)
        r.kind = R_VCC, r.dwords = 2;
    else if (strncmp(s, "exec", 4) == 0)
        r.kind = R_EXEC, r.dwords = 2;
    else if (strncmp(s, "m0", 2) == 0)
        r.kind = R_M0;
    else if (strncmp(s, "scc", 3) == 0)
        r.kind = R_SCC;
    else if (sscanf(s, "mem%x", &r.number) == 1)
        r.kind = R_MEM;
    else if (*s == 'v' || *s == 'a' || *s == 's') {
        r.kind = *s == 'v' ? R_VGPR : *s == 'a' ? R_AGPR : R_SGPR;
        if (sscanf(s + 1, "[%u:%u]", &r.number, &hi) == 2)
            r.dwords = hi - r.number + 1;
        else if (sscanf(s + 1, "%u", &r.number) != 1)
            bad_file(b, line, "register expected");
        if (r.dwords > 8)
            bad_file(b, line, "too many registers");
    } else {
        bad_file(b, line, "register expected");
    }
    return r;
}

static struct value parse_value(const struct block *b, unsigned line, const char *s)
{
    struct value v = { V_BITS, { 0 }, { 0 } };
    size_t length = strlen(s);
    if (strcmp(s, "nan") == 0)
        v.how = V_NAN;
    else if (strcmp(s, "nan16") == 0)
        v.how = V_NAN16;
    else if (strcmp(s, "*") == 0)
        v.how = V_ANY;
    else if (*s == '@')
        v.how = V_ADDRESS, v.bits[0] = (uint32_t)strtoul(s + 1, NULL, 16);
    else if (length > 64)
        bad_file(b, line, "value too long");
    else
        for (size_t i = 0; i < length; i++) { /* from the last digit, the lowest */
            char digit[2] = { s[length - 1 - i], 0 };
            v.bits[i / 8] |= (uint32_t)strtoul(digit, NULL, 16) << i % 8 * 4;
            if (*digit == 'x')
                v.ignored[i / 8] |= 15u << i % 8 * 4;
        }
    return v;
}

/* Calls one of the parsers above for each word before and after "->". */
static void parse_sides(struct block *b, unsigned line, char *text)
{
    int after = 0;
    unsigned n = 0;
    struct row row = { .line = line };
    int names = b->in_count == 0 && b->out_count == 0;
    for (char *save, *w = strtok_r(text, " \t\n", &save); w; w = strtok_r(NULL, " \t\n", &save)) {
        if (strcmp(w, "->") == 0) {
            if (names)
                b->in_count = n;
            else if (n != b->in_count)
                bad_file(b, line, "number of inputs");
            after = 1, n = 0;
            continue;
        }
        if (n >= REGS_MAX)
            bad_file(b, line, "too many columns");
        if (names)
            (after ? b->out : b->in)[n++] = parse_reg(b, line, w);
        else
            (after ? row.out : row.in)[n++] = parse_value(b, line, w);
    }
    if (!after || n == 0 || (!names && n != b->out_count))
        bad_file(b, line, "number of outputs");
    if (names) {
        b->out_count = n;
        return;
    }
    b->rows = grow(b->rows, b->row_count, sizeof *b->rows);
    b->rows[b->row_count++] = row;
}

static void parse_mode(struct block *b, unsigned line, char *text)
{
    char key[16];
    unsigned value;
    int used;
    if (sscanf(text, "mode %x%n", &b->float_mode, &used) != 1)
        bad_file(b, line, "mode");
    for (text += used; sscanf(text, " %15s %u%n", key, &value, &used) == 2; text += used) {
        if (strcmp(key, "ieee") == 0)
            b->ieee = value;
        else if (strcmp(key, "dx10") == 0)
            b->dx10_clamp = value;
        else if (strcmp(key, "ovfl") == 0)
            b->fp16_ovfl = value;
        else if (strcmp(key, "dvgpr") == 0)
            b->dynamic_vgprs = value;
        else if (strcmp(key, "scratch") == 0)
            b->scratch = value;
        else
            bad_file(b, line, "mode");
    }
}

static struct run *runs;
static size_t run_count;

static void parse_hex(const struct block *b, unsigned line, char *text)
{
    struct run r = { .block = b };
    char *colon = strchr(text, ':');
    if (!colon)
        bad_file(b, line, "hex without colon");
    *colon = 0;
    for (char *save, *w = strtok_r(colon + 1, " /\n", &save); w; w = strtok_r(NULL, " /\n", &save)) {
        if (r.word_count == sizeof r.words / sizeof r.words[0])
            bad_file(b, line, "too many words");
        r.words[r.word_count++] = (uint32_t)strtoul(w, NULL, 16);
    }
    for (char *save, *w = strtok_r(text + 4, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        snprintf(r.target, sizeof r.target, "%s", w);
        runs = grow(runs, run_count, sizeof *runs);
        runs[run_count++] = r;
    }
}

/* Blocks stay until the end: runs point at them. */
static void read_cases(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(2);
    }
    char line[4096];
    struct block *b = NULL;
    for (unsigned n = 1; fgets(line, sizeof line, f); n++) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (line[0] == '=') {
            b = calloc(1, sizeof *b);
            if (!b || !(b->file = strdup(path)) || !(b->text = strdup(line + 2)))
                abort();
            b->text[strcspn(b->text, "\n")] = 0;
            b->line = n, b->float_mode = 0xf0, b->scratch = 64, b->ieee = b->dx10_clamp = 1;
        } else if (!b) {
            fprintf(stderr, "%s:%u: no block\n", path, n);
            exit(2);
        } else if (strncmp(line, "mode ", 5) == 0) {
            parse_mode(b, n, line);
        } else if (strncmp(line, "hex ", 4) == 0) {
            parse_hex(b, n, line);
        } else {
            parse_sides(b, n, line);
        }
    }
    fclose(f);
}

/* ---- the program ---------------------------------------------------------- */

struct program {
    const struct run *run;
    const struct codeobj_processor *processor;
    unsigned wave;
    uint32_t *code;
    size_t count;
    uint64_t base, buffer;
    size_t *marker; /* word index of each row's s_nop */
    size_t checked;
    char failure[512]; /* the first one; the hook may run in a thread that must not be left by a jump */
    struct codeobj_device *device;
};

static void emit(struct program *p, uint32_t word)
{
    p->code = grow(p->code, p->count, sizeof *p->code);
    p->code[p->count++] = word;
}

static void set_vgpr(struct program *p, unsigned reg, uint32_t value)
{
    emit(p, 0x7e0002ff | reg << 17); /* v_mov_b32 vN, literal */
    emit(p, value);
}

/* s_mov_b32 is 3 on gfx6, gfx7 and gfx10, 0 on the others. */
static void set_sgpr(struct program *p, unsigned reg, uint32_t value)
{
    uint8_t gen = p->processor->gen;
    uint32_t op = gen <= CODEOBJ_GEN_GFX7 || gen == CODEOBJ_GEN_GFX10 ? 3 : 0;
    emit(p, 0xbe8000ff | reg << 16 | op << 8);
    emit(p, value);
}

static unsigned m0_number(const struct program *p)
{
    return p->processor->gen >= CODEOBJ_GEN_GFX11 ? 125 : 124;
}

static void set_input(struct program *p, const struct reg *r, const struct value *v)
{
    uint32_t bits[8];
    memcpy(bits, v->bits, sizeof bits);
    if (v->how == V_ADDRESS) {
        uint64_t addr = p->buffer + v->bits[0];
        bits[0] = (uint32_t)addr, bits[1] = (uint32_t)(addr >> 32);
    }
    for (unsigned d = 0; d < r->dwords; d++) {
        switch (r->kind) {
        case R_VGPR: set_vgpr(p, r->number + d, bits[d]); break;
        case R_AGPR:
            set_vgpr(p, 127, bits[d]);
            emit(p, 0xd3d94000 | (r->number + d)); /* v_accvgpr_write_b32 aN, v127 */
            emit(p, 0x18000000 | 0x17f);
            break;
        case R_SGPR: set_sgpr(p, r->number + d, bits[d]); break;
        case R_VCC: set_sgpr(p, 106 + d, bits[d]); break;
        case R_EXEC: set_sgpr(p, 126 + d, bits[d]); break;
        case R_M0: set_sgpr(p, m0_number(p), bits[d]); break;
        case R_SCC: emit(p, bits[0] ? 0xbf068080 : 0xbf068180); break; /* s_cmp_eq_u32 0, 0 or 1 */
        case R_MEM: break;
        }
    }
}

static void set_inputs(struct program *p, const struct row *row)
{
    const struct block *b = p->run->block;
    set_sgpr(p, 126, ~0u);
    if (p->wave == 64)
        set_sgpr(p, 127, ~0u);
    /* EXEC last, and VGPRs before it; SCC after anything that might change it. */
    for (int pass = 0; pass < 3; pass++)
        for (unsigned i = 0; i < b->in_count; i++) {
            int when = b->in[i].kind == R_EXEC ? 2 : b->in[i].kind == R_SCC ? 1 : 0;
            if (when == pass)
                set_input(p, &b->in[i], &row->in[i]);
        }
}

static void make_code(struct program *p)
{
    const struct block *b = p->run->block;
    for (size_t r = 0; r < b->row_count; r++) {
        set_inputs(p, &b->rows[r]);
        for (unsigned w = 0; w < p->run->word_count; w++)
            emit(p, p->run->words[w]);
        p->marker[r] = p->count;
        emit(p, S_NOP);
    }
    emit(p, p->processor->gen >= CODEOBJ_GEN_GFX11 ? 0xbfb00000 : 0xbf810000); /* s_endpgm */
    for (int i = 0; i < 64; i++)
        emit(p, S_NOP);
}

/* ---- an object around it -------------------------------------------------- */

static void put(uint8_t *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Kernel descriptor (AMDHSA): 128 VGPRs or so, the kernarg pointer in s[0:1]. */
static void put_descriptor(uint8_t *kd, const struct program *p, int64_t entry)
{
    const struct block *b = p->run->block;
    uint8_t gen = p->processor->gen;
    uint32_t rsrc1 = 31 | 12u << 6 | b->float_mode << 12 | b->fp16_ovfl << 26;
    if (gen < CODEOBJ_GEN_GFX12)
        rsrc1 |= b->dx10_clamp << 21 | b->ieee << 23;
    if (gen >= CODEOBJ_GEN_GFX10)
        rsrc1 |= 1u << 30; /* MEM_ORDERED */
    put(kd, 16384, 4); /* LDS */
    put(kd + 4, b->scratch, 4);
    put(kd + 8, 16, 4);
    put(kd + 16, (uint64_t)entry, 8);
    put(kd + 44, p->processor->features & CODEOBJ_FEATURE_UNIFIED_VGPR ? 31 : 0, 4); /* 128 VGPRs, then AGPRs */
    put(kd + 48, rsrc1, 4);
    const bool gfx125 = p->processor->major == 12 && p->processor->minor >= 5;
    if (b->dynamic_vgprs && gfx125)
        put(kd + 44, 1u << 17, 4);
    /* two user SGPRs, work-group ID x */
    put(kd + 52, 2u << 1 | 1u << 7 | (b->dynamic_vgprs && !gfx125 ? 1u << 6 : 0), 4);
    put(kd + 56, 1u << 3 | (gen >= CODEOBJ_GEN_GFX10 && p->wave == 32 ? 1u << 10 : 0), 2);
}

#define TEXT_OFF 0x1000u
#define KD_OFF 0x200u

static void put_section(uint8_t *sh, uint32_t name, uint32_t type, uint64_t flags, uint64_t off, uint64_t size, uint32_t link,
                        uint32_t info, uint64_t entsize)
{
    put(sh, name, 4), put(sh + 4, type, 4), put(sh + 8, flags, 8), put(sh + 16, flags ? off : 0, 8), put(sh + 24, off, 8);
    put(sh + 32, size, 8), put(sh + 40, link, 4), put(sh + 44, info, 4), put(sh + 48, 8, 8), put(sh + 56, entsize, 8);
}

static void put_segment(uint8_t *ph, uint32_t flags, uint64_t off, uint64_t size)
{
    put(ph, 1, 4), put(ph + 4, flags, 4), put(ph + 8, off, 8), put(ph + 16, off, 8), put(ph + 24, off, 8);
    put(ph + 32, size, 8), put(ph + 40, size, 8), put(ph + 48, 0x1000, 8);
}

static void put_symbol(uint8_t *st, uint32_t name, uint8_t info, uint16_t section, uint64_t value, uint64_t size)
{
    put(st, name, 4), st[4] = info, st[5] = 3, put(st + 6, section, 2), put(st + 8, value, 8), put(st + 16, size, 8);
}

static uint8_t *put_text(uint8_t *at, const char *text)
{
    size_t n = strlen(text); /* MessagePack: fixstr below 32 bytes */
    *at++ = (uint8_t)(0xa0 | n);
    memcpy(at, text, n);
    return at + n;
}

static uint8_t *put_number(uint8_t *at, const char *key, unsigned value)
{
    at = put_text(at, key);
    *at++ = 0xcd; /* uint 16, the high byte first */
    *at++ = (uint8_t)(value >> 8), *at++ = (uint8_t)value;
    return at;
}

/* NT_AMDGPU_METADATA: one kernel without arguments.  Returns the note's size. */
static size_t put_note(uint8_t *note, unsigned wave)
{
    uint8_t *at = note + 20;
    *at++ = 0x82;
    at = put_text(at, "amdhsa.version");
    *at++ = 0x92, *at++ = 1, *at++ = 2;
    at = put_text(at, "amdhsa.kernels");
    *at++ = 0x91, *at++ = 0x8a;
    at = put_text(put_text(at, ".name"), "t");
    at = put_text(put_text(at, ".symbol"), "t.kd");
    at = put_number(at, ".kernarg_segment_size", 16);
    at = put_number(at, ".kernarg_segment_align", 8);
    at = put_number(at, ".group_segment_fixed_size", 16384);
    at = put_number(at, ".private_segment_fixed_size", 64);
    at = put_number(at, ".wavefront_size", wave);
    at = put_number(at, ".sgpr_count", 100);
    at = put_number(at, ".vgpr_count", 128);
    at = put_number(at, ".max_flat_workgroup_size", 64);
    put(note, 7, 4), put(note + 4, (uint64_t)(at - note - 20), 4), put(note + 8, 32, 4);
    memcpy(note + 12, "AMDGPU", 7);
    return ((size_t)(at - note) + 3) & ~(size_t)3;
}

/* ET_DYN: .rodata with the descriptor, .text, .dynsym, .dynstr, .shstrtab, .note; file offsets are addresses. */
static uint8_t *make_object(const struct program *p, size_t *size)
{
    static const char names[] = "\0.rodata\0.text\0.dynsym\0.dynstr\0.shstrtab\0t\0t.kd\0.note";
    size_t text = p->count * 4, end = TEXT_OFF + text, shoff = (end + 7) & ~(size_t)7;
    *size = shoff + 7 * 64;
    uint8_t *o = calloc(1, *size);
    struct codeobj_target target = { .processor = p->processor,
                                     .xnack = p->processor->has_xnack ? CODEOBJ_MODE_ANY : CODEOBJ_MODE_UNSUPPORTED,
                                     .sramecc = p->processor->has_sramecc ? CODEOBJ_MODE_ANY : CODEOBJ_MODE_UNSUPPORTED };
    assert_non_null(o);
    memcpy(o, "\177ELF\2\1\1", 7);
    const uint8_t abi = p->processor->generic_version ? 4 : 3; /* generic ones are there from V6 on */
    target.generic_version = p->processor->generic_version;
    o[7] = EM_AMDGPU_ELFOSABI, o[8] = abi;
    put(o + 16, 3, 2), put(o + 18, 224, 2), put(o + 20, 1, 4), put(o + 32, 64, 8), put(o + 40, shoff, 8);
    put(o + 48, codeobj_target_to_flags(&target, EM_AMDGPU_ELFOSABI, abi), 4);
    put(o + 52, 64, 2), put(o + 54, 56, 2), put(o + 56, 2, 2), put(o + 58, 64, 2), put(o + 60, 7, 2), put(o + 62, 5, 2);
    put_segment(o + 64, 4, 0, 0x800);
    put_segment(o + 64 + 56, 5, TEXT_OFF, text);
    put_descriptor(o + KD_OFF, p, (int64_t)TEXT_OFF - KD_OFF);
    memcpy(o + TEXT_OFF, p->code, text);
    memcpy(o + 0x400, names, sizeof names);
    put_symbol(o + 0x300 + 24, 41, 0x12, 2, TEXT_OFF, text);
    put_symbol(o + 0x300 + 48, 43, 0x11, 1, KD_OFF, 64);
    put_section(o + shoff + 64, 1, 1, 2, KD_OFF, 64, 0, 0, 0);
    put_section(o + shoff + 128, 9, 1, 6, TEXT_OFF, text, 0, 0, 0);
    put_section(o + shoff + 192, 15, 11, 2, 0x300, 72, 4, 1, 24);
    put_section(o + shoff + 256, 23, 3, 2, 0x400, sizeof names, 0, 0, 0);
    put_section(o + shoff + 320, 31, 3, 0, 0x400, sizeof names, 0, 0, 0);
    put_section(o + shoff + 384, 48, 7, 2, 0x500, put_note(o + 0x500, p->wave), 0, 0, 0);
    return o;
}

/* ---- looking at the state ------------------------------------------------- */

static int matches(const struct value *v, const uint32_t *bits, unsigned dwords)
{
    switch (v->how) {
    case V_ANY: return 1;
    case V_NAN16: return (bits[0] & 0x7e00) == 0x7e00;
    case V_NAN: return dwords == 2 ? (bits[1] & 0x7ff80000) == 0x7ff80000 : (bits[0] & 0x7fc00000) == 0x7fc00000;
    default:
        for (unsigned d = 0; d < dwords; d++)
            if ((bits[d] ^ v->bits[d]) & ~v->ignored[d])
                return 0;
        return 1;
    }
}

static void read_register(const struct program *p, const struct codeobj_exec_wave *w, const struct reg *r, unsigned lane,
                          uint32_t *bits)
{
    for (unsigned d = 0; d < r->dwords; d++) {
        switch (r->kind) {
        case R_VGPR: bits[d] = codeobj_exec_wave_vgpr(w, r->number + d, lane); break;
        case R_AGPR: bits[d] = codeobj_exec_wave_agpr(w, r->number + d, lane); break;
        case R_SGPR: bits[d] = codeobj_exec_wave_sgpr(w, r->number + d); break;
        case R_VCC: bits[d] = codeobj_exec_wave_sgpr(w, 106 + d); break;
        case R_EXEC: bits[d] = (uint32_t)(codeobj_exec_wave_exec(w) >> 32 * d); break;
        case R_M0: bits[d] = codeobj_exec_wave_sgpr(w, m0_number(p)); break;
        case R_SCC: bits[d] = codeobj_exec_wave_scc(w); break;
        case R_MEM:
            if (codeobj_device_read(p->device, p->buffer + r->number, &bits[d], 4, NULL) != CODEOBJ_OK)
                bits[d] = 0xdeadbeef;
        }
    }
}

static void check_register(struct program *p, const struct codeobj_exec_wave *w, const struct row *row, unsigned out, unsigned lane)
{
    const struct reg *r = &p->run->block->out[out];
    const struct value *v = &row->out[out];
    uint32_t got[8] = { 0 };
    unsigned dwords = p->wave == 32 && (r->kind == R_VCC || r->kind == R_EXEC) ? 1 : r->dwords;
    read_register(p, w, r, lane, got);
    if (p->failure[0] || matches(v, got, dwords))
        return;
    char text[160] = "";
    for (unsigned d = r->dwords; d-- > 0;)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%08x", got[d]);
    snprintf(p->failure, sizeof p->failure, "%s:%u: %s on %s: output %u, lane %u: got %s", p->run->block->file, row->line,
             p->run->block->text, p->run->target, out + 1, lane, text);
}

static uint64_t initial_exec(const struct program *p, const struct row *row)
{
    const struct block *b = p->run->block;
    for (unsigned i = 0; i < b->in_count; i++)
        if (b->in[i].kind == R_EXEC)
            return row->in[i].bits[0] | (p->wave == 64 ? (uint64_t)row->in[i].bits[1] << 32 : 0);
    return p->wave == 64 ? ~(uint64_t)0 : 0xffffffff;
}

static bool look(void *user, const struct codeobj_exec_event *event)
{
    struct program *p = user;
    const struct block *b = p->run->block;
    if (p->checked >= b->row_count || event->pc != p->base + p->marker[p->checked] * 4)
        return true;
    const struct row *row = &b->rows[p->checked++];
    uint64_t exec = initial_exec(p, row);
    for (unsigned i = 0; i < b->out_count; i++) {
        const struct reg *r = &b->out[i];
        if (r->lane >= 0)
            check_register(p, event->state, row, i, (unsigned)r->lane);
        else if (r->kind == R_VGPR || r->kind == R_AGPR)
            for (unsigned lane = 0; lane < p->wave; lane++) {
                if (exec >> lane & 1)
                    check_register(p, event->state, row, i, lane);
            }
        else
            check_register(p, event->state, row, i, 0);
    }
    return true;
}

/* ---- running -------------------------------------------------------------- */

static void fill_buffer(struct program *p)
{
    const struct block *b = p->run->block;
    uint8_t bytes[BUFFER_SIZE];
    for (unsigned i = 0; i < BUFFER_SIZE; i++)
        bytes[i] = (uint8_t)(i * 7 + (i >> 8));
    for (unsigned i = 0; i < b->in_count; i++) /* the first row's value: memory is set once */
        if (b->in[i].kind == R_MEM)
            put(bytes + b->in[i].number, b->rows[0].in[i].bits[0], 4);
    assert_int_equal(codeobj_device_write(p->device, p->buffer, bytes, BUFFER_SIZE, NULL), CODEOBJ_OK);
}

static void run_block(void **state)
{
    struct program p = { .run = *state };
    struct codeobj_diag diag = { 0 };
    struct codeobj_elf *elf = NULL;
    char name[24], text[1024];
    uint64_t code_size;
    size_t size;
    snprintf(name, sizeof name, "%s", p.run->target);
    char *wave64 = strstr(name, "-w64");
    if (wave64)
        *wave64 = 0;
    p.processor = codeobj_processor_by_name(name);
    assert_non_null(p.processor);
    p.wave = wave64 || p.processor->gen < CODEOBJ_GEN_GFX10 ? 64 : 32;
    p.marker = calloc(p.run->block->row_count, sizeof *p.marker);
    assert_non_null(p.marker);
    struct codeobj_target target = { .processor = p.processor };
    target.xnack = p.processor->has_xnack ? CODEOBJ_MODE_ANY : CODEOBJ_MODE_UNSUPPORTED;
    target.sramecc = p.processor->has_sramecc ? CODEOBJ_MODE_ANY : CODEOBJ_MODE_UNSUPPORTED;
    enum codeobj_status s = codeobj_device_new(&target, NULL, &p.device, &diag);
    if (s == CODEOBJ_OK)
        s = codeobj_device_alloc(p.device, BUFFER_SIZE, "buffer", &p.buffer, &diag);
    uint8_t *object = NULL;
    if (s == CODEOBJ_OK) {
        fill_buffer(&p);
        make_code(&p);
        object = make_object(&p, &size);
        s = codeobj_elf_open_memory(object, size, NULL, &elf, &diag);
    }
    if (s == CODEOBJ_OK)
        s = codeobj_device_load(p.device, elf, &diag);
    if (s == CODEOBJ_OK)
        s = codeobj_device_symbol(p.device, "t", &p.base, &code_size);
    if (s == CODEOBJ_OK) {
        struct codeobj_dispatch d = { .size = sizeof d, .kernel = "t", .dims = 1, .grid = { p.wave }, .workgroup = { p.wave },
                                      .threads = 1, .max_instructions = 1000000, .trace = look, .user = &p };
        s = codeobj_device_dispatch(p.device, &d, NULL, &diag);
    }
    codeobj_diag_format(&diag, text, sizeof text);
    codeobj_device_free(p.device);
    codeobj_elf_free(elf);
    free(object);
    free(p.code);
    free(p.marker);
    if (s != CODEOBJ_OK)
        fail_msg("%s:%u: %s on %s: %s", p.run->block->file, p.run->block->line, p.run->block->text, p.run->target, text);
    if (p.failure[0])
        fail_msg("%s", p.failure);
    assert_int_equal(p.checked, p.run->block->row_count);
}

/* Processors with all instructions of the one that the cases name, the generic ones among them: each third run of cases is
 * run on one of them too, in turns. */
static const struct {
    const char *name, *alike[6];
} twins[] = {
    { "gfx1010", { "gfx10-1-generic", "gfx1011", "gfx10-1-generic", "gfx1012", "gfx1013" } },
    { "gfx1030", { "gfx10-3-generic", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035" } },
    { "gfx1100", { "gfx11-generic", "gfx1101", "gfx11-generic", "gfx1102", "gfx1103" } },
    { "gfx1150", { "gfx1151", "gfx1152", "gfx1153" } },
    { "gfx1200", { "gfx12-generic", "gfx1201" } },
};

static void add_twins(void)
{
    const size_t count = run_count;
    unsigned turns[sizeof twins / sizeof *twins] = { 0 };
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < sizeof twins / sizeof *twins; t++) {
            const size_t length = strlen(twins[t].name);
            if (strncmp(runs[i].target, twins[t].name, length) != 0 || (runs[i].target[length] && runs[i].target[length] != '-') || turns[t]++ % 3)
                continue;
            unsigned n = 1;
            while (n < 6 && twins[t].alike[n])
                n++;
            struct run twin = runs[i];
            snprintf(twin.target, sizeof twin.target, "%s%s", twins[t].alike[turns[t] / 3 % n], runs[i].target + length);
            runs = grow(runs, run_count, sizeof *runs);
            runs[run_count++] = twin;
        }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Every tests/unit/exec/NAME.cases, in the order of their names. */
static void read_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    char **names = NULL, path[300];
    size_t count = 0;
    if (!dir) {
        perror(folder);
        exit(2);
    }
    for (struct dirent *e; (e = readdir(dir));) {
        const size_t length = strlen(e->d_name);
        if (length < 6 || strcmp(e->d_name + length - 6, ".cases") != 0)
            continue;
        names = grow(names, count, sizeof *names);
        if (!(names[count++] = strdup(e->d_name)))
            abort();
    }
    closedir(dir);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        read_cases(path);
        free(names[i]);
    }
    free(names);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        read_cases(argv[1]);
    else
        read_folder("tests/unit/exec");
    add_twins();
    struct CMUnitTest *tests = calloc(run_count, sizeof *tests);
    if (!tests)
        return 1;
    for (size_t i = 0; i < run_count; i++) {
        char *name = malloc(strlen(runs[i].block->text) + 64);
        if (!name)
            return 1;
        sprintf(name, "%s [%s]", runs[i].block->text, runs[i].target);
        tests[i] = (struct CMUnitTest){ .name = name, .test_func = run_block, .initial_state = &runs[i] };
    }
    int failed = _cmocka_run_group_tests("exec cases", tests, run_count, NULL, NULL);
    return failed != 0;
}

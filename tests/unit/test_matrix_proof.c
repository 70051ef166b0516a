/* SPDX-License-Identifier: MIT
 *
 * Matrix instructions: kernels of fixtures/lanes (matrix.list) against a triple loop
 * over the elements, found by the layouts of codeobj/subgroup.h; random inputs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/codeobj.h>
#include <codeobj/subgroup.h>

#define DIR "fixtures/lanes/"
enum { A_ROWS = 16, B_ROWS = 16, C_ROWS = 32, INDEX_ROWS = 4, ROWS = 66, ROUNDS = 2 };

static uint64_t random_state = 88172645463325252u;

static uint32_t random32(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

/* Registers by [row][lane]: A, B, C, index. */
struct registers {
    uint32_t a[A_ROWS][64], b[B_ROWS][64], c[C_ROWS][64], index[INDEX_ROWS][64], d[C_ROWS][64];
};

struct modifiers {
    unsigned cbsz, abid, blgp, key, neg_lo, neg_hi, format[2];
    bool clamp, high, scaled;
    unsigned scale_byte[2]; /* MFMA */
    unsigned scale_row[2], scale_format[2], scale_block; /* WMMA */
};

/* ---- values ----------------------------------------------------------------------------- */

static uint64_t bits_at(uint32_t (*row)[64], unsigned bit, unsigned bits, unsigned lane)
{
    uint64_t v = row[bit / 32][lane] >> bit % 32;
    if (bit % 32 + bits > 32)
        v |= (uint64_t)row[bit / 32 + 1][lane] << (32 - bit % 32);
    return bits == 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

/* A small float: sign, `exp` exponent bits, `mant` fraction bits.  kind 0 IEEE, 1 no infinity (NaN all ones),
 * 2 no infinity (NaN is -0), 3 numbers alone. */
static double small(unsigned v, unsigned exp, unsigned mant, int bias, int kind)
{
    const unsigned sign = v >> (exp + mant) & 1, e = v >> mant & ((1u << exp) - 1), m = v & ((1u << mant) - 1);
    const unsigned top = (1u << exp) - 1, magnitude = v & ((1u << (exp + mant)) - 1);
    if ((kind == 0 && e == top && m) || (kind == 1 && magnitude == (1u << (exp + mant)) - 1) ||
        (kind == 2 && sign && !magnitude))
        return NAN;
    double x = kind == 0 && e == top ? INFINITY : e ? ldexp(1.0 + m / (double)(1u << mant), (int)e - bias) : ldexp(m, 1 - bias - (int)mant);
    return sign ? -x : x;
}

static double value(const struct codeobj_processor *p, enum codeobj_matrix_type type, uint64_t v)
{
    const bool fnuz = p->gen == CODEOBJ_GEN_GFX9 && p->minor == 4;
    uint32_t w = (uint32_t)v;
    float f;
    double d;
    switch (type) {
    case CODEOBJ_MATRIX_F64: memcpy(&d, &v, 8); return d;
    case CODEOBJ_MATRIX_F32: memcpy(&f, &w, 4); return f;
    case CODEOBJ_MATRIX_XF32: /* nearest even of 10 fraction bits */
        w = (w + 0xfff + (w >> 13 & 1)) & ~0x1fffu;
        memcpy(&f, &w, 4);
        return f;
    case CODEOBJ_MATRIX_BF16:
        w <<= 16;
        memcpy(&f, &w, 4);
        return f;
    case CODEOBJ_MATRIX_F16: return small(w, 5, 10, 15, 0);
    case CODEOBJ_MATRIX_FP8: return small(w, 4, 3, fnuz ? 8 : 7, fnuz ? 2 : 1);
    case CODEOBJ_MATRIX_BF8: return small(w, 5, 2, fnuz ? 16 : 15, fnuz ? 2 : 0);
    case CODEOBJ_MATRIX_FP6: return small(w, 2, 3, 1, 3);
    case CODEOBJ_MATRIX_BF6: return small(w, 3, 2, 3, 3);
    case CODEOBJ_MATRIX_FP4: return small(w, 2, 1, 1, 3);
    default: return 0;
    }
}

/* Random bits that are a number of moderate size. */
static void fill(struct registers *r, const struct codeobj_matrix *m)
{
    uint32_t *all[] = { r->a[0], r->b[0], r->c[0], r->index[0] };
    const unsigned rows[] = { A_ROWS, B_ROWS, C_ROWS, INDEX_ROWS };
    for (unsigned o = 0; o < 4; o++)
        for (unsigned i = 0; i < rows[o] * 64; i++) {
            const unsigned type = o == 0 ? m->a : o == 1 ? m->b : m->c_f32 ? CODEOBJ_MATRIX_F32 : m->d;
            uint32_t v = random32();
            if (o < 3 && (type == CODEOBJ_MATRIX_F32 || type == CODEOBJ_MATRIX_XF32))
                v = (v & 0x83ffffff) | 0x3c000000;
            else if (o < 3 && type == CODEOBJ_MATRIX_F16)
                v = (v & 0x8fff8fff) | 0x30003000;
            else if (o < 3 && type == CODEOBJ_MATRIX_BF16)
                v = (v & 0x83ff83ff) | 0x3c003c00;
            else if (o < 3 && type == CODEOBJ_MATRIX_F64)
                v = i / 64 % 2 ? (v & 0x801fffff) | 0x3fe00000 : v;
            else if (o < 3 && (type == CODEOBJ_MATRIX_FP8 || type == CODEOBJ_MATRIX_BF8 || type == CODEOBJ_MATRIX_F8F6F4))
                v &= 0xbfbfbfbf; /* no NaN, no infinity */
            all[o][i] = v;
        }
}

/* ---- the reference ---------------------------------------------------------------------- */

struct product {
    double a[16][32][128], b[16][32][128], c[16][32][32]; /* [block][row][k], [block][column][k] */
    int64_t ia[16][32][128], ib[16][32][128], ic[16][32][32];
    bool stored[32][128];
};

static int64_t integer(enum codeobj_matrix_type type, uint64_t v, bool is_signed)
{
    if (type == CODEOBJ_MATRIX_I32)
        return (int32_t)v;
    if (type == CODEOBJ_MATRIX_IU4)
        return is_signed ? (int64_t)(v ^ 8) - 8 : (int64_t)v;
    return is_signed || type == CODEOBJ_MATRIX_I8 ? (int8_t)v : (int64_t)v;
}

static bool is_integer(enum codeobj_matrix_type t)
{
    return t == CODEOBJ_MATRIX_I32 || t == CODEOBJ_MATRIX_I8 || t == CODEOBJ_MATRIX_IU8 || t == CODEOBJ_MATRIX_IU4;
}

/* MFMA: lane row + M * (k / 32) has the scale of 32 k.  WMMA: lane row has a byte for each 32 (or 16) k. */
static double scale_of(const struct codeobj_matrix *m, struct registers *r, const struct modifiers *mod, unsigned o,
                       unsigned row, unsigned k)
{
    const unsigned rows_of = o == CODEOBJ_MATRIX_A ? m->m : m->n;
    if (m->family == CODEOBJ_MATRIX_MFMA)
        return ldexp(1, (int)(r->index[o][row + rows_of * (k / 32)] >> 8 * mod->scale_byte[o] & 0xff) - 127);
    const unsigned block = k / mod->scale_block, first = o * (mod->scale_block == 16 ? 2 : 1);
    const unsigned v = r->index[first + block / 4][row + 16 * mod->scale_row[o]] >> block % 4 * 8 & 0xff;
    switch (mod->scale_format[o]) {
    case 0: return ldexp(1, (int)v - 127);
    case 1: return ldexp(8 + (v & 7), (int)(v >> 3) - 18); /* E5M3: bias 15, no sign */
    default: return small(v, 4, 3, 7, 1);
    }
}

static void gather(const struct codeobj_processor *p, const struct codeobj_matrix *m, unsigned wave,
                   struct registers *r, const struct modifiers *mod, struct product *out)
{
    memset(out, 0, sizeof *out);
    for (int o = CODEOBJ_MATRIX_A; o <= CODEOBJ_MATRIX_C; o++) {
        const enum codeobj_matrix_type t =
            codeobj_matrix_operand_type(m, (enum codeobj_matrix_operand)o, o < 2 ? mod->format[o] : 0);
        const unsigned bits = codeobj_matrix_type_bits(t), n = codeobj_matrix_elements(m, o, t, wave);
        uint32_t(*rows)[64] = o == CODEOBJ_MATRIX_A ? r->a : o == CODEOBJ_MATRIX_B ? r->b : r->c;
        for (unsigned lane = 0; lane < wave; lane++)
            for (unsigned e = 0; e < n; e++) {
                struct codeobj_matrix_place place;
                if (!codeobj_matrix_element(m, o, t, wave, lane, e, &place))
                    continue;
                const bool f64 = m->d == CODEOBJ_MATRIX_F64, mfma = m->family == CODEOBJ_MATRIX_MFMA;
                const unsigned from = o == CODEOBJ_MATRIX_B && mfma && !f64 && !m->sparse && m->a != CODEOBJ_MATRIX_F8F6F4 ? codeobj_matrix_blgp_lane(lane, mod->blgp) : lane;
                const unsigned bit = codeobj_matrix_bit(m, o, t, e) + (o == CODEOBJ_MATRIX_C && mod->high ? 16 : 0);
                const uint64_t raw = bits_at(rows, bit, bits, from);
                unsigned k = place.col;
                if (is_integer(t)) {
                    const int64_t v = integer(t, raw, mod->neg_lo >> o & 1);
                    if (o == CODEOBJ_MATRIX_C)
                        out->ic[place.block][place.row][place.col] = v;
                    else if (o == CODEOBJ_MATRIX_B)
                        out->ib[place.block][place.row][place.col] = v;
                    else {
                        if (m->sparse) {
                            const unsigned at = codeobj_matrix_index_bit(m, t, wave, e, mod->key);
                            k += (unsigned)bits_at(r->index, at, 2, lane);
                        }
                        /* Both of a pair may choose one place; RDNA3 has every element in several lanes. */
                        int64_t *at = &out->ia[place.block][place.row][k];
                        *at = m->sparse ? *at + v : v;
                    }
                    continue;
                }
                double v = value(p, t, raw);
                if (mod->scaled && o < CODEOBJ_MATRIX_C)
                    v *= scale_of(m, r, mod, (unsigned)o, place.row, place.col);
                const bool neg = f64 ? mod->neg_lo >> o & 1 : o == CODEOBJ_MATRIX_C || !(e & 1) ? mod->neg_lo >> o & 1 : mod->neg_hi >> o & 1;
                if (o == CODEOBJ_MATRIX_C && mod->neg_hi >> 2 & 1)
                    v = fabs(v);
                v = neg ? -v : v;
                if (o == CODEOBJ_MATRIX_C)
                    out->c[place.block][place.row][place.col] = v;
                else if (o == CODEOBJ_MATRIX_B)
                    out->b[place.block][place.row][place.col] = v;
                else
                    out->a[place.block][place.row][place.col + (m->sparse ? e & 1 : 0)] = v;
            }
    }
}

/* The k that each stored element of A stands for. */
static void indices(const struct codeobj_matrix *m, unsigned wave, struct registers *r, const struct modifiers *mod,
                    uint8_t out[32][128])
{
    const enum codeobj_matrix_type t = codeobj_matrix_operand_type(m, CODEOBJ_MATRIX_A, 0);
    for (unsigned lane = 0; lane < wave; lane++)
        for (unsigned e = 0; e < codeobj_matrix_elements(m, CODEOBJ_MATRIX_A, t, wave); e++) {
            struct codeobj_matrix_place place;
            if (codeobj_matrix_element(m, CODEOBJ_MATRIX_A, t, wave, lane, e, &place))
                out[place.row][place.col + (e & 1)] =
                    (uint8_t)(place.col + bits_at(r->index, codeobj_matrix_index_bit(m, t, wave, e, mod->key), 2, lane));
        }
}

static uint64_t expected(const struct codeobj_matrix *m, const struct product *x, uint8_t index[32][128],
                         const struct modifiers *mod, unsigned block, unsigned i, unsigned j)
{
    const bool mfma = m->family == CODEOBJ_MATRIX_MFMA, f64 = m->d == CODEOBJ_MATRIX_F64;
    const unsigned from = mfma && !f64 && !m->sparse ? codeobj_matrix_broadcast_block(block, mod->cbsz, mod->abid) : block;
    if (m->d == CODEOBJ_MATRIX_I32) {
        int64_t s = x->ic[block][i][j];
        for (unsigned k = 0; k < m->k; k++)
            s += x->ia[from][i][k] * x->ib[block][j][k];
        if (mod->clamp)
            s = s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s;
        return (uint32_t)s;
    }
    double d = x->c[block][i][j];
    float f = (float)d;
    for (unsigned k = 0; k < m->k; k++) {
        if (m->sparse && k % 4 > 1)
            continue;
        const double a = x->a[from][i][k], b = x->b[block][j][m->sparse ? index[i][k] : k];
        d = fma(a, b, d);
        f = fmaf((float)a, (float)b, f);
    }
    uint64_t bits = 0;
    if (f64)
        memcpy(&bits, &d, 8);
    else
        memcpy(&bits, &f, 4);
    return bits;
}

/* f32 to 16 bits, nearest even; results are of moderate size. */
static uint32_t narrow(enum codeobj_matrix_type type, uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    if (type == CODEOBJ_MATRIX_BF16)
        return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    int e;
    const float m = frexpf(fabsf(f), &e); /* f16: 11 significant bits, down to 2^-24 */
    const int quantum = e - 11 < -24 ? -24 : e - 11;
    const double scaled = rint(ldexp((double)m, e - quantum));
    const double rounded = ldexp(scaled, quantum);
    frexp(rounded, &e);
    uint32_t h = e < -13 ? (uint32_t)ldexp(rounded, 24) : (uint32_t)(e + 14) << 10 | ((uint32_t)ldexp(rounded, 11 - e) & 0x3ff);
    return h | (bits >> 31 << 15);
}

static void compare(const struct codeobj_processor *p, const struct codeobj_matrix *m, unsigned wave, const char *text,
                    struct registers *r, const struct modifiers *mod)
{
    static struct product x;
    static uint8_t index[32][128];
    const enum codeobj_matrix_type t = codeobj_matrix_operand_type(m, CODEOBJ_MATRIX_D, 0);
    const unsigned bits = codeobj_matrix_type_bits(t);
    gather(p, m, wave, r, mod, &x);
    if (m->sparse)
        indices(m, wave, r, mod, index);
    for (unsigned lane = 0; lane < wave; lane++)
        for (unsigned e = 0; e < codeobj_matrix_elements(m, CODEOBJ_MATRIX_D, t, wave); e++) {
            struct codeobj_matrix_place place;
            if (!codeobj_matrix_element(m, CODEOBJ_MATRIX_D, t, wave, lane, e, &place))
                continue;
            uint64_t want = expected(m, &x, index, mod, place.block, place.row, place.col);
            if (bits == 16)
                want = narrow(t, (uint32_t)want);
            const uint64_t got = bits_at(r->d, codeobj_matrix_bit(m, CODEOBJ_MATRIX_D, t, e) + (mod->high ? 16 : 0), bits, lane);
            if (got != want)
                fail_msg("%s on %s wave%u: block %u (%u,%u): 0x%llx, expected 0x%llx", text, p->name, wave, place.block,
                         place.row, place.col, (unsigned long long)got, (unsigned long long)want);
        }
}

/* ---- running ------------------------------------------------------------------------------- */

static unsigned number(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? (unsigned)strtoul(at + strlen(name), NULL, 10) : 0;
}

static unsigned bit_list(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? (unsigned)((at[strlen(name)] - '0') | (at[strlen(name) + 2] - '0') << 1 | (at[strlen(name) + 4] - '0') << 2) : 0;
}

static struct modifiers parse_modifiers(const struct codeobj_matrix *m, const char *text)
{
    struct modifiers mod = { .cbsz = number(text, "cbsz:"), .abid = number(text, "abid:"), .blgp = number(text, "blgp:") };
    mod.neg_lo = bit_list(text, "neg_lo:[");
    mod.neg_hi = bit_list(text, "neg_hi:[");
    mod.clamp = strstr(text, "clamp") != NULL;
    mod.high = bit_list(text, "op_sel:[") >> 2 & 1;
    mod.key = m->family == CODEOBJ_MATRIX_MFMA ? (mod.cbsz ? 0 : mod.abid) : number(text, "index_key:");
    if (m->a == CODEOBJ_MATRIX_F8F6F4) { /* the modifiers are formats */
        static const char *const names[] = { "FP8", "BF8", "FP6", "BF6", "FP4" };
        mod.format[0] = mod.cbsz;
        mod.format[1] = mod.blgp;
        for (unsigned f = 0; f < 5; f++) {
            char a[48], b[48];
            snprintf(a, sizeof a, "matrix_a_fmt:MATRIX_FMT_%s", names[f]);
            snprintf(b, sizeof b, "matrix_b_fmt:MATRIX_FMT_%s", names[f]);
            mod.format[0] = strstr(text, a) ? f : mod.format[0];
            mod.format[1] = strstr(text, b) ? f : mod.format[1];
        }
        mod.cbsz = mod.abid = mod.blgp = 0;
        for (unsigned o = 0; o < 2; o++)
            mod.scale_byte[o] = (bit_list(text, "op_sel:[") >> o & 1) | (bit_list(text, "op_sel_hi:[") >> o & 1) << 1;
        mod.high = false;
    }
    mod.scaled = strstr(text, "_scale_f32") || strstr(text, "_scale16_f32");
    mod.scale_block = strstr(text, "_scale16_") ? 16 : 32;
    for (unsigned o = 0; o < 2; o++) {
        static const char *const formats[] = { "E8", "E5M3", "E4M3" };
        char key[48];
        snprintf(key, sizeof key, "matrix_%c_scale:MATRIX_SCALE_ROW1", 'a' + (int)o);
        mod.scale_row[o] = strstr(text, key) != NULL;
        for (unsigned f = 0; f < 3; f++) {
            snprintf(key, sizeof key, "matrix_%c_scale_fmt:MATRIX_SCALE_FMT_%s", 'a' + (int)o, formats[f]);
            mod.scale_format[o] = strstr(text, key) ? f : mod.scale_format[o];
        }
    }
    if (m->d == CODEOBJ_MATRIX_F64)
        mod.neg_lo = strstr(text, "neg:") ? bit_list(text, "neg:[") : mod.blgp;
    return mod;
}

static void put_rows(struct codeobj_device *device, uint64_t addr, uint32_t (*rows)[64], unsigned count, unsigned wave)
{
    for (unsigned i = 0; i < count; i++)
        codeobj_device_write(device, addr + (uint64_t)i * wave * 4, rows[i], wave * 4, NULL);
}

static void prove(const char *cpu, unsigned wave)
{
    static struct registers r;
    struct codeobj_diag diag = { 0 };
    struct codeobj_target target;
    struct codeobj_device *device;
    struct codeobj_elf *elf;
    uint64_t addr[5];
    char path[128], object[32], line[512];
    snprintf(object, sizeof object, "%s-w%u", cpu, wave);
    snprintf(path, sizeof path, DIR "matrix-%s.co", object);
    assert_int_equal(codeobj_elf_open_file(path, NULL, &elf, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_target_parse(cpu, &target, &diag), CODEOBJ_OK);
    assert_int_equal(codeobj_device_new(&target, NULL, &device, &diag), CODEOBJ_OK);
    if (codeobj_device_load(device, elf, &diag) != CODEOBJ_OK)
        fail_msg("%s: %s", path, diag.text);
    for (unsigned i = 0; i < 5; i++)
        codeobj_device_alloc(device, 32 * 64 * 4, "matrix", &addr[i], NULL);
    FILE *list = fopen(DIR "matrix.list", "r");
    assert_non_null(list);
    unsigned n = 0;
    while (fgets(line, sizeof line, list)) {
        char *rest = strchr(line, '|'), *text = strrchr(line, '|');
        if (line[0] == '#' || !rest)
            continue;
        *rest = 0;
        char *found = strstr(line, object);
        if (!found)
            continue;
        text += 2;
        text[strcspn(text, "\n")] = 0;
        char mnemonic[64], kernel[16];
        snprintf(mnemonic, sizeof mnemonic, "%.*s", (int)strcspn(text, " "), text);
        snprintf(kernel, sizeof kernel, "m%u", n++);
        const struct codeobj_matrix *m = codeobj_matrix_find(mnemonic, target.processor);
        assert_non_null(m);
        const struct modifiers mod = parse_modifiers(m, text);
        for (unsigned round = 0; round < ROUNDS; round++) {
            fill(&r, m);
            for (unsigned i = 0; mod.scaled && i < 64 * INDEX_ROWS; i++) { /* 2^-4 to 2^3 or so */
                static const uint32_t least[] = { 0x7b7b7b7b, 0x70707070, 0x30303030 };
                const unsigned o = mod.scale_block == 16 ? i / 128 : i / 64 & 1, f = mod.scale_format[o];
                r.index[i / 64][i % 64] = (r.index[i / 64][i % 64] & (f ? 0x0f0f0f0f : 0x07070707)) + least[f];
            }
            put_rows(device, addr[1], r.a, A_ROWS, wave);
            put_rows(device, addr[2], r.b, B_ROWS, wave);
            put_rows(device, addr[3], r.c, C_ROWS, wave);
            put_rows(device, addr[4], r.index, INDEX_ROWS, wave);
            const struct codeobj_dispatch d = { .size = sizeof d, .kernel = kernel, .grid = { wave }, .workgroup = { wave },
                                                .kernarg = addr, .kernarg_size = sizeof addr, .threads = 1 };
            if (codeobj_device_dispatch(device, &d, NULL, &diag) != CODEOBJ_OK)
                fail_msg("%s: %s", text, diag.text);
            for (unsigned i = 0; i < C_ROWS; i++)
                codeobj_device_read(device, addr[0] + (uint64_t)i * wave * 4, r.d[i], wave * 4, NULL);
            compare(target.processor, m, wave, text, &r, &mod);
        }
    }
    fclose(list);
    codeobj_device_free(device);
    codeobj_elf_free(elf);
    assert_true(n >= 16);
}

#define PROCESSORS(X) \
    X(gfx908, 64) X(gfx90a, 64) X(gfx942, 64) X(gfx950, 64) X(gfx1100, 32) X(gfx1100, 64) X(gfx1201, 32) X(gfx1201, 64) X(gfx1250, 32)
#define PROOF(cpu, wave)                           \
    static void matrix_##cpu##_w##wave(void **s)   \
    {                                              \
        (void)s;                                   \
        prove(#cpu, wave);                         \
    }
PROCESSORS(PROOF)

int main(void)
{
#define TESTS(cpu, wave) cmocka_unit_test(matrix_##cpu##_w##wave),
    const struct CMUnitTest tests[] = { PROCESSORS(TESTS) };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * tests/peer/isa_peer.c - decodes every opcode of every format with many
 * operand fillings, and words of pure chance, with libcodeobj and with LLVM 22,
 * and compares text, size and validity byte for byte.
 *
 *   isa_peer PROCESSOR [--wave=N] [--format=NAME] [--opcode=N] [--vectors=N]
 *            [--random=N] [--seed=N] [--show=N] [--mnemonics] [--cases=FILE] [--sample=FILE] [--reassemble]
 *
 * --vectors: fillings per opcode; --random: words of pure chance; --show: how
 * many mismatches to print per format; --mnemonics: a line per mnemonic;
 * --reassemble: judge the verdicts instead: llvm-mc makes the same bytes of the text exactly if the word is canonical;
 * --cases: failing vectors as lines for tests/unit/isa; --sample: the first vectors of each mnemonic.
 *
 * Exit status 0 when nothing differs, 1 when something does, 2 on misuse.
 */
#include "isa_peer.h"

#include <codeobj/isa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *cpu, *format, *cases, *sample;
    unsigned wave, vectors, random, show;
    int opcode;
    uint64_t seed;
    bool mnemonics, reassemble;
};

struct count {
    unsigned long vectors, valid, mismatches, crashes, soft, wrong, refused;
    unsigned shown;
};

#define MNEMONIC_SLOTS 16384u
struct mnemonic {
    char name[56];
    unsigned long vectors, mismatches;
};

struct run {
    const struct options *options;
    const struct codeobj_isa *isa;
    struct llvm *llvm;
    struct count per_format[64]; /* the last one: pure chance */
    struct mnemonic *mnemonics;
    unsigned mnemonic_count;
    struct look *looks; /* to be shown to llvm-mc at the end */
    size_t look_count, look_room;
    struct look *texts; /* --reassemble: one per text and verdict, to be assembled */
    size_t text_count, text_room;
    FILE *cases, *sample;
    unsigned wave;
};

static const char *format_name(unsigned format)
{
    return format < format_count ? formats[format].name : "random";
}

static struct mnemonic *mnemonic_find(struct run *run, const char *text)
{
    size_t len = strcspn(text, " ");
    uint32_t h = 2166136261u;

    len = len < sizeof run->mnemonics->name ? len : sizeof run->mnemonics->name - 1;
    for (size_t i = 0; i < len; i++) {
        h = (h ^ (uint8_t)text[i]) * 16777619u;
    }
    for (;; h++) {
        struct mnemonic *m = &run->mnemonics[h % MNEMONIC_SLOTS];

        if (!*m->name) {
            memcpy(m->name, text, len);
            run->mnemonic_count++;
            return m;
        }
        if (!strncmp(m->name, text, len) && !m->name[len]) {
            return m;
        }
    }
}

static void print_case(FILE *f, const struct run *run, const uint32_t *words, size_t size, const char *text);

static void print_words(FILE *f, const uint32_t *words, size_t size)
{
    for (size_t i = 0; i < (size ? (size + 3) / 4 : 2); i++) {
        fprintf(f, "%s%08X", i ? " " : "", words[i]);
    }
}

/* A line of tests/unit/isa/NAME.case. */
static void print_case(FILE *f, const struct run *run, const uint32_t *words, size_t size, const char *text)
{
    unsigned normal = codeobj_isa_processor(run->isa)->gen >= CODEOBJ_GEN_GFX10 ? 32 : 64;

    fputs(run->options->cpu, f);
    if (run->wave != normal) {
        fprintf(f, "/%u", run->wave);
    }
    for (size_t i = 0; i < size / 4; i++) {
        fprintf(f, " %08x", words[i]);
    }
    fprintf(f, " | %s\n", text);
}

/* One answer compared; the text of an invalid word is "". */
static void judge(struct run *run, unsigned format, const uint32_t *words, const char *ours, size_t our_size,
                  const char *theirs, size_t their_size)
{
    struct count *count = &run->per_format[format];
    bool same = !strcmp(ours, theirs) && (!*theirs || our_size == their_size);
    const char *text = *theirs ? theirs : ours;

    if (*text) {
        struct mnemonic *m = mnemonic_find(run, text);

        m->vectors++;
        m->mismatches += !same;
        count->valid++;
        if (run->sample && *theirs && m->vectors <= 2 && !strstr(theirs, "/*"))
            print_case(run->sample, run, words, their_size, theirs);
    }
    if (same) {
        return;
    }
    count->mismatches++;
    if (run->cases && *theirs) {
        print_case(run->cases, run, words, their_size, theirs);
    }
    if (count->shown++ < run->options->show) {
        printf("  %s ", format_name(format));
        print_words(stdout, words, their_size > our_size ? their_size : our_size);
        printf("\n    llvm %2zu '%s'\n    ours %2zu '%s'\n", their_size, theirs, our_size, ours);
    }
}

/* What LLVM 22 itself gets wrong; the reason, or NULL.
 * - decoders of gfx10 and later fall back to the gfx9 table: 0xd3a0.... to 0xd3a2.... become v_fma_mix*,
 *   where gfx10 and gfx11 have nothing and gfx12 VIMAGE opcodes.
 * - v_mfma_*_f8f6f4 and v_wmma_*_f8f6f4 with a constant for six or four registers: LLVM takes its low part, prints 0 or dies.
 * - VOPD3 with a source code 254, a literal of 64 bits, for which there is no room: LLVM takes the instruction's own second and
 *   third dwords.
 * - DPP8 patterns and literals of FMAMK and FMAAK that look like source codes: shown_as_constant().
 * - dpp_ctrl of v_fma_mixlo and v_fma_mixhi, and a constant second source of v_fmac with DPP: mix_dpp_ctrl(), fmac_code().
 * - gfx12: v_cndmask_b32_dpp puts the second source's | around vcc, too.
 * - gfx942 and gfx950: LLVM's compiler writes image instructions in gfx90a's encoding, its
 *   decoder knows none. */
/* Writes " dpp8:[...]" of a pattern. */
static void dpp8_text(char text[32], uint32_t pattern)
{
    size_t n = 0;

    for (unsigned i = 0; i < 8; i++) {
        n += (size_t)snprintf(text + n, 32 - n, "%c%u", i ? ',' : '[', pattern >> 3 * i & 7);
    }
    snprintf(text + n, 32 - n, "]");
}

/* True if theirs is ours with the first `right` exchanged for `wrong`. */
static bool exchanged(const char *ours, const char *theirs, const char *right, const char *wrong)
{
    char text[TEXT_MAX];
    const char *at = strstr(ours, right);

    if (!at) {
        return false;
    }
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - ours), ours, wrong, at + strlen(right));
    return !strcmp(text, theirs);
}

/* A DPP8 pattern or the literal of FMAMK and FMAAK is no source code, but LLVM takes 128 to 208 for inline constants,
 * and shows those (0 to 64, -1 to -16), and 255 for a literal, and shows the dword that follows.  True if theirs is
 * ours with this one change. */
static bool shown_as_constant(const uint32_t *words, const struct codeobj_isa_inst *inst, const char *ours, const char *theirs)
{
    bool dpp8 = inst->encoding == CODEOBJ_ENC_DPP8, long_dpp8 = inst->encoding == CODEOBJ_ENC_E64_DPP8;
    uint32_t v = dpp8 || long_dpp8 ? words[dpp8 ? 1 : 2] >> 8 : (uint32_t)inst->literal, shown;
    char right[32], wrong[32];

    if (v >= 128 && v <= 208) {
        shown = v <= 192 ? v - 128 : 192 - v;
    } else if (v == 255 && (dpp8 || long_dpp8)) {
        shown = words[dpp8 ? 2 : 3];
    } else {
        return false;
    }
    if (dpp8 || long_dpp8) {
        dpp8_text(right, v);
        dpp8_text(wrong, shown);
    } else if (inst->has_literal == 4) {
        snprintf(right, sizeof right, "0x%x", v);
        snprintf(wrong, sizeof wrong, "0x%x", shown);
    } else {
        return false;
    }
    return exchanged(ours, theirs, right, wrong);
}

/* gfx12: |v1|, vcc_lo of v_cndmask_b32_dpp becomes |v1, vcc_lo|. */
static bool abs_around_vcc(const char *ours, const char *theirs)
{
    return !strncmp(ours, "v_cndmask_b32_dpp", 17) &&
           (exchanged(ours, theirs, "|, vcc_lo", ", vcc_lo|") || exchanged(ours, theirs, "|, vcc ", ", vcc| "));
}

/* v_fma_mixlo and v_fma_mixhi: LLVM takes a dpp_ctrl that looks like the code of a constant for one. */
static bool mix_dpp_ctrl(const struct codeobj_isa_inst *inst, const char *ours, const char *theirs)
{
    unsigned ctrl = inst->mod.dpp_ctrl;
    const char *a = strstr(ours, " row_mask:"), *b = strstr(theirs, " row_mask:");
    const char *start = strstr(ours, ctrl < 256 ? " quad_perm" : " row_");

    if (strncmp(ours, "v_fma_mixlo_", 12) && strncmp(ours, "v_fma_mixhi_", 12)) {
        return false;
    }
    return inst->encoding == CODEOBJ_ENC_E64_DPP16 && ((ctrl >= 128 && ctrl <= 208) || (ctrl >= 240 && ctrl <= 248)) && a && b &&
           !strcmp(a, b) && start && !strncmp(ours, theirs, (size_t)(start - ours));
}

/* v_fmac with DPP: a constant second source is shown as its code. */
static bool fmac_code(const struct codeobj_isa_inst *inst, const char *ours, const char *theirs)
{
    const struct codeobj_isa_operand *o = &inst->operands[2];
    const char *at = strchr(ours, ',');
    char right[32] = "", wrong[32];

    if (strncmp(ours, "v_fmac_", 7) || inst->encoding < CODEOBJ_ENC_E64_DPP16 || inst->operand_count < 3 ||
        o->kind != CODEOBJ_OPERAND_INLINE || !at || !(at = strchr(at + 1, ','))) {
        return false;
    }
    bool neg = !strncmp(at, ", neg(", 6);
    snprintf(right, sizeof right, "%.*s", (int)strcspn(at + 2, " ") + 2, at);
    snprintf(wrong, sizeof wrong, neg ? ", neg(0x%x)" : ", 0x%x", o->reg);
    return exchanged(ours, theirs, right, wrong);
}

static bool vopd3_literal(const uint32_t *words)
{
    return (words[0] & 0x1ff) == 254 || (words[1] & 0x1ff) == 254 || words[1] >> 24 == 254 || (words[2] >> 16 & 255) == 254;
}

/* The two answers differ; is LLVM's one of its own mistakes (see above)? */
static const char *llvm_mistake(const struct run *run, const uint32_t *words, const struct codeobj_isa_inst *inst,
                                const char *ours, const char *theirs)
{
    const struct codeobj_processor *p = codeobj_isa_processor(run->isa);

    if (p->gen >= CODEOBJ_GEN_GFX10 && words[0] >> 24 == 0xd3 && !strncmp(theirs, "v_fma_mix", 9))
        return "gfx9 table";
    if (p->gen == CODEOBJ_GEN_GFX12 && p->minor == 5 && words[0] >> 24 == 0xcf && !*ours && vopd3_literal(words))
        return "VOPD3 literal";
    if (p->gen == CODEOBJ_GEN_GFX9 && p->minor >= 4 && words[0] >> 26 == 0x3c && strncmp(theirs, "image_", 6))
        return "image instructions";
    if (((p->gen == CODEOBJ_GEN_GFX9 && p->minor >= 5) || (p->gen == CODEOBJ_GEN_GFX12 && p->minor == 5)) && strstr(theirs, "f8f6f4 ") && strstr(theirs, " 0/*Invalid immediate"))
        return "constant of f8f6f4";
    if (*ours && *theirs && shown_as_constant(words, inst, ours, theirs))
        return "constant";
    if (*ours && *theirs && (mix_dpp_ctrl(inst, ours, theirs) || fmac_code(inst, ours, theirs)))
        return "DPP";
    if (p->gen == CODEOBJ_GEN_GFX12 && abs_around_vcc(ours, theirs))
        return "abs around vcc";
    return NULL;
}

static void put_look(struct look **looks, size_t *count, size_t *room, unsigned format, const uint32_t *words,
                     const struct codeobj_isa_inst *inst, const char *ours)
{
    struct look *look;

    if (*count == *room) {
        *room = *room ? *room * 2 : 256;
        *looks = realloc(*looks, *room * sizeof **looks);
        if (!*looks) {
            exit(2);
        }
    }
    look = &(*looks)[(*count)++];
    memset(look, 0, sizeof *look);
    memcpy(look->words, words, sizeof look->words);
    look->size = inst->size;
    look->format = format;
    look->canonical = inst->verdict == CODEOBJ_VERDICT_CANONICAL;
    snprintf(look->ours, sizeof look->ours, "%s", ours);
}

static void look_later(struct run *run, unsigned format, const uint32_t *words, const struct codeobj_isa_inst *inst,
                       const char *ours)
{
    put_look(&run->looks, &run->look_count, &run->look_room, format, words, inst, ours);
}

/* True if the vector is a valid instruction, as far as can be told at once. */
static bool try_vector(struct run *run, unsigned format, const uint32_t words[VECTOR_WORDS], bool can_disassemble)
{
    struct codeobj_isa_inst inst;
    char ours[TEXT_MAX] = "", theirs[TEXT_MAX];
    size_t our_size = 0, their_size;
    struct count *count = &run->per_format[format];

    count->vectors++;
    if (run->isa && codeobj_isa_decode(run->isa, words, VECTOR_WORDS * 4, &inst, NULL) == CODEOBJ_OK) {
        codeobj_isa_print(run->isa, &inst, ours, sizeof ours);
        our_size = inst.size;
    }
    if (!can_disassemble) {
        if (*ours && inst.verdict == CODEOBJ_VERDICT_CANONICAL) {
            look_later(run, format, words, &inst, ours);
        } else if (*ours) {
            count->valid++;
            mnemonic_find(run, ours)->vectors++;
        }
        return *ours;
    }
    switch (llvm_decode(run->llvm, words, &their_size, theirs)) {
    case LLVM_CRASHED: count->crashes++; return false;
    case LLVM_INVALID:
        if (*ours && llvm_mistake(run, words, &inst, ours, theirs)) {
            count->wrong++;
            return true;
        }
        if (*ours) {
            look_later(run, format, words, &inst, ours);
            return false;
        }
        break;
    case LLVM_VALID:
        if ((strcmp(ours, theirs) || our_size != their_size) && llvm_mistake(run, words, &inst, ours, theirs)) {
            count->wrong++;
            return false;
        }
        break;
    }
    judge(run, format, words, ours, our_size, theirs, their_size);
    if (run->options->reassemble && *theirs && !strcmp(ours, theirs) && inst.verdict != CODEOBJ_VERDICT_INVALID)
        put_look(&run->texts, &run->text_count, &run->text_room, format, words, &inst, ours);
    return *theirs;
}

/* gfx6, gfx7: limits of the hardware that an assembler enforces and a decoder does not. */
static bool refused(const char *error)
{
    static const char *const limits[] = {"constant bus restrictions", "interpolation attribute number", "exp target",
                                         "may be used as src0 only", "literal operands are not supported"};

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (strstr(error, limits[i])) {
            return true;
        }
    }
    return false;
}

/* gfx6, gfx7: llvm-mc prints the literal 0x40000000 of s_setreg_imm32 as "2.0", and assembles that to 0. */
static bool setreg_float(const struct look *look, const uint32_t *llvm_words)
{
    return !strncmp(look->ours, "s_setreg_imm32_b32", 18) && strcmp(look->ours, look->text) &&
           !memcmp(look->words, llvm_words, look->size);
}

/* Words that only the llvm-mc program can judge. */
static void settle_looks(struct run *run, bool can_disassemble)
{
    uint32_t(*llvm_words)[VECTOR_WORDS] = calloc(run->look_count + 1, sizeof *llvm_words);

    if (can_disassemble) {
        llvm_mc_disassemble(run->llvm, run->looks, run->look_count);
    } else {
        llvm_mc_assemble(run->llvm, run->looks, run->look_count, llvm_words);
    }
    for (size_t i = 0; i < run->look_count; i++) {
        struct look *look = &run->looks[i];
        /* The size of what llvm-mc assembles its own text to: not always that of what it read. */
        size_t size = can_disassemble && look->valid ? look->size : look->llvm_size;

        if (can_disassemble) {
            run->per_format[look->format].soft += look->valid;
            if (!look->valid) {
                *look->text = 0;
                size = 0;
            }
        } else if (look->valid && !strcmp(look->ours, look->text) && memcmp(look->words, llvm_words[i], look->size)) {
            size_t len = strlen(look->text);

            snprintf(look->text + len, TEXT_MAX - len, " -> %08x %08x", llvm_words[i][0], llvm_words[i][1]);
        }
        /* LLVM warns of a destination that is not EXEC; ARCHITECTURE.md has it. */
        if (can_disassemble && !look->valid && !look->canonical && !strncmp(look->ours, "v_cmpx_", 7)) {
            run->per_format[look->format].soft++;
            continue;
        }
        if (!can_disassemble && !look->valid && refused(look->text)) {
            run->per_format[look->format].refused++;
            continue;
        }
        if (!can_disassemble && look->valid && setreg_float(look, llvm_words[i])) {
            run->per_format[look->format].wrong++;
            continue;
        }
        judge(run, look->format, look->words, look->ours, look->size, look->text, size);
    }
    free(llvm_words);
}

/* What the rule of settle_texts() does not hold for.
 * - An assembler refuses more than a decoder: limits of the hardware, odd registers.
 * - It writes reserved message numbers and buffer formats when they are asked for; their verdict stays "means nothing".
 * - Constants of 16-bit operands: LLVM's text of a float constant in an integer is a number, which becomes a literal,
 *   and that of a literal has only its low half.
 * - setreg_float(), which gfx8 and later share.
 * - LLVM writes no "_e64" behind v_cvt_pk_f16_fp8 and _bf8, so its assembler takes the short form. */
static bool text_exempt(const struct look *look, const uint32_t *llvm_words)
{
    size_t last = look->size / 4 - 1;

    if (!look->valid)
        return true;
    if (!look->canonical)
        return strstr(look->ours, "RESERVED") || strstr(look->ours, "s_sendmsg");
    if (!strncmp(look->ours, "s_setreg_imm32_b32", 18))
        return true;
    if (look->size == 8 && look->llvm_size == 4 && !strncmp(look->ours, "v_cvt_pk_f16_", 13) && look->words[0] >> 26 == 0x35)
        return true;
    if (look->llvm_size == look->size + 4 && llvm_words[last + 1] <= 0xffff)
        return true;
    if (look->llvm_size + 4 == look->size && look->words[last] > 0xffff && (look->words[last] & 0xffff) <= 64)
        return true; /* the low half of a literal is a constant */
    return look->llvm_size == look->size && !memcmp(look->words, llvm_words, 4 * last) &&
           (look->words[last] & 0xffff) == llvm_words[last];
}

/* Canonical is what an assembler writes: it makes the same bytes of the text.  Counts in `mismatches`. */
static void settle_texts(struct run *run)
{
    uint32_t(*llvm_words)[VECTOR_WORDS] = calloc(run->text_count + 1, sizeof *llvm_words);

    llvm_mc_assemble(run->llvm, run->texts, run->text_count, llvm_words);
    for (size_t i = 0; i < run->text_count; i++) {
        const struct look *look = &run->texts[i];
        struct count *count = &run->per_format[look->format];
        bool same = look->valid && look->llvm_size == look->size && !memcmp(look->words, llvm_words[i], look->size);

        if (same == look->canonical || text_exempt(look, llvm_words[i])) {
            continue;
        }
        count->mismatches++;
        if (count->shown++ < run->options->show) {
            printf("  %s ", format_name(look->format));
            print_words(stdout, look->words, look->size);
            printf(" %s\n    %s, but %s ", look->ours, look->canonical ? "canonical" : "not canonical",
                   look->valid ? "assembled to" : look->text);
            print_words(stdout, llvm_words[i], look->valid ? look->llvm_size : 4);
            putchar('\n');
        }
    }
    free(llvm_words);
    free(run->texts);
}

static unsigned where_of(const struct codeobj_processor *processor)
{
    bool cdna = processor->features & CODEOBJ_FEATURE_UNIFIED_VGPR;

    switch (processor->gen) {
    case CODEOBJ_GEN_GFX6: return P6;
    case CODEOBJ_GEN_GFX7: return P7;
    case CODEOBJ_GEN_GFX8: return P8;
    case CODEOBJ_GEN_GFX9: return !cdna ? P9 : processor->minor ? P940 : P90A;
    case CODEOBJ_GEN_GFX10: return P10;
    case CODEOBJ_GEN_GFX11: return P11;
    case CODEOBJ_GEN_GFX12: return processor->minor ? P125 : P12;
    default: return 0;
    }
}

static void run_formats(struct run *run, unsigned where, bool can_disassemble)
{
    const struct options *o = run->options;
    uint32_t words[VECTOR_WORDS], base[VECTOR_WORDS];

    for (unsigned f = 0; f < format_count; f++) {
        unsigned opcodes = format_opcodes(&formats[f]);
        /* Formats with few opcodes get more fillings. */
        unsigned vectors = o->vectors * (opcodes < 8 ? 64 : opcodes < 64 ? 8 : 1);

        if (!(formats[f].where & where) || (o->format && strcmp(o->format, formats[f].name))) {
            continue;
        }
        for (unsigned op = 0; op < opcodes; op++) {
            /* Seeded per opcode, so that one opcode can be run alone. */
            struct rng rng = {o->seed + f * 0x10001u + op * 0x1000193u};
            bool have_base = false;

            if (o->opcode >= 0 && (unsigned)o->opcode != op) {
                continue;
            }
            for (unsigned i = 0; i < vectors; i++) {
                format_fill(&formats[f], op, &rng, words);
                /* Variations of a valid instruction find the edges of what is valid. */
                if (have_base && rng_below(&rng, 4)) {
                    format_vary(&formats[f], base, &rng, words);
                }
                if (try_vector(run, f, words, can_disassemble)) {
                    memcpy(base, words, sizeof base);
                    have_base = true;
                }
            }
        }
    }
    if (!o->format) {
        struct rng rng = {o->seed};

        for (unsigned i = 0; i < o->random; i++) {
            for (unsigned w = 0; w < VECTOR_WORDS; w++) {
                words[w] = rng_next(&rng);
            }
            try_vector(run, 63, words, can_disassemble);
        }
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct mnemonic *)a)->name, ((const struct mnemonic *)b)->name);
}

static unsigned long report(struct run *run)
{
    struct count total = {0};

    for (unsigned f = 0; f < 64; f++) {
        struct count *c = &run->per_format[f];

        if (c->vectors) {
            printf("%-16s w%u %-8s vectors %8lu valid %8lu mismatches %7lu soft %5lu llvm-crashes %5lu llvm-wrong %5lu refused %5lu\n", run->options->cpu,
                   run->wave, format_name(f), c->vectors, c->valid, c->mismatches, c->soft, c->crashes,
                   c->wrong, c->refused);
            total.vectors += c->vectors;
            total.valid += c->valid;
            total.mismatches += c->mismatches;
            total.soft += c->soft;
            total.crashes += c->crashes;
            total.wrong += c->wrong;
            total.refused += c->refused;
        }
    }
    printf("%-16s w%u %-8s vectors %8lu valid %8lu mismatches %7lu soft %5lu llvm-crashes %5lu llvm-wrong %5lu refused %5lu mnemonics %u\n",
           run->options->cpu, run->wave, "TOTAL", total.vectors, total.valid, total.mismatches, total.soft, total.crashes,
           total.wrong, total.refused, run->mnemonic_count);
    if (run->options->mnemonics) {
        qsort(run->mnemonics, MNEMONIC_SLOTS, sizeof *run->mnemonics, by_name);
        for (unsigned i = 0; i < MNEMONIC_SLOTS; i++) {
            if (*run->mnemonics[i].name) {
                printf("%s %u %-40s vectors %6lu mismatches %6lu\n", run->options->cpu, run->wave, run->mnemonics[i].name,
                       run->mnemonics[i].vectors, run->mnemonics[i].mismatches);
            }
        }
    }
    return total.mismatches;
}

static bool parse(int argc, char **argv, struct options *o)
{
    *o = (struct options){.vectors = 32, .random = 20000, .show = 10, .opcode = -1, .seed = 22};
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v = strchr(a, '=');
        size_t len = v ? (size_t)(v - a) : strlen(a);

        v = v ? v + 1 : "";
#define IS(name) (len == strlen(name) && !strncmp(a, name, len))
        if (IS("--wave")) {
            o->wave = (unsigned)atoi(v);
        } else if (IS("--format")) {
            o->format = v;
        } else if (IS("--opcode")) {
            o->opcode = (int)strtol(v, NULL, 0);
        } else if (IS("--vectors")) {
            o->vectors = (unsigned)atoi(v);
        } else if (IS("--random")) {
            o->random = (unsigned)atoi(v);
        } else if (IS("--seed")) {
            o->seed = strtoull(v, NULL, 0);
        } else if (IS("--show")) {
            o->show = (unsigned)atoi(v);
        } else if (IS("--reassemble")) {
            o->reassemble = true;
        } else if (IS("--mnemonics")) {
            o->mnemonics = true;
        } else if (IS("--sample")) {
            o->sample = v;
        } else if (IS("--cases")) {
            o->cases = v;
        } else if (*a == '-' || o->cpu) {
            return false;
        } else {
            o->cpu = a;
        }
#undef IS
    }
    return o->cpu != NULL;
}

int main(int argc, char **argv)
{
    struct options options;
    struct run run = {.options = &options};
    const struct codeobj_processor *processor;
    struct codeobj_isa *isa = NULL;
    struct codeobj_diag diag;
    bool can_disassemble;
    unsigned long bad;

    if (!parse(argc, argv, &options) || !(processor = codeobj_processor_by_name(options.cpu))) {
        fprintf(stderr, "usage: %s PROCESSOR [--wave=N] [--format=F] [--opcode=N] [--vectors=N] [--random=N] [--seed=N] "
                        "[--show=N] [--mnemonics] [--cases=FILE]\n",
                argv[0]);
        return 2;
    }
    if (codeobj_isa_new(processor, &(struct codeobj_isa_options){.size = sizeof(struct codeobj_isa_options), .wave = (uint8_t)options.wave},
                        &isa, &diag) != CODEOBJ_OK) {
        fprintf(stderr, "%s: no decoder\n", options.cpu);
        return 2;
    }
    can_disassemble = processor->gen >= CODEOBJ_GEN_GFX8;
    run.isa = isa;
    run.wave = codeobj_isa_wave(isa);
    run.llvm = llvm_new(options.cpu, processor->gen >= CODEOBJ_GEN_GFX10 ? run.wave : 0, can_disassemble);
    run.mnemonics = calloc(MNEMONIC_SLOTS, sizeof *run.mnemonics);
    run.cases = options.cases ? fopen(options.cases, "w") : NULL;
    run.sample = options.sample ? fopen(options.sample, "w") : NULL;
    if (!run.llvm || !run.mnemonics) {
        fprintf(stderr, "%s: LLVM has no such processor\n", options.cpu);
        return 2;
    }
    run_formats(&run, where_of(processor), can_disassemble);
    settle_looks(&run, can_disassemble);
    if (options.reassemble) {
        settle_texts(&run);
    }
    bad = report(&run);
    if (run.cases) {
        fclose(run.cases);
    }
    if (run.sample) {
        fclose(run.sample);
    }
    llvm_free(run.llvm);
    codeobj_isa_free(isa);
    free(run.mnemonics);
    free(run.looks);
    return bad != 0;
}

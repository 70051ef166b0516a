/* SPDX-License-Identifier: MIT
 *
 * tests/peer/isa_llvm.c - asking LLVM 22.
 *
 * The C API is fast, but it hides what the decoder calls "potentially
 * undefined" (soft failures, which llvm-mc and llvm-objdump print), and LLVM
 * has no disassembler for gfx6 and gfx7; for both the llvm-mc program is run.
 * LLVM's decoder dereferences null or aborts on some words: signals are caught
 * and such words are counted apart.
 */
#include "isa_peer.h"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct llvm {
    LLVMDisasmContextRef context;
    char cpu[32], attributes[64];
};

static sigjmp_buf crash_env;
static volatile sig_atomic_t crash_armed;

static void on_crash(int sig)
{
    if (crash_armed) {
        crash_armed = 0;
        siglongjmp(crash_env, sig);
    }
    signal(sig, SIG_DFL);
    raise(sig);
}

/* Comments ("; Warning: ...", "// ...") are not part of the text. */
static void cut_comment(char *text)
{
    char *end = strstr(text, " ; ");

    end = end ? end : text + strlen(text);
    while (end > text && strchr("\t ", end[-1])) {
        end--;
    }
    *end = 0;
}

static LLVMDisasmContextRef new_context(const struct llvm *llvm)
{
    return LLVMCreateDisasmCPUFeatures("amdgcn-amd-amdhsa", llvm->cpu, llvm->attributes, NULL, 0, NULL, NULL);
}

struct llvm *llvm_new(const char *cpu, unsigned wave, bool can_disassemble)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE};
    struct llvm *llvm = calloc(1, sizeof *llvm);

    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_NODEFER};

        sigaction(signals[i], &action, NULL);
    }
    snprintf(llvm->cpu, sizeof llvm->cpu, "%s", cpu);
    if (wave) {
        snprintf(llvm->attributes, sizeof llvm->attributes, "+wavefrontsize%u", wave);
    }
    if (can_disassemble && !(llvm->context = new_context(llvm))) {
        free(llvm);
        return NULL;
    }
    return llvm;
}

void llvm_free(struct llvm *llvm)
{
    if (llvm && llvm->context) {
        LLVMDisasmDispose(llvm->context);
    }
    free(llvm);
}

enum llvm_answer llvm_decode(struct llvm *llvm, const uint32_t words[VECTOR_WORDS], size_t *size, char text[TEXT_MAX])
{
    uint8_t bytes[VECTOR_WORDS * 4];
    char buf[TEXT_MAX];
    size_t n;

    *size = 0;
    *text = 0;
    *buf = 0;
    memcpy(bytes, words, sizeof bytes);
    if (sigsetjmp(crash_env, 1)) {
        llvm->context = new_context(llvm); /* the old one is in an unknown state: leaked */
        return LLVM_CRASHED;
    }
    crash_armed = 1;
    n = LLVMDisasmInstruction(llvm->context, bytes, sizeof bytes, 0, buf, sizeof buf);
    crash_armed = 0;
    if (n == 0) {
        return LLVM_INVALID;
    }
    *size = n;
    snprintf(text, TEXT_MAX, "%s", buf + strspn(buf, "\t "));
    cut_comment(text);
    return LLVM_VALID;
}

/* Runs llvm-mc on a file of ours; stdout and stderr land in files of their own. */
static bool run_llvm_mc(const struct llvm *llvm, const char *options, const char *dir)
{
    char command[600];

    snprintf(command, sizeof command, "llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=%s -mattr=%s %s %s/in >%s/out 2>%s/err",
             llvm->cpu, *llvm->attributes ? llvm->attributes : "\"\"", options, dir, dir, dir);
    return system(command) != -1;
}

static FILE *open_in(const char *dir, const char *name, const char *mode)
{
    char path[100];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return fopen(path, mode);
}

static void remove_dir(const char *dir)
{
    static const char *const names[] = {"in", "out", "err"};
    char path[100];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        unlink(path);
    }
    rmdir(dir);
}

/* The vectors stand between markers, "s_nop INDEX" split over two 12-bit halves:
 * opcode 0 of SOPP on all processors. */
#define MARKER 0xbf800000u

bool llvm_mc_disassemble(struct llvm *llvm, struct look *looks, size_t count)
{
    char dir[] = "/tmp/isa-peer-XXXXXX", line[TEXT_MAX];
    FILE *f;
    size_t lineno, col, at = 0, high = 0;
    bool *bad = calloc(count + 1, 1), marked = false, half = false; /* half: behind the first part of a marker */

    if (!mkdtemp(dir) || !(f = open_in(dir, "in", "w"))) {
        free(bad);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t words[3] = {MARKER | 0xf000 | (uint32_t)(i >> 12), MARKER | 0xe000 | (uint32_t)(i & 0xfff), 0};

        for (int part = 0; part < 3; part++) {
            const uint8_t *p = (const uint8_t *)(part < 2 ? &words[part] : looks[i].words);

            for (size_t k = 0; k < (part < 2 ? 4 : sizeof looks[i].words); k++) {
                fprintf(f, "0x%02x ", p[k]);
            }
            fputc('\n', f);
        }
    }
    fclose(f);
    run_llvm_mc(llvm, "--disassemble --show-encoding", dir);
    f = open_in(dir, "err", "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *p = strstr(line, "/in:");

        if (p && strstr(line, "invalid instruction encoding") && sscanf(p, "/in:%zu:%zu", &lineno, &col) == 2 && col == 1) {
            bad[(lineno - 1) / 3 < count ? (lineno - 1) / 3 : count] = true;
        }
    }
    if (f) {
        fclose(f);
    }
    f = open_in(dir, "out", "r");
    while (f && fgets(line, sizeof line, f)) {
        unsigned simm;
        char *comment = strstr(line, "; encoding: [");
        char *text = line + strspn(line, "\t ");

        bool first = half;

        if (comment || *text == 's')
            half = false;
        if (sscanf(text, "s_nop %x", &simm) == 1 && (simm & 0xf000) == 0xf000) {
            high = simm & 0xfff;
            half = true;
        } else if (first && sscanf(text, "s_nop %x", &simm) == 1 && (simm & 0xf000) == 0xe000) {
            at = high << 12 | (simm & 0xfff);
            marked = at < count;
        } else if (marked && comment) {
            looks[at].valid = !bad[at];
            looks[at].llvm_size = 0;
            for (const char *p = comment; (p = strstr(p, "0x")); p += 2) {
                looks[at].llvm_size++;
            }
            snprintf(looks[at].text, TEXT_MAX, "%.*s", (int)(comment - text), text);
            cut_comment(looks[at].text);
            marked = false;
        }
    }
    if (f) {
        fclose(f);
    }
    remove_dir(dir);
    free(bad);
    return true;
}

bool llvm_mc_assemble(struct llvm *llvm, struct look *looks, size_t count, uint32_t (*llvm_words)[VECTOR_WORDS])
{
    char dir[] = "/tmp/isa-peer-XXXXXX", line[2 * TEXT_MAX];
    bool *bad = calloc(count + 1, 1);
    size_t lineno, at = SIZE_MAX;
    FILE *f;

    if (!mkdtemp(dir) || !(f = open_in(dir, "in", "w"))) {
        free(bad);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        fprintf(f, "L%zu:\n%s\n", i, looks[i].ours); /* labels, because some texts are refused and written all the same */
    }
    fclose(f);
    run_llvm_mc(llvm, "--show-encoding", dir);
    f = open_in(dir, "err", "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *p = strstr(line, "/in:");

        if (p && strstr(line, "error:") && sscanf(p, "/in:%zu:", &lineno) == 1 && lineno >= 2 && lineno <= 2 * count) {
            line[strcspn(line, "\n")] = 0;
            snprintf(looks[lineno / 2 - 1].text, TEXT_MAX, "%.200s", strstr(line, "error:"));
            bad[lineno / 2 - 1] = true;
        }
    }
    if (f) {
        fclose(f);
    }
    f = open_in(dir, "out", "r");
    while (f && fgets(line, sizeof line, f)) {
        char *comment = strstr(line, "; encoding: [");
        char *text = line + strspn(line, "\t ");

        if (sscanf(line, "L%zu:", &lineno) == 1) {
            at = lineno;
        }
        if (!comment || at >= count || bad[at]) {
            continue;
        }
        looks[at].valid = true;
        memset(llvm_words[at], 0, sizeof llvm_words[at]);
        for (const char *p = comment; (p = strstr(p, "0x")) && looks[at].llvm_size < sizeof llvm_words[at]; p += 2) {
            llvm_words[at][looks[at].llvm_size / 4] |= (uint32_t)strtoul(p, NULL, 16) << looks[at].llvm_size % 4 * 8;
            looks[at].llvm_size++;
        }
        snprintf(looks[at].text, TEXT_MAX, "%.*s", (int)(comment - text), text);
        cut_comment(looks[at].text);
    }
    if (f) {
        fclose(f);
    }
    remove_dir(dir);
    free(bad);
    return true;
}

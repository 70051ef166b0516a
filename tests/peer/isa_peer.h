/* SPDX-License-Identifier: MIT
 *
 * tests/peer/isa_peer.h - comparing our decoder and printer with LLVM 22.
 *
 * isa_formats.c lists the encodings as bit fields and fills them; isa_peer.c
 * decodes each filled word both ways and counts; isa_llvm.c holds the two ways
 * in which LLVM is asked: its C API for what it disassembles, llvm-mc for what
 * it only assembles (gfx6, gfx7) and for words it calls "potentially undefined".
 */
#ifndef ISA_PEER_H
#define ISA_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VECTOR_WORDS 5 /* the longest instruction */
#define TEXT_MAX 512

/* Encodings differ between these; a generic processor counts as its members do. */
#define P6 0x001u
#define P7 0x002u
#define P8 0x004u
#define P9 0x008u
#define P90A 0x010u
#define P940 0x020u
#define P10 0x040u
#define P11 0x080u
#define P12 0x100u
#define P125 0x200u

struct rng {
    uint64_t state;
};
uint32_t rng_next(struct rng *rng);
uint32_t rng_below(struct rng *rng, uint32_t n);

/* One encoding: its fields from bit 0 up, see isa_formats.c. */
struct format {
    const char *name;
    unsigned where; /* P... */
    const char *fields;
};
extern const struct format formats[];
extern const size_t format_count;

/* Number of opcode values of a format (1 when it has no opcode field). */
unsigned format_opcodes(const struct format *format);
/* Fills words[0 .. VECTOR_WORDS) with one instruction and plausible words behind it. */
void format_fill(const struct format *format, unsigned opcode, struct rng *rng, uint32_t words[VECTOR_WORDS]);
/* Takes most fields of base over into words, which format_fill() filled for the same opcode. */
void format_vary(const struct format *format, const uint32_t base[VECTOR_WORDS], struct rng *rng, uint32_t words[VECTOR_WORDS]);

/* ---- LLVM ------------------------------------------------------------------ */
enum llvm_answer { LLVM_VALID, LLVM_INVALID, LLVM_CRASHED };
struct llvm; /* one processor and wave size */
struct llvm *llvm_new(const char *cpu, unsigned wave, bool can_disassemble);
void llvm_free(struct llvm *llvm);
/* By the C API.  *size is the instruction's size, text has no leading tab. */
enum llvm_answer llvm_decode(struct llvm *llvm, const uint32_t words[VECTOR_WORDS], size_t *size, char text[TEXT_MAX]);

/* A vector that needs a second look by the llvm-mc program. */
struct look {
    uint32_t words[VECTOR_WORDS];
    size_t size;
    char ours[TEXT_MAX];
    unsigned format;
    bool canonical;
    /* the answer */
    bool valid;
    size_t llvm_size;
    char text[TEXT_MAX];
};
/* llvm-mc --disassemble, all at once; false when the program cannot be run. */
bool llvm_mc_disassemble(struct llvm *llvm, struct look *looks, size_t count);
/* llvm-mc --show-encoding of looks[i].ours: valid, text and words (llvm_size bytes into llvm_words). */
bool llvm_mc_assemble(struct llvm *llvm, struct look *looks, size_t count, uint32_t (*llvm_words)[VECTOR_WORDS]);

#endif

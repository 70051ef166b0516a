/* SPDX-License-Identifier: MIT
 *
 * tests/bench/bench_disassemble.c - decoding without text: MB of .text per processor second.
 *
 *   bench_disassemble FILE    an ELF object; its .text is decoded from end to end
 */
#include <codeobj/codeobj.h>

#include <stdio.h>
#include <time.h>

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    struct codeobj_elf *elf;
    struct codeobj_elf_section text;
    struct codeobj_target target;
    struct codeobj_isa *isa;
    struct codeobj_isa_inst inst;
    struct codeobj_diag diag;
    const unsigned char *code;
    size_t size, at, count = 0, bad = 0;
    double start, time = 0;

    if (argc != 2 || codeobj_elf_open_file(argv[1], NULL, &elf, &diag) != CODEOBJ_OK ||
        codeobj_elf_section_by_name(elf, ".text", &text) != CODEOBJ_OK)
        return 2;
    codeobj_elf_target(elf, &target);
    if (!target.processor || codeobj_isa_new(target.processor, NULL, &isa, &diag) != CODEOBJ_OK)
        return 2;
    code = codeobj_elf_section_data(elf, text.idx, &size);
    /* Twice: the first time the file's pages are still to be mapped, which is not decoding. */
    for (int pass = 0; pass < 2; pass++) {
        at = count = bad = 0;
        start = seconds();
        while (at < size) {
            if (codeobj_isa_decode(isa, code + at, size - at, &inst, NULL) != CODEOBJ_OK)
                bad++;
            at += inst.size;
            count++;
        }
        time = seconds() - start;
    }
    printf("%.1f %zu %zu\n", (double)size * 1e-6 / time, count, bad);
    codeobj_isa_free(isa);
    codeobj_elf_free(elf);
    return 0;
}

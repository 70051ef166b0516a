/* SPDX-License-Identifier: MIT
 *
 * fuzz/link_exercise.h - a link of any bytes, under options that a number picks.
 *
 * Shared by the fuzz target and the tests of damaged inputs.  A link that
 * succeeds must have made an object that opens without a finding.
 */
#ifndef TESTS_FUZZ_LINK_EXERCISE_H
#define TESTS_FUZZ_LINK_EXERCISE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/codeobj.h>
#include <codeobj/link.h>

#define LINK_PROMISE(x) ((x) ? (void)0 : (fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #x), abort()))

/* Bits of `choice`: kind, then flags. */
static struct codeobj_link_options link_options(unsigned choice)
{
    struct codeobj_link_options o = { .size = sizeof o };
    o.kind = (uint8_t)(choice & 3);
    o.error_limit = 20;
    if (choice & 4)
        o.flags |= CODEOBJ_LINK_GC_SECTIONS | CODEOBJ_LINK_PRINT_GC;
    if (choice & 8)
        o.flags |= CODEOBJ_LINK_EMIT_RELOCS | CODEOBJ_LINK_MAP | CODEOBJ_LINK_CREF;
    if (choice & 16) {
        o.unresolved = CODEOBJ_UNRESOLVED_IGNORE;
        o.flags |= CODEOBJ_LINK_TEXTREL | CODEOBJ_LINK_NOINHIBIT | CODEOBJ_LINK_ALLOW_MULTIPLE;
        o.build_id = CODEOBJ_BUILD_ID_SHA1;
    }
    if (choice & 32) {
        o.merge = CODEOBJ_MERGE_TAILS;
        o.compress_debug = CODEOBJ_COMPRESS_ZLIB;
        o.icf = CODEOBJ_ICF_ALL;
    }
    if (choice & 64) {
        o.call_graph_sort = CODEOBJ_CALL_GRAPH_SORT_HFSORT;
        o.flags |= CODEOBJ_LINK_PRINT_SYMBOL_ORDER;
    }
    return o;
}

static void link_exercise(const struct codeobj_link_input *inputs, size_t count, unsigned choice)
{
    struct codeobj_link_options o = link_options(choice);
    struct codeobj_link_result *r = NULL;
    enum codeobj_status st = codeobj_link(inputs, count, &o, &r);
    LINK_PROMISE(r || st == CODEOBJ_NO_MEMORY);
    size_t size = 0, errors = 0;
    const void *image = r ? codeobj_link_result_image(r, &size) : NULL;
    for (size_t i = 0; r && i < codeobj_link_result_message_count(r); i++) {
        struct codeobj_link_message m;
        LINK_PROMISE(codeobj_link_result_message(r, i, &m) == CODEOBJ_OK && m.text && *m.text);
        errors += m.is_error;
    }
    LINK_PROMISE((st == CODEOBJ_OK) == (image != NULL));
    LINK_PROMISE((st == CODEOBJ_OK) == (errors == 0) || st == CODEOBJ_NO_MEMORY);
    if (image) {
        struct codeobj_elf *elf;
        struct codeobj_diag diag = { 0 };
        st = codeobj_elf_open_memory(image, size, NULL, &elf, &diag);
        if (st != CODEOBJ_OK)
            fprintf(stderr, "output: %s: %s\n", diag.section, diag.text);
        /* An object's relocations may well write into the header of a note. */
        bool note = !strncmp(diag.text, "note ", 5);
        LINK_PROMISE(st == CODEOBJ_OK || note);
        if (st == CODEOBJ_OK)
            codeobj_elf_free(elf);
    }
    codeobj_link_result_free(r);
}

#endif

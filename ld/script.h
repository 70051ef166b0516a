/* SPDX-License-Identifier: MIT
 *
 * ld/script.h - linker scripts: what script_parse.c reads, expr.c computes, and
 * script.c and script_layout.c apply.
 *
 * The language is the one of GNU ld's manual, chapter "Linker Scripts", in
 * lld's reading.  A script is read whole before the first input; afterwards the
 * structures here do not change but for the fields that passes fill in.
 */
#ifndef CO_LD_SCRIPT_H
#define CO_LD_SCRIPT_H

#include "ld.h"

/* Where something stands in a script, for messages. */
struct ld_where {
    const char *file;
    unsigned line;
};

/* ---- expressions (expr.c) -------------------------------------------------------- */

enum ld_op {
    EXPR_NUMBER, EXPR_SYMBOL, EXPR_DOT,
    EXPR_NEGATE, EXPR_COMPLEMENT, EXPR_NOT,
    EXPR_OR_ELSE, EXPR_AND_ALSO, EXPR_OR, EXPR_XOR, EXPR_AND, EXPR_EQ, EXPR_NE, EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE,
    EXPR_SHL, EXPR_SHR, EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_MOD, EXPR_CHOICE,
    EXPR_ABSOLUTE, EXPR_ADDR, EXPR_ALIGN, EXPR_ALIGN_OF_VALUE, EXPR_ALIGNOF, EXPR_ASSERT, EXPR_DATA_ALIGN,
    EXPR_DATA_END, EXPR_RELRO_END, EXPR_DEFINED, EXPR_LENGTH, EXPR_LOADADDR, EXPR_LOG2CEIL, EXPR_MAX, EXPR_MIN,
    EXPR_ORIGIN, EXPR_SIZEOF, EXPR_SIZEOF_HEADERS,
    EXPR_MEMBER_ADDR, EXPR_MEMBER_LOAD_END, EXPR_OVERLAY_END /* overlay.c */
};
struct ld_overlay;

struct ld_expr {
    uint8_t op;     /* enum ld_op */
    bool own;       /* SYMBOL: what `+=` and the like assign to, which is no reference */
    uint16_t depth; /* of the tree under it: bounded, evaluation recurses */
    uint64_t number;
    const char *name; /* symbol, section or region; the text of ASSERT */
    const struct ld_expr *a, *b, *c;
    const struct ld_desc *desc;       /* EXPR_MEMBER_* */
    const struct ld_overlay *overlay; /* EXPR_OVERLAY_END */
    struct ld_where at;
};

/* What an expression gives: a number, or a place in an input or output section. */
struct ld_term {
    uint64_t value; /* relative to sec or out */
    struct ld_section *sec;
    struct ld_out *out;
    const struct ld_symbol *sym; /* it is just this symbol: type of an alias */
    uint64_t align;              /* ALIGN(value, align); 0: none */
    bool absolute;               /* ABSOLUTE(): a number, whatever it was */
};

/* Reading text, a word at a time. */
struct ld_lexer {
    struct ld *ld;
    const char *file, *text, *p, *end;
    const char *tok; /* the last word, terminated; "" at the end */
    const char *tok_at;
    unsigned line, tok_line; /* tok_line: of the last word that there was */
    int depth;
    bool quoted, failed, expr; /* expr: words end at operators */
};

void co_ld_lex_fail(struct ld_lexer *lx, const char *what, const char *word);
const char *co_ld_lex_next(struct ld_lexer *lx); /* "" at the end */
bool co_ld_lex_is(struct ld_lexer *lx, const char *word);   /* is it next? */
bool co_ld_lex_take(struct ld_lexer *lx, const char *word); /* is it next? then read it */
void co_ld_lex_expect(struct ld_lexer *lx, const char *word);
const char *co_ld_lex_text(struct ld_lexer *lx, const char *from); /* up to where it stands, with single blanks */
const struct ld_expr *co_ld_parse_expr(struct ld_lexer *lx); /* never NULL; after a failure, a number */
const struct ld_expr *co_ld_parse_primary(struct ld_lexer *lx);
const struct ld_expr *co_ld_parse_assert(struct ld_lexer *lx); /* what follows the word ASSERT */
const struct ld_expr *co_ld_new_expr(struct ld_lexer *lx, enum ld_op op, const struct ld_expr *a, const struct ld_expr *b);

/* Calls f for each symbol that an expression names. */
void co_ld_expr_symbols(struct ld *ld, const struct ld_expr *e, void (*f)(struct ld *ld, const char *name));

/* final: problems are reported; in earlier rounds of the layout they may yet go away. */
struct ld_term co_ld_eval(struct ld *ld, const struct ld_expr *e, bool final);
uint64_t co_ld_term_value(const struct ld_term *t);
bool co_ld_term_is_number(const struct ld_term *t);
void co_ld_set_symbol(struct ld_symbol *s, const struct ld_term *t); /* value and type of an assigned symbol */

/* ---- commands -------------------------------------------------------------------------- */

struct ld_assign {
    const char *name; /* "." is the location counter */
    const struct ld_expr *expr;
    struct ld_symbol *sym; /* NULL: not defined (PROVIDE that nothing needs) */
    struct ld_where at;
    const char *text;    /* as it is written, for the map; "" for what is not */
    uint64_t dot, moved; /* the location counter in front of it, and how far it moves that; once laid out */
    bool provide, hidden, relro_end;
};

enum ld_sort { SORT_DEFAULT, SORT_NAME, SORT_ALIGNMENT, SORT_PRIORITY, SORT_NONE, SORT_REVERSE };

struct ld_globs {
    VEC(const char *) items; /* quoted ones are behind a NUL: names, not patterns */
};

/* EXCLUDE_FILE(...) .text .text.* within SORT(...) */
struct ld_pattern {
    struct ld_globs names, excluded;
    uint8_t outer, inner; /* enum ld_sort */
};

/* FILE(patterns) in an output section, or in KEEP(). */
struct ld_input_cmd {
    const char *file; /* glob; "ARCHIVE:MEMBER" */
    const char *class_name; /* CLASS(name), and no patterns; or NULL */
    VEC(struct ld_pattern) patterns;
    uint64_t with, without; /* INPUT_SECTION_FLAGS */
    bool keep;
    struct ld_desc *desc;
    VEC(struct ld_section *) found; /* by pattern, then sorted */
    VEC(struct ld_section *) secs;  /* what of it is in the output */
};

enum ld_cmd_kind { CMD_ASSIGN, CMD_ASSERT, CMD_INPUT, CMD_DATA };
struct ld_cmd {
    uint8_t kind; /* enum ld_cmd_kind */
    struct ld_assign *assign;
    struct ld_input_cmd *input;
    const struct ld_expr *expr; /* ASSERT, DATA */
    unsigned size;              /* DATA: bytes */
    const char *text;           /* DATA: as it is written */
    uint64_t off, value;        /* DATA: its place in the section and what it is, once laid out; ASSERT: the place */
};

/* One output section of a script. */
struct ld_desc {
    const char *name; /* first: struct ld_names */
    struct ld_where at;
    VEC(struct ld_cmd) cmds;
    const struct ld_expr *addr, *lma, *align, *subalign, *fill_expr;
    struct ld_names_list phdrs;
    const char *region_name, *lma_region_name;
    struct ld_region *region, *lma_region;
    uint32_t type; /* NOLOAD, TYPE= */
    uint8_t fill[4];
    bool has_type, non_alloc, only_ro, only_rw, discard, uses_symbols, in_expression, has_fill, rejected, relro;
    bool overwrite; /* of OVERWRITE_SECTIONS */
    bool in_overlay, first_in_overlay;
    bool is_class; /* CLASS(name) { ... }: it has no place, and is rejected from the start */
    bool placed;    /* overwrite: it stands where the one that it replaces stood; else it is placed as an orphan is */
    struct ld_out *out;
    uint32_t idx; /* in script->descs */
};

struct ld_region { /* MEMORY */
    const char *name;
    const struct ld_expr *origin, *length;
    uint64_t start, size, cur;
    uint64_t flags, inv_flags, neg_flags, neg_inv_flags;
    bool overflowed;
};

struct ld_script_phdr { /* PHDRS */
    const char *name;
    uint32_t type;
    bool filehdr, phdrs;
    const struct ld_expr *at, *flags;
};

struct ld_insert { /* INSERT AFTER | BEFORE where */
    struct ld_names_list names;
    const char *where;
    bool after;
    struct ld_where at;
};

/* A step of the layout: an output section, or an assignment or ASSERT between them. */
struct ld_step {
    struct ld_out *out;
    struct ld_assign *assign;
    const struct ld_expr *assertion;
    uint64_t dot;         /* where it stands, once laid out */
    struct ld_desc *desc; /* while reading: its out does not exist yet */
};

/* REGION_ALIAS: one more name of a region. */
struct ld_region_alias {
    const char *name;
    struct ld_region *region;
};

/* NOCROSSREFS(names); to_first: NOCROSSREFS_TO */
struct ld_no_crossrefs {
    struct ld_names_list names;
    bool to_first;
};

/* Said when it is known that sec lives; NULL: in any case. */
struct ld_complaint {
    const char *text;
    const struct ld_section *sec;
};

struct ld_script {
    VEC(struct ld_step) steps;
    VEC(struct ld_desc *) descs;
    VEC(struct ld_input_cmd *) kept;
    VEC(struct ld_region *) regions;
    VEC(struct ld_region_alias) aliases;
    VEC(struct ld_script_phdr) phdrs;
    VEC(struct ld_insert) inserts;
    VEC(struct ld_no_crossrefs) no_crossrefs;
    struct ld_names addressed; /* sections whose ADDR, SIZEOF ... is asked for */
    bool failed;               /* it is not all there */
    bool has_sections;         /* a SECTIONS command that is no INSERT */
    VEC(struct ld_complaint) complaints;
    struct ld_names classes; /* struct ld_desc by name */
    size_t stand_ins; /* of spill.c: how many there are */
    bool data_align, relro_end;
    bool silent; /* there are errors already: assertions and regions, which they may have upset, are not reported */
    unsigned includes;
    /* while addresses are assigned */
    uint64_t dot;
    struct ld_out *out; /* whose contents are at hand */
};

struct ld_section_name { /* for ld_script.addressed */
    const char *name;
};

/* script.c; the other passes are in ld.h */
void co_ld_script_place(struct ld *ld);    /* matched sections into their output sections */
struct ld_out *co_ld_script_take(struct ld *ld, struct ld_section *sec); /* a part the linker makes; NULL: an orphan */
void co_ld_script_adopt(struct ld *ld, struct ld_desc *desc, struct ld_section *sec); /* an orphan by its name */
void co_ld_script_order(struct ld *ld);    /* ld->outs and script->steps in their final order */

/* script_parse.c */
struct ld_desc *co_ld_new_desc(struct ld_lexer *lx, const char *name); /* the next output section of the script */
/* KEEP(..), FILE(..) ..; the word has been read */
struct ld_input_cmd *co_ld_parse_input(struct ld_lexer *lx, const char *word, struct ld_desc *desc);
const struct ld_expr *co_ld_parse_in_parentheses(struct ld_lexer *lx);
void co_ld_parse_phdr_names(struct ld_lexer *lx, struct ld_desc *d); /* {:phdr} */

/* spill.c */
const char *co_ld_parse_class_name(struct ld_lexer *lx);
void co_ld_parse_class(struct ld_lexer *lx);
struct ld_section *co_ld_claim(struct ld *ld, struct ld_input_cmd *in, struct ld_section *sec);
struct ld_desc *co_ld_class_of(const struct ld *ld, const struct ld_input_cmd *in);
void co_ld_find_of_class(struct ld *ld, struct ld_input_cmd *in);
bool co_ld_claims_part(const struct ld *ld, const struct ld_input_cmd *in, const struct ld_section *sec, bool fits);
struct ld_section *co_ld_claim_part(struct ld *ld, struct ld_input_cmd *in, struct ld_section *sec);
void co_ld_release(struct ld_section *sec);
bool co_ld_spill(struct ld *ld);
void co_ld_end_spilling(struct ld *ld);

/* overlay.c */
void co_ld_parse_overlay(struct ld_lexer *lx);
struct ld_term co_ld_eval_overlay(struct ld *ld, const struct ld_expr *e);
uint64_t co_ld_load_address(const struct ld *ld, const struct ld_out *o); /* that of its segment says how far it is off */

/* defsym.c */
void co_ld_parse_defsym(struct ld *ld, size_t place); /* those that have so many scripts in front of them */

/* crossrefs.c */
void co_ld_parse_no_crossrefs(struct ld_lexer *lx, bool to_first);

/* script_layout.c */
void co_ld_script_phdrs(struct ld *ld);     /* PHDRS */
bool co_ld_script_addresses(struct ld *ld); /* where everything stands, as long as nothing grows; false: with errors */
bool co_ld_script_conclude(struct ld *ld);  /* nothing does any more: what there is to say of it; false: it cannot be */
void co_ld_script_values(struct ld *ld);    /* what data commands put into the image, now that nothing moves */
void co_ld_script_fill(const struct ld_out *o, uint8_t *dst);
struct ld_region *co_ld_find_region(const struct ld *ld, const char *name);

#endif

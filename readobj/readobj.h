/* SPDX-License-Identifier: MIT
 *
 * readobj/readobj.h - what the files of amdreadobj share.
 *
 * One file per thing printed.  A printer gets the run's state (struct ro) and
 * the object at hand (struct ro_object) and writes text, or builds the JSON
 * value for its key.  It reads the object through the library's public headers
 * alone.  Nothing a file says is trusted: names go through ro_name() (text) or
 * ro_json_string() (JSON).
 */
#ifndef READOBJ_H
#define READOBJ_H

#include <codeobj/codeobj.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "options.h"

/* Exit statuses: bad input (or an expectation that failed) and wrong usage. */
enum { RO_EXIT_OK = 0, RO_EXIT_BAD = 1, RO_EXIT_USAGE = 2 };

struct ro {
    const struct ro_options *opt;
    FILE *out;
    bool color;
    FILE *messages; /* NULL: stderr */
    bool out_of_memory; /* of a job of ro_in_order() */
    bool failed; /* something was wrong with an input: the exit status will be 1 */
    char line[4096]; /* of ro_put(), until ro_end_line() or ro_flush_lines() */
    size_t line_size;
    struct ro_field_lines *field_lines; /* show_kernels.c */
    /* What was met of that which the disassembly was asked for: --section, then each --symbol.  Of all jobs; NULL: asked for all. */
    _Atomic unsigned char *met;
};

/* A code object on its way through the printers. */
struct ro_object {
    const struct codeobj_elf *elf;
    const struct codeobj_metadata *metadata; /* NULL: none, unreadable, or no view asked for needs it */
    const char *file;  /* the path on the command line */
    const char *name;  /* with the way to it: "lib.a(k.o)", "fat.hipfb(hipv4-amdgcn-amd-amdhsa--gfx90a)" */
    const char *entry; /* bundle entry ID; NULL: none */
    uint64_t offset;   /* in the file that holds it (or in what that file unpacks to) */
    size_t size;
};

/* ---- messages: one line on stderr, "amdreadobj: error: ..." ---- */
void ro_error(struct ro *ro, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ro_warning(struct ro *ro, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A library diagnostic; `name` is used when it names no file. */
void ro_diag(struct ro *ro, const char *name, const struct codeobj_diag *diag);

/* ---- text ---- */
/* Writes bytes of a file as text: control characters and bytes that are not
 * UTF-8 become \xNN, so that a name cannot drive the terminal. */
void ro_name(struct ro *ro, const char *s, size_t size);
/* The same for a symbol name, demangled when asked for. */
void ro_symbol_name(struct ro *ro, const char *s);
/* Lines without printf, for those of which there may be millions: they are put
 * together in struct ro and written by ro_end_line(), or several at once, with
 * ro_new_line() between them, by ro_flush_lines().  Nothing else may write in
 * between. */
void ro_put_long(struct ro *ro, const char *s, size_t size); /* where there is no room */
static inline void ro_put_bytes(struct ro *ro, const char *s, size_t size)
{
    if (size > sizeof ro->line - ro->line_size) {
        ro_put_long(ro, s, size);
        return;
    }
    memcpy(ro->line + ro->line_size, s, size);
    ro->line_size += size;
}
static inline void ro_put(struct ro *ro, const char *s)
{
    ro_put_bytes(ro, s, strlen(s));
}
void ro_put_many_blanks(struct ro *ro, size_t n);
static inline void ro_put_blanks(struct ro *ro, size_t n)
{
    if (n > 32 || sizeof ro->line - ro->line_size < 32) {
        if (n <= 32)
            ro_put_long(ro, "                                ", n);
        else
            ro_put_many_blanks(ro, n);
        return;
    }
    memcpy(ro->line + ro->line_size, "                                ", 32); /* n of them count */
    ro->line_size += n;
}
void ro_put_padded(struct ro *ro, const char *s, size_t width);      /* left-aligned, blanks behind */
void ro_put_column(struct ro *ro, const char *s, size_t width);      /* the same, with one blank behind at least */
void ro_put_digits(struct ro *ro, uint64_t v, unsigned width);
static inline void ro_put_dec(struct ro *ro, uint64_t v, unsigned width) /* left-aligned */
{
    if (v < 10 && width <= 1 && ro->line_size < sizeof ro->line) /* most are */
        ro->line[ro->line_size++] = (char)('0' + v);
    else
        ro_put_digits(ro, v, width);
}
void ro_put_dec_right(struct ro *ro, uint64_t v, unsigned width);
void ro_put_hex(struct ro *ro, uint64_t v, unsigned digits);         /* at least that many, zeros in front */
void ro_put_name(struct ro *ro, const char *s, size_t size);         /* as ro_name() */
void ro_put_symbol_name(struct ro *ro, const char *s);               /* as ro_symbol_name() */
static inline void ro_new_line(struct ro *ro)
{
    ro_put_bytes(ro, "\n", 1);
}
void ro_flush_lines(struct ro *ro);
void ro_end_line(struct ro *ro); /* both */
/* "Sections:", in bold on a terminal. */
void ro_heading(struct ro *ro, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Enumerator by name, or in hex when it has none; buf is used for the latter. */
const char *ro_enum(const char *name, uint64_t value, char buf[static 24]);
/* "SHF_ALLOC | SHF_EXECINSTR"-like text as letters, readelf's: "WAXMSIL..." */
const char *ro_section_flags(uint64_t flags, char buf[static 24]);
/* Demangled name, owned (free), or NULL when it is none or was not asked for. */
char *ro_demangle(const struct ro *ro, const char *s);

/* ---- JSON ---- */
/* A string of a file's bytes; what is not UTF-8 becomes \xNN as in ro_name(). */
json_t *ro_json_string(const char *s, size_t size);
json_t *ro_json_cstring(const char *s); /* NULL gives null */
json_t *ro_json_uint(uint64_t v);       /* 2^63 and above: a string of decimal digits */
json_t *ro_json_enum(const char *name, uint64_t value);
json_t *ro_json_value(const struct codeobj_value *v);
/* Puts value (stolen, may be NULL) under key. */
void ro_json_set(json_t *object, const char *key, json_t *value);

/* ---- views: the rows of views.c ---- */
struct ro_view {
    uint32_t bit;         /* RO_VIEW_* */
    const char *json_key; /* NULL: text alone */
    void (*text)(struct ro *, const struct ro_object *);
    json_t *(*json)(struct ro *, const struct ro_object *);
};
extern const struct ro_view ro_views[];
extern const size_t ro_view_count;

void ro_header_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_header_json(struct ro *ro, const struct ro_object *obj);
void ro_segments_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_segments_json(struct ro *ro, const struct ro_object *obj);
void ro_sections_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_sections_json(struct ro *ro, const struct ro_object *obj);
void ro_symbols_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_symbols_json(struct ro *ro, const struct ro_object *obj);
void ro_dynamic_symbols_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_dynamic_symbols_json(struct ro *ro, const struct ro_object *obj);
void ro_relocations_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_relocations_json(struct ro *ro, const struct ro_object *obj);
void ro_dynamic_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_dynamic_json(struct ro *ro, const struct ro_object *obj);
void ro_notes_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_notes_json(struct ro *ro, const struct ro_object *obj);
void ro_metadata_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_metadata_json(struct ro *ro, const struct ro_object *obj);
void ro_kernels_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_kernels_json(struct ro *ro, const struct ro_object *obj);
void ro_groups_text(struct ro *ro, const struct ro_object *obj);
json_t *ro_groups_json(struct ro *ro, const struct ro_object *obj);
void ro_hex_dump_text(struct ro *ro, const struct ro_object *obj);
void ro_string_dump_text(struct ro *ro, const struct ro_object *obj);
void ro_raw_metadata(struct ro *ro, const struct codeobj_elf *elf);
void ro_summary_text(struct ro *ro, const struct ro_object *obj);
/* disassemble*.c */
void ro_disassembly_text(struct ro *ro, const struct ro_object *obj);
/* Around all objects: --section and --symbol that match nothing in any of them are errors. */
void ro_disassembly_begin(struct ro *ro);
void ro_disassembly_end(struct ro *ro, bool any_object);
void ro_disassemble_raw(struct ro *ro);

/* ---- modes ---- */
/* Over all files; what goes wrong is printed and sets ro->failed. */
void ro_show_files(struct ro *ro);
void ro_list(struct ro *ro);
void ro_targets(struct ro *ro);
void ro_extract(struct ro *ro);
void ro_pack(struct ro *ro);
void ro_check(struct ro *ro);
/* --lanes without a run */
void ro_lanes(struct ro *ro);
/* --launch and --run: the exit status. */
int ro_launch(struct ro *ro);
int ro_run(struct ro *ro);

/* ---- on several threads ---- */
/* Threads to use: --threads, or one for each processor. */
unsigned ro_thread_count(const struct ro *ro);
/* Calls job(part, i, user) for i in [0, count), on several threads at once, each time
 * with a struct ro of its own; the texts and messages come out in the order of i.
 * With one thread, or one job, part is ro itself. */
typedef void ro_job(struct ro *part, size_t i, void *user);
void ro_in_order(struct ro *ro, size_t count, ro_job *job, void *user);

/* ---- small helpers ---- */
/* Whether metadata kernel and symbol go together, and which: the index for a
 * kernel's name (with size), or SIZE_MAX. */
size_t ro_metadata_kernel(const struct ro_object *obj, const struct codeobj_kernel *kernel);

/* walk.c: a target ("gfx90a:xnack+", with or without a triple in front), or the target of a bundle's entry ID. */
bool ro_parse_target(const char *text, struct codeobj_target *out, struct codeobj_diag *diag);

#endif

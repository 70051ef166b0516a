/* SPDX-License-Identifier: MIT
 *
 * ld/options.h - the command line of amdld: what it collects for codeobj_link().
 */
#ifndef CO_LD_OPTIONS_H
#define CO_LD_OPTIONS_H

#include <codeobj/link.h>

#include <setjmp.h>
#include <stdatomic.h>

/* A growing array of anything; items belong to the driver's keep list. */
#define DVEC(type)                                                                                                     \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, cap;                                                                                             \
    }
#define DPUSH(d, v)                                                                                                    \
    ((v).count == (v).cap ? driver_grow((d), (void **)&(v).items, (v).count, &(v).cap, sizeof *(v).items) : (void)0,  \
     &(v).items[(v).count++])

struct kept;
struct mapping {
    void *data;
    size_t size;
};

enum { DRIVER_READ_BELOW = 128 * 1024 }; /* reading is faster than mapping for small files */

/* A file that has been read before its turn; data is NULL where it has not. */
struct ahead_file {
    const char *path;
    const void *data;
    size_t size;
};

/* A rule of --remap-inputs. */
struct remap {
    const char *from, *to;
    bool pattern;
};

/* What --push-state saves. */
struct input_state {
    bool whole_archive, as_needed, is_static, lazy;
};

/* A file that is written beside the one whose place it takes in the end. */
struct new_file {
    const char *temporary; /* its name meanwhile; NULL: there is none */
    int fd;
};

struct driver {
    const char *program; /* last part of argv[0] */
    struct kept *kept;
    jmp_buf fatal;
    DVEC(struct mapping) maps;
    struct new_file image;   /* the output, where it is taken in pieces */
    atomic_int output_errno; /* why it could not be written */
    bool streamed;           /* it has been taken in pieces */

    struct codeobj_link_options opt;
    DVEC(struct codeobj_link_input) inputs;
    DVEC(const char *) undefined, undefined_globs, require_defined, defsym, wrap, export_symbols, trace_symbols, keep_unique, why_live, backrefs_exclude;
    DVEC(const char *) filters, auxiliaries, keep, unknown_z;
    DVEC(const char *) library_paths, exclude_libs, dependencies, mllvm;
    DVEC(struct codeobj_link_text) version_scripts, dynamic_lists, export_lists, orderings, linker_scripts;
    struct codeobj_link_text call_graph_text;
    DVEC(struct codeobj_link_section_address) section_addresses, dead_relocs, shuffles;
    DVEC(struct codeobj_link_compression) compressions;
    DVEC(size_t) defsym_places; /* of each: how many scripts are in front of it */
    DVEC(struct remap) remaps;
    struct input_state state;
    DVEC(struct input_state) states;
    unsigned group, last_group; /* of the next input, and of the last one: within --start-group they do not count up */

    const char *output, *map_file, *dependency_file, *why_extract, *print_gc_file, *archive_stats, *sysroot, *emulation, *call_graph, *call_graph_sort, *print_order, *default_script, *image_base;
    /* bitcode */
    const char *lto_clang, *mcpu, *mattr, *lto_opt, *lto_cg_opt;
    bool save_temps;
    struct thinlto {
        const char *index_file, *cache_policy;                      /* NULL: not given */
        const char *prefix, *prefix_shown, *suffix, *suffix_shown; /* --thinlto-prefix-replace, --thinlto-object-suffix-replace */
        bool index_only, single_module, emit_index;
    } thinlto;
    uint8_t lto_emit; /* enum lto_emit */

    size_t responses; /* how many response files were read */
    bool verbose, version, show_version, help, no_demangle, color, exclude_all, in_lib, in_group, scripts_read, big_endian, little_endian, pack_relative, windows_quoting, has_format, binary_inputs;
    bool want_shared, want_pie, want_relocatable, wants_zstd;
    unsigned long error_limit;
    size_t error_count;
    unsigned includes; /* of linker scripts */
    const struct ahead_file *ahead; /* of the argument at hand, or NULL */
    char *pool; /* for the bytes of small files */
    size_t pool_left, bytes_read;
    bool last_was_long;
    bool warnings_off, warnings_fatal, vs_diagnostics;
};

/* Never return NULL: on exhaustion they say so and leave. */
void *driver_alloc(struct driver *d, size_t size);     /* zeroed */
void *driver_alloc_raw(struct driver *d, size_t size); /* not */
void driver_grow(struct driver *d, void **items, size_t count, size_t *cap, size_t item_size);
char *driver_print(struct driver *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *driver_strndup(struct driver *d, const char *s, size_t n);

/* "PROGRAM: error: ..." in ld.lld's layout; counts. */
void driver_message(struct driver *d, bool is_error, const char *text);
void driver_error(struct driver *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void driver_warn(struct driver *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* options.c: the whole command line.  False when there is nothing to link (help, version, errors). */
bool driver_parse(struct driver *d, int argc, char **argv);
const char *driver_version(struct driver *d);

/* options_table.c */
enum option_arg { ARG_NONE, ARG_VALUE, ARG_JOINED, ARG_OPTIONAL, ARG_SEPARATE, ARG_ADJOINED };
struct option {
    const char *name;
    uint8_t arg;      /* enum option_arg */
    uint8_t two;      /* 1: two dashes only; 2: one only; 3: two for a value */
    uint8_t action;   /* ACT_* */
    uint32_t a;       /* offset or bit */
    uint32_t b;       /* value */
    const char *help; /* NULL: accepted and without effect here */
};
enum { ACT_IGNORE, ACT_FLAG, ACT_UNFLAG, ACT_BYTE, ACT_STRING, ACT_LIST, ACT_DRIVER_BOOL, ACT_DRIVER_STRING, ACT_CALL };
const struct option *option_find(const char *name, size_t len, bool two_dashes);
const struct option *option_short(char c);
const struct option *option_adjoined(const char *name, const char **value); /* behind two dashes: --lto-O3 */
const char *option_nearest(struct driver *d, const char *arg); /* what may have been meant; or NULL */
void option_help(void);
void option_call(struct driver *d, unsigned which, const char *name, const char *value);
enum {
    CALL_RELOCATABLE, CALL_SHARED, CALL_PIE, CALL_NO_PIE, CALL_Z, CALL_BUILD_ID, CALL_HASH_STYLE,
    CALL_LIBRARY, CALL_VERSION_SCRIPT, CALL_DYNAMIC_LIST, CALL_SYMBOL_ORDER, CALL_RETAIN, CALL_SCRIPT,
    CALL_SECTION_START, CALL_TEXT, CALL_DATA, CALL_BSS, CALL_IMAGE_BASE, CALL_OFORMAT, CALL_OPTIMIZE, CALL_COMPRESS,
    CALL_ERROR_LIMIT, CALL_UNRESOLVED, CALL_STATE, CALL_EMULATION, CALL_PLUGIN_OPT, CALL_MAP,
    CALL_REPRODUCE, CALL_PACK, CALL_DEMANGLE, CALL_STRIP, CALL_THREADS, CALL_LTO, CALL_TRACE,
    CALL_NOINHIBIT, CALL_EXPORT_LIST, CALL_RPATH, CALL_PRINT_GC, CALL_FORMAT, CALL_SAVE_TEMPS, CALL_SORT_SECTION,
    CALL_INPUT_FORMAT, CALL_CHECKED, CALL_OTHER_MACHINE, CALL_JUST_SYMBOLS, CALL_COMPRESS_SECTIONS, CALL_ORPHANS,
    CALL_PACKAGE, CALL_LTO_EMIT, CALL_WHY_LIVE, CALL_SHUFFLE, CALL_PADDING, CALL_THINLTO, CALL_NO_CALL_GRAPH, CALL_BACKREFS, CALL_DEFSYM
};

/* options_files.c */
bool driver_read(struct driver *d, const char *path, const void **data, size_t *size); /* false: errno */
void driver_add_file(struct driver *d, const char *path);
void driver_add_just_symbols(struct driver *d, const char *path);
void driver_add_library(struct driver *d, const char *name);
const char *driver_find_script(struct driver *d, const char *name);
bool driver_is_folder(const char *path);
bool driver_write(struct driver *d, const char *path, const void *data, size_t size, unsigned mode);
bool driver_can_replace(const char *path); /* a regular file, or none yet */
bool driver_begin_file(struct driver *d, struct new_file *f, const char *path, unsigned mode);
bool driver_write_piece(const struct new_file *f, uint64_t off, const void *data, size_t size); /* from any thread */
bool driver_finish_file(struct new_file *f, const char *path);
void driver_drop_file(struct new_file *f);
const char *driver_read_text(struct driver *d, const char *path, size_t *size);
void driver_call_graph(struct driver *d);
void driver_unmap(struct driver *d);

/* options_rules.c */
bool driver_number(const char *text, unsigned base, uint64_t *out); /* the whole text; base 0: the text says which */
bool driver_signed_number(const char *text, unsigned base, int64_t *out);
/* Which of the words (NULL ends them) v is; else false, and an error "MESSAGE: V". */
bool driver_choose(struct driver *d, const char *v, const char *const *words, uint8_t *out, const char *message);
void driver_remap(struct driver *d, const char *rule);
void driver_remap_file(struct driver *d, const char *path);
const char *driver_remapped(const struct driver *d, const char *path);
void driver_compress_sections(struct driver *d, const char *v);
void driver_dead_reloc(struct driver *d, const char *v);
void driver_shuffle(struct driver *d, const char *v);
void driver_why_live(struct driver *d, const char *glob);
void driver_exclude_backrefs(struct driver *d, const char *glob);
void driver_package_metadata(struct driver *d, const char *v);

/* The value of an option in one of its spellings (`-LDIR`, `-L DIR`, `--NAME=V`, `--NAME V`), or NULL. */
const char *driver_early_value(const char *arg, const char *after, char letter, const char *long_name);

/* options_verbose.c */
void driver_log(struct driver *d, const char *path); /* under --verbose */
void driver_log_lists(struct driver *d, const char *const *args, size_t count); /* files of symbols and versions */

/* options_vs.c: --vs-diagnostics */
const char *driver_vs_place(struct driver *d, const char *text); /* what a message begins with */
/* Two definitions whose lines are known are two messages. */
bool driver_vs_split(struct driver *d, const char *text, const char **first, const char **second);

/* Has the limit of errors, which a message in two parts may reach early, been passed?  *text: what is said when it is. */
bool driver_vs_full(const struct driver *d, bool is_error, const char **text);

/* options_ahead.c: one entry an argument, or NULL where it is not worth it */
struct ahead_file *driver_read_ahead(struct driver *d, const char *const *args, size_t count);

/* options_companion.c: false with a message when another program would have to do the link and cannot */
bool driver_hand_over(struct driver *d, char **argv);

/* options_demangle.c: _Z... or _R... as in the source; owned, free().  NULL: it is no such name. */
char *driver_demangle(const char *name);

/* options_script.c: an input that is text */
void driver_read_script(struct driver *d, const char *path, const char *text, size_t size);

/* options_internalize.c */
bool driver_has_objects(const struct driver *d);     /* which may need what only bitcode defines; thin archives count as such */
bool driver_may_internalize(const struct driver *d); /* is bitcode all that there is, and do the options name nothing of it? */
const char *driver_internalize(struct driver *d, const char *text, size_t size, size_t *new_size);

/* options_lto.c: bitcode through clang; false with messages when it cannot be done */
bool driver_compile(struct driver *d, const struct codeobj_link_bitcode *modules, size_t count,
                    struct codeobj_link_input *out);
/* What is written in place of an image: --lto-emit-asm, --lto-emit-llvm. */
enum lto_emit { EMIT_IMAGE, EMIT_ASSEMBLY, EMIT_BITCODE, EMIT_NOTHING };
void driver_emit(struct driver *d, const struct codeobj_link_bitcode *modules, size_t count);

/* options_thinlto.c */
void driver_thinlto(struct driver *d, const char *name, const char *shown, const char *v);
void driver_check_thinlto(struct driver *d);
bool driver_thinlto_compiles(struct driver *d);
void driver_emit_index(struct driver *d);

#endif

/* SPDX-License-Identifier: MIT
 *
 * readobj/options.h - the command line as a struct; options.c holds the table.
 */
#ifndef READOBJ_OPTIONS_H
#define READOBJ_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Things that can be printed; a bit each, in printing order. */
enum {
    RO_VIEW_SUMMARY = 1u << 0,
    RO_VIEW_HEADER = 1u << 1,
    RO_VIEW_SEGMENTS = 1u << 2,
    RO_VIEW_SECTIONS = 1u << 3,
    RO_VIEW_SYMBOLS = 1u << 4,
    RO_VIEW_DYNSYMS = 1u << 5,
    RO_VIEW_RELOCATIONS = 1u << 6,
    RO_VIEW_DYNAMIC = 1u << 7,
    RO_VIEW_NOTES = 1u << 8,
    RO_VIEW_METADATA = 1u << 9,
    RO_VIEW_KERNELS = 1u << 10,
    RO_VIEW_DISASSEMBLY = 1u << 11,
    RO_VIEW_GROUPS = 1u << 12,
    RO_VIEW_HEX_DUMP = 1u << 13,
    RO_VIEW_STRING_DUMP = 1u << 14,
    RO_VIEW_RAW_METADATA = 1u << 15, /* the notes' bytes and nothing else */
    /* -a: all of it but the disassembly */
    RO_VIEW_ALL = RO_VIEW_HEADER | RO_VIEW_SEGMENTS | RO_VIEW_SECTIONS | RO_VIEW_SYMBOLS | RO_VIEW_DYNSYMS |
                  RO_VIEW_RELOCATIONS | RO_VIEW_DYNAMIC | RO_VIEW_NOTES | RO_VIEW_METADATA | RO_VIEW_KERNELS | RO_VIEW_GROUPS
};

/* What the program does; everything but SHOW excludes the others. */
enum ro_mode {
    RO_MODE_SHOW = 0,
    RO_MODE_LIST,
    RO_MODE_TARGETS,
    RO_MODE_EXTRACT,
    RO_MODE_PACK,
    RO_MODE_CHECK,
    RO_MODE_LANES,
    RO_MODE_LAUNCH,
    RO_MODE_RUN
};

struct ro_strings {
    const char **items; /* the array is owned, its strings are not */
    size_t count;
};

struct ro_options {
    uint32_t views;
    int mode; /* enum ro_mode */
    const char *mode_option; /* the option that set it, for messages */
    const char *mode_arg;
    const char *format;  /* "text", "json" */
    const char *color;   /* "auto", "always", "never" */
    struct ro_strings hex_dump, string_dump; /* sections */
    bool demangle;
    bool json;

    /* disassembly */
    bool show_line_numbers, show_source, no_addresses, no_encoding, inline_relocations, disassemble_all, raw, explain;
    const char *mcpu, *mattr;
    uint64_t wave_size; /* 32, 64; 0: as the kernels say */
    bool letter_r, letter_l, letter_S; /* with -d these mean what they mean to objdump */
    struct ro_strings disassemble_symbols;
    const char *section;

    /* containers */
    const char *target;
    const char *pack_format, *compress;
    uint64_t ccob_version, compress_level, bundle_align;

    /* checking */
    const char *check_for;
    uint64_t newest_version;

    /* running */
    const char *grid, *workgroup;
    struct ro_strings args;
    uint64_t dynamic_lds, max_instructions, threads;
    bool trace, profile, stats, dump_state, dump_kernarg;
    const char *trace_wave, *trace_workgroup, *trace_lanes, *trace_pc;

    /* --lanes without a run, with trace_lanes the operation and trace_wave the wave size */
    const char *lane_values, *lane_exec;

    struct ro_strings files;
    bool help, version;
};

/* Parses argv into *out (freed with ro_options_free).  On wrong usage prints
 * one line to stderr and returns false. */
bool ro_options_parse(int argc, char **argv, struct ro_options *out);
void ro_options_free(struct ro_options *options);
/* --help, made from the table. */
void ro_options_help(void);

#endif

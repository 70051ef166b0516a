/* SPDX-License-Identifier: MIT
 *
 * readobj/options.c - the option table; parsing and --help both read it.
 *
 * An option is one row.  Rows without help text are other spellings of the row
 * above them.
 */
#include "options.h"

#include <codeobj/base.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum action {
    SET_VIEW,   /* views |= value */
    SET_MODE,   /* mode = value, mode_arg = argument */
    SET_FLAG,   /* *(bool *)field = true */
    CLEAR_FLAG, /* *(bool *)field = false */
    SET_STRING, /* *(const char **)field = argument */
    SET_NUMBER, /* *(uint64_t *)field = argument */
    ADD_STRING, /* append to *(struct ro_strings *)field; views |= value */
    HEADING     /* a line of --help */
};

struct option {
    char letter;
    const char *name;
    const char *arg;     /* name of the argument, NULL: none */
    const char *choices; /* "text|json": what a SET_STRING takes; NULL: anything */
    enum action action;
    uint32_t value;
    size_t field;
    const char *help;
};

#define F(f) offsetof(struct ro_options, f)
#define VIEW(l, n, bit, h) { l, n, NULL, NULL, SET_VIEW, bit, 0, h }
#define MODE(n, a, m, h) { 0, n, a, NULL, SET_MODE, m, 0, h }
#define FLAG(l, n, f, h) { l, n, NULL, NULL, SET_FLAG, 0, F(f), h }
#define STRING(n, a, f, h) { 0, n, a, NULL, SET_STRING, 0, F(f), h }
#define CHOICE(n, c, f, h) { 0, n, "WHICH", c, SET_STRING, 0, F(f), h }
#define NUMBER(n, f, h) { 0, n, "N", NULL, SET_NUMBER, 0, F(f), h }
#define STRINGS(n, a, f, h) { 0, n, a, NULL, ADD_STRING, 0, F(f), h }
#define TITLE(t) { 0, NULL, NULL, NULL, HEADING, 0, 0, t }

static const struct option table[] = {
    TITLE("What to show (default: a summary of each code object)"),
    VIEW('a', "all", RO_VIEW_ALL, "everything below except the disassembly"),
    VIEW('h', "file-header", RO_VIEW_HEADER, "ELF header and target"),
    VIEW(0, "file-headers", RO_VIEW_HEADER, NULL),
    VIEW('l', "segments", RO_VIEW_SEGMENTS, "program headers"),
    VIEW(0, "program-headers", RO_VIEW_SEGMENTS, NULL),
    VIEW('S', "sections", RO_VIEW_SECTIONS, "section headers"),
    VIEW(0, "section-headers", RO_VIEW_SECTIONS, NULL),
    VIEW('e', "headers", RO_VIEW_HEADER | RO_VIEW_SEGMENTS | RO_VIEW_SECTIONS, "the three above"),
    VIEW('s', "symbols", RO_VIEW_SYMBOLS, "symbol table, and whether a host can find each symbol"),
    VIEW(0, "syms", RO_VIEW_SYMBOLS, NULL),
    VIEW(0, "dyn-symbols", RO_VIEW_DYNSYMS, "dynamic symbol table"),
    VIEW(0, "dyn-syms", RO_VIEW_DYNSYMS, NULL),
    VIEW('r', "relocations", RO_VIEW_RELOCATIONS, "relocations"),
    VIEW(0, "relocs", RO_VIEW_RELOCATIONS, NULL),
    VIEW(0, "dynamic", RO_VIEW_DYNAMIC, "dynamic section"),
    VIEW(0, "dynamic-table", RO_VIEW_DYNAMIC, NULL),
    VIEW('n', "notes", RO_VIEW_NOTES, "notes"),
    VIEW(0, "metadata", RO_VIEW_METADATA, "metadata of kernels and pipelines, as YAML"),
    VIEW(0, "raw-metadata", RO_VIEW_RAW_METADATA, "the bytes of the metadata notes, and nothing else"),
    VIEW(0, "kernels", RO_VIEW_KERNELS, "kernels: descriptor fields, registers, arguments"),
    VIEW('g', "section-groups", RO_VIEW_GROUPS, "section groups"),
    { 'x', "hex-dump", "SECTION", NULL, ADD_STRING, RO_VIEW_HEX_DUMP, F(hex_dump), "bytes of a section (name or index), decompressed" },
    { 'p', "string-dump", "SECTION", NULL, ADD_STRING, RO_VIEW_STRING_DUMP, F(string_dump), "strings in a section" },

    TITLE("Disassembly (-d; with it -r, -l and -S are the options below)"),
    VIEW('d', "disassemble", RO_VIEW_DISASSEMBLY, "code of all sections that hold any"),
    { 'D', "disassemble-all", NULL, NULL, SET_FLAG, 0, F(disassemble_all), "and the sections of kernel descriptors, these as directives" },
    STRINGS("symbol", "NAME", disassemble_symbols, "only code (and descriptor) of this symbol; may be repeated"),
    STRINGS("disassemble-symbols", "NAME", disassemble_symbols, NULL),
    STRING("section", "NAME", section, "only this section"),
    FLAG(0, "reloc", inline_relocations, "relocations beside the word that they patch (-r)"),
    FLAG(0, "line-numbers", show_line_numbers, "source file and line in front of the code (-l)"),
    FLAG(0, "source", show_source, "source text in front of the code (-S)"),
    FLAG(0, "no-show-raw-insn", no_encoding, "leave the words out"),
    FLAG(0, "no-addresses", no_addresses, "leave the addresses out"),
    STRING("mcpu", "NAME", mcpu, "decode for this processor, whatever the file says"),
    NUMBER("wave-size", wave_size, "32 or 64 (default: as the kernel descriptors say)"),
    STRING("mattr", "LIST", mattr, "+wavefrontsize32, +wavefrontsize64"),
    FLAG(0, "explain", explain, "mark words with meaningless bits, and say why a word is no instruction"),
    FLAG(0, "raw", raw, "the file is instructions and nothing else; needs --mcpu"),

    TITLE("Containers (archives, offload bundles, host programs: looked into always)"),
    MODE("list", NULL, RO_MODE_LIST, "what is inside: offset, stored and unpacked size, kind, target"),
    MODE("targets", NULL, RO_MODE_TARGETS, "bytes and code objects for each target, over all files"),
    MODE("extract", "DIR", RO_MODE_EXTRACT, "write each code object, bitcode and SPIR-V module into DIR"),
    STRING("target", "ID", target, "only code for this target (gfx90a, gfx90a:xnack+ ...)"),
    MODE("pack", "OUT", RO_MODE_PACK, "write the device code of all files into one new container"),
    CHOICE("pack-format", "bundle|compressed|offload-binary|archive", pack_format, "of --pack (default: bundle)"),
    CHOICE("compress", "zlib|zstd", compress, "--pack a compressed bundle"),
    NUMBER("ccob-version", ccob_version, "version of the compressed bundle, 1 to 3 (default 3)"),
    NUMBER("compress-level", compress_level, "level of the compressor"),
    NUMBER("bundle-align", bundle_align, "alignment of entries (default 4096)"),

    TITLE("Checking"),
    MODE("check", NULL, RO_MODE_CHECK, "say why an object will not load, or a kernel not be found"),
    STRING("for", "ID", check_for, "the device it is to be loaded on (gfx90a:xnack+ ...)"),
    NUMBER("newest-version", newest_version, "newest code object version that the runtime knows"),

    TITLE("Running"),
    MODE("launch", "FILE", RO_MODE_LAUNCH, "run one kernel as the launch file says (amdreadobj-launch(5))"),
    MODE("run", "KERNEL", RO_MODE_RUN, "run a kernel of the object on the command line"),
    STRING("grid", "X[,Y[,Z]]", grid, "work-items of --run in each dimension"),
    STRING("workgroup", "X[,Y[,Z]]", workgroup, "work-items of a work-group"),
    STRINGS("arg", "ARG", args, "next argument: TYPE:VALUE[,VALUE...], buffer:SIZE[:FILE], bytes:HEX, local:SIZE"),
    NUMBER("dynamic-lds", dynamic_lds, "bytes of LDS on top of the kernel's own"),
    NUMBER("max-instructions", max_instructions, "stop after that many wave instructions"),
    NUMBER("threads", threads, "host threads (default: all cores)"),
    FLAG(0, "trace", trace, "show each instruction as it runs, and the registers it writes"),
    FLAG(0, "profile", profile, "count how often each instruction ran, and with how many lanes"),
    FLAG(0, "stats", stats, "count instructions by encoding format, and millions a second"),
    FLAG(0, "dump-state", dump_state, "show the registers of each wave as it ends, or after the instructions of --pc"),
    FLAG(0, "dump-kernarg", dump_kernarg, "show the kernel's arguments, the hidden ones too"),
    STRING("workgroup-id", "X[,Y[,Z]]", trace_workgroup, "trace this work-group alone (of --launch, --workgroup says so too)"),
    STRING("wave", "N[-M]", trace_wave, "trace these waves of a work-group alone; wave size of --lanes=OPERATION"),
    STRING("lanes", "N[-M]|OPERATION", trace_lanes, "show these lanes of vector registers (default 0-3); see below"),
    STRING("pc", "ADDR[-ADDR]", trace_pc, "trace these offsets from the kernel's entry alone"),

    TITLE("Cross-lane operations (--lanes=OPERATION without a file; amdreadobj-lanes(7))"),
    STRING("values", "LIST", lane_values, "what the lanes hold (addresses of ds_bpermute ...); a short list repeats"),
    STRING("exec", "MASK", lane_exec, "the active lanes (default: all)"),

    TITLE("Output"),
    CHOICE("format", "text|json", format, "text (default) or json"),
    FLAG('C', "demangle", demangle, "show C++ names as in the source"),
    CHOICE("color", "auto|always|never", color, "colours: auto (default, on terminals), always, never"),
    FLAG(0, "help", help, "this text"),
    FLAG('V', "version", version, "the version"),
};
enum { ROWS = sizeof table / sizeof table[0] };

static bool usage_error(const char *fmt, const char *a, const char *b)
{
    fprintf(stderr, "amdreadobj: error: ");
    fprintf(stderr, fmt, a, b); /* NOLINT: formats are the literals below */
    fprintf(stderr, "\n");
    return false;
}

static bool unknown_long(const char *name)
{
    /* A slip of the hand: one edit for each three letters. */
    const char *best = NULL;
    unsigned best_distance = 4;
    for (size_t i = 0; i < ROWS; i++) {
        unsigned d = table[i].name ? codeobj_name_distance(name, table[i].name) : CODEOBJ_NAME_FAR;
        if (d < best_distance && 3 * d <= strlen(name)) {
            best = table[i].name;
            best_distance = d;
        }
    }
    return best ? usage_error("unknown option '--%s', did you mean '--%s'?", name, best)
                : usage_error("unknown option '--%s'; --help lists them%s", name, "");
}

static bool add_string(struct ro_strings *list, const char *s)
{
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items)
        return usage_error("out of memory%s%s", "", "");
    list->items = items;
    list->items[list->count++] = s;
    return true;
}

static bool is_choice(const char *choices, const char *arg)
{
    size_t n = strlen(arg);
    for (const char *p = choices; *p;) {
        size_t len = strcspn(p, "|");
        if (len == n && memcmp(p, arg, n) == 0)
            return true;
        p += len + (p[len] == '|');
    }
    return false;
}

static bool apply(struct ro_options *o, const struct option *row, const char *arg)
{
    void *field = (char *)o + row->field;
    switch (row->action) {
    case SET_VIEW: o->views |= row->value; return true;
    case SET_FLAG: *(bool *)field = true; return true;
    case CLEAR_FLAG: *(bool *)field = false; return true;
    case ADD_STRING: o->views |= row->value; return add_string(field, arg);
    case SET_MODE:
        if (o->mode_option && strcmp(o->mode_option, row->name) != 0)
            return usage_error("--%s and --%s do not go together", o->mode_option, row->name);
        o->mode = (int)row->value;
        o->mode_option = row->name;
        o->mode_arg = arg;
        return true;
    case SET_STRING:
        if (row->choices && !is_choice(row->choices, arg))
            return usage_error("--%s takes one of %s", row->name, row->choices);
        *(const char **)field = arg;
        return true;
    case SET_NUMBER: {
        char *end;
        errno = 0;
        uint64_t v = strtoull(arg, &end, 0);
        if (errno || *end || end == arg || *arg == '-')
            return usage_error("--%s: '%s' is not a number", row->name, arg);
        *(uint64_t *)field = v;
        return true;
    }
    case HEADING: break;
    }
    return true;
}

static bool parse_long(struct ro_options *o, const char *text, char **argv, int argc, int *i)
{
    const char *eq = strchr(text, '=');
    size_t n = eq ? (size_t)(eq - text) : strlen(text);
    char name[64];
    if (n >= sizeof name)
        return usage_error("unknown option '--%s'; --help lists them%s", text, "");
    memcpy(name, text, n);
    name[n] = 0;
    for (size_t r = 0; r < ROWS; r++) {
        if (!table[r].name || strcmp(table[r].name, name) != 0)
            continue;
        if (!table[r].arg)
            return eq ? usage_error("--%s takes no argument%s", name, "") : apply(o, &table[r], NULL);
        if (!eq && *i + 1 >= argc)
            return usage_error("--%s needs an argument (%s)", name, table[r].arg);
        return apply(o, &table[r], eq ? eq + 1 : argv[++*i]);
    }
    return unknown_long(name);
}

/* Letters; the argument of one that takes one is the rest of the word, or the next. */
static bool parse_short(struct ro_options *o, const char *letters, char **argv, int argc, int *i)
{
    for (; *letters; letters++) {
        size_t r = 0;
        while (r < ROWS && table[r].letter != *letters)
            r++;
        char letter[2] = { *letters, 0 };
        if (r == ROWS)
            return usage_error("unknown option '-%s'; --help lists them%s", letter, "");
        if (table[r].arg) {
            if (!letters[1] && *i + 1 >= argc)
                return usage_error("-%s needs an argument (%s)", letter, table[r].arg);
            return apply(o, &table[r], letters[1] ? letters + 1 : argv[++*i]);
        }
        if (!apply(o, &table[r], NULL))
            return false;
        o->letter_r |= *letters == 'r';
        o->letter_l |= *letters == 'l';
        o->letter_S |= *letters == 'S';
    }
    return true;
}

/* Options of the disassembly depend on each other. */
static bool settle_disassembly(struct ro_options *o)
{
    if (o->disassemble_all || o->raw || o->disassemble_symbols.count)
        o->views |= RO_VIEW_DISASSEMBLY;
    if (o->views & RO_VIEW_DISASSEMBLY) {
        o->inline_relocations |= o->letter_r;
        o->show_line_numbers |= o->letter_l;
        o->show_source |= o->letter_S;
        if ((o->views & RO_VIEW_ALL) != RO_VIEW_ALL)
            o->views &= ~(uint32_t)((o->letter_r ? RO_VIEW_RELOCATIONS : 0) | (o->letter_l ? RO_VIEW_SEGMENTS : 0) |
                                    (o->letter_S ? RO_VIEW_SECTIONS : 0));
    }
    if (o->mattr) {
        if (strcmp(o->mattr, "+wavefrontsize32") != 0 && strcmp(o->mattr, "+wavefrontsize64") != 0)
            return usage_error("--mattr takes +wavefrontsize32 or +wavefrontsize64%s%s", "", "");
        o->wave_size = strstr(o->mattr, "64") ? 64 : 32;
    }
    if (o->trace_wave && o->views & RO_VIEW_DISASSEMBLY && !o->wave_size)
        o->wave_size = strtoull(o->trace_wave, NULL, 10);
    if (o->wave_size && o->wave_size != 32 && o->wave_size != 64)
        return usage_error("the wave size is 32 or 64%s%s", "", "");
    if (o->raw && !o->mcpu)
        return usage_error("--raw needs --mcpu%s%s", "", "");
    return true;
}

/* Options of --pack that contradict each other or ask for what no format has. */
static bool settle_packing(const struct ro_options *o)
{
    const char *format = o->pack_format ? o->pack_format : o->compress ? "compressed" : "bundle";
    bool compressed = strcmp(format, "compressed") == 0;
    if (o->compress && !compressed)
        return usage_error("--compress and --pack-format=%s do not go together%s", format, "");
    if ((o->compress_level || o->ccob_version) && !compressed)
        return usage_error("--%s needs --compress%s", o->compress_level ? "compress-level" : "ccob-version", "");
    if (o->ccob_version > 3)
        return usage_error("--ccob-version is 1, 2 or 3%s%s", "", "");
    if (o->compress_level > (o->compress && strcmp(o->compress, "zlib") == 0 ? 9u : 22u))
        return usage_error("--compress-level is 1 to 9 for zlib and 1 to 22 for zstd%s%s", "", "");
    if (o->bundle_align > 1u << 30 || (o->bundle_align & (o->bundle_align - 1)))
        return usage_error("--bundle-align is a power of two up to 2^30%s%s", "", "");
    return true;
}

bool ro_options_parse(int argc, char **argv, struct ro_options *out)
{
    *out = (struct ro_options){ .format = "text", .color = "auto" };
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        bool ok;
        if (only_files || a[0] != '-' || !a[1])
            ok = add_string(&out->files, a);
        else if (strcmp(a, "--") == 0)
            ok = only_files = true;
        else if (a[1] == '-')
            ok = parse_long(out, a + 2, argv, argc, &i);
        else
            ok = parse_short(out, a + 1, argv, argc, &i);
        if (!ok)
            return false;
    }
    if (!settle_disassembly(out) || !settle_packing(out))
        return false;
    out->json = strcmp(out->format, "json") == 0;
    if (out->help || out->version)
        return true;
    if (out->json && out->mode == RO_MODE_SHOW &&
        out->views & (RO_VIEW_DISASSEMBLY | RO_VIEW_HEX_DUMP | RO_VIEW_STRING_DUMP | RO_VIEW_RAW_METADATA))
        return usage_error("--format=json has no %s%s",
                           out->views & RO_VIEW_DISASSEMBLY ? "disassembly" : out->views & RO_VIEW_RAW_METADATA ? "raw metadata" : "dumps of sections", "");
    /* Of a run, --lanes filters the trace; alone, it is a mode. */
    if (out->trace_lanes && out->mode == RO_MODE_SHOW && out->files.count == 0)
        out->mode = RO_MODE_LANES;
    if (out->files.count == 0 && out->mode != RO_MODE_LANES && out->mode != RO_MODE_LAUNCH)
        return usage_error("no input file; --help shows the usage%s%s", "", "");
    return true;
}

void ro_options_free(struct ro_options *options)
{
    free(options->files.items);
    free(options->args.items);
    free(options->hex_dump.items);
    free(options->string_dump.items);
    free(options->disassemble_symbols.items);
}

void ro_options_help(void)
{
    printf("usage: amdreadobj [options] FILE...\n"
           "Shows AMDGPU code objects and whatever holds them, disassembles them and runs their kernels.\n");
    for (size_t r = 0; r < ROWS; r++) {
        const struct option *o = &table[r];
        char left[64];
        if (o->action == HEADING) {
            printf("\n%s:\n", o->help);
            continue;
        }
        if (!o->help)
            continue;
        char letter[8] = "    ";
        if (o->letter)
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->arg ? "=" : "",
                 o->choices ? o->choices : o->arg ? o->arg : "");
        printf("  %-32s %s\n", left, o->help);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * readobj/launch.h - one kernel launch: what a launch file or --run says.
 *
 * launch_yaml.c and launch_cli.c fill a struct launch, launch_run.c runs it,
 * launch_expect.c compares.  launch_types.c knows the element types.
 */
#ifndef READOBJ_LAUNCH_H
#define READOBJ_LAUNCH_H

#include "readobj.h"

enum launch_type {
    TYPE_U8 = 0, TYPE_U16, TYPE_U32, TYPE_U64,
    TYPE_I8, TYPE_I16, TYPE_I32, TYPE_I64,
    TYPE_F16, TYPE_BF16, TYPE_F32, TYPE_F64,
    TYPE_COUNT
};
#define LAUNCH_TYPE_NAMES "u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64"

/* Type of that name, or TYPE_COUNT. */
enum launch_type launch_type_by_name(const char *name);
const char *launch_type_name(enum launch_type type);
unsigned launch_type_size(enum launch_type type);
bool launch_type_is_float(enum launch_type type);
/* Reads a number into out[0..size of type); NULL, or what is wrong with it. */
const char *launch_type_parse(enum launch_type type, const char *text, uint8_t out[8]);
/* The element at p as text, exact enough to tell neighbours apart. */
void launch_type_print(enum launch_type type, const uint8_t *p, char buf[static 48]);
/* A floating-point element as a double. */
double launch_type_real(enum launch_type type, const uint8_t *p);
/* Distance in units in the last place; UINT64_MAX when exactly one is a NaN. */
uint64_t launch_type_ulps(enum launch_type type, const uint8_t *a, const uint8_t *b);

struct launch_bytes {
    uint8_t *data; /* owned */
    size_t size, room;
};

enum launch_arg_kind { ARG_BUFFER = 0, ARG_VALUE, ARG_LOCAL };

struct launch_expect {
    bool present;
    enum launch_type type;
    struct launch_bytes bytes;
    bool has_ulp, has_abs, has_rel;
    uint64_t ulp;
    double abs, rel;
};

struct launch_arg {
    enum launch_arg_kind kind;
    struct launch_bytes bytes; /* BUFFER: its first bytes; VALUE: all of it */
    uint64_t size;             /* BUFFER: bytes of device memory; LOCAL: bytes of LDS */
    uint8_t fill;              /* BUFFER: every byte behind `bytes` */
    char *save;                /* path, owned; NULL: none */
    struct launch_expect expect;
};

struct launch {
    char *code_object, *kernel, *target; /* owned; target may be NULL */
    uint32_t grid[3], workgroup[3];      /* unused dimensions are 1 */
    unsigned dims;
    uint32_t dynamic_lds;
    struct launch_arg *args;
    size_t arg_count;
};

void launch_free(struct launch *launch);
/* The next argument, zeroed; NULL when memory is out. */
struct launch_arg *launch_add_arg(struct launch *launch);
/* A whole file.  NULL, or what went wrong (static or from strerror). */
const char *launch_read_file(const char *path, struct launch_bytes *out);
/* Hex digits, blanks between bytes allowed; NULL or what is wrong. */
const char *launch_parse_hex(const char *text, struct launch_bytes *out);
/* Appends a number to bytes; NULL or what is wrong. */
const char *launch_append(struct launch_bytes *bytes, enum launch_type type, const char *text);

/* Both print what is wrong and return false. */
bool launch_from_yaml(struct ro *ro, const char *path, struct launch *out);
bool launch_from_options(struct ro *ro, struct launch *out);

/* Compares; prints the first mismatch. */
bool launch_expect_holds(struct ro *ro, const struct launch *launch, size_t arg_idx, const uint8_t *got);

/* ---- launch_report.c ---- */

#define LAUNCH_PRINTF_BYTES (4u << 20) /* of the buffer for OpenCL's printf */

/* --dump-kernarg: every argument of a dispatch that is about to begin.  kernel_idx SIZE_MAX: no metadata. */
void launch_dump_kernarg(struct ro *ro, struct codeobj_device *device, const struct codeobj_metadata *metadata,
                         size_t kernel_idx, const struct codeobj_exec_dispatch_event *event);
/* Adds the source line of an address of the file to a diagnostic, where there is debug information. */
void launch_add_line(const struct codeobj_elf *elf, uint64_t addr, struct codeobj_diag *diag);
/* A buffer for a kernel that prints; *addr is 0 for others. */
bool launch_printf_buffer(struct ro *ro, struct codeobj_device *device, const struct codeobj_metadata *metadata,
                          size_t kernel_idx, uint64_t *addr);
/* Prints what lies in it; addr 0: nothing. */
bool launch_print(struct ro *ro, struct codeobj_device *device, const struct codeobj_metadata *metadata, uint64_t addr);

/* The tracer, a hook of the executor. */
struct launch_trace;
struct launch_trace *launch_trace_new(struct ro *ro, const struct codeobj_processor *processor,
                                      const struct codeobj_kernel_descriptor *descriptor, uint64_t entry);
/* What --profile, --stats counted; seconds: how long the dispatch took. */
void launch_trace_finish(struct launch_trace *trace, double seconds);
void launch_trace_free(struct launch_trace *trace);
bool launch_trace_hook(void *trace, const struct codeobj_exec_event *event);

/* Counts for --profile and --stats, and the registers of --dump-state. */
struct launch_profile;
struct launch_profile *launch_profile_new(struct ro *ro, const struct codeobj_processor *processor,
                                          const struct codeobj_kernel_descriptor *descriptor, uint64_t entry);
void launch_profile_free(struct launch_profile *profile);
void launch_profile_count(struct launch_profile *profile, const struct codeobj_exec_event *event);
void launch_profile_dump(struct launch_profile *profile, const struct codeobj_exec_event *event, uint64_t first_lane,
                         uint64_t last_lane);
void launch_profile_print(struct launch_profile *profile, double seconds);

#endif

/* SPDX-License-Identifier: MIT
 *
 * case.h - how a test kernel is launched.  CPU side only.
 */
#ifndef KERNELS_CASE_H
#define KERNELS_CASE_H

/* What a buffer holds before the run; the seed is the case's name and the argument's number. */
enum fill {
    FILL_ZERO,
    FILL_BITS,    /* random bytes */
    FILL_BELOW,   /* u32 below `param` */
    FILL_IOTA,    /* u32 0, 1, 2 ... */
    FILL_PERM,    /* u32 0 .. count - 1 in random order */
    FILL_TEXT,    /* small letters and blanks; count is bytes */
    FILL_F16,     /* in (-8, 8) */
    FILL_F32,     /* in (-100, 100) */
    FILL_F64,     /* in (-100, 100) */
    FILL_F16_ANY, /* every class: zeros, denormals, infinities, quiet NaNs, extremes, random bits */
    FILL_F32_ANY,
    FILL_F64_ANY,
    FILL_INT_ANY, /* u32 with the corners of i8 to i32 among random bits */
    FILL_LONG_ANY /* u64, the same */
};
enum arg_kind { ARG_END, ARG_BUFFER, ARG_VALUE, ARG_LOCAL };
struct kernel_arg {
    u8 kind;
    u8 fill;
    u32 param;
    u64 size;  /* bytes */
    u64 value; /* ARG_VALUE up to 8 bytes */
    const void *bytes; /* ARG_VALUE of more */
};
union host_arg {
    void *p;
    u64 u;
    f32 f;
    f64 d;
};
struct kernel_case {
    const char *name;
    const char *unit; /* source file: the object is UNIT.co */
    void (*call)(const union host_arg *a);
    u32 grid[3], group[3]; /* work-items; 0 is 1 */
    u32 dynamic_lds;
    int version;       /* the object has to be of this code object version, or a later one */
    const char *needs; /* processors, separated by blanks, that have what the kernel uses; NULL: all */
    struct kernel_arg args[12];
};

#define BUF(how, bytes) { .kind = ARG_BUFFER, .fill = FILL_##how, .size = (bytes) }
#define BUF_BELOW(limit, bytes) { .kind = ARG_BUFFER, .fill = FILL_BELOW, .param = (limit), .size = (bytes) }
/* A pointer to `bytes` of dynamic LDS, behind the kernel's own. */
#define LOCAL_BYTES(bytes) { .kind = ARG_LOCAL, .size = (bytes) }
#define VAL_U8(x) { .kind = ARG_VALUE, .size = 1, .value = (u8)(x) }
#define VAL_U16(x) { .kind = ARG_VALUE, .size = 2, .value = (u16)(x) }
#define VAL_U32(x) { .kind = ARG_VALUE, .size = 4, .value = (u32)(x) }
#define VAL_U64(x) { .kind = ARG_VALUE, .size = 8, .value = (u64)(x) }
#define VAL_F32(bits) { .kind = ARG_VALUE, .size = 4, .value = (bits) }
#define VAL_F64(bits) { .kind = ARG_VALUE, .size = 8, .value = (bits) }
#define VAL_BYTES(object) { .kind = ARG_VALUE, .size = sizeof(object), .bytes = &(object) }

/* UNIT, the source without its folder and ending, comes from the command line.
 * CASE(name, (arguments in terms of a[]), initialisers of struct kernel_case ...) */
#define CASE(kernel, arguments, ...)                                                                \
    static void call_##kernel(const union host_arg *a)                                              \
    {                                                                                               \
        (void)a;                                                                                    \
        kernel arguments;                                                                           \
    }                                                                                               \
    static const struct kernel_case case_##kernel = { .name = #kernel, .unit = UNIT,                \
                                                      .call = call_##kernel, __VA_ARGS__ };         \
    __attribute__((section("kernel_cases"), used)) static const struct kernel_case *const entry_##kernel = &case_##kernel;

#endif

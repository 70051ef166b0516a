/* SPDX-License-Identifier: MIT
 *
 * generate.c - random test kernels.
 *
 * usage: generate SEED COUNT > FILE.c
 *
 * Each kernel has a set of variables of all types, a run of random statements
 * over them (assignments, conditions, loops, switches, private arrays, loads,
 * calls) and stores all variables at the end.  The programs are free of
 * undefined behaviour: shift counts are masked, divisors made odd, conversions
 * to integers guarded, loops bounded.  NaNs may arise anywhere; nothing looks at
 * their sign or payload, and they are made one pattern before they are stored.
 * The same seed gives the same text on any machine.
 *
 * What clang 22 itself changes is kept out of the programs, by means that do not
 * hide it from the executor.  It divides unsigned numbers as if they had 24 bits
 * where it sees copies of the sign (see divide()); makes "x < y ? x : y" a v_min,
 * which prefers -0; takes "0.0 - x" for -x beneath an addition; loses the constant
 * upper half of "y | ~(u64)x" in a loop (it becomes v_mov v3, v3).  NOUGHT is a
 * zero that it does not know for one.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum type { U8, I8, U16, I16, U32, I32, U64, I64, F16, F32, F64, TYPES };
static const char *const type_name[TYPES] = { "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "f32", "f64" };
static const int type_bits[TYPES] = { 8, 8, 16, 16, 32, 32, 64, 64, 16, 32, 64 };

#define VARS 3        /* of each type */
#define ARRAY 8       /* elements of the private array of u32 */

static uint64_t state;
static int depth_of_loops, in_loop, loop_count;
static int budget, statements_left; /* operators of this statement, statements of this kernel */

static uint32_t rnd(uint32_t n)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (uint32_t)(((z ^ (z >> 31)) >> 32) * n >> 32);
}

static int is_float(enum type t)
{
    return t >= F16;
}
static int is_signed(enum type t)
{
    return t == I8 || t == I16 || t == I32 || t == I64;
}

/* 32-bit types come up most, as in real code. */
static enum type any_type(void)
{
    static const enum type bag[] = { U32, U32, U32, I32, I32, I32, F32, F32, F32, U64, I64, F64, F64, U16, I16, U8, I8, F16 };
    return bag[rnd(sizeof bag / sizeof bag[0])];
}
static enum type any_int_type(void)
{
    enum type t;
    do
        t = any_type();
    while (is_float(t));
    return t;
}

static void expr(enum type t, int depth);

#define NOUGHT "(i >> 7)" /* no kernel has more than 128 work-items */

static void constant(enum type t)
{
    static const char *const ints[] = { "0", "1", "2", "3", "7", "16", "31", "64", "100", "127" };
    static const char *const wide[] = { "0x7fffffff", "0x80000000u", "0xffffffffu", "0x12345678", "255", "65535", "0x9e3779b9u", "1000003" };
    static const char *const floats[] = { NOUGHT, "1.0", "-1.0", "0.5", "2.0", "-4.0", "0.15915494", "3.0", "1e-5", "100.25", "-0.0", "7.0" };
    static const char *const huge[] = { "1e30", "1e-30", "3e38", "1e-40", "16777217.0", "-2147483648.0" };
    if (t == F32 || t == F64)
        printf("(%s)%s", type_name[t], rnd(4) ? floats[rnd(12)] : huge[rnd(6)]);
    else if (t == F16)
        printf("(f16)%s", floats[rnd(12)]);
    else
        printf("(%s)%s", type_name[t], rnd(3) || type_bits[t] < 32 ? ints[rnd(10)] : wide[rnd(8)]);
}

static void leaf(enum type t)
{
    switch (rnd(8)) {
    case 0:
    case 1: constant(t); break;
    case 2:
        if (t == U32)
            printf(rnd(2) ? "i" : "arr[(v_u32_%u + %u) & %d]", rnd(VARS), rnd(8), ARRAY - 1);
        else if (t == F32)
            printf("arg_f");
        else if (t == U64)
            printf("arg_l");
        else if (t == I32)
            printf(rnd(2) ? "arg_i" : "(i32)lane");
        else
            printf("v_%s_%u", type_name[t], rnd(VARS));
        break;
    default: printf("v_%s_%u", type_name[t], rnd(VARS));
    }
}

static void condition(int depth)
{
    static const char *const ops[] = { "<", "<=", ">", ">=", "==", "!=" };
    enum type t = any_type();
    switch (rnd(7)) {
    case 0:
        printf("(");
        condition(depth - 1 > 0 ? depth - 1 : 0);
        printf(rnd(2) ? " && " : " || ");
        condition(depth - 1 > 0 ? depth - 1 : 0);
        printf(")");
        break;
    case 1:
        printf("!(");
        condition(0);
        printf(")");
        break;
    case 2: printf("((i >> %u) & 1)", rnd(7)); break;
    default:
        printf("(");
        expr(t, depth - 1);
        printf(" %s ", ops[rnd(6)]);
        expr(t, depth - 1);
        printf(")");
    }
}

/* op with an operand on each side */
static void binary(enum type t, const char *op, int depth)
{
    printf("(%s)(", type_name[t]);
    expr(t, depth);
    printf(" %s ", op);
    expr(t, depth);
    printf(")");
}

static void call(enum type t, const char *function, int operands, int depth)
{
    printf("%s(", function);
    for (int i = 0; i < operands; i++) {
        printf(i ? ", (%s)" : "(%s)", type_name[t]);
        expr(t, depth);
    }
    printf(")");
}

static void either(enum type t, int depth)
{
    printf("(");
    condition(depth);
    printf(" ? ");
    expr(t, depth);
    printf(" : ");
    expr(t, depth);
    printf(")");
}

static void shift(enum type t, int depth)
{
    printf("(%s)(", type_name[t]);
    expr(t, depth);
    printf(rnd(2) ? " << (" : " >> (");
    expr(rnd(2) ? U32 : t, depth);
    printf(" & %d))", type_bits[t] - 1);
}

static void divide(enum type t, int depth)
{
    /* A signed dividend is halved, so that the least value over -1 does not come up.  An unsigned one is mixed with
     * a loaded value: where clang 22 sees that its upper bits are copies of the sign, it takes it for a number of
     * 24 bits and divides in single precision at -O0, which is wrong (0xfffffffe % 1 gives 63; LLVM issue 194829). */
    printf("(%s)(", type_name[t]);
    if (t == U32 || t == U64)
        printf("((%s)in[(i + %d) & 255] ^ ", type_name[t], rnd(256));
    printf("(%s)", type_name[t]);
    expr(t, depth);
    if (t == U32 || t == U64)
        printf(")");
    printf("%s %s (", is_signed(t) ? " / 2" : "", rnd(2) ? "/" : "%");
    expr(t, depth);
    printf(" | 1))");
}

static void int_from_float(enum type t, int depth)
{
    enum type f = rnd(3) ? F32 : F64;
    printf("(%s)to_%s_%s(", type_name[t], is_signed(t) ? type_bits[t] == 64 ? "i64" : "i32" : type_bits[t] == 64 ? "u64" : "u32",
           type_name[f]);
    expr(f, depth);
    printf(")");
}

/* What becomes permutes, dot products and packed instructions of u32. */
static void packed_expr(int depth)
{
    static const char *const one[] = { "__builtin_bitreverse32", "mix1", "__builtin_bswap32" };
    static const char *const three[] = { "dot_u8", "dot_u4", "packed_u16", "packed_i16", "packed_f16", "bytes_u8" };
    if (rnd(3))
        call(U32, one[rnd(3)], 1, depth);
    else
        call(U32, three[rnd(6)], 3, depth - 1 > 0 ? depth - 1 : 0);
}

static void int_expr(enum type t, int depth)
{
    static const char *const ops[] = { "+", "-", "*", "&", "|", "^" };
    char name[32];
    enum type from;
    switch (rnd(22)) {
    case 0: case 1: case 2: case 3: case 4: case 5: case 6: binary(t, ops[rnd(6)], depth); break;
    case 7: case 8: shift(t, depth); break;
    case 9: divide(t, depth); break;
    case 10: case 11: either(t, depth); break;
    case 12: case 13:
        from = any_int_type();
        printf("(%s)", type_name[t]);
        expr(from, depth);
        break;
    case 14: int_from_float(t, depth); break;
    case 15:
        printf("(%s)", type_name[t]);
        condition(depth);
        break;
    case 16: call(t, rnd(2) ? "__builtin_elementwise_min" : "__builtin_elementwise_max", 2, depth); break;
    case 17:
        if (type_bits[t] == 64 && rnd(2)) {
            printf("(%s)(((u64)" NOUGHT " - 1) ^ (u64)", type_name[t]);
            leaf(t);
            printf(")");
        } else {
            printf("(%s)%s", type_name[t], type_bits[t] < 64 && rnd(2) ? "~" : "-");
            leaf(t);
        }
        break;
    case 18:
        printf("(%s)", type_name[t]);
        call(U32, rnd(2) ? "__builtin_popcount" : "leading", 1, depth);
        break;
    case 19:
        if (t == U32 || t == U64) {
            snprintf(name, sizeof name, "__builtin_rotateleft%d", type_bits[t]);
            call(t, name, 2, depth);
        } else if (rnd(2)) {
            call(t, rnd(2) ? "__builtin_elementwise_add_sat" : "__builtin_elementwise_sub_sat", 2, depth);
        } else {
            leaf(t);
        }
        break;
    case 20:
        printf("(%s)in[(", type_name[t]);
        expr(U32, depth - 1);
        printf(") & 255]");
        break;
    default:
        if (t == U32)
            packed_expr(depth);
        else if (t == U64)
            printf("((u64)v_u32_%u * v_u32_%u)", rnd(VARS), rnd(VARS));
        else if (t == I32)
            call(t, rnd(2) ? "bits_and_bits" : rnd(2) ? "dot_i8" : "dot_i16", 3, depth);
        else
            leaf(t);
    }
}

static void float_expr(enum type t, int depth)
{
    static const char *const ops[] = { "+", "-", "*", "+", "*", "/" };
    enum type from;
    switch (rnd(16)) {
    case 0: case 1: case 2: case 3: case 4: case 5: binary(t, ops[rnd(6)], depth); break;
    case 6: case 7: either(t, depth); break;
    case 8:
        if (t == F16)
            leaf(t);
        else
            call(t, t == F32 ? "__builtin_fmaf" : "__builtin_fma", 3, depth);
        break;
    case 9: call(t, rnd(2) ? "__builtin_elementwise_abs" : "-", 1, depth); break;
    case 10:
        if (t == F16)
            leaf(t);
        else
            call(t, t == F32 ? "root_f32" : "root_f64", 1, depth);
        break;
    case 11: {
        static const char *const round[] = { "floor", "ceil", "trunc", "rint" };
        printf("__builtin_elementwise_%s(", round[rnd(4)]);
        expr(t, depth);
        printf(")");
        break;
    }
    case 12:
        from = any_int_type();
        if (t == F16)
            from = rnd(2) ? I8 : U8;
        printf("(%s)", type_name[t]);
        expr(from, depth);
        break;
    case 13:
        from = rnd(3) ? rnd(2) ? F32 : F64 : F16;
        /* A product rounded to f16 at once loses the sign of a zero (v_fma_mixlo with +0): + 0 on both machines. */
        printf(t == F16 ? "(%s)((%s)0 + " : "(%s)(", type_name[t], type_name[from]);
        expr(from, depth);
        printf(")");
        break;
    case 14: printf("less_%s(", type_name[t]), expr(t, depth), printf(", "), expr(t, depth), printf(")"); break;
    default: leaf(t);
    }
}

static void expr(enum type t, int depth)
{
    if (depth <= 0 || budget <= 0 || rnd(6) == 0) {
        leaf(t);
        return;
    }
    budget--;
    if (is_float(t))
        float_expr(t, depth - 1);
    else
        int_expr(t, depth - 1);
}

static void line(int indent, const char *format, ...)
{
    va_list ap;
    printf("%*s", indent * 4, "");
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
}

static void statements(int count, int indent);

static void assignment(int indent)
{
    enum type t = any_type();
    budget = 9;
    line(indent, "v_%s_%u = ", type_name[t], rnd(VARS));
    expr(t, 4);
    printf(";\n");
}

static void loop(int indent)
{
    int n = loop_count++, outer = in_loop;
    budget = 6;
    line(indent, "for (u32 k%d = 0; k%d < ", n, n);
    switch (rnd(3)) {
    case 0: printf("%u", 1 + rnd(6)); break;
    case 1: printf("(arg_n & 7)"); break;
    default: printf("(v_u32_%u & 7)", rnd(VARS));
    }
    /* The bound may change in the body; the trip count may not run away. */
    printf(" && k%d < 8; k%d++) {\n", n, n);
    depth_of_loops++, in_loop = 1;
    line(indent + 1, "v_u32_%u += k%d;\n", rnd(VARS), n);
    statements(2 + (int)rnd(3), indent + 1);
    depth_of_loops--, in_loop = outer;
    line(indent, "}\n");
}

static void branch(int indent)
{
    budget = 8;
    line(indent, "if (");
    condition(2);
    printf(") {\n");
    statements(1 + (int)rnd(3), indent + 1);
    if (rnd(2)) {
        line(indent, "} else {\n");
        statements(1 + (int)rnd(3), indent + 1);
    }
    line(indent, "}\n");
}

static void choice(int indent)
{
    int cases = 3 + (int)rnd(4), outer = in_loop;
    budget = 6;
    line(indent, "switch ((u32)(");
    expr(U32, 2);
    printf(") %% %du) {\n", cases + 1);
    in_loop = 0; /* break means the switch here */
    for (int c = 0; c < cases; c++) {
        line(indent, "case %d:\n", c);
        statements(1 + (int)rnd(2), indent + 1);
        if (rnd(4))
            line(indent + 1, "break;\n");
        else
            line(indent + 1, "/* falls through */ __attribute__((fallthrough));\n");
    }
    line(indent, "default: v_u32_0 ^= %u;\n", rnd(1000));
    line(indent, "}\n");
    in_loop = outer;
}

static void statements(int count, int indent)
{
    for (int n = 0; n < count && statements_left > 0; n++) {
        statements_left--;
        switch (indent > 4 ? 0 : rnd(14)) {
        case 9: branch(indent); break;
        case 10: branch(indent); break;
        case 11:
            if (depth_of_loops < 2)
                loop(indent);
            else
                branch(indent);
            break;
        case 12:
            if (depth_of_loops < 2)
                choice(indent);
            else
                assignment(indent);
            break;
        case 13:
            budget = 8;
            if (in_loop && rnd(2)) {
                line(indent, "if (");
                condition(1);
                printf(") %s;\n", rnd(2) ? "break" : "continue");
            } else {
                line(indent, "arr[(");
                expr(U32, 2);
                printf(") & %d] %s ", ARRAY - 1, rnd(2) ? "^=" : "=");
                expr(U32, 2);
                printf(";\n");
            }
            break;
        default: assignment(indent);
        }
    }
}

static const char prelude[] =
    "#pragma clang diagnostic ignored \"-Wparentheses-equality\"\n"
    "#pragma clang diagnostic ignored \"-Wself-assign\"\n"
    "#pragma clang diagnostic ignored \"-Wtautological-compare\"\n"
    "#pragma clang diagnostic ignored \"-Winteger-overflow\"\n"
    "#pragma clang diagnostic ignored \"-Wunused-function\"\n"
    "#include \"kernel.h\"\n\n"
    "#define GUARD(name, T, F, lo, hi) \\\n"
    "    static inline T name(F x) { return x > (F)lo && x < (F)hi ? (T)x : (T)7; }\n"
    "GUARD(to_i32_f32, i32, f32, -2147480000.0, 2147480000.0)\n"
    "GUARD(to_u32_f32, u32, f32, -0.99, 4294960000.0)\n"
    "GUARD(to_i64_f32, i64, f32, -9.2e18, 9.2e18)\n"
    "GUARD(to_u64_f32, u64, f32, -0.99, 1.8e19)\n"
    "GUARD(to_i32_f64, i32, f64, -2147483648.0, 2147483647.0)\n"
    "GUARD(to_u32_f64, u32, f64, -0.99, 4294967295.0)\n"
    "GUARD(to_i64_f64, i64, f64, -9.2e18, 9.2e18)\n"
    "GUARD(to_u64_f64, u64, f64, -0.99, 1.8e19)\n"
    "static inline f32 root_f32(f32 x) { return __builtin_sqrtf(__builtin_fabsf(x)); }\n"
    "static inline f64 root_f64(f64 x) { return __builtin_sqrt(__builtin_fabs(x)); }\n"
    "static inline f16 less_f16(f16 x, f16 y) { f16 z = x < y ? x : y; return z == 0 ? 0 : z; }\n"
    "static inline f32 less_f32(f32 x, f32 y) { f32 z = x < y ? x : y; return z == 0 ? 0 : z; }\n"
    "static inline f64 less_f64(f64 x, f64 y) { f64 z = x < y ? x : y; return z == 0 ? 0 : z; }\n"
    "static inline u32 leading(u32 x) { return x ? (u32)__builtin_clz(x) : 32; }\n"
    "static NOINLINE u32 mix1(u32 x) { return (x ^ x >> 15) * 0x2c1b3c6du; }\n"
    "static inline i32 bits_and_bits(i32 x, i32 y, i32 z) { return (x & y) | (~x & z); }\n"
    /* Dot products, packed halves, bytes by hand: v_dot*, v_pk_* and SDWA where a processor has them. */
    "static inline i32 dot_i8(i32 x, i32 y, i32 z)\n{\n"
    "    return (i32)(i8)x * (i8)y + (i32)(i8)(x >> 8) * (i8)(y >> 8) + (i32)(i8)(x >> 16) * (i8)(y >> 16) + (i32)(i8)(x >> 24) * (i8)(y >> 24) + z;\n}\n"
    "static inline i32 dot_i16(i32 x, i32 y, i32 z)\n{\n    return (i32)((u32)((i16)x * (i16)y) + (u32)((i16)(x >> 16) * (i16)(y >> 16)) + (u32)z);\n}\n"
    "static inline u32 dot_u8(u32 x, u32 y, u32 z)\n{\n"
    "    return (u32)(u8)x * (u8)y + (u32)(u8)(x >> 8) * (u8)(y >> 8) + (u32)(u8)(x >> 16) * (u8)(y >> 16) + (u32)(u8)(x >> 24) * (u8)(y >> 24) + z;\n}\n"
    "static inline u32 dot_u4(u32 x, u32 y, u32 z)\n{\n    for (int k = 0; k < 32; k += 4)\n        z += (x >> k & 15) * (y >> k & 15);\n    return z;\n}\n"
    "typedef u16 u16x2 __attribute__((ext_vector_type(2)));\ntypedef i16 i16x2 __attribute__((ext_vector_type(2)));\n"
    "typedef f16 f16x2 __attribute__((ext_vector_type(2)));\n"
    "static inline u16x2 halves(u32 x) { return (u16x2){ (u16)x, (u16)(x >> 16) }; }\n"
    "static inline u32 whole(u16x2 x) { return x.x | (u32)x.y << 16; }\n"
    "static inline u32 packed_u16(u32 x, u32 y, u32 z)\n{\n"
    "    u16x2 a = halves(x), b = halves(y), c = halves(z);\n    return whole((u16x2)(__builtin_elementwise_min(a * b + c, b) - (c >> 3)));\n}\n"
    "static inline u32 packed_i16(u32 x, u32 y, u32 z)\n{\n"
    "    i16x2 a = __builtin_bit_cast(i16x2, x), b = __builtin_bit_cast(i16x2, y), c = __builtin_bit_cast(i16x2, z);\n"
    "    return __builtin_bit_cast(u32, (i16x2)(__builtin_elementwise_max(__builtin_elementwise_add_sat(a, b), c) ^ (b >> 5)));\n}\n"
    "static inline u32 one_nan(u16 h) { return (h & 0x7fff) > 0x7c00 ? 0x7e00 : h; }\n"
    "static inline u32 packed_f16(u32 x, u32 y, u32 z)\n{\n"
    "    f16x2 r = __builtin_bit_cast(f16x2, x) * __builtin_bit_cast(f16x2, y) + __builtin_bit_cast(f16x2, z);\n"
    "    return one_nan(__builtin_bit_cast(u16, r.x)) | one_nan(__builtin_bit_cast(u16, r.y)) << 16;\n}\n"
    "static inline u32 bytes_u8(u32 x, u32 y, u32 z)\n{\n"
    "    u32 low = (u8)(x >> 8) + (u16)(y >> 16), high = (u16)((i8)(z >> 24) - (i16)(x >> 16));\n    return low * (u8)(y >> 16) ^ (high << 16 | (u8)z);\n}\n\n";

static void kernel(unsigned long seed, int n)
{
    state = seed * 1000003 + (unsigned)n;
    depth_of_loops = in_loop = loop_count = 0;
    statements_left = 24;
    printf("KERNEL void random_%lu_%d(GLOBAL const u32 *in, GLOBAL const f32 *in_f, GLOBAL const f64 *in_d, GLOBAL u64 *out,\n"
           "    u32 arg_n, i32 arg_i, u64 arg_l, f32 arg_f)\n{\n    u32 i = global_id(0), lane = i & 31, arr[%d];\n",
           seed, n, ARRAY);
    for (int k = 0; k < ARRAY; k++)
        line(1, "arr[%d] = in[(i + %u) & 255];\n", k, rnd(256));
    for (enum type t = 0; t < TYPES; t++) {
        for (int k = 0; k < VARS; k++) {
            const char *from = t == F64 ? "in_d" : is_float(t) ? "in_f" : "in";
            line(1, "%s v_%s_%d = (%s)%s[(i * %u + %u) & 255];\n", type_name[t], type_name[t], k, type_name[t], from, 1 + rnd(4), rnd(256));
        }
    }
    statements(24, 1);
    int at = 0;
    for (enum type t = 0; t < TYPES; t++)
        for (int k = 0; k < VARS; k++, at++) {
            if (is_float(t))
                line(1, "out[i * 34 + %d] = bits_%s(canon_%s(v_%s_%d));\n", at, type_name[t], type_name[t], type_name[t], k);
            else
                line(1, "out[i * 34 + %d] = (u64)v_%s_%d;\n", at, type_name[t], k);
        }
    line(1, "u32 all = lane + arg_n + (u32)arg_i + (u32)arg_l + bits_f32(arg_f);\n");
    line(1, "for (u32 k = 0; k < %d; k++)\n        all = all * 31 + arr[k];\n    out[i * 34 + 33] = all;\n}\n", ARRAY);
    printf("CASE(random_%lu_%d, (a[0].p, a[1].p, a[2].p, a[3].p, (u32)a[4].u, (i32)a[5].u, a[6].u, a[7].f), .grid = { 128 }, .group = { 64 },\n"
           "    .args = { BUF(INT_ANY, 1024), BUF(F32_ANY, 1024), BUF(F64_ANY, 2048), BUF(ZERO, 128 * 34 * 8), VAL_U32(%u), VAL_U32(%u),\n"
           "    VAL_U64(%u), VAL_F32(0x%x) })\n\n", seed, n, rnd(100), rnd(~0u), rnd(~0u), 0x3f800000 + rnd(0x2000000));
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: generate SEED COUNT\n");
        return 2;
    }
    unsigned long seed = strtoul(argv[1], NULL, 0);
    int count = atoi(argv[2]);
    printf("/* made by generate.c: seed %lu */\n", seed);
    fputs(prelude, stdout);
    for (int n = 0; n < count; n++)
        kernel(seed, n);
    return fflush(stdout) != 0 || ferror(stdout);
}

/* SPDX-License-Identifier: MIT
 *
 * subgroup/names.c - the mnemonics of cross-lane operations.
 *
 * Those that are put together from parts (fred, ired, shfl, wave_reduce) are read part
 * by part; the rest stands in a table.
 */
#include <stdio.h>

#include "subgroup/subgroup.h"

struct mnemonic {
    const char *name;
    uint8_t kind;      /* enum codeobj_lanes_kind */
    uint8_t sub;       /* shuffle, permlane or reduce kind; swap width; bits */
    uint8_t flag;      /* cross (permlane), fi (bpermute), ones (bcnt) */
    uint8_t low, high; /* how many numbers */
    uint8_t modifiers;
};

static const struct mnemonic mnemonics[] = {
    { "v_readlane", CODEOBJ_LANES_READLANE, 0, 0, 1, 1, 0 },
    { "v_readfirstlane", CODEOBJ_LANES_READFIRSTLANE, 0, 0, 0, 0, 0 },
    { "v_writelane", CODEOBJ_LANES_WRITELANE, 0, 0, 1, 2, 0 },
    { "ds_swizzle", CODEOBJ_LANES_SWIZZLE, 0, 0, 0, 0, CO_MOD_OFFSET | CO_MOD_SWIZZLE },
    { "ds_bpermute", CODEOBJ_LANES_BPERMUTE, 0, 0, 0, 0, CO_MOD_OFFSET },
    { "ds_bpermute_fi", CODEOBJ_LANES_BPERMUTE, 0, 1, 0, 0, CO_MOD_OFFSET },
    { "ds_permute", CODEOBJ_LANES_PERMUTE, 0, 0, 0, 0, CO_MOD_OFFSET },
    { "v_permlane16", CODEOBJ_LANES_PERMLANE16, 0, 0, 2, 2, CO_MOD_OP_SEL },
    { "v_permlanex16", CODEOBJ_LANES_PERMLANE16, 0, 1, 2, 2, CO_MOD_OP_SEL },
    { "v_permlane16_var", CODEOBJ_LANES_PERMLANE16_VAR, 0, 0, 0, 0, CO_MOD_OP_SEL },
    { "v_permlanex16_var", CODEOBJ_LANES_PERMLANE16_VAR, 0, 1, 0, 0, CO_MOD_OP_SEL },
    { "v_permlane64", CODEOBJ_LANES_PERMLANE64, 0, 0, 0, 0, 0 },
    { "v_permlane16_swap", CODEOBJ_LANES_PERMLANE_SWAP, 16, 0, 0, 0, CO_MOD_FI_BC },
    { "v_permlane32_swap", CODEOBJ_LANES_PERMLANE_SWAP, 32, 0, 0, 0, CO_MOD_FI_BC },
    { "v_permlane_bcast", CODEOBJ_LANES_PERMLANE_GROUP, CODEOBJ_PERMLANE_BCAST, 0, 1, 2, 0 },
    { "v_permlane_up", CODEOBJ_LANES_PERMLANE_GROUP, CODEOBJ_PERMLANE_UP, 0, 1, 2, 0 },
    { "v_permlane_down", CODEOBJ_LANES_PERMLANE_GROUP, CODEOBJ_PERMLANE_DOWN, 0, 1, 2, 0 },
    { "v_permlane_xor", CODEOBJ_LANES_PERMLANE_GROUP, CODEOBJ_PERMLANE_XOR, 0, 1, 2, 0 },
    { "v_permlane_idx_gen", CODEOBJ_LANES_PERMLANE_IDX_GEN, 0, 0, 1, 1, 0 },
    { "v_mbcnt_lo_u32", CODEOBJ_LANES_MBCNT_LO, 0, 0, 0, 2, 0 },
    { "v_mbcnt_hi_u32", CODEOBJ_LANES_MBCNT_HI, 0, 0, 0, 2, 0 },
    { "mbcnt_lo", CODEOBJ_LANES_MBCNT_LO, 0, 0, 0, 2, 0 },
    { "mbcnt_hi", CODEOBJ_LANES_MBCNT_HI, 0, 0, 0, 2, 0 },
    { "s_wqm", CODEOBJ_LANES_WQM, 64, 0, 1, 1, 0 },
    { "s_wqm_b32", CODEOBJ_LANES_WQM, 32, 0, 1, 1, 0 },
    { "s_quadmask", CODEOBJ_LANES_QUADMASK, 64, 0, 1, 1, 0 },
    { "s_quadmask_b32", CODEOBJ_LANES_QUADMASK, 32, 0, 1, 1, 0 },
    { "s_bitreplicate", CODEOBJ_LANES_BITREPLICATE, 32, 0, 1, 1, 0 },
    { "s_bitreplicate_b64_b32", CODEOBJ_LANES_BITREPLICATE, 32, 0, 1, 1, 0 },
    { "s_bcnt0", CODEOBJ_LANES_BCNT, 64, 0, 1, 1, 0 },
    { "s_bcnt1", CODEOBJ_LANES_BCNT, 64, 1, 1, 1, 0 },
    { "s_bcnt0_i32_b32", CODEOBJ_LANES_BCNT, 32, 0, 1, 1, 0 },
    { "s_bcnt0_i32_b64", CODEOBJ_LANES_BCNT, 64, 0, 1, 1, 0 },
    { "s_bcnt1_i32_b32", CODEOBJ_LANES_BCNT, 32, 1, 1, 1, 0 },
    { "s_bcnt1_i32_b64", CODEOBJ_LANES_BCNT, 64, 1, 1, 1, 0 },
    { "ballot", CODEOBJ_LANES_BALLOT, 64, 0, 0, 0, 0 },
    { "ballot.i32", CODEOBJ_LANES_BALLOT, 32, 0, 0, 0, 0 },
    { "ballot.i64", CODEOBJ_LANES_BALLOT, 64, 0, 0, 0, 0 },
    { "inverse_ballot", CODEOBJ_LANES_INVERSE_BALLOT, 0, 0, 1, 1, 0 },
    { "wave_id", CODEOBJ_LANES_WAVE_ID, 0, 0, 1, 6, 0 },
    { "wave_barrier", CODEOBJ_LANES_WAVE_BARRIER, 0, 0, 0, 0, 0 },
    { "redfirstidx.32b", CODEOBJ_LANES_REDFIRSTIDX, 0, 0, 1, 1, 0 },
};

/* HIP: with sync, one number more in front. */
static const struct mnemonic hip[] = {
    { "__ballot", CODEOBJ_LANES_BALLOT, 64, 0, 0, 0, 0 },
    { "__any", CODEOBJ_LANES_HIP_ANY, 0, 0, 0, 0, 0 },
    { "__all", CODEOBJ_LANES_HIP_ALL, 0, 0, 0, 0, 0 },
    { "__match_any", CODEOBJ_LANES_HIP_MATCH_ANY, 0, 0, 0, 0, 0 },
    { "__match_all", CODEOBJ_LANES_HIP_MATCH_ALL, 0, 0, 0, 0, 0 },
    { "__shfl", CODEOBJ_LANES_HIP_SHUFFLE, CODEOBJ_SHUFFLE_IDX, 0, 1, 2, 0 },
    { "__shfl_up", CODEOBJ_LANES_HIP_SHUFFLE, CODEOBJ_SHUFFLE_UP, 0, 1, 2, 0 },
    { "__shfl_down", CODEOBJ_LANES_HIP_SHUFFLE, CODEOBJ_SHUFFLE_DOWN, 0, 1, 2, 0 },
    { "__shfl_xor", CODEOBJ_LANES_HIP_SHUFFLE, CODEOBJ_SHUFFLE_XOR, 0, 1, 2, 0 },
    { "__activemask", CODEOBJ_LANES_HIP_ACTIVEMASK, 0, 0, 0, 0, 0 }, /* the last: no sync form */
};
enum { HIP_COUNT = sizeof hip / sizeof *hip };

struct reduce_name {
    const char *name;
    uint8_t op;
};

/* wave_reduce_OP: as here, with the type the builtins add. */
static const struct reduce_name wave_reduces[] = {
    { "add", CODEOBJ_REDUCE_ADD },   { "sub", CODEOBJ_REDUCE_SUB },   { "min", CODEOBJ_REDUCE_MIN },
    { "max", CODEOBJ_REDUCE_MAX },   { "umin", CODEOBJ_REDUCE_UMIN }, { "umax", CODEOBJ_REDUCE_UMAX },
    { "and", CODEOBJ_REDUCE_AND },   { "or", CODEOBJ_REDUCE_OR },     { "xor", CODEOBJ_REDUCE_XOR },
    { "fadd", CODEOBJ_REDUCE_FADD }, { "fsub", CODEOBJ_REDUCE_FSUB }, { "fmin", CODEOBJ_REDUCE_FMIN },
    { "fmax", CODEOBJ_REDUCE_FMAX }, { NULL, 0 },
};
static const struct reduce_name float_reduces[] = {
    { "min", CODEOBJ_REDUCE_FMIN },
    { "max", CODEOBJ_REDUCE_FMAX },
    { "absmax", CODEOBJ_REDUCE_FABSMAX },
    { NULL, 0 },
};
static const struct reduce_name int_reduces[] = {
    { "sum", CODEOBJ_REDUCE_ADD },   { "smin", CODEOBJ_REDUCE_MIN },  { "smax", CODEOBJ_REDUCE_MAX },
    { "umin", CODEOBJ_REDUCE_UMIN }, { "umax", CODEOBJ_REDUCE_UMAX }, { "and", CODEOBJ_REDUCE_AND },
    { "or", CODEOBJ_REDUCE_OR },     { "xor", CODEOBJ_REDUCE_XOR },   { "absmax", CODEOBJ_REDUCE_ABSMAX },
    { NULL, 0 },
};
static const struct {
    const char *name;
    uint8_t format;
    bool packed;
} float_formats[] = {
    { "f", CODEOBJ_FLOAT_F32, false },    { "hf", CODEOBJ_FLOAT_F16, false },   { "bf", CODEOBJ_FLOAT_BF16, false },
    { "hfx2", CODEOBJ_FLOAT_F16, true },  { "bfx2", CODEOBJ_FLOAT_BF16, true },
};
enum { FLOAT_FORMATS = sizeof float_formats / sizeof *float_formats };
static const char *const shuffles[] = { [CODEOBJ_SHUFFLE_IDX] = "idx", [CODEOBJ_SHUFFLE_UP] = "up",
                                        [CODEOBJ_SHUFFLE_DOWN] = "dn", [CODEOBJ_SHUFFLE_XOR] = "xor" };

/* Takes `prefix` off the front of *s. */
static bool eat(const char **s, const char *prefix)
{
    size_t n = strlen(prefix);
    if (strncmp(*s, prefix, n))
        return false;
    *s += n;
    return true;
}

/* Takes a name up to the next '.' or '_' or the end. */
static bool eat_reduce(const char **s, const struct reduce_name *names, enum codeobj_reduce *out)
{
    size_t n = strcspn(*s, "._");
    for (; names->name; names++)
        if (strlen(names->name) == n && !strncmp(*s, names->name, n)) {
            *s += n;
            *out = names->op;
            return true;
        }
    return false;
}

static bool fred_name(const char *s, struct codeobj_lanes_op *op)
{
    op->kind = CODEOBJ_LANES_FRED;
    if (!eat_reduce(&s, float_reduces, &op->reduce))
        return false;
    op->nanp = eat(&s, ".nanp");
    if (!eat(&s, "."))
        return false;
    for (unsigned i = 0; i < FLOAT_FORMATS; i++)
        if (!strcmp(s, float_formats[i].name)) {
            op->format = float_formats[i].format;
            op->packed = float_formats[i].packed;
            return true;
        }
    return false;
}

static bool ired_name(const char *s, struct codeobj_lanes_op *op)
{
    op->kind = CODEOBJ_LANES_IRED;
    if (!eat_reduce(&s, int_reduces, &op->reduce))
        return false;
    op->width = !strcmp(s, ".16b") ? 16 : 32;
    return op->width == 16 || !strcmp(s, ".32b");
}

static bool shfl_name(const char *s, struct codeobj_lanes_op *op)
{
    op->kind = CODEOBJ_LANES_SHFL;
    unsigned k = 0;
    while (k < 4 && !eat(&s, shuffles[k]))
        k++;
    if (k == 4)
        return false;
    op->shuffle = (enum codeobj_shuffle)k;
    op->segmented = eat(&s, ".sg");
    return !strcmp(s, ".32b");
}

/* The type says how wide, and "u" makes min and max unsigned. */
static bool reduce_name_type(const char *s, struct codeobj_lanes_op *op)
{
    op->kind = CODEOBJ_LANES_REDUCE;
    op->width = 32;
    if (!eat_reduce(&s, wave_reduces, &op->reduce))
        return false;
    if (!*s)
        return true;
    if (*s != '.' && *s != '_')
        return false;
    const bool floating = op->reduce >= CODEOBJ_REDUCE_FADD;
    const char type = *++s;
    if (floating ? type != 'f' : type != 'i' && type != 'u' && type != 'b')
        return false;
    if (type == 'u' && (op->reduce == CODEOBJ_REDUCE_MIN || op->reduce == CODEOBJ_REDUCE_MAX))
        op->reduce = op->reduce == CODEOBJ_REDUCE_MIN ? CODEOBJ_REDUCE_UMIN : CODEOBJ_REDUCE_UMAX;
    op->width = !strcmp(s + 1, "64") ? 64 : 32;
    return op->width == 64 || !strcmp(s + 1, "32");
}

static bool composed(const char *s, struct codeobj_lanes_op *op, struct co_lanes_form *form)
{
    *form = (struct co_lanes_form){ 1, 1, 0, false };
    if (eat(&s, "fred."))
        return fred_name(s, op);
    if (eat(&s, "ired."))
        return ired_name(s, op);
    if (eat(&s, "shfl.")) {
        *form = (struct co_lanes_form){ 2, 2, 0, false };
        return shfl_name(s, op);
    }
    *form = (struct co_lanes_form){ 0, 0, 0, false };
    return (eat(&s, "wave_reduce_") || eat(&s, "wave.reduce.")) && reduce_name_type(s, op);
}

static void take(const struct mnemonic *m, struct codeobj_lanes_op *op, struct co_lanes_form *form)
{
    *form = (struct co_lanes_form){ m->low, m->high, m->modifiers, false };
    op->kind = m->kind;
    op->shuffle = op->kind == CODEOBJ_LANES_HIP_SHUFFLE ? m->sub : 0;
    op->permlane = op->kind == CODEOBJ_LANES_PERMLANE_GROUP ? m->sub : 0;
    op->width = op->kind == CODEOBJ_LANES_HIP_SHUFFLE || op->kind == CODEOBJ_LANES_PERMLANE_GROUP ? 0 : m->sub;
    op->cross = m->flag;
    op->ones = m->flag;
    op->fi = m->flag && op->kind == CODEOBJ_LANES_BPERMUTE;
}

static bool hip_name(const char *name, struct codeobj_lanes_op *op, struct co_lanes_form *form)
{
    for (unsigned i = 0; i < HIP_COUNT; i++) {
        const char *rest = name;
        if (!eat(&rest, hip[i].name) || (*rest && (strcmp(rest, "_sync") || i == HIP_COUNT - 1)))
            continue;
        take(&hip[i], op, form);
        form->words = true;
        op->sync = *rest != 0;
        form->low = (uint8_t)(form->low + op->sync);
        form->high = (uint8_t)(form->high + op->sync);
        return true;
    }
    return false;
}

bool co_lanes_name(const char *name, struct codeobj_lanes_op *op, struct co_lanes_form *form)
{
    static const char *const suffixes[] = { "", "_e64", "_e32", "_b32", "_b64" };
    char plain[80];
    if (!eat(&name, "llvm.amdgcn."))
        eat(&name, "__builtin_amdgcn_");
    if (composed(name, op, form) || hip_name(name, op, form))
        return true;
    snprintf(plain, sizeof plain, "%s", !strcmp(name, "wave.id") ? "wave_id" : !strcmp(name, "wave.barrier") ? "wave_barrier" : name);
    /* Suffixes are dropped from the right: an encoding, then a size. */
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(plain), k = strlen(suffixes[i]);
        if (n <= k || strcmp(plain + n - k, suffixes[i]))
            continue;
        plain[n - k] = 0;
        for (size_t m = 0; m < sizeof mnemonics / sizeof *mnemonics; m++)
            if (!strcmp(plain, mnemonics[m].name)) {
                take(&mnemonics[m], op, form);
                return true;
            }
    }
    return false;
}

/* ---- the nearest name ---- */

struct nearest {
    const char *name;
    char *out;
    size_t size;
    unsigned distance;
};

static void offer(struct nearest *near, const char *candidate)
{
    const unsigned d = codeobj_name_distance(near->name, candidate);
    if (d < near->distance && d < strlen(candidate)) {
        near->distance = d;
        snprintf(near->out, near->size, "%s", candidate);
    }
}

static void offer_composed(struct nearest *near)
{
    char text[40];
    for (const struct reduce_name *r = float_reduces; r->name; r++)
        for (unsigned f = 0; f < 2 * FLOAT_FORMATS; f++) {
            snprintf(text, sizeof text, "fred.%s%s.%s", r->name, f & 1 ? ".nanp" : "", float_formats[f / 2].name);
            offer(near, text);
        }
    for (const struct reduce_name *r = int_reduces; r->name; r++)
        for (unsigned bits = 16; bits <= 32; bits += 16) {
            snprintf(text, sizeof text, "ired.%s.%ub", r->name, bits);
            offer(near, text);
        }
    for (unsigned k = 0; k < 8; k++) {
        snprintf(text, sizeof text, "shfl.%s%s.32b", shuffles[k / 2], k & 1 ? ".sg" : "");
        offer(near, text);
    }
    for (const struct reduce_name *r = wave_reduces; r->name; r++) {
        snprintf(text, sizeof text, "wave_reduce_%s", r->name);
        offer(near, text);
    }
}

void co_lanes_nearest(const char *name, char *out, size_t size)
{
    struct nearest near = { name, out, size, 4 };
    out[0] = 0;
    for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++) {
        char sized[48];
        offer(&near, mnemonics[i].name);
        snprintf(sized, sizeof sized, "%s_b32", mnemonics[i].name);
        offer(&near, sized);
    }
    for (unsigned i = 0; i < HIP_COUNT; i++) {
        char sync[48];
        offer(&near, hip[i].name);
        snprintf(sync, sizeof sync, "%s_sync", hip[i].name);
        if (i < HIP_COUNT - 1)
            offer(&near, sync);
    }
    offer_composed(&near);
    for (size_t i = 0; codeobj_matrix_at(i); i++)
        offer(&near, codeobj_matrix_at(i)->name);
}

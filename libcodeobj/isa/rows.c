/* SPDX-License-Identifier: MIT
 *
 * isa/rows.c - the instruction table: reads table/<format>.def and needs.def.
 *
 * Adding a format: write its .def with one line per instruction, give its macro
 * below, add its operand kinds to enum co_opk, and a decode_<format>.c that
 * fills struct codeobj_isa_inst from the words (decoder.h, struct co_isa_code).
 */
#include "isa/mem.h"

/* ---- needs ------------------------------------------------------------------ */
enum {
#define PROCESSOR(id, ...) P_##id,
#include "target/processors.def"
#undef PROCESSOR
    P_COUNT
};
_Static_assert(P_COUNT - P_GFX600 <= 64, "one bit a processor");
#define P(id) (1ull << (P_##id - P_GFX600))
/* All processors of a run of rows of processors.def. */
#define RUN(a, b) ((P(b) | (P(b) - 1)) & ~(P(a) - 1))

static const uint64_t needs_masks[] = {
#define NEED(name, mask) [CO_NEED_##name] = (mask),
#include "isa/needs.def"
#undef NEED
};

bool co_isa_needs(enum co_needs needs, const struct codeobj_processor *processor)
{
    size_t i = codeobj_processor_index(processor);
    return i >= P_GFX600 && (needs_masks[needs] >> (i - P_GFX600) & 1);
}

/* ---- operand macros of the .def files ---------------------------------------- */
/* Types with the number of registers that they take. */
#define T_B32 CODEOBJ_TYPE_B32, 1
#define T_B8 CODEOBJ_TYPE_B8, 1
#define T_B16 CODEOBJ_TYPE_B16, 1
#define T_B64 CODEOBJ_TYPE_B64, 2
#define T_B96 CODEOBJ_TYPE_B96, 3
#define T_B128 CODEOBJ_TYPE_B128, 4
#define T_I8 CODEOBJ_TYPE_I8, 1
#define T_U8 CODEOBJ_TYPE_U8, 1
#define T_I16 CODEOBJ_TYPE_I16, 1
#define T_U16 CODEOBJ_TYPE_U16, 1
#define T_I24 CODEOBJ_TYPE_I24, 1
#define T_U24 CODEOBJ_TYPE_U24, 1
#define T_I32 CODEOBJ_TYPE_I32, 1
#define T_U32 CODEOBJ_TYPE_U32, 1
#define T_I64 CODEOBJ_TYPE_I64, 2
#define T_U64 CODEOBJ_TYPE_U64, 2
#define T_F16 CODEOBJ_TYPE_F16, 1
#define T_BF16 CODEOBJ_TYPE_BF16, 1
#define T_F32 CODEOBJ_TYPE_F32, 1
#define T_F64 CODEOBJ_TYPE_F64, 2
#define T_PK_I16 CODEOBJ_TYPE_PK_I16, 1
#define T_PK_U16 CODEOBJ_TYPE_PK_U16, 1
#define T_PK_B16 CODEOBJ_TYPE_PK_B16, 1
#define T_PK_F16 CODEOBJ_TYPE_PK_F16, 1
#define T_PK_BF16 CODEOBJ_TYPE_PK_BF16, 1
#define T_PK_F32 CODEOBJ_TYPE_PK_F32, 2
#define T_PK_B32 CODEOBJ_TYPE_PK_B32, 2
#define T_PK_FP8 CODEOBJ_TYPE_PK_FP8, 1
#define T_PK_BF8 CODEOBJ_TYPE_PK_BF8, 1
#define T_PK_I8 CODEOBJ_TYPE_PK_I8, 1
#define T_PK_U8 CODEOBJ_TYPE_PK_U8, 1
#define T_PK_B8 CODEOBJ_TYPE_PK_B8, 1
#define T_PK_I4 CODEOBJ_TYPE_PK_I4, 1
#define T_PK_U4 CODEOBJ_TYPE_PK_U4, 1
#define T_PK_FP4 CODEOBJ_TYPE_PK_FP4, 1
#define T_FP8 CODEOBJ_TYPE_FP8, 1
#define T_BF8 CODEOBJ_TYPE_BF8, 1

#define OPERAND(kind, t, flags) { CO_OPK_##kind, T_##t, flags }
#define OPERAND_(kind, t, n, flags) { CO_OPK_##kind, CODEOBJ_TYPE_##t, n, flags }
/* X(type) takes the type's own number of registers, X_(type, n) takes n. */
#define D(t) OPERAND(D, t, 0)
#define D_(t, n) OPERAND_(D, t, n, 0)
#define DR(t) OPERAND(DR, t, 0)
#define DR_(t, n) OPERAND_(DR, t, n, 0)
#define MD { CO_OPK_MD, CODEOBJ_TYPE_MASK, 0, 0 }
#define MX { CO_OPK_MX, CODEOBJ_TYPE_MASK, 0, 0 }
#define MC { CO_OPK_MC, CODEOBJ_TYPE_MASK, 0, 0 }
#define MI { CO_OPK_MI, CODEOBJ_TYPE_MASK, 0, 0 }
/* S: neg and abs in the long form if the type is a float; SM: always; SN: never; SI: bits that nothing reads. */
#define S(t) { CO_OPK_S, T_##t, MODS_##t }
#define S_(t, n) { CO_OPK_S, CODEOBJ_TYPE_##t, n, MODS_##t }
#define SM(t) OPERAND(S, t, CO_OPF_MODS)
#define SM_(t, n) OPERAND_(S, t, n, CO_OPF_MODS)
#define SN(t) OPERAND(S, t, 0)
#define SN_(t, n) OPERAND_(S, t, n, 0)
#define SI(t) OPERAND(S, t, CO_OPF_IMODS)
#define SI_(t, n) OPERAND_(S, t, n, CO_OPF_IMODS)
#define V(t) OPERAND(V, t, 0)
#define V_(t, n) OPERAND_(V, t, n, 0)
#define VM(t) OPERAND(V, t, CO_OPF_MODS)
#define VM_(t, n) OPERAND_(V, t, n, CO_OPF_MODS)
#define VL(t) OPERAND(VL, t, 0)
#define L(t) OPERAND(L, t, 0)
#define LM(t) OPERAND(L, t, CO_OPF_MODS)
#define K(t) OPERAND(K, t, 0)
#define AD_(t, n) OPERAND_(AD, t, n, 0)
#define ADR_(t, n) OPERAND_(ADR, t, n, 0)
#define AS_(t, n) OPERAND_(AS, t, n, 0)
#define AC_(t, n) OPERAND_(AC, t, n, 0)
/* Register counts of wave32. */
#define WD_(t, n) OPERAND_(D, t, n, CO_OPF_WAVE)
#define WDR_(t, n) OPERAND_(DR, t, n, CO_OPF_WAVE)
#define WV_(t, n) OPERAND_(V, t, n, CO_OPF_WAVE)
#define WC_(t, n) OPERAND_(S, t, n, CO_OPF_WAVE)
#define WIDX(n, k32, k64) { CO_OPK_WIDX, CODEOBJ_TYPE_B32, n, (k32) | (k64) << 2 }
#define AIDX(t) OPERAND(AIDX, t, 0)
#define ADST(t) OPERAND(ADST, t, 0)
#define ASRC(t) OPERAND(ASRC, t, 0)
#define SD(t) OPERAND(SD, t, 0)
#define SD_(t, n) OPERAND_(SD, t, n, 0)
#define SDR(t) OPERAND(SDR, t, 0)
#define SS(t) OPERAND(SS, t, 0)
#define SS_NOLIT(t) OPERAND(SS, t, CO_OPF_NOLIT)
#define SS_ANY(t) OPERAND(SS, t, CO_OPF_ANY)
#define SR(t) OPERAND(SR, t, 0)
#define SK(t) OPERAND(SK, t, 0)
#define IMM(k) { CO_OPK_IMM, CO_IMM_##k, 0, 0 }
#define SDATA(n) { CO_OPK_SDATA, CODEOBJ_TYPE_B32, n, 0 }
#define SATOM(n) { CO_OPK_SATOM, CODEOBJ_TYPE_B32, n, 0 }
#define SPROBE { CO_OPK_SPROBE, CODEOBJ_TYPE_B32, 0, 0 }
#define SBASE(n) { CO_OPK_SBASE, CODEOBJ_TYPE_BN, n, 0 }
#define SOFF { CO_OPK_SOFF, CODEOBJ_TYPE_B32, 1, 0 }
#define SOFFM { CO_OPK_SOFFM, CODEOBJ_TYPE_B32, 1, 0 }
#define ATTR { CO_OPK_ATTR, CODEOBJ_TYPE_B32, 0, 0 }
#define BSEL { CO_OPK_BSEL, 0, 0, 0 }
#define BSELD { CO_OPK_BSELD, 0, 0, 0 }
#define SSEL { CO_OPK_SSEL, 0, 0, 0 }
#define TRUTH { CO_OPK_BITOP3, 0, 0, 0 }
#define FIBC { CO_OPK_FIBC, 0, 0, 0 }
#define NOSRC { CO_OPK_NOSRC, 0, 0, 0 }
#define PARAM { CO_OPK_PARAM, CODEOBJ_TYPE_B32, 0, 0 }

#define MODS_F16 CO_OPF_MODS
#define MODS_BF16 CO_OPF_MODS
#define MODS_F32 CO_OPF_MODS
#define MODS_F64 CO_OPF_MODS
#define MODS_B32 0
#define MODS_B8 0
#define MODS_B16 0
#define MODS_B64 0
#define MODS_B96 0
#define MODS_B128 0
#define MODS_BN 0
#define MODS_I8 0
#define MODS_U8 0
#define MODS_I16 0
#define MODS_U16 0
#define MODS_I24 0
#define MODS_U24 0
#define MODS_I32 0
#define MODS_U32 0
#define MODS_I64 0
#define MODS_U64 0
#define MODS_PK_I16 0
#define MODS_PK_U16 0
#define MODS_PK_B16 0
#define MODS_PK_F16 0
#define MODS_PK_BF16 0
#define MODS_PK_F32 0
#define MODS_PK_B32 0
#define MODS_PK_FP8 0
#define MODS_PK_BF8 0
#define MODS_PK_I8 0
#define MODS_PK_U8 0
#define MODS_PK_B8 0
#define MODS_PK_I4 0
#define MODS_PK_U4 0
#define MODS_PK_FP4 0
#define MODS_FP8 0
#define MODS_PK_FP6 0
#define MODS_PK_BF6 0
#define MODS_BF8 0

#define F_(x) CO_ROW_##x
#define __ (-1)
#define LIST(...) __VA_ARGS__

/* The columns of every format: mnemonic, semantic, (operands), flags, needs, opcode in gfx6 to gfx12. */
#define ROW(fmt, mn, sem, ops, flags, needs, g6, g7, g8, g9, g10, g11, g12) \
    { #mn, sizeof #mn - 1, CO_SEM_##sem, CODEOBJ_FMT_##fmt, CO_NEED_##needs, flags, { g6, g7, g8, g9, g10, g11, g12 }, { LIST ops } },
#define SOP1(...) ROW(SOP1, __VA_ARGS__)
#define SOP2(...) ROW(SOP2, __VA_ARGS__)
#define SOPC(...) ROW(SOPC, __VA_ARGS__)
#define SOPK(...) ROW(SOPK, __VA_ARGS__)
#define SOPP(...) ROW(SOPP, __VA_ARGS__)
#define SMEM(...) ROW(SMEM, __VA_ARGS__)
#define VOP1(...) ROW(VOP1, __VA_ARGS__)
#define VOP2(...) ROW(VOP2, __VA_ARGS__)
#define VOPC(...) ROW(VOPC, __VA_ARGS__)
#define VOP3(...) ROW(VOP3, __VA_ARGS__)
#define VOP3P(...) ROW(VOP3P, __VA_ARGS__)
#define VINTRP(...) ROW(VINTRP, __VA_ARGS__)
#define VINTERP(...) ROW(VINTERP, __VA_ARGS__)
#define LDSDIR(...) ROW(LDSDIR, __VA_ARGS__)
#define VOPD(...) ROW(VOPD, __VA_ARGS__)

/* Memory formats: the operand specs hold the kind and the sizes (mem.h). */
#define MEM(mn, fmt, kind, dst, addr, data, data1, flags, sem, needs, g6, g7, g8, g9, g10, g11, g12) \
    { #mn, sizeof #mn - 1, CO_SEM_##sem, CODEOBJ_FMT_##fmt, CO_NEED_##needs, flags, { g6, g7, g8, g9, g10, g11, g12 }, \
      { { CO_OPK_MEM_FIRST + CO_MEM_##kind, 0, dst, 0 }, { 0, 0, addr, 0 }, { 0, 0, data, 0 }, { 0, 0, data1, 0 } } },

#define IMG(mn, kind, extra, flags, needs, g6, g7, g8, g9, g10, g11, g12) \
    { #mn, sizeof #mn - 1, (flags) & BVH ? CO_SEM_image_bvh : (flags) & MSAA ? CO_SEM_image_msaa : CO_SEM_image, \
      CODEOBJ_FMT_MIMG, CO_NEED_##needs, flags, { g6, g7, g8, g9, g10, g11, g12 }, \
      { { CO_OPK_MEM_FIRST + CO_MEM_##kind, 0, 0, 0 }, { 0, 0, extra, 0 } } },
/* Those without a sampler have semantics. */
#define TEX(mn, kind, extra, flags, needs, g6, g7, g8, g9, g10, g11, g12) \
    MEM(mn, MIMG, kind, 0, extra, 0, 0, flags, mn, needs, g6, g7, g8, g9, g10, g11, g12)

/* Flags of the .def files. */
enum {
    OFF2 = CO_MEM_OFF2, SWIZZLE = CO_MEM_SWIZZLE, GDS_ONLY = CO_MEM_GDS_ONLY, GDS_NEVER = CO_MEM_GDS_NEVER,
    D16 = CO_MEM_D16, D16_FMT = CO_MEM_D16_FMT, LDSABLE = CO_MEM_LDSABLE, LDS_GFX950 = CO_MEM_LDS_GFX950,
    ADDTID = CO_MEM_ADDTID, FATOMIC = CO_MEM_FATOMIC, UNALIGNED = CO_MEM_UNALIGNED, TRANSPOSE = CO_MEM_TRANSPOSE,
    SAMPLER = CO_IMG_SAMPLER, GATHER4 = CO_IMG_GATHER4, GRAD = CO_IMG_GRAD, G16 = CO_IMG_G16, COORD = CO_IMG_COORD,
    LOD = CO_IMG_LOD, MSAA = CO_IMG_MSAA, CMPSWAP = CO_IMG_CMPSWAP, BVH = CO_IMG_BVH, TENSOR = CO_IMG_TENSOR, HALFS = CO_IMG_HALFS
};
enum {
    NO64 = CO_ROW_NO64, DPP = CO_ROW_DPP, DPP3 = CO_ROW_DPP3, SDWA = CO_ROW_SDWA, CL = CO_ROW_CL, OM = CO_ROW_OM,
    OS = CO_ROW_OS, T16 = CO_ROW_T16, RSCC = CO_ROW_RSCC, WSCC = CO_ROW_WSCC, RVCC = CO_ROW_RVCC, WVCC = CO_ROW_WVCC,
    REXEC = CO_ROW_REXEC, WEXEC = CO_ROW_WEXEC, RMODE = CO_ROW_RMODE, WMODE = CO_ROW_WMODE, RM0 = CO_ROW_RM0,
    WM0 = CO_ROW_WM0, PK = CO_ROW_PK, MIX = CO_ROW_MIX, MAI = CO_ROW_MAI, NEGB = CO_ROW_NEGB, WMMA = CO_ROW_WMMA,
    NOSUF = CO_ROW_NOSUF, YONLY = CO_ROW_YONLY, V3ONLY = CO_ROW_V3ONLY, D64 = CO_ROW_D64, ND64 = CO_ROW_ND64, HALVES = CO_ROW_HALVES, SUF = CO_ROW_SUF, HIGH = CO_ROW_HIGH, NN = CO_ROW_NN, REUSE = CO_ROW_REUSE
};

const struct co_isa_row co_isa_rows[] = {
    { "", 0, 0, CODEOBJ_FMT_NONE, 0, 0, { -1, -1, -1, -1, -1, -1, -1 }, { { 0 } } },
#include "isa/table/sop.def"
#include "isa/table/smem.def"
#include "isa/table/vop1.def"
#include "isa/table/vop2.def"
#include "isa/table/vopc.def"
#include "isa/table/vop3.def"
#include "isa/table/vop3p.def"
#include "isa/table/vopd.def"
#include "isa/table/vintrp.def"
#include "isa/table/ds.def"
#include "isa/table/flat.def"
#include "isa/table/buffer.def"
#include "isa/table/image.def"
#include "isa/table/export.def"
};
const uint16_t co_isa_row_total = sizeof co_isa_rows / sizeof *co_isa_rows;
_Static_assert(sizeof co_isa_rows / sizeof *co_isa_rows < 8192, "row numbers are stored in 16 bits");

/* ---- semantics --------------------------------------------------------------- */
/* Names and reasons in one piece, and where each begins in it: pointers would be relocated in every process. */
static const struct pool {
    char none[1];
#define SEM(name) char name_##name[sizeof #name];
#define NOSEM(name, reason) char name_##name[sizeof #name], reason_##name[sizeof reason];
#include "isa/semantics.def"
#undef SEM
#undef NOSEM
} pool = {
#define SEM(name) .name_##name = #name,
#define NOSEM(name, reason) .name_##name = #name, .reason_##name = reason,
#include "isa/semantics.def"
#undef SEM
#undef NOSEM
};
_Static_assert(sizeof pool < 65536, "places in the pool are stored in 16 bits");

static const struct {
    uint16_t name, reason;
} semantics[] = {
    { 0, 0 },
#define SEM(name) { offsetof(struct pool, name_##name), 0 },
#define NOSEM(name, reason) { offsetof(struct pool, name_##name), offsetof(struct pool, reason_##name) },
#include "isa/semantics.def"
#undef SEM
#undef NOSEM
};

static const char *pooled(unsigned place)
{
    return (const char *)&pool + place;
}

size_t codeobj_isa_row_count(void)
{
    return co_isa_row_total;
}

const char *codeobj_isa_row_mnemonic(unsigned row)
{
    return row < co_isa_row_total ? co_isa_rows[row].mnemonic : "";
}

enum codeobj_isa_format codeobj_isa_row_format(unsigned row)
{
    return row < co_isa_row_total ? co_isa_rows[row].format : CODEOBJ_FMT_NONE;
}

const char *codeobj_isa_row_semantic(unsigned row)
{
    unsigned sem = row < co_isa_row_total ? co_isa_rows[row].sem : 0;
    return semantics[sem].reason ? "" : pooled(semantics[sem].name);
}

const char *co_isa_row_token(unsigned row)
{
    return pooled(semantics[row < co_isa_row_total ? co_isa_rows[row].sem : 0].name);
}

const char *codeobj_isa_row_reason(unsigned row)
{
    return pooled(row < co_isa_row_total ? semantics[co_isa_rows[row].sem].reason : 0);
}

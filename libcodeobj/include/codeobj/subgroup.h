/* SPDX-License-Identifier: MIT
 *
 * codeobj/subgroup.h - what lanes exchange: an executable specification.
 *
 * Pure functions over arrays of lanes.  Each takes the lanes of one wave, the
 * active mask (EXEC), the wave size and its parameters, and says what every
 * lane holds afterwards.  They allocate nothing, keep nothing and may be called
 * from any thread.
 *
 * Conventions, unless a function says otherwise:
 *  - `wave` is 32 or 64; arrays have CODEOBJ_LANES_MAX elements, of which only the
 *    first `wave` are read or written.  Mask bits at or above `wave` are ignored.
 *  - Lanes that are not in `active` keep their destination.
 *  - `out` may be the same array as any input: sources are read first.
 *
 * Sources: AMD's instruction set manuals (VEGA, CDNA1-4, RDNA1-4), chapters on
 * DPP and on the LDS; LLVM's User Guide for AMDGPU Backend; the HIP language
 * reference (warp cross-lane functions).
 */
#ifndef CODEOBJ_SUBGROUP_H
#define CODEOBJ_SUBGROUP_H

#include <codeobj/base.h>
#include <codeobj/target.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CODEOBJ_LANES_MAX 64

/* ---- lane maps ---------------------------------------------------------------
 * Operations that only move values are described by a map: for each
 * destination lane the number of the source lane, or one of these. */
#define CODEOBJ_LANE_KEEP (-1) /* the destination is not written */
#define CODEOBJ_LANE_ZERO (-2) /* 0 is written */

struct codeobj_lane_map {
    int8_t from[CODEOBJ_LANES_MAX];
};

/* out[i] = src[from[i]], 0, or old[i].  Returns the mask of lanes that were
 * written (not KEEP). */
CODEOBJ_API uint64_t codeobj_lane_map_apply(const struct codeobj_lane_map *map, unsigned wave, const uint32_t *src,
                                            const uint32_t *old, uint32_t *out);

/* Bits of the lanes that exist. */
CODEOBJ_API uint64_t codeobj_lanes_all(unsigned wave);

/* ---- DPP ----------------------------------------------------------------- */

/* 9-bit dpp_ctrl values; the first of each range. */
enum codeobj_dpp_ctrl {
    CODEOBJ_DPP_QUAD_PERM = 0x000,  /* to 0x0ff: lane k of each four reads lane ctrl[2k+1:2k] */
    CODEOBJ_DPP_ROW_SHL = 0x100,    /* + 1..15: lane i reads i + n of its row */
    CODEOBJ_DPP_ROW_SHR = 0x110,    /* + 1..15: lane i reads i - n of its row */
    CODEOBJ_DPP_ROW_ROR = 0x120,    /* + 1..15: lane i reads i - n, round its row */
    CODEOBJ_DPP_WAVE_SHL = 0x130,   /* gfx8, gfx9: i + 1 of the wave */
    CODEOBJ_DPP_WAVE_ROL = 0x134,   /* i + 1, round the wave */
    CODEOBJ_DPP_WAVE_SHR = 0x138,   /* i - 1 */
    CODEOBJ_DPP_WAVE_ROR = 0x13c,   /* i - 1, round the wave */
    CODEOBJ_DPP_ROW_MIRROR = 0x140, /* 15 - i within the row */
    CODEOBJ_DPP_ROW_HALF_MIRROR = 0x141, /* 7 - i within eight lanes */
    CODEOBJ_DPP_ROW_BCAST15 = 0x142,/* gfx8, gfx9: rows 1, 2, 3 read the last lane of the row before; row 0 has no source */
    CODEOBJ_DPP_ROW_BCAST31 = 0x143,/* gfx8, gfx9: rows 2, 3 read lane 31; rows 0, 1 have no source */
    CODEOBJ_DPP_ROW_SHARE = 0x150,  /* + 0..15: lane n of the row; row_newbcast of gfx90a, gfx942, gfx950 */
    CODEOBJ_DPP_ROW_XMASK = 0x160   /* + 0..15, gfx10 up: i ^ n within the row */
};

struct codeobj_dpp {
    uint16_t ctrl;
    uint8_t row_mask;  /* bit r: write rows r (16 lanes); the source is not affected */
    uint8_t bank_mask; /* bit b: write lanes 4b..4b+3 of each row */
    bool bound_ctrl;   /* no source: true writes 0, false keeps the destination */
    bool fi;           /* fetch inactive: a source lane that is not active counts as a source */
};

/* Is ctrl a control value of this processor?  NULL: of any. */
CODEOBJ_API bool codeobj_dpp_valid(unsigned ctrl, const struct codeobj_processor *processor);

/* DPP16.  A source outside its row or wave, and without fi an inactive one, is
 * "no source".  Lanes that are inactive or masked off are KEEP.  A ctrl that no
 * processor has gives no lane a source. */
CODEOBJ_API void codeobj_dpp16_map(const struct codeobj_dpp *dpp, uint64_t active, unsigned wave,
                                   struct codeobj_lane_map *map);

/* The same in two steps, for those who run one control under many masks: `full` is
 * the map under a full mask, and this is what it becomes under `active`.  Returns the
 * lanes that are not KEEP. */
CODEOBJ_API uint64_t codeobj_dpp_narrow(const struct codeobj_lane_map *full, bool fi, bool bound_ctrl, uint64_t active,
                                        unsigned wave, struct codeobj_lane_map *map);

/* DPP8: lane k of each eight reads lane sel[3k+2:3k].  An inactive source reads
 * as 0 unless fi (codeobj_dpp_narrow with bound_ctrl). */
CODEOBJ_API void codeobj_dpp8_map(uint32_t sel, bool fi, uint64_t active, unsigned wave, struct codeobj_lane_map *map);

/* ---- one lane ------------------------------------------------------------ */

/* v_readlane: lane number modulo the wave size; the active mask plays no part. */
CODEOBJ_API uint32_t codeobj_readlane(const uint32_t *src, uint32_t lane, unsigned wave);
/* v_readfirstlane: the lowest active lane, or lane 0 when none is. */
CODEOBJ_API uint32_t codeobj_readfirstlane(const uint32_t *src, uint64_t active, unsigned wave);
/* v_writelane: lane number modulo the wave size; the active mask plays no part. */
CODEOBJ_API void codeobj_writelane(uint32_t *dst, uint32_t value, uint32_t lane, unsigned wave);

/* ---- permutes ------------------------------------------------------------ */

/* ds_swizzle_b32, by its 16-bit offset.  Lanes 32 apart never mix; an inactive
 * source reads as 0.  rotate_fft: the processor has the rotate (0xc000) and FFT
 * (0xe000) modes, which came with gfx9; without, bit 15 set means quad mode. */
CODEOBJ_API void codeobj_ds_swizzle_map(unsigned offset, bool rotate_fft, uint64_t active, unsigned wave,
                                        struct codeobj_lane_map *map);

/* ds_bpermute_b32 (pull): lane i reads lane ((addr[i] + offset) / 4) mod group;
 * the sum is 32 bits wide and its low two bits do not count.  group is 64 on
 * gfx8, gfx9 and gfx12 in wave64, else 32: then the two halves of a wave64 do
 * not mix (codeobj_permute_group).  An inactive source reads as 0 unless fi
 * (ds_bpermute_fi_b32 of gfx12). */
CODEOBJ_API void codeobj_ds_bpermute_map(const uint32_t *addr, uint32_t offset, bool fi, uint64_t active, unsigned wave,
                                         unsigned group, struct codeobj_lane_map *map);

/* ds_permute_b32 (push): active lane i sends to lane ((addr[i] + offset) / 4) mod
 * group; the highest-numbered sender wins, a lane that nobody sends to gets 0. */
CODEOBJ_API void codeobj_ds_permute_map(const uint32_t *addr, uint32_t offset, uint64_t active, unsigned wave,
                                        unsigned group, struct codeobj_lane_map *map);

/* How many lanes ds_permute and ds_bpermute span on a processor. */
CODEOBJ_API unsigned codeobj_permute_group(const struct codeobj_processor *processor, unsigned wave);

/* v_permlane16_b32 and v_permlanex16_b32 (cross): lane i of a row reads lane
 * select[4i+3:4i] of its own row, or of the other row of its pair.  An inactive
 * source: with fi it is read, else with bound_ctrl 0, else KEEP. */
CODEOBJ_API void codeobj_permlane16_map(uint64_t select, bool cross, bool fi, bool bound_ctrl, uint64_t active,
                                        unsigned wave, struct codeobj_lane_map *map);
/* v_permlane16_var_b32 and v_permlanex16_var_b32: the same with select[i] & 15. */
CODEOBJ_API void codeobj_permlane16_var_map(const uint32_t *select, bool cross, bool fi, bool bound_ctrl,
                                            uint64_t active, unsigned wave, struct codeobj_lane_map *map);

/* v_permlane64_b32: lane i reads i ^ 32, active or not; KEEP throughout in wave32. */
CODEOBJ_API void codeobj_permlane64_map(uint64_t active, unsigned wave, struct codeobj_lane_map *map);

/* v_permlane16_swap_b32 (width 16) and v_permlane32_swap_b32 (width 32): the odd
 * rows (halves) of a change places with the even ones of b.  The active mask
 * plays no part.  Width 32 does nothing in wave32. */
CODEOBJ_API void codeobj_permlane_swap(unsigned width, unsigned wave, uint32_t *a, uint32_t *b);

/* gfx1250's v_permlane_{bcast,up,down,xor}_b32, within groups of `width` lanes
 * (a power of two; anything else counts as the wave).  A source outside the
 * group is the lane itself; inactive sources are read. */
enum codeobj_permlane_kind {
    CODEOBJ_PERMLANE_BCAST = 0,
    CODEOBJ_PERMLANE_UP,
    CODEOBJ_PERMLANE_DOWN,
    CODEOBJ_PERMLANE_XOR
};
CODEOBJ_API void codeobj_permlane_group_map(enum codeobj_permlane_kind kind, uint32_t select, uint32_t width,
                                            uint64_t active, unsigned wave, struct codeobj_lane_map *map);
/* v_permlane_idx_gen_b32: the ds_bpermute address of lane value[i] mod width of lane i's group. */
CODEOBJ_API void codeobj_permlane_idx_gen(const uint32_t *value, uint32_t width, uint64_t active, unsigned wave,
                                          uint32_t *out);

/* ---- masks --------------------------------------------------------------- */

/* Bit i: lane i is active and value[i] is not 0. */
CODEOBJ_API uint64_t codeobj_ballot(const uint32_t *value, uint64_t active, unsigned wave);
/* Active lane i gets bit i of mask (inverse_ballot). */
CODEOBJ_API void codeobj_inverse_ballot(uint64_t mask, uint64_t active, unsigned wave, uint32_t *out);
/* v_mbcnt_lo (hi false) and v_mbcnt_hi_u32_b32: add[i] plus the number of ones of
 * mask[i] below lane i; lo counts lanes 0-31, hi lanes 32-63. */
CODEOBJ_API void codeobj_mbcnt(bool hi, const uint32_t *mask, const uint32_t *add, uint64_t active, unsigned wave,
                               uint32_t *out);
CODEOBJ_API uint64_t codeobj_wqm(uint64_t mask);      /* s_wqm: each four bits are all ones if any of them is */
CODEOBJ_API uint64_t codeobj_quadmask(uint64_t mask); /* s_quadmask: bit i is the "or" of bits 4i..4i+3 */
CODEOBJ_API uint64_t codeobj_bitreplicate(uint32_t mask); /* s_bitreplicate: bits 2i, 2i+1 are bit i */
CODEOBJ_API unsigned codeobj_bcnt(uint64_t mask);     /* s_bcnt1_i32 */
CODEOBJ_API unsigned codeobj_bcnt0(uint64_t mask, unsigned bits); /* s_bcnt0_i32: zeros among the low 32 or 64 bits */

/* ---- the wave itself -------------------------------------------------------- */

/* llvm.amdgcn.wave.id: the number of a wave within its work-group, which is the flat
 * number of any of its work-items (x + y * size_x + z * size_x * size_y) divided by
 * the wave size.  gfx12 has it in TTMP8[29:25]; before, no register holds it (WAVE_ID
 * of HW_ID is a slot of the SIMD) and kernels divide as here.  A size of 0 counts as 1.
 * Source: LLVM's User Guide for AMDGPU Backend, "Trap temporaries" and "Work-Item ID". */
CODEOBJ_API uint32_t codeobj_wave_id(const uint32_t workitem[3], const uint32_t workgroup[3], unsigned wave);

/* llvm.amdgcn.wave.barrier: the lanes of a wave execute in step, so there is no
 * instruction; nothing is moved across this point, and every lane keeps all it has.
 * The map is KEEP throughout, whatever the mask. */
CODEOBJ_API void codeobj_wave_barrier_map(uint64_t active, unsigned wave, struct codeobj_lane_map *map);

/* ---- reductions ---------------------------------------------------------- */

enum codeobj_reduce {
    CODEOBJ_REDUCE_ADD = 0,
    CODEOBJ_REDUCE_SUB,  /* 0 - a - b - ... */
    CODEOBJ_REDUCE_MIN,  /* signed */
    CODEOBJ_REDUCE_MAX,
    CODEOBJ_REDUCE_UMIN,
    CODEOBJ_REDUCE_UMAX,
    CODEOBJ_REDUCE_AND,
    CODEOBJ_REDUCE_OR,
    CODEOBJ_REDUCE_XOR,
    CODEOBJ_REDUCE_ABSMAX, /* largest magnitude, as an unsigned number; the most negative value is its own magnitude */
    CODEOBJ_REDUCE_FADD,   /* in lane order, from -0.0, round to nearest; the first NaN stays, made quiet */
    CODEOBJ_REDUCE_FMIN,   /* NaNs are ignored unless all are; -0 is below +0 */
    CODEOBJ_REDUCE_FMAX,
    CODEOBJ_REDUCE_FABSMAX,
    CODEOBJ_REDUCE_FSUB,   /* in lane order, from +0.0: 0 - a - b - ...; NaNs as FADD */
    CODEOBJ_REDUCE_COUNT
};

/* Over the active lanes.  No active lane: the identity (0; all ones for AND and
 * UMIN; the extreme for MIN and MAX; the quiet NaN for FMIN and FMAX; -0.0 for FADD).
 * As LLVM expands llvm.amdgcn.wave.reduce for values that differ between lanes: one
 * lane after the other, the lowest first. */
CODEOBJ_API uint32_t codeobj_reduce_u32(enum codeobj_reduce op, const uint32_t *value, uint64_t active, unsigned wave);
CODEOBJ_API uint64_t codeobj_reduce_u64(enum codeobj_reduce op, const uint64_t *value, uint64_t active, unsigned wave);

/* ---- HIP ----------------------------------------------------------------- */

enum codeobj_shuffle {
    CODEOBJ_SHUFFLE_IDX = 0, /* __shfl:      lane `arg` mod width of the segment */
    CODEOBJ_SHUFFLE_UP,      /* __shfl_up:   i - arg; the lane itself below its segment */
    CODEOBJ_SHUFFLE_DOWN,    /* __shfl_down: i + arg; the lane itself beyond its segment */
    CODEOBJ_SHUFFLE_XOR      /* __shfl_xor:  i ^ arg; the lane itself beyond its segment (lower ones are reached) */
};
/* HIP's shuffles as its headers define them: segments of `width` lanes (a power
 * of two up to the wave), then a ds_bpermute within `group` lanes (codeobj_permute_group:
 * where that is 32, no lane of a wave64 is reached from the other half).  arg is per lane.  An inactive source
 * reads as 0 (HIP leaves it undefined).  The _sync forms of the shuffles add a mask
 * that must be valid (codeobj_hip_sync_valid) and change nothing else. */
CODEOBJ_API void codeobj_hip_shuffle_map(enum codeobj_shuffle kind, const uint32_t *arg, unsigned width,
                                         uint64_t active, unsigned wave, unsigned group, struct codeobj_lane_map *map);
CODEOBJ_API bool codeobj_hip_any(const uint32_t *pred, uint64_t active, unsigned wave);
CODEOBJ_API bool codeobj_hip_all(const uint32_t *pred, uint64_t active, unsigned wave); /* true when no lane is active */
CODEOBJ_API uint64_t codeobj_hip_activemask(uint64_t active, unsigned wave);
/* May a _sync call run: each active lane names, in its own mask, itself and exactly the
 * active lanes that hold the same mask (so that the masks part the active lanes into
 * groups).  In wave32 the upper halves do not count.  Other calls are undefined, and
 * HIP asserts. */
CODEOBJ_API bool codeobj_hip_sync_valid(const uint64_t *mask, uint64_t active, unsigned wave);
/* __ballot_sync: each active lane gets the ballot of the lanes of its mask; __any_sync
 * and __all_sync: whether that is not empty, or the whole mask. */
CODEOBJ_API void codeobj_hip_ballot_sync(const uint32_t *pred, const uint64_t *mask, uint64_t active, unsigned wave,
                                         uint64_t *out);
CODEOBJ_API void codeobj_hip_any_sync(const uint32_t *pred, const uint64_t *mask, uint64_t active, unsigned wave,
                                      uint32_t *out);
CODEOBJ_API void codeobj_hip_all_sync(const uint32_t *pred, const uint64_t *mask, uint64_t active, unsigned wave,
                                      uint32_t *out);
/* __match_any: each active lane gets the mask of active lanes with its value. */
CODEOBJ_API void codeobj_hip_match_any(const uint32_t *value, uint64_t active, unsigned wave, uint64_t *out);
/* __match_all: the active mask when all active lanes hold the same value, else 0. */
CODEOBJ_API uint64_t codeobj_hip_match_all(const uint32_t *value, uint64_t active, unsigned wave);

/* ---- vendor-neutral sub-group operations -----------------------------------
 * 32 lanes.  The lanes that take part are mask & active; the others keep their
 * destination (`out` is read there, not written). */

enum codeobj_float_format { CODEOBJ_FLOAT_F32 = 0, CODEOBJ_FLOAT_F16, CODEOBJ_FLOAT_BF16 };

/* fred.{min,max,absmax}[.nanp].{f,hf,bf}[x2]: op is FMIN, FMAX or FABSMAX.  NaNs
 * are ignored unless every input is one, which gives the quiet NaN 0x7fc00000
 * (0x7e00, 0x7fc0); with nanp any NaN does.  -0 is below +0.  16-bit forms use the low
 * half and write 0 above it; packed ones reduce each half by itself. */
CODEOBJ_API void codeobj_fred(enum codeobj_reduce op, enum codeobj_float_format format, bool packed, bool nanp,
                              const uint32_t *src, uint32_t mask, uint32_t active, uint32_t *out);
/* ired.{sum,smin,smax,umin,umax,and,or,xor,absmax}.{16b,32b}: op is ADD (sum), MIN,
 * MAX, UMIN, UMAX, AND, OR, XOR, ABSMAX; 16-bit forms use the low half and write 0 above. */
CODEOBJ_API void codeobj_ired(enum codeobj_reduce op, unsigned bits, const uint32_t *src, uint32_t mask,
                              uint32_t active, uint32_t *out);
/* redfirstidx.32b: lowest lane of mask & active. */
CODEOBJ_API void codeobj_redfirstidx(uint32_t mask, uint32_t active, uint32_t *out);

/* shfl.{up,dn,xor,idx}[.sg].32b.  Control: lane offset in bits 4:0, clamp in 12:8,
 * segment mask in 20:16; without .sg (segmented false) the clamp is 0 for up and
 * 31 otherwise and the segment mask 0.  Source lane: i - offset (UP), i + offset
 * (DOWN), i ^ offset (XOR), (i & seg) | (offset & ~seg) (IDX); it counts when it is
 * >= clampLane (UP) or <= clampLane (others), clampLane = (i & seg) | (clamp & ~seg).
 * Otherwise, and when the source does not take part, the lane copies its own value. */
CODEOBJ_API void codeobj_shfl_map(enum codeobj_shuffle kind, bool segmented, uint32_t control, uint32_t mask,
                                  uint32_t active, struct codeobj_lane_map *map);

/* ---- matrix instructions ------------------------------------------------------
 * Which lane and register hold which element of A (M x K), B (K x N), C and D
 * (M x N).  The numbers come from AMD's matrix core documentation (MFMA and
 * SMFMAC of CDNA, WMMA and SWMMAC of RDNA3, RDNA4 and gfx1250). */

enum codeobj_matrix_type {
    CODEOBJ_MATRIX_F64 = 0,
    CODEOBJ_MATRIX_F32,
    CODEOBJ_MATRIX_XF32, /* f32 of which 10 fraction bits count */
    CODEOBJ_MATRIX_F16,
    CODEOBJ_MATRIX_BF16,
    CODEOBJ_MATRIX_FP8,  /* E4M3 */
    CODEOBJ_MATRIX_BF8,  /* E5M2 */
    CODEOBJ_MATRIX_FP6,  /* E2M3 */
    CODEOBJ_MATRIX_BF6,  /* E3M2 */
    CODEOBJ_MATRIX_FP4,  /* E2M1 */
    CODEOBJ_MATRIX_I32,
    CODEOBJ_MATRIX_I8,
    CODEOBJ_MATRIX_IU8,  /* signed or not, by NEG_LO */
    CODEOBJ_MATRIX_IU4,
    CODEOBJ_MATRIX_F8F6F4, /* by a modifier: 0 FP8, 1 BF8, 2 FP6, 3 BF6, 4 FP4 */
    CODEOBJ_MATRIX_TYPE_COUNT
};

enum codeobj_matrix_family {
    CODEOBJ_MATRIX_MFMA = 0,   /* gfx908, gfx90a, gfx942, gfx950; SMFMAC */
    CODEOBJ_MATRIX_WMMA_GFX11,
    CODEOBJ_MATRIX_WMMA_GFX12, /* gfx1200, gfx1201; SWMMAC */
    CODEOBJ_MATRIX_WMMA_GFX1250
};

/* One instruction; all static. */
struct codeobj_matrix {
    const char *name, *old_name; /* old_name: gfx908's and gfx90a's spelling, or NULL */
    uint8_t family;              /* enum codeobj_matrix_family */
    uint8_t blocks;              /* independent products */
    uint16_t m, n, k;
    uint8_t a, b, d;             /* enum codeobj_matrix_type; d: C and D */
    bool sparse;                 /* A holds two of every four elements along K; an index register says which */
    bool c_f32;                  /* C is F32 although D is 16 bits wide */
};

enum codeobj_matrix_operand { CODEOBJ_MATRIX_A = 0, CODEOBJ_MATRIX_B, CODEOBJ_MATRIX_C, CODEOBJ_MATRIX_D };

/* NULL when there is none.  The same mnemonic may lie differently on different
 * processors; processor NULL takes the first that has it. */
CODEOBJ_API const struct codeobj_matrix *codeobj_matrix_find(const char *mnemonic,
                                                             const struct codeobj_processor *processor);
CODEOBJ_API const struct codeobj_matrix *codeobj_matrix_at(size_t idx); /* NULL past the end */

CODEOBJ_API unsigned codeobj_matrix_type_bits(enum codeobj_matrix_type type);
CODEOBJ_API const char *codeobj_matrix_type_name(enum codeobj_matrix_type type); /* "f16" ...; static */
/* The type of an operand; format: the modifier's value for F8F6F4 (an unknown one counts as FP4). */
CODEOBJ_API enum codeobj_matrix_type codeobj_matrix_operand_type(const struct codeobj_matrix *matrix,
                                                                 enum codeobj_matrix_operand operand, unsigned format);

/* Elements that one lane holds.  For a sparse A these are the stored ones. */
CODEOBJ_API unsigned codeobj_matrix_elements(const struct codeobj_matrix *matrix, enum codeobj_matrix_operand operand,
                                             enum codeobj_matrix_type type, unsigned wave);

struct codeobj_matrix_place {
    uint8_t block;
    uint8_t row; /* A, C, D: row of M.  B: column of N */
    uint8_t col; /* A, B: position along K (sparse A: the first of the pair's four).  C, D: column of N */
};
/* The element number `element` (0 ..) of a lane; false when the lane holds none. */
CODEOBJ_API bool codeobj_matrix_element(const struct codeobj_matrix *matrix, enum codeobj_matrix_operand operand,
                                        enum codeobj_matrix_type type, unsigned wave, unsigned lane, unsigned element,
                                        struct codeobj_matrix_place *out);
/* Where element number `element` lies in the operand's registers: first bit, counted through them. */
CODEOBJ_API unsigned codeobj_matrix_bit(const struct codeobj_matrix *matrix, enum codeobj_matrix_operand operand,
                                        enum codeobj_matrix_type type, unsigned element);
/* The lane of B that lane `lane` takes its B elements from under MFMA's BLGP modifier. */
CODEOBJ_API unsigned codeobj_matrix_blgp_lane(unsigned lane, unsigned blgp);
/* The block of A that block `block` takes under MFMA's CBSZ and ABID. */
CODEOBJ_API unsigned codeobj_matrix_broadcast_block(unsigned block, unsigned cbsz, unsigned abid);
/* First bit of the 2-bit index of sparse A's stored element `element` in the lane's index register(s).
 * set: ABID (SMFMAC, when CBSZ is 0) or index_key. */
CODEOBJ_API unsigned codeobj_matrix_index_bit(const struct codeobj_matrix *matrix, enum codeobj_matrix_type type,
                                              unsigned wave, unsigned element, unsigned set);

/* ---- text form ------------------------------------------------------------- */

enum codeobj_lanes_kind {
    CODEOBJ_LANES_DPP16 = 1,
    CODEOBJ_LANES_DPP8,
    CODEOBJ_LANES_READLANE,
    CODEOBJ_LANES_READFIRSTLANE,
    CODEOBJ_LANES_WRITELANE,
    CODEOBJ_LANES_SWIZZLE,
    CODEOBJ_LANES_BPERMUTE,
    CODEOBJ_LANES_PERMUTE,
    CODEOBJ_LANES_PERMLANE16,
    CODEOBJ_LANES_PERMLANE16_VAR,
    CODEOBJ_LANES_PERMLANE64,
    CODEOBJ_LANES_PERMLANE_SWAP,
    CODEOBJ_LANES_PERMLANE_GROUP,
    CODEOBJ_LANES_PERMLANE_IDX_GEN,
    CODEOBJ_LANES_BALLOT,
    CODEOBJ_LANES_INVERSE_BALLOT,
    CODEOBJ_LANES_MBCNT_LO,
    CODEOBJ_LANES_MBCNT_HI,
    CODEOBJ_LANES_WQM,
    CODEOBJ_LANES_QUADMASK,
    CODEOBJ_LANES_REDUCE,
    CODEOBJ_LANES_HIP_SHUFFLE,
    CODEOBJ_LANES_HIP_ANY,
    CODEOBJ_LANES_HIP_ALL,
    CODEOBJ_LANES_FRED,
    CODEOBJ_LANES_IRED,
    CODEOBJ_LANES_REDFIRSTIDX,
    CODEOBJ_LANES_SHFL,
    CODEOBJ_LANES_BCNT,
    CODEOBJ_LANES_BITREPLICATE,
    CODEOBJ_LANES_WAVE_ID,
    CODEOBJ_LANES_WAVE_BARRIER,
    CODEOBJ_LANES_HIP_ACTIVEMASK,
    CODEOBJ_LANES_HIP_MATCH_ANY,
    CODEOBJ_LANES_HIP_MATCH_ALL
};

/* An operation read from text.  Which members count depends on kind. */
struct codeobj_lanes_op {
    enum codeobj_lanes_kind kind;
    struct codeobj_dpp dpp;
    uint32_t dpp8;
    uint32_t offset;    /* DS offset, lane number, shuffle argument, select, addend of MBCNT */
    uint32_t width;     /* HIP width (0: the wave), permlane group or swap width, bits of BALLOT, REDUCE, IRED, BCNT */
    uint32_t control;   /* SHFL; value of WRITELANE */
    uint64_t mask;      /* participation; select of PERMLANE16; operand of the mask operations */
    uint32_t workitem[3], workgroup[3]; /* WAVE_ID */
    bool cross, fi, bound_ctrl, segmented, packed, nanp;
    bool ones;          /* BCNT: s_bcnt1 */
    bool sync;          /* HIP: a _sync form, with `mask` in every lane */
    bool has_mask;      /* MBCNT: `mask` instead of the lanes' values */
    bool row_share, row_newbcast; /* DPP: the name of the control, which is one number: gfx10 and up, or gfx90a to gfx950 */
    bool bound_ctrl_0;  /* DPP: written as bound_ctrl:0, which is "on" before gfx11 and "off" from gfx11 on */
    enum codeobj_reduce reduce;
    enum codeobj_float_format format;
    enum codeobj_shuffle shuffle;
    enum codeobj_permlane_kind permlane;
};

/* Reads `v_mov_b32_dpp row_ror:1 bound_ctrl:1`, `ds_swizzle swizzle(BITMASK_PERM,"01pip")`,
 * `shfl.dn.sg.32b 0x00181d02, 0xffffffff` ...: mnemonic (data-size and encoding
 * suffixes may be left out), operands (registers are skipped), modifiers as the
 * assembler writes them.  MALFORMED with the offset in diag, also for a modifier, word
 * or number that the operation does not take; NOT_FOUND, with the nearest name in
 * diag, for a mnemonic that moves nothing between lanes.  The grammar is in
 * amdreadobj-lanes(7). */
CODEOBJ_API enum codeobj_status codeobj_lanes_parse(const char *text, struct codeobj_lanes_op *out,
                                                    struct codeobj_diag *diag);

/* Does the processor have this operation?  Operations of the vendor-neutral set, of
 * HIP and wave reductions are compiled to instructions and are there on all of them. */
CODEOBJ_API bool codeobj_lanes_available(const struct codeobj_lanes_op *op,
                                         const struct codeobj_processor *processor);

struct codeobj_lanes_result {
    uint64_t written;                     /* lanes whose destination is written */
    bool has_map;                         /* map is set */
    struct codeobj_lane_map map;
    uint32_t value[CODEOBJ_LANES_MAX];    /* destination afterwards */
    bool has_second;                      /* swap: the other register afterwards */
    uint32_t second[CODEOBJ_LANES_MAX];
    bool has_scalar;                      /* the result is this scalar, and `value` and `written` mean nothing */
    uint64_t scalar;
    bool is_wide;                         /* value and second are low and high halves of 64-bit results */
};

/* Runs it.  data: source lanes; index: per-lane addresses or selects, the second
 * register of a swap, high halves of a 64-bit reduction (may be NULL: zeros); old:
 * destination before (may be NULL: zeros).
 * processor (may be NULL) decides what spans the wave.  INVALID when
 * the operation is not one of this wave size or processor, or a _sync form's mask is
 * not valid. */
CODEOBJ_API enum codeobj_status codeobj_lanes_eval(const struct codeobj_lanes_op *op,
                                                   const struct codeobj_processor *processor, uint64_t active,
                                                   unsigned wave, const uint32_t *data, const uint32_t *index,
                                                   const uint32_t *old, struct codeobj_lanes_result *out,
                                                   struct codeobj_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

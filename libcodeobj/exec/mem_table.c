/* SPDX-License-Identifier: MIT
 *
 * exec/mem_table.c - which memory instruction is which access.
 *
 * FLAT, GLOBAL, SCRATCH and buffers share their semantics: the format says where
 * the address comes from.
 */
#include "exec/access.h"
#include "exec/mem_build.h"
#include "exec/registry.h"
#include "isa/semantics.h"

static enum codeobj_status build_memory(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    if (inst->format == CODEOBJ_FMT_MUBUF || inst->format == CODEOBJ_FMT_MTBUF)
        return co_build_buffer(b, inst, op);
    return co_build_flat(b, inst, op);
}

static int nothing(struct co_wave *w, const struct co_op *op)
{
    (void)w;
    (void)op;
    return CO_NEXT;
}

/* Caches do not show: memory is coherent. */
static enum codeobj_status build_nothing(struct co_builder *b, const struct codeobj_isa_inst *inst, struct co_op *op)
{
    (void)b;
    (void)inst;
    op->fn = nothing;
    return CODEOBJ_OK;
}

#define ROW(name, build, kind, bytes, ext, atomic, flags)                                                    \
    CO_ROW(CO_SEM_##name, build, NULL, NULL,                                                                    \
           CO_ACCESS_DATA(CO_ACCESS_##kind, bytes, CO_EXT_##ext, CO_ATOMIC_##atomic) | (flags), false)
#define LOAD(name, bytes, ext) ROW(name, build_memory, LOAD, bytes, ext, NONE, 0)
#define STORE(name, bytes, ext) ROW(name, build_memory, STORE, bytes, ext, NONE, 0)
#define ATOMIC(name, bytes, what) ROW(name, build_memory, ATOMIC, bytes, NONE, what, 0)
/* Components, and whether they are 16 bits wide. */
#define TYPED(name, kind, count, ext) ROW(name, co_build_buffer, kind, count, ext, NONE, CO_ACCESS_FORMAT)
#define TO_LDS(name, bytes, ext) ROW(name, co_build_flat_lds, LOAD, bytes, ext, NONE, CO_ACCESS_LDS)
#define ASYNC(name, kind, bytes) ROW(name, co_build_flat_async, kind, bytes, NONE, NONE, CO_ACCESS_LDS)
#define IMAGE(name, kind, atomic, flags) ROW(name, co_build_image, kind, 4, NONE, atomic, flags)
#define TRANSPOSED(name, bytes, bits) ROW(name, co_build_flat_transposed, LOAD, bytes, NONE, NONE, CO_ACCESS_ELEMENT(bits))
#define NOTHING(name) CO_ROW(CO_SEM_##name, build_nothing, NULL, NULL, 0, false)

void co_family_memory(struct co_sem_row *rows)
{
    LOAD(load_u8, 1, U8),
    LOAD(load_i8, 1, I8),
    LOAD(load_u16, 2, U16),
    LOAD(load_i16, 2, I16),
    LOAD(load_b32, 4, NONE),
    LOAD(load_b64, 8, NONE),
    LOAD(load_b96, 12, NONE),
    LOAD(load_b128, 16, NONE),
    LOAD(load_d16_u8, 1, U8_LO),
    LOAD(load_d16_i8, 1, I8_LO),
    LOAD(load_d16_b16, 2, B16_LO),
    LOAD(load_d16_hi_u8, 1, U8_HI),
    LOAD(load_d16_hi_i8, 1, I8_HI),
    LOAD(load_d16_hi_b16, 2, B16_HI),
    STORE(store_b8, 1, NONE),
    STORE(store_b16, 2, NONE),
    STORE(store_b32, 4, NONE),
    STORE(store_b64, 8, NONE),
    STORE(store_b96, 12, NONE),
    STORE(store_b128, 16, NONE),
    STORE(store_d16_hi_b8, 1, U8_HI),
    STORE(store_d16_hi_b16, 2, B16_HI),
    ROW(load_addtid_b32, build_memory, LOAD, 4, NONE, NONE, CO_ACCESS_ADDTID),
    ROW(store_addtid_b32, build_memory, STORE, 4, NONE, NONE, CO_ACCESS_ADDTID),
    ROW(load_block, co_build_flat_block, LOAD, 4, NONE, NONE, 0),
    ROW(store_block, co_build_flat_block, STORE, 4, NONE, NONE, 0),
    /* Cluster loads of one work-group and monitoring loads are loads. */
    LOAD(cluster_load_b32, 4, NONE),
    LOAD(cluster_load_b64, 8, NONE),
    LOAD(cluster_load_b128, 16, NONE),
    LOAD(load_monitor_b32, 4, NONE),
    LOAD(load_monitor_b64, 8, NONE),
    LOAD(load_monitor_b128, 16, NONE),

    TO_LDS(load_lds_u8, 1, U8),
    TO_LDS(load_lds_i8, 1, I8),
    TO_LDS(load_lds_u16, 2, U16),
    TO_LDS(load_lds_i16, 2, I16),
    TO_LDS(load_lds_b32, 4, NONE),
    TO_LDS(load_lds_b96, 12, NONE),
    TO_LDS(load_lds_b128, 16, NONE),
    ROW(store_lds_b32, co_build_buffer, STORE, 4, NONE, NONE, CO_ACCESS_LDS),
    ASYNC(load_async_to_lds_b8, LOAD, 1),
    ASYNC(load_async_to_lds_b32, LOAD, 4),
    ASYNC(load_async_to_lds_b64, LOAD, 8),
    ASYNC(load_async_to_lds_b128, LOAD, 16),
    ASYNC(cluster_load_async_to_lds_b8, LOAD, 1),
    ASYNC(cluster_load_async_to_lds_b32, LOAD, 4),
    ASYNC(cluster_load_async_to_lds_b64, LOAD, 8),
    ASYNC(cluster_load_async_to_lds_b128, LOAD, 16),
    ASYNC(store_async_from_lds_b8, STORE, 1),
    ASYNC(store_async_from_lds_b32, STORE, 4),
    ASYNC(store_async_from_lds_b64, STORE, 8),
    ASYNC(store_async_from_lds_b128, STORE, 16),

    TYPED(load_format_x, LOAD, 1, NONE),
    TYPED(load_format_xy, LOAD, 2, NONE),
    TYPED(load_format_xyz, LOAD, 3, NONE),
    TYPED(load_format_xyzw, LOAD, 4, NONE),
    TYPED(store_format_x, STORE, 1, NONE),
    TYPED(store_format_xy, STORE, 2, NONE),
    TYPED(store_format_xyz, STORE, 3, NONE),
    TYPED(store_format_xyzw, STORE, 4, NONE),
    TYPED(load_d16_format_x, LOAD, 1, B16_LO),
    TYPED(load_d16_format_xy, LOAD, 2, B16_LO),
    TYPED(load_d16_format_xyz, LOAD, 3, B16_LO),
    TYPED(load_d16_format_xyzw, LOAD, 4, B16_LO),
    TYPED(store_d16_format_x, STORE, 1, B16_LO),
    TYPED(store_d16_format_xy, STORE, 2, B16_LO),
    TYPED(store_d16_format_xyz, STORE, 3, B16_LO),
    TYPED(store_d16_format_xyzw, STORE, 4, B16_LO),
    TYPED(load_d16_hi_format_x, LOAD, 1, B16_HI),
    TYPED(store_d16_hi_format_x, STORE, 1, B16_HI),
    TYPED(tbuffer_load_format_x, LOAD, 1, NONE),
    TYPED(tbuffer_load_format_xy, LOAD, 2, NONE),
    TYPED(tbuffer_load_format_xyz, LOAD, 3, NONE),
    TYPED(tbuffer_load_format_xyzw, LOAD, 4, NONE),
    TYPED(tbuffer_store_format_x, STORE, 1, NONE),
    TYPED(tbuffer_store_format_xy, STORE, 2, NONE),
    TYPED(tbuffer_store_format_xyz, STORE, 3, NONE),
    TYPED(tbuffer_store_format_xyzw, STORE, 4, NONE),
    TYPED(tbuffer_load_d16_format_x, LOAD, 1, B16_LO),
    TYPED(tbuffer_load_d16_format_xy, LOAD, 2, B16_LO),
    TYPED(tbuffer_load_d16_format_xyz, LOAD, 3, B16_LO),
    TYPED(tbuffer_load_d16_format_xyzw, LOAD, 4, B16_LO),
    TYPED(tbuffer_store_d16_format_x, STORE, 1, B16_LO),
    TYPED(tbuffer_store_d16_format_xy, STORE, 2, B16_LO),
    TYPED(tbuffer_store_d16_format_xyz, STORE, 3, B16_LO),
    TYPED(tbuffer_store_d16_format_xyzw, STORE, 4, B16_LO),

    ATOMIC(atomic_swap_b32, 4, SWAP),
    ATOMIC(atomic_swap_b64, 8, SWAP),
    ATOMIC(atomic_cmpswap_b32, 4, CMPSWAP),
    ATOMIC(atomic_cmpswap_b64, 8, CMPSWAP),
    ATOMIC(atomic_cmpswap_f32, 4, FCMPSWAP),
    ATOMIC(atomic_cmpswap_f64, 8, FCMPSWAP),
    ATOMIC(atomic_add_u32, 4, ADD),
    ATOMIC(atomic_add_u64, 8, ADD),
    ATOMIC(atomic_sub_u32, 4, SUB),
    ATOMIC(atomic_sub_u64, 8, SUB),
    ATOMIC(atomic_csub_u32, 4, CSUB),
    ATOMIC(atomic_cond_sub_u32, 4, COND_SUB),
    ATOMIC(atomic_min_i32, 4, SMIN),
    ATOMIC(atomic_min_i64, 8, SMIN),
    ATOMIC(atomic_min_u32, 4, UMIN),
    ATOMIC(atomic_min_u64, 8, UMIN),
    ATOMIC(atomic_max_i32, 4, SMAX),
    ATOMIC(atomic_max_i64, 8, SMAX),
    ATOMIC(atomic_max_u32, 4, UMAX),
    ATOMIC(atomic_max_u64, 8, UMAX),
    ATOMIC(atomic_and_b32, 4, AND),
    ATOMIC(atomic_and_b64, 8, AND),
    ATOMIC(atomic_or_b32, 4, OR),
    ATOMIC(atomic_or_b64, 8, OR),
    ATOMIC(atomic_xor_b32, 4, XOR),
    ATOMIC(atomic_xor_b64, 8, XOR),
    ATOMIC(atomic_inc_u32, 4, INC),
    ATOMIC(atomic_inc_u64, 8, INC),
    ATOMIC(atomic_dec_u32, 4, DEC),
    ATOMIC(atomic_dec_u64, 8, DEC),
    ATOMIC(atomic_add_f32, 4, FADD),
    ATOMIC(atomic_add_f64, 8, FADD),
    ATOMIC(atomic_min_f32, 4, FMIN),
    ATOMIC(atomic_min_f64, 8, FMIN),
    ATOMIC(atomic_max_f32, 4, FMAX),
    ATOMIC(atomic_max_f64, 8, FMAX),
    ATOMIC(atomic_min_num_f32, 4, FMIN),
    ATOMIC(atomic_min_num_f64, 8, FMIN),
    ATOMIC(atomic_max_num_f32, 4, FMAX),
    ATOMIC(atomic_max_num_f64, 8, FMAX),
    ATOMIC(atomic_pk_add_f16, 4, PK_ADD_F16),
    ATOMIC(atomic_pk_add_bf16, 4, PK_ADD_BF16),

    IMAGE(image_load, LOAD, NONE, 0),
    IMAGE(image_load_mip, LOAD, NONE, CO_IMAGE_MIP),
    IMAGE(image_load_pck, LOAD, NONE, CO_IMAGE_RAW),
    IMAGE(image_load_pck_sgn, LOAD, NONE, CO_IMAGE_RAW | CO_IMAGE_SIGNED),
    IMAGE(image_load_mip_pck, LOAD, NONE, CO_IMAGE_MIP | CO_IMAGE_RAW),
    IMAGE(image_load_mip_pck_sgn, LOAD, NONE, CO_IMAGE_MIP | CO_IMAGE_RAW | CO_IMAGE_SIGNED),
    IMAGE(image_store, STORE, NONE, 0),
    IMAGE(image_store_mip, STORE, NONE, CO_IMAGE_MIP),
    IMAGE(image_store_pck, STORE, NONE, CO_IMAGE_RAW),
    IMAGE(image_store_mip_pck, STORE, NONE, CO_IMAGE_MIP | CO_IMAGE_RAW),
    IMAGE(image_get_resinfo, LOAD, NONE, CO_IMAGE_INFO),
    IMAGE(image_atomic_swap, ATOMIC, SWAP, 0),
    IMAGE(image_atomic_cmpswap, ATOMIC, CMPSWAP, 0),
    IMAGE(image_atomic_add, ATOMIC, ADD, 0),
    IMAGE(image_atomic_sub, ATOMIC, SUB, 0),
    IMAGE(image_atomic_smin, ATOMIC, SMIN, 0),
    IMAGE(image_atomic_umin, ATOMIC, UMIN, 0),
    IMAGE(image_atomic_smax, ATOMIC, SMAX, 0),
    IMAGE(image_atomic_umax, ATOMIC, UMAX, 0),
    IMAGE(image_atomic_and, ATOMIC, AND, 0),
    IMAGE(image_atomic_or, ATOMIC, OR, 0),
    IMAGE(image_atomic_xor, ATOMIC, XOR, 0),
    IMAGE(image_atomic_inc, ATOMIC, INC, 0),
    IMAGE(image_atomic_dec, ATOMIC, DEC, 0),
    IMAGE(image_atomic_fcmpswap, ATOMIC, FCMPSWAP, 0),
    IMAGE(image_atomic_fmin, ATOMIC, FMIN, 0),
    IMAGE(image_atomic_fmax, ATOMIC, FMAX, 0),
    IMAGE(image_atomic_add_uint, ATOMIC, ADD, 0),
    IMAGE(image_atomic_sub_uint, ATOMIC, SUB, 0),
    IMAGE(image_atomic_min_int, ATOMIC, SMIN, 0),
    IMAGE(image_atomic_min_uint, ATOMIC, UMIN, 0),
    IMAGE(image_atomic_max_int, ATOMIC, SMAX, 0),
    IMAGE(image_atomic_max_uint, ATOMIC, UMAX, 0),
    IMAGE(image_atomic_inc_uint, ATOMIC, INC, 0),
    IMAGE(image_atomic_dec_uint, ATOMIC, DEC, 0),
    IMAGE(image_atomic_add_flt, ATOMIC, FADD, 0),
    IMAGE(image_atomic_min_flt, ATOMIC, FMIN, 0),
    IMAGE(image_atomic_max_flt, ATOMIC, FMAX, 0),
    IMAGE(image_atomic_pk_add_f16, ATOMIC, PK_ADD_F16, 0),
    IMAGE(image_atomic_pk_add_bf16, ATOMIC, PK_ADD_BF16, 0),
    IMAGE(image_atomic_rsub, ATOMIC, RSUB, 0),

    NOTHING(gl0_inv),
    NOTHING(gl1_inv),
    NOTHING(inv),
    NOTHING(invl2),
    NOTHING(wb),
    NOTHING(wbinv),
    NOTHING(wbinvl1),
    NOTHING(wbinvl1_sc),
    NOTHING(wbinvl1_vol),
    NOTHING(wbl2),
    NOTHING(prefetch_b8),

    TRANSPOSED(load_tr_b64, 8, 8),
    TRANSPOSED(load_tr_b128, 16, 16),
    TRANSPOSED(load_tr16_b128, 16, 16),
    TRANSPOSED(load_tr8_b64, 8, 8),
    TRANSPOSED(load_tr6_b96, 12, 6),
    TRANSPOSED(load_tr4_b64, 8, 4),
    CO_ROW(CO_SEM_ds_gws_init, co_build_gws, NULL, NULL, 0, false),
    CO_ROW(CO_SEM_ds_gws_barrier, co_build_gws, NULL, NULL, 0, false),
    CO_ROW(CO_SEM_ds_gws_sema_v, co_build_gws, NULL, NULL, 0, false),
    CO_ROW(CO_SEM_ds_gws_sema_br, co_build_gws, NULL, NULL, 0, false),
    CO_ROW(CO_SEM_ds_gws_sema_p, co_build_gws, NULL, NULL, 0, false),
    CO_ROW(CO_SEM_ds_gws_sema_release_all, co_build_gws, NULL, NULL, 0, false);
}

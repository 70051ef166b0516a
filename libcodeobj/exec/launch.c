/* SPDX-License-Identifier: MIT
 *
 * exec/launch.c - from a dispatch to the registers of a wave.
 *
 * Ruled by LLVM's User Guide for AMDGPU Backend: "Initial Kernel Execution State",
 * "Kernel Prolog", "Code Object Metadata" (hidden arguments of V3 to V6); and by the HSA
 * specification for the AQL packet and the queue.
 *
 * What surprises:
 *  - System SGPRs follow user SGPR number user_sgpr_count, not the last enabled one: gfx11
 *    code finds its work-group ID in s15 whatever is enabled before it.
 *  - A partial work-group at the edge of the grid is laid out in lanes with its own, smaller
 *    extent; the sizes the kernel reads are those of a full one.
 *  - Scratch has the same device address in each wave (CO_SCRATCH_ADDR) and the scratch wave
 *    offset is 0: what a kernel sees does not depend on which thread runs it.
 *  - With preloaded kernel arguments the entry is 256 bytes further, as the firmware has it.
 */
#include "exec/access.h"
#include "exec/device.h"

#include <stdio.h>
#include <stdlib.h>

#include <codeobj/metadata.h>

#include "base/diag.h"
#include "base/span.h"

#define HIDDEN_BYTES 256     /* the implicit block of V5 and later */
#define DYNAMIC_STACK 32768u /* bytes per work-item for what the compiler could not count */
#define SCRATCH_MAX (1u << 20)

/* ---- geometry ---------------------------------------------------------------------- */

static uint32_t lds_limit(const struct codeobj_processor *p)
{
    if (p->major == 12 && p->minor == 5)
        return 320 << 10;
    if (p->major == 9 && p->minor == 5)
        return 160 << 10;
    return p->gen == CODEOBJ_GEN_GFX6 ? 32 << 10 : 64 << 10;
}

static enum codeobj_status set_geometry(struct co_launch *l, struct codeobj_diag *diag)
{
    const struct codeobj_dispatch *d = l->dispatch;
    uint64_t items = 1;
    l->dims = d->dims;
    if (l->dims > 3)
        return co_fail(diag, CODEOBJ_INVALID, "dispatch: found %u dimensions, expected 1 to 3", l->dims);
    l->group_total = 1;
    for (unsigned i = 0; i < 3; i++) {
        l->grid[i] = d->grid[i] ? d->grid[i] : 1;
        l->group[i] = d->workgroup[i] ? d->workgroup[i] : 1;
        if (!d->dims && l->grid[i] > 1)
            l->dims = i + 1;
        if (l->group[i] > 1024)
            return co_fail(diag, CODEOBJ_INVALID, "work-group: found %u work-items in dimension %u, expected at most 1024",
                           l->group[i], i);
        items *= l->group[i];
        l->groups[i] = (uint32_t)(((uint64_t)l->grid[i] + l->group[i] - 1) / l->group[i]);
        if (l->group_total > UINT64_MAX / l->groups[i])
            return co_fail(diag, CODEOBJ_INVALID, "grid: too many work-groups");
        l->group_total *= l->groups[i];
    }
    if (!l->dims)
        l->dims = 1;
    if (items > 1024)
        return co_fail(diag, CODEOBJ_INVALID, "work-group: found %llu work-items, expected at most 1024",
                       (unsigned long long)items);
    l->waves_per_group = (uint32_t)((items + l->lanes - 1) / l->lanes);
    return CODEOBJ_OK;
}

/* ---- kernel arguments -------------------------------------------------------------------- */

/* Value of a hidden argument; false: leave zeros.  Names are those of the metadata. */
static bool hidden_value(const struct co_launch *l, const char *kind, uint64_t *value)
{
    static const char axes[] = "xyz";
    const char *name = kind + strlen("hidden_");
    size_t n = strlen(name);
    unsigned axis = n > 2 && name[n - 2] == '_' && strchr(axes, name[n - 1]) ? (unsigned)(strchr(axes, name[n - 1]) - axes) : 0;
    if (!strncmp(name, "block_count_", 12))
        *value = l->grid[axis] / l->group[axis];
    else if (!strncmp(name, "group_size_", 11))
        *value = l->group[axis];
    else if (!strncmp(name, "remainder_", 10))
        *value = l->grid[axis] % l->group[axis];
    else if (!strncmp(name, "global_offset_", 14))
        *value = 0;
    else if (!strcmp(name, "grid_dims"))
        *value = l->dims;
    else if (!strcmp(name, "dynamic_lds_size"))
        *value = l->dispatch->dynamic_lds;
    else if (!strcmp(name, "private_base"))
        *value = CO_APERTURE_PRIVATE;
    else if (!strcmp(name, "shared_base"))
        *value = CO_APERTURE_SHARED;
    else if (!strcmp(name, "queue_ptr"))
        *value = l->queue_addr;
    else if (!strcmp(name, "printf_buffer"))
        *value = l->dispatch->printf_buffer ? l->dispatch->printf_buffer : CO_HOST_PRINTF;
    else if (!strcmp(name, "hostcall_buffer"))
        *value = CO_HOST_CALLS;
    else
        return false; /* multigrid sync, heap, queues: none */
    return true;
}

/* Fills the kernarg segment: the caller's bytes, then the hidden arguments at their offsets. */
static enum codeobj_status fill_kernarg(const struct co_launch *l, const struct codeobj_metadata *md, size_t kernel,
                                        uint8_t *bytes, size_t size, struct codeobj_diag *diag)
{
    const struct codeobj_dispatch *d = l->dispatch;
    uint64_t explicit_size = 0;
    struct codeobj_metadata_kernel mk;
    size_t args = 0;
    if (md && codeobj_metadata_kernel(md, kernel, &mk) == CODEOBJ_OK)
        args = mk.arg_count;
    for (size_t i = 0; i < args; i++) {
        struct codeobj_metadata_arg arg;
        if (codeobj_metadata_arg(md, kernel, i, &arg))
            continue;
        if (arg.size > size || arg.offset > size - arg.size)
            return co_fail(diag, CODEOBJ_MALFORMED, "kernel \"%s\": argument %zu at %llu, size %llu, is outside of the %zu "
                           "bytes of its kernel arguments", l->name, i, (unsigned long long)arg.offset,
                           (unsigned long long)arg.size, size);
        if (!arg.is_hidden && arg.offset + arg.size > explicit_size)
            explicit_size = arg.offset + arg.size;
    }
    if (!args)
        explicit_size = d->kernarg_size < size ? d->kernarg_size : size;
    if (d->kernarg_size < explicit_size || d->kernarg_size > size)
        return co_fail(diag, CODEOBJ_INVALID, "kernel \"%s\": found %zu bytes of arguments, expected %llu", l->name,
                       d->kernarg_size, (unsigned long long)explicit_size);
    if (d->kernarg_size)
        memcpy(bytes, d->kernarg, d->kernarg_size);
    for (size_t i = 0; i < args; i++) {
        struct codeobj_metadata_arg arg;
        uint64_t value;
        if (codeobj_metadata_arg(md, kernel, i, &arg) || !arg.is_hidden || !arg.value_kind)
            continue;
        if (strncmp(arg.value_kind, "hidden_", 7) || !hidden_value(l, arg.value_kind, &value))
            value = 0;
        uint8_t le[8];
        co_store64(le, value);
        memcpy(bytes + arg.offset, le, arg.size < 8 ? (size_t)arg.size : 8);
    }
    return CODEOBJ_OK;
}

static enum codeobj_status add_range(struct codeobj_device *device, uint64_t size, const char *name, uint64_t *addr,
                                     uint8_t **host, struct codeobj_diag *diag)
{
    struct co_alloc a = { .size = size, .perm = CO_PERM_READ | CO_PERM_WRITE };
    snprintf(a.name, sizeof a.name, "%s", name);
    a.addr = co_memory_place(&device->memory, size, 4096);
    if (!a.addr)
        return co_fail(diag, CODEOBJ_LIMIT, "device memory: no room for %s", name);
    enum codeobj_status status = co_memory_add(&device->memory, &a, diag);
    if (status == CODEOBJ_OK) {
        *addr = a.addr;
        *host = co_memory_host(&device->memory, a.addr, size, 0);
    }
    return status;
}

/* The AQL kernel dispatch packet (64 bytes) and the amd_queue_t behind it (aperture bases at 0x40). */
static enum codeobj_status make_packet(struct co_launch *l, uint64_t descriptor, struct codeobj_diag *diag)
{
    uint8_t *p, *q;
    enum codeobj_status status = add_range(l->device, 64, "dispatch packet", &l->packet_addr, &p, diag);
    if (status == CODEOBJ_OK)
        status = add_range(l->device, 256, "queue", &l->queue_addr, &q, diag);
    if (status)
        return status;
    co_store16(p, 2 | 1 << 8 | 2 << 9 | 2 << 11); /* kernel dispatch, barrier, system scopes */
    co_store16(p + 2, (uint16_t)l->dims);
    for (unsigned i = 0; i < 3; i++) {
        co_store16(p + 4 + 2 * i, (uint16_t)l->group[i]);
        co_store32(p + 12 + 4 * i, l->grid[i]);
    }
    co_store32(p + 24, l->scratch_size);
    co_store32(p + 28, l->lds_size);
    co_store64(p + 32, descriptor);
    co_store64(p + 40, l->kernarg_addr);
    co_store32(q, 1); /* multi-producer */
    co_store64(q + 8, l->packet_addr);
    co_store32(q + 24, 1); /* packets in the ring */
    co_store32(q + 0x40, CO_APERTURE_SHARED);
    co_store32(q + 0x44, CO_APERTURE_PRIVATE);
    return CODEOBJ_OK;
}

/* ---- prepare --------------------------------------------------------------------------------- */

static enum codeobj_status find_kernel(struct co_launch *l, struct co_object **object, struct codeobj_kernel *kernel,
                                       struct codeobj_diag *diag)
{
    for (size_t i = 0; i < l->device->object_count; i++) {
        struct co_object *o = &l->device->objects[i];
        enum codeobj_status status = codeobj_kernel_by_name(o->elf, l->dispatch->kernel, kernel, diag);
        if (status == CODEOBJ_OK) {
            *object = o;
            return CODEOBJ_OK;
        }
        if (status != CODEOBJ_NOT_FOUND)
            return status;
    }
    return co_fail(diag, CODEOBJ_NOT_FOUND, "kernel \"%s\": no such kernel in the loaded objects", l->dispatch->kernel);
}

static uint32_t scratch_bytes(const struct co_launch *l, bool dynamic)
{
    uint64_t size = l->kd.private_segment_fixed_size;
    if (l->dispatch->private_size > size)
        size = l->dispatch->private_size;
    else if (dynamic)
        size += DYNAMIC_STACK;
    return size > SCRATCH_MAX ? SCRATCH_MAX : (uint32_t)((size + 15) & ~(uint64_t)15);
}

static uint32_t initial_mode(const struct codeobj_kernel_descriptor *kd, const struct codeobj_processor *p)
{
    uint32_t mode = kd->float_round_mode_32 | kd->float_round_mode_16_64 << 2 | kd->float_denorm_mode_32 << 4 |
                    kd->float_denorm_mode_16_64 << 6 | (uint32_t)kd->fp16_ovfl << 23;
    /* gfx12 has neither bit: NaN clamps to 0 and signalling NaNs are quieted, always. */
    if (p->gen == CODEOBJ_GEN_GFX12)
        return mode | 1u << 8 | 1u << 9;
    return mode | (uint32_t)kd->enable_dx10_clamp << 8 | (uint32_t)kd->enable_ieee_mode << 9;
}

static enum codeobj_status prepare_memory(struct co_launch *l, const struct co_object *object,
                                          const struct codeobj_kernel *kernel, struct codeobj_diag *diag)
{
    struct codeobj_metadata_kernel mk = { 0 };
    size_t idx = 0;
    const struct codeobj_metadata *md = object->metadata;
    if (!md || codeobj_metadata_kernel_by_name(md, l->name, &idx) || codeobj_metadata_kernel(md, idx, &mk))
        md = NULL;
    uint64_t lds = (uint64_t)l->kd.group_segment_fixed_size + l->dispatch->dynamic_lds;
    if (lds > lds_limit(l->processor))
        return co_fail(diag, CODEOBJ_INVALID, "kernel \"%s\": found %llu bytes of LDS, expected at most %u", l->name,
                       (unsigned long long)lds, lds_limit(l->processor));
    l->lds_size = (uint32_t)lds;
    if (md && mk.max_flat_workgroup_size && (uint64_t)l->group[0] * l->group[1] * l->group[2] > mk.max_flat_workgroup_size)
        return co_fail(diag, CODEOBJ_INVALID, "kernel \"%s\": found %llu work-items in a work-group, expected at most %llu",
                       l->name, (unsigned long long)l->group[0] * l->group[1] * l->group[2],
                       (unsigned long long)mk.max_flat_workgroup_size);
    l->scratch_size = scratch_bytes(l, l->kd.uses_dynamic_stack || mk.uses_dynamic_stack);
    uint64_t size = l->kd.kernarg_size;
    if (mk.kernarg_segment_size > size)
        size = mk.kernarg_segment_size;
    if (size == 0)
        size = l->dispatch->kernarg_size;
    if (size > 1 << 20)
        return co_fail(diag, CODEOBJ_INVALID, "kernel \"%s\": found %llu bytes of kernel arguments, expected at most 1 MiB",
                       l->name, (unsigned long long)size);
    uint8_t *bytes;
    /* Runtimes allocate the segment from a pool; compilers rely on it and widen scalar loads past its last argument. */
    uint64_t padded = size ? (size + 63) & ~(uint64_t)63 : 64;
    enum codeobj_status status = add_range(l->device, padded, "kernel arguments", &l->kernarg_addr, &bytes, diag);
    l->kernarg_size = size;
    if (status == CODEOBJ_OK)
        status = make_packet(l, codeobj_image_address(object->image, kernel->descriptor_addr), diag);
    if (status == CODEOBJ_OK)
        status = fill_kernarg(l, md, idx, bytes, (size_t)size, diag);
    if (status)
        return status;
    size_t off = (size_t)l->kd.kernarg_preload_offset * 4;
    if (off < size)
        memcpy(l->kernarg_head, bytes + off, size - off < sizeof l->kernarg_head ? (size_t)(size - off) : sizeof l->kernarg_head);
    return CODEOBJ_OK;
}

#define TTMP 108 /* ttmp0 */

/* The SGPR that is another in each wave of a work-group. */
static uint16_t index_slot(const struct co_launch *l)
{
    const struct codeobj_kernel_descriptor *kd = &l->kd;
    if (l->processor->features & CODEOBJ_FEATURE_ARCH_SGPRS)
        return TTMP + 8;
    return !kd->enable_sgpr_workgroup_info ? CO_S_SINK
                                           : (uint16_t)(kd->user_sgpr_count + kd->enable_sgpr_workgroup_id_x +
                                                        kd->enable_sgpr_workgroup_id_y + kd->enable_sgpr_workgroup_id_z);
}

enum codeobj_status co_launch_prepare(struct codeobj_device *device, const struct codeobj_dispatch *dispatch,
                                      struct co_launch *out, struct codeobj_diag *diag)
{
    struct co_launch *l = out;
    *l = (struct co_launch){ .device = device, .dispatch = dispatch, .processor = device->target.processor };
    if (!dispatch->kernel || (dispatch->kernarg_size && !dispatch->kernarg))
        return co_fail(diag, CODEOBJ_INVALID, "dispatch: no kernel name, or a size without arguments");
    struct co_object *object = NULL;
    struct codeobj_kernel kernel;
    enum codeobj_status status = find_kernel(l, &object, &kernel, diag);
    if (status)
        return status;
    snprintf(l->name, sizeof l->name, "%.*s", (int)(kernel.name_size < 255 ? kernel.name_size : 255), kernel.name);
    if (!kernel.has_descriptor)
        return co_fail(diag, CODEOBJ_UNSUPPORTED, "kernel \"%s\": no kernel descriptor", l->name);
    l->kd = kernel.descriptor;
    l->lanes = l->kd.wave_size == 32 ? 32 : 64;
    if ((status = set_geometry(l, diag)) || (status = co_device_code(device, l->lanes, &l->code, diag)))
        return status;
    l->entry = codeobj_image_address(object->image, kernel.entry_addr);
    if (l->kd.kernarg_preload_length && l->processor->gen == CODEOBJ_GEN_GFX9)
        l->entry += 256;
    l->entry_op = co_code_at(l->code, 0, l->entry);
    if (!l->entry_op && co_code_is_executable(l->code, l->entry))
        return co_no_memory(diag);
    if (!l->entry_op)
        return co_fail(diag, CODEOBJ_MALFORMED, "kernel \"%s\": its entry 0x%llx is not in an executable segment", l->name,
                       (unsigned long long)kernel.entry_addr);
    l->mode = initial_mode(&l->kd, l->processor);
    l->index_slot = index_slot(l);
    l->mover = co_mover_of((const struct co_device *)(const void *)device);
    status = prepare_memory(l, object, &kernel, diag);
    if (status)
        co_launch_finish(l);
    return status;
}

void co_launch_finish(struct co_launch *l)
{
    uint64_t *addrs[] = { &l->kernarg_addr, &l->packet_addr, &l->queue_addr };
    for (size_t i = 0; i < sizeof addrs / sizeof *addrs; i++)
        if (*addrs[i]) {
            co_memory_remove(&l->device->memory, *addrs[i], false);
            *addrs[i] = 0;
        }
}

/* ---- a wave's first registers --------------------------------------------------------------------- */

/* The V# through which gfx6 to gfx10 reach scratch: swizzled by lane, dword elements. */
static void scratch_descriptor(const struct co_launch *l, uint32_t v[4])
{
    uint32_t index_stride = l->lanes == 64 ? 3 : 2;
    v[0] = (uint32_t)CO_SCRATCH_ADDR;
    v[1] = (uint32_t)(CO_SCRATCH_ADDR >> 32) | 1u << 31; /* swizzle enable */
    v[2] = 0xffffffff;                                   /* the range is checked by lane */
    v[3] = 4u | 5u << 3 | 6u << 6 | 7u << 9 | index_stride << 21 | 1u << 23; /* dst_sel xyzw, add_tid */
    if (l->processor->gen == CODEOBJ_GEN_GFX10)
        v[3] |= 20u << 12 | 1u << 24 | 2u << 28; /* 32_UINT, resource level, no out-of-bounds check but num_records 0 */
    else if (l->processor->gen == CODEOBJ_GEN_GFX9)
        v[3] |= 4u << 12; /* UINT; with add_tid the data format is the top of the stride */
    else
        v[3] |= 4u << 12 | (l->processor->gen == CODEOBJ_GEN_GFX8 ? 0 : 4u << 15) | 1u << 19; /* element size 4 */
}

static unsigned put64(struct co_wave *w, unsigned n, uint64_t value)
{
    w->s[n] = (uint32_t)value;
    w->s[n + 1] = (uint32_t)(value >> 32);
    return n + 2;
}

static void user_sgprs(const struct co_launch *l, struct co_wave *w)
{
    const struct codeobj_kernel_descriptor *kd = &l->kd;
    unsigned n = 0;
    if (kd->enable_sgpr_private_segment_buffer) {
        scratch_descriptor(l, &w->s[n]);
        n += 4;
    }
    if (kd->enable_sgpr_dispatch_ptr)
        n = put64(w, n, l->packet_addr);
    if (kd->enable_sgpr_queue_ptr)
        n = put64(w, n, l->queue_addr);
    if (kd->enable_sgpr_kernarg_segment_ptr)
        n = put64(w, n, l->kernarg_addr);
    if (kd->enable_sgpr_dispatch_id)
        n = put64(w, n, 0);
    if (kd->enable_sgpr_flat_scratch_init)
        n = l->processor->gen < CODEOBJ_GEN_GFX9 ? put64(w, n, (uint64_t)l->scratch_size << 32)
                                                 : put64(w, n, CO_SCRATCH_ADDR);
    if (kd->enable_sgpr_private_segment_size)
        w->s[n++] = l->scratch_size;
    for (unsigned i = 0; i < kd->kernarg_preload_length && n < 32; i++)
        w->s[n++] = co_load32(l->kernarg_head + 4 * i);
}

/* What those of a work-group have in common besides. */
void co_launch_group(const struct co_launch *l, const struct co_group *g, struct co_wave *w)
{
    const struct codeobj_kernel_descriptor *kd = &l->kd;
    if (l->processor->features & CODEOBJ_FEATURE_ARCH_SGPRS) {
        w->s[TTMP + 9] = g->id[0];
        w->s[TTMP + 7] = (g->id[1] & 0xffff) | g->id[2] << 16;
        return;
    }
    unsigned n = kd->user_sgpr_count;
    if (kd->enable_sgpr_workgroup_id_x)
        w->s[n++] = g->id[0];
    if (kd->enable_sgpr_workgroup_id_y)
        w->s[n++] = g->id[1];
    if (kd->enable_sgpr_workgroup_id_z)
        w->s[n++] = g->id[2];
    if (kd->enable_sgpr_workgroup_info)
        w->s[n++] = g->wave_count;
    if (kd->enable_private_segment && !(l->processor->features & CODEOBJ_FEATURE_ARCH_FLAT_SCRATCH))
        w->s[n++] = 0; /* scratch wave offset */
}

static void put_index(const struct co_launch *l, struct co_wave *w)
{
    if (l->processor->features & CODEOBJ_FEATURE_ARCH_SGPRS)
        w->s[l->index_slot] = w->index << 25; /* wave in the work-group, bits 29:25 */
    else
        w->s[l->index_slot] |= (uint32_t)(w->index == 0) << 31; /* workgroup_info */
}

/* What all waves of the dispatch begin with. */
void co_launch_first(const struct co_launch *l, struct co_wave *w)
{
    user_sgprs(l, w);
    /* gfx942 and gfx950 keep the flat scratch base in s[102:103]; gfx11 on, out of reach but for s_getreg. */
    if ((l->processor->features & CODEOBJ_FEATURE_ARCH_FLAT_SCRATCH) && l->processor->gen == CODEOBJ_GEN_GFX9)
        put64(w, 102, CO_SCRATCH_ADDR);
    w->mode.switches = co_mode_switches(l->processor);
    co_mode_set(w, l->mode);
    w->dynamic_vgprs = l->kd.enable_dynamic_vgpr;
    w->vgpr_granules = l->kd.granulated_workitem_vgpr_count;
    w->lanes = l->lanes;
    w->lane_mask = l->lanes == 64 ? UINT64_MAX : 0xffffffffu;
    co_exec_set(w, w->lane_mask);
    w->op = l->entry_op;
}

/* Work-item numbers, and EXEC for those that there are. */
static void work_items(const struct co_launch *l, struct co_wave *w, const uint32_t extent[3], uint32_t first)
{
    const uint32_t items = extent[0] * extent[1] * extent[2];
    const bool packed = l->processor->features & CODEOBJ_FEATURE_PACKED_TID;
    const uint8_t ids = l->kd.enable_vgpr_workitem_id;
    uint32_t x = first, y = 0, z = 0;
    if (first >= extent[0]) {
        x = first % extent[0];
        y = first / extent[0] % extent[1];
        z = first / extent[0] / extent[1];
    }
    unsigned lane = 0;
    /* A wave within one row of work-items. */
    if (!ids && (uint64_t)x + l->lanes <= extent[0]) {
        l->mover->count_up(w->v[0], x, l->lanes);
        lane = l->lanes;
    }
    for (; lane < l->lanes && first + lane < items; lane++) {
        if (packed) {
            w->v[0][lane] = x | (ids > 0 ? y << 10 : 0) | (ids > 1 ? z << 20 : 0);
        } else {
            w->v[0][lane] = x;
            if (ids > 0)
                w->v[1][lane] = y;
            if (ids > 1)
                w->v[2][lane] = z;
        }
        if (++x == extent[0]) {
            x = 0;
            if (++y == extent[1]) {
                y = 0;
                z++;
            }
        }
    }
    uint32_t live = items > first ? items - first : 0;
    if (live < l->lanes)
        co_exec_set(w, ((uint64_t)1 << live) - 1);
}

/* The common case is a wave within the first row of work-items. */
void co_launch_wave(const struct co_launch *l, struct co_wave *w, const uint32_t extent[3])
{
    const uint32_t first = w->index * l->lanes;
    const uint8_t ids = l->kd.enable_vgpr_workitem_id;
    if (l->index_slot != CO_S_SINK)
        put_index(l, w);
    if (!ids && first + l->lanes <= extent[0])
        l->mover->count_up(w->v[0], first, l->lanes);
    else
        work_items(l, w, extent, first);
}

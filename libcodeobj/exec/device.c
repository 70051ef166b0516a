/* SPDX-License-Identifier: MIT
 *
 * exec/device.c - devices: memory and loaded objects, as codeobj/exec.h offers them.
 */
#include "exec/device.h"

#include <stdio.h>
#include <stdlib.h>

#include <codeobj/metadata.h>

#include "base/cpu.h"
#include "base/diag.h"
#include "base/options.h"

#define DEFAULT_LIMIT ((uint64_t)16 << 30)

/* The best variant of the lane loops that this CPU can run. */
static unsigned best_lanes(void)
{
    if (CO_CPU_HAS_AVX512)
        return CO_LANES_AVX512;
    if (CO_CPU_HAS_AVX2)
        return CO_LANES_AVX2;
    return CO_LANES_BASE;
}

static enum codeobj_status choose_lanes(const char *name, unsigned *out, struct codeobj_diag *diag)
{
    static const char *const names[CO_LANES_COUNT] = { "base", "avx2", "avx512" };
    unsigned best = best_lanes();
    if (!name) {
        *out = best;
        return CODEOBJ_OK;
    }
    for (unsigned i = 0; i < CO_LANES_COUNT; i++)
        if (!strcmp(name, names[i])) {
            if (i > best)
                return co_fail(diag, CODEOBJ_UNSUPPORTED, "lane loops \"%s\": this CPU has no such instructions", name);
            *out = i;
            return CODEOBJ_OK;
        }
    return co_fail(diag, CODEOBJ_INVALID, "lane loops: found \"%s\", expected base, avx2 or avx512", name);
}

enum codeobj_status codeobj_device_new(const struct codeobj_target *target, const struct codeobj_device_options *options,
                                       struct codeobj_device **out, struct codeobj_diag *diag)
{
    CO_OPTIONS(struct codeobj_device_options, opt, options);
    if (!target || !target->processor)
        return co_fail(diag, CODEOBJ_INVALID, "device: no processor");
    if (target->processor->gen == CODEOBJ_GEN_R600)
        return co_fail(diag, CODEOBJ_UNSUPPORTED, "%s: the executor runs gfx6 and later", target->processor->name);
    unsigned lanes = 0;
    enum codeobj_status status = choose_lanes(opt.lanes, &lanes, diag);
    if (status)
        return status;
    struct codeobj_device *device = calloc(1, sizeof *device);
    if (!device)
        return co_no_memory(diag);
    device->target = *target;
    device->lanes = lanes;
    co_memory_init(&device->memory, opt.memory_limit ? opt.memory_limit : DEFAULT_LIMIT);
    *out = device;
    return CODEOBJ_OK;
}

void codeobj_device_free(struct codeobj_device *device)
{
    if (!device)
        return;
    for (size_t i = 0; i < 2; i++)
        if (device->code[i]) {
            co_code_free(device->code[i]);
            free(device->code[i]);
        }
    for (size_t i = 0; i < device->thread_count; i++)
        co_thread_free(device->threads[i]);
    free(device->threads);
    for (size_t i = 0; i < device->object_count; i++) {
        codeobj_image_free(device->objects[i].image);
        codeobj_metadata_free(device->objects[i].metadata);
        free(device->objects[i].host);
    }
    free(device->objects);
    co_memory_free(&device->memory);
    free(device);
}

enum codeobj_status codeobj_device_alloc(struct codeobj_device *device, uint64_t size, const char *name, uint64_t *addr,
                                         struct codeobj_diag *diag)
{
    struct co_alloc a = { .size = size ? size : 1, .perm = CO_PERM_READ | CO_PERM_WRITE, .is_user = true };
    snprintf(a.name, sizeof a.name, "%s", name ? name : "");
    if (size > device->memory.limit || !(a.addr = co_memory_place(&device->memory, a.size, 4096)))
        return co_fail(diag, CODEOBJ_LIMIT, "device memory: %llu bytes wanted, at most %llu in all",
                       (unsigned long long)size, (unsigned long long)device->memory.limit);
    enum codeobj_status status = co_memory_add(&device->memory, &a, diag);
    if (status)
        return status;
    *addr = a.addr;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_device_release(struct codeobj_device *device, uint64_t addr)
{
    return co_memory_remove(&device->memory, addr, true);
}

void *codeobj_device_view(struct codeobj_device *device, uint64_t addr, uint64_t size)
{
    return co_memory_host(&device->memory, addr, size, CO_PERM_READ);
}

static enum codeobj_status no_range(uint64_t addr, uint64_t size, struct codeobj_diag *diag)
{
    return co_fail(diag, CODEOBJ_FAULT, "device memory: [0x%llx, +%llu) is not within one allocation",
                   (unsigned long long)addr, (unsigned long long)size);
}

enum codeobj_status codeobj_device_write(struct codeobj_device *device, uint64_t addr, const void *data, uint64_t size,
                                         struct codeobj_diag *diag)
{
    uint8_t *host = co_memory_host(&device->memory, addr, size, 0);
    if (!host)
        return no_range(addr, size, diag);
    if (size)
        memcpy(host, data, size);
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_device_read(const struct codeobj_device *device, uint64_t addr, void *data, uint64_t size,
                                        struct codeobj_diag *diag)
{
    const uint8_t *host = co_memory_host(&device->memory, addr, size, 0);
    if (!host)
        return no_range(addr, size, diag);
    if (size)
        memcpy(data, host, size);
    return CODEOBJ_OK;
}

/* ---- objects ------------------------------------------------------------------- */

/* Copies an image into device memory, a range for each segment, all in one host block. */
static enum codeobj_status map_image(struct codeobj_device *device, struct co_object *object, const char *name,
                                     struct codeobj_diag *diag)
{
    size_t size;
    const struct codeobj_image *image = object->image;
    const void *bytes = codeobj_image_bytes(image, &size);
    uint8_t *host = malloc(size + 64);
    if (!host)
        return co_no_memory(diag);
    memcpy(host, bytes, size);
    memset(host + size, 0, 64);
    object->host = host;
    uint64_t base = codeobj_image_base(image);
    for (size_t i = 0; i < codeobj_image_segment_count(image); i++) {
        struct codeobj_image_segment seg;
        if (codeobj_image_segment(image, i, &seg) || seg.size == 0)
            continue;
        if (seg.addr - base > size || seg.size > size - (seg.addr - base))
            return co_fail(diag, CODEOBJ_MALFORMED, "image: segment %zu lies outside", i);
        /* Device memory is readable whatever a segment says, as it is on the GPU. */
        struct co_alloc a = { .addr = seg.addr, .size = seg.size, .host = host + (seg.addr - base), .perm = CO_PERM_READ };
        a.perm |= (seg.flags & 2 ? CO_PERM_WRITE : 0) | (seg.flags & 1 ? CO_PERM_EXEC : 0);
        snprintf(a.name, sizeof a.name, "%.50s %c%c%c", name, seg.flags & 4 ? 'r' : '-', seg.flags & 2 ? 'w' : '-',
                 seg.flags & 1 ? 'x' : '-');
        enum codeobj_status status = co_memory_add(&device->memory, &a, diag);
        if (status) {
            /* Nothing may go on pointing into the block that is about to be freed. */
            while (i-- > 0)
                if (codeobj_image_segment(image, i, &seg) == CODEOBJ_OK)
                    co_memory_remove(&device->memory, seg.addr, false);
            return status;
        }
    }
    return CODEOBJ_OK;
}

static enum codeobj_status add_code(struct codeobj_device *device, struct co_code *code,
                                    const struct codeobj_image *image, struct codeobj_diag *diag)
{
    for (size_t i = 0; i < codeobj_image_segment_count(image); i++) {
        struct codeobj_image_segment seg;
        if (codeobj_image_segment(image, i, &seg) || !(seg.flags & 1) || seg.size == 0)
            continue;
        const uint8_t *host = co_memory_host(&device->memory, seg.addr, seg.size, 0);
        if (!host)
            continue;
        enum codeobj_status status = co_code_add(code, seg.addr, seg.size, host, diag);
        if (status)
            return status;
    }
    return CODEOBJ_OK;
}

enum codeobj_status co_device_code(struct codeobj_device *device, unsigned wave, struct co_code **out,
                                   struct codeobj_diag *diag)
{
    struct co_code **slot = &device->code[wave == 64];
    if (!*slot) {
        struct co_code *code = calloc(1, sizeof *code);
        if (!code)
            return co_no_memory(diag);
        enum codeobj_status status = co_code_init(code, (const struct co_device *)(const void *)device, wave, diag);
        for (size_t i = 0; status == CODEOBJ_OK && i < device->object_count; i++)
            status = add_code(device, code, device->objects[i].image, diag);
        if (status) {
            co_code_free(code);
            free(code);
            return status;
        }
        *slot = code;
    }
    *out = *slot;
    return CODEOBJ_OK;
}

static bool resolve(void *user, const char *name, uint64_t *addr)
{
    uint64_t size;
    return codeobj_device_symbol(user, name, addr, &size) == CODEOBJ_OK;
}

enum codeobj_status codeobj_device_load(struct codeobj_device *device, const struct codeobj_elf *elf,
                                        struct codeobj_diag *diag)
{
    struct codeobj_target code;
    codeobj_elf_target(elf, &code);
    if (!codeobj_target_compatible(&code, &device->target, diag))
        return CODEOBJ_INVALID;
    uint64_t size, align;
    enum codeobj_status status = codeobj_load_extent(elf, &size, &align, diag);
    if (status)
        return status;
    if (size > device->memory.limit)
        return co_fail(diag, CODEOBJ_LIMIT, "device memory: the object spans %llu bytes", (unsigned long long)size);
    struct co_object *grown = realloc(device->objects, (device->object_count + 1) * sizeof *grown);
    if (!grown)
        return co_no_memory(diag);
    device->objects = grown;
    struct co_object object = { .elf = elf };
    struct codeobj_load_options load = { .size = sizeof load, .resolve = resolve, .user = device };
    load.base = co_memory_place(&device->memory, size, align < 4096 ? 4096 : align);
    if (!load.base)
        return co_fail(diag, CODEOBJ_LIMIT, "device memory: no room for %llu bytes", (unsigned long long)size);
    if ((status = codeobj_image_load(elf, &load, &object.image, diag)))
        return status;
    status = codeobj_metadata_read(elf, &object.metadata, diag);
    if (status == CODEOBJ_NOT_FOUND)
        status = CODEOBJ_OK;
    if (status == CODEOBJ_OK) {
        const char *name = codeobj_elf_name(elf);
        const char *slash = name ? strrchr(name, '/') : NULL;
        status = map_image(device, &object, slash ? slash + 1 : name && *name ? name : "object", diag);
    }
    if (status) {
        free(object.host);
        codeobj_metadata_free(object.metadata);
        codeobj_image_free(object.image);
        return status;
    }
    device->objects[device->object_count++] = object;
    for (size_t i = 0; status == CODEOBJ_OK && i < 2; i++)
        if (device->code[i])
            status = add_code(device, device->code[i], object.image, diag);
    return status;
}

enum codeobj_status codeobj_device_symbol(const struct codeobj_device *device, const char *name, uint64_t *addr,
                                          uint64_t *size)
{
    for (size_t i = 0; i < device->object_count; i++)
        if (codeobj_image_symbol(device->objects[i].image, name, addr, size) == CODEOBJ_OK)
            return CODEOBJ_OK;
    return CODEOBJ_NOT_FOUND;
}

/* SPDX-License-Identifier: MIT
 *
 * readobj/launch_run.c - runs a launch: device, buffers, arguments, dispatch,
 * comparison.
 *
 * Exit status: 0 the run ended and all expectations hold, 1 one does not, 2
 * everything else.
 */
#include "launch.h"
#include "walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ET_REL = 1 };

struct run {
    struct ro *ro;
    struct launch *launch;
    struct codeobj_elf *elf;
    void *object_bytes; /* of elf */
    struct codeobj_metadata *metadata;
    struct codeobj_device *device;
    struct codeobj_kernel kernel;
    size_t metadata_idx; /* SIZE_MAX: no metadata for the kernel */
    uint64_t *addr;      /* per argument: device address, buffers only */
    uint8_t *kernarg;
    size_t kernarg_size;
    uint32_t dynamic_lds;
    uint64_t printf_addr;       /* 0: the kernel does not print */
    struct launch_trace *trace; /* NULL: nothing to trace or count */
};

static bool fail(struct run *r, const struct codeobj_diag *diag)
{
    ro_diag(r->ro, r->launch->code_object, diag);
    return false;
}

static void warn(void *user, const char *text)
{
    const struct run *r = user;
    ro_warning(r->ro, "%s: %s", r->launch->code_object, text);
}

/* ---- object and kernel ---- */

static void list_kernels(struct run *r)
{
    struct codeobj_kernel k;
    char names[512] = "";
    size_t used = 0, count = 0;
    for (; codeobj_kernel_at(r->elf, count, &k, NULL) != CODEOBJ_NOT_FOUND; count++) {
        int n = snprintf(names + used, sizeof names - used, "%s%.*s", count ? ", " : "", (int)k.name_size, k.name);
        if (n > 0 && (size_t)n < sizeof names - used)
            used += (size_t)n;
        else
            names[used] = 0;
    }
    ro_error(r->ro, "%s: no kernel '%s'; %s%s", r->launch->code_object, r->launch->kernel,
             count ? "it has " : "it has no kernels", names);
}

static bool open_object(struct run *r)
{
    struct codeobj_diag diag = { 0 };
    struct codeobj_elf_header h;
    const char *target = r->launch->target ? r->launch->target : r->ro->opt->target;
    if (!ro_load_object(r->ro, r->launch->code_object, target, &r->elf, &r->object_bytes))
        return false;
    codeobj_elf_header(r->elf, &h);
    if (h.type == ET_REL) {
        ro_error(r->ro, "%s: relocatable object, cannot be run: link it first (amdld -shared)", r->launch->code_object);
        return false;
    }
    enum codeobj_status st = codeobj_kernel_by_name(r->elf, r->launch->kernel, &r->kernel, &diag);
    if (st == CODEOBJ_NOT_FOUND) {
        list_kernels(r);
        return false;
    }
    if (st != CODEOBJ_OK)
        return fail(r, &diag);
    st = codeobj_metadata_read(r->elf, &r->metadata, &diag);
    if (st != CODEOBJ_OK && st != CODEOBJ_NOT_FOUND)
        return fail(r, &diag);
    struct ro_object obj = { .elf = r->elf, .metadata = r->metadata };
    r->metadata_idx = ro_metadata_kernel(&obj, &r->kernel);
    return true;
}

static bool open_device(struct run *r)
{
    struct codeobj_target target;
    struct codeobj_diag diag = { 0 };
    struct codeobj_device_options options = { .size = sizeof options };
    codeobj_elf_target(r->elf, &target);
    if (codeobj_device_new(&target, &options, &r->device, &diag) != CODEOBJ_OK ||
        codeobj_device_load(r->device, r->elf, &diag) != CODEOBJ_OK)
        return fail(r, &diag);
    return true;
}

/* ---- arguments ---- */

static bool make_buffer(struct run *r, size_t i)
{
    const struct launch_arg *a = &r->launch->args[i];
    struct codeobj_diag diag = { 0 };
    char name[32];
    snprintf(name, sizeof name, "argument %zu", i);
    if (codeobj_device_alloc(r->device, a->size, name, &r->addr[i], &diag) != CODEOBJ_OK)
        return fail(r, &diag);
    uint8_t *view = codeobj_device_view(r->device, r->addr[i], a->size);
    if (!view) {
        ro_error(r->ro, "%s: no view of its memory", name);
        return false;
    }
    if (a->bytes.size)
        memcpy(view, a->bytes.data, a->bytes.size);
    memset(view + a->bytes.size, a->fill, (size_t)a->size - a->bytes.size);
    return true;
}

/* Where argument i goes and how large it is; natural alignment when there is no metadata. */
struct place {
    uint64_t offset, size, pointee_align;
    bool by_metadata;
};

static uint64_t align_up(uint64_t v, uint64_t align)
{
    return (v + align - 1) & ~(align - 1);
}

static size_t explicit_arguments(struct run *r, struct place *places, size_t room)
{
    struct codeobj_metadata_kernel m;
    size_t count = 0;
    if (codeobj_metadata_kernel(r->metadata, r->metadata_idx, &m) != CODEOBJ_OK)
        return 0;
    for (size_t i = 0; i < m.arg_count; i++) {
        struct codeobj_metadata_arg a;
        if (codeobj_metadata_arg(r->metadata, r->metadata_idx, i, &a) != CODEOBJ_OK || a.is_hidden)
            continue;
        if (count < room)
            places[count] = (struct place){ a.offset, a.size, a.pointee_align, true };
        count++;
    }
    return count;
}

static uint64_t own_size(const struct launch_arg *a)
{
    return a->kind == ARG_BUFFER ? 8 : a->kind == ARG_LOCAL ? 4 : a->bytes.size;
}

static void natural_places(struct run *r, struct place *places)
{
    uint64_t offset = 0;
    for (size_t i = 0; i < r->launch->arg_count; i++) {
        uint64_t size = own_size(&r->launch->args[i]), align = 1;
        while (align < size && align < 16)
            align *= 2;
        offset = align_up(offset, align);
        places[i] = (struct place){ offset, size, 16, false };
        offset += size;
    }
}

static bool check_places(struct run *r, const struct place *places)
{
    for (size_t i = 0; i < r->launch->arg_count; i++) {
        uint64_t have = own_size(&r->launch->args[i]);
        if (places[i].size != have) {
            ro_error(r->ro, "%s: argument %zu is %" PRIu64 " bytes, the kernel takes %" PRIu64, r->launch->kernel, i,
                     have, places[i].size);
            return false;
        }
        if (places[i].offset > UINT32_MAX || places[i].size > UINT32_MAX) {
            ro_error(r->ro, "%s: argument %zu lies at offset 0x%" PRIx64, r->launch->kernel, i, places[i].offset);
            return false;
        }
    }
    return true;
}

/* The value of a local pointer: LDS behind the kernel's own and the locals before it. */
static bool place_local(struct run *r, size_t i, const struct place *p, uint32_t *out)
{
    uint64_t own = r->kernel.descriptor.group_segment_fixed_size;
    uint64_t align = p->pointee_align && !(p->pointee_align & (p->pointee_align - 1)) ? p->pointee_align : 1;
    uint64_t at = align_up(own + r->dynamic_lds, align), end = at + r->launch->args[i].size;
    if (end - own > UINT32_MAX) {
        ro_error(r->ro, "%s: argument %zu: more than 4 GiB of LDS", r->launch->kernel, i);
        return false;
    }
    r->dynamic_lds = (uint32_t)(end - own);
    *out = (uint32_t)at;
    return true;
}

static bool fill_arguments(struct run *r, const struct place *places)
{
    size_t count = r->launch->arg_count;
    for (size_t i = 0; i < count; i++)
        if (r->kernarg_size < places[i].offset + places[i].size)
            r->kernarg_size = (size_t)(places[i].offset + places[i].size);
    r->kernarg = calloc(r->kernarg_size ? r->kernarg_size : 1, 1);
    if (!r->kernarg) {
        ro_error(r->ro, "out of memory");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct launch_arg *a = &r->launch->args[i];
        uint8_t *to = r->kernarg + places[i].offset;
        uint32_t lds;
        if (a->kind == ARG_VALUE) {
            memcpy(to, a->bytes.data, a->bytes.size);
        } else if (a->kind == ARG_BUFFER) {
            if (!make_buffer(r, i))
                return false;
            for (unsigned b = 0; b < 8; b++)
                to[b] = (uint8_t)(r->addr[i] >> (8 * b));
        } else {
            if (!place_local(r, i, &places[i], &lds))
                return false;
            for (unsigned b = 0; b < 4; b++)
                to[b] = (uint8_t)(lds >> (8 * b));
        }
    }
    if (r->launch->dynamic_lds > UINT32_MAX - r->dynamic_lds) {
        ro_error(r->ro, "%s: more than 4 GiB of LDS", r->launch->kernel);
        return false;
    }
    r->dynamic_lds += r->launch->dynamic_lds;
    return true;
}

static bool make_arguments(struct run *r)
{
    size_t count = r->launch->arg_count;
    struct place *places = calloc(count + 1, sizeof *places);
    r->addr = calloc(count + 1, sizeof *r->addr);
    bool ok = places && r->addr;
    if (!ok)
        ro_error(r->ro, "out of memory");
    if (ok && r->metadata_idx != SIZE_MAX) {
        size_t takes = explicit_arguments(r, places, count);
        ok = takes == count;
        if (!ok)
            ro_error(r->ro, "%s: %zu arguments given, the kernel takes %zu", r->launch->kernel, count, takes);
    } else if (ok) {
        natural_places(r, places);
    }
    ok = ok && check_places(r, places) && fill_arguments(r, places);
    free(places);
    return ok;
}

/* ---- the run ---- */

static bool trace_hook(void *user, const struct codeobj_exec_event *event)
{
    struct run *r = user;
    return launch_trace_hook(r->trace, event);
}

static bool dispatch_hook(void *user, const struct codeobj_exec_dispatch_event *event)
{
    struct run *r = user;
    if (!event->is_end)
        launch_dump_kernarg(r->ro, r->device, r->metadata, r->metadata_idx, event);
    return true;
}

/* What loading adds to addresses of the file. */
static uint64_t load_bias(const struct run *r)
{
    uint64_t kd = 0, size;
    codeobj_device_symbol(r->device, r->kernel.symbol.name, &kd, &size);
    return kd - r->kernel.descriptor_addr;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool dispatch(struct run *r, struct codeobj_dispatch_stats *stats)
{
    const struct ro_options *opt = r->ro->opt;
    struct codeobj_diag diag = { 0 };
    struct codeobj_target target;
    if (!launch_printf_buffer(r->ro, r->device, r->metadata, r->metadata_idx, &r->printf_addr))
        return false;
    struct codeobj_dispatch d = {
        .size = sizeof d,
        .kernel = r->launch->kernel,
        .dims = r->launch->dims,
        .dynamic_lds = r->dynamic_lds,
        .kernarg = r->kernarg,
        .kernarg_size = r->kernarg_size,
        .max_instructions = opt->max_instructions,
        /* What is printed comes in the order in which work-items run. */
        .threads = r->printf_addr ? 1 : opt->threads > 1024 ? 1024 : (unsigned)opt->threads,
        .user = r,
        .dispatched = opt->dump_kernarg ? dispatch_hook : NULL,
        .printf_buffer = r->printf_addr,
        .warning = warn,
        .warning_user = r,
    };
    memcpy(d.grid, r->launch->grid, sizeof d.grid);
    memcpy(d.workgroup, r->launch->workgroup, sizeof d.workgroup);
    if (opt->trace || opt->profile || opt->stats || opt->dump_state) {
        codeobj_elf_target(r->elf, &target);
        r->trace = launch_trace_new(r->ro, target.processor, &r->kernel.descriptor, r->kernel.entry_addr + load_bias(r));
        if (!r->trace)
            return false;
        d.trace = trace_hook;
    }
    const double start = now();
    enum codeobj_status st = codeobj_device_dispatch(r->device, &d, stats, &diag);
    launch_trace_finish(r->trace, now() - start);
    launch_trace_free(r->trace);
    const bool printed = launch_print(r->ro, r->device, r->metadata, r->printf_addr);
    if (st != CODEOBJ_OK && stats->has_stop)
        launch_add_line(r->elf, stats->stop_pc - load_bias(r), &diag);
    return st == CODEOBJ_OK ? printed : fail(r, &diag);
}

static int results(struct run *r, const struct codeobj_dispatch_stats *stats)
{
    size_t expected = 0, good = 0;
    for (size_t i = 0; i < r->launch->arg_count; i++) {
        const struct launch_arg *a = &r->launch->args[i];
        if (a->kind != ARG_BUFFER)
            continue;
        const uint8_t *view = codeobj_device_view(r->device, r->addr[i], a->size);
        if (a->save && !ro_write_file(r->ro, a->save, view, (size_t)a->size))
            return RO_EXIT_USAGE;
        if (a->expect.present) {
            expected++;
            good += launch_expect_holds(r->ro, r->launch, i, view);
        }
    }
    fprintf(r->ro->out, "%s: %" PRIu64 " work-groups, %" PRIu64 " waves, %" PRIu64 " wave instructions", r->launch->kernel,
            stats->workgroups, stats->waves, stats->wave_instructions);
    if (expected)
        fprintf(r->ro->out, "; %zu of %zu expectations hold", good, expected);
    fputc('\n', r->ro->out);
    return good == expected ? RO_EXIT_OK : RO_EXIT_BAD;
}

static int run(struct ro *ro, struct launch *launch)
{
    struct run r = { .ro = ro, .launch = launch, .metadata_idx = SIZE_MAX };
    struct codeobj_dispatch_stats stats = { 0 };
    int status = RO_EXIT_USAGE;
    if (open_object(&r) && open_device(&r) && make_arguments(&r) && dispatch(&r, &stats))
        status = results(&r, &stats);
    free(r.addr);
    free(r.kernarg);
    codeobj_device_free(r.device);
    codeobj_metadata_free(r.metadata);
    codeobj_elf_free(r.elf);
    free(r.object_bytes);
    return status;
}

int ro_launch(struct ro *ro)
{
    struct launch launch = { 0 };
    int status = RO_EXIT_USAGE;
    if (ro->opt->files.count)
        ro_error(ro, "--launch names its code object itself; '%s' is one too many", ro->opt->files.items[0]);
    else if (launch_from_yaml(ro, ro->opt->mode_arg, &launch))
        status = run(ro, &launch);
    launch_free(&launch);
    return status;
}

int ro_run(struct ro *ro)
{
    struct launch launch = { 0 };
    int status = launch_from_options(ro, &launch) ? run(ro, &launch) : RO_EXIT_USAGE;
    launch_free(&launch);
    return status;
}

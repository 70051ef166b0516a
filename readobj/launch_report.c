/* SPDX-License-Identifier: MIT
 *
 * readobj/launch_report.c - what a launch shows besides its buffers: kernel arguments,
 * the source line of a fault, what the kernel printed.
 */
#include "disassemble.h"
#include "launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- --dump-kernarg ------------------------------------------------------------- */

/* Up to eight bytes as one number, more as they lie. */
static void put_value(FILE *out, const uint8_t *bytes, uint64_t size)
{
    if (size <= 8) {
        uint64_t v = 0;
        for (uint64_t i = 0; i < size; i++)
            v |= (uint64_t)bytes[i] << 8 * i;
        fprintf(out, "0x%0*" PRIx64, (int)(2 * size), v);
        return;
    }
    for (uint64_t i = 0; i < size; i++)
        fprintf(out, "%s%02x", i && i % 4 == 0 ? " " : "", bytes[i]);
}

static void put_dump(FILE *out, const uint8_t *bytes, uint64_t size)
{
    for (uint64_t at = 0; at < size; at += 16) {
        fprintf(out, "  0x%04" PRIx64 " ", at);
        for (uint64_t i = at; i < at + 16 && i < size; i++)
            fprintf(out, "%s%02x", i % 4 == 0 ? " " : "", bytes[i]);
        fputc('\n', out);
    }
}

void launch_dump_kernarg(struct ro *ro, struct codeobj_device *device, const struct codeobj_metadata *metadata,
                         size_t kernel_idx, const struct codeobj_exec_dispatch_event *event)
{
    const uint64_t size = event->kernarg_size;
    uint8_t *bytes = malloc(size ? (size_t)size : 1);
    struct codeobj_metadata_kernel m = { 0 };
    if (!bytes || codeobj_device_read(device, event->kernarg_addr, bytes, size, NULL) != CODEOBJ_OK) {
        ro_error(ro, "%s: its arguments cannot be read", event->kernel);
        free(bytes);
        return;
    }
    fprintf(ro->out, "%s: %" PRIu64 " bytes of kernel arguments at 0x%" PRIx64 "\n", event->kernel, size,
            event->kernarg_addr);
    if (kernel_idx == SIZE_MAX || codeobj_metadata_kernel(metadata, kernel_idx, &m) != CODEOBJ_OK || !m.arg_count)
        put_dump(ro->out, bytes, size);
    for (size_t i = 0; i < m.arg_count; i++) {
        struct codeobj_metadata_arg a;
        if (codeobj_metadata_arg(metadata, kernel_idx, i, &a) != CODEOBJ_OK || a.size > size || a.offset > size - a.size)
            continue;
        fprintf(ro->out, "  0x%04" PRIx64 " %4" PRIu64 "  %-28s ", a.offset, a.size,
                a.name && *a.name ? a.name : a.value_kind ? a.value_kind : "");
        put_value(ro->out, bytes + a.offset, a.size);
        fputc('\n', ro->out);
    }
    free(bytes);
}

/* ---- the source line of a fault ----------------------------------------------------- */

void launch_add_line(const struct codeobj_elf *elf, uint64_t addr, struct codeobj_diag *diag)
{
    const struct ro_object object = { .elf = elf };
    struct dis_source *source = dis_source_open(&object, true, false);
    const char *file;
    int line;
    const size_t used = strlen(diag->text);
    if (source && dis_source_find(source, addr, &file, &line))
        snprintf(diag->text + used, sizeof diag->text - used, "; %s:%d", file, line);
    dis_source_free(source);
}

/* ---- printf --------------------------------------------------------------------------- */

/* Does the kernel print: has it a buffer for it, and the object formats? */
static bool prints(const struct codeobj_metadata *metadata, size_t kernel_idx)
{
    struct codeobj_metadata_header header;
    struct codeobj_metadata_arg a;
    if (kernel_idx == SIZE_MAX)
        return false;
    codeobj_metadata_header(metadata, &header);
    if (!header.printf_count)
        return false;
    for (size_t i = 0; codeobj_metadata_arg(metadata, kernel_idx, i, &a) == CODEOBJ_OK; i++)
        if (a.value_kind && !strcmp(a.value_kind, "hidden_printf_buffer"))
            return true;
    return false;
}

bool launch_printf_buffer(struct ro *ro, struct codeobj_device *device, const struct codeobj_metadata *metadata,
                          size_t kernel_idx, uint64_t *addr)
{
    struct codeobj_diag diag = { 0 };
    *addr = 0;
    if (!prints(metadata, kernel_idx))
        return true;
    if (codeobj_device_alloc(device, LAUNCH_PRINTF_BYTES, "printf buffer", addr, &diag) != CODEOBJ_OK) {
        ro_diag(ro, "printf", &diag);
        return false;
    }
    codeobj_exec_printf_begin(codeobj_device_view(device, *addr, LAUNCH_PRINTF_BYTES), LAUNCH_PRINTF_BYTES);
    return true;
}

static void put_text(void *user, const char *text, size_t length)
{
    fwrite(text, 1, length, user);
}

/* A call that finds no room is dropped, and nothing says so: as long as the largest record would still fit, none was. */
static void warn_full(struct ro *ro, const struct codeobj_metadata *metadata, const void *buffer)
{
    struct codeobj_metadata_printf f;
    uint32_t used;
    uint64_t largest = 0;
    memcpy(&used, buffer, sizeof used);
    for (size_t i = 0; codeobj_metadata_printf(metadata, i, &f) == CODEOBJ_OK; i++) {
        uint64_t record = 4;
        for (size_t k = 0; k < f.arg_count; k++)
            record += f.arg_sizes[k];
        largest = record > largest ? record : largest;
    }
    if (8 + used + largest > LAUNCH_PRINTF_BYTES)
        ro_warning(ro, "printf: %u of the buffer's %u bytes are used: output may be missing", 8 + used, LAUNCH_PRINTF_BYTES);
}

bool launch_print(struct ro *ro, struct codeobj_device *device, const struct codeobj_metadata *metadata, uint64_t addr)
{
    struct codeobj_diag diag = { 0 };
    if (!addr)
        return true;
    const void *buffer = codeobj_device_view(device, addr, LAUNCH_PRINTF_BYTES);
    if (codeobj_exec_printf(metadata, buffer, LAUNCH_PRINTF_BYTES, put_text, ro->out, &diag) == CODEOBJ_OK) {
        warn_full(ro, metadata, buffer);
        return true;
    }
    ro_diag(ro, "printf", &diag);
    return false;
}

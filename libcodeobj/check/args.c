/* SPDX-License-Identifier: MIT
 *
 * check/args.c - kernel arguments: inside the segment, apart from each other,
 * hidden ones where and as large as the code expects them.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend, Kernel Argument Metadata and
 * Code Object V5 Metadata (hidden arguments, whose places there are fixed from
 * the start of an implicit block of 256 bytes).  Before V5 the guide gives them
 * an order and 8 bytes each; printf and hostcall buffer share a place.
 */
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes from V5 on; offsets from the first byte of the hidden block, from V5 on and (old) before it. */
enum { NONE = 255 };
static const struct {
    const char *kind;
    uint8_t size, offset, old;
} hidden[] = {
    { "hidden_block_count_x", 4, 0, NONE }, { "hidden_block_count_y", 4, 4, NONE }, { "hidden_block_count_z", 4, 8, NONE },
    { "hidden_group_size_x", 2, 12, NONE }, { "hidden_group_size_y", 2, 14, NONE }, { "hidden_group_size_z", 2, 16, NONE },
    { "hidden_remainder_x", 2, 18, NONE }, { "hidden_remainder_y", 2, 20, NONE }, { "hidden_remainder_z", 2, 22, NONE },
    { "hidden_global_offset_x", 8, 40, 0 }, { "hidden_global_offset_y", 8, 48, 8 }, { "hidden_global_offset_z", 8, 56, 16 },
    { "hidden_grid_dims", 2, 64, NONE }, { "hidden_printf_buffer", 8, 72, 24 }, { "hidden_hostcall_buffer", 8, 80, 24 },
    { "hidden_multigrid_sync_arg", 8, 88, 48 }, { "hidden_heap_v1", 8, 96, NONE }, { "hidden_default_queue", 8, 104, 32 },
    { "hidden_completion_action", 8, 112, 40 }, { "hidden_dynamic_lds_size", 4, 120, NONE },
    { "hidden_private_base", 4, 192, NONE }, { "hidden_shared_base", 4, 196, NONE }, { "hidden_queue_ptr", 8, 200, NONE },
};

static int find_hidden(const char *kind)
{
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (!strcmp(hidden[i].kind, kind))
            return (int)i;
    return -1;
}

struct place {
    uint64_t offset, size;
    size_t idx;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset) : (x->idx > y->idx) - (x->idx < y->idx);
}

static void describe(char *buf, size_t size, const struct codeobj_metadata_kernel *k, size_t idx)
{
    snprintf(buf, size, "kernel \"%.120s\", argument %zu", k->name ? k->name : "?", idx);
}

static void check_overlaps(struct co_check *c, const struct codeobj_metadata_kernel *k, struct place *places, size_t count)
{
    char where[192];
    size_t last = 0; /* the one that reaches furthest */
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 1; i < count && !c->stop; i++) {
        const struct place *far = &places[last];
        if (places[i].offset - far->offset < far->size) {
            describe(where, sizeof where, k, places[i].idx);
            co_check_say(c, CO_CHECK_ARG_OVERLAP, where, "", "offset %llu lies in argument %zu, which takes %llu bytes at %llu",
                         (unsigned long long)places[i].offset, far->idx, (unsigned long long)far->size, (unsigned long long)far->offset);
        }
        if (places[i].size >= far->size || places[i].offset - far->offset > far->size - places[i].size)
            last = i;
    }
}

static void check_hidden(struct co_check *c, const struct codeobj_metadata_arg *a, const char *where, uint64_t block)
{
    int h = find_hidden(a->value_kind);
    char needed[64];
    if (h < 0)
        return; /* hidden_none, or unknown: the validator has said so */
    bool v5 = c->header.code_object_version >= 5;
    uint64_t size = v5 ? hidden[h].size : 8, offset = v5 ? hidden[h].offset : hidden[h].old;
    if (a->size != size) {
        snprintf(needed, sizeof needed, "%llu bytes", (unsigned long long)size);
        co_check_say(c, CO_CHECK_HIDDEN_SIZE, where, needed, "%s of %llu bytes", a->value_kind, (unsigned long long)a->size);
    }
    if (offset == NONE) {
        co_check_say(c, CO_CHECK_HIDDEN_PLACE, where, "code object V5 or above", "%s, which V%d does not have", a->value_kind,
                     c->header.code_object_version);
    } else if (a->offset != block + offset) {
        snprintf(needed, sizeof needed, "offset %llu", (unsigned long long)(block + offset));
        co_check_say(c, CO_CHECK_HIDDEN_PLACE, where, needed, "%s at offset %llu", a->value_kind, (unsigned long long)a->offset);
    }
}

void co_check_args(struct co_check *c, size_t kernel_idx, const struct codeobj_metadata_kernel *k)
{
    struct place *places = calloc(k->arg_count ? k->arg_count : 1, sizeof *places);
    c->no_memory |= !places;
    uint64_t block = 0;
    size_t count = 0;
    bool seen_hidden = false;
    struct codeobj_metadata_arg a;
    char where[192];
    for (size_t i = 0; places && !c->stop && !codeobj_metadata_arg(c->metadata, kernel_idx, i, &a); i++) {
        describe(where, sizeof where, k, i);
        if (a.size > k->kernarg_segment_size || a.offset > k->kernarg_segment_size - a.size) {
            co_check_say(c, CO_CHECK_ARG_OUTSIDE, where, "", "%llu bytes at offset %llu in a kernarg segment of %llu", (unsigned long long)a.size,
                         (unsigned long long)a.offset, (unsigned long long)k->kernarg_segment_size);
            if (a.size > UINT32_MAX || a.offset > UINT32_MAX)
                continue; /* nothing can be reckoned from such */
        }
        places[count++] = (struct place){ a.offset, a.size, i };
        if (!a.is_hidden) {
            if (seen_hidden)
                co_check_say(c, CO_CHECK_HIDDEN_ORDER, where, "explicit arguments before hidden ones", "it follows a hidden argument");
            if (a.offset + a.size > block)
                block = a.offset + a.size;
            bool pointer = a.value_kind && strcmp(a.value_kind, "by_value");
            if (pointer && a.size && a.size <= 8 && a.offset % a.size)
                co_check_say(c, CO_CHECK_ARG_MISALIGNED, where, "a multiple of its size", "%s of %llu bytes at offset %llu", a.value_kind,
                             (unsigned long long)a.size, (unsigned long long)a.offset);
            continue;
        }
        if (!seen_hidden)
            block = (block + 7) & ~(uint64_t)7;
        seen_hidden = true;
        check_hidden(c, &a, where, block);
    }
    if (places)
        check_overlaps(c, k, places, count);
    free(places);
}

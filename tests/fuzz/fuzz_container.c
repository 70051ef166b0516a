/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: walks bytes as a container.  Beyond not crashing: every item's
 * bytes can be read, its enumerators are in range, depth grows by one at most,
 * and the walk's budgets hold.
 */
#include <codeobj/bundle.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct state {
    unsigned depth;
    uint64_t sum, items;
};

static enum codeobj_walk_verdict visit(void *user, const struct codeobj_item *item)
{
    struct state *s = user;
    if (item->kind >= CODEOBJ_ITEM_KIND_COUNT || item->depth > s->depth + 1 || !item->name || !item->note ||
        (item->is_container && item->kind < CODEOBJ_ITEM_ARCHIVE) || (item->has_target && !item->target.processor))
        abort();
    s->depth = item->depth;
    s->items++;
    /* Touch the bytes, so that a sanitizer sees a span that is too long. */
    const uint8_t *p = item->data;
    if (p && item->size)
        s->sum += p[0] + p[item->size / 2] + p[item->size - 1];
    s->sum += strlen(item->name);
    return CODEOBJ_WALK_ON;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct state s = { 0 };
    struct codeobj_walk_options o = { .size = sizeof o, .user = &s, .visit = visit, .unpack_limit = 1 << 20 };
    codeobj_walk_memory(data, size, "fuzz", &o, NULL);
    return 0;
}

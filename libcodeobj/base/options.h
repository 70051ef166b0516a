/* SPDX-License-Identifier: MIT
 *
 * base/options.h - structures of options begin with their size, so that they can grow.
 *
 * What a caller built against an older, shorter one does not have is zero; what a newer one has behind ours is not looked at.
 */
#ifndef CO_BASE_OPTIONS_H
#define CO_BASE_OPTIONS_H

#include <stddef.h>
#include <string.h>

/* from may be NULL: all zero. */
static inline void co_take_options(void *to, size_t room, const void *from)
{
    size_t size = 0;
    if (from)
        memcpy(&size, from, sizeof size);
    memset(to, 0, room);
    if (size)
        memcpy(to, from, size < room ? size : room);
}

/* A variable of that type with what `from` says. */
#define CO_OPTIONS(type, name, from) \
    type name;                       \
    co_take_options(&name, sizeof name, from)

#endif

/* SPDX-License-Identifier: MIT
 *
 * exec/image.h - image descriptors (T#), read.
 */
#ifndef CO_EXEC_IMAGE_H
#define CO_EXEC_IMAGE_H

#include <codeobj/target.h>

#include "exec/format.h"

struct co_image {
    uint64_t base;
    uint32_t width, height, depth; /* depth: layers from the first one on, or of a volume */
    uint32_t line, first;          /* bytes of a line; first layer */
    uint8_t type, levels, base_level;
    uint16_t select;               /* 3 bits a component: 0, 1, or 4 and up a component of memory */
    struct co_format format;
    unsigned bytes;                /* of a texel */
};

enum { CO_IMAGE_1D = 8, CO_IMAGE_2D, CO_IMAGE_3D, CO_IMAGE_CUBE, CO_IMAGE_1D_ARRAY, CO_IMAGE_2D_ARRAY };

static inline bool co_image_layered(const struct co_image *t)
{
    return t->type >= CO_IMAGE_CUBE;
}

/* The descriptor of a processor in eight dwords (half: in four, the rest is 0).  NULL, or what is not modelled (static). */
const char *co_image_read(const struct codeobj_processor *processor, const uint32_t *dwords, bool half, struct co_image *out);

#endif

/* SPDX-License-Identifier: MIT
 *
 * exec/image.c - image descriptors of gfx9 to gfx12.
 *
 *            gfx9                            gfx10, gfx11                     gfx12
 *     word 0 base[39:8]                      the same                         the same
 *     word 1 base[47:40] 7:0,                base[47:40] 7:0,                 base[47:40] 7:0,
 *            data format 25:20,              format 28:20 (gfx11: 27:20),     format 24:17, base level 29:25,
 *            number format 29:26             width - 1 [1:0] 31:30            width - 1 [1:0] 31:30
 *     word 2 width - 1 13:0,                 width - 1 [13:2] 11:0,           width - 1 [15:2] 13:0,
 *            height - 1 27:14                height - 1 27:14                 height - 1 29:14
 *     word 3 dst_sel x, y, z, w (3 bits each), base level 15:12 (not gfx12), last level 19:16 (gfx12: 19:15),
 *            tiling 24:20, type 31:28
 *     word 4 depth - 1 or last layer 12:0,   the same, or pitch - 1 13:0      the same, or pitch - 1 15:0
 *            pitch - 1 28:13                 (1D, 2D), first layer 28:16      (1D, 2D), first layer 29:16
 *     word 5 first layer 12:0
 *     types  8 1D, 9 2D, 10 3D, 11 cube, 12 1D array, 13 2D array
 *
 * Only linear images (tiling 0) of one level have an address that documents give:
 *     base + (layer * height + y) * line + x * bytes of an element
 * From gfx10 on a line is a multiple of 256 bytes where the descriptor names no pitch (gfx1010 to gfx1013 never do; a
 * pitch below the width is none).  What gfx12 does there is not known.
 *
 * Source: ISA documents of Vega, MI100 and RDNA, "Image resource descriptor"; AMD's and Mesa's register names.
 */
#include "exec/image.h"

static uint32_t bits(uint32_t word, unsigned at, unsigned count)
{
    return word >> at & ((1u << count) - 1);
}

static unsigned format_gfx9(const uint32_t *w, struct co_image *t, uint32_t *pitch)
{
    t->width = bits(w[2], 0, 14) + 1;
    t->height = bits(w[2], 14, 14) + 1;
    t->depth = bits(w[4], 0, 13) + 1;
    *pitch = bits(w[4], 13, 16) + 1;
    t->first = bits(w[5], 0, 13);
    const unsigned data = bits(w[1], 20, 6), number = bits(w[1], 26, 4);
    return data > 14 || number > 7 ? 0 : data | number << 4;
}

static unsigned format_gfx10(const struct codeobj_processor *processor, const uint32_t *w, struct co_image *t, uint32_t *pitch)
{
    const bool gfx12 = processor->gen == CODEOBJ_GEN_GFX12, gfx10_1 = processor->gen == CODEOBJ_GEN_GFX10 && processor->minor == 1;
    t->width = (bits(w[1], 30, 2) | bits(w[2], 0, gfx12 ? 14 : 12) << 2) + 1;
    t->height = bits(w[2], 14, gfx12 ? 16 : 14) + 1;
    t->depth = bits(w[4], 0, gfx12 ? 14 : 13) + 1;
    *pitch = t->type > CO_IMAGE_2D || gfx10_1 ? 0 : bits(w[4], 0, gfx12 ? 16 : 14) + 1;
    t->first = bits(w[4], 16, gfx12 ? 14 : 13);
    return gfx12 ? bits(w[1], 17, 8) : bits(w[1], 20, processor->gen == CODEOBJ_GEN_GFX10 ? 9 : 8);
}

/* Texels of a line as the descriptor has them, or (below the width) what the hardware takes then. */
static const char *find_line(const struct codeobj_processor *processor, uint32_t pitch, struct co_image *t)
{
    t->line = pitch * t->bytes;
    if (processor->gen == CODEOBJ_GEN_GFX9 || pitch >= t->width)
        return NULL;
    if (processor->gen == CODEOBJ_GEN_GFX12)
        return "linear images without a pitch are not modelled: how long a line is, is not documented";
    t->line = (t->width * t->bytes + 255) & ~255u;
    return NULL;
}

const char *co_image_read(const struct codeobj_processor *processor, const uint32_t *dwords, bool half, struct co_image *out)
{
    uint32_t w[8] = { 0 };
    for (unsigned i = 0; i < (half ? 4 : 8); i++)
        w[i] = dwords[i];
    const bool gfx9 = processor->gen == CODEOBJ_GEN_GFX9, gfx12 = processor->gen == CODEOBJ_GEN_GFX12;
    *out = (struct co_image){ .base = ((uint64_t)w[0] | (uint64_t)(w[1] & 0xff) << 32) << 8, .type = (uint8_t)(w[3] >> 28),
                              .select = (uint16_t)bits(w[3], 0, 12) };
    out->base_level = (uint8_t)(gfx12 ? bits(w[1], 25, 5) : bits(w[3], 12, 4));
    out->levels = (uint8_t)((gfx12 ? bits(w[3], 15, 5) : bits(w[3], 16, 4)) - out->base_level + 1);
    if (out->type < CO_IMAGE_1D || out->type > CO_IMAGE_2D_ARRAY)
        return "image type is not 1D, 2D, 3D, cube or an array of them";
    if (bits(w[3], 20, 5))
        return "tiled images are not modelled: their addresses are not documented";
    uint32_t pitch;
    const unsigned format = gfx9 ? format_gfx9(w, out, &pitch) : format_gfx10(processor, w, out, &pitch);
    if (!format)
        return "image format is not modelled";
    out->format = co_format_of(processor->gen, format);
    if (!out->format.count)
        return gfx9 ? "image format is not valid" : "image format is not one of buffers' formats: it is not modelled";
    out->bytes = co_format_bytes(&out->format);
    const char *why = find_line(processor, pitch, out);
    if (why)
        return why;
    if (out->type == CO_IMAGE_1D || out->type == CO_IMAGE_1D_ARRAY)
        out->height = 1;
    if (co_image_layered(out)) /* the last layer, not a number of them */
        out->depth = out->depth > out->first ? out->depth - out->first : 0;
    return NULL;
}

/* SPDX-License-Identifier: MIT
 *
 * fuzz/fuzz_link.c - libFuzzer target: the first byte picks the options, the
 * rest is one input (object, archive, anything), given twice so that symbols,
 * groups and flags of two objects meet.
 */
#include "link_exercise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const struct codeobj_link_input inputs[] = { { "a", data + 1, size - 1, data[0] & 0x40 ? CODEOBJ_LINK_INPUT_COLLECT : 0 },
                                                 { "b", data + 1, size - 1, CODEOBJ_LINK_INPUT_WHOLE_ARCHIVE } };
    link_exercise(inputs, 1 + (data[0] >> 7), data[0]);
    return 0;
}

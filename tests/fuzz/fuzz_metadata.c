/* SPDX-License-Identifier: MIT
 *
 * fuzz/fuzz_metadata.c - libFuzzer target: MessagePack and YAML metadata.
 */
#include "exercise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)exercise_object;
    return exercise_metadata(data, size);
}

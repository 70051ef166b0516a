/* SPDX-License-Identifier: MIT
 *
 * fuzz/fuzz_object.c - libFuzzer target: a code object, read in every way.
 */
#include "exercise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)exercise_metadata;
    return exercise_object(data, size);
}

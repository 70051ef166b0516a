/* SPDX-License-Identifier: MIT
 *
 * target/processor.c - the processor table and its look-ups.
 */
#include <codeobj/target.h>

#include <string.h>

#define W32 CODEOBJ_FEATURE_WAVE32
#define W64 CODEOBJ_FEATURE_WAVE64
#define A CODEOBJ_FEATURE_AGPR
#define U CODEOBJ_FEATURE_UNIFIED_VGPR
#define T CODEOBJ_FEATURE_PACKED_TID
#define S CODEOBJ_FEATURE_ARCH_FLAT_SCRATCH
#define G CODEOBJ_FEATURE_ARCH_SGPRS
#define K CODEOBJ_FEATURE_KERNARG_PRELOAD
#define P CODEOBJ_FEATURE_WGP
#define H CODEOBJ_FEATURE_TRUE16
#define V CODEOBJ_FEATURE_1K_VGPRS
#define M CODEOBJ_FEATURE_UNNAMED_MODES
#define X CODEOBJ_FEATURE_1_5X_VGPRS

static const struct codeobj_processor processors[] = {
#define PROCESSOR(id, name, mach, gen, major, minor, stepping, generic, xnack, sramecc, features) \
    { name, mach, CODEOBJ_GEN_##gen, major, minor, stepping, generic, xnack, sramecc, features },
#include "target/processors.def"
#undef PROCESSOR
};

/* Product code names that LLVM accepts. */
static const struct {
    const char *alias, *name;
} aliases[] = {
#define PROCESSOR(id, name, mach, gen, major, minor, stepping, generic, xnack, sramecc, features)
#define PROCESSOR_ALIAS(alias, name) { alias, name },
#include "target/processors.def"
#undef PROCESSOR
#undef PROCESSOR_ALIAS
};

enum { COUNT = sizeof processors / sizeof *processors };

const struct codeobj_processor *codeobj_processor_at(size_t idx)
{
    return idx < COUNT ? &processors[idx] : NULL;
}

size_t codeobj_processor_index(const struct codeobj_processor *processor)
{
    return (size_t)(processor - processors);
}

const struct codeobj_processor *codeobj_processor_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (!strcmp(aliases[i].alias, name))
            name = aliases[i].name;
    for (size_t i = 0; i < COUNT; i++)
        if (!strcmp(processors[i].name, name))
            return &processors[i];
    return NULL;
}

const struct codeobj_processor *codeobj_processor_by_mach(uint32_t mach)
{
    for (size_t i = 0; i < COUNT; i++)
        if (processors[i].mach == mach)
            return &processors[i];
    return NULL;
}

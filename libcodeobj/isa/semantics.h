/* SPDX-License-Identifier: MIT
 *
 * isa/semantics.h - enum co_sem: one number for each thing an instruction can mean.
 *
 * Rows that were renamed between generations share a token; a row whose meaning
 * changed under the same name has a token of its own.  semantics.def is the list.
 */
#ifndef CO_ISA_SEMANTICS_H
#define CO_ISA_SEMANTICS_H

enum co_sem {
    CO_SEM_NONE = 0,
#define SEM(name) CO_SEM_##name,
#define NOSEM(name, reason) CO_SEM_##name,
#include "isa/semantics.def"
#undef SEM
#undef NOSEM
    CO_SEM_COUNT
};

#endif

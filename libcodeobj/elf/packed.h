/* SPDX-License-Identifier: MIT
 *
 * elf/packed.h - relocations in the two packed forms that linkers write (elf/packed.c).
 */
#ifndef CO_ELF_PACKED_H
#define CO_ELF_PACKED_H

#include <codeobj/elf.h>

#include "base/span.h"

/* in_place: the addend is what the place holds, and r->addend is 0.  What is not OK ends the walk. */
typedef enum codeobj_status co_packed_visit(void *user, const struct codeobj_elf_relocation *r, bool in_place);

/* DT_RELR: R_AMDGPU_RELATIVE64 alone. */
enum codeobj_status co_packed_relr(struct co_span table, co_packed_visit *visit, void *user);

/* Android's; rela: addends are in the table, and not in the places.  MALFORMED also for more than `most` relocations:
 * a few bytes can stand for any number. */
enum codeobj_status co_packed_android(struct co_span table, bool rela, uint64_t most, co_packed_visit *visit, void *user,
                                      struct codeobj_diag *diag);

#endif

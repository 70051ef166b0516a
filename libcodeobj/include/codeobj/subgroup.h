/* SPDX-License-Identifier: MIT
 *
 * codeobj/subgroup.h
 */
#ifndef CODEOBJ_SUBGROUP_H
#define CODEOBJ_SUBGROUP_H

#include <codeobj/base.h>

#endif

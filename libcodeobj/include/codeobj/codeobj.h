/* SPDX-License-Identifier: MIT
 *
 * codeobj/codeobj.h - all of libcodeobj.
 */
#ifndef CODEOBJ_CODEOBJ_H
#define CODEOBJ_CODEOBJ_H

#include <codeobj/base.h>
#include <codeobj/threads.h>
#include <codeobj/target.h>
#include <codeobj/elf.h>
#include <codeobj/metadata.h>
#include <codeobj/kernel.h>
#include <codeobj/bundle.h>
#include <codeobj/isa.h>
#include <codeobj/load.h>
#include <codeobj/exec.h>
#include <codeobj/subgroup.h>
#include <codeobj/link.h>
#include <codeobj/builder.h>
#include <codeobj/check.h>

#endif

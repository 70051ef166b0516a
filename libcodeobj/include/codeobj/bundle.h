/* SPDX-License-Identifier: MIT
 *
 * codeobj/bundle.h
 */
#ifndef CODEOBJ_BUNDLE_H
#define CODEOBJ_BUNDLE_H

#include <codeobj/base.h>

#endif

/* SPDX-License-Identifier: MIT
 *
 * ld/glob.h - shell-style patterns, for the passes and for the command line.
 */
#ifndef CO_LD_GLOB_H
#define CO_LD_GLOB_H

#include <stdbool.h>
#include <stddef.h>

bool co_ld_glob(const char *pattern, size_t plen, const char *text, size_t tlen);

/* What is wrong with a pattern: a '[' that never ends, a '\' that ends it, a range like z-a. */
enum glob_mistake { GLOB_GOOD, GLOB_UNMATCHED, GLOB_STRAY, GLOB_RANGE };
enum glob_mistake co_ld_glob_mistake(const char *pattern);

#endif

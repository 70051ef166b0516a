/* SPDX-License-Identifier: MIT
 *
 * elf/hash.h - the hash functions of DT_HASH and DT_GNU_HASH.
 *
 * Source: System V ABI, Hash Table; the second is Bernstein's, h * 33 + c.
 */
#ifndef CO_ELF_HASH_H
#define CO_ELF_HASH_H

#include <stdint.h>

static inline uint32_t co_gnu_hash(const char *name)
{
    uint32_t h = 5381;
    for (; *name; name++)
        h = h * 33 + (uint8_t)*name;
    return h;
}

static inline uint32_t co_sysv_hash(const char *name)
{
    uint32_t h = 0;
    for (; *name; name++) {
        h = (h << 4) + (uint8_t)*name;
        h = (h ^ (h >> 24 & 0xf0)) & 0x0fffffff;
    }
    return h;
}

#endif

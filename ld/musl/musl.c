/* SPDX-License-Identifier: MIT
 *
 * ld/musl/musl.c - what amdld needs beside musl when it is linked with it
 * (see Makefile): the checked functions of glibc, which distributions compile
 * their static libraries to call, and functions on short blocks and strings, which
 * a link spends much time on and musl does with string instructions or byte by byte.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#define EXPORT __attribute__((visibility("default"), used))

/* ---- checked functions: ROOM is what the compiler knows of the destination ------- */

EXPORT int __vsprintf_chk(char *to, int flag, size_t room, const char *fmt, va_list ap);
EXPORT int __sprintf_chk(char *to, int flag, size_t room, const char *fmt, ...);
EXPORT int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *fmt, va_list ap);
EXPORT int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *fmt, ...);
EXPORT int __fprintf_chk(FILE *file, int flag, const char *fmt, ...);
EXPORT void *__memcpy_chk(void *to, const void *from, size_t size, size_t room);
EXPORT char *__strncpy_chk(char *to, const char *from, size_t size, size_t room);

static void check(size_t size, size_t room)
{
    if (size > room)
        __builtin_trap();
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *fmt, va_list ap)
{
    (void)flag;
    int n = vsnprintf(to, room < INT32_MAX ? room : INT32_MAX, fmt, ap);
    check(n < 0 ? 0 : (size_t)n + 1, room);
    return n;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = __vsprintf_chk(to, flag, room, fmt, ap);
    va_end(ap);
    return n;
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *fmt, va_list ap)
{
    (void)flag;
    check(size, room);
    return vsnprintf(to, size, fmt, ap);
}

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = __vsnprintf_chk(to, size, flag, room, fmt, ap);
    va_end(ap);
    return n;
}

int __fprintf_chk(FILE *file, int flag, const char *fmt, ...)
{
    va_list ap;
    (void)flag;
    va_start(ap, fmt);
    int n = vfprintf(file, fmt, ap);
    va_end(ap);
    return n;
}

void *__memcpy_chk(void *to, const void *from, size_t size, size_t room)
{
    check(size, room);
    return memcpy(to, from, size);
}

char *__strncpy_chk(char *to, const char *from, size_t size, size_t room)
{
    check(size, room);
    return strncpy(to, from, size);
}

/* ---- short blocks ------------------------------------------------------------------- */

#ifdef __x86_64__
struct bytes8 {
    uint64_t all;
} __attribute__((packed, may_alias));
struct bytes4 {
    uint32_t all;
} __attribute__((packed, may_alias));

static void copy16(uint8_t *to, const uint8_t *from)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm_loadu_si128((const __m128i *)(const void *)from));
    __asm__ volatile("" : : : "memory"); /* no call of memcpy is made of a loop */
}

/* The last block is taken from the end and may lie over the one before it. */
EXPORT void *memcpy(void *restrict dst, const void *restrict src, size_t n)
{
    uint8_t *to = dst;
    const uint8_t *from = src;
    if (n >= 512) {
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
    } else if (n >= 16) {
        for (size_t i = 0; i + 16 < n; i += 16)
            copy16(to + i, from + i);
        copy16(to + n - 16, from + n - 16);
    } else if (n >= 8) {
        struct bytes8 last = *(const struct bytes8 *)(from + n - 8);
        *(struct bytes8 *)to = *(const struct bytes8 *)from;
        *(struct bytes8 *)(to + n - 8) = last;
    } else if (n >= 4) {
        struct bytes4 last = *(const struct bytes4 *)(from + n - 4);
        *(struct bytes4 *)to = *(const struct bytes4 *)from;
        *(struct bytes4 *)(to + n - 4) = last;
    } else {
        for (size_t i = 0; i < n; i++)
            ((volatile uint8_t *)to)[i] = from[i]; /* nor of this one */
    }
    return dst;
}

EXPORT int memcmp(const void *left, const void *right, size_t n)
{
    const uint8_t *a = left, *b = right;
    for (; n >= 8; a += 8, b += 8, n -= 8)
        if (((const struct bytes8 *)a)->all != ((const struct bytes8 *)b)->all)
            break;
    for (; n; a++, b++, n--)
        if (*a != *b)
            return *a - *b;
    return 0;
}

/* Which of the 16 bytes from AT on, a multiple of 16, are C: such a block never crosses a page. */
__attribute__((no_sanitize_address)) static unsigned matches(const void *at, __m128i c)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128(at), c));
}

EXPORT size_t strlen(const char *s)
{
    const char *at = (const char *)((uintptr_t)s & ~(uintptr_t)15);
    unsigned found = matches(at, _mm_setzero_si128()) >> (s - at);
    if (found)
        return (size_t)__builtin_ctz(found);
    do
        at += 16;
    while (!(found = matches(at, _mm_setzero_si128())));
    return (size_t)(at - s) + (size_t)__builtin_ctz(found);
}

EXPORT void *memchr(const void *where, int c, size_t n)
{
    const char *s = where, *at = (const char *)((uintptr_t)s & ~(uintptr_t)15);
    __m128i all = _mm_set1_epi8((char)c);
    if (!n)
        return NULL;
    unsigned found = matches(at, all) >> (s - at) << (s - at);
    while (!found && n > (size_t)(at + 16 - s))
        found = matches(at += 16, all);
    size_t i = found ? (size_t)(at - s) + (size_t)__builtin_ctz(found) : n;
    return i < n ? (void *)(uintptr_t)(s + i) : NULL;
}
#endif

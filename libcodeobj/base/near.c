/* SPDX-License-Identifier: MIT
 *
 * base/near.c - the edit distance behind "did you mean".
 */
#include <codeobj/base.h>
#include <string.h>

#define NAME_MAX_LENGTH 63

unsigned codeobj_name_distance(const char *a, const char *b)
{
    unsigned row[NAME_MAX_LENGTH + 1];
    const size_t n = strlen(b);
    if (n > NAME_MAX_LENGTH || strlen(a) > 2 * NAME_MAX_LENGTH)
        return CODEOBJ_NAME_FAR;
    for (size_t j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (; *a; a++) {
        unsigned diagonal = row[0]++;
        for (size_t j = 1; j <= n; j++) {
            unsigned change = diagonal + (*a != b[j - 1]);
            diagonal = row[j];
            unsigned step = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < step ? change : step;
        }
    }
    return row[n];
}

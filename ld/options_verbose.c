/* SPDX-License-Identifier: MIT
 *
 * ld/options_verbose.c - --verbose: the files that are read, each where ld.lld says so.
 *
 * Inputs and linker scripts are told of as they are met; lists of symbols and version scripts stand in front of them all,
 * whatever their place on the command line.
 */
#include "options.h"

#include <stdio.h>
#include <string.h>

void driver_log(struct driver *d, const char *path)
{
    if (!d->verbose)
        return;
    fflush(stdout);
    fprintf(stderr, "%s%s: %s\n", d->last_was_long ? "\n" : "", d->program, path);
    d->last_was_long = false;
}

enum which { ONLY_LAST, EACH, SEARCHED };

/* All values of an option, or of two, among the arguments. */
static void log_values(struct driver *d, const char *const *args, size_t count, const char *name, const char *other,
                       enum which which)
{
    const char *last = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *after = i + 1 < count ? args[i + 1] : NULL;
        const char *v = driver_early_value(args[i], after, 0, name);
        if (!v && other)
            v = driver_early_value(args[i], after, 0, other);
        if (v && which == SEARCHED)
            v = driver_find_script(d, v);
        if (v && which != ONLY_LAST)
            driver_log(d, driver_remapped(d, v));
        last = v ? v : last;
    }
    if (last && which == ONLY_LAST)
        driver_log(d, driver_remapped(d, last));
}

void driver_log_lists(struct driver *d, const char *const *args, size_t count)
{
    if (!d->verbose)
        return;
    log_values(d, args, count, "symbol-ordering-file", NULL, ONLY_LAST);
    log_values(d, args, count, "retain-symbols-file", NULL, ONLY_LAST);
    log_values(d, args, count, "dynamic-list", "export-dynamic-symbol-list", EACH);
    log_values(d, args, count, "version-script", NULL, SEARCHED);
}

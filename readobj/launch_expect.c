/* SPDX-License-Identifier: MIT
 *
 * readobj/launch_expect.c - is a buffer what the launch file expects?
 *
 * Exact means the same bits, but any NaN is as good as any other.  Where
 * tolerances are given, an element that meets one of them is good.
 */
#include "launch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool element_holds(const struct launch_expect *e, const uint8_t *got, const uint8_t *want)
{
    if (memcmp(got, want, launch_type_size(e->type)) == 0)
        return true;
    uint64_t ulps = launch_type_ulps(e->type, got, want);
    bool is_float = launch_type_is_float(e->type);
    if (!e->has_ulp && !e->has_abs && !e->has_rel) /* both NaN, or different */
        return is_float && ulps == 0 && isnan(launch_type_real(e->type, got));
    if (ulps == 0 || (e->has_ulp && ulps <= e->ulp))
        return true;
    /* For integers the distance is exact as it stands. */
    double distance = is_float ? fabs(launch_type_real(e->type, got) - launch_type_real(e->type, want)) : (double)ulps;
    double size = 0;
    if (is_float)
        size = fabs(launch_type_real(e->type, want));
    else
        size = (double)launch_type_ulps(e->type, want, (const uint8_t[8]){ 0 });
    return (e->has_abs && distance <= e->abs) || (e->has_rel && distance <= e->rel * size);
}

bool launch_expect_holds(struct ro *ro, const struct launch *launch, size_t arg_idx, const uint8_t *got)
{
    const struct launch_expect *e = &launch->args[arg_idx].expect;
    unsigned width = launch_type_size(e->type);
    size_t count = e->bytes.size / width, bad = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        if (element_holds(e, got + i * width, e->bytes.data + i * width))
            continue;
        if (bad++ == 0)
            first = i;
    }
    if (bad == 0)
        return true;
    char a[48], b[48], apart[64] = "";
    launch_type_print(e->type, got + first * width, a);
    launch_type_print(e->type, e->bytes.data + first * width, b);
    uint64_t ulps = launch_type_ulps(e->type, got + first * width, e->bytes.data + first * width);
    if (launch_type_is_float(e->type) && ulps != UINT64_MAX)
        snprintf(apart, sizeof apart, ", %" PRIu64 " ulp apart", ulps);
    ro_error(ro, "%s: argument %zu, element %zu: got %s, expected %s%s (%zu of %zu elements differ)", launch->kernel,
             arg_idx, first, a, b, apart, bad, count);
    return false;
}

/* SPDX-License-Identifier: MIT
 *
 * bundle/host.c - what sections of host files hold device code; host_elf.c and host_coff.c find them.
 *
 * HIP keeps bundles in .hip_fatbin (.hip_fat in PE files, whose section names
 * have eight bytes), LLVM's new driver offload binaries in .llvm.offloading,
 * clang-offload-bundler one section __CLANG_OFFLOAD_BUNDLE__ID per entry.
 * .rocm_kpack_ref (.kpackrf) says that the device code was moved to other files;
 * it is a MessagePack map with a list kpack_search_paths.  Everything else that
 * is data is scanned, for ELF images that are embedded bare.
 */
#include "bundle/host.h"

#include <stdio.h>

static const char entry_prefix[] = "__CLANG_OFFLOAD_BUNDLE__";

/* ---- the kpack marker ---- */

/* A MessagePack string at *p; moves behind it. */
static bool pack_string(struct co_span s, size_t *p, struct co_span *out)
{
    size_t at = *p, n;
    if (at >= s.size)
        return false;
    uint8_t b = s.data[at++];
    if ((b & 0xe0) == 0xa0)
        n = b & 0x1f;
    else if (b == 0xd9 && at + 1 <= s.size)
        n = s.data[at++];
    else if (b == 0xda && at + 2 <= s.size)
        n = (size_t)s.data[at] << 8 | s.data[at + 1], at += 2;
    else
        return false;
    if (!co_span_sub(s, at, n, out))
        return false;
    *p = at + n;
    return true;
}

/* The search paths with ", " between; "" when the marker is not as described. */
static void kpack_paths(struct co_span s, char *out, size_t size)
{
    static const char key[] = "kpack_search_paths";
    const uint8_t *found = s.size ? memmem(s.data, s.size, key, strlen(key)) : NULL;
    out[0] = 0;
    if (!found)
        return;
    size_t at = (size_t)(found - s.data) + strlen(key), used = 0;
    if (at >= s.size || (s.data[at] & 0xf0) != 0x90)
        return;
    unsigned count = s.data[at++] & 0x0f;
    for (unsigned i = 0; i < count; i++) {
        struct co_span path;
        if (!pack_string(s, &at, &path))
            return;
        int n = snprintf(out + used, size - used, "%s%.*s", i ? ", " : "", (int)(path.size < 200 ? path.size : 200),
                         (const char *)path.data);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
    }
}

/* ---- by name ---- */

static bool name_is(const char *name, size_t n, const char *what)
{
    return n == strlen(what) && memcmp(name, what, n) == 0;
}

bool co_is_wrapper_section(const char *name, size_t n)
{
    return name_is(name, n, ".hipFatBinSegment") || name_is(name, n, ".hipFatB");
}

void co_host_section(struct co_walk *w, const struct co_place *place, struct co_span bytes, const char *name, size_t n,
                     bool is_data)
{
    size_t prefix = strlen(entry_prefix);
    if (n > prefix && memcmp(name, entry_prefix, prefix) == 0) {
        if (strncmp(name + prefix, "host-", 5) == 0 && bytes.size <= 1)
            co_walk_leaf(w, place, bytes, CODEOBJ_ITEM_HOST, name + prefix, n - prefix, true, NULL);
        else
            co_walk_child(w, place, bytes, name + prefix, n - prefix, true);
    } else if (name_is(name, n, ".rocm_kpack_ref") || name_is(name, n, ".kpackrf")) {
        char paths[1024];
        kpack_paths(bytes, paths, sizeof paths);
        co_walk_leaf(w, place, bytes, CODEOBJ_ITEM_EXTERNAL, name, n, false, paths);
    } else if (name_is(name, n, ".hip_fatbin") || name_is(name, n, ".hip_fat") || name_is(name, n, ".llvm.offloading")) {
        co_walk_section(w, place, bytes, name, n, true);
    } else if (is_data) {
        co_walk_section(w, place, bytes, name, n, false);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * bundle/entry_id.c - bundle entry IDs and target selection.
 *
 * Source: Clang Offload Bundler, Bundle Entry ID: KIND '-' TRIPLE [ '-' TARGET-ID ].
 * The triple has four parts since LLVM 11 ("amdgcn-amd-amdhsa-" with an empty
 * environment, so that two dashes stand before the target), three before, and
 * both are in use.  Generic processors ("gfx9-4-generic") and features
 * ("xnack-") hold dashes of their own: the ID has to be read from the left.
 */
#include <codeobj/bundle.h>

#include "base/diag.h"

#include <string.h>

#include "bundle/walk.h"

static bool copy(char *dst, size_t room, const char *src, size_t n)
{
    if (n >= room)
        return false;
    memcpy(dst, src, n);
    dst[n] = 0;
    return true;
}

enum codeobj_status codeobj_entry_id_parse(const char *text, struct codeobj_entry_id *out, struct codeobj_diag *diag)
{
    struct codeobj_entry_id id;
    memset(&id, 0, sizeof id);
    const char *dash = strchr(text, '-');
    if (!dash || dash == text || !copy(id.kind, sizeof id.kind, text, (size_t)(dash - text)))
        return co_fail(diag, CODEOBJ_INVALID, "entry ID '%.64s': found no offload kind before a dash", text);
    const char *triple = dash + 1, *p = triple;
    /* arch-vendor-os */
    for (unsigned part = 0; part < 3; part++) {
        p += strcspn(p, "-");
        if (part < 2 && !*p)
            return co_fail(diag, CODEOBJ_INVALID, "entry ID '%.64s': found %u parts of a triple, expected 3 or 4", text,
                           part + 1);
        if (part < 2)
            p++;
    }
    const char *triple_end = p, *target = "";
    id.is_host = strcmp(id.kind, "host") == 0;
    if (*p) {
        /* What follows the third dash is the environment or, in short IDs, the target. */
        const char *fourth = p + 1;
        size_t n = strcspn(fourth, "-");
        if (strncmp(fourth, "gfx", 3) == 0) {
            target = fourth;
        } else {
            triple_end = fourth + n;
            target = fourth[n] ? fourth + n + 1 : "";
        }
    }
    if (!copy(id.triple, sizeof id.triple, triple, (size_t)(triple_end - triple)) ||
        !copy(id.target_text, sizeof id.target_text, target, strlen(target)))
        return co_fail(diag, CODEOBJ_INVALID, "entry ID '%.64s': is too long", text);
    if (id.target_text[0] && codeobj_target_parse(id.target_text, &id.target, NULL) == CODEOBJ_OK)
        id.has_target = true;
    *out = id;
    return CODEOBJ_OK;
}

static enum codeobj_entry_fit mode_fit(uint8_t entry, uint8_t object, bool one_bit)
{
    if (entry == object)
        return CODEOBJ_ENTRY_FITS;
    if (entry >= CODEOBJ_MODE_OFF && object >= CODEOBJ_MODE_OFF)
        return CODEOBJ_ENTRY_DISAGREES;
    if (entry >= CODEOBJ_MODE_OFF)
        return CODEOBJ_ENTRY_NARROWER;
    return object >= CODEOBJ_MODE_OFF && !one_bit ? CODEOBJ_ENTRY_DISAGREES : CODEOBJ_ENTRY_FITS;
}

enum codeobj_entry_fit codeobj_entry_fit(const struct codeobj_target *entry, const struct codeobj_target *object, bool one_bit_modes)
{
    if (!entry->processor || !object->processor)
        return CODEOBJ_ENTRY_FITS;
    if (entry->processor != object->processor)
        return CODEOBJ_ENTRY_DISAGREES;
    enum codeobj_entry_fit xnack = mode_fit(entry->xnack, object->xnack, one_bit_modes);
    enum codeobj_entry_fit sramecc = mode_fit(entry->sramecc, object->sramecc, one_bit_modes);
    return xnack > sramecc ? xnack : sramecc;
}

enum codeobj_entry_fit co_entry_id_fit(const struct codeobj_entry_id *id, const struct codeobj_target *object, bool one_bit_modes)
{
    bool gpu = !strncmp(id->triple, "amdgcn-", 7) || !strncmp(id->triple, "r600-", 5);
    if (id->has_target)
        return codeobj_entry_fit(&id->target, object, one_bit_modes);
    /* A processor that nobody knows, a feature that it has not: no device asks for such. */
    return gpu && id->target_text[0] && object->processor ? CODEOBJ_ENTRY_DISAGREES : CODEOBJ_ENTRY_FITS;
}

static bool feature_selects(uint8_t request, uint8_t code)
{
    return request == CODEOBJ_MODE_ANY || request == CODEOBJ_MODE_UNSUPPORTED || code == CODEOBJ_MODE_ANY ||
           code == request;
}

bool codeobj_target_selects(const struct codeobj_target *request, const struct codeobj_target *code)
{
    if (!request->processor || !code->processor)
        return false;
    if (request->processor != code->processor) {
        /* Is the code generic and the request one of its members?  Features are compared below. */
        struct codeobj_target a = *code, b = *request;
        a.xnack = b.xnack = a.processor->has_xnack ? CODEOBJ_MODE_ANY : CODEOBJ_MODE_UNSUPPORTED;
        a.sramecc = b.sramecc = a.processor->has_sramecc ? CODEOBJ_MODE_ANY : CODEOBJ_MODE_UNSUPPORTED;
        if (!code->processor->generic_version || !codeobj_target_compatible(&a, &b, NULL))
            return false;
    }
    return feature_selects(request->xnack, code->xnack) && feature_selects(request->sramecc, code->sramecc);
}

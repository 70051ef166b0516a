/* SPDX-License-Identifier: MIT
 *
 * target/target.c - target IDs and e_flags.
 *
 * Rules: LLVM's User Guide for AMDGPU Backend, Target ID, Generic Processor
 * Versioning, AMDGPU ELF Header e_flags (V2, V3, V4 and V5, V6).
 *
 * Before V4 a feature is one bit: on, or off.  V4 gave each two bits, so that
 * the same word 0x12c reads "gfx900:xnack+" in a V3 file and "gfx900" in a V4
 * file.  PAL, Mesa and no-OS objects stay with the one-bit form.  gfx1250 and
 * gfx1251 carry "any" in both fields although no target ID may name them.
 */
#include <codeobj/target.h>

#include <stdio.h>
#include <string.h>

#include "base/diag.h"

enum {
    OSABI_AMDHSA = 64,
    ABI_V4 = 2, /* EI_ABIVERSION of the first version with two-bit features */
    ABI_V6 = 4, /* and of the first with generic versions */
    MACH_MASK = 0xff,
    XNACK_V3 = 0x100, SRAMECC_V3 = 0x200,
    XNACK_V4_SHIFT = 8, SRAMECC_V4_SHIFT = 10,
    GENERIC_VERSION_SHIFT = 24,
};

/* ---- e_flags ---------------------------------------------------------------- */

static bool two_bit_features(uint8_t osabi, uint8_t abi_version)
{
    return osabi == OSABI_AMDHSA && abi_version >= ABI_V4;
}

void codeobj_target_from_flags(uint32_t e_flags, uint8_t osabi, uint8_t abi_version, struct codeobj_target *out)
{
    const struct codeobj_processor *p = codeobj_processor_by_mach(e_flags & MACH_MASK);
    *out = (struct codeobj_target){ .processor = p };
    if (two_bit_features(osabi, abi_version)) {
        out->xnack = e_flags >> XNACK_V4_SHIFT & 3;
        out->sramecc = e_flags >> SRAMECC_V4_SHIFT & 3;
    } else {
        if (p && p->has_xnack)
            out->xnack = e_flags & XNACK_V3 ? CODEOBJ_MODE_ON : CODEOBJ_MODE_OFF;
        if (p && p->has_sramecc)
            out->sramecc = e_flags & SRAMECC_V3 ? CODEOBJ_MODE_ON : CODEOBJ_MODE_OFF;
        /* LLVM sets both bits for amdpal and mesa3d; no target ID says so. */
        if (p && p->features & CODEOBJ_FEATURE_UNNAMED_MODES) {
            out->xnack = e_flags & XNACK_V3 ? CODEOBJ_MODE_ANY : CODEOBJ_MODE_UNSUPPORTED;
            out->sramecc = e_flags & SRAMECC_V3 ? CODEOBJ_MODE_ANY : CODEOBJ_MODE_UNSUPPORTED;
        }
    }
    if (osabi == OSABI_AMDHSA && abi_version >= ABI_V6)
        out->generic_version = (uint8_t)(e_flags >> GENERIC_VERSION_SHIFT);
}

uint32_t codeobj_target_to_flags(const struct codeobj_target *target, uint8_t osabi, uint8_t abi_version)
{
    uint32_t flags = target->processor ? target->processor->mach : 0;
    if (two_bit_features(osabi, abi_version)) {
        flags |= (uint32_t)(target->xnack & 3) << XNACK_V4_SHIFT | (uint32_t)(target->sramecc & 3) << SRAMECC_V4_SHIFT;
    } else {
        /* One bit cannot say "any"; code that runs with the feature on must say so. */
        if (target->xnack == CODEOBJ_MODE_ON || target->xnack == CODEOBJ_MODE_ANY)
            flags |= XNACK_V3;
        if (target->sramecc == CODEOBJ_MODE_ON || target->sramecc == CODEOBJ_MODE_ANY)
            flags |= SRAMECC_V3;
    }
    if (osabi == OSABI_AMDHSA && abi_version >= ABI_V6)
        flags |= (uint32_t)target->generic_version << GENERIC_VERSION_SHIFT;
    return flags;
}

/* ---- target IDs -------------------------------------------------------------- */

/* Start of the processor in "amdgcn-amd-amdhsa--gfx900", "amdgcn-amd-amdhsa-unknown-gfx900"
 * or "amdgcn-amd-amdhsa-gfx900"; text itself when there is no triple. */
static const char *skip_triple(const char *text)
{
    if (strncmp(text, "amdgcn-", 7) && strncmp(text, "r600-", 5))
        return text;
    const char *p = text;
    for (int dashes = 0; dashes < 3; dashes++) {
        p = strchr(p, '-');
        if (!p)
            return text;
        p++;
    }
    if (*p == '-')
        return p + 1;
    static const char *const environments[] = { "unknown-", "gnu-", "llvm-", "opencl-" };
    for (size_t i = 0; i < sizeof environments / sizeof *environments; i++)
        if (!strncmp(p, environments[i], strlen(environments[i])))
            return p + strlen(environments[i]);
    return p;
}

static enum codeobj_status parse_feature(const char *text, size_t n, struct codeobj_target *t, unsigned *seen,
                                         struct codeobj_diag *diag)
{
    const struct codeobj_processor *p = t->processor;
    char sign = n ? text[n - 1] : 0;
    bool xnack = n == 6 && !memcmp(text, "xnack", 5), sramecc = n == 8 && !memcmp(text, "sramecc", 7);
    if ((sign != '+' && sign != '-') || (!xnack && !sramecc))
        return co_fail(diag, CODEOBJ_INVALID, "target feature \"%.*s\": expected xnack or sramecc with + or -", (int)n, text);
    if (!(xnack ? p->has_xnack : p->has_sramecc))
        return co_fail(diag, CODEOBJ_INVALID, "target feature \"%.*s\": %s does not have it", (int)n, text, p->name);
    unsigned bit = xnack ? 1 : 2;
    if (*seen & bit)
        return co_fail(diag, CODEOBJ_INVALID, "target feature \"%.*s\" is given twice", (int)n, text);
    *seen |= bit;
    *(xnack ? &t->xnack : &t->sramecc) = sign == '+' ? CODEOBJ_MODE_ON : CODEOBJ_MODE_OFF;
    return CODEOBJ_OK;
}

enum codeobj_status codeobj_target_parse(const char *text, struct codeobj_target *out, struct codeobj_diag *diag)
{
    const char *p = skip_triple(text);
    size_t n = strcspn(p, ":");
    char name[32];
    const struct codeobj_processor *processor = NULL;
    if (n < sizeof name) {
        memcpy(name, p, n);
        name[n] = 0;
        processor = codeobj_processor_by_name(name);
    }
    if (!processor)
        return co_fail(diag, CODEOBJ_NOT_FOUND, "unknown processor \"%.*s\"", n > 64 ? 64 : (int)n, p);
    struct codeobj_target t;
    codeobj_target_default(processor, &t);
    unsigned seen = 0;
    for (p += n; *p == ':'; p += n) {
        n = strcspn(++p, ":");
        enum codeobj_status st = parse_feature(p, n > 64 ? 64 : n, &t, &seen, diag);
        if (st)
            return st;
    }
    *out = t;
    return CODEOBJ_OK;
}

void codeobj_target_default(const struct codeobj_processor *processor, struct codeobj_target *out)
{
    *out = (struct codeobj_target){ .processor = processor };
    if (!processor)
        return;
    bool unnamed = processor->features & CODEOBJ_FEATURE_UNNAMED_MODES;
    out->xnack = processor->has_xnack || unnamed ? CODEOBJ_MODE_ANY : CODEOBJ_MODE_UNSUPPORTED;
    out->sramecc = processor->has_sramecc || unnamed ? CODEOBJ_MODE_ANY : CODEOBJ_MODE_UNSUPPORTED;
    out->generic_version = processor->generic_version;
}

static const char *mode_suffix(uint8_t mode) { return mode == CODEOBJ_MODE_ON ? "+" : mode == CODEOBJ_MODE_OFF ? "-" : NULL; }

size_t codeobj_target_format(const struct codeobj_target *target, char *buf, size_t size)
{
    const char *sramecc = mode_suffix(target->sramecc), *xnack = mode_suffix(target->xnack);
    int n = snprintf(buf, size, "%s%s%s%s%s", target->processor ? target->processor->name : "unknown", sramecc ? ":sramecc" : "",
                     sramecc ? sramecc : "", xnack ? ":xnack" : "", xnack ? xnack : "");
    return n < 0 ? 0 : (size_t)n;
}

/* ---- compatibility ------------------------------------------------------------- */

/* Which processors a generic one stands for, and since which generic version. */
static const struct {
    const char *generic, *member;
    uint8_t since;
} members[] = {
#define MEMBER(generic, member, since) { generic, member, since },
#include "target/generics.def"
#undef MEMBER
};

bool codeobj_processor_covers(const struct codeobj_processor *generic, const struct codeobj_processor *member, uint8_t *since)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!strcmp(members[i].generic, generic->name) && !strcmp(members[i].member, member->name)) {
            if (since)
                *since = members[i].since;
            return true;
        }
    return false;
}

static const char *mode_text(uint8_t mode) { return mode == CODEOBJ_MODE_ON ? "on" : "off"; }

/* Code that leaves a mode open runs anywhere; a device whose mode is not told is not judged. */
static bool mode_fits(const char *feature, uint8_t code, uint8_t device, struct codeobj_diag *diag)
{
    bool code_fixed = code == CODEOBJ_MODE_ON || code == CODEOBJ_MODE_OFF;
    bool device_fixed = device == CODEOBJ_MODE_ON || device == CODEOBJ_MODE_OFF;
    if (!code_fixed || !device_fixed || code == device)
        return true;
    co_fail(diag, CODEOBJ_INVALID, "%s mismatch: the code needs it %s, the device has it %s", feature, mode_text(code),
            mode_text(device));
    return false;
}

bool codeobj_target_compatible(const struct codeobj_target *code, const struct codeobj_target *device, struct codeobj_diag *diag)
{
    const struct codeobj_processor *c = code->processor, *d = device->processor;
    if (!c || !d) {
        co_fail(diag, CODEOBJ_INVALID, "the processor of the %s is not known", c ? "device" : "code");
        return false;
    }
    if (c != d) {
        uint8_t since = 0;
        if (!codeobj_processor_covers(c, d, &since)) {
            co_fail(diag, CODEOBJ_INVALID, "processor mismatch: the code is for %s, the device is %s", c->name, d->name);
            return false;
        }
        if (code->generic_version < since) {
            co_fail(diag, CODEOBJ_INVALID, "%s covers %s since generic version %u: the code has version %u", c->name, d->name, since,
                    code->generic_version);
            return false;
        }
    }
    return mode_fits("xnack", code->xnack, device->xnack, diag) && mode_fits("sramecc", code->sramecc, device->sramecc, diag);
}

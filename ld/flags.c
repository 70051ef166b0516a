/* SPDX-License-Identifier: MIT
 *
 * ld/flags.c - pass 3: one e_flags, EI_OSABI and EI_ABIVERSION for the output.
 *
 * EI_OSABI and EI_ABIVERSION are the first object's; the ABI version is the
 * code object version less two and must be the same in all.  e_flags, by it:
 *
 *     0, 1 (V2, V3, and objects of no or another OS)   all equal
 *     2, 3 (V4, V5)   processor equal; xnack and sramecc merged
 *     4 up (V6)       the same, and the generic version must be equal
 *
 * A feature that is "any" takes what the other says; "on" and "off" exclude
 * each other.  "Unsupported" (0) stands beside "any" and itself only - but on a
 * processor whose xnack mode is fixed by its runtime the field says nothing,
 * and compilers of different age fill it differently: there 0 yields.
 */
#include "ld.h"

/* What ld.lld does not say: both files and both values. */
static const char *both(struct ld *ld, const struct ld_file *first, const char *old, const struct ld_file *file,
                        const char *now)
{
    if (ld->opt.flags & CODEOBJ_LINK_NO_EXPLAIN)
        return "";
    return co_ld_printf(ld, "\n>>> %s: %s\n>>> %s: %s", first->name, old, file->name, now);
}

static const char *decimal(struct ld *ld, uint32_t v)
{
    return co_ld_printf(ld, "%u", v);
}

enum { MACH = 0xff, XNACK = 0x300, SRAMECC = 0xc00 };
#define GENERIC 0xff000000u

static const char *mode_name(uint32_t two_bits)
{
    static const char *const names[] = { "unsupported", "any", "off", "on" };
    return names[two_bits & 3];
}

static const char *processor(struct ld *ld, uint32_t mach)
{
    const struct codeobj_processor *p = codeobj_processor_by_mach(mach);
    return p ? p->name : co_ld_printf(ld, "mach 0x%x", mach);
}

static uint32_t merge_mode(struct ld *ld, const char *name, uint32_t mask, unsigned shift, uint32_t old,
                           const struct ld_file *first, const struct ld_file *file)
{
    uint32_t now = file->header.flags & mask, any = 1u << shift;
    if (old == now || now == any)
        return old;
    if (old == any)
        return now;
    /* Older compilers left the field empty where newer ones know better. */
    const struct codeobj_processor *p = codeobj_processor_by_mach(file->header.flags & MACH);
    bool optional = p && (mask == XNACK ? p->has_xnack : p->has_sramecc);
    if ((!now || !old) && !optional)
        return old | now;
    co_ld_error_or_warn(ld, "incompatible %s: %s%s", name, file->name,
                        both(ld, first, mode_name(old >> shift), file, mode_name(now >> shift)));
    return old;
}

static void merge(struct ld *ld, const struct ld_file *first, const struct ld_file *file)
{
    uint32_t now = file->header.flags, old = ld->e_flags;
    if (file->header.abi_version != ld->abi_version) {
        co_ld_error(ld, "incompatible ABI version: %s%s", file->name,
                    both(ld, first, decimal(ld, ld->abi_version), file, decimal(ld, file->header.abi_version)));
        return;
    }
    if (ld->abi_version < 2) {
        if (now != old)
            co_ld_error(ld, "incompatible e_flags: %s%s", file->name,
                        both(ld, first, co_ld_printf(ld, "0x%x (%s)", old, processor(ld, old & MACH)), file,
                             co_ld_printf(ld, "0x%x (%s)", now, processor(ld, now & MACH))));
        return;
    }
    if (ld->abi_version >= 4 && (now & GENERIC) != (old & GENERIC)) {
        co_ld_error(ld, "incompatible generic version: %s%s", file->name,
                    both(ld, first, decimal(ld, old >> 24), file, decimal(ld, now >> 24)));
        return;
    }
    if ((now & MACH) != (old & MACH)) {
        co_ld_error_or_warn(ld, "incompatible mach: %s%s", file->name,
                            both(ld, first, processor(ld, old & MACH), file, processor(ld, now & MACH)));
        return;
    }
    uint32_t xnack = merge_mode(ld, "xnack", XNACK, 8, old & XNACK, first, file);
    uint32_t sramecc = merge_mode(ld, "sramecc", SRAMECC, 10, old & SRAMECC, first, file);
    ld->e_flags = (old & ~(uint32_t)(XNACK | SRAMECC)) | xnack | sramecc;
}

/* The first input's that has one, be it loaded or not. */
static uint8_t find_osabi(struct ld *ld)
{
    uint8_t osabi = ld->opt.osabi;
    for (size_t i = 0; i < ld->all.count && !osabi; i++) {
        struct ld_file *f = ld->all.items[i];
        if (f->parent)
            continue;
        if (f->kind == FILE_ARCHIVE)
            osabi = co_ld_archive_osabi(ld, f);
        else if (f->elf)
            osabi = f->header.osabi;
    }
    return osabi;
}

void co_ld_merge_flags(struct ld *ld)
{
    const struct ld_file *first = NULL;
    ld->osabi = find_osabi(ld);
    EACH(i, ld->files) {
        const struct ld_file *f = ld->files.items[i];
        if (f->kind != FILE_OBJECT)
            continue;
        if (first) {
            merge(ld, first, f);
            continue;
        }
        first = f;
        ld->abi_version = f->header.abi_version;
        ld->e_flags = f->header.flags;
        if (ld->abi_version > 4)
            co_ld_error(ld, "unknown abi version: %u\n>>> %s", ld->abi_version, f->name);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * check/check.c - the order of the checks, and those of the file as a whole.
 *
 * Rules: what the ROCm runtime's loader demands of a code object; LLVM's User
 * Guide for AMDGPU Backend, ELF Code Object and Target ID.
 */
#include "check/check.h"
#include "check/flow.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <codeobj/load.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "bundle/walk.h"

enum { OSABI_AMDHSA = 64, NEWEST_VERSION = 6, DESCRIPTIONS = 8, MISFITS = 100 };

static const struct {
    const char *code;
    enum codeobj_check_severity severity;
    const char *needed, *repair;
} findings[] = {
#define FINDING(id, code, severity, needed, repair) { code, CODEOBJ_CHECK_##severity, needed, repair },
#include "check/findings.def"
#undef FINDING
};

const char *codeobj_check_code(size_t idx, enum codeobj_check_severity *severity, const char **repair)
{
    if (idx >= CO_CHECK_COUNT)
        return NULL;
    if (severity)
        *severity = findings[idx].severity;
    if (repair)
        *repair = findings[idx].repair;
    return findings[idx].code;
}

void co_check_say(struct co_check *c, enum co_check_id id, const char *where, const char *needed, const char *found, ...)
{
    if (c->stop)
        return;
    struct codeobj_check_finding f = { .code = findings[id].code, .severity = findings[id].severity, .repair = findings[id].repair,
                                       .has_offset = c->has_offset, .offset = c->has_offset ? c->offset : 0 };
    va_list ap;
    va_start(ap, found);
    vsnprintf(f.found, sizeof f.found, found, ap);
    va_end(ap);
    snprintf(f.where, sizeof f.where, "%s", where);
    snprintf(f.needed, sizeof f.needed, "%s", needed[0] ? needed : findings[id].needed);
    c->stop = !c->report(c->user, &f);
}

/* ---- the file as a whole --------------------------------------------------------- */

void co_check_file(struct co_check *c)
{
    const struct codeobj_elf_header *h = &c->header;
    const char *type = codeobj_elf_type_name(h->type);
    int newest = c->options->newest_version ? c->options->newest_version : NEWEST_VERSION;
    if (h->elf_class == ELFCLASS32)
        co_check_say(c, CO_CHECK_WRONG_CLASS, "ELF header", "ELFCLASS64", "ELFCLASS32");
    else if (h->type == ET_REL && h->code_object_version != 1)
        co_check_say(c, CO_CHECK_RELOCATABLE, "ELF header", "ET_DYN", "ET_REL");
    else if (h->type != ET_DYN && h->type != ET_EXEC && h->code_object_version != 1)
        co_check_say(c, CO_CHECK_WRONG_TYPE, "ELF header", "ET_DYN", "%s (%u)", type ? type : "unknown", h->type);
    if (h->osabi != OSABI_AMDHSA) {
        const char *name = codeobj_elf_osabi_name(h->osabi);
        co_check_say(c, CO_CHECK_WRONG_OSABI, "ELF header", "amdhsa (64)", "%s (%u)", name ? name : "unknown", h->osabi);
    } else if (h->code_object_version > newest) {
        char needed[64];
        snprintf(needed, sizeof needed, "at most V%d (EI_ABIVERSION %d)", newest, newest - 2);
        co_check_say(c, CO_CHECK_VERSION_NEWER, "ELF header", needed, "code object V%d (EI_ABIVERSION %u)", h->code_object_version, h->abi_version);
    } else if (h->code_object_version < 3) {
        co_check_say(c, CO_CHECK_VERSION_OLD, "ELF header", "V3 or above", "code object V%d", h->code_object_version);
    }
}

static const char *mode_name(uint8_t mode)
{
    static const char *const names[] = { "unsupported", "any", "off", "on" };
    return names[mode & 3];
}

static void check_mode(struct co_check *c, enum co_check_id id, const char *feature, uint8_t code, uint8_t device)
{
    char needed[64];
    if (code < CODEOBJ_MODE_OFF || device < CODEOBJ_MODE_OFF || code == device)
        return;
    snprintf(needed, sizeof needed, "%s %s, as the device has it", feature, mode_name(device));
    co_check_say(c, id, "ELF header", needed, "%s %s", feature, mode_name(code));
}

static void check_device(struct co_check *c)
{
    const struct codeobj_target *t = &c->target, *d = c->options->device;
    uint8_t since;
    if (!d || !d->processor || !t->processor)
        return;
    if (t->processor != d->processor && !codeobj_processor_covers(t->processor, d->processor, &since)) {
        co_check_say(c, CO_CHECK_PROCESSOR_MISMATCH, "ELF header", d->processor->name, "%s", t->processor->name);
        return;
    }
    if (t->processor != d->processor && t->generic_version < since) {
        char needed[64];
        snprintf(needed, sizeof needed, "generic version %u, which brought %s", since, d->processor->name);
        co_check_say(c, CO_CHECK_GENERIC_TOO_OLD, "ELF header", needed, "%s, version %u", t->processor->name, t->generic_version);
    }
    check_mode(c, CO_CHECK_XNACK_MISMATCH, "xnack", t->xnack, d->xnack);
    check_mode(c, CO_CHECK_SRAMECC_MISMATCH, "sramecc", t->sramecc, d->sramecc);
}

void co_check_entry(struct co_check *c, const char *where, enum codeobj_entry_fit fit, const char *entry_id,
                    const struct codeobj_target *object)
{
    char needed[96 + 20];
    if (fit == CODEOBJ_ENTRY_FITS)
        return;
    codeobj_target_format(object, needed, 96);
    strcat(needed, ", as e_flags say");
    co_check_say(c, fit == CODEOBJ_ENTRY_DISAGREES ? CO_CHECK_ENTRY_DISAGREES : CO_CHECK_ENTRY_NARROWER, where, needed,
                 "entry ID \"%.120s\"", entry_id);
}

void co_check_target(struct co_check *c)
{
    struct codeobj_target noted;
    struct codeobj_entry_id id;
    char flags[96], metadata[96];
    if (!c->target.processor)
        co_check_say(c, CO_CHECK_PROCESSOR_UNKNOWN, "ELF header", "a processor of EF_AMDGPU_MACH", "0x%02x", c->header.flags & 0xff);
    check_device(c);
    if (c->options->entry_id && !codeobj_entry_id_parse(c->options->entry_id, &id, NULL))
        co_check_entry(c, "ELF header", co_entry_id_fit(&id, &c->target, c->header.code_object_version < 4), c->options->entry_id, &c->target);
    const struct codeobj_value *v = c->metadata ? codeobj_value_get(codeobj_metadata_root(c->metadata), "amdhsa.target") : NULL;
    if (!v || v->kind != CODEOBJ_VALUE_STRING || !c->target.processor)
        return;
    codeobj_target_format(&c->target, flags, sizeof flags);
    if (codeobj_target_parse(v->bytes, &noted, NULL)) {
        co_check_say(c, CO_CHECK_TARGET_DISAGREES, "amdhsa.target", flags, "\"%.100s\"", v->bytes);
        return;
    }
    codeobj_target_format(&noted, metadata, sizeof metadata);
    if (strcmp(flags, metadata))
        co_check_say(c, CO_CHECK_TARGET_DISAGREES, "amdhsa.target", flags, "%s", metadata);
}

/* ---- entry points -------------------------------------------------------------------- */

static void run(struct co_check *c)
{
    struct codeobj_diag why = { 0 };
    struct codeobj_metadata *metadata = NULL;
    for (size_t i = 0; !codeobj_elf_finding(c->elf, i, &why); i++) {
        char place[128];
        c->has_offset = why.has_offset && !why.section[0];
        c->offset = why.offset;
        if (why.section[0])
            snprintf(place, sizeof place, "%s+0x%llx", why.section, (unsigned long long)why.offset);
        co_check_say(c, CO_CHECK_MALFORMED, why.section[0] ? place : "file", "", "%s", why.text);
        c->has_offset = false;
    }
    enum codeobj_status st = codeobj_metadata_read(c->elf, &metadata, &why);
    c->metadata = st ? NULL : metadata;
    c->no_memory = st == CODEOBJ_NO_MEMORY;
    co_check_file(c);
    co_check_target(c);
    co_check_loading(c);
    co_check_metadata(c, st, &why);
    if (c->header.osabi == OSABI_AMDHSA)
        co_check_kernels(c);
    co_check_undefined(c); /* with what is known of the code */
    co_flow_free(c->flow);
    codeobj_metadata_free(metadata);
}

enum codeobj_status codeobj_check_elf(const struct codeobj_elf *elf, const struct codeobj_check_options *options,
                                      codeobj_check_report report, void *user, struct codeobj_diag *diag)
{
    CO_OPTIONS(struct codeobj_check_options, opt, options);
    struct co_check c = { .elf = elf, .options = &opt, .report = report, .user = user };
    codeobj_elf_header(elf, &c.header);
    codeobj_elf_target(elf, &c.target);
    run(&c);
    return c.no_memory ? co_no_memory(diag) : CODEOBJ_OK;
}

/* What a file that is no code object holds, and what is wrong with it. */
struct inventory {
    struct co_check *c;
    char text[256];
    enum codeobj_item_kind outer;
    size_t shown, count, broken, misfits;
};

static enum codeobj_walk_verdict take_stock(void *user, const struct codeobj_item *item)
{
    struct inventory *inv = user;
    if (item->depth == 0)
        inv->outer = item->kind;
    if (item->kind != CODEOBJ_ITEM_CODE_OBJECT)
        return CODEOBJ_WALK_ON;
    if (item->entry_fit != CODEOBJ_ENTRY_FITS && inv->misfits++ < MISFITS)
        co_check_entry(inv->c, item->name, (enum codeobj_entry_fit)item->entry_fit, item->entry_id, &item->object_target);
    char id[96] = "an unknown processor";
    if (item->has_target)
        codeobj_target_format(&item->target, id, sizeof id);
    if (inv->count++ < DESCRIPTIONS && strlen(inv->text) + strlen(id) + 3 < sizeof inv->text) {
        if (inv->text[0])
            strcat(inv->text, ", ");
        strcat(inv->text, id);
        inv->shown++;
    }
    return CODEOBJ_WALK_ON;
}

static void report_broken(void *user, const struct codeobj_diag *diag)
{
    struct inventory *inv = user;
    if (diag->status == CODEOBJ_IO || inv->broken++ >= DESCRIPTIONS) /* members of a thin archive are other files */
        return;
    inv->c->has_offset = diag->has_offset;
    inv->c->offset = diag->offset;
    co_check_say(inv->c, CO_CHECK_CONTAINER_BROKEN, "file", "", "%s", diag->text);
    inv->c->has_offset = false;
}

/* Not an object: says what it is instead. */
static void check_foreign(struct co_check *c, const void *data, size_t size, const char *name, const struct codeobj_diag *why)
{
    struct inventory inv = { .c = c, .outer = CODEOBJ_ITEM_OTHER };
    struct codeobj_walk_options walk = { .size = sizeof walk, .user = &inv, .visit = take_stock, .finding = report_broken };
    codeobj_walk_memory(data, size, name, &walk, NULL);
    if (inv.misfits > MISFITS)
        co_check_say(c, CO_CHECK_ENTRY_DISAGREES, "file", "", "%zu more entry IDs that are not what the objects say", inv.misfits - MISFITS);
    /* Any host program may be read as a container; one that holds nothing is just another program. */
    bool container = inv.outer >= CODEOBJ_ITEM_ARCHIVE && inv.outer != CODEOBJ_ITEM_HOST_ELF && inv.outer != CODEOBJ_ITEM_HOST_COFF;
    if (inv.count || container)
        co_check_say(c, CO_CHECK_IS_CONTAINER, "file", "a code object (ELF, EM_AMDGPU)", "%s with %zu code object%s%s%s%s",
                     codeobj_item_kind_name(inv.outer), inv.count, inv.count == 1 ? "" : "s", inv.count ? ": " : "", inv.text,
                     inv.shown < inv.count ? ", ..." : "");
    else if (why->status == CODEOBJ_UNSUPPORTED)
        co_check_say(c, CO_CHECK_WRONG_MACHINE, "ELF header", "EM_AMDGPU (224)", "%s", why->text);
    else if (size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG))
        co_check_say(c, CO_CHECK_MALFORMED, "ELF header", "", "%s", why->text);
    else
        co_check_say(c, CO_CHECK_NOT_ELF, "file", "a code object (ELF, EM_AMDGPU)", "%s", why->text);
}

enum codeobj_status codeobj_check_memory(const void *data, size_t size, const char *name, const struct codeobj_check_options *options,
                                         codeobj_check_report report, void *user, struct codeobj_diag *diag)
{
    struct codeobj_elf_options open = { .size = sizeof open, .flags = CODEOBJ_ELF_LENIENT, .name = name };
    struct codeobj_elf *elf;
    struct codeobj_diag why = { 0 };
    enum codeobj_status st = codeobj_elf_open_memory(data, size, &open, &elf, &why);
    if (!st) {
        st = codeobj_check_elf(elf, options, report, user, diag);
        codeobj_elf_free(elf);
        return st;
    }
    if (st == CODEOBJ_NO_MEMORY) {
        if (diag)
            *diag = why;
        return st;
    }
    CO_OPTIONS(struct codeobj_check_options, opt, options);
    struct co_check c = { .options = &opt, .report = report, .user = user };
    check_foreign(&c, data, size, name ? name : "", &why);
    return CODEOBJ_OK;
}

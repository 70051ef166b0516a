/* SPDX-License-Identifier: MIT
 *
 * ld/output.c - the image: contents, headers, build ID.
 *
 * Contents are copied from the inputs and relocated in place; what the linker
 * makes itself is filled in its own buffer first (dynamic.c, symtab.c).
 */
#include "ld.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

/* dst holds o->size zeroed bytes. */
static void put_contents(struct ld *ld, const struct ld_out *o, uint8_t *dst)
{
    if (o->contents) {
        memcpy(dst, o->contents, (size_t)o->size);
        return;
    }
    EACH(i, o->secs) {
        const struct ld_section *sec = o->secs.items[i];
        if (sec->type == SHT_NOBITS || !sec->size || !sec->data)
            continue;
        memcpy(dst + sec->out_off, sec->data, (size_t)sec->size);
        if (sec->rel_idx && !ld->relocatable)
            co_ld_apply_relocations(ld, sec, dst + sec->out_off);
    }
}

/* ---- compressed debug sections ------------------------------------------------------ */

enum { CHDR_SIZE = 24 };

static size_t deflate_into(const struct ld *ld, uint8_t *dst, size_t room, const uint8_t *src, size_t size)
{
    if (ld->opt.compress_debug == CODEOBJ_COMPRESS_ZSTD) {
        size_t n = ZSTD_compress(dst, room, src, size, ld->opt.compress_level ? ld->opt.compress_level : 3);
        return ZSTD_isError(n) ? 0 : n;
    }
    uLongf n = room;
    int level = ld->opt.compress_level ? ld->opt.compress_level : Z_BEST_SPEED;
    return compress2(dst, &n, src, size, level) == Z_OK ? n : 0;
}

/* Addresses are known: debug sections are relocated, then compressed where
 * that makes them smaller.  Offsets must be assigned again afterwards. */
void co_ld_compress_debug(struct ld *ld)
{
    if (ld->opt.compress_debug == CODEOBJ_COMPRESS_NONE || ld->relocatable)
        return;
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        if ((o->flags & SHF_ALLOC) || o->type == SHT_NOBITS || strncmp(o->name, ".debug_", 7) || o->size <= CHDR_SIZE)
            continue;
        uint8_t *plain = co_ld_alloc(ld, (size_t)o->size), *packed = co_ld_alloc(ld, (size_t)o->size);
        put_contents(ld, o, plain);
        size_t n = deflate_into(ld, packed + CHDR_SIZE, (size_t)o->size - CHDR_SIZE, plain, (size_t)o->size);
        o->contents = plain;
        if (!n)
            continue;
        ld_put32(packed, ld->opt.compress_debug == CODEOBJ_COMPRESS_ZSTD ? 2 : 1);
        ld_put64(packed + 8, o->size);
        ld_put64(packed + 16, o->align);
        o->contents = packed;
        o->size = CHDR_SIZE + n;
        o->flags |= SHF_COMPRESSED;
    }
    co_ld_assign_addresses(ld);
}

/* ---- headers ------------------------------------------------------------------------------ */

static uint64_t entry_address(struct ld *ld)
{
    const char *name = ld->opt.entry;
    if (!name && !ld->shared)
        name = "_start";
    if (!name || !*name)
        return 0;
    const struct ld_symbol *s = co_ld_find(ld, name);
    if (s && s->kind == SYM_DEFINED)
        return co_ld_symbol_addr(ld, s);
    char *end;
    uint64_t v = strtoull(name, &end, 0);
    if (!*end)
        return v;
    co_ld_warn(ld, "cannot find entry symbol %s; not setting start address", name);
    return 0;
}

static void put_ehdr(struct ld *ld, uint8_t *p)
{
    uint32_t shnum = (uint32_t)ld->outs.count + 1, strndx = ld->s_shstrtab->out->idx;
    static const uint8_t ident[] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
    memcpy(p, ident, sizeof ident);
    p[7] = ld->osabi;
    p[8] = ld->abi_version;
    ld_put16(p + 16, ld->relocatable ? ET_REL_ : ld->opt.kind == CODEOBJ_LINK_EXEC ? ET_EXEC_ : ET_DYN_);
    ld_put16(p + 18, EM_AMDGPU_);
    ld_put32(p + 20, 1);
    ld_put64(p + 24, ld->relocatable ? 0 : entry_address(ld));
    ld_put64(p + 32, ld->phdrs.count ? EHDR_SIZE : 0);
    ld_put64(p + 40, ld->shoff);
    ld_put32(p + 48, ld->e_flags);
    ld_put16(p + 52, EHDR_SIZE);
    ld_put16(p + 54, ld->phdrs.count ? PHDR_SIZE : 0);
    ld_put16(p + 56, ld->phdrs.count);
    ld_put16(p + 58, SHDR_SIZE);
    ld_put16(p + 60, shnum >= SHN_LORESERVE ? 0 : shnum);
    ld_put16(p + 62, strndx >= SHN_LORESERVE ? SHN_XINDEX : strndx);
    for (size_t i = 0; i < ld->phdrs.count; i++) {
        const struct ld_phdr *h = &ld->phdrs.items[i];
        uint8_t *q = p + EHDR_SIZE + i * PHDR_SIZE;
        ld_put32(q, h->type);
        ld_put32(q + 4, h->flags);
        ld_put64(q + 8, h->off);
        ld_put64(q + 16, h->addr);
        ld_put64(q + 24, h->addr);
        ld_put64(q + 32, h->filesz);
        ld_put64(q + 40, h->memsz);
        ld_put64(q + 48, h->align);
    }
}

static void put_shdrs(struct ld *ld, uint8_t *p)
{
    uint32_t shnum = (uint32_t)ld->outs.count + 1, strndx = ld->s_shstrtab->out->idx;
    if (shnum >= SHN_LORESERVE)
        ld_put64(p + 32, shnum);
    if (strndx >= SHN_LORESERVE)
        ld_put32(p + 40, strndx);
    EACH(i, ld->outs) {
        struct ld_out *o = ld->outs.items[i];
        struct ld_out *link = o->link_out;
        p += SHDR_SIZE;
        if (o->type == SHT_RELA && o->rela == NULL && o->info_out)
            link = ld->s_symtab ? ld->s_symtab->out : NULL;
        if (!link && (o->flags & SHF_LINK_ORDER) && o->secs.count && o->secs.items[0]->file) {
            const struct ld_section *first = o->secs.items[0];
            if (first->link < first->file->section_count)
                link = first->file->sections[first->link].out;
        }
        ld_put32(p, o->name_off);
        ld_put32(p + 4, o->type);
        ld_put64(p + 8, o->flags);
        ld_put64(p + 16, o->addr);
        ld_put64(p + 24, o->off);
        ld_put64(p + 32, o->size);
        ld_put32(p + 40, link ? link->idx : 0);
        ld_put32(p + 44, o->info_out ? o->info_out->idx : o->info);
        ld_put64(p + 48, o->align);
        ld_put64(p + 56, o->entsize);
    }
}

/* ---- the image ------------------------------------------------------------------------------ */

static void alloc_image(struct ld *ld)
{
    if (ld->image_size > SIZE_MAX / 2)
        co_ld_no_memory(ld);
    size_t size = ld->image_size ? (size_t)ld->image_size : 1;
    ld->image = ld->opt.image_alloc ? ld->opt.image_alloc(ld->opt.context, size) : calloc(1, size);
    if (!ld->image)
        co_ld_no_memory(ld);
}

void co_ld_write(struct ld *ld)
{
    bool binary = ld->opt.flags & CODEOBJ_LINK_BINARY;
    co_ld_fill_dynamic(ld);
    co_ld_fill_symtab(ld);
    co_ld_fill_rela_outputs(ld);
    alloc_image(ld);
    EACH(i, ld->outs) {
        const struct ld_out *o = ld->outs.items[i];
        if (o->type != SHT_NOBITS && o->size && (!binary || (o->flags & SHF_ALLOC)))
            put_contents(ld, o, ld->image + o->off);
    }
    if (!binary) {
        put_ehdr(ld, ld->image);
        put_shdrs(ld, ld->image + ld->shoff);
    }
    co_ld_put_build_id(ld);
}

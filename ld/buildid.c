/* SPDX-License-Identifier: MIT
 *
 * ld/buildid.c - .note.gnu.build-id: a name for the image that is made of its bytes.
 *
 * "fast" is the hash function of the symbol table; MD5 and SHA-1 are libiberty's.
 * Neither serves security here: they tell builds apart.
 */
#include "ld.h"

/* Of libiberty, whose packages leave their headers out: MD5 to 16 bytes, SHA-1 to 20. */
void *md5_buffer(const char *buffer, size_t size, void *digest);
void *sha1_buffer(const char *buffer, size_t size, void *digest);

static size_t id_size(const struct ld *ld)
{
    switch (ld->opt.build_id) {
    case CODEOBJ_BUILD_ID_FAST:
        return 8;
    case CODEOBJ_BUILD_ID_MD5:
        return 16;
    case CODEOBJ_BUILD_ID_SHA1:
        return 20;
    case CODEOBJ_BUILD_ID_BYTES:
        return ld->opt.build_id_size;
    default:
        return 0;
    }
}

/* A note section with one note: an owner of three letters, and room for `size` bytes, the first of which are `bytes`. */
static struct ld_section *make_note(struct ld *ld, const char *name, const char *owner, uint32_t type, const void *bytes,
                                    size_t used, size_t size)
{
    struct ld_section *s = co_ld_new_section(ld, name, SHT_NOTE, SHF_ALLOC, 4);
    s->size = 16 + ld_align(size, 4);
    s->buf = co_ld_alloc(ld, (size_t)s->size);
    s->data = s->buf;
    ld_put32(s->buf, 4);
    ld_put32(s->buf + 4, size);
    ld_put32(s->buf + 8, type);
    memcpy(s->buf + 12, owner, 4);
    if (used)
        memcpy(s->buf + 16, bytes, used);
    return s;
}

void co_ld_make_build_id(struct ld *ld)
{
    enum { NT_GNU_BUILD_ID = 3 };
    size_t n = id_size(ld), known = ld->opt.build_id == CODEOBJ_BUILD_ID_BYTES ? n : 0;
    if (ld->opt.build_id == CODEOBJ_BUILD_ID_NONE)
        return;
    ld->s_build_id = make_note(ld, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, ld->opt.build_id_bytes, known, n);
    co_ld_place_at(ld, ld->s_build_id, ld->s_build_id->name,
                   (((uint64_t)ld->files.count + 1) << 32) - 1); /* behind the notes of the inputs */
}

/* --package-metadata: .note.package of freedesktop.org's "Package Metadata for ELF Files": owner FDO, text. */
void co_ld_make_package_note(struct ld *ld)
{
    enum { NT_FDO_PACKAGING_METADATA = 0xcafe1a7e };
    const char *text = ld->opt.package_metadata;
    size_t n = ld->opt.package_metadata_size;
    if (text && !n)
        n = strlen(text);
    if (!text || !n || ld->relocatable)
        return;
    ld->s_package = make_note(ld, ".note.package", "FDO", NT_FDO_PACKAGING_METADATA, text, n, n + 1); /* and a zero */
    co_ld_place_section(ld, ld->s_package, ld->s_package->name);
}

/* The image is complete but for the ID itself, which is zero while it is made. */
void co_ld_put_build_id(struct ld *ld)
{
    if (!ld->s_build_id || !ld->s_build_id->out || ld->opt.build_id == CODEOBJ_BUILD_ID_BYTES)
        return;
    uint8_t id[20];
    const uint8_t *src = id;
    if (ld->opt.build_id == CODEOBJ_BUILD_ID_FAST)
        ld_put64(id, co_ld_hash(ld->image, (size_t)ld->image_size));
    else if (ld->opt.build_id == CODEOBJ_BUILD_ID_SHA1)
        sha1_buffer((const char *)ld->image, (size_t)ld->image_size, id);
    else
        md5_buffer((const char *)ld->image, (size_t)ld->image_size, id);
    size_t n = id_size(ld);
    if (n)
        memcpy(ld->image + ld->s_build_id->out->off + ld->s_build_id->out_off + 16, src, n);
}

/* SPDX-License-Identifier: MIT
 *
 * ld/output.c - the image: contents, headers, build ID.
 *
 * Contents are copied from the inputs and relocated where they have been copied
 * to; what the linker makes itself is filled in its own buffer first
 * (dynamic.c, symtab.c).  The image is cut into pieces (an input section, a
 * table), those into chunks of neighbours, and chunks are made independently:
 * in the image, or, where the caller takes the image piece by piece, in a buffer
 * that stays in the cache.  So a large image is never in memory whole.
 */
#include "script.h"

#include <stdlib.h>

void co_ld_put_contents(struct ld *ld, const struct ld_out *o, uint8_t *dst)
{
    if (o->contents) {
        memcpy(dst, o->contents, (size_t)o->size);
        return;
    }
    co_ld_script_fill(o, dst);
    EACH(i, o->secs) {
        const struct ld_section *sec = o->secs.items[i];
        if (sec->type == SHT_NOBITS || !sec->size || !sec->data)
            continue;
        memcpy(dst + sec->out_off, sec->data, (size_t)sec->size);
        if (sec->rel_idx && !ld->relocatable)
            co_ld_apply_window(ld, sec, dst + sec->out_off, 0, sec->size);
    }
}

/* ---- headers ------------------------------------------------------------------------------ */

static uint64_t entry_address(struct ld *ld)
{
    const char *name = ld->opt.entry;
    bool asked = name || (!ld->shared && !ld->relocatable);
    if (!name && !ld->relocatable)
        name = "_start";
    if (!name || !*name)
        return 0;
    const struct ld_symbol *s = co_ld_find(ld, name);
    if (s && s->kind != SYM_NONE) /* 0 if nothing defines it */
        return co_ld_symbol_addr(ld, s);
    char *end;
    uint64_t v = strtoull(name, &end, 0);
    if (!*end)
        return v;
    if (asked && (!(ld->opt.flags & CODEOBJ_LINK_ENTRY_OPTIONAL) || !ld->shared))
        co_ld_warn(ld, "cannot find entry symbol %s; not setting start address", name);
    return 0;
}

static void put_ehdr(struct ld *ld, uint8_t *p)
{
    bool sections = ld->s_shstrtab != NULL;
    uint32_t shnum = sections ? (uint32_t)ld->outs.count + 1 : 0, strndx = sections ? ld->s_shstrtab->out->idx : 0;
    static const uint8_t ident[] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
    memcpy(p, ident, sizeof ident);
    p[7] = ld->osabi;
    p[8] = ld->abi_version;
    ld_put16(p + 16, ld->relocatable ? ET_REL_ : ld->opt.kind == CODEOBJ_LINK_EXEC ? ET_EXEC_ : ET_DYN_);
    ld_put16(p + 18, EM_AMDGPU_);
    ld_put32(p + 20, 1);
    ld_put64(p + 24, entry_address(ld));
    ld_put64(p + 32, ld->phdrs.count ? EHDR_SIZE : 0);
    ld_put64(p + 40, sections ? ld->shoff : 0);
    ld_put32(p + 48, ld->e_flags);
    ld_put16(p + 52, EHDR_SIZE);
    ld_put16(p + 54, ld->phdrs.count ? PHDR_SIZE : 0);
    size_t phnum = 0;
    EACH(i, ld->phdrs)
        phnum += !ld->phdrs.items[i].removed;
    ld_put16(p + 56, phnum);
    ld_put16(p + 58, SHDR_SIZE);
    ld_put16(p + 60, shnum >= SHN_LORESERVE ? 0 : shnum);
    ld_put16(p + 62, strndx >= SHN_LORESERVE ? SHN_XINDEX : strndx);
    uint8_t *q = p + EHDR_SIZE;
    EACH(i, ld->phdrs) {
        const struct ld_phdr *h = &ld->phdrs.items[i];
        if (h->removed)
            continue;
        ld_put32(q, h->type);
        ld_put32(q + 4, h->flags);
        ld_put64(q + 8, h->off);
        ld_put64(q + 16, h->addr);
        ld_put64(q + 24, h->lma);
        ld_put64(q + 32, h->filesz);
        ld_put64(q + 40, h->memsz);
        ld_put64(q + 48, h->align);
        q += PHDR_SIZE;
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
            if ((first->flags & SHF_LINK_ORDER) && first->link < first->file->section_count)
                link = first->file->sections[first->link]->out;
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

enum { CHUNK = 256 * 1024, LARGEST_GAP = 4096, PARALLEL_FROM = 2 * 1024 * 1024 };

/* Bytes of the image that belong together; one of sec, out and data says what they are. */
struct piece {
    uint64_t off, size;
    const struct ld_section *sec;
    const struct ld_out *out;
    const uint8_t *data;
};

struct chunk {
    uint64_t off, size;
    size_t first, count; /* pieces */
};

struct writer {
    struct ld *ld;
    VEC(struct piece) pieces;
    VEC(struct chunk) chunks;
    bool no_memory, failed; /* set by any part, to true only */
    struct buffer {
        uint8_t *data;
        size_t size;
    } buffers[LD_MAX_THREADS];
};

static void add_piece(struct writer *w, struct piece p)
{
    if (p.size)
        *PUSH(w->ld, w->pieces) = p;
}

static void add_out(struct writer *w, const struct ld_out *o)
{
    if (o->contents || o->desc) {
        add_piece(w, (struct piece){ .off = o->off, .size = o->size, .out = o });
        return;
    }
    EACH(i, o->secs) {
        const struct ld_section *sec = o->secs.items[i];
        if (sec->type != SHT_NOBITS && sec->data)
            add_piece(w, (struct piece){ .off = o->off + sec->out_off, .size = sec->size, .sec = sec });
    }
}

/* Headers are made here and now, so that all pieces are alike. */
static void collect_pieces(struct writer *w)
{
    struct ld *ld = w->ld;
    w->pieces.cap = 2;
    EACH(i, ld->outs)
        w->pieces.cap += 1 + ld->outs.items[i]->secs.count;
    w->pieces.items = co_ld_array(ld, w->pieces.cap, sizeof *w->pieces.items);
    bool binary = ld->opt.flags & CODEOBJ_LINK_BINARY;
    size_t shdrs_size = (ld->outs.count + 1) * SHDR_SIZE;
    if (!binary) {
        uint8_t *ehdr = co_ld_alloc(ld, (size_t)ld->headers_size);
        put_ehdr(ld, ehdr);
        add_piece(w, (struct piece){ .size = ld->headers_size, .data = ehdr });
    }
    EACH(i, ld->outs) {
        const struct ld_out *o = ld->outs.items[i];
        if (o->type != SHT_NOBITS && o->size && (!binary || (o->flags & SHF_ALLOC)))
            add_out(w, o);
    }
    if (!binary) {
        uint8_t *shdrs = co_ld_alloc(ld, shdrs_size);
        if (ld->s_shstrtab) /* -z nosectionheader: zeros in their place, as ld.lld has it */
            put_shdrs(ld, shdrs);
        add_piece(w, (struct piece){ .off = ld->shoff, .size = shdrs_size, .data = shdrs });
    }
}

static int by_offset(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return x->off < y->off ? -1 : x->off > y->off;
}

/* Pieces in the order of the file, cut where a chunk is full or where a gap would be long. */
static void cut_chunks(struct writer *w)
{
    bool sorted = true;
    for (size_t i = 1; i < w->pieces.count; i++)
        sorted &= w->pieces.items[i - 1].off <= w->pieces.items[i].off;
    if (!sorted)
        qsort(w->pieces.items, w->pieces.count, sizeof *w->pieces.items, by_offset);
    struct chunk *c = NULL;
    EACH(i, w->pieces) {
        const struct piece *p = &w->pieces.items[i];
        uint64_t end = c ? c->off + c->size : 0;
        if (!c || p->off > end + LARGEST_GAP || (p->off + p->size - c->off > CHUNK && c->size)) {
            c = PUSH(w->ld, w->chunks);
            *c = (struct chunk){ .off = p->off, .first = i };
            end = p->off;
        }
        c->count++;
        if (p->off + p->size > end)
            c->size = p->off + p->size - c->off;
    }
}

/* The bytes of a piece from `from` on, up to `to`. */
static void put_piece(struct ld *ld, const struct piece *p, uint8_t *dst, uint64_t from, uint64_t to)
{
    if (p->out) {
        if (!ld->image)
            memset(dst, 0, (size_t)p->size);
        co_ld_put_contents(ld, p->out, dst);
        return;
    }
    const uint8_t *data = p->data ? p->data : p->sec->data;
    memcpy(dst, data + from, (size_t)(to - from));
    if (p->sec && p->sec->rel_idx && !ld->relocatable)
        co_ld_apply_window(ld, p->sec, dst, from, to);
}

static void hand_over(struct writer *w, uint64_t off, const void *data, uint64_t size)
{
    const struct codeobj_link_options *o = &w->ld->opt;
    if (!o->image_write(o->context, off, data, (size_t)size))
        w->failed = true;
}

/* A worker's own memory: the same for all of its chunks, so that it stays in the cache. */
static uint8_t *buffer(struct writer *w, unsigned worker, uint64_t size)
{
    struct buffer *b = &w->buffers[worker];
    if (size > b->size) {
        free(b->data);
        b->size = size > CHUNK ? (size_t)size : CHUNK;
        b->data = malloc(b->size);
    }
    if (!b->data) {
        b->size = 0;
        w->no_memory = true;
    }
    return b->data;
}

/* A piece that is larger than a chunk goes in parts, if its relocations are in order. */
static void stream_large(struct writer *w, unsigned worker, const struct piece *p)
{
    uint64_t step = p->out || (p->sec && p->sec->rel_idx && !p->sec->rel_sorted) ? p->size : CHUNK;
    uint8_t *buf = buffer(w, worker, step);
    if (!buf)
        return;
    for (uint64_t from = 0; from < p->size && !w->failed;) {
        uint64_t to = p->size - from > step ? from + step : p->size;
        if (p->sec && to < p->size)
            to = co_ld_reloc_boundary(p->sec, to);
        put_piece(w->ld, p, buf, from, to);
        hand_over(w, p->off + from, buf, to - from);
        from = to;
    }
}

static void make_chunk(void *context, unsigned worker, size_t part)
{
    struct writer *w = context;
    const struct chunk *c = &w->chunks.items[part];
    uint8_t *image = w->ld->image, *dst;
    uint64_t end = c->off;
    if (w->no_memory || w->failed)
        return;
    if (!image && c->count == 1 && c->size > CHUNK) {
        stream_large(w, worker, &w->pieces.items[c->first]);
        return;
    }
    if (!(dst = image ? image + c->off : buffer(w, worker, c->size)))
        return;
    for (size_t i = 0; i < c->count; i++) {
        const struct piece *p = &w->pieces.items[c->first + i];
        if (!image && p->off > end)
            memset(dst + (end - c->off), 0, (size_t)(p->off - end));
        put_piece(w->ld, p, dst + (p->off - c->off), 0, p->size);
        end = p->off + p->size > end ? p->off + p->size : end;
    }
    if (!image)
        hand_over(w, c->off, dst, c->size);
}

static bool hashes_image(const struct ld *ld)
{
    return ld->s_build_id && ld->s_build_id->out && ld->opt.build_id != CODEOBJ_BUILD_ID_BYTES;
}

static void alloc_image(struct ld *ld)
{
    if (ld->image_size > SIZE_MAX / 2)
        co_ld_no_memory(ld);
    size_t size = ld->image_size ? (size_t)ld->image_size : 1;
    if (ld->opt.image_write && !hashes_image(ld)) {
        ld->io_failed = ld->opt.image_begin && !ld->opt.image_begin(ld->opt.context, (size_t)ld->image_size);
        return;
    }
    ld->image = ld->opt.image_alloc ? ld->opt.image_alloc(ld->opt.context, size) : calloc(1, size);
    if (!ld->image)
        co_ld_no_memory(ld);
}

void co_ld_write(struct ld *ld)
{
    struct writer w = { .ld = ld };
    co_ld_fill_dynamic(ld);
    co_ld_fill_symtab(ld);
    if (!ld->relocatable)
        co_ld_fill_rela_outputs(ld);
    alloc_image(ld);
    collect_pieces(&w);
    cut_chunks(&w);
    if (ld->io_failed)
        return;
    if (ld->image_size >= PARALLEL_FROM)
        co_ld_parallel(ld, w.chunks.count, make_chunk, &w);
    else
        for (size_t i = 0; i < w.chunks.count; i++)
            make_chunk(&w, 0, i);
    for (size_t i = 0; i < LD_MAX_THREADS; i++)
        free(w.buffers[i].data);
    if (w.no_memory)
        co_ld_no_memory(ld);
    ld->io_failed = w.failed;
    co_ld_report_ranges(ld);
    co_ld_put_build_id(ld);
}

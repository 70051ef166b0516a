/* SPDX-License-Identifier: MIT
 *
 * bundle/walk.h - the walk's state, and what each container format offers it.
 *
 * walk.c decides what some bytes are and calls that format's co_enter_*(),
 * which calls back co_walk_bytes() for each thing inside.  Budgets bound depth,
 * visits, scanned bytes and unpacked memory whatever a file claims.
 */
#ifndef CO_BUNDLE_WALK_H
#define CO_BUNDLE_WALK_H

#include <codeobj/bundle.h>

#include "base/diag.h"
#include "base/span.h"

struct co_walk {
    const struct codeobj_walk_options *options;
    struct codeobj_diag *diag;
    enum codeobj_status status; /* of the first finding */
    bool stopped;               /* by the visitor, or because memory is out */
    unsigned depth_limit;
    uint64_t unpack_limit, unpacked; /* bytes */
    uint64_t work_limit, work;       /* bytes scanned and items visited, weighted */
    const uint8_t *map;              /* a mapping whose pages may be given back; NULL: none */
    size_t map_size, given_back;     /* bytes from its start */
};

/* codeobj_entry_fit() of an ID as it stands: one that names a GPU target that does not parse fits no object whose target is known. */
enum codeobj_entry_fit co_entry_id_fit(const struct codeobj_entry_id *id, const struct codeobj_target *object, bool one_bit_modes);

/* Where some bytes are. */
struct co_place {
    const char *name;     /* the way so far */
    const char *entry;
    const char *entry_id;
    struct co_span base;  /* offsets count from its start */
    bool is_unpacked;
    unsigned depth;
};

/* Reports what is wrong at `offset` of place's base; always returns status. */
enum codeobj_status co_walk_finding(struct co_walk *w, const struct co_place *place, enum codeobj_status status,
                                    const uint8_t *at, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Charges work; false (and a finding, once) when the budget is used up. */
bool co_walk_charge(struct co_walk *w, const struct co_place *place, uint64_t amount);

/* Looks at bytes inside `parent`, called `entry` there (entry_size bytes, may
 * be NULL).  is_id: entry is an entry ID. */
void co_walk_child(struct co_walk *w, const struct co_place *parent, struct co_span bytes, const char *entry,
                   size_t entry_size, bool is_id);
/* The same for bytes that are unpacked or elsewhere: offsets count from them. */
void co_walk_child_unpacked(struct co_walk *w, const struct co_place *parent, struct co_span bytes, const char *entry,
                            size_t entry_size);
/* A leaf whose kind is known already. */
void co_walk_leaf(struct co_walk *w, const struct co_place *parent, struct co_span bytes, enum codeobj_item_kind kind,
                  const char *entry, size_t entry_size, bool is_id, const char *note);
/* The same for an item with more to it. */
void co_walk_item(struct co_walk *w, const struct co_place *parent, struct co_span bytes, struct codeobj_item *item,
                  const char *entry, size_t entry_size);
/* Visits a section of a host file; true: look into it at *inner, then leave it. */
bool co_walk_enter_section(struct co_walk *w, const struct co_place *parent, struct co_span bytes, const char *name,
                           size_t name_size, struct co_place *inner);
void co_walk_leave_section(struct co_walk *w, struct co_place *inner, struct co_span bytes);
/* A section of a host file in which device code is looked for. */
void co_walk_section(struct co_walk *w, const struct co_place *parent, struct co_span bytes, const char *name,
                     size_t name_size, bool strict);

/* What begins at s.data, or CODEOBJ_ITEM_OTHER.  Certain from the magic alone. */
enum codeobj_item_kind co_sniff(struct co_span s);

/* Number of bytes from the start of s that belong to the thing of that kind
 * there; 0 when its header is broken. */
size_t co_extent(struct co_span s, enum codeobj_item_kind kind);
size_t co_bundle_extent(struct co_span s);
size_t co_ccob_extent(struct co_span s);
size_t co_offload_extent(struct co_span s);
size_t co_elf_extent(struct co_span s);
size_t co_archive_extent(struct co_span s);
/* Is a section for device code all one thing, of a kind that co_next_thing() does not look for? */
bool co_is_one_thing(struct co_span s);

/* Offset of the next magic of an embeddable thing at or after `from`, or s.size. */
size_t co_scan(struct co_span s, size_t from);

/* Offset of the next thing at or after `from` and the bytes it takes; s.size
 * when there is none.  strict: a magic with a broken header counts, with extent 0. */
size_t co_next_thing(struct co_span s, size_t from, bool strict, size_t *extent);

/* Finds things in bytes that are not one thing (sections, unknown files) and
 * visits them.  strict: a magic with a broken header behind it is a finding;
 * else it may well be chance, or a constant of a tool. */
void co_enter_raw(struct co_walk *w, const struct co_place *place, struct co_span s, bool strict);
void co_enter_archive(struct co_walk *w, const struct co_place *place, struct co_span s);
void co_enter_bundle(struct co_walk *w, const struct co_place *place, struct co_span s);
void co_enter_text_bundle(struct co_walk *w, const struct co_place *place, struct co_span s);
void co_enter_offload(struct co_walk *w, const struct co_place *place, struct co_span s);
void co_enter_host_elf(struct co_walk *w, const struct co_place *place, struct co_span s);
void co_enter_coff(struct co_walk *w, const struct co_place *place, struct co_span s);

/* A CCOB header, read and checked against the bytes at hand. */
struct co_ccob {
    uint16_t version;
    uint8_t method;      /* 1 zlib, 2 zstd */
    uint64_t total;      /* with the header; v1: all there is */
    uint64_t unpacked;
    uint64_t hash;
    unsigned header;     /* bytes */
};
bool co_ccob_read(struct co_span s, struct co_ccob *out, const char **problem);
/* Unpacks method 1 (zlib) or 2 (zstd); `unpacked` bytes are promised.  *out: owned, free().  *problem says why not. */
enum codeobj_status co_unpack(struct co_span in, uint8_t method, uint64_t unpacked, uint64_t limit, uint8_t **out, size_t *size,
                              const char **problem);

/* The header of an offload binary, read and checked against the bytes at hand. */
struct co_offload {
    uint32_t version;
    uint64_t size;        /* of all of it */
    uint64_t entries_off, count;
    uint64_t unpacked;    /* bytes of all of it when it is compressed from entries_off on; 0: it is not */
    uint8_t method;       /* as of co_unpack(); 0: not compressed */
};
bool co_offload_read(struct co_span s, struct co_offload *out);
/* Unpacks a compressed one into one that is not. */
enum codeobj_status co_offload_unpack(struct co_span s, const struct co_offload *offload, uint64_t limit, uint8_t **out, size_t *size,
                                      const char **problem);

/* Is s a COFF object of a host (it has no magic of its own)? */
bool co_is_coff_object(struct co_span s);
/* An ELF file of either class, little-endian, for EM_AMDGPU. */
bool co_is_amdgpu_elf(struct co_span s);

/* MD5 to 16 bytes; of libiberty, whose packages leave its header out. */
void *md5_buffer(const char *buffer, size_t size, void *digest);

#endif

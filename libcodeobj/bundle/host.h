/* SPDX-License-Identifier: MIT
 *
 * bundle/host.h - shared by the readers of host files: host.c (sections by
 * name), host_elf.c, host_coff.c, wrapper.c (what HIP hands to its runtime).
 */
#ifndef CO_BUNDLE_HOST_H
#define CO_BUNDLE_HOST_H

#include "bundle/walk.h"

/* A section of a host file by its name.  is_data: initialised data that is not code. */
void co_host_section(struct co_walk *w, const struct co_place *place, struct co_span bytes, const char *name, size_t n,
                     bool is_data);

/* .hipFatBinSegment, or .hipFatB where names have eight bytes. */
bool co_is_wrapper_section(const char *name, size_t n);

/* One record of it, and where its pointer leads as far as the file tells. */
struct co_wrapper {
    uint32_t magic, version;
    uint64_t pointer;        /* as stored; relocated by the format's reader */
    bool is_relocated;
    const char *symbol;      /* it leads to this undefined symbol; NULL: to `target` */
    size_t symbol_size;
    const char *section;     /* NULL: to no section that has bytes in the file */
    size_t section_size;
    uint64_t section_off;
    struct co_span target;   /* from where it points to the section's end */
};
struct co_wrappers {
    struct co_wrapper *items; /* owned, free with free() */
    size_t count;
    unsigned word;            /* bytes of a pointer: 4 or 8 */
    bool big;
};

/* Reads the records; false (and a finding) when memory is out. */
bool co_wrappers_read(struct co_walk *w, const struct co_place *place, struct co_span bytes, unsigned word, bool big,
                      struct co_wrappers *out);
/* The record whose pointer is at `off` of the section; NULL: none. */
struct co_wrapper *co_wrapper_at(const struct co_wrappers *wrappers, uint64_t off);
/* Its pointer leads `off` bytes into a section. */
void co_wrapper_lead(struct co_wrapper *wrapper, struct co_span section, const char *name, size_t name_size, uint64_t off);
/* Visits the section and its records, and frees them. */
void co_wrappers_visit(struct co_walk *w, const struct co_place *place, struct co_span bytes, const char *name, size_t n,
                       struct co_wrappers *wrappers);

#endif

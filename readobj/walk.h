/* SPDX-License-Identifier: MIT
 *
 * readobj/walk.h - the modes that look into containers, over one walk.
 *
 * walk.c opens the files, applies --target and calls the mode for each item;
 * list.c, extract.c and pack.c are such modes.
 */
#ifndef READOBJ_WALK_H
#define READOBJ_WALK_H

#include "readobj.h"

struct ro_walk {
    struct ro *ro;
    const char *file;     /* path on the command line */
    bool has_request;     /* --target */
    struct codeobj_target request;
    size_t code_objects, selected; /* in this file */
    size_t externals, modules; /* markers of code elsewhere; bitcode and SPIR-V */
    bool any_item;
    char *available;      /* targets seen, for the message when none matched; owned */
    uint64_t file_size;
    void *mode;           /* the mode's own state */
    struct ro_fetched *fetched; /* members of thin archives */
};

/* One pass over a file.  `item` (may be NULL) sees everything, `object` the
 * code objects that --target selects (bitcode and SPIR-V are for `item`).
 * `end` is called when the file is done. */
struct ro_walk_mode {
    void (*begin)(struct ro_walk *, const struct codeobj_item *top);
    void (*item)(struct ro_walk *, const struct codeobj_item *item);
    void (*object)(struct ro_walk *, const struct codeobj_item *item);
    void (*finished)(struct ro_walk *); /* behind the last item, whose bytes are still there unless they are unpacked */
    void (*end)(struct ro_walk *);
    bool quiet;    /* prints nothing before the end: a terminal is free for a line of progress */
    bool only_top; /* the file as a whole, whatever it is: nothing in it is visited */
};
void ro_walk_files(struct ro *ro, const struct ro_walk_mode *mode, void *state);

/* The item's target as text, "" when it has none. */
const char *ro_item_target(const struct codeobj_item *item, char buf[static 96]);
/* "elf", "archive", "bundle", "fatbinary" ...: JSON's word for the outermost item. */
const char *ro_container_word(const struct codeobj_item *top);

/* Opens the one code object of a file that is for `target` (NULL: any).  *bytes
 * belongs to the caller and must outlive *elf.  Prints what is wrong. */
bool ro_load_object(struct ro *ro, const char *path, const char *target, struct codeobj_elf **elf, void **bytes);

/* Writes a whole file or nothing. */
bool ro_write_file(struct ro *ro, const char *path, const void *data, size_t size);

#endif

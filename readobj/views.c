/* SPDX-License-Identifier: MIT
 *
 * readobj/views.c - what can be shown of one object, in printing order.
 */
#include "readobj.h"

const struct ro_view ro_views[] = {
    { RO_VIEW_SUMMARY, NULL, ro_summary_text, NULL },
    { RO_VIEW_HEADER, "header", ro_header_text, ro_header_json },
    { RO_VIEW_SEGMENTS, "segments", ro_segments_text, ro_segments_json },
    { RO_VIEW_SECTIONS, "sections", ro_sections_text, ro_sections_json },
    { RO_VIEW_SYMBOLS, "symbols", ro_symbols_text, ro_symbols_json },
    { RO_VIEW_DYNSYMS, "dynamic_symbols", ro_dynamic_symbols_text, ro_dynamic_symbols_json },
    { RO_VIEW_RELOCATIONS, "relocations", ro_relocations_text, ro_relocations_json },
    { RO_VIEW_DYNAMIC, "dynamic", ro_dynamic_text, ro_dynamic_json },
    { RO_VIEW_NOTES, "notes", ro_notes_text, ro_notes_json },
    { RO_VIEW_METADATA, "metadata", ro_metadata_text, ro_metadata_json },
    { RO_VIEW_GROUPS, "groups", ro_groups_text, ro_groups_json },
    { RO_VIEW_KERNELS, "kernels", ro_kernels_text, ro_kernels_json },
    { RO_VIEW_DISASSEMBLY, NULL, ro_disassembly_text, NULL },
    { RO_VIEW_HEX_DUMP, NULL, ro_hex_dump_text, NULL },
    { RO_VIEW_STRING_DUMP, NULL, ro_string_dump_text, NULL },
};
const size_t ro_view_count = sizeof ro_views / sizeof ro_views[0];

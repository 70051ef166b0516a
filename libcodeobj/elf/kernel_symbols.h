/* SPDX-License-Identifier: MIT
 *
 * elf/kernel_symbols.h - which symbols are kernels; offered to the rooms of kernels and checks.
 *
 * The list is made by the first question and kept, since big objects have tens
 * of thousands of kernels among many more symbols.
 */
#ifndef CO_ELF_KERNEL_SYMBOLS_H
#define CO_ELF_KERNEL_SYMBOLS_H

#include <codeobj/elf.h>

/* A defined NAME.kd, or a defined STT_AMDGPU_HSA_KERNEL. */
bool co_elf_is_kernel_symbol(const struct codeobj_elf_symbol *symbol);

/* Of .symtab, or of .dynsym in a stripped object. */
size_t co_elf_kernel_count(const struct codeobj_elf *elf);
bool co_elf_kernel_symbol(const struct codeobj_elf *elf, size_t idx, struct codeobj_elf_symbol *out);

/* The symbol whose name is `size` bytes of name (none NUL) and `suffix`.  Names of kernels may be very long. */
bool co_elf_symbol_by_parts(const struct codeobj_elf *elf, const char *name, size_t size, const char *suffix,
                            struct codeobj_elf_symbol *out);

#endif

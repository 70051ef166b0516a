/* SPDX-License-Identifier: MIT
 *
 * elf/names.c - enumerators as the specifications spell them.
 *
 * Rules: System V ABI; LLVM's User Guide for AMDGPU Backend (OS ABIs, notes);
 * LLVM's Extensions document (SHT_LLVM_*); the HSA finalizer's program headers.
 */
#include <codeobj/elf.h>

#include <elf.h>
#include <string.h>

struct name {
    uint32_t value;
    const char *text;
};

static const char *find(const struct name *names, size_t count, uint32_t value)
{
    for (size_t i = 0; i < count; i++)
        if (names[i].value == value)
            return names[i].text;
    return NULL;
}
#define FIND(table, value) find(table, sizeof table / sizeof *table, value)
#define N(x) { x, #x }

const char *codeobj_elf_type_name(uint32_t e_type)
{
    static const struct name names[] = { N(ET_NONE), N(ET_REL), N(ET_EXEC), N(ET_DYN), N(ET_CORE) };
    return FIND(names, e_type);
}

const char *codeobj_elf_osabi_name(uint32_t osabi)
{
    static const struct name names[] = { { 0, "none" }, { 64, "amdhsa" }, { 65, "amdpal" }, { 66, "mesa3d" } };
    return FIND(names, osabi);
}

const char *codeobj_elf_segment_type_name(uint32_t p_type)
{
    static const struct name names[] = {
        N(PT_NULL), N(PT_LOAD), N(PT_DYNAMIC), N(PT_INTERP), N(PT_NOTE), N(PT_SHLIB), N(PT_PHDR), N(PT_TLS),
        N(PT_GNU_EH_FRAME), N(PT_GNU_STACK), N(PT_GNU_RELRO), { 0x6474e553, "PT_GNU_PROPERTY" },
        { 0x60000000, "PT_AMDGPU_HSA_LOAD_GLOBAL_PROGRAM" },
        { 0x60000001, "PT_AMDGPU_HSA_LOAD_GLOBAL_AGENT" },
        { 0x60000002, "PT_AMDGPU_HSA_LOAD_READONLY_AGENT" },
        { 0x60000003, "PT_AMDGPU_HSA_LOAD_CODE_AGENT" },
    };
    return FIND(names, p_type);
}

const char *codeobj_elf_section_type_name(uint32_t sh_type)
{
    static const struct name names[] = {
        N(SHT_NULL), N(SHT_PROGBITS), N(SHT_SYMTAB), N(SHT_STRTAB), N(SHT_RELA), N(SHT_HASH), N(SHT_DYNAMIC), N(SHT_NOTE),
        N(SHT_NOBITS), N(SHT_REL), N(SHT_SHLIB), N(SHT_DYNSYM), N(SHT_INIT_ARRAY), N(SHT_FINI_ARRAY), N(SHT_PREINIT_ARRAY),
        N(SHT_GROUP), N(SHT_SYMTAB_SHNDX), { 19, "SHT_RELR" },
        { 0x60000001, "SHT_ANDROID_REL" }, { 0x60000002, "SHT_ANDROID_RELA" }, { 0x6fffff00, "SHT_ANDROID_RELR" },
        { 0x6fff4c00, "SHT_LLVM_ODRTAB" }, { 0x6fff4c01, "SHT_LLVM_LINKER_OPTIONS" }, { 0x6fff4c03, "SHT_LLVM_ADDRSIG" },
        { 0x6fff4c04, "SHT_LLVM_DEPENDENT_LIBRARIES" }, { 0x6fff4c05, "SHT_LLVM_SYMPART" },
        { 0x6fff4c09, "SHT_LLVM_CALL_GRAPH_PROFILE" }, { 0x6fff4c0a, "SHT_LLVM_BB_ADDR_MAP" },
        { 0x6fff4c0b, "SHT_LLVM_OFFLOADING" }, { 0x6fff4c0c, "SHT_LLVM_LTO" },
        N(SHT_GNU_ATTRIBUTES), N(SHT_GNU_HASH), N(SHT_GNU_verdef), N(SHT_GNU_verneed), N(SHT_GNU_versym),
    };
    return FIND(names, sh_type);
}

const char *codeobj_elf_symbol_type_name(uint32_t st_type)
{
    static const struct name names[] = {
        N(STT_NOTYPE), N(STT_OBJECT), N(STT_FUNC), N(STT_SECTION), N(STT_FILE), N(STT_COMMON), N(STT_TLS),
        { 10, "STT_AMDGPU_HSA_KERNEL" }, /* STT_GNU_IFUNC elsewhere */
    };
    return FIND(names, st_type);
}

const char *codeobj_elf_binding_name(uint32_t st_bind)
{
    static const struct name names[] = { N(STB_LOCAL), N(STB_GLOBAL), N(STB_WEAK), { 10, "STB_GNU_UNIQUE" } };
    return FIND(names, st_bind);
}

const char *codeobj_elf_visibility_name(uint32_t st_vis)
{
    static const struct name names[] = { N(STV_DEFAULT), N(STV_INTERNAL), N(STV_HIDDEN), N(STV_PROTECTED) };
    return FIND(names, st_vis);
}

const char *codeobj_elf_dynamic_tag_name(int64_t d_tag)
{
    static const struct name names[] = {
        N(DT_NULL), N(DT_NEEDED), N(DT_PLTRELSZ), N(DT_PLTGOT), N(DT_HASH), N(DT_STRTAB), N(DT_SYMTAB), N(DT_RELA),
        N(DT_RELASZ), N(DT_RELAENT), N(DT_STRSZ), N(DT_SYMENT), N(DT_INIT), N(DT_FINI), N(DT_SONAME), N(DT_RPATH),
        N(DT_SYMBOLIC), N(DT_REL), N(DT_RELSZ), N(DT_RELENT), N(DT_PLTREL), N(DT_DEBUG), N(DT_TEXTREL), N(DT_JMPREL),
        N(DT_BIND_NOW), N(DT_INIT_ARRAY), N(DT_FINI_ARRAY), N(DT_INIT_ARRAYSZ), N(DT_FINI_ARRAYSZ), N(DT_RUNPATH), N(DT_FLAGS),
        N(DT_PREINIT_ARRAY), N(DT_PREINIT_ARRAYSZ), { 34, "DT_SYMTAB_SHNDX" }, { 35, "DT_RELRSZ" }, { 36, "DT_RELR" },
        { 37, "DT_RELRENT" }, { 0x6000000f, "DT_ANDROID_REL" }, { 0x60000010, "DT_ANDROID_RELSZ" },
        { 0x60000011, "DT_ANDROID_RELA" }, { 0x60000012, "DT_ANDROID_RELASZ" },
        { 0x6fffe000, "DT_ANDROID_RELR" }, { 0x6fffe001, "DT_ANDROID_RELRSZ" }, { 0x6fffe003, "DT_ANDROID_RELRENT" },
        N(DT_GNU_HASH), N(DT_RELACOUNT), N(DT_RELCOUNT), N(DT_FLAGS_1), N(DT_VERSYM), N(DT_VERDEF), N(DT_VERDEFNUM),
        N(DT_VERNEED), N(DT_VERNEEDNUM), N(DT_CONFIG), N(DT_DEPAUDIT), N(DT_AUDIT), N(DT_AUXILIARY), N(DT_FILTER),
    };
    return d_tag < 0 || d_tag > UINT32_MAX ? NULL : FIND(names, (uint32_t)d_tag);
}

const char *codeobj_elf_note_type_name(const char *owner, size_t owner_size, uint32_t type)
{
    static const struct name amd[] = {
        { 1, "NT_AMD_HSA_CODE_OBJECT_VERSION" }, { 2, "NT_AMD_HSA_HSAIL" }, { 3, "NT_AMD_HSA_ISA_VERSION" },
        { 4, "NT_AMD_HSA_PRODUCER" }, { 5, "NT_AMD_HSA_PRODUCER_OPTIONS" }, { 6, "NT_AMD_HSA_EXTENSION" },
        { 10, "NT_AMD_HSA_METADATA" }, { 11, "NT_AMD_HSA_ISA_NAME" }, { 12, "NT_AMD_PAL_METADATA" },
        { 101, "NT_AMD_HSA_HLDEBUG_DEBUG" }, { 102, "NT_AMD_HSA_HLDEBUG_TARGET" },
    };
    static const struct name amdgpu[] = { { 32, "NT_AMDGPU_METADATA" }, { 33, "NT_AMDGPU_KFD_CORE_STATE" } };
    static const struct name gnu[] = {
        N(NT_GNU_ABI_TAG), N(NT_GNU_HWCAP), N(NT_GNU_BUILD_ID), N(NT_GNU_GOLD_VERSION), { 5, "NT_GNU_PROPERTY_TYPE_0" },
    };
    if (owner_size == 3 && !memcmp(owner, "AMD", 3))
        return FIND(amd, type);
    if (owner_size == 6 && !memcmp(owner, "AMDGPU", 6))
        return FIND(amdgpu, type);
    if (owner_size == 3 && !memcmp(owner, "GNU", 3))
        return FIND(gnu, type);
    return NULL;
}

/* SPDX-License-Identifier: MIT
 *
 * unit/test_elf_beside_libelf.c - the container as libelf reads it.
 *
 * libelf has read these structures for decades, so it is the judge: every object
 * of fixtures/ is opened with both, and headers, segments, sections, symbols,
 * relocations, dynamic entries and notes must agree field by field.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <codeobj/elf.h>

/* One file, opened by both. */
struct pair {
    struct codeobj_elf *ours;
    Elf *theirs;
};

static void same_headers(const struct pair *p)
{
    struct codeobj_elf_header h;
    GElf_Ehdr e;
    size_t shnum, phnum, shstrndx;
    codeobj_elf_header(p->ours, &h);
    assert_non_null(gelf_getehdr(p->theirs, &e));
    assert_int_equal(elf_getshdrnum(p->theirs, &shnum), 0);
    assert_int_equal(elf_getphdrnum(p->theirs, &phnum), 0);
    assert_int_equal(elf_getshdrstrndx(p->theirs, &shstrndx), 0);
    assert_int_equal(h.elf_class, e.e_ident[EI_CLASS]);
    assert_int_equal(h.osabi, e.e_ident[EI_OSABI]);
    assert_int_equal(h.abi_version, e.e_ident[EI_ABIVERSION]);
    assert_int_equal(h.type, e.e_type);
    assert_int_equal(h.machine, e.e_machine);
    assert_int_equal(h.entry, e.e_entry);
    assert_int_equal(h.phoff, e.e_phoff);
    assert_int_equal(h.shoff, e.e_shoff);
    assert_int_equal(h.flags, e.e_flags);
    assert_int_equal(h.shnum, shnum);
    assert_int_equal(h.phnum, phnum);
    assert_int_equal(h.shstrndx, shstrndx);
    assert_int_equal(codeobj_elf_section_count(p->ours), shnum);
    assert_int_equal(codeobj_elf_segment_count(p->ours), phnum);
}

static void same_segments(const struct pair *p)
{
    for (size_t i = 0; i < codeobj_elf_segment_count(p->ours); i++) {
        struct codeobj_elf_segment s;
        GElf_Phdr g;
        assert_int_equal(codeobj_elf_segment(p->ours, i, &s), CODEOBJ_OK);
        assert_non_null(gelf_getphdr(p->theirs, (int)i, &g));
        assert_int_equal(s.type, g.p_type);
        assert_int_equal(s.flags, g.p_flags);
        assert_int_equal(s.offset, g.p_offset);
        assert_int_equal(s.vaddr, g.p_vaddr);
        assert_int_equal(s.paddr, g.p_paddr);
        assert_int_equal(s.filesz, g.p_filesz);
        assert_int_equal(s.memsz, g.p_memsz);
        assert_int_equal(s.align, g.p_align);
    }
}

static void same_symbols(const struct pair *p, enum codeobj_elf_symtab table, Elf_Scn *scn, const GElf_Shdr *sh)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t count = sh->sh_size / sh->sh_entsize;
    assert_int_equal(codeobj_elf_symbol_count(p->ours, table), count);
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_symbol s;
        GElf_Sym g;
        assert_int_equal(codeobj_elf_symbol(p->ours, table, i, &s), CODEOBJ_OK);
        assert_non_null(gelf_getsym(data, (int)i, &g));
        assert_string_equal(s.name, elf_strptr(p->theirs, sh->sh_link, g.st_name));
        assert_int_equal(s.binding, GELF_ST_BIND(g.st_info));
        assert_int_equal(s.type, GELF_ST_TYPE(g.st_info));
        assert_int_equal(s.other, g.st_other);
        assert_int_equal(s.visibility, GELF_ST_VISIBILITY(g.st_other));
        assert_int_equal(s.value, g.st_value);
        assert_int_equal(s.size, g.st_size);
        if (g.st_shndx == SHN_ABS)
            assert_int_equal(s.shndx, CODEOBJ_SHN_ABS);
        else if (g.st_shndx == SHN_COMMON)
            assert_int_equal(s.shndx, CODEOBJ_SHN_COMMON);
        else if (g.st_shndx != SHN_XINDEX)
            assert_int_equal(s.shndx, g.st_shndx);
    }
}

static void same_relocations(const struct pair *p, size_t idx, Elf_Scn *scn, const GElf_Shdr *sh)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t count = sh->sh_size / sh->sh_entsize;
    assert_int_equal(codeobj_elf_relocation_count(p->ours, idx), count);
    for (size_t i = 0; i < count; i++) {
        struct codeobj_elf_relocation r;
        GElf_Rela g = { .r_addend = 0 };
        GElf_Rel rel;
        assert_int_equal(codeobj_elf_relocation(p->ours, idx, i, &r), CODEOBJ_OK);
        if (sh->sh_type == SHT_RELA) {
            assert_non_null(gelf_getrela(data, (int)i, &g));
        } else {
            assert_non_null(gelf_getrel(data, (int)i, &rel));
            g.r_offset = rel.r_offset;
            g.r_info = rel.r_info;
        }
        assert_int_equal(r.offset, g.r_offset);
        assert_int_equal(r.type, GELF_R_TYPE(g.r_info));
        assert_int_equal(r.symbol, GELF_R_SYM(g.r_info));
        assert_int_equal(r.addend, g.r_addend);
    }
}

static void same_dynamic(const struct pair *p, Elf_Scn *scn)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    GElf_Dyn g;
    size_t i = 0;
    for (; gelf_getdyn(data, (int)i, &g) && g.d_tag != DT_NULL; i++) {
        struct codeobj_elf_dynamic d;
        assert_int_equal(codeobj_elf_dynamic(p->ours, i, &d), CODEOBJ_OK);
        assert_int_equal(d.tag, g.d_tag);
        assert_int_equal(d.value, g.d_un.d_val);
    }
    assert_int_equal(codeobj_elf_dynamic_count(p->ours), i);
}

/* Notes of one section, from *next on; libelf pads by the section's alignment, which is right where that is 4. */
static void same_notes(const struct pair *p, size_t idx, Elf_Scn *scn, size_t *next)
{
    Elf_Data *data = elf_rawdata(scn, NULL);
    GElf_Nhdr g;
    size_t off = 0, name_off, desc_off;
    data->d_type = ELF_T_NHDR;
    while (off < data->d_size && (off = gelf_getnote(data, off, &g, &name_off, &desc_off)) > 0) {
        struct codeobj_elf_note n;
        assert_int_equal(codeobj_elf_note(p->ours, *next, &n), CODEOBJ_OK);
        assert_int_equal(n.section_idx, idx);
        assert_int_equal(n.type, g.n_type);
        assert_int_equal(n.desc_size, g.n_descsz);
        assert_memory_equal(n.desc, (char *)data->d_buf + desc_off, g.n_descsz);
        assert_memory_equal(n.owner, (char *)data->d_buf + name_off, n.owner_size);
        ++*next;
    }
}

static size_t notes_of(const struct pair *p, size_t section)
{
    struct codeobj_elf_note n;
    size_t count = 0;
    for (size_t i = 0; !codeobj_elf_note(p->ours, i, &n); i++)
        count += n.section_idx == section;
    return count;
}

static void same_sections(const struct pair *p)
{
    size_t shstrndx, notes = 0, i = 1;
    assert_int_equal(elf_getshdrstrndx(p->theirs, &shstrndx), 0);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(p->theirs, scn)) != NULL; i++) {
        struct codeobj_elf_section s;
        GElf_Shdr g;
        size_t size;
        assert_int_equal(codeobj_elf_section(p->ours, i, &s), CODEOBJ_OK);
        assert_non_null(gelf_getshdr(scn, &g));
        assert_string_equal(s.name, elf_strptr(p->theirs, shstrndx, g.sh_name));
        assert_int_equal(s.type, g.sh_type);
        assert_int_equal(s.flags, g.sh_flags);
        assert_int_equal(s.addr, g.sh_addr);
        assert_int_equal(s.offset, g.sh_offset);
        assert_int_equal(s.size, g.sh_size);
        assert_int_equal(s.link, g.sh_link);
        assert_int_equal(s.info, g.sh_info);
        assert_int_equal(s.align, g.sh_addralign);
        assert_int_equal(s.entsize, g.sh_entsize);
        Elf_Data *raw = elf_rawdata(scn, NULL);
        const void *bytes = codeobj_elf_section_data(p->ours, i, &size);
        if (g.sh_type != SHT_NOBITS && size) {
            assert_int_equal(size, raw->d_size);
            assert_memory_equal(bytes, raw->d_buf, size);
        }
        if (g.sh_type == SHT_SYMTAB || g.sh_type == SHT_DYNSYM)
            same_symbols(p, g.sh_type == SHT_DYNSYM ? CODEOBJ_DYNSYM : CODEOBJ_SYMTAB, scn, &g);
        else if (g.sh_type == SHT_RELA || g.sh_type == SHT_REL)
            same_relocations(p, i, scn, &g);
        else if (g.sh_type == SHT_DYNAMIC)
            same_dynamic(p, scn);
        else if (g.sh_type == SHT_NOTE && g.sh_addralign == 4)
            same_notes(p, i, scn, &notes);
        else if (g.sh_type == SHT_NOTE)
            notes += notes_of(p, i); /* finalizers padded to 4 in a section aligned to 8, where libelf loses its way */
    }
    assert_int_equal(codeobj_elf_note_count(p->ours), notes);
}

static unsigned compared;

/* Whatever is an AMDGPU object is compared; fixtures/ also holds archives, data and sources. */
static int compare_file(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)at;
    struct pair p = { NULL, NULL };
    if (type != FTW_F || codeobj_elf_open_file(path, NULL, &p.ours, NULL))
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    p.theirs = elf_begin(fd, ELF_C_READ, NULL);
    assert_non_null(p.theirs);
    print_message("# %s\n", path);
    same_headers(&p);
    same_segments(&p);
    same_sections(&p);
    elf_end(p.theirs);
    close(fd);
    codeobj_elf_free(p.ours);
    compared++;
    return 0;
}

static void test_fixtures(void **state)
{
    (void)state;
    assert_int_not_equal(elf_version(EV_CURRENT), EV_NONE);
    assert_int_equal(nftw("fixtures", compare_file, 16, FTW_PHYS), 0);
    assert_true(compared >= 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fixtures) };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

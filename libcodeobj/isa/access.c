/* SPDX-License-Identifier: MIT
 *
 * isa/access.c - what an instruction touches: registers, with an operand or without one, and memory.
 *
 * Sources: the operand roles of the decoder, the row flags (table/<format>.def) and, for what the memory formats use
 * without an operand, the chapters "Data share", "Flat memory" and "Scalar memory" of AMD's ISA documents: M0 bounds LDS
 * up to gfx8, holds the LDS address of transfers between memory and LDS, and the base of GDS and ADDTID addresses.
 */
#include "isa/mem.h"

#include "isa/decoder.h"
#include "isa/semantics.h"

#include <string.h>

enum { VCC = 106, EXEC = 126 };

/* ---- memory ------------------------------------------------------------------------------- */

/* Bytes of "load_u8", "atomic_cmpswap_b64": the first piece that is a type and a number of bits; 0 when there is none. */
static unsigned bytes_of(const char *token)
{
    bool packed = strstr(token, "pk_") != NULL;

    if (strstr(token, "format") || strstr(token, "block"))
        return 0;
    for (const char *p = token; (p = strchr(p, '_')); ) {
        const char *q = ++p;
        unsigned bits = 0;

        if (*q == 'b' && q[1] == 'f')
            q += 2;
        else if (*q == 'b' || *q == 'u' || *q == 'i' || *q == 'f')
            q++;
        if (q == p || *q < '0' || *q > '9')
            continue;
        while (*q >= '0' && *q <= '9')
            bits = bits * 10 + (unsigned)(*q++ - '0');
        if (*q && *q != '_')
            continue;
        return bits / 8 * (packed ? 2 : 1);
    }
    return 0;
}

/* First operand of a role, or -1. */
static int8_t operand_of(const struct codeobj_isa_inst *inst, unsigned role)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].role == role && inst->operands[i].kind != CODEOBJ_OPERAND_NONE)
            return (int8_t)i;
    return -1;
}

static void find_operands(const struct codeobj_isa_inst *inst, struct codeobj_isa_memory *m)
{
    int8_t both = operand_of(inst, CODEOBJ_ROLE_DSTSRC);

    m->dst = both >= 0 ? both : operand_of(inst, CODEOBJ_ROLE_DST);
    m->data = operand_of(inst, CODEOBJ_ROLE_DATA0);
    if (m->data < 0 && both >= 0 && m->kind == CODEOBJ_MEMORY_ATOMIC)
        m->data = both;
    m->data1 = operand_of(inst, CODEOBJ_ROLE_DATA1);
    m->addr = operand_of(inst, CODEOBJ_ROLE_ADDR);
    m->saddr = operand_of(inst, CODEOBJ_ROLE_SADDR);
    m->rsrc = operand_of(inst, CODEOBJ_ROLE_RSRC);
    m->soffset = operand_of(inst, CODEOBJ_ROLE_SOFFSET);
    for (unsigned i = 0; i < inst->operand_count; i++)
        m->addr_count += inst->operands[i].role == CODEOBJ_ROLE_ADDR && inst->operands[i].kind != CODEOBJ_OPERAND_NONE;
    if (m->kind == CODEOBJ_MEMORY_ATOMIC)
        m->returns = m->dst >= 0;
}

/* Instructions of the memory formats that reach no memory. */
static bool no_memory(const char *token)
{
    static const char *const names[] = { "permute", "swizzle", "gws", "ds_nop", "gs_reg", "s_memtime", "s_memrealtime", "waveid" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(token, names[i]))
            return true;
    return false;
}

static enum codeobj_isa_memory_kind smem_kind(const char *token)
{
    if (strstr(token, "cache") || strstr(token, "gl1_inv"))
        return CODEOBJ_MEMORY_CACHE;
    if (strstr(token, "prefetch") || strstr(token, "probe"))
        return CODEOBJ_MEMORY_PREFETCH;
    return strstr(token, "atomic") ? CODEOBJ_MEMORY_ATOMIC : strstr(token, "store") ? CODEOBJ_MEMORY_STORE : CODEOBJ_MEMORY_LOAD;
}

static void smem(const struct codeobj_isa_inst *inst, const char *token, struct codeobj_isa_memory *m)
{
    m->kind = (uint8_t)smem_kind(token);
    m->space = strstr(token, "scratch") ? CODEOBJ_SPACE_SCRATCH : strstr(token, "buffer") ? CODEOBJ_SPACE_BUFFER : CODEOBJ_SPACE_GLOBAL;
    m->scalar = 1;
    find_operands(inst, m);
    if (m->space == CODEOBJ_SPACE_BUFFER) { /* sbase is a descriptor */
        m->rsrc = m->saddr;
        m->saddr = -1;
    }
    if (m->kind >= CODEOBJ_MEMORY_PREFETCH) {
        m->data = -1;
        return;
    }
    int8_t data = m->dst >= 0 ? m->dst : m->data;
    m->bytes = (uint16_t)bytes_of(token);
    if (!m->bytes && data >= 0)
        m->bytes = (uint16_t)(inst->operands[data].dwords * 4u / (strstr(token, "cmpswap") ? 2 : 1));
}

static enum codeobj_isa_memory_space space_of(const struct codeobj_isa_inst *inst, const struct co_isa_row *row)
{
    switch (inst->format) {
    case CODEOBJ_FMT_DS: return inst->mod.gds || row->flags & CO_MEM_GDS_ONLY ? CODEOBJ_SPACE_GDS : CODEOBJ_SPACE_LDS;
    case CODEOBJ_FMT_MUBUF:
    case CODEOBJ_FMT_MTBUF: return CODEOBJ_SPACE_BUFFER;
    case CODEOBJ_FMT_MIMG: return row->flags & CO_IMG_TENSOR ? CODEOBJ_SPACE_GLOBAL : CODEOBJ_SPACE_IMAGE;
    case CODEOBJ_FMT_FLAT: return CODEOBJ_SPACE_FLAT;
    case CODEOBJ_FMT_SCRATCH: return CODEOBJ_SPACE_SCRATCH;
    default: return CODEOBJ_SPACE_GLOBAL;
    }
}

static void vector(const struct codeobj_isa_inst *inst, const struct co_isa_row *row, const char *token, struct codeobj_isa_memory *m)
{
    bool store = strstr(token, "store") != NULL;

    m->space = (uint8_t)space_of(inst, row);
    switch (co_mem_kind_of(row)) {
    case CO_MEM_LOAD: m->kind = CODEOBJ_MEMORY_LOAD; break;
    case CO_MEM_STORE: m->kind = CODEOBJ_MEMORY_STORE; break;
    case CO_MEM_ATOMIC: m->kind = CODEOBJ_MEMORY_ATOMIC; break;
    case CO_MEM_LDS:
    case CO_MEM_ASYNC:
        m->kind = store ? CODEOBJ_MEMORY_STORE : CODEOBJ_MEMORY_LOAD;
        m->lds = 1;
        break;
    case CO_MEM_PREFETCH: m->kind = CODEOBJ_MEMORY_PREFETCH; break;
    case CO_MEM_CACHE: m->kind = CODEOBJ_MEMORY_CACHE; break;
    }
    m->lds |= inst->mod.lds && m->kind == CODEOBJ_MEMORY_LOAD;
    if (inst->format == CODEOBJ_FMT_MIMG && row->flags & CO_IMG_TENSOR) {
        m->lds = m->scalar = 1;
        m->kind = store ? CODEOBJ_MEMORY_STORE : CODEOBJ_MEMORY_LOAD;
    }
    if (!strcmp(token, "ds_consume") || !strcmp(token, "ds_append") || !strcmp(token, "ds_ordered_count"))
        m->kind = CODEOBJ_MEMORY_ATOMIC;
    find_operands(inst, m);
    if (inst->format == CODEOBJ_FMT_DS && row->flags & CO_MEM_OFF2)
        m->addresses = 2;
    if (inst->format != CODEOBJ_FMT_MIMG && m->kind < CODEOBJ_MEMORY_PREFETCH && !strstr(token, "bvh"))
        m->bytes = m->kind == CODEOBJ_MEMORY_ATOMIC && !bytes_of(token) ? 4 : (uint16_t)bytes_of(token);
}

bool codeobj_isa_memory(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, struct codeobj_isa_memory *out)
{
    struct codeobj_isa_memory m = { .addresses = 1, .dst = -1, .data = -1, .data1 = -1, .addr = -1, .saddr = -1, .rsrc = -1, .soffset = -1 };
    const struct co_isa_row *row = &co_isa_rows[inst->row < co_isa_row_total ? inst->row : 0];
    const char *token = co_isa_row_token(inst->row);

    (void)isa;
    if (!inst->row || no_memory(token))
        return false;
    switch (inst->format) {
    case CODEOBJ_FMT_SMEM:
        smem(inst, token, &m);
        break;
    case CODEOBJ_FMT_LDSDIR:
        m.kind = CODEOBJ_MEMORY_LOAD;
        m.space = CODEOBJ_SPACE_LDS;
        m.bytes = 4;
        find_operands(inst, &m);
        break;
    case CODEOBJ_FMT_DS:
    case CODEOBJ_FMT_MUBUF:
    case CODEOBJ_FMT_MTBUF:
    case CODEOBJ_FMT_MIMG:
    case CODEOBJ_FMT_FLAT:
    case CODEOBJ_FMT_GLOBAL:
    case CODEOBJ_FMT_SCRATCH:
        vector(inst, row, token, &m);
        break;
    default:
        return false;
    }
    *out = m;
    return true;
}

/* ---- registers ------------------------------------------------------------------------------ */

struct list {
    struct codeobj_isa_access *out;
    size_t room, count;
};

static void add(struct list *l, unsigned file, unsigned access, int operand, unsigned reg, unsigned count)
{
    if (l->count < l->room)
        l->out[l->count] = (struct codeobj_isa_access){ (uint8_t)file, (uint8_t)access, (int8_t)operand, (uint16_t)reg, (uint16_t)count };
    l->count++;
}

static unsigned m0_of(const struct codeobj_isa *isa)
{
    return isa->gen >= CODEOBJ_GEN_GFX11 ? 125 : 124;
}

static void add_flat_scratch(const struct codeobj_isa *isa, struct list *l, int operand)
{
    bool sgprs = isa->gen <= CODEOBJ_GEN_GFX9 && !(isa->gfx90a && isa->processor->minor >= 4);
    if (sgprs)
        add(l, CODEOBJ_FILE_SGPR, CODEOBJ_ACCESS_READ, operand, isa->gen == CODEOBJ_GEN_GFX7 ? 104 : 102, 2);
    else
        add(l, CODEOBJ_FILE_FLAT_SCRATCH, CODEOBJ_ACCESS_READ, operand, 0, 2);
}

/* What a special source stands for. */
static void add_special(const struct codeobj_isa *isa, struct list *l, const struct codeobj_isa_operand *o, int i)
{
    switch (o->reg) {
    case CODEOBJ_SPECIAL_VCCZ: add(l, CODEOBJ_FILE_SGPR, CODEOBJ_ACCESS_READ, i, VCC, isa->mask_dwords); break;
    case CODEOBJ_SPECIAL_EXECZ: add(l, CODEOBJ_FILE_SGPR, CODEOBJ_ACCESS_READ, i, EXEC, isa->mask_dwords); break;
    case CODEOBJ_SPECIAL_SCC: add(l, CODEOBJ_FILE_SCC, CODEOBJ_ACCESS_READ, i, 0, 1); break;
    case CODEOBJ_SPECIAL_LDS_DIRECT: add(l, CODEOBJ_FILE_SGPR, CODEOBJ_ACCESS_READ, i, m0_of(isa), 1); break;
    case CODEOBJ_SPECIAL_FLAT_SCRATCH_BASE_LO:
    case CODEOBJ_SPECIAL_FLAT_SCRATCH_BASE_HI: add_flat_scratch(isa, l, i); break;
    default: break;
    }
}

static unsigned access_of(const struct codeobj_isa_inst *inst, const struct codeobj_isa_operand *o)
{
    unsigned sem = co_isa_rows[inst->row].sem;
    bool swap = sem == CO_SEM_v_swap_b32 || sem == CO_SEM_v_swap_b16 || sem == CO_SEM_v_permlane16_swap_b32 ||
                sem == CO_SEM_v_permlane32_swap_b32 || sem == CO_SEM_v_swaprel_b32;

    switch (o->role) {
    case CODEOBJ_ROLE_DST:
    case CODEOBJ_ROLE_DST2: return CODEOBJ_ACCESS_WRITE;
    case CODEOBJ_ROLE_DSTSRC: return CODEOBJ_ACCESS_READ | CODEOBJ_ACCESS_WRITE;
    default: return swap ? CODEOBJ_ACCESS_READ | CODEOBJ_ACCESS_WRITE : CODEOBJ_ACCESS_READ;
    }
}

static void add_operands(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, struct list *l)
{
    unsigned null = isa->gen >= CODEOBJ_GEN_GFX11 ? 124 : isa->gen >= CODEOBJ_GEN_GFX8 ? 125 : UINT16_MAX; /* LLVM reads it from gfx8 on */

    for (unsigned i = 0; i < inst->operand_count; i++) {
        const struct codeobj_isa_operand *o = &inst->operands[i];
        unsigned count = o->dwords ? o->dwords : 1;
        switch (o->kind) {
        case CODEOBJ_OPERAND_VGPR: add(l, CODEOBJ_FILE_VGPR, access_of(inst, o), (int)i, o->reg, count); break;
        case CODEOBJ_OPERAND_AGPR: add(l, CODEOBJ_FILE_AGPR, access_of(inst, o), (int)i, o->reg, count); break;
        case CODEOBJ_OPERAND_SGPR:
            if (o->reg != null)
                add(l, CODEOBJ_FILE_SGPR, access_of(inst, o), (int)i, o->reg, count);
            break;
        case CODEOBJ_OPERAND_SPECIAL: add_special(isa, l, o, (int)i); break;
        default: break;
        }
    }
}

static bool names(const struct codeobj_isa_inst *inst, unsigned file_kind, unsigned reg)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].kind == file_kind && inst->operands[i].reg == reg && inst->operands[i].flags & CODEOBJ_OPERAND_HIDDEN)
            return true;
    return false;
}

/* M0 and FLAT_SCRATCH of the memory formats. */
static void add_memory(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, struct list *l)
{
    const struct co_isa_row *row = &co_isa_rows[inst->row];
    const char *token = co_isa_row_token(inst->row);
    bool m0 = false, old = isa->gen <= CODEOBJ_GEN_GFX8;
    struct codeobj_isa_memory m;

    switch (inst->format) {
    case CODEOBJ_FMT_DS:
        m0 = (old && codeobj_isa_memory(isa, inst, &m)) || inst->mod.gds || row->flags & (CO_MEM_GDS_ONLY | CO_MEM_ADDTID) ||
             !strcmp(token, "ds_consume") || !strcmp(token, "ds_append");
        break;
    case CODEOBJ_FMT_FLAT:
        m0 = old && co_mem_kind_of(row) != CO_MEM_CACHE;
        break;
    case CODEOBJ_FMT_GLOBAL:
    case CODEOBJ_FMT_SCRATCH:
    case CODEOBJ_FMT_MUBUF:
        m0 = co_mem_kind_of(row) == CO_MEM_LDS || (inst->mod.lds && co_mem_kind_of(row) == CO_MEM_LOAD) || strstr(token, "block");
        break;
    default:
        break;
    }
    if (m0)
        add(l, CODEOBJ_FILE_SGPR, CODEOBJ_ACCESS_READ, -1, m0_of(isa), 1);
    bool flat = inst->format == CODEOBJ_FMT_FLAT || inst->format == CODEOBJ_FMT_SCRATCH;
    if ((flat && co_mem_kind_of(row) != CO_MEM_CACHE) || (inst->format == CODEOBJ_FMT_SMEM && strstr(token, "s_scratch_")))
        add_flat_scratch(isa, l, -1);
}

static void add_implicit(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, struct list *l)
{
    uint32_t set = codeobj_isa_implicit(inst);
    const struct {
        uint32_t read, write;
        uint8_t file;
        unsigned reg, count;
    } map[] = {
        { CODEOBJ_IMPLICIT_READS_SCC, CODEOBJ_IMPLICIT_WRITES_SCC, CODEOBJ_FILE_SCC, 0, 1 },
        { CODEOBJ_IMPLICIT_READS_VCC, CODEOBJ_IMPLICIT_WRITES_VCC, CODEOBJ_FILE_SGPR, VCC, isa->mask_dwords },
        { CODEOBJ_IMPLICIT_READS_EXEC, CODEOBJ_IMPLICIT_WRITES_EXEC, CODEOBJ_FILE_SGPR, EXEC, isa->mask_dwords },
        { CODEOBJ_IMPLICIT_READS_MODE, CODEOBJ_IMPLICIT_WRITES_MODE, CODEOBJ_FILE_MODE, 0, 1 },
        { CODEOBJ_IMPLICIT_READS_M0, CODEOBJ_IMPLICIT_WRITES_M0, CODEOBJ_FILE_SGPR, m0_of(isa), 1 },
    };

    for (size_t i = 0; i < sizeof map / sizeof *map; i++) {
        unsigned access = (set & map[i].read ? CODEOBJ_ACCESS_READ : 0u) | (set & map[i].write ? CODEOBJ_ACCESS_WRITE : 0u);
        /* A hidden operand says the same (EXEC of v_cmpx). */
        if (map[i].file == CODEOBJ_FILE_SGPR && names(inst, CODEOBJ_OPERAND_SGPR, map[i].reg))
            access &= ~CODEOBJ_ACCESS_WRITE;
        if (access)
            add(l, map[i].file, access, -1, map[i].reg, map[i].count);
    }
}

size_t codeobj_isa_registers(const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst, struct codeobj_isa_access *out,
                             size_t room)
{
    struct list l = { out, room, 0 };

    if (!inst->row || inst->row >= co_isa_row_total)
        return 0;
    add_operands(isa, inst, &l);
    add_implicit(isa, inst, &l);
    add_memory(isa, inst, &l);
    return l.count;
}

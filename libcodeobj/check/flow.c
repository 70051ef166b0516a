/* SPDX-License-Identifier: MIT
 *
 * check/flow.c - functions, the calls between them, and the registers each names.
 *
 * A function is read once, from its entry to its end: as its symbol says, else
 * to the first return or end of program that no branch leads past.  On the way
 * the scalar registers whose values are plain to see are followed, so that the
 * usual ways to call (s_getpc with two adds, with or without a GOT slot; an
 * absolute address; s_call) give their callee:
 *
 *     s_getpc_b64 s[4:5]            ; the address of the next instruction
 *     s_add_u32 s4, s4, f@rel32@lo+4
 *     s_addc_u32 s5, s5, f@rel32@hi+12
 *     s_swappc_b64 s[30:31], s[4:5]
 *
 * Calls through pointers of which nothing is known lead nowhere: what is
 * reported is used for certain, what is not reported may be, and the first such
 * call is told.  s_setpc_b64 is how a function returns, too: only a kernel, which
 * has nowhere to return to but from what its own symbol holds, is said to jump by it.
 *
 * In relocatable objects an address is a section's index in the upper word and
 * an offset in the lower; relocations are applied to literals as they are read,
 * with a GOT in a section of its own.  What other objects define lies in another
 * one: a call there is one to a name, not through a pointer.
 */
#include "check/flow.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <codeobj/isa.h>
#include <codeobj/load.h>

#include "base/span.h"
#include "elf/kernel_symbols.h"

enum { SGPRS = 128, FIRST_SPECIAL_SGPR = 102, /* from there on VCC, trap and other registers, as generations have them */
       GOT_SECTION = 0x7fff, ELSEWHERE_SECTION = 0x7ffe, SPILLS = 64, MAX_LOADS = 1 << 16 /* remembered */ };
#define WORK_BASE ((uint64_t)64 << 20) /* bytes decoded, on top of eight times the file's */

/* Instructions that matter to the values of scalar registers. */
enum action { OTHER, GETPC, ADD, ADDC, ADD64, MOV32, MOV64, SEXT16, LOAD64, WRITELANE, READLANE, SWAPPC, SETPC, CALL, END };
static const struct {
    const char *semantic;
    enum action action;
} actions[] = {
    { "s_getpc_b64", GETPC },     { "s_get_pc_i64", GETPC },       { "s_add_u32", ADD },
    { "s_addc_u32", ADDC },       { "s_add_nc_u64", ADD64 },       { "s_mov_b32", MOV32 },
    { "s_mov_b64", MOV64 },       { "s_sext_i32_i16", SEXT16 },    { "s_load_dwordx2", LOAD64 },
    { "v_writelane_b32", WRITELANE }, { "v_readlane_b32", READLANE }, { "s_swappc_b64", SWAPPC },
    { "s_swap_pc_i64", SWAPPC },  { "s_setpc_b64", SETPC },        { "s_set_pc_i64", SETPC },
    { "s_call_b64", CALL },       { "s_call_i64", CALL },          { "s_endpgm", END },
};

struct relocation {
    uint64_t place;
    struct codeobj_elf_relocation r;
};
struct extent { /* of a function's symbol */
    uint64_t addr, size;
    const char *name;
};
struct load { /* of eight bytes from a known address */
    uint64_t addr;
    struct co_code_place at;
};
struct function {
    uint64_t addr;
    unsigned wave;
    bool is_read;
    struct co_code_usage own;
    uint32_t *callees;
    uint32_t callee_count, callee_room;
    uint32_t mark; /* of the kernel that reached it last */
};

struct co_flow {
    struct co_check *c;
    bool relocatable;
    struct codeobj_isa *isa[2]; /* of wave32 and wave64 */
    uint8_t *actions;           /* by row */
    struct codeobj_image *image;
    struct relocation *relocations;
    size_t relocation_count;
    struct extent *extents;
    size_t extent_count;
    struct function *functions;
    uint32_t function_count, function_room;
    uint32_t *table; /* hash of functions, their number plus one; a power of two large */
    uint32_t table_size;
    uint32_t mark;
    struct load *loads;
    size_t load_count, load_room;
    uint64_t work, work_limit;
    bool failed; /* memory is out */
};

/* ---- what the object says --------------------------------------------------------- */

static uint64_t section_base(const struct co_flow *f, const struct codeobj_elf_section *s)
{
    return f->relocatable ? (uint64_t)s->idx << 32 : s->addr;
}

/* Address of a defined symbol, 0 when there is none. */
static uint64_t symbol_address(const struct co_flow *f, const struct codeobj_elf_symbol *s)
{
    if (s->shndx == CODEOBJ_SHN_UNDEF || s->shndx >= ELSEWHERE_SECTION || (f->relocatable && s->value > UINT32_MAX))
        return 0;
    return f->relocatable ? (uint64_t)s->shndx << 32 | s->value : s->value;
}

/* The same for what code refers to, which may be defined elsewhere. */
static uint64_t reference_address(const struct co_flow *f, const struct codeobj_elf_symbol *s)
{
    return f->relocatable && s->shndx == CODEOBJ_SHN_UNDEF ? (uint64_t)ELSEWHERE_SECTION << 32 : symbol_address(f, s);
}

static int by_place(const void *a, const void *b)
{
    const struct relocation *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_address(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;
    return x->addr != y->addr ? (x->addr > y->addr) - (x->addr < y->addr) : (x->size < y->size) - (x->size > y->size);
}

static void read_relocations(struct co_flow *f)
{
    const struct codeobj_elf *elf = f->c->elf;
    struct codeobj_elf_section s, target;
    size_t total = 0;
    for (size_t i = 1; !codeobj_elf_section(elf, i, &s); i++)
        total += s.type == SHT_RELA ? codeobj_elf_relocation_count(elf, i) : 0;
    f->relocations = calloc(total ? total : 1, sizeof *f->relocations);
    f->failed |= !f->relocations;
    for (size_t i = 1; !f->failed && !codeobj_elf_section(elf, i, &s); i++) {
        struct codeobj_elf_relocation r;
        if (s.type != SHT_RELA || codeobj_elf_section(elf, s.info, &target) || !(target.flags & SHF_EXECINSTR))
            continue;
        for (size_t n = 0; f->relocation_count < total && !codeobj_elf_relocation(elf, i, n, &r); n++)
            f->relocations[f->relocation_count++] = (struct relocation){ section_base(f, &target) + r.offset, r };
    }
    if (!f->failed)
        qsort(f->relocations, f->relocation_count, sizeof *f->relocations, by_place);
}

static void read_extents(struct co_flow *f)
{
    size_t total = codeobj_elf_symbol_count(f->c->elf, CODEOBJ_SYMTAB) + codeobj_elf_symbol_count(f->c->elf, CODEOBJ_DYNSYM);
    f->extents = calloc(total ? total : 1, sizeof *f->extents);
    f->failed |= !f->extents;
    for (int t = 0; !f->failed && t < 2; t++) {
        struct codeobj_elf_symbol s;
        for (size_t i = 1; f->extent_count < total && !codeobj_elf_symbol(f->c->elf, t, i, &s); i++) {
            uint64_t addr = s.type == STT_FUNC ? symbol_address(f, &s) : 0;
            if (addr)
                f->extents[f->extent_count++] = (struct extent){ addr, s.size, s.name };
        }
    }
    if (!f->failed)
        qsort(f->extents, f->extent_count, sizeof *f->extents, by_address);
}

/* The first of the extents at addr: the largest. */
static const struct extent *extent_at(const struct co_flow *f, uint64_t addr)
{
    size_t low = 0, high = f->extent_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (f->extents[mid].addr < addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low < f->extent_count && f->extents[low].addr == addr ? &f->extents[low] : NULL;
}

const char *co_flow_name(const struct co_flow *f, uint64_t function)
{
    const struct extent *e = extent_at(f, function);
    return e && e->name[0] ? e->name : NULL;
}

static bool resolve_nothing(void *user, const char *name, uint64_t *addr)
{
    (void)user;
    (void)name;
    *addr = 0;
    return true;
}

struct co_flow *co_flow_new(struct co_check *c)
{
    struct co_flow *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    size_t size = 0, rows = codeobj_isa_row_count();
    uint64_t extent, align;
    f->c = c;
    f->relocatable = c->header.type == ET_REL;
    codeobj_elf_bytes(c->elf, &size);
    f->work_limit = WORK_BASE + 8 * (uint64_t)size;
    f->actions = calloc(rows, 1);
    f->failed = !f->actions;
    for (size_t i = 1; !f->failed && i < rows; i++)
        for (size_t a = 0; a < sizeof actions / sizeof *actions; a++)
            if (!strcmp(codeobj_isa_row_semantic((unsigned)i), actions[a].semantic))
                f->actions[i] = (uint8_t)actions[a].action;
    if (f->relocatable)
        read_relocations(f);
    /* Slots of the GOT are filled by dynamic relocations: an image has them applied. */
    else if (!codeobj_load_extent(c->elf, &extent, &align, NULL) && extent <= CO_CHECK_MAX_TRIAL_LOAD) {
        struct codeobj_load_options options = { .size = sizeof options, .resolve = resolve_nothing };
        enum codeobj_status st = codeobj_image_load(c->elf, &options, &f->image, NULL);
        if (st)
            f->image = NULL;
        f->failed |= st == CODEOBJ_NO_MEMORY;
    }
    read_extents(f);
    return f;
}

void co_flow_free(struct co_flow *f)
{
    if (!f)
        return;
    for (uint32_t i = 0; i < f->function_count; i++)
        free(f->functions[i].callees);
    codeobj_isa_free(f->isa[0]);
    codeobj_isa_free(f->isa[1]);
    codeobj_image_free(f->image);
    free(f->actions);
    free(f->relocations);
    free(f->extents);
    free(f->functions);
    free(f->loads);
    free(f->table);
    free(f);
}

const struct co_code_place *co_flow_load_of(const struct co_flow *f, uint64_t addr)
{
    for (size_t i = 0; i < f->load_count; i++)
        if (f->loads[i].addr == addr)
            return &f->loads[i].at;
    return NULL;
}

bool co_flow_exhausted(const struct co_flow *f) { return f->work > f->work_limit; }
bool co_flow_failed(const struct co_flow *f) { return f->failed; }

/* Code from addr to the end of its section. */
static struct co_span code_at(const struct co_flow *f, uint64_t addr)
{
    struct codeobj_elf_section s;
    for (size_t i = 1; !codeobj_elf_section(f->c->elf, i, &s); i++) {
        size_t n;
        const uint8_t *data = codeobj_elf_section_data(f->c->elf, i, &n);
        uint64_t base = section_base(f, &s);
        if (data && (s.flags & SHF_EXECINSTR) && addr >= base && addr - base < n)
            return co_span_make(data + (addr - base), n - (size_t)(addr - base));
    }
    return co_span_make(NULL, 0);
}

/* ---- functions ------------------------------------------------------------------------ */

static uint32_t hash(uint64_t addr, unsigned wave) { return (uint32_t)((addr ^ wave) * 0x9e3779b97f4a7c15u >> 32); }

static void rehash(struct co_flow *f)
{
    uint32_t size = f->table_size ? f->table_size * 2 : 64;
    uint32_t *table = calloc(size, sizeof *table);
    if (!table) {
        f->failed = true;
        return;
    }
    for (uint32_t i = 0; i < f->function_count; i++) {
        uint32_t at = hash(f->functions[i].addr, f->functions[i].wave) & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = i + 1;
    }
    free(f->table);
    f->table = table;
    f->table_size = size;
}

/* Number of the function at addr, which becomes known with it; UINT32_MAX: memory is out. */
static uint32_t function_at(struct co_flow *f, uint64_t addr, unsigned wave)
{
    if (f->function_count * 2 >= f->table_size)
        rehash(f);
    if (f->failed)
        return UINT32_MAX;
    uint32_t at = hash(addr, wave) & (f->table_size - 1);
    for (; f->table[at]; at = (at + 1) & (f->table_size - 1)) {
        const struct function *known = &f->functions[f->table[at] - 1];
        if (known->addr == addr && known->wave == wave)
            return f->table[at] - 1;
    }
    if (f->function_count == f->function_room) {
        uint32_t room = f->function_room ? f->function_room * 2 : 32;
        struct function *grown = realloc(f->functions, room * sizeof *grown);
        if (!grown) {
            f->failed = true;
            return UINT32_MAX;
        }
        f->functions = grown;
        f->function_room = room;
    }
    f->functions[f->function_count] = (struct function){ .addr = addr, .wave = wave };
    f->table[at] = ++f->function_count;
    return f->function_count - 1;
}

static void add_callee(struct co_flow *f, uint32_t caller, uint64_t addr)
{
    if (addr % 4 || !code_at(f, addr).size)
        return;
    uint32_t callee = function_at(f, addr, f->functions[caller].wave);
    struct function *x = &f->functions[caller];
    if (callee == UINT32_MAX)
        return;
    for (uint32_t i = x->callee_count; i-- > 0 && x->callee_count - i < 16;)
        if (x->callees[i] == callee)
            return;
    if (x->callee_count == x->callee_room) {
        uint32_t room = x->callee_room ? x->callee_room * 2 : 4;
        uint32_t *grown = realloc(x->callees, room * sizeof *grown);
        if (!grown) {
            f->failed = true;
            return;
        }
        x->callees = grown;
        x->callee_room = room;
    }
    x->callees[x->callee_count++] = callee;
}

/* ---- values of scalar registers ----------------------------------------------------------- */

struct values {
    uint32_t value[SGPRS];
    bool known[SGPRS];
    int carry; /* SCC of the last add: 0, 1, or -1 for unknown */
    struct { uint16_t vgpr, lane; uint32_t value; } spills[SPILLS]; /* what v_writelane put into lanes */
    unsigned spill_count;
};

/* The function that is read, and where in it. */
struct reader {
    struct co_flow *f;
    uint32_t function;
    uint64_t pc;
    const struct codeobj_isa_inst *inst;
    struct values v;
    bool is_kernel, is_link[SGPRS]; /* pairs that calls put return addresses into */
};

static bool get(const struct reader *r, unsigned reg, unsigned count, uint64_t *out)
{
    if (reg + count > SGPRS || !r->v.known[reg] || (count == 2 && !r->v.known[reg + 1]))
        return false;
    *out = r->v.value[reg] | (count == 2 ? (uint64_t)r->v.value[reg + 1] << 32 : 0);
    return true;
}

static void put(struct reader *r, unsigned reg, unsigned count, uint64_t value)
{
    for (unsigned i = 0; i < count && reg + i < SGPRS; i++) {
        r->v.value[reg + i] = (uint32_t)(value >> 32 * i);
        r->v.known[reg + i] = true;
    }
}

/* The literal with the relocation for it applied. */
static bool relocated_literal(const struct reader *r, uint64_t *value)
{
    const struct co_flow *f = r->f;
    uint64_t place = r->pc + r->inst->size - r->inst->has_literal;
    struct relocation key = { .place = place };
    struct codeobj_elf_symbol s;
    const struct relocation *hit = f->relocation_count ? bsearch(&key, f->relocations, f->relocation_count, sizeof key, by_place) : NULL;
    if (!hit)
        return true;
    if (codeobj_elf_symbol(f->c->elf, CODEOBJ_SYMTAB, hit->r.symbol, &s) || !reference_address(f, &s))
        return false;
    uint64_t symbol = reference_address(f, &s), addend = (uint64_t)hit->r.addend;
    uint64_t got = ((uint64_t)GOT_SECTION << 32) + 8 * (uint64_t)hit->r.symbol;
    switch (hit->r.type) {
    case 1: /* ABS32_LO */
    case 6: *value = (uint32_t)(symbol + addend); return true; /* ABS32 */
    case 2: *value = (symbol + addend) >> 32; return true;   /* ABS32_HI */
    case 3: *value = symbol + addend; return true;           /* ABS64 */
    case 4: /* REL32 */
    case 10: *value = (uint32_t)(symbol + addend - place); return true; /* REL32_LO */
    case 11: *value = (symbol + addend - place) >> 32; return true;     /* REL32_HI */
    case 5: *value = symbol + addend - place; return true;   /* REL64 */
    case 7: /* GOTPCREL: 32 bits, the lower half of a 64-bit literal on gfx1250, where the linker puts the GOT near */
        *value = r->inst->has_literal == 8 ? got + addend - place : (uint32_t)(got + addend - place);
        return true;
    case 8: *value = (uint32_t)(got + addend - place); return true;     /* GOTPCREL32_LO */
    case 9: *value = (got + addend - place) >> 32; return true;         /* GOTPCREL32_HI */
    default: return false;
    }
}

static bool operand_value(const struct reader *r, unsigned idx, uint64_t *out)
{
    const struct codeobj_isa_operand *o = &r->inst->operands[idx];
    if (idx >= r->inst->operand_count)
        return false;
    switch (o->kind) {
    case CODEOBJ_OPERAND_SGPR: return get(r, o->reg, o->dwords, out);
    case CODEOBJ_OPERAND_LITERAL: *out = o->value; return relocated_literal(r, out);
    case CODEOBJ_OPERAND_INLINE:
    case CODEOBJ_OPERAND_IMMEDIATE: *out = o->value; return true;
    default: return false;
    }
}

/* Eight bytes of memory: a GOT slot, a table of functions. */
static bool load64(const struct co_flow *f, uint64_t addr, uint64_t *out)
{
    struct codeobj_elf_symbol s;
    size_t size;
    if (f->relocatable) {
        if (addr >> 32 != GOT_SECTION || addr % 8 ||
            codeobj_elf_symbol(f->c->elf, CODEOBJ_SYMTAB, (size_t)(uint32_t)addr / 8, &s))
            return false;
        *out = reference_address(f, &s);
        return *out != 0;
    }
    const void *bytes = f->image ? codeobj_image_bytes(f->image, &size) : NULL;
    return bytes && co_span_u64(co_span_make(bytes, size), codeobj_image_address(f->image, addr), out);
}

/* In linked objects it may be a slot of the GOT, which stands for a symbol. */
static void note_load(const struct reader *r, uint64_t addr)
{
    struct co_flow *f = r->f;
    if (f->relocatable || f->load_count == MAX_LOADS)
        return;
    if (f->load_count == f->load_room) {
        size_t room = f->load_room ? 2 * f->load_room : 16;
        struct load *grown = realloc(f->loads, room * sizeof *grown);
        f->failed |= !grown;
        if (!grown)
            return;
        f->loads = grown;
        f->load_room = room;
    }
    uint64_t function = f->functions[r->function].addr;
    f->loads[f->load_count++] = (struct load){ addr, { function, r->pc - function } };
}

static bool spilled(struct reader *r, bool store, uint64_t *value)
{
    struct values *v = &r->v;
    unsigned vgpr_operand = store ? 0 : 1;
    uint64_t lane;
    const struct codeobj_isa_operand *o = &r->inst->operands[vgpr_operand];
    if (o->kind != CODEOBJ_OPERAND_VGPR || !operand_value(r, 2, &lane) || lane > 63)
        return false;
    unsigned i = 0;
    while (i < v->spill_count && (v->spills[i].vgpr != o->reg || v->spills[i].lane != lane))
        i++;
    if (!store) {
        if (i < v->spill_count)
            *value = v->spills[i].value;
        return i < v->spill_count;
    }
    if (operand_value(r, 1, value) && i < SPILLS) {
        v->spills[i].vgpr = o->reg;
        v->spills[i].lane = (uint16_t)lane;
        v->spills[i].value = (uint32_t)*value;
        v->spill_count += i == v->spill_count;
    } else if (i < v->spill_count) {
        v->spills[i] = v->spills[--v->spill_count];
    }
    return true;
}

/* SGPR NULL reads 0 (gfx10 and gfx11 show it where a load has no offset). */
static bool is_null(const struct codeobj_processor *p, const struct codeobj_isa_operand *o)
{
    return o->reg == (p->gen == CODEOBJ_GEN_GFX10 ? 125 : p->gen > CODEOBJ_GEN_GFX10 ? 124 : UINT16_MAX);
}

/* Value that the first destination gets; false: unknown. */
static bool evaluate(struct reader *r, enum action action, uint64_t *out)
{
    uint64_t a, b;
    switch (action) {
    case GETPC: *out = r->pc + r->inst->size; return true;
    case MOV32:
    case MOV64: return operand_value(r, 1, out);
    case SEXT16:
        if (!operand_value(r, 1, &a))
            return false;
        *out = (uint32_t)(int32_t)(int16_t)a;
        return true;
    case ADD64:
        if (!operand_value(r, 1, &a) || !operand_value(r, 2, &b))
            return false;
        *out = a + b;
        return true;
    case ADD:
    case ADDC: {
        int carry = action == ADD ? 0 : r->v.carry;
        r->v.carry = -1;
        if (carry < 0 || !operand_value(r, 1, &a) || !operand_value(r, 2, &b))
            return false;
        uint64_t sum = (uint64_t)(uint32_t)a + (uint32_t)b + (unsigned)carry;
        r->v.carry = sum > UINT32_MAX;
        *out = (uint32_t)sum;
        return true;
    }
    case LOAD64: {
        /* A base, then what is added to it: a register, or the offset of the encoding. */
        const struct codeobj_isa_operand *offset = &r->inst->operands[2];
        if (!operand_value(r, 1, &a) ||
            (r->inst->operand_count > 2 && offset->kind == CODEOBJ_OPERAND_SGPR && !is_null(r->f->c->target.processor, offset)))
            return false;
        b = r->inst->operand_count > 2 && offset->kind == CODEOBJ_OPERAND_IMMEDIATE ? offset->value
                                                                                   : (uint64_t)(int64_t)r->inst->mod.offset;
        note_load(r, a + b);
        return load64(r->f, a + b, out);
    }
    case READLANE: return spilled(r, false, out);
    default: return false;
    }
}

/* Where a call or jump by register leads to becomes a callee; false: nothing is known of it. */
static bool follow_jump(struct reader *r, enum action action)
{
    uint64_t target;
    if (action == CALL)
        return codeobj_isa_branch_target(r->inst, r->pc, &target) && (add_callee(r->f, r->function, target), true);
    if (action != SWAPPC && action != SETPC)
        return true;
    if (!operand_value(r, action == SWAPPC ? 1 : 0, &target))
        return action == SETPC && (!r->is_kernel || (r->inst->operands[0].reg < SGPRS && r->is_link[r->inst->operands[0].reg]));
    add_callee(r->f, r->function, target);
    return true;
}

/* The values of registers behind the instruction. */
static void follow(struct reader *r, enum action action)
{
    uint64_t value = 0;
    bool known = evaluate(r, action, &value);
    if (action == WRITELANE)
        spilled(r, true, &value);
    if (codeobj_isa_implicit(r->inst) & CODEOBJ_IMPLICIT_WRITES_SCC && action != ADD && action != ADDC)
        r->v.carry = -1;
    for (unsigned i = 0; i < r->inst->operand_count; i++) {
        const struct codeobj_isa_operand *o = &r->inst->operands[i];
        if (o->role > CODEOBJ_ROLE_DSTSRC)
            continue;
        for (unsigned k = 0; o->kind == CODEOBJ_OPERAND_SGPR && k < o->dwords && o->reg + k < SGPRS; k++)
            r->v.known[o->reg + k] = false;
        /* A vector register that is written whole holds no spills any more. */
        for (unsigned k = 0; o->kind == CODEOBJ_OPERAND_VGPR && action != WRITELANE && k < r->v.spill_count;)
            if (r->v.spills[k].vgpr >= o->reg && r->v.spills[k].vgpr < o->reg + o->dwords)
                r->v.spills[k] = r->v.spills[--r->v.spill_count];
            else
                k++;
    }
    const struct codeobj_isa_operand *d = &r->inst->operands[0];
    if (known && r->inst->operand_count && d->kind == CODEOBJ_OPERAND_SGPR)
        put(r, d->reg, d->dwords, value);
    if ((action == SWAPPC || action == CALL) && d->kind == CODEOBJ_OPERAND_SGPR && d->reg < SGPRS)
        r->is_link[d->reg] = true;
    /* Compilers look into callees and keep addresses in whatever these leave alone: who calls by a register that
     * held an address before another call knows that it still does. */
    for (unsigned k = FIRST_SPECIAL_SGPR; (action == SWAPPC || action == CALL) && k < SGPRS; k++)
        r->v.known[k] = false;
}

/* ---- reading a function ------------------------------------------------------------------------ */

static void count_operand(struct co_code_usage *u, const struct codeobj_isa_operand *o, struct co_code_place at)
{
    unsigned end = o->reg + o->dwords;
    if (o->kind == CODEOBJ_OPERAND_VGPR && end > u->vgprs) {
        u->vgprs = end;
        u->vgpr_at = at;
    } else if (o->kind == CODEOBJ_OPERAND_AGPR && end > u->agprs) {
        u->agprs = end;
        u->agpr_at = at;
    } else if (o->kind == CODEOBJ_OPERAND_SGPR && o->reg < FIRST_SPECIAL_SGPR && end > u->sgprs) {
        u->sgprs = end;
        u->sgpr_at = at;
    }
}

/* size 0: to where the code ends by itself. */
static void read_function(struct co_flow *f, uint32_t idx, uint64_t size, bool is_kernel)
{
    struct codeobj_isa *isa = f->isa[f->functions[idx].wave == 64];
    struct codeobj_isa_state state = { 0 };
    struct co_code_usage u = { 0 };
    struct reader r = { .f = f, .function = idx, .v.carry = -1, .is_kernel = is_kernel };
    uint64_t start = f->functions[idx].addr, reach = 0; /* furthest branch target */
    struct co_span code = code_at(f, start);
    bool open = size == 0;
    if (!open && size < code.size)
        code.size = (size_t)size;
    f->functions[idx].is_read = true;
    for (size_t at = 0; at < code.size && !f->failed;) {
        struct codeobj_isa_inst inst;
        uint64_t target;
        enum action action = OTHER;
        f->work += 4;
        if (co_flow_exhausted(f))
            break;
        if (codeobj_isa_decode_next(isa, &state, code.data + at, code.size - at, &inst, NULL)) {
            if (!u.unknown++)
                u.unknown_at = (struct co_code_place){ start, at };
            if (open)
                break;
        } else if (!u.unknown) {
            /* Behind an unknown word instructions may be read out of step. */
            for (unsigned i = 0; i < inst.operand_count; i++)
                count_operand(&u, &inst.operands[i], (struct co_code_place){ start, at });
            action = f->actions[inst.row];
            r.pc = start + at;
            r.inst = &inst;
            if (!follow_jump(&r, action) && !u.indirect++)
                u.indirect_at = (struct co_code_place){ start, at };
            follow(&r, action);
            if (action != CALL && codeobj_isa_branch_target(&inst, r.pc, &target)) {
                if (target < start || target - start >= code.size || (open && extent_at(f, target)))
                    add_callee(f, idx, target); /* a branch into another function */
                else if (target - start > reach)
                    reach = target - start;
            }
        }
        at += inst.size ? inst.size : 4;
        bool leaves = action == SETPC || action == END || (inst.operand_count && inst.operands[0].kind == CODEOBJ_OPERAND_LABEL &&
                                                           !strcmp(codeobj_isa_row_mnemonic(inst.row), "s_branch"));
        if (open && leaves && reach < at)
            break;
    }
    f->functions[idx].own = u;
}

static void merge(struct co_code_usage *all, const struct co_code_usage *one)
{
    if (one->vgprs > all->vgprs) {
        all->vgprs = one->vgprs;
        all->vgpr_at = one->vgpr_at;
    }
    if (one->agprs > all->agprs) {
        all->agprs = one->agprs;
        all->agpr_at = one->agpr_at;
    }
    if (one->sgprs > all->sgprs) {
        all->sgprs = one->sgprs;
        all->sgpr_at = one->sgpr_at;
    }
    if (!all->unknown)
        all->unknown_at = one->unknown_at;
    all->unknown += one->unknown;
    if (!all->indirect)
        all->indirect_at = one->indirect_at;
    all->indirect += one->indirect;
}

uint64_t co_flow_entry(const struct co_flow *f, const struct codeobj_kernel *k)
{
    struct codeobj_elf_symbol s = k->symbol;
    if (!f->relocatable)
        return k->entry_addr;
    if (!k->has_kernel_code && !co_elf_symbol_by_parts(f->c->elf, k->name, k->name_size, "", &s))
        return 0;
    s.value = k->entry_addr;
    return symbol_address(f, &s);
}

bool co_flow_usage(struct co_flow *f, const struct codeobj_kernel *k, struct co_code_usage *out)
{
    unsigned wave = k->descriptor.wave_size;
    struct codeobj_isa_options options = { .size = sizeof options, .wave = (uint8_t)wave };
    uint64_t addr = co_flow_entry(f, k);
    struct co_code_usage all = { 0 };
    if (f->failed || !addr || !code_at(f, addr).size)
        return false;
    if (!f->isa[wave == 64]) {
        enum codeobj_status st = codeobj_isa_new(f->c->target.processor, &options, &f->isa[wave == 64], NULL);
        f->failed |= st == CODEOBJ_NO_MEMORY;
        if (st)
            return false;
    }
    uint32_t first = function_at(f, addr, wave), *stack = NULL, count = 0, room = 0;
    f->mark++;
    for (uint32_t next = first; next != UINT32_MAX && !f->failed; next = count ? stack[--count] : UINT32_MAX) {
        if (f->functions[next].mark == f->mark)
            continue;
        f->functions[next].mark = f->mark;
        if (!f->functions[next].is_read) {
            const struct extent *e = extent_at(f, f->functions[next].addr);
            read_function(f, next, next == first && k->code_size ? k->code_size : e ? e->size : 0, next == first);
        }
        const struct function *x = &f->functions[next];
        merge(&all, &x->own);
        f->work += 16 + x->callee_count;
        if (co_flow_exhausted(f) || !x->callee_count)
            continue;
        if (count + x->callee_count > room) {
            room = 2 * (count + x->callee_count);
            uint32_t *grown = realloc(stack, room * sizeof *grown);
            f->failed |= !grown;
            stack = grown ? grown : stack;
        }
        for (uint32_t i = 0; !f->failed && i < x->callee_count; i++)
            stack[count++] = x->callees[i];
    }
    free(stack);
    if (f->failed || co_flow_exhausted(f))
        return false;
    *out = all;
    return true;
}

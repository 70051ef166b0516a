/* SPDX-License-Identifier: MIT
 *
 * exec/code.c - decoded operations of the executable segments.
 *
 * A region is one executable segment; its operations lie in pages, a slot for each
 * dword of code, made when something points at them.  A slot starts with a handler
 * that decodes the instruction there, replaces itself and asks the loop to try
 * again: code may be entered anywhere, and nothing is decoded twice.  Behind the last
 * slot of a page are a few that lead to the next page, so that "the next operation" is
 * always slot + dwords.
 *
 * On gfx1250 the high bits of VGPR numbers come from the wave (s_set_vgpr_msb), so the same
 * instruction is another operation for each value of them: a region has a set of pages for
 * every value that a wave has come along with.  Operations lead to others of their own set (links,
 * the next page); only s_set_vgpr_msb and writes of MODE change over.
 *
 * An operation's `fn` is its instruction; its `run`, which the usual loop calls, may be several: waits and hints behind it that
 * change nothing, and with some the next operation as well (struct co_pair).  `next` and `count` say so.  Whoever looks at each
 * instruction, and a slice that ends in between, goes by `fn` and `dwords`; a jump into the middle finds a slot of its own.
 *
 * Threads share the cache: a slot's handlers are stored last (release) and loaded first
 * (acquire); building is done under the lock.
 */
#include "exec/access.h"
#include "exec/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "isa/row.h"

#define PAGE_SLOTS 128
#define PAGE_EXTRA 8 /* dwords that one step of the loop goes on, at most */
#define MSB_PAGES_MAX 16384 /* pages beside those for high bits 0: more than 256 KiB of code in 32 ways */

_Static_assert(PAGE_EXTRA >= CODEOBJ_ISA_WORDS_MAX, "behind a page there is a slot for whatever its last instruction ends at");

struct co_page {
    struct co_op ops[PAGE_SLOTS + PAGE_EXTRA];
};

struct co_region {
    uint64_t addr, size;
    const uint8_t *bytes;
    struct co_page *_Atomic *_Atomic pages[CO_MSB_COUNT]; /* by high bits; NULL until needed */
    size_t page_count;
};

static struct co_region *find_region(const struct co_code *code, uint64_t pc)
{
    for (size_t i = 0; i < code->region_count; i++)
        if (pc - code->regions[i].addr < code->regions[i].size)
            return &code->regions[i];
    return NULL;
}

bool co_code_is_executable(const struct co_code *code, uint64_t pc)
{
    return (pc & 3) == 0 && find_region(code, pc);
}

/* ---- handlers of slots that hold no instruction ------------------------------------- */

int co_fetch_fault(struct co_wave *w, const struct co_op *op, uint64_t addr)
{
    if (co_code_is_executable(w->code, addr))
        return co_fault(w, op, CO_FAULT_NO_MEMORY, 255, addr, 4, "out of memory for decoded code");
    return co_fault(w, op, CO_FAULT_FETCH, 255, addr, 4, NULL);
}

static int op_fetch_fault(struct co_wave *w, const struct co_op *op)
{
    return co_fetch_fault(w, op, op->pc);
}

static int op_illegal(struct co_wave *w, const struct co_op *op)
{
    return co_fault(w, op, CO_FAULT_ILLEGAL, 255, op->pc, 4, op->aux);
}

static int op_unsupported(struct co_wave *w, const struct co_op *op)
{
    return co_fault(w, op, CO_FAULT_UNSUPPORTED, 255, op->pc, 4, op->aux);
}

static int op_no_memory(struct co_wave *w, const struct co_op *op)
{
    return co_fault(w, op, CO_FAULT_NO_MEMORY, 255, op->pc, 4, "out of memory");
}

static int op_alone(struct co_wave *w, const struct co_op *op)
{
    (void)w;
    (void)op;
    return CO_ALONE;
}

/* Behind the last slot of a page. */
static int op_next_page(struct co_wave *w, const struct co_op *op)
{
    w->op = co_code_at(w->code, w->vgpr_msb, op->pc);
    return w->op ? CO_REDO : op_fetch_fault(w, op);
}

unsigned co_isa_row_sem(unsigned row)
{
    return row < co_isa_row_total ? co_isa_rows[row].sem : 0;
}

const struct co_sem_row *co_code_row(const struct co_code *code, unsigned sem)
{
    return sem < CO_SEM_COUNT && code->rows[sem].sem ? &code->rows[sem] : NULL;
}

static enum codeobj_status build(struct co_code *code, const struct codeobj_isa_inst *inst, unsigned msb, uint64_t pc,
                                 struct co_op *out)
{
    struct co_builder b = { .code = code, .isa = code->isa, .processor = codeobj_isa_processor(code->isa),
                            .arena = &code->arena, .wave = code->wave, .pc = pc, .vgpr_msb = (uint8_t)msb };
    unsigned sem = co_isa_row_sem(inst->row);
    *out = (struct co_op){ .pc = pc, .dst2 = CO_S_SINK, .sem = (uint16_t)sem };
    atomic_init(&out->dwords, (uint8_t)(inst->size / 4));
    b.row = co_code_row(code, sem);
    enum codeobj_status status = CODEOBJ_UNSUPPORTED;
    if (b.row)
        status = co_build(&b, inst, out);
    else
        b.why = codeobj_isa_row_reason(inst->row);
    if (status == CODEOBJ_UNSUPPORTED) {
        out->fn = op_unsupported;
        out->aux = b.why && *b.why ? b.why : "not implemented";
    } else if (status) {
        out->fn = op_no_memory;
    }
    return status;
}

/* Decodes with the high bits of VGPR numbers at hand; the instruction does not change them for others. */
static bool decode(const struct co_code *code, const struct co_region *region, unsigned msb, uint64_t pc,
                   struct codeobj_isa_inst *out)
{
    struct codeobj_isa_state state = { .vgpr_msb = (uint8_t)msb };
    size_t off = (size_t)(pc - region->addr);
    return codeobj_isa_decode_next(code->isa, &state, region->bytes + off, region->size - off, out, NULL) == CODEOBJ_OK;
}

/* A handler for the operation and the next one, or NULL; the next one is then *head's link. */
static co_handler *find_pair(struct co_code *code, const struct codeobj_isa_inst *inst, unsigned msb, uint64_t pc, struct co_op *head)
{
    struct co_op tail, *kept;
    co_handler *const fn = head->fn;
    for (const struct co_pair *p = co_mover_of(code->device)->pairs; p->run; p++) {
        if (p->head != fn || p->tail_sem != co_isa_row_sem(inst->row))
            continue;
        if (build(code, inst, msb, pc, &tail))
            return NULL;
        if (tail.fn != p->tail || tail.flags & CO_OP_ALONE || !p->fits(head, &tail))
            continue;
        kept = co_arena_alloc(&code->arena, sizeof *kept);
        if (!kept)
            return NULL;
        memcpy(kept, &tail, sizeof *kept);
        head->link = kept;
        return p->run;
    }
    return NULL;
}

/* What one step of the loop does from here: sets count, returns the handler and the dwords of code. */
static co_handler *join(struct co_code *code, const struct co_region *region, unsigned msb, struct co_op *op, unsigned *dwords)
{
    co_handler *run = op->flags & CO_OP_ALONE ? op_alone : op->fn;
    struct codeobj_isa_inst inst;
    struct co_op passed;
    *dwords = op->dwords;
    for (op->count = 1; op->count < CO_JOINED_MAX; op->count++) {
        const uint64_t pc = op->pc + 4 * *dwords;
        if (pc - region->addr >= region->size || !decode(code, region, msb, pc, &inst) || *dwords + inst.size / 4 > PAGE_EXTRA)
            break;
        const struct co_sem_row *row = co_code_row(code, co_isa_row_sem(inst.row));
        if (!row)
            break;
        if (row->fn == co_run_nothing) {
            /* One that stops where it is built stops in its own slot. */
            if (build(code, &inst, msb, pc, &passed))
                break;
        } else {
            co_handler *pair = run == op->fn ? find_pair(code, &inst, msb, pc, op) : NULL;
            if (!pair)
                break;
            run = pair;
        }
        *dwords += inst.size / 4;
    }
    return run;
}

/* The first time a slot is reached: the wave's high bits are those of the slot's set. */
static int op_decode(struct co_wave *w, const struct co_op *op)
{
    struct co_code *code = w->code;
    pthread_mutex_lock(&code->lock);
    if (atomic_load_explicit(&op->fn, memory_order_relaxed) == op_decode) {
        const struct co_region *region = find_region(code, op->pc);
        struct codeobj_isa_inst inst;
        struct co_op built;
        co_handler *run = op_illegal;
        unsigned dwords = 1;
        if (decode(code, region, w->vgpr_msb, op->pc, &inst)) {
            build(code, &inst, w->vgpr_msb, op->pc, &built);
            run = join(code, region, w->vgpr_msb, &built, &dwords);
        } else {
            built = (struct co_op){ .pc = op->pc };
            built.fn = op_illegal;
        }
        struct co_op *slot = (struct co_op *)(uintptr_t)op;
        built.next = slot + dwords;
        memcpy(&slot->pc, &built.pc, sizeof built - offsetof(struct co_op, pc));
        atomic_store_explicit(&slot->dwords, built.dwords, memory_order_relaxed);
        atomic_store_explicit(&slot->fn, built.fn, memory_order_release);
        atomic_store_explicit(&slot->run, run, memory_order_release);
    }
    pthread_mutex_unlock(&code->lock);
    w->op = op;
    return CO_REDO;
}

/* ---- pages ----------------------------------------------------------------------------- */

/* The pages of a region for some high bits. */
static struct co_page *_Atomic *pages_of(struct co_region *region, unsigned msb)
{
    struct co_page *_Atomic *pages = atomic_load_explicit(&region->pages[msb], memory_order_acquire);
    if (pages)
        return pages;
    pages = calloc(region->page_count, sizeof *pages);
    if (!pages)
        return NULL;
    struct co_page *_Atomic *expected = NULL;
    if (atomic_compare_exchange_strong_explicit(&region->pages[msb], &expected, pages, memory_order_acq_rel,
                                                memory_order_acquire))
        return pages;
    free(pages);
    return expected;
}

static struct co_page *page_at(struct co_code *code, struct co_region *region, unsigned msb, size_t idx)
{
    struct co_page *_Atomic *pages = pages_of(region, msb);
    if (!pages)
        return NULL;
    struct co_page *page = atomic_load_explicit(&pages[idx], memory_order_acquire);
    if (page)
        return page;
    if (msb && atomic_fetch_add_explicit(&code->msb_pages, 1, memory_order_relaxed) >= MSB_PAGES_MAX)
        return NULL;
    page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    uint64_t off = (uint64_t)idx * PAGE_SLOTS * 4;
    for (size_t i = 0; i < PAGE_SLOTS + PAGE_EXTRA; i++, off += 4) {
        page->ops[i].pc = region->addr + off;
        co_handler *const fn = off >= region->size ? op_fetch_fault : i < PAGE_SLOTS ? op_decode : op_next_page;
        atomic_init(&page->ops[i].fn, fn);
        atomic_init(&page->ops[i].run, fn);
    }
    struct co_page *expected = NULL;
    if (atomic_compare_exchange_strong_explicit(&pages[idx], &expected, page, memory_order_acq_rel,
                                                memory_order_acquire))
        return page;
    free(page);
    return expected;
}

const struct co_op *co_code_at(struct co_code *code, unsigned vgpr_msb, uint64_t pc)
{
    struct co_region *region = find_region(code, pc);
    if (!region || (pc & 3))
        return NULL;
    size_t slot = (size_t)(pc - region->addr) / 4;
    struct co_page *page = page_at(code, region, vgpr_msb, slot / PAGE_SLOTS);
    return page ? &page->ops[slot % PAGE_SLOTS] : NULL;
}

enum codeobj_status co_code_add(struct co_code *code, uint64_t addr, uint64_t size, const uint8_t *bytes,
                                struct codeobj_diag *diag)
{
    struct co_region *grown = realloc(code->regions, (code->region_count + 1) * sizeof *grown);
    if (!grown)
        return co_no_memory(diag);
    code->regions = grown;
    struct co_region *region = &code->regions[code->region_count];
    memset(region, 0, sizeof *region);
    region->addr = addr;
    region->size = size;
    region->bytes = bytes;
    region->page_count = (size_t)(size / (PAGE_SLOTS * 4) + 1);
    if (!pages_of(region, 0))
        return co_no_memory(diag);
    code->region_count++;
    return CODEOBJ_OK;
}

enum codeobj_status co_code_init(struct co_code *code, const struct co_device *device, unsigned wave,
                                 struct codeobj_diag *diag)
{
    const struct codeobj_device *d = co_device_of(device);
    *code = (struct co_code){ .device = device, .wave = wave };
    if (pthread_mutex_init(&code->lock, NULL))
        return co_no_memory(diag);
    code->has_lock = true;
    struct codeobj_isa_options options = { .size = sizeof options, .wave = (uint8_t)wave, .halves = 1 };
    enum codeobj_status status = codeobj_isa_new(d->target.processor, &options, &code->isa, diag);
    if (status)
        return status;
    code->rows = calloc(CO_SEM_COUNT, sizeof *code->rows);
    if (!code->rows)
        return co_no_memory(diag);
    co_registry_fill(code->rows, d->lanes);
    return CODEOBJ_OK;
}

void co_code_free(struct co_code *code)
{
    for (size_t i = 0; i < code->region_count; i++) {
        for (unsigned msb = 0; msb < CO_MSB_COUNT; msb++) {
            struct co_page *_Atomic *pages = code->regions[i].pages[msb];
            for (size_t p = 0; pages && p < code->regions[i].page_count; p++)
                free(pages[p]);
            free(pages);
        }
    }
    free(code->regions);
    free(code->consts);
    free(code->rows);
    co_arena_free(&code->arena);
    codeobj_isa_free(code->isa);
    if (code->has_lock)
        pthread_mutex_destroy(&code->lock);
}

/* ---- constants --------------------------------------------------------------------------- */

static size_t const_slot(const struct co_code *code, uint64_t value)
{
    size_t i = (size_t)((value * 0x9e3779b97f4a7c15u) >> 32) & (code->const_capacity - 1);
    while (code->consts[i].rows && code->consts[i].value != value)
        i = (i + 1) & (code->const_capacity - 1);
    return i;
}

static bool const_grow(struct co_code *code)
{
    struct co_const *old = code->consts;
    size_t old_capacity = code->const_capacity, capacity = old_capacity ? 2 * old_capacity : 64;
    code->consts = calloc(capacity, sizeof *code->consts);
    if (!code->consts) {
        code->consts = old;
        return false;
    }
    code->const_capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].rows)
            code->consts[const_slot(code, old[i].value)] = old[i];
    free(old);
    return true;
}

const uint32_t *co_build_const(struct co_builder *b, uint64_t value)
{
    struct co_code *code = b->code;
    if (code->const_count * 2 >= code->const_capacity && !const_grow(code))
        return NULL;
    struct co_const *c = &code->consts[const_slot(code, value)];
    if (!c->rows) {
        /* The arena aligns for any type; rows want 64 bytes. */
        uint8_t *raw = co_arena_alloc(b->arena, 2 * CO_LANES_MAX * 4 + 64);
        if (!raw)
            return NULL;
        c->rows = (uint32_t *)(void *)(raw + (-(uintptr_t)raw & 63));
        c->value = value;
        for (unsigned i = 0; i < CO_LANES_MAX; i++) {
            c->rows[i] = (uint32_t)value;
            c->rows[CO_LANES_MAX + i] = (uint32_t)(value >> 32);
        }
        code->const_count++;
    }
    return c->rows;
}

/* ---- text ------------------------------------------------------------------------------------ */

bool co_code_inst(const struct co_code *code, unsigned vgpr_msb, uint64_t pc, struct codeobj_isa_inst *out)
{
    const struct co_region *region = find_region(code, pc);
    return region && decode(code, region, vgpr_msb, pc, out);
}

void co_code_text(const struct co_code *code, unsigned vgpr_msb, uint64_t pc, char *buf, size_t size)
{
    struct codeobj_isa_inst inst;
    if (co_code_inst(code, vgpr_msb, pc, &inst)) {
        codeobj_isa_print(code->isa, &inst, buf, size);
        return;
    }
    const struct co_region *region = find_region(code, pc);
    uint32_t word = 0;
    if (region && region->size - (pc - region->addr) >= 4)
        memcpy(&word, region->bytes + (pc - region->addr), 4);
    snprintf(buf, size, region ? ".long 0x%08x" : "?", word);
}

/* SPDX-License-Identifier: MIT
 *
 * host.c - work-items as coroutines.
 *
 * The work-items of a group run one after the other, each until it ends or
 * waits; a round is over when all have done one or the other, and the next
 * round resumes those that waited.  A barrier is therefore one wait; reading
 * another lane is two (all have written, all have read).
 */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define ITEMS_MAX 1024
#define STACK_SIZE (256 * 1024)

u32 host_local[3], host_group[3], host_group_size[3], host_grid[3], host_wave;
u64 host_dynamic_lds[8192];
struct dispatch_packet host_packet;
struct hidden_args host_hidden;

static struct item {
    ucontext_t context;
    u32 id[3];
    int started, ended;
    char *stack;
} items[ITEMS_MAX];
static ucontext_t scheduler;
static u32 current, flat_id[ITEMS_MAX];
static u32 exchange[ITEMS_MAX];
static u8 alive[ITEMS_MAX]; /* took part in the round's exchange */
static const struct kernel_case *running;
static const union host_arg *running_args;

static void item_main(void)
{
    running->call(running_args);
    items[current].ended = 1;
    swapcontext(&items[current].context, &scheduler);
    abort();
}

static void wait_for_others(void)
{
    swapcontext(&items[current].context, &scheduler);
}

void host_barrier(void)
{
    wait_for_others();
}

/* Lanes count within the work-group, x fastest, whatever its shape. */
u32 host_lane(void)
{
    return flat_id[current] % host_wave;
}

static u32 wave_base(void)
{
    return flat_id[current] / host_wave * host_wave;
}

u32 host_wave_read(u32 value, u32 lane)
{
    exchange[flat_id[current]] = value;
    wait_for_others();
    u32 from = wave_base() + lane % host_wave;
    u32 result = from < ITEMS_MAX ? exchange[from] : 0;
    wait_for_others();
    return result;
}

u64 host_wave_ballot(int bit)
{
    exchange[flat_id[current]] = bit != 0;
    alive[flat_id[current]] = 1;
    wait_for_others();
    u64 result = 0;
    for (u32 lane = 0; lane < host_wave && wave_base() + lane < ITEMS_MAX; lane++)
        if (alive[wave_base() + lane] && exchange[wave_base() + lane])
            result |= (u64)1 << lane;
    wait_for_others();
    alive[flat_id[current]] = 0;
    return result;
}

static void start(struct item *it)
{
    if (!it->stack && !(it->stack = malloc(STACK_SIZE))) {
        perror("malloc");
        exit(2);
    }
    getcontext(&it->context);
    it->context.uc_stack.ss_sp = it->stack;
    it->context.uc_stack.ss_size = STACK_SIZE;
    it->context.uc_link = NULL;
    makecontext(&it->context, item_main, 0);
    it->started = 1;
}

/* One work-group; the last one of a dimension may be smaller. */
static void run_group(void)
{
    u32 extent[3], count = 0;
    for (int d = 0; d < 3; d++) {
        u32 begin = host_group[d] * host_group_size[d];
        extent[d] = host_grid[d] - begin < host_group_size[d] ? host_grid[d] - begin : host_group_size[d];
    }
    for (u32 z = 0; z < extent[2]; z++)
        for (u32 y = 0; y < extent[1]; y++)
            for (u32 x = 0; x < extent[0]; x++) {
                struct item *it = &items[count];
                it->id[0] = x, it->id[1] = y, it->id[2] = z;
                it->started = it->ended = 0;
                /* Lanes are counted in the group as launched: a partial group is packed. */
                flat_id[count] = count;
                count++;
            }
    memset(alive, 0, sizeof alive);
    for (u32 left = count; left > 0;) {
        for (u32 i = 0; i < count; i++) {
            struct item *it = &items[i];
            if (it->ended)
                continue;
            current = i;
            memcpy(host_local, it->id, sizeof host_local);
            if (!it->started)
                start(it);
            swapcontext(&scheduler, &it->context);
            if (it->ended)
                left--;
        }
    }
}

void host_run(const struct kernel_case *c, const union host_arg *args, u32 wave)
{
    u32 groups[3], dims = c->grid[2] > 1 ? 3 : c->grid[1] > 1 ? 2 : 1;
    host_wave = wave;
    running = c;
    running_args = args;
    memset(&host_packet, 0, sizeof host_packet);
    memset(&host_hidden, 0, sizeof host_hidden);
    for (int d = 0; d < 3; d++) {
        host_grid[d] = c->grid[d] ? c->grid[d] : 1;
        host_group_size[d] = c->group[d] ? c->group[d] : 1;
        groups[d] = (host_grid[d] + host_group_size[d] - 1) / host_group_size[d];
        host_packet.grid_size[d] = host_grid[d];
        host_packet.workgroup_size[d] = (u16)host_group_size[d];
        host_hidden.block_count[d] = host_grid[d] / host_group_size[d];
        host_hidden.group_size[d] = (u16)host_group_size[d];
        host_hidden.remainder[d] = (u16)(host_grid[d] % host_group_size[d]);
    }
    host_packet.setup = (u16)dims;
    host_hidden.grid_dims = (u16)dims;
    if (host_group_size[0] * host_group_size[1] * host_group_size[2] > ITEMS_MAX) {
        fprintf(stderr, "%s: work-group too large\n", c->name);
        exit(2);
    }
    for (host_group[2] = 0; host_group[2] < groups[2]; host_group[2]++)
        for (host_group[1] = 0; host_group[1] < groups[1]; host_group[1]++)
            for (host_group[0] = 0; host_group[0] < groups[0]; host_group[0]++)
                run_group();
}

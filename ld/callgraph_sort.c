/* SPDX-License-Identifier: MIT
 *
 * ld/callgraph_sort.c - functions in an order in which those that call each other are neighbours.
 *
 * hfsort is call-chain clustering, C3 (Ottoni and Maher, "Optimizing Function Placement for Large-Scale Data-Center
 * Applications", CGO 2017).  cdsort is LLVM's cache-directed sort, which joins two chains where that lessens a model of
 * cache misses most.  The order is ld.lld's to the byte, so all that decides is computed as it does: in doubles, with the
 * same operations one after the other, ties broken the same way.
 *
 * How long it takes: hfsort sorts.  In cdsort chains have no more than CHAIN_MAX functions, so each function is in as many
 * joins at most, and each of them looks once at what has to do with the two chains: CHAIN_MAX times the profile's size.
 */
#include "callgraph.h"

#include <math.h>
#include <stdlib.h>

/* ---- order by density ------------------------------------------------------------------------------------ */

struct dense {
    double density;
    uint32_t id; /* breaks ties: the lower one comes first */
    uint32_t what;
};

static int by_density(const void *a, const void *b)
{
    const struct dense *x = a, *y = b;
    if (x->density != y->density)
        return x->density > y->density ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void sort_dense(struct dense *d, size_t n)
{
    if (n)
        qsort(d, n, sizeof *d, by_density);
}

/* ---- hfsort ------------------------------------------------------------------------------------------------ */

enum { DENSITY_LOSS_MAX = 8 };
#define CLUSTER_MAX (1024u * 1024) /* bytes */

struct cluster { /* a ring of functions; what has been joined to another one is empty */
    uint32_t next, prev;
    uint32_t leader; /* on the way to that of the cluster where it is now */
    uint32_t caller; /* who calls it most, + 1; 0: nobody */
    uint64_t calls;  /* how often */
    uint64_t size, weight, first_weight;
};

static double density(const struct cluster *c)
{
    return c->size ? (double)c->weight / (double)c->size : 0;
}

static struct cluster *make_clusters(struct ld *ld, const struct ld_graph *g)
{
    struct cluster *c = co_ld_array(ld, g->node_count, sizeof *c);
    for (uint32_t i = 0; i < g->node_count; i++) {
        c[i].next = c[i].prev = c[i].leader = i;
        c[i].size = g->sizes[i];
    }
    for (size_t i = 0; i < g->arc_count; i++) {
        const struct ld_arc *a = &g->arcs[i];
        struct cluster *to = &c[a->to];
        to->weight += a->weight;
        if (a->from != a->to && (!to->caller || to->calls < a->weight)) {
            to->caller = a->from + 1;
            to->calls = a->weight;
        }
    }
    for (size_t i = 0; i < g->node_count; i++)
        c[i].first_weight = c[i].weight;
    return c;
}

static uint32_t leader_of(struct cluster *c, uint32_t i)
{
    while (c[i].leader != i)
        i = c[i].leader = c[c[i].leader].leader;
    return i;
}

/* Behind the cluster of who calls it most, if that is worth it. */
static void join_cluster(struct cluster *c, uint32_t i)
{
    struct cluster *from = &c[i];
    if (!from->caller || from->calls * 10 <= from->first_weight)
        return;
    uint32_t leader = leader_of(c, from->caller - 1);
    struct cluster *into = &c[leader];
    if (leader == i || from->size + into->size > CLUSTER_MAX)
        return;
    double joined = (double)(into->weight + from->weight) / (double)(into->size + from->size);
    if (joined < density(into) / DENSITY_LOSS_MAX)
        return;
    uint32_t into_last = into->prev, from_last = from->prev;
    into->prev = from_last;
    c[from_last].next = leader;
    from->prev = into_last;
    c[into_last].next = i;
    into->size += from->size;
    into->weight += from->weight;
    from->size = from->weight = 0;
    from->leader = leader;
}

size_t co_ld_hfsort(struct ld *ld, const struct ld_graph *g, uint32_t *order)
{
    struct cluster *c = make_clusters(ld, g);
    struct dense *sorted = co_ld_array(ld, g->node_count, sizeof *sorted);
    size_t n = 0, count = 0;
    for (uint32_t i = 0; i < g->node_count; i++)
        sorted[i] = (struct dense){ density(&c[i]), i, i };
    sort_dense(sorted, g->node_count);
    for (size_t i = 0; i < g->node_count; i++)
        join_cluster(c, sorted[i].what);
    for (uint32_t i = 0; i < g->node_count; i++)
        if (c[i].size)
            sorted[n++] = (struct dense){ density(&c[i]), i, i };
    sort_dense(sorted, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t k = sorted[i].what;
        do
            order[count++] = k;
        while ((k = c[k].next) != sorted[i].what);
    }
    return count;
}

/* ---- cdsort: the model ---------------------------------------------------------------------------------------- */

/* What LLVM 22 has: a cache of 16 lines of 2 KiB, chains of 128 functions. */
enum { CACHE_LINES = 16, CACHE_LINE = 2048, CHAIN_MAX = 128 };
#define DISTANCE_POWER (-0.25)
#define FREQUENCY_SCALE 0.25
#define EPSILON 1e-8

struct function {
    uint64_t size, off; /* off: in its chain */
    uint64_t count;
    uint32_t chain;
    uint32_t next; /* in the chain, + 1 */
};

struct chain {
    double count;
    double misses; /* how probable one is */
    uint64_t size;
    uint32_t first, last; /* functions; chains are told apart, and ordered, by the first */
    uint32_t length;      /* 0: it has been joined to another one */
    uint32_t ends;        /* list of the ends of links that are here: link * 2 + end, + 1 */
};

struct call {
    uint64_t weight, off; /* off: of the call in its function, as nobody knows it, is its middle */
    uint32_t from, to;
    uint32_t next; /* of the link, + 1 */
};

/* All calls between two chains. */
struct link {
    uint32_t chain[2];
    uint32_t next[2], prev[2]; /* in the lists of the two chains, as in struct chain */
    uint32_t first, last;      /* calls, + 1 */
    uint32_t place;            /* in the queue, + 1; 0: it is not there */
    bool reversed;             /* chain[1] goes in front */
    double gain;               /* of joining its chains */
};

struct cdsort {
    struct function *functions;
    struct chain *chains;
    struct call *calls;
    struct link *links;
    uint32_t *queue; /* heap of links, the best first */
    uint32_t *known; /* for each chain: the link to the one at hand, + 1 */
    size_t function_count, link_count, queued;
    uint64_t samples;
    double far; /* what a call over all that is called scores */
};

static double miss_probability(const struct cdsort *s, const struct chain *c)
{
    double samples = c->count / (double)c->size * CACHE_LINE;
    if (samples >= (double)s->samples)
        return 0;
    double p = samples / (double)s->samples;
    return pow(1.0 - p, CACHE_LINES);
}

static double frequency_gain(const struct cdsort *s, const struct chain *a, const struct chain *b)
{
    struct chain both = { .count = a->count + b->count, .size = a->size + b->size };
    double before = a->count * a->misses + b->count * b->misses;
    double after = both.count * miss_probability(s, &both);
    return before - after;
}

static double nearness(uint64_t distance)
{
    return pow(distance ? (double)distance : 0.1, DISTANCE_POWER);
}

/* Of the calls between two chains when one follows the other. */
static double distance_gain(const struct cdsort *s, const struct link *l, bool reversed)
{
    uint64_t start[2] = { reversed ? s->chains[l->chain[1]].size : 0, reversed ? 0 : s->chains[l->chain[0]].size };
    double before = 0, after = 0;
    for (uint32_t i = l->first; i; i = s->calls[i - 1].next) {
        const struct call *c = &s->calls[i - 1];
        const struct function *from = &s->functions[c->from], *to = &s->functions[c->to];
        uint64_t a = from->off + start[from->chain != l->chain[0]] + c->off;
        uint64_t b = to->off + start[to->chain != l->chain[0]];
        after += (double)c->weight * nearness(a <= b ? b - a : a - b);
        before += (double)c->weight * s->far;
    }
    return after - before;
}

/* The better way to join the chains of a link, and what it gains. */
static void weigh(const struct cdsort *s, struct link *l)
{
    const struct chain *a = &s->chains[l->chain[0]], *b = &s->chains[l->chain[1]];
    double frequency = frequency_gain(s, a, b);
    l->gain = -1.0;
    l->reversed = false;
    for (int reversed = 0; reversed < 2; reversed++) {
        double gain = distance_gain(s, l, reversed) + FREQUENCY_SCALE * frequency;
        if (gain >= 0.0)
            gain /= (double)(a->size < b->size ? a->size : b->size);
        bool same = fabs(l->gain - gain) < EPSILON;
        if (same ? (a->first < b->first) == !reversed : gain > l->gain + EPSILON) {
            l->gain = gain;
            l->reversed = reversed;
        }
    }
}

/* ---- cdsort: the queue ------------------------------------------------------------------------------------------ */

static bool is_better(const struct cdsort *s, uint32_t x, uint32_t y)
{
    const struct link *a = &s->links[x], *b = &s->links[y];
    if (a->gain != b->gain)
        return a->gain > b->gain;
    for (int i = 0; i < 2; i++) {
        uint32_t p = s->chains[a->chain[i]].first, q = s->chains[b->chain[i]].first;
        if (p != q)
            return p < q;
    }
    return false;
}

static void put(struct cdsort *s, size_t at, uint32_t link)
{
    s->queue[at] = link;
    s->links[link].place = (uint32_t)at + 1;
}

/* To its place from `at`, upwards or downwards. */
static void sift(struct cdsort *s, size_t at, uint32_t link)
{
    for (; at && is_better(s, link, s->queue[(at - 1) / 2]); at = (at - 1) / 2)
        put(s, at, s->queue[(at - 1) / 2]);
    for (size_t child; (child = 2 * at + 1) < s->queued; at = child) {
        if (child + 1 < s->queued && is_better(s, s->queue[child + 1], s->queue[child]))
            child++;
        if (!is_better(s, s->queue[child], link))
            break;
        put(s, at, s->queue[child]);
    }
    put(s, at, link);
}

static void enqueue(struct cdsort *s, uint32_t link)
{
    weigh(s, &s->links[link]);
    if (s->links[link].gain > EPSILON)
        sift(s, s->queued++, link);
}

static void dequeue(struct cdsort *s, uint32_t link)
{
    size_t place = s->links[link].place;
    if (!place)
        return;
    s->links[link].place = 0;
    uint32_t last = s->queue[--s->queued];
    if (last != link)
        sift(s, place - 1, last);
}

/* ---- cdsort: chains ------------------------------------------------------------------------------------------------ */

#define EACH_END(s, e, c) for (uint32_t e = (s)->chains[c].ends; e; e = (s)->links[(e - 1) / 2].next[(e - 1) % 2])

static uint32_t other_chain(const struct cdsort *s, uint32_t end)
{
    return s->links[(end - 1) / 2].chain[end % 2];
}

static void add_end(struct cdsort *s, uint32_t chain, uint32_t end)
{
    struct link *l = &s->links[(end - 1) / 2];
    int i = (end - 1) % 2;
    uint32_t next = s->chains[chain].ends;
    l->chain[i] = chain;
    l->next[i] = next;
    l->prev[i] = 0;
    if (next)
        s->links[(next - 1) / 2].prev[(next - 1) % 2] = end;
    s->chains[chain].ends = end;
}

static void drop_end(struct cdsort *s, uint32_t end)
{
    struct link *l = &s->links[(end - 1) / 2];
    int i = (end - 1) % 2;
    uint32_t next = l->next[i], prev = l->prev[i];
    if (next)
        s->links[(next - 1) / 2].prev[(next - 1) % 2] = prev;
    if (prev)
        s->links[(prev - 1) / 2].next[(prev - 1) % 2] = next;
    else
        s->chains[l->chain[i]].ends = next;
}

/* Of two links between the same chains one has the calls of both, its own first. */
static void take_calls(struct cdsort *s, struct link *into, const struct link *from)
{
    s->calls[into->last - 1].next = from->first;
    into->last = from->last;
}

/* What has led to `from` leads to `into`.  Calls within a chain are of no more use. */
static void move_links(struct cdsort *s, uint32_t into, uint32_t from)
{
    EACH_END(s, e, into)
        s->known[other_chain(s, e)] = (e - 1) / 2 + 1;
    for (uint32_t e = s->chains[from].ends, next; e; e = next) {
        struct link *l = &s->links[(e - 1) / 2];
        uint32_t far_end = ((e - 1) ^ 1) + 1, other = other_chain(s, e), known = s->known[other];
        next = l->next[(e - 1) % 2];
        if (other == into || known)
            drop_end(s, far_end);
        if (other != into && known)
            take_calls(s, &s->links[known - 1], l);
        else if (other != into)
            add_end(s, into, e);
    }
    EACH_END(s, e, into)
        s->known[other_chain(s, e)] = 0;
    s->known[from] = 0;
    s->chains[from].ends = 0;
}

static void move_functions(struct cdsort *s, uint32_t into, uint32_t from, bool reversed)
{
    struct chain *x = &s->chains[into], *y = &s->chains[from];
    struct chain *front = reversed ? y : x, *back = reversed ? x : y;
    for (uint32_t i = back->first + 1; i; i = s->functions[i - 1].next)
        s->functions[i - 1].off += front->size;
    for (uint32_t i = y->first + 1; i; i = s->functions[i - 1].next)
        s->functions[i - 1].chain = into;
    s->functions[front->last].next = back->first + 1;
    uint32_t first = front->first, last = back->last;
    x->first = first;
    x->last = last;
    x->length += y->length;
    x->count += y->count;
    x->size += y->size;
    x->misses = miss_probability(s, x);
    y->length = 0;
}

static void join_best(struct cdsort *s)
{
    uint32_t best = s->queue[0], into = s->links[best].chain[0], from = s->links[best].chain[1];
    EACH_END(s, e, into)
        dequeue(s, (e - 1) / 2);
    EACH_END(s, e, from)
        dequeue(s, (e - 1) / 2);
    move_functions(s, into, from, s->links[best].reversed);
    move_links(s, into, from);
    EACH_END(s, e, into)
        if (s->chains[into].length + s->chains[other_chain(s, e)].length <= CHAIN_MAX)
            enqueue(s, (e - 1) / 2);
}

/* ---- cdsort: the graph ------------------------------------------------------------------------------------------------ */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* How often functions run: as the profile has it, but no less than they call or are called. */
static void count_samples(struct ld *ld, struct cdsort *s, const struct ld_graph *g)
{
    uint64_t *out = co_ld_array(ld, g->node_count, sizeof *out), total = 0;
    for (size_t i = 0; i < g->node_count; i++)
        s->functions[i].size = larger(g->sizes[i], 1);
    for (size_t i = 0; i < g->arc_count; i++) {
        const struct ld_arc *a = &g->arcs[i];
        if (a->from == a->to)
            continue;
        s->functions[a->to].count += a->weight;
        out[a->from] += a->weight;
    }
    for (size_t i = 0; i < g->node_count; i++) {
        s->samples += s->functions[i].count;
        total += s->functions[i].count ? s->functions[i].size : 0;
        s->functions[i].count = larger(s->functions[i].count, out[i]);
    }
    for (size_t i = 0; i < g->arc_count; i++) { /* sums may have overflown */
        const struct ld_arc *a = &g->arcs[i];
        if (a->from == a->to)
            continue;
        s->functions[a->from].count = larger(s->functions[a->from].count, a->weight);
        s->functions[a->to].count = larger(s->functions[a->to].count, a->weight);
    }
    s->far = nearness(total);
}

static void make_chains(struct cdsort *s)
{
    for (uint32_t i = 0; i < s->function_count; i++) {
        const struct function *f = &s->functions[i];
        s->functions[i].chain = i;
        s->chains[i] = (struct chain){ .count = (double)f->count, .size = f->size, .first = i, .last = i, .length = 1 };
        s->chains[i].misses = miss_probability(s, &s->chains[i]);
    }
}

/* The calls of one function.  Where what it calls has called it already, the link is there. */
static void link_calls(struct cdsort *s, uint32_t from, uint32_t first)
{
    EACH_END(s, e, from)
        s->known[other_chain(s, e)] = (e - 1) / 2 + 1;
    for (uint32_t i = first, next; i; i = next) {
        struct call *c = &s->calls[i - 1];
        uint32_t known = s->known[c->to];
        next = c->next;
        c->next = 0;
        struct link *l = &s->links[known ? known - 1 : s->link_count];
        if (known) {
            s->calls[l->last - 1].next = i;
        } else {
            l->first = i;
            add_end(s, c->from, (uint32_t)s->link_count * 2 + 1);
            add_end(s, c->to, (uint32_t)s->link_count * 2 + 2);
            s->link_count++;
        }
        l->last = i;
    }
    EACH_END(s, e, from)
        s->known[other_chain(s, e)] = 0;
}

static void make_links(struct ld *ld, struct cdsort *s, const struct ld_graph *g)
{
    uint32_t *first = co_ld_array(ld, g->node_count, sizeof *first);
    for (size_t i = g->arc_count; i-- > 0;) {
        const struct ld_arc *a = &g->arcs[i];
        if (a->from == a->to)
            continue;
        s->calls[i] = (struct call){ a->weight, (g->sizes[a->from] + 1) / 2, a->from, a->to, first[a->from] };
        first[a->from] = (uint32_t)i + 1;
    }
    for (uint32_t i = 0; i < g->node_count; i++)
        link_calls(s, i, first[i]);
}

static size_t chains_by_density(struct ld *ld, const struct cdsort *s, uint32_t *order)
{
    struct dense *sorted = co_ld_array(ld, s->function_count, sizeof *sorted);
    size_t n = 0, count = 0;
    for (uint32_t i = 0; i < s->function_count; i++) {
        double size = 0, samples = 0;
        if (!s->chains[i].length)
            continue;
        for (uint32_t k = s->chains[i].first + 1; k; k = s->functions[k - 1].next) {
            size += (double)s->functions[k - 1].size;
            samples += (double)s->functions[k - 1].count;
        }
        sorted[n++] = (struct dense){ samples / size, s->chains[i].first, i };
    }
    sort_dense(sorted, n);
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = s->chains[sorted[i].what].first + 1; k; k = s->functions[k - 1].next)
            order[count++] = k - 1;
    return count;
}

size_t co_ld_cdsort(struct ld *ld, const struct ld_graph *g, uint32_t *order)
{
    struct cdsort s = { .function_count = g->node_count };
    if (g->arc_count > UINT32_MAX / 2 - 1)
        co_ld_no_memory(ld); /* which it would take: 200 GB */
    s.functions = co_ld_array(ld, g->node_count, sizeof *s.functions);
    s.chains = co_ld_array(ld, g->node_count, sizeof *s.chains);
    s.known = co_ld_array(ld, g->node_count, sizeof *s.known);
    s.calls = co_ld_array(ld, g->arc_count, sizeof *s.calls);
    s.links = co_ld_array(ld, g->arc_count, sizeof *s.links);
    s.queue = co_ld_array(ld, g->arc_count, sizeof *s.queue);
    count_samples(ld, &s, g);
    make_chains(&s);
    make_links(ld, &s, g);
    for (uint32_t i = 0; i < s.link_count; i++)
        enqueue(&s, i);
    while (s.queued)
        join_best(&s);
    return chains_by_density(ld, &s, order);
}

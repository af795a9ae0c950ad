/* SPDX-License-Identifier: Apache-2.0 */
/* A page that is not in use is packed: each calculation as a bit for each of its words of eight
 * bytes that is not that of the one before it, and these differences as numbers of seven bits a
 * byte. Places and sides move on by a few bytes, and what is rare is nothing in both. */
#include "decide/calc_list.h"

#include <stdlib.h>
#include <string.h>

#define PAGE ((size_t)128) /* calculations of a page */
#define LONG_LIST (PAGE * CALC_PAGES)
#define WORDS (sizeof(rdv_calc) / sizeof(uint64_t))
#define MASK_BYTES ((WORDS + 7) / 8)
#define NUMBER_BYTES 10 /* that a number of 64 bits takes at most */
#define NO_PAGE SIZE_MAX

_Static_assert(sizeof(rdv_calc) % sizeof(uint64_t) == 0, "a calculation is packed by words");

typedef struct packed_page {
    unsigned char *at;
    size_t room; /* bytes that `at` has */
} packed_page;

typedef struct calc_pages {
    rdv_arena *arena;
    packed_page *packed;
    size_t n, cap;
    struct {
        size_t page;
        uint64_t used; /* when last; the time is counted in uses */
        bool changed;
    } held[CALC_PAGES];
    size_t last; /* the place that was used last */
    uint64_t time;
    bool failed; /* a change could not be kept */
} calc_pages;

/* ---- pages ----------------------------------------------------------------------------------- */

static unsigned char *put_number(unsigned char *to, uint64_t x)
{
    for (; x >= 0x80; x >>= 7)
        *to++ = (unsigned char)(x | 0x80);
    *to++ = (unsigned char)x;
    return to;
}

static const unsigned char *take_number(const unsigned char *from, uint64_t *x)
{
    *x = 0;
    for (unsigned shift = 0;; shift += 7) {
        *x |= (uint64_t)(*from & 0x7f) << shift;
        if (!(*from++ & 0x80))
            return from;
    }
}

/* A difference, of which small ones below zero are small numbers too. */
static uint64_t folded(uint64_t difference)
{
    return (difference << 1) ^ (0 - (difference >> 63));
}

static uint64_t unfolded(uint64_t x)
{
    return (x >> 1) ^ (0 - (x & 1));
}

static unsigned char *pack_one(unsigned char *to, const uint64_t *before, const uint64_t *words)
{
    unsigned char *mask = to;
    memset(mask, 0, MASK_BYTES);
    to += MASK_BYTES;
    for (size_t w = 0; w < WORDS; w++)
        if (words[w] != before[w]) {
            mask[w / 8] |= (unsigned char)(1u << w % 8);
            to = put_number(to, folded(words[w] - before[w]));
        }
    return to;
}

static const unsigned char *unpack_one(const unsigned char *from, uint64_t *words)
{
    const unsigned char *mask = from;
    uint64_t x;
    from += MASK_BYTES;
    for (size_t i = 0; i < MASK_BYTES; i++)
        for (unsigned bits = mask[i]; bits; bits &= bits - 1) { /* few of the words differ */
            from = take_number(from, &x);
            words[8 * i + (unsigned)__builtin_ctz(bits)] += unfolded(x);
        }
    return from;
}

static size_t on_page(const calc_list *list, size_t page)
{
    size_t behind = list->n - page * PAGE;
    return behind < PAGE ? behind : PAGE;
}

/* The calculations `from`, packed into the page. */
static int pack(calc_pages *p, size_t page, const rdv_calc *from, size_t n)
{
    unsigned char bytes[PAGE * (MASK_BYTES + WORDS * NUMBER_BYTES)], *end = bytes;
    uint64_t words[2][WORDS] = {{0}};
    for (size_t i = 0; i < n; i++) {
        memcpy(words[(i + 1) % 2], &from[i], sizeof *from);
        end = pack_one(end, words[i % 2], words[(i + 1) % 2]);
    }
    packed_page *to = &p->packed[page];
    size_t size = (size_t)(end - bytes);
    if (size > to->room) {
        to->at = rdv_alloc(p->arena, size);
        to->room = to->at ? size : 0;
    }
    if (!to->at)
        return RDV_E_NOMEM;
    memcpy(to->at, bytes, size);
    return RDV_OK;
}

static void unpack(const packed_page *from, rdv_calc *to, size_t n)
{
    uint64_t words[WORDS] = {0};
    const unsigned char *at = from->at;
    for (size_t i = 0; i < n; i++) {
        at = unpack_one(at, words);
        memcpy(&to[i], words, sizeof *to);
    }
}

static void put_back(calc_list *list, size_t place)
{
    calc_pages *p = list->pages;
    size_t page = p->held[place].page;
    if (page != NO_PAGE && p->held[place].changed)
        p->failed |= pack(p, page, &list->at[place * PAGE], on_page(list, page)) < 0;
    p->held[place].changed = false;
}

/* The place that holds the page; of a page that is not packed yet, `fresh`, nothing is read. */
static size_t place_of(calc_list *list, size_t page, bool fresh)
{
    calc_pages *p = list->pages;
    size_t oldest = 0;
    for (size_t i = 0; i < CALC_PAGES; i++) {
        if (p->held[i].page == page)
            return i;
        if (p->held[i].used < p->held[oldest].used)
            oldest = i;
    }
    put_back(list, oldest);
    p->held[oldest].page = page;
    if (!fresh && p->packed[page].at)
        unpack(&p->packed[page], &list->at[oldest * PAGE], on_page(list, page));
    return oldest;
}

static rdv_calc *reach(calc_list *list, size_t i, bool change, bool fresh)
{
    calc_pages *p = list->pages;
    if (p->held[p->last].page != i / PAGE)
        p->last = place_of(list, i / PAGE, fresh);
    p->held[p->last].used = ++p->time;
    p->held[p->last].changed |= change;
    return &list->at[p->last * PAGE + i % PAGE];
}

rdv_calc *calc_list_reach(calc_list *list, size_t i, bool change)
{
    return reach(list, i, change, false);
}

/* The list has become long: its pages fill what pages may use. */
static int begin_pages(calc_list *list, rdv_arena *arena)
{
    calc_pages *p = RDV_NEW(arena, calc_pages);
    if (!p)
        return RDV_E_NOMEM;
    p->arena = arena;
    for (size_t i = 0; i < CALC_PAGES; i++) {
        if (!RDV_PUSH_ROOM_LARGE(arena, p->packed, p->n, p->cap))
            return RDV_E_NOMEM;
        p->packed[p->n++] = (packed_page){0};
        p->held[i].page = i;
        p->held[i].changed = true;
    }
    list->pages = p;
    return RDV_OK;
}

static int put_on_page(calc_list *list, const rdv_calc *calc)
{
    calc_pages *p = list->pages;
    bool fresh = list->n % PAGE == 0;
    if (fresh && !RDV_PUSH_ROOM_LARGE(p->arena, p->packed, p->n, p->cap))
        return RDV_E_NOMEM;
    if (fresh)
        p->packed[p->n++] = (packed_page){0};
    *reach(list, list->n, true, fresh) = *calc;
    list->n++;
    return p->failed ? RDV_E_NOMEM : RDV_OK;
}

/* ---- lists ----------------------------------------------------------------------------------- */

int calc_list_put(calc_list *list, rdv_arena *arena, const rdv_calc *calc)
{
    if (!list->pages && list->n == LONG_LIST && begin_pages(list, arena) < 0)
        return RDV_E_NOMEM;
    if (list->pages)
        return put_on_page(list, calc);
    if (!RDV_PUSH_ROOM_LARGE(arena, list->at, list->n, list->cap))
        return RDV_E_NOMEM;
    list->at[list->n++] = *calc;
    return RDV_OK;
}

void calc_list_cut(calc_list *list, size_t n)
{
    calc_pages *p = list->pages;
    list->n = n;
    if (!p)
        return;
    for (size_t i = 0; i < CALC_PAGES; i++)
        if (p->held[i].page != NO_PAGE && p->held[i].page * PAGE >= n)
            p->held[i].page = NO_PAGE;
    p->n = (n + PAGE - 1) / PAGE;
}

const rdv_calc *calc_list_first(calc_list *list, rdv_calc_kind is, rdv_calc_kind other)
{
    size_t found = list->n;
    for (size_t i = 0; i < list->n; i++) {
        rdv_calc_kind kind = calc_list_see(list, i)->kind;
        if (kind == is)
            return calc_list_see(list, i);
        if (kind == other && found == list->n)
            found = i;
    }
    return found < list->n ? calc_list_see(list, found) : NULL;
}

int calc_list_keep(calc_list *list)
{
    for (size_t i = 0; list->pages && i < CALC_PAGES; i++)
        put_back(list, i);
    return list->pages && list->pages->failed ? RDV_E_NOMEM : RDV_OK;
}

rdv_calc *calc_list_array(calc_list *list, rdv_arena *arena)
{
    if (!list->pages)
        return list->at;
    rdv_calc *all = rdv_alloc(arena, list->n * sizeof *all);
    for (size_t i = 0; all && i < list->n; i++)
        all[i] = *calc_list_see(list, i);
    return all;
}

typedef struct place {
    size_t begin, i;
} place;

static int by_begin(const void *a, const void *b)
{
    const rdv_calc *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
                                : (x->i > y->i) - (x->i < y->i);
}

static bool are_in_order(calc_list *list)
{
    size_t before = 0;
    for (size_t i = 0; i < list->n; i++) { /* most are found in the order in which they stand */
        size_t begin = calc_list_see(list, i)->begin;
        if (i && before >= begin)
            return false;
        before = begin;
    }
    return true;
}

static int sort_pages(calc_list *list, rdv_arena *arena)
{
    calc_list sorted = {0};
    int r = RDV_OK;
    place *order = rdv_alloc(arena, list->n * sizeof *order);
    for (size_t i = 0; order && i < list->n; i++)
        order[i] = (place){calc_list_see(list, i)->begin, i};
    if (!order)
        return RDV_E_NOMEM;
    qsort(order, list->n, sizeof *order, by_place);
    for (size_t i = 0; i < list->n && r == RDV_OK; i++)
        r = calc_list_put(&sorted, arena, calc_list_see(list, order[i].i));
    rdv_give_back(arena, order, list->n * sizeof *order);
    if (r < 0 || calc_list_keep(list) < 0)
        return RDV_E_NOMEM;
    *list = sorted;
    return RDV_OK;
}

int calc_list_sort(calc_list *list, rdv_arena *arena)
{
    if (are_in_order(list))
        return RDV_OK;
    if (list->pages)
        return sort_pages(list, arena);
    qsort(list->at, list->n, sizeof *list->at, by_begin);
    return RDV_OK;
}

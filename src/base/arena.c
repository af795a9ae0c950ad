/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks in a singly linked list, the newest first. The first is small, since thousands of plans
 * may be open at a time, and each next one is twice as large, up to MOST_BYTES. Larger requests get
 * a block of their own size. So a reset costs one free a block and an allocation a few
 * instructions. The limit counts what was handed out, not what malloc was asked for. */
#include "base/arena.h"

#include "base/alloc_fail.h"
#include "base/copies.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES ((size_t)2 * 1024)
#define MOST_BYTES ((size_t)32 * 1024)
#define ALIGN _Alignof(max_align_t)

typedef struct block block;
struct block {
    block *older;
    size_t size; /* bytes after the header */
    max_align_t data[];
};

struct rdv_arena {
    block *newest;
    size_t block_bytes; /* of the next block, if no larger one is asked for */
    char *next;         /* where the next allocation begins, in the newest block */
    size_t room;        /* bytes from there on that the block has and the limit allows */
    size_t reach;       /* bytes handed out when the room is used up */
    size_t max;
    bool full;  /* an allocation was refused because of `max` */
    void *last; /* latest allocation, which may grow in place */
    rdv_copies *log; /* notes the copies that are made in it; NULL: nobody asks */
};

static _Thread_local size_t fail_at; /* see rdv_alloc_fail_at() */
static _Thread_local bool fail_once; /* see rdv_alloc_fail_once() */
/* Whether any thread ever asked for a failure: no program but a test does, and variables of a
 * thread are slow to reach in a shared library. */
static atomic_bool may_fail;

static bool is_failure_possible(void)
{
    return atomic_load_explicit(&may_fail, memory_order_relaxed);
}

static bool injected_failure(void)
{
    if (!is_failure_possible() || fail_at == 0)
        return false;
    bool fails = fail_at == 1;
    if (!fails || fail_once)
        fail_at--;
    return fails;
}

void rdv_alloc_fail_at(size_t n)
{
    atomic_store_explicit(&may_fail, true, memory_order_relaxed);
    fail_at = n;
    fail_once = false;
}

void rdv_alloc_fail_once(size_t n)
{
    atomic_store_explicit(&may_fail, true, memory_order_relaxed);
    fail_at = n;
    fail_once = true;
}

rdv_arena *rdv_arena_new(size_t max_bytes)
{
    return rdv_arena_new_for(FIRST_BYTES, max_bytes);
}

rdv_arena *rdv_arena_new_for(size_t usual_bytes, size_t max_bytes)
{
    rdv_arena *a = injected_failure() ? NULL : malloc(sizeof *a);
    if (a)
        *a = (rdv_arena){.block_bytes = usual_bytes < MOST_BYTES ? usual_bytes : MOST_BYTES,
                         .max = max_bytes ? max_bytes : SIZE_MAX};
    return a;
}

void rdv_arena_log(rdv_arena *arena, rdv_copies *log)
{
    arena->log = log;
}

void rdv_arena_copied(rdv_arena *arena, const char *to, size_t n, const char *from, size_t from_n)
{
    if (arena->log)
        rdv_copies_add(arena->log, to, n, from, from_n);
}

bool rdv_arena_is_full(const rdv_arena *arena)
{
    return arena->full;
}

/* Allocate next at byte `used` of the newest block, if there is one, after `total` bytes in all. */
static void go_on_at(rdv_arena *arena, size_t used, size_t total)
{
    block *b = arena->newest;
    size_t in_block = b ? b->size - used : 0, allowed = arena->max - total;
    arena->next = b ? (char *)b->data + used : NULL;
    arena->room = in_block < allowed ? in_block : allowed;
    arena->reach = total + arena->room;
}

void rdv_arena_reset(rdv_arena *arena)
{
    if (!arena)
        return;
    arena->full = false;
    /* Keep the newest block of an ordinary size: the largest, which the next item will want. */
    block *kept = NULL;
    for (block *b = arena->newest, *older; b; b = older) {
        older = b->older;
        if (kept || b->size > MOST_BYTES)
            free(b);
        else
            kept = b;
    }
    if (kept)
        kept->older = NULL;
    arena->newest = kept;
    arena->last = NULL;
    go_on_at(arena, 0, 0);
}

void rdv_arena_free(rdv_arena **arena)
{
    if (!arena || !*arena)
        return;
    for (block *b = (*arena)->newest; b;) {
        block *older = b->older;
        free(b);
        b = older;
    }
    free(*arena);
    *arena = NULL;
}

/* 0 for what is rounded up to more than SIZE_MAX. */
static size_t round_up(size_t size)
{
    return (size + ALIGN - 1) & ~(ALIGN - 1);
}

/* A new block with room for `size` bytes; NULL: out of memory. */
static block *add_block(rdv_arena *arena, size_t size)
{
    size_t bytes = size > arena->block_bytes ? size : arena->block_bytes;
    block *b = malloc(sizeof *b + bytes);
    if (!b)
        return NULL;
    *b = (block){.older = arena->newest, .size = bytes};
    size_t total = rdv_arena_used(arena);
    arena->newest = b;
    go_on_at(arena, 0, total);
    if (arena->block_bytes < MOST_BYTES)
        arena->block_bytes *= 2;
    return b;
}

/* `size` bytes of the newest block, which has room for them. */
static inline void *take(rdv_arena *arena, size_t size)
{
    char *p = arena->next;
    arena->next = p + size;
    arena->room -= size;
    arena->last = p;
    return p;
}

/* Where the newest block has no room, or the limit is reached, or an allocation is to fail. */
static __attribute__((noinline)) void *alloc_elsewhere(rdv_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2 || injected_failure())
        return NULL;
    size = round_up(size ? size : 1);
    if (size > arena->max - rdv_arena_used(arena)) {
        arena->full = true;
        return NULL;
    }
    return size <= arena->room || add_block(arena, size) ? take(arena, size) : NULL;
}

void *rdv_alloc(rdv_arena *arena, size_t size)
{
    size_t whole = round_up(size);
    bool fits = whole - 1 < arena->room; /* not where it is 0 */
    return fits && !is_failure_possible() ? take(arena, whole) : alloc_elsewhere(arena, size);
}

void *rdv_calloc(rdv_arena *arena, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        return NULL;
    void *p = rdv_alloc(arena, bytes);
    if (p)
        memset(p, 0, bytes);
    return p;
}

void *rdv_regrow(rdv_arena *arena, void *old, size_t old_size, size_t new_size)
{
    if (old && old == arena->last && new_size < SIZE_MAX / 2) {
        size_t size = round_up(new_size ? new_size : 1);
        size_t had = (size_t)(arena->next - (char *)old);
        if (size <= had)
            return old;
        if (size - had <= arena->room) {
            if (injected_failure())
                return NULL;
            arena->next += size - had;
            arena->room -= size - had;
            return old;
        }
    }
    void *p = rdv_alloc(arena, new_size);
    if (p && old_size) {
        memcpy(p, old, old_size);
        rdv_arena_copied(arena, p, old_size, old, old_size);
    }
    return p;
}

/* Where the list links the block that holds `p`, of `size` bytes or more, and nothing else; NULL:
 * there is none. */
static block **own_block(rdv_arena *arena, const void *p, size_t size)
{
    block **b = &arena->newest;
    if (size <= MOST_BYTES)
        return NULL;
    while (*b && (const void *)(*b)->data != p)
        b = &(*b)->older;
    return *b ? b : NULL;
}

/* Enlarge a block that holds one thing alone. */
static void *regrow_block(rdv_arena *arena, block **own, size_t size)
{
    size_t total = rdv_arena_used(arena), had = (*own)->size;
    size_t used = (size_t)(arena->next - (char *)arena->newest->data);
    if (size - had > arena->max - total) {
        arena->full = true;
        return NULL;
    }
    block *b = injected_failure() ? NULL : realloc(*own, sizeof *b + size);
    if (!b)
        return NULL;
    if (own == &arena->newest)
        used = size;
    b->size = size;
    *own = b;
    arena->last = NULL;
    go_on_at(arena, used, total + size - had);
    return b->data;
}

void *rdv_regrow_large(rdv_arena *arena, void *old, size_t old_size, size_t new_size)
{
    bool may = new_size < SIZE_MAX / 2 && !arena->log;
    block **own = may ? own_block(arena, old, old_size) : NULL;
    bool larger = own && round_up(new_size) > (*own)->size;
    return larger ? regrow_block(arena, own, round_up(new_size))
                  : rdv_regrow(arena, old, old_size, new_size);
}

void rdv_give_back(rdv_arena *arena, const void *p, size_t size)
{
    block **own = own_block(arena, p, size);
    if (!own || own == &arena->newest) /* the newest is in use */
        return;
    block *b = *own;
    *own = b->older;
    free(b);
}

typedef void *regrow(rdv_arena *arena, void *old, size_t old_size, size_t new_size);

static bool grow(regrow *by, rdv_arena *arena, void **items, size_t *cap, size_t size)
{
    size_t want = *cap ? *cap * 2 : 8, bytes;
    if (want < *cap || __builtin_mul_overflow(want, size, &bytes))
        return false;
    void *p = by(arena, *items, *cap * size, bytes);
    if (!p)
        return false;
    *items = p;
    *cap = want;
    return true;
}

bool rdv_grow_(rdv_arena *arena, void **items, size_t *cap, size_t size)
{
    return grow(rdv_regrow, arena, items, cap, size);
}

bool rdv_grow_large_(rdv_arena *arena, void **items, size_t *cap, size_t size)
{
    return grow(rdv_regrow_large, arena, items, cap, size);
}

size_t rdv_arena_used(const rdv_arena *arena)
{
    return arena->reach - arena->room;
}

rdv_mark rdv_arena_mark(rdv_arena *arena)
{
    block *b = arena->newest;
    return (rdv_mark){b, b ? (size_t)(arena->next - (char *)b->data) : 0, rdv_arena_used(arena)};
}

void rdv_arena_rewind(rdv_arena *arena, rdv_mark mark)
{
    while (arena->newest && arena->newest != mark.block) {
        block *older = arena->newest->older;
        free(arena->newest);
        arena->newest = older;
    }
    arena->last = NULL;
    go_on_at(arena, mark.used, mark.total);
}

int rdv_no_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

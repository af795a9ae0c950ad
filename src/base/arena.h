/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Private side of arenas: allocation. Memory is aligned for any type, and not zeroed unless stated.
 */
#include <rederive/base.h>
#include <string.h>

/* `size` bytes, or NULL when out of memory or over the arena's limit. size 0 gives a valid
 * pointer. */
void *rdv_alloc(rdv_arena *arena, size_t size);
/* Set `err` to "out of memory" and return RDV_E_NOMEM. */
int rdv_no_memory(rdv_error *err);
/* The same, zeroed, for `n` objects of `size` bytes; NULL also when n * size overflows. */
void *rdv_calloc(rdv_arena *arena, size_t n, size_t size);
/* A copy of `old_size` bytes at `old` in a block of `new_size` >= old_size bytes; grows in place
 * when `old` was the latest allocation. `old` may be NULL when old_size is 0. */
void *rdv_regrow(rdv_arena *arena, void *old, size_t old_size, size_t new_size);
/* The same for what may become large: the old memory is given back, or grows where it is, so that
 * nothing may point there any more. */
void *rdv_regrow_large(rdv_arena *arena, void *old, size_t old_size, size_t new_size);
/* Give the memory at `p`, of at least `size` bytes, back, if it is so large that it has a block of
 * its own. Nothing may point there any more. It still counts for the arena's limit. */
void rdv_give_back(rdv_arena *arena, const void *p, size_t size);
/* Whether an allocation was refused because of the arena's limit since it was made or reset. */
bool rdv_arena_is_full(const rdv_arena *arena);
/* Bytes handed out since the arena was made or reset. */
size_t rdv_arena_used(const rdv_arena *arena);

/* As rdv_arena_new(), for contents that usually take `usual_bytes`: so much is had at once, with
 * the first allocation. */
rdv_arena *rdv_arena_new_for(size_t usual_bytes, size_t max_bytes);

/* Note every copy of bytes that is made in the arena in `log` from now on; NULL: in none. */
struct rdv_copies;
void rdv_arena_log(rdv_arena *arena, struct rdv_copies *log);
/* For what copies: as rdv_copies_add(), of a copy that was made in the arena. */
void rdv_arena_copied(rdv_arena *arena, const char *to, size_t n, const char *from, size_t from_n);

/* Return to an earlier state: what was allocated after rdv_arena_mark() is released. */
typedef struct rdv_mark {
    void *block;
    size_t used, total;
} rdv_mark;
rdv_mark rdv_arena_mark(rdv_arena *arena);
void rdv_arena_rewind(rdv_arena *arena, rdv_mark mark);

/* Test hook: make the n-th allocation from now (1 = the next) of every arena of this thread fail,
 * and all that follow it; 0 switches it off. A new arena is an allocation too. */
void rdv_alloc_fail_at(size_t n);

/* Of a known size, so that the compiler zeroes it without a call. */
static inline void *rdv_new_(rdv_arena *arena, size_t size)
{
    void *p = rdv_alloc(arena, size);
    return p ? memset(p, 0, size) : NULL;
}
#define RDV_NEW(arena, type) ((type *)rdv_new_((arena), sizeof(type)))
#define RDV_NEW_ARRAY(arena, type, n) ((type *)rdv_calloc((arena), (n), sizeof(type)))

/* Make room for one more element in the array `items` of `n` elements with capacity `cap` (all
 * three lvalues). False when out of memory, the array being untouched. The new element is not
 * zeroed. */
#define RDV_PUSH_ROOM(arena, items, n, cap)                                                        \
    ((n) < (cap) || rdv_grow_((arena), (void **)&(items), &(cap), sizeof *(items)))
bool rdv_grow_(rdv_arena *arena, void **items, size_t *cap, size_t size);
/* The same of an array that may become large, by rdv_regrow_large(). */
#define RDV_PUSH_ROOM_LARGE(arena, items, n, cap)                                                  \
    ((n) < (cap) || rdv_grow_large_((arena), (void **)&(items), &(cap), sizeof *(items)))
bool rdv_grow_large_(rdv_arena *arena, void **items, size_t *cap, size_t size);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A few threads that share out the items of a piece of work. Which thread takes which item changes
 * nothing: an item's result depends on the item alone.
 *
 * The caller works too and does not depend on the other threads: a thread that the system does not
 * run delays only an item that it has started. Between pool_wake() and pool_rest() threads wait for
 * the next work by looking, for some microseconds, and then sleep; outside they sleep. */
#include <rederive/base.h>

#define POOL_MAX_ITEMS 4095 /* of one piece of work */

typedef struct pool pool;

/* `item` of the work, by `worker` (0: the caller, below pool_threads()). */
typedef void (*pool_work)(void *payload, size_t item, size_t worker);

/* What a thread does before it ends, such as giving back what belongs to it. */
typedef void (*pool_last)(void);

/* `threads` >= 1 in all, the caller included. NULL: no memory, or a thread cannot be made. */
pool *pool_new(rdv_arena *arena, size_t threads);
/* Each thread of the pool, not the caller, calls `last` before it ends. */
void pool_at_end(pool *p, pool_last last);
/* Ends the threads. NULL is accepted. The memory is the arena's. */
void pool_end(pool *p);
size_t pool_threads(const pool *p);

void pool_wake(pool *p);
void pool_rest(pool *p);
/* Do items 0 .. n-1 (n <= POOL_MAX_ITEMS), and return when all are done. */
void pool_run(pool *p, pool_work work, void *payload, size_t n);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A thread pool with ordered completion: items are done by any thread, and taken back in the order
 * in which they were given.
 *
 * The items are the slots of a ring. The owner fills the free slot, gives it, and takes the oldest
 * one back when it is done. While the owner waits for that, it does items too, so a pool of one
 * thread is the owner alone. Threads are made when there is work for them; if one cannot be made,
 * the others do the work. Signals are left to the owner's thread. */
#include <rederive/base.h>

typedef struct ordered_pool ordered_pool;

typedef struct ordered_pool_options {
    size_t threads; /* at least 1, the owner's included */
    size_t slots;   /* at least 1: items that are given and not taken back yet, at most */
    /* Do the item in `slot`; worker 0 is the owner's thread, the others are below `threads`. */
    void (*work)(void *payload, size_t slot, size_t worker);
    void (*at_end)(void); /* each thread but the owner's calls it before it ends; NULL: nothing */
    void *payload;
} ordered_pool_options;

#define ORDERED_POOL_NONE SIZE_MAX

/* *pool: owned by the caller, and used by its thread only; released with ordered_pool_free().
 * RDV_E_NOMEM. */
int ordered_pool_new(const ordered_pool_options *options, ordered_pool **pool);
/* Wait for the items that were begun, leave the others, and release the pool. NULL and *NULL are
 * accepted. */
void ordered_pool_free(ordered_pool **pool);
/* The free slot that is given next; ORDERED_POOL_NONE: all are in use. */
size_t ordered_pool_free_slot(const ordered_pool *pool);
void ordered_pool_give(ordered_pool *pool);
/* The slot of the oldest item that was given. ORDERED_POOL_NONE: there is none; or it is not done
 * and `wait` is false. */
size_t ordered_pool_oldest(ordered_pool *pool, bool wait);
/* The slot that ordered_pool_oldest() told is free again. */
void ordered_pool_take(ordered_pool *pool);

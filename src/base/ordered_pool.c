/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ordered_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

typedef struct helper {
    struct ordered_pool *pool;
    size_t worker;
    pthread_t thread;
} helper;

struct ordered_pool {
    ordered_pool_options is;
    pthread_mutex_t lock;
    pthread_cond_t given_more, oldest_done;
    /* Items are counted from the first one on; item i is in slot i % slots. Under the lock. */
    uint64_t given, begun, taken;
    bool *done; /* by slot */
    bool ending;
    size_t idle; /* helpers that wait for an item */
    size_t n_helpers;
    helper *helpers;
};

static size_t slot_of(const ordered_pool *p, uint64_t item)
{
    return (size_t)(item % p->is.slots);
}

/* Do the next item that was not begun. Called with the lock, which is released meanwhile. */
static void do_next(ordered_pool *p, size_t worker)
{
    uint64_t item = p->begun++;
    pthread_mutex_unlock(&p->lock);
    p->is.work(p->is.payload, slot_of(p, item), worker);
    pthread_mutex_lock(&p->lock);
    p->done[slot_of(p, item)] = true;
    if (item == p->taken && worker > 0)
        pthread_cond_signal(&p->oldest_done);
}

static void *help(void *payload)
{
    helper *h = payload;
    ordered_pool *p = h->pool;
    pthread_mutex_lock(&p->lock);
    while (!p->ending) {
        if (p->begun < p->given) {
            do_next(p, h->worker);
            continue;
        }
        p->idle++;
        pthread_cond_wait(&p->given_more, &p->lock);
        p->idle--;
    }
    pthread_mutex_unlock(&p->lock);
    if (p->is.at_end)
        p->is.at_end();
    return NULL;
}

int ordered_pool_new(const ordered_pool_options *options, ordered_pool **pool)
{
    ordered_pool *p = *pool = calloc(1, sizeof *p);
    if (!p)
        return RDV_E_NOMEM;
    p->is = *options;
    p->done = calloc(options->slots, sizeof *p->done);
    p->helpers = calloc(options->threads, sizeof *p->helpers);
    bool lock = pthread_mutex_init(&p->lock, NULL) == 0;
    bool more = lock && pthread_cond_init(&p->given_more, NULL) == 0;
    bool oldest = more && pthread_cond_init(&p->oldest_done, NULL) == 0;
    if (oldest && p->done && p->helpers)
        return RDV_OK;
    if (oldest)
        pthread_cond_destroy(&p->oldest_done);
    if (more)
        pthread_cond_destroy(&p->given_more);
    if (lock)
        pthread_mutex_destroy(&p->lock);
    free(p->done);
    free(p->helpers);
    free(p);
    *pool = NULL;
    return RDV_E_NOMEM;
}

void ordered_pool_free(ordered_pool **pool)
{
    ordered_pool *p = pool ? *pool : NULL;
    if (!p)
        return;
    *pool = NULL;
    pthread_mutex_lock(&p->lock);
    p->ending = true;
    pthread_cond_broadcast(&p->given_more);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->n_helpers; i++)
        pthread_join(p->helpers[i].thread, NULL);
    pthread_cond_destroy(&p->oldest_done);
    pthread_cond_destroy(&p->given_more);
    pthread_mutex_destroy(&p->lock);
    free(p->done);
    free(p->helpers);
    free(p);
}

size_t ordered_pool_free_slot(const ordered_pool *p)
{
    return p->given - p->taken < p->is.slots ? slot_of(p, p->given) : ORDERED_POOL_NONE;
}

/* One more thread. If it cannot be made, the others do the work. */
static void add_helper(ordered_pool *p)
{
    sigset_t all, before;
    helper *h = &p->helpers[p->n_helpers];
    *h = (helper){.pool = p, .worker = p->n_helpers + 1};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&h->thread, NULL, help, h) == 0)
        p->n_helpers++;
    else
        p->is.threads = p->n_helpers + 1;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void ordered_pool_give(ordered_pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->done[slot_of(p, p->given++)] = false;
    /* The owner does a single item sooner than a new thread would. */
    bool wanted = p->given - p->begun > p->idle + 1 && p->n_helpers + 1 < p->is.threads;
    if (p->idle)
        pthread_cond_signal(&p->given_more);
    pthread_mutex_unlock(&p->lock);
    if (wanted)
        add_helper(p);
}

size_t ordered_pool_oldest(ordered_pool *p, bool wait)
{
    size_t slot = ORDERED_POOL_NONE;
    pthread_mutex_lock(&p->lock);
    while (p->taken < p->given && wait && !p->done[slot_of(p, p->taken)]) {
        if (p->begun < p->given)
            do_next(p, 0);
        else
            pthread_cond_wait(&p->oldest_done, &p->lock);
    }
    if (p->taken < p->given && p->done[slot_of(p, p->taken)])
        slot = slot_of(p, p->taken);
    pthread_mutex_unlock(&p->lock);
    return slot;
}

void ordered_pool_take(ordered_pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->taken++;
    pthread_mutex_unlock(&p->lock);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/pool.h"
#include "base/arena.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define LOOKS 4000 /* for the next work, before a thread goes to sleep: some ten microseconds */

/* A piece of work in one word, so that an item is taken and identified in one atomic operation: its
 * number (40 bits), how many items it has and how many are taken (12 bits each). */
#define ITEM_BITS 12
#define TAKEN(word) ((word)&POOL_MAX_ITEMS)
#define ITEMS(word) ((word) >> ITEM_BITS & POOL_MAX_ITEMS)

typedef struct helper {
    pool *pool;
    size_t worker;
    pthread_t thread;
} helper;

struct pool {
    _Atomic uint64_t word;
    _Atomic size_t done;
    pool_work work; /* of the current piece: valid to whoever has taken an item of it */
    void *payload;
    uint64_t number;
    _Atomic bool awake, ending;
    _Atomic(pool_last) at_end; /* what a thread calls at last, or NULL */
    _Atomic size_t sleeping;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    size_t n_helpers;
    helper *helpers;
};

static void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Take items until there is none left. */
static void work_on(pool *p, size_t worker)
{
    uint64_t word = atomic_load_explicit(&p->word, memory_order_acquire);
    while (TAKEN(word) < ITEMS(word)) {
        if (!atomic_compare_exchange_weak_explicit(&p->word, &word, word + 1, memory_order_acquire,
                                                   memory_order_acquire))
            continue;
        p->work(p->payload, TAKEN(word), worker);
        atomic_fetch_add_explicit(&p->done, 1, memory_order_release);
        word = atomic_load_explicit(&p->word, memory_order_acquire);
    }
}

static bool has_work(pool *p)
{
    uint64_t word = atomic_load_explicit(&p->word, memory_order_acquire);
    return TAKEN(word) < ITEMS(word);
}

static void sleep_until_woken(pool *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_fetch_add(&p->sleeping, 1);
    while (!atomic_load(&p->ending) && !has_work(p))
        pthread_cond_wait(&p->wake, &p->lock);
    atomic_fetch_sub(&p->sleeping, 1);
    pthread_mutex_unlock(&p->lock);
}

static void *help(void *payload)
{
    helper *h = payload;
    pool *p = h->pool;
    size_t looks = 0;
    while (!atomic_load_explicit(&p->ending, memory_order_relaxed)) {
        if (has_work(p)) {
            work_on(p, h->worker);
            looks = 0;
        } else if (atomic_load_explicit(&p->awake, memory_order_relaxed) && looks < LOOKS) {
            looks++;
            pause_a_little();
        } else {
            sleep_until_woken(p);
            looks = 0;
        }
    }
    pool_last at_end = atomic_load(&p->at_end);
    if (at_end)
        at_end();
    return NULL;
}

pool *pool_new(rdv_arena *arena, size_t threads)
{
    pool *p = RDV_NEW(arena, pool);
    if (!p)
        return NULL;
    p->helpers = RDV_NEW_ARRAY(arena, helper, threads - 1);
    if (!p->helpers || pthread_mutex_init(&p->lock, NULL) != 0)
        return NULL;
    if (pthread_cond_init(&p->wake, NULL) != 0) {
        pthread_mutex_destroy(&p->lock);
        return NULL;
    }
    for (size_t i = 0; i + 1 < threads; i++) {
        helper *h = &p->helpers[i];
        *h = (helper){.pool = p, .worker = i + 1};
        if (pthread_create(&h->thread, NULL, help, h) != 0) {
            pool_end(p);
            return NULL;
        }
        p->n_helpers++;
    }
    return p;
}

static void wake_sleepers(pool *p)
{
    if (atomic_load(&p->sleeping) == 0)
        return;
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

void pool_at_end(pool *p, pool_last last)
{
    atomic_store(&p->at_end, last);
}

void pool_end(pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->ending, true);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->n_helpers; i++)
        pthread_join(p->helpers[i].thread, NULL);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
}

size_t pool_threads(const pool *p)
{
    return p->n_helpers + 1;
}

void pool_wake(pool *p)
{
    atomic_store(&p->awake, true);
}

void pool_rest(pool *p)
{
    atomic_store(&p->awake, false);
}

void pool_run(pool *p, pool_work work, void *payload, size_t n)
{
    if (n < 2 || p->n_helpers == 0) {
        for (size_t i = 0; i < n; i++)
            work(payload, i, 0);
        return;
    }
    p->work = work;
    p->payload = payload;
    atomic_store_explicit(&p->done, 0, memory_order_relaxed);
    p->number++;
    atomic_store(&p->word, p->number << (2 * ITEM_BITS) | (uint64_t)n << ITEM_BITS);
    wake_sleepers(p);
    work_on(p, 0);
    for (size_t looks = 0; atomic_load_explicit(&p->done, memory_order_acquire) < n; looks++) {
        if (looks < LOOKS)
            pause_a_little();
        else
            sched_yield(); /* another holds the processor that the last item needs */
    }
}

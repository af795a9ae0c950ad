/* SPDX-License-Identifier: Apache-2.0 */
#include "run/call.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* ---- by key ---------------------------------------------------------------------------------- */

int calls_init(calls *c, size_t expected)
{
    *c = (calls){.n_buckets = 64};
    while (c->n_buckets < expected)
        c->n_buckets *= 2;
    c->buckets = calloc(c->n_buckets, sizeof *c->buckets);
    return c->buckets ? RDV_OK : RDV_E_NOMEM;
}

void calls_free(calls *c)
{
    free(c->buckets);
    free(c->waiting);
    *c = (calls){0};
}

/* Keys are hashes, so any of their bytes can be used. */
static call **bucket_of(const calls *c, const unsigned char key[32])
{
    size_t hash;
    memcpy(&hash, key, sizeof hash);
    return &c->buckets[hash & (c->n_buckets - 1)];
}

call *calls_find(const calls *c, const unsigned char key[32])
{
    call *i = *bucket_of(c, key);
    while (i && memcmp(i->key, key, sizeof i->key) != 0)
        i = i->bucket;
    return i;
}

static void enter_bucket(calls *c, call *which)
{
    call **bucket = bucket_of(c, which->key);
    which->bucket = *bucket;
    *bucket = which;
}

static void leave_bucket(calls *c, call *which)
{
    call **i = bucket_of(c, which->key);
    while (*i != which)
        i = &(*i)->bucket;
    *i = which->bucket;
}

call *calls_add(calls *c, waiter *w, pool *p)
{
    call *added = calloc(1, sizeof *added);
    if (!added)
        return NULL;
    added->pool = p;
    memcpy(added->key, w->request.key, sizeof added->key);
    call_attach(added, w);
    enter_bucket(c, added);
    c->n++;
    return added;
}

void calls_remove(calls *c, call *which)
{
    leave_bucket(c, which);
    c->n--;
    if (which->sent.state)
        which->backend->ops->cancel(which->backend, &which->sent);
    rdv_arena_free(&which->holds);
    free(which);
}

call *calls_each(const calls *c, const call *after)
{
    if (after && after->bucket)
        return after->bucket;
    call **i = after ? bucket_of(c, after->key) + 1 : c->buckets;
    while (i < c->buckets + c->n_buckets && !*i)
        i++;
    return i < c->buckets + c->n_buckets ? *i : NULL;
}

/* ---- by time --------------------------------------------------------------------------------- */

static void set_at(calls *c, size_t at, call *which)
{
    c->waiting[at] = which;
    which->at = at;
}

static void sift_up(calls *c, size_t at)
{
    call *which = c->waiting[at];
    for (size_t parent; at && c->waiting[parent = (at - 1) / 2]->due > which->due; at = parent)
        set_at(c, at, c->waiting[parent]);
    set_at(c, at, which);
}

static void sift_down(calls *c, size_t at)
{
    call *which = c->waiting[at];
    for (size_t child; (child = 2 * at + 1) < c->n_waiting; at = child) {
        if (child + 1 < c->n_waiting && c->waiting[child + 1]->due < c->waiting[child]->due)
            child++;
        if (c->waiting[child]->due >= which->due)
            break;
        set_at(c, at, c->waiting[child]);
    }
    set_at(c, at, which);
}

int calls_wait(calls *c, call *which)
{
    if (c->n_waiting == c->cap_waiting) {
        size_t cap = c->cap_waiting ? c->cap_waiting * 2 : 64;
        call **grown = realloc(c->waiting, cap * sizeof *grown);
        if (!grown)
            return RDV_E_NOMEM;
        c->waiting = grown;
        c->cap_waiting = cap;
    }
    which->state = CALL_WAITING;
    set_at(c, c->n_waiting++, which);
    sift_up(c, which->at);
    return RDV_OK;
}

call *calls_first_due(const calls *c)
{
    return c->n_waiting ? c->waiting[0] : NULL;
}

void calls_stop_waiting(calls *c, call *which)
{
    size_t at = which->at;
    call *last = c->waiting[--c->n_waiting];
    if (last == which)
        return;
    set_at(c, at, last);
    sift_up(c, at);
    sift_down(c, last->at);
}

/* ---- waiters --------------------------------------------------------------------------------- */

/* A call is sent with the request of its latest waiter; all its waiters have one key. */
static void ask_as_first(call *c)
{
    c->sent.request = c->waiters ? &c->waiters->request : NULL;
}

void call_attach(call *c, waiter *w)
{
    w->call = c;
    w->next = c->waiters;
    c->waiters = w;
    ask_as_first(c);
}

void call_detach(waiter *w)
{
    waiter **i = &w->call->waiters;
    while (*i != w)
        i = &(*i)->next;
    *i = w->next;
    ask_as_first(w->call);
}

/* ---- calls that ask for several choices ------------------------------------------------------ */

void call_join(call *lead, call *c)
{
    call **at = &lead->joined;
    while (*at)
        at = &(*at)->next;
    *at = c;
    c->next = NULL;
    c->lead = lead;
    c->state = CALL_JOINED;
    lead->n_joined++;
}

void call_leave(call *c)
{
    call **at = &c->lead->joined;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    c->lead->n_joined--;
    c->next = c->lead = NULL;
    c->state = CALL_HELD;
}

void calls_hand_on(calls *c, call *lead)
{
    call *heir = lead->joined;
    unsigned char key[sizeof lead->key];
    call_leave(heir);
    lead->choice = heir->choice;
    lead->waiters = heir->waiters;
    for (waiter *w = lead->waiters; w; w = w->next)
        w->call = lead;
    heir->waiters = NULL;
    memcpy(key, heir->key, sizeof key);
    calls_remove(c, heir);
    leave_bucket(c, lead);
    memcpy(lead->key, key, sizeof key);
    enter_bucket(c, lead);
    ask_as_first(lead);
}

/* ---- queues ---------------------------------------------------------------------------------- */

void call_queue_push(call_queue *q, call *c)
{
    c->next = NULL;
    c->before = q->last;
    if (q->last)
        q->last->next = c;
    else
        q->first = c;
    q->last = c;
    q->n++;
}

void call_queue_push_front(call_queue *q, call *c)
{
    c->before = NULL;
    c->next = q->first;
    if (q->first)
        q->first->before = c;
    else
        q->last = c;
    q->first = c;
    q->n++;
}

void call_queue_remove(call_queue *q, call *c)
{
    if (c->before)
        c->before->next = c->next;
    else
        q->first = c->next;
    if (c->next)
        c->next->before = c->before;
    else
        q->last = c->before;
    c->before = c->next = NULL;
    q->n--;
}

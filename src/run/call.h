/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Calls, from the moment a request is not found in the journal until its reply is given to its
 * waiters. Requests of one key, from any plan, are one call: the key says that they are the same
 * draw, and a journal keeps one reply for it. */
#include "run/backend.h"

typedef struct call call;
typedef struct open_plan open_plan;

typedef struct call_queue {
    call *first, *last;
    size_t n;
} call_queue;

/* One request of one job source. */
typedef struct waiter {
    rdv_request request; /* borrowed from the source */
    open_plan *plan;
    call *call;
    struct waiter *before, *after; /* neighbours in the plan */
    struct waiter *next;           /* next in the call */
} waiter;

typedef enum call_state {
    CALL_HELD,    /* in no queue, being processed: at most one call at a time */
    CALL_QUEUED,  /* in a queue of its pool */
    CALL_OUT,     /* in flight at its backend */
    CALL_WAITING, /* waiting until `due` to be retried */
    CALL_JOINED,  /* its reply is to be a choice of that of the call `lead` */
    CALL_ANSWERED /* its reply was read, and is not yet committed to the journal */
} call_state;

struct call {
    backend_call sent; /* the first member: the backend's part */
    call_state state;
    unsigned char key[32];
    waiter *waiters;     /* at least one, except while they are notified */
    pool *pool;          /* of servers that may answer it */
    backend *backend;    /* the latest that was to send it; NULL: none yet */
    call_queue *queue;   /* CALL_QUEUED: which */
    uint64_t unfit;      /* servers that cannot be sent it in its present form: bits by place */
    uint64_t tried;      /* servers that were sent it in vain */
    size_t moves;        /* how often it was given to another server, which is no try that counts */
    bool stays;          /* the backend is to send it once more */
    double expected;     /* expected tokens, see limit_start() */
    uint64_t started;    /* when the current try was started */
    uint32_t tries;      /* tries that count */
    uint64_t answers;    /* answers of the pool when this call was last throttled */
    uint64_t due;        /* CALL_WAITING */
    size_t at;           /* CALL_WAITING: index in the heap */
    bool keeps_place;    /* CALL_WAITING: counted in `waiting` of its host */
    rdv_reply reply;     /* CALL_ANSWERED, */
    rdv_arena *holds;    /* holds the reply; NULL: the run's batch does */
    bool recorded;       /* CALL_ANSWERED: the reply is from a transcript */
    call *lead;          /* CALL_JOINED */
    call *joined;        /* those that wait for choices of this call's reply, n_joined of them: a
                            list by `next` */
    size_t n_joined;
    size_t choice;       /* the number of its choice, while the call that asks for it is out */
    size_t refused;      /* the number of choices that it was refused with */
    call *bucket;        /* next call with the same hash */
    call *before, *next; /* neighbours in a queue */
};

/* ---- all calls of a run ---------------------------------------------------------------------- */

typedef struct calls {
    call **buckets;
    size_t n_buckets; /* a power of two */
    size_t n;
    call **waiting; /* a heap by `due` */
    size_t n_waiting, cap_waiting;
} calls;

/* `expected`: the approximate number of calls at a time. */
int calls_init(calls *c, size_t expected);
/* No call may be left. */
void calls_free(calls *c);
/* The call for that key, or NULL. */
call *calls_find(const calls *c, const unsigned char key[32]);
/* A new call for that waiter, in no queue; NULL: out of memory. */
call *calls_add(calls *c, waiter *w, pool *p);
/* Remove the call from the table, cancel it at its backend and free it. It must be in no queue and
 * have no waiters. */
void calls_remove(calls *c, call *which);
/* The next call after `after` (NULL: the first) in no particular order, or NULL. */
call *calls_each(const calls *c, const call *after);

/* Add the call to those that wait until call->due. RDV_OK or RDV_E_NOMEM. */
int calls_wait(calls *c, call *which);
/* The call that is due first; NULL: none waits. */
call *calls_first_due(const calls *c);
void calls_stop_waiting(calls *c, call *which);

/* ---- calls that ask for several choices ------------------------------------------------------ */

/* A call whose request equals another's but for the sample joins it: one exchange asks for a choice
 * for each of them. It is in no queue meanwhile; its key, its waiters and its reply are its own. */
void call_join(call *lead, call *c);
/* It is a call of its own again, held. */
void call_leave(call *c);
/* A call that nobody waits for any more goes on as the first that joined it, which is removed. */
void calls_hand_on(calls *c, call *lead);

/* ---- queues ---------------------------------------------------------------------------------- */

void call_queue_push(call_queue *q, call *c);
void call_queue_push_front(call_queue *q, call *c);
void call_queue_remove(call_queue *q, call *c);

/* ---- waiters --------------------------------------------------------------------------------- */

void call_attach(call *c, waiter *w);
void call_detach(waiter *w);

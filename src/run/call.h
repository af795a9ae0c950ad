/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Calls, from the moment a request was not in the journal until its reply is given to those who
 * wait for it. Requests of one key are one call, whoever asks: the plan says with the key that it
 * is the same draw, and a journal has room for one. */
#include "run/backend.h"

typedef struct call call;
typedef struct open_plan open_plan;

/* One request of one job source. */
typedef struct waiter {
    rdv_request request; /* borrowed from the source */
    open_plan *plan;
    call *call;
    struct waiter *before, *after; /* in the plan */
    struct waiter *next;           /* in the call */
} waiter;

typedef enum call_state {
    CALL_HELD,    /* in no queue, being dealt with: at most one call at a time */
    CALL_QUEUED,  /* in its host's queue */
    CALL_OUT,     /* its backend has it */
    CALL_WAITING, /* to be tried again when it is due */
    CALL_ANSWERED /* its reply was read, and is not yet safe in the journal */
} call_state;

struct call {
    backend_call sent; /* the first member: what the backend knows of it */
    call_state state;
    unsigned char key[32];
    waiter *waiters; /* at least one, but while they are told */
    backend *backend;
    double expected;     /* tokens, see limit_start() */
    uint64_t started;    /* the try that is out */
    uint32_t tries;      /* that count */
    uint64_t answers;    /* of the host, when it was last throttled */
    uint64_t due;        /* CALL_WAITING */
    size_t at;           /* CALL_WAITING: its index in the heap */
    rdv_reply reply;     /* CALL_ANSWERED, */
    rdv_arena *holds;    /* what the reply is in; NULL: the run's batch */
    bool recorded;       /* and it is a transcript's */
    call *bucket;        /* next of the same hash */
    call *before, *next; /* in a queue */
};

/* ---- all calls of a run ---------------------------------------------------------------------- */

typedef struct calls {
    call **buckets;
    size_t n_buckets; /* a power of two */
    size_t n;
    call **waiting; /* a heap by `due` */
    size_t n_waiting, cap_waiting;
} calls;

/* `expected`: about how many there will be at a time. */
int calls_init(calls *c, size_t expected);
/* There must be none left. */
void calls_free(calls *c);
/* The call for that key, or NULL. */
call *calls_find(const calls *c, const unsigned char key[32]);
/* A new call for that waiter, not yet in a queue; NULL: out of memory. */
call *calls_add(calls *c, waiter *w, backend *b);
/* Take it out of the table, cancel it at its backend and free it. It is in no queue, and has no
 * waiters. */
void calls_remove(calls *c, call *which);
/* The next call after `after` (NULL: the first) in no particular order, or NULL. */
call *calls_each(const calls *c, const call *after);

/* Put it among those that wait until call->due. RDV_OK or RDV_E_NOMEM. */
int calls_wait(calls *c, call *which);
/* The one that is due first; NULL: none waits. */
call *calls_first_due(const calls *c);
void calls_stop_waiting(calls *c, call *which);

/* ---- queues ---------------------------------------------------------------------------------- */

void call_queue_push(call_queue *q, call *c);
void call_queue_push_front(call_queue *q, call *c);
void call_queue_remove(call_queue *q, call *c);

/* ---- waiters --------------------------------------------------------------------------------- */

void call_attach(call *c, waiter *w);
void call_detach(waiter *w);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The open job sources in the order of their arrival: a ring. They are asked for requests in that
 * order, and leave in it, so the oldest are completed first. */
#include "run/call.h"
#include "run/job_source.h"

typedef struct open_plan {
    void *source;
    uint64_t number; /* in the order of arrival */
    waiter *waiters; /* its unanswered requests, doubly linked by `before`, `after` */
    bool ready;      /* may have a request */
    bool keeps;      /* it handed out one that was not served yet: */
    rdv_request kept;
    bool deferred;   /* one of its requests is left for a later run: it is to be closed when it has
                        no further one */
    bool closing;    /* is closed as soon as none of its requests is in flight */
} open_plan;

typedef struct open_plans {
    open_plan *ring;
    size_t cap;
    uint64_t first, end; /* numbers; the plan of number i is ring[i % cap] */
    uint64_t from;       /* no plan before this number is ready */
} open_plans;

int open_plans_init(open_plans *s, size_t cap);
void open_plans_free(open_plans *s);
static inline size_t open_plans_count(const open_plans *s)
{
    return (size_t)(s->end - s->first);
}
/* Add a source. There must be room. */
open_plan *open_plans_add(open_plans *s, void *source);
/* The earliest source; NULL: none is open. */
open_plan *open_plans_first(open_plans *s);
void open_plans_remove_first(open_plans *s);
open_plan *open_plans_at(open_plans *s, uint64_t number);
void open_plans_mark_ready(open_plans *s, open_plan *ready);
/* The earliest source that is ready and not closing; NULL: none. */
open_plan *open_plans_next_ready(open_plans *s);

void open_plan_link(open_plan *s, waiter *w);
void open_plan_unlink(waiter *w);
/* The waiter for request `id`; NULL: it has been answered or cancelled. */
waiter *open_plan_waiter(const open_plan *s, uint64_t id);

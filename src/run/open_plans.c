/* SPDX-License-Identifier: Apache-2.0 */
#include "run/open_plans.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>

int open_plans_init(open_plans *s, size_t cap)
{
    *s = (open_plans){.ring = calloc(cap, sizeof(open_plan)), .cap = cap};
    return s->ring ? RDV_OK : RDV_E_NOMEM;
}

void open_plans_free(open_plans *s)
{
    while (open_plans_count(s))
        open_plans_remove_first(s);
    free(s->ring);
    *s = (open_plans){0};
}

open_plan *open_plans_at(open_plans *s, uint64_t number)
{
    return &s->ring[number % s->cap];
}

open_plan *open_plans_add(open_plans *s, void *source)
{
    open_plan *added = open_plans_at(s, s->end);
    *added = (open_plan){.source = source, .number = s->end++};
    open_plans_mark_ready(s, added);
    return added;
}

open_plan *open_plans_first(open_plans *s)
{
    return open_plans_count(s) ? open_plans_at(s, s->first) : NULL;
}

void open_plans_remove_first(open_plans *s)
{
    s->first++;
    if (s->from < s->first)
        s->from = s->first;
}

void open_plans_mark_ready(open_plans *s, open_plan *ready)
{
    ready->ready = true;
    if (ready->number < s->from)
        s->from = ready->number;
}

open_plan *open_plans_next_ready(open_plans *s)
{
    for (; s->from < s->end; s->from++) {
        open_plan *candidate = open_plans_at(s, s->from);
        if (candidate->ready && !candidate->closing)
            return candidate;
    }
    return NULL;
}

void open_plan_link(open_plan *s, waiter *w)
{
    w->plan = s;
    w->before = NULL;
    w->after = s->waiters;
    if (s->waiters)
        s->waiters->before = w;
    s->waiters = w;
}

void open_plan_unlink(waiter *w)
{
    if (w->before)
        w->before->after = w->after;
    else
        w->plan->waiters = w->after;
    if (w->after)
        w->after->before = w->before;
}

waiter *open_plan_waiter(const open_plan *s, uint64_t id)
{
    waiter *w = s->waiters;
    while (w && w->request.id != id)
        w = w->after;
    return w;
}

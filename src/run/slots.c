/* SPDX-License-Identifier: Apache-2.0 */
#include "run/slots.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>

int slots_init(slots *s, size_t cap)
{
    *s = (slots){.ring = calloc(cap, sizeof(slot)), .cap = cap};
    return s->ring ? RDV_OK : RDV_E_NOMEM;
}

void slots_free(slots *s)
{
    while (slots_open(s))
        slots_remove_first(s);
    free(s->ring);
    *s = (slots){0};
}

slot *slots_at(slots *s, uint64_t number)
{
    return &s->ring[number % s->cap];
}

slot *slots_add(slots *s, void *work)
{
    slot *added = slots_at(s, s->end);
    *added = (slot){.work = work, .number = s->end++};
    slots_mark_ready(s, added);
    return added;
}

slot *slots_first(slots *s)
{
    return slots_open(s) ? slots_at(s, s->first) : NULL;
}

void slots_remove_first(slots *s)
{
    rdv_arena_free(&slots_first(s)->arena);
    s->first++;
    if (s->from < s->first)
        s->from = s->first;
}

void slots_mark_ready(slots *s, slot *ready)
{
    ready->ready = true;
    if (ready->number < s->from)
        s->from = ready->number;
}

slot *slots_next_ready(slots *s)
{
    for (; s->from < s->end; s->from++) {
        slot *candidate = slots_at(s, s->from);
        if (candidate->ready && !candidate->closing)
            return candidate;
    }
    return NULL;
}

int slot_estimate(slot *s, const unsigned char key[32])
{
    if (!s->arena) {
        s->arena = rdv_arena_new(0);
        if (!s->arena)
            return RDV_E_NOMEM;
        rdv_map_init(&s->estimated, s->arena);
    }
    rdv_str name = {(const char *)key, 32};
    if (rdv_map_get(&s->estimated, name) != RDV_MAP_MISSING)
        return RDV_NONE;
    name = rdv_str_copy(s->arena, name);
    return name.p ? rdv_map_put(&s->estimated, name, 0) : RDV_E_NOMEM;
}

void slot_link(slot *s, waiter *w)
{
    w->slot = s;
    w->before = NULL;
    w->after = s->waiters;
    if (s->waiters)
        s->waiters->before = w;
    s->waiters = w;
}

void slot_unlink(waiter *w)
{
    if (w->before)
        w->before->after = w->after;
    else
        w->slot->waiters = w->after;
    if (w->after)
        w->after->before = w->before;
}

waiter *slot_waiter(const slot *s, uint64_t id)
{
    waiter *w = s->waiters;
    while (w && w->request.id != id)
        w = w->after;
    return w;
}

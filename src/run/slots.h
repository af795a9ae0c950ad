/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The works that are open, in the order they came: a ring. They are asked for requests in that
 * order, and leave in it, so what is nearly done is done first. */
#include "base/map.h"
#include "run/call.h"
#include "run/work.h"

typedef struct slot {
    void *work;
    uint64_t number;  /* of its coming */
    waiter *waiters;  /* its requests that have no answer yet, doubly linked by `before`, `after` */
    bool ready;       /* it may have a request */
    bool closing;     /* it is closed as soon as nothing of it is out */
    rdv_arena *arena; /* of `estimated`; NULL: nothing is in it */
    rdv_map estimated; /* keys of the requests that a dry run has counted */
} slot;

typedef struct slots {
    slot *ring;
    size_t cap;
    uint64_t first, end; /* numbers; the slot of number i is ring[i % cap] */
    uint64_t from;       /* no slot before this number is ready */
} slots;

int slots_init(slots *s, size_t cap);
void slots_free(slots *s);
static inline size_t slots_open(const slots *s)
{
    return (size_t)(s->end - s->first);
}
/* Take in a work. There must be room. */
slot *slots_add(slots *s, void *work);
/* The earliest; NULL: none is open. */
slot *slots_first(slots *s);
void slots_remove_first(slots *s);
slot *slots_at(slots *s, uint64_t number);
void slots_mark_ready(slots *s, slot *ready);
/* The earliest that is ready and not closing; NULL: none. */
slot *slots_next_ready(slots *s);

/* Note that a dry run counts the request of that key. RDV_NONE: it has counted it, for another
 * method of the same work. Or RDV_OK, RDV_E_NOMEM. */
int slot_estimate(slot *s, const unsigned char key[32]);

void slot_link(slot *s, waiter *w);
void slot_unlink(waiter *w);
/* The waiter for request `id`; NULL: it has been answered, or given up. */
waiter *slot_waiter(const slot *s, uint64_t id);

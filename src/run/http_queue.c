/* SPDX-License-Identifier: Apache-2.0 */
#include "run/http.h"

void http_queue_push(http_queue *q, http_exchange *x)
{
    x->next = NULL;
    if (q->last)
        q->last->next = x;
    else
        q->first = x;
    q->last = x;
}

http_exchange *http_queue_pop(http_queue *q)
{
    http_exchange *x = q->first;
    if (!x)
        return NULL;
    q->first = x->next;
    if (!q->first)
        q->last = NULL;
    x->next = NULL;
    return x;
}

void http_queue_remove(http_queue *q, http_exchange *x)
{
    http_exchange *before = NULL;
    for (http_exchange *i = q->first; i != x; i = i->next)
        before = i;
    if (before)
        before->next = x->next;
    else
        q->first = x->next;
    if (q->last == x)
        q->last = before;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "server/held_events.h"
#include "base/str.h"
#include "server/event_cut.h"
#include "server/reply_edit.h"

#include <stdlib.h>
#include <string.h>

void held_events_free(held_events *h)
{
    for (size_t i = 0; i < h->n; i++)
        free(h->items[h->first + i].bytes);
    free(h->items);
    *h = (held_events){.n_more = h->n_more};
}

static bool make_room(held_events *h)
{
    if (h->first + h->n < h->cap)
        return true;
    if (h->first) {
        memmove(h->items, h->items + h->first, h->n * sizeof *h->items);
        h->first = 0;
        if (h->n < h->cap / 2)
            return true;
    }
    size_t cap = h->cap ? h->cap * 2 : 64;
    held_event *items = realloc(h->items, cap * sizeof *items);
    if (!items)
        return false;
    h->items = items;
    h->cap = cap;
    return true;
}

int held_events_add(held_events *h, rdv_str bytes, const held_event *e)
{
    if (bytes.len > HELD_EVENTS_MOST - h->n_bytes)
        return RDV_E_LIMIT;
    char *copy = malloc(bytes.len + 1);
    if (!copy || !make_room(h)) {
        free(copy);
        return RDV_E_NOMEM;
    }
    memcpy(copy, bytes.p, bytes.len);
    held_event *to = &h->items[h->first + h->n++];
    *to = *e;
    to->bytes = copy;
    to->len = bytes.len;
    h->n_bytes += bytes.len;
    return RDV_OK;
}

bool held_events_drop(held_events *h, size_t from)
{
    held_event *items = h->items + h->first;
    size_t keep = 0, n = h->n;
    while (keep < n && items[keep].text_end <= from)
        keep++;
    bool whole = keep == n || items[keep].text_begin >= from;
    for (size_t i = keep; i < n; i++) {
        h->n_bytes -= items[i].len;
        free(items[i].bytes);
    }
    h->n = keep;
    return whole;
}

/* ---- releasing ------------------------------------------------------------------------------- */

typedef struct releasing {
    held_events *h;
    reply_protocol protocol;
    const size_t *passed;
    size_t n;
    bool all;
    rdv_arena *arena;
    rdv_buf *out;
    bool waits[REPLY_MOST_CHOICES]; /* an event of the choice waits */
    bool any_waits, all_wait;
} releasing;

/* The event of those bytes. */
static int read_event(const releasing *r, const held_event *e, stream_event *event)
{
    event_cutter cutter = {0};
    return event_cut(&cutter, (rdv_str){e->bytes, e->len}, true, r->arena, event);
}

static int send_event(const releasing *r, const held_event *e)
{
    stream_event event;
    rdv_str data;
    rdv_str bytes = {e->bytes, e->len};
    if (!r->h->n_more || r->protocol != REPLY_RESPONSES) {
        rdv_buf_add(r->out, bytes);
        return RDV_OK;
    }
    int rc = read_event(r, e, &event);
    if (rc == RDV_OK && event.data.p)
        rc = event_renumber(event.data, r->h->n_more, r->arena, &data);
    if (rc != RDV_OK)
        return rc;
    if (event.data.p)
        reply_edit_event(r->out, &event, data);
    else
        rdv_buf_add(r->out, bytes);
    return RDV_OK;
}

/* The bytes of an event with other data. */
static int keep_rest(releasing *r, held_event *e, const stream_event *event, rdv_str data)
{
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    reply_edit_event(&b, event, data);
    rdv_str bytes = rdv_buf_str(&b);
    char *copy = rdv_buf_ok(&b) ? malloc(bytes.len + 1) : NULL;
    if (!copy)
        return RDV_E_NOMEM;
    memcpy(copy, bytes.p, bytes.len);
    r->h->n_bytes = r->h->n_bytes - e->len + bytes.len;
    free(e->bytes);
    e->bytes = copy;
    e->len = bytes.len;
    return RDV_OK;
}

/* Send the passed part of an event whose other part waits, if it can be cut. */
static int send_part(releasing *r, held_event *e)
{
    stream_event event;
    rdv_str text, first, second;
    size_t passed = r->passed[e->choice];
    if (passed <= e->text_begin || passed >= e->text_end || e->needs != e->text_end)
        return RDV_OK;
    int rc = read_event(r, e, &event);
    if (rc == RDV_OK && !event.data.p)
        return RDV_OK;
    if (rc == RDV_OK)
        rc = event_cut_text(r->protocol, event.data, r->arena, &text);
    if (rc == RDV_NONE)
        return RDV_OK;
    size_t begin = rc == RDV_OK && text.len <= e->text_end ? e->text_end - text.len : SIZE_MAX;
    if (rc != RDV_OK || passed <= begin) /* what is before is put between two parts of the text */
        return rc;
    rc = event_cut_at(r->protocol, event.data, text, passed - begin, r->arena, &first, &second);
    if (rc == RDV_E_INPUT) /* a name stands twice */
        return RDV_OK;
    if (rc == RDV_OK && r->protocol == REPLY_RESPONSES)
        rc = event_renumber(first, r->h->n_more, r->arena, &first);
    if (rc != RDV_OK)
        return rc;
    reply_edit_event(r->out, &event, first); /* before keep_rest() frees what it borrows from */
    e->text_begin = passed;
    r->h->n_more++;
    return keep_rest(r, e, &event, second);
}

static bool may_send(const releasing *r, const held_event *e)
{
    if (r->all)
        return true;
    if (r->all_wait)
        return false;
    if (e->choice == HELD_NO_CHOICE)
        return !r->any_waits && e->needs == 0;
    return e->choice < r->n && !r->waits[e->choice] && r->passed[e->choice] >= e->needs;
}

static int keep(releasing *r, held_event *e)
{
    bool of_choice = e->choice < r->n;
    bool first = of_choice && !r->all_wait && !r->waits[e->choice];
    r->any_waits = true;
    if (of_choice)
        r->waits[e->choice] = true;
    else
        r->all_wait = true;
    return first ? send_part(r, e) : RDV_OK;
}

int held_events_release(held_events *h, reply_protocol protocol, const size_t *passed, size_t n,
                        bool all, rdv_arena *arena, rdv_buf *out, bool *sent)
{
    releasing r = {h, protocol, passed, n, all, arena, out};
    held_event *items = h->items + h->first;
    size_t n_items = h->n, before = out->len;
    int rc = RDV_OK;
    h->n = 0;
    for (size_t i = 0; i < n_items; i++) {
        held_event e = items[i];
        if (rc == RDV_OK && may_send(&r, &e)) {
            rc = send_event(&r, &e);
            h->n_bytes -= e.len;
            free(e.bytes);
            continue;
        }
        if (rc == RDV_OK)
            rc = keep(&r, &e);
        items[h->n++] = e;
    }
    *sent = out->len > before;
    return rc == RDV_OK && !rdv_buf_ok(out) ? RDV_E_NOMEM : rc;
}

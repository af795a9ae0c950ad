/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_state.h"
#include "base/str.h"
#include "server/reply_edit.h"

/* ---- what an event needs --------------------------------------------------------------------- */

/* The choice's place in the reply; SIZE_MAX: it has none of that index. */
static size_t place_of(const reply_choices *reply, const json_t *choice)
{
    size_t index = (size_t)parse_count(json_object_get(choice, "index"));
    for (size_t i = 0; i < reply->n; i++)
        if (reply->items[i].index == index)
            return i;
    return SIZE_MAX;
}

/* An event of several choices waits for the end; one of none, for those before it. */
static held_event of_choices(const relay *r, const json_t *parsed)
{
    const json_t *choices = json_object_get(parsed, "choices");
    size_t n = json_array_size(choices);
    bool lists = r->asked.protocol == REPLY_CHAT || r->asked.protocol == REPLY_TEXT;
    size_t place = !lists ? 0 : n == 1 ? place_of(r->reply, json_array_get(choices, 0)) : SIZE_MAX;
    if (place >= r->reply->n)
        return (held_event){.choice = HELD_NO_CHOICE, .needs = n ? SIZE_MAX : 0};
    return (held_event){.choice = place};
}

static held_event needs_of(relay *r, const json_t *parsed)
{
    held_event e = of_choices(r, parsed);
    if (e.choice == HELD_NO_CHOICE)
        return e;
    e.text_begin = r->text_seen[e.choice];
    e.text_end = r->reply->items[e.choice].text.len;
    r->text_seen[e.choice] = e.text_end;
    e.needs = e.text_end;
    if (r->asked.rule.reasoning != JUDGE_REASONING_PASS && e.text_begin == e.text_end)
        e.needs++; /* what is no text waits for the first step behind it */
    return e;
}

/* ---- holding and sending --------------------------------------------------------------------- */

static void fail_to_hold(relay *r, int rc, const rdv_error *err)
{
    api_error e;
    if (rc != RDV_E_LIMIT) {
        relay_fail_memory(r);
        return;
    }
    api_error_set(&e, 422, NULL, "The reply cannot be judged step by step: %.160s.", err->msg);
    e.code = "not_admitted";
    relay_cut(r, &e);
}

static size_t n_unread(const reply_choices *reply)
{
    size_t n = 0;
    for (size_t i = 0; i < reply->n; i++)
        n += reply->items[i].n_unread;
    return n;
}

void relay_hold_event(relay *r, const stream_event *event, const json_t *parsed)
{
    held_event e = needs_of(r, parsed);
    rdv_error err;
    rdv_buf b;
    rdv_str data;
    bool more = false;
    int rc = reply_edit_clean(event->data, r->scratch, &data, &err);
    if (rc == RDV_E_INPUT) {
        relay_fail(r, "has an event that could not be read", &err);
        return;
    }
    rdv_buf_init(&b, r->scratch, 0);
    if (data.p == event->data.p)
        rdv_buf_add(&b, event->bytes);
    else
        reply_edit_event(&b, event, data);
    if (rc == RDV_OK)
        rc = rdv_buf_ok(&b) ? held_events_add(&r->events, rdv_buf_str(&b), &e) : RDV_E_NOMEM;
    if (rc == RDV_E_LIMIT)
        rdv_fail(&err, rc, "more than 16 MiB would have to be held");
    if (rc == RDV_OK)
        rc = judging_read_steps(r->judging, false, &more, &err);
    size_t unread = n_unread(r->reply);
    if (rc != RDV_OK)
        fail_to_hold(r, rc, &err);
    else if ((more && !judging_is_spent(r->judging)) || unread > r->n_unread)
        relay_judge(r, false);
    else if (r->events.n == 1)
        relay_release(r, false);
    r->n_unread = unread;
}

void relay_judge_end(relay *r)
{
    rdv_error err;
    bool more;
    int rc = r->asked.rule.mode == JUDGE_STRICT ? judging_read_steps(r->judging, true, &more, &err)
                                                : RDV_OK;
    if (rc == RDV_OK)
        relay_judge(r, true);
    else
        fail_to_hold(r, rc, &err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_state.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/event_cut.h"
#include "server/reply_edit.h"

#include <rederive/data.h>

#define MOST_WAITING                                                                               \
    ((size_t)64 * 1024) /* bytes that the client has not read, with which no more                  \
                           is taken from the model's server */

/* ---- what is sent ---------------------------------------------------------------------------- */

bool relay_holds(const relay *r)
{
    return r->judging && r->asked.rule.mode != JUDGE_AFTER && !r->judged;
}

/* To the client, or kept until it was judged. */
static void pass(relay *r, const stream_event *event)
{
    bool whole = relay_holds(r) && r->asked.rule.mode == JUDGE_WHOLE;
    rdv_buf *to = whole ? &r->held : &r->out;
    rdv_str clean;
    rdv_error err;
    int rc = reply_edit_clean(event->data, r->scratch, &clean, &err);
    if (event->data.p && rc != RDV_OK) {
        relay_fail(r, "has an event that could not be read", &err);
        return;
    }
    if (event->data.p && clean.p != event->data.p)
        reply_edit_event(to, event, clean);
    else
        rdv_buf_add(to, event->bytes);
    if (to == &r->held && !rdv_buf_ok(to))
        relay_fail(r, "has more than 16 MiB, which cannot be held", NULL);
}

/* An event of its own, for chat completions and completions. */
static void add_chunk(relay *r, rdv_str json)
{
    const chunk_head *c = &r->chunk;
    bool chat = r->asked.protocol == REPLY_CHAT;
    rdv_buf_printf(&r->out, "data: {\"id\":%.*s,\"object\":\"%s\",\"created\":%.*s",
                   RDV_FMT(c->id.p ? c->id : RDV_STR("null")),
                   chat ? "chat.completion.chunk" : "text_completion",
                   RDV_FMT(c->created.p ? c->created : RDV_STR("0")));
    rdv_buf_printf(&r->out, ",\"model\":%.*s,\"choices\":[],\"rederive\":",
                   RDV_FMT(c->model.p ? c->model : RDV_STR("null")));
    rdv_buf_add(&r->out, json);
    rdv_buf_lit(&r->out, "}\n\n");
}

void relay_send_last_event(relay *r, rdv_str json)
{
    rdv_str data;
    rdv_error err;
    bool own_chunk = r->asked.protocol == REPLY_CHAT || r->asked.protocol == REPLY_TEXT;
    rdv_buf_add(&r->out, rdv_buf_str(&r->held));
    rdv_buf_clear(&r->held);
    if (own_chunk) {
        add_chunk(r, json);
        rdv_buf_add(&r->out, r->last.bytes);
        r->over = true;
        return;
    }
    int rc = event_renumber(r->last.data, r->events.n_more, r->arena, &data);
    if (rc == RDV_OK)
        rc = reply_edit_put(r->asked.protocol, true, data, json, r->arena, &data, &err);
    if (rc != RDV_OK) {
        relay_fail(r, "has a last event that could not be read", &err);
        return;
    }
    reply_edit_event(&r->out, &r->last, data);
    r->over = r->asked.protocol == REPLY_RESPONSES; /* messages have a last event of their own */
}

/* ---- one event ------------------------------------------------------------------------------- */

static rdv_str raw_member(relay *r, rdv_str data, const char *name)
{
    rdv_str value;
    if (rdv_record_member(data, rdv_str_of(name), &value) != RDV_OK)
        return (rdv_str){0};
    return rdv_str_copy(r->arena, value);
}

static void note_chunk(relay *r, rdv_str data)
{
    chunk_head *c = &r->chunk;
    if (c->id.p || r->asked.protocol == REPLY_RESPONSES || r->asked.protocol == REPLY_MESSAGES)
        return;
    c->id = raw_member(r, data, "id");
    c->created = raw_member(r, data, "created");
    c->model = raw_member(r, data, "model");
}

/* With this event the client has the whole text. */
static bool is_last(const relay *r, const json_t *event)
{
    const json_t *delta = json_object_get(event, "delta");
    if (r->asked.protocol == REPLY_MESSAGES)
        return rdv_str_eq(parse_text(json_object_get(event, "type")), RDV_STR("message_delta")) &&
               json_is_string(json_object_get(delta, "stop_reason"));
    return r->asked.protocol == REPLY_RESPONSES && r->reply->ended;
}

/* Behind the judgement, nothing may come that it does not cover. */
static void take_rest(relay *r, const stream_event *event, const json_t *parsed)
{
    rdv_str type = parse_text(json_object_get(parsed, "type"));
    bool stop = rdv_str_eq(type, RDV_STR("message_stop"));
    if (!stop && !rdv_str_eq(type, RDV_STR("ping"))) {
        relay_fail(r, "went on after its end", NULL);
        return;
    }
    pass(r, event);
    r->over = stop;
}

static void hold_last(relay *r, const stream_event *event)
{
    rdv_error err;
    rdv_str data = event->data;
    int rc = data.p ? reply_edit_clean(data, r->scratch, &data, &err) : RDV_OK;
    r->last = (stream_event){.bytes = rdv_str_copy(r->arena, event->bytes),
                             .data = rdv_str_copy(r->arena, data.p ? data : RDV_STR(""))};
    if (rc != RDV_OK)
        relay_fail(r, "has an event that could not be read", &err);
    else if (!r->last.bytes.p || !r->last.data.p)
        relay_fail_memory(r);
    else
        relay_judge_end(r);
}

/* The event without reasoning, where the rule drops that. RDV_NONE: nothing is left of it. */
static int drop_reasoning(relay *r, stream_event *event, json_t **parsed, rdv_error *err)
{
    rdv_str data;
    rdv_buf b;
    if (r->asked.rule.reasoning != JUDGE_REASONING_DROP || !json_is_object(*parsed))
        return RDV_OK;
    int rc =
        reasoning_drop_event(&r->dropped, r->asked.protocol, event->data, r->scratch, &data, err);
    if (rc != RDV_OK || data.p == event->data.p)
        return rc;
    rdv_buf_init(&b, r->scratch, 0);
    reply_edit_event(&b, event, data);
    event->bytes = rdv_buf_str(&b);
    event->data = data;
    json_decref(*parsed);
    *parsed = NULL;
    return rdv_buf_ok(&b) ? parse_json(data, false, parsed, err) : rdv_no_memory(err);
}

static int read_event(relay *r, stream_event *event, json_t **parsed, rdv_error *err)
{
    int rc = parse_json(event->data, false, parsed, err);
    return rc == RDV_OK ? drop_reasoning(r, event, parsed, err) : rc;
}

static void judge_event(relay *r, const stream_event *given)
{
    json_t *parsed = NULL;
    rdv_error err;
    stream_event read = *given, *event = &read;
    int rc = read_event(r, event, &parsed, &err);
    if (rc == RDV_NONE) {
        json_decref(parsed);
        return;
    }
    if (rc == RDV_OK && !r->judged) {
        note_chunk(r, event->data);
        rc = reply_choices_event(r->reply, parsed, &err);
    }
    if (rc != RDV_OK) {
        relay_fail(r, "has an event that could not be read", &err);
    } else if (relay_shows_reasoning(r)) {
        relay_fail(r, "has reasoning where none is known to be", NULL);
    } else if (r->judged) {
        take_rest(r, event, parsed);
    } else if (r->reply->failed && relay_holds(r)) { /* the event may have text beside the error */
        relay_fail_reported(r, parsed);
    } else if (r->reply->failed) { /* its own error takes the place of a verdict */
        pass(r, event);
        r->over = true;
    } else if (is_last(r, parsed)) {
        hold_last(r, event);
    } else if (r->reply->ended) {
        relay_fail(r, "ended without saying how", NULL);
    } else if (r->asked.rule.mode == JUDGE_STRICT) {
        relay_hold_event(r, event, parsed);
    } else {
        pass(r, event);
    }
    json_decref(parsed);
}

static void take_event(relay *r, const stream_event *event)
{
    bool done = rdv_str_eq(rdv_trim(event->data), RDV_STR("[DONE]"));
    if (!event->data.p || rdv_trim(event->data).len == 0) {
        pass(r, &(stream_event){.bytes = event->bytes});
    } else if (done && r->judging) {
        hold_last(r, &(stream_event){.bytes = event->bytes});
    } else if (done) {
        rdv_buf_add(&r->out, event->bytes);
        r->over = true;
    } else if (r->judging) {
        judge_event(r, event);
    } else {
        pass(r, event);
    }
}

/* ---- all events ------------------------------------------------------------------------------ */

/* A stream of chat completions may lack its last event. */
static bool all_ended(const relay *r)
{
    for (size_t i = 0; i < r->reply->n; i++)
        if (!r->reply->items[i].finish.p)
            return false;
    return r->reply->n > 0 && (r->asked.protocol == REPLY_CHAT || r->asked.protocol == REPLY_TEXT);
}

static void take_stream_end(relay *r)
{
    api_error e;
    if (!source_check(&r->from, &e))
        relay_cut(r, &e);
    else if (!r->judging)
        r->over = true; /* the conversion saw to it that it is complete */
    else if (!r->judged && all_ended(r))
        hold_last(r, &(stream_event){.bytes = RDV_STR("")});
    else
        relay_fail(r, "ended early", NULL);
}

/* A stream that broke off is told as that. */
static void fail_conversion(relay *r, bool ended, const rdv_error *err)
{
    api_error e;
    if (ended && !source_check(&r->from, &e))
        relay_cut(r, &e);
    else
        relay_fail(r, "cannot be converted to this protocol", err);
}

/* The next event from the model's server. As event_cut(). */
static int cut_event(relay *r, bool ended, stream_event *event)
{
    rdv_str bytes = {r->in ? r->in + r->in_at : "", r->in_len - r->in_at};
    int rc = event_cut(&r->cutter, bytes, ended, r->scratch, event);
    if (rc != RDV_OK)
        return rc;
    r->in_at += event->bytes.len;
    source_hide_key(&r->from, (char *)(uintptr_t)event->bytes.p, event->bytes.len);
    source_hide_key(&r->from, (char *)(uintptr_t)event->data.p, event->data.len);
    reported_tokens_read(&r->tokens, r->server, true, event->data);
    return RDV_OK;
}

/* The same of the events for the client, where they are others. RDV_E_INPUT: what comes cannot be
 * converted. */
static int convert_event(relay *r, bool ended, stream_event *event, rdv_error *err)
{
    int rc;
    while ((rc = reply_conversion_next(r->conversion, r->scratch, event)) == RDV_NONE) {
        rc = cut_event(r, ended, event);
        if (rc == RDV_OK) {
            rc = reply_conversion_event(r->conversion, event, err);
        } else if (rc == RDV_NONE && ended && !r->converted) {
            api_error broken;
            r->converted = true;
            rc = source_check(&r->from, &broken) ? reply_conversion_end(r->conversion, err)
                                                 : RDV_E_INPUT;
        }
        if (rc != RDV_OK)
            return rc;
    }
    if (rc == RDV_OK) /* pieces may be joined now */
        source_hide_key(&r->from, (char *)(uintptr_t)event->bytes.p, event->bytes.len);
    return rc;
}

/* The chunk that such a count is. */
static bool is_count(const relay *r, const stream_event *event)
{
    rdv_str choices, count;
    return r->counting && !r->conversion && event->data.p &&
           rdv_record_member(event->data, RDV_STR("choices"), &choices) == RDV_OK &&
           rdv_str_eq(choices, RDV_STR("[]")) &&
           rdv_record_member(event->data, RDV_STR("usage"), &count) == RDV_OK &&
           rdv_starts(count, RDV_STR("{"));
}

void relay_work_on_stream(relay *r)
{
    bool ended = source_is_over(&r->from);
    if (!relay_read(r)) {
        relay_fail(r, "has an event of more than 16 MiB", NULL);
        return;
    }
    while (!r->over && !r->waiting && r->out.len - r->at < MOST_WAITING) {
        stream_event event;
        rdv_error err;
        rdv_arena_reset(r->scratch);
        int rc =
            r->conversion ? convert_event(r, ended, &event, &err) : cut_event(r, ended, &event);
        if (rc == RDV_NONE && ended) {
            take_stream_end(r);
            return;
        }
        if (rc == RDV_E_INPUT) {
            fail_conversion(r, ended, &err);
            return;
        }
        if (rc != RDV_OK) {
            if (rc != RDV_NONE)
                relay_fail_memory(r);
            return;
        }
        if (!is_count(r, &event))
            take_event(r, &event);
    }
}

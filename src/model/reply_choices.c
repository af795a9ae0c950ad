/* SPDX-License-Identifier: Apache-2.0 */
#include "model/reply_choices.h"
#include "base/arena.h"
#include "base/str.h"
#include "model/reply_readers.h"

void reply_choices_init(reply_choices *r, reply_protocol protocol, rdv_arena *arena)
{
    *r = (reply_choices){.protocol = protocol, .arena = arena};
}

static int is_object(const json_t *value, rdv_error *err)
{
    return json_is_object(value) ? RDV_OK : rdv_fail(err, RDV_E_INPUT, "not a JSON object");
}

/* Buffers fail for want of memory alone: reply_add_text() keeps to their limits. */
static int check_memory(const reply_choices *r, int rc, rdv_error *err)
{
    for (size_t i = 0; i < r->n && rc == RDV_OK; i++)
        if (!rdv_buf_ok(&r->items[i].text))
            return rdv_no_memory(err);
    return rc;
}

static void note_usage(reply_choices *r, const json_t *of)
{
    const json_t *usage = json_object_get(of, "usage");
    uint64_t n = parse_count(json_object_get(usage, "completion_tokens"));
    n = n ? n : parse_count(json_object_get(usage, "output_tokens"));
    r->n_tokens = n ? n : r->n_tokens;
}

bool reply_choices_reach_limit(const reply_choices *r)
{
    return r->limit && r->n == 1 && r->n_tokens >= r->limit;
}

int reply_choices_whole(reply_choices *r, const json_t *body, rdv_error *err)
{
    int rc = is_object(body, err);
    note_usage(r, body);
    r->failed = reply_has(json_object_get(body, "error"));
    if (rc != RDV_OK || r->failed)
        return rc;
    rc = r->protocol == REPLY_RESPONSES  ? reply_responses_whole(r, body, err)
         : r->protocol == REPLY_MESSAGES ? reply_messages_whole(r, body, err)
                                         : reply_chat_whole(r, body, err);
    return check_memory(r, rc, err);
}

int reply_choices_event(reply_choices *r, const json_t *event, rdv_error *err)
{
    int rc = is_object(event, err);
    note_usage(r, event);
    note_usage(r, json_object_get(event, "response"));
    r->failed |= reply_has(json_object_get(event, "error"));
    if (rc != RDV_OK || r->failed)
        return rc;
    rc = r->protocol == REPLY_RESPONSES  ? reply_responses_event(r, event, err)
         : r->protocol == REPLY_MESSAGES ? reply_messages_event(r, event, err)
                                         : reply_chat_event(r, event, err);
    return check_memory(r, rc, err);
}

void reply_choices_rewind(reply_choices *r, size_t i, size_t keep)
{
    reply_choice_read *c = &r->items[i];
    c->text.len = keep < c->text.len ? keep : c->text.len;
    c->finish = (rdv_str){0};
    c->n_tool_calls = 0;
    r->limit = r->n_tokens = 0;
    r->ended = false;
}

bool reply_choices_continue(reply_choices *r, size_t i, rdv_str text)
{
    reply_choice_read *c = &r->items[i];
    if (text.len > c->text.max - c->text.len)
        return false;
    rdv_buf_add(&c->text, text);
    return rdv_buf_ok(&c->text);
}

void reply_choices_end(reply_choices *r, size_t i, bool complete)
{
    static const char *const words[][2] = {[REPLY_CHAT] = {"length", "stop"},
                                           [REPLY_TEXT] = {"length", "stop"},
                                           [REPLY_RESPONSES] = {"incomplete", "completed"},
                                           [REPLY_MESSAGES] = {"max_tokens", "end_turn"}};
    r->items[i].finish = rdv_str_of(words[r->protocol][complete]);
}

bool reply_choice_is_whole(const reply_choices *r, const reply_choice_read *c)
{
    static const char *const words[][5] = {
        [REPLY_CHAT] = {"stop", "tool_calls", "function_call", NULL},
        [REPLY_TEXT] = {"stop", NULL},
        [REPLY_RESPONSES] = {"completed", NULL},
        [REPLY_MESSAGES] = {"end_turn", "stop_sequence", "tool_use", NULL}};
    for (size_t i = 0; words[r->protocol][i]; i++)
        if (rdv_str_eq(c->finish, rdv_str_of(words[r->protocol][i])))
            return true;
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "model/reply_choices.h"
#include "base/arena.h"
#include "base/str.h"
#include "model/failures.h"
#include "model/reply_readers.h"

void reply_choices_init(reply_choices *r, reply_protocol protocol, rdv_arena *arena)
{
    *r = (reply_choices){.protocol = protocol, .arena = arena};
}

/* ---- for all protocols ----------------------------------------------------------------------- */

bool reply_has(const json_t *value)
{
    if (json_is_string(value))
        return json_string_length(value) > 0;
    if (json_is_array(value))
        return json_array_size(value) > 0;
    if (json_is_object(value))
        return json_object_size(value) > 0;
    return json_is_true(value) || (json_is_number(value) && json_number_value(value) != 0);
}

reply_choice_read *reply_choice(reply_choices *r, size_t index, int *code, rdv_error *err)
{
    *code = RDV_OK;
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].index == index)
            return &r->items[i];
    if (r->n == REPLY_MOST_CHOICES) {
        *code = rdv_fail(err, RDV_E_INPUT, "more than %d choices", REPLY_MOST_CHOICES);
        return NULL;
    }
    if (!RDV_PUSH_ROOM(r->arena, r->items, r->n, r->cap)) {
        *code = rdv_no_memory(err);
        return NULL;
    }
    reply_choice_read *c = &r->items[r->n++];
    *c = (reply_choice_read){.index = index};
    rdv_buf_init(&c->text, r->arena, REPLY_MOST_TEXT);
    return c;
}

void reply_note_unread(reply_choice_read *c, const char *what)
{
    for (size_t i = 0; i < c->n_unread; i++)
        if (strcmp(c->unread[i], what) == 0)
            return;
    if (c->n_unread < REPLY_MOST_UNREAD)
        c->unread[c->n_unread++] = what;
}

void reply_add_text(reply_choice_read *c, rdv_str text)
{
    if (text.len > c->text.max - c->text.len) {
        reply_note_unread(c, "text beyond 1 MiB");
        return;
    }
    rdv_buf_add(&c->text, text);
}

void reply_repeat_text(reply_choice_read *c, size_t from, rdv_str text, const char *what)
{
    rdv_str all = rdv_buf_str(&c->text);
    rdv_str given = all.p ? rdv_slice(all, from, all.len) : RDV_STR("");
    if (given.len == 0)
        reply_add_text(c, text);
    else if (!rdv_str_eq(given, text))
        reply_note_unread(c, what);
}

static bool is_known(const char *name, const char *const *known)
{
    for (; *known; known++)
        if (strcmp(name, *known) == 0)
            return true;
    return false;
}

void reply_note_unknown(reply_choice_read *c, const json_t *object, const char *const *known,
                        const char *what)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (reply_has(value) && !json_is_number(value) && !is_known(name, known))
            reply_note_unread(c, what);
    }
}

int reply_keep_finish(reply_choices *r, reply_choice_read *c, const json_t *finish)
{
    if (!json_is_string(finish))
        return RDV_OK;
    c->finish = rdv_str_copy(r->arena, rdv_str_head(parse_text(finish), 64));
    return c->finish.p ? RDV_OK : RDV_E_NOMEM;
}

/* ---- chat completions, and completions ------------------------------------------------------- */

static bool is_thought(const char *name)
{
    for (size_t i = 0; i < n_thought_rows; i++)
        if (strcmp(name, thought_rows[i].member) == 0)
            return true;
    return false;
}

static void add_content(reply_choice_read *c, const json_t *content)
{
    reply_add_text(c, parse_text(content));
    for (size_t i = 0; i < json_array_size(content); i++) {
        const json_t *part = json_array_get(content, i);
        rdv_str type = parse_text(json_object_get(part, "type"));
        rdv_str thought = parse_text(json_object_get(part, "thinking"));
        if (rdv_str_eq(type, RDV_STR("text")) || rdv_str_eq(type, RDV_STR("output_text")))
            reply_add_text(c, parse_text(json_object_get(part, "text")));
        else if (rdv_str_eq(type, RDV_STR("thinking")) || rdv_str_eq(type, RDV_STR("reasoning")))
            c->n_reasoning_bytes += thought.len;
        else if (rdv_str_eq(type, RDV_STR("refusal")))
            c->refused = true;
        else
            reply_note_unread(c, "a part of the content of an unknown type");
    }
    if (json_is_object(content))
        reply_note_unread(c, "a content that is no text");
}

/* Of the pieces of a call the first has the function's name. */
static size_t count_calls(const json_t *calls)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(calls); i++) {
        const json_t *function = json_object_get(json_array_get(calls, i), "function");
        n += reply_has(json_object_get(function, "name"));
    }
    return n;
}

/* A message, or a piece of one. Members that carry a reply's text elsewhere, such as `audio`, are
 * not read; what is no list, object or text carries none. */
static void add_message(reply_choice_read *c, const json_t *message)
{
    static const char *const known[] = {"role",       "content",           "refusal",
                                        "tool_calls", "function_call",     "annotations",
                                        "name",       "reasoning_details", NULL};
    const char *name;
    json_t *value;
    add_content(c, json_object_get(message, "content"));
    c->refused |= reply_has(json_object_get(message, "refusal"));
    c->n_tool_calls += count_calls(json_object_get(message, "tool_calls"));
    c->n_tool_calls += json_is_object(json_object_get(message, "function_call"));
    json_object_foreach((json_t *)(uintptr_t)message, name, value)
    {
        if (is_thought(name))
            c->n_reasoning_bytes += parse_text(value).len;
        else if (reply_has(value) && !is_known(name, known))
            reply_note_unread(c, "a member of the message that is not known");
    }
}

static int add_choice(reply_choices *r, const json_t *piece, const char *member, rdv_error *err)
{
    static const char *const of_chat[] = {"index",
                                          "message",
                                          "delta",
                                          "finish_reason",
                                          "logprobs",
                                          "stop_reason",
                                          "token_ids",
                                          "matched_stop",
                                          "content_filter_results",
                                          "native_finish_reason",
                                          "seed",
                                          NULL};
    static const char *const of_text[] = {
        "index",        "text",      "finish_reason",   "logprobs",         "stop_reason",
        "matched_stop", "token_ids", "prompt_logprobs", "prompt_token_ids", NULL};
    const json_t *index = json_object_get(piece, "index");
    const json_t *message = member ? json_object_get(piece, member) : NULL;
    const json_t *text = json_object_get(piece, "text");
    int code;
    if (index && !(json_is_number(index) && json_number_value(index) >= 0 &&
                   json_number_value(index) < REPLY_MOST_CHOICES))
        return rdv_fail(err, RDV_E_INPUT, "a choice whose index is no number from 0 to %d",
                        REPLY_MOST_CHOICES - 1);
    reply_choice_read *c =
        reply_choice(r, index ? (size_t)json_number_value(index) : 0, &code, err);
    if (!c)
        return code;
    if (r->protocol == REPLY_TEXT && text && !json_is_string(text) && !json_is_null(text))
        reply_note_unread(c, "a text that is none");
    if (r->protocol == REPLY_TEXT)
        reply_add_text(c, parse_text(text));
    add_message(c, message);
    reply_note_unknown(c, piece, r->protocol == REPLY_TEXT ? of_text : of_chat,
                       "a member of the choice that is not known");
    if (member && reply_has(json_object_get(piece, strcmp(member, "delta") ? "delta" : "message")))
        reply_note_unread(c, "a message and its pieces in one");
    return reply_keep_finish(r, c, json_object_get(piece, FINISH_MEMBER));
}

static int add_choices(reply_choices *r, const json_t *body, const char *member, rdv_error *err)
{
    const json_t *choices = json_object_get(body, "choices");
    int rc = RDV_OK;
    for (size_t i = 0; i < json_array_size(choices) && rc == RDV_OK; i++)
        rc = add_choice(r, json_array_get(choices, i), member, err);
    return rc;
}

static int choices_whole(reply_choices *r, const json_t *body, rdv_error *err)
{
    const json_t *choices = json_object_get(body, "choices");
    if (json_array_size(choices) == 0)
        return rdv_fail(err, RDV_E_INPUT, "a reply without choices");
    size_t n = json_array_size(choices);
    int rc = add_choices(r, body, r->protocol == REPLY_CHAT ? "message" : NULL, err);
    if (rc == RDV_OK && r->n < n)
        return rdv_fail(err, RDV_E_INPUT, "two choices of one index");
    return rc;
}

static int choices_event(reply_choices *r, const json_t *event, rdv_error *err)
{
    return add_choices(r, event, r->protocol == REPLY_CHAT ? "delta" : NULL, err);
}

/* ---- all protocols --------------------------------------------------------------------------- */

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

int reply_choices_whole(reply_choices *r, const json_t *body, rdv_error *err)
{
    int rc = is_object(body, err);
    r->failed = reply_has(json_object_get(body, "error"));
    if (rc != RDV_OK || r->failed)
        return rc;
    rc = r->protocol == REPLY_RESPONSES  ? reply_responses_whole(r, body, err)
         : r->protocol == REPLY_MESSAGES ? reply_messages_whole(r, body, err)
                                         : choices_whole(r, body, err);
    return check_memory(r, rc, err);
}

int reply_choices_event(reply_choices *r, const json_t *event, rdv_error *err)
{
    int rc = is_object(event, err);
    r->failed |= reply_has(json_object_get(event, "error"));
    if (rc != RDV_OK || r->failed)
        return rc;
    rc = r->protocol == REPLY_RESPONSES  ? reply_responses_event(r, event, err)
         : r->protocol == REPLY_MESSAGES ? reply_messages_event(r, event, err)
                                         : choices_event(r, event, err);
    return check_memory(r, rc, err);
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

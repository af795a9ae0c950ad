/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAI's chat completions, and completions: a list of choices, of which each is a message or a
 * text; as a stream, pieces of them. */
#include "base/str.h"
#include "model/failures.h"
#include "model/reply_readers.h"

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
        else if (reply_has(value) && !reply_is_known(name, known))
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

int reply_chat_whole(reply_choices *r, const json_t *body, rdv_error *err)
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

int reply_chat_event(reply_choices *r, const json_t *event, rdv_error *err)
{
    return add_choices(r, event, r->protocol == REPLY_CHAT ? "delta" : NULL, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "data/conversation.h"
#include "base/arena.h"
#include "base/str.h"
#include "data/left_out.h"
#include "text/think.h"

#define NO_QUESTION                                                                                \
    "a reply without its question: checks that need the question cannot run; --join FILE adds a "  \
    "batch's requests, or questions, by their ids"
#define EXCERPT ((size_t)200) /* bytes of an error's message or of a refusal that are shown */

static const json_t *first_of(const json_t *object, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_object_get(object, names[i]);
        if (value && !json_is_null(value))
            return value;
    }
    return NULL;
}

/* A text, copied; p == NULL for anything else, without a fault. */
static rdv_str text_of(rdv_chain_builder *m, const json_t *value)
{
    return json_is_string(value) ? rdv_build_text_of(m, value, "text") : (rdv_str){0};
}

static void take(rdv_str *to, rdv_str text)
{
    if (to->len == 0)
        *to = text;
}

/* ---- the request ----------------------------------------------------------------------------- */

static void ask_turns(rdv_chain_builder *m, const json_t *messages, size_t n, rdv_conversation *x)
{
    left_out_of_chat(m, messages, n);
    take(&x->question, rdv_turns_by(m, messages, n, RDV_ROLE_USER));
    take(&x->system, rdv_turns_by(m, messages, n, RDV_ROLE_SYSTEM));
}

/* A question: a text, or a list of messages of which the user's count. */
static void ask_value(rdv_chain_builder *m, const json_t *value, rdv_conversation *x)
{
    take(&x->question, text_of(m, value));
    ask_turns(m, value, json_array_size(value), x);
}

void rdv_conversation_ask(rdv_chain_builder *m, const json_t *request, rdv_conversation *x)
{
    static const char *const wrappers[] = {"body", "params", "kwargs", "json"};
    static const char *const asked[] = {"messages", "input", "prompt"};
    static const char *const systems[] = {"system", "instructions"};
    const json_t *inner = first_of(request, wrappers, sizeof wrappers / sizeof *wrappers);
    if (json_is_object(inner) && !first_of(request, asked, 3))
        request = inner;
    if (!json_is_object(request)) {
        ask_value(m, request, x);
        return;
    }
    ask_value(m, first_of(request, asked, 3), x);
    rdv_said said;
    rdv_turn_said(m, first_of(request, systems, 2), &said);
    take(&x->system, said.text);
    take(&x->model, text_of(m, json_object_get(request, "model")));
}

/* ---- the reply ------------------------------------------------------------------------------- */

/* The response within what a log or a batch keeps around it. */
static const json_t *response_in(const json_t *reply)
{
    static const char *const wrappers[] = {"body", "message"};
    const json_t *inner = first_of(reply, wrappers, 2);
    return json_is_object(inner) ? inner : reply;
}

/* Each message has a role. A look at the first keeps a long list of replies from being gone through
 * once for each of them. */
static bool is_conversation(const json_t *list)
{
    const json_t *first = json_array_get(list, 0);
    bool has_role = json_object_get(first, "role") || json_object_get(first, "from");
    return has_role && rdv_turns_last_reply(list) < json_array_size(list);
}

size_t rdv_conversation_count(const json_t *reply)
{
    reply = response_in(reply);
    const json_t *choices = json_object_get(reply, "choices");
    const json_t *list = json_is_array(choices) ? choices : reply;
    bool one = !json_is_array(list) || json_array_size(list) == 0 || is_conversation(list);
    return one ? 1 : json_array_size(list);
}

/* Why the reply ended, in any API's words. */
static void take_ending(rdv_chain_builder *m, const json_t *reply, rdv_conversation *x)
{
    static const char *const names[] = {RDV_ENDING_MEMBERS};
    const json_t *details = json_object_get(reply, "incomplete_details");
    take(&x->ended, text_of(m, first_of(reply, names, 3)));
    take(&x->ended, text_of(m, json_object_get(details, "reason")));
    take(&x->ended, text_of(m, json_object_get(reply, "status"))); /* of OpenAI's Responses */
}

void rdv_conversation_reply(rdv_chain_builder *m, const json_t *reply, size_t index,
                            rdv_conversation *x)
{
    const json_t *whole = response_in(reply);
    const json_t *choices = json_object_get(whole, "choices");
    const json_t *output = json_object_get(whole, "output");
    const json_t *said = whole;
    if (json_is_array(choices)) {
        const json_t *choice = json_array_get(choices, index);
        const json_t *message = json_object_get(choice, "message");
        said = json_is_object(message) ? message : choice;
        take_ending(m, choice, x);
        rdv_conversation_error(m, json_object_get(choice, "error"), 0, x);
    } else if (json_is_array(output)) {
        said = output; /* its items are parts of one reply */
    } else if (json_is_array(whole) && !is_conversation(whole)) {
        said = response_in(json_array_get(whole, index));
        take_ending(m, said, x);
    }
    take_ending(m, reply, x);
    take_ending(m, whole, x);
    if (json_is_array(said) && said != output && is_conversation(said)) {
        size_t last = rdv_turns_last_reply(said);
        left_out_of_chat(m, said, last);
        said = json_array_get(said, last);
    }
    rdv_turn_said(m, said, &x->said);
    take(&x->id, text_of(m, json_object_get(whole, "id")));
    take(&x->model, text_of(m, json_object_get(whole, "model")));
    rdv_conversation_error(m, json_object_get(whole, "error"), 0, x);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* The beginning of a text as one line, not cut within a character. */
static rdv_str excerpt(rdv_chain_builder *m, rdv_str text)
{
    text = rdv_trim(text);
    size_t n = text.len < EXCERPT ? text.len : EXCERPT;
    while (n > 0 && n < text.len && ((unsigned char)text.p[n] & 0xc0) == 0x80)
        n--;
    rdv_buf line;
    rdv_buf_init(&line, m->arena, 0);
    for (size_t i = 0; i < n; i++)
        rdv_buf_add_char(&line, (unsigned char)text.p[i] < 0x20 ? ' ' : text.p[i]);
    if (!rdv_buf_ok(&line))
        rdv_build_nomem(m);
    return rdv_buf_str(&line);
}

/* What writers put where there was no error: null, "", false, 0, {} or []. */
static bool is_no_error(const json_t *error)
{
    return !error || json_is_null(error) || json_is_false(error) ||
           (json_is_string(error) && json_string_length(error) == 0) ||
           (json_is_number(error) && json_number_value(error) == 0) ||
           (json_is_object(error) && json_object_size(error) == 0) ||
           (json_is_array(error) && json_array_size(error) == 0);
}

void rdv_conversation_error(rdv_chain_builder *m, const json_t *error, long status,
                            rdv_conversation *x)
{
    static const char *const messages[] = {"message", "error", "code", "type"};
    bool refused = status != 0 && status != 200;
    if (x->failed.p || (is_no_error(error) && !refused))
        return;
    const json_t *inner = json_object_get(error, "error"); /* Anthropic wraps it once more */
    const json_t *of = json_is_object(inner) ? inner : error;
    const json_t *message = json_is_object(of) ? first_of(of, messages, 4) : of;
    rdv_str why = excerpt(m, text_of(m, message));
    const char *colon = why.len ? ": " : "";
    x->failed = refused ? rdv_str_printf(m->arena, "the request failed with HTTP status %ld%s%.*s",
                                         status, colon, RDV_FMT(why))
                        : rdv_str_printf(m->arena, "the request failed%s%.*s", colon, RDV_FMT(why));
    if (!x->failed.p)
        rdv_build_nomem(m);
}

static rdv_str why_no_text(rdv_chain_builder *m, const rdv_conversation *x)
{
    if (m->reasoning.len)
        return RDV_STR("the reply has reasoning but no answer text; --check-reasoning checks the "
                       "reasoning");
    if (x->said.refusal.len) {
        rdv_str refusal = excerpt(m, x->said.refusal);
        rdv_str why = rdv_str_printf(m->arena, "the model refused: %.*s", RDV_FMT(refusal));
        if (!why.p)
            rdv_build_nomem(m);
        return why;
    }
    if (rdv_str_eq(x->ended, RDV_STR("refusal")))
        return RDV_STR("the model refused");
    return x->said.calls_tool ? RDV_STR("the reply calls a tool and has no text")
                              : RDV_STR("the reply has no text");
}

/* ---- the chain ------------------------------------------------------------------------------- */

/* Why the reply is not whole; p == NULL: it is. */
static rdv_str why_unfinished(rdv_str ended)
{
    static const char *const cut[] = {"length",
                                      "max_tokens",
                                      "max_output_tokens",
                                      "abort",
                                      "max_new_tokens",
                                      "model_length",
                                      "pause_turn",
                                      "incomplete",
                                      "in_progress",
                                      "cancelled",
                                      "model_context_window_exceeded"};
    static const char *const broken[] = {"error", "failed"};
    if (rdv_is_one_of(ended, cut, sizeof cut / sizeof *cut))
        return RDV_STR("the reply was cut off before its end");
    if (rdv_is_one_of(ended, broken, sizeof broken / sizeof *broken))
        return RDV_STR("an error ended the reply");
    if (rdv_str_eq(ended, RDV_STR("content_filter")))
        return RDV_STR("a content filter ended the reply");
    if (rdv_str_eq(ended, RDV_STR("refusal")))
        return RDV_STR("the model refused to go on");
    return (rdv_str){0};
}

/* Why the text, though whole, is not what the model said last; p == NULL: it is. */
static rdv_str why_not_last(const rdv_conversation *x)
{
    static const char *const calls[] = {"tool_calls", "tool_call", "tool_use", "function_call"};
    if (x->said.refusal.len)
        return RDV_STR("the model refused to go on");
    if (rdv_is_one_of(x->ended, calls, sizeof calls / sizeof *calls) || x->said.calls_tool)
        return RDV_STR("the reply calls a tool");
    if (x->earlier)
        return RDV_STR("the last reply has no text; these are the steps of an earlier one");
    return (rdv_str){0};
}

static void set_ids(rdv_chain_builder *m, const rdv_conversation *x)
{
    rdv_chain *chain = m->chain;
    rdv_str own = x->id.len ? x->id : x->asked_id;
    if (own.len)
        chain->id = m->chains > 1 && !x->unique_id
                        ? rdv_str_printf(m->arena, "%.*s/%zu", RDV_FMT(own), m->index)
                        : own;
    else if (m->set)
        rdv_build_id(m, m->chains > 1);
    if (own.len && !chain->id.p)
        rdv_build_nomem(m);
    if (chain->question.text.len || chain->question.id.len)
        return;
    if (!x->failed.p)
        rdv_note(m->notes, RDV_NOTE_NO_QUESTION, NO_QUESTION);
    chain->question.id = x->asked_id.len ? x->asked_id
                         : own.len       ? own
                         : m->set        ? rdv_str_printf(m->arena, "%s/%zu", m->set, m->number)
                                         : RDV_STR("unknown");
    if (!chain->question.id.p)
        rdv_build_nomem(m);
}

static void set_question(rdv_chain_builder *m, const rdv_conversation *x)
{
    rdv_question *q = &m->chain->question;
    const rdv_joined_question *joined =
        m->joined ? rdv_joined_question_of(m->joined, x->asked_id.len ? x->asked_id : x->id) : NULL;
    rdv_str system = x->system;
    q->text = x->question.len ? x->question : (rdv_str){0};
    rdv_build_gold(m);
    if (joined) {
        take(&q->text, joined->text);
        take(&q->gold, joined->gold);
        take(&system, joined->system);
        if (!q->n_options) {
            q->options = joined->options;
            q->n_options = joined->n_options;
        }
    }
    if (system.len)
        rdv_build_keep_text(m, "system_prompt", system);
    if (x->model.len)
        rdv_build_keep_text(m, "generator", x->model);
}

/* What an API kept apart, then what stood between tags. */
static void take_reasoning(rdv_chain_builder *m, rdv_str aside, rdv_str tagged)
{
    rdv_buf all;
    rdv_buf_init(&all, m->arena, 0);
    rdv_buf_add(&all, aside);
    if (aside.len && tagged.len)
        rdv_buf_lit(&all, "\n\n");
    rdv_buf_add(&all, tagged);
    if (!rdv_buf_ok(&all))
        rdv_build_nomem(m);
    m->reasoning = rdv_buf_str(&all);
}

static void fail(rdv_chain_builder *m, rdv_str why)
{
    m->out->kind = RDV_RECORD_ERROR;
    m->out->error = why;
}

void rdv_conversation_build(rdv_chain_builder *m, const rdv_conversation *x)
{
    set_question(m, x);
    set_ids(m, x);
    if (x->failed.p) {
        fail(m, x->failed);
        return;
    }
    rdv_str visible, thought, text = x->said.text.p ? x->said.text : RDV_STR("");
    if (think_split(text, false, m->arena, &visible, &thought, NULL) != RDV_OK) {
        rdv_build_nomem(m);
        return;
    }
    take_reasoning(m, x->said.reasoning, thought);
    m->chain->unfinished = why_unfinished(x->ended);
    if (visible.len) {
        take(&m->chain->unfinished, why_not_last(x));
        rdv_build_split(m, visible, false);
    } else if (m->check_reasoning && m->reasoning.len) {
        m->out->kind = RDV_RECORD_CHAIN;
        take(&m->chain->unfinished, RDV_STR("the reply has reasoning but no answer text"));
    } else
        fail(m, why_no_text(m, x));
    m->no_answer = m->chain->unfinished.p != NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Replies that were saved as events (layout/events.c), put together as the clients of the APIs do:
 *
 * - chat and text completions (OpenAI and servers of its form): `choices` with a `delta` or a
 * `text` each; a chain for each index.
 * https://platform.openai.com/docs/api-reference/chat-streaming
 * - OpenAI's Responses: "response.output_text.delta" and its like, by output and content.
 *   https://platform.openai.com/docs/api-reference/responses-streaming
 * - Anthropic's Messages: "content_block_delta", by block.
 *   https://docs.anthropic.com/en/api/messages-streaming */
#include "base/str.h"
#include "data/conversation.h"
#include "data/format/readers.h"

#define MOST_CHOICES 128 /* replies of one stream: as many as OpenAI's `n` allows */

typedef struct joining {
    rdv_chain_builder *m;
    rdv_conversation *x;
    rdv_buf text, reasoning, refusal;
    bool has_text, has_reasoning;
    long block;                       /* the part of the reply that an event is of, */
    long text_block, reasoning_block; /* and those of the latest text and thought */
} joining;

static rdv_str text_of(const json_t *object, const char *name)
{
    return rdv_string_of(json_object_get(object, name));
}

static void take(joining *j, rdv_str *to, const json_t *value)
{
    if (!to->len && json_is_string(value))
        *to = rdv_build_text_of(j->m, value, "text");
}

/* Parts of a reply stand on lines of their own. */
static void add(rdv_buf *to, long *of, long block, const json_t *text)
{
    if (json_string_length(text) && to->len && *of != block)
        rdv_buf_add_char(to, '\n');
    if (json_string_length(text))
        *of = block;
    rdv_buf_add(to, rdv_string_of(text));
}

static void add_text(joining *j, const json_t *text)
{
    j->has_text |= json_is_string(text);
    add(&j->text, &j->text_block, j->block, text);
}

static void add_reasoning(joining *j, const json_t *text)
{
    j->has_reasoning |= json_string_length(text) > 0;
    add(&j->reasoning, &j->reasoning_block, j->block, text);
}

static long number_of(const json_t *object, const char *name)
{
    long n;
    return rdv_build_integer(json_object_get(object, name), &n) ? n : 0;
}

/* ---- chat ------------------------------------------------------------------------------------ */

static void add_delta(joining *j, const json_t *delta)
{
    static const char *const thoughts[] = {"reasoning_content", "reasoning", "thinking"};
    add_text(j, json_object_get(delta, "content"));
    for (size_t i = 0; i < sizeof thoughts / sizeof *thoughts; i++) {
        const json_t *thought = json_object_get(delta, thoughts[i]);
        if (json_string_length(thought)) {
            add_reasoning(j, thought);
            break;
        }
    }
    rdv_buf_add(&j->refusal, text_of(delta, "refusal"));
    j->x->said.calls_tool |= json_array_size(json_object_get(delta, "tool_calls")) > 0;
}

static void add_choices(joining *j, const json_t *event)
{
    const json_t *choices = json_object_get(event, "choices");
    for (size_t i = 0; i < json_array_size(choices); i++) {
        const json_t *choice = json_array_get(choices, i);
        if (number_of(choice, "index") != (long)j->m->index)
            continue;
        add_delta(j, json_object_get(choice, "delta"));
        add_text(j, json_object_get(choice, "text"));
        take(j, &j->x->ended, json_object_get(choice, "finish_reason"));
        rdv_conversation_error(j->m, json_object_get(choice, "error"), 0, j->x);
    }
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void add_message_event(joining *j, const json_t *event)
{
    const json_t *message = json_object_get(event, "message");
    const json_t *block = json_object_get(event, "content_block");
    const json_t *delta = json_object_get(event, "delta");
    rdv_str kind = text_of(block, "type");
    take(j, &j->x->id, json_object_get(message, "id"));
    take(j, &j->x->model, json_object_get(message, "model"));
    take(j, &j->x->ended, json_object_get(delta, "stop_reason"));
    if (json_object_get(event, "index"))
        j->block = number_of(event, "index");
    if (json_string_length(json_object_get(block, "text")))
        add_text(j, json_object_get(block, "text"));
    add_text(j, json_object_get(delta, "text"));
    add_reasoning(j, json_object_get(delta, "thinking"));
    j->x->said.calls_tool |= rdv_str_eq(kind, RDV_STR("tool_use"));
}

/* ---- Responses ------------------------------------------------------------------------------- */

static void add_response_event(joining *j, rdv_str type, const json_t *event)
{
    const json_t *response = json_object_get(event, "response");
    const json_t *delta = json_object_get(event, "delta");
    rdv_str item = text_of(json_object_get(event, "item"), "type");
    const json_t *details = json_object_get(response, "incomplete_details");
    take(j, &j->x->id, json_object_get(response, "id"));
    take(j, &j->x->model, json_object_get(response, "model"));
    rdv_conversation_error(j->m, json_object_get(response, "error"), 0, j->x);
    if (!rdv_str_eq(type, RDV_STR("response.created")) &&
        !rdv_str_eq(type, RDV_STR("response.in_progress")) &&
        !rdv_str_eq(type, RDV_STR("response.queued"))) {
        take(j, &j->x->ended, json_object_get(details, "reason"));
        take(j, &j->x->ended, json_object_get(response, "status"));
    }
    if (json_is_string(delta))
        j->block = number_of(event, "output_index") * 1000 + number_of(event, "content_index") +
                   number_of(event, "summary_index");
    if (rdv_str_eq(type, RDV_STR("response.output_text.delta")))
        add_text(j, delta);
    else if (rdv_str_eq(type, RDV_STR("response.reasoning_text.delta")) ||
             rdv_str_eq(type, RDV_STR("response.reasoning_summary_text.delta")))
        add_reasoning(j, delta);
    else if (rdv_str_eq(type, RDV_STR("response.refusal.delta")))
        rdv_buf_add(&j->refusal, rdv_string_of(delta));
    j->x->said.calls_tool |= rdv_str_eq(item, RDV_STR("function_call"));
}

/* ---- all ------------------------------------------------------------------------------------- */

static void add_event(joining *j, const json_t *event)
{
    rdv_str type = text_of(event, "type");
    rdv_conversation_error(j->m, json_object_get(event, "error"), 0, j->x);
    if (rdv_starts(type, RDV_STR("response."))) {
        add_response_event(j, type, event);
        return;
    }
    if (json_is_array(json_object_get(event, "choices"))) {
        take(j, &j->x->id, json_object_get(event, "id"));
        take(j, &j->x->model, json_object_get(event, "model"));
        add_choices(j, event);
        return;
    }
    add_message_event(j, event);
}

bool rdv_is_events(const rdv_members *in)
{
    return rdv_starts(rdv_members_raw(in, "stream"), RDV_STR("["));
}

size_t rdv_events_chains(rdv_chain_builder *m)
{
    const json_t *events = rdv_members_get(m->in, "stream");
    long most = 0;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *choices = json_object_get(json_array_get(events, i), "choices");
        for (size_t k = 0; k < json_array_size(choices); k++) {
            long n = number_of(json_array_get(choices, k), "index");
            most = n > most ? n : most;
        }
    }
    if (most >= MOST_CHOICES) {
        rdv_members_fail(m->in, RDV_E_LIMIT, "a stream of more than %d replies", MOST_CHOICES);
        return 0;
    }
    return (size_t)most + 1;
}

void rdv_read_events(rdv_chain_builder *m)
{
    rdv_conversation x = {0};
    joining j = {
        .m = m,
        .x = &x,
    };
    const json_t *events = rdv_members_get(m->in, "stream");
    rdv_buf_init(&j.text, m->arena, 0);
    rdv_buf_init(&j.reasoning, m->arena, 0);
    rdv_buf_init(&j.refusal, m->arena, 0);
    for (size_t i = 0; i < json_array_size(events); i++)
        add_event(&j, json_array_get(events, i));
    if (!rdv_buf_ok(&j.text) || !rdv_buf_ok(&j.reasoning) || !rdv_buf_ok(&j.refusal))
        rdv_build_nomem(m);
    if (j.has_text)
        x.said.text = rdv_buf_str(&j.text);
    if (j.has_reasoning)
        x.said.reasoning = rdv_buf_str(&j.reasoning);
    if (j.refusal.len)
        x.said.refusal = rdv_buf_str(&j.refusal);
    if (!x.ended.len && !json_is_true(rdv_members_get(m->in, "stream_ended")))
        x.ended = RDV_STR("incomplete"); /* the file ends within the reply */
    rdv_conversation_build(m, &x);
}

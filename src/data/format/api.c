/* SPDX-License-Identifier: Apache-2.0 */
/* What OpenAI's and Anthropic's APIs return, alone or in the results of a batch. */
#include "base/arena.h"
#include "base/str.h"
#include "data/conversation.h"
#include "data/format/readers.h"

static bool says(const rdv_members *in, const char *name, const char *value)
{
    return rdv_str_eq(rdv_members_raw(in, name), rdv_str_of(value));
}

static bool begins(const rdv_members *in, const char *name, char c)
{
    rdv_str raw = rdv_members_raw(in, name);
    return raw.len && raw.p[0] == c;
}

/* The members as one object, kept as long as the record; NULL when out of memory. */
static json_t *gathered(rdv_chain_builder *m, const char *const *names, size_t n)
{
    rdv_members *in = m->in;
    json_t *object = json_object();
    for (size_t i = 0; i < n; i++) {
        json_t *value = rdv_members_get(in, names[i]);
        if (value && json_object_set(object, names[i], value) != 0)
            rdv_build_nomem(m);
    }
    return rdv_build_kept(m, object);
}

static const json_t *first_of(rdv_chain_builder *m, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const json_t *value = rdv_members_get(m->in, names[i]);
        if (value && !json_is_null(value))
            return value;
    }
    return NULL;
}

static rdv_str text(rdv_chain_builder *m, const char *name)
{
    return json_is_string(rdv_members_get(m->in, name)) ? rdv_build_text(m, name) : (rdv_str){0};
}

/* ---- responses ------------------------------------------------------------------------------- */

bool rdv_is_openai_chat(const rdv_members *in)
{
    return begins(in, "choices", '[') &&
           (says(in, "object", "\"chat.completion\"") ||
            says(in, "object", "\"text_completion\"") ||
            rdv_find(rdv_members_raw(in, "choices"), RDV_STR("\"message\""), 0) != RDV_NOT_FOUND);
}

bool rdv_is_openai_responses(const rdv_members *in)
{
    return says(in, "object", "\"response\"");
}

bool rdv_is_anthropic_message(const rdv_members *in)
{
    return says(in, "type", "\"message\"") && says(in, "role", "\"assistant\"");
}

bool rdv_is_api_error(const rdv_members *in)
{
    return begins(in, "error", '{');
}

static json_t *response(rdv_chain_builder *m)
{
    static const char *const names[] = {"choices", "output", "content",     "id",
                                        "model",   "error",  "stop_reason", "incomplete_details",
                                        "status"};
    return gathered(m, names, sizeof names / sizeof *names);
}

size_t rdv_api_chains(rdv_chain_builder *m)
{
    return rdv_conversation_count(response(m));
}

/* The response is the record. What was asked is known where a log kept it beside. */
void rdv_read_api(rdv_chain_builder *m)
{
    static const char *const asked[] = {"request", "messages", "input", "prompt", "question"};
    static const char *const systems[] = {"instructions", "system"};
    rdv_conversation x = {0};
    rdv_conversation_ask(m, first_of(m, asked, sizeof asked / sizeof *asked), &x);
    if (!x.system.p) {
        rdv_said said;
        rdv_turn_said(m, first_of(m, systems, 2), &said);
        x.system = said.text;
    }
    rdv_conversation_reply(m, response(m), m->index, &x);
    rdv_conversation_build(m, &x);
}

/* ---- batches --------------------------------------------------------------------------------- */

/* The results of OpenAI's Batch API: {"status_code": 200, "body": response}. */
static const json_t *openai_result(rdv_chain_builder *m, rdv_conversation *x)
{
    const json_t *result = rdv_members_get(m->in, "response");
    const json_t *body = json_object_get(result, "body");
    long status = 0;
    if (!rdv_build_integer(json_object_get(result, "status_code"), &status))
        status = 0;
    rdv_conversation_error(m, rdv_members_get(m->in, "error"), 0, x);
    rdv_conversation_error(m, json_object_get(body, "error"), status, x);
    if (!x->failed.p && !json_is_object(body))
        x->failed = RDV_STR("the batch has no response to this request");
    return body;
}

/* Those of Anthropic's Message Batches: {"type": "succeeded", "message": response}. */
static const json_t *anthropic_result(rdv_chain_builder *m, rdv_conversation *x)
{
    const json_t *result = rdv_members_get(m->in, "result");
    const json_t *message = json_object_get(result, "message");
    rdv_conversation_error(m, json_object_get(result, "error"), 0, x);
    if (!x->failed.p && !json_is_object(message)) {
        rdv_str type = rdv_str_of(json_string_value(json_object_get(result, "type")));
        x->failed = rdv_str_printf(m->arena, "the batch has no response to this request%s%.*s",
                                   type.len ? ": " : "", RDV_FMT(rdv_str_head(type, 40)));
        if (!x->failed.p)
            rdv_build_nomem(m);
    }
    return message;
}

static const json_t *batch_result(rdv_chain_builder *m, rdv_conversation *x)
{
    return rdv_members_have(m->in, "result") ? anthropic_result(m, x) : openai_result(m, x);
}

bool rdv_is_batch_result(const rdv_members *in)
{
    return begins(in, "response", '{') || says(in, "response", "null") || begins(in, "result", '{');
}

size_t rdv_batch_chains(rdv_chain_builder *m)
{
    rdv_conversation x = {0};
    const json_t *body = batch_result(m, &x);
    return x.failed.p ? 1 : rdv_conversation_count(body);
}

/* The chain is named after its request: that name is the one that the user chose. */
void rdv_read_batch(rdv_chain_builder *m)
{
    rdv_conversation x = {.asked_id = text(m, "custom_id")};
    const json_t *body = batch_result(m, &x);
    if (!x.failed.p)
        rdv_conversation_reply(m, body, m->index, &x);
    x.id = x.asked_id;
    rdv_conversation_build(m, &x);
}

bool rdv_is_batch_request(const rdv_members *in)
{
    return begins(in, "body", '{') || begins(in, "params", '{');
}

/* A line of a batch's input: a question. */
void rdv_read_batch_request(rdv_chain_builder *m)
{
    static const char *const names[] = {"body", "params"};
    rdv_conversation x = {0};
    rdv_conversation_ask(m, first_of(m, names, 2), &x);
    if (x.question.len)
        m->chain->question.text = x.question;
    else
        rdv_members_fail(m->in, RDV_E_INPUT, "the request holds no text of the user");
    m->chain->question.id = text(m, "custom_id");
    rdv_build_gold(m);
    if (x.system.len)
        rdv_build_keep_text(m, "system_prompt", x.system);
}

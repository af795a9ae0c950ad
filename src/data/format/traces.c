/* SPDX-License-Identifier: Apache-2.0 */
/* What tools of observability export of an application, an object a call or span: a chain for each
 * reply of a model. Calls that are none (chains, retrievers, tools, the application's own
 * functions) repeat the replies within them and are passed over.
 *
 * - Langfuse: observations, as its exports and its API have them
 *   (https://api.reference.langfuse.com, ObservationsView), and traces that hold them.
 * - LangSmith: runs (langsmith.schemas.Run), with the messages of LangChain or of an API.
 * - W&B Weave: calls (weave.trace_server.trace_server_interface.CallSchema) with an API's response.
 */
#include "base/str.h"
#include "data/conversation.h"
#include "data/format/readers.h"
#include "data/left_out.h"

static bool is_text(const rdv_members *in, const char *name)
{
    return rdv_starts(rdv_members_raw(in, name), RDV_STR("\""));
}

static bool says(const rdv_members *in, const char *name, const char *value)
{
    return rdv_str_eq(rdv_members_raw(in, name), rdv_str_of(value));
}

static size_t one_if(rdv_chain_builder *m, bool is_reply)
{
    if (!is_reply)
        left_out_of_session(m);
    return is_reply;
}

static rdv_str text(rdv_chain_builder *m, const char *name)
{
    return is_text(m->in, name) ? rdv_build_text(m, name) : (rdv_str){0};
}

/* JSON within a text, as tables have it; else the value. */
static const json_t *opened(rdv_chain_builder *m, const json_t *value)
{
    rdv_str inner = rdv_trim(rdv_string_of(value));
    bool may = rdv_starts(inner, RDV_STR("{\"")) || rdv_starts(inner, RDV_STR("[{\""));
    const json_t *decoded = may ? rdv_build_decoded(m, inner) : NULL;
    return decoded ? decoded : value;
}

/* ---- Langfuse -------------------------------------------------------------------------------- */

static const char *const kinds[] = {"GENERATION", "SPAN",     "EVENT",     "AGENT",
                                    "TOOL",       "CHAIN",    "RETRIEVER", "EVALUATOR",
                                    "EMBEDDING",  "GUARDRAIL"};

static bool is_generation(const json_t *observation)
{
    rdv_str type = rdv_string_of(json_object_get(observation, "type"));
    return rdv_str_eq(type, RDV_STR("GENERATION"));
}

bool rdv_is_langfuse(const rdv_members *in)
{
    rdv_str type = rdv_members_raw(in, "type");
    return (is_text(in, "traceId") || is_text(in, "trace_id")) &&
           rdv_named(rdv_slice(type, 1, type.len ? type.len - 1 : 0), kinds,
                     sizeof kinds / sizeof *kinds) >= 0;
}

size_t rdv_langfuse_chains(rdv_chain_builder *m)
{
    return one_if(m, says(m->in, "type", "\"GENERATION\""));
}

static void read_generation(rdv_chain_builder *m, const json_t *input, const json_t *output,
                            const json_t *level, const json_t *status, rdv_conversation *x)
{
    rdv_conversation_ask(m, opened(m, input), x);
    if (rdv_str_eq(rdv_string_of(level), RDV_STR("ERROR")))
        rdv_conversation_error(m, status, 0, x);
    rdv_conversation_reply(m, opened(m, output), 0, x);
}

void rdv_read_langfuse(rdv_chain_builder *m)
{
    rdv_conversation x = {0};
    read_generation(m, rdv_members_get(m->in, "input"), rdv_members_get(m->in, "output"),
                    rdv_members_get(m->in, "level"), rdv_members_get(m->in, "statusMessage"), &x);
    x.id = text(m, "id");
    x.unique_id = true;
    x.model = text(m, "model");
    rdv_conversation_build(m, &x);
    rdv_build_keep(m, is_text(m->in, "traceId") ? "traceId" : "trace_id", "trace_id");
    rdv_build_keep(m, "parentObservationId", "parent_id");
}

/* Scores are no replies; people gave them, or programs. */
bool rdv_is_langfuse_score(const rdv_members *in)
{
    return rdv_members_have(in, "dataType") || is_text(in, "source");
}

size_t rdv_langfuse_score_chains(rdv_chain_builder *m)
{
    return one_if(m, false);
}

void rdv_read_langfuse_score(rdv_chain_builder *m)
{
    rdv_members_fail(m->in, RDV_E_INPUT, "a score, which is no reply");
}

static const json_t *generation_at(rdv_chain_builder *m, size_t index)
{
    const json_t *all = rdv_members_get(m->in, "observations");
    for (size_t i = 0; i < json_array_size(all); i++)
        if (is_generation(json_array_get(all, i)) && index-- == 0)
            return json_array_get(all, i);
    return NULL;
}

bool rdv_is_langfuse_trace(const rdv_members *in)
{
    rdv_str list = rdv_members_raw(in, "observations");
    return rdv_starts(list, RDV_STR("[")) &&
           rdv_starts(rdv_trim(rdv_slice(list, 1, list.len)), RDV_STR("{"));
}

size_t rdv_langfuse_trace_chains(rdv_chain_builder *m)
{
    const json_t *all = rdv_members_get(m->in, "observations");
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(all); i++)
        n += is_generation(json_array_get(all, i));
    if (n < json_array_size(all))
        left_out_of_session(m);
    return n;
}

void rdv_read_langfuse_trace(rdv_chain_builder *m)
{
    const json_t *one = generation_at(m, m->index);
    rdv_conversation x = {0};
    read_generation(m, json_object_get(one, "input"), json_object_get(one, "output"),
                    json_object_get(one, "level"), json_object_get(one, "statusMessage"), &x);
    if (json_is_string(json_object_get(one, "id")))
        x.id = rdv_build_text_in(m, one, "id");
    x.unique_id = true;
    if (json_is_string(json_object_get(one, "model")))
        x.model = rdv_build_text_in(m, one, "model");
    rdv_conversation_build(m, &x);
    rdv_build_keep(m, "id", "trace_id");
}

/* ---- LangSmith ------------------------------------------------------------------------------- */

bool rdv_is_langsmith(const rdv_members *in)
{
    return is_text(in, "run_type");
}

size_t rdv_langsmith_chains(rdv_chain_builder *m)
{
    return one_if(m, says(m->in, "run_type", "\"llm\""));
}

/* Set a member where there is a value; false: out of memory. */
static bool set(json_t *object, const char *name, const json_t *value)
{
    return !value || json_object_set(object, name, (json_t *)value) == 0;
}

/* A message of LangChain, serialised ({"lc":1,"id":[..., "AIMessage"],"kwargs":{...}}) or as data
 * ({"type":"ai","data":{...}}), in the form of other chats; a new reference. */
static json_t *plain_message(const json_t *message)
{
    const json_t *inner = json_object_get(message, "kwargs");
    const json_t *type = json_object_get(message, "type");
    if (!inner)
        inner = json_object_get(message, "data");
    if (!inner)
        return json_incref((json_t *)message);
    if (json_object_get(inner, "type"))
        type = json_object_get(inner, "type");
    json_t *out = json_object();
    bool good = out && set(out, "role", type) &&
                set(out, "content", json_object_get(inner, "content")) &&
                set(out, "tool_calls", json_object_get(inner, "tool_calls"));
    if (good)
        return out;
    json_decref(out);
    return NULL;
}

/* The messages of the first prompt: LangChain has a list for each. */
static const json_t *plain_messages(rdv_chain_builder *m, const json_t *messages)
{
    const json_t *first = json_array_get(messages, 0);
    if (json_is_array(first))
        messages = first;
    json_t *out = json_array();
    for (size_t i = 0; out && i < json_array_size(messages); i++)
        if (json_array_append_new(out, plain_message(json_array_get(messages, i))) != 0)
            rdv_build_nomem(m);
    return rdv_build_kept(m, out);
}

/* The reply: LangChain's first generation, or what an API returned. */
static const json_t *plain_reply(rdv_chain_builder *m, const json_t *outputs)
{
    const json_t *generations = json_object_get(outputs, "generations");
    const json_t *first = json_array_get(generations, 0);
    const json_t *one = json_is_array(first) ? json_array_get(first, 0) : first;
    const json_t *message = json_object_get(one, "message");
    if (message)
        return rdv_build_kept(m, plain_message(message));
    if (one)
        return json_object_get(one, "text");
    const json_t *output = json_object_get(outputs, "output");
    return json_is_string(output) || json_object_get(output, "content") ? output : outputs;
}

void rdv_read_langsmith(rdv_chain_builder *m)
{
    rdv_conversation x = {0};
    const json_t *inputs = rdv_members_get(m->in, "inputs");
    const json_t *outputs = rdv_members_get(m->in, "outputs");
    const json_t *messages = json_object_get(inputs, "messages");
    const json_t *prompts = json_object_get(inputs, "prompts");
    rdv_conversation_error(m, rdv_members_get(m->in, "error"), 0, &x);
    rdv_conversation_ask(m,
                         messages                   ? plain_messages(m, messages)
                         : json_array_size(prompts) ? json_array_get(prompts, 0)
                                                    : inputs,
                         &x);
    if (json_is_object(outputs))
        rdv_conversation_reply(m, plain_reply(m, outputs), 0, &x);
    x.id = text(m, "id");
    x.unique_id = true;
    rdv_conversation_build(m, &x);
    rdv_build_keep(m, "trace_id", "trace_id");
    rdv_build_keep(m, "parent_run_id", "parent_id");
}

/* ---- Weave ----------------------------------------------------------------------------------- */

bool rdv_is_weave(const rdv_members *in)
{
    return is_text(in, "op_name") && rdv_starts(rdv_members_raw(in, "inputs"), RDV_STR("{"));
}

/* What an API returned: a call of a model. */
static bool is_response(const json_t *output)
{
    return json_is_array(json_object_get(output, "choices")) ||
           (json_is_array(json_object_get(output, "output")) &&
            json_is_string(json_object_get(output, "object"))) ||
           (json_object_get(output, "content") && json_object_get(output, "role"));
}

/* A call of a model that failed has the model's name among its inputs, and an exception. */
size_t rdv_weave_chains(rdv_chain_builder *m)
{
    const json_t *inputs = rdv_members_get(m->in, "inputs");
    bool failed = is_text(m->in, "exception") && json_object_get(inputs, "messages") &&
                  json_is_string(json_object_get(inputs, "model"));
    const json_t *output = rdv_members_get(m->in, "output");
    if (failed)
        return 1;
    return is_response(output) ? rdv_conversation_count(output) : one_if(m, false);
}

void rdv_read_weave(rdv_chain_builder *m)
{
    rdv_conversation x = {0};
    rdv_conversation_ask(m, rdv_members_get(m->in, "inputs"), &x);
    rdv_conversation_error(m, rdv_members_get(m->in, "exception"), 0, &x);
    if (!x.failed.p)
        rdv_conversation_reply(m, rdv_members_get(m->in, "output"), m->index, &x);
    x.id = text(m, "id");
    rdv_conversation_build(m, &x);
    rdv_build_keep(m, "trace_id", "trace_id");
    rdv_build_keep(m, "parent_id", "parent_id");
}

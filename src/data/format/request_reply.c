/* SPDX-License-Identifier: Apache-2.0 */
/* A question beside its reply, under the names that logs and data sets use: logged requests and
 * responses, prompt and completion, Alpaca, chats. */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/conversation.h"
#include "data/left_out.h"
#include "data/format/readers.h"
#include "data/write.h"

#define COUNT(names) (sizeof(names) / sizeof *(names))

/* In the order in which they are looked for. */
static const char *const asked[] = {"request",     "req",      "request_body", "kwargs",
                                    "messages",    "question", "problem",      "prompt",
                                    "instruction", "query",    "input",        "inputs"};
static const char *const replied[] = {
    "response",       "resp",         "response_body",  "completion", "output",    "generation",
    "generated_text", "model_output", "model_response", "prediction", "responses", "outputs",
    "generations",    "completions",  "samples",        "predictions"};
static const char *const chats[] = {"messages", "conversations", "conversation"};

static const char *name_in(const rdv_members *in, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rdv_members_have(in, names[i]))
            return names[i];
    return NULL;
}

/* Is the member's value of a kind that can hold a reply: a text, a list, an object or null? */
static bool may_say(const rdv_members *in, const char *name)
{
    rdv_str raw = rdv_members_raw(in, name);
    return raw.len && strchr("\"[{n", raw.p[0]);
}

/* The first that holds something; else the first that there is. */
static const char *reply_name(const rdv_members *in)
{
    for (size_t i = 0; i < COUNT(replied); i++)
        if (may_say(in, replied[i]) &&
            !rdv_str_eq(rdv_members_raw(in, replied[i]), RDV_STR("null")))
            return replied[i];
    return name_in(in, replied, COUNT(replied));
}

/* ---- members that are carried along ---------------------------------------------------------- */

/* Names with a meaning in a record, under which nothing of the source may be carried. */
static bool has_meaning(rdv_str name)
{
    static const char *const names[] = {"id",
                                        "question_id",
                                        "question",
                                        "options",
                                        "answer_type",
                                        "gold",
                                        "steps",
                                        "solution",
                                        "answer",
                                        "incomplete_reason",
                                        "correct",
                                        "label",
                                        "step_labels",
                                        "scores",
                                        "logprobs",
                                        "reasoning",
                                        "n_reasoning_steps",
                                        "system_prompt",
                                        "system",
                                        "generator",
                                        "checker",
                                        "profile",
                                        "label_source",
                                        "repair",
                                        "repairs",
                                        "error",
                                        RDV_VERSION_MEMBER};
    return rdv_is_check_member(name) || rdv_named(name, names, COUNT(names)) >= 0;
}

/* The members that are neither the question nor the reply keep their bytes. */
static void keep_others(rdv_chain_builder *m)
{
    for (size_t i = 0; i < m->in->n; i++) {
        rdv_str name = m->in->items[i].name;
        if (has_meaning(name) || rdv_named(name, asked, COUNT(asked)) >= 0 ||
            rdv_named(name, replied, COUNT(replied)) >= 0 ||
            rdv_named(name, chats, COUNT(chats)) >= 0)
            continue;
        rdv_json_name(&m->extra, name);
        rdv_buf_add(&m->extra, m->in->items[i].raw);
    }
}

static rdv_str text(rdv_chain_builder *m, const char *name)
{
    rdv_str raw = rdv_members_raw(m->in, name);
    bool scalar = raw.len && (raw.p[0] == '"' || rdv_is_digit(raw.p[0]));
    return scalar ? rdv_build_text(m, name) : (rdv_str){0};
}

/* Why the reply ended, where the record says it beside the reply: one text, or one for each. */
static void take_ending(rdv_chain_builder *m, rdv_conversation *x)
{
    static const char *const names[] = {RDV_ENDING_MEMBERS};
    for (size_t i = 0; i < COUNT(names) && !x->ended.len; i++) {
        const json_t *value = rdv_members_get(m->in, names[i]);
        const json_t *one = json_is_array(value) ? json_array_get(value, m->index) : value;
        if (json_is_string(one))
            x->ended = rdv_build_text_of(m, one, names[i]);
    }
}

/* What the record says besides: its ids, the options, the model, an error. */
static void take_besides(rdv_chain_builder *m, rdv_conversation *x)
{
    x->asked_id = text(m, "question_id");
    x->id = text(m, "id");
    m->chain->question.id = x->asked_id;
    if (m->chains == 1)
        m->chain->answer = text(m, "predicted_answer");
    const json_t *options = rdv_members_get(m->in, "options");
    if (json_is_array(options) && json_is_string(json_array_get(options, 0)))
        rdv_build_options(m, options, "options");
    x->model = text(m, rdv_members_have(m->in, "generator") ? "generator" : "model");
    rdv_conversation_error(m, rdv_members_get(m->in, "error"), 0, x);
}

/* ---- a question and its reply ---------------------------------------------------------------- */

bool rdv_is_request_reply(const rdv_members *in)
{
    bool own = rdv_members_have(in, "steps") ||
               (rdv_members_have(in, "question") && rdv_members_have(in, "solution"));
    if (own || !name_in(in, asked, COUNT(asked)))
        return false;
    const char *reply = reply_name(in);
    return reply && may_say(in, reply);
}

size_t rdv_request_reply_chains(rdv_chain_builder *m)
{
    const char *name = reply_name(m->in);
    return name ? rdv_conversation_count(rdv_members_get(m->in, name)) : 1;
}

/* Alpaca: an instruction with the input that it is about. */
static rdv_str instruction(rdv_chain_builder *m)
{
    rdv_str task = text(m, "instruction"), input = text(m, "input");
    if (!task.len || !input.len)
        return (rdv_str){0};
    rdv_str both = rdv_str_printf(m->arena, "%.*s\n\n%.*s", RDV_FMT(task), RDV_FMT(input));
    if (!both.p)
        rdv_build_nomem(m);
    return both;
}

/* A logged request or response may be JSON within a text. */
static const json_t *value_of(rdv_chain_builder *m, const char *name)
{
    const json_t *value = name ? rdv_members_get(m->in, name) : NULL;
    rdv_str inner = rdv_string_of(value);
    bool may = rdv_starts(inner, RDV_STR("{\"")) || rdv_starts(inner, RDV_STR("[{\""));
    const json_t *decoded = may ? rdv_build_decoded(m, inner) : NULL;
    return decoded ? decoded : value;
}

void rdv_read_request_reply(rdv_chain_builder *m)
{
    rdv_conversation x = {.question = instruction(m), .system = text(m, "system")};
    take_besides(m, &x);
    rdv_conversation_ask(m, value_of(m, name_in(m->in, asked, COUNT(asked))), &x);
    rdv_conversation_reply(m, value_of(m, reply_name(m->in)), m->index, &x);
    for (size_t i = 0; i < 2 && !x.said.reasoning.p; i++)
        x.said.reasoning = text(m, i ? "reasoning" : "reasoning_content");
    take_ending(m, &x);
    keep_others(m);
    rdv_conversation_build(m, &x);
}

/* ---- a chat ---------------------------------------------------------------------------------- */

bool rdv_is_chat(const rdv_members *in)
{
    const char *name = name_in(in, chats, COUNT(chats));
    bool own = rdv_members_have(in, "question") ||
               (rdv_members_have(in, "problem") && rdv_members_have(in, "solution"));
    return name && !own && rdv_starts(rdv_members_raw(in, name), RDV_STR("["));
}

/* The question is what the user said before the assistant's last message. */
void rdv_read_chat(rdv_chain_builder *m)
{
    const json_t *turns = rdv_members_get(m->in, name_in(m->in, chats, COUNT(chats)));
    size_t n = rdv_turns_last_reply(turns);
    left_out_of_chat(m, turns, n);
    rdv_conversation x = {.question = rdv_turns_by(m, turns, n, RDV_ROLE_USER),
                          .system = rdv_turns_by(m, turns, n, RDV_ROLE_SYSTEM)};
    take_besides(m, &x);
    if (!x.system.p)
        x.system = text(m, "system");
    keep_others(m);
    if (n < json_array_size(turns) || x.failed.p) {
        rdv_turn_said(m, json_array_get(turns, n), &x.said);
        take_ending(m, &x);
        rdv_conversation_build(m, &x);
        return;
    }
    m->chain->question.text = x.question;
    if (x.system.len)
        rdv_build_keep_text(m, "system_prompt", x.system);
    rdv_build_gold(m);
}

/* ---- preferences ----------------------------------------------------------------------------- */

/* A pair of replies of which people prefer one is no solution of its own. */
void rdv_read_preference(rdv_chain_builder *m)
{
    rdv_members_fail(m->in, RDV_E_INPUT,
                     "a preference (\"chosen\", \"rejected\"), not a solution: write the one to be "
                     "checked as \"response\", as with jq -c '{prompt, response: .chosen}'");
}

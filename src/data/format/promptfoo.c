/* SPDX-License-Identifier: Apache-2.0 */
/* The results of promptfoo: a file with all of them (`--output results.json`), or a row a line
 * (`results.jsonl`): EvaluateResult in src/types/index.ts of
 * https://github.com/promptfoo/promptfoo, version 0.121.20. */
#include "base/str.h"
#include "data/conversation.h"
#include "data/format/readers.h"

/* Why a row failed: an assertion, or the request itself. */
#define FAILED_REQUEST 2

bool rdv_is_promptfoo(const rdv_members *in)
{
    rdv_str prompt = rdv_members_raw(in, "prompt");
    return rdv_starts(prompt, RDV_STR("{")) &&
           rdv_find(prompt, RDV_STR("\"raw\""), 0) != RDV_NOT_FOUND;
}

bool rdv_is_promptfoo_results(const rdv_members *in)
{
    rdv_str results = rdv_members_raw(in, "results");
    return rdv_starts(results, RDV_STR("{")) &&
           rdv_find(results, RDV_STR("\"results\""), 0) != RDV_NOT_FOUND;
}

static const json_t *rows(rdv_chain_builder *m)
{
    return json_object_get(rdv_members_get(m->in, "results"), "results");
}

size_t rdv_promptfoo_results_chains(rdv_chain_builder *m)
{
    size_t n = json_array_size(rows(m));
    return n ? n : 1; /* one, to say that there are none */
}

/* The right answer, where an assertion states it. */
static rdv_str gold_of(rdv_chain_builder *m, const json_t *test)
{
    const json_t *all = json_object_get(test, "assert");
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *one = json_array_get(all, i), *value = json_object_get(one, "value");
        rdv_str type = rdv_string_of(json_object_get(one, "type"));
        if (rdv_str_eq(type, RDV_STR("equals")) && (json_is_string(value) || json_is_number(value)))
            return rdv_build_text_of(m, value, "value");
    }
    return (rdv_str){0};
}

/* A text that may hold the messages of a chat as JSON. */
static const json_t *prompt_of(rdv_chain_builder *m, const json_t *prompt)
{
    const json_t *raw = json_object_get(prompt, "raw");
    rdv_str text = rdv_trim(rdv_string_of(raw));
    const json_t *chat = rdv_starts(text, RDV_STR("[")) ? rdv_build_decoded(m, text) : NULL;
    return chat ? chat : raw;
}

typedef struct row {
    const json_t *prompt, *response, *test, *provider, *error, *reason, *id;
} row;

static void read_row(rdv_chain_builder *m, const row *r)
{
    rdv_conversation x = {0};
    long reason = 0;
    const json_t *output = json_object_get(r->response, "output");
    const json_t *model =
        json_is_object(r->provider) ? json_object_get(r->provider, "id") : r->provider;
    rdv_conversation_ask(m, prompt_of(m, r->prompt), &x);
    rdv_conversation_error(m, json_object_get(r->response, "error"), 0, &x);
    if ((rdv_build_integer(r->reason, &reason) && reason == FAILED_REQUEST) || !output)
        rdv_conversation_error(m, r->error, 0, &x); /* else it repeats why an assertion failed */
    rdv_conversation_reply(m, output, 0, &x);
    x.id = json_is_string(r->id) ? rdv_build_text_of(m, r->id, "id") : (rdv_str){0};
    x.unique_id = true;
    if (json_is_string(model))
        x.model = rdv_build_text_of(m, model, "provider");
    rdv_conversation_build(m, &x);
    if (!m->chain->question.gold.p)
        m->chain->question.gold = gold_of(m, r->test);
}

void rdv_read_promptfoo(rdv_chain_builder *m)
{
    read_row(m, &(row){.prompt = rdv_members_get(m->in, "prompt"),
                       .response = rdv_members_get(m->in, "response"),
                       .test = rdv_members_get(m->in, "testCase"),
                       .provider = rdv_members_get(m->in, "provider"),
                       .error = rdv_members_get(m->in, "error"),
                       .reason = rdv_members_get(m->in, "failureReason"),
                       .id = rdv_members_get(m->in, "id")});
}

void rdv_read_promptfoo_results(rdv_chain_builder *m)
{
    const json_t *one = json_array_get(rows(m), m->index);
    if (!json_is_object(one)) {
        rdv_members_fail(m->in, RDV_E_INPUT, "a file of promptfoo without results");
        return;
    }
    read_row(m, &(row){.prompt = json_object_get(one, "prompt"),
                       .response = json_object_get(one, "response"),
                       .test = json_object_get(one, "testCase"),
                       .provider = json_object_get(one, "provider"),
                       .error = json_object_get(one, "error"),
                       .reason = json_object_get(one, "failureReason"),
                       .id = json_object_get(one, "id")});
}

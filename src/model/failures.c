/* SPDX-License-Identifier: Apache-2.0 */
#include "model/failures.h"
#include "base/str.h"

#include <stdio.h>

/* ---- the table ------------------------------------------------------------------------------- */

/* A reply counts only if its server reports it complete, so the sets of good words are closed: any
 * other word of the same member means that the reply failed. */
const failure_row failure_rows[] = {
    /* how the reply ended */
    {PLACE_CHOICE, FINISH_MEMBER, "stop", SAYS_WHOLE,
     "OpenAI, vLLM, llama.cpp, Ollama, SGLang, Mistral"},
    {PLACE_CHOICE, FINISH_MEMBER, "eos", SAYS_WHOLE, "Together"},
    {PLACE_CHOICE, FINISH_MEMBER, "eos_token", SAYS_WHOLE, "TGI"},
    {PLACE_CHOICE, FINISH_MEMBER, "stop_sequence", SAYS_WHOLE, "TGI, Anthropic"},
    {PLACE_CHOICE, FINISH_MEMBER, "end_turn", SAYS_WHOLE, "Anthropic, Bedrock"},
    {PLACE_CHOICE, FINISH_MEMBER, "complete", SAYS_WHOLE, "Cohere"},
    {PLACE_CHOICE, FINISH_MEMBER, "length", SAYS_CUT_OFF, "OpenAI and those that follow it, TGI"},
    {PLACE_CHOICE, FINISH_MEMBER, "max_tokens", SAYS_CUT_OFF, "Anthropic, Bedrock, Cohere, Gemini"},
    {PLACE_CHOICE, FINISH_MEMBER, "model_length", SAYS_CUT_OFF, "Mistral"},
    {PLACE_CHOICE, FINISH_MEMBER, "model_context_window_exceeded", SAYS_CUT_OFF, "Anthropic"},
    {PLACE_CHOICE, FINISH_MEMBER, VALUE_SOMETHING, SAYS_FAILED,
     "OpenAI: content_filter, tool_calls; OpenRouter: error; Gemini: SAFETY; DeepSeek: "
     "insufficient_system_resource"},
    /* the word of the server behind a proxy */
    {PLACE_CHOICE, "native_finish_reason", "stop", SAYS_WHOLE, "OpenRouter"},
    {PLACE_CHOICE, "native_finish_reason", "eos", SAYS_WHOLE, "OpenRouter"},
    {PLACE_CHOICE, "native_finish_reason", "eos_token", SAYS_WHOLE, "OpenRouter"},
    {PLACE_CHOICE, "native_finish_reason", "stop_sequence", SAYS_WHOLE, "OpenRouter"},
    {PLACE_CHOICE, "native_finish_reason", "end_turn", SAYS_WHOLE, "OpenRouter"},
    {PLACE_CHOICE, "native_finish_reason", "complete", SAYS_WHOLE, "OpenRouter"},
    {PLACE_CHOICE, "native_finish_reason", "completed", SAYS_WHOLE, "OpenRouter"},
    {PLACE_CHOICE, "native_finish_reason", "length", SAYS_CUT_OFF, "OpenRouter"},
    {PLACE_CHOICE, "native_finish_reason", "max_tokens", SAYS_CUT_OFF, "OpenRouter"},
    {PLACE_CHOICE, "native_finish_reason", VALUE_SOMETHING, SAYS_FAILED,
     "OpenRouter: SAFETY, RECITATION, PROHIBITED_CONTENT "
     "(https://openrouter.ai/announcements/standardized-finish-reasons)"},
    /* vLLM writes the stop text there, so the set of bad words is the closed one */
    {PLACE_CHOICE, "stop_reason", "refusal", SAYS_FAILED,
     "Anthropic (https://docs.anthropic.com/en/api/handling-stop-reasons)"},
    {PLACE_CHOICE, "stop_reason", "tool_use", SAYS_FAILED, "Anthropic"},
    {PLACE_CHOICE, "stop_reason", "pause_turn", SAYS_FAILED, "Anthropic"},
    {PLACE_CHOICE, "stop_reason", "guardrail_intervened", SAYS_FAILED,
     "Bedrock (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html)"},
    {PLACE_CHOICE, "stop_reason", "max_tokens", SAYS_CUT_OFF, "Anthropic"},
    /* errors */
    {PLACE_BODY, "error", VALUE_GIVEN, SAYS_ERROR,
     "proxies, OpenRouter (https://openrouter.ai/docs/api-reference/errors)"},
    {PLACE_CHOICE, "error", VALUE_GIVEN, SAYS_ERROR, "OpenRouter"},
    {PLACE_MESSAGE, "error", VALUE_GIVEN, SAYS_ERROR, "proxies"},
    {PLACE_BODY, "object", "error", SAYS_ERROR,
     "SGLang, FastChat, vLLM until 0.9 (sgl-project/sglang, openai/protocol.py: ErrorResponse)"},
    {PLACE_BODY, "type", "error", SAYS_ERROR,
     "Anthropic (https://docs.anthropic.com/en/api/errors)"},
    {PLACE_BODY, "success", "false", SAYS_ERROR,
     "Cloudflare (https://developers.cloudflare.com/fundamentals/api/)"},
    {PLACE_BODY, "base_resp.status_code", VALUE_SOMETHING, SAYS_ERROR,
     "MiniMax (https://platform.minimax.io/docs/api-reference/text-post)"},
    /* a state of the reply: OpenAI's Responses, and gateways that translate them */
    {PLACE_BODY, "status", "completed", SAYS_WHOLE, "OpenAI"},
    {PLACE_BODY, "status", "succeeded", SAYS_WHOLE, "gateways"},
    {PLACE_BODY, "status", "success", SAYS_WHOLE, "gateways"},
    {PLACE_BODY, "status", "ok", SAYS_WHOLE, "gateways"},
    {PLACE_BODY, "status", "200", SAYS_WHOLE, "gateways"},
    {PLACE_BODY, "status", VALUE_SOMETHING, SAYS_FAILED,
     "OpenAI: failed, incomplete, cancelled, queued, in_progress "
     "(https://platform.openai.com/docs/api-reference/responses/object)"},
    {PLACE_MESSAGE, "status", "completed", SAYS_WHOLE, "OpenAI"},
    {PLACE_MESSAGE, "status", VALUE_SOMETHING, SAYS_FAILED, "OpenAI: incomplete, in_progress"},
    {PLACE_BODY, "incomplete_details", VALUE_SOMETHING, SAYS_FAILED, "OpenAI"},
    /* filters */
    {PLACE_CHOICE, "content_filter_results.*.filtered", "true", SAYS_FAILED,
     "Azure OpenAI (https://learn.microsoft.com/azure/ai-services/openai/concepts/"
     "content-filter-annotations)"},
    {PLACE_MESSAGE, "content_filter_results.*.filtered", "true", SAYS_FAILED, "Azure OpenAI"},
    {PLACE_BODY, "prompt_filter_results.*.content_filter_results.*.filtered", "true", SAYS_FAILED,
     "Azure OpenAI"},
    {PLACE_BODY, "input_sensitive", "true", SAYS_FAILED, "MiniMax"},
    {PLACE_BODY, "output_sensitive", "true", SAYS_FAILED, "MiniMax"},
    {PLACE_BODY, "amazon-bedrock-guardrailAction", "INTERVENED", SAYS_FAILED,
     "Bedrock (https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails-use.html)"},
    /* what is no reply to us */
    {PLACE_MESSAGE, "refusal", VALUE_SOMETHING, SAYS_FAILED,
     "OpenAI (https://platform.openai.com/docs/api-reference/chat/object)"},
    {PLACE_MESSAGE, "tool_calls", VALUE_SOMETHING, SAYS_FAILED,
     "OpenAI; vLLM and Ollama, with finish_reason \"stop\""},
    {PLACE_MESSAGE, "function_call", VALUE_SOMETHING, SAYS_FAILED, "OpenAI"},
    {PLACE_MESSAGE, "role", "assistant", SAYS_WHOLE, "all"},
    {PLACE_MESSAGE, "role", "model", SAYS_WHOLE, "Gemini"},
    {PLACE_MESSAGE, "role", VALUE_SOMETHING, SAYS_FAILED, "proxies that give a turn back"},
    {PLACE_BODY, "choices", VALUE_TWO, SAYS_FAILED, "proxies that ask two servers"},
};
const size_t n_failure_rows = sizeof failure_rows / sizeof *failure_rows;

const thought_row thought_rows[] = {
    {"reasoning_content", "vLLM and SGLang: another --reasoning-parser, or none; llama.cpp: "
                          "--reasoning-format none"},
    {"reasoning", "vLLM: another --reasoning-parser, or none; Ollama and OpenRouter: a model that "
                  "does not think, or a higher limit of tokens"},
    {"thinking", "Ollama: a model that does not think, or a higher limit of tokens"},
};
const size_t n_thought_rows = sizeof thought_rows / sizeof *thought_rows;

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_given(const json_t *value)
{
    return value && !json_is_null(value) && !json_is_false(value) &&
           (!json_is_string(value) || json_string_length(value));
}

static bool is_something(const json_t *value)
{
    return is_given(value) && (!json_is_number(value) || json_number_value(value) != 0) &&
           (!json_is_array(value) || json_array_size(value)) &&
           (!json_is_object(value) || json_object_size(value));
}

/* A choice without an index has index 0 where none has one. */
static bool has_two(const json_t *choices)
{
    const json_t *first = parse_numbered(choices), *one;
    bool numbered = json_object_get(first, "index") != NULL;
    size_t i;
    json_array_foreach(choices, i, one)
    {
        const json_t *index = json_object_get(one, "index");
        bool zero = numbered ? json_is_number(index) && json_number_value(index) == 0 : true;
        if (first && zero && !json_equal(one, first))
            return true;
    }
    return false;
}

static bool holds(const json_t *value, const char *want)
{
    char number[32];
    if (strcmp(want, VALUE_GIVEN) == 0)
        return is_given(value);
    if (strcmp(want, VALUE_SOMETHING) == 0)
        return is_something(value);
    if (strcmp(want, VALUE_TWO) == 0)
        return has_two(value);
    if (json_is_boolean(value))
        return strcmp(want, json_is_true(value) ? "true" : "false") == 0;
    if (json_is_number(value)) {
        snprintf(number, sizeof number, "%.15g", json_number_value(value));
        return strcmp(want, number) == 0;
    }
    return rdv_str_ieq(parse_text(value), rdv_str_of(want));
}

/* The value at the path, where the row holds of it; NULL: nowhere. Paths have a star or two, so
 * the recursion ends. */
static const json_t *find(const json_t *at, const char *path, const char *want)
{
    const char *dot = strchr(path, '.');
    rdv_str name = {path, dot ? (size_t)(dot - path) : strlen(path)};
    const json_t *found = NULL, *one;
    if (rdv_str_eq(name, RDV_STR("*"))) {
        const char *key;
        size_t i;
        json_object_foreach((json_t *)(uintptr_t)at, key, one)
        {
            if (!found)
                found = dot ? find(one, dot + 1, want) : holds(one, want) ? one : NULL;
        }
        json_array_foreach(at, i, one)
        {
            if (!found)
                found = dot ? find(one, dot + 1, want) : holds(one, want) ? one : NULL;
        }
        return found;
    }
    one = json_object_getn(at, name.p, name.len);
    if (dot)
        return one ? find(one, dot + 1, want) : NULL;
    return one && holds(one, want) ? one : NULL;
}

reply_says failures_find(failure_place place, const json_t *object, const failure_row **row,
                         const json_t **value)
{
    reply_says worst = SAYS_NOTHING;
    const char *decided = ""; /* the member of which a row held already */
    for (size_t i = 0; i < n_failure_rows; i++) {
        const failure_row *r = &failure_rows[i];
        if (r->place != place || strcmp(r->member, decided) == 0)
            continue;
        const json_t *found = find(object, r->member, r->value);
        if (!found)
            continue;
        decided = r->member;
        bool counts = r->says != SAYS_WHOLE || strcmp(r->member, FINISH_MEMBER) == 0;
        if (counts && r->says > worst) {
            worst = r->says;
            *row = r;
            *value = found;
        }
    }
    return worst;
}
